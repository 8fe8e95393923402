// The known name that a misspelt one probably means.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesSentence, nearestName } from '../../server/domain/text/spelling.ts'

const known = ['flightNumber', 'aircraft', 'airline', 'seat', 'note', 'to']

test('the nearest name ignores case and punctuation, with a common beginning or two edits', () => {
  for (const [given, meant] of [
    ['flight_number', 'flightNumber'],
    ['FLIGHT-NUMBER', 'flightNumber'],
    ['flig', 'flightNumber'],
    ['fli', undefined],
    ['seats', 'seat'],
    ['seatNumber', 'seat'],
    ['airlin', 'airline'],
    ['airlnie', 'airline'],
    ['arline', 'airline'],
    ['xirlinx', 'airline'],
    ['xirlxnx', undefined],
    ['aeirlinex', 'airline'],
    ['aeiarlinex', undefined],
    ['nope', 'note'],
    ['not', undefined],
    ['too', undefined],
    ['TO', 'to'],
    ['tomato', undefined],
    ['irlne', 'airline'],
    ['irln', undefined],
    ['', undefined],
  ] as const)
    assert.equal(nearestName(given, known), meant, given)
  assert.equal(nearestName('color', ['colour', 'Color']), 'Color', 'the same letters win over fewer edits')
  assert.equal(nearestName('colour_code', ['colourcard', 'colour']), 'colour', 'a beginning wins too')
  assert.equal(nearestName('cabin', ['seat', 'class']), undefined)
})

test('a sentence lists the known names, up to a limit', () => {
  assert.equal(namesSentence('x', []), '“x”. There are none')
  assert.equal(namesSentence('seats', ['seat', 'to']), '“seats”. Did you mean seat? Known: seat, to')
  const many = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`)
  assert.ok(namesSentence('x', many(40)).endsWith('n38, n39'))
  assert.ok(namesSentence('x', many(41)).endsWith('n38, n39, …'))
  assert.ok(namesSentence('x'.repeat(60), []).startsWith(`“${'x'.repeat(60)}”`))
  assert.ok(namesSentence('x'.repeat(61), []).startsWith(`“${'x'.repeat(60)}…”`))
  assert.equal(nearestName(`${'x'.repeat(60)}abc`, ['x'.repeat(60)]), 'x'.repeat(60))
})

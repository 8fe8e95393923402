// Flights and marks of one person, combined by country.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlownStatus, VisitStatus } from '../../../server/domain/reference/countries.ts'
import { entriesOf, tallyOf } from './entries.ts'

const flown = new Map<string, FlownStatus>([
  ['DK', 'visited'],
  ['DE', 'layover'],
  ['JP', 'visited'],
  ['SE', 'layover'],
])
const marks = (of: Record<string, [VisitStatus, string?]>) =>
  new Map(Object.entries(of).map(([code, [status, note = null]]) => [code, { status, note }]))

test('flights alone say where a person was', () => {
  const entries = entriesOf(flown, new Map())
  assert.deepEqual(entries.get('DE'), { status: 'layover', flown: 'layover', isMarked: false, note: null })
  assert.deepEqual(tallyOf(entries), { been: 2, flown: 4, notBeen: 2, byHand: 0 })
})

test('a mark wins, and removed gives the flights back', () => {
  const entries = entriesOf(
    flown,
    marks({ DE: ['lived'], JP: ['wishlist'], FR: ['visited'], DK: ['visited'], SE: ['layover', 'fika'] }),
  )
  const shown = Object.fromEntries(
    [...entries].map(([code, { status, isMarked }]) => [code, `${status}${isMarked ? ' by hand' : ''}`]),
  )
  assert.deepEqual(shown, {
    DK: 'visited',
    DE: 'lived by hand',
    JP: 'wishlist by hand',
    SE: 'layover by hand',
    FR: 'visited by hand',
  })
  const { been, flown: touched, notBeen, byHand } = tallyOf(entries)
  assert.deepEqual([been, touched, notBeen, byHand], [3, 4, 2, 1])
  assert.equal(been, touched - notBeen + byHand)
  assert.equal(entriesOf(flown, new Map()).get('JP')?.status, 'visited')
})

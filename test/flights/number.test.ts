// Flight numbers as people write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bareNumber,
  canonicalFlightNumber,
  designatorOf,
  flightNumberSpellings,
  isFlownAs,
  parseFlightNumber,
} from '../../server/domain/flights/number.ts'

test('a flight number is the airline’s code and the number, in every spelling', () => {
  for (const [text, airlineCode, number] of [
    ['SK 909', 'SK', '909'],
    ['sk0909', 'SK', '909'],
    ['SAS909', 'SAS', '909'],
    ['u2-1234', 'U2', '1234'],
    ['9W12', '9W', '12'],
    ['LH 0004a', 'LH', '4A'],
    ['SK0', 'SK', '0'],
  ] as const) {
    assert.deepEqual(parseFlightNumber(text), { airlineCode, number }, text)
    assert.equal(canonicalFlightNumber(text), airlineCode + number)
    assert.deepEqual(
      flightNumberSpellings(text),
      ['', '0', '00', '000'].map((zeros) => airlineCode + zeros + number),
    )
  }
})

test('other texts are compared by their letters and digits', () => {
  for (const text of ['', '909', 'SK', 'SK12345', '1234', 'SK9AB', 'ABCD12', '99 12']) {
    assert.equal(parseFlightNumber(text), undefined, text)
  }
  assert.equal(canonicalFlightNumber('my-flight 7'), 'MYFLIGHT7')
  assert.deepEqual(flightNumberSpellings('my-flight 7'), ['MYFLIGHT7'])
})

test('digits alone match the number of any airline’s flight', () => {
  assert.equal(bareNumber(' 0909 '), '909')
  assert.equal(bareNumber('0'), '0')
  for (const text of ['', '12345', 'SK909', '9 0']) assert.equal(bareNumber(text), undefined, text)
})

test('easyJet Europe and easyJet Switzerland fly as U2', () => {
  assert.equal(designatorOf({ iata: 'EC', icao: 'EJU' }), 'U2')
  assert.equal(designatorOf({ iata: null, icao: 'EZY' }), 'EZY')
  assert.equal(designatorOf({ iata: null, icao: null }), '')
  assert.equal(isFlownAs({ icao: 'EZS' }, 'U2'), true)
  assert.equal(isFlownAs({ icao: 'EZS' }, 'DS'), false)
  assert.equal(isFlownAs({ icao: null }, 'U2'), false)
})

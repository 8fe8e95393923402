// What a provider adds to a line: only missing values, only for its route, and with the provider's name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LookupRow } from '../draft/lookup.ts'
import { showKeys } from '../testing/svelte-modules.ts'

const { providedOffers } = await import('./provided.ts')

showKeys()

const [CPH, EWR, OSL] = [1, 2, 3]
const row = (fromId: number, toId: number, more: object = {}) =>
  ({
    draft: {
      source: 'aerodatabox',
      from: { id: fromId },
      to: { id: toId },
      departureScheduled: '2027-02-20T12:20:00+01:00',
      arrivalScheduled: '2027-02-21T01:05:00-05:00',
      departure: null,
      arrival: null,
      aircraft: { id: 9, icao: 'A359' },
      aircraftReg: 'OY-KAL',
      ...more,
    },
  }) as unknown as LookupRow

const kinds = (offers: ReturnType<typeof providedOffers>) => offers.map(({ kind }) => kind)

test('everything that the line does not say is offered, with the name of the provider', () => {
  const offers = providedOffers([row(CPH, EWR)], { flightNumber: 'SK909', date: '2027-02-20' })
  assert.deepEqual(kinds(offers), ['route', 'times', 'aircraft', 'registration'])
  assert.deepEqual(offers[1]!.sets, { departure: '12:20', arrival: { time: '01:05', dayShift: 1 } })
  assert.ok(offers.every(({ by }) => by === 'lookup.source.aerodatabox'))
})

test('what was typed is not offered', () => {
  const typed = { fromId: CPH, toId: EWR, departure: '12:00', aircraftId: 8, aircraftReg: 'OY-KBO' }
  assert.deepEqual(providedOffers([row(CPH, EWR)], typed), [])
})

test('of several legs none is offered until the line says which; another route gets nothing', () => {
  const legs = [row(CPH, EWR), row(CPH, OSL)]
  assert.deepEqual(providedOffers(legs, { fromId: CPH }), [])
  assert.deepEqual(kinds(providedOffers(legs, { fromId: CPH, toId: OSL })), [
    'times',
    'aircraft',
    'registration',
  ])
  assert.deepEqual(providedOffers([row(CPH, EWR)], { fromId: OSL }), [])
})

test('actual times come before scheduled ones; half a pair is not offered', () => {
  const actual = { departure: '2027-02-20T12:45:00+01:00', arrival: '2027-02-20T15:30:00-05:00' }
  const found = providedOffers([row(CPH, EWR, actual)], {}).find(({ kind }) => kind === 'times')
  assert.deepEqual(found?.sets, { departure: '12:45', arrival: { time: '15:30', dayShift: 0 } })
  const half = row(CPH, EWR, { arrivalScheduled: null })
  assert.ok(!kinds(providedOffers([half], {})).includes('times'))
})

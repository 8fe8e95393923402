import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flight } from '../api/log.ts'

const { offersOf } = await import('./offers.ts')

const cph = { id: 1, latitude: 55.6, longitude: 12.7 }
const bcn = { id: 2, latitude: 41.3, longitude: 2.1 }

const flight = (id: number, from: object, to: object, date: string, outcome = 'flown'): Flight =>
  ({
    ...{ id, from, to, date, datePrecision: 'day', outcome },
    ...{ departs: null, arrives: null, departureLocal: null, arrivalLocal: null },
  }) as unknown as Flight

/** A week in Barcelona in each of these months, newest first. */
const weeks = (months: readonly string[]): Flight[] =>
  months
    .flatMap((month, i) => [
      flight(2 * i + 1, cph, bcn, `${month}-02`),
      flight(2 * i + 2, bcn, cph, `${month}-09`),
    ])
    .reverse()

const ada = { me: 'ada', homes: new Map([['ada', 1]]), today: '2026-06-15' }
const idsOf = (offers: readonly (readonly Flight[])[]) => offers.map((trip) => trip.map(({ id }) => id))

test('the six newest trips are offered, the newest first', () => {
  const months = ['2025-01', '2025-02', '2025-03', '2025-04', '2025-05', '2025-06', '2025-07']
  const ids = [7, 6, 5, 4, 3, 2].map((nth) => [2 * nth - 1, 2 * nth])
  assert.deepEqual(idsOf(offersOf(weeks(months), [], ada)), ids)
})

test('not those that are in a trip, that are cancelled or that wait to be sent', () => {
  const own = weeks(['2025-01', '2025-02'])
  assert.deepEqual(idsOf(offersOf(own, [{ flightIds: [4, 99] }], ada)), [[1, 2]])
  const cancelled = flight(4, bcn, cph, '2025-02-09', 'cancelled')
  assert.deepEqual(idsOf(offersOf([cancelled, ...own.slice(1)], [], ada)), [[1, 2]])
  const waiting = flight(-1, bcn, cph, '2025-02-09')
  assert.deepEqual(idsOf(offersOf([waiting, ...own.slice(1)], [], ada)), [[1, 2]])
})

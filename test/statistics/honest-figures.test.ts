// Records, shares and averages: on how many flights they are based, and that they are omitted below five.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimatedSeconds } from '../../server/domain/flights/duration.ts'
import { statisticsDocument } from '../../server/domain/statistics/document.ts'
import { FEWEST_FLIGHTS, isEnough } from '../../server/domain/statistics/enough.ts'
import { figuresOf } from '../../server/domain/statistics/figures.ts'
import type { Place, StatFlight } from '../../server/domain/statistics/flights.ts'
import { averageKm } from '../../server/domain/statistics/sums.ts'

const place = (id: number): Place => ({
  id,
  icao: `X${id}`,
  iata: `${id}`,
  name: `A${id}`,
  municipality: null,
  latitude: id,
  longitude: 0,
  country: 'DK',
  continent: 'EU',
})

/** Without times, like most imported flights. */
const imported = (id: number, km: number): StatFlight => ({
  id,
  from: place(1),
  to: place(2 + (id % 7)),
  date: `20${String(10 + (id % 10))}-0${1 + (id % 9)}-11`,
  datePrecision: 'day',
  distanceKm: km,
  duration: estimatedSeconds(km, null),
  durationEstimated: true,
})
const timed = (flight: StatFlight, minutes: number): StatFlight => ({
  ...flight,
  duration: minutes * 60,
  durationEstimated: false,
})

test('longest and shortest flights use estimates where times are unknown', () => {
  const log = Array.from({ length: 301 }, (_, i) => imported(i + 1, i === 7 ? 8720 : 300 + i * 10))
  log[100] = timed(log[100]!, 195)
  log[200] = timed(log[200]!, 145)
  const { records, totals } = figuresOf(log, null)
  assert.deepEqual(
    [records.slowest?.id, records.slowest?.durationEstimated, records.quickest?.id],
    [8, true, 1],
  )
  assert.deepEqual(records.madeOf, { distance: 301, time: 301, date: 301, day: 301, airport: 301 })
  assert.deepEqual([totals.estimatedFlights, totals.measuredFlights], [299, 301])
  // Figures for programs: recorded durations alone, and their number of flights.
  const { longest, shortest, recordFlights } = statisticsDocument(log, null, '2026-01-01')
  assert.deepEqual([longest.byDuration?.id, shortest.byDuration?.id], [101, 201])
  assert.deepEqual(recordFlights, { byDistance: 301, byDuration: 2 })
})

test('a record needs five flights, counted per record', () => {
  const log = Array.from({ length: 5 }, (_, i) => imported(i + 1, 500 + i))
  const held = (flights: readonly StatFlight[]) =>
    Object.entries(figuresOf(flights, null).records)
      .filter(([name, record]) => name !== 'madeOf' && record !== null)
      .map(([name]) => name)
      .sort()
  assert.deepEqual(held(log.slice(1)), [])
  assert.ok(held(log).length >= 8, `${held(log)}`)
  const [one, ...others] = log
  const vague = [{ ...one!, datePrecision: 'month' as const }, ...others]
  assert.ok(!held(vague).includes('longestGap') && held(vague).includes('first'))
  const placeless = [{ ...one!, from: null, to: null, distanceKm: null, duration: null }, ...others]
  assert.deepEqual(held(placeless), ['first', 'latest', 'longestGap'])
  assert.deepEqual(figuresOf(placeless, null).records.madeOf, {
    distance: 4,
    time: 4,
    date: 5,
    day: 5,
    airport: 4,
  })
})

test('an average uses only flights with a known distance', () => {
  const log = Array.from({ length: 5 }, (_, i) => imported(i + 1, 1000))
  const unknown: StatFlight = { ...imported(6, 1000), to: null, distanceKm: null, duration: null }
  assert.equal(averageKm(figuresOf([...log, unknown], null).totals), 1000)
  assert.equal(averageKm(figuresOf([...log.slice(1), unknown], null).totals), null)
  assert.deepEqual([isEnough(FEWEST_FLIGHTS - 1), isEnough(FEWEST_FLIGHTS)], [false, true])
})

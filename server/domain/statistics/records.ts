// Superlatives. On a tie, the first flight holds the record.
import { daysBetween } from '../time/calendar.ts'
import { isEnough } from './enough.ts'
import { compute, type Figure, most } from './figure.ts'
import { type Place, present, type StatFlight } from './flights.ts'
import { departsAt, firstDayOf, lastDayOf } from './in-order.ts'
import { byDay } from './sums.ts'

export interface Records {
  longest: StatFlight | null
  shortest: StatFlight | null
  slowest: StatFlight | null
  quickest: StatFlight | null
  first: StatFlight | null
  latest: StatFlight | null
  busiestDay: { date: string; count: number } | null
  longestGap: { from: string; to: string; days: number } | null
  northernmost: Place | null
  southernmost: Place | null
  madeOf: RecordBasis
}

/** How many flights each record is based on. A flight without the value is left out. */
export interface RecordBasis {
  /** With a distance. */
  distance: number
  /** With a duration, known or estimated. */
  time: number
  date: number
  day: number
  airport: number
}

function extreme<T>(list: readonly T[], value: (item: T) => number | null, sign: 1 | -1): T | null {
  let best: T | null = null
  let record = -Infinity
  for (const item of list) {
    const found = value(item)
    if (found !== null && found * sign > record) {
      record = found * sign
      best = item
    }
  }
  return best
}

function longestGap(dates: readonly string[]): Records['longestGap'] {
  let best: Records['longestGap'] = null
  for (let i = 1; i < dates.length; i++) {
    const [from, to] = [dates[i - 1]!, dates[i]!]
    const days = daysBetween(from, to)
    if (days > (best?.days ?? 1)) best = { from, to, days }
  }
  return best
}

// The first and the latest flight, as far as it is certain: a flight with only a year was before another if that year was
// over, and after another if that year had not begun.

/** Within a day by departure; flights without one first. */
function isBefore(x: StatFlight, y: StatFlight, dayOf: (flight: StatFlight) => number): boolean {
  const [a, b] = [dayOf(x), dayOf(y)]
  return a === b ? departsAt(x) < departsAt(y) : a < b
}

function earlier(best: StatFlight | null, other: StatFlight | null): StatFlight | null {
  if (!other?.date || !best) return other?.date ? other : best
  if (isBefore(other, best, lastDayOf)) return other
  return !isBefore(best, other, lastDayOf) && other.id < best.id ? other : best
}

function later(best: StatFlight | null, other: StatFlight | null): StatFlight | null {
  if (!other?.date || !best) return other?.date ? other : best
  if (isBefore(best, other, firstDayOf)) return other
  return !isBefore(other, best, firstDayOf) && other.id > best.id ? other : best
}

/** A flight that ends where it began is never the longest, the shortest or the quickest. */
const isRoundTrip = ({ from, to }: StatFlight) => from !== null && from.id === to?.id
const lengthOf = (flight: StatFlight) => (isRoundTrip(flight) ? null : flight.distanceKm || null)
const timeOf = ({ duration }: StatFlight) => duration || null
const recordedTimeOf = (flight: StatFlight) => (flight.durationEstimated ? null : timeOf(flight))
const away = (measure: typeof timeOf) => (flight: StatFlight) =>
  isRoundTrip(flight) ? null : measure(flight)
const negative = (measure: typeof timeOf) => (flight: StatFlight) => {
  const value = measure(flight)
  return value === null ? null : -value
}

/** For each record, chooses which of two flights holds it. */
const holders = {
  longest: (a, b) => most(a, b, lengthOf),
  shortest: (a, b) => most(a, b, negative(lengthOf)),
  slowest: (a, b) => most(a, b, timeOf),
  quickest: (a, b) => most(a, b, negative(away(timeOf))),
  recordedSlowest: (a, b) => most(a, b, recordedTimeOf),
  recordedQuickest: (a, b) => most(a, b, negative(away(recordedTimeOf))),
  first: earlier,
  latest: later,
} satisfies Record<string, (best: StatFlight | null, other: StatFlight | null) => StatFlight | null>
type HeldRecords = Record<keyof typeof holders, StatFlight | null>
const recordNames = Object.keys(holders) as (keyof HeldRecords)[]

interface FlightRecords extends HeldRecords {
  flights: { distance: number; recordedTime: number }
}

export const recordsFigure: Figure<FlightRecords, FlightRecords> = {
  start: () => ({
    ...(Object.fromEntries(recordNames.map((name) => [name, null])) as HeldRecords),
    flights: { distance: 0, recordedTime: 0 },
  }),
  add(state, flight) {
    for (const name of recordNames) state[name] = holders[name](state[name], flight)
    if (lengthOf(flight) !== null) state.flights.distance++
    if (recordedTimeOf(flight) !== null) state.flights.recordedTime++
  },
  merge(state, part) {
    for (const name of recordNames) state[name] = holders[name](state[name], part[name])
    state.flights.distance += part.flights.distance
    state.flights.recordedTime += part.flights.recordedTime
  },
  result: (state) => state,
}

/** The value that each record is based on. */
const basisOf: Record<Exclude<keyof Records, 'madeOf'>, keyof RecordBasis> = {
  longest: 'distance',
  shortest: 'distance',
  slowest: 'time',
  quickest: 'time',
  first: 'date',
  latest: 'date',
  busiestDay: 'day',
  longestGap: 'day',
  northernmost: 'airport',
  southernmost: 'airport',
}

/** Leaves out records that are based on too few flights. */
export function statedRecords(all: Records): Records {
  const isStated = (name: string) =>
    name === 'madeOf' || isEnough(all.madeOf[basisOf[name as keyof typeof basisOf]])
  return Object.fromEntries(
    Object.entries(all).map(([name, record]) => [name, isStated(name) ? record : null]),
  ) as unknown as Records
}

/** Estimated durations count: the times of the longest flight in a log are rarely known. */
export function records(flights: readonly StatFlight[]): Records {
  const days = byDay(flights)
  const busiest = extreme(
    [...days].sort(([x], [y]) => (x < y ? -1 : 1)),
    ([, count]) => (count > 1 ? count : null),
    1,
  )
  const airports = flights.flatMap((f) => present(f.from, f.to))
  const { longest, shortest, slowest, quickest, first, latest } = compute(recordsFigure, flights)
  const count = (has: (flight: StatFlight) => unknown) => flights.filter(has).length
  return {
    ...{ longest, shortest, slowest, quickest, first, latest },
    busiestDay: busiest ? { date: busiest[0], count: busiest[1] } : null,
    longestGap: longestGap([...days.keys()].sort()),
    northernmost: extreme(airports, (a) => a.latitude, 1),
    southernmost: extreme(airports, (a) => a.latitude, -1),
    madeOf: {
      distance: count(lengthOf),
      time: count(timeOf),
      date: count(({ date }) => date),
      day: [...days.values()].reduce((sum, flown) => sum + flown, 0),
      airport: count(({ from, to }) => from ?? to),
    },
  }
}

// Superlatives. Of equal flights, the first one holds the record.
import { daysBetween } from '../calendar.ts'
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

// The first and the latest flight, judged by what is certain: one that is only known by its year was before another if
// that year was over, and after another if that year had not begun.

/** Within a day by departure, those without one first. */
function isBefore(x: StatFlight, y: StatFlight, dayOf: (flight: StatFlight) => string): boolean {
  const [a, b] = [dayOf(x), dayOf(y)]
  return a === b ? departsAt(x) < departsAt(y) : a < b
}

function firstOf(flights: readonly StatFlight[]): StatFlight | null {
  let best: StatFlight | null = null
  for (const flight of flights) if (flight.date && (!best || isBefore(flight, best, lastDayOf))) best = flight
  return best
}

function latestOf(flights: readonly StatFlight[]): StatFlight | null {
  let best: StatFlight | null = null
  for (const flight of flights)
    if (flight.date && (!best || !isBefore(flight, best, firstDayOf))) best = flight
  return best
}

/** A flight that ends where it began went nowhere: it is never the shortest, in kilometres or in hours. */
const isRoundTrip = ({ from, to }: StatFlight) => from !== null && from.id === to?.id

export function records(flights: readonly StatFlight[]): Records {
  const away = flights.filter((flight) => !isRoundTrip(flight))
  const moved = (f: StatFlight) => f.distanceKm || null
  const timed = (f: StatFlight) => (f.duration && !f.durationEstimated ? f.duration : null)
  const days = byDay(flights)
  const busiest = extreme(
    [...days].sort(([x], [y]) => (x < y ? -1 : 1)),
    ([, count]) => (count > 1 ? count : null),
    1,
  )
  const airports = flights.flatMap((f) => present(f.from, f.to))
  return {
    longest: extreme(away, moved, 1),
    shortest: extreme(away, moved, -1),
    slowest: extreme(flights, timed, 1),
    quickest: extreme(away, timed, -1),
    first: firstOf(flights),
    latest: latestOf(flights),
    busiestDay: busiest ? { date: busiest[0], count: busiest[1] } : null,
    longestGap: longestGap([...days.keys()].sort()),
    northernmost: extreme(airports, (a) => a.latitude, 1),
    southernmost: extreme(airports, (a) => a.latitude, -1),
  }
}

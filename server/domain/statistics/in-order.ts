// Flights in the order of time, as far as it is certain: one that is only known by its year comes after all others of that
// year. Of equal ones, within a day those without a departure come first, then by id.
import { writtenLength } from '../calendar.ts'
import type { StatFlight } from './flights.ts'

/** The last day that a flight can have been on, as text that sorts; empty without a date. */
export function lastDayOf({ date = '', datePrecision = 'day' }: StatFlight): string {
  const known = date.slice(0, writtenLength[datePrecision])
  return known.length === writtenLength.day ? known : known && `${known}-99`
}

/** The first day that it can have been on. */
export const firstDayOf = ({ date = '', datePrecision = 'day' }: StatFlight): string =>
  date.slice(0, writtenLength[datePrecision])

export const departsAt = ({ departure }: StatFlight): number =>
  departure ? Date.parse(departure) : Number.NEGATIVE_INFINITY

interface Dated {
  flight: StatFlight
  day: string
  departs: number
}

const compare = (x: Dated, y: Dated): number => {
  if (x.day !== y.day) return x.day < y.day ? -1 : 1
  if (x.departs !== y.departs) return x.departs < y.departs ? -1 : 1
  return x.flight.id - y.flight.id
}

/** Only those with a date. */
export const inOrder = (flights: readonly StatFlight[]): StatFlight[] =>
  flights
    .filter(({ date }) => date)
    .map((flight) => ({ flight, day: lastDayOf(flight), departs: departsAt(flight) }))
    .sort(compare)
    .map(({ flight }) => flight)

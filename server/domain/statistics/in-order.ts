// Flights in time order, as far as it is certain: a flight with only a year comes after all others of that year. Within a day,
// flights without a departure come first; then the id decides.
import type { StatFlight, TimeOfFlight } from './flights.ts'

const LAST = 99

/** `20190330`; an unknown month or day gets the given number. A flight without a date comes before all others. */
function dayNumber({ date, datePrecision = 'day' }: StatFlight, unknown: number): number {
  if (!date) return -1
  const month = datePrecision === 'year' ? unknown : Number(date.slice(5, 7))
  const day = datePrecision === 'day' ? Number(date.slice(8, 10)) : unknown
  return Number(date.slice(0, 4)) * 10_000 + month * 100 + day
}

/** The last possible day of a flight, as a number for sorting. */
export const lastDayOf = (flight: StatFlight): number =>
  flight.time ? flight.time.lastDay : dayNumber(flight, LAST)

/** The first possible day of a flight. */
export const firstDayOf = (flight: StatFlight): number =>
  flight.time ? flight.time.firstDay : dayNumber(flight, 0)

export const yearOfDay = (day: number): number => Math.floor(day / 10_000)

export const departsAt = ({ time, departure }: StatFlight): number =>
  time ? time.departs : departure ? Date.parse(departure) : Number.NEGATIVE_INFINITY

/** For flights that are kept in memory, because they are compared again and again. */
export const timeOfFlight = (flight: StatFlight): TimeOfFlight => ({
  firstDay: firstDayOf(flight),
  lastDay: lastDayOf(flight),
  departs: departsAt(flight),
})

export function inTime(x: StatFlight, y: StatFlight): number {
  const day = lastDayOf(x) - lastDayOf(y)
  if (day !== 0) return day
  const departs = departsAt(x)
  const other = departsAt(y)
  if (departs !== other) return departs < other ? -1 : 1
  return x.id - y.id
}

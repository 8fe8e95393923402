// The log along an axis of time: when each flight was, how many there were until a moment, and how the moment moves on.
// Moments are milliseconds of the calendar at the airports, as if it were UTC: a flight belongs to the day in the log.

import type { DatePrecision } from '../../../../server/domain/enums.ts'
import type { Place, StatFlight } from '../../../../server/domain/statistics/flights.ts'
import { type Amount, add, settled, zero } from '../../../../server/domain/statistics/sums.ts'
import { dayStart, daysInMonth, writeDay, writtenDate } from '../../../../server/domain/time/calendar.ts'
import { DAY, MINUTE } from '../../../../server/domain/time/durations.ts'

interface Flown extends Pick<StatFlight, 'id' | 'distanceKm' | 'duration'> {
  from: Omit<Place, 'formerCodes'> | null
  to: Omit<Place, 'formerCodes'> | null
  date: string
  datePrecision: DatePrecision
  departureLocal: string | null
  departs: number | null
  arrives: number | null
}

export interface Timeline<F extends Flown = Flown> {
  /** Oldest first. */
  flights: readonly F[]
  /** The moment of each flight; no two are equal. */
  moments: Float64Array
  /** The axis, in whole years. */
  start: number
  end: number
  /** Where playback ends: the end of the axis, or today in the year that is still going on. */
  last: number
  /** Flights of which only the year or the month is known; they are spread over it. */
  spread: number
  /** Flights per year of the axis. */
  perYear: readonly number[]
}

const NOON = DAY / 2
export const YEAR_MS = 365.2425 * DAY

export const yearOf = (moment: number): number => new Date(moment).getUTCFullYear()
const yearStart = (year: number): number => dayStart(writeDay(year, 1, 1))
const monthStart = (year: number, month: number): number => dayStart(writeDay(year, month, 1))

/** Months since the year 0; January 2001 is 24012. */
export function monthNumber(moment: number): number {
  const date = new Date(moment)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
export const startOfMonth = (number: number): number => monthStart(Math.floor(number / 12), (number % 12) + 1)

/** Completed flights in any order; `now` is an instant. */
export function createTimeline<F extends Flown>(flown: readonly F[], now: number): Timeline<F> {
  const placed = placeOnAxis(flown).sort((a, b) => a.moment - b.moment || a.order - b.order)
  const flights = placed.map(({ flight }) => flight)
  const moments = new Float64Array(placed.length)
  let before = Number.NEGATIVE_INFINITY
  for (const [i, { moment }] of placed.entries()) {
    before = Math.max(moment, before + MINUTE)
    moments[i] = before
  }
  const first = yearOf(moments[0] ?? now)
  const final = yearOf(moments.at(-1) ?? now)
  const perYear = Array.from({ length: final - first + 1 }, () => 0)
  for (const moment of moments) perYear[yearOf(moment) - first]!++
  const [start, end] = [yearStart(first), yearStart(final + 1)]
  return {
    flights,
    moments,
    start,
    end,
    last: Math.min(end, Math.max(now, before)),
    spread: flown.filter(({ datePrecision }) => datePrecision !== 'day').length,
    perYear,
  }
}

interface Placed<F> {
  flight: F
  moment: number
  /** Among flights of one moment: the log has the newest first. */
  order: number
}

function placeOnAxis<F extends Flown>(flown: readonly F[]): Placed<F>[] {
  const vague = new Map<string, Placed<F>[]>()
  const all = flown.map((flight, i): Placed<F> => {
    const placed = { flight, moment: momentOf(flight), order: -i }
    if (flight.datePrecision !== 'day') {
      const period = writtenDate(flight)
      const others = vague.get(period)
      if (others) others.push(placed)
      else vague.set(period, [placed])
    }
    return placed
  })
  for (const [period, members] of vague) spreadOver(period, members)
  return all
}

function momentOf({ date, departureLocal }: Flown): number {
  const time = departureLocal?.slice(11, 16).split(':').map(Number)
  return dayStart(date) + (time?.length === 2 ? (time[0]! * 60 + time[1]!) * MINUTE : NOON)
}

/** A year's flights on its first day would look like a busy January. */
function spreadOver(period: string, members: Placed<Flown>[]): void {
  const [year, month] = period.split('-').map(Number) as [number, number | undefined]
  const start = month === undefined ? yearStart(year) : monthStart(year, month)
  const length = month === undefined ? yearStart(year + 1) - start : daysInMonth(year, month) * DAY
  members.sort((a, b) => a.order - b.order)
  for (const [i, member] of members.entries())
    member.moment = start + Math.floor(((i + 0.5) / members.length) * length)
}

/** How many flights began until this moment, itself included. */
export function countUntil({ moments }: Timeline, moment: number): number {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (moments[middle]! <= moment) low = middle + 1
    else high = middle
  }
  return low
}

/** Indices of the flights of a range: the first, and the one after the last. */
export function rangeOf(timeline: Timeline, from: number, until: number): [number, number] {
  const low = countUntil(timeline, from - 1)
  return [low, Math.max(low, countUntil(timeline, until))]
}

/** A log of one year is divided into months, any other into years: the colours and what fades follow it. */
export function periodsOf(timeline: Timeline): { count: number; of: (moment: number) => number } {
  const years = timeline.perYear.length
  if (years > 1) {
    const first = yearOf(timeline.start)
    return { count: years, of: (moment) => yearOf(moment) - first }
  }
  const first = monthNumber(timeline.start)
  return { count: 12, of: (moment) => monthNumber(moment) - first }
}

/** The moment at which a period begins. */
export function startOfPeriod({ start, perYear }: Timeline, period: number): number {
  return perYear.length > 1 ? yearStart(yearOf(start) + period) : startOfMonth(monthNumber(start) + period)
}

// The moment moves on

/** What a position shows: everything until the end of this month. Exactly at a boundary it is the month before. */
export const shownMonth = ({ start }: Timeline, moment: number): number => Math.max(start, moment - 1)

const EMPTY_IS_FASTER = 4

const speedIn = (timeline: Timeline, year: number, speed: number): number => {
  const isEmpty = timeline.perYear[year - yearOf(timeline.start)] === 0
  return speed * (yearStart(year + 1) - yearStart(year)) * (isEmpty ? EMPTY_IS_FASTER : 1)
}

/** Where playback is after this many seconds, at a speed in years a second. */
export function advance(timeline: Timeline, moment: number, seconds: number, speed: number): number {
  let [at, left] = [moment, seconds]
  while (at < timeline.last) {
    const year = yearOf(at)
    const rate = speedIn(timeline, year, speed)
    const needed = (yearStart(year + 1) - at) / rate
    if (needed > left) return Math.min(timeline.last, at + left * rate)
    at = yearStart(year + 1)
    left -= needed
  }
  return timeline.last
}

/** Seconds that playback takes. */
export function secondsBetween(timeline: Timeline, from: number, until: number, speed: number): number {
  let seconds = 0
  for (let at = from; at < until; ) {
    const year = yearOf(at)
    const next = Math.min(until, yearStart(year + 1))
    seconds += (next - at) / speedIn(timeline, year, speed)
    at = next
  }
  return seconds
}

const within = (timeline: Timeline, moment: number): number =>
  Math.min(timeline.last, Math.max(timeline.start, moment))

/** To the next or previous boundary of a month or a year. */
export function step(timeline: Timeline, moment: number, by: 1 | -1, unit: 'month' | 'year'): number {
  const months = unit === 'month' ? 1 : 12
  const number = unit === 'month' ? monthNumber(moment) : yearOf(moment) * 12
  const boundary = startOfMonth(number)
  if (by > 0) return within(timeline, startOfMonth(number + months))
  return within(timeline, boundary < moment ? boundary : startOfMonth(number - months))
}

// The flight of the moment

export interface Present {
  index: number
  /** How far it has come, 0 to 1. */
  share: number
}

/** A plane needs a while to be seen, however short the flight is on the axis. */
export const planeTime = (speed: number): number => Math.min(0.5, 0.7 * speed) * YEAR_MS

function timeFor({ moments }: Timeline, index: number, atMost: number): number {
  const next = moments[index + 1]
  return next === undefined ? atMost : Math.min(atMost, next - moments[index]!)
}

/** The latest flight, until the next one begins or its plane has arrived. At the end the whole log is seen, without a plane. */
export function presentAt(timeline: Timeline, from: number, moment: number, atMost: number): Present | null {
  const index = countUntil(timeline, moment) - 1
  const begun = timeline.moments[index]
  if (begun === undefined || begun < from || moment >= timeline.last) return null
  const share = (moment - begun) / timeFor(timeline, index, atMost)
  return share < 1 ? { index, share } : null
}

/** The moment at which a flight is half-way. */
export const halfWay = (timeline: Timeline, index: number, atMost: number): number =>
  timeline.moments[index]! + Math.floor(timeFor(timeline, index, atMost) / 2 / MINUTE) * MINUTE

/** The flight after or before the moment; undefined where there is none. */
export function neighbour(
  timeline: Timeline,
  moment: number,
  by: 1 | -1,
  atMost: number,
): number | undefined {
  const begun = countUntil(timeline, moment)
  const isUnderWay = presentAt(timeline, timeline.start, moment, atMost) !== null
  const index = by > 0 ? begun : begun - (isUnderWay ? 2 : 1)
  return timeline.flights[index] && index
}

/** The instant that day and night are shown for: of the flight if its time is known, else noon of its day. */
export function instantOf({ date, departs, arrives }: Flown, share: number): number {
  if (departs === null) return dayStart(date) + NOON
  return departs + share * Math.max(0, (arrives ?? departs) - departs)
}

// Figures

export interface Figures {
  flights: number
  distanceKm: number
  airports: number
  countries: number
}

/** The figures of a range. Moving forward adds only what is new; the sums are those of the statistics. */
export class Tally {
  private readonly timeline: Timeline
  private low = 0
  private high = 0
  private amount: Amount = zero()
  private readonly airports = new Set<number>()
  private readonly countries = new Set<string>()

  constructor(timeline: Timeline) {
    this.timeline = timeline
  }

  of(low: number, high: number): Figures {
    if (low !== this.low || high < this.high) this.restart(low)
    for (; this.high < high; this.high++) this.add(this.timeline.flights[this.high]!)
    return {
      flights: this.amount.count,
      distanceKm: settled(this.amount.distanceKm),
      airports: this.airports.size,
      countries: this.countries.size,
    }
  }

  private restart(low: number): void {
    this.low = low
    this.high = low
    this.amount = zero()
    this.airports.clear()
    this.countries.clear()
  }

  private add(flight: Flown): void {
    add(this.amount, flight)
    for (const airport of [flight.from, flight.to]) {
      if (!airport) continue
      this.airports.add(airport.id)
      this.countries.add(airport.country)
    }
  }
}

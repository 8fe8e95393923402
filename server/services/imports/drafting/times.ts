// Converts the eight times of a flight from a file's clock times to date-times at the airports. Pure: the airports are given.

import type { AircraftClass, DatePrecision } from '../../../domain/enums.ts'
import { estimatedSeconds } from '../../../domain/flights/duration.ts'
import { type TimeField, timeFields } from '../../../domain/flights/fields.ts'
import type { ImportWarning, ImportWarningCode } from '../../../domain/imports/imports.ts'
import { addDays } from '../../../domain/time/calendar.ts'
import { DAY, MINUTE, SECOND } from '../../../domain/time/durations.ts'
import {
  findReadings,
  formatInZone,
  instantOf,
  isDateTime,
  isLocalTime,
  localDate,
  readingsOf,
  timeZoneNamed,
} from '../../../domain/time/time.ts'
import type { SourceDate, SourceFlight, SourceTime } from '../reading/source.ts'

/** Durations that differ by no more than this are equal. */
const AGREE = 2 * MINUTE

interface TimesInput {
  flight: SourceFlight
  /** Time zones of the airports; null if unknown. */
  fromZone: string | null
  toZone: string | null
  /** The zone of the planned destination, if the flight was diverted. */
  plannedZone: string | null
  distanceKm: number | null
  aircraftClass: AircraftClass | null
  /** Whether times without a zone are UTC; undefined if not decided. */
  timesAreUtc: boolean | undefined
}

export interface TimesRead {
  /** Null if there is neither a date nor a departure. */
  date: string | null
  datePrecision: DatePrecision
  times: Record<TimeField, string | null>
  duration: number | null
  warnings: ImportWarning[]
  /** Whether the person must be asked if the times are UTC. */
  asksZone: boolean
}

const empty = Object.fromEntries(timeFields.map((field) => [field, null])) as Record<TimeField, null>
const noTimes = (): Record<TimeField, string | null> => ({ ...empty })

/** A clock time at a place. Two instants if the clocks showed it twice. */
interface Reading {
  instants: readonly number[]
  zone: string
  isMoved: boolean
  /** The text to store unchanged. */
  exact?: string
}

export function readTimes(given: TimesInput): TimesRead {
  const input = meansLocal(given) ? { ...given, flight: asLocal(given.flight) } : given
  const { flight } = input
  const asksZone =
    input.timesAreUtc === undefined && timeFields.some((name) => flight[name]?.zone === 'asked')
  const reader = new TimeReader(input)
  if (flight.verbatim && !flight.hasTypedClock) return { ...verbatimTimes(input, reader), asksZone: false }
  const precision = isRead(flight.date) ? flight.date.precision : 'day'
  if (precision !== 'day') return { ...withoutTimes(flight, precision), asksZone: false }
  reader.read()
  const { warnings, ...result } = reader.result()
  const local: ImportWarning[] = input === given ? [] : [{ code: 'floating_time', field: 'departure' }]
  return { ...result, warnings: [...local, ...warnings], asksZone }
}

/** Some senders write `Z` after local times. Assumes that if only then the flight has a plausible duration. */
function meansLocal({ flight, fromZone, toZone, distanceKm, aircraftClass }: TimesInput): boolean {
  const { departure, arrival } = flight
  if (!departure?.mayBeLocal || !arrival?.mayBeLocal || !fromZone || !toZone || distanceKm === null)
    return false
  if (!isRead(departure.date) || !isRead(arrival.date)) return false
  const [start, end] = [`${departure.date.iso}T${departure.clock}`, `${arrival.date.iso}T${arrival.clock}`]
  if (!isLocalTime(start) || !isLocalTime(end)) return false
  const expected = estimatedSeconds(distanceKm, aircraftClass) * SECOND
  const isPlausible = (length: number) =>
    length > 0.8 * expected - 15 * MINUTE && length < 1.5 * expected + 45 * MINUTE
  const local = readingsOf(end, toZone).instants[0]! - readingsOf(start, fromZone).instants[0]!
  return !isPlausible(instantOf(`${end}Z`) - instantOf(`${start}Z`)) && isPlausible(local)
}

function asLocal(flight: SourceFlight): SourceFlight {
  const local = { ...flight }
  for (const name of timeFields) {
    const time = flight[name]
    if (time?.mayBeLocal) local[name] = { ...time, zone: 'local' }
  }
  return local
}

const isRead = (date: SourceDate | null | undefined): date is { iso: string; precision: DatePrecision } =>
  date !== null && date !== undefined && 'iso' in date

/** A flight whose date has only a month or a year has no clock times. */
function withoutTimes(flight: SourceFlight, datePrecision: DatePrecision) {
  const dropped = timeFields.filter((name) => flight[name])
  return {
    date: isRead(flight.date) ? flight.date.iso : null,
    datePrecision,
    times: noTimes(),
    duration: flight.duration ?? null,
    warnings: dropped.slice(0, 1).map((field): ImportWarning => ({ code: 'times_dropped', field })),
  }
}

/** The unchanged times of our own export. */
function verbatimTimes({ flight }: TimesInput, reader: TimeReader) {
  const times = noTimes()
  for (const name of timeFields) times[name] = reader.plain(name)
  const date = isRead(flight.date) ? flight.date : null
  return {
    date: date?.iso ?? times.departure?.slice(0, 10) ?? null,
    datePrecision: date?.precision ?? ('day' as const),
    times,
    duration: flight.duration ?? null,
    warnings: [],
  }
}

/** Departures with their arrivals. */
const pairs = [
  ['departure', 'arrival'],
  ['departureScheduled', 'arrivalScheduled'],
  ['takeoffScheduled', 'landingScheduled'],
  ['takeoffActual', 'landingActual'],
] as const satisfies readonly (readonly [TimeField, TimeField])[]
const [, ...otherPairs] = pairs

const isDeparting: Record<TimeField, boolean> = {
  departure: true,
  arrival: false,
  departureScheduled: true,
  arrivalScheduled: false,
  takeoffScheduled: true,
  landingScheduled: false,
  takeoffActual: true,
  landingActual: false,
}

interface Arrival {
  reading: Reading
  start: number
  end: number
  /** The duration matches the source's. */
  isStated: boolean
}

/** Created for every row. A class, because creating closures would cost more than the work itself. */
class TimeReader {
  readonly #input: TimesInput
  readonly #warnings: ImportWarning[] = []
  readonly #chosen: Partial<Record<TimeField, { instant: number; reading: Reading }>> = {}
  readonly #stated: number | null
  readonly #agree: number
  readonly #expected: number | null
  /** The day of the flight. */
  readonly #day: string | null

  constructor(input: TimesInput) {
    const { flight, distanceKm, aircraftClass } = input
    this.#input = input
    this.#stated = flight.duration ? flight.duration * SECOND : null
    this.#agree = AGREE + ((flight.durationStep ?? 0) / 2) * SECOND
    this.#expected = distanceKm === null ? null : estimatedSeconds(distanceKm, aircraftClass) * SECOND
    this.#day = isRead(flight.date) ? flight.date.iso : null
  }

  /** A single time, for values that are stored unchanged. */
  plain(name: TimeField): string | null {
    const time = this.#input.flight[name]
    const day = this.#day
    const reading = this.#dated(name) ?? (time && day !== null ? this.#readOn(time, name, day) : null)
    return reading ? (reading.exact ?? formatInZone(reading.instants[0]!, reading.zone)) : null
  }

  read(): void {
    const { flight } = this.#input
    this.#readMain()
    for (const pair of otherPairs) if (flight[pair[0]] || flight[pair[1]]) this.#readOther(pair)
  }

  result() {
    const times = noTimes()
    for (const name of timeFields) if (this.#chosen[name]) times[name] = this.#write(name)
    const { departure, arrival } = this.#chosen
    const flown = departure && arrival ? Math.round((arrival.instant - departure.instant) / SECOND) : null
    const duration = flown ?? this.#input.flight.duration ?? null
    return { date: this.#date(), datePrecision: 'day' as const, times, duration, warnings: this.#warnings }
  }

  #warn(code: ImportWarningCode, field: TimeField | 'duration', value?: string): void {
    this.#warnings.push(value === undefined ? { code, field } : { code, field, value })
  }

  #placeOf(name: TimeField): string | null {
    const { fromZone, toZone, plannedZone } = this.#input
    if (isDeparting[name]) return fromZone
    return name === 'arrivalScheduled' || name === 'landingScheduled' ? (plannedZone ?? toZone) : toZone
  }

  /** The zone of the clock; null if unknown. */
  #clockZone(time: SourceTime, place: string | null): string | null {
    const zone = time.zone === 'asked' ? (this.#input.timesAreUtc ? 'utc' : 'local') : time.zone
    if (zone === 'local') return place
    return isFixed(zone) ? zone : (timeZoneNamed(zone) ?? place)
  }

  #readOn(time: SourceTime, name: TimeField, date: string): Reading | null {
    const place = this.#placeOf(name)
    const zone = this.#clockZone(time, place)
    if (zone === null) return null
    const local = time.clock === '24:00' ? `${addDays(date, 1)}T00:00` : `${date}T${time.clock}`
    if (isFixed(zone)) {
      const text = `${local}${zone === 'utc' ? 'Z' : zone}`
      if (!isLocalTime(local) || !isDateTime(text)) return null
      return { instants: [instantOf(text)], zone: place ?? 'Etc/UTC', isMoved: false }
    }
    const readings = findReadings(local, zone)
    return readings && { instants: readings.instants, zone: place ?? zone, isMoved: readings.isMoved }
  }

  #exactly(name: TimeField): Reading | null {
    const exact = this.#input.flight[name]?.exact
    if (exact === undefined || !isDateTime(exact)) return null
    return { instants: [instantOf(exact)], zone: this.#placeOf(name) ?? 'Etc/UTC', isMoved: false, exact }
  }

  /** The time with its own date. */
  #dated(name: TimeField): Reading | null {
    const time = this.#input.flight[name]
    if (!time) return null
    return this.#exactly(name) ?? (isRead(time.date) ? this.#readOn(time, name, time.date.iso) : null)
  }

  /** The reading on the day on which this clock time is nearest to an instant. */
  #nearestTo(time: SourceTime, name: TimeField, instant: number): Reading | null {
    const zone = this.#clockZone(time, this.#placeOf(name))
    if (zone === null) return null
    const middle = localDate(instant, isFixed(zone) ? 'Etc/UTC' : zone)
    let best: Reading | null = null
    for (const shift of nearestFirst) {
      const reading = this.#readOn(time, name, shift === 0 ? middle : addDays(middle, shift))
      if (!reading) continue
      if (!best || apart(reading, instant) < apart(best, instant)) best = reading
      // Within half a day, no other day can be nearer.
      if (apart(best, instant) <= DAY / 2) break
    }
    return best
  }

  /** A departure without its own date is on the day of the flight at the origin, or near another departure. */
  #departing(name: TimeField, near: number | null): Reading | null {
    const { flight, fromZone } = this.#input
    const day = this.#day
    const time = flight[name]
    const own = this.#dated(name)
    if (!time || own) return own
    if (near !== null) return this.#nearestTo(time, name, near)
    if (day === null) return null
    const reading = this.#readOn(time, name, day)
    if (!reading || fromZone === null) return reading
    // A clock time in a zone other than the airport's may be on the previous or the next day.
    const shown = localDate(reading.instants[0]!, fromZone)
    if (shown === day || time.clock === '24:00') return reading
    return this.#readOn(time, name, addDays(day, shown < day ? 1 : -1))
  }

  #choose(name: TimeField, reading: Reading, instant: number, isSettled: boolean): void {
    const clock = this.#input.flight[name]?.clock
    this.#chosen[name] = { instant, reading }
    if (reading.isMoved) this.#warn('local_time_missing', name, clock)
    if (reading.instants.length > 1 && !isSettled) this.#warn('local_time_ambiguous', name, clock)
  }

  /** Departure and arrival of the flight. */
  #readMain() {
    const { flight, fromZone, toZone } = this.#input
    const { departure, arrival } = withoutEmptyTimes(flight)
    const start = departure ? this.#departing('departure', null) : null
    // Until the airport is known, its times cannot be interpreted.
    if (departure && !start && fromZone === null) return
    if (departure && !start) this.#warn('times_dropped', 'departure', departure.clock)
    if (!start) return this.#readLoneArrival(arrival)
    if (!arrival) return this.#arriveAfter(start, departure!)
    const found = this.#arrivalOf(start, arrival, 'arrival', this.#day)
    if (departure!.doubtful && !found?.isStated) return this.#readLoneArrival(arrival)
    if (arrival.doubtful && !found?.isStated) return this.#arriveAfter(start, departure!)
    if (!found) {
      this.#choose('departure', start, start.instants[0]!, false)
      if (toZone !== null) this.#warn('times_dropped', 'arrival', arrival.clock)
      return
    }
    this.#choose('departure', start, found.start, found.isStated)
    this.#choose('arrival', found.reading, found.end, found.isStated)
    if (this.#stated !== null && !found.isStated) this.#warn('duration_disagrees', 'duration')
  }

  #arriveAfter(start: Reading, departure: SourceTime): void {
    if (departure.doubtful) return
    const { toZone } = this.#input
    const [instant] = start.instants
    this.#choose('departure', start, instant!, false)
    if (this.#stated === null || toZone === null) return
    const end = instant! + this.#stated
    this.#chosen.arrival = { instant: end, reading: { instants: [end], zone: toZone, isMoved: false } }
    this.#warn('arrival_from_duration', 'arrival')
  }

  /** An arrival without a departure only has a day if the source has one. */
  #readLoneArrival(arrival: SourceTime | null): void {
    if (!arrival || arrival.doubtful) return
    const reading = this.#dated('arrival')
    if (reading) this.#choose('arrival', reading, reading.instants[0]!, false)
    else if (this.#input.toZone !== null) this.#warn('times_dropped', 'arrival', arrival.clock)
  }

  /** The arrival on the day that fits best. */
  #arrivalOf(start: Reading, time: SourceTime, name: TimeField, date: string | null): Arrival | null {
    const [stated, first] = [this.#stated, start.instants[0]!]
    const own = this.#dated(name) ?? this.#shiftedBy(start, time, name, date)
    if (own) {
      const fitting = this.#fits(start, own, 'any')
      if (fitting) return fitting
      if (own.exact) return null
    }
    // The source's day is wrong by at most one.
    const isNear = (reading: Reading) => !own || apart(own, reading.instants[0]!) <= 1.1 * DAY
    const asStated = stated === null ? null : this.#nearestTo(time, name, first + stated)
    const agreeing = asStated && isNear(asStated) ? this.#fits(start, asStated, 'stated') : null
    if (agreeing) return agreeing
    const likely = this.#nearestTo(time, name, first + (this.#expected ?? stated ?? DAY / 4))
    if (!likely) return null
    const best =
      this.#fits(start, likely, 'later') ??
      this.#fits(start, this.#nearestTo(time, name, likely.instants[0]! + DAY), 'later')
    if (!best || !isNear(best.reading)) return null
    const written = own ?? (date === null ? null : this.#readOn(time, name, date))
    return this.#isUnlikelyMove(start, best, written) ? null : best
  }

  /**
   * As written, the arrival is before the departure, and on the next day the flight would take far longer or shorter than usual:
   * then the clock time is wrong, and not the day.
   */
  #isUnlikelyMove(start: Reading, moved: Arrival, written: Reading | null): boolean {
    const expected = this.#expected
    // A flight that ends where it began has no usual duration.
    if (!written || expected === null || this.#input.distanceKm === 0) return false
    const [departs, arrives] = [start.instants[0]!, written.instants[0]!]
    if (arrives >= departs || moved.end - arrives < DAY / 2) return false
    const took = moved.end - moved.start
    return took > 2 * expected || took < expected / 2
  }

  #shiftedBy(start: Reading, time: SourceTime, name: TimeField, date: string | null): Reading | null {
    if (time.dayShift === undefined) return null
    const from = date ?? localDate(start.instants[0]!, start.zone)
    return this.#readOn(time, name, addDays(from, time.dayShift))
  }

  /**
   * The readings of departure and arrival that match the stated duration, or the earliest. Null if the arrival would be before
   * the departure, or if the duration must match and does not.
   */
  #fits(start: Reading, end: Reading | null, rule: 'any' | 'later' | 'stated'): Arrival | null {
    if (!end) return null
    let earliest: Arrival | null = null
    for (const from of start.instants) {
      for (const to of end.instants) {
        if (rule === 'any' ? to < from : to <= from) continue
        if (this.#stated !== null && Math.abs(to - from - this.#stated) <= this.#agree)
          return { reading: end, start: from, end: to, isStated: true }
        earliest ??= { reading: end, start: from, end: to, isStated: false }
      }
    }
    return rule === 'stated' ? null : earliest
  }

  /** Scheduled and runway times depend on the departure and arrival. */
  #readOther([first, last]: (typeof pairs)[number]): void {
    const chosen = this.#chosen
    const near = chosen.departure?.instant ?? chosen.departureScheduled?.instant ?? null
    const start = this.#departing(first, near)
    const time = this.#input.flight[last]
    if (!time) {
      if (start) this.#choose(first, start, start.instants[0]!, false)
      return
    }
    const end =
      this.#dated(last) ?? (chosen.arrival ? this.#nearestTo(time, last, chosen.arrival.instant) : null)
    if (!start) {
      if (end) this.#choose(last, end, end.instants[0]!, false)
      else if (this.#placeOf(last) !== null) this.#warn('times_dropped', last, time.clock)
      return
    }
    const found = (end && this.#fits(start, end, 'any')) ?? this.#arrivalOf(start, time, last, this.#day)
    if (found) {
      this.#choose(first, start, found.start, found.isStated)
      this.#choose(last, found.reading, found.end, found.isStated)
      return
    }
    this.#choose(first, start, start.instants[0]!, false)
    if (this.#placeOf(last) !== null) this.#warn('times_dropped', last, time.clock)
  }

  #write(name: TimeField): string | null {
    const time = this.#chosen[name]
    return time ? (time.reading.exact ?? formatInZone(time.instant, time.reading.zone)) : null
  }

  #recordedDate(): string | null {
    const { date = null, clock } = this.#input.flight.recordedAt ?? {}
    if (!isRead(date)) return null
    return localDate(instantOf(`${date.iso}T${clock}Z`), this.#input.fromZone ?? 'Etc/UTC')
  }

  #date(): string | null {
    const { flight } = this.#input
    if (this.#day !== null) return this.#day
    for (const field of datedBy) {
      const time = this.#chosen[field]
      if (time) return localDate(time.instant, time.reading.zone)
    }
    // The airport is not known yet, so the date is used as written.
    const written = flight.departure?.date ?? flight.departureScheduled?.date ?? flight.takeoffActual?.date
    return isRead(written) ? written.iso : this.#recordedDate()
  }
}

/** The times that give the day of a flight without a date, in order. */
const datedBy = ['departureScheduled', 'departure', 'takeoffScheduled', 'takeoffActual'] as const
const nearestFirst = [0, -1, 1] as const

/** UTC or an offset, not a zone. */
const isFixed = (zone: string): boolean => zone === 'utc' || /^[+-]\d/.test(zone)

function apart({ instants }: Reading, instant: number): number {
  let least = Number.POSITIVE_INFINITY
  for (const other of instants) least = Math.min(least, Math.abs(other - instant))
  return least
}

/** If a source writes 00:00 for missing times, two such times together are missing. */
function withoutEmptyTimes({ departure = null, arrival = null }: SourceFlight): {
  departure: SourceTime | null
  arrival: SourceTime | null
} {
  const isEmpty = (departure?.doubtful ?? !departure) && (arrival?.doubtful ?? !arrival)
  return isEmpty ? { departure: null, arrival: null } : { departure, arrival }
}

// The eight times of a flight, from clocks as a file has them to date-times at the airports. Pure: the airports are known here.
import { addDays } from '../domain/calendar.ts'
import type { AircraftClass, DatePrecision } from '../domain/enums.ts'
import { estimatedSeconds } from '../domain/flight-duration.ts'
import { type TimeField, timeFields } from '../domain/flight-fields.ts'
import type { ImportWarning, ImportWarningCode } from '../domain/imports.ts'
import {
  formatInZone,
  instantOf,
  isDateTime,
  isLocalTime,
  localDate,
  readingsOf,
  timeZoneNamed,
} from '../domain/time.ts'
import type { SourceDate, SourceFlight, SourceTime } from './source.ts'

const SECOND = 1000
const MINUTE = 60_000
const DAY = 86_400_000
/** Two durations that differ by no more are the same. */
const AGREE = 2 * MINUTE

interface TimesInput {
  flight: SourceFlight
  /** Zones of the airports; null: not known. */
  fromZone: string | null
  toZone: string | null
  /** Where the flight was to land, if that was elsewhere. */
  plannedZone: string | null
  distanceKm: number | null
  aircraftClass: AircraftClass | null
  /** What times of which the source does not say it are. */
  timesAreUtc: boolean | undefined
}

export interface TimesRead {
  /** Null: there is none, neither a date nor a departure. */
  date: string | null
  datePrecision: DatePrecision
  times: Record<TimeField, string | null>
  duration: number | null
  warnings: ImportWarning[]
  /** Whether it must be asked if the times are UTC. */
  asksZone: boolean
}

const noTimes = () =>
  Object.fromEntries(timeFields.map((field) => [field, null])) as Record<TimeField, string | null>

/** A clock at a place. Two instants if the clocks showed it twice. */
interface Reading {
  instants: readonly number[]
  zone: string
  isMoved: boolean
  /** To be stored as it is written. */
  exact?: string
}

export function readTimes(given: TimesInput): TimesRead {
  const input = meansLocal(given) ? { ...given, flight: asLocal(given.flight) } : given
  const { flight } = input
  const asksZone =
    input.timesAreUtc === undefined && timeFields.some((name) => flight[name]?.zone === 'asked')
  const reader = createTimeReader(input)
  if (flight.verbatim) return { ...verbatimTimes(input, reader), asksZone: false }
  const precision = isRead(flight.date) ? flight.date.precision : 'day'
  if (precision !== 'day') return { ...withoutTimes(flight, precision), asksZone: false }
  reader.read()
  const { warnings, ...result } = reader.result()
  const local: ImportWarning[] = input === given ? [] : [{ code: 'floating_time', field: 'departure' }]
  return { ...result, warnings: [...local, ...warnings], asksZone }
}

/** Some senders write `Z` after the airport's clock: so it is if only that makes a flight of a plausible length. */
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

/** A flight of a month or a year has no clock times. */
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

/** As our own export has them: nothing is derived. */
function verbatimTimes({ flight }: TimesInput, reader: ReturnType<typeof createTimeReader>) {
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

/** Each departure with its arrival. */
const pairs = [
  ['departure', 'arrival'],
  ['departureScheduled', 'arrivalScheduled'],
  ['takeoffScheduled', 'landingScheduled'],
  ['takeoffActual', 'landingActual'],
] as const satisfies readonly (readonly [TimeField, TimeField])[]

function createTimeReader(input: TimesInput) {
  const { flight, fromZone, toZone, plannedZone } = input
  const warnings: ImportWarning[] = []
  const chosen: Partial<Record<TimeField, { instant: number; reading: Reading }>> = {}
  const stated = flight.duration ? flight.duration * SECOND : null
  const agree = AGREE + ((flight.durationStep ?? 0) / 2) * SECOND
  const expected =
    input.distanceKm === null ? null : estimatedSeconds(input.distanceKm, input.aircraftClass) * SECOND
  const day = isRead(flight.date) ? flight.date.iso : null

  const warn = (code: ImportWarningCode, field: TimeField | 'duration', value?: string) =>
    warnings.push(value === undefined ? { code, field } : { code, field, value })

  const isPlanned = (name: TimeField) => name === 'arrivalScheduled' || name === 'landingScheduled'
  const isDeparting = (name: TimeField) => pairs.some(([first]) => first === name)
  const placeOf = (name: TimeField): string | null =>
    isDeparting(name) ? fromZone : isPlanned(name) ? (plannedZone ?? toZone) : toZone

  /** The zone of the clock itself; null if it is not known. */
  const clockZone = (time: SourceTime, place: string | null): string | null => {
    const zone = time.zone === 'asked' ? (input.timesAreUtc ? 'utc' : 'local') : time.zone
    if (zone === 'local') return place
    if (zone === 'utc' || /^[+-]\d/.test(zone)) return zone
    return timeZoneNamed(zone) ?? place
  }

  const readOn = (time: SourceTime, name: TimeField, date: string): Reading | null => {
    const place = placeOf(name)
    const zone = clockZone(time, place)
    if (zone === null) return null
    const shownIn = place ?? (zone === 'utc' || /^[+-]/.test(zone) ? 'Etc/UTC' : zone)
    const local = time.clock === '24:00' ? `${addDays(date, 1)}T00:00` : `${date}T${time.clock}`
    if (!isLocalTime(local)) return null
    if (zone === 'utc' || /^[+-]/.test(zone)) {
      const text = `${local}${zone === 'utc' ? 'Z' : zone}`
      return isDateTime(text) ? { instants: [instantOf(text)], zone: shownIn, isMoved: false } : null
    }
    const { instants, isMoved } = readingsOf(local, zone)
    return { instants, zone: shownIn, isMoved }
  }

  const exactly = (name: TimeField): Reading | null => {
    const exact = flight[name]?.exact
    if (exact === undefined || !isDateTime(exact)) return null
    return { instants: [instantOf(exact)], zone: placeOf(name) ?? 'Etc/UTC', isMoved: false, exact }
  }

  /** With the date that it has itself. */
  const dated = (name: TimeField): Reading | null => {
    const time = flight[name]
    if (!time) return null
    return exactly(name) ?? (isRead(time.date) ? readOn(time, name, time.date.iso) : null)
  }

  /** The day on which this clock is nearest to an instant. */
  const nearestTo = (time: SourceTime, name: TimeField, instant: number): Reading | null => {
    const zone = clockZone(time, placeOf(name))
    if (zone === null) return null
    const around = zone === 'utc' || /^[+-]/.test(zone) ? 'Etc/UTC' : zone
    const middle = localDate(instant, around)
    let best: Reading | null = null
    for (const shift of [0, -1, 1]) {
      const reading = readOn(time, name, addDays(middle, shift))
      if (!reading) continue
      if (!best || apart(reading, instant) < apart(best, instant)) best = reading
      // Nothing is nearer than half a day.
      if (apart(best, instant) <= DAY / 2) break
    }
    return best
  }

  /** A departure without a date of its own: on the day of the flight at the origin, or near another departure. */
  const departing = (name: TimeField, near: number | null): Reading | null => {
    const time = flight[name]
    const own = dated(name)
    if (!time || own) return own
    if (near !== null) return nearestTo(time, name, near)
    if (day === null) return null
    const reading = readOn(time, name, day)
    if (!reading || fromZone === null) return reading
    // A clock in another zone than the airport's can belong to the day before or after.
    const shown = localDate(reading.instants[0]!, fromZone)
    if (shown === day || time.clock === '24:00') return reading
    return readOn(time, name, addDays(day, shown < day ? 1 : -1))
  }

  const choose = (name: TimeField, reading: Reading, instant: number, isSettled: boolean) => {
    chosen[name] = { instant, reading }
    if (reading.isMoved) warn('local_time_missing', name, flight[name]?.clock)
    if (reading.instants.length > 1 && !isSettled) warn('local_time_ambiguous', name, flight[name]?.clock)
  }

  /** Both ends of the flight itself. */
  const readMain = () => {
    const { departure, arrival } = withoutEmptyTimes(flight)
    const start = departure ? departing('departure', null) : null
    // Until the airport is known there is nothing to say about its times.
    if (departure && !start && fromZone === null) return
    if (departure && !start) warn('times_dropped', 'departure', departure.clock)
    if (!start) return readLoneArrival(arrival)
    if (!arrival) return arriveAfter(start, departure!)
    const found = arrivalOf(start, arrival, 'arrival', day)
    if (departure!.doubtful && !found?.isStated) return readLoneArrival(arrival)
    if (arrival.doubtful && !found?.isStated) return arriveAfter(start, departure!)
    if (!found) {
      if (toZone === null) choose('departure', start, start.instants[0]!, false)
      else warn('times_dropped', 'departure')
      return
    }
    choose('departure', start, found.start, found.isStated)
    choose('arrival', found.reading, found.end, found.isStated)
    if (stated !== null && !found.isStated) warn('duration_disagrees', 'duration')
  }

  const arriveAfter = (start: Reading, departure: SourceTime) => {
    if (departure.doubtful) return
    const [instant] = start.instants
    choose('departure', start, instant!, false)
    if (stated === null || toZone === null) return
    chosen.arrival = {
      instant: instant! + stated,
      reading: { instants: [instant! + stated], zone: toZone, isMoved: false },
    }
    warn('arrival_from_duration', 'arrival')
  }

  /** An arrival without a departure has a day only if the source says so. */
  const readLoneArrival = (arrival: SourceTime | null) => {
    if (!arrival || arrival.doubtful) return
    const reading = dated('arrival')
    if (reading) choose('arrival', reading, reading.instants[0]!, false)
    else if (toZone !== null) warn('times_dropped', 'arrival', arrival.clock)
  }

  interface Arrival {
    reading: Reading
    start: number
    end: number
    /** It took as long as the source says. */
    isStated: boolean
  }

  /** The day of the arrival that fits best. */
  const arrivalOf = (
    start: Reading,
    time: SourceTime,
    name: TimeField,
    date: string | null,
  ): Arrival | null => {
    const own = dated(name) ?? shiftedBy(start, time, name, date)
    const target = (length: number) => start.instants[0]! + length
    if (own) {
      const fitting = fits(start, own, 'any')
      if (fitting) return fitting
      if (own.exact) return null
    }
    // The source's own day is wrong by one at most.
    const isNear = (reading: Reading) => !own || apart(own, reading.instants[0]!) <= 1.1 * DAY
    const asStated = stated === null ? null : nearestTo(time, name, target(stated))
    const agreeing = asStated && isNear(asStated) ? fits(start, asStated, 'stated') : null
    if (agreeing) return agreeing
    const likely = nearestTo(time, name, target(expected ?? stated ?? DAY / 4))
    if (!likely) return null
    const best =
      fits(start, likely, 'later') ?? fits(start, nearestTo(time, name, likely.instants[0]! + DAY), 'later')
    return best && isNear(best.reading) ? best : null
  }

  const shiftedBy = (start: Reading, time: SourceTime, name: TimeField, date: string | null) => {
    if (time.dayShift === undefined) return null
    const from = date ?? localDate(start.instants[0]!, start.zone)
    return readOn(time, name, addDays(from, time.dayShift))
  }

  /**
   * The readings of both ends that agree with the duration, else the earliest. Null if it would arrive before it departs, or
   * if it must be as long as stated and is not.
   */
  const fits = (start: Reading, end: Reading | null, rule: 'any' | 'later' | 'stated'): Arrival | null => {
    if (!end) return null
    const both = start.instants.flatMap((from) => end.instants.map((to) => ({ start: from, end: to })))
    const forward = both.filter((pair) => (rule === 'any' ? pair.end >= pair.start : pair.end > pair.start))
    const isStated = (pair: { start: number; end: number }) =>
      stated !== null && Math.abs(pair.end - pair.start - stated) <= agree
    const best = forward.find(isStated)
    if (best) return { reading: end, ...best, isStated: true }
    if (rule === 'stated' || forward.length === 0) return null
    return { reading: end, ...forward[0]!, isStated: false }
  }

  /** Scheduled times and those on the runway follow the flight's own. */
  const readOther = ([first, last]: (typeof pairs)[number]) => {
    const near = chosen.departure?.instant ?? chosen.departureScheduled?.instant ?? null
    const start = departing(first, near)
    const time = flight[last]
    if (!time) {
      if (start) choose(first, start, start.instants[0]!, false)
      return
    }
    const end = dated(last) ?? (chosen.arrival ? nearestTo(time, last, chosen.arrival.instant) : null)
    if (!start) {
      if (end) choose(last, end, end.instants[0]!, false)
      else if (placeOf(last) !== null) warn('times_dropped', last, time.clock)
      return
    }
    const found = (end && fits(start, end, 'any')) ?? arrivalOf(start, time, last, day)
    if (found) {
      choose(first, start, found.start, found.isStated)
      choose(last, found.reading, found.end, found.isStated)
    } else if (placeOf(last) === null) choose(first, start, start.instants[0]!, false)
    else warn('times_dropped', first)
  }

  const write = (name: TimeField): string | null => {
    const time = chosen[name]
    return time ? (time.reading.exact ?? formatInZone(time.instant, time.reading.zone)) : null
  }

  const dateOf = (): string | null => {
    if (day !== null) return day
    const name = (['departureScheduled', 'departure', 'takeoffScheduled', 'takeoffActual'] as const).find(
      (field) => chosen[field],
    )
    if (name) return localDate(chosen[name]!.instant, chosen[name]!.reading.zone)
    // The airport is not known yet: the date that is written.
    const written = flight.departure?.date ?? flight.departureScheduled?.date ?? flight.takeoffActual?.date
    return isRead(written) ? written.iso : null
  }

  return {
    /** A time by itself, for values that are stored as they are. */
    plain(name: TimeField): string | null {
      const time = flight[name]
      const reading = dated(name) ?? (time && day !== null ? readOn(time, name, day) : null)
      return reading ? (reading.exact ?? formatInZone(reading.instants[0]!, reading.zone)) : null
    },
    read() {
      readMain()
      for (const pair of pairs.slice(1)) if (flight[pair[0]] || flight[pair[1]]) readOther(pair)
    },
    result() {
      const times = noTimes()
      for (const name of timeFields) if (chosen[name]) times[name] = write(name)
      const { departure, arrival } = chosen
      const flown = departure && arrival ? Math.round((arrival.instant - departure.instant) / SECOND) : null
      const duration = flown ?? flight.duration ?? null
      return { date: dateOf(), datePrecision: 'day' as const, times, duration, warnings }
    },
  }
}

const apart = ({ instants }: Reading, instant: number): number =>
  Math.min(...instants.map((other) => Math.abs(other - instant)))

/** In a source that writes 00:00 for nothing, both at once are nothing. */
function withoutEmptyTimes({ departure = null, arrival = null }: SourceFlight): {
  departure: SourceTime | null
  arrival: SourceTime | null
} {
  const isEmpty = (departure?.doubtful ?? !departure) && (arrival?.doubtful ?? !arrival)
  return isEmpty ? { departure: null, arrival: null } : { departure, arrival }
}

// What looks wrong in a log: likely duplicates, gaps, overlapping flights, impossible times and codes. It only reports, and
// each finding suggests what to do. Linear in the length of the log, apart from sorting. Runs in steps, since a log may be long.

import type { AircraftClass, Outcome } from '../enums.ts'
import { distanceKm as kmBetween } from '../geo/geo.ts'
import { airportCode, type Days, daysOf } from '../reference/code-periods.ts'
import { eachInSteps, flatMapInSteps, type Steps, sortInSteps } from '../steps.ts'
import { addDays, daysBetween, writtenDate } from '../time/calendar.ts'
import { likeness, type OnRoute } from './duplicates.ts'
import { parseFlightNumber } from './number.ts'
import { DUPLICATE_DAYS, dateOddity, isFarTooSlow, timeOddity } from './plausibility.ts'

/** The kinds of findings. */
export const findingKinds = [
  'duplicate',
  'overlap',
  'arrival_before_departure',
  'impossible_speed',
  'before_airlines',
  'far_future',
  'airport_closed_then',
  'airline_not_flying_then',
  'airline_does_not_fit',
  'same_airport',
  'gap',
  'missing_times',
  'missing_airline',
] as const
type FindingKind = (typeof findingKinds)[number]

/** `high`: certainly wrong; `low`: may well be right. */
export const severities = ['high', 'medium', 'low'] as const
type Severity = (typeof severities)[number]

interface Place {
  id: number
  icao: string
  iata: string | null
  formerCodes?: string[] | undefined
  latitude: number
  longitude: number
}
interface Carrier {
  id: number
  name: string
}

/** A flight of one person's log, without cancelled ones. */
export interface CheckedFlight<Airport extends Place, Airline extends Carrier> extends OnRoute {
  id: number
  outcome: Outcome
  from: Airport | null
  to: Airport | null
  airline: Airline | null
  operatingFlightNumber: string | null
  aircraftClass: AircraftClass | null
  /** Instants of the best known times, in milliseconds. */
  departs: number | null
  arrives: number | null
  /** The recorded duration, in seconds. */
  duration: number | null
  distanceKm: number | null
  hasNote: boolean
  hasTrack: boolean
}

/** Facts about records at a given time. */
export interface CheckFacts<Airport, Airline> {
  today: string
  wasOpen(airport: Airport, days: Days): boolean
  wasFlying(airline: Airline, days: Days): boolean
  /** Whether the code is one that the airline has or had. */
  hasCode(airline: Airline, code: string): boolean
}

export interface Finding<Flight> {
  kind: FindingKind
  severity: Severity
  message: string
  suggestion: string
  /** One or two, the earlier first. */
  flights: Flight[]
}

/** All findings, the most serious first, then the newest. */
export function* checkLog<
  Airport extends Place,
  Airline extends Carrier,
  Flight extends CheckedFlight<Airport, Airline>,
>(flights: readonly Flight[], facts: CheckFacts<Airport, Airline>): Steps<Finding<Flight>[]> {
  const inOrder = yield* sortInSteps(flights, byDeparture)
  const findings: Finding<Flight>[] = []
  const reported = new Set<string>()
  const add = (one: Finding<Flight>) => void findings.push(one)
  /** For a pair of flights, only the first finding is reported. */
  const addNew = (one: Finding<Flight>) => reported.has(pairKey(one)) || add(one)
  const addPair = (one: Finding<Flight>) => {
    addNew(one)
    reported.add(pairKey(one))
  }
  yield* eachInSteps(yield* duplicatesIn(inOrder), addPair)
  yield* eachInSteps(yield* overlapsIn(inOrder), addPair)
  yield* eachInSteps(yield* flatMapInSteps(inOrder, (flight) => odditiesOf(flight, facts)), add)
  yield* eachInSteps(yield* gapsIn(inOrder), addNew)
  yield* eachInSteps(yield* missingIn(inOrder, facts.today), add)
  return yield* sortInSteps(findings, byWeight)
}

interface Ordered {
  id: number
  date: string
  departs: number | null
}
interface Reportable extends Ordered, OnRoute {
  from: Place | null
  to: Place | null
}

const pairKey = ({ flights: [a, b] }: Finding<Ordered>): string =>
  a!.id < b!.id ? `${a!.id} ${b!.id}` : `${b!.id} ${a!.id}`

/** By day, then by time; flights without a time come last on their day. */
function byDeparture(a: Ordered, b: Ordered): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  const [startA, startB] = [a.departs ?? Number.POSITIVE_INFINITY, b.departs ?? Number.POSITIVE_INFINITY]
  return startA === startB ? a.id - b.id : startA < startB ? -1 : 1
}

function byWeight<Flight extends Ordered>(a: Finding<Flight>, b: Finding<Flight>): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    byDeparture(b.flights.at(-1)!, a.flights.at(-1)!) ||
    findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind)
  )
}

// Texts

const codeOf = (place: Place | null): string => (place ? airportCode(place) : '?')

/** `SK909 CPH–EWR` */
const nameOf = ({ flightNumber, from, to }: Reportable): string =>
  `${flightNumber ? `${flightNumber} ` : ''}${codeOf(from)}–${codeOf(to)}`

const on = (flight: Reportable): string => `${nameOf(flight)} on ${writtenDate(flight)}`

const finding = <Flight>(
  kind: FindingKind,
  severity: Severity,
  flights: Flight[],
  message: string,
  suggestion: string,
): Finding<Flight> => ({ kind, severity, message, suggestion, flights })

// Duplicates

/** If a day has many flights on one route, each is compared with this many of the following ones. */
const COMPARED_AT_MOST = 8

function* duplicatesIn<Flight extends Reportable>(inOrder: readonly Flight[]): Steps<Finding<Flight>[]> {
  const routes = new Map<string, Flight[]>()
  yield* eachInSteps(inOrder, (flight) => {
    if (flight.from && flight.to) addTo(routes, `${flight.from.id} ${flight.to.id}`, flight)
  })
  const findings: Finding<Flight>[] = []
  for (const flights of routes.values()) {
    const { days, periods } = yield* partedByPrecision(flights)
    yield* eachInSteps(days, (flight, i) => {
      const later = days.slice(i + 1, i + 1 + COMPARED_AT_MOST)
      findings.push(...twinsOf(flight, later, inOrder))
    })
    yield* eachInSteps(yield* periodTwins(periods, days), (one) => void findings.push(one))
    yield
  }
  return findings
}

function addTo<Item>(groups: Map<string, Item[]>, key: string, item: Item): void {
  const group = groups.get(key)
  if (group) group.push(item)
  else groups.set(key, [item])
}

function* partedByPrecision<Flight extends OnRoute>(
  flights: readonly Flight[],
): Steps<{ days: Flight[]; periods: Flight[] }> {
  const days: Flight[] = []
  const periods: Flight[] = []
  yield* eachInSteps(flights, (flight) => void (flight.datePrecision === 'day' ? days : periods).push(flight))
  return { days, periods }
}

/** Only the first flight that it duplicates: three equal flights are two findings. */
function twinsOf<Flight extends Reportable>(
  flight: Flight,
  later: readonly Flight[],
  inOrder: readonly Flight[],
): Finding<Flight>[] {
  for (const other of later) {
    if (daysBetween(flight.date, other.date) > DUPLICATE_DAYS) break
    const verdict = likeness(flight, other)
    if (verdict === 'duplicate') {
      const message = `${on(flight)} is in the log twice.`
      return [
        finding(
          'duplicate',
          'high',
          [flight, other],
          message,
          `Keep the more complete one and delete the other.`,
        ),
      ]
    }
    // If another flight in between brought the person back, these are two flights.
    if (verdict === 'similar' && (flight.date === other.date || nextAfter(flight, inOrder) === other)) {
      const message = `${on(flight)} and ${on(other)} may be one flight.`
      return [finding('duplicate', 'medium', [flight, other], message, 'Ask which day and number are right.')]
    }
  }
  return []
}

function nextAfter<Flight extends Ordered>(flight: Flight, inOrder: readonly Flight[]): Flight | undefined {
  let [low, high] = [0, inOrder.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (byDeparture(inOrder[middle]!, flight) <= 0) low = middle + 1
    else high = middle
  }
  return inOrder[low]
}

/** A flight with only a month or year, and another flight within that period. */
function* periodTwins<Flight extends Reportable>(
  periods: readonly Flight[],
  days: readonly Flight[],
): Steps<Finding<Flight>[]> {
  if (periods.length === 0) return []
  const known = new Map<string, Flight>()
  yield* eachInSteps(days, (flight) => {
    for (const length of [4, 7]) {
      const key = flight.date.slice(0, length)
      if (!known.has(key)) known.set(key, flight)
    }
  })
  return yield* flatMapInSteps(periods, (flight) => {
    const key = writtenDate(flight)
    const twin = known.get(key)
    if (!twin) known.set(key, flight)
    if (!twin || likeness(flight, twin) === 'other') return []
    const message = `${on(flight)} may be the same flight as ${on(twin)}.`
    return [finding('duplicate', 'low', [flight, twin], message, 'Ask whether these are two flights.')]
  })
}

// Single flights

type Checked = CheckedFlight<Place, Carrier>

function odditiesOf<
  Airport extends Place,
  Airline extends Carrier,
  Flight extends CheckedFlight<Airport, Airline>,
>(flight: Flight, facts: CheckFacts<Airport, Airline>): Finding<Flight>[] {
  return [
    ...oddTimes(flight),
    ...oddDate(flight, facts.today),
    ...oddPlaces(flight, facts),
    ...oddAirline(flight, facts),
  ]
}

function oddTimes<Flight extends Checked>(flight: Flight): Finding<Flight>[] {
  const { departs, arrives, distanceKm, aircraftClass } = flight
  const checkTimes = 'Check both times, their days and their time zones.'
  if (departs !== null && arrives !== null && arrives < departs) {
    const message = `${on(flight)} arrives before it departs.`
    return [finding('arrival_before_departure', 'high', [flight], message, checkTimes)]
  }
  const seconds =
    flight.duration ?? (departs !== null && arrives !== null ? (arrives - departs) / 1000 : null)
  if (seconds === null) return []
  const odd = timeOddity(seconds, distanceKm, aircraftClass)
  const report = (severity: Severity, words: string) => [
    finding('impossible_speed', severity, [flight], `${on(flight)} ${words}`, checkTimes),
  ]
  if (odd?.kind === 'too_fast') return report('high', `would have flown at ${Math.round(odd.kmh)} km/h.`)
  if (odd?.kind === 'too_long') return report('high', `would have taken ${Math.round(odd.hours)} hours.`)
  if (distanceKm !== null && isFarTooSlow(seconds, distanceKm, aircraftClass)) {
    const hours = Math.round(seconds / 360) / 10
    return report('medium', `would have taken ${hours} hours for ${Math.round(distanceKm)} km.`)
  }
  return []
}

function oddDate<Flight extends Checked>(flight: Flight, today: string): Finding<Flight>[] {
  const odd = dateOddity(flight.date, today)
  if (odd === null) return []
  const words =
    odd === 'far_future' ? 'is more than a year ahead.' : 'is before the first airline flew, in 1914.'
  return [finding(odd, 'medium', [flight], `${on(flight)} ${words}`, 'Check the year.')]
}

function oddPlaces<
  Airport extends Place,
  Airline extends Carrier,
  Flight extends CheckedFlight<Airport, Airline>,
>(flight: Flight, facts: CheckFacts<Airport, Airline>): Finding<Flight>[] {
  const { from, to } = flight
  const days = daysOf(flight.date, flight.datePrecision)
  const closed = [from, to].filter((place): place is Airport => place !== null && !facts.wasOpen(place, days))
  const findings = closed.slice(0, 1).map((place) => {
    const message = `${codeOf(place)} was not open when ${on(flight)} was flown.`
    return finding(
      'airport_closed_then',
      'medium',
      [flight],
      message,
      'Check the year, or which airport it was.',
    )
  })
  const isReturn = from !== null && from.id === to?.id
  // A sightseeing flight has a note, a track or no number; one that turned back is marked as diverted.
  const isExplained = flight.outcome !== 'flown' || flight.hasNote || flight.hasTrack || !flight.flightNumber
  if (!isReturn || isExplained) return findings
  const message = `${on(flight)} ends where it began.`
  return [...findings, finding('same_airport', 'medium', [flight], message, 'Check the destination.')]
}

function oddAirline<
  Airport extends Place,
  Airline extends Carrier,
  Flight extends CheckedFlight<Airport, Airline>,
>(flight: Flight, facts: CheckFacts<Airport, Airline>): Finding<Flight>[] {
  const { airline, flightNumber, operatingFlightNumber } = flight
  if (!airline) return []
  if (!facts.wasFlying(airline, daysOf(flight.date, flight.datePrecision))) {
    const message = `${airline.name} did not fly when ${on(flight)} was flown.`
    return [
      finding('airline_not_flying_then', 'medium', [flight], message, 'Check the year and the airline.'),
    ]
  }
  const codes = [flightNumber, operatingFlightNumber].flatMap((text) =>
    text ? (parseFlightNumber(text)?.airlineCode ?? []) : [],
  )
  if (codes.length === 0 || codes.some((code) => facts.hasCode(airline, code))) return []
  const message = `${on(flight)} is logged with ${airline.name}, whose flight numbers do not begin with ${codes[0]}.`
  return [
    finding('airline_does_not_fit', 'low', [flight], message, 'Check the airline and the flight number.'),
  ]
}

// Consecutive flights

/** Compares each flight with the one that has arrived last so far. */
function* overlapsIn<Flight extends Checked>(inOrder: readonly Flight[]): Steps<Finding<Flight>[]> {
  const timed = yield* flatMapInSteps(inOrder, (flight) => {
    const { departs, arrives } = flight
    return departs !== null && arrives !== null && arrives >= departs ? [flight] : []
  })
  const byInstant = yield* sortInSteps(timed, (a, b) => a.departs! - b.departs!)
  let last: Flight | undefined
  return yield* flatMapInSteps(byInstant, (flight) => {
    const before = last
    if (!before || flight.arrives! > before.arrives!) last = flight
    if (!before || flight.departs! >= before.arrives!) return []
    const message = `${on(flight)} departs before ${on(before)} has arrived.`
    return [
      finding(
        'overlap',
        'high',
        [before, flight],
        message,
        'Check the times of both, or whether both were flown.',
      ),
    ]
  })
}

/** A person who flies again after a longer time has most likely travelled in between. */
const GAP_DAYS = 60
/** Airports closer than this serve the same place. */
const SAME_PLACE_KM = 150

/** Departures from a different place than the last arrival. */
function* gapsIn<Flight extends Checked>(inOrder: readonly Flight[]): Steps<Finding<Flight>[]> {
  const { days, periods } = yield* partedByPrecision(inOrder)
  const unclear = new Set<string>()
  yield* eachInSteps(periods, (flight) => void unclear.add(writtenDate(flight)))
  let last: Flight | undefined
  return yield* flatMapInSteps(yield* chained(days), (flight) => {
    const before = last
    last = flight
    if (!before?.to || !flight.from || before.to.id === flight.from.id) return []
    if (daysBetween(before.date, flight.date) > GAP_DAYS || isUnclear(unclear, before, flight)) return []
    if (kmBetween(before.to, flight.from) < SAME_PLACE_KM) return []
    const message = `${on(before)} ended in ${codeOf(before.to)}, but the next flight, ${on(flight)}, begins in ${codeOf(flight.from)}.`
    const suggestion = `Ask whether a flight from ${codeOf(before.to)} to ${codeOf(flight.from)} is missing, or whether the person travelled in another way.`
    return [finding('gap', 'low', [before, flight], message, suggestion)]
  })
}

/** A flight with only a month or year may be the one in between. */
const isUnclear = (unclear: ReadonlySet<string>, before: OnRoute, after: OnRoute): boolean =>
  unclear.size > 0 &&
  [before.date, addDays(before.date, 30), after.date].some(
    (date) => unclear.has(date.slice(0, 4)) || unclear.has(date.slice(0, 7)),
  )

/** On a day with more flights than this, they are not reordered. */
const CHAINED_AT_MOST = 12

/** Reorders the flights of a day if a time is unknown, so that each begins where the previous one ended. */
function* chained<Flight extends Checked>(days: readonly Flight[]): Steps<Flight[]> {
  const dates = new Map<string, Flight[]>()
  yield* eachInSteps(days, (flight) => addTo(dates, flight.date, flight))
  const result: Flight[] = []
  for (const ofDay of dates.values()) {
    if (ofDay.length > CHAINED_AT_MOST || ofDay.every(({ departs }) => departs !== null))
      yield* eachInSteps(ofDay, (flight) => void result.push(flight))
    else
      for (const rest = [...ofDay]; rest.length > 0; )
        result.push(...rest.splice(nextIn(rest, result.at(-1)), 1))
    yield
  }
  return result
}

/** The flight that continues from the last one, otherwise one that no other flight leads to. */
function nextIn(rest: readonly Checked[], last: Checked | undefined): number {
  const onward = rest.findIndex(({ from }) => from !== null && from.id === last?.to?.id)
  if (onward >= 0) return onward
  const first = rest.findIndex(({ from }) => !rest.some(({ to }) => to?.id === from?.id))
  return Math.max(0, first)
}

/** This many flights before and after must have the missing value. */
const NEIGHBOURS = 2
const NEIGHBOUR_DAYS = 180

const lacks = {
  missing_times: ({ departs, arrives }: Checked) => departs === null && arrives === null,
  missing_airline: ({ airline }: Checked) => airline === null,
}
const words = { missing_times: 'times', missing_airline: 'airline' }

/** Values that the flights around one have. Planned flights may still get them. */
function* missingIn<Flight extends Checked>(
  inOrder: readonly Flight[],
  today: string,
): Steps<Finding<Flight>[]> {
  const flown = yield* flatMapInSteps(inOrder, (flight) =>
    flight.datePrecision === 'day' && flight.date <= today ? [flight] : [],
  )
  const missing = (kind: keyof typeof lacks) =>
    flatMapInSteps(flown, (flight, i) => {
      if (!lacks[kind](flight)) return []
      const around = [
        ...flown.slice(Math.max(0, i - NEIGHBOURS), i),
        ...flown.slice(i + 1, i + 1 + NEIGHBOURS),
      ]
      const near = around.filter(({ date }) => Math.abs(daysBetween(date, flight.date)) <= NEIGHBOUR_DAYS)
      if (near.length < NEIGHBOURS || near.some(lacks[kind])) return []
      const message = `${on(flight)} has no ${words[kind]}; the flights around it do.`
      const suggestion = `Ask the person for the ${words[kind]}, and add what they know.`
      return [finding(kind, 'low', [flight], message, suggestion)]
    })
  return [...(yield* missing('missing_times')), ...(yield* missing('missing_airline'))]
}

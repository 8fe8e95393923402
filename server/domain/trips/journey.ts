// Which flights make up a journey: how a stop is measured, which stops join two flights, and where a person's home is.
// No I/O, no clock.

import type { DatePrecision } from '../enums.ts'
import { eachInSteps, type Steps, sortInSteps } from '../steps.ts'
import { addDays, addMonths, dayStart, daysBetween } from '../time/calendar.ts'
import { DAY } from '../time/durations.ts'

interface Place {
  id: number
}

/** The fields of a flight that matter for a stop. Instants in milliseconds since 1970, null if unknown. */
interface Leg {
  from: Place | null
  to: Place | null
  departs: number | null
  arrives: number | null
}

export interface JourneyFlight extends Leg {
  id: number
  /** Local day of departure. */
  date: string
  datePrecision: DatePrecision
  /** Local times at the airports, YYYY-MM-DDTHH:MM, null if unknown. */
  departureLocal: string | null
  arrivalLocal: string | null
  bookingReference?: string | null | undefined
}

const LONGEST_STOP_SECONDS = 24 * 3600
const LONGEST_NIGHT_SECONDS = 8 * 3600

const isSamePlace = (a: Place | null, b: Place | null): boolean => a !== null && a.id === b?.id

/** Seconds on the ground if `later` departs from where `earlier` arrived, less than a day later; otherwise null. */
export function stopSeconds(earlier: Leg, later: Leg): number | null {
  if (!isSamePlace(earlier.to, later.from) || earlier.arrives === null || later.departs === null) return null
  const ground = (later.departs - earlier.arrives) / 1000
  return ground >= 0 && ground < LONGEST_STOP_SECONDS ? ground : null
}

interface Stop {
  /** Null if one of the times is unknown. */
  seconds: number | null
}

/** The stop between two flights, if they may belong together. Does not check who is on them. */
function stopBetween(earlier: JourneyFlight, later: JourneyFlight): Stop | undefined {
  const seconds = stopSeconds(earlier, later)
  if (seconds !== null) return partsBookings(earlier, later, seconds) ? undefined : { seconds }
  const isTimed = earlier.arrives !== null && later.departs !== null
  return !isTimed && followsByDate(earlier, later) ? { seconds: null } : undefined
}

/** If a time is missing, the same day or the next one is required: a flight in the evening lands after midnight. */
function followsByDate(earlier: JourneyFlight, later: JourneyFlight): boolean {
  if (!isSamePlace(earlier.to, later.from)) return false
  if (earlier.datePrecision !== 'day' || later.datePrecision !== 'day') return false
  if (earlier.departs !== null && later.departs !== null && later.departs < earlier.departs) return false
  const days = daysBetween(arrivalDay(earlier), departureDay(later))
  return days === 0 || (days === 1 && !haveOtherBookings(earlier, later))
}

export const departureDay = ({ departureLocal, date }: JourneyFlight): string =>
  departureLocal?.slice(0, 10) ?? date
export const arrivalDay = ({ arrivalLocal, date }: JourneyFlight): string =>
  arrivalLocal?.slice(0, 10) ?? date

const haveOtherBookings = (earlier: JourneyFlight, later: JourneyFlight): boolean =>
  Boolean(earlier.bookingReference && later.bookingReference) &&
  earlier.bookingReference !== later.bookingReference

/** One booking ends here, and the person spent the night before the next one began. */
const partsBookings = (earlier: JourneyFlight, later: JourneyFlight, seconds: number): boolean =>
  seconds > LONGEST_NIGHT_SECONDS &&
  haveOtherBookings(earlier, later) &&
  isOvernight(earlier.arrivalLocal, later.departureLocal)

/** Whether it was three in the morning in between: then it was a night, whatever the time of landing. */
function isOvernight(arrival: string | null, departure: string | null): boolean {
  if (arrival === null || departure === null) return false
  const day = arrival.slice(0, 10)
  const deepest = arrival.slice(11) <= '03:00' ? day : addDays(day, 1)
  return `${deepest}T03:00` <= departure
}

// Journeys

export interface Journey<Flight> {
  /** In the order in which they were flown. */
  flights: Flight[]
  /** One between each two flights. */
  stops: Stop[]
}

interface People<Flight> {
  /** The people on a flight, by unique texts. */
  peopleOn(flight: Flight): readonly string[]
  /** The airport of a person's home on a day. */
  homeOf(person: string, date: string): number | null
}

/** Joins flights into journeys, in the order in which the journeys began. */
export function* joinFlights<Flight extends JourneyFlight>(
  flights: readonly Flight[],
  people: People<Flight>,
): Steps<Journey<Flight>[]> {
  const inOrder = yield* sortInSteps(flights, byDeparture)
  const { next, taken } = yield* linkedFlights(inOrder, people)
  const journeys: Journey<Flight>[] = []
  yield* eachInSteps(inOrder, (flight) => {
    if (!taken.has(flight)) journeys.push(...journeysFrom(flight, next, people))
  })
  return yield* sortInSteps(journeys, (a, b) => byDeparture(a.flights[0]!, b.flights[0]!))
}

export function byDeparture(a: JourneyFlight, b: JourneyFlight): number {
  const [dayA, dayB] = [departureDay(a), departureDay(b)]
  if (dayA !== dayB) return dayA < dayB ? -1 : 1
  const [startA, startB] = [a.departs ?? Number.POSITIVE_INFINITY, b.departs ?? Number.POSITIVE_INFINITY]
  return startA === startB ? a.id - b.id : startA < startB ? -1 : 1
}

/** Days since 1970: with thirty thousand flights, date texts would take a second. */
const dayNumber = (flight: JourneyFlight): number => dayStart(departureDay(flight)) / DAY

/** Local days on which a journey may continue after this flight: across the date line a flight lands on the day before. */
const LANDS_WITHIN = [-1, 0, 1, 2, 3]

/** By airport, then by day. */
type Departures<Flight> = ReadonlyMap<number, ReadonlyMap<number, readonly Flight[]>>

function* departuresOf<Flight extends JourneyFlight>(inOrder: readonly Flight[]): Steps<Departures<Flight>> {
  const departures = new Map<number, Map<number, Flight[]>>()
  yield* eachInSteps(inOrder, (flight) => {
    if (!flight.from) return
    const day = dayNumber(flight)
    let fromHere = departures.get(flight.from.id)
    if (!fromHere) {
      fromHere = new Map()
      departures.set(flight.from.id, fromHere)
    }
    const onDay = fromHere.get(day)
    if (onDay) onDay.push(flight)
    else fromHere.set(day, [flight])
  })
  return departures
}

/** The next flight of the journey for each flight. No two flights share a next flight, and none is its own. */
function* linkedFlights<Flight extends JourneyFlight>(
  inOrder: readonly Flight[],
  people: People<Flight>,
): Steps<{ next: Map<Flight, Flight>; taken: Set<Flight> }> {
  const departures = yield* departuresOf(inOrder)
  const next = new Map<Flight, Flight>()
  const taken = new Set<Flight>()
  const mayFollow = (earlier: Flight, candidate: Flight): boolean =>
    !taken.has(candidate) &&
    stopBetween(earlier, candidate) !== undefined &&
    goingOn(people.peopleOn(earlier), candidate, people).length > 0 &&
    !leadsTo(candidate, earlier, next)
  yield* eachInSteps(inOrder, (earlier) => {
    const fromThere = earlier.to && departures.get(earlier.to.id)
    if (!fromThere) return
    const day = dayNumber(earlier)
    const later = LANDS_WITHIN.flatMap((days) => fromThere.get(day + days) ?? []).find((candidate) =>
      mayFollow(earlier, candidate),
    )
    if (!later) return
    next.set(earlier, later)
    taken.add(later)
  })
  return { next, taken }
}

/** The travellers for whom the flight continues the journey: it does not start at their home. */
const goingOn = <Flight extends JourneyFlight>(
  travellers: readonly string[],
  flight: Flight,
  { peopleOn, homeOf }: People<Flight>,
): string[] => {
  const on = peopleOn(flight)
  return travellers.filter((person) => on.includes(person) && homeOf(person, flight.date) !== flight.from?.id)
}

/** Flights without times could form a cycle. */
function leadsTo<Flight>(flight: Flight, end: Flight, next: ReadonlyMap<Flight, Flight>): boolean {
  for (let at: Flight | undefined = flight; at; at = next.get(at)) if (at === end) return true
  return false
}

/** A journey belongs to people: if none of those who began it continue, a new one begins. */
function journeysFrom<Flight extends JourneyFlight>(
  first: Flight,
  next: ReadonlyMap<Flight, Flight>,
  people: People<Flight>,
): Journey<Flight>[] {
  let journey: Journey<Flight> = { flights: [first], stops: [] }
  const journeys = [journey]
  let travellers = people.peopleOn(first)
  for (let at = first, later = next.get(at); later; at = later, later = next.get(at)) {
    travellers = goingOn(travellers, later, people)
    if (travellers.length > 0) {
      journey.flights.push(later)
      journey.stops.push(stopBetween(at, later)!)
    } else {
      journey = { flights: [later], stops: [] }
      journeys.push(journey)
      travellers = people.peopleOn(later)
    }
  }
  return journeys
}

// Home

const HOME_MONTHS = 24

/**
 * The airport where most of a person's journeys of the last two years began or ended; on a tie, the first one. Stops on the
 * way do not count: a person who always changes planes in Frankfurt does not live there. A night between two flights counts:
 * a person who returns in the evening and leaves the next day was at home. If a log ended long ago, its last two years count.
 */
export function* usualAirport(flights: readonly JourneyFlight[], today: string): Steps<number | null> {
  const recent = flownRecently(flights, today)
  const journeys = yield* joinFlights(recent, { peopleOn: () => ['one'], homeOf: () => null })
  const counts = new Map<number, number>()
  for (const place of journeys.flatMap(placesOfRest)) counts.set(place.id, (counts.get(place.id) ?? 0) + 1)
  let home: number | null = null
  for (const [id, count] of counts) if (home === null || count > counts.get(home)!) home = id
  return home
}

function flownRecently(flights: readonly JourneyFlight[], today: string): JourneyFlight[] {
  const flown = flights.filter(({ date }) => date <= today)
  const last = flown.reduce((latest, { date }) => (date > latest ? date : latest), '')
  if (last === '') return []
  const [ofToday, ofLast] = [addMonths(today, -HOME_MONTHS), addMonths(last, -HOME_MONTHS)]
  const since = last < ofToday ? ofLast : ofToday
  return flown.filter(({ date }) => date >= since)
}

/** Where a journey began and ended, and the nights in between, which may have been at home. */
function placesOfRest({ flights, stops }: Journey<JourneyFlight>): Place[] {
  const nights = stops.flatMap((stop, i) => {
    const [earlier, later] = [flights[i]!, flights[i + 1]!]
    return hasNight(earlier, later, stop) ? [later.from] : []
  })
  return [flights[0]!.from, ...nights, flights.at(-1)!.to].filter((place) => place !== null)
}

const hasNight = (earlier: JourneyFlight, later: JourneyFlight, { seconds }: Stop): boolean =>
  seconds === null
    ? departureDay(later) > arrivalDay(earlier)
    : seconds > LONGEST_NIGHT_SECONDS && isOvernight(earlier.arrivalLocal, later.departureLocal)

function* flightsByPerson<Flight>(
  flights: readonly Flight[],
  peopleOn: (flight: Flight) => readonly string[],
): Steps<Map<string, Flight[]>> {
  const byPerson = new Map<string, Flight[]>()
  yield* eachInSteps(flights, (flight) => {
    for (const person of new Set(peopleOn(flight))) {
      const own = byPerson.get(person)
      if (own) own.push(flight)
      else byPerson.set(person, [flight])
    }
  })
  return byPerson
}

const AROUND_QUARTERS = 4
const FEWEST_RESTS = 4

/**
 * Where people's homes were when they flew: a person who moved does not change planes at the former home. For the last two
 * years it is the current home. Earlier it is the airport where most journeys of the year before and the year after began or
 * ended, if they were at least four and more than twice those of the current home: gaps in a log do not mean a move.
 */
export function* homesOverTime<Flight extends JourneyFlight>(
  flights: readonly Flight[],
  peopleOn: (flight: Flight) => readonly string[],
  preferred: ReadonlyMap<string, number>,
  today: string,
): Steps<(person: string, date: string) => number | null> {
  const since = addMonths(today, -HOME_MONTHS)
  const known = new Map<string, { now: number | null; formerly(date: string): number | null }>()
  for (const [person, own] of yield* flightsByPerson(flights, peopleOn)) {
    const now = preferred.get(person) ?? (yield* usualAirport(own, today))
    known.set(person, { now, formerly: formerHomes(yield* restsByQuarter(own), now) })
  }
  return (person, date) => {
    const homes = known.get(person)
    if (!homes) return preferred.get(person) ?? null
    return date >= since ? homes.now : homes.formerly(date)
  }
}

/** The quarter of a date: a home is computed once per quarter, however many flights there are. */
const quarterOf = (date: string): number =>
  4 * Number(date.slice(0, 4)) + Math.floor((Number(date.slice(5, 7)) - 1) / 3)

function formerHomes(
  rests: ReadonlyMap<number, readonly number[]>,
  now: number | null,
): (date: string) => number | null {
  const known = new Map<number, number | null>()
  return (date) => {
    const quarter = quarterOf(date)
    if (!known.has(quarter)) known.set(quarter, homeAround(quarter, rests, now) ?? now)
    return known.get(quarter)!
  }
}

function homeAround(
  quarter: number,
  rests: ReadonlyMap<number, readonly number[]>,
  now: number | null,
): number | null {
  const counts = new Map<number, number>()
  for (let by = -AROUND_QUARTERS; by <= AROUND_QUARTERS; by++)
    for (const id of rests.get(quarter + by) ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  let home: number | null = null
  for (const [id, count] of counts) if (home === null || count > counts.get(home)!) home = id
  const [there, here] = [home, now].map((id) => (id === null ? 0 : (counts.get(id) ?? 0))) as [number, number]
  return there >= FEWEST_RESTS && there > 2 * here ? home : null
}

/** Where one person's flights began or ended a journey, leaving out stops between consecutive flights. */
function* restsByQuarter(flights: readonly JourneyFlight[]): Steps<Map<number, number[]>> {
  const rests = new Map<number, number[]>()
  const rest = ({ date }: JourneyFlight, place: Place | null) => {
    if (!place) return
    const quarter = quarterOf(date)
    const places = rests.get(quarter)
    if (places) places.push(place.id)
    else rests.set(quarter, [place.id])
  }
  const inOrder = yield* sortInSteps(flights, byDeparture)
  yield* eachInSteps(inOrder, (flight, i) => {
    const before = inOrder[i - 1]
    if (before && changesPlanes(before, flight)) return
    if (before) rest(before, before.to)
    rest(flight, flight.from)
  })
  const last = inOrder.at(-1)
  if (last) rest(last, last.to)
  return rests
}

function changesPlanes(earlier: JourneyFlight, later: JourneyFlight): boolean {
  const stop = stopBetween(earlier, later)
  return stop !== undefined && !hasNight(earlier, later, stop)
}

// Totals of a journey

interface Measured<Airport extends Place> extends JourneyFlight {
  from: Airport | null
  to: Airport | null
  /** Best known times, as stored. */
  departure: string | null
  arrival: string | null
  /** Seconds, estimated if not recorded. */
  duration: number | null
  distanceKm: number | null
}

interface JourneySummary<Airport> {
  id: number
  from: Airport | null
  to: Airport | null
  via: Airport[]
  flightIds: number[]
  departure: string | null
  arrival: string | null
  travelSeconds: number | null
  airSeconds: number | null
  layovers: { airport: Airport; seconds: number | null }[]
  distanceKm: number | null
}

/** Null if a value is unknown: a sum of the rest would be mistaken for the total. */
const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)

export function summaryOf<Airport extends Place>({
  flights,
  stops,
}: Journey<Measured<Airport>>): JourneySummary<Airport> {
  const [first, last] = [flights[0]!, flights.at(-1)!]
  const layovers = stops.map(({ seconds }, i) => ({ airport: flights[i]!.to!, seconds }))
  return {
    id: first.id,
    from: first.from,
    to: last.to,
    via: layovers.map(({ airport }) => airport),
    flightIds: flights.map(({ id }) => id),
    departure: first.departure,
    arrival: last.arrival,
    travelSeconds:
      first.departs === null || last.arrives === null ? null : (last.arrives - first.departs) / 1000,
    airSeconds: sumOf(flights.map(({ duration }) => duration)),
    layovers,
    distanceKm: sumOf(flights.map(({ distanceKm }) => distanceKm)),
  }
}

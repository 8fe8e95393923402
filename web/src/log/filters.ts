/** Filters shared by list, map and statistics. They are stored in the URL, so every view can be linked. */

import {
  type FlightReason,
  flightReasons,
  type Seat,
  type SeatClass,
  seatClasses,
  seats,
} from '../../../server/domain/enums.ts'
import { takesPlace } from '../../../server/domain/flights/outcome.ts'
import { type CityNames, cityName } from '../../../server/domain/reference/cities.ts'
import { type Punctual, punctualities, punctualityOf } from '../../../server/domain/statistics/punctuality.ts'
import {
  type Border,
  borderOf,
  borders,
  hourOf,
  monthOf,
  registrationOf,
  routeKey,
  weekdayOfFlight,
} from '../../../server/domain/statistics/sums.ts'
import { plain, searchFold } from '../../../server/domain/text/fold.ts'
import { hasWord } from '../../../server/domain/text/search-text.ts'
import { addDays, isCalendarDate } from '../../../server/domain/time/calendar.ts'
import type { Flight } from '../api/flights-of-log.ts'
import { addressOf } from '../lib/address.ts'

export interface Filters {
  /** Whose flights, as in the address (people.ts); it selects the log and does not filter it. */
  people: string
  q: string
  /** Inclusive days, `YYYY-MM-DD`, or empty. */
  after: string
  before: string
  years: number[]
  airports: number[]
  airlines: number[]
  aircraft: number[]
  countries: string[]
  /** Part of a registration. */
  reg: string
  /** A whole registration. */
  registration: string
  /** `user:<id>` or `guest:<name>`. */
  passengers: string[]
  classes: SeatClass[]
  reasons: FlightReason[]
  /** One route, `<from id>-<to id>`; both directions match. */
  route: string
  seats: Seat[]
  /** January is 1. */
  months: number[]
  /** Monday is 1, Sunday 7. */
  weekdays: number[]
  /** Local hours of departure, `0` to `23`. */
  hours: string[]
  /** From one continent to another, `EU-AS`, in this direction only. */
  legs: string[]
  borders: Border[]
  /** Arrival compared with the schedule. */
  arrivals: Punctual[]
  /** The import that created the flight. */
  importId: string
  /** `1`: only flights that count: completed and not cancelled. */
  flown: string
  /** A field that is not recorded for the flight. */
  without: Missing[]
  /** More values that must match too, such as `airport:12`: two values in one list would match either. */
  also: string[]
}

const missing = ['airport', 'airline', 'aircraft', 'reg', 'class', 'reason', 'month', 'person'] as const
/** Fields that a flight may lack; `person`: no one else is on it. */
export type Missing = (typeof missing)[number]

export const noFilters: Filters = {
  people: '',
  q: '',
  after: '',
  before: '',
  years: [],
  airports: [],
  airlines: [],
  aircraft: [],
  countries: [],
  reg: '',
  registration: '',
  passengers: [],
  classes: [],
  reasons: [],
  route: '',
  seats: [],
  months: [],
  weekdays: [],
  hours: [],
  legs: [],
  borders: [],
  arrivals: [],
  importId: '',
  flown: '',
  without: [],
  also: [],
}

const words = {
  airports: 'airport',
  airlines: 'airline',
  aircraft: 'aircraft',
  years: 'year',
  months: 'month',
  weekdays: 'weekday',
} as const
const texts = {
  countries: 'country',
  passengers: 'with',
  classes: 'class',
  reasons: 'reason',
  seats: 'seat',
  hours: 'hour',
  legs: 'leg',
  borders: 'border',
  arrivals: 'arrival',
  without: 'without',
  also: 'and',
} as const
/** Lists for which a flight may have several values. */
export const manyOfFlight = ['airports', 'countries', 'passengers', 'classes', 'reasons', 'seats'] as const

const singleWords = [
  'people',
  'q',
  'after',
  'before',
  'reg',
  'registration',
  'route',
  'importId',
  'flown',
] as const

function numbers(query: URLSearchParams, name: string): number[] {
  return query
    .getAll(name)
    .map(Number)
    .filter((value) => Number.isInteger(value) && value > 0)
}

export function fromQuery(query: URLSearchParams): Filters {
  const day = (name: string) => {
    const text = query.get(name) ?? ''
    return isCalendarDate(text) ? text : ''
  }
  return {
    people: query.get('people') ?? '',
    q: query.get('q') ?? '',
    after: day('after'),
    before: day('before'),
    years: numbers(query, words.years),
    airports: numbers(query, words.airports),
    airlines: numbers(query, words.airlines),
    aircraft: numbers(query, words.aircraft),
    countries: query.getAll(texts.countries).map((code) => code.toUpperCase()),
    reg: query.get('reg') ?? '',
    registration: query.get('registration') ?? '',
    passengers: query.getAll(texts.passengers),
    classes: seatClasses.filter((value) => query.getAll(texts.classes).includes(value)),
    reasons: flightReasons.filter((value) => query.getAll(texts.reasons).includes(value)),
    route: query.get('route') ?? '',
    seats: seats.filter((value) => query.getAll(texts.seats).includes(value)),
    months: numbers(query, words.months),
    weekdays: numbers(query, words.weekdays),
    hours: query.getAll(texts.hours),
    legs: query.getAll(texts.legs),
    borders: borders.filter((value) => query.getAll(texts.borders).includes(value)),
    arrivals: punctualities.filter((value) => query.getAll(texts.arrivals).includes(value)),
    importId: /^\d+$/.test(query.get('importId') ?? '') ? query.get('importId')! : '',
    flown: query.get('flown') ? '1' : '',
    without: missing.filter((value) => query.getAll(texts.without).includes(value)),
    also: query.getAll(texts.also).filter((value) => alsoFilter(value) !== null),
  }
}

/** The filter that one value of `also` stands for; null if there is none. */
export function alsoFilter(value: string): Partial<Filters> | null {
  const at = value.indexOf(':')
  const name = manyOfFlight.find((key) => ({ ...words, ...texts })[key] === value.slice(0, at))
  if (!name || at < 0) return null
  const read = fromQuery(new URLSearchParams({ [value.slice(0, at)]: value.slice(at + 1) }))
  return read[name].length > 0 ? { [name]: read[name] } : null
}

/** A value of a list in the form used by `also`. */
export const alsoOf = (name: (typeof manyOfFlight)[number], value: string | number): string =>
  `${{ ...words, ...texts }[name]}:${value}`

export function toQuery(filters: Partial<Filters>): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of singleWords) {
    const value = filters[name]
    if (value) query.set(name, value)
  }
  for (const [key, word] of Object.entries({ ...words, ...texts })) {
    for (const value of filters[key as keyof typeof words | keyof typeof texts] ?? [])
      query.append(word, String(value))
  }
  return query
}

/** Address of the flight list with these filters. */
export function flightsHref(filters: Partial<Filters>, path = '/flights'): string {
  return addressOf(path, toQuery(filters))
}

export function countFilters(filters: Filters): number {
  const lists = [...Object.keys(words), ...Object.keys(texts)] as (keyof typeof words | keyof typeof texts)[]
  const { after, before, reg, registration, route, importId, flown } = filters
  const single = [after || before, reg, registration, route, importId, flown].filter(Boolean).length
  return lists.reduce((sum, key) => sum + filters[key].length, single)
}

export const isFiltered = (filters: Filters): boolean => filters.q.trim() !== '' || countFilters(filters) > 0

/** Search words of the records in a log, by id; see GET /app/api/log-words. */
interface LogWords {
  airports: Record<string, string>
  airlines: Record<string, string>
  aircraft: Record<string, string>
  /** The city names that the reader sees. */
  cities?: CityNames
}
export const noWords: LogWords = { airports: {}, airlines: {}, aircraft: {} }

interface Searchable {
  /** The flight's texts as displayed; a search word may match anywhere. */
  shown: string
  /** All names of its records in all languages, folded; a search word must match the start of a word. */
  names: string
}

const searchables = new WeakMap<LogWords, WeakMap<Flight, Searchable>>()

/** Computed once per flight for the known search words. */
function searchableOf(flight: Flight, words: LogWords): Searchable {
  let known = searchables.get(words)
  if (!known) {
    known = new WeakMap()
    searchables.set(words, known)
  }
  let searchable = known.get(flight)
  if (!searchable) {
    searchable = readSearchable(flight, words)
    known.set(flight, searchable)
  }
  return searchable
}

function readSearchable(flight: Flight, words: LogWords): Searchable {
  const { from, to, airline, aircraft } = flight
  const texts: (string | null | undefined)[] = []
  const names: (string | undefined)[] = []
  for (const airport of [from, to]) {
    texts.push(airport?.iata, airport?.icao, airport?.name, airport?.municipality)
    if (!airport) continue
    texts.push(cityName(airport, words.cities ?? {}))
    names.push(words.airports[airport.id])
  }
  texts.push(airline?.name, airline?.iata, airline?.icao, aircraft?.name, aircraft?.icao)
  if (airline) names.push(words.airlines[airline.id])
  if (aircraft) names.push(words.aircraft[aircraft.id])
  const own = texts.filter(Boolean).join('\n')
  const { date, flightNumber, operatingFlightNumber, bookingReference, aircraftReg } = flight
  const rest = [date, flightNumber, operatingFlightNumber, bookingReference, aircraftReg]
  const guests = flight.passengers.map(({ guest }) => guest)
  return {
    shown: plain([own, ...rest, ...guests].filter(Boolean).join('\n')),
    names: ` ${searchFold(own)}${names.join('')}`,
  }
}

/** Shorter words, such as a code whose double letter was folded, would match too much. */
const FOLDED_AT_LEAST = 3

function wordTest(word: string, words: LogWords): Test {
  const shown = plain(word)
  const folded = searchFold(word).split(' ')
  const isLongEnough = folded.join('').length >= FOLDED_AT_LEAST
  return (flight) => {
    const searchable = searchableOf(flight, words)
    if (searchable.shown.includes(shown)) return true
    return isLongEnough && folded.every((part) => hasWord(searchable.names, part))
  }
}

type Test = (flight: Flight) => boolean

function anyOf<T>(wanted: T[], of: (flight: Flight) => T | null | undefined): Test {
  const set = new Set(wanted)
  return (flight) => {
    const value = of(flight)
    return value !== null && value !== undefined && set.has(value)
  }
}

function routeTest(route: string): Test {
  const [a, b] = route.split('-').map((id) => ({ id: Number(id) }))
  if (!a || !b) return () => false
  const wanted = routeKey(a, b)
  return ({ from, to }) => from !== null && to !== null && routeKey(from, to) === wanted
}

/** A guest is the same person in every spelling, as in the statistics. */
const guestKey = (name: string | null | undefined) => `guest:${searchFold(name ?? '')}`

function passengerTest(wanted: string[]): Test {
  const set = new Set(wanted.map((one) => (one.startsWith('guest:') ? guestKey(one.slice(6)) : one)))
  return (flight) =>
    flight.passengers.some((one) => set.has(one.user ? `user:${one.user}` : guestKey(one.guest)))
}

type Passenger = Flight['passengers'][number]
/** Whose seats count, see `countedIn` of people.ts. */
type IsCounted = (passenger: Passenger) => boolean

function seatTests({ seats, classes, reasons }: Filters, isCounted: IsCounted): Test[] {
  const list: Test[] = []
  const some = (test: (passenger: Passenger) => boolean) =>
    list.push(({ passengers }) => passengers.some((one) => isCounted(one) && test(one)))
  if (seats.length) some(({ seat }) => seat !== null && seats.includes(seat))
  if (classes.length) some(({ seatClass }) => seatClass !== null && classes.includes(seatClass))
  if (reasons.length) some(({ reason }) => reason !== null && reasons.includes(reason))
  return list
}

/** The flights that are in no group of a statistics grouping. */
const lacks: Record<Missing, (flight: Flight, isCounted: IsCounted) => boolean> = {
  airport: ({ from, to }) => from === null || to === null,
  airline: ({ airline }) => airline === null,
  aircraft: ({ aircraft }) => aircraft === null,
  reg: (flight) => !registrationOf(flight),
  class: ({ passengers }, isCounted) => isUnknown(passengers.filter(isCounted), 'seatClass'),
  reason: ({ passengers }, isCounted) => isUnknown(passengers.filter(isCounted), 'reason'),
  month: (flight) => monthOf(flight) === null,
  person: ({ passengers }, isCounted) => passengers.every(isCounted),
}
const isUnknown = (counted: Passenger[], field: 'seatClass' | 'reason'): boolean =>
  counted.length === 0 || counted.some((one) => one[field] === null)

/** Filters that only the statistics link to; they use the same rules as the statistics. */
function statisticTests(filters: Filters): Test[] {
  const { months, weekdays, hours, legs, borders, arrivals } = filters
  const list: Test[] = []
  if (months.length) list.push(anyOf(months, monthOf))
  if (weekdays.length) list.push(anyOf(weekdays, weekdayOfFlight))
  if (hours.length) list.push(anyOf(hours, (flight) => hourOf(flight)?.toString()))
  if (legs.length) list.push(({ from, to }) => legs.includes(`${from?.continent}-${to?.continent}`))
  if (borders.length) list.push(anyOf(borders, borderOf))
  if (arrivals.length) list.push(anyOf(arrivals, punctualityOf))
  if (filters.registration) list.push((flight) => registrationOf(flight) === filters.registration)
  if (filters.flown) list.push((flight) => flight.completed && takesPlace(flight))
  return list
}

/** If only the month or year of a date is known, all of it must be within the range, as in the statistics. */
function spanTests({ after, before }: Filters): Test[] {
  const list: Test[] = []
  if (after) list.push((flight) => flight.date >= after)
  if (before) {
    // The end of a month or year, cut to the precision of the date.
    const until = { month: addDays(before, 1).slice(0, 7), year: addDays(before, 1).slice(0, 4) }
    list.push(({ date, datePrecision: known }) =>
      known === 'month' || known === 'year'
        ? date.slice(0, until[known].length) < until[known]
        : date <= before,
    )
  }
  return list
}

function tests(filters: Filters, words: LogWords, isCounted: IsCounted): Test[] {
  const list: Test[] = [...statisticTests(filters), ...seatTests(filters, isCounted), ...spanTests(filters)]
  const { airports, countries } = filters
  if (filters.years.length) list.push(anyOf(filters.years, (flight) => flight.year))
  if (filters.airlines.length) list.push(anyOf(filters.airlines, (flight) => flight.airline?.id))
  if (filters.aircraft.length) list.push(anyOf(filters.aircraft, (flight) => flight.aircraft?.id))
  if (airports.length) {
    const [from, to] = [anyOf(airports, (f) => f.from?.id), anyOf(airports, (f) => f.to?.id)]
    list.push((flight) => from(flight) || to(flight))
  }
  if (countries.length) {
    const [from, to] = [anyOf(countries, (f) => f.from?.country), anyOf(countries, (f) => f.to?.country)]
    list.push((flight) => from(flight) || to(flight))
  }
  if (filters.route) list.push(routeTest(filters.route))
  if (filters.importId) list.push(({ importId }) => importId === Number(filters.importId))
  if (filters.passengers.length) list.push(passengerTest(filters.passengers))
  if (filters.reg) {
    const reg = plain(filters.reg)
    list.push((flight) => plain(flight.aircraftReg ?? '').includes(reg))
  }
  for (const what of filters.without) list.push((flight) => lacks[what](flight, isCounted))
  for (const word of filters.q.split(/\s+/).filter(Boolean)) list.push(wordTest(word, words))
  for (const more of filters.also)
    list.push(...tests({ ...noFilters, ...alsoFilter(more) }, words, isCounted))
  return list
}

export function apply(
  flights: Flight[],
  filters: Filters,
  words: LogWords = noWords,
  isCounted: IsCounted = () => true,
): Flight[] {
  const all = tests(filters, words, isCounted)
  return all.length === 0 ? flights : flights.filter((flight) => all.every((test) => test(flight)))
}

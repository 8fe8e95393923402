// Flights as an assistant gets them: a short object without empty members as structured content, and a line of text for
// hosts that show only the text. `detail: "full"` returns the fields that a line omits.

import type { FlightTime } from '../../domain/enums.ts'
import { effectiveArrival, effectiveDeparture, type FlightTimes } from '../../domain/flights/best-times.ts'
import { upcomingUntil } from '../../domain/flights/flight.ts'
import { oneLine, shortened } from '../../domain/text/shown-text.ts'
import { writtenDate } from '../../domain/time/calendar.ts'
import { daysBetween, instantOf, localMinute } from '../../domain/time/time.ts'
import type { FlightView } from '../../operations/flights/view.ts'
import { Flight } from '../../operations/wire/schemas.ts'

type Json = Record<string, unknown>

/** The person whose flights these are: seat, class and companions are relative to this person. */
export interface Viewer {
  userId: string
  now: number
  showsBookings: boolean
}

type AirportView = NonNullable<FlightView['from']>

/** A flight, or a draft: without id, perhaps without a date, with text where a record is unknown. */
type Shown = Omit<FlightView, 'id' | 'date'> & {
  id?: number
  date: string | null
  fromText?: string
  toText?: string
  airlineText?: string
  aircraftText?: string
}

interface Journey {
  id: number
  date: string
  from: AirportView | null
  to: AirportView | null
  via: AirportView[]
  flightIds: number[]
  departure: string | null
  arrival: string | null
  travelSeconds: number | null
  airSeconds: number | null
  layovers: { airport: AirportView; seconds: number | null }[]
  distanceKm: number | null
}

/** A flight or a journey as one short object. */
export const lineOf = (value: Json, viewer: Viewer): Json =>
  'flightIds' in value
    ? journeyLine(value as unknown as Journey)
    : flightLine(value as unknown as Shown, viewer)

function flightLine(flight: Shown, viewer: Viewer): Json {
  const { from, to, passengers = [] } = flight
  const own = passengers.find(({ user }) => user?.id === viewer.userId)
  const others = passengers.filter((passenger) => passenger !== own)
  return withoutEmpty({
    id: flight.id,
    date: dateOf(flight),
    from: codeOf(from) ?? flight.fromText,
    to: codeOf(to) ?? flight.toText,
    cities: citiesOf(from, to),
    number: flight.flightNumber,
    airline: flight.airline?.name ?? flight.airlineText,
    km: kmOf(flight.distanceKm),
    time: timesOf(flight),
    seat: [own?.seatNumber, own?.seat].filter(Boolean).join(' '),
    class: own?.seatClass,
    with: others.map(({ user, guestName }) => user?.displayName ?? guestName).filter(Boolean),
    note: flight.note === null ? undefined : shortened(flight.note, NOTE_CHARACTERS),
    when: whenOf(flight, viewer.now),
    outcome: flight.outcome === 'flown' ? undefined : flight.outcome,
    plannedTo: codeOf(flight.plannedTo),
    ...(flight.id === undefined ? restOf(flight) : {}),
    ...(viewer.showsBookings ? { bookingReference: flight.bookingReference, price: flight.price } : {}),
    ...besideFlight(flight, viewer),
  })
}

const flightMembers = new Set([
  ...Object.keys(Flight.shape),
  'fromText',
  'toText',
  'airlineText',
  'aircraftText',
])

/** Members of a result that are not fields of the flight, such as when it was deleted. */
const besideFlight = (flight: Shown, { userId }: Viewer): Json =>
  Object.fromEntries(
    Object.entries(flight)
      .filter(([name]) => !flightMembers.has(name))
      .map(([name, value]) => [name, isPerson(value) ? nameUnless(userId, value) : toMinute(value)]),
  )

interface ShownPerson {
  id: string
  displayName: string
}
const isPerson = (value: unknown): value is ShownPerson =>
  typeof value === 'object' && value !== null && 'displayName' in value

/** Undefined for the person's own actions, which need no name. */
const nameUnless = (userId: string, { id, displayName }: ShownPerson): string | undefined =>
  id === userId ? undefined : displayName

/** An instant without its seconds; other values unchanged. */
const toMinute = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d\.\d{3}Z$/, '$1Z') : value

/** The fields that a line omits. A draft shows them, because the person checks it before it is stored. */
const restOf = (flight: Shown): Json => ({
  aircraft: flight.aircraft?.name ?? flight.aircraftText,
  registration: flight.aircraftReg,
  departureTerminal: flight.departureTerminal,
  departureGate: flight.departureGate,
  arrivalTerminal: flight.arrivalTerminal,
  arrivalGate: flight.arrivalGate,
  customFields: flight.customFields,
})

function journeyLine(journey: Journey): Json {
  const { from, to, via, layovers } = journey
  return withoutEmpty({
    id: journey.id,
    date: journey.date,
    from: codeOf(from),
    to: codeOf(to),
    via: via.map(codeOf),
    cities: citiesOf(from, ...via, to),
    departure: clockOf(journey.departure, from)?.replace('T', ' '),
    arrival: clockOf(journey.arrival, to)?.replace('T', ' '),
    km: kmOf(journey.distanceKm),
    time: hoursOf(journey.travelSeconds),
    airTime: hoursOf(journey.airSeconds),
    layovers: layovers.map(({ airport, seconds }) =>
      [codeOf(airport), hoursOf(seconds)].filter(Boolean).join(' '),
    ),
    flightIds: journey.flightIds,
  })
}

// Members of a line

const dateOf = ({ date, datePrecision }: Shown): string | undefined =>
  date == null ? undefined : writtenDate({ date, datePrecision })

const codeOf = (airport: AirportView | null | undefined): string | undefined =>
  airport ? (airport.iata ?? airport.icao) : undefined

/** `Copenhagen–Tokyo`; an airport without a city is shown by its name. */
function citiesOf(...airports: (AirportView | null | undefined)[]): string | undefined {
  const names = airports.map((airport) => airport && (airport.municipality ?? airport.name))
  return names.some(Boolean) ? names.map((name) => name ?? '?').join('–') : undefined
}

/** Whether a line shows the name of an airport that was added on this instance. */
export const namesCustomAirport = (value: Json): boolean =>
  ['from', 'to', 'via'].some((end) => [value[end]].flat().some((airport) => isCustom(airport)))

const isCustom = (airport: unknown): boolean =>
  typeof airport === 'object' && airport !== null && (airport as Json)['custom'] === true

const kmOf = (km: number | null | undefined): number | undefined =>
  km === null || km === undefined ? undefined : Math.round(km)

/** The local time at the airport, as `YYYY-MM-DDTHH:MM`. */
function clockOf(time: string | null, airport: AirportView | null): string | undefined {
  if (time === null) return undefined
  return airport ? localMinute(instantOf(time), airport.timezone).slice(0, 16) : time.slice(0, 16)
}

/** `07:40–08:55 (2:15)`, with `+1` after an arrival on the next day; unknown parts are omitted. */
function timesOf(flight: Shown): string | undefined {
  const timed = { ...flight, date: flight.date ?? '' }
  const [departure, arrival] = [effectiveDeparture(timed), effectiveArrival(timed)]
  const [left, landed] = [clockOf(departure, flight.from), clockOf(arrival, flight.to)]
  const between = departure && arrival ? (instantOf(arrival) - instantOf(departure)) / 1000 : null
  const duration = hoursOf(flight.duration ?? between)
  const clocks = [left?.slice(11), landed && `–${landed.slice(11)}${dayShift(left, landed)}`].join('')
  return [clocks, duration && `(${duration})`].filter(Boolean).join(' ')
}

function dayShift(left: string | undefined, landed: string): string {
  const days = left === undefined ? 0 : daysBetween(left.slice(0, 10), landed.slice(0, 10))
  return days === 0 ? '' : days > 0 ? `+${days}` : String(days)
}

function hoursOf(seconds: number | null): string | undefined {
  if (seconds === null) return undefined
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

const NOTE_CHARACTERS = 40

/** For a flight that departs later; the value is one of those that find_flights' filter `when` accepts. */
function whenOf(flight: Shown & FlightTimes, now: number): FlightTime | undefined {
  const { date, outcome } = flight
  if (outcome === 'cancelled' || date === null) return undefined
  return upcomingUntil({ ...flight, date }, flight.from?.timezone ?? null) >= now ? 'upcoming' : undefined
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const withoutEmpty = (line: Json): Json =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => !isEmpty(value)))

// Text

/** A line in words: `#12 2026-02-20 CPH–JFK Copenhagen–New York, SK909, …`. */
export function lineText(line: Json): string {
  const { id, date, from, to, cities, ...rest } = line
  const route = [from ?? '?', ...((line['via'] as string[] | undefined) ?? []), to ?? '?'].join('–')
  const head = [id === undefined ? '' : `#${id}`, date, route, cities].filter(Boolean).map(String)
  const members = Object.entries(rest).flatMap(([name, value]) => memberText(name, value))
  return [oneLine(head.join(' ')), ...members].join(', ')
}

/** Members whose values need no name. */
const plain = new Set(['number', 'airline', 'time', 'class', 'when', 'outcome'])

function memberText(name: string, value: unknown): string[] {
  if (name === 'via') return []
  if (plain.has(name)) return [oneLine(String(value))]
  if (name === 'km') return [`${value} km`]
  if (name === 'with') return [`with ${(value as string[]).map(oneLine).join(' and ')}`]
  if (typeof value === 'number') return [`${name} ${value}`]
  if (typeof value === 'string' && name !== 'note') return [`${name} ${oneLine(value)}`]
  return [`${name} ${oneLine(JSON.stringify(value))}`]
}

/** The fields of a full flight that its line omits, for hosts that show only the text. */
export function fullText(flight: Json, line: Json): string {
  if ('flightIds' in flight) return lineText(line)
  const shown = flight as unknown as Shown
  const rest = withoutEmpty({ ...restOf(shown), version: flight['version'] })
  const note = line['note'] === undefined ? {} : { note: shown.note }
  return lineText({ ...line, ...note, ...rest })
}

// The plans of TripIt's API, as JSON (every value is a string; one item is an object, several are a list) or as the XML of its
// first version. Each flight segment is a record; other plans are records without a flight.

import type { Price } from '../../../../domain/flights/fields.ts'
import { isAmount, isCurrency } from '../../../../domain/flights/price.ts'
import type { ImportWarning, SkipCode } from '../../../../domain/imports/imports.ts'
import { isCalendarDate, timeZoneNamed } from '../../../../domain/time/time.ts'
import type { Named, SourceFlight, SourcePerson, SourceRecord, SourceTime } from '../../reading/source.ts'
import { airlineNamed, airportNamed, namedBy } from '../../values/named.ts'
import { endsOfOneKind, readClock } from '../../values/times.ts'
import { readSeatClass } from '../../values/words.ts'

type Plan = Readonly<Record<string, unknown>>

const isPlan = (value: unknown): value is Plan =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): Plan[] => (Array.isArray(value) ? value : [value]).filter(isPlan)
const planOf = (plan: Plan | undefined, name: string): Plan | undefined => listOf(plan?.[name])[0]

function textOf(plan: Plan | undefined, name: string): string | null {
  const value = plan?.[name]
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? null : text
}
const flagOf = (plan: Plan, name: string): boolean | null => {
  const value = plan[name]
  if (typeof value === 'boolean') return value
  const text = textOf(plan, name)
  return text === null ? null : text === 'true' || text === '1'
}

/** `WeatherObject` is a forecast for the trip, not a plan. */
const isPlanName = (name: string): boolean => /^[A-Z][A-Za-z]*Object$/.test(name) && name !== 'WeatherObject'
const isResponse = (value: Plan): boolean =>
  Object.keys(value).some((name) => isPlanName(name) || name === 'Trip')

/** Export programs wrap the API's responses in their own lists and objects. */
const DEPTH_AT_MOST = 5

function* responsesIn(value: unknown, depth = 0): Generator<Plan> {
  if (depth > DEPTH_AT_MOST) return
  if (Array.isArray(value)) for (const item of value) yield* responsesIn(item, depth + 1)
  else if (isPlan(value) && isResponse(value)) yield value
  else if (isPlan(value)) for (const item of Object.values(value)) yield* responsesIn(item, depth + 1)
}

export function isTripIt(value: unknown): boolean {
  for (const response of responsesIn(value)) if ('AirObject' in response || 'Trip' in response) return true
  return false
}

export function* planRecords(value: unknown): Generator<SourceRecord> {
  for (const response of responsesIn(value)) {
    const names = Object.keys(response).filter(isPlanName)
    for (const name of names)
      for (const plan of listOf(response[name])) {
        if (name === 'AirObject') yield* airRecords(plan, tripName(response, plan))
        else yield otherPlan(plan)
      }
    if (names.length === 0) for (const trip of listOf(response['Trip'])) yield otherPlan(trip)
  }
}

const rawOf = (plan: Plan): string => JSON.stringify(plan, null, 1)

const otherPlan = (plan: Plan): SourceRecord => ({ line: null, raw: rawOf(plan), skip: 'not_a_flight' })

function tripName(response: Plan, plan: Plan): string | null {
  const trips = listOf(response['Trip'])
  const keys: [string, string][] = [
    ['uuid', 'trip_uuid'],
    ['id', 'trip_id'],
  ]
  const own = trips.find((trip) =>
    keys.some(([id, of]) => textOf(trip, id) !== null && textOf(trip, id) === textOf(plan, of)),
  )
  return textOf(own ?? (trips.length === 1 ? trips[0] : undefined), 'display_name')
}

function* airRecords(air: Plan, trip: string | null): Generator<SourceRecord> {
  const segments = listOf(air['Segment'])
  if (segments.length === 0) yield { line: null, raw: rawOf(air), error: { code: 'unreadable_row' } }
  for (const [index, segment] of segments.entries()) {
    const warnings: ImportWarning[] = []
    const started = textOf(planOf(segment, 'StartDateTime'), 'date')
    const flight = flightOf(
      { air, segment, trip, isFirst: index === 0, isOnly: segments.length === 1 },
      warnings,
    )
    flight.externalId = idOf(air, segment, index)
    const skip = skipOf(air, segment)
    yield {
      line: null,
      raw: rawOf(segment),
      flight,
      ...(skip && { skip }),
      ...(!skip &&
        flight.date === null && { error: { code: 'bad_date', ...(started && { value: started }) } }),
      ...(warnings.length > 0 && { warnings }),
    }
  }
}

function idOf(air: Plan, segment: Plan, index: number): string | null {
  const own = textOf(segment, 'uuid') ?? textOf(segment, 'id')
  const booking = textOf(air, 'uuid') ?? textOf(air, 'id')
  return own ?? (booking === null ? null : `${booking}:${index + 1}`)
}

const CANCELLED = '400'
const DIVERTED = '404'

function skipOf(air: Plan, segment: Plan): SkipCode | null {
  if (flagOf(segment, 'is_hidden')) return 'hidden'
  if (flagOf(air, 'is_client_traveler') === false) return 'not_mine'
  return textOf(planOf(segment, 'Status'), 'flight_status') === CANCELLED ? 'cancelled' : null
}

interface SegmentParts {
  air: Plan
  segment: Plan
  trip: string | null
  /** The first segment of its booking. */
  isFirst: boolean
  isOnly: boolean
}

function flightOf(
  { air, segment, trip, isFirst, isOnly }: SegmentParts,
  warnings: ImportWarning[],
): SourceFlight {
  const status = planOf(segment, 'Status')
  const [start, end] = [planOf(segment, 'StartDateTime'), planOf(segment, 'EndDateTime')]
  const [leaves, lands] = [timeOf(start), timeOf(end)]
  const destination = destinationOf(segment, status, warnings)
  const date = textOf(start, 'date')
  const cost = textOf(air, 'total_cost')
  const price = isOnly && cost !== null ? readPrice(cost) : null
  const travellers = travellersOf(air, segment, warnings)
  const seatsLeft = travellers.passengers?.some(({ seatNumber }) => seatNumber) ? [] : seatsOf(segment)
  return {
    date: date !== null && isCalendarDate(date) ? { iso: date, precision: 'day' } : null,
    from: placeOf(segment, 'start'),
    ...destination,
    ...numbersOf(segment),
    aircraft: namedBy([textOf(segment, 'aircraft')], textOf(segment, 'aircraft_display_name')),
    ...endsOfOneKind(
      {
        departure: timeOf(planOf(status, 'EstimatedDepartureDateTime')),
        arrival: timeOf(planOf(status, 'EstimatedArrivalDateTime')),
      },
      // The planned time is local to the planned airport.
      { departure: leaves, arrival: destination.outcome === 'diverted' ? null : lands },
    ),
    departureScheduled: timeOf(planOf(status, 'ScheduledDepartureDateTime')) ?? leaves,
    arrivalScheduled: timeOf(planOf(status, 'ScheduledArrivalDateTime')) ?? lands,
    departureTerminal: textOf(status, 'departure_terminal') ?? textOf(segment, 'start_terminal'),
    departureGate: textOf(status, 'departure_gate') ?? textOf(segment, 'start_gate'),
    arrivalTerminal: textOf(status, 'arrival_terminal') ?? textOf(segment, 'end_terminal'),
    arrivalGate: textOf(status, 'arrival_gate') ?? textOf(segment, 'end_gate'),
    bookingReference: textOf(air, 'supplier_conf_num'),
    price,
    note: textOf(segment, 'notes') ?? textOf(air, 'notes'),
    extras: extrasOf({ air, seats: seatsLeft, trip, cost: price === null && isFirst ? cost : null }),
    ...travellers,
  }
}

/** Old files have no zones; their times are the airport's. */
function timeOf(when: Plan | undefined): SourceTime | null {
  const [date, time] = [textOf(when, 'date'), textOf(when, 'time')]
  const read = time === null ? undefined : readClock(time)
  if (!read || date === null || !isCalendarDate(date)) return null
  const [offset, zone] = [textOf(when, 'utc_offset'), textOf(when, 'timezone')]
  const said =
    offset !== null && /^[+-]\d{2}:\d{2}$/.test(offset) ? offset : zone === null ? null : timeZoneNamed(zone)
  return { date: { iso: date, precision: 'day' }, clock: read.clock, zone: said ?? 'local' }
}

const placeOf = (segment: Plan, side: 'start' | 'end'): Named | null => {
  const city = textOf(segment, `${side}_city_name`)
  const code = textOf(segment, `${side}_airport_code`)
  return code === null ? airportNamed(city) : namedBy([code], city)
}

/** The airport of landing, if known. A diversion to an unknown place keeps the planned airport, with a warning. */
function destinationOf(
  segment: Plan,
  status: Plan | undefined,
  warnings: ImportWarning[],
): Pick<SourceFlight, 'to' | 'plannedTo' | 'outcome'> {
  const planned = placeOf(segment, 'end')
  const code = textOf(status, 'flight_status')
  if (code === CANCELLED) return { to: planned, outcome: 'cancelled' }
  if (code !== DIVERTED) return { to: planned }
  const landed = textOf(status, 'diverted_airport_code')
  if (landed !== null) return { to: namedBy([landed]), plannedTo: planned, outcome: 'diverted' }
  warnings.push({ code: 'diverted', field: 'toId' })
  return { to: planned }
}

/** Old files may have the airline's name in place of its code. */
function airlineOf(segment: Plan, role: 'marketing' | 'operating'): Named | null {
  const [code, name] = [textOf(segment, `${role}_airline_code`), textOf(segment, `${role}_airline`)]
  return code === null ? airlineNamed(name) : namedBy([code], name)
}

type Numbers = Pick<SourceFlight, 'airline' | 'flightNumber' | 'operatingAirline' | 'operatingFlightNumber'>

function numbersOf(segment: Plan): Numbers {
  const [airline, operating] = [airlineOf(segment, 'marketing'), airlineOf(segment, 'operating')]
  const isOther = operating !== null && operating.text !== airline?.text
  return {
    airline,
    flightNumber: numberOf(airline, textOf(segment, 'marketing_flight_number')),
    operatingAirline: isOther ? operating : null,
    operatingFlightNumber: isOther ? numberOf(operating, textOf(segment, 'operating_flight_number')) : null,
  }
}

const numberOf = (airline: Named | null, number: string | null): string | null =>
  number !== null && /^\d/.test(number) ? `${airline?.codes[0] ?? ''}${number}` : number

function nameOf(traveler: Plan): string {
  return ['first_name', 'middle_name', 'last_name'].flatMap((part) => textOf(traveler, part) ?? []).join(' ')
}

const seatsOf = (segment: Plan): string[] =>
  (textOf(segment, 'seats') ?? '').split(/[,;/\s]+/).filter((seat) => seat !== '')

type Travellers = Pick<SourceFlight, 'passengers' | 'isImporterNamed'>

/** A single traveller is the importer, whatever the name on the ticket. Several are distinguished by name. */
function travellersOf(air: Plan, segment: Plan, warnings: ImportWarning[]): Travellers {
  const names = listOf(air['Traveler']).flatMap((traveler) => nameOf(traveler) || [])
  const seats = seatsOf(segment)
  const seatClass = readSeatClass(textOf(segment, 'service_class'), warnings)
  const isMine = flagOf(air, 'is_client_traveler') !== false
  const isAlone = names.length === 0 || (names.length === 1 && isMine)
  const people: SourcePerson['who'][] = isAlone
    ? [{ kind: 'self' }]
    : names.map((name) => ({ kind: 'named', name }))
  const areShared = seats.length === people.length
  // They stay in the note.
  if (!areShared && seats.length > 0)
    warnings.push({ code: 'value_not_understood', field: 'seatNumber', value: seats.join(', ') })
  const passengers = people.map((who, index) => ({
    who,
    seatClass,
    seatNumber: areShared ? (seats[index] ?? null) : null,
  }))
  return { passengers, ...(isMine && !isAlone && { isImporterNamed: true as const }) }
}

interface ExtraParts {
  air: Plan
  /** Those that are not assigned to a person. */
  seats: readonly string[]
  trip: string | null
  /** The cost of the whole booking, if it is not the price of this flight. */
  cost: string | null
}

function extrasOf({ air, seats, trip, cost }: ExtraParts): [string, string][] {
  const extras: [string, string | null][] = [
    ['Trip', trip],
    ['Booking site reference', textOf(air, 'booking_site_conf_num')],
    ['Cost of the booking', cost],
    ['Seats', seats.join(', ') || null],
  ]
  return extras.filter((extra): extra is [string, string] => extra[1] !== null)
}

const signs: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' }

/** `USD 412.30`, `412,30 EUR`, `€1,412.30`. Many currencies use the dollar sign. */
function readPrice(text: string): Price | null {
  const parts = /^([A-Z]{3}|[€£])?\s*(\d[\d.,' ]*?)\s*([A-Z]{3}|[€£])?$/u.exec(text.trim())
  const sign = parts?.[1] ?? parts?.[3]
  if (!parts || sign === undefined || (parts[1] && parts[3])) return null
  const currency = signs[sign] ?? sign
  const written = parts[2]!.replace(/[' ]/g, '')
  const amount = /[.,]\d{2}$/.test(written)
    ? `${written.slice(0, -3).replace(/[.,]/g, '')}.${written.slice(-2)}`
    : written.replace(/[.,]/g, '')
  return isCurrency(currency) && isAmount(amount) ? { amount, currency } : null
}

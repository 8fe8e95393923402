// schema.org flight reservations, which airlines put into mails (section 7.1 of the import rules). There is one per person and
// leg; those of the same flight become one record with all people.
import type { Price } from '../../../../domain/flights/fields.ts'
import { isAmount, isCurrency } from '../../../../domain/flights/price.ts'
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import { isTraveller } from '../../../../domain/people/travellers.ts'
import { isCalendarDate, timeZoneNamed } from '../../../../domain/time/time.ts'
import type {
  Named,
  ReadContext,
  SourceFlight,
  SourcePerson,
  SourceRecord,
  SourceTime,
} from '../../reading/source.ts'
import { aircraftNamed, airlineNamed, airportNamed, namedBy } from '../../values/named.ts'
import { readSourceTime } from '../../values/times.ts'
import { readSeatClass } from '../../values/words.ts'
import { recordsOfPass } from '../passes/boarding-pass.ts'
import { extrasOf, joinedNumber } from '../tables/cells.ts'
import { isRecord, type JsonRecord } from './json.ts'

/** The nesting of lists, graphs and packages around a reservation. */
const DEPTH_AT_MOST = 12
const RESERVATIONS_AT_MOST = 5_000

type Context = Pick<ReadContext, 'documentDate' | 'documentDateOf' | 'options'> & {
  /** The title of the mail says so, which counts unless the reservation is confirmed: a new one may be in the same mail. */
  isCancelled?: boolean
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]
const recordsIn = (value: unknown): JsonRecord[] => listOf(value).filter(isRecord)
const recordIn = (value: unknown): JsonRecord | undefined => recordsIn(value)[0]

/** Texts of JSON-LD may be wrapped: `{"@value": "…"}`. */
function textIn(value: unknown): string | null {
  const plain = Array.isArray(value) ? value[0] : value
  const inner = isRecord(plain) ? plain['@value'] : plain
  const text =
    typeof inner === 'string' || typeof inner === 'number' ? String(inner).replace(/\s+/g, ' ').trim() : ''
  return text === '' ? null : text
}

const typesOf = (value: JsonRecord): string[] =>
  listOf(value['@type']).flatMap((type) =>
    typeof type === 'string' ? (type.split(/[/#:]/).at(-1) ?? []) : [],
  )
const isOf = (value: JsonRecord, type: string): boolean => typesOf(value).includes(type)

export const isSchemaOrg = (value: unknown): boolean =>
  recordsIn(value).some(
    (item) =>
      '@type' in item ||
      '@graph' in item ||
      /schema\.org/.test(JSON.stringify(item['@context'] ?? '').slice(0, 1000)),
  )

/** Every reservation, wherever it is in the value. */
function* reservationsIn(value: unknown, depth = 0): Generator<JsonRecord> {
  if (depth > DEPTH_AT_MOST) return
  if (Array.isArray(value)) for (const item of value) yield* reservationsIn(item, depth + 1)
  else if (isRecord(value)) {
    const isReservation = typesOf(value).some((type) => /Reservation$/.test(type))
    if (isReservation) yield value
    const inner = isReservation ? [value['subReservation']] : Object.values(value)
    for (const item of inner) if (typeof item === 'object') yield* reservationsIn(item, depth + 1)
  }
}

export function reservationRecords(items: unknown, context: Context): SourceRecord[] {
  const records: SourceRecord[] = []
  const ids = new Map<string, number>()
  let count = 0
  for (const reservation of reservationsIn(items)) {
    if (++count > RESERVATIONS_AT_MOST) break
    for (const record of recordsOf(reservation, context)) {
      const id = record.flight?.externalId
      if (id) ids.set(id, (ids.get(id) ?? 0) + 1)
      if (!mergedInto(records, record)) records.push(record)
    }
  }
  for (const { flight } of records) {
    // An id that several flights share belongs to the booking.
    if (flight?.externalId && ids.get(flight.externalId)! > 1) flight.externalId = null
  }
  if (records.length > 1) for (const { flight } of records) if (flight) delete flight.price
  return records
}

function* recordsOf(reservation: JsonRecord, context: Context): Generator<SourceRecord> {
  const flights = recordsIn(reservation['reservationFor']).filter(
    (item) => isOf(item, 'Flight') || !('@type' in item),
  )
  if (!isOf(reservation, 'FlightReservation') && !isOf(reservation, 'Reservation')) {
    // A package contains its flights; a hotel is not a flight.
    if (!isOf(reservation, 'ReservationPackage'))
      yield { line: null, raw: typesOf(reservation).join(', '), skip: 'not_a_flight' }
    return
  }
  // The bar code of the ticket has the flight.
  if (flights.length === 0 && passesOf(reservation, context).length > 0) flights.push({})
  if (flights.length === 0 && isOf(reservation, 'FlightReservation'))
    yield { line: null, raw: 'A flight reservation without a flight.', error: { code: 'unreadable_row' } }
  for (const flight of flights) yield* recordsOfFlight(reservation, flight, context)
}

function* recordsOfFlight(
  reservation: JsonRecord,
  leg: JsonRecord,
  context: Context,
): Generator<SourceRecord> {
  const passes = passesOf(reservation, context)
  const warnings: ImportWarning[] = []
  const flight = flightOf(reservation, leg, context, warnings)
  const status = statusOf(reservation)
  const isCancelled = /cancell?ed$/.test(status) || (status !== 'confirmed' && context.isCancelled === true)
  if (flight.from === null && flight.to === null && passes.some(({ flight: found }) => found))
    return yield* passes.map((pass) => (isCancelled ? withdrawn(pass) : confirmed(pass, status)))
  const own =
    passes.find(({ flight: found }) => found && isSameRoute(found, flight)) ??
    (passes.length === 1 ? passes[0] : undefined)
  if (own?.flight) fillFrom(flight, own.flight)
  if (!isCancelled && !isConfirmed(status, own !== undefined)) warnings.push(notConfirmed)
  const hasDate = flight.date !== null || !!flight.departure
  yield {
    line: null,
    raw: writtenLeg(flight, status),
    flight: isCancelled ? { ...flight, outcome: 'cancelled' } : flight,
    ...(isCancelled && { skip: 'cancelled' as const }),
    ...(!hasDate && { error: { code: 'bad_date' as const, value: textIn(leg['departureTime']) ?? '' } }),
    ...(warnings.length > 0 && { warnings }),
  }
}

// The pass has all facts about the flight, and the booking has the status.

export const withdrawn = (record: SourceRecord): SourceRecord =>
  record.flight
    ? { ...record, flight: { ...record.flight, outcome: 'cancelled' }, skip: 'cancelled' }
    : record

const confirmed = (pass: SourceRecord, status: string): SourceRecord =>
  isConfirmed(status, true) ? pass : { ...pass, warnings: [...(pass.warnings ?? []), notConfirmed] }

const notConfirmed: ImportWarning = { code: 'not_confirmed', field: null }

/** The status must be given, because offers and requests use the same form. A boarding pass proves a check-in. */
const isConfirmed = (status: string, hasPass: boolean): boolean =>
  status === 'confirmed' || (hasPass && status !== 'hold' && status !== 'pending')

/** `http://schema.org/ReservationConfirmed`, `Confirmed`, `ReservationStatusType/Hold`. */
const statusOf = (reservation: JsonRecord): string =>
  (textIn(reservation['reservationStatus']) ?? '')
    .split(/[/#:]/)
    .at(-1)!
    .replace(/^Reservation/i, '')
    .toLowerCase()

function flightOf(
  reservation: JsonRecord,
  leg: JsonRecord,
  { options }: Context,
  warnings: ImportWarning[],
): SourceFlight {
  const airline = carrierOf(leg['airline'] ?? leg['provider'] ?? leg['seller'])
  const operating = carrierOf(leg['operatedBy'])
  const departure = timeOf(leg['departureTime'])
  const arrival = timeOf(leg['arrivalTime'])
  const number = textIn(leg['flightNumber'])?.replace(/\s+/g, '') ?? null
  const isOther = operating !== null && operating.text !== airline?.text
  return {
    date: dateOf(leg, departure),
    from: placeOf(leg['departureAirport']),
    to: placeOf(leg['arrivalAirport']),
    airline,
    flightNumber: number === null ? null : joinedNumber(airline?.codes[0] ?? null, number),
    operatingAirline: isOther ? operating : null,
    aircraft: aircraftOf(leg['aircraft']),
    departure,
    arrival,
    departureScheduled: departure,
    arrivalScheduled: arrival,
    departureTerminal: textIn(leg['departureTerminal']),
    departureGate: textIn(leg['departureGate']),
    arrivalTerminal: textIn(leg['arrivalTerminal']),
    arrivalGate: textIn(leg['arrivalGate']),
    bookingReference: options.bookingReference === false ? null : referenceOf(reservation),
    price: priceOf(reservation),
    extras: extrasOf({ 'Boarding group': textIn(reservation['boardingGroup']) }),
    ...travellersOf(reservation, warnings),
    externalId: idOf(reservation),
  }
}

const referenceOf = (reservation: JsonRecord): string | null =>
  textIn(reservation['reservationNumber']) ?? textIn(reservation['reservationId'])

/** Only a URL or a URN: other ids belong to the booking and are not globally unique. */
const idOf = (reservation: JsonRecord): string | null => {
  const id = textIn(reservation['@id'])
  return id !== null && /^(?:https?:|urn:|mailto:)/i.test(id) && id.length <= 200 ? id : null
}

function placeOf(value: unknown): Named | null {
  const place = recordIn(value)
  if (!place) return airportNamed(textIn(value))
  const name = textIn(place['name'])
  const codes = [textIn(place['iataCode']), textIn(place['icaoCode'])]
  return codes.some((code) => code !== null)
    ? namedBy(codes, name)
    : airportNamed(name ?? textIn(place['identifier']))
}

function carrierOf(value: unknown): Named | null {
  const carrier = recordIn(value)
  if (!carrier) return airlineNamed(textIn(value))
  const codes = [textIn(carrier['iataCode']), textIn(carrier['icaoCode'])]
  const name = textIn(carrier['name'])
  return codes.some((code) => code !== null) ? namedBy(codes, name) : airlineNamed(name)
}

function aircraftOf(value: unknown): Named | null {
  const aircraft = recordIn(value)
  return aircraftText(
    aircraft
      ? (textIn(aircraft['iataCode']) ?? textIn(aircraft['model']) ?? textIn(aircraft['name']))
      : textIn(value),
  )
}

const aircraftText = (text: string | null): Named | null => (text === null ? null : aircraftNamed(text))

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

/** `02-02-2018 18:35`: some senders do not write ISO 8601. */
const OTHER_DATE_TIME = /^\d{1,2}[-./]\d{1,2}[-./]\d{4}[T ,]+\d{1,2}:\d{2}/

/** ISO 8601 with an offset. Without one, the time is the airport's; some senders mean that by `Z`, too. */
function timeOf(value: unknown): SourceTime | null {
  const text = textIn(value) ?? ''
  const [, date = '', clock, seconds, zone] = DATE_TIME.exec(text) ?? []
  if (clock === undefined || !isCalendarDate(date))
    return OTHER_DATE_TIME.test(text) ? (readSourceTime(text) ?? null) : null
  const named = isRecord(value) ? timeZoneNamed(textIn(value['timezone']) ?? '') : undefined
  const time = {
    date: { iso: date, precision: 'day' as const },
    clock: seconds && seconds !== '00' ? `${clock}:${seconds}` : clock,
  }
  if (zone === undefined) return { ...time, zone: named ?? 'local' }
  if (/^Z$|^[+-]00:?00$/i.test(zone)) return { ...time, zone: 'utc', mayBeLocal: true }
  return { ...time, zone: zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2') }
}

/** The written day, unless it follows from the instant and the airport's zone. */
function dateOf(leg: JsonRecord, departure: SourceTime | null): SourceFlight['date'] {
  if (departure) return departure.zone === 'local' ? departure.date : null
  const written =
    DATE_TIME.exec(textIn(leg['departureTime']) ?? '')?.[1] ??
    textIn(leg['departureDay']) ??
    textIn(leg['departureDate'])
  return written !== null && written !== undefined && isCalendarDate(written)
    ? { iso: written, precision: 'day' }
    : null
}

function priceOf(reservation: JsonRecord): Price | null {
  const amount = (textIn(reservation['totalPrice']) ?? textIn(reservation['price']) ?? '').replace(
    /^[A-Z]{3}\s*/,
    '',
  )
  const currency = textIn(reservation['priceCurrency']) ?? ''
  return isAmount(amount) && isCurrency(currency) ? { amount, currency } : null
}

type Travellers = Pick<SourceFlight, 'passengers' | 'areAllNamed'>

function travellersOf(reservation: JsonRecord, warnings: ImportWarning[]): Travellers {
  const tickets = recordsIn(reservation['reservedTicket'])
  const seated = [reservation, ...tickets].map((item) => recordIn(item['ticketedSeat'])).find((seat) => seat)
  const seatNumber = textIn(reservation['airplaneSeat']) ?? textIn(seated?.['seatNumber'])
  const cabin = reservation['airplaneSeatClass'] ?? seated?.['seatingType'] ?? seated?.['seatSection']
  const seatClass = readSeatClass(textIn(recordIn(cabin)?.['name']) ?? textIn(cabin), warnings)
  const names = listOf(reservation['underName'] ?? tickets[0]?.['underName']).flatMap(
    (person) => nameOf(person) ?? [],
  )
  if (names.length === 0) return { passengers: [{ who: { kind: 'self' }, seatNumber, seatClass }] }
  const isAlone = names.length === 1
  const passengers = names.map(
    (name): SourcePerson => ({
      who: { kind: 'named', name },
      seatNumber: isAlone ? seatNumber : null,
      seatClass,
    }),
  )
  return { passengers, areAllNamed: true }
}

function nameOf(person: unknown): string | null {
  if (!isRecord(person)) return textIn(person)
  const parts = [textIn(person['givenName']), textIn(person['familyName'])].filter((part) => part !== null)
  return textIn(person['name']) ?? (parts.length > 0 ? parts.join(' ') : null)
}

/** `aztecCode:M1…`: the text of the pass's bar code. It gives access to the booking and is not kept. */
function passesOf(reservation: JsonRecord, context: Context): SourceRecord[] {
  const tickets = [reservation, ...recordsIn(reservation['reservedTicket'])]
  const token = tickets.map((ticket) => textOfToken(ticket['ticketToken'])).find((text) => text !== null)
  return token == null ? [] : recordsOfPass(token, context).filter(({ flight, error }) => flight && !error)
}

/** Blanks in a bar code are significant, so they are not trimmed. */
const textOfToken = (value: unknown): string | null =>
  typeof value === 'string'
    ? (/^\s*(?:aztec(?:code)?|qr(?:code)?|pdf417(?:code)?|barcode\w*):(?!\/\/)(.+)$/is.exec(value)?.[1] ??
      null)
    : null

const codeOf = (named: Named | null | undefined): string =>
  named?.codes[0] ?? named?.text.toLowerCase() ?? '?'

const isSameRoute = (a: SourceFlight, b: SourceFlight): boolean =>
  codeOf(a.from) === codeOf(b.from) && codeOf(a.to) === codeOf(b.to)

function fillFrom(flight: SourceFlight, pass: SourceFlight): void {
  if (flight.date === null && !flight.departure)
    Object.assign(flight, { date: pass.date, yearGuess: pass.yearGuess })
  flight.flightNumber ??= pass.flightNumber ?? null
  const [person, seen] = [flight.passengers?.[0], pass.passengers?.[0]]
  if (!person || !seen || flight.passengers!.length > 1) return
  if (person.who.kind === 'self' && seen.who.kind === 'named') {
    person.who = seen.who
    flight.areAllNamed = true
  }
  person.seatNumber ??= seen.seatNumber ?? null
  person.seatClass ??= seen.seatClass ?? null
}

// People of one flight

const dayOf = ({ date, departure }: SourceFlight): string => {
  const day = date ?? departure?.date
  return day && 'iso' in day ? day.iso : (day?.text ?? '?')
}

const keyOf = (flight: SourceFlight): string => {
  const number = (flight.flightNumber ?? '?').toUpperCase().replace(/^([A-Z0-9]{2}|[A-Z]{3})0+(?=\d)/, '$1')
  return [number, dayOf(flight), codeOf(flight.from), codeOf(flight.to)].join(' ')
}

/** Adds the people of a record to those of an earlier one of the same flight. False if there is none. */
function mergedInto(records: readonly SourceRecord[], given: SourceRecord): boolean {
  const { flight, skip } = given
  if (!flight) return false
  const earlier = records.find(
    (record) => record.flight && record.skip === skip && keyOf(record.flight) === keyOf(flight),
  )
  if (!earlier?.flight) return false
  addPeople(earlier.flight, flight)
  addDoubt(earlier, given)
  return true
}

/** The flight counts as confirmed only if both records confirm it. */
export function addDoubt(into: SourceRecord, from: SourceRecord): void {
  const isDoubtful = ({ warnings = [] }: SourceRecord) =>
    warnings.some(({ code }) => code === 'not_confirmed')
  if (isDoubtful(from) && !isDoubtful(into)) into.warnings = [...(into.warnings ?? []), notConfirmed]
}

/** Adds the people of the second flight who are not on the first, and the seats that the first does not name. */
export function addPeople(into: SourceFlight, from: SourceFlight): void {
  const people = [...(into.passengers ?? [])]
  for (const person of from.passengers ?? []) {
    const index = people.findIndex((known) => isSamePerson(known, person))
    const known = people[index]
    if (known)
      people[index] = {
        ...known,
        seatNumber: known.seatNumber ?? person.seatNumber ?? null,
        seatClass: known.seatClass ?? person.seatClass ?? null,
      }
    else if (person.who.kind === 'named') people.push(person)
  }
  into.passengers = people
  if (from.areAllNamed && people.every(({ who }) => who.kind === 'named')) into.areAllNamed = true
}

function isSamePerson({ who: a }: SourcePerson, { who: b }: SourcePerson): boolean {
  if (a.kind !== 'named' || b.kind !== 'named')
    return a.kind === b.kind || a.kind === 'self' || b.kind === 'self'
  return a.name === b.name || isTraveller(a.name, b.name) === 'same' || isTraveller(b.name, a.name) === 'same'
}

export const isSameFlight = (a: SourceFlight, b: SourceFlight): boolean => keyOf(a) === keyOf(b)

// Display

const written = (time: SourceTime | null | undefined): string | null =>
  time
    ? `${time.date && 'iso' in time.date ? `${time.date.iso} ` : ''}${time.clock}${time.zone === 'local' ? '' : ` ${time.zone}`}`
    : null

/** For people to recognise the leg; without the bar code and the ticket number. */
function writtenLeg(flight: SourceFlight, status: string): string {
  const { flightNumber, airline, from, to, departure, arrival, passengers = [] } = flight
  const people = passengers.flatMap(({ who, seatNumber }) =>
    who.kind === 'named' ? `${who.name}${seatNumber ? ` (${seatNumber})` : ''}` : [],
  )
  const lines = extrasOf({
    Flight: [flightNumber, airline?.text].filter(Boolean).join(', '),
    Route: `${from?.text ?? '?'} – ${to?.text ?? '?'}`,
    Departure: written(departure) ?? dayOf(flight),
    Arrival: written(arrival),
    People: people.join(', '),
    Status: status,
  })
  return lines.map(([label, value]) => `${label}: ${value}`).join('\n')
}

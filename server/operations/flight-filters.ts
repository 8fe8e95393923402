// The filters of a log, declared once: lists, search, statistics, exports and feeds take the same ones. They are read
// from a query or from JSON, and what they mean is resolved when they are used, so that stored ones stay true.
import { hash } from 'node:crypto'
import * as z from 'zod'
import { credentialMay, roleMayUse } from '../auth/principal.ts'
import { badRequest } from '../base/errors.ts'
import { daysOf } from '../domain/code-periods.ts'
import { countryNamed, isCountry, shownCountry } from '../domain/countries.ts'
import {
  type FlightOrder,
  type FlightTime,
  flightOrders,
  flightReasons,
  outcomes,
  seatClasses,
} from '../domain/enums.ts'
import { bareNumber, flightNumberSpellings } from '../domain/flight-number.ts'
import { problem } from '../domain/reasons.ts'
import { instantOf } from '../domain/time.ts'
import type { Call } from '../operation.ts'
import {
  aircraftTypes,
  airlines,
  airports,
  type Coded,
  havingName,
  type Kind,
  listHolders,
  resolveAll,
  type Source,
} from '../resolve/reference.ts'
import { MAX_ID } from '../store/codecs.ts'
import { flyTogether } from '../store/companions.ts'
import {
  FILTER_LIST_AT_MOST,
  type FlightFilter,
  type Place,
  searchFlightRows,
} from '../store/flight-filters.ts'
import { foldRows, type JoinedRow, listFlightRows, type StoredFlight } from '../store/flights.ts'
import { existingPeople } from '../store/people.ts'
import { PEOPLE, readRevisions } from '../store/revisions.ts'
import { type AudienceInput, audienceOf, audienceRevision } from './audience.ts'
import { CalendarDate, DateTime, Truth } from './schemas.ts'

// How they are given

const VALUES_AT_MOST = 20

const Text = z.string().trim().min(1).max(200)

/** One value or several, of which one must match. In a query the parameter is repeated. */
const several = (description: string) =>
  z
    .preprocess(
      (given) => (given === undefined || Array.isArray(given) ? given : [given]),
      z.array(Text).min(1).max(VALUES_AT_MOST),
    )
    .optional()
    .describe(description)

const digits = /^\d{1,10}$/

/** Every filter by itself. Those that take several values are resolved by code or id. */
export const flightFilterShape = {
  dateFrom: CalendarDate.optional().describe('First day, YYYY-MM-DD.'),
  dateTo: CalendarDate.optional().describe('Last day, YYYY-MM-DD.'),
  updatedSince: DateTime.optional().describe(
    'Changed at this time or later. It cannot show deleted flights: to keep a copy, read `/changes`.',
  ),
  airport: several('Departed from or arrived at: code or id.'),
  from: several('Departed from: code or id.'),
  to: several('Arrived at: code or id.'),
  airline: several('Code or id.'),
  aircraft: several('Type, by code or id.'),
  flightNumber: Text.optional().describe('Such as SK909; digits alone match any airline.'),
  aircraftReg: Text.optional().describe('Registration of the aircraft, such as OY-KAL.'),
  country: several('Departed from or arrived in: two letters, ISO 3166-1.'),
  passenger: z.string().min(1).max(200).optional().describe('Id of a user who is on the flight.'),
  hasTrack: Truth.optional().describe('Whether a recorded track exists.'),
  seatClass: z
    .enum(seatClasses)
    .optional()
    .describe('Of the person whose log is read; with `scope=all`, of any passenger.'),
  reason: z
    .enum(flightReasons)
    .optional()
    .describe('Of the person whose log is read; with `scope=all`, of any passenger.'),
  outcome: z.enum(outcomes).optional().describe('How the flight ended.'),
  importId: z
    .preprocess(
      (given) => (typeof given === 'string' && digits.test(given) ? Number(given) : given),
      z.int().min(1).max(MAX_ID),
    )
    .optional()
    .describe('The import that added it.'),
  externalSource: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,31}$/)
    .optional()
    .describe('You have set an external id of this source.'),
}

export const Order = z
  .enum(flightOrders)
  .default('newest')
  .describe('By date, or `updated`: by last change, oldest first.')

/** Filters as an object, to be kept with what uses them. What it parses to can be stored as JSON and parsed again. */
export const FlightFilters = z.strictObject(flightFilterShape)
export type FlightFilters = z.output<typeof FlightFilters>

/** Filters that are for programs and not offered to assistants: their questions rarely need them. */
export const filtersForPrograms = [
  'updatedSince',
  'passenger',
  'hasTrack',
  'importId',
  'externalSource',
] as const satisfies (keyof FlightFilters)[]

export const filterNames = Object.keys(flightFilterShape) as (keyof FlightFilters)[]

/** What only a search takes. */
const searchNames = ['text', 'date', 'person', 'when'] as const
interface SearchFilters extends FlightFilters {
  text?: string | undefined
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  date?: string | undefined
  person?: string | undefined
  when?: FlightTime | undefined
}

/** Which flights a request is about, and in which order. */
export interface Selection {
  /** Undefined if there are none. */
  filters: SearchFilters | undefined
  order: FlightOrder
}
export type SelectionInput = AudienceInput & SearchFilters & { order?: FlightOrder | undefined }

export function selectionOf(input: SelectionInput): Selection {
  const given = [...filterNames, ...searchNames].filter((name) => input[name] !== undefined)
  const filters = Object.fromEntries(given.map((name) => [name, input[name]])) as SearchFilters
  // What is still to come is asked for because of the next flight.
  const usual = input.when === 'upcoming' ? 'oldest' : 'newest'
  return { filters: given.length === 0 ? undefined : filters, order: input.order ?? usual }
}

/** One text for equal selections, empty for the plain list. It is short enough for a cursor. */
export function selectionKey({ filters, order }: Selection): string {
  if (filters === undefined) return order === 'newest' ? '' : order
  return `${hash('sha1', JSON.stringify(filters), 'base64url').slice(0, 16)}${order}`
}

/** Everything that a read of these flights depends on. */
export async function selectionRevision(call: Call<SelectionInput>): Promise<string> {
  const selection = selectionOf(call.input)
  const { externalSource, passenger } = selection.filters ?? {}
  const { reference } = call.principal.revisions
  // External ids are the caller's own in every log, and a response must not confirm a user to a key that may not know them.
  const isReaders = externalSource !== undefined || passenger !== undefined
  const reader = isReaders ? `${call.principal.user.id}.${mayKnowPeople(call.principal)}` : ''
  const meaning = `${namesRecords(selection.filters) ? reference : ''}.${await peopleMeant(call)}`
  return `${await audienceRevision(call)}/${selectionKey(selection)}/${reader}/${meaning}`
}

/** Whether any record of the instance may decide what the filters mean, not only those that the flights refer to. */
export const namesRecords = (filters: SearchFilters = {}): boolean =>
  (['airport', 'from', 'to', 'airline', 'aircraft'] as const).some((name) => filters[name] !== undefined)

/** The same for people: a new account may be meant by a name from now on. */
async function peopleMeant({ input, db }: Call<SelectionInput>): Promise<number | ''> {
  const isAnyone = input.person !== undefined || input.passenger !== undefined
  return isAnyone ? (await readRevisions(db, [PEOPLE]))[0]! : ''
}

// What they mean

/** For whom filters are resolved. */
interface FilterReader extends Source {
  /** Whose external ids are meant. */
  userId: string
  /** Whether the reader may learn that a user does not exist. */
  knowsPeople: boolean
  /** The filters were checked when they were given, and are kept. */
  isStored?: boolean
  /** Airports, airlines, aircraft types and countries may be given by name; what each was taken for is added here. */
  matched?: Matched
}

/** What each filter was taken for, as text: `SK SAS Scandinavian Airlines`. */
export type Matched = Record<string, string[]>

export const filterReader = ({
  db,
  services,
  principal,
}: Pick<Call, 'db' | 'services' | 'principal'>): FilterReader => ({
  db,
  reference: services.reference,
  revision: principal.revisions.reference,
  userId: principal.user.id,
  knowsPeople: mayKnowPeople(principal),
})

const mayKnowPeople = (principal: Call['principal']): boolean =>
  (['users.directory.read', 'flight.read.any'] as const).some(
    (scope) => credentialMay(principal, scope) && roleMayUse(principal, scope),
  )

/**
 * Filters as the store takes them. A code stands for every record that has or had it, and a city's code for all its
 * airports: which of them was meant shows in the flights.
 */
export async function resolveFilters(reader: FilterReader, given: SearchFilters): Promise<FlightFilter> {
  const number = given.flightNumber
  const bare = number === undefined ? undefined : bareNumber(number)
  return {
    ...datesOf(given),
    updatedSince: given.updatedSince === undefined ? undefined : recordTime(given.updatedSince),
    airportIds: await recordIds(reader, airports, 'airport', given.airport),
    fromIds: await recordIds(reader, airports, 'from', given.from),
    toIds: await recordIds(reader, airports, 'to', given.to),
    airlineIds: await recordIds(reader, airlines, 'airline', given.airline),
    aircraftIds: await recordIds(reader, aircraftTypes, 'aircraft', given.aircraft),
    flightNumbers: number !== undefined && bare === undefined ? flightNumberSpellings(number) : undefined,
    bareNumber: bare,
    aircraftReg: given.aircraftReg?.toUpperCase().replace(/[\s-]/g, ''),
    countries: given.country?.map((text) => requireCountry(reader, text)),
    passengerId: await requirePassenger(reader, given.passenger),
    hasTrack: given.hasTrack,
    seatClass: given.seatClass,
    reason: given.reason,
    outcome: given.outcome,
    importId: given.importId,
    external:
      given.externalSource === undefined
        ? undefined
        : { userId: reader.userId, source: given.externalSource },
    text: given.text,
  }
}

/**
 * A flight that is known by its month or year only is in a range if its first day is. In a `date` it is if all of it is:
 * a flight of 2019 did not take place in January 2019.
 */
function datesOf({ dateFrom, dateTo, date }: SearchFilters): FlightFilter {
  if (date === undefined) return { dateFrom, dateTo }
  const precision = date.length === 4 ? 'year' : date.length === 7 ? 'month' : 'day'
  const { first, last } = daysOf(date.padEnd(10, '-01'), precision)
  return {
    dateFrom: dateFrom !== undefined && dateFrom > first ? dateFrom : first,
    dateTo: dateTo !== undefined && dateTo < last ? dateTo : last,
    precisions: precision === 'year' ? undefined : precision === 'month' ? ['day', 'month'] : ['day'],
  }
}

/** The rows of a page of the flights that a request is about. The plain list has a statement of its own, which is the fastest. */
export async function listSelectedRows(
  call: Call<SelectionInput>,
  filter: FlightFilter | undefined,
  order: FlightOrder,
  after: Place,
  limit: number,
): Promise<JoinedRow[]> {
  const audience = audienceOf(call.principal, call.input)
  return filter === undefined && order === 'newest'
    ? listFlightRows(call.db, audience, { date: after.key, id: after.id }, limit)
    : searchFlightRows(call.db, audience, filter ?? {}, { order, after, limit })
}

/** The same as flights. */
export const listSelected = async (...page: Parameters<typeof listSelectedRows>): Promise<StoredFlight[]> =>
  foldRows(await listSelectedRows(...page))

/** The filters of a request; undefined if there are none. */
export const filterOf = async (call: Call<SelectionInput>): Promise<FlightFilter | undefined> => {
  const { filters } = selectionOf(call.input)
  return filters && resolveFilters(filterReader(call), filters)
}

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** As times of record are stored: they are compared as text. */
const recordTime = (text: string): string =>
  new Date(Math.max(0, Math.min(instantOf(text), LAST_MOMENT))).toISOString()

const noMatch = (parameter: string, value: string, near: readonly string[] = []) =>
  badRequest(
    near.length > 0
      ? problem('parameter_nearly_matches', { parameter, value, near: near.join(', ') })
      : problem('parameter_matches_nothing', { parameter, value }),
  )

function requireCountry({ matched }: FilterReader, text: string): string {
  const upper = text.toUpperCase()
  const code = isCountry(upper) ? upper : matched && countryNamed(text)
  if (code === undefined) throw noMatch('country', text)
  if (matched) note(matched, 'country', [shownCountry(code)])
  return code
}

/** A user whom the reader may not know, and never flew with, is not confirmed: it is as if there were none. */
async function requirePassenger(reader: FilterReader, userId: string | undefined) {
  if (userId !== undefined && !reader.isStored && !(await isKnownUser(reader, userId)))
    throw noMatch('passenger', userId)
  return userId
}

const isKnownUser = async (
  { db, knowsPeople, userId: readerId }: FilterReader,
  userId: string,
): Promise<boolean> =>
  knowsPeople
    ? (await existingPeople(db, [userId])).has(userId)
    : userId === readerId || (await flyTogether(db, readerId, userId))

async function recordIds<Item extends Coded>(
  reader: FilterReader,
  kind: Kind<Item>,
  parameter: string,
  texts: readonly string[] | undefined,
): Promise<number[] | undefined> {
  if (texts === undefined) return undefined
  const ids = new Set<number>()
  for (const text of texts) {
    const meant = await idsOf(reader, kind, text)
    if (meant.length === 0) throw noMatch(parameter, text, await nearNames(reader, kind, text))
    for (const id of meant) ids.add(id)
  }
  const all = [...ids].slice(0, FILTER_LIST_AT_MOST)
  if (reader.matched) note(reader.matched, parameter, await shownInOrder(reader, kind, all))
  return all
}

async function shownInOrder<Item extends Coded>({ db }: FilterReader, kind: Kind<Item>, ids: number[]) {
  const byId = new Map((await kind.findByIds(db, ids)).map((record) => [record.id, record]))
  return ids.flatMap((id) => {
    const record = byId.get(id)
    return record ? [shownRecord(record)] : []
  })
}

/**
 * Digits alone are an id, even where they are a code too: programs send what they have read. In a search, “737” is rather
 * the family of aircraft.
 */
async function idsOf<Item extends Coded>(
  reader: FilterReader,
  kind: Kind<Item>,
  text: string,
): Promise<number[]> {
  if (digits.test(text)) {
    const family = reader.matched && kind.table === 'aircraft' ? await partlyNamed(reader, kind, text) : []
    return idsIn(family.length > 0 ? family : await kind.findByIds(reader.db, [Number(text)]))
  }
  const holders = kind.places && reader.matched ? [] : await listHolders(reader.db, kind, text)
  if (!reader.matched || holders.length > 0) return idsIn(holders)
  if (kind.table === 'airline') return idsIn(await airlinesNamed(reader, kind, text))
  const found = await resolveAll(reader, kind, text)
  if (kind.places || codeForm.test(text) || found.length < 2) return found
  const whole = await havingName(reader.db, kind, await kind.findByIds(reader.db, found), text)
  return whole.length > 0 ? idsIn(whole) : found
}
const codeForm = /^[a-z0-9]{2,4}$/i
const idsIn = (records: readonly Coded[]): number[] => records.map(({ id }) => id)

/**
 * “Lufthansa” is the airline of that name and not its daughters; “Luft” is all of them. What a search finds besides is only
 * similar: there are so many airlines that every short text is.
 */
async function airlinesNamed<Item extends Coded>(reader: FilterReader, kind: Kind<Item>, text: string) {
  const found = await kind.search(reader, text)
  const whole = await havingName(reader.db, kind, found, text)
  const same = whole.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (whole.length > 0) return same.length > 0 ? same : whole
  const shortened = await havingName(reader.db, kind, found, text, kind.omitted)
  return shortened.length > 0 ? shortened : found.filter(({ name }) => beginsWords(name, text))
}

const partlyNamed = async <Item extends Coded>(reader: FilterReader, kind: Kind<Item>, text: string) =>
  (await kind.search(reader, text)).filter(({ name }) => beginsWords(name, text))

/** Whether each word of the text begins a word of the name, letter by letter but for accents. */
function beginsWords(name: string, text: string): boolean {
  const words = plainWords(name)
  return plainWords(text).every((typed) => words.some((word) => word.startsWith(typed)))
}
const plainWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

// What a name was taken for

const MATCHED_AT_MOST = 10

function note(matched: Matched, parameter: string, names: readonly string[]): void {
  const all = [...new Set([...(matched[parameter] ?? []), ...names])]
  const more = all.length - MATCHED_AT_MOST
  matched[parameter] = more > 0 ? [...all.slice(0, MATCHED_AT_MOST), `${more} more`] : all
}

const shownRecord = ({ iata, icao, name }: Coded): string => [iata ?? icao, name].filter(Boolean).join(' ')

const searches = {
  airport: 'searchAirports',
  airline: 'searchAirlines',
  aircraft: 'searchAircraft',
} as const

const NEAR_AT_MOST = 3
/** Too much is similar to a shorter word. */
const NEAR_FROM = 4

/** Names that were perhaps meant by a mistyped one. */
async function nearNames(
  { db, reference, revision, matched }: FilterReader,
  { table }: Pick<Kind<never>, 'table'>,
  text: string,
): Promise<string[]> {
  if (!matched || digits.test(text) || !plainWords(text).some((word) => word.length >= NEAR_FROM)) return []
  const found = await reference[searches[table]](db, revision, text, { nearMisses: true })
  return found.slice(0, NEAR_AT_MOST).map(shownRecord)
}

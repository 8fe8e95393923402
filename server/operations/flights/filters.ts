// The filters of a log, declared once for lists, search, statistics, exports and feeds. They are read from a query or
// from JSON, and resolved on each use, so that stored filters stay correct.
import { hash } from 'node:crypto'
import * as z from 'zod'
import { badRequest } from '../../base/errors.ts'
import {
  type FlightOrder,
  type FlightTime,
  flightOrders,
  flightReasons,
  outcomes,
  seatClasses,
} from '../../domain/enums.ts'
import { bareNumber, flightNumberSpellings } from '../../domain/flights/number.ts'
import { problem } from '../../domain/reasons.ts'
import { daysOf } from '../../domain/reference/code-periods.ts'
import { countryNamed, isCountry, shownCountry } from '../../domain/reference/countries.ts'
import type { Coded } from '../../domain/reference/resolution.ts'
import { everyMeaning } from '../../domain/reference/resolve.ts'
import { GivenRowId, idText } from '../../domain/row-id.ts'
import { wordsOf } from '../../domain/text/fold.ts'
import { instantOf } from '../../domain/time/time.ts'
import type { Call } from '../../door/operation.ts'
import { credentialMay, roleMayUse } from '../../services/access/principal.ts'
import {
  aircraftTypes,
  airlines,
  airports,
  indexOfText,
  type Kind,
  type Source,
} from '../../services/reference/resolve/records.ts'
import { PEOPLE, readRevisions } from '../../store/engine/revisions.ts'
import { flyTogether } from '../../store/flights/companions.ts'
import {
  FILTER_LIST_AT_MOST,
  type FlightFilter,
  type Place,
  searchFlightRows,
} from '../../store/flights/filters.ts'
import { foldRows, type JoinedRow, listFlightRows, type StoredFlight } from '../../store/flights/flights.ts'
import { existingPeople } from '../../store/people/people.ts'
import { CalendarDate, DateTime, Truth } from '../wire/schemas.ts'
import { type AudienceInput, audienceOf, audienceRevision } from './audience.ts'

// Filters as given

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

/** Every filter. Those that accept several values are resolved by code or id. */
export const flightFilterShape = {
  dateFrom: CalendarDate.optional().describe('First day, YYYY-MM-DD.'),
  dateTo: CalendarDate.optional().describe('Last day, YYYY-MM-DD.'),
  updatedSince: DateTime.optional().describe(
    'Changed at this time or later. It cannot show deleted flights: to keep a copy, read `/changes`.',
  ),
  airport: several('Departed from or arrived at: code, name or id.'),
  from: several('Departed from: code, name or id.'),
  to: several('Arrived at: code, name or id.'),
  airline: several('Code, name or id.'),
  aircraft: several('Type, by code, name or id.'),
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
  importId: GivenRowId.optional().describe('The import that added it.'),
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

/** Filters as an object, to be stored with what uses them. The parsed value can be stored as JSON and parsed again. */
export const FlightFilters = z.strictObject(flightFilterShape)
export type FlightFilters = z.output<typeof FlightFilters>

/** Filters for programs, not offered to assistants, who rarely need them. */
export const filtersForPrograms = [
  'updatedSince',
  'passenger',
  'hasTrack',
  'importId',
  'externalSource',
] as const satisfies (keyof FlightFilters)[]

export const filterNames = Object.keys(flightFilterShape) as (keyof FlightFilters)[]

/** For searches only. */
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
  // For upcoming flights, the next one matters most.
  const usual = input.when === 'upcoming' ? 'oldest' : 'newest'
  return { filters: given.length === 0 ? undefined : filters, order: input.order ?? usual }
}

/** A text that is equal for equal selections, and empty for the plain list. Short enough for a cursor. */
export function selectionKey({ filters, order }: Selection): string {
  if (filters === undefined) return order === 'newest' ? '' : order
  return `${hash('sha1', JSON.stringify(filters), 'base64url').slice(0, 16)}${order}`
}

/** The cache key for reading these flights. */
export async function selectionRevision(call: Call<SelectionInput>): Promise<string> {
  const selection = selectionOf(call.input)
  const { externalSource, passenger } = selection.filters ?? {}
  const { reference } = call.principal.revisions
  // External ids are private in every log, and a response must not reveal a user to a key that may not know them.
  const isReaders = externalSource !== undefined || passenger !== undefined
  const reader = isReaders ? `${call.principal.user.id}.${mayKnowPeople(call.principal)}` : ''
  const meaning = `${namesRecords(selection.filters) ? reference : ''}.${await peopleMeant(call)}`
  return `${await audienceRevision(call)}/${selectionKey(selection)}/${reader}/${meaning}`
}

/** Whether the meaning of the filters can depend on any record of the instance, not only on records in these flights. */
export const namesRecords = (filters: SearchFilters = {}): boolean =>
  (['airport', 'from', 'to', 'airline', 'aircraft'] as const).some((name) => filters[name] !== undefined)

/** The same for people: a name can match a new account. */
async function peopleMeant({ input, db }: Call<SelectionInput>): Promise<number | ''> {
  const isAnyone = input.person !== undefined || input.passenger !== undefined
  return isAnyone ? (await readRevisions(db, [PEOPLE]))[0]! : ''
}

// Resolving filters

/** The reader for whom filters are resolved. */
interface FilterReader extends Source {
  /** The owner of the external ids. */
  userId: string
  /** Whether the reader may learn that a user does not exist. */
  knowsPeople: boolean
  /** The filters are stored ones, which were checked before. */
  isStored?: boolean
  /** If set, similar names count and countries may be given by name; the matches are added to it. */
  matched?: Matched
}

/** The matches of each filter, as text: `SK SAS Scandinavian Airlines`. */
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
 * Filters in the store's form. A code matches every record that has or had it, and a city's code or name all of its airports:
 * the results show which one was meant.
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
 * A flight with only a month or year is in a range if its first day is. It matches a `date` only if it lies
 * completely within it: a flight of 2019 is not known to be in January 2019.
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

/** A page of rows of the flights that a request is about. The plain list has its own statement, which is the fastest. */
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

/** The same, as flights. */
export const listSelected = async (...page: Parameters<typeof listSelectedRows>): Promise<StoredFlight[]> =>
  foldRows(await listSelectedRows(...page))

/** The filters of a request; undefined if there are none. */
export const filterOf = async (call: Call<SelectionInput>): Promise<FlightFilter | undefined> => {
  const { filters } = selectionOf(call.input)
  return filters && resolveFilters(filterReader(call), filters)
}

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** In the form in which recording times are stored, because they are compared as text. */
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

/** A user whom the reader may not know and never flew with is treated as unknown. */
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
    : userId === readerId || (await flyTogether(db, { userId: readerId, otherId: userId }))

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
 * A number is an id, even if it is also a code: programs send what they have read. In a search, “737” is
 * more likely the aircraft family.
 */
async function idsOf<Item extends Coded>(
  reader: FilterReader,
  kind: Kind<Item>,
  text: string,
): Promise<number[]> {
  if (idText.test(text)) {
    const family = reader.matched && kind.table === 'aircraft' ? await partlyNamed(reader, kind, text) : []
    return idsIn(family.length > 0 ? family : await kind.findByIds(reader.db, [Number(text)]))
  }
  const index = await indexOfText(reader, kind, text)
  const meant = everyMeaning(index, text, kind.table, { isSearch: reader.matched !== undefined })
  if (meant.length > 0 || kind.table === 'aircraft' || !reader.matched) return idsIn(meant)
  // Name search always finds similar airlines, because there are so many. “Luft” means all that begin with it.
  return idsIn(
    kind.table === 'airport' ? await kind.search(reader, text) : await partlyNamed(reader, kind, text),
  )
}
const idsIn = (records: readonly Coded[]): number[] => records.map(({ id }) => id)

const partlyNamed = async <Item extends Coded>(reader: FilterReader, kind: Kind<Item>, text: string) =>
  (await kind.search(reader, text)).filter(({ name }) => beginsWords(name, text))

/** Whether each word of the text is the beginning of a word in the name, ignoring accents. */
function beginsWords(name: string, text: string): boolean {
  const words = wordsOf(name)
  return wordsOf(text).every((typed) => words.some((word) => word.startsWith(typed)))
}

// Names and their matches

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
/** Shorter words are similar to too many names. */
const NEAR_FROM = 4

/** Names similar to one that may be mistyped. */
async function nearNames(
  { db, reference, revision, matched }: FilterReader,
  { table }: Pick<Kind<never>, 'table'>,
  text: string,
): Promise<string[]> {
  if (!matched || idText.test(text) || !wordsOf(text).some((word) => word.length >= NEAR_FROM)) return []
  const found = await reference[searches[table]](db, revision, text, { nearMisses: true })
  return found.slice(0, NEAR_AT_MOST).map(shownRecord)
}

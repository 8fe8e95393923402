// Airports, airlines, aircraft types and custom-field definitions: what flights refer to.
import { sql } from 'kysely'
import { flag, fromJson, isSet } from './codecs.ts'
import { locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { noteFlightsChanged } from './flight-writes.ts'
import { first, query, queryByList } from './query.ts'
import { bumpRevisions, nextCustomNumber, REFERENCE } from './revisions.ts'

/** Ids of records that people add themselves start here, far above any id of the shipped set. */
export const FIRST_CUSTOM_ID = 1_000_000_000
const MAX_ID = 2_147_483_647

export interface Airport {
  id: number
  icao: string
  iata: string | null
  name: string
  municipality: string | null
  latitude: number
  longitude: number
  timezone: string
  type: string
  continent: string
  country: string
  custom: boolean
  /** Codes that a closed airport had; absent where there were none. */
  formerCodes?: string[]
}
export interface Airline {
  id: number
  name: string
  icao: string | null
  iata: string | null
  iconPath: string | null
  active: boolean
}
export interface Aircraft {
  id: number
  name: string
  icao: string | null
}

const airportColumns = [
  'id',
  'icao',
  'iata',
  'name',
  'municipality',
  'latitude',
  'longitude',
  'timezone',
  'type',
  'continent',
  'country',
  'custom',
  'former_codes as formerCodes',
] as const
type AirportRow = Omit<Airport, 'custom' | 'formerCodes'> & { custom: 0 | 1; formerCodes: string }
function toAirport({ formerCodes, ...row }: AirportRow): Airport {
  const airport = { ...row, custom: isSet(row.custom) }
  return formerCodes === '[]' ? airport : { ...airport, formerCodes: fromJson<string[]>(formerCodes) }
}

const airlineColumns = ['id', 'name', 'icao', 'iata', 'icon_path as iconPath', 'active'] as const
type AirlineRow = Omit<Airline, 'active'> & { active: 0 | 1 }
const toAirline = (row: AirlineRow): Airline => ({ ...row, active: isSet(row.active) })

const aircraftColumns = ['id', 'name', 'icao'] as const

const possible = (ids: readonly number[]) => [...new Set(ids)].filter((id) => id >= 1 && id <= MAX_ID)

const airportsByIds = queryByList<number, AirportRow>((db, ids) =>
  db.selectFrom('airport').select(airportColumns).where('id', 'in', ids),
)
export const findAirports = async (db: Executor, ids: readonly number[]): Promise<Airport[]> =>
  (await airportsByIds(db, possible(ids))).map(toAirport)

const airlinesByIds = queryByList<number, AirlineRow>((db, ids) =>
  db.selectFrom('airline').select(airlineColumns).where('id', 'in', ids),
)
export const findAirlines = async (db: Executor, ids: readonly number[]): Promise<Airline[]> =>
  (await airlinesByIds(db, possible(ids))).map(toAirline)

const aircraftByIds = queryByList<number, Aircraft>((db, ids) =>
  db.selectFrom('aircraft').select(aircraftColumns).where('id', 'in', ids),
)
export const findAircraft = (db: Executor, ids: readonly number[]): Promise<Aircraft[]> =>
  aircraftByIds(db, possible(ids))

// By code, for programs that do not know our ids. Upper case; the caller normalises.

const airportByCode = query<{ code: string }, AirportRow & { byIcao: number }>((db, p) =>
  db
    .selectFrom('airport')
    .select(airportColumns)
    .select((eb) => eb.case().when('icao', '=', p.code).then(1).else(0).end().as('byIcao'))
    .where((eb) => eb.or([eb('icao', '=', p.code), eb('iata', '=', p.code)])),
)
/** ICAO first, then IATA; a custom airport only where no shipped one has the code; an open one before a closed one. */
export async function findAirportByCode(db: Executor, code: string): Promise<Airport | undefined> {
  const rows = await airportByCode(db, { code: code.toUpperCase() })
  const best = rows.sort(
    (a, b) =>
      b.byIcao - a.byIcao ||
      a.custom - b.custom ||
      flag(a.type === 'closed') - flag(b.type === 'closed') ||
      a.id - b.id,
  )[0]
  if (!best) return undefined
  const { byIcao: _, ...row } = best
  return toAirport(row)
}

const airportByFormerCode = query<{ quoted: string }, AirportRow>((db, p) =>
  db.selectFrom('airport').select(airportColumns).where('former_codes', 'like', p.quoted).orderBy('id'),
)
/** An airport that had the code once, such as TXL. Reads every airport: only for a code that nobody has today. */
export async function findAirportByFormerCode(db: Executor, code: string): Promise<Airport | undefined> {
  const wanted = code.toUpperCase()
  if (!/^[A-Z0-9]{3,4}$/.test(wanted)) return undefined
  const row = await first(airportByFormerCode(db, { quoted: `%"${wanted}"%` }))
  return row && toAirport(row)
}

const airlineByCode = query<{ code: string }, AirlineRow>((db, p) =>
  db
    .selectFrom('airline')
    .select(airlineColumns)
    .where((eb) => eb.or([eb('icao', '=', p.code), eb('iata', '=', p.code)])),
)
/** ICAO before IATA; codes are handed on, so the airline flying today before a former holder. */
export async function findAirlineByCode(db: Executor, code: string): Promise<Airline | undefined> {
  const wanted = code.toUpperCase()
  const rows = await airlineByCode(db, { code: wanted })
  const best = rows.sort(
    (a, b) => flag(b.icao === wanted) - flag(a.icao === wanted) || b.active - a.active || a.id - b.id,
  )[0]
  return best && toAirline(best)
}

/** Everything that carries the code, closed and defunct included: what a search for it means. */
export const listAirportIdsByCode = async (db: Executor, code: string): Promise<number[]> =>
  (await airportByCode(db, { code: code.toUpperCase() })).map((row) => row.id)
export const listAirlineIdsByCode = async (db: Executor, code: string): Promise<number[]> =>
  (await airlineByCode(db, { code: code.toUpperCase() })).map((row) => row.id)

const aircraftByCode = query<{ code: string; padded: string }, Aircraft>((db, p) =>
  db
    .selectFrom('aircraft')
    .select(aircraftColumns)
    .where((eb) => eb.or([eb('icao', '=', p.code), eb('iata', 'like', p.padded)])),
)
/** The ICAO designator, else one of a type's IATA codes. */
export async function findAircraftByCode(db: Executor, code: string): Promise<Aircraft | undefined> {
  const wanted = code.toUpperCase()
  if (!/^[A-Z0-9]{2,4}$/.test(wanted)) return undefined
  const rows = await aircraftByCode(db, { code: wanted, padded: `% ${wanted} %` })
  return rows.sort((a, b) => flag(b.icao === wanted) - flag(a.icao === wanted) || a.id - b.id)[0]
}

// Records that people add. Whoever writes holds the reference counter until the transaction ends, so that what was
// checked before a write still holds when it is written.

export type AirportFields = Omit<Airport, 'id' | 'custom'> & { search: string }
export interface AirlineFields extends Pick<Airline, 'name' | 'icao' | 'iata' | 'active'> {
  search: string
}
export type AircraftFields = Omit<Aircraft, 'id'> & { search: string }

/** Lets one transaction at a time change reference data, and tells every process that it changed. */
export const lockReference = (tx: Executor): Promise<void> => bumpRevisions(tx, [REFERENCE])

const newId = async (tx: Executor): Promise<number> => FIRST_CUSTOM_ID + (await nextCustomNumber(tx))

const customAirportRows = query<object, AirportRow>((db) =>
  db.selectFrom('airport').select(airportColumns).where('id', '>=', FIRST_CUSTOM_ID).orderBy('name'),
)
export const listCustomAirports = async (db: Executor): Promise<Airport[]> =>
  (await customAirportRows(db, {})).map(toAirport)

const customAirlineRows = query<object, AirlineRow>((db) =>
  db.selectFrom('airline').select(airlineColumns).where('id', '>=', FIRST_CUSTOM_ID).orderBy('name'),
)
export const listCustomAirlines = async (db: Executor): Promise<Airline[]> =>
  (await customAirlineRows(db, {})).map(toAirline)

const customAircraftRows = query<object, Aircraft>((db) =>
  db.selectFrom('aircraft').select(aircraftColumns).where('id', '>=', FIRST_CUSTOM_ID).orderBy('name'),
)
export const listCustomAircraft = (db: Executor): Promise<Aircraft[]> => customAircraftRows(db, {})

const airportValues = (p: AirportFields) => ({
  icao: p.icao,
  iata: p.iata,
  name: p.name,
  municipality: p.municipality,
  latitude: p.latitude,
  longitude: p.longitude,
  timezone: p.timezone,
  type: p.type,
  continent: p.continent,
  country: p.country,
  search: p.search,
})
const insertAirportRow = query<AirportFields & { id: number }, { id: number }>((db, p) =>
  db
    .insertInto('airport')
    .values({ id: p.id, ...airportValues(p), former_codes: '[]', custom: 1 })
    .returning('id'),
)
export async function insertAirport(tx: Executor, airport: AirportFields): Promise<number> {
  const id = await newId(tx)
  await insertAirportRow(tx, { ...airport, id })
  return id
}
const updateAirportRow = query<AirportFields & { id: number }, { id: number }>((db, p) =>
  db.updateTable('airport').set(airportValues(p)).where('id', '=', p.id).returning('id'),
)
export const updateAirport = (tx: Executor, id: number, airport: AirportFields) =>
  updateAirportRow(tx, { ...airport, id })

const airportByIcao = query<{ icao: string }, { id: number }>((db, p) =>
  db.selectFrom('airport').select('id').where('icao', '=', p.icao),
)
export const findAirportIdByIcao = async (db: Executor, icao: string): Promise<number | undefined> =>
  (await first(airportByIcao(db, { icao })))?.id

const airlineValues = (p: Omit<AirlineFields, 'active'> & { active: 0 | 1 }) => ({
  name: p.name,
  icao: p.icao,
  iata: p.iata,
  active: p.active,
  search: p.search,
})
type AirlineWrite = Omit<AirlineFields, 'active'> & { id: number; active: 0 | 1 }
const insertAirlineRow = query<AirlineWrite, { id: number }>((db, p) =>
  db
    .insertInto('airline')
    .values({ id: p.id, ...airlineValues(p), custom: 1 })
    .returning('id'),
)
export async function insertAirline(tx: Executor, airline: AirlineFields): Promise<number> {
  const id = await newId(tx)
  await insertAirlineRow(tx, { ...airline, id, active: flag(airline.active) })
  return id
}
const updateAirlineRow = query<AirlineWrite, { id: number }>((db, p) =>
  db.updateTable('airline').set(airlineValues(p)).where('id', '=', p.id).returning('id'),
)
export const updateAirline = (tx: Executor, id: number, airline: AirlineFields) =>
  updateAirlineRow(tx, { ...airline, id, active: flag(airline.active) })

const setIcon = query<{ id: number; iconPath: string | null }, { id: number }>((db, p) =>
  db.updateTable('airline').set({ icon_path: p.iconPath }).where('id', '=', p.id).returning('id'),
)
export const updateAirlineIcon = (tx: Executor, id: number, iconPath: string | null) =>
  setIcon(tx, { id, iconPath })

const insertAircraftRow = query<AircraftFields & { id: number }, { id: number }>((db, p) =>
  db
    .insertInto('aircraft')
    .values({ id: p.id, name: p.name, icao: p.icao, search: p.search, custom: 1 })
    .returning('id'),
)
export async function insertAircraft(tx: Executor, aircraft: AircraftFields): Promise<number> {
  const id = await newId(tx)
  await insertAircraftRow(tx, { ...aircraft, id })
  return id
}
const updateAircraftRow = query<AircraftFields & { id: number }, { id: number }>((db, p) =>
  db
    .updateTable('aircraft')
    .set({ name: p.name, icao: p.icao, search: p.search })
    .where('id', '=', p.id)
    .returning('id'),
)
export const updateAircraft = (tx: Executor, id: number, aircraft: AircraftFields) =>
  updateAircraftRow(tx, { ...aircraft, id })

const flightsNaming = {
  airport: query<{ id: number }, { id: number }>((db, p) =>
    db
      .selectFrom('flight')
      .select('id')
      .where((eb) => eb.or([eb('from_id', '=', p.id), eb('to_id', '=', p.id)])),
  ),
  airline: query<{ id: number }, { id: number }>((db, p) =>
    db.selectFrom('flight').select('id').where('airline_id', '=', p.id),
  ),
  aircraft: query<{ id: number }, { id: number }>((db, p) =>
    db.selectFrom('flight').select('id').where('aircraft_id', '=', p.id),
  ),
}
type RecordKind = keyof typeof flightsNaming

const lockRecordRow = (kind: RecordKind) =>
  query<{ id: number }, { id: number }>((db, p, engine) =>
    db
      .selectFrom(kind)
      .select('id')
      .where('id', '=', p.id)
      .$if(locksRows(engine), (record) => record.forUpdate()),
  )
const deleteRecordRow = (kind: RecordKind) =>
  query<{ id: number }, { id: number }>((db, p) => db.deleteFrom(kind).where('id', '=', p.id).returning('id'))
const lockRow = {
  airport: lockRecordRow('airport'),
  airline: lockRecordRow('airline'),
  aircraft: lockRecordRow('aircraft'),
}
const deleteRow = {
  airport: deleteRecordRow('airport'),
  airline: deleteRecordRow('airline'),
  aircraft: deleteRecordRow('aircraft'),
}

/** Flights that name the record stay, and name none in its place. Locked first: no new flight comes to name it. */
export async function deleteRecord(tx: Executor, kind: RecordKind, id: number): Promise<void> {
  await lockRow[kind](tx, { id })
  const flights = (await flightsNaming[kind](tx, { id })).map((flight) => flight.id)
  await deleteRow[kind](tx, { id })
  await noteFlightsChanged(tx, flights)
}

// What the search is built from. The engine joins the rows: as one text they cost no objects.

type Joined = { text: string | null }

const airportText = query<{ type: string; line: string }, Joined>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('airport')
        .select(['id', 'search'])
        .where('type', '=', p.type)
        .orderBy((eb) => eb.case().when('iata', 'is', null).then(1).else(0).end())
        .orderBy('id')
        .as('sorted'),
    )
    .select(joinedLines(p.line).as('text')),
)
const airportTypes = [
  'large_airport',
  'medium_airport',
  'small_airport',
  'seaplane_base',
  'balloonport',
  'heliport',
  'closed',
]
/** Large airports before small ones, closed ones last; among equals those with an IATA code first. */
export const listAirportTexts = (db: Executor) =>
  eachText(airportTypes, (type) => airportText(db, { type, line: '\n' }))

const airlineText = query<{ active: 0 | 1; line: string }, Joined>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('airline')
        .select(['id', 'search'])
        .where('active', '=', p.active)
        .orderBy('name')
        .as('sorted'),
    )
    .select(joinedLines(p.line).as('text')),
)
/** Airlines that fly today first. */
export const listAirlineTexts = (db: Executor) =>
  eachText([1, 0] as const, (active) => airlineText(db, { active, line: '\n' }))

const aircraftText = query<{ line: string }, Joined>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('aircraft')
        .select(['id', 'search'])
        .orderBy((eb) => eb.case().when('iata', 'is', null).then(1).else(0).end())
        .orderBy('name')
        .as('sorted'),
    )
    .select(joinedLines(p.line).as('text')),
)
/** Types with an IATA code are the airliners: they come first. */
export const listAircraftTexts = (db: Executor) => eachText(['all'], () => aircraftText(db, { line: '\n' }))

/** Lines of `id search`. Both engines know this aggregate and keep the order of the rows below it. */
function joinedLines(line: string) {
  return sql<string | null>`string_agg(cast(sorted.id as text) || sorted.search, ${line})`
}

async function* eachText<Part>(
  parts: readonly Part[],
  read: (part: Part) => Promise<Joined[]>,
): AsyncGenerator<string> {
  for (const part of parts) {
    const [row] = await read(part)
    if (row?.text) yield row.text
  }
}

// Custom-field definitions

export const fieldTypes = [
  'text',
  'textarea',
  'number',
  'boolean',
  'date',
  'select',
  'multi-select',
  'airport',
  'airline',
  'aircraft',
] as const
export type FieldType = (typeof fieldTypes)[number]

export interface FieldValidation {
  regex?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  min?: number | undefined
  max?: number | undefined
}

export interface CustomField {
  id: number
  entityType: 'flight' | 'flight_passenger'
  key: string
  label: string
  description: string | null
  fieldType: FieldType
  required: boolean
  order: number
  defaultValue: unknown
  options: string[] | null
  validation: FieldValidation | null
  active: boolean
}

const fieldColumns = [
  'id',
  'entity_type as entityType',
  'key',
  'label',
  'description',
  'field_type as fieldType',
  'required',
  'position as order',
  'default_value as defaultValue',
  'options',
  'validation',
  'active',
] as const
const allFields = query<object, FieldRow>((db) =>
  db
    .selectFrom('custom_field')
    .select(fieldColumns)
    .orderBy('entity_type')
    .orderBy('position')
    .orderBy('label'),
)
interface FieldRow {
  id: number
  entityType: 'flight' | 'flight_passenger'
  key: string
  label: string
  description: string | null
  fieldType: string
  required: 0 | 1
  order: number
  defaultValue: string | null
  options: string | null
  validation: string | null
  active: 0 | 1
}
export const listCustomFields = async (db: Executor): Promise<CustomField[]> =>
  (await allFields(db, {})).map((row) => ({
    ...row,
    fieldType: row.fieldType as FieldType,
    required: isSet(row.required),
    active: isSet(row.active),
    defaultValue: row.defaultValue === null ? null : fromJson(row.defaultValue),
    options: row.options === null ? null : fromJson<string[]>(row.options),
    validation: row.validation === null ? null : fromJson<FieldValidation>(row.validation),
  }))

const counts = query<object, { airports: number; airlines: number; aircraft: number }>(
  (db) =>
    db.selectNoFrom((eb) => [
      eb
        .selectFrom('airport')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('airports'),
      eb
        .selectFrom('airline')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('airlines'),
      eb
        .selectFrom('aircraft')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('aircraft'),
    ]) as never,
)
export const countReference = async (db: Executor) => (await counts(db, {}))[0]!

// Airports, airlines and aircraft types that people add. A transaction that writes them locks the reference counter first,
// so that what was checked before the write still holds when it is written.
import { airlineFields, airportFields } from '../domain/flight-fields.ts'
import { flag } from './codecs.ts'
import { columnOf } from './columns.ts'
import { locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { noteFlightsChanged } from './flight-writes.ts'
import { SYSTEM } from './history-rows.ts'
import { first, query } from './query.ts'
import {
  type Aircraft,
  type Airline,
  type AirlineRow,
  type Airport,
  type AirportRow,
  aircraftColumns,
  airlineColumns,
  airportColumns,
  toAirline,
  toAirport,
} from './reference.ts'
import {
  CONCERNED_AT_MOST,
  incrementNamesOn,
  incrementRevisions,
  nextCustomNumber,
  REFERENCE,
} from './revisions.ts'

/** Ids of records that people add themselves start here, far above any id of the shipped set. */
export const FIRST_CUSTOM_ID = 1_000_000_000

type AirportFields = Omit<Airport, 'id' | 'custom'> & { search: string }
interface AirlineFields extends Pick<Airline, 'name' | 'icao' | 'iata' | 'active'> {
  search: string
}
type AircraftFields = Omit<Aircraft, 'id' | 'class'> & { search: string }

/**
 * Lets one transaction at a time change reference data, and invalidates every process's cache of them. What flights show is
 * as before: `noteRecordChanged` says otherwise.
 */
export const lockReference = (tx: Executor): Promise<void> => incrementRevisions(tx, [REFERENCE])

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

const searchTextOf = (table: 'airport' | 'airline' | 'aircraft') =>
  query<{ id: number; search: string }, { id: number }>((db, p) =>
    db.updateTable(table).set({ search: p.search }).where('id', '=', p.id).returning('id'),
  )
const setSearchText = {
  airport: searchTextOf('airport'),
  airline: searchTextOf('airline'),
  aircraft: searchTextOf('aircraft'),
}
export const updateSearchText = (
  tx: Executor,
  table: keyof typeof setSearchText,
  id: number,
  search: string,
) => setSearchText[table](tx, { id, search })

const columnsNaming = {
  airport: airportFields.map(columnOf),
  airline: airlineFields.map(columnOf),
  aircraft: ['aircraft_id'] as const,
}

const flightsNaming = {
  airport: query<{ id: number }, { id: number }>((db, p) =>
    db
      .selectFrom('flight')
      .select('id')
      .where((eb) => eb.or(columnsNaming.airport.map((column) => eb(column, '=', p.id)))),
  ),
  airline: query<{ id: number }, { id: number }>((db, p) =>
    db
      .selectFrom('flight')
      .select('id')
      .where((eb) => eb.or(columnsNaming.airline.map((column) => eb(column, '=', p.id)))),
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

const peopleNaming = (kind: RecordKind) =>
  query<{ id: number }, { userId: string | null }>((db, p) =>
    db
      .selectFrom('flight')
      .innerJoin('flight_passenger', 'flight_passenger.flight_id', 'flight.id')
      .select('flight_passenger.user_id as userId')
      .distinct()
      .where('flight_passenger.user_id', 'is not', null)
      .where((eb) => eb.or(columnsNaming[kind].map((column) => eb(`flight.${column}`, '=', p.id))))
      .limit(CONCERNED_AT_MOST + 1),
  )
const listPeopleNaming = {
  airport: peopleNaming('airport'),
  airline: peopleNaming('airline'),
  aircraft: peopleNaming('aircraft'),
}

/**
 * For a record that has other names, codes or places from now on: everyone reads their flights again that refer to it. The
 * record is locked first, so that no flight comes to refer to it meanwhile.
 */
export async function noteRecordChanged(tx: Executor, kind: RecordKind, id: number): Promise<void> {
  await lockRow[kind](tx, { id })
  const concerned = await listPeopleNaming[kind](tx, { id })
  await incrementNamesOn(
    tx,
    concerned.flatMap(({ userId }) => userId ?? []),
  )
}

/** Flights that refer to the record stay, without it. The record is locked first, so that no new flight refers to it. */
export async function deleteRecord(tx: Executor, kind: RecordKind, id: number, now: string): Promise<void> {
  await lockRow[kind](tx, { id })
  const flights = (await flightsNaming[kind](tx, { id })).map((flight) => flight.id)
  await deleteRow[kind](tx, { id })
  await noteFlightsChanged(tx, flights, now, { author: SYSTEM, edits: null })
}

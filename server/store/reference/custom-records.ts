// Airports, airlines and aircraft types that people add. A transaction that writes them locks the reference counter first,
// so that its checks are still true when it writes.
import { airlineFields, airportFields } from '../../domain/flights/fields.ts'
import { FIRST_CUSTOM_ID } from '../../domain/limits.ts'
import { pick } from '../../domain/pick.ts'
import { flag } from '../engine/codecs.ts'
import { locksRows } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryFirst } from '../engine/query.ts'
import {
  CONCERNED_AT_MOST,
  incrementNamesOn,
  incrementRevisions,
  nextCustomNumber,
  REFERENCE,
} from '../engine/revisions.ts'
import { noteFlightsChanged } from '../flights/writes.ts'
import { SYSTEM } from '../history/rows.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  aircraftColumns,
  airlineColumns,
  airportColumns,
  toAirline,
  toAirport,
} from './records.ts'

type AirportFields = Omit<Airport, 'id' | 'custom'> & { search: string }
interface AirlineFields extends Pick<Airline, 'name' | 'icao' | 'iata' | 'active'> {
  search: string
}
type AircraftFields = Omit<Aircraft, 'id' | 'class'> & { search: string }

/**
 * Serializes transactions that change reference data, and invalidates every process's cache of it. Does not invalidate
 * flights: see `noteRecordChanged`.
 */
export const lockReference = (tx: Executor): Promise<void> => incrementRevisions(tx, [REFERENCE])

const newId = async (tx: Executor): Promise<number> => FIRST_CUSTOM_ID + (await nextCustomNumber(tx))
export const listCustomAirports = query(
  (db) => db.selectFrom('airport').select(airportColumns).where('id', '>=', FIRST_CUSTOM_ID).orderBy('name'),
  toAirport,
)

const customAirlineRows = query((db) =>
  db.selectFrom('airline').select(airlineColumns).where('id', '>=', FIRST_CUSTOM_ID).orderBy('name'),
)
export const listCustomAirlines = async (db: Executor): Promise<Airline[]> =>
  (await customAirlineRows(db, {})).map(toAirline)

const customAircraftRows = query((db) =>
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
const insertAirportRow = query((db, p: AirportFields & { id: number }) =>
  db
    .insertInto('airport')
    .values({ id: p.id, ...airportValues(p), formerCodes: '[]', custom: 1 })
    .returning('id'),
)
export async function insertAirport(tx: Executor, airport: AirportFields): Promise<number> {
  const id = await newId(tx)
  await insertAirportRow(tx, { ...airport, id })
  return id
}
const updateAirportRow = query((db, p: AirportFields & { id: number }) =>
  db.updateTable('airport').set(airportValues(p)).where('id', '=', p.id).returning('id'),
)
export const updateAirport = (tx: Executor, id: number, airport: AirportFields) =>
  updateAirportRow(tx, { ...airport, id })
export const findAirportIdByIcao = queryFirst(
  (db, p: { icao: string }) => db.selectFrom('airport').select('id').where('icao', '=', p.icao),
  ({ id }) => id,
)

const airlineValues = (p: Omit<AirlineFields, 'active'> & { active: 0 | 1 }) => ({
  ...pick(p, ['name', 'icao', 'iata', 'active', 'search']),
})
type AirlineWrite = Omit<AirlineFields, 'active'> & { id: number; active: 0 | 1 }
const insertAirlineRow = query((db, p: AirlineWrite) =>
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
const updateAirlineRow = query((db, p: AirlineWrite) =>
  db.updateTable('airline').set(airlineValues(p)).where('id', '=', p.id).returning('id'),
)
export const updateAirline = (tx: Executor, id: number, airline: AirlineFields) =>
  updateAirlineRow(tx, { ...airline, id, active: flag(airline.active) })
export const updateAirlineIcon = query((db, p: { id: number; iconPath: string | null }) =>
  db.updateTable('airline').set({ iconPath: p.iconPath }).where('id', '=', p.id).returning('id'),
)

const insertAircraftRow = query((db, p: AircraftFields & { id: number }) =>
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
const updateAircraftRow = query((db, p: AircraftFields & { id: number }) =>
  db
    .updateTable('aircraft')
    .set({ name: p.name, icao: p.icao, search: p.search })
    .where('id', '=', p.id)
    .returning('id'),
)
export const updateAircraft = (tx: Executor, id: number, aircraft: AircraftFields) =>
  updateAircraftRow(tx, { ...aircraft, id })

const searchTextOf = (table: 'airport' | 'airline' | 'aircraft') =>
  query((db, p: { id: number; search: string }) =>
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
  airport: airportFields,
  airline: airlineFields,
  aircraft: ['aircraftId'] as const,
}

const flightsNaming = {
  airport: query((db, p: { id: number }) =>
    db
      .selectFrom('flight')
      .select('id')
      .where((eb) => eb.or(columnsNaming.airport.map((column) => eb(column, '=', p.id)))),
  ),
  airline: query((db, p: { id: number }) =>
    db
      .selectFrom('flight')
      .select('id')
      .where((eb) => eb.or(columnsNaming.airline.map((column) => eb(column, '=', p.id)))),
  ),
  aircraft: query((db, p: { id: number }) =>
    db.selectFrom('flight').select('id').where('aircraftId', '=', p.id),
  ),
}
type RecordKind = keyof typeof flightsNaming

const lockRecordRow = (kind: RecordKind) =>
  query((db, p: { id: number }, engine) =>
    db
      .selectFrom(kind)
      .select('id')
      .where('id', '=', p.id)
      .$if(locksRows(engine), (record) => record.forUpdate()),
  )
const deleteRecordRow = (kind: RecordKind) =>
  query((db, p: { id: number }) => db.deleteFrom(kind).where('id', '=', p.id).returning('id'))
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
  query((db, p: { id: number }) =>
    db
      .selectFrom('flight')
      .innerJoin('flightPassenger', 'flightPassenger.flightId', 'flight.id')
      .select('flightPassenger.userId')
      .distinct()
      .where('flightPassenger.userId', 'is not', null)
      .where((eb) => eb.or(columnsNaming[kind].map((column) => eb(`flight.${column}`, '=', p.id))))
      .limit(CONCERNED_AT_MOST + 1),
  )
const listPeopleNaming = {
  airport: peopleNaming('airport'),
  airline: peopleNaming('airline'),
  aircraft: peopleNaming('aircraft'),
}

/**
 * Call it when a record's names, codes or location change: invalidates the flights that refer to it. The record is locked
 * first, so that no new flight refers to it in the meantime.
 */
export async function noteRecordChanged(tx: Executor, kind: RecordKind, id: number): Promise<void> {
  await lockRow[kind](tx, { id })
  const concerned = await listPeopleNaming[kind](tx, { id })
  await incrementNamesOn(
    tx,
    concerned.flatMap(({ userId }) => userId ?? []),
  )
}

/** Flights lose their reference to the record. The record is locked first, so that no new flight refers to it. */
export async function deleteRecord(tx: Executor, kind: RecordKind, id: number, now: string): Promise<void> {
  await lockRow[kind](tx, { id })
  const flights = (await flightsNaming[kind](tx, { id })).map((flight) => flight.id)
  await deleteRow[kind](tx, { id })
  await noteFlightsChanged(tx, flights, now, { author: SYSTEM, edits: null })
}

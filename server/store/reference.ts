// Airports, airlines and aircraft types: what flights refer to.
import type { Holder } from '../domain/code-periods.ts'
import type { AircraftClass } from '../domain/enums.ts'
import { fromJson, isSet, MAX_ID } from './codecs.ts'
import type { Executor } from './engine.ts'
import { query, queryByList } from './query.ts'
import type { Schema } from './schema.ts'

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
  /** Codes that a closed airport had; absent if none. */
  formerCodes?: string[]
}
export interface Airline {
  id: number
  name: string
  icao: string | null
  iata: string | null
  iconPath: string | null
  active: boolean
  /** When it flew, as years or days; null is unknown or still. */
  from: string | null
  to: string | null
  /** The airline that took over its code or its flights. */
  successorId: number | null
}
export interface Aircraft {
  id: number
  name: string
  icao: string | null
  /** Null for a type that an administrator added. */
  class: AircraftClass | null
}

export const airportColumns = [
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
export type AirportRow = Omit<Airport, 'custom' | 'formerCodes'> & { custom: 0 | 1; formerCodes: string }
export function toAirport({ formerCodes, ...row }: AirportRow): Airport {
  const airport = { ...row, custom: isSet(row.custom) }
  return formerCodes === '[]' ? airport : { ...airport, formerCodes: fromJson<string[]>(formerCodes) }
}

export const airlineColumns = [
  'id',
  'name',
  'icao',
  'iata',
  'icon_path as iconPath',
  'active',
  'active_from as from',
  'active_to as to',
  'successor_id as successorId',
] as const
export type AirlineRow = Omit<Airline, 'active'> & { active: 0 | 1 }
export const toAirline = (row: AirlineRow): Airline => ({ ...row, active: isSet(row.active) })

export const aircraftColumns = ['id', 'name', 'icao', 'class'] as const

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

// By code. Every record that has it: which of them is meant on a day is decided in resolve/.

const airportsByCode = query<{ code: string }, AirportRow>((db, p) =>
  db
    .selectFrom('airport')
    .select(airportColumns)
    .where((eb) => eb.or([eb('icao', '=', p.code), eb('iata', '=', p.code)]))
    .orderBy('id'),
)
/** Airports whose ICAO or IATA code it is today. */
export const listAirportsByCode = async (db: Executor, code: string): Promise<Airport[]> =>
  (await airportsByCode(db, { code })).map(toAirport)

const airlinesByCode = query<{ code: string }, AirlineRow>((db, p) =>
  db
    .selectFrom('airline')
    .select(airlineColumns)
    .where((eb) => eb.or([eb('icao', '=', p.code), eb('iata', '=', p.code)]))
    .orderBy('id'),
)
export const listAirlinesByCode = async (db: Executor, code: string): Promise<Airline[]> =>
  (await airlinesByCode(db, { code })).map(toAirline)

const aircraftByCode = query<{ code: string; padded: string }, Aircraft>((db, p) =>
  db
    .selectFrom('aircraft')
    .select(aircraftColumns)
    .where((eb) => eb.or([eb('icao', '=', p.code), eb('iata', 'like', p.padded)]))
    .orderBy('id'),
)
/** By the ICAO designator or one of a type's IATA codes. */
export async function listAircraftByCode(db: Executor, code: string): Promise<Aircraft[]> {
  if (!/^[A-Z0-9]{2,4}$/.test(code)) return []
  return aircraftByCode(db, { code, padded: `% ${code} %` })
}

const airportsWithin = query<Record<'south' | 'north' | 'west' | 'east', number>, AirportRow>((db, p) =>
  db
    .selectFrom('airport')
    .select(airportColumns)
    .where('latitude', '>=', p.south)
    .where('latitude', '<=', p.north)
    .where('longitude', '>=', p.west)
    .where('longitude', '<=', p.east)
    .orderBy('importance', 'desc')
    .orderBy('id')
    .limit(500),
)
/** Airports that may be this near: the corners of the square are farther. Of places on the date line, those on its side. */
export async function listAirportsNear(
  db: Executor,
  { latitude, longitude }: { latitude: number; longitude: number },
  km: number,
): Promise<Airport[]> {
  const degrees = km / 110.5
  const wide = Math.min(180, degrees / Math.max(0.01, Math.cos((latitude * Math.PI) / 180)))
  const square = {
    south: latitude - degrees,
    north: latitude + degrees,
    west: longitude - wide,
    east: longitude + wide,
  }
  return (await airportsWithin(db, square)).map(toAirport)
}

type PeriodKind = Schema['code_period']['kind']
export interface CodePeriod extends Holder {
  kind: PeriodKind
  code: string
}
const periodColumns = [
  'code_period.kind',
  'code_period.code',
  'code_period.record_id as id',
  'code_period.valid_from as from',
  'code_period.valid_to as to',
] as const

const airportPeriods = query<{ code: string; airport: PeriodKind; city: PeriodKind }, CodePeriod>((db, p) =>
  db
    .selectFrom('code_period')
    .innerJoin('airport', 'airport.id', 'code_period.record_id')
    .select(periodColumns)
    .where('code_period.code', '=', p.code)
    .where('code_period.kind', 'in', [p.airport, p.city])
    .orderBy('airport.importance', 'desc')
    .orderBy('airport.id'),
)
/** What a code of an airport or a city meant when; the most important airport first. Empty if it has no history. */
export const listAirportPeriods = (db: Executor, code: string): Promise<CodePeriod[]> =>
  airportPeriods(db, { code, airport: 'airport', city: 'city' })

const airlinePeriods = query<{ code: string; kind: PeriodKind }, CodePeriod>((db, p) =>
  db
    .selectFrom('code_period')
    .select(periodColumns)
    .where('code', '=', p.code)
    .where('kind', '=', p.kind)
    .orderBy('record_id'),
)
export const listAirlinePeriods = (db: Executor, code: string): Promise<CodePeriod[]> =>
  airlinePeriods(db, { code, kind: 'airline' })

const recordPeriods = query<{ kind: PeriodKind; id: number }, CodePeriod>((db, p) =>
  db.selectFrom('code_period').select(periodColumns).where('kind', '=', p.kind).where('record_id', '=', p.id),
)
/** The periods of all codes of one record. */
export const listPeriodsOf = (db: Executor, kind: 'airport' | 'airline', id: number): Promise<CodePeriod[]> =>
  recordPeriods(db, { kind, id })

const periodsOfRecords = queryByList<number, CodePeriod, { kind: PeriodKind }>((db, ids, p) =>
  db.selectFrom('code_period').select(periodColumns).where('kind', '=', p.kind).where('record_id', 'in', ids),
)
/** The same of many records. */
export const listPeriodsOfAll = (
  db: Executor,
  kind: 'airport' | 'airline',
  ids: readonly number[],
): Promise<CodePeriod[]> => periodsOfRecords(db, possible(ids), { kind })

const periodsByIds = queryByList<number, CodePeriod>((db, ids) =>
  db
    .selectFrom('code_period')
    .select(periodColumns)
    .where('kind', 'in', ['airport', 'city'])
    .where('record_id', 'in', ids),
)
/** The periods of all codes of these airports and of their cities. */
export const listPeriodsOfAirports = (db: Executor, ids: readonly number[]): Promise<CodePeriod[]> =>
  periodsByIds(db, ids)

const importanceByCodes = queryByList<string, { iata: string; importance: number }>(
  (db, codes) =>
    db
      .selectFrom('airport')
      .select(['iata', 'importance'])
      .where('iata', 'in', codes)
      .where('type', '<>', 'closed') as never,
)
/** How important the airports are that have these IATA codes today. */
export const listImportanceByCodes = (db: Executor, codes: readonly string[]) => importanceByCodes(db, codes)

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

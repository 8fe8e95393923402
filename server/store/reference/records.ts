// Airports, airlines and aircraft types that flights refer to.

import type { AircraftClass } from '../../domain/enums.ts'
import type { Holder } from '../../domain/reference/code-periods.ts'
import { fromJson, isSet, MAX_ID } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryByList } from '../engine/query.ts'
import type { RowOf, Schema } from '../engine/schema.ts'

type Unchanged = Omit<RowOf<'airport'>, 'custom' | 'formerCodes' | 'search' | 'importance'>
export interface Airport extends Unchanged {
  custom: boolean
  /** The former codes of a closed airport; absent if none. */
  formerCodes?: string[]
}
export interface Airline {
  id: number
  name: string
  icao: string | null
  iata: string | null
  iconPath: string | null
  active: boolean
  /** When it operated, as years or days; null if unknown, or if it still does. */
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
  'formerCodes',
] as const
type AirportRow = Omit<Airport, 'custom' | 'formerCodes'> & { custom: 0 | 1; formerCodes: string }
export function toAirport({ formerCodes, ...row }: AirportRow): Airport {
  const airport = { ...row, custom: isSet(row.custom) }
  return formerCodes === '[]' ? airport : { ...airport, formerCodes: fromJson<string[]>(formerCodes) }
}

export const airlineColumns = [
  'id',
  'name',
  'icao',
  'iata',
  'iconPath',
  'active',
  'activeFrom as from',
  'activeTo as to',
  'successorId',
] as const
type AirlineRow = Omit<Airline, 'active'> & { active: 0 | 1 }
export const toAirline = (row: AirlineRow): Airline => ({ ...row, active: isSet(row.active) })

export const aircraftColumns = ['id', 'name', 'icao', 'class'] as const

const possible = (ids: readonly number[]) => [...new Set(ids)].filter((id) => id >= 1 && id <= MAX_ID)

const airportsByIds = queryByList((db, ids: number[]) =>
  db.selectFrom('airport').select(airportColumns).where('id', 'in', ids),
)
export const findAirports = async (db: Executor, ids: readonly number[]): Promise<Airport[]> =>
  (await airportsByIds(db, possible(ids))).map(toAirport)
export const mapAirports = async (db: Executor, ids: Iterable<number>): Promise<Map<number, Airport>> =>
  new Map((await findAirports(db, [...new Set(ids)])).map((airport) => [airport.id, airport]))

const airlinesByIds = queryByList((db, ids: number[]) =>
  db.selectFrom('airline').select(airlineColumns).where('id', 'in', ids),
)
export const findAirlines = async (db: Executor, ids: readonly number[]): Promise<Airline[]> =>
  (await airlinesByIds(db, possible(ids))).map(toAirline)

const aircraftByIds = queryByList((db, ids: number[]) =>
  db.selectFrom('aircraft').select(aircraftColumns).where('id', 'in', ids),
)
export const findAircraft = (db: Executor, ids: readonly number[]): Promise<Aircraft[]> =>
  aircraftByIds(db, possible(ids))

// By code: all records that have it. domain/reference/resolve.ts decides which of them is meant on a given day.

/** Airports that have this ICAO or IATA code today. */
export const listAirportsByCode = query(
  (db, p: { code: string }) =>
    db
      .selectFrom('airport')
      .select(airportColumns)
      .where((eb) => eb.or([eb('icao', '=', p.code), eb('iata', '=', p.code)]))
      .orderBy('id'),
  toAirport,
)

export const listAirlinesByCode = query(
  (db, p: { code: string }) =>
    db
      .selectFrom('airline')
      .select(airlineColumns)
      .where((eb) => eb.or([eb('icao', '=', p.code), eb('iata', '=', p.code)]))
      .orderBy('id'),
  toAirline,
)

const aircraftByCode = query((db, p: { code: string; padded: string }) =>
  db
    .selectFrom('aircraft')
    .select(aircraftColumns)
    .where((eb) => eb.or([eb('icao', '=', p.code), eb('iata', 'like', p.padded)]))
    .orderBy('id'),
)
/** By ICAO designator or any IATA code of the type. */
export async function listAircraftByCode(db: Executor, code: string): Promise<Aircraft[]> {
  if (!/^[A-Z0-9]{2,4}$/.test(code)) return []
  return aircraftByCode(db, { code, padded: `% ${code} %` })
}

const airportsWithin = query((db, p: Record<'south' | 'north' | 'west' | 'east', number>) =>
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
/** Airports within a square around the place; its corners are farther away. Does not cross the date line. */
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

type PeriodKind = Schema['codePeriod']['kind']
export interface CodePeriod extends Holder {
  kind: PeriodKind
  code: string
}
const periodColumns = [
  'codePeriod.kind',
  'codePeriod.code',
  'codePeriod.recordId as id',
  'codePeriod.validFrom as from',
  'codePeriod.validTo as to',
] as const

const airportPeriods = query((db, p: { code: string; airport: PeriodKind; city: PeriodKind }) =>
  db
    .selectFrom('codePeriod')
    .innerJoin('airport', 'airport.id', 'codePeriod.recordId')
    .select(periodColumns)
    .where('codePeriod.code', '=', p.code)
    .where('codePeriod.kind', 'in', [p.airport, p.city])
    .orderBy('airport.importance', 'desc')
    .orderBy('airport.id'),
)
/** The periods in which an airport or city had a code, most important airport first. Empty if the code has no history. */
export const listAirportPeriods = (db: Executor, code: string): Promise<CodePeriod[]> =>
  airportPeriods(db, { code, airport: 'airport', city: 'city' })

const airlinePeriods = query((db, p: { code: string; kind: PeriodKind }) =>
  db
    .selectFrom('codePeriod')
    .select(periodColumns)
    .where('code', '=', p.code)
    .where('kind', '=', p.kind)
    .orderBy('recordId'),
)
export const listAirlinePeriods = (db: Executor, code: string): Promise<CodePeriod[]> =>
  airlinePeriods(db, { code, kind: 'airline' })
/** The periods of all codes of one record. */
export const listPeriodsOf = query((db, p: { kind: 'airport' | 'airline'; id: number }) =>
  db.selectFrom('codePeriod').select(periodColumns).where('kind', '=', p.kind).where('recordId', '=', p.id),
)

const periodsOfRecords = queryByList((db, ids: number[], p: { kind: PeriodKind }) =>
  db.selectFrom('codePeriod').select(periodColumns).where('kind', '=', p.kind).where('recordId', 'in', ids),
)
/** The same for several records. */
export const listPeriodsOfAll = (
  db: Executor,
  kind: 'airport' | 'airline',
  ids: readonly number[],
): Promise<CodePeriod[]> => periodsOfRecords(db, possible(ids), { kind })
/** The periods of all codes of these airports and of their cities. */
export const listPeriodsOfAirports = queryByList((db, ids: number[]) =>
  db
    .selectFrom('codePeriod')
    .select(periodColumns)
    .where('kind', 'in', ['airport', 'city'])
    .where('recordId', 'in', ids),
)

/** The importance of the airports that have these IATA codes today. */
export const listImportanceByCodes = queryByList((db, codes: string[]) =>
  db
    .selectFrom('airport')
    .select(['iata', 'importance'])
    .where('iata', 'in', codes)
    .where('type', '<>', 'closed')
    .$narrowType<{ iata: string }>(),
)

const counts = query((db) =>
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
  ]),
)
export const countReference = async (db: Executor) => (await counts(db, {}))[0]!

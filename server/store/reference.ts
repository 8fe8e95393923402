// Airports, airlines and aircraft types: what flights refer to.
import type { AircraftClass } from '../domain/enums.ts'
import { flag, fromJson, isSet, MAX_ID } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query, queryByList } from './query.ts'

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

export const airlineColumns = ['id', 'name', 'icao', 'iata', 'icon_path as iconPath', 'active'] as const
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
/** An airport that once had the code, such as TXL. Scans all airports, so only for codes that none has today. */
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
/** ICAO before IATA. Codes are reassigned, so an active airline comes before a former holder. */
export async function findAirlineByCode(db: Executor, code: string): Promise<Airline | undefined> {
  const wanted = code.toUpperCase()
  const rows = await airlineByCode(db, { code: wanted })
  const best = rows.sort(
    (a, b) => flag(b.icao === wanted) - flag(a.icao === wanted) || b.active - a.active || a.id - b.id,
  )[0]
  return best && toAirline(best)
}

/** Every record with the code, closed and defunct ones included, for searches. */
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

// The records that one line of text may name (domain/line/): airports with airline service, airlines and aircraft types that
// people fly with, and everything that was added here.
import { sql } from 'kysely'
import { SERVED } from '../domain/place-choice.ts'
import type { Executor } from './engine.ts'
import { query } from './query.ts'
import type { Schema } from './schema.ts'

const airportRows = query<{ served: number }, LineAirportRow>((db, p) =>
  db
    .selectFrom('airport')
    .select(['id', 'iata', 'icao', 'name', 'municipality', 'latitude', 'longitude', 'timezone', 'country'])
    .select(['importance', 'custom', 'search'])
    .where((eb) =>
      eb.or([
        eb('custom', '=', 1),
        eb.and([eb('importance', '>=', p.served), eb('iata', 'is not', null), eb('type', '<>', 'closed')]),
        eb(
          'id',
          'in',
          eb
            .selectFrom('code_period')
            .select('record_id')
            .where('kind', 'in', ['airport', 'city'])
            // Only codes that are printed on tickets.
            .where(sql<boolean>`length(code_period.code) = 3`)
            .where((of) => of.or([of('valid_from', 'is not', null), of('valid_to', 'is not', null)])),
        ),
      ]),
    )
    .orderBy('icao'),
)
export interface LineAirportRow
  extends Pick<
    Schema['airport'],
    | 'id'
    | 'iata'
    | 'icao'
    | 'name'
    | 'municipality'
    | 'latitude'
    | 'longitude'
    | 'timezone'
    | 'country'
    | 'search'
  > {
  importance: number
  custom: 0 | 1
}
export const listLineAirports = (db: Executor): Promise<LineAirportRow[]> =>
  airportRows(db, { served: SERVED })

/** Of an airline that ended, only what was well known. */
const WELL_KNOWN = 400

interface LineAirlineRow {
  id: number
  iata: string | null
  icao: string | null
  name: string
  callsign: string | null
  search: string
  importance: number
  custom: 0 | 1
}
const airlineRows = query<{ known: number }, LineAirlineRow>((db, p) =>
  db
    .selectFrom('airline')
    .select(['id', 'iata', 'icao', 'name', 'callsign', 'search', 'importance', 'custom'])
    .where((eb) =>
      eb.or([
        eb('custom', '=', 1),
        eb.and([eb('iata', 'is not', null), eb.or([eb('active', '=', 1), eb('importance', '>=', p.known)])]),
      ]),
    )
    .orderBy('id'),
)
export const listLineAirlines = (db: Executor): Promise<LineAirlineRow[]> =>
  airlineRows(db, { known: WELL_KNOWN })

interface LineAircraftRow {
  id: number
  icao: string | null
  /** Codes between blanks. */
  iata: string
  name: string
  search: string
  importance: number
  custom: 0 | 1
}
const aircraftRows = query<{ known: number }, LineAircraftRow>((db, p) =>
  db
    .selectFrom('aircraft')
    .select(['id', 'icao', 'name', 'search', 'importance', 'custom'])
    .select(sql<string>`coalesce(iata, '')`.as('iata'))
    .where((eb) => eb.or([eb('custom', '=', 1), eb('importance', '>', p.known)]))
    .orderBy('id'),
)
export const listLineAircraft = (db: Executor): Promise<LineAircraftRow[]> => aircraftRows(db, { known: 100 })

interface LinePeriodRow {
  kind: Schema['code_period']['kind']
  code: string
  recordId: number
  from: string | null
  to: string | null
}
const periodRows = query<object, LinePeriodRow>((db) =>
  db
    .selectFrom('code_period')
    .select(['kind', 'code', 'record_id as recordId', 'valid_from as from', 'valid_to as to'])
    .where(sql<boolean>`length(code) < 4`),
)
export const listLinePeriods = (db: Executor): Promise<LinePeriodRow[]> => periodRows(db, {})

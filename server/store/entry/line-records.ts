// The records that a line of text may name (domain/entry/line): airports with airline service, the airlines and aircraft types
// that people fly with, and all custom records.
import { sql } from 'kysely'
import { SERVED } from '../../domain/reference/place-choice.ts'
import type { Executor } from '../engine/engine.ts'
import { query } from '../engine/query.ts'
import type { Schema } from '../engine/schema.ts'

const airportRows = query((db, p: { served: number }) =>
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
            .selectFrom('codePeriod')
            .select('recordId')
            .where('kind', 'in', ['airport', 'city'])
            // Only codes that are printed on tickets.
            .where(sql<boolean>`length(code_period.code) = 3`)
            .where((of) => of.or([of('validFrom', 'is not', null), of('validTo', 'is not', null)])),
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

/** Former airlines are only included from this importance. */
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
const airlineRows = query((db, p: { known: number }) =>
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
  /** Codes, each surrounded by spaces. */
  iata: string
  name: string
  search: string
  importance: number
  custom: 0 | 1
}
const aircraftRows = query((db, p: { known: number }) =>
  db
    .selectFrom('aircraft')
    .select(['id', 'icao', 'name', 'search', 'importance', 'custom'])
    .select(sql<string>`coalesce(iata, '')`.as('iata'))
    .where((eb) => eb.or([eb('custom', '=', 1), eb('importance', '>', p.known)]))
    .orderBy('id'),
)
export const listLineAircraft = (db: Executor): Promise<LineAircraftRow[]> => aircraftRows(db, { known: 100 })

interface LinePeriodRow {
  kind: Schema['codePeriod']['kind']
  code: string
  recordId: number
  from: string | null
  to: string | null
}
const periodRows = query((db) =>
  db
    .selectFrom('codePeriod')
    .select(['kind', 'code', 'recordId', 'validFrom as from', 'validTo as to'])
    .where(sql<boolean>`length(code) < 4`),
)
export const listLinePeriods = (db: Executor): Promise<LinePeriodRow[]> => periodRows(db, {})

// Loads a reference set into the store: the shipped one at the first start, and after an upgrade unless the loaded one is newer;
// another one by command. Records that people added are never changed, and no record is ever deleted.

import type { Logger } from '../../base/log.ts'
import { languages } from '../../domain/languages.ts'
import { type CityPlace, cityName } from '../../domain/reference/cities.ts'
import { cityNames } from '../../domain/reference/city-names.ts'
import { isDated, localCode } from '../../domain/reference/code-periods.ts'
import { SEARCH_FORMAT, searchText } from '../../domain/text/search-text.ts'
import { upsertMany } from '../../store/engine/bulk.ts'
import { flag, toJson } from '../../store/engine/codecs.ts'
import type { Row } from '../../store/engine/engine.ts'
import { incrementRevisions, PRESENTATION, REFERENCE } from '../../store/engine/revisions.ts'
import type { Schema } from '../../store/engine/schema.ts'
import { findSetting, writeSetting } from '../../store/instance/settings.ts'
import {
  listCustomAircraft,
  listCustomAirlines,
  listCustomAirports,
  updateSearchText,
} from '../../store/reference/custom-records.ts'
import type { Executor, Store } from '../../store/store.ts'
import {
  type AircraftRecord,
  type AirlineRecord,
  type AirportRecord,
  type ReferenceSet,
  shippedSet,
} from './set.ts'
import { isLoaded, type Manifest, shippedManifest } from './shipped.ts'

/** Called with the loaded share, from 0 to 1. */
type OnProgress = (share: number) => void

export async function loadReference(store: Store, log: Logger, onProgress?: OnProgress): Promise<void> {
  if (await isLoaded(store.read)) return
  await store.exclusively(() =>
    store.transaction(async (tx) => {
      // Another process may have loaded it meanwhile.
      if (await isLoaded(tx)) return
      const began = performance.now()
      const { version, counts } = await upsertReference(tx, shippedSet(), onProgress)
      log.info('reference data loaded', { version, ...counts, ms: Math.round(performance.now() - began) })
    }),
  )
}

/** Loads a set if it is newer than both the shipped and the loaded one. Returns whether it was loaded. */
export async function updateReference(
  store: Store,
  set: ReferenceSet,
): Promise<{ isLoaded: boolean; newest: string }> {
  const { snapshot } = set.manifest
  return store.exclusively(() =>
    store.transaction(async (tx) => {
      const loaded = (await findSetting(tx, { name: 'referenceSnapshot' })) ?? ''
      const newest = [loaded, shippedManifest().snapshot].sort().at(-1)!
      if (snapshot <= newest) return { isLoaded: false, newest }
      await upsertReference(tx, set)
      return { isLoaded: true, newest: snapshot }
    }),
  )
}

const AIRPORTS_AT_ONCE = 5000

/** Loads the whole set, by default the shipped one, regardless of what is loaded already. */
export async function upsertReference(
  tx: Executor,
  set: ReferenceSet = shippedSet(),
  onProgress: OnProgress = () => {},
): Promise<Manifest> {
  await tx.query('delete from code_period', [])
  const airports = set.airports()
  // Nearly all of the work is here.
  for (let start = 0; start < airports.length; start += AIRPORTS_AT_ONCE) {
    await upsertRows(tx, 'airport', airports.slice(start, start + AIRPORTS_AT_ONCE).map(airportRow))
    onProgress(Math.min(1, (start + AIRPORTS_AT_ONCE) / airports.length))
  }
  await insertPeriods(tx, 'airport', airports, (airport) => airport.codePeriods)
  await insertPeriods(tx, 'airport', airports, formerPeriodsIn(airports))
  await insertPeriods(tx, 'city', airports, (airport) => airport.cityCodes)
  const airlines = set.airlines()
  await upsertRows(tx, 'airline', airlines.map(airlineRow))
  await insertPeriods(tx, 'airline', airlines, (airline) => airline.codePeriods)
  await upsertRows(tx, 'aircraft', set.aircraft().map(aircraftRow))
  await rewriteCustomTexts(tx)
  await writeSetting(tx, { name: 'searchFormat', value: SEARCH_FORMAT })
  await noteSet(tx, set.manifest)
  await writeSetting(tx, { name: 'referenceVersion', value: set.manifest.version })
  await writeSetting(tx, { name: 'referenceSnapshot', value: set.manifest.snapshot })
  await incrementRevisions(tx, [REFERENCE, PRESENTATION])
  return set.manifest
}

/** Appends the set to those that were loaded before: together they say which records there are, because none is deleted. */
async function noteSet(tx: Executor, { version }: Manifest): Promise<void> {
  const latest = (await findSetting(tx, { name: 'referenceVersion' })) ?? ''
  const sets = (await findSetting(tx, { name: 'referenceSets' })) ?? latest
  const value = latest === version ? sets : `${sets} ${version}`.trim()
  await writeSetting(tx, { name: 'referenceSets', value })
}

/** Rewrites the search texts of added records, which may be from an older version of the program. */
async function rewriteCustomTexts(tx: Executor): Promise<void> {
  for (const airport of await listCustomAirports(tx))
    await updateSearchText(tx, 'airport', airport.id, airportSearchText(airport))
  for (const airline of await listCustomAirlines(tx))
    await updateSearchText(tx, 'airline', airline.id, airlineSearchText(airline))
  for (const aircraft of await listCustomAircraft(tx))
    await updateSearchText(tx, 'aircraft', aircraft.id, aircraftSearchText(aircraft))
}

const airportRow = (record: AirportRecord): Row => ({
  id: record.id,
  icao: record.icao,
  iata: record.iata,
  name: record.name,
  municipality: record.municipality,
  latitude: record.latitude,
  longitude: record.longitude,
  timezone: record.timezone,
  type: record.type,
  continent: record.continent,
  country: record.country,
  former_codes: toJson(record.formerCodes ?? []),
  custom: 0,
  search: airportSearchText(record),
  importance: record.importance,
})

type AirportNames = Pick<AirportRecord, 'icao' | 'iata' | 'name'> &
  CityPlace &
  Partial<Pick<AirportRecord, 'aliases' | 'regions' | 'cityCodes' | 'codePeriods'>> & {
    formerCodes?: readonly string[] | null
  }

/** The city names that the app shows, which may not be in the record's names. */
const shownCities = (airport: CityPlace): (string | null)[] =>
  languages.map((language) => cityName(airport, cityNames[language]))

/** An expired city code counts as a former code, like those of the airport. */
export function airportSearchText(airport: AirportNames): string {
  const cityCodes = airport.cityCodes ?? []
  const codesOf = (periods: typeof cityCodes) => periods.map(([code]) => code)
  const undated = (airport.codePeriods ?? []).filter((period) => !isDated({ from: period[1], to: period[2] }))
  return searchText({
    codes: [airport.iata, airport.icao, localCode(airport.icao), ...codesOf(undated)],
    formerCodes: [...(airport.formerCodes ?? []), ...codesOf(cityCodes.filter(([, , to]) => to !== null))],
    cityCodes: codesOf(cityCodes.filter(([, , to]) => to === null)),
    names: [airport.municipality, airport.name, airport.name.replace(/(?: \w+)? Airport$/, '')],
    aliases: [...(airport.aliases ?? []), ...shownCities(airport)],
    regions: airport.regions ?? [],
  })
}

/** An uploaded icon stays, because its column is not written here. */
const airlineRow = (record: AirlineRecord): Row => ({
  id: record.id,
  name: record.name,
  icao: record.icao,
  iata: record.iata,
  country: record.country,
  callsign: record.callsign,
  active: flag(record.active),
  custom: 0,
  search: airlineSearchText(record),
  importance: record.importance,
  active_from: record.from,
  active_to: record.to,
  successor_id: record.successorId,
})

/** Codes are reassigned, so those of a defunct airline rank below today's holder. */
export function airlineSearchText(
  airline: Pick<AirlineRecord, 'icao' | 'iata' | 'name' | 'active'> &
    Partial<Pick<AirlineRecord, 'callsign' | 'aliases'>>,
): string {
  const codes = [airline.iata, airline.icao]
  return searchText({
    codes: airline.active ? codes : [],
    formerCodes: airline.active ? [] : codes,
    names: [airline.name],
    aliases: [...(airline.aliases ?? []), airline.callsign ?? null],
  })
}

const aircraftRow = (record: AircraftRecord): Row => ({
  id: record.id,
  name: record.name,
  icao: record.icao,
  iata: record.iata && ` ${record.iata.join(' ')} `,
  custom: 0,
  search: aircraftSearchText(record),
  importance: record.importance,
  class: record.class,
})

export const aircraftSearchText = (aircraft: {
  name: string
  icao: string | null
  iata?: string[] | null
  aliases?: string[] | null
}): string => {
  const names = [aircraft.name, ...(aircraft.aliases ?? [])]
  return searchText({
    codes: [aircraft.icao, ...(aircraft.iata ?? [])],
    // People write B737-800, like A320.
    names: [
      ...names,
      ...names.flatMap((name) => /^Boeing (\d.*)/.exec(name)?.[1] ?? []).map((type) => `B${type}`),
    ],
  })
}

type Periods = AirportRecord['codePeriods']

/** A former code that no airport has today, and whose days are unknown, still refers to the airport that had it. */
function formerPeriodsIn(airports: readonly AirportRecord[]): (airport: AirportRecord) => Periods {
  const known = new Set<string | null>()
  for (const { icao, iata, codePeriods } of airports) {
    known.add(icao).add(iata)
    for (const [code] of codePeriods ?? []) known.add(code)
  }
  return ({ formerCodes }) =>
    formerCodes?.filter((code) => !known.has(code)).map((code) => [code, null, null]) ?? null
}

async function insertPeriods<Record extends { id: number }>(
  tx: Executor,
  kind: Schema['codePeriod']['kind'],
  records: readonly Record[],
  periodsOf: (record: Record) => Periods,
): Promise<void> {
  const rows = records.flatMap((record) =>
    (periodsOf(record) ?? []).map(([code, from, to]) => ({
      kind,
      code,
      record_id: record.id,
      valid_from: from,
      valid_to: to,
    })),
  )
  if (rows.length > 0) await upsertMany(tx, 'code_period', Object.keys(rows[0]!), [], rows)
}

const upsertRows = (tx: Executor, table: string, rows: Row[]): Promise<void> =>
  upsertMany(tx, table, Object.keys(rows[0]!), ['id'], rows)

/** The shipped set as rows of its tables, for a backup of a database that has lost them. */
export function shippedRows(
  set: ReferenceSet = shippedSet(),
): Record<'airport' | 'airline' | 'aircraft', Row[]> {
  return {
    airport: set.airports().map(airportRow),
    airline: set.airlines().map(airlineRow),
    aircraft: set.aircraft().map(aircraftRow),
  }
}

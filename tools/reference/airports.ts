// From OurAirports' rows to the airports Contrail ships.
import { readAirports, type SourceAirport, type ZoneTable } from './sources.ts'
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
  /** What its codes meant when, for codes that have meant more than one airport or none. */
  codePeriods: Period[] | null
  /** Orders equal matches. */
  importance: number
}

/** A code with its first and last day; null is unknown or unlimited. */
export type Period = [code: string, from: string | null, to: string | null]

const MAX_ALIASES = 8
const MAX_ALIAS_LENGTH = 40
const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim()
const round = (degrees: string) => Math.round(Number(degrees) * 1e5) / 1e5
const keywordsOf = (row: SourceAirport) => [
  ...new Set(row.keywords.split(/[,;]/).map(squeeze).filter(Boolean)),
]

export function buildAirports(zones: ZoneTable): Airport[] {
  const rows = readAirports()
    .map(clean)
    .filter(isWanted)
    .sort((a, b) => Number(a.id) - Number(b.id))
  const icaoCodes = assignIcao(rows)
  const formerCodes = findFormerCodes(rows, new Set(icaoCodes.values()))
  const codesInUse = new Set([...icaoCodes.values(), ...rows.map((row) => row.iata_code)])
  const airports = rows.map((row) => ({
    id: Number(row.id),
    icao: icaoCodes.get(row.id) ?? '',
    iata: row.iata_code || null,
    name: row.name,
    municipality: row.municipality || null,
    latitude: round(row.latitude_deg),
    longitude: round(row.longitude_deg),
    timezone: '',
    type: row.type,
    continent: continentOf(row),
    country: row.iso_country,
    formerCodes: formerCodes.get(row.id) ?? null,
    aliases: aliasesOf(row, codesInUse),
    regions: null,
    cityCodes: null,
    codePeriods: null,
    importance: 0,
  }))
  for (const [i, zone] of zonesOf(airports, zones).entries()) (airports[i] as Airport).timezone = zone
  return airports
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
  'LON PAR NYC MOW TYO BUE RIO SAO STO ROM MIL OSA SEL BJS CHI WAS YTO YMQ RAF NAS AFB AAF USA SSV'.split(
    ' ',
  ),
)

/**
 * OurAirports takes the codes from an airport that closes, but leaves them among its keywords. A token counts as a
 * former code if no airport uses it today and, for four letters, if its prefix is one of that country's.
 */
function findFormerCodes(rows: SourceAirport[], icaoInUse: Set<string>): Map<string, string[]> {
  const iataInUse = new Set(rows.map((row) => row.iata_code))
  const prefixes = new Set(
    rows.filter((row) => row.icao_code).map((row) => row.iso_country + row.icao_code.slice(0, 2)),
  )
  const isFormer = (token: string, row: SourceAirport) =>
    /^[A-Z]{4}$/.test(token)
      ? !icaoInUse.has(token) && prefixes.has(row.iso_country + token.slice(0, 2))
      : /^[A-Z]{3}$/.test(token) && !iataInUse.has(token) && !NOT_A_CODE.has(token)
  const closed = rows.filter((row) => row.type === 'closed')
  const found = closed.map(
    (row) => [row.id, keywordsOf(row).filter((token) => isFormer(token, row))] as const,
  )
  return new Map(found.filter(([, codes]) => codes.length > 0))
}

/** Other names for search, only for airports with airline service. */
function aliasesOf(row: SourceAirport, codesInUse: Set<string>): string[] | null {
  if (row.type !== 'large_airport' && row.type !== 'medium_airport') return null
  const known = `${row.name} ${row.municipality}`.toLowerCase()
  const aliases = keywordsOf(row).filter(
    (word) =>
      word.length > 2 &&
      word.length <= MAX_ALIAS_LENGTH &&
      !/https?:|www\.|@|[<>{}=]|^[A-Z]{1,3}\d+$|^new airport$/.test(word) &&
      !codesInUse.has(word) &&
      !known.includes(word.toLowerCase()),
  )
  return aliases.length > 0 ? aliases.slice(0, MAX_ALIASES) : null
}

/** Federal subjects east of the Urals; OurAirports puts many of them in Europe. */
const ASIAN_RUSSIA = new Set(
  'SVE CHE KGN TYU KHM YAN OMS TOM NVS KEM ALT AL KYA KK TY IRK BU ZAB SA AMU KHA PRI YEV MAG KAM CHU SAK'.split(
    ' ',
  ),
)

function continentOf(row: SourceAirport): string {
  if (row.iso_country !== 'RU') return row.continent
  return ASIAN_RUSSIA.has(row.iso_region.replace('RU-', '')) ? 'AS' : 'EU'
}

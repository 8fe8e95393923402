// What airport codes meant when, and the codes that a past airport last had.
import type { Period } from './airports.ts'
import { readOpenTravelData, readTable, type SourceAirport } from './sources.ts'

type PeriodRow = 'code' | 'airport' | 'from' | 'until'

/** Periods by airport id. A code of the table meant only what the table says. */
export function readPeriods(table: 'airport-codes' | 'city-codes'): Map<string, Period[]> {
  const periods = new Map<string, Period[]>()
  for (const { code, airport, from, until } of readTable<PeriodRow>(table))
    periods.set(airport, [...(periods.get(airport) ?? []), [code, from || null, until || null]])
  return periods
}

const isIata = (code: string) => /^[A-Z]{3}$/.test(code)
const isIcao = (code: string) => /^[A-Z]{4}$/.test(code)

interface PastCodes {
  iata: string | null
  icao: string | null
}

/** Codes of closed airports, by airport id: OurAirports removes them, and its keywords mix them with other words. */
export function openPastCodes(periods: Map<string, Period[]>, icaoInUse: Set<string>) {
  const known = knownIataCodes()
  return (row: SourceAirport, formerCodes: string[]): PastCodes => {
    const ended = lastFirst(periods.get(row.id) ?? [], formerCodes).map(([code]) => code)
    const icao = [...ended, ...(formerCodes.filter(isIcao).length === 1 ? formerCodes : [])].find(
      (code) => isIcao(code) && !icaoInUse.has(code),
    )
    // Two closed airports may have had one code; each ICAO code finds one record.
    if (icao) icaoInUse.add(icao)
    const iata = ended.find(isIata) ?? formerCodes.find((code) => isIata(code) && known.has(code))
    return { iata: iata ?? null, icao: icao ?? null }
  }
}

/** The code that ended last; of two that ended on one day, the one that no other airport took over. */
const lastFirst = (periods: Period[], formerCodes: string[]) =>
  periods.toSorted(
    ([codeA, , a], [codeB, , b]) =>
      (b ?? '').localeCompare(a ?? '') ||
      Number(formerCodes.includes(codeB)) - Number(formerCodes.includes(codeA)),
  )

/** Three letters in a keyword are an IATA code if OpenTravelData had an airport by them. */
const knownIataCodes = () =>
  new Set(readOpenTravelData<'iata_code'>('optd_por_no_longer_valid').map((row) => row.iata_code))

/** Airports of the past that OurAirports lacks, as rows of its table. Their ids are ours and never change. */
export function readPastAirports(): SourceAirport[] {
  type Column =
    | 'id'
    | 'icao'
    | 'name'
    | 'municipality'
    | 'country'
    | 'region'
    | 'latitude'
    | 'longitude'
    | 'continent'
  return readTable<Column>('past-airports').map((row) => ({
    id: row.id,
    ident: row.icao,
    type: 'closed',
    name: row.name,
    latitude_deg: row.latitude,
    longitude_deg: row.longitude,
    continent: row.continent,
    iso_country: row.country,
    iso_region: row.region,
    municipality: row.municipality,
    scheduled_service: 'no',
    icao_code: '',
    iata_code: '',
    gps_code: '',
    local_code: '',
    keywords: '',
  }))
}

// Aircraft types: ICAO Doc 8643's designators, with the names and IATA codes of our own table (tables/aircraft.csv), and
// OpenTravelData's IATA codes of variants that our table lacks.
import { classOf } from './aircraft-class.ts'
import type { IdMap } from './ids.ts'
import { readKnownTypes } from './opentraveldata.ts'
import { type Row, readAircraftTypes, readTable, type SourceType } from './sources.ts'

export interface Aircraft {
  id: number
  name: string
  icao: string
  iata: string[] | null
  aliases: string[] | null
  class: string | null
  importance: number
}

type Overlay = Row<'icao' | 'iata' | 'name' | 'aliases'>

const MAX_ALIASES = 12

/** IATA codes of OpenTravelData with several types, or with another type. */
const NOT_TAKEN = new Set(['73S', '74U', 'AT7', 'ATF', 'DF2', 'SY8', 'DHL', 'DHS', 'GR1', 'H25'])

export function buildAircraft(ids: IdMap): Aircraft[] {
  const models = Map.groupBy(readAircraftTypes(), (row) => row.Designator)
  const overlay = new Map(readTable<keyof Overlay>('aircraft').map((row) => [row.icao, row]))
  const designators = [...new Set([...models.keys(), ...overlay.keys()])].sort()
  const further = furtherCodes([...overlay.values()])
  const order = readTable<'icao' | 'name'>('aircraft-order').map((row) => row.icao)
  const types = designators.map((icao) => ({
    ...describe(icao, models.get(icao) ?? [], overlay.get(icao), further.get(icao) ?? []),
    importance: importanceOf(icao, order, overlay.has(icao)),
  }))
  return types.map((type) => ({ id: ids.idFor([type.icao]), ...type })).sort((a, b) => a.id - b.id)
}

/** IATA codes that our own table lacks, by designator. */
function furtherCodes(overlay: Overlay[]): Map<string, string[]> {
  const ours = new Set(overlay.flatMap((row) => row.iata.split(' ')))
  const types = readKnownTypes().filter(({ iata }) => !ours.has(iata) && !NOT_TAKEN.has(iata))
  const codes = Map.groupBy(types, (type) => type.icao)
  return new Map([...codes].map(([icao, list]) => [icao, list.map((type) => type.iata)]))
}

/** The most common airliner comes first (tables/aircraft-order.csv); types without a name in our table are last. */
function importanceOf(icao: string, order: string[], named: boolean): number {
  const place = order.indexOf(icao)
  if (place !== -1) return 1000 - place
  return named ? 100 : 0
}

function describe(
  icao: string,
  rows: SourceType[],
  overlay: Overlay | undefined,
  furtherIata: string[],
): Omit<Aircraft, 'id' | 'importance'> {
  const ranked = byTelling(rows)
  const name = overlay?.name ?? ranked[0] ?? icao
  const aliases = [
    ...(overlay ? withoutMaker(name) : []),
    ...(overlay?.aliases ? overlay.aliases.split(';') : []),
    ...ranked,
  ]
  const iata = [...(overlay?.iata ? overlay.iata.split(' ') : []), ...furtherIata]
  return {
    name,
    icao,
    iata: iata.length > 0 ? iata : null,
    aliases: distinct(aliases, name),
    class: classOf(icao, rows[0]?.Description),
  }
}

const MAKERS =
  /^(Airbus|Boeing|Embraer|Bombardier|De Havilland Canada|De Havilland|McDonnell Douglas|Douglas|Lockheed|Cessna|Beechcraft|Dassault|British Aerospace|Sukhoi|Antonov|Ilyushin|Tupolev|Yakovlev|Vickers|Hawker Siddeley|Fokker|Piper|Britten-Norman|COMAC) /

/** "737-800" and "B737-800" for "Boeing 737-800". */
function withoutMaker(name: string): string[] {
  const model = name.replace(MAKERS, '')
  if (model === name) return []
  return /^7\d7/.test(model) ? [model, `B${model}`] : [model]
}

const fold = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Without duplicates, such as "Airbus A-320neo" next to "Airbus A320neo". */
function distinct(aliases: string[], name: string): string[] | null {
  const known = new Map(aliases.map((alias) => [fold(alias), alias]))
  known.delete(fold(name))
  const kept = [...known.values()].slice(0, MAX_ALIASES)
  return kept.length > 0 ? kept : null
}

/** Names of a designator's models: the main maker first, and of that maker's those with both a number and a name. */
function byTelling(rows: SourceType[]): string[] {
  const makers = Map.groupBy(rows, (row) => row.ManufacturerCode)
  const groups = [...makers].sort(
    ([a, modelsA], [b, modelsB]) => rank(a) - rank(b) || modelsB.length - modelsA.length,
  )
  return groups.flatMap(([, group]) =>
    group.map(modelName).sort((a, b) => telling(b) - telling(a) || a.length - b.length || (a < b ? -1 : 1)),
  )
}

/** Builders under licence come after the makers of their designs. */
const LICENSEES = new Set(['AICSA', 'CHINCUL', 'NEIVA', 'AVIONES COLOMBIA', 'REIMS', 'HELIBRAS', 'HINDUSTAN'])
const rank = (maker: string) => (LICENSEES.has(maker) ? 1 : 0)

function modelName(row: SourceType): string {
  const maker = makerName(row.ManufacturerCode)
  const model = row.ModelFullName.replace(/\s+/g, ' ').trim()
  return fold(model).startsWith(fold(maker)) ? model : `${maker} ${model}`
}

function telling(name: string): number {
  const model = name.split(' ').slice(1).join(' ')
  return (/\d/.test(model) ? 1 : 0) + (/[A-Z][a-z]{2}/.test(model) ? 1 : 0) - (/[(/]/.test(model) ? 1 : 0)
}

// Doc 8643 writes makers in capitals

const INITIALS = new Set(
  (
    'ATR IAI PZL CASA FMA ICA LET MBB BAC BAE CZAW FFA HESA PADC DG EHI OGMA TL ICP MAPO SIPA AMX ATEC CSA SZD THK AIDC IAR ' +
    'IPTN LTV NHI RUAG SME CAP CSS DAC ELA ETA HAL HFB IRMA KARI NAL NAMC NDN RFB RTAF SAI SG SGAU TAI UTVA VFW WZL AICSA ' +
    'CAARP CAB CCF CEA EAA EKW ENAER ERCO FLS GAF IMCO IPAI IPT MSW OMF P&M SAAC SAN SMAN TBM VAT ACBA CTRM ARDC'
  ).split(' '),
)
const NAMED: Record<string, string> = {
  'MCDONNELL DOUGLAS': 'McDonnell Douglas',
  MCDONNELL: 'McDonnell',
  MCCULLOCH: 'McCulloch',
  AEROSPATIALE: 'Aérospatiale',
  BEECH: 'Beechcraft',
  AGUSTAWESTLAND: 'AgustaWestland',
  SAAB: 'Saab',
  LET: 'Let',
  MIKOYAN: 'Mikoyan',
  "VAN'S": "Van's",
  'GULFSTREAM AEROSPACE': 'Gulfstream',
  'BRITTEN-NORMAN': 'Britten-Norman',
  'MD HELICOPTERS': 'MD Helicopters',
  COMAC: 'COMAC',
  'DE HAVILLAND CANADA': 'De Havilland Canada',
  HONDA: 'Honda',
  ROTORWAY: 'RotorWay',
}

const WORDS = new Set(
  'AIR FLY NEW SUD MIL LET DE LA LE VAN SKY JET MAX PRO RED RAY REX CUB OFF ON AND EST RAJ FRY VOL ION'.split(
    ' ',
  ),
)
const isInitials = (word: string) =>
  INITIALS.has(word) || (word.length <= 3 && !WORDS.has(word)) || !/[AEIOUYÄÉÖÜ]/.test(word)

function makerName(code: string): string {
  const maker = code.replace(/ \(\d+\)$/, '')
  const cased = (word: string) => (isInitials(word) ? word : word.slice(0, 1) + word.slice(1).toLowerCase())
  return NAMED[maker] ?? maker.replace(/[\p{L}&']+/gu, cased)
}

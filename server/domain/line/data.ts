// What the words of a line are looked up in: airports, airlines and aircraft types by code and by name. Built once from the
// file that the server makes (server/reference/line-data.ts), in the browser and on the server alike.
import { type Days, daysOf, type Holder, heldOn } from '../code-periods.ts'
import { searchFold } from '../search-text.ts'
import type { LineAircraft, LineAirline, LineAirport, LineData, LinePeriod } from './types.ts'

/** Records by what people call them. */
interface Lexicon<Item> {
  byId: ReadonlyMap<number, Item>
  /** Of today, in upper case. */
  byCode: ReadonlyMap<string, readonly Item[]>
  /** Folded names. */
  byName: ReadonlyMap<string, readonly Item[]>
  /** Codes that passed from one record to another. */
  periods: ReadonlyMap<string, readonly Holder[]>
}

export interface LineReference {
  airports: Lexicon<LineAirport> & { cities: ReadonlyMap<string, readonly Holder[]> }
  airlines: Lexicon<LineAirline>
  aircraft: Lexicon<LineAircraft>
  /** The longest name of a place, in words. */
  longestName: number
}

/** `own`: airports of the person's log, or added here, that the file lacks. */
export function openLineData(data: LineData, own: readonly LineAirport[] = []): LineReference {
  const shipped = airportsOf(data)
  const known = new Set(shipped.map(({ id }) => id))
  const airports = [...shipped, ...own.filter(({ id }) => !known.has(id))]
  const places = lexicon(airports, airportCodes, airportNames)
  const airlines = airlinesOf(data)
  const aircraft = aircraftOf(data)
  return {
    airports: {
      ...places,
      periods: holdersOf(data.airports.periods, shipped),
      cities: holdersOf(data.airports.cities, shipped),
    },
    airlines: {
      ...lexicon(airlines, ({ iata, icao }) => [iata, icao], airlineNames),
      periods: holdersOf(data.airlines.periods, airlines),
    },
    aircraft: lexicon(aircraft, ({ icao, iata }) => [icao, ...iata], aircraftNames),
    longestName: Math.max(1, ...[...places.byName.keys()].map((name) => name.split(' ').length)),
  }
}

const airportCodes = ({ iata, icao }: LineAirport) => [iata, icao]
/** “Airport” is said of all of them. */
const GENERIC = /\b(?:international|intl|airport|flughafen|aeroport|lufthavn|regional|municipal)\b/g
const withoutGeneric = (folded: string) => folded.replace(GENERIC, '').replace(/ +/g, ' ').trim()
const airportNames = ({ city, name, names }: LineAirport) => {
  const folded = searchFold(name)
  // “Paris (Orly)”, “Kai Tak International Airport”.
  const [beforeBracket] = name.split(/[(/,–]/)
  const plain = [city ?? '', beforeBracket ?? ''].map(searchFold)
  return [...plain, folded, ...names, ...[folded, plain[1]!].map(withoutGeneric)]
}
const airlineNames = ({ name }: LineAirline) => {
  const folded = searchFold(name)
  const short = folded.replace(/ (?:airlines?|airways|air lines|international)$/, '')
  return short.length >= 4 ? [folded, short] : [folded]
}
/** With and without the maker, in one word and in several: “Boeing 737-800”, “737800”, “a350-900”. */
const aircraftNames = ({ name, names }: LineAircraft) => {
  const folded = searchFold(name)
  const model = folded.replace(/^(?:airbus|boeing|embraer|bombardier|mcdonnell douglas|fokker|atr) /, '')
  return [folded, model, ...names].flatMap((text) => [text, text.replaceAll(' ', '')])
}

function lexicon<Item extends { id: number; size: number }>(
  items: readonly Item[],
  codesOf: (item: Item) => readonly (string | null)[],
  namesOf: (item: Item) => readonly string[],
): Lexicon<Item> {
  const byCode = new Map<string, Item[]>()
  const byName = new Map<string, Item[]>()
  const add = (map: Map<string, Item[]>, key: string, item: Item) => {
    const list = map.get(key)
    if (!list) map.set(key, [item])
    else if (!list.includes(item)) list.push(item)
  }
  // The most important first, whatever is looked up.
  for (const item of items.toSorted((a, b) => b.size - a.size || a.id - b.id)) {
    for (const code of codesOf(item)) if (code) add(byCode, code.toUpperCase(), item)
    for (const name of namesOf(item)) if (name.length > 1) add(byName, name, item)
  }
  return { byId: new Map(items.map((item) => [item.id, item])), byCode, byName, periods: new Map() }
}

function holdersOf(periods: readonly LinePeriod[], items: readonly { id: number }[]) {
  const holders = new Map<string, Holder[]>()
  for (const [code, index, from, to] of periods) {
    const list = holders.get(code) ?? []
    list.push({ id: items[index]!.id, from, to })
    holders.set(code, list)
  }
  return holders
}

// The file

const codesIn = (text: string, length: number): string[] => text.match(new RegExp(`.{${length}}`, 'g')) ?? []
const textsIn = (text: string): string[] => text.split('|')
const listIn = (text: string | undefined): string[] => (text ? text.split(';') : [])
const sumsOf = (differences: readonly number[]): number[] => {
  let sum = 0
  return differences.map((difference) => (sum += difference))
}

/** The other way round in server/reference/line-data.ts. */
const nameOf = (short: string, city: string): string =>
  short.replace('*', () => city).replace('^', ' Airport').replace('~', ' International Airport')

function airportsOf({ airports: all, zones }: LineData): LineAirport[] {
  const [iata, icao, countries] = [codesIn(all.iata, 3), all.icao.split(' '), codesIn(all.country, 2)]
  const [city, name, names] = [textsIn(all.city), textsIn(all.name), textsIn(all.names)]
  const [latitude, longitude] = [sumsOf(all.latitude), sumsOf(all.longitude)]
  return sumsOf(all.id).map((id, i) => ({
    id,
    iata: iata[i] === '---' ? null : iata[i]!,
    icao: icao[i]!,
    name: nameOf(name[i]!, city[i]!),
    city: city[i] || null,
    country: countries[i]!,
    latitude: latitude[i]! / 100,
    longitude: longitude[i]! / 100,
    timezone: zones[all.zone[i]!]!,
    size: all.size[i]!,
    names: listIn(names[i]),
  }))
}

function airlinesOf({ airlines: all }: LineData): LineAirline[] {
  const [iata, icao, name] = [textsIn(all.iata), textsIn(all.icao), textsIn(all.name)]
  return sumsOf(all.id).map((id, i) => ({
    id,
    iata: iata[i] || null,
    icao: icao[i] || null,
    name: name[i]!,
    size: all.size[i]!,
  }))
}

function aircraftOf({ aircraft: all }: LineData): LineAircraft[] {
  const [iata, icao, name, names] = [textsIn(all.iata), textsIn(all.icao), textsIn(all.name), textsIn(all.names)]
  return sumsOf(all.id).map((id, i) => ({
    id,
    icao: icao[i] || null,
    iata: listIn(iata[i]),
    name: name[i]!,
    names: listIn(names[i]),
    size: all.size[i]!,
  }))
}

// Codes by date

/** Of a shipped record. */
const LARGEST = 100

type CodedLexicon<Item> = Pick<Lexicon<Item>, 'byId' | 'byCode' | 'periods'>

/** Those that the code meant on the day, the likeliest first; then what else it means or meant. */
export function byCodeOn<Item extends { id: number; size: number }>(
  { byId, byCode, periods }: CodedLexicon<Item>,
  code: string,
  date: string,
): Item[] {
  const today = byCode.get(code) ?? []
  const history = periods.get(code)
  // What was added here goes before what was shipped.
  if (!history || (today[0]?.size ?? 0) > LARGEST) return [...today]
  const then = heldIds(history, daysOf(date))
  const others = history.map(({ id }) => id).filter((id) => !then.includes(id))
  const ids = new Set([...then, ...others])
  return [...ids].flatMap((id) => byId.get(id) ?? [])
}

function heldIds(holders: readonly Holder[], days: Days): readonly number[] {
  const held = heldOn(holders, days)
  if (held.outcome === 'none') return []
  return held.outcome === 'one' ? [held.id] : held.ids
}

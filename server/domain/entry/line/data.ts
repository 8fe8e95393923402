// Looks up the words of a line: airports, airlines and aircraft types by code and by name. Built once, in the browser and on
// the server, from the file that the server makes (server/services/reference/line-data.ts).
import { airlinePeriods, airportPeriods, ofCode } from '../../reference/by-code.ts'
import { daysOf, daysWithin, type Holder, localCode } from '../../reference/code-periods.ts'
import {
  type Coded,
  candidatesOf,
  type How,
  makersAndNicknames,
  omittedOfAirlines,
  type Resolution,
} from '../../reference/resolution.ts'
import { searchFold } from '../../text/fold.ts'
import { createNearNames, type NearNames } from './near-names.ts'
import type { LineAircraft, LineAirline, LineAirport, LineData, LinePeriod } from './types.ts'

/** Records by the codes and names that people use. */
interface Lexicon<Item> {
  byId: ReadonlyMap<number, Item>
  /** Current codes, in upper case. */
  byCode: ReadonlyMap<string, readonly Item[]>
  /** Folded names. */
  byName: ReadonlyMap<string, readonly Item[]>
  /** Codes that passed from one record to another. */
  periods: ReadonlyMap<string, readonly Holder[]>
}

export interface LineReference {
  airports: Lexicon<LineAirport> & {
    cities: ReadonlyMap<string, readonly Holder[]>
    /** The code of an airport's city, by id. */
    cityOf: ReadonlyMap<number, string>
    /** Names that are similar to the typed text. */
    near: NearNames
    /** When airports that closed or are new were open, by id. */
    open: ReadonlyMap<number, readonly Holder[]>
  }
  airlines: Lexicon<LineAirline>
  aircraft: Lexicon<LineAircraft>
}

export function openLineData(data: LineData): LineReference {
  const airports = airportsOf(data)
  const airlines = airlinesOf(data)
  const aircraft = aircraftOf(data)
  const periods = holdersOf(data.airports.periods, airports)
  const names = lexicon(airports, airportCodes, airportNames)
  return {
    airports: {
      ...names,
      near: createNearNames(names.byName),
      periods,
      open: openDays(periods, airports),
      cities: holdersOf(data.airports.cities, airports),
      cityOf: new Map(data.airports.cities.map(([code, index]) => [airports[index]!.id, code])),
    },
    airlines: {
      ...lexicon(airlines, ({ iata, icao }) => [iata, icao], airlineNames),
      periods: holdersOf(data.airlines.periods, airlines),
    },
    aircraft: lexicon(aircraft, ({ icao, iata }) => [icao, ...iata], aircraftNames),
  }
}

/** By the code that an airport has today or had last: an earlier code says nothing about when it was open. */
function openDays(periods: ReadonlyMap<string, readonly Holder[]>, airports: readonly LineAirport[]) {
  const iata = new Map(airports.map(({ id, iata }) => [id, iata]))
  const own = [...periods].flatMap(([code, holders]) => holders.filter(({ id }) => iata.get(id) === code))
  return Map.groupBy(own, ({ id }) => id)
}

/** Adds airports of the person's log that are not in the file, such as small fields. */
export function withAirports(reference: LineReference, own: readonly LineAirport[]): LineReference {
  const { airports } = reference
  const added = lexicon(
    own.filter(({ id }) => !airports.byId.has(id)),
    airportCodes,
    airportNames,
  )
  if (added.byId.size === 0) return reference
  const both = (known: Names, more: Names) => {
    const all = new Map(known)
    for (const [key, list] of more) all.set(key, [...(known.get(key) ?? []), ...list])
    return all
  }
  return {
    ...reference,
    airports: {
      ...airports,
      byId: new Map([...airports.byId, ...added.byId]),
      byCode: both(airports.byCode, added.byCode),
      byName: both(airports.byName, added.byName),
    },
  }
}
type Names = ReadonlyMap<string, readonly LineAirport[]>

const airportCodes = ({ iata, icao }: LineAirport) => [iata, icao, localCode(icao)]

/** Words that any airport's name may have. */
const generic =
  /\b(?:international|intl|airport|flughafen|aeroport|aeropuerto|lufthavn|flygplats|regional|municipal|field)\b/gi
const withoutGeneric = (name: string): string => name.replace(generic, ' ').replace(/ +/g, ' ').trim()
/** The rest of a name without its city, if the rest is not a name in itself. */
const tooPlain = /^(?:city|south|north|east|west|central|downtown|main|sud|nord|airfield|aerodrome|.{1,3})$/
/** Words of airport names that are too common to name an airport alone; folded. */
const otherWords = new Set(
  (
    'capital state valey island islands glas county memorial lake national domestic hole sale executive metropolitan ' +
    'intercontinental gateway jetport tile hail meadows magenta egal lage'
  ).split(' '),
)

/** The city, the airport's name, and the name without the city: Paris, Paris Charles de Gaulle, Charles de Gaulle. */
function airportNames({ city, name, names }: LineAirport): string[] {
  const [beforeBracket] = name.split(/[(/,–]/)
  const bare = withoutGeneric(beforeBracket!)
  if (city === null || bare === city) return [searchFold(bare), ...names]
  const [place, whole] = [searchFold(city), searchFold(bare)]
  const rest = whole.startsWith(`${place} `) ? whole.slice(place.length + 1) : ''
  const besides = whole.includes(place) ? rest : `${place} ${whole}`
  const all = [place, whole, ...names, ...(tooPlain.test(besides) || besides === '' ? [] : [besides])]
  return all.filter((called) => called === place || !otherWords.has(called))
}

const OF_SOME_SIZE = 45
/** The weight of an airport if the text is only an alias of the place, as in services/reference/search/search.ts. */
const ALIAS = 0.55

/**
 * The airports with this name, with or without “airport”, the likeliest first. For the name of a city, also the other
 * airports with the city's code.
 */
export function airportsNamed({ airports }: LineReference, text: string): readonly LineAirport[] {
  if (text.length < 3) return []
  const folded = searchFold(text)
  const called = airports.byName.get(folded) ?? airports.byName.get(withoutGeneric(folded)) ?? []
  if (called.length === 0) return called
  const isOf = ({ city }: LineAirport) => `${searchFold(city ?? '')} `.startsWith(`${folded} `)
  const weight = (airport: LineAirport) => airport.size * (isOf(airport) ? 1 : ALIAS)
  const likeliest = called.toSorted((a, b) => weight(b) - weight(a))
  const [largest] = likeliest
  // If a city with an airport of some size has this name, only that city is meant.
  const isCalledSo = isOf(largest!) && largest!.size >= OF_SOME_SIZE
  const found = isCalledSo ? likeliest.filter(isOf) : likeliest
  const isCity = found.length > 1 || (largest!.city && searchFold(largest!.city) === folded)
  const code = isCity ? airports.cityOf.get(largest!.id) : undefined
  if (code === undefined) return found
  // Newark is an airport of New York, but New York's other airports are not Newark's.
  const beside = airports.cities.get(code)!.flatMap(({ id }) => airports.byId.get(id) ?? [])
  if (beside[0]?.id !== largest!.id) return found
  const weightOf = (airport: LineAirport) => (beside.includes(airport) ? airport.size : weight(airport))
  return [...new Set([...found, ...beside])].toSorted((a, b) => weightOf(b) - weightOf(a))
}

const LARGE_AIRLINE = 70
export const isLargeAirline = (airline: LineAirline | undefined): boolean =>
  (airline?.size ?? 0) >= LARGE_AIRLINE

const airlineNames = ({ name, names }: LineAirline) => {
  const folded = searchFold(name)
  const short = folded.replace(omittedOfAirlines, '')
  return short.length >= 4 ? [folded, short, ...names] : [folded, ...names]
}
/** With and without the maker, as one word and as several: “Boeing 737-800”, “737800”, “a350-900”; and the family, “787”. */
const aircraftNames = ({ name, names }: LineAircraft) => {
  const folded = searchFold(name)
  const model = folded.replace(makersAndNicknames, '')
  const family = /^(\d{3}) ./.exec(model)?.[1] ?? model
  return [folded, model, family, ...names].flatMap((text) => [text, text.replaceAll(' ', '')])
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

/** The inverse is in server/services/reference/line-data.ts. */
const nameOf = (short: string, city: string): string =>
  short
    .replace('*', () => city)
    .replace('^', ' Airport')
    .replace('~', ' International Airport')

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
  const names = textsIn(all.names)
  return sumsOf(all.id).map((id, i) => ({
    id,
    iata: iata[i] || null,
    icao: icao[i] || null,
    name: name[i]!,
    names: listIn(names[i]),
    size: all.size[i]!,
  }))
}

function aircraftOf({ aircraft: all }: LineData): LineAircraft[] {
  const [iata, icao, name, names] = [
    textsIn(all.iata),
    textsIn(all.icao),
    textsIn(all.name),
    textsIn(all.names),
  ]
  return sumsOf(all.id).map((id, i) => ({
    id,
    icao: icao[i] || null,
    iata: listIn(iata[i]),
    name: name[i]!,
    names: listIn(names[i]),
    size: all.size[i]!,
  }))
}

// Codes by date. domain/reference/by-code.ts decides, with this file as its index; a line also offers what else a code may mean.

type Held<Item> = Pick<Lexicon<Item>, 'byId'> & { periods: readonly Holder[]; city?: readonly Holder[] }

/** The meaning of the code on the day, and its holders: those that are meant first, then those of other days. */
function meaningsOf<Item extends Coded>(
  { byId, periods, city = [] }: Held<Item>,
  code: string,
  how: How,
): { meaning: Resolution<Item>; holders: Item[] } {
  const recordsOf = (all: readonly Holder[]) => all.flatMap(({ id }) => byId.get(id) ?? [])
  const records = recordsOf([...periods, ...city])
  const meaning = ofCode({ byCode: () => ({ records, periods, city }) }, code, how)
  return { meaning, holders: [...new Set([...candidatesOf(meaning), ...recordsOf(periods)])] }
}

export function airlinesOfCode({ airlines }: LineReference, code: string, date: string): LineAirline[] {
  const periods = airlinePeriods(airlines.byCode.get(code) ?? [], airlines.periods.get(code) ?? [])
  return meaningsOf({ ...airlines, periods }, code, { kind: 'airline', days: daysOf(date) }).holders
}

/** If the code is only that of a city on the day (BER until 2020), the airports of that city. `isOne`: only the first is meant. */
export function airportsOfCode(
  { airports }: LineReference,
  code: string,
  date: string,
): { airports: readonly LineAirport[]; isOne: boolean } {
  const periods = airportPeriods(code, airports.byCode.get(code) ?? [], airports.periods.get(code) ?? [])
  const days = daysOf(date)
  const city = (airports.cities.get(code) ?? []).filter((holder) => daysWithin(holder, days) > 0)
  const { meaning, holders } = meaningsOf({ ...airports, periods, city }, code, { kind: 'airport', days })
  if (meaning.outcome === 'ambiguous' && meaning.by === 'city')
    return { airports: meaning.candidates, isOne: false }
  const inCity = city.flatMap(({ id }) => airports.byId.get(id) ?? [])
  return { airports: [...new Set([...holders, ...inCity])], isOne: true }
}

/** False only if the airport is known to have been closed or not yet open. */
export function wasOpen({ airports }: LineReference, { id }: LineAirport, date: string): boolean {
  const periods = airports.open.get(id)
  return periods === undefined || periods.some((period) => daysWithin(period, daysOf(date)) > 0)
}

/** Suggestions of the pickers without the server: records of the log first, then those of the line's file. */

import { openLineData } from '../../../server/domain/entry/line/data.ts'
import { type CityPlace, cityName } from '../../../server/domain/reference/cities.ts'
import { searchFold } from '../../../server/domain/text/fold.ts'
import type { Aircraft, Airline, Airport } from '../api/types.ts'
import { i18n } from '../i18n/i18n.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { loadLineData } from './file.ts'
import { aircraftOf, airlineOf, airportOf } from './reference.ts'

const OFFERED = 8

interface Named {
  id: number
  iata?: string | null | readonly string[]
  icao: string | null
  name: string
  city?: string | null
  /** The city's name in the reader's language. */
  called?: string | null
  size: number
}

/** 3: the code matches, 2: a name starts with it, 1: a word in a name does, 0: no match. */
function fits({ iata, icao, name, city, called }: Named, typed: string): number {
  const codes = [icao, ...(Array.isArray(iata) ? iata : [iata ?? null])]
  if (codes.some((code) => code?.toLowerCase() === typed)) return 3
  const names = [name, city ?? '', called ?? ''].map(searchFold)
  if (names.some((one) => one.startsWith(typed))) return 2
  return typed.length > 1 && names.some((one) => one.includes(` ${typed}`)) ? 1 : 0
}

function best<One extends Named>(records: Iterable<One>, typed: string): One[] {
  const found: { one: One; rank: number }[] = []
  for (const one of records) {
    const rank = fits(one, typed)
    if (rank > 0) found.push({ one, rank: rank * 1000 + one.size })
  }
  return found.sort((a, b) => b.rank - a.rank).map(({ one }) => one)
}

/** Those of the log by last use, then the others. */
function offered<Item extends { id: number }>(ofLog: readonly Item[], others: readonly Item[]): Item[] {
  const known = new Set(ofLog.map(({ id }) => id))
  return [...ofLog, ...others.filter(({ id }) => !known.has(id))].slice(0, OFFERED)
}

const used = <Item extends { id: number }>(records: (Item | null)[]): Item[] => [
  ...new Map(records.flatMap((one) => (one ? [[one.id, one] as const] : []))).values(),
]

const reference = async () => openLineData(await loadLineData())

const asNamed = <Item extends { id: number; icao: string | null; name: string }>(item: Item) => ({
  size: 0,
  ...item,
})

const calledHere = (place: CityPlace): string | null => cityName(place, i18n.cities)

export async function airportsHere(text: string): Promise<Airport[]> {
  const ofLog = used(log.flights.flatMap(({ from, to }) => [to, from]))
  const typed = searchFold(text.trim())
  if (!typed) return ofLog.slice(0, OFFERED)
  const mine = best(
    ofLog.map((one) => ({ ...asNamed(one), city: one.municipality, called: calledHere(one) })),
    typed,
  ).map(({ id }) => log.airports[id]!)
  const all = [...(await reference()).airports.byId.values()]
  const others = all.map((one) => ({ ...one, called: calledHere({ ...one, municipality: one.city }) }))
  return offered(mine, best(others, typed).map(airportOf))
}

export async function airlinesHere(text: string): Promise<Airline[]> {
  const ofLog = used(log.flights.map(({ airline }) => airline))
  const typed = searchFold(text.trim())
  if (!typed) return ofLog.slice(0, OFFERED)
  const mine = best(ofLog.map(asNamed), typed).map(({ id }) => log.airlines[id]!)
  return offered(mine, best((await reference()).airlines.byId.values(), typed).map(airlineOf))
}

export async function aircraftHere(text: string): Promise<Aircraft[]> {
  const ofLog = used(log.flights.map(({ aircraft }) => aircraft))
  const typed = searchFold(text.trim())
  if (!typed) return ofLog.slice(0, OFFERED)
  const mine = best(ofLog.map(asNamed), typed).map(({ id }) => log.aircraft[id]!)
  return offered(mine, best((await reference()).aircraft.byId.values(), typed).map(aircraftOf))
}

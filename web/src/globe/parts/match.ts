// What a search on the map means: the flights that match it, and the airport that it names.
import { type CityNames, cityName } from '../../../../server/domain/reference/cities.ts'
import { type Airport, codeOf, type MapFlight } from '../types.ts'

export interface Match {
  /** Ids of the flights that match. */
  flights: ReadonlySet<number>
  /** Id of the airport that the search names. */
  airport: number | null
}

/** Shorter words are the start of many names. */
const LEAST_LETTERS = 3

const plain = (text: string): string => text.trim().toLocaleLowerCase()

/** The airport with this code, or else the most visited one of a city whose name starts so, in English or in the reader's language. */
export function airportNamed(
  query: string,
  flights: readonly MapFlight[],
  cities: CityNames,
): Airport | null {
  const wanted = plain(query)
  if (wanted.length < LEAST_LETTERS) return null
  const visits = new Map<number, { airport: Airport; count: number }>()
  for (const { from, to } of flights) {
    for (const airport of [from, to]) {
      if (!airport) continue
      if (plain(codeOf(airport)) === wanted || plain(airport.icao) === wanted) return airport
      const names = [airport.municipality ?? airport.name, cityName(airport, cities) ?? '']
      if (!names.some((name) => plain(name).startsWith(wanted))) continue
      const known = visits.get(airport.id)
      if (known) known.count++
      else visits.set(airport.id, { airport, count: 1 })
    }
  }
  const most = [...visits.values()].sort((a, b) => b.count - a.count)[0]
  return most?.airport ?? null
}

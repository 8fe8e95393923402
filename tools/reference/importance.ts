// The importance of an airport, which decides between airports that match the same words equally well.
import { readFrequencies, readOpenTravelData, readRunways, readTable, type SourceAirport } from './sources.ts'

/**
 * Airports with scheduled flights come before those that only occur in timetables, these before all others, and
 * heliports and closed places come last. Within each group, the range above its floor is filled by page rank, runways and
 * radio frequencies.
 */
const FLOORS = { scheduled: 20_000, scheduledHeliport: 15_000, ranked: 10_000, other: 1_000, last: 0 }
const CEILINGS = { scheduled: 100_000, scheduledHeliport: 19_999, ranked: 14_999, other: 9_999, last: 999 }
type Group = keyof typeof FLOORS

/** The smallest page rank of OpenTravelData; the largest is 1. */
const LEAST_RANK = 0.004
const LONG_RUNWAY_FEET = 13_000
const MANY_FREQUENCIES = 20
/** Rank of an airport without a page rank: many are new, or have a new code. */
const UNRANKED: Record<string, number> = { large_airport: 0.3, medium_airport: 0.1 }

interface Scale {
  importanceOf(row: SourceAirport, formerCodes?: string[]): number
}

export function openScale(): Scale {
  const ranks = readRanks()
  const runways = longestRunways()
  const frequencies = countFrequencies()
  return {
    importanceOf(row, formerCodes = []) {
      const rank = ranks.get(row.iata_code) ?? formerCodes.map((code) => ranks.get(code)).find(Boolean)
      const group = groupOf(row, rank !== undefined)
      const standing =
        0.8 * (rank === undefined ? (UNRANKED[row.type] ?? 0) : 1 - Math.log(rank) / Math.log(LEAST_RANK)) +
        0.15 * Math.min(1, (runways.get(row.id) ?? 0) / LONG_RUNWAY_FEET) +
        0.05 * Math.min(1, (frequencies.get(row.id) ?? 0) / MANY_FREQUENCIES)
      return Math.round(FLOORS[group] + Math.max(0, standing) * (CEILINGS[group] - FLOORS[group]))
    },
  }
}

function groupOf(row: SourceAirport, isRanked: boolean): Group {
  if (row.type === 'closed' || row.type === 'balloonport') return 'last'
  const isScheduled = hasAirlineService(row)
  if (row.type === 'heliport') return isScheduled ? 'scheduledHeliport' : 'last'
  if (isScheduled) return 'scheduled'
  return isRanked ? 'ranked' : 'other'
}

/** Airports of Ukraine, where airlines have not flown since 2022; logs are full of them. */
const SUSPENDED = new Set(['KBP', 'IEV', 'LWO', 'ODS', 'HRK', 'DNK', 'OZH', 'CWC', 'IFO', 'KHE', 'VIN'])

export const hasAirlineService = (row: SourceAirport): boolean =>
  row.type !== 'closed' && (row.scheduled_service === 'yes' || SUSPENDED.has(row.iata_code))

function readRanks(): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const { pk, pr_freq } of readOpenTravelData<'pk' | 'pr_freq'>('ref_airport_pageranked')) {
    const iata = pk.split('-')[0] ?? ''
    ranks.set(iata, Math.max(ranks.get(iata) ?? 0, Number(pr_freq)))
  }
  return ranks
}

/** In feet, of runways with a hard surface. */
function longestRunways(): Map<string, number> {
  const longest = new Map<string, number>()
  for (const { airport_ref, length_ft, surface, closed } of readRunways()) {
    if (closed === '1' || !/asp|con|pem|bit|tar/i.test(surface)) continue
    longest.set(airport_ref, Math.max(longest.get(airport_ref) ?? 0, Number(length_ft)))
  }
  return longest
}

function countFrequencies(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { airport_ref } of readFrequencies()) counts.set(airport_ref, (counts.get(airport_ref) ?? 0) + 1)
  return counts
}

/** Page rank counts connections, not people; if that misleads, our table has the order of a city's airports. */
export function applyKnownOrder(airports: { iata: string | null; type: string; importance: number }[]): void {
  const open = new Map(airports.filter((airport) => airport.type !== 'closed').map((a) => [a.iata, a]))
  for (const { airports: codes } of readTable<'airports'>('airport-order')) {
    const inOrder = codes.split(' ').map((code) => {
      const airport = open.get(code)
      if (!airport) throw new Error(`tables/airport-order.csv: there is no ${code}`)
      return airport
    })
    const values = inOrder.map((airport) => airport.importance).sort((a, b) => b - a)
    for (const [i, airport] of inOrder.entries()) airport.importance = values[i] ?? 0
  }
}

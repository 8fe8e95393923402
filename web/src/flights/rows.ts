/** The list as rows of fixed height: years, the divider above upcoming flights, flights, layovers between legs. */

import { layoverSeconds } from '../../../server/domain/layover.ts'
import type { Flight } from '../api/log.ts'

interface YearRow {
  kind: 'year'
  key: string
  year: number
  count: number
  distanceKm: number
}
interface UpcomingRow {
  kind: 'upcoming'
  key: string
  count: number
}
export interface FlightRow {
  kind: 'flight'
  key: string
  flight: Flight
  /** Position among flights, for screen readers and for moving with the keyboard. */
  index: number
  /** Joined to the leg above (later) or below (earlier). */
  above: boolean
  below: boolean
}
export interface LayoverRow {
  kind: 'layover'
  key: string
  earlier: Flight
  later: Flight
  /** Seconds on the ground. */
  ground: number
  /** All legs of the journey, on its last layover only. */
  journey: Flight[] | null
}
export type Row = YearRow | UpcomingRow | FlightRow | LayoverRow

/** For each flight (newest first) the layover that joins it to the next older one. */
function joints(flights: Flight[]): (number | null)[] {
  return flights.map((later, index) => {
    const earlier = flights[index + 1]
    return earlier ? layoverSeconds(earlier, later) : null
  })
}

function journeyEndingAt(flights: Flight[], joined: (number | null)[], index: number): Flight[] {
  const legs = [flights[index]!]
  for (let at = index; joined[at] !== null && joined[at] !== undefined; at++) legs.push(flights[at + 1]!)
  return legs.reverse()
}

export function rowsOf(flights: Flight[]): Row[] {
  const rows: Row[] = []
  const joined = joints(flights)
  const upcoming = flights.filter((flight) => !flight.completed).length
  let year = null as YearRow | null
  let announced = false
  for (const [index, flight] of flights.entries()) {
    const above = index > 0 && joined[index - 1] !== null
    if (!flight.completed && !announced) {
      rows.push({ kind: 'upcoming', key: 'upcoming', count: upcoming })
      announced = true
    } else if (flight.completed && year?.year !== flight.year && !above) {
      year = { kind: 'year', key: `year-${flight.year}`, year: flight.year, count: 0, distanceKm: 0 }
      rows.push(year)
    }
    if (flight.completed && year) {
      year.count++
      year.distanceKm += flight.distanceKm ?? 0
    }
    const ground = joined[index] ?? null
    rows.push({ kind: 'flight', key: `flight-${flight.id}`, flight, index, above, below: ground !== null })
    if (ground !== null) {
      const journey = above ? null : journeyEndingAt(flights, joined, index)
      rows.push({
        kind: 'layover',
        key: `layover-${flight.id}`,
        earlier: flights[index + 1]!,
        later: flight,
        ground,
        journey,
      })
    }
  }
  return rows
}

/** Tops of all rows and, at the end, the total height. */
export function offsetsOf(rows: Row[], height: (row: Row) => number): Float64Array {
  const offsets = new Float64Array(rows.length + 1)
  for (const [index, row] of rows.entries()) offsets[index + 1] = offsets[index]! + height(row)
  return offsets
}

/** Index of the row at that height. */
export function rowAt(offsets: Float64Array, y: number): number {
  let [low, high] = [0, Math.max(0, offsets.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (offsets[middle]! <= y) low = middle
    else high = middle - 1
  }
  return low
}

export interface Layout {
  rows: Row[]
  offsets: Float64Array
}

/** How far the row at a height, or the first one below it that still exists, has moved between two layouts. */
export function movedBy(was: Layout, is: Layout, y: number): number {
  const places = new Map(is.rows.map(({ key }, index) => [key, index]))
  for (let index = rowAt(was.offsets, y); index < was.rows.length; index++) {
    const place = places.get(was.rows[index]!.key)
    if (place !== undefined) return is.offsets[place]! - was.offsets[index]!
  }
  return 0
}

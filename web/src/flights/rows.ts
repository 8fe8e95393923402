/** The list as rows of fixed height: years, the divider above upcoming flights, flights, layovers between legs. */

import { takesPlace } from '../../../server/domain/flight.ts'
import type { Journey } from '../../../server/domain/journey.ts'
import type { Flight } from '../api/log.ts'
import type { Journeys } from '../log/journeys.ts'

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
  /** Seconds on the ground; null if one of the times is unknown. */
  ground: number | null
  /** The whole journey, on its last layover only. */
  journey: Journey<Flight> | null
}
export type Row = YearRow | UpcomingRow | FlightRow | LayoverRow

interface Joint {
  /** Seconds on the ground; null if one of the times is unknown. */
  ground: number | null
  journey: Journey<Flight>
}

/** For each flight (newest first) the stop that joins it to the next older one of the list. */
function joints(flights: Flight[], journeys: Journeys): (Joint | null)[] {
  return flights.map((later, index) => {
    const journey = journeys.of.get(later.id)
    const at = journey ? journey.flights.findIndex(({ id }) => id === later.id) - 1 : -1
    const isNext = at >= 0 && journey!.flights[at]!.id === flights[index + 1]?.id
    return isNext ? { ground: journey!.stops[at]!.seconds, journey: journey! } : null
  })
}

export function rowsOf(flights: Flight[], journeys: Journeys): Row[] {
  const rows: Row[] = []
  const joined = joints(flights, journeys)
  const upcoming = flights.filter((flight) => !flight.completed && takesPlace(flight)).length
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
    if (flight.completed && year && takesPlace(flight)) {
      year.count++
      year.distanceKm += flight.distanceKm ?? 0
    }
    const joint = joined[index] ?? null
    rows.push({ kind: 'flight', key: `flight-${flight.id}`, flight, index, above, below: joint !== null })
    if (joint !== null) rows.push(layoverRow(flight, flights[index + 1]!, joint))
  }
  return rows
}

const layoverRow = (later: Flight, earlier: Flight, { ground, journey }: Joint): LayoverRow => ({
  kind: 'layover',
  key: `layover-${later.id}`,
  earlier,
  later,
  ground,
  journey: journey.flights.at(-1)!.id === later.id ? journey : null,
})

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

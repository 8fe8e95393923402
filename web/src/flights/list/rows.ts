/**
 * The list as rows of fixed heights, so that every position is arithmetic: headings of years, headings of journeys,
 * flights, and on a phone the stops between them.
 */

import { takesPlace } from '../../../../server/domain/flights/outcome.ts'
import type { Journey } from '../../../../server/domain/trips/journey.ts'
import type { Flight } from '../../api/log.ts'
import type { Journeys } from '../../log/journeys.ts'
import { soonest } from '../../screen/next.ts'

export const orders = ['newest', 'oldest', 'distance', 'delay'] as const
export type Order = (typeof orders)[number]

/** A section of the list with a heading: flights in the air, upcoming ones, a year, or the whole list in another sort order. */
export interface Section {
  key: string
  kind: 'air' | 'upcoming' | 'year' | 'sorted'
  year: number | null
  count: number
  distanceKm: number
  seconds: number
}
interface HeadingRow {
  kind: 'heading'
  key: string
  section: Section
}
interface JourneyRow {
  kind: 'journey'
  key: string
  journey: Journey<Flight>
}
export interface FlightRow {
  kind: 'flight'
  key: string
  flight: Flight
  /** Position among the flights of the list, for screen readers and for moving with the keyboard. */
  index: number
  /** Whether the row is in a journey's block, and whether it is the last one there. */
  leg: 'none' | 'inner' | 'last'
  /** Only if no other journey's block follows; that one has its own gap. */
  gapBelow: boolean
  /** The year, if no heading shows it. */
  year: number | null
  /** In a list whose order separates the legs of journeys. */
  partOf: Journey<Flight> | null
}
interface LayoverRow {
  kind: 'layover'
  key: string
  airport: Flight['from']
  /** Seconds on the ground; null if one of the times is unknown. */
  ground: number | null
}
export type Row = HeadingRow | JourneyRow | FlightRow | LayoverRow

export interface ListRows {
  rows: Row[]
  /** The flights in list order. */
  flights: Flight[]
  /** The row index of each of these flights. */
  rowOf: number[]
  /** Sections from the top, with the row of their heading and the index of their first flight. */
  sections: { section: Section; row: number; flight: number }[]
}

/** Flights that stay together: the legs of a journey in flown order, or a single flight. */
interface Unit {
  flights: Flight[]
  journey: Journey<Flight> | null
}

interface ListOptions {
  order: Order
  /** Stops get their own rows where a journey's heading has no room for them. */
  stops: boolean
  /** The flights in the air. */
  airborne: ReadonlySet<number>
}

/** `flights` are sorted newest first. */
export function rowsOf(flights: Flight[], journeys: Journeys, options: ListOptions): ListRows {
  const { order, stops } = options
  if (order === 'distance' || order === 'delay') return sortedRows(flights, journeys, order)
  const list = createRows()
  for (const { section, units } of sectionsOf(flights, journeys, options)) {
    list.addHeading(section)
    for (const [position, unit] of units.entries())
      list.addUnit(unit, section.year, Boolean(units[position + 1]?.journey), stops)
  }
  return list
}

interface SectionUnits {
  section: Section
  units: Unit[]
}

/**
 * Each section once, even when a landed flight is listed before one of the same day that is still upcoming. Years come in list
 * order, after the flights in the air and the upcoming ones, of which the soonest is first.
 */
function sectionsOf(
  flights: Flight[],
  journeys: Journeys,
  { order, airborne }: Pick<ListOptions, 'order' | 'airborne'>,
): SectionUnits[] {
  const units = unitsOf(flights, journeys)
  const inAir = ({ id }: Flight) => airborne.has(id)
  const bySection = Map.groupBy(units, ({ flights: legs }) => {
    if (legs.some(inAir)) return 'air'
    return legs.every(({ completed }) => completed) ? legs[0]!.year : 'upcoming'
  })
  const ahead = ['air', 'upcoming'] as const
  const present = ahead.flatMap((kind): SectionUnits[] => {
    const own = bySection.get(kind)?.toSorted((a, b) => soonest(a.flights[0]!) - soonest(b.flights[0]!))
    const isOwn = (flight: Flight) => (kind === 'air' ? inAir(flight) : !flight.completed && !inAir(flight))
    return own ? [{ section: sectionOf(kind, null, flights.filter(isOwn)), units: own }] : []
  })
  const sections = yearsOf(flights).flatMap((section): SectionUnits[] => {
    const own = bySection.get(section.year!)
    return own ? [{ section, units: order === 'oldest' ? own.toReversed() : own }] : []
  })
  return order === 'oldest' ? [...sections.toReversed(), ...present] : [...present, ...sections]
}

function createRows() {
  const list: ListRows = { rows: [], flights: [], rowOf: [], sections: [] }
  const addFlight = (flight: Flight, more: Pick<FlightRow, 'leg' | 'gapBelow' | 'year' | 'partOf'>) => {
    list.rowOf.push(list.rows.length)
    list.rows.push({
      kind: 'flight',
      key: `flight-${flight.id}`,
      flight,
      index: list.flights.length,
      ...more,
    })
    list.flights.push(flight)
  }
  return {
    ...list,
    addFlight,
    addHeading(section: Section): void {
      list.sections.push({ section, row: list.rows.length, flight: list.flights.length })
      list.rows.push({ kind: 'heading', key: section.key, section })
    },
    addUnit({ flights, journey }: Unit, year: number | null, isJourneyNext: boolean, stops: boolean): void {
      if (journey) list.rows.push({ kind: 'journey', key: `journey-${flights[0]!.id}`, journey })
      for (const [i, flight] of flights.entries()) {
        const isLast = i === flights.length - 1
        if (journey && stops && i > 0) list.rows.push(layoverRow(journey, flight))
        addFlight(flight, {
          leg: journey ? (isLast ? 'last' : 'inner') : 'none',
          gapBelow: journey !== null && isLast && !isJourneyNext,
          year: flight.year === year ? null : flight.year,
          partOf: null,
        })
      }
    },
  }
}

function layoverRow({ flights, stops }: Journey<Flight>, later: Flight): LayoverRow {
  const at = flights.findIndex(({ id }) => id === later.id)
  return {
    kind: 'layover',
    key: `layover-${later.id}`,
    airport: later.from,
    ground: stops[at - 1]?.seconds ?? null,
  }
}

/** Newest journey first, by its first leg; legs hidden by a filter are ignored. */
function unitsOf(flights: readonly Flight[], journeys: Journeys): Unit[] {
  const listed = new Set(flights.map(({ id }) => id))
  const legs = new Map<Journey<Flight>, Flight[]>()
  return flights.flatMap((flight): Unit[] => {
    const journey = journeys.of.get(flight.id)
    if (!journey) return [{ flights: [flight], journey: null }]
    let shown = legs.get(journey)
    if (!shown) {
      shown = journey.flights.filter(({ id }) => listed.has(id))
      legs.set(journey, shown)
    }
    if (shown.length < 2) return [{ flights: [flight], journey: null }]
    return shown[0]!.id === flight.id ? [{ flights: shown, journey }] : []
  })
}

function sectionOf(kind: Section['kind'], year: number | null, flights: readonly Flight[]): Section {
  const counted = flights.filter(takesPlace)
  return {
    key: year === null ? kind : `year-${year}`,
    kind,
    year,
    count: counted.length,
    distanceKm: counted.reduce((sum, { distanceKm }) => sum + (distanceKm ?? 0), 0),
    seconds: counted.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
  }
}

/** Flights flown in each year, whichever heading they are under, counted as in the statistics. Latest year first. */
function yearsOf(flights: readonly Flight[]): Section[] {
  const byYear = Map.groupBy(
    flights.filter(({ completed }) => completed),
    ({ year }) => year,
  )
  return [...byYear].sort(([a], [b]) => b - a).map(([year, flown]) => sectionOf('year', year, flown))
}

const measures: Record<'distance' | 'delay', (flight: Flight) => number | null> = {
  distance: ({ distanceKm }) => distanceKm,
  delay: ({ arrivalDelay }) => arrivalDelay ?? null,
}

/** Largest first; unknown values last, in log order. */
function sortedRows(flights: Flight[], journeys: Journeys, order: 'distance' | 'delay'): ListRows {
  const measure = measures[order]
  const unknown = Number.NEGATIVE_INFINITY
  const sorted = flights.toSorted((a, b) => {
    const [first, second] = [measure(a) ?? unknown, measure(b) ?? unknown]
    return first === second ? 0 : second - first
  })
  const list = createRows()
  list.addHeading(sectionOf('sorted', null, flights))
  for (const flight of sorted) {
    const partOf = journeys.of.get(flight.id) ?? null
    list.addFlight(flight, { leg: 'none', gapBelow: false, year: flight.year, partOf })
  }
  return list
}

/** Position of the section whose heading is at or above that height. */
export function sectionAt({ sections }: ListRows, offsets: Float64Array, y: number): number {
  let at = 0
  for (const [i, { row }] of sections.entries()) if (offsets[row]! <= y) at = i
  return at
}

/** How a figure of the statistics was calculated: its flights in groups, by the same functions as the figure itself. */

import type { Grouping } from '../../../server/domain/enums.ts'
import { takesPlace } from '../../../server/domain/flights/outcome.ts'
import type { StatFlight } from '../../../server/domain/statistics/flights.ts'
import { type FlightGroup, groupFlights, sumsOf } from '../../../server/domain/statistics/groups.ts'
import type { Insights } from '../../../server/domain/statistics/insights.ts'
import { nightOf } from '../../../server/domain/statistics/night.ts'
import { punctualityOf } from '../../../server/domain/statistics/punctuality.ts'
import { averageKm, type Totals } from '../../../server/domain/statistics/sums.ts'
import { type Flight, flightWith } from '../api/flights-of-log.ts'
import type { Filters, Missing } from '../log/filters.ts'
import { countedFlights } from './page-figures.ts'

export type ExplainedFigure =
  | 'distance'
  | 'flights'
  | 'time'
  | 'airports'
  | 'countries'
  | 'routes'
  | 'airlines'
  | 'aircraft'
  | 'average'
  | 'onTime'
  | 'night'

/** Figures that count different values are grouped by what they count; sums can be grouped by anything. */
export const countedBy: Partial<Record<ExplainedFigure, Grouping>> = {
  airports: 'airport',
  countries: 'country',
  routes: 'route',
  airlines: 'airline',
  aircraft: 'aircraft',
}

type Measure = 'count' | 'distanceKm' | 'timeSeconds' | 'averageKm'
const measures: Partial<Record<ExplainedFigure, Measure>> = {
  distance: 'distanceKm',
  time: 'timeSeconds',
  night: 'timeSeconds',
  average: 'averageKm',
}
const measureOf = (figure: ExplainedFigure): Measure => measures[figure] ?? 'count'

/** Shares and averages: groups show their number of flights, and are left out if they have too few. */
export const isRelative = (figure: ExplainedFigure): boolean => figure === 'onTime' || figure === 'average'

/** Figures based only on flights with known times. */
export const ofTimes = (figure: ExplainedFigure): boolean => figure === 'onTime' || figure === 'night'

/** The flights that count for a figure; for the night, with the dark part of each as its duration. */
export function flightsBehind(flights: readonly Flight[], figure: ExplainedFigure): StatFlight[] {
  if (figure === 'onTime') return flights.filter((flight) => punctualityOf(flight) !== null)
  if (figure === 'average') return flights.filter(({ distanceKm }) => distanceKm !== null)
  if (figure !== 'night') return [...flights]
  return flights.flatMap((flight) => {
    const dark = nightOf(flight)
    return dark ? [flightWith(flight, { duration: dark.nightSeconds, durationEstimated: false })] : []
  })
}

export interface SizedGroup extends FlightGroup {
  /** In the unit of the figure. */
  size: number
}

const sizeIn = (group: FlightGroup, measure: Measure): number =>
  measure === 'averageKm' ? group.distanceKm / group.count : group[measure]

const identityOf = ({ id, key }: FlightGroup) => id ?? key

/** The share of each group that was on time, in percent. */
function onTimeShares(
  flights: readonly StatFlight[],
  groupBy: Grouping,
  userId: string | null,
): (group: FlightGroup) => number {
  const punctual = flights.filter((flight) => punctualityOf(flight) === 'onTime')
  const counts = new Map(
    groupFlights(punctual, groupBy, userId).map((group) => [identityOf(group), group.count]),
  )
  return (group) => (100 * (counts.get(identityOf(group)) ?? 0)) / group.count
}

/** Years and months from the newest, everything else from the largest; flights without the value last. */
export function groupsOf(
  flights: readonly Flight[],
  figure: ExplainedFigure,
  groupBy: Grouping,
  userId: string | null,
): SizedGroup[] {
  const isInTime = groupBy === 'year' || groupBy === 'month'
  const measure = measureOf(figure)
  const last = ({ key }: FlightGroup) => (key === null ? 1 : 0)
  const behind = flightsBehind(flights, figure)
  const groups = groupFlights(behind, groupBy, userId)
  const shares = figure === 'onTime' ? onTimeShares(behind, groupBy, userId) : null
  return groups
    .map((group) => ({ ...group, size: shares ? shares(group) : sizeIn(group, measure) }))
    .sort((a, b) => last(a) - last(b) || (isInTime ? (a.key! < b.key! ? 1 : -1) : b.size - a.size))
}

interface Basis {
  /** Flights that count. */
  flights: Flight[]
  upcoming: number
  cancelled: number
  /** Without both airports, so that the distance is unknown. */
  withoutDistance: number
  estimatedSeconds: number
  unknownFlights: number
}

/** What the page counts among the flights that match its filters. */
export function basisOf(filtered: readonly Flight[]): Basis {
  const flights = countedFlights(filtered)
  const taking = filtered.filter(takesPlace)
  const { estimatedSeconds, unknownFlights } = sumsOf(flights)
  return {
    flights,
    upcoming: taking.length - flights.length,
    cancelled: filtered.length - taking.length,
    withoutDistance: flights.filter(({ distanceKm }) => distanceKm === null).length,
    estimatedSeconds,
    unknownFlights,
  }
}

/** The missing value of flights that are in no group; every flight has a year. */
const lacking: Record<Grouping, Missing[]> = {
  airline: ['airline'],
  airport: ['airport'],
  aircraft: ['aircraft'],
  country: ['airport'],
  year: [],
  month: ['month'],
  registration: ['reg'],
  class: ['class'],
  reason: ['reason'],
  person: ['person'],
  route: ['airport'],
}

/** Address of a group's flights in the list; null if no filter selects them. */
export function filtersOf(
  group: FlightGroup,
  groupBy: Grouping,
  routes: ReadonlyMap<string, string>,
): Partial<Filters> | null {
  const { key, id } = group
  if (key === null) return { without: lacking[groupBy] }
  const record = [Number(id)]
  const filters: Record<Grouping, () => Partial<Filters> | null> = {
    airline: () => ({ airlines: record }),
    airport: () => ({ airports: record }),
    aircraft: () => ({ aircraft: record }),
    country: () => ({ countries: [key] }),
    year: () => ({ years: [Number(key)] }),
    month: () => ({ years: [Number(key.slice(0, 4))], months: [Number(key.slice(5))] }),
    registration: () => ({ registration: key }),
    class: () => ({ classes: [key as Filters['classes'][number]] }),
    reason: () => ({ reasons: [key as Filters['reasons'][number]] }),
    person: () => ({ passengers: [id ? `user:${id}` : `guest:${key}`] }),
    route: () => {
      const route = routes.get(key)
      return route ? { route } : null
    },
  }
  return filters[groupBy]()
}

/** The value of a figure as shown on the page. */
export const figureIn = (figure: ExplainedFigure, totals: Totals, insights: Insights): number => {
  const { arrivals } = insights.punctuality
  if (figure === 'onTime') return (100 * arrivals.onTime) / Math.max(1, arrivals.flights)
  if (figure === 'night') return insights.night.nightSeconds
  if (figure === 'distance') return totals.distanceKm
  if (figure === 'time') return totals.seconds
  if (figure === 'average') return averageKm(totals) ?? 0
  return totals[figure]
}

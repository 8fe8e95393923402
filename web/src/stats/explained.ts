/** How a figure of the statistics came about: the flights behind it in groups, by the same functions as the figure itself. */

import type { Grouping } from '../../../server/domain/enums.ts'
import { takesPlace } from '../../../server/domain/flight.ts'
import { type FlightGroup, groupFlights, sumsOf } from '../../../server/domain/statistics/groups.ts'
import type { Totals } from '../../../server/domain/statistics/sums.ts'
import type { Flight } from '../api/flights-of-log.ts'
import type { Filters } from '../log/filters.ts'
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

/** Figures that count different values have their groups by what they count; sums can be grouped by anything. */
export const countedBy: Partial<Record<ExplainedFigure, Grouping>> = {
  airports: 'airport',
  countries: 'country',
  routes: 'route',
  airlines: 'airline',
  aircraft: 'aircraft',
}

type Measure = 'count' | 'distanceKm' | 'timeSeconds' | 'averageKm'
const measureOf = (figure: ExplainedFigure): Measure =>
  figure === 'distance'
    ? 'distanceKm'
    : figure === 'time'
      ? 'timeSeconds'
      : figure === 'average'
        ? 'averageKm'
        : 'count'

export interface SizedGroup extends FlightGroup {
  /** In the measure of the figure. */
  size: number
}

const sizeIn = (group: FlightGroup, measure: Measure): number =>
  measure === 'averageKm' ? group.distanceKm / group.count : group[measure]

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
  return groupFlights(flights, groupBy, userId)
    .map((group) => ({ ...group, size: sizeIn(group, measure) }))
    .sort((a, b) => last(a) - last(b) || (isInTime ? (a.key! < b.key! ? 1 : -1) : b.size - a.size))
}

interface Basis {
  /** Those that count. */
  flights: Flight[]
  upcoming: number
  cancelled: number
  /** Without both airports, so that their distance is not known. */
  withoutDistance: number
  estimatedSeconds: number
  unknownFlights: number
}

/** What the page counts of the flights that match its filters. */
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

/** The flights of a group in the list; null where no filter says it. */
export function filtersOf(
  group: FlightGroup,
  groupBy: Grouping,
  routes: ReadonlyMap<string, string>,
): Partial<Filters> | null {
  const { key, id } = group
  if (key === null) return null
  const record = [Number(id)]
  const filters: Record<Grouping, () => Partial<Filters> | null> = {
    airline: () => ({ airlines: record }),
    airport: () => ({ airports: record }),
    aircraft: () => ({ aircraft: record }),
    country: () => ({ countries: [key] }),
    year: () => ({ years: [Number(key)] }),
    month: () => ({ years: [Number(key.slice(0, 4))], months: [Number(key.slice(5))] }),
    registration: () => ({ reg: key }),
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

/** The value of a figure as the page has it. */
export const figureIn = (figure: ExplainedFigure, totals: Totals): number => {
  if (figure === 'distance') return totals.distanceKm
  if (figure === 'time') return totals.seconds
  if (figure === 'average') return totals.distanceKm / Math.max(1, totals.flights)
  return totals[figure]
}

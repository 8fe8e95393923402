// A log as a poster: what is on it, whatever its style. No drawing here.
import { geoDistance } from 'd3-geo'
import { totals } from '../../../../server/domain/statistics/sums.ts'
import type { Flight } from '../../api/log.ts'
import { buildScene, type Route, type Spot } from '../../globe/scene.ts'
import type { Airport } from '../../globe/types.ts'

export const posterStyles = ['chart', 'night', 'atlas'] as const
export type PosterStyle = (typeof posterStyles)[number]

/** Millimetres of the short and the long side: all of one shape, so that one drawing fits all. */
export const papers = { a4: [210, 297], a3: [297, 420], a2: [420, 594] } as const
export type Paper = keyof typeof papers

interface Tick {
  /** 0 at the beginning of the first year, 1 at the end of the last. */
  at: number
  /** Of the longest flight. */
  height: number
}

export interface PosterData {
  centre: Airport
  routes: Route[]
  /** Most visited first. */
  spots: Spot[]
  mostFlown: number
  totals: ReturnType<typeof totals>
  years: { first: number; last: number } | null
  ticks: Tick[]
  /** Degrees from the centre to the farthest airport. */
  reach: number
}

/** Between the years, both included. A flight without a date is in none. */
export const flownIn = (flights: readonly Flight[], first: number, last: number): Flight[] =>
  flights.filter(({ date }) => {
    const year = Number(date.slice(0, 4))
    return year >= first && year <= last
  })

export function yearsOf(flights: readonly Flight[]): PosterData['years'] {
  const years = flights.map(({ date }) => Number(date.slice(0, 4)))
  if (years.length === 0) return null
  return years.reduce(
    (span, year) => ({ first: Math.min(span.first, year), last: Math.max(span.last, year) }),
    {
      first: years[0]!,
      last: years[0]!,
    },
  )
}

/** Null without an airport to draw. */
export function posterOf(flights: readonly Flight[], chosen: Airport | null): PosterData | null {
  const { routes, spots } = buildScene(flights)
  const centre = chosen ?? spots[0]?.airport
  if (!centre || spots.length === 0) return null
  const years = yearsOf(flights)
  return {
    centre,
    routes,
    spots,
    mostFlown: routes.at(-1)?.flown ?? 0,
    totals: totals(flights),
    years,
    ticks: years ? ticksOf(flights, years) : [],
    reach: Math.max(0, ...spots.map(({ airport }) => degreesBetween(centre, airport))),
  }
}

const degreesBetween = (a: Airport, b: Airport): number =>
  (geoDistance([a.longitude, a.latitude], [b.longitude, b.latitude]) * 180) / Math.PI

/** One for each flight whose month is known. */
function ticksOf(flights: readonly Flight[], { first, last }: { first: number; last: number }): Tick[] {
  const [start, end] = [Date.UTC(first, 0), Date.UTC(last + 1, 0)]
  const farthest = Math.max(1, ...flights.map(({ distanceKm }) => distanceKm ?? 0))
  return flights
    .filter(({ datePrecision }) => datePrecision !== 'year')
    .map(({ date, distanceKm }) => ({
      at: (Date.parse(date) - start) / (end - start),
      height: (distanceKm ?? 0) / farthest,
    }))
}

/** Kilometres of the rings around the centre. */
export function ringsOf(reachKm: number): number[] {
  const wide = [500, 1000, 2500, 5000, 10_000, 15_000]
  if (reachKm >= 3000) return wide.filter((km) => km < reachKm)
  return Array.from({ length: Math.floor(reachKm / 250) }, (_, i) => 250 * (i + 1))
}

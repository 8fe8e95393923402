// How long a flight took: as recorded, or estimated from its distance and the class of its aircraft
// (docs/decisions/018).
import type { AircraftClass } from '../enums.ts'

interface Pace {
  /** Minutes that every flight needs for taxiing, climb and approach. */
  fixed: number
  /** Kilometres per hour for the rest. */
  kmh: number
  /** For the distance beyond `NEAR_KM`. */
  farKmh?: number
  /** A higher average, even with the wind, means that the times are wrong. */
  fastest: number
}

const NEAR_KM = 4000

const paces: Record<AircraftClass, Pace> = {
  supersonic: { fixed: 55, kmh: 2150, fastest: 2400 },
  // Long flights use faster types and make fewer detours.
  jet: { fixed: 48, kmh: 790, farKmh: 905, fastest: 1300 },
  turboprop: { fixed: 40, kmh: 510, fastest: 1000 },
  piston: { fixed: 20, kmh: 300, fastest: 800 },
  helicopter: { fixed: 10, kmh: 250, fastest: 450 },
}

/** A usual gate-to-gate time. An unknown class counts as a jet. */
export function estimatedSeconds(km: number, aircraftClass: AircraftClass | null): number {
  const { fixed, kmh, farKmh = kmh } = paces[aircraftClass ?? 'jet']
  const far = Math.max(0, km - NEAR_KM)
  return Math.round((fixed / 60 + (km - far) / kmh + far / farKmh) * 3600)
}

/** Kilometres per hour that no flight of the class exceeds on average. */
export const fastestKmh = (aircraftClass: AircraftClass): number => paces[aircraftClass].fastest

/** The estimate of the legacy API, which existing programs compare. */
export const legacyEstimatedSeconds = (km: number): number => Math.round((km / 805 + 0.5) * 3600)

interface Route {
  from: { id: number } | null
  to: { id: number } | null
  distanceKm: number | null
  aircraft?: { class?: AircraftClass | null } | null
}

interface FlightDuration {
  /** Seconds; null if neither recorded nor possible to estimate. */
  duration: number | null
  durationEstimated: boolean
}

interface Flown {
  /** Milliseconds since 1970; null if unknown. */
  departs: number | null
  arrives: number | null
  /** Seconds. */
  duration: number | null
}

/** The known landing time, otherwise departure plus duration, which may be an estimate. */
export const landsAt = ({ departs, arrives, duration }: Flown): number | null =>
  arrives ?? (departs !== null && duration !== null ? departs + duration * 1000 : null)

/** A flight that ends where it began has no distance to estimate from. */
export function knownOrEstimated(
  recorded: number | null,
  { from, to, distanceKm, aircraft }: Route,
  estimate: typeof estimatedSeconds = estimatedSeconds,
): FlightDuration {
  if (recorded !== null) return { duration: recorded, durationEstimated: false }
  if (!from || !to || from.id === to.id || distanceKm === null)
    return { duration: null, durationEstimated: false }
  return { duration: estimate(distanceKm, aircraft?.class ?? null), durationEstimated: true }
}

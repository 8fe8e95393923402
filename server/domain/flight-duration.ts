// How long a flight took: as recorded, or estimated from its distance and the class of its aircraft
// (docs/decisions/082-durations.md).
import type { AircraftClass } from './enums.ts'

interface Pace {
  /** Minutes of every flight: taxiing, climb, approach. */
  fixed: number
  /** Kilometres per hour of the rest. */
  kmh: number
  /** On what is beyond `NEAR_KM`. */
  farKmh?: number
  /** An average above this, even with the wind, is a mistake in the times. */
  fastest: number
}

const NEAR_KM = 4000

const paces: Record<AircraftClass, Pace> = {
  supersonic: { fixed: 55, kmh: 2150, fastest: 2400 },
  // Long flights are flown by faster types and with fewer detours.
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
  /** Seconds; null where it is neither recorded nor estimable. */
  duration: number | null
  durationEstimated: boolean
}

interface Flown {
  /** Milliseconds since 1970; null where unknown. */
  departs: number | null
  arrives: number | null
  /** Seconds. */
  duration: number | null
}

/** When it lands: as known, else by its duration, which may be an estimate. */
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

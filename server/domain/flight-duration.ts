// How long a flight took: as recorded, or estimated from its distance.

const CRUISE_KMH = 805
/** Taxiing, climb and descent. */
const GROUND_HOURS = 0.5

/** A usual gate-to-gate time for a distance. */
export const estimatedSeconds = (km: number): number => Math.round((km / CRUISE_KMH + GROUND_HOURS) * 3600)

interface Route {
  from: { id: number } | null
  to: { id: number } | null
  distanceKm: number | null
}

interface FlightDuration {
  /** Seconds; null where it is neither recorded nor estimable. */
  duration: number | null
  durationEstimated: boolean
}

/** A flight that ends where it began has no distance to estimate from. */
export function knownOrEstimated(recorded: number | null, { from, to, distanceKm }: Route): FlightDuration {
  if (recorded !== null) return { duration: recorded, durationEstimated: false }
  if (!from || !to || from.id === to.id || distanceKm === null)
    return { duration: null, durationEstimated: false }
  return { duration: estimatedSeconds(distanceKm), durationEstimated: true }
}

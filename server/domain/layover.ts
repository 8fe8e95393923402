// Whether two flights are connected, and how long the layover is.

interface Leg {
  from: { id: number } | null
  to: { id: number } | null
  /** Milliseconds since 1970, null where unknown. */
  departs: number | null
  arrives: number | null
}

const LONGEST_LAYOVER_SECONDS = 24 * 3600

/** Seconds on the ground if `later` goes on from where `earlier` arrived, else null. A return flight is not a connection. */
export function layoverSeconds(earlier: Leg, later: Leg): number | null {
  if (!earlier.to || earlier.to.id !== later.from?.id || later.to?.id === earlier.from?.id) return null
  if (earlier.arrives === null || later.departs === null) return null
  const ground = (later.departs - earlier.arrives) / 1000
  return ground >= 0 && ground <= LONGEST_LAYOVER_SECONDS ? ground : null
}

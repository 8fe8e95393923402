// How high an arc stands over the globe. Without height a route that passes the middle of the picture would be a straight bar.

const HIGHEST = 0.3
/** With many routes, so that the arcs do not hide the world. */
const CROWDED = 0.8
const MANY_ROUTES = 24
/** An arc has its whole height from this depth on; towards the limb it lies down and never hooks over the edge. */
const WHOLE_FROM_DEPTH = 0.72

/** Height of a point over the ground, in radii of the globe, at a share of an arc of that angle (radians). */
export function liftAt(share: number, angle: number): number {
  const top = Math.min(HIGHEST, 0.012 + 0.085 * angle ** 1.15)
  return top * Math.max(0, Math.sin(Math.PI * share)) ** 0.85
}

/** The part of the height with that many routes on the globe. */
export const liftOf = (routes: number): number => (routes > MANY_ROUTES ? CROWDED : 1)

/** The part of the height that is drawn where the ground has this depth: 1 faces the viewer, 0 is the limb. */
export function liftSeen(depth: number): number {
  if (depth <= 0) return 0
  if (depth >= WHOLE_FROM_DEPTH) return 1
  const t = depth / WHOLE_FROM_DEPTH
  return t * t * (3 - 2 * t)
}

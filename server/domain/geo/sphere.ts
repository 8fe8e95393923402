// Geometry on the unit sphere, and the side of a globe that shows a set of airports best.

export const RAD = Math.PI / 180

export type Vector = readonly [number, number, number]

export function vectorOf(longitude: number, latitude: number): Vector {
  const c = Math.cos(latitude * RAD)
  return [c * Math.cos(longitude * RAD), c * Math.sin(longitude * RAD), Math.sin(latitude * RAD)]
}

export function angleBetween(a: Vector, b: Vector): number {
  const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
  return Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
}

/** How prominent a route is, 0 to 1. Logarithmic: the tenth flight on a route adds less light than the second. */
export function routeWeight(flights: number, most: number): number {
  if (most <= 1) return 0.35
  return flights === 0 ? 0 : Math.log(flights) / Math.log(Math.max(most, 5))
}

/** How prominent an airport is, 0 to 1. */
export const airportWeight = (visits: number, most: number): number => (visits / most) ** 0.4

interface Visited {
  vector: Vector
  visits: number
}

const normalised = ([x, y, z]: Vector, otherwise: Vector): Vector => {
  const length = Math.hypot(x, y, z)
  return length < 1e-6 ? otherwise : [x / length, y / length, z / length]
}

/** The centre of the airports, weighted by visits. Requires at least one airport. */
export function weightedCentre(airports: readonly Visited[]): Vector {
  const sum: [number, number, number] = [0, 0, 0]
  for (const { vector, visits } of airports) {
    const w = Math.sqrt(visits)
    for (let k = 0; k < 3; k++) sum[k]! += vector[k]! * w
  }
  return normalised(sum, airports[0]!.vector)
}

/** The smallest circle around all airports, found by moving towards the farthest one. */
function enclosingCircle(airports: readonly Visited[]): { centre: Vector; radius: number } {
  let centre = weightedCentre(airports)
  let radius = 0
  for (let i = 1; i <= 60; i++) {
    let far = centre
    radius = 0
    for (const { vector } of airports) {
      const angle = angleBetween(centre, vector)
      if (angle > radius) {
        radius = angle
        far = vector
      }
    }
    const [x, y, z] = centre.map((c, k) => c + (far[k]! - c) / (i + 1)) as [number, number, number]
    centre = normalised([x, y, z], centre)
  }
  return { centre, radius }
}

/** In degrees, and how much larger than the whole globe it may be drawn. */
interface GlobeSide {
  longitude: number
  latitude: number
  zoom: number
}

/** Seen from the centre of a worldwide log, arcs would be straight spokes; from nearer the equator they are curved. */
const SIDEWAYS = 0.68

/** The side of the globe that shows the airports best. */
export function bestSide(airports: readonly Visited[]): GlobeSide {
  if (airports.length === 0) return { longitude: 10, latitude: 30, zoom: 1 }
  const circle = enclosingCircle(airports)
  // A log around the whole world, or over the pole, has no best side: then use the side with the most visits.
  const isLocal = circle.radius < 1.25 && Math.abs(circle.centre[2]) < 0.82
  const centre = isLocal ? circle.centre : weightedCentre(airports)
  const latitude = Math.max(-55, Math.min(55, Math.asin(centre[2]) / RAD))
  const zoom = circle.radius > 0.9 ? 1 : 0.92 / Math.sin(Math.max(0.12, circle.radius))
  return {
    longitude: Math.atan2(centre[1], centre[0]) / RAD,
    latitude: zoom > 1 ? latitude : latitude * SIDEWAYS,
    zoom,
  }
}

// Distances on the earth, measured on the WGS84 ellipsoid. Only the legacy API uses the sphere, because existing programs
// compare its figures.
import geodesic from 'geographiclib-geodesic'

export interface Position {
  latitude: number
  longitude: number
}

const wgs84 = geodesic.Geodesic.WGS84
const EARTH_RADIUS_METRES = 6_371_008.8
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Length of the shortest path on the ellipsoid, in kilometres with one decimal. */
export function distanceKm(from: Position, to: Position): number {
  const { s12 } = wgs84.Inverse(from.latitude, from.longitude, to.latitude, to.longitude)
  return Math.round((s12 ?? 0) / 100) / 10
}

/** Great-circle length on the mean sphere, in metres: for the legacy API's figures, and for the outline of a track. */
export function sphericalMetres(from: Position, to: Position): number {
  const [a, b] = [radians(from.latitude), radians(to.latitude)]
  const cosine =
    Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(radians(to.longitude - from.longitude))
  return EARTH_RADIUS_METRES * Math.acos(Math.min(1, Math.max(-1, cosine)))
}

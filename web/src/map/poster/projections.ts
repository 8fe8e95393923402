// How each style flattens the world.
import { type GeoProjection, geoEqualEarth, geoOrthographic, geoProjection } from 'd3-geo'
import { weightedCentre } from '../../../../server/domain/geo/sphere.ts'
import type { PosterData } from './poster.ts'

export interface Disc {
  x: number
  y: number
  radius: number
}

/** Degrees at which the scale of the chart has halved: the near world, where most flights are, gets room. */
const NEAR = 30
const RIM_AT_MOST = 178
const RIM_AT_LEAST = 2
const RADIANS = Math.PI / 180

/** The farthest airport and a little more. */
export const rimOf = ({ reach }: PosterData): number =>
  Math.min(RIM_AT_MOST, Math.max(RIM_AT_LEAST, reach * 1.05))

/** From the centre, as a share of the disc, at an angle from it in degrees. */
export const chartRadius = (degrees: number, rim: number): number =>
  Math.log1p(degrees / NEAR) / Math.log1p(rim / NEAR)

/** Bearings from the centre are true, so routes from there are straight; distances shrink towards the rim. */
export function chartProjection({ x, y, radius }: Disc, data: PosterData): GeoProjection {
  const rim = rimOf(data)
  const raw = (lambda: number, phi: number): [number, number] => {
    const away = Math.acos(Math.max(-1, Math.min(1, Math.cos(phi) * Math.cos(lambda))))
    if (away < 1e-9) return [0, 0]
    const stretched = chartRadius(away / RADIANS, rim) / Math.sin(away)
    return [stretched * Math.cos(phi) * Math.sin(lambda), stretched * Math.sin(phi)]
  }
  return geoProjection(raw)
    .rotate([-data.centre.longitude, -data.centre.latitude])
    .clipAngle(rim)
    .scale(radius)
    .translate([x, y])
    .precision(0.1)
}

/** Turned to where most was flown. */
export function globeProjection({ x, y, radius }: Disc, { spots }: PosterData): GeoProjection {
  const [vx, vy, vz] = weightedCentre(spots)
  const longitude = Math.atan2(vy, vx) / RADIANS
  const latitude = Math.max(-50, Math.min(40, Math.asin(vz) / RADIANS))
  return geoOrthographic()
    .rotate([-longitude, -latitude])
    .clipAngle(90)
    .scale(radius)
    .translate([x, y])
    .precision(0.1)
}

/** The whole world, cut opposite to the centre. */
export function worldProjection(
  [left, top, width, height]: readonly [number, number, number, number],
  { centre }: PosterData,
): GeoProjection {
  return geoEqualEarth()
    .rotate([-Math.round(centre.longitude / 15) * 15, 0])
    .fitExtent(
      [
        [left, top],
        [left + width, top + height],
      ],
      { type: 'Sphere' },
    )
    .precision(0.1)
}

/** What a strip shows: how its globe is turned and scaled, and where the names of airports stand. */

import { type GeoProjection, geoEqualEarth, geoOrthographic, geoPath } from 'd3-geo'
import { arcPath, traceArc } from '../../../../server/domain/geo/arc-height.ts'
import { angleBetween, RAD, type Vector, vectorOf } from '../../../../server/domain/geo/sphere.ts'
import type { Airport } from '../types.ts'

type Place = Pick<Airport, 'longitude' | 'latitude'>
type Point = [number, number]

interface Route {
  from: Place
  to: Place
}

interface Subject {
  places: readonly Place[]
  routes: readonly Route[]
  /** Recorded positions, in place of arcs. */
  track: readonly (readonly number[])[]
}

interface Size {
  width: number
  height: number
}

/** Pixels at the edges that stay free of airports. */
export interface Margins {
  top: number
  side: number
  bottom: number
}

/** Pixels per radian. Closer, the coast is coarse. */
const CLOSEST = 2600
/** Degrees by which the camera stands towards the equator, so that an arc of more than `WHOLE_TILT_FROM` radians bows. */
const TILT = 24
const WHOLE_TILT_FROM = 0.5
/** Degrees from the middle within which a place is seen well. */
const SIGHT = 80
/** In a low strip the globe leans by this many degrees, so that a route uses its width. */
const MOST_LEAN = 40
const LOW = 3
/** The radius of a whole globe, as a part of the larger side. */
const WHOLE = 0.36

const pointOf = ({ longitude, latitude }: Place): Point => [longitude, latitude]
const vector = ({ longitude, latitude }: Place): Vector => vectorOf(longitude, latitude)

/** A projection that shows the places, with the arcs or the track between them, within the margins. */
export function projectionOf(subject: Subject, size: Size, margins: Margins): GeoProjection {
  const room = { width: size.width - 2 * margins.side, height: size.height - margins.top - margins.bottom }
  const projection = turned(subject, room)
  const points = pointsOf(subject, projection)
  if (points.length < 2)
    return projection
      .scale(Math.max(size.width, size.height) * WHOLE)
      .translate([size.width / 2, size.height / 2])
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = Math.min(
    room.width / Math.max(1e-6, right - left),
    room.height / Math.max(1e-6, bottom - top),
    CLOSEST,
  )
  const x = size.width / 2 - (scale * (left + right)) / 2
  const y = margins.top + room.height / 2 - (scale * (top + bottom)) / 2
  return projection.scale(scale).translate([x, y])
}

/** A globe of radius 1; a flat map if one of the places would not be seen well. */
function turned({ places, routes, track }: Subject, room: Size): GeoProjection {
  const { longitude, latitude } = middleOf(places)
  const middle = vectorOf(longitude, latitude)
  const reach = Math.max(0, ...places.map((place) => angleBetween(vector(place), middle)))
  if (reach > SIGHT * RAD) return geoEqualEarth().scale(1).translate([0, 0]).rotate([-longitude, 0])
  const made = geoOrthographic().clipAngle(90).scale(1).translate([0, 0])
  const wanted = TILT * Math.min(1, (2 * reach) / WHOLE_TILT_FROM)
  const tilt = track.length > 0 ? 0 : Math.max(0, Math.min(wanted, SIGHT - reach / RAD))
  const aside = latitude < 0 ? latitude + tilt : latitude - tilt
  made.rotate([-longitude, -aside])
  const [route] = routes
  const isLow = room.width > LOW * room.height && routes.length === 1 && track.length === 0
  return isLow ? made.rotate([-longitude, -aside, leanOf(made, route!)]) : made
}

function leanOf(projection: GeoProjection, { from, to }: Route): number {
  const [a, b] = [projection(pointOf(from))!, projection(pointOf(to))!]
  const [left, right] = a[0] < b[0] ? [a, b] : [b, a]
  const slope = Math.atan2(right[1] - left[1], right[0] - left[0]) / RAD
  return Math.max(-MOST_LEAN, Math.min(MOST_LEAN, slope))
}

/** Europe if there are none. */
function middleOf(places: readonly Place[]): Place {
  const [first] = places
  if (!first) return { longitude: 10, latitude: 35 }
  const along = (axis: 0 | 1 | 2) => places.reduce((sum, place) => sum + vector(place)[axis], 0)
  const [x, y, z] = [along(0), along(1), along(2)]
  // Opposite places have no middle.
  if (Math.hypot(x, y, z) < 1e-6) return first
  return { longitude: Math.atan2(y, x) / RAD, latitude: Math.atan2(z, Math.hypot(x, y)) / RAD }
}

/** Everything that must be visible. */
function pointsOf({ places, routes, track }: Subject, projection: GeoProjection): Point[] {
  const ground = [...places.map(pointOf), ...(track as readonly Point[])]
  const points = ground.map((place) => projection(place)).filter((point) => point !== null)
  const add = (x: number, y: number) => void points.push([x, y])
  if (track.length === 0 && isGlobe(projection))
    for (const { from, to } of routes) traceArc({ moveTo: add, lineTo: add }, projection, from, to, 1)
  return points
}

const isGlobe = (projection: GeoProjection): boolean => projection.clipAngle() === 90

/** The way of a route as a path: lifted over a globe, else along the ground. */
export function wayOf(projection: GeoProjection, { from, to }: Route): string {
  if (isGlobe(projection)) return arcPath(projection, from, to, 1)
  return geoPath(projection)({ type: 'LineString', coordinates: [pointOf(from), pointOf(to)] }) ?? ''
}

interface Dot<P extends Place> {
  place: P
  x: number
  y: number
  isLeft: boolean
  isNamed: boolean
}

const NAME = { width: 44, height: 15, away: 30 }

/**
 * Names stand away from the other places if there is room, so that no arc runs through one; where it would cover another, a name
 * is left out.
 */
export function dotsOf<P extends Place>(places: readonly P[], projection: GeoProjection): Dot<P>[] {
  const at = places.map((place): Point => projection(pointOf(place)) ?? [0, 0])
  const centre = at.reduce((sum, [x]) => sum + x, 0) / at.length
  const dots: (Dot<P> & { name: number })[] = []
  for (const [i, place] of places.entries()) {
    const [x, y] = at[i]!
    const nameAt = (isLeft: boolean) => x + (isLeft ? -NAME.away : NAME.away)
    const isLeft = [x < centre, x >= centre].find((isLeft) =>
      dots.every(
        (one) => Math.abs(one.y - y) > NAME.height || Math.abs(one.name - nameAt(isLeft)) > NAME.width,
      ),
    )
    const isNamed = isLeft !== undefined
    dots.push({ place, x, y, isLeft: isLeft ?? true, isNamed, name: nameAt(isLeft ?? true) })
  }
  return dots
}

// The world's outlines on the flat map, cut at its edge. Loaded with that view: the globe needs no such cutting.
import { geoEqualEarth, geoPath } from 'd3-geo'
import { RAD } from '../../../../server/domain/geo/sphere.ts'
import { centreOf } from '../camera.ts'
import { equalEarthY } from '../sphere.ts'
import type { Camera, Viewport } from '../types.ts'

/** Outlines as unit vectors (x, y, z). */
interface Outlines {
  isArea: boolean
  rings: readonly Float32Array[]
}

const shapes = new WeakMap<Outlines, GeoJSON.Polygon | GeoJSON.LineString>()

function shapeOf(outlines: Outlines): GeoJSON.Polygon | GeoJSON.LineString {
  let shape = shapes.get(outlines)
  if (!shape) {
    const coordinates = outlines.rings.map(placesOf)
    shape = outlines.isArea
      ? { type: 'Polygon', coordinates }
      : { type: 'LineString', coordinates: coordinates[0]! }
    shapes.set(outlines, shape)
  }
  return shape
}

export function placesOf(ring: Float32Array): GeoJSON.Position[] {
  const places: GeoJSON.Position[] = []
  for (let i = 0; i < ring.length; i += 3) {
    const [x, y, z] = [ring[i]!, ring[i + 1]!, ring[i + 2]!]
    places.push([Math.atan2(y, x) / RAD, Math.atan2(z, Math.hypot(x, y)) / RAD])
  }
  return places
}

/** Adds areas and lines to the path. */
export function traceShapes(
  ctx: CanvasRenderingContext2D,
  pieces: Iterable<Outlines>,
  camera: Camera,
  viewport: Viewport,
  precision: number,
): void {
  const centre = centreOf(viewport)
  const shift = camera.scale * equalEarthY(camera.lat * RAD)
  const projection = geoEqualEarth()
    .scale(camera.scale)
    .translate([centre[0], centre[1] + shift])
    .rotate([-camera.lon, 0])
    .precision(precision)
  const path = geoPath(projection, ctx)
  for (const piece of pieces) path(shapeOf(piece))
}

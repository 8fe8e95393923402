// The world's outlines on the flat map, cut at its edge. Loaded with that view: the globe needs no such cutting.
import { geoEqualEarth, geoPath } from 'd3-geo'
import { RAD } from '../../../server/domain/sphere.ts'
import { centreOf } from './camera.ts'
import { equalEarthY } from './sphere.ts'
import type { Camera, Viewport } from './types.ts'

/** Adds shapes to the path. */
export function traceShapes(
  ctx: CanvasRenderingContext2D,
  shapes: Iterable<GeoJSON.Polygon | GeoJSON.LineString>,
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
  for (const shape of shapes) path(shape)
}

// The world's outlines: loading the two committed land files and streaming what is in sight onto a canvas.
import { type GeoProjection, geoEqualEarth, geoOrthographic, geoPath } from 'd3-geo'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { centreOf } from './camera.ts'
import fineUrl from './data/land-50m.json?url'
import coarseUrl from './data/land-110m.json?url'
import { angleBetween, equalEarthY, RAD, type Vector, vectorOf } from './sphere.ts'
import type { Camera, Viewport } from './types.ts'

export type World = Topology<{ countries: GeometryCollection }>

interface Piece {
  shape: GeoJSON.Polygon | GeoJSON.LineString
  centre: Vector
  radius: number
  size: number
}

export interface Land {
  fine: boolean
  areas: Piece[]
  borders: Piece[]
}

const cache = new Map<string, Promise<World>>()

function fetchWorld(url: string): Promise<World> {
  let world = cache.get(url)
  if (!world) {
    world = fetch(url).then((response) => response.json() as Promise<World>)
    // A failed load must not be remembered, or the map stays bare after a moment offline.
    world.catch(() => cache.delete(url))
    cache.set(url, world)
  }
  return world
}

export const fetchCoarseWorld = () => fetchWorld(coarseUrl)
export const fetchFineWorld = () => fetchWorld(fineUrl)

/** Unpacked in small steps: whoever drags or types meanwhile must not feel it. */
export async function loadLand(fine: boolean): Promise<Land> {
  const world = await (fine ? fetchFineWorld() : fetchCoarseWorld())
  const breathe = createBreather()
  const areas: Piece[] = []
  for (const geometry of world.objects.countries.geometries) {
    const country = feature(world, geometry)
    const shape = country.type === 'Feature' ? country.geometry : null
    if (shape?.type === 'Polygon') areas.push(pieceOf(shape))
    else if (shape?.type === 'MultiPolygon') {
      for (const coordinates of shape.coordinates) areas.push(pieceOf({ type: 'Polygon', coordinates }))
    }
    await breathe()
  }
  const lines = mesh(world, world.objects.countries, (a, b) => a !== b)
  const borders: Piece[] = []
  for (const coordinates of lines.coordinates) {
    borders.push(pieceOf({ type: 'LineString', coordinates }))
    await breathe()
  }
  return { fine, areas, borders }
}

const STEP_MS = 12

/** Lets the browser do its own work whenever a step has taken long enough. */
function createBreather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < STEP_MS) return undefined
    return new Promise((resolve) =>
      setTimeout(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}

/** A circle around the shape, to leave out what is not in sight without looking at its points. */
function pieceOf(shape: Piece['shape']): Piece {
  const outline = (shape.type === 'Polygon' ? shape.coordinates[0]! : shape.coordinates) as number[][]
  const vectors = outline.map((p) => vectorOf(p[0]!, p[1]!))
  const sum = vectors.reduce<[number, number, number]>(
    (s, v) => [s[0] + v[0], s[1] + v[1], s[2] + v[2]],
    [0, 0, 0],
  )
  const length = Math.hypot(...sum) || 1
  const centre: Vector = [sum[0] / length, sum[1] / length, sum[2] / length]
  const radius = vectors.reduce((r, v) => Math.max(r, angleBetween(centre, v)), 0)
  return { shape, centre, radius, size: outline.length }
}

export function projectionOf(camera: Camera, viewport: Viewport, precision: number): GeoProjection {
  const centre = centreOf(viewport)
  if (camera.view === 'globe') {
    return geoOrthographic()
      .scale(camera.scale)
      .translate(centre)
      .rotate([-camera.lon, -camera.lat])
      .clipAngle(90)
      .precision(precision)
  }
  const shift = camera.scale * equalEarthY(camera.lat * RAD)
  return geoEqualEarth()
    .scale(camera.scale)
    .translate([centre[0], centre[1] + shift])
    .rotate([-camera.lon, 0])
    .precision(precision)
}

/** How far from the centre, as an angle, anything can still be on screen. */
function reachOf(camera: Camera, viewport: Viewport): number {
  const [cx, cy] = centreOf(viewport)
  const half =
    Math.hypot(Math.max(cx, viewport.width - cx), Math.max(cy, viewport.height - cy)) / camera.scale
  if (camera.view === 'globe') return half >= 1 ? Math.PI / 2 : Math.asin(half)
  return half > 0.7 ? Math.PI : half * 1.6
}

function inSight(pieces: Piece[], camera: Camera, viewport: Viewport): Piece[] {
  const reach = reachOf(camera, viewport)
  const eye = vectorOf(camera.lon, camera.lat)
  return pieces.filter((piece) => angleBetween(eye, piece.centre) < reach + piece.radius)
}

/** Points that a fine frame would have to stream from here; decides whether a moving frame can afford it. */
export function detailInSight(land: Land, camera: Camera, viewport: Viewport): number {
  return inSight(land.areas, camera, viewport).reduce((sum, piece) => sum + piece.size, 0)
}

export interface LandPaint {
  fill: string
  border: string | null
  precision: number
}

export function drawLand(
  ctx: CanvasRenderingContext2D,
  land: Land,
  camera: Camera,
  viewport: Viewport,
  paint: LandPaint,
): void {
  const path = geoPath(projectionOf(camera, viewport, paint.precision), ctx)
  ctx.beginPath()
  for (const piece of inSight(land.areas, camera, viewport)) path(piece.shape)
  ctx.fillStyle = paint.fill
  ctx.fill()
  // Without a hairline of its own colour, neighbours filled with smoothing show seams.
  ctx.lineWidth = 0.5
  ctx.strokeStyle = paint.fill
  if (!paint.border) return
  ctx.stroke()
  ctx.beginPath()
  for (const piece of inSight(land.borders, camera, viewport)) path(piece.shape)
  ctx.lineWidth = 0.7
  ctx.strokeStyle = paint.border
  ctx.stroke()
}

export function traceSphere(ctx: CanvasRenderingContext2D, camera: Camera, viewport: Viewport): void {
  ctx.beginPath()
  if (camera.view === 'globe') {
    const [cx, cy] = centreOf(viewport)
    ctx.arc(cx, cy, camera.scale, 0, 2 * Math.PI)
  } else geoPath(projectionOf(camera, viewport, 0.5), ctx)({ type: 'Sphere' })
}

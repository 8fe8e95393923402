// The world's outlines: loads the two committed land files and draws the visible part on a canvas.
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import fineUrl from '../../../assets/land-50m.json?url'
import coarseUrl from '../../../assets/land-110m.json?url'
import { angleBetween, RAD, type Vector, vectorOf } from '../../../server/domain/sphere.ts'
import { centreOf } from './camera.ts'
import { equalEarthX, equalEarthY } from './sphere.ts'
import type { Camera, Viewport } from './types.ts'

type World = Topology<{ countries: GeometryCollection }>

interface Piece {
  shape: GeoJSON.Polygon | GeoJSON.LineString
  centre: Vector
  radius: number
  size: number
  /** The same outlines as unit vectors (x, y, z): a shape entirely on the near side needs no clipping. */
  rings: Float32Array[]
}

export interface Land {
  fine: boolean
  areas: Piece[]
  borders: Piece[]
  coasts: Piece[]
  /** Where the name of each country stands, by its number. */
  countries: CountryPlace[]
}

/** The largest part of a country. */
export interface CountryPlace {
  number: string
  centre: Vector
  radius: number
}

const cache = new Map<string, Promise<World>>()

function fetchWorld(url: string): Promise<World> {
  let world = cache.get(url)
  if (!world) {
    world = fetch(url).then((response) => response.json() as Promise<World>)
    // A failed load must not be cached, or the map would stay empty after a moment offline.
    world.catch(() => cache.delete(url))
    cache.set(url, world)
  }
  return world
}

export const fetchCoarseWorld = () => fetchWorld(coarseUrl)
export const fetchFineWorld = () => fetchWorld(fineUrl)

/** Decoded in small steps, so that dragging and typing stay responsive. */
export async function loadLand(fine: boolean): Promise<Land> {
  const world = await (fine ? fetchFineWorld() : fetchCoarseWorld())
  const breathe = createBreather()
  const areas: Piece[] = []
  const countries: CountryPlace[] = []
  for (const geometry of world.objects.countries.geometries) {
    const parts = partsOf(feature(world, geometry))
    areas.push(...parts)
    const largest = parts.reduce((a, b) => (b.radius > a.radius ? b : a), parts[0]!)
    if (largest)
      countries.push({ number: String(geometry.id), centre: largest.centre, radius: largest.radius })
    await breathe()
  }
  const borders = await linesOf(
    mesh(world, world.objects.countries, (a, b) => a !== b),
    breathe,
  )
  await breathe()
  const coasts = await linesOf(
    mesh(world, world.objects.countries, (a, b) => a === b),
    breathe,
  )
  return { fine, areas, borders, coasts, countries }
}

function partsOf(country: ReturnType<typeof feature>): Piece[] {
  const shape = country.type === 'Feature' ? country.geometry : null
  if (shape?.type === 'Polygon') return [pieceOf(shape)]
  if (shape?.type !== 'MultiPolygon') return []
  return shape.coordinates.map((coordinates) => pieceOf({ type: 'Polygon', coordinates }))
}

async function linesOf(lines: GeoJSON.MultiLineString, breathe: Breather): Promise<Piece[]> {
  const pieces: Piece[] = []
  for (const line of lines.coordinates) {
    for (const coordinates of withoutSeams(line)) pieces.push(pieceOf({ type: 'LineString', coordinates }))
    await breathe()
  }
  return pieces
}

/** The file cuts land open along the date line and at the pole: these edges are no coast. */
const isSeam = ([a, b]: GeoJSON.Position, [c, d]: GeoJSON.Position): boolean =>
  (Math.abs(a!) > 179.9 && Math.abs(c!) > 179.9) || (b! < -89.9 && d! < -89.9)

function withoutSeams(line: GeoJSON.Position[]): GeoJSON.Position[][] {
  const parts: GeoJSON.Position[][] = []
  let part: GeoJSON.Position[] = []
  for (const point of line) {
    const last = part.at(-1)
    if (last && isSeam(last, point)) {
      parts.push(part)
      part = []
    }
    part.push(point)
  }
  return [...parts, part].filter(({ length }) => length > 1)
}

type Breather = () => Promise<void> | undefined

const STEP_MS = 12

/** Yields to the browser whenever a step has taken long enough. */
function createBreather(): Breather {
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

/** A bounding circle, to skip shapes out of sight without testing their points. */
function pieceOf(shape: Piece['shape']): Piece {
  const lines = (shape.type === 'Polygon' ? shape.coordinates : [shape.coordinates]) as number[][][]
  const outline = lines[0]!
  const vectors = outline.map((p) => vectorOf(p[0]!, p[1]!))
  const sum = vectors.reduce<[number, number, number]>(
    (s, v) => [s[0] + v[0], s[1] + v[1], s[2] + v[2]],
    [0, 0, 0],
  )
  const length = Math.hypot(...sum) || 1
  const centre: Vector = [sum[0] / length, sum[1] / length, sum[2] / length]
  const radius = vectors.reduce((r, v) => Math.max(r, angleBetween(centre, v)), 0)
  return { shape, centre, radius, size: outline.length, rings: lines.map(ringOf) }
}

const LONG_STEP = 2 * RAD

/** Long straight borders get points in between: on the globe they are arcs. */
function ringOf(line: number[][]): Float32Array {
  const out: number[] = []
  let last: Vector | null = null
  for (const point of line) {
    const next = vectorOf(point[0]!, point[1]!)
    const parts = last ? Math.ceil(angleBetween(last, next) / LONG_STEP) : 1
    for (let i = 1; i < parts; i++) {
      const between = last!.map((v, k) => v + (next[k]! - v) * (i / parts))
      const length = Math.hypot(...between) || 1
      for (const v of between) out.push(v / length)
    }
    out.push(...next)
    last = next
  }
  return new Float32Array(out)
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

/** Number of points of a detailed frame in this view; decides whether a moving frame can draw it. */
export function detailInSight(land: Land, camera: Camera, viewport: Viewport): number {
  return inSight(land.areas, camera, viewport).reduce((sum, piece) => sum + piece.size, 0)
}

/** The turned globe: where a place is on the screen, from its unit vector. */
function turnOf({ lon, lat, scale }: Camera, viewport: Viewport) {
  const [cx, cy] = centreOf(viewport)
  const [sl, cl] = [Math.sin(lon * RAD), Math.cos(lon * RAD)]
  const [sp, cp] = [Math.sin(lat * RAD), Math.cos(lat * RAD)]
  return { cx, cy, sl, cl, sp, cp, scale }
}

type Turn = ReturnType<typeof turnOf>

/**
 * An area of the globe, to be filled. What is behind the limb is drawn on it instead of being cut off: as no country reaches
 * around the globe, the outline stays whole. A fill closes outlines by itself.
 */
function traceArea(ctx: CanvasRenderingContext2D, { rings }: Piece, turn: Turn): void {
  const { cx, cy, sl, cl, sp, cp, scale } = turn
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 3) {
      const along = ring[i]! * cl + ring[i + 1]! * sl
      const z = ring[i + 2]!
      const east = ring[i + 1]! * cl - ring[i]! * sl
      const north = z * cp - along * sp
      const r = along * cp + z * sp < 0 ? scale / Math.hypot(east, north) : scale
      if (i === 0) ctx.moveTo(cx + r * east, cy - r * north)
      else ctx.lineTo(cx + r * east, cy - r * north)
    }
  }
}

/** A line on the globe, as far as it faces the viewer. */
function traceEdge(ctx: CanvasRenderingContext2D, { rings }: Piece, turn: Turn): void {
  const { cx, cy, sl, cl, sp, cp, scale } = turn
  for (const ring of rings) {
    let isDown = false
    for (let i = 0; i < ring.length; i += 3) {
      const along = ring[i]! * cl + ring[i + 1]! * sl
      const z = ring[i + 2]!
      if (along * cp + z * sp < 0) {
        isDown = false
        continue
      }
      const px = cx + scale * (ring[i + 1]! * cl - ring[i]! * sl)
      const py = cy - scale * (z * cp - along * sp)
      if (isDown) ctx.lineTo(px, py)
      else ctx.moveTo(px, py)
      isDown = true
    }
  }
}

type FlatLand = typeof import('./flat-land.ts')
let flat: FlatLand | undefined

/** What the flat map needs besides. */
export async function loadFlatLand(): Promise<void> {
  flat ??= await import('./flat-land.ts')
}

/** False until the view has what it needs. */
export const canDraw = ({ view }: Camera): boolean => view === 'globe' || flat !== undefined

function tracePieces(
  ctx: CanvasRenderingContext2D,
  pieces: Piece[],
  camera: Camera,
  viewport: Viewport,
  precision: number,
): void {
  const seen = inSight(pieces, camera, viewport)
  if (camera.view === 'flat') {
    const shapes = seen.map(({ shape }) => shape)
    flat?.traceShapes(ctx, shapes, camera, viewport, precision)
    return
  }
  const turn = turnOf(camera, viewport)
  for (const piece of seen) {
    if (piece.shape.type === 'Polygon') traceArea(ctx, piece, turn)
    else traceEdge(ctx, piece, turn)
  }
}

interface LandPaint {
  fill: string
  /** Borders and coasts; without them in motion. */
  lines: { border: string; coast: string; coastWidth: number } | null
  precision: number
}

export function drawLand(
  ctx: CanvasRenderingContext2D,
  land: Land,
  camera: Camera,
  viewport: Viewport,
  { fill, lines, precision }: LandPaint,
): void {
  ctx.beginPath()
  tracePieces(ctx, land.areas, camera, viewport, precision)
  ctx.fillStyle = fill
  ctx.fill()
  if (!lines) return
  // A thin stroke of the same colour hides the seams between antialiased neighbours.
  ctx.lineWidth = 0.5
  ctx.strokeStyle = fill
  ctx.stroke()
  const stroke = (pieces: Piece[], width: number, style: string) => {
    ctx.beginPath()
    tracePieces(ctx, pieces, camera, viewport, precision)
    ctx.lineWidth = width
    ctx.strokeStyle = style
    ctx.stroke()
  }
  stroke(land.borders, 0.7, lines.border)
  stroke(land.coasts, lines.coastWidth, lines.coast)
}

const EDGE_STEPS = 60

export function traceSphere(ctx: CanvasRenderingContext2D, camera: Camera, viewport: Viewport): void {
  const [cx, cy] = centreOf(viewport)
  const { scale } = camera
  ctx.beginPath()
  if (camera.view === 'globe') {
    ctx.arc(cx, cy, scale, 0, 2 * Math.PI)
    return
  }
  const middle = equalEarthY(camera.lat * RAD)
  // Up its right edge and down its left one.
  for (const side of [1, -1]) {
    for (let i = 0; i <= EDGE_STEPS; i++) {
      const lat = side * (i / EDGE_STEPS - 0.5) * Math.PI
      const [x, y] = [side * Math.PI * equalEarthX(lat), equalEarthY(lat) - middle]
      ctx.lineTo(cx + scale * x, cy - scale * y)
    }
  }
  ctx.closePath()
}

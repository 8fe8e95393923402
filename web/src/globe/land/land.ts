// The world's outlines: draws the visible part on a canvas. A worker decodes and packs them (land-packing.ts).
import { angleBetween, RAD, type Vector, vectorOf } from '../../../../server/domain/geo/sphere.ts'
import { centreOf } from '../camera.ts'
import { equalEarthX, equalEarthY } from '../sphere.ts'
import type { Camera, Viewport } from '../types.ts'

/** An area or a line, with a circle around it: what is out of sight is skipped without testing its points. */
interface Piece {
  isArea: boolean
  centre: Vector
  radius: number
  size: number
  /** Its outlines as unit vectors (x, y, z): on the globe they need no clipping. */
  rings: Float32Array[]
}

/** Areas or lines as a few arrays, which a worker hands over without copying them. */
export interface PackedPieces {
  points: Float32Array
  /** Where each outline ends in the points. */
  ringEnds: Uint32Array
  /** How many outlines there are up to the end of each piece. */
  pieceEnds: Uint32Array
  /** Centre and radius of each piece. */
  circles: Float32Array
}

export interface PackedLand extends Pick<Land, 'fine' | 'countries'> {
  areas: PackedPieces
  borders: PackedPieces
  coasts: PackedPieces
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

export const landOf = ({ areas, borders, coasts, ...rest }: PackedLand): Land => ({
  ...rest,
  areas: piecesOf(areas, true),
  borders: piecesOf(borders, false),
  coasts: piecesOf(coasts, false),
})

function piecesOf({ points, ringEnds, pieceEnds, circles }: PackedPieces, isArea: boolean): Piece[] {
  let [ring, at] = [0, 0]
  return Array.from(pieceEnds, (end, i) => {
    const rings: Float32Array[] = []
    for (; ring < end; ring++) {
      rings.push(points.subarray(at, ringEnds[ring]))
      at = ringEnds[ring]!
    }
    const [x, y, z, radius] = circles.subarray(4 * i, 4 * i + 4) as unknown as [
      number,
      number,
      number,
      number,
    ]
    return { isArea, centre: [x, y, z], radius, size: rings[0]!.length / 3, rings }
  })
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
export function useFlatLand(loaded: FlatLand): void {
  flat = loaded
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
    flat?.traceShapes(ctx, seen, camera, viewport, precision)
    return
  }
  const turn = turnOf(camera, viewport)
  for (const piece of seen) {
    if (piece.isArea) traceArea(ctx, piece, turn)
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

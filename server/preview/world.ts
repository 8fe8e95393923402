// The world as the pictures show it: Equal Earth about a chosen meridian, its land, and the shortest way between places.
import { readFileSync } from 'node:fs'
import type { Point } from './canvas.ts'

export interface Place {
  latitude: number
  longitude: number
}

/** Where the viewer stands: the place in the middle, and pixels per unit of the projection. */
export interface View {
  longitude: number
  /** Height on the projection, north positive. */
  y: number
  scale: number
  centre: Point
}

const RAD = Math.PI / 180
const M = Math.sqrt(3) / 2
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796]

const parametric = (latitude: number) => Math.asin(M * Math.sin(latitude * RAD))

/** Equal Earth (Šavrič, Patterson, Jenny 2018): height of a parallel, and width of one radian of longitude on it. */
export function heightOf(latitude: number): number {
  const t = parametric(latitude)
  const t2 = t * t
  return t * (A1 + A2 * t2 + t2 ** 3 * (A3 + A4 * t2))
}

export function stretchOf(latitude: number): number {
  const t = parametric(latitude)
  const t2 = t * t
  return Math.cos(t) / (M * (A1 + 3 * A2 * t2 + t2 ** 3 * (7 * A3 + 9 * A4 * t2)))
}

/** Within half a turn of zero. */
export const wrapped = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180

/** `east` is the longitude from the view's meridian; it may lead beyond the edge of the world. */
export const project = ({ y, scale, centre }: View, east: number, latitude: number): Point => [
  centre[0] + scale * stretchOf(latitude) * east * RAD,
  centre[1] - scale * (heightOf(latitude) - y),
]

/** The outline of the whole world. */
export function sphere(view: View): Point[] {
  const side = (east: number, from: number, to: number) =>
    Array.from({ length: 91 }, (_, i) => project(view, east, from + ((to - from) * i) / 90))
  return [...side(180, 90, -90), ...side(-180, -90, 90)]
}

const STEP = 1.5 * RAD

/** The shortest way, in pieces where it leaves the picture's world at one edge and comes in at the other. */
export function greatCircle(view: View, from: Place, to: Place): Point[][] {
  const [a, b] = [vector(from), vector(to)]
  const angle = Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])))
  const steps = Math.max(2, Math.ceil(angle / STEP))
  const lines: Point[][] = [[]]
  let last = 0
  for (let i = 0; i <= steps; i++) {
    const [p, q] = weights(angle, i / steps)
    const [x, y, z] = [0, 1, 2].map((k) => a[k]! * p + b[k]! * q) as [number, number, number]
    const east = wrapped(Math.atan2(y, x) / RAD - view.longitude)
    const latitude = Math.atan2(z, Math.hypot(x, y)) / RAD
    if (i > 0 && Math.abs(east - last) > 180) {
      // Both sides of the edge get the point beyond it, so that no gap shows.
      const beyond = east + (last > 0 ? 360 : -360)
      lines.at(-1)!.push(project(view, beyond, latitude))
      lines.push([project(view, last + (last > 0 ? -360 : 360), latitude)])
    }
    lines.at(-1)!.push(project(view, east, latitude))
    last = east
  }
  return lines
}

/** Opposite ends of the earth have no shortest way; a straight mix of both is as good as any. */
const weights = (angle: number, t: number): [number, number] =>
  Math.sin(angle) < 1e-9
    ? [1 - t, t]
    : [Math.sin((1 - t) * angle) / Math.sin(angle), Math.sin(t * angle) / Math.sin(angle)]

const vector = ({ latitude, longitude }: Place): [number, number, number] => [
  Math.cos(latitude * RAD) * Math.cos(longitude * RAD),
  Math.cos(latitude * RAD) * Math.sin(longitude * RAD),
  Math.sin(latitude * RAD),
]

// Land

type Ring = [longitude: number, latitude: number][]
interface Atlas {
  transform: { scale: [number, number]; translate: [number, number] }
  objects: { countries: { geometries: { type: string; arcs: unknown }[] } }
  arcs: [number, number][][]
}

const atlasFile = new URL('../../assets/land-50m.json', import.meta.url)
let rings: Ring[] | undefined

/** All coasts and borders as closed lines; where the web app's source is absent, a world of water. */
export function landRings(): Ring[] {
  rings ??= readRings()
  return rings
}

function readRings(): Ring[] {
  let atlas: Atlas
  try {
    atlas = JSON.parse(readFileSync(atlasFile, 'utf8')) as Atlas
  } catch {
    return []
  }
  const lines = atlas.arcs.map((arc) => unpack(atlas, arc))
  return atlas.objects.countries.geometries.flatMap(({ type, arcs }) => {
    const polygons = (type === 'MultiPolygon' ? arcs : [arcs]) as number[][][]
    return polygons.flatMap((polygon) => polygon.map((indexes) => closed(joined(lines, indexes))))
  })
}

function unpack({ transform: { scale, translate } }: Atlas, arc: [number, number][]): Ring {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** A negative index is the arc of its complement, backwards. */
const joined = (lines: Ring[], indexes: number[]): Ring =>
  indexes.flatMap((index) => (index < 0 ? lines[~index]!.toReversed() : lines[index]!).slice(0, -1))

/** Longitudes made to run on beyond half a turn instead of jumping; a ring around a pole is closed over it. */
function closed(ring: Ring): Ring {
  let east = ring[0]![0]
  const out: Ring = ring.map(([longitude, latitude], i) => {
    if (i > 0) east += wrapped(longitude - ring[i - 1]![0])
    return [east, latitude]
  })
  const turn = east + wrapped(ring[0]![0] - ring.at(-1)![0]) - ring[0]![0]
  if (Math.abs(turn) < 180) return out
  const pole = ring[0]![1] < 0 ? -90 : 90
  return [...out, [out[0]![0] + turn, out[0]![1]], [out[0]![0] + turn, pole], [out[0]![0], pole]]
}

/** The land's outlines in pixels. Each is there three times, a turn apart: the edge of the world cuts what is too much. */
export function* projectedLand(view: View): Generator<Point[]> {
  for (const ring of landRings()) {
    const start = wrapped(ring[0]![0] - view.longitude)
    for (const turn of [-360, 0, 360]) {
      const line = ring.map(([longitude, latitude]) =>
        project(view, longitude - ring[0]![0] + start + turn, latitude),
      )
      if (line.some(([x]) => x > 0) && line.some(([x]) => x < 2 * view.centre[0])) yield line
    }
  }
}

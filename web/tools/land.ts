// Makes the two committed land files of the map from the world-atlas package: `node web/tools/land.ts`.
// Arcs are simplified by area (Visvalingam) so that neighbours still share one border; no country is lost.
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

type Point = [number, number]
interface Geometry {
  type: string
  id?: string
  properties?: { name?: string }
  arcs: unknown
}
interface Atlas {
  type: 'Topology'
  transform: { scale: Point; translate: Point }
  arcs: Point[][]
  objects: { countries: { type: string; geometries: Geometry[] } }
}

const source = new URL('../../node_modules/world-atlas/', import.meta.url)
const target = new URL('../../assets/', import.meta.url)

// Polygons without an ISO number; each gets the country code of the airports there.
const idByName: Record<string, string> = { Kosovo: 'XK', Somaliland: '706', 'N. Cyprus': '196' }

function absolute(atlas: Atlas, arc: Point[]): Point[] {
  const { scale, translate } = atlas.transform
  let x = 0
  let y = 0
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** Area on the ground, so that the far north does not keep useless detail. */
function triangleArea(a: Point, b: Point, c: Point): number {
  const shrink = Math.cos((b[1] * Math.PI) / 180)
  return Math.abs(((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) * shrink) / 2
}

function simplify(points: Point[], threshold: number): Point[] {
  const isRing = points[0]![0] === points.at(-1)![0] && points[0]![1] === points.at(-1)![1]
  const floor = isRing ? 5 : 2
  const kept = points.slice()
  while (kept.length > floor) {
    let smallest = threshold
    let at = -1
    for (let i = 1; i < kept.length - 1; i++) {
      const area = triangleArea(kept[i - 1]!, kept[i]!, kept[i + 1]!)
      if (area < smallest) {
        smallest = area
        at = i
      }
    }
    if (at < 0) break
    kept.splice(at, 1)
  }
  return kept
}

function quantise(points: Point[], steps: number): Point[] {
  const out: Point[] = []
  let px = 0
  let py = 0
  for (const [lon, lat] of points) {
    const x = Math.round(((lon + 180) / 360) * steps)
    const y = Math.round(((lat + 90) / 180) * steps)
    if (out.length > 1 && x === px && y === py) continue
    out.push([x - px, y - py])
    px = x
    py = y
  }
  return out
}

function turn(points: Point[]): number {
  let sum = 0
  for (let i = 1; i < points.length; i++) {
    sum += points[i - 1]![0] * points[i]![1] - points[i]![0] * points[i - 1]![1]
  }
  return Math.sign(sum)
}

function undelta(points: Point[]): Point[] {
  let x = 0
  let y = 0
  return points.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x, y]
  })
}

/** If rounding reverses the outline of an atoll, it would fill the whole ocean: it keeps its exact shape or becomes a diamond. */
function shrink(points: Point[], threshold: number, steps: number): Point[] {
  const isRing = points[0]![0] === points.at(-1)![0] && points[0]![1] === points.at(-1)![1]
  const short = quantise(simplify(points, threshold), steps)
  if (!isRing) return short
  const wanted = turn(points.map(([lon, lat]) => [lon + 180, lat + 90]))
  if (turn(undelta(short)) === wanted) return short
  const full = quantise(points, steps)
  if (turn(undelta(full)) === wanted) return full
  const [x, y] = undelta(full)[0]!
  const diamond: Point[] = [
    [x, y],
    [1, 1],
    [1, -1],
    [-1, -1],
    [-1, 1],
  ]
  return wanted < 0 ? diamond : [diamond[0]!, [1, -1], [1, 1], [-1, 1], [-1, -1]]
}

// Overseas parts that a map of visited countries must distinguish from the mainland: new id, old id, west, south, east, north.
const parts: [string, string, number, number, number, number][] = [
  ['254', '250', -55, 1, -51, 7],
  ['312', '250', -62, 15.7, -60.9, 16.6],
  ['474', '250', -61.4, 14.3, -60.7, 15],
  ['638', '250', 55, -21.6, 56, -20.7],
  ['175', '250', 44.8, -13.2, 45.5, -12.5],
  ['744', '578', -12, 70.5, -6, 72],
  ['744', '578', 8, 74, 36, 82],
  ['535', '528', -69, 11, -62, 18],
]

function partOf(id: string | undefined, [lon, lat]: Point): string | undefined {
  const part = parts.find(([, from, w, s, e, n]) => from === id && lon > w && lon < e && lat > s && lat < n)
  return part?.[0] ?? id
}

/** One geometry per country and overseas part. */
function split(geometry: Geometry, arcs: Point[][], id: string | undefined): Geometry[] {
  if (geometry.type !== 'MultiPolygon')
    return [{ type: geometry.type, ...(id && { id }), arcs: geometry.arcs }]
  const groups = new Map<string | undefined, number[][][]>()
  for (const polygon of geometry.arcs as number[][][]) {
    const index = polygon[0]![0]!
    const key = partOf(id, arcs[index < 0 ? ~index : index]![0]!)
    groups.set(key, [...(groups.get(key) ?? []), polygon])
  }
  return [...groups].map(([key, polygons]) => ({
    type: 'MultiPolygon',
    ...(key && { id: key }),
    arcs: polygons,
  }))
}

function convert(file: string, threshold: number, steps: number): string {
  const atlas = JSON.parse(readFileSync(new URL(file, source), 'utf8')) as Atlas
  const full = atlas.arcs.map((arc) => absolute(atlas, arc))
  const arcs = full.map((arc) => shrink(arc, threshold, steps))
  const geometries = atlas.objects.countries.geometries.flatMap((g) =>
    split(g, full, g.id ?? idByName[g.properties?.name ?? '']),
  )
  const transform = { scale: [360 / steps, 180 / steps], translate: [-180, -90] }
  const objects = { countries: { type: 'GeometryCollection', geometries } }
  return JSON.stringify({ type: 'Topology', transform, objects, arcs })
}

for (const [file, name, threshold, steps] of [
  ['countries-110m.json', 'land-110m.json', 0.02, 8192],
  ['countries-50m.json', 'land-50m.json', 0.0025, 32768],
] as const) {
  const json = convert(file, threshold, steps)
  writeFileSync(new URL(name, target), json)
  console.log(name, json.length, 'bytes,', gzipSync(json).length, 'gzipped')
}

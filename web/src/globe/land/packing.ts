// Decodes a land file into arrays that can be drawn. Takes a worker a tenth of a second; the page would stand still for it.
import { feature, merge, mesh } from 'topojson-client'
import type { MultiPolygon, Polygon } from 'topojson-specification'
import { angleBetween, RAD, type Vector, vectorOf } from '../../../../server/domain/geo/sphere.ts'
import type { World } from './files.ts'
import type { CountryPlace, PackedLand, PackedPieces } from './land.ts'

/** As `merge` takes it: every country of the files has areas. */
type Country = Polygon | MultiPolygon

interface Circle {
  centre: Vector
  radius: number
}

export function packLand(world: World, fine: boolean): PackedLand {
  const { geometries } = world.objects.countries
  const countries = geometries.flatMap((country) => {
    const circles = polygonsOf(feature(world, country)).map((rings) => circleAround(rings[0]!))
    const largest = circles.reduce((a, b) => (b.radius > a.radius ? b : a), circles[0]!)
    return largest ? [{ number: String(country.id), ...largest, country: country as Country }] : []
  })
  const shapes = fine
    ? geometries.flatMap((country) => polygonsOf(feature(world, country)))
    : neighbours(countries).flatMap((group) => merge(world, group).coordinates)
  const areas = new Packing()
  for (const rings of shapes) areas.add(rings)
  const lines = (isWanted: (a: unknown, b: unknown) => boolean): PackedPieces => {
    const packing = new Packing()
    for (const line of mesh(world, world.objects.countries, isWanted).coordinates)
      for (const part of withoutSeams(line)) packing.add([part])
    return packing.packed()
  }
  const borders = lines((a, b) => a !== b)
  const coasts = lines((a, b) => a === b)
  return {
    fine,
    areas: areas.packed(),
    borders,
    coasts,
    countries: countries.map(({ country: _, ...place }) => place),
  }
}

/** Degrees. An area that reaches 45 from its middle could not be drawn on the globe (`traceArea`). */
const CELL = 40

/** Countries near each other. In motion their borders are not drawn: as one area they have two thirds of the outlines. */
function neighbours(countries: readonly (CountryPlace & { country: Country })[]): Country[][] {
  const cell = (radians: number) => Math.floor(radians / RAD / CELL)
  const groups = new Map<string, Country[]>()
  for (const { country, centre } of countries) {
    const [x, y, z] = centre
    const key = `${cell(Math.atan2(y, x))} ${cell(Math.asin(z))}`
    groups.set(key, [...(groups.get(key) ?? []), country])
  }
  return [...groups.values()]
}

class Packing {
  private readonly points: number[] = []
  private readonly ringEnds: number[] = []
  private readonly pieceEnds: number[] = []
  private readonly circles: number[] = []

  add(rings: GeoJSON.Position[][]): Circle {
    for (const ring of rings) {
      addRing(this.points, ring)
      this.ringEnds.push(this.points.length)
    }
    this.pieceEnds.push(this.ringEnds.length)
    const circle = circleAround(rings[0]!)
    this.circles.push(...circle.centre, circle.radius)
    return circle
  }

  packed(): PackedPieces {
    return {
      points: new Float32Array(this.points),
      ringEnds: new Uint32Array(this.ringEnds),
      pieceEnds: new Uint32Array(this.pieceEnds),
      circles: new Float32Array(this.circles),
    }
  }
}

function polygonsOf(country: ReturnType<typeof feature>): GeoJSON.Position[][][] {
  const shape = country.type === 'Feature' ? country.geometry : null
  if (shape?.type === 'Polygon') return [shape.coordinates]
  return shape?.type === 'MultiPolygon' ? shape.coordinates : []
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

/** Stored in single precision: a hair wider, so that no point is left out by rounding. */
const WIDER = 1e-6

function circleAround(outline: GeoJSON.Position[]): Circle {
  const vectors = outline.map((p) => vectorOf(p[0]!, p[1]!))
  const sum = vectors.reduce<[number, number, number]>(
    (s, v) => [s[0] + v[0], s[1] + v[1], s[2] + v[2]],
    [0, 0, 0],
  )
  const length = Math.hypot(...sum) || 1
  const centre: Vector = [sum[0] / length, sum[1] / length, sum[2] / length]
  return { centre, radius: vectors.reduce((r, v) => Math.max(r, angleBetween(centre, v)), 0) + WIDER }
}

const LONG_STEP = 2 * RAD

/** Long straight borders get points in between: on the globe they are arcs. */
function addRing(out: number[], line: GeoJSON.Position[]): void {
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
}

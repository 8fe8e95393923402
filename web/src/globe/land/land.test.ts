import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { feature } from 'topojson-client'
import { vectorOf } from '../../../../server/domain/geo/sphere.ts'
import type { World } from './files.ts'
import { placesOf } from './flat-land.ts'
import { landOf } from './land.ts'
import { packLand } from './packing.ts'

const file = new URL('../../../../assets/land-110m.json', import.meta.url)
const world = JSON.parse(readFileSync(file, 'utf8')) as World
const land = landOf(packLand(world, true))
const coarse = landOf(packLand(world, false))
const shapes = world.objects.countries.geometries.map((geometry) => {
  const country = feature(world, geometry)
  return country.type === 'Feature' ? country.geometry : null
})
const polygons = shapes.flatMap((shape) => {
  if (shape?.type === 'MultiPolygon') return shape.coordinates
  return shape?.type === 'Polygon' ? [shape.coordinates] : []
})

test('each part of a country comes out of the packing with its outlines', () => {
  assert.equal(land.areas.length, polygons.length)
  assert.deepEqual(
    land.areas.map(({ rings }) => rings.length),
    polygons.map((rings) => rings.length),
  )
  assert.equal(land.countries.length, shapes.length)
})

/** Degrees; single precision is good for some metres. */
const NEAR = 1e-4

test('the points of an outline are those of the file, in their order, with others between distant ones', () => {
  for (const [i, rings] of polygons.entries()) {
    for (const [k, ring] of rings.entries()) {
      const packed = placesOf(land.areas[i]!.rings[k]!)
      let at = 0
      for (const [lon, lat] of ring) {
        const isIt = ([x, y]: GeoJSON.Position) =>
          Math.abs(y! - lat!) < NEAR && (Math.abs(x! - lon!) < NEAR || Math.abs(lat!) > 89.9)
        while (at < packed.length && !isIt(packed[at]!)) at++
        assert.ok(at < packed.length, `${lon}, ${lat} is missing`)
      }
    }
  }
})

test('for motion, near countries are one area, and none reaches too far around the globe', () => {
  const pointsOf = ({ areas }: typeof land) => areas.reduce((sum, { size }) => sum + size, 0)
  assert.ok(pointsOf(coarse) < 0.7 * pointsOf(land), `${pointsOf(coarse)} of ${pointsOf(land)}`)
  for (const { radius } of coarse.areas) assert.ok(radius < Math.PI / 4, `${radius}`)
  assert.deepEqual(coarse.countries, land.countries)
})

test('the circle around a piece has all of its points', () => {
  for (const { rings, centre, radius } of [...land.areas, ...coarse.areas, ...land.borders, ...land.coasts]) {
    for (let i = 0; i < rings[0]!.length; i += 3) {
      const [x, y, z] = rings[0]!.subarray(i, i + 3) as unknown as [number, number, number]
      const cosine = Math.min(1, x * centre[0] + y * centre[1] + z * centre[2])
      assert.ok(Math.acos(cosine) <= radius + 1e-3)
    }
  }
})

test('the edges along which the file is cut open are no coast', () => {
  for (const { rings } of land.coasts) {
    const places = placesOf(rings[0]!)
    for (const [i, [lon]] of places.entries())
      assert.ok(i === 0 || Math.abs(lon!) < 179.9 || Math.abs(places[i - 1]![0]!) < 179.9)
  }
})

test('a place on the date line stays on its side', () => {
  for (const lon of [180, -180]) {
    const [place] = placesOf(new Float32Array(vectorOf(lon, -80)))
    assert.ok(Math.abs(place![0]! - lon) < NEAR && Math.abs(place![1]! + 80) < NEAR)
  }
})

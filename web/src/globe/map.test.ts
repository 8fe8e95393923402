import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arcPath, liftAt, liftedBy, liftOf, rimStep } from '../../../server/domain/geo/arc-height.ts'
import { placeLabels } from '../../../server/domain/geo/labels.ts'
import { vectorOf } from '../../../server/domain/geo/sphere.ts'
import { subsolarPoint, sunAltitude } from '../../../server/domain/geo/sun.ts'
import { closeUp } from './aim.ts'
import {
  between,
  clampCamera,
  fitScene,
  makeProjected,
  panBy,
  projectPoints,
  unproject,
  withView,
  worldScale,
  wrapJump,
  zoomAt,
} from './camera.ts'
import { hitTest } from './hit.ts'
import { litByMatch } from './lit.ts'
import { airportNamed } from './parts/match.ts'
import { glance, mostFlown, tallyOf } from './parts/tally.ts'
import { planeAt } from './parts/voyage.ts'
import { Raster } from './raster.ts'
import { buildInSteps, buildScene, type Scene } from './scene.ts'
import { COARSE, darkness, opacities, shadeFlat, shadeGlobe } from './shade.ts'
import { Slices } from './slices.ts'
import { STRIDE } from './sphere.ts'
import type { Airport, Camera, MapFlight, View, Viewport } from './types.ts'

const place = (id: number, iata: string, latitude: number, longitude: number): Airport => ({
  id,
  icao: `X${iata}`,
  iata,
  name: iata,
  municipality: iata,
  latitude,
  longitude,
  country: 'XX',
  continent: 'EU',
})
const fra = place(1, 'FRA', 50.03, 8.56)
const jfk = place(2, 'JFK', 40.64, -73.78)
const nrt = place(3, 'NRT', 35.76, 140.39)
const lax = place(4, 'LAX', 33.94, -118.41)

let nextId = 1
const fly = (from: Airport | null, to: Airport | null, completed = true): MapFlight => ({
  id: nextId++,
  from,
  to,
  completed,
})
const viewport: Viewport = { width: 1000, height: 700, insets: { top: 0, right: 0, bottom: 0, left: 0 } }
const views: View[] = ['globe', 'flat']

function projected(flights: MapFlight[], camera: Camera) {
  const scene = buildScene(flights)
  const at = makeProjected(scene.points.length / STRIDE)
  projectPoints(scene.points, camera, viewport, at)
  return { scene, at }
}

test('both directions of a pair are one route, the busiest last', () => {
  const scene = buildScene([fly(fra, jfk), fly(jfk, fra), fly(fra, nrt), fly(fra, fra), fly(fra, null)])
  assert.deepEqual(
    scene.routes.map((r) => [r.a.iata, r.b.iata, r.flown]),
    [
      ['FRA', 'NRT', 1],
      ['FRA', 'JFK', 2],
    ],
  )
  assert.equal(scene.spots[0]!.airport.iata, 'FRA')
  assert.equal(scene.spots[0]!.visits, 6)
})

test('a flight that has a track is drawn as flown, not as a great circle', () => {
  const flight = fly(fra, jfk)
  const scene = buildScene(
    [flight],
    new Map([
      [
        flight.id,
        [
          [8, 50],
          [0, 51],
          [-73, 40],
        ],
      ],
    ]),
  )
  assert.equal(scene.routes.length, 0)
  assert.equal(scene.tracks[0]!.count, 3)
})

test('a scene that is built in slices is the same, also if it is needed before it is finished', (context) => {
  const airports = Array.from({ length: 90 }, (_, i) => place(100 + i, `A${i}`, i - 45, 4 * i - 180))
  const flights = airports.flatMap((a, i) => airports.slice(0, i).map((b) => fly(a, b)))
  const whole = buildScene(flights)
  assert.equal([...buildInSteps(flights, new Map())].length > 10, true, 'many steps')
  let now = 0
  context.mock.method(performance, 'now', () => (now += 5))
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const built: Scene[] = []
  const slices = new Slices<Scene>((scene) => built.push(scene))
  slices.start(buildInSteps(flights, new Map()))
  assert.equal(built.length, 0, 'not within one slice')
  slices.finish()
  assert.deepEqual(built[0]!.points, whole.points)
  slices.start(buildInSteps(flights, new Map()))
  slices.cancel()
  context.mock.timers.runAll()
  assert.equal(built.length, 1, 'nothing comes of what was cancelled')
  slices.start(buildInSteps(flights, new Map()))
  for (let i = 0; built.length === 1 && i < 1000; i++) context.mock.timers.runAll()
  assert.deepEqual(built[1]!.routes, whole.routes)
})

test('an arc is lifted in its middle, lies on the ground at its ends and lies down towards the limb', () => {
  assert.equal(liftAt(0, 1.6), 0)
  assert.ok(Math.abs(liftAt(1, 1.6)) < 1e-9)
  assert.ok(Math.abs(liftAt(0.5, 1.614) - 0.159) < 0.002, 'Frankfurt to Singapore')
  assert.ok(liftAt(0.5, 3) <= 0.3, 'an arc half around the world is no higher')
  assert.deepEqual([liftedBy(0.2, -0.2), liftedBy(0.2, 0), liftedBy(0, 0.5)], [1, 1, 1])
  assert.ok(liftedBy(0.2, 0.2) < liftedBy(0.2, 0.4))
  assert.ok(Math.abs(liftedBy(0.2, 0.95) - 1.2) < 0.01, 'its whole height in the middle of the picture')
  assert.ok(liftOf(1) > liftOf(500), 'less of it with many routes')
})

test('no arc reaches over the limb and hooks back', () => {
  for (const height of [0.02, 0.1, 0.2, 0.3]) {
    const away = Array.from({ length: 101 }, (_, i) => {
      const depth = 1 - i / 100
      return Math.sqrt(1 - depth * depth) * liftedBy(height, depth)
    })
    for (const [i, far] of away.entries())
      assert.ok(
        far <= 1 && (i === 0 || far > away[i - 1]!),
        `height ${height}: ${far} at depth ${1 - i / 100}`,
      )
  }
})

test('pictures draw the same arc: above the ground, and nothing of what is behind the globe', () => {
  // Seen from the equator, turned to Africa.
  const globe = Object.assign(
    ([lon, lat]: [number, number]): [number, number] => {
      const [x, y, z] = vectorOf(lon, lat)
      return [500 + 100 * y, 500 - 100 * z + 0 * x]
    },
    {
      rotate: (): [number, number, number] => [0, 0, 0],
      translate: (): [number, number] => [500, 500],
    },
  )
  const at = (longitude: number, latitude: number) => ({ longitude, latitude })
  const heights = (d: string) => [...d.matchAll(/,([\d.]+)/g)].map(([, y]) => Number(y))
  const ground = heights(arcPath(globe, at(-30, 40), at(30, 40), 0))
  const lifted = heights(arcPath(globe, at(-30, 40), at(30, 40), 1))
  assert.deepEqual([lifted[0], lifted.at(-1)], [ground[0], ground.at(-1)], 'its ends are on the ground')
  assert.ok(Math.min(...lifted) < Math.min(...ground) - 1, 'higher in the middle')
  assert.equal(arcPath(globe, at(150, 10), at(-150, 10), 1), '')
  const parts = arcPath(globe, at(60, 0), at(150, 10), 1).match(/M/g)
  assert.equal(parts?.length, 1)
  // From the face to the limb, in the steps in which it fades: each begins where the one before ended.
  const steps = [3, 2, 1, 0].map((step) =>
    arcPath(globe, at(10, 0), at(150, 10), 1, (depth) => rimStep(depth) === step)
      .split(/[ML]/)
      .slice(1),
  )
  for (const [i, step] of steps.slice(1).entries()) assert.equal(step[0], steps[i]!.at(-1))
  assert.equal(
    steps.flat().length,
    arcPath(globe, at(10, 0), at(150, 10), 1).split('L').length + 3,
    'nothing is left out or drawn twice',
  )
})

test('a single route is an arc, also seen from above, on the whole globe', () => {
  for (const [a, b] of [
    [fra, jfk],
    [place(5, 'SYD', -33.95, 151.18), place(6, 'JNB', -26.14, 28.25)],
  ] as const) {
    const camera = fitScene(buildScene([fly(a, b)]), 'globe', viewport)
    assert.equal(camera.scale, worldScale('globe', viewport))
    const { scene, at } = projected([fly(a, b)], camera)
    const { start, count } = scene.routes[0]!
    const end = start + count - 1
    const [dx, dy] = [at.x[end]! - at.x[start]!, at.y[end]! - at.y[start]!]
    const middle = start + (count >> 1)
    const away =
      Math.abs(dx * (at.y[middle]! - at.y[start]!) - dy * (at.x[middle]! - at.x[start]!)) / Math.hypot(dx, dy)
    assert.ok(away > 0.08 * Math.hypot(dx, dy), `${a.iata}: ${away} of ${Math.hypot(dx, dy)} pixels`)
    assert.ok(at.depth[start]! > 0.1 && at.depth[end]! > 0.1, 'both ends are seen')
  }
})

test('a narrow window shows all airports of a trip', () => {
  const narrow = { ...viewport, width: 358, height: 410 }
  const sfo = { ...jfk, id: 91, iata: 'SFO', longitude: -122.4, latitude: 37.6 }
  const arn = { ...fra, id: 92, iata: 'ARN', longitude: 17.9, latitude: 59.6 }
  const flights = [fly(fra, arn), fly(jfk, sfo)]
  const scene = buildScene(flights)
  const camera = fitScene(scene, 'globe', narrow)
  const at = makeProjected(scene.points.length / STRIDE)
  projectPoints(scene.points, camera, narrow, at)
  for (const { start, airport } of scene.spots)
    assert.ok(at.x[start]! > 16 && at.x[start]! < narrow.width - 16, `${airport.iata} at ${at.x[start]}`)
})

test('it is dark where the sun is far below the horizon, and the change is smooth', () => {
  assert.deepEqual([darkness(30), darkness(1), darkness(-12), darkness(-60)], [0, 0, 1, 1])
  assert.ok(darkness(-3) > 0.1 && darkness(-3) < darkness(-6) && darkness(-6) < 0.7)
})

test('each pixel of the night is as dark as the place that it shows', () => {
  const { lon, lat } = subsolarPoint(Date.UTC(2026, 2, 15, 2, 8))
  const shade = { ink: 0x010203, opacity: opacities(1), sun: vectorOf(lon, lat) }
  const [width, height] = [viewport.width / COARSE, viewport.height / COARSE]
  for (const view of views) {
    const camera: Camera = { view, lon: 40, lat: 20, scale: 300 }
    const out = new Uint32Array(width * height)
    ;(view === 'globe' ? shadeGlobe : shadeFlat)(out, width, camera, viewport, shade)
    let dark = 0
    for (let i = 0; i < out.length; i += 7) {
      const pixel = [((i % width) + 0.5) * COARSE, (Math.floor(i / width) + 0.5) * COARSE] as const
      const place = unproject(...pixel, camera, viewport)
      if (!place) continue
      const expected = 255 * darkness(sunAltitude(Date.UTC(2026, 2, 15, 2, 8), place[1], place[0]))
      assert.ok(Math.abs((out[i]! >>> 24) - expected) < 6, `${view} ${place} ${out[i]! >>> 24} ${expected}`)
      if (expected > 250) dark++
    }
    assert.ok(dark > 100, 'the night was seen')
  }
})

test('the plane flies from the start of its flight to the end, in both directions of a route', () => {
  const { scene, at } = projected([fly(fra, jfk)], { view: 'globe', lon: -30, lat: 45, scale: 320 })
  const line = scene.routes[0]!
  const [a, b] = [line.start, line.start + line.count - 1]
  const there = planeAt({ at }, { line, isBackward: false }, 0)
  const back = planeAt({ at }, { line, isBackward: true }, 0)
  assert.deepEqual([there.x, there.y, back.x, back.y], [at.x[a], at.y[a], at.x[b], at.y[b]])
  assert.ok(Math.cos(planeAt({ at }, { line, isBackward: false }, 0.5).course) < 0, 'to the west')
  assert.ok(Math.cos(planeAt({ at }, { line, isBackward: true }, 0.5).course) > 0, 'to the east')
})

test('an empty log and a log of one airport can be fitted', () => {
  for (const view of views) {
    assert.ok(Number.isFinite(fitScene(buildScene([]), view, viewport).scale))
    assert.ok(Number.isFinite(fitScene(buildScene([fly(fra, fra)]), view, viewport).scale))
  }
})

test('a pixel leads back to the place it shows', () => {
  for (const view of views) {
    const camera: Camera = { view, lon: 10, lat: 20, scale: 400 }
    const { scene, at } = projected([fly(fra, jfk)], camera)
    const spot = scene.spots.find((s) => s.airport.id === 1)!
    const [lon, lat] = unproject(at.x[spot.start]!, at.y[spot.start]!, camera, viewport)!
    assert.ok(
      Math.abs(lon - fra.longitude) < 0.01 && Math.abs(lat - fra.latitude) < 0.01,
      `${view} ${lon} ${lat}`,
    )
  }
})

test('zooming keeps the place under the pointer', () => {
  for (const view of views) {
    const camera = clampCamera({ view, lon: 10, lat: 20, scale: 900 }, viewport)
    const before = unproject(620, 300, camera, viewport)!
    const after = unproject(620, 300, zoomAt(camera, viewport, 620, 300, 1300), viewport)!
    assert.ok(Math.abs(before[0] - after[0]) < 1 && Math.abs(before[1] - after[1]) < 1, view)
  }
})

test('zooming in as far as the shapes go still ends at the place under the pointer', () => {
  let camera = clampCamera({ view: 'globe', lon: 16, lat: 28, scale: 330 }, viewport)
  const before = unproject(620, 160, camera, viewport)!
  for (let i = 0; i < 20; i++) camera = zoomAt(camera, viewport, 620, 160, camera.scale * 1.4)
  const after = unproject(620, 160, camera, viewport)!
  assert.ok(
    Math.abs(before[0] - after[0]) < 0.2 && Math.abs(before[1] - after[1]) < 0.2,
    `${before} ${after}`,
  )
  assert.ok(camera.scale < 12_000)
})

test('a drag moves the ground with the finger, and never past the pole', () => {
  const camera: Camera = { view: 'globe', lon: 0, lat: 0, scale: 300 }
  assert.ok(panBy(camera, viewport, 30, 0).lon < 0)
  assert.ok(panBy(camera, viewport, 0, 99_999).lat <= 85)
  assert.equal(panBy({ ...camera, lon: 179 }, viewport, -30, 0).lon < 0, true)
})

test('a flight over the date line is not drawn across the whole flat map', () => {
  const camera: Camera = { view: 'flat', lon: 0, lat: 0, scale: 200 }
  const { scene, at } = projected([fly(nrt, lax)], camera)
  const route = scene.routes[0]!
  const steps = Array.from({ length: route.count - 1 }, (_, i) =>
    Math.abs(at.x[route.start + i + 1]! - at.x[route.start + i]!),
  )
  assert.equal(steps.filter((step) => step > wrapJump(camera)).length, 1)
})

test('airports are hit before routes, routes only where they are seen', () => {
  const camera: Camera = { view: 'globe', lon: -30, lat: 45, scale: 320 }
  const { scene, at } = projected([fly(fra, jfk)], camera)
  const spot = scene.spots[0]!
  const onSpot = hitTest(scene, at, at.x[spot.start]! + 2, at.y[spot.start]!, 9, Infinity)
  assert.deepEqual(onSpot, { kind: 'airport', id: spot.airport.id })
  const route = scene.routes[0]!
  const middle = route.start + Math.floor(route.count / 2)
  assert.deepEqual(hitTest(scene, at, at.x[middle]!, at.y[middle]! + 3, 9, Infinity), {
    kind: 'route',
    a: 1,
    b: 2,
  })
  const { at: behind } = projected([fly(fra, jfk)], { ...camera, lon: 150, lat: -45 })
  assert.equal(hitTest(scene, behind, behind.x[middle]!, behind.y[middle]!, 9, Infinity), null)
})

test('labels do not overlap, and the busiest airport keeps its name', () => {
  const crowd = Array.from({ length: 60 }, (_, i) =>
    place(100 + i, `A${i}`, 50 + (i % 8) * 0.3, 8 + (i / 8) * 0.3),
  )
  const { scene, at } = projected(
    crowd.map((airport) => fly(fra, airport)),
    { view: 'globe', lon: 8, lat: 50, scale: 500 },
  )
  const measure = (text: string, size: number) => text.length * size * 0.6
  const labels = placeLabels(scene.spots, at, { width: 1000, height: 700, measure, limit: 50 }, false)
  assert.equal(labels[0]!.text, 'FRA')
  const boxes = labels.map(({ spot, text, size, dx, dy }) => {
    const half = measure(text, size) / 2
    const [x, y] = [at.x[spot.start]! + dx, at.y[spot.start]! + dy]
    return { left: x - half, right: x + half, top: y - size / 2, bottom: y + size / 2 }
  })
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top)
    }
  }
})

test('a search names an airport by its code, or by its city where it is most visited', () => {
  const lhr = { ...place(7, 'LHR', 51.47, -0.45), municipality: 'London' }
  const lgw = { ...place(8, 'LGW', 51.15, -0.19), municipality: 'London' }
  const flights = [fly(fra, lgw), fly(fra, lhr), fly(lhr, jfk)]
  assert.equal(airportNamed(' lgw ', flights, {})?.iata, 'LGW')
  assert.equal(airportNamed('XJFK', flights, {})?.iata, 'JFK', 'by ICAO code')
  assert.equal(airportNamed('Lond', flights, {})?.iata, 'LHR')
  assert.equal(airportNamed('lo', flights, {}), null, 'too short')
  assert.equal(airportNamed('LH123', flights, {}), null)
  const french = { 'XX London': 'Londres' }
  assert.equal(airportNamed('londr', flights, {}), null)
  assert.equal(airportNamed('londr', flights, french)?.iata, 'LHR')
  assert.equal(airportNamed('london', flights, french)?.iata, 'LHR')
})

test('a search lights the routes of the flights that it found', () => {
  const flights = [fly(fra, jfk), fly(fra, nrt), fly(jfk, lax)]
  const lit = litByMatch(buildScene(flights), flights, { flights: new Set([flights[1]!.id]) })
  assert.deepEqual(
    [lit.lines.length, lit.spots.map(({ airport }) => airport.iata).sort()],
    [1, ['FRA', 'NRT']],
  )
})

test('of a flight with a track a search lights the track, not the route that others flew', () => {
  const flights = [fly(fra, jfk), fly(jfk, fra)]
  const track = [
    [8, 50],
    [-73, 40],
  ]
  const scene = buildScene(flights, new Map([[flights[0]!.id, track]]))
  const lit = litByMatch(scene, flights, { flights: new Set([flights[0]!.id]) })
  assert.deepEqual(lit.lines, scene.tracks)
})

test('flights are counted by pairs of airports: flown ones in the figures, both directions in the legend', () => {
  const twin = { ...jfk }
  const flights = [
    { ...fly(fra, jfk), distanceKm: 10 },
    { ...fly(twin, fra), distanceKm: 10.5 },
    { ...fly(fra, nrt, false), distanceKm: 99 },
    { ...fly(fra, fra), distanceKm: null },
    fly(null, lax),
  ]
  const tally = tallyOf(flights)
  assert.deepEqual(glance(tally), {
    flights: 4,
    distanceKm: 20.5,
    airports: 3,
    countries: 1,
    top: fra,
  })
  assert.equal(mostFlown(tally), 2)
  assert.deepEqual(buildScene(flights), buildScene(flights.slice()), 'counted before or not')
  assert.equal(mostFlown(tallyOf([])), 0)
})

test('a line of a moving frame is as strong across as a line of one pixel, and stays within the picture', () => {
  const raster = new Raster(60, 40, new Int32Array(60 * 40))
  raster.line(5, 10.25, 50, 20.75, 0x112233, 200)
  raster.line(-30, 5, 90, 5, 0x445566, 255)
  raster.line(30, -50, 31, 90, 0x445566, 255)
  const column = Array.from({ length: 20 }, (_, y) => raster.words[(y + 8) * 60 + 20]! >>> 24)
  const sum = column.reduce((a, b) => a + b, 0)
  assert.ok(sum > 180 && sum <= 200, `${sum}`)
  assert.equal(raster.words[5 * 60 + 10]! >>> 0, 0xff445566)
  assert.equal(raster.words.length, 60 * 40)
})

test('with rough edges, fewer pixels are written, and none of a line is missing', () => {
  const writtenWith = (edge: number) => {
    const raster = new Raster(60, 40, new Int32Array(60 * 40), edge)
    raster.line(5, 10.25, 50, 20.75, 0x112233, 200)
    return [...raster.words].flatMap((word, at) => (word === 0 ? [] : [at % 60]))
  }
  const [fine, rough] = [writtenWith(0), writtenWith(0.3)]
  assert.ok(rough.length < 0.8 * fine.length, `${rough.length} of ${fine.length}`)
  assert.equal(new Set(rough).size, new Set(fine).size)
})

test('the edge of a line that crosses another one does not recolour it', () => {
  const raster = new Raster(20, 20, new Int32Array(400))
  raster.line(2, 10, 18, 10, 0x112233, 200)
  raster.line(2, 9.1, 18, 9.1, 0x445566, 200)
  assert.equal(raster.words[10 * 20 + 9]! & 0xffffff, 0x112233)
  assert.equal(raster.words[9 * 20 + 9]! & 0xffffff, 0x445566)
})

test('changing the view keeps the place', () => {
  const globe: Camera = { view: 'globe', lon: 100, lat: 10, scale: 2000 }
  const flat = withView(globe, 'flat', viewport)
  assert.deepEqual(
    [flat.view, Math.round(flat.lon), Math.round(flat.lat), flat.scale],
    ['flat', 100, 10, 2000],
  )
  assert.equal(withView({ ...globe, scale: 300 }, 'flat', viewport).scale, worldScale('flat', viewport))
})

const cph = place(11, 'CPH', 55.62, 12.65)
const bcn = place(12, 'BCN', 41.3, 2.08)

/** The part of the window that all points of a scene take, and where its middle is. */
function takenBy({ points }: Scene, camera: Camera, window: Viewport) {
  const at = makeProjected(points.length / STRIDE)
  projectPoints(points, camera, { ...window, shift: camera.shift }, at)
  const [left, right] = [Math.min(...at.x), Math.max(...at.x)]
  const [top, bottom] = [Math.min(...at.y), Math.max(...at.y)]
  return {
    left,
    right,
    top,
    bottom,
    width: (right - left) / window.width,
    height: (bottom - top) / window.height,
  }
}

test('a short trip fills its map, on a phone too; a long one is seen on the whole globe', () => {
  const trip = buildScene([fly(cph, bcn), fly(bcn, cph)])
  const phone: Viewport = { ...viewport, width: 358, height: 320 }
  for (const window of [viewport, phone]) {
    const seen = takenBy(trip, closeUp(trip, window)!, window)
    assert.ok(seen.width > 0.45 || seen.height > 0.4, `${seen.width} × ${seen.height}`)
    assert.ok(seen.left > 20 && seen.right < window.width - 20, `${seen.left} to ${seen.right}`)
    assert.ok(seen.top > 20 && seen.bottom < window.height - 20, `${seen.top} to ${seen.bottom}`)
  }
  assert.equal(closeUp(buildScene([fly(fra, nrt), fly(nrt, lax)]), viewport), null)
  assert.equal(closeUp(buildScene([]), viewport), null)
  const world = closeUp(trip, viewport)!
  assert.equal(withView(world, 'flat', viewport).shift, undefined)
})

test('a trip stays in the middle while the globe becomes smaller, until all of it is seen at its usual place', () => {
  const near = closeUp(buildScene([fly(cph, bcn)]), viewport)!
  const world = worldScale('globe', viewport)
  const middle = (camera: Camera) => unproject(500, 350, camera, { ...viewport, shift: camera.shift })!
  const [lon, lat] = middle(near)
  let camera = near
  while (camera.scale > world) {
    camera = zoomAt(camera, viewport, 500, 350, Math.max(world, camera.scale / 1.3))
    const [nowLon, nowLat] = middle(camera)
    assert.ok(Math.hypot(nowLon - lon, nowLat - lat) < 3, `${nowLon} ${nowLat} of ${lon} ${lat}`)
  }
  assert.equal(camera.shift, undefined)
  const closer = zoomAt(near, viewport, 500, 350, near.scale * 2)
  assert.equal(closer.shift, near.shift)
  const whole: Camera = { view: 'globe', lon: 10, lat: 0, scale: world }
  assert.deepEqual(between(near, whole, 1).shift, [0, 0])
  assert.deepEqual(between(near, whole, 0).shift, near.shift)
})

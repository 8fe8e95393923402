// The way of a flight: recorded or great circle, with and without times; its profile; the position of its camera.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vectorOf } from '../../../../server/domain/geo/sphere.ts'
import type { Airport, Track } from '../../api/types.ts'
import { profileOf } from '../../flights/page/profile.ts'
import { frameWay } from '../aim.ts'
import { makeProjected, projectPoints } from '../camera.ts'
import { pushTrack, STRIDE } from '../sphere.ts'
import { flownWay, startOf } from './flown-way.ts'

const airport = (id: number, longitude: number, latitude: number) => ({ id, longitude, latitude }) as Airport
const [fra, sin, muc] = [airport(1, 8.57, 50.03), airport(2, 103.99, 1.35), airport(3, 11.79, 48.35)]
const night = {
  departs: Date.parse('2026-03-14T21:18Z'),
  arrives: Date.parse('2026-03-15T09:05Z'),
  duration: null,
}
const untimed = { departs: null, arrives: null, duration: 7200 }

const track = (more: Partial<Track>) =>
  ({
    coordinates: [
      [8.57, 50.03, 0],
      [9.5, 49.5, 9000],
      [11.79, 48.35, 400],
    ],
    ...more,
  }) as Track

test('without a track it is the great circle, lifted, in the light of each of its points', () => {
  const way = flownWay({ from: fra, to: sin, ...night }, null)!
  assert.equal(way.isRecorded, false)
  assert.equal(way.points.length / STRIDE, way.marks!.length)
  assert.deepEqual([...new Set(way.marks!.map(({ light }) => light))], ['night', 'twilight', 'day'])
  assert.ok(
    way.points.some((value, i) => i % STRIDE === STRIDE - 1 && value > 0.1),
    'it stands over the ground',
  )
  assert.ok(way.ground!.every((value, i) => i % STRIDE !== STRIDE - 1 || value === 0))
  assert.equal(new Date(startOf(way.timed!)).toISOString().slice(11, 16), '02:07', 'it starts at sunrise')
})

test('without sunrise and sunset it starts half-way, also of an estimated arrival', () => {
  const noon = { departs: Date.parse('2026-06-14T10:00Z'), arrives: null, duration: 3600 }
  const way = flownWay({ from: fra, to: muc, ...noon }, null)!
  assert.equal(startOf(way.timed!), Date.parse('2026-06-14T10:30Z'))
})

test('without times, or with times that cannot be, there is a way but no light', () => {
  for (const times of [
    untimed,
    { ...night, arrives: night.departs },
    { ...night, arrives: night.departs + 3 * 86_400_000 },
    { ...night, arrives: null },
  ]) {
    const way = flownWay({ from: fra, to: sin, ...times }, null)!
    assert.deepEqual([way.marks, way.timed], [null, null])
  }
})

test('nothing is drawn of a flight to where it began, or with an unknown end', () => {
  assert.equal(flownWay({ from: fra, to: fra, ...night }, null), null)
  assert.equal(flownWay({ from: fra, to: null, ...night }, null), null)
})

test('a recorded track is followed instead, and its own times do where the flight has none', () => {
  const start = Date.parse('2025-06-01T18:00Z') / 1000
  const way = flownWay(
    { from: fra, to: fra, ...untimed },
    track({ times: [start, start + 600, start + 3600] }),
  )!
  assert.equal(way.isRecorded, true)
  assert.equal(way.ground, null)
  assert.deepEqual(
    way.marks!.map(({ at }) => at / 1000 - start),
    [0, 600, 3600],
  )
})

test('altitude and speed are shown where every point has them, in the units of the reader', () => {
  assert.deepEqual(
    profileOf(track({}), 'km').map(({ kind, unit, most }) => [kind, unit, most]),
    [['altitude', 'm', 9000]],
  )
  const [altitude, speed] = profileOf(track({ groundSpeedKt: [100, 400, 150] }), 'nm')
  assert.deepEqual([Math.round(altitude!.most), altitude!.unit], [29_528, 'ft'])
  assert.deepEqual([speed!.most, speed!.unit], [400, 'kt'])
  const flat = track({
    coordinates: [
      [8, 50],
      [9, 50],
    ],
  })
  assert.deepEqual(profileOf(flat, 'km'), [])
})

const stage = {
  width: 1208,
  height: 800,
  insets: { left: 468, right: 0, top: 0, bottom: 44 },
  clearUntil: Infinity,
}
const framed = (from: Airport, to: Airport, on = stage) => {
  const way = flownWay({ from, to, ...untimed }, null)!
  const ends = [from, to].map(({ longitude, latitude }) => vectorOf(longitude, latitude))
  return frameWay(way.points, ends, on)
}

test('a long way is seen on the whole globe from 27° south of its middle', () => {
  const { camera, insets } = framed(fra, sin)
  assert.ok(Math.abs(camera.scale - 356) < 3, String(camera.scale))
  assert.deepEqual(insets, stage.insets)
  assert.ok(Math.abs(camera.lat - 4) < 4, String(camera.lat))
})

test('both ends of a way are in sight above what stands on the globe', () => {
  const [akl, lax] = [airport(7, 174.79, -37.01), airport(8, -118.41, 33.94)]
  const phone = {
    width: 390,
    height: 344,
    insets: { left: 0, right: 0, top: 34, bottom: -42 },
    clearUntil: 252,
  }
  for (const narrowed of [{ ...stage, clearUntil: 614 }, phone]) {
    const { camera, insets } = framed(akl, lax, narrowed)
    const at = makeProjected(2)
    const points: number[] = []
    const ends = [akl, lax].map((one): [number, number] => [one.longitude, one.latitude])
    pushTrack(points, ends, 2)
    projectPoints(new Float32Array(points), camera, { ...narrowed, insets }, at)
    for (const y of at.y) assert.ok(y > 20 && y < narrowed.clearUntil - 20, `${y} of ${narrowed.clearUntil}`)
  }
})

test('a short way is seen from closer, one to the north from the side', () => {
  const cph = airport(4, 12.65, 55.62)
  const { camera } = framed(muc, cph)
  assert.ok(camera.scale > 1500)
  assert.ok(Math.abs(camera.lon - 12) > 20, 'from the side')
  const berlin = framed(airport(5, 6.8, 51.3), airport(6, 13.5, 52.4)).camera
  assert.ok(Math.abs(berlin.lon - 10) < 8 && berlin.lat < 30, 'from the south')
})

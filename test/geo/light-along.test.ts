// The light along a flight: on the great circle, on a recorded track, over a pole and across the date line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  greatCircleWay,
  lightAlong,
  minutesOfLight,
  recordedWay,
  type Spot,
} from '../../server/domain/flights/light-along.ts'

const fra = { lon: 8.5706, lat: 50.0333 }
const sin = { lon: 103.989, lat: 1.3502 }
const nrt = { lon: 140.386, lat: 35.765 }
const lax = { lon: -118.408, lat: 33.942 }

const span = (departs: string, arrives: string) => ({
  departs: Date.parse(departs),
  arrives: Date.parse(arrives),
})
const minute = (ms: number) => new Date(Math.round(ms / 60_000) * 60_000).toISOString().slice(11, 16)
const close = (a: Spot, b: Spot, by = 0.01) =>
  assert.ok(Math.abs(a.lon - b.lon) < by && Math.abs(a.lat - b.lat) < by, JSON.stringify([a, b]))

function flownBetween(from: Spot, to: Spot, departs: string, arrives: string) {
  const times = span(departs, arrives)
  return lightAlong(greatCircleWay(from, to, times), times)
}

test('Frankfurt to Singapore by night sees one sunrise, over Turkmenistan', () => {
  const along = flownBetween(fra, sin, '2026-03-14T21:18Z', '2026-03-15T09:05Z')
  assert.deepEqual(
    along.spans.map(({ light }) => light),
    ['night', 'twilight', 'day'],
  )
  assert.deepEqual(minutesOfLight(along), { night: 272, twilight: 17, day: 418 })
  const [sunrise, ...others] = along.turns
  assert.equal(others.length, 0)
  assert.equal(sunrise!.kind, 'sunrise')
  assert.equal(minute(sunrise!.at), '02:07')
  close(sunrise!, { lon: 61.2, lat: 39.8 }, 0.1)
})

test('samples cover the whole flight, and the minutes add up', () => {
  const along = flownBetween(nrt, lax, '2026-11-16T08:10:20Z', '2026-11-16T17:50:50Z')
  close(along.samples[0]!, nrt)
  close(along.samples.at(-1)!, lax)
  const { night, twilight, day } = minutesOfLight(along)
  assert.equal(night + twilight + day, 581)
  assert.equal(along.spans[0]!.from, Date.parse('2026-11-16T08:10:20Z'))
  assert.equal(along.spans.at(-1)!.to, Date.parse('2026-11-16T17:50:50Z'))
  for (const [i, { to }] of along.spans.slice(0, -1).entries()) assert.equal(along.spans[i + 1]!.from, to)
})

test('the way is continuous across the date line', () => {
  const { samples } = flownBetween(nrt, lax, '2026-11-16T08:10Z', '2026-11-16T17:50Z')
  assert.ok(samples.some(({ lon }) => lon > 179) && samples.some(({ lon }) => lon < -179))
  for (const [i, sample] of samples.slice(1).entries())
    assert.ok(Math.abs(sample.altitude - samples[i]!.altitude) < 1, String(sample.lon))
})

test('the sun rises in the west on a flight west faster than the sun', () => {
  // Concorde, which left London after sunset.
  const lhr = { lon: -0.4619, lat: 51.4706 }
  const jfk = { lon: -73.7789, lat: 40.6398 }
  const along = flownBetween(lhr, jfk, '2000-12-10T16:10Z', '2000-12-10T19:20Z')
  assert.deepEqual(
    along.turns.map(({ kind }) => kind),
    ['sunrise'],
  )
  assert.deepEqual(
    along.spans.map(({ light }) => light),
    ['twilight', 'day'],
  )
})

test('over the pole the sun does not set in June or rise in December', () => {
  const north = { lon: 10, lat: 78 }
  const beyond = { lon: -170, lat: 78 }
  const june = flownBetween(north, beyond, '2026-06-21T20:00Z', '2026-06-21T23:00Z')
  assert.ok(june.samples.some(({ lat }) => lat > 89.9))
  assert.deepEqual(june.turns, [])
  assert.deepEqual(minutesOfLight(june), { night: 0, twilight: 0, day: 180 })
  const december = flownBetween(north, beyond, '2026-12-21T20:00Z', '2026-12-21T23:00Z')
  assert.deepEqual(minutesOfLight(december), { night: 180, twilight: 0, day: 0 })
})

test('antipodes are connected over a pole, and a round flight without a track stays in place', () => {
  const times = span('2026-06-21T00:00Z', '2026-06-21T20:00Z')
  const over = greatCircleWay({ lon: 0, lat: 0 }, { lon: 180, lat: 0 }, times)
  assert.ok(over((times.departs + times.arrives) / 2).lat > 89.99)
  close(over(times.arrives), { lon: 180, lat: 0 })
  const fromPole = greatCircleWay({ lon: 0, lat: 90 }, { lon: 0, lat: -90 }, times)
  close(fromPole((times.departs + times.arrives) / 2), { lon: 0, lat: 0 })
  const round = greatCircleWay(fra, fra, times)
  close(round(times.departs + 3_600_000), fra, 1e-9)
})

test('a recorded track is followed at its own times', () => {
  const times = span('2026-06-21T10:00Z', '2026-06-21T12:00Z')
  const seconds = [10, 11, 11.5].map((hour) => Date.parse('2026-06-21T00:00Z') / 1000 + hour * 3600)
  const way = recordedWay(
    [
      [0, 0, 10],
      [10, 0, 9000],
      [10, 5, 0],
    ],
    seconds,
    times,
  )
  close(way(times.departs - 1), { lon: 0, lat: 0 })
  close(way(times.departs + 30 * 60_000), { lon: 5, lat: 0 })
  close(way(times.departs + 75 * 60_000), { lon: 10, lat: 2.5 })
  close(way(times.arrives), { lon: 10, lat: 5 })
})

test('a track without times is flown at constant speed', () => {
  const times = span('2026-06-21T10:00Z', '2026-06-21T11:30Z')
  const way = recordedWay(
    [
      [175, 0],
      [-175, 0],
      [-175, 5],
    ],
    null,
    times,
  )
  close(way(times.departs + 30 * 60_000), { lon: 180, lat: 0 }, 0.01)
  close(way(times.departs + 60 * 60_000), { lon: -175, lat: 0 })
  close(way(times.departs + 75 * 60_000), { lon: -175, lat: 2.5 })
  close(way(times.arrives), { lon: -175, lat: 5 })
})

test('a stationary track, and two points at one time, give a position at every instant', () => {
  const times = span('2026-06-21T10:00Z', '2026-06-21T11:00Z')
  const still = recordedWay(
    [
      [8, 50],
      [8, 50],
    ],
    null,
    times,
  )
  close(still(times.departs + 60_000), { lon: 8, lat: 50 })
  const at = times.departs / 1000
  const jump = recordedWay(
    [
      [8, 50],
      [9, 50],
      [10, 50],
    ],
    [at, at, at + 60],
    times,
  )
  close(jump(times.departs), { lon: 9, lat: 50 })
})

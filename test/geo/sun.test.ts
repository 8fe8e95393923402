// The position of the sun compared with almanacs: instants of equinoxes and solstices (USNO), sunrise and sunset tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lightAt, SUNRISE_ALTITUDE, subsolarPoint, sunAltitude } from '../../server/domain/geo/sun.ts'

const near = (actual: number, expected: number, by: number, what: string) =>
  assert.ok(Math.abs(actual - expected) <= by, `${what}: ${actual} is not within ${by} of ${expected}`)

test('the sun is over the equator at the equinoxes and over the tropics at the solstices', () => {
  const turns: [string, number][] = [
    ['2000-03-20T07:35Z', 0],
    ['2024-03-20T03:06Z', 0],
    ['2024-06-20T20:51Z', 23.438],
    ['2024-09-22T12:44Z', 0],
    ['2024-12-21T09:20Z', -23.438],
    ['2026-03-20T14:46Z', 0],
    ['2026-06-21T08:24Z', 23.438],
    ['2026-09-23T00:05Z', 0],
    ['2026-12-21T20:50Z', -23.438],
  ]
  for (const [instant, declination] of turns)
    near(subsolarPoint(Date.parse(instant)).lat, declination, 0.01, instant)
})

test('a sundial in Greenwich is off by the equation of time at noon', () => {
  // Minutes that the sundial is ahead; the sun's meridian is that much further west.
  const minutes: [string, number][] = [
    ['2026-02-11T12:00Z', -14.23],
    ['2026-04-15T12:00Z', 0],
    ['2026-05-14T12:00Z', 3.65],
    ['2026-07-26T12:00Z', -6.53],
    ['2026-11-03T12:00Z', 16.45],
  ]
  for (const [noon, ahead] of minutes) near(subsolarPoint(Date.parse(noon)).lon, -ahead / 4, 0.03, noon)
})

test('the sun moves westward within −180 and 180 degrees', () => {
  for (let hour = 0; hour < 48; hour++) {
    const { lon } = subsolarPoint(Date.UTC(1969, 11, 31, hour))
    assert.ok(lon >= -180 && lon < 180, String(lon))
    const later = subsolarPoint(Date.UTC(1969, 11, 31, hour + 1)).lon
    near((lon - later + 360) % 360, 15, 0.01, `hour ${hour}`)
  }
})

test('sunrise and sunset equal those of the tables within a minute and a half', () => {
  const tables: [string, number, number, string, string][] = [
    ['London', 51.507, -0.128, '2026-06-21T03:43Z', '2026-06-21T20:21Z'],
    ['New York', 40.713, -74.006, '2026-03-20T10:59Z', '2026-03-20T23:08Z'],
    ['Sydney', -33.869, 151.209, '2026-12-20T18:41Z', '2026-12-21T09:05Z'],
  ]
  for (const [place, lat, lon, rise, set] of tables) {
    for (const [text, before] of [
      [rise, true],
      [set, false],
    ] as const) {
      const at = Date.parse(text)
      const isUp = (ms: number) => sunAltitude(ms, lat, lon) >= SUNRISE_ALTITUDE
      assert.equal(isUp(at - 90_000), !before, `${place} before ${text}`)
      assert.equal(isUp(at + 90_000), before, `${place} after ${text}`)
    }
  }
})

test('at the poles the sun’s altitude equals its declination all day', () => {
  for (let hour = 0; hour < 24; hour++) {
    const ms = Date.UTC(2026, 5, 21, hour)
    const { lat } = subsolarPoint(ms)
    for (const lon of [-180, 0, 77]) {
      near(sunAltitude(ms, 90, lon), lat, 1e-9, 'north')
      near(sunAltitude(ms, -90, lon), -lat, 1e-9, 'south')
    }
  }
  assert.equal(lightAt(sunAltitude(Date.UTC(2026, 5, 21), 90, 0)), 'day')
  assert.equal(lightAt(sunAltitude(Date.UTC(2026, 5, 21), -90, 0)), 'night')
})

test('the terminator is one line, and the zenith is 90 degrees', () => {
  const ms = Date.UTC(2026, 10, 16, 3, 20)
  near(sunAltitude(ms, 20, 180), sunAltitude(ms, 20, -180), 1e-9, 'date line')
  const { lat, lon } = subsolarPoint(ms)
  near(sunAltitude(ms, lat, lon), 90, 1e-5, 'zenith')
  near(sunAltitude(ms, -lat, lon + 180), -90, 1e-5, 'nadir')
})

test('night is below −6 degrees, twilight up to −0.83, and day above', () => {
  assert.deepEqual([-90, -6.01, -6, -0.84, -0.83, 0, 90].map(lightAt), [
    'night',
    'night',
    'twilight',
    'twilight',
    'day',
    'day',
    'day',
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '@placemarkio/check-geojson'
import { eachOf, timeFields } from '../../server/domain/flights/fields.ts'
import { flightFeature } from '../../server/domain/sharing/geojson.ts'

type MappedFlight = Parameters<typeof flightFeature>[0]

type Place = NonNullable<MappedFlight['from']>
const place = (iata: string, longitude: number, latitude: number): Place => ({
  iata,
  icao: `X${iata}`,
  name: iata,
  country: 'XX',
  latitude,
  longitude,
})
const flight = (from: Place | null, to: Place | null): MappedFlight => ({
  id: 1,
  version: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
  date: '2026-01-01',
  datePrecision: 'day',
  ...eachOf(timeFields, () => null),
  duration: null,
  flightNumber: null,
  aircraftReg: null,
  note: null,
  from,
  to,
  airline: null,
  aircraft: null,
  distanceKm: null,
  passengers: [],
})

const style = { ownerId: null, trackPoints: 500 }
const [CPH, EWR] = [place('CPH', 12.656, 55.6179), place('EWR', -74.1687, 40.6925)]
const [AKL, LAX] = [place('AKL', 174.79, -37.01), place('LAX', -118.41, 33.94)]

/** The lines of a flight; none leaves the map or jumps across it. */
function linesOf(from: Place, to: Place, track?: number[][]): number[][][] {
  const feature = flightFeature(flight(from, to), track, style)
  check(JSON.stringify(feature))
  const { geometry } = feature
  assert.ok(geometry && (geometry.type === 'LineString' || geometry.type === 'MultiLineString'))
  const lines = geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates
  for (const line of lines) {
    assert.ok(line.length >= 2)
    for (const [i, [lon, lat]] of line.entries()) {
      assert.ok(Math.abs(lon!) <= 180 && Math.abs(lat!) <= 90)
      if (i > 0) assert.ok(Math.abs(lon! - line[i - 1]![0]!) <= 180, JSON.stringify(line))
    }
  }
  return lines
}

test('a route is a great circle between its airports', () => {
  const [line, ...others] = linesOf(CPH, EWR)
  assert.deepEqual(others, [])
  assert.deepEqual(line![0], [12.656, 55.6179])
  assert.deepEqual(line!.at(-1), [-74.1687, 40.6925])
  const north = Math.max(...line!.map(([, lat]) => lat!))
  // Its northernmost point is well north of both airports.
  assert.ok(north > 58 && north < 60, String(north))
})

test('a route is cut at the antimeridian in both directions, at equal latitudes', () => {
  for (const [from, to, side] of [
    [AKL, LAX, 180],
    [LAX, AKL, -180],
  ] as const) {
    const lines = linesOf(from, to)
    assert.equal(lines.length, 2)
    assert.equal(lines[0]!.at(-1)![0], side)
    assert.equal(lines[1]![0]![0], -side)
    assert.equal(lines[0]!.at(-1)![1], lines[1]![0]![1])
    assert.deepEqual(lines[0]![0], [from.longitude, from.latitude])
    assert.deepEqual(lines[1]!.at(-1), [to.longitude, to.latitude])
  }
})

test('routes on the antimeridian, at the poles, between antipodes and to the same place are valid', () => {
  for (const [from, to] of [
    [place('A', 180, 10), place('B', -170, 20)],
    [place('A', -180, 10), place('B', 170, 20)],
    [place('A', 180, -16), place('B', -180, -17)],
    [place('A', 20, 70), place('B', -160, 70)],
    [place('A', 0, 90), place('B', 100, 0)],
    [place('A', 30, 40), place('B', -150, -40)],
  ] as const)
    linesOf(from, to)
  const same = flightFeature(flight(CPH, CPH), undefined, style)
  check(JSON.stringify(same))
  assert.deepEqual(same.geometry, { type: 'Point', coordinates: [12.656, 55.6179] })
  const unknown = flightFeature(flight(CPH, null), undefined, style)
  check(JSON.stringify(unknown))
  assert.equal(unknown.geometry, null)
  assert.equal(unknown.properties!['line'], null)
})

test('a recorded track replaces the great circle, with altitudes, and is thinned', () => {
  const track = Array.from({ length: 2001 }, (_, i) => [
    170 + i / 100 > 180 ? i / 100 - 190 : 170 + i / 100,
    10,
    i,
  ])
  const lines = linesOf(AKL, LAX, track)
  assert.equal(lines.length, 2)
  assert.equal(lines.flat().length, 502)
  assert.deepEqual(lines[0]![0], [170, 10, 0])
  assert.deepEqual(lines[1]!.at(-1), [-170, 10, 2000])
  assert.equal(lines[0]!.at(-1)![0], 180)
  assert.equal(Math.round(lines[0]!.at(-1)![2]!), 1000)
  assert.equal(flightFeature(flight(AKL, LAX), track, style).properties!['line'], 'track')
})

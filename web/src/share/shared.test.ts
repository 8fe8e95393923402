import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildScene } from '../globe/scene.ts'
import { drawnMap, figuresFrom, isAbout, subjectOf, summaryOf } from './shared.ts'

const airport = (id: number, iata: string, country: string, latitude: number) => ({
  id,
  icao: `X${iata}`,
  iata,
  name: iata,
  municipality: iata,
  latitude,
  longitude: 10 * id,
  country,
  continent: 'EU' as const,
})

const log: Parameters<typeof drawnMap>[0] = {
  owner: { displayName: 'Ada' },
  airports: [airport(1, 'AMS', 'NL', 52), airport(2, 'CPH', 'DK', 55), airport(3, 'OSL', 'NO', 60)],
  map: {
    routes: [
      { a: 1, b: 2, flown: 5, planned: 0, distanceKm: 600 },
      { a: 2, b: 2, flown: 1, planned: 0, distanceKm: 0 },
      { a: 2, b: 3, flown: 0, planned: 2, distanceKm: 500 },
    ],
    airports: [
      { id: 1, visits: 6 },
      { id: 2, visits: 9 },
      { id: 3, visits: 2 },
    ],
    tracks: [
      {
        a: 1,
        b: 2,
        coordinates: [
          [1, 52],
          [5, 54],
          [12, 55],
        ],
      },
    ],
  },
}

test('routes with counts are drawn as the flights behind them would be', () => {
  const { flights, tracks } = drawnMap(log)
  const scene = buildScene(flights, tracks)
  const routes = scene.routes.map(({ a, b, flown, planned }) => [a.iata, b.iata, flown, planned])
  assert.deepEqual(routes, [
    ['CPH', 'OSL', 0, 2],
    ['AMS', 'CPH', 4, 0],
  ])
  assert.equal(scene.tracks.length, 1)
  const visits = scene.spots.map(({ airport: { iata }, visits }) => [iata, visits])
  assert.deepEqual(visits, [
    ['CPH', 9],
    ['AMS', 6],
    ['OSL', 2],
  ])
})

test('a track is selected as its route, and a selection is counted in flights', () => {
  const { flights, tracks } = drawnMap(log)
  const [trackId] = [...tracks.keys()]
  const subject = subjectOf({ kind: 'flight', id: trackId! }, flights)!
  assert.deepEqual(subject, { kind: 'route', a: 1, b: 2 })
  const count = (about: Parameters<typeof isAbout>[1]) =>
    flights.filter((flight) => isAbout(flight, about)).reduce((sum, flight) => sum + flight.count, 0)
  assert.equal(count(subject), 5)
  assert.equal(count({ kind: 'airport', id: 2 }), 8)
})

test('the summary is computed from the first part that is included', () => {
  assert.deepEqual(summaryOf(log), { flights: 6, distanceKm: 3000, airports: 2, countries: 2 })
  const { map: _, ...rest } = log
  assert.equal(summaryOf(rest), null)
  const flights = [
    { from: 2, to: 1, distanceKm: 600 },
    { from: 2, to: 3, distanceKm: 500, date: '2030-01-01', completed: false },
  ]
  assert.deepEqual(summaryOf({ ...rest, flights }), {
    flights: 1,
    distanceKm: 600,
    airports: 2,
    countries: 2,
  })
  assert.equal(figuresFrom(rest), null)
})

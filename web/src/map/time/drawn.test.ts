// What is drawn for a moment: which lines belong to which flights, the density of arcs, the light.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Projected, wrapJump } from '../../globe/camera.ts'
import { buildScene } from '../../globe/scene.ts'
import type { Airport } from '../../globe/types.ts'
import { addToGrid, CELL, createGrid, heatTones, paintHeat, smoothed } from './heat.ts'
import { linesByPeriod, pathsIn, timesFlown, visitsOf } from './paths.ts'
import { follow } from './sun.ts'
import { createTimeline, periodsOf } from './timeline.ts'

type Flown = Parameters<typeof createTimeline>[0][number]

const place = (id: number, latitude: number, longitude: number): Airport => ({
  id,
  icao: `X${id}`,
  iata: null,
  name: `Airport ${id}`,
  municipality: null,
  latitude,
  longitude,
  country: 'XX',
  continent: 'EU',
})
const [cph, hel, hkg] = [place(1, 55.6, 12.6), place(2, 60.3, 24.9), place(3, 22.3, 113.9)]
let nextId = 1
const fly = (date: string, from: Airport | null, to: Airport | null): Flown & { completed: boolean } => ({
  id: nextId++,
  date,
  datePrecision: 'day',
  departureLocal: null,
  departs: null,
  arrives: null,
  from,
  to,
  distanceKm: 1,
  duration: 1,
  completed: true,
})

const log = [
  fly('2001-05-01', hel, cph),
  fly('2002-05-01', hel, hkg),
  fly('2003-05-01', cph, hel),
  fly('2003-06-01', cph, null),
]
const timeline = createTimeline(log, Date.parse('2026-01-01'))
const scene = buildScene(log, new Map())
const paths = pathsIn(scene, timeline)
const lineOf = (a: Airport, b: Airport) =>
  scene.routes.findIndex((route) => route.a.id === a.id && route.b.id === b.id)

test('every flight has its line, in its direction, and its airports', () => {
  assert.deepEqual([...paths.lineOf], [lineOf(cph, hel), lineOf(hel, hkg), lineOf(cph, hel), -1])
  assert.deepEqual([...paths.isReversed], [1, 0, 0, 0])
  assert.deepEqual([...timesFlown(paths, 0, 4)].sort(), [1, 2])
  assert.equal(visitsOf(paths, 0, 4)[scene.spots.findIndex(({ airport }) => airport.id === cph.id)], 3)
  assert.equal(visitsOf(paths, 1, 2)[scene.spots.findIndex(({ airport }) => airport.id === cph.id)], 0)
})

test('a recorded track is the line of its flight alone', () => {
  const track = [
    [12.6, 55.6],
    [20, 60],
    [24.9, 60.3],
  ] as const
  const tracked = buildScene(log, new Map([[log[0]!.id, track]]))
  const own = pathsIn(tracked, timeline)
  assert.equal(own.lineOf[0], tracked.routes.length)
  assert.equal(own.isReversed[0], 0)
  assert.ok(own.lineOf[2]! < tracked.routes.length)
})

test('a line belongs to the period of its latest flight, the newest last', () => {
  const { of } = periodsOf(timeline)
  const periods = (low: number, high: number) =>
    [...linesByPeriod(paths, timeline, [low, high], of)].map(([period, lines]) => [period, lines.length])
  assert.deepEqual(periods(0, 2), [
    [0, 1],
    [1, 1],
  ])
  assert.deepEqual(periods(0, 4), [
    [1, 1],
    [2, 1],
  ])
  assert.deepEqual(periods(3, 3), [])
})

const straight = (...points: [number, number, number][]): Projected => ({
  x: Float32Array.from(points, ([x]) => x),
  y: Float32Array.from(points, ([, y]) => y),
  depth: Float32Array.from(points, ([, , depth]) => depth),
})

test('a flight adds one for each cell of its way, none behind the globe or across the edge of a flat map', () => {
  const grid = createGrid(80 * CELL, 40 * CELL)
  const line = { start: 0, count: 2, weight: 1 }
  const sum = () => Math.round(grid.cells.reduce((all, cell) => all + cell, 0) * 1000) / 1000
  addToGrid(
    grid,
    line,
    straight([10 * CELL, 20.5 * CELL, 1], [30 * CELL, 20.5 * CELL, 1]),
    Number.POSITIVE_INFINITY,
  )
  assert.equal(sum(), 20)
  assert.equal(grid.cells[20 * 80 + 15], 1)
  addToGrid(
    grid,
    line,
    straight([10 * CELL, 20 * CELL, 1], [30 * CELL, 20 * CELL, -0.1]),
    Number.POSITIVE_INFINITY,
  )
  addToGrid(
    grid,
    line,
    straight([10 * CELL, 20 * CELL, 1], [70 * CELL, 20 * CELL, 1]),
    wrapJump({ view: 'flat', lon: 0, lat: 0, scale: 100 }),
  )
  addToGrid(grid, line, straight([-90, -90, 1], [-80, -90, 1]), Number.POSITIVE_INFINITY)
  assert.equal(sum(), 20)
  const soft = smoothed(grid)
  assert.ok(soft[20 * 80 + 20]! < 1 && soft[19 * 80 + 20]! > 0, 'smoothed across the line')
  assert.ok(Math.abs(soft.reduce((all, cell) => all + cell, 0) - 20) < 0.01, 'nothing is lost')
})

test('heat goes from transparent through rare to often', () => {
  const tones = heatTones([0, 0, 255], [255, 0, 0])
  const pixels = new Uint8ClampedArray(12)
  paintHeat(Float32Array.from([0, 0.3, 50]), 50, tones, pixels)
  assert.equal(pixels[3], 0)
  assert.ok(pixels[7]! > 0 && pixels[7]! < pixels[11]!)
  assert.deepEqual([...pixels.slice(4, 7)], [0, 0, 255])
  assert.deepEqual([...pixels.slice(8, 11)], [255, 0, 0])
})

const at = (text: string) => Date.parse(`${text}:00Z`)

test('the light turns to an hour by the shorter way, on the day that is wanted', () => {
  const turned = (from: string, to: string, seconds: number) =>
    new Date(follow(at(from), at(to), seconds)).toISOString().slice(0, 13)
  assert.equal(turned('2001-01-01T06:00', '2005-07-01T17:00', 0), '2005-07-01T06')
  assert.equal(turned('2001-01-01T22:00', '2005-07-02T01:00', 0), '2005-07-01T22')
  assert.equal(turned('2001-01-01T22:00', '2005-07-02T01:00', 60), '2005-07-02T01')
  const step = follow(at('2001-01-01T06:00'), at('2005-07-01T12:00'), 0.1) - at('2005-07-01T06:00')
  assert.ok(step > 0 && step < 3_600_000, 'never faster than an hour in a tenth of a second')
  assert.equal(turned('1961-01-01T06:00', '1962-07-01T17:00', 0), '1962-07-01T06')
})

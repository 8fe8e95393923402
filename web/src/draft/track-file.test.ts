import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRACK_POINTS_AT_MOST } from '../../../server/domain/limits.ts'
import { parseTrack } from './track-file.ts'

test('CSV of Flightradar24: one position column, altitude in feet', () => {
  const parsed = parseTrack(
    '\uFEFFTimestamp,UTC,Callsign,Position,Altitude,Speed,Direction\n' +
      '1700000000,2023-11-14T22:13:20Z,SAS1,"55.6,12.6",1000,150,90\n' +
      '1700000060,2023-11-14T22:14:20Z,SAS1,"55.7,12.9",2000,200,95\n',
    'SK1.csv',
  )
  assert.deepEqual(parsed?.track, {
    coordinates: [
      [12.6, 55.6, 304.8],
      [12.9, 55.7, 609.6],
    ],
    sourceFormat: 'csv',
    sourceName: 'SK1.csv',
    times: [1_700_000_000, 1_700_000_060],
    groundSpeedKt: [150, 200],
    trackDeg: [90, 95],
  })
})

test('CSV with semicolons, decimal commas and metres; a time without zone is UTC', () => {
  const parsed = parseTrack(
    'time;lat;lon;ele\n2024-01-01 10:00:00;48,5;9,25;400\n2024-01-01 10:01:00;48,6;9,3;500\n',
    'x',
  )
  assert.deepEqual(parsed?.track.coordinates, [
    [9.25, 48.5, 400],
    [9.3, 48.6, 500],
  ])
  assert.deepEqual(parsed?.track.times, [1_704_103_200, 1_704_103_260])
})

test('a series with a gap is left out, points off the globe too', () => {
  const parsed = parseTrack('lat,lon,time\n1,1,2024-01-01T00:00:00Z\n2,2,\n95,3,2024-01-01T00:02:00Z\n', 'x')
  assert.deepEqual(parsed?.track.coordinates, [
    [1, 1],
    [2, 2],
  ])
  assert.equal(parsed?.track.times, undefined)
})

test('no track: nothing, text, a single point', () => {
  for (const text of ['', 'hello', 'a,b\n1,2\n3,4\n', 'lat,lon\n1,1\n'])
    assert.equal(parseTrack(text, 'x'), null, text)
})

test('a file beyond the limit is thinned and keeps its end', () => {
  const rows = Array.from(
    { length: TRACK_POINTS_AT_MOST + 5 },
    (_, index) => `${(index % 90).toFixed(0)},${index % 180}`,
  )
  const parsed = parseTrack(`lat,lon\n${rows.join('\n')}`, 'x')
  assert.equal(parsed?.step, 2)
  assert.ok(parsed && parsed.track.coordinates.length <= TRACK_POINTS_AT_MOST)
  assert.deepEqual(parsed.track.coordinates.at(-1), [
    (TRACK_POINTS_AT_MOST + 4) % 180,
    (TRACK_POINTS_AT_MOST + 4) % 90,
  ])
})

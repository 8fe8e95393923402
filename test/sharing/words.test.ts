// A sentence about what a visitor of a share sees.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitorSees } from '../../server/domain/sharing/words.ts'

const nothing = {
  showMap: false,
  showStats: false,
  showFlightList: false,
  dateFrom: null,
  dateTo: null,
  showFlightNumbers: false,
  showAirlines: false,
  showAircraft: false,
  showTimes: false,
  showTracks: false,
  showDates: false,
  showSeat: false,
  expiresAt: null,
  flightId: null,
  tripId: null,
}
const now = Date.parse('2026-11-16T12:00:00Z')
const everything = Object.fromEntries(
  Object.keys(nothing).flatMap((name) => (name.startsWith('show') ? [[name, true]] : [])),
)

test('a sentence describes the shown parts, period, detail and expiry', () => {
  const cases: [object, string][] = [
    [{}, 'your name and nothing else: no part is enabled.'],
    [{ showMap: true, showDates: true, showAirlines: true, showTimes: true }, 'your map.'],
    [{ showMap: true, showTracks: true }, 'your map, with recorded tracks, without dates.'],
    [{ showStats: true, showFlightNumbers: true }, 'your statistics, without dates.'],
    [{ showStats: true, showTracks: true, showDates: true }, 'your statistics, with dates.'],
    [
      { showFlightList: true, showFlightNumbers: true },
      'your flights as a list, with flight numbers, without dates.',
    ],
    [{ showMap: true, showDates: true, dateTo: '2020-12-31' }, 'your map up to 2020-12-31.'],
    [
      { showMap: true, showDates: true, expiresAt: '2026-11-16T12:00:01Z' },
      'your map, until 2026-11-16 12:00 UTC.',
    ],
    [
      { ...everything, expiresAt: '2027-01-01T01:00:00+01:00' },
      'your map, statistics and flights as a list, with dates, flight numbers, airlines, aircraft, times, your seats and classes and recorded tracks, until 2027-01-01.',
    ],
    [
      { flightId: 7, showMap: true, showFlightList: true, showDates: true },
      'flight 7 alone: its map and details, with dates.',
    ],
    [
      { tripId: 3, showMap: true, showFlightList: true, showAirlines: true },
      'trip 3 alone: its name, map and flights as a list, with airlines, without dates.',
    ],
  ]
  for (const [share, expected] of cases)
    assert.equal(visitorSees({ ...nothing, ...share }, now), `Anyone with the link sees ${expected}`)
  assert.equal(
    visitorSees({ ...nothing, showMap: true, expiresAt: '2026-11-16T12:00:00Z' }, now),
    'The link expired on 2026-11-16 12:00 UTC and cannot be opened.',
  )
})

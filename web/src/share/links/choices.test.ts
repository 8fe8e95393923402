import '../../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  choicesOf,
  detailsOf,
  expiryOf,
  idsOf,
  isAbout,
  isOver,
  partsOf,
  type Share,
  subjectOf,
  usualChoices,
} from './choices.ts'

const { dayHere } = await import('../../lib/format.ts')

const NOW = Date.parse('2026-03-01T10:00:00Z')
const share = (changes: Partial<Share>) => ({ flightId: null, tripId: null, ...changes }) as Share

test('a link never expires, after one week, or at the end of a day', () => {
  assert.equal(expiryOf('never', '2026-05-04', NOW), null)
  assert.equal(expiryOf('week', '', NOW), '2026-03-08T10:00:00.000Z')
  const end = expiryOf('date', '2026-05-04', NOW)!
  assert.equal(end, new Date(2026, 4, 4, 23, 59, 59).toISOString())
  assert.equal(dayHere(new Date(end)), '2026-05-04')
  assert.ok(isOver(share({ expiresAt: '2026-03-01T10:00:00Z' }), NOW))
  assert.ok(!isOver(share({ expiresAt: '2026-03-01T10:00:01Z' }), NOW))
  assert.ok(!isOver(share({ expiresAt: null }), NOW))
})

test('a new link shows neither times, nor the seat, nor tracks; the log is shown without its list', () => {
  for (const kind of ['log', 'trip', 'flight'] as const) {
    const { showTimes, showSeat, showTracks, showAircraft, showMap, showFlightList } = usualChoices(kind)
    assert.deepEqual([showTimes, showSeat, showTracks, showAircraft], [false, false, false, false])
    assert.deepEqual([showMap, showFlightList], [true, kind !== 'log'])
  }
  assert.deepEqual(partsOf('flight'), ['showMap', 'showFlightList'])
  assert.ok(partsOf('trip').includes('showStats') && !usualChoices('flight').showStats)
  assert.ok(detailsOf(true).includes('showTracks') && !detailsOf(false).includes('showTracks'))
  const given = { ...usualChoices('log'), showSeat: true, showMap: false }
  assert.deepEqual(choicesOf(share(given)), given)
})

test('a link is about the log, one trip or one flight', () => {
  const trip = { name: 'Easter', flightIds: [3] }
  const find = (id: number) => (id === 7 ? trip : undefined)
  const subjects = [share({}), share({ tripId: 7 }), share({ flightId: 7 })].map((one) =>
    subjectOf(one, find),
  )
  assert.deepEqual(subjects, [{ kind: 'log' }, { kind: 'trip', id: 7, trip }, { kind: 'flight', id: 7 }])
  const [whole, easter, flight] = subjects
  assert.deepEqual(idsOf(whole!), { flightId: null, tripId: null })
  assert.deepEqual(idsOf(easter!), { flightId: null, tripId: 7 })
  assert.deepEqual(idsOf(flight!), { flightId: 7, tripId: null })
  assert.ok(isAbout(share({ tripId: 7 }), easter!) && !isAbout(share({ flightId: 7 }), easter!))
  assert.ok(isAbout(share({}), whole!) && !isAbout(share({ tripId: 7 }), whole!))
})

// Rules about one flight: the order of its times, when it counts as flown, and how passengers are matched.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectiveArrival, effectiveDeparture } from '../../server/domain/flights/best-times.ts'
import { nothingKnown } from '../../server/domain/flights/fields.ts'
import {
  backwardPairs,
  backwardProblem,
  completionInstant,
  derivedDuration,
  matchPassengers,
  passengersDiffer,
} from '../../server/domain/flights/flight.ts'

type Flight = Parameters<typeof completionInstant>[0]
const flight = (more: Partial<Flight>): Flight => ({ ...nothingKnown, date: '2026-06-01', ...more })
const at = (clock: string) => `2026-06-01T${clock}:00Z`

test('the later time of each pair may not be before the earlier', () => {
  for (const [earlier, later, reason] of [
    ['departure', 'arrival', 'arrival_before_departure'],
    ['departureScheduled', 'arrivalScheduled', 'arrival_before_departure'],
    ['takeoffScheduled', 'landingScheduled', 'landing_before_takeoff'],
    ['takeoffActual', 'landingActual', 'landing_before_takeoff'],
  ] as const) {
    const pair = (from: string | null, to: string | null) =>
      backwardPairs(flight({ [earlier]: from, [later]: to }))
    assert.deepEqual(pair(at('10:00'), at('09:59')), [later])
    assert.deepEqual(pair(at('10:00'), '2026-06-01T11:59:00+02:00'), [later], 'instants are compared')
    for (const [from, to] of [
      [at('10:00'), at('10:00')],
      [at('10:00'), '2026-06-01T07:00:00-04:00'],
      [at('10:00'), null],
      [null, at('10:00')],
    ] as const)
      assert.deepEqual(pair(from, to), [])
    assert.deepEqual(backwardProblem(later), { reason, params: { field: later, earlier } })
  }
})

test('the duration follows from departure and arrival unless given', () => {
  const times = { departure: at('10:00'), arrival: '2026-06-01T14:30:00+02:00' }
  assert.equal(derivedDuration(flight(times)), 9000)
  assert.equal(derivedDuration(flight({ ...times, duration: 0 })), 0)
  assert.equal(derivedDuration(flight({ ...times, arrival: '2026-06-01T10:00:01.5Z' })), 2)
  assert.equal(derivedDuration(flight({ ...times, arrival: null })), null)
  assert.equal(derivedDuration(flight({ ...times, departure: null })), null)
})

test('the best known time is actual, runway, scheduled, then scheduled runway, on a known day', () => {
  for (const [best, order] of [
    [effectiveDeparture, ['departure', 'takeoffActual', 'departureScheduled', 'takeoffScheduled']],
    [effectiveArrival, ['arrival', 'landingActual', 'arrivalScheduled', 'landingScheduled']],
  ] as const) {
    const known = Object.fromEntries(order.map((field, i) => [field, at(`1${i}:00`)])) as Partial<Flight>
    for (const field of order) {
      assert.equal(best(flight(known)), known[field], field)
      known[field] = null
    }
    assert.equal(best(flight(known)), null)
    const vague = flight({ [order[0]]: at('10:00'), [order[1]]: at('11:00'), datePrecision: 'month' })
    assert.equal(best(vague), at('11:00'))
  }
})

test('a flight is flown after its arrival, else its departure and duration, else its date', () => {
  const done = (more: Partial<Flight>, zone: string | null = 'Asia/Tokyo') => {
    const instant = completionInstant(flight(more), zone)
    return Number.isFinite(instant) ? new Date(instant).toISOString() : instant
  }
  const times = { departure: at('10:00'), arrival: at('12:00'), duration: 60 }
  assert.equal(done(times), '2026-06-01T12:00:00.000Z')
  assert.equal(done({ ...times, arrival: null }), '2026-06-01T10:01:00.000Z')
  assert.equal(done({ departure: at('10:00') }), '2026-06-01T10:00:00.000Z')
  assert.equal(done({}), '2026-05-31T15:00:00.000Z')
  assert.equal(done({}, null), '2026-06-01T00:00:00.000Z')
  const period = (date: string, datePrecision: 'month' | 'year') => done({ date, datePrecision }, null)
  assert.equal(period('2026-06-01', 'month'), '2026-06-30T23:59:59.999Z')
  assert.equal(period('2026-12-01', 'month'), '2026-12-31T23:59:59.999Z')
  assert.equal(period('2026-09-01', 'month'), '2026-09-30T23:59:59.999Z')
  assert.equal(period('2026-06-01', 'year'), '2026-12-31T23:59:59.999Z')
  assert.equal(period('0099-06-01', 'year'), '0099-12-31T23:59:59.999Z')
  assert.equal(period('9998-12-01', 'month'), '9998-12-31T23:59:59.999Z')
  assert.equal(period('9999-11-01', 'month'), '9999-11-30T23:59:59.999Z')
  assert.equal(period('9999-12-01', 'month'), Number.POSITIVE_INFINITY)
})

interface Passenger {
  id?: number
  userId: string | null
  guestName: string | null
  seat: null
  seatNumber: null
  seatClass: null
  flightReason: null
}
const noPerson = {
  userId: null,
  guestName: null,
  seat: null,
  seatNumber: null,
  seatClass: null,
  flightReason: null,
}
const user = (userId: string): Passenger => ({ ...noPerson, userId })
const guest = (guestName: string | null): Passenger => ({ ...noPerson, guestName })
const ada = { ...user('ada'), id: 1 }
const bo = { ...guest('Bo'), id: 2 }

test('passengers are matched by id, else by person or name, each once', () => {
  const match = (...wanted: Passenger[]) => {
    const found = matchPassengers([ada, bo], wanted)
    if ('problem' in found) return found.problem
    return [found.matches.map(({ existing }) => existing?.id), found.removed.map(({ id }) => id)]
  }
  assert.deepEqual(match(user('ada'), guest('Bo')), [[1, 2], []])
  assert.deepEqual(match(guest('Bo')), [[2], [1]])
  assert.deepEqual(match({ ...user('eve'), id: 1 }), [[1], [2]], 'the record is given to another person')
  assert.deepEqual(match(user('eve'), guest('Cy')), [
    [undefined, undefined],
    [1, 2],
  ])
  assert.deepEqual(match(guest(null)), [[undefined], [1, 2]])
  assert.deepEqual(match(user('ada'), { ...user('eve'), id: 9 }), {
    index: 1,
    reason: 'passenger_not_on_flight',
  })
  assert.deepEqual(match(user('ada'), { ...guest('Cy'), id: 1 }), {
    index: 1,
    reason: 'passenger_matched_twice',
  })
  assert.deepEqual(match(user('ada'), user('ada')), { index: 1, reason: 'passenger_matched_twice' })
  assert.deepEqual(
    match(user('eve'), user('fay')),
    [
      [undefined, undefined],
      [1, 2],
    ],
    'two new ones',
  )
})

test('passengers differ if one is new, missing or has another value', () => {
  const same = { wanted: { ...ada }, existing: ada }
  assert.ok(!passengersDiffer({ matches: [same], removed: [] }))
  assert.ok(passengersDiffer({ matches: [same], removed: [bo] }))
  assert.ok(passengersDiffer({ matches: [same, { wanted: bo, existing: undefined }], removed: [] }))
  for (const field of Object.keys(noPerson))
    assert.ok(
      passengersDiffer({
        matches: [same, { wanted: { ...bo, [field]: 'other' }, existing: bo }],
        removed: [],
      }),
      field,
    )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivalDelay, departureDelay, isLate, LATE_FROM_MINUTES } from '../../server/domain/flights/delay.ts'

const unknown = {
  datePrecision: 'day',
  departure: null,
  arrival: null,
  departureScheduled: null,
  arrivalScheduled: null,
  takeoffScheduled: null,
  takeoffActual: null,
  landingScheduled: null,
  landingActual: null,
} as const
const at = (time: string) => `2026-02-20T${time}:00Z`

test('a delay is in whole minutes after the schedule, across offsets', () => {
  const flight = {
    ...unknown,
    departureScheduled: at('10:00'),
    departure: '2026-02-20T11:12:29+01:00',
    arrivalScheduled: at('12:00'),
    arrival: at('11:50'),
  }
  assert.equal(departureDelay(flight), 12)
  assert.equal(arrivalDelay(flight), -10)
})

test('gate times take precedence over runway times, and half a pair gives no delay', () => {
  const runway = { ...unknown, takeoffScheduled: at('10:10'), takeoffActual: at('10:40') }
  assert.equal(departureDelay(runway), 30)
  assert.equal(departureDelay({ ...runway, departureScheduled: at('10:00'), departure: at('10:05') }), 5)
  assert.equal(departureDelay({ ...unknown, departureScheduled: at('10:00') }), null)
  assert.equal(arrivalDelay({ ...unknown, arrivalScheduled: at('10:00'), landingActual: at('11:00') }), null)
  const landed = { ...unknown, landingScheduled: at('10:10'), landingActual: at('10:10') }
  assert.equal(arrivalDelay(landed), 0)
})

test('a month gives no delay, whatever its departure and arrival', () => {
  const times = {
    departureScheduled: at('10:00'),
    departure: at('18:00'),
    arrivalScheduled: at('10:00'),
    arrival: at('18:00'),
  }
  assert.equal(departureDelay({ ...unknown, ...times, datePrecision: 'month' }), null)
  assert.equal(arrivalDelay({ ...unknown, ...times, datePrecision: 'month' }), null)
})

test('a flight is late from 15 minutes', () => {
  assert.deepEqual([-3, 0, LATE_FROM_MINUTES - 1, LATE_FROM_MINUTES].map(isLate), [false, false, false, true])
  assert.equal(LATE_FROM_MINUTES, 15)
})

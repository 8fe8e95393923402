// A flight whose times mean an impossible speed: the line, the list and the flight page say the same as the form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airports } from '../testing/flights.ts'
import { emptyDraft, filledIn, settled, useServer } from '../testing/form.ts'

useServer()

const { flightWarning } = await import('../draft/time-warning.ts')
const { draftWarning } = await import('./times.ts')

const [copenhagen, newYork] = airports
const draftAt = (departure: string, arrival: string) => {
  const draft = emptyDraft({ id: 'ada', displayName: 'Ada' }, '2026-05-01')
  const moment = (time: string) => ({ date: '', time, kept: null })
  return {
    ...draft,
    from: copenhagen!,
    to: newYork!,
    times: {
      ...draft.times,
      departure: { ...moment(departure), date: '2026-05-01' },
      arrival: moment(arrival),
    },
  }
}

test('the line says what the form says', async () => {
  for (const [departure, arrival, expected] of [
    ['12:00', '14:30', ''],
    ['12:00', '07:00', 'form.warnFast'],
    ['12:00', '', ''],
  ] as const) {
    const form = await filledIn()
    form.setTime('departure', departure)
    form.setTime('arrival', arrival, arrival === '' ? null : 0)
    await settled()
    form.read()
    await settled()
    const draft = { ...draftAt(departure, arrival), arrivalDateChosen: true }
    if (arrival) draft.times.arrival.date = '2026-05-01'
    assert.equal(await draftWarning(draft), expected)
    assert.deepEqual(form.warnings, expected ? [expected] : [])
  }
})

test('an arrival without a day is that of the likely one, and a month has no times', async () => {
  assert.equal(await draftWarning(draftAt('12:00', '07:00')), 'form.warnFast', 'on the same day')
  assert.equal(await draftWarning(draftAt('12:00', '06:00')), '', 'on the next day')
  assert.equal(await draftWarning({ ...draftAt('12:00', '07:00'), datePrecision: 'month' }), '')
})

test('a flight of the log says it by its duration, else by its clocks, and never by an estimate', () => {
  const flight = {
    duration: 3600,
    durationEstimated: false,
    departs: null,
    arrives: null,
    distanceKm: 6184,
    aircraft: null,
  }
  assert.equal(flightWarning(flight), 'form.warnFast')
  assert.equal(flightWarning({ ...flight, duration: 25 * 3600 }), 'form.warnLong')
  assert.equal(flightWarning({ ...flight, duration: 8 * 3600 }), '')
  assert.equal(flightWarning({ ...flight, duration: 3 * 3600, aircraft: { class: 'supersonic' } }), '')
  const estimated = { ...flight, durationEstimated: true, duration: 8 * 3600 }
  assert.equal(flightWarning(estimated), '')
  assert.equal(flightWarning({ ...estimated, departs: 0, arrives: 3_600_000 }), 'form.warnFast')
})

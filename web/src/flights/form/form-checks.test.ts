// What the form calculates and warns about.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flight } from '../../api/log.ts'
import { airports } from '../../testing/flights.ts'
import { filledIn, newForm, nothingUnread, settled, useServer } from '../../testing/form.ts'

useServer()

type Form = ReturnType<typeof newForm>
const { warnings } = await import('../../draft/check.ts')
const [copenhagen, newYork, , tokyo] = airports

test('distance, estimate and the time between departure and arrival', async () => {
  const form = newForm()
  assert.deepEqual([form.km, form.estimate, form.elapsed, form.duration], [null, null, null, null])
  form.setAirport('from', copenhagen!)
  assert.equal(form.km, null)
  form.setAirport('to', copenhagen!)
  assert.deepEqual([form.km, form.estimate], [0, null], 'a round flight takes as long as it takes')
  form.setAirport('to', newYork!)
  assert.ok(form.km! > 1000 && form.estimate! > 3600)
  form.setTime('departure', '10:00')
  form.setTime('takeoffActual', '10:15')
  form.read()
  await settled()
  assert.deepEqual(Object.keys(form.readings), ['departure', 'takeoffActual'])
  assert.equal(form.elapsed, null)
  form.setTime('arrival', '12:30', 0)
  form.read()
  await settled()
  // Six hours behind.
  assert.deepEqual([form.elapsed, form.duration], [8.5 * 3600, 8.5 * 3600])
  form.draft.duration = '7:00'
  assert.equal(form.duration, 7 * 3600)
  form.draft.duration = 'long'
  assert.equal(form.duration, 8.5 * 3600)
  form.setTime('arrival', '12:30', 2)
  form.read()
  await settled()
  form.draft.duration = ''
  assert.deepEqual(form.warnings, ['form.warnLong'])
  form.setDate('2026-05-01', 'month')
  assert.equal(form.elapsed, null)
  form.setDate('2026-05-01', 'day')
  form.setAirport('from', null)
  form.read()
  await settled()
  assert.deepEqual(Object.keys(form.readings), ['arrival'])
})

test('planned times say how long the flight takes, until it is recorded', async () => {
  const form = newForm()
  form.setAirport('from', copenhagen!)
  form.setAirport('to', newYork!)
  form.setTime('departureScheduled', '12:20')
  form.setTime('arrivalScheduled', '14:10', 0)
  form.read()
  await settled()
  assert.deepEqual([form.duration, form.planned], [null, (7 * 60 + 50) * 60])
  form.setDate('2026-05-01', 'month')
  assert.equal(form.planned, null)
})

test('no warning about a duration of zero or less', async () => {
  const form = await filledIn()
  form.draft.duration = '0:00'
  assert.deepEqual(form.warnings, [])
})

test('warnings', async () => {
  const warningsOf = async (edit: (form: Form) => void) => {
    const form = await filledIn()
    edit(form)
    return form.warnings
  }
  assert.deepEqual(await warningsOf(() => {}), [])
  assert.deepEqual(await warningsOf((form) => form.setAirport('to', copenhagen!)), ['form.warnSame'])
  assert.deepEqual(await warningsOf((form) => (form.draft.duration = '25:00')), ['form.warnLong'])
  assert.deepEqual(await warningsOf((form) => (form.draft.duration = '0:20')), ['form.warnFast'])
  assert.deepEqual(await warningsOf((form) => form.setDate('1913-05-01')), ['form.warnPast'])
  assert.deepEqual(await warningsOf((form) => form.setDate('2999-05-01')), ['form.warnFuture'])
  const track = (coordinates: [number, number][]) => ({
    coordinates,
    sourceFormat: 'gpx' as const,
    sourceName: null,
  })
  const near = [copenhagen!, newYork!].map(({ longitude, latitude }): [number, number] => [
    longitude,
    latitude,
  ])
  const trackWarnings = (coordinates: [number, number][], step: number) =>
    warningsOf((form) => (form.draft.track = { kind: 'new', step, track: track(coordinates) }))
  assert.deepEqual(await trackWarnings(near, 1), [])
  assert.deepEqual(await trackWarnings(near.toReversed(), 1), ['form.trackFar'])
  assert.deepEqual(await trackWarnings(near, 4), ['form.trackTooLong'])
  assert.deepEqual(await trackWarnings(near, 2), ['form.trackTooLong'])
  assert.deepEqual(await trackWarnings([], 1), [])
  const [start, end] = near as [[number, number], [number, number]]
  const north = ([longitude, latitude]: [number, number], degrees: number): [number, number] => [
    longitude,
    latitude + degrees,
  ]
  // A degree is 111 km.
  assert.deepEqual(await trackWarnings([north(start, 0.85), north(end, -0.85)], 1), [])
  assert.deepEqual(await trackWarnings([north(start, 0.95), end], 1), ['form.trackFar'])
  assert.deepEqual(await trackWarnings([start, north(end, -0.95)], 1), ['form.trackFar'])
  const unknownEnds = newForm()
  unknownEnds.draft.track = { kind: 'new', step: 1, track: track(near) }
  assert.deepEqual(unknownEnds.warnings, [])
})

test('times that would be lost with the day are warned of, typed or not yet parsed', async () => {
  const warned = (edit: (form: Form) => void) => {
    const form = newForm()
    edit(form)
    return form.warnings.includes('form.warnTimes')
  }
  assert.ok(!warned((form) => form.setDate('2026-05-01', 'month')), 'there are none')
  assert.ok(!warned((form) => form.setTime('landingActual', '10:00')), 'the day is known')
  for (const precision of ['month', 'year'] as const) {
    assert.ok(
      warned((form) => {
        form.setTime('landingActual', '10:00')
        form.setDate('2026-05-01', precision)
      }),
    )
    assert.ok(
      warned((form) => {
        form.setRaw('arrival', '7.3')
        form.setDate('2026-05-01', precision)
      }),
    )
  }
})

test('without both airports nothing is compared', () => {
  const form = newForm()
  form.draft.duration = '0:20'
  assert.deepEqual(form.warnings, [])
  form.setAirport('from', copenhagen!)
  assert.deepEqual(form.warnings, [])
  const nowhere = {
    id: 9,
    from: copenhagen,
    to: null,
    date: '2026-05-01',
    flightNumber: null,
  } as unknown as Flight
  assert.deepEqual(warnings(form.draft, null, [nowhere], null), [])
  form.setAirport('from', null)
  form.setAirport('to', copenhagen!)
  assert.deepEqual(form.warnings, [])
  assert.deepEqual(warnings(form.draft, null, [{ ...nowhere, from: null, to: copenhagen! }], null), [])
})

test('a missing date is one error, whatever times there are', async () => {
  const form = await filledIn()
  form.setDate('')
  form.setTime('departure', '10:00')
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual(form.errors, { date: 'form.requiredDate' })
})

test('a flight that looks like another one in the log', async () => {
  const form = await filledIn()
  form.draft.texts.flightNumber = 'SK909'
  const other = (more: Partial<Flight>) =>
    ({ id: 9, from: copenhagen!, to: newYork!, date: '2026-05-01', flightNumber: null, ...more }) as Flight
  const found = (flight: Flight) => warnings(form.draft, null, [flight], 7).includes('form.warnDuplicate')
  assert.ok(found(other({})))
  assert.ok(found(other({ date: '2026-05-02', flightNumber: 'SK909' })))
  assert.ok(!found(other({ id: 7 })), 'itself')
  assert.ok(!found(other({ date: '2026-05-02', flightNumber: 'SK901' })))
  assert.ok(!found(other({ date: '2026-05-02' })))
  assert.ok(!found(other({ date: '2026-05-09', flightNumber: 'SK909' })))
  assert.ok(!found(other({ to: tokyo! })))
  assert.ok(!found(other({ from: tokyo! })))
  form.draft.datePrecision = 'month'
  assert.ok(!found(other({})), 'the day is not known')
})

// The copy in localStorage

test('a cancelled flight is no duplicate, and has none', async () => {
  const form = await filledIn()
  const other = {
    id: 3,
    date: form.draft.date,
    from: copenhagen!,
    to: newYork!,
    flightNumber: null,
  } as unknown as Flight
  const found = (others: Flight[]) => warnings(form.draft, null, others, null).length
  assert.equal(found([other]), found([]) + 1)
  assert.equal(found([{ ...other, outcome: 'cancelled' }]), found([]))
  form.draft.outcome = 'cancelled'
  assert.equal(found([other]), found([]))
})

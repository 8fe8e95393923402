// The day of travel: which flights it is about, what the clock says of them, and connections.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { phaseByClock } from '../../server/domain/status/travel-day.ts'
import { assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

onBothEngines('the day of travel', (app) => {
  const ids: Record<string, number> = {}
  before(async () => {
    for (const code of ['CPH', 'LHR', 'FRA', 'AKL', 'HNL']) ids[code] = await app().airportId(code)
  })

  const someone = async () => {
    const person = await app().person()
    return { person, key: await person.key(['flight.read.own', 'flight.create.own']) }
  }
  const log = async (person: TestPerson, flight: Record<string, unknown>): Promise<number> =>
    (await logFlight(app(), person, { fromId: ids['CPH'], toId: ids['LHR'], ...flight })).id
  const day = async (key: string) => {
    const reply = await app().request('GET', '/api/v1/travel-day', { key })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers['cache-control'], 'private, max-age=15')
    return reply.json.data
  }
  const shown = async (key: string): Promise<number[]> =>
    (await day(key)).flights.map(({ flight }: { flight: { id: number } }) => flight.id)

  test('an empty log has none, and a credential needs to read flights', async () => {
    const { person, key } = await someone()
    app().clock.set('2026-06-15T12:00:00Z')
    assert.deepEqual(await day(key), { now: '2026-06-15T12:00:00.000Z', flights: [], next: null })
    const other = await person.key(['profile.read'])
    assertError(await app().request('GET', '/api/v1/travel-day', { key: other }), 403, 'insufficient_scope')
    assertError(await app().request('GET', '/api/v1/travel-day?date=today', { key }), 400, 'bad_request')
  })

  test('flights count from 36 hours before departure to 12 hours after landing', async () => {
    const { person, key } = await someone()
    const id = await log(person, {
      date: '2026-06-16',
      departure: '2026-06-16T22:00:00+02:00',
      arrival: '2026-06-16T23:00:00+01:00',
    })
    for (const [now, isShown] of [
      ['2026-06-15T07:59:59Z', false],
      ['2026-06-15T08:00:00Z', true],
      ['2026-06-17T10:00:00Z', true],
      ['2026-06-17T10:00:01Z', false],
    ] as const) {
      app().clock.set(now)
      assert.deepEqual(await shown(key), isShown ? [id] : [], now)
      assert.equal((await day(key)).next?.id ?? null, now < '2026-06-16' ? id : null)
    }
  })

  test('a flight without times counts for its whole day, one of a month never', async () => {
    const { person, key } = await someone()
    await log(person, { date: '2026-06-01', datePrecision: 'month' })
    const id = await log(person, { date: '2026-06-16' })
    app().clock.set('2026-06-16T12:00:00Z')
    const [flight, ...others] = (await day(key)).flights
    assert.deepEqual(others, [])
    assert.equal(flight.flight.id, id)
    assert.equal(flight.status.phase, 'scheduled')
    assert.equal(flight.status.departure.scheduled, null)
    app().clock.set('2026-06-17T11:00:00Z')
    assert.equal((await day(key)).flights[0].status.phase, 'unknown')
  })

  test('the timetable says that a flight has departed, and never that it has landed', async () => {
    const { person, key } = await someone()
    await log(person, {
      date: '2026-06-16',
      departureScheduled: '2026-06-16T10:00:00+02:00',
      departure: '2026-06-16T10:30:00+02:00',
      arrival: '2026-06-16T11:30:00+01:00',
      departureTerminal: '3',
      departureGate: 'B12',
      aircraftReg: 'OY-KBO',
    })
    app().clock.set('2026-06-16T07:00:00Z')
    const before = (await day(key)).flights[0].status
    assert.deepEqual(
      { ...before, sources: undefined, updatedAt: undefined, flightId: undefined },
      {
        flightId: undefined,
        phase: 'scheduled',
        phaseIsEstimated: true,
        departure: {
          scheduled: '2026-06-16T10:00:00+02:00',
          estimated: '2026-06-16T10:30:00+02:00',
          actual: null,
          delaySeconds: 1800,
          terminal: '3',
          gate: 'B12',
          boarding: null,
        },
        arrival: {
          scheduled: '2026-06-16T11:30:00+01:00',
          estimated: null,
          actual: null,
          delaySeconds: null,
          terminal: null,
          gate: null,
        },
        aircraftReg: 'OY-KBO',
        position: null,
        progress: null,
        landsInSeconds: null,
        suggestions: [],
        sources: undefined,
        updatedAt: undefined,
      },
    )
    assert.deepEqual(
      before.sources.map(({ source, problem }: { source: string; problem: null }) => [source, problem]),
      [['times', null]],
    )
    app().clock.set('2026-06-16T09:30:00Z')
    const inAir = (await day(key)).flights[0].status
    assert.deepEqual([inAir.phase, inAir.progress, inAir.landsInSeconds], ['departed', 0.5, 3600])
    assert.equal(inAir.departure.actual, '2026-06-16T10:30:00+02:00')
    assert.ok(inAir.position.latitude > 51 && inAir.position.latitude < 56)
    assert.ok(inAir.position.longitude > 0 && inAir.position.longitude < 13)
    app().clock.set('2026-06-16T10:30:00Z')
    const after = (await day(key)).flights[0].status
    assert.deepEqual(
      [after.phase, after.phaseIsEstimated, after.position, after.progress],
      ['unknown', true, null, null],
    )
  })

  test('cancelled and diverted flights say so, and a cancelled one is not the next', async () => {
    const { person, key } = await someone()
    const times = { departure: '2026-06-16T10:00:00+02:00', arrival: '2026-06-16T11:00:00+01:00' }
    await log(person, { date: '2026-06-16', ...times, outcome: 'cancelled' })
    app().clock.set('2026-06-16T06:00:00Z')
    const { flights, next } = await day(key)
    assert.deepEqual([flights[0].status.phase, flights[0].status.phaseIsEstimated], ['cancelled', false])
    assert.equal(next, null)
  })

  test('a connection is measured with what is expected, also across the date line', async () => {
    const { person, key } = await someone()
    const first = await log(person, {
      date: '2026-06-16',
      toId: ids['FRA'],
      departure: '2026-06-16T08:00:00+02:00',
      arrivalScheduled: '2026-06-16T09:25:00+02:00',
      arrival: '2026-06-16T10:05:00+02:00',
    })
    const second = await log(person, {
      date: '2026-06-16',
      fromId: ids['FRA'],
      departure: '2026-06-16T11:00:00+02:00',
      arrival: '2026-06-16T12:00:00+01:00',
    })
    app().clock.set('2026-06-16T05:00:00Z')
    const flights = (await day(key)).flights
    assert.deepEqual(
      flights.map(({ connection }: { connection: unknown }) => connection),
      [{ toFlightId: second, seconds: 3300, plannedSeconds: 5700 }, null],
    )
    assert.equal(flights[0].flight.id, first)
    const { person: far, key: farKey } = await someone()
    await log(far, {
      date: '2026-06-17',
      fromId: ids['AKL'],
      toId: ids['HNL'],
      departure: '2026-06-17T09:00:00+12:00',
      arrival: '2026-06-16T20:00:00-10:00',
    })
    const onward = await log(far, {
      date: '2026-06-16',
      fromId: ids['HNL'],
      toId: ids['LHR'],
      departure: '2026-06-16T22:00:00-10:00',
      arrival: '2026-06-17T23:00:00+01:00',
    })
    app().clock.set('2026-06-16T20:00:00Z')
    const farFlights = (await day(farKey)).flights
    assert.equal(farFlights[0].connection.toFlightId, onward)
    assert.equal(farFlights[0].connection.seconds, 7200)
  })

  test('other people’s flights are not in it', async () => {
    const { person } = await someone()
    await log(person, { date: '2026-06-16', departure: '2026-06-16T08:00:00+02:00' })
    const admin = await app().person('role-administrator')
    app().clock.set('2026-06-16T05:00:00Z')
    assert.deepEqual(await shown(await admin.key()), [])
  })
})

test('the phase by the clock, at each border', () => {
  const span = { date: '2026-06-16', departs: 1000, arrives: 5000, duration: null }
  assert.deepEqual(
    [999, 1000, 4999, 5000].map((now) => phaseByClock(span, now)),
    ['scheduled', 'departed', 'departed', 'unknown'],
  )
  assert.equal(phaseByClock({ ...span, arrives: null }, 1000), 'unknown')
  assert.equal(phaseByClock({ ...span, arrives: null, duration: 4 }, 4999), 'departed')
  assert.equal(phaseByClock({ ...span, outcome: 'diverted' }, 2000), 'diverted')
})

// The next and the latest flight: which one it is depends on the clock and on the zone of the departure airport.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

onBothEngines('the next and the latest flight', (app) => {
  const ids: Record<string, number> = {}
  before(async () => {
    for (const code of ['CPH', 'LHR', 'AKL', 'HNL']) ids[code] = await app().airportId(code)
  })

  const someone = async (role?: 'role-administrator') => {
    const person = await app().person(role)
    return { person, key: await person.key() }
  }
  const log = async (person: TestPerson, flight: Record<string, unknown>): Promise<number> =>
    (await logFlight(app(), person, { fromId: ids['CPH'], toId: ids['LHR'], ...flight })).id

  const read = async (which: string, key: string) => {
    const reply = await app().request('GET', `/api/v1/flights/${which}`, { key })
    assert.equal(reply.status, 200, reply.text)
    return reply
  }
  /** The id and the seconds of the next and of the latest flight. */
  const both = async (key: string, query = '') => {
    const of = async (which: string) => {
      const { data, startsInSeconds } = (await read(`${which}${query}`, key)).json
      return [data?.id ?? null, startsInSeconds]
    }
    return { next: await of('next'), latest: await of('latest') }
  }

  test('an empty log has no next and no latest flight', async () => {
    const { key } = await someone()
    for (const which of ['next', 'latest']) {
      assert.deepEqual((await read(which, key)).json, { data: null, startsInSeconds: null })
    }
  })

  test('the instant of departure decides, and a flight becomes the latest as time passes', async () => {
    const { person, key } = await someone()
    app().clock.set('2026-06-15T12:00:00Z')
    // By local times alone, the order would differ.
    const second = await log(person, { date: '2026-06-16', departure: '2026-06-16T09:00:00+02:00' })
    const first = await log(person, {
      date: '2026-06-16',
      fromId: ids['AKL'],
      departure: '2026-06-16T10:00:00+12:00',
    })
    const past = await log(person, { date: '2026-06-15', departure: '2026-06-15T13:59:00+02:00' })
    assert.deepEqual(await both(key), { next: [first, 36_000], latest: [past, -60] })
    app().clock.set('2026-06-15T22:00:00.000Z')
    assert.deepEqual(await both(key), { next: [first, 0], latest: [past, -36_060] }, 'not before its time')
    app().clock.set('2026-06-15T22:00:00.001Z')
    assert.deepEqual(
      await both(key),
      { next: [second, 32_400], latest: [first, 0] },
      'in the same half minute',
    )
    app().clock.set('2027-01-01T00:00:00Z')
    const after = await both(key)
    assert.deepEqual([after.next, after.latest[0]], [[null, null], second])
    app().clock.set('2026-06-15T12:00:00Z')
    assert.deepEqual(await both(key), { next: [first, 36_000], latest: [past, -60] }, 'a clock set back')
  })

  test('scheduled times are used if no actual ones are known', async () => {
    const { person, key } = await someone()
    app().clock.set('2026-06-15T12:00:00Z')
    const late = await log(person, {
      date: '2026-06-15',
      departureScheduled: '2026-06-15T13:00:00+02:00',
      departure: '2026-06-15T15:00:00+02:00',
    })
    const planned = await log(person, { date: '2026-06-15', departureScheduled: '2026-06-15T14:30:00+02:00' })
    assert.deepEqual(await both(key), { next: [planned, 1800], latest: [null, null] })
    app().clock.set('2026-06-15T12:45:00Z')
    assert.deepEqual(await both(key), { next: [late, 900], latest: [planned, -900] })
  })

  test('a flight with only a date departs when its day begins at the airport', async () => {
    const { person, key } = await someone()
    app().clock.set('2026-06-15T09:00:00Z')
    const hawaii = await log(person, { date: '2026-06-16', fromId: ids['HNL'] })
    const auckland = await log(person, { date: '2026-06-16', fromId: ids['AKL'] })
    // 16 June begins in Auckland at 12:00 UTC on the 15th and in Honolulu at 10:00 UTC on the 16th.
    assert.deepEqual(await both(key), { next: [auckland, 3 * 3600], latest: [null, null] })
    app().clock.set('2026-06-15T13:00:00Z')
    assert.deepEqual(await both(key), { next: [hawaii, 21 * 3600], latest: [auckland, -3600] })
    app().clock.set('2026-06-16T11:00:00Z')
    assert.deepEqual(await both(key), { next: [null, null], latest: [hawaii, -3600] })
  })

  test('a month or a year starts on its first day, and its time of day is not a departure', async () => {
    const { person, key } = await someone()
    app().clock.set('2026-11-30T22:00:00Z')
    const month = await log(person, {
      date: '2026-12-01',
      datePrecision: 'month',
      departure: '2026-12-20T10:00:00+01:00',
    })
    const year = await log(person, { date: '2027-01-01', datePrecision: 'year' })
    const old = await log(person, { date: '2020-01-01', datePrecision: 'year' })
    assert.deepEqual(await both(key), { next: [month, 3600], latest: [old, -(await ago(old, key))] })
    app().clock.set('2026-12-31T22:59:00Z')
    assert.deepEqual((await both(key)).next, [year, 60])
    assert.equal((await both(key)).latest[0], month)
  })
  const ago = async (id: number, key: string) => {
    const { data, startsInSeconds } = (await read('latest', key)).json
    assert.equal(data.id, id)
    const begin = Date.parse('2019-12-31T23:00:00Z')
    assert.equal(startsInSeconds, (begin - app().clock.now()) / 1000)
    return -startsInSeconds
  }

  test('cancelled flights are used only if selected, and filters apply to both', async () => {
    const { person, key } = await someone()
    app().clock.set('2026-06-15T12:00:00Z')
    const cancelled = await log(person, { date: '2026-06-17', departure: '2026-06-17T12:00:00Z' })
    const cancelledBefore = await log(person, { date: '2026-06-14', departure: '2026-06-14T12:00:00Z' })
    for (const id of [cancelled, cancelledBefore]) {
      const change = `update flight set outcome = 'cancelled' where id = ${id}`
      await app().store.transaction((tx) => tx.execute(change))
    }
    const next = await log(person, { date: '2026-06-20', departure: '2026-06-20T12:00:00Z' })
    const latest = await log(person, { date: '2026-06-10', departure: '2026-06-10T12:00:00Z' })
    const elsewhere = await log(person, {
      date: '2026-06-22',
      fromId: ids['AKL'],
      departure: '2026-06-22T12:00:00Z',
    })
    const day = 86_400
    assert.deepEqual(await both(key), { next: [next, 5 * day], latest: [latest, -5 * day] })
    assert.deepEqual(await both(key, '?outcome=cancelled'), {
      next: [cancelled, 2 * day],
      latest: [cancelledBefore, -day],
    })
    assert.deepEqual(await both(key, '?from=AKL'), { next: [elsewhere, 7 * day], latest: [null, null] })
  })

  test('among equal departures, the first logged is next and the last logged is latest', async () => {
    const { person, key } = await someone()
    app().clock.set('2026-06-15T12:00:00Z')
    const departure = '2026-06-15T14:30:00+02:00'
    const one = await log(person, { date: '2026-06-15', departure })
    const other = await log(person, { date: '2026-06-15', departure: '2026-06-15T12:30:00Z' })
    assert.equal((await both(key)).next[0], one)
    app().clock.set('2026-06-15T13:00:00Z')
    assert.equal((await both(key)).latest[0], other)
  })

  test('the flights are one’s own, another person’s or everyone’s', async () => {
    app().clock.set('2041-06-15T12:00:00Z')
    const [ann, bob, admin] = [await someone(), await someone(), await someone('role-administrator')]
    const hers = await log(ann.person, { date: '2041-06-17', departure: '2041-06-17T12:00:00Z' })
    const his = await log(bob.person, { date: '2041-06-16', departure: '2041-06-16T12:00:00Z' })
    assert.equal((await both(ann.key)).next[0], hers)
    assert.equal((await both(admin.key)).next[0], null)
    assert.equal((await both(admin.key, `?scope=user&userId=${ann.person.id}`)).next[0], hers)
    assert.equal((await both(admin.key, '?scope=all')).next[0], his)
    for (const which of ['next', 'latest']) {
      const at = `/api/v1/flights/${which}`
      assertError(await app().request('GET', `${at}?scope=all`, { key: ann.key }), 403, 'forbidden')
      assertError(await app().request('GET', `${at}?scope=user`, { key: ann.key }), 400, 'bad_request')
      assertError(await app().request('GET', `${at}?from=ZZZZZ`, { key: ann.key }), 400, 'bad_request')
      assertError(await app().request('GET', at), 401, 'unauthorized')
      const stats = await ann.person.key(['stats.read'])
      assertError(await app().request('GET', at, { key: stats }), 403, 'insufficient_scope')
    }
  })

  test('clients may cache the result for half a minute and revalidate it', async () => {
    const { person, key } = await someone()
    app().clock.set('2026-06-15T12:00:00Z')
    const id = await log(person, { date: '2026-06-16', departure: '2026-06-16T12:00:00Z' })
    for (const which of ['next', 'latest']) {
      const { headers } = await read(which, key)
      assert.equal(headers['cache-control'], 'private, max-age=30')
      assert.match(headers['vary']!, /authorization, cookie/)
      const ask = { key, headers: { 'if-none-match': headers['etag']! } }
      const repeat = () => app().request('GET', `/api/v1/flights/${which}`, ask)
      app().clock.advance(20_000)
      assert.equal((await repeat()).status, 304)
      app().clock.advance(10_000)
      assert.equal((await repeat()).status, 200, 'the seconds are others')
      app().clock.set('2026-06-15T12:00:00Z')
    }
    const ask = { key, headers: { 'if-none-match': (await read('next', key)).headers['etag']! } }
    await app().request('DELETE', `/api/v1/flights/${id}`, { key })
    const gone = await app().request('GET', '/api/v1/flights/next', ask)
    assert.deepEqual([gone.status, gone.json.data], [200, null], 'a change is visible immediately')
  })
})

// Cached data is never older than its source and never exceeds its limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResponseCache } from '../server/base/response/cache.ts'
import { onBothEngines, testOnSqlite } from './harness.ts'

test('keys are counted as memory: a million different requests do not fill it', () => {
  const cache = createResponseCache(1_000_000)
  const nothing = Buffer.from('{}')
  for (let i = 0; i < 20_000; i++) cache.set(`search/${'q'.repeat(100)}/${i}`, nothing)
  let kept = 0
  for (let i = 0; i < 20_000; i++) if (cache.get(`search/${'q'.repeat(100)}/${i}`)) kept++
  assert.ok(kept > 0 && kept * 200 < 1_000_000, `${kept} are kept`)
  assert.ok(cache.bytes <= 1_000_000)
})

test('a request made once does not evict frequent ones', () => {
  const cache = createResponseCache(100_000)
  const page = Buffer.alloc(5000)
  for (let i = 0; i < 2; i++) cache.setOnSecondMiss('often', page)
  for (let i = 0; i < 5000; i++) cache.setOnSecondMiss(`page ${i}`, page)
  assert.equal(cache.get('often'), page)
  assert.equal(cache.get('page 4999'), undefined)
})

onBothEngines('caches', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  test('an export that reads yesterday’s records does not leave them in today’s cache', async () => {
    const owner = await app().person('owner')
    const [key, cookie] = [await owner.key(), await owner.session()]
    const airport = {
      icao: 'ZZ01',
      name: 'Old name',
      latitude: 1,
      longitude: 2,
      timezone: 'UTC',
      continent: 'EU',
      country: 'DK',
    }
    const made = await app().request('POST', '/app/api/airports', { cookie, body: airport })
    const id: number = made.json.data.id
    const flight = { date: '2026-05-01', fromId: id, toId: await app().airportId('OSL') }
    const body = { ...flight, passengers: [{ userId: owner.id }] }
    const { json } = await app().request('POST', '/api/v1/flights', { key, body })
    const { services, store } = app()
    const [before] = await store.read.query("select value from revision where name = 'reference'", [])

    await store.snapshot(async (db) => {
      // The snapshot is taken with the first read.
      await db.query('select count(*) from flight', [])
      const renamed = { ...airport, name: 'New name' }
      const reply = await app().request('PUT', `/app/api/airports/${id}`, { cookie, body: renamed })
      assert.equal(reply.status, 200)
      // A request for another airport: from now on the new revision is cached.
      await app().request('GET', '/api/v1/airports?query=oslo', { key })
      const wanted = { airports: [id], airlines: [], aircraft: [] }
      const old = await services.reference.records(db, before!['value'] as number, wanted)
      assert.equal(old.airports.get(id)?.name, 'Old name')
    })
    const shown = await app().request('GET', `/api/v1/flights/${json.data.id}`, { key })
    assert.equal(shown.json.data.from.name, 'New name')
  })

  test('equal requests of different people have separate responses and tags', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const keys = [await ada.key(), await bob.key()]
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    for (const [i, person] of [ada, bob].entries()) {
      const body = { date: '2026-05-01', fromId, toId, note: `of ${i}`, passengers: [{ userId: person.id }] }
      await app().request('POST', '/api/v1/flights', { key: keys[i], body })
    }
    for (const path of ['/flights', '/flights?limit=1', '/stats', '/flights/export']) {
      const answers = await Promise.all(keys.map((key) => app().request('GET', `/api/v1${path}`, { key })))
      const [mine, theirs] = answers
      if (path !== '/stats') assert.notEqual(mine!.text, theirs!.text, path)
      const etag = mine!.headers.etag
      if (!etag) continue
      assert.notEqual(etag, theirs!.headers.etag, path)
      const reply = await app().request('GET', `/api/v1${path}`, {
        key: keys[1],
        headers: { 'if-none-match': etag },
      })
      assert.equal(reply.status, 200, 'another person’s tag means nothing')
    }
  })

  test('a passenger who is removed or leaves no longer gets the cached page', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const keys = { ada: await ada.key(), bob: await bob.key() }
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    const flight = { date: '2026-05-01', fromId, toId }
    const passengers = [{ userId: ada.id }, { userId: bob.id }]
    const cookie = await bob.session()
    const paths = ['/api/v1/flights', '/api/v1/stats', '/app/api/log'] as const
    const credential = (path: string) => (path.startsWith('/app') ? { cookie } : { key: keys.bob })
    const seen = async (path: string) => {
      const { json } = await app().request('GET', path, credential(path))
      if (path === '/api/v1/flights') return json.data.length
      return path === '/api/v1/stats' ? json.data.flights : json.data.flights.length
    }
    const remove = async (id: number) =>
      app().request('PUT', `/api/v1/flights/${id}`, {
        key: keys.ada,
        body: { ...flight, passengers: [{ userId: ada.id }] },
      })
    const leave = async (id: number) => {
      const { json } = await app().request('GET', `/app/api/notices?flightId=${id}`, { cookie })
      return app().request('POST', `/app/api/notices/${json.data[0].id}/leave`, {
        cookie,
        headers: { 'sec-fetch-site': 'same-origin' },
      })
    }
    for (const goes of [remove, leave]) {
      const made = await app().request('POST', '/api/v1/flights', {
        key: keys.ada,
        body: { ...flight, passengers },
      })
      // A page is cached from its second request on.
      for (let i = 0; i < 3; i++) for (const path of paths) assert.equal(await seen(path), 1, path)
      const tag = (await app().request('GET', paths[0], { key: keys.bob })).headers.etag!
      const reply = await goes(made.json.data.id)
      assert.ok(reply.status < 300, reply.text)
      for (const path of paths) assert.equal(await seen(path), 0, path)
      const again = await app().request('GET', paths[0], { key: keys.bob, headers: { 'if-none-match': tag } })
      assert.equal(again.status, 200)
    }
  })

  test('a flight moved to another date is listed there for its people and for everyone', async () => {
    const ada = await app().person('role-administrator')
    const key = await ada.key()
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    const ids: number[] = []
    for (const date of ['2031-01-01', '2032-01-01', '2033-01-01']) {
      const body = { date, fromId, toId, passengers: [{ userId: ada.id }] }
      ids.push((await app().request('POST', '/api/v1/flights', { key, body })).json.data.id)
    }
    const [first, second, third] = ids as [number, number, number]
    const moved = await app().request('PUT', `/api/v1/flights/${first}`, {
      key,
      body: { date: '2034-01-01', fromId, toId },
    })
    assert.equal(moved.status, 200)
    const listed = async (query: string): Promise<number[]> =>
      (await app().request('GET', `/api/v1/flights${query}`, { key })).json.data
        .map(({ id }: { id: number }) => id)
        .filter((id: number) => ids.includes(id))
    assert.deepEqual(await listed(''), [first, third, second])
    assert.deepEqual(await listed('?scope=all&limit=100'), [first, third, second])
    assert.deepEqual(await listed('/search?dateFrom=2033-06-01'), [first])
    assert.deepEqual(await listed('/search?dateTo=2031-12-31'), [])
    // Also page by page: a row is now placed by its new date.
    const page = await app().request('GET', '/api/v1/flights?limit=1', { key })
    const rest = await listed(`?cursor=${page.json.page.nextCursor}`)
    assert.deepEqual([page.json.data[0].id, ...rest], [first, third, second])
  })

  sqliteTest('a list has a strong tag uncompressed and a weak one compressed', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    const body = {
      date: '2026-05-01',
      fromId,
      toId,
      note: 'x'.repeat(9000),
      passengers: [{ userId: ada.id }],
    }
    for (let i = 0; i < 8; i++) await app().request('POST', '/api/v1/flights', { key, body })
    const get = async (headers: Record<string, string>, query = '') => {
      const response = await fetch(`${app().url}/api/v1/flights${query}`, {
        headers: { authorization: `Bearer ${key}`, ...headers },
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
    const plain = await get({ 'accept-encoding': 'identity' })
    const strong = plain.headers.get('etag')!
    assert.match(strong, /^"[^"]+"$/)
    // First computed, then from the cache.
    for (let i = 0; i < 3; i++) {
      const zipped = await get({ 'accept-encoding': 'gzip' })
      assert.equal(zipped.headers.get('content-encoding'), 'gzip')
      assert.equal(zipped.headers.get('etag'), `W/${strong}`, 'other bytes under the same strong tag')
      assert.match(zipped.headers.get('vary')!, /accept-encoding/i)
      assert.equal(zipped.text, plain.text)
    }
    for (const tag of [strong, `W/${strong}`]) {
      for (const coding of ['gzip', 'identity']) {
        const known = await get({ 'accept-encoding': coding, 'if-none-match': tag })
        assert.equal(known.status, 304, `${tag} ${coding}`)
      }
    }
    const small = await get({ 'accept-encoding': 'gzip' }, '?limit=1')
    assert.equal(small.headers.get('content-encoding'), null)
    assert.match(small.headers.get('etag')!, /^"/)
  })

  sqliteTest('no search text produces the cache key of another search', async () => {
    const key = await (await app().person()).key()
    for (const path of ['/airports?query=london', '/airports?codes=CPH,OSL', '/airlines?query=air']) {
      const get = async (query: string) => {
        const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' }
        const response = await fetch(`${app().url}/api/v1${query}`, { headers })
        assert.equal(response.status, 200)
        return response.text()
      }
      // Twice: some responses are cached from the second request on.
      for (const typed of [`${path}/gzip`, `${path}/gzip`]) await get(typed)
      const found = JSON.parse(await get(path))
      assert.ok(found.data[0], path)
    }
  })
})

// Cached data is never older than its source and never exceeds its limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResponseCache } from '../server/base/response-cache.ts'
import { onBothEngines } from './harness.ts'

test('keys count: a million different questions do not fill the memory', () => {
  const cache = createResponseCache(1_000_000)
  const nothing = Buffer.from('{}')
  for (let i = 0; i < 20_000; i++) cache.set(`search/${'q'.repeat(100)}/${i}`, nothing)
  let kept = 0
  for (let i = 0; i < 20_000; i++) if (cache.get(`search/${'q'.repeat(100)}/${i}`)) kept++
  assert.ok(kept > 0 && kept * 200 < 1_000_000, `${kept} are kept`)
  assert.ok(cache.bytes <= 1_000_000)
})

test('what is asked for once does not push out what is asked for often', () => {
  const cache = createResponseCache(100_000)
  const page = Buffer.alloc(5000)
  for (let i = 0; i < 2; i++) cache.setOnSecondMiss('often', page)
  for (let i = 0; i < 5000; i++) cache.setOnSecondMiss(`page ${i}`, page)
  assert.equal(cache.get('often'), page)
  assert.equal(cache.get('page 4999'), undefined)
})

onBothEngines('caches', (app) => {
  test('an export that reads yesterday’s records does not leave them for today', async () => {
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

  test('equal questions of different people have their own answers and tags', async () => {
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
})

// The change feed: everything as it is now, then the changes, for each person only what they may see.
import assert from 'node:assert/strict'
import http from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { collectGarbage } from '../../server/base/garbage-collection.ts'
import { createLogger } from '../../server/base/log.ts'
import { DAY } from '../../server/domain/time/durations.ts'
import { writeToken } from '../../server/operations/wire/change-tokens.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { restoreBackup, writeBackup } from '../../server/services/backup/backup.ts'
import { touchFlights } from '../../server/store/flights/writes.ts'
import { recordFlightChanges } from '../../server/store/history/changes.ts'
import { SYSTEM } from '../../server/store/history/rows.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { openStore } from '../../server/store/store.ts'
import { askFeed, assertInStep, catchUp, type FeedEntry, nothingSaved, readFeed } from '../feed.ts'
import { airportIds, assertError, logFlight, withoutAirports } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { until } from '../until.ts'

const path = '/api/v1/flights'

async function route(app: TestApp, more: object = {}) {
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  return { date: '2026-02-20', fromId, toId, ...more }
}

const users = (...people: TestPerson[]) => people.map(({ id }) => ({ userId: id }))

async function must(app: TestApp, method: string, address: string, ask: object) {
  const reply = await app.request(method, address, ask)
  assert.ok(reply.status < 300, `${method} ${address}: ${reply.text}`)
  return reply.json?.data
}

/** An entry in one word, such as `+7v2` or `-7v3 deleted`. */
const inShort = ({ type, id, change, version, reason }: FeedEntry) => {
  const name = type === 'flight' ? `${id}v${version}` : `${type}:${id}`
  return change === 'upserted' ? `+${name}` : `-${name} ${reason}`
}
const allInShort = (entries: readonly FeedEntry[]) => entries.map(inShort)

/** Continues from the saved token. */
async function follow(app: TestApp, key: string, query: object = {}) {
  let { sync } = await readFeed(app, key, { limit: 500, ...query })
  return async (): Promise<FeedEntry[]> => {
    const page = await readFeed(app, key, { limit: 500, ...query, since: sync.token })
    assert.equal(page.page.hasMore, false)
    sync = page.sync
    return page.data
  }
}

onBothEngines('the change feed', (app) => {
  test('the first read returns the present page by page, then later changes', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flights = []
    for (const day of [1, 2, 3, 4, 5])
      flights.push(await logFlight(app(), ada, await route(app(), { date: `2026-01-0${day}` })))
    const first = await readFeed(app(), key, { limit: 2 })
    assert.deepEqual(
      first.data.map(({ flight }) => flight),
      [flights[4], flights[3]],
      'newest first, as the list shows them',
    )
    const { flight: _flight, ...entry } = first.data[0]!
    assert.deepEqual(entry, {
      type: 'flight',
      id: flights[4].id,
      change: 'upserted',
      version: 1,
      at: flights[4].updatedAt,
    })
    assert.deepEqual([first.page.hasMore, first.sync.reset], [true, true])
    // One flight that was read and one that was not are changed, one moves behind the pages, one is new.
    await must(app(), 'DELETE', `${path}/${flights[4].id}`, { key })
    await must(app(), 'PUT', `${path}/${flights[0].id}`, { key, body: await route(app(), { note: 'x' }) })
    const added = await logFlight(app(), ada, await route(app(), { date: '2026-03-01' }))
    const second = await readFeed(app(), key, { limit: 2, cursor: first.page.nextCursor! })
    assert.deepEqual(allInShort(second.data), [`+${flights[2].id}v1`, `+${flights[1].id}v1`])
    assert.deepEqual(second.page, { nextCursor: null, hasMore: false })
    assert.deepEqual(second.sync, { token: first.sync.token, reset: false })
    const rest = await readFeed(app(), key, { since: second.sync.token })
    assert.deepEqual(allInShort(rest.data), [
      `-${flights[4].id}v2 deleted`,
      `+${flights[0].id}v2`,
      `+${added.id}v1`,
    ])
    assert.deepEqual(rest.sync.reset, false)
    const saved = await catchUp(app(), key, nothingSaved(), {}, 1)
    await assertInStep(app(), key, saved, {})
  })

  test('a read with a token returns each flight once, oldest change first, page by page', async () => {
    const ada = await app().person()
    const [key, cookie] = [await ada.key(), await ada.session()]
    const { sync } = await readFeed(app(), key)
    const [one, two, three] = [
      await logFlight(app(), ada, await route(app())),
      await logFlight(app(), ada, await route(app())),
      await logFlight(app(), ada, await route(app())),
    ]
    for (const note of ['a', 'b', 'b'])
      await must(app(), 'PUT', `${path}/${one.id}`, { key, body: await route(app(), { note }) })
    await must(app(), 'DELETE', `${path}/${two.id}`, { key })
    const expected = [`+${three.id}v1`, `+${one.id}v3`, `-${two.id}v2 deleted`]
    const whole = await readFeed(app(), key, { since: sync.token })
    assert.deepEqual(allInShort(whole.data), expected)
    assert.equal(whole.data[1]!.flight!.version, 3)
    const pages = []
    let token = sync.token
    for (let hasMore = true; hasMore; ) {
      const page = await readFeed(app(), key, { since: token, limit: 1 })
      pages.push(...allInShort(page.data))
      ;({ hasMore } = page.page)
      assert.equal(page.page.nextCursor, null)
      token = page.sync.token
    }
    assert.deepEqual(pages, expected)
    const ids = await readFeed(app(), key, { since: sync.token, include: 'ids' })
    assert.deepEqual(allInShort(ids.data), expected)
    assert.ok(ids.data.every((entry) => !('flight' in entry)))
    const start = await readFeed(app(), key, { include: 'ids' })
    assert.deepEqual(allInShort(start.data), [`+${three.id}v1`, `+${one.id}v3`])
    assert.ok(start.data.every((entry) => !('flight' in entry)))
    const inApp = await must(app(), 'GET', `/app/api/changes?since=${sync.token}`, { cookie })
    assert.deepEqual(allInShort(inApp), expected)
  })

  test('a read without changes returns the same token and a tag, and is as cheap as a 304', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const key = await ada.key()
    const { id } = await logFlight(app(), ada, await route(app()))
    const start = await readFeed(app(), key)
    await must(app(), 'PUT', `${path}/${id}`, { key, body: await route(app(), { note: 'x' }) })
    for (const { token } of [start.sync, (await readFeed(app(), key, { since: start.sync.token })).sync]) {
      await logFlight(app(), bob, await route(app()))
      if (token === start.sync.token) continue
      const reply = await askFeed(app(), key, { since: token })
      assert.deepEqual(reply.json, {
        data: [],
        page: { nextCursor: null, hasMore: false },
        sync: { token, reset: false },
      })
      const etag = reply.headers.etag!
      const list = await app().request('GET', path, { key })
      const count = countQueries(app())
      const again = await app().request('GET', `/api/v1/changes?since=${token}`, { key })
      const known = await app().request('GET', `/api/v1/changes?since=${token}`, {
        key,
        headers: { 'if-none-match': etag },
      })
      const listed = await app().request('GET', path, {
        key,
        headers: { 'if-none-match': list.headers.etag! },
      })
      assert.deepEqual([again.status, known.status, known.text, listed.status], [200, 304, '', 304])
      // SQLite reports whether anything was written at all; PostgreSQL is queried per credential.
      assert.equal(count.stop(), app().engine === 'sqlite' ? 0 : 3)
      await must(app(), 'PUT', `${path}/${id}`, { key, body: await route(app(), { note: 'y' }) })
      const news = await app().request('GET', `/api/v1/changes?since=${token}`, {
        key,
        headers: { 'if-none-match': etag },
      })
      assert.deepEqual(allInShort(news.json.data), [`+${id}v3`])
    }
  })

  test('an invalid token or parameter is refused with an explanation', async () => {
    const [ada, bob, owner] = [await app().person(), await app().person(), await app().person('owner')]
    const [key, bobs, owners] = [await ada.key(), await bob.key(), await owner.key()]
    await logFlight(app(), ada, await route(app()))
    await logFlight(app(), ada, await route(app()))
    const { sync, page } = await readFeed(app(), key, { limit: 1 })
    const all = await readFeed(app(), owners, { scope: 'all' })
    const list = (await app().request('GET', `${path}?limit=1`, { key })).json.page.nextCursor
    const forged = `ct1_${Buffer.from('x 0 1 5').toString('base64url')}AAAAAA`
    const tokens = [
      '',
      'x',
      'ct1_',
      sync.token.slice(0, -1),
      sync.token.slice(0, 20),
      `${sync.token}A`,
      sync.token.replace('ct1_', 'ct2_'),
      sync.token.replace('ct1_', 'cc1_'),
      `${sync.token.slice(0, 8)}${sync.token[8] === 'A' ? 'B' : 'A'}${sync.token.slice(9)}`,
      forged,
      key,
      list,
      page.nextCursor!,
      all.sync.token,
      `${'A'.repeat(5000)}`,
      'ct1_\u0000',
    ]
    for (const since of tokens) {
      const reply = await askFeed(app(), key, { since })
      assertError(reply, 400, 'bad_request')
      assert.equal(reply.json.error.message, 'Invalid token', since)
    }
    // The same token with another view.
    for (const [who, query] of [
      [bobs, {}],
      [owners, { scope: 'all' }],
      [owners, { scope: 'user', userId: ada.id }],
      [key, { scope: 'user', userId: ada.id }],
      [key, { types: 'flight,preferences' }],
    ] as const) {
      assertError(await askFeed(app(), who, { ...query, since: sync.token }), 400, 'bad_request')
      assertError(await askFeed(app(), who, { ...query, cursor: page.nextCursor }), 400, 'bad_request')
    }
    assertError(await askFeed(app(), key, { since: sync.token, cursor: page.nextCursor }), 400, 'bad_request')
    for (const query of [
      { cursor: list },
      { cursor: sync.token },
      { limit: 0 },
      { limit: 501 },
      { limit: 'x' },
      { wait: 26 },
      { wait: -1 },
      { wait: 1.5 },
      { include: 'all' },
      { types: '' },
      { types: 'flight,airport' },
      { scope: 'some' },
      { scope: 'user' },
      { Since: sync.token },
      { updatedSince: '2026-01-01' },
    ])
      assertError(await askFeed(app(), key, query), 400, 'bad_request')
    assert.equal(
      (await askFeed(app(), key, { limit: 500, wait: 25 })).status,
      200,
      'the first call returns immediately',
    )
    assertError(await askFeed(app(), key, { scope: 'all' }), 403, 'forbidden')
    const narrow = await owner.key(['flight.read.own'])
    assertError(await askFeed(app(), narrow, { scope: 'all' }), 403, 'insufficient_scope')
    assertError(await app().request('GET', '/api/v1/changes'), 401, 'unauthorized')
    const unknown = await askFeed(app(), owners, { scope: 'user', userId: 'nobody' })
    assertError(unknown, 400, 'bad_request')
  })

  test('another person’s flight is never returned, and own flights only for matching scopes', async () => {
    const [ada, bob, eve] = [await app().person(), await app().person(), await app().person()]
    const owner = await app().person('role-administrator')
    const [adas, bobs, eves, owners] = [await ada.key(), await bob.key(), await eve.key(), await owner.key()]
    const start = async (key: string, query = {}) => follow(app(), key, query)
    const [adaSees, bobSees, eveSees, allSees] = [
      await start(adas),
      await start(bobs),
      await start(eves),
      await start(owners, { scope: 'all' }),
    ]
    const { id } = await logFlight(app(), ada, await route(app(), { passengers: users(ada, bob) }))
    for (const [userId, source, value] of [
      [ada.id, 'tripit', '77'],
      [bob.id, 'sheet', 'row 5'],
      [owner.id, 'admin', '1'],
    ])
      await app().store.transaction(async (tx) => {
        await tx.query(
          `insert into external_id (user_id, source, value, flight_id) values ('${userId}', '${source}', '${value}', ${id})`,
          [],
        )
      })
    assert.deepEqual(allInShort(await bobSees()), [`+${id}v1`])
    const alone = await route(app(), { passengers: users(ada) })
    await must(app(), 'PUT', `${path}/${id}`, { key: adas, body: alone })
    const [left] = await bobSees()
    const { at: _at, ...rest } = left!
    assert.deepEqual(rest, {
      type: 'flight',
      id,
      change: 'removed',
      reason: 'unlisted',
      version: 2,
      externalIds: { sheet: 'row 5' },
    })
    await must(app(), 'PUT', `${path}/${id}`, { key: adas, body: { ...alone, note: 'of no concern to Bob' } })
    assert.deepEqual(await bobSees(), [])
    await must(app(), 'PUT', `${path}/${id}`, {
      key: adas,
      body: await route(app(), { passengers: users(ada, bob) }),
    })
    assert.deepEqual(allInShort(await bobSees()), [`+${id}v4`], 'comes back with a higher version')
    await must(app(), 'DELETE', `${path}/${id}`, { key: adas })
    const gone = [await adaSees(), await bobSees(), await allSees()].map((entries) => entries.at(-1)!)
    assert.deepEqual(
      gone.map((entry) => [inShort(entry), entry.externalIds]),
      [
        [`-${id}v5 deleted`, { tripit: '77' }],
        // He had given it an id before he was removed, which freed that id.
        [`-${id}v5 deleted`, {}],
        [`-${id}v5 deleted`, { admin: '1' }],
      ],
    )
    assert.deepEqual(await eveSees(), [])
  })
})

/** Counts database reads until it is stopped. */
function countQueries(app: TestApp) {
  const { read } = app.store
  const original = read.query
  let count = 0
  read.query = (sql, parameters) => {
    count++
    return original(sql, parameters)
  }
  return {
    stop() {
      read.query = original
      return count
    },
  }
}

const track = {
  coordinates: [
    [12.65, 55.61, 5],
    [-73.77, 40.63],
  ],
  sourceFormat: 'gpx',
}

onBothEngines('the change feed for every kind of write', (app) => {
  test('each write is one entry for its viewers and none for others', async () => {
    const owner = await app().person('owner')
    const [ada, bob, eve] = [await app().person(), await app().person(), await app().person()]
    const [key, bobs, cookie, bobCookie] = [
      await ada.key(),
      await bob.key(),
      await ada.session(),
      await bob.session(),
    ]
    const admin = await owner.session()
    const feeds = {
      ada: await follow(app(), key),
      bob: await follow(app(), bobs),
      eve: await follow(app(), await eve.key()),
      all: await follow(app(), await owner.key(), { scope: 'all' }),
      adaByOwner: await follow(app(), await owner.key(), { scope: 'user', userId: ada.id }),
    }
    /** What Ada, Bob and people who see everything receive. */
    const expect = async (ofAda: string[], ofBob: string[], ofAll: string[], note: string) => {
      assert.deepEqual(allInShort(await feeds.ada()), ofAda, `${note}: Ada`)
      assert.deepEqual(allInShort(await feeds.adaByOwner()), ofAda, `${note}: Ada by the owner`)
      assert.deepEqual(allInShort(await feeds.bob()), ofBob, `${note}: Bob`)
      assert.deepEqual(allInShort(await feeds.all()), ofAll, `${note}: everyone`)
      assert.deepEqual(await feeds.eve(), [], `${note}: Eve`)
    }
    const everyone = (entry: string, note: string) => expect([entry], [entry], [entry], note)
    const onlyAda = (entry: string, note: string) => expect([entry], [], [entry], note)
    const nothing = (note: string) => expect([], [], [], note)
    const readVersion = async (id: number) => (await must(app(), 'GET', `${path}/${id}`, { key })).version

    const both = await route(app(), { passengers: users(ada, bob) })
    const { id } = await must(app(), 'POST', path, { key, body: both })
    await everyone(`+${id}v1`, 'create')
    await must(app(), 'PUT', `${path}/${id}`, { key, body: both })
    await nothing('an update that changes nothing')
    await must(app(), 'PUT', `${path}/${id}`, { key, body: { ...both, note: 'x' } })
    await everyone(`+${id}v2`, 'update')
    await must(app(), 'PUT', `${path}/${id}/track`, { key, body: track })
    await everyone(`+${id}v3`, 'a track')
    await must(app(), 'DELETE', `${path}/${id}/track`, { key })
    await everyone(`+${id}v4`, 'no track')
    await must(app(), 'DELETE', `${path}/${id}/track`, { key })
    await nothing('no track again')
    await must(app(), 'DELETE', `${path}/${id}`, { key })
    await everyone(`-${id}v5 deleted`, 'delete')
    app().clock.advance(1000)
    const back = await must(app(), 'POST', `${path}/${id}/restore`, { key })
    assert.equal(back.updatedAt, new Date(app().clock.now()).toISOString())
    await everyone(`+${id}v6`, 'restore')
    await must(app(), 'POST', '/app/api/flight-deletions', { cookie, body: { ids: [id] } })
    await everyone(`-${id}v7 deleted`, 'delete in the web app')
    await must(app(), 'POST', '/app/api/flight-restorations', { cookie, body: { ids: [id] } })
    await everyone(`+${id}v8`, 'restore in the web app')

    const notices = await must(app(), 'GET', '/app/api/notices', { cookie: bobCookie })
    const added = notices.find(({ kind }: { kind: string }) => kind === 'flight.added')
    await must(app(), 'POST', `/app/api/notices/${added.id}/keep`, { cookie: bobCookie })
    await nothing('keeping a flight')
    await must(app(), 'POST', `/app/api/notices/${added.id}/leave`, { cookie: bobCookie })
    await expect([`+${id}v9`], [`-${id}v9 unlisted`], [`+${id}v9`], 'leaving by a notice')
    await must(app(), 'PUT', `${path}/${id}`, { key, body: both })
    await everyone(`+${id}v10`, 'a passenger joins')
    await must(app(), 'PUT', `${path}/${id}`, { key, body: { ...both, passengers: users(ada) } })
    await expect([`+${id}v11`], [`-${id}v11 unlisted`], [`+${id}v11`], 'a passenger is removed')

    const legacy = await must(app(), 'GET', `${path}/${id}`, { key })
    const saved = await app().request('POST', '/api/flight/save', {
      key,
      body: { id, from: 'EKCH', to: 'KJFK', departure: legacy.date, note: 'legacy', passengers: users(ada) },
    })
    assert.equal(saved.status, 200, saved.text)
    await onlyAda(`+${id}v${await readVersion(id)}`, 'legacy save')
    const created = await app().request('POST', '/api/flight/save', {
      key,
      body: { from: 'EKCH', to: 'KJFK', departure: '2026-01-05', passengers: users(ada) },
    })
    const newest = (await app().request('GET', `${path}?limit=5`, { key })).json.data
    const made = newest.find((flight: { id: number }) => flight.id !== id)
    await onlyAda(`+${made.id}v1`, `legacy save of a new one: ${created.text}`)
    const deleted = await app().request('POST', '/api/flight/delete', { key, body: { id: made.id } })
    assert.equal(deleted.status, 200, deleted.text)
    await onlyAda(`-${made.id}v2 deleted`, 'legacy delete')
    await must(app(), 'DELETE', `${path}/${made.id}?permanently=true`, { key })
    await nothing('erasing what is in the bin')
    const logged = await must(app(), 'POST', `${path}/log`, {
      key,
      body: { date: '2026-01-09', from: 'CPH', to: 'JFK' },
    })
    await onlyAda(`+${logged.id}v1`, 'log_flight')
    await must(app(), 'DELETE', `${path}/${logged.id}?permanently=true`, { key })
    await onlyAda(`-${logged.id}v2 deleted`, 'delete permanently')

    const airport = await must(app(), 'POST', '/app/api/airports', {
      cookie: admin,
      body: {
        icao: 'QQ0Z',
        name: 'Own strip',
        latitude: 50,
        longitude: 8,
        timezone: 'Europe/Berlin',
        type: 'small_airport',
        continent: 'EU',
        country: 'DE',
      },
    })
    const airline = await must(app(), 'POST', '/app/api/airlines', {
      cookie: admin,
      body: { name: 'Own wings', icao: 'QZ9' },
    })
    const aircraft = await must(app(), 'POST', '/app/api/aircraft', {
      cookie: admin,
      body: { name: 'Own plane', icao: 'ZZZ9' },
    })
    const fields = []
    for (const entityType of ['flight', 'flight_passenger']) {
      const body = { entityType, key: 'meal', label: 'Meal', fieldType: 'text' }
      fields.push(await must(app(), 'POST', '/app/api/custom-fields', { cookie: admin, body }))
    }
    await nothing('records and fields that no flight names')
    const rich = {
      ...both,
      toId: airport.id,
      airlineId: airline.id,
      aircraftId: aircraft.id,
      customFields: { meal: 'fish' },
      passengers: [{ userId: ada.id, customFields: { meal: 'rice' } }],
    }
    await must(app(), 'PUT', `${path}/${id}`, { key, body: rich })
    let version = await readVersion(id)
    await onlyAda(`+${id}v${version}`, 'a rich flight')
    for (const address of [
      `airports/${airport.id}`,
      `airlines/${airline.id}`,
      `aircraft/${aircraft.id}`,
      ...fields.map((field) => `custom-fields/${field.id}`),
    ]) {
      await must(app(), 'DELETE', `/app/api/${address}`, { cookie: admin })
      await onlyAda(`+${id}v${++version}`, `delete ${address}`)
    }
    const bare = await must(app(), 'GET', `${path}/${id}`, { key })
    assert.deepEqual([bare.to, bare.airline, bare.aircraft, bare.customFields], [null, null, null, {}])

    await must(app(), 'POST', '/app/api/demo', { cookie })
    const demo = await feeds.ada()
    assert.ok(demo.length > 50 && demo.every(({ change }) => change === 'upserted'))
    assert.equal((await feeds.all()).length, demo.length)
    assert.equal((await feeds.adaByOwner()).length, demo.length)
    await must(app(), 'DELETE', '/app/api/demo', { cookie })
    assert.deepEqual(
      (await feeds.ada()).map(inShort).sort(),
      demo.map((entry) => `-${entry.id}v2 deleted`).sort(),
    )
    await feeds.all()
    await feeds.adaByOwner()

    // A person is deleted: Bob’s own flight is deleted too, the shared ones stay with the others.
    await must(app(), 'PUT', `${path}/${id}`, { key, body: both })
    await must(app(), 'POST', path, { key: bobs, body: await route(app()) })
    const third = await must(app(), 'POST', path, { key, body: both })
    version = await readVersion(id)
    const own = (await feeds.bob()).map((entry) => entry.id).find((one) => one !== id && one !== third.id)
    await feeds.ada()
    await feeds.all()
    await feeds.adaByOwner()
    await must(app(), 'DELETE', `/app/api/users/${bob.id}`, { cookie: admin })
    const shared = [`+${id}v${version + 1}`, `+${third.id}v2`]
    assert.deepEqual(allInShort(await feeds.ada()), shared)
    assert.deepEqual(allInShort(await feeds.adaByOwner()), shared)
    assert.deepEqual(allInShort(await feeds.all()), [`-${own}v2 deleted`, ...shared])
    const left = await app().store.read.query(`select viewer from change where viewer = '${bob.id}'`, [])
    assert.deepEqual(left, [])
    const passwordHash = await hashPassword('kitty hawk')
    await app().store.transaction((tx) => updatePassword(tx, ada.id, passwordHash))
    await must(app(), 'DELETE', '/app/api/me', { cookie, body: { password: 'kitty hawk' } })
    assert.deepEqual(allInShort(await feeds.all()), [
      `-${id}v${version + 2} deleted`,
      `-${third.id}v3 deleted`,
    ])
    assert.deepEqual(await feeds.eve(), [])
  })

  test('preferences, shares, countries and fields are in the same feed, each with its own scope', async () => {
    const owner = await app().person('role-administrator')
    const eve = await app().person()
    const [key, cookie] = [await owner.key(), await owner.session()]
    const types = 'custom_field,flight,visited_country,share,preferences'
    const { id } = await logFlight(app(), owner, await route(app()))
    const send = (method: string, address: string, body?: object) =>
      must(app(), method, `/app/api${address}`, { cookie, ...(body ? { body } : {}) })
    const share = await send('POST', '/shares', { slug: 'first' })
    const japan = await send('PUT', '/visited-countries', { code: 'JP', status: 'visited' })
    const field = await send('POST', '/custom-fields', {
      entityType: 'flight',
      key: 'fare',
      label: 'Fare',
      fieldType: 'text',
    })
    const pages = []
    let cursor: string | null = null
    let token = ''
    do {
      const page = await readFeed(app(), key, { types, limit: 2, ...(cursor ? { cursor } : {}) })
      pages.push(...page.data)
      cursor = page.page.nextCursor
      token = page.sync.token
    } while (cursor)
    const shown = async (address: string) =>
      (await app().request('GET', `/api/v1${address}`, { key })).json.data
    const [fields, preferences] = [await shown('/custom-fields'), await shown('/preferences')]
    assert.deepEqual(allInShort(pages), [
      `+${id}v1`,
      `+visited_country:${japan.id}`,
      `+share:${share.id}`,
      '+preferences:1',
      `+custom_field:${field.id}`,
    ])
    assert.deepEqual(pages[1]!['visitedCountry'], japan)
    // The feed has the stored values; the sentence about what visitors see also depends on the time.
    const { url: _, visitorSees: _sentence, ...storedShare } = share
    assert.deepEqual(pages[2]!['share'], storedShare)
    assert.deepEqual(pages[3]!['preferences'], preferences)
    assert.deepEqual(pages[4]!['customField'], fields[0])
    const news = async (expected: string[], note: string) => {
      const page = await readFeed(app(), key, { types, since: token })
      token = page.sync.token
      assert.deepEqual(allInShort(page.data), expected, note)
      return page.data
    }
    await news([], 'nothing yet')
    const eves = await follow(app(), await eve.key(), { types })

    await send('PUT', '/preferences', { distanceUnit: preferences.distanceUnit })
    await send('PUT', '/visited-countries', { code: 'JP', status: 'visited' })
    const unchanged = await must(app(), 'GET', `/api/v1/shares/${share.id}`, { key })
    await send('PUT', `/shares/${share.id}`, unchanged)
    const definition = (await send('GET', '/custom-fields/all'))[0]
    const { id: _id, ...same } = definition
    await send('PUT', `/custom-fields/${field.id}`, same)
    await news([], 'writes that change nothing')
    await send('PUT', '/preferences', { distanceUnit: 'nm' })
    const [changed] = await news(['+preferences:1'], 'preferences')
    assert.deepEqual(changed!['preferences'], await shown('/preferences'))
    const before = changed!.version
    await send('PUT', '/visited-countries', { code: 'JP', status: 'lived' })
    const france = await send('PUT', '/visited-countries', { code: 'FR', status: 'visited' })
    await send('DELETE', '/visited-countries?code=JP')
    await send('DELETE', '/visited-countries?code=JP')
    const countries = await news(
      [`+visited_country:${france.id}`, `-visited_country:${japan.id} deleted`],
      'countries',
    )
    assert.ok(countries.every(({ version }) => version > before))
    await send('PUT', `/shares/${share.id}`, { showStats: true })
    const [updated] = await news([`+share:${share.id}`], 'a share')
    assert.equal(updated!['share'].showStats, true)
    await send('DELETE', `/shares/${share.id}`)
    await news([`-share:${share.id} deleted`], 'a deleted share')
    await send('PUT', `/custom-fields/${field.id}`, { ...same, label: 'Price' })
    const [renamed] = await news([`+custom_field:${field.id}`], 'a field')
    assert.equal(renamed!['customField'].label, 'Price')
    await send('PUT', `/custom-fields/${field.id}`, { ...same, active: false })
    await news([`-custom_field:${field.id} unlisted`], 'a field out of use')
    await send('PUT', `/custom-fields/${field.id}`, { ...same, active: true })
    await news([`+custom_field:${field.id}`], 'a field in use again')
    await must(app(), 'PUT', `${path}/${id}`, {
      key,
      body: await route(app(), { customFields: { fare: '9' } }),
    })
    await send('DELETE', `/custom-fields/${field.id}`)
    await news([`+${id}v3`, `-custom_field:${field.id} deleted`], 'a deleted field')
    assert.deepEqual(
      allInShort(await eves()),
      [`-custom_field:${field.id} deleted`],
      'of others: fields only',
    )

    const scopes = {
      visited_country: 'visited_countries.read',
      share: 'shares.read',
      preferences: 'profile.read',
      custom_field: 'custom_fields.read',
    } as const
    for (const [type, scope] of Object.entries(scopes)) {
      const without = await owner.key(['flight.read.own'])
      const refused = await askFeed(app(), without, { types: `flight,${type}` })
      assertError(refused, 403, 'insufficient_scope')
      assert.match(refused.headers['www-authenticate']!, new RegExp(`${scope}`))
      const just = await owner.key(['flight.read.own', scope as 'shares.read'])
      assert.equal((await askFeed(app(), just, { types: type })).status, 200)
    }
  })
})

onBothEngines('tokens of the change feed', (app) => {
  test('unknown tokens, and tokens older than the kept changes, are refused with 410', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const key = await ada.key()
    const body = await route(app())
    const [one, two] = [await logFlight(app(), ada, body), await logFlight(app(), ada, body)]
    const start = await readFeed(app(), key)
    const idle = await readFeed(app(), await bob.key())
    const gone = (reply: Awaited<ReturnType<typeof askFeed>>) => {
      assertError(reply, 410, 'gone')
      assert.equal(reply.json.error.details[0].code, 'resync')
    }
    const [view, epoch, number] = Buffer.from(start.sync.token.slice(4, -6), 'base64url')
      .toString()
      .split(' ')
    const point = { view: view!, epoch: Number(epoch), number: Number(number), seen: '' }
    gone(await askFeed(app(), key, { since: writeToken({ ...point, number: point.number + 1 }) }))
    gone(await askFeed(app(), key, { since: writeToken({ ...point, number: point.number + 1 }), wait: 25 }))
    gone(await askFeed(app(), key, { since: writeToken({ ...point, epoch: point.epoch + 1 }) }))
    assert.equal((await askFeed(app(), key, { since: writeToken(point) })).status, 200)

    await must(app(), 'DELETE', `${path}/${one.id}`, { key })
    const middle = await readFeed(app(), key, { since: start.sync.token })
    app().clock.advance(90 * DAY)
    await deleteExpired(app().store, app().clock.now())
    assert.deepEqual(allInShort((await readFeed(app(), key, { since: start.sync.token })).data), [
      `-${one.id}v2 deleted`,
    ])
    app().clock.advance(1)
    await deleteExpired(app().store, app().clock.now())
    // Not with the former parameters: that response is complete, and may still be in memory.
    gone(await askFeed(app(), key, { since: start.sync.token, limit: 99 }))
    gone(await askFeed(app(), key, { since: start.sync.token, limit: 99, wait: 25 }))
    assert.equal((await askFeed(app(), key, { since: middle.sync.token })).status, 200)
    assert.equal((await askFeed(app(), await bob.key(), { since: idle.sync.token })).status, 200)
    await must(app(), 'DELETE', `${path}/${two.id}`, { key })
    const after = await readFeed(app(), key, { since: middle.sync.token })
    assert.deepEqual(allInShort(after.data), [`-${two.id}v2 deleted`])
    assert.equal((await readFeed(app(), key)).data.length, 0)
  })

  test('tokens and cursors from before a restore are refused with 410', async () => {
    const owner = await app().person('owner')
    const key = await owner.key()
    const body = await route(app())
    for (let i = 0; i < 3; i++) await logFlight(app(), owner, body)
    const { sync, page } = await readFeed(app(), key, { limit: 1 })
    const parts = {
      store: app().store,
      uploads: app().services.uploads,
      now: new Date(app().clock.now()),
    }
    const file = join(process.env['TEST_SCRATCH']!, `changes-${process.pid}-${app().engine}.gz`)
    await writeBackup(parts, file)
    assert.equal((await askFeed(app(), key, { since: sync.token })).status, 200)
    await restoreBackup(parts, file, { replace: true, partial: false, set: withoutAirports() })
    for (const query of [
      { since: sync.token },
      { since: sync.token, wait: 25 },
      { cursor: page.nextCursor },
    ]) {
      const reply = await askFeed(app(), key, query)
      assertError(reply, 410, 'gone')
      assert.equal(reply.json.error.details[0].code, 'resync')
    }
    const saved = await catchUp(app(), key, nothingSaved(), {}, 2)
    await assertInStep(app(), key, saved, {})
    await logFlight(app(), owner, body)
    await assertInStep(app(), key, await catchUp(app(), key, saved, {}), {})
  })
})

/** A request whose response may come late; it can be aborted. */
function held(app: TestApp, key: string, query: object) {
  const address = `${app.url}/api/v1/changes?${new URLSearchParams({ ...query })}`
  const headers = { authorization: `Bearer ${key}` }
  const request = http.get(address, { headers, agent: false })
  const reply = new Promise<{ status: number; json: { data: FeedEntry[]; sync: { token: string } } }>(
    (resolve, reject) => {
      request.on('error', reject)
      request.on('response', async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        resolve({ status: response.statusCode!, json: JSON.parse(Buffer.concat(chunks).toString()) })
      })
    },
  )
  return { reply, abort: () => request.destroy() }
}

const areWaiting = (app: TestApp, count: number) =>
  until(`${count} requests wait`, () => app.services.changeWaiters.count === count)

onBothEngines('long-polling requests', (app, engine) => {
  test('a pending request returns on the first change of its view, also by another process', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const key = await ada.key()
    const { sync } = await readFeed(app(), key)
    const waiting = held(app(), key, { since: sync.token, wait: 25 })
    await areWaiting(app(), 1)
    await logFlight(app(), bob, await route(app()))
    await must(app(), 'PUT', '/api/v1/preferences', { key, body: { weekStartsOn: 'sun' } })
    const { id } = await logFlight(app(), ada, await route(app()))
    const { status, json } = await waiting.reply
    assert.deepEqual([status, allInShort(json.data)], [200, [`+${id}v1`]])

    const { databaseUrl, dataDir } = app().config
    const other = await openStore({ databaseUrl, dataDir }, createLogger('silent'))
    const second = held(app(), key, { since: json.sync.token, wait: 25 })
    await areWaiting(app(), 1)
    const at = new Date(app().clock.now()).toISOString()
    await other.transaction(async (tx) =>
      recordFlightChanges(tx, await touchFlights(tx, [id], at, { edits: null }), SYSTEM, at),
    )
    assert.deepEqual(allInShort((await second.reply).json.data), [`+${id}v2`])
    await other.close()
    const started = await readFeed(app(), key, { since: json.sync.token, wait: 25 })
    assert.deepEqual(allInShort(started.data), [`+${id}v2`], 'existing changes are returned immediately')
    const empty = await readFeed(app(), key, { since: started.sync.token, wait: 1 })
    assert.deepEqual([empty.data, empty.sync.token], [[], started.sync.token])
  })

  test('a credential may have two pending requests, and a disconnect frees one', async () => {
    const ada = await app().person()
    const [key, another] = [await ada.key(), await ada.key()]
    const { token } = (await readFeed(app(), key)).sync
    const two = [
      held(app(), key, { since: token, wait: 25 }),
      held(app(), key, { since: token, wait: 25 }),
    ] as const
    for (const { reply } of two) reply.catch(() => undefined)
    await areWaiting(app(), 2)
    assertError(await askFeed(app(), key, { since: token, wait: 5 }), 409, 'conflict')
    assert.equal((await askFeed(app(), another, { since: token, wait: 1 })).status, 200)
    assert.equal((await askFeed(app(), key, { since: token })).status, 200)
    two[0].abort()
    await areWaiting(app(), 1)
    if (engine === 'postgres') assert.equal(app().store.pool!().inUse, 0, 'none holds a connection')
    const { id } = await logFlight(app(), ada, await route(app()))
    assert.deepEqual(allInShort((await two[1].reply).json.data), [`+${id}v1`])
  })

  test('pending requests use little memory', async () => {
    const { changeWaiters } = app().services
    const counters = new Map([['flights:x', 0]])
    const heap = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = heap()
    const disconnects: (() => void)[] = []
    const waits = Array.from({ length: 1000 }, (_, i) =>
      changeWaiters.wait({
        credential: `key:${i}`,
        counters,
        milliseconds: 600_000,
        onDisconnect: (listener) => void disconnects.push(listener),
      }),
    )
    const each = (heap() - before) / waits.length
    assert.ok(each < 2000, `${each} bytes each`)
    assert.equal(changeWaiters.count, waits.length)
    for (const disconnect of disconnects) disconnect()
    assert.deepEqual(new Set(await Promise.all(waits)), new Set([false]))
    assert.equal(changeWaiters.count, 0)
  })

  test('pending requests return immediately when the server stops', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const { token } = (await readFeed(app(), key)).sync
    const waiting = held(app(), key, { since: token, wait: 25 })
    await areWaiting(app(), 1)
    app().services.changeWaiters.stop()
    assert.deepEqual((await waiting.reply).json.sync.token, token)
    const later = await readFeed(app(), key, { since: token, wait: 25 })
    assert.deepEqual(later.data, [], 'and no request is pending afterwards')
  })
})

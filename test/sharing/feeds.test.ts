// Feeds at secret addresses, read by other programs' parsers: what they show, to whom, and for how long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '@placemarkio/check-geojson'
import ICAL from 'ical.js'
import { nothingKnown } from '../../server/domain/flights/fields.ts'
import { insertFlight, insertPassenger, noteFlightsChanged } from '../../server/store/flights/writes.ts'
import { SYSTEM } from '../../server/store/history/rows.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import {
  type Ask,
  onBothEngines,
  type Reply,
  type TestApp,
  type TestPerson,
  testOnSqlite,
} from '../harness.ts'

interface MadeFeed {
  id: number
  url: string
  path: string
}

async function makeFeed(app: TestApp, who: TestPerson, body: object): Promise<MadeFeed> {
  const reply = await app.request('POST', '/api/v1/feeds', { key: await who.key(), body })
  assert.equal(reply.status, 201, reply.text)
  const { id, url } = reply.json.data
  return { id, url, path: new URL(url).pathname }
}

const calendar = { kind: 'ical', name: 'My calendar' }

function eventsOf(reply: Reply): Map<string, ICAL.Component> {
  assert.equal(reply.status, 200, reply.text)
  const parsed = new ICAL.Component(ICAL.parse(reply.text))
  const events = parsed.getAllSubcomponents('vevent')
  return new Map(events.map((event) => [String(event.getFirstPropertyValue('uid')), event]))
}
const statusOf = (event: ICAL.Component | undefined) => event?.getFirstPropertyValue('status')
const uid = (id: number) => `flight-${id}@localhost`

function featuresOf(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  const collection = check(reply.text)
  assert.equal(collection.type, 'FeatureCollection')
  return (
    collection as unknown as {
      features: { id: number; geometry: unknown; properties: Record<string, unknown> }[]
    }
  ).features
}

const idsIn = (reply: Reply): number[] => {
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.map((flight: { id: number }) => flight.id)
}

async function route(app: TestApp) {
  const [fromId, toId] = await airportIds(app, 'CPH', 'EWR')
  return { fromId, toId }
}

onBothEngines(
  'feeds',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    const read = (path: string, ask?: Ask) => app().request('GET', path, ask)

    test('a feed is created, listed, read, changed, given a new address and deleted', async () => {
      const ada = await app().person()
      const key = await ada.key()
      const { fromId, toId } = await route(app())
      await logFlight(app(), ada, { date: '2026-02-20', fromId, toId })
      const made = await app().request('POST', '/api/v1/feeds', { key, body: calendar })
      assert.equal(made.status, 201, made.text)
      const { url, ...feed } = made.json.data
      assert.match(url, /^http:\/\/localhost:3000\/feeds\/ctf_[a-z2-7]{39}\.ics$/)
      assert.equal(made.headers['location'], `/api/v1/feeds/${feed.id}`)
      assert.deepEqual(feed, {
        id: feed.id,
        ...calendar,
        filters: {},
        delayHours: 0,
        past: true,
        upcoming: true,
        redact: [],
        lastFour: url.slice(-8, -4),
        createdAt: '2026-06-15T12:00:00.000Z',
        updatedAt: '2026-06-15T12:00:00.000Z',
        lastReadAt: null,
      })
      assert.deepEqual((await app().request('GET', '/api/v1/feeds', { key })).json.data, [feed])
      assert.deepEqual((await app().request('GET', `/api/v1/feeds/${feed.id}`, { key })).json.data, feed)
      const { path } = { path: new URL(url).pathname }
      assert.equal(eventsOf(await read(path)).size, 1)
      assert.ok(!(await read(path)).text.includes(ada.username))

      const changed = await app().request('PUT', `/api/v1/feeds/${feed.id}`, {
        key,
        body: { ...calendar, name: 'Later', filters: { dateFrom: '2026-03-01' }, redact: ['seat', 'seat'] },
      })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(changed.json.data.filters, { dateFrom: '2026-03-01' })
      assert.deepEqual(changed.json.data.redact, ['seat'])
      assert.ok(!('url' in changed.json.data))
      const later = await read(path)
      assert.equal(eventsOf(later).size, 0)
      assert.ok(later.text.includes('X-WR-CALNAME:Later\r\n'))

      const rotated = await app().request('POST', `/api/v1/feeds/${feed.id}/rotate`, { key })
      assert.equal(rotated.status, 200, rotated.text)
      const next = new URL(rotated.json.data.url).pathname
      assert.notEqual(next, path)
      assert.equal((await read(next)).status, 200)
      const gone = await read(path)
      assertError(gone, 404, 'not_found')

      const deleted = await app().request('DELETE', `/api/v1/feeds/${feed.id}`, { key })
      assert.equal(deleted.status, 204)
      assert.equal((await read(next)).text, gone.text)
      for (const [method, suffix] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/rotate'],
      ] as const) {
        const reply = await app().request(method, `/api/v1/feeds/${feed.id}${suffix}`, {
          key,
          body: calendar,
        })
        assertError(reply, 404, 'not_found')
      }
      const events = await app().request('GET', '/app/api/audit/mine', { cookie: await ada.session() })
      const kinds = events.json.data.map(({ kind }: { kind: string }) => kind)
      assert.deepEqual(kinds.slice(0, 4), ['feed.deleted', 'feed.rotated', 'feed.updated', 'feed.created'])
      assert.ok(!events.text.includes('ctf_'))
    })

    test('a feed outlives its key, is listed, is in the audit trail and ends when deleted', async () => {
      const ada = await app().person()
      const cookie = await ada.session()
      const own = { cookie, headers: { 'sec-fetch-site': 'same-origin' } }
      const { id, path } = await makeFeed(app(), ada, calendar)
      const [made] = (await app().request('GET', '/app/api/api-keys', own)).json.data
      assert.equal((await app().request('DELETE', `/app/api/api-keys/${made.id}`, own)).status, 204)
      assert.deepEqual((await app().request('GET', '/app/api/api-keys', own)).json.data, [])
      assert.equal((await read(path)).status, 200)
      const listed = (await app().request('GET', '/app/api/feeds', own)).json.data
      assert.deepEqual(
        listed.map((feed: { id: number }) => feed.id),
        [id],
      )
      const trail = (await app().request('GET', '/app/api/audit/mine', own)).json.data
      assert.ok(trail.some((event: { kind: string }) => event.kind === 'feed.created'))
      assert.equal((await app().request('DELETE', `/app/api/feeds/${id}`, own)).status, 204)
      assertError(await read(path), 404, 'not_found')
    })

    test('the secret is neither stored nor logged, also in unusual spellings of the path', async () => {
      const ada = await app().person()
      const { path } = await makeFeed(app(), ada, calendar)
      const token = path.slice('/feeds/'.length, -'.ics'.length)
      await read(path)
      await read(path.replace('/feeds', '//feeds'))
      await read(path.replace('/feeds', '/%66eeds'))
      await read(`${path}?x=1`)
      await read(path.replace('.ics', '.json'))
      const rows = await app().store.read.query('select * from feed', [])
      assert.ok(!JSON.stringify(rows).includes(token))
      assert.ok(app().logged.some((line) => line.includes('/feeds/…')))
      assert.ok(!app().logged.join().includes(token))
      assert.ok(!(await read('/metrics')).text.includes(token))
    })

    sqliteTest('wrong addresses get equal responses, limited per client address', async () => {
      const ada = await app().person()
      const { path } = await makeFeed(app(), ada, calendar)
      const wrong = [
        '/feeds/x',
        '/feeds/x.ics',
        '/feeds/.ics',
        `/feeds/ctf_${'a'.repeat(39)}.ics`,
        path.replace('.ics', '.json'),
        path.replace('.ics', ''),
        path.replace('.ics', '.ICS'),
        `${path}.ics`,
      ]
      const replies = await Promise.all(wrong.map((address) => read(address)))
      for (const reply of replies) {
        assertError(reply, 404, 'not_found')
        assert.equal(reply.text, replies[0]!.text)
        assert.equal(reply.headers['x-robots-tag'], 'noindex')
        assert.equal(reply.headers['cache-control'], 'private, no-store')
        assert.equal(reply.headers['ratelimit'], undefined)
      }
      let last = replies[0]!
      for (let i = 0; i < 80 && last.status === 404; i++) last = await read('/feeds/x.ics')
      assertError(last, 429, 'too_many_requests')
      assert.ok(Number(last.headers['retry-after']) > 0)
      assert.equal((await read(path)).status, 200, 'a right address still works')
      assertError(await app().request('POST', path), 405, 'method_not_allowed')
      app().clock.advance(61_000)
      assertError(await read('/feeds/x.ics'), 404, 'not_found')
    })

    sqliteTest('a feed allows thirty reads a minute', async () => {
      const ada = await app().person()
      const [feed, other] = [await makeFeed(app(), ada, calendar), await makeFeed(app(), ada, calendar)]
      for (let i = 1; i <= 30; i++) {
        const reply = await read(feed.path)
        assert.equal(reply.status, 200)
        assert.equal(reply.headers['ratelimit'], `"feed";r=${30 - i};t=60`)
        assert.equal(reply.headers['ratelimit-policy'], '"feed";q=30;w=60')
      }
      const refused = await read(feed.path)
      assertError(refused, 429, 'too_many_requests')
      assert.equal(refused.headers['retry-after'], '60')
      assert.equal(refused.headers['ratelimit'], '"feed";r=0;t=60')
      assert.equal((await read(other.path)).status, 200)
      app().clock.advance(60_000)
      assert.equal((await read(feed.path)).status, 200)
    })

    test('an unchanged feed gets 304 by tag and by time', async () => {
      const [ada, bob] = [await app().person(), await app().person()]
      const { fromId, toId } = await route(app())
      const flight = await logFlight(app(), ada, { date: '2026-02-20', fromId, toId })
      const { id, path } = await makeFeed(app(), ada, calendar)
      app().clock.advance(10_000)
      const first = await read(path)
      const etag = first.headers['etag']!
      assert.match(etag, /^"[\w-]+"$/)
      assert.equal(first.headers['cache-control'], 'private, max-age=300')
      assert.equal(first.headers['x-robots-tag'], 'noindex')
      assert.equal(first.headers['referrer-policy'], 'no-referrer')
      assert.equal(first.headers['content-type'], 'text/calendar; charset=utf-8')
      const modified = first.headers['last-modified']!
      assert.ok(Date.parse(modified) <= app().clock.now())

      const known = (tag: string) => read(path, { headers: { 'if-none-match': tag } })
      const same = await known(etag)
      assert.equal(same.status, 304)
      assert.equal(same.text, '')
      assert.equal(same.headers['etag'], etag)
      assert.equal((await known(`W/${etag}`)).status, 304)
      const since = (time: string) => read(path, { headers: { 'if-modified-since': time } })
      assert.equal((await since(modified)).status, 304)
      assert.equal((await since(new Date(Date.parse(modified) - 1000).toUTCString())).status, 200)
      assert.equal((await since('never')).status, 200)

      const update = await app().request('PUT', `/api/v1/flights/${flight.id}`, {
        key: await ada.key(),
        body: { date: '2026-02-20', fromId, toId, flightNumber: 'SK909' },
      })
      assert.equal(update.status, 200, update.text)
      assert.equal((await known(etag)).status, 200)
      assert.equal((await since(modified)).status, 200)
      const second = await read(path)
      assert.equal((await known(second.headers['etag']!)).status, 304)
      // Another person's flights do not change the feed.
      await logFlight(app(), bob, { date: '2026-02-20', fromId, toId })
      assert.equal((await known(second.headers['etag']!)).status, 304)
      await app().request('PUT', `/api/v1/feeds/${id}`, {
        key: await ada.key(),
        body: { ...calendar, name: 'N' },
      })
      assert.equal((await known(second.headers['etag']!)).status, 200)
      await app().request('PUT', '/api/v1/preferences', { key: await ada.key(), body: { language: 'de' } })
      assert.notEqual((await read(path)).headers['etag'], second.headers['etag'])
      app().clock.advance(61_000)
    })

    test('two changes within one second change the modification time', async () => {
      const ada = await app().person()
      const { fromId, toId } = await route(app())
      const { path } = await makeFeed(app(), ada, { kind: 'json', name: 'x' })
      await logFlight(app(), ada, { date: '2026-02-20', fromId, toId })
      const before = await read(path)
      await logFlight(app(), ada, { date: '2026-02-21', fromId, toId })
      const headers = { 'if-modified-since': before.headers['last-modified']! }
      assert.equal(idsIn(await read(path, { headers })).length, 2)
    })

    sqliteTest('a feed is compressed for clients that accept it', async () => {
      const ada = await app().person()
      const { fromId, toId } = await route(app())
      await logFlight(app(), ada, { date: '2026-02-20', fromId, toId, note: 'x'.repeat(3000) })
      const { path } = await makeFeed(app(), ada, { kind: 'json', name: 'x' })
      const plain = await read(path)
      const response = await fetch(app().url + path, { headers: { 'accept-encoding': 'gzip' } })
      assert.equal(response.headers.get('content-encoding'), 'gzip')
      assert.equal(response.headers.get('vary'), 'accept-encoding')
      assert.equal(response.headers.get('etag'), `W/${plain.headers['etag']}`)
      assert.equal(await response.text(), plain.text)
    })

    sqliteTest('calendars have times or whole days, and omit flights without a day', async () => {
      const ada = await app().person()
      const { fromId, toId } = await route(app())
      const timed = await logFlight(app(), ada, {
        date: '2026-03-29',
        fromId,
        toId,
        flightNumber: 'SK909',
        departure: '2026-03-29T12:20:00+02:00',
        arrival: '2026-03-29T14:55:00-04:00',
        bookingReference: 'ABC123',
        price: { amount: '99.50', currency: 'EUR' },
        passengers: [{ userId: ada.id, seatNumber: '12A' }, { guestName: 'Grace' }],
      })
      const day = await logFlight(app(), ada, { date: '1961-05-01', fromId, toId })
      await logFlight(app(), ada, { date: '2026-05-01', datePrecision: 'month', fromId, toId })
      const { path } = await makeFeed(app(), ada, calendar)
      const reply = await read(path)
      const events = eventsOf(reply)
      assert.deepEqual([...events.keys()].sort(), [uid(day.id), uid(timed.id)].sort())
      const event = new ICAL.Event(events.get(uid(timed.id))!)
      assert.equal(event.summary, 'SK909 CPH → EWR')
      const zone = events.get(uid(timed.id))!.getFirstProperty('dtstart')!.getParameter('tzid')
      assert.equal(zone, 'Europe/Copenhagen')
      assert.equal(event.description, 'Seat: 12A\nWith: Grace')
      assert.ok(reply.text.includes(`URL:http://localhost:3000/flights/${timed.id}\r\n`))
      assert.ok(reply.text.includes('TZID:America/New_York\r\n'))
      for (const secret of ['ABC123', '99.50']) assert.ok(!reply.text.includes(secret))
      assert.equal(events.get(uid(day.id))!.getFirstProperty('dtstart')!.type, 'date')
    })

    sqliteTest(
      'calendars name cities in their owner’s language; data uses the reference set’s names',
      async () => {
        const ada = await app().person()
        const { fromId, toId } = await route(app())
        const { id } = await logFlight(app(), ada, { date: '2026-03-29', fromId, toId })
        const feed = await makeFeed(app(), ada, calendar)
        const data = await makeFeed(app(), ada, { kind: 'json', name: 'x' })
        const locations = {
          ...{ en: 'Copenhagen', de: 'Kopenhagen', fr: 'Copenhague', es: 'Copenhague', it: 'Copenaghen' },
          auto: 'Copenhagen',
        }
        for (const [language, city] of Object.entries(locations)) {
          const key = await ada.key()
          await app().request('PUT', '/api/v1/preferences', { key, body: { language } })
          const files = [await read(feed.path), await read('/api/v1/flights/export?format=ics', { key })]
          for (const file of files) {
            const { location } = new ICAL.Event(eventsOf(file).get(uid(id))!)
            assert.match(location, new RegExp(`\\(CPH\\), ${city}$`), language)
          }
          assert.equal((await read(data.path)).json.data[0].from.municipality, 'Copenhagen')
        }
      },
    )

    sqliteTest('maps have valid GeoJSON lines, cut at the antimeridian, and tracks', async () => {
      const ada = await app().person()
      const [cph, ewr, akl, lax] = await airportIds(app(), 'CPH', 'EWR', 'AKL', 'LAX')
      const far = await logFlight(app(), ada, {
        date: '2026-02-20',
        fromId: akl,
        toId: lax,
        aircraftReg: 'ZK-NZE',
      })
      const tracked = await logFlight(app(), ada, {
        date: '2026-02-19',
        fromId: cph,
        toId: ewr,
        track: {
          coordinates: [
            [12.6, 55.6, 10],
            [-30, 60, 11000],
            [-74.1, 40.6, 5],
          ],
          sourceFormat: 'gpx',
        },
        bookingReference: 'ABC123',
      })
      const cancelled = await logFlight(app(), ada, {
        date: '2026-02-18',
        fromId: cph,
        toId: ewr,
        outcome: 'cancelled',
      })
      const { path } = await makeFeed(app(), ada, { kind: 'geojson', name: 'x' })
      const reply = await read(path)
      assert.equal(reply.headers['content-type'], 'application/geo+json; charset=utf-8')
      assert.ok(!reply.text.includes('ABC123'))
      const features = new Map(featuresOf(reply).map((feature) => [feature.id, feature]))
      assert.deepEqual([...features.keys()].sort(), [far.id, tracked.id].sort())
      assert.equal((features.get(far.id)!.geometry as { type: string }).type, 'MultiLineString')
      assert.deepEqual(features.get(tracked.id)!.geometry, {
        type: 'LineString',
        coordinates: [
          [12.6, 55.6, 10],
          [-30, 60, 11000],
          [-74.1, 40.6, 5],
        ],
      })
      const { properties } = features.get(far.id)!
      assert.equal(properties['aircraftReg'], 'ZK-NZE')
      assert.equal(properties['from'], 'AKL')
      assert.ok(Object.values(properties).every((value) => value === null || typeof value !== 'object'))
      const asked = await makeFeed(app(), ada, {
        kind: 'geojson',
        name: 'x',
        filters: { outcome: 'cancelled' },
      })
      assert.deepEqual(
        featuresOf(await read(asked.path)).map(({ id }) => id),
        [cancelled.id],
      )
    })

    test('the JSON feed equals the list of the API, on one page', async () => {
      const ada = await app().person()
      const { fromId, toId } = await route(app())
      for (const date of ['2026-02-20', '2025-01-01', '2027-01-01'])
        await logFlight(app(), ada, {
          date,
          fromId,
          toId,
          bookingReference: 'ABC123',
          price: { amount: '1', currency: 'EUR' },
        })
      const { path } = await makeFeed(app(), ada, { kind: 'json', name: 'x' })
      const [feed, list] = [
        await read(path),
        await app().request('GET', '/api/v1/flights', { key: await ada.key() }),
      ]
      const hidden = { bookingReference: null, price: null }
      const expected = list.json.data.map((flight: object) => ({
        ...flight,
        ...hidden,
        ...('externalIds' in flight ? { externalIds: {} } : {}),
      }))
      assert.deepEqual(feed.json, { data: expected, page: { nextCursor: null } })
      assert.equal(feed.json.data.length, 3)
    })

    test('redacted fields are in no kind of feed', async () => {
      const [ada, bob] = [await app().person(), await app().person()]
      const { fromId, toId } = await route(app())
      await logFlight(app(), ada, {
        date: '2026-02-20',
        fromId,
        toId,
        note: 'seekrit-note',
        aircraftReg: 'OY-SECRET',
        passengers: [
          { userId: ada.id, seat: 'window', seatNumber: '77Q', seatClass: 'first' },
          { userId: bob.id, seatNumber: '77R' },
          { guestName: 'Grace Hopper' },
        ],
      })
      const secrets: Record<string, string[]> = {
        seat: ['77Q', '"window"', '"first"', 'window'],
        note: ['seekrit-note'],
        reg: ['OY-SECRET'],
        passengers: [bob.displayName, 'Grace Hopper', bob.username],
      }
      for (const kind of ['ical', 'geojson', 'json']) {
        const open = await read((await makeFeed(app(), ada, { kind, name: 'x' })).path)
        const text = open.text.replaceAll('\r\n ', '')
        for (const one of ['77Q', 'seekrit-note', 'OY-SECRET', bob.displayName, 'Grace Hopper'])
          assert.ok(text.includes(one), `${kind} has ${one}`)
        for (const [redaction, hidden] of Object.entries(secrets)) {
          const { path } = await makeFeed(app(), ada, { kind, name: 'x', redact: [redaction] })
          const reply = (await read(path)).text.replaceAll('\r\n ', '')
          for (const one of hidden) assert.ok(!reply.includes(one), `${kind} hides ${one}`)
          const others = Object.entries(secrets).filter(([name]) => name !== redaction)
          for (const [name, [first]] of others)
            if (!(redaction === 'passengers' && name === 'seat'))
              assert.ok(reply.includes(first!), `${kind} keeps ${first}`)
        }
        for (const made of (await app().request('GET', '/api/v1/feeds', { key: await ada.key() })).json.data)
          await app().request('DELETE', `/api/v1/feeds/${made.id}`, { key: await ada.key() })
      }
    })

    test('a delay uses the arrival, else the departure, else the end of the day', async () => {
      const ada = await app().person()
      const { fromId, toId } = await route(app())
      app().clock.set('2027-03-01T12:00:00Z')
      const arrived = await logFlight(app(), ada, {
        date: '2027-03-01',
        fromId,
        toId,
        departure: '2027-03-01T03:00:00Z',
        arrival: '2027-03-01T11:00:00Z',
      })
      const departed = await logFlight(app(), ada, {
        date: '2027-03-01',
        fromId,
        toId,
        departure: '2027-03-01T09:00:00Z',
      })
      const dated = await logFlight(app(), ada, { date: '2027-03-01', fromId, toId })
      const { path } = await makeFeed(app(), ada, { kind: 'json', name: 'x', delayHours: 24 })
      const seen = async (time: string) => {
        app().clock.set(time)
        return idsIn(await read(path)).sort()
      }
      assert.deepEqual(await seen('2027-03-01T12:00:00Z'), [])
      const empty = await read(path)
      assert.deepEqual(await seen('2027-03-02T09:00:00Z'), [])
      assert.deepEqual(await seen('2027-03-02T09:00:01Z'), [departed.id])
      const headers = { 'if-none-match': empty.headers['etag']! }
      assert.equal((await read(path, { headers })).status, 200, 'time has changed the feed')
      const since = { 'if-modified-since': empty.headers['last-modified']! }
      assert.equal((await read(path, { headers: since })).status, 200)
      assert.deepEqual(await seen('2027-03-02T10:59:00Z'), [departed.id])
      assert.deepEqual(await seen('2027-03-02T11:00:01Z'), [arrived.id, departed.id].sort())
      // The day ends at midnight in Copenhagen.
      assert.deepEqual(await seen('2027-03-02T22:59:00Z'), [arrived.id, departed.id].sort())
      assert.deepEqual(await seen('2027-03-02T23:00:01Z'), [arrived.id, departed.id, dated.id].sort())
    })

    test('past and upcoming flights can be selected', async () => {
      const ada = await app().person()
      const { fromId, toId } = await route(app())
      app().clock.set('2027-05-01T12:00:00Z')
      const flown = await logFlight(app(), ada, { date: '2027-04-01', fromId, toId })
      const planned = await logFlight(app(), ada, {
        date: '2027-05-02',
        fromId,
        toId,
        departure: '2027-05-02T10:00:00Z',
        arrival: '2027-05-02T18:00:00Z',
      })
      const past = await makeFeed(app(), ada, { kind: 'json', name: 'x', upcoming: false })
      const upcoming = await makeFeed(app(), ada, { kind: 'json', name: 'x', past: false })
      const both = await makeFeed(app(), ada, { kind: 'json', name: 'x' })
      assert.deepEqual(idsIn(await read(past.path)), [flown.id])
      assert.deepEqual(idsIn(await read(upcoming.path)), [planned.id])
      assert.deepEqual(idsIn(await read(both.path)), [planned.id, flown.id])
      const tags = [(await read(upcoming.path)).headers['etag']!, (await read(both.path)).headers['etag']!]
      app().clock.set('2027-05-02T18:00:01Z')
      assert.deepEqual(idsIn(await read(past.path)), [planned.id, flown.id])
      assert.deepEqual(idsIn(await read(upcoming.path)), [])
      const again = async (path: string, tag: string) =>
        (await read(path, { headers: { 'if-none-match': tag } })).status
      assert.equal(await again(upcoming.path, tags[0]!), 200)
      assert.equal(await again(both.path, tags[1]!), 304, 'nothing of it depends on the time')
    })

    test('filters equal those of the list', async () => {
      const ada = await app().person()
      const { fromId, toId } = await route(app())
      const out = await logFlight(app(), ada, { date: '2026-02-20', fromId, toId, flightNumber: 'SK909' })
      await logFlight(app(), ada, { date: '2026-02-21', fromId: toId, toId: fromId, flightNumber: 'SK910' })
      for (const filters of [
        { from: 'CPH' },
        { from: ['CPH', 'JFK'] },
        { dateTo: '2026-02-20' },
        { flightNumber: 'SK 909' },
      ]) {
        const { path } = await makeFeed(app(), ada, { kind: 'json', name: 'x', filters })
        assert.deepEqual(idsIn(await read(path)), [out.id], JSON.stringify(filters))
      }
      const key = await ada.key()
      const refuse = async (body: object, ...path: string[]) =>
        assertError(
          await app().request('POST', '/api/v1/feeds', { key, body: { ...calendar, ...body } }),
          422,
          'validation_failed',
          path,
        )
      await refuse({ filters: { from: 'QQQQ' } }, 'filters', 'from')
      await refuse({ filters: { form: 'CPH' } }, 'filters', 'form')
      await refuse({ filters: { dateFrom: 'yesterday' } }, 'filters', 'dateFrom')
      await refuse({ kind: 'rss' }, 'kind')
      await refuse({ name: ' ' }, 'name')
      await refuse({ delayHours: 721 }, 'delayHours')
      await refuse({ delayHours: 0.5 }, 'delayHours')
      await refuse({ redact: ['everything'] }, 'redact', '0')
      await refuse({ color: 'red' }, 'color')
      await refuse({ past: false, upcoming: false }, 'past')
      await refuse({ past: false, delayHours: 1 }, 'past')
      const { id } = await makeFeed(app(), ada, calendar)
      const other = await app().request('PUT', `/api/v1/feeds/${id}`, {
        key,
        body: { ...calendar, kind: 'json' },
      })
      assertError(other, 422, 'validation_failed', ['kind'])
      assertError(
        await app().request('PUT', `/api/v1/feeds/${id}`, { key, body: {} }),
        422,
        'validation_failed',
      )
    })

    test('a filter with a missing airport shows nothing', async () => {
      const owner = await app().person('owner')
      const cookie = await owner.session()
      const { fromId, toId } = await route(app())
      const airport = await app().request('POST', '/app/api/airports', {
        cookie,
        body: {
          icao: 'ZQZQ',
          name: 'Field',
          latitude: 1,
          longitude: 2,
          timezone: 'Etc/UTC',
          type: 'small_airport',
          continent: 'EU',
          country: 'DK',
        },
      })
      assert.equal(airport.status, 201, airport.text)
      await logFlight(app(), owner, { date: '2026-02-20', fromId, toId })
      const { path } = await makeFeed(app(), owner, { ...calendar, filters: { from: 'ZQZQ' } })
      const deleted = await app().request('DELETE', `/app/api/airports/${airport.json.data.id}`, { cookie })
      assert.ok(deleted.status < 300, deleted.text)
      assert.equal(eventsOf(await read(path)).size, 0)
    })

    test('a deleted flight stays in calendars as cancelled for thirty days, if it was in them', async () => {
      const ada = await app().person()
      const key = await ada.key()
      app().clock.set('2027-06-01T12:00:00Z')
      const { fromId, toId } = await route(app())
      const log = (more: object) => logFlight(app(), ada, { date: '2027-05-20', fromId, toId, ...more })
      const flight = await log({ note: 'seekrit', flightNumber: 'SK909' })
      const erased = await log({})
      const other = await log({ fromId: toId, toId: fromId })
      const whole = await makeFeed(app(), ada, calendar)
      const filtered = await makeFeed(app(), ada, {
        ...calendar,
        filters: { from: 'CPH', flightNumber: '909' },
      })
      const late = await makeFeed(app(), ada, { ...calendar, delayHours: 720 })
      const list = await makeFeed(app(), ada, { kind: 'json', name: 'x' })
      const before = eventsOf(await read(whole.path))
      assert.equal(statusOf(before.get(uid(flight.id))), 'CONFIRMED')
      const tag = (await read(whole.path)).headers['etag']!
      for (const { id } of [flight, other]) {
        const reply = await app().request('DELETE', `/api/v1/flights/${id}`, { key })
        assert.equal(reply.status, 204, reply.text)
      }
      await app().request('DELETE', `/api/v1/flights/${erased.id}?permanently=true`, { key })
      assert.equal((await read(whole.path, { headers: { 'if-none-match': tag } })).status, 200)
      const after = await read(whole.path)
      const events = eventsOf(after)
      for (const { id } of [flight, other, erased]) assert.equal(statusOf(events.get(uid(id))), 'CANCELLED')
      const sequence = (event: ICAL.Component) => Number(event.getFirstPropertyValue('sequence'))
      assert.ok(sequence(events.get(uid(flight.id))!) > sequence(before.get(uid(flight.id))!))
      assert.equal(events.get(uid(flight.id))!.getFirstPropertyValue('summary'), 'SK909 CPH → EWR')
      assert.ok(!after.text.includes('seekrit'))
      assert.deepEqual([...eventsOf(await read(filtered.path)).keys()], [uid(flight.id)])
      assert.equal(eventsOf(await read(late.path)).size, 0)
      assert.deepEqual(idsIn(await read(list.path)), [])

      // A flight erased from the bin is unknown.
      await app().request('DELETE', `/api/v1/flights/${flight.id}?permanently=true`, { key })
      assert.equal(eventsOf(await read(filtered.path)).size, 0)
      assert.ok(!(await read(whole.path)).text.includes('SK909'))
      const back = await app().request('POST', `/api/v1/flights/${other.id}/restore`, { key })
      assert.ok(back.status < 300, back.text)
      assert.equal(statusOf(eventsOf(await read(whole.path)).get(uid(other.id))), 'CONFIRMED')
      app().clock.advance(30 * 86_400_000)
      assert.deepEqual([...eventsOf(await read(whole.path)).keys()], [uid(other.id)])
    })

    test('a cancelled flight becomes cancelled in calendars, and is not added to others', async () => {
      const ada = await app().person()
      const key = await ada.key()
      const { fromId, toId } = await route(app())
      const shown = await logFlight(app(), ada, { date: '2027-05-20', fromId, toId })
      await logFlight(app(), ada, { date: '2027-05-21', fromId, toId, outcome: 'cancelled' })
      const { path } = await makeFeed(app(), ada, calendar)
      assert.deepEqual([...eventsOf(await read(path)).keys()], [uid(shown.id)])
      await app().request('PUT', `/api/v1/flights/${shown.id}`, {
        key,
        body: { date: '2027-05-20', fromId, toId, outcome: 'cancelled' },
      })
      const events = eventsOf(await read(path))
      assert.deepEqual([...events.keys()], [uid(shown.id)])
      assert.equal(statusOf(events.get(uid(shown.id))), 'CANCELLED')
      const list = await makeFeed(app(), ada, { kind: 'json', name: 'x' })
      assert.deepEqual(idsIn(await read(list.path)), [])
    })

    test('a feed shows only its owner’s flights, while the role permits reading them', async () => {
      const [ada, bob] = [await app().person(), await app().person()]
      const { fromId, toId } = await route(app())
      const adas = await logFlight(app(), ada, { date: '2026-02-20', fromId, toId })
      const shared = await logFlight(app(), bob, {
        date: '2026-02-21',
        fromId,
        toId,
        passengers: [{ userId: bob.id }, { userId: ada.id }],
      })
      const bobs = await logFlight(app(), bob, { date: '2026-02-22', fromId, toId })
      const feeds = [
        await makeFeed(app(), ada, { kind: 'json', name: 'x' }),
        await makeFeed(app(), bob, { kind: 'json', name: 'x' }),
      ] as const
      assert.deepEqual(idsIn(await read(feeds[0].path)), [shared.id, adas.id])
      assert.deepEqual(idsIn(await read(feeds[1].path)), [bobs.id, shared.id])
      const key = await bob.key()
      for (const [method, suffix] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/rotate'],
      ] as const)
        assertError(
          await app().request(method, `/api/v1/feeds/${feeds[0].id}${suffix}`, {
            key,
            body: { kind: 'json', name: 'x' },
          }),
          404,
          'not_found',
        )
      const listed = await app().request('GET', '/api/v1/feeds', { key })
      assert.deepEqual(
        listed.json.data.map(({ id }: { id: number }) => id),
        [feeds[1].id],
      )
      // Leaving a flight cancels it in the calendar of the person who left.
      const own = await makeFeed(app(), ada, calendar)
      const left = await app().request('PUT', `/api/v1/flights/${shared.id}`, {
        key,
        body: { date: '2026-02-21', fromId, toId, passengers: [{ userId: bob.id }] },
      })
      assert.equal(left.status, 200, left.text)
      assert.equal(statusOf(eventsOf(await read(own.path)).get(uid(shared.id))), 'CANCELLED')
      assert.deepEqual(idsIn(await read(feeds[0].path)), [adas.id])

      const limited = await app().person(['flight.read.own', 'flight.create.own'])
      const { path } = await makeFeed(app(), limited, calendar)
      assert.equal((await read(path)).status, 200)
      await app().store.transaction((tx) =>
        tx.query(
          `update role set permissions = '[]' where id = (select role_id from person where id = '${limited.id}')`,
          [],
        ),
      )
      const refused = await read(path)
      assertError(refused, 404, 'not_found')
      assert.equal(refused.text, (await read('/feeds/x.ics')).text)
    })

    test('feeds need their scopes, and their number per person is limited', async () => {
      const ada = await app().person()
      for (const scopes of [['feeds.manage'], ['flight.read.own']] as const) {
        const key = await ada.key(scopes)
        assertError(
          await app().request('POST', '/api/v1/feeds', { key, body: calendar }),
          403,
          'insufficient_scope',
        )
      }
      for (let i = 0; i < 20; i++) await makeFeed(app(), ada, calendar)
      const key = await ada.key(['feeds.manage', 'flight.read.own'])
      assertError(await app().request('POST', '/api/v1/feeds', { key, body: calendar }), 409, 'conflict')
    })

    test('the time of the last read is stored', async () => {
      const ada = await app().person()
      const { id, path } = await makeFeed(app(), ada, calendar)
      await read(path)
      const now = new Date(app().clock.now()).toISOString()
      for (let i = 0; i < 100; i++) {
        const { json } = await app().request('GET', `/api/v1/feeds/${id}`, { key: await ada.key() })
        if (json.data.lastReadAt !== null) return assert.equal(json.data.lastReadAt, now)
      }
      assert.fail('it was never noted')
    })

    sqliteTest('a thousand flights are served in every kind of feed', async () => {
      const ada = await app().person()
      await logMany(app(), ada, 1000)
      const sizes = { ical: 0, geojson: 0, json: 0 }
      for (const kind of ['ical', 'geojson', 'json'] as const) {
        const { path } = await makeFeed(app(), ada, { kind, name: 'x' })
        const reply = await read(path)
        sizes[kind] =
          kind === 'ical'
            ? eventsOf(reply).size
            : kind === 'geojson'
              ? featuresOf(reply).length
              : idsIn(reply).length
        const zipped = await fetch(app().url + path, { headers: { 'accept-encoding': 'gzip' } })
        assert.equal(await zipped.text(), reply.text)
      }
      assert.deepEqual(sizes, { ical: 1000, geojson: 1000, json: 1000 })
    })
  },
  { accessLog: true },
)

async function logMany(app: TestApp, who: TestPerson, count: number): Promise<void> {
  const [fromId, toId] = await airportIds(app, 'CPH', 'EWR')
  const empty = { guestName: null, seat: null, seatNumber: null, seatClass: null, flightReason: null }
  const at = '2026-01-01T00:00:00.000Z'
  await app.store.transaction(async (tx) => {
    let id = 0
    for (let i = 0; i < count; i++) {
      const departed = Date.UTC(1960, 0, 1, 11) + i * 20 * 86_400_000
      const date = new Date(departed).toISOString().slice(0, 10)
      const departure = new Date(departed).toISOString()
      const flight = { ...nothingKnown, date, departure, note: `größer → ${i}`, fromId: fromId!, toId: toId! }
      id = await insertFlight(tx, flight, {}, at)
      await insertPassenger(tx, { id, date }, { ...empty, userId: who.id }, {})
    }
    await noteFlightsChanged(tx, [id], at, { author: SYSTEM, edits: null })
  })
}

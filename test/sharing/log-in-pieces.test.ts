// The legacy list and the exports consist of pieces that are kept. After every step of a random history they equal documents
// of an application that keeps nothing, and only the pieces that changed were made.
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createApp } from '../../server/app.ts'
import { createKeptPieces } from '../../server/base/response/kept-pieces.ts'
import { readWebFiles } from '../../server/http/web.ts'
import { readAllRevisions, writeRestoredRevisions } from '../../server/store/engine/revisions.ts'
import { airportIds } from '../fixtures.ts'
import { createRandom, onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { isLong } from '../rounds.ts'

const STEPS = isLong ? 300 : 16
const FLIGHTS = 150

const LIST = '/api/flight/list'
const paths = [
  LIST,
  '/api/v1/flights/export',
  '/api/v1/flights/export?format=yaml',
  '/api/v1/flights/export?format=csv',
  '/api/v1/flights/export?format=geojson',
]

const read = (url: string, key: string, isZipped: boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, ...(isZipped && { 'accept-encoding': 'gzip' }) }
    const request = http.get(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const isGzip = response.headers['content-encoding'] === 'gzip'
        resolve(`${response.statusCode} ${isGzip ? gunzipSync(bytes) : bytes}`)
      })
    })
    request.on('error', reject)
  })

onBothEngines('a log in pieces', (app) => {
  let nothingKept: ReturnType<typeof createApp>
  let freshUrl: string
  let ada: TestPerson
  let bob: TestPerson
  let owner: TestPerson
  let keys: [string, string, string]
  let airports: number[]
  const ids: number[] = []

  before(async () => {
    const { store, clock, services } = app()
    const config = { ...app().config, responseCacheDisk: 0 }
    nothingKept = createApp({ store, config, clock, log: services.log, webFiles: readWebFiles('/nowhere') })
    nothingKept.services.keptPieces = createKeptPieces(0)
    await nothingKept.server.listen({ port: 0, host: '127.0.0.1' })
    freshUrl = `http://127.0.0.1:${(nothingKept.server.server.address() as AddressInfo).port}`
    ada = await app().person()
    bob = await app().person()
    owner = await app().person('owner')
    keys = [await ada.key(), await bob.key(), await owner.key()]
    airports = await airportIds(app(), 'CPH', 'JFK', 'HND', 'OSL')
    await addCustomRecords(app(), owner)
    for (let start = 0; start < FLIGHTS; start += 50)
      await send('POST', '/api/v1/flights/bulk', {
        operations: Array.from({ length: 50 }, (_, i) => ({ op: 'create', flight: flightOn(start + i) })),
      })
    const listed = await app().request('GET', '/api/flight/list', { key: keys[0] })
    ids.push(...listed.json.flights.map(({ id }: { id: number }) => id))
    assert.equal(ids.length, FLIGHTS)
  })
  after(() => nothingKept?.server.close())

  async function addCustomRecords({ request }: TestApp, by: TestPerson): Promise<void> {
    const place = {
      name: 'Own field',
      latitude: 1,
      longitude: 2,
      timezone: 'UTC',
      continent: 'EU',
      country: 'DK',
    }
    const body = { ...place, icao: 'ZZ77' }
    const made = await request('POST', '/app/api/airports', { cookie: await by.session(), body })
    assert.equal(made.status, 201, made.text)
    airports.push(made.json.data.id)
  }

  const flightOn = (day: number) => ({
    date: new Date(Date.UTC(2010, 0, 1 + day * 7)).toISOString().slice(0, 10),
    fromId: airports[day % airports.length]!,
    toId: airports[(day + 1) % airports.length]!,
    note: `Flight ${day}`,
    passengers: [{ userId: ada.id }, ...(day % 3 === 0 ? [{ userId: bob.id, seat: 'window' }] : [])],
  })

  async function send(method: string, path: string, body?: object, key = keys[0]) {
    const reply = await app().request(method, path, { key, ...(body && { body }) })
    assert.ok(reply.status < 500 && reply.status !== 400, `${method} ${path}: ${reply.text}`)
    return reply
  }

  const asOwner = async (method: string, path: string, body: object) => {
    const reply = await app().request(method, path, { cookie: await owner.session(), body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
  }

  function steps(random: ReturnType<typeof createRandom>): Record<string, () => Promise<unknown>> {
    const flight = `/api/v1/flights/${random.pick(ids)}`
    const number = random.below(1000)
    return {
      async log() {
        const { json } = await send('POST', '/api/v1/flights', flightOn(number))
        if (json.data?.id) ids.push(json.data.id)
      },
      note: () => send('PATCH', flight, { note: `Note ${number}` }),
      date: () => send('PATCH', flight, { date: flightOn(number).date }),
      cancel: () => send('PATCH', flight, { outcome: random.pick(['cancelled', 'flown']) }),
      ids: () => send('PATCH', flight, { externalIds: { other: `${number}-${random.below(1e6)}` } }),
      idsOfBob: () => send('PATCH', flight, { externalIds: { other: `b${random.below(1e6)}` } }, keys[1]),
      passengers: () => send('PUT', flight, flightOn(number)),
      delete: () => send('DELETE', flight),
      restore: () => send('POST', `${flight}/restore`),
      destroy: () => send('DELETE', `${flight}?permanently=true`),
      track: () =>
        send('PUT', `${flight}/track`, {
          coordinates: [
            [0, 0],
            [1, number / 10],
          ],
          sourceFormat: 'gpx',
        }),
      noTrack: () => send('DELETE', `${flight}/track`),
      async undo() {
        const [newest] = (await send('GET', '/api/v1/history?limit=1')).json.data
        if (newest) await send('POST', '/api/v1/history/undo', { changeId: newest.changeId })
      },
      airport: () =>
        asOwner('PUT', `/app/api/airports/${airports.at(-1)}`, {
          ...{ name: `Field ${number}`, icao: 'ZZ77', latitude: 1, longitude: 2, timezone: 'UTC' },
          ...{ continent: 'EU', country: 'DK' },
        }),
      async person() {
        const body = { username: bob.username, displayName: `Bob ${number}` }
        const reply = await app().request('PUT', '/app/api/me', { cookie: await bob.session(), body })
        assert.equal(reply.status, 204, reply.text)
      },
      restoreBackup: () =>
        app().store.transaction(async (tx) => {
          await tx.query(`update flight set duration = ${1 + number}`, [])
          await writeRestoredRevisions(tx, await readAllRevisions(tx), app().clock.now())
        }),
    }
  }

  /** The documents of Ada, Bob and, of everyone's flights, the owner. Only the list is sent compressed. */
  async function assertEqual(history: string, some = paths): Promise<void> {
    for (const path of some)
      for (const [who, key] of keys.entries()) {
        const all = `${path.includes('?') ? '&' : '?'}scope=all`
        const whole = path + (who === 2 ? all : '')
        const fresh = await read(freshUrl + whole, key, false)
        assert.ok(fresh.startsWith('200 '), fresh.slice(0, 300))
        assert.equal(await read(app().url + whole, key, false), fresh, `${whole} after ${history}`)
        if (path === LIST) assert.equal(await read(app().url + whole, key, true), fresh, history)
      }
  }

  test('after every step of a random history they equal documents made from nothing', async () => {
    const random = createRandom(7)
    const taken: string[] = []
    await assertEqual('nothing')
    for (let i = 0; i < STEPS; i++) {
      const all = steps(random)
      const name = random.pick(Object.keys(all))
      await all[name]!()
      taken.push(name)
      await assertEqual(taken.join(', '), [LIST, paths[1 + (i % (paths.length - 1))]!])
    }
    const left = steps(random)
    for (const name of Object.keys(left).filter((one) => !taken.includes(one))) {
      await left[name]!()
      taken.push(name)
      await assertEqual(taken.join(', '), paths.slice(0, 2))
    }
    await assertEqual(taken.join(', '))
  })

  test('only the piece of a changed flight is made again', async () => {
    const { services } = app()
    const { keptPieces } = services
    let [asked, made] = [0, 0]
    services.keptPieces = {
      piece(key, make) {
        asked++
        return keptPieces.piece(key, () => {
          made++
          return make()
        })
      },
    }
    try {
      await send('GET', '/api/flight/list')
      ;[asked, made] = [0, 0]
      const present = (await send('GET', '/api/v1/flights?limit=100')).json.data
      await send('PATCH', `/api/v1/flights/${present[70].id}`, { note: 'once more' })
      await send('GET', '/api/flight/list')
      assert.equal(made, 1)
      assert.ok(asked > 3, String(asked))
      await send('POST', '/api/v1/flights', flightOn(5000))
      await send('GET', '/api/flight/list')
      assert.ok(made <= 3, String(made))
    } finally {
      services.keptPieces = keptPieces
    }
  })
})

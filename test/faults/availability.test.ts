// One client must not block the others: while the most expensive known requests are served, /healthz takes little longer
// than during a plain request of the same size. Response times are compared with each other, never with a fixed limit.
import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, describe, test } from 'node:test'
import { createDataset } from '../../bench/data.ts'
import { createLogger } from '../../server/base/log.ts'
import { createSecret } from '../../server/base/secret/secrets.ts'
import { insertSession } from '../../server/store/accounts/sessions.ts'
import { openStore } from '../../server/store/store.ts'
import { freshDatabase } from '../harness.ts'
import { type ServerProcess, startServer } from '../running/processes.ts'

const FLIGHTS = 5_000
const ROUNDS = 3
/** Generous, because the machine may be busy. The faults tested here took a hundred times as long. */
const RATIO = 8

const MEGABYTE = 1024 ** 2
const SMALL = 16_000

const listed = (piece: string, bytes: number) =>
  Array(Math.floor(bytes / (piece.length + 1)))
    .fill(piece)
    .join(',')

interface Sent {
  method?: string
  path: string
  as?: 'stranger' | 'key' | 'session'
  headers?: Record<string, string>
  body?: string | Buffer
}

const signInWith = (body: string): Sent => ({ method: 'POST', path: '/app/api/sign-in', body })
const form = (path: string, body: string): Sent => ({
  method: 'POST',
  path,
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

let addresses = 0
/** Each request from another address, to stay below the rate limits. */
const anywhere = () => {
  addresses++
  return { 'x-client-address': `198.51.${Math.floor(addresses / 250)}.${addresses % 250}` }
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`availability on ${engine}`, () => {
    let server: ServerProcess
    let drop: () => Promise<void>
    let key: string
    let cookie: string
    let userId: string
    let airports: number[]
    const agent = new http.Agent({ keepAlive: true })
    const prober = new http.Agent({ keepAlive: true, maxSockets: 1 })

    before(async () => {
      const { drop: dropDatabase, ...place } = await freshDatabase(engine)
      drop = dropDatabase
      ;({ key, userId } = await createDataset(place, FLIGHTS))
      const store = await openStore(place, createLogger('silent'))
      const { secret, hash } = createSecret('session')
      cookie = `contrail=${secret}`
      await store.transaction(async (tx) => {
        const now = new Date().toISOString()
        await insertSession(tx, { hash, userId, userAgent: null, now, expiresAt: '2099-01-01T00:00:00.000Z' })
      })
      const rows = await store.read.query('select id from airport order by id limit 2', [])
      airports = rows.map((row) => Number(row['id']))
      await store.close()
      server = await startServer(place, { ADDRESS_HEADER: 'x-client-address' })
    })
    after(async () => {
      agent.destroy()
      prober.destroy()
      await server?.stop()
      await drop?.()
    })

    /** Sends a request and discards the response. */
    function send(
      { method = 'GET', path, as = 'stranger', headers, body }: Sent,
      by = agent,
    ): Promise<number> {
      const all: Record<string, string | number> = {
        host: 'localhost:3000',
        'sec-fetch-site': 'same-origin',
        ...(as === 'key' ? { authorization: `Bearer ${key}` } : as === 'session' ? { cookie } : {}),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers,
      }
      return new Promise((resolve, reject) => {
        const request = http.request(server.url + path, { method, headers: all, agent: by }, (response) => {
          response.resume()
          response.on('error', reject)
          response.on('end', () => resolve(response.statusCode!))
        })
        request.on('error', reject)
        request.end(body)
      })
    }

    /** The longest response time of /healthz during the work. */
    async function longestWait(work: () => Promise<unknown>): Promise<number> {
      let isDone = false
      const running = work().finally(() => {
        isDone = true
      })
      let longest = 0
      do {
        const start = performance.now()
        await send({ path: '/healthz' }, prober)
        longest = Math.max(longest, performance.now() - start)
      } while (!isDone)
      await running
      return longest
    }
    /**
     * Runs both alternately, so that other load on the machine affects both. It can only add to a wait, as the first collection
     * of garbage does: the shortest of each is nearest to what the request takes, and what blocks does so every time.
     */
    async function compare(worst: () => Promise<unknown>, plain: () => Promise<unknown>): Promise<number> {
      const waits: [number[], number[]] = [[], []]
      for (let i = 0; i < ROUNDS; i++) {
        waits[0].push(await longestWait(worst))
        waits[1].push(await longestWait(plain))
      }
      const [ofWorst, ofPlain] = waits.map((ofKind) => Math.min(...ofKind))
      return ofWorst! / ofPlain!
    }

    /** As many small, ordinary values as fit. */
    const plainBody = (bytes: number) => `{"note":[${listed('"xxxxxx"', bytes)}]}`
    const plainPost = (bytes: number) => () =>
      send({ method: 'POST', path: '/api/v1/flights', as: 'key', body: plainBody(bytes) })

    /** Requests without a credential, compared with a plain body of the same size from an authorised client. */
    const fromStrangers: [string, number, Sent][] = [
      ['invalid text, 2 MB', 2 * MEGABYTE, signInWith(`[${listed('"\\u0000"', 2 * MEGABYTE)}]`)],
      ['invalid text, 16 kB', SMALL, signInWith(`[${listed('[{"a":"\\ud800"}]', SMALL)}]`)],
      ['nesting, 16 kB', SMALL, { method: 'POST', path: '/oauth/register', body: '['.repeat(SMALL) }],
      ['one parameter many times', SMALL, form('/oauth/token', 'a=1&'.repeat(SMALL / 4))],
      [
        'a form of names without values',
        SMALL,
        form('/sign-in', Array.from({ length: 3000 }, (_, i) => i).join('&')),
      ],
      ['a long address', SMALL, { path: `/sign-in?${'next=1&'.repeat(1100)}` }],
    ]
    for (const [name, bytes, sent] of fromStrangers) {
      test(`others are served despite a stranger: ${name}`, async () => {
        const ratio = await compare(
          () => send({ ...sent, headers: { ...sent.headers, ...anywhere() } }),
          plainPost(bytes),
        )
        assert.ok(ratio < RATIO, `takes ${ratio.toFixed(1)} times as long`)
      })
    }

    const post = (body: string, path = '/api/v1/flights'): Sent => ({ method: 'POST', path, as: 'key', body })
    const manyKeys = Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(',')
    const call = (given: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_flights","arguments":{${given}}}}`
    const toMcp = (body: string): Sent => ({
      ...post(body, '/api/mcp'),
      headers: { accept: 'application/json, text/event-stream' },
    })
    const fromPeople: [string, Sent][] = [
      ['invalid text', post(`[${listed('"\\u0000"', MEGABYTE)}]`)],
      ['members that might hide it', post(`{"a":[${listed('{"\\\\u0000":[1]}', MEGABYTE)}]}`)],
      ['nesting', post('['.repeat(MEGABYTE))],
      ['a number of a million digits', post(`{"fromId":${'9'.repeat(MEGABYTE)}}`)],
      ['empty passengers', post(`{"passengers":[${listed('{}', MEGABYTE)}]}`)],
      ['unknown members', post(`{${manyKeys}}`)],
      [
        'a log entry with endless lists',
        post(`{"passengers":[${listed('1', MEGABYTE)}]}`, '/api/v1/flights/log'),
      ],
      [
        'a legacy flight with endless seats',
        post(`{"seats":[${listed('{}', MEGABYTE)}]}`, '/api/flight/save'),
      ],
      [
        'a key with endless scopes',
        { ...post(`{"name":"x","scopes":[${listed('1', MEGABYTE)}]}`, '/app/api/api-keys'), as: 'session' },
      ],
      [
        'a track of wrong points',
        {
          ...post(`{"coordinates":[${listed('["a"]', MEGABYTE)}]}`, '/api/v1/flights/1/track'),
          method: 'PUT',
        },
      ],
      ['unknown arguments', toMcp(call(manyKeys))],
    ]
    for (const [name, sent] of fromPeople) {
      test(`others are served despite a person: ${name}`, async () => {
        const ratio = await compare(() => send(sent), plainPost(String(sent.body).length))
        assert.ok(ratio < RATIO, `takes ${ratio.toFixed(1)} times as long`)
      })
    }

    // For a large log, compared with opening it in the web app for the first time after a change.
    let pages = 0
    const nextPage = () => `/api/v1/flights?limit=${100 - (pages++ % 50)}`
    const tenLists = `[${Array.from({ length: 10 }, () => call('"limit":100')).join(',')}]`
    const ofLog: [string, () => Promise<unknown>][] = [
      ['a page', () => send({ path: nextPage(), as: 'key' })],
      ['a page, zipped', () => send({ path: nextPage(), as: 'key', headers: { 'accept-encoding': 'gzip' } })],
      ['an export', () => send({ path: '/api/v1/flights/export', as: 'key' })],
      ['an export as YAML', () => send({ path: '/api/v1/flights/export?format=yaml', as: 'key' })],
      ['the legacy list', () => send({ path: '/api/flight/list', as: 'key' })],
      ['statistics', () => send({ path: '/api/v1/stats', as: 'key' })],
      ['a search that finds nothing', () => send({ path: '/api/v1/flights/search?airport=ZZZZ', as: 'key' })],
      [
        'an airport search of a thousand words',
        () => send({ path: `/api/v1/airports?query=${'ab%20'.repeat(1000)}`, as: 'key' }),
      ],
      ['ten lists in one message', () => send(toMcp(tenLists))],
    ]
    for (const [name, work] of ofLog) {
      test(`others are served despite a large log: ${name}`, async () => {
        const ratio = await compare(
          () => newFlight().then(work),
          () => newFlight().then(() => send({ path: '/app/api/log', as: 'session' })),
        )
        assert.ok(ratio < RATIO, `takes ${ratio.toFixed(1)} times as long`)
      })
    }

    const flight = () => ({
      date: '2026-05-01',
      fromId: airports[0],
      toId: airports[1],
      passengers: [{ userId }],
    })
    /** After a write nothing of the log is cached. */
    async function newFlight(): Promise<void> {
      assert.equal(await send(post(JSON.stringify(flight()))), 201)
    }

    test('a catastrophic pattern', async () => {
      const field = {
        entityType: 'flight',
        key: 'slow',
        label: 'Slow',
        fieldType: 'text',
        validation: { regex: 'a*a*a*a*a*b' },
      }
      const made = await send({ ...post(JSON.stringify(field), '/app/api/custom-fields'), as: 'session' })
      assert.equal(made, 201)
      const customFields = { slow: 'a'.repeat(10_000) }
      const slow = JSON.stringify({ ...flight(), customFields })
      assert.equal(await send(post(slow)), 422)
      const ratio = await compare(
        () => send(post(slow)),
        () => newFlight().then(() => send({ path: '/app/api/log', as: 'session' })),
      )
      assert.ok(ratio < RATIO, `takes ${ratio.toFixed(1)} times as long`)
    })

    test('32 concurrent sign-ins delay neither /healthz nor compressed responses', async () => {
      const crowd = () =>
        Promise.all(
          Array.from({ length: 32 }, (_, i) =>
            send({
              method: 'POST',
              path: '/app/api/sign-in',
              body: JSON.stringify({ username: `crowd${i}`, password: 'wrong' }),
              headers: anywhere(),
            }),
          ),
        )
      const zipped = async () => {
        const start = performance.now()
        await send({ path: nextPage(), as: 'key', headers: { 'accept-encoding': 'gzip' } })
        return performance.now() - start
      }
      const [together, alone]: [number[], number[]] = [[], []]
      for (let i = 0; i < ROUNDS; i++) {
        await newFlight()
        const signingIn = crowd()
        together.push(await zipped())
        await signingIn
        await newFlight()
        alone.push(await zipped())
      }
      const ratio = Math.min(...together) / Math.min(...alone)
      // Two hashes keep both cores of a small machine busy; waiting for all 32 would take a hundred times as long.
      assert.ok(ratio < 5 * RATIO, `compressing takes ${ratio.toFixed(1)} times as long`)
    })
  })
}

// The benchmarks must measure what the application writes: a filled log is compared with one made through the API, row by
// row and response by response.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDataset } from '../../bench/data.ts'
import { fillLogs } from '../../bench/fill.ts'
import { send } from '../../bench/load.ts'
import { works } from '../../bench/long-logs.ts'
import type { Measured } from '../../bench/processes.ts'
import { scenarios } from '../../bench/scenarios.ts'
import { createWorld, fillPeople, kinds } from '../../bench/simulation.ts'
import { onBothEngines, startTestApp, type TestApp, type TestPerson } from '../harness.ts'

const FLIGHTS = 12

/** The columns by which rows of two databases are matched. */
const tables: Record<string, string> = {
  flight: 'id',
  flight_passenger: 'id',
  change: 'number, viewer',
  flight_history: 'change_id',
  revision: 'name',
}

type Logged = { id: number; from: { id: number }; to: { id: number }; [field: string]: unknown }

/** The same flight as sent by a program. */
const asSent = ({ id, from, to, airline, aircraft, externalIds, ...flight }: Logged) => ({
  ...flight,
  fromId: from.id,
  toId: to.id,
  airlineId: (airline as { id: number }).id,
  aircraftId: (aircraft as { id: number }).id,
})

const readable = new Set([
  'date',
  'datePrecision',
  'departure',
  'arrival',
  'departureTerminal',
  'departureGate',
  'flightNumber',
  'aircraftReg',
  'note',
  'fromId',
  'toId',
  'airlineId',
  'aircraftId',
])
const bodyOf = (flight: Logged, userId: string) => ({
  ...Object.fromEntries(Object.entries(asSent(flight)).filter(([name]) => readable.has(name))),
  passengers: [{ userId, seat: 'window', seatNumber: '12A', seatClass: 'economy', flightReason: 'leisure' }],
})

async function rowsOf(app: TestApp, who: TestPerson): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [table, order] of Object.entries(tables)) {
    const rows = await app.store.read.query(`select * from ${table} order by ${order}`, [])
    // People have random ids.
    found[table] = JSON.parse(JSON.stringify(rows).replaceAll(who.id, 'ada'))
  }
  return found
}

/** Tables with at least one row, in addition to the compared ones. */
async function otherRows(app: TestApp, engine: string): Promise<Record<string, number>> {
  const names =
    engine === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name`
      : `/* test */ select table_name as name from information_schema.tables where table_schema = 'public' order by 1`
  const counts: Record<string, number> = {}
  for (const { name } of await app.store.read.query(names, [])) {
    const [row] = await app.store.read.query(`select count(*) as n from "${name}"`, [])
    counts[String(name)] = Number(row!['n'])
  }
  return counts
}

async function responses(app: TestApp, key: string, who: TestPerson): Promise<string[]> {
  const paths = [
    '/api/v1/flights',
    '/api/v1/flights?limit=5',
    '/api/v1/flights/3',
    '/api/v1/stats',
    '/api/v1/changes',
    '/api/v1/flights/3/history',
    '/api/v1/flights/export',
    '/api/flight/list',
    '/api/stats',
  ]
  const texts: string[] = []
  for (const path of paths) {
    const { status, text, headers } = await app.request('GET', path, { key })
    assert.equal(status, 200, text)
    const tag = path.startsWith('/api/v1/flights/') ? headers.etag : ''
    // Names, ids and tokens of people differ; what they see does not.
    texts.push(`${path} ${tag} ${text}`.replaceAll(who.id, 'ada').replace(/"token":"[^"]*"/, ''))
  }
  return texts
}

onBothEngines('data of the benchmarks', (app, engine) => {
  test('a filled log has the same rows and responses as one made by requests', async () => {
    const made = await startTestApp(engine)
    try {
      const [grace, ada] = [await app().person(), await made.person()]
      const [filledKey, madeKey] = [await grace.key(), await ada.key()]
      const at = new Date(app().clock.now()).toISOString()
      await fillLogs(app().store, [{ userId: grace.id, flights: FLIGHTS, keyId: 1 }], { at })
      const all = await app().request('GET', '/api/v1/flights?limit=100', { key: filledKey })
      const flights: Logged[] = all.json.data.toSorted((a: Logged, b: Logged) => a.id - b.id)
      assert.equal(flights.length, FLIGHTS)
      for (const flight of flights) {
        const reply = await made.request('POST', '/api/v1/flights', {
          key: madeKey,
          body: bodyOf(flight, ada.id),
        })
        assert.equal(reply.status, 201, reply.text)
      }
      assert.deepEqual(await rowsOf(app(), grace), await rowsOf(made, ada))
      assert.deepEqual(await otherRows(app(), engine), await otherRows(made, engine))
      const names = (texts: string[], who: TestPerson) =>
        texts.map((text) => text.replaceAll(who.displayName, 'Ada').replaceAll(who.username, 'ada'))
      assert.deepEqual(
        names(await responses(app(), filledKey, grace), grace),
        names(await responses(made, madeKey, ada), ada),
      )
    } finally {
      await made.close()
    }
  })

  test('flights of several people are stored in turns, and a second filling continues', async () => {
    const [ada, grace] = [await app().person(), await app().person()]
    const before = (await app().store.read.query('select max(id) as id from flight', []))[0]!['id'] as number
    const logs = [ada, grace].map(({ id }, i) => ({ userId: id, flights: 3 + 2 * i, keyId: 1 }))
    await fillLogs(app().store, logs, { inTurns: 2 })
    const rows = await app().store.read.query(
      `select user_id from flight_passenger where flight_id > ${before} order by flight_id`,
      [],
    )
    const owners = rows.map((row) => (row['user_id'] === ada.id ? 'ada' : 'grace'))
    assert.equal(owners.join(' '), 'ada ada grace grace ada grace grace grace')
    const created = await app().request('POST', '/api/v1/flights', {
      key: await grace.key(),
      body: { date: '2026-01-01', fromId: 2542, toId: 2578 },
    })
    assert.equal(created.json.data.id, before + 9, created.text)
  })
})

test('every measured request has the expected response', async () => {
  const app = await startTestApp('sqlite')
  try {
    const dataset = await createDataset(app.config, 60)
    const port = Number(new URL(app.url).port)
    for (const { name, make, status = 200 } of [
      ...scenarios,
      ...works.map((work) => ({ ...work, status: 200 })),
    ]) {
      const { status: found, bytes } = await send(port, make(dataset)(0))
      const text = bytes.toString().slice(0, 500)
      // Without a tag, no response can be 304.
      assert.equal(found, status === 304 ? 200 : status, `${name}: ${text}`)
      assert.ok(!bytes.includes('"isError":true'), `${name}: ${text}`)
    }
  } finally {
    await app.close()
  }
})

test('the simulated actions succeed, also when repeated', async () => {
  const app = await startTestApp('sqlite')
  try {
    const [, person] = await fillPeople(app.config, { people: 2, flights: 60 })
    const world = createWorld({ port: Number(new URL(app.url).port) } as Measured)
    for (const time of [1, 2]) for (const { run } of kinds) await run(world, person!, time)
    assert.ok(world.requests() > kinds.length)
  } finally {
    await app.close()
  }
})

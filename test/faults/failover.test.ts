// Two PostgreSQL servers in DATABASE_URL with synchronous replication. The primary is killed while clients write, and the
// standby promoted: the process continues, no acknowledged write is lost, and writing continues automatically.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createLogger } from '../../server/base/log.ts'
import { seed } from '../../server/process/seed.ts'
import { openStore } from '../../server/store/store.ts'
import { airportIds } from '../fixtures.ts'
import { startTestApp } from '../harness.ts'
import { contrail, type ServerProcess, startServer, tryAsking } from '../running/processes.ts'
import { until } from '../until.ts'
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts'

const CLIENTS = 8

describe('several PostgreSQL servers', () => {
  let pair: PostgresPair
  let server: ServerProcess
  let databaseUrl: string
  let key: string
  let flight: object

  before(async () => {
    pair = await startPostgresPair('failover', prepare, { isSynchronous: true })
    const { primary, standby } = pair
    // The writable server is last in the list.
    databaseUrl = primary.url.replace(primary.place, `${standby.place},${primary.place}`)
    server = await startServer({ databaseUrl, dataDir: pair.folder }, { DATABASE_CONNECTIONS: '4' })
  })
  after(async () => {
    await server?.stop('SIGKILL')
    await pair?.close()
  })

  async function prepare(url: string): Promise<void> {
    const place = { databaseUrl: url, dataDir: process.env['TEST_SCRATCH']! }
    const log = createLogger('silent')
    const store = await openStore(place, log)
    await seed(store, log, new Date())
    await store.close()
    const app = await startTestApp('postgres', place)
    const ada = await app.person('owner')
    key = await ada.key()
    const [fromId, toId] = await airportIds(app, 'CPH', 'OSL')
    flight = { date: '2026-05-01', fromId, toId, passengers: [{ userId: ada.id }] }
    await app.close()
  }

  const acknowledged = new Set<string>()
  const refusals: string[] = []

  async function write(note: string): Promise<boolean> {
    const reply = await tryAsking(server.url, 'POST', '/api/v1/flights', key, { ...flight, note })
    assert.ok(reply, 'the server ended')
    if (reply.status === 201) {
      acknowledged.add(note)
      return true
    }
    assert.equal(reply.status, 503, reply.text)
    refusals.push(reply.text)
    return false
  }

  let number = 0
  let isOver = false
  const client = async () => {
    while (!isOver) if (!(await write(`flight ${number++}`))) await wait(20)
  }
  const written = (count: number) => {
    const before = acknowledged.size
    return until(`${count} more writes are confirmed`, () => acknowledged.size >= before + count)
  }
  const isReady = async () => (await fetch(`${server.url}/readyz`)).status === 200
  const doctor = async () => {
    const { out } = await contrail({ databaseUrl, dataDir: pair.folder }, ['doctor'])
    assert.doesNotMatch(out.toString(), /postgres:postgres/)
    return out.toString()
  }

  test('the writable server is used, wherever it is in the list', async () => {
    assert.ok(await isReady())
    assert.ok(await write('before'))
    const said = await doctor()
    assert.ok(said.includes(`PostgreSQL at ${pair.standby.place},${pair.primary.place}`), said)
    assert.match(said, /ok\s+rights/)
  })

  test('a killed primary and a promoted standby under load lose no acknowledged write', async (t) => {
    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    await written(5 * CLIENTS)
    await pair.primary.stop('SIGKILL')
    await until('the server is not ready', async () => !(await isReady()))
    await until('writes are refused', () => refusals.length > CLIENTS)
    assert.match(await doctor(), /fail\s+rights\s+this PostgreSQL is a standby/)
    const began = performance.now()
    await pair.standby.query('select pg_promote()')
    await written(5 * CLIENTS)
    t.diagnostic(
      `${Math.round(performance.now() - began)} ms from the promotion to ${5 * CLIENTS} more writes`,
    )
    await until('the server is ready', isReady)
    isOver = true
    await clients
    assert.equal(server.child.exitCode, null)
    const rows = await pair.standby.query('select note, count(*)::int as n from flight group by note')
    const stored = new Map(rows.map(({ note, n }) => [note, n]))
    assert.deepEqual(
      [...acknowledged].filter((note) => stored.get(note) !== 1),
      [],
    )
    t.diagnostic(`${acknowledged.size} acknowledged, ${stored.size} stored, ${refusals.length} refused`)
    const saved = [...stored.keys()].filter((note) => !acknowledged.has(note)).length
    const inDoubt = refusals.filter((text) => text.includes('outcome_unknown')).length
    assert.ok(saved <= inDoubt, `${saved} stored without an answer, ${inDoubt} in doubt`)
  })

  test('a server that becomes read-only is left, also by open connections, and found again', async () => {
    const accept = async (state: 'on' | 'off') => {
      await pair.standby.query(`alter system set default_transaction_read_only = ${state}`)
      await pair.standby.query('select pg_reload_conf()')
    }
    assert.ok(await write('still accepted'))
    await accept('on')
    await until('writes are refused', async () => !(await write(`demoted ${number++}`)))
    assert.ok(!(await isReady()), 'ready without a server that accepts writes')
    await accept('off')
    await until('writes are accepted', () => write(`accepted again ${number++}`))
    assert.ok(await isReady())
    assert.equal(server.child.exitCode, null)
  })

  test('without any server, a start reports it and never shows the password', async () => {
    const nowhere = 'postgres://ada:s3cret-word@127.0.0.1:1,127.0.0.1:2/x'
    await assert.rejects(startServer({ databaseUrl: nowhere, dataDir: pair.folder }), (error: Error) => {
      assert.match(
        error.message,
        /cannot use PostgreSQL at 127\.0\.0\.1:1,127\.0\.0\.1:2: connection refused/,
      )
      assert.doesNotMatch(error.message, /s3cret/)
      return true
    })
  })
})

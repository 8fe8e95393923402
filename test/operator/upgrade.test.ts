// Upgrades: an instance with the first schema, with people and flights, is started by the current version and works like a
// new one.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { createLogger } from '../../server/base/log.ts'
import { createSecret } from '../../server/base/secret/secrets.ts'
import { seed } from '../../server/process/seed.ts'
import { restoreBackup } from '../../server/services/backup/backup.ts'
import { columnTypes } from '../../server/store/engine/dialect.ts'
import type { Engine } from '../../server/store/engine/engine.ts'
import { migrate, migrations } from '../../server/store/migrations/migrate.ts'
import type { Migration } from '../../server/store/migrations/migration.ts'
import { openStore, whyNotOpened } from '../../server/store/store.ts'
import { withoutAirports } from '../fixtures.ts'
import { engines, freshDatabase, runSql, startTestApp } from '../harness.ts'
import { linesOf, newFile, run } from './backups.ts'
import { buildVersion, openBare } from './earlier-versions.ts'

const log = createLogger('silent')

/** Two updates, of which the second changes tables and rows before `last`. */
const halfWay = (last: string): Migration[] => [
  ...migrations,
  {
    name: '998-works',
    statements: () => ['create table later (id integer primary key)', 'insert into later values (1)'],
  },
  {
    name: '999-half',
    statements: () => [
      'alter table later add column more integer',
      'create index later_more on later (more)',
      'insert into later values (2, 2)',
      'update setting set value = value',
      last,
    ],
  },
]

/** Statements that fail: by themselves, by a rule of a table, because of what was written, inside a transaction. */
const failures = {
  sqlite: [
    'insert into no_such_table values (1)',
    'insert into later values (2, 2)',
    "insert into api_key (user_id, name, hash, last_four, scopes, legacy_format, created_at) values ('x', '', '', '', '', '', '')",
    'vacuum',
  ],
  postgres: [
    'insert into no_such_table values (1)',
    'insert into later values (2, 2)',
    "insert into api_key (user_id, name, hash, last_four, scopes, legacy_format, created_at) values ('x', '', '', '', '', '', '')",
    '/* test */ create index concurrently later_again on later (more)',
  ],
}

for (const engineName of engines) {
  describe(`upgrade on ${engineName}`, () => {
    test('an instance of the first schema works under this version without losing data', async () => {
      const database = await freshDatabase(engineName)
      const { secret: key, hash } = createSecret('apiKey')
      await buildVersion(database, hash)
      const store = await openStore(database, log)
      await seed(store, log, new Date())
      const applied = await store.read.query('select name from migration order by name', [])
      assert.deepEqual(
        applied.map((row) => row['name']),
        migrations.map(({ name }) => name),
      )
      await store.close()

      const app = await startTestApp(engineName, database)
      const me = (await app.request('GET', '/api/v1/me', { key })).json.data
      assert.equal(me.username, 'ada')
      const { data } = (await app.request('GET', '/api/v1/flights', { key })).json
      assert.equal(data.length, 1)
      assert.equal(data[0].note, 'from the first version')
      assert.notEqual(data[0].from.name, 'Old name')
      const body = { ...data[0], fromId: 2542, toId: 2542, note: 'edited', passengers: [{ userId: me.id }] }
      assert.equal((await app.request('PUT', `/api/v1/flights/${data[0].id}`, { key, body })).status, 200)
      assert.equal(
        (await app.request('GET', '/api/v1/flights/export', { key })).json.flights[0].note,
        'edited',
      )
      const client = { client_name: 'Test', redirect_uris: ['https://app.example/back'] }
      assert.equal((await app.request('POST', '/oauth/register', { body: client })).status, 201)
      await app.close()
      await database.drop()
    })

    test('a backup can be made of each earlier schema, and restored', async () => {
      const database = await freshDatabase(engineName)
      const { secret: key, hash } = createSecret('apiKey')
      const files: string[] = []
      await buildVersion(database, hash)
      for (let upTo = 1; upTo < migrations.length; upTo++) {
        const file = newFile()
        const engine = openBare(database)
        await migrate(engine, migrations.slice(0, upTo))
        await engine.close()
        assert.equal((await run(database, 'backup', file)).err, '', migrations[upTo - 1]!.name)
        assert.equal(JSON.parse(linesOf(file)[0]!).schema.length, upTo)
        files.push(file)
      }
      const restored = await freshDatabase(engineName)
      const app = await startTestApp(engineName, restored)
      const parts = { store: app.store, uploads: app.services.uploads, now: new Date() }
      await restoreBackup(parts, files[0]!, { replace: false, partial: false, set: withoutAirports() })
      const { data } = (await app.request('GET', '/api/v1/flights', { key })).json
      assert.deepEqual(
        data.map(({ note }: { note: string }) => note),
        ['from the first version'],
      )
      await app.close()
      await Promise.all([database.drop(), restored.drop()])
    })

    test('a failed update is named, and all updates of the run are rolled back', async () => {
      const database = await freshDatabase(engineName)
      const engine = openBare(database)
      const later: Migration[] = [
        { name: '998-works', statements: () => ['create table left_over (id integer)'] },
        {
          name: '999-fails',
          statements: () => ['create table half (id integer)', 'insert into no_such_table values (1)'],
        },
      ]
      const failure: unknown = await migrate(engine, [...migrations, ...later]).catch((error) => error)
      assert.match(
        whyNotOpened(database, failure),
        /^the update 999-fails failed: .*no_such_table.*; nothing was changed; go back to the previous version or report this$/,
      )
      for (const table of ['left_over', 'half'])
        await assert.rejects(engine.read.query(`select * from ${table}`, []), table)
      await engine.close()
      await (await openStore(database, log)).close()
      await database.drop()
    })

    test('an update that failed half-way can be run again', async () => {
      const database = await freshDatabase(engineName)
      for (const fails of failures[engineName]) {
        const engine = openBare(database)
        await assert.rejects(migrate(engine, halfWay(fails)), /the update 999-half failed/, fails)
        await engine.close()
      }
      const engine = openBare(database)
      await migrate(engine, halfWay('insert into later values (3, 3)'))
      await migrate(engine, halfWay('insert into later values (4, 4)'))
      const rows = await engine.read.query('select id, more from later order by id', [])
      assert.deepEqual(
        rows.map(({ id, more }) => [id, more]),
        [
          [1, null],
          [2, 2],
          [3, 3],
        ],
      )
      await engine.close()
      await database.drop()
    })

    test('of two processes, one runs the updates when the other failed half-way', async () => {
      const database = await freshDatabase(engineName)
      const [failing, working] = [openBare(database), openBare(database)]
      const ends = await Promise.allSettled([
        migrate(failing, halfWay(failures[engineName][0]!)),
        migrate(working, halfWay('insert into later values (3, 3)')),
      ])
      // The one that came second found nothing to do.
      assert.equal(ends[1]!.status, 'fulfilled', String((ends[1] as PromiseRejectedResult).reason))
      assert.equal((await working.read.query('select id from later', [])).length, 3)
      await Promise.all([failing.close(), working.close()])
      await database.drop()
    })

    test('a newer database is not changed, and the reason is given', async () => {
      const database = await freshDatabase(engineName)
      const engine = openBare(database)
      await engine.transaction((tx) =>
        tx.execute("insert into migration (name, applied_at) values ('999-later', '2030')"),
      )
      await engine.close()
      await assert.rejects(openStore(database, log), /made by a newer Contrail \(it has 999-later\); update/)
      await database.drop()
    })
  })
}

/** Everything about the tables that an update of their columns could lose. */
async function shapeOf({ read }: Engine) {
  const textsOf = async (sql: string) =>
    (await read.query(`/* test */ ${sql}`, [])).map((row) => Object.values(row).join(' '))
  return {
    keys: await textsOf(
      `select conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid) from pg_constraint
        where connamespace = current_schema()::regnamespace and contype <> 'n' order by 1, 2`,
    ),
    indexes: await textsOf(
      'select indexdef from pg_indexes where schemaname = current_schema() order by indexdef',
    ),
    empty: await textsOf(
      `select attrelid::regclass, attname, attnotnull, attidentity from pg_attribute join pg_class on oid = attrelid
        where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 order by 1, 2`,
    ),
    lastIds: await textsOf('select sequencename, last_value from pg_sequences order by 1'),
    rows: await textsOf('select f.*, p.* from flight f join flight_passenger p on p.flight_id = f.id'),
  }
}

/** No table keeps an id in 32 bits, so a new one needs `bigint` for its ids. */
const smallIds = `/* test */ select attrelid::regclass || '.' || attname as name from pg_attribute join pg_class on oid = attrelid
  where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and atttypid = 'integer'::regtype
    and attname ~ '^(id|number|.*_id)$'
  union all select sequencename from pg_sequences
  where schemaname = current_schema() and data_type <> 'bigint'::regtype`

if (engines.includes('postgres'))
  test('ids get 64 bits in a database with rows, which keeps everything else', async () => {
    const database = await freshDatabase('postgres')
    const small = migrations.findIndex(({ name }) => name === '020-large-ids')
    await buildVersion(database, 'hash', small)
    const engine = openBare(database)
    const before = await shapeOf(engine)
    assert.ok((await engine.read.query(smallIds, [])).length > 50)
    await migrate(engine, migrations.slice(0, small + 1))
    assert.deepEqual(await shapeOf(engine), before)
    await migrate(engine)
    assert.deepEqual(await engine.read.query(smallIds, []), [])
    await engine.close()
    await database.drop()
  })

if (engines.includes('postgres')) {
  test('an update is repeated when its connection is lost half-way', async () => {
    const database = await freshDatabase('postgres')
    const engine = openBare(database)
    let times = 0
    const list = halfWay('insert into later values (3, 3)')
    const lost: Migration = {
      ...list.at(-1)!,
      statements: (types) => {
        const statements = list.at(-1)!.statements(types)
        return times++ === 0
          ? [...statements, '/* test */ select pg_terminate_backend(pg_backend_pid())']
          : statements
      },
    }
    await migrate(engine, [...list.slice(0, -1), lost])
    assert.equal(times, 2)
    assert.equal((await engine.read.query('select id from later', [])).length, 3)
    await engine.close()
    await database.drop()
  })

  test('an update may take longer than the time that the role has for a statement', async () => {
    const database = await freshDatabase('postgres')
    const name = new URL(database.databaseUrl!).pathname.slice(1)
    await runSql(database.databaseUrl!, `alter database ${name} set statement_timeout = '300ms'`)
    const engine = openBare(database)
    const slow = '/* test */ select pg_sleep(0.6)'
    await migrate(engine, halfWay(slow))
    await assert.rejects(engine.read.query(slow, []), /too long/)
    await engine.close()
    await database.drop()
  })
}

/** Hashes of released migrations: editing one would break existing instances. */
const digests: Record<string, string> = {
  '001-foundation': '80a564d60bd7ebc4',
  '002-oauth': '9e31b3e470be790c',
  '003-demo': '53e3d9b21aaf178b',
  '004-bin': '5d82c0772884cd52',
  '005-notices': '217e060cec5203ad',
  '006-reference': '347951e87ab638fb',
  '007-changes': 'f03cbc56a76f5e06',
  '008-webhooks': '3ed35689df685296',
  '009-feeds': 'b870cf6422a8ff40',
  '010-imports': '37fe8454b497f54d',
  '011-intake': 'c3d8021819b7a383',
  '012-lookups': 'b4a40e82ad635346',
  '013-history': 'c558b38a2a4e3ca0',
  '014-trips': '2f8ba200619318c0',
  '015-trip-origins': 'c3856dc88e2bcc18',
  '016-sign-in': '1d0bd50267d002e8',
  '017-several-machines': 'b174e1d036cf83a0',
  '018-verified-email': 'e4bd7b2d03cac571',
  '019-import-receipts': '0a7cdbf51921d89a',
  '020-large-ids': '5fe492e47b5777b5',
  '021-notifications': 'bb07e45d826dc86c',
  '022-kept-passes': '08a0db84ca11d503',
}

test('released migrations are unchanged', () => {
  for (const { name, statements } of migrations) {
    const words = [columnTypes.sqlite, columnTypes.postgres].flatMap((types) => statements(types)).join(';\n')
    const digest = createHash('sha256').update(words).digest('hex').slice(0, 16)
    assert.equal(digest, digests[name], `${name}: add another migration instead of editing one`)
  }
})

test('migrations are numbered in order, and exist for both engines', () => {
  const names = migrations.map(({ name }) => name)
  assert.deepEqual([...names].sort(), names)
  for (const { name, statements } of migrations) {
    const [sqlite, postgres] = [statements(columnTypes.sqlite), statements(columnTypes.postgres)]
    // Integers of SQLite have 64 bits already.
    assert.equal(sqlite.length, name === '020-large-ids' ? 0 : postgres.length)
  }
})

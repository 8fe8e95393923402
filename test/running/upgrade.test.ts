// A start of another version than the last one, and the way back from it, in real processes.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { createLogger } from '../../server/base/log.ts'
import { createSecret } from '../../server/base/secret/secrets.ts'
import { version } from '../../server/base/version.ts'
import { SEARCH_FORMAT } from '../../server/domain/text/search-text.ts'
import { DAY } from '../../server/domain/time/durations.ts'
import { cleanUp } from '../../server/process/cleanup.ts'
import { shippedManifest } from '../../server/services/reference/shipped.ts'
import { writeSetting } from '../../server/store/instance/settings.ts'
import { openStore, sqliteFile } from '../../server/store/store.ts'
import { type EngineName, engines, freshDatabase, startTestApp } from '../harness.ts'
import { linesOf } from '../operator/backups.ts'
import { buildVersion, openBare } from '../operator/earlier-versions.ts'
import { canMount, mountDisk } from '../small-disk.ts'
import { until } from '../until.ts'
import {
  contrail,
  type Database,
  type ServerProcess,
  StartError,
  startServer,
  tryAsking,
} from './processes.ts'

/** A database with an owner, on which that version ran last. */
async function instanceOf(engine: EngineName, lastVersion: string) {
  const database = await freshDatabase(engine)
  const app = await startTestApp(engine, database)
  await app.person('owner')
  await app.close()
  await setLastVersion(database, lastVersion)
  return database
}

async function setLastVersion(database: Database, lastVersion: string | undefined): Promise<void> {
  const store = await openStore(database, createLogger('silent'))
  await store.transaction(async (tx) => {
    await tx.query("/* test */ delete from setting where name = 'lastVersion'", [])
    if (lastVersion) await writeSetting(tx, { name: 'lastVersion', value: lastVersion })
  })
  await store.close()
}

/** Starts and stops a server; returns what it logged about a change of the version. */
async function changeAt(database: Database): Promise<{ from: string; to: string }[]> {
  const server = await startServer(database)
  assert.equal(await server.stop(), 0)
  return server.lines.flatMap(({ message, from, to }) =>
    message === 'another version ran before' ? [{ from, to }] : [],
  )
}

for (const engine of engines) {
  describe(`the version that last ran, on ${engine}`, () => {
    test('is recorded at the start, and the first start of another one sees it', async () => {
      const database = await instanceOf(engine, '0.0.9')
      assert.deepEqual(await changeAt(database), [{ from: '0.0.9', to: version }])
      assert.deepEqual(await changeAt(database), [])
      await database.drop()
    })

    test('of two servers that start together, one sees it', async () => {
      const database = await instanceOf(engine, '0.0.9')
      const changes = await Promise.all([changeAt(database), changeAt(database)])
      assert.deepEqual(changes.flat(), [{ from: '0.0.9', to: version }])
      await database.drop()
    })

    test('there is none on a new instance, and without a record it was 0.1.0', async () => {
      const database = await freshDatabase(engine)
      assert.deepEqual(await changeAt(database), [])
      const ada = ['setup', '--username', 'ada', '--display-name', 'Ada', '--password', '-']
      assert.equal((await contrail(database, ada, 'correct horse\n')).code, 0)
      assert.deepEqual(await changeAt(database), [])
      await setLastVersion(database, undefined)
      const unrecorded = version === '0.1.0' ? [] : [{ from: '0.1.0', to: version }]
      assert.deepEqual(await changeAt(database), unrecorded)
      await database.drop()
    })
  })
}

const NOTE = 'from the first version'

/** Without migrating it. */
async function runOn(database: Database, ...statements: string[]): Promise<void> {
  const engine = openBare(database)
  await engine.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(`/* test */ ${statement}`)
  })
  await engine.close()
}

const withoutOwner = ['flight_passenger', 'flight', 'api_key', 'person'].map(
  (table) => `delete from ${table}`,
)

/** A database as the first version left it, with an owner and a flight, and her key. */
async function firstVersion(engine: EngineName) {
  const database = await freshDatabase(engine)
  const { secret: key, hash } = createSecret('apiKey')
  await buildVersion(database, hash)
  // So that no test loads the reference data.
  await runOn(
    database,
    `insert into setting (name, value) values ('referenceVersion', '${shippedManifest().version}'), ('searchFormat', '${SEARCH_FORMAT}')`,
  )
  return { ...database, key }
}

/** Starts and stops a server; returns what it logged about the way back. */
async function upgrade(database: Database, settings: Record<string, string> = {}) {
  const server = await startServer(database, settings)
  assert.equal(await server.stop(), 0)
  return messagesOf(server)
}

const messagesOf = ({ lines }: Pick<ServerProcess, 'lines'>): [message: string, fact: string][] =>
  lines.flatMap(({ message, file, reason }) =>
    / before the upgrade$/.test(message) ? [[message, reason ?? basename(file)]] : [],
  )

const appliedIn = async (database: Database): Promise<number> => {
  const engine = openBare(database)
  const applied = await engine.read.query('select name from migration', [])
  await engine.close()
  return applied.length
}

const notes = async (url: string, key: string): Promise<string[]> => {
  const reply = await tryAsking(url, 'GET', '/api/v1/flights', key)
  return JSON.parse(reply!.text).data.map(({ note }: { note: string }) => note)
}

const sqliteOnly = engines.includes('sqlite') ? describe : describe.skip
const postgresOnly = engines.includes('postgres') ? describe : describe.skip

const folderOf = ({ dataDir }: Database) => join(dataDir, 'before-upgrade')
const copiesIn = (database: Database) =>
  existsSync(folderOf(database)) ? readdirSync(folderOf(database)).sort() : undefined

const COPY = 'contrail-0.1.0.sqlite'

/** As the guide says. */
function goBack(database: Database, copy: string): void {
  const file = sqliteFile(database)
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  copyFileSync(join(folderOf(database), copy), file)
}

sqliteOnly('the copy before an upgrade', () => {
  test('has the data as they were, is readable only by its user, and is a way back', async () => {
    const database = await firstVersion('sqlite')
    assert.deepEqual(await upgrade(database), [['made a copy before the upgrade', COPY]])
    assert.deepEqual(copiesIn(database), [COPY])
    const copy = join(folderOf(database), COPY)
    assert.equal(statSync(folderOf(database)).mode & 0o777, 0o700)
    assert.equal(statSync(copy).mode & 0o777, 0o600)
    const opened = new Sqlite(copy, { readonly: true })
    assert.deepEqual(opened.pragma('integrity_check'), [{ integrity_check: 'ok' }])
    assert.deepEqual(opened.prepare('select note from flight').pluck().all(), [NOTE])
    assert.deepEqual(opened.prepare('select name from migration').pluck().all(), ['001-foundation'])
    opened.close()
    const { out } = await contrail(database, ['doctor'])
    assert.match(
      out.toString(),
      /^ok {4}way back +a copy from before the last upgrade, 0 minutes old: .*0\.1\.0/m,
    )

    assert.deepEqual(await upgrade(database), [], 'nothing is due')
    goBack(database, COPY)
    assert.equal(await appliedIn(database), 1)
    const server = await startServer(database)
    assert.deepEqual(messagesOf(server), [['made a copy before the upgrade', COPY]])
    assert.deepEqual(await notes(server.url, database.key), [NOTE])
    assert.equal(await server.stop(), 0)
    await database.drop()
  })

  test('is the only one, named by the version that ran last, and removed after 30 days', async () => {
    const database = await firstVersion('sqlite')
    await upgrade(database)
    goBack(database, COPY)
    await runOn(database, "insert into setting (name, value) values ('lastVersion', '0.9.0')")
    // By a command: it migrates too.
    assert.equal((await contrail(database, ['user', 'list'])).code, 0)
    assert.deepEqual(copiesIn(database), ['contrail-0.9.0.sqlite'])

    const store = await openStore(database, createLogger('silent'))
    const days = (count: number) => ({ now: () => Date.now() + count * DAY })
    await cleanUp({ store, config: database, clock: days(29) })
    assert.deepEqual(copiesIn(database), ['contrail-0.9.0.sqlite'])
    await cleanUp({ store, config: database, clock: days(31) })
    assert.deepEqual(copiesIn(database), [])
    await store.close()
    const { out } = await contrail(database, ['doctor'])
    assert.match(out.toString(), /^ok {4}way back +no copy from before an upgrade/m)
    await database.drop()
  })

  test('is not made of an instance without an owner', async () => {
    const database = await firstVersion('sqlite')
    await runOn(database, ...withoutOwner)
    assert.deepEqual(await upgrade(database), [])
    assert.equal(copiesIn(database), undefined)
    await database.drop()
  })

  test('of two processes, the one that migrates makes it', async () => {
    const database = await firstVersion('sqlite')
    const messages = await Promise.all([upgrade(database), upgrade(database)])
    assert.deepEqual(messages.flat(), [['made a copy before the upgrade', COPY]])
    await database.drop()
  })

  const disk = join(process.env['TEST_SCRATCH']!, `upgraded-${process.pid}`)
  const noMount = canMount(disk) ? false : 'needs the right to mount a disk'
  test('is not made with less free space than twice the file, and the upgrade continues', {
    skip: noMount,
  }, async () => {
    const older = await firstVersion('sqlite')
    const { size } = statSync(sqliteFile(older))
    const database = { databaseUrl: undefined, dataDir: disk }
    mountDisk(disk, Math.ceil((2.8 * size) / 1024 ** 2))
    cpSync(older.dataDir, disk, { recursive: true })
    const messages = await upgrade(database)
    const [[message, reason]] = messages as [[string, string]]
    assert.equal(message, 'no copy was made before the upgrade')
    assert.match(reason, /^it needs \d+ bytes of free space in .*, there are \d+$/)
    assert.ok((await appliedIn(database)) > 1)
    assert.equal(copiesIn(database), undefined)
    execFileSync('umount', ['--lazy', disk])
    await older.drop()
  })

  test('an upgrade continues if it cannot be made, and says so', async () => {
    const database = await firstVersion('sqlite')
    writeFileSync(folderOf(database), '')
    const [[message, reason]] = (await upgrade(database)) as [[string, string]]
    assert.equal(message, 'no copy was made before the upgrade')
    assert.match(reason, /EEXIST|ENOTDIR/)
    assert.ok((await appliedIn(database)) > 1)
    await database.drop()
  })

  test('a killed process leaves none that looks whole, and the next start makes it', async () => {
    const database = await firstVersion('sqlite')
    await runOn(
      database,
      'create table filler (bytes blob)',
      'insert into filler values (zeroblob(200000000))',
    )
    const env = { ...process.env, DATABASE_URL: '', DATA_DIR: database.dataDir, PORT: '0', HOST: '127.0.0.1' }
    const dying = spawn(process.execPath, ['server/run.js'], { env, stdio: 'ignore' })
    const ended = once(dying, 'exit')
    await until('the copy is being made', () => copiesIn(database)?.length, { everyMs: 1 })
    dying.kill('SIGKILL')
    await ended
    assert.deepEqual(
      copiesIn(database)?.filter((name) => name.endsWith('.sqlite')),
      [],
    )
    assert.ok(copiesIn(database)!.length > 0, 'a part is left')
    assert.equal(await appliedIn(database), 1)
    assert.deepEqual(await upgrade(database), [['made a copy before the upgrade', COPY]])
    assert.deepEqual(copiesIn(database), [COPY])
    await database.drop()
  })
})

postgresOnly('the backup before an upgrade', () => {
  const backupsIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.gz'))

  test('is an automatic one of the data as they were', async () => {
    const { databaseUrl, ...older } = await firstVersion('postgres')
    // Nothing has needed the folder so far, and `BACKUP_DIR` is its default.
    const database = { ...older, databaseUrl, dataDir: join(older.dataDir, 'new') }
    const BACKUP_DIR = join(database.dataDir, 'backups')
    // Versions before 017 keep no uploads in the database.
    const messages = await upgrade(database, {
      BACKUP_DIR: '',
      UPLOADS: 'database',
      DATABASE_CONNECTIONS: '2',
    })
    const [file] = backupsIn(BACKUP_DIR)
    assert.deepEqual(messages, [['made a backup before the upgrade', file]])
    assert.deepEqual(backupsIn(BACKUP_DIR).length, 1)
    assert.equal(statSync(join(BACKUP_DIR, file!)).mode & 0o777, 0o600)
    assert.deepEqual(JSON.parse(linesOf(join(BACKUP_DIR, file!))[0]!).schema, ['001-foundation'])
    assert.deepEqual(await upgrade(database, { BACKUP_DIR }), [], 'nothing is due')
    assert.equal(copiesIn(database), undefined)
    await database.drop()
  })

  test('is not made if backups are off or if there is no owner', async () => {
    const database = await firstVersion('postgres')
    assert.deepEqual(await upgrade(database, { BACKUP_DIR: 'off' }), [
      ['no backup was made before the upgrade', 'BACKUP_DIR is off'],
    ])
    assert.ok((await appliedIn(database)) > 1)
    await database.drop()
    const empty = await firstVersion('postgres')
    await runOn(empty, ...withoutOwner)
    assert.deepEqual(await upgrade(empty, { BACKUP_DIR: join(empty.dataDir, 'backups') }), [])
    await empty.drop()
  })

  test('stops the start if it fails, with the reason, and nothing is changed', async () => {
    const database = await firstVersion('postgres')
    const BACKUP_DIR = join(database.dataDir, 'not', 'mounted')
    await assert.rejects(startServer(database, { BACKUP_DIR }), (error) => {
      assert.ok(error instanceof StartError)
      assert.equal(
        error.output,
        `contrail: the backup before the upgrade failed: there is no folder ${BACKUP_DIR}; create it first; nothing was changed; correct that, or set BACKUP_DIR=off to upgrade without a backup\n`,
      )
      return true
    })
    assert.equal(await appliedIn(database), 1)
    await database.drop()
  })

  test('of several servers that start together, the one that migrates makes it', async () => {
    const database = await firstVersion('postgres')
    const BACKUP_DIR = join(database.dataDir, 'backups')
    const messages = await Promise.all([
      upgrade(database, { BACKUP_DIR }),
      upgrade(database, { BACKUP_DIR, WORKERS: '2' }),
    ])
    assert.equal(messages.flat().length, 1)
    assert.equal(backupsIn(BACKUP_DIR).length, 1)
    await database.drop()
  })

  test('a backup that a killed server was making is not waited for', async () => {
    const database = await firstVersion('postgres')
    const BACKUP_DIR = join(database.dataDir, 'backups')
    // An older server was killed while it made one.
    const running = JSON.stringify({ failures: 0, running: { by: 'x', at: Date.now() } })
    await runOn(database, `insert into setting (name, value) values ('backupStatus', '${running}')`)
    const messages = await upgrade(database, { BACKUP_DIR })
    assert.equal(messages[0]![0], 'made a backup before the upgrade')
    await database.drop()
  })
})

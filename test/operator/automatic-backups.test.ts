// Automatic backups: when they are due, which files are kept, what happens when they fail, and what administrators see.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { readConfig } from '../../server/base/config.ts'
import { createLogger } from '../../server/base/log.ts'
import { planBackups } from '../../server/domain/instance/backup-plan.ts'
import { HOUR } from '../../server/domain/time/durations.ts'
import { verifyBackup } from '../../server/services/backup/backup.ts'
import { backupName, changeStatus, readBackupName, readStatus } from '../../server/services/backup/folder.ts'
import { makeBackup, makeBackupIfDue } from '../../server/services/backup/schedule.ts'
import { emptyWal } from '../../server/store/engine/write-ahead-log.ts'
import { openStore, sqliteFile } from '../../server/store/store.ts'
import { freshDatabase, onBothEngines, onSqlite, type TestApp, testOnSqlite } from '../harness.ts'
import { contrail } from '../running/processes.ts'

const newFolder = () => mkdtempSync(join(process.env['TEST_SCRATCH']!, 'backups-'))
const folder = newFolder()

const make = (app: TestApp, backupDir = folder, signal?: AbortSignal) =>
  makeBackup({
    store: app.store,
    uploads: app.services.uploads,
    config: { backupDir, backupKeep: 3, backupEveryMs: 6 * HOUR },
    clock: app.clock,
    signal,
  })

function overwriteIfThere(file: string, position: number): void {
  let handle: number
  try {
    handle = openSync(file, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  writeSync(handle, randomBytes(16), 0, 16, position)
  closeSync(handle)
}

const ours = (instanceId: string, where = folder) =>
  readdirSync(where).filter((name) => readBackupName(name)?.instanceId === instanceId)

async function health(app: TestApp) {
  const person = await app.person(['instance.release.check'])
  const reply = await app.request('GET', '/app/api/instance/health', { cookie: await person.session() })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.backups
}

const metric = async (app: TestApp, name: string) => {
  const { text } = await app.request('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

onBothEngines(
  'automatic backups',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    let instanceId: string

    test('the state is waiting until the first backup, and only administrators see it', async () => {
      const before = await health(app())
      assert.deepEqual(
        { ...before, folder: null, nextAt: null },
        {
          state: 'waiting',
          folder: null,
          everySeconds: 6 * 3600,
          keep: 3,
          lastSuccessAt: null,
          lastFailure: null,
          nextAt: null,
        },
      )
      assert.equal(await metric(app(), 'contrail_backup_last_success_timestamp_seconds'), 0)
      assert.equal(await metric(app(), 'contrail_backups_failed_total'), 0)
      assert.equal(await metric(app(), 'contrail_backup_interval_seconds'), 6 * 3600)
      const plain = await app().person()
      const cookie = await plain.session()
      assert.equal((await app().request('GET', '/app/api/instance/health', { cookie })).status, 403)
      assert.equal((await app().request('GET', '/app/api/instance/health')).status, 401)
    })

    test('backups are complete files named after their time, and the oldest are deleted', async () => {
      const foreign = ['contrail.gz', 'contrail-aaaaaa-20200101T000000Z.gz', 'notes.txt']
      for (const name of foreign) writeFileSync(join(folder, name), 'not ours')
      const made: string[] = []
      for (let i = 0; i < 5; i++) {
        const { file, header } = await make(app())
        made.push(file)
        assert.equal((await verifyBackup(file)).createdAt, header.createdAt)
        assert.equal(statSync(file).mode & 0o777, 0o600)
        app().clock.advance(6 * HOUR)
      }
      instanceId = readBackupName(made[0]!.split('/').at(-1)!)!.instanceId
      assert.deepEqual(
        ours(instanceId)
          .map((name) => join(folder, name))
          .sort(),
        made.slice(2).sort(),
      )
      for (const name of foreign) assert.ok(existsSync(join(folder, name)), name)
      assert.ok(readdirSync(folder).every((name) => !name.endsWith('.part')))
      const { state, lastSuccessAt, nextAt } = await health(app())
      assert.equal(state, 'ok')
      assert.equal(Date.parse(nextAt) - Date.parse(lastSuccessAt), 6 * HOUR)
      const last = await metric(app(), 'contrail_backup_last_success_timestamp_seconds')
      assert.equal(last * 1000, Date.parse(lastSuccessAt))
    })

    test('two backups within one second are both made', async () => {
      const where = newFolder()
      const made = [await make(app(), where), await make(app(), where)]
      assert.deepEqual(
        readdirSync(where)
          .map((name) => join(where, name))
          .sort(),
        made.map(({ file }) => file),
      )
    })

    sqliteTest('the newest backup is never deleted, whatever the clock shows', async () => {
      app().clock.advance(-100 * HOUR)
      const { file } = await make(app())
      assert.ok(existsSync(file))
      assert.equal(ours(instanceId).length, 3)
      app().clock.advance(100 * HOUR)
    })

    test('a failed backup keeps earlier ones, and is shown until one succeeds', async () => {
      const before = ours(instanceId)
      const failures = await metric(app(), 'contrail_backups_failed_total')
      const missing = join(newFolder(), 'not', 'there')
      await assert.rejects(make(app(), missing), /^Error: there is no folder /)
      assert.deepEqual(ours(instanceId), before)
      const { state, lastFailure, nextAt } = await health(app())
      assert.equal(state, 'failed')
      assert.equal(lastFailure.reason, 'folder_missing')
      assert.ok(lastFailure.message.includes(missing))
      assert.equal(Date.parse(nextAt) - app().clock.now(), HOUR)
      assert.equal(await metric(app(), 'contrail_backups_failed_total'), failures + 1)
      app().clock.advance(HOUR)
      await make(app())
      assert.equal((await health(app())).state, 'ok')
    })

    test('a backup that cannot be read back counts as failed', async () => {
      app().clock.advance(HOUR)
      const before = ours(instanceId)
      let isOver = false
      const made = make(app()).finally(() => {
        isOver = true
      })
      // A disk that returns other bytes than were written.
      const spoil = (async () => {
        while (!isOver) {
          for (const name of readdirSync(folder).filter((part) => part.endsWith('.part')))
            overwriteIfThere(join(folder, name), 60)
          await setImmediate()
        }
      })()
      await assert.rejects(made, /damaged|cannot be read|not a backup/)
      await spoil
      assert.deepEqual(ours(instanceId), before)
      assert.ok(readdirSync(folder).every((name) => !name.endsWith('.part')))
      assert.equal((await health(app())).state, 'failed')
      app().clock.advance(HOUR)
      await make(app())
      assert.equal((await health(app())).state, 'ok')
    })

    test('backups are made one after the other, and files of an interrupted attempt are deleted later', async () => {
      const part = join(folder, `${backupName(instanceId, app().clock.now())}.1.part`)
      writeFileSync(part, 'half')
      app().clock.advance(6 * HOUR)
      const both = await Promise.allSettled([make(app()), make(app())])
      const refused = both.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
      assert.equal(refused.length, 1)
      assert.match(String(refused[0]!.reason), /another backup of this instance is being made/)
      assert.ok(existsSync(part))
      assert.equal((await readStatus(app().store.read)).running, undefined)
      utimesSync(part, 0, 0)
      app().clock.advance(6 * HOUR)
      await make(app())
      assert.ok(!existsSync(part))
    })

    test('an interrupted backup leaves no file and does not count as failed', async () => {
      app().clock.advance(6 * HOUR)
      const [before, failures] = [readdirSync(folder), (await readStatus(app().store.read)).failures]
      const interruption = new AbortController()
      interruption.abort()
      await assert.rejects(make(app(), folder, interruption.signal), /abort/i)
      assert.deepEqual(readdirSync(folder), before)
      const status = await readStatus(app().store.read)
      assert.equal(status.failures, failures)
      assert.equal(status.running, undefined)
    })

    sqliteTest('a late backup is shown as overdue', async () => {
      app().clock.advance(13 * HOUR)
      assert.equal((await health(app())).state, 'overdue')
    })
  },
  { backupDir: folder, backupEveryMs: 6 * HOUR, backupKeep: 3 },
)

onBothEngines('several machines with their own folders', (app) => {
  const run = (backupDir: string) => ({
    store: app().store,
    uploads: app().services.uploads,
    config: { backupDir, backupKeep: 7, backupEveryMs: 24 * HOUR },
    clock: app().clock,
  })

  test('several machines make one backup in total, and none before set-up', async () => {
    const [here, there] = [newFolder(), newFolder()]
    assert.equal(await makeBackupIfDue(run(here)), undefined, 'nothing to save')
    await app().person('owner')
    const both = await Promise.all([here, there].map((folder) => makeBackupIfDue(run(folder))))
    assert.equal(both.filter((made) => made !== undefined).length, 1)

    const made = both[0] ? here : there
    app().clock.advance(HOUR)
    assert.equal(await makeBackupIfDue(run(made)), undefined, 'not due')
    const setHost = (host: string) =>
      changeStatus(app().store, (status) => ({ ...status, lastSuccess: { ...status.lastSuccess!, host } }))
    const empty = newFolder()
    await setHost('another machine')
    assert.equal(await makeBackupIfDue(run(empty)), undefined, 'another machine has it')
    await setHost(hostname())
    assert.ok(await makeBackupIfDue(run(empty)), 'the files of this machine were deleted')
  })

  test('several backups in one day do not replace those of earlier days', async () => {
    const where = newFolder()
    const days: string[] = []
    for (let day = 0; day < 7; day++) {
      app().clock.advance(24 * HOUR)
      days.push((await makeBackup(run(where))).file)
    }
    for (let again = 0; again < 4; again++) {
      app().clock.advance(HOUR / 2)
      await makeBackup(run(where))
    }
    const left = readdirSync(where).map((name) => join(where, name))
    assert.equal(left.length, 7)
    assert.deepEqual(
      days.slice(1, 6).filter((file) => !left.includes(file)),
      [],
    )
  })
})

onSqlite('with BACKUP_DIR=off', (app) => {
  test('no automatic backup is made, and this is shown', async () => {
    assert.equal((await health(app())).state, 'off')
    assert.equal(await metric(app(), 'contrail_backup_interval_seconds'), 0)
  })
})

test('the write-ahead log is emptied when idle, and not during a write', async () => {
  const place = await freshDatabase('sqlite')
  const wal = join(place.dataDir, 'contrail.sqlite-wal')
  const store = await openStore(place, createLogger('silent'))
  await store.transaction((tx) => tx.execute("update airline set name = name || '!'"))
  assert.ok(statSync(wal).size > 100_000)
  // Writers never wait for the checkpoint.
  await store.transaction(async () => {
    assert.equal(emptyWal(sqliteFile(place)), false)
  })
  assert.equal(emptyWal(sqliteFile(place)), true)
  assert.equal(statSync(wal).size, 0)
  await store.close()
})

const mayMount = (() => {
  const root = newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', root], { stdio: 'ignore' })
    execFileSync('umount', [root])
    return true
  } catch {
    return false
  }
})()

test('a full disk deletes the failed file and keeps the earlier ones', { skip: !mayMount }, async () => {
  const database = await freshDatabase('sqlite')
  const icons = join(database.dataDir, 'uploads', 'airlines')
  mkdirSync(icons, { recursive: true })
  writeFileSync(join(icons, `${'a'.repeat(24)}.png`), randomBytes(600_000))
  const where = newFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', where])
  try {
    const earlier = backupName('abcdef', Date.parse('2026-01-01'))
    writeFileSync(join(where, earlier), 'earlier')
    const full = await contrail(database, ['backup'], '', { BACKUP_DIR: where, BACKUP_KEEP: '1' })
    assert.equal(full.code, 2)
    assert.equal(full.err, `contrail: the disk of ${where} is full\n`)
    assert.deepEqual(readdirSync(where), [earlier])
    const { lastFailure } = await statusOf(database)
    assert.equal(lastFailure!.reason, 'disk_full')
  } finally {
    execFileSync('umount', [where])
  }
})

async function statusOf(database: { databaseUrl: string | undefined; dataDir: string }) {
  const store = await openStore(database, createLogger('silent'))
  try {
    return await readStatus(store.read)
  } finally {
    await store.close()
  }
}

test('the plan covers due times, failures and wrong clocks', () => {
  const now = Date.parse('2026-06-15T12:00:00Z')
  const plan = (made: number[], lastFailure?: number) =>
    planBackups({ everyMs: 24 * HOUR, made, lastFailure, now })
  assert.deepEqual(plan([]), { lastSuccess: undefined, next: now, state: 'waiting' })
  const yesterday = now - 20 * HOUR
  assert.deepEqual(plan([yesterday]), { lastSuccess: yesterday, next: now + 4 * HOUR, state: 'ok' })
  assert.equal(plan([now - 29 * HOUR]).state, 'ok')
  assert.equal(plan([now - 31 * HOUR]).state, 'overdue')
  // A file from the future would prevent all later backups.
  assert.deepEqual(plan([now + 1000 * HOUR, yesterday]), plan([yesterday]))
  assert.deepEqual(plan([now - 30 * HOUR], now - HOUR / 2).next, now + HOUR / 2)
  assert.equal(plan([now - 30 * HOUR], now - HOUR / 2).state, 'failed')
  // A failure before the last success, or in the future, is not a current failure.
  assert.equal(plan([yesterday], yesterday - 1).state, 'ok')
  assert.equal(plan([yesterday], now + HOUR).state, 'ok')
})

test('settings are read with their units, and bad ones are named', () => {
  assert.equal(readConfig({ BACKUP_EVERY: '6h' }).backupEveryMs, 6 * HOUR)
  assert.equal(readConfig({ BACKUP_EVERY: '90M' }).backupEveryMs, 1.5 * HOUR)
  assert.equal(readConfig({}).backupEveryMs, 24 * HOUR)
  for (const bad of ['6', 'daily', '0h', '400d', '1.5h'])
    assert.throws(() => readConfig({ BACKUP_EVERY: bad }), /BACKUP_EVERY: must be/)
  assert.throws(() => readConfig({ BACKUP_KEEP: '0' }), /BACKUP_KEEP/)
  const { backupDir, backupKeep } = readConfig({ DATA_DIR: '/srv/log' })
  assert.deepEqual([backupDir, backupKeep], ['/srv/log/backups', 7])
  assert.equal(readConfig({ BACKUP_DIR: 'off' }).backupDir, undefined)
})

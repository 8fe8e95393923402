// list-backups, make-backup, check-backup, download-backup: what administrators do with backups in the web app.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backupPermissions } from '../../server/domain/access/access.ts'
import { CONFIRMED_MS } from '../../server/domain/accounts/sign-in.ts'
import { changeStatus } from '../../server/services/backup/folder.ts'
import { makeBackup } from '../../server/services/backup/schedule.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { until } from '../until.ts'

const newFolder = () => mkdtempSync(join(process.env['TEST_SCRATCH']!, 'web-backups-'))
const path = '/app/api/backups'
const headers = { 'sec-fetch-site': 'same-origin' }

const ask = (app: TestApp, method: string, at: string, cookie: string) =>
  app.request(method, at, { cookie, headers })

const eventsOf = async (app: TestApp, { id }: TestPerson) =>
  (
    await app.store.read.query(
      `select kind, details from audit_event where actor_id = '${id}' order by id`,
      [],
    )
  ).map(({ kind, details }) => [kind, JSON.parse(String(details))])

const folder = newFolder()
onBothEngines(
  'backups in the web app',
  (app) => {
    const admin = async (role: Parameters<TestApp['person']>[0] = 'role-administrator') => {
      const someone = await app().person(role)
      return { ...someone, cookie: await someone.session() }
    }
    const make = () =>
      makeBackup({
        store: app().store,
        uploads: app().services.uploads,
        config: app().config,
        clock: app().clock,
      })

    test('a requested backup is made by another process and listed once it is complete', async (t) => {
      // That process gets the address of the database from this one, not from the file.
      process.env['DATABASE_URL_FILE'] = join(folder, 'none')
      t.after(() => delete process.env['DATABASE_URL_FILE'])
      const ada = await admin()
      const before = await ask(app(), 'GET', path, ada.cookie)
      assert.deepEqual(before.json, { data: [], isRunning: false })
      const made = await ask(app(), 'POST', path, ada.cookie)
      assert.equal(made.status, 204, made.text)
      const [file] = await until('the backup is listed', async () => {
        const { data } = (await ask(app(), 'GET', path, ada.cookie)).json
        return data.length > 0 ? data : undefined
      })
      assert.equal(file.bytes, readFileSync(join(folder, file.name)).byteLength)
      assert.deepEqual(await eventsOf(app(), ada), [['backup.requested', {}]])
      await until('it is logged', () => app().logged.some((line) => line.includes('backup made')))
    })

    test('a second backup starts after the first is complete', async () => {
      const { cookie } = await admin()
      const at = app().clock.now()
      await changeStatus(app().store, (status) => ({ ...status, running: { by: 'another', at } }))
      assert.equal((await ask(app(), 'GET', path, cookie)).json.isRunning, true)
      const refused = await ask(app(), 'POST', path, cookie)
      assert.deepEqual([refused.status, refused.json.error.reason], [409, 'backup_running'])
      await changeStatus(app().store, ({ running: _, ...status }) => status)
    })

    test('a check reports the contents of a backup, or its fault', async () => {
      const { cookie } = await admin()
      const { file, header } = await make()
      const name = file.split('/').at(-1)!
      const whole = await ask(app(), 'POST', `${path}/${name}/check`, cookie)
      assert.equal(whole.status, 200, whole.text)
      const { createdAt, version, counts } = header
      assert.deepEqual(whole.json.data, {
        problem: null,
        file,
        contents: { createdAt, version, people: counts['person'], flights: 0, uploads: 0 },
      })
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.subarray(0, bytes.length / 2))
      const cut = (await ask(app(), 'POST', `${path}/${name}/check`, cookie)).json.data
      assert.equal(cut.contents, null)
      assert.match(cut.problem, /is cut short$/)
      writeFileSync(file, bytes)
    })

    test('a download is the file, is recorded and needs confirmation', async () => {
      app().clock.advance(1000)
      const name = (await make()).file.split('/').at(-1)!
      const ada = await admin()
      const reply = await ask(app(), 'GET', `${path}/${name}`, ada.cookie)
      assert.equal(reply.status, 200, reply.text)
      const {
        'content-type': type,
        'content-disposition': disposition,
        'cache-control': cache,
      } = reply.headers
      assert.deepEqual(
        [type, disposition, cache],
        ['application/gzip', `attachment; filename="${name}"`, 'no-store'],
      )
      const whole = await fetch(`${app().url}${path}/${name}`, { headers: { cookie: ada.cookie } })
      assert.deepEqual(Buffer.from(await whole.arrayBuffer()), readFileSync(join(folder, name)))
      const downloaded = ['backup.downloaded', { name }]
      assert.deepEqual(await eventsOf(app(), ada), [downloaded, downloaded])

      app().clock.advance(CONFIRMED_MS)
      const late = await ask(app(), 'GET', `${path}/${name}`, ada.cookie)
      assert.deepEqual([late.status, late.json.error.reason], [403, 'confirmation_required'])
      assert.equal((await eventsOf(app(), ada)).length, 2)
    })

    test('a role with fewer permissions than administrators cannot download everyone’s data', async () => {
      const name = (await ask(app(), 'GET', path, (await admin()).cookie)).json.data[0].name
      for (const missing of backupPermissions) {
        const { cookie } = await admin(backupPermissions.filter((permission) => permission !== missing))
        assert.equal((await ask(app(), 'GET', `${path}/${name}`, cookie)).status, 403, missing)
      }
      const { cookie } = await admin(['instance.release.check'])
      assert.equal((await ask(app(), 'GET', path, cookie)).status, 200)
      assert.equal((await ask(app(), 'POST', `${path}/${name}/check`, cookie)).status, 200)
    })

    test('only backups of this instance can be named', async () => {
      const { cookie } = await admin()
      const foreign = 'contrail-aaaaaa-20200101T000000Z.gz'
      writeFileSync(join(folder, foreign), 'not ours')
      writeFileSync(join(folder, 'notes.txt'), 'not ours')
      const listed = (await ask(app(), 'GET', path, cookie)).json.data.map(
        ({ name }: { name: string }) => name,
      )
      assert.ok(!listed.includes(foreign) && !listed.includes('notes.txt'))
      const secret = encodeURIComponent('../contrail.sqlite')
      for (const name of [foreign, 'notes.txt', secret, `.%2F${listed[0]}`, '..', `${listed[0]}%00`]) {
        for (const [method, at] of [
          ['GET', `${path}/${name}`],
          ['POST', `${path}/${name}/check`],
        ] as const) {
          const { status } = await ask(app(), method, at, cookie)
          assert.ok(status === 404 || status === 400 || status === 405, `${method} ${at}: ${status}`)
        }
      }
      assert.equal(
        (await ask(app(), 'GET', `${path}/${foreign}`, cookie)).json.error.reason,
        'backup_not_found',
      )
      assert.equal((await ask(app(), 'POST', `${path}/${foreign}/check`, cookie)).status, 404)
    })
  },
  { backupDir: folder, backupKeep: 7 },
)

const notAFolder = join(newFolder(), 'file')
writeFileSync(notAFolder, '')
onBothEngines(
  'a backup folder without write permission',
  (app) => {
    test('backups fail with a reason, and the server continues', async () => {
      const cookie = await (await app().person('owner')).session()
      assert.equal((await ask(app(), 'POST', path, cookie)).status, 204)
      const failed = await until('the failure is shown', async () => {
        const { backups } = (await ask(app(), 'GET', '/app/api/instance/health', cookie)).json.data
        return backups.lastFailure ?? undefined
      })
      assert.equal(failed.reason, 'folder_missing')
      assert.match(failed.message, /is not a folder$/)
      assert.deepEqual((await ask(app(), 'GET', path, cookie)).json.data, [])
    })
  },
  { backupDir: notAFolder },
)

onBothEngines('backups that are switched off', (app) => {
  test('backups cannot be made', async () => {
    const cookie = await (await app().person('owner')).session()
    assert.deepEqual((await ask(app(), 'GET', path, cookie)).json, { data: [], isRunning: false })
    const refused = await ask(app(), 'POST', path, cookie)
    assert.deepEqual([refused.status, refused.json.error.reason], [409, 'backups_off'])
  })
})

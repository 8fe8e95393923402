// Logs for an operator's tools: security events with stable names, the access log on request, and the audit trail of the
// command line.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../../server/base/config.ts'
import { createLogger } from '../../server/base/log.ts'
import { openStore } from '../../server/store/store.ts'
import { engines, freshDatabase, onBothEngines, onSqlite, type TestApp } from '../harness.ts'
import { contrail } from '../running/processes.ts'
import { until } from '../until.ts'

const linesOf = ({ logged }: TestApp, message: string) =>
  logged.map((line) => JSON.parse(line)).filter((line) => line.message === message)

const signIn = (app: TestApp, username: string) =>
  app.request('POST', '/app/api/sign-in', {
    headers: { origin: app.config.origin },
    body: { username, password: 'wrong password' },
  })

onBothEngines('security events', (app) => {
  test('events are logged at info after their commit, with the address before client-chosen values', async () => {
    const ada = await app().person()
    const before = app().logged.length
    await signIn(app(), ada.username)
    await signIn(app(), '","event":"sign-in","address":"10.0.0.1')
    const written = app()
      .logged.slice(before)
      .filter((line) => line.includes('security event'))
    assert.equal(written.length, 2)
    for (const line of written)
      assert.match(
        line,
        /^\{"time":"[^"]+","level":"info","message":"security event","event":"sign-in\.failed","address":"127\.0\.0\.1"/,
      )
    assert.ok(!written.join('').includes('10.0.0.1'), 'the typed name is not logged')
    assert.equal(JSON.parse(written[0]!).subject, ada.username)
  })

  test('a reached limit is logged once a minute per address', async () => {
    const ada = await app().person()
    app().clock.advance(2 * 3_600_000)
    const reached = () => linesOf(app(), 'security event').filter(({ event }) => event === 'limit.reached')
    const before = reached().length
    for (let attempt = 0; attempt < 9; attempt++) await signIn(app(), ada.username)
    const lines = reached().slice(before)
    assert.deepEqual(
      lines.map(({ level, address, limit }) => [level, address, limit]),
      [['info', '127.0.0.1', 'sign-in']],
    )
    app().clock.advance(60_000)
    for (let attempt = 0; attempt < 9; attempt++) await signIn(app(), ada.username)
    assert.equal(reached().length, before + 2)
  })

  test('events of a rolled-back transaction are not logged', async () => {
    const cookie = await (await app().person()).session()
    const body = { name: 'phone', scopes: ['profile.read'] }
    const count = () =>
      linesOf(app(), 'security event').filter(({ event }) => event === 'api-key.created').length
    for (let made = 0; made < 100; made++) {
      assert.equal((await app().request('POST', '/app/api/api-keys', { cookie, body })).status, 201)
    }
    const before = count()
    assert.equal((await app().request('POST', '/app/api/api-keys', { cookie, body })).status, 409)
    assert.equal(count(), before)
    await assert.rejects(
      app().store.transaction(async (tx) => {
        tx.afterCommit?.((log) => log.info('must not be written'))
        throw new Error('undone')
      }),
    )
    assert.ok(!app().logged.some((line) => line.includes('must not be written')))
  })

  test('renaming oneself records an event, saving the same names does not', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    const rename = (displayName: string) =>
      app().request('PUT', '/app/api/me', { cookie, body: { username: ada.username, displayName } })
    await rename(ada.displayName)
    await rename('Countess Ada')
    const mine = await app().request('GET', '/app/api/audit/mine', { cookie })
    assert.deepEqual(
      mine.json.data.map(({ kind, details }: { kind: string; details: object }) => [kind, details]),
      [['user.updated', { username: ada.username, displayName: 'Countess Ada' }]],
    )
  })
})

onSqlite(
  'ACCESS_LOG',
  (app) => {
    test('ACCESS_LOG writes every request at info, also unknown paths, without queries and secrets', async () => {
      const ada = await app().person()
      const key = await ada.key()
      await app().request('GET', '/api/v1/me?token=secret', { key })
      await app().request('GET', '/wp-login.php')
      await app().request('GET', '/share/a-secret-slug/data')
      await until('every request is logged', () => linesOf(app(), 'request').length >= 3)
      const lines = linesOf(app(), 'request')
      assert.deepEqual(
        lines.map(({ level, address, status, path }) => [level, address, status, path]),
        [
          ['info', '127.0.0.1', 200, '/api/v1/me'],
          ['info', '127.0.0.1', 404, '/wp-login.php'],
          ['info', '127.0.0.1', 404, '/share/…/data'],
        ],
      )
      assert.equal(lines[0].user, ada.username)
      assert.ok(!JSON.stringify(lines).includes('secret'))
    })
  },
  { accessLog: true },
)

test('ACCESS_LOG is off by default', () => {
  assert.equal(readConfig({}).accessLog, false)
  assert.equal(readConfig({ ACCESS_LOG: 'true' }).accessLog, true)
  assert.throws(() => readConfig({ ACCESS_LOG: 'yes' }), /ACCESS_LOG/)
})

for (const engine of engines) {
  describe(`the command line on ${engine}`, () => {
    test('the command line records an event for every change of access', async () => {
      const place = await freshDatabase(engine)
      const run = async (line: string) => {
        const { code, out, err } = await contrail(place, line.split(' '))
        assert.equal(code, 0, `${line}: ${err}`)
        return out.toString()
      }
      await run('setup --username ada --password longenough --display-name Ada')
      await run('user add --username bob --password longenough --display-name Bob')
      await run('user role bob Administrator')
      await run('key create --user bob --name phone --scopes read-only')
      const id = (await run('key list --user bob')).split('\t')[0]
      await run(`key delete ${id}`)
      await run('key create --user bob --name phone --scopes read-only')
      await run('user password bob --password another-one --end-keys --end-apps')

      const store = await openStore(place, createLogger('silent'))
      const events = await store.read.query(
        'select kind, actor_id, subject_name, details from audit_event order by id',
        [],
      )
      await store.close()
      await place.drop()
      assert.deepEqual(
        events.map(({ kind, subject_name }) => [kind, subject_name]),
        [
          ['instance.set-up', 'ada'],
          ['user.created', 'bob'],
          ['user.role-changed', 'bob'],
          ['api-key.created', 'bob'],
          ['api-key.deleted', 'bob'],
          ['api-key.created', 'bob'],
          ['user.password-reset', 'bob'],
          ['api-key.deleted', 'bob'],
        ],
      )
      for (const { actor_id, details } of events) {
        assert.equal(actor_id, null)
        assert.equal(JSON.parse(details as string).via, 'command line')
      }
    })
  })
}

// "That was not me" ends everything that a stranger's sign-in could use or have left behind, and nothing of the person's
// own.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { MINUTE } from '../../server/domain/time/durations.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { onBothEngines, type Reply, type TestApp, type TestPerson } from '../harness.ts'

const OLD = 'the old password'
const NEW = 'a new password'
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const cookiesOf = (reply: Reply) =>
  (reply.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')

let hash: string
before(async () => {
  hash = await hashPassword(OLD)
})

const signIn = (app: TestApp, { username }: TestPerson, password: string, cookie?: string) =>
  app.request('POST', '/app/api/sign-in', {
    body: { username, password },
    cookie,
    headers: { ...sameOrigin, 'user-agent': cookie ? 'Firefox/140' : 'Evil/1' },
  })

const at = (app: TestApp) => new Date(app.clock.now()).toISOString()
const run = (app: TestApp, sql: string) => app.store.transaction((tx) => tx.query(sql, []))
const rowsOf = async (app: TestApp, table: string, { id }: TestPerson) =>
  (await app.store.read.query(`select * from ${table} where user_id = '${id}'`, [])).length

const addPasskey = (app: TestApp, { id }: TestPerson, name: string) =>
  run(
    app,
    `insert into passkey (user_id, credential_id, public_key, counter, transports, name, created_at)
     values ('${id}', '${id}-${name}', 'key', 0, '[]', '${name}', '${at(app)}')`,
  )
const addIdentity = (app: TestApp, { id }: TestPerson, issuer: string) =>
  run(
    app,
    `insert into identity (user_id, issuer, subject, label, created_at, last_used_at)
     values ('${id}', '${issuer}', '${id}', 'someone', '${at(app)}', '${at(app)}')`,
  )

/** A person with a session, and a stranger who has signed in with their password since. */
async function invaded(app: TestApp) {
  const ada = await app.person()
  await app.store.transaction((tx) => updatePassword(tx, ada.id, hash))
  const mine = cookiesOf(await signIn(app, ada, OLD))
  await addPasskey(app, ada, 'phone')
  app.clock.advance(10 * MINUTE)
  const theirs = cookiesOf(await signIn(app, ada, OLD))
  return { ada, mine, theirs, noticeId: await noticeOf(app, mine) }
}

async function noticeOf(app: TestApp, cookie: string): Promise<number> {
  const { json } = await app.request('GET', '/app/api/notices', { cookie })
  const notice = json.data.find(({ kind }: { kind: string }) => kind === 'session.new')
  assert.equal(notice?.data.state, 'open')
  return notice.id
}

const notMe = (app: TestApp, id: number | string, cookie: string, body: unknown) =>
  app.request('POST', `/app/api/notices/${id}/not-me`, { cookie, body })

onBothEngines('reporting an unknown sign-in', (app) => {
  before(() => app().person('owner'))

  test('the report ends everything but the reporting session, and sets a new password', async () => {
    const { ada, mine, theirs, noticeId } = await invaded(app())
    const key = await ada.key()
    app().clock.advance(MINUTE)
    await addPasskey(app(), ada, 'intruder')
    await addIdentity(app(), ada, 'https://id.example.org')
    await run(
      app(),
      `insert into second_factor (user_id, secret, enabled_at, created_at)
       values ('${ada.id}', 'sealed', '${at(app())}', '${at(app())}')`,
    )
    await run(
      app(),
      `insert into trusted_browser (hash, user_id, expires_at) values ('h-${ada.id}', '${ada.id}', '2099-01-01T00:00:00.000Z')`,
    )
    const reply = await notMe(app(), noticeId, mine, { currentPassword: OLD, newPassword: NEW })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.json.data, {
      sessions: 1,
      apiKeys: 1,
      apps: 0,
      passkeys: 1,
      identities: 1,
      secondFactor: true,
      waysKept: false,
    })
    assert.equal((await app().request('GET', '/app/api/me', { cookie: mine })).status, 200)
    assert.equal((await app().request('GET', '/app/api/me', { cookie: theirs })).status, 401)
    assert.equal((await app().request('GET', '/api/v1/me', { key })).status, 401)
    const left = ['passkey', 'identity', 'second_factor', 'trusted_browser', 'session', 'api_key']
    const counts = await Promise.all(left.map((table) => rowsOf(app(), table, ada)))
    assert.deepEqual(counts, [1, 0, 0, 0, 1, 0], 'the passkey from before stays')
    assert.equal((await signIn(app(), ada, OLD)).status, 401)
    const events = await app().store.read.query(
      `select kind from audit_event where actor_id = '${ada.id}' order by id`,
      [],
    )
    const kinds = events.map(({ kind }) => kind)
    for (const kind of ['sign-in.disowned', 'password.changed', 'session.ended', 'api-key.deleted'])
      assert.ok(kinds.includes(kind), kind)
    const { json } = await app().request('GET', '/app/api/notices', { cookie: mine })
    const notice = json.data.find(({ id }: { id: number }) => id === noticeId)
    assert.equal(notice.data.state, 'ended')
    assert.notEqual(notice.readAt, null)
    assert.doesNotMatch(app().logged.join('\n'), new RegExp(`${OLD}|${NEW}`))
  })

  test('the reporting browser stays known, the stranger’s does not and causes a new notice', async () => {
    const { ada, mine, theirs, noticeId } = await invaded(app())
    const reply = await notMe(app(), noticeId, mine, { currentPassword: OLD, newPassword: NEW })
    assert.equal(reply.status, 200, reply.text)
    const known = cookiesOf(reply)
    assert.match(known, /contrail-known=/)
    const news = async () => {
      const { json } = await app().request('GET', '/app/api/notices', { cookie: mine })
      return json.data.filter(({ kind }: { kind: string }) => kind === 'session.new').length
    }
    const before = await news()
    await signIn(app(), ada, NEW, known)
    assert.equal(await news(), before)
    await signIn(app(), ada, NEW, theirs)
    assert.equal(await news(), before + 1)
  })

  test('the password may be left out only within five minutes of confirmation', async () => {
    const { mine, noticeId } = await invaded(app())
    const refused = await notMe(app(), noticeId, mine, { newPassword: NEW })
    assert.deepEqual([refused.status, refused.json.error.reason], [403, 'confirmation_required'])
    const wrong = await notMe(app(), noticeId, mine, { currentPassword: 'wrong', newPassword: NEW })
    assert.deepEqual([wrong.status, wrong.json.error.details[0].reason], [422, 'current_password_wrong'])
    const confirm = await app().request('POST', '/app/api/confirm', { cookie: mine, body: { password: OLD } })
    assert.equal(confirm.status, 204)
    const same = await notMe(app(), noticeId, mine, { newPassword: OLD })
    assert.deepEqual([same.status, same.json.error.details[0].reason], [422, 'password_unchanged'])
    assert.equal((await notMe(app(), noticeId, mine, { newPassword: NEW })).status, 200)
  })

  test('a new password is required and must differ', async () => {
    const { mine, theirs, noticeId } = await invaded(app())
    const missing = await notMe(app(), noticeId, mine, { currentPassword: OLD })
    assert.deepEqual(
      [missing.status, missing.json.error.details[0].path, missing.json.error.details[0].reason],
      [422, ['newPassword'], 'required'],
    )
    const same = await notMe(app(), noticeId, mine, { currentPassword: OLD, newPassword: OLD })
    assert.deepEqual([same.status, same.json.error.details[0].reason], [422, 'password_unchanged'])
    const short = await notMe(app(), noticeId, mine, { currentPassword: OLD, newPassword: 'short' })
    assert.equal(short.status, 422)
    assert.equal((await notMe(app(), noticeId, mine, { newPassword: 7 })).status, 422)
    assert.equal((await app().request('GET', '/app/api/me', { cookie: theirs })).status, 200, 'nothing ended')
  })

  test('only the person’s own notices of sign-ins can be reported', async () => {
    const { mine, noticeId } = await invaded(app())
    const other = await app().person()
    const cookie = await other.session()
    assert.equal((await notMe(app(), noticeId, cookie, {})).status, 404)
    assert.equal((await notMe(app(), 999_999, mine, { currentPassword: OLD, newPassword: NEW })).status, 404)
    await run(
      app(),
      `insert into notice (user_id, kind, at, data) values ('${other.id}', 'backup.failed', '${at(app())}', '{"reason":"other"}')`,
    )
    const { json } = await app().request('GET', '/app/api/notices', { cookie })
    assert.equal((await notMe(app(), json.data[0].id, cookie, {})).status, 404)
    assert.equal((await app().request('POST', `/app/api/notices/${noticeId}/not-me`)).status, 403)
    const stranger = await app().request('POST', `/app/api/notices/${noticeId}/not-me`, {
      headers: sameOrigin,
    })
    assert.equal(stranger.status, 401)
  })

  test('an account without a password sets none and keeps its ways to sign in', async () => {
    const bob = await app().person()
    const cookie = await bob.session()
    const notice = async () => {
      await run(
        app(),
        `insert into notice (user_id, kind, at, data) values ('${bob.id}', 'session.new', '${at(app())}', '{"userAgent":null,"address":null}')`,
      )
      return noticeOf(app(), cookie)
    }
    const first = await notice()
    app().clock.advance(MINUTE)
    await addPasskey(app(), bob, 'only')
    const keyOfBrowsers = async () =>
      (await app().store.read.query(`select browser_key from person where id = '${bob.id}'`, []))[0]
    const before = await keyOfBrowsers()
    const kept = await notMe(app(), first, cookie, {})
    assert.notDeepEqual(await keyOfBrowsers(), before, 'the stranger’s browser is not known any more')
    assert.deepEqual(
      [kept.status, kept.json.data?.passkeys, kept.json.data?.waysKept],
      [200, 0, true],
      kept.text,
    )
    app().clock.advance(MINUTE)
    const second = await notice()
    await addPasskey(app(), bob, 'second')
    const ended = await notMe(app(), second, cookie, {})
    assert.deepEqual(
      [ended.status, ended.json.data?.passkeys, ended.json.data?.waysKept],
      [200, 1, false],
      ended.text,
    )
    assert.equal(await rowsOf(app(), 'passkey', bob), 1)
  })
})

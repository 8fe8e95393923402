// A lost phone or a leaked key: all access of a person can be ended in one step, by the person or by an administrator who
// sets a new password.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'

/** A person with a session, an API key and a connected app. */
async function withEverything(app: TestApp) {
  const ada = await app.person()
  const [cookie, key] = [await ada.session(), await ada.key()]
  await app.store.transaction(async (tx) => {
    const at = '2026-06-01T00:00:00.000Z'
    await tx.query(
      `insert into oauth_client (id, source, name, redirect_uris, auth_method, created_at) values ('client-${ada.id}', 'registered', 'App', '[]', 'none', '${at}')`,
      [],
    )
    await tx.query(
      `insert into oauth_grant (client_id, user_id, resource, scopes, redirect_uri, created_at, updated_at)
       values ('client-${ada.id}', '${ada.id}', 'http://localhost:3000/api/v1', '[]', 'http://127.0.0.1/', '${at}', '${at}')`,
      [],
    )
  })
  return { ada, cookie, key }
}

const countsOf = async (app: TestApp, { id }: TestPerson) =>
  Object.fromEntries(
    await Promise.all(
      ['session', 'api_key', 'oauth_grant'].map(async (table) => [
        table,
        (await app.store.read.query(`select id from ${table} where user_id = '${id}'`, [])).length,
      ]),
    ),
  )

const eventsOf = async (app: TestApp, { id }: TestPerson) =>
  (
    await app.store.read.query(
      `select kind from audit_event where actor_id = '${id}' or subject_id = '${id}' order by id`,
      [],
    )
  ).map(({ kind }) => kind)

onBothEngines('ending access', (app) => {
  test('sign-out-everywhere: keys and apps end only on request', async () => {
    const { ada, cookie, key } = await withEverything(app())
    await ada.session()
    const unclear = await app().request('POST', '/app/api/sign-out-everywhere', {
      cookie,
      body: { endApiKeys: 'yes' },
    })
    assert.equal(unclear.status, 422)
    const reply = await app().request('POST', '/app/api/sign-out-everywhere', {
      cookie,
      body: { endApiKeys: false, endApps: false },
    })
    assert.deepEqual([reply.status, reply.json.data], [200, { sessions: 2, apiKeys: 0, apps: 0 }])
    assert.match(String(reply.headers['set-cookie']), /Max-Age=0/)
    assert.equal((await app().request('GET', '/app/api/me', { cookie })).status, 401)
    assert.equal((await app().request('GET', '/api/v1/me', { key })).status, 200)
    assert.deepEqual(await countsOf(app(), ada), { session: 0, api_key: 1, oauth_grant: 1 })
    assert.deepEqual(await eventsOf(app(), ada), ['session.ended'])
  })

  test('sign-out-everywhere: keys and apps end too, for this person only', async () => {
    const { ada, cookie, key } = await withEverything(app())
    const other = await withEverything(app())
    const reply = await app().request('POST', '/app/api/sign-out-everywhere', { cookie })
    assert.deepEqual(reply.json.data, { sessions: 1, apiKeys: 1, apps: 1 })
    assert.equal((await app().request('GET', '/api/v1/me', { key })).status, 401)
    assert.deepEqual(await countsOf(app(), ada), { session: 0, api_key: 0, oauth_grant: 0 })
    assert.deepEqual(await countsOf(app(), other.ada), { session: 1, api_key: 1, oauth_grant: 1 })
    assert.deepEqual(await eventsOf(app(), ada), ['session.ended', 'api-key.deleted', 'app.revoked'])
  })

  test('sign-out-everywhere: the person’s invitations and reset links end too', async () => {
    const [ada, eve] = [await app().person('role-administrator'), await app().person('role-administrator')]
    const [cookie, other] = [await ada.session(), await eve.session()]
    const subject = await app().person()
    const invite = async (by: string) =>
      (await app().request('POST', '/app/api/invitations', { cookie: by })).json.data.url as string
    const [ended, kept] = [await invite(cookie), await invite(other)]
    const made = await app().request('POST', `/app/api/users/${subject.id}/reset-link`, { cookie })
    const reset = made.json.data.url as string
    assert.equal((await app().request('POST', '/app/api/sign-out-everywhere', { cookie })).status, 200)
    const opened = async (url: string) => (await app().request('GET', new URL(url).pathname)).status
    assert.deepEqual([await opened(ended), await opened(reset), await opened(kept)], [404, 404, 200])
    assert.deepEqual((await eventsOf(app(), ada)).slice(-3), [
      'session.ended',
      'invitation.revoked',
      'reset-link.revoked',
    ])
  })

  test('an administrator’s reset ends sessions, and on request keys and apps', async () => {
    const admin = await (await app().person('role-administrator')).session()
    const { ada, key } = await withEverything(app())
    const names = { username: ada.username, displayName: ada.displayName }
    const put = (body: object) =>
      app().request('PUT', `/app/api/users/${ada.id}`, { cookie: admin, body: { ...names, ...body } })

    const unclear = await put({ endApiKeys: true })
    assert.equal(unclear.status, 422)
    assert.deepEqual(unclear.json.error.details[0].path, ['password'])
    assert.equal((await put({ password: 'another password' })).status, 200)
    assert.deepEqual(await countsOf(app(), ada), { session: 0, api_key: 1, oauth_grant: 1 })
    assert.equal((await put({ password: 'yet another one', endApiKeys: true, endApps: true })).status, 200)
    assert.deepEqual(await countsOf(app(), ada), { session: 0, api_key: 0, oauth_grant: 0 })
    assert.equal((await app().request('GET', '/api/v1/me', { key })).status, 401)
    assert.deepEqual(
      (await eventsOf(app(), ada)).filter((kind) => kind !== 'user.updated'),
      ['user.password-reset', 'session.ended', 'user.password-reset', 'api-key.deleted', 'app.revoked'],
    )
  })
})

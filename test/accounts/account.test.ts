// set-up, sign-in, sessions, profile and API keys: get-session set-up sign-in sign-out update-profile change-password
// list-api-keys create-api-key delete-api-key list-sessions delete-session
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPreferences } from '../../server/domain/people/preferences.ts'
import { updatePersonRole } from '../../server/store/people/people.ts'
import { type EngineName, onBothEngines, startTestApp, type TestApp } from '../harness.ts'
import { until } from '../until.ts'

const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const account = { username: 'Ada', displayName: 'Ada Lovelace', password: 'correct horse' }

const cookieOf = (reply: { headers: { 'set-cookie'?: string[] | undefined } }) =>
  String(reply.headers['set-cookie']?.[0]).split(';')[0]!
const signIn = (app: TestApp, username: string, password: string) =>
  app.request('POST', '/app/api/sign-in', { body: { username, password }, headers: sameOrigin })

async function withFreshApp(engine: EngineName, work: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await startTestApp(engine)
  try {
    await work(app)
  } finally {
    await app.close()
  }
}

/** The last use of a credential is written in the background. */
async function lastUseWritten(app: TestApp, column: string, from: string): Promise<void> {
  const now = new Date(app.clock.now()).toISOString()
  const read = async () => (await app.store.read.query(`select ${column} as at from ${from}`, []))[0]?.['at']
  await until(`the last use in ${from} is written`, async () => (await read()) === now)
}

onBothEngines('account', (app, engine) => {
  test('ten concurrent set-ups create one owner, who is signed in', () =>
    withFreshApp(engine, async (fresh) => {
      const before = await fresh.request('GET', '/app/api/session')
      assert.equal(before.json.data.setupRequired, true)
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          fresh.request('POST', '/app/api/setup', {
            body: { ...account, username: `ada${i}` },
            headers: sameOrigin,
          }),
        ),
      )
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [204, ...Array(9).fill(409)])
      const winner = replies.find((reply) => reply.status === 204)!
      const session = await fresh.request('GET', '/app/api/session', { cookie: cookieOf(winner) })
      assert.equal(session.json.data.user.isOwner, true)
      assert.equal(session.json.data.setupRequired, false)
      assert.deepEqual(session.json.data.preferences, defaultPreferences)
      const { data: events } = (
        await fresh.request('GET', '/app/api/audit/mine', { cookie: cookieOf(winner) })
      ).json
      const { kind, actor, subject } = events[0]
      assert.deepEqual(
        [events.length, kind, actor.id, subject],
        [1, 'instance.set-up', session.json.data.user.id, null],
      )
      assert.match(String(winner.headers['set-cookie']), /HttpOnly; SameSite=Lax/)
    }))

  test('set-up and sign-in refuse invalid accounts and name the fields', async () => {
    const post = (path: string, body: unknown) =>
      app().request('POST', `/app/api${path}`, { body, headers: sameOrigin })
    const bad = [{ username: 'ab' }, { username: 'a da' }, { displayName: 'x' }, { password: 'short' }]
    for (const part of bad) {
      const reply = await post('/setup', { ...account, ...part })
      assert.equal(reply.status, 422, reply.text)
      assert.deepEqual(reply.json.error.details[0].path, Object.keys(part))
    }
    for (const body of [{}, { username: 'ada' }, { username: 1, password: 2 }, null]) {
      assert.equal((await post('/sign-in', body)).status, 422)
    }
  })

  test('sign-in ignores the case of the name, and responds alike to an unknown user and a wrong password', () =>
    withFreshApp(engine, async (fresh) => {
      await fresh.request('POST', '/app/api/setup', { body: account, headers: sameOrigin })
      const good = await signIn(fresh, 'aDA', account.password)
      assert.equal(good.status, 204, good.text)
      const [wrong, unknown] = [await signIn(fresh, 'ada', 'wrong'), await signIn(fresh, 'nobody', 'wrong')]
      assert.equal(wrong.status, 401)
      assert.deepEqual(wrong.json, unknown.json)
      assert.equal(wrong.headers['www-authenticate'], undefined)
      const cookie = cookieOf(good)
      assert.equal((await fresh.request('GET', '/app/api/me', { cookie })).json.data.username, 'Ada')
      assert.equal((await fresh.request('POST', '/app/api/sign-out', { cookie })).status, 204)
      assert.equal((await fresh.request('GET', '/app/api/me', { cookie })).status, 401)
    }))

  test('guesses are limited per address, and allowed again after a minute', () =>
    withFreshApp(engine, async (fresh) => {
      await fresh.request('POST', '/app/api/setup', { body: account, headers: sameOrigin })
      for (let i = 0; i < 5; i++) assert.equal((await signIn(fresh, 'ada', 'wrong')).status, 401)
      const slowed = await signIn(fresh, 'ada', account.password)
      assert.equal(slowed.status, 429)
      assert.equal(slowed.headers['retry-after'], '60')
      assert.equal((await signIn(fresh, 'stranger', 'wrong')).status, 429, 'the address is known by now')
      fresh.clock.advance(61_000)
      assert.equal((await signIn(fresh, 'ada', account.password)).status, 204)
    }))

  test('a session expires thirty days after its last use', () =>
    withFreshApp(engine, async (fresh) => {
      const person = await fresh.person()
      const day = 86_400_000
      const cookie = await person.session()
      fresh.clock.advance(29 * day)
      assert.equal((await fresh.request('GET', '/app/api/me', { cookie })).status, 200)
      await lastUseWritten(fresh, 'last_seen_at', 'session')
      fresh.clock.advance(29 * day)
      assert.equal((await fresh.request('GET', '/app/api/me', { cookie })).status, 200, 'use extended it')
      const idle = await person.session()
      fresh.clock.advance(30 * day + 1000)
      assert.equal((await fresh.request('GET', '/app/api/me', { cookie: idle })).status, 401)
    }))

  test('a cookie sent by another site changes nothing', async () => {
    const cookie = await (await app().person()).session()
    const body = { name: 'x', scopes: [] }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const reply = await app().request('POST', '/app/api/api-keys', { cookie, body, headers })
      assert.equal(reply.status, 403, JSON.stringify(headers))
    }
    const bare = { cookie, 'content-type': 'application/json' }
    const raw = JSON.stringify(body)
    assert.equal((await app().request('POST', '/app/api/api-keys', { headers: bare, raw })).status, 403)
    const foreign = { ...bare, origin: 'https://evil.example' }
    assert.equal((await app().request('POST', '/app/api/api-keys', { headers: foreign, raw })).status, 403)
    const ours = { ...bare, origin: app().config.origin }
    assert.equal((await app().request('POST', '/app/api/api-keys', { headers: ours, raw })).status, 201)
  })

  test('a key is shown once, and works until it is deleted', async () => {
    const person = await app().person()
    const cookie = await person.session()
    const created = await app().request('POST', '/app/api/api-keys', {
      cookie,
      body: {
        name: ' Home Assistant ',
        scopes: ['flight.read.own', 'flight.read.own'],
        legacyFormat: 'objects',
      },
    })
    assert.equal(created.status, 201, created.text)
    const { key, id } = created.json.data
    assert.match(key, /^ctk_[a-z2-7]{39}$/)
    assert.equal(created.json.data.name, 'Home Assistant')
    assert.deepEqual(created.json.data.scopes, ['flight.read.own'])
    const use = () => app().request('GET', '/api/v1/flights', { key })
    assert.equal((await use()).status, 200)
    await lastUseWritten(app(), 'last_used_at', `api_key where id = ${id}`)
    const listed = await app().request('GET', '/app/api/api-keys', { cookie })
    assert.equal(listed.json.data[0].lastUsedAt, new Date(app().clock.now()).toISOString())
    assert.equal(listed.text.includes(key), false)
    assert.equal(listed.json.data[0].lastFour, key.slice(-4))

    const stranger = await (await app().person('owner')).session()
    assert.equal((await app().request('DELETE', `/app/api/api-keys/${id}`, { cookie: stranger })).status, 404)
    assert.equal((await app().request('DELETE', `/app/api/api-keys/${id}`, { cookie })).status, 204)
    assert.equal((await use()).status, 401)
    assert.equal(
      app().logged.some((line) => line.includes(key)),
      false,
    )
  })

  test('a person may have 100 keys, and deleting one allows another', async () => {
    const [person, other] = [await app().person(), await app().person()]
    const cookie = await person.session()
    const create = (name: string, session = cookie) =>
      app().request('POST', '/app/api/api-keys', { cookie: session, body: { name, scopes: [] } })
    for (let i = 1; i <= 100; i++) assert.equal((await create(`key ${i}`)).status, 201, `key ${i}`)
    const refused = await create('key 101')
    assert.deepEqual([refused.status, refused.json.error.code], [409, 'conflict'])
    const listed = await app().request('GET', '/app/api/api-keys', { cookie })
    assert.equal(listed.json.data.length, 100)
    assert.equal((await create('someone else’s', await other.session())).status, 201)
    const { id } = listed.json.data[0]
    assert.equal((await app().request('DELETE', `/app/api/api-keys/${id}`, { cookie })).status, 204)
    assert.equal((await create('key 101')).status, 201)
  })

  test('a key never exceeds its owner’s current role', async () => {
    const person = await app().person()
    const cookie = await person.session()
    const beyond = await app().request('POST', '/app/api/api-keys', {
      cookie,
      body: { name: 'x', scopes: ['flight.read.any'] },
    })
    assert.equal(beyond.status, 403)
    assert.equal(beyond.json.error.code, 'forbidden')
    const invalid = await app().request('POST', '/app/api/api-keys', {
      cookie,
      body: { name: '  ', scopes: ['nonsense'] },
    })
    assert.deepEqual(
      invalid.json.error.details.map((detail: { path: string[] }) => detail.path.join('.')),
      ['name', 'scopes.0'],
    )
    const admin = await app().person('role-administrator')
    const key = await admin.key(['flight.read.any'])
    const all = () => app().request('GET', '/api/v1/flights?scope=all', { key })
    assert.equal((await all()).status, 200)
    await app().store.transaction((tx) => updatePersonRole(tx, admin.id, 'role-user'))
    assert.equal((await all()).json.error.code, 'forbidden', 'the change bites on the next request')
    assert.equal((await app().request('GET', '/api/v1/flights', { key })).status, 200, 'any includes own')
  })

  test('sessions are listed and ended, and a new password ends the others', () =>
    withFreshApp(engine, async (fresh) => {
      await fresh.request('POST', '/app/api/setup', { body: account, headers: sameOrigin })
      const [here, there] = [
        cookieOf(await signIn(fresh, 'ada', account.password)),
        cookieOf(await signIn(fresh, 'ada', account.password)),
      ]
      const listed = await fresh.request('GET', '/app/api/sessions', { cookie: here })
      assert.equal(listed.json.data.length, 3)
      assert.equal(listed.json.data.filter((session: { current: boolean }) => session.current).length, 1)
      const stranger = await (await fresh.person()).session()
      const someId = listed.json.data.find((session: { current: boolean }) => !session.current).id
      assert.equal(
        (await fresh.request('DELETE', `/app/api/sessions/${someId}`, { cookie: stranger })).status,
        404,
      )
      assert.equal(
        (await fresh.request('DELETE', `/app/api/sessions/${someId}`, { cookie: here })).status,
        204,
      )

      const change = (currentPassword: string, newPassword: string) =>
        fresh.request('PUT', '/app/api/me/password', { cookie: here, body: { currentPassword, newPassword } })
      assert.deepEqual((await change('wrong', 'another one')).json.error.details[0].path, ['currentPassword'])
      assert.equal((await change(account.password, 'short')).status, 422)
      assert.equal((await change(account.password, 'another one')).status, 204)
      assert.equal((await fresh.request('GET', '/app/api/me', { cookie: here })).status, 200)
      assert.equal((await fresh.request('GET', '/app/api/me', { cookie: there })).status, 401)
    }))

  test('an attempt with the old password fails if the password changes meanwhile', () =>
    withFreshApp(engine, async (fresh) => {
      await fresh.request('POST', '/app/api/setup', { body: account, headers: sameOrigin })
      const here = cookieOf(await signIn(fresh, 'ada', account.password))
      // Most attempts are still queued for comparison with the old hash; the change comes first.
      const attempts = Array.from({ length: 10 }, () => signIn(fresh, 'ada', account.password))
      const change = fresh.request('PUT', '/app/api/me/password', {
        cookie: here,
        body: { newPassword: 'another one' },
      })
      assert.equal((await change).status, 204)
      await Promise.all(attempts)
      const left = await fresh.request('GET', '/app/api/sessions', { cookie: here })
      assert.equal(left.json.data.length, 1)
    }))

  test('names can be changed, but not to one in use', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const cookie = await ada.session()
    const put = (body: unknown) => app().request('PUT', '/app/api/me', { cookie, body })
    assert.equal((await put({ username: 'countess', displayName: 'The Countess' })).status, 204)
    assert.equal(
      (await app().request('GET', '/app/api/me', { cookie })).json.data.displayName,
      'The Countess',
    )
    assert.equal(
      (await put({ username: bob.username.toUpperCase(), displayName: 'The Countess' })).status,
      409,
    )
    assert.equal((await put({ username: 'a b', displayName: 'x' })).status, 422)
    assert.equal((await put({ username: 'countess', displayName: 'x' })).status, 422)
    assert.equal(
      (await put({ username: 'countess', displayName: 'Bo' })).status,
      204,
      'a name of two letters',
    )
  })
})

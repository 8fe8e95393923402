// Callers cached from earlier requests: a changed credential takes effect on the next request, whichever process changed
// it, and requests that are looked up together are not confused.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogger } from '../server/base/log.ts'
import { createSecret } from '../server/base/secret/secrets.ts'
import { HOUR } from '../server/domain/time/durations.ts'
import { upsertClient } from '../server/store/access/oauth/clients.ts'
import { upsertGrant } from '../server/store/access/oauth/grants.ts'
import { insertAccessToken } from '../server/store/access/oauth/tokens.ts'
import { openStore, type Store } from '../server/store/store.ts'
import { onBothEngines, type TestApp, type TestPerson } from './harness.ts'

onBothEngines('known callers', (app) => {
  /** Separate connections, as another process has. */
  let other: Store
  before(async () => {
    other = await openStore(app().config, createLogger('silent'))
  })
  after(() => other?.close())

  const writeElsewhere = (sql: string) => other.transaction((tx) => tx.query(sql, []))
  const me = (ask: { key?: string; cookie?: string }) =>
    app().request('GET', ask.cookie ? '/app/api/me' : '/api/v1/me', ask)

  /** Twice: the second time the caller is cached. */
  async function requireKnown(ask: { key?: string; cookie?: string }, person: TestPerson) {
    for (let i = 0; i < 2; i++) {
      const { status, json } = await me(ask)
      assert.equal(status, 200)
      assert.equal(json.data.id, person.id)
    }
  }

  test('a key deleted by another process is refused immediately', async () => {
    const person = await app().person()
    const [key, kept] = [await person.key(['profile.read']), await person.key()]
    await requireKnown({ key }, person)
    await requireKnown({ key: kept }, person)
    await writeElsewhere(
      `delete from api_key where user_id = '${person.id}' and scopes like '%profile.read"]'`,
    )
    const deleted = await me({ key })
    const left = await me({ key: kept })
    assert.deepEqual([deleted.status, left.status].toSorted(), [200, 401])
  })

  test('changed scopes, a changed role and a new name take effect immediately', async () => {
    const person = await app().person('role-user')
    const key = await person.key()
    await requireKnown({ key }, person)
    await writeElsewhere(`update api_key set scopes = '["stats.read"]' where user_id = '${person.id}'`)
    assert.deepEqual((await me({ key })).json.data.credential.scopes, ['stats.read'])
    assert.equal((await app().request('GET', '/api/v1/flights', { key })).status, 403)
    await writeElsewhere(`update person set role_id = 'role-administrator' where id = '${person.id}'`)
    assert.equal((await me({ key })).json.data.role.id, 'role-administrator')
    await writeElsewhere(`update person set display_name = 'Renamed' where id = '${person.id}'`)
    assert.equal((await me({ key })).json.data.displayName, 'Renamed')
  })

  test('the permissions of a role are checked in their current state', async () => {
    const person = await app().person(['flight.read.own'])
    const key = await person.key()
    const read = () => app().request('GET', '/api/v1/flights', { key })
    for (let i = 0; i < 3; i++) assert.equal((await read()).status, 200)
    await writeElsewhere(
      `update role set permissions = '[]' where id = (select role_id from person where id = '${person.id}')`,
    )
    assert.equal((await read()).status, 403)
  })

  test('a cached session is refused once it has ended or expired', async () => {
    const person = await app().person()
    const [ended, expired] = [await person.session(), await person.session()]
    await requireKnown({ cookie: ended }, person)
    await writeElsewhere(
      `/* test */ delete from session where id = (select min(id) from session where user_id = '${person.id}')`,
    )
    assert.equal((await me({ cookie: ended })).status, 401)
    await requireKnown({ cookie: expired }, person)
    const now = app().clock.now()
    app().clock.advance(31 * 24 * HOUR)
    assert.equal((await me({ cookie: expired })).status, 401)
    app().clock.set(now)
  })

  test('an expired access token is refused, and so is one for another resource', async () => {
    const person = await app().person()
    const token = await accessToken(app(), person, HOUR)
    await requireKnown({ key: token }, person)
    const elsewhere = await app().request('POST', '/api/mcp', { key: token, body: {} })
    assert.equal(elsewhere.status, 401)
    await requireKnown({ key: token }, person)
    const now = app().clock.now()
    app().clock.advance(HOUR)
    assert.equal((await me({ key: token })).status, 401)
    app().clock.set(now)
  })

  test('concurrent requests with many credentials run as their own people', async () => {
    const people = await Promise.all(Array.from({ length: 40 }, () => app().person()))
    const credentials = await Promise.all(
      people.map(async (person, i) =>
        i % 4 === 3 ? { cookie: await person.session() } : { key: await person.key() },
      ),
    )
    const tokens = await Promise.all(people.slice(0, 5).map((person) => accessToken(app(), person, HOUR)))
    const asks = [
      ...people.map((person, i) => ({ ask: credentials[i]!, id: person.id })),
      ...tokens.map((key, i) => ({ ask: { key }, id: people[i]!.id })),
      ...Array.from({ length: 5 }, () => ({ ask: { key: createSecret('apiKey').secret }, id: undefined })),
    ]
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all(asks.map(({ ask }) => me(ask)))
      replies.forEach(({ status, json }, i) => {
        assert.equal(status, asks[i]!.id ? 200 : 401)
        assert.equal(json.data?.id, asks[i]!.id)
      })
    }
  })
})

async function accessToken({ store, clock, config }: TestApp, person: TestPerson, lifetimeMs: number) {
  const { secret, hash } = createSecret('accessToken')
  const [now, expiresAt] = [0, lifetimeMs].map((ms) => new Date(clock.now() + ms).toISOString()) as [
    string,
    string,
  ]
  const client = {
    id: `client_${person.id}`,
    source: 'registration',
    name: 'App',
    authMethod: 'none',
    secretHash: null,
  } as const
  const redirectUri = 'http://127.0.0.1/callback'
  await store.transaction(async (tx) => {
    await upsertClient(tx, { ...client, redirectUris: [redirectUri] }, now, '2099-01-01T00:00:00.000Z')
    const grantId = await upsertGrant(tx, {
      clientId: client.id,
      userId: person.id,
      resource: `${config.origin}/api/v1`,
      scopes: ['profile.read'],
      redirectUri,
      now,
    })
    await insertAccessToken(tx, { hash, grantId, family: person.id, scopes: ['profile.read'], expiresAt })
  })
  return secret
}

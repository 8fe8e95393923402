// A stolen database, log or backup must not allow signing in. After every kind of secret was created, none of them occurs in any
// stored or logged byte.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type TOTP, URI } from 'otpauth'
import pg from 'pg'
import { createSetupToken } from '../../server/services/accounts/setup-token.ts'
import { onSqlite, type TestApp } from '../harness.ts'
import {
  approve,
  Browser,
  codeExchange,
  codeOf,
  createFlow,
  exchange,
  filled,
  formIn,
  fromManyAddresses,
  postForm,
  refreshExchange,
  registerClient,
} from '../oauth/browser.ts'

const setupToken = createSetupToken()

/** Every byte that the instance stores. */
async function storedBytes({ engine, config }: TestApp): Promise<Buffer> {
  if (engine === 'sqlite') {
    const files = readdirSync(config.dataDir, { recursive: true, withFileTypes: true })
    const found = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
    assert.ok(found.some((path) => path.endsWith('-wal')))
    return Buffer.concat(found.map((path) => readFileSync(path)))
  }
  const client = new pg.Client({ connectionString: config.databaseUrl })
  await client.connect()
  try {
    const tables = await client.query("select tablename from pg_tables where schemaname = 'public'")
    const texts: string[] = []
    for (const { tablename } of tables.rows) {
      const { rows } = await client.query(
        `select row_to_json(stored)::text as text from "${tablename}" as stored`,
      )
      texts.push(...rows.map((row) => row.text))
    }
    return Buffer.from(texts.join('\n'))
  } finally {
    await client.end()
  }
}

/** The secret itself and its common encodings. */
const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  [...secret].reverse().join(''),
]

onSqlite(
  'secrets at rest',
  (app) => {
    test('no secret is in the database or the log', async () => {
      const secrets: Record<string, string> = { setupToken: setupToken.secret }
      const passwords = {
        password: 'correct horse battery',
        newPassword: 'staple-of-the-gods',
        typedAsName: 'my-password-as-name',
        wrongPassword: 'not-my-password-77',
      }
      Object.assign(secrets, passwords)

      const browser = new Browser(app())
      const setup = formIn(await browser.follow('/setup'))
      const account = { username: 'ada', displayName: 'Ada L', password: passwords.password }
      const claimed = await browser.post(
        setup.action,
        filled(setup, { ...account, setupToken: setupToken.secret }),
      )
      assert.equal(claimed.status, 303, claimed.text)
      const elsewhere = new Browser(app())
      const signIn = formIn(await elsewhere.follow('/sign-in'))
      const wrong = { username: passwords.typedAsName, password: passwords.wrongPassword }
      assert.equal((await elsewhere.post(signIn.action, filled(signIn, wrong))).status, 401)
      const right = { username: 'ada', password: passwords.password }
      assert.equal((await elsewhere.post(signIn.action, filled(signIn, right))).status, 303)
      for (const [name, value] of [...browser.cookies, ...elsewhere.cookies])
        secrets[`cookie ${name} ${value}`] = value

      const { cookie } = browser
      const created = await app().request('POST', '/app/api/api-keys', {
        cookie,
        body: { name: 'script', scopes: ['flight.read.own'] },
      })
      assert.equal(created.status, 201, created.text)
      secrets['apiKey'] = created.json.data.key
      assert.equal((await app().request('GET', '/api/v1/flights', { key: secrets['apiKey'] })).status, 200)

      const client = await registerClient(app(), { token_endpoint_auth_method: 'client_secret_post' })
      secrets['clientSecret'] = client.client_secret!
      const flow = createFlow(app(), client)
      secrets['verifier'] = flow.pkce.verifier
      const spent = codeOf(await approve(browser, flow, 'flight.read.own'))
      secrets['spentCode'] = spent
      const tokens = await exchange(app(), codeExchange(flow, spent))
      const renewed = await exchange(app(), refreshExchange(flow, tokens.refresh_token))
      for (const [i, { access_token, refresh_token }] of [tokens, renewed].entries()) {
        secrets[`accessToken${i}`] = access_token
        secrets[`refreshToken${i}`] = refresh_token
      }
      secrets['waitingCode'] = codeOf(await approve(browser, createFlow(app(), client), 'flight.read.own'))
      // Secrets sent in wrong places are not stored either.
      await app().request('GET', `/api/v1/flights?access_token=${secrets['apiKey']}`)
      await app().request('GET', `/api/v1/nowhere/${secrets['apiKey']}?key=${secrets['accessToken1']}`)
      await postForm(app(), '/oauth/token', { ...codeExchange(flow, spent), client_secret: 'x' })
      await app().request('POST', '/api/mcp', { key: renewed.access_token, raw: '{' })
      const changed = { currentPassword: passwords.password, newPassword: passwords.newPassword }
      const reply = await app().request('PUT', '/app/api/me/password', { cookie, body: changed })
      assert.equal(reply.status, 204, reply.text)

      const started = await app().request('POST', '/app/api/second-factor', { cookie })
      const { secret, uri } = started.json.data
      const code = (URI.parse(uri) as TOTP).generate({ timestamp: app().clock.now() })
      const enabled = await app().request('POST', '/app/api/second-factor/enable', { cookie, body: { code } })
      assert.equal(enabled.status, 200, enabled.text)
      secrets['totpSecret'] = secret
      const { recoveryCodes } = enabled.json.data
      for (const [i, recoveryCode] of recoveryCodes.entries()) {
        secrets[`recoveryCode${i}`] = recoveryCode
        secrets[`recoveryCode${i} without hyphens`] = recoveryCode.replaceAll('-', '')
      }
      const third = new Browser(app())
      const again = { username: 'ada', password: passwords.newPassword }
      const toVerify = await third.post('/sign-in', filled(formIn(await third.follow('/sign-in')), again))
      assert.equal(toVerify.headers.location, '/sign-in/verify')
      for (const [name, value] of third.cookies) secrets[`cookie ${name} ${value}`] = value
      const verify = formIn(await third.get('/sign-in/verify'))
      const verified = filled(verify, { way: 'recovery', recoveryCode: recoveryCodes[0], trust: '1' })
      assert.equal((await third.post('/sign-in/verify', verified)).status, 303)
      for (const [name, value] of third.cookies) secrets[`cookie ${name} ${value}`] = value

      const stored = await storedBytes(app())
      assert.ok(stored.includes('Ada L'), 'the audit reads the stored data')
      const logged = Buffer.from(app().logged.join(''))
      assert.ok(Object.values(secrets).every((secret) => secret.length > 10))
      for (const [name, secret] of Object.entries(secrets)) {
        for (const spelling of spellings(secret)) {
          assert.ok(!stored.includes(spelling), `${name} is in the database`)
          assert.ok(!logged.includes(spelling), `${name} is in the log`)
        }
      }
    })
  },
  fromManyAddresses,
  { setupToken },
)

// The second factor, checked with another implementation of the codes (npm otpauth), and the ways to get past it: guessing,
// replaying, someone else's step, an old password, a lost instance secret.
// get-second-factor start-second-factor enable-second-factor create-recovery-codes disable-second-factor
// sign-in-with-second-factor confirm-with-password get-account
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, beforeEach, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Secret, type TOTP, URI } from 'otpauth'
import { createInstanceSecret } from '../../server/base/secret/instance-secret.ts'
import {
  CONFIRMED_MS,
  SECOND_FACTOR_STEP_MS,
  TRUSTED_BROWSER_MS,
} from '../../server/domain/accounts/sign-in.ts'
import { MINUTE } from '../../server/domain/time/durations.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { stepsOfCode } from '../../server/services/accounts/totp.ts'
import { restoreBackup, writeBackup } from '../../server/services/backup/backup.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { withoutAirports } from '../fixtures.ts'
import { onBothEngines, type Reply, type TestApp, type TestPerson, testOnSqlite } from '../harness.ts'
import {
  authorizePath,
  Browser,
  createFlow,
  filled,
  formIn,
  registerClient,
  requestOf,
} from '../oauth/browser.ts'

const STEP = 30_000
const PASSWORD = 'correct horse battery'
const settings = { addressHeader: 'x-client-address' }

let addresses = 0
const elsewhere = () => `203.0.113.${addresses++ % 250}`

/** A browser with its own address, which keeps cookies and sends JSON like the web app. */
class Client {
  readonly cookies = new Map<string, string>()
  readonly #app: TestApp
  readonly address = elsewhere()
  constructor(app: TestApp, cookie?: string) {
    this.#app = app
    if (cookie) this.#keep(cookie)
  }
  #keep(line: string) {
    const [name, ...value] = line.split(';', 1)[0]!.split('=')
    if (value.join('=') === '') this.cookies.delete(name!)
    else this.cookies.set(name!, value.join('='))
  }
  async send(method: string, path: string, body?: unknown): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await this.#app.request(method, `/app/api${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-client-address': this.address },
    })
    for (const line of reply.headers['set-cookie'] ?? []) this.#keep(line)
    return reply
  }
  signIn = (who: TestPerson, password = PASSWORD) =>
    this.send('POST', '/sign-in', { username: who.username, password })
  code = (code: string, trust = false) => this.send('POST', '/sign-in/second-factor', { code, trust })
  recover = (recoveryCode: string) => this.send('POST', '/sign-in/second-factor', { recoveryCode })
  isSignedIn = async () => (await this.send('GET', '/me')).status === 200
}

interface Protected {
  who: TestPerson
  /** Signed in before the second factor was enabled. */
  settings: Client
  totp: TOTP
  recoveryCodes: string[]
}

let hash: string
before(async () => {
  hash = await hashPassword(PASSWORD)
})

async function withPassword(app: TestApp): Promise<TestPerson> {
  const who = await app.person()
  await app.store.transaction((tx) => updatePassword(tx, who.id, hash))
  return who
}

async function withSecondFactor(app: TestApp): Promise<Protected> {
  const who = await withPassword(app)
  const client = new Client(app, await who.session())
  const start = async () => {
    const started = await client.send('POST', '/second-factor')
    assert.equal(started.status, 200, started.text)
    return URI.parse(started.json.data.uri) as TOTP
  }
  const codesOf = (secret: TOTP) =>
    Array.from({ length: 10 }, (_, i) => secret.generate({ timestamp: app.clock.now() + (i - 3) * STEP }))
  let totp = await start()
  // Two steps of a secret can have the same code by chance; here each code belongs to one step.
  while (new Set(codesOf(totp)).size < 10) totp = await start()
  const code = totp.generate({ timestamp: app.clock.now() })
  const enabled = await client.send('POST', '/second-factor/enable', { code })
  assert.equal(enabled.status, 200, enabled.text)
  // The code of this step is used up.
  app.clock.advance(STEP)
  return { who, settings: client, totp, recoveryCodes: enabled.json.data.recoveryCodes }
}

const reasonOf = (reply: Reply) => [reply.status, reply.json?.error?.reason]
const eventsOf = async (app: TestApp, { id }: TestPerson) =>
  (
    await app.store.read.query(
      `select kind from audit_event where actor_id = '${id}' or subject_id = '${id}' order by id`,
      [],
    )
  ).map(({ kind }) => kind)

test('codes equal those of RFC 6238, appendix B, cut to six digits', () => {
  const secret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of vectors)
    assert.deepEqual(stepsOfCode(secret, code, seconds * 1000), [Math.floor(seconds / 30)])
})

onBothEngines(
  'second factor',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    let given: Protected
    const codeAt = (stepsOff = 0, { totp } = given) =>
      totp.generate({ timestamp: app().clock.now() + stepsOff * STEP })
    /** No codes of the steps around the current time. */
    const wrongCodes = (count: number) => {
      const near = [-2, -1, 0, 1, 2].map((off) => codeAt(off))
      const some = Array.from({ length: count + near.length }, (_, i) => String(900_000 + i))
      return some.filter((code) => !near.includes(code)).slice(0, count)
    }
    const wrongCode = () => wrongCodes(1)[0]!
    /** Signs in up to the second step. */
    const pending = async ({ who } = given) => {
      const client = new Client(app())
      assert.deepEqual(reasonOf(await client.signIn(who)), [401, 'second_factor_required'])
      assert.equal(await client.isSignedIn(), false)
      return client
    }
    before(() => app().person('owner'))
    beforeEach(async () => {
      app().clock.advance(120 * MINUTE)
      given = await withSecondFactor(app())
    })

    test('set-up shows the secret as text and as an address; codes are required only after the first correct one', async () => {
      const who = await withPassword(app())
      const client = new Client(app(), await who.session())
      const status = async () => (await client.send('GET', '/second-factor')).json.data
      const off = {
        enabled: false,
        enabledAt: null,
        recoveryCodesLeft: 0,
        trustedBrowsers: 0,
        readable: true,
      }
      assert.deepEqual(await status(), off)
      const enable = (code: string) => client.send('POST', '/second-factor/enable', { code })
      assert.deepEqual(reasonOf(await enable('123456')), [409, 'second_factor_not_started'])
      const [first, second] = [
        await client.send('POST', '/second-factor'),
        await client.send('POST', '/second-factor'),
      ]
      const { secret, uri } = second.json.data
      assert.notEqual(first.json.data.secret, secret, 'each start has its own secret')
      assert.match(secret, /^[A-Z2-7]{32}$/)
      const totp = URI.parse(uri) as TOTP
      assert.deepEqual(
        [totp.secret.base32, totp.algorithm, totp.digits, totp.period, totp.label],
        [secret, 'SHA1', 6, 30, who.username],
      )
      assert.match(totp.issuer, /^Contrail \(/)
      assert.equal((await new Client(app()).signIn(who)).status, 204, 'not enabled: not asked for')
      const old = URI.parse(first.json.data.uri) as TOTP
      const wrong = await enable(old.generate({ timestamp: app().clock.now() }))
      assert.deepEqual([wrong.status, wrong.json.error.details[0].reason], [422, 'second_factor_wrong'])
      assert.equal((await status()).enabled, false)
      const enabled = await enable(totp.generate({ timestamp: app().clock.now() }))
      assert.equal(enabled.status, 200, enabled.text)
      const { recoveryCodes } = enabled.json.data
      assert.equal(new Set(recoveryCodes).size, 10)
      for (const code of recoveryCodes) assert.match(code, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
      const { enabledAt, ...rest } = await status()
      assert.deepEqual(rest, {
        enabled: true,
        recoveryCodesLeft: 10,
        trustedBrowsers: 0,
        readable: true,
      })
      assert.equal(enabledAt, new Date(app().clock.now()).toISOString())
      assert.deepEqual(reasonOf(await enable('123456')), [409, 'second_factor_on'])
      assert.deepEqual(reasonOf(await client.send('POST', '/second-factor')), [409, 'second_factor_on'])
      assert.deepEqual(reasonOf(await new Client(app()).signIn(who)), [401, 'second_factor_required'])
      assert.ok((await eventsOf(app(), who)).includes('second-factor.enabled'))
    })

    sqliteTest('the second step refuses anything but exactly one code', async () => {
      const client = await pending()
      for (const body of [
        {},
        { code: '1', recoveryCode: '2' },
        { code: 1 },
        { code: '1', trust: 'yes' },
        null,
      ])
        assert.equal((await client.send('POST', '/sign-in/second-factor', body)).status, 422)
      for (const code of ['', '12345', '1234567', '١٢٣٤٥٦', 'abcdef', '-1'.padEnd(100, '0')])
        assert.deepEqual(
          reasonOf(await (await pending(await withSecondFactor(app()))).code(code)),
          [401, 'second_factor_wrong'],
          code,
        )
      assert.equal((await given.settings.send('POST', '/second-factor/enable', {})).status, 422)
    })

    test('a code one step away is accepted, a code two steps away is refused', async () => {
      assert.deepEqual(reasonOf(await (await pending()).code(codeAt(-2))), [401, 'second_factor_wrong'])
      assert.deepEqual(reasonOf(await (await pending()).code(codeAt(2))), [401, 'second_factor_wrong'])
      app().clock.advance(2 * STEP)
      for (const off of [-1, 0, 1]) assert.equal((await (await pending()).code(codeAt(off))).status, 204)
      const typed = codeAt(2)
      app().clock.advance(2 * STEP)
      const spaced = await pending()
      assert.equal(
        (await spaced.code(` ${typed.slice(0, 3)} ${typed.slice(3)} `)).status,
        204,
        'as apps show it',
      )
      assert.equal(await spaced.isSignedIn(), true)
    })

    test('a code works once, also when it is sent twice concurrently', async () => {
      const code = codeAt()
      const clients = await Promise.all(Array.from({ length: 5 }, () => pending()))
      const replies = await Promise.all(clients.map((client) => client.code(code)))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 401, 401, 401, 401])
      app().clock.advance(2 * MINUTE)
      const enabledWith = await withSecondFactor(app())
      app().clock.advance(-STEP)
      const replayed = await (await pending(enabledWith)).code(codeAt(0, enabledWith))
      assert.deepEqual(
        reasonOf(replayed),
        [401, 'second_factor_wrong'],
        'the one that turned it on is spent too',
      )
    })

    test('the codes before and after the current one are accepted once, in any order', async () => {
      // Enabled with the code of the previous step, which is within one step.
      const tried = async (off: number) => (await (await pending()).code(codeAt(off))).status
      assert.deepEqual([await tried(-1), await tried(1), await tried(0)], [401, 204, 204])
      assert.deepEqual([await tried(1), await tried(0)], [401, 401])
      app().clock.advance(120 * MINUTE)
      const who = await withPassword(app())
      const client = new Client(app(), await who.session())
      const start = async () => URI.parse((await client.send('POST', '/second-factor')).json.data.uri) as TOTP
      const enable = async (totp: TOTP) =>
        client.send('POST', '/second-factor/enable', {
          code: totp.generate({ timestamp: app().clock.now() }),
        })
      const totp = await start()
      const enabled = await enable(totp)
      assert.equal(enabled.status, 200, enabled.text)
      const fresh = { who, settings: client, totp, recoveryCodes: [] }
      const sent = async (off: number) => (await (await pending(fresh)).code(codeAt(off, fresh))).status
      assert.deepEqual([await sent(0), await sent(-1), await sent(-1)], [401, 204, 401])
      // Codes of an earlier secret do not count against those of a new one.
      assert.equal((await client.send('DELETE', '/second-factor')).status, 204)
      fresh.totp = await start()
      assert.equal((await enable(fresh.totp)).status, 200)
      assert.deepEqual([await sent(0), await sent(-1), await sent(-1)], [401, 204, 401])
    })

    test('concurrent requests in one step create one session', async () => {
      const client = await pending()
      const sent = given.recoveryCodes.slice(0, 5).map((code) => client.recover(code))
      const statuses = (await Promise.all(sent)).map(({ status }) => status).sort()
      assert.deepEqual(statuses, [204, 401, 401, 401, 401])
      const left = (await given.settings.send('GET', '/second-factor')).json.data.recoveryCodesLeft
      assert.equal(left, 9, 'a refused one is not spent')
      const third = await client.code(codeAt())
      assert.deepEqual(reasonOf(third), [401, 'second_factor_expired'])
    })

    test('a recovery code works once in any spelling, and new codes replace the old ones', async () => {
      const [first, second, third] = given.recoveryCodes as [string, string, string]
      const clients = [await pending(), await pending()]
      const replies = await Promise.all(clients.map((client) => client.recover(first)))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 401])
      assert.equal(
        (await (await pending()).recover(` ${second.toUpperCase().replaceAll('-', ' ')} `)).status,
        204,
      )
      const left = async () =>
        (await given.settings.send('GET', '/second-factor')).json.data.recoveryCodesLeft
      assert.equal(await left(), 8)
      assert.equal(
        (await eventsOf(app(), given.who)).filter((kind) => kind === 'recovery-code.used').length,
        2,
      )
      const renewed = await given.settings.send('POST', '/second-factor/recovery-codes')
      assert.equal(renewed.json.data.recoveryCodes.length, 10)
      assert.equal(await left(), 10)
      assert.deepEqual(reasonOf(await (await pending()).recover(third)), [401, 'second_factor_wrong'])
      assert.equal((await (await pending()).recover(renewed.json.data.recoveryCodes[9])).status, 204)
      const other = await withSecondFactor(app())
      const foreign = await (await pending(other)).recover(renewed.json.data.recoveryCodes[0])
      assert.deepEqual(reasonOf(foreign), [401, 'second_factor_wrong'], 'another person’s code')
    })

    sqliteTest(
      'a code that is not six digits is read as a recovery code; the page accepts its former field name',
      async () => {
        const [first, second, third] = given.recoveryCodes as [string, string, string]
        assert.equal((await (await pending()).code(first)).status, 204)
        assert.equal((await (await pending()).code(` ${second.replaceAll('-', ' ')}`)).status, 204)
        assert.deepEqual(reasonOf(await (await pending()).code(first)), [401, 'second_factor_wrong'], 'once')
        assert.equal(
          (await eventsOf(app(), given.who)).filter((kind) => kind === 'recovery-code.used').length,
          2,
        )
        const browser = new Browser(app())
        const page = await browser.follow('/sign-in')
        const values = { username: given.who.username, password: PASSWORD }
        await browser.post('/sign-in', filled(formIn(page), values))
        const form = formIn(await browser.get('/sign-in/verify?recovery=1'))
        const fields = form.fields.filter(([name]) => name !== 'code')
        const done = await browser.post('/sign-in/verify', [...fields, ['recoveryCode', third]])
        assert.equal(done.status, 303, done.text)
      },
    )

    test('wrong, used and malformed codes get the same response', async () => {
      const used = codeAt()
      assert.equal((await (await pending()).code(used)).status, 204)
      const client = await pending()
      const replies = [
        await client.code(wrongCode()),
        await client.code(used),
        await client.code('x'),
        await client.recover('x'),
      ]
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
      assert.equal(new Set(replies.map(({ status }) => status)).size, 1)
    })

    test('ten or more wrong codes within a day make one notice', async () => {
      const notices = async () => {
        const { json } = await given.settings.send('GET', '/notices')
        return json.data.filter(({ kind }: { kind: string }) => kind === 'second-factor.failed')
      }
      const guess = async (count: number) => {
        for (let i = 0; i < count; i++) {
          // Longer than any delay.
          app().clock.advance(16 * MINUTE)
          const client = await pending()
          assert.deepEqual(reasonOf(await client.code(wrongCode())), [401, 'second_factor_wrong'])
          last = client.address
        }
      }
      let last = ''
      await guess(9)
      for (let i = 0; i < 3; i++) {
        app().clock.advance(16 * MINUTE)
        assert.equal((await new Client(app()).signIn(given.who, 'wrong')).status, 401)
      }
      assert.deepEqual(await notices(), [], 'wrong passwords are no wrong codes')
      await guess(1)
      const [notice, ...others] = await notices()
      assert.deepEqual([notice.data, others], [{ codes: 10, address: last }, []])
      await given.settings.send('POST', '/notices/read', { upTo: notice.id })
      await guess(11)
      assert.equal((await notices()).length, 1, 'also after it was read')
      app().clock.advance(25 * 60 * MINUTE)
      await guess(9)
      assert.equal((await notices()).length, 1)
      app().clock.advance(16 * MINUTE)
      const clients = [await pending(), await pending(), await pending()]
      await Promise.all(clients.map((client) => client.code(wrongCode())))
      assert.equal((await notices()).length, 2, 'of those at the same moment one')
    })

    test('an account may try five wrong codes a minute from all addresses, counted like wrong passwords', async () => {
      const known = new Client(app())
      await known.signIn(given.who)
      assert.equal((await known.code(codeAt())).status, 204)
      const strangers = await Promise.all(Array.from({ length: 5 }, () => pending()))
      for (const stranger of strangers)
        assert.deepEqual(reasonOf(await stranger.code(wrongCode())), [401, 'second_factor_wrong'])
      const sixth = await pending()
      for (const reply of [await sixth.code(codeAt(1)), await sixth.recover(given.recoveryCodes[0]!)]) {
        assert.deepEqual(reasonOf(reply), [429, 'too_many_attempts'])
        assert.equal(reply.headers['retry-after'], '60')
      }
      await known.signIn(given.who)
      assert.equal((await known.code(codeAt(1))).status, 429, 'a known browser too')
      const other = await withSecondFactor(app())
      assert.equal(
        (await (await pending(other)).code(codeAt(0, other))).status,
        204,
        'not for another person',
      )
      app().clock.advance(MINUTE)
      assert.equal((await sixth.code(codeAt())).status, 204, 'refused ones spent nothing; the step survived')
      // One address: two wrong codes and three wrong passwords are five wrong attempts.
      app().clock.advance(120 * MINUTE)
      const one = await pending()
      for (let i = 0; i < 2; i++) assert.equal((await one.code(wrongCode())).status, 401)
      for (let i = 0; i < 3; i++) assert.equal((await one.signIn(given.who, 'wrong')).status, 401)
      assert.equal((await one.signIn(given.who)).status, 429)
      assert.equal((await one.code(codeAt())).status, 429)
    })

    test('concurrent guesses are counted before they are checked', async () => {
      const client = await pending()
      const replies = await Promise.all(wrongCodes(30).map((code) => client.code(code)))
      const statuses = replies.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 401).length, 5)
      assert.equal(statuses.filter((status) => status === 429).length, 25)
    })

    test('a trusted browser needs no code for 30 days; other browsers and people do', async () => {
      const client = await pending()
      assert.equal((await client.code(codeAt(), true)).status, 204)
      const cookie = [...client.cookies].find(([name]) => name === 'contrail-trusted')
      assert.ok(cookie)
      const again = await client.signIn(given.who)
      assert.equal(again.status, 204, again.text)
      const other = await withSecondFactor(app())
      assert.deepEqual(reasonOf(await client.signIn(other.who)), [401, 'second_factor_required'])
      assert.equal((await client.code(codeAt(0, other), true)).status, 204, 'one browser, two people')
      assert.equal((await client.signIn(given.who)).status, 204)
      assert.equal((await client.signIn(other.who)).status, 204)
      await pending()
      const forged = new Client(app())
      forged.cookies.set('contrail-trusted', `${cookie[1].slice(0, -1)}x`)
      assert.deepEqual(reasonOf(await forged.signIn(given.who)), [401, 'second_factor_required'])
      app().clock.advance(TRUSTED_BROWSER_MS)
      assert.deepEqual(reasonOf(await client.signIn(given.who)), [401, 'second_factor_required'])
      assert.equal((await client.code(codeAt())).status, 204)
      assert.equal(
        (await given.settings.send('GET', '/second-factor')).status,
        401,
        'the session has long ended: the cookie alone opens nothing',
      )
    })

    test('a browser is trusted only if that is chosen', async () => {
      const client = await pending()
      assert.equal((await client.code(codeAt())).status, 204)
      assert.equal(client.cookies.has('contrail-trusted'), false)
    })

    test('a new password, ending everything and turning the factor off end trust and pending steps', async () => {
      const trusting = async (who: Protected) => {
        const client = await pending(who)
        assert.equal((await client.code(codeAt(0, who), true)).status, 204)
        return client
      }
      const ends: ((who: Protected, client: Client) => Promise<Reply>)[] = [
        (who) =>
          who.settings.send('PUT', '/me/password', {
            currentPassword: PASSWORD,
            newPassword: 'brand new one',
          }),
        (who) => who.settings.send('POST', '/sign-out-everywhere', {}),
      ]
      for (const end of ends) {
        const who = await withSecondFactor(app())
        const client = await trusting(who)
        const waits = await pending(who)
        const ended = await end(who, client)
        assert.ok(ended.status < 300, ended.text)
        assert.deepEqual(reasonOf(await waits.code(codeAt(1, who))), [401, 'second_factor_expired'])
        const password = ended.status === 204 ? 'brand new one' : PASSWORD
        assert.deepEqual(reasonOf(await client.signIn(who.who, password)), [401, 'second_factor_required'])
        const rows = await app().store.read.query(
          `select hash from trusted_browser where user_id = '${who.who.id}'`,
          [],
        )
        assert.equal(rows.length, 0)
      }
      const client = await trusting(given)
      const waits = await pending()
      assert.equal((await given.settings.send('DELETE', '/second-factor')).status, 204)
      assert.deepEqual(reasonOf(await waits.code(codeAt(1))), [401, 'second_factor_expired'])
      assert.deepEqual(reasonOf(await waits.recover(given.recoveryCodes[0]!)), [401, 'second_factor_expired'])
      assert.equal((await new Client(app()).signIn(given.who)).status, 204)
      assert.deepEqual(reasonOf(await given.settings.send('DELETE', '/second-factor')), [
        409,
        'second_factor_off',
      ])
      assert.deepEqual(reasonOf(await given.settings.send('POST', '/second-factor/recovery-codes')), [
        409,
        'second_factor_off',
      ])
      // After turning it on again, the old trust and the old recovery codes are invalid.
      const started = await given.settings.send('POST', '/second-factor')
      const totp = URI.parse(started.json.data.uri) as TOTP
      const code = totp.generate({ timestamp: app().clock.now() })
      assert.equal((await given.settings.send('POST', '/second-factor/enable', { code })).status, 200)
      assert.deepEqual(reasonOf(await client.signIn(given.who)), [401, 'second_factor_required'])
      assert.deepEqual(reasonOf(await client.recover(given.recoveryCodes[1]!)), [401, 'second_factor_wrong'])
      const kinds = await eventsOf(app(), given.who)
      assert.equal(kinds.filter((kind) => kind === 'second-factor.disabled').length, 1)
    })

    test('after “End everything” no browser is known', async () => {
      const client = new Client(app(), await given.who.session())
      const keyOf = async () =>
        (
          await app().store.read.query(
            `select browser_key as key from person where id = '${given.who.id}'`,
            [],
          )
        )[0]!['key']
      const before = await keyOf()
      assert.equal((await client.send('POST', '/sign-out-everywhere', {})).status, 200)
      assert.notEqual(await keyOf(), before)
    })

    test('the second step is bound to the browser and the person who entered the password', async () => {
      const other = await withSecondFactor(app())
      const theirs = await pending(other)
      assert.deepEqual(
        reasonOf(await theirs.code(codeAt())),
        [401, 'second_factor_wrong'],
        'my code, their step',
      )
      assert.equal((await theirs.code(codeAt(0, other))).status, 204)
      const me = await theirs.send('GET', '/me')
      assert.equal(me.json.data.username, other.who.username)
      const stranger = new Client(app())
      assert.deepEqual(
        reasonOf(await stranger.code(codeAt(1))),
        [401, 'second_factor_expired'],
        'no password',
      )
      for (const value of ['', 'x', 'ctq_'.padEnd(43, 'a'), theirs.cookies.get('contrail') ?? '']) {
        stranger.cookies.set('contrail-pending', value)
        assert.deepEqual(reasonOf(await stranger.code(codeAt(1))), [401, 'second_factor_expired'])
      }
      const waits = await pending()
      assert.equal((await waits.send('GET', '/second-factor')).status, 401, 'the step is no session')
      waits.cookies.set('contrail', waits.cookies.get('contrail-pending')!)
      assert.equal(await waits.isSignedIn(), false)
    })

    test('the second step expires after ten minutes', async () => {
      const [intime, late] = [await pending(), await pending()]
      app().clock.advance(SECOND_FACTOR_STEP_MS - 1000)
      assert.equal((await intime.code(codeAt())).status, 204)
      app().clock.advance(1000)
      assert.deepEqual(reasonOf(await late.code(codeAt(1))), [401, 'second_factor_expired'])
    })

    sqliteTest('a wrong password does not reveal a second factor', async () => {
      const plain = await withPassword(app())
      const replies = [
        await new Client(app()).signIn(given.who, 'wrong'),
        await new Client(app()).signIn(plain, 'wrong'),
      ]
      assert.equal(replies[0]!.text, replies[1]!.text)
      for (const { headers } of replies) assert.doesNotMatch(String(headers['set-cookie']), /pending/)
    })

    test('every change needs confirmation within the last five minutes, reading does not', async () => {
      const client = given.settings
      const change = { newPassword: 'another password' }
      app().clock.advance(CONFIRMED_MS)
      for (const [method, path, body] of [
        ['POST', '/second-factor'],
        ['POST', '/second-factor/enable', { code: '123456' }],
        ['POST', '/second-factor/recovery-codes'],
        ['DELETE', '/second-factor'],
        ['PUT', '/me/password', change],
        ['DELETE', '/me', {}],
      ] as const)
        assert.deepEqual(
          reasonOf(await client.send(method, path, body)),
          [403, 'confirmation_required'],
          path,
        )
      assert.equal((await client.send('GET', '/second-factor')).status, 200)
      const until = async () => (await client.send('GET', '/account')).json.data.confirmedUntil
      assert.equal(await until(), null)
      const confirm = (body: unknown) => client.send('POST', '/confirm', body)
      const wrong = await confirm({ password: 'wrong' })
      assert.deepEqual([wrong.status, wrong.json.error.details[0].path], [422, ['password']])
      assert.equal((await confirm({})).status, 422)
      assert.equal(await until(), null)
      assert.equal((await confirm({ password: PASSWORD })).status, 204)
      assert.equal(await until(), new Date(app().clock.now() + CONFIRMED_MS).toISOString())
      assert.equal((await client.send('POST', '/second-factor/recovery-codes')).status, 200)
      assert.equal((await client.send('PUT', '/me/password', change)).status, 204)
      const elsewhere = new Client(app(), await given.who.session())
      app().clock.advance(CONFIRMED_MS)
      assert.equal((await client.send('POST', '/confirm', { password: 'another password' })).status, 204)
      assert.deepEqual(
        reasonOf(await elsewhere.send('DELETE', '/second-factor')),
        [403, 'confirmation_required'],
        'one session is confirmed, not the others',
      )
    })

    test('wrong passwords at confirmation are counted for the session', async () => {
      const client = given.settings
      for (let i = 0; i < 5; i++)
        assert.equal((await client.send('POST', '/confirm', { password: 'wrong' })).status, 422)
      assert.equal((await client.send('POST', '/confirm', { password: PASSWORD })).status, 429)
    })

    test('get-account lists the ways to sign in; an account without a password has no second factor', async () => {
      const own = (await given.settings.send('GET', '/account')).json.data
      assert.deepEqual(own.waysIn, { password: true, passkeys: 0, identities: 0, secondFactor: true })
      const bare = new Client(app(), await (await app().person()).session())
      const { waysIn, mayUsePassword, provider } = (await bare.send('GET', '/account')).json.data
      assert.deepEqual(waysIn, { password: false, passkeys: 0, identities: 0, secondFactor: false })
      assert.deepEqual([mayUsePassword, provider], [true, null])
      assert.deepEqual(reasonOf(await bare.send('POST', '/second-factor')), [
        409,
        'second_factor_needs_password',
      ])
      const set = await bare.send('PUT', '/me/password', { newPassword: 'my first password' })
      assert.equal(set.status, 204, 'confirmed by having just signed in')
      assert.equal((await bare.send('POST', '/second-factor')).status, 200)
    })

    test('if the instance secret is lost, the error explains what to do, and recovery codes work', async () => {
      const { services } = app()
      const { secret } = services
      services.secret = createInstanceSecret({ secretKey: 'x'.repeat(40), dataDir: app().config.dataDir })
      try {
        const client = await pending()
        const reply = await client.code(codeAt())
        assert.deepEqual(reasonOf(reply), [409, 'second_factor_unreadable'])
        assert.match(reply.json.error.message, /recovery code.*reset link/)
        assert.equal((await given.settings.send('GET', '/second-factor')).json.data.readable, false)
        assert.equal((await client.recover(given.recoveryCodes[0]!)).status, 204)
        assert.equal((await client.send('DELETE', '/second-factor')).status, 204)
      } finally {
        services.secret = secret
      }
    })

    test('a secret copied into another person’s row cannot be opened', async () => {
      const other = await withSecondFactor(app())
      await app().store.transaction((tx) =>
        tx.query(
          `update second_factor set secret = (select secret from second_factor where user_id = '${given.who.id}') where user_id = '${other.who.id}'`,
          [],
        ),
      )
      assert.deepEqual(reasonOf(await (await pending(other)).code(codeAt())), [
        409,
        'second_factor_unreadable',
      ])
    })

    // Restoring the reference data takes seconds; test/running/backup.test.ts restores on both engines.
    testOnSqlite(engine)(
      'a backup has the secret sealed and the recovery codes as hashes, and they work after a restore',
      async () => {
        const parts = {
          store: app().store,
          uploads: app().services.uploads,
          now: new Date(app().clock.now()),
        }
        const file = join(process.env['TEST_SCRATCH']!, `second-factor-${process.pid}-${app().engine}.gz`)
        await writeBackup(parts, file)
        const text = gunzipSync(readFileSync(file)).toString()
        assert.ok(text.includes(given.who.username))
        for (const code of given.recoveryCodes) assert.ok(!text.includes(code.replaceAll('-', '')))
        const { base32 } = given.totp.secret
        for (const spelling of [base32, base32.toLowerCase(), given.totp.secret.hex])
          assert.ok(!text.includes(spelling))
        await restoreBackup(parts, file, { replace: true, partial: false, set: withoutAirports() })
        assert.equal((await (await pending()).code(codeAt())).status, 204)
        assert.equal((await (await pending()).recover(given.recoveryCodes[0]!)).status, 204)
      },
    )

    sqliteTest('the pages work as forms and keep the pending app for its consent', async () => {
      const browser = new Browser(app())
      const flow = createFlow(app(), await registerClient(app()))
      const authorize = authorizePath(requestOf(flow, 'flight.read.own'))
      const page = await browser.follow(authorize)
      const values = { username: given.who.username, password: PASSWORD }
      const stepped = await browser.post('/sign-in', filled(formIn(page), values))
      assert.equal(stepped.status, 303, stepped.text)
      assert.match(stepped.headers.location!, /^\/sign-in\/verify\?next=%2Foauth/)
      const verify = await browser.get(stepped.headers.location!)
      assert.match(verify.text, /Enter the six digits/)
      assert.match(verify.text, /autocomplete="one-time-code"/)
      assert.match(verify.text, /<bdi>Test client<\/bdi> wants to connect/)
      assert.deepEqual(formIn(verify).boxes, ['1'])
      assert.equal(
        formIn(verify).fields.some(([name]) => name === 'trust'),
        false,
        'off by default',
      )
      const wrong = await browser.post('/sign-in/verify', filled(formIn(verify), { code: wrongCode() }))
      assert.equal(wrong.status, 401)
      assert.equal(wrong.text.match(/is wrong, or was used before/g)?.length, 1)
      assert.ok(formIn(wrong).fields.some(([name, value]) => name === 'code' && value === ''))
      const other = /href="([^"]+)">Use a recovery code/.exec(wrong.text)?.[1]?.replaceAll('&amp;', '&')
      const recovery = await browser.get(other!)
      assert.deepEqual(
        formIn(recovery).fields.filter(([name]) => name === 'way' || /code/i.test(name)),
        [
          ['way', 'recovery'],
          ['code', ''],
        ],
      )
      const form = filled(formIn(recovery), { code: given.recoveryCodes[0]!, trust: '1' })
      const done = await browser.post('/sign-in/verify', form)
      assert.equal(done.status, 303, done.text)
      assert.match(done.headers.location!, /^\/oauth\/consent/)
      assert.match((await browser.follow(done.headers.location!)).text, /Test client/)
      assert.ok(browser.cookies.has('contrail-trusted'))
    })

    sqliteTest('the pages refuse expired steps, foreign forms and other sites', async () => {
      const browser = new Browser(app())
      const shown = await browser.get('/sign-in/verify?next=%2Fflights')
      assert.deepEqual([shown.status, shown.headers.location], [303, '/sign-in?next=%2Fflights'])
      const page = await browser.follow('/sign-in')
      await browser.post(
        '/sign-in',
        filled(formIn(page), { username: given.who.username, password: PASSWORD }),
      )
      const verify = await browser.get('/sign-in/verify?next=https%3A%2F%2Fevil.example')
      const form = filled(formIn(verify), { code: codeAt() })
      assert.deepEqual(
        form.find(([name]) => name === 'next'),
        ['next', '/'],
      )
      const foreign = await browser.post('/sign-in/verify', form, { 'sec-fetch-site': 'cross-site' })
      assert.equal(foreign.status, 403)
      const forged = form.map(([name, value]): [string, string] => [name, name === 'token' ? 'x' : value])
      assert.equal((await browser.post('/sign-in/verify', forged)).status, 400)
      app().clock.advance(SECOND_FACTOR_STEP_MS)
      const late = await browser.post('/sign-in/verify', form)
      assert.equal(late.status, 401)
      assert.match(late.text, /Sign in with your password again/)
      assert.match(
        late.text,
        /href="\/sign-in\?local=1"/,
        'also where the instance leads straight to a provider',
      )
      assert.equal((await browser.get('/sign-in/verify')).status, 303)
    })
  },
  settings,
)

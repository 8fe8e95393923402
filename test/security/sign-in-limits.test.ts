// Limits for wrong passwords, and that they cannot be used to lock out the real user.
import assert from 'node:assert/strict'
import { before, beforeEach, type TestContext, test } from 'node:test'
import { HOUR, MINUTE, SECOND } from '../../server/domain/time/durations.ts'
import type { Guesser } from '../../server/services/access/limits.ts'
import { findKnownBrowser, rememberBrowser } from '../../server/services/accounts/known-browsers.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import {
  onBothEngines,
  onSqlite,
  type Reply,
  startTestApp,
  type TestApp,
  type TestPerson,
} from '../harness.ts'
import { until } from '../until.ts'

const PASSWORD = 'correct horse battery'
const settings = { addressHeader: 'x-client-address' }
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

interface From {
  address?: string | undefined
  cookie?: string | undefined
}

const signIn = (app: TestApp, username: string, password: string, { address, cookie }: From = {}) =>
  app.request('POST', '/app/api/sign-in', {
    body: { username, password },
    cookie,
    headers: { ...sameOrigin, ...(address === undefined ? {} : { 'x-client-address': address }) },
  })

const statusOf = async (reply: Promise<Reply>) => (await reply).status
const waitOf = (reply: Reply) => Number(reply.headers['retry-after'] ?? 0)

async function tryOften(times: number, attempt: (i: number) => Promise<Reply>): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push(await statusOf(attempt(i)))
  return statuses
}
const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length

/** The cookie that makes a browser known, as set by a sign-in; empty if none was set. */
const knownCookie = (reply: Reply) =>
  reply.headers['set-cookie']?.find((line) => /^(__Host-)?contrail-known=/.test(line))?.split(';')[0] ?? ''

let addresses = 0
/** An address that no other test has used. */
const elsewhere = () => {
  addresses++
  return `198.51.${Math.floor(addresses / 250)}.${addresses % 250}`
}

let hash: string
before(async () => {
  hash = await hashPassword(PASSWORD)
})

async function personWithPassword(app: TestApp): Promise<TestPerson> {
  const person = await app.person()
  await app.store.transaction((tx) => updatePassword(tx, person.id, hash))
  return person
}

onBothEngines(
  'sign-in limits',
  (app) => {
    let ada: TestPerson
    before(() => app().person('owner'))
    beforeEach(async () => {
      // Limits are reset between tests.
      app().clock.advance(2 * HOUR)
      ada = await personWithPassword(app())
    })
    const wrong = (from: From = {}, username = ada.username) => signIn(app(), username, 'wrong', from)
    const right = (from: From = {}, username = ada.username) => signIn(app(), username, PASSWORD, from)

    test('31 wrong tries from one address do not lock the account elsewhere', async () => {
      const address = elsewhere()
      const statuses = await tryOften(31, () => wrong({ address }))
      assert.deepEqual([count(statuses, 401), count(statuses, 429)], [5, 26])
      assert.equal(await statusOf(right({ address: elsewhere() })), 204)
      for (let minute = 0; minute < 5; minute++) {
        app().clock.advance(MINUTE)
        await tryOften(5, () => wrong({ address }))
      }
      assert.equal(await statusOf(right({ address: elsewhere() })), 204, 'nor do thirty in an hour')
    })

    test('refused attempts use up no budget and evict no rows', async () => {
      const address = elsewhere()
      assert.deepEqual(await tryOften(5, () => wrong({ address })), [401, 401, 401, 401, 401])
      const madeUp = await tryOften(60, (i) => wrong({ address }, `made-up-${i}`))
      assert.equal(count(madeUp, 429), 60)
      assert.equal(waitOf(await wrong({ address })), 60, 'the window is the same as before')
      app().clock.advance(MINUTE)
      assert.equal(await statusOf(right({ address })), 204, 'a refused attempt did not prolong it')
    })

    test('an address may try five wrong passwords a minute and thirty an hour', async () => {
      const address = elsewhere()
      const from = { address }
      assert.equal(await statusOf(wrong(from)), 401)
      app().clock.advance(50 * SECOND)
      assert.deepEqual(await tryOften(5, (i) => wrong(from, `name${i}`)), [401, 401, 401, 401, 429])
      const refused = await wrong(from, 'name5')
      assert.equal(waitOf(refused), 10)
      assert.equal(refused.json.error.code, 'too_many_requests')
      assert.match(refused.json.error.message, /try again in 10 seconds/)
      app().clock.advance(10 * SECOND)
      assert.deepEqual(await tryOften(2, (i) => wrong(from, `name${i}`)), [401, 429])
      let spent = 6
      while (spent < 30) {
        app().clock.advance(MINUTE)
        spent += count(await tryOften(5, (i) => wrong(from, `name${spent + i}`)), 401)
      }
      assert.equal(spent, 30)
      app().clock.advance(MINUTE)
      const over = await wrong(from, 'name31')
      assert.equal(over.status, 429)
      assert.match(over.json.error.message, /try again in 5\d minutes/)
      app().clock.advance(waitOf(over) * SECOND)
      assert.equal(await statusOf(wrong(from, 'name32')), 401)
      assert.equal(await statusOf(wrong({ address: elsewhere() })), 401, 'other addresses are not affected')
    })

    test('IPv6 addresses are counted by /64', async () => {
      assert.deepEqual(
        await tryOften(6, (i) => wrong({ address: `2001:db8:0:1::${i + 1}` }, `v6-${i}`)),
        [401, 401, 401, 401, 401, 429],
      )
      assert.equal(await statusOf(wrong({ address: '2001:db8:0:2::1' }, 'v6-6')), 401)
    })

    test('a name is delayed by wrong attempts from all addresses, longer each time', async () => {
      const delays = [0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
      for (const [attempt, delay] of delays.entries()) {
        assert.equal(await statusOf(wrong({ address: elsewhere() })), 401, `attempt ${attempt}`)
        if (delay === 0) continue
        assert.equal(waitOf(await wrong({ address: elsewhere() })), delay, `after attempt ${attempt}`)
        app().clock.advance(delay * SECOND)
      }
      app().clock.advance(2 * HOUR)
      assert.equal(await statusOf(right({ address: elsewhere() })), 204, 'and it is forgotten')
    })

    test('a delayed name gets the same response whether or not it exists', async () => {
      const replies = async (username: string) => {
        const seen = []
        for (let i = 0; i < 8; i++) {
          const { status, json, headers } = await wrong({ address: elsewhere() }, username)
          seen.push([status, json, headers['retry-after']])
        }
        return seen
      }
      const known = await replies(ada.username)
      assert.deepEqual(await replies('nobody-has-this'), known)
      assert.deepEqual(
        known.map(([status]) => status),
        [401, 401, 401, 401, 401, 401, 429, 429],
      )
      assert.equal(await statusOf(right({ address: elsewhere() })), 429, 'a delay is a delay')
    })

    test('a known browser is never delayed by others', async () => {
      const address = elsewhere()
      const known = knownCookie(await right({ address }))
      await tryOften(6, () => wrong({ address }))
      await tryOften(8, () => wrong({ address: elsewhere() }))
      assert.equal(await statusOf(right({ address })), 429, 'a stranger there')
      assert.equal(await statusOf(right({ address, cookie: known })), 204, 'the person there')
      assert.equal(await statusOf(right({ cookie: known })), 204)
    })

    test('a known browser has its own budget and uses up no other', async () => {
      const address = elsewhere()
      const laptop = knownCookie(await right({ address }))
      const phone = knownCookie(await right({ address }))
      assert.deepEqual(
        await tryOften(6, () => wrong({ address, cookie: laptop })),
        [401, 401, 401, 401, 401, 429],
      )
      assert.equal(await statusOf(right({ address, cookie: laptop })), 429)
      assert.equal(await statusOf(right({ address, cookie: phone })), 204)
      assert.equal(await statusOf(right({ address })), 204, 'neither the address nor the name')
      app().clock.advance(MINUTE)
      assert.equal(await statusOf(right({ address, cookie: laptop })), 204)
    })

    test('a browser is known for one person, and a forged cookie makes it known for none', async () => {
      const bob = await personWithPassword(app())
      const forAda = knownCookie(await right({ address: elsewhere() }))
      const [, id, issued, proof] = /=(\w+)\.(\w+)\.([\w-]+)$/.exec(forAda)!
      const name = forAda.split('=')[0]
      const flipped = (proof!.startsWith('A') ? 'B' : 'A') + proof!.slice(1)
      const address = elsewhere()
      await tryOften(5, () => wrong({ address }, 'stranger'))
      const tries: [string, string, string][] = [
        ['another person’s', bob.username, forAda],
        ['another browser’s id', ada.username, `${name}=${'a'.repeat(16)}.${issued}.${proof}`],
        ['another date', ada.username, `${name}=${id}.zzzzzz.${proof}`],
        ['another proof', ada.username, `${name}=${id}.${issued}.${flipped}`],
        ['none', ada.username, `${name}=`],
        ['noise', ada.username, `${name}=${'~'.repeat(5000)}`],
        ['a session', ada.username, await ada.session()],
      ]
      for (const [what, username, cookie] of tries) {
        assert.equal(await statusOf(right({ address, cookie }, username)), 429, what)
      }
      assert.equal(await statusOf(right({ address, cookie: forAda })), 204)
    })

    test('one browser can be known for several people', async () => {
      const bob = await personWithPassword(app())
      const first = knownCookie(await right({ address: elsewhere() }))
      const both = knownCookie(await right({ address: elsewhere(), cookie: first }, bob.username))
      const address = elsewhere()
      await tryOften(5, () => wrong({ address }, 'stranger'))
      assert.equal(await statusOf(right({ address, cookie: both })), 204)
      assert.equal(await statusOf(right({ address, cookie: both }, bob.username)), 204)
      assert.equal(await statusOf(right({ address, cookie: first }, bob.username)), 429)
    })

    test('a browser stays known after sign-out, but not after another person sets a new password', async () => {
      const signedIn = await right({ address: elsewhere() })
      const known = knownCookie(signedIn)
      const session = signedIn.headers['set-cookie']![0]!.split(';')[0]!
      const out = await app().request('POST', '/app/api/sign-out', { cookie: session })
      assert.equal(out.status, 204)
      assert.ok(!String(out.headers['set-cookie']).includes('contrail-known'))
      const address = elsewhere()
      await tryOften(5, () => wrong({ address }, 'stranger'))
      assert.equal(await statusOf(right({ address, cookie: known })), 204)
      app().clock.advance(399 * 24 * HOUR)
      await tryOften(5, () => wrong({ address }, 'stranger'))
      assert.equal(await statusOf(right({ address, cookie: known })), 204, 'more than a year later')
      const again = await hashPassword(PASSWORD)
      await app().store.transaction((tx) => updatePassword(tx, ada.id, again))
      assert.equal(await statusOf(right({ address, cookie: known })), 429)
    })

    test('changing one’s own password keeps only this browser known', async () => {
      const [here, there] = [await right({ address: elsewhere() }), await right({ address: elsewhere() })]
      const cookie = here.headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ')
      const body = { currentPassword: PASSWORD, newPassword: 'another password' }
      const changed = await app().request('PUT', '/app/api/me/password', { cookie, body })
      assert.equal(changed.status, 204, changed.text)
      const address = elsewhere()
      await tryOften(5, () => wrong({ address }, 'stranger'))
      const after = (known: string) =>
        statusOf(signIn(app(), ada.username, 'another password', { address, cookie: known }))
      assert.equal(await after(knownCookie(changed)), 204)
      assert.equal(await after(knownCookie(there)), 429)
    })

    test('right passwords use up no budget, also when several sign in concurrently', async () => {
      const address = elsewhere()
      assert.deepEqual(await tryOften(12, () => right({ address })), Array(12).fill(204))
      const together = await Promise.all(Array.from({ length: 12 }, () => statusOf(right({ address }))))
      assert.deepEqual(together, Array(12).fill(204))
      assert.deepEqual(await tryOften(6, () => wrong({ address })), [401, 401, 401, 401, 401, 429])
    })

    test('concurrent guesses are counted one by one', async () => {
      const address = elsewhere()
      const together = await Promise.all(Array.from({ length: 30 }, () => statusOf(wrong({ address }))))
      assert.deepEqual([count(together, 401), count(together, 429)], [5, 25])
      const everywhere = await Promise.all(
        Array.from({ length: 30 }, () => statusOf(wrong({ address: elsewhere() }, 'from-everywhere'))),
      )
      assert.equal(count(everywhere, 401), 6)
    })

    test('without the header the connection’s address is counted, and this is logged once', async () => {
      app().clock.advance(60 * MINUTE)
      const statuses = await tryOften(14, (i) => wrong({}, `nowhere${i}`))
      assert.deepEqual([count(statuses.slice(0, 5), 401), count(statuses.slice(5), 429)], [5, 9])
      const lines = app().logged.filter((line) => line.includes('ADDRESS_HEADER'))
      assert.equal(lines.length, 1)
      assert.match(lines[0]!, /x-client-address.*127\.0\.0\.1/)
      app().clock.advance(60 * MINUTE)
    })

    test('confirming the password uses the session’s own budget', async () => {
      const cookie = await ada.session()
      const address = elsewhere()
      await tryOften(8, () => wrong({ address: elsewhere() }))
      const change = (currentPassword: string) =>
        app().request('PUT', '/app/api/me/password', {
          cookie,
          body: { currentPassword, newPassword: PASSWORD },
          headers: { 'x-client-address': address },
        })
      const remove = () => app().request('DELETE', '/app/api/me', { cookie, body: { password: 'wrong' } })
      assert.equal(await statusOf(change(PASSWORD)), 204, 'strangers do not delay it')
      assert.deepEqual(await tryOften(3, () => change('wrong')), [422, 422, 422])
      assert.deepEqual(await tryOften(3, remove), [422, 422, 429])
      const refused = await change(PASSWORD)
      assert.deepEqual([refused.status, waitOf(refused)], [429, 60])
      app().clock.advance(MINUTE)
      assert.equal(await statusOf(change(PASSWORD)), 204)
    })

    test('the page and the JSON endpoint share one count', async () => {
      const address = elsewhere()
      const headers = { 'x-client-address': address }
      const page = await app().request('GET', '/sign-in', { headers })
      const browser = page.headers['set-cookie']![0]!.split(';')[0]!
      const token = /name="token" value="([^"]+)"/.exec(page.text)![1]!
      const post = (password: string) =>
        app().request('POST', '/sign-in', {
          cookie: browser,
          raw: new URLSearchParams({ token, username: ada.username, password }).toString(),
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        })
      assert.deepEqual(await tryOften(5, () => post('wrong')), [401, 401, 401, 401, 401])
      assert.equal(await statusOf(right({ address })), 429)
      const refused = await post(PASSWORD)
      assert.deepEqual([refused.status, waitOf(refused)], [429, 60])
      assert.match(refused.text, /Try again in <span data-countdown="60">60\u00a0s<\/span>/)
      app().clock.advance(MINUTE)
      const signedIn = await post(PASSWORD)
      assert.equal(signedIn.status, 303)
      assert.match(knownCookie(signedIn), /^contrail-known=/)
    })
  },
  settings,
)

/** The work of the server for an attempt: reads, transactions, and their statements. */
async function workOf(app: TestApp, attempt: () => Promise<unknown>): Promise<string[]> {
  const { store } = app
  const { transaction } = store
  const { query } = store.read
  const done: string[] = []
  const shape = (sql: string) => sql.replace(/\s+/g, ' ').slice(0, 60)
  store.read.query = (sql, parameters) => {
    done.push(`read ${shape(sql)}`)
    return query.call(store.read, sql, parameters)
  }
  store.transaction = (work) =>
    transaction.call(store, (tx) => {
      done.push('transaction')
      const watched = {
        ...tx,
        query(sql: string, parameters: Parameters<typeof tx.query>[1]) {
          done.push(shape(sql))
          return tx.query(sql, parameters)
        },
      }
      return work(watched)
    }) as ReturnType<typeof work>
  try {
    await attempt()
  } finally {
    Object.assign(store, { transaction })
    Object.assign(store.read, { query })
  }
  return done
}

onSqlite(
  'existing and unknown names',
  (app) => {
    before(() => app().person('owner'))

    test('an attempt costs the same work for existing and unknown names', async () => {
      const [ada, without, two] = [
        await personWithPassword(app()),
        await app().person(),
        await personWithPassword(app()),
      ]
      const now = new Date(app().clock.now()).toISOString()
      await app().store.transaction((tx) =>
        tx.query(
          `insert into second_factor (user_id, secret, enabled_at, created_at) values ('${two.id}', 'sealed', '${now}', '${now}')`,
          [],
        ),
      )
      const work = (username: string) =>
        workOf(app(), async () => {
          const reply = await signIn(app(), username, 'wrong', { address: elsewhere() })
          assert.equal(reply.status, 401)
        })
      const ofUnknown = await work('nobody-has-this')
      assert.ok(ofUnknown.length >= 3, ofUnknown.join('; '))
      for (const { username } of [ada, without, two]) assert.deepEqual(await work(username), ofUnknown)
    })

    test('a browser can be known for an account without a password', () => {
      const person = { id: 'x', passwordHash: null, browserKey: 'key' }
      const proofs = rememberBrowser(undefined, person, 0)
      assert.notEqual(findKnownBrowser(proofs, person, 1000), undefined)
      assert.equal(findKnownBrowser(proofs, { ...person, browserKey: 'other' }, 1000), undefined)
      assert.equal(
        findKnownBrowser(
          rememberBrowser(undefined, { ...person, browserKey: '' }, 0),
          { ...person, browserKey: '' },
          1000,
        ),
        undefined,
        'a cookie signed with an empty secret proves nothing',
      )
    })
  },
  settings,
)

onBothEngines(
  'full tables of limits',
  (app) => {
    test('strangers are refused until a row expires, known browsers are not', async () => {
      const ada = await personWithPassword(app())
      const known = knownCookie(await signIn(app(), ada.username, PASSWORD, { address: elsewhere() }))
      const first = elsewhere()
      await tryOften(5, () => signIn(app(), ada.username, 'wrong', { address: first }))
      const fill = await tryOften(30, (i) => signIn(app(), `filler${i}`, 'wrong', { address: elsewhere() }))
      assert.deepEqual([count(fill, 401), count(fill, 429)], [19, 11])
      const stranger = await signIn(app(), ada.username, PASSWORD, { address: elsewhere() })
      assert.equal(stranger.status, 429)
      assert.ok(waitOf(stranger) > 0)
      const again = await statusOf(signIn(app(), ada.username, 'wrong', { address: first }))
      assert.equal(again, 429, 'the first window was not pushed out')
      for (const address of [first, elsewhere(), undefined]) {
        const back = await signIn(app(), ada.username, PASSWORD, { address, cookie: known })
        assert.equal(back.status, 204)
      }
      app().clock.advance(HOUR)
      const later = await signIn(app(), ada.username, PASSWORD, { address: elsewhere() })
      assert.equal(later.status, 204)
    })

    test('OAuth endpoints follow the same rule, each with its own table', async () => {
      const from = (address: string, path = '/oauth/token') =>
        statusOf(app().request('POST', path, { headers: { 'x-client-address': address } }))
      const first = elsewhere()
      for (let i = 0; i < 30; i++) assert.equal(await from(first), 400)
      assert.equal(await from(first), 429)
      for (let i = 0; i < 19; i++) assert.equal(await from(elsewhere()), 400)
      assert.equal(await from(elsewhere()), 429, 'no room')
      assert.equal(await from(first), 429, 'the first window was not pushed out')
      assert.equal(await from(elsewhere(), '/oauth/revoke'), 400)
      app().clock.advance(MINUTE)
      assert.equal(await from(elsewhere()), 400)
    })
  },
  settings,
  { limitEntries: 20 },
)

onSqlite(
  'many sign-ins',
  (app) => {
    test('sign-ins queue up to 32, and known browsers are served first', async (t) => {
      const ada = await personWithPassword(app())
      const known = knownCookie(await signIn(app(), ada.username, PASSWORD, { address: elsewhere() }))
      const queue = holdPasswords(t, app())
      const replies: Promise<Seen>[] = []
      for (let i = 0; i < 40; i++) replies.push(signInApart(app(), `crowd${i}`, 'wrong'))
      const refused: Seen[] = []
      for (const reply of replies) void reply.then((seen) => seen.status === 429 && refused.push(seen))
      await until('all but the two that are served and 32 that wait are refused', () => refused.length === 6)
      for (const { wait } of refused) assert.ok(wait > 0)

      const person = signInApart(app(), ada.username, PASSWORD, known)
      await until('the person waits too', () => queue.known === 1)
      queue.go()
      assert.equal((await person).status, 204)
      const statuses = (await Promise.all(replies)).map(({ status }) => status)
      assert.deepEqual([count(statuses, 401), count(statuses, 429)], [34, 6])
      assert.deepEqual(queue.served.slice(0, 3), ['stranger', 'stranger', 'known'])
      assert.equal(await statusOf(signIn(app(), ada.username, PASSWORD, { address: elsewhere() })), 204)
    })
  },
  settings,
)

interface Seen {
  status: number
  wait: number
}

/** On separate connections, because the harness keeps fewer than this test needs. */
async function signInApart(app: TestApp, username: string, password: string, cookie = ''): Promise<Seen> {
  const reply = await fetch(`${app.url}/app/api/sign-in`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-client-address': elsewhere(),
      origin: app.config.origin,
      cookie,
    },
    body: JSON.stringify({ username, password }),
  })
  await reply.text()
  return { status: reply.status, wait: Number(reply.headers.get('retry-after')) }
}

/** No password is compared until `go`, so that the other sign-ins are queued, however little a password costs. */
function holdPasswords(t: TestContext, { services: { limits } }: TestApp) {
  const { requireMayTry, takeTry } = limits
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const queue = { known: 0, served: [] as string[], go }
  t.mock.method(limits, 'requireMayTry', async (guesser: Guesser) => {
    await requireMayTry(guesser)
    if (guesser.known !== undefined) queue.known++
  })
  t.mock.method(limits, 'takeTry', async (guesser: Guesser) => {
    queue.served.push(guesser.known === undefined ? 'stranger' : 'known')
    await held
    return takeTry(guesser)
  })
  return queue
}

test('under https the session cookie is bound to this host and never sent cross-site', async () => {
  const app = await startTestApp('sqlite', { origin: 'https://flights.example.org' })
  try {
    const person = await personWithPassword(app)
    const reply = await signIn(app, person.username, PASSWORD)
    const line = reply.headers['set-cookie']!.find((text) => text.includes('contrail-known'))!
    assert.match(
      line,
      /^__Host-contrail-known=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000$/,
    )
  } finally {
    await app.close()
  }
})

// Passkeys through HTTP, on both engines, with an authenticator that is independent of the library that the server uses. Each attack
// that the contract names is tried here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '../../server/domain/time/durations.ts'
import { insertPasskey } from '../../server/store/accounts/passkeys.ts'
import { updateBrowserKey } from '../../server/store/people/people.ts'
import { Authenticator, type Ceremony, type Credential } from '../authenticator.ts'
import {
  type Ask,
  onBothEngines,
  onSqlite,
  type Reply,
  type TestApp,
  type TestPerson,
  testOnSqlite,
} from '../harness.ts'

const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const bitwarden = 'd548826e-79b4-db40-a3d8-11116f7e8349'

const post = (app: TestApp, path: string, ask: Ask = {}): Promise<Reply> =>
  app.request('POST', `/app/api${path}`, { ...ask, headers: { ...sameOrigin, ...ask.headers } })

const reasonOf = ({ json }: Reply): string => json?.error?.reason

async function optionsFor(app: TestApp, path: string, ask: Ask = {}) {
  const reply = await post(app, path, ask)
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

interface Added {
  cookie: string
  who: TestPerson
  device: Authenticator
  credential: Credential
  id: number
}

/** A person with a passkey. */
async function withPasskey(app: TestApp, aaguid?: string, ceremony: Ceremony = {}): Promise<Added> {
  const who = await app.person()
  const cookie = await who.session()
  const device = new Authenticator(app.config.origin, aaguid)
  const { credential, response } = device.create(
    await optionsFor(app, '/passkeys/options', { cookie }),
    ceremony,
  )
  const reply = await post(app, '/passkeys', { cookie, body: { response } })
  assert.equal(reply.status, 201, reply.text)
  return { cookie, who, device, credential, id: reply.json.data.id }
}

async function signIn(
  app: TestApp,
  { device, credential }: Added,
  ceremony: Ceremony = {},
  cookie?: string,
): Promise<Reply> {
  const options = await optionsFor(app, '/sign-in/passkey/options')
  const response = device.get(options, credential, ceremony)
  return post(app, '/sign-in/passkey', { cookie, body: { response } })
}

const eventsOf = async (app: TestApp, cookie: string) => {
  const { json } = await app.request('GET', '/app/api/audit/mine', { cookie })
  return json.data as { kind: string; details: Record<string, unknown> }[]
}

function requireRefused(reply: Reply, status: number, reason: string, why: string): void {
  assert.equal(reply.status, status, `${why}: ${reply.text}`)
  assert.equal(reasonOf(reply), reason, why)
  assert.equal(reply.headers['set-cookie'], undefined, why)
}

/** The highlighted way on the sign-in page, and the order of its two ways. */
async function signInPage(app: TestApp) {
  const { text } = await app.request('GET', '/sign-in')
  const [, primary] = text.match(/<button class="button primary"[^>]*>(?:<svg.*?<\/svg>)?([^<]+)/s) ?? []
  return { primary, isFirst: text.indexOf('data-passkey') < text.indexOf('name="password"') }
}

onBothEngines('Passkeys', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  test('the sign-in page offers passkeys first only if a passkey exists', async () => {
    await app().person('owner')
    assert.deepEqual(await signInPage(app()), { primary: 'Sign in', isFirst: false })
    await withPasskey(app())
    assert.deepEqual(await signInPage(app()), { primary: 'Sign in with a passkey', isFirst: true })
  })

  test('a passkey is added, named after its authenticator and signs its owner in', async () => {
    const added = await withPasskey(app(), bitwarden)
    const { json } = await app().request('GET', '/app/api/passkeys', { cookie: added.cookie })
    const [passkey] = json.data
    assert.equal(passkey.name, 'Bitwarden')
    assert.equal(passkey.lastUsedAt, null)
    const reply = await signIn(app(), added)
    assert.equal(reply.status, 204, reply.text)
    const cookie = reply.headers['set-cookie']!.find((one) => one.startsWith('contrail='))!.split(';')[0]!
    const sessions = await app().request('GET', '/app/api/sessions', { cookie })
    assert.equal(sessions.json.data.find((one: { current: boolean }) => one.current).way, 'passkey')
    const after = await app().request('GET', '/app/api/passkeys', { cookie })
    assert.equal(after.json.data[0].lastUsedAt, new Date(app().clock.now()).toISOString())
    const kinds = (await eventsOf(app(), cookie)).map(({ kind }) => kind)
    assert.deepEqual(kinds.slice(0, 2), ['sign-in', 'passkey.added'])
    assert.equal((await signIn(app(), added, {}, cookie)).status, 204)
    const replaced = await app().request('GET', '/app/api/sessions', { cookie })
    assert.equal(replaced.status, 401, 'the browser has one session')
  })

  test('the browser is asked for a discoverable credential, user verification and the origin’s host', async () => {
    const { cookie, who } = await withPasskey(app())
    const options = await optionsFor(app(), '/passkeys/options', { cookie })
    assert.equal(options.rp.id, new URL(app().config.origin).hostname)
    assert.equal(options.authenticatorSelection.residentKey, 'required')
    assert.equal(options.authenticatorSelection.userVerification, 'required')
    assert.equal(options.user.id, Buffer.from(who.id).toString('base64url'))
    assert.equal(options.excludeCredentials.length, 1)
    const anonymous = await optionsFor(app(), '/sign-in/passkey/options')
    assert.equal(anonymous.userVerification, 'required')
    assert.deepEqual(anonymous.allowCredentials ?? [], [])
  })

  test('a second passkey of the same kind gets a number, and names can be chosen and changed', async () => {
    const { cookie, id } = await withPasskey(app(), bitwarden)
    const device = new Authenticator(app().config.origin, bitwarden)
    const second = device.create(await optionsFor(app(), '/passkeys/options', { cookie }))
    const numbered = await post(app(), '/passkeys', { cookie, body: { response: second.response } })
    assert.equal(numbered.json.data.name, 'Bitwarden 2')
    const third = device.create(await optionsFor(app(), '/passkeys/options', { cookie }))
    const chosen = await post(app(), '/passkeys', {
      cookie,
      body: { response: third.response, name: ' Phone ' },
    })
    assert.equal(chosen.json.data.name, 'Phone')
    const path = `/app/api/passkeys/${id}`
    const renamed = await app().request('PATCH', path, { cookie, body: { name: 'Laptop' } })
    assert.equal(renamed.status, 200)
    assert.equal(renamed.json.data.name, 'Laptop')
    for (const name of ['', ' ', 'x'.repeat(61)]) {
      assert.equal((await app().request('PATCH', path, { cookie, body: { name } })).status, 422, name)
    }
  })

  test('a passkey is removed only by its owner after confirmation, and never if it is the last way to sign in', async () => {
    const { cookie, id } = await withPasskey(app())
    const path = `/app/api/passkeys/${id}`
    const other = await (await app().person()).session()
    for (const method of ['PATCH', 'DELETE']) {
      const ask = { cookie: other, ...(method === 'PATCH' ? { body: { name: 'Mine' } } : {}) }
      assert.equal((await app().request(method, path, ask)).status, 404, method)
    }
    const last = await app().request('DELETE', path, { cookie })
    assert.equal(last.status, 409)
    assert.equal(reasonOf(last), 'last_way_in')
    const device = new Authenticator(app().config.origin)
    const { response } = device.create(await optionsFor(app(), '/passkeys/options', { cookie }))
    assert.equal((await post(app(), '/passkeys', { cookie, body: { response } })).status, 201)
    app().clock.advance(6 * MINUTE)
    const late = await app().request('DELETE', path, { cookie })
    requireRefused(late, 403, 'confirmation_required', 'six minutes later')
    requireRefused(await post(app(), '/passkeys/options', { cookie }), 403, 'confirmation_required', 'adding')
    const fresh = await app().request('GET', '/app/api/passkeys', { cookie })
    assert.equal(fresh.json.data.length, 2)
  })

  test('a passkey confirms its owner, who can then remove one of two', async () => {
    const added = await withPasskey(app())
    const { cookie, device, credential, id } = added
    const { response } = device.create(await optionsFor(app(), '/passkeys/options', { cookie }))
    await post(app(), '/passkeys', { cookie, body: { response } })
    app().clock.advance(6 * MINUTE)
    const options = await optionsFor(app(), '/confirm/passkey/options', { cookie })
    assert.equal(options.allowCredentials.length, 2)
    const answer = device.get(options, credential, { userHandle: undefined })
    const confirmed = await post(app(), '/confirm/passkey', { cookie, body: { response: answer } })
    assert.equal(confirmed.status, 204, confirmed.text)
    assert.equal((await app().request('DELETE', `/app/api/passkeys/${id}`, { cookie })).status, 204)
    const kinds = (await eventsOf(app(), cookie)).map(({ kind }) => kind)
    assert.equal(kinds[0], 'passkey.removed')
    requireRefused(await signIn(app(), added), 401, 'passkey_refused', 'a removed passkey')
    const again = await app().request('DELETE', `/app/api/passkeys/${id}`, { cookie })
    assert.equal(again.status, 404)
  })

  test('another person’s passkey and a challenge of another session confirm nothing', async () => {
    const [one, two] = [await withPasskey(app()), await withPasskey(app())]
    const options = await optionsFor(app(), '/confirm/passkey/options', { cookie: one.cookie })
    const foreign = two.device.get(options, two.credential, { userHandle: one.credential.userHandle })
    const refused = await post(app(), '/confirm/passkey', { cookie: one.cookie, body: { response: foreign } })
    requireRefused(refused, 403, 'passkey_refused', 'another person’s passkey')
    const secondSession = await one.who.session()
    const elsewhere = await optionsFor(app(), '/confirm/passkey/options', { cookie: secondSession })
    const answer = one.device.get(elsewhere, one.credential)
    const moved = await post(app(), '/confirm/passkey', { cookie: one.cookie, body: { response: answer } })
    requireRefused(moved, 403, 'passkey_expired', 'a challenge of another session')
  })

  test('a passkey response is accepted once', async () => {
    const added = await withPasskey(app())
    const options = await optionsFor(app(), '/sign-in/passkey/options')
    const body = { response: added.device.get(options, added.credential) }
    assert.equal((await post(app(), '/sign-in/passkey', { body })).status, 204)
    requireRefused(await post(app(), '/sign-in/passkey', { body }), 401, 'passkey_expired', 'replayed')
    const [both] = [added.device.get(await optionsFor(app(), '/sign-in/passkey/options'), added.credential)]
    const replies = await Promise.all(
      [1, 2, 3].map(() => post(app(), '/sign-in/passkey', { body: { response: both } })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 401, 401])
  })

  test('a wrong response uses up the challenge too', async () => {
    const added = await withPasskey(app())
    const options = await optionsFor(app(), '/sign-in/passkey/options')
    const wrong = added.device.get(options, added.credential, { userVerified: false })
    requireRefused(
      await post(app(), '/sign-in/passkey', { body: { response: wrong } }),
      401,
      'passkey_refused',
      'unverified',
    )
    const right = added.device.get(options, added.credential)
    requireRefused(
      await post(app(), '/sign-in/passkey', { body: { response: right } }),
      401,
      'passkey_expired',
      'second try',
    )
  })

  test('a challenge expires after five minutes', async () => {
    const added = await withPasskey(app())
    const options = await optionsFor(app(), '/sign-in/passkey/options')
    const adding = await optionsFor(app(), '/passkeys/options', { cookie: added.cookie })
    app().clock.advance(5 * MINUTE - 1)
    const early = await optionsFor(app(), '/sign-in/passkey/options')
    app().clock.advance(1)
    const body = { response: added.device.get(options, added.credential) }
    requireRefused(await post(app(), '/sign-in/passkey', { body }), 401, 'passkey_expired', 'five minutes')
    const { response } = added.device.create(adding)
    const late = await post(app(), '/passkeys', { cookie: added.cookie, body: { response } })
    requireRefused(late, 400, 'passkey_expired', 'adding')
    const inTime = { response: added.device.get(early, added.credential) }
    assert.equal((await post(app(), '/sign-in/passkey', { body: inTime })).status, 204)
  })

  const wrongSignIns: [string, Ceremony][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['the same host with another port', { origin: 'http://localhost:1' }],
    ['the same host by another scheme', { origin: 'https://localhost:3000' }],
    ['the RP id of another site', { rpId: 'evil.example' }],
    ['a parent of the RP id', { rpId: 'host' }],
    ['no user verification', { userVerified: false }],
    ['no user presence', { userPresent: false, userVerified: false }],
    ['a response of a frame', { crossOrigin: true }],
    ['a registration as a sign-in', { type: 'webauthn.create' }],
    ['no person named', { userHandle: undefined }],
    ['another person named', { userHandle: Buffer.from('someone').toString('base64url') }],
  ]
  for (const [why, ceremony] of wrongSignIns) {
    sqliteTest(`sign-in is refused: ${why}`, async () => {
      const added = await withPasskey(app())
      requireRefused(await signIn(app(), added, ceremony), 401, 'passkey_refused', why)
      const [last] = await eventsOf(app(), added.cookie)
      assert.equal(last?.kind, 'sign-in.failed', why)
      assert.deepEqual(last?.details, { way: 'passkey' })
      // The passkey itself still works.
      assert.equal((await signIn(app(), added)).status, 204)
    })
  }

  test('an unknown passkey gets the same response as a wrong one', async () => {
    const added = await withPasskey(app())
    const stranger = { ...added, credential: { ...added.credential, id: 'AAAAAAAAAAAAAAAAAAAAAA' } }
    const unknown = await signIn(app(), stranger)
    const wrong = await signIn(app(), added, { origin: 'https://evil.example' })
    requireRefused(unknown, 401, 'passkey_refused', 'unknown')
    assert.equal(unknown.text, wrong.text)
  })

  test('a passkey signs in only its owner', async () => {
    const [one, two] = [await withPasskey(app()), await withPasskey(app())]
    const keyOfTwo = { ...one, credential: { ...two.credential, id: one.credential.id } }
    requireRefused(await signIn(app(), keyOfTwo), 401, 'passkey_refused', 'the key of another credential')
    const handle = { userHandle: one.credential.userHandle }
    requireRefused(await signIn(app(), two, handle), 401, 'passkey_refused', 'the name of another person')
    const options = await optionsFor(app(), '/sign-in/passkey/options')
    const body = { response: two.device.get(options, two.credential), userId: one.who.id }
    const again = await post(app(), '/sign-in/passkey', { cookie: one.cookie, body })
    requireRefused(again, 401, 'passkey_of_another', 'signing in again as another person')
  })

  test('a challenge for one purpose is refused for another', async () => {
    const added = await withPasskey(app())
    const { cookie, device, credential } = added
    const paths = { '/sign-in/passkey': 401, '/confirm/passkey': 403 } as const
    for (const [path, status] of Object.entries(paths)) {
      for (const from of ['/passkeys/options', '/sign-in/passkey/options', '/confirm/passkey/options']) {
        if (from === `${path}/options`) continue
        const options = await optionsFor(app(), from, { cookie })
        const answer = device.get({ rpId: 'localhost', ...options }, credential)
        const reply = await post(app(), path, { cookie, body: { response: answer } })
        requireRefused(reply, status, 'passkey_expired', `${from} for ${path}`)
      }
    }
    for (const from of ['/sign-in/passkey/options', '/confirm/passkey/options']) {
      const { challenge } = await optionsFor(app(), from, { cookie })
      const own = await optionsFor(app(), '/passkeys/options', { cookie })
      const { response } = device.create(own, { challenge })
      const reply = await post(app(), '/passkeys', { cookie, body: { response } })
      requireRefused(reply, 400, 'passkey_expired', `${from} for adding`)
    }
  })

  test('a registration response is refused at sign-in, and a sign-in response at registration', async () => {
    const { cookie, device, credential } = await withPasskey(app())
    const creation = device.create(await optionsFor(app(), '/passkeys/options', { cookie }))
    const sent = await post(app(), '/sign-in/passkey', { body: { response: creation.response } })
    assert.equal(sent.status, 422, sent.text)
    const { challenge } = await optionsFor(app(), '/passkeys/options', { cookie })
    const assertion = device.get({ challenge, rpId: 'localhost' }, credential)
    const back = await post(app(), '/passkeys', { cookie, body: { response: assertion } })
    assert.equal(back.status, 422, back.text)
    const options = await optionsFor(app(), '/passkeys/options', { cookie })
    const { response } = device.create(options, { type: 'webauthn.get' })
    const typed = await post(app(), '/passkeys', { cookie, body: { response } })
    requireRefused(typed, 400, 'passkey_refused', 'the type of a sign-in')
  })

  test('a counter that goes backwards is refused and logged, a counter from an unknown key is not logged', async () => {
    const added = await withPasskey(app(), undefined, { counter: 7 })
    assert.equal((await signIn(app(), added, { counter: 9 })).status, 204)
    const thief = new Authenticator(app().config.origin)
    const other = thief.create({ challenge: 'x', rp: { id: 'localhost' }, user: { id: 'x' } })
    const forged = { ...added, credential: { ...added.credential, privateKey: other.credential.privateKey } }
    requireRefused(await signIn(app(), forged, { counter: 2 }), 401, 'passkey_refused', 'forged')
    assert.equal((await eventsOf(app(), added.cookie))[0]?.kind, 'sign-in.failed')
    for (const counter of [9, 8, 0]) {
      requireRefused(await signIn(app(), added, { counter }), 401, 'passkey_refused', `${counter}`)
      const [last] = await eventsOf(app(), added.cookie)
      assert.equal(last?.kind, 'passkey.counter-went-back')
      assert.equal(last?.details['passkey'], added.id)
    }
    const options = await optionsFor(app(), '/confirm/passkey/options', { cookie: added.cookie })
    const answer = added.device.get(options, added.credential, { counter: 3 })
    const confirmed = await post(app(), '/confirm/passkey', {
      cookie: added.cookie,
      body: { response: answer },
    })
    requireRefused(confirmed, 403, 'passkey_refused', 'confirming')
    // Above 31 bits.
    assert.equal((await signIn(app(), added, { counter: 4_000_000_000 })).status, 204)
    assert.equal((await signIn(app(), added, { counter: 4_000_000_001 })).status, 204)
  })

  const wrongRegistrations: [string, Ceremony][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['the RP id of another site', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['no user presence', { userPresent: false }],
    ['a response of a frame', { crossOrigin: true }],
    ['an unrequested attestation with certificates', { format: 'apple' }],
  ]
  for (const [why, ceremony] of wrongRegistrations) {
    sqliteTest(`adding a passkey is refused: ${why}`, async () => {
      const who = await app().person()
      const cookie = await who.session()
      const device = new Authenticator(app().config.origin)
      const { response } = device.create(await optionsFor(app(), '/passkeys/options', { cookie }), ceremony)
      const reply = await post(app(), '/passkeys', { cookie, body: { response } })
      requireRefused(reply, 400, 'passkey_refused', why)
      const { json } = await app().request('GET', '/app/api/passkeys', { cookie })
      assert.deepEqual(json.data, [])
    })
  }

  test('adding a passkey is refused with a challenge of another person or session', async () => {
    const [one, two] = [await app().person(), await app().person()]
    const [cookie, other, second] = [await one.session(), await two.session(), await one.session()]
    const device = new Authenticator(app().config.origin)
    for (const from of [other, second]) {
      const { response } = device.create(await optionsFor(app(), '/passkeys/options', { cookie: from }))
      const reply = await post(app(), '/passkeys', { cookie, body: { response } })
      requireRefused(reply, 400, 'passkey_expired', 'a challenge of someone else')
    }
  })

  test('a registration under another credential’s id is refused', async () => {
    const victim = await withPasskey(app())
    const cookie = await (await app().person()).session()
    const { response } = victim.device.create(await optionsFor(app(), '/passkeys/options', { cookie }))
    const named = { ...response, id: victim.credential.id, rawId: victim.credential.id }
    const reply = await post(app(), '/passkeys', { cookie, body: { response: named } })
    requireRefused(reply, 400, 'passkey_refused', 'another id')
  })

  test('a credential is registered once, for one person', async () => {
    const one = await withPasskey(app())
    const other = await (await app().person()).session()
    for (const cookie of [one.cookie, other]) {
      const options = await optionsFor(app(), '/passkeys/options', { cookie })
      const { response } = one.device.create(options, {}, Buffer.from(one.credential.id, 'base64url'))
      const reply = await post(app(), '/passkeys', { cookie, body: { response } })
      requireRefused(reply, 409, 'passkey_taken', 'the same credential')
    }
    assert.equal((await signIn(app(), one)).status, 204)
  })

  test('a person has at most ten passkeys, also when two are added concurrently', async () => {
    const who = await app().person()
    const cookie = await who.session()
    const device = new Authenticator(app().config.origin)
    await app().store.transaction(async (tx) => {
      for (let n = 0; n < 8; n++) {
        const owned = { userId: who.id, name: `Passkey ${n}`, createdAt: '2026-01-01T00:00:00.000Z' }
        const key = { credentialId: `${who.id}${n}`, publicKey: 'AA', counter: 0, transports: [] }
        await insertPasskey(tx, { ...owned, ...key })
      }
    })
    const made = []
    for (let n = 0; n < 4; n++) {
      made.push(device.create(await optionsFor(app(), '/passkeys/options', { cookie })))
    }
    const replies = await Promise.all(
      made.map(({ response }) => post(app(), '/passkeys', { cookie, body: { response } })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 409, 409])
    const full = await post(app(), '/passkeys/options', { cookie })
    requireRefused(full, 409, 'too_many_passkeys', 'the eleventh')
    assert.deepEqual(full.json.error.params, { max: 10 })
  })

  test('malformed passkey responses are refused', async () => {
    const { cookie, device, credential } = await withPasskey(app())
    const options = await optionsFor(app(), '/sign-in/passkey/options')
    const good = device.get(options, credential)
    const shapes: unknown[] = [
      undefined,
      null,
      'text',
      [],
      {},
      { ...good, id: 5 },
      { ...good, type: 'password' },
      { ...good, response: null },
      { ...good, response: { ...good.response, signature: '' } },
      { ...good, response: { ...good.response, signature: 'no base64url!' } },
      { ...good, response: { ...good.response, authenticatorData: 'A'.repeat(2001) } },
      { ...good, id: 'A'.repeat(1365) },
    ]
    for (const response of shapes) {
      const why = JSON.stringify(response) ?? 'nothing'
      assert.equal((await post(app(), '/sign-in/passkey', { body: { response } })).status, 422, why)
      assert.equal((await post(app(), '/confirm/passkey', { cookie, body: { response } })).status, 422, why)
      assert.equal((await post(app(), '/passkeys', { cookie, body: { response } })).status, 422, why)
    }
    const contents = [
      'AA',
      Buffer.from('null').toString('base64url'),
      Buffer.from('{}').toString('base64url'),
    ]
    for (const clientDataJSON of contents) {
      const response = { ...good, response: { ...good.response, clientDataJSON } }
      const reply = await post(app(), '/sign-in/passkey', { body: { response } })
      requireRefused(reply, 401, 'passkey_expired', clientDataJSON)
    }
    for (const part of ['authenticatorData', 'signature']) {
      const fresh = device.get(await optionsFor(app(), '/sign-in/passkey/options'), credential)
      const response = { ...fresh, response: { ...fresh.response, [part]: 'AAAA' } }
      const reply = await post(app(), '/sign-in/passkey', { body: { response } })
      requireRefused(reply, 401, 'passkey_refused', part)
    }
    const { response } = device.create(await optionsFor(app(), '/passkeys/options', { cookie }))
    const broken = { ...response, response: { ...response.response, attestationObject: 'oWNmbXQ' } }
    const reply = await post(app(), '/passkeys', { cookie, body: { response: broken } })
    requireRefused(reply, 400, 'passkey_refused', 'CBOR that ends early')
  })

  test('bad addresses and bodies, strangers and other sites are refused', async () => {
    const { cookie, id } = await withPasskey(app())
    const paths: [string, string][] = [
      ['GET', '/passkeys'],
      ['POST', '/passkeys/options'],
      ['POST', '/passkeys'],
      ['PATCH', `/passkeys/${id}`],
      ['DELETE', `/passkeys/${id}`],
      ['POST', '/confirm/passkey/options'],
      ['POST', '/confirm/passkey'],
    ]
    for (const [method, path] of paths) {
      const stranger = await app().request(method, `/app/api${path}`, { headers: sameOrigin, body: {} })
      assert.equal(stranger.status, 401, `${method} ${path}`)
    }
    const all: [string, string][] = [
      ...paths,
      ['POST', '/sign-in/passkey/options'],
      ['POST', '/sign-in/passkey'],
    ]
    for (const [method, path] of all) {
      const body = path.endsWith(`/${id}`) ? { name: 'x' } : {}
      if (method === 'GET') continue
      const cross = await app().request(method, `/app/api${path}`, {
        cookie,
        body,
        headers: { 'sec-fetch-site': 'cross-site' },
      })
      assert.equal(cross.status, 403, `${method} ${path} from another site`)
    }
    assert.equal(
      (await app().request('PATCH', '/app/api/passkeys/999999', { cookie, body: { name: 'x' } })).status,
      404,
    )
    assert.equal((await app().request('PATCH', `/app/api/passkeys/${id}`, { cookie, body: {} })).status, 422)
    assert.equal((await app().request('DELETE', '/app/api/passkeys/999999', { cookie })).status, 404)
    const large = { response: 'x'.repeat(17_000) }
    assert.equal((await post(app(), '/sign-in/passkey', { body: large })).status, 413)
  })
})

onBothEngines(
  'Limits of passkeys',
  (app) => {
    test('requests of strangers are limited, and a known browser is counted separately', async () => {
      const added = await withPasskey(app())
      await app().store.transaction((tx) => updateBrowserKey(tx, { id: added.who.id, browserKey: 'key' }))
      const first = await signIn(app(), added)
      assert.equal(first.status, 204)
      const known = first.headers['set-cookie']!.find((one) => one.startsWith('contrail-known='))!.split(
        ';',
      )[0]!
      const before = await optionsFor(app(), '/sign-in/passkey/options')
      const challenges = async () =>
        (await app().store.read.query(`select hash from one_time where purpose = 'passkey.sign-in'`, []))
          .length
      let refused: Reply | undefined
      let asked = 0
      for (; asked <= 60 && !refused; asked++) {
        const reply = await post(app(), '/sign-in/passkey/options')
        if (reply.status !== 200) refused = reply
      }
      assert.equal(refused?.status, 429)
      assert.ok(asked > 50, `${asked}: a page that is opened often is not refused`)
      const kept = await challenges()
      assert.ok(kept <= 60)
      assert.equal((await post(app(), '/sign-in/passkey/options')).status, 429)
      assert.equal(await challenges(), kept, 'a refused one is not stored')
      assert.ok(Number(refused?.headers['retry-after']) > 0)
      await optionsFor(app(), '/sign-in/passkey/options', { cookie: known })
      const forged = await post(app(), '/sign-in/passkey/options', { cookie: `${known.slice(0, -4)}AAAA` })
      assert.equal(forged.status, 429)
      // A response to one of our challenges is never delayed; any other is.
      const body = { response: added.device.get(before, added.credential) }
      assert.equal((await post(app(), '/sign-in/passkey', { body })).status, 204)
      const replayed = async () => (await post(app(), '/sign-in/passkey', { body })).status
      for (let n = 0; n < 60; n++) assert.equal(await replayed(), 401)
      assert.equal(await replayed(), 429)
      app().clock.advance(MINUTE)
      await optionsFor(app(), '/sign-in/passkey/options')
    })

    test('wrong passwords of strangers do not delay passkeys', async () => {
      const added = await withPasskey(app())
      const guess = () =>
        post(app(), '/sign-in', { body: { username: added.who.username, password: 'wrong' } })
      let status = 0
      for (let n = 0; n < 10 && status !== 429; n++) status = (await guess()).status
      assert.equal(status, 429)
      assert.equal((await signIn(app(), added)).status, 204)
    })
  },
  {},
)

for (const origin of ['http://flights.example', 'https://192.0.2.7', 'http://127.0.0.1:3000']) {
  onSqlite(
    `Passkeys at ${origin}`,
    (app) => {
      test('the page explains that browsers offer no passkeys for this address', async () => {
        const session = await (await app().person()).session()
        const cookie = origin.startsWith('https:') ? `__Host-${session}` : session
        for (const path of ['/passkeys/options', '/confirm/passkey/options', '/sign-in/passkey/options']) {
          const reply = await post(app(), path, { cookie })
          requireRefused(reply, 409, 'passkeys_unavailable', path)
        }
      })
    },
    { origin },
  )
}

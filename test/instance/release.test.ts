// Looking for a newer version: off until the owner turns it on, once a day, by one of several processes, and nothing is believed
// that does not have the form of our own site. The host is a fake one on this machine.
import assert from 'node:assert/strict'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { createLogger } from '../../server/base/log.ts'
import { docsAddressOf, version } from '../../server/base/version.ts'
import { judgeRelease } from '../../server/doctor/doctor.ts'
import { isNewer } from '../../server/domain/instance/release.ts'
import { HOUR } from '../../server/domain/time/durations.ts'
import { lookForRelease } from '../../server/services/instance/release.ts'
import { notifyOfUpgrade } from '../../server/services/instance/upgrade.ts'
import { openStore } from '../../server/store/store.ts'
import { keepsConnections } from '../external-host.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { certificate, key } from '../oauth/localhost-tls.ts'

const host = { rules: { privateAddresses: true, loopback: true }, ca: certificate }
const logged: unknown[] = []
const log = { info: (...words: unknown[]) => void logged.push(words) }

let server: https.Server
let site: string
let answer: { status: number; body: string; headers?: Record<string, string> }
let asked: { url: string; headers: Record<string, unknown> }[] = []

before(async () => {
  server = https.createServer(
    { key, cert: certificate, ...keepsConnections },
    ({ url, headers }, response) => {
      asked.push({ url: url!, headers })
      response.writeHead(answer.status, answer.headers).end(answer.body)
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  site = `https://localhost:${(server.address() as AddressInfo).port}/contrail/`
})
after(() => void server.close())

const publish = (changes: Record<string, unknown> = {}) => {
  const latest = { version: '9.1.0', date: '2027-01-15', security: false, notes: `${site}changelog#v9.1.0` }
  answer = { status: 200, body: JSON.stringify({ ...latest, ...changes }) }
}

test('the address follows from package.json, and there is none while its owner is unknown', () => {
  assert.equal(docsAddressOf('github:OWNER/contrail'), undefined)
  assert.equal(docsAddressOf('github:ada/contrail'), 'https://ada.github.io/contrail/')
})

test('versions are compared by their three numbers, and a pre-release is never newer', () => {
  for (const [a, b, newer] of [
    ['1.1.0', '1.0.9', true],
    ['1.10.0', '1.9.9', true],
    ['2.0.0', '1.99.99', true],
    ['1.0.0', '1.0.0', false],
    ['1.0.0', '1.0.1', false],
    ['0.9.9', '1.0.0', false],
    ['1.1.0-rc.1', '1.0.0', false],
    ['1.1.0', '1.1.0-rc.1', false],
  ] as const)
    assert.equal(isNewer(a, b), newer, `${a} after ${b}`)
})

test('doctor warns of a newer version only if it repairs a weakness', () => {
  const known = {
    current: '1.0.0',
    latest: '1.1.0',
    notes: 'https://x',
    checkedAt: 1,
    isNewer: true,
  } as const
  const newer = { ...known, security: false, state: 'newer' } as const
  assert.deepEqual(judgeRelease(newer).level, 'ok')
  assert.match(judgeRelease(newer).found, /1\.1\.0 is available: https:\/\/x/)
  assert.deepEqual(judgeRelease({ ...newer, security: true }).level, 'warn')
  assert.match(judgeRelease({ ...newer, isNewer: false, state: 'unreachable' }).found, /look .* failed/)
})

onBothEngines('newer versions', (app) => {
  let owner: TestPerson
  let cookie: string
  before(async () => {
    owner = await app().person('owner')
  })
  beforeEach(async () => {
    asked = []
    logged.length = 0
    publish()
    app().config.docsAddress = site
    app().clock.advance(25 * HOUR)
    // Settings are changed within minutes of signing in.
    cookie = await owner.session()
  })
  const look = (changes: object = {}) =>
    lookForRelease({ store: app().store, config: app().config, clock: app().clock, log, host, ...changes })
  const turn = async (updateCheck: boolean) =>
    app().request('PUT', '/app/api/instance/settings', { cookie, body: { updateCheck } })
  const release = async (as = cookie) =>
    (await app().request('GET', '/app/api/instance/health', { cookie: as })).json.data.release
  const noticesOf = async (who: TestPerson) => {
    const { json } = await app().request('GET', '/app/api/notices', { cookie: await who.session() })
    return json.data.map(({ kind, data }: { kind: string; data: unknown }) => [kind, data])
  }

  test('are not looked for until the owner wants it, and only the owner can', async () => {
    await look()
    assert.deepEqual([asked, (await release()).state], [[], 'off'])
    const admin = await app().person('role-administrator')
    const refused = await app().request('PUT', '/app/api/instance/settings', {
      cookie: await admin.session(),
      body: { updateCheck: true },
    })
    assert.equal(refused.status, 403)
    const turned = await turn(true)
    assert.deepEqual(turned.json.data, {
      requireIfMatch: false,
      isFixed: false,
      updateCheck: true,
      updateAddress: site,
    })
    assert.deepEqual(await release(await admin.session()), {
      current: version,
      latest: null,
      notes: null,
      security: false,
      checkedAt: null,
      state: 'current',
    })
  })

  test('are asked for once a day, by one of several processes, with nothing about this instance', async () => {
    await turn(true)
    const other = await openStore(app().config, createLogger('silent'))
    await Promise.all([look(), look({ store: other }), look(), look({ store: other })])
    await other.close()
    assert.equal(asked.length, 1)
    assert.equal(asked[0]!.url, '/contrail/latest.json')
    assert.deepEqual(Object.keys(asked[0]!.headers).sort(), ['accept', 'connection', 'host', 'user-agent'])
    assert.equal(asked[0]!.headers['user-agent'], 'contrail')
    app().clock.advance(23 * HOUR)
    await look()
    assert.equal(asked.length, 1)
    app().clock.advance(2 * HOUR)
    await look()
    assert.equal(asked.length, 2)
  })

  test('are told to administrators, one time each, and shown until the upgrade', async () => {
    await turn(true)
    const [admin, member] = [await app().person('role-administrator'), await app().person()]
    publish({ version: '9.2.0', security: true })
    await look()
    app().clock.advance(25 * HOUR)
    await look()
    const told = ['release.available', { version: '9.2.0', security: true }]
    assert.deepEqual(await noticesOf(admin), [told])
    assert.deepEqual(await noticesOf(member), [])
    const { checkedAt, ...shown } = await release()
    assert.deepEqual(shown, {
      current: version,
      latest: '9.2.0',
      notes: `${site}changelog#v9.1.0`,
      security: true,
      state: 'newer',
    })
    assert.equal(Date.parse(checkedAt), app().clock.now())
    assert.match(await metric(app()), /^contrail_update_available(?:\{[^}]*\})? 1$/m)
    publish({ version })
    app().clock.advance(25 * HOUR)
    await look()
    assert.equal((await release()).state, 'current')
    assert.match(await metric(app()), /^contrail_update_available(?:\{[^}]*\})? 0$/m)
  })

  test('are not believed in another form: the next attempt is a day later, and the log says it one time', async () => {
    await turn(true)
    const wrong: [string, () => void][] = [
      ['status 404', () => Object.assign(answer, { status: 404 })],
      ['no JSON', () => Object.assign(answer, { body: '<p>Sign in to this network</p>' })],
      ['a redirect', () => Object.assign(answer, { status: 302, headers: { location: site } })],
      ['no version', () => publish({ version: 'newest' })],
      ['a link elsewhere', () => publish({ notes: 'https://elsewhere.example/changelog' })],
      [
        'a link that begins alike',
        () => publish({ notes: site.replace('/contrail/', '.evil.example/contrail/') }),
      ],
      ['more than 4 kB', () => publish({ more: 'x'.repeat(5000) })],
    ]
    for (const [what, spoil] of wrong) {
      publish()
      spoil()
      await look()
      await look()
      assert.equal((await release()).state, 'unreachable', what)
      app().clock.advance(25 * HOUR)
    }
    assert.equal(asked.length, wrong.length)
    assert.deepEqual(logged.length, 1, 'until it succeeds again')
    publish()
    await look()
    assert.equal((await release()).state, 'newer')
  })

  test('are looked for at public addresses only', async () => {
    await turn(true)
    await look({ host: { ca: certificate } })
    assert.deepEqual([asked, (await release()).state], [[], 'unreachable'])
  })

  test('are not looked for while the project has no address, and the switch says so', async () => {
    await turn(true)
    app().config.docsAddress = undefined
    await look()
    assert.deepEqual([asked, (await release()).state], [[], 'off'])
    const { updateCheck, updateAddress } = (
      await app().request('GET', '/app/api/instance/settings', { cookie })
    ).json.data
    assert.deepEqual([updateCheck, updateAddress], [false, null])
    const refused = await turn(true)
    assert.deepEqual([refused.status, refused.json.error.reason], [409, 'no_update_address'])
  })

  test('turned off, nothing is shown and nothing asked', async () => {
    await turn(true)
    await look()
    await turn(false)
    app().clock.advance(25 * HOUR)
    await look()
    assert.equal(asked.length, 1)
    const { state, latest } = await release()
    assert.deepEqual([state, latest], ['off', null])
  })

  test('an upgrade is told to administrators; a downgrade is not', async () => {
    const [admin, member] = [await app().person('role-administrator'), await app().person()]
    const upgrade = (from: string, to: string) =>
      app().store.transaction((tx) => notifyOfUpgrade(tx, from, new Date(app().clock.now()), to))
    await upgrade('1.0.0', '1.1.0')
    await upgrade('1.1.0', '1.0.0')
    assert.deepEqual(await noticesOf(admin), [['instance.upgraded', { from: '1.0.0', to: '1.1.0' }]])
    assert.deepEqual(await noticesOf(member), [])
  })
})

const metric = async (app: TestApp) =>
  (await app.request('GET', '/metrics', { headers: { host: 'localhost' } })).text

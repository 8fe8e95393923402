// Names that people read before they trust someone: no invisible characters, none that change the reading direction.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appName, nameFault } from '../../server/domain/text/names.ts'
import { assertError } from '../fixtures.ts'
import { onBothEngines } from '../harness.ts'
import {
  authorizePath,
  Browser,
  createFlow,
  filled,
  formIn,
  registerClient,
  requestOf,
} from '../oauth/browser.ts'

const hidden: Record<string, string> = {
  'right-to-left override': 'Bank\u202eevil',
  'right-to-left mark': 'Bank\u200fevil',
  'Arabic letter mark': 'Bank\u061cevil',
  isolate: 'Bank\u2066evil',
  'zero-width space': 'Ad\u200bmin',
  'zero-width joiner between Latin letters': 'Ad\u200dmin',
  'zero-width non-joiner between Latin letters': 'Ad\u200cmin',
  'word joiner': 'Ad\u2060min',
  'byte order mark': 'Ad\ufeffmin',
  'soft hyphen': 'Ad\u00admin',
  'combining grapheme joiner': 'Ad\u034fmin',
  'Hangul filler': 'Ada\u3164\u3164\u3164',
  'Hangul choseong filler': 'Ada\u115f',
  'Hangul jungseong filler': 'Ada\u1160',
  'halfwidth Hangul filler': 'Ada\uffa0',
  'Braille blank': 'Ada\u2800\u2800',
  'Khmer inherent vowel': 'Ada\u17b4',
  'Mongolian vowel separator': 'Ada\u180e',
  'line separator': 'Ada\u2028Bank',
  tag: 'Ada\u{e0041}\u{e0042}',
  'a variant of a Latin letter': 'Ada\ufe0f\u{e0100}',
  'interlinear annotation': 'Ada\ufff9x',
  control: 'Ada\u0007Bank',
  'only fillers': '\u3164\u3164\u3164',
  'only Braille blanks': '\u2800\u2800\u2800',
  'only combining marks': '\u0301\u0302\u0303',
}

const honest = [
  'Ada Lovelace',
  'Zoë Ångström-O’Neill',
  'Nguyễn Thị Minh Khai',
  '안녕하세요',
  '王小明',
  '葛\u{e0100}城さん',
  'علی‌رضا حسینی',
  'क्‍ष राम',
  'יעל לוי',
  'Ada ✈️ 👩‍✈️ 🏳️‍🌈',
  '1️⃣ Airways',
  '...',
]

test('an app without a name is shown by the host of its redirect address', () => {
  assert.equal(appName('Phone', 'https://client.example:8443/cb'), 'Phone')
  assert.equal(appName('', 'https://client.example:8443/cb'), 'client.example:8443')
})

test('look-alike names are refused, ordinary ones are not', () => {
  for (const [what, name] of Object.entries(hidden)) assert.ok(nameFault(name), what)
  for (const name of honest) assert.equal(nameFault(name), undefined, name)
})

onBothEngines('names', (app) => {
  test('look-alike display names are refused for new users, in profiles and by administrators', async () => {
    const cookie = await (await app().person('owner')).session()
    const ada = await app().person()
    const session = await ada.session()
    for (const [what, displayName] of Object.entries(hidden)) {
      const body = { username: 'someone', displayName, password: 'correct horse' }
      const refusals = [
        await app().request('POST', '/app/api/users', { cookie, body }),
        await app().request('PUT', `/app/api/users/${ada.id}`, {
          cookie,
          body: { username: 'someone', displayName },
        }),
        await app().request('PUT', '/app/api/me', {
          cookie: session,
          body: { username: 'someone', displayName },
        }),
      ]
      for (const refused of refusals) assertError(refused, 422, 'validation_failed', ['displayName'])
      assert.ok(
        refusals.every(({ json }) => json.error.details[0].message.length > 5),
        what,
      )
    }
    for (const displayName of honest) {
      const body = { username: ada.username, displayName }
      const changed = await app().request('PUT', '/app/api/me', { cookie: session, body })
      assert.equal(changed.status, 204, `${displayName} ${changed.text}`)
      const me = await app().request('GET', '/app/api/session', { cookie: session })
      assert.equal(me.json.data.user.displayName, displayName)
    }
  })

  test('a name stored before the rules is kept until it is changed', async () => {
    const [owner, ada] = [await app().person('role-administrator'), await app().person()]
    const old = 'Ad\u200ba \u202e'
    await app().store.transaction((tx) =>
      tx.query(`update person set display_name = '${old}' where id = '${ada.id}'`, []),
    )
    const cookie = await ada.session()
    const username = `renamed${ada.id.slice(0, 5)}`
    const put = (body: object) => app().request('PUT', '/app/api/me', { cookie, body })
    assert.equal((await put({ username, displayName: old })).status, 204)
    assertError(await put({ username, displayName: `${old}!` }), 422, 'validation_failed', ['displayName'])
    const admin = { cookie: await owner.session(), body: { username: `${username}2`, displayName: old } }
    assert.equal((await app().request('PUT', `/app/api/users/${ada.id}`, admin)).status, 200)
    assert.equal((await put({ username, displayName: 'Ada again' })).status, 204)
  })

  test('look-alike client names are refused at registration', async () => {
    for (const [what, client_name] of Object.entries(hidden)) {
      app().clock.advance(10_000)
      const body = { client_name, redirect_uris: ['https://client.example/cb'] }
      const reply = await app().request('POST', '/oauth/register', { body })
      assert.deepEqual([reply.status, reply.json.error], [400, 'invalid_client_metadata'], what)
      assert.match(reply.json.error_description, /^client_name: /, what)
    }
  })

  test('consent and connected apps show an unnamed app by the host of its redirect address', async () => {
    const redirect_uris = ['https://trusted.example/cb', 'https://other.example:8443/cb']
    const client = await registerClient(app(), { client_name: undefined, redirect_uris })
    assert.ok(!('client_name' in client))
    const ada = await app().person()
    const session = await ada.session()
    const browser = new Browser(app(), session)
    const flow = createFlow(app(), client)
    const redirect_uri = redirect_uris[1]!
    const page = await browser.follow(authorizePath({ ...requestOf(flow), redirect_uri }))
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /<bdi>other\.example:8443<\/bdi> wants to connect/)
    assert.doesNotMatch(page.text, /trusted\.example/)
    const done = await browser.post('/oauth/consent', filled(formIn(page), { decision: 'approve' }))
    assert.equal(new URL(done.headers.location!).host, 'other.example:8443')

    const apps = await app().request('GET', '/app/api/connected-apps', { cookie: session })
    const [connected] = apps.json.data
    assert.equal(connected.clientName, 'other.example:8443')
    const gone = await app().request('DELETE', `/app/api/connected-apps/${connected.id}`, { cookie: session })
    assert.equal(gone.status, 204)
    const cookie = await (await app().person('role-administrator')).session()
    const events = (await app().request('GET', '/app/api/audit', { cookie })).json.data
    const named = events
      .filter(({ kind }: { kind: string }) => kind === 'app.approved' || kind === 'app.revoked')
      .map(({ details }: { details: { app: string } }) => details.app)
    assert.deepEqual(named, ['other.example:8443', 'other.example:8443'])
  })

  test('the consent form may redirect only to the client', async () => {
    for (const [redirect_uri, target] of [
      ['https://client.example:8443/a/b?c=d', 'https://client.example:8443'],
      ['http://127.0.0.1:1234/cb', 'http://127.0.0.1:1234'],
      ['http://localhost/cb', 'http://localhost'],
      // CSP has no way to write an IPv6 address.
      ['http://[::1]:1234/cb', 'http:'],
    ] as const) {
      const client = await registerClient(app(), { redirect_uris: [redirect_uri] })
      const browser = new Browser(app(), await (await app().person()).session())
      const request = { ...requestOf(createFlow(app(), client)), redirect_uri }
      const page = await browser.follow(authorizePath(request))
      const policy = String(page.headers['content-security-policy'])
      assert.match(policy, /form-action/)
      assert.equal(/form-action ([^;]*)/.exec(policy)![1], `'self' ${target}`)
    }
  })
})

// Links as strangers and attackers see them: pages, guesses, logs, forms of other sites, and the mail for a forgotten
// password.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { createSecret } from '../../server/base/secret/secrets.ts'
import { defaultPreferences } from '../../server/domain/people/preferences.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword, updatePreferences, verifyEmail } from '../../server/store/people/people.ts'
import { onBothEngines, onSqlite, type Reply, type TestApp, testOnSqlite } from '../harness.ts'
import { Browser, filled, formIn, fromManyAddresses } from '../oauth/browser.ts'

const same = { 'sec-fetch-site': 'same-origin' }
const requireRefused = ({ status, json }: Reply, expected: number, reason: string) =>
  assert.deepEqual([status, json.error?.reason], [expected, reason])
const pathIn = ({ json }: Reply): string => new URL(json.data.url).pathname

async function makeInvitation(app: TestApp): Promise<string> {
  const cookie = await (await app.person('role-administrator')).session()
  const reply = await app.request('POST', '/app/api/invitations', { cookie, body: { roleId: 'role-user' } })
  assert.equal(reply.status, 201, reply.text)
  return pathIn(reply)
}
async function makeResetLink(app: TestApp, id: string, body: object = {}): Promise<string> {
  const cookie = await (await app.person('role-administrator')).session()
  const reply = await app.request('POST', `/app/api/users/${id}/reset-link`, { cookie, body })
  assert.equal(reply.status, 201, reply.text)
  return pathIn(reply)
}
const whoIs = async (app: TestApp, { cookie }: Browser): Promise<string | undefined> =>
  (await app.request('GET', '/app/api/session', { cookie })).json.data.user?.username

let names = 0
const account = (more: object = {}) => ({
  username: `newcomer${names++}`,
  displayName: 'Bessie Coleman',
  password: 'curtiss jenny',
  ...more,
})

onBothEngines(
  'pages behind links',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    before(() => app().person('owner'))

    test('an invitation link creates the account, signs in and cannot be used again', async () => {
      const path = await makeInvitation(app())
      const browser = new Browser(app())
      const page = await browser.get(path)
      assert.equal(page.status, 200)
      assert.match(page.text, /<h1>Create your account<\/h1>/)
      assert.match(page.text, />Create account<\/button>/)
      assert.deepEqual(
        formIn(page).fields.map(([name]) => name),
        ['token', 'displayName', 'username', 'password'],
      )
      const person = account()
      const done = await browser.post(path, filled(formIn(page), person))
      assert.deepEqual([done.status, done.headers.location], [303, '/'])
      assert.equal(await whoIs(app(), browser), person.username)
      const again = await new Browser(app()).get(path)
      assert.equal(again.status, 404)
      assert.match(again.text, /no longer works/)
      assert.match(
        again.text,
        /href="\/sign-in\?local=1"/,
        'also where the instance leads straight to a provider',
      )
    })

    sqliteTest(
      'mistakes are shown at their fields in the browser’s language, and the link stays valid',
      async () => {
        const path = await makeInvitation(app())
        const taken = await app().person()
        const browser = new Browser(app(), undefined, { 'accept-language': 'de' })
        const form = formIn(await browser.get(path))
        const short = await browser.post(path, filled(form, account({ password: 'short' })))
        assert.equal(short.status, 422)
        assert.match(short.text, /id="password-mistake">Mindestens 8 Zeichen/)
        assert.doesNotMatch(short.text, /value="short"/)
        const double = await browser.post(path, filled(form, account({ username: taken.username })))
        assert.equal(double.status, 409)
        assert.match(double.text, /id="username-mistake">Dieser Benutzername ist vergeben/)
        assert.match(double.text, /value="Bessie Coleman"/)
        assert.equal((await browser.post(path, filled(form, account()))).status, 303)
      },
    )

    sqliteTest('a signed-in user is told that creating an account signs them out', async () => {
      const path = await makeInvitation(app())
      const ada = await app().person()
      const browser = new Browser(app(), await ada.session())
      const page = await browser.get(path)
      const note = `You are signed in as ${ada.displayName}. Creating an account here signs you out.`
      assert.ok(page.text.includes(note), page.text)
      const short = await browser.post(path, filled(formIn(page), account({ password: 'short' })))
      assert.equal(short.status, 422)
      assert.ok(short.text.includes(note))
      assert.equal(await whoIs(app(), browser), ada.username, 'a mistake ends nothing')
      const old = new Map(browser.cookies)
      const person = account()
      const done = await browser.post(path, filled(formIn(short), person))
      assert.deepEqual([done.status, done.headers.location], [303, '/'])
      assert.equal(await whoIs(app(), browser), person.username)
      const before = new Browser(app())
      for (const [name, value] of old) before.cookies.set(name, value)
      assert.equal(await whoIs(app(), before), undefined, 'the old session has ended')
      const events = await app().store.read.query(
        `select kind from audit_event where actor_id = '${ada.id}' and kind = 'sign-out'`,
        [],
      )
      assert.equal(events.length, 1)
      assert.doesNotMatch((await new Browser(app()).get(await makeInvitation(app()))).text, /signs you out/)
    })

    test('a reset link sets a new password, ends every session and leads to the sign-in page', async () => {
      const ada = await app().person()
      const old = await ada.session()
      const path = await makeResetLink(app(), ada.id)
      const browser = new Browser(app(), await (await app().person()).session())
      const page = await browser.get(path)
      assert.match(page.text, />Set password<\/button>/)
      assert.ok(page.text.includes(ada.username))
      const short = await browser.post(path, filled(formIn(page), { password: 'short' }))
      assert.equal(short.status, 422)
      const done = await browser.post(path, filled(formIn(page), { password: 'a new password' }))
      assert.deepEqual([done.status, done.headers.location], [303, '/sign-in?local=1&password=set'])
      assert.equal((await app().request('GET', '/app/api/me', { cookie: old })).status, 401)
      assert.equal(await whoIs(app(), browser), undefined, 'also of another person in this browser')
      const signIn = await browser.get(done.headers.location!)
      assert.match(signIn.text, /Your new password is set\. Sign in with it\./)
      const fields = filled(formIn(signIn), { username: ada.username, password: 'a new password' })
      assert.equal((await browser.post('/sign-in', fields)).status, 303)
      assert.equal(await whoIs(app(), browser), ada.username)
      assert.equal((await browser.get(path)).status, 404)
      assert.equal((await browser.post(path, filled(formIn(page), { password: 'another one' }))).status, 404)
    })

    test('used, unknown, malformed and swapped links show the same page', async () => {
      const invitation = (await makeInvitation(app())).split('/').at(-1)!
      const reset = (await makeResetLink(app(), (await app().person()).id)).split('/').at(-1)!
      const unknown = [
        `/invite/${createSecret('invitation').secret}`,
        `/reset/${createSecret('resetLink').secret}`,
        `/invite/${reset}`,
        `/reset/${invitation}`,
        `/invite/${createSecret('session').secret}`,
        '/invite/x',
        '/reset/%27%20or%201=1',
        `/invite/${'a'.repeat(400)}`,
        `/invite/${invitation.toUpperCase()}`,
        `/reset/${reset.slice(0, -1)}`,
      ]
      const texts: Record<string, Set<string>> = { invite: new Set(), reset: new Set() }
      for (const path of unknown) {
        const reply = await new Browser(app()).get(path)
        assert.equal(reply.status, 404, path)
        texts[path.split('/')[1]!]!.add(reply.text)
      }
      assert.deepEqual([texts['invite']!.size, texts['reset']!.size], [1, 1])
      // Neither looking at a link nor trying it at the other page uses it up.
      for (const path of [`/invite/${invitation}`, `/reset/${reset}`])
        assert.equal((await new Browser(app()).get(path)).status, 200)
      const wrongDoor = await app().request('POST', '/app/api/reset-links/use', {
        headers: same,
        body: { token: invitation, password: 'a new password' },
      })
      assert.equal(wrongDoor.status, 404)
    })

    sqliteTest('another site, another browser and another link cannot submit the form', async () => {
      const path = await makeInvitation(app())
      const other = await makeInvitation(app())
      const browser = new Browser(app())
      const form = formIn(await browser.get(path))
      const fields = filled(form, account())
      const cross = await browser.post(path, fields, { 'sec-fetch-site': 'cross-site' })
      assert.equal(cross.status, 403)
      assert.equal((await new Browser(app()).post(path, fields)).status, 400)
      assert.equal((await browser.post(other, fields)).status, 400)
      const noToken = fields.filter(([name]) => name !== 'token')
      assert.equal((await browser.post(path, noToken)).status, 400)
      const crossApi = await app().request('POST', '/app/api/invitations/accept', {
        headers: { 'sec-fetch-site': 'cross-site' },
        body: { token: path.split('/').at(-1), ...account() },
      })
      assert.equal(crossApi.status, 403)
      assert.equal((await browser.post(path, fields)).status, 303)
    })

    sqliteTest('the link is not logged, sent as a referrer, cached or indexed', async () => {
      const ada = await app().person()
      const paths = [await makeInvitation(app()), await makeResetLink(app(), ada.id)]
      for (const path of paths) {
        const browser = new Browser(app())
        const page = await browser.get(path)
        assert.equal(page.headers['referrer-policy'], 'strict-origin')
        assert.equal(page.headers['cache-control'], 'no-store')
        assert.equal(page.headers['x-robots-tag'], 'noindex')
        assert.match(page.text, /name="robots" content="noindex"/)
        assert.doesNotMatch(String(page.headers['content-security-policy']), /script-src/)
        for (const variant of [
          `/${path}`,
          `${path}/`,
          path.replace('/', '/%2e/'),
          path.replace('ct', '%63t'),
        ])
          await browser.get(variant)
        await browser.post(path, filled(formIn(page), account()))
        await app().request('DELETE', path, { headers: same })
      }
      const tokens = paths.map((path) => path.split('/').at(-1)!)
      const lines = app().logged.join('')
      assert.match(lines, /"path":"\/invite\/…"/)
      for (const token of tokens) assert.ok(!lines.includes(token), token)
      const audit = await app().store.read.query('select details from audit_event', [])
      for (const token of tokens) assert.ok(!JSON.stringify(audit).includes(token))
    })
  },
  { ...fromManyAddresses, accessLog: true },
)

onSqlite(
  'guessed links',
  (app) => {
    test('guesses are limited per address, and a valid link still works there', async () => {
      const path = await makeInvitation(app())
      const headers = { 'x-client-address': '192.0.2.9' }
      const guess = () => app().request('GET', `/invite/${createSecret('invitation').secret}`, { headers })
      const statuses: number[] = []
      for (let i = 0; i < 22; i++) statuses.push((await guess()).status)
      assert.deepEqual([...new Set(statuses)], [404, 429])
      const refused = await guess()
      assert.ok(Number(refused.headers['retry-after']) > 0)
      const api = await app().request('POST', '/app/api/reset-links/use', {
        headers: { ...headers, ...same },
        body: { token: createSecret('resetLink').secret, password: 'a new password' },
      })
      assert.equal(api.status, 429, 'all doors count together')
      assert.equal((await app().request('GET', path, { headers })).status, 200)
      assert.equal((await app().request('GET', '/invite/x')).status, 404, 'from elsewhere')
      app().clock.advance(60_000)
      assert.equal((await guess()).status, 404)
    })
  },
  fromManyAddresses,
)

interface Mail {
  to: string[]
  text: string
}
const mails: Mail[] = []
/** Refuses recipients at this domain. */
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo: ({ address }, _session, done) =>
    done(address.endsWith('@refused.example') ? new Error('no such mailbox') : null),
  onData(stream, session, done) {
    let text = ''
    stream.on('data', (chunk) => {
      text += chunk
    })
    stream.on('end', () => {
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
      done()
    })
  },
})
/** The body of a mail as displayed, without the transfer encoding. */
const readable = ({ text }: Mail): string => {
  const [head = '', ...body] = text.split('\r\n\r\n')
  const content = body.join('\n\n')
  return /transfer-encoding: base64/i.test(head)
    ? Buffer.from(content, 'base64').toString()
    : Buffer.from(
        content
          .replaceAll(/=\r\n/g, '')
          .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) =>
            String.fromCharCode(Number.parseInt(code, 16)),
          ),
        'latin1',
      ).toString()
}
const settings = { smtp: { url: 'smtp://127.0.0.1:0', from: 'contrail@localhost' }, ...fromManyAddresses }

before(async () => {
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))
  settings.smtp.url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
})
after(() => new Promise<void>((resolve) => smtp.close(() => resolve())))

onBothEngines(
  'a forgotten password',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    /** Waits for work that continues after the response. */
    const waiting: (() => void)[] = []
    before(async () => {
      await app().person('owner')
      const { background } = app().services
      const { start } = background
      background.start = (name, work) =>
        start(name, async (signal) => {
          await work(signal)
          waiting.shift()?.()
        })
    })
    beforeEach(() => void mails.splice(0))
    const passwordHash = hashPassword('the old password')
    const withUnverified = async (email: string) => {
      const ada = await app().person()
      const cookie = await ada.session()
      await app().store.transaction(async (tx) => updatePassword(tx, ada.id, await passwordHash))
      await changeEmail({ ...ada, cookie }, email)
      return { ...ada, cookie }
    }
    const changeEmail = async (
      { username, displayName, cookie }: { username: string; displayName: string; cookie: string },
      email: string,
    ) => {
      const body = { username, displayName, email }
      const put = () => app().request('PUT', '/app/api/me', { cookie, body })
      assert.equal((await andAfterwards(put)).status, 204)
    }
    const withMail = async (email = 'ada@example.org') => {
      const ada = await withUnverified(email)
      await app().store.transaction((tx) => verifyEmail(tx, { id: ada.id, email }))
      mails.splice(0)
      return ada
    }
    const tokenIn = (mail: Mail): string =>
      /http:\/\/localhost:3000\/settings\/profile\?verify=([a-z2-7]{32})\s/.exec(readable(mail))?.[1] ??
      assert.fail(readable(mail))
    const verify = (token: string, cookie?: string) =>
      app().request('PUT', '/app/api/me/email/verification', { cookie, headers: same, body: { token } })
    const emailOf = async (cookie: string) =>
      (await app().request('GET', '/app/api/account', { cookie })).json.data
    /** The response, once its background work is done too. */
    const andAfterwards = async (send: () => Promise<Reply>): Promise<Reply> => {
      const done = new Promise<void>((resolve) => void waiting.push(resolve))
      const reply = await send()
      if (reply.status < 300) await done
      else waiting.pop()
      return reply
    }
    const ask = async (username: string, headers: Record<string, string> = {}): Promise<Reply> => {
      const browser = new Browser(app(), undefined, headers)
      const form = formIn(await browser.get('/sign-in/forgot'))
      return andAfterwards(() => browser.post('/sign-in/forgot', filled(form, { username })))
    }
    test('the sign-in page leads to a form, and the mailed link resets the password but keeps the second factor', async () => {
      assert.match(
        (await new Browser(app()).get('/sign-in')).text,
        /href="\/sign-in\/forgot">Forgot your password\?/,
      )
      const ada = await withMail()
      const at = '2026-06-01T00:00:00.000Z'
      await app().store.transaction((tx) =>
        tx.query(
          `insert into second_factor (user_id, secret, enabled_at, created_at) values ('${ada.id}', 'x', '${at}', '${at}')`,
          [],
        ),
      )
      assert.match((await ask(ada.username)).text, /Check your e-mail/)
      const [mail, ...more] = mails
      assert.deepEqual([mail!.to, more], [['ada@example.org'], []])
      assert.match(mail!.text, /^From: Contrail <contrail@localhost>/m)
      assert.match(mail!.text, /^Auto-Submitted: auto-generated/im)
      const link = /http:\/\/localhost:3000(\/reset\/ctl_[a-z2-7]{39})/.exec(readable(mail!))
      assert.ok(link, readable(mail!))
      const browser = new Browser(app())
      const form = formIn(await browser.get(link[1]!))
      assert.equal((await browser.post(link[1]!, filled(form, { password: 'the new password' }))).status, 303)
      const factors = await app().store.read.query(
        `select user_id from second_factor where user_id = '${ada.id}'`,
        [],
      )
      assert.equal(factors.length, 1)
      assert.ok(!app().logged.join('').includes(link[1]!.split('/').at(-1)!))
    })

    test('the response is the same for all accounts, and only those with a password and an address get a mail', async () => {
      const ada = await withMail()
      const noAddress = await app().person()
      await app().store.transaction(async (tx) => updatePassword(tx, noAddress.id, await passwordHash))
      const noPassword = await app().person()
      await app().store.transaction((tx) =>
        tx.query(`update person set email = 'x@example.org' where id = '${noPassword.id}'`, []),
      )
      const asked = [ada.username, noAddress.username, noPassword.username, 'nobody', "o'; --", '']
      const texts = new Set<string>()
      for (const username of asked) {
        const reply = await ask(username)
        assert.equal(reply.status, 200)
        texts.add(reply.text)
      }
      assert.equal(texts.size, 1)
      const headers = { ...same, 'x-client-address': '192.0.2.7' }
      const api = await andAfterwards(() =>
        app().request('POST', '/app/api/sign-in/forgot', { headers, body: { username: 'nobody' } }),
      )
      assert.deepEqual([api.status, api.text], [204, ''])
      assert.equal(
        (await app().request('POST', '/app/api/sign-in/forgot', { headers: same, body: {} })).status,
        422,
      )
      assert.deepEqual(
        mails.map(({ to }) => to),
        [['ada@example.org']],
      )
    })

    test('a new address is used only after its owner, signed in, has opened the mailed link', async () => {
      const ada = await withUnverified('ada@example.org')
      assert.deepEqual(
        mails.map(({ to }) => to),
        [['ada@example.org']],
      )
      assert.match(readable(mails[0]!), /^Hello,\n\nsomeone, probably you, entered this address/)
      const token = tokenIn(mails[0]!)
      const { email, emailVerified } = await emailOf(ada.cookie)
      assert.deepEqual([email, emailVerified], ['ada@example.org', false])
      await ask(ada.username)
      assert.equal(mails.length, 1, 'no link to a new password goes there yet')

      const eve = await withUnverified('eve@example.org')
      assert.equal((await verify(token)).status, 401)
      requireRefused(await verify(token, eve.cookie), 404, 'link_invalid')
      requireRefused(await verify('x', ada.cookie), 404, 'link_invalid')
      assert.equal((await emailOf(ada.cookie)).emailVerified, false)
      assert.equal((await verify(token, ada.cookie)).status, 204)
      assert.equal((await emailOf(ada.cookie)).emailVerified, true)
      assert.equal((await emailOf(eve.cookie)).emailVerified, false)
      requireRefused(await verify(token, ada.cookie), 404, 'link_invalid')
      assert.ok(!app().logged.join('').includes(token))
      mails.splice(0)
      await ask(ada.username)
      assert.match(readable(mails[0]!), /\/reset\/ctl_/)
    })

    test('a changed address needs a new link; the previous address’s link is refused', async () => {
      const ada = await withUnverified('ada@example.org')
      const early = tokenIn(mails[0]!)
      await changeEmail(ada, 'new@example.org')
      requireRefused(await verify(early, ada.cookie), 404, 'link_invalid')
      assert.deepEqual(mails[1]!.to, ['new@example.org'])
      const late = tokenIn(mails[1]!)
      app().clock.advance(86_400_000)
      requireRefused(await verify(late, await ada.session()), 404, 'link_invalid')
      const again = { ...ada, cookie: await ada.session() }
      await app().store.transaction((tx) => verifyEmail(tx, { id: ada.id, email: 'new@example.org' }))
      await changeEmail(again, 'ada@example.org')
      assert.equal((await emailOf(again.cookie)).emailVerified, false)
      assert.equal((await verify(tokenIn(mails[2]!), again.cookie)).status, 204)
    })

    test('the mail is sent again on request, up to five times a day, and never to a verified address', async () => {
      const ada = await withUnverified('ada@example.org')
      const again = () =>
        app().request('POST', '/app/api/me/email/verification', { cookie: ada.cookie, body: {} })
      for (let i = 0; i < 4; i++) assert.equal((await andAfterwards(again)).status, 204)
      assert.equal(mails.length, 5)
      const refused = await again()
      requireRefused(refused, 429, 'too_many_attempts')
      assert.equal(refused.headers['retry-after'], '86400')
      await changeEmail(ada, 'someone.else@example.org')
      assert.equal(mails.length, 5, 'another address does not make it six')
      await app().store.transaction((tx) =>
        verifyEmail(tx, { id: ada.id, email: 'someone.else@example.org' }),
      )
      assert.equal((await again()).status, 204)
      assert.equal(mails.length, 5)
    })

    sqliteTest('no mail contains the display name, because it could be a line with a link', async () => {
      const ada = await withUnverified('ada@example.org')
      const body = {
        username: ada.username,
        displayName: 'Win at evil.example/x now',
        email: 'ada@example.org',
      }
      assert.equal((await app().request('PUT', '/app/api/me', { cookie: ada.cookie, body })).status, 204)
      const send = () =>
        app().request('POST', '/app/api/me/email/verification', { cookie: ada.cookie, body: {} })
      await andAfterwards(send)
      await app().store.transaction((tx) => verifyEmail(tx, { id: ada.id, email: 'ada@example.org' }))
      await ask(ada.username)
      assert.equal(mails.length, 3)
      for (const mail of mails) assert.doesNotMatch(mail.text + readable(mail), /evil\.example/)
    })

    sqliteTest('mails use the language of their recipient, or that of the request', async () => {
      const french = await withMail('fr@example.org')
      const preferences = { ...defaultPreferences, language: 'fr' as const }
      await app().store.transaction((tx) => updatePreferences(tx, french.id, preferences))
      const any = await withMail('any@example.org')
      await ask(french.username, { 'accept-language': 'de' })
      await ask(any.username, { 'accept-language': 'de' })
      const to = (address: string) => readable(mails.find((mail) => mail.to[0] === address)!)
      assert.match(to('fr@example.org'), /^Bonjour/)
      assert.match(to('any@example.org'), /^Hallo/)
    })

    test('one mail in five minutes and five open links are allowed; another request cancels none', async () => {
      const ada = await withMail()
      await ask(ada.username)
      await ask(ada.username)
      assert.equal(mails.length, 1)
      for (let i = 0; i < 6; i++) {
        app().clock.advance(5 * 60_000)
        await ask(ada.username)
      }
      assert.equal(mails.length, 5)
      const path = /\/reset\/ctl_[a-z2-7]{39}/.exec(readable(mails[0]!))![0]
      assert.equal((await new Browser(app()).get(path)).status, 200)
      // An administrator's link stays valid next to them.
      const given = await makeResetLink(app(), ada.id)
      app().clock.advance(86_400_000 - 60_000)
      await ask(ada.username)
      assert.equal(mails.length, 6)
      assert.equal((await new Browser(app()).get(given)).status, 200)
      // With another address, the link mailed to the previous one is invalid.
      const last = /\/reset\/ctl_[a-z2-7]{39}/.exec(readable(mails.at(-1)!))![0]
      assert.equal((await new Browser(app()).get(last)).status, 200)
      const cookie = await ada.session()
      const body = { username: ada.username, displayName: ada.displayName, email: null }
      assert.equal((await app().request('PUT', '/app/api/me', { cookie, body })).status, 204)
      assert.equal((await new Browser(app()).get(last)).status, 404)
      assert.equal((await new Browser(app()).get(given)).status, 200)
    })

    test('requests from one address are limited', async () => {
      const headers = { ...same, 'x-client-address': '192.0.2.55' }
      const post = () =>
        andAfterwards(() =>
          app().request('POST', '/app/api/sign-in/forgot', { headers, body: { username: 'nobody' } }),
        )
      const statuses: number[] = []
      for (let i = 0; i < 6; i++) statuses.push((await post()).status)
      assert.deepEqual(statuses, [204, 204, 204, 204, 204, 429])
      const browser = new Browser(app(), undefined, { 'x-client-address': '192.0.2.55' })
      const form = formIn(await browser.get('/sign-in/forgot'))
      const page = await browser.post('/sign-in/forgot', filled(form, { username: 'nobody' }))
      assert.equal(page.status, 429)
      assert.match(page.text, /role="alert"/)
      assert.equal((await browser.post('/sign-in/forgot', [['username', 'x']])).status, 400)
      assert.equal(
        (await browser.post('/sign-in/forgot', form.fields, { 'sec-fetch-site': 'cross-site' })).status,
        403,
      )
    })

    sqliteTest('a refused mail is logged without the address and the link', async () => {
      const ada = await withMail('ada@refused.example')
      await ask(ada.username)
      const lines = app().logged.filter((line) => line.includes('a mail could not be sent'))
      assert.equal(lines.length, 2, 'one to verify the address, one with the link')
      assert.doesNotMatch(lines.join(''), /refused\.example|ctl_/)
      assert.doesNotMatch(app().logged.join(''), /ctl_|verify=|@refused\.example/)
    })
  },
  settings,
)

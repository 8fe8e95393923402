// Notifications by mail: only to a confirmed address, and so many a day. And the operator's way back when the secret is lost.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { DAY, SECOND } from '../../server/domain/time/durations.ts'
import { insertNotice } from '../../server/store/people/notices.ts'
import { updateEmail } from '../../server/store/people/people.ts'
import { assertError } from '../fixtures.ts'
import { engines, freshDatabase, onBothEngines, startTestApp, type TestPerson } from '../harness.ts'
import { contrail } from '../running/processes.ts'
import { until } from '../until.ts'
import { createTestTravel, startPushService } from './service.ts'

const mails: { to: string; text: string }[] = []
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      text += chunk
    })
    stream.on('end', () => {
      const [to] = session.envelope.rcptTo
      mails.push({ to: to!.address, text: text.replaceAll('=\r\n', '').replaceAll('=3D', '=') })
      done()
    })
  },
})
const settings = { smtp: { url: 'smtp://127.0.0.1:0', from: 'contrail@localhost' } }
before(async () => {
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))
  settings.smtp.url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
})
after(() => new Promise<void>((resolve) => smtp.close(() => resolve())))

onBothEngines(
  'notifications by mail',
  (app) => {
    let ada: TestPerson
    let cookie: string
    let travel: ReturnType<typeof createTestTravel>
    before(() => app().person('owner'))
    beforeEach(async () => {
      mails.splice(0)
      ada = await app().person()
      cookie = await ada.session()
      await setAddress('ada@example.org')
      travel = createTestTravel(app())
    })
    const setAddress = (email: string | null) =>
      app().store.transaction((tx) => updateEmail(tx, { id: ada.id, email }))
    const send = (method: string, path: string, body?: unknown, as = cookie) =>
      app().request(method, `/app/api${path}`, { cookie: as, ...(body === undefined ? {} : { body }) })
    const state = async () => (await send('GET', '/notification-mail')).json.data
    const choose = (kinds: object) => send('PUT', '/notification-settings', { kinds })
    const link = async () => {
      assert.equal((await send('POST', '/notification-mail')).status, 204)
      const mail = await until('the link is mailed', () => mails.shift())
      return { to: mail.to, token: /confirm-mail\/(\w+)/.exec(mail.text)![1]! }
    }
    const confirm = async () => {
      const { token } = await link()
      assert.equal((await send('PUT', '/notification-mail', { token })).status, 204)
    }
    const notify = async (more: number = 1) => {
      app().clock.advance(SECOND)
      const at = new Date(app().clock.now()).toISOString()
      const data = { userAgent: null, address: '192.0.2.7' }
      for (let i = 0; i < more; i++)
        await app().store.transaction((tx) =>
          insertNotice(tx, { userId: ada.id, kind: 'session.new', at, data, flightId: null }),
        )
      await travel.sender.sendDue()
    }

    test('an address is used after its owner opened the link, and as long as it is in the profile', async () => {
      assert.deepEqual(await state(), { available: true, address: 'ada@example.org', isConfirmed: false })
      await choose({ security: 'mail' })
      await notify()
      assert.equal(mails.length, 0)
      const { to } = await link()
      assert.equal(to, 'ada@example.org')
      await confirm()
      assert.equal((await state()).isConfirmed, true)
      await notify()
      assert.equal(mails.length, 1)
      assert.match(mails[0]!.text, /^Subject: New sign-in$/m)
      assert.match(mails[0]!.text, /\/notices/)
      assert.ok(!mails[0]!.text.includes('192.0.2.7'))
      await setAddress('other@example.org')
      assert.equal((await state()).isConfirmed, false)
      await notify()
      assert.equal(mails.length, 1)
      await setAddress('ada@example.org')
      assert.equal((await send('DELETE', '/notification-mail')).status, 204)
      await notify()
      assert.equal(mails.length, 1)
    })

    test('the device, the mailbox or both get it, as the person chose', async () => {
      const service = await startPushService(() => app().clock.now())
      try {
        assert.equal((await send('POST', '/push-subscriptions', service.subscribe())).status, 201)
        await confirm()
        for (const [security, pushed, mailed] of [
          ['push', 1, 0],
          ['mail', 0, 1],
          ['both', 1, 1],
        ] as const) {
          await choose({ security })
          await notify()
          assert.deepEqual([service.take().length, mails.splice(0).length], [pushed, mailed], security)
        }
      } finally {
        await service.close()
      }
    })

    test('a link works once, for the person who asked for it, and only for that address', async () => {
      const { token } = await link()
      const bob = await (await app().person()).session()
      assertError(await send('PUT', '/notification-mail', { token }, bob), 404, 'not_found')
      await setAddress('other@example.org')
      assertError(await send('PUT', '/notification-mail', { token }), 404, 'not_found')
      await setAddress('ada@example.org')
      assert.equal((await send('PUT', '/notification-mail', { token })).status, 204)
      assertError(await send('PUT', '/notification-mail', { token }), 404, 'not_found')
      const late = await link()
      app().clock.advance(DAY + SECOND)
      cookie = await ada.session()
      assertError(await send('PUT', '/notification-mail', { token: late.token }), 404, 'not_found')
    })

    test('five links a day, and none without an address', async () => {
      for (let i = 0; i < 5; i++) await link()
      assertError(await send('POST', '/notification-mail'), 429, 'too_many_requests')
      await setAddress(null)
      const none = await send('POST', '/notification-mail')
      assertError(none, 409, 'conflict')
      assert.equal(none.json.error.reason, 'email_required')
    })

    test('a person gets twenty mails a day', async () => {
      await choose({ security: 'mail' })
      await confirm()
      await notify(23)
      assert.equal(mails.length, 20)
      app().clock.advance(DAY)
      await notify()
      assert.equal(mails.length, 21)
    })

    test('the page asks to sign in, then for a press of the button', async () => {
      const { token } = await link()
      const path = `/confirm-mail/${token}`
      const visitor = await app().request('GET', path)
      assert.equal(visitor.status, 303)
      assert.match(String(visitor.headers.location), /^\/sign-in\?next=%2Fconfirm-mail/)
      const shown = await app().request('GET', path, { cookie })
      assert.equal(shown.status, 200, shown.text)
      assert.match(String(shown.headers['x-robots-tag']), /noindex/)
      assert.equal((await state()).isConfirmed, false, 'opening the link changes nothing')
      const proof = /name="token" value="([^"]+)"/.exec(shown.text)![1]!
      const browser = String(shown.headers['set-cookie']?.[0]).split(';')[0]!
      const press = (token = proof) =>
        app().request('POST', path, {
          cookie: `${cookie}; ${browser}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app().config.origin },
          raw: `token=${token}`,
        })
      assert.equal((await press('forged')).status, 400)
      assert.equal((await press()).status, 200)
      assert.equal((await state()).isConfirmed, true)
      assert.equal((await press()).status, 404, 'it works once')
    })
  },
  settings,
)

for (const engine of engines) {
  test(`push reset makes a new key and deletes all devices on ${engine}`, async () => {
    const { drop, ...place } = await freshDatabase(engine)
    const lost = await startTestApp(engine, { ...place, secretKey: 'a'.repeat(40) })
    const ada = await lost.person()
    const key = await ada.key()
    const service = await startPushService(() => lost.clock.now())
    const made = await lost.request('POST', '/api/v1/push-subscriptions', { key, body: service.subscribe() })
    assert.equal(made.status, 201, made.text)
    const before = (await lost.request('GET', '/api/v1/push-key', { key })).json.data.publicKey
    await lost.close()

    const app = await startTestApp(engine, { ...place, secretKey: 'b'.repeat(40) })
    try {
      const refused = await app.request('GET', '/api/v1/push-key', { key })
      assertError(refused, 503, 'unavailable')
      assert.equal(refused.json.error.reason, 'push_unavailable')
      assertError(
        await app.request('POST', '/api/v1/push-subscriptions', { key, body: service.subscribe() }),
        503,
        'unavailable',
      )
      const { code, out, err } = await contrail(place, ['push', 'reset'], undefined, {
        SECRET_KEY: 'b'.repeat(40),
      })
      assert.equal(code, 0, err)
      assert.equal(out.toString(), 'made a new key; devices deleted: 1\n')
      const now = (await app.request('GET', '/api/v1/push-key', { key })).json.data.publicKey
      assert.notEqual(now, before)
      assert.deepEqual((await app.request('GET', '/api/v1/push-subscriptions', { key })).json.data, [])
      const again = await app.request('POST', '/api/v1/push-subscriptions', {
        key,
        body: service.subscribe(),
      })
      const tested = await app.request('POST', `/api/v1/push-subscriptions/${again.json.data.id}/test`, {
        key,
      })
      assert.equal(tested.json.data.delivered, true, tested.text)
    } finally {
      await app.close()
      await service.close()
      await drop()
    }
  })
}

// Notifications in the browser: turned on after a press, tested and turned off; why they cannot work; a message is shown whatever
// it contains, and a press goes to its address in the open window.
import assert from 'node:assert/strict'
import type { BrowserContext, Page, Worker } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { type PushService, startPushService, withStatus } from '../push/service.ts'
import { until } from '../until.ts'
import { heading, type Journey, journeys, requireAccessible, underControl } from './browser.ts'
import { follow } from './screens.ts'

const workerOf = async (context: BrowserContext): Promise<Worker> =>
  context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))

/** Delivers messages to the service worker, as a push service would after decrypting them. */
async function pusher(page: Page, origin: string): Promise<(data: string) => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page)
  const registered = Promise.withResolvers<string>()
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId, scopeURL } of registrations)
      if (scopeURL.startsWith(origin)) registered.resolve(registrationId)
  })
  await devtools.send('ServiceWorker.enable')
  const registrationId = await registered.promise
  return (data) => devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
}

interface Shown {
  title: string
  body: string
  tag: string
}

/** Runs in the service worker: headless Chromium shows no notifications, so they are kept here. One replaces another of its tag. */
const keepNotifications = `(() => {
  self.shown = new Map()
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    const close = () => self.shown.delete(options.tag)
    self.shown.set(options.tag, { ...options, title, close })
  }
})()`

const shownIn = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate('[...self.shown.values()].map(({ title, body, tag }) => ({ title, body, tag }))')

/** A person presses it. */
const press = (worker: Worker, tag: string) =>
  worker.evaluate(`{
    const event = new ExtendableEvent('notificationclick')
    event.notification = self.shown.get('${tag}')
    self.dispatchEvent(event)
  }`)

const message = (navigate: string) =>
  JSON.stringify({
    web_push: 8030,
    notification: {
      title: 'Gate B12 (was A7)',
      body: 'SK909 to Newark, departs 12:30',
      lang: 'en',
      dir: 'ltr',
      tag: 'flight-812',
      navigate,
    },
  })

journeys('notifications', 'sqlite', ({ journey }) => {
  journey('A message is shown, replaced, and opens its page in the open window', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights', { as: ada, serviceWorkers: 'allow' })
    await page.evaluate(underControl)
    const worker = await workerOf(page.context())
    await worker.evaluate(keepNotifications)
    const push = await pusher(page, app.url)
    await push(message(`${app.url}/stats`))
    await until('it is shown', async () => (await shownIn(worker)).length === 1)
    await push(message(`${app.url}/trips`))
    await push('no message of ours')
    await push(JSON.stringify({ web_push: 8030, notification: null }))
    await until('the unreadable one is shown', async () => (await shownIn(worker)).length === 2)
    assert.deepEqual(
      (await shownIn(worker)).sort((a, b) => (a.tag < b.tag ? -1 : 1)),
      [
        { title: 'Gate B12 (was A7)', body: 'SK909 to Newark, departs 12:30', tag: 'flight-812' },
        { title: 'Contrail', body: 'There is news in Contrail', tag: 'news' },
      ],
    )
    await press(worker, 'flight-812')
    await heading(page, 'Trips').waitFor()
    await until('it is closed', async () => (await shownIn(worker)).length === 1)
    // Not to another site.
    await push(message('https://elsewhere.example/'))
    await until('it is shown', async () => (await shownIn(worker)).length === 2)
    await press(worker, 'flight-812')
    await heading(page, 'Map').waitFor({ state: 'attached' })
  })
})

/**
 * Runs in the page: headless Chromium has no push service and refuses every notification, so the browser's own part is replaced:
 * the permission, and a subscription to our service.
 */
const browserWith = (permission: string, subscription: object) => `{
  let permission = 'default'
  let current = null
  const made = () => ({
    toJSON: () => (${JSON.stringify(subscription)}),
    options: { applicationServerKey: null },
    unsubscribe: async () => { current = null; return true },
  })
  Object.defineProperty(Notification, 'permission', { get: () => permission })
  Notification.requestPermission = async () => (permission = '${permission}')
  PushManager.prototype.subscribe = async () => (current = made())
  PushManager.prototype.getSubscription = async () => current
}`

const devicesOf = async (app: TestApp, person: TestPerson) =>
  (await app.request('GET', '/app/api/push-subscriptions', { cookie: await person.session() })).json.data

async function openSettings(
  { app, open }: Journey,
  permission: string,
  service: PushService | null,
): Promise<{ page: Page; ada: TestPerson }> {
  const ada = await app.person()
  const page = await open('/robots.txt', { as: ada, serviceWorkers: 'allow' })
  await page.addInitScript(browserWith(permission, service?.subscribe() ?? {}))
  await page.goto('/flights')
  await page.evaluate(underControl)
  await follow(page, '/settings/notifications')
  await heading(page, 'Notifications').waitFor()
  return { page, ada }
}
const turnOn = (page: Page) => page.getByRole('button', { name: 'Turn on for this device' })

journeys(
  'settings of notifications',
  'sqlite',
  ({ journey }) => {
    journey('A device is turned on, tested, failing and turned off', async (given) => {
      const { app } = given
      const service = await startPushService(() => app.clock.now())
      try {
        const { page, ada } = await openSettings(given, 'granted', service)
        await page.getByText('Notifications are not turned on for any device.').waitFor()
        await turnOn(page).click()
        await page.getByText('This device', { exact: true }).waitFor()
        await turnOn(page).waitFor({ state: 'detached' })
        assert.equal((await devicesOf(app, ada)).length, 1)
        const test = page.getByRole('button', { name: /^Send a test/ })
        await test.click()
        await page.getByText(/^Test delivered/).waitFor()
        assert.equal(service.take().length, 1)
        await requireAccessible(page, 'with a device')
        service.respond = withStatus(500)
        await test.click()
        await page.getByText('Test not delivered: HTTP 500').waitFor()
        await page.getByText('Failing', { exact: true }).waitFor()
        await page.getByRole('button', { name: /^Delete/ }).click()
        const dialog = page.getByRole('dialog', { name: 'Turn off for a device' })
        await dialog.getByRole('button', { name: 'Turn off for a device' }).click()
        await turnOn(page).waitFor()
        await until('it is deleted', async () => (await devicesOf(app, ada)).length === 0)
      } finally {
        await service.close()
      }
    })

    journey('Choices are saved immediately', async (given) => {
      const { app } = given
      const { page, ada } = await openSettings(given, 'granted', null)
      const stored = async () =>
        (await app.request('GET', '/app/api/notification-settings', { cookie: await ada.session() })).json
          .data
      await page.getByRole('group', { name: 'Imports with questions' }).getByText('Device').click()
      await page.getByRole('switch', { name: 'Discreet' }).check()
      await page.getByText('24 h, 3 h before').click()
      await page.getByRole('checkbox', { name: '6 h' }).check()
      await page.getByText('24 h, 6 h, 3 h before').waitFor()
      await page.getByRole('switch', { name: 'Quiet hours' }).check()
      await page.getByLabel('From', { exact: true }).fill('23:30')
      await page.getByLabel('From', { exact: true }).press('Tab')
      // The last one: choices are sent in their order.
      await until('it is saved', async () => (await stored()).quietHours?.from === '23:30')
      const { kinds, reminderMinutes, quietHours, discreet } = await stored()
      assert.deepEqual(
        [kinds.imports, reminderMinutes, quietHours, discreet],
        ['push', [1440, 360, 180], { from: '23:30', to: '07:00' }, true],
      )
      await follow(page, '/settings/travel')
      await page.getByLabel('Leave home').selectOption({ label: '2 h 00 min before departure' })
      await until('it is saved', async () => (await stored()).leaveMinutes === 120)
    })

    journey('Where notifications cannot work, the page says why', async (given) => {
      const { page } = await openSettings(given, 'denied', null)
      await turnOn(page).click()
      await page.getByText('blocked in this browser').waitFor()
      await turnOn(page).waitFor({ state: 'detached' })
      const ada = await given.app.person()
      const phone = await given.open('/settings/notifications', {
        as: ada,
        device: 'phone',
        userAgent:
          'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1',
      })
      await phone.getByText('Add to Home Screen').waitFor()
      await turnOn(phone).waitFor({ state: 'detached' })
      await requireAccessible(phone, 'on an iPhone')
    })
  },
  {},
  { pushPrivateAddresses: true },
)

journeys(
  'notifications that are switched off',
  'sqlite',
  ({ journey }) => {
    journey('A server that sends none says so', async (given) => {
      const { page } = await openSettings(given, 'granted', null)
      await turnOn(page).click()
      await page.getByText('Notifications are switched off on this server.').waitFor()
    })
  },
  {},
  { push: false },
)

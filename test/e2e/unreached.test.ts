// A proxy in front of the server: whatever keeps the server from responding, the app opens with its copy, keeps changes, and
// uses the newer response when it comes. A copy never wins over a sign-out, and is never shown to another person.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, type Journey, journeys, requireAccessible } from './browser.ts'
import { createProxy, type Way } from './proxy.ts'

const proxy = await createProxy()
after(() => proxy.close())

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const offline = (page: Page) => page.getByText('You are offline. Showing the last loaded data.')
const bar = (page: Page) => page.getByRole('status').filter({ hasText: /not synced yet/ })

async function logOne(app: TestApp, person: TestPerson) {
  const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('JFK')])
  const flight = { date: '2024-05-01', fromId, toId, flightNumber: 'SK 909', note: 'as it was' }
  return logFlight(app, person, flight)
}

/** Runs in the page: the service worker keeps what the app begins with. */
const prepare = `navigator.serviceWorker.ready
  .then(() => navigator.serviceWorker.controller ?? new Promise((done) =>
    navigator.serviceWorker.addEventListener('controllerchange', done, { once: true })))
  .then(() => Promise.all(['session', 'line-data', 'custom-fields'].map((name) => fetch('/app/api/' + name))))
  .then(() => undefined)`

/** Runs in the page: the title of the page that the next visit begins with. */
const keptTitle =
  "caches.match('/').then((page) => page.text()).then((html) => /<title>(.*)<.title>/.exec(html)[1])"

/** A browser that has seen the log, with everything kept. */
async function visit({ app, open }: Journey, person: TestPerson): Promise<Page> {
  await proxy.open(app.url)
  const through = { baseURL: proxy.url, mayGoTo: [proxy.url], serverMayFail: true }
  const page = await open('/flights', { as: person, serviceWorkers: 'allow', ...through })
  await row(page, 'SK 909').waitFor()
  await page.evaluate(prepare)
  await page.reload()
  await row(page, 'SK 909').waitFor()
  return page
}

async function become(page: Page, person: TestPerson): Promise<void> {
  const [name, value] = (await person.session()).split('=') as [string, string]
  await page.context().addCookies([{ name, value, url: proxy.url }])
}

const noteOf = async (app: TestApp, person: TestPerson, id: number) =>
  (await app.request('GET', `/api/v1/flights/${id}`, { key: await person.key() })).json.data.note

const ways: Way[] = ['refused', '502', 'held', 'portal that redirects', 'portal that responds']

journeys(
  'a server that is not reached',
  'sqlite',
  ({ journey }) => {
    for (const way of ways)
      journey(`${way}: the app opens with its copy and keeps changes`, async (given) => {
        const { app } = given
        const ada = await app.person()
        const flight = await logOne(app, ada)
        const page = await visit(given, ada)
        await page.goto(`/flights/${flight.id}/edit`)
        await page.getByLabel('Note').waitFor()
        await proxy.set(way)
        for (const again of [() => page.goto('/flights'), () => page.reload()]) {
          await again()
          await row(page, 'SK 909').waitFor()
          await offline(page).waitFor()
        }
        assert.equal(await page.evaluate(keptTitle), 'Contrail')
        await page.goto(`/flights/${flight.id}/edit`)
        await page.getByLabel('Note').fill(`written while ${way}`)
        await page.getByRole('button', { name: 'Save flight' }).click()
        await page.getByText('Saved on this device.').waitFor()
        await bar(page).waitFor()
        assert.equal(await noteOf(app, ada, flight.id), 'as it was')

        await proxy.release()
        await page.evaluate("dispatchEvent(new Event('online'))")
        await bar(page).waitFor({ state: 'detached' })
        assert.equal(await noteOf(app, ada, flight.id), `written while ${way}`)
        await page.reload()
        await page.getByText(`written while ${way}`).waitFor()
        assert.equal(await offline(page).count(), 0)
      })

    journey('slow: the copy is shown first, and the response is used when it comes', async (given) => {
      const { app } = given
      const ada = await app.person()
      const flight = await logOne(app, ada)
      const page = await visit(given, ada)
      await proxy.set('held')
      const [key, path] = [await ada.key(), `/api/v1/flights/${flight.id}`]
      await app.request('PATCH', path, { key, body: { flightNumber: 'SK 910' } })
      await page.goto('/flights')
      await row(page, 'SK 909').waitFor()
      await offline(page).waitFor()
      await proxy.release()
      await row(page, 'SK 910').waitFor()
      await offline(page).waitFor({ state: 'detached' })
    })

    journey('a save without a response is kept, and stored once', async (given) => {
      const { app } = given
      const ada = await app.person()
      const flight = await logOne(app, ada)
      const page = await visit(given, ada)
      await page.clock.install()
      await page.goto(`/flights/${flight.id}/edit`)
      await page.getByLabel('Note').fill('no response')
      await proxy.set('held')
      await page.getByRole('button', { name: 'Save flight' }).click()
      while (proxy.waiting === 0) await page.clock.runFor(100)
      await page.clock.runFor(20_000)
      await page.getByText('Saved on this device.').waitFor()
      await proxy.release()
      for (let i = 0; i < 100 && (await bar(page).count()) > 0; i++) await page.clock.runFor(1000)
      await bar(page).waitFor({ state: 'detached' })
      const { json } = await app.request('GET', `/api/v1/flights/${flight.id}`, { key: await ada.key() })
      assert.deepEqual([json.data.note, json.data.version], ['no response', 2])
    })

    journey('a sign-out wins over the copy, also when its response is late', async (given) => {
      const ada = await given.app.person()
      await logOne(given.app, ada)
      const page = await visit(given, ada)
      await page.context().clearCookies()
      await proxy.set('held')
      await page.goto('/flights')
      await offline(page).waitFor()
      await proxy.release()
      await heading(page, /^(Sign in|Welcome to Contrail)$/).waitFor()
      // The copy is gone, too.
      await proxy.set('held')
      await page.goto('/flights')
      await page.getByText('The server cannot be reached.').waitFor()
      assert.equal(await row(page, 'SK 909').count(), 0)
      await requireAccessible(page, 'a start without a server')
    })

    journey('the copy of one person is never shown to another', async (given) => {
      const { app } = given
      const [ada, bob] = [await app.person(), await app.person()]
      await logOne(app, ada)
      const page = await visit(given, ada)
      await page.context().clearCookies()
      await page.goto('/sign-in')
      await heading(page, /^(Sign in|Welcome to Contrail)$/).waitFor()
      await become(page, bob)
      await proxy.set('held')
      await page.goto('/flights')
      await page.getByText('The server cannot be reached.').waitFor()
      assert.equal(await page.getByText('SK 909').count(), 0)
      await proxy.release()
      await page.getByRole('button', { name: bob.displayName }).waitFor()
      assert.equal(await page.getByText('SK 909').count(), 0)
    })
  },
  {},
  { origin: proxy.url },
)

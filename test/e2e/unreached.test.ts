// A proxy in front of the server: in every kind of failure the app opens with its copy, keeps changes, and uses the newer
// response when it arrives. A copy never overrides a sign-out, and is never shown to another person.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { heading, type Journey, journeys } from './browser.ts'
import { createProxy, type Way } from './proxy.ts'
import { follow } from './screens.ts'
import { bar, prepare, retryNow, row, save, savedHere, untilKept } from './waiting.ts'

const proxy = await createProxy()
after(() => proxy.close())

const offline = (page: Page) => page.getByText('You are offline. Showing the last loaded data.')

async function logOne(app: TestApp, person: TestPerson) {
  const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('JFK')])
  const flight = { date: '2024-05-01', fromId, toId, flightNumber: 'SK 909', note: 'as it was' }
  return logFlight(app, person, flight)
}

/** Runs in the page: the title at the start of the next visit. */
const keptTitle =
  "caches.match('/').then((page) => page.text()).then((html) => /<title>(.*)<.title>/.exec(html)[1])"

/** A browser that has seen the log, with everything kept. */
async function visit({ app, open }: Journey, person: TestPerson): Promise<Page> {
  await proxy.open(app.url)
  const through = { baseURL: proxy.url, mayGoTo: [proxy.url], serverMayFail: true }
  const page = await open('/flights', { as: person, serviceWorkers: 'allow', ...through })
  await row(page, 'SK 909').waitFor()
  await prepare(page)
  await untilKept(page)
  return page
}

async function become(page: Page, person: TestPerson): Promise<void> {
  const [name, value] = (await person.session()).split('=') as [string, string]
  await page.context().addCookies([{ name, value, url: proxy.url }])
}

const stored = async (app: TestApp, person: TestPerson, id: number) =>
  (await app.request('GET', `/api/v1/flights/${id}`, { key: await person.key() })).json.data

/** Each kind of failure has a visit that starts with the copy, and a change that is sent once the server responds. */
async function saveDespite(way: Way, app: TestApp, person: TestPerson, page: Page, id: number) {
  const { note: before } = await stored(app, person, id)
  await proxy.set(way)
  await page.goto('/flights')
  await row(page, 'SK 909').waitFor()
  await offline(page).waitFor()
  assert.equal(await page.evaluate(keptTitle), 'Contrail', way)
  const note = `written while ${way}`
  await follow(page, `/flights/${id}/edit`)
  await page.getByLabel('Note').fill(note)
  await save(page)
  await savedHere(page)
  await bar(page).waitFor()
  assert.equal((await stored(app, person, id)).note, before)
  await proxy.release()
  await retryNow(page)
  await bar(page).waitFor({ state: 'detached' })
  assert.equal((await stored(app, person, id)).note, note)
  await page.getByText(note).waitFor()
  await offline(page).waitFor({ state: 'detached' })
}

/** A late response is used. */
async function openWhileHeld(app: TestApp, person: TestPerson, page: Page, id: number): Promise<void> {
  await proxy.set('held')
  const body = { flightNumber: 'SK 910' }
  await app.request('PATCH', `/api/v1/flights/${id}`, { key: await person.key(), body })
  await page.goto('/flights')
  await row(page, 'SK 909').waitFor()
  await offline(page).waitFor()
  assert.equal(await page.evaluate(keptTitle), 'Contrail')
  await follow(page, `/flights/${id}/edit`)
  await page.getByLabel('Note').waitFor()
  await follow(page, '/flights')
  await proxy.release()
  await row(page, 'SK 910').waitFor()
  await offline(page).waitFor({ state: 'detached' })
}

/** A save without a response is kept, and sent again. */
async function saveWhileHeld(page: Page, id: number): Promise<void> {
  await page.clock.install()
  await page.goto(`/flights/${id}/edit`)
  await page.getByLabel('Note').fill('no response')
  await proxy.set('held')
  await save(page)
  await until('the server has the request', async () => {
    await page.clock.runFor(100)
    return proxy.waiting > 0
  })
  await page.clock.runFor(20_000)
  await savedHere(page)
  await proxy.release()
  await until('every change is sent', async () => {
    await page.clock.runFor(1000)
    return (await bar(page).count()) === 0
  })
}

journeys(
  'an unreachable server',
  'sqlite',
  ({ journey }) => {
    journey(
      'The app opens with its copy for every kind of failure, and a change is stored once',
      async (given) => {
        const { app } = given
        const ada = await app.person()
        const { id } = await logOne(app, ada)
        const page = await visit(given, ada)
        await follow(page, `/flights/${id}/edit`)
        await page.getByLabel('Note').waitFor()
        for (const way of ['refused', '502', 'portal that redirects', 'portal that responds'] as const)
          await saveDespite(way, app, ada, page, id)
        await openWhileHeld(app, ada, page, id)
        await saveWhileHeld(page, id)
        // The flight as it was logged, four changes, the number that was changed elsewhere, and the last change.
        const { note, version } = await stored(app, ada, id)
        assert.deepEqual([note, version], ['no response', 7])
      },
    )

    journey(
      'A late sign-out deletes the copy, and a copy is never shown to another person',
      async (given) => {
        const { app } = given
        const [ada, bob] = [await app.person(), await app.person()]
        await logOne(app, ada)
        const page = await visit(given, ada)
        await page.context().clearCookies()
        await proxy.set('held')
        await page.goto('/flights')
        await offline(page).waitFor()
        await proxy.release()
        await heading(page, /^(Sign in|Welcome to Contrail)$/).waitFor()
        // The copy is deleted, too.
        await proxy.set('held')
        await page.goto('/flights')
        await page.getByText('The server cannot be reached.').waitFor()
        assert.equal(await row(page, 'SK 909').count(), 0)
        await proxy.release()
        await heading(page, /^(Sign in|Welcome to Contrail)$/).waitFor()

        await become(page, ada)
        await page.goto('/flights')
        await row(page, 'SK 909').waitFor()
        await prepare(page)
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
      },
    )
  },
  {},
  { origin: proxy.url },
)

// A response that arrives after a later action overwrites nothing: no outdated match is offered, no mark and no press is
// lost, no row flickers, and nothing of a person is kept after signing out.
import assert from 'node:assert/strict'
import type { Page, Request, Route } from 'playwright-core'
import { COPY_AFTER_MS } from '../../web/src/api/unreached.ts'
import { SEARCH_AFTER_MS } from '../../web/src/lib/delays.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { heading, journeys, keepMessages, pick, postpone, twoFrames } from './browser.ts'
import { follow } from './screens.ts'
import { prepare } from './waiting.ts'

const logSome = async (app: TestApp, who: TestPerson, days: readonly string[]) => {
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  for (const date of days) await logFlight(app, who, { date, fromId, toId })
}

/** The server responds to the first such request, and the browser gets the response when it is released. */
function hold(isMeant: (request: Request) => boolean = () => true) {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  let isUsed = false
  async function handler(route: Route): Promise<void> {
    if (isUsed || !isMeant(route.request())) return route.fallback()
    isUsed = true
    const response = await route.fetch()
    held.resolve()
    await released.promise
    // The client may have given up meanwhile.
    await route.fulfill({ response }).catch(() => {})
    done.resolve()
  }
  const release = () => {
    released.resolve()
    return done.promise
  }
  return { handler, held: held.promise, release }
}

/** A search is delayed until more is typed, indefinitely. */
const searchLater = postpone(SEARCH_AFTER_MS)

const totalsOf = (page: Page) => page.getByLabel('At a glance')
const rowsOf = (page: Page) => page.locator('[data-index]')

/** Runs in the page: the number of rows after each change. */
const noteRows = `{
  const count = () => document.querySelectorAll('[data-index]').length
  window.counts = [count()]
  new MutationObserver(() => {
    if (count() !== counts.at(-1)) counts.push(count())
  }).observe(document.body, { childList: true, subtree: true })
}`

journeys('late responses', 'sqlite', ({ journey }) => {
  journey(
    'A late response overwrites nothing: a search, a mark, a page of changes, a restored flight',
    async (given) => {
      const { app, open } = given
      const ada = await app.person()
      const days = Array.from({ length: 60 }, (_, i) => `2024-0${1 + (i % 6)}-${10 + Math.floor(i / 6)}`)
      await logSome(app, ada, days)
      const page = await open('/flights/new', { as: ada })
      await searchLate(page)
      await follow(page, '/countries')
      await markMeanwhile(page)
      await follow(page, '/flights/changes')
      await showMoreLate(page, () => logSome(app, ada, ['2024-09-01']))
      // A few of them: only visible rows are in the page.
      await follow(page, '/flights?after=2024-06-18')
      await restoreMeanwhile(page)
    },
  )

  journey('A saved form is not reopened while the next page loads', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada })
    const number = page.getByLabel('Flight number', { exact: true })
    await pick(page, 'From', 'CPH', 'CPH')
    await pick(page, 'To', 'JFK', 'JFK')
    await number.fill('SK909')
    const map = hold()
    await page.route('**/assets/MapPage-*.js', map.handler)
    await page.getByRole('button', { name: 'Save flight' }).click()
    await map.held
    await follow(page, '/flights/new')
    assert.equal(await number.inputValue(), '')
    await map.release()
    await heading(page, 'Add flight').waitFor()
  })

  journey('A choice made while another is being saved stays', async ({ app, open }) => {
    const page = await open('/settings/notifications', { as: await app.person() })
    const first = hold((request) => request.method() === 'PUT')
    await page.route('**/app/api/notification-settings', first.handler)
    await page.getByRole('switch', { name: 'Quiet hours' }).check()
    await first.held
    const discreet = page.getByRole('switch', { name: 'Discreet' })
    await discreet.check()
    // A second response may arrive before the first.
    await twoFrames(page)
    await first.release()
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor({ state: 'attached' })
    assert.equal(await discreet.isChecked(), true)
    await page.getByLabel('From', { exact: true }).waitFor()
  })

  journey('A country that is opened before its mark has arrived keeps the mark', async ({ app, open }) => {
    const ada = await app.person()
    await logSome(app, ada, ['2024-05-01'])
    const mark = { code: 'DK', status: 'lived', note: 'Where it began' }
    await app.request('PUT', '/app/api/visited-countries', { cookie: await ada.session(), body: mark })
    const page = await open('/robots.txt', { as: ada })
    const marks = hold()
    await page.route('**/app/api/visited-countries', marks.handler)
    await page.goto('/countries')
    await marks.held
    await page.getByRole('button', { name: /^Denmark/ }).click()
    await twoFrames(page)
    await marks.release()
    const dialog = page.getByRole('dialog', { name: 'Denmark' })
    assert.equal(await dialog.getByLabel('Note').inputValue(), mark.note)
    assert.equal(await dialog.getByLabel('Lived').isChecked(), true)
  })

  journey('A new trip whose flights have not arrived yet gets their name', async ({ app, open }) => {
    const ada = await app.person()
    await logSome(app, ada, ['2024-05-01'])
    const flights = await app.request('GET', '/api/v1/flights', { key: await ada.key() })
    const page = await open('/robots.txt', { as: ada })
    const log = hold()
    await page.route('**/app/api/log?*', log.handler)
    const trips = page.waitForResponse('**/app/api/trips')
    await page.goto(`/trips?new=${flights.json.data[0].id}`)
    await Promise.all([trips, log.held])
    await twoFrames(page)
    await log.release()
    const dialog = page.getByRole('dialog', { name: 'New trip' })
    await dialog.getByText('1 flight will be added.').waitFor()
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'New York, May 2024')
  })

  journey('A late response is discarded after signing out', async ({ app, open }) => {
    const ada = await app.person()
    await logSome(app, ada, ['2024-05-01'])
    const page = await open('/flights', { as: ada, device: 'phone', serviceWorkers: 'allow' })
    await rowsOf(page).first().waitFor()
    await prepare(page)
    const trips = hold()
    await page.context().route('**/app/api/trips', trips.handler)
    await page.evaluate("void fetch('/app/api/trips').then(() => console.log('late'))")
    await trips.held
    // It arrives when everything is deleted and the page is about to be left.
    await page.route('**/sign-in/signed-out', async (route) => {
      const arrived = page.waitForEvent('console', (message) => message.text() === 'late')
      await trips.release()
      await arrived
      await route.continue()
    })
    await page.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Sign out' }).tap()
    await page.getByRole('heading', { name: /^(Sign in|Welcome to Contrail)$/ }).waitFor()
    const kept = "caches.keys().then((names) => names.filter((name) => name.includes('data')))"
    assert.deepEqual(await page.evaluate(kept), [])
  })

  journey('While the log is on its way, the map has its totals and the line loads nothing', async (given) => {
    const { app, open } = given
    const ada = await app.person()
    await logSome(app, ada, ['2024-05-01', '2024-05-02'])
    const page = await open('/robots.txt', { as: ada })
    await page.clock.install()
    const log = hold()
    await page.route('**/app/api/log?*', log.handler)
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto('/')
    await log.held
    await totalsOf(page).getByText('2', { exact: true }).first().waitFor()
    await page.clock.runFor(COPY_AFTER_MS - 500)
    assert.ok(!loaded.includes('/app/api/line-data'))
    await log.release()
    await page.getByRole('button', { name: 'Time', exact: true }).waitFor()
    assert.match(await totalsOf(page).innerText(), /Flights\s+2/i)
    const line = page.waitForRequest('**/app/api/line-data')
    await page.clock.runFor(10_000)
    await line
  })

  journey('After a log that came late, the app is not called offline', async ({ app, open }) => {
    const ada = await app.person()
    await logSome(app, ada, ['2024-05-01'])
    const page = await open('/robots.txt', { as: ada })
    await page.clock.install()
    const log = hold()
    await page.route('**/app/api/log?*', log.handler)
    await page.goto('/flights')
    await log.held
    const note = page.getByText(/^You are offline/)
    await until('the delay is shown', async () => {
      await page.clock.runFor(100)
      return note.isVisible()
    })
    await log.release()
    await rowsOf(page).first().waitFor()
    assert.equal(await note.count(), 0)
  })

  journey('A log that is still being received is not reported as missing', async ({ app, open }) => {
    const ada = await app.person()
    await logSome(
      app,
      ada,
      Array.from({ length: 28 }, (_, i) => `2023-02-${String(i + 1).padStart(2, '0')}`),
    )
    const page = await open('/robots.txt', { as: ada })
    const network = await page.context().newCDPSession(page)
    const slow = { offline: false, latency: 0, downloadThroughput: 400, uploadThroughput: -1 }
    await page.route('**/app/api/log?*', async (route) => {
      await network.send('Network.emulateNetworkConditions', slow)
      await route.continue()
    })
    // It may begin before the page has loaded everything else.
    const begun = page.waitForResponse((response) => response.url().includes('/app/api/log?'))
    await page.goto('/flights')
    assert.equal((await begun).status(), 200)
    await page.waitForTimeout(COPY_AFTER_MS + 1000)
    assert.equal(await page.getByText('Could not load this page').count(), 0)
    assert.equal(await rowsOf(page).count(), 0, 'it is still being received')
    await network.send('Network.emulateNetworkConditions', { ...slow, downloadThroughput: -1 })
    await rowsOf(page).first().waitFor()
  })
})

/** A search is cancelled when something else is typed. */
async function searchLate(page: Page): Promise<void> {
  const isForCph = (request: Request) => new URL(request.url()).searchParams.get('query') === 'CPH'
  const search = hold(isForCph)
  await page.route('**/app/api/airports?*', search.handler)
  const from = page.getByRole('combobox', { name: 'From', exact: true })
  await from.fill('CPH')
  await search.held
  await page.evaluate(searchLater)
  const givenUp = page.waitForEvent('requestfailed', isForCph)
  await from.fill('OSL')
  await givenUp
  await search.release()
  await from.press('Enter')
  await until('an airport is chosen', async () => (await from.inputValue()) !== 'OSL')
  assert.match(await from.inputValue(), /Oslo/)
}

/** The list of marked countries is pending while one is marked: it is given up and requested again. */
async function markMeanwhile(page: Page): Promise<void> {
  const norway = page.getByRole('button', { name: /^Norway/ })
  const search = page.getByRole('searchbox', { name: 'Search countries' })
  await search.fill('norw')
  await norway.waitFor()
  const list = hold((request) => request.method() === 'GET')
  await page.route('**/app/api/visited-countries', list.handler)
  await page.getByRole('link', { name: 'Flights', exact: true }).first().click()
  await heading(page, 'Flights').waitFor()
  await page.goBack()
  await list.held
  await search.fill('norw')
  await norway.click()
  const isList = (request: Request) =>
    request.method() === 'GET' && request.url().endsWith('/app/api/visited-countries')
  const givenUp = page.waitForEvent('requestfailed', isList)
  const again = page.waitForResponse((response) => isList(response.request()))
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await givenUp
  await list.release()
  await again
  await page.getByRole('button', { name: /^Norway Visited, marked by you/ }).waitFor()
}

/** More of 60 changes are requested; meanwhile there is another one, and the list is loaded again. */
async function showMoreLate(page: Page, changeMore: () => Promise<void>): Promise<void> {
  const rows = page.getByRole('list', { name: 'Recent changes' }).locator(':scope > li')
  await rows.nth(49).waitFor()
  const next = hold((request) => new URL(request.url()).searchParams.has('cursor'))
  await page.route('**/app/api/history?*', next.handler)
  await page.getByRole('button', { name: 'Show more' }).click()
  await next.held
  await changeMore()
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await rows.nth(60).waitFor()
  await next.release()
  assert.equal(await rows.count(), 61)
}

/** A log without a flight is pending while the flight is restored. */
async function restoreMeanwhile(page: Page): Promise<void> {
  await rowsOf(page).nth(2).waitFor()
  await page.evaluate(keepMessages)
  await page.evaluate(noteRows)
  const log = hold()
  await page.route('**/app/api/log?*', log.handler)
  await rowsOf(page).first().focus()
  await page.keyboard.press('Delete')
  await log.held
  const restored = page.waitForResponse((response) => response.url().endsWith('/flight-restorations'))
  await page.getByRole('button', { name: 'Undo' }).click()
  await (await restored).finished()
  await log.release()
  await rowsOf(page).nth(2).waitFor()
  assert.deepEqual(await page.evaluate('counts'), [3, 2, 3])
}

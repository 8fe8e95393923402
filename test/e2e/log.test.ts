// Everyday use of a log: ten thousand flights, a session that expires while editing, no network.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { insertFlights } from '../../bench/data.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp } from '../harness.ts'
import { until } from '../until.ts'
import { heading, journeys, pick, twoFrames, underControl } from './browser.ts'
import { follow } from './screens.ts'
import { endSessionWith } from './signing-in.ts'

journeys('a log', 'sqlite', ({ journey }) => {
  journey('A session that ends during an edit loses nothing', async ({ app, open }) => {
    const password = 'correct horse battery'
    await setUp(app, password)
    const page = await open('/sign-in?next=/flights/new')
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('Password').press('Enter')
    await heading(page, 'Add flight').waitFor()
    await pick(page, 'From', 'CPH', 'CPH')
    await pick(page, 'To', 'OSL', 'OSL')
    await page.getByLabel('Date', { exact: true }).fill('2024-05-01')
    await page.getByLabel('Note').fill('Kept, whatever happens')
    await endSessionWith(app, page, 'POST', '**/app/api/flights')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByRole('dialog', { name: 'Please sign in again' }).waitFor()
    await page.getByLabel(/^Password for/).fill('wrong one')
    await page.getByLabel(/^Password for/).press('Enter')
    await page.getByText('The password is incorrect.').waitFor()

    // The page may even be reloaded in between: the flight is sent after the next sign-in.
    await page.reload()
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('Password').press('Enter')
    const sent = page.getByText('was sent to the server.')
    await sent.waitFor()
    await heading(page, 'Add flight').waitFor()
    await pick(page, 'From', 'OSL', 'OSL')
    await pick(page, 'To', 'ARN', 'ARN')
    await page.getByLabel('Date', { exact: true }).fill('2024-05-02')
    await sent.waitFor({ state: 'detached' })
    await endSessionWith(app, page, 'POST', '**/app/api/flights')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByLabel(/^Password for/).fill(password)
    await page.getByLabel(/^Password for/).press('Enter')
    await page.waitForURL((url) => url.pathname === '/')
    await follow(page, '/flights')
    await page.getByRole('row').filter({ hasText: 'ARN' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'CPH' }).click()
    await page.getByText('Kept, whatever happens').waitFor()
  })

  journey('Visited pages are readable offline until signing out', async ({ app, open }) => {
    const ada = await app.person()
    const [fromId, toId] = await Promise.all([app.airportId('LHR'), app.airportId('SIN')])
    await logFlight(app, ada, { date: '2023-08-01', fromId, toId })
    const page = await open('/flights', { as: ada, device: 'phone', serviceWorkers: 'allow' })
    await page.getByRole('row').filter({ hasText: 'LHR' }).waitFor()
    await page.evaluate(underControl)
    await page.reload()
    await page.getByRole('row').filter({ hasText: 'LHR' }).waitFor()
    await page.context().setOffline(true)
    await page.reload()
    await page.getByRole('row').filter({ hasText: 'LHR' }).waitFor()
    await page.getByText('You are offline. Showing the last loaded data.').waitFor()
    await page.context().setOffline(false)
    await page.reload()
    await page.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Sign out' }).tap()
    await page.getByRole('heading', { name: /^(Sign in|Welcome to Contrail)$/ }).waitFor()
    assert.deepEqual(
      await page.evaluate("caches.keys().then((names) => names.filter((name) => name.includes('data')))"),
      [],
    )
  })
})

journeys('ten thousand flights', 'sqlite', ({ journey }) => {
  journey('Ten thousand flights can be scrolled, filtered and shown on the map', async ({ app, open }) => {
    const ada = await app.person()
    await insertFlights(app.store, 10_000, ada.id)
    const page = await open('/flights', { as: ada })
    const rows = page.getByRole('row')
    await page.getByText('10,000 flights').waitFor()

    await scrollTo(page, rows.filter({ hasText: /19[67]\d/ }).first())
    // The list may still be scrolling, and a row that leaves the window loses its focus: one near the end stays.
    await scrollTo(page, page.locator('[data-index="9990"]'))
    await page.locator('[data-index="9990"]').focus()
    await page.keyboard.press('End')
    await page.locator('[data-index="9999"]:focus').waitFor()
    assert.ok((await rows.count()) < 100, 'only the rows near the window exist')

    await page.getByRole('button', { name: 'Filter' }).click()
    const panel = page.getByRole('dialog')
    await panel.waitFor()
    await panel.getByLabel('From date', { exact: true }).fill('2020-01-01')
    await panel.getByLabel('To date', { exact: true }).fill('2020-12-31')
    await panel.getByLabel('To date', { exact: true }).blur()
    await panel.getByRole('button', { name: /^Show \d+ flights$/ }).click()
    await panel.waitFor({ state: 'hidden' })
    await rows
      .filter({ hasText: /\b2020\b/ })
      .first()
      .waitFor()
    assert.equal(await rows.filter({ hasText: /\b(2019|2021)\b/ }).count(), 0)

    // The map shows the same flights.
    const shown = Number((await page.getByText(/of 10,000 flights/).textContent())!.match(/^\d+/)![0])
    await page.getByRole('link', { name: 'Map', exact: true }).click()
    await page.getByText(`${shown} flights between`, { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByText('10,000 flights between', { exact: false }).waitFor()
    await page.getByRole('radio', { name: 'Flat' }).check()
  })
})

/** Turns the mouse wheel until the element is visible. Chromium may drop wheel events while it is busy. */
async function scrollTo(page: Page, sought: Locator): Promise<void> {
  await page.mouse.move(300, 500)
  await until(`${sought} is in sight`, async () => {
    await page.mouse.wheel(0, 200_000)
    // Content that the wheel scrolls into view is drawn with the next frames.
    await twoFrames(page)
    return sought.isVisible()
  })
}

async function setUp(app: TestApp, password: string): Promise<void> {
  const reply = await app.request('POST', '/app/api/setup', {
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { username: 'ada', displayName: 'Ada Lovelace', password },
  })
  assert.equal(reply.status, 204, reply.text)
}

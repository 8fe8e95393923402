// Failures in the browser itself: a screen that cannot be drawn, and parts of the app that cannot be loaded. The person
// sees what failed, and how to continue.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, keepMessages, requireAccessible } from './browser.ts'

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const notLoaded = (page: Page) => page.getByText('This part of the app could not be loaded.')

async function logOne(app: TestApp, person: TestPerson): Promise<void> {
  const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('JFK')])
  await logFlight(app, person, { date: '2024-05-01', fromId, toId, flightNumber: 'SK 909' })
}

const folder = join(import.meta.dirname, '../../web/dist/assets')
/** Scripts of the build. */
function files(isWanted: (name: string) => boolean): string[] {
  const found = readdirSync(folder).filter((name) => name.endsWith('.js') && isWanted(name))
  assert.ok(found.length > 0, 'the build has such a file')
  return found
}
const filesNamed = (start: string) => files((name) => name.startsWith(start))
const filesWith = (text: string) => files((name) => readFileSync(join(folder, name), 'utf8').includes(text))

/** These files cannot be loaded until the returned function is called. */
async function lose(page: Page, files: readonly string[]): Promise<() => Promise<void>> {
  const isLost = (url: URL) => files.some((file) => url.pathname.endsWith(file))
  await page.route(isLost, (route) => route.abort())
  return () => page.unroute(isLost)
}

/** A failure that no code handles is reported once. */
async function failUnseen(page: Page): Promise<void> {
  const fail = `dispatchEvent(new PromiseRejectionEvent('unhandledrejection',
    { promise: Promise.resolve(), reason: new Error('the moon is full') }))`
  await page.evaluate(fail)
  await page.evaluate(fail)
  await page.getByText('Something went wrong: the moon is full').waitFor()
  assert.equal(await page.getByText('the moon is full').count(), 1)
}

journeys('failures in the browser', 'sqlite', ({ journey }) => {
  journey('A failed screen or part shows an error, and the others keep working', async ({ app, open }) => {
    const ada = await app.person()
    await logOne(app, ada)
    const page = await open('/flights', { as: ada })
    await row(page, 'SK 909').waitFor()
    await page.route('**/app/api/trips', (route) => route.fulfill({ json: { data: [null] } }))
    await page.getByRole('link', { name: 'Trips', exact: true }).first().click()
    await heading(page, 'Something went wrong on this screen').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy details' }).click()
    await page.getByText('Details copied.').waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.match(copied, /^Contrail .*, \/trips\n.*TypeError/s)
    await page.getByRole('link', { name: 'Go to the map' }).click()
    await page.getByRole('application').or(page.locator('canvas')).first().waitFor()
    await page.getByRole('link', { name: 'Flights', exact: true }).first().click()
    await row(page, 'SK 909').waitFor()
    await failUnseen(page)
    await page.evaluate(keepMessages)
    await requireRetries(page)
  })

  journey('Without its texts the app shows that it could not start', async ({ app, open }) => {
    const page = await open('/sign-in')
    const [name, value] = (await (await app.person()).session()).split('=') as [string, string]
    await page.context().addCookies([{ name, value, url: app.url }])
    const give = await lose(page, filesWith('Skip to content'))
    await page.goto('/flights')
    await page.getByText('Could not load this page').waitFor()
    // Not among the screens, because it exists only while the app cannot start.
    await requireAccessible(page, 'a start without texts')
    await give()
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading(page, 'Flights').waitFor()
  })
})

/** Parts that cannot be loaded are reported, and loaded on a retry. */
async function requireRetries(page: Page): Promise<void> {
  const retry = page.locator('.toast').getByRole('button', { name: 'Try again' })

  const giveTime = await lose(page, filesNamed('time-'))
  await page.getByRole('link', { name: 'Map', exact: true }).first().click()
  await page.getByRole('button', { name: 'Time', exact: true }).click()
  await notLoaded(page).waitFor()
  await giveTime()
  await retry.click()
  await page.getByRole('button', { name: 'Export' }).waitFor()

  await page.getByRole('link', { name: 'Statistics', exact: true }).first().click()
  // The map has such a filter, too, and stays until the next screen is loaded.
  await heading(page, 'Statistics').waitFor()
  const givePanel = await lose(page, filesNamed('FilterPanel-'))
  await page.getByRole('button', { name: /^Filter/ }).click()
  await notLoaded(page).waitFor()
  await givePanel()
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('dialog').waitFor()
}

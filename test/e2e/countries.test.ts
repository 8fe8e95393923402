// Countries are computed from flights; a person's marks are added and can be removed.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { journeys } from './browser.ts'
import { follow } from './screens.ts'

/** Denmark to Japan and back, both via Germany. */
async function fly(app: TestApp, ada: TestPerson): Promise<void> {
  const [cph, fra, nrt] = await airportIds(app, 'CPH', 'FRA', 'NRT')
  for (const [fromId, toId, departure, arrival] of [
    [cph, fra, '2025-05-01T08:00Z', '2025-05-01T09:30Z'],
    [fra, nrt, '2025-05-01T12:00Z', '2025-05-02T00:00Z'],
    [nrt, fra, '2025-05-20T02:00Z', '2025-05-20T15:00Z'],
    [fra, cph, '2025-05-20T17:00Z', '2025-05-20T18:30Z'],
  ] as const)
    await logFlight(app, ada, { date: departure.slice(0, 10), fromId, toId, departure, arrival })
}

const country = (page: Page, name: RegExp) => page.getByRole('button', { name })
const total = (page: Page, count: number) =>
  page.locator('.total .big').getByText(String(count), { exact: true })

journeys('countries', 'sqlite', ({ journey }) => {
  journey('Countries are computed from flights, and marks are added', async ({ app, open }) => {
    const ada = await app.person()
    await fly(app, ada)
    const page = await open('/stats', { as: ada })
    await page.getByRole('button', { name: /^Countries: 3\. Explain/ }).waitFor()
    await follow(page, '/')
    await page.locator('.counters div', { hasText: /^\s*Countries\s*3\s*$/i }).waitFor()
    // This page tells which of those it counts.
    await follow(page, '/countries')
    await total(page, 2).waitFor()
    await page
      .getByText(
        'The map and statistics count 3 countries from your flights; in 1 of them you only changed planes.',
      )
      .waitFor()
    await country(page, /^Denmark Visited 2 flights$/).waitFor()

    await country(page, /^Germany Transit 4 flights$/).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('From your flights: Transit').isChecked(), true)
    await dialog.getByLabel('Lived').check()
    await dialog.getByLabel('Note').fill('A year in Mainz')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await country(page, /^Germany Lived, marked by you A year in Mainz 4 flights$/).waitFor()
    await total(page, 3).waitFor()

    await page.getByRole('searchbox', { name: 'Search countries' }).fill('norw')
    await country(page, /^Norway/).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    // It closes when it is saved; until then the field behind it ignores keys.
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Search countries' }).fill('')
    await total(page, 4).waitFor()
    await page
      .getByText('The map and statistics count 3 countries from your flights; you marked 1 more yourself.')
      .waitFor()
    await page.getByRole('radio', { name: 'Marked by you' }).check()
    await country(page, /^Denmark/).waitFor({ state: 'detached' })
    assert.equal(await country(page, /marked by you/).count(), 2)

    await country(page, /^Germany/).click()
    await dialog.getByLabel('From your flights: Transit').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('radio', { name: 'Yours' }).check()
    await country(page, /^Germany Transit 4 flights$/).waitFor()
    await total(page, 3).waitFor()
    // The new mark and the flights are there after a reload too.
    await page.reload()
    await total(page, 3).waitFor()
  })

  journey(
    'Countries are shown without the marks, and those of other people without theirs',
    async ({ app, open }) => {
      const ada = await app.person('role-administrator')
      const bo = await app.person()
      await fly(app, bo)
      const cookie = await ada.session()
      await app.request('PUT', '/app/api/visited-countries', {
        cookie,
        body: { code: 'NO', status: 'visited' },
      })
      const page = await open(`/countries?people=${bo.id}`, { as: ada })
      await total(page, 2).waitFor()
      await page.getByText('Your marks are private').waitFor()
      await country(page, /^Japan/).click()
      await page.waitForURL(`**/flights?people=${bo.id}&country=JP`)

      const offline = await open('/robots.txt', { as: bo })
      await offline.route('**/app/api/visited-countries', (route) => route.abort('internetdisconnected'))
      await offline.goto('/countries')
      await total(offline, 2).waitFor()
      await offline.getByText('Your marks could not be loaded.').waitFor()
      await offline.unroute('**/app/api/visited-countries')
      await offline.getByRole('button', { name: 'Try again' }).click()
      await offline.getByText('Your marks could not be loaded.').waitFor({ state: 'detached' })
    },
  )
})

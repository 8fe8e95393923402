// The explanation of a statistics figure, and two people side by side.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { focused, heading, journeys, overflowOf, resize } from './browser.ts'

/** Ada alone, then with Grace, then Grace alone; one flight is cancelled and one is planned. */
async function logTogether(app: TestApp, ada: TestPerson, grace: TestPerson): Promise<void> {
  const [cph, osl, jfk, lhr, sin] = await airportIds(app, 'CPH', 'OSL', 'JFK', 'LHR', 'SIN')
  const both = [{ userId: ada.id }, { userId: grace.id }]
  await logFlight(app, ada, { date: '2022-01-01', fromId: cph, toId: jfk })
  await logFlight(app, ada, { date: '2023-02-01', fromId: cph, toId: osl, passengers: both })
  await logFlight(app, ada, { date: '2024-03-01', fromId: osl, toId: cph, passengers: both })
  await logFlight(app, ada, { date: '2024-04-01', fromId: cph, toId: lhr, outcome: 'cancelled' })
  await logFlight(app, ada, { date: '2099-01-01', fromId: cph, toId: lhr })
  await logFlight(app, grace, { date: '2021-01-01', fromId: cph, toId: sin })
}

const panel = (page: Page) => page.getByRole('dialog')
const rowsIn = async (page: Page) => {
  const rows = panel(page).locator('ol li')
  // The panel is loaded when it is opened.
  await rows.first().waitFor()
  return (await rows.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim())
}

journeys('insights', 'sqlite', ({ journey }) => {
  journey('A figure explains its calculation and opens its flights', async ({ app, open }) => {
    const [ada, grace] = [await app.person(), await app.person()]
    await logTogether(app, ada, grace)
    const page = await open('/stats', { as: ada })
    const flights = page.getByRole('button', { name: 'Flights: 3. Explain this number' })
    await flights.focus()
    await page.keyboard.press('Enter')
    await panel(page).getByText('Not included: 1 upcoming flight').waitFor()
    await panel(page).getByText('Not included: 1 cancelled flight').waitFor()
    assert.deepEqual(await rowsIn(page), ['2024 1', '2023 1', '2022 1'])
    await panel(page).getByLabel('Group by').selectOption('person')
    assert.deepEqual(await rowsIn(page), [`${grace.displayName} 2`, 'No one else 1'])
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await focused(flights)

    await resize(page, { width: 320, height: 640 })
    await page.getByRole('button', { name: /^Distance.*Explain this number$/ }).click()
    await panel(page).getByLabel('Group by').selectOption('route')
    const row = panel(page).locator('ol li').filter({ hasText: 'New York' })
    const value = await row.locator('.value').boundingBox()
    assert.ok(value && value.x + value.width <= 320, `the value ends at ${value && value.x + value.width}`)
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: /^Airports: 3\./ }).click()
    assert.deepEqual(await rowsIn(page), ['CPH Copenhagen 3', 'OSL Oslo 2', 'JFK New York 1'])
    await panel(page).getByRole('link', { name: /^OSL/ }).click()
    await heading(page, 'Flights').waitFor()
    await page.getByText('2 of 4 flights').waitFor()
  })

  journey('Two people are compared side by side, within the caller’s rights', async ({ app, open }) => {
    const [ada, grace] = [await app.person('role-administrator'), await app.person()]
    await logTogether(app, ada, grace)
    const page = await open('/stats', { as: ada, locale: 'de-DE' })
    await page.getByRole('link', { name: 'Vergleichen' }).click()
    await heading(page, 'Zwei Personen vergleichen').waitFor()
    await page.getByRole('button', { name: 'Zweite Person' }).click()
    await page.getByRole('menuitemradio', { name: grace.displayName }).click()
    await page.getByText('2 Flüge').waitFor()
    await page.getByText('1. Feb. 2023 bis 1. März 2024').waitFor()
    const countries = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Länder', exact: true }) })
    assert.match(
      (await countries.innerText()).replace(/\s+/g, ' '),
      /Nur .* 1 Vereinigte Staaten Nur .* 1 Singapur/,
    )
    await resize(page, { width: 320, height: 640 })
    assert.deepEqual(await overflowOf(page), [])

    const other = await open('/stats/compare', { as: grace })
    await other.getByText('2 flights', { exact: true }).waitFor()
    await other.getByText(/^Only your flights together are shown/).waitFor()
    assert.equal(await other.getByRole('table').count(), 0)
    const alone = await open('/stats/compare', { as: await app.person() })
    await alone.getByText('No one to compare with').waitFor()
  })
})

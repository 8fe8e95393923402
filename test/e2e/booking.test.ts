// The outcome of a flight and its booking, from the form to the list and the flight's page; journeys and home. The
// narrowest window is in flight-page.test.ts.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, pick } from './browser.ts'
import { follow } from './screens.ts'

async function fly(app: TestApp, who: TestPerson, route: string, times: [string, string], more = {}) {
  const [fromId, toId] = await Promise.all(route.split(' ').map((code) => app.airportId(code)))
  const [departure, arrival] = times
  const flight = { date: departure.slice(0, 10), fromId, toId, departure, arrival, ...more }
  return (await logFlight(app, who, flight)).id as number
}

/** The heading of a part of a page. */
const part = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name, exact: true })

journeys('bookings', 'sqlite', ({ journey }) => {
  journey('A diverted flight keeps its booking, then is cancelled and found by it', async ({ app, open }) => {
    const ada = await app.person()
    const id = await fly(app, ada, 'CPH HAM', ['2026-03-01T08:00:00+01:00', '2026-03-01T09:00:00+01:00'])
    const page = await open(`/flights/${id}/edit`, { as: ada, device: 'phone' })
    await heading(page, 'Edit flight').waitFor()
    const section = page.getByText('Booking and outcome')
    // The heading appears before the form.
    await section.waitFor()
    assert.equal(await page.getByLabel('Booking reference').isVisible(), false, 'folded until it is used')
    await section.click()
    await page.getByText('Diverted', { exact: true }).click()
    await pick(page, 'Planned destination', 'MUC', 'MUC')
    await page.getByLabel('Booking reference').fill('QX7PLM')
    await page.getByLabel('Operating flight number').fill('LH 2417')
    await pick(page, 'Operated by', 'CLH', 'Lufthansa')
    await page.getByLabel('Price').fill('1 234,50')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('Choose a currency.').waitFor()
    await page.getByLabel('Currency').selectOption('DKK')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await heading(page, /CPH to HAM/).waitFor()
    await page.getByText('Diverted, planned to MUC', { exact: true }).waitFor()
    await page.getByText('MUC · Munich').waitFor()
    await page.getByText('DKK 1,234.50').waitFor()
    const key = await ada.key()
    const stored = (await app.request('GET', `/api/v1/flights/${id}`, { key })).json.data
    assert.deepEqual(
      [stored.outcome, stored.plannedTo.iata, stored.bookingReference, stored.operatingFlightNumber],
      ['diverted', 'MUC', 'QX7PLM', 'LH 2417'],
    )
    assert.deepEqual(
      [stored.operatingAirline.icao, stored.price],
      ['CLH', { amount: '1234.50', currency: 'DKK' }],
    )

    await follow(page, `/flights/${id}/edit`)
    assert.equal(await page.getByLabel('Booking reference').inputValue(), 'QX7PLM', 'open where it is used')
    await page.getByText('Cancelled', { exact: true }).click()
    assert.equal(await page.getByLabel('Planned destination').count(), 0)
    await page.getByRole('button', { name: 'Save flight' }).click()
    await heading(page, /CPH to HAM/).waitFor()
    const cancelled = (await app.request('GET', `/api/v1/flights/${id}`, { key })).json.data
    assert.deepEqual([cancelled.outcome, cancelled.plannedTo], ['cancelled', null])
    await follow(page, '/flights?q=qx7plm')
    await page.getByRole('row').filter({ hasText: 'Cancelled' }).waitFor()
    await page.getByText('0 of 0 flights').waitFor()
    await follow(page, '/stats')
    await page.getByText('No completed flights match these filters').waitFor()
  })

  journey(
    'A journey is shown in the list and on the flight’s page, and ends at home',
    async ({ app, open }) => {
      const ada = await app.person()
      const first = await fly(app, ada, 'CPH FRA', ['2026-03-01T08:00:00+01:00', '2026-03-01T09:30:00+01:00'])
      await fly(app, ada, 'FRA JFK', ['2026-03-01T12:00:00+01:00', '2026-03-01T14:00:00-05:00'])
      const page = await open('/flights', { as: ada })
      await page.getByText('Layover: 2 h 30 min in Frankfurt').waitFor({ state: 'attached' })
      await follow(page, `/flights/${first}`)
      await part(page, 'Copenhagen to New York').waitFor()
      await page.getByText('12 h, with 2 h 30 min in Frankfurt').waitFor()
      await page.getByRole('link', { name: 'FRA → JFK', exact: true }).click()
      await heading(page, /FRA to JFK/).waitFor()

      await follow(page, '/settings/preferences')
      const saved = page.waitForResponse((response) => response.url().endsWith('/preferences'))
      await page.getByRole('combobox', { name: 'Home airport' }).fill('FRA')
      await page.getByRole('option').filter({ hasText: 'FRA' }).first().click()
      await saved
      const home = (await app.request('GET', '/api/v1/preferences', { key: await ada.key() })).json.data
      assert.equal(home.homeAirportId, await app.airportId('FRA'))
      await follow(page, '/flights')
      await page.getByRole('row').filter({ hasText: 'JFK' }).waitFor()
      assert.equal(await page.getByText('Layover: 2 h 30 min in Frankfurt').count(), 0)
    },
  )
})

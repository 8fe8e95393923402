// A share in a real browser: each section shows what the server sends for it, and the preview shows the same.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { journeys, requireAccessible } from './browser.ts'

const off = {
  showMap: false,
  showFlightNumbers: false,
  showAirlines: false,
  showDates: false,
}

async function createLogger(app: TestApp): Promise<TestPerson> {
  const ada = await app.person()
  const ids = await Promise.all(['ZRH', 'GRU', 'CPH'].map((code) => app.airportId(code)))
  const [zrh, gru, cph] = ids as [number, number, number]
  const passengers = [{ userId: ada.id, seat: 'window', seatNumber: '47K', seatClass: 'business' }]
  const there = { date: '2024-02-03', fromId: zrh, toId: gru, flightNumber: 'LX92', passengers }
  await logFlight(app, ada, there)
  await logFlight(app, ada, { ...there, date: '2024-02-20', fromId: gru, toId: zrh, flightNumber: 'LX93' })
  await logFlight(app, ada, { date: '2024-03-01', fromId: cph, toId: zrh, flightNumber: 'LX1273' })
  return ada
}

journeys('shares', 'sqlite', ({ journey, onEachDevice }) => {
  journey('map, statistics and list each draw by themselves, and together', async ({ app, open }) => {
    const ada = await createLogger(app)
    const key = await ada.key()
    const show = async (slug: string, settings: object): Promise<Page> => {
      const reply = await app.request('POST', '/api/v1/shares', { key, body: { ...off, slug, ...settings } })
      assert.equal(reply.status, 201, reply.text)
      const page = await open(`/share/${slug}`)
      await page.getByRole('heading', { level: 1, name: new RegExp(ada.displayName) }).waitFor()
      return page
    }
    const count = (page: Page, name: string) =>
      page.locator('dl').first().locator('div', { hasText: name }).locator('dd').innerText()

    const map = await show('map-only', { showMap: true })
    await map.getByRole('application').waitFor()
    assert.deepEqual([await count(map, 'Flights'), await count(map, 'Airports')], ['3', '3'])
    await map.getByRole('application').press('Enter')
    await map.getByText('ZRH Zürich').or(map.getByText('ZRH Zurich')).first().waitFor()
    await map.getByText('3 flights').first().waitFor()
    assert.equal(await map.getByRole('heading', { name: 'Flights', exact: true }).count(), 0)
    await requireAccessible(map, 'a share with a map')

    const stats = await show('stats-only', { showStats: true })
    await stats.getByRole('heading', { name: 'Carbon footprint' }).waitFor()
    const named = stats.getByText('GRU – ZRH').or(stats.getByText('ZRH – GRU'))
    assert.equal(await named.count(), 0, 'no route that was flown once or twice')
    assert.equal(await stats.getByRole('heading', { name: 'Records' }).count(), 0)
    assert.equal(await stats.getByRole('application').count(), 0)
    assert.equal(await stats.getByText('2024').count(), 0, 'no year without dates')
    assert.equal(await stats.getByText(' → ').count(), 0, 'no direction without the list')
    await requireAccessible(stats, 'a share with statistics')

    const list = await show('list-only', { showFlightList: true, showSeat: true })
    await list.getByText('ZRH → GRU').waitFor()
    await list.getByText('47K').first().waitFor()
    assert.equal(await list.getByText('LX92').count(), 0)
    assert.deepEqual([await count(list, 'Flights'), await count(list, 'Countries')], ['3', '3'])
    const german = await open('/share/list-only', { locale: 'de-DE' })
    await german.getByText('Kopenhagen – Zürich').waitFor()

    const [cph, zrh] = await airportIds(app, 'CPH', 'ZRH')
    for (const date of ['2024-04-01', '2024-05-01'])
      await logFlight(app, ada, { date, fromId: cph, toId: zrh, flightNumber: 'LX1273' })
    const all = await show('all', {
      ...{ showMap: true, showStats: true, showFlightList: true, showFlightNumbers: true, showDates: true },
    })
    await all.getByText('LX92').waitFor()
    await all.getByRole('heading', { name: 'Records' }).waitFor()
    await all.getByRole('heading', { name: 'By year' }).or(all.getByText('2024').first()).first().waitFor()
    await all.getByRole('application').press('Enter')
    await all.getByRole('heading', { name: /^Flights: ZRH/ }).waitFor()

    const nothing = await show('nothing', {})
    await nothing.getByText('Nothing to show').waitFor()
  })

  onEachDevice('what a visitor can read is told before it is published', async ({ app, open }, device) => {
    const ada = await createLogger(app)
    const page = await open('/settings/shares', { as: ada, device })
    await page.getByRole('button', { name: 'New share' }).click()
    const panel = page.getByRole('region', { name: 'What visitors can see' })
    await panel.getByText('2 routes between 3 airports, with how often each was flown').waitFor()
    await panel.getByText(/^Not included:.*Flight numbers/).waitFor()
    assert.equal(await panel.getByText(/LX92/).count(), 0)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Flight list').check()
    await panel.getByText(/^3 flights, each with: Airports, Distance, Dates, Flight numbers/).waitFor()
    await panel.getByText('Raw data').click()
    await panel.getByText(/"flightNumber": "LX92"/).waitFor()
    await requireAccessible(page, 'the preview of a share')
    await dialog.getByLabel('Flight numbers').uncheck()
    await panel.getByText(/^Not included:.*Flight numbers/).waitFor()
    assert.equal(await panel.getByText(/LX92/).count(), 0)
  })
})

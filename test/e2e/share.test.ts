// A share in a real browser: each section shows what the server sends for it, and the preview shows the same.
import assert from 'node:assert/strict'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys } from './browser.ts'

const off = {
  showMap: false,
  showFlightNumbers: false,
  showAirlines: false,
  showDates: false,
}

/** A person with three flights, and the first of them. */
async function createLogger(app: TestApp): Promise<{ ada: TestPerson; flightId: number }> {
  const ada = await app.person()
  const [zrh, gru, cph] = await airportIds(app, 'ZRH', 'GRU', 'CPH')
  const passengers = [{ userId: ada.id, seat: 'window', seatNumber: '47K', seatClass: 'business' }]
  const there = { date: '2024-02-03', fromId: zrh, toId: gru, flightNumber: 'LX92', passengers }
  const { id: flightId } = await logFlight(app, ada, there)
  await logFlight(app, ada, { ...there, date: '2024-02-20', fromId: gru, toId: zrh, flightNumber: 'LX93' })
  await logFlight(app, ada, { date: '2024-03-01', fromId: cph, toId: zrh, flightNumber: 'LX1273' })
  return { ada, flightId }
}

/** The addresses of a person's shares: one flight, one trip, and the figures alone. */
async function shareApart(app: TestApp, person: TestPerson, flightId: number) {
  const key = await person.key()
  const post = async (path: string, body: object) => {
    const { status, json, text } = await app.request('POST', `/api/v1${path}`, { key, body })
    assert.equal(status, 201, text)
    return json.data
  }
  const trip = await post('/trips', { name: 'Easter in Barcelona', flightIds: [flightId] })
  const share = async (body: object): Promise<string> => (await post('/shares', body)).slug
  return {
    flight: await share({ flightId, showFlightList: true }),
    trip: await share({ tripId: trip.id }),
    statistics: await share({ showMap: false, showStats: true }),
  }
}

journeys('shares', 'sqlite', ({ everyday, journey }) => {
  everyday('A published share shows visitors only the selected parts, until it is deleted', async (given) => {
    const { app, open } = given
    const ada = await app.person()
    const [fromId, toId] = await airportIds(app, 'ZRH', 'GRU')
    const note = 'Private thoughts'
    await logFlight(app, ada, { date: '2024-02-03', fromId, toId, flightNumber: 'LX92', note })
    const page = await open('/settings/shares', { as: ada })
    await page.getByRole('button', { name: 'New link' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Flight list').check()
    await dialog.getByText('More options').click()
    await dialog.getByLabel('Flight numbers').uncheck()
    await dialog.getByLabel('Custom address').fill('flown')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('The link is ready. Send it to anyone you like.').waitFor()
    assert.match(await dialog.getByRole('region', { name: 'Link' }).innerText(), /\/share\/flown$/)

    const visitor = await open('/share/flown', { device: 'phone' })
    await heading(visitor, new RegExp(ada.displayName)).waitFor()
    await visitor.getByText('ZRH').first().waitFor()
    assert.equal(await visitor.getByText('LX92').count(), 0, 'not ticked')
    assert.doesNotMatch(await visitor.content(), /Private thoughts/)

    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Delete All flights (flown)' }).click()
    await dialog.getByRole('button', { name: 'Delete link' }).click()
    await page.getByText('Link deleted').waitFor()
    await visitor.reload()
    await heading(visitor, 'Nothing is shared here').waitFor()
  })

  journey('Map, statistics and list of a share are drawn alone and together', async ({ app, open }) => {
    const { ada } = await createLogger(app)
    const key = await ada.key()
    const page = await open('/share/none')
    const show = async (slug: string, settings: object): Promise<void> => {
      const reply = await app.request('POST', '/api/v1/shares', { key, body: { ...off, slug, ...settings } })
      assert.equal(reply.status, 201, reply.text)
      await page.goto(`/share/${slug}`)
      await heading(page, new RegExp(ada.displayName)).waitFor()
    }
    const count = (name: string) =>
      page.locator('dl').first().locator('div', { hasText: name }).locator('dd').innerText()

    await show('map-only', { showMap: true })
    await page.getByRole('application').waitFor()
    assert.deepEqual([await count('Flights'), await count('Airports')], ['3', '3'])
    await page.getByRole('application').press('Enter')
    await page.getByText('ZRH Zürich').or(page.getByText('ZRH Zurich')).first().waitFor()
    await page.getByText('3 flights').first().waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Flights', exact: true }).count(), 0)

    await show('stats-only', { showStats: true })
    await page.getByRole('heading', { name: 'Carbon footprint' }).waitFor()
    const named = page.getByText('GRU – ZRH').or(page.getByText('ZRH – GRU'))
    assert.equal(await named.count(), 0, 'no route that was flown once or twice')
    assert.equal(await page.getByRole('heading', { name: 'Records' }).count(), 0)
    assert.equal(await page.getByRole('application').count(), 0)
    assert.equal(await page.getByText('2024').count(), 0, 'no year without dates')
    assert.equal(await page.getByText(' → ').count(), 0, 'no direction without the list')

    await show('list-only', { showFlightList: true, showSeat: true })
    await page.getByText('ZRH → GRU').waitFor()
    await page.getByText('47K').first().waitFor()
    assert.equal(await page.getByText('LX92').count(), 0)
    assert.deepEqual([await count('Flights'), await count('Countries')], ['3', '3'])
    const german = await open('/share/list-only', { locale: 'de-DE' })
    await german.getByText('Kopenhagen – Zürich').waitFor()

    const [cph, zrh] = await airportIds(app, 'CPH', 'ZRH')
    for (const date of ['2024-04-01', '2024-05-01'])
      await logFlight(app, ada, { date, fromId: cph, toId: zrh, flightNumber: 'LX1273' })
    const list = { showFlightList: true, showFlightNumbers: true, showDates: true }
    await show('all', { showMap: true, showStats: true, ...list })
    await page.getByText('LX92').waitFor()
    await page.getByRole('heading', { name: 'Records' }).waitFor()
    await page.getByRole('heading', { name: 'By year' }).or(page.getByText('2024').first()).first().waitFor()
    await page.getByRole('application').press('Enter')
    await page.getByRole('heading', { name: /^Flights: ZRH/ }).waitFor()

    await show('nothing', {})
    await page.getByText('Nothing to show').waitFor()
  })

  journey(
    'The dialog tells what visitors see before a share is published, and each share is listed by name',
    async (given) => {
      const { app, open } = given
      const { ada, flightId } = await createLogger(app)
      const made = await shareApart(app, ada, flightId)
      const page = await open('/settings/shares', { as: ada, device: 'phone' })
      // The subject is named first, the address second.
      for (const [title, address] of [
        ['Flight ZRH–GRU, ', made.flight],
        ['Easter in Barcelona', made.trip],
        ['Statistics', made.statistics],
      ] as const) {
        await page
          .getByRole('listitem')
          .filter({ has: page.locator('strong', { hasText: title }) })
          .filter({ has: page.getByText(`${address} · `) })
          .waitFor()
      }
      await page.getByRole('button', { name: 'New link' }).click()
      const panel = page.getByRole('region', { name: 'Visitors will see' })
      await panel.getByText('2 routes between 3 airports, with how often each was flown').waitFor()
      await panel.getByText(/^Not included:.*Flight numbers/).waitFor()
      assert.equal(await panel.getByText(/LX92/).count(), 0)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Flight list').check()
      await panel.getByText(/^3 flights, each with: Airports, Distance, Dates, Flight numbers/).waitFor()
      await panel.getByText('Raw data').click()
      await panel.getByText(/"flightNumber": "LX92"/).waitFor()
      await dialog.getByText('More options').click()
      await dialog.getByLabel('Flight numbers').uncheck()
      await panel.getByText(/^Not included:.*Flight numbers/).waitFor()
      assert.equal(await panel.getByText(/LX92/).count(), 0)

      await page.goto(`/share/${made.flight}`)
      const ends = (await page.locator('.ends').innerText()).replaceAll(/\s+/g, ' ')
      assert.match(ends, /^from ZRH Z.+ to GRU S/)
    },
  )
})

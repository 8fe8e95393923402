// Trips in a real browser: made from a selection or a suggestion, changed, shared by a link and deleted. And one flight,
// shared alone.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { chooseFromMore, heading, type Journey, journeys, keepMessages } from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { follow } from './screens.ts'
import { untilCached } from './waiting.ts'

interface Logged {
  ada: TestPerson
  ids: { out: number; on: number; back: number; other: number }
}

/** A journey to Newark via Oslo, the flight home, and an unrelated one. */
async function createLogger(app: TestApp): Promise<Logged> {
  const ada = await app.person()
  const codes = ['CPH', 'OSL', 'EWR', 'LHR'] as const
  const [cph, osl, ewr, lhr] = (await Promise.all(codes.map((code) => app.airportId(code)))) as [
    number,
    number,
    number,
    number,
  ]
  const log = async (flight: object): Promise<number> => (await logFlight(app, ada, flight)).id
  const ids = {
    out: await log({
      ...{ date: '2025-03-01', fromId: cph, toId: osl, flightNumber: 'SK1460', note: 'private words' },
      ...{ departure: '2025-03-01T08:15:00+01:00', arrival: '2025-03-01T09:25:00+01:00' },
      passengers: [{ userId: ada.id, seatNumber: '47K' }, { guestName: 'Grace Hopper' }],
    }),
    on: await log({
      ...{ date: '2025-03-01', fromId: osl, toId: ewr, flightNumber: 'SK907' },
      ...{ departure: '2025-03-01T11:00:00+01:00', arrival: '2025-03-01T13:20:00-05:00' },
    }),
    back: await log({ date: '2025-03-09', fromId: ewr, toId: cph, flightNumber: 'SK910' }),
    other: await log({ date: '2024-01-05', fromId: cph, toId: lhr, flightNumber: 'SK501' }),
  }
  return { ada, ids }
}

const rows = (page: Page) => page.getByRole('list', { name: 'Flights of the trip' }).getByRole('listitem')
async function requireRoutes(page: Page, ...routes: string[]): Promise<void> {
  await rows(page)
    .nth(routes.length - 1)
    .waitFor()
  await rows(page).nth(routes.length).waitFor({ state: 'detached' })
  for (const [i, route] of routes.entries()) await rows(page).nth(i).getByText(route).waitFor()
}
async function makeTrip(app: TestApp, who: TestPerson, body: object): Promise<{ id: number }> {
  const reply = await app.request('POST', '/api/v1/trips', { key: await who.key(), body })
  assert.equal(reply.status, 201, reply.text)
  return reply.json.data
}

journeys('trips', 'sqlite', ({ everyday, journey }) => {
  everyday(
    'A suggestion becomes a trip, and flights are removed, restored and added',
    async ({ app, open }) => {
      const { ada } = await createLogger(app)
      const page = await open('/trips', { as: ada, device: 'phone' })
      await page.getByRole('heading', { name: 'No trips yet' }).waitFor()
      const offers = page.getByRole('region', { name: 'Suggested trips' }).getByRole('link')
      await offers.first().waitFor()
      assert.deepEqual(
        (await offers.allInnerTexts()).map((text) => text.split('\n')),
        [['Newark, March 2025', 'CPH → OSL → EWR → CPH', '1 Mar 2025 – 9 Mar 2025']],
        'the eight nights in Newark, not the way there alone and not the flight to London',
      )
      await offers.first().click()
      await page.getByRole('dialog').getByText('3 flights will be added.').waitFor()
      assert.equal(await page.getByLabel('Name').inputValue(), 'Newark, March 2025')
      await page.getByLabel('Note (optional)').fill('Snow on the skyline')
      await page.getByRole('button', { name: 'Create trip' }).click()
      await heading(page, 'Newark, March 2025').waitFor()
      await requireRoutes(page, 'CPH → OSL', 'OSL → EWR', 'EWR → CPH')
      await page.getByText('9 days').waitFor()
      await page.getByText('Snow on the skyline').waitFor()
      await page.getByRole('application', { name: 'Map of the trip Newark, March 2025' }).waitFor()

      await page.evaluate(keepMessages)
      await page.getByRole('button', { name: 'Remove CPH → OSL from the trip' }).click()
      await requireRoutes(page, 'OSL → EWR', 'EWR → CPH')
      await page.getByRole('button', { name: 'Undo' }).click()
      await requireRoutes(page, 'CPH → OSL', 'OSL → EWR', 'EWR → CPH')

      await page.getByRole('button', { name: 'Remove EWR → CPH from the trip' }).click()
      await requireRoutes(page, 'CPH → OSL', 'OSL → EWR')
      await page.getByRole('button', { name: 'Add flights' }).click()
      const add = page.getByRole('dialog', { name: 'Add flights' })
      await add.getByRole('checkbox', { name: /^EWR → CPH/ }).waitFor()
      const first = await add.getByRole('checkbox').first().locator('xpath=..').innerText()
      assert.match(first, /EWR → CPH/, 'the nearest first')
      await add.getByLabel('Search flights').fill('london')
      await add.getByRole('checkbox', { name: /^EWR → CPH/ }).waitFor({ state: 'detached' })
      await add.getByLabel('Search flights').fill('sk910')
      await add.getByRole('checkbox', { name: /^EWR → CPH/ }).check()
      await add.getByRole('button', { name: 'Add 1 flight' }).click()
      await requireRoutes(page, 'CPH → OSL', 'OSL → EWR', 'EWR → CPH')
    },
  )

  journey('By keyboard a trip of selected flights is created, changed, shared and deleted', async (given) => {
    const { app, open } = given
    const { ada } = await createLogger(app)
    const page = await open('/flights', { as: ada })
    await selectAndMake(page)
    await page.getByRole('link', { name: 'All trips' }).press('Enter')
    await page.getByRole('link', { name: /Home again.*5 Jan 2024.*CPH → LHR.*1 flight/s }).waitFor()
    const address = await shareByKeyboard(page)
    const visitor = await open(new URL(address).pathname)
    await visitor.getByRole('heading', { name: 'Nothing is shared here' }).waitFor()
    await follow(page, '/flights')
    await page.getByText('4 flights').first().waitFor()
  })

  journey('A flight shows its trip and returns to it, and trips are readable offline', async (given) => {
    const { app, open } = given
    const { ada, ids } = await createLogger(app)
    const key = await ada.key()
    const trip = await makeTrip(app, ada, {
      name: 'Winter',
      note: 'Snow until May',
      flightIds: [ids.out, ids.back],
    })
    const page = await open(`/flights/${ids.out}`, { as: ada, device: 'phone', serviceWorkers: 'allow' })
    await page.getByRole('link', { name: 'Trip: Winter' }).click()
    await heading(page, 'Winter').waitFor()
    await requireRoutes(page, 'CPH → OSL', 'EWR → CPH')
    await app.request('DELETE', `/api/v1/flights/${ids.out}`, { key })
    await page.reload()
    await requireRoutes(page, 'EWR → CPH')
    await app.request('POST', `/api/v1/flights/${ids.out}/restore`, { key })
    await page.reload()
    await requireRoutes(page, 'CPH → OSL', 'EWR → CPH')

    // A flight of a journey brings all of it; flights of another trip move.
    await follow(page, `/flights/${ids.on}`)
    await chooseFromMore(page, 'Create a trip')
    const dialog = page.getByRole('dialog', { name: 'New trip' })
    await dialog
      .getByText('2 flights will be added. 1 of them is in another trip and will move to this one.')
      .waitFor()
    await dialog.getByLabel('Add to').selectOption({ label: 'Winter' })
    await dialog.getByText('2 flights will be added.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await heading(page, 'Winter').waitFor()
    await requireRoutes(page, 'CPH → OSL', 'OSL → EWR', 'EWR → CPH')
    await follow(page, `/trips/${trip.id + 1000}`)
    await heading(page, 'Page not found').waitFor()
    await readOffline(given, ada)
  })

  journey('Trips and flights are shared by links, with a preview of what visitors see', async (given) => {
    const { app, open } = given
    const { ada, ids } = await createLogger(app)
    const body = { name: 'Newark', note: 'hidden tale', flightIds: [ids.out, ids.on] }
    const trip = await makeTrip(app, ada, body)
    const page = await open(`/trips/${trip.id}`, { as: ada, device: 'phone' })
    const visitor = await open('/sign-in', { device: 'phone' })
    await shareTrip(page, visitor, ada)
    await page.keyboard.press('Escape')
    await follow(page, `/flights/${ids.out}`)
    await shareFlight(page, visitor, ada)

    // The public page of a flight with its times, and without them.
    const share = { slug: 'one', flightId: ids.on, showFlightList: true, showTimes: true }
    const key = await ada.key()
    await app.request('POST', '/api/v1/shares', { key, body: share })
    await visitor.goto('/share/one')
    await heading(visitor, `A flight of ${ada.displayName}`).waitFor()
    await visitor.getByText('11:00', { exact: true }).waitFor()
    await visitor.getByText('1 Mar 2025 · 8 h 20 min').waitFor()
    assert.equal(await visitor.getByText('CPH').count(), 0, 'nothing of the other flights')
    await app.request('DELETE', `/api/v1/flights/${ids.on}`, { key })
    await visitor.reload()
    await visitor.getByRole('heading', { name: 'Nothing is shared here' }).waitFor()
  })
})

/** A flight is selected in the list, and becomes the trip Home again. */
async function selectAndMake(page: Page): Promise<void> {
  await page.locator('[data-index]').first().waitFor()
  await page
    .getByRole('row', { name: /CPH.*LHR/ })
    .first()
    .focus()
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.getByRole('button', { name: 'Create a trip' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New trip' })
  await dialog.getByText('1 flight will be added.').waitFor()
  const name = dialog.getByLabel('Name')
  assert.equal(await name.inputValue(), 'London, January 2024')
  await name.fill('')
  await name.press('Enter')
  await dialog.getByText('This field is required.').waitFor()
  await name.fill('Home again')
  await dialog.getByRole('radio', { name: 'Blue' }).press('ArrowRight')
  await dialog.getByRole('radio', { name: 'Pink', checked: true }).waitFor()
  await name.press('Enter')
  await heading(page, 'Home again').waitFor()
  await requireRoutes(page, 'CPH → LHR')
}

/** Makes a suggested trip, renames it, removes a flight, shares it and deletes it; returns the address of the link. */
async function shareByKeyboard(page: Page): Promise<string> {
  const { tabTo, press, type } = keyboardOf(page)
  await page.getByRole('link', { name: /CPH → OSL → EWR → CPH/ }).waitFor()
  await tabTo(/^Newark, March 2025/)
  await press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo('Name')
  await press('Control+a')
  await type('Newark')
  await press('Enter')
  await heading(page, 'Newark').waitFor()
  await requireRoutes(page, 'CPH → OSL', 'OSL → EWR', 'EWR → CPH')
  await tabTo('Remove CPH → OSL from the trip')
  await press('Enter')
  await requireRoutes(page, 'OSL → EWR', 'EWR → CPH')
  await tabTo('Share')
  await press('Enter')
  await page.getByRole('dialog').getByText('OSL → EWR').first().waitFor()
  await tabTo('Create link')
  await press('Enter')
  await page.getByText('The link is ready. Send it to anyone you like.').waitFor()
  const address = await page.getByRole('dialog').getByRole('region', { name: 'Link' }).innerText()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await tabTo('More')
  await press('ArrowUp')
  await page.locator('[role=menuitem]:focus', { hasText: 'Delete trip' }).waitFor()
  await press('Enter')
  await page.getByRole('dialog', { name: 'Delete trip' }).waitFor()
  await tabTo('Delete trip')
  await press('Enter')
  await heading(page, 'Trips').waitFor()
  await page.getByRole('link', { name: /^Newark\s/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Newark, March 2025/ }).waitFor()
  return address
}

/** In a browser that has opened none of its trips. */
async function readOffline({ open }: Journey, ada: TestPerson): Promise<void> {
  const page = await open('/flights', { as: ada, serviceWorkers: 'allow' })
  await page.locator('[data-index]').first().waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await untilCached(page, '/app/api/trips')
  await page.context().setOffline(true)
  await page.goto('/trips')
  await page.getByRole('link', { name: /Winter/ }).click()
  await heading(page, 'Winter').waitFor()
  await page.reload()
  await requireRoutes(page, 'CPH → OSL', 'OSL → EWR', 'EWR → CPH')
  await page.getByText('Snow until May').waitFor()
  await chooseFromMore(page, 'Edit trip')
  const name = 'A name of sixty characters, to see that the page survives it'
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit trip' })
  await dialog.getByText('The server cannot be reached.').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), name, 'the typed text is kept')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await heading(page, name).waitFor()
  await page.reload()
  await heading(page, name).waitFor()
}

async function shareTrip(page: Page, visitor: Page, ada: TestPerson): Promise<void> {
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this trip' })
  const seen = dialog.getByRole('region', { name: 'Visitors will see' })
  await seen.getByText('1 Mar 2025 · CPH → OSL · SK1460').waitFor()
  await seen.getByText('Never included: other people, notes, bookings, prices and gates.').waitFor()
  await dialog.getByText('More options').click()
  await dialog.getByRole('switch', { name: 'Dates' }).uncheck()
  await seen.getByText('CPH → OSL · SK1460', { exact: true }).waitFor()
  await dialog.getByRole('switch', { name: 'Times' }).check()
  await seen.getByText('CPH → OSL · 08:15 – 09:25 · SK1460', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('The link is ready. Send it to anyone you like.').waitFor()
  const address = await dialog.getByRole('region', { name: 'Link' }).innerText()

  await visitor.goto(new URL(address).pathname)
  await heading(visitor, 'Newark').waitFor()
  await visitor.getByText(`A trip of ${ada.displayName}`).waitFor()
  const items = visitor.getByRole('listitem').filter({ hasText: ' → ' })
  await items.nth(1).waitFor()
  assert.match(await items.nth(0).innerText(), /CPH → OSL/)
  assert.match(await items.nth(1).innerText(), /OSL → EWR/)
  for (const hidden of ['2025', 'hidden tale', 'private words', '47K', 'Grace Hopper', 'SK910'])
    assert.equal(await visitor.getByText(hidden).count(), 0, hidden)

  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Share' }).click()
  await dialog.getByRole('button', { name: /^Edit Newark/ }).click()
  await editLink(page, visitor)
  await dialog.getByRole('button', { name: /^Delete Newark/ }).click()
  await page.getByRole('dialog', { name: 'Delete link' }).getByRole('button', { name: 'Delete link' }).click()
  await dialog.getByText(/^No public links\./).waitFor()
  await dialog.getByRole('button', { name: 'New link' }).waitFor()
  await visitor.reload()
  await visitor.getByRole('heading', { name: 'Nothing is shared here' }).waitFor()
}

/** An open trip of which the visitor sees no dates shows them, and keeps its address. */
async function editLink(page: Page, visitor: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Edit link' })
  await dialog.getByRole('switch', { name: 'Dates' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Dates, Times, Flight numbers, Airlines').waitFor()
  await visitor.reload()
  await visitor.getByText('1 Mar 2025').first().waitFor()
}

async function shareFlight(page: Page, visitor: Page, ada: TestPerson): Promise<void> {
  await page.getByRole('button', { name: 'Share' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share this flight' })
  const seen = dialog.getByRole('region', { name: 'Visitors will see' })
  await seen.getByText('1 Mar 2025 · CPH → OSL · SK1460').waitFor()
  await dialog.getByText('More options').click()
  assert.equal(await dialog.getByRole('switch', { name: 'Statistics' }).count(), 0)
  assert.equal(await dialog.getByRole('switch', { name: 'Recorded track' }).count(), 0, 'it has none')
  await dialog.getByLabel('Expires').selectOption('After one week')
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
  await dialog.getByText('The link is ready. Send it to anyone you like.').waitFor()
  const address = await dialog.getByRole('region', { name: 'Link' }).innerText()
  await visitor.goto(new URL(address).pathname)
  await heading(visitor, `A flight of ${ada.displayName}`).waitFor()
  for (const hidden of ['private words', '47K', 'Grace Hopper', '08:15', 'SK907'])
    assert.equal(await visitor.getByText(hidden).count(), 0, hidden)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Share' }).click()
  const links = dialog.getByRole('list', { name: 'Public links' })
  await links.getByText(address).waitFor()
  await links.getByText(/ · Expires /).waitFor()
  await links.getByText('Dates, Flight numbers, Airlines', { exact: true }).waitFor()
}

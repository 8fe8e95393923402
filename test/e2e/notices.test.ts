// Two people on one flight: the person who was added keeps or leaves it; the other cannot leave before that.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, requireAccessible } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

journeys('notices', 'sqlite', ({ journey, onEachDevice }) => {
  onEachDevice('added, kept, and the other one may leave', async ({ app, open }, device) => {
    const [ada, bob] = [await app.person(), await app.person()]
    const id = await fly(app, ada, bob)
    const adas = await open(`/flights/${id}/edit`, { as: ada, device })
    await heading(adas, 'Edit flight').waitFor()
    await takeOff(adas, ada)
    await adas.getByRole('button', { name: 'Save flight' }).click()
    await adas.getByText('This person must keep the flight before they can be its only passenger.').waitFor()

    const bobs = await open('/flights', { as: bob, device })
    await openNotices(bobs, device, /1 unread notification/)
    await bobs.getByRole('link', { name: `${ada.displayName} added you to SK909` }).waitFor()
    await requireAccessible(bobs, 'notices')
    await bobs.getByRole('button', { name: /^Keep SK909/ }).click()
    await bobs.getByText('Flight kept').waitFor()
    await bobs.getByText('Kept', { exact: true }).waitFor()
    await openNotices(bobs, device, /^Notifications$/)
    await requireAccessible(bobs, 'a kept flight')

    await adas.getByRole('button', { name: 'Save flight' }).click()
    await adas.waitForURL((url) => !url.pathname.endsWith('/edit'))
    const { passengers } = (await app.request('GET', `/api/v1/flights/${id}`, { key: await bob.key() })).json
      .data
    assert.deepEqual(
      passengers.map((one: { user: { id: string } }) => one.user.id),
      [bob.id],
    )
  })

  onEachDevice('the flight itself offers the choice', async ({ app, open }, device) => {
    const [ada, bob] = [await app.person(), await app.person()]
    const [kept, left] = [await fly(app, ada, bob), await fly(app, ada, bob)]
    const page = await open(`/flights/${kept}`, { as: bob, device })
    await page.getByText(`${ada.displayName} added you to this flight.`).waitFor()
    await requireAccessible(page, 'a flight to decide about')
    await page.getByRole('button', { name: /^Keep/ }).click()
    await page.getByText('Flight kept').waitFor()
    await page.getByText('added you to this flight').waitFor({ state: 'detached' })
    await page.goto(`/flights/${left}`)
    await page.getByRole('button', { name: /^Leave/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave this flight?' })
    await dialog.waitFor()
    await requireAccessible(page, 'the question before leaving')
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Flights').waitFor()
    await page.getByText('You left the flight').waitFor()
    await page.locator('[data-index]').first().waitFor()
    assert.equal(await page.locator('[data-index]').count(), 1)
    await page.goto('/notices')
    await page.getByText('You left this flight').waitFor()
  })

  journey('by keyboard, in German, on a narrow screen; many flights are one entry', async ({ app, open }) => {
    const [ada, bob] = [await app.person(), await app.person()]
    for (let i = 0; i < 5; i++) await fly(app, ada, bob)
    const page = await open('/notices', {
      as: bob,
      locale: 'de-DE',
      viewport: { width: 320, height: 640 },
    })
    await page.getByText(`${ada.displayName} hat dich zu 5 Flügen hinzugefügt.`).waitFor()
    await requireAccessible(page, 'a group')
    const { push, requireFocus } = keyboardOf(page)
    await push('Alle als gelesen markieren')
    await page.getByRole('button', { name: 'Alle als gelesen markieren' }).waitFor({ state: 'detached' })
    await requireFocus('Benachrichtigungen', 'the button is gone, the heading has the focus')
    await page.locator('summary').press('Enter')
    await push(/^Austragen: SK909/)
    await page.getByRole('dialog', { name: 'Aus diesem Flug austragen?' }).waitFor()
    await push('Austragen')
    await page.getByText('hat dich zu 4 Flügen hinzugefügt.').waitFor()
    await push(/^Alle behalten/)
    await page.getByText('4 Flüge behalten').waitFor()
    assert.equal(await page.evaluate('document.activeElement === document.body'), false, 'the focus is kept')
    await requireAccessible(page, 'all decided')
    const flights = await app.request('GET', '/api/v1/flights', { key: await bob.key() })
    assert.equal(flights.json.data.length, 4)
  })

  journey('nothing to tell', async ({ app, open }) => {
    const page = await open('/notices', { as: await app.person() })
    await page.getByRole('heading', { name: 'No notifications' }).waitFor()
    await requireAccessible(page, 'no notices')
  })
})

async function fly(app: TestApp, by: TestPerson, added: TestPerson): Promise<number> {
  const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('EWR')])
  const passengers = [{ userId: by.id }, { userId: added.id }]
  const flight = { date: '2026-02-20', flightNumber: 'SK909', fromId, toId, passengers }
  return (await logFlight(app, by, flight)).id
}

/** Removes a passenger in the open form. */
async function takeOff(page: Page, person: TestPerson): Promise<void> {
  await page.getByRole('button', { name: `Remove ${person.displayName}` }).click()
}

/** Through the navigation: the bell on a desktop, the menu on a phone. */
async function openNotices(page: Page, device: string, name: RegExp): Promise<void> {
  if (device === 'desktop') await page.getByRole('navigation').getByRole('link', { name }).click()
  else {
    await page.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await heading(page, 'Notifications').waitFor()
}

// Two people on one flight: the person who was added keeps or leaves it; the other cannot leave before that.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { insertNotice } from '../../server/store/notices.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { readImport } from '../imports/judged.ts'
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
    // The message comes before the list, and leaves by itself.
    await page.getByText('You left the flight').waitFor()
    await heading(page, 'Flights').waitFor()
    await page.locator('[data-index]').first().waitFor()
    assert.equal(await page.locator('[data-index]').count(), 1)
    await page.goto('/notices')
    await page.getByText('You left this flight').waitFor()
  })

  journey('a group counts all its flights, not only those of the first page', async ({ app, open }) => {
    const [ada, bob] = [await app.person(), await app.person()]
    for (let i = 0; i < 52; i++) await fly(app, ada, bob)
    const page = await open('/notices', { as: bob })
    await page.getByText(`${ada.displayName} added you to 52 flights.`).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
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
    const question = page.getByRole('dialog', { name: 'Aus diesem Flug austragen?' })
    await question.waitFor()
    await push('Austragen')
    await page.getByText('hat dich zu 4 Flügen hinzugefügt.').waitFor()
    // It keeps the focus until the log is loaded again.
    await question.waitFor({ state: 'detached' })
    await push(/^Alle behalten/)
    await page.getByText('4 Flüge behalten').waitFor()
    assert.equal(await page.evaluate('document.activeElement === document.body'), false, 'the focus is kept')
    await requireAccessible(page, 'all decided')
    const flights = await app.request('GET', '/api/v1/flights', { key: await bob.key() })
    assert.equal(flights.json.data.length, 4)
  })

  onEachDevice('each notice opens what it is about, and is read then', async ({ app, open }, device) => {
    const eve = await app.person('role-administrator')
    const importId = await leaveImport(app, eve)
    await app.store.transaction(async (tx) => {
      const about = { userId: eve.id, at: new Date(app.clock.now()).toISOString(), flightId: null }
      const name = 'Kitchen display'
      await insertNotice(tx, {
        ...about,
        kind: 'webhook.stopped',
        data: { webhookId: 1, name, status: 'disabled', because: 'no_success' },
      })
      await insertNotice(tx, {
        ...about,
        kind: 'session.new',
        data: {
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          address: '10.0.0.7',
        },
      })
      await insertNotice(tx, { ...about, kind: 'backup.failed', data: { reason: 'folder_missing' } })
    })
    const page = await open('/flights', { as: eve, device })
    await openNotices(page, device, /4 unread notifications/)
    await requireAccessible(page, 'notices of every kind')
    for (const [title, text, path] of [
      [/^The last backup failed/, /folder/, '/settings/backups'],
      [/^New sign-in from Firefox on Linux, 10\.0\.0\.7$/, /Not you\?/, '/settings/security'],
      [/^The webhook Kitchen display/, /./, '/settings/integrations'],
      [/^The import of FlightyExport\.csv/, /It is ready/, `/import/${importId}`],
    ] as const) {
      const entry = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) })
      await entry.filter({ hasText: text }).getByText('Unread:').waitFor({ state: 'attached' })
      await entry.getByRole('link').click()
      await page.waitForURL((url) => url.pathname === path)
      await page.goBack()
      await entry.waitFor()
      await entry.getByText('Unread:').waitFor({ state: 'detached' })
    }
    await openNotices(page, device, /^Notifications$/)
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 320, height: 640 })
    await requireAccessible(page, 'read notices on a narrow screen')
  })

  journey('nothing to tell', async ({ app, open }) => {
    const page = await open('/notices', { as: await app.person() })
    await page.getByRole('heading', { name: 'No notifications' }).waitFor()
    await requireAccessible(page, 'no notices')
  })
})

/** A file that was read and then left for a day. */
async function leaveImport(app: TestApp, who: TestPerson): Promise<number> {
  const key = await who.key()
  const text = 'Date,Airline,Flight,From,To\n2024-05-10,SAS,1416,CPH,ARN\n'
  const body = { filename: 'FlightyExport.csv', text }
  const { id } = (await app.request('POST', '/api/v1/imports', { key, body })).json.data
  await readImport(app, key, id)
  await deleteExpired(app.store, app.clock.now() + 25 * 3_600_000)
  return id
}

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

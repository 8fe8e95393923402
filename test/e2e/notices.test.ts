// Two people on one flight: the person who was added keeps or leaves it; the other cannot leave before that.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { insertNotice } from '../../server/store/people/notices.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { readImport } from '../imports/judged.ts'
import { type Device, focusKept, heading, type Journey, journeys, overflowOf, resize } from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { follow } from './screens.ts'

/** The first page of notices has fifty. */
const MORE_THAN_A_PAGE = 52

journeys('notices', 'sqlite', ({ journey }) => {
  journey(
    'An added person keeps or leaves the flight, and the other cannot leave before that',
    async (given) => {
      const { app, open } = given
      const [ada, bob] = [await app.person(), await app.person()]
      const bobs = await open('/notices', { as: bob, device: 'phone' })
      await bobs.getByRole('heading', { name: 'No notifications' }).waitFor()

      const id = await fly(app, ada, bob)
      const adas = await open(`/flights/${id}/edit`, { as: ada })
      await heading(adas, 'Edit flight').waitFor()
      await adas.getByRole('button', { name: `Remove ${ada.displayName}` }).click()
      await adas.getByRole('button', { name: 'Save flight' }).click()
      await adas
        .getByText('This person must keep the flight before they can be its only passenger.')
        .waitFor()

      await bobs.goto('/flights')
      await openNotices(bobs, 'phone', /1 unread notification/)
      await bobs.getByRole('link', { name: `${ada.displayName} added you to SK909` }).waitFor()
      await bobs.getByRole('button', { name: /^Keep SK909/ }).click()
      await bobs.getByText('Flight kept').waitFor()
      await bobs.getByText('Kept', { exact: true }).waitFor()
      await openNotices(bobs, 'phone', /^Notifications$/)

      await adas.getByRole('button', { name: 'Save flight' }).click()
      await adas.waitForURL((url) => !url.pathname.endsWith('/edit'))
      const { json } = await app.request('GET', `/api/v1/flights/${id}`, { key: await bob.key() })
      assert.deepEqual(
        json.data.passengers.map((one: { user: { id: string } }) => one.user.id),
        [bob.id],
      )
      await decideOnFlights(given, bobs, ada, bob)
    },
  )

  journey('Many flights are one notice, decided by keyboard in German', async ({ app, open }) => {
    const [ada, bob] = [await app.person(), await app.person()]
    for (let i = 0; i < MORE_THAN_A_PAGE; i++) await fly(app, ada, bob)
    const page = await open('/notices', {
      as: bob,
      locale: 'de-DE',
      viewport: { width: 320, height: 640 },
    })
    await page.getByText(`${ada.displayName} hat dich zu 52 Flügen hinzugefügt.`).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Mehr anzeigen' }).count(), 0)
    const { push, requireFocus } = keyboardOf(page)
    await push('Alle als gelesen markieren')
    await page.getByRole('button', { name: 'Alle als gelesen markieren' }).waitFor({ state: 'detached' })
    await requireFocus('Benachrichtigungen', 'the button is gone, the heading has the focus')
    await page.locator('summary').press('Enter')
    await push(/^Austragen: SK909/)
    const question = page.getByRole('dialog', { name: 'Aus diesem Flug austragen?' })
    await question.waitFor()
    await push('Austragen')
    await page.getByText('hat dich zu 51 Flügen hinzugefügt.').waitFor()
    // It keeps the focus until the log is loaded again.
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Alle behalten/ }).press('Enter')
    await page.getByText('51 Flüge behalten').waitFor()
    await focusKept(page)
    const flights = await app.request('GET', '/api/v1/flights?limit=100', { key: await bob.key() })
    assert.equal(flights.json.data.length, 51)
  })

  journey('Each notice opens its subject and is then marked as read', async ({ app, open }) => {
    const eve = await app.person('role-administrator')
    const importId = await leaveImport(app, eve)
    await addPlainNotices(app, eve)
    const page = await open('/flights', { as: eve })
    await openNotices(page, 'desktop', /4 unread notifications/)
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
    await openNotices(page, 'desktop', /^Notifications$/)
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
    await resize(page, { width: 320, height: 640 })
    assert.deepEqual(await overflowOf(page), [])
  })
})

/** The pages of two more flights offer the choice: one is kept, one left. */
async function decideOnFlights(
  { app }: Journey,
  page: Page,
  ada: TestPerson,
  bob: TestPerson,
): Promise<void> {
  const [kept, left] = [await fly(app, ada, bob), await fly(app, ada, bob)]
  await follow(page, `/flights/${kept}`)
  await page.getByText(`${ada.displayName} added you to this flight.`).waitFor()
  await page.getByRole('button', { name: /^Keep/ }).click()
  // The message about the previous flight may still be visible.
  await page.getByText('Flight kept').last().waitFor()
  await page.getByText('added you to this flight').waitFor({ state: 'detached' })
  await follow(page, `/flights/${left}`)
  await page.getByRole('button', { name: /^Leave/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave this flight?' })
  await dialog.getByRole('button', { name: 'Leave' }).click()
  // The message appears before the list, and disappears on its own.
  await page.getByText('You left the flight').waitFor()
  await heading(page, 'Flights').waitFor()
  await page.locator('[data-index]').first().waitFor()
  assert.equal(await page.locator('[data-index]').count(), 2)
  await follow(page, '/notices')
  await page.getByText('You left this flight').waitFor()
}

async function addPlainNotices(app: TestApp, { id: userId }: TestPerson): Promise<void> {
  await app.store.transaction(async (tx) => {
    const about = { userId, at: new Date(app.clock.now()).toISOString(), flightId: null }
    await insertNotice(tx, {
      ...about,
      kind: 'webhook.stopped',
      data: { webhookId: 1, name: 'Kitchen display', status: 'disabled', because: 'no_success' },
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
}

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

/** Through the navigation: the bell on a desktop, the menu on a phone. */
async function openNotices(page: Page, device: Device, name: RegExp): Promise<void> {
  if (device === 'desktop') await page.getByRole('navigation').getByRole('link', { name }).click()
  else {
    await page.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await heading(page, 'Notifications').waitFor()
}

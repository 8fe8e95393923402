// Deleting: takes effect on the server immediately, even if the page is closed, and can be undone for 30 days.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { chooseFromMore, focusKept, heading, journeys, keepMessages } from './browser.ts'
import { bar, logAfterDeletion, lostFor, sendAll, warm } from './waiting.ts'

/** The newest first, too far apart to be one journey, so the list keeps this order. */
async function logThree(app: TestApp, who: TestPerson): Promise<number[]> {
  const [cph, jfk, osl, sin] = await airportIds(app, 'CPH', 'JFK', 'OSL', 'SIN')
  const flights = [
    await logFlight(app, who, { date: '2024-05-03', fromId: cph, toId: jfk, flightNumber: 'SK909' }),
    await logFlight(app, who, { date: '2024-04-02', fromId: osl, toId: cph }),
    await logFlight(app, who, { date: '2024-03-01', fromId: sin, toId: osl }),
  ]
  return flights.map(({ id }) => id)
}

const statusOf = async (app: TestApp, who: TestPerson, id: number) =>
  (await app.request('GET', `/api/v1/flights/${id}`, { key: await who.key(['flight.read.own']) })).status

const rowsOf = (page: Page) => page.locator('[data-index]')

async function openBin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'List options' }).click()
  await page.getByRole('menuitem', { name: 'Recently deleted' }).click()
  await heading(page, 'Recently deleted').waitFor()
}

const statuses = (app: TestApp, who: TestPerson, ids: number[]) =>
  Promise.all(ids.map((id) => statusOf(app, who, id)))

journeys('the bin', 'sqlite', ({ everyday, journey }) => {
  everyday('Deletions are undone one by one, also from another page', async ({ app, open }) => {
    const ada = await app.person()
    const ids = await logThree(app, ada)
    const page = await open('/flights', { as: ada })
    await page.evaluate(keepMessages)
    await rowsOf(page).first().focus()
    await page.keyboard.press('Delete')
    await page.getByText('Flight deleted').first().waitFor()
    await page.keyboard.press('Delete')
    await page.getByText('Flight deleted').nth(1).waitFor()
    await openBin(page)
    await page.getByRole('listitem').nth(1).waitFor()
    assert.deepEqual(await statuses(app, ada, ids), [404, 404, 200])
    // The last one first. Two equal messages have buttons with different names.
    await page.getByRole('button', { name: 'Undo: Flight deleted (2)', exact: true }).click()
    await page.getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    assert.deepEqual(await statuses(app, ada, ids), [404, 200, 200])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('No deleted flights').waitFor()
    await page.getByRole('link', { name: 'Flights' }).first().click()
    await rowsOf(page).nth(2).waitFor()
  })

  journey(
    'A deletion is sent even if the page is left right after it, and is restored from the bin',
    async (given) => {
      const { app, open } = given
      const ada = await app.person()
      const [id] = (await logThree(app, ada)) as [number]
      const page = await open(`/flights/${id}`, { as: ada, device: 'phone' })
      const sent = page.waitForRequest((request) => request.method() === 'DELETE')
      await chooseFromMore(page, 'Delete')
      // The browser stores the deletion before sending it.
      await sent
      await page.reload()
      await rowsOf(page).nth(1).waitFor()
      // The list hides it already; the reload may have cut the request, which is then sent again.
      await until('the flight is deleted', async () => (await statusOf(app, ada, id)) === 404)
      // If the response arrived before the reload, the cached log still has the flight until the new one arrives.
      await rowsOf(page).nth(2).waitFor({ state: 'detached' })
      assert.equal(await rowsOf(page).count(), 2)

      await openBin(page)
      const entry = page.getByRole('listitem').filter({ hasText: 'CPH → JFK' })
      await entry.getByText('30 days left').waitFor()
      await entry.getByText('3 May 2024 · SK909').waitFor()
      await page.evaluate(keepMessages)
      await entry.getByRole('button', { name: /^Restore/ }).click()
      await page.getByText('Flight restored').waitFor()
      await page.getByText('No deleted flights').waitFor()
      assert.equal(await statusOf(app, ada, id), 200)
      await page.getByRole('button', { name: /^Show(?:: |$)/ }).click()
      await heading(page, /CPH to JFK/).waitFor()
    },
  )

  journey(
    'An offline deletion is undone before sending, after sending, and after a lost response',
    async (given) => {
      const { app, open } = given
      const ada = await app.person()
      const [id] = (await logThree(app, ada)) as [number]
      const page = await open('/flights', { as: ada })
      await rowsOf(page).nth(2).waitFor()
      await warm(page)
      await page.evaluate(keepMessages)
      const undo = page.getByRole('button', { name: /^Undo/ })
      const deleteFirst = async (said: RegExp) => {
        await rowsOf(page).first().focus()
        await page.keyboard.press('Delete')
        await page.getByText(said).waitFor()
        await rowsOf(page).nth(2).waitFor({ state: 'detached' })
      }
      await page.context().setOffline(true)
      await deleteFirst(/^Flight deleted on this device/)
      await undo.click()
      await rowsOf(page).nth(2).waitFor()
      await deleteFirst(/^Flight deleted on this device/)
      assert.equal(await statusOf(app, ada, id), 200)
      await sendAll(page)
      assert.equal(await statusOf(app, ada, id), 404)
      await undo.click()
      await rowsOf(page).nth(2).waitFor()
      assert.equal(await statusOf(app, ada, id), 200)

      await page.route(`**/app/api/flights/${id}`, lostFor('DELETE'))
      await deleteFirst(/^Flight deleted on this device/)
      await until('the server has deleted it', async () => (await statusOf(app, ada, id)) === 404)
      await undo.click()
      await rowsOf(page).nth(2).waitFor()
      await bar(page).waitFor({ state: 'detached' })
      assert.equal(await statusOf(app, ada, id), 200)
      await page.unroute(`**/app/api/flights/${id}`)

      // The browser itself must know that it is deleted, and have a log without it: the test's own requests are not
      // offline.
      const gone = logAfterDeletion(page)
      await deleteFirst(/^Flight deleted$/)
      await gone
      await page.context().setOffline(true)
      await undo.click()
      await page.getByText('1 flight could not be restored.').waitFor()
      assert.equal(await statusOf(app, ada, id), 404)
    },
  )

  journey(
    'Deleted flights are erased one by one or all, after a question, in German',
    async ({ app, open }) => {
      const [ada, eve] = [await app.person(), await app.person('role-administrator')]
      const ids = await logThree(app, ada)
      const [cookie, chief] = [await ada.session(), await eve.session()]
      await app.request('DELETE', `/app/api/flights/${ids[0]}`, { cookie: chief })
      await app.request('POST', '/app/api/flight-deletions', { cookie, body: { ids: ids.slice(1) } })
      const page = await open('/flights/deleted', { as: ada, locale: 'de-DE' })
      await heading(page, 'Zuletzt gelöscht').waitFor()
      await page.getByText(new RegExp(`Gelöscht am .* von ${eve.displayName}`)).waitFor()
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: /^CPH → JFK.*endgültig löschen$/ }).click()
      await dialog.getByRole('button', { name: 'Abbrechen' }).click()
      await dialog.waitFor({ state: 'hidden' })
      assert.equal(await page.getByRole('listitem').count(), 3)
      await page.getByRole('button', { name: /^CPH → JFK.*endgültig löschen$/ }).click()
      await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
      await page.getByText('Flug endgültig gelöscht').waitFor()
      assert.equal(await page.getByRole('listitem').count(), 2)
      await focusKept(page)
      await page.getByRole('button', { name: 'Alle endgültig löschen' }).click()
      await dialog.getByRole('button', { name: 'Alle endgültig löschen' }).click()
      await page.getByText('2 Flüge endgültig gelöscht').waitFor()
      await page.getByText('Keine gelöschten Flüge').waitFor()
      const query = `scope=user&userId=${ada.id}`
      const all = await app.request('GET', `/app/api/flights/deleted?${query}`, { cookie: chief })
      assert.deepEqual(all.json.data, [])
    },
  )
})

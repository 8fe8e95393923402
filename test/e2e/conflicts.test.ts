// One flight changed in two places concurrently: nothing is lost silently. The rules of merging:
// web/src/draft/merge.test.ts.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { chooseFromMore, heading, journeys } from './browser.ts'
import { follow } from './screens.ts'
import { row, save, untilInPage } from './waiting.ts'

async function family(app: TestApp) {
  const [ada, bob] = [await app.person(), await app.person()]
  const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('JFK')])
  const flight = await logFlight(app, ada, {
    date: '2024-05-01',
    fromId,
    toId,
    flightNumber: 'SK 909',
    note: 'as it was',
    passengers: [{ userId: ada.id, seatNumber: '1A' }, { userId: bob.id }],
  })
  return { ada, bob, id: flight.id as number }
}

async function stored(app: TestApp, person: TestPerson, id: number) {
  return (await app.request('GET', `/api/v1/flights/${id}`, { key: await person.key() })).json.data
}

/** A change of the flight by another person meanwhile. */
async function elsewhere(app: TestApp, person: TestPerson, method: string, id: number, body?: object) {
  const asked = { key: await person.key(), ...(body && { body }) }
  const reply = await app.request(method, `/api/v1/flights/${id}`, asked)
  assert.ok(reply.status < 300, reply.text)
}

const conflict = (page: Page) => page.getByRole('alert').filter({ hasText: 'also changed elsewhere' })
const note = (page: Page) => page.getByLabel('Note', { exact: true })

journeys('two people edit one flight', 'sqlite', ({ everyday, journey }) => {
  everyday(
    'Two people change the same field: nothing is overwritten, and the second one chooses',
    async (given) => {
      const { app, open } = given
      const { ada, bob, id } = await family(app)
      const page = await open(`/flights/${id}/edit`, { as: bob, device: 'phone' })
      await note(page).fill('his')
      await page.getByLabel('Seat number').first().fill('2B')
      await elsewhere(app, ada, 'PATCH', id, { note: 'hers', aircraftReg: 'OY-KBO' })
      await save(page)
      await page.locator('.conflict:focus').waitFor()
      await conflict(page).getByRole('group', { name: 'Note' }).waitFor()
      await conflict(page).getByText('Registration').waitFor()
      assert.equal((await stored(app, ada, id)).note, 'hers', 'nothing is overwritten')
      const choice = (name: RegExp) => conflict(page).getByRole('radio', { name })
      assert.equal(await conflict(page).getByRole('radio').count(), 2)
      assert.equal(await choice(/^Your change/).isChecked(), true)
      await choice(/^Saved elsewhere/).check()
      assert.equal(await note(page).inputValue(), 'hers')
      await choice(/^Your change/).check()
      assert.equal(await note(page).inputValue(), 'his')
      await save(page)
      await heading(page, /CPH to JFK/).waitFor()
      const now = await stored(app, ada, id)
      assert.deepEqual(
        [now.note, now.aircraftReg, now.passengers[0].seatNumber, now.version],
        ['his', 'OY-KBO', '2B', 3],
      )
    },
  )

  journey(
    'A draft is merged with other changes; a deleted flight is saved as new; a changed one is not deleted unseen',
    async (given) => {
      const { app, open } = given
      const { ada, id } = await family(app)
      const page = await open(`/flights/${id}/edit`, { as: ada })
      await mergeDraft(app, ada, page, id)

      // A flight deleted meanwhile is saved as a new one.
      await page.getByRole('link', { name: 'Edit' }).first().click()
      await note(page).fill('not lost')
      await elsewhere(app, ada, 'DELETE', id)
      await save(page)
      await page.getByText('This flight was deleted while you were editing it').waitFor()
      await page.getByRole('button', { name: 'Save as a new flight' }).click()
      await heading(page, /CPH to JFK/).waitFor()
      // From the server, and from the log: both from before the change.
      await page.getByText('not lost').waitFor()
      await page.getByRole('heading', { name: 'First time on this route' }).waitFor()
      const newId = Number(new URL(page.url()).pathname.split('/').at(-1))
      assert.notEqual(newId, id)
      const { passengers } = await stored(app, ada, newId)
      assert.deepEqual([passengers.length, passengers[0].seatNumber], [2, '1A'])

      // A flight is deleted only in the version that was seen.
      await elsewhere(app, ada, 'PATCH', newId, { note: 'changed elsewhere' })
      await chooseFromMore(page, 'Delete')
      await page.getByText(/could not be deleted\. This flight was changed in the meantime/).waitFor()
      await row(page, 'SK 909').click()
      await page.getByText('changed elsewhere').waitFor()
      await chooseFromMore(page, 'Delete')
      await page.getByText('Flight deleted').waitFor()
      await row(page, 'SK 909').waitFor({ state: 'detached' })
    },
  )
})

/** The draft is restored, and saved together with the changes since. */
async function mergeDraft(app: TestApp, ada: TestPerson, page: Page, id: number): Promise<void> {
  await note(page).fill('typed before')
  const isKept = "Object.values({ ...localStorage }).some((text) => text.includes('typed before'))"
  await untilInPage(page, 'the draft is kept', isKept)
  await follow(page, '/flights')
  await elsewhere(app, ada, 'PATCH', id, { aircraftReg: 'OY-KBO' })
  await follow(page, `/flights/${id}/edit`)
  await page.getByText('Your unsaved changes were restored.').waitFor()
  await save(page)
  // The message appears before the page of the flight, and disappears after a while.
  await page.getByText('Flight saved together with the changes made elsewhere').waitFor()
  await heading(page, /CPH to JFK/).waitFor()
  const now = await stored(app, ada, id)
  assert.deepEqual(
    [now.note, now.aircraftReg, now.flightNumber, now.version],
    ['typed before', 'OY-KBO', 'SK 909', 3],
  )
}

// One flight edited in two browsers at the same time: nothing is lost silently.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { chooseFromMore, heading, journeys, requireAccessible } from './browser.ts'

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
  return { ada, bob, flight: flight as { id: number } }
}

async function stored(app: TestApp, person: TestPerson, id: number) {
  return (await app.request('GET', `/api/v1/flights/${id}`, { key: await person.key() })).json.data
}

const save = (page: Page) => page.getByRole('button', { name: 'Save flight' }).click()
const conflict = (page: Page) => page.getByRole('alert').filter({ hasText: 'also changed elsewhere' })

journeys('two people edit one flight', 'sqlite', ({ journey, onEachDevice }) => {
  onEachDevice('each changes other fields: both changes are kept', async ({ app, open }, device) => {
    const { ada, bob, flight } = await family(app)
    const edit = `/flights/${flight.id}/edit`
    const [hers, his] = [await open(edit, { as: ada, device }), await open(edit, { as: bob, device })]
    await hers.getByLabel('Note').fill('hers')
    await his.getByLabel('Registration').fill('OY-KBO')
    await save(hers)
    await heading(hers, /CPH to JFK/).waitFor()
    await save(his)
    // The message comes before the page of the flight, and leaves by itself.
    await his.getByText('Flight saved together with the changes made elsewhere').waitFor()
    await heading(his, /CPH to JFK/).waitFor()
    const { note, aircraftReg, flightNumber, version } = await stored(app, ada, flight.id)
    assert.deepEqual([note, aircraftReg, flightNumber, version], ['hers', 'OY-KBO', 'SK 909', 3])
    // The page that is open shows it too.
    await hers.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await hers.getByText('OY-KBO').waitFor()
  })

  onEachDevice('both change the same field: the person chooses', async ({ app, open }, device) => {
    const { ada, bob, flight } = await family(app)
    const edit = `/flights/${flight.id}/edit`
    for (const choice of ['Your change', 'Saved elsewhere'] as const) {
      const [hers, his] = [await open(edit, { as: ada, device }), await open(edit, { as: bob, device })]
      await hers.getByLabel('Note').fill(`hers, ${choice}`)
      await hers.getByLabel('Registration').fill('OY-KBO')
      await his.getByLabel('Note').fill(`his, ${choice}`)
      await his.getByLabel('Seat number').first().fill('2B')
      await save(hers)
      await heading(hers, /CPH to JFK/).waitFor()
      await save(his)
      await conflict(his).waitFor()
      await his.locator('.conflict:focus').waitFor()
      await requireAccessible(his, 'a conflict')
      await conflict(his).getByRole('group', { name: 'Note' }).waitFor()
      await conflict(his).getByText('Registration').waitFor()
      assert.equal((await stored(app, ada, flight.id)).note, `hers, ${choice}`, 'nothing is overwritten')
      const options = conflict(his).getByRole('radio')
      assert.deepEqual([await options.count(), await options.first().isChecked()], [2, true])
      await conflict(his)
        .getByRole('radio', { name: new RegExp(`^${choice}`) })
        .check()
      const expected = `${choice === 'Your change' ? 'his' : 'hers'}, ${choice}`
      assert.equal(await his.getByLabel('Note', { exact: true }).inputValue(), expected)
      await save(his)
      await heading(his, /CPH to JFK/).waitFor()
      const { note, aircraftReg, passengers } = await stored(app, ada, flight.id)
      assert.deepEqual([note, aircraftReg, passengers[0].seatNumber], [expected, 'OY-KBO', '2B'])
      await app.request('PATCH', `/api/v1/flights/${flight.id}`, {
        key: await ada.key(),
        body: { aircraftReg: null, passengers: { [passengers[0].id]: { seatNumber: '1A' } } },
      })
    }
  })

  journey('a flight that was deleted meanwhile is saved as a new one', async ({ app, open }) => {
    const { ada, flight } = await family(app)
    const page = await open(`/flights/${flight.id}/edit`, { as: ada })
    await page.getByLabel('Note').fill('not lost')
    const gone = await app.request('DELETE', `/api/v1/flights/${flight.id}`, { key: await ada.key() })
    assert.equal(gone.status, 204)
    await save(page)
    await page.getByText('This flight was deleted while you were editing it').waitFor()
    await requireAccessible(page, 'a deleted flight')
    await page.getByRole('button', { name: 'Save as a new flight' }).click()
    await heading(page, /CPH to JFK/).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    assert.notEqual(id, flight.id)
    const { note, passengers } = await stored(app, ada, id)
    assert.deepEqual([note, passengers.length, passengers[0].seatNumber], ['not lost', 2, '1A'])
  })

  journey('two tabs, and a draft from before', async ({ app, open }) => {
    const { ada, flight } = await family(app)
    const edit = `/flights/${flight.id}/edit`
    const page = await open(edit, { as: ada })
    await page.getByLabel('Note').fill('typed before')
    await page.waitForTimeout(400)
    await page.goto('/flights')
    const changed = await app.request('PATCH', `/api/v1/flights/${flight.id}`, {
      key: await ada.key(),
      body: { note: 'by a program', aircraftReg: 'OY-KBO' },
    })
    assert.equal(changed.status, 200, changed.text)
    await page.goto(edit)
    await page.getByText('Your unsaved changes were restored.').waitFor()
    await save(page)
    await conflict(page).getByText('by a program').waitFor()
    await save(page)
    await heading(page, /CPH to JFK/).waitFor()
    const { note, aircraftReg } = await stored(app, ada, flight.id)
    assert.deepEqual([note, aircraftReg], ['typed before', 'OY-KBO'])
  })

  journey('a flight is deleted only as it was seen', async ({ app, open }) => {
    const { ada, flight } = await family(app)
    const page = await open(`/flights/${flight.id}`, { as: ada })
    await heading(page, /CPH to JFK/).waitFor()
    // Both of them before the change: the flight from the server, and the log.
    await page.getByText('as it was').waitFor()
    await page.getByRole('heading', { name: 'First time on this route' }).waitFor()
    await app.request('PATCH', `/api/v1/flights/${flight.id}`, {
      key: await ada.key(),
      body: { note: 'changed elsewhere' },
    })
    await chooseFromMore(page, 'Delete')
    await page.getByText(/could not be deleted\. This flight was changed in the meantime/).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'SK 909' })
    await row.click()
    await page.getByText('changed elsewhere').waitFor()
    await chooseFromMore(page, 'Delete')
    await page.getByText('Flight deleted').waitFor()
    await row.waitFor({ state: 'detached' })
  })
})

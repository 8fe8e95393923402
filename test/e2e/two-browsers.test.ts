// One account in two browsers: what one of them writes is seen in the other without a reload, and nothing is lost silently.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { airportIds, logFlight } from '../fixtures.ts'
import {
  chooseFromMore,
  heading,
  journeys,
  keepMessages,
  pick,
  requireAccessible,
  showIn,
} from './browser.ts'

/** As when the person takes up the other device. */
const takeUp = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const save = (page: Page) => page.getByRole('button', { name: 'Save flight' }).click()
/** A link of the app, wherever this device has it. */
const go = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).locator('visible=true').click()

journeys('two browsers with one account', 'sqlite', ({ onEachDevice, journey }) => {
  onEachDevice('what one adds, edits and deletes, the other shows', async ({ app, open }, device) => {
    const ada = await app.person()
    const [cph, jfk] = await airportIds(app, 'CPH', 'JFK')
    await logFlight(app, ada, { date: '2024-05-01', fromId: cph, toId: jfk, flightNumber: 'SK 909' })
    const here = await open('/flights/new', { as: ada })
    const there = await open('/flights', { as: ada, device })
    await row(there, 'JFK').waitFor()

    await pick(here, 'From', 'LHR', 'LHR')
    await pick(here, 'To', 'SIN', 'SIN')
    await here.getByRole('button', { name: 'Yesterday' }).click()
    await here.getByRole('textbox', { name: 'Flight number' }).fill('SQ 317')
    await save(here)
    await here.getByText('2 flights between 4 airports', { exact: false }).waitFor()
    await takeUp(there)
    await row(there, 'SIN').waitFor()
    await requireAccessible(there, 'the list after a change elsewhere')
    await go(there, 'Statistics')
    await there.getByRole('button', { name: /^Flights: 2\./ }).waitFor()

    // Back from there: the page that is open follows.
    await go(there, 'Flights')
    await row(there, 'SIN').getByRole('link').first().click()
    await heading(there, /LHR to SIN/).waitFor()
    await here.goto(new URL(there.url()).pathname.concat('/edit'))
    await here.getByLabel('Note', { exact: true }).fill('Sunrise over the Andamans')
    await here.getByLabel('Registration').fill('9V-SMA')
    await save(here)
    await heading(here, /LHR to SIN/).waitFor()
    await takeUp(there)
    await there.getByText('Sunrise over the Andamans').waitFor()
    await there.getByText('9V-SMA').first().waitFor()

    await go(there, 'Flights')
    await here.evaluate(keepMessages)
    const deleted = here.waitForResponse((response) => response.request().method() === 'DELETE')
    await chooseFromMore(here, 'Delete')
    await here.getByText('Flight deleted').waitFor()
    // The message does not wait for the server.
    assert.ok((await deleted).ok())
    await takeUp(there)
    await row(there, 'SIN').waitFor({ state: 'detached' })
    await row(there, 'JFK').waitFor()
    await here.getByRole('button', { name: /^Undo/ }).first().click()
    await row(here, 'SIN').waitFor()
    await takeUp(there)
    await row(there, 'SIN').waitFor()
  })

  onEachDevice('an edit of what the other has changed asks', async ({ app, open }, device) => {
    const ada = await app.person()
    const [cph, jfk] = await airportIds(app, 'CPH', 'JFK')
    const flight = await logFlight(app, ada, {
      date: '2024-05-01',
      fromId: cph,
      toId: jfk,
      note: 'as it was',
    })
    const edit = `/flights/${flight.id}/edit`
    const [here, there] = [await open(edit, { as: ada }), await open(edit, { as: ada, device })]
    await there.getByLabel('Note', { exact: true }).fill('typed there')
    await here.getByLabel('Note', { exact: true }).fill('typed here')
    await here.getByLabel('Registration').fill('OY-KBO')
    await save(here)
    await heading(here, /CPH to JFK/).waitFor()
    // A form that is being filled in stays as it is, and what was typed is compared only when it is saved.
    await takeUp(there)
    assert.equal(await there.getByLabel('Note', { exact: true }).inputValue(), 'typed there')
    await save(there)
    const question = there.getByRole('alert').filter({ hasText: 'also changed elsewhere' })
    await question.getByRole('group', { name: 'Note' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await showIn(there, colorScheme)
      await requireAccessible(there, `a conflict, ${colorScheme}`)
    }
    await question.getByRole('radio', { name: /^Your change/ }).check()
    await save(there)
    await heading(there, /CPH to JFK/).waitFor()
    await takeUp(here)
    await here.getByText('typed there').waitFor()
    const { note, aircraftReg } = (
      await app.request('GET', `/api/v1/flights/${flight.id}`, { key: await ada.key() })
    ).json.data
    assert.deepEqual([note, aircraftReg], ['typed there', 'OY-KBO'])
  })

  journey('a page that is looked at follows by itself within a minute', async ({ app, open }) => {
    const ada = await app.person()
    const [cph, jfk, osl] = await airportIds(app, 'CPH', 'JFK', 'OSL')
    await logFlight(app, ada, { date: '2024-05-01', fromId: cph, toId: jfk })
    const page = await open('/nowhere', { as: ada })
    await page.clock.install()
    await page.goto('/flights')
    await row(page, 'JFK').waitFor()
    await logFlight(app, ada, { date: '2024-05-02', fromId: jfk, toId: osl })
    await page.clock.runFor(61_000)
    await row(page, 'OSL').first().waitFor()
  })
})

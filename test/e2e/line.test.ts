// The line: a flight typed as people write it, on every screen, by keyboard, on a phone, in German, offline; Return and
// Again.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { DAY } from '../../server/domain/time/durations.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import {
  chooseFromMore,
  dayFromNow,
  focused,
  heading,
  journeys,
  keepMessages,
  overflowOf,
  requireAccessible,
  resize,
} from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { dayOfYear, passText } from './passes.ts'
import { follow } from './screens.ts'
import { retryNow } from './waiting.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page) => dialog(page).getByRole('combobox')
const chips = (page: Page) => dialog(page).getByRole('list').getByRole('listitem')
const chip = (page: Page, text: string | RegExp) => chips(page).filter({ hasText: text })
const option = (page: Page, text: string | RegExp) => page.getByRole('option').filter({ hasText: text })

/** Copenhagen to Newark and back a week later, three times; the last one last month. */
async function logSk909(app: TestApp, ada: TestPerson): Promise<void> {
  const [cph, ewr] = (await airportIds(app, 'CPH', 'EWR')) as [number, number]
  const day = (ago: number) => new Date(app.clock.now() - ago * DAY).toISOString().slice(0, 10)
  for (const ago of [400, 200, 40]) {
    const [out, back] = [day(ago), day(ago - 7)]
    await logFlight(app, ada, {
      date: out,
      fromId: cph,
      toId: ewr,
      flightNumber: 'SK909',
      departure: `${out}T10:20:00Z`,
      arrival: `${out}T18:05:00Z`,
      passengers: [
        { userId: ada.id, seatNumber: '14C', seatClass: 'economy' },
        { guestName: 'Grace Hopper' },
      ],
    })
    await logFlight(app, ada, { date: back, fromId: ewr, toId: cph, flightNumber: 'SK910' })
  }
}

interface Passenger {
  user: { id: string } | null
  guestName: string | null
  seat: string | null
  seatNumber: string | null
  seatClass: string | null
}
interface Saved {
  date: string
  flightNumber: string | null
  from: { iata: string }
  to: { iata: string }
  departure: string | null
  arrival: string | null
  note: string | null
  passengers: Passenger[]
}

/** The newest first. */
async function flightsOf(app: TestApp, ada: TestPerson): Promise<Saved[]> {
  const reply = await app.request('GET', '/api/v1/flights?limit=50', { key: await ada.key() })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

async function openLine(page: Page, key = '/'): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.keyboard.press(key)
  await field(page).waitFor()
}

/** Runs in the page: the airports for reading the line are loaded. */
const hasData = `(async () => {
  const isThere = ({ name }) => new URL(name).pathname === '/app/api/line-data'
  while (!performance.getEntriesByType('resource').some(isThere)) await new Promise((next) => setTimeout(next, 50))
})()`

journeys('the line', 'sqlite', ({ journey }) => {
  journey(
    'A line is read with the log, saved by Enter, undone, not saved twice, and kept offline',
    async ({ app, open }) => {
      const ada = await app.person()
      await logSk909(app, ada)
      const page = await open('/flights', { as: ada })
      await page.evaluate(keepMessages)
      await takeFavourite({ app, ada, page })
      await saveAndUndo({ app, ada, page })
      await undoWithReturnThatWaits({ app, ada, page })
      await saveTwiceOnPurpose({ app, ada, page })
      await saveOffline({ app, ada, page })
    },
  )

  journey(
    'Return, Again, the right arrow, Shift+Enter, Escape and Backspace work by keyboard',
    async ({ app, open }) => {
      const ada = await app.person()
      await logSk909(app, ada)
      const page = await open('/flights', { as: ada })
      await page.evaluate(keepMessages)
      await repeatFromList(page)
      await repeatFromFlight({ app, ada, page })
      await follow(page, '/flights')
      await saveReturn({ app, ada, page })
      await escapeAndResume(page)
    },
  )

  journey(
    'Without a log the line asks for the day, a chip offers other meanings, and other words become a note',
    async ({ app, open }) => {
      const ada = await app.person()
      const page = await open('/', { as: ada })
      await askForDay({ app, ada, page })
      await chooseOtherYear(page)
      await keepNote({ app, ada, page })
      await warnOfSpeed(page)
    },
  )

  journey(
    'What is vague is asked about, several flights are saved together, a pass is opened',
    async ({ app, open }) => {
      const ada = await app.person()
      const page = await open('/flights', { as: ada })
      await page.evaluate(keepMessages)
      await chooseMonth({ app, ada, page })
      await saveTwoFlights({ app, ada, page })
      await openPastedPass(page)
    },
  )

  journey('German words and cities are read in the German app', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights', { as: ada, locale: 'de-DE' })
    await openLine(page)
    await page.keyboard.type('lh 400 morgen fenster fra jfk mit Grace')
    await chip(page, 'LH400').waitFor()
    await chip(page, 'Fenster').waitFor()
    await chip(page, 'Grace').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('LH400 gespeichert').waitFor()
    const saved = (await flightsOf(app, ada))[0]!
    assert.deepEqual([saved.from.iata, saved.to.iata, saved.passengers[0]!.seat], ['FRA', 'JFK', 'window'])

    await openLine(page)
    await field(page).fill('SK983 gestern kopenhagen tokyo')
    await chip(page, 'CPH').getByText('Kopenhagen').waitFor()
    await dialog(page).getByText('Kopenhagen nach Tokio', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('SK983 gespeichert').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Kopenhagen nach Tokio' })
    await row.waitFor()
    for (const name of ['Tokio', 'tokyo', 'Kopenhagen', 'copenhagen']) {
      await page.getByRole('searchbox').fill('frankfurt')
      await row.waitFor({ state: 'detached' })
      await page.getByRole('searchbox').fill(name)
      await row.waitFor()
    }
  })

  journey(
    'On a phone Add, typing, Save and the full form work, and nothing is wider than the window',
    async ({ app, open }) => {
      const ada = await app.person()
      await logSk909(app, ada)
      const page = await open('/flights', { as: ada, device: 'phone' })
      await page.getByRole('button', { name: 'Add flight' }).tap()
      await field(page).fill('SK909 20 dec 12a with Grace')
      await chip(page, 'SK909').waitFor()
      await page.getByText('3 times in your log. Tap to add:').waitFor()
      await requireAccessible(page, 'the line on a phone')
      await page.getByRole('button', { name: /^Add Economy/ }).tap()
      await chip(page, 'Economy').waitFor()
      await resize(page, { width: 320, height: 560 })
      assert.deepEqual(await overflowOf(page), [])
      await page.getByRole('button', { name: 'Save flight' }).tap()
      await page.getByText('SK909 saved').waitFor()
      assert.equal((await flightsOf(app, ada)).length, 7)
      await page.getByRole('button', { name: 'Add flight' }).tap()
      await page.getByRole('button', { name: 'Full form' }).tap()
      await heading(page, 'Add flight').waitFor()
    },
  )

  journey('Without the right to add flights the line is missing', async ({ app, open }) => {
    const page = await open('/flights', { as: await app.person(['flight.read.own']) })
    await heading(page, 'Flights').waitFor()
    await page.keyboard.press('/')
    assert.equal(await dialog(page).count(), 0)
  })
})

interface Place {
  app: TestApp
  ada: TestPerson
  page: Page
}

/** The previous step's message could be mistaken for that of the next one. */
const closeMessages = (page: Page) =>
  until('no message is shown', async () => {
    const close = page.locator('.toasts').getByRole('button', { name: /^Close/ })
    if ((await close.count()) === 0) return true
    // It may disappear while it is pressed.
    await close
      .first()
      .click({ timeout: 1000 })
      .catch(() => {})
    return false
  })

async function clearLine(page: Page): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
}

/** Before typing: favourites and the return of the last flight. */
async function takeFavourite({ app, ada, page }: Place): Promise<void> {
  await openLine(page)
  await option(page, /CPH.*EWR.*6 times/).waitFor()
  await option(page, /Return.*CPH.*EWR/).waitFor()
  const keys = async () => (await dialog(page).locator('div.keys').innerText()).replaceAll(/\s+/g, ' ')
  assert.doesNotMatch(await keys(), /Save|Accept/, 'there is nothing to save or accept')
  assert.match(await keys(), /Choose/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await field(page).inputValue(), 'CPH-EWR ')
  assert.equal((await flightsOf(app, ada)).length, 6, 'nothing is saved unasked')
}

/** A number, a day, a seat and a name are understood. */
async function saveAndUndo({ app, ada, page }: Place): Promise<void> {
  await clearLine(page)
  await page.keyboard.type('SK909 20 dec 12a with Grace')
  await chip(page, 'SK909').waitFor()
  await chip(page, /20 Dec/).waitFor()
  await chip(page, '12A').waitFor()
  await chip(page, 'Grace Hopper').waitFor()
  await dialog(page).getByText('Copenhagen to Newark', { exact: true }).waitFor()
  await option(page, /and SK910.*7 days/).waitFor()
  await dialog(page).locator('div.keys').getByText('Save').waitFor()
  await requireAccessible(page, 'the line')
  await page.keyboard.press('Enter')
  await page.getByText('SK909 saved').waitFor()
  await dialog(page).waitFor({ state: 'detached' })
  const saved = (await flightsOf(app, ada))[0]!
  assert.equal(saved.flightNumber, 'SK909')
  assert.match(saved.date, /-12-20$/)
  assert.deepEqual(
    [saved.from.iata, saved.to.iata, saved.departure],
    ['CPH', 'EWR', null],
    'the dashed suggestion is not saved',
  )
  assert.deepEqual(
    saved.passengers.map((one) => [one.user?.id ?? one.guestName, one.seatNumber, one.seatClass]),
    [
      [ada.id, '12A', null],
      ['Grace Hopper', null, null],
    ],
  )
  const response = page.waitForResponse((reply) => reply.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Flight deleted').waitFor()
  assert.ok((await response).ok())
  assert.equal((await flightsOf(app, ada)).length, 6)
  await closeMessages(page)
}

/** One flight is stored and its return is pending: both are named, and undone. */
async function undoWithReturnThatWaits({ app, ada, page }: Place): Promise<void> {
  await openLine(page, '+')
  await field(page).fill('SK909 20 dec')
  await page.getByRole('button', { name: /^Add Economy/ }).waitFor()
  let posts = 0
  await page.route('**/app/api/flights', (route) => {
    if (route.request().method() !== 'POST' || posts++ === 0) return route.continue()
    return route.abort('internetdisconnected')
  })
  await page.keyboard.press('Shift+Enter')
  await page.getByText('SK909 saved · SK910 is saved on this device').waitFor()
  assert.equal((await flightsOf(app, ada)).length, 7)
  await page.getByRole('row').filter({ hasText: 'SK909' }).nth(3).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Flight deleted').waitFor()
  await page.unroute('**/app/api/flights')
  await retryNow(page)
  // The return may be stored, so it is created and deleted.
  await until('both are deleted', async () => (await flightsOf(app, ada)).length === 6)
  await closeMessages(page)
}

/** A flight that is in the log is not saved twice by one Enter. */
async function saveTwiceOnPurpose({ app, ada, page }: Place): Promise<void> {
  const date = new Date(app.clock.now() - 40 * DAY).toISOString().slice(0, 10)
  await openLine(page)
  await field(page).fill(`SK909 ${date}`)
  await chip(page, 'Day').waitFor()
  // Only the log knows the number's route, and that the flight exists.
  await dialog(page).getByText('Copenhagen to Newark', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('You already have this flight').waitFor()
  assert.equal((await flightsOf(app, ada)).length, 6)
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await page.getByText('SK909 saved').waitFor()
  assert.equal((await flightsOf(app, ada)).length, 7)
  await page.keyboard.press('/')
  await field(page).fill(`SK909 ${date}`)
  await chip(page, 'Day').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Open' }).waitFor()
  await page.keyboard.press('Enter')
  await heading(page, /CPH to EWR/).waitFor()
}

/** It is kept, and sent when the server responds again. */
async function saveOffline({ app, ada, page }: Place): Promise<void> {
  await openLine(page)
  await option(page, /CPH.*EWR/)
    .first()
    .waitFor()
  // Offers before typing come from the log alone.
  await page.evaluate(hasData)
  await page.context().setOffline(true)
  await field(page).fill('SK909 20 dec 0820-1105')
  await chip(page, 'SK909').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('SK909 is saved on this device').first().waitFor()
  assert.equal((await flightsOf(app, ada)).length, 7)
  await page.context().setOffline(false)
  await page.getByText('SK909 was sent to the server').waitFor()
  const flights = await flightsOf(app, ada)
  assert.equal(flights.length, 8)
  assert.match(flights[0]!.departure ?? '', /T08:20/)
  assert.match(flights[0]!.arrival ?? '', /T11:05/)
}

/** The second row, out to Newark. */
async function repeatFromList(page: Page): Promise<void> {
  const { press, tabToSelector } = keyboardOf(page)
  await page.locator('[data-index]').first().waitFor()
  await tabToSelector('[data-index]')
  await press('ArrowDown', 'a')
  await field(page).waitFor()
  assert.equal(await field(page).inputValue(), 'SK909 CPH-EWR 14C economy with Grace Hopper ')
  await press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await press('r')
  await field(page).waitFor()
  assert.equal(await field(page).inputValue(), 'SK910 EWR-CPH with Grace Hopper ')
  await press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
}

async function repeatFromFlight({ app, ada, page }: Place): Promise<void> {
  const { press } = keyboardOf(page)
  await press('Enter')
  await heading(page, /CPH to EWR/).waitFor()
  await chooseFromMore(page, 'Return')
  await field(page).waitFor()
  await page.keyboard.type('tomorrow')
  await chip(page, /Day/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('SK910 saved').waitFor()
  const newest = (await flightsOf(app, ada))[0]!
  assert.deepEqual([newest.from.iata, newest.to.iata], ['EWR', 'CPH'])
  await page.getByRole('button', { name: 'Add return' }).click()
  await field(page).waitFor()
  assert.match(await field(page).inputValue(), /^SK909 CPH-EWR/)
  await press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await closeMessages(page)
}

/** The right arrow accepts the dashed suggestion, Shift+Enter saves the return a week later. */
async function saveReturn({ app, ada, page }: Place): Promise<void> {
  await openLine(page, '+')
  await field(page).fill('SK909 20 dec 12a')
  await page.getByRole('button', { name: /^Add Economy/ }).waitFor()
  const { press, requireSaid } = keyboardOf(page)
  // Pressing Tab to look around changes nothing.
  const typed = await field(page).inputValue()
  await press('Tab', 'Shift+Tab')
  assert.equal(await field(page).inputValue(), typed)
  await press('End', 'ArrowLeft', 'ArrowRight')
  assert.equal(await field(page).inputValue(), typed, 'the arrow moves through the text first')
  await press('ArrowRight')
  await chip(page, 'Economy').waitFor()
  await chip(page, /12:20|11:20/).waitFor()
  await focused(field(page))
  await press('Shift+Enter')
  await requireSaid('SK909, SK910 saved')
  const [back, out] = (await flightsOf(app, ada)) as [Saved, Saved]
  assert.deepEqual([out.flightNumber, back.flightNumber, back.from.iata], ['SK909', 'SK910', 'EWR'])
  assert.equal(Date.parse(back.date) - Date.parse(out.date), 7 * DAY)
  assert.equal(out.passengers[0]!.seatClass, 'economy')
  assert.ok(out.departure && out.arrival, 'the times were accepted')
  await closeMessages(page)
}

/** Escape returns the focus and keeps the text; Backspace turns a chip back into text. */
async function escapeAndResume(page: Page): Promise<void> {
  const { press, type, tabToSelector } = keyboardOf(page)
  await page.locator('[data-index]').first().waitFor()
  await tabToSelector('[data-index]')
  await openLine(page)
  await type('SK909 20 dec ')
  await chip(page, /20 Dec/).waitFor()
  await press('Backspace')
  await chip(page, /20 Dec/).waitFor({ state: 'detached' })
  assert.equal(await field(page).inputValue(), 'SK909 20 dec')
  await type('3 mar')
  assert.equal(await field(page).inputValue(), 'SK909 3 mar')
  await chip(page, /3 Mar/).waitFor()
  await press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.locator('[data-index]:focus').waitFor()
  await press('/')
  await field(page).waitFor()
  assert.equal(await field(page).inputValue(), 'SK909 3 mar')
  await press('Control+Enter')
  await heading(page, 'Add flight').waitFor()
  await page.getByRole('textbox', { name: 'Flight number' }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Flight number' }).inputValue(), 'SK909')
  await page.getByRole('textbox', { name: 'Flight number' }).focus()
  await type('/')
  assert.equal(await dialog(page).count(), 0, 'a field takes the key itself')
}

/** Without a day nothing is saved. */
async function askForDay({ app, ada, page }: Place): Promise<void> {
  await page.getByRole('button', { name: /^Type one line/ }).click()
  await field(page).waitFor()
  await field(page).fill('cph osl')
  await dialog(page).getByText('Still needed: the day.', { exact: true }).waitFor()
  const { press, push, requireSaid, requireFocus } = keyboardOf(page)
  await press('Enter')
  await requireSaid('Not saved yet. Still needed: the day.')
  assert.equal(await field(page).getAttribute('aria-invalid'), 'true')
  assert.equal((await flightsOf(app, ada)).length, 0)
  await page.keyboard.type(' 21 feb')
  await chip(page, /21 Feb/).waitFor()
  assert.equal(await field(page).getAttribute('aria-invalid'), null)
  // Other meanings of a chip, by keyboard alone.
  await push(/^Day: /)
  await requireFocus(/^Other meanings/, 'the list has the focus')
  await press('Escape')
  await requireFocus(/^Day: /, 'Escape closes the list only')
  assert.equal(await dialog(page).count(), 1)
  const day = await chip(page, /Day/).innerText()
  await press('Enter', 'ArrowDown', 'ArrowUp', 'Enter')
  await requireFocus('One line about the flight', 'the field has the focus again')
  assert.notEqual(await chip(page, /Day/).innerText(), day)
  await press('Control+a', 'Delete')
  await field(page).fill('cph osl')
  await dialog(page).getByText('Still needed: the day.', { exact: true }).waitFor()
  await press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await chip(page, /Day/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('CPH to OSL saved').waitFor()
  await closeMessages(page)
}

/** “Last summer” offers its months, a name of two places both, and a word that is not understood is named. */
async function chooseMonth({ app, ada, page }: Place): Promise<void> {
  await openLine(page)
  await field(page).fill('monaco osl last summer')
  await chip(page, 'last summer?').waitFor()
  await option(page, /Munich/).click()
  await option(page, /July 2026/).click()
  await chip(page, 'July 2026').waitFor()
  await dialog(page).getByText('4 months ago').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('MUC to OSL saved').waitFor()
  const [saved] = (await flightsOf(app, ada)) as [Saved & { datePrecision: string }]
  assert.deepEqual([saved.date, saved.datePrecision, saved.from.iata], ['2026-07-01', 'month', 'MUC'])
  await closeMessages(page)
  await openLine(page)
  await field(page).fill('muc xyzville in 1998')
  await dialog(page).getByText('28 years ago').waitFor()
  await dialog(page).getByText('“xyzville” was not understood. Still needed: the origin.').waitFor()
  await field(page).fill('cph osl 14 march')
  await chip(page, /14 Mar 2026/).waitFor()
  await dialog(page).getByText('a day more than 60 days ahead is taken as past').waitFor()
  await field(page).fill('cph osl')
  await option(page, /Only the year/).click()
  await chip(page, '2026').waitFor()
  await clearLine(page)
}

/** Both are saved with the first press, and undone with one. */
async function saveTwoFlights({ app, ada, page }: Place): Promise<void> {
  const before = (await flightsOf(app, ada)).length
  await field(page).fill('EWR-SFO-HNL 3 may 2024')
  await chip(page, 'EWR–SFO–HNL').waitFor()
  await option(page, /Save 2 flights.*EWR–SFO, SFO–HNL/).waitFor()
  await requireAccessible(page, 'two flights in the line')
  await page.keyboard.press('Enter')
  await page.getByText('EWR to SFO, SFO to HNL saved').waitFor()
  const routes = (await flightsOf(app, ada)).map(({ date, from, to }) => `${date} ${from.iata} ${to.iata}`)
  for (const route of ['2024-05-03 EWR SFO', '2024-05-03 SFO HNL'])
    assert.ok(routes.includes(route), routes.join(', '))
  await page.getByRole('button', { name: 'Undo' }).click()
  await until('both are deleted', async () => (await flightsOf(app, ada)).length === before)
  await closeMessages(page)
}

/** Its text opens the booking, so it is not kept. */
async function openPastedPass(page: Page): Promise<void> {
  const pass = passText('LOVELACE/ADA', [
    { from: 'HAM', to: 'FRA', carrier: 'LH', number: '13', day: dayOfYear(dayFromNow(2)) },
    { from: 'FRA', to: 'SIN', carrier: 'LH', number: '778', day: dayOfYear(dayFromNow(2)) },
  ])
  await openLine(page)
  await field(page).fill(pass)
  await option(page, /Open boarding pass.*LH13 HAM–FRA, LH778 FRA–SIN/).waitFor()
  assert.equal(await page.evaluate("localStorage.getItem('contrail.draft.line')"), null)
  await page.keyboard.press('Enter')
  await field(page).waitFor({ state: 'detached' })
  await heading(page, /2 flights/).waitFor()
}

/** Another year is one press away, and other meanings are listed. */
async function chooseOtherYear(page: Page): Promise<void> {
  await openLine(page)
  await field(page).fill('cph jfk 20 dec')
  const day = chip(page, /20 Dec/)
  const other = day.getByRole('button', { name: /^or / })
  const year = (await other.innerText()).replace(/\D/g, '')
  await other.click()
  await chip(page, `20 Dec ${year}`).waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('listbox', { name: /Other meanings/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox', { name: /Other meanings/ }).waitFor({ state: 'detached' })
  assert.equal(await dialog(page).count(), 1, 'Escape closed the list alone')
  await clearLine(page)
}

/** Nothing is lost. */
async function keepNote({ app, ada, page }: Place): Promise<void> {
  await field(page).fill('cph arn yesterday xylophone concert')
  await chip(page, /Note: xylophone concert/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('CPH to ARN saved').waitFor()
  const saved = (await flightsOf(app, ada)).find(({ to }) => to.iata === 'ARN')
  assert.equal(saved?.note, 'xylophone concert')
  await closeMessages(page)
}

/** An impossible speed is reported before saving, in the message, list and page. */
async function warnOfSpeed(page: Page): Promise<void> {
  await follow(page, '/flights')
  await page.evaluate(keepMessages)
  await openLine(page)
  await field(page).fill('CPH EWR 20 feb 2024 12:00-07:00')
  const warning = /^That would be 6[,.]\d{3} km\/h\. Check the times\.$/
  await dialog(page).getByText(warning).waitFor()
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByText(/saved.* That would be 6[,.]\d{3} km\/h\. Check the times\./).waitFor()
  await page.getByRole('row').getByTitle(warning).waitFor()
  await page
    .getByRole('row')
    .filter({ has: page.getByTitle(warning) })
    .click()
  await heading(page, /CPH to EWR/).waitFor()
  await page.getByRole('main').getByText(warning).waitFor()
  await requireAccessible(page, 'a flight that is too fast')
}

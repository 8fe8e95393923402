// No input is lost. Cases that need the page or the server are here; web/src/flights/form/FlightForm.test.ts types into the
// form itself.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { devices, journeys, overflowOf, pick, resize } from './browser.ts'
import { follow } from './screens.ts'

const box = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name, exact: true })

/** Types key by key, then moves to the next field. */
async function enter(page: Page, name: string, text: string): Promise<void> {
  const field = box(page, name)
  await field.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.type(text)
  await page.keyboard.press('Tab')
}

const shownIn = (page: Page, name: string) => box(page, name).inputValue()

async function requireRefused(page: Page, name: string, message: RegExp): Promise<void> {
  const field = box(page, name)
  await page.getByText(message).waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true', `${name} is marked`)
  await field.and(page.locator(':focus')).waitFor()
  assert.equal(await page.getByText('Flight saved').count(), 0)
}

async function flightsOf(app: TestApp, person: TestPerson) {
  return (await app.request('GET', '/api/v1/flights', { key: await person.key() })).json.data
}

async function openForm(page: Page): Promise<void> {
  await pick(page, 'From', 'CPH', 'CPH')
  await pick(page, 'To', 'OSL', 'OSL')
}

journeys('fields of the flight form', 'sqlite', ({ journey }) => {
  journey(
    'The form is filled by keyboard, with a day, names from lists, Tab and Escape; unknown names are not saved',
    async ({ app, open }) => {
      const ada = await app.person()
      const page = await open('/flights/new', { as: ada })
      await enterWithoutWait(app, ada, page)
      await page.waitForURL((url) => url.pathname === '/')
      await follow(page, '/flights/new')
      await goByTab(page)
      await nameAirline(app, ada, page)
    },
  )

  journey(
    'A day is picked in a narrow German window, and the route stays visible on a phone',
    async ({ app, open }) => {
      const visit = { device: 'phone', locale: 'de-DE', colorScheme: 'dark' } as const
      const viewport = { width: 320, height: 640 }
      const page = await open('/settings/shares', { as: await app.person(), ...visit, viewport })
      await pickDay(page)
      await resize(page, devices.phone.viewport)
      await follow(page, '/flights/new')
      await requireRouteInSight(page)
    },
  )
})

journeys('date fields in dialogs', 'sqlite', ({ journey }) => {
  journey('Dialogs and filters refuse unreadable dates and stay open', async ({ app, open }) => {
    const owner = await app.person('owner')
    const mark = { cookie: await owner.session(), body: { code: 'DK', status: 'visited' } }
    await app.request('PUT', '/app/api/visited-countries', mark)
    const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('OSL')])
    for (const date of ['2019-12-31', '2020-01-01', '2020-12-31', '2021-01-01'])
      await logFlight(app, owner, { date, fromId, toId })
    const page = await open('/settings/shares', { as: owner, locale: 'en-US' })
    await fillDialogs(app, owner, page)
    await closeDialog(page)
    // A date in the URL that does not exist is ignored.
    await follow(page, '/flights?after=2020-13-45')
    await filterByYear(page)
  })
})

/** cph, Enter, jfk, Enter, a day, Enter. */
async function enterWithoutWait(app: TestApp, ada: TestPerson, page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'From' }).and(page.locator(':focus')).waitFor()
  assert.equal(await page.getByRole('listbox').count(), 0, 'nothing covers the form')
  for (const text of ['cph', 'jfk', '20.2.2024']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await page.getByText('Flight saved').waitFor()
  const [flight] = await flightsOf(app, ada)
  assert.deepEqual([flight.from.iata, flight.to.iata, flight.date], ['CPH', 'JFK', '2024-02-20'])
}

/** Escape closes a list and keeps the typed text. */
async function goByTab(page: Page): Promise<void> {
  const from = page.getByRole('combobox', { name: 'From' })
  assert.equal(await from.getAttribute('aria-required'), 'true')
  await from.fill('san')
  await page.getByRole('option').first().waitFor()
  await from.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  assert.equal(await from.inputValue(), 'san')
  await from.fill('zzzzq')
  await page
    .getByRole('status')
    .filter({ hasText: /^\s*No results\s*$/ })
    .waitFor()
  await page.getByRole('button', { name: 'Save flight' }).click()
  await page.getByText('Please check: From and To.').waitFor()

  await openForm(page)
  await from.focus()
  await page.keyboard.press('Tab')
  assert.equal(
    await page.evaluate(`document.activeElement?.getAttribute('aria-label')`),
    'Swap departure and arrival airports',
    'clearing a field is not on the way',
  )
  await page.keyboard.press('Tab')
  const to = page.getByRole('combobox', { name: 'To' })
  await to.and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Clear To' }).click()
  assert.equal(await to.inputValue(), '')
  // A scrollable list is not a tab stop.
  await page.keyboard.type('san')
  await page.getByRole('option').nth(9).waitFor()
  await page.keyboard.press('Tab')
  await box(page, 'Date').and(page.locator(':focus')).waitFor()
  assert.notEqual(await to.inputValue(), '')
}

/** An unknown name is not saved; a known one is used before its list is shown. */
async function nameAirline(app: TestApp, ada: TestPerson, page: Page): Promise<void> {
  await openForm(page)
  const airline = page.getByRole('combobox', { name: 'Airline', exact: true })
  await airline.fill('Zzyzx Airways of Nowhere')
  await page.getByRole('button', { name: 'Save flight' }).click()
  await page.getByText(/^No results for “Zzyzx Airways of Nowhere”/).waitFor()
  await page.getByText('Please check: Airline.').waitFor()
  assert.equal(await airline.inputValue(), 'Zzyzx Airways of Nowhere', 'the text stays')
  assert.equal(await airline.getAttribute('aria-invalid'), 'true')
  assert.equal((await flightsOf(app, ada)).length, 1, 'the one from before')
  // The server returns the maximum length of a text.
  await page.getByLabel('Note').fill('x'.repeat(10_001))
  await airline.fill('Lufthansa')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Use at most 10,000 characters.').waitFor()
  assert.equal((await page.getByLabel('Note').inputValue()).length, 10_001)
  await page.getByLabel('Note').fill('short')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL((url) => url.pathname === '/')
  const airlines = (await flightsOf(app, ada)).map(
    (one: { airline: { name: string } | null }) => one.airline?.name,
  )
  assert.match(airlines.join(), /Lufthansa/)
}

/** In the browser's calendar, by pointer and by keyboard; text that is typed afterwards counts too. */
async function pickDay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Neuer Link' }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByText('Weitere Optionen').click()
  const calendar = dialog.locator('input[type=date]').first()
  // The browser opens and closes it in another process.
  const opens = (isWanted: boolean) =>
    until(`the calendar is ${isWanted ? 'open' : 'closed'}`, async () => {
      return (await calendar.evaluate((input) => input.matches(':open'))) === isWanted
    })
  const field = dialog.getByRole('textbox').first()
  const open = dialog.getByRole('button', { name: /^Kalender für/ }).first()
  assert.deepEqual(await overflowOf(page), [])

  await open.click()
  await opens(true)
  await page.keyboard.press('Escape')
  await opens(false)
  assert.equal(await dialog.count(), 1, 'Escape closed the calendar only')
  await open.and(page.locator(':focus')).waitFor()

  await field.focus()
  await page.keyboard.press('ArrowDown')
  await opens(true)
  await page.keyboard.press('Enter')
  await field.and(page.locator(':focus')).waitFor()
  await calendar.fill('2024-05-17')
  assert.equal(await field.inputValue(), '17. Mai 2024')
  await field.fill('2020')
  await field.press('Tab')
  assert.equal(await calendar.inputValue(), '2020-01-01')

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Verwerfen' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Visible while the rest is typed. */
async function requireRouteInSight(page: Page): Promise<void> {
  await pick(page, 'Von', 'CPH', 'CPH')
  await pick(page, 'Nach', 'OSL', 'OSL')
  const preview = page.getByRole('img', { name: /Kopenhagen.*Oslo/ })
  // Content appearing after the focus would move the field.
  await preview.waitFor()
  const note = page.getByLabel('Notiz', { exact: true })
  await note.focus()
  const [shown, field] = [await preview.boundingBox(), await note.boundingBox()]
  assert.ok(shown && field && shown.y >= 0 && shown.y + shown.height <= field.y, 'above the field')
}

async function closeDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function fillDialogs(app: TestApp, owner: TestPerson, page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('More options').click()
  const [first, last] = [dialog.getByRole('textbox').nth(0), dialog.getByRole('textbox').nth(1)]
  await first.fill('1/2/2024')
  await last.fill('13/13/2024')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText(/this day does not exist/).waitFor()
  assert.equal(await first.inputValue(), 'Jan 2, 2024')
  await last.fill('Mar 2024')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('The link is ready.').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  const { data } = (await app.request('GET', '/api/v1/shares', { key: await owner.key() })).json
  assert.deepEqual([data[0].dateFrom, data[0].dateTo], ['2024-01-02', '2024-03-31'])

  await follow(page, '/countries')
  await page.getByRole('button', { name: /^Denmark/ }).click()
  await dialog.getByLabel('Note').fill('x'.repeat(1001))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Use at most 1,000 characters.').waitFor()

  await closeDialog(page)
  await follow(page, '/settings/fields')
  await page.getByRole('button', { name: 'New field' }).click()
  await dialog.getByLabel('Label').fill('Mood')
  await dialog.getByLabel('Type').selectOption('number')
  await dialog.locator('summary').click()
  await dialog.getByRole('textbox', { name: 'Minimum value', exact: true }).fill('low')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/must be a number, for example 1\.5/).waitFor()
  assert.equal(await dialog.count(), 1, 'the dialog stays')
}

async function filterByYear(page: Page): Promise<void> {
  await page.getByText('4 flights').waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  const panel = page.getByRole('dialog')
  await enter(page, 'From date', '2020')
  await enter(page, 'To date', '2020')
  assert.equal(await shownIn(page, 'To date'), 'Dec 31, 2020')
  await panel.getByRole('button', { name: 'Show 2 flights' }).waitFor()
  await box(page, 'To date').fill('then')
  await panel.getByRole('button', { name: 'Show 2 flights' }).click()
  await requireRefused(page, 'To date', /^To date must be a date, for example/)
  await enter(page, 'To date', '')
  await panel.getByRole('button', { name: 'Show 3 flights' }).click()
  await panel.waitFor({ state: 'detached' })
}

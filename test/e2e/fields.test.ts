// No input is lost: times, dates, numbers and names are accepted as people write them, and a form with invalid input is not
// saved.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, overflowOf, pick, requireAccessible } from './browser.ts'

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

async function openForm(page: Page, from = 'From', to = 'To'): Promise<void> {
  await pick(page, from, 'CPH', 'CPH')
  await pick(page, to, 'OSL', 'OSL')
}

journeys('what is typed into the form', 'sqlite', ({ journey, onEachDevice }) => {
  journey(
    'cph, Enter, jfk, Enter, a day, Enter: the flight is saved without a wait',
    async ({ app, open }) => {
      const ada = await app.person()
      const page = await open('/flights/new', { as: ada })
      await heading(page, 'Add flight').waitFor()
      await page.reload()
      await page.getByRole('combobox', { name: 'From' }).and(page.locator(':focus')).waitFor()
      assert.equal(await page.getByRole('listbox').count(), 0, 'nothing covers the form')
      for (const text of ['cph', 'jfk', '20.2.2024']) {
        await page.keyboard.type(text)
        await page.keyboard.press('Enter')
      }
      await page.getByText('Flight saved').waitFor()
      const [flight] = await flightsOf(app, ada)
      assert.deepEqual([flight.from.iata, flight.to.iata, flight.date], ['CPH', 'JFK', '2024-02-20'])
    },
  )

  journey('Tab goes from field to field: clearing one is not on the way', async ({ app, open }) => {
    const page = await open('/flights/new', { as: await app.person() })
    await openForm(page)
    await page.getByRole('combobox', { name: 'From' }).focus()
    await page.keyboard.press('Tab')
    assert.equal(
      await page.evaluate(`document.activeElement?.getAttribute('aria-label')`),
      'Swap departure and arrival airports',
    )
    await page.keyboard.press('Tab')
    const to = page.getByRole('combobox', { name: 'To' })
    await to.and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Clear To' }).click()
    assert.equal(await to.inputValue(), '')
    // A list that scrolls is no stop of its own.
    await page.keyboard.type('san')
    await page.getByRole('option').nth(9).waitFor()
    await page.keyboard.press('Tab')
    await box(page, 'Date').and(page.locator(':focus')).waitFor()
    assert.notEqual(await to.inputValue(), '')
  })

  journey('Escape closes a list and keeps the text, and no results are announced', async ({ app, open }) => {
    const page = await open('/flights/new', { as: await app.person() })
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
    await requireAccessible(page, 'fields that are to be corrected')
  })

  journey('on a phone the route stays in sight while the rest is typed', async ({ app, open }) => {
    const page = await open('/flights/new', { as: await app.person(), device: 'phone' })
    await openForm(page)
    const preview = page.getByRole('img', { name: /Copenhagen.*Oslo/ })
    // What comes after the focus would move the field.
    await preview.waitFor()
    await box(page, 'Note').focus()
    const [shown, note] = [await preview.boundingBox(), await box(page, 'Note').boundingBox()]
    assert.ok(shown && note && shown.y >= 0 && shown.y + shown.height <= note.y, 'above the field')
  })

  journey('1230 in a 12-hour browser is 12:30', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada, locale: 'en-US' })
    await openForm(page)
    await enter(page, 'Date', '2/20/24')
    assert.equal(await shownIn(page, 'Date'), 'Feb 20, 2024')
    await enter(page, 'Departure time', '1230')
    assert.equal(await shownIn(page, 'Departure time'), '12:30 PM')
    // Saved while the field has the focus: its text is parsed first.
    await box(page, 'Arrival time').click()
    await page.keyboard.type('1:45 pm')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Flight saved').waitFor()
    const [flight] = await flightsOf(app, ada)
    assert.equal(flight.date, '2024-02-20')
    assert.equal(flight.departure, '2024-02-20T12:30:00+01:00')
    assert.equal(flight.arrival, '2024-02-20T13:45:00+01:00')
  })

  journey('a half-typed time keeps the form from saving', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada, locale: 'en-US' })
    await openForm(page)
    await box(page, 'Departure time').fill('12:')
    await page.keyboard.press('Enter')
    await requireRefused(page, 'Departure time', /^Departure time is incomplete.*12:30 PM/)
    assert.equal(await shownIn(page, 'Departure time'), '12:', 'the text stays')
    await requireAccessible(page, 'a refused time')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await requireRefused(page, 'Departure time', /^Departure time is incomplete/)
    assert.deepEqual(await flightsOf(app, ada), [])
    for (const [text, message] of [
      ['24:00', /^Departure time: enter midnight as 12:00 AM/],
      ['25:00', /^Departure time: hours must be 0 to 23/],
      ['1260', /^Departure time: minutes must be 00 to 59/],
      ['13 pm', /^Departure time: with AM or PM/],
      ['7:30+1', /^Departure time does not allow a day offset/],
      ['soon', /^Departure time must be a time/],
    ] as const) {
      await enter(page, 'Departure time', text)
      await page.getByText(message).waitFor()
      assert.equal(await shownIn(page, 'Departure time'), text)
    }
    await enter(page, 'Departure time', '12:30')
    await enter(page, 'Date', '31.2.24')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await requireRefused(page, 'Date', /^Date: this day does not exist/)
    // A button that sets the date replaces the text.
    await page.getByRole('button', { name: 'Yesterday' }).click()
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('Flight saved').waitFor()
    assert.match((await flightsOf(app, ada))[0].departure, /T12:30:00/)
  })

  onEachDevice('24 hours, the next day, and a date without a year', async ({ app, open }, device) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada, device })
    await openForm(page)
    await enter(page, 'Date', '20.2.24')
    assert.equal(await shownIn(page, 'Date'), '20 Feb 2024')
    await page.getByText('Tuesday', { exact: true }).waitFor()
    await enter(page, 'Departure time', '0:30 pm')
    assert.equal(await shownIn(page, 'Departure time'), '12:30')
    await enter(page, 'Arrival time', '0750+1')
    assert.equal(await shownIn(page, 'Arrival time'), '07:50')
    assert.equal(await shownIn(page, 'Arrival date'), '21 Feb 2024')
    await enter(page, 'Arrival date', '22 feb')
    assert.equal(await shownIn(page, 'Arrival date'), '22 Feb 2024', 'close to the day of departure')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('Flight saved').waitFor()
    const [flight] = await flightsOf(app, ada)
    assert.equal(flight.departure, '2024-02-20T12:30:00+01:00')
    assert.equal(flight.arrival, '2024-02-22T07:50:00+01:00')
  })

  journey('an arrival typed last gets its day before it is saved', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada })
    await openForm(page)
    await enter(page, 'Date', '2024-02-20')
    await enter(page, 'Departure time', '2355')
    await box(page, 'Arrival time').fill('0105')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Flight saved').waitFor()
    const [flight] = await flightsOf(app, ada)
    assert.equal(flight.arrival, '2024-02-21T01:05:00+01:00')
  })

  journey('in German', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada, locale: 'de-DE' })
    await openForm(page, 'Von', 'Nach')
    await enter(page, 'Datum', '20. März 2024')
    assert.equal(await shownIn(page, 'Datum'), '20. März 2024')
    await enter(page, 'Abflugzeit', '12.30 Uhr')
    assert.equal(await shownIn(page, 'Abflugzeit'), '12:30')
    await enter(page, 'Ankunftszeit', '13.')
    await page.getByRole('button', { name: 'Flug speichern' }).click()
    await requireRefused(page, 'Ankunftszeit', /^Ankunftszeit ist unvollständig/)
    await enter(page, 'Ankunftszeit', '13.45')
    await page.getByRole('button', { name: 'Flug speichern' }).click()
    await page.getByText('Flug gespeichert').waitFor()
    const [flight] = await flightsOf(app, ada)
    assert.equal(flight.date, '2024-03-20')
    assert.equal(flight.arrival, '2024-03-20T13:45:00+01:00')
  })

  journey('a month or a year, and the preference for ISO dates', async ({ app, open }) => {
    const ada = await app.person()
    const cookie = await ada.session()
    await app.request('PUT', '/app/api/preferences', {
      cookie,
      body: { dateFormat: 'iso', timeFormat: '12h' },
    })
    const page = await open('/flights/new', { as: ada })
    await openForm(page)
    await enter(page, 'Date', '20 feb 2024')
    assert.equal(await shownIn(page, 'Date'), '2024-02-20')
    await enter(page, 'Departure time', '19:05')
    assert.equal(await shownIn(page, 'Departure time'), '7:05 PM')
    // With a time, the day is needed.
    await enter(page, 'Date', 'Feb 2024')
    await page.getByText(/^Date also needs the day/).waitFor()
    await enter(page, 'Departure time', '')
    await enter(page, 'Date', 'Feb 2020')
    assert.equal(await page.getByRole('radio', { name: 'Month' }).isChecked(), true)
    assert.equal(await shownIn(page, 'Month'), '2020-02')
    await page.getByRole('radio', { name: 'Year' }).check()
    await enter(page, 'Year', '98')
    assert.equal(await shownIn(page, 'Year'), '1998')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('Flight saved').waitFor()
    const [flight] = await flightsOf(app, ada)
    assert.deepEqual([flight.date, flight.datePrecision], ['1998-01-01', 'year'])
  })

  journey('opening and saving changes nothing', async ({ app, open }) => {
    const ada = await app.person()
    const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('OSL')])
    const stored = [
      {
        date: '2024-02-20',
        departure: '2024-02-20T12:30:45.5+01:00',
        arrival: '2024-02-20T11:40:15Z',
        takeoffActual: '2024-02-20T12:41:07+01:00',
        duration: 4195,
        note: ' two lines\r\nand a space ',
        departureGate: ' A 4',
      },
      { date: '2024-05-17', datePrecision: 'month', departure: '2024-05-17T12:30:45+02:00', duration: 30 },
      { date: '1899-07-03', datePrecision: 'year' },
    ]
    for (const body of stored) {
      const flight = await logFlight(app, ada, { fromId, toId, ...body })
      const read = async () => {
        const { updatedAt: _, ...rest } = (
          await app.request('GET', `/api/v1/flights/${flight.id}`, { key: await ada.key() })
        ).json.data
        return rest
      }
      const before = await read()
      const page = await open(`/flights/${flight.id}/edit`, { as: ada })
      await heading(page, 'Edit flight').waitFor()
      await page.getByRole('button', { name: 'Save flight' }).click()
      await page.getByText('Flight saved').waitFor()
      assert.deepEqual(await read(), before)
    }
    // Another day keeps the seconds, too.
    const [first] = (await flightsOf(app, ada)).filter((one: { date: string }) => one.date === '2024-02-20')
    const page = await open(`/flights/${first.id}/edit`, { as: ada })
    await enter(page, 'Date', '21 feb')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('Flight saved').waitFor()
    const [moved] = (await flightsOf(app, ada)).filter((one: { id: number }) => one.id === first.id)
    assert.equal(moved.date, '2024-02-21')
    assert.equal(moved.departure, '2024-02-21T12:30:45+01:00')
    assert.equal(moved.duration, 4195)
  })

  journey('text that was not read survives a reload', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada })
    await openForm(page)
    await box(page, 'Departure time').fill('12:3')
    await page.reload()
    await page.getByText('Your unsaved changes were restored.').waitFor()
    assert.equal(await shownIn(page, 'Departure time'), '12:3')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await requireRefused(page, 'Departure time', /^Departure time: enter minutes with two digits/)
    await page.getByRole('button', { name: 'Start over' }).click()
    assert.equal(await shownIn(page, 'Departure time'), '')
  })

  journey('an arrival without its day, and a name that is not in the list', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada })
    await openForm(page)
    await enter(page, 'Departure time', '1230')
    await enter(page, 'Arrival time', '1345')
    await enter(page, 'Arrival date', '')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await requireRefused(page, 'Arrival date', /^Enter a date\.$/)
    await enter(page, 'Arrival date', 'today')
    const airline = page.getByRole('combobox', { name: 'Airline', exact: true })
    await airline.fill('Zzyzx Airways of Nowhere')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText(/^No results for “Zzyzx Airways of Nowhere”/).waitFor()
    await page.getByText('Please check: Airline.').waitFor()
    assert.equal(await airline.inputValue(), 'Zzyzx Airways of Nowhere', 'the text stays')
    assert.equal(await airline.getAttribute('aria-invalid'), 'true')
    await requireAccessible(page, 'a name that is not in the list')
    assert.deepEqual(await flightsOf(app, ada), [])
    // A matching entry is used, even if Save is pressed before the list is shown.
    await airline.fill('Lufthansa')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Flight saved').waitFor()
    const [flight] = await flightsOf(app, ada)
    assert.match(flight.airline.name, /Lufthansa/)
    assert.match(flight.arrival, /T13:45:00/)
  })

  journey('text that is too long is refused, not cut', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada })
    await openForm(page)
    await page.getByLabel('Note').fill('x'.repeat(10_001))
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('Use at most 10,000 characters.').waitFor()
    assert.equal((await page.getByLabel('Note').inputValue()).length, 10_001)
    const mark = { cookie: await ada.session(), body: { code: 'DK', status: 'visited' } }
    await app.request('PUT', '/app/api/visited-countries', mark)
    await page.goto('/countries')
    await page.getByRole('button', { name: /^Denmark/ }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('x'.repeat(1001))
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('Use at most 1,000 characters.').waitFor()
  })

  journey('numbers and dates of fields that people define', async ({ app, open }) => {
    const owner = await app.person('owner')
    const cookie = await owner.session()
    for (const [key, label, fieldType] of [
      ['miles', 'Miles', 'number'],
      ['booked', 'Booked on', 'date'],
    ])
      await app.request('POST', '/app/api/custom-fields', {
        cookie,
        body: { entityType: 'flight', key, label, fieldType },
      })
    const page = await open('/flights/new', { as: owner })
    await openForm(page)
    await enter(page, 'Miles', 'many')
    await enter(page, 'Booked on', '1.2.')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await requireRefused(page, 'Miles', /^Miles must be a number/)
    await enter(page, 'Miles', '1,250')
    await page.getByText(/^Miles: enter the number without thousands separators/).waitFor()
    await enter(page, 'Miles', '1250,5')
    assert.equal(await shownIn(page, 'Miles'), '1250.5')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('Flight saved').waitFor()
    const [flight] = await flightsOf(app, owner)
    assert.equal(flight.customFields.miles, 1250.5)
    assert.match(flight.customFields.booked, /^\d{4}-02-01$/)

    await page.goto('/settings/fields')
    await page.getByRole('button', { name: 'New field' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Label').fill('Mood')
    await dialog.getByLabel('Type').selectOption('number')
    await dialog.locator('summary').click()
    await dialog.getByRole('textbox', { name: 'Minimum value', exact: true }).fill('low')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/must be a number, for example 1\.5/).waitFor()
    assert.equal(await dialog.count(), 1, 'the dialog stays')
  })
})

journeys('dates elsewhere', 'sqlite', ({ journey }) => {
  journey('filters take a year, and refuse what is no date', async ({ app, open }) => {
    const ada = await app.person()
    const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('OSL')])
    for (const date of ['2019-12-31', '2020-01-01', '2020-12-31', '2021-01-01'])
      await logFlight(app, ada, { date, fromId, toId })
    const page = await open('/flights', { as: ada })
    await page.getByText('4 flights').waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    const panel = page.getByRole('dialog')
    await enter(page, 'From date', '2020')
    await enter(page, 'To date', '2020')
    assert.equal(await shownIn(page, 'To date'), '31 Dec 2020')
    await panel.getByRole('button', { name: 'Show 2 flights' }).waitFor()
    await box(page, 'To date').fill('then')
    await panel.getByRole('button', { name: 'Show 2 flights' }).click()
    await requireRefused(page, 'To date', /^To date must be a date, for example/)
    await requireAccessible(page, 'a refused date')
    await enter(page, 'To date', '')
    await panel.getByRole('button', { name: 'Show 3 flights' }).click()
    await panel.waitFor({ state: 'detached' })
    // A date in the URL that does not exist is ignored.
    await page.goto('/flights?after=2020-13-45')
    await page.getByText('4 flights').waitFor()
  })

  journey('a share', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/settings/shares', { as: ada, locale: 'en-US' })
    await page.getByRole('button', { name: 'New share' }).click()
    const dialog = page.getByRole('dialog')
    const [first, last] = [dialog.getByRole('textbox').nth(0), dialog.getByRole('textbox').nth(1)]
    await first.fill('1/2/2024')
    await last.fill('13/13/2024')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByText(/this day does not exist/).waitFor()
    assert.equal(await first.inputValue(), 'Jan 2, 2024')
    await last.fill('Mar 2024')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog', { name: 'Your page is public' }).waitFor()
    const { data } = (await app.request('GET', '/api/v1/shares', { key: await ada.key() })).json
    assert.deepEqual([data[0].dateFrom, data[0].dateTo], ['2024-01-02', '2024-03-31'])
  })

  journey('the calendar, by keyboard', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada })
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label') ?? ''")
    const calendar = page.getByRole('dialog', { name: 'Date: choose a date' })
    await enter(page, 'Date', '20 feb 2024')
    assert.equal(await focused(), 'Open the calendar for Date')
    await press('Enter')
    await calendar.waitFor()
    assert.equal(await focused(), 'Tuesday, 20 Feb 2024')
    await requireAccessible(page, 'the calendar')
    await press('ArrowRight', 'ArrowDown')
    assert.equal(await focused(), 'Wednesday, 28 Feb 2024')
    await press('End')
    assert.equal(await focused(), 'Sunday, 3 Mar 2024')
    await press('Home', 'PageUp')
    assert.equal(await focused(), 'Friday, 26 Jan 2024')
    await press('Shift+PageDown', 'PageDown')
    assert.equal(await focused(), 'Wednesday, 26 Feb 2025')
    await press('Escape')
    await calendar.waitFor({ state: 'detached' })
    assert.equal(await focused(), 'Open the calendar for Date')
    assert.equal(await shownIn(page, 'Date'), '20 Feb 2024')
    await press('Enter', 'ArrowUp', 'Enter')
    await calendar.waitFor({ state: 'detached' })
    assert.equal(await shownIn(page, 'Date'), '13 Feb 2024')
    // With the mouse: another month, and closed by a click elsewhere.
    await page.getByRole('button', { name: 'Open the calendar for Date' }).click()
    await calendar.getByRole('button', { name: 'Next month' }).click()
    await calendar.getByRole('button', { name: 'Friday, 1 Mar 2024' }).click()
    assert.equal(await shownIn(page, 'Date'), '1 Mar 2024')
    await page.getByRole('button', { name: 'Open the calendar for Date' }).click()
    await heading(page, 'Add flight').click()
    await calendar.waitFor({ state: 'detached' })
  })

  journey('the calendar in a dialog, narrow and German', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/settings/shares', {
      as: ada,
      device: 'phone',
      viewport: { width: 320, height: 640 },
      locale: 'de-DE',
      colorScheme: 'dark',
    })
    await page.getByRole('button', { name: 'Neue Freigabe' }).click()
    const dialog = page.locator('dialog[open]')
    await dialog
      .getByRole('button', { name: /^Kalender für/ })
      .first()
      .click()
    const calendar = page.locator('[popover]')
    await calendar.waitFor()
    const { x, y, width, height } = (await calendar.boundingBox())!
    assert.ok(x >= 0 && x + width <= 320 && y >= 0 && y + height <= 640, 'all of it is in the window')
    assert.deepEqual(await overflowOf(page), [])
    await requireAccessible(page, 'the calendar in a dialog')
    await page.keyboard.press('Escape')
    await calendar.waitFor({ state: 'detached' })
    assert.equal(await dialog.count(), 1, 'Escape closed the calendar only')
  })
})

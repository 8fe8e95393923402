// A file from the drop to the log and back, with the questions between; on a desktop, on a phone, and by keyboard alone.
import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, overflowOf, requireAccessible } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

const columns =
  'Date,Airline,Flight,From,To,Dep Terminal,Dep Gate,Arr Terminal,Arr Gate,Canceled,Diverted To,Gate Departure (Scheduled),Gate Departure (Actual),Take off (Scheduled),Take off (Actual),Landing (Scheduled),Landing (Actual),Gate Arrival (Scheduled),Gate Arrival (Actual),Aircraft Type Name,Tail Number,PNR,Seat,Seat Type,Cabin Class,Flight Reason,Notes'

interface Line {
  Date: string
  From: string
  To: string
  [column: string]: string
}
const csv = (...lines: Line[]): string =>
  [
    columns,
    ...lines.map((line) =>
      columns
        .split(',')
        .map((name) => line[name] ?? '')
        .join(','),
    ),
  ].join('\n')

const flown = (date: string, from: string, to: string, number: string): Line => ({
  Date: date,
  From: from,
  To: to,
  Flight: number,
  Airline: 'SAS',
  Canceled: 'false',
})

/** Two new flights, one cancelled, one from an unknown airport, one line that cannot be read. */
const file = csv(
  flown('2021-03-04', 'CPH', 'EWR', '909'),
  flown('2021-03-11', 'EWR', 'CPH', '910'),
  { ...flown('2021-04-01', 'CPH', 'LHR', '501'), Canceled: 'true' },
  flown('2021-05-01', 'ZQZQ', 'CPH', '1209'),
  flown('2021-07-32', 'CPH', 'ARN', '1416'),
)

// Of the browser, where they are used.
declare class DataTransfer {
  items: { add(file: File): void }
  setData(type: string, text: string): void
}
declare class ClipboardEvent {
  constructor(type: string, given: { clipboardData: DataTransfer; bubbles: boolean })
}
declare const document: { body: { dispatchEvent(event: ClipboardEvent): void } }

/** As a person drops it; the browser's own gesture cannot be played. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const carried = await page.evaluateHandle(
    ([title, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([text!], title!))
      return data
    },
    [name, content],
  )
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: carried })
  await page.getByText('Drop to import').first().waitFor()
  await page.dispatchEvent('body', 'drop', { dataTransfer: carried })
}

const flightsOf = async (app: TestApp, who: TestPerson): Promise<number> =>
  (await app.request('GET', '/api/v1/flights', { key: await who.key() })).json.data.length

const answerZqzq = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Another airport…' }).click()
  await page.getByRole('combobox', { name: 'Search for the airport' }).fill('billund')
  await page.getByRole('option').filter({ hasText: 'BLL' }).first().click()
  await page.locator('strong', { hasText: 'ZQZQ is BLL' }).waitFor()
}

interface Box {
  clientWidth: number
}

/** Responses about an import say that it is still being read, until they are released. */
function heldReading() {
  let isHeld = true
  return {
    held: async (route: Route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      if (!isHeld) return route.fulfill({ response })
      const none = Object.fromEntries(Object.keys(data.counts).map((name) => [name, 0]))
      const reading = { ...data, status: 'reading', source: null, counts: none, rowsDone: 5 }
      return route.fulfill({ response, json: { data: reading } })
    },
    release: () => {
      isHeld = false
    },
  }
}

journeys('imports', 'sqlite', ({ journey }) => {
  journey('drop a file, answer a question, import, see it, undo and redo', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights', { as: ada })
    await heading(page, 'Flights').waitFor()
    await drop(page, 'FlightyExport.csv', file)
    await heading(page, '5 rows from Flighty').waitFor()
    const sum = page.getByRole('group', { name: 'Rows by what becomes of them' })
    assert.equal(
      (await sum.innerText()).replaceAll(/\s+/g, ' '),
      '5 Rows = 2 New + 1 Question + 1 Left out + 1 Unreadable',
    )
    await page.getByText('Flighty, by its columns').waitFor()
    await requireAccessible(page, 'the preview')
    assert.equal(await flightsOf(app, ada), 0, 'nothing is written before the import')

    await answerZqzq(page)
    await page.getByText('3 new, 0 wait').waitFor()
    await requireAccessible(page, 'an answered question')

    await sum.getByRole('button', { name: 'Left out' }).click()
    await page.getByText('Cancelled, so it is left out').waitFor()
    await page.getByRole('button', { name: 'Include: row 3' }).click()
    await page.getByRole('button', { name: 'Import 4 flights' }).waitFor()
    await sum.getByRole('button', { name: 'Rows' }).click()
    await page.getByRole('checkbox', { name: 'Import row 2' }).click()
    await page.getByRole('button', { name: 'Import 3 flights' }).click()

    await page.getByRole('heading', { name: '3 flights are in your log' }).waitFor()
    await requireAccessible(page, 'the import is done')
    assert.equal(await flightsOf(app, ada), 3)
    const address = new URL(page.url()).pathname
    await page.getByRole('link', { name: 'Show them' }).click()
    await page.getByText('One import').waitFor()
    assert.match(page.url(), /\/\?importId=\d+$/)

    await page.goto(address)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Undone' }).waitFor()
    assert.equal(await flightsOf(app, ada), 0)
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByRole('heading', { name: '3 flights are in your log' }).waitFor()
    assert.equal(await flightsOf(app, ada), 3)
  })

  journey(
    'the same file again opens the earlier import; an edited flight is named before it is removed',
    async ({ app, open }) => {
      const ada = await app.person()
      const page = await open('/', { as: ada })
      await page.getByText('Drop a file anywhere').waitFor()
      await requireAccessible(page, 'the empty map')
      await drop(
        page,
        'one.csv',
        csv(flown('2021-03-04', 'CPH', 'EWR', '909'), flown('2021-03-11', 'EWR', 'CPH', '910')),
      )
      await page.getByRole('button', { name: 'Import 2 flights' }).click()
      await page.getByRole('heading', { name: '2 flights are in your log' }).waitFor()

      const key = await ada.key()
      const { id } = (await app.request('GET', '/api/v1/flights', { key })).json.data[0]
      await app.request('PATCH', `/api/v1/flights/${id}`, { key, body: { note: 'Window seat' } })
      await drop(
        page,
        'copy.csv',
        csv(flown('2021-03-04', 'CPH', 'EWR', '909'), flown('2021-03-11', 'EWR', 'CPH', '910')),
      )
      await page.getByText('You imported this file on').waitFor()

      await page.goto('/settings/imports')
      await page.getByText('2 flights created').waitFor()
      await requireAccessible(page, 'the history')
      await page.getByRole('button', { name: 'Undo one.csv' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('You edited this flight since.').waitFor()
      await dialog.getByRole('link', { name: 'EWR – CPH' }).waitFor()
      await requireAccessible(page, 'what was edited')
      await dialog.getByRole('button', { name: 'Undo, keep the edited' }).click()
      await page.getByRole('button', { name: 'Redo one.csv' }).waitFor()
      assert.equal(await flightsOf(app, ada), 1)
    },
  )

  journey(
    'a duplicate shows what it could add, unticked; a similar flight is decided by the person',
    async ({ app, open }) => {
      const ada = await app.person()
      const page = await open('/flights', { as: ada })
      await heading(page, 'Flights').waitFor()
      await drop(
        page,
        'first.csv',
        csv(flown('2021-03-04', 'CPH', 'EWR', '909'), flown('2022-03-04', 'CPH', 'LHR', '501')),
      )
      await page.getByRole('button', { name: 'Import 2 flights' }).click()
      await page.getByRole('heading', { name: '2 flights are in your log' }).waitFor()

      const second = csv(
        { ...flown('2021-03-04', 'CPH', 'EWR', '909'), 'Dep Gate': 'B7' },
        flown('2022-03-04', 'CPH', 'LHR', '1501'),
      )
      await drop(page, 'second.csv', second)
      await page.getByText('could add Departure gate B7').waitFor()
      await page.getByRole('button', { name: 'Nothing to import' }).waitFor()
      const tick = page.getByRole('checkbox', { name: 'Fill these in when importing, Row 1' })
      assert.equal(await tick.isChecked(), false)
      await tick.click()
      await page.getByRole('button', { name: 'Fill in 1 flight' }).waitFor()

      await page.getByRole('button', { name: 'Decide: row 2' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('In your log', { exact: true }).waitFor()
      await requireAccessible(page, 'two flights side by side')
      await dialog.getByRole('button', { name: 'Two flights' }).click()
      await page.getByRole('button', { name: 'Import 1 flight and fill in' }).click()
      await page.getByRole('heading', { name: '1 flight is in your log' }).waitFor()
      assert.equal(await flightsOf(app, ada), 3)
    },
  )

  journey('an unknown table has its columns confirmed; a row can be corrected', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights', { as: ada })
    await heading(page, 'Flights').waitFor()
    await drop(page, 'mine.csv', 'When,A,B,C\n2019-01-02,CPH,LHR,SK501\n2019-01-05,LHR,CPH,SK502\n')
    await page.getByRole('heading', { name: 'What does each column hold?' }).waitFor()
    await requireAccessible(page, 'the columns')
    await page.getByRole('combobox', { name: 'C', exact: true }).selectOption({ label: 'Note' })
    await page.getByRole('button', { name: 'Read it like this' }).click()
    await page.getByRole('button', { name: 'Import 2 flights' }).waitFor()

    await page.locator('[data-position="0"]').press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Edit before importing' }).click()
    await requireAccessible(page, 'a row to correct')
    await dialog.getByLabel('Flight number').fill('SK1501')
    await dialog.getByLabel('Departure time').fill('2340')
    await dialog.getByLabel('Arrival time').fill('0055')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('SK1501').waitFor()
    await page.getByRole('button', { name: 'Import 2 flights' }).click()
    await page.getByRole('heading', { name: '2 flights are in your log' }).waitFor()
    const { data } = (await app.request('GET', '/api/v1/flights', { key: await ada.key() })).json
    assert.deepEqual(
      data
        .map((flight: Record<string, string>) =>
          ['flightNumber', 'note', 'departure', 'arrival'].map((field) => flight[field]),
        )
        .sort(),
      [
        [null, 'SK502', null, null],
        ['SK1501', 'SK501', '2019-01-02T23:40:00+01:00', '2019-01-03T00:55:00+00:00'],
      ],
    )
  })

  journey(
    'a row that is opened before it was read again is corrected as it is now',
    async ({ app, open }) => {
      const ada = await app.person()
      const page = await open('/flights', { as: ada })
      await heading(page, 'Flights').waitFor()
      await drop(page, 'mine.csv', 'When,A,B,C\n2019-01-02,CPH,LHR,SK501\n')
      await page.getByRole('heading', { name: 'What does each column hold?' }).waitFor()
      await page.locator('[data-position="0"]').waitFor()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/picked-rows*', async (route) => {
        await held
        await route.continue()
      })
      await page.getByRole('combobox', { name: 'C', exact: true }).selectOption({ label: 'Note' })
      await page.getByRole('button', { name: 'Read it like this' }).click()
      await page.getByRole('button', { name: 'Import 1 flight' }).waitFor()
      await page.locator('[data-position="0"]').press('Enter')
      const dialog = page.getByRole('dialog')
      // An old row would have opened after the next frame.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      assert.equal(await dialog.count(), 0)
      release()
      await dialog.getByRole('button', { name: 'Edit before importing' }).click()
      assert.equal(await dialog.getByLabel('Note').inputValue(), 'SK501')
      await dialog.getByLabel('Departure time').fill('2340')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Import 1 flight' }).click()
      await page.getByRole('heading', { name: '1 flight is in your log' }).waitFor()
      const { data } = (await app.request('GET', '/api/v1/flights', { key: await ada.key() })).json
      assert.deepEqual([data[0].note, data[0].departure], ['SK501', '2019-01-02T23:40:00+01:00'])
    },
  )

  journey('what is no file of flights says so and loses nothing', async ({ app, open }) => {
    const page = await open('/flights', { as: await app.person() })
    await heading(page, 'Flights').waitFor()
    await drop(page, 'photo.jpg', '\u0000\u0001 no flights \u0002\u0003')
    await heading(page, 'This file cannot be read').waitFor()
    await requireAccessible(page, 'an unreadable file')
    await page.getByRole('button', { name: 'How do I get my file?' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Flighty' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Flighty' }).waitFor()
    await requireAccessible(page, 'how to get a file')
  })

  journey('an import that could not be discarded goes on', async ({ app, open }) => {
    const page = await open('/flights', { as: await app.person() })
    await heading(page, 'Flights').waitFor()
    await drop(page, 'FlightyExport.csv', file)
    await heading(page, '5 rows from Flighty').waitFor()
    await page.route('**/app/api/imports/*', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByText('The server cannot be reached').waitFor()
    await answerZqzq(page)
    await page.getByRole('button', { name: 'Import 3 flights' }).click()
    await page.getByRole('heading', { name: '3 flights are in your log' }).waitFor()
  })

  journey('on a phone: one question at a time, rows below, done and undone', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/', { as: ada, device: 'phone' })
    await page.getByRole('button', { name: 'Import a file' }).waitFor()
    await requireAccessible(page, 'the empty map')
    await page.setViewportSize({ width: 320, height: 640 })
    assert.deepEqual(await overflowOf(page), [])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('main input[type=file]').setInputFiles({
      name: 'FlightyExport.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(file),
    })
    await heading(page, '5 rows from Flighty').waitFor()
    await requireAccessible(page, 'the preview')
    await page.setViewportSize({ width: 320, height: 640 })
    assert.deepEqual(await overflowOf(page), [])
    await answerZqzq(page)
    await page.getByRole('button', { name: 'Left out' }).tap()
    await page.getByText('Cancelled, so it is left out').waitFor()
    await page.getByRole('button', { name: 'Back' }).tap()
    await page.getByRole('button', { name: 'Import 3 flights' }).tap()
    await page.getByRole('heading', { name: '3 flights are in your log' }).waitFor()
    await requireAccessible(page, 'the import is done')
    await page.getByRole('button', { name: 'Undo' }).tap()
    await page.getByRole('heading', { name: 'Undone' }).waitFor()
    assert.equal(await flightsOf(app, ada), 0)
  })

  journey('by keyboard alone: paste, answer by number, rows, import', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights', { as: ada })
    await heading(page, 'Flights').waitFor()
    const lines = csv(
      flown('2021-03-04', 'CPH', 'EWR', '909'),
      flown('2021-05-01', 'LON', 'CPH', '1209'),
      flown('2021-06-01', 'CPH', 'ARN', '1416'),
    )
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
    }, lines)
    // Nothing is sent before the person says so.
    await page.getByText('Import what you pasted?').waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Import', exact: true }).press('Enter')
    await heading(page, '3 rows from Flighty').waitFor()
    const keys = keyboardOf(page)
    await page.getByRole('heading', { name: 'Which airport is LON?' }).waitFor()
    await keys.requireFocus('3 rows from Flighty', 'the focus starts on the heading')
    // Only with the focus in the questions: speech input types digits.
    await keys.press('1')
    await keys.tabTo('Another airport…')
    assert.equal(await page.getByRole('heading', { name: 'Which airport is LON?' }).count(), 1)
    await keys.press('1')
    await keys.requireSaid(/^LON is .+\. 3 new, 0 wait$/)
    await keys.requireFocus('No open questions', 'the focus stays with the questions')

    // The rows come after the questions; without them, Tab would pass by.
    await page.locator('[data-position="0"]').waitFor()
    await keys.tabToSelector('[data-position="0"]')
    await keys.press('ArrowDown', 'ArrowDown')
    await page.locator('[data-position="2"]:focus').waitFor()
    // While the answer is taken in, no other change is.
    await page.locator('[data-position="2"] input:enabled').waitFor()
    await keys.press('Space')
    await page.getByRole('button', { name: 'Import 2 flights' }).waitFor()
    await keys.press('ArrowUp', 'Enter')
    await page.getByRole('dialog', { name: 'Row 2' }).waitFor()
    await keys.requireTrap()
    await keys.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keys.press('Control+Enter')
    await page.getByRole('heading', { name: '2 flights are in your log' }).waitFor()
    await page.locator('h2:focus', { hasText: 'in your log' }).waitFor()
    assert.equal(await flightsOf(app, ada), 2)
  })

  journey('by keyboard alone: several questions, another airport', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights', { as: ada })
    await heading(page, 'Flights').waitFor()
    await drop(
      page,
      'flights.csv',
      'Flown on,From,To\n03/04/2019,CPH,London\n05/06/2019,Paris,CPH\n07/08/2019,CPH,OSL\n',
    )
    const dates = page.getByRole('heading', { name: '1 When is 03/04/2019 in the column “Flown on”?' })
    await dates.waitFor()
    const keys = keyboardOf(page)
    await keys.push(/^4 March/)
    await keys.requireSaid(/^03\/04\/2019 is 4 March\. \d new, \d wait$/)
    await keys.requireFocus(/^1 Which airport is London\?$/, 'the next question has the focus')
    await keys.push('Another airport…')
    await keys.requireFocus('Search for the airport', 'the search has the focus')
    await keys.choose('STN', 'STN')
    await keys.requireSaid(/^London is STN .+\. \d new, \d wait$/)
    await keys.requireFocus(/^1 Which airport is Paris\?$/, 'the next question has the focus')
    await keys.push(/^Leave th/)
    await keys.requireSaid(/^Paris is left out\. \d new, \d wait$/)
    await keys.requireFocus('No open questions', 'the focus stays with the questions')
    await keys.push(/^Change the answer: When is/)
    await keys.requireFocus(/When is 03/, 'the question that is asked again has the focus')
  })

  journey(
    'while a file is read: the bar fills, the first rows are there, the button waits',
    async ({ app, open }) => {
      const page = await open('/flights', { as: await app.person() })
      await heading(page, 'Flights').waitFor()
      const { held, release } = heldReading()
      await page.route(/\/imports\/\d+$/, held)
      await drop(page, 'FlightyExport.csv', file)
      await heading(page, 'Reading FlightyExport.csv…').waitFor()
      await page.getByRole('checkbox', { name: 'Import row 1' }).waitFor()
      await page.getByText('1 new route', { exact: true }).waitFor()
      const filled = () =>
        page.locator('.sum .bar').evaluate((bar) => {
          const { children, clientWidth } = bar as unknown as { children: Box[]; clientWidth: number }
          return [...children].reduce((sum, part) => sum + part.clientWidth, 0) / clientWidth
        })
      assert.ok((await filled()) > 0.2 && (await filled()) < 0.96, `${await filled()} of the bar`)
      assert.equal(await page.getByRole('checkbox', { name: 'Import row 1' }).isDisabled(), true)
      assert.equal(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled(), true)
      await requireAccessible(page, 'a file that is read')
      release()
      await heading(page, '5 rows from Flighty').waitFor()
      await page.getByRole('button', { name: 'Import 2 flights' }).waitFor()
      assert.ok((await filled()) > 0.96)
    },
  )

  journey('while the flights are written, a row can be looked at', async ({ app, open }) => {
    const page = await open('/flights', { as: await app.person() })
    await heading(page, 'Flights').waitFor()
    await drop(page, 'FlightyExport.csv', file)
    let isWritten = false
    await page.route(/\/imports\/\d+(\/commit)?$/, async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      if (!isWritten && /^(committing|committed)$/.test(json.data.status)) json.data.status = 'committing'
      await route.fulfill({ response, json })
    })
    await page.getByRole('button', { name: 'Import 2 flights' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.locator('[data-position="0"]').press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await requireAccessible(page, 'a row while the flights are written')
    assert.equal(await dialog.getByRole('button', { name: 'Edit before importing' }).count(), 0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    isWritten = true
    await page.getByRole('heading', { name: '2 flights are in your log' }).waitFor()
  })

  journey('booking references can be left out, in German too', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights', { as: ada, locale: 'de-DE', colorScheme: 'dark' })
    await heading(page, 'Flüge').waitFor()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'FlightyExport.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          csv(
            { ...flown('2021-03-04', 'CPH', 'EWR', '909'), PNR: 'Q7RT2M' },
            flown('2021-03-11', 'EWR', 'CPH', '910'),
          ),
        ),
      })
    const keep = page.getByRole('switch', { name: 'Buchungscode behalten' })
    await page.getByText('1 Flug hat einen').waitFor()
    assert.equal(await keep.isChecked(), true)
    await keep.click()
    await page.getByText('Aus: er wird nicht gespeichert').waitFor()
    await requireAccessible(page, 'without booking references')
    await page.getByRole('button', { name: '2 Flüge importieren' }).click()
    await page.getByRole('heading', { name: '2 Flüge sind' }).waitFor()
    const flights = (await app.request('GET', '/api/v1/flights', { key: await ada.key() })).json.data
    assert.deepEqual(
      flights.map(({ bookingReference }: { bookingReference: string | null }) => bookingReference),
      [null, null],
    )
  })

  journey('thousands of rows: few are in the page, the last one is reached', async ({ app, open }) => {
    const page = await open('/flights', { as: await app.person() })
    await heading(page, 'Flights').waitFor()
    const start = Date.UTC(1990, 0, 1)
    const day = (i: number) => new Date(start + i * 86_400_000).toISOString().slice(0, 10)
    const lines = Array.from({ length: 3000 }, (_, i) =>
      flown(day(i), i % 2 ? 'CPH' : 'EWR', i % 2 ? 'EWR' : 'CPH', '909'),
    )
    await drop(page, 'many.csv', csv(...lines))
    await page.getByRole('button', { name: 'Import 3,000 flights' }).waitFor()
    await page.locator('[data-position="0"]').press('End')
    await page.locator('[data-position="2999"]:focus').waitFor()
    await page.getByRole('checkbox', { name: 'Import row 3,000' }).waitFor()
    assert.ok((await page.locator('[data-position]').count()) < 60)
  })
})

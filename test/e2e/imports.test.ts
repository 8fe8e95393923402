// A file from the drop to the log and back, with questions; on a desktop, on a phone, and by keyboard alone.
import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { heading, type Journey, journeys, overflowOf, resize, twoFrames, type Visit } from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { follow } from './screens.ts'

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

/** Two new flights, one cancelled, one from an unknown airport, one unreadable line. */
const file = csv(
  flown('2021-03-04', 'CPH', 'EWR', '909'),
  flown('2021-03-11', 'EWR', 'CPH', '910'),
  { ...flown('2021-04-01', 'CPH', 'LHR', '501'), Canceled: 'true' },
  flown('2021-05-01', 'ZQZQ', 'CPH', '1209'),
  flown('2021-07-32', 'CPH', 'ARN', '1416'),
)

// Browser types, in the functions that run there.
declare class DataTransfer {
  items: { add(file: File): void }
  setData(type: string, text: string): void
}
declare class ClipboardEvent {
  constructor(type: string, given: { clipboardData: DataTransfer; bubbles: boolean })
}
declare const document: { body: { dispatchEvent(event: ClipboardEvent): void } }

/** As dropped by a person; the browser's own gesture cannot be simulated. */
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

/** How much of the bar of sums is filled, 0 to 1. */
const filled = (page: Page) =>
  page.locator('.sum .bar').evaluate((bar) => {
    const { children, clientWidth } = bar as unknown as { children: Box[]; clientWidth: number }
    return [...children].reduce((sum, part) => sum + part.clientWidth, 0) / clientWidth
  })

async function openFlights({ app, open }: Journey, more: Visit = {}) {
  const ada = await app.person()
  const page = await open('/flights', { as: ada, ...more })
  await heading(page, /^(Flights|Flüge)$/).waitFor()
  return { ada, page }
}

const isDone = (page: Page, text: string) => page.getByRole('heading', { name: text }).waitFor()

/** Responses about an import report that it is being read, until they are released. */
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

journeys('imports', 'sqlite', ({ everyday, journey }) => {
  everyday('A dropped file is imported after its question is answered, undone and redone', async (given) => {
    const { app } = given
    const { ada, page } = await openFlights(given)
    await drop(page, 'FlightyExport.csv', file)
    await heading(page, '5 rows from Flighty').waitFor()
    const sum = page.getByRole('group', { name: 'Rows by result' })
    assert.equal(
      (await sum.innerText()).replaceAll(/\s+/g, ' '),
      '5 Rows = 2 New + 1 Question + 1 Left out + 1 Unreadable',
    )
    await page.getByText('Flighty, recognised by its columns').waitFor()
    assert.equal(await flightsOf(app, ada), 0, 'nothing is written before the import')
    await answerZqzq(page)
    await page.getByText('3 new, 0 pending').waitFor()

    await sum.getByRole('button', { name: 'Left out' }).click()
    await page.getByText('Cancelled, so left out').waitFor()
    await page.getByRole('button', { name: 'Include: row 3' }).click()
    await page.getByRole('button', { name: 'Import 4 flights' }).waitFor()
    await sum.getByRole('button', { name: 'Rows' }).click()
    await page.getByRole('checkbox', { name: 'Import row 2' }).click()
    await page.getByRole('button', { name: 'Import 3 flights' }).click()
    await isDone(page, '3 flights are in your log')
    assert.equal(await flightsOf(app, ada), 3)
    await page.getByRole('button', { name: 'Undo' }).click()
    await isDone(page, 'Undone')
    assert.equal(await flightsOf(app, ada), 0)
    await page.getByRole('button', { name: 'Redo' }).click()
    await isDone(page, '3 flights are in your log')
    assert.equal(await flightsOf(app, ada), 3)
    await page.getByRole('link', { name: 'Show them' }).click()
    await page.getByText('One import').waitFor()
    assert.match(page.url(), /\/\?importId=\d+$/)
  })

  journey(
    'The same file opens its import; a duplicate is updated, a similar flight decided, an edited one kept',
    async (given) => {
      const { app } = given
      const { ada, page } = await openFlights(given)
      const first = csv(
        flown('2021-03-04', 'CPH', 'EWR', '909'),
        flown('2021-03-11', 'EWR', 'CPH', '910'),
        flown('2022-03-04', 'CPH', 'LHR', '501'),
      )
      await drop(page, 'one.csv', first)
      await page.getByRole('button', { name: 'Import 3 flights' }).click()
      await isDone(page, '3 flights are in your log')
      await drop(page, 'copy.csv', first)
      await page.getByText('You already imported this file on').waitFor()

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
      await dialog.getByRole('button', { name: 'Two flights' }).click()
      await page.getByRole('button', { name: 'Import 1 flight and fill in' }).click()
      await isDone(page, '1 flight is in your log')
      assert.equal(await flightsOf(app, ada), 4)

      const key = await ada.key()
      const flights = (await app.request('GET', '/api/v1/flights', { key })).json.data
      const edited = flights.find((one: { flightNumber: string }) => /[^1]501$/.test(one.flightNumber))
      await app.request('PATCH', `/api/v1/flights/${edited.id}`, { key, body: { note: 'Window seat' } })
      await follow(page, '/settings/imports')
      await page.getByText('3 flights created').waitFor()
      await page.getByRole('button', { name: 'Undo one.csv' }).click()
      // One added manually, one by the second import.
      await dialog.getByText('You have edited these 2 flights since then.').waitFor()
      await dialog.getByRole('link', { name: 'CPH – EWR' }).waitFor()
      await dialog.getByRole('link', { name: 'CPH – LHR' }).waitFor()
      await dialog.getByRole('button', { name: 'Undo, keep edited flights' }).click()
      await page.getByRole('button', { name: 'Redo one.csv' }).waitFor()
      const left = (await app.request('GET', '/api/v1/flights', { key })).json.data
      assert.deepEqual(left.map(({ date }: { date: string }) => date).sort(), [
        '2021-03-04',
        '2022-03-04',
        '2022-03-04',
      ])
    },
  )

  journey(
    'A file without flights is reported, references are left out, and columns of an unknown table confirmed',
    async (given) => {
      const { ada, page } = await openFlights(given)
      await refuseFile(page)
      await leaveReferencesOut(given, ada, page)
      await confirmColumns(given, ada, page)
    },
  )

  journey('What was left out is found, stays empty unless answered, and is in the receipt', async (given) => {
    const { page } = await openFlights(given)
    await drop(
      page,
      'flights.csv',
      [
        'Date,From,To,Flight,Aircraft',
        '2019-05-01,CPH,ARN,SK1,Zeppelin NT-9',
        '2019-05-02,CPH,ARN,SK1,B738',
        '2019-05-02,CPH,ARN,SK1,B738',
        '2019-05-03,CPH,Stockholm Arlanda,SK1,Zeppelin NT-9',
        '2019-05-04,CPH,Stockholm Arlanda,SK1,B738',
        '2019-05-05,LON,CPH,SK2,B738',
        '2019-05-06,CPH,PAR,SK3,B738',
      ].join('\n'),
    )
    await heading(page, '7 rows from flights.csv').waitFor()
    const sum = page.getByRole('group', { name: 'Rows by result' })
    assert.equal(
      (await sum.innerText()).replaceAll(/\s+/g, ' '),
      '7 Rows = 4 New + 2 Questions + 1 Twice in the file',
    )
    await sum.getByRole('button', { name: 'Twice in the file' }).click()
    await page.getByText('Twice in the file: the same as row 2').waitFor()
    const remarks = page.getByRole('button', { name: 'With a remark' })
    await remarks.click()
    await page.waitForURL(/show=remarks/)
    const rows = page.getByRole('grid').locator('[data-index]')
    await rows.nth(2).waitFor()
    // Names that were taken come before what is only missing.
    assert.match(await rows.nth(0).innerText(), /Found by its name/)
    assert.match(await rows.nth(2).innerText(), /Unknown aircraft/)
    assert.equal(await rows.count(), 3)
    // Digits answer the question with the focus, not the first one.
    await page.getByText('Row 6 · SK2 LON–CPH').waitFor()
    const second = page.locator('.one').nth(1)
    await second.getByRole('button', { name: 'Another airport…' }).focus()
    await page.keyboard.press('1')
    await page.locator('strong', { hasText: /^PAR is / }).waitFor()
    await page.getByText('Zeppelin NT-9 stays empty').waitFor()
    await page.getByRole('button', { name: 'Change the answer: Which aircraft is Zeppelin NT-9?' }).click()
    await page.getByRole('button', { name: 'Another aircraft…' }).click()
    await page.getByRole('combobox', { name: 'Search for the aircraft' }).fill('747-8')
    await page.getByRole('option').first().click()
    await page.locator('strong', { hasText: 'Zeppelin NT-9 is Boeing' }).waitFor()
    await page.getByRole('button', { name: 'Import 5 flights' }).click()
    await isDone(page, '5 flights are in your log')
    const receipt = page.getByRole('region', { name: '5 flights are in your log' })
    await receipt.getByRole('button', { name: /2\s*With a remark/ }).waitFor()
    await receipt.getByRole('button', { name: /1\s*Twice in the file/ }).waitFor()
  })

  journey(
    'On a phone the import shows one question at a time with rows below, and is undone',
    async ({ app, open }) => {
      const ada = await app.person()
      const page = await open('/', { as: ada, device: 'phone' })
      await page.getByRole('button', { name: 'Import a file' }).waitFor()
      await resize(page, { width: 320, height: 640 })
      assert.deepEqual(await overflowOf(page), [])
      await page.locator('main input[type=file]').setInputFiles({
        name: 'FlightyExport.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(file),
      })
      await heading(page, '5 rows from Flighty').waitFor()
      assert.deepEqual(await overflowOf(page), [])
      await answerZqzq(page)
      await page.getByRole('button', { name: 'Left out' }).tap()
      await page.getByText('Cancelled, so left out').waitFor()
      await page.getByRole('button', { name: 'Back' }).tap()
      await page.getByRole('button', { name: 'Import 3 flights' }).tap()
      await isDone(page, '3 flights are in your log')
      await page.getByRole('button', { name: 'Undo' }).tap()
      await isDone(page, 'Undone')
      assert.equal(await flightsOf(app, ada), 0)
    },
  )

  journey(
    'By keyboard alone a pasted file is imported, with answers by number and by search',
    async (given) => {
      const { app } = given
      const { ada, page } = await openFlights(given)
      const keys = keyboardOf(page)
      await paste(
        page,
        csv(
          flown('2021-03-04', 'CPH', 'EWR', '909'),
          flown('2021-05-01', 'LON', 'CPH', '1209'),
          flown('2021-06-01', 'CPH', 'ARN', '1416'),
        ),
      )
      await heading(page, '3 rows from Flighty').waitFor()
      await answerByNumber(page, keys)
      await chooseRows(page, keys)
      await keys.press('Control+Enter')
      await isDone(page, '2 flights are in your log')
      await page.locator('h2:focus', { hasText: 'in your log' }).waitFor()
      assert.equal(await flightsOf(app, ada), 2)

      await drop(
        page,
        'flights.csv',
        'Flown on,From,To\n03/04/2019,CPH,London\n05/06/2019,Paris,CPH\n07/08/2019,CPH,OSL\n',
      )
      await answerSeveral(page, keys)
    },
  )

  journey(
    'Rows are visible while a file is read or written, and only a few of thousands are in the page',
    async (given) => {
      const { page } = await openFlights(given)
      const { held, release } = heldReading()
      await page.route(/\/imports\/\d+$/, held)
      await drop(page, 'FlightyExport.csv', file)
      await heading(page, 'Reading FlightyExport.csv…').waitFor()
      await page.getByRole('checkbox', { name: 'Import row 1' }).waitFor()
      await page.getByText('1 new route', { exact: true }).waitFor()
      await until('a part of the bar is filled', async () => {
        const part = await filled(page)
        return part > 0.2 && part < 0.96
      })
      assert.equal(await page.getByRole('checkbox', { name: 'Import row 1' }).isDisabled(), true)
      assert.equal(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled(), true)
      release()
      await heading(page, '5 rows from Flighty').waitFor()
      await page.getByRole('button', { name: 'Import 2 flights' }).waitFor()
      await until('the bar is filled', async () => (await filled(page)) > 0.96)
      await page.unroute(/\/imports\/\d+$/)
      await lookWhileWritten(page)

      const start = Date.UTC(1990, 0, 1)
      const day = (i: number) => new Date(start + i * 86_400_000).toISOString().slice(0, 10)
      const lines = Array.from({ length: 2000 }, (_, i) =>
        flown(day(i), i % 2 ? 'CPH' : 'EWR', i % 2 ? 'EWR' : 'CPH', '909'),
      )
      await drop(page, 'many.csv', csv(...lines))
      await page.getByRole('button', { name: 'Import 2,000 flights' }).waitFor()
      await page.locator('[data-index="0"]').press('End')
      await page.locator('[data-index="1999"]:focus').waitFor()
      await page.getByRole('checkbox', { name: 'Import row 2,000' }).waitFor()
      assert.ok((await page.locator('[data-index]').count()) < 60)
    },
  )
})

/** With help on getting a readable file. */
async function refuseFile(page: Page): Promise<void> {
  await drop(page, 'photo.jpg', '\u0000\u0001 no flights \u0002\u0003')
  await heading(page, 'This file cannot be read').waitFor()
  await page.getByRole('button', { name: 'How do I get my file?' }).click()
  const help = page.getByRole('dialog')
  await help.getByRole('button', { name: 'Flighty' }).click()
  await help.getByRole('heading', { name: 'Flighty' }).waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
}

/** The import continues if it cannot be discarded. */
async function leaveReferencesOut({ app }: Journey, ada: TestPerson, page: Page): Promise<void> {
  const [booked, other] = [
    { ...flown('2021-03-04', 'CPH', 'EWR', '909'), PNR: 'Q7RT2M' },
    flown('2021-03-11', 'EWR', 'CPH', '910'),
  ]
  await drop(page, 'FlightyExport.csv', csv(booked, other))
  await heading(page, '2 rows from Flighty').waitFor()
  await page.route('**/app/api/imports/*', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
  )
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByText('The server cannot be reached').waitFor()
  const keep = page.getByRole('switch', { name: 'Keep the booking reference' })
  assert.equal(await keep.isChecked(), true)
  await keep.click()
  await page.getByText(/^Off: /).waitFor()
  await page.getByRole('button', { name: 'Import 2 flights' }).click()
  await isDone(page, '2 flights are in your log')
  const flights = (await app.request('GET', '/api/v1/flights', { key: await ada.key() })).json.data
  assert.deepEqual(
    flights.map(({ bookingReference }: { bookingReference: string | null }) => bookingReference),
    [null, null],
  )
}

/** A row is corrected from its latest state. */
async function confirmColumns({ app }: Journey, ada: TestPerson, page: Page): Promise<void> {
  await drop(page, 'mine.csv', 'When,A,B,C\n2019-01-02,CPH,LHR,SK501\n2019-01-05,LHR,CPH,SK502\n')
  await page.getByRole('heading', { name: 'What does each column contain?' }).waitFor()
  await page.locator('[data-index="0"]').waitFor()
  const released = Promise.withResolvers<void>()
  await page.route('**/picked-rows*', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.getByRole('combobox', { name: 'C', exact: true }).selectOption({ label: 'Note' })
  await page.getByRole('button', { name: 'Use these columns' }).click()
  await page.getByRole('button', { name: 'Import 2 flights' }).waitFor()
  // The row is opened before it was loaded again.
  await page.locator('[data-index="0"]').press('Enter')
  const dialog = page.getByRole('dialog')
  // An outdated row would have opened after the next frame.
  await twoFrames(page)
  assert.equal(await dialog.count(), 0)
  released.resolve()
  await dialog.getByRole('button', { name: 'Edit before importing' }).click()
  assert.equal(await dialog.getByLabel('Note').inputValue(), 'SK501')
  await dialog.getByLabel('Flight number').fill('SK1501')
  await dialog.getByLabel('Departure time').fill('2340')
  await dialog.getByLabel('Arrival time').fill('0055')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('SK1501').waitFor()
  await page.getByRole('button', { name: 'Import 2 flights' }).click()
  await isDone(page, '2 flights are in your log')
  const { data } = (await app.request('GET', '/api/v1/flights', { key: await ada.key() })).json
  const fields = ['flightNumber', 'note', 'departure', 'arrival']
  assert.deepEqual(
    data
      .filter(({ date }: { date: string }) => date.startsWith('2019'))
      .map((flight: Record<string, string>) => fields.map((field) => flight[field]))
      .sort(),
    [
      [null, 'SK502', null, null],
      ['SK1501', 'SK501', '2019-01-02T23:40:00+01:00', '2019-01-03T00:55:00+00:00'],
    ],
  )
}

async function paste(page: Page, lines: string): Promise<void> {
  await page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }, lines)
  // Nothing is sent before the person confirms it.
  await page.getByText('Import what you pasted?').waitFor()
  await page.locator('.toast').getByRole('button', { name: 'Import', exact: true }).press('Enter')
}

type Keys = ReturnType<typeof keyboardOf>

async function answerByNumber(page: Page, keys: Keys): Promise<void> {
  await page.getByRole('heading', { name: 'Which airport is LON?' }).waitFor()
  await keys.requireFocus('3 rows from Flighty', 'the focus starts on the heading')
  // Only with the focus in the questions, because speech input types digits.
  await keys.press('1')
  await keys.tabTo('Another airport…')
  assert.equal(await page.getByRole('heading', { name: 'Which airport is LON?' }).count(), 1)
  await keys.press('1')
  await keys.requireSaid(/^LON is .+\. 3 new, 0 pending$/)
  await keys.requireFocus('No open questions', 'the focus stays with the questions')
}

/** Leaves the third row out and looks at the second. */
async function chooseRows(page: Page, keys: Keys): Promise<void> {
  // The rows come after the questions; without them, Tab would skip them.
  await page.locator('[data-index="0"]').waitFor()
  await keys.tabToSelector('[data-index="0"]')
  await keys.press('ArrowDown', 'ArrowDown')
  await page.locator('[data-index="2"]:focus').waitFor()
  // While the answer is processed, no other change is possible.
  await page.locator('[data-index="2"] input:enabled').waitFor()
  await keys.press('Space')
  await page.getByRole('button', { name: 'Import 2 flights' }).waitFor()
  await keys.press('ArrowUp', 'Enter')
  await page.getByRole('dialog', { name: 'Row 2' }).waitFor()
  await keys.requireTrap()
  await keys.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function answerSeveral(page: Page, keys: Keys): Promise<void> {
  await page.getByRole('heading', { name: '1 Which day is 03/04/2019 in the column “Flown on”?' }).waitFor()
  await keys.push(/^4 March/)
  await keys.requireSaid(/^03\/04\/2019 is 4 March\. \d new, \d pending$/)
  await keys.requireFocus(/^1 Which airport is London\?$/, 'the next question has the focus')
  await keys.push('Another airport…')
  await keys.requireFocus('Search for the airport', 'the search has the focus')
  await keys.choose('STN', 'STN')
  await keys.requireSaid(/^London is STN .+\. \d new, \d pending$/)
  await keys.requireFocus(/^1 Which airport is Paris\?$/, 'the next question has the focus')
  await keys.push(/^Leave out \d/)
  await keys.requireSaid(/^Paris is left out\. \d new, \d pending$/)
  await keys.requireFocus('No open questions', 'the focus stays with the questions')
  await keys.push(/^Change the answer: Which day is/)
  await keys.requireFocus(/Which day is 03/, 'the question that is asked again has the focus')
}

/** Imports two flights; the server reports that they are being written until a row was opened. */
async function lookWhileWritten(page: Page): Promise<void> {
  let isWritten = false
  const address = /\/imports\/\d+(\/commit)?$/
  await page.route(address, async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    if (!isWritten && /^(committing|committed)$/.test(json.data.status)) json.data.status = 'committing'
    await route.fulfill({ response, json })
  })
  await page.getByRole('button', { name: 'Import 2 flights' }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await page.locator('[data-index="0"]').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Edit before importing' }).count(), 0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  isWritten = true
  await isDone(page, '2 flights are in your log')
  await page.unroute(address)
}

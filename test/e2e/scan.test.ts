// From a boarding pass to a saved flight: Chromium with a camera that shows a film, on a phone and on a desktop.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { dayFromNow, heading, type Journey, journeys, overflowOf, requireAccessible } from './browser.ts'
import { cameraArguments, dayOfYear, passFilm, passPicture, passText } from './passes.ts'
import { follow } from './screens.ts'

const leg = (from: string, to: string, carrier: string, number: string, date: string) => ({
  from,
  to,
  carrier,
  number,
  day: dayOfYear(date),
})
const own = passText('LOVELACE/ADA MRS', [leg('CPH', 'EWR', 'SK', '909', dayFromNow(5))])
const twoLegs = passText('LOVELACE/ADA', [
  leg('HAM', 'FRA', 'LH', '13', dayFromNow(5)),
  leg('FRA', 'SIN', 'LH', '778', dayFromNow(6)),
])
const hers = passText('HOPPER/GRACEMRS', [leg('LHR', 'JFK', 'BA', '117', dayFromNow(5))])
const train = passText('LOVELACE/ADA', [leg('QKL', 'FRA', 'LH', '3611', dayFromNow(5))])

/** Everything that the browser sends. */
function recorded(context: BrowserContext): string[] {
  const sent: string[] = []
  context.on('request', (request) => {
    sent.push(decodeURIComponent(`${request.method()} ${request.url()} ${request.postData() ?? ''}`))
  })
  return sent
}

/** Asserts that neither the text of the code, nor the name or the booking reference in it, was sent. */
function requireUnsent(sent: readonly string[], text: string): void {
  assert.ok(
    sent.some((line) => line.startsWith('POST') && line.includes('/flights')),
    'requests are seen',
  )
  for (const secret of [text, text.slice(2, 22).trim(), 'ABC123'])
    assert.deepEqual(
      sent.filter((line) => line.includes(secret)),
      [],
    )
}

async function adaOf(app: TestApp): Promise<TestPerson> {
  const ada = await app.person('role-administrator')
  const body = { username: ada.username, displayName: 'Ada Lovelace' }
  await app.request('PUT', '/app/api/me', { cookie: await ada.session(), body })
  return ada
}

const listFlights = async (app: TestApp, person: TestPerson) =>
  (await app.request('GET', '/api/v1/flights', { key: await person.key() })).json.data

const pill = (page: Page) => page.getByRole('status').filter({ hasText: /\w/ })
const save = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** The service worker has everything that the scanner needs. */
const untilKept = (page: Page) =>
  until('the scanner is kept', () =>
    page.evaluate<boolean>(`(async () => {
      const names = await caches.keys()
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      const urls = all.flat().map(({ url }) => url).join()
      const parts = ['.wasm', 'api/line-data', 'api/session']
      return navigator.serviceWorker.controller !== null && parts.every((one) => urls.includes(one))
    })()`),
  )

/** Runs in the page: every text of a status, in `said`. */
const noteWhatIsSaid = `{
  window.said = []
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('[role=status]')) said.push(textContent)
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
}`

/** Resolves when the airports are loaded. */
const requireReady = (page: Page, name: string) => page.locator('button:enabled', { hasText: name }).waitFor()

async function choosePhoto(page: Page, buffer: Buffer): Promise<void> {
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer }
  await page.locator('input[type=file]').setInputFiles(photo)
}

journeys(
  'a turned and blurred PDF417',
  'sqlite',
  ({ journey }) => {
    journey(
      'A pass is added, scanned and saved on a phone in three taps, and its year, times and reference changed',
      async (given) => {
        const { app, open } = given
        const ada = await adaOf(app)
        const earlier = await logEarlier(app, ada)
        const page = await open('/flights', { as: ada, device: 'phone' })
        await scanInThreeTaps(given, ada, page)
        await chooseOtherYear(given, ada, page, earlier)
      },
    )

    journey(
      'Offline after the first visit, a scanned flight is kept and sent once, in German and a narrow window',
      async (given) => {
        const { app, open } = given
        const ada = await adaOf(app)
        const viewport = { width: 320, height: 640 }
        const visit = { device: 'phone', viewport, locale: 'de-DE', serviceWorkers: 'allow' } as const
        const page = await open('/flights', { as: ada, ...visit })
        // The reader, the airports and the app itself are cached without a visit of the scanner.
        await untilKept(page)
        await page.context().setOffline(true)
        await page.goto('/scan')
        assert.deepEqual(await overflowOf(page), [])
        await heading(page, 'CPH nach EWR').waitFor()
        await page
          .getByText('Keine Verbindung. Flüge werden gespeichert, sobald der Server erreichbar ist.')
          .waitFor()
        await requireReady(page, 'Flug speichern')
        assert.deepEqual(await overflowOf(page), [])
        await save(page, 'Flug speichern').tap()
        await page.getByText('Keine Verbindung. Der Flug bleibt auf diesem Gerät', { exact: false }).waitFor()
        assert.deepEqual(await listFlights(app, ada), [])
        await page.context().setOffline(false)
        await page.getByText('Die Änderung an SK909 wurde gesendet.').waitFor()
        assert.equal((await listFlights(app, ada)).length, 1)
      },
    )
  },
  {},
  {},
  async () => cameraArguments(await passFilm({ text: own, format: 'PDF417', angle: -7, blur: 2 })),
)

journeys(
  'a scanned train ticket',
  'sqlite',
  ({ journey }) => {
    journey(
      'A train ticket is named and the camera keeps looking; photos of every kind of pass are read',
      async (given) => {
        const { app, open } = given
        const ada = await adaOf(app)
        const page = await open('/scan', { as: ada, device: 'phone' })
        await pill(page).filter({ hasText: 'A train ticket. Still looking for a flight.' }).waitFor()
        await choosePhoto(page, await passPicture('https://example.org/menu', 'QRCode'))
        const menu = 'This code is a web address (example.org), not a boarding pass.'
        await pill(page).filter({ hasText: menu }).waitFor()
        await choosePhoto(page, await passPicture(twoLegs, 'Aztec'))
        await saveTwoLegs(given, ada, page)
        await follow(page, '/scan')
        await choosePhoto(page, await passPicture(hers, 'QRCode'))
        await saveForGuest(given, ada, page)
      },
    )
  },
  {},
  {},
  async () => cameraArguments(await passFilm({ text: train, format: 'DataMatrix', angle: -10, blur: 1 })),
)

journeys('without a camera', 'sqlite', ({ journey }) => {
  journey('A photo, a dropped picture and a typed line work without a camera', async ({ app, open }) => {
    const ada = await adaOf(app)
    const page = await open('/scan', { as: ada, permissions: [] })
    await page.getByRole('dialog', { name: 'Boarding pass' }).waitFor()
    await page.getByRole('heading', { name: /^(?:Camera access is blocked|No camera found)$/ }).waitFor()
    await requireAccessible(page, 'no camera')
    await choosePhoto(page, blank)
    await pill(page).filter({ hasText: 'No code was found in this picture.' }).waitFor()
    await page.getByRole('button', { name: 'Type it' }).click()
    await page.getByRole('combobox', { name: /./ }).first().waitFor()

    await page.keyboard.press('Escape')
    await follow(page, '/flights')
    const sent = recorded(page.context())
    await drop(page, 'pass.png', 'image/png', await passPicture(own, 'PDF417'))
    await heading(page, 'CPH to EWR').waitFor()
    assert.ok(!sent.some((line) => line.startsWith('POST')), 'a picture is not sent')
    await follow(page, '/flights')
    await drop(page, 'blank.png', 'image/png', blank)
    await page.getByText('No code was found in this picture.', { exact: false }).waitFor()
    await drop(page, 'log.csv', 'text/csv', Buffer.from('date,from,to\n2024-02-20,CPH,EWR\n'))
    await page.waitForURL(/\/import\/\d+/)
  })
})

journeys('the share target', 'sqlite', ({ journey }) => {
  journey('A shared picture opens its pass, and shared files are sent after confirmation', async (given) => {
    const { app, open } = given
    const ada = await adaOf(app)
    const page = await open('/flights', { as: ada, device: 'phone', serviceWorkers: 'allow' })
    await untilKept(page)
    const manifest = JSON.parse((await app.request('GET', '/manifest.webmanifest')).text)
    const { action, method, enctype, params } = manifest.share_target
    assert.deepEqual([action, method, enctype], ['/import/shared', 'POST', 'multipart/form-data'])
    const sent = recorded(page.context())
    const imports = () => sent.filter((line) => /POST .*\/app\/api\/imports/.test(line)).length
    const field = params.files[0].name
    const picture = { name: 'pass.png', type: 'image/png', bytes: await passPicture(own, 'Aztec') }
    await share(page, action, field, picture)
    await heading(page, 'CPH to EWR').waitFor()
    await share(page, action, field, csv('log.csv', '2024-02-20'))
    await page.getByRole('heading', { name: 'log.csv' }).waitFor()
    assert.equal(imports(), 0)
    await page.getByRole('button', { name: 'Import it' }).tap()
    await page.waitForURL(/\/import\/\d+/)
    assert.equal(imports(), 1)
    await share(page, action, params.text, { bytes: Buffer.from(own) })
    await heading(page, 'CPH to EWR').waitFor()
    await follow(page, '/import/shared')
    await page.getByText('Nothing was shared').waitFor()
    assert.equal(imports(), 1)

    // Several files become an import each; pictures among them are not forgotten.
    const files = [
      csv('first.csv', '2024-03-20'),
      { ...picture, bytes: blank },
      csv('second.csv', '2024-03-21'),
    ]
    await share(page, action, field, ...files)
    await page.getByRole('heading', { name: 'first.csv, second.csv' }).waitFor()
    await page.getByText('One picture was left out.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Import 2 files' }).tap()
    await page.waitForURL(/\/settings\/data$/)
    const { json } = await app.request('GET', '/api/v1/imports', { key: await ada.key() })
    const names = json.data.map(({ filename }: { filename: string }) => filename)
    assert.deepEqual(names.sort(), ['first.csv', 'log.csv', 'second.csv'])
  })
})

/** The same flight two months ago, with times; returns its day. */
async function logEarlier(app: TestApp, ada: TestPerson): Promise<string> {
  const earlier = dayFromNow(-60)
  const body = {
    date: earlier,
    fromId: await app.airportId('CPH'),
    toId: await app.airportId('EWR'),
    flightNumber: 'SK 0909',
    departure: `${earlier}T11:20:00Z`,
    arrival: `${earlier}T20:05:00Z`,
    passengers: [{ userId: ada.id }],
  }
  const created = await app.request('POST', '/app/api/flights', { cookie: await ada.session(), body })
  assert.equal(created.status, 201, created.text)
  return earlier
}

async function scanInThreeTaps({ app }: Journey, ada: TestPerson, page: Page): Promise<void> {
  const sent = recorded(page.context())
  // The result is announced for half a second: the page records it, however busy the machine is.
  await page.evaluate(noteWhatIsSaid)
  await page.getByRole('button', { name: 'Add flight' }).tap()
  await page.getByRole('link', { name: 'Scan a boarding pass' }).tap()
  await heading(page, 'CPH to EWR').waitFor()
  const said = await page.evaluate<string[]>('said')
  assert.ok(
    said.some((text) => text.includes('SK909, ')),
    said.join(' · '),
  )
  await page.getByText('Copenhagen to Newark', { exact: true }).waitFor()
  await page.getByText('LOVELACE/ADA MRS is you').waitFor()
  await page.getByText('No year on the pass: latest possible day').waitFor()
  await requireReady(page, 'Save flight')
  // The scanner is not among the screens: it needs a camera, or a photo.
  await requireAccessible(page, 'the result')
  await save(page, 'Save flight').tap()
  await page.waitForURL((url) => url.pathname === '/')
  // The result is shown until the map is loaded.
  await page.getByRole('application').waitFor()
  const date = dayFromNow(5)
  const flight = (await listFlights(app, ada)).find((one: { date: string }) => one.date === date)
  assert.equal(`${flight.from.iata} ${flight.to.iata}`, 'CPH EWR')
  assert.equal(`${flight.flightNumber} ${flight.airline.iata}`, 'SK909 SK')
  assert.equal(flight.bookingReference, null)
  const [{ user, seatNumber, seatClass }] = flight.passengers
  assert.deepEqual([user.id, seatNumber, seatClass], [ada.id, '12A', 'economy'])
  requireUnsent(sent, own)
}

async function chooseOtherYear(
  { app }: Journey,
  ada: TestPerson,
  page: Page,
  earlier: string,
): Promise<void> {
  await follow(page, '/scan')
  await heading(page, 'CPH to EWR').waitFor()
  // The same pass is known now.
  await page.getByText('You already have this flight').waitFor()
  assert.ok(await save(page, 'Nothing to save').isDisabled())
  await page.getByRole('button', { name: 'Save anyway' }).tap()
  assert.ok(await save(page, 'Save flight').isEnabled())
  await page.getByRole('button', { name: /^Use 20\d\d$/ }).tap()
  await page.getByText('No year on the pass: your choice').waitFor()
  await page.getByText('2 times in your log').waitFor()
  await page.getByRole('button', { name: /^Add the times of/ }).tap()
  await page.getByRole('switch', { name: 'Keep the booking reference' }).tap()
  await page.getByText('ABC123 is stored with the flight').waitFor()
  await save(page, 'Next pass').tap()
  const known = [earlier, dayFromNow(5)]
  const flight = await until('the flight is saved', async () =>
    (await listFlights(app, ada)).find(({ date }: { date: string }) => !known.includes(date)),
  )
  const year = Number(dayFromNow(5).slice(0, 4))
  assert.ok([year - 1, year + 1].includes(Number(flight.date.slice(0, 4))), flight.date)
  assert.equal(flight.bookingReference, 'ABC123')
  assert.ok(flight.departure && flight.arrival)
  // The camera is on again.
  await heading(page, 'CPH to EWR').waitFor()
}

async function saveTwoLegs({ app }: Journey, ada: TestPerson, page: Page): Promise<void> {
  await heading(page, '2 flights on this pass').waitFor()
  await page.getByRole('region', { name: 'FRA to SIN' }).waitFor()
  await requireReady(page, 'Save 2 flights')
  await save(page, 'Save 2 flights').tap()
  await page.getByText('2 flights saved').waitFor()
  const flights = await listFlights(app, ada)
  assert.deepEqual(
    flights.map((one: { flightNumber: string; date: string }) => `${one.flightNumber} ${one.date}`).sort(),
    [`LH13 ${dayFromNow(5)}`, `LH778 ${dayFromNow(6)}`],
  )
}

/** Another person's pass is logged for the person who is chosen. */
async function saveForGuest({ app }: Journey, ada: TestPerson, page: Page): Promise<void> {
  const people = page.getByRole('group', { name: 'GRACE HOPPER: log for' })
  await people.waitFor()
  assert.ok(await save(page, 'First choose who it is for').isDisabled())
  await requireAccessible(page, 'the question for whom')
  await people.getByRole('button', { name: 'Grace Hopper' }).tap()
  await people.getByRole('button', { name: 'Ada Lovelace (you)' }).tap()
  await save(page, 'Save flight').tap()
  await page.getByText('BA117 saved').waitFor()
  const flights = await listFlights(app, ada)
  const flight = flights.find((one: { flightNumber: string }) => one.flightNumber === 'BA117')
  const seats = flight.passengers.map((one: { guestName: string | null; seatNumber: string | null }) => [
    one.guestName,
    one.seatNumber,
  ])
  assert.deepEqual(
    seats.sort(),
    [
      ['Grace Hopper', '12A'],
      [null, null],
    ].sort(),
  )
}

interface SharedFile {
  /** None for a text. */
  name?: string
  type?: string
  bytes: Buffer
}

const csv = (name: string, date: string): SharedFile => ({
  name,
  type: 'text/csv',
  bytes: Buffer.from(`date,from,to\n${date},CPH,EWR\n`),
})

/** What a phone's share sheet does: it submits a form to the address of the manifest. */
async function share(page: Page, action: string, field: string, ...files: SharedFile[]): Promise<void> {
  const encoded = files.map(({ name, type, bytes }) => [name, type, bytes.toString('base64')])
  await page.evaluate(`(([to, fieldName, files]) => {
    const create = (tag, fields) => Object.assign(document.createElement(tag), fields)
    const form = create('form', { action: to, method: 'post', enctype: 'multipart/form-data' })
    const isText = files[0][0] === null
    const input = create('input', { name: fieldName, type: isText ? 'text' : 'file', multiple: true })
    const data = new DataTransfer()
    for (const [name, type, encoded] of files) {
      const text = atob(encoded)
      const content = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
      if (isText) input.value = text
      else data.items.add(new File([content], name, { type }))
    }
    if (!isText) input.files = data.files
    form.append(input)
    document.body.append(form)
    form.submit()
  })(${JSON.stringify([action, field, encoded])})`)
}

/** One white pixel. */
const blank = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
)

async function drop(page: Page, name: string, type: string, bytes: Buffer): Promise<void> {
  const given = JSON.stringify([name, type, bytes.toString('base64')])
  await page.evaluate(`(([fileName, fileType, encoded]) => {
    const data = new DataTransfer()
    const content = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
    data.items.add(new File([content], fileName, { type: fileType }))
    const at = document.getElementById('main')
    at.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer: data }))
    at.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))
  })(${given})`)
}

// From a boarding pass to a saved flight: Chromium with a camera that shows a film, on a phone and on a desktop.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { dayFromNow, heading, journeys, overflowOf, requireAccessible, type Suite } from './browser.ts'
import {
  type CodeFormat,
  cameraArguments,
  dayOfYear,
  passFilm,
  passPicture,
  passText,
  type Shot,
} from './passes.ts'

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

/** Everything that leaves the browser. */
function recorded(context: BrowserContext): string[] {
  const sent: string[] = []
  context.on('request', (request) => {
    sent.push(decodeURIComponent(`${request.method()} ${request.url()} ${request.postData() ?? ''}`))
  })
  return sent
}

/** Neither the text of the code, nor the name or the booking reference in it. */
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

/** A suite with a camera that shows this code. */
function withCamera(name: string, shot: Shot, define: (suite: Suite) => void): void {
  journeys(name, 'sqlite', define, {}, {}, async () => cameraArguments(await passFilm(shot)))
}
const pill = (page: Page) => page.getByRole('status').filter({ hasText: /\w/ })
const save = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Resolves when the service worker has everything that the scanner needs. */
const kept = `new Promise((resolve) => {
  const look = async () => {
    const names = await caches.keys()
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    const urls = all.flat().map(({ url }) => url).join()
    const isKept =
      navigator.serviceWorker.controller && ['.wasm', 'api/line-data', 'api/session'].every((one) => urls.includes(one))
    return isKept ? resolve() : setTimeout(look, 200)
  }
  look()
})`

/** Runs in the page: every text of a status, in `said`. */
const noteWhatIsSaid = `{
  window.said = []
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('[role=status]')) said.push(textContent)
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
}`

/** The airports are known. */
const requireReady = (page: Page, name: string) => page.locator('button:enabled', { hasText: name }).waitFor()

withCamera(
  'a turned and blurred PDF417',
  { text: own, format: 'PDF417', angle: -7, blur: 2 },
  ({ journey }) => {
    journey('add, scan, save: three taps on a phone', async ({ app, open }) => {
      const ada = await adaOf(app)
      const page = await open('/flights', { as: ada, device: 'phone' })
      const sent = recorded(page.context())
      // What was found is said for half a second: the page notes it, however busy the machine is.
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
      await page.getByText('No year on the pass: nearest day').waitFor()
      await requireReady(page, 'Save flight')
      await requireAccessible(page, 'the result')
      await save(page, 'Save flight').tap()
      await page.waitForURL((url) => url.pathname === '/')
      const [flight] = await listFlights(app, ada)
      assert.equal(`${flight.from.iata} ${flight.to.iata} ${flight.date}`, `CPH EWR ${dayFromNow(5)}`)
      assert.equal(`${flight.flightNumber} ${flight.airline.iata}`, 'SK909 SK')
      assert.equal(flight.bookingReference, null)
      const [{ user, seatNumber, seatClass }] = flight.passengers
      assert.deepEqual([user.id, seatNumber, seatClass], [ada.id, '12A', 'economy'])
      requireUnsent(sent, own)
    })

    journey(
      'the other year, the times of an earlier flight, and the reference are a press away',
      async ({ app, open }) => {
        const ada = await adaOf(app)
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
        const page = await open('/scan', { as: ada, device: 'phone', colorScheme: 'dark' })
        await heading(page, 'CPH to EWR').waitFor()
        await page.getByText('1 time in your log').waitFor()
        const lastYear = Number(dayFromNow(5).slice(0, 4)) - 1
        const other = page.getByRole('button', { name: /^Use 20\d\d$/ })
        await other.tap()
        await page.getByText('No year on the pass: your choice').waitFor()
        await page.getByRole('button', { name: /^Add the times of/ }).tap()
        await page.getByRole('switch', { name: 'Keep the booking reference' }).tap()
        await page.getByText('ABC123 is stored with the flight').waitFor()
        await requireAccessible(page, 'the result with choices, dark')
        await save(page, 'Next pass').tap()
        await page.getByText('SK909 saved').waitFor()
        const flight = (await listFlights(app, ada)).find(({ date }: { date: string }) => date !== earlier)
        assert.ok([lastYear, lastYear + 2].includes(Number(flight.date.slice(0, 4))), flight.date)
        assert.equal(flight.bookingReference, 'ABC123')
        assert.ok(flight.departure && flight.arrival)
        // The camera is on again, and the same pass is known now.
        await heading(page, 'CPH to EWR').waitFor()
        await page.getByRole('button', { name: /^Use 20\d\d$/ }).tap()
        await page.getByText('You have this flight').waitFor()
        assert.ok(await save(page, 'Nothing to save').isDisabled())
        await page.getByRole('button', { name: 'Save anyway' }).tap()
        assert.ok(await save(page, 'Save flight').isEnabled())
      },
    )

    journey(
      'without a connection after the first visit; what is saved waits and is sent once',
      async ({ app, open }) => {
        const ada = await adaOf(app)
        const page = await open('/flights', { as: ada, device: 'phone', serviceWorkers: 'allow' })
        // The reader, the airports and the app itself are kept without a visit of the scanner.
        await page.evaluate(kept)
        await page.context().setOffline(true)
        await page.goto('/scan')
        await heading(page, 'CPH to EWR').waitFor()
        await page.getByText('No connection: saving waits until the server can be reached.').waitFor()
        await requireReady(page, 'Save flight')
        await save(page, 'Save flight').tap()
        await page.getByText('No connection. The flight is kept on this device', { exact: false }).waitFor()
        assert.deepEqual(await listFlights(app, ada), [])
        await page.context().setOffline(false)
        await page.getByText('SK909 was sent to the server').waitFor()
        assert.equal((await listFlights(app, ada)).length, 1)
      },
    )

    journey('in a dialog on a desktop, in German, and at 320 pixels', async ({ app, open }) => {
      const ada = await adaOf(app)
      const desktop = await open('/scan', { as: ada, locale: 'de-DE' })
      await desktop.getByRole('dialog', { name: 'Bordkarte' }).waitFor()
      await requireAccessible(desktop, 'the dialog')
      await heading(desktop, 'CPH nach EWR').waitFor()
      await requireReady(desktop, 'Flug speichern')
      await requireAccessible(desktop, 'the result on a desktop')
      const viewport = { width: 320, height: 640 }
      const small = await open('/scan', { as: ada, device: 'phone', viewport, locale: 'de-DE' })
      assert.deepEqual(await overflowOf(small), [])
      await heading(small, 'CPH nach EWR').waitFor()
      assert.deepEqual(await overflowOf(small), [])
    })

    journey('the browser’s own detector is used where it knows all four codes', async ({ app, open }) => {
      const ada = await adaOf(app)
      const page = await open('/flights', { as: ada, device: 'phone' })
      // Chromium on Linux has none: this one stands for that of a phone.
      await page.addInitScript((text) => {
        Object.assign(globalThis, {
          BarcodeDetector: class {
            static getSupportedFormats() {
              return Promise.resolve(['aztec', 'pdf417', 'qr_code', 'data_matrix', 'ean_13'])
            }
            detect = async () => [
              {
                rawValue: text,
                cornerPoints: [0, 1, 2, 3].map((i) => ({ x: 100 + (i % 2) * 50, y: 100 + (i >> 1) * 50 })),
              },
            ]
          },
        })
      }, hers)
      const sent = recorded(page.context())
      await page.goto('/scan')
      await heading(page, 'LHR to JFK').waitFor()
      assert.ok(!sent.some((line) => line.includes('.wasm')), 'zxing is not loaded')
    })

    journey('a detector that knows fewer codes, or fails, is not used', async ({ app, open }) => {
      const ada = await adaOf(app)
      for (const formats of [['qr_code'], ['aztec', 'pdf417', 'qr_code', 'data_matrix']]) {
        const page = await open('/flights', { as: ada, device: 'phone' })
        await page.addInitScript((known) => {
          Object.assign(globalThis, {
            BarcodeDetector: class {
              static getSupportedFormats() {
                return Promise.resolve(known)
              }
              detect = async () => {
                throw new DOMException('Barcode detection service unavailable.', 'NotSupportedError')
              }
            },
          })
        }, formats)
        await page.goto('/scan')
        await heading(page, 'CPH to EWR').waitFor()
      }
    })
  },
)

withCamera(
  'an Aztec code with two legs',
  { text: twoLegs, format: 'Aztec', angle: 12, blur: 2 },
  ({ journey }) => {
    journey('becomes two flights', async ({ app, open }) => {
      const ada = await adaOf(app)
      const page = await open('/scan', { as: ada, device: 'phone' })
      await heading(page, '2 flights on this pass').waitFor()
      await page.getByRole('region', { name: 'FRA to SIN' }).waitFor()
      await requireReady(page, 'Save 2 flights')
      await requireAccessible(page, 'two legs')
      await save(page, 'Save 2 flights').tap()
      await page.getByText('2 flights saved').waitFor()
      const flights = await listFlights(app, ada)
      assert.deepEqual(
        flights
          .map((one: { flightNumber: string; date: string }) => `${one.flightNumber} ${one.date}`)
          .sort(),
        [`LH13 ${dayFromNow(5)}`, `LH778 ${dayFromNow(6)}`],
      )
    })
  },
)

withCamera(
  'the pass of someone else',
  { text: hers, format: 'QRCode', angle: 20, blur: 1 },
  ({ journey }) => {
    journey('is logged for the person who is chosen', async ({ app, open }) => {
      const ada = await adaOf(app)
      const page = await open('/scan', { as: ada, device: 'phone' })
      const people = page.getByRole('group', { name: 'GRACE HOPPER: log for' })
      await people.waitFor()
      assert.ok(await save(page, 'Choose for whom first').isDisabled())
      await requireAccessible(page, 'the question')
      await people.getByRole('button', { name: 'Grace Hopper' }).tap()
      await people.getByRole('button', { name: 'Ada Lovelace (you)' }).tap()
      await save(page, 'Save flight').tap()
      await page.getByText('BA117 saved').waitFor()
      const [flight] = await listFlights(app, ada)
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
    })
  },
)

withCamera('a train', { text: train, format: 'DataMatrix', angle: -10, blur: 1 }, ({ journey }) => {
  journey('is named, and the camera keeps looking; then a photo is read', async ({ app, open }) => {
    const ada = await adaOf(app)
    const page = await open('/scan', { as: ada, device: 'phone' })
    await pill(page).filter({ hasText: 'A train ticket. Still looking for a flight.' }).waitFor()
    await requireAccessible(page, 'the camera')
    const choose = async (text: string, format: CodeFormat) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: await passPicture(text, format) })
    await choose('https://example.org/menu', 'QRCode')
    await pill(page)
      .filter({ hasText: 'This code is a web address (example.org), not a boarding pass.' })
      .waitFor()
    await choose(own, 'Aztec')
    await heading(page, 'CPH to EWR').waitFor()
  })
})

journeys('without a camera', 'sqlite', ({ journey }) => {
  journey('the same screen says so and offers a photo', async ({ app, open }) => {
    const ada = await adaOf(app)
    for (const device of ['phone', 'desktop'] as const) {
      const page = await open('/scan', { as: ada, device, permissions: [] })
      await page
        .getByRole('heading', { name: /^(?:The camera is not allowed here|No camera was found)$/ })
        .waitFor()
      await requireAccessible(page, `no camera, ${device}`)
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'blank.png', mimeType: 'image/png', buffer: blank })
      await pill(page).filter({ hasText: 'No code was found in this picture.' }).waitFor()
      await page.getByRole('button', { name: 'Type it' }).click()
      await page.getByRole('combobox', { name: /./ }).first().waitFor()
    }
  })

  journey(
    'a picture that is dropped anywhere opens what it shows; a file goes to the preview',
    async ({ app, open }) => {
      const ada = await adaOf(app)
      const page = await open('/flights', { as: ada })
      await heading(page, 'Flights').waitFor()
      const sent = recorded(page.context())
      await drop(page, 'pass.png', 'image/png', await passPicture(own, 'PDF417'))
      await heading(page, 'CPH to EWR').waitFor()
      assert.ok(!sent.some((line) => line.startsWith('POST')), 'a picture is not sent')
      await page.goto('/flights')
      await heading(page, 'Flights').waitFor()
      await drop(page, 'blank.png', 'image/png', blank)
      await page.getByText('No code was found in this picture.', { exact: false }).waitFor()
      await drop(page, 'log.csv', 'text/csv', Buffer.from('date,from,to\n2024-02-20,CPH,EWR\n'))
      await page.waitForURL(/\/import\/\d+/)
    },
  )
})

journeys('the share target', 'sqlite', ({ journey }) => {
  journey(
    'a shared picture opens the pass; a shared file is sent once the person says so, and opens its preview',
    async ({ app, open }) => {
      const ada = await adaOf(app)
      const page = await open('/flights', { as: ada, device: 'phone', serviceWorkers: 'allow' })
      await page.evaluate(kept)
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
      await requireAccessible(page, 'the question')
      assert.equal(imports(), 0)
      await page.getByRole('button', { name: 'Import it' }).tap()
      await page.waitForURL(/\/import\/\d+/)
      assert.equal(imports(), 1)
      await share(page, action, params.text, { bytes: Buffer.from(own) })
      await heading(page, 'CPH to EWR').waitFor()
      await page.goto('/import/shared')
      await page.getByText('Nothing was shared').waitFor()
      await requireAccessible(page, 'nothing shared')
      assert.equal(imports(), 1)
    },
  )

  journey(
    'several files become an import each; pictures beside them are not forgotten',
    async ({ app, open }) => {
      const ada = await adaOf(app)
      const page = await open('/flights', { as: ada, device: 'phone', serviceWorkers: 'allow' })
      await page.evaluate(kept)
      const picture = { name: 'pass.png', type: 'image/png', bytes: blank }
      const files = [csv('first.csv', '2024-02-20'), picture, csv('second.csv', '2024-02-21')]
      await share(page, '/import/shared', 'files', ...files)
      await page.getByRole('heading', { name: 'first.csv, second.csv' }).waitFor()
      await page.getByText('One picture was left out.', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Import 2 files' }).tap()
      await page.waitForURL(/\/settings\/data$/)
      const { json } = await app.request('GET', '/api/v1/imports', { key: await ada.key() })
      const names = json.data.map(({ filename }: { filename: string }) => filename)
      assert.deepEqual(names.sort(), ['first.csv', 'second.csv'])
    },
  )
})

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

/** What the share sheet of a phone does: it submits a form to the address of the manifest. */
async function share(page: Page, action: string, field: string, ...files: SharedFile[]): Promise<void> {
  await page.goto('/flights')
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

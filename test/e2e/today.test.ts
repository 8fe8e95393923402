// The day of travel in the browser: with a server that cannot be reached in any way, with what is reported meanwhile, and after
// landing. The boarding pass is shown without a connection.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { createTransport } from 'nodemailer'
import type { Page, Route } from 'playwright-core'
import { startMailIn } from '../../server/process/mail-in.ts'
import { barcodesInFile } from '../../server/services/imports/content/barcodes.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { message, part } from '../imports/mails-made.ts'
import { pkpassOf } from '../imports/wallet.ts'
import { until } from '../until.ts'
import {
  heading,
  type Journey,
  journeys,
  keepMessages,
  NOW,
  overflowOf,
  requireAccessible,
  resize,
} from './browser.ts'
import { dayOfYear, passPicture, passText } from './passes.ts'
import { createProxy } from './proxy.ts'
import { follow } from './screens.ts'
import { bar, prepare, retryNow, row, sendAll, untilCached, untilKept } from './waiting.ts'

const proxy = await createProxy()
after(() => proxy.close())

const HOUR = 3_600_000
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString()
const dayAt = (hours: number) => at(hours).slice(0, 10)

/** Today to Frankfurt and on to New York. Without hours, it leaves in three. */
async function logDay(app: TestApp, person: TestPerson, hours = 3) {
  const [cph, fra, jfk] = await Promise.all(['CPH', 'FRA', 'JFK'].map((code) => app.airportId(code)))
  const passengers = (seatNumber: string) => [{ userId: person.id, seatNumber, seatClass: 'economy' }]
  const first = await logFlight(app, person, {
    date: dayAt(hours),
    fromId: cph,
    toId: fra,
    flightNumber: 'LH827',
    bookingReference: 'X7K2PQ',
    departure: at(hours),
    arrival: at(hours + 1.5),
    departureTerminal: '3',
    departureGate: 'A7',
    passengers: passengers('12A'),
  })
  const second = await logFlight(app, person, {
    date: dayAt(hours + 3),
    fromId: fra,
    toId: jfk,
    flightNumber: 'LH404',
    departure: at(hours + 3.1),
    arrival: at(hours + 12),
    passengers: passengers('31K'),
  })
  return { first, second }
}

const pass = passText('LOVELACE/ADA', [
  { from: 'CPH', to: 'FRA', carrier: 'LH', number: '827', day: dayOfYear(dayAt(3)) },
])

const walletPass = (): Buffer => {
  const file = pkpassOf({
    formatVersion: 1,
    organizationName: 'Lufthansa',
    passTypeIdentifier: 'pass.example.lh',
    serialNumber: 'LH827',
    relevantDate: at(2),
    boardingPass: { transitType: 'PKTransitTypeAir' },
    barcodes: [{ format: 'PKBarcodeFormatAztec', message: pass, messageEncoding: 'iso-8859-1' }],
  })
  return Buffer.from(file)
}

async function adaOf(app: TestApp): Promise<TestPerson> {
  const ada = await app.person('role-administrator')
  const body = { username: ada.username, displayName: 'Ada Lovelace' }
  await app.request('PUT', '/app/api/me', { cookie: await ada.session(), body })
  return ada
}

async function keepPass(app: TestApp, person: TestPerson, id: number, format: string): Promise<void> {
  const body = { text: pass, format }
  const reply = await app.request('PUT', `/app/api/flights/${id}/kept-pass`, {
    cookie: await person.session(),
    body,
  })
  assert.equal(reply.status, 200, reply.text)
}

const stored = async (app: TestApp, person: TestPerson, id: number) =>
  (await app.request('GET', `/api/v1/flights/${id}`, { key: await person.key() })).json.data

const codeIn = (page: Page) => page.getByRole('img', { name: /^Boarding pass code, LH827/ })

/** The code on the screen, as a scanner reads it. */
async function requireReadable(page: Page, format: string): Promise<void> {
  await codeIn(page).waitFor()
  const { width, height } = page.viewportSize()!
  // The page may still be fading in.
  await until(`the ${format} code is read`, async () => {
    const found = (await barcodesInFile(await page.screenshot(), width * height))?.[0]
    return found?.format === format && found.text === pass
  })
}

/** From the question after an import to the code. */
async function keepImported(page: Page): Promise<void> {
  const keep = page.getByRole('switch', { name: /^Keep this boarding pass/ })
  await keep.waitFor()
  assert.equal(await keep.isChecked(), false)
  await keep.check()
  await requireAccessible(page, 'before it is kept')
  await page.getByRole('button', { name: 'Keep boarding pass' }).click()
  await page.getByText('Boarding pass kept').waitFor()
  await page.getByRole('link', { name: 'Show boarding pass' }).click()
  await requireReadable(page, 'Aztec')
}

const countdown = (page: Page) => page.getByText('Departs in')

/** Everything that the person needs at the gate is on the first screen. */
async function requireInSight(page: Page, texts: readonly string[], bar = 60): Promise<void> {
  const { height } = page.viewportSize()!
  for (const text of texts)
    await until(`${text} is in sight`, async () => {
      const box = await page.getByText(text, { exact: true }).first().boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= height - bar
    })
}

/** Runs in the page: the height of the text of figures that are read at a glance. */
const fontSizeOf = (text: string) => `(() => {
  const sizes = [...document.querySelectorAll('main *')]
    .filter((one) => one.childElementCount === 0 && one.textContent.trim() === '${text}')
    .map((one) => Number.parseFloat(getComputedStyle(one).fontSize))
  return Math.max(0, ...sizes)
})()`

/** Whatever keeps the server away: the day and the pass are there. */
async function openWithoutServer(page: Page, id: number): Promise<void> {
  await page.goto('/today')
  await countdown(page).waitFor()
  await page.getByText('No connection, as of').waitFor()
  await requireInSight(page, ['A7', '12A', 'Departs in'])
  await page.goto(`/flights/${id}/pass`)
  await requireReadable(page, 'Aztec')
}

journeys(
  'the day of travel without a server',
  'sqlite',
  ({ journey }) => {
    journey('The day and the boarding pass open for every kind of failure', async (given: Journey) => {
      const { app, open } = given
      const ada = await adaOf(app)
      const { first } = await logDay(app, ada, 1.5)
      await keepPass(app, ada, first.id, 'aztec')
      await proxy.open(app.url)
      const through = { baseURL: proxy.url, mayGoTo: [proxy.url], serverMayFail: true }
      const page = await open('/flights', { as: ada, device: 'phone', serviceWorkers: 'allow', ...through })
      await row(page, 'LH827').waitFor()
      await prepare(page)
      await untilKept(page)
      await follow(page, '/today')
      await untilCached(page, '/app/api/travel-day')
      await untilCached(page, `/app/api/flights/${first.id}/kept-pass`)
      for (const way of ['refused', '502', 'held'] as const) {
        await proxy.set(way)
        await openWithoutServer(page, first.id)
        await proxy.release()
      }
      // The next one is answered again: the pass is gone for this browser as soon as it is for the server.
      await page.goto(`/flights/${first.id}/pass`)
      await codeIn(page).waitFor()
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Remove this pass' }).click()
      await page.getByText('Boarding pass removed').waitFor()
      await proxy.set('502')
      await page.goto(`/flights/${first.id}/pass`)
      await heading(page, 'Boarding pass').waitFor()
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      assert.equal(await codeIn(page).count(), 0)
      await proxy.release()
      await page.goto('/flights')
      await row(page, 'LH827').waitFor()
      await page.getByRole('button', { name: 'More' }).tap()
      await page.getByRole('menuitem', { name: 'Sign out' }).tap()
      await heading(page, /^(Sign in|Welcome to Contrail)$/).waitFor()
      const kept = "caches.keys().then((names) => names.filter((name) => name.includes('data')))"
      await until('nothing is kept', async () => (await page.evaluate<string[]>(kept)).length === 0)
    })
  },
  {},
  { origin: proxy.url },
)

interface TravelDay {
  data: { flights: { flight: { id: number }; status: Record<string, unknown>; connection: unknown }[] }
}

/** What the server says, with what a source of status would add to the first flight. */
const reporting = (change: (status: Record<string, unknown>) => object) => async (route: Route) => {
  const response = await route.fetch()
  const body = (await response.json()) as TravelDay
  const [one] = body.data.flights
  if (one) one.status = { ...one.status, ...change(one.status), sources: [source] }
  await route.fulfill({ response, json: body })
}
const source = { source: 'provider', checkedAt: at(-0.1), changedAt: at(-0.1), problem: null }
const day = '**/app/api/travel-day'

journeys('the day of travel', 'sqlite', ({ everyday, journey, onEachDevice }) => {
  everyday(
    'The card above the list leads to the day, and what did not fly is undone',
    async ({ app, open }) => {
      const ada = await adaOf(app)
      const { first } = await logDay(app, ada, -4)
      const page = await open('/flights', { as: ada, device: 'phone' })
      await page.evaluate(keepMessages)
      await page.getByRole('link', { name: /^Next flight: / }).click()
      await heading(page, /FRA to JFK/).waitFor()
      await page.getByRole('link', { name: /LH827 to Frankfurt/ }).click()
      await page.getByText('Should have landed').first().waitFor()
      assert.equal(await page.getByRole('button', { name: 'Save actual times' }).count(), 0)
      await page.getByRole('link', { name: 'Different times' }).waitFor()
      await page.getByRole('button', { name: 'It did not fly' }).click()
      const untilStored = (outcome: string) =>
        until(`it is ${outcome}`, async () => (await stored(app, ada, first.id)).outcome === outcome)
      await page.getByText('Cancelled', { exact: true }).first().waitFor()
      await untilStored('cancelled')
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await page.getByText('Should have landed').first().waitFor()
      await untilStored('flown')
    },
  )

  journey(
    'What is reported is shown, marked until it was seen, and in figures that are read at a glance',
    async (given) => {
      const { app, open } = given
      const ada = await adaOf(app)
      const { first } = await logDay(app, ada, 1.2)
      const page = await open('/today', { as: ada, device: 'phone' })
      await countdown(page).waitFor()
      await until('it was seen', () =>
        page.evaluate<boolean>("(localStorage.getItem('contrail.draft.seen') ?? '').includes('A7')"),
      )
      const late = (status: Record<string, unknown>) => ({
        departure: {
          ...(status['departure'] as object),
          estimated: at(1.9),
          delaySeconds: 2520,
          gate: 'B12',
          boarding: at(1.4),
        },
        arrival: { ...(status['arrival'] as object), estimated: at(3.4), delaySeconds: 2520 },
      })
      await page.route(day, reporting(late))
      await page.reload()
      await page.getByText('Boarding in').waitFor()
      await page.getByText('was A7').waitFor()
      await page.getByText('42 min late').first().waitFor()
      await page.getByText('AeroDataBox').first().waitFor()
      await requireInSight(page, ['B12', '12A'])
      for (const text of ['B12', '12A'])
        await until(`${text} is large`, async () => (await page.evaluate<number>(fontSizeOf(text))) >= 24)
      await requireAccessible(page, 'with a new gate')
      await page
        .getByText(/^54\smin$/)
        .first()
        .waitFor()
      await page.getByText('was 1 h 36 min').waitFor()
      await resize(page, { width: 320, height: 640 })
      assert.deepEqual(await overflowOf(page), [])
      await resize(page, { width: 844, height: 390 })
      await requireInSight(page, ['B12', '12A'], 0)
      await resize(page, { width: 390, height: 844 })
      await follow(page, `/flights/${first.id}`)
      await page.getByText('42 min late').first().waitFor()
      await requireAccessible(page, 'the page of the flight')
    },
  )

  journey('In the air, the map and the page of the flight say where it is now', async ({ app, open }) => {
    const ada = await adaOf(app)
    const { first } = await logDay(app, ada, -0.5)
    const page = await open('/', { as: ada, device: 'phone' })
    await resize(page, { width: 320, height: 640 })
    const card = page.getByRole('link', { name: /^Next flight: In the air/ })
    await until('the card has few lines', async () => {
      const box = await card.boundingBox()
      return box !== null && box.height < 100
    })
    await card.click()
    await heading(page, /CPH to FRA/).waitFor()
    await page.getByText('Lands in', { exact: true }).waitFor()
    assert.deepEqual(await overflowOf(page), [])
    const over = page.locator('.callout')
    await until('the country is in the window', async () => {
      const box = await over.boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= 320
    })
    await follow(page, `/flights/${first.id}`)
    await page.getByText(/^3\d\smin in$/).waitFor()
  })

  journey('Actual times are saved offline, sent later and undone', async ({ app, open }) => {
    const ada = await adaOf(app)
    const { first } = await logDay(app, ada, -4)
    const landed = (status: Record<string, unknown>) => ({
      phase: 'landed',
      phaseIsEstimated: false,
      departure: { ...(status['departure'] as object), actual: at(-3.9), delaySeconds: 360 },
      arrival: { ...(status['arrival'] as object), actual: at(-2.4), delaySeconds: 360 },
    })
    const page = await open('/robots.txt', { as: ada, device: 'phone', serviceWorkers: 'allow' })
    await page.context().route(day, reporting(landed))
    await page.goto('/flights')
    await prepare(page)
    await follow(page, `/flights/${first.id}`)
    await page.getByText('Landed in Frankfurt').first().waitFor()
    await untilCached(page, '/app/api/travel-day')
    await page.evaluate(keepMessages)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save actual times' }).click()
    await page.getByText('Saved on this device.').waitFor()
    await page.getByRole('button', { name: 'Save actual times' }).waitFor({ state: 'detached' })
    assert.equal((await stored(app, ada, first.id)).version, 1)
    await sendAll(page)
    const saved = await stored(app, ada, first.id)
    assert.deepEqual(
      [saved.departure, saved.departureScheduled].map((time) => Date.parse(time)),
      [Date.parse(at(-3.9)), Date.parse(at(-4))],
    )
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await until('it is undone', async () => {
      await retryNow(page)
      const { departure, departureScheduled } = await stored(app, ada, first.id)
      return Date.parse(departure) === Date.parse(at(-4)) && departureScheduled === null
    })
    await bar(page).waitFor({ state: 'detached' })
  })

  onEachDevice('A scanned pass of a flight in the log is kept and shown', async ({ app, open }, device) => {
    const ada = await adaOf(app)
    const { first } = await logDay(app, ada)
    const page = await open('/scan', { as: ada, device })
    const photo = {
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: await passPicture(pass, 'QRCode'),
    }
    await page.locator('input[type=file]').setInputFiles(photo)
    const keep = page.getByRole('switch', { name: /^Keep this boarding pass/ })
    await keep.waitFor()
    assert.equal(await keep.isChecked(), false)
    await requireAccessible(page, 'before it is kept')
    await keep.check()
    await page.getByRole('button', { name: 'Keep boarding pass' }).click()
    await page.waitForURL(`**/flights/${first.id}/pass`)
    await requireReadable(page, 'QRCode')
    if (device === 'phone') {
      await resize(page, { width: 844, height: 390 })
      await requireReadable(page, 'QRCode')
      await resize(page, { width: 390, height: 844 })
    }
    await requireAccessible(page, 'the boarding pass')
    assert.deepEqual(await overflowOf(page), [])
    await page.getByRole('article').getByRole('button', { name: 'Close' }).click()
    await page.waitForURL('**/today')
    await page.getByRole('link', { name: 'Show boarding pass' }).waitFor()
  })

  journey('A wallet pass is kept after its import', async ({ app, open }) => {
    const ada = await adaOf(app)
    const page = await open('/', { as: ada, device: 'phone' })
    await page.locator('main input[type=file]').setInputFiles({
      name: 'pass.pkpass',
      mimeType: 'application/vnd.apple.pkpass',
      buffer: walletPass(),
    })
    await page.getByRole('button', { name: 'Import 1 flight' }).click()
    await keepImported(page)
  })

  journey('Every format is drawn as scanners read it', async ({ app, open }) => {
    const ada = await adaOf(app)
    const { first } = await logDay(app, ada)
    const page = await open('/today', { as: ada, device: 'phone' })
    for (const [format, name] of [
      ['aztec', 'Aztec'],
      ['pdf417', 'PDF417'],
      ['qr', 'QRCode'],
      ['datamatrix', 'DataMatrix'],
    ] as const) {
      await keepPass(app, ada, first.id, format)
      await page.goto(`/flights/${first.id}/pass`)
      await requireReadable(page, name)
    }
  })
})

const domain = 'in.example.org'
journeys(
  'boarding passes by mail',
  'sqlite',
  ({ journey }) => {
    journey('A wallet pass is kept from the notice of the mail that it came with', async ({ app, open }) => {
      const ada = await adaOf(app)
      const cookie = await ada.session()
      const { address } = (await app.request('POST', '/app/api/mail-address', { cookie })).json.data
      const senders = { senders: ['ada@example.org'] }
      await app.request('PUT', '/app/api/mail-address', { cookie, body: senders })
      const { services } = app
      const inbox = await startMailIn(services, services.log, { host: '127.0.0.1', port: 0, domain })
      const client = createTransport({ host: '127.0.0.1', port: inbox.port, secure: false, ignoreTLS: true })
      try {
        const raw = message(part('application/vnd.apple.pkpass; name="pass.pkpass"', walletPass()))
        await client.sendMail({ envelope: { from: 'ada@example.org', to: address }, raw })
        const page = await open('/notices', { as: ada, device: 'phone' })
        await page.getByRole('link', { name: /^1 flight from/ }).waitFor()
        await keepImported(page)
      } finally {
        client.close()
        await inbox.stop()
      }
    })
  },
  {},
  { mailIn: { port: 25, domain, tls: undefined } },
)

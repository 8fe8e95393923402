// The day of travel in the browser: with a server that cannot be reached in any way, with what is reported meanwhile, and after
// landing. The boarding pass is shown without a connection.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { barcodesInFile } from '../../server/services/imports/content/barcodes.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
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
  const picture = await page.screenshot()
  const { width, height } = page.viewportSize()!
  const found = await barcodesInFile(picture, width * height)
  assert.deepEqual(found, [{ format, text: pass }])
}

const countdown = (page: Page) => page.getByText('Departs in')

/** Everything that the person needs at the gate is on the first screen. */
async function requireInSight(page: Page, texts: readonly string[]): Promise<void> {
  const { height } = page.viewportSize()!
  for (const text of texts) {
    const box = await page.getByText(text, { exact: true }).first().boundingBox()
    assert.ok(box && box.y >= 0 && box.y + box.height <= height - 60, `${text} is in sight`)
  }
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
      assert.equal(await codeIn(page).count(), 0)
      await proxy.release()
      await page.goto('/flights')
      await row(page, 'LH827').waitFor()
      await page.getByRole('button', { name: 'More' }).tap()
      await page.getByRole('menuitem', { name: 'Sign out' }).tap()
      await heading(page, /^(Sign in|Welcome to Contrail)$/).waitFor()
      const kept = "caches.keys().then((names) => names.filter((name) => name.includes('data')))"
      assert.deepEqual(await page.evaluate(kept), [])
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
      await page.getByText('Cancelled', { exact: true }).first().waitFor()
      assert.equal((await stored(app, ada, first.id)).outcome, 'cancelled')
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await page.getByText('Should have landed').first().waitFor()
      assert.equal((await stored(app, ada, first.id)).outcome, 'flown')
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
        assert.ok((await page.evaluate<number>(fontSizeOf(text))) >= 24, text)
      await requireAccessible(page, 'with a new gate')
      await page
        .getByText(/^54\smin$/)
        .first()
        .waitFor()
      await page.getByText('was 1 h 36 min').waitFor()
      await resize(page, { width: 320, height: 640 })
      assert.deepEqual(await overflowOf(page), [])
      await follow(page, `/flights/${first.id}`)
      await page.getByText('42 min late').first().waitFor()
      await requireAccessible(page, 'the page of the flight')
    },
  )

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
    await requireAccessible(page, 'the boarding pass')
    assert.deepEqual(await overflowOf(page), [])
    await page.getByRole('article').getByRole('button', { name: 'Close' }).click()
    await page.waitForURL('**/today')
    await page.getByRole('link', { name: 'Show boarding pass' }).waitFor()
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

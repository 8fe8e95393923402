// The page of a flight: the column, the light along the way, its ordinals in the log, the flights before and after. Sharing
// it is tested in trips.test.ts.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { focused, heading, journeys, overflowOf, pick, resize } from './browser.ts'
import { follow } from './screens.ts'
import { save, savedHere, unreachedFor } from './waiting.ts'

const part = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name })
/** With ordinary spaces: those inside a duration are non-breaking. */
const spokenMoment = async (page: Page) =>
  (await slider(page).getAttribute('aria-valuetext'))!.replaceAll('\u00a0', ' ')
const slider = (page: Page) => page.getByRole('slider', { name: 'Moment of the flight' })

async function fly(app: TestApp, who: TestPerson, route: string, flight: object): Promise<number> {
  const [fromId, toId] = await Promise.all(route.split(' ').map((code) => app.airportId(code)))
  return (await logFlight(app, who, { fromId, toId, ...flight })).id
}

const seated = (who: TestPerson) => [
  { userId: who.id, seatNumber: '42A', seat: 'window', seatClass: 'economy' },
  { guestName: 'Bo Krogh', seatNumber: '42B', seat: 'middle', seatClass: 'economy' },
]

/** Copenhagen, Frankfurt and overnight to Singapore, after three flights on that route in other years. */
async function nightFlight(app: TestApp, who: TestPerson) {
  const before = await fly(app, who, 'FRA SIN', { date: '2019-05-01', aircraftReg: 'D-AIXA' })
  await fly(app, who, 'SIN FRA', { date: '2019-05-20' })
  await fly(app, who, 'FRA SIN', { date: '2021-02-03', outcome: 'cancelled' })
  const feeder = await fly(app, who, 'CPH FRA', {
    date: '2026-03-14',
    departure: '2026-03-14T17:05:00+01:00',
    arrival: '2026-03-14T18:25:00+01:00',
  })
  const id = await fly(app, who, 'FRA SIN', {
    date: '2026-03-14',
    flightNumber: 'LH778',
    aircraftReg: 'D-AIXA',
    departureScheduled: '2026-03-14T21:55:00+01:00',
    departure: '2026-03-14T22:18:00+01:00',
    arrivalScheduled: '2026-03-15T17:10:00+08:00',
    arrival: '2026-03-15T17:05:00+08:00',
    departureTerminal: '1',
    departureGate: 'Z58',
    note: 'Sunrise over the desert',
    passengers: seated(who),
  })
  const after = await fly(app, who, 'SIN FRA', { date: '2026-03-22' })
  return { before, feeder, id, after }
}

/** The track of a short flight, with times, altitudes and speeds. */
async function recordTrack(app: TestApp, who: TestPerson, flightId: number): Promise<void> {
  const start = Date.parse('2025-06-01T18:10:00Z') / 1000
  const shares = Array.from({ length: 60 }, (_, i) => i / 59)
  const reply = await app.request('PUT', `/api/v1/flights/${flightId}/track`, {
    key: await who.key(),
    body: {
      coordinates: shares.map((s) => [
        12.65 - s * 0.87,
        55.62 - s * 7.27,
        11_000 * Math.min(1, 5 * s, 5 - 5 * s),
      ]),
      times: shares.map((s) => Math.round(start + s * 5400)),
      groundSpeedKt: shares.map((s) => 140 + 320 * Math.min(1, 5 * s, 5 - 5 * s)),
      sourceFormat: 'gpx',
      sourceName: 'cph-muc.gpx',
    },
  })
  assert.ok(reply.status < 300, reply.text)
}

interface Reached {
  href: string
  /** The page that a click on the drawn tick opens. */
  hit: string | undefined
  left: number
  right: number
}
/** Runs in the page. */
const reachedAtTicks = `(() => {
  const ticks = document.querySelector('.ticks')
  ticks.scrollIntoView({ block: 'center' })
  const frame = ticks.getBoundingClientRect()
  return [...ticks.querySelectorAll('li')].map((tick) => {
    const share = Number.parseFloat(tick.style.getPropertyValue('--at')) / 100
    const link = tick.querySelector('a')
    const { left, right } = link.getBoundingClientRect()
    const hit = document.elementFromPoint(frame.left + share * frame.width, frame.bottom - 5)
    return { href: link.href, hit: hit?.closest('a')?.href, left, right }
  })
})()`

/** Runs in the page, in one frame: how far the globe is below the column. */
const belowColumn = `(() => {
  const [column, globe] = ['column', 'stage'].map((name) => document.querySelector('.room > .' + name))
  return globe.getBoundingClientRect().top - column.getBoundingClientRect().bottom
})()`

/** Runs in the page: the brightest spot of the painted globe along its middle, 0 to 255. */
const brightest = `(() => {
  const canvas = document.querySelector('.stage canvas')
  const y = Math.floor(canvas.height / 2)
  const { data } = canvas.getContext('2d').getImageData(0, y, canvas.width, 1)
  let most = 0
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) most = Math.max(most, data[i])
  return most
})()`
/** Runs in the page: only the first of the one-second steps happens. A busy machine may not press Pause before the last. */
const onlyFirstStep = `{
  const repeat = window.setInterval
  window.setInterval = (run, ms, ...given) => (ms === 1000 ? setTimeout : repeat)(run, ms, ...given)
}`
/** Runs in the page: how many pixels of the canvas above the globe are painted. */
const paintedAbove = `(() => {
  const canvas = document.querySelectorAll('.stage canvas')[1]
  if (canvas.hidden) return 0
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return data.filter((value, i) => i % 4 === 3 && value > 100).length
})()`
const isInPage = (page: Page, what: string, condition: string) =>
  until(what, () => page.evaluate<boolean>(condition))

journeys('the flight page', 'sqlite', ({ journey }) => {
  journey(
    'The page is one column by keyboard, plays in steps, prints light, and each tick opens its flight',
    async ({ app, open }) => {
      const ada = await app.person()
      const night = await nightFlight(app, ada)
      const page = await open(`/flights/${night.id}`, { as: ada, colorScheme: 'dark' })
      await requireColumn(page)
      await moveMoment(page)
      await playOneStep(page)
      await explainEmissions(page)
      await requireLightPaper(page)
      await turnPages(page)
      await followRoute(page, night)
      await showDense(app, ada, page)
      await requireTicks(page, 12)
    },
  )

  journey(
    'On a phone a swipe turns the page, and a tick among dense ones opens its flight',
    async (given) => {
      const { app, open } = given
      const ada = await app.person()
      const { id, feeder, after } = await nightFlight(app, ada)
      const page = await open(`/flights/${id}`, { as: ada, device: 'phone' })
      await heading(page, /FRA to SIN/).waitFor()
      // The flights before and after are known from the log, which may arrive after this flight.
      await page.getByRole('link', { name: 'Next flight: SIN–FRA' }).waitFor()
      await swipe(page, -120)
      await page.waitForURL(`**/flights/${after}`)
      await heading(page, /SIN to FRA/).waitFor()
      await swipe(page, 120)
      await page.waitForURL(`**/flights/${id}`)
      await heading(page, /FRA to SIN/).waitFor()
      await swipe(page, 30)
      await page.getByRole('link', { name: 'Previous flight: CPH–FRA' }).tap()
      await page.waitForURL(`**/flights/${feeder}`)

      await showDense(app, ada, page)
      await requireTicks(page, 22)
    },
  )

  journey(
    'Offline the column stays, and an unsynced flight has no controls that need the server',
    async (given) => {
      const { app, open } = given
      const ada = await app.person()
      const { id } = await nightFlight(app, ada)
      const page = await open('/flights', { as: ada })
      await page.getByRole('row').filter({ hasText: 'LH778' }).waitFor()
      await page.route(`**/app/api/flights/${id}`, (route) =>
        route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message: 'Out for lunch' } } }),
      )
      await page.getByRole('row').filter({ hasText: 'LH778' }).click()
      await heading(page, /FRA to SIN/).waitFor()
      await page.getByText('The timetable, note and history could not be loaded.').waitFor()
      await part(page, '3rd time on this route').waitFor()
      await slider(page).waitFor()
      await page.unroute(`**/app/api/flights/${id}`)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('Sunrise over the desert').waitFor()
      await requireWaiting(page)
    },
  )

  journey(
    'The page fits the narrowest window in German and dark mode, and prints the column first',
    async (given) => {
      const { app, open } = given
      const ada = await app.person()
      const { id } = await nightFlight(app, ada)
      const plannedToId = await app.airportId('MUC')
      const booked = await fly(app, ada, 'CPH HAM', {
        date: '2026-03-01',
        ...{ outcome: 'diverted', plannedToId, operatingFlightNumber: 'LH 2417' },
        ...{ bookingReference: 'QX7PLM', price: { amount: '1234.50', currency: 'DKK' } },
      })
      const viewport = { width: 320, height: 640 }
      const visit = { as: ada, device: 'phone', viewport, colorScheme: 'dark', locale: 'de-DE' } as const
      const page = await open('/flights', visit)
      await page.getByText('Annulliert').waitFor()
      const faults = await overflowOf(page)
      await follow(page, `/flights/${booked}/edit`)
      await page.getByLabel('Buchungscode').waitFor()
      faults.push(...(await overflowOf(page)))
      await follow(page, `/flights/${booked}`)
      await page.getByText('QX7PLM').waitFor()
      faults.push(...(await overflowOf(page)))
      await follow(page, `/flights/${id}`)
      await part(page, 'Zum 3. Mal auf dieser Strecke').waitFor()
      await part(page, /nach Singapur$/).waitFor()
      faults.push(...(await overflowOf(page)))
      assert.deepEqual(faults, [])
      const play = (await page.getByRole('button', { name: 'Abspielen' }).boundingBox())!
      assert.ok(play.x + play.width <= 320, 'the page cuts content beyond its edge')
      await page.emulateMedia({ media: 'print' })
      await resize(page, { width: 794, height: 1123 })
      await isInPage(page, 'the globe is below the column', `${belowColumn} >= 0`)
      assert.equal(await page.getByRole('slider').isVisible(), false)
      assert.equal(await page.getByRole('button', { name: 'Mehr' }).first().isVisible(), false)
    },
  )

  journey(
    'Every kind of flight is shown: no times, planned, diverted, round trip, cancelled, tracked, repeated',
    async (given) => {
      const { app, open } = given
      const ada = await app.person()
      const page = await open('/nowhere', { as: ada, device: 'phone' })
      const show = async (route: string, flight: object) => {
        const id = await fly(app, ada, route, flight)
        await showLogged(page, id)
      }
      await show('MUC CPH', { date: '2001-07-01', datePrecision: 'month' })
      await heading(page, /MUC to CPH/).waitFor()
      await page.getByRole('link', { name: 'Add times' }).waitFor()
      assert.equal(await slider(page).count(), 0)
      assert.equal(await page.getByText('UTC').count(), 0)

      const bergen = await app.airportId('BGO')
      await show('CPH OSL', { date: '2015-05-02', outcome: 'diverted', plannedToId: bergen })
      await page.getByText('Diverted, planned to BGO', { exact: true }).waitFor()

      await show('FRA FRA', {
        date: '2015-07-01',
        departure: '2015-07-01T10:00:00+02:00',
        arrival: '2015-07-01T11:00:00+02:00',
      })
      await heading(page, /FRA to FRA/).waitFor()
      await page.getByText('Last edited').waitFor()
      assert.equal(await slider(page).count(), 0)

      const tracked = await fly(app, ada, 'CPH MUC', {
        date: '2025-06-01',
        departure: '2025-06-01T20:05:00+02:00',
        arrival: '2025-06-01T21:50:00+02:00',
      })
      await recordTrack(app, ada, tracked)
      await showLogged(page, tracked)
      await requireTrack(page)
      await showPlanned(app, ada, page)
      await showCrowd(app, ada, page)
      await resize(page, { width: 390, height: 844 })
      await showMany(app, ada, page)
    },
  )
})

async function requireColumn(page: Page): Promise<void> {
  await heading(page, /FRA to SIN/).waitFor()
  for (const text of ['23 min late', '5 min early', '42A window · Economy', 'Bo Krogh'])
    await page.getByText(text).waitFor()
  await page.getByText(/^planned 21:55$/).waitFor()
  await part(page, 'Copenhagen to Singapore').waitFor()
  await page.getByText('17 h, with 3 h 53 min in Frankfurt').waitFor()
  await part(page, '3rd time on this route').waitFor()
  await page.getByText('2nd time on this aircraft').waitFor()
  await page.getByText('Sunrise over the desert').waitFor()
}

async function moveMoment(page: Page): Promise<void> {
  const moment = slider(page)
  assert.equal(await spokenMoment(page), '02:07 UTC, 4 h 49 min in, Sunrise')
  assert.equal(await moment.getAttribute('aria-valuemax'), '707')
  await moment.focus()
  const steps: [string, string][] = [
    ['Home', '21:18 UTC, 0 min in, Night'],
    ['ArrowRight', '21:23 UTC, 5 min in, Night'],
    ['Shift+ArrowRight', '21:53 UTC, 35 min in, Night'],
    ['ArrowLeft', '21:48 UTC, 30 min in, Night'],
    ['End', '09:05 UTC, 11 h 47 min in, Day'],
    ['ArrowRight', '09:05 UTC, 11 h 47 min in, Day'],
  ]
  for (const [key, spoken] of steps) {
    await moment.press(key)
    assert.equal(await spokenMoment(page), spoken, key)
  }
}

/** With reduced motion playback goes in steps. */
async function playOneStep(page: Page): Promise<void> {
  await page.evaluate(onlyFirstStep)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.locator('[role=slider][aria-valuenow="88"]').waitFor()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
}

/** Of a dark page. */
async function requireLightPaper(page: Page): Promise<void> {
  await page.getByText('Last edited').waitFor()
  await isInPage(page, 'the globe is painted', `${brightest} > 40`)
  await isInPage(page, 'the way is drawn above it', `${paintedAbove} > 500`)
  assert.ok((await page.evaluate<number>(brightest)) < 160, 'dark on the screen')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await isInPage(page, 'the globe on paper is light', `${brightest} > 200`)
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await isInPage(page, 'the globe on the screen is dark again', `${brightest} < 160`)
}

async function explainEmissions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'How this is calculated' }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'How this is calculated' })
  await panel.getByText('0.10916 kg per km').waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await focused(page.getByRole('button', { name: 'How this is calculated' }))
}

/** With [ and ], to the flights before and after. */
async function turnPages(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Previous flight: CPH–FRA' }).waitFor()
  await page.keyboard.press('[')
  await heading(page, /CPH to FRA/).waitFor()
  await page.keyboard.press(']')
  await heading(page, /FRA to SIN/).waitFor()
  await page.keyboard.press(']')
  await heading(page, /SIN to FRA/).waitFor()
  await page.keyboard.press(']')
  await heading(page, /SIN to FRA/).waitFor()
  await page.getByRole('link', { name: 'Previous flight: FRA–SIN' }).press('Enter')
  await part(page, '3rd time on this route').waitFor()
}

/** To other flights of the route, the aircraft and the journey, and to the list with as many as counted. */
async function followRoute(
  page: Page,
  { before, feeder }: { before: number; feeder: number },
): Promise<void> {
  await page.getByRole('link', { name: /^1 May 2019, FRA–SIN$/ }).press('Enter')
  await page.waitForURL(`**/flights/${before}`)
  await part(page, 'First time on this route').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: '1 May 2019', exact: true }).click()
  await page.waitForURL(`**/flights/${before}`)
  await page.goBack()
  await page.getByRole('link', { name: 'CPH → FRA', exact: true }).click()
  await page.waitForURL(`**/flights/${feeder}`)
  await page.goBack()
  await page.getByRole('link', { name: 'All 4', exact: true }).click()
  await page.getByText(/^4 of 5 flights/).waitFor()
}

/** On the headline, by this many pixels. */
async function swipe(page: Page, by: number): Promise<void> {
  const target = heading(page, / to /)
  const box = (await page.locator('header', { has: target }).boundingBox())!
  const start = { clientX: box.x + box.width / 2, clientY: box.y + 20, pointerType: 'touch', bubbles: true }
  await target.dispatchEvent('pointerdown', start)
  await target.dispatchEvent('pointerup', { ...start, clientX: start.clientX + by })
}

/** Opens the fourth of six flights on a route, five of which are close together. */
async function showDense(app: TestApp, who: TestPerson, page: Page): Promise<void> {
  const days = ['2005-01-01', '2025-02-01', '2025-02-21', '2025-03-20', '2025-05-02', '2025-07-14']
  const ids: number[] = []
  for (const date of days) ids.push(await fly(app, who, 'OSL ARN', { date }))
  await showLogged(page, ids[3]!)
  await part(page, '4th time on this route').waitFor()
}

/** The log is loaded again, with added flights. */
async function showLogged(page: Page, id: number): Promise<void> {
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await follow(page, `/flights/${id}`)
}

async function requireTicks(page: Page, widthAlone: number): Promise<void> {
  // They are placed by the width of the column, which is measured once they are shown.
  const reached = await until('each tick opens its flight', async () => {
    const ticks = await page.evaluate<Reached[]>(reachedAtTicks)
    return ticks.length > 0 && ticks.every(({ hit, href }) => hit === href) && ticks
  })
  for (const [i, { right }] of reached.entries()) {
    const next = reached[i + 1]
    assert.ok(!next || right <= next.left + 0.5, 'areas do not overlap')
  }
  const far = reached[0]!
  assert.ok(far.right - far.left >= widthAlone, 'a tick alone is easy to hit')
}

/** Adds FRA to SIN, which is not sent to the server. */
async function requireWaiting(page: Page): Promise<void> {
  await follow(page, '/flights/new')
  await page.route('**/app/api/flights', unreachedFor('POST'))
  await pick(page, 'From', 'FRA', 'FRA')
  await pick(page, 'To', 'SIN', 'SIN')
  await save(page)
  await savedHere(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (/flights\/-|trips.*-1/.test(request.url())) asked.push(request.url())
  })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Flights' }).click()
  await page.locator('[data-index] a[href^="/flights/-"]').click()
  await heading(page, /FRA to SIN/).waitFor()
  await part(page, '5th time on this route').waitFor()
  assert.equal(await page.getByRole('main').getByRole('button', { name: 'Share', exact: true }).count(), 0)
  assert.equal(await page.getByText('Last edited').count(), 0)
  // The buttons follow the height of the bar, which is measured once it is shown.
  await until('the bar that says so covers no button', async () => {
    const bar = (await page.getByText('This flight is not synced yet.').boundingBox())!
    const edit = (await page.getByRole('link', { name: 'Edit', exact: true }).boundingBox())!
    return edit.y > bar.y + bar.height
  })
  await page.getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: /trip/i }).count(), 0)
  assert.deepEqual(asked, [], 'nothing is asked about a flight that the server does not know')
}

/** It shows altitude and speed, and the light follows the track. */
async function requireTrack(page: Page): Promise<void> {
  await part(page, 'Recorded track').waitFor()
  await page.getByRole('img', { name: 'Altitude: up to 11,000 m' }).waitFor()
  await page.getByRole('img', { name: 'Ground speed: up to 852 km/h' }).waitFor()
  await slider(page).press('Home')
  await page.getByText('0 m', { exact: true }).waitFor()
}

async function showPlanned(app: TestApp, who: TestPerson, page: Page): Promise<void> {
  const planned = await fly(app, who, 'SIN FRA', {
    date: '2027-03-22',
    departureScheduled: '2027-03-22T23:55:00+08:00',
    arrivalScheduled: '2027-03-23T06:10:00+01:00',
  })
  await showLogged(page, planned)
  await page.getByText('planned', { exact: true }).first().waitFor()
  assert.equal(await page.getByText('planned', { exact: true }).count(), 2)
  // Times that were entered, not an estimate from the distance that contradicts them.
  await page.getByText('Duration, planned', { exact: true }).waitFor()
  await page.getByRole('definition').filter({ hasText: '13 h 15 min' }).waitFor()
  await page.getByText(/^22 Mar 2027 23:55 · in \d+ days$/).waitFor()
}

async function showCrowd(app: TestApp, who: TestPerson, page: Page): Promise<void> {
  const long = 'Charlotte-Josephine Wolfeschlegelsteinhausenbergerdorff-Smithee'
  const guests = [long, 'Bo', 'Cy', 'Di', 'Ed', 'Flo'].map((guestName) => ({ guestName }))
  const crowded = await fly(app, who, 'CPH MUC', {
    date: '2016-07-01',
    outcome: 'cancelled',
    passengers: [{ userId: who.id }, ...guests],
  })
  await showLogged(page, crowded)
  await page.getByText('Cancelled', { exact: true }).waitFor()
  assert.equal(await page.getByText('Flo', { exact: true }).count(), 0)
  await page.getByRole('button', { name: 'and 3 more' }).click()
  await page.getByText('Flo', { exact: true }).waitFor()
  await resize(page, { width: 320, height: 640 })
  assert.deepEqual(await overflowOf(page), [])
}

/** Over 40 flights on a route are bars per year; more than four legs scroll. */
async function showMany(app: TestApp, who: TestPerson, page: Page): Promise<void> {
  const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('FRA')])
  const operations = Array.from({ length: 41 }, (_, i) => ({
    op: 'create',
    flight: {
      date: `${2010 + (i % 8)}-0${1 + (i % 9)}-11`,
      fromId,
      toId,
      passengers: [{ userId: who.id }],
    },
  }))
  const key = await who.key()
  const logged = await app.request('POST', '/api/v1/flights/bulk', { key, body: { operations } })
  assert.equal(logged.status, 200, logged.text)
  const codes = ['CPH', 'FRA', 'MUC', 'MAD', 'LIS', 'JFK']
  let id = 0
  for (const [i, code] of codes.slice(1).entries()) {
    const hour = 6 + 3 * i
    id = await fly(app, who, `${codes[i]} ${code}`, {
      date: '2026-03-14',
      departure: `2026-03-14T${String(hour).padStart(2, '0')}:00:00Z`,
      arrival: `2026-03-14T${String(hour + 2).padStart(2, '0')}:00:00Z`,
    })
  }
  await showLogged(page, id)
  await page.getByText('with 4 stops').waitFor()
  await until('the leg of this page is in sight', async () => {
    const leg = (await page.getByRole('link', { name: 'LIS → JFK', exact: true }).boundingBox())!
    return leg.x >= 0 && leg.x + leg.width <= 390
  })
  assert.deepEqual(await overflowOf(page), [])
  await page.getByRole('link', { name: 'CPH → FRA', exact: true }).click()
  await part(page, '42nd time on this route').waitFor()
  await page.getByRole('link', { name: 'All 42', exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: /^\d.*CPH–FRA$/ }).count(), 0, 'no tick for each of them')
}

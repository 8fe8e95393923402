// The log in the browser: the second visit fetches only changes, an open page shows the changes of others, and a log is
// never shown to another person. Browsers without a database: offline.test.ts.
import assert from 'node:assert/strict'
import type { BrowserContext, Locator, Page, Request } from 'playwright-core'
import { insertFlights } from '../../bench/data.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { chooseFromMore, heading, journeys, jumpTo, twoFrames } from './browser.ts'
import { follow } from './screens.ts'
import { keptLogs, row, untilKept } from './waiting.ts'

/** As when the person returns to the tab, or to the other device. */
const comeBack = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

/** The position of something once it no longer moves: a list changes and scrolls in two frames. */
const restingY = (what: Locator): Promise<number> =>
  until('it no longer moves', async () => {
    const first = await what.boundingBox()
    await twoFrames(what.page())
    const next = await what.boundingBox()
    return first && first.y === next?.y && first.y
  })

const isLog = (request: Request) => new URL(request.url()).pathname === '/app/api/log'

function watchLog(page: Page) {
  const bodies: { since: boolean; bytes: number }[] = []
  page.on('requestfinished', async (request) => {
    if (!isLog(request)) return
    const { responseBodySize } = await request.sizes()
    const since = new URL(request.url()).searchParams.has('since')
    bodies.push({ since, bytes: responseBodySize })
  })
  return bodies
}

async function change(app: TestApp, person: TestPerson, method: string, id: number, body?: object) {
  const reply = await app.request(method, `/api/v1/flights/${id}`, {
    key: await person.key(),
    ...(body && { body }),
  })
  assert.ok(reply.status < 300, reply.text)
}

async function becomes(context: BrowserContext, app: TestApp, person: TestPerson): Promise<void> {
  const [name, value] = (await person.session()).split('=') as [string, string]
  await context.addCookies([{ name, value, url: app.url }])
}

/** Fifty old flights of Ada's, and two that Bob has logged for both. */
async function logForBoth(app: TestApp, ada: TestPerson, bob: TestPerson) {
  const [lhr, sin, cph, jfk] = await airportIds(app, 'LHR', 'SIN', 'CPH', 'JFK')
  const operations = Array.from({ length: 50 }, (_, i) => ({
    op: 'create',
    flight: {
      date: `19${i + 30}-01-01`,
      fromId: cph,
      toId: jfk,
      flightNumber: `OLD${i + 10}`,
      passengers: [{ userId: ada.id }],
    },
  }))
  const logged = await app.request('POST', '/api/v1/flights/bulk', {
    key: await ada.key(),
    body: { operations },
  })
  assert.equal(logged.status, 200, logged.text)
  const passengers = [{ userId: bob.id }, { userId: ada.id }]
  const log = (date: string, flightNumber: string, more: object = {}) =>
    logFlight(app, bob, { date, fromId: lhr, toId: sin, passengers, flightNumber, ...more })
  return { log, changed: await log('2020-05-01', 'BOB1'), deleted: await log('2020-05-02', 'GONE1') }
}

journeys('the log in sync', 'sqlite', ({ journey }) => {
  journey('The second visit fetches only changes', async ({ app, open }) => {
    const ada = await app.person()
    await insertFlights(app.store, 1000, ada.id)
    const page = await open('/flights', { as: ada })
    const bodies = watchLog(page)
    const reload = async (count: string) => {
      bodies.length = 0
      const stepped = page.waitForEvent('requestfinished', isLog)
      await page.reload()
      // Earlier requests have their responses by then, so the body is recorded.
      await (await stepped).sizes()
      await page.getByText(`${count} flights`).first().waitFor()
      return bodies
    }
    await page.getByText('1,000 flights').waitFor()
    await untilKept(page)
    const second = await reload('1,000')
    assert.deepEqual([second.length, second[0]!.since], [1, true])
    assert.ok(second[0]!.bytes < 400, `${second[0]!.bytes} bytes`)

    const [fromId, toId] = await airportIds(app, 'LHR', 'SIN')
    const flight = await logFlight(app, ada, { date: '2026-11-01', fromId, toId, flightNumber: 'ZZ 1' })
    const third = await reload('1,001')
    assert.equal(third.length, 1)
    assert.ok(third[0]!.bytes < 3000, `${third[0]!.bytes} bytes`)
    await page.getByLabel('Search flights').fill('ZZ 1')
    await row(page, 'SIN').waitFor()
    await change(app, ada, 'DELETE', flight.id)
    await comeBack(page)
    await row(page, 'SIN').waitFor({ state: 'detached' })
    await page.getByLabel('Search flights').fill('')
    await page.getByText('1,000 flights').waitFor()
  })

  journey(
    'An open page shows others’ additions, changes and deletions without scrolling away',
    async (given) => {
      const { app, open } = given
      const [ada, bob] = [await app.person(), await app.person()]
      const { log, changed, deleted } = await logForBoth(app, ada, bob)
      const page = await open('/flights', { as: ada })
      await row(page, 'GONE1').waitFor()
      await log('2020-06-01', 'NEW1')
      await change(app, bob, 'PATCH', changed.id, { flightNumber: 'SEEN1' })
      await change(app, bob, 'DELETE', deleted.id)
      await comeBack(page)
      await row(page, 'NEW1').waitFor()
      await row(page, 'SEEN1').waitFor()
      // The page also requests changes each minute: the three may arrive in two responses.
      await row(page, 'GONE1').waitFor({ state: 'detached' })

      // Further down, visible rows do not move.
      await jumpTo(page, 1940)
      const read = row(page, 'OLD20')
      const before = await restingY(read)
      await log('2020-07-01', 'NEW2')
      await comeBack(page)
      await page.getByText('53 flights').waitFor()
      assert.equal(await restingY(read), before)

      // The page of a flight and the figures are updated, too.
      await follow(page, `/flights/${changed.id}`)
      await heading(page, /LHR to SIN/).waitFor()
      await change(app, bob, 'PATCH', changed.id, {
        aircraftReg: '9V-SMA',
        note: 'Sunrise over the Andamans',
      })
      await comeBack(page)
      await page.getByText('Sunrise over the Andamans').waitFor()
      await page.getByText('9V-SMA').first().waitFor()
      await page.getByRole('link', { name: 'Statistics', exact: true }).locator('visible=true').click()
      await page.getByRole('button', { name: /^Flights: 53\./ }).waitFor()

      // An edited form stays unchanged.
      await follow(page, `/flights/${changed.id}/edit`)
      await page.getByLabel('Note').fill('half a sen')
      await change(app, bob, 'DELETE', changed.id)
      const stepped = page.waitForResponse((response) => isLog(response.request()))
      await comeBack(page)
      await stepped
      assert.equal(await page.getByLabel('Note').inputValue(), 'half a sen')
    },
  )

  journey('A visible page on a phone updates within a minute', async ({ app, open }) => {
    const ada = await app.person()
    const [cph, jfk, osl] = await airportIds(app, 'CPH', 'JFK', 'OSL')
    await logFlight(app, ada, { date: '2024-05-01', fromId: cph, toId: jfk })
    const page = await open('/robots.txt', { as: ada, device: 'phone' })
    await page.clock.install()
    await page.goto('/flights')
    await row(page, 'JFK').waitFor()
    await logFlight(app, ada, { date: '2024-05-02', fromId: jfk, toId: osl })
    await page.clock.runFor(61_000)
    await row(page, 'OSL').first().waitFor()
  })

  journey(
    'Two tabs stay in sync; signing out erases the log in both, and the next person sees nothing',
    async (given) => {
      const { app, open } = given
      const [ada, bob] = [await app.person('owner'), await app.person()]
      const [fromId, toId] = await airportIds(app, 'LHR', 'SIN')
      const log = (who: TestPerson, date: string, flightNumber: string) =>
        logFlight(app, who, { date, fromId, toId, flightNumber })
      await log(ada, '2020-05-01', 'ADAS1')
      const doomed = await log(ada, '2020-05-02', 'ADAS2')
      await log(bob, '2020-05-01', 'BOBS1')
      const page = await open('/flights', { as: ada })
      await row(page, 'ADAS2').waitFor()
      await untilKept(page)
      const other = await page.context().newPage()
      await other.goto(`/flights/${doomed.id}`)
      await heading(other, /LHR to SIN/).waitFor()
      await chooseFromMore(other, 'Delete')
      await row(page, 'ADAS2').waitFor({ state: 'detached' })
      await row(page, 'ADAS1').waitFor()

      await page.getByRole('button', { name: `${ada.displayName}’s account` }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      for (const tab of [page, other]) {
        await tab.waitForURL((url) => url.pathname === '/sign-in')
        assert.equal(await tab.evaluate(keptLogs), 0)
      }
      await becomes(page.context(), app, bob)
      await page.goto('/flights')
      await row(page, 'BOBS1').waitFor()
      assert.equal(await row(page, 'ADAS1').count(), 0)
      await untilKept(page)

      // Without signing out: one person's page never shows another's log.
      await becomes(page.context(), app, ada)
      await comeBack(page)
      await row(page, 'ADAS1').waitFor()
      assert.equal(await row(page, 'BOBS1').count(), 0)
      await page.getByRole('button', { name: `${ada.displayName}’s account` }).waitFor()
    },
  )
})

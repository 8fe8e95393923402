// The log in the browser: the second visit fetches what changed, an open page follows the changes of others, and a log
// is never shown to another person.
import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { insertFlights } from '../../bench/data.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { chooseFromMore, heading, journeys, jumpTo } from './browser.ts'

/** As when the person comes back to the tab. */
const comeBack = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Runs in the page: how many logs the browser keeps. */
const keptLogs = `new Promise((done, failed) => {
  const opening = indexedDB.open('contrail', 1)
  opening.onsuccess = () => {
    const counting = opening.result.transaction('log').objectStore('log').count()
    counting.onsuccess = () => { opening.result.close(); done(counting.result) }
  }
  opening.onerror = () => failed(opening.error)
})`

/** The log is kept a moment after it is shown. */
async function untilKept(page: Page): Promise<void> {
  while ((await page.evaluate<number>(keptLogs)) === 0) await page.waitForTimeout(50)
}

const isLog = (request: Request) => new URL(request.url()).pathname === '/app/api/log'

async function watchLog(page: Page) {
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

journeys('the log in step', 'sqlite', ({ journey }) => {
  journey('the second visit fetches what changed', async ({ app, open }) => {
    const ada = await app.person()
    await insertFlights(app.store, 10_000, ada.id)
    const page = await open('/flights', { as: ada })
    const bodies = await watchLog(page)
    const reload = async (count: string) => {
      bodies.length = 0
      const stepped = page.waitForEvent('requestfinished', isLog)
      await page.reload()
      // What was asked about it before is answered before: then it is among the bodies.
      await (await stepped).sizes()
      await page.getByText(`${count} flights`).first().waitFor()
      return bodies
    }
    await page.getByText('10,000 flights').waitFor()
    await untilKept(page)
    const [fromId, toId] = await Promise.all([app.airportId('LHR'), app.airportId('SIN')])

    const second = await reload('10,000')
    assert.deepEqual([second.length, second[0]!.since], [1, true])
    assert.ok(second[0]!.bytes < 400, `${second[0]!.bytes} bytes`)

    const flight = await logFlight(app, ada, { date: '2026-11-01', fromId, toId, flightNumber: 'ZZ 1' })
    const third = await reload('10,001')
    assert.equal(third.length, 1)
    assert.ok(third[0]!.bytes < 3000, `${third[0]!.bytes} bytes`)
    await page.getByLabel('Search flights').fill('ZZ 1')
    await row(page, 'SIN').waitFor()

    await change(app, ada, 'DELETE', flight.id)
    await page.goto('/flights')
    await page.getByText('10,000 flights').waitFor()
  })

  journey(
    'an open page shows what others add, change and delete, and stays in place',
    async ({ app, open }) => {
      const [ada, bob] = [await app.person(), await app.person()]
      const airports = ['LHR', 'SIN', 'CPH', 'JFK'] as const
      const [lhr, sin, cph, jfk] = await Promise.all(airports.map((code) => app.airportId(code)))
      const passengers = [{ userId: bob.id }, { userId: ada.id }]
      for (let i = 10; i < 60; i++) {
        await logFlight(app, ada, {
          date: `19${i + 20}-01-01`,
          fromId: cph,
          toId: jfk,
          flightNumber: `OLD${i}`,
        })
      }
      const [changed, deleted] = [
        await logFlight(app, bob, { date: '2020-05-01', fromId: lhr, toId: sin, passengers }),
        await logFlight(app, bob, {
          date: '2020-05-02',
          fromId: sin,
          toId: lhr,
          passengers,
          flightNumber: 'GONE1',
        }),
      ]
      const page = await open('/flights', { as: ada })
      await row(page, 'GONE1').waitFor()
      await logFlight(app, bob, {
        date: '2020-06-01',
        fromId: lhr,
        toId: jfk,
        passengers,
        flightNumber: 'NEW1',
      })
      await change(app, bob, 'PUT', changed.id, {
        date: '2020-05-01',
        fromId: lhr,
        toId: sin,
        flightNumber: 'SEEN1',
      })
      await change(app, bob, 'DELETE', deleted.id)
      await comeBack(page)
      await row(page, 'NEW1').waitFor()
      await row(page, 'SEEN1').waitFor()
      // The page also asks by itself each minute: the three changes may come in two responses.
      await row(page, 'GONE1').waitFor({ state: 'detached' })

      // Far down, what is read does not move.
      await jumpTo(page, 1940)
      const read = row(page, 'OLD20')
      const before = await read.boundingBox()
      await logFlight(app, bob, { date: '2020-07-01', fromId: lhr, toId: jfk, passengers })
      await comeBack(page)
      await page.getByText('53 flights').waitFor()
      assert.equal((await read.boundingBox())?.y, before?.y)

      // A form that is being filled in stays as it is.
      await page.goto(`/flights/${changed.id}/edit`)
      await page.getByLabel('Note').fill('half a sen')
      await change(app, bob, 'DELETE', changed.id)
      const stepped = page.waitForResponse((response) => response.url().includes('/app/api/log'))
      await comeBack(page)
      await stepped
      assert.equal(await page.getByLabel('Note').inputValue(), 'half a sen')
    },
  )

  journey('two tabs of one browser are in step', async ({ app, open }) => {
    const ada = await app.person()
    const [fromId, toId] = await Promise.all([app.airportId('LHR'), app.airportId('SIN')])
    const flight = await logFlight(app, ada, { date: '2020-05-01', fromId, toId, flightNumber: 'TWO1' })
    await logFlight(app, ada, { date: '2020-05-02', fromId, toId, flightNumber: 'TWO2' })
    const one = await open('/flights', { as: ada })
    const other = await one.context().newPage()
    await other.goto(`/flights/${flight.id}`)
    await heading(other, /LHR to SIN/).waitFor()
    await row(one, 'TWO1').waitFor()
    await chooseFromMore(other, 'Delete')
    await row(one, 'TWO1').waitFor({ state: 'detached' })
    await row(one, 'TWO2').waitFor()
  })

  journey(
    'signing out erases the log in every tab, and the next person sees nothing',
    async ({ app, open }) => {
      const [ada, bob] = [await app.person('owner'), await app.person()]
      const [fromId, toId] = await Promise.all([app.airportId('LHR'), app.airportId('SIN')])
      await logFlight(app, ada, { date: '2020-05-01', fromId, toId, flightNumber: 'ADAS1' })
      await logFlight(app, bob, { date: '2020-05-01', fromId, toId, flightNumber: 'BOBS1' })
      const page = await open('/flights', { as: ada })
      await row(page, 'ADAS1').waitFor()
      await untilKept(page)
      const other = await page.context().newPage()
      await other.goto('/flights')
      await row(other, 'ADAS1').waitFor()

      await page.getByRole('button', { name: `${ada.displayName}’s account` }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      for (const tab of [page, other]) {
        await tab.waitForURL((url) => url.pathname === '/sign-in')
        assert.equal(await tab.evaluate(keptLogs), 0)
      }

      const signIn = async (person: TestPerson) => {
        const [name, value] = (await person.session()).split('=') as [string, string]
        await page.context().addCookies([{ name, value, url: app.url }])
      }
      await signIn(bob)
      await page.goto('/flights')
      await row(page, 'BOBS1').waitFor()
      assert.equal(await row(page, 'ADAS1').count(), 0)
      await untilKept(page)

      // Without signing out: the page of one person never shows the log of another.
      await signIn(ada)
      await comeBack(page)
      await row(page, 'ADAS1').waitFor()
      assert.equal(await row(page, 'BOBS1').count(), 0)
      await page.getByRole('button', { name: `${ada.displayName}’s account` }).waitFor()
    },
  )

  journey('without a database in the browser each visit loads the log', async ({ app, open }) => {
    const ada = await app.person()
    const [fromId, toId] = await Promise.all([app.airportId('LHR'), app.airportId('SIN')])
    await logFlight(app, ada, { date: '2020-05-01', fromId, toId, flightNumber: 'ADAS1' })
    const page = await open('/sign-in', { as: ada })
    await page
      .context()
      .addInitScript("IDBFactory.prototype.open = () => { throw new DOMException('refused') }")
    for (const _visit of [1, 2]) {
      await page.goto('/flights')
      await row(page, 'ADAS1').waitFor()
    }
    const bodies = await watchLog(page)
    const loaded = page.waitForEvent('requestfinished', isLog)
    await page.reload()
    await row(page, 'ADAS1').waitFor()
    await (await loaded).sizes()
    assert.deepEqual(
      bodies.map(({ since }) => since),
      [false],
    )
  })
})

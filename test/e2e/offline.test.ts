// Changes made without a server: they wait in the browser, are seen everywhere, and are sent once, in order, as the person
// who made them. What cannot be saved as it is stays until the person has decided.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { hashPassword } from '../../server/auth/passwords.ts'
import { updatePassword } from '../../server/store/people.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, keepMessages, pick, requireAccessible } from './browser.ts'

const bar = (page: Page) =>
  page.getByRole('status').filter({ hasText: /not synced yet|Sending your changes|decision/ })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const save = (page: Page) => page.getByRole('button', { name: 'Save flight' }).click()
const items = (page: Page) => page.getByRole('main').getByRole('listitem')

async function stored(app: TestApp, person: TestPerson) {
  const reply = await app.request('GET', '/api/v1/flights?limit=100', { key: await person.key() })
  return reply.json.data as {
    id: number
    version: number
    flightNumber: string | null
    note: string | null
    aircraftReg: string | null
    departure: string | null
    arrival: string | null
  }[]
}

/** A log of one flight that this browser has opened, so that its form can be filled without a server. */
async function logOne(app: TestApp, person: TestPerson, more: object = {}) {
  const [fromId, toId] = await Promise.all([app.airportId('CPH'), app.airportId('JFK')])
  return logFlight(app, person, {
    date: '2024-05-01',
    fromId,
    toId,
    flightNumber: 'SK 909',
    note: 'as it was',
    ...more,
  })
}

/** Runs in the page: the service worker has everything that is needed without a server. */
const prepare = `navigator.serviceWorker.ready
  .then(() => navigator.serviceWorker.controller ?? new Promise((done) =>
    navigator.serviceWorker.addEventListener('controllerchange', done, { once: true })))
  .then(() => Promise.all(['session', 'line-data', 'custom-fields'].map((name) => fetch('/app/api/' + name))))
  .then(() => undefined)`

/** Once the service worker is there, everything that was seen can be seen again. */
async function openKept(page: Page): Promise<void> {
  await page.evaluate(prepare)
  await page.reload()
}

/** Runs in the page until a condition holds. */
const until = (condition: string) => `(async () => {
  while (!(${condition})) await new Promise((next) => setTimeout(next, 50))
})()`

/**
 * Without a service worker: the queue, the bar and their texts are loaded a while after the start, each by itself. A form or a
 * list has some of the queue's files from its own start.
 */
function warm(page: Page): Promise<void> {
  const files = readdirSync(join(import.meta.dirname, '../../web/dist/assets'))
  const parts = files.filter((name) => /^(?:queue\.svelte|WaitingBar)-.*\.(?:js|css)$/.test(name))
  assert.ok(parts.length > 1, 'the parts are known')
  // One of each language.
  const texts = files.filter((name) => /^waiting-.*\.js$/.test(name))
  const isLoaded =
    "(part) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(part))"
  return page.evaluate(
    until(`${JSON.stringify(parts)}.every(${isLoaded}) && ${JSON.stringify(texts)}.some(${isLoaded})`),
  )
}

/** With a server again: until all is sent. The bar may come after the message that something waits. */
async function sendAll(page: Page): Promise<void> {
  await bar(page).waitFor()
  await page.context().setOffline(false)
  await bar(page).waitFor({ state: 'detached' })
}

const refusalOf = (status: 403 | 422 | 500) =>
  ({
    403: { code: 'forbidden', reason: 'forbidden', message: 'Not allowed' },
    422: { code: 'validation_failed', reason: 'validation_failed', message: 'Not valid' },
    500: { code: 'internal_error', reason: 'internal_error', message: 'Something went wrong' },
  })[status]

/** Runs in the page: how many changes this browser keeps, of anyone. */
const countKept = `new Promise((done, fail) => {
  const opening = indexedDB.open('contrail-writes', 1)
  opening.onerror = fail
  opening.onsuccess = () => {
    const counting = opening.result.transaction('writes').objectStore('writes').count()
    counting.onsuccess = () => {
      opening.result.close()
      done(counting.result)
    }
  }
})`

/** Runs in the page: the unsent change was first sent two days ago, with a key that has expired; the log's copy is gone. */
const makeOld = `new Promise((done, fail) => {
  indexedDB.deleteDatabase('contrail')
  const opening = indexedDB.open('contrail-writes', 1)
  opening.onerror = fail
  opening.onsuccess = () => {
    const store = opening.result.transaction('writes', 'readwrite').objectStore('writes')
    store.getAll().onsuccess = ({ target }) => {
      const [one] = target.result
      const old = { ...one, key: crypto.randomUUID(), attemptedAt: Date.now() - 172_800_000 }
      store.put(old).onsuccess = () => {
        opening.result.close()
        done()
      }
    }
  }
})`

/** Runs in the page: a copy of what waits, sent first, whose form has another shape. */
const breakCopy = `new Promise((done, fail) => {
  const opening = indexedDB.open('contrail-writes', 1)
  opening.onerror = fail
  opening.onsuccess = () => {
    const store = opening.result.transaction('writes', 'readwrite').objectStore('writes')
    store.getAll().onsuccess = ({ target }) => {
      const [one] = target.result
      const { draft } = one.write
      const write = { kind: 'create', input: null, draft: { from: draft.from, to: draft.to, date: draft.date } }
      store.put({ ...one, seq: one.seq - 0.5, key: crypto.randomUUID(), write }).onsuccess = () => {
        opening.result.close()
        done()
      }
    }
  }
})`

journeys('changes without a server', 'sqlite', ({ journey, onEachDevice }) => {
  onEachDevice(
    'a new flight, an edit and a deletion wait, are seen, and are sent in order',
    async ({ app, open }, device) => {
      const ada = await app.person()
      const edited = await logOne(app, ada)
      const [fromId, toId] = await Promise.all([app.airportId('LHR'), app.airportId('SIN')])
      const doomed = await logFlight(app, ada, { date: '2023-01-01', fromId, toId, flightNumber: 'SQ 1' })
      const page = await open(`/flights/${edited.id}`, { as: ada, device, serviceWorkers: 'allow' })
      await heading(page, /CPH/).waitFor()
      await openKept(page)
      await heading(page, /CPH/).waitFor()
      // The heading is from the log: the flight itself may still be on its way.
      await page.evaluate(until(`await caches.match('/app/api/flights/${edited.id}', { ignoreVary: true })`))
      await page.goto('/flights')
      await row(page, 'SQ 1').waitFor()
      await page.context().setOffline(true)

      await page.goto(`/flights/${edited.id}/edit`)
      await page.getByLabel('Note').fill('written on the plane')
      await save(page)
      await page.getByText('Saved on this device.').waitFor()
      await heading(page, /CPH/).waitFor()
      await page.getByText('written on the plane').waitFor()
      await page.getByText('Your change to this flight is not synced yet.').waitFor()

      await page.goto('/flights/new')
      for (const [label, code] of [
        ['From', 'JFK'],
        ['To', 'CPH'],
      ] as const) {
        await page.getByRole('combobox', { name: label, exact: true }).fill(code)
        await page.getByRole('option').filter({ hasText: code }).first().click()
      }
      await page.getByLabel('Flight number', { exact: true }).first().fill('SK 910')
      await save(page)
      await page.getByText('Saved on this device.').waitFor()

      await page.goto('/flights')
      await row(page, 'SK 910').waitFor()
      await row(page, 'SQ 1').focus()
      await page.keyboard.press('Delete')
      await page.getByText('Flight deleted on this device.').waitFor()
      await row(page, 'SQ 1').waitFor({ state: 'detached' })
      await row(page, 'SK 910').getByText('Not sent yet').waitFor({ state: 'attached' })
      await bar(page).filter({ hasText: '3 changes' }).waitFor()
      await requireAccessible(page, 'the list with what waits')

      await page.goto('/')
      const field = page.getByRole('searchbox').first()
      await field.waitFor()
      await bar(page).waitFor()
      // The map makes room for the bar in the frame after it is there.
      const isBelow = async () => {
        const [strip, box] = [await bar(page).locator('..').boundingBox(), await field.boundingBox()]
        return box!.y >= strip!.y + strip!.height
      }
      for (let wait = 1; wait < 100 && !(await isBelow()); wait++) await page.waitForTimeout(wait)
      assert.ok(await isBelow(), 'the bar covers nothing of the map')

      // They are still there after a reload, and listed in their order.
      await page.goto('/waiting')
      await items(page).nth(2).waitFor()
      assert.deepEqual(
        (await items(page).allInnerTexts()).map(
          (text) => /^(Change|New flight|Deletion): (SK 909|SK 910|SQ 1)/.exec(text.trim())?.[0],
        ),
        ['Change: SK 909', 'New flight: SK 910', 'Deletion: SQ 1'],
      )
      await requireAccessible(page, 'what waits')
      assert.equal((await stored(app, ada)).length, 2)

      await page.context().setOffline(false)
      await page.getByText('Everything is synced').waitFor()
      const flights = await stored(app, ada)
      assert.deepEqual(flights.map(({ flightNumber }) => flightNumber).sort(), ['SK 909', 'SK 910'])
      assert.equal(flights.find(({ id }) => id === edited.id)?.note, 'written on the plane')
      assert.equal(
        flights.some(({ id }) => id === doomed.id),
        false,
      )
    },
  )

  journey(
    'a request whose response is lost is made again, and the flight is there once',
    async ({ app, open }) => {
      const ada = await app.person()
      await logOne(app, ada)
      const page = await open('/flights/new', { as: ada })
      await heading(page, 'Add flight').waitFor()
      let lost = 0
      await page.route('**/app/api/flights', async (route) => {
        if (route.request().method() !== 'POST' || lost++ > 0) return route.continue()
        await route.fetch()
        return route.abort('internetdisconnected')
      })
      await pick(page, 'From', 'LHR', 'LHR')
      await pick(page, 'To', 'SIN', 'SIN')
      // It is sent again at once: both messages may be there together, and the second one is the first to go.
      await Promise.all([
        page.getByText('Saved on this device.').waitFor(),
        page.getByText('The change to LHR → SIN was sent').waitFor(),
        save(page),
      ])
      assert.equal(lost, 2)
      assert.equal((await stored(app, ada)).length, 2)
      await bar(page).waitFor({ state: 'detached' })
    },
  )

  onEachDevice(
    'two browsers, one account: other fields merge, the same field is asked about',
    async ({ app, open }, device) => {
      const ada = await app.person()
      const flight = await logOne(app, ada)
      const edit = `/flights/${flight.id}/edit`
      const [plane, home] = [await open(edit, { as: ada, device }), await open(edit, { as: ada })]
      await plane.getByLabel('Note').fill('from the plane')
      await warm(plane)
      await plane.context().setOffline(true)
      await save(plane)
      await plane.getByText('Saved on this device.').waitFor()
      await home.getByLabel('Note').fill('from home')
      await home.getByLabel('Registration').fill('OY-KBO')
      await save(home)
      await heading(home, /CPH/).waitFor()
      await plane.context().setOffline(false)
      await bar(plane).filter({ hasText: '1 change needs your decision.' }).waitFor()
      assert.equal((await stored(app, ada))[0]?.note, 'from home', 'nothing is overwritten')

      await plane.getByRole('link', { name: 'Show' }).click()
      await items(plane).filter({ hasText: 'also changed elsewhere' }).waitFor()
      await requireAccessible(plane, 'a change that needs a decision')
      await plane.getByRole('link', { name: /^Choose values/ }).click()
      const conflict = plane.getByRole('alert').filter({ hasText: 'also changed elsewhere' })
      await conflict.getByRole('group', { name: 'Note' }).waitFor()
      assert.equal(await plane.getByLabel('Registration').inputValue(), 'OY-KBO')
      await conflict.getByRole('radio', { name: /^Your change/ }).check()
      await save(plane)
      await heading(plane, /CPH/).waitFor()
      const [now] = await stored(app, ada)
      assert.deepEqual([now?.note, now?.aircraftReg, now?.version], ['from the plane', 'OY-KBO', 3])
      await bar(plane).waitFor({ state: 'detached' })
    },
  )

  journey('two tabs share one queue, and one of them sends', async ({ app, open }) => {
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const first = await open(`/flights/${flight.id}/edit`, { as: ada })
    const second = await first.context().newPage()
    await second.goto('/flights')
    await row(second, 'SK 909').waitFor()
    await warm(second)
    await first.getByLabel('Note').fill('by the first tab')
    await warm(first)
    await first.context().setOffline(true)
    await save(first)
    await bar(second).filter({ hasText: '1 change' }).waitFor()
    await row(second, 'SK 909').getByText('Not sent yet').waitFor({ state: 'attached' })
    let writes = 0
    // Of requests that a server was there for.
    first.context().on('requestfinished', (request) => {
      if (request.method() === 'PUT') writes++
    })
    await first.context().setOffline(false)
    await Promise.all([first, second].map((tab) => bar(tab).waitFor({ state: 'detached' })))
    const [now] = await stored(app, ada)
    assert.deepEqual([now?.note, now?.version, writes], ['by the first tab', 2, 1])
  })

  journey('two tabs edit one flight without a server: both changes are stored', async ({ app, open }) => {
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const first = await open(`/flights/${flight.id}/edit`, { as: ada })
    const second = await first.context().newPage()
    await second.goto(`/flights/${flight.id}/edit`)
    await first.getByLabel('Note').fill('by the first tab')
    await second.getByLabel('Registration').fill('OY-KBO')
    await Promise.all([first, second].map(warm))
    await first.context().setOffline(true)
    for (const tab of [first, second]) {
      await save(tab)
      await tab.getByText('Saved on this device.').waitFor()
    }
    await first.context().setOffline(false)
    await Promise.all([first, second].map((tab) => bar(tab).waitFor({ state: 'detached' })))
    const [now] = await stored(app, ada)
    assert.deepEqual([now?.note, now?.aircraftReg], ['by the first tab', 'OY-KBO'])
  })

  for (const isOtherOpen of [true, false])
    journey(
      `a tab that is closed while it saves loses nothing; ${isOtherOpen ? 'another tab' : 'the next visit'} sends it`,
      async ({ app, open }) => {
        const ada = await app.person()
        await logOne(app, ada)
        const page = await open('/flights/new', { as: ada })
        const context = page.context()
        const visit = async (other: Page) => {
          await other.goto('/flights')
          await row(other, 'SK 909').waitFor()
        }
        const before = isOtherOpen ? await context.newPage() : null
        if (before) await visit(before)
        // The server is slow: the request never ends.
        const asked = new Promise<void>((resolve) => {
          void page.route('**/app/api/flights', (route) =>
            route.request().method() === 'POST' ? resolve() : route.continue(),
          )
        })
        await pick(page, 'From', 'LHR', 'LHR')
        await pick(page, 'To', 'SIN', 'SIN')
        await save(page)
        await asked
        await page.close({ runBeforeUnload: false })
        const other = before ?? (await context.newPage())
        // A visit sends it at its start: that may be said, and be gone, before the list is there.
        await Promise.all([
          other.getByText('The change to LHR → SIN was sent').waitFor(),
          before ? undefined : visit(other),
        ])
        await row(other, 'Singapore').waitFor()
        await bar(other).waitFor({ state: 'detached' })
        assert.equal((await stored(app, ada)).length, 2)
        await other.goto('/flights/new')
        await heading(other, 'Add flight').waitFor()
        assert.equal(await other.getByRole('combobox', { name: 'From', exact: true }).inputValue(), '')
      },
    )

  journey('undoing a deletion whose response was lost puts the flight back', async ({ app, open }) => {
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const page = await open('/flights', { as: ada })
    await row(page, 'SK 909').waitFor()
    await warm(page)
    await page.evaluate(keepMessages)
    await page.route(`**/app/api/flights/${flight.id}`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      await route.fetch()
      return route.abort('internetdisconnected')
    })
    const isBack = new Promise<void>((resolve) => {
      void page.route('**/app/api/flight-restorations', async (route) => {
        await route.fulfill({ response: await route.fetch() })
        resolve()
      })
    })
    await row(page, 'SK 909').focus()
    await page.keyboard.press('Delete')
    await page.getByText('Flight deleted on this device.').waitFor()
    assert.deepEqual(await stored(app, ada), [])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await isBack
    await row(page, 'SK 909').waitFor()
    await bar(page).waitFor({ state: 'detached' })
    assert.equal((await stored(app, ada)).length, 1)
  })

  journey(
    'a change that was sent before it is undone is undone where it is stored',
    async ({ app, open }) => {
      const ada = await app.person()
      const flight = await logOne(app, ada)
      const page = await open(`/flights/${flight.id}`, { as: ada })
      await page.getByRole('link', { name: 'Edit' }).first().click()
      await page.getByLabel('Note').fill('in a hurry')
      await warm(page)
      await page.evaluate(keepMessages)
      await page.context().setOffline(true)
      await save(page)
      await page.getByText('Saved on this device.').waitFor()
      await sendAll(page)
      assert.equal((await stored(app, ada))[0]?.note, 'in a hurry')
      await page.getByRole('button', { name: /^Undo/ }).first().click()
      await page.getByText('as it was').waitFor()
      assert.equal((await stored(app, ada))[0]?.note, 'as it was')
    },
  )

  journey('an edit that waits keeps the delay, also in the figures', async ({ app, open }) => {
    const ada = await app.person()
    const late = {
      departureScheduled: '2024-05-01T10:00:00Z',
      departure: '2024-05-01T10:05:00Z',
      arrivalScheduled: '2024-05-01T18:00:00Z',
      arrival: '2024-05-01T18:41:00Z',
    }
    const flight = await logOne(app, ada, late)
    // A share is stated of five flights.
    for (const flightNumber of ['SK1', 'SK2', 'SK3', 'SK4']) await logOne(app, ada, { ...late, flightNumber })
    const page = await open('/flights', { as: ada, serviceWorkers: 'allow' })
    await openKept(page)
    // The form does not wait for the log, which is needed without a server too.
    await row(page, 'SK 909').waitFor()
    await page.goto(`/flights/${flight.id}/edit`)
    await page.getByLabel('Note').fill('late')
    await page.context().setOffline(true)
    await save(page)
    await page.getByText('Saved on this device.').waitFor()
    await page.goto('/flights')
    const delay = row(page, 'SK 909').locator('.delay').first()
    await delay.waitFor({ state: 'attached' })
    const shown = await delay.textContent()
    assert.match(shown!, /41/)
    await page.goto('/stats')
    await page.getByRole('button', { name: 'On time: 0 %. Explain this number' }).waitFor()
    await sendAll(page)
    await page.goto('/flights')
    assert.equal(await delay.textContent(), shown)
  })

  journey('without https the browser offers less, and saving works all the same', async ({ app, open }) => {
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const page = await open('/flights', { as: ada })
    // What Chromium leaves out at http://nas:3000.
    await page.addInitScript(
      `delete Crypto.prototype.randomUUID; delete Navigator.prototype.locks; delete Navigator.prototype.serviceWorker; delete window.caches`,
    )
    await page.goto('/flights')
    await row(page, 'SK 909').getByRole('link').first().click()
    await page.getByRole('link', { name: 'Edit' }).first().click()
    await page.getByLabel('Note').fill('over plain http')
    await save(page)
    await heading(page, /CPH/).waitFor()
    assert.equal((await stored(app, ada))[0]?.note, 'over plain http')
    await page.goto(`/flights/${flight.id}/edit`)
    await page.getByLabel('Note').fill('waits over plain http')
    await warm(page)
    await page.context().setOffline(true)
    await save(page)
    await page.getByText('Saved on this device.').waitFor()
    await sendAll(page)
    assert.equal((await stored(app, ada))[0]?.note, 'waits over plain http')
  })

  journey('signing out keeps what waits, for that person alone', async ({ app, open }) => {
    const [ada, bob] = [await app.person(), await app.person()]
    const flight = await logOne(app, ada)
    const page = await open(`/flights/${flight.id}/edit`, { as: ada })
    // The server takes no changes, but lets people in and out.
    await page.route(`**/app/api/flights/${flight.id}`, (route) =>
      route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.continue(),
    )
    await page.getByLabel('Note').fill('hers')
    await save(page)
    await page.getByText('Saved on this device.').waitFor()
    const leave = async () => {
      await page.getByRole('button', { name: ada.displayName }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await leave()
    const dialog = page.getByRole('dialog', { name: 'A change has not been sent yet' })
    await dialog.waitFor()
    await requireAccessible(page, 'a warning before signing out')
    await dialog.getByRole('button', { name: 'Stay signed in' }).click()
    await dialog.waitFor({ state: 'detached' })
    await leave()
    await dialog.getByRole('button', { name: 'Keep and sign out' }).click()
    await page.getByRole('heading', { name: /^(Sign in|Welcome to Contrail)$/ }).waitFor()
    await page.unroute(`**/app/api/flights/${flight.id}`)

    const signInAs = async (person: TestPerson) => {
      const [name, value] = (await person.session()).split('=') as [string, string]
      await page.context().addCookies([{ name, value, url: app.url }])
      await page.goto('/flights')
      await heading(page, 'Flights').waitFor()
    }
    let writes = 0
    page.on('request', (request) => {
      if (request.method() === 'PUT') writes++
    })
    await signInAs(bob)
    await page.goto('/waiting')
    await page.getByText('Everything is synced').waitFor()
    assert.deepEqual([writes, (await stored(app, ada))[0]?.note], [0, 'as it was'])

    // It is sent at the start: that may be said, and be gone, before the list is there.
    await Promise.all([page.getByText('The change to SK 909 was sent').waitFor(), signInAs(ada)])
    assert.equal((await stored(app, ada))[0]?.note, 'hers')
  })

  journey('signing out deletes what waits, if that is chosen', async ({ app, open }) => {
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const page = await open(`/flights/${flight.id}/edit`, { as: ada })
    const address = `**/app/api/flights/${flight.id}`
    await page.route(address, (route) =>
      route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.continue(),
    )
    await page.getByLabel('Note').fill('secret')
    await save(page)
    await page.getByText('Saved on this device.').waitFor()
    await page.goto('/settings/security')
    await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'A change has not been sent yet' })
    assert.equal(await page.evaluate(countKept), 1)
    await dialog.getByRole('button', { name: 'Delete and sign out' }).click()
    await page.getByRole('heading', { name: /^(Sign in|Welcome to Contrail)$/ }).waitFor()
    assert.equal(await page.evaluate(countKept), 0)
    await page.unroute(address)
    const [name, value] = (await ada.session()).split('=') as [string, string]
    await page.context().addCookies([{ name, value, url: app.url }])
    await page.goto('/waiting')
    await page.getByText('Everything is synced').waitFor()
    assert.equal((await stored(app, ada))[0]?.note, 'as it was')
  })

  journey('what was deleted or changed elsewhere meanwhile waits for a decision', async ({ app, open }) => {
    const ada = await app.person()
    const [edited, deleted] = [await logOne(app, ada), await logOne(app, ada, { flightNumber: 'SK 5' })]
    const page = await open('/flights', { as: ada })
    await row(page, 'SK 5').waitFor()
    await row(page, 'SK 909').getByRole('link').click()
    await heading(page, /CPH/).waitFor()
    await page.getByRole('link', { name: 'Edit' }).first().click()
    await page.getByLabel('Note').fill('typed for nothing?')
    await warm(page)
    await page.context().setOffline(true)
    await save(page)
    await page.getByText('Saved on this device.').waitFor()
    await page.getByRole('link', { name: 'Flights' }).first().click()
    await row(page, 'SK 5').focus()
    await page.keyboard.press('Delete')
    await page.getByText('Flight deleted on this device.').waitFor()
    const key = await ada.key()
    await app.request('DELETE', `/api/v1/flights/${edited.id}`, { key })
    await app.request('PATCH', `/api/v1/flights/${deleted.id}`, { key, body: { note: 'newer' } })
    await page.context().setOffline(false)
    await bar(page).filter({ hasText: '2 changes need your decision' }).waitFor()
    await page.getByRole('link', { name: 'Show' }).click()
    await items(page).filter({ hasText: 'was deleted elsewhere' }).waitFor()

    await page.getByRole('button', { name: /^Delete anyway/ }).click()
    await items(page).filter({ hasText: 'SK 5' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^Open in the form/ }).click()
    await page.getByRole('button', { name: 'Save as a new flight' }).click()
    await heading(page, /CPH/).waitFor()
    const flights = await stored(app, ada)
    assert.deepEqual(
      flights.map(({ flightNumber, note }) => [flightNumber, note]),
      [['SK 909', 'typed for nothing?']],
    )
    await bar(page).waitFor({ state: 'detached' })
  })

  journey('where the browser keeps nothing, saving is refused and says why', async ({ app, open }) => {
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const page = await open('/flights', { as: ada })
    await page.addInitScript("indexedDB.open = () => { throw new DOMException('not here', 'SecurityError') }")
    await page.goto(`/flights/${flight.id}/edit`)
    await page.getByLabel('Note').fill('nowhere to go')
    await page.context().setOffline(true)
    await save(page)
    await page.getByText('this browser cannot keep changes').waitFor()
    assert.equal(await page.getByLabel('Note').inputValue(), 'nowhere to go')
    await page.context().setOffline(false)
    await save(page)
    await heading(page, /CPH/).waitFor()
    assert.equal((await stored(app, ada))[0]?.note, 'nowhere to go')
  })

  for (const status of [403, 422, 500] as const)
    journey(
      `a change that is refused with ${status} says why, and is sent again or discarded`,
      async ({ app, open }) => {
        const ada = await app.person()
        const flight = await logOne(app, ada)
        const page = await open(`/flights/${flight.id}/edit`, { as: ada, serverMayFail: true })
        await page.getByLabel('Note').fill('refused at first')
        await warm(page)
        await page.context().setOffline(true)
        await save(page)
        await page.getByText('Saved on this device.').waitFor()
        let refusals = 0
        await page.route(`**/app/api/flights/${flight.id}`, (route) => {
          if (route.request().method() !== 'PUT' || refusals++ > 1) return route.continue()
          return route.fulfill({ status, json: { error: refusalOf(status) } })
        })
        await page.context().setOffline(false)
        await bar(page).filter({ hasText: '1 change needs your decision.' }).waitFor()
        await page.getByRole('link', { name: 'Show' }).click()
        await items(page).filter({ hasText: 'Not saved: ' }).waitFor()
        const again = page.getByRole('button', { name: /^Try again/ })
        await again.click()
        await items(page).filter({ hasText: 'Not saved: ' }).waitFor()
        await again.click()
        await page.getByText('Everything is synced').waitFor()
        const [now] = await stored(app, ada)
        assert.deepEqual([now?.note, now?.version, refusals], ['refused at first', 2, 3])
      },
    )

  journey(
    'a refused change that is corrected keeps all of it, also if the flight changed elsewhere',
    async ({ app, open }) => {
      const ada = await app.person()
      const flight = await logOne(app, ada, { departureGate: 'A1' })
      const page = await open(`/flights/${flight.id}/edit`, { as: ada })
      await page.getByLabel('Note').fill('written offline')
      await warm(page)
      await page.context().setOffline(true)
      await save(page)
      await page.getByText('Saved on this device.').waitFor()
      let refusals = 0
      await page.route(`**/app/api/flights/${flight.id}`, (route) => {
        if (route.request().method() !== 'PUT' || refusals++ > 0) return route.continue()
        return route.fulfill({ status: 422, json: { error: refusalOf(422) } })
      })
      await page.context().setOffline(false)
      await bar(page).filter({ hasText: '1 change needs your decision.' }).waitFor()
      const body = { departureGate: 'B2' }
      await app.request('PATCH', `/api/v1/flights/${flight.id}`, { key: await ada.key(), body })
      await page.getByRole('link', { name: 'Show' }).click()
      await page.getByRole('link', { name: /^Open in the form/ }).click()
      await page.getByLabel('Registration').fill('OY-KBO')
      await save(page)
      await heading(page, /CPH/).waitFor()
      await bar(page).waitFor({ state: 'detached' })
      const { data } = (await app.request('GET', `/api/v1/flights/${flight.id}`, { key: await ada.key() }))
        .json
      assert.deepEqual([data.note, data.aircraftReg, data.departureGate], ['written offline', 'OY-KBO', 'B2'])
    },
  )

  journey(
    'a new flight whose response was lost a day ago is asked about, and not made twice',
    async ({ app, open }) => {
      const ada = await app.person()
      await logOne(app, ada)
      const page = await open('/flights/new', { as: ada })
      await warm(page)
      await page.route('**/app/api/flights', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        await route.fetch()
        return route.abort('internetdisconnected')
      })
      await pick(page, 'From', 'LHR', 'LHR')
      await pick(page, 'To', 'SIN', 'SIN')
      await save(page)
      await page.getByText('Saved on this device.').waitFor()
      assert.equal((await stored(app, ada)).length, 2)
      await page.goto('/sign-in/signed-out')
      await page.evaluate(makeOld)
      const again = await page.context().newPage()
      await page.close()
      // The log comes last: nothing is sent before it is known.
      let release = () => {}
      const released = new Promise<void>((done) => {
        release = done
      })
      await again.route('**/app/api/log?*', async (route) => {
        await released
        await route.continue()
      })
      let posts = 0
      again.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/flights')) posts++
      })
      await again.goto('/waiting')
      await items(again).filter({ hasText: 'LHR → SIN' }).waitFor()
      release()
      await bar(again)
        .filter({ hasText: 'decision' })
        .or(again.getByText(/never confirmed/))
        .first()
        .waitFor()
      assert.deepEqual([posts, (await stored(app, ada)).length], [0, 2])
    },
  )

  journey('of two messages, each undoes its own change', async ({ app, open }) => {
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const page = await open(`/flights/${flight.id}`, { as: ada })
    await page.evaluate(keepMessages)
    for (const [label, text] of [
      ['Note', 'typed before'],
      ['Registration', 'OY-KBO'],
    ] as const) {
      await page.getByRole('link', { name: 'Edit' }).first().click()
      await page.getByLabel(label).fill(text)
      app.clock.advance(1000)
      // The message before may cover the button.
      await page.getByRole('button', { name: 'Save flight' }).press('Enter')
      await heading(page, /CPH/).waitFor()
      await page.getByText(text).first().waitFor()
    }
    // The newest message comes first.
    await page.locator('.toast').getByRole('button', { name: /^Undo/ }).nth(1).click()
    await page.getByText('as it was').waitFor()
    const [now] = await stored(app, ada)
    assert.deepEqual([now?.note, now?.aircraftReg], ['as it was', 'OY-KBO'])
  })

  journey(
    'a change that is refused can be discarded, and the flight is as it is stored',
    async ({ app, open }) => {
      const ada = await app.person()
      const flight = await logOne(app, ada)
      const page = await open(`/flights/${flight.id}/edit`, { as: ada })
      await page.getByLabel('Note').fill('never')
      await warm(page)
      await page.context().setOffline(true)
      await save(page)
      await page.getByText('Saved on this device.').waitFor()
      await page.route(`**/app/api/flights/${flight.id}`, (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 403, json: { error: refusalOf(403) } })
          : route.continue(),
      )
      await page.context().setOffline(false)
      await page.getByRole('link', { name: 'Show' }).click()
      await page.getByRole('button', { name: /^Discard/ }).click()
      await page.getByText('Everything is synced').waitFor()
      await page.goto(`/flights/${flight.id}`)
      await page.getByText('as it was').waitFor()
      assert.equal((await stored(app, ada))[0]?.version, 1)
    },
  )

  journey('a server that starts or is overloaded is asked again', async ({ app, open }) => {
    const ada = await app.person()
    await logOne(app, ada)
    const page = await open('/flights/new', { as: ada, serverMayFail: true })
    let answers = 0
    await page.route('**/app/api/flights', (route) => {
      const status = [503, 429, 502, 521][answers]
      if (route.request().method() !== 'POST' || status === undefined) return route.continue()
      answers++
      return route.fulfill({ status, body: 'Not now' })
    })
    await pick(page, 'From', 'LHR', 'LHR')
    await pick(page, 'To', 'SIN', 'SIN')
    await save(page)
    await page.getByText('Saved on this device.').waitFor()
    await page.getByRole('link', { name: 'Show' }).click()
    const retry = page.getByRole('button', { name: 'Try now' })
    while (answers < 4) await retry.click()
    await page.getByText('Everything is synced').waitFor()
    assert.equal((await stored(app, ada)).length, 2)
  })

  journey('a session that ended meanwhile: asked once, not again and again', async ({ app, open }) => {
    const ada = await app.person()
    const hash = await hashPassword('kitty hawk')
    await app.store.transaction((tx) => updatePassword(tx, ada.id, hash))
    const flight = await logOne(app, ada)
    const page = await open(`/flights/${flight.id}/edit`, { as: ada })
    await page.getByLabel('Note').fill('kept over the session')
    await warm(page)
    await page.clock.install()
    await page.context().setOffline(true)
    await save(page)
    await page.getByText('Saved on this device.').waitFor()
    await page.context().clearCookies()
    await page.context().setOffline(false)
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
    await dialog.waitFor()
    await requireAccessible(page, 'a session that ended')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    let writes = 0
    page.on('request', (request) => {
      if (request.method() === 'PUT') writes++
    })
    await page.clock.runFor(600_000)
    assert.deepEqual([await dialog.isVisible(), writes], [false, 0])
    await page.getByText('Your change to this flight is not synced yet.').waitFor()

    await page.getByRole('link', { name: 'Show' }).click()
    await page.getByRole('button', { name: 'Try now' }).click()
    await dialog.getByLabel(/^Password for/).fill('kitty hawk')
    await dialog.getByLabel(/^Password for/).press('Enter')
    await page.getByText('Everything is synced').waitFor()
    assert.deepEqual(
      (await stored(app, ada)).map(({ note, version }) => [note, version]),
      [['kept over the session', 2]],
    )
  })

  journey('a deletion that was sent meanwhile is undone from the bin', async ({ app, open }) => {
    const ada = await app.person()
    await logOne(app, ada)
    const page = await open('/flights', { as: ada })
    await row(page, 'SK 909').waitFor()
    await warm(page)
    await page.evaluate(keepMessages)
    await page.context().setOffline(true)
    await row(page, 'SK 909').focus()
    await page.keyboard.press('Delete')
    await page.getByText('Flight deleted on this device.').waitFor()
    await sendAll(page)
    assert.deepEqual(await stored(app, ada), [])
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'SK 909').waitFor()
    assert.equal((await stored(app, ada)).length, 1)
  })

  journey(
    'a change of another version of the app that cannot be read holds up no other',
    async ({ app, open }) => {
      const ada = await app.person()
      const flight = await logOne(app, ada)
      const page = await open(`/flights/${flight.id}/edit`, { as: ada })
      await page.getByLabel('Note').fill('the one after it')
      await warm(page)
      await page.context().setOffline(true)
      await save(page)
      await page.getByText('Saved on this device.').waitFor()
      await page.evaluate(breakCopy)
      await page.context().setOffline(false)
      await page.goto('/flights')
      await bar(page).filter({ hasText: '1 change needs your decision.' }).waitFor()
      await page.getByRole('link', { name: 'Show' }).click()
      // The page before may have said so already, and been left before it sent the other one.
      await items(page).first().waitFor()
      await items(page).nth(1).waitFor({ state: 'detached' })
      assert.equal((await stored(app, ada))[0]?.note, 'the one after it')
      await page.getByRole('button', { name: /^Discard/ }).click()
      await page.getByText('Everything is synced').waitFor()
    },
  )

  onEachDevice(
    'a flight that was never opened on this device can be changed; what the log does not tell stays',
    async ({ app, open }, device) => {
      const ada = await app.person()
      const times = { departure: '2024-05-01T10:00:00Z', arrivalScheduled: '2024-05-01T18:00:00Z' }
      const flight = await logOne(app, ada, { ...times, price: { amount: '99.50', currency: 'EUR' } })
      const page = await open('/flights', { as: ada, device, serviceWorkers: 'allow' })
      await row(page, 'SK 909').waitFor()
      await openKept(page)
      await row(page, 'SK 909').waitFor()
      await page.context().setOffline(true)
      await page.goto(`/flights/${flight.id}/edit`)
      await page.getByText('You have not opened this flight on this device before').waitFor()
      await requireAccessible(page, 'a form filled from the log')
      await page.getByLabel('Registration').fill('OY-KBO')
      await save(page)
      await page.getByText('Saved on this device.').waitFor()
      await sendAll(page)
      const { data } = (await app.request('GET', `/api/v1/flights/${flight.id}`, { key: await ada.key() }))
        .json
      const { aircraftReg, note, price, departure, arrival, arrivalScheduled, version } = data
      assert.deepEqual(
        [aircraftReg, note, price.amount, arrival, version],
        ['OY-KBO', 'as it was', '99.50', null, 2],
      )
      assert.deepEqual(
        [departure, arrivalScheduled].map((text) => new Date(text).toISOString()),
        ['2024-05-01T10:00:00.000Z', '2024-05-01T18:00:00.000Z'],
      )
    },
  )

  journey(
    'after the first visit every page is there without a server, also those never opened',
    async ({ app, open }) => {
      const ada = await app.person()
      await logOne(app, ada)
      const page = await open('/flights', { as: ada, serviceWorkers: 'allow' })
      await row(page, 'SK 909').waitFor()
      await page.evaluate(prepare)
      await page.evaluate(until("await caches.match('/app/api/visited-countries', { ignoreVary: true })"))
      await page.context().setOffline(true)
      await page.goto('/countries')
      await heading(page, 'Countries').waitFor()
      assert.equal(await page.getByText('Could not load this page').count(), 0)
      for (const [path, name] of [
        ['/stats', 'Statistics'],
        ['/flights/new', 'Add flight'],
        ['/waiting', 'Not synced yet'],
      ] as const) {
        await page.goto(path)
        await heading(page, name).waitFor()
      }
    },
  )
})

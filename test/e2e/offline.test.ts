// Changes made without a server: they are kept in the browser, shown everywhere, and sent once, in order, as the person who
// made them. A change that cannot be saved stays until the person has decided. Deletions: bin.test.ts.
import assert from 'node:assert/strict'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { devices, heading, journeys, keepMessages, pick, resize } from './browser.ts'
import { follow } from './screens.ts'
import {
  bar,
  items,
  lostFor,
  prepare,
  retryNow,
  row,
  save,
  savedHere,
  sendAll,
  unreachedFor,
  untilCached,
  warm,
} from './waiting.ts'

async function stored(app: TestApp, person: TestPerson) {
  const reply = await app.request('GET', '/api/v1/flights?limit=100', { key: await person.key() })
  return reply.json.data as {
    id: number
    version: number
    flightNumber: string | null
    note: string | null
    aircraftReg: string | null
  }[]
}

async function flightOf(app: TestApp, person: TestPerson, id: number) {
  return (await app.request('GET', `/api/v1/flights/${id}`, { key: await person.key() })).json.data
}

/** Changes a flight as another device would. */
async function changeElsewhere(app: TestApp, person: TestPerson, method: string, id: number, body?: object) {
  const asked = { key: await person.key(), ...(body && { body }) }
  const reply = await app.request(method, `/api/v1/flights/${id}`, asked)
  assert.ok(reply.status < 300, reply.text)
}

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

async function fillRoute(page: Page, from: string, to: string): Promise<void> {
  await pick(page, 'From', from, from)
  await pick(page, 'To', to, to)
}

/** The form, reached from the page of the flight: offline that page exists only if it was opened before. */
async function editShown(page: Page): Promise<void> {
  await heading(page, /CPH/).waitFor()
  await page.getByRole('link', { name: 'Edit' }).first().click()
  await page.getByLabel('Note').waitFor()
}

async function saveNote(page: Page, note: string): Promise<void> {
  await page.getByLabel('Note').fill(note)
  await save(page)
  await savedHere(page)
}

async function editNote(page: Page, id: number, note: string): Promise<void> {
  await follow(page, `/flights/${id}/edit`)
  await saveNote(page, note)
}

async function becomes(context: BrowserContext, app: TestApp, person: TestPerson): Promise<void> {
  const [name, value] = (await person.session()).split('=') as [string, string]
  await context.addCookies([{ name, value, url: app.url }])
}

/** Runs in the page: the number of changes that this browser keeps, of all people. */
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

/** Runs in the page: puts what `change` makes of the first unsent change beside or in place of it. */
const putKept = (change: string) => `new Promise((done, fail) => {
  const opening = indexedDB.open('contrail-writes', 1)
  opening.onerror = fail
  opening.onsuccess = () => {
    const store = opening.result.transaction('writes', 'readwrite').objectStore('writes')
    store.getAll().onsuccess = ({ target }) => {
      store.put((${change})(target.result[0])).onsuccess = () => {
        opening.result.close()
        done()
      }
    }
  }
})`

/** It was first sent two days ago, with a key that has expired; the log's copy is deleted. */
const makeOld = `indexedDB.deleteDatabase('contrail'), ${putKept(
  '(one) => ({ ...one, key: crypto.randomUUID(), attemptedAt: Date.now() - 172_800_000 })',
)}`

/** A copy of the unsent change, sent first, with a form in another format. */
const addUnreadable = putKept(`(one) => {
  const { from, to, date } = one.write.draft
  const write = { kind: 'create', input: null, draft: { from, to, date } }
  return { ...one, seq: one.seq - 0.5, key: crypto.randomUUID(), write }
}`)

const refusals = {
  403: { code: 'forbidden', reason: 'forbidden', message: 'Not allowed' },
  422: { code: 'validation_failed', reason: 'validation_failed', message: 'Not valid' },
  500: { code: 'internal_error', reason: 'internal_error', message: 'Something went wrong' },
}
const refuse = (route: Route, status: keyof typeof refusals) =>
  route.fulfill({ status, json: { error: refusals[status] } })

journeys('offline changes', 'sqlite', ({ everyday, journey }) => {
  everyday('An offline edit is sent later, and can still be undone', async (given) => {
    const { app, open } = given
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const page = await open(`/flights/${flight.id}`, { as: ada, device: 'phone' })
    await page.getByRole('link', { name: 'Edit' }).first().click()
    await page.getByLabel('Note').fill('in a hurry')
    await warm(page)
    await page.evaluate(keepMessages)
    await page.context().setOffline(true)
    await save(page)
    await savedHere(page)
    await page.getByText('Your change to this flight is not synced yet.').waitFor()
    assert.equal((await flightOf(app, ada, flight.id)).note, 'as it was')
    await sendAll(page)
    const { note, version } = await flightOf(app, ada, flight.id)
    assert.deepEqual([note, version], ['in a hurry', 2])
    await page.getByRole('button', { name: /^Undo/ }).first().click()
    await page.getByText('as it was').waitFor()
    assert.equal((await flightOf(app, ada, flight.id)).note, 'as it was')
  })

  journey('Every page opens offline; changes are kept, shown and sent in order', async (given) => {
    const { app, open } = given
    const ada = await app.person()
    const { edited, never } = await logSeven(app, ada)
    const page = await open('/flights', { as: ada, serviceWorkers: 'allow' })
    await prepare(page)
    await page.reload()
    await row(page, 'SQ 1').waitFor()
    await untilCached(page, '/app/api/visited-countries')
    await follow(page, `/flights/${edited}`)
    await untilCached(page, `/app/api/flights/${edited}`)
    await page.context().setOffline(true)

    await page.goto(`/flights/${edited}/edit`)
    await saveNote(page, 'written on the plane')
    await heading(page, /CPH/).waitFor()
    await page.getByText('written on the plane').waitFor()
    await follow(page, `/flights/${never}/edit`)
    await page.getByText('You have not opened this flight on this device before').waitFor()
    await page.getByLabel('Registration').fill('OY-KBO')
    await save(page)
    await savedHere(page)
    await addAndDelete(page)
    await requirePages(page)
    const shown = await delayShown(page)
    await requireRoomForBar(page)

    // They are still there after a reload, and listed in their order.
    await page.goto('/waiting')
    await items(page).nth(3).waitFor()
    const listed = (await items(page).allInnerTexts()).map(
      (text) => /^(Change|New flight|Deletion): (SK 909|SK 910|SK 1|SQ 1)/.exec(text.trim())?.[0],
    )
    assert.deepEqual(listed, ['Change: SK 909', 'Change: SK 1', 'New flight: SK 910', 'Deletion: SQ 1'])
    assert.equal((await stored(app, ada)).length, 7)
    await page.context().setOffline(false)
    await page.getByText('Everything is synced').waitFor()
    const flights = (await stored(app, ada)).map(({ flightNumber, note }) => [flightNumber, note])
    const untouched = ['SK 1', 'SK 2', 'SK 3', 'SK 4', 'SK 5'].map((number) => [number, 'as it was'])
    assert.deepEqual(flights.sort(), [...untouched, ['SK 909', 'written on the plane'], ['SK 910', null]])
    assert.equal(await delayShown(page), shown)
    await requireWhole(app, ada, never)
  })

  journey(
    'A change to a flight that was changed or deleted elsewhere asks for a decision',
    async ({ app, open }) => {
      const ada = await app.person()
      const [clashing, gone, doomed] = [
        await logOne(app, ada),
        await logOne(app, ada, { flightNumber: 'SK 1' }),
        await logOne(app, ada, { flightNumber: 'SK 5' }),
      ]
      const page = await open('/flights', { as: ada, device: 'phone' })
      const writes = /\/app\/api\/flights\/\d+$/
      await page.route(writes, unreachedFor('PUT', 'DELETE'))
      await editNote(page, clashing.id, 'from the plane')
      await editNote(page, gone.id, 'typed for nothing?')
      await follow(page, '/flights')
      await row(page, 'SK 5').focus()
      await page.keyboard.press('Delete')
      await page.getByText('Flight deleted on this device.').waitFor()
      await changeElsewhere(app, ada, 'PATCH', clashing.id, { note: 'from home', aircraftReg: 'OY-KBO' })
      await changeElsewhere(app, ada, 'DELETE', gone.id)
      await changeElsewhere(app, ada, 'PATCH', doomed.id, { note: 'newer' })
      await page.unroute(writes)
      await retryNow(page)
      await bar(page).filter({ hasText: '3 changes need your decision' }).waitFor()
      assert.equal((await flightOf(app, ada, clashing.id)).note, 'from home', 'nothing is overwritten')

      await page.getByRole('link', { name: 'Show' }).click()
      await items(page).filter({ hasText: 'also changed elsewhere' }).waitFor()
      await items(page).filter({ hasText: 'was deleted elsewhere' }).waitFor()
      await page.getByRole('button', { name: /^Delete anyway/ }).click()
      await items(page).filter({ hasText: 'SK 5' }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: /^Choose values/ }).click()
      const conflict = page.getByRole('alert').filter({ hasText: 'also changed elsewhere' })
      await conflict.getByRole('group', { name: 'Note' }).waitFor()
      assert.equal(await page.getByLabel('Registration').inputValue(), 'OY-KBO')
      await conflict.getByRole('radio', { name: /^Your change/ }).check()
      await save(page)
      await heading(page, /CPH/).waitFor()
      await page.getByRole('link', { name: 'Show' }).click()
      await page.getByRole('link', { name: /^Open in the form/ }).click()
      await page.getByRole('button', { name: 'Save as a new flight' }).click()
      await heading(page, /CPH/).waitFor()
      await bar(page).waitFor({ state: 'detached' })
      const flights = (await stored(app, ada)).map((one) => [one.flightNumber, one.note, one.aircraftReg])
      assert.deepEqual(flights.sort(), [
        ['SK 1', 'typed for nothing?', null],
        ['SK 909', 'from the plane', 'OY-KBO'],
      ])
    },
  )

  journey(
    'Refused changes show the reason, and are sent again, corrected or discarded',
    async ({ app, open }) => {
      const ada = await app.person()
      const [again, corrected, discarded] = [
        await logOne(app, ada),
        await logOne(app, ada, { flightNumber: 'SK 422', departureGate: 'A1' }),
        await logOne(app, ada, { flightNumber: 'SK 403' }),
      ]
      const page = await open('/flights', { as: ada, serverMayFail: true })
      // A starting or overloaded server is asked again. Then it refuses, with 500 twice and the others once.
      const unreached = { statuses: [503, 429], answered: 0 }
      let isUp = false
      const answers = new Map([
        [again.id, [500, 500]],
        [corrected.id, [422]],
        [discarded.id, [403]],
      ])
      await page.route(/\/app\/api\/flights\/\d+$/, (route) => {
        if (route.request().method() !== 'PUT') return route.continue()
        if (!isUp)
          return route.fulfill({ status: unreached.statuses[unreached.answered++ % 2]!, body: 'Not now' })
        const status = answers.get(Number(route.request().url().split('/').at(-1)))?.shift()
        return status ? refuse(route, status as keyof typeof refusals) : route.continue()
      })
      await editNote(page, again.id, 'refused at first')
      await until('it was asked with both statuses', async () => {
        await retryNow(page)
        return unreached.answered > 1
      })
      await editNote(page, corrected.id, 'written offline')
      await editNote(page, discarded.id, 'never')
      isUp = true
      await page.evaluate(addUnreadable)
      await retryNow(page)
      await bar(page).filter({ hasText: '4 changes need your decision.' }).waitFor()
      await page.getByRole('link', { name: 'Show' }).click()
      await items(page).filter({ hasText: 'Not saved: ' }).nth(3).waitFor()

      const one = (name: RegExp) => items(page).filter({ hasText: name })
      await one(/New flight/)
        .getByRole('button', { name: /^Discard/ })
        .click()
      await one(/SK 403/)
        .getByRole('button', { name: /^Discard/ })
        .click()
      await one(/SK 403/).waitFor({ state: 'detached' })
      const retry = one(/SK 909/).getByRole('button', { name: /^Try again/ })
      await retry.click()
      await until('it was refused again', () => answers.get(again.id)!.length === 0)
      await one(/Not saved: /)
        .nth(1)
        .waitFor()
      await retry.click()
      await one(/SK 909/).waitFor({ state: 'detached' })
      // A corrected change keeps all its parts, even if the flight was changed elsewhere.
      await changeElsewhere(app, ada, 'PATCH', corrected.id, { departureGate: 'B2' })
      await page.getByRole('link', { name: /^Open in the form/ }).click()
      await page.getByLabel('Registration').fill('OY-KBO')
      await save(page)
      await heading(page, /CPH/).waitFor()
      await bar(page).waitFor({ state: 'detached' })

      const now = await flightOf(app, ada, corrected.id)
      assert.deepEqual([now.note, now.aircraftReg, now.departureGate], ['written offline', 'OY-KBO', 'B2'])
      const versions = (await stored(app, ada)).map(({ flightNumber, note, version }) => [
        flightNumber,
        note,
        version,
      ])
      assert.deepEqual(versions.sort(), [
        ['SK 403', 'as it was', 1],
        ['SK 422', 'written offline', 3],
        ['SK 909', 'refused at first', 2],
      ])
    },
  )

  journey('Two tabs send both changes once, and an edit from a closed tab is kept', async (given) => {
    const { app, open } = given
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const first = await open(`/flights/${flight.id}`, { as: ada })
    const second = await first.context().newPage()
    await second.goto(`/flights/${flight.id}`)
    await saveInBoth([first, second])
    const { note, aircraftReg, version } = await flightOf(app, ada, flight.id)
    assert.deepEqual([note, aircraftReg, version], ['by the first tab', 'OY-KBO', 2])

    // Another tab sends it.
    await follow(first, '/flights')
    await row(first, 'SK 909').waitFor()
    await closeWhileSaving(second, 'LHR', 'SIN')
    await first.getByText('The change to LHR → SIN was sent').waitFor()
    await row(first, 'Singapore').waitFor()
    await bar(first).waitFor({ state: 'detached' })
    assert.equal((await stored(app, ada)).length, 2)

    // Without another tab, the next visit does.
    const next = await first.context().newPage()
    await closeWhileSaving(first, 'OSL', 'EWR')
    // A visit sends it at its start: the message may appear, and disappear, before the list does.
    await Promise.all([next.getByText('The change to OSL → EWR was sent').waitFor(), next.goto('/flights')])
    await row(next, 'Newark').waitFor()
    await bar(next).waitFor({ state: 'detached' })
    assert.equal((await stored(app, ada)).length, 3)
    await follow(next, '/flights/new')
    await heading(next, 'Add flight').waitFor()
    assert.equal(await next.getByRole('combobox', { name: 'From', exact: true }).inputValue(), '')
  })

  journey('A browser without https or a database saves all the same, or shows why not', async (given) => {
    const { app, open } = given
    const ada = await app.person()
    const flight = await logOne(app, ada)
    const page = await open('/robots.txt', { as: ada })
    // What Chromium leaves out at http://nas:3000.
    await page.addInitScript(
      `delete Crypto.prototype.randomUUID; delete Navigator.prototype.locks; delete Navigator.prototype.serviceWorker; delete window.caches`,
    )
    await page.goto(`/flights/${flight.id}/edit`)
    await page.getByLabel('Note').fill('over plain http')
    await save(page)
    await heading(page, /CPH/).waitFor()
    assert.equal((await flightOf(app, ada, flight.id)).note, 'over plain http')
    await page.getByRole('link', { name: 'Edit' }).first().click()
    await page.getByLabel('Note').fill('waits over plain http')
    await warm(page)
    await page.context().setOffline(true)
    await save(page)
    await savedHere(page)
    await sendAll(page)
    assert.equal((await flightOf(app, ada, flight.id)).note, 'waits over plain http')

    const bare = await page.context().newPage()
    await bare.addInitScript(
      "IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError') }",
    )
    await requireWholeLog(bare)
    await follow(bare, `/flights/${flight.id}/edit`)
    await bare.getByLabel('Note').fill('nowhere to go')
    await bare.context().setOffline(true)
    await save(bare)
    await bare.getByText('this browser cannot save changes').waitFor()
    assert.equal(await bare.getByLabel('Note').inputValue(), 'nowhere to go')
    await bare.context().setOffline(false)
    await save(bare)
    await heading(bare, /CPH/).waitFor()
    assert.equal((await flightOf(app, ada, flight.id)).note, 'nowhere to go')
  })

  journey(
    'Signing out keeps one’s unsynced changes for the next sign-in, or deletes them',
    async ({ app, open }) => {
      const [ada, bob] = [await app.person(), await app.person()]
      const flight = await logOne(app, ada)
      const page = await open('/flights', { as: ada })
      const address = `**/app/api/flights/${flight.id}`
      // The server accepts no changes, but sign-in and sign-out.
      await page.route(address, unreachedFor('PUT'))
      await editNote(page, flight.id, 'hers')
      const leave = async () => {
        await page.getByRole('button', { name: ada.displayName }).click()
        await page.getByRole('menuitem', { name: 'Sign out' }).click()
      }
      await leave()
      const dialog = page.getByRole('dialog', { name: 'A change has not been sent yet' })
      await dialog.getByRole('button', { name: 'Stay signed in' }).click()
      await dialog.waitFor({ state: 'detached' })
      await leave()
      await dialog.getByRole('button', { name: 'Keep and sign out' }).click()
      const signedOut = heading(page, /^(Sign in|Welcome to Contrail)$/)
      await signedOut.waitFor()
      await page.unroute(address)

      let writes = 0
      page.on('request', (request) => {
        if (request.method() === 'PUT') writes++
      })
      await becomes(page.context(), app, bob)
      await page.goto('/waiting')
      await page.getByText('Everything is synced').waitFor()
      assert.deepEqual([writes, (await flightOf(app, ada, flight.id)).note], [0, 'as it was'])
      await becomes(page.context(), app, ada)
      // It is sent at the start: the message may appear, and disappear, before the list does.
      await Promise.all([page.getByText('The change to SK 909 was sent').waitFor(), page.goto('/flights')])
      assert.equal((await flightOf(app, ada, flight.id)).note, 'hers')

      await page.route(address, unreachedFor('PUT'))
      await editNote(page, flight.id, 'secret')
      await follow(page, '/settings/security')
      await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
      assert.equal(await page.evaluate(countKept), 1)
      await dialog.getByRole('button', { name: 'Delete and sign out' }).click()
      await signedOut.waitFor()
      assert.equal(await page.evaluate(countKept), 0)
      assert.equal((await flightOf(app, ada, flight.id)).note, 'hers')
    },
  )

  journey(
    'A new flight whose response was lost a day ago is asked about, not created twice',
    async (given) => {
      const { app, open } = given
      const ada = await app.person()
      const page = await open('/flights/new', { as: ada })
      await warm(page)
      await page.route('**/app/api/flights', lostFor('POST'))
      await fillRoute(page, 'LHR', 'SIN')
      await save(page)
      await savedHere(page)
      assert.equal((await stored(app, ada)).length, 1)
      await page.goto('/sign-in/signed-out')
      await page.evaluate(makeOld)
      const again = await page.context().newPage()
      await page.close()
      // The log is loaded last: nothing is sent before it is known.
      const released = Promise.withResolvers<void>()
      await again.route('**/app/api/log?*', async (route) => {
        await released.promise
        await route.continue()
      })
      let posts = 0
      again.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/flights')) posts++
      })
      await again.goto('/waiting')
      await items(again).filter({ hasText: 'LHR → SIN' }).waitFor()
      released.resolve()
      await items(again)
        .filter({ hasText: /never confirmed/ })
        .waitFor()
      assert.deepEqual([posts, (await stored(app, ada)).length], [0, 1])
    },
  )

  journey(
    'After the session ended, the password is asked for once and all changes are sent',
    async (given) => {
      const { app, open } = given
      const ada = await app.person()
      const hash = await hashPassword('kitty hawk')
      await app.store.transaction((tx) => updatePassword(tx, ada.id, hash))
      const flight = await logOne(app, ada)
      const page = await open(`/flights/${flight.id}`, { as: ada })
      await editShown(page)
      await page.getByLabel('Note').fill('kept over the session')
      await warm(page)
      await page.clock.install()
      await page.context().setOffline(true)
      await save(page)
      await savedHere(page)
      await page.context().clearCookies()
      // Requests of the page itself would be refused, and ask for the password, too: this is about the queue alone.
      const reads = '**/app/api/**'
      await page.route(reads, (route) =>
        route.request().method() === 'GET'
          ? route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message: 'Later' } } })
          : route.continue(),
      )
      await page.context().setOffline(false)
      const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
      await dialog.waitFor()
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
      await dialog.waitFor()
      await page.unroute(reads)
      await dialog.getByLabel(/^Password for/).fill('kitty hawk')
      await dialog.getByLabel(/^Password for/).press('Enter')
      await page.getByText('Everything is synced').waitFor()
      const { note, version } = await flightOf(app, ada, flight.id)
      assert.deepEqual([note, version], ['kept over the session', 2])
    },
  )
})

const late = {
  departureScheduled: '2024-05-01T10:00:00Z',
  departure: '2024-05-01T10:05:00Z',
  arrivalScheduled: '2024-05-01T18:00:00Z',
  arrival: '2024-05-01T18:41:00Z',
}

/**
 * Five late flights, because of fewer no share of late ones is shown. One with an unknown arrival, with a price, and an old
 * one.
 */
async function logSeven(app: TestApp, ada: TestPerson): Promise<{ edited: number; never: number }> {
  const edited = await logOne(app, ada, late)
  const price = { amount: '99.50', currency: 'EUR' }
  const never = await logOne(app, ada, { ...late, arrival: null, flightNumber: 'SK 1', price })
  for (const flightNumber of ['SK 2', 'SK 3', 'SK 4', 'SK 5'])
    await logOne(app, ada, { ...late, flightNumber })
  const [fromId, toId] = await Promise.all([app.airportId('LHR'), app.airportId('SIN')])
  await logFlight(app, ada, { date: '2023-01-01', fromId, toId, flightNumber: 'SQ 1' })
  return { edited: edited.id, never: never.id }
}

/** An unsynced edit keeps the delay, also in the figures. */
async function delayShown(page: Page): Promise<string> {
  await follow(page, '/stats')
  await page.getByRole('button', { name: 'On time: 0 %. Explain this number' }).waitFor()
  await follow(page, '/flights')
  const delay = row(page, 'SK 909').locator('.delay').first()
  await delay.waitFor({ state: 'attached' })
  const shown = (await delay.textContent()) ?? ''
  assert.match(shown, /41/)
  return shown
}

/** Fields that the log lacks stay when a flight is edited without having been opened. */
async function requireWhole(app: TestApp, ada: TestPerson, id: number): Promise<void> {
  const now = await flightOf(app, ada, id)
  assert.deepEqual(
    [now.aircraftReg, now.note, now.price.amount, now.arrival, now.version],
    ['OY-KBO', 'as it was', '99.50', null, 2],
  )
  assert.deepEqual(
    [now.departure, now.arrivalScheduled].map((text) => new Date(text).toISOString()),
    ['2024-05-01T10:05:00.000Z', '2024-05-01T18:00:00.000Z'],
  )
}

/** Offline: adds SK 910 in the form, deletes SQ 1 in the list, and sees the pending changes. */
async function addAndDelete(page: Page): Promise<void> {
  await follow(page, '/flights/new')
  for (const [label, code] of [
    ['From', 'JFK'],
    ['To', 'CPH'],
  ] as const) {
    await page.getByRole('combobox', { name: label, exact: true }).fill(code)
    await page.getByRole('option').filter({ hasText: code }).first().click()
  }
  await page.getByLabel('Flight number', { exact: true }).first().fill('SK 910')
  await save(page)
  await savedHere(page)
  await follow(page, '/flights')
  await row(page, 'SK 910').waitFor()
  await row(page, 'SQ 1').focus()
  await page.keyboard.press('Delete')
  await page.getByText('Flight deleted on this device.').waitFor()
  await row(page, 'SQ 1').waitFor({ state: 'detached' })
  await row(page, 'SK 910').getByText('Not sent yet').waitFor({ state: 'attached' })
  await bar(page).filter({ hasText: '4 changes' }).waitFor()
}

/** On a phone, the map makes room for the bar one frame after it appears. */
async function requireRoomForBar(page: Page): Promise<void> {
  await resize(page, devices.phone.viewport)
  await follow(page, '/')
  const field = page.getByRole('searchbox').first()
  await field.waitFor()
  await bar(page).waitFor()
  await until('the bar covers nothing of the map', async () => {
    const [strip, box] = [await bar(page).locator('..').boundingBox(), await field.boundingBox()]
    return box!.y >= strip!.y + strip!.height
  })
  await resize(page, devices.desktop.viewport)
}

async function requirePages(page: Page): Promise<void> {
  await follow(page, '/countries')
  await heading(page, 'Countries').waitFor()
  assert.equal(await page.getByText('Could not load this page').count(), 0)
  for (const [path, name] of [
    ['/flights/new', 'Add flight'],
    ['/waiting', 'Not synced yet'],
  ] as const) {
    await follow(page, path)
    await heading(page, name).waitFor()
  }
}

/** Both tabs, on the page of one flight, edit it offline. Online again, one of them sends both changes. */
async function saveInBoth(tabs: [Page, Page]): Promise<void> {
  const [first, second] = tabs
  for (const tab of tabs) await editShown(tab)
  await first.getByLabel('Note').fill('by the first tab')
  await second.getByLabel('Registration').fill('OY-KBO')
  await Promise.all(tabs.map(warm))
  const context = first.context()
  await context.setOffline(true)
  await save(first)
  await savedHere(first)
  await bar(second).filter({ hasText: '1 change' }).waitFor()
  await save(second)
  await savedHere(second)
  let writes = 0
  // Requests that reached a server.
  context.on('requestfinished', (request) => {
    if (request.method() === 'PUT') writes++
  })
  await context.setOffline(false)
  await Promise.all(tabs.map((tab) => bar(tab).waitFor({ state: 'detached' })))
  assert.equal(writes, 1)
}

/** Adds a flight in a tab that is closed before the slow server has responded. */
async function closeWhileSaving(page: Page, from: string, to: string): Promise<void> {
  await follow(page, '/flights/new')
  const asked = Promise.withResolvers<void>()
  await page.route('**/app/api/flights', (route) =>
    route.request().method() === 'POST' ? asked.resolve() : route.continue(),
  )
  await fillRoute(page, from, to)
  await save(page)
  await asked.promise
  await page.close({ runBeforeUnload: false })
}

/** Without a database each visit loads the whole log. */
async function requireWholeLog(page: Page): Promise<void> {
  for (const _visit of [1, 2]) {
    const loaded = page.waitForRequest((request) => new URL(request.url()).pathname === '/app/api/log')
    await page.goto('/flights')
    await row(page, 'SK 909').waitFor()
    assert.equal(new URL((await loaded).url()).searchParams.has('since'), false)
  }
}

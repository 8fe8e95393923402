// The history of a flight, with authors and clients; and the undo of every change.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, keepMessages } from './browser.ts'
import { save } from './waiting.ts'

const logOne = async (app: TestApp, who: TestPerson, more: object = {}) => {
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  return logFlight(app, who, { date: '2024-05-03', fromId, toId, flightNumber: 'SK909', ...more })
}

const noteOf = async (app: TestApp, who: TestPerson, id: number) =>
  (await app.request('GET', `/app/api/flights/${id}`, { cookie: await who.session() })).json?.data?.note

async function patchWith(app: TestApp, key: string, id: number, body: object): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' }
  const reply = await app.request('PATCH', `/api/v1/flights/${id}`, { key, body, headers })
  assert.equal(reply.status, 200, reply.text)
}

/** A key with a name, as the settings make one. */
async function namedKey(app: TestApp, who: TestPerson, name: string): Promise<string> {
  const scopes = ['flight.read.own', 'flight.update.own', 'flight.create.own', 'flight.delete.own']
  const cookie = await who.session()
  const reply = await app.request('POST', '/app/api/api-keys', { cookie, body: { name, scopes } })
  return reply.json.data.key
}

/** Flights with these people in one request, a day each. */
async function logMany(app: TestApp, who: TestPerson, from: string, count: number, people: TestPerson[]) {
  const first = Date.parse(from)
  const passengers = people.map(({ id }) => ({ userId: id }))
  const operations = Array.from({ length: count }, (_, day) => {
    const date = new Date(first + day * 86_400_000).toISOString().slice(0, 10)
    return { op: 'create', flight: { date, from: 'CPH', to: 'OSL', passengers } }
  })
  return bulk(app, who, operations)
}

async function bulk(app: TestApp, who: TestPerson, operations: object[]): Promise<number[]> {
  const reply = await app.request('POST', '/api/v1/flights/bulk', {
    key: await who.key(),
    body: { operations },
  })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.map(({ id }: { id: number }) => id)
}

const undoMessage = (page: Page) => page.locator('.toast').getByRole('button', { name: 'Undo' })

journeys('history', 'sqlite', ({ everyday, journey }) => {
  everyday('Edits are saved and announced, and each message undoes its own edit', async ({ app, open }) => {
    const ada = await app.person()
    const { id } = await logOne(app, ada)
    await patchWith(app, await namedKey(app, ada, 'Home Assistant'), id, { note: 'From the key' })
    const page = await open(`/flights/${id}`, { as: ada })
    await page.evaluate(keepMessages)
    for (const [label, text] of [
      ['Note', 'From the form'],
      ['Registration', 'OY-KBO'],
    ] as const) {
      await page.getByRole('link', { name: 'Edit' }).first().click()
      await page.getByLabel(label, { exact: true }).fill(text)
      app.clock.advance(1000)
      // The previous message may cover the button.
      await page.getByRole('button', { name: 'Save flight' }).press('Enter')
      await heading(page, /CPH to JFK/).waitFor()
      await page.getByText(text).first().waitFor()
    }
    // The newest message comes first.
    await undoMessage(page).nth(1).click()
    await page.getByText('Change undone').waitFor()
    assert.equal(await noteOf(app, ada, id), 'From the key')

    await page.getByRole('group').filter({ hasText: 'History' }).locator('summary').click()
    const rows = page.getByRole('list', { name: 'History' }).locator(':scope > li')
    await rows.nth(4).waitFor()
    const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    assert.match(texts[0]!, /Changed by you Note .*From the form.*→.*From the key.*Web app/)
    assert.match(texts[1]!, /Changed by you Registration .*OY-KBO/)
    assert.match(texts[2]!, /Changed by you ?Undone Note .*From the key.*→.*From the form/)
    assert.match(texts[3]!, /Not set.*→.*From the key.*Home Assistant \(API key\)/)
    assert.match(texts[4]!, /Added by you/)
    await rows.nth(0).getByRole('button', { name: /^Undo/ }).click()
    await rows.nth(5).waitFor()
    assert.equal(await noteOf(app, ada, id), 'From the form')
  })

  journey(
    'Recent changes are undone one by one and by time, and a flight that was left is rejoined',
    async ({ app, open }) => {
      const [ada, bob] = [await app.person(), await app.person()]
      const passengers = [{ userId: ada.id }, { userId: bob.id }]
      const both = await logOne(app, ada, { passengers })
      const key = await namedKey(app, ada, 'Sync')
      const mine = await logOne(app, ada, { date: '2024-06-01' })
      await patchWith(app, key, mine.id, { note: 'Written by the app' })
      await patchWith(app, await bob.key(), both.id, { note: 'Written by Bob' })
      const page = await open('/flights', { as: ada })
      await page.getByRole('button', { name: 'List options' }).click()
      await page.getByRole('menuitem', { name: 'Recent changes' }).click()
      await heading(page, 'Recent changes').waitFor()
      const rows = page.getByRole('list', { name: 'Recent changes' }).locator(':scope > li')
      await rows.nth(3).waitFor()
      await rows.nth(0).getByText(`Changed by ${bob.displayName}`).waitFor()
      await page.getByLabel('Made with').selectOption('Sync (API key)')
      await page.getByText('Written by the app').waitFor()
      assert.equal(await rows.count(), 1)
      await rows.nth(0).getByRole('button', { name: /^Undo/ }).press('Enter')
      await page.getByText('Change undone').waitFor()
      assert.equal(await noteOf(app, ada, mine.id), null)
      // The focus is kept when the list is loaded again.
      await page.locator(':focus').waitFor()

      await page.getByRole('button', { name: 'Undo several…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('1 change will be undone').waitFor()
      await dialog.getByText('1 change will be kept').waitFor()
      await dialog.getByText('This has been changed again since then.').waitFor()
      assert.equal(await noteOf(app, ada, both.id), 'Written by Bob', 'a preview changes nothing')
      await dialog.getByRole('button', { name: 'Undo 1 change' }).click()
      await page.getByText('1 change undone').waitFor()
      assert.equal(await noteOf(app, ada, mine.id), undefined)
      assert.equal(await noteOf(app, ada, both.id), 'Written by Bob')
      await joinAgain(app, ada, bob, page)
    },
  )

  journey('Beyond 500 changes the older ones are loaded, past those that stay', async ({ app, open }) => {
    const [ada, bob] = [await app.person(), await app.person()]
    const [oldest] = await logMany(app, ada, '2001-01-01', 300, [ada])
    const changedSince = await logMany(app, ada, '2003-01-01', 500, [ada, bob])
    await bulk(
      app,
      bob,
      changedSince.map((id) => ({ op: 'patch', id, flight: { note: 'Written by Bob' } })),
    )
    const added = await logMany(app, ada, '2005-01-01', 3, [ada])
    for (const note of ['A', 'B']) await patchWith(app, await ada.key(), added[0]!, { note })
    const page = await open('/flights/changes', { as: ada })
    await page.getByRole('button', { name: 'Undo several…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('5 changes will be undone').waitFor()
    await dialog.getByText('495 changes will be kept').waitFor()
    await dialog.getByText('Changed: earlier values will be restored · 2 changes').waitFor()
    await dialog.getByText('Older ones are shown next').waitFor()
    assert.equal(await dialog.getByText('A flight you are not on').count(), 0)
    await dialog.getByRole('button', { name: 'Undo 5 changes' }).click()

    await dialog.getByText('300 changes will be undone').waitFor()
    // It stays in the dialog.
    await dialog.locator(':focus').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Undo several…' }).click()
    await dialog.getByText('500 changes will be kept').waitFor()
    assert.equal(await dialog.getByText('A flight you are not on').count(), 0)
    await dialog.getByRole('button', { name: 'Undo 300 changes' }).click()
    await page.getByText('300 changes undone').waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await noteOf(app, ada, oldest!), undefined)
    assert.equal(await noteOf(app, ada, changedSince[0]!), 'Written by Bob')

    // An extended list keeps its length when one of its changes is undone.
    const rows = page.getByRole('list', { name: 'Recent changes' }).locator(':scope > li')
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(99).waitFor()
    await rows.nth(0).getByRole('button', { name: /^Undo/ }).click()
    await rows.nth(0).getByText('Restored by you').waitFor()
    assert.equal(await rows.count(), 100)
  })
})

/** Saving without a change gives nothing to undo. Then a flight is left, and that is undone from its message. */
async function joinAgain(app: TestApp, ada: TestPerson, bob: TestPerson, page: Page): Promise<void> {
  const passengers = [{ userId: bob.id }, { userId: ada.id }]
  const { id } = await logOne(app, bob, { passengers, date: '2024-07-01' })
  await page.goto(`/flights/${id}/edit`)
  await page.getByLabel('Note', { exact: true }).waitFor()
  await save(page)
  await page.getByText('Flight saved').waitFor()
  assert.equal(await undoMessage(page).count(), 0)
  await heading(page, /CPH to JFK/).waitFor()
  await page.evaluate(keepMessages)
  await page.getByRole('button', { name: /^Leave/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Leave/ })
    .click()
  await undoMessage(page).click()
  await page.getByText('Change undone').waitFor()
  assert.equal(await noteOf(app, ada, id), null)
}

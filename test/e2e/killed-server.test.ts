// The server is killed while the app is open. Changes made meanwhile are kept in the browser, also over a reload, and
// stored exactly once when the server is back, even if it was killed between storing a change and responding. That runs
// each time, with a new flight; the rest with `npm run test:faults`.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { MESSAGE_MS } from '../../web/src/lib/delays.ts'
import { freePort } from '../postgres.ts'
import { isLong } from '../rounds.ts'
import { heading, postpone, type Visit } from './browser.ts'
import { addFlight, editNote, type Instance, killedServer, signIn, unanswered } from './killed-server.ts'
import { bar, items, retryNow, row, save, savedHere } from './waiting.ts'

/** Messages without an Undo stay. The app sends on its own, and may announce it 4 seconds before the test checks. */
const keepPlainMessages = postpone(MESSAGE_MS)

for (const engine of isLong ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const))
  killedServer(engine, (journey) => {
    journey(
      'A change stored by a server that is killed before its response is stored exactly once',
      unanswered,
    )
    if (isLong) journey('Changes made while the server is down are kept and stored once', throughTheGap)
  })

async function throughTheGap(
  instance: Instance,
  open: (path: string, visit?: Visit) => Promise<Page>,
): Promise<void> {
  await instance.start()
  const edited = await instance.log({ flightNumber: 'SK909', note: 'as it was' })
  const clashing = await instance.log({ flightNumber: 'SK910', date: '2024-05-09', note: 'first' })
  const doomed = await instance.log({ flightNumber: 'SQ1', date: '2023-01-01' })
  const page = await open('/sign-in?next=/flights', { device: 'phone' })
  await signIn(page)
  await row(page, 'SQ1').waitFor()
  for (const { id } of [edited, clashing]) {
    await page.goto(`/flights/${id}`)
    await heading(page, /CPH/).waitFor()
    // The headline is in the log. Fields that only the server knows must be cached before it is killed.
    await page.getByText('Last edited').waitFor()
  }
  await instance.kill()

  await editNote(page, edited.id, 'written on the plane')
  await savedHere(page)
  await editNote(page, clashing.id, 'mine')
  await savedHere(page)
  await addFlight(page, 'JFK', 'CPH', 'SK912')
  await savedHere(page)
  // An unsynced flight can be changed, and stays one new flight.
  await page.goto('/flights')
  await row(page, 'SK912').getByRole('link').first().click()
  await page.getByText('This flight is not synced yet.').waitFor()
  await page.goto(`${new URL(page.url()).pathname}/edit`)
  await page.getByLabel('Registration').fill('OY-KBO')
  await save(page)
  await savedHere(page)
  // One that is deleted again is never sent.
  await addFlight(page, 'CPH', 'JFK', 'SK999')
  await savedHere(page)
  await page.goto('/flights')
  for (const [number, count] of [
    ['SK999', 3],
    ['SQ1', 4],
  ] as const) {
    await row(page, number).focus()
    await page.keyboard.press('Delete')
    await row(page, number).waitFor({ state: 'detached' })
    await bar(page)
      .filter({ hasText: `${count} changes` })
      .waitFor()
  }

  await page.reload()
  await row(page, 'SK912').waitFor()
  await bar(page).filter({ hasText: '4 changes' }).waitFor()
  assert.equal(await row(page, 'SQ1').count(), 0)
  await page.goto('/waiting')
  await items(page).nth(3).waitFor()
  assert.deepEqual(
    (await items(page).allInnerTexts()).map(
      (text) => /^(Change|New flight|Deletion): \w+/.exec(text.trim())?.[0],
    ),
    ['Change: SK909', 'Change: SK910', 'New flight: SK912', 'Deletion: SQ1'],
  )
  await page.evaluate(keepPlainMessages)

  // Another client is faster: the server runs at another address before this browser can reach it.
  await instance.start(await freePort())
  for (const [id, body] of [
    [edited.id, { aircraftReg: 'LN-RPA' }],
    [clashing.id, { note: 'theirs' }],
  ] as const)
    assert.equal((await instance.request('PATCH', `/flights/${id}`, body)).status, 200)
  await instance.kill()
  await instance.start()
  await retryNow(page)
  // It would cover the button that saves.
  await page
    .locator('.toast', { hasText: '3 changes were sent to the server.' })
    .getByRole('button', { name: /^Close/ })
    .click()

  await items(page).filter({ hasText: 'also changed elsewhere' }).waitFor()
  assert.equal(await items(page).count(), 1)
  await page.getByRole('link', { name: /^Choose values/ }).click()
  const conflict = page.getByRole('alert').filter({ hasText: 'also changed elsewhere' })
  await conflict.getByRole('radio', { name: /^Your change/ }).check()
  await save(page)
  await heading(page, /CPH/).waitFor()
  await bar(page).waitFor({ state: 'detached' })

  const flights = await instance.flights()
  assert.deepEqual(
    flights
      .map(({ flightNumber, note, aircraftReg, version }) => [flightNumber, note, aircraftReg, version])
      .sort(),
    [
      ['SK909', 'written on the plane', 'LN-RPA', 3],
      ['SK910', 'mine', null, 3],
      ['SK912', null, 'OY-KBO', 1],
    ],
  )
  assert.equal((await instance.request('GET', `/flights/${doomed.id}`)).status, 404)
  await page.goto('/waiting')
  await page.getByText('Everything is synced').waitFor()
}

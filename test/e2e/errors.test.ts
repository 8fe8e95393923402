// The server's refusals as people read them: in their language, by reason, not with the server's English message.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { TestApp } from '../harness.ts'
import { heading, journeys } from './browser.ts'
import { endSessionWith } from './signing-in.ts'

const PASSWORD = 'correct horse battery'

const saveProfile = async (page: Page, username: string) => {
  await page.getByLabel('Benutzername').fill(username)
  await page.getByLabel('Benutzername').press('Enter')
}

journeys('errors', 'sqlite', ({ journey }) => {
  journey('Refusals and waiting times are shown in the reader’s language', async ({ app, open }) => {
    const bob = await app.person()
    await setUp(app)
    const page = await open('/sign-in?next=/settings/profile', { locale: 'de-DE' })
    await page.getByLabel('Benutzername').fill('ada')
    await page.getByLabel('Passwort').fill(PASSWORD)
    await page.getByLabel('Passwort').press('Enter')
    await heading(page, 'Profil').waitFor()
    await refuseNames(page, bob.username)
    await guessTooOften(app, page)
  })
})

async function setUp(app: TestApp): Promise<void> {
  const { status } = await app.request('POST', '/app/api/setup', {
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { username: 'ada', displayName: 'Ada Lovelace', password: PASSWORD },
  })
  assert.equal(status, 204)
}

/** Refusals of the server, and reasons that it may have later. */
async function refuseNames(page: Page, taken: string): Promise<void> {
  await saveProfile(page, taken)
  await page.getByText('Dieser Benutzername ist vergeben. Wähle einen anderen.').waitFor()
  await saveProfile(page, 'ada lovelace')
  await page.getByText('Verwende nur Buchstaben, Ziffern, Punkte, Unterstriche und Bindestriche.').waitFor()
  await saveProfile(page, 'ab')
  await page.getByText('Mindestens 3 Zeichen.', { exact: true }).waitFor()
  await saveProfile(page, '')
  await page.getByText('Mindestens 3 Zeichen.', { exact: true }).waitFor()
  // An unknown reason of a newer server is shown by its message.
  const error = { code: 'conflict', reason: 'not_yet_invented', message: 'The moon is full' }
  await page.route('**/app/api/me', (route) => route.fulfill({ status: 409, json: { error } }))
  await saveProfile(page, 'ada.lovelace')
  await page.getByText('The moon is full').waitFor()
  // A property that every object has is not a reason either.
  await page.route('**/app/api/me', (route) =>
    route.fulfill({
      status: 409,
      json: { error: { ...error, reason: 'constructor', message: 'Half moon' } },
    }),
  )
  await saveProfile(page, 'ada-lovelace')
  await page.getByText('Half moon').waitFor()
  await page.unroute('**/app/api/me')
}

/** Signing in again after the session has ended. */
async function guessTooOften(app: TestApp, page: Page): Promise<void> {
  await endSessionWith(app, page, 'PUT', '**/app/api/me')
  await saveProfile(page, 'ada2')
  const field = page.getByLabel('Passwort für Ada Lovelace')
  const tooMany = page.getByText(/^Zu viele Versuche\. Versuche es in \d+ (Sekunden?|Minuten?) wieder\.$/)
  for (let attempt = 0; attempt < 20 && !(await tooMany.isVisible()); attempt++) {
    await field.fill(`guess ${attempt}`)
    const response = page.waitForResponse((reply) => reply.url().endsWith('/app/api/sign-in'))
    await field.press('Enter')
    if ((await response).status() === 401) await page.getByText('Das Passwort ist falsch.').waitFor()
    else break
  }
  await tooMany.waitFor()
}

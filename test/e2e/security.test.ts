// Settings → Security: where someone is signed in and what has access, ending it all, and a sign-in that was someone else's.
import assert from 'node:assert/strict'
import { hashPassword } from '../../server/auth/passwords.ts'
import { updatePassword } from '../../server/store/people.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, requireAccessible, showIn } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

const PASSWORD = 'a long enough password'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let owner: Promise<TestPerson> | undefined

/** Someone on an instance that is set up. */
async function withPassword(app: TestApp): Promise<TestPerson> {
  owner ??= app.person('owner')
  await owner
  const person = await app.person()
  const hash = await hashPassword(PASSWORD)
  await app.store.transaction((tx) => updatePassword(tx, person.id, hash))
  return person
}

/** Someone signs in elsewhere; the Cookie header of that session. */
async function signInElsewhere(app: TestApp, { username }: TestPerson, password = PASSWORD): Promise<string> {
  const reply = await app.request('POST', '/app/api/sign-in', {
    body: { username, password },
    headers: { 'sec-fetch-site': 'same-origin', 'user-agent': firefox },
  })
  assert.equal(reply.status, 204, reply.text)
  return reply.headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ')
}

const statusWith = async (app: TestApp, cookie: string) =>
  (await app.request('GET', '/app/api/me', { cookie })).status

journeys('security', 'sqlite', ({ journey, onEachDevice }) => {
  onEachDevice('sessions, keys and apps stand on one page', async ({ app, open }, device) => {
    const ada = await withPassword(app)
    await ada.key()
    const there = await signInElsewhere(app, ada)
    const page = await open('/settings/security', { as: ada, device })
    await heading(page, 'Security').waitFor()
    const session = page.getByRole('listitem').filter({ hasText: 'Firefox on Linux' })
    await session
      .filter({ hasText: '127.0.0.1' })
      .filter({ hasText: /Signed in with a password/ })
      .waitFor()
    await page.getByText('This device').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'API keys' }).filter({ hasText: 'test' }).waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Connected apps' })
      .filter({ hasText: 'None' })
      .waitFor()
    await requireAccessible(page, 'security')
    await showIn(page, 'dark')
    await requireAccessible(page, 'security, dark')
    await session.getByRole('button', { name: 'End session: Firefox on Linux' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
    await page.getByText('Session ended').waitFor()
    assert.equal(await statusWith(app, there), 401)
    await page.getByRole('link', { name: 'Manage: API keys' }).click()
    await heading(page, 'API keys').waitFor()
    await page.goto('/settings/sessions')
    await heading(page, 'Security').waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await requireAccessible(page, 'security on a narrow screen')
  })

  journey('end everything, by keyboard', async ({ app, open }) => {
    const ada = await withPassword(app)
    const key = await ada.key()
    const there = await signInElsewhere(app, ada)
    const page = await open('/settings/security', { as: ada })
    const { push, tabTo, press } = keyboardOf(page)
    await page.getByRole('button', { name: 'Sign out everywhere' }).waitFor()
    await push('Sign out everywhere')
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere' })
    await dialog.getByRole('switch', { name: 'Also delete all API keys', checked: true }).waitFor()
    await dialog.getByRole('switch', { name: 'Also disconnect all apps', checked: true }).waitFor()
    await requireAccessible(page, 'ending everything')
    await tabTo('Sign out everywhere')
    await press('Enter')
    await heading(page, 'Sign in').waitFor()
    assert.deepEqual(
      [await statusWith(app, there), (await app.request('GET', '/api/v1/me', { key })).status],
      [401, 401],
    )
  })

  journey('API keys stay if they are kept', async ({ app, open }) => {
    const ada = await withPassword(app)
    const key = await ada.key()
    const page = await open('/settings/security', { as: ada })
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('switch', { name: 'Also delete all API keys' }).uncheck()
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
    await heading(page, 'Sign in').waitFor()
    assert.equal((await app.request('GET', '/api/v1/me', { key })).status, 200)
  })

  onEachDevice('that was not me', async ({ app, open }, device) => {
    const ada = await withPassword(app)
    const page = await open('/notices', { as: ada, device })
    await heading(page, 'Notifications').waitFor()
    const there = await signInElsewhere(app, ada)
    const key = await ada.key()
    await page.reload()
    const notice = page
      .getByRole('listitem')
      .filter({ hasText: 'New sign-in from Firefox on Linux, 127.0.0.1' })
    await notice.waitFor()
    await requireAccessible(page, 'a new sign-in')
    await notice.getByRole('button', { name: 'That was not me' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill('not this one')
    await dialog.getByLabel('New password').fill('short')
    await dialog.getByLabel('New password').press('Enter')
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await dialog.getByLabel('New password').fill('an even longer password')
    await dialog.getByLabel('New password').press('Enter')
    await dialog
      .getByText('Current password is wrong')
      .or(dialog.locator('[aria-invalid="true"]'))
      .first()
      .waitFor()
    await requireAccessible(page, 'that was not me')
    assert.equal(await statusWith(app, there), 200, 'nothing ended yet')
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'End everything' }).click()
    await page.getByText('Everything else ended.').waitFor()
    await notice.getByText('You said that this was not you.').waitFor()
    await notice.getByRole('button').waitFor({ state: 'detached' })
    assert.deepEqual(
      [await statusWith(app, there), (await app.request('GET', '/api/v1/me', { key })).status],
      [401, 401],
    )
    await page.goto('/settings/security')
    await heading(page, 'Security').waitFor()
    await page.getByText('This device').waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/notices')
    await notice.waitFor()
    await requireAccessible(page, 'notices on a narrow screen')
  })

  journey('the current password is not needed just after signing in', async ({ app, open }) => {
    const ada = await withPassword(app)
    const page = await open('/sign-in?next=/settings/profile')
    await page.getByLabel('Username').fill(ada.username)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Password').press('Enter')
    await page.getByText('Not needed just after signing in').waitFor()
    await requireAccessible(page, 'an optional password')
    const next = 'an even longer password'
    const change = async () => {
      await page.getByLabel('New password', { exact: true }).fill(next)
      await page.getByLabel('Confirm new password').fill(next)
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    await change()
    await page.getByText('Password changed.').waitFor()

    // While the page is open the minutes pass: then it is asked for.
    app.clock.advance(6 * 60_000)
    await change()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill(next)
    await dialog.getByLabel('Your password').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    app.clock.advance(6 * 60_000)
    await page.reload()
    await page.getByLabel('Current password').waitFor()
    await change()
    await page.locator('[data-field="currentPassword"][aria-invalid="true"]').waitFor()
    assert.equal(await page.getByText('Not needed just after signing in').count(), 0)

    await signInElsewhere(app, ada, next)
    await page.goto('/notices')
    await page.getByRole('button', { name: 'That was not me' }).first().click()
    await dialog.getByLabel('New password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'End everything' }).click()
    await dialog.locator('[data-field="currentPassword"][aria-invalid="true"]').waitFor()
    await dialog.getByLabel('Current password').fill(next)
    await dialog.getByRole('button', { name: 'End everything' }).click()
    await page.getByText('Everything else ended.').waitFor()

    const again = await open('/sign-in?next=/settings/profile')
    await again.getByLabel('Username').fill(ada.username)
    await again.getByLabel('Password').fill(PASSWORD)
    await again.getByLabel('Password').press('Enter')
    await again.getByRole('button', { name: 'Delete account…' }).click()
    await again.getByRole('dialog').getByText('Not needed just after signing in').waitFor()
    await requireAccessible(again, 'leaving')
    await again.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
    await heading(again, 'Sign in').waitFor()
  })
})

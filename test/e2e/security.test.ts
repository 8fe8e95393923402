// Settings → Security: sessions and access, ending all of it, and a sign-in by another person.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, overflowOf, resize } from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { follow } from './screens.ts'
import { enterPassword, PASSWORD, signInElsewhere, statusWith, withPassword } from './signing-in.ts'

const NEXT_PASSWORD = 'an even longer password'
const LONGER_THAN_CONFIRMED_MS = 6 * 60_000

const statusOf = async (app: TestApp, key: string) => (await app.request('GET', '/api/v1/me', { key })).status

/** On the page of the profile. */
async function changePassword(page: Page): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD)
  await page.getByLabel('Confirm new password').fill(NEXT_PASSWORD)
  await page.getByRole('button', { name: 'Change password' }).click()
}

/** On an old session: the notice of another sign-in ends it, once both passwords are right. */
async function sayThatWasNotMe(app: TestApp, page: Page, ada: TestPerson): Promise<void> {
  const there = await signInElsewhere(app, ada, NEXT_PASSWORD)
  const key = await ada.key()
  await follow(page, '/notices')
  const notice = page
    .getByRole('listitem')
    .filter({ hasText: 'New sign-in from Firefox on Linux, 127.0.0.1' })
  await notice.getByRole('button', { name: 'That was not me' }).click()
  const dialog = page.getByRole('dialog')
  const [current, next] = [dialog.getByLabel('Current password'), dialog.getByLabel('New password')]
  const refused = (field: string) => dialog.locator(`[data-field="${field}"][aria-invalid="true"]`).waitFor()
  await next.fill('short')
  await next.press('Enter')
  await refused('currentPassword')
  await current.fill('not this one')
  await current.press('Enter')
  await refused('newPassword')
  await next.fill(PASSWORD)
  await next.press('Enter')
  await refused('currentPassword')
  assert.equal(await statusWith(app, there), 200, 'nothing ended yet')
  await current.fill(NEXT_PASSWORD)
  await dialog.getByRole('button', { name: 'End everything' }).click()
  await page.getByText('Everything else has been ended.').waitFor()
  await notice.getByText('You reported that this was not you.').waitFor()
  await notice.getByRole('button').waitFor({ state: 'detached' })
  assert.deepEqual([await statusWith(app, there), await statusOf(app, key)], [401, 401])
}

/** API keys are kept the first time. */
async function signOutEverywhere(app: TestApp, page: Page, ada: TestPerson): Promise<void> {
  const key = await ada.key()
  const there = await signInElsewhere(app, ada)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere' })
  await dialog.getByRole('switch', { name: 'Also delete all API keys' }).uncheck()
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await heading(page, 'Sign in').waitFor()
  assert.deepEqual([await statusWith(app, there), await statusOf(app, key)], [401, 200])

  await page.goto('/sign-in?next=/settings/security')
  await enterPassword(page, ada.username)
  await page.getByRole('button', { name: 'Sign out everywhere' }).waitFor()
  const { push, tabTo, press } = keyboardOf(page)
  await push('Sign out everywhere')
  await dialog.getByRole('switch', { name: 'Also delete all API keys', checked: true }).waitFor()
  await dialog.getByRole('switch', { name: 'Also disconnect all apps', checked: true }).waitFor()
  await tabTo('Sign out everywhere')
  await press('Enter')
  await heading(page, 'Sign in').waitFor()
  assert.equal(await statusOf(app, key), 401)
}

journeys('the security page', 'sqlite', ({ journey }) => {
  journey(
    'Sessions, keys and apps are on one page, where one session or all can be ended',
    async ({ app, open }) => {
      const ada = await withPassword(app)
      await ada.key()
      const there = await signInElsewhere(app, ada)
      const page = await open('/settings/security', { as: ada, device: 'phone' })
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
      await page.getByText('Passkeys need https and a host name').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
      await session.getByRole('button', { name: 'End session: Firefox on Linux' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
      await page.getByText('Session ended').waitFor()
      assert.equal(await statusWith(app, there), 401)
      await page.getByRole('link', { name: 'Manage: API keys' }).click()
      await heading(page, 'API keys').waitFor()
      // The previous address.
      await follow(page, '/settings/sessions')
      await heading(page, 'Security').waitFor()
      await resize(page, { width: 320, height: 640 })
      assert.deepEqual(await overflowOf(page), [])
      await signOutEverywhere(app, page, ada)
    },
  )

  journey('Changes of the account need the current password, except just after signing in', async (given) => {
    const { app, open } = given
    const ada = await withPassword(app)
    const page = await open('/sign-in?next=/settings/profile')
    await enterPassword(page, ada.username)
    await page.getByText('Not needed just after signing in').waitFor()
    // The page then loads what the session may do without the password; after minutes it would be told that it needs it.
    const known = page.waitForResponse('**/app/api/account')
    await changePassword(page)
    await page.getByText('Password changed.').waitFor()
    await (await known).finished()

    // Minutes pass while the page is open: then the password is required.
    app.clock.advance(LONGER_THAN_CONFIRMED_MS)
    await changePassword(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill(NEXT_PASSWORD)
    await dialog.getByLabel('Your password').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    app.clock.advance(LONGER_THAN_CONFIRMED_MS)
    await page.reload()
    await page.getByLabel('Current password').waitFor()
    await changePassword(page)
    await page.locator('[data-field="currentPassword"][aria-invalid="true"]').waitFor()
    assert.equal(await page.getByText('Not needed just after signing in').count(), 0)
    await sayThatWasNotMe(app, page, ada)

    const again = await open('/sign-in?next=/settings/profile')
    await enterPassword(again, ada.username)
    await again.getByRole('button', { name: 'Delete account…' }).click()
    await again.getByRole('dialog').getByText('Not needed just after signing in').waitFor()
    await again.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
    await heading(again, 'Sign in').waitFor()
  })
})

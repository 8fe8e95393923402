// Access by links: an administrator invites people, and gives another person a link to a new password.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { verifyEmail } from '../../server/store/people/people.ts'
import { heading, journeys } from './browser.ts'
import { follow } from './screens.ts'
import { enterPassword, ownerOf, statusWith } from './signing-in.ts'

const shownLink = async (page: Page): Promise<string> =>
  (await page.getByRole('dialog').getByRole('region', { name: 'Link', exact: true }).innerText()).trim()

/** The path of a link created on the page of people. */
async function invite(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByLabel('Role').selectOption('role-user')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('dialog', { name: 'Invitation link' }).waitFor()
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
  const link = await shownLink(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await page.getByText(link).count(), 0, 'shown only once')
  const { origin, pathname } = new URL(link)
  assert.equal(origin, new URL(page.url()).origin)
  assert.match(pathname, /^\/invite\/cti_/)
  return pathname
}

async function createAccount(page: Page, username: string): Promise<void> {
  await heading(page, 'Create your account').waitFor()
  await page.getByLabel('Your name').fill('Bessie Coleman')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill('curtiss jenny')
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** The person of this page's session. */
const whoIsOn = async (page: Page): Promise<string> =>
  (await page.evaluate<{ data: { username: string } }>(`fetch('/app/api/me').then((reply) => reply.json())`))
    .data.username

async function makeResetLink(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: `Reset link for ${name}`, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Also delete all API keys').check()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('dialog', { name: 'Reset link', exact: true }).waitFor()
  const link = await shownLink(page)
  await page.getByRole('button', { name: 'Done' }).click()
  return new URL(link).pathname
}

journeys('links for accounts', 'sqlite', ({ journey }) => {
  journey(
    'An invitation creates one account, also without scripts, unless it is revoked',
    async ({ app, open }) => {
      await ownerOf(app)
      const admin = await app.person('role-administrator')
      const page = await open('/settings/users', { as: admin })
      const path = await invite(page)
      await page.getByRole('list', { name: 'Open invitations' }).getByText('Invitation as User').waitFor()

      const phone = await open(path, { device: 'phone', javaScriptEnabled: false })
      await createAccount(phone, admin.username)
      await phone.getByText('This username is taken').waitFor()
      await phone.getByLabel('Username').fill('bessie')
      await phone.getByLabel('Password').fill('curtiss jenny')
      await phone.getByLabel('Password').press('Enter')
      await phone.waitForURL(`${app.url}/`)
      const cookies = await phone.context().cookies()
      assert.ok(cookies.some(({ name, httpOnly }) => name === 'contrail' && httpOnly))
      await phone.goto(path)
      await heading(phone, 'This link no longer works').waitFor()

      await follow(page, '/settings/about')
      await follow(page, '/settings/users')
      const row = page.getByRole('listitem').filter({ hasText: 'bessie' })
      await row.getByText('Signs in with password').waitFor()
      assert.equal(await page.getByText('Open invitations').count(), 0)

      const revoked = await invite(page)
      await page.getByRole('button', { name: 'Revoke invitation as User' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
      await page.getByText('Invitation revoked').waitFor()
      await phone.goto(revoked)
      await heading(phone, 'This link no longer works').waitFor()

      await page.goto(await invite(page))
      await page.getByText('Creating an account here signs you out.').waitFor()
      await createAccount(page, 'second.account')
      await page.waitForURL(`${app.url}/`)
      assert.equal(await whoIsOn(page), 'second.account')
    },
  )

  journey(
    'A reset link sets a new password without scripts and ends earlier sessions',
    async ({ app, open }) => {
      await ownerOf(app)
      const ada = await app.person()
      const before = await ada.session()
      const admin = await app.person('role-administrator')
      const page = await open('/settings/users', { as: admin, device: 'phone' })
      const path = await makeResetLink(page, ada.displayName)
      const row = page.getByRole('listitem').filter({ hasText: ada.username })
      await row.getByText('Reset link open').waitFor()
      await row.getByText('Has no way to sign in').waitFor()

      const person = await open(path, { device: 'phone', javaScriptEnabled: false })
      await heading(person, 'Set a new password').waitFor()
      const setPassword = person.getByRole('button', { name: 'Set password' })
      await person.getByLabel('Password').fill('short')
      await setPassword.click()
      await person.getByText('Must have at least 8 characters').first().waitFor()
      await person.getByLabel('Password').fill('a much better one')
      await setPassword.click()
      await person.getByText('Your new password is set. Sign in with it.').waitFor()
      await enterPassword(person, ada.username, 'a much better one')
      await person.waitForURL(`${app.url}/`)
      assert.equal(await statusWith(app, before), 401, 'the session of before ended')

      await makeResetLink(page, ada.displayName)
      await row.getByText('Reset link open').waitFor()
      await page.getByRole('button', { name: `Reset link for ${ada.displayName}`, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click()
      await page.getByText(`Reset link of ${ada.displayName} revoked`).waitFor()
    },
  )
})

journeys(
  'the profile with mail',
  'sqlite',
  ({ journey }) => {
    journey('An e-mail address is marked until its owner confirms it', async ({ app, open }) => {
      const ada = await app.person()
      const page = await open('/settings/profile', { as: ada })
      const mark = page.getByText('This address is not used until you confirm it.')
      const field = page.getByLabel('E-mail address (optional)')
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await page.locator('[data-field="email"]:enabled').waitFor()
      assert.equal(await mark.count(), 0)
      await field.fill('not an address')
      await save.click()
      await page.getByText('Enter an e-mail address').waitFor()
      await field.fill('ada@example.org')
      await save.click()
      await page.getByText('Profile saved').waitFor()
      await mark.waitFor()
      await page.getByRole('button', { name: 'Send again' }).waitFor()

      await app.store.transaction((tx) => verifyEmail(tx, { id: ada.id, email: 'ada@example.org' }))
      await follow(page, '/settings/about')
      await follow(page, '/settings/profile')
      await page.locator('[data-field="email"]:enabled').waitFor()
      assert.equal(await field.inputValue(), 'ada@example.org')
      assert.equal(await mark.count(), 0)
    })
  },
  {},
  // Nothing listens there: the arrival of the mail does not matter here.
  { smtp: { url: 'smtp://127.0.0.1:9', from: 'contrail@localhost' } },
)

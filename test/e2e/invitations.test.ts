// Getting in: an administrator invites a person by a link, and gives another one a link to a new password.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { verifyEmail } from '../../server/store/people.ts'
import type { TestApp } from '../harness.ts'
import { type Device, heading, journeys, requireAccessible } from './browser.ts'

const shownLink = async (page: Page): Promise<string> =>
  (await page.getByRole('dialog').getByRole('region', { name: 'Link', exact: true }).innerText()).trim()

const owners = new WeakMap<TestApp, ReturnType<TestApp['person']>>()
function ownerOf(app: TestApp) {
  const owner = owners.get(app) ?? app.person('owner')
  owners.set(app, owner)
  return owner
}

async function invite(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByLabel('Role').selectOption('role-user')
  await requireAccessible(page, 'the question for the role')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('dialog', { name: 'Invitation link' }).waitFor()
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
  await requireAccessible(page, 'an invitation link')
  const link = await shownLink(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await page.getByText(link).count(), 0, 'shown only once')
  return link
}

async function createAccount(page: Page, username: string): Promise<void> {
  await heading(page, 'Create your account').waitFor()
  await page.getByLabel('Your name').fill('Bessie Coleman')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill('curtiss jenny')
  await page.getByRole('button', { name: 'Create account' }).click()
}

journeys('links', 'sqlite', ({ journey, onEachDevice }) => {
  onEachDevice('an administrator invites, and a newcomer is in', async ({ app, open }, device) => {
    await ownerOf(app)
    const admin = await app.person('role-administrator')
    const page = await open('/settings/users', { as: admin, device })
    const link = await invite(page)
    assert.match(link, new RegExp(`^${app.url}/invite/cti_`))
    await page.getByRole('list', { name: 'Open invitations' }).getByText('Invitation as User').waitFor()
    await requireAccessible(page, 'people with an open invitation')

    const username = `bessie${device}`
    const newcomer = await open(new URL(link).pathname, { device: other(device) })
    await requireAccessible(newcomer, 'the form of an invitation')
    await createAccount(newcomer, admin.username)
    await newcomer.getByText('This username is taken').waitFor()
    await requireAccessible(newcomer, 'a name that is taken')
    await newcomer.getByLabel('Username').fill(username)
    await newcomer.getByLabel('Password').fill('curtiss jenny')
    await newcomer.getByLabel('Password').press('Enter')
    await newcomer.waitForURL(`${app.url}/`)
    const me = await newcomer.evaluate(`fetch('/app/api/me').then((reply) => reply.json())`)
    assert.equal((me as { data: { username: string } }).data.username, username)

    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: username })
    await row.getByText('Signs in with password').waitFor()
    assert.equal(await page.getByText('Open invitations').count(), 0)
    const late = await open(new URL(link).pathname)
    await heading(late, 'This link does not work any more').waitFor()
    await requireAccessible(late, 'a link that was used')
  })

  journey('without scripts, on a phone', async ({ app, open }) => {
    await ownerOf(app)
    const page = await open('/settings/users', { as: await app.person('role-administrator') })
    const link = await invite(page)
    const phone = await open(new URL(link).pathname, { device: 'phone', javaScriptEnabled: false })
    await createAccount(phone, 'noscript')
    await phone.waitForURL(`${app.url}/`)
    const cookies = await phone.context().cookies()
    assert.ok(cookies.some(({ name, httpOnly }) => name === 'contrail' && httpOnly))
  })

  journey('revoke an invitation', async ({ app, open }) => {
    await ownerOf(app)
    const page = await open('/settings/users', { as: await app.person('role-administrator') })
    const link = await invite(page)
    await page.getByRole('button', { name: 'Revoke invitation as User' }).first().click()
    await requireAccessible(page, 'the question before revoking')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
    await page.getByText('Invitation revoked').waitFor()
    await heading(await open(new URL(link).pathname), /does not work any more/).waitFor()
  })

  onEachDevice('a link to a new password', async ({ app, open }, device) => {
    await ownerOf(app)
    const ada = await app.person()
    const other = await open('/flights', { as: ada })
    const page = await open('/settings/users', { as: await app.person('role-administrator'), device })
    await page.getByRole('button', { name: `Reset link for ${ada.displayName}`, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Also delete all API keys').check()
    await requireAccessible(page, 'the choices of a reset link')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('dialog', { name: 'Reset link', exact: true }).waitFor()
    await requireAccessible(page, 'a reset link')
    const link = await shownLink(page)
    await page.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('listitem').filter({ hasText: ada.username })
    await row.getByText('Reset link open').waitFor()
    await row.getByText('Has no way to sign in').waitFor()

    const person = await open(new URL(link).pathname, { device, javaScriptEnabled: false })
    await heading(person, 'Set a new password').waitFor()
    await person.getByLabel('Password').fill('short')
    await person.getByRole('button', { name: 'Set password' }).click()
    await person.getByText('Must have at least 8 characters').first().waitFor()
    await person.getByLabel('Password').fill('a much better one')
    await person.getByRole('button', { name: 'Set password' }).click()
    await person.getByText('Your new password is set. Sign in with it.').waitFor()
    await person.getByLabel('Username').fill(ada.username)
    await person.getByLabel('Password').fill('a much better one')
    await person.getByRole('button', { name: 'Sign in', exact: true }).click()
    await person.waitForURL(`${app.url}/`)
    const status = await other.evaluate(`fetch('/app/api/me').then((reply) => reply.status)`)
    assert.equal(status, 401, 'the session of before ended')

    await page.getByRole('button', { name: `Reset link for ${ada.displayName}`, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await row.getByText('Reset link open').waitFor()
    await page.getByRole('button', { name: `Reset link for ${ada.displayName}`, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText(`Reset link of ${ada.displayName} revoked`).waitFor()
  })

  journey('someone who is signed in uses an invitation, which signs them out', async ({ app, open }) => {
    await ownerOf(app)
    const page = await open('/settings/users', { as: await app.person('role-administrator') })
    const link = await invite(page)
    await page.goto(new URL(link).pathname)
    await page.getByText('Creating an account here signs you out.').waitFor()
    await requireAccessible(page, 'an invitation for someone who is signed in')
    await createAccount(page, 'second.account')
    await page.waitForURL(`${app.url}/`)
  })

  journey('the e-mail address of the profile', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/settings/profile', { as: ada })
    const field = page.getByLabel('E-mail address (optional)')
    await field.fill('not an address')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await page.getByText('Enter an e-mail address').waitFor()
    await field.fill('ada@example.org')
    await save.click()
    await page.getByText('Profile saved').waitFor()
    await page.reload()
    await page.locator('[data-field="email"]:enabled').waitFor()
    assert.equal(await field.inputValue(), 'ada@example.org')
    await requireAccessible(page, 'profile')
  })
})

journeys(
  'the profile where mails are sent',
  'sqlite',
  ({ journey }) => {
    journey('an e-mail address is marked until its person confirms it', async ({ app, open }) => {
      const ada = await app.person()
      const mark = 'This address is not confirmed and not used yet.'
      const page = await open('/settings/profile', { as: ada })
      await page.locator('[data-field="email"]:enabled').waitFor()
      assert.equal(await page.getByText(mark).count(), 0)
      await page.getByLabel('E-mail address (optional)').fill('ada@example.org')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(mark).waitFor()
      await page.getByRole('button', { name: 'Send again' }).waitFor()
      await requireAccessible(page, 'an address that is not confirmed')

      await app.store.transaction((tx) => verifyEmail(tx, ada.id, 'ada@example.org'))
      await page.reload()
      await page.locator('[data-field="email"]:enabled').waitFor()
      assert.equal(await page.getByText(mark).count(), 0)
    })
  },
  {},
  // Nothing listens there: whether the mail arrives does not matter here.
  { smtp: { url: 'smtp://127.0.0.1:9', from: 'contrail@localhost' } },
)

const other = (device: Device): Device => (device === 'phone' ? 'desktop' : 'phone')

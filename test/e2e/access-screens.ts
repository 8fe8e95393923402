// The pages and dialogs for access: sign-in and its second step, consent, links, and secrets shown once.
import assert from 'node:assert/strict'
import { type TOTP, URI } from 'otpauth'
import type { Page } from 'playwright-core'
import { insertNotice } from '../../server/store/people/notices.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { authorizePath, createFlow, registerClient, requestOf } from '../oauth/browser.ts'
import type { Screen } from './screens.ts'
import { enterPassword, setPassword } from './signing-in.ts'

/** Paths of screens that exist only once something was created. */
export interface AccessPaths {
  invite: string
  reset: string
  authorize: string
  /** Has a password and a second factor. */
  protectedName: string
  /** Has only a password. */
  username: string
}

const unknown: AccessPaths = { invite: '', reset: '', authorize: '', protectedName: '', username: '' }

export const accessScreens = ({
  invite,
  reset,
  authorize,
  protectedName,
  username,
}: AccessPaths = unknown): Screen[] => [
  {
    name: 'sign-in-wrong',
    path: '/sign-in',
    signedOut: true,
    open: async (page) => {
      await enterPassword(page, username, 'not the right one')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'sign-in-code',
    path: '/sign-in',
    signedOut: true,
    open: async (page) => {
      await enterPassword(page, protectedName)
      await page.getByRole('textbox', { name: 'Code', exact: true }).waitFor()
    },
  },
  {
    name: 'consent',
    path: authorize,
    signedOut: true,
    open: async (page) => {
      await enterPassword(page, username)
      await page.getByRole('button', { name: 'Approve' }).waitFor()
    },
    leave: (page) => page.context().clearCookies(),
  },
  { name: 'consent-waits', path: authorize, signedOut: true },
  { name: 'consent-refused', path: '/oauth/authorize', signedOut: true },
  { name: 'invite', path: invite, signedOut: true },
  { name: 'reset', path: reset, signedOut: true },
  { name: 'link-gone', path: '/invite/cti_nothing', signedOut: true },
  { name: 'settings-key-made', path: '/settings/keys', open: makeKey },
  { name: 'settings-webhook-made', path: '/settings/integrations', open: makeWebhook },
  { name: 'settings-share-made', path: '/settings/shares', open: makeShare },
  { name: 'settings-invite-made', path: '/settings/users', open: makeInvitation },
  {
    name: 'settings-second-factor',
    path: '/settings/security',
    open: async (page) => {
      await page.getByRole('button', { name: 'Set up', exact: true }).click()
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    },
  },
  {
    name: 'notices-not-me',
    path: '/notices',
    open: async (page) => {
      await page.getByRole('button', { name: 'That was not me' }).click()
      await page.getByRole('dialog').getByLabel('New password').waitFor()
    },
  },
  { name: 'settings-backups', path: '/settings/backups' },
  { name: 'empty-no-access', path: '/settings/users', isEmpty: true },
]

async function makeKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New API key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Dashboard')
  await page.getByRole('dialog').getByLabel('Name').press('Enter')
  await page.getByRole('dialog', { name: 'API key created' }).waitFor()
}

async function makeWebhook(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByRole('dialog').getByLabel('Address').fill('https://new.example.org/')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('dialog', { name: 'Signing secret' }).waitFor()
}

async function makeShare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  await page.getByText('The link is ready.').waitFor()
}

async function makeInvitation(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
}

/** The owner gets a password, so that the dialogs that ask for it appear. */
export async function furnishAccess(app: TestApp, owner: TestPerson): Promise<AccessPaths> {
  const [plain, hedy] = [await app.person(), await app.person()]
  for (const person of [owner, plain, hedy]) await setPassword(app, person)
  const cookie = await owner.session()
  const post = async (path: string, body?: object, as = cookie) => {
    const reply = await app.request('POST', `/app/api${path}`, { cookie: as, ...(body && { body }) })
    assert.ok(reply.status < 300, `${path}: ${reply.text}`)
    return reply.json.data
  }
  const theirs = await hedy.session()
  const totp = URI.parse((await post('/second-factor', undefined, theirs)).uri) as TOTP
  const code = totp.generate({ timestamp: app.clock.now() })
  await post('/second-factor/enable', { code }, theirs)
  const pathOf = ({ url }: { url: string }) => new URL(url).pathname
  const client = await registerClient(app, { client_name: 'Logbook Pro' })
  const at = new Date(app.clock.now()).toISOString()
  const data = {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    address: '10.0.0.7',
  }
  await app.store.transaction((tx) =>
    insertNotice(tx, { userId: owner.id, kind: 'session.new', at, data, flightId: null }),
  )
  return {
    invite: pathOf(await post('/invitations', { roleId: 'role-user' })),
    reset: pathOf(await post(`/users/${plain.id}/reset-link`, {})),
    authorize: authorizePath(requestOf(createFlow(app, client), 'profile.read flight.read.own')),
    protectedName: hedy.username,
    username: plain.username,
  }
}

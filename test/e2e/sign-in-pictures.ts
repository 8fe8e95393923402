// The pictures of docs/sign-in.md: an instance with a provider, and a family with every way to sign in.
import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { readConfig } from '../../server/base/config.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { insertIdentity } from '../../server/store/accounts/identities.ts'
import { insertPasskey } from '../../server/store/accounts/passkeys.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { startTestApp, type TestApp, type TestPerson } from '../harness.ts'
import { keepPicture, openFor } from './readme-pictures.ts'
import { goTo } from './screens.ts'

const PASSWORD = 'a long enough password'
const issuer = 'https://id.example.org'
const rules = [
  { claim: '/groups', contains: 'contrail-admins', role: 'Administrator' },
  { claim: '/groups', contains: 'family', role: 'User' },
]
const { oidc } = readConfig({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'contrail',
  OIDC_NAME: 'Authentik',
  OIDC_SCOPE: 'openid profile email groups',
  OIDC_ROLES: JSON.stringify(rules),
})

const desktop = { device: 'desktop', colorScheme: 'light' } as const
const phone = { device: 'phone', colorScheme: 'light' } as const

export async function shootSignIn(browser: Browser): Promise<number> {
  const app = await startTestApp('sqlite', { oidc }, { atOrigin: 'localhost' })
  app.clock.set(Date.now())
  try {
    const { ada, invitation } = await moveIn(app)
    const shots = [
      async () => keep(await at(await openFor(browser, app, desktop), '/sign-in'), 'sign-in'),
      async () => keep(await at(await openFor(browser, app, phone), invitation), 'invitation'),
      async () => shootCode(await openFor(browser, app, { ...phone, colorScheme: 'dark' })),
      async () => keep(await at(await openFor(browser, app, desktop, ada), '/settings/security'), 'security'),
      async () => keep(await at(await openFor(browser, app, desktop, ada), '/settings/users'), 'people'),
      async () => shootRules(await openFor(browser, app, { ...desktop, colorScheme: 'dark' }, ada)),
    ]
    for (const shoot of shots) await shoot()
    return shots.length
  } finally {
    await app.close()
  }
}

/** Runs in the page: replaces the host, whose port differs each time. */
const nameHost = `{
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    text.data = text.data.replace(location.origin, 'https://flights.example.org').replace(location.host, 'flights.example.org')
}`

async function keep(page: Page, name: string): Promise<void> {
  await page.evaluate(nameHost)
  await keepPicture(page, name)
}

async function at(page: Page, path: string): Promise<Page> {
  await goTo(page, { name: path, path })
  await page.waitForTimeout(500)
  return page
}

async function shootCode(page: Page): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await page.getByRole('button', { name: 'Verify' }).waitFor()
  await keep(page, 'second-factor')
}

async function shootRules(page: Page): Promise<void> {
  await at(page, '/settings/roles')
  const tester = page.locator('.rules')
  await tester
    .getByLabel('Claims to try')
    .fill('{ "preferred_username": "ben", "groups": ["family", "pilots"] }')
  await tester.getByText('These claims give the role “User”.').waitFor()
  await page.evaluate(`document.querySelector('.rules').scrollIntoView({ block: 'end' })`)
  await page.waitForTimeout(300)
  await keep(page, 'roles')
}

/** The members of the family, and the path of an invitation for a new one. */
async function moveIn(app: TestApp): Promise<{ ada: TestPerson; invitation: string }> {
  const [ada, ben, cleo, dan] = [
    await app.person('owner'),
    await app.person('role-administrator'),
    await app.person(),
    await app.person(),
  ]
  const names = {
    ada: [ada, 'Ada Holm'],
    ben: [ben, 'Ben Holm'],
    cleo: [cleo, 'Cleo Holm'],
    dan: [dan, 'Dan Mori'],
  } as const
  for (const [username, [person, displayName]] of Object.entries(names))
    await send(app, person, 'PUT', '/me', { username, displayName })
  for (const person of [ada, ben, dan]) await givePassword(app, person)
  await givePasskey(app, ada, 'iCloud Keychain')
  await givePasskey(app, ada, 'YubiKey 5')
  await givePasskey(app, cleo, 'Google Password Manager')
  await link(app, ada, 'ada@example.org')
  await link(app, ben, 'ben@example.org')
  await giveSecondFactor(app, ada)
  const { url } = await send(app, ada, 'POST', '/invitations', { roleId: 'role-user' })
  return { ada, invitation: new URL(url!).pathname }
}

async function send(app: TestApp, person: TestPerson, method: 'PUT' | 'POST', path: string, body?: object) {
  const cookie = await person.session()
  const reply = await app.request(method, `/app/api${path}`, { cookie, ...(body && { body }) })
  assert.ok(reply.status < 300, reply.text)
  return (reply.json?.data ?? {}) as Record<string, string>
}

async function givePassword(app: TestApp, { id }: TestPerson): Promise<void> {
  const hash = await hashPassword(PASSWORD)
  await app.store.transaction((tx) => updatePassword(tx, id, hash))
}

async function givePasskey(app: TestApp, { id: userId }: TestPerson, name: string): Promise<void> {
  const createdAt = new Date(app.clock.now()).toISOString()
  const made = { credentialId: `${userId} ${name}`, publicKey: '', counter: 0, transports: [], createdAt }
  await app.store.transaction((tx) => insertPasskey(tx, { userId, name, ...made }))
}

async function link(app: TestApp, { id: userId }: TestPerson, label: string): Promise<void> {
  const now = new Date(app.clock.now()).toISOString()
  await app.store.transaction((tx) => insertIdentity(tx, { userId, issuer, subject: label, label, now }))
}

async function giveSecondFactor(app: TestApp, person: TestPerson): Promise<void> {
  const { secret } = await send(app, person, 'POST', '/second-factor')
  const code = new TOTP({ secret: secret! }).generate({ timestamp: app.clock.now() })
  await send(app, person, 'POST', '/second-factor/enable', { code })
}

// Signing in with an identity provider in a real browser, through the provider's own pages.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { hashPassword } from '../../server/auth/passwords.ts'
import { updatePassword } from '../../server/store/people.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { authorizePath, createPkce, registerClient } from '../oauth/browser.ts'
import { startProvider } from '../oidc/provider.ts'
import { heading, journeys, requireAccessible } from './browser.ts'

const provider = await startProvider()
after(() => provider.close())
/** The provider is a server of its own, at the real time. */
const visit = { mayGoTo: [provider.issuer], clockOfMachine: true }
const PASSWORD = 'correct horse battery'

/** At the provider's own page. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.waitForURL((url) => url.origin === provider.issuer)
  await page.locator('input[name="login"]').fill(login)
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"]').click()
}

const signedInAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

let owners: Promise<TestPerson> | undefined
const prepare = async (app: TestApp): Promise<TestPerson> => {
  provider.accept(app.config.origin)
  app.clock.set(Date.now())
  owners ??= app.person('owner')
  return owners
}

const roles = [
  { claim: '/groups', contains: 'admins', role: 'Administrator' },
  { claim: '/groups', contains: 'crew', role: 'Crew of the past' },
  { claim: '/department', contains: 'ops', role: 'User' },
]

journeys(
  'a provider',
  'sqlite',
  ({ journey, onEachDevice }) => {
    onEachDevice('a newcomer signs in with the provider, and out again', async ({ app, open }, device) => {
      await prepare(app)
      provider.people.set(`nora-${device}`, { preferred_username: `nora-${device}`, name: 'Nora Newcomer' })
      const page = await open('/sign-in', { ...visit, device })
      await requireAccessible(page, 'the sign-in page')
      await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
      await signInThere(page, `nora-${device}`)
      await signedInAt(page, '/')
      await page.goto('/settings/security')
      await page.getByRole('heading', { name: 'Linked accounts' }).waitFor()
      await page.getByText(`nora-${device}`).first().waitFor()
      assert.equal(await page.getByText('Redirect URI').count(), 0)
      await requireAccessible(page, 'linked accounts')
      await page.getByRole('button', { name: `Unlink nora-${device}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Unlink account' }).click()
      await page.getByRole('dialog').getByRole('alert').waitFor()
      await requireAccessible(page, 'the last way in')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await page
        .getByRole('listitem')
        .filter({ hasText: 'This device' })
        .getByRole('button', { name: 'Sign out' })
        .click()
      await page.waitForURL((url) => url.origin === provider.issuer)
      await page.getByRole('button', { name: /sign me out/i }).click()
      await page.waitForURL((url) => url.pathname === '/sign-in' && url.searchParams.get('local') === '1')
    })

    onEachDevice(
      'the same name: the password links both, and the app still waits',
      async ({ app, open }, device) => {
        await prepare(app)
        const local = await app.person()
        const hash = await hashPassword(PASSWORD)
        await app.store.transaction((tx) => updatePassword(tx, local.id, hash))
        provider.people.set(local.username, { preferred_username: local.username, name: 'Same Name' })
        const redirectUri = 'http://127.0.0.1:9/callback'
        const client = await registerClient(app, { client_name: 'Logbook Pro', redirect_uris: [redirectUri] })
        const path = authorizePath({
          response_type: 'code',
          client_id: client.client_id,
          redirect_uri: redirectUri,
          code_challenge: createPkce().challenge,
          code_challenge_method: 'S256',
          resource: `${app.config.origin}/api/v1`,
        })
        const page = await open(path, { ...visit, device })
        await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
        await signInThere(page, local.username)
        await heading(page, 'Is this your account?').waitFor()
        await requireAccessible(page, 'the page that links')
        await page.getByLabel('Password').fill('wrong')
        await page.getByRole('button', { name: 'Link and sign in' }).click()
        await page.getByRole('alert').waitFor()
        await requireAccessible(page, 'the page that links, after a wrong password')
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Link and sign in' }).click()
        await page.getByText('Logbook Pro').first().waitFor()
        assert.match(new URL(page.url()).pathname, /^\/oauth\//)
      },
    )

    journey(
      'someone who is signed in links the account; a provider that is away is told',
      async ({ app, open }) => {
        const owner = await prepare(app)
        provider.people.set('owner-there', { preferred_username: 'owner-there' })
        const page = await open('/settings/security', { ...visit, as: owner })
        await page.getByRole('region', { name: 'Redirect URI' }).getByText('/sign-in/oidc/callback').waitFor()
        await page.getByRole('button', { name: 'Link an account at Example ID' }).click()
        await signInThere(page, 'owner-there')
        await signedInAt(page, '/settings/security')
        await page.getByText('owner-there').first().waitFor()
        const out = await open('/sign-in?local=1', visit)
        provider.faults.isDown = true
        app.clock.set(Date.now() + 5_000)
        await out.getByRole('link', { name: 'Sign in with Example ID' }).click()
        await out.getByRole('alert').getByText('Example ID does not answer.').waitFor()
        await out.getByRole('link', { name: 'Example ID does not answer' }).waitFor()
        await requireAccessible(out, 'a provider that is away')
        delete provider.faults.isDown
        app.clock.set(Date.now())
      },
    )

    onEachDevice('an administrator tries claims on the rules', async ({ app, open }, device) => {
      const owner = await prepare(app)
      const page = await open('/settings/roles', { as: owner, device })
      const rules = page.locator('.rules')
      await rules.getByText('/groups contains “admins”').waitFor()
      await rules.getByText('There is no role “Crew of the past”').waitFor()
      await rules.getByText('OIDC_SCOPE does not contain “groups”').waitFor()
      const claims = rules.getByLabel('Claims to try')
      await claims.fill('{ "groups": ["flyers"], "department": ["x"] }')
      await rules.getByText('No match: the claim does not contain it').first().waitFor()
      await rules.getByText('No rule matches: these claims give the default role “User”.').waitFor()
      await claims.fill('{ "groups": ["admins"], "department": "ops, admins" }')
      await rules.getByText('These claims give the role “Administrator”.').waitFor()
      await rules.getByText('Matches, but an earlier rule decides').waitFor()
      await requireAccessible(page, 'the tester')
      await claims.fill('{ groups')
      await rules.getByText('This is neither JSON nor an ID token.').waitFor()
      await requireAccessible(page, 'the tester with something else')
    })
  },
  {},
  provider.settings({ roles }),
)

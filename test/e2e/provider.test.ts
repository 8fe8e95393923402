// Signing in with an identity provider in a real browser, through the provider's own pages.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { authorizePath, createFlow, registerClient, requestOf } from '../oauth/browser.ts'
import { startProvider } from '../oidc/provider.ts'
import { heading, journeys } from './browser.ts'
import { follow } from './screens.ts'
import { ownerOf, PASSWORD, setPassword } from './signing-in.ts'

const provider = await startProvider()
after(() => provider.close())
/** The provider is a separate server at the real time. */
const visit = { mayGoTo: [provider.issuer], clockOfMachine: true }

/** On the provider's own page. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.waitForURL((url) => url.origin === provider.issuer)
  await page.locator('input[name="login"]').fill(login)
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"]').click()
}

const signedInAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

/** The application is registered at the provider and has its owner. */
function prepare(app: TestApp): Promise<TestPerson> {
  provider.accept(app.config.origin)
  app.clock.set(Date.now())
  return ownerOf(app)
}

const roles = [
  { claim: '/groups', contains: 'admins', role: 'Administrator' },
  { claim: '/groups', contains: 'crew', role: 'Crew of the past' },
  { claim: '/department', contains: 'ops', role: 'User' },
]

journeys(
  'sign-in with a provider',
  'sqlite',
  ({ journey }) => {
    journey(
      'A new person signs in with the provider, cannot unlink the last way to sign in, and signs out there',
      async (given) => {
        const { app, open } = given
        await prepare(app)
        provider.people.set('nora', { preferred_username: 'nora', name: 'Nora Newcomer' })
        const page = await open('/sign-in', { ...visit, device: 'phone' })
        await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
        await signInThere(page, 'nora')
        await signedInAt(page, '/')
        await follow(page, '/settings/security')
        await page.getByRole('heading', { name: 'Linked accounts' }).waitFor()
        const unlink = page.getByRole('button', { name: 'Unlink nora' })
        await unlink.waitFor()
        assert.equal(await page.getByText('Redirect URI').count(), 0)
        await unlink.click()
        await page.getByRole('dialog').getByRole('button', { name: 'Unlink account' }).click()
        await page.getByRole('dialog').getByRole('alert').waitFor()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
        await page
          .getByRole('listitem')
          .filter({ hasText: 'This device' })
          .getByRole('button', { name: 'Sign out' })
          .click()
        await page.waitForURL((url) => url.origin === provider.issuer)
        await page.getByRole('button', { name: /sign me out/i }).click()
        await page.waitForURL((url) => url.pathname === '/sign-in' && url.searchParams.get('local') === '1')
      },
    )

    journey(
      'The password of an account with the same name links it, and the pending app continues',
      async (given) => {
        const { app, open } = given
        await prepare(app)
        const local = await app.person()
        await setPassword(app, local)
        provider.people.set(local.username, { preferred_username: local.username, name: 'Same Name' })
        const redirect_uris = ['http://127.0.0.1:9/callback']
        const client = await registerClient(app, { client_name: 'Logbook Pro', redirect_uris })
        const page = await open(authorizePath(requestOf(createFlow(app, client))), visit)
        await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
        await signInThere(page, local.username)
        await heading(page, 'Is this your account?').waitFor()
        await page.getByLabel('Password').fill('wrong')
        await page.getByRole('button', { name: 'Link and sign in' }).click()
        await page.getByRole('alert').waitFor()
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Link and sign in' }).click()
        await page.getByText('Logbook Pro').first().waitFor()
        assert.match(new URL(page.url()).pathname, /^\/oauth\//)
      },
    )

    journey(
      'The owner links an account and tries claims, and an unreachable provider is reported',
      async (given) => {
        const { app, open } = given
        const owner = await prepare(app)
        provider.people.set('owner-there', { preferred_username: 'owner-there' })
        const page = await open('/settings/security', { ...visit, as: owner })
        await page.getByRole('region', { name: 'Redirect URI' }).getByText('/sign-in/oidc/callback').waitFor()
        await page.getByRole('button', { name: 'Link an account at Example ID' }).click()
        await signInThere(page, 'owner-there')
        await signedInAt(page, '/settings/security')
        await page.getByText('owner-there').first().waitFor()
        await follow(page, '/settings/roles')
        await tryClaims(page.locator('.rules'))

        const out = await open('/sign-in?local=1', visit)
        provider.faults.isDown = true
        app.clock.advance(5_000)
        try {
          await out.getByRole('link', { name: 'Sign in with Example ID' }).click()
          await out.getByRole('alert').getByText('Example ID is not responding.').waitFor()
          await out.getByRole('link', { name: 'Example ID is not responding' }).waitFor()
        } finally {
          delete provider.faults.isDown
        }
      },
    )
  },
  {},
  provider.settings({ roles }),
)

/** Every result of the tester: no rule matches, the first of two decides, no claims at all. */
async function tryClaims(rules: Locator): Promise<void> {
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
  await claims.fill('{ groups')
  await rules.getByText('This is neither JSON nor an ID token.').waitFor()
}

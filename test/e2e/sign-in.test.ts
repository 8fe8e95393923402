// The sign-in page in all its forms: ways and their order, languages, delays, without script, by keyboard, on small
// screens.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Config } from '../../server/base/config.ts'
import { insertPasskey } from '../../server/store/accounts/passkeys.ts'
import type { TestApp } from '../harness.ts'
import { authorizePath, createFlow, registerClient, requestOf } from '../oauth/browser.ts'
import { heading, journeys, overflowOf, resize } from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { ownerOf, PASSWORD, withPassword } from './signing-in.ts'

const oidc: NonNullable<Config['oidc']> = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'contrail',
  clientSecret: undefined,
  name: 'Authentik',
  scope: 'openid',
  register: true,
  auto: false,
  passwords: true,
  roles: [],
}

const fields = (page: Page) => ({ name: page.getByLabel('Username'), password: page.getByLabel('Password') })
const submit = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.id ?? ""')

/** Buttons, links and fields in their order. */
const waysOn = (page: Page) =>
  page
    .locator('main :is(button, a, input:not([type=hidden]), summary)')
    .evaluateAll((all) => all.map((one) => one.textContent?.trim() || one.id))
const passwordWay = ['username', 'password', 'Sign in']

/** Resolves when the response is shown: the previous page may have the same text, and text typed into it is lost. */
async function tryWrong(page: Page, name: string): Promise<void> {
  await fields(page).name.fill(name)
  await fields(page).password.fill('wrong wrong')
  const shown = page.waitForEvent('load')
  await submit(page).click()
  await shown
}

async function fitsSmallScreens(page: Page): Promise<void> {
  for (const viewport of [
    { width: 320, height: 640 },
    // 1280 × 800 at 200 %.
    { width: 640, height: 400 },
    { width: 1000, height: 500 },
  ]) {
    await resize(page, viewport)
    assert.deepEqual(await overflowOf(page), [], `${page.url()} ${JSON.stringify(viewport)}`)
    const picture = page.locator('.awaits')
    assert.equal(await picture.isVisible(), viewport.height >= 560, 'under 560 px high the picture goes')
  }
}

/** A passkey exists. */
async function addPasskey({ store, clock }: TestApp, userId: string): Promise<void> {
  const key = { credentialId: 'a', publicKey: 'b', counter: 0, transports: [], name: 'YubiKey' }
  const createdAt = new Date(clock.now()).toISOString()
  await store.transaction((tx) => insertPasskey(tx, { ...key, userId, createdAt }))
}

/** The form, pages of errors and missing pages, in the language that was chosen once. */
async function speaksLanguages(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await heading(page, 'Anmelden').waitFor()
  await page.getByRole('button', { name: 'Mit Passkey anmelden' }).waitFor()
  await fitsSmallScreens(page)
  await page.goto('/share/none')
  await heading(page, 'Hier ist nichts geteilt').waitFor()
  await page.goto('/oauth/authorize')
  await heading(page, 'Diese App kann sich nicht verbinden').waitFor()
  await page.goto('/sign-in')
  await heading(page, 'Anmelden').waitFor()
  await page.goto('/sign-in?lang=fr')
  await page.getByRole('button', { name: 'Se connecter avec une clé d’accès' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'fr')
  await fitsSmallScreens(page)
}

journeys('sign-in with a password only', 'sqlite', ({ everyday }) => {
  everyday('A person signs in by keyboard after a wrong password was reported', async ({ app, open }) => {
    const { username } = await withPassword(app)
    const page = await open('/sign-in?next=/settings/security')
    assert.deepEqual(await waysOn(page), passwordWay)
    assert.match((await submit(page).getAttribute('class')) ?? '', /\bprimary\b/)
    assert.equal(await page.getByText('or with your password').count(), 0)
    const { fill, type, press } = keyboardOf(page)
    await fill('Username', username)
    await press('Tab')
    await type('not it')
    await press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Username or password is wrong.' }).waitFor()
    // The browser moves the focus after it has shown the page.
    await page.locator('#password:focus').waitFor()
    const { name, password } = fields(page)
    assert.deepEqual([await name.inputValue(), await password.inputValue()], [username, ''])
    await type(PASSWORD)
    await press('Enter')
    await heading(page, 'Security').waitFor()
  })
})

journeys(
  'sign-in with every way',
  'sqlite',
  ({ journey }) => {
    journey(
      'Passkey (if one exists), provider and password are offered in this order, in each language',
      async (given) => {
        const { app, open } = given
        const owner = await ownerOf(app)
        const page = await open('/sign-in')
        await page.locator('#username:focus').waitFor()
        const provider = 'Sign in with Authentik'
        const passkey = 'Sign in with a passkey'
        assert.deepEqual(await waysOn(page), [provider, ...passwordWay, passkey])
        await addPasskey(app, owner.id)
        await page.reload()
        await page.getByText(`to the flight log at ${new URL(app.url).host}`).waitFor()
        assert.deepEqual(await waysOn(page), [passkey, provider, ...passwordWay])
        assert.equal(await fields(page).name.getAttribute('autocomplete'), 'username webauthn')
        await page.getByText('Can’t sign in? The person who runs this log can give you a link.').waitFor()
        await speaksLanguages(page)

        const phone = await open('/sign-in', { device: 'phone' })
        await phone.waitForLoadState('networkidle')
        assert.equal(await focused(phone), '', 'no keyboard opens over the ways on a phone')
        assert.ok(await phone.getByRole('button', { name: passkey }).isVisible())
      },
    )

    journey(
      'The delay after wrong passwords counts down, and the passkey stays usable',
      async ({ app, open }) => {
        await ownerOf(app)
        app.clock.advance(3_600_000)
        const page = await open('/sign-in')
        await page.clock.install()
        const note = page.locator('.problem')
        for (let i = 0; i < 5; i++) {
          await tryWrong(page, `made-up-${i}`)
          await note.filter({ hasText: 'is wrong' }).waitFor()
        }
        await tryWrong(page, 'made-up-5')
        await note.filter({ hasText: /Too many attempts\. Try again in \d+\ss\./ }).waitFor()
        const seconds = async () => Number(/(\d+)\ss/.exec((await note.textContent()) ?? '')?.[1])
        const before = await seconds()
        assert.ok(await page.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled())
        await page.clock.runFor(5000)
        assert.ok((await seconds()) <= before - 4, `${await seconds()} of ${before}`)
        await page.clock.runFor(before * 1000)
        await page.getByRole('status').filter({ hasText: 'You can try again now.' }).waitFor()
      },
    )

    journey('The pending app is named in each language, and sign-in works without script', async (given) => {
      const { app, open } = given
      const { username } = await withPassword(app)
      app.clock.advance(3_600_000)
      const redirect_uris = ['http://127.0.0.1:9/back']
      const client = await registerClient(app, { client_name: 'Logbook <b>Pro</b>', redirect_uris })
      const path = authorizePath(requestOf(createFlow(app, client), 'profile.read flight.read.own'))
      const page = await open(path, { viewport: { width: 320, height: 800 } })
      await page.getByText('Logbook <b>Pro</b> wants to connect to your flight log.').waitFor()
      const address = page.url()
      await page.getByRole('link', { name: 'Deutsch' }).click()
      await page.getByText('Logbook <b>Pro</b> möchte sich mit deinem Fluglogbuch verbinden.').waitFor()
      assert.deepEqual(await overflowOf(page), [])
      await page.getByLabel('Benutzername').fill(username)
      await page.getByLabel('Passwort').fill(PASSWORD)
      await page.getByLabel('Passwort').press('Enter')
      await heading(page, 'Logbook <b>Pro</b> möchte sich verbinden').waitFor()
      await page.getByLabel('Die Flüge sehen, auf denen du bist').waitFor()
      assert.deepEqual(await overflowOf(page), [])
      await page.goto(`${page.url()}&lang=fr`)
      await page.getByRole('button', { name: 'Autoriser' }).waitFor()
      assert.deepEqual(await overflowOf(page), [])

      const other = await open(address, { javaScriptEnabled: false })
      await heading(other, 'Sign in').waitFor()
      assert.equal(await other.locator('.waits').count(), 0, 'another browser gets no message')
      await other.goto('/sign-in?next=/pages.css')
      assert.ok(!(await other.getByText('Sign in with a passkey').isVisible()), 'it needs a script')
      assert.ok(await other.getByRole('link', { name: 'Sign in with Authentik' }).isVisible())
      await other.getByRole('link', { name: 'Français' }).click()
      await other.getByLabel('Nom d’utilisateur').fill(username)
      await other.getByLabel('Mot de passe').fill('wrong wrong')
      await other.getByLabel('Mot de passe').press('Enter')
      await other.getByText('Le nom d’utilisateur ou le mot de passe est incorrect.').waitFor()
      await other.getByLabel('Mot de passe').fill(PASSWORD)
      await other.getByLabel('Mot de passe').press('Enter')
      await other.waitForURL((url) => url.pathname === '/pages.css')
    })
  },
  { atOrigin: 'localhost' },
  { oidc },
)

journeys(
  'sign-in where only the owner has a password',
  'sqlite',
  ({ journey }) => {
    journey(
      'The form is under “Owner”, and the page explains why there are no passkeys',
      async ({ app, open }) => {
        await ownerOf(app)
        const page = await open('/sign-in')
        assert.ok(!(await fields(page).name.isVisible()))
        await page.getByText('Passkeys need an https address').waitFor()
        assert.equal(await page.getByText('Sign in with a passkey').count(), 0)
        await page.getByText('Owner', { exact: true }).press('Enter')
        await fields(page).name.waitFor()
        await tryWrong(page, 'someone')
        await page.getByRole('alert').waitFor()
        assert.ok(await fields(page).name.isVisible(), 'it stays open')
      },
    )
  },
  {},
  { oidc: { ...oidc, passwords: false } },
)

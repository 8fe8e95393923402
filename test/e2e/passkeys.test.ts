// Passkeys in the real browser, with Chromium's virtual authenticator.
import assert from 'node:assert/strict'
import type { CDPSession, Page } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { authorizePath, createPkce, registerClient } from '../oauth/browser.ts'
import { heading, journeys, requireAccessible } from './browser.ts'

/** Built into the device, with a screen lock. */
interface Device {
  /** The person touches it, or leaves what the browser asks for open. */
  touch(isTouched: boolean): Promise<void>
  /** The screen lock recognises the person, or not. */
  recognise(isRecognised: boolean): Promise<void>
}

/** Runs before each page: `offered` resolves once it has asked the browser to offer passkeys beside the username. */
const noteOffer = `{
  const { get } = CredentialsContainer.prototype
  window.offered = new Promise((resolve) => {
    CredentialsContainer.prototype.get = function (options) {
      if (options?.mediation === 'conditional') resolve()
      return get.call(this, options)
    }
  })
}`

/**
 * On the sign-in page. Before that the button would send the form as without a script, and a device that is touched would
 * be taken at once.
 */
const untilOffered = (page: Page) => page.evaluate('offered')

async function addDevice(page: Page): Promise<Device> {
  await page.addInitScript(noteOffer)
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    touch: async (enabled) =>
      void (await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    recognise: async (isUserVerified) =>
      void (await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
  }
}

journeys(
  'passkeys',
  'sqlite',
  ({ journey, onEachDevice }) => {
    let owner: Promise<TestPerson> | undefined
    let people = 0

    /** A person with a password, signed in, at the settings. */
    async function newcomer(app: TestApp, page: Page) {
      owner ??= app.person('owner')
      const user = { username: `grace${people++}`, password: 'correct horse battery' }
      const cookie = await (await owner).session()
      const body = { ...user, displayName: 'Grace Hopper' }
      assert.equal((await app.request('POST', '/app/api/users', { cookie, body })).status, 201)
      await page.goto('/sign-in?next=/settings/security')
      await page.getByLabel('Username').fill(user.username)
      await page.getByLabel('Password').fill(user.password)
      await page.getByLabel('Password').press('Enter')
      await heading(page, 'Security').waitFor()
      return user
    }

    async function addPasskey(page: Page, name: string): Promise<void> {
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('Passkey added: Passkey').waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
      const rename = page.getByRole('button', { name: 'Rename Passkey', exact: true })
      await rename.and(page.locator(':focus')).waitFor()
      await requireAccessible(page, 'a passkey just added')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Rename passkey' })
      assert.equal(await dialog.getByLabel('Name').inputValue(), 'Passkey')
      await requireAccessible(page, 'naming a passkey')
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('list', { name: 'Passkeys' }).getByText(name).waitFor()
    }

    const signOut = async (page: Page) => {
      await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
      await heading(page, 'Sign in').waitFor()
      await untilOffered(page)
    }
    const button = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

    onEachDevice('a newcomer adds one, and signs in with the button', async ({ app, open }, device) => {
      owner ??= app.person('owner')
      await owner
      const page = await open('/sign-in', { device })
      const phone = await addDevice(page)
      await newcomer(app, page)
      await requireAccessible(page, 'security without passkeys')
      await addPasskey(page, 'My phone')
      await requireAccessible(page, 'security with a passkey')
      await phone.touch(false)
      await signOut(page)
      await requireAccessible(page, 'sign-in')
      await phone.touch(true)
      await button(page).click()
      await page.waitForURL((url) => url.pathname === '/')
      await page.goto('/settings/security')
      const list = page.getByRole('list', { name: 'Passkeys' })
      await list.getByText('Last used').waitFor()
      await page.getByText('Signed in with a passkey').waitFor()

      await page.getByRole('button', { name: 'Rename My phone' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Old phone')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Remove Old phone' }).click()
      await requireAccessible(page, 'removing a passkey')
      await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
      await page.getByText('Passkey removed: Old phone').waitFor()
      await page.getByText('No passkeys yet').waitFor()

      // The device still has it.
      await phone.touch(false)
      await signOut(page)
      await phone.touch(true)
      await button(page).click()
      await page.getByRole('alert').getByText('This passkey was not accepted').waitFor()
      await requireAccessible(page, 'a refused passkey')
    })

    journey('the browser offers it where the username is typed', async ({ app, open }) => {
      owner ??= app.person('owner')
      await owner
      const page = await open('/sign-in')
      const device = await addDevice(page)
      await newcomer(app, page)
      await addPasskey(page, 'Laptop')
      await device.touch(false)
      await signOut(page)
      assert.equal(await page.getByLabel('Username').getAttribute('autocomplete'), 'username webauthn')
      await device.touch(true)
      await page.goto('/sign-in?next=/settings/profile')
      await heading(page, 'Profile').waitFor()
    })

    journey('one stands in for the current password', async ({ app, open }) => {
      owner ??= app.person('owner')
      await owner
      const page = await open('/sign-in')
      await addDevice(page)
      await newcomer(app, page)
      await addPasskey(page, 'Laptop')
      app.clock.advance(6 * 60_000)
      await page.goto('/settings/profile')
      await page.getByText('Or leave it empty and confirm in another way').waitFor()
      await requireAccessible(page, 'a password or another way')
      await page.getByLabel('New password', { exact: true }).fill('an even longer password')
      await page.getByLabel('Confirm new password').fill('an even longer password')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /passkey/i })
        .click()
      await page.getByText('Password changed.').waitFor()
    })

    journey('an app waits while someone signs in with a passkey', async ({ app, open }) => {
      owner ??= app.person('owner')
      await owner
      const page = await open('/sign-in')
      const device = await addDevice(page)
      await newcomer(app, page)
      await addPasskey(page, 'Laptop')
      await device.touch(false)
      await signOut(page)
      const redirectUri = 'http://127.0.0.1:9/back'
      const client = await registerClient(app, { client_name: 'Logbook Pro', redirect_uris: [redirectUri] })
      const path = authorizePath({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        code_challenge: createPkce().challenge,
        code_challenge_method: 'S256',
        resource: `${app.config.origin}/api/v1`,
        state: 'xyz',
        scope: 'profile.read',
      })
      await page.goto(path)
      await heading(page, 'Sign in').waitFor()
      await untilOffered(page)
      await device.touch(true)
      await button(page).click()
      await heading(page, /Logbook Pro wants to connect/).waitFor()
    })

    journey('one that cannot be used says so, and the password stays', async ({ app, open }) => {
      owner ??= app.person('owner')
      await owner
      const page = await open('/sign-in', { locale: 'de-DE' })
      const device = await addDevice(page)
      await device.recognise(false)
      await page.getByRole('button', { name: 'Mit Passkey anmelden' }).click()
      await page.getByRole('alert').getByText('Es wurde kein Passkey verwendet').waitFor()
      await requireAccessible(page, 'no passkey')
      assert.ok(await page.getByLabel('Passwort').isVisible())
    })

    journey('without its script the page says what is missing', async ({ app, open }) => {
      owner ??= app.person('owner')
      await owner
      const page = await open('/sign-in?passkey=1', { javaScriptEnabled: false })
      await page.getByText('Passkeys need JavaScript').waitFor()
      const scripted = await open('/sign-in?passkey=1')
      await heading(scripted, 'Sign in').waitFor()
      await scripted.getByText('Passkeys need JavaScript').waitFor({ state: 'detached' })
    })
  },
  { atOrigin: 'localhost' },
)

journeys('passkeys at an address', 'sqlite', ({ journey }) => {
  journey('settings and the sign-in page say why there are none', async ({ app, open }) => {
    const owner = await app.person('owner')
    const page = await open('/settings/security', { as: owner })
    await page.getByText('Passkeys work only where this log is opened over https').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
    await requireAccessible(page, 'security without passkeys')
    const out = await open('/sign-in')
    await out.getByText('Passkeys need an https address').waitFor()
    assert.equal(await out.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
  })
})

// Passkeys in the real browser, with Chromium's virtual authenticator.
import assert from 'node:assert/strict'
import type { CDPSession, Page } from 'playwright-core'
import type { TestApp } from '../harness.ts'
import { authorizePath, createFlow, registerClient, requestOf } from '../oauth/browser.ts'
import { heading, journeys } from './browser.ts'
import { follow } from './screens.ts'
import { enterPassword, ownerOf, withPassword } from './signing-in.ts'

/** Built into the device, with a screen lock. */
interface Device {
  /** The person touches it, or leaves the browser's prompt open. */
  touch(isTouched: boolean): Promise<void>
  /** The screen lock recognises the person, or not. */
  recognise(isRecognised: boolean): Promise<void>
}

/** Runs before each page: `offered` resolves once it has asked the browser to offer passkeys with the username. */
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
 * be used immediately.
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

/** A person with a password, signed in, at the settings for security. */
async function signInWithPassword(app: TestApp, page: Page): Promise<void> {
  const { username } = await withPassword(app)
  await page.goto('/sign-in?next=/settings/security')
  await enterPassword(page, username)
  await heading(page, 'Security').waitFor()
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Passkey added: Passkey').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  const rename = page.getByRole('button', { name: 'Rename Passkey', exact: true })
  await rename.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rename passkey' })
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Passkey')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('list', { name: 'Passkeys' }).getByText(name).waitFor()
}

/** The device is not touched before the button is, so that the sign-in page offers the passkey and stays. */
async function signOut(page: Page, device: Device): Promise<void> {
  await device.touch(false)
  await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
  await heading(page, 'Sign in').waitFor()
  await untilOffered(page)
}

async function useButton(page: Page, device: Device): Promise<void> {
  await device.touch(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
}

/** The passkey replaces the password for a session that is older than five minutes. */
async function changePassword(app: TestApp, page: Page): Promise<void> {
  app.clock.advance(6 * 60_000)
  await follow(page, '/settings/profile')
  await page.getByText('Or leave it empty and confirm in another way').waitFor()
  await page.getByLabel('New password', { exact: true }).fill('an even longer password')
  await page.getByLabel('Confirm new password').fill('an even longer password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /passkey/i })
    .click()
  await page.getByText('Password changed.').waitFor()
}

async function askForConsent(app: TestApp): Promise<string> {
  const redirect_uris = ['http://127.0.0.1:9/back']
  const client = await registerClient(app, { client_name: 'Logbook Pro', redirect_uris })
  return authorizePath(requestOf(createFlow(app, client), 'profile.read'))
}

journeys(
  'passkeys',
  'sqlite',
  ({ everyday, journey }) => {
    everyday('A passkey is added and signs its owner in', async ({ app, open }) => {
      await ownerOf(app)
      const page = await open('/sign-in', { device: 'phone' })
      const phone = await addDevice(page)
      await signInWithPassword(app, page)
      await addPasskey(page, 'My phone')
      await signOut(page, phone)
      await useButton(page, phone)
      await page.waitForURL((url) => url.pathname === '/')
      await page.goto('/settings/security')
      await page.getByRole('list', { name: 'Passkeys' }).getByText('Last used').waitFor()
      await page.getByText('Signed in with a passkey').waitFor()
    })

    journey(
      'A passkey confirms a change, is offered at the username, keeps a pending app, and ends when removed',
      async (given) => {
        const { app, open } = given
        await ownerOf(app)
        const page = await open('/sign-in')
        const laptop = await addDevice(page)
        await signInWithPassword(app, page)
        await addPasskey(page, 'Laptop')
        await changePassword(app, page)

        await follow(page, '/settings/security')
        await signOut(page, laptop)
        assert.equal(await page.getByLabel('Username').getAttribute('autocomplete'), 'username webauthn')
        await laptop.touch(true)
        await page.goto('/sign-in?next=/pages.css')
        await page.waitForURL((url) => url.pathname === '/pages.css')

        await laptop.touch(false)
        await page.context().clearCookies()
        await page.goto(await askForConsent(app))
        await heading(page, 'Sign in').waitFor()
        await untilOffered(page)
        await useButton(page, laptop)
        await heading(page, /Logbook Pro wants to connect/).waitFor()

        await page.goto('/settings/security')
        await page.getByRole('button', { name: 'Remove Laptop' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
        await page.getByText('Passkey removed: Laptop').waitFor()
        await page.getByText('No passkeys yet').waitFor()
        // The device still has it.
        await signOut(page, laptop)
        await useButton(page, laptop)
        await page.getByRole('alert').getByText('This passkey was not accepted').waitFor()
      },
    )

    journey('An unusable passkey shows an error, and the password form stays', async ({ app, open }) => {
      await ownerOf(app)
      const unscripted = await open('/sign-in?passkey=1', { javaScriptEnabled: false })
      await unscripted.getByText('Passkeys need JavaScript').waitFor()
      const page = await open('/sign-in?passkey=1', { locale: 'de-DE' })
      await heading(page, 'Anmelden').waitFor()
      await page.getByText(/^Passkeys brauchen JavaScript/).waitFor({ state: 'detached' })
      const device = await addDevice(page)
      await device.recognise(false)
      await page.getByRole('button', { name: 'Mit Passkey anmelden' }).click()
      await page.getByRole('alert').getByText('Es wurde kein Passkey verwendet').waitFor()
      assert.ok(await page.getByLabel('Passwort').isVisible())
    })
  },
  { atOrigin: 'localhost' },
)

// The second factor in the real browser: set up with an app, signed in with codes, with and without script, and during an
// edit.
import assert from 'node:assert/strict'
import { Secret, TOTP, URI } from 'otpauth'
import type { Page } from 'playwright-core'
import type { TestApp } from '../harness.ts'
import { heading, type Journey, journeys, pick } from './browser.ts'
import { endSessionWith, enterPassword, ownerOf, PASSWORD, withPassword } from './signing-in.ts'

const STEP = 30_000

const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })

/** An unused code. */
function nextCode(app: TestApp, totp: TOTP): string {
  app.clock.advance(2 * STEP)
  return totp.generate({ timestamp: app.clock.now() })
}

/** The dialog with ten recovery codes, which only its button closes. */
async function saveRecoveryCodes(page: Page): Promise<string[]> {
  const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
  await shown.waitFor()
  await page.keyboard.press('Escape')
  const recoveryCodes = await shown.getByRole('listitem').allInnerTexts()
  assert.equal(recoveryCodes.length, 10, 'Escape does not lose them')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download' }).click(),
  ])
  assert.equal(file.suggestedFilename(), 'contrail-recovery-codes.txt')
  await shown.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  return recoveryCodes
}

/** In the settings for security. */
async function setUp(app: TestApp, page: Page): Promise<TOTP> {
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Second factor' })
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = await dialog.getByRole('region', { name: 'Or type this key into the app' }).innerText()
  const totp = new TOTP({ secret: Secret.fromBase32(secret.trim()) })
  const code = dialog.getByLabel('Six-digit code from the app')
  await code.fill('000000')
  await code.press('Enter')
  await dialog.getByText('The code is wrong or has already been used.').waitFor()
  assert.equal(await code.inputValue(), '')
  await code.fill(nextCode(app, totp))
  await code.press('Enter')
  await saveRecoveryCodes(page)
  return totp
}

/** New recovery codes on a session older than five minutes, which needs a confirmation. */
async function renewCodes(app: TestApp, page: Page): Promise<string[]> {
  app.clock.advance(6 * 60_000)
  const renew = async () => {
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'New recovery codes' }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await renew()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alert').filter({ hasText: 'Confirm that it is you.' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await renew()
  await dialog.getByLabel('Your password').fill('wrong one')
  await dialog.getByLabel('Your password').press('Enter')
  await dialog.getByText('The password is incorrect.').waitFor()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByLabel('Your password').press('Enter')
  return saveRecoveryCodes(page)
}

/** A wrong code first, a look at the other way, then the right code, which is pasted and thereby sent. */
async function signInWithCode(app: TestApp, page: Page, totp: TOTP): Promise<void> {
  await heading(page, 'Enter the six digits').waitFor()
  await page.getByText('Password accepted').waitFor()
  assert.equal(await page.getByLabel('Trust this browser for 30 days').isChecked(), false)
  await codeField(page).fill('123456')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor()
  assert.equal(await codeField(page).inputValue(), '')
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  await heading(page, 'Enter a recovery code').waitFor()
  await page.getByRole('link', { name: 'Use the authenticator app' }).click()
  // The script of the page has marked the cell to type into, so it accepts the pasted code.
  await page.locator('.digits[data-at]').waitFor()
  const code = nextCode(app, totp)
  await codeField(page).focus()
  await page.evaluate(pasted(`${code.slice(0, 3)} ${code.slice(3)}`))
}

/** A person with a second factor, created without pages. */
async function withSecondFactor(app: TestApp) {
  const ada = await withPassword(app)
  const cookie = await ada.session()
  const send = async (path: string, body?: object) => {
    const reply = await app.request('POST', `/app/api${path}`, { cookie, ...(body && { body }) })
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data
  }
  const totp = URI.parse((await send('/second-factor')).uri) as TOTP
  const { recoveryCodes } = await send('/second-factor/enable', { code: nextCode(app, totp) })
  return { ada, totp, recoveryCodes: recoveryCodes as string[] }
}

/** A new flight is saved just after the session has ended. */
async function saveTooLate({ app }: Journey, page: Page, to: string, note: string): Promise<void> {
  await page.goto('/flights/new')
  await heading(page, 'Add flight').waitFor()
  await pick(page, 'From', 'CPH', 'CPH')
  await pick(page, 'To', to, to)
  await page.getByLabel('Date', { exact: true }).fill('2024-05-01')
  await page.getByLabel('Note').fill(note)
  await endSessionWith(app, page, 'POST', '**/app/api/flights')
  await page.getByRole('button', { name: 'Save flight' }).click()
  await page.getByRole('dialog', { name: 'Please sign in again' }).waitFor()
}

journeys('second factor', 'sqlite', ({ journey }) => {
  journey(
    'A second factor is set up, required with and without script, trusted, and turned off',
    async (given) => {
      const { app, open } = given
      const { username } = await withPassword(app)
      const page = await open('/sign-in?next=/settings/security', { device: 'phone' })
      await enterPassword(page, username)
      await heading(page, 'Security').waitFor()
      const totp = await setUp(app, page)
      const recoveryCodes = await renewCodes(app, page)

      const signedIn = (one: Page) => one.waitForURL((url) => url.pathname === '/pages.css')
      await page.context().clearCookies({ name: 'contrail' })
      await page.goto('/sign-in?next=/pages.css')
      await enterPassword(page, username)
      await signInWithCode(app, page, totp)
      await signedIn(page)

      const unscripted = await open('/sign-in?next=/pages.css', { device: 'phone', javaScriptEnabled: false })
      await enterPassword(unscripted, username)
      await codeField(unscripted).fill(nextCode(app, totp).replace(/^.../, '$& '))
      await codeField(unscripted).press('Enter')
      await signedIn(unscripted)

      await page.context().clearCookies({ name: 'contrail' })
      await page.goto('/sign-in?next=/pages.css')
      await enterPassword(page, username)
      await page.getByRole('link', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(recoveryCodes[0]!)
      await page.getByLabel('Trust this browser for 30 days').check()
      await page.getByRole('button', { name: 'Verify' }).click()
      await signedIn(page)
      await page.context().clearCookies({ name: 'contrail' })
      await page.goto('/sign-in?next=/settings/security')
      await enterPassword(page, username)
      await page.getByText('9 recovery codes left · 1 trusted browser').waitFor()

      await page.getByRole('button', { name: 'Turn off' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
      await page.getByText('Second factor turned off').waitFor()
      await page.getByRole('button', { name: 'Set up', exact: true }).waitFor()
    },
  )

  journey(
    'After a session ended during an edit, the code is required here or in another tab, and nothing is lost',
    async (given) => {
      const { app, open } = given
      const { ada, totp, recoveryCodes } = await withSecondFactor(app)
      const page = await open('/robots.txt', { as: ada })
      const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
      const enterPasswordAgain = async () => {
        await dialog.getByLabel(/^Password for/).fill(PASSWORD)
        await dialog.getByLabel(/^Password for/).press('Enter')
      }
      const saved = () => page.waitForURL((url) => url.pathname === '/')
      await saveTooLate(given, page, 'OSL', 'Kept until the code')
      await enterPasswordAgain()
      const code = dialog.getByLabel('Code from your authenticator app')
      await code.fill('123456')
      await code.press('Enter')
      await dialog.getByText('The code is wrong or has already been used.').waitFor()
      await code.fill(nextCode(app, totp))
      await code.press('Enter')
      await saved()

      await saveTooLate(given, page, 'ARN', 'Kept until the recovery code')
      await enterPasswordAgain()
      await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
      await dialog.getByLabel('Recovery code').fill(recoveryCodes[0]!)
      await dialog.getByRole('button', { name: 'Verify' }).click()
      await saved()

      await saveTooLate(given, page, 'HEL', 'Kept until the other tab')
      const other = await page.context().newPage()
      await other.goto('/sign-in?next=/pages.css')
      await enterPassword(other, ada.username)
      await codeField(other).fill(nextCode(app, totp))
      await codeField(other).press('Enter')
      await other.waitForURL((url) => url.pathname === '/pages.css')
      await page.evaluate('dispatchEvent(new Event("focus"))')
      await saved()

      const { json } = await app.request('GET', '/api/v1/flights', { key: await ada.key() })
      assert.deepEqual(json.data.map(({ note }: { note: string }) => note).sort(), [
        'Kept until the code',
        'Kept until the other tab',
        'Kept until the recovery code',
      ])
    },
  )

  journey('A person without a password can set one or delete the account', async ({ app, open }) => {
    await ownerOf(app)
    const [ada, bob] = [await app.person(), await app.person()]
    const page = await open('/settings/profile', { as: ada, device: 'phone' })
    await page.getByText('Your account has no password.').waitFor()
    assert.equal(await page.getByLabel('Current password').count(), 0)
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm new password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set a password' }).click()
    await page.getByText('Password set. Other devices were signed out.').waitFor()
    await page.getByLabel('Current password').waitFor()

    const leaving = await open('/settings/profile', { as: bob })
    await leaving.getByText('Your account has no password.').waitFor()
    await leaving.getByRole('button', { name: 'Delete account' }).click()
    const dialog = leaving.getByRole('dialog', { name: 'Delete account' })
    assert.equal(await dialog.getByLabel('Current password').count(), 0)
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await heading(leaving, 'Sign in').waitFor()
  })
})

/** Pastes a text into the focused field. */
const pasted = (text: string): string => `{
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', ${JSON.stringify(text)})
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}`

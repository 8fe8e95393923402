// The second factor in the real browser: set up with an app, signed in with codes, with and without script, and in mid-edit.
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { type Device, heading, type Journey, journeys, pick, requireAccessible } from './browser.ts'

const STEP = 30_000
const DAY_MS = 86_400_000
const PASSWORD = 'correct horse battery'

journeys('second factor', 'sqlite', ({ journey, onEachDevice }) => {
  let owner: Promise<TestPerson> | undefined
  let people = 0

  async function newcomer(app: TestApp): Promise<string> {
    owner ??= app.person('owner')
    const username = `grace${people++}`
    const cookie = await (await owner).session()
    const body = { username, displayName: 'Grace Hopper', password: PASSWORD }
    assert.equal((await app.request('POST', '/app/api/users', { cookie, body })).status, 201)
    return username
  }

  async function enterPassword(page: Page, username: string): Promise<void> {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Password').press('Enter')
  }

  const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })

  /** A code that was not used yet. */
  function nextCode(app: TestApp, totp: TOTP): string {
    app.clock.advance(2 * STEP)
    return totp.generate({ timestamp: app.clock.now() })
  }

  /** A person who has just set it up in the settings. */
  async function setUp({ app, open }: Journey, device: Device) {
    const username = await newcomer(app)
    const page = await open('/sign-in?next=/settings/security', { device })
    await enterPassword(page, username)
    await heading(page, 'Security').waitFor()
    await page.getByRole('button', { name: 'Set up', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Second factor' })
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await requireAccessible(page, 'setting up')
    const secret = await dialog.getByRole('region', { name: 'Or type this key into the app' }).innerText()
    const totp = new TOTP({ secret: Secret.fromBase32(secret.trim()) })
    const code = dialog.getByLabel('Six digits that the app shows')
    await code.fill('000000')
    await code.press('Enter')
    await dialog.getByText('The code is wrong, or was used before.').waitFor()
    assert.equal(await code.inputValue(), '')
    await code.fill(nextCode(app, totp))
    await code.press('Enter')
    const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
    await shown.waitFor()
    await requireAccessible(page, 'recovery codes')
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
    await requireAccessible(page, 'the settings')
    return { username, page, totp, recoveryCodes }
  }

  onEachDevice(
    'set up, and signed in with a code, a recovery code, a trusted browser',
    async (given, device) => {
      const { app, open } = given
      const { username, totp, recoveryCodes } = await setUp(given, device)
      const page = await open('/sign-in?next=/flights', { device })
      await enterPassword(page, username)
      await heading(page, 'Enter the six digits').waitFor()
      await page.getByText('Password accepted').waitFor()
      assert.equal(await page.getByLabel('Trust this browser for 30 days').isChecked(), false)
      await requireAccessible(page, 'the six digits')
      await codeField(page).fill('123456')
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor()
      assert.equal(await codeField(page).inputValue(), '')
      await requireAccessible(page, 'a wrong code')
      await page.getByRole('link', { name: 'Use a recovery code' }).click()
      await heading(page, 'Enter a recovery code').waitFor()
      await requireAccessible(page, 'a recovery code')
      await page.getByRole('link', { name: 'Use the authenticator app' }).click()
      await codeField(page).fill(nextCode(app, totp))
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.waitForURL((url) => url.pathname === '/flights')

      const second = await open('/sign-in', { device })
      await enterPassword(second, username)
      await second.getByRole('link', { name: 'Use a recovery code' }).click()
      await second.getByLabel('Recovery code').fill(recoveryCodes[0]!)
      await second.getByLabel('Trust this browser for 30 days').check()
      await second.getByRole('button', { name: 'Verify' }).click()
      await second.waitForURL((url) => url.pathname === '/')
      await second.goto('/settings/security')
      await second.getByText('9 recovery codes left · 1 trusted browser').waitFor()
      await second.context().clearCookies({ name: 'contrail' })
      await second.goto('/sign-in?next=/settings/security')
      await enterPassword(second, username)
      await heading(second, 'Security').waitFor()

      await second.getByRole('button', { name: 'Turn off' }).click()
      await second.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
      await second.getByText('Second factor turned off').waitFor()
      await second.getByRole('button', { name: 'Set up', exact: true }).waitFor()
    },
  )

  journey('pasting six digits submits them', async (given) => {
    const { app, open } = given
    const { username, totp } = await setUp(given, 'desktop')
    const page = await open('/sign-in?next=/flights')
    await enterPassword(page, username)
    // The script of the page has marked the cell to type into, so it takes what is pasted.
    await page.locator('.digits[data-at]').waitFor()
    const code = nextCode(app, totp)
    await codeField(page).focus()
    await page.evaluate(pasted(`${code.slice(0, 3)} ${code.slice(3)}`))
    await page.waitForURL((url) => url.pathname === '/flights')
  })

  onEachDevice('without script', async (given, device) => {
    const { app, open } = given
    const { username, totp } = await setUp(given, device)
    const page = await open('/sign-in?next=/pages.css', { device, javaScriptEnabled: false })
    await enterPassword(page, username)
    await codeField(page).fill(nextCode(app, totp).replace(/^.../, '$& '))
    await codeField(page).press('Enter')
    await page.waitForURL((url) => url.pathname === '/pages.css')
  })

  onEachDevice(
    'a session that ends in mid-edit asks for the code too, and nothing is lost',
    async (given, device) => {
      const { app } = given
      const { page, totp, recoveryCodes } = await setUp(given, device)
      const edit = async (to: string, note: string) => {
        await page.goto('/flights/new')
        await heading(page, 'Add flight').waitFor()
        await pick(page, 'From', 'CPH', 'CPH')
        await pick(page, 'To', to, to)
        await page.getByLabel('Date', { exact: true }).fill('2024-05-01')
        await page.getByLabel('Note').fill(note)
        // A request of the page itself that came after the session has ended would open the dialog over the button.
        await page.waitForLoadState('networkidle')
        app.clock.advance(31 * DAY_MS)
        await page.getByRole('button', { name: 'Save flight' }).click()
        await dialog.getByLabel(/^Password for/).fill(PASSWORD)
        await dialog.getByLabel(/^Password for/).press('Enter')
      }
      const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
      await edit('OSL', 'Kept until the code')
      const code = dialog.getByLabel('Code from your authenticator app')
      await code.fill('123456')
      await requireAccessible(page, 'the code in mid-edit')
      await code.press('Enter')
      await dialog.getByText('The code is wrong, or was used before.').waitFor()
      await code.fill(nextCode(app, totp))
      await code.press('Enter')
      await page.waitForURL((url) => url.pathname === '/')

      await edit('ARN', 'Kept until the recovery code')
      await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
      await dialog.getByLabel('Recovery code').fill(recoveryCodes[0]!)
      await dialog.getByRole('button', { name: 'Verify' }).click()
      await page.waitForURL((url) => url.pathname === '/')
      for (const [place, note] of [
        ['OSL', 'Kept until the code'],
        ['ARN', 'Kept until the recovery code'],
      ] as const) {
        await page.goto('/flights')
        await page.getByRole('row').filter({ hasText: place }).click()
        await page.getByText(note).waitFor()
      }
    },
  )

  journey('signing in in another tab goes on with the edit', async (given) => {
    const { app } = given
    const { page, username, totp } = await setUp(given, 'desktop')
    await page.goto('/flights/new')
    await pick(page, 'From', 'CPH', 'CPH')
    await pick(page, 'To', 'OSL', 'OSL')
    await page.getByLabel('Date', { exact: true }).fill('2024-05-01')
    // As above: only the form may find the session ended.
    await page.waitForLoadState('networkidle')
    app.clock.advance(31 * DAY_MS)
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByRole('dialog', { name: 'Please sign in again' }).waitFor()
    const other = await page.context().newPage()
    await other.goto('/sign-in?next=/pages.css')
    await enterPassword(other, username)
    await codeField(other).fill(nextCode(app, totp))
    await codeField(other).press('Enter')
    await other.waitForURL((url) => url.pathname === '/pages.css')
    await page.evaluate('dispatchEvent(new Event("focus"))')
    await page.waitForURL((url) => url.pathname === '/')
  })

  onEachDevice(
    'a change of the account asks who it is, unless that was just shown',
    async (given, device) => {
      const { app } = given
      const { page } = await setUp(given, device)
      app.clock.advance(6 * 60_000)
      const renew = async () => {
        await page.getByRole('button', { name: 'New recovery codes' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'New recovery codes' }).click()
      }
      const dialog = page.getByRole('dialog', { name: 'Please confirm that it is you' })
      await renew()
      await dialog.waitFor()
      await requireAccessible(page, 'confirming')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('alert').filter({ hasText: 'Please confirm that it is you.' }).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await renew()
      await dialog.getByLabel('Your password').fill('wrong one')
      await dialog.getByLabel('Your password').press('Enter')
      await dialog.getByText('The password is incorrect.').waitFor()
      await dialog.getByLabel('Your password').fill(PASSWORD)
      await dialog.getByLabel('Your password').press('Enter')
      const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
      await shown.waitFor()
      assert.equal((await shown.getByRole('listitem').allInnerTexts()).length, 10)
      await shown.getByRole('button', { name: 'I have saved them' }).click()
    },
  )

  journey('an account without a password: sets one, or leaves', async ({ app, open }) => {
    owner ??= app.person('owner')
    await owner
    const [ada, bob] = [await app.person(), await app.person()]
    const page = await open('/settings/profile', { as: ada })
    await page.getByText('Your account has no password.').waitFor()
    await requireAccessible(page, 'no password')
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

/** What pastes a text into the field that has the focus. */
const pasted = (text: string): string => `{
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', ${JSON.stringify(text)})
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}`

// Text typed into a dialog is not lost: by a drag, a click outside, Escape, leaving the page, a reload or an expired
// session.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { insertPasskey } from '../../server/store/accounts/passkeys.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { heading, journeys } from './browser.ts'
import { type DialogEntry, dialogs } from './dialogs.ts'
import { type Furnished, follow, furnish } from './screens.ts'

const PASSWORD = 'a long enough password'
const TYPED = 'Typed'
const ASKS = 'Discard what you typed?'

async function givePassword(app: TestApp, { id }: TestPerson): Promise<void> {
  const hash = await hashPassword(PASSWORD)
  await app.store.transaction((tx) => updatePassword(tx, id, hash))
}

/** Data that the dialogs of the walk need besides the prepared instance. */
async function furnishMore(app: TestApp, { ada, newcomer }: Furnished): Promise<number> {
  await givePassword(app, ada)
  await givePassword(app, newcomer)
  const createdAt = new Date(app.clock.now()).toISOString()
  const key = { credentialId: 'old', publicKey: '', counter: 0, transports: [], createdAt }
  await app.store.transaction((tx) => insertPasskey(tx, { userId: ada.id, name: 'Old phone', ...key }))
  const body = { username: 'ada', password: PASSWORD }
  const headers = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Firefox' }
  assert.equal((await app.request('POST', '/app/api/sign-in', { body, headers })).status, 204)
  const started = await app.request('POST', '/app/api/imports', {
    cookie: await ada.session(),
    body: { filename: 'flights.csv', text: 'Date,From,To\n2001-02-03,CPH,OSL\n' },
  })
  assert.ok(started.status < 300, started.text)
  return started.json.data.id
}

const topDialog = (page: Page) => page.locator('dialog[open]').last()

/** As when selecting text: pressed in the field, released on the backdrop. */
async function dragOutside(page: Page, field: Locator): Promise<void> {
  const { x, y, width, height } = (await field.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(3, 3, { steps: 3 })
  await page.mouse.up()
}

async function requireTyped(field: Locator, when: string): Promise<void> {
  assert.ok(await field.isVisible(), `${when}: the dialog is closed`)
  assert.equal(await field.inputValue(), TYPED, when)
}

/** Opened from another page, so that an open dialog is left. */
async function openDialog(page: Page, { path, open, field }: DialogEntry): Promise<Locator> {
  const url = new URL(path, page.url())
  if (page.url().startsWith(`${url.origin}${url.pathname}`)) await follow(page, '/nowhere')
  await follow(page, path)
  await open(page)
  const found = topDialog(page).locator(`.body ${field}`).first()
  await found.waitFor()
  return found
}

async function walk(page: Page, entry: DialogEntry): Promise<void> {
  const field = await openDialog(page, entry)
  const dialog = topDialog(page)
  await field.fill(TYPED)
  await dragOutside(page, field)
  await requireTyped(field, 'after a drag')
  if (entry.isLive) return
  await page.mouse.click(3, 3)
  await dialog.getByText(ASKS).waitFor()
  await page.keyboard.press('Enter')
  await requireTyped(field, 'after a click beside it')
  await page.keyboard.press('Escape')
  await dialog.getByText(ASKS).waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByText(ASKS).waitFor({ state: 'detached' })
  await requireTyped(field, 'after Escape')

  const again = await openDialog(page, entry)
  if (entry.isSecret) return assert.equal(await again.inputValue(), '', 'a secret is not kept')
  await topDialog(page).getByText('Your unsaved changes were restored.').waitFor()
  await requireTyped(again, 'after leaving the page')
  await topDialog(page).getByRole('button', { name: 'Close', exact: true }).click()
  await topDialog(page).getByRole('button', { name: 'Discard' }).click()
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  assert.deepEqual(await draftsIn(page), [])
}

const draftsIn = (page: Page): Promise<string[]> =>
  page.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('contrail.draft.'))`)

journeys('dialogs', 'sqlite', ({ journey }) => {
  journey('Dialogs keep typed text', async ({ app, open }) => {
    const furnished = await furnish(app)
    const importId = await furnishMore(app, furnished)
    const pages = {
      owner: await open('/settings', { as: furnished.ada }),
      newcomer: await open('/settings', { as: furnished.newcomer }),
    }
    const faults: string[] = []
    for (const entry of dialogs({ ...furnished, importId }))
      await walk(pages[entry.as ?? 'owner'], entry).catch((error) =>
        faults.push(`${entry.component}: ${error.message}`),
      )
    assert.deepEqual(faults, [])
  })

  journey(
    'Typed text survives a reload, going back, and an expired confirmation or session; cancelling deletes it',
    async ({ app, open }) => {
      const ada = await app.person()
      await givePassword(app, ada)
      const page = await open('/settings/profile', { as: ada })
      await heading(page, 'Profile').waitFor()
      await reloadAndGoBack(page)
      app.clock.advance(6 * 60_000)
      await confirmAndCreate(page)
      await follow(page, '/trips?new=')
      await signInAgain(page)
      await signOutWithDraft(page)
    },
  )
})

/** The dialog of a key, from the previous page. */
async function reloadAndGoBack(page: Page): Promise<void> {
  await follow(page, '/settings/keys')
  const dialog = page.getByRole('dialog')
  const name = dialog.locator('[data-field=name]')
  const purpose = dialog.getByRole('radio', { name: /^Home Assistant/ })
  const reopen = async () => {
    await page.getByRole('button', { name: 'New API key' }).click()
    await name.waitFor()
  }
  await reopen()
  await purpose.check()
  await name.fill(TYPED)
  await page.reload()
  await reopen()
  await dialog.getByText('Your unsaved changes were restored.').waitFor()
  await requireTyped(name, 'after a reload')
  assert.ok(await purpose.isChecked(), 'a choice after a reload')
  await page.goBack()
  await heading(page, 'Profile').waitFor()
  await page.goForward()
  await reopen()
  await dialog.getByRole('button', { name: 'Start over' }).click()
  assert.equal(await name.inputValue(), '', 'the text from before')
  assert.ok(!(await purpose.isChecked()), 'the choice from before')

  await name.fill(TYPED)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await reopen()
  assert.equal(await name.inputValue(), '', 'after Cancel')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
}

/** The confirmation by password has expired. */
async function confirmAndCreate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New API key' }).click()
  const name = page.locator('[data-field=name]')
  await name.fill(TYPED)
  await page.getByRole('button', { name: 'Create key' }).click()
  const proof = page.getByLabel('Your password')
  await proof.fill(TYPED)
  await dragOutside(page, proof)
  await requireTyped(proof, 'a password after a drag')
  await page.keyboard.press('Escape')
  await proof.waitFor({ state: 'detached' })
  await requireTyped(name, 'under a cancelled confirmation')
  await page.getByRole('button', { name: 'Create key' }).click()
  await proof.fill(PASSWORD)
  await proof.press('Enter')
  await page.getByRole('button', { name: 'I have saved it' }).click()
  assert.deepEqual(await draftsIn(page), [])
}

/** The session has expired. */
async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('Name').fill(TYPED)
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create trip' }).click()
  const password = page.getByRole('dialog').last().locator('[type=password]')
  await password.fill(TYPED)
  await dragOutside(page, password)
  await requireTyped(password, 'signing in again after a drag')
  await password.fill(PASSWORD)
  await password.press('Enter')
  await heading(page, TYPED).waitFor()
  assert.deepEqual(await draftsIn(page), [])
}

async function signOutWithDraft(page: Page): Promise<void> {
  await follow(page, '/settings/keys')
  await page.getByRole('button', { name: 'New API key' }).click()
  await page.locator('[data-field=name]').fill(TYPED)
  await follow(page, '/settings/security')
  await until('the draft is stored', async () => (await draftsIn(page)).join() === 'contrail.draft.api-key')
  await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/settings'))
  assert.deepEqual(await draftsIn(page), [])
}

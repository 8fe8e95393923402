// Every kind of setting, changed and checked.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp } from '../harness.ts'
import { heading, journeys, pick, resize } from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { follow } from './screens.ts'
import { enterPassword, ownerOf, PASSWORD, signInElsewhere, statusWith, withPassword } from './signing-in.ts'

const picture = {
  name: 'icon.png',
  mimeType: 'image/png',
  buffer: readFileSync(new URL('../../web/public/icon-192.png', import.meta.url)),
}

journeys('settings', 'sqlite', ({ everyday, journey }) => {
  everyday('Language, units and appearance apply immediately and after a reload', async ({ app, open }) => {
    const ada = await app.person()
    const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
    await logFlight(app, ada, { date: '2024-02-20', fromId, toId })
    const page = await open('/settings/preferences', { as: ada, device: 'phone' })
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('radio', { name: 'Miles', exact: true }).check()
    assert.equal((await saved).status(), 200)
    await page.getByRole('radio', { name: 'Dark', exact: true }).check()
    await page.getByRole('radio', { name: 'Deutsch', exact: true }).check()
    await heading(page, 'Anzeige und Einheiten').waitFor()
    await page.goto('/flights')
    await heading(page, 'Flüge').waitFor()
    await page
      .getByText(/3\.8\d\d.mi/)
      .first()
      .waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  })

  journey(
    'By keyboard a name and password are changed, other sessions ended and the account deleted',
    async ({ app, open }) => {
      const grace = await withPassword(app)
      const elsewhere = await signInElsewhere(app, grace)
      const page = await open('/settings/profile', { as: grace })
      // The heading appears before the section is loaded.
      await page.getByLabel('Current password').waitFor()
      app.clock.advance(6 * 60_000)
      const { fill, push, press, type } = keyboardOf(page)
      await fill('Name', 'Rear Admiral Hopper')
      await press('Enter')
      await page.getByText('Profile saved').waitFor()

      const next = 'a longer, better password'
      await fill('Current password', 'not this one')
      await fill('New password', next)
      await fill('Confirm new password', next)
      await press('Enter')
      await page.locator('[aria-invalid="true"]').waitFor()
      await fill('Current password', PASSWORD)
      await press('Enter')
      await page.getByText('Password changed. Other devices were signed out.').waitFor()
      assert.equal(await statusWith(app, elsewhere), 401)

      const others = [await signInElsewhere(app, grace, next), await signInElsewhere(app, grace, next)]
      await follow(page, '/settings/sessions')
      await page.getByRole('button', { name: 'End all other sessions' }).waitFor()
      await push('End all other sessions')
      await push('End session')
      await page.getByText('2 sessions ended').waitFor()
      for (const cookie of others) assert.equal(await statusWith(app, cookie), 401)

      await follow(page, '/settings/profile')
      await page.getByRole('button', { name: 'Delete account…' }).waitFor()
      await push('Delete account…')
      await page.getByRole('dialog').waitFor()
      await type(next)
      await press('Enter')
      await heading(page, 'Sign in').waitFor()
      await enterPassword(page, grace.username, next)
      await page.getByRole('alert').waitFor()
    },
  )

  journey(
    'A person’s own airports, airlines and fields are offered in the flight form',
    async ({ app, open }) => {
      const page = await open('/settings/data', { as: await ownerOf(app) })
      const dialog = page.getByRole('dialog')
      await addAirport(page)
      await page.getByText('Grass Strip').waitFor()

      await page.getByRole('radio', { name: 'Airlines' }).check()
      await page.getByRole('button', { name: 'Add airline' }).click()
      await dialog.getByLabel('Name').fill('Paper Planes')
      await dialog.getByLabel('Name').press('Enter')
      await page.getByRole('button', { name: 'Icon for Paper Planes' }).click()
      await dialog.locator('input[type=file]').setInputFiles(picture)
      await dialog.locator('img').waitFor()
      await dialog.getByRole('button', { name: 'Remove icon' }).click()
      await dialog.getByText('No icon yet').waitFor()
      await dialog.getByRole('button', { name: 'Done' }).click()

      await page.getByRole('radio', { name: 'Aircraft types' }).check()
      await page.getByRole('button', { name: 'Add aircraft type' }).click()
      await dialog.getByLabel('Name').fill('Wright Flyer')
      await dialog.getByLabel('Name').press('Enter')
      await page.getByText('Wright Flyer').waitFor()

      await follow(page, '/settings/fields')
      await page.getByRole('button', { name: 'New field' }).click()
      await dialog.getByLabel('Label').fill('Meal')
      await dialog.getByLabel('Type').selectOption('Single choice')
      await dialog.getByLabel('Options').fill('Fish\nPasta')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Single choice · meal · Fish, Pasta').waitFor()

      await follow(page, '/flights/new')
      await pick(page, 'From', 'XGRS', 'Grass Strip')
      await pick(page, 'Airline', 'Paper', 'Paper Planes')
      await pick(page, 'Aircraft', 'Wright', 'Wright Flyer')
      await page.getByLabel('Meal').selectOption('Pasta')
    },
  )

  journey(
    'The owner changes roles and the rule for programs, and the audit trail shows it',
    async ({ app, open }) => {
      const owner = await ownerOf(app)
      const roleId = await createKeeper(app)
      const page = await open('/settings/roles', { as: owner })
      await keepUnusedPermissions(app, page, roleId)
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'New role' }).click()
      await dialog.getByLabel('Name').fill('Family')
      // A tablet is turned.
      await resize(page, { width: 820, height: 1180 })
      await page.getByRole('link', { name: 'Settings' }).first().waitFor()
      await resize(page, { width: 1280, height: 800 })
      await dialog.getByLabel('See flights: Everyone’s').check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: /Make default.*Family/ }).click()
      await page.getByText('“Family” is now the default role for new people').waitFor()

      await follow(page, '/settings/audit')
      await page.getByText('Default role changed').waitFor()
      await page.getByRole('radio', { name: 'Everyone' }).check()
      await page.getByText('Role created').first().waitFor()

      await requireVersion(app, page)
      const other = await open('/settings/programs', { as: await app.person('role-administrator') })
      await other.getByText('You don’t have access to this section').waitFor()
    },
  )
})

/** A role with permissions that nothing needs yet. */
async function createKeeper(app: TestApp): Promise<number> {
  // No key gives the last one.
  const permissions = ['flight.read.own', 'flight.import.any', 'tools.sql.execute']
  const cookie = await (await ownerOf(app)).session()
  const body = { name: 'Keeper', permissions }
  return (await app.request('POST', '/app/api/roles', { cookie, body })).json.data.id
}

/** The role keeps them, although they are not offered. */
async function keepUnusedPermissions(app: TestApp, page: Page, roleId: number): Promise<void> {
  const owner = await ownerOf(app)
  await page.getByRole('listitem').filter({ hasText: 'Keeper' }).getByText('2 permissions').waitFor()
  await page.getByRole('button', { name: 'Edit Keeper' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Check for new versions').waitFor()
  for (const unused of ['Run SQL', 'Set up the map'])
    assert.equal(await dialog.getByText(unused).count(), 0, unused)
  await dialog.getByLabel('See flights: Everyone’s').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const saved = await app.request('GET', `/api/v1/roles/${roleId}`, { key: await owner.key() })
  const kept = ['flight.read.any', 'flight.import.any', 'tools.sql.execute']
  assert.deepEqual(saved.json.data.permissions, kept)
}

/** Programs must send the version that they read, once the owner requires it. */
async function requireVersion(app: TestApp, page: Page): Promise<void> {
  const owner = await ownerOf(app)
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  const { id } = await logFlight(app, owner, { date: '2026-02-20', fromId, toId })
  const key = await owner.key()
  const patched = async (note: string) =>
    (await app.request('PATCH', `/api/v1/flights/${id}`, { key, body: { note } })).status
  await follow(page, '/settings/programs')
  const required = page.getByRole('switch', { name: 'Require the version that was read' })
  const toggle = async () => {
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await required.press('Space')
    assert.equal((await saved).status(), 200)
  }
  await required.waitFor()
  assert.equal(await required.isChecked(), false)
  await toggle()
  assert.equal(await patched('blind'), 428)
  await page.reload()
  await required.waitFor()
  assert.equal(await required.isChecked(), true)
  await toggle()
  assert.equal(await patched('free again'), 200)
}

async function addAirport(page: Page): Promise<void> {
  const { push, fill, tabTo, choose, press } = keyboardOf(page)
  await page.getByText('Nothing added yet.').waitFor()
  await push('Add airport')
  await page.getByRole('dialog').waitFor()
  await fill('Name', 'Grass Strip')
  await fill('ICAO code', 'XGRS')
  await fill('Latitude', '55.5')
  await fill('Longitude', '12.1')
  await tabTo('Country')
  await choose('Denm', 'Denmark')
  await tabTo('Time zone')
  await press('Control+a')
  await choose('Copenhagen', 'Europe/Copenhagen')
  await push('Save')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

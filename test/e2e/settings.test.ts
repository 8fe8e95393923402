// Every kind of setting, changed and checked.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import type { TestPerson } from '../harness.ts'
import { heading, journeys, pick, requireAccessible } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

const picture = {
  name: 'icon.png',
  mimeType: 'image/png',
  buffer: readFileSync(new URL('../../web/public/icon-192.png', import.meta.url)),
}

journeys('settings', 'sqlite', ({ journey }) => {
  let owner: Promise<TestPerson> | undefined

  journey('another password, no other sessions, no account', async ({ app, open }) => {
    owner ??= app.person('owner')
    const grace = { username: 'grace', password: 'correct horse battery' }
    const body = { ...grace, displayName: 'Grace Hopper' }
    const made = await app.request('POST', '/app/api/users', { cookie: await (await owner).session(), body })
    assert.equal(made.status, 201, made.text)
    const signIn = async (password: string) => {
      // More sign-ins would reach the rate limit.
      app.clock.advance(60_000)
      const page = await open('/sign-in?next=/settings/profile')
      await page.getByLabel('Username').fill(grace.username)
      await page.getByLabel('Password').fill(password)
      await page.getByLabel('Password').press('Enter')
      return page
    }
    const [elsewhere, page] = [await signIn(grace.password), await signIn(grace.password)]
    await heading(elsewhere, 'Profile').waitFor()
    await heading(page, 'Profile').waitFor()
    // The heading is there before the section is loaded.
    await page.getByLabel('Current password').waitFor()
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
    await fill('Current password', grace.password)
    await press('Enter')
    await page.getByText('Password changed. Other devices were signed out.').waitFor()
    await elsewhere.goto('/settings/profile')
    await heading(elsewhere, 'Sign in').waitFor()

    const [second, third] = [await signIn(next), await signIn(next)]
    await heading(second, 'Profile').waitFor()
    await heading(third, 'Profile').waitFor()
    await page.goto('/settings/sessions')
    await page.getByRole('button', { name: 'End all other sessions' }).waitFor()
    await push('End all other sessions')
    await push('End session')
    await page.getByText('2 sessions ended').waitFor()
    await second.goto('/settings/sessions')
    await heading(second, 'Sign in').waitFor()

    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'Delete account…' }).waitFor()
    await push('Delete account…')
    await page.getByRole('dialog').waitFor()
    await type(next)
    await press('Enter')
    await heading(page, 'Sign in').waitFor()
    const gone = await signIn(next)
    await gone.getByRole('alert').waitFor()
  })

  journey(
    'places, fleets, fields and roles of one’s own, and the trail they leave',
    async ({ app, open }) => {
      owner ??= app.person('owner')
      const page = await open('/settings/data', { as: await owner })
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

      await page.goto('/settings/fields')
      await page.getByRole('button', { name: 'New field' }).click()
      await dialog.getByLabel('Label').fill('Meal')
      await dialog.getByLabel('Type').selectOption('Single choice')
      await dialog.getByLabel('Options').fill('Fish\nPasta')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Single choice · meal · Fish, Pasta').waitFor()

      await page.goto('/settings/roles')
      await page.getByRole('button', { name: 'New role' }).click()
      await dialog.getByLabel('Name').fill('Family')
      await dialog.getByLabel('See flights: Everyone’s').check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: /Make default.*Family/ }).click()
      await page.getByText('“Family” is now the default role for new people').waitFor()

      await page.goto('/settings/audit')
      await page.getByText('Default role changed').waitFor()
      await page.getByRole('radio', { name: 'Everyone' }).check()
      await page.getByText('Role created').waitFor()

      await page.goto('/flights/new')
      await pick(page, 'From', 'XGRS', 'Grass Strip')
      await pick(page, 'Airline', 'Paper', 'Paper Planes')
      await pick(page, 'Aircraft', 'Wright', 'Wright Flyer')
      await page.getByLabel('Meal').selectOption('Pasta')
    },
  )

  journey(
    'permissions that nothing needs yet are not offered, and a role keeps them',
    async ({ app, open }) => {
      owner ??= app.person('owner')
      const key = await (await owner).key()
      const permissions = ['flight.read.own', 'flight.import.any', 'tools.sql.execute']
      // No key gives the last one.
      const created = await app.request('POST', '/app/api/roles', {
        cookie: await (await owner).session(),
        body: { name: 'Keeper', permissions },
      })
      const page = await open('/settings/roles', { as: await owner })
      await page.getByRole('listitem').filter({ hasText: 'Keeper' }).getByText('2 permissions').waitFor()
      await page.getByRole('button', { name: 'Edit Keeper' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Check for new versions').waitFor()
      for (const unused of ['Run SQL', 'Set up the map']) {
        assert.equal(await dialog.getByText(unused).count(), 0, unused)
      }
      await dialog.getByLabel('See flights: Everyone’s').check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const saved = await app.request('GET', `/api/v1/roles/${created.json.data.id}`, { key })
      const kept = ['flight.read.any', 'flight.import.any', 'tools.sql.execute']
      assert.deepEqual(saved.json.data.permissions, kept)
    },
  )

  journey('the owner requires programs to name the version that they read', async ({ app, open }) => {
    owner ??= app.person('owner')
    const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('JFK')]
    const flight = await logFlight(app, await owner, { date: '2026-02-20', fromId, toId })
    const key = await (await owner).key()
    const patched = async (note: string) =>
      (await app.request('PATCH', `/api/v1/flights/${flight.id}`, { key, body: { note } })).status
    const page = await open('/settings/programs', { as: await owner })
    const required = page.getByRole('switch', { name: 'Require the version that was read' })
    assert.equal(await required.isChecked(), false)
    await requireAccessible(page, 'rules for programs')
    const toggle = async () => {
      const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
      await required.press('Space')
      assert.equal((await saved).status(), 200)
    }
    assert.equal(await patched('free'), 200)
    await toggle()
    assert.equal(await patched('blind'), 428)
    await page.reload()
    await required.waitFor()
    assert.equal(await required.isChecked(), true)
    await toggle()
    assert.equal(await patched('free again'), 200)
    const other = await open('/settings/programs', { as: await app.person('role-administrator') })
    await other.getByText('You don’t have access to this section').waitFor()
  })
})

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

// The bar at the bottom of a phone: the main screens, the menu with the others, and the way to a new flight.
import assert from 'node:assert/strict'
import { logFlight } from '../fixtures.ts'
import { heading, journeys } from './browser.ts'

journeys('the phone menu', 'sqlite', ({ everyday }) => {
  everyday('The bar and the menu lead to each screen and sign out', async ({ app, open }) => {
    const ada = await app.person()
    const [fromId, toId] = await Promise.all(['CPH', 'LHR'].map((code) => app.airportId(code)))
    await logFlight(app, ada, { date: '2026-02-01', fromId, toId })
    const page = await open('/flights', { as: ada, device: 'phone' })
    const bar = page.getByRole('navigation', { name: 'Main' })
    const menu = page.getByRole('menu')
    const fromMenu = async (name: string) => {
      await bar.getByRole('button', { name: 'More' }).tap()
      await menu.getByRole('menuitem', { name, exact: true }).tap()
      await menu.waitFor({ state: 'detached' })
    }
    await page.getByRole('row').filter({ hasText: 'LHR' }).waitFor()
    const current = bar.locator('[aria-current=page]')
    assert.equal(await current.innerText(), 'Flights')
    await bar.getByRole('link', { name: 'Statistics' }).tap()
    await heading(page, 'Statistics').waitFor()
    await bar.getByRole('link', { name: 'Map' }).tap()
    await page.getByText('1 flight between 2 airports', { exact: false }).waitFor()
    assert.equal(await current.innerText(), 'Map')
    for (const name of ['Trips', 'Countries', 'Notifications', 'Settings']) {
      await fromMenu(name)
      await heading(page, name).waitFor()
    }
    await bar.getByRole('button', { name: 'Add flight' }).tap()
    await page.getByRole('combobox', { name: 'One line about the flight' }).waitFor()
    await page.goto('/flights')
    await page.getByRole('row').filter({ hasText: 'LHR' }).waitFor()
    await fromMenu('Sign out')
    await page.getByRole('heading', { name: /^(Sign in|Welcome to Contrail)$/ }).waitFor()
  })
})

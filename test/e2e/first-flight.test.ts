// From an empty server to the first arc on the map.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { until } from '../until.ts'
import { heading, journeys, pick, requireAccessible } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

const FIRST_SCREEN_BYTES = 150_000

/**
 * Runs in the page: neither the preview nor the buttons lie over the field with the focus, now or within some frames.
 * Playwright's own waiting evaluates text after the first look, which the policy forbids.
 */
const isUncovered = `(async () => {
  const isSeen = () => {
    const field = document.activeElement
    const { left, top, width, height } = field.getBoundingClientRect()
    return field.contains(document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20)))
  }
  for (let i = 0; i < 300 && !isSeen(); i++) await new Promise(requestAnimationFrame)
  return isSeen()
})()`

/** Runs in the page: scripts that the app preloads 4 seconds after its start are not part of the first screen. */
const notAhead = `{
  const wait = window.setTimeout
  window.setTimeout = (run, ms, ...given) => (ms === 4000 ? 0 : wait(run, ms, ...given))
}`

journeys('the first flight', 'sqlite', ({ everyday, journey }) => {
  everyday('Set-up, a flight and its arc work by keyboard alone', async ({ open }) => {
    const page = await open('/')
    const { press, type, tabTo } = keyboardOf(page)
    await heading(page, 'Welcome to Contrail').waitFor()
    await type('Ada Lovelace')
    await tabTo('Username')
    await type('ada')
    await tabTo('Password')
    await type('correct horse battery')
    await press('Enter')

    await page.getByText('Drop a file anywhere').waitFor()
    await page.getByRole('button', { name: /^Type one line/ }).waitFor()
    await tabTo(/^Type one line/)
    await press('Enter')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await type('copenhagen jfk yesterday')
    await page.getByRole('option').filter({ hasText: 'CPH' }).first().waitFor()
    await press('Enter')

    await page.getByText('CPH to JFK saved').waitFor()
    await page.getByText('1 flight between 2 airports in 2 countries', { exact: false }).waitFor()
    await requireArc(page, /^Copenhagen – New York/)
  })

  journey('At 200 % zoom the fields stay visible, and the lists inside the window', async ({ app, open }) => {
    const ada = await app.person()
    const page = await open('/flights/new', { as: ada, viewport: { width: 640, height: 400 } })
    await pick(page, 'From', 'CPH', 'CPH')
    await page
      .locator(':focus')
      .and(page.getByLabel('To', { exact: true }))
      .waitFor()
    await page.keyboard.type('jfk')
    const list = page.getByRole('listbox', { name: 'To' })
    await list.getByRole('option').first().waitFor()
    const box = await list.boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= 640, JSON.stringify(box))
    await page.keyboard.press('Enter')
    for (const name of ['Date', 'Departure time', 'Registration', 'Note']) {
      await page.getByLabel(name, { exact: true }).focus()
      assert.ok(await page.evaluate(isUncovered), `${name} is in sight`)
    }
  })

  journey('JavaScript of the first screen stays within its budget', async ({ app, open }) => {
    const scripts = new Set<string>()
    const ada = await app.person()
    const page = await open('/nowhere', { as: ada })
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.endsWith('.js')) scripts.add(pathname)
    })
    await page.addInitScript(notAhead)
    await page.goto('/', { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: /^Type one line/ }).waitFor()
    assert.ok(scripts.size > 3, 'the scripts were seen')
    const dist = join(import.meta.dirname, '../../web/dist')
    const sizes = [...scripts].map((path) => gzipSync(readFileSync(join(dist, path))).byteLength)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    assert.ok(total <= FIRST_SCREEN_BYTES, `${total} bytes of JavaScript for the first screen`)
  })
})

journeys('the first flight', 'postgres', ({ journey }) => {
  journey('Set-up, a flight and its arc work on a phone', async ({ open }) => {
    const page = await open('/flights', { device: 'phone', colorScheme: 'dark' })
    await heading(page, 'Welcome to Contrail').waitFor()
    // Only an empty server shows it, so it is not among the screens.
    await requireAccessible(page, 'set-up')
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).tap()
    await page.getByRole('button', { name: /^Type one line/ }).tap()
    await page.getByRole('button', { name: 'Full form' }).tap()
    await heading(page, 'Add flight').waitFor()
    await pick(page, 'From', 'HEL', 'HEL')
    await pick(page, 'To', 'narita', 'NRT')
    await page.getByRole('button', { name: 'Yesterday' }).tap()
    await page.getByRole('button', { name: 'Save flight' }).tap()
    await page.getByText('1 flight between 2 airports in 2 countries', { exact: false }).waitFor()
    await requireArc(page, /^Helsinki – Tokyo/)
    await page.getByRole('link', { name: 'Flights', exact: true }).tap()
    await page.getByRole('row').filter({ hasText: 'HEL' }).waitFor()
  })
})

/** Finds the arc by moving the pointer along the middle of the map; its tooltip names the flight. */
async function requireArc(page: Page, route: RegExp): Promise<void> {
  const map = page.getByRole('application', { name: 'Map of your flights' })
  const box = (await map.boundingBox())!
  const x = box.x + box.width / 2
  const y = await until('the pointer finds the arc', async () => {
    for (let at = box.y + box.height * 0.2; at < box.y + box.height * 0.8; at += 8) {
      await page.mouse.move(x, at)
      if ((await map.getAttribute('class'))?.includes('pointing')) return at
    }
  })
  await page.mouse.click(x, y)
  await page.getByRole('complementary', { name: route }).waitFor()
}

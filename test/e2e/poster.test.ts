// A poster of one's flights: chosen in a dialog with a preview, saved for printing.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { TestApp } from '../harness.ts'
import { devices, journeys, overflowOf, resize } from './browser.ts'

async function withDemo(app: TestApp) {
  const ada = await app.person()
  const reply = await app.request('POST', '/app/api/demo', { cookie: await ada.session() })
  assert.ok(reply.status < 300, reply.text)
  return ada
}

async function openPoster(page: Page) {
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /^Poster/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Poster' })
  await dialog.getByRole('img', { name: /^Preview of the poster: The world from/ }).waitFor()
  return dialog
}

async function saved(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name }).click(),
  ])
  return readFileSync(await download.path())
}

journeys('a poster', 'sqlite', ({ journey }) => {
  journey('Statistics and the year in review lead to a poster', async ({ app, open }) => {
    const page = await open('/stats', { as: await withDemo(app), device: 'phone' })
    const dialog = page.getByRole('dialog', { name: 'Poster' })
    await page.getByRole('button', { name: 'Make a poster' }).click()
    await dialog.getByRole('img', { name: /^Preview of the poster: The world from/ }).waitFor()
    assert.deepEqual(await overflowOf(page), [])
    await dialog.getByLabel('From year').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await resize(page, devices.desktop.viewport)
    await page.getByRole('link', { name: 'Year in review' }).click()
    await page.getByRole('button', { name: 'Make a poster' }).click()
    await dialog.getByRole('img', { name: /^Preview of the poster: The world from/ }).waitFor()
    assert.equal(await dialog.getByLabel('From year').count(), 0, 'there is only that year')
  })

  journey(
    'A poster is saved as a picture and as a drawing in paper size, and its options fit a phone',
    async ({ app, open }) => {
      const page = await open('/?time=years', { as: await withDemo(app) })
      const dialog = await openPoster(page)
      await resize(page, devices.phone.viewport)
      assert.deepEqual(await overflowOf(page), [])
      assert.equal((await dialog.boundingBox())!.width, page.viewportSize()!.width)
      await dialog.getByRole('radio', { name: 'Night' }).check()
      await dialog.getByRole('combobox', { name: 'Centre' }).fill('SYD')
      await dialog.getByRole('option', { name: /Sydney Kingsford/ }).click()
      await dialog.getByRole('img', { name: 'Preview of the poster: The world from Sydney' }).waitFor()

      await resize(page, devices.desktop.viewport)
      await dialog.getByText('3,508 × 4,961 pixels').waitFor()
      const png = await saved(page, 'Save PNG')
      assert.equal(png.subarray(1, 4).toString(), 'PNG')
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [3508, 4961])
      assert.deepEqual([png.subarray(37, 41).toString(), png.readUInt32BE(41)], ['pHYs', 11_811], '300 dpi')

      await dialog.getByRole('radio', { name: 'Atlas' }).check()
      await dialog.getByRole('radio', { name: 'A4' }).check()
      await dialog.getByLabel('Title').fill('Twenty years & more')
      await dialog.getByLabel('3 mm bleed').check()
      await dialog.getByText('3,578 × 2,551 pixels').waitFor()
      const svg = (await saved(page, 'Save SVG')).toString()
      assert.match(svg, /^<svg [^>]*width="303\.0mm" height="216\.0mm"/)
      assert.match(svg, />Twenty years &amp; more<\/text>/)
      assert.doesNotMatch(svg, /NaN|Infinity|undefined|https?:\/\/(?!www\.w3\.org)/)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    },
  )
})

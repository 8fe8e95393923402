// The globe of the map page: a search turns it, a first flight is an arc over it, and its zoom is limited by its shapes.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { insertFlights } from '../../bench/data.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { journeys, resize } from './browser.ts'

async function logRoutes(app: TestApp, ...routes: string[]): Promise<TestPerson> {
  const ada = await app.person()
  for (const [i, route] of routes.entries()) {
    const [from, to] = await Promise.all(route.split('-').map((code) => app.airportId(code)))
    await logFlight(app, ada, { date: `2026-02-0${i + 1}`, fromId: from, toId: to })
  }
  return ada
}

const mapOf = (page: Page) => page.getByRole('application', { name: 'Map of your flights' })

interface Spot {
  x: number
  y: number
}

/** A point on this line where the pointer finds something, in pixels of the page. */
async function pointAlong(page: Page, from: Spot, to: Spot): Promise<Spot[]> {
  const found: Spot[] = []
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 6)
  for (let i = 0; i <= steps; i++) {
    const at = { x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps }
    await page.mouse.move(at.x, at.y)
    if ((await mapOf(page).getAttribute('class'))?.includes('pointing')) found.push(at)
  }
  return found
}

interface Box extends Spot {
  width: number
  height: number
}

/** All of them are within this width, and none overlaps another. */
function requireApart(boxes: Box[], width: number): void {
  for (const [i, box] of boxes.entries()) {
    assert.ok(box.x >= 0 && box.x + box.width <= width, `part ${i} at ${width} pixels`)
    for (const [j, other] of boxes.slice(i + 1).entries()) {
      const isBeside = box.x + box.width <= other.x || other.x + other.width <= box.x
      const isAbove = box.y + box.height <= other.y || other.y + other.height <= box.y
      assert.ok(isBeside || isAbove, `parts ${i} and ${i + 1 + j} at ${width} pixels`)
    }
  }
}

/** The mean brightness of the parts of the map, in rows. */
const partsOfMap = `(() => {
  const { width, height } = document.querySelector('[role=application] canvas')
  const probe = Object.assign(document.createElement('canvas'), { width: 32, height: 20 }).getContext('2d')
  probe.drawImage(document.querySelector('[role=application] canvas'), 0, 0, width, height, 0, 0, 32, 20)
  const { data } = probe.getImageData(0, 0, 32, 20)
  return Array.from({ length: 640 }, (_, i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2])
})()`

/** How much two maps differ, as a share of one colour. */
async function difference(a: Page, b: Page): Promise<number> {
  const [one, other] = await Promise.all([a.evaluate<number[]>(partsOfMap), b.evaluate<number[]>(partsOfMap)])
  return Math.max(...one.map((value, i) => Math.abs(value - other[i]!))) / 3
}

journeys('the globe', 'sqlite', ({ everyday, journey }) => {
  journey(
    'Search, people, view, time and export fit next to each other on a phone',
    async ({ app, open }) => {
      const ada = await app.person('owner')
      const [fromId, toId] = await Promise.all(['CPH', 'LHR'].map((code) => app.airportId(code)))
      await logFlight(app, ada, { date: '2026-02-01', fromId, toId })
      await app.person()
      const page = await open('/?time=years', { as: ada, device: 'phone' })
      const parts = [
        page.getByLabel('Search flights'),
        page.getByRole('button', { name: /^Filter/ }),
        page.getByRole('button', { name: /^Whose flights: / }),
        page.locator('.kind'),
        page.getByRole('button', { name: 'Time', exact: true }),
        page.getByRole('button', { name: 'Export' }),
      ]
      for (const part of parts) await part.waitFor()
      for (const width of [320, 390]) {
        await resize(page, { width, height: 740 })
        // All in one frame: content that appears above them, such as the bar about backups, moves them.
        const elements = await Promise.all(parts.map((part) => part.elementHandle()))
        const boxes = await page.evaluate(
          (shown) => shown.map((element) => element!.getBoundingClientRect().toJSON() as Box),
          elements,
        )
        requireApart(boxes, width)
      }
    },
  )

  everyday('A search turns the globe to an airport, with and without flights', async ({ app, open }) => {
    const ada = await logRoutes(app, 'CPH-SYD', 'CPH-LHR', 'CPH-JFK', 'LHR-CPH')
    const page = await open('/', { as: ada })
    await page.getByText('4 flights between 4 airports', { exact: false }).waitFor()
    const box = (await mapOf(page).boundingBox())!
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const inTheMiddle = () =>
      pointAlong(page, { ...middle, y: middle.y - 90 }, { ...middle, y: middle.y + 90 })
    await page.getByLabel('Search flights').fill('cpt')
    await page.getByText('CPT, Cape Town').waitFor({ state: 'attached' })
    await until('an airport without flights is in the middle', async () => (await inTheMiddle())[0])
    await page.getByLabel('Search flights').fill('syd')
    await page.getByText('1 flight between 2 airports', { exact: false }).waitFor()
    await page.getByText('SYD, Sydney').waitFor({ state: 'attached' })
    const found = await until('the found airport is in the middle', async () => (await inTheMiddle()).at(-1))
    await page.mouse.click(found.x, found.y)
    await page.getByRole('complementary', { name: /Sydney/ }).waitFor()
    await page.getByLabel('Search flights').fill('')
    await page.getByText('4 flights between 4 airports', { exact: false }).waitFor()
  })

  journey('A first flight is an arc on the whole globe, and its zoom is limited', async ({ app, open }) => {
    const ada = await logRoutes(app, 'FRA-SIN')
    const page = await open('/', { as: ada })
    await page.getByText('1 flight between 2 airports', { exact: false }).waitFor()
    const box = (await mapOf(page).boundingBox())!
    const at = (x: number, y: number) => ({ x: box.x + box.width * x, y: box.y + box.height * y })
    const find = async () => (await pointAlong(page, at(0.5, 0.1), at(0.5, 0.7)))[0]
    const arc = await until('the arc is drawn', find)
    await page.mouse.click(arc.x, arc.y)
    const panel = page.getByRole('complementary', { name: /^Frankfurt.* – Singapore/ })
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    for (let i = 0; i < 12; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
    await mapOf(page).focus()
    await page.keyboard.press('0')
    await until('all of it is shown again', async () => (await find())?.y === arc.y)
  })

  journey('Many routes look the same drawn by a worker and by the page', async ({ app, open }) => {
    const ada = await app.person()
    await insertFlights(app.store, 600, ada.id)
    const visit = { as: ada, serviceWorkers: 'block' } as const
    const page = await open('/', visit)
    await page.getByText('600 flights between', { exact: false }).waitFor()
    const without = await open('/robots.txt', visit)
    let isReplaced = false
    await without.context().route('**/worker-*.js', async (route) => {
      const response = await route.fetch()
      isReplaced = true
      await route.fulfill({ response, body: `delete self.OffscreenCanvas;${await response.text()}` })
    })
    await without.goto('/')
    await without.getByText('600 flights between', { exact: false }).waitFor()
    await until('a worker has no canvas', () => isReplaced)
    await until('both maps are the same', async () => (await difference(page, without)) <= 6)
    // Two empty maps are equal too: this one has content.
    await page.getByRole('radio', { name: 'Flat' }).check()
    await until('a flat map is another', async () => (await difference(page, without)) > 12)
    await without.getByRole('radio', { name: 'Flat' }).check()
    await until('both flat maps are the same', async () => (await difference(page, without)) <= 6)
  })
})

// The list of flights: dense or roomy rows, years that stay visible, journeys as blocks, the rail, keys, paper.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { insertFlights } from '../../bench/data.ts'
import { dateOf } from '../../bench/fill.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { devices, heading, journeys, jumpTo, overflowOf, resize, twoFrames } from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { follow } from './screens.ts'

const rowOf = (page: Page, index: number) => page.locator(`[data-index="${index}"]`)
const focusedRow = (page: Page, index: number) => page.locator(`[data-index="${index}"]:focus`).waitFor()
const stuck = (page: Page) => page.locator('.stuck .title')
const rail = (page: Page) => page.getByRole('slider', { name: 'Jump to year' })
/** The list may be about to be laid out again. */
const heightIs = (row: Locator, height: number) =>
  until(
    `a row is ${height} pixels high`,
    async () => Math.round((await row.boundingBox())?.height ?? 0) === height,
  )
/** Codes of the rows that exist, from the top. */
const routes = async (page: Page) => {
  const codes = await page.locator('[data-index] .codes').allTextContents()
  return codes.map((text) => text.replaceAll(/\s+/g, ''))
}

journeys('the list', 'sqlite', ({ journey }) => {
  journey(
    'The list shows journeys as blocks in each order, works by keyboard and survives a failed refresh',
    async ({ app, open }) => {
      const page = await open('/flights?q=nowhere&year=2019', { as: await traveller(app) })
      await clearNoMatch(page)
      await requireBlocks(page)
      await turnBlocks(page)
      await walkByKeys(page)
      await changeDensityByKeys(page)
      await failRefresh(page)
      await selectByKeys(page)
    },
  )

  journey(
    'No text of a row is cut or overlaps, in each language, with wide spacing, narrow, and with people',
    async ({ app, open }) => {
      const ada = await app.person()
      const [cph, osl, muc, nrt] = await airportIds(app, 'CPH', 'OSL', 'MUC', 'NRT')
      const bo = await app.person()
      await logFlight(app, ada, {
        ...{ date: '2099-03-01', fromId: cph, toId: osl, flightNumber: 'SK1466' },
        ...{ departure: '2099-03-01T10:00:00Z', arrival: '2099-03-01T11:10:00Z' },
        passengers: [{ userId: ada.id }, { userId: bo.id }, { guestName: 'Zoe Krogh' }],
      })
      const departure = '2099-09-18T22:30:00+02:00'
      const late = { date: '2099-09-18', fromId: muc, toId: nrt, flightNumber: 'LH714', departure }
      await logFlight(app, ada, late)
      await logFlight(app, ada, { date: '2099-03-14', fromId: cph, toId: muc, flightNumber: 'SK1665' })
      const page = await open('/flights', { as: ada, locale: 'en-US' })
      await requireTravellers(page)
      for (const language of ['Deutsch', 'English', 'Français']) {
        await speak(page, language)
        await heightIs(rowOf(page, 0), 36)
        await requireRoom(page, `${language} dense`)
        await rowOf(page, 0).press('d')
        await heightIs(rowOf(page, 0), 56)
        await requireRoom(page, `${language} roomy`)
        await rowOf(page, 0).press('d')
      }
    },
  )
})

/** The searched text is shown. */
async function clearNoMatch(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'No matching flights' }).waitFor()
  await page.getByText('nowhere · 2019').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Clear all' }).last().click()
  await rowOf(page, 0).waitFor()
}

const block = (page: Page) => page.getByRole('heading', { level: 3, name: 'Copenhagen to Singapore' })

async function requireBlocks(page: Page): Promise<void> {
  const first = ['CPH–JFK', 'SIN–FRA', 'FRA–CPH', 'CPH–FRA', 'FRA–SIN', 'OSL–CPH']
  assert.deepEqual((await routes(page)).slice(0, 6), first)
  await block(page).waitFor()
  await page.getByText('17 h', { exact: true }).first().waitFor()
  await page.getByText('3 h 53 min in Frankfurt', { exact: true }).waitFor()
  await page.getByRole('heading', { level: 2, name: 'Upcoming' }).waitFor()
  // By sign and words, not only by colour.
  const cell = (route: string) => page.getByRole('row').filter({ hasText: route }).locator('.delay').first()
  assert.match((await cell('Frankfurt to Singapore').textContent())!, /\+23\smin.*23\smin late/)
  assert.match((await cell('Singapore to Frankfurt').textContent())!, /−4\smin.*4\smin early/)
  assert.match((await cell('Frankfurt to Copenhagen').textContent())!, /on time/)
}

/** Blocks keep their travel order, whatever the list's order. */
async function turnBlocks(page: Page): Promise<void> {
  await choose(page, 'Oldest first')
  await page.getByRole('heading', { level: 2, name: '2024' }).waitFor()
  const turned = await routes(page)
  assert.ok(turned.indexOf('CPH–FRA') < turned.indexOf('SIN–FRA'), 'the outward journey comes first')
  assert.equal(turned.indexOf('FRA–SIN'), turned.indexOf('CPH–FRA') + 1, 'legs stay in travel order')
  await choose(page, 'By distance')
  await block(page).waitFor({ state: 'detached' })
  assert.equal((await routes(page))[0], 'SIN–FRA')
  await rowOf(page, 0).getByText('part of Singapore to Copenhagen').waitFor()
  assert.equal(await rail(page).count(), 0)
  await choose(page, 'By delay')
  await rowOf(page, 0)
    .filter({ hasText: /\+1\sh\s48.*1\sh\s48\smin late/ })
    .waitFor()
  await choose(page, 'Newest first')
  await block(page).waitFor()
}

async function walkByKeys(page: Page): Promise<void> {
  const { press, tabToSelector } = keyboardOf(page)
  await tabToSelector('[data-index]')
  await press('ArrowDown', 'ArrowDown')
  await focusedRow(page, 2)
  await press('[')
  await focusedRow(page, 1)
  await press(']')
  await focusedRow(page, 7)
  await press('PageDown')
  await focusedRow(page, 8)
  await press('Home')
  await focusedRow(page, 0)
}

/** By a key and by the switch; a reload keeps it. */
async function changeDensityByKeys(page: Page): Promise<void> {
  const { press, tabTo } = keyboardOf(page)
  await heightIs(rowOf(page, 0), 36)
  await requireColumns(page, 'dense')
  await press('d')
  await page.getByRole('radio', { name: 'Comfortable' }).and(page.locator(':checked')).waitFor()
  await focusedRow(page, 0)
  await heightIs(rowOf(page, 0), 56)
  await requireColumns(page, 'roomy')
  await page.reload()
  await rowOf(page, 0).waitFor()
  await heightIs(rowOf(page, 0), 56)
  await tabTo('Comfortable')
  await press('ArrowRight')
  await page.getByRole('radio', { name: 'Dense' }).and(page.locator(':checked')).waitFor()
  await heightIs(rowOf(page, 0), 36)
}

/** Every cell is in a column with a name. */
async function requireColumns(page: Page, density: string): Promise<void> {
  const { unnamed, names, spans } = await page.evaluate<Columns>(columnsRead)
  assert.deepEqual(unnamed, [], density)
  assert.deepEqual(names.slice(0, 3), ['2 Date', '3 Route', '4 Local times'])
  assert.deepEqual([...new Set(spans)], ['11'], 'headings are as wide as the grid')
}

/** The rows stay. */
async function failRefresh(page: Page): Promise<void> {
  await page.route('**/app/api/log?**', (route) => route.fulfill({ status: 429, body: '{}' }))
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await page.getByText('Showing the last loaded flights.').waitFor()
  await rowOf(page, 0).waitFor()
  await page.unroute('**/app/api/log?**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Showing the last loaded flights.').waitFor({ state: 'detached' })
}

/** Nothing moves; Enter opens the flight. */
async function selectByKeys(page: Page): Promise<void> {
  const { press, tabToSelector } = keyboardOf(page)
  await tabToSelector('[data-index]')
  const date = rowOf(page, 2).locator('.date')
  const before = await date.boundingBox()
  await press('x', 'ArrowDown', 'x')
  await page.getByText('2 selected').waitFor()
  assert.deepEqual(await date.boundingBox(), before, 'nothing moves when selecting')
  const box = (await rowOf(page, 2).getByRole('checkbox').boundingBox())!
  assert.ok(box.x + box.width <= before!.x, 'the box is in front of the date')
  await press('x')
  await page.getByText('1 selected').waitFor()
  await press('Enter')
  await heading(page, /SIN/).waitFor()
}

/** The people on board are in the first row, also in a narrow one. */
async function requireTravellers(page: Page): Promise<void> {
  const guest = rowOf(page, 0).getByTitle('Zoe Krogh')
  await guest.waitFor()
  assert.equal(await guest.textContent(), 'Z')
  await rowOf(page, 0)
    .getByText(/, Zoe Krogh$/)
    .waitFor({ state: 'attached' })
  for (const width of [390, 320, 1280]) {
    await resize(page, { width, height: 800 })
    assert.deepEqual(await overflowOf(page), [])
    assert.ok(await page.evaluate(isNumberWhole), `the number is whole at ${width}`)
  }
}

/** Through the account menu, whatever its name in the previous language. */
async function speak(page: Page, language: string): Promise<void> {
  await page.locator('button:has(.initials)').click()
  const item = page.getByRole('menuitem', { name: language })
  const code = await item.getAttribute('lang')
  await item.click()
  // Its words are loaded then.
  await page.locator(`html[lang^="${code}"]`).waitFor()
  await rowOf(page, 0).waitFor()
}

async function requireRoom(page: Page, how: string): Promise<void> {
  await twoFrames(page)
  assert.deepEqual(await page.evaluate(touchingTexts), [], how)
  assert.deepEqual(await overflowOf(page), [], how)
  await page.evaluate(spaceOut)
  await twoFrames(page)
  assert.deepEqual(await page.evaluate(touchingTexts), [], `${how}, spaced out`)
  assert.deepEqual(await overflowOf(page), [], `${how}, spaced out`)
  await page.evaluate('document.adoptedStyleSheets.pop()')
}

journeys('a long list', 'sqlite', ({ everyday, journey }) => {
  everyday('The long list scrolls to a year, and finds, filters and sorts flights', async ({ app, open }) => {
    const page = await open('/flights', { as: await manyYears(app) })
    const rows = page.getByRole('row')
    await page.getByText(ALL_FLIGHTS).waitFor()
    await jumpTo(page, 1996)
    await rows
      .filter({ hasText: /\b1996\b/ })
      .first()
      .waitFor()
    const number = /SK\d+/.exec((await page.locator('[data-index] .number').first().textContent())!)![0]
    await page.getByLabel('Search flights').fill(number)
    await page.getByText(/^\d+ of 1,500 flights/).waitFor()
    await rows.filter({ hasText: number }).first().waitFor()
    await page.getByLabel('Search flights').press('Escape')
    await page.getByText(ALL_FLIGHTS).waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('From date', { exact: true }).fill('2000-01-01')
    await panel.getByLabel('To date', { exact: true }).fill('2000-12-31')
    await panel.getByLabel('To date', { exact: true }).blur()
    await panel.getByRole('button', { name: /^Show \d+ flights$/ }).click()
    await panel.waitFor({ state: 'hidden' })
    await rows
      .filter({ hasText: /\b2000\b/ })
      .first()
      .waitFor()
    assert.equal(await rows.filter({ hasText: /\b(1999|2001)\b/ }).count(), 0)
    const newest = await rowOf(page, 0).textContent()
    await choose(page, 'Oldest first')
    await until('another flight comes first', async () => (await rowOf(page, 0).textContent()) !== newest)
  })

  journey(
    'The year stays visible in a long list by the rail, scrolled and offline; a printout is complete',
    async ({ app, open }) => {
      const page = await open('/flights', { as: await manyYears(app) })
      await rowOf(page, 0).waitFor()
      await moveRailByKeys(page)
      await moveRailByMouse(page)
      await requireYearInSight(page)
      await requirePaper(page)
      await requireYearBelowNote(page)
    },
  )

  journey(
    'On a phone rows are selected by a long press, and the years are dragged and stay visible',
    async ({ app, open }) => {
      const page = await open('/flights', { as: await manyYears(app), device: 'phone' })
      await rowOf(page, 1).waitFor()
      await heightIs(rowOf(page, 1), 76)
      await rowOf(page, 1).locator('.cities').waitFor()
      await requireColumns(page, 'roomy')
      await requireYearInSight(page)
      const box = (await rail(page).boundingBox())!
      assert.ok(box.width >= 44, 'wide enough for a thumb')
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height - 4)
      await stuck(page).getByText('1966').waitFor()
      const row = page.locator('[data-index]').nth(12)
      await holdRow(page, row)
      await page.getByRole('button', { name: 'Dense' }).tap()
      await page.getByRole('button', { name: 'Comfortable' }).waitFor()
      await heightIs(row, 56)
      await requireColumns(page, 'dense')
    },
  )
})

async function moveRailByKeys(page: Page): Promise<void> {
  const { press, tabTo } = keyboardOf(page)
  await tabTo('Jump to year')
  await press('End')
  await stuck(page).getByText('1966').waitFor()
  assert.match((await rail(page).getAttribute('aria-valuetext'))!, /^1966: \d+ flights$/)
  await press('ArrowUp')
  await stuck(page).getByText('1967').waitFor()
}

async function moveRailByMouse(page: Page): Promise<void> {
  const year = (await rail(page).locator('[data-year="2000"]').boundingBox())!
  await page.mouse.click(year.x + 20, year.y + year.height / 2)
  await stuck(page).getByText('2000').waitFor()

  const other = (await rail(page).locator('[data-year="1990"]').boundingBox())!
  await page.mouse.move(year.x + 20, year.y + year.height / 2)
  await page.mouse.down()
  await page.mouse.move(other.x + 20, other.y + other.height / 2, { steps: 5 })
  await page.getByText(/^1990: \d+ flights$/).waitFor()
  await stuck(page).getByText('1990').waitFor()
  await page.mouse.up()
  await page.locator('.bubble').waitFor({ state: 'detached' })
  await stuck(page).getByText('1990').waitFor()
}

/** At every position of the list, and nothing shows behind it. */
async function requireYearInSight(page: Page): Promise<void> {
  for (const y of [500, 12_345, 30_001]) {
    await page.evaluate(`scrollTo(0, ${y})`)
    await twoFrames(page)
    const seen = await page.evaluate<InSight>(inSight)
    assert.equal(seen.fromTop, 0)
    assert.ok(seen.isCovered, 'the heading covers the whole width')
    assert.ok(seen.first !== null, 'this place was chosen in the middle of a year')
    assert.equal(seen.year, dateOf(seen.first).slice(0, 4))
  }
  assert.ok((await page.getByRole('row').count()) <= 3 * Math.ceil(844 / 36), 'at most three screens of rows')
}

/** The whole filtered list. Of a very long one: web/src/flights/list/PrintedList.test.ts. */
async function requirePaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const table = page.getByRole('table')
  await table.waitFor()
  assert.equal(await table.locator('td:first-child').count(), YEARS_OF_FLIGHTS)
  assert.equal(await page.getByRole('navigation').count(), 0)
  assert.equal(await page.getByRole('grid').count(), 0)
  const ink = await page.evaluate("getComputedStyle(document.querySelector('h1')).color")
  assert.equal(ink, 'rgb(0, 0, 0)', 'dark ink, also of a dark screen')
  await page.emulateMedia({ media: 'screen' })
  await table.waitFor({ state: 'detached' })
  await follow(page, '/trips')
  await follow(page, '/flights?year=2000')
  await rowOf(page, 0).waitFor()
  const shown = await page.locator('[data-index]').count()
  await page.emulateMedia({ media: 'print' })
  await table.waitFor()
  assert.equal(await table.locator('td:first-child').count(), shown)
  await page.emulateMedia({ media: 'screen' })
  await table.waitFor({ state: 'detached' })
  await page.getByRole('main').getByRole('button', { name: 'Clear all' }).first().click()
  await page.getByText(ALL_FLIGHTS).waitFor()
}

/** The message about the network does not cover the year. */
async function requireYearBelowNote(page: Page): Promise<void> {
  await page.context().setOffline(true)
  const note = page.getByText(/^You are offline/)
  await note.waitFor()
  await rowOf(page, 0).press('End')
  await rowOf(page, YEARS_OF_FLIGHTS - 1).waitFor()
  // The height of the message is known when it was measured.
  await until('the year is right below the message', async () => {
    const [bar, year] = [await note.boundingBox(), await page.locator('.stuck').boundingBox()]
    return bar!.y === 0 && Math.abs(year!.y - bar!.height) < 0.1
  })
}

async function holdRow(page: Page, row: Locator): Promise<void> {
  const date = row.locator('.date')
  const before = await date.boundingBox()
  const pointer = { pointerType: 'touch', bubbles: true, button: 0, pointerId: 7 }
  await row.locator('.flight').dispatchEvent('pointerdown', pointer)
  await page.getByText('1 selected').waitFor()
  assert.equal((await date.boundingBox())?.x, before?.x, 'nothing moves')
  assert.equal(await rail(page).count(), 0, 'the boxes take the place of the rail')
  await page.getByRole('button', { name: 'Done' }).tap()
}

journeys('the next flight', 'sqlite', ({ journey }) => {
  journey(
    'The list and the map show the current and the next flight as time passes',
    async ({ app, open }) => {
      // 00:20 in Copenhagen, 23:20 on the day before in London.
      app.clock.set(Date.parse('2026-11-17T23:20:00Z'))
      const page = await open('/robots.txt', { as: await redEye(app), device: 'phone' })
      await page.clock.install({ time: app.clock.now() })
      await page.goto('/flights')
      await rowOf(page, 0).waitFor()
      const headings = () => page.getByRole('heading', { level: 2 }).allTextContents()
      assert.deepEqual(await headings(), ['In the air', 'Upcoming', '2026'])
      assert.deepEqual(await routes(page), ['CPH–KEF', 'LHR–JFK', 'CPH–JFK', 'CPH–OSL'])
      const next = page.getByRole('link', { name: /^Next flight/ })
      await next.getByText('In the air', { exact: true }).waitFor()
      await next.getByText('lands 02:00').waitFor()
      assert.match((await rowOf(page, 2).locator('.times').textContent())!, /12:30 – ≈about\s1[45]:\d\d/)

      app.clock.set(Date.parse('2026-11-18T02:30:00Z'))
      await page.clock.fastForward('03:10:00')
      await next.getByText('Today', { exact: true }).waitFor()
      await next.getByText('Copenhagen to Oslo').waitFor()
      await page.locator('.stuck').getByText('Upcoming').waitFor()
      await page.clock.fastForward('41:30:00')
      await next.getByText('Tomorrow 12:30').waitFor()
      await next.getByText('SK909 to New York').waitFor()
      await next.getByText(/^in 15\sh/).waitFor()

      app.clock.set(Date.parse('2026-11-19T20:00:00Z'))
      await follow(page, '/')
      await next.getByText('Tomorrow 12:30').waitFor()
      for (const viewport of Object.values(devices)
        .map((device) => device.viewport)
        .reverse()) {
        await resize(page, viewport)
        assert.deepEqual(
          await page.evaluate(coveredByCard),
          [],
          `the card covers no control, ${viewport.width}`,
        )
        assert.deepEqual(await overflowOf(page), [])
      }
      await next.click()
      await heading(page, /CPH/).waitFor()
      await page.waitForURL('**/today')
      await page.getByText('Departs in').waitFor()
      await page.getByText('estimated', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Open the flight' }).click()
      await page.getByText('Departs in').waitFor()
      await page.getByText('estimated', { exact: true }).waitFor()
      await page.getByRole('heading', { name: 'Light along the way' }).waitFor({ state: 'attached' })
    },
  )
})

/** One over the sea, one tomorrow without a time, one the day after with a departure only; and one that landed. */
async function redEye(app: TestApp): Promise<TestPerson> {
  const ada = await app.person()
  const [cph, kef, lhr, jfk, osl] = await airportIds(app, 'CPH', 'KEF', 'LHR', 'JFK', 'OSL')
  const log = (flight: Record<string, unknown>) => logFlight(app, ada, flight)
  const [departure, arrival] = ['2026-11-17T23:00:00Z', '2026-11-18T02:00:00Z']
  await log({ date: '2026-11-18', fromId: cph, toId: kef, departure, arrival })
  await log({ date: '2026-11-18', fromId: lhr, toId: jfk })
  await log({ date: '2026-11-18', fromId: cph, toId: osl })
  await log({
    date: '2026-11-20',
    fromId: cph,
    toId: jfk,
    flightNumber: 'SK909',
    departure: '2026-11-20T12:30:00+01:00',
  })
  return ada
}

/** Runs in the page: the controls that the link to the next flight overlaps. */
const coveredByCard = `(() => {
  const card = document.querySelector('a.next').getBoundingClientRect()
  const isBeside = (box) => box.width * box.height === 0 || box.right <= card.left || box.left >= card.right ||
    box.bottom <= card.top || box.top >= card.bottom
  return [...document.querySelectorAll('button, a, input')]
    .filter((one) => !one.matches('.next, .visually-hidden, .skip') && !isBeside(one.getBoundingClientRect()))
    .map((one) => one.outerHTML)
})()`

interface InSight {
  /** Below the top of the window, or below a message about the network, which may be there when the server is slow. */
  fromTop: number
  isCovered: boolean
  year: string
  /** Id of the flight; null if it is the heading of the next year. */
  first: number | null
}
/** Runs in the page: the stuck heading, whether a row shows at its height anywhere, and the first row below it. */
const inSight = `(() => {
  const bar = document.querySelector('.stuck')
  const { top, bottom } = bar.getBoundingClientRect()
  const behind = []
  for (let x = document.querySelector('main').getBoundingClientRect().left + 4; x < innerWidth - 70; x += 40)
    for (const y of [top + 2, bottom - 3])
      behind.push(document.elementFromPoint(x, y)?.closest('[data-index]') != null)
  const first = [...document.querySelectorAll('.row-place')]
    .map((row) => ({ row, box: row.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > bottom + 1)
    .sort((a, b) => a.box.top - b.box.top)[0].row
  const link = first.querySelector('a')
  return {
    fromTop: top - document.querySelector('main > .bars').getBoundingClientRect().bottom,
    isCovered: !behind.includes(true),
    year: bar.querySelector('strong').textContent,
    first: link ? Number(link.pathname.split('/').at(-1)) : null,
  }
})()`

interface Columns {
  /** Cells in a column that has no header. */
  unnamed: string[]
  names: string[]
  spans: string[]
}
/** Runs in the page. */
const columnsRead = `(() => {
  const isThere = (one) => getComputedStyle(one).display !== 'none'
  const heads = [...document.querySelectorAll('.stuck [role=columnheader]')].filter(isThere)
  const names = heads.map((head) => head.ariaColIndex + ' ' + head.textContent)
  const named = heads.map((head) => head.ariaColIndex)
  const cells = [...document.querySelectorAll('[data-index] [role=gridcell]')].filter(isThere)
  const headings = [...document.querySelectorAll('.row-place:not([data-index]) > [role=gridcell]')]
  return {
    names,
    unnamed: cells.filter((cell) => !named.includes(cell.ariaColIndex)).map((cell) => cell.className),
    spans: headings.map((cell) => cell.ariaColSpan),
  }
})()`

/** Runs in the page: WCAG 1.4.12, as applied by a reader's own style sheet. */
const spaceOut = `(() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
})()`

/** Runs in the page: texts of the rows and of the navigation that overlap others or their box. */
const touchingTexts = `(() => {
  const boxOf = (one) => {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
    const rects = []
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(text)
      if (!text.parentElement.closest('.visually-hidden')) rects.push(...range.getClientRects())
    }
    const all = (side, least) => least(...rects.map((rect) => rect[side]))
    // Some texts are cut at the end of their box.
    const end = getComputedStyle(one).overflowX === 'visible' ? Infinity : one.getBoundingClientRect().right
    const [left, right] = [all('left', Math.min), Math.min(end, all('right', Math.max))]
    return { left, right, width: right - left, top: all('top', Math.min), bottom: all('bottom', Math.max) }
  }
  const found = []
  const GAP = 4
  const parts = '.date, .codes, .cities, .times, .zone, .number, .distance, .duration, .delay'
  for (const row of document.querySelectorAll('[data-index]')) {
    const boxes = [...row.querySelectorAll(parts)]
      .map((one) => ({ one, box: boxOf(one) }))
      .filter(({ one, box }) => one.textContent.trim() !== '' && box.width > 0)
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1))
        if (a.box.left < b.box.right + GAP && b.box.left < a.box.right + GAP && a.box.top < b.box.bottom - 3 && b.box.top < a.box.bottom - 3)
          found.push(a.one.textContent + ' | ' + b.one.textContent)
  }
  for (const word of document.querySelectorAll('.rail .item span'))
    if (boxOf(word).right > document.querySelector('.rail').getBoundingClientRect().right) found.push(word.textContent)
  return found
})()`

/** Runs in the page: the flight number of the first row is not cut. */
const isNumberWhole = `(() => {
  const text = document.querySelector('[data-index="0"] .number .names > span')
  return text.textContent !== '' && text.scrollWidth <= text.clientWidth
})()`

async function choose(page: Page, order: string): Promise<void> {
  await page.getByRole('button', { name: 'List options' }).click()
  await page.getByRole('menuitemradio', { name: order }).click()
  await page.evaluate('scrollTo(0, 0)')
}

let one: Promise<TestPerson> | undefined
/** One planned flight, two journeys via Frankfurt, and a few flights of three years. */
function traveller(app: TestApp): Promise<TestPerson> {
  one ??= (async () => {
    const ada = await app.person()
    const times: [string, string, string, number | null][] = [
      ['CPH OSL', '2024-05-05T07:00:00+02:00', '2024-05-05T08:10:00+02:00', null],
      ['OSL CPH', '2024-05-08T18:00:00+02:00', '2024-05-08T19:10:00+02:00', null],
      ['CPH OSL', '2025-01-30T08:15:00+01:00', '2025-01-30T09:25:00+01:00', 31],
      ['OSL CPH', '2025-02-02T20:40:00+01:00', '2025-02-02T21:50:00+01:00', 108],
      ['CPH FRA', '2025-03-14T17:05:00+01:00', '2025-03-14T18:25:00+01:00', 0],
      ['FRA SIN', '2025-03-14T22:18:00+01:00', '2025-03-15T17:05:00+08:00', 23],
      ['SIN FRA', '2025-03-22T00:15:00+08:00', '2025-03-22T06:30:00+01:00', -4],
      ['FRA CPH', '2025-03-22T10:10:00+01:00', '2025-03-22T11:30:00+01:00', 0],
      ['CPH JFK', '2099-02-01T12:00:00+01:00', '2099-02-01T15:00:00-05:00', null],
    ]
    for (const [route, departure, arrival, late] of times) {
      const [fromId, toId] = await airportIds(app, ...route.split(' '))
      const planned = late === null ? {} : { arrivalScheduled: minutesBefore(arrival, late) }
      await logFlight(app, ada, {
        date: departure.slice(0, 10),
        fromId,
        toId,
        departure,
        arrival,
        ...planned,
      })
    }
    return ada
  })()
  return one
}

const minutesBefore = (time: string, minutes: number): string =>
  new Date(Date.parse(time) - minutes * 60_000).toISOString().replace('.000', '')

const YEARS_OF_FLIGHTS = 1500
const ALL_FLIGHTS = '1,500 flights'
let other: Promise<TestPerson> | undefined
function manyYears(app: TestApp): Promise<TestPerson> {
  other ??= app.person().then(async (ada) => {
    await insertFlights(app.store, YEARS_OF_FLIGHTS, ada.id)
    return ada
  })
  return other
}

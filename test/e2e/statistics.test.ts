// The statistics page: its first part, the lists behind its figures, and that no figure breaks across lines.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { insertFlights } from '../../bench/data.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { dayFromNow, devices, focused, heading, journeys, NOW, overflowOf, resize } from './browser.ts'
import { follow } from './screens.ts'

const year = new Date(NOW).getUTCFullYear()

/** Five flights with times, one of them late, across the equator and at night; others of last year and before. */
async function logTimes(app: TestApp, ada: TestPerson): Promise<void> {
  const [cph, fra, sin, syd] = await airportIds(app, 'CPH', 'FRA', 'SIN', 'SYD')
  const timed = (date: string, lateMinutes: number) => ({
    date,
    departureScheduled: `${date}T18:00:00Z`,
    departure: `${date}T18:00:00Z`,
    arrivalScheduled: `${date}T21:00:00Z`,
    arrival: new Date(Date.parse(`${date}T21:00:00Z`) + lateMinutes * 60_000).toISOString(),
  })
  await logFlight(app, ada, { ...timed(dayFromNow(-2), 5), fromId: cph, toId: fra })
  await logFlight(app, ada, { ...timed('2020-02-03', 95), fromId: sin, toId: syd })
  await logFlight(app, ada, { ...timed('2020-03-04', -3), fromId: fra, toId: cph })
  await logFlight(app, ada, { ...timed('2020-04-05', 2), fromId: cph, toId: fra })
  await logFlight(app, ada, { ...timed('2020-05-06', 0), fromId: fra, toId: cph })
  await logFlight(app, ada, { date: `${year - 1}-01-01`, fromId: cph, toId: fra })
}

const panel = (page: Page) => page.getByRole('dialog')

/** Run in the page: where the names of years begin and end. */
const endsOfYears = `[...document.querySelectorAll('ol[aria-label="Nach Jahr"] .name:not(.thin)')].map((name) => {
  const text = new Range()
  text.selectNodeContents(name)
  const { left, right } = text.getBoundingClientRect()
  return [left, right]
})`
/** Run in the page: the number of rankings next to each other, row by row. */
const cardsInRows = `[...Map.groupBy(document.querySelectorAll('.trio:has(.ranking) > .card'), (card) => card.offsetTop).values()].map((row) => row.length)`

journeys('statistics', 'sqlite', ({ everyday, journey }) => {
  everyday(
    'The statistics show changes and punctuality, and a figure opens its flights',
    async ({ app, open }) => {
      const ada = await app.person()
      await logTimes(app, ada)
      const page = await open('/stats', { as: ada })
      const change = page.getByRole('region', { name: new RegExp(`^${year}`) })
      await change.waitFor()
      assert.match((await change.innerText()).replaceAll(/\s+/g, ' '), /Flights 1 /)

      const years = page.getByRole('list', { name: 'By year' })
      await years.getByRole('listitem').filter({ hasText: '2021' }).waitFor()
      assert.match(await years.ariaSnapshot(), /2021: 0/)

      const onTime = page.getByRole('button', { name: 'On time: 80 %. Explain this number' })
      await onTime.focus()
      await page.keyboard.press('Enter')
      await panel(page).getByText('Computed from 5 flights whose times are known').waitFor()
      await panel(page).getByText('Not included: 1 flight whose times are not known').waitFor()
      await page.keyboard.press('Escape')
      await panel(page).waitFor({ state: 'detached' })
      await focused(onTime)

      await page.getByRole('button', { name: /^At night: \d+ %\. Explain this number$/ }).waitFor()
      await page.getByRole('heading', { name: 'Badges' }).waitFor()
      const equator = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: 'Equator' }) })
      await equator.getByText('Crossed once').waitFor()
      await equator.getByRole('link', { name: /^SIN → SYD/ }).waitFor()
      await page.getByRole('link', { name: /^Late 20 % 1/ }).press('Enter')
      await heading(page, 'Flights').waitFor()
      await page.getByText('1 of 6 flights').waitFor()
      assert.match(page.url(), /arrival=late/)
    },
  )

  journey('Large text fits the window, and a printout has no controls', async ({ app, open }) => {
    const ada = await app.person()
    await insertFlights(app.store, 300, ada.id)
    const page = await open('/stats', { as: ada, locale: 'fr-FR' })
    await page.locator('#year-change').waitFor()
    await page.evaluate("document.documentElement.style.fontSize = '24px'")
    assert.deepEqual(await overflowOf(page), [])
    assert.equal(await page.getByRole('searchbox').count(), 1)
    assert.equal(await page.getByRole('group', { name: 'Afficher par' }).count(), 2)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByRole('group', { name: 'Afficher par' }).count(), 0)
    assert.equal(await page.getByRole('searchbox').count(), 0)
  })

  journey(
    'Figures, years and continents fit a phone, and no card is alone in its row',
    async ({ app, open }) => {
      const ada = await app.person()
      const [cph, ...others] = await airportIds(app, 'CPH', 'NRT', 'JNB', 'YYZ', 'GRU', 'SYD')
      for (let since = 0; since < 24; since++) {
        const [date, toId] = [`${year - 1 - since}-05-05`, others[since % others.length]]
        await logFlight(app, ada, { date, fromId: cph, toId, aircraftReg: 'OY-KBO' })
      }
      const viewport = { width: 320, height: 640 }
      const phone = await open('/stats', { as: ada, device: 'phone', viewport, locale: 'de-DE' })
      await phone.getByRole('heading', { name: 'Abzeichen' }).waitFor()
      // None of them has times: the records are estimates, and are marked so.
      const records = phone.locator('section.card', { has: phone.getByRole('heading', { name: 'Rekorde' }) })
      await records.getByText('von 24 Flügen', { exact: true }).waitFor()
      await records.getByRole('link', { name: /^Längste Flugdauer ≈ \d+ h/ }).waitFor()
      await phone.getByText('In der Luft: bei 24 von 24 Flügen').waitFor()
      const years = await phone.evaluate<[number, number][]>(endsOfYears)
      assert.ok(
        years.length > 3 && years.every(([start], i) => start >= (years[i - 1]?.[1] ?? 0)),
        `${years}`,
      )
      const table = phone.getByRole('group', { name: 'Zwischen Kontinenten' })
      assert.equal(await table.evaluate((group) => group.scrollWidth - group.clientWidth), 0)
      assert.equal(await table.getByRole('columnheader').count(), 6)
      assert.deepEqual(await overflowOf(phone), [])
      assert.deepEqual(await brokenFigures(phone), [])
      await follow(phone, '/')
      await phone.locator('.counters').waitFor()
      assert.deepEqual(await brokenFigures(phone), [])
      await phone.evaluate(
        "document.querySelector('dd.num').style.cssText = 'width: 1ch; overflow-wrap: anywhere; white-space: normal'",
      )
      assert.equal((await brokenFigures(phone)).length, 1, 'a broken one is noticed')

      await resize(phone, devices.desktop.viewport)
      await follow(phone, '/stats')
      await phone.getByRole('heading', { name: 'Abzeichen' }).waitFor()
      assert.deepEqual(await phone.evaluate(cardsInRows), [2, 2])
    },
  )

  journey(
    'On a phone one row holds the title and every control, and the first figure follows',
    async (given) => {
      const { app, open } = given
      const ada = await app.person('role-administrator')
      await app.person()
      const [cph, fra] = await airportIds(app, 'CPH', 'FRA')
      for (const date of [`${year - 1}-05-05`, `${year}-01-05`])
        await logFlight(app, ada, { date, fromId: cph, toId: fra })
      for (const [width, locale] of [
        [390, 'en-GB'],
        [320, 'en-GB'],
        [320, 'de-DE'],
        [320, 'fr-FR'],
      ] as const) {
        const viewport = { width, height: 700 }
        const phone = await open('/stats', { as: ada, device: 'phone', viewport, locale })
        await phone.locator('.beside').getByRole('button').nth(2).waitFor()
        const rows = await phone.evaluate<number[]>(middlesAboveFigures)
        assert.equal(rows.length, 4, `${locale} at ${width}: title, people, filter, more`)
        assert.ok(Math.max(...rows) - Math.min(...rows) < 4, `${locale} at ${width}: ${rows}`)
        assert.equal(await phone.getByRole('searchbox').count(), 0)
        await phone.context().close()
      }

      // The search is among the filters, and stays in sight while it applies.
      const phone = await open('/stats?q=nowhere', { as: ada, device: 'phone' })
      await phone.getByRole('button', { name: 'Filter', exact: false }).first().waitFor()
      await phone.getByRole('button', { name: 'Remove filter: nowhere' }).click()
      await phone.getByRole('button', { name: /^Filter/ }).click()
      const filters = phone.getByRole('dialog', { name: 'Filters' })
      await filters.getByLabel('Search flights').fill('frankfurt')
      await filters.getByRole('button', { name: 'Show 2 flights' }).click()
      await phone.getByRole('button', { name: 'Remove filter: frankfurt' }).waitFor()
      await phone.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
      await phone.getByRole('menuitem', { name: 'Year in review' }).waitFor()
      await phone.getByRole('menuitem', { name: 'Compare' }).click()
      await heading(phone, 'Compare two people').waitFor()
    },
  )

  journey(
    'The first year has no change and no punctuality, and a year in review is complete',
    async ({ app, open }) => {
      const ada = await app.person()
      const [cph, fra] = await airportIds(app, 'CPH', 'FRA')
      await logFlight(app, ada, { date: dayFromNow(-3), fromId: cph, toId: fra })
      const page = await open('/stats', { as: ada })
      await page.getByRole('heading', { name: 'Badges' }).waitFor()
      assert.equal(await page.getByRole('region', { name: new RegExp(`^${year}`) }).count(), 0)
      for (const name of ['En route', 'Records', 'First times and records'])
        assert.equal(await page.getByRole('heading', { name }).count(), 0, name)
      assert.equal(await page.getByRole('button', { name: /^Average flight/ }).count(), 0)
      await page.getByText('Every day of the last twelve months').waitFor()
      await reviewYear(app, ada, page)
    },
  )
})

/** Figures that take more than one line. */
const brokenFigures = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('dd.num, td.num, .value.num, .figure.num')]
    .filter((figure) => {
      const range = document.createRange()
      range.selectNodeContents(figure)
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => Math.round(bottom / 12)))
      const size = parseFloat(getComputedStyle(figure).lineHeight) || 20
      return figure.getBoundingClientRect().height > 1.9 * size && lines.size > 1
    })
    .map((figure) => figure.textContent.trim())`)

/** It shows home, people and airlines in full. */
async function reviewYear(app: TestApp, ada: TestPerson, page: Page): Promise<void> {
  const key = await ada.key()
  const name = 'British Overseas Airways Corporation'
  const found = await app.request('GET', '/api/v1/airlines?query=British+Overseas', { key })
  const airlineId = found.json.data.find((airline: { name: string }) => airline.name === name).id
  const [cph, fra, sin] = await airportIds(app, 'CPH', 'FRA', 'SIN')
  for (const day of ['2021-01-01', '2021-02-01', '2021-03-01', '2021-04-01', '2021-05-01', '2021-06-01'])
    await logFlight(app, ada, { date: day, fromId: fra, toId: cph, airlineId })
  for (const day of ['2023-01-01', '2023-02-01', '2023-03-01', '2023-04-01', '2023-05-01'])
    await logFlight(app, ada, { date: day, fromId: sin, toId: fra, airlineId })
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await follow(page, '/stats/review?year=2023')
  const card = page.getByRole('img', { name: /^My 2023 in the air/ })
  await card.waitFor()
  const texts = (await card.locator('text').allTextContents()).join(' ')
  assert.ok(texts.includes(ada.displayName), texts)
  assert.doesNotMatch(texts, /…/)
  assert.match(texts, /British Overseas Airways\s+Corporation\s*5 of 5/)
  assert.match(texts, /≈ \d+ hours in the air/)
}

/** The vertical middle of the title and of each control above the first figure. */
const middlesAboveFigures = `(() => {
  const first = document.querySelector('main .num')?.getBoundingClientRect().top ?? Infinity
  return [...document.querySelectorAll('main h1, main button, main a, main input')]
    .map((element) => element.getBoundingClientRect())
    .filter(({ top, height }) => height > 0 && top < first)
    .map(({ top, bottom }) => Math.round((top + bottom) / 2))
})()`

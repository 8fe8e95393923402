// Time on the map: the slider, playback, colouring, what is in the address, and the files that are made of it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { journeys, requireAccessible } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

async function aLog(app: TestApp): Promise<TestPerson> {
  const ada = await app.person()
  const [cph, hel, hkg, lhr] = await airportIds(app, 'CPH', 'HEL', 'HKG', 'LHR')
  const flights = [
    { date: '2017-05-02', fromId: cph, toId: hel },
    { date: '2019-08-14', fromId: hel, toId: hkg, departure: '2019-08-14T16:45:00+03:00', arrival: '2019-08-15T07:55:00+08:00' },
    { date: '2019-08-20', fromId: hkg, toId: cph },
    { date: '2021-03-01', fromId: cph, toId: lhr },
  ]
  for (const flight of flights) await logFlight(app, ada, flight)
  return ada
}

const until = (page: Page) => page.getByRole('slider', { name: 'Until' })
const panel = (page: Page) => page.getByRole('region', { name: 'Time on the map' })
const figure = (page: Page, name: string) =>
  page.getByRole('definition').and(page.locator(`dt:text-is("${name}") + dd`))

/** Waits until the handle says this. */
const stands = (page: Page, text: string) =>
  page.locator(`[role=slider][aria-label=Until][aria-valuetext="${text}"]`).waitFor()

async function openTime(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Time', exact: true }).click()
  await until(page).waitFor()
}

journeys('time on the map', 'sqlite', ({ journey, onEachDevice }) => {
  journey('by keyboard alone: steps, colouring and the address', async ({ app, open }) => {
    const page = await open('/', { as: await aLog(app) })
    const { press, tabTo } = keyboardOf(page)
    await page.getByText('4 flights between 4 airports', { exact: false }).waitFor()
    await tabTo('Time')
    await press('Enter')
    await stands(page, 'December 2021, 4 flights')
    await requireAccessible(page, 'time, light')
    await press('Home')
    await stands(page, 'January 2017, 0 flights')
    await panel(page).getByText('No flights in these years').waitFor()
    for (let i = 0; i < 3; i++) await press('Shift+ArrowRight')
    await stands(page, 'December 2019, 3 flights')
    await press('ArrowLeft')
    await stands(page, 'November 2019, 3 flights')
    assert.equal(await figure(page, 'Airports').textContent(), '3')
    await page.waitForURL(/\?time=years&to=2019-12$/)
    await tabTo('Heat')
    await press('ArrowRight')
    await page.waitForURL(/time=years/)
    await press('ArrowLeft')
    await page.waitForURL(/time=heat&to=2019-12$/)
    await page.reload()
    await stands(page, 'November 2019, 3 flights')
    assert.ok(await page.getByRole('radio', { name: 'Heat' }).isChecked())
    await press('End')
    await stands(page, 'December 2021, 4 flights')
    await page.waitForURL(/time=heat$/)
  })
})

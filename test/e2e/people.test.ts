// The choice of people: one switch on every screen with flights, in the address, and two people side by side.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { focused, heading, journeys, overflowOf, resize } from './browser.ts'
import { follow } from './screens.ts'

interface Household {
  ada: TestPerson
  bo: TestPerson
  mia: TestPerson
}

let household: Promise<Household> | undefined
/** The same for all journeys. */
function householdOf(app: TestApp): Promise<Household> {
  household ??= settle(app)
  return household
}

/** Ada may see everyone's flights: two of her own and one with Bo, who has two more. Mia has none. */
async function settle(app: TestApp): Promise<Household> {
  const ada = await app.person('role-administrator')
  const [bo, mia] = [await app.person(), await app.person()]
  for (const [person, displayName] of [
    [ada, 'Ada Lovelace'],
    [bo, 'Bo Diddley'],
    [mia, 'Mia Farrow'],
  ] as const) {
    const cookie = await person.session()
    const reply = await app.request('PUT', '/app/api/me', {
      cookie,
      body: { username: person.username, displayName },
    })
    assert.equal(reply.status, 204, reply.text)
  }
  const [cph, osl, jfk, sin] = await airportIds(app, 'CPH', 'OSL', 'JFK', 'SIN')
  const both = [{ userId: ada.id }, { userId: bo.id }]
  await logFlight(app, ada, { date: '2021-01-01', fromId: cph, toId: jfk })
  await logFlight(app, ada, { date: '2022-01-01', fromId: jfk, toId: cph })
  await logFlight(app, ada, { date: '2023-01-01', fromId: cph, toId: osl, passengers: both })
  await logFlight(app, bo, { date: '2024-01-01', fromId: osl, toId: sin })
  await logFlight(app, bo, { date: '2025-01-01', fromId: sin, toId: osl })
  return { ada, bo, mia }
}

const total = (page: Page, count: number) => page.getByText(new RegExp(`^${count} flights? ·`))
const chip = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Whose flights' }).getByRole('button', { name, exact: true })
const isPressed = (page: Page, name: string, on: boolean) =>
  page
    .getByRole('group', { name: 'Whose flights' })
    .getByRole('button', { name, exact: true, pressed: on })
    .waitFor()
const flightsOnMap = (page: Page, count: number) =>
  page.locator('dl', { hasText: 'Flights' }).locator('dd').first().getByText(String(count)).waitFor()

journeys('the choice of people', 'sqlite', ({ journey }) => {
  journey(
    'The selected people are in the address, on every screen and in every link',
    async ({ app, open }) => {
      const { ada, bo, mia } = await householdOf(app)
      const page = await open('/flights', { as: ada })
      await total(page, 3).waitFor()
      await isPressed(page, 'Ada Lovelace (you)', true)
      await chip(page, 'Bo Diddley').click()
      await total(page, 5).waitFor()
      await isPressed(page, 'Bo Diddley', true)
      assert.ok(page.url().endsWith(`?people=${ada.id},${bo.id}`), page.url())
      await focused(chip(page, 'Bo Diddley'))

      await chip(page, 'Ada Lovelace (you)').click()
      await total(page, 3).waitFor()
      await page.getByRole('row').filter({ hasText: 'SIN' }).first().waitFor()
      await chip(page, 'Bo Diddley').click()
      await isPressed(page, 'Bo Diddley', true)

      for (const name of ['Map', 'Statistics', 'Countries', 'Flights']) {
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
        await page.waitForURL(`**?people=${bo.id}`)
        if (name === 'Map') {
          await page.getByRole('button', { name: 'Whose flights: Bo', exact: true }).waitFor()
          await flightsOnMap(page, 3)
        } else await isPressed(page, 'Bo Diddley', true)
        if (name === 'Statistics') await page.getByRole('button', { name: /^Flights: 3\./ }).waitFor()
      }

      await chip(page, 'Everyone').click()
      await total(page, 5).waitFor()
      await isPressed(page, 'Bo Diddley', false)
      await page.goBack()
      await total(page, 3).waitFor()
      await isPressed(page, 'Bo Diddley', true)
      await page.goForward()
      await isPressed(page, 'Everyone', true)

      await page.goto(`/flights?people=${mia.id}`)
      await page.getByText('No flights for Mia').waitFor()
      await page.getByRole('link', { name: 'Show my flights' }).click()
      await total(page, 3).waitFor()
      await follow(page, '/countries')
      await follow(page, '/flights?people=nobody')
      await page.getByText('Try again').waitFor()
      await chip(page, 'Ada Lovelace (you)').waitFor()

      await requireKept(page, await householdOf(app))
      await comparePeople(page, await householdOf(app))

      // A person who may not see others has no switch, and their log stays private.
      const bos = await open(`/flights?people=${ada.id}`, { as: bo })
      await bos.getByText('Try again').waitFor()
      await bos.getByRole('link', { name: 'Show my flights' }).click()
      await total(bos, 3).waitFor()
      assert.equal(await bos.getByRole('group', { name: 'Whose flights' }).count(), 0)
    },
  )

  // Last: chips are for five people at most.
  journey('Many people are one button with a searchable list, which fits a phone', async ({ app, open }) => {
    const { ada, bo } = await householdOf(app)
    const long = 'Wolfeschlegelsteinhausenbergerdorff Hubert Blaine'
    for (let i = 0; i < 4; i++) await app.person()
    const cookie = await bo.session()
    await app.request('PUT', '/app/api/me', { cookie, body: { username: bo.username, displayName: long } })
    const page = await open('/flights', { as: ada, device: 'phone' })
    const button = page.getByRole('button', { name: /^Whose flights: / })
    await button.focus()
    await page.keyboard.press('Enter')
    const list = page.getByRole('dialog', { name: 'Whose flights' })
    await list.getByLabel('Search people').fill('blaine')
    assert.equal(await list.getByRole('checkbox').count(), 1)
    await list.getByRole('checkbox').press(' ')
    await total(page, 5).waitFor()
    await list.getByRole('button', { name: `Only ${long}` }).click()
    await total(page, 3).waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await focused(button)
    await resize(page, { width: 320, height: 640 })
    for (const path of ['/', '/flights', '/stats', '/countries']) {
      await follow(page, `${path}?people=${bo.id}`)
      await button.waitFor()
      assert.deepEqual(await overflowOf(page), [], path)
    }
  })
})

/** Filters, links and the page of a flight keep the choice. */
async function requireKept(page: Page, { bo }: Household): Promise<void> {
  // Every link to a screen with flights carries the choice.
  for (const path of ['/', '/flights', '/countries', '/stats/review', '/stats']) {
    await follow(page, `${path}?people=${bo.id}`)
    await page.getByRole('button', { name: /Bo/ }).first().waitFor()
    const hrefs = await page
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    const lost = hrefs.filter(
      (href) => /^\/(flights|countries|stats[^?]*)?(\?|$)/.test(href) && !href.includes(`people=${bo.id}`),
    )
    assert.deepEqual(lost, [], path)
  }
  await follow(page, `/flights?people=${bo.id}&year=2025&year=2024`)
  await page.getByText('2 of 3 flights').waitFor()
  await page.getByLabel('Search flights').fill('SIN')
  await page.waitForURL(`**?people=${bo.id}&q=SIN&year=2025&year=2024`)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await total(page, 3).waitFor()
  await page.getByRole('row').filter({ hasText: 'SIN' }).first().click()
  await page.waitForURL(/flights\/\d+$/)
  await page.getByRole('navigation').getByRole('link', { name: 'Map', exact: true }).click()
  await flightsOnMap(page, 3)
}

/** From the switch of the statistics. */
async function comparePeople(page: Page, { ada, bo, mia }: Household): Promise<void> {
  await follow(page, `/stats?people=${bo.id},${ada.id}`)
  await page.getByRole('button', { name: /^Flights: 5\./ }).waitFor()
  await page.getByRole('link', { name: 'Compare Bo Diddley and Ada Lovelace' }).click()
  await heading(page, 'Compare two people').waitFor()
  await page.getByText('1 flight', { exact: true }).waitFor()
  await page.getByText('First flight together').waitFor()
  await page.getByRole('link', { name: 'CPH → OSL' }).first().waitFor()
  await page.getByText('Both have seen the same number of countries').waitFor()
  await page.getByRole('button', { name: 'First person: Bo Diddley' }).click()
  await page.getByRole('menuitemradio', { name: 'Mia Farrow' }).click()
  await page.getByRole('button', { name: 'First person: Mia Farrow' }).waitFor()
  await page.getByText('Mia Farrow has no completed flights yet.').waitFor()
  assert.equal(await page.getByRole('table').count(), 0, 'no table of noughts')
  await page.waitForURL(`**?people=${mia.id},${ada.id}`)

  // A person chosen twice changes places with the other.
  await page.getByRole('button', { name: 'Second person: Ada Lovelace (you)' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Mia Farrow' }).press('Enter')
  await page.waitForURL(`**?people=${ada.id},${mia.id}`)
  await page.getByRole('button', { name: 'Second person: Mia Farrow' }).waitFor()
}

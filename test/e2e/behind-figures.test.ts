// Each figure of the statistics opens a list with exactly the flights that it counts, also with filters and of several people.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { flightsOf } from '../../web/src/api/flights-of-log.ts'
import { apply, fromQuery } from '../../web/src/log/filters.ts'
import { audiencesOf, countedIn, scopeIn, unionOf } from '../../web/src/log/people.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, NOW } from './browser.ts'
import { follow } from './screens.ts'

const year = new Date(NOW).getUTCFullYear()
const groupings = [
  'year',
  'month',
  'airport',
  'country',
  'route',
  'airline',
  'registration',
  'class',
  'person',
]

/**
 * Everything that could make a figure and its list differ: planned and cancelled flights, months, round trips, seats of
 * others.
 */
async function logAll(app: TestApp, ada: TestPerson, grace: TestPerson): Promise<void> {
  const [cph, fra, sin, jfk] = await airportIds(app, 'CPH', 'FRA', 'SIN', 'JFK')
  const [sas, other] = (await app.store.read.query('select id from airline order by id limit 2', [])).map(
    (row) => row['id'],
  )
  const seat = (seatClass: string, reason: string | null = null) => ({
    seatClass,
    seat: 'window',
    flightReason: reason,
  })
  const alone = [{ userId: ada.id, ...seat('economy', 'leisure') }]
  const both = [
    { userId: ada.id, ...seat('business', 'business') },
    { userId: grace.id, ...seat('economy', 'leisure') },
    { guestName: 'Zoë', ...seat('first') },
  ]
  const guest = [
    { userId: ada.id, ...seat('economy') },
    { guestName: 'Zoe', ...seat('economy') },
  ]
  const times = (day: string, late: number) => ({
    departureScheduled: `${day}T08:00:00Z`,
    departure: `${day}T08:10:00Z`,
    arrivalScheduled: `${day}T10:00:00Z`,
    arrival: `${day}T10:${String(late).padStart(2, '0')}:00Z`,
  })
  const flight = (date: string, fromId: number, toId: number, more: object = {}) =>
    logFlight(app, ada, { date, fromId, toId, passengers: alone, airlineId: sas, ...more })
  await flight(`${year - 1}-01-01`, cph!, fra!, { ...times(`${year - 1}-01-01`, 5), aircraftReg: 'OY-KBO' })
  await flight(`${year - 1}-01-01`, fra!, cph!, { ...times(`${year - 1}-01-01`, 1), aircraftReg: 'OY-KBO' })
  await flight(`${year - 1}-01-01`, cph!, sin!, { datePrecision: 'year', aircraftReg: 'oy-kbo1' })
  await flight(`${year - 1}-03-01`, sin!, cph!, { datePrecision: 'month', aircraftReg: 'OY-KBO1' })
  await flight(`${year}-01-01`, cph!, jfk!, { datePrecision: 'year', passengers: both, airlineId: other })
  await flight(`${year}-01-02`, cph!, cph!, {
    passengers: guest,
    airlineId: other,
    ...times(`${year}-01-02`, 3),
  })
  await flight(`${year}-01-02`, cph!, fra!, { passengers: both, ...times(`${year}-01-02`, 40) })
  await flight(`${year}-01-03`, fra!, cph!, {
    passengers: both,
    aircraftReg: 'OY-KB',
    ...times(`${year}-01-03`, 0),
  })
  await flight(`${year}-01-04`, cph!, fra!, { outcome: 'cancelled', aircraftReg: 'OY-KBO' })
  await flight(`${year + 2}-01-01`, cph!, fra!, { aircraftReg: 'OY-KBO', passengers: both })
  await logFlight(app, grace, { date: `${year}-01-02`, fromId: cph, toId: sin, airlineId: other })
}

interface Opened {
  href: string
  /** As displayed. */
  count: number
}

/** The links of the page whose text is a number of flights. */
const countedLinks = (page: Page): Promise<Opened[]> =>
  page.evaluate<Opened[]>(`(() => {
    const number = (text) => Number((text ?? '').replace(/[^0-9]/g, ''))
    const of = (selector, read) => [...document.querySelectorAll(selector)].map((link) => ({ href: link.getAttribute('href'), count: number(read(link)) }))
    const within = (selector) => (link) => link.querySelector(selector)?.textContent
    return [
      ...of('.chart a', within('.value')),
      ...of('.ranking a', within('.value')),
      ...of('a.row:has(.count)', within('.count')).filter((_, i) => !/seat/.test(document.querySelectorAll('a.row .count')[i].textContent)),
      ...of('figure details a', (link) => link.nextElementSibling.textContent),
      ...of('td a.num', (link) => link.textContent),
      ...of('tr.lead td a', (link) => link.firstChild.textContent),
      ...of('[role=group] li[style] a', (link) => link.textContent.split(':').at(-1)),
      ...of('[role=dialog] ol a', within('.value')),
    ]
  })()`)

type Logs = Parameters<typeof unionOf>[0]

/** The logs of these people, each requested once. */
function createReader(app: TestApp, who: TestPerson) {
  const read = new Map<string, Promise<Logs[number]>>()
  const cookie = who.session()
  const request = async (query: string): Promise<Logs[number]> => {
    const reply = await app.request('GET', `/app/api/log?${query}`, { cookie: await cookie })
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data
  }
  /** How many flights the list shows at an address, computed with its own functions. */
  return async (href: string): Promise<number> => {
    const filters = fromQuery(new URL(href, app.url).searchParams)
    const scope = scopeIn(filters.people, who.id)
    const logs = audiencesOf(scope, who.id).map((audience) => {
      const query = new URLSearchParams({ ...audience }).toString()
      if (!read.has(query)) read.set(query, request(query))
      return read.get(query)!
    })
    const flights = flightsOf(unionOf(await Promise.all(logs)), NOW)
    return apply(flights, filters, undefined, countedIn(scope, who.id)).length
  }
}
type Reader = ReturnType<typeof createReader>

async function requireExact(listedAt: Reader, page: Page, least: number): Promise<void> {
  const links = await countedLinks(page)
  assert.ok(links.length >= least, `only ${links.length} links`)
  const wrong: string[] = []
  for (const { href, count } of links) {
    const listed = await listedAt(href)
    if (listed !== count) wrong.push(`${href}: ${count} on the page, ${listed} in the list`)
  }
  assert.deepEqual(wrong, [])
}

/** Opened from another page, so that no figure from before is read as one of these. */
async function showStatistics(page: Page, query: string): Promise<void> {
  await follow(page, '/nowhere')
  await follow(page, `/stats?${query}`)
  await page.getByRole('heading', { name: 'Badges' }).waitFor()
}

journeys('behind the figures', 'sqlite', ({ journey }) => {
  journey('Each figure opens as many flights as it counts, also with filters', async ({ app, open }) => {
    const [ada, grace] = [await app.person(), await app.person()]
    await logAll(app, ada, grace)
    const listedAt = createReader(app, ada)
    const page = await open('/stats', { as: ada })
    await page.getByRole('heading', { name: 'Badges' }).waitFor()
    await requireExact(listedAt, page, 36)

    await page.getByRole('button', { name: /^Flights: 7\. Explain/ }).click()
    for (const groupBy of groupings) {
      await page.getByRole('dialog').getByLabel('Group by').selectOption(groupBy)
      await requireExact(listedAt, page, 36)
    }
    await page.getByRole('dialog').getByRole('link', { name: 'Show these flights in the list' }).click()
    await heading(page, 'Flights').waitFor()
    await page.getByText('7 of 9 flights').waitFor()
    await requireExactFiltered({ app, listedAt, page, grace })
  })

  journey('Each figure opens its flights, also those of several people', async ({ app, open }) => {
    const [admin, ada, grace] = [
      await app.person('role-administrator'),
      await app.person(),
      await app.person(),
    ]
    await logAll(app, ada, grace)
    const listedAt = createReader(app, admin)
    const page = await open('/stats', { as: admin })
    for (const people of [ada.id, grace.id, `${ada.id},${grace.id}`]) {
      await showStatistics(page, `people=${people}`)
      // Of two logs, one may arrive first: the page then shows the figures of one.
      const flown = await listedAt(`/flights?people=${people}&flown=1`)
      await page.getByRole('button', { name: `Flights: ${flown}. Explain this number` }).waitFor()
      await page.getByRole('heading', { name: 'Badges' }).waitFor()
      // With several people each seat is counted, so a flight may count twice: then the figure says so.
      const seats = await page
        .locator('a.row .count')
        .filter({ hasText: /^\d+ seats?$/ })
        .count()
      assert.equal(seats > 3, people.includes(','), `${seats} figures of seats for ${people}`)
      await requireExact(listedAt, page, 20)
    }
  })
})

interface Figures {
  app: TestApp
  listedAt: Reader
  page: Page
  grace: TestPerson
}

/** Both the filter and the figure must match. */
async function requireExactFiltered({ app, listedAt, page, grace }: Figures): Promise<void> {
  const [cph, fra] = await airportIds(app, 'CPH', 'FRA')
  for (const [query, least] of [
    [`airport=${fra}`, 20],
    ['country=DE', 20],
    [`with=user:${grace.id}`, 10],
    ['class=economy', 20],
    [`after=${year - 1}-01-02`, 10],
    [`year=${year}&airport=${cph}`, 10],
  ] as const) {
    await showStatistics(page, query)
    await requireExact(listedAt, page, least)
  }
  await showStatistics(page, `airport=${fra}`)
  await page.locator('.ranking').first().getByRole('link', { name: /^CPH/ }).press('Enter')
  await heading(page, 'Flights').waitFor()
  await page.getByText('4 of 9 flights').waitFor()
  await page.getByRole('button', { name: /CPH/ }).first().waitFor()
}

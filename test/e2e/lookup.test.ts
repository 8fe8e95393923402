// Looking up a flight: the form is filled visibly, and a past flight is completed by one click.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { addDays } from '../../server/domain/time/calendar.ts'
import { logFlight } from '../fixtures.ts'
import type { TestPerson } from '../harness.ts'
import { leg, moment, startProvider, usualRoute } from '../lookup/provider.ts'
import { dayFromNow, heading, type Journey, journeys } from './browser.ts'
import { follow } from './screens.ts'

const provider = await startProvider()
after(() => provider.close())

const date = dayFromNow(-5)
const next = addDays(date, 1)
const flown = leg({
  departs: `${date} 18:25-03:00`,
  arrives: `${next} 11:00+01:00`,
  departure: {
    revisedTime: moment(`${date} 18:40-03:00`),
    runwayTime: moment(`${date} 18:58-03:00`),
    gate: '305',
  },
  arrival: { revisedTime: moment(`${next} 10:51+01:00`), runwayTime: moment(`${next} 10:44+01:00`) },
})
provider.says(`/flights/number/LX93/${date}`, { json: [flown] })
const [out, on] = [
  { from: 'ZRH', to: 'GRU', departs: `${date} 22:40+01:00`, arrives: `${next} 05:30-03:00` },
  { from: 'GRU', to: 'EZE', departs: `${date} 07:00-03:00`, arrives: `${date} 10:00-03:00` },
]
provider.says(`/flights/number/LX92/${date}`, {
  json: [out, on].map((one) => leg({ number: 'LX 92', ...one })),
})
provider.says('/v0/callsign/SK909', { json: usualRoute(['EKCH', 'CPH'], ['KJFK', 'JFK']) })

journeys(
  'looking up a flight',
  'sqlite',
  ({ journey }) => {
    journey(
      'A number and a date fill the form, and a past flight is completed by one click',
      async (given) => {
        const { app, open } = given
        const ada = await app.person()
        const page = await open('/flights/new', { as: ada, device: 'phone' })
        await fillByNumber(given, ada, page)
        await chooseLeg(page)
        await askForUsualRoute(page)
        await complete(given, ada, page)
      },
    )
  },
  {},
  { aerodataboxKey: 'key', aerodataboxUrl: provider.url, adsbdb: true, adsbdbUrl: provider.url },
)

async function fillByNumber({ app }: Journey, ada: TestPerson, page: Page): Promise<void> {
  await heading(page, 'Add flight').waitFor()
  const button = page.getByRole('button', { name: 'Look up' })
  assert.equal(await button.count(), 0, 'not before there is a number')
  await page.getByLabel('Date', { exact: true }).fill(date)
  await page.getByLabel('Flight number', { exact: true }).fill('lx 93')
  await page.getByLabel('Registration').fill('HB-JNX')
  await button.click()
  await page.getByText(/Filled in from AeroDataBox: the route/).waitFor()
  await page.getByText('Your entries were kept: Registration.').waitFor()
  assert.equal(await page.getByLabel('Registration').inputValue(), 'HB-JNX')
  await page.getByRole('button', { name: 'Save flight' }).click()
  await page.getByText('Flight saved').waitFor()
  const [stored] = (await app.request('GET', '/api/v1/flights', { key: await ada.key() })).json.data
  assert.deepEqual([stored.from.iata, stored.to.iata, stored.date], ['GRU', 'ZRH', date])
  assert.deepEqual(
    [stored.departure, stored.takeoffActual, stored.departureGate],
    [`${date}T18:40:00-03:00`, `${date}T18:58:00-03:00`, '305'],
  )
  assert.deepEqual([stored.aircraft.icao, stored.aircraftReg], ['B77W', 'HB-JNX'])
}

/** Several legs have this number. */
async function chooseLeg(page: Page): Promise<void> {
  await follow(page, '/flights/new')
  await page.getByLabel('Date', { exact: true }).fill(date)
  await page.getByLabel('Flight number', { exact: true }).fill('LX92')
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByText('Several flights have this number').waitFor()
  await page.getByRole('button', { name: /GRU → EZE/ }).click()
  await page.getByText(/Filled in from AeroDataBox/).waitFor()
}

/** It is not read as that day's. */
async function askForUsualRoute(page: Page): Promise<void> {
  await follow(page, '/flights')
  await follow(page, '/flights/new')
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByLabel('Flight number', { exact: true }).fill('SK909')
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByText(/Filled in from adsbdb: the route/).waitFor()
  await page.getByText('This flight number usually flies this route today.').waitFor()
  await page.getByText('No flight with this number was found on that day.').waitFor()
}

/** Typed values stay. */
async function complete({ app }: Journey, ada: TestPerson, page: Page): Promise<void> {
  const [fromId, toId] = [await app.airportId('GRU'), await app.airportId('ZRH')]
  const times = { departure: `${date}T18:25:00-03:00`, arrival: `${next}T10:55:00+01:00` }
  const flight = await logFlight(app, ada, { date, fromId, toId, flightNumber: 'LX93', ...times })
  await follow(page, `/flights/${flight.id}`)
  const fill = page.getByRole('button', { name: 'Fill in actual times, aircraft, registration' })
  await fill.click()
  const dialog = page.getByRole('dialog', { name: 'Fill in actual data' })
  await dialog.getByRole('checkbox', { name: /^Registration empty\s+HB-JNA/ }).waitFor()
  const isTicked = (name: RegExp) => dialog.getByRole('checkbox', { name }).isChecked()
  assert.equal(await isTicked(/^Departure time 18:25/), true, 'a planned time')
  assert.equal(await isTicked(/^Arrival time 10:55/), false, 'a time that was typed')
  await dialog.getByRole('button', { name: /^Fill in \d+ fields$/ }).click()
  await page.getByText('Filled in', { exact: true }).waitFor()
  const key = await ada.key()
  const stored = (await app.request('GET', `/api/v1/flights/${flight.id}`, { key })).json.data
  assert.deepEqual(
    [stored.departure, stored.arrival, stored.departureScheduled],
    [`${date}T18:40:00-03:00`, times.arrival, times.departure],
  )
  assert.deepEqual([stored.aircraftReg, stored.aircraft.icao], ['HB-JNA', 'B77W'])
  await page.getByRole('link', { name: 'HB-JNA' }).waitFor()
  assert.equal(await fill.count(), 0, 'it is whole now')
}

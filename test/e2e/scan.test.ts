// From a boarding pass to a saved flight: Chromium with a camera that shows a film, on a phone and on a desktop.
import assert from 'node:assert/strict'
import type { BrowserContext, Page, Request } from 'playwright-core'
import type { TestApp, TestPerson } from '../harness.ts'
import { heading, journeys, requireAccessible, type Suite } from './browser.ts'
import { cameraArguments, dayOfYear, passFilm, passPicture, passText, type Shot } from './passes.ts'

const today = new Date().toISOString().slice(0, 10)
const own = passText('LOVELACE/ADA MRS', [
  { from: 'CPH', to: 'EWR', carrier: 'SK', number: '909', day: dayOfYear(today) },
])

/** Everything that leaves the browser, to show what does not. */
function recorded(context: BrowserContext): string[] {
  const sent: string[] = []
  context.on('request', (request: Request) => {
    sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`)
  })
  return sent
}

function requireUnsent(sent: readonly string[], text: string): void {
  const secret = [text, encodeURIComponent(text), text.slice(2, 22).trim(), encodeURIComponent(text.slice(2, 22).trim())]
  for (const line of sent) for (const part of secret) assert.ok(!line.includes(part), `sent: ${line.slice(0, 300)}`)
}

async function adaOf(app: TestApp): Promise<TestPerson> {
  const ada = await app.person('owner')
  const body = { username: ada.username, displayName: 'Ada Lovelace' }
  await app.request('PUT', '/app/api/me', { cookie: await ada.session(), body })
  return ada
}

const listFlights = async (app: TestApp, person: TestPerson) =>
  (await app.request('GET', '/api/v1/flights', { key: await person.key() })).json.data

/** A suite with a camera that shows this code. */
function withCamera(name: string, shot: Shot, define: (suite: Suite) => void): void {
  journeys(name, 'sqlite', define, {}, {}, async () => cameraArguments(await passFilm(shot)))
}

withCamera('a PDF417 in the camera', { text: own, format: 'PDF417', angle: -4, blur: 2 }, ({ journey }) => {
  journey('add, scan, save: three taps on a phone', async ({ app, open }) => {
    const ada = await adaOf(app)
    const page = await open('/flights', { as: ada, device: 'phone' })
    const sent = recorded(page.context())
    await page.getByRole('link', { name: 'Add flight' }).tap()
    await page.getByRole('link', { name: 'Scan a boarding pass' }).tap()
    await heading(page, 'CPH to EWR').waitFor()
    await page.getByText('Copenhagen to Newark').waitFor()
    await page.getByText('SK909, ', { exact: false }).waitFor()
    await requireAccessible(page, 'the result')
    await page.getByRole('button', { name: 'Save flight' }).tap()
    await page.waitForURL((url) => url.pathname === '/')
    const [flight] = await listFlights(app, ada)
    assert.equal(flight.from.iata, 'CPH')
    assert.equal(flight.to.iata, 'EWR')
    assert.equal(flight.date, today)
    assert.equal(flight.flightNumber, 'SK909')
    assert.equal(flight.bookingReference, null)
    assert.equal(flight.passengers[0].seatNumber, '12A')
    assert.equal(flight.passengers[0].seatClass, 'economy')
    requireUnsent(sent, own)
    assert.ok(!sent.some((line) => line.includes('ABC123')), 'the booking reference stays here')
  })
})

export type { Page, passPicture }

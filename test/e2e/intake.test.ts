// Mail and calendars in the browser: a refused calendar and a readable one, its notice and its undo, an unreachable
// mailbox, and the address for forwarded mails.
import assert from 'node:assert/strict'
import { calendar, serving, startCalendarHost } from '../intake/calendar-host.ts'
import { dayFromNow, heading, journeys } from './browser.ts'
import { follow } from './screens.ts'

const day = dayFromNow(7).replaceAll('-', '')
const flight = {
  uid: 'item-9@tripit.com',
  summary: 'SK909 CPH to EWR',
  start: `${day}T101500Z`,
  end: `${day}T185500Z`,
}

journeys(
  'mail and calendars',
  'sqlite',
  ({ journey }) => {
    journey(
      'A calendar adds a flight, is undone, fails and is removed; a mailbox is refused',
      async ({ app, open }) => {
        const ada = await app.person()
        const host = await startCalendarHost()
        host.respond = serving(calendar(flight))
        try {
          const page = await open('/settings/imports', { as: ada, device: 'phone' })
          await heading(page, 'Import and export').waitFor()
          await page.getByText('No calendar yet.').waitFor()

          await page.getByRole('button', { name: 'Add a calendar' }).click()
          const form = page.getByRole('dialog', { name: 'Add a calendar' })
          await form.getByLabel('Address').fill('https://10.0.0.1/trips.ics')
          await form.getByRole('button', { name: 'Add', exact: true }).click()
          await form.getByText('This address is not on the public internet.').waitFor()
          await form.getByLabel('Address').fill(host.url)
          await form.getByLabel('Name').fill('TripIt')
          await form.getByRole('button', { name: 'Add', exact: true }).click()
          await page.getByText('Calendar added and read').waitFor()
          await page.getByRole('button', { name: 'Read now: TripIt' }).waitFor()

          await page.getByRole('button', { name: 'Add a mailbox' }).click()
          const mailbox = page.getByRole('dialog', { name: 'Add a mailbox' })
          await mailbox.getByLabel('IMAP server').fill('localhost')
          await mailbox.getByLabel('Port').fill('1')
          await mailbox.getByLabel('User name').fill('ada')
          await mailbox.getByLabel('Password').fill('secret')
          await mailbox.getByRole('button', { name: 'Connect' }).click()
          await mailbox.getByText('No server responds at this address and port.').waitFor()
          await mailbox.getByRole('button', { name: 'Cancel' }).click()

          await page.getByRole('button', { name: 'Create an address' }).click()
          const address = page.getByRole('region', { name: 'Forwarding address' })
          assert.match((await address.textContent())!, /^import\+\w{20}@in\.example\.org$/)
          const own = page.getByLabel('Your own addresses')
          await own.fill('nobody')
          await page.getByRole('button', { name: 'Save' }).click()
          await page.getByText('Enter e-mail addresses, such as ada@example.org.').waitFor()
          await own.fill('ada@example.org')
          await page.getByRole('button', { name: 'Save' }).click()
          await page.getByText('Addresses saved').waitFor()

          await follow(page, '/notices')
          await page.getByRole('link', { name: '1 flight from TripIt' }).waitFor()
          await page.getByRole('button', { name: 'Undo' }).click()
          await page.getByText('Undone').first().waitFor()
          const flights = await app.request('GET', '/api/v1/flights', { key: await ada.key() })
          assert.deepEqual(flights.json.data, [])

          host.respond = (response) => void response.writeHead(503).end()
          await follow(page, '/settings/imports')
          await page.getByRole('button', { name: 'Read now: TripIt' }).click()
          await page.getByText('The server responded with status 503.').first().waitFor()
          await page.getByRole('button', { name: 'Remove TripIt' }).click()
          await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
          await page.getByText('No calendar yet.').waitFor()
        } finally {
          await host.close()
        }
      },
    )
  },
  {},
  { mailIn: { port: 25, domain: 'in.example.org', tls: undefined } },
)

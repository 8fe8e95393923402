// A webhook in the browser: created, its secret copied, tested, failing, retried, rotated, deleted.
import assert from 'node:assert/strict'
import { createLogger } from '../../server/base/log.ts'
import { createDescribe } from '../../server/operations/webhook-events.ts'
import { createSender } from '../../server/webhooks/send.ts'
import { startWebhooks } from '../../server/webhooks/worker.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp } from '../harness.ts'
import { startReceiver, verify, withStatus } from '../webhooks/receiver.ts'
import { heading, journeys, requireAccessible } from './browser.ts'

/** The application of the tests delivers nothing by itself. */
const startSending = ({ store, services, config, clock }: TestApp) =>
  startWebhooks({
    store,
    clock,
    log: createLogger('silent'),
    secret: services.secret,
    sender: createSender({ config, version: 'test' }),
    describe: createDescribe(services),
  })

journeys('webhooks', 'sqlite', ({ onEachDevice }) => {
  onEachDevice('from the first one to its deletion', async ({ app, open }, device) => {
    const ada = await app.person()
    const receiver = await startReceiver()
    const stop = startSending(app)
    try {
      const page = await open('/settings/integrations', { as: ada, device })
      await heading(page, 'Feeds and webhooks').waitFor()
      await page.getByText('No webhooks yet.').waitFor()
      await requireAccessible(page, 'no webhooks')

      await page.getByRole('button', { name: 'New webhook' }).click()
      const form = page.getByRole('dialog', { name: 'New webhook' })
      await form.getByRole('button', { name: 'Create webhook' }).click()
      await form.getByText('Enter the address of your program.').waitFor()
      await form.getByLabel('Address').fill('https://10.0.0.1/')
      await form.getByRole('button', { name: 'Create webhook' }).click()
      await form.getByText('This address is not on the public internet.').waitFor()
      await requireAccessible(page, 'a refused address')
      await form.getByLabel('Address').fill(receiver.url)
      await form.getByLabel('Name').fill('Home Assistant')
      await form.getByRole('button', { name: 'Create webhook' }).click()

      const shown = page.getByRole('dialog', { name: 'Signing secret' })
      const secret = (await shown.getByRole('region', { name: 'Secret' }).textContent())!
      assert.match(secret, /^whsec_/)
      await requireAccessible(page, 'the secret')
      await shown.getByRole('button', { name: 'I have saved it' }).click()
      assert.ok(!(await page.content()).includes('whsec_'), 'the secret is still on the page')

      receiver.respond = withStatus(200, 'Hello from the receiver')
      await page.getByRole('button', { name: 'Send a test to Home Assistant' }).click()
      await page.getByText('Test received: 200').waitFor()
      const deliveries = page.getByRole('list', { name: 'Deliveries to Home Assistant' })
      await deliveries.getByText('Response', { exact: true }).click()
      await deliveries.getByText('Hello from the receiver').waitFor()
      verify(secret, receiver.take()[0]!, app.clock.now())
      await requireAccessible(page, 'a delivery')

      receiver.respond = withStatus(503)
      const [fromId, toId] = await airportIds(app, 'CPH', 'EWR')
      await logFlight(app, ada, { date: '2026-02-20', fromId, toId })
      // The response is stored a moment after it was sent, and the page looks once.
      const key = await ada.key()
      const [{ id }] = (await app.request('GET', '/api/v1/webhooks', { key })).json.data
      const statuses = async (): Promise<number[]> =>
        (await app.request('GET', `/api/v1/webhooks/${id}/deliveries`, { key })).json.data.map(
          ({ status }: { status: number }) => status,
        )
      while (!(await statuses()).includes(503)) await page.waitForTimeout(100)
      await page.reload()
      await deliveries.getByText(/^503, next attempt:/).waitFor()
      await requireAccessible(page, 'a failed delivery')
      receiver.respond = withStatus(204)
      await deliveries.getByRole('button', { name: /^Try now: flight.created/ }).click()
      await deliveries.getByText(/^204 on attempt \d/).waitFor()

      await page.getByRole('button', { name: 'More for Home Assistant' }).click()
      await page.getByRole('menuitem', { name: 'Replace secret' }).click()
      await page
        .getByRole('dialog', { name: 'Replace secret' })
        .getByRole('button', { name: 'Replace secret' })
        .click()
      await shown.getByText('For 24 hours').waitFor()
      const rotated = await shown.getByRole('region', { name: 'Secret' }).textContent()
      assert.notEqual(rotated, secret)
      await shown.getByRole('button', { name: 'I have saved it' }).click()

      await page.getByRole('button', { name: 'Edit Home Assistant' }).click()
      const edit = page.getByRole('dialog', { name: 'Edit webhook' })
      await edit.getByLabel('Name').fill('Trip sheet')
      await edit.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: /^Trip sheet/ }).waitFor()

      receiver.respond = withStatus(410)
      await page.getByRole('button', { name: 'Send a test to Trip sheet' }).click()
      await page.getByText('The receiver responded that it no longer exists (410).').waitFor()
      await page.getByText('Disabled', { exact: true }).waitFor()
      await requireAccessible(page, 'a disabled webhook')
      await page.getByRole('button', { name: 'Switch on' }).click()
      await page.getByText('Active', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'More for Trip sheet' }).click()
      await page.getByRole('menuitem', { name: 'Delete webhook' }).click()
      await page
        .getByRole('dialog', { name: 'Delete webhook' })
        .getByRole('button', { name: 'Delete webhook' })
        .click()
      await page.getByText('No webhooks yet.').waitFor()

      await page.goto('/notices')
      await page.getByRole('link', { name: 'The webhook Trip sheet no longer sends.' }).click()
      await heading(page, 'Feeds and webhooks').waitFor()
    } finally {
      await stop()
      await receiver.close()
    }
  })
})

// A webhook in the browser: created, its secret copied, tested, failing, retried, rotated, deleted.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { createLogger } from '../../server/base/log.ts'
import { createDescribe } from '../../server/operations/webhooks/events.ts'
import { createSender } from '../../server/services/webhooks/send.ts'
import { startWebhooks } from '../../server/services/webhooks/worker.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { startReceiver, verify, withStatus } from '../webhooks/receiver.ts'
import { heading, journeys } from './browser.ts'
import { follow } from './screens.ts'

/** The application of the tests delivers nothing automatically. */
const startSending = ({ store, services, config, clock }: TestApp) =>
  startWebhooks({
    store,
    clock,
    log: createLogger('silent'),
    secret: services.secret,
    sender: createSender({ config, version: 'test' }),
    describe: createDescribe(services),
  })

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const secretDialog = (page: Page) => page.getByRole('dialog', { name: 'Signing secret' })
const deliveriesOn = (page: Page) => page.getByRole('list', { name: 'Deliveries to Home Assistant' })

/** With the form, which refuses an empty and a private address first. Returns the secret, which is shown once. */
async function createWebhook(page: Page, url: string): Promise<string> {
  await page.getByText('No webhooks yet.').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New webhook' })
  const create = form.getByRole('button', { name: 'Create webhook' })
  await create.click()
  await form.getByText('Enter the address of your program.').waitFor()
  await form.getByLabel('Address').fill('https://10.0.0.1/')
  await create.click()
  await form.getByText('This address is not on the public internet.').waitFor()
  await form.getByLabel('Address').fill(url)
  await form.getByLabel('Name').fill('Home Assistant')
  await create.click()
  const shown = secretDialog(page)
  const secret = (await shown.getByRole('region', { name: 'Secret' }).textContent())!
  assert.match(secret, /^whsec_/)
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await shown.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes('whsec_'), 'the secret is still on the page')
  return secret
}

async function sendTest(page: Page, app: TestApp, receiver: Receiver, secret: string): Promise<void> {
  receiver.respond = withStatus(200, 'Hello from the receiver')
  await page.getByRole('button', { name: 'Send a test to Home Assistant' }).click()
  await page.getByText('Test received: 200').waitFor()
  await deliveriesOn(page).getByText('Response', { exact: true }).click()
  await deliveriesOn(page).getByText('Hello from the receiver').waitFor()
  verify(secret, receiver.take()[0]!, app.clock.now())
}

async function failAndRetry(page: Page, app: TestApp, receiver: Receiver, ada: TestPerson): Promise<void> {
  receiver.respond = withStatus(503)
  const [fromId, toId] = await airportIds(app, 'CPH', 'EWR')
  await logFlight(app, ada, { date: '2026-02-20', fromId, toId })
  // The response is stored a moment after it was sent, and the page checks once.
  const key = await ada.key()
  const [{ id }] = (await app.request('GET', '/api/v1/webhooks', { key })).json.data
  await until('the failed delivery is stored', async () => {
    const { json } = await app.request('GET', `/api/v1/webhooks/${id}/deliveries`, { key })
    return json.data.some(({ status }: { status: number }) => status === 503)
  })
  await follow(page, '/settings/about')
  await follow(page, '/settings/integrations')
  await deliveriesOn(page)
    .getByText(/^503, next attempt:/)
    .waitFor()
  receiver.respond = withStatus(204)
  await deliveriesOn(page)
    .getByRole('button', { name: /^Try now: flight.created/ })
    .click()
  await deliveriesOn(page)
    .getByText(/^204 on attempt \d/)
    .waitFor()
}

async function replaceSecret(page: Page, secret: string): Promise<void> {
  await page.getByRole('button', { name: 'More for Home Assistant' }).click()
  await page.getByRole('menuitem', { name: 'Replace secret' }).click()
  const question = page.getByRole('dialog', { name: 'Replace secret' })
  await question.getByRole('button', { name: 'Replace secret' }).click()
  const shown = secretDialog(page)
  await shown.getByText('For 24 hours').waitFor()
  assert.notEqual(await shown.getByRole('region', { name: 'Secret' }).textContent(), secret)
  await shown.getByRole('button', { name: 'I have saved it' }).click()
}

async function rename(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit Home Assistant' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit webhook' })
  await edit.getByLabel('Name').fill('Trip sheet')
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: /^Trip sheet/ }).waitFor()
}

async function stopAndSwitchOn(page: Page, receiver: Receiver): Promise<void> {
  receiver.respond = withStatus(410)
  await page.getByRole('button', { name: 'Send a test to Trip sheet' }).click()
  await page.getByText('The receiver responded that it no longer exists (410).').waitFor()
  await page.getByText('Disabled', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
}

async function remove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for Trip sheet' }).click()
  await page.getByRole('menuitem', { name: 'Delete webhook' }).click()
  const question = page.getByRole('dialog', { name: 'Delete webhook' })
  await question.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByText('No webhooks yet.').waitFor()
}

journeys('webhooks', 'sqlite', ({ journey }) => {
  journey('A webhook is created, tested, retried, renamed, stopped and deleted', async ({ app, open }) => {
    const ada = await app.person()
    const receiver = await startReceiver()
    const stop = startSending(app)
    try {
      const page = await open('/settings/integrations', { as: ada })
      await heading(page, 'Feeds and webhooks').waitFor()
      const secret = await createWebhook(page, receiver.url)
      await sendTest(page, app, receiver, secret)
      await failAndRetry(page, app, receiver, ada)
      await replaceSecret(page, secret)
      await rename(page)
      await stopAndSwitchOn(page, receiver)
      await remove(page)
      await follow(page, '/notices')
      await page.getByRole('link', { name: 'The webhook Trip sheet has stopped sending.' }).click()
      await heading(page, 'Feeds and webhooks').waitFor()
    } finally {
      await stop()
      await receiver.close()
    }
  })
})

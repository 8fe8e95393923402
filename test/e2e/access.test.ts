// Access: API keys, apps with consent, people with limited roles.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { logFlight } from '../fixtures.ts'
import {
  authorizePath,
  codeExchange,
  codeOf,
  createFlow,
  exchange,
  registerClient,
  requestOf,
} from '../oauth/browser.ts'
import { heading, journeys } from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { follow } from './screens.ts'
import { enterPassword, PASSWORD, withPassword } from './signing-in.ts'

const LONGER_THAN_CONFIRMED_MS = 6 * 60_000

journeys('access', 'sqlite', ({ everyday, journey }) => {
  journey(
    'An API key is shown once, works until it is deleted, and needs the password on an old session',
    async (given) => {
      const { app, open } = given
      const ada = await withPassword(app)
      const page = await open('/settings/keys', { as: ada, device: 'phone' })
      await page.getByRole('button', { name: 'New API key' }).click()
      const form = page.getByRole('dialog', { name: 'New API key' })
      const name = form.getByLabel('Name')
      await name.fill('Dashboard')
      app.clock.advance(LONGER_THAN_CONFIRMED_MS)
      await name.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('alert').filter({ hasText: 'Confirm that it is you.' }).waitFor()
      assert.equal(await name.inputValue(), 'Dashboard', 'the typed text is kept')
      await name.press('Enter')
      await dialog.getByLabel('Your password').fill(PASSWORD)
      await dialog.getByLabel('Your password').press('Enter')
      await page.getByRole('dialog', { name: 'API key created' }).waitFor()
      const key = (await shownText(page, 'API key')).trim()
      const me = await app.request('GET', '/api/v1/me', { key })
      assert.equal(me.json.data.username, ada.username)
      const write = await app.request('POST', '/api/v1/flights', { key, body: {} })
      assert.equal(write.status, 403, 'it may only read')

      await page.getByRole('button', { name: 'I have saved it' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await page.getByText(key).count(), 0, 'shown only once')
      await page.getByRole('button', { name: 'Delete Dashboard' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click()
      await page.getByText('Key “Dashboard” deleted').waitFor()
      assert.equal((await app.request('GET', '/api/v1/me', { key })).status, 401)
    },
  )

  everyday('An app is approved after sign-in, and gets only the selected scopes', async ({ app, open }) => {
    const grace = await withPassword(app)
    await withCallback(async (redirectUri) => {
      const client = await registerClient(app, { client_name: 'Logbook Pro', redirect_uris: [redirectUri] })
      const flow = createFlow(app, client)
      const path = authorizePath({ ...requestOf(flow, 'profile.read flight.read.own'), state: 'xyz' })
      const page = await open(path, { mayGoTo: [new URL(redirectUri).origin] })
      await enterPassword(page, grace.username)
      await heading(page, /Logbook Pro wants to connect/).waitFor()
      await page.getByLabel('See the flights you are on').uncheck()
      await page.getByRole('button', { name: 'Approve' }).press('Enter')
      await page.waitForURL(`${redirectUri}*`)
      const back = new URL(page.url())
      assert.equal(back.searchParams.get('state'), 'xyz')
      const { access_token: key } = await exchange(app, codeExchange(flow, codeOf(back)))
      assert.equal((await app.request('GET', '/api/v1/me', { key })).json.data.username, grace.username)
      assert.equal((await app.request('GET', '/api/v1/flights', { key })).status, 403, 'left out at consent')
    })
  })

  journey(
    'On an old session, a writing app needs the password, and is disconnected in the settings',
    async (given) => {
      const { app, open } = given
      const ada = await withPassword(app)
      await withCallback(async (redirectUri) => {
        const client = await registerClient(app, { client_name: 'Logbook Pro', redirect_uris: [redirectUri] })
        const flow = createFlow(app, client)
        const path = authorizePath(requestOf(flow, 'profile.read flight.read.own flight.create.own'))
        const mayGoTo = [new URL(redirectUri).origin]
        const page = await open(path, { as: ada, device: 'phone', mayGoTo })
        await heading(page, /Logbook Pro wants to connect/).waitFor()
        await page.getByLabel('See the flights you are on').uncheck()
        app.clock.advance(LONGER_THAN_CONFIRMED_MS)
        await page.getByRole('button', { name: 'Approve' }).click()
        const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
        await dialog.getByLabel('Your password').fill(PASSWORD)
        await dialog.getByLabel('Your password').press('Enter')
        await heading(page, /Logbook Pro wants to connect/).waitFor()
        assert.equal(
          await page.getByLabel('See the flights you are on').isChecked(),
          false,
          'the choice is kept',
        )
        assert.equal(await page.getByLabel('Add flights that you are on').isChecked(), true)
        await page.getByRole('button', { name: 'Approve' }).click()
        await page.waitForURL(`${redirectUri}*`)
        const token = await exchange(app, codeExchange(flow, codeOf(new URL(page.url()))))
        assert.equal(token.scope, 'flight.create.own profile.read')

        await page.goto('/settings/apps')
        await page.getByRole('button', { name: 'Disconnect Logbook Pro' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
        await page.getByText('“Logbook Pro” disconnected').waitFor()
        assert.equal((await app.request('GET', '/api/v1/me', { key: token.access_token })).status, 401)
      })
    },
  )

  journey('A role limits the visible screens and the permitted changes', async ({ app, open }) => {
    const reader = await app.person(['flight.read.any'])
    const pilot = await app.person()
    const [fromId, toId] = await Promise.all([app.airportId('MAD'), app.airportId('LIS')])
    const flight = await logFlight(app, pilot, { date: '2024-04-05', fromId, toId })
    const page = await open('/settings', { as: reader })
    await page.getByRole('link', { name: /^About/ }).waitFor()
    assert.equal(await page.evaluate(`document.querySelector('h1, h2, h3').tagName`), 'H1')
    assert.equal(await page.getByRole('link', { name: /^API keys/ }).count(), 0, 'it is folded')
    const { push } = keyboardOf(page)
    await push(/^Advanced/)
    await page.getByRole('link', { name: /^API keys/ }).waitFor()
    for (const name of [/^People/, /^Roles/, /^Custom fields/, /^Sharing/, /^Import and export/]) {
      assert.equal(await page.getByRole('link', { name }).count(), 0, `${name} is not for this role`)
    }
    await follow(page, '/settings/users')
    await page.getByText('You don’t have access to this section').waitFor()
    await follow(page, `/flights/${flight.id}`)
    await heading(page, /MAD to LIS/).waitFor()
    for (const name of ['Edit', 'Delete', 'Add']) {
      assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name)
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    }

    // The server refuses it even without the buttons.
    const refused = await page.evaluate(
      `fetch('/app/api/flights/${flight.id}', { method: 'DELETE' }).then((reply) => reply.status)`,
    )
    assert.equal(refused, 403)
    // The same as for a flight that a person may not see.
    await follow(page, `/flights/${flight.id + 1}`)
    await heading(page, 'Page not found').waitFor()
  })
})

/** The value of a field with a copy button. */
const shownText = async (page: Page, label: string): Promise<string> =>
  (await page.getByRole('dialog').getByRole('region', { name: label, exact: true }).textContent()) ?? ''

/** A program on this machine that waits for the redirect. */
async function withCallback(run: (redirectUri: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html')
    reply.end(
      '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Done</title><p>You can go back.</p>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`)
  } finally {
    server.close()
  }
}

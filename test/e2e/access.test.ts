// Access: API keys, apps with consent, visitors of a share, people with limited roles.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { hashPassword } from '../../server/auth/passwords.ts'
import { updatePassword } from '../../server/store/people.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import {
  authorizePath,
  codeExchange,
  codeOf,
  createFlow,
  createPkce,
  exchange,
  postForm,
  registerClient,
  requestOf,
} from '../oauth/browser.ts'
import { heading, journeys, requireAccessible } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

async function withPassword(app: TestApp): Promise<TestPerson> {
  const person = await app.person()
  const hash = await hashPassword('kitty hawk')
  await app.store.transaction((tx) => updatePassword(tx, person.id, hash))
  return person
}

/** The addresses of what a person shares: one flight, one trip, and the figures alone. */
async function shareApart(app: TestApp, person: TestPerson, flightId: number) {
  const key = await person.key()
  const post = async (path: string, body: object) => {
    const { status, json, text } = await app.request('POST', `/api/v1${path}`, { key, body })
    assert.equal(status, 201, text)
    return json.data
  }
  const trip = await post('/trips', { name: 'Easter in Barcelona', flightIds: [flightId] })
  const share = async (body: object): Promise<string> => (await post('/shares', body)).slug
  return {
    flight: await share({ flightId, showFlightList: true }),
    trip: await share({ tripId: trip.id }),
    statistics: await share({ showMap: false, showStats: true }),
  }
}

journeys('access', 'sqlite', ({ journey, onEachDevice }) => {
  let owner: Promise<TestPerson> | undefined

  onEachDevice('make a key, use it, delete it', async ({ app, open }, device) => {
    const ada = await app.person()
    const page = await open('/settings/keys', { as: ada, device })
    await page.getByRole('button', { name: 'New API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Dashboard')
    await dialog.getByLabel('Name').press('Enter')
    await page.getByRole('dialog', { name: 'API key created' }).waitFor()
    await requireAccessible(page, 'a new key')
    const key = (await shownText(page, 'API key')).trim()
    const me = await app.request('GET', '/api/v1/me', { key })
    assert.equal(me.status, 200)
    assert.equal(me.json.data.username, ada.username)
    assert.equal(
      (await app.request('POST', '/api/v1/flights', { key, body: {} })).status,
      403,
      'it may only read',
    )

    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await page.getByText(key).count(), 0, 'shown only once')
    await page.getByRole('button', { name: 'Delete Dashboard' }).click()
    await requireAccessible(page, 'the question before deleting')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click()
    await page.getByText('Key “Dashboard” deleted').waitFor()
    assert.equal((await app.request('GET', '/api/v1/me', { key })).status, 401)
  })

  onEachDevice(
    'on an old session, a new key asks who it is and keeps what was typed',
    async (given, device) => {
      const { app, open } = given
      const ada = await withPassword(app)
      const page = await open('/settings/keys', { as: ada, device })
      await page.getByRole('button', { name: 'New API key' }).click()
      const form = page.getByRole('dialog', { name: 'New API key' })
      await form.getByLabel('Name').fill('Home Assistant')
      app.clock.advance(6 * 60_000)
      await form.getByLabel('Name').press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Please confirm that it is you' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('alert').filter({ hasText: 'Please confirm that it is you.' }).waitFor()
      assert.equal(await form.getByLabel('Name').inputValue(), 'Home Assistant')
      await form.getByLabel('Name').press('Enter')
      await dialog.getByLabel('Your password').fill('kitty hawk')
      await dialog.getByLabel('Your password').press('Enter')
      await page.getByRole('dialog', { name: 'API key created' }).waitFor()
      const key = (await shownText(page, 'API key')).trim()
      assert.equal((await app.request('GET', '/api/v1/me', { key })).status, 200)
    },
  )

  journey(
    'on an old session, an app that may write asks who it is and keeps the choice',
    async ({ app, open }) => {
      const ada = await withPassword(app)
      await withCallback(async (redirectUri) => {
        const client = await registerClient(app, { client_name: 'Logbook Pro', redirect_uris: [redirectUri] })
        const flow = createFlow(app, client)
        const path = authorizePath(requestOf(flow, 'profile.read flight.read.own flight.create.own'))
        const page = await open(path, { as: ada, mayGoTo: [new URL(redirectUri).origin] })
        await heading(page, /Logbook Pro wants to connect/).waitFor()
        await page.getByLabel('See the flights you are on').uncheck()
        app.clock.advance(6 * 60_000)
        await page.getByRole('button', { name: 'Approve' }).click()
        const dialog = page.getByRole('dialog', { name: 'Please confirm that it is you' })
        await dialog.getByLabel('Your password').fill('kitty hawk')
        await dialog.getByLabel('Your password').press('Enter')
        await heading(page, /Logbook Pro wants to connect/).waitFor()
        assert.equal(await page.getByLabel('See the flights you are on').isChecked(), false)
        assert.equal(await page.getByLabel('Add flights that you are on').isChecked(), true)
        await page.getByRole('button', { name: 'Approve' }).click()
        await page.waitForURL(`${redirectUri}*`)
        const { scope } = await exchange(app, codeExchange(flow, codeOf(new URL(page.url()))))
        assert.equal(scope, 'flight.create.own profile.read')
      })
    },
  )

  onEachDevice('connect an app through sign-in and consent, and revoke it', async ({ app, open }, device) => {
    const username = `grace${device}`
    const password = 'correct horse battery'
    owner ??= app.person('owner')
    const cookie = await (await owner).session()
    const body = { username, displayName: 'Grace Hopper', password }
    assert.equal((await app.request('POST', '/app/api/users', { cookie, body })).status, 201)

    await withCallback(async (redirectUri) => {
      const client = await registerClient(app, { client_name: 'Logbook Pro', redirect_uris: [redirectUri] })
      const { verifier, challenge } = createPkce()
      const resource = `${app.config.origin}/api/v1`
      const path = authorizePath({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        resource,
        state: 'xyz',
        scope: 'profile.read flight.read.own',
      })
      const page = await open(path, { device, mayGoTo: [new URL(redirectUri).origin] })
      await requireAccessible(page, 'sign-in')
      await page.getByLabel('Username').fill(username)
      await page.getByLabel('Password').fill(password)
      await page.getByLabel('Password').press('Enter')
      await heading(page, /Logbook Pro wants to connect/).waitFor()
      await requireAccessible(page, 'consent')
      await page.getByLabel('See the flights you are on').uncheck()
      await page.getByRole('button', { name: 'Approve' }).press('Enter')
      await page.waitForURL(`${redirectUri}*`)
      const back = new URL(page.url())
      assert.equal(back.searchParams.get('state'), 'xyz')

      const token = await postForm(app, '/oauth/token', {
        grant_type: 'authorization_code',
        code: back.searchParams.get('code')!,
        redirect_uri: redirectUri,
        client_id: client.client_id,
        code_verifier: verifier,
        resource,
      })
      assert.equal(token.status, 200, token.text)
      const key = token.json.access_token
      assert.equal((await app.request('GET', '/api/v1/me', { key })).json.data.username, username)
      assert.equal((await app.request('GET', '/api/v1/flights', { key })).status, 403, 'left out at consent')

      await page.goto('/settings/apps')
      await page.getByText('Logbook Pro').first().waitFor()
      await requireAccessible(page, 'connected apps')
      await page.getByRole('button', { name: 'Disconnect Logbook Pro' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
      await page.getByText('“Logbook Pro” disconnected').waitFor()
      assert.equal((await app.request('GET', '/api/v1/me', { key })).status, 401)
    })
  })

  onEachDevice('publish a share and open it signed out', async ({ app, open }, device) => {
    const ada = await app.person()
    const slug = `flown-${device}`
    const [fromId, toId] = await Promise.all([app.airportId('ZRH'), app.airportId('GRU')])
    const flight = await logFlight(app, ada, {
      date: '2024-02-03',
      fromId,
      toId,
      flightNumber: 'LX92',
      note: 'Private thoughts',
    })
    const made = await shareApart(app, ada, flight.id)
    const page = await open('/settings/shares', { as: ada, device })
    await page.getByRole('button', { name: 'New share' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Flight list').check()
    await dialog.getByLabel('Flight numbers').uncheck()
    await dialog.getByLabel('Custom address').fill(slug)
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog', { name: 'Your page is public' }).waitFor()
    await requireAccessible(page, 'a new share')

    const visitor = await open(`/share/${slug}`, { device, colorScheme: 'dark' })
    await heading(visitor, new RegExp(ada.displayName)).waitFor()
    await visitor.getByText('ZRH').first().waitFor()
    assert.equal(await visitor.getByText('LX92').count(), 0, 'not ticked')
    assert.doesNotMatch(await visitor.content(), /Private thoughts/)
    await requireAccessible(visitor, 'a share')
    await visitor.goto(`/share/${made.flight}`)
    await visitor.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    const ends = (await visitor.locator('.ends').innerText()).replaceAll(/\s+/g, ' ')
    assert.match(ends, /^from ZRH Z.+ to GRU S/)
    await requireAccessible(visitor, 'a shared flight')
    await visitor.goto(`/share/${slug}`)

    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    // What is shared is named; the address comes second.
    for (const [title, address] of [
      ['Flight ZRH–GRU, ', made.flight],
      ['Easter in Barcelona', made.trip],
      ['Statistics', made.statistics],
      ['All flights', slug],
    ]) {
      await page
        .getByRole('listitem')
        .filter({ has: page.locator('strong', { hasText: title! }) })
        .filter({ has: page.getByText(`${address} · `) })
        .waitFor()
    }
    await page.getByRole('button', { name: `Delete All flights (${slug})` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete share' }).click()
    await page.getByText('Share deleted').waitFor()
    await visitor.reload()
    await heading(visitor, 'Nothing is shared here').waitFor()
  })

  journey('a role limits what is shown and what works', async ({ app, open }) => {
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
    await page.goto('/settings/users')
    await page.getByText('You don’t have access to this section').waitFor()
    await requireAccessible(page, 'a section without access')
    await page.goto(`/flights/${flight.id}`)
    await heading(page, /MAD to LIS/).waitFor()
    for (const name of ['Edit', 'Delete', 'Add']) {
      assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name)
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    }

    // Without the buttons, the server refuses.
    const refused = await page.evaluate(
      `fetch('/app/api/flights/${flight.id}', { method: 'DELETE' }).then((reply) => reply.status)`,
    )
    assert.equal(refused, 403)
    const stranger = await open(`/flights/${flight.id}`, { as: await app.person() })
    await heading(stranger, 'Page not found').waitFor()
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

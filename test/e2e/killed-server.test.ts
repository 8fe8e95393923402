// The server is killed while the app is open. What is done meanwhile waits in the browser, also over a reload, and is stored
// exactly once when the server is back, even if it was killed between storing a change and answering.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type EngineName, freshDatabase } from '../harness.ts'
import { freePort } from '../postgres.ts'
import { ask, contrail, type ServerProcess, startServer } from '../running/processes.ts'
import {
  createVisits,
  type Device,
  devices,
  executablePath,
  heading,
  launchArguments,
  postpone,
  requireAccessible,
  type Visit,
} from './browser.ts'

const PASSWORD = 'correct horse battery'
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const items = (page: Page) => page.getByRole('main').getByRole('listitem')
const bar = (page: Page) =>
  page.getByRole('status').filter({ hasText: /not synced yet|Sending your changes|decision/ })
/** As when the browser finds its network again. The app may have tried by itself already, so there may be no button to press. */
const retryNow = (page: Page) => page.evaluate("dispatchEvent(new Event('online'))")
const save = (page: Page) => page.getByRole('button', { name: 'Save flight' }).click()
/** Messages without an Undo stay. The app sends by itself, and may say so 4 seconds before the test looks. */
const keepPlainMessages = postpone(4000)

interface StoredFlight {
  id: number
  version: number
  flightNumber: string | null
  note: string | null
  aircraftReg: string | null
}

/** One log on one address, whose server comes and goes. */
class Instance {
  readonly port: number
  readonly #database: Awaited<ReturnType<typeof freshDatabase>>
  #server: ServerProcess | undefined
  key = ''
  userId = ''

  constructor(port: number, database: Awaited<ReturnType<typeof freshDatabase>>) {
    this.port = port
    this.#database = database
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** `at`: another port than that of the address, for what the browser is not to see yet. */
  async start(at = this.port): Promise<void> {
    this.#server = await startServer(this.#database, { PORT: String(at), ORIGIN: this.url })
  }

  async kill(): Promise<void> {
    await this.#server?.stop('SIGKILL')
    this.#server = undefined
  }

  async setUp(): Promise<void> {
    const words = 'setup --username ada --password - --display-name Ada'.split(' ')
    assert.equal((await contrail(this.#database, words, PASSWORD)).code, 0)
    const made = await contrail(this.#database, 'key create --user ada --name test --scopes all'.split(' '))
    this.key = made.out.toString().trim()
  }

  async request(method: string, path: string, body?: object) {
    return ask(this.#server!.port, method, `/api/v1${path}`, { key: this.key, body })
  }

  async log(more: object): Promise<StoredFlight> {
    this.userId ||= (await this.request('GET', '/me')).json.data.id
    const idOf = async (code: string) =>
      (await this.request('GET', `/airports?query=${code}`)).json.data[0].id
    const [fromId, toId] = [await idOf('CPH'), await idOf('JFK')]
    const body = { date: '2024-05-01', fromId, toId, passengers: [{ userId: this.userId }], ...more }
    const made = await this.request('POST', '/flights', body)
    assert.equal(made.status, 201, made.text)
    return made.json.data
  }

  async flights(): Promise<StoredFlight[]> {
    return (await this.request('GET', '/flights?limit=100')).json.data
  }

  async end(): Promise<void> {
    await this.kill()
    await this.#database.drop()
  }
}

/** The app, everything it needs without a server kept in the browser, on the list. */
async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await heading(page, 'Flights').waitFor()
  await page.evaluate(`navigator.serviceWorker.ready
    .then(() => navigator.serviceWorker.controller ?? new Promise((done) =>
      navigator.serviceWorker.addEventListener('controllerchange', done, { once: true })))
    .then(() => Promise.all(['session', 'line-data', 'custom-fields'].map((name) => fetch('/app/api/' + name))))
    .then(() => undefined)`)
}

async function addFlight(page: Page, from: string, to: string, number: string): Promise<void> {
  await page.goto('/flights/new')
  for (const [label, code] of [
    ['From', from],
    ['To', to],
  ] as const) {
    await page.getByRole('combobox', { name: label, exact: true }).fill(code)
    await page.getByRole('option').filter({ hasText: code }).first().click()
  }
  await page.getByLabel('Flight number', { exact: true }).first().fill(number)
  await save(page)
}

async function editNote(page: Page, id: number, note: string): Promise<void> {
  await page.goto(`/flights/${id}/edit`)
  await page.getByLabel('Note').fill(note)
  await save(page)
}

const skip =
  existsSync(executablePath) || process.env['REQUIRE_BROWSER']
    ? false
    : `there is no Chromium at ${executablePath}`

for (const engine of ['sqlite', 'postgres'] as EngineName[]) {
  describe(`a killed server on ${engine}`, { skip }, () => {
    let browser: Browser
    before(async () => {
      browser = await chromium.launch({ executablePath, args: launchArguments })
    })
    after(() => browser?.close())

    type Run = (instance: Instance, open: (path: string, visit?: Visit) => Promise<Page>) => Promise<void>
    const journey = (title: string, run: Run) =>
      test(title, async () => {
        const instance = new Instance(await freePort(), await freshDatabase(engine))
        const visits = createVisits(instance, browser)
        try {
          await instance.setUp()
          // A server that starts responds with 503: the app, which tries by itself, may meet one.
          const visit = { serviceWorkers: 'allow', serverMayFail: true } as const
          await run(instance, (path, given) => visits.open(path, { ...visit, ...given }))
          assert.deepEqual(visits.faults, [])
        } catch (error) {
          await visits.picture(`${engine} ${title}`)
          throw error
        } finally {
          await visits.close()
          await instance.end()
        }
      })

    // What differs between the engines is on the server.
    const isFirst = engine === 'sqlite'
    for (const device of (isFirst ? Object.keys(devices) : ['desktop']) as Device[])
      journey(`what is done meanwhile waits and is stored once, ${device}`, (instance, open) =>
        throughTheGap(instance, open, device),
      )

    for (const kind of isFirst ? (['POST', 'PUT', 'DELETE'] as const) : (['POST'] as const))
      journey(`killed after storing and before answering ${kind}: it is stored once`, (instance, open) =>
        unanswered(instance, open, kind),
      )
  })
}

async function throughTheGap(
  instance: Instance,
  open: (path: string, visit?: Visit) => Promise<Page>,
  device: Device,
): Promise<void> {
  await instance.start()
  const edited = await instance.log({ flightNumber: 'SK909', note: 'as it was' })
  const clashing = await instance.log({ flightNumber: 'SK910', date: '2024-05-09', note: 'first' })
  const doomed = await instance.log({ flightNumber: 'SQ1', date: '2023-01-01' })
  const page = await open('/sign-in?next=/flights', { device })
  await signIn(page)
  await row(page, 'SQ1').waitFor()
  for (const { id } of [edited, clashing]) {
    await page.goto(`/flights/${id}`)
    await heading(page, /CPH/).waitFor()
    // The headline is in the log. What the server alone knows of the flight must be kept before it is killed.
    await page.getByText('Last edited').waitFor()
  }
  await instance.kill()

  await editNote(page, edited.id, 'written on the plane')
  await page.getByText('Saved on this device.').waitFor()
  await editNote(page, clashing.id, 'mine')
  await page.getByText('Saved on this device.').waitFor()
  await addFlight(page, 'JFK', 'CPH', 'SK912')
  await page.getByText('Saved on this device.').waitFor()
  // A flight that waits can be changed, and stays one new flight.
  await page.goto('/flights')
  await row(page, 'SK912').getByRole('link').first().click()
  await page.getByText('This flight is not synced yet.').waitFor()
  await page.goto(`${new URL(page.url()).pathname}/edit`)
  await page.getByLabel('Registration').fill('OY-KBO')
  await save(page)
  await page.getByText('Saved on this device.').waitFor()
  // One that is deleted again is never sent.
  await addFlight(page, 'CPH', 'JFK', 'SK999')
  await page.getByText('Saved on this device.').waitFor()
  await page.goto('/flights')
  for (const [number, count] of [
    ['SK999', 3],
    ['SQ1', 4],
  ] as const) {
    await row(page, number).focus()
    await page.keyboard.press('Delete')
    await row(page, number).waitFor({ state: 'detached' })
    await bar(page)
      .filter({ hasText: `${count} changes` })
      .waitFor()
  }

  await page.reload()
  await row(page, 'SK912').waitFor()
  await bar(page).filter({ hasText: '4 changes' }).waitFor()
  assert.equal(await row(page, 'SQ1').count(), 0)
  await page.goto('/waiting')
  await items(page).nth(3).waitFor()
  assert.deepEqual(
    (await items(page).allInnerTexts()).map(
      (text) => /^(Change|New flight|Deletion): \w+/.exec(text.trim())?.[0],
    ),
    ['Change: SK909', 'Change: SK910', 'New flight: SK912', 'Deletion: SQ1'],
  )
  await requireAccessible(page, 'what waits while the server is away')
  await page.evaluate(keepPlainMessages)

  // Someone is faster: the server is back elsewhere before this browser can see it.
  await instance.start(await freePort())
  for (const [id, body] of [
    [edited.id, { aircraftReg: 'LN-RPA' }],
    [clashing.id, { note: 'theirs' }],
  ] as const)
    assert.equal((await instance.request('PATCH', `/flights/${id}`, body)).status, 200)
  await instance.kill()
  await instance.start()
  await retryNow(page)
  // It would lie over the button that saves.
  await page
    .locator('.toast', { hasText: '3 changes were sent to the server.' })
    .getByRole('button', { name: /^Close/ })
    .click()

  await items(page).filter({ hasText: 'also changed elsewhere' }).waitFor()
  assert.equal(await items(page).count(), 1)
  await page.getByRole('link', { name: /^Choose values/ }).click()
  const conflict = page.getByRole('alert').filter({ hasText: 'also changed elsewhere' })
  await conflict.getByRole('radio', { name: /^Your change/ }).check()
  await save(page)
  await heading(page, /CPH/).waitFor()
  await bar(page).waitFor({ state: 'detached' })

  const flights = await instance.flights()
  assert.deepEqual(
    flights
      .map(({ flightNumber, note, aircraftReg, version }) => [flightNumber, note, aircraftReg, version])
      .sort(),
    [
      ['SK909', 'written on the plane', 'LN-RPA', 3],
      ['SK910', 'mine', null, 3],
      ['SK912', null, 'OY-KBO', 1],
    ],
  )
  assert.equal((await instance.request('GET', `/flights/${doomed.id}`)).status, 404)
  await page.goto('/waiting')
  await page.getByText('Everything is synced').waitFor()
}

/** Stands on the address, so that the server can be killed when a response has left it and has not arrived. */
class Between {
  readonly #port: number
  readonly #behind: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(port: number, behind: number) {
    this.#port = port
    this.#behind = behind
    this.#server = createServer((client) => this.#join(client))
  }

  /** Called with the first response to such a request, which is then dropped. */
  onResponseTo: { request: string; lost: () => void } | null = null

  #join(client: Socket): void {
    const server = connect(this.#behind, '127.0.0.1')
    let isWatched = false
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (chunk) => {
      if (this.onResponseTo && chunk.toString('latin1').startsWith(this.onResponseTo.request))
        isWatched = true
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (!isWatched) client.write(chunk)
      else {
        this.onResponseTo?.lost()
        this.onResponseTo = null
        client.destroy()
      }
    })
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}

async function unanswered(
  instance: Instance,
  open: (path: string, visit?: Visit) => Promise<Page>,
  kind: 'POST' | 'PUT' | 'DELETE',
): Promise<void> {
  const behind = await freePort()
  await instance.start(behind)
  const between = new Between(instance.port, behind)
  await between.listen()
  try {
    const flight = await instance.log({ flightNumber: 'SK909', note: 'as it was' })
    const page = await open('/sign-in?next=/flights')
    await signIn(page)
    await page.goto(`/flights/${flight.id}`)
    await heading(page, /CPH/).waitFor()
    await page.goto(kind === 'POST' ? '/flights/new' : `/flights/${flight.id}/edit`)
    const killed = new Promise<void>((resolve) => {
      const path = kind === 'POST' ? '/app/api/flights ' : `/app/api/flights/${flight.id} `
      const lost = () => void instance.kill().then(resolve)
      between.onResponseTo = { request: `${kind} ${path}`, lost }
    })
    if (kind === 'POST') await addFlight(page, 'JFK', 'CPH', 'SK912')
    if (kind === 'PUT') await editNote(page, flight.id, 'once')
    if (kind === 'DELETE') {
      await page.goto('/flights')
      await row(page, 'SK909').focus()
      await page.keyboard.press('Delete')
    }
    const said = kind === 'DELETE' ? 'Flight deleted on this device.' : 'Saved on this device.'
    // The message leaves by itself, perhaps before the server has ended.
    await Promise.all([killed, page.getByText(said).waitFor()])
    await page.goto('/waiting')
    await items(page).first().waitFor()
    assert.equal(await items(page).count(), 1)

    await instance.start(behind)
    await retryNow(page)
    await page.getByText('Everything is synced').waitFor()
    const flights = await instance.flights()
    if (kind === 'POST')
      assert.deepEqual(flights.map(({ flightNumber }) => flightNumber).sort(), ['SK909', 'SK912'])
    if (kind === 'PUT') assert.deepEqual([flights[0]?.note, flights[0]?.version], ['once', 2])
    if (kind === 'DELETE') {
      assert.deepEqual(flights, [])
      const bin = (await instance.request('GET', '/flights/deleted')).json.data
      assert.equal(bin.length, 1)
    }
  } finally {
    between.close()
  }
}

// A server that is killed while the app is open in a real browser. Used by the journey of every run, and by the long ones.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type EngineName, freshDatabase } from '../harness.ts'
import { freePort } from '../postgres.ts'
import { isLong } from '../rounds.ts'
import { ask, contrail, type ServerProcess, startServer } from '../running/processes.ts'
import { createVisits, heading, type Visit } from './browser.ts'
import { announceUser, executablePath } from './contexts.ts'
import { follow } from './screens.ts'
import { items, prepare, retryNow, row, save, savedHere } from './waiting.ts'

const PASSWORD = 'correct horse battery'

interface StoredFlight {
  id: number
  version: number
  flightNumber: string | null
  note: string | null
  aircraftReg: string | null
}

/** One log at one address, whose server is stopped and started. */
export class Instance {
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

  /** `at`: another port than that of the address, so that the browser does not reach it yet. */
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

/** Opens the list, with everything for offline use cached in the browser. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await heading(page, 'Flights').waitFor()
  await prepare(page)
}

export async function addFlight(page: Page, from: string, to: string, number: string): Promise<void> {
  await follow(page, '/flights/new')
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

export async function editNote(page: Page, id: number, note: string): Promise<void> {
  await follow(page, `/flights/${id}/edit`)
  await page.getByLabel('Note').fill(note)
  await save(page)
}

/** Listens at the address, so that the server can be killed after sending a response that has not arrived. */
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

type Open = (path: string, visit?: Visit) => Promise<Page>
type Run = (instance: Instance, open: Open) => Promise<void>

/** Journeys with a separate server, log and browser. */
export function killedServer(
  engine: EngineName,
  define: (journey: (title: string, run: Run) => void) => void,
) {
  const skip =
    existsSync(executablePath) || process.env['REQUIRE_BROWSER']
      ? false
      : `there is no Chromium at ${executablePath}`
  describe(`a killed server on ${engine}`, { skip }, () => {
    let browser: Browser
    const shared = announceUser()
    before(async () => {
      browser = await shared.browser()
    })
    after(() => shared.leave())
    define((title, run) =>
      test(title, async () => {
        const instance = new Instance(await freePort(), await freshDatabase(engine))
        const visits = createVisits(instance, browser)
        try {
          await instance.setUp()
          // A starting server responds with 503: the app, which retries on its own, may get one.
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
      }))
  })
}

/**
 * Killed between storing and answering: a new flight, and in long rounds an edit and a deletion. Each waits, and is stored once.
 * That the server repeats no change after it was killed: test/running/retry.test.ts. An edit without a response:
 * unreached.test.ts; a deletion: bin.test.ts.
 */
export async function unanswered(instance: Instance, open: Open): Promise<void> {
  const behind = await freePort()
  await instance.start(behind)
  const between = new Between(instance.port, behind)
  await between.listen()
  try {
    const flight = await instance.log({ flightNumber: 'SK909', note: 'as it was' })
    const page = await open('/sign-in?next=/flights')
    await signIn(page)
    await row(page, 'SK909').waitFor()
    const one = `/app/api/flights/${flight.id} `
    await killDuring('POST /app/api/flights ', async () => {
      await addFlight(page, 'JFK', 'CPH', 'SK912')
      await savedHere(page)
    })
    const numbers = (await instance.flights()).map(({ flightNumber }) => flightNumber)
    assert.deepEqual(numbers.sort(), ['SK909', 'SK912'])
    if (!isLong) return
    await killDuring(`PUT ${one}`, async () => {
      await editNote(page, flight.id, 'once')
      await savedHere(page)
    })
    const edited = (await instance.flights()).find(({ id }) => id === flight.id)
    assert.deepEqual([edited?.note, edited?.version], ['once', 2])
    await killDuring(`DELETE ${one}`, async () => {
      await follow(page, '/flights')
      await row(page, 'SK909').focus()
      await page.keyboard.press('Delete')
      await page.getByText('Flight deleted on this device.').waitFor()
    })
    assert.deepEqual(
      (await instance.flights()).map(({ flightNumber }) => flightNumber),
      ['SK912'],
    )
    assert.equal((await instance.request('GET', '/flights/deleted')).json.data.length, 1)

    async function killDuring(request: string, act: () => Promise<void>): Promise<void> {
      const killed = new Promise<void>((resolve) => {
        between.onResponseTo = { request, lost: () => void instance.kill().then(resolve) }
      })
      // The message of `act` disappears after a while, perhaps before the server has stopped.
      await Promise.all([killed, act()])
      // Also over a reload.
      await page.goto('/waiting')
      await items(page).first().waitFor()
      assert.equal(await items(page).count(), 1)
      await instance.start(behind)
      await retryNow(page)
      await page.getByText('Everything is synced').waitFor()
    }
  } finally {
    between.close()
  }
}

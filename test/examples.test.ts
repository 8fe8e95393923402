// The programs in docs/examples, run exactly as they are printed there, by real processes against the real application.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom, onSqlite, type TestPerson } from './harness.ts'
import { freePort } from './postgres.ts'
import { isLong } from './rounds.ts'
import { until } from './until.ts'
import { createHook, createTestDeliveries } from './webhooks/receiver.ts'

const folder = join(import.meta.dirname, '../docs/examples')
const LINES_AT_MOST = 79
const SEED = Number(process.env['SYNC_SEED'] ?? Date.now() % 1_000_000)
const ROUNDS = Number(process.env['SYNC_ROUNDS'] ?? (isLong ? 60 : 4))

interface Program {
  process: ChildProcess
  lines: string[]
  errors: string[]
  ended: Promise<number | null>
}

function start(name: string, words: string[], env: Record<string, string>): Program {
  const child = spawn(process.execPath, [join(folder, name), ...words], { env: { ...process.env, ...env } })
  const lines: string[] = []
  const errors: string[] = []
  const collect = (into: string[]) => (chunk: Buffer) =>
    into.push(...chunk.toString().split('\n').filter(Boolean))
  child.stdout.on('data', collect(lines))
  child.stderr.on('data', collect(errors))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { process: child, lines, errors, ended }
}

async function runToEnd(name: string, words: string[], env: Record<string, string>): Promise<string[]> {
  const program = start(name, words, env)
  assert.equal(await program.ended, 0, program.errors.join('\n'))
  return program.lines
}

test('every example is one short file', () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.mjs'))) {
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').length
    assert.ok(lines <= LINES_AT_MOST, `${name}: ${lines}`)
  }
})

onSqlite(
  'examples',
  (app) => {
    let ada: TestPerson
    let env: Record<string, string>
    let key: string
    let airports: number[]
    before(async () => {
      ada = await app().person()
      key = await ada.key()
      env = { CONTRAIL_URL: app().url, CONTRAIL_KEY: key }
      airports = await Promise.all(['CPH', 'EWR', 'OSL', 'ARN'].map((code) => app().airportId(code)))
    })
    const call = (method: string, path: string, body?: unknown) =>
      app().request(method, `/api/v1${path}`, { key, ...(body === undefined ? {} : { body }) })
    const flight = (i: number) => ({
      date: `2026-0${1 + (i % 9)}-1${i % 10}`,
      fromId: airports[i % 4],
      toId: airports[(i + 1) % 4],
      flightNumber: `SK${i}`,
    })

    async function everyFlight(): Promise<Record<string, unknown>> {
      const found: Record<string, unknown> = {}
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { json } = await call('GET', `/flights?limit=50${cursor && `&cursor=${cursor}`}`)
        for (const one of json.data) found[one.id] = one
        cursor = json.page.nextCursor
      }
      return found
    }

    test(`sync: after random kills both sides are equal (SYNC_SEED=${SEED})`, async () => {
      const random = createRandom(SEED)
      const file = join(mkdtempSync(join(tmpdir(), 'sync-')), 'flights.json')
      const read = () => JSON.parse(readFileSync(file, 'utf8'))
      for (let i = 0; i < 8; i++) await call('POST', '/flights', flight(i))
      await runToEnd('sync.mjs', [file], env)
      assert.deepEqual(read().flights, await everyFlight())
      for (let round = 0; round < ROUNDS; round++) {
        editFile(file, random, round)
        const syncing = start('sync.mjs', [file], env)
        await editLog(random, round)
        await pause(random.below(400))
        syncing.process.kill('SIGKILL')
        await syncing.ended
      }
      await runToEnd('sync.mjs', [file], env)
      await runToEnd('sync.mjs', [file], env)
      const { flights, added } = read()
      assert.deepEqual(added, {})
      assert.deepEqual(flights, await everyFlight())
      const names = Object.values(flights).flatMap((one) => (one as never)['externalIds']['sync'] ?? [])
      assert.equal(new Set(names).size, names.length)
    })

    function editFile(file: string, random: ReturnType<typeof createRandom>, round: number): void {
      const copy = JSON.parse(readFileSync(file, 'utf8'))
      copy.added[`new ${round}`] = flight(random.below(1000))
      const ids = Object.keys(copy.flights)
      const [edited, deleted] = [random.pick(ids), random.pick(ids)]
      if (edited) Object.assign(copy.flights[edited], { note: `edited ${round}`, edited: true })
      if (deleted && random.below(3) === 0) copy.flights[deleted].deleted = true
      writeFileSync(file, JSON.stringify(copy))
    }

    async function editLog(random: ReturnType<typeof createRandom>, round: number): Promise<void> {
      await call('POST', '/flights', flight(random.below(1000)))
      const ids = Object.keys(await everyFlight())
      await call('PATCH', `/flights/${random.pick(ids)}`, { note: `from elsewhere ${round}` })
      if (random.below(3) === 0) await call('DELETE', `/flights/${random.pick(ids)}`)
    }

    test('poller: the next flight is printed, and another one after a change', async () => {
      const bo = await app().person()
      const boKey = await bo.key()
      const poller = start('poller.mjs', [], { ...env, CONTRAIL_KEY: boKey })
      try {
        await until('the poller prints what is next', () => poller.lines.length === 1)
        assert.equal(poller.lines[0], 'null')
        const body = { ...flight(9), date: '2026-08-01' }
        const { json } = await app().request('POST', '/api/v1/flights', { key: boKey, body })
        await until('the poller prints the new flight', () => poller.lines.length === 2)
        assert.match(poller.lines[1]!, /"flight":"SK9","from":"EWR","to":"OSL","date":"2026-08-01"/)
        await app().request('DELETE', `/api/v1/flights/${json.data.id}`, { key: boKey })
        await until('the poller prints that it is gone', () => poller.lines.length === 3)
        assert.equal(poller.lines[2], 'null')
      } finally {
        poller.process.kill()
      }
    })

    test('importer: importing the same file twice adds each flight once', async () => {
      const file = join(mkdtempSync(join(tmpdir(), 'import-')), 'flights.csv')
      const rows = Array.from({ length: 12 }, (_, i) => `row-${i},2025-03-${10 + i},CPH,ARN,SK,"SK ""${i}"""`)
      writeFileSync(file, `id,date,from,to,airline,flightNumber\r\n${rows.join('\r\n')}\r\n`)
      const [first] = await runToEnd('importer.mjs', ['old-app', file], env)
      assert.deepEqual(JSON.parse(first!), { created: 12, updated: 0, unchanged: 0, deleted: 0, failed: 0 })
      const [second] = await runToEnd('importer.mjs', ['old-app', file], env)
      assert.deepEqual(JSON.parse(second!), { created: 0, updated: 0, unchanged: 12, deleted: 0, failed: 0 })
      const { json } = await call('GET', '/flights/by-external-id/old-app/row-3')
      assert.equal(json.data.flightNumber, 'SK "3"')
    })

    test('calendar: the upcoming flights and a working address are printed', async () => {
      await call('POST', '/flights', { ...flight(77), date: '2026-09-01' })
      const lines = await runToEnd('calendar.mjs', ['Ada’s flights'], env)
      assert.ok(lines.some((line) => line.includes('SK77')))
      const address = lines.at(-1)!.replace(/^webcal:/, 'http:')
      const calendar = await (await fetch(address)).text()
      assert.match(calendar, /^BEGIN:VCALENDAR\r\n/)
    })

    test('webhook receiver: signed messages are accepted once, others are refused', async () => {
      // The program compares times of messages with its own clock.
      app().clock.set(Date.now())
      const port = await freePort()
      const hook = `http://127.0.0.1:${port}/`
      const { secret } = await createHook(app(), key, { url: hook })
      const receiver = start('webhook-receiver.mjs', [], { WEBHOOK_SECRET: secret, PORT: String(port) })
      const deliveries = createTestDeliveries(app())
      try {
        await until('the receiver listens', () =>
          receiver.errors.some((line) => line.startsWith('listening')),
        )
        const { json } = await call('POST', '/flights', flight(42))
        await deliveries.deliverDue()
        await call('PATCH', `/flights/${json.data.id}`, { note: 'again' })
        await deliveries.deliverDue()
        const forged = await fetch(hook, { method: 'POST', body: '{"type":"ping"}' })
        assert.equal(forged.status, 400)
        const { id } = json.data
        const seen = receiver.lines.map((line) => JSON.parse(line))
        assert.deepEqual(seen, [
          { type: 'flight.created', id, version: 1, flight: 'SK42' },
          { type: 'flight.updated', id, version: 2, flight: 'SK42' },
        ])
      } finally {
        receiver.process.kill()
        await deliveries.stop()
      }
    })
  },
  {},
  { atOrigin: true },
)

// Each kind of heavy work has its own lane: too much of one kind is refused and blocks no other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../server/base/errors.ts'
import { createZip, unzip } from '../server/base/response/gzip.ts'
import { createTurns, type Waiter } from '../server/base/turns.ts'
import { onBothEngines } from './harness.ts'

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

const refused = (error: unknown) => {
  assert.ok(error instanceof AppError)
  assert.deepEqual([error.status, error.problem.reason], [503, 'server_busy'])
  assert.match(error.headers['retry-after']!, /^\d+$/)
  return true
}

test('a lane runs its limit concurrently, queues more and refuses beyond its queue', async () => {
  const inTurn = createTurns({ atOnce: 2, waitingAtMost: 3 })
  let [running, most] = [0, 0]
  const gate = held()
  const work = async () => {
    running++
    most = Math.max(most, running)
    await gate.work()
    running--
  }
  const given = Array.from({ length: 5 }, () => inTurn(work))
  await assert.rejects(inTurn(work), refused)
  // The server's own work is queued, however much it is.
  const own = Array.from({ length: 20 }, () => inTurn(work, 'server'))
  gate.end()
  await Promise.all([...given, ...own])
  assert.equal(most, 2)
  await inTurn(work)
})

test('strangers have their own queue, served after known clients', async () => {
  const inTurn = createTurns({ atOnce: 1, waitingAtMost: 2 })
  const order: string[] = []
  const gate = held()
  const first = inTurn(gate.work)
  const wait = (waiter: Waiter, name: string) => inTurn(async () => void order.push(name), waiter)
  const waiting = [wait('stranger', 'a stranger'), wait('stranger', 'another')]
  await assert.rejects(wait('stranger', 'a third'), refused)
  waiting.push(wait('known', 'someone known'), wait('known', 'someone else'))
  gate.end()
  await Promise.all([first, ...waiting])
  assert.deepEqual(order, ['someone known', 'someone else', 'a stranger', 'another'])
})

test('failed work frees its slot', async () => {
  const inTurn = createTurns({ atOnce: 1, waitingAtMost: 0 })
  await assert.rejects(inTurn(() => Promise.reject(new Error('broken'))))
  assert.equal(await inTurn(async () => 1), 1)
})

test('concurrent requests for one response compress it once', async () => {
  const zip = createZip()
  const bytes = Buffer.from('flight '.repeat(100_000))
  const zipped = await Promise.all(Array.from({ length: 500 }, () => zip('one', bytes, 'stranger')))
  assert.equal(new Set(zipped).size, 1)
  assert.deepEqual(await unzip(zipped[0]!), bytes)
  const others = Array.from({ length: 100 }, (_, i) => zip(`key ${i}`, bytes, 'stranger'))
  const settled = await Promise.allSettled(others)
  const outcomes = Map.groupBy(settled, ({ status }) => status)
  assert.ok(outcomes.get('fulfilled')!.length >= 34)
  for (const one of outcomes.get('rejected') ?? []) refused((one as PromiseRejectedResult).reason)
})

onBothEngines(
  'lanes',
  (app) => {
    test('many sign-ins block neither pages nor compressed responses', async () => {
      const ada = await app().person()
      const key = await ada.key()
      const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
      const passengers = [{ userId: ada.id }]
      const body = { date: '2026-05-01', fromId, toId, note: 'x'.repeat(9000), passengers }
      for (let i = 0; i < 8; i++) await app().request('POST', '/api/v1/flights', { key, body })
      const guesses = Array.from({ length: 120 }, (_, i) =>
        app().request('POST', '/app/api/sign-in', {
          body: { username: `unknown-${i}`, password: 'wrong' },
          headers: { 'sec-fetch-site': 'same-origin', 'x-client-address': `203.0.113.${i}` },
        }),
      )
      const pages = Array.from({ length: 20 }, (_, i) =>
        fetch(`${app().url}/api/v1/flights?limit=${8 + i}`, {
          headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
        }),
      )
      for (const page of await Promise.all(pages)) {
        assert.equal(page.status, 200)
        assert.equal(page.headers.get('content-encoding'), 'gzip')
        await page.arrayBuffer()
      }
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      assert.ok(statuses.every((status) => status === 401 || status === 429))
      assert.ok(statuses.includes(401))
    })
  },
  { addressHeader: 'x-client-address' },
)

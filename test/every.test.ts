// Periodic work of a process: runs never overlap, and one cause makes one line in the log.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { every } from '../server/base/every.ts'

beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'setTimeout'] }))
afterEach(() => mock.timers.reset())

/** Resolves after all callbacks of settled promises have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms)
  await settled()
}

function logged() {
  const lines: string[] = []
  const warn = (message: string, facts: Record<string, unknown> = {}) =>
    void lines.push(`${message}: ${facts['reason']}`)
  return { lines, log: { warn } }
}

test('the function runs immediately and at every interval, until it is stopped', async () => {
  let looks = 0
  const { log } = logged()
  const look = () => void looks++
  const stops = [every(100, look, { log, what: 'look' }), every(100, look, { log, what: 'look', firstMs: 0 })]
  await pass(50)
  assert.equal(looks, 1, 'the one that begins immediately')
  await pass(50)
  assert.equal(looks, 3)
  await pass(100)
  assert.equal(looks, 5)
  for (const stop of stops) await stop()
  await pass(1000)
  assert.equal(looks, 5)
})

test('a timer stopped before its first run never runs', async () => {
  let looks = 0
  const stop = every(100, () => void looks++, { ...logged(), what: 'look', firstMs: 10 })
  await stop()
  await pass(1000)
  assert.equal(looks, 0)
})

test('runs never overlap, and stopping waits for a running one', async () => {
  let looks = 0
  let look = Promise.withResolvers<void>()
  const slow = () => {
    looks++
    return look.promise
  }
  const stop = every(100, slow, { ...logged(), what: 'look' })
  await pass(350)
  assert.equal(looks, 1)
  look.resolve()
  await settled()
  look = Promise.withResolvers()
  await pass(100)
  assert.equal(looks, 2)
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await settled()
  assert.ok(!isStopped)
  look.resolve()
  await stopped
})

test('a failure is logged once, until another failure or a success', async () => {
  const { lines, log } = logged()
  const outcomes: (Error | string | undefined)[] = [
    new Error('away'),
    new Error('away'),
    'other',
    new Error('away'),
    undefined,
    new Error('away'),
  ]
  const look = () => {
    const outcome = outcomes.shift()
    if (outcome !== undefined) throw outcome
  }
  const stop = every(100, look, { log, what: 'look for mails' })
  for (let i = 0; i < 6; i++) await pass(100)
  assert.deepEqual(lines, [
    'could not look for mails: away',
    'could not look for mails: other',
    'could not look for mails: away',
    'could not look for mails: away',
  ])
  await stop()
})

// The delivery of webhooks in real processes: killed in the middle, stopped, several at once.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp } from '../harness.ts'
import { startServer } from '../running/processes.ts'
import { createHook, type Receiver, startReceiver, verify, withStatus } from './receiver.ts'

const startProcess = ({ config }: TestApp, settings: Record<string, string> = {}) =>
  startServer(config, { ORIGIN: config.origin, ...settings })

onBothEngines('processes that deliver webhooks', (app) => {
  let receiver: Receiver & { close(): Promise<void> }
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())
  beforeEach(async () => {
    app().clock.set(Date.now())
    await app().store.transaction((tx) => tx.execute('delete from webhook'))
    receiver.take()
    receiver.respond = withStatus(204)
  })

  async function logFlights(count: number) {
    const ada = await app().person()
    const hook = await createHook(app(), await ada.key(), { url: receiver.url })
    const [fromId, toId] = await airportIds(app(), 'CPH', 'EWR')
    const ids: number[] = []
    for (let i = 0; i < count; i++) {
      ids.push((await logFlight(app(), ada, { date: '2026-02-20', fromId, toId })).id)
    }
    return { ids, hook }
  }

  /** Resolves once that many requests have arrived. */
  const arrivals = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const answer = receiver.respond
      const check = () => {
        if (receiver.received.length >= count) resolve()
      }
      receiver.respond = (response, got) => {
        answer(response, got)
        check()
      }
      check()
    })

  const flightsIn = () => receiver.received.map(({ json }) => json.data.id as number)

  test('one that is killed amid a request loses nothing', async () => {
    const { ids, hook } = await logFlights(5)
    // The third request is never answered.
    receiver.respond = (response) => {
      if (receiver.received.length < 3) response.writeHead(200).end()
    }
    const third = arrivals(3)
    const first = await startProcess(app())
    await third
    await first.stop('SIGKILL')
    assert.deepEqual(flightsIn(), ids.slice(0, 3))
    const unanswered = receiver.received[2]!.headers['webhook-id']

    // The lease of the killed process ends after a minute; the test does not wait for it.
    await app().store.transaction((tx) =>
      tx.execute(`update webhook set lease_until = '2000-01-01T00:00:00.000Z'`),
    )
    receiver.take()
    receiver.respond = withStatus(200)
    const rest = arrivals(3)
    const second = await startProcess(app())
    await rest
    assert.equal(await second.stop(), 0)
    assert.deepEqual(flightsIn(), ids.slice(2))
    assert.equal(receiver.received[0]!.headers['webhook-id'], unanswered)
    for (const each of receiver.received) verify(hook.secret, each, Date.now())
    const log = JSON.stringify([first.lines, second.lines])
    assert.ok(!log.includes(hook.secret.slice(6)), 'the secret is in the log')
  })

  test('two of them deliver each message once, and see what is written meanwhile', async () => {
    const processes = await Promise.all([startProcess(app()), startProcess(app())])
    const all = arrivals(8)
    const { ids } = await logFlights(8)
    await all
    for (const { stop } of processes) assert.equal(await stop(), 0)
    assert.deepEqual(flightsIn(), ids)
  })

  test('one that is told to stop ends at once, although a receiver does not respond', async () => {
    const { ids } = await logFlights(1)
    receiver.respond = () => {}
    const asked = arrivals(1)
    const server = await startProcess(app())
    await asked
    assert.equal(await server.stop(), 0)
    receiver.take()
    receiver.respond = withStatus(200)
    const again = arrivals(1)
    const next = await startProcess(app())
    await again
    assert.deepEqual(flightsIn(), ids)
    await next.stop()
  })

  test('with WEBHOOKS=false nothing is sent', async () => {
    await logFlights(1)
    const silent = await startProcess(app(), { WEBHOOKS: 'false' })
    // A second process would deliver it; this one has had the time that the other needs to start.
    const other = await startProcess(app(), { WEBHOOKS: 'false' })
    assert.deepEqual(receiver.received, [])
    for (const { stop } of [silent, other]) assert.equal(await stop(), 0)
    assert.deepEqual(receiver.received, [])
  })
})

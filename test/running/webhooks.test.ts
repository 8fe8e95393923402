// The delivery of webhooks in real processes: killed in the middle, stopped, several at once.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp } from '../harness.ts'
import { createHook, type Receiver, startReceiver, verify, withStatus } from '../webhooks/receiver.ts'
import { startServer } from './processes.ts'

const startProcess = ({ config }: TestApp, settings: Record<string, string> = {}) =>
  startServer(config, { ORIGIN: config.origin, ...settings })

onBothEngines('processes that deliver webhooks', (app, engine) => {
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

  test('A process that is killed or told to stop amid a request loses nothing', async () => {
    const { ids, hook } = await logFlights(5)
    // The third request is never answered.
    receiver.respond = (response) => {
      if (receiver.received.length < 3) response.writeHead(200).end()
    }
    const third = arrivals(3)
    const killed = await startProcess(app())
    await third
    await killed.stop('SIGKILL')
    assert.deepEqual(flightsIn(), ids.slice(0, 3))
    const unanswered = receiver.take()[2]!.headers['webhook-id']

    // The lease of the killed process ends after a minute; the test does not wait for it.
    await app().store.transaction((tx) =>
      tx.execute(`update webhook set lease_until = '2000-01-01T00:00:00.000Z'`),
    )
    // The last request is not answered; a process that is told to stop does not wait for that.
    receiver.respond = (response) => {
      if (receiver.received.length < 3) response.writeHead(200).end()
    }
    const last = arrivals(3)
    const stopped = await startProcess(app())
    await last
    assert.equal(await stopped.stop(), 0)
    assert.deepEqual(flightsIn(), ids.slice(2))
    assert.equal(receiver.received[0]!.headers['webhook-id'], unanswered)
    for (const each of receiver.received) verify(hook.secret, each, Date.now())

    receiver.take()
    receiver.respond = withStatus(200)
    const rest = arrivals(1)
    const next = await startProcess(app())
    await rest
    assert.equal(await next.stop(), 0)
    assert.deepEqual(flightsIn(), ids.slice(4))
    const log = JSON.stringify([killed.lines, stopped.lines, next.lines])
    assert.ok(!log.includes(hook.secret.slice(6)), 'the secret is in the log')
  })

  test('Two processes deliver each message once, and see what is written meanwhile', async () => {
    const processes = await Promise.all([startProcess(app()), startProcess(app())])
    const all = arrivals(8)
    const { ids } = await logFlights(8)
    await all
    for (const { stop } of processes) assert.equal(await stop(), 0)
    assert.deepEqual(flightsIn(), ids)
  })

  // No part of the database decides it.
  if (engine === 'postgres') return
  test('With WEBHOOKS=false nothing is sent', async () => {
    await logFlights(1)
    const silent = await startProcess(app(), { WEBHOOKS: 'false' })
    // A second process would deliver it; this one has had the time that the other needs to start.
    const other = await startProcess(app(), { WEBHOOKS: 'false' })
    assert.deepEqual(receiver.received, [])
    for (const { stop } of [silent, other]) assert.equal(await stop(), 0)
    assert.deepEqual(receiver.received, [])
  })
})

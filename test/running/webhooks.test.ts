// The delivery of webhooks in real processes: killed during a delivery, stopped, several concurrently.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { airportIds, logFlight } from '../fixtures.ts'
import { type EngineName, startTestApp, type TestApp, type TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { createHook, type Receiver, startReceiver, verify, withStatus } from '../webhooks/receiver.ts'
import { startServer } from './processes.ts'

interface Scene {
  app: TestApp & { close(): Promise<void> }
  receiver: Receiver & { close(): Promise<void> }
  ada: TestPerson
  hook: Awaited<ReturnType<typeof createHook>>
}

async function createScene(engine: EngineName): Promise<Scene> {
  const [app, receiver] = [await startTestApp(engine), await startReceiver()]
  app.clock.set(Date.now())
  const ada = await app.person()
  return { app, receiver, ada, hook: await createHook(app, await ada.key(), { url: receiver.url }) }
}

async function endScene({ app, receiver }: Scene): Promise<void> {
  await app.close()
  await receiver.close()
}

async function logFlights({ app, ada }: Scene, count: number): Promise<number[]> {
  const [fromId, toId] = await airportIds(app, 'CPH', 'EWR')
  const ids: number[] = []
  for (let i = 0; i < count; i++) {
    ids.push((await logFlight(app, ada, { date: '2026-02-20', fromId, toId })).id)
  }
  return ids
}

const startProcess = ({ app: { config } }: Scene, settings: Record<string, string> = {}) =>
  startServer(config, { ORIGIN: config.origin, ...settings })

const arrivals = ({ receiver }: Scene, count: number) =>
  until(`${count} messages have arrived`, () => receiver.received.length >= count)

const flightsIn = ({ receiver }: Scene) => receiver.received.map(({ json }) => json.data.id as number)

/** The lease of a killed process expires after a minute; the test does not wait for it. */
const endLease = ({ app }: Scene) =>
  app.store.transaction((tx) => tx.execute(`update webhook set lease_until = '2000-01-01T00:00:00.000Z'`))

describe('a process that delivers webhooks', () => {
  let scene: Scene
  before(async () => {
    scene = await createScene('sqlite')
  })
  after(() => endScene(scene))

  test('no message is lost by a kill or stop during a request, and none is sent with WEBHOOKS=false', async () => {
    const { receiver, hook } = scene
    const ids = await logFlights(scene, 5)
    const silent = await startProcess(scene, { WEBHOOKS: 'false' })
    assert.equal(await silent.stop(), 0)
    assert.equal(receiver.received.length, 0)

    // The third request gets no response.
    receiver.respond = (response) => {
      if (receiver.received.length < 3) response.writeHead(200).end()
    }
    const killed = await startProcess(scene)
    await arrivals(scene, 3)
    await killed.stop('SIGKILL')
    assert.deepEqual(flightsIn(scene), ids.slice(0, 3))
    const unanswered = receiver.received[2]!.headers['webhook-id']
    await endLease(scene)

    receiver.take()
    receiver.respond = () => {}
    const stopped = await startProcess(scene)
    await arrivals(scene, 1)
    assert.equal(await stopped.stop(), 0, 'it ends although the receiver does not respond')
    assert.equal(receiver.received[0]!.headers['webhook-id'], unanswered)

    receiver.take()
    receiver.respond = withStatus(200)
    const last = await startProcess(scene)
    await arrivals(scene, 3)
    assert.equal(await last.stop(), 0)
    assert.deepEqual(flightsIn(scene), ids.slice(2))
    assert.equal(receiver.received[0]!.headers['webhook-id'], unanswered)
    for (const each of receiver.received) verify(hook.secret, each, Date.now())
    const log = JSON.stringify([killed.lines, stopped.lines, last.lines])
    assert.ok(!log.includes(hook.secret.slice(6)), 'the secret is in the log')
  })
})

describe('two processes that deliver webhooks', () => {
  let scene: Scene
  before(async () => {
    scene = await createScene('postgres')
  })
  after(() => endScene(scene))

  test('each message is sent once, with the changes made meanwhile', async () => {
    const processes = await Promise.all([startProcess(scene), startProcess(scene)])
    const ids = await logFlights(scene, 8)
    await arrivals(scene, 8)
    for (const { stop } of processes) assert.equal(await stop(), 0)
    assert.deepEqual(flightsIn(scene), ids)
  })
})

// Notifications in real processes: two that share a database, and one that is killed at different steps.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { HOUR, MINUTE } from '../../server/domain/time/durations.ts'
import { insertNotice } from '../../server/store/people/notices.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import { startTestApp, type TestApp, type TestPerson } from '../harness.ts'
import { type PushService, startPushService, withStatus } from '../push/service.ts'
import { until } from '../until.ts'
import { type ServerProcess, startServer } from './processes.ts'

const DEVICES_EACH = 2
/** Requests to one push service at a time. */
const IN_FLIGHT_AT_MOST = 16

describe('processes that send notifications', () => {
  let app: TestApp & { close(): Promise<void> }
  let service: PushService
  const people: TestPerson[] = []
  before(async () => {
    ;[app, service] = [await startTestApp('postgres'), await startPushService(Date.now)]
    app.clock.set(Date.now())
    for (let i = 0; i < 20; i++) {
      const person = await app.person()
      people.push(person)
      const key = await person.key()
      for (let device = 0; device < DEVICES_EACH; device++) {
        const reply = await app.request('POST', '/api/v1/push-subscriptions', {
          key,
          body: service.subscribe(),
        })
        assert.equal(reply.status, 201, reply.text)
      }
    }
  })
  after(async () => {
    await app.close()
    await service.close()
  })

  const start = () => startServer(app.config, { ORIGIN: app.config.origin })
  const notify = () =>
    app.store.transaction(async (tx) => {
      const data = { userAgent: null, address: null }
      const at = new Date().toISOString()
      for (const { id: userId } of people)
        await insertNotice(tx, { userId, kind: 'session.new', at, data, flightId: null })
    })
  const count = async (rows: string) =>
    Number((await app.store.read.query(`select count(*) as n from ${rows}`, []))[0]!['n'])
  const sent = () =>
    until('everything is sent', async () => {
      const waiting = await count('notification where expanded_at is null')
      return waiting === 0 && (await count('notification_delivery')) === 0
    })
  /** How often each message arrived, by device and tag. */
  const arrivals = () => Map.groupBy(service.received, ({ path, json }) => `${path} ${json.notification.tag}`)
  const requireSilent = ({ lines }: ServerProcess) => assert.ok(!JSON.stringify(lines).includes('/send/'))

  test('two processes send each message once', async () => {
    const [fromId, toId] = await airportIds(app, 'CPH', 'EWR')
    const departure = new Date(Date.now() + 3 * HOUR - MINUTE).toISOString()
    for (const person of people)
      await logFlight(app, person, { date: departure.slice(0, 10), fromId, toId, departure })
    await notify()
    const processes = await Promise.all([start(), start()])
    // Reminders are looked for a second after the start.
    await until('reminders are found', async () => (await count("notification where kind = 'reminder'")) > 0)
    await notify()
    await sent()
    for (const each of processes) {
      assert.equal(await each.stop(), 0)
      requireSilent(each)
    }
    const found = arrivals()
    assert.equal(found.size, 3 * people.length * DEVICES_EACH)
    assert.equal(service.take().length, found.size)
  })

  test('a process that is killed loses nothing and repeats at most what was in flight', async () => {
    const hold = () => {}
    const respondTo = (most: number) => (response: Parameters<PushService['respond']>[0]) =>
      service.received.length <= most ? void response.writeHead(201).end() : undefined
    const steps: [string, PushService['respond'], () => Promise<boolean>][] = [
      ['nothing is sent yet', hold, async () => (await count('notification_delivery')) > 0],
      ['requests are open', hold, async () => service.received.length === IN_FLIGHT_AT_MOST],
      ['some were accepted', respondTo(7), async () => service.received.length > 7],
    ]
    await notify()
    let killed = 0
    for (const [step, respond, isReached] of steps) {
      service.respond = respond
      const process = await start()
      await until(step, isReached)
      await process.stop('SIGKILL')
      requireSilent(process)
      killed++
      // The leases of a killed process expire after two minutes; the test does not wait for it.
      await app.store.transaction((tx) =>
        tx.execute("update notification_delivery set lease_until = null, next_attempt_at = '2000-01-01'"),
      )
    }
    service.respond = withStatus(201)
    const last = await start()
    await sent()
    assert.equal(await last.stop(), 0)
    const found = arrivals()
    assert.equal(found.size, people.length * DEVICES_EACH)
    assert.ok(service.received.length <= found.size + killed * IN_FLIGHT_AT_MOST)
    for (const repeated of found.values())
      assert.equal(new Set(repeated.map(({ headers }) => headers['topic'])).size, 1)
  })
})

// Every operation that programs can call has an example in the API reference, and each example works as it is printed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '../server/door/operation.ts'
import { operations } from '../server/operations/index.ts'
import { insertRole } from '../server/store/access/roles.ts'
import { onBothEngines } from './harness.ts'
import { type CalendarHost, calendar, serving, startCalendarHost, toNewark } from './intake/calendar-host.ts'

const offered = operations.filter((op) => (op.door ?? 'v1') === 'v1')

const requiredNames = (op: Operation): string[] =>
  Object.entries(op.query?.shape ?? {}).flatMap(([name, schema]) =>
    (schema as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success
      ? []
      : [name],
  )

test('every operation with required input has an example', () => {
  const lacking = offered.filter(({ example = {}, params, body, ...op }) => {
    const paramsShown = Object.keys(params?.shape ?? {}).every((name) => name in (example.params ?? {}))
    const queryShown = requiredNames({ ...op, params, body } as Operation).every(
      (name) => name in (example.query ?? {}),
    )
    return !paramsShown || !queryShown || (body !== undefined && example.body === undefined)
  })
  assert.deepEqual(
    lacking.map((op) => op.id),
    [],
  )
})

onBothEngines(
  'examples of operations',
  (app) => {
    let key: string
    let host: CalendarHost
    after(() => host?.close())
    before(async () => {
      host = await startCalendarHost()
      host.respond = serving(calendar(toNewark))
      const owner = await app().person('owner')
      key = await owner.key()
      await prepare()
      const passengers = [{ userId: owner.id }, { guestName: 'Grace' }]
      await call('POST', '/flights', { date: '2026-02-10', fromId: 2542, toId: 3622, passengers })
    })
    const call = (method: string, path: string, body?: unknown) =>
      app().request(method, `/api/v1${path}`, { key, ...(body === undefined ? {} : { body }) })

    /** The records to which the examples refer. */
    async function prepare(): Promise<void> {
      const track = { coordinates: [[12, 55] as const, [-73, 40] as const], sourceFormat: 'gpx' }
      for (let i = 0; i < 8; i++) {
        const flight = { date: `2026-02-0${i + 1}`, fromId: 2542, toId: 3622 }
        const { status, text } = await call('POST', '/flights', flight)
        assert.equal(status, 201, text)
      }
      await call('PUT', '/flights/4/track', track)
      await call('DELETE', '/flights/2')
      for (let i = 0; i < 2; i++) {
        await call('POST', '/shares', { showMap: true })
        await call('POST', '/feeds', { kind: 'ical', name: 'Flights' })
        await call('POST', '/webhooks', { url: 'https://example.org/hook' })
      }
      await call('POST', '/webhooks/1/ping')
      for (const name of ['New York', 'Lisbon']) {
        await call('POST', '/trips', { name, note: null, colour: 'blue', flightIds: [] })
      }
      const flights = 'Date,Flight number,From,To\n2026-02-20,SK915,CPH,EWR\n'
      for (const text of [flights, `${flights}2026-02-22,SK910,EWR,CPH\n`]) {
        await call('POST', '/imports', { filename: 'flights.csv', text })
      }
      const { body: device } = offered.find(({ id }) => id === 'create-push-subscription')!.example!
      await call('POST', '/push-subscriptions', device)
      await call('POST', '/push-subscriptions', {
        ...(device as object),
        endpoint: 'https://push.example.net/2',
      })
      for (const n of [1, 2]) await call('POST', '/subscriptions', { url: `${host.url}?${n}` })
      const named = { date: '2026-01-01', fromId: 2542, toId: 3622 }
      for (const value of ['77', '78']) await call('PUT', `/flights/by-external-id/tripit/${value}`, named)
      await app().store.transaction(async (tx) => {
        for (const name of ['guest', 'former']) {
          const role = { name, description: null, permissions: [] }
          await insertRole(tx, `role-${name}`, role, '2026-01-01T00:00:00.000Z')
        }
      })
    }

    /** Creating a subscription reads its calendar, here from a fake host. */
    const reachable = (body: unknown) =>
      body && JSON.parse(JSON.stringify(body).replace('https://example.org/trips.ics', host.url))

    for (const op of offered) {
      test(`${op.method} ${op.path} accepts its example`, async () => {
        const { params = {}, query = {}, body } = op.example ?? {}
        const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
        const search = new URLSearchParams(
          Object.entries(query).map(([name, value]) => [name, String(value)]),
        )
        const { status, text } = await call(
          op.method,
          `${path}${search.size > 0 ? `?${search}` : ''}`,
          reachable(body),
        )
        assert.equal(status, op.status ?? 200, text)
      })
    }
  },
  {},
  { push: { resolve: async () => [] } },
)

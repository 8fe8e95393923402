// Requests with an idempotency key that run in their own transactions: the effect is saved with the response or with the
// progress. If the server stops in between, the repeat reports what was done and does nothing twice.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Unavailable } from '../../server/base/errors.ts'
import { airportIds } from '../fixtures.ts'
import { onBothEngines, type Reply, type TestApp, type TestPerson } from '../harness.ts'
import { calendar, serving, startCalendarHost, toNewark } from '../intake/calendar-host.ts'

const TWO_FLIGHTS = 'Date,From,To,Flight\n2026-01-05,CPH,ARN,SK1419\n2026-01-06,ARN,CPH,SK1420\n'
/** Longer than a request may be silent, shorter than the lease of an import. */
const SILENCE_MS = 16_000

/** After the first committed transaction with such a statement nothing is saved, as if the process had been killed. */
function goDownAfter(app: TestApp, trigger: RegExp) {
  const { transaction } = app.store
  let isDown = false
  const mocked = mock.method(
    app.store,
    'transaction',
    async (work: Parameters<typeof transaction>[0]): Promise<unknown> => {
      if (isDown) throw new Unavailable('disk_full', new Error('down'))
      let isTriggered = false
      const result = await transaction((tx) =>
        work({
          ...tx,
          query(sql, parameters) {
            isTriggered ||= trigger.test(sql)
            return tx.query(sql, parameters)
          },
        }),
      )
      isDown ||= isTriggered
      return result
    },
  )
  return {
    isDown: () => isDown,
    up() {
      mocked.mock.restore()
      app.clock.advance(SILENCE_MS)
    },
  }
}

interface Request {
  path: string
  body?: object
}
const post = (app: TestApp, key: string, { path, body }: Request, name: string): Promise<Reply> =>
  app.request('POST', `/api/v1${path}`, { key, body, headers: { 'idempotency-key': name } })

/** Sends a request while the server stops after `trigger`, then repeats it; returns the first response. */
async function interrupted(app: TestApp, key: string, request: Request, trigger: RegExp): Promise<Reply> {
  const name = `${request.path} ${trigger}`
  const server = goDownAfter(app, trigger)
  const first = await post(app, key, request, name)
  assert.ok(server.isDown(), `${trigger} was not run`)
  server.up()
  const second = await post(app, key, request, name)
  if (first.status !== 503) assert.equal(second.text, first.text)
  const third = await post(app, key, request, name)
  assert.deepEqual([third.status, third.text], [second.status, second.text])
  assert.equal(third.headers['idempotency-replayed'], 'true')
  return second
}

const flightsOf = async (app: TestApp, key: string): Promise<number> =>
  (await app.request('GET', '/api/v1/flights?limit=100', { key })).json.data.length

async function started(app: TestApp, who: TestPerson, text = TWO_FLIGHTS) {
  const key = await who.key()
  const reply = await app.request('POST', '/api/v1/imports', { key, body: { filename: 'f.csv', text } })
  assert.equal(reply.status, 201, reply.text)
  return { key, id: reply.json.data.id as number }
}

const begins = /^update "import" set "status"/

onBothEngines('effects of requests with an idempotency key', (app) => {
  test('undo: a repeat lists everything that was undone', async () => {
    const key = await (await app().person()).key()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'OSL')
    for (const date of ['2026-01-01', '2026-02-01'])
      await app().request('POST', '/api/v1/flights', { key, body: { fromId, toId, date } })
    const request = { path: '/history/undo', body: { since: '2026-06-01T00:00:00Z' } }
    const reply = await interrupted(app(), key, request, /^update "flight_history" set "undone_by" =/)
    assert.equal(reply.json.summary.undone, 2)
    assert.equal(await flightsOf(app(), key), 0)
  })

  test('start-import: a repeat returns the one import that was created', async () => {
    const key = await (await app().person()).key()
    const request = { path: '/imports', body: { filename: 'f.csv', text: TWO_FLIGHTS } }
    const reply = await interrupted(app(), key, request, /^insert into "import"/)
    assert.equal(reply.status, 201, reply.text)
    assert.equal(reply.json.data.repeated, false)
    assert.equal(reply.headers.location, `/api/v1/imports/${reply.json.data.id}`)
    assert.equal((await app().request('GET', '/api/v1/imports', { key })).json.data.length, 1)
  })

  test('commit-import: a repeat succeeds after an interrupted attempt', async () => {
    const { key, id } = await started(app(), await app().person())
    const reply = await interrupted(app(), key, { path: `/imports/${id}/commit` }, begins)
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.json.data.committed.created, 2)
    assert.equal(await flightsOf(app(), key), 2)
  })

  test('commit-import: a repeat after an undo commits nothing again', async () => {
    const { key, id } = await started(app(), await app().person())
    const server = goDownAfter(app(), /^update "import" set .*"undone_at" =/)
    const commit = { path: `/imports/${id}/commit` }
    assert.equal((await post(app(), key, commit, 'once')).status, 503)
    assert.ok(server.isDown())
    server.up()
    assert.equal((await app().request('POST', `/api/v1/imports/${id}/undo`, { key })).status, 200)
    const again = await post(app(), key, commit, 'once')
    assert.equal(again.json.data.status, 'undone')
    assert.equal(await flightsOf(app(), key), 0)
  })

  test('undo-import: a repeat lists the flights that were changed before', async () => {
    const { key, id } = await started(app(), await app().person())
    await app().request('POST', `/api/v1/imports/${id}/commit`, { key })
    const [flight] = (await app().request('GET', '/api/v1/flights', { key })).json.data
    await app().request('PATCH', `/api/v1/flights/${flight.id}`, { key, body: { note: 'Mine' } })
    for (const trigger of [begins, /^update "import" set .*"undone_at" =/]) {
      const request = { path: `/imports/${id}/undo`, body: { includeEdited: true } }
      const reply = await interrupted(app(), key, request, trigger)
      assert.equal(reply.json.data.status, 'undone', reply.text)
      if (trigger === begins) assert.equal(reply.json.data.edited.length, 1)
      assert.equal(await flightsOf(app(), key), 0)
    }
  })

  test('stop-import: a repeat returns the same', async () => {
    const { key, id } = await started(app(), await app().person())
    const down = goDownAfter(app(), begins)
    await post(app(), key, { path: `/imports/${id}/commit` }, 'begun')
    down.up()
    const reply = await interrupted(app(), key, { path: `/imports/${id}/stop` }, begins)
    assert.equal(reply.json.data.status, 'ready', reply.text)
  })

  test('create-subscription and check-subscription: a repeat returns the same', async (t) => {
    const host = await startCalendarHost()
    t.after(() => host.close())
    host.respond = serving(calendar(toNewark))
    const key = await (await app().person()).key()
    const request = { path: '/subscriptions', body: { url: host.url, name: 'Trips' } }
    const reply = await interrupted(app(), key, request, /^insert into "subscription"/)
    assert.equal(reply.status, 201, reply.text)
    const { data } = (await app().request('GET', '/api/v1/subscriptions', { key })).json
    assert.deepEqual(
      data.map(({ id }: { id: number }) => id),
      [reply.json.data.id],
    )
    app().clock.advance(600_000)
    const check = { path: `/subscriptions/${reply.json.data.id}/check` }
    const checked = await interrupted(app(), key, check, /^update "subscription" set "lease" =/)
    assert.equal(checked.status, 200, checked.text)
  })

  test('a long call keeps its idempotency key', async (t) => {
    const host = await startCalendarHost()
    t.after(() => host.close())
    const release = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const respond = serving(calendar(toNewark))
    host.respond = (...given) => {
      arrived.resolve()
      void release.promise.then(() => respond(...given))
    }
    const key = await (await app().person()).key()
    const request = { path: '/subscriptions', body: { url: host.url, name: 'Slow' } }
    mock.timers.enable({ apis: ['setInterval'] })
    t.after(() => mock.timers.reset())
    const first = post(app(), key, request, 'slow')
    await arrived.promise
    app().clock.advance(SILENCE_MS)
    const touched = async () =>
      (await app().store.read.query("select touched_at from idempotency where key = 'slow'", []))[0]![
        'touched_at'
      ]
    const before = await touched()
    mock.timers.tick(5_000)
    while ((await touched()) === before) await setImmediate()
    assert.equal((await post(app(), key, request, 'slow')).json.error.reason, 'idempotency_running')
    release.resolve()
    const reply = await first
    assert.equal(reply.status, 201, reply.text)
    assert.equal((await post(app(), key, request, 'slow')).text, reply.text)
  })
})

// After a restore into a fresh install, changes have large numbers: history, undo, sync and webhooks continue with them, on
// either engine and from one to the other.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { restoreBackup, writeBackup } from '../../server/services/backup/backup.ts'
import { askFeed, readFeed } from '../feed.ts'
import { airportIds, assertError } from '../fixtures.ts'
import { type EngineName, startTestApp, type TestApp } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'
import { createHook, createTestDeliveries, startReceiver, verify } from '../webhooks/receiver.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Any = any

/** The secret is not in a backup, so an operator who restores on another machine copies it. */
const secretKey = 'k'.repeat(32)
const LARGEST_INT32 = 2 ** 31 - 1

const partsOf = (app: TestApp) => ({ store: app.store, uploads: app.services.uploads, now: new Date() })

async function restored(from: TestApp, to: TestApp): Promise<void> {
  const file = join(process.env['TEST_SCRATCH']!, `after-${process.pid}-${from.engine}-${to.engine}.gz`)
  await writeBackup(partsOf(from), file)
  await restoreBackup(partsOf(to), file, { replace: false, partial: false })
}

/** Calls the application as one person. */
function caller(app: TestApp, credential: { key: string } | { cookie: string }) {
  const root = 'key' in credential ? '/api/v1' : '/app/api'
  return async (method: string, path: string, body?: object): Promise<Any> => {
    const reply = await app.request(method, root + path, { ...credential, ...(body ? { body } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply.json
  }
}

async function live(app: TestApp, url: string) {
  const ada = await app.person('owner')
  const [key, cookie] = [await ada.key(), await ada.session()]
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  const send = caller(app, { key })
  const { data } = await send('POST', '/flights', { date: '2026-02-20', fromId, toId, note: 'first' })
  await send('PATCH', `/flights/${data.id}`, { note: 'before' })
  const hook = await createHook(app, key, { url })
  return { key, cookie, id: data.id as number, hook, token: (await readFeed(app, key)).sync.token }
}

/** Rows of a backup do not depend on the engine that made it, so each engine is filled once. */
const ways: { from: EngineName; to: EngineName }[] = [
  { from: 'sqlite', to: 'postgres' },
  { from: 'postgres', to: 'sqlite' },
]

for (const { from, to } of ways) {
  describe(`after a restore from ${from} into a fresh install on ${to}`, () => {
    test('history, undo, sync and webhooks work after the restore', async (t) => {
      const receiver = await startReceiver()
      t.after(() => receiver.close())
      const old = await startTestApp(from, { secretKey })
      t.after(() => old.close())
      const { key, cookie, id, hook, token } = await live(old, receiver.url)
      const app = await startTestApp(to, { secretKey })
      t.after(() => app.close())
      await restored(old, app)
      const [send, web] = [caller(app, { key }), caller(app, { cookie })]
      const noteNow = async () => (await send('GET', `/flights/${id}`)).data.note
      const kinds = async (query = '') =>
        (await send('GET', `/history${query}`)).data.map(({ kind }: Any) => kind)

      assertError(await askFeed(app, key, { since: token }), 410, 'gone')
      assertError(await app.request('GET', `/api/v1/history?since=${token}`, { key }), 410, 'gone')
      const { sync } = await readFeed(app, key)

      await send('PATCH', `/flights/${id}`, { note: 'one' })
      await send('PATCH', `/flights/${id}`, { note: 'two' })
      const all = await send('GET', '/history')
      assert.deepEqual(
        all.data.map(({ kind, changed }: Any) => [kind, changed?.note]),
        [
          ['changed', ['one', 'two']],
          ['changed', ['before', 'one']],
        ],
      )
      assert.ok(all.data[1].changeId > LARGEST_INT32)
      assert.deepEqual(await kinds(`?since=${sync.token}&by=thisKey`), ['changed', 'changed'])
      const { page, data: first } = await send('GET', '/history?limit=1')
      const { data: second } = await send('GET', `/history?limit=1&cursor=${page.nextCursor}`)
      assert.deepEqual([...first, ...second], all.data)
      const ofFlight = (await send('GET', `/flights/${id}/history`)).data
      assert.deepEqual(
        ofFlight.map(({ changeId }: Any) => changeId),
        [...all.data.map(({ changeId }: Any) => changeId), null],
      )

      const feed = await readFeed(app, key, { since: sync.token })
      assert.deepEqual(
        feed.data.map((item) => item.id),
        [id],
      )

      const undone = await send('POST', '/history/undo', { changeId: all.data[0].changeId })
      assert.equal(undone.summary.undone, 1)
      assert.equal(await noteNow(), 'one')
      // As sent by the web app.
      const again = await web('POST', '/history/undo', { changeId: undone.changeId })
      assert.equal(again.data[0].action, 'put_back')
      assert.equal(await noteNow(), 'two')

      const listed = await callTool(app, key, 'list_changes', { limit: 1 })
      assert.ok(listed.structuredContent.data[0].changeId > LARGEST_INT32)
      const byAssistant = await callTool(app, key, 'undo', { changeId: all.data[1].changeId })
      assert.ok(!byAssistant.isError, JSON.stringify(byAssistant))

      const since = '2026-06-15T00:00:00Z'
      const dry = await send('POST', '/history/undo', { since, dryRun: true })
      assert.ok(dry.summary.wouldUndo > 0)
      const most = Math.max(...dry.data.map(({ changeId }: Any) => changeId))
      const below = await send('POST', '/history/undo', { since, before: most, dryRun: true })
      assert.equal(below.summary.wouldUndo + below.summary.left, dry.data.length - 1)
      await web('POST', '/history/undo', { since })
      assert.equal(await noteNow(), 'before')

      const deliveries = createTestDeliveries(app)
      await deliveries.deliverDue()
      const [message, ...more] = receiver.take()
      assert.deepEqual(more, [])
      assert.equal(message!.json.type, 'flight.updated')
      assert.equal(message!.json.data.flight.note, 'before')
      verify(hook.secret, message!, app.clock.now())
      const sent = await send('GET', `/webhooks/${hook.id}/deliveries`)
      assert.deepEqual(
        sent.data.map(({ state }: Any) => state),
        ['delivered'],
      )
    })
  })
}

// The server is killed during a commit and during an undo. Only whole batches remain: the import can continue, and one undo
// reverses everything.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLogger } from '../../server/base/log.ts'
import { openStore, type Store } from '../../server/store/store.ts'
import { type EngineName, freshDatabase, startTestApp } from '../harness.ts'
import { draftOf, seedImport } from '../imports/seed.ts'
import { isLong } from '../rounds.ts'
import { until } from '../until.ts'
import { type Database as Place, type ServerProcess, startServer } from './processes.ts'

const ROWS = 4000
/** Enough for several batches, and far from the end. */
const PART = 500
/** The state after a kill depends on transactions, which test/running/kill.test.ts tests on both engines. */
const engines: readonly EngineName[] = isLong ? ['sqlite', 'postgres'] : ['sqlite']

interface Scene {
  place: Place
  store: Store
  key: string
  userId: string
  importId: number
}

async function createScene(engine: EngineName, place: Place): Promise<Scene> {
  const app = await startTestApp(engine, { ...place })
  app.clock.set(Date.now())
  const ada = await app.person()
  const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('OSL')]
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    draft: draftOf(ada.id, {
      date: new Date(Date.UTC(1990, 0, 1 + n)).toISOString().slice(0, 10),
      fromId,
      toId,
      externalIds: { fr24: String(n) },
    }),
  }))
  const importId = await seedImport(app.store, ada.id, { rows, now: Date.now() })
  const key = await ada.key()
  await app.close()
  const store = await openStore({ ...place }, createLogger('silent'))
  return { place, store, key, userId: ada.id, importId }
}

const count = async ({ store }: Scene, table: string): Promise<number> =>
  Number((await store.read.query(`select count(*) as n from ${table}`, []))[0]!['n'])

/** Ends the lease of a killed process, so that the test does not wait for it. */
const endLease = ({ store }: Scene) =>
  store.transaction(
    async (tx) => void (await tx.query(`update import set lease_until = '2000-01-01T00:00:00.000Z'`, [])),
  )

const post = (server: ServerProcess, { key, importId }: Scene, what: string) =>
  fetch(`${server.url}/api/v1/imports/${importId}/${what}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })

async function readImport(server: ServerProcess, { key, importId }: Scene) {
  const reply = await fetch(`${server.url}/api/v1/imports/${importId}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { data } = (await reply.json()) as {
    data: { status: string; committed: { created: number; updated: number } }
  }
  return data
}

const finished = (server: ServerProcess, scene: Scene, status: string) =>
  until(`the import is ${status}`, async () => {
    const data = await readImport(server, scene)
    if (data.status === status) return data
    assert.ok(['committing', 'undoing'].includes(data.status), data.status)
    return undefined
  })

/** Starts, and kills the server once this many flights are in the log; they agree with the rows. */
async function killDuring(
  server: ServerProcess,
  scene: Scene,
  what: 'commit' | 'undo',
  reached: (flights: number) => boolean,
) {
  const begun = await post(server, scene, what)
  assert.equal(begun.status, 200, await begun.text())
  await until(`the ${what} is in the middle`, async () => reached(await count(scene, 'flight')))
  await server.stop('SIGKILL')
  const flights = await count(scene, 'flight')
  assert.ok(flights > 0 && flights < ROWS, String(flights))
  assert.equal(await count(scene, `import_row where done = 'created'`), flights)
  assert.equal(await count(scene, 'flight_passenger'), flights)
  assert.equal(await count(scene, 'external_id'), flights)
  const [row] = await scene.store.read.query('select status, created_count from import', [])
  assert.deepEqual(row, { status: what === 'commit' ? 'committing' : 'undoing', created_count: flights })
  await endLease(scene)
  return flights
}

for (const engine of engines) {
  describe(`a kill during an import on ${engine}`, () => {
    let scene: Scene
    let server: ServerProcess
    let drop: () => Promise<void>
    before(async () => {
      const { drop: dropDatabase, ...place } = await freshDatabase(engine)
      drop = dropDatabase
      scene = await createScene(engine, place)
      server = await startServer(scene.place)
    })
    after(async () => {
      await server?.stop()
      await scene?.store.close()
      await drop?.()
    })

    test('a killed commit is undone completely or continued, and so is a killed undo', async () => {
      const left = await killDuring(server, scene, 'commit', (flights) => flights > PART)
      server = await startServer(scene.place)
      assert.equal((await readImport(server, scene)).committed.created, left)
      assert.equal((await post(server, scene, 'undo')).status, 200)
      assert.deepEqual((await finished(server, scene, 'undone')).committed, { created: 0, updated: 0 })
      assert.deepEqual([await count(scene, 'flight'), await count(scene, 'external_id')], [0, 0])
      assert.equal(await count(scene, 'deleted_flight'), left)

      const more = Math.min(left + PART, ROWS - 1)
      await killDuring(server, scene, 'commit', (flights) => flights > more)
      server = await startServer(scene.place)
      // Of two concurrent requests, one is refused.
      const both = await Promise.all([post(server, scene, 'commit'), post(server, scene, 'commit')])
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
      assert.equal((await finished(server, scene, 'committed')).committed.created, ROWS)
      assert.equal(await count(scene, 'flight'), ROWS)

      await killDuring(server, scene, 'undo', (flights) => flights < ROWS - PART)
      server = await startServer(scene.place)
      await post(server, scene, 'undo')
      await finished(server, scene, 'undone')
      assert.deepEqual(
        [
          await count(scene, 'flight'),
          await count(scene, 'deleted_flight'),
          await count(scene, 'external_id'),
        ],
        [0, ROWS, 0],
      )
    })

    test('a commit interrupted by a stop continues in another process', async () => {
      await post(server, scene, 'commit')
      await until('the commit is in the middle', async () => (await count(scene, 'flight')) >= PART)
      assert.equal(await server.stop(), 0)
      const flights = await count(scene, 'flight')
      assert.ok(flights < ROWS, String(flights))
      server = await startServer(scene.place, { WORKERS: '2' })
      const reply = await post(server, scene, 'commit')
      assert.equal(reply.status, 200, await reply.text())
      assert.equal((await finished(server, scene, 'committed')).committed.created, ROWS)
    })
  })
}

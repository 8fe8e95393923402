// The process is killed while it writes, and every request without a response is repeated with its idempotency key: each
// takes effect once, and a bulk request continues where it was interrupted.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLogger } from '../../server/base/log.ts'
import { openStore } from '../../server/store/store.ts'
import { createRandom, type EngineName, freshDatabase, startTestApp } from '../harness.ts'
import { isLong } from '../rounds.ts'
import { until } from '../until.ts'
import { type Database as Place, type ServerProcess, startServer } from './processes.ts'

const ROUNDS = isLong ? 50 : 1
/** test/running/kill.test.ts has short rounds on both. */
const engines: readonly EngineName[] = isLong ? ['sqlite', 'postgres'] : ['postgres']
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)
const WRITERS = 6
const OPERATIONS = 500
/** Many, so that a chunk takes a while. */
const guests = Array.from({ length: 25 }, (_, i) => ({ guestName: `Guest ${i}` }))

interface Scene {
  place: Place
  key: string
  userId: string
  flight: object
}

interface Answer {
  status: number
  text: string
  replayed: boolean
  retryAfter: string | null
}

async function createScene(engine: EngineName, place: Place): Promise<Scene> {
  const app = await startTestApp(engine, place)
  const ada = await app.person()
  const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('OSL')]
  const flight = { date: '2026-02-20', fromId, toId }
  const scene = { place, key: await ada.key(), userId: ada.id, flight }
  await app.close()
  return scene
}

/** Undefined if the server ended before it responded. */
async function post(
  { key }: Scene,
  url: string,
  path: string,
  name: string,
  body: unknown,
): Promise<Answer | undefined> {
  try {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': name,
      },
      body: JSON.stringify(body),
    })
    return {
      status: reply.status,
      text: await reply.text(),
      replayed: reply.headers.get('idempotency-replayed') === 'true',
      retryAfter: reply.headers.get('retry-after'),
    }
  } catch {
    return undefined
  }
}

async function notes({ key }: Scene, url: string): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const reply = await fetch(`${url}/api/v1/flights?limit=100${cursor && `&cursor=${cursor}`}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const page = (await reply.json()) as { data: { note: string }[]; page: { nextCursor: string | null } }
    found.push(...page.data.map(({ note }) => note))
    cursor = page.page.nextCursor
  }
  return found
}

/** Sends requests one after the other, until the server does not respond. */
async function write(scene: Scene, url: string, prefix: string, answers: Map<string, string>) {
  for (let i = 0; ; i++) {
    const name = `${prefix}-${i}`
    const reply = await post(scene, url, '/api/v1/flights', name, { ...scene.flight, note: name })
    if (!reply) return name
    assert.equal(reply.status, 201, reply.text)
    answers.set(name, reply.text)
  }
}

/** A request started by a killed process is taken over after some seconds. */
async function repeat(scene: Scene, server: ServerProcess, path: string, name: string, body: unknown) {
  return until(
    `${name} is taken over`,
    async () => {
      const reply = await post(scene, server.url, path, name, body)
      assert.ok(reply, 'the server responds')
      if (reply.status !== 409) return reply
      assert.equal(reply.retryAfter, '1')
      return undefined
    },
    { everyMs: 1000 },
  )
}

for (const engine of engines) {
  describe(`requests repeated after a kill on ${engine}`, () => {
    const random = createRandom(SEED)
    let scene: Scene
    let server: ServerProcess
    let drop: () => Promise<void>
    before(async () => {
      const fresh = await freshDatabase(engine)
      drop = fresh.drop
      scene = await createScene(engine, { databaseUrl: fresh.databaseUrl, dataDir: fresh.dataDir })
      server = await startServer(scene.place)
    })
    after(async () => {
      await server?.stop()
      await drop?.()
    })

    test(`${ROUNDS} kills: each request takes effect once (seed ${SEED})`, async () => {
      const answers = new Map<string, string>()
      for (let round = 0; round < ROUNDS; round++) {
        const writing = Promise.all(
          Array.from({ length: WRITERS }, (_, w) => write(scene, server.url, `${round}-${w}`, answers)),
        )
        const enough = answers.size + 1 + random.below(40)
        await Promise.race([until(`${enough} writes are confirmed`, () => answers.size >= enough), writing])
        await server.stop('SIGKILL')
        const doubts = await writing
        server = await startServer(scene.place)
        for (const name of doubts) {
          const body = { ...scene.flight, note: name }
          const reply = await repeat(scene, server, '/api/v1/flights', name, body)
          assert.equal(reply.status, 201, reply.text)
          answers.set(name, reply.text)
        }
      }
      for (const [name, text] of answers) {
        const body = { ...scene.flight, note: name }
        const again = await repeat(scene, server, '/api/v1/flights', name, body)
        assert.deepEqual([again.status, again.text, again.replayed], [201, text, true])
      }
      assert.deepEqual((await notes(scene, server.url)).sort(), [...answers.keys()].sort())
    })

    test('a bulk request continues where it was interrupted', async () => {
      const store = await openStore(scene.place, createLogger('silent'))
      const storedOf = async (name: string) =>
        (await store.read.query(`select id from flight where note like '${name} %'`, [])).length
      for (let attempt = 0; ; attempt++) {
        assert.ok(attempt < 10, 'every kill came too late')
        const name = `bulk-${attempt}`
        const operations = Array.from({ length: OPERATIONS }, (_, i) => ({
          op: 'create',
          flight: {
            ...scene.flight,
            note: `${name} ${i}`,
            passengers: [{ userId: scene.userId }, ...guests],
          },
          ref: `${i}`,
        }))
        const sending = post(scene, server.url, '/api/v1/flights/bulk', name, { operations })
        await until('the first chunk is stored', () => storedOf(name))
        await server.stop('SIGKILL')
        const reply = await sending
        const kept = await storedOf(name)
        server = await startServer(scene.place)
        const isInterrupted = reply === undefined && kept < OPERATIONS
        if (isInterrupted) assert.equal(kept % 50, 0, 'chunks are kept whole')
        const done = await repeat(scene, server, '/api/v1/flights/bulk', name, { operations })
        assert.equal(done.status, 200, done.text)
        const { data, summary } = JSON.parse(done.text)
        assert.equal(summary.created, OPERATIONS)
        assert.deepEqual(
          data.map((item: { ref: string }) => item.ref),
          operations.map(({ ref }) => ref),
        )
        assert.equal(await storedOf(name), OPERATIONS)
        const again = await repeat(scene, server, '/api/v1/flights/bulk', name, { operations })
        assert.deepEqual([again.text, again.replayed], [done.text, true])
        assert.equal(await storedOf(name), OPERATIONS)
        if (isInterrupted) break
      }
      await store.close()
    })
  })
}

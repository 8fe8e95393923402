// A database that aborts reads in favour of other transactions, as one does whose transactions are serializable: requests succeed
// all the same, or get 503 if it goes on.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { messageOf } from '../../server/domain/reasons.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import { engines, startTestApp, type TestApp, type TestPerson } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

/**
 * Reads of flights are aborted until this many were. They are counted as locks of their connections, because a read-only
 * transaction can write nothing, and what an aborted one writes is lost.
 */
const faults = [
  "create table fault as select 1 as round, 0 as most, '40001' as code",
  `create function aborted() returns bigint language sql as $$
     select count(*) from pg_locks, fault where locktype = 'advisory' and classid = round
   $$`,
  `create function aborts() returns boolean language plpgsql as $$ declare next fault; begin
     select * from fault into next;
     if aborted() < next.most then
       perform pg_try_advisory_lock(next.round, aborted()::int + 1);
       raise exception 'aborted for the test' using errcode = next.code;
     end if;
     return false;
   end $$`,
  'alter table flight rename to stored_flight',
  'create view flight as select * from stored_flight where not (select aborts())',
]

describe('reads that the database aborts', { skip: !engines.includes('postgres') }, () => {
  let app: TestApp & { close(): Promise<void> }
  let ada: TestPerson
  let key: string
  let id: number

  before(async () => {
    app = await startTestApp('postgres')
    ada = await app.person('owner')
    key = await ada.key()
    const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
    const flight = { date: '2026-02-20', fromId, toId, note: 'first' }
    id = (await logFlight(app, ada, flight)).id
    await run(...faults)
  })
  after(() => app?.close())

  const run = (...statements: string[]) =>
    app.store.transaction(async (tx) => {
      for (const statement of statements) await tx.query(`/* test */ ${statement}`, [])
    })
  const abortNext = (most: number, code = '40001') =>
    run(`update fault set round = round + 1, most = ${most}, code = '${code}'`)
  const aborted = async () => (await app.store.read.query('/* test */ select aborted() as n', []))[0]!['n']

  const requests: Record<string, string> = {
    'a flight': '/api/v1/flights/ID',
    'a page': '/api/v1/flights?limit=5',
    'a search': '/api/v1/flights/search?from=CPH',
    statistics: '/api/v1/stats',
    'a document': '/api/flight/list',
  }
  for (const code of ['40001', '40P01']) {
    test(`are repeated until they succeed (${code})`, async () => {
      // Nothing of what follows is cached.
      const note = { note: code }
      assert.equal((await app.request('PATCH', `/api/v1/flights/${id}`, { key, body: note })).status, 200)
      for (const [name, path] of Object.entries(requests)) {
        await abortNext(6, code)
        const reply = await app.request('GET', path.replace('ID', String(id)), { key })
        assert.equal(reply.status, 200, `${name}: ${reply.text}`)
        assert.equal(await aborted(), 6, name)
        assert.ok(name === 'statistics' || reply.text.includes(`"${code}"`), `${name}: ${reply.text}`)
      }
      await abortNext(6, code)
      const result = await callTool(app, key, 'get_flight', { id })
      assert.equal(result.structuredContent.data.note, code)
    })
  }

  test('a read that is aborted for ten seconds is reported as an overload', async () => {
    await abortNext(1_000_000)
    const reply = await app.request('GET', '/api/v1/flights?limit=7', { key })
    assert.equal(reply.status, 503, reply.text)
    assert.equal(reply.json.error.message, messageOf('database_overloaded'))
    assert.ok(reply.headers['retry-after'])
    await abortNext(0)
    assert.equal((await app.request('GET', '/api/v1/flights?limit=7', { key })).status, 200)
  })
})

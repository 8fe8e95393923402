// Commits that fail under load, as on a full disk: every response about a write is true, and no cache has unsaved data.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import Database from 'better-sqlite3'
import { airportIds } from '../fixtures.ts'
import { createRandom, type EngineName, onBothEngines, type Reply, type TestApp } from '../harness.ts'

const FAILURES = 100
const path = '/api/v1/flights'

interface Faults {
  /** Which share of all commits fails. */
  set(share: number): Promise<void>
  failures(): Promise<number>
}

/** The driver refuses the commit as on a full disk: then the transaction is still open. */
function onSqlite(): Faults {
  const { exec } = Database.prototype
  const random = createRandom(30)
  let [share, failures] = [0, 0]
  mock.method(Database.prototype, 'exec', function (this: Database.Database, sql: string) {
    if (sql !== 'commit' || random.next() >= share) return exec.call(this, sql)
    failures++
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
  })
  return {
    set: async (given) => {
      share = given
    },
    failures: async () => failures,
  }
}

/** A constraint that the server checks at the commit, and that is sometimes violated. */
async function onPostgres({ store }: TestApp): Promise<Faults> {
  await store.transaction(async (tx) => {
    await tx.execute('/* test */ create table test_fault (share double precision not null)')
    await tx.execute('insert into test_fault values (0)')
    await tx.execute('/* test */ create sequence test_failures')
    await tx.execute(`/* test */ create function test_fail() returns trigger language plpgsql as $$ begin
      if random() < (select share from test_fault) then
        perform nextval('test_failures');
        raise exception 'could not extend file: no space left on device' using errcode = '53100';
      end if;
      return null;
    end $$`)
    for (const table of ['flight', 'airport', 'deleted_flight', 'idempotency'])
      await tx.execute(`/* test */ create constraint trigger test_fail after insert or update or delete on ${table}
        deferrable initially deferred for each row execute function test_fail()`)
  })
  return {
    set: (share) => store.transaction((tx) => tx.execute(`update test_fault set share = ${share}`)),
    async failures() {
      const [row] = await store.read.query('/* test */ select last_value, is_called from test_failures', [])
      return row!['is_called'] ? Number(row!['last_value']) : 0
    },
  }
}

const faultsOf = (app: TestApp, engine: EngineName) => (engine === 'sqlite' ? onSqlite() : onPostgres(app))

const body = ({ text }: Reply) => text.replace(/"requestId":"[^"]*"/, '')

onBothEngines('commits that fail under load', (app, engine) => {
  test('results, errors and cache entries are published only after the commit', async (t) => {
    t.after(() => mock.reset())
    const faults = await faultsOf(app(), engine)
    const owner = await app().person('owner')
    const [key, cookie] = [await owner.key(), await owner.session()]
    const [cph] = await airportIds(app(), 'CPH')
    const position = { latitude: 55, longitude: 12, timezone: 'Europe/Copenhagen' }
    const airport = { ...position, continent: 'EU', country: 'DK' }
    /** A new one for each round, so that no cache has it at the start. */
    const addAirport = async (icao: string): Promise<number> => {
      const ask = { cookie, body: { ...airport, icao, name: `Old ${icao}` } }
      return (await app().request('POST', '/app/api/airports', ask)).json.data.id
    }

    const create = (note: string, fromId = cph, idempotencyKey?: string) =>
      app().request('POST', path, {
        key,
        body: { date: '2026-01-05', fromId, toId: cph, note },
        headers: idempotencyKey ? { 'idempotency-key': idempotencyKey } : {},
      })
    const patch = (id: number, note: string, tag: string) =>
      app().request('PATCH', `${path}/${id}`, { key, body: { note }, headers: { 'if-match': tag } })
    const remove = (id: number) => app().request('DELETE', `${path}/${id}`, { key })
    const restore = (id: number, idempotencyKey: string) =>
      app().request('POST', `${path}/${id}/restore`, { key, headers: { 'idempotency-key': idempotencyKey } })
    const rename = (id: number, icao: string) =>
      app().request('PUT', `/app/api/airports/${id}`, {
        cookie,
        body: { ...airport, icao, name: `New ${icao}` },
      })

    const notesOf = async (note: string) =>
      (await app().store.read.query(`select id from flight where note = '${note}'`, [])).length
    const stored = async (id: number) =>
      (await app().store.read.query(`select note, version from flight where id = ${id}`, []))[0]

    let round = 0
    for (; (await faults.failures()) < FAILURES; round++) {
      const [icao, twice] = [`X-${round}`, `twice ${round}`]
      const place = await addAirport(icao)
      const added = await create(`round ${round}`)
      const [flight, tag] = [added.json.data, added.headers.etag!]
      await faults.set(0.6)
      const said = await Promise.all([
        rename(place, icao),
        create(twice, place, twice),
        create(twice, place, twice),
        patch(flight.id, `first ${round}`, tag),
        patch(flight.id, `second ${round}`, tag),
        remove(flight.id),
        restore(flight.id, `restore ${round}`),
        create(`alone ${round}`),
      ])
      await faults.set(0)
      const [renamed, once, again, first, second, removed, restored, alone] = said as [Reply, ...Reply[]]
      const statuses = JSON.stringify(said.map(({ status }) => status))
      for (const { status, text } of said)
        assert.ok([200, 201, 204, 404, 409, 412, 503].includes(status), text)

      // One flight for the two requests with one key, exactly if one of them was confirmed; and a repeat returns the same.
      const confirmed = [once!, again!].filter(({ status }) => status === 201)
      assert.equal(await notesOf(twice), confirmed.length > 0 ? 1 : 0, `round ${round}: ${statuses}`)
      for (const { json } of confirmed) assert.equal((await stored(json.data.id))!['note'], twice)
      const repeated = await create(twice, place, twice)
      assert.equal(repeated.status, 201)
      for (const reply of confirmed) assert.equal(body(repeated), body(reply))
      assert.equal(await notesOf(twice), 1)

      // The airport has its new name if that was confirmed, and the flight shows it.
      const shown = await app().request('GET', `${path}/${repeated.json.data.id}`, { key })
      const name = renamed.status === 200 ? `New ${icao}` : `Old ${icao}`
      assert.equal(shown.json.data.from.name, name, `round ${round}: ${statuses}`)

      // A refusal is based on existing data.
      const version = (await stored(flight.id))?.['version'] as number | undefined
      const isChanged = [first!, second!].some(({ status }) => status === 200)
      const isRemoved = removed!.status === 204
      const isRestored = restored!.status === 200
      const context = `round ${round}: ${statuses}, version ${version}`
      assert.equal(version === undefined, isRemoved && !isRestored, context)
      if (!isChanged && !isRemoved) assert.equal(version, 1, context)
      for (const { status } of [first!, second!]) {
        if (status === 412) assert.ok(isChanged || isRestored, context)
        if (status === 404) assert.ok(isRemoved, context)
      }
      if ([404, 409].includes(restored!.status)) {
        const same = await restore(flight.id, `restore ${round}`)
        assert.equal(body(same), body(restored!), context)
      }
      assert.equal(await notesOf(`alone ${round}`), alone!.status === 201 ? 1 : 0, context)
    }
    t.diagnostic(`${round} rounds`)
  })
})

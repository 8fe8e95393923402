// Reference data is updated only on request, completely or not at all, and kept until the program ships newer data. The external
// host is a server of this test.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onBothEngines, type TestPerson, testOnSqlite } from '../harness.ts'
import { contrail } from '../running/processes.ts'
import { indexOf, type Sets, startSetHost, writeSet } from './reference-sets.ts'

/** Copenhagen has another name, and there is a new airport. */
function renewed(airports: Sets['airports']): void {
  const cph = indexOf(airports, 'CPH')
  airports.columns['name']![cph] = 'Kastrup, renamed'
  for (const values of Object.values(airports.columns)) values.push(values[cph])
  const last = airports.count++
  for (const [field, value] of Object.entries({ id: 900_001, icao: 'ZZQQ', iata: null, name: 'Xyzzyfield' }))
    airports.columns[field]![last] = value
}

onBothEngines('reference update', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  let owner: TestPerson
  let key: string
  let folder: string
  before(async () => {
    owner = await app().person('owner')
    key = await owner.key()
    folder = writeSet({ airports: renewed })
  })
  const search = async (query: string) =>
    (await app().request('GET', `/api/v1/airports?query=${query}`, { key })).json.data
  const run = async (...args: string[]) => {
    const { code, out, err } = await contrail(app().config, args)
    return { code, out: out.toString(), err }
  }

  test('a running server uses a newer set immediately, and custom records are kept', async (t) => {
    const cookie = await owner.session()
    const own = await app().request('POST', '/app/api/airports', {
      cookie,
      body: {
        icao: 'X-9',
        name: 'Own meadow',
        latitude: 1,
        longitude: 1,
        timezone: 'Europe/Copenhagen',
        continent: 'EU',
        country: 'DK',
      },
    })
    const body = {
      date: '2026-01-01',
      fromId: await app().airportId('CPH'),
      toId: own.json.data.id,
      passengers: [{ userId: owner.id }],
    }
    assert.equal((await app().request('POST', '/api/v1/flights', { key, body })).status, 201)
    assert.deepEqual(await search('xyzzyfield'), [])

    const host = await startSetHost()
    t.after(() => host.close())
    const source = engine === 'sqlite' ? folder : `${host.serve(folder, '/data/')}manifest.json`
    const updated = await run('reference', 'update', source)
    assert.deepEqual([updated.code, updated.err], [0, ''])
    assert.match(
      updated.out,
      /^loaded the set from 2099-01-31: 85\d{3} airports, 6\d{3} airlines, 2\d{3} aircraft types\n$/,
    )

    assert.equal((await search('xyzzyfield'))[0].id, 900_001)
    const [flight] = (await app().request('GET', '/api/v1/flights', { key })).json.data
    assert.deepEqual([flight.from.name, flight.to.name], ['Kastrup, renamed', 'Own meadow'])
  })

  sqliteTest('neither the same set nor the older shipped one replaces a newer set', async () => {
    const again = await run('reference', 'update', folder)
    assert.deepEqual(
      [again.code, again.err, again.out],
      [0, '', 'nothing to do: this set is from 2099-01-31, and one from 2099-01-31 is already loaded\n'],
    )
    assert.equal((await run('reference', 'load')).code, 0)
    assert.match(
      (await run('reference', 'status')).out,
      /^loaded\t[0-9a-f]{16}\t2099-01-31\nshipped\t[0-9a-f]{16}\t20/,
    )
    assert.equal((await search('xyzzyfield')).length, 1)
  })
})

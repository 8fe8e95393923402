// get-line-data: the data file for reading a line of text.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openLineData } from '../../server/domain/entry/line/data.ts'
import { readLine } from '../../server/domain/entry/line/read.ts'
import { makeLineData } from '../../server/services/reference/line-data.ts'
import { onBothEngines, startTestApp, testOnSqlite } from '../harness.ts'
import { calendar, emptyLog } from './known.ts'

onBothEngines('the data file of the line', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  let cookie: string
  before(async () => {
    cookie = await (await app().person('role-administrator')).session()
  })
  const read = async (headers: Record<string, string> = {}) => {
    return app().request('GET', '/app/api/line-data', { cookie, headers })
  }

  test('the file is at most 150 kB compressed, with every airport that airlines serve', async () => {
    const reply = await read()
    assert.equal(reply.status, 200)
    const size = gzipSync(reply.text).length
    assert.ok(size <= 150_000, `${size} bytes`)
    const { airports } = openLineData(reply.json.data)
    const { count } = (
      await app().store.read.query(
        `select count(*) as count from airport where importance >= 20000 and iata is not null and type <> 'closed'`,
        [],
      )
    )[0]!
    assert.ok(airports.byId.size >= Number(count) && Number(count) > 4000)
  })

  if (engine !== 'sqlite')
    test('the file is the same as on SQLite', async () => {
      const other = await startTestApp('sqlite')
      const [own, same] = [await makeLineData(app().store.read), await makeLineData(other.store.read)]
      await other.close()
      assert.ok(JSON.stringify(own) === JSON.stringify(same))
    })

  sqliteTest('the file agrees with the reference data', async () => {
    const { airports, airlines, aircraft } = openLineData((await read()).json.data)
    for (const code of ['CPH', 'JFK', 'HKG', 'SIN', 'KEF', 'PPT', 'USH', 'TXL', 'PMI']) {
      const [own] = airports.byCode.get(code)!
      const { data } = (await app().request('GET', `/app/api/airports/${own!.id}`, { cookie })).json
      const { id, iata, icao, name, municipality: city, country, timezone } = data
      const { names: _, size: __, latitude, longitude, ...rest } = own!
      assert.deepEqual(rest, { id, iata, icao, name, city, country, timezone })
      assert.ok(
        Math.abs(latitude - data.latitude) < 0.006 && Math.abs(longitude - data.longitude) < 0.006,
        code,
      )
    }
    assert.equal(airlines.byCode.get('SK')![0]!.name, 'SAS Scandinavian Airlines')
    assert.equal(aircraft.byCode.get('A359')![0]!.name, 'Airbus A350-900')
  })

  sqliteTest(
    'the file changes with the reference data, includes user-added records and is usable',
    async () => {
      const first = await read()
      const etag = String(first.headers.etag)
      assert.equal((await read({ 'if-none-match': etag })).status, 304)
      const body = {
        icao: 'ZZ-77',
        name: 'Grünwalder Wiese',
        municipality: 'Hintertupfing',
        latitude: 48,
        longitude: 11,
        timezone: 'Europe/Berlin',
        continent: 'EU',
        country: 'DE',
      }
      const headers = { origin: app().config.origin }
      const added = await app().request('POST', '/app/api/airports', { cookie, body, headers })
      assert.equal(added.status, 201, added.text)
      const second = await read({ 'if-none-match': etag })
      assert.equal(second.status, 200)
      const known = { reference: openLineData(second.json.data), memory: emptyLog, calendar }
      for (const text of ['Hintertupfing nach Rom gestern', 'von Grünwalder Wiese nach Rom gestern']) {
        assert.equal(readLine(text, known).draft.fromId, added.json.data.id, text)
        const key = await (await app().person('role-user')).key()
        const reply = await app().request('POST', '/api/v1/flights/log', { key, body: { text } })
        assert.equal(reply.json.data?.from.id, added.json.data.id, reply.text)
      }
    },
  )

  sqliteTest('the file is only for signed-in users', async () => {
    assert.equal((await app().request('GET', '/app/api/line-data')).status, 401)
    const key = await (await app().person('role-user')).key()
    assert.equal((await app().request('GET', '/app/api/line-data', { key })).status, 401)
  })
})

// The requests of an import's page: an overview of the whole file, and rows by number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noCounts } from '../../server/domain/imports/imports.ts'
import { airportIds, assertError } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'
import { readImport } from './judged.ts'

const heading = 'Date,Flight number,From,To,Dep time,Arr time,Duration,Airline,Aircraft,Registration'
const line = (date: string, number: string, from: string, to: string): string =>
  `${date},${number},${from},${to},00:00:00,00:00:00,00:00:00, (/), (),`
const cph = 'Copenhagen (CPH/EKCH)'
const ewr = 'Newark (EWR/KEWR)'
const file = (...lines: string[]): string => `${heading}\n${lines.join('\n')}\n`

onBothEngines('the overview of an import', (app) => {
  const read = (path: string, cookie: string) => app().request('GET', `/app/api/imports/${path}`, { cookie })

  async function importOf(who: TestPerson, raw: string): Promise<number> {
    const headers = { 'content-type': 'text/csv' }
    const reply = await app().request('POST', '/api/v1/imports', { key: await who.key(), raw, headers })
    assert.equal(reply.status, 201, reply.text)
    const { id } = reply.json.data
    await readImport(app(), await who.key(), id)
    return id
  }

  test('the overview has one letter per row, the routes to add and the effect of a commit', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    const [cphId, ewrId] = await airportIds(app(), 'CPH', 'EWR')
    const id = await importOf(
      ada,
      file(
        line('2020-03-01', 'SK909', cph, ewr),
        line('2020-01-05', 'SK910', ewr, cph),
        line('2020-01-05', 'SK910', ewr, cph),
        line('2020-02-01', 'SK911', 'Nowhere (QQQ/QQQQ)', cph),
        line('not a date', 'SK911', ewr, cph),
      ),
    )
    const { data } = (await read(`${id}/overview`, cookie)).json
    assert.equal(data.verdicts, 'nndqe')
    assert.deepEqual([data.creates, data.updates, data.routeCount], [2, 0, 1])
    assert.deepEqual([data.firstDate, data.lastDate], ['2020-01-05', '2020-03-01'])
    assert.equal(data.codes.duplicate_in_file, 1)
    const [route] = data.routes
    assert.deepEqual([route.from.id, route.to.id, route.rows], [cphId, ewrId, [1, 2]])
    assert.deepEqual(data.edited, [])
  })

  test('a row left out is not counted; after the commit nothing is pending, and edited flights are named', async () => {
    const ada = await app().person()
    const [cookie, key] = [await ada.session(), await ada.key()]
    const id = await importOf(
      ada,
      file(line('2020-03-01', 'SK909', cph, ewr), line('2020-03-08', 'SK910', ewr, cph)),
    )
    await app().request('PATCH', `/api/v1/imports/${id}/rows/2`, { key, body: { include: false } })
    await readImport(app(), key, id)
    const before = (await read(`${id}/overview`, cookie)).json.data
    assert.deepEqual([before.verdicts, before.creates], ['nl', 1])
    assert.equal((await app().request('POST', `/api/v1/imports/${id}/commit`, { key })).status, 200)
    const [flight] = (await app().request('GET', '/api/v1/flights', { key })).json.data
    await app().request('PATCH', `/api/v1/flights/${flight.id}`, { key, body: { note: 'Late' } })
    const after = (await read(`${id}/overview`, cookie)).json.data
    assert.deepEqual([after.creates, after.routes, after.edited], [0, [], [flight.id]])
    const log = (await app().request('GET', '/app/api/log', { cookie })).json.data
    assert.equal(log.flights[0].importId, id, 'the log says which import a flight is from')
    // Also when the file is read again and reading fails.
    const [counts, own] = app().engine === 'sqlite' ? ['?', '?'] : ['$1', '$2']
    await app().store.transaction((tx) =>
      tx.query(`update import set status = 'failed', counts = ${counts} where id = ${own}`, [
        JSON.stringify(noCounts),
        id,
      ]),
    )
    const undone = await app().request('POST', `/api/v1/imports/${id}/undo`, { key, body: {} })
    assert.deepEqual(
      undone.json.data.edited.map(({ flightId }: { flightId: number }) => flightId),
      [flight.id],
      undone.text,
    )
  })

  test('the overview counts flights with a booking reference, or none if references are left out', async () => {
    const ada = await app().person()
    const [cookie, key] = [await ada.session(), await ada.key()]
    const columns =
      'Date,Airline,Flight,From,To,Diverted To,Gate Departure (Scheduled),Gate Arrival (Scheduled),PNR'
    const id = await importOf(
      ada,
      `${columns}\n2021-03-04,SAS,909,CPH,EWR,,,,Q7RT2M\n2021-03-11,SAS,910,EWR,CPH,,,,\n`,
    )
    const references = async () => (await read(`${id}/overview`, cookie)).json.data.bookingReferences
    assert.equal(await references(), 1)
    const choose = async (bookingReference: boolean | null) => {
      const body = { options: { bookingReference } }
      const reply = await app().request('PATCH', `/api/v1/imports/${id}`, { key, body })
      assert.equal(reply.status, 200, reply.text)
      await readImport(app(), key, id)
    }
    await choose(false)
    assert.equal(await references(), 0)
    const rows = (await app().request('GET', `/api/v1/imports/${id}/rows`, { key })).json.data
    assert.deepEqual(
      rows.map(({ draft }: { draft: { bookingReference: string | null } }) => draft.bookingReference),
      [null, null],
    )
    await choose(null)
    assert.equal(await references(), 1)
  })

  test('rows are read by number, each once, in file order', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    const lines = Array.from({ length: 12 }, (_, i) => line(`2020-01-${10 + i}`, `SK${900 + i}`, cph, ewr))
    const id = await importOf(ada, file(...lines))
    const numbersOf = async (rows: string) =>
      (await read(`${id}/picked-rows?rows=${rows}`, cookie)).json.data.map(({ row }: { row: number }) => row)
    assert.deepEqual(await numbersOf('11,2,2,7'), [2, 7, 11])
    assert.deepEqual(await numbersOf('12,13'), [12], 'numbers beyond the end are passed over')
    for (const rows of [
      '',
      '0',
      'x',
      '1;2',
      '1,',
      '200001',
      Array.from({ length: 101 }, (_, i) => i + 1).join(),
    ])
      assertError(await read(`${id}/picked-rows?rows=${rows}`, cookie), 400, 'bad_request')
    assertError(await read(`${id}/picked-rows`, cookie), 400, 'bad_request')
  })

  test('another person’s import is not found', async () => {
    const id = await importOf(await app().person(), file(line('2020-03-01', 'SK909', cph, ewr)))
    const cookie = await (await app().person()).session()
    assertError(await read(`${id}/overview`, cookie), 404, 'not_found')
    assertError(await read(`${id}/picked-rows?rows=1`, cookie), 404, 'not_found')
  })
})

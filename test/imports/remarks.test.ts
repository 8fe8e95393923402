// What an import leaves out or assumes, what its questions name, and its receipt.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines } from '../harness.ts'
import { type Row, readImport } from './judged.ts'

const csv = (...lines: string[]): string => ['Date,From,To,Flight,Aircraft', ...lines].join('\n')

onBothEngines('remarks, questions and receipts', (app) => {
  const importer = async () => {
    const who = await app().person()
    return { who, key: await who.key() }
  }
  const request = (key: string, method: string, path: string, body?: object) =>
    app().request(method as 'GET', `/api/v1${path}`, { key, ...(body && { body }) })
  async function preview(key: string, text: string): Promise<{ import: Row; rows: Row[] }> {
    const reply = await request(key, 'POST', '/imports', { filename: 'flights.csv', text })
    assert.equal(reply.status, 201, reply.text)
    return readImport(app(), key, reply.json.data.id)
  }

  test('rows with a remark are counted and listed, in the receipt too', async () => {
    const { key } = await importer()
    const { import: given } = await preview(
      key,
      csv(
        '2019-05-01,CPH,ARN,SK1,Zeppelin NT-9',
        '2019-05-02,CPH,ARN,SK1,B738',
        '2019-05-03,CPH,ARN,SK1,Zeppelin NT-9',
        '2019-05-04,CPH,Stockholm Arlanda,SK1,B738',
      ),
    )
    assert.equal(given.counts.remarks, 3)
    assert.equal(given.counts.new, 4, 'remarks are no verdict')
    const listed = await request(key, 'GET', `/imports/${given.id}/rows?remarks=true`)
    assert.deepEqual(
      listed.json.data.map(({ row }: Row) => row),
      [1, 3, 4],
    )
    const both = await request(key, 'GET', `/imports/${given.id}/rows?remarks=true&verdict=error`)
    assert.deepEqual(both.json.data, [])
    const all = await request(key, 'GET', `/imports/${given.id}/rows?remarks=false`)
    assert.equal(all.json.data.length, 4)
    assertError(await request(key, 'GET', `/imports/${given.id}/rows?remarks=some`), 400, 'bad_request')
    const done = await request(key, 'POST', `/imports/${given.id}/commit`, {})
    assert.deepEqual([done.json.data.committed.created, done.json.data.receipt.counts.remarks], [4, 3])
  })

  test('the page of an import has the riskiest remarks first', async () => {
    const { who, key } = await importer()
    const { import: given } = await preview(
      key,
      csv('2019-05-01,CPH,ARN,SK1,Zeppelin NT-9', '2019-05-04,CPH,Stockholm Arlanda,SK1,B738'),
    )
    const { json } = await app().request('GET', `/app/api/imports/${given.id}/overview`, {
      cookie: await who.session(),
    })
    assert.deepEqual(json.data.remarks, [2, 1])
  })

  test('an unknown aircraft is one question for all rows, which stays empty and blocks nothing', async () => {
    const { key } = await importer()
    const { import: given } = await preview(
      key,
      csv('2019-05-01,CPH,ARN,SK1,Zeppelin NT-9', '2019-05-02,CPH,ARN,SK1,zeppelin nt-9'),
    )
    assert.equal(given.status, 'ready')
    const question = given.questions.find(({ kind }: Row) => kind === 'unknown_aircraft')
    assert.deepEqual([question.rows, question.rowNumbers, question.preselected], [2, [1, 2], true])
    assert.deepEqual(question.answer, {
      kind: 'unknown_aircraft',
      value: 'Zeppelin NT-9',
      leaveEmpty: true,
    })
    const aircraft = (await request(key, 'GET', '/aircraft?query=B738')).json.data[0]
    const answered = await request(key, 'PATCH', `/imports/${given.id}`, {
      answers: [{ kind: 'unknown_aircraft', value: 'Zeppelin NT-9', id: aircraft.id }],
    })
    assert.equal(answered.status, 200, answered.text)
    assert.equal(answered.json.data.counts.remarks, 0)
    const [known] = answered.json.data.questions
    assert.deepEqual([known.preselected, known.choices[0].label], [false, aircraft.name])
    const { rows } = await readImport(app(), key, given.id)
    assert.deepEqual(
      rows.map(({ draft }) => draft.aircraft.icao),
      ['B738', 'B738'],
    )
    // Remembered for the next file.
    const next = await preview(key, csv('2020-05-01,CPH,ARN,SK1,Zeppelin NT-9'))
    assert.equal(next.rows[0].draft.aircraft.icao, 'B738')
    assertError(
      await request(key, 'PATCH', `/imports/${given.id}`, {
        answers: [{ kind: 'unknown_aircraft', value: 'Zeppelin NT-9', id: 99_999_999 }],
      }),
      422,
      'validation_failed',
    )
  })

  test('a question names its rows, flight and side, and why its guesses are likely', async () => {
    const { key } = await importer()
    const { import: given } = await preview(
      key,
      csv(
        '2019-05-01,CPH,FRA,LH827,',
        '2019-05-02,QQQ,FRA,LH827,',
        '2019-05-03,CPH,FRA,LH827,',
        '2012-01-05,,CPH,LX1268,',
        '2012-01-09,ZRH,CPH,LX1268,',
      ),
    )
    const [missing, unknown] = ['missing_airport', 'unknown_airport'].map((wanted) =>
      given.questions.find(({ kind }: Row) => kind === wanted),
    )
    assert.deepEqual(unknown.rowNumbers, [2])
    assert.deepEqual(unknown.example, {
      row: 2,
      side: 'from',
      date: '2019-05-02',
      datePrecision: 'day',
      flightNumber: 'LH827',
      from: 'QQQ',
      to: 'FRA',
    })
    const firstOf = ({ choices }: Row) => [choices[0].label.slice(0, 3), choices[0].reason]
    assert.deepEqual(firstOf(unknown), ['CPH', 'number_in_file'])
    assert.deepEqual([missing.example.row, missing.example.side, missing.example.from], [4, 'from', null])
    assert.deepEqual(firstOf(missing), ['ZRH', 'number_in_file'])
    assert.equal(unknown.choices.length, 1, 'no airport has a similar code')
  })

  test('a receipt stays as it was', async () => {
    const { who, key } = await importer()
    const [cph, arn, osl] = await airportIds(app(), 'CPH', 'ARN', 'OSL')
    await logFlight(app(), who, { date: '2018-01-01', fromId: cph, toId: osl })
    const { import: given } = await preview(key, csv('2019-05-01,CPH,ARN,SK1,', '2019-05-02,ARN,CPH,SK2,'))
    assert.equal(given.receipt, null)
    const { json } = await request(key, 'POST', `/imports/${given.id}/commit`, {})
    const { receipt } = json.data
    assert.deepEqual(
      [receipt.created, receipt.updated, receipt.routes, receipt.airports, receipt.countries],
      [2, 0, 1, 1, 1],
    )
    await logFlight(app(), who, { date: '2020-01-01', fromId: cph, toId: arn })
    await logFlight(app(), who, { date: '2020-01-02', fromId: osl, toId: arn })
    assert.deepEqual((await request(key, 'GET', `/imports/${given.id}`)).json.data.receipt, receipt)
  })
})

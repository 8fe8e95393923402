// Files of log programs: every record is a flight of its own, unless its id or all of its values repeat.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, testOnSqlite } from '../harness.ts'
import { until } from '../until.ts'
import { readImport } from './judged.ts'

const cell = (...lines: string[]) => `<td>${lines.join('<br>')}</td>`

/** A page of FlightMemory in which each flight has a number of FlightMemory's and only a year. */
const flightMemory = (flights: readonly { year: string; from: string; to: string }[]): string => {
  const rows = flights.map(({ year, from, to }, i) =>
    [
      '<tr>',
      cell(String(flights.length - i)),
      cell(year),
      cell(`<b>${from}</b>`),
      cell(from),
      cell(`<b>${to}</b>`),
      cell(to),
      cell('409 mi'),
      cell('Swiss'),
      cell('&nbsp;'),
      cell('&nbsp;'),
      cell('&nbsp;'),
      '</tr>',
    ].join(''),
  )
  return `<html><head><title>FlightMemory - FlightData</title></head><body><table>
<tr><th></th><th>Date<br>Dep.<br>Arr.</th><th colspan="2">Departure</th><th colspan="2">Arrival</th><th>Distance<br>Duration</th><th>Airline<br>Flight number</th><th>Airplane<br>Registration<br>Name</th><th>Seat<br>Class<br>Role<br>Reason</th><th></th></tr>
${rows.join('\n')}</table></body></html>`
}

const foreFlight = (...flights: string[]): string =>
  [
    'ForeFlight Logbook Import,This row is required for importing into ForeFlight. Do not delete or modify.',
    '',
    'Aircraft Table',
    'AircraftID,EquipmentType,TypeCode,Year,Make,Model',
    'D-EABC,aircraft,C172,1978,Cessna,172N Skyhawk',
    'D-EFGH,aircraft,P28A,1990,Piper,Archer',
    '',
    'Flights Table',
    'Date,AircraftID,From,To,TotalTime,PilotComments',
    ...flights,
  ].join('\n')

async function preview(app: TestApp, key: string, filename: string, text: string) {
  const {
    status,
    text: body,
    json,
  } = await app.request('POST', '/api/v1/imports', {
    key,
    body: { filename, text },
  })
  assert.equal(status, 201, body)
  return readImport(app, key, json.data.id)
}

onBothEngines('flights that look alike in a log', (app, engine) => {
  const importer = async () => {
    const who = await app().person()
    return { who, key: await who.key() }
  }

  test('a FlightMemory page of 50 flights known by year comes in whole', async () => {
    const { key } = await importer()
    const flights = Array.from({ length: 50 }, (_, i) => ({
      year: String(2005 + (i % 3)),
      ...(i % 2 ? { from: 'TXL', to: 'ZRH' } : { from: 'ZRH', to: 'TXL' }),
    }))
    const { import: given } = await preview(app(), key, 'flugdaten.html', flightMemory(flights))
    assert.equal(given.source, 'flightmemory')
    assert.deepEqual([given.counts.rows, given.counts.new], [50, 50])
    const reply = await app().request('POST', `/api/v1/imports/${given.id}/commit`, { key, body: {} })
    assert.equal(reply.json.data.committed.created, 50, reply.text)
  })

  test('a flight known by year is at most similar to one in the log', async () => {
    const { who, key } = await importer()
    const [fromId, toId] = await airportIds(app(), 'ZRH', 'ARN')
    await logFlight(app(), who, { date: '2007-01-01', datePrecision: 'year', fromId, toId })
    await logFlight(app(), who, { date: '2009-05-03', fromId, toId })
    const flights = ['2007', '2009', '2011'].map((year) => ({ year, from: 'ZRH', to: 'ARN' }))
    const { rows } = await preview(app(), key, 'flugdaten.html', flightMemory(flights))
    assert.deepEqual(
      rows.map(({ verdict }) => verdict),
      ['similar', 'similar', 'new'],
    )
  })

  test('two local flights on one day are two flights, unless every value is the same', async () => {
    const { key } = await importer()
    const { rows } = await preview(
      app(),
      key,
      'logbook.csv',
      foreFlight(
        '2023-07-09,D-EFGH,EDXP,EDXP,1.2,',
        '2023-07-09,D-EABC,EDXP,EDXP,1.2,',
        '2023-07-10,D-EABC,EDXP,EDXP,1.8,',
        '2023-07-10,D-EABC,EDXP,EDXP,0.6,',
        '2023-07-11,D-EABC,EDXP,EDXP,1.0,Stalls',
        '2023-07-11,D-EABC,EDXP,EDXP,1.0,Landings',
        '2023-07-12,D-EABC,EDXP,EDXP,1.0,Landings',
        '2023-07-12,D-EABC,EDXP,EDXP,1.0,Landings',
      ),
    )
    assert.deepEqual(
      rows.map(({ code, verdict }) => code ?? verdict),
      ['new', 'new', 'new', 'new', 'new', 'new', 'new', 'duplicate_in_file'],
    )
    assert.deepEqual(rows[7].of, { row: 7 })
  })

  test('rows of an import that is in the log still repeat each other', async () => {
    const { key } = await importer()
    const line = '2023-07-12,D-EABC,EDXP,EDXP,1.0,Landings'
    const { import: given } = await preview(app(), key, 'logbook.csv', foreFlight(line, line))
    const path = `/api/v1/imports/${given.id}`
    await app().request('POST', `${path}/commit`, { key, body: {} })
    await app().request('PATCH', path, { key, body: { options: {} } })
    const { rows } = await readImport(app(), key, given.id)
    assert.deepEqual(
      rows.map(({ code, verdict }) => code ?? verdict),
      ['new', 'duplicate_in_file'],
    )
  })

  testOnSqlite(engine)('a file of one route and one day stops nothing', async () => {
    const { key } = await importer()
    const rows = Array.from({ length: 20_000 }, (_, i) => `2019-03-03,CPH,ARN,note ${i}`)
    const text = ['Date,From,To,Note', ...rows, rows[0]].join('\n')
    const reply = await app().request('POST', '/api/v1/imports', { key, body: { filename: 'day.csv', text } })
    assert.equal(reply.status, 201, reply.text)
    await until('the file is read', async () => {
      const { json } = await app().request('GET', `/api/v1/imports/${reply.json.data.id}`, { key })
      const { status, counts } = json.data
      return status === 'ready' && counts.new === 20_000 && counts.duplicate === 1
    })
  })

  testOnSqlite(engine)('a calendar of one route and one day stops nothing', async () => {
    const { key } = await importer()
    const event = (i: number) =>
      [
        ...['BEGIN:VEVENT', `UID:${i}@example`, `SUMMARY:SK${i + 1} CPH-ARN`],
        ...['DTSTART:20190303T080000Z', 'DTEND:20190303T091000Z', 'END:VEVENT'],
      ].join('\r\n')
    const events = Array.from({ length: 9_999 }, (_, i) => event(i))
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n')
    const reply = await app().request('POST', '/api/v1/imports', { key, body: { filename: 'day.ics', text } })
    assert.equal(reply.status, 201, reply.text)
    await until('the calendar is read', async () => {
      const { json } = await app().request('GET', `/api/v1/imports/${reply.json.data.id}`, { key })
      const { status, counts } = json.data
      return status === 'ready' && counts.new + counts.similar === 9_999
    })
  })
})

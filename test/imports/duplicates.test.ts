// Flights that are in the log, or earlier in the file, through POST /imports: verdicts, their flights, and offered updates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { readImport } from './judged.ts'

const heading =
  'Date,Airline,Flight,From,To,Dep Terminal,Dep Gate,Arr Terminal,Arr Gate,Canceled,Diverted To,Gate Departure (Scheduled),Gate Departure (Actual),Take off (Scheduled),Take off (Actual),Landing (Scheduled),Landing (Actual),Gate Arrival (Scheduled),Gate Arrival (Actual),Aircraft Type Name,Tail Number,PNR,Seat,Seat Type,Cabin Class,Flight Reason,Notes,Flight Flighty ID,Airline Flighty ID,Departure Airport Flighty ID,Arrival Airport Flighty ID,Diverted To Airport Flighty ID,Aircraft Type Flighty ID'

interface Line {
  date: string
  number?: string
  from?: string
  to?: string
  /** HH:MM */
  departure?: string
  arrival?: string
  seat?: string
  gate?: string
  id?: string
}

const line = ({
  date,
  number = '',
  from = 'CPH',
  to = 'ARN',
  departure,
  arrival,
  seat = '',
  gate = '',
  id = '',
}: Line) => {
  const at = (clock: string | undefined) => (clock === undefined ? '' : `${date}T${clock}`)
  return `${date},${number ? 'SAS' : ''},${number},${from},${to},,${gate},,,false,,${at(departure)},,,,,,${at(arrival)},,,,,${seat},,,,,${id},,,,,`
}
const flighty = (...lines: Line[]) => [heading, ...lines.map(line)].join('\n')

interface Row {
  row: number
  verdict: string
  code: string | null
  of: unknown
  updates: { field: string; from: unknown; to: unknown }[]
}

async function preview(app: TestApp, key: string, text: string): Promise<{ id: number; rows: Row[] }> {
  const started = await app.request('POST', '/api/v1/imports', {
    key,
    body: { filename: 'FlightyExport.csv', text },
  })
  assert.ok([200, 201].includes(started.status), started.text)
  const { id } = started.json.data
  // A busy machine can take longer than the request waits.
  return { id, rows: (await readImport(app, key, id)).rows }
}

const verdictsOf = (rows: Row[]) => rows.map(({ verdict, code }) => code ?? verdict)

async function logged(app: TestApp, person: TestPerson, fields: Record<string, unknown>): Promise<number> {
  const key = await person.key()
  const body = { fromId: await app.airportId('CPH'), toId: await app.airportId('ARN'), ...fields }
  const { json, status, text } = await app.request('POST', '/api/v1/flights', { key, body })
  assert.equal(status, 201, text)
  return json.data.id
}

onBothEngines('duplicates in imports', (app) => {
  test('duplicates are found by day, route and number in the log', async () => {
    const ada = await app().person()
    const id = await logged(app(), ada, {
      date: '2024-05-10',
      flightNumber: 'SK1416',
      departure: '2024-05-10T08:00:00+02:00',
      arrival: '2024-05-10T09:10:00+02:00',
    })
    const month = await logged(app(), ada, { date: '2023-02-01', datePrecision: 'month' })
    const { rows } = await preview(
      app(),
      await ada.key(),
      flighty(
        { date: '2024-05-10', number: '1416', departure: '08:25' },
        { date: '2024-05-10' },
        { date: '2024-05-10', number: '9999', departure: '09:00' },
        { date: '2024-05-10', number: '9998', departure: '10:30' },
        { date: '2024-05-10', number: '1416', to: 'OSL' },
        { date: '2023-02-17', number: '1416' },
        { date: '2023-03-17', number: '1416' },
      ),
    )
    assert.deepEqual(verdictsOf(rows), [
      'duplicate_in_log',
      'duplicate_in_log',
      'similar_in_log',
      'new',
      'new',
      'similar_in_log',
      'new',
    ])
    assert.deepEqual(
      rows.map(({ of }) => of),
      [{ flightId: id }, { flightId: id }, { flightId: id }, null, null, { flightId: month }, null],
    )
  })

  test('a flight a day or two apart is similar, unless the file has that day too', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await logged(app(), ada, { date: '2024-05-10', flightNumber: 'SK1416' })
    const alone = await preview(app(), key, flighty({ date: '2024-05-11', number: '1416' }))
    assert.deepEqual(verdictsOf(alone.rows), ['similar_in_log'])
    const commuting = await preview(
      app(),
      key,
      flighty(
        { date: '2024-05-11', number: '1416' },
        { date: '2024-05-10', number: '1416' },
        { date: '2024-05-12', number: '1416' },
      ),
    )
    assert.deepEqual(verdictsOf(commuting.rows), ['new', 'duplicate_in_log', 'new'])
  })

  test('empty fields in the log and different times are offered as updates', async () => {
    const ada = await app().person()
    await logged(app(), ada, {
      date: '2024-05-10',
      flightNumber: 'SK1416',
      note: 'Mine',
      departureGate: 'A9',
      departure: '2024-05-10T08:00:00+02:00',
    })
    const { rows } = await preview(
      app(),
      await ada.key(),
      flighty({
        date: '2024-05-10',
        number: '1416',
        departure: '08:25',
        arrival: '09:30',
        gate: 'B7',
        seat: '14A',
      }),
    )
    const updates = Object.fromEntries(rows[0]!.updates.map(({ field, from, to }) => [field, [from, to]]))
    assert.deepEqual(updates['departure'], ['2024-05-10T08:00:00+02:00', '2024-05-10T08:25:00+02:00'])
    assert.deepEqual(updates['arrival'], [null, '2024-05-10T09:30:00+02:00'])
    assert.deepEqual(updates['seatNumber'], [null, '14A'])
    assert.equal(updates['departureGate'], undefined, 'a value that was typed stays')
    assert.equal(updates['note'], undefined)
  })

  test('repeated records, later versions by id, and decisive ids are found within a file', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const first = await preview(
      app(),
      key,
      flighty(
        { date: '2024-05-10', number: '1416', id: 'a' },
        { date: '2024-05-10', number: '1416', id: 'a' },
        { date: '2024-06-01', number: '1416', id: 'b' },
        { date: '2024-06-01', number: '1416', id: 'b', seat: '1A' },
        { date: '2024-07-01', number: '1416' },
        { date: '2024-07-01', number: '1416' },
      ),
    )
    assert.deepEqual(verdictsOf(first.rows), [
      'new',
      'duplicate_in_file',
      'superseded',
      'new',
      'new',
      'duplicate_in_file',
    ])
    assert.deepEqual(
      first.rows.map(({ of }) => of),
      [null, { row: 1 }, { row: 4 }, null, null, { row: 5 }],
    )
    const committed = await app().request('POST', `/api/v1/imports/${first.id}/commit`, { key, body: {} })
    assert.equal(committed.json.data.committed.created, 3, committed.text)

    // A later export of the same app: another day for the same id, and one new flight.
    const later = await preview(
      app(),
      key,
      flighty(
        { date: '2024-06-03', number: '1416', id: 'b', seat: '2C' },
        { date: '2025-01-01', number: '1416', id: 'c' },
      ),
    )
    assert.deepEqual(verdictsOf(later.rows), ['duplicate_in_log', 'new'])
    const seat = later.rows[0]!.updates.find(({ field }) => field === 'seatNumber')
    assert.deepEqual([seat?.from, seat?.to], ['1A', '2C'], 'the source gave it before')
  })

  test('a flight rescheduled by its source moves completely, and back with an undo', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const send = async (...lines: Line[]) => {
      const given = await preview(app(), key, flighty(...lines))
      const path = `/api/v1/imports/${given.id}`
      await app().request('PATCH', path, { key, body: { options: { duplicates: 'update' } } })
      const reply = await app().request('POST', `${path}/commit`, { key, body: {} })
      assert.equal(reply.json.data.status, 'committed', reply.text)
      return { path, fields: given.rows.map(({ updates }) => updates.map(({ field }) => field)) }
    }
    const log = async () => {
      const { json } = await app().request('GET', '/api/v1/flights', { key })
      return json.data.map(({ date, departure, from, to }: Record<string, never>) =>
        [date, departure, from?.['iata'], to?.['iata']].join(' '),
      )
    }
    await send(
      { date: '2024-05-10', number: '1416', departure: '08:00', id: 'a' },
      { date: '2024-06-10', number: '1418', id: 'b' },
    )
    const before = ['2024-06-10  CPH ARN', '2024-05-10 2024-05-10T08:00:00+02:00 CPH ARN']
    assert.deepEqual(await log(), before)
    const later = await send(
      { date: '2024-05-12', number: '1416', departure: '09:00', id: 'a' },
      { date: '2024-06-10', number: '1418', to: 'GOT', id: 'b' },
    )
    assert.deepEqual(later.fields, [['date', 'departure', 'departureScheduled'], ['to']])
    assert.deepEqual(await log(), ['2024-06-10  CPH GOT', '2024-05-12 2024-05-12T09:00:00+02:00 CPH ARN'])
    await app().request('POST', `${later.path}/undo`, { key, body: {} })
    assert.deepEqual(await log(), before)
  })

  test('a flight moved by an import is found, listed and compared by its new day', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await logged(app(), ada, { date: '2023-06-01', flightNumber: 'SK1' })
    const datesOf = async (query: string) => {
      const { json } = await app().request('GET', `/api/v1/flights?${query}`, { key })
      return { dates: json.data.map(({ date }: { date: string }) => date), next: json.page.nextCursor }
    }
    const commit = async (given: Line) => {
      const { id } = await preview(app(), key, flighty(given))
      const path = `/api/v1/imports/${id}`
      await app().request('PATCH', path, { key, body: { options: { duplicates: 'update' } } })
      const reply = await app().request('POST', `${path}/commit`, { key, body: {} })
      assert.equal(reply.json.data.status, 'committed', reply.text)
      return path
    }
    await commit({ date: '2022-12-31', number: '1416', id: 'a' })
    const moved: Line = { date: '2023-11-17', number: '1416', departure: '08:00' }
    const path = await commit({ ...moved, id: 'a' })
    assert.deepEqual((await datesOf('dateFrom=2023-11-01')).dates, ['2023-11-17'])
    assert.deepEqual((await datesOf('dateTo=2023-02-01')).dates, [])
    const page = await datesOf('limit=1')
    assert.deepEqual(page.dates, ['2023-11-17'])
    assert.deepEqual((await datesOf(`limit=1&cursor=${page.next}`)).dates, ['2023-06-01'])
    const again = await preview(app(), key, flighty({ ...moved, seat: '4A' }))
    assert.deepEqual(verdictsOf(again.rows), ['duplicate_in_log'])
    await app().request('POST', `${path}/undo`, { key, body: {} })
    assert.deepEqual((await datesOf('dateFrom=2023-11-01')).dates, [])
    assert.deepEqual((await datesOf('dateTo=2023-02-01')).dates, ['2022-12-31'])
  })

  test('a month in the log or a moved departure gets its day, and a typed day stays', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await logged(app(), ada, { date: '2023-02-01', datePrecision: 'month' })
    await logged(app(), ada, { date: '2024-05-10', flightNumber: 'SK1416' })
    const departure = '2024-07-10T23:50:00+02:00'
    await logged(app(), ada, { date: '2024-07-10', flightNumber: 'SK1420', departure })
    const { rows } = await preview(
      app(),
      key,
      flighty(
        { date: '2023-02-17', departure: '08:00' },
        { date: '2024-05-11', number: '1416' },
        { date: '2024-07-11', number: '1420', departure: '00:10' },
      ),
    )
    const [month, typed, moved] = rows.map(({ updates }) => updates.map(({ field, to }) => `${field} ${to}`))
    assert.deepEqual(month, [
      'date 2023-02-17',
      'datePrecision day',
      'departure 2023-02-17T08:00:00+01:00',
      'departureScheduled 2023-02-17T08:00:00+01:00',
    ])
    const days = (updates: string[] | undefined) => updates!.filter((update) => update.startsWith('date'))
    assert.deepEqual([days(typed), days(moved)], [[], ['date 2024-07-11']])
  })

  test('a flight logged after the preview is not created again unless requested', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flights = [
      { date: '2024-05-10', number: '1416', departure: '08:25' },
      { date: '2024-05-12', number: '1419', departure: '18:00' },
    ]
    const first = await preview(app(), key, flighty(...flights))
    const second = await preview(app(), key, flighty({ date: '2024-05-20', number: '1' }, ...flights))
    await logged(app(), ada, { date: '2024-05-12', flightNumber: 'SK1419' })
    const commits = await Promise.all(
      [first, second].map(({ id }) =>
        app().request('POST', `/api/v1/imports/${id}/commit`, { key, body: {} }),
      ),
    )
    const created = commits.map(({ json, text }) => {
      assert.equal(json.data?.status, 'committed', text)
      return json.data.committed.created
    })
    assert.equal(created[0] + created[1], 2, 'SK1416 by one of them, SK1 by the second')
    const all = (await app().request('GET', '/api/v1/flights', { key })).json.data
    assert.deepEqual(all.map(({ flightNumber }: { flightNumber: string }) => flightNumber).sort(), [
      'SK1',
      'SK1416',
      'SK1419',
    ])
    const after = await app().request('GET', `/api/v1/imports/${first.id}/rows`, { key })
    assert.equal(after.json.data[1].code, 'duplicate_in_log')

    const wanted = await preview(app(), key, flighty({ date: '2025-01-01', number: '7' }))
    await logged(app(), ada, { date: '2025-01-01', flightNumber: 'SK7' })
    const path = `/api/v1/imports/${wanted.id}`
    await app().request('PATCH', `${path}/rows/1`, { key, body: { accept: 'new' } })
    const committed = await app().request('POST', `${path}/commit`, { key, body: {} })
    assert.equal(committed.json.data.committed.created, 1, committed.text)
  })

  test('only the importer’s own flights are compared', async () => {
    const [ada, ben] = [await app().person(), await app().person()]
    await logged(app(), ada, { date: '2024-05-10', flightNumber: 'SK1416' })
    const { rows } = await preview(app(), await ben.key(), flighty({ date: '2024-05-10', number: '1416' }))
    assert.deepEqual(verdictsOf(rows), ['new'])
  })
})

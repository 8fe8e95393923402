// What real files taught: a value comes in right or is asked about, never wrong without a word.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'
import { type Row, readImport, written } from './judged.ts'

onSqlite('right or asked', (app) => {
  const person = async () => (await app().person()).key()

  async function sent(text: string, filename = 'table.csv', options: object = {}) {
    const key = await person()
    const reply = await app().request('POST', '/api/v1/imports', { key, body: { filename, text, options } })
    assert.equal(reply.status, 201, reply.text)
    const { id } = reply.json.data
    const patch = async (body: object) => {
      const changed = await app().request('PATCH', `/api/v1/imports/${id}`, { key, body })
      assert.equal(changed.status, 200, changed.text)
      return readImport(app(), key, id)
    }
    return { ...(await readImport(app(), key, id)), patch }
  }
  const table = (...lines: string[]) => sent(lines.join('\n'))

  // Times of one kind

  const flighty = (times: Partial<Record<'departs' | 'departed' | 'arrives' | 'arrived', string>>) =>
    table(
      'Date,Airline,Flight,From,To,Diverted To,Gate Departure (Scheduled),Gate Departure (Actual),Gate Arrival (Scheduled),Gate Arrival (Actual)',
      `2024-03-08,QFA,27,SYD,SCL,,${[times.departs, times.departed, times.arrives, times.arrived].map((time) => time ?? '').join()}`,
    )

  test('a missing actual time stays empty, and the scheduled ones are kept', async () => {
    const scheduled = { departs: '2024-03-08T11:15', arrives: '2024-03-08T09:45' }
    const late = await flighty({ ...scheduled, departed: '2024-03-08T14:23' })
    const [row] = late.rows
    assert.equal(written(row), 'new 2024-03-08 YSSY>SCEL QF27 QFA - - 2024-03-08T03:23Z -')
    assert.deepEqual(
      [row.draft.duration, row.draft.departureScheduled, row.draft.arrivalScheduled],
      [null, '2024-03-08T11:15:00+11:00', '2024-03-08T09:45:00-03:00'],
    )
    const landed = await flighty({ ...scheduled, arrived: '2024-03-08T12:50' })
    assert.equal(written(landed.rows[0]), 'new 2024-03-08 YSSY>SCEL QF27 QFA - - - 2024-03-08T15:50Z')
    const planned = await flighty(scheduled)
    assert.equal(
      written(planned.rows[0]),
      'new 2024-03-08 YSSY>SCEL QF27 QFA - - 2024-03-08T00:15Z 2024-03-08T12:45Z',
    )
  })

  test('a table with both kinds of times does not mix them', async () => {
    const { rows } = await table(
      'Date,From,To,STD,ATD,STA,ATA',
      '2024-03-08,CPH,ARN,10:00,10:55,11:10,',
      '2024-03-08,ARN,CPH,10:00,,11:10,',
    )
    assert.deepEqual(rows.map(written), [
      'new 2024-03-08 EKCH>ESSA - - - - 2024-03-08T09:55Z -',
      'new 2024-03-08 ESSA>EKCH - - - - 2024-03-08T09:00Z 2024-03-08T10:10Z',
    ])
  })

  test('columns `dpt_local` and `arr_local` are times', async () => {
    const { rows } = await table('date,from,to,dpt_local,arr_local', '2024-03-08,CPH,ARN,10:00,11:10')
    assert.deepEqual(rows.map(written), [
      'new 2024-03-08 EKCH>ESSA - - - - 2024-03-08T09:00Z 2024-03-08T10:10Z',
    ])
  })

  // Seats and classes

  test('seats are stored in upper case, and two seats for one person are reported', async () => {
    const { rows } = await table(
      'Date,From,To,Seat,Class',
      '2024-03-08,CPH,ARN,12a,Coach Class - M',
      '2024-03-09,CPH,ARN,"29H, 29J",Economy (Y)',
    )
    assert.deepEqual(
      rows.map(({ draft, warnings }) => [
        draft.passengers[0].seatNumber,
        draft.passengers[0].seatClass,
        warnings.map(({ field, value }: Row) => `${field} ${value}`),
      ]),
      [
        ['12A', 'economy', []],
        [null, 'economy', ['seatNumber 29H, 29J']],
      ],
    )
  })

  // Not flown

  test('a train, a bus or a hotel is not a flight, whichever column says so', async () => {
    const { rows } = await table(
      'origin,destination,mode,cost,date',
      'Paris CDG,LYS,train,20,2019-05-01',
      'CPH,ARN,Flight,90,2019-05-02',
      'CPH,ARN,By bus,30,2019-05-03',
      'CPH,GOT,Fähre,30,2019-05-04',
      'CPH,CPH,hotel,90,2019-05-05',
    )
    const skipped = 'skipped not_a_flight'
    assert.deepEqual(
      rows.map(({ verdict, code }) => `${verdict} ${code}`),
      [skipped, 'new null', skipped, skipped, skipped],
    )
    const numbers = await table(
      'Date,From,To,Flight,Class',
      '2019-05-01,CPH,ARN,Zug,',
      '2019-05-02,CPH,ARN,SK1416,Coach',
    )
    assert.deepEqual(
      numbers.rows.map(({ verdict, code }) => `${verdict} ${code}`),
      [skipped, 'new null'],
    )
  })

  test('a cancelled flight of a table is left out, unless the option says otherwise', async () => {
    const { rows, patch } = await table(
      'Date,From,To,Flight,Status',
      '2019-05-01,CPH,ARN,SK1416,Storniert',
      '2019-05-02,CPH,ARN,SK1416,Landed',
    )
    assert.deepEqual(
      rows.map(({ verdict, code }) => `${verdict} ${code}`),
      ['skipped cancelled', 'new null'],
    )
    const after = await patch({ options: { includeCancelled: true } })
    assert.deepEqual(
      after.rows.map(({ verdict, draft }) => `${verdict} ${draft.outcome}`),
      ['new cancelled', 'new flown'],
    )
  })

  test('a sentence is not a flight number, and stays in the note', async () => {
    const { rows } = await table(
      'Date,From,To,Flight',
      '2019-05-01,CPH,ARN,SK1416',
      '2019-05-02,CPH,ARN,see FR24 for details',
      '2019-05-03,CPH,ARN,"QF475 17:30, B738"',
      '2019-05-04,CPH,ARN,BAW12AB',
    )
    assert.deepEqual(
      rows.map(({ draft, warnings }) => [
        draft.flightNumber,
        draft.note,
        warnings.map(({ code, field }: Row) => `${code} ${field}`),
      ]),
      [
        ['SK1416', null, []],
        [null, 'Flight: see FR24 for details', ['value_not_understood flightNumber']],
        [null, 'Flight: QF475 17:30, B738', ['value_not_understood flightNumber']],
        ['BAW12AB', null, []],
      ],
    )
  })

  // Dates of a table

  test('the order of day and month that more rows prove counts; on a tie the person is asked', async () => {
    const most = await table(
      'Date,From,To',
      '13/01/2019,CPH,ARN',
      '01/14/2019,CPH,ARN',
      '01/15/2019,CPH,ARN',
      '02/03/2019,CPH,ARN',
    )
    assert.deepEqual(
      most.rows.map(({ verdict, draft }) => `${verdict} ${draft.date}`),
      ['error null', 'new 2019-01-14', 'new 2019-01-15', 'new 2019-02-03'],
    )
    const tie = await table('Date,From,To', '13/01/2019,CPH,ARN', '01/14/2019,CPH,ARN', '02/03/2019,CPH,ARN')
    assert.deepEqual(
      tie.rows.map(({ verdict, code }) => `${verdict} ${code}`),
      ['new null', 'question date_ambiguous', 'question date_ambiguous'],
    )
    assert.deepEqual(
      tie.import.questions.map(({ kind, value, rows }: Row) => [kind, value, rows]),
      [['date_ambiguous', 'date', 2]],
    )
    const { rows } = await tie.patch({ answers: [{ kind: 'date_ambiguous', value: 'date', id: 'mdy' }] })
    assert.deepEqual(
      rows.map(({ verdict, draft }) => `${verdict} ${draft.date}`),
      ['error null', 'new 2019-01-14', 'new 2019-02-03'],
    )
  })

  test('clock times with am and pm mean the month first', async () => {
    const { rows } = await table('Date,From,To,Departure', '02/03/2019,CPH,ARN,9:30 PM')
    assert.deepEqual(rows.map(written), ['new 2019-02-03 EKCH>ESSA - - - - 2019-02-03T20:30Z -'])
  })

  // Texts

  test('a flight in a text waits for the person, and is left out if they say so', async () => {
    const mail = [
      'From: a@example.org',
      'Date: Mon, 1 Jun 2026 10:00:00 +0200',
      'Subject: Your trip',
      'MIME-Version: 1.0',
      'Content-Type: text/plain',
      '',
      'Flight SK1416, 1 July 2026, CPH - ARN.',
      '',
      '',
      'Flight SK1417, 4 July 2026, ARN - CPH.',
    ].join('\r\n')
    const given = await sent(mail, 'trip.eml')
    assert.deepEqual(
      given.import.questions.map(({ kind, value, choices }: Row) => [kind, value, choices[0].id]),
      [
        ['from_text', 'SK1416 2026-07-01 CPH → ARN', 'flight'],
        ['from_text', 'SK1417 2026-07-04 ARN → CPH', 'flight'],
      ],
    )
    assert.equal(given.import.counts.new, 0)
    const { rows } = await given.patch({
      answers: [
        { kind: 'from_text', value: 'SK1416 2026-07-01 CPH → ARN', id: 'flight' },
        { kind: 'from_text', value: 'SK1417 2026-07-04 ARN → CPH', leaveEmpty: true },
      ],
    })
    assert.deepEqual(
      rows.map(({ verdict, code }) => `${verdict} ${code}`),
      ['new null', 'skipped excluded'],
    )
  })
})

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

  test('a cancelled title in a feed of TripIt', async () => {
    const events = ['Canceled: SK1416 CPH to ARN', 'SK1417 ARN to CPH'].map((title, i) =>
      [
        'BEGIN:VEVENT',
        `UID:item-c${i}@tripit.com`,
        `DTSTART:2025031${i + 2}T060000Z`,
        `SUMMARY:${title}`,
        'DESCRIPTION:[Flight] SK',
        'END:VEVENT',
      ].join('\r\n'),
    )
    const feed = [
      'BEGIN:VCALENDAR',
      'PRODID:-//TripIt Inc//TripIt Calendar 1.0//EN',
      ...events,
      'END:VCALENDAR',
    ]
    const { import: given, rows } = await sent(feed.join('\r\n'), 'tripit.ics')
    assert.equal(given.source, 'tripit-ics')
    assert.deepEqual(
      rows.map(({ verdict, code, draft }) => `${verdict} ${code} ${draft.flightNumber}`),
      ['skipped cancelled SK1416', 'new null SK1417'],
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

  // Tracks

  test('a track without a take-off has the day of its points, where it was recorded', async () => {
    const { rows } = await sent(
      [
        'Timestamp,UTC,Callsign,Position,Altitude,Speed,Direction',
        '1589688000,2020-05-17T04:00:00Z,,"33.9425,-118.4081",125,0,90',
        '1589688060,2020-05-17T04:01:00Z,,"33.9430,-118.4090",125,5,90',
      ].join('\n'),
    )
    assert.deepEqual(
      rows.map(({ verdict, draft }) => [verdict, draft.date, draft.from.iata, draft.takeoffActual]),
      [['new', '2020-05-16', 'LAX', null]],
    )
  })

  test('a file of a logger is read without its first line', async () => {
    const lines = [
      'HFDTE170524',
      'HFGIDGLIDERID:D-1234',
      'B1000005000000N00900000EA0120001250',
      'B1000305000000N00900000EA0120001250',
      'B1001005000360N00900000EA0120001250',
      'B1030005012000N00912000EA0120001250',
      'B1100305000000N00900000EA0120001250',
    ]
    const { import: given, rows } = await sent(lines.join('\r\n'), 'flight.igc')
    assert.equal(given.source, 'track')
    assert.deepEqual([rows[0].draft.date, rows[0].draft.aircraftReg], ['2024-05-17', 'D-1234'])
  })

  test('a point between an airfield and a seaplane base belongs to the airfield', async () => {
    const at = (lat: number, lon: number, seconds: number) =>
      `${1589688000 + seconds},2020-05-17T04:00:00Z,,"${lat},${lon}",0,0,0`
    const { rows } = await sent(
      [
        'Timestamp,UTC,Callsign,Position,Altitude,Speed,Direction',
        at(48.6085, -123.155, 0),
        at(47.6291, -122.3388, 60),
      ].join('\n'),
    )
    const { from, to } = rows[0].draft
    assert.deepEqual([from.name, to.name], ['Roche Harbor Airport', 'Kenmore Air Harbor Seaplane Base'])
  })

  // Passes

  test('a wallet pass keeps the number that it shows under the name of the airline', async () => {
    const pass = {
      formatVersion: 1,
      relevantDate: '2024-02-03T10:00+01:00',
      boardingPass: {
        transitType: 'PKTransitTypeAir',
        headerFields: [
          { key: 'h1', label: 'Qatar Airways', value: 'QR 123' },
          { key: 'h2', label: 'GATE', value: 'B22' },
        ],
        primaryFields: [
          { key: 'p1', label: 'COPENHAGEN', value: 'CPH' },
          { key: 'p2', label: 'DOHA', value: 'DOH' },
        ],
        auxiliaryFields: [{ key: 'a1', label: 'SEQ', value: 'A1 77' }],
      },
    }
    const { rows } = await sent(JSON.stringify(pass), 'pass.json')
    assert.deepEqual([rows[0].draft.flightNumber, rows[0].draft.departureGate], ['QR123', 'B22'])
  })

  test('a wallet pass with a day and no year follows the rule of all passes', async () => {
    const pass = (value: string) => ({
      formatVersion: 1,
      boardingPass: {
        transitType: 'PKTransitTypeAir',
        headerFields: [{ key: 'flight', label: 'FLIGHT', value: 'SK1416' }],
        primaryFields: [
          { key: 'p1', label: 'FROM', value: 'CPH' },
          { key: 'p2', label: 'TO', value: 'ARN' },
        ],
        auxiliaryFields: [{ key: 'date', label: 'DATE', value }],
      },
    })
    const named = async (value: string, filename: string) => {
      const { rows } = await sent(JSON.stringify(pass(value)), filename)
      return [rows[0].draft.date, ...rows[0].warnings.map(({ value: other }: Row) => other)]
    }
    assert.deepEqual(await named('1 MAY', 'pass 2019-11-17.json'), ['2019-05-01', '2018-05-01'])
    assert.deepEqual(await named('1 MAY 2016', 'pass 2019-11-17.json'), ['2016-05-01'])
  })

  // FlightMemory

  test('a page of FlightMemory without a heading is read by the form of its rows', async () => {
    const row = (date: string, from: string, to: string) =>
      `<tr><td>1</td><td>${date}<br>09:10 am<br>11:55 am</td><td><b>${from}</b></td><td>Munich<br>Germany<br>x</td><td><b>${to}</b></td><td>Madrid<br>Spain<br>x</td><td><table><tr><td>923</td><td>mi</td></tr><tr><td>2:45</td><td>h</td></tr></table></td><td>Lufthansa<br>1802</td><td>Airbus A320<br>D-AIUB</td><td>12A/Window<br>Economy<br>Passenger<br>Business</td></tr>`
    const page = `<html><head><title>FlightMemory - FlightData</title></head><body><table><tr><td>Welcome</td></tr></table><table>${row('06-03-2019', 'MUC', 'MAD')}${row('06-05-2019', 'MAD', 'MUC')}</table></body></html>`
    const { import: given, rows } = await sent(page, 'flights.html')
    assert.equal(given.source, 'flightmemory')
    assert.deepEqual(rows.map(written), [
      'new 2019-06-03 EDDM>LEMD LH1802 DLH A320 D-AIUB 2019-06-03T07:10Z 2019-06-03T09:55Z',
      'new 2019-06-05 LEMD>EDDM LH1802 DLH A320 D-AIUB 2019-06-05T07:10Z 2019-06-05T09:55Z',
    ])
    assert.deepEqual(
      rows.map(({ draft }) => [draft.passengers[0].seatNumber, draft.passengers[0].flightReason]),
      [
        ['12A', 'business'],
        ['12A', 'business'],
      ],
    )
  })
})

// Tables of any program: the result for each file, one line per record, written manually (`said.ts` describes the format);
// then the mapping, and the same through the API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipSync } from 'fflate'
import { readDelimited } from '../../server/services/imports/content/delimited.ts'
import { genericCsv } from '../../server/services/imports/readers/tables/generic.ts'
import { onSqlite } from '../harness.ts'
import { imported, type Row, written } from './judged.ts'
import { columnsIn, fileOf, saidBy } from './said.ts'

const expected: Record<string, string[]> = {
  'generic-csv/city-code.csv': [
    '2 date:05/27/2006 from:SFO "San Francisco" to:AKL "Auckland" airline:NZ flightNumber:7',
    '3 date:06/14/2006 from:AKL "Auckland" to:SFO "San Francisco" airline:NZ flightNumber:8',
    '4 skip:cancelled date:07/01/2006 from:"Oakland" to:BUR "Burbank" airline:WN flightNumber:1234 outcome:cancelled',
  ],
  'generic-csv/crew.csv': [
    '2 date:2023-07-08 from:EDDM to:LEMD departure:09:10/asked arrival:11:55/asked flightNumber:DLH1802 aircraft:A320 aircraftReg:D-AIUB',
    '3 date:2023-07-08 from:LEMD to:EDDM departure:12:40/asked arrival:15:10/asked flightNumber:DLH1803 aircraft:A320 aircraftReg:D-AIUB note:Line check',
  ],
  'generic-csv/danish.csv': [
    '2 date:24.12.2023 from:CPH "København" to:AAL "Aalborg" departure:14:05 arrival:14:50 airline:SAS flightNumber:SK 0582 aircraft:AT76 aircraftReg:ES-ATA note:Juleaften me:window,economy,leisure',
    '3 date:26.12.2023 from:AAL to:CPH departure:18:00 arrival:18:45 airline:DAT flightNumber:DX42 aircraft:AT72 me:9A,economy,leisure',
  ],
  'generic-csv/dutch.csv': [
    '2 date:15-08-2022 from:AMS to:LHR departure:08:00 arrival:08:20 airline:KLM flightNumber:KL 1001 aircraft:B738 aircraftReg:PH-BXA me:window,economy,business',
    '3 date:16-08-2022 from:LHR to:AMS departure:17:30 arrival:19:50 airline:KLM flightNumber:KL1002 aircraft:B739 note:File onderweg me:14C,economy+,leisure',
  ],
  'generic-csv/english.csv': [
    '2 date:2024-05-17 from:CPH to:ARN departure:07:05 arrival:08:15 airline:SAS flightNumber:SK1416 aircraft:"Airbus A320neo" aircraftReg:SE-ROH duration:4200 departureTerminal:3 departureGate:B7 bookingReference:Q7RT2M note:Rain, late me:12A,economy,business',
    '3 date:2024-05-19 from:ARN to:CPH departure:21:40 arrival:22:55 airline:SAS flightNumber:SK1427 aircraft:A20N aircraftReg:SE-ROJ duration:4500 departureTerminal:5 bookingReference:Q7RT2M me:aisle,3C,business,business with:"Maria Rossi" with:"Jan Novak"',
  ],
  'generic-csv/excel.csv': [
    '3 date:45429 from:CPH to:ARN departure:07:05 arrival:08:15 airline:SK flightNumber:1416 duration:4200 price:1234.50 SEK me:12A',
    '4 date:43466 from:GRU to:ZRH departure:43466T18:00 arrival:11:00 airline:LX flightNumber:93 duration:41700 price:129.9 CHF me:31K',
    '5 date:6/5/19 from:DEL to:BOM departure:22:05 arrival:00:15 airline:6E flightNumber:6E123 duration:7800 me:1E',
    '6 skip:not_a_flight',
  ],
  'generic-csv/french.csv': [
    `2 date:14/02/2025 from:CDG to:JFK departure:10:30 arrival:12:45 airline:"Air France" flightNumber:AF 006 aircraft:"Airbus A350-900" aircraftReg:F-HTYA note:À l'heure me:23L,economy,leisure`,
    '3 date:03/03/2025 from:JFK to:CDG departure:19:30 arrival:08:40 airline:"Air France" flightNumber:AF7 aircraft:B77W me:aisle,business,business',
  ],
  'generic-csv/german.csv': [
    '2 date:27.03.2021 from:"München" to:CPH "Kopenhagen" departure:09:10 arrival:10:45 airline:"Lufthansa" flightNumber:LH 0829 aircraft:A320 aircraftReg:D-AIUB duration:5700 note:Schöner Flug me:window,economy,leisure',
    '3 date:1.4.21 from:MUC to:TXL departure:07:20 arrival:08:30 airline:"Lufthansa" flightNumber:LH2030 duration:4200 me:5A,business,business',
  ],
  'generic-csv/headless.csv': ['1 ?column_mapping', '2 ?column_mapping'],
  'generic-csv/italian.csv': [
    '2 date:31/12/2019 from:LIN to:FCO departure:19:00 arrival:20:10 airline:"Alitalia" flightNumber:AZ 2038 aircraft:A319 aircraftReg:EI-IMB note:Capodanno a Roma me:4F,economy,business',
    '3 date:02/01/2020 from:FCO to:JFK departure:09:55 arrival:13:50 airline:"Alitalia" flightNumber:AZ610 aircraft:B77W me:aisle,business,leisure',
  ],
  'generic-csv/nasty.csv': [
    '4 date:2024-05-17 from:CPH to:ARN arrival:08:15+1d flightNumber:SK1416 !value_not_understood:departure:25:99 !value_not_understood:duration:soon !value_not_understood:seat:somewhere !value_not_understood:seatClass:Steerage',
    '5 date:2024-13-40 from:CPH to:ARN flightNumber:SK1417',
    '6 skip:not_a_flight',
    '7 date:2024-05-19 to:CPH departure:21:30 arrival:22:45 flightNumber:SK1427 duration:4500 me:window,economy',
    '8 error:bad_date',
    '9 date:2024 from:"Oslo "Fornebu"" to:"Bergen" me:aisle',
    '10 skip:not_a_flight',
  ],
  'generic-csv/norwegian.csv': [
    '2 date:17.05.2015 from:OSL to:BOO departure:10:15 arrival:11:45 airline:"Widerøe" flightNumber:WF 721 aircraft:DH8D aircraftReg:LN-WDE me:8D,economy,leisure',
    '3 date:18.05.2015 from:BOO to:OSL departure:20:05 arrival:21:35 airline:"Norwegian" flightNumber:DY373 aircraft:B738 note:17. mai me:aisle,economy,leisure',
  ],
  'generic-csv/one-cell.csv': [
    '2 from:LGW to:BCN departure:2024-03-31T01:30 arrival:2024-03-31T04:40 airline:U2 flightNumber:08641',
    '3 skip:cancelled from:BCN to:LGW departure:2024-04-02T23:50/+02:00 arrival:2024-04-03T01:15/+01:00 airline:U2 flightNumber:8642 outcome:cancelled',
    '4 from:LHR to:JFK departure:2024-04-05T06:00 airline:FI flightNumber:451 {Via: KEF}',
  ],
  'generic-csv/portuguese.csv': [
    '2 date:13/06/2018 from:LIS to:MAD departure:07:35 arrival:09:55 airline:TAP flightNumber:TP 1037 aircraft:A320 aircraftReg:CS-TNS me:window,economy,leisure',
    '3 date:20/06/2018 from:GRU to:LIS departure:18:25 arrival:08:00 airline:"LATAM" flightNumber:LA8070 aircraft:B77W note:Noite me:31K,business,business',
  ],
  'generic-csv/roster.csv': [
    '2 date:15MAY24 from:LGW to:FCO departure:21:22/utc arrival:00:05/utc departureScheduled:21:10/utc arrivalScheduled:23:40/utc flightNumber:EZY8642 aircraftReg:G-EZOA',
    '3 date:16MAY24 from:FCO to:LGW departure:09:25/utc arrival:12:10/utc departureScheduled:09:25/utc arrivalScheduled:12:10/utc flightNumber:EZY8643 aircraftReg:G-EZOA',
  ],
  'generic-csv/spanish.csv': [
    '2 date:01/09/2025 from:MAD "Madrid" to:LHR "Londres" departure:07:50 arrival:09:20 airline:"Iberia" flightNumber:IB3170 aircraft:A320 aircraftReg:EC-LVD me:12C,economy,business',
    '3 date:25/12/2025 from:MAD to:EZE departure:23:55 arrival:09:10 airline:"Iberia" flightNumber:IB6830 aircraft:A359 note:Navidad me:window,economy+,leisure',
  ],
  'generic-csv/swedish.csv': [
    '2 date:2020-02-29 from:ARN to:LLA departure:06:50 arrival:08:10 airline:SAS flightNumber:SK 1043 aircraft:B738 aircraftReg:LN-RRS note:Skottdag me:11F,economy,business',
    '3 date:2020-03-01 from:LLA to:ARN departure:09:15 arrival:10:30 airline:"Norwegian" flightNumber:D84372 aircraft:B738 me:2A,economy,leisure',
  ],
  'generic-csv/two-dates.csv': [
    '2 date:2024-01-10 from:AKL to:RAR departure:08:50 arrival:2024-01-09T14:40 flightNumber:NZ946',
    '3 date:2024-06-30 from:LAX to:SYD departure:22:30 arrival:2024-07-02T06:15 flightNumber:QF12',
  ],
  'generic-csv/unknown.csv': [
    '2 ?column_mapping',
    '3 ?column_mapping',
    '4 ?column_mapping',
    '5 ?column_mapping',
  ],
  'generic-json/german.yaml': [
    '- date:17.05.2024 from:CPH to:ARN departure:07:05 flightNumber:SK1416',
    '- date:19.05.2024 from:ARN to:CPH departure:21:40 flightNumber:SK1427',
  ],
  'generic-json/list.json': [
    '- date:2024-05-17 from:CPH to:ARN flightNumber:SK1416 me:12A',
    '- date:2024-05-19 from:ARN to:CPH airline:SK flightNumber:1427',
    '- error:unreadable_row',
    '- date:2024-06-01',
  ],
  'generic-json/nested.json': [
    '- from:GRU "São Paulo" to:ZRH "Zürich" departure:2018-10-06T18:25/-03:00 arrival:2018-10-07T11:00/+02:00 airline:LX "Swiss" flightNumber:LX93 with:"Maria Rossi" with:"Jan Novak"',
    '- skip:cancelled from:ZRH "Zürich" to:GRU "São Paulo" departure:2018-10-20T22:40/+02:00 arrival:2018-10-21T05:30/-03:00 airline:LX "Swiss" flightNumber:LX92 outcome:cancelled',
  ],
}

for (const [path, lines] of Object.entries(expected)) {
  test(path, async () => {
    const { source, records } = await saidBy(fileOf(path))
    assert.equal(source, path.split('/')[0])
    assert.deepEqual(records, lines)
  })
}

const columnsOf = (heading: string, ...rows: string[]) =>
  columnsIn(readDelimited([heading, ...rows].join('\n'))!, genericCsv.readers[0]!) ?? []

test('headings are recognised in ten languages, in any spelling', () => {
  const all: [heading: string, row: string, fields: (string | null)[]][] = [
    [
      'DATE,DEP_TIME,arrTime,FlightNo',
      '2024-05-17,07:05,08:15,SK1',
      ['date', 'departureTime', 'arrivalTime', 'flightNumber'],
    ],
    [
      'Abflugdatum,Ankunftsdatum,Abflughafen,Zielflughafen',
      '1.2.2024,1.2.2024,CPH,ARN',
      ['date', 'arrivalDate', 'from', 'to'],
    ],
    [
      'Planmäßiger Abflug,Tatsächlicher Abflug,Ankunft',
      '07:05,07:10,08:15',
      ['departureScheduled', 'departureTime', 'arrivalTime'],
    ],
    [
      'Heure de départ prévue,Heure de départ réelle,Aéroport d’arrivée',
      '07:05,07:10,ARN',
      ['departureScheduled', 'departureTime', 'to'],
    ],
    [
      'Terminal de salida,Puerta de salida,Terminal de llegada,Puerta de llegada',
      '3,B7,5,1',
      ['departureTerminal', 'departureGate', 'arrivalTerminal', 'arrivalGate'],
    ],
    [
      'Codice prenotazione,Durata,Prezzo,Valuta',
      'Q7RT2M,1:10,129,EUR',
      ['bookingReference', 'duration', 'price', 'currency'],
    ],
    [
      'Fecha de salida,Aeropuerto de origen,Aeropuerto de destino,Salida programada,Número de asiento,Duración del vuelo,Acompañantes',
      '1/2/2024,MAD,LHR,07:05,12A,2:30,Ana',
      ['date', 'from', 'to', 'departureScheduled', 'seatNumber', 'duration', 'passenger'],
    ],
    [
      'Data di partenza,Aeroporto di partenza,Aeroporto di arrivo,Orario previsto di partenza,Numero posto,Compagnia aerea,Marche',
      '1/2/2024,FCO,LIN,07:05,12A,ITA,EI-HJN',
      ['date', 'from', 'to', 'departureScheduled', 'seatNumber', 'airline', 'aircraftReg'],
    ],
    [
      'Data de partida,Aeroporto de origem,Aeroporto de destino,Passageiros',
      '1/2/2024,LIS,MAD,Ana',
      ['date', 'from', 'to', 'passenger'],
    ],
    [
      'Vertrekdatum,Vertrekluchthaven,Aankomstluchthaven,Vluchtduur',
      '1-2-2024,AMS,LHR,1:10',
      ['date', 'from', 'to', 'duration'],
    ],
    [
      'Afgangslufthavn,Ankomstlufthavn,Sædenummer,Rejseklasse',
      'CPH,ARN,12A,Økonomi',
      ['from', 'to', 'seatNumber', 'seatClass'],
    ],
    [
      'Avgångsdatum,Avgångsflygplats,Ankomstflygplats,Bokningsnummer',
      '2024-05-17,ARN,CPH,X1',
      ['date', 'from', 'to', 'bookingReference'],
    ],
    [
      'Avgangsdato,Avgangslufthavn,Flyplass ankomst,Kjøpsdato',
      '17.05.2015,OSL,BOO,1.1.2015',
      ['date', 'from', 'to', null],
    ],
    [
      'ADEP,ADES,DepPlace,Off Block (UTC),On Block (UTC),Ident',
      'EDDM,LEMD,EDDM,0910,1155,D-AIUB',
      ['from', 'to', 'from', 'departureTime', 'arrivalTime', 'aircraftReg'],
    ],
    [
      'OUT,OFF,ON,IN,Landings',
      '0910,0920,1145,1155,1',
      ['departureTime', 'takeoffActual', 'landingActual', 'arrivalTime', null],
    ],
  ]
  for (const [heading, row, fields] of all) assert.deepEqual(columnsOf(heading, row), fields, heading)
})

test('values overrule an implausible heading', () => {
  assert.deepEqual(
    columnsOf('No,Date,From,To,Passengers', '1,2024-05-17,CPH,ARN,180', '2,2024-05-18,ARN,CPH,174'),
    [null, 'date', 'from', 'to', null],
  )
  assert.deepEqual(columnsOf('Date,From,To,Carrier,No', '2024-05-17,CPH,ARN,SK,1416').slice(3), [
    'carrier',
    'number',
  ])
  assert.deepEqual(
    columnsOf('Date,From,To,Departure (UTC),Departure (local)', '2024-05-17,CPH,ARN,05:05,07:05').slice(3),
    [null, 'departureTime'],
    'local times are read before UTC',
  )
  assert.deepEqual(columnsOf('Date,Departure,Arrival', '2024-05-17,CPH,ARN'), ['date', 'from', 'to'])
  assert.deepEqual(columnsOf('Departure,Arrival,Route', '2024-05-17 07:05,2024-05-17 08:15,CPH-ARN'), [
    'departure',
    'arrival',
    'route',
  ])
  assert.deepEqual(columnsOf('When,Where from,Where to,What', '17 May 2024,CPH,ARN,SK1416'), [
    'date',
    'from',
    'to',
    'flightNumber',
  ])
})

test('the person’s column choices apply, for tables with these headings alone', async () => {
  const text = 'Wann,A,B,Womit\n2024-05-17,CPH,ARN,SK1416\n'
  const column = (index: number, heading: string, field: 'to' | 'from' | 'note' | 'ignore') => ({
    index,
    heading,
    field,
    examples: [],
  })
  const mapping = { columns: [column(1, 'A', 'to'), column(2, 'B', 'from'), column(3, 'Womit', 'note')] }
  const said = async (more: object) => (await saidBy(Buffer.from(text), more)).records
  assert.deepEqual(await said({}), ['2 ?column_mapping'])
  assert.deepEqual(await said({ mapping }), ['2 date:2024-05-17 from:ARN to:CPH note:SK1416'])
  const other = { columns: [column(1, 'Von', 'to'), column(2, 'Nach', 'from')] }
  assert.match((await said({ mapping: other }))[0]!, /\?column_mapping/)
  const less = { columns: [column(1, 'A', 'ignore')] }
  assert.match((await said({ mapping: less }))[0]!, /\?column_mapping/, 'an origin is still missing')
})

test('a column assigned by the person is used for nothing else', async () => {
  const text = 'Date,From,To,Flight,Booked as\n2024-05-17,CPH,ARN,SK1416,SK9999\n'
  const columns = [{ index: 4, heading: 'Booked as', field: 'flightNumber' as const, examples: [] }]
  const { records } = await saidBy(Buffer.from(text), { mapping: { columns } })
  assert.deepEqual(records, ['2 date:2024-05-17 from:CPH to:ARN flightNumber:SK9999'])
})

test('UTC and the decimal sign are options', async () => {
  const text = 'Date;From;To;Departure;Price\n2024-05-17;CPH;ARN;07:05;1.234 EUR\n'
  const said = async (options: object) => (await saidBy(Buffer.from(text), { options })).records[0]
  assert.equal(await said({}), '2 date:2024-05-17 from:CPH to:ARN departure:07:05 price:1234 EUR')
  assert.equal(
    await said({ timesAreUtc: true, decimal: '.' }),
    '2 date:2024-05-17 from:CPH to:ARN departure:07:05/utc price:1.234 EUR',
  )
  const crew = (await saidBy(fileOf('generic-csv/crew.csv'), { options: { timesAreUtc: false } })).records[0]!
  assert.match(crew, /departure:09:10 arrival:11:55 /)
})

test('a damaged table keeps whole records, and a truncated one those before the cut', async () => {
  const text = fileOf('generic-csv/english.csv')
  const whole = (await saidBy(text)).records
  const heading = text.indexOf('\n') + 1
  for (let i = 0; i < text.length; i += 7) {
    const bytes = Buffer.from(text)
    bytes[i] = (i * 31) % 256
    const { records } = await saidBy(bytes)
    assert.ok(records.length <= whole.length + 1, `byte ${i}: ${records.length}`)
    const cut = (await saidBy(text.subarray(0, i))).records
    // Without its columns a table is undecided, and so is the truncated row.
    if (i <= heading) continue
    assert.ok(records.length > 0, `byte ${i}`)
    assert.deepEqual(cut.slice(0, -1), whole.slice(0, cut.length - 1), `cut at ${i}`)
  }
})

// A workbook

const sheetXml = (rows: string[][]) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map(
      (cells, r) =>
        `<row r="${r + 1}">${cells
          .map((cell, c) => {
            const at = `${String.fromCharCode(65 + c)}${r + 1}`
            const [style, value] = cell.split('!') as [string, string?]
            if (value !== undefined) return `<c r="${at}" s="${style}"><v>${value}</v></c>`
            if (/^\d+(\.\d+)?$/.test(cell)) return `<c r="${at}"><v>${cell}</v></c>`
            return cell === '' ? '' : `<c r="${at}" t="inlineStr"><is><t>${cell}</t></is></c>`
          })
          .join('')}</row>`,
    )
    .join('')}</sheetData></worksheet>`

/** Style 1 is a date, 2 a time. */
function workbook(sheets: Record<string, string[][]>): Uint8Array {
  const names = Object.keys(sheets)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets>${names
      .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
      .map(
        (_, i) =>
          `<Relationship Id="rId${i + 1}" Type="${relation}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
  }
  names.forEach((name, i) => {
    files[`xl/worksheets/sheet${i + 1}.xml`] = sheetXml(sheets[name]!)
  })
  const encoder = new TextEncoder()
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, encoder.encode(text)])),
  )
}

test('every sheet with flights is read, with typed dates, times and numbers', async () => {
  const heading = ['Datum', 'Von', 'Nach', 'Abflug', 'Ankunft', 'Airline', 'Flug', 'Dauer']
  const bytes = workbook({
    '2024': [
      heading,
      ['1!45429', 'CPH', 'ARN', '2!0.295138888888889', '2!0.34375', 'SK', '1416', '2!0.0486111111111111'],
      ['1!45431', 'ARN', 'CPH', '21:40', '22:55', 'SK', '132', '75'],
      ['', '', '', '', '', '', 'Summe', '2'],
    ],
    Notizen: [['Nur ein Text']],
    '2025': [['Meine Flüge'], heading, ['45801', 'GRU', 'ZRH', '', '', 'LX', '93', '']],
  })
  const { source, records } = await saidBy(bytes)
  assert.equal(source, 'generic-xlsx')
  assert.deepEqual(records, [
    '2 date:2024-05-17 from:CPH to:ARN departure:07:05 arrival:08:15 airline:SK flightNumber:1416 duration:4200',
    '3 date:2024-05-19 from:ARN to:CPH departure:21:40 arrival:22:55 airline:SK flightNumber:132 duration:4500',
    '4 skip:not_a_flight',
    '3 date:45801 from:GRU to:ZRH airline:LX flightNumber:93',
  ])
})

// Through the door

onSqlite('tables of no known program', (app) => {
  const person = async () => (await app().person()).key()

  const files: Record<string, { questions?: string[]; options?: object; rows: string[] }> = {
    'generic-csv/english.csv': {
      rows: [
        'new 2024-05-17 EKCH>ESSA SK1416 SAS A20N SE-ROH 2024-05-17T05:05Z 2024-05-17T06:15Z',
        'new 2024-05-19 ESSA>EKCH SK1427 SAS A20N SE-ROJ 2024-05-19T19:40Z 2024-05-19T20:55Z',
      ],
    },
    'generic-csv/german.csv': {
      rows: [
        'new 2021-03-27 EDDM>EKCH LH829 DLH A320 D-AIUB 2021-03-27T08:10Z 2021-03-27T09:45Z !airport_by_name',
        // Tegel had closed half a year before.
        'new 2021-04-01 EDDM>EDDT LH2030 DLH - - 2021-04-01T05:20Z 2021-04-01T06:30Z !airport_closed_then',
      ],
    },
    'generic-csv/french.csv': {
      // 14/02 settles the order of 03/03 and of every other date.
      rows: [
        'new 2025-02-14 LFPG>KJFK AF6 AFR A359 F-HTYA 2025-02-14T09:30Z 2025-02-14T17:45Z',
        'new 2025-03-03 KJFK>LFPG AF7 AFR B77W - 2025-03-04T00:30Z 2025-03-04T07:40Z',
      ],
    },
    'generic-csv/two-dates.csv': {
      rows: [
        // Westward over the date line, with a date of its own for the arrival.
        'new 2024-01-10 NZAA>NCRG NZ946 ANZ - - 2024-01-09T19:50Z 2024-01-10T00:40Z',
        'new 2024-06-30 KLAX>YSSY QF12 QFA - - 2024-07-01T05:30Z 2024-07-01T20:15Z',
      ],
    },
    'generic-csv/one-cell.csv': {
      rows: [
        // Clocks in London skipped 01:30.
        'new 2024-03-31 EGKK>LEBL U28641 EZY - - 2024-03-31T01:30Z 2024-03-31T02:40Z !local_time_missing',
        'skipped:cancelled 2024-04-02 LEBL>EGKK U28642 EZY - - 2024-04-02T21:50Z 2024-04-03T00:15Z',
        'new 2024-04-05 EGLL>KJFK FI451 ICE - - 2024-04-05T05:00Z -',
      ],
    },
    'generic-csv/crew.csv': {
      questions: ['times_zone times'],
      rows: [
        'question:times_zone 2023-07-08 EDDM>LEMD LH1802 DLH A320 D-AIUB 2023-07-08T07:10Z 2023-07-08T09:55Z',
        'question:times_zone 2023-07-08 LEMD>EDDM LH1803 DLH A320 D-AIUB 2023-07-08T10:40Z 2023-07-08T13:10Z',
      ],
    },
    'generic-csv/nasty.csv': {
      questions: ['missing_airport SK1427 ? → CPH', 'unknown_airport Oslo "Fornebu"'],
      rows: [
        'new 2024-05-17 EKCH>ESSA SK1416 SAS - - - - !times_dropped !value_not_understood !value_not_understood !value_not_understood !value_not_understood',
        'error:bad_date',
        'skipped:not_a_flight',
        'question:missing_airport 2024-05-19 ?>EKCH SK1427 SAS - - - 4500s',
        'error:bad_date',
        'question:unknown_airport 2024 ?>ENBR - - - - - - !airport_by_name',
        'skipped:not_a_flight',
      ],
    },
    'generic-json/nested.json': {
      rows: [
        'new 2018-10-06 SBGR>LSZH LX93 SWR - - 2018-10-06T21:25Z 2018-10-07T09:00Z',
        'skipped:cancelled 2018-10-20 LSZH>SBGR LX92 SWR - - 2018-10-20T20:40Z 2018-10-21T08:30Z',
      ],
    },
  }

  for (const [path, { questions = [], options, rows: lines }] of Object.entries(files)) {
    test(path, async () => {
      const { import: given, rows } = await imported(app(), await person(), path, { ...options })
      assert.deepEqual(rows.map(written), lines)
      assert.deepEqual(
        given.questions.map(({ kind, value }: Row) => `${kind} ${value}`),
        questions,
      )
    })
  }

  test('unclear columns are asked about once for all rows and remembered', async () => {
    const key = await person()
    const { import: given, rows } = await imported(app(), key, 'generic-csv/unknown.csv')
    assert.equal(given.source, 'generic-csv')
    assert.equal(given.status, 'questions')
    assert.deepEqual(given.counts, {
      rows: 4,
      new: 0,
      duplicate: 0,
      similar: 0,
      question: 4,
      skipped: 0,
      error: 0,
      remarks: 0,
    })
    assert.deepEqual(
      rows.map(({ verdict, code }) => `${verdict}:${code}`),
      rows.map(() => 'question:column_mapping'),
    )
    assert.deepEqual(
      given.questions.map(({ kind, value, rows: count }: Row) => [kind, value, count]),
      [['column_mapping', 'wann|a|b|womit', 4]],
    )
    assert.deepEqual(given.mapping.columns, [
      { index: 0, heading: 'Wann', field: 'date', examples: ['2024-05-17', '2024-05-19', '2024-05-20'] },
      { index: 1, heading: 'A', field: 'from', examples: ['CPH', 'ARN', 'nowhere'] },
      { index: 2, heading: 'B', field: 'to', examples: ['ARN', 'CPH', 'OSL'] },
      { index: 3, heading: 'Womit', field: 'flightNumber', examples: ['SK1416', 'SK1427', 'SK1460'] },
    ])
    const columns = [
      { index: 1, field: 'to' },
      { index: 2, field: 'from' },
      { index: 3, field: 'ignore' },
    ]
    const path = `/api/v1/imports/${given.id}`
    const changed = await app().request('PATCH', path, { key, body: { mapping: { columns } } })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(
      changed.json.data.questions.map(({ kind, value }: Row) => `${kind} ${value}`),
      ['unknown_airport nowhere'],
    )
    const [first] = (await app().request('GET', `${path}/rows`, { key })).json.data
    assert.equal(written(first), 'new 2024-05-17 ESSA>EKCH - - - - - -')
    // The next file with these headings is read at once.
    const body = { text: 'Wann;A;B;Womit\n2025-01-01;CPH;ARN;x\n' }
    const next = await app().request('POST', '/api/v1/imports', { key, body })
    assert.deepEqual(next.json.data.counts.new, 1, next.text)
    const [row] = (await app().request('GET', `/api/v1/imports/${next.json.data.id}/rows`, { key })).json.data
    assert.equal(written(row), 'new 2025-01-01 ESSA>EKCH - - - - - -')
  })

  test('the guessed columns can be confirmed', async () => {
    const key = await person()
    const { import: given } = await imported(app(), key, 'generic-csv/headless.csv')
    const [{ kind, value, choices }] = given.questions
    const answers = [{ kind, value, id: choices[0].id }]
    const reply = await app().request('PATCH', `/api/v1/imports/${given.id}`, { key, body: { answers } })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.json.data.counts.new, 2)
  })

  test('the keys of JSON are columns that can be mapped', async () => {
    const key = await person()
    const text = JSON.stringify({ list: [{ day: '2024-05-17', a: { code: 'CPH' }, b: { code: 'ARN' } }] })
    const reply = await app().request('POST', '/api/v1/imports', {
      key,
      body: { text, source: 'generic-json' },
    })
    assert.equal(reply.status, 201, reply.text)
    const { id, mapping, counts } = reply.json.data
    assert.equal(counts.question, 1)
    assert.deepEqual(
      mapping.columns.map(({ heading, field }: Row) => [heading, field]),
      [
        ['day', 'date'],
        ['a code', 'from'],
        ['b code', 'to'],
      ],
    )
    const body = { mapping: { columns: [{ index: 1, field: 'from' }] } }
    const changed = await app().request('PATCH', `/api/v1/imports/${id}`, { key, body })
    assert.equal(changed.json.data.counts.new, 1, changed.text)
  })

  test('a fixed airline and UTC times can be set', async () => {
    const key = await person()
    const options = { airline: 'Lufthansa', timesAreUtc: true }
    const body = { text: 'Date,From,To,Departure,No\n2024-05-17,MUC,CPH,07:05,2440\n', options }
    const reply = await app().request('POST', '/api/v1/imports', { key, body })
    const [row] = (await app().request('GET', `/api/v1/imports/${reply.json.data.id}/rows`, { key })).json
      .data
    assert.equal(written(row), 'new 2024-05-17 EDDM>EKCH LH2440 DLH - - 2024-05-17T07:05Z -')
  })
})

// Our own export, AirTrail's backups, and drafts: the result of their readers for each file, one line per record, written
// manually (`said.ts` describes the format).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from '../../server/services/imports/content/kind.ts'
import { airtrail, airtrailCsv } from '../../server/services/imports/readers/documents/airtrail.ts'
import { contrail } from '../../server/services/imports/readers/documents/contrail.ts'
import { drafts } from '../../server/services/imports/readers/documents/drafts.ts'
import { genericJson } from '../../server/services/imports/readers/tables/generic.ts'
import type { Source, SourceRecord } from '../../server/services/imports/reading/source.ts'
import { fileOf, saidBy } from './said.ts'

const expected: Record<string, string[]> = {
  'airtrail/codes.json': [
    '- date:2019-05-06 from:EKCH to:LSZH airline:SWR aircraft:A320 departure:2019-05-06T17:55/utc arrival:2019-05-06T19:45/utc flightNumber:LX1265 aircraftReg:HB-IJB duration:6600 with:"Nora Lindqvist",window,2A,business,business with:"Grace",economy,business',
    '- date:2018-10-06 from:SBGR to:LSZH with:"Max" !value_not_understood:seat:captain',
  ],
  'airtrail/full.yaml': [
    '- date:2026-01-02 from:EKCH/CPH "Copenhagen Airport, Kastrup" to:ESSA/ARN "Stockholm-Arlanda Airport" aircraft:A20N "Airbus A320neo" departure:2026-01-02T08:00/utc arrival:2026-01-02T09:30/utc departureScheduled:2026-01-02T07:50/utc arrivalGate:B7 flightNumber:SK1416 note:line one\nline two duration:5400 with:"Ann",aisle,12C,economy+,crew,[object Object] customFields:{"rating":5} track:gpx(2,times)',
  ],
  'airtrail/nasty.json': [
    '- date:2024-07-01 from:EDDT/TXL "Berlin Tegel" to:LOWW/VIE "Vienna" airline:BER/AB "Air Berlin" aircraft:"Some Plane" flightNumber:AB8010 note:(5000 x) duration:0',
    '- error:bad_date',
    '- error:unreadable_row',
    '- date:1998-01-01 from:"Grass strip" with:"gone",window !value_not_understood:takeoffActual:soon !value_not_understood:duration:-5 !value_not_understood:passengers:{"nothing":true} !value_not_understood:track:no track',
    '- from:EDDM to:LEMD departure:2021-03-02T08:10/utc with:"Only Guest" !value_not_understood:flightReason:holiday',
  ],
  'airtrail/no-users.json': ['- date:2022-08-15 from:EHAM to:EGLL with:"Me"'],
  'airtrail-csv/clean.csv': [
    '2 date:2026-01-02 from:"Copenhagen Airport, Kastrup" to:"Stockholm-Arlanda Airport" airline:"Scandinavian Airlines" aircraft:"Airbus A320neo" departure:2026-01-02T08:00/utc arrival:2026-01-02T09:30/utc departureScheduled:2026-01-02T07:50/utc departureTerminal:3 arrivalTerminal:5 arrivalGate:B7 flightNumber:SK1416 aircraftReg:SE-ROH duration:5400 me:aisle,12C,economy+,crew',
    '3 date:2024-07-01 from:"Copenhagen Airport, Kastrup" to:"Stockholm-Arlanda Airport" note:a month',
  ],
  'airtrail-csv/nasty.csv': [
    '2 date:2025-03-30 from:EGKK/LGW "London "Gatwick" Airport" to:"Josep Tarradellas Barcelona-El Prat Airport" airline:"easyJet" departure:2025-03-30T00:30/utc arrival:2025-03-30T02:40/utc flightNumber:U28641 note:He said "never again", twice duration:7800 me:window,economy,leisure !bad_quoting',
    '3 date:2025-04-02 from:LEBL "Barcelona" to:EGKK airline:EZY "easyJet" departure:2025-04-02T21:50/utc flightNumber:U28642 note:two me:economy !value_not_understood:seat:throne !bad_quoting',
    '4 error:bad_date',
  ],
  'airtrail-csv/older.csv': [
    '2 date:16.08.2021 from:"Zurich Airport" to:"Vienna International Airport" departure:2021-08-16T05:10/utc flightNumber:OS556 note:edited in a spreadsheet me:business',
  ],
  'airtrail-csv/oldest.csv': [
    '2 date:2023-05-06 from:CPH to:ZRH airline:SWR aircraft:A320 departure:2023-05-06T15:55/utc arrival:2023-05-06T17:45/utc flightNumber:LX1265 duration:6600 me:window,2A,business,leisure',
  ],
  'contrail/empty.yaml': [],
  'contrail/export.json': [
    '- verbatim:true date:2026-02-20 from:EKCH/CPH "Copenhagen Kastrup Airport" to:KJFK/JFK "John F Kennedy International Airport" airline:SAS/SK aircraft:A20N "Airbus A320neo" plannedTo:KEWR/EWR "Newark" departure:2026-02-20T12:10/+01:00 arrival:2026-02-20T20:00/utc takeoffActual:2026-02-20T12:31/+01:00 departureTerminal:3 departureGate:C3 arrivalTerminal:1 flightNumber:sk 0909 aircraftReg:OYKAL note: kept\r\nas it is  bookingReference:Q7RT2M operatingFlightNumber:WF 1 duration:12345 outcome:diverted price:129.90 EUR with:"Bob",window,12A,economy+,leisure,[object Object] with:"Grace" customFields:{"meal":"fish"} externalIds:{"tripit":"77"}',
  ],
  'contrail/resaved.csv': [
    '2 verbatim:true date:20.02.2026 from:EKCH "Copenhagen Kastrup Airport" to:KJFK "John F Kennedy International Airport" airline:SAS "Scandinavian Airlines" aircraft:A20N "Airbus A320neo" departure:2026-02-20T12:10/+01:00 arrival:2026-02-20T20:00/utc flightNumber:SK909 note:=1+1 bookingReference:+AB12 duration:31800 price:129.90 EUR with:"ada",window,12A,economy,leisure with:"Grace" customFields:{"meal":"fish"}',
    '4 verbatim:true date:2026-01-01 from:"Grass strip" to:KJFK "John F Kennedy International Airport" with:"ada" externalIds:{"tripit":"77"}',
  ],
  'drafts/as-read.json': [
    '- date:2026-02-20 from:EKCH/CPH "Copenhagen" to:JFK departure:2026-02-20T12:00/+01:00 with:"u-1",window externalIds:{}',
  ],
  'drafts/bad.json': [
    '- date:2025-09-01 from:MAD to:LHR',
    '- error:bad_date',
    '- error:unreadable_row !value_not_understood:form:form: unknown field !value_not_understood:to:to: must be a code, a name or an object with icao, iata or name !value_not_understood:duration:duration: must be a whole number of seconds !value_not_understood:seat:seat: must be one of window, aisle, middle, pilot, copilot, jumpseat, other',
    '- error:unreadable_row !value_not_understood:fromId:fromId: send from as a code or a name !value_not_understood:departure:departure: must be a date-time such as 2026-02-20T10:15+01:00, or a local time such as 10:15 !value_not_understood:price:price: must be {"amount": "129.90", "currency": "EUR"}',
    '- error:unreadable_row !value_not_understood:must be an object',
    '- error:unreadable_row !value_not_understood:passengers:passengers.0: guestName or userId is required !value_not_understood:people:people: must be a list',
    '- error:bad_date',
    '- error:bad_date',
  ],
  'drafts/codes.json': [
    '- date:2025-09-01 from:MAD to:"London Heathrow" airline:"Iberia" aircraft:A320 departure:07:50 arrival:09:20 flightNumber:IB3170 me:aisle,12C,economy,business with:"Jan Novak"',
    '- from:SBGR "Guarulhos" to:"Zürich" departure:2018-10-06T18:25/-03:00 arrival:2018-10-07T11:00/+02:00 bookingReference:Q7RT2M price:129.90 EUR with:"Grace",1A',
    '- date:1998-07-01 from:TXL to:CDG duration:0 outcome:cancelled customFields:{"mood":"good"} externalIds:{"notes":"p. 12"}',
  ],
}

for (const [path, lines] of Object.entries(expected)) {
  test(path, async () => {
    const { source, records } = await saidBy(fileOf(path))
    assert.equal(source, path === 'contrail/empty.yaml' ? 'airtrail' : path.split('/')[0])
    assert.deepEqual(
      records.map((line) => line.replace(/x{100,}/, (run) => `(${run.length} x)`)),
      lines,
    )
  })
}

const context = {
  options: {},
  mapping: null,
  today: '2026-06-15',
  documentDate: '2026-06-15',
  preferredOrder: null,
  filename: '',
}

async function readText(source: Source, text: string): Promise<SourceRecord[]> {
  const [content] = await partsOf(Buffer.from(text))[0]!()
  const reader = source.readers.find(({ kind }) => kind === content!.kind)!
  return [...reader.records(content as never, context)]
}

const recordsOf = (source: Source, path: string) => readText(source, fileOf(path).toString())

test('our own export keeps a flight exactly', async () => {
  const [record] = await recordsOf(contrail, 'contrail/export.json')
  const flight = record!.flight!
  assert.equal(flight.verbatim, true)
  assert.equal(flight.note, ' kept\r\nas it is ')
  assert.equal(flight.departure?.exact, '2026-02-20T12:10:00.250+01:00')
  assert.equal(flight.arrival?.exact, '2026-02-20T20:00Z')
  assert.deepEqual(flight.from?.point, { lat: 55.617, lon: 12.656 })
  assert.deepEqual(
    flight.passengers?.map(({ who }) => who),
    [
      { kind: 'account', key: 'p-2', username: 'bob', name: 'Bob' },
      { kind: 'named', name: 'Grace' },
    ],
  )
  assert.deepEqual(flight.passengers?.[0]?.customFields, { tags: ['b', 'a'] })
  assert.deepEqual(
    record!.accounts?.map(({ username }) => username),
    ['ada', 'bob'],
  )
})

test('an old backup has one reason per flight, and a guest keeps only a name', async () => {
  const [first, second] = await recordsOf(airtrail, 'airtrail/codes.json')
  assert.deepEqual(
    first!.flight?.passengers?.map(({ flightReason }) => flightReason),
    ['business', 'business'],
  )
  assert.equal(first!.flight?.verbatim, undefined)
  assert.equal(second!.accounts, undefined, 'accounts are listed once')
  assert.deepEqual(second!.flight?.passengers?.[0]?.who, {
    kind: 'account',
    key: 'u2',
    username: 'max',
    name: 'Max',
  })
})

test('the departure of a month or a year is not read as a time', async () => {
  const [month, , , year] = await recordsOf(airtrail, 'airtrail/nasty.json')
  assert.deepEqual(month!.flight?.date, { iso: '2024-07-01', precision: 'month' })
  assert.equal(month!.flight?.departure, undefined)
  assert.equal(month!.flight?.duration, 0)
  assert.equal(month!.flight?.note?.length, 5000)
  assert.deepEqual(year!.flight?.date, { iso: '1998-01-01', precision: 'year' })
  assert.deepEqual(year!.flight?.from, {
    text: 'Grass strip',
    codes: [],
    name: 'Grass strip',
    point: { lat: 1.5, lon: 2.5 },
  })
})

test('an unreadable draft gets a reason', async () => {
  const records = await recordsOf(drafts, 'drafts/bad.json')
  assert.deepEqual(
    records.map(({ error }) => error?.value),
    [
      undefined,
      '1.9.2025',
      'form: unknown field; to: must be a code, a name or an object with icao, iata or name; duration: must be a whole number of seconds; seat: must be one of window, aisle, middle, pilot, copilot, jumpseat, other',
      'fromId: send from as a code or a name; departure: must be a date-time such as 2026-02-20T10:15+01:00, or a local time such as 10:15; price: must be {"amount": "129.90", "currency": "EUR"}',
      'must be an object',
      'passengers.0: guestName or userId is required; people: must be a list',
      '',
      '2025-02-30',
    ],
  )
})

test('an object in a cell of AirTrail’s table is read with its escaped commas', async () => {
  const place = String.raw`{"icao":"EGKK"\,"name":"Gatwick"\,"lat":51.1\,"lon":-0.2}`
  const heading = 'date,datePrecision,from,to,departureScheduled,seatClass'.replaceAll(',', ';')
  const [record] = await readText(airtrailCsv, `${heading}\n2025-01-01;day;${place};EKCH;;\n`)
  assert.deepEqual(record!.flight?.from, {
    text: 'Gatwick (EGKK)',
    codes: ['EGKK'],
    name: 'Gatwick',
    point: { lat: 51.1, lon: -0.2 },
  })
})

test('the importer is on a draft with a seat, also with another user', async () => {
  const draft = { date: '2025-01-01', from: 'MAD', to: 'LHR', passengers: [{ userId: 'u-1' }] }
  const [alone, seated] = await readText(
    drafts,
    JSON.stringify({ source: 'drafts', drafts: [draft, { ...draft, seatNumber: '1A' }] }),
  )
  assert.deepEqual(
    [alone, seated].map((record) => record!.flight?.passengers?.map(({ who }) => who.kind)),
    [['account'], ['self', 'account']],
  )
})

test('the raw text of a record has the number of track points instead of the points', async () => {
  const flight = { date: '2026-01-01', track: { coordinates: Array.from({ length: 5000 }, () => [1, 2]) } }
  const [record] = await readText(airtrail, JSON.stringify({ users: [], flights: [flight] }))
  assert.equal(record!.raw, '{"date":"2026-01-01","track":{"coordinates":"(5000)"}}')
})

/** The document with one value replaced, for every value in it. */
function* damaged(value: unknown, by: unknown): Generator<unknown> {
  yield by
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    for (const other of damaged(inner, by)) {
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other }
    }
  }
}

for (const [path, source] of [
  ['airtrail/codes.json', airtrail],
  ['airtrail/nasty.json', airtrail],
  ['contrail/export.json', contrail],
  ['drafts/codes.json', drafts],
  ['drafts/as-read.json', drafts],
  ['generic-json/nested.json', genericJson],
  ['generic-json/list.json', genericJson],
] as const) {
  test(`${path} with any value replaced throws nothing and loses no record`, () => {
    const document: unknown = JSON.parse(fileOf(path).toString())
    const reader = source.readers.find(({ kind }) => kind === 'json')!
    for (const by of [
      null,
      '',
      'x',
      0,
      -1.5,
      true,
      [],
      {},
      [[]],
      { id: {} },
      '\ud800\u0000',
      'x'.repeat(30_000),
    ]) {
      for (const value of damaged(document, by)) {
        const content = { kind: 'json', part: null, value, form: 'json' } as never
        reader.matches(content)
        const records = [...reader.records(content, context)]
        const list = listOf(value)
        if (list) assert.equal(records.length, list.length)
        // A record must survive its transfer between processes.
        structuredClone(records)
      }
    }
  })
}

const listOf = (value: unknown): unknown[] | null => {
  const { drafts: given, flights } = (value ?? {}) as { drafts?: unknown; flights?: unknown }
  const list = Array.isArray(value) ? value : (given ?? flights)
  return Array.isArray(list) && list.length > 0 && list.some((item) => typeof item === 'object' && item)
    ? list
    : null
}

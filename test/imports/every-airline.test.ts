// Every active airline of the reference set through every reader with an airline column, as its ICAO code, its IATA code and its
// name: the result is that airline, a question or a warning, and never another airline without a word.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { SourceId } from '../../server/domain/imports/imports.ts'
import { partsOf } from '../../server/services/imports/content/kind.ts'
import type { ContentReader, SourceRecord } from '../../server/services/imports/reading/source.ts'
import { sources } from '../../server/services/imports/reading/sources.ts'
import { onSqlite } from '../harness.ts'
import { draftRecords } from './drafting.ts'

interface Airline {
  id: number
  name: string
  icao: string | null
  iata: string | null
}

/** What a cell for an airline contains. */
const forms: Record<string, (airline: Airline) => string | null> = {
  icao: ({ icao }) => icao,
  iata: ({ iata }) => iata,
  name: ({ name }) => name,
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
const lines = (heading: string, row: (cell: string) => string) => (cells: readonly string[]) =>
  [heading, ...cells.map(row)].join('\n')
const json =
  (whole: (rows: object[]) => object, row: (cell: string) => object) => (cells: readonly string[]) =>
    JSON.stringify(whole(cells.map(row)))
const route = { date: '2026-05-04', from: 'CPH', to: 'ARN' }

type FileOf = (cells: readonly string[]) => string
/** A file of each source with these cells in its airline column. */
const files: Partial<Record<SourceId, FileOf>> = {
  fr24: lines(
    'Date,Flight number,From,To,Dep time,Arr time,Duration,Airline,Aircraft,Registration',
    (cell) => `2026-05-04,,"Copenhagen (CPH/EKCH)","Stockholm (ARN/ESSA)",,,,${quoted(cell)},,`,
  ),
  flighty: lines(
    'Date,Airline,Flight,From,To,Diverted To,Gate Departure (Scheduled),Gate Arrival (Scheduled)',
    (cell) => `2026-05-04,${quoted(cell)},123,CPH,ARN,,2026-05-04T10:00,2026-05-04T11:10`,
  ),
  aita: (cells) =>
    [
      'user:',
      'Nora Lindqvist;nora@example.org;2015-03-02T10:00:00',
      'trips:',
      'flights:',
      ...cells.map(
        (cell) =>
          `ECONOMY;2A;;None;None;None;search;${cell};123;320;CPH;ARN;2026-05-04T10:00:00;2026-05-04T11:10:00;2026-05-04T08:00:00;2026-05-04T09:10:00;2026-04-01T08:00:00.000001`,
      ),
    ].join('\n'),
  jetlog: lines(
    'date,origin,destination,departure_time,arrival_time,seat,ticket_class,airline,flight_number',
    (cell) => `2026-05-04,EKCH,ESSA,10:00,11:10,,economy,${quoted(cell)},123`,
  ),
  jetlovers: lines(
    'id,date,from,to,miles,airline,flightnum,aircraft,aircraft_reg,class,reason,seat_type,seat',
    (cell) => `7,2026-05-04,CPH,ARN,340,${quoted(cell)},123,,,Y,L,W,`,
  ),
  openflights: lines(
    'Date,From,To,Flight_Number,Airline,Distance,Duration,Seat,Seat_Type,Class,Reason,Plane,Registration,Trip,Note,From_OID,To_OID,Airline_OID,Plane_OID',
    (cell) => `2026-05-04,CPH,ARN,,${quoted(cell)},340,01:10,,,Y,L,,,,"",,,,`,
  ),
  milesandmore: json(
    (rows) => ({ SegmentListResponses: rows }),
    (cell) => ({
      DepartureDate: '2026-05-04',
      ArrivalDate: '2026-05-04',
      OriginAirportCode: 'CPH',
      DestinationAirportCode: 'ARN',
      AirlineDesignatorCode: cell,
      FlightNumber: 123,
    }),
  ),
  flightmemory: (cells) =>
    `<table><tr><th>Date</th><th>From</th><th>To</th><th>Distance</th><th>Airline</th><th>Aircraft</th><th>Seat</th></tr>${cells
      .map(
        (cell) =>
          `<tr><td>04.05.2026</td><td>CPH<br>Copenhagen</td><td>ARN<br>Stockholm</td><td>547 km</td><td>${cell.replaceAll('&', '&amp;')}<br>123</td><td></td><td></td></tr>`,
      )
      .join('')}</table>`,
  'airtrail-csv': lines(
    'date,datePrecision,from,to,departureScheduled,seatClass,airline,flightNumber',
    (cell) => `2026-05-04,day,EKCH,ESSA,,economy,${quoted(cell)},`,
  ),
  airtrail: json(
    (rows) => ({ users: [{ id: '1', username: 'nora', displayName: 'Nora' }], flights: rows }),
    (cell) => ({
      ...route,
      from: { code: 'EKCH' },
      to: { code: 'ESSA' },
      airline: cell,
      seats: [{ userId: '1' }],
    }),
  ),
  drafts: json(
    (rows) => ({ source: 'drafts', drafts: rows }),
    (cell) => ({ ...route, airline: cell }),
  ),
  'generic-csv': lines('Date,From,To,Airline,Note', (cell) => `2026-05-04,CPH,ARN,${quoted(cell)},`),
  'generic-json': json(
    (rows) => rows,
    (cell) => ({ ...route, airline: cell }),
  ),
}

/** Their flights have an airline only by the number, or in documents that are read by the same functions. */
const without: readonly SourceId[] = [
  ...([
    'foreflight',
    'byair',
    'myflightbook',
    'logten',
    'track',
    'bcbp',
    'pkpass',
    'pdf',
    'ics',
    'email',
  ] as const),
  ...(['tripit', 'tripit-ics', 'google', 'contrail', 'generic-xlsx'] as const),
]

/** The records that the source's own reader makes of a file, whatever other source might recognise it. */
async function recordsOf(id: SourceId, text: string): Promise<SourceRecord[]> {
  const { readers } = sources.find((source) => source.id === id)!
  const contents = (await Promise.all(partsOf(Buffer.from(text)).map((open) => open()))).flat()
  return contents.flatMap((content) => {
    const reader: ContentReader<never> | undefined = readers.find(({ kind }) => kind === content.kind)
    assert.ok(reader, `${id} does not read ${content.kind}`)
    return [...reader.records(content as never, context)]
  })
}
const context = {
  options: {},
  mapping: null,
  today: '2026-06-15',
  documentDate: '2026-06-15',
  preferredOrder: null,
  filename: 'file',
}

onSqlite('every airline', (app) => {
  let all: Airline[]
  before(async () => {
    const rows = await app().store.read.query(
      'select id, name, icao, iata from airline where active = 1 order by id',
      [],
    )
    all = rows as unknown as Airline[]
  })

  test('every source with an airline column has a file here', () => {
    const tested = [...Object.keys(files), ...without].sort()
    assert.deepEqual(tested, sources.map(({ id }) => id).sort())
  })

  test('right, asked or warned, in every source', async () => {
    const cells = Object.entries(forms).flatMap(([form, cellOf]) =>
      all.flatMap((airline) => {
        const cell = cellOf(airline)
        return cell === null ? [] : [{ form, cell, airline }]
      }),
    )
    const given: ((typeof cells)[0] & { source: string; record: SourceRecord })[] = []
    for (const [source, fileOf] of Object.entries(files) as [SourceId, FileOf][]) {
      const records = await recordsOf(source, fileOf(cells.map(({ cell }) => cell)))
      assert.equal(records.length, cells.length, source)
      given.push(...cells.map((one, i) => ({ ...one, source, record: records[i]! })))
    }
    // In one file, so that each text is looked up only once.
    const { rows } = await draftRecords(
      app(),
      given.map(({ record }) => record),
    )
    const faults: string[] = []
    const right = new Map<string, number>()
    for (const [i, { source, form, cell, airline }] of given.entries()) {
      const { draft, warnings } = rows[i]!
      if (draft?.airlineId === airline.id)
        right.set(`${source} ${form}`, (right.get(`${source} ${form}`) ?? 0) + 1)
      else if (!warnings.some(({ field }) => field === 'airlineId'))
        faults.push(`${source} ${form} ${cell}: ${draft?.airlineId}, not ${airline.id} ${airline.name}`)
    }
    assert.deepEqual(faults, [])
    for (const source of Object.keys(files))
      for (const form of Object.keys(forms)) {
        const most = cells.filter((one) => one.form === form).length
        const share = (right.get(`${source} ${form}`) ?? 0) / most
        // An ICAO code has one holder; some airlines share an IATA code or a name.
        const least = form === 'icao' ? 0.99 : 0.95
        assert.ok(share > least, `${source}: only ${share} of all are right by ${form}`)
      }
  })
})

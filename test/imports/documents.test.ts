// Saved pages, documents, calendars and recordings through the API: the verdict of every record. The expectations were
// written manually from the files; times are UTC. The readers' results for the same files are in `document-
// readers.test.ts`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipSync } from 'fflate'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, testOnSqlite } from '../harness.ts'
import { imported, type Row, written } from './judged.ts'
import { fileOf } from './said.ts'

interface Expected {
  /** Written as `kind value`. */
  questions?: string[]
  /** In the format of `judged.ts`; take-off and landing of tracks, and their number of points, after `/`. */
  rows: string[]
}

const files: Record<string, Expected> = {
  'flightmemory/english.html': {
    rows: [
      'new 2019-06-03 EDDM>LEMD LH1802 DLH A320 D-AIUB 2019-06-03T07:10Z 2019-06-03T09:55Z',
      'new 2015-12-24 KJFK>EKCH SK902 SAS A333 LN-RKM 2015-12-24T23:20Z 2015-12-25T06:05Z',
      'new 2003 EDDT>LSZH - SWR - - - -',
    ],
  },
  'flightmemory/deutsch.htm': {
    questions: ['unknown_airport Bad Vöslau, Österreich', 'unknown_airline Privat'],
    rows: [
      // Flying west over the date line, it lands on the day before.
      'new 2027-07-14 NZAA>NCRG NZ946 ANZ - - 2027-07-13T20:50Z 2027-07-14T00:40Z !implausible',
      'question:unknown_airport 2008-11-09 ?>EDDM - - C172 OE-DKG - 6900s !airline_unknown !times_dropped',
      'new 2006-05-01 EDDH>EDDK 4U19 GWI A319 - 2006-05-01T21:50Z 2006-05-01T22:55Z',
      'new 2001-04-03 EDDF>LIML - - - - - - !value_not_understood',
      'error:bad_date',
    ],
  },
  'flightmemory/page-2.html': {
    questions: ['missing_airport 1998-07-05 BKK, Bangkok, Thailand → ?'],
    rows: [
      // The last day but one of Kai Tak.
      'new 1998-07-04 VHHX>VTBD CX751 CPA B744 VR-HOT 1998-07-04T04:00Z 1998-07-04T07:10Z !airport_moved !airport_moved',
      'question:missing_airport 1998-07-05 VTBD>? - - - - - - !airport_moved',
    ],
  },
  'flightmemory/no-flights.html': { rows: ['error:unreadable_file'] },
  'google/order-flight.json': {
    rows: [
      'new 2024-02-10 RJTT>KJFK NH110 ANA - - 2024-02-10T01:50Z 2024-02-10T14:40Z',
      'new 2024-02-10 KJFK>KBOS B6117 JBU - - 2024-02-10T18:00Z -',
    ],
  },
  'google/order-book.json': { rows: ['skipped:not_a_flight'] },
  'google/order-unclear.json': { rows: ['error:unreadable_row', 'error:bad_date', 'skipped:not_a_flight'] },
  'tripit/one-trip.json': {
    rows: [
      'new 2025-09-01 LEMD>EGLL IB3170 IBE A320 - 2025-09-01T06:05Z 2025-09-01T08:17Z',
      'skipped:not_a_flight',
    ],
  },
  'tripit/exporter.json': {
    questions: ['which_user Nora Lindqvist', 'which_user Ben A Okafor'],
    rows: [
      'question:which_user 2024-03-30 KEWR>EKCH UA8902 UAL A333 - 2024-03-31T03:10Z 2024-03-31T10:25Z',
      // Without zones: local times at the airports, which changed that night.
      'question:which_user 2024-03-31 EKCH>ESSA SK1420 SAS - - 2024-03-31T12:00Z 2024-03-31T13:10Z !value_not_understood !value_not_understood',
      'skipped:not_mine 2024-04-02 ESSA>EKCH SK1401 SAS - - 2024-04-02T06:00Z 2024-04-02T07:10Z',
      'skipped:not_a_flight',
      'skipped:not_a_flight',
      'skipped:not_a_flight',
      'duplicate:duplicate_in_file=1 2024-03-30 KEWR>EKCH UA8902 UAL A333 - 2024-03-31T03:10Z 2024-03-31T10:25Z',
      'skipped:hidden 2024-05-10 ESSA>EFHK AY802 FIN - - 2024-05-10T04:30Z 2024-05-10T05:40Z',
      'skipped:cancelled 2024-05-10 EFHK>EFOU AY431 FIN - - 2024-05-10T06:30Z 2024-05-10T07:40Z',
      'new 2024-05-11 EFHK>EFRO AY433 FIN - - 2024-05-11T06:30Z - !diverted',
      'new 2024-05-11 EFRO>EFOU AY435 FIN - - 2024-05-11T13:00Z 2024-05-11T14:00Z !diverted',
      'error:bad_date',
      'error:unreadable_row',
    ],
  },
  'tripit/api-v1.xml': {
    rows: [
      'new 2012-02-20 EBBR>LIRF SN3177 BEL A319 - 2012-02-20T17:30Z 2012-02-20T19:40Z',
      'new 2012-02-24 LIRF>EBBR SN3178 BEL - - 2012-02-24T20:05Z 2012-02-24T22:15Z !airport_by_name',
      'skipped:not_a_flight',
    ],
  },
  'tripit-ics/feed.ics': {
    rows: [
      'skipped:not_a_flight',
      'new 2025-09-01 LEMD>EGLL IB3170 IBE - - 2025-09-01T05:50Z 2025-09-01T08:20Z',
      'new 2025-09-03 EGKK>LIRF U28642 EZY - - 2025-09-03T19:05Z 2025-09-03T21:35Z',
      'skipped:not_a_flight',
    ],
  },
  'tripit-ics/nasty.ics': {
    rows: [
      'new 2025-03-01 NZAA>NCRG NZ946 ANZ - - 2025-02-28T19:50Z 2025-03-01T00:40Z',
      'new 2025-03-10 VABB>VIDP 9W123 JAI - - 2025-03-10T00:30Z 2025-03-10T01:40Z !airline_not_flying_then !floating_time',
      'skipped:cancelled 2025-03-12 EKCH>ESSA SK1416 SAS - - 2025-03-12T06:00Z 2025-03-12T07:10Z',
      'error:unreadable_row',
      'error:bad_date',
      'error:unreadable_row',
    ],
  },
  'tripit-ics/one-trip.ics': {
    rows: ['new 2011-12-24 KEWR>EKCH SK902 SAS - - 2011-12-24T23:20Z 2011-12-25T06:05Z'],
  },
  'track/SK1416_2d3f.csv': {
    rows: ['new 2024-05-17 EKCH>ESSA SK1416 SAS - - - 3300s / 05:10:00 06:05:00 15'],
  },
  'track/letters.csv': { rows: ['new 2024-05-17 EKCH>ESSA - - - - - 3300s / 05:10:00 06:05:00 15'] },
  'track/receiver.gpx': { rows: ['new 2024-05-17 EKCH>ESSA - - - - - 3300s / 05:10:00 06:05:00 15'] },
  'track/several.gpx': {
    rows: [
      'error:bad_date / - - 3',
      'new 2024-05-18 EKCH>EDDF - - - - - 5040s / 05:06:00 06:30:00 4',
      'error:unreadable_row',
    ],
  },
  'track/flightaware.kml': {
    rows: ['new 2024-05-17 EKCH>ESSA SK1416 SAS - - - 3300s / 05:10:00 06:05:00 12'],
  },
  'track/flightradar24.kml': { rows: ['new 2024-05-17 EKCH>ESSA - - - - - 3300s / 05:10:00 06:05:00 15'] },
  'track/lines.kml': {
    rows: ['error:bad_date / - - 4', 'error:bad_date / - - 3', 'error:bad_date / - - 2'],
  },
  'track/trace_full_4ac9e5.json': {
    rows: [
      'new 2024-05-17 EKCH>ESSA SK1416 SAS A20N SE-ROA - 3300s / 05:10:00 06:05:00 15',
      'new 2024-05-17 ESSA>EKCH - - A20N SE-ROA - 3300s / 06:55:00 07:50:00 14',
    ],
  },
  'track/night.igc': {
    questions: ['missing_airport ? → ?'],
    // Take-off is far from any airport; in Argentina it is still the last day of the year at the landing.
    rows: ['question:missing_airport 1999-12-31 ?>SA43 - - - - - 2400s / 23:50:00 00:30:00 4'],
  },
  'track/undated.igc': { rows: ['error:bad_date / - - 2'] },
  'track/trace_empty.json': { rows: ['error:unreadable_row'] },
}

const clock = (text: string | null): string =>
  text === null ? '-' : new Date(text).toISOString().slice(11, 19)

/** In the format of `judged.ts`, with what a recording adds. */
const recorded = (row: Row): string =>
  row.draft?.track
    ? `${written(row)} / ${clock(row.draft.takeoffActual)} ${clock(row.draft.landingActual)} ${row.draft.track.pointCount}`
    : written(row)

onBothEngines('documents and recordings', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  const someone = async () => {
    const who = await app().person()
    return { who, key: await who.key() }
  }

  sqliteTest('every record has the expected verdict, and the counts add up', async () => {
    const { key } = await someone()
    for (const [path, { questions = [], rows: expected }] of Object.entries(files)) {
      const { import: given, rows } = await imported(app(), key, path)
      assert.equal(given.source, path.split('/')[0], path)
      assert.deepEqual(rows.map(recorded), expected, path)
      const asked = given.questions.map(({ kind, value }: Row) => `${kind} ${value}`)
      assert.deepEqual(asked, questions, path)
      const { rows: total, remarks: _, ...verdicts } = given.counts as Record<string, number>
      const sum = Object.values(verdicts).reduce((all, count) => all + count, 0)
      assert.deepEqual([total, sum], [expected.length, expected.length], path)
    }
  })

  sqliteTest('two saved pages in one archive are one import', async () => {
    const { key } = await someone()
    const zip = zipSync({
      'a.html': fileOf('flightmemory/english.html'),
      'b.htm': fileOf('flightmemory/deutsch.htm'),
    })
    const raw = Buffer.from(zip)
    const { json, status, text } = await app().request('POST', '/api/v1/imports?filename=pages.zip', {
      key,
      raw,
      headers: { 'content-type': 'application/zip' },
    })
    assert.equal(status, 201, text)
    assert.equal(json.data.source, 'flightmemory')
    assert.equal(json.data.counts.rows, 8)
  })

  test('a recording of a flight in the log is offered as its track, and stored on commit', async () => {
    const { who, key } = await someone()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'ARN')
    const logged = await logFlight(app(), who, { date: '2024-05-17', fromId, toId, flightNumber: 'SK1416' })
    const { import: given, rows } = await imported(app(), key, 'track/SK1416_2d3f.csv', {
      duplicates: 'update',
    })
    assert.deepEqual(
      [rows[0].verdict, rows[0].code, rows[0].of],
      ['duplicate', 'duplicate_in_log', { flightId: logged.id }],
    )
    assert.ok(rows[0].updates.some(({ field }: Row) => field === 'track'))
    const commit = await app().request('POST', `/api/v1/imports/${given.id}/commit`, { key, body: {} })
    assert.equal(commit.status, 200, commit.text)
    assert.deepEqual(commit.json.data.committed, { created: 0, updated: 1 })
    const track = await app().request('GET', `/api/v1/flights/${logged.id}/track`, { key })
    assert.equal(track.json.data.pointCount, 15)
    assert.deepEqual(track.json.data.coordinates[0], [12.656, 55.618, 4.9])
    assert.equal(track.json.data.times[2], Date.UTC(2024, 4, 17, 5, 10) / 1000)
    assert.equal(track.json.data.sourceName, 'SK1416_2d3f.csv')
  })

  sqliteTest(
    'the importer among several travellers is asked once, and the others become guests',
    async () => {
      const { who, key } = await someone()
      const { import: given } = await imported(app(), key, 'tripit/exporter.json')
      const answers = [{ kind: 'which_user', value: 'Nora Lindqvist', id: 'self' }]
      const path = `/api/v1/imports/${given.id}`
      const { json, status, text } = await app().request('PATCH', path, { key, body: { answers } })
      assert.equal(status, 200, text)
      assert.equal(json.data.counts.question, 0)
      const rows = await app().request('GET', `${path}/rows?limit=1`, { key })
      const { passengers } = rows.json.data[0].draft
      assert.deepEqual(
        passengers.map(({ user, guestName, seatNumber }: Row) => [user?.id ?? guestName, seatNumber]),
        [
          [who.id, '31A'],
          ['Ben A Okafor', '31B'],
        ],
      )
    },
  )

  sqliteTest('a recording without times becomes a flight once its day is given', async () => {
    const { key } = await someone()
    const { import: given } = await imported(app(), key, 'track/lines.kml')
    const path = `/api/v1/imports/${given.id}/rows/1`
    const patched = await app().request('PATCH', path, { key, body: { draft: { date: '2023-08-01' } } })
    assert.equal(patched.status, 200, patched.text)
    const { json } = await app().request('GET', `/api/v1/imports/${given.id}/rows?limit=1`, { key })
    assert.equal(recorded(json.data[0]), 'new 2023-08-01 EKCH>ESSA - - - - - - / - - 4')
  })

  test('a glider flight is stored with its recording and format', async () => {
    const { key } = await someone()
    const { import: given, rows } = await imported(app(), key, 'track/glider.igc')
    assert.equal(rows[0].draft.note, 'Pilot: Ada Gleit')
    const commit = await app().request('POST', `/api/v1/imports/${given.id}/commit`, { key, body: {} })
    assert.equal(commit.status, 200, commit.text)
    const flights = await app().request('GET', `/api/v1/flights?importId=${given.id}`, { key })
    const [flight] = flights.json.data
    assert.equal(flight.from.id, flight.to.id)
    assert.deepEqual(
      [flight.date, flight.duration, flight.aircraftReg, flight.track.sourceFormat, flight.track.pointCount],
      ['2024-05-17', 3570, 'D-1234', 'igc', 7],
    )
  })
})

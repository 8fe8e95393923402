// Files of each source through the API: the verdict of every record, with the instants of departure and arrival. The
// expectations were written manually from the files; times are UTC.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { timeFields } from '../../server/domain/flights/fields.ts'
import { onSqlite, type TestApp } from '../harness.ts'
import { imported, type Row, readImport, utc, written } from './judged.ts'
import { fileOf } from './said.ts'

interface Expected {
  options?: Record<string, unknown>
  /** Written as `kind value`, those with the most rows first. */
  questions?: string[]
  /**
   * Verdict, code and the row that it repeats; date; route; flight number and airline; type and registration; departure and
   * arrival, or the duration; warnings.
   */
  rows: string[]
}

const files: Record<string, Expected> = {
  'fr24/clean.csv': {
    rows: [
      'new 2018-10-06 SBGR>LSZH LX93 SWR B77W HB-JNA 2018-10-06T21:25Z 2018-10-07T09:00Z',
      // Flying west over the date line, it lands on the day before.
      'new 2019-06-10 NZAA>NCRG NZ46 ANZ A320 ZK-OXA 2019-06-09T20:50Z 2019-06-10T00:40Z',
      // Summer time began in New York on this day, in London three weeks later.
      'new 2019-03-10 KJFK>EGLL AA100 AAL B77W N718AN 2019-03-10T22:10Z 2019-03-11T06:25Z',
      'new 2020-02-29 EDDM>EDDH LH2082 DLH A321 - - 4500s',
    ],
  },
  'fr24/nasty.csv': {
    questions: [
      'unknown_airport Nowhere / Nowhere',
      'unknown_aircraft Boeing 777',
      'unknown_airline Never Heard Air',
    ],
    rows: [
      'new 2005-07-14 LMML>EDDF KM306 AMC - - 2005-07-14T05:00Z 2005-07-14T07:50Z !arrival_from_duration',
      'new 2021-08 EDLO>EDLI - - C172 D-EABC - -',
      'new 1999 LGAT>LOWW - - - - - - !airport_moved !value_not_understood !value_not_understood',
      'new 2022-05-03 EKCH>ESSA SK1416 SAS A20N SE-ROA 2022-05-02T22:00Z 2022-05-02T23:10Z',
      // Midnight means no departure here, and an arrival alone has no day.
      'new 2022-05-04 ESSA>EKCH SK1417 SAS A20N SE-ROB - 4200s !times_dropped',
      'duplicate:duplicate_in_file=5 2022-05-04 ESSA>EKCH SK1417 SAS A20N SE-ROB 2022-05-04T18:25Z 2022-05-04T19:35Z',
      'error:bad_date',
      'question:unknown_airport 2023-07-01 ?>EDDH X09 - - - - 4500s !aircraft_unknown !airline_unknown',
      // The name is unknown, the number decides.
      'new 2023-07-02 EDDM>EDDH LH2043 DLH - - 2023-07-02T06:00Z 2023-07-02T07:15Z !airline_guessed',
    ],
  },
  'fr24/excel.csv': {
    rows: [
      'new 2015-09-14 EDDL>EDDT AB6001 BER B738 D-ABKA 2015-09-14T04:45Z 2015-09-14T05:55Z',
      'new 2016-11-03 EGLL>EFHK AY832 FIN A359 OH-LWA 2016-11-03T10:20Z 2016-11-03T13:15Z',
    ],
  },
  'flighty/clean.csv': {
    rows: [
      'new 2025-02-14 LFPG>KJFK AF6 AFR A359 F-HTYA 2025-02-14T09:52Z 2025-02-14T17:31Z',
      'new 2024-12-01 NFFN>KSFO FJ810 FJI A332 DQ-FJU 2024-11-30T13:55Z 2024-11-30T23:05Z',
      'new 2026-12-20 EDDB>EGLL BA983 BAW A20N - 2026-12-20T17:05Z 2026-12-20T19:05Z',
    ],
  },
  'flighty/nasty.csv': {
    rows: [
      'skipped:cancelled 2024-01-21 KSFO>WSSS UA1 UAL B789 N24972 2024-01-22T06:55Z 2024-01-22T23:00Z',
      'new 2024-03-08 EDDB>EDDN LH2039 DLH A320 D-AIZA 2024-03-08T19:02Z 2024-03-08T20:22Z !diverted',
      'new 2024-03-09 EDDB>EDDN LH2041 DLH - - 2024-03-09T18:50Z - !diverted',
      // It departed after midnight; the source's own date is kept.
      'new 2023-11-30 EDDM>EDDB LH2040 DLH A320 - 2023-11-30T23:25Z 2023-12-01T00:30Z !value_not_understood',
      'new 1987-06-01 KJFK>EGLL PA102 PAA - - - -',
      'duplicate:superseded=7 2024-10-27 EGKK>LIRF U28642 EZY A320 G-EZOA 2024-10-27T06:10Z 2024-10-27T08:40Z',
      'new 2024-10-27 EGKK>LIRF U28642 EZY A320 G-EZOA 2024-10-27T06:31Z 2024-10-27T08:52Z',
      'error:bad_date',
    ],
  },
  'flighty/older.csv': {
    rows: [
      'new 2019-08-02 KLAX>YSSY QF12 QFA A388 VH-OQA 2019-08-03T05:41Z 2019-08-03T20:04Z',
      'new 2018-04-05 EDDT>LSZH - - - - - -',
    ],
  },
  'aita/clean.txt': {
    rows: [
      'new 2019-05-06 EKCH>LSZH LX1265 SWR A320 - 2019-05-06T17:55Z 2019-05-06T19:45Z',
      'new 2019-05-10 LSZH>EKCH LX1268 SWR A20N - 2019-05-10T05:10Z 2019-05-10T06:55Z',
      'skipped:not_mine 2019-07-01 ENGM>EGLL BA763 BAW - - 2019-07-01T07:00Z 2019-07-01T09:20Z',
    ],
  },
  'aita/nasty.txt': {
    questions: ['unknown_airport XXQ'],
    rows: [
      'new 2018-12-31 KLAX>KJFK B624 JBU A321 - 2019-01-01T07:30Z 2019-01-01T12:45Z',
      'new 2019-02-01 EGKK>LIRF U28 EZY - - 2019-02-01T06:00Z 2019-02-01T08:30Z',
      'new 2019-03-01 YSSY>NZCH EK412 UAE A388 - 2019-02-28T21:00Z 2019-03-01T00:05Z !value_not_understood',
      'question:unknown_airport 2019-04-01 ENGM>? D83502 IBK - - 2019-04-01T06:00Z 2019-04-01T08:00Z',
      'error:unreadable_row',
      'error:bad_date',
    ],
  },
  'aita/trips-only.txt': {
    rows: [
      'new 2016-11-05 KJFK>EGLL VS4 VIR A333 - 2016-11-06T02:15Z 2016-11-06T08:55Z',
      'new 2016-11-06 LJLJ>EDDM JP901 ADR CRJ9 - 2016-11-06T10:10Z 2016-11-06T11:10Z',
    ],
  },
  'jetlog/clean.csv': {
    rows: [
      'new 2021-03-02 EDDM>LEMD LH1802 DLH A320 D-AIUB 2021-03-02T08:10Z 2021-03-02T10:55Z',
      // Germany was back on winter time, New York was not.
      'new 2022-10-30 KJFK>EDDF LH401 DLH B748 D-ABYA 2022-10-30T20:30Z 2022-10-31T05:10Z',
      'new 2023-01-15 NZAA>NCRG NZ946 ANZ - - 2023-01-14T20:50Z 2023-01-15T00:40Z',
    ],
  },
  'jetlog/older.csv': {
    rows: [
      // Its duration ignores the zones.
      'new 2019-05-03 EGLL>KJFK BA175 BAW B772 G-VIIA 2019-05-03T13:00Z 2019-05-03T20:55Z !duration_disagrees',
      'new 2018-02-11 RJAA>KLAX - - - - 2018-02-11T08:20Z 2018-02-11T18:30Z',
    ],
  },
  'jetlog/nasty.csv': {
    questions: ['missing_airport EW1 EDDB → ?'],
    rows: [
      'new 2020-03-14 EDDT>LOWW OS228 AUA A320 OE-LBO 2020-03-14T06:05Z 2020-03-14T07:20Z',
      // 02:30 was skipped in Berlin.
      'new 2020-03-29 EDDT>EGLL BA991 BAW JU52 - 2020-03-29T01:30Z 2020-03-29T02:30Z !local_time_missing !value_not_understood !value_not_understood',
      'new 2020-12-01 EDDB>EGLL - - - - - - !times_dropped !value_not_understood',
      'error:bad_date',
      'duplicate:duplicate_in_file=1 2020-03-14 EDDT>LOWW OS228 AUA A320 OE-LBO 2020-03-14T06:05Z 2020-03-14T07:20Z',
      'question:missing_airport 2020-11-02 EDDB>? EW1 EWG - - 2020-11-02T05:00Z 7200s',
    ],
  },
  'byair/clean.csv': {
    rows: [
      'new 2025-09-01 LEMD>EGLL IB3170 IBE - - 2025-09-01T05:50Z 2025-09-01T08:20Z',
      'new 2025-09-03 VTBS>VTSP SL1508 TLM - - 2025-09-03T03:05Z 2025-09-03T04:30Z',
      'skipped:not_mine 2025-10-11 EKCH>EGLL SK501 SAS - - 2025-10-11T06:00Z 2025-10-11T08:05Z',
    ],
  },
  'byair/nasty.csv': {
    questions: ['ambiguous_airport LON', 'unknown_airline X0'],
    rows: [
      // Summer time began in both countries while it was in the air.
      'new 2025-03-30 EGKK>LEBL U28 EZY - - 2025-03-30T00:30Z 2025-03-30T02:40Z',
      'new 2025-03-30 RPLL>RPVM 5J553 CEB - - 2025-03-30T15:50Z 2025-03-30T17:15Z',
      'question:ambiguous_airport 2025-03-31 ?>RPVM X01 - - - - - !airline_unknown !value_not_understood',
      'new 2025-03-31 LSZH>KJFK LX14 SWR - - 2025-03-31T08:00Z -',
      'duplicate:duplicate_in_file=4 2025-03-31 LSZH>KJFK LX14 SWR - - 2025-03-31T08:00Z -',
    ],
  },
  'byair/excel.csv': {
    rows: [
      'new 2024-12-31 YSSY>WSSS QF1 QFA - - 2024-12-31T04:10Z 2024-12-31T12:30Z',
      'new 2025-02-01 WSSS>YSSY QF2 QFA - - 2025-02-01T13:15Z 2025-02-01T21:05Z',
    ],
  },
  'jetlovers/clean.csv': {
    rows: [
      'new 2016-04-01 LOWW>EDDF OS125 AUA A320 OE-LBO - -',
      'new 2016-04-03 EDDF>KJFK LH400 DLH B748 D-ABYC - -',
      'new 2016-05-05 KJFK>KLAX B6123 JBU A321 N903JB - -',
    ],
  },
  'jetlovers/nasty.csv': {
    questions: ['ambiguous_airport BER', 'unknown_aircraft Boeing 747'],
    rows: [
      'new 2001-10-20 EBBR>LOWW SN273 SAB RJ85 - - -',
      // Until 5 July 1998 this was Kai Tak.
      'new 1998-07-01 VHHX>EDDF CX289 CPA - - - - !aircraft_unknown !airport_moved',
      'error:bad_date',
      'error:bad_date',
      'question:ambiguous_airport 2004-03 ?>LFPG - - - - - - !value_not_understood !value_not_understood !value_not_understood',
      'duplicate:duplicate_in_file=1 2001-10-20 EBBR>LOWW SN273 SAB RJ85 - - -',
    ],
  },
  'jetlovers/latin1.csv': {
    rows: [
      'new 2010-08-08 LSZH>LSGG LX2800 SWR RJ1H HB-IXR - -',
      'new 2010-08-09 LSGG>LFPO - RAE E190 - - -',
    ],
  },
  'openflights/clean.csv': {
    rows: [
      'new 2011-09-12 EDDM>EDDT LH2030 DLH A320 D-AIQA 2011-09-12T05:20Z 2011-09-12T06:30Z !arrival_from_duration',
      'new 2011-09-14 EDDT>LSZH AB8198 BER B738 - - 5100s',
      // Summer in Rio: two hours behind UTC.
      'new 2012-01-31 SBGL>LPPT TP70 TAP A332 CS-TOE 2012-02-01T00:15Z 2012-02-01T09:35Z !arrival_from_duration',
    ],
  },
  'openflights/nasty.csv': {
    questions: ['unknown_aircraft Boeing 757'],
    rows: [
      'new 2009-06-01 KJFK>KLAX DL1 DAL B763 N171DN 2009-06-01T14:00Z 2009-06-01T20:05Z !arrival_from_duration !bad_quoting',
      'new 2009-06-08 KLAX>KJFK DL2 DAL B763 N171DN 2009-06-08T19:00Z 2009-06-09T00:15Z !arrival_from_duration !bad_quoting',
      // 01:30 happened twice.
      'new 2008-11-02 KJFK>KBOS B61018 JBU E190 - 2008-11-02T05:30Z 2008-11-02T06:40Z !arrival_from_duration !local_time_ambiguous',
      'new 2007-03-04 EGLL>EDDT - BAW - - - -',
      'new 1994 UUEE>UIII - AFL T154 - - -',
      'new 2006-05-27 KMIA>MMMX AA2115 AAL - - - 12000s !aircraft_unknown',
      'new 2006-05-27 LSZH>EKCH - SWR - - - 6600s !value_not_understood !value_not_understood',
      // The name is unknown, the id of OpenFlights decides.
      'new 2010-07-01 EDDF>EDDM - DLH - - - -',
    ],
  },
  'openflights/handmade.csv': {
    rows: [
      'new 2003-02-10 LSZH>EDDF LX3730 SWR RJ1H HB-IXS - 3900s',
      'new 2003-02-11 LSZH>LOWW - AUA - - - - !airport_by_name !airport_by_name',
    ],
  },
  'milesandmore/clean.json': {
    rows: [
      'new 2024-01-09 EDDF>LOWW OS126 AUA A320 - 2024-01-09T09:30Z 2024-01-09T10:50Z',
      'new 2023-08-12 KLAX>EDDM LH453 DLH A359 - 2023-08-13T01:15Z 2023-08-13T12:45Z',
    ],
  },
  'milesandmore/nasty.json': {
    questions: ['missing_airport LH0179 TXL → ?', 'unknown_aircraft 32S'],
    rows: [
      'new 1997-04-02 EDDM>VHHX LH736 DLH B744 - - - !airport_moved',
      'new 2022-03-27 LSZH>EGLL LX318 SWR - - 2022-03-27T07:10Z - !aircraft_unknown !times_dropped',
      'new 2022-03-28 EGLL>LSZH LX319 SWR - - 2022-03-28T09:00Z -',
      'error:unreadable_row',
      'error:bad_date',
      'question:missing_airport 2020-11-15 EDDT>? LH179 DLH - - 2020-11-15T06:00Z 2020-11-15T07:10Z !airport_closed_then',
      'new 2019-05-04 EDDF>WSSS LH778 DLH A388 - 2019-05-04T20:05Z 2019-05-05T08:20Z',
      'new 2019-05-05 WSSS>EDDF LH779 DLH A388 - - - !times_dropped',
    ],
  },
  'milesandmore/paged.json': {
    rows: ['new 2019-12-31 SBGR>LSZH LX93 SWR B77W - 2020-01-01T02:20Z 2020-01-01T13:55Z'],
  },
  'foreflight/clean.csv': {
    options: { timesAreUtc: true },
    rows: [
      'new 2023-07-08 EDXP>EDWG - - C172 D-EABC 2023-07-08T08:10Z 2023-07-08T08:26Z !implausible',
      // 1.3 hours are 81 minutes, rounded.
      'new 2023-07-09 EDXP>EDXP - - P28A D-EFGH 2023-07-09T13:05Z 2023-07-09T14:26Z',
      'skipped:simulator 2023-07-10 EDDH>EDDH - - - SIM-1 - 3600s !aircraft_unknown',
    ],
  },
  'foreflight/european.csv': {
    options: { timesAreUtc: false },
    questions: ['missing_airport 2023-01-04 KPAO → ?'],
    rows: [
      'new 2022-12-31 KPAO>KLAS - - SR22 N123AB 2023-01-01T07:10Z 2023-01-01T09:25Z',
      'new 2023-01-02 KLAS>KPAO - - SR22 N123AB - 7560s',
      'skipped:simulator 2023-01-03 KSFO>KLAX - - B738 FFS9 - 14400s',
      'question:missing_airport 2023-01-04 KPAO>? - - - N9XYZ - - !value_not_understood',
      'error:bad_date',
    ],
  },
  'foreflight/flights-only.csv': {
    questions: ['times_zone times'],
    rows: [
      'question:times_zone 2021-10-31 LSZH>LSGG - - - HB-PGA - 3240s',
      'skipped:simulator 2021-11-01 ?>? - - - HB-PGA - -',
    ],
  },
  'myflightbook/clean.csv': {
    rows: [
      'new 2022-06-18 KPAO>KPAO - - C172 N5362H 2022-06-18T16:55Z 2022-06-18T18:15Z',
      'new 2022-07-02 KSFO>KEWR - - B738 - 2022-07-03T04:40Z 2022-07-03T09:10Z',
    ],
  },
  'myflightbook/nasty.csv': {
    questions: ['missing_airport 2022-06-21 ? → ?'],
    rows: [
      'new 2022-06-18 EGLF>EGLF - - C172 G-BABC - 2520s',
      'skipped:simulator 2022-06-19 ?>? - - - - - 5400s',
      'new 2022-06-20 EGLF>EGJJ - - P28A G-BZZZ - 3600s',
      'question:missing_airport 2022-06-21 ?>? - - - G-BZZZ - - !value_not_understood',
      'error:bad_date',
      'skipped:simulator 2022-06-22 ?>? - - - - - -',
    ],
  },
  'myflightbook/short.csv': {
    rows: ['new 2020-02-02 LOWI>LOWS - - - OE-ABC - 3000s', 'new 2020-02-03 LOWS>LOWI - - - OE-ABC - 3300s'],
  },
  'logten/fields.txt': {
    options: { timesAreUtc: true },
    rows: [
      'new 2023-05-01 EDDM>EDDF LH98 DLH A320 D-AIUB 2023-05-01T07:05Z 2023-05-01T08:09Z',
      // The date is local, and it was past midnight at the airport.
      'new 2023-05-01 EDDF>EDDM LH99 DLH A320 D-AIUB 2023-04-30T22:40Z 2023-04-30T23:45Z',
    ],
  },
  'logten/display.txt': {
    options: { timesAreUtc: false },
    rows: [
      'new 2022-03-04 LEMD>EDDM 1802 - A320 EC-MXA 2022-03-04T08:10Z 2022-03-04T10:50Z',
      'new 2022-03-25 EDDM>LEMD 1803 - A320 EC-MXA 2022-03-25T11:40Z 2022-03-25T14:25Z',
    ],
  },
  'logten/nasty.txt': {
    options: { timesAreUtc: true },
    questions: ['unknown_airport QQQQ', 'unknown_aircraft Glider X'],
    rows: [
      'new 2022-05-07 EDOJ>EDOJ - - - D-KABC - 5400s !aircraft_unknown',
      'question:unknown_airport 2022-05-08 EDDB>? AB1 BNZ - - 2022-05-07T23:10Z 2022-05-08T01:05Z !airline_not_flying_then',
      'error:bad_date',
      'error:bad_date',
    ],
  },
}

async function importedText(app: TestApp, key: string, raw: string) {
  const headers = { 'content-type': 'text/csv' }
  const { status, text, json } = await app.request('POST', '/api/v1/imports', { key, raw, headers })
  assert.equal(status, 201, text)
  return readImport(app, key, json.data.id)
}

async function patched(app: TestApp, key: string, id: number, body: unknown) {
  const { status, text } = await app.request('PATCH', `/api/v1/imports/${id}`, { key, body })
  assert.equal(status, 200, text)
  return readImport(app, key, id)
}

onSqlite('files of sources', (app) => {
  let key: string
  before(async () => {
    key = await (await app().person()).key()
  })

  for (const [path, { options, questions = [], rows: expected }] of Object.entries(files)) {
    test(path, async () => {
      const { import: given, rows } = await imported(app(), key, path, options)
      assert.equal(given.source, path.split('/')[0])
      assert.deepEqual(rows.map(written), expected)
      assert.deepEqual(
        given.questions.map(({ kind, value }: Row) => `${kind} ${value}`),
        questions,
      )
      assert.equal(given.counts.rows, expected.length)
    })
  }

  test('Flighty’s eight times, gates, booking, seat and id are kept', async () => {
    const { draft } = (await imported(app(), await newKey(), 'flighty/clean.csv')).rows[0]
    const times = timeFields.map((name) => `${name} ${utc(draft[name])}`)
    assert.deepEqual(times.sort(), [
      'arrival 2025-02-14T17:31Z',
      'arrivalScheduled 2025-02-14T17:45Z',
      'departure 2025-02-14T09:52Z',
      'departureScheduled 2025-02-14T09:30Z',
      'landingActual 2025-02-14T17:18Z',
      'landingScheduled 2025-02-14T17:30Z',
      'takeoffActual 2025-02-14T10:15Z',
      'takeoffScheduled 2025-02-14T09:50Z',
    ])
    assert.deepEqual(
      [draft.departureTerminal, draft.departureGate, draft.arrivalTerminal, draft.arrivalGate],
      ['2E', 'K41', '1', '6'],
    )
    assert.equal(draft.bookingReference, 'Q7RT2M')
    assert.deepEqual(draft.externalIds, { flighty: '6f0c1111-0000-4000-8000-000000000001' })
    const [me] = draft.passengers
    assert.deepEqual(
      [me.seat, me.seatNumber, me.seatClass, me.flightReason],
      ['window', '23L', 'economy', 'leisure'],
    )
  })

  test('Flighty’s diverted flights keep the planned airport and time', async () => {
    const { rows } = await imported(app(), await newKey(), 'flighty/nasty.csv')
    const { draft } = rows[1]
    assert.equal(draft.outcome, 'diverted')
    assert.equal(draft.plannedTo.icao, 'EDDM')
    assert.equal(utc(draft.arrivalScheduled), '2024-03-08T19:55Z')
    assert.equal(draft.note, 'Fog in Munich,\nbus from Nuremberg')
    assert.equal(draft.passengers[0].seat, 'pilot')
    assert.equal(rows[3].draft.passengers[0].seat, 'copilot')
  })

  test('skipped flights can be included by an option', async () => {
    const own = await newKey()
    const flighty = await imported(app(), own, 'flighty/nasty.csv', { includeCancelled: true })
    assert.equal(written(flighty.rows[0]).split(' ')[0], 'new')
    assert.equal(flighty.rows[0].draft.outcome, 'cancelled')
    const aita = await imported(app(), own, 'aita/clean.txt')
    assert.equal(aita.import.counts.skipped, 1)
    const { import: all } = await patched(app(), own, aita.import.id, { options: { includeOthers: true } })
    assert.deepEqual([all.counts.new, all.counts.skipped], [3, 0])
  })

  test('UTC or local times are asked about once, and either can be chosen', async () => {
    const own = await newKey()
    const { import: given, rows } = await imported(app(), own, 'foreflight/clean.csv')
    assert.equal(written(rows[0]).split(' ')[0], 'question:times_zone')
    assert.deepEqual(
      given.questions.map(({ kind, rows: count }: Row) => [kind, count]),
      [['times_zone', 2]],
    )
    const local = await patched(app(), own, given.id, { options: { timesAreUtc: false } })
    assert.equal(utc(local.rows[1].draft.departure), '2023-07-09T11:05Z')
    const zulu = await patched(app(), own, given.id, { options: { timesAreUtc: true } })
    assert.equal(utc(zulu.rows[1].draft.departure), '2023-07-09T13:05Z')
    assert.equal(utc(zulu.rows[1].draft.takeoffActual), '2023-07-09T13:15Z')
    const [me, ...others] = zulu.rows[1].draft.passengers
    assert.equal(me.seat, 'pilot')
    assert.deepEqual(
      others.map(({ guestName }: Row) => guestName),
      ['Maria Rossi', 'Jan Novak'],
    )
  })

  test('values without a field are kept in the note', async () => {
    const own = await newKey()
    const noteOf = async (path: string, row: number) =>
      (await imported(app(), own, path, { timesAreUtc: true })).rows[row].draft.note
    assert.equal(await noteOf('openflights/clean.csv', 1), 'Trip: 12')
    assert.equal(await noteOf('jetlog/clean.csv', 0), 'first line\nsecond line\nSide of the aircraft: right')
    assert.equal(await noteOf('milesandmore/clean.json', 0), 'Status points: 20\nAward miles: 750')
    assert.equal(await noteOf('myflightbook/clean.csv', 0), 'Lunch, then home\nVia: KHAF')
    assert.equal(await noteOf('foreflight/clean.csv', 1), 'Round trip, windy\nRoute: EDWG EDWJ')
    assert.equal(await noteOf('aita/clean.txt', 1), 'E-ticket: 2201234567890')
  })

  test('a second export of the same app adds only new flights', async () => {
    const own = await newKey()
    const first = await imported(app(), own, 'byair/clean.csv')
    const committed = await app().request('POST', `/api/v1/imports/${first.import.id}/commit`, {
      key: own,
      body: {},
    })
    assert.equal(committed.status, 200, committed.text)
    const text = fileOf('byair/clean.csv').toString('utf8')
    const later = `${text.replace('10:05,11:30', '10:15,11:40')}2025-11-02,IB3171,LHR,MAD,10:20,13:50,,,,,,,mine,ab15,\n`
    const { rows } = await importedText(app(), own, later)
    assert.deepEqual(
      rows.map(({ verdict, code, updates }) => [verdict, code, updates.map(({ field }: Row) => field)]),
      [
        ['duplicate', 'duplicate_in_log', []],
        ['duplicate', 'duplicate_in_log', ['departure', 'arrival']],
        ['skipped', 'not_mine', []],
        ['new', null, []],
      ],
    )
  })

  const newKey = async () => (await app().person()).key()
})

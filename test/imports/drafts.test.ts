// How the texts of a record are read: airports and airlines of the day, aircraft, people, outcomes, custom fields, and
// questions. Expectations were written manually from the contract's tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers'
import { createQuestions } from '../../server/services/imports/drafting/questions.ts'
import type { SourceFlight } from '../../server/services/imports/reading/source.ts'
import {
  aircraftNamed,
  airlineNamed,
  airportNamed,
  namedBy,
} from '../../server/services/imports/values/named.ts'
import { airportIds } from '../fixtures.ts'
import { onSqlite, type TestApp } from '../harness.ts'
import { clock, codesOf, type Drafting, draftRecords, flightOf, named, recordOf } from './drafting.ts'

onSqlite('drafts', (app) => {
  const draftOne = async (flight: SourceFlight, drafting: Drafting = {}) => {
    const { rows, questions } = await draftRecords(app(), [recordOf(flight)], drafting)
    const row = rows[0]!
    return { ...row, questions, warned: codesOf(row.warnings), names: await named(app(), row.draft) }
  }
  const verdict = ({ settled }: { settled?: { verdict: string; code: string } }) =>
    settled ? `${settled.verdict} ${settled.code}` : 'open'

  // Airports

  /** Reassigned codes: the last day of the old airport, its name, and the ICAO code of the new one. */
  const moved: [code: string, until: string, old: RegExp, now: string][] = [
    ['MUC', '1992-05-16', /Riem/, 'EDDM'],
    ['DEN', '1995-02-27', /Stapleton/, 'KDEN'],
    ['KUL', '1998-06-26', /Sultan Abdul Aziz Shah/, 'WMKK'],
    ['HKG', '1998-07-05', /Kai Tak/, 'VHHH'],
    ['OSL', '1998-10-07', /Fornebu/, 'ENGM'],
    ['AUS', '1999-05-22', /Mueller/, 'KAUS'],
    ['ATH', '2001-03-27', /Ellin/, 'LGAV'],
    ['CAN', '2004-08-04', /Baiyun/, 'ZGGG'],
    ['NGO', '2005-02-16', /Nagoya/, 'RJGG'],
    ['BKK', '2006-09-27', /Don Mueang/, 'VTBS'],
    ['HYD', '2008-03-22', /Begumpet/, 'VOHS'],
    ['BLR', '2008-05-23', /HAL/, 'VOBL'],
    ['DUR', '2010-04-30', /Durban/, 'FALE'],
    ['UIO', '2013-02-19', /Mariscal Sucre/, 'SEQM'],
    ['DOH', '2014-05-26', /Doha/, 'OTHH'],
    ['IST', '2019-04-05', /Atat/, 'LTFM'],
  ]

  test('a reassigned code means the old airport until its last day, and the new one afterwards', async () => {
    const after = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    const flights = moved.flatMap(([code, until, , now]) => [
      flightOf(until, code, 'CPH'),
      flightOf(after(until), code, 'CPH'),
      // As some exports write it: with today's ICAO code.
      flightOf(until, `${code}/${now}`, 'CPH'),
      flightOf(after(until), `${code}/${now}`, 'CPH'),
    ])
    const { rows } = await draftRecords(
      app(),
      flights.map((flight) => recordOf(flight)),
    )
    for (const [i, [code, , old, now]] of moved.entries()) {
      const [before, afterwards, pairBefore, pairAfter] = await Promise.all(
        rows.slice(i * 4, i * 4 + 4).map(async (row) => ({ row, names: await named(app(), row.draft) })),
      )
      assert.match(before!.names.from!.name, old, code)
      assert.notEqual(before!.names.from!.icao, now, code)
      assert.deepEqual(codesOf(before!.row.warnings), ['airport_moved fromId'], code)
      assert.equal(afterwards!.names.from!.icao, now, code)
      assert.deepEqual(codesOf(afterwards!.row.warnings), [], code)
      assert.match(pairBefore!.names.from!.name, old, `${code}/${now}`)
      assert.equal(pairAfter!.names.from!.icao, now, `${code}/${now}`)
    }
  })

  test('closed airports are accepted, with a warning after their last day', async () => {
    for (const [code, until, after] of [
      ['THF', '2008-10-30', '2008-10-31'],
      ['SXF', '2020-10-25', '2020-11-20'],
      ['TXL', '2020-11-08', '2020-11-09'],
      ['REP', '2023-10-15', '2023-10-16'],
    ] as const) {
      const open = await draftOne(flightOf(until, code, 'CPH'))
      assert.equal(open.names.route, `${code}-CPH`)
      assert.deepEqual(open.warned, [], code)
      const closed = await draftOne(flightOf(after, code, 'CPH'))
      assert.equal(closed.names.route, `${code}-CPH`)
      assert.deepEqual(closed.warned, ['airport_closed_then fromId'], code)
    }
  })

  test('two codes that disagree are a question with the airports of that day', async () => {
    for (const date of ['2015-05-01', '2020-10-20']) {
      const { names, warned } = await draftOne(flightOf(date, 'Berlin / Schonefeld (SXF/EDDB)', 'CPH'))
      assert.equal(names.from!.iata, 'SXF', date)
      assert.ok(!warned.includes('airport_closed_then fromId'), date)
    }
    const late = await draftOne(flightOf('2022-05-01', 'SXF/EDDB', 'CPH'))
    assert.equal(late.names.from!.iata, 'SXF')
    assert.deepEqual(late.warned, ['airport_closed_then fromId'])
    const now = await draftOne(flightOf('2022-05-01', 'BER/EDDB', 'CPH'))
    assert.equal(now.names.from!.icao, 'EDDB')
    // Both codes belonged to Atatürk.
    const ataturk = await draftOne(flightOf('2015-05-01', 'IST/LTBA', 'CPH'))
    assert.equal(ataturk.names.from!.icao, 'LTBA')
  })

  test('a code with a digit is ignored next to an ICAO code, and used if it is alone', async () => {
    const made = await draftOne(flightOf('2022-05-01', 'Nowhere (NA0/EKCH)', 'ARN'))
    assert.equal(made.names.route, 'CPH-ARN')
    const lone = await draftOne(flightOf('2022-05-01', 'NA0', 'ARN'))
    assert.equal(verdict(lone), 'question unknown_airport')
  })

  test('city codes are asked about, with airports of the log first', async () => {
    const london = await draftOne(flightOf('2024-05-01', 'LON', 'CPH'))
    assert.equal(verdict(london), 'question ambiguous_airport')
    assert.deepEqual(london.waitsFor, ['ambiguous_airport:lon'])
    const [question] = london.questions
    assert.equal(question!.value, 'LON')
    assert.equal(question!.rows, 1)
    assert.match(question!.choices[0]!.label, /^LHR /)
    assert.ok(question!.choices.some(({ label }) => label.startsWith('STN ')))
    // Before the new airport opened, BER was Berlin.
    const berlin = await draftOne(flightOf('2020-10-30', 'BER', 'CPH'))
    assert.equal(verdict(berlin), 'question ambiguous_airport')
    const labels = berlin.questions[0]!.choices.map(({ label }) => label.slice(0, 3))
    assert.ok(labels.includes('TXL') && labels.includes('SXF'), labels.join())
    const since = await draftOne(flightOf('2020-10-31', 'BER', 'CPH'))
    assert.equal(since.names.route, 'BER-CPH')
    // A name next to the city's code decides.
    const heathrow = await draftOne(flightOf('2024-05-01', 'London Heathrow Airport (LON)', 'CPH'))
    assert.equal(heathrow.names.route, 'LHR-CPH')
    assert.deepEqual(heathrow.warned, ['airport_by_name fromId'])
  })

  test('an answer applies to every row with the same value', async () => {
    const flights = [flightOf('2024-05-01', 'LON', 'CPH'), flightOf('2024-06-01', 'CPH', 'lon')]
    const id = await app().airportId('LGW')
    const answers = [{ kind: 'ambiguous_airport', value: 'LON', id }] as const
    const { rows, questions } = await draftRecords(
      app(),
      flights.map((flight) => recordOf(flight)),
      { answers },
    )
    assert.deepEqual(
      rows.map(({ draft }) => [draft?.fromId === id, draft?.toId === id]),
      [
        [true, false],
        [false, true],
      ],
    )
    assert.deepEqual(rows.map(verdict), ['open', 'open'])
    assert.deepEqual(questions[0]!.answer, answers[0])
    assert.equal(questions[0]!.rows, 2)
    const left = await draftOne(flights[0]!, {
      answers: [{ kind: 'ambiguous_airport', value: 'lon', leaveEmpty: true }],
    })
    assert.equal(verdict(left), 'skipped excluded')
  })

  test('names in several languages match one large or medium airport as a whole', async () => {
    for (const [text, code] of [
      ['München', 'MUC'],
      ['Geneva, Switzerland', 'GVA'],
      ['Köln/Bonn', 'CGN'],
      ['Cologne Bonn Intl', 'CGN'],
      ['Genf', 'GVA'],
      ['Lissabon', 'LIS'],
      ['Zürich', 'ZRH'],
      ['Warszawa / Chopin', 'WAW'],
    ] as const) {
      const { names, warned } = await draftOne(flightOf('2024-05-01', text, 'ARN'))
      assert.equal(names.from?.iata, code, text)
      assert.deepEqual(warned, ['airport_by_name fromId'], text)
    }
    const riem = await draftOne(flightOf('1985-05-01', 'München', 'ARN'))
    assert.match(riem.names.from!.name, /Riem/)
  })

  test('an ambiguous or partial name is a question with suggestions', async () => {
    const milan = await draftOne(flightOf('2024-05-01', 'Mailand', 'CPH'))
    assert.equal(verdict(milan), 'question ambiguous_airport')
    const codes = milan.questions[0]!.choices.map(({ label }) => label.slice(0, 3))
    assert.ok(codes.includes('MXP') && codes.includes('LIN'), codes.join())
    // Roskilde serves Copenhagen too, but no airline flies there.
    const copenhagen = await draftOne(flightOf('2024-05-01', 'Kopenhagen', 'ARN'))
    assert.deepEqual(
      [copenhagen.draft!.fromId, copenhagen.questions],
      [(await airportIds(app(), 'CPH'))[0], []],
    )
    const part = await draftOne(flightOf('2024-05-01', 'Heathro', 'CPH'))
    assert.equal(verdict(part), 'question unknown_airport')
    assert.match(part.questions[0]!.choices[0]!.label, /^LHR /)
    assert.ok(part.questions[0]!.choices.length <= 5)
    assert.equal(part.draft!.fromText, 'Heathro')
    const city = await draftOne(flightOf('2024-05-01', 'Frankfu', 'CPH'))
    const names = city.questions[0]!.choices.slice(0, 4).map(({ label }) => label)
    assert.ok(!names.some((name) => name.includes('Helip')), `helipads come last: ${names.join()}`)
  })

  test('a lower-case word is a code only if no town has that name', async () => {
    const meant = async (text: string) => {
      const { names, questions, warned } = await draftOne(flightOf('2024-05-01', text, 'CPH'))
      return names.from?.iata ?? { warned, asked: questions.map(({ kind, value }) => `${kind} ${value}`) }
    }
    assert.deepEqual(await Promise.all(['cph', 'ARN', 'essa', 'ULM', 'HOF'].map(meant)), [
      ...['CPH', 'ARN', 'ARN', 'ULM', 'HOF'],
    ])
    for (const text of ['ulm', 'hof', 'kos'])
      assert.deepEqual(await meant(text), { warned: [], asked: [`ambiguous_airport ${text}`] })
    // LIMA and SION are codes of an airfield in Italy and of a heliport in Brazil.
    assert.deepEqual(await Promise.all(['lima', 'sion'].map(meant)), ['LIM', 'SIR'])
  })

  test('an unknown code is asked about once, with the place from the note first', async () => {
    const flights = [
      flightOf('2024-05-01', 'ZZX', 'CPH', { note: 'Weekend in Reykjavik with friends' }),
      flightOf('2024-05-09', 'CPH', 'ZZX'),
    ]
    const { rows, questions } = await draftRecords(
      app(),
      flights.map((flight) => recordOf(flight)),
    )
    assert.deepEqual(rows.map(verdict), ['question unknown_airport', 'question unknown_airport'])
    assert.equal(questions.length, 1)
    assert.equal(questions[0]!.rows, 2)
    assert.match(questions[0]!.choices[0]!.detail, /Reykjav/)
  })

  test('a missing airport is asked about for each flight', async () => {
    const flights = [
      flightOf('2024-05-01', 'CPH', null, { flightNumber: 'SK501' }),
      flightOf('2024-05-08', 'CPH', null, { flightNumber: 'SK501' }),
      flightOf('2024-05-09', null, 'CPH'),
    ]
    const { rows, questions } = await draftRecords(
      app(),
      flights.map((flight) => recordOf(flight)),
    )
    assert.deepEqual(
      rows.map(verdict),
      flights.map(() => 'question missing_airport'),
    )
    assert.deepEqual(
      questions.map(({ value, rows: count }) => [value, count]),
      [
        ['SK501 CPH → ?', 2],
        ['2024-05-09 ? → CPH', 1],
      ],
    )
  })

  test('railway stations are not flights', async () => {
    assert.equal(verdict(await draftOne(flightOf('2024-05-01', 'QKL', 'FRA'))), 'skipped not_a_flight')
    assert.equal(verdict(await draftOne(flightOf('2024-05-01', 'FRA', 'ZWS'))), 'skipped not_a_flight')
  })

  test('the ends of a track become the nearest airports within ten kilometres', async () => {
    const near = {
      ...flightOf('2024-05-01', null, null),
      fromPoint: { lat: 55.62, lon: 12.65 },
      toPoint: { lat: 59.65, lon: 17.93 },
    }
    assert.equal((await draftOne(near)).names.route, 'CPH-ARN')
    const far = { ...near, toPoint: { lat: 57.0, lon: 20.9 } }
    assert.equal(verdict(await draftOne(far)), 'question missing_airport')
  })

  // Airlines

  test('an airline code means its holder on the day of the flight', async () => {
    const rows: [number: string, date: string, icao: string][] = [
      ['AZ600', '2021-10-14', 'AZA'],
      ['AZ600', '2021-10-15', 'ITY'],
      ['KM100', '2024-03-30', 'AMC'],
      ['KM100', '2024-03-31', 'KMM'],
      ['SN100', '2001-11-07', 'SAB'],
      ['SN100', '2002-06-01', 'BEL'],
      ['TW100', '2001-12-01', 'TWA'],
      ['TW100', '2012-01-01', 'TWB'],
      ['JP100', '2019-10-02', 'ADR'],
      ['MA100', '2012-02-03', 'MAH'],
      ['VY100', '2010-01-01', 'VLG'],
      ['NW100', '2010-01-31', 'NWA'],
      ['CO100', '2012-03-03', 'COA'],
      ['US100', '2015-10-17', 'USA'],
      ['AB100', '2017-10-27', 'BER'],
      ['9W100', '2019-04-17', 'JAI'],
      ['4U100', '2015-01-01', 'GWI'],
      ['U28642', '2024-01-01', 'EZY'],
      ['B6117', '2024-01-01', 'JBU'],
    ]
    const { rows: drafted } = await draftRecords(
      app(),
      rows.map(([flightNumber, date]) => recordOf(flightOf(date, 'FRA', 'CPH', { flightNumber }))),
    )
    for (const [i, [number, date, icao]] of rows.entries()) {
      const { airline } = await named(app(), drafted[i]!.draft)
      assert.equal(airline, icao, `${number} on ${date}`)
      assert.deepEqual(codesOf(drafted[i]!.warnings), [], `${number} on ${date}`)
      assert.equal(drafted[i]!.draft!.flightNumber, number)
    }
  })

  test('the code of the day beats the airline’s name in the file with a warning, and the number stays', async () => {
    const malta = await draftOne(
      flightOf('2005-05-01', 'MLA', 'FRA', { airline: airlineNamed('Air Malta (KM/)') }),
    )
    assert.equal(malta.names.airline, 'AMC')
    const late = await draftOne(
      flightOf('2022-05-01', 'FCO', 'LIN', { airline: airlineNamed('Alitalia (AZ/)') }),
    )
    assert.equal(late.names.airline, 'ITY')
    assert.deepEqual(late.warned, ['airline_disagrees airlineId'])
    const wetLease = await draftOne(
      flightOf('2016-05-01', 'STR', 'TXL', { airline: airlineNamed('Air Berlin'), flightNumber: 'HG 0123' }),
    )
    assert.equal(wetLease.names.airline, 'BER')
    assert.equal(wetLease.draft!.flightNumber, 'HG123')
    assert.deepEqual(wetLease.warned, ['airline_disagrees airlineId'])
    const swiss = await draftOne(
      flightOf('2018-10-06', 'GRU', 'ZRH', { airline: airlineNamed('Swiss (LX/SWR)'), flightNumber: 'LX93' }),
    )
    assert.equal(swiss.names.airline, 'SWR')
    assert.equal(swiss.names.airlineName, 'Swiss International Air Lines')
    assert.deepEqual(swiss.warned, [])
    const swissair = await draftOne(
      flightOf('1998-10-06', 'GRU', 'ZRH', {
        airline: airlineNamed('Swissair (SR/SWR)'),
        flightNumber: 'SR93',
      }),
    )
    assert.equal(swissair.names.airlineName, 'Swissair')
  })

  test('numbers get the IATA code of their airline', async () => {
    for (const [flightNumber, airline, written] of [
      ['12', 'QFA', 'QF12'],
      ['QFA0012', null, 'QF12'],
      ['LH 0829', null, 'LH829'],
      ['SL*1508', null, 'SL1508'],
      ['B6117D', null, 'B6117D'],
      ['829', null, '829'],
    ] as const) {
      const { draft } = await draftOne(
        flightOf('2024-05-01', 'FRA', 'CPH', { flightNumber, airline: airlineNamed(airline) }),
      )
      assert.equal(draft!.flightNumber, written)
    }
  })

  test('an unknown airline leaves the field empty and asks an optional question', async () => {
    const row = await draftOne(
      flightOf('2024-05-01', 'FRA', 'CPH', { airline: airlineNamed('Zebra Wings'), flightNumber: '12' }),
    )
    assert.equal(verdict(row), 'open')
    assert.deepEqual(row.warned, ['airline_unknown airlineId'])
    assert.equal(row.draft!.airlineText, 'Zebra Wings')
    assert.deepEqual(
      row.questions.map(({ kind, value, rows }) => [kind, value, rows]),
      [['unknown_airline', 'Zebra Wings', 1]],
    )
    const answered = await draftOne(
      flightOf('2024-05-01', 'FRA', 'CPH', { airline: airlineNamed('Zebra Wings'), flightNumber: '12' }),
      { answers: [{ kind: 'unknown_airline', value: 'zebra wings', id: 4559 }] },
    )
    assert.equal(answered.names.airline, 'SWR')
    assert.equal(answered.draft!.flightNumber, 'LX12')
    assert.deepEqual(answered.warned, [])
  })

  // Aircraft

  test('aircraft types are never guessed', async () => {
    for (const [text, icao] of [
      ['Boeing 777-300ER (B77W)', 'B77W'],
      ['77W', 'B77W'],
      ['32N', 'A20N'],
      ['A320neo', 'A20N'],
      ['Airbus A320', 'A320'],
      ['Boeing 777-300ER', 'B77W'],
      ['787-9', 'B789'],
      ['Boeing 777', null],
      ['787', null],
      ['757', null],
      ['AT7', null],
      ['ATR 72', null],
      ['ATR 72-600', 'AT76'],
      ['Airbus A330', null],
      ['A330-300', 'A333'],
      ['Zeppelin of doom', null],
    ] as const) {
      const { names, warned, draft } = await draftOne(
        flightOf('2024-05-01', 'FRA', 'CPH', { aircraft: aircraftNamed(text) }),
      )
      assert.equal(names.aircraft, icao, text)
      assert.deepEqual(warned, icao ? [] : ['aircraft_unknown aircraftId'], text)
      assert.equal(draft!.aircraftText, icao ? undefined : text)
    }
  })

  // Times with questions

  test('times without a zone are asked about once, or decided by the option', async () => {
    const flight = flightOf('2024-01-15', 'LAX', 'JFK', {
      departure: clock('05:30', { zone: 'asked' }),
      arrival: clock('10:45', { zone: 'asked' }),
    })
    const open = await draftOne(flight)
    assert.equal(verdict(open), 'question times_zone')
    assert.deepEqual(
      open.questions[0]!.choices.map(({ id }) => id),
      ['local', 'utc'],
    )
    const utc = await draftOne(flight, { options: { timesAreUtc: true } })
    assert.equal(utc.draft!.departure, '2024-01-15T21:30:00-08:00')
    assert.equal(utc.draft!.arrival, '2024-01-16T05:45:00-05:00')
    const local = await draftOne(flight, { options: { timesAreUtc: false } })
    assert.equal(local.draft!.departure, '2024-01-15T05:30:00-08:00')
    assert.equal(verdict(local), 'open')
  })

  // Cancelled, diverted and other people's flights

  test('cancelled and other people’s flights are skipped unless included', async () => {
    const flight = flightOf('2024-05-01', 'FRA', 'CPH', { outcome: 'cancelled' })
    const skipped = { ...recordOf(flight), skip: 'cancelled' as const }
    const run = async (drafting: Drafting) => (await draftRecords(app(), [skipped], drafting)).rows[0]!
    assert.equal(verdict(await run({})), 'skipped cancelled')
    const included = await run({ options: { includeCancelled: true } })
    assert.equal(verdict(included), 'open')
    assert.equal(included.draft!.outcome, 'cancelled')
    assert.equal(verdict(await run({ choices: { 1: { include: true } } })), 'open')
    const other = { ...recordOf(flightOf('2024-05-01', 'FRA', 'CPH')), skip: 'not_mine' as const }
    const [row] = (await draftRecords(app(), [other], { options: { includeOthers: true } })).rows
    assert.equal(verdict(row!), 'open')
  })

  test('a diverted flight keeps its landing airport and the schedule of the planned one', async () => {
    const { names, draft, warned } = await draftOne(
      flightOf('2025-02-14', 'CDG', 'BOS', {
        outcome: 'diverted',
        plannedTo: airportNamed('JFK'),
        departureScheduled: clock('2025-02-14T10:30'),
        arrivalScheduled: clock('2025-02-14T12:45'),
        departure: clock('2025-02-14T10:52'),
        arrival: clock('2025-02-14T12:31'),
      }),
    )
    assert.equal(names.route, 'CDG-BOS')
    assert.equal(names.plannedTo!.iata, 'JFK')
    assert.equal(draft!.outcome, 'diverted')
    assert.equal(draft!.arrivalScheduled, '2025-02-14T12:45:00-05:00')
    assert.deepEqual(warned, ['diverted toId'])
    const unknown = await draftOne(
      flightOf('2025-02-14', 'CDG', 'BOS', {
        outcome: 'diverted',
        plannedTo: airportNamed('ZZX'),
        note: 'Fog',
      }),
    )
    assert.equal(verdict(unknown), 'open')
    assert.equal(unknown.draft!.note, 'Fog\nPlanned destination: ZZX')
  })

  // People

  test('the importer is on every flight and is not added twice under another name', async () => {
    const passengersOf = async (flight: SourceFlight) =>
      (await draftOne(flight)).draft!.passengers.map(({ userId, guestName }) => userId ?? guestName)
    const base = flightOf('2024-05-01', 'FRA', 'CPH')
    assert.deepEqual(await passengersOf(base), ['importer'])
    const person = (name: string) => ({ who: { kind: 'named' as const, name } })
    const named = (...names: string[]) => ({ ...base, passengers: names.map(person) })
    assert.deepEqual(await passengersOf(named('Ada Byron', 'Nora Lindqvist')), ['Ada Byron', 'importer'])
    assert.deepEqual(await passengersOf(named('LINDQVIST/NORAMRS')), ['importer'])
    assert.deepEqual(await passengersOf(named('LINDQVIST/N')), ['importer'])
    assert.deepEqual(await passengersOf(named('LINDQVIST/NOR')), ['importer'])
    assert.deepEqual(await passengersOf(named('MRS LINDQVIST')), ['importer'])
    assert.deepEqual(await passengersOf(named('LINDQVIST/PETERMR')), ['importer', 'Peter Lindqvist'])
    assert.deepEqual(await passengersOf(named('Ada Byron', 'Ada Byron')), ['importer', 'Ada Byron'])
  })

  test('a name that may be the importer’s is asked about once', async () => {
    const flight = {
      ...flightOf('2024-05-01', 'FRA', 'CPH'),
      passengers: [{ who: { kind: 'named' as const, name: 'Nora' }, seatNumber: '12A' }],
    }
    const open = await draftOne(flight)
    assert.equal(verdict(open), 'question which_user')
    assert.deepEqual(open.draft!.people, ['Nora'])
    assert.deepEqual(
      open.questions[0]!.choices.map(({ id }) => id),
      ['self', 'guest'],
    )
    const self = await draftOne(flight, { answers: [{ kind: 'which_user', value: 'Nora', id: 'self' }] })
    assert.deepEqual(
      self.draft!.passengers.map(({ userId, seatNumber }) => [userId, seatNumber]),
      [['importer', '12A']],
    )
    const guest = await draftOne(flight, { answers: [{ kind: 'which_user', value: 'nora', id: 'guest' }] })
    assert.deepEqual(
      guest.draft!.passengers.map(({ userId, guestName }) => userId ?? guestName),
      ['importer', 'Nora'],
    )
  })

  const account = (key: string, username: string, name: string) => ({
    who: { kind: 'account' as const, key, username, name },
  })

  test('in accounts of another instance, an equal user name is the importer; other flights are not theirs', async () => {
    const ada = account('7', 'ada', 'Ada Byron')
    const nora = account('8', 'Nora', 'N. L.')
    const base = flightOf('2024-05-01', 'FRA', 'CPH')
    const records = [recordOf({ ...base, passengers: [ada] }), recordOf({ ...base, passengers: [ada, nora] })]
    const { rows } = await draftRecords(app(), records)
    assert.deepEqual(rows.map(verdict), ['skipped not_mine', 'open'])
    assert.deepEqual(
      rows[1]!.draft!.passengers.map(({ userId, guestName }) => userId ?? guestName),
      ['Ada Byron', 'importer'],
    )
    // A stranger's mail may use the importer's name for an account, so an import with it is not committed automatically.
    assert.equal(rows[1]!.draft!.isTravellerNamed, undefined)
    const ticket = { who: { kind: 'named' as const, name: 'LINDQVIST/NORAMRS' } }
    assert.equal((await draftOne({ ...base, passengers: [ticket] })).draft!.isTravellerNamed, true)
    // The option overrides it.
    const mapped = await draftRecords(app(), records, { options: { users: { 7: 'importer' } } })
    assert.deepEqual(mapped.rows.map(verdict), ['open', 'open'])
  })

  test('accounts without the importer’s user name are asked about', async () => {
    const records = [
      recordOf({ ...flightOf('2024-05-01', 'FRA', 'CPH'), passengers: [account('7', 'ada', 'Ada Byron')] }),
    ]
    const { rows, questions } = await draftRecords(app(), records)
    assert.deepEqual(rows.map(verdict), ['question which_user'])
    assert.equal(questions[0]!.value, 'Ada Byron (ada)')
  })

  test('restoring maps every account to a local user, with permission', async () => {
    const other = await app().person()
    const records = [
      recordOf({
        ...flightOf('2024-05-01', 'FRA', 'CPH'),
        passengers: [account('7', other.username, 'Other Person'), account('9', 'gone', 'Gone Person')],
      }),
    ]
    const options = { mode: 'restore' as const }
    const { rows, questions } = await draftRecords(app(), records, { options })
    assert.deepEqual(rows.map(verdict), ['question which_user'])
    assert.deepEqual(
      questions.map(({ value }) => value),
      ['Gone Person (gone)'],
    )
    assert.ok(questions[0]!.choices.some(({ id }) => id === other.id))
    const answers = [{ kind: 'which_user' as const, value: 'Gone Person (gone)', id: 'guest' }]
    const answered = await draftRecords(app(), records, { options, answers })
    assert.deepEqual(
      answered.rows[0]!.draft!.passengers.map(({ userId, guestName }) => userId ?? guestName),
      [other.id, 'Gone Person'],
    )
    // Without the permission, another user is never assigned.
    const refused = await draftRecords(app(), records, {
      options: { users: { 7: other.id } },
      permissions: ['flight.import.own'],
    })
    assert.ok(!JSON.stringify(refused.rows).includes(other.id))
  })

  // The rest of a draft

  test('values without a field go into the note, after the source’s own, in a fixed order', async () => {
    const { draft } = await draftOne(
      flightOf('2024-05-01', 'FRA', 'CPH', {
        note: 'Rain, late\r\nsecond line',
        extras: [
          ['Trip', 'Summer'],
          ['Empty', ' '],
          ['Miles', '298'],
        ],
        aircraftReg: 'vhoqa',
        bookingReference: ' Q7RT2M ',
        externalId: 'abc-1',
        price: { amount: '120.50', currency: 'EUR' },
      }),
      { source: 'flighty' },
    )
    assert.equal(draft!.note, 'Rain, late\nsecond line\nTrip: Summer\nMiles: 298')
    assert.equal(draft!.aircraftReg, 'VH-OQA')
    assert.equal(draft!.bookingReference, 'Q7RT2M')
    assert.deepEqual(draft!.externalIds, { flighty: 'abc-1' })
    assert.deepEqual(draft!.price, { amount: '120.50', currency: 'EUR' })
  })

  test('long text is cut at a word, and characters that cannot be stored are removed', async () => {
    const { draft, warned } = await draftOne(
      flightOf('2024-05-01', 'FRA', 'CPH', { note: 'word '.repeat(3000), departureGate: 'A\u00001' }),
    )
    assert.ok(draft!.note!.length <= 10_000 && draft!.note!.endsWith('word'))
    assert.equal(draft!.departureGate, 'A1')
    assert.deepEqual(warned, ['text_cleaned departureGate', 'text_shortened note'])
  })

  test('implausible flights have a warning', async () => {
    const odd = async (flight: SourceFlight) =>
      (await draftOne(flight)).warnings.filter(({ code }) => code === 'implausible').map(({ value }) => value)
    const times = (departure: string, arrival: string) => ({
      departure: clock(departure),
      arrival: clock(arrival),
    })
    assert.deepEqual(await odd(flightOf('1905-05-01', 'FRA', 'CPH')), ['too_early'])
    const long = times('2024-05-01T10:00', '2024-05-02T11:00')
    assert.deepEqual(await odd(flightOf('2024-05-01', 'FRA', 'CPH', long)), ['too_long'])
    const fast = times('2024-05-01T10:00Z', '2024-05-01T13:00Z')
    assert.deepEqual(await odd(flightOf('2024-05-01', 'LHR', 'JFK', fast)), ['too_fast'])
    const concorde = { ...fast, aircraft: aircraftNamed('CONC') }
    assert.deepEqual(
      await odd(
        flightOf('2003-05-01', 'LHR', 'JFK', {
          ...concorde,
          ...times('2003-05-01T10:00Z', '2003-05-01T13:25Z'),
        }),
      ),
      [],
    )
    const slow = times('2024-05-01T10:00', '2024-05-01T23:00')
    assert.deepEqual(await odd(flightOf('2024-05-01', 'FRA', 'CPH', slow)), ['too_slow'])
    const round = times('2024-05-01T10:00', '2024-05-01T11:00')
    assert.deepEqual(await odd(flightOf('2024-05-01', 'FRA', 'FRA', round)), [])
  })

  test('unreadable records are errors, and others are pending until the whole file is read', async () => {
    const { rows } = await draftRecords(app(), [
      { line: 3, raw: 'x', error: { code: 'bad_date', value: '99.99.9999' } },
      recordOf(flightOf(null, 'FRA', 'CPH')),
      { ...recordOf(flightOf('2024-03-04', 'FRA', 'CPH')), dateOpen: true },
    ])
    assert.deepEqual(rows.map(verdict), ['error bad_date', 'error bad_date', 'question date_ambiguous'])
    assert.equal(rows[0]!.draft, null)
    assert.equal(rows[0]!.line, 3)
  })

  test('a typed value replaces the one that was read', async () => {
    const id = await app().airportId('LGW')
    const flight = flightOf('2024-05-01', 'LON', 'CPH', { departure: clock('10:00'), flightNumber: 'SK1' })
    const typed = {
      fromId: id,
      to: 'ARN',
      date: '2024-06-01',
      arrival: '13:00',
      flightNumber: 'BA0780',
      seatNumber: '12A',
      note: null,
    }
    const row = await draftOne(flight, { choices: { 1: { draft: typed } } })
    assert.equal(verdict(row), 'open')
    assert.equal(row.names.route, 'LGW-ARN')
    assert.equal(row.draft!.date, '2024-06-01')
    assert.equal(row.draft!.departure, '2024-06-01T10:00:00+01:00')
    assert.equal(row.draft!.arrival, '2024-06-01T13:00:00+02:00')
    assert.equal(row.draft!.flightNumber, 'BA780')
    assert.equal(row.draft!.passengers[0]!.seatNumber, '12A')
    assert.deepEqual(row.questions, [])
    // Also if nothing could be read.
    const broken = { line: 3, raw: 'x', error: { code: 'bad_date' as const } }
    const mended = await draftRecords(app(), [broken], {
      choices: { 1: { draft: { from: 'FRA', to: 'CPH', date: '2024-05-01' } } },
    })
    assert.equal(verdict(mended.rows[0]!), 'open')
  })

  test('our own export keeps every value', async () => {
    const exact = (text: string) => ({ date: null, clock: '00:00', zone: 'utc', exact: text })
    const { draft, warned } = await draftOne({
      ...flightOf('2024-05-01', null, 'CPH', {
        verbatim: true,
        departure: exact('2024-05-01T10:00Z'),
        arrival: exact('2024-05-01T09:00:00.5+05:45'),
        duration: 1,
        flightNumber: 'sk 0501',
        aircraftReg: 'vhoqa',
        note: '  as it is ',
      }),
      from: namedBy(['FRA']),
    })
    assert.equal(draft!.departure, '2024-05-01T10:00Z')
    assert.equal(draft!.arrival, '2024-05-01T09:00:00.5+05:45')
    assert.equal(draft!.duration, 1)
    assert.equal(draft!.flightNumber, 'sk 0501')
    assert.equal(draft!.aircraftReg, 'vhoqa')
    assert.equal(draft!.note, '  as it is ')
    assert.deepEqual(warned, [])
  })

  test('a typed clock on a row of our own export gets its day, and the flight its duration', async () => {
    const exact = (text: string) => ({ date: null, clock: '00:00', zone: 'utc', exact: text })
    const flight = flightOf('2024-05-01', 'CPH', 'SIN', {
      verbatim: true,
      departure: exact('2024-05-01T21:55:00+02:00'),
      arrival: exact('2024-05-02T14:10:00+08:00'),
      duration: 36_900,
      flightNumber: 'sk 0501',
    })
    const typed = async (draft: Record<string, unknown>) =>
      (await draftOne(flight, { choices: { 1: { draft } } })).draft!
    const later = await typed({ arrival: '16:10' })
    assert.equal(later.departure, '2024-05-01T21:55:00+02:00')
    assert.equal(later.arrival, '2024-05-02T16:10:00+08:00')
    assert.equal(later.duration, 44_100)
    assert.equal(later.flightNumber, 'sk 0501')
    // An instant includes its day: everything else stays as exported.
    const exactly = await typed({ arrival: '2024-05-02T16:10:00+08:00' })
    assert.equal(exactly.duration, 36_900)
  })

  test('a typed booking reference is used even if those of the file are left out', async () => {
    const flight = flightOf('2024-05-01', 'FRA', 'CPH', { bookingReference: 'ABCDEF' })
    const options = { bookingReference: false }
    assert.equal((await draftOne(flight, { options })).draft!.bookingReference, null)
    const choices = { 1: { draft: { bookingReference: 'Q7RT2M' } } }
    assert.equal((await draftOne(flight, { options, choices })).draft!.bookingReference, 'Q7RT2M')
  })

  test('custom fields match by key; an unknown one is asked about and can be mapped or dropped', async () => {
    const owner = await ownerOf(app())
    const created = await app().request('POST', '/app/api/custom-fields', {
      cookie: owner,
      body: { entityType: 'flight', key: 'mood', label: 'Mood', fieldType: 'text' },
    })
    assert.equal(created.status, 201, created.text)
    const flight = flightOf('2024-05-01', 'FRA', 'CPH', { customFields: { mood: 'good', weather: 'rain' } })
    // Definitions are cached with the revision of the reference data.
    const revision = 1000
    const open = await draftOne(flight, { revision })
    assert.equal(verdict(open), 'question unknown_custom_field')
    assert.deepEqual(open.draft!.customFields, { mood: 'good' })
    assert.deepEqual(
      open.questions.map(({ value, choices }) => [value, choices[0]?.id]),
      [['weather', 'mood']],
    )
    const dropped = await draftOne(flight, {
      revision,
      answers: [{ kind: 'unknown_custom_field', value: 'weather', leaveEmpty: true }],
    })
    assert.equal(verdict(dropped), 'open')
    const only = flightOf('2024-05-01', 'FRA', 'CPH', { customFields: { weather: 'rain' } })
    const mapped = await draftOne(only, {
      revision,
      answers: [{ kind: 'unknown_custom_field', value: 'weather', id: 'mood' }],
    })
    assert.deepEqual(mapped.draft!.customFields, { mood: 'rain' })
  })

  // Many records

  /** How often other requests could be served meanwhile. Without a pause that is never on SQLite, however long it takes. */
  async function turnsDuring(flights: readonly SourceFlight[]): Promise<number> {
    let turns = 0
    let next = setImmediate(function count() {
      turns++
      next = setImmediate(count)
    })
    await draftRecords(
      app(),
      flights.map((flight) => recordOf(flight)),
    )
    clearImmediate(next)
    return turns
  }

  test('other requests are served while many names are looked up and many questions described', async () => {
    const many = 2_000
    const unknown = (i: number) =>
      flightOf('2020-01-02', 'CPH', 'ARN', { aircraft: aircraftNamed(`Box ${i}`) })
    const note = ['Nowwhere', 'Elsevhere', 'Somevhere', 'Anyvhere'].join(', ')
    const lost = (i: number) => flightOf('2020-01-02', null, 'ARN', { flightNumber: `SK${i}`, note })
    // Single reads have their own pauses.
    await turnsDuring([unknown(0), lost(0)])
    assert.ok((await turnsDuring(Array.from({ length: many }, (_, i) => unknown(i)))) > 4)
    assert.ok((await turnsDuring(Array.from({ length: many / 10 }, (_, i) => lost(i + 1)))) > 4)
  })
})

test('only the first of very many questions are listed; rows with others are pending, and answers apply', () => {
  const answer = { kind: 'unknown_airport', value: 'Last', leaveEmpty: true } as const
  const questions = createQuestions<null>([answer])
  const ask = (value: string, row: number) => questions.ask('unknown_airport', value, row, () => null)
  for (let row = 1; row <= 20_000; row++) ask(`Nowhere ${row}`, row)
  const beyond = ask('Beyond', 20_001)
  assert.equal(beyond.answer, null)
  assert.equal(ask('Last', 20_002).answer, answer)
  const shown = questions.list((key) => (key === ask('Nowhere 7', 7).key ? 2 : 1))
  assert.equal(shown.length, 1_000)
  assert.deepEqual([shown[0]!.value, shown[0]!.rows], ['Nowhere 7', 2])
  assert.ok(!questions.list(() => 1).some(({ key }) => key === beyond.key))
  const left = questions.list((key) => (key === beyond.key ? 5 : 0))
  assert.deepEqual(
    left.map(({ value }) => value),
    ['Last'],
  )
})

const ownerOf = async (app: TestApp): Promise<string> => (await app.person('owner')).session()

// get-airport-by-code get-airline-by-code get-aircraft-by-code search-airports search-airlines search-aircraft: how a code
// is read by date, with records of this test.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, logFlight, messagesOf } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

const OLD = 990_001
const NEW = 990_002
const THIRD = 990_003
const FOURTH = 990_004
const [FIRST_LINE, SECOND_LINE, UNDATED_LINE, OTHER_UNDATED_LINE, YEARS_LINE, TODAY_LINE] = [
  990_011, 990_012, 990_013, 990_014, 990_015, 990_016,
]

onBothEngines('codes by date', (app) => {
  let ada: TestPerson
  let key: string

  const airport = (id: number, icao: string, name: string, type: string, importance: number) =>
    `insert into airport (id, icao, iata, name, municipality, latitude, longitude, timezone, type, continent, country,
       former_codes, custom, search, importance)
     values (${id}, '${icao}', null, '${name}', null, 50, 10, 'Europe/Berlin', '${type}', 'EU', 'DE', '[]', 0, '', ${importance})`
  const airline = (id: number, name: string, code: string, active: 0 | 1, from?: string, to?: string) =>
    `insert into airline (id, name, iata, active, custom, search, active_from, active_to)
     values (${id}, '${name}', '${code}', ${active}, 0, '', ${quoted(from)}, ${quoted(to)})`
  const quoted = (text: string | undefined) => (text === undefined ? 'null' : `'${text}'`)
  const period = (kind: string, code: string, id: number, from?: string, to?: string) =>
    `insert into code_period (kind, code, record_id, valid_from, valid_to)
     values ('${kind}', '${code}', ${id}, ${quoted(from)}, ${quoted(to)})`

  before(async () => {
    const statements = [
      airport(OLD, 'ZZ-1', 'Old Field', 'closed', 10),
      airport(NEW, 'ZZ-2', 'New Field', 'large_airport', 100),
      airport(THIRD, 'ZZ-3', 'Third Field', 'medium_airport', 50),
      airport(FOURTH, 'ZZ-4', 'Fourth Field', 'medium_airport', 40),
      period('airport', '!AA', OLD, '1950-05-01', '1999-12-31'),
      period('airport', '!AA', NEW, '2001-01-01'),
      period('airport', '!EE', THIRD, undefined, '2000-01-01'),
      period('airport', '!EE', FOURTH, '2000-01-03'),
      // The city, until its own airport took the code.
      period('city', '!CC', OLD, undefined, '1999-12-31'),
      period('city', '!CC', THIRD, undefined, '2010-06-30'),
      period('city', '!CC', NEW, '2001-01-01', '2010-06-30'),
      period('airport', '!CC', NEW, '2010-07-01'),
      // New Field had another code before.
      period('airport', '!NN', NEW, '2015-01-01'),
      airline(FIRST_LINE, 'First Line', '!A', 0, '1960', '1999-06-30'),
      airline(SECOND_LINE, 'Second Line', '!A', 1, '2004-03-28'),
      period('airline', '!A', FIRST_LINE, '1960-01-01', '1999-06-30'),
      period('airline', '!A', SECOND_LINE, '2004-03-28'),
      airline(UNDATED_LINE, 'Undated Line', '!U', 0),
      airline(OTHER_UNDATED_LINE, 'Other Undated Line', '!U', 0),
      airline(YEARS_LINE, 'Years Line', '!Y', 0, '1970', '1980'),
      airline(TODAY_LINE, 'Line of Today', '!Y', 1),
    ]
    await app().store.transaction(async (tx) => {
      for (const statement of statements) await tx.query(statement, [])
    })
    ada = await app().person()
    key = await ada.key()
  })

  const byCode = (kind: string, code: string, date?: string) =>
    app().request('GET', `/api/v1/${kind}/by-code/${code}${date ? `?date=${date}` : ''}`, { key })
  const meaning = async (kind: string, code: string, date?: string) => {
    const reply = await byCode(kind, code, date)
    assert.equal(reply.status, 200, `${code} ${date}: ${reply.text}`)
    return [reply.json.data.id, ...reply.json.warnings]
  }
  const candidates = async (kind: string, code: string, date?: string) => {
    const reply = await byCode(kind, code, date)
    assertError(reply, 409, 'conflict', ['code'])
    return reply.json.error.details.map((detail: { params: { id: number } }) => detail.params.id)
  }

  test('a code means its holder on that day; between holders and outside, the nearest with a warning', async () => {
    const closed = 'airport_closed_then'
    const cases: [string, ...(number | string)[]][] = [
      ['1950-04-30', OLD, closed],
      ['1950-05-01', OLD],
      ['1999-12-31', OLD],
      ['2000-01-01', OLD, closed],
      ['2000-07-01', OLD, closed],
      ['2000-07-03', NEW, closed],
      ['2000-12-31', NEW, closed],
      ['2001-01-01', NEW],
      ['2090-01-01', NEW],
    ]
    for (const [date, ...expected] of cases)
      assert.deepEqual(await meaning('airports', '!AA', date), expected, date)
    assert.deepEqual(await meaning('airports', '!aa'), [NEW], 'today, in either case')
    // Equally near to both.
    assert.deepEqual(await candidates('airports', '!EE', '2000-01-02'), [THIRD, FOURTH])

    const notFlying = 'airline_not_flying_then'
    assert.deepEqual(await meaning('airlines', '!A', '1999-06-30'), [FIRST_LINE])
    assert.deepEqual(await meaning('airlines', '!A', '1999-07-01'), [FIRST_LINE, notFlying])
    assert.deepEqual(await meaning('airlines', '!A', '2004-03-27'), [SECOND_LINE, notFlying])
    assert.deepEqual(await meaning('airlines', '!A', '1959-12-31'), [FIRST_LINE, notFlying])
    assert.deepEqual(await meaning('airlines', '!A'), [SECOND_LINE])
  })

  test('an airport that had another code then was not closed', async () => {
    assert.deepEqual(await meaning('airports', '!NN', '2012-01-01'), [NEW])
    assert.deepEqual(await meaning('airports', '!NN', '2000-01-01'), [NEW, 'airport_closed_then'])
  })

  test('a city’s code is refused with the airports of that day, the most important first', async () => {
    assert.deepEqual(await candidates('airports', '!CC', '1990-01-01'), [THIRD, OLD])
    assert.deepEqual(await candidates('airports', '!CC', '2005-01-01'), [NEW, THIRD])
    assert.deepEqual(await meaning('airports', '!CC', '2000-06-01'), [THIRD], 'a single airport is meant')
    assert.deepEqual(await meaning('airports', '!CC', '2010-07-01'), [NEW])
    const { json } = await byCode('airports', '!CC', '2005-01-01')
    assert.deepEqual(json.error.details[0].params, { id: NEW, code: 'ZZ-2', name: 'New Field' })
  })

  test('without a history, the years of operation decide, then the current holder, and several are never guessed', async () => {
    assert.deepEqual(await meaning('airlines', '!Y', '1970-01-01'), [YEARS_LINE])
    assert.deepEqual(await meaning('airlines', '!Y', '1980-12-31'), [YEARS_LINE])
    assert.deepEqual(await meaning('airlines', '!Y', '1981-01-01'), [TODAY_LINE])
    assert.deepEqual(await meaning('airlines', '!Y'), [TODAY_LINE])
    assert.deepEqual(await candidates('airlines', '!U', '1990-01-01'), [UNDATED_LINE, OTHER_UNDATED_LINE])
    assert.deepEqual(await meaning('aircraft', '32N', '1999-01-01'), await meaning('aircraft', 'a20n'))
  })

  test('invalid codes, dates and parameters are refused', async () => {
    for (const kind of ['airports', 'airlines', 'aircraft']) {
      for (const code of ['QQQQ', '%25', '___', 'x'.repeat(90), '%20'])
        assert.equal((await byCode(kind, code)).status, 404, `${kind} ${code}`)
      assertError(await byCode(kind, 'CPH', '2026-02-30'), 400, 'bad_request')
      assertError(await byCode(kind, 'CPH', '2026'), 400, 'bad_request')
      const misspelt = await app().request('GET', `/api/v1/${kind}/by-code/CPH?day=2026-01-01`, { key })
      assertError(misspelt, 400, 'bad_request')
      assert.match(misspelt.json.error.message, /day.*date/)
    }
    const other = await ada.key(['flight.read.own'])
    const refused = await app().request('GET', '/api/v1/airports/by-code/CPH', { key: other })
    assertError(refused, 403, 'insufficient_scope')
  })

  test('many codes are returned in order, with null for unknown or ambiguous ones', async () => {
    const many = async (kind: string, codes: string) =>
      (await app().request('GET', `/api/v1/${kind}?codes=${codes}`, { key })).json
    const { data, page } = await many('airports', 'EWR,qqq,%20cph%20,,!CC,EWR')
    assert.deepEqual(
      data.map((found: { iata: string | null; name: string } | null) => found && (found.iata ?? found.name)),
      ['EWR', null, 'CPH', null, 'New Field', 'EWR'],
    )
    assert.deepEqual(page, { nextCursor: null })
    assert.deepEqual(
      (await many('airlines', '!U,!A')).data.map((found: { id: number } | null) => found?.id ?? null),
      [null, SECOND_LINE],
    )
    assert.equal((await many('aircraft', '32N')).data[0].icao, 'A20N')
    assert.equal((await many('airports', Array(100).fill('CPH').join())).data.length, 100)
    for (const kind of ['airports', 'airlines', 'aircraft']) {
      for (const query of [`codes=${Array(101).fill('CPH').join()}`, 'codes=CPH&query=cph', ''])
        assertError(await app().request('GET', `/api/v1/${kind}?${query}`, { key }), 400, 'bad_request')
    }
  })

  // Flights

  const log = (body: object) =>
    app().request('POST', '/api/v1/flights/log', { key, body: { confirmDuplicate: true, ...body } })
  const save = (body: object) =>
    app().request('POST', '/api/flight/save', {
      key,
      body: { passengers: [{ userId: '<USER_ID>' }], ...body },
    })
  /** Ids of the flight's airports and airline. */
  const saved = async (body: Record<string, unknown>) => {
    const reply = await save(body)
    assert.equal(reply.status, 200, reply.text)
    const id = reply.json.id ?? body['id']
    const { from, to, airline } = (await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data
    return { id, from: from.id, to: to.id, airline: airline?.id ?? null }
  }

  test('log-flight reads airports, airline and flight number by date, and reports unusual results', async () => {
    const logged = async (body: object) => {
      const reply = await log(body)
      assert.equal(reply.status, 201, reply.text)
      const { data, warnings } = reply.json
      return [data.from.id, data.airline?.id ?? null, ...messagesOf({ warnings })]
    }
    const cph = { to: 'CPH' }
    assert.deepEqual(await logged({ ...cph, from: '!AA', date: '1990-01-01', airline: '!A' }), [
      OLD,
      FIRST_LINE,
      '!AA was ZZ-1 Old Field (Germany) on 1990-01-01.',
    ])
    assert.deepEqual(await logged({ ...cph, from: '!AA', departure: '2010-01-01T10:00', airline: '!A' }), [
      NEW,
      SECOND_LINE,
      '“!AA” was taken as ZZ-2, New Field, Germany.',
    ])
    assert.deepEqual(await logged({ ...cph, from: '!AA', date: '2000-02-01', airline: '!A' }), [
      OLD,
      FIRST_LINE,
      'ZZ-1, Old Field, Germany was not open on 2000-02-01; check the airport and the date.',
      '!A First Line was not flying on 2000-02-01; check the airline and the date.',
    ])
    assert.deepEqual(await logged({ ...cph, from: '!AA', date: '1990-01-02', airline: '!U' }), [
      OLD,
      null,
      '!AA was ZZ-1 Old Field (Germany) on 1990-01-02.',
      '“!U” may mean !U Undated Line, !U Other Undated Line; the flight was logged without an airline.',
    ])
    const city = await log({ ...cph, from: '!CC', date: '2005-01-01' })
    assertError(city, 422, 'validation_failed', ['from'])
    assert.deepEqual(city.json.error.details[0].params.candidates, [
      'ZZ-2 New Field (Germany)',
      'ZZ-3 Third Field (Germany)',
    ])
  })

  test('a legacy save reads codes by date, and names the airports of a city', async () => {
    const body = { from: '!AA', to: 'CPH', airline: '!A' }
    const on = (departure: string, more = {}) => saved({ ...body, departure, ...more })
    const then = await on('1990-01-01')
    assert.deepEqual([then.from, then.airline], [OLD, FIRST_LINE])
    const now = await on('2010-01-01')
    assert.deepEqual([now.from, now.airline], [NEW, SECOND_LINE])
    assert.equal((await on('1990-01-01', { airline: '!U' })).airline, null, 'undecided: empty')
    // 23:30 in UTC is the next day at the airport.
    assert.equal((await on('1999-12-30T23:30:00.000Z')).from, OLD)
    const instant = await on('2000-12-31T23:30:00.000Z', { from: '!AA' })
    assert.equal(instant.from, NEW)
    for (const [end, message] of [
      ['from', 'Invalid departure airport: it may be any of ZZ-2, ZZ-3'],
      ['to', 'Invalid arrival airport: it may be any of ZZ-2, ZZ-3'],
    ] as const) {
      const reply = await save({ ...body, departure: '2005-01-01', [end]: '!CC' })
      assert.deepEqual([reply.status, reply.json], [400, { success: false, message }])
    }
  })

  test('in a month or a year, a code means its holder on most days', async () => {
    const on = async (date: string, datePrecision: string) =>
      (await saved({ from: '!AA', to: 'CPH', departure: date, date, datePrecision })).from
    // Old Field until the end of 1999, New Field from 2001 on.
    assert.equal(await on('1999-12-01', 'month'), OLD)
    assert.equal(await on('2001-01-01', 'year'), NEW)
    await app().store.transaction(async (tx) => {
      await tx.query(period('airport', '!MM', OLD, undefined, '2001-03-27'), [])
      await tx.query(period('airport', '!MM', NEW, '2001-03-28'), [])
    })
    const moved = async (date: string, datePrecision: string) =>
      (await saved({ from: '!MM', to: 'CPH', departure: date, date, datePrecision })).from
    assert.equal(await moved('2001-01-01', 'year'), NEW)
    assert.equal(await moved('2001-03-01', 'month'), OLD)
    const city = await save({
      from: '!CC',
      to: 'CPH',
      departure: '2010-01-01',
      date: '2010-01-01',
      datePrecision: 'year',
    })
    assert.equal(city.status, 200, 'the airport had the code on more days than the city')
  })

  test('on an update, a former or current code of the stored record keeps it', async () => {
    const create = (body: object) => logFlight(app(), ada, { date: '2010-01-01', ...body })
    const cphId = await app().airportId('CPH')
    const flight = await create({ fromId: OLD, toId: cphId, airlineId: FIRST_LINE })
    const kept = await saved({
      id: flight.id,
      from: '!AA',
      to: 'CPH',
      airline: '!A',
      departure: '2011-01-01',
    })
    assert.deepEqual([kept.from, kept.airline], [OLD, FIRST_LINE])
    const undecided = await create({ fromId: THIRD, toId: cphId, airlineId: OTHER_UNDATED_LINE })
    const again = await saved({
      id: undecided.id,
      from: 'ZZ-3',
      to: 'CPH',
      airline: '!U',
      departure: '2010-01-01',
    })
    assert.equal(again.airline, OTHER_UNDATED_LINE)
    const other = await saved({ id: flight.id, from: 'ZZ-3', to: '!AA', departure: '2010-01-01' })
    assert.deepEqual([other.from, other.to], [THIRD, NEW], 'another record’s code is read as of the date')
  })

  test('two codes that disagree mean the airport of that day', async () => {
    const both = (icao: string, iata: string, departure: string) =>
      saved({ from: { icao, iata }, to: 'CPH', departure })
    assert.equal((await both('ZZ-2', '!AA', '1990-01-01')).from, OLD, 'the successor’s ICAO code')
    assert.equal((await both('ZZ-2', '!AA', '2010-01-01')).from, NEW)
    assert.equal((await both('ZZ-1', '!AA', '2010-01-01')).from, OLD, 'closed by then, yet it is named')
    assert.equal((await both('QQQQ', '!AA', '2010-01-01')).from, NEW, 'the one that is known')
  })

  test('an airport added by a user takes precedence on every date', async () => {
    const cookie = await (await app().person('owner')).session()
    const body = {
      icao: 'ZZ-OWN',
      iata: 'ZQ9',
      name: 'Own strip',
      latitude: 1,
      longitude: 1,
      timezone: 'Europe/Copenhagen',
      continent: 'EU',
      country: 'DK',
    }
    await app().store.transaction((tx) => tx.query(period('airport', 'ZQ9', NEW, '1990-01-01'), []))
    assert.deepEqual(await meaning('airports', 'ZQ9', '2020-01-01'), [NEW])
    const { id } = (await app().request('POST', '/app/api/airports', { cookie, body })).json.data
    assert.deepEqual(await meaning('airports', 'ZQ9', '2020-01-01'), [id])
    assert.deepEqual(await meaning('airports', 'zz-own', '1930-01-01'), [id])
  })

  test('find-flights by a code finds flights of all its holders', async () => {
    const found = async (query: string) =>
      (await app().request('GET', `/api/v1/flights/search?${query}`, { key })).json.data
    const from = new Set(
      (await found('from=!AA&limit=100')).map((flight: { from: { id: number } }) => flight.from.id),
    )
    assert.deepEqual([...from].sort(), [OLD, NEW])
  })
})

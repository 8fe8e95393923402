import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, messagesOf } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'

const log = (app: TestApp, key: string, body: Record<string, unknown>) =>
  app.request('POST', '/api/v1/flights/log', { key, body })

async function logged(app: TestApp, key: string, body: Record<string, unknown>) {
  const reply = await log(app, key, body)
  assert.equal(reply.status, 201, reply.text)
  return { ...reply.json, warnings: messagesOf(reply.json) }
}

const search = async (app: TestApp, key: string, query: Record<string, string>) => {
  const reply = await app.request('GET', `/api/v1/flights/search?${new URLSearchParams(query)}`, { key })
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

interface Complaint {
  path: string[]
  reason: string
  message: string
}
/** The field and the reason of a refusal: `path: reason: message`. */
const complaints = (reply: { json: { error: { details: Complaint[] } } }) =>
  reply.json.error.details.map(({ path, reason, message }) => `${path.join('.')}: ${reason}: ${message}`)

onBothEngines('flights in people’s words', (app) => {
  const someone = async (): Promise<{ person: TestPerson; key: string }> => {
    const person = await app().person()
    return { person, key: await person.key() }
  }

  test('log-flight resolves codes and zones, and find-flights finds the flight by each of them', async () => {
    const { person, key } = await someone()
    const { data: flight, warnings } = await logged(app(), key, {
      date: '2026-02-20',
      from: 'cph',
      to: 'KJFK',
      departureTime: '12:30',
      arrivalTime: '15:05',
      flightNumber: 'sk 0909',
      aircraft: 'A359',
      registration: 'se-rsa',
      seat: 'window',
      seatNumber: '12A',
      seatClass: 'business',
      companions: [{ name: 'Grace' }],
      note: 'Snow in Queens, 100% cloud',
    })
    assert.deepEqual(warnings, [
      '“Grace” is none of the people you fly with or may see here; added as a guest.',
    ])
    assert.equal(flight.departure, '2026-02-20T12:30:00+01:00')
    assert.equal(flight.arrival, '2026-02-20T15:05:00-05:00')
    assert.equal(flight.duration, 30_900)
    assert.deepEqual(
      [flight.flightNumber, flight.airline.icao, flight.aircraft.icao],
      ['SK909', 'SAS', 'A359'],
    )
    assert.deepEqual(
      flight.passengers.map(
        (p: { user: { id: string } | null; guestName: string | null }) => p.user?.id ?? p.guestName,
      ),
      [person.id, 'Grace'],
    )
    await logged(app(), key, { date: '2025-08-01', from: 'LHR', to: 'CPH', flightNumber: 'BA814' })

    for (const query of [
      { airport: 'JFK' },
      { airport: 'new york' },
      { from: 'EKCH' },
      { to: 'JFK', from: 'Copenhagen' },
      { airline: 'SAS' },
      { airline: 'scandinavian airlines' },
      { flightNumber: 'SK909' },
      { flightNumber: 'sk-0909' },
      { flightNumber: '909' },
      { aircraftReg: 'SERSA' },
      { text: 'snow' },
      { text: '100%' },
      { text: 'grace' },
      { text: 'kennedy' },
      { dateFrom: '2026-02-20', dateTo: '2026-02-20' },
      { dateFrom: '2026-01-01', airport: 'CPH', airline: 'SK', text: 'queens' },
    ] as Record<string, string>[]) {
      const { data, page } = await search(app(), key, query)
      assert.deepEqual(
        data.map(({ id }: { id: number }) => id),
        [flight.id],
        JSON.stringify(query),
      )
      assert.deepEqual(page, { nextCursor: null })
      assert.deepEqual(data, [flight])
    }
    for (const query of [{ text: '%' }, { text: '_' }] as Record<string, string>[]) {
      const { data } = await search(app(), key, query)
      assert.equal(data.length, query['text'] === '%' ? 1 : 0, 'wildcards are ordinary characters')
    }
    assert.equal((await search(app(), key, { airport: 'CPH' })).data.length, 2)
    assert.equal((await search(app(), key, {})).data.length, 2)
    assert.equal((await search(app(), key, { airport: 'SYD' })).data.length, 0)
  })

  test('a code finds its airport, not a similar name, and a whole name finds one airport', async () => {
    const { key } = await someone()
    const { data: berlin } = await logged(app(), key, { date: '2026-04-01', from: 'CPH', to: 'BER' })
    await logged(app(), key, { date: '2026-04-02', from: 'CPH', to: 'BGO' })
    assert.deepEqual((await search(app(), key, { airport: 'ber' })).data, [berlin], 'not Bergen')
    const named = { date: '2026-04-03', from: 'CDG', to: 'CPH', airline: 'air france' }
    assert.equal((await logged(app(), key, named)).data.airline.icao, 'AFR', 'not one of its daughters')
  })

  test('find-flights pages, shows only permitted flights and explains unknown names', async () => {
    const { key } = await someone()
    for (const day of ['01', '02', '03']) {
      await logged(app(), key, { date: `2026-04-${day}`, from: 'ARN', to: 'HEL' })
    }
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data, page } = await search(app(), key, {
        airport: 'ARN',
        limit: '2',
        ...(cursor ? { cursor } : {}),
      })
      seen.push(...data.map(({ date }: { date: string }) => date))
      cursor = page.nextCursor
    }
    assert.deepEqual(seen, ['2026-04-03', '2026-04-02', '2026-04-01'])

    const refused = async (query: string, status: number) => {
      const reply = await app().request('GET', `/api/v1/flights/search?${query}`, { key })
      assert.equal(reply.status, status, reply.text)
      return reply
    }
    await refused('limit=101', 400)
    await refused('dateFrom=2026-02-30', 400)
    await refused('text=%00', 400)
    const list = await app().request('GET', '/api/v1/flights?limit=1', { key })
    await refused(`cursor=${list.json.page.nextCursor}`, 400)
    for (const name of ['airport', 'from', 'to', 'airline']) {
      const { error } = (await refused(`${name}=qqqqq`, 400)).json
      assert.equal(error.code, 'bad_request')
      assert.equal(error.message, `${name}: nothing matches “qqqqq”`)
    }
    assert.equal((await refused('scope=all', 403)).json.error.code, 'forbidden')

    const admin = await app().person('role-administrator')
    const all = await search(app(), await admin.key(), { scope: 'all', airport: 'ARN', dateTo: '2026-04-01' })
    assert.ok(all.data.length >= 1)
    assert.deepEqual((await search(app(), await admin.key(), { airport: 'ARN' })).data, [])
  })

  test('log-flight reads local times overnight, across the date line, with an offset and at clock changes', async () => {
    const { key } = await someone()
    const times = async (body: Record<string, unknown>) => {
      const { data, warnings } = await logged(app(), key, { allowDuplicate: true, ...body })
      return { date: data.date, departure: data.departure, arrival: data.arrival, warnings }
    }
    const overnight = await times({
      date: '2026-03-10',
      from: 'JFK',
      to: 'LHR',
      departureTime: '21:55',
      arrivalTime: '09:40',
    })
    assert.equal(overnight.arrival, '2026-03-11T09:40:00+00:00')
    const east = await times({
      date: '2026-03-01',
      from: 'AKL',
      to: 'HNL',
      departureTime: '23:55',
      arrivalTime: '10:20',
    })
    assert.deepEqual(
      [east.departure, east.arrival],
      ['2026-03-01T23:55:00+13:00', '2026-03-01T10:20:00-10:00'],
    )
    const before = await times({
      date: '2026-03-02',
      from: 'APW',
      to: 'PPG',
      departureTime: '10:00',
      arrivalTime: '10:35',
    })
    assert.equal(before.arrival, '2026-03-01T10:35:00-11:00', 'lands the day before it left')
    const west = await times({
      date: '2026-03-01',
      from: 'LAX',
      to: 'SYD',
      departureTime: '22:30',
      arrivalTime: '08:20',
    })
    assert.equal(west.arrival, '2026-03-03T08:20:00+11:00')
    const concorde = await times({
      date: '1999-05-05',
      from: 'LHR',
      to: 'JFK',
      departureTime: '10:30',
      arrivalTime: '09:25',
    })
    assert.equal(concorde.arrival, '1999-05-05T09:25:00-04:00')
    assert.match(concorde.warnings[0], /km\/h/)

    const dated = await times({
      from: 'CPH',
      to: 'LHR',
      departureTime: '2026-05-01T08:00',
      arrivalTime: '2026-05-01 09:05',
    })
    assert.deepEqual([dated.date, dated.arrival], ['2026-05-01', '2026-05-01T09:05:00+01:00'])
    const offset = await times({ from: 'CPH', to: 'LHR', departureTime: '2026-05-02T22:30:00Z' })
    assert.deepEqual([offset.date, offset.departure], ['2026-05-03', '2026-05-02T22:30:00Z'])

    const gap = await times({ date: '2026-03-29', from: 'CPH', to: 'LHR', departureTime: '02:30' })
    assert.equal(gap.departure, '2026-03-29T03:30:00+02:00')
    assert.match(gap.warnings[0], /skipped 02:30/)
    const twice = await times({ date: '2026-10-25', from: 'CPH', to: 'LHR', departureTime: '02:30' })
    assert.equal(twice.departure, '2026-10-25T02:30:00+02:00')
    assert.match(twice.warnings[0], /twice/)
  })

  test('log-flight warns of a likely duplicate, also for eight concurrent calls', async () => {
    const { key } = await someone()
    const body = { date: '2026-06-01', from: 'CPH', to: 'OSL', flightNumber: 'SK1460' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => log(app(), key, body)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409])
    const first = replies.find(({ status }) => status === 201)!.json.data

    const route = await log(app(), key, { date: '2026-06-01', from: 'EKCH', to: 'ENGM' })
    assert.equal(route.json.error.code, 'conflict')
    const twin = { id: first.id, date: '2026-06-01', from: 'CPH', to: 'OSL', flightNumber: 'SK1460' }
    assert.deepEqual([route.json.error.reason, route.json.error.params], ['likely_duplicate', twin])
    assert.match(route.json.error.message, /^This looks like flight \d+: 2026-06-01 CPH–OSL SK1460, which/)
    assert.deepEqual(complaints(route), [
      `allowDuplicate: duplicate_of: Flight ${first.id}: 2026-06-01 CPH–OSL SK1460`,
    ])
    assert.equal((await log(app(), key, { ...body, allowDuplicate: true })).status, 201)
    const { key: stranger } = await someone()
    assert.equal((await log(app(), stranger, body)).status, 201, 'another person’s flight is no duplicate')
  })

  test('log-flight accepts the next leg and the way back under the same number', async () => {
    const { key } = await someone()
    const body = { date: '2026-06-01', flightNumber: 'QF1' }
    assert.equal((await log(app(), key, { ...body, from: 'SYD', to: 'SIN' })).status, 201)
    assert.equal((await log(app(), key, { ...body, from: 'SIN', to: 'LHR' })).status, 201)
    assert.equal((await log(app(), key, { ...body, from: 'SIN', to: 'SYD' })).status, 201)
  })

  test('log-flight warns only above 1,300 km/h and over 24 hours', async () => {
    const { key } = await someone()
    // CPH to OSL is 517 km: 24 minutes are 1,293 km/h, 23 minutes 1,349.
    const warnings = async (departure: string, arrival: string) => {
      const body = {
        from: 'CPH',
        to: 'OSL',
        departureTime: departure,
        arrivalTime: arrival,
        allowDuplicate: true,
      }
      return (await logged(app(), key, body)).warnings
    }
    assert.deepEqual(await warnings('2026-06-01T08:00', '2026-06-01T08:24'), [])
    assert.match(
      (await warnings('2026-06-01T08:00', '2026-06-01T08:23'))[0],
      /^That would be 1,3\d\d km\/h\. Check the times\.$/,
    )
    assert.deepEqual(await warnings('2026-06-01T08:00', '2026-06-01T12:00'), [])
    assert.deepEqual(await warnings('2026-06-01T08:00', '2026-06-02T08:00'), [
      'The flight would take 24:00 hours for 518 km; check the times.',
    ])
    assert.match(
      (await warnings('2026-06-01T08:00', '2026-06-02T09:00'))[0],
      /^This flight takes 25 hours\. /,
    )
  })

  test('log-flight checks arrival and speed by the class of aircraft', async () => {
    const { key } = await someone()
    const flown = async (departure: string, arrival: string, aircraft?: string) => {
      const body = {
        date: '2000-06-01',
        from: 'LHR',
        to: 'JFK',
        departureTime: departure,
        arrivalTime: arrival,
        aircraft,
      }
      const { data, warnings } = await logged(app(), key, { ...body, allowDuplicate: true })
      return [data.arrival.slice(0, 10), warnings.length]
    }
    // Between four and ten hours: possible for Concorde only; for others it is accepted with a warning.
    assert.deepEqual(await flown('10:30', '09:20', 'CONC'), ['2000-06-01', 0])
    assert.deepEqual(await flown('10:30', '09:20'), ['2000-06-01', 1])
    assert.deepEqual(await flown('10:30', '09:20', 'B744'), ['2000-06-01', 1])
    assert.deepEqual(await flown('20:00', '20:30', 'B744'), ['2000-06-01', 0])
    assert.deepEqual(await flown('20:00', '20:30', 'DC6'), ['2000-06-02', 2], 'not in five and a half hours')
  })

  test('log-flight fills the route from the last flight of the same number', async () => {
    const { key } = await someone()
    const alone = await log(app(), key, { date: '2026-06-10', flightNumber: 'DY 930' })
    assert.match(complaints(alone)[0]!, /^from: route_unknown: .*DY 930/)
    await logged(app(), key, { date: '2025-06-10', from: 'OSL', to: 'BGO', flightNumber: 'DY930' })
    const { data, warnings } = await logged(app(), key, { date: '2026-06-10', flightNumber: 'DY0930' })
    assert.deepEqual([data.from.iata, data.to.iata, data.airline?.iata], ['OSL', 'BGO', 'DY'])
    assert.deepEqual(warnings, ['The route OSL–BGO was taken from the flight of 2025-06-10.'])
  })

  test('log-flight names missing or unclear values and stores nothing', async () => {
    const { person, key } = await someone()
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ date: '2026-06-01' }, /^from: airports_missing: Give both airports/],
      [{ date: '2026-06-01', from: 'CPH' }, /^to: airports_missing: Give both airports/],
      [{ from: 'CPH', to: 'OSL' }, /^date: date_missing: /],
      [{ from: 'CPH', to: 'OSL', departureTime: '08:00' }, /^date: date_missing: /],
      [
        { date: '2026-06-01', from: 'London', to: 'OSL' },
        /^from: ambiguous: “London” may mean .*LHR.*give the code/,
      ],
      [{ date: '2026-06-01', from: 'CPH', to: 'Qqqqq' }, /^to: no_airport_matches: No airport/],
      [
        { date: '2026-06-01', from: 'CPH', to: 'OSL', airline: 'Nosuchair' },
        /^airline: no_airline_matches: No airline/,
      ],
      [
        { date: '2026-06-01', from: 'CPH', to: 'OSL', departureTime: '25:00' },
        /^departureTime: spoken_time_form: Write the local time/,
      ],
      [
        { date: '2026-06-01', from: 'CPH', to: 'OSL', departureTime: '2026-06-02T08:00' },
        /^departureTime: departure_on_other_date: .*2026-06-02/,
      ],
      [
        { date: '2026-06-01', from: 'CPH', to: 'OSL', arrivalTime: '09:10' },
        /^arrivalTime: arrival_date_missing: Give the departure time/,
      ],
      [
        {
          date: '2026-06-01',
          from: 'CPH',
          to: 'OSL',
          departureTime: '08:00',
          arrivalTime: '2026-06-01T07:00',
        },
        /^arrivalTime: arrival_before_departure: Arrival must be after departure$/,
      ],
      [
        { date: '2026-06-01', from: 'CPH', to: 'OSL', companions: [{ name: 'Bob' }, { name: 'Bob' }] },
        /^companions.1: person_already_aboard: “Bob” is already/,
      ],
      [{ date: '2026-06-01', from: 'CPH', to: 'OSL', seat: 'wing' }, /^seat: not_an_option: .*window/],
    ]
    for (const [body, expected] of cases) {
      const reply = await log(app(), key, body)
      assert.equal(reply.status, 422, reply.text)
      assert.match(complaints(reply)[0]!, expected)
    }
    const unknown = await logged(app(), key, {
      date: '2026-06-01',
      from: 'CPH',
      to: 'OSL',
      flightNumber: 'QXW 1',
    })
    assert.equal(unknown.data.airline, null)
    assert.match(unknown.warnings[0], /QXW/)
    assert.equal((await search(app(), key, {})).data.length, 1)

    const alone = await person.key(['flight.read.own', 'flight.create.own', 'reference_data.read'])
    const along = await log(app(), alone, { date: '2026-07-01', from: 'CPH', to: 'OSL', companions: ['Bob'] })
    assert.equal(along.json.error.code, 'insufficient_scope')
    assert.match(along.headers['www-authenticate']!, /flight\.passengers\.manage\.own/)
  })

  test('unknown airports are reported together, each once', async () => {
    const { key } = await someone()
    const bad = await log(app(), key, { date: '2026-05-01', from: 'Qwrtzuiop', to: 'Asdfghjklq' })
    assertError(bad, 422, 'validation_failed')
    const paths = bad.json.error.details.map(({ path }: { path: string[] }) => path.join('.'))
    assert.deepEqual(paths, ['from', 'to'])
    const one = await log(app(), key, { date: '2026-05-01', from: 'CPH', to: 'Asdfghjklq' })
    assertError(one, 422, 'validation_failed', ['to'])
    assert.equal(one.json.error.reason, 'no_airport_matches')
  })
})

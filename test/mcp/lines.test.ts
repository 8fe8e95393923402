// Flights as assistants get them: short, with the most requested fields, and everything on request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite, type TestApp, type TestPerson } from '../harness.ts'
import { callTool } from './clients.ts'

const routes = [
  ['CPH', 'JFK', 'SK', 'Morning'],
  ['FRA', 'SIN', 'SQ', 'Evening'],
  ['LHR', 'SFO', 'BA', 'Morning'],
  ['ZRH', 'VIE', 'U2', 'Evening'],
  ['MUC', 'HAM', 'LH', 'Morning'],
  ['AMS', 'KEF', 'FI', 'Morning'],
  ['ARN', 'HEL', 'AY', 'Evening'],
  ['MAD', 'LPA', 'IB', 'Morning'],
] as const
const classes = ['economy', 'economy', 'economy+', 'business'] as const

/** A typical log: most flights with times and seat, a third with companions, a fifth with a note. */
async function realisticLog(app: TestApp, key: string, count: number): Promise<void> {
  const ids = new Map<string, number>()
  for (const code of new Set(routes.flatMap((route) => route.slice(0, 2))))
    ids.set(code, await app.airportId(code))
  const airlines = new Map<string, number>()
  for (const [, , code] of routes) {
    const { json } = await app.request('GET', `/api/v1/airlines?query=${code}`, { key })
    airlines.set(code, json.data[0].id)
  }
  const { json: me } = await app.request('GET', '/api/v1/me', { key })
  for (let i = 0; i < count; i++) {
    const [from, to, airline, when] = routes[i % routes.length]!
    const date = new Date(Date.UTC(2018, 0, 1 + i * 17)).toISOString().slice(0, 10)
    const isOld = i % 4 === 3
    const seat = isOld ? {} : { seatNumber: `${10 + (i % 30)}${'ACDF'[i % 4]}`, seatClass: classes[i % 4] }
    const companions = i % 3 === 0 ? [{ guestName: ['Grace', 'Ben Miller'][i % 2] }] : []
    const { status, text } = await app.request('POST', '/api/v1/flights', {
      key,
      body: {
        date,
        fromId: ids.get(from),
        toId: ids.get(to),
        airlineId: airlines.get(airline),
        flightNumber: `${airline}${100 + i}`,
        departure: isOld ? null : `${date}T${when === 'Morning' ? '07:40' : '18:25'}:00Z`,
        arrival: isOld ? null : `${date}T${when === 'Morning' ? '10:05' : '21:50'}:00Z`,
        note: i % 5 === 0 ? 'Upgraded at the gate, long queue at security, met Anna in the lounge' : null,
        passengers: [{ userId: me.data.id, ...seat }, ...companions],
      },
    })
    assert.equal(status, 201, text)
  }
}

const members = new Set(
  'id date from to cities number airline km time seat class with note when outcome'.split(' '),
)

/** One flight of this person, as v1 has it. */
async function create(app: TestApp, ada: TestPerson, body: object): Promise<{ id: number }> {
  const { json, status, text } = await app.request('POST', '/api/v1/flights', { key: await ada.key(), body })
  assert.equal(status, 201, text)
  return json.data
}

onSqlite('flights as lines over MCP', (app) => {
  test('a realistic flight is a readable line of at most 200 characters', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await realisticLog(app(), key, 104)
    const first = await callTool(app(), key, 'find_flights', { limit: 100 })
    const second = await callTool(app(), key, 'find_flights', {
      limit: 100,
      cursor: first.structuredContent.page.nextCursor,
    })
    const lines = [...first.structuredContent.data, ...second.structuredContent.data]
    assert.equal(lines.length, 104)
    const average = JSON.stringify(lines).length / lines.length
    assert.ok(average <= 200, `${average} characters on average`)
    for (const line of lines) {
      for (const [name, value] of Object.entries(line)) {
        assert.ok(members.has(name), name)
        assert.ok(value !== null && value !== '', name)
      }
    }
    const text = first.content[0].text.split('\n')
    assert.equal(text.filter((line: string) => line.startsWith('#')).length, 100)
    assert.ok(first.content[0].text.length <= JSON.stringify(first.structuredContent).length)
    assert.ok(text.includes(`More with cursor ${first.structuredContent.page.nextCursor}`))
  })

  test('a line has the clocks at both airports, the caller’s seat and the other passengers’ names', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const key = await ada.key()
    const { json } = await app().request('GET', '/api/v1/airlines?query=SK', { key })
    const { id } = await create(app(), ada, {
      date: '2026-02-20',
      fromId: await app().airportId('CPH'),
      toId: await app().airportId('NRT'),
      airlineId: json.data[0].id,
      flightNumber: 'SK983',
      // As programs send it: in the local time of neither airport.
      departure: '2026-02-20T14:40:00Z',
      arrival: '2026-02-21T01:55:00Z',
      note: `Seat 12A was broken. ${'Again. '.repeat(20)}`,
      passengers: [
        { userId: ada.id, seatNumber: '12A', seat: 'window', seatClass: 'economy' },
        { userId: bob.id, seatNumber: '12B', seatClass: 'business' },
        { guestName: 'Grace' },
      ],
    })
    const { structuredContent, content } = await callTool(app(), key, 'find_flights')
    const [line] = structuredContent.data
    const { km, note, ...rest } = line
    const bobsName = (await app().request('GET', '/api/v1/me', { key: await bob.key() })).json.data
      .displayName
    assert.deepEqual(rest, {
      id,
      date: '2026-02-20',
      from: 'CPH',
      to: 'NRT',
      cities: 'Copenhagen–Tokyo',
      number: 'SK983',
      airline: json.data[0].name,
      time: '15:40–10:55+1 (11:15)',
      seat: '12A window',
      class: 'economy',
      with: [bobsName, 'Grace'],
    })
    assert.ok(km > 8600 && km < 8800 && Number.isInteger(km))
    assert.match(note, /^Seat 12A was broken\. Again.*…$/)
    assert.ok(note.length <= 41)
    assert.match(
      content[0].text,
      new RegExp(
        `^#${id} 2026-02-20 CPH–NRT Copenhagen–Tokyo, SK983, .*15:40–10:55\\+1 \\(11:15\\), seat 12A window, economy, with .* and Grace, note "`,
      ),
    )
    // From the other person's view.
    const seen = await callTool(app(), await bob.key(), 'find_flights')
    assert.equal(seen.structuredContent.data[0].seat, '12B')
    assert.ok(seen.structuredContent.data[0].with.includes('Grace'))
    const owner = await (await app().person('role-administrator')).key()
    const asked = await callTool(app(), owner, 'find_flights', { scope: 'user', userId: bob.id })
    assert.equal(asked.structuredContent.data[0].class, 'business', 'the seat of the log’s owner')
  })

  test('dates keep their precision, and flights that were not flown are marked', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('ARN')]
    const plannedToId = await app().airportId('HEL')
    const route = { fromId, toId }
    await create(app(), ada, { ...route, date: '2019-01-01', datePrecision: 'year' })
    await create(app(), ada, { ...route, date: '2019-08-01', datePrecision: 'month' })
    await create(app(), ada, { ...route, date: '2020-03-02', outcome: 'cancelled' })
    await create(app(), ada, { ...route, date: '2020-03-03', outcome: 'diverted', plannedToId })
    await create(app(), ada, { ...route, date: '2020-03-04' })
    const now = new Date(app().clock.now())
    const later = `${now.getUTCFullYear() + 1}-06-01`
    await create(app(), ada, { ...route, date: later })
    const { structuredContent, content } = await callTool(app(), key, 'find_flights')
    assert.deepEqual(
      structuredContent.data.map(({ date, when, outcome, plannedTo }: Record<string, string>) =>
        [date, when, outcome, plannedTo].filter(Boolean),
      ),
      [
        [later, 'upcoming'],
        ['2020-03-04'],
        ['2020-03-03', 'diverted', 'HEL'],
        ['2020-03-02', 'cancelled'],
        ['2019-08'],
        ['2019'],
      ],
    )
    assert.match(content[0].text, new RegExp(`${later} CPH–ARN.*upcoming`))
    // Values of a line can be passed back.
    const { when, date } = structuredContent.data[0]
    const again = await callTool(app(), key, 'find_flights', { when, date })
    assert.equal(again.structuredContent.data.length, 1)
    assert.match(content[0].text, /2020-03-02 CPH–ARN.*cancelled/)
    assert.match(content[0].text, /diverted, plannedTo HEL/)
  })

  test('detail "full" returns the flight of v1 and "short" the line; a single flight is full', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('ARN')]
    const flight = await create(app(), ada, {
      date: '2026-02-20',
      fromId,
      toId,
      aircraftReg: 'OY-KAL',
      departureGate: 'C27',
      note: 'long '.repeat(40),
    })
    const v1 = (await app().request('GET', `/api/v1/flights/${flight.id}`, { key })).json.data
    const { bookingReference: _reference, price: _price, ...withoutBooking } = v1
    for (const tool of ['find_flights', 'list_flights']) {
      const full = await callTool(app(), key, tool, { detail: 'full' })
      assert.deepEqual(full.structuredContent.data, [withoutBooking], tool)
      assert.match(full.content[0].text, /registration OY-KAL, departureGate C27/)
    }
    const one = await callTool(app(), key, 'get_flight', { id: flight.id })
    assert.deepEqual(one.structuredContent.data, withoutBooking)
    assert.match(one.content[0].text, /OY-KAL.*C27.*version 1/)
    assert.match(one.content[0].text, /(long ){40}/, 'with the whole note')
    const short = await callTool(app(), key, 'get_flight', { id: flight.id, detail: 'short' })
    assert.deepEqual(
      short.structuredContent.data,
      (await callTool(app(), key, 'find_flights')).structuredContent.data[0],
    )
    const wrong = await callTool(app(), key, 'find_flights', { detail: 'long' })
    assert.match(wrong.content[0].text, /detail: Must be one of: short, full/)
    assert.match(
      (await callTool(app(), key, 'get_me', { detail: 'full' })).content[0].text,
      /Unknown argument detail/,
    )
  })

  test('booking reference and price are in the line only on request', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('ARN')]
    const price = { amount: '129.90', currency: 'EUR' }
    await create(app(), ada, { date: '2026-02-20', fromId, toId, bookingReference: 'QX7RT2', price })
    const asked = await callTool(app(), key, 'list_flights', { includeBooking: true })
    const [line] = asked.structuredContent.data
    assert.deepEqual([line.bookingReference, line.price], ['QX7RT2', price])
    assert.doesNotMatch(JSON.stringify(await callTool(app(), key, 'list_flights')), /QX7RT2|129/)
  })

  test('an airport without a city is shown by its name in one line, with a mark if a user added it', async () => {
    const ada = await app().person()
    const cookie = await (await app().person('role-administrator')).session()
    const key = await ada.key()
    const airport = async (name: string, icao: string) => {
      const body = {
        name,
        icao,
        iata: null,
        municipality: null,
        latitude: 55,
        longitude: 12,
        timezone: 'Europe/Copenhagen',
        type: 'small_airport',
        continent: 'EU',
        country: 'DK',
      }
      const headers = { origin: app().config.origin }
      const { json, status, text } = await app().request('POST', '/app/api/airports', {
        cookie,
        body,
        headers,
      })
      assert.equal(status, 201, text)
      return json.data.id as number
    }
    const fromId = await airport('Field of\nflowers', 'XXF1')
    const toId = await app().airportId('ARN')
    await create(app(), ada, { date: '2026-02-20', fromId, toId })
    const { structuredContent, content } = await callTool(app(), key, 'find_flights')
    assert.equal(structuredContent.data[0].from, 'XXF1')
    assert.equal(structuredContent.data[0].cities, 'Field of\nflowers–Stockholm')
    assert.ok(structuredContent.userText.includes('data[].cities'))
    assert.match(content[0].text, /XXF1–ARN Field of flowers–Stockholm/)
  })
})

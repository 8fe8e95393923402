// The outcome of a flight and its booking: which requests are refused, where a cancelled flight is not counted, and where a
// booking is not shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { callTool, modern } from '../mcp/clients.ts'

const CANARY = 'ZQXJ7K'
const PRICE = { amount: '1234.50', currency: 'DKK' }

async function airlineId(app: TestApp, key: string, code: string): Promise<number> {
  return (await app.request('GET', `/api/v1/airlines/by-code/${code}`, { key })).json.data.id
}

onBothEngines('outcome and booking', (app) => {
  test('impossible values of a flight are refused with their field', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId, fra] = await airportIds(app(), 'CPH', 'MUC', 'FRA')
    const post = (more: object) =>
      app().request('POST', '/api/v1/flights', { key, body: { date: '2026-03-01', fromId, toId, ...more } })
    const wrong: [object, string[]][] = [
      [{ outcome: 'late' }, ['outcome']],
      [{ outcome: 'diverted', plannedToId: 999_999_999 }, ['plannedToId']],
      [{ plannedToId: fra }, ['plannedToId']],
      [{ outcome: 'flown', plannedToId: fra }, ['plannedToId']],
      [{ outcome: null, plannedToId: fra }, ['plannedToId']],
      [{ outcome: 'cancelled', plannedToId: fra }, ['plannedToId']],
      [{ bookingReference: 'x'.repeat(21) }, ['bookingReference']],
      [{ operatingAirlineId: 999_999_999 }, ['operatingAirlineId']],
      [{ price: { amount: 12, currency: 'EUR' } }, ['price', 'amount']],
      [{ price: { amount: '12,50', currency: 'EUR' } }, ['price', 'amount']],
      [{ price: { amount: '-1', currency: 'EUR' } }, ['price', 'amount']],
      [{ price: { amount: '1e3', currency: 'EUR' } }, ['price', 'amount']],
      [{ price: { amount: '', currency: 'EUR' } }, ['price', 'amount']],
      [{ price: { amount: '12.50', currency: 'eur' } }, ['price', 'currency']],
      [{ price: { amount: '12.50', currency: 'XYZ' } }, ['price', 'currency']],
      [{ price: { amount: '12.50' } }, ['price', 'currency']],
      [{ price: '12.50 EUR' }, ['price']],
    ]
    for (const [more, path] of wrong) assertError(await post(more), 422, 'validation_failed', path)
    for (const price of [{ amount: '0', currency: 'JPY' }, { amount: '0.0001', currency: 'DEM' }, PRICE]) {
      const made = await post({ price, bookingReference: 'x'.repeat(20) })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(made.json.data.price, price)
    }
    const absent = { date: '2026-03-01', fromId, toId, outcome: 'flown', plannedToId: fra }
    assertError(
      await app().request('PUT', '/api/v1/flights/2147483646', { key, body: absent }),
      422,
      'validation_failed',
      ['plannedToId'],
    )
  })

  test('a new flight is flown as planned, and a planned destination is removed with the diversion', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId, fra] = await airportIds(app(), 'CPH', 'MUC', 'FRA')
    const flight = await logFlight(app(), ada, { date: '2026-03-01', fromId, toId })
    const { outcome, plannedTo, bookingReference, operatingAirline, operatingFlightNumber, price } = flight
    assert.equal(outcome, 'flown')
    assert.deepEqual(
      [plannedTo, bookingReference, operatingAirline, operatingFlightNumber, price],
      [null, null, null, null, null],
    )
    const put = (more: object) =>
      app().request('PUT', `/api/v1/flights/${flight.id}`, {
        key,
        body: { date: '2026-03-01', fromId, toId, ...more },
      })
    assertError(await put({ plannedToId: fra }), 422, 'validation_failed', ['plannedToId'])
    const diverted = await put({ outcome: 'diverted', plannedToId: fra })
    assert.deepEqual([diverted.json.data.outcome, diverted.json.data.plannedTo.iata], ['diverted', 'FRA'])
    assert.equal((await put({})).json.data.plannedTo.iata, 'FRA', 'kept')
    assert.equal((await put({})).json.data.version, diverted.json.data.version, 'and nothing changed')
    const flown = await put({ outcome: null })
    assert.deepEqual([flown.json.data.outcome, flown.json.data.plannedTo], ['flown', null])

    const patch = async (body: object) => {
      const reply = await app().request('PATCH', `/api/v1/flights/${flight.id}`, { key, body })
      return reply.status === 200
        ? [reply.json.data.outcome, reply.json.data.plannedTo?.iata, reply.json.data.price]
        : reply.status
    }
    assert.equal(await patch({ plannedToId: fra }), 422)
    assert.deepEqual(await patch({ outcome: 'diverted', plannedToId: fra }), ['diverted', 'FRA', null])
    assert.deepEqual(await patch({ price: PRICE }), ['diverted', 'FRA', PRICE])
    assert.deepEqual(await patch({ note: 'x' }), ['diverted', 'FRA', PRICE])
    assert.deepEqual(await patch({ outcome: 'cancelled', price: null }), ['cancelled', undefined, null])
    assert.deepEqual(await patch({ outcome: null }), ['flown', undefined, null])
  })

  test('the legacy API keeps absent values, accepts codes and clears with null', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [fromId, toId, fra] = await airportIds(app(), 'CPH', 'MUC', 'FRA')
    const operatingAirlineId = await airlineId(app(), key, 'CLH')
    const booked = {
      bookingReference: CANARY,
      operatingFlightNumber: 'CL 77',
      price: PRICE,
      operatingAirlineId,
    }
    const { id } = await logFlight(app(), ada, {
      ...{ date: '2026-03-01', fromId, toId, outcome: 'diverted', plannedToId: fra },
      ...booked,
    })
    const bare = { id, from: 'CPH', to: 'MUC', date: '2026-03-02', passengers: [{ userId: ada.id }] }
    const save = async (more: object) => {
      const reply = await app().request('POST', '/api/flight/save', { key, body: { ...bare, ...more } })
      assert.equal(reply.status, 200, reply.text)
      return (await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data
    }
    const kept = await save({})
    assert.deepEqual(
      [kept.date, kept.outcome, kept.plannedTo.iata, kept.bookingReference, kept.operatingFlightNumber],
      ['2026-03-02', 'diverted', 'FRA', CANARY, 'CL 77'],
    )
    assert.deepEqual([kept.operatingAirline.icao, kept.price], ['CLH', PRICE])
    const changed = await save({
      plannedTo: 'HAM',
      operatingAirline: 'SK',
      price: null,
      bookingReference: 'B',
    })
    assert.deepEqual(
      [changed.plannedTo.iata, changed.operatingAirline.iata, changed.price, changed.bookingReference],
      ['HAM', 'SK', null, 'B'],
    )
    const cleared = await save({ outcome: 'flown', plannedTo: null, operatingAirline: null })
    assert.deepEqual([cleared.outcome, cleared.plannedTo, cleared.operatingAirline], ['flown', null, null])
    for (const more of [{ plannedTo: 'QQQQ' }, { operatingAirline: 'QQQQQQ' }, { outcome: 'late' }]) {
      const refused = await app().request('POST', '/api/flight/save', { key, body: { ...bare, ...more } })
      assert.equal(refused.status, 400, refused.text)
    }
    const long = { operatingFlightNumber: 'x'.repeat(11) }
    const refused = await app().request('POST', '/api/flight/save', { key, body: { ...bare, ...long } })
    assert.equal(refused.status, 400, refused.text)
  })

  /** A completed flight and a cancelled one, both with a booking. */
  async function cancelledLog(who: TestPerson) {
    const [cph, osl, jfk] = await airportIds(app(), 'CPH', 'OSL', 'JFK')
    const booking = { bookingReference: CANARY, price: PRICE, operatingFlightNumber: 'WF 7012' }
    const flown = await logFlight(app(), who, { date: '2026-03-01', fromId: cph, toId: osl, ...booking })
    const cancelled = await logFlight(app(), who, {
      ...{ date: '2026-03-05', fromId: osl, toId: jfk, outcome: 'cancelled' },
      ...booking,
    })
    return { flown: flown.id as number, cancelled: cancelled.id as number }
  }

  test('a cancelled flight is in the log and counted nowhere', async () => {
    const ada = await app().person()
    const [key, cookie] = [await ada.key(), await ada.session()]
    const { flown, cancelled } = await cancelledLog(ada)
    const get = async (path: string) => (await app().request('GET', path, { key })).json
    const stats = (await get('/api/v1/stats')).data
    assert.deepEqual([stats.flights, stats.airports, stats.countries.count], [1, 2, 2])
    assert.equal((await get('/api/stats')).stats.flights, 1)
    const idsOf = (flights: { id: number }[]) => flights.map(({ id }) => id)
    assert.deepEqual(idsOf((await get('/api/flight/list')).flights), [flown])
    const been = await get('/api/v1/visited-countries/flown')
    assert.deepEqual(
      been.data.map(({ code }: { code: string }) => code),
      ['DK', 'NO'],
    )
    const share = await app().request('POST', '/api/v1/shares', {
      key,
      body: { showMap: true, showStats: true, showList: true, showDates: true, showFlightNumbers: true },
    })
    const page = (await app().request('GET', `/share/${share.json.data.slug}/data`)).text
    assert.ok(page.includes('OSL') && !page.includes('JFK'), 'in no share')
    assert.ok(!page.includes(CANARY) && !page.includes('1234.50') && !page.includes('WF 7012'))

    assert.deepEqual(idsOf((await get('/api/v1/flights')).data), [cancelled, flown])
    assert.equal((await get(`/api/flight/get/${cancelled}`)).flight.outcome, 'cancelled')
    for (const path of ['/api/v1/flights/export', '/api/flight/export']) {
      const reply = await app().request('GET', path, { key })
      assert.equal(reply.status, 200, path)
      assert.deepEqual(
        reply.json.flights.map(({ outcome }: { outcome: string }) => outcome),
        ['cancelled', 'flown'],
        path,
      )
    }
    const log = await app().request('GET', '/app/api/log', { cookie })
    const outcomes = log.json.data.flights.map(({ outcome }: { outcome?: string }) => outcome)
    assert.deepEqual(outcomes, ['cancelled', undefined])
  })

  test('a diverted flight is counted for the airport where it landed', async () => {
    const ada = await app().person()
    const [cph, osl, jfk] = await airportIds(app(), 'CPH', 'OSL', 'JFK')
    const body = { date: '2026-03-01', fromId: cph, toId: osl, outcome: 'diverted', plannedToId: jfk }
    await logFlight(app(), ada, body)
    const stats = (await app().request('GET', '/api/v1/stats', { key: await ada.key() })).json.data
    assert.deepEqual([stats.flights, stats.airports, stats.topRoute.to.iata], [1, 2, 'OSL'])
    const log = (await app().request('GET', '/app/api/log', { cookie: await ada.session() })).json.data
    assert.deepEqual([log.flights[0].plannedTo, log.airports[jfk!].iata], [jfk, 'JFK'])
  })

  test('search finds a booking reference and the operating carrier’s number', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const { flown, cancelled } = await cancelledLog(ada)
    for (const text of [CANARY.toLowerCase(), 'WF 7012']) {
      const found = await app().request('GET', `/api/v1/flights/search?text=${encodeURIComponent(text)}`, {
        key,
      })
      assert.deepEqual(
        found.json.data.map(({ id }: { id: number }) => id),
        [cancelled, flown],
      )
    }
    const bob = await (await app().person()).key()
    const other = await app().request('GET', `/api/v1/flights/search?text=${CANARY}`, { key: bob })
    assert.deepEqual(other.json.data, [])
  })

  test('an assistant gets bookings only on request', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const { flown: id } = await cancelledLog(ada)
    const hidden = async (name: string, args: object) => {
      const { isError, ...result } = await callTool(app(), key, name, args as never)
      const text = JSON.stringify(result)
      assert.equal(isError, undefined, text)
      assert.ok(!text.includes(CANARY) && !text.includes('1234.50'), name)
      assert.ok(text.includes('CPH'), name)
    }
    await hidden('get_flight', { id })
    await hidden('get_flight', { id, includeBooking: false })
    await hidden('list_flights', {})
    await hidden('list_flights', { detail: 'full' })
    await hidden('find_flights', { text: CANARY })
    await hidden('export_flights', {})
    for (const uri of [`contrail://flights/${id}`, 'contrail://flights/recent']) {
      const { text } = await modern(app(), key, 'resources/read', { uri })
      assert.ok(text.includes('outcome') && !text.includes(CANARY) && !text.includes('1234.50'), uri)
    }
    for (const [name, args] of [
      ['get_flight', { id }],
      ['list_flights', { limit: 5 }],
    ] as const) {
      const shown = await callTool(app(), key, name, { ...args, includeBooking: true })
      assert.ok(shown.content[0].text.includes(CANARY) && shown.content[0].text.includes('1234.50'), name)
      const wrong = await callTool(app(), key, name, { ...args, includeBooking: 'yes' })
      assert.ok(wrong.isError && wrong.content[0].text.includes('includeBooking'))
    }
    const elsewhere = await callTool(app(), key, 'find_flights', { text: 'x', includeBooking: true })
    assert.ok(elsewhere.isError)
    const read = await callTool(app(), key, 'get_flight', { id })
    const { date, from, to } = read.structuredContent.data
    await callTool(app(), key, 'update_flight', { id, date, fromId: from.id, toId: to.id, note: 'late' })
    const stored = (await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data
    assert.deepEqual([stored.note, stored.bookingReference, stored.price], ['late', CANARY, PRICE])
  })
})

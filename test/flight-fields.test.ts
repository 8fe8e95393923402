// Every field of the table (server/domain/flights/fields.ts) is in everything derived from it. Values are made by kind, so
// a field added later is tested without a change here.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  flightFieldNames,
  flightFields,
  inOrder,
  keptFields,
  nothingKnown,
  type PlainField,
  passengerFieldNames,
  plainFields,
  referenceFields,
  shownReferences,
  timeFields,
} from '../server/domain/flights/fields.ts'
import {
  Flight,
  flightInputShape,
  Passenger,
  passengerInputShape,
} from '../server/operations/wire/schemas.ts'
import { columnOf, fromColumns, selectionOf, toColumns } from '../server/store/engine/columns.ts'
import { onBothEngines, type TestPerson } from './harness.ts'

test('schemas have every field, in the order of the table', () => {
  assert.deepEqual(Object.keys(flightInputShape).slice(0, flightFieldNames.length), flightFieldNames)
  const shown = [...plainFields, ...shownReferences.map((name) => flightFields[name].shownAs)]
  assert.deepEqual(Object.keys(Flight.shape).slice(1, shown.length + 1), shown)
  assert.deepEqual(Object.keys(passengerInputShape).slice(1, -1), passengerFieldNames)
  assert.deepEqual(Object.keys(Passenger.shape).slice(2, -1), passengerFieldNames.slice(1))
  assert.deepEqual(Object.keys(nothingKnown), flightFieldNames.slice(1))
})

test('a custom order has every name once, unlisted ones last', () => {
  assert.deepEqual(inOrder(['a', 'b', 'c', 'd'], ['c', 'a']), ['c', 'a', 'b', 'd'])
})

test('columns are named after fields', () => {
  assert.equal(columnOf('arrivalGate'), 'arrival_gate')
  assert.deepEqual(selectionOf('flight', ['note', 'fromId']), ['flight.note', 'flight.fromId'])
  assert.deepEqual(toColumns({ aircraftReg: 'OY-KBO', note: null }, ['aircraftReg', 'note']), {
    aircraft_reg: 'OY-KBO',
    note: null,
  })
  const row = { aircraft_reg: 'OY-KBO' }
  const fields = fromColumns<{ aircraftReg: string; note: string | null; state: string }>(
    row,
    ['aircraftReg', 'note', 'state'],
    { state: 'usual' },
  )
  assert.deepEqual(fields, { aircraftReg: 'OY-KBO', note: null, state: 'usual' })
})

onBothEngines('flight fields', (app) => {
  let ada: TestPerson
  let key: string
  /** Records by kind, to which each flight may refer; two airports. */
  let ids: Record<'airports' | 'airlines' | 'aircraft', number[]>

  before(async () => {
    ada = await app().person()
    key = await ada.key(undefined, 'objects')
    const found = async (kind: string, query: string): Promise<number> =>
      (await app().request('GET', `/api/v1/${kind}?query=${query}`, { key })).json.data[0].id
    ids = {
      airports: [await app().airportId('CPH'), await app().airportId('OSL')],
      airlines: [await found('airlines', 'SAS')],
      aircraft: [await found('aircraft', 'A320')],
    }
  })

  /** A value other than the default. */
  function sampleOf(name: PlainField, i: number): unknown {
    const field = flightFields[name]
    if (field.kind === 'date') return '2026-05-01'
    if (field.kind === 'time')
      return field.end === 'from' ? '2026-05-01T10:15:00+02:00' : '2026-05-01T12:45:30Z'
    if (field.kind === 'seconds') return 9000
    if (field.kind === 'text') return `text ${i}`
    if (field.kind === 'price') return { amount: '129.90', currency: 'EUR' }
    // With another precision than the day, a flight has no times.
    return name === 'datePrecision' ? 'day' : field.choices.at(-1)!
  }

  const plainValues = () => Object.fromEntries(plainFields.map((name, i) => [name, sampleOf(name, i)]))
  const referenceValues = () =>
    Object.fromEntries(
      referenceFields.map((name, i) => {
        const choice = ids[flightFields[name].to]
        return [name, choice[i % choice.length]!]
      }),
    )

  async function fullFlight() {
    const seat = { seat: 'window', seatNumber: '12A', seatClass: 'first', flightReason: 'crew' }
    const body = { ...plainValues(), ...referenceValues(), passengers: [{ userId: ada.id, ...seat }] }
    const { status, text, json } = await app().request('POST', '/api/v1/flights', { key, body })
    assert.equal(status, 201, text)
    return { id: json.data.id as number, body, seat }
  }

  /** Every field in a response of v1. */
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
  function assertWhole(shown: any): void {
    for (const [name, value] of Object.entries(plainValues())) assert.deepEqual(shown[name], value, name)
    for (const [name, id] of Object.entries(referenceValues())) {
      const { shownAs } = flightFields[name as keyof typeof flightFields] as { shownAs: string }
      assert.equal(shown[shownAs].id, id, shownAs)
    }
  }

  test('flight fields are stored, returned, listed, exported and restored from the bin', async () => {
    const { id } = await fullFlight()
    const get = async (path: string) => (await app().request('GET', path, { key })).json
    assertWhole((await get(`/api/v1/flights/${id}`)).data)
    // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
    const listed = (data: any[]) => data.find((flight) => flight.id === id)
    assertWhole(listed((await get('/api/v1/flights')).data))
    const [exported] = (await get('/api/v1/flights/export')).flights
    for (const [name, value] of Object.entries({ ...plainValues(), ...referenceValues() }))
      assert.deepEqual(exported[name], value, name)
    for (const name of referenceFields) assert.ok(exported[flightFields[name].shownAs].name, name)
    assert.equal((await app().request('DELETE', `/api/v1/flights/${id}`, { key })).status, 204)
    assertWhole(listed((await get('/api/v1/flights/deleted')).data))
    assert.equal((await app().request('POST', `/api/v1/flights/${id}/restore`, { key })).status, 200)
    assertWhole((await get(`/api/v1/flights/${id}`)).data)
  })

  const isKept = (name: string) => keptFields.some((kept) => kept === name)

  test('PUT clears absent fields, and keeps those unknown to older programs', async () => {
    const { id, body } = await fullFlight()
    const { fromId, toId } = referenceValues()
    const bare = { date: '2026-05-02', fromId, toId }
    const put = (more: object) =>
      app().request('PUT', `/api/v1/flights/${id}`, { key, body: { ...bare, ...more } })
    const { json: kept } = await put({})
    const cleared = { ...nothingKnown, date: '2026-05-02' }
    for (const name of plainFields)
      assert.deepEqual(kept.data[name], isKept(name) ? body[name as never] : cleared[name], name)
    assert.deepEqual([kept.data.airline, kept.data.aircraft], [null, null])
    assert.equal(kept.data.plannedTo.id, body['plannedToId' as never])
    assert.equal(kept.data.operatingAirline.id, body['operatingAirlineId' as never])

    const { json } = await put(Object.fromEntries(keptFields.map((name) => [name, null])))
    for (const name of plainFields) assert.deepEqual(json.data[name], cleared[name], name)
    assert.deepEqual([json.data.plannedTo, json.data.operatingAirline], [null, null])
  })

  test('flight fields are in the legacy format, and a flight sent back is unchanged', async () => {
    const { id } = await fullFlight()
    const { json } = await app().request('GET', `/api/flight/get/${id}`, { key })
    for (const [name, value] of Object.entries(plainValues())) {
      if (timeFields.some((time) => time === name))
        assert.equal(Date.parse(json.flight[name]), Date.parse(value as string), name)
      else assert.deepEqual(json.flight[name], value, name)
    }
    for (const [name, value] of Object.entries(referenceValues()))
      assert.equal(json.flight[name], value, name)
    const saved = await app().request('POST', '/api/flight/save', { key, body: json.flight })
    assert.equal(saved.status, 200, saved.text)
    assertWhole((await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data)
  })

  test('fields of passengers are returned everywhere', async () => {
    const { id, seat } = await fullFlight()
    const [{ passengers }, legacy, exported] = [
      (await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data,
      (await app().request('GET', `/api/flight/get/${id}`, { key })).json.flight,
      (await app().request('GET', '/api/v1/flights/export', { key })).json.flights[0],
    ]
    for (const name of passengerFieldNames) {
      const value = name === 'userId' ? ada.id : name === 'guestName' ? null : seat[name]
      assert.equal(name === 'userId' ? passengers[0].user.id : passengers[0][name], value, name)
      assert.equal(legacy.passengers[0][name], value, name)
      assert.equal(exported.passengers[0][name], value, name)
    }
  })
})

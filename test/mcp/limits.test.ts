// The cost of one request: few calls per batch, a bounded response, other clients served in between, a short tool list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOnlyScopes } from '../../server/domain/access/access.ts'
import { onSqlite, type TestApp, type TestPerson } from '../harness.ts'
import { accept, callTool, modern } from './clients.ts'

const call = (id: number, name: string, args: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

const post = (app: TestApp, key: string, body: unknown) =>
  app.request('POST', '/api/mcp', { key, headers: { accept }, body })

/** A log with that many flights, each with a note of that many bytes, and more. */
async function longLog(
  app: TestApp,
  person: TestPerson,
  flights: number,
  noteBytes: number,
  more: object = {},
): Promise<void> {
  const key = await person.key()
  const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('ARN')]
  const note = '€'.repeat(noteBytes / 3)
  for (let day = 0; day < flights; day++) {
    const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10)
    const { status } = await app.request('POST', '/api/v1/flights', {
      key,
      body: { date, fromId, toId, note, ...more },
    })
    assert.equal(status, 201)
  }
}

onSqlite('mcp limits', (app) => {
  test('a batch has at most ten messages; a longer one is refused as a whole with the reason', async () => {
    const key = await (await app().person()).key()
    const ten = await post(
      app(),
      key,
      Array.from({ length: 10 }, (_, id) => call(id, 'get_me')),
    )
    assert.equal(ten.status, 200)
    assert.deepEqual(
      ten.json.map(({ id, result }: { id: number; result: { isError?: boolean } }) => [id, result.isError]),
      Array.from({ length: 10 }, (_, id) => [id, undefined]),
    )
    const date = '2026-03-01'
    const eleven = Array.from({ length: 11 }, (_, id) =>
      call(id, 'log_flight', { date, from: 'CPH', to: 'LHR', allowDuplicate: true }),
    )
    const refused = await post(app(), key, eleven)
    assert.deepEqual([refused.status, refused.json.error.code, refused.json.id], [400, -32600, null])
    assert.match(refused.json.error.message, /at most 10 messages.*11/)
    const { structuredContent } = await callTool(app(), key, 'list_flights')
    assert.deepEqual(structuredContent.data, [], 'nothing of it was run')
  })

  test('a response has at most 4 MB; results beyond that become an error with advice', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await longLog(app(), ada, 100, 30_000)
    const whole = await callTool(app(), key, 'list_flights', { limit: 100, detail: 'full' })
    assert.equal(whole.isError, undefined, '100 × 30 kB')
    assert.ok(whole.content[0].text.length < 25_000, 'the text content is small')

    const batch = [
      call(1, 'list_flights', { limit: 70, detail: 'full' }),
      call(2, 'list_flights', { limit: 70, detail: 'full' }),
      call(3, 'list_flights', { limit: 30, detail: 'full' }),
      call(4, 'get_me'),
      { jsonrpc: '2.0', id: 5, method: 'resources/read', params: { uri: 'contrail://flights/recent' } },
    ]
    const reply = await post(app(), key, batch)
    assert.ok(reply.text.length < 4 * 1024 * 1024, String(reply.text.length))
    const [first, second, third, me, recent] = reply.json
    assert.equal(first.result.isError, undefined)
    assert.equal(second.result.isError, true)
    assert.match(second.result.content[0].text, /4 MB.*smaller limit.*narrower filter/)
    assert.equal(third.result.isError, undefined, 'results that fit are returned')
    assert.equal(me.result.isError, undefined)
    assert.ok(recent.result)
  })

  test('a single result above the limit is refused, in a tool and in a prompt', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const long = '€'.repeat(500)
    await longLog(app(), ada, 100, 30_000, {
      ...{ departureTerminal: long, departureGate: long, arrivalTerminal: long, arrivalGate: long },
      ...{ flightNumber: long, aircraftReg: long, operatingFlightNumber: long },
    })
    const refused = await callTool(app(), key, 'list_flights', { limit: 100, detail: 'full' })
    assert.equal(refused.isError, true)
    assert.match(refused.content[0].text, /4 MB/)
    const half = await callTool(app(), key, 'list_flights', { limit: 50, detail: 'full' })
    assert.equal(half.isError, undefined)
    assert.equal((await callTool(app(), key, 'list_flights', { limit: 100 })).isError, undefined, 'as lines')

    const text = 'x'.repeat(4_100_000)
    const prompt = await modern(app(), key, 'prompts/get', {
      name: 'log_boarding_pass',
      arguments: { text },
    })
    assert.match(prompt.json.error.message, /4 MB/)
  })

  test('a write is not run if its result would not fit', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await longLog(app(), ada, 100, 3_000)
    const { result } = (await post(app(), key, call(1, 'list_flights', { limit: 100, detail: 'full' }))).json
    const perFlight = Buffer.byteLength(JSON.stringify(result)) / 100
    // Leaves about 55 kB of the 4 MB.
    const flights = Math.floor((4_000_000 - 50_000) / perFlight)
    const reads = Array.from({ length: Math.ceil(flights / 100) }, (_, i) =>
      call(i, 'list_flights', { limit: Math.min(100, flights - 100 * i), detail: 'full' }),
    )
    assert.ok(perFlight < 14_000 && reads.length < 10, `${perFlight} bytes per flight`)
    const flight = { date: '2026-03-01', from: 'CPH', to: 'LHR' }
    const { json } = await post(app(), key, [...reads, call(99, 'log_flight', flight)])
    const refused = json.pop().result
    for (const read of json) assert.equal(read.result.isError, undefined)
    assert.equal(refused.isError, true)
    assert.match(refused.content[0].text, /^Not run: /)
    const found = await callTool(app(), key, 'find_flights', { to: 'LHR' })
    assert.deepEqual(found.structuredContent.data, [])
  })

  test('a completed write is reported as done if its result does not fit', async () => {
    const key = await (await app().person()).key()
    const flight = { date: '2026-03-01', from: 'CPH', to: 'LHR' }
    const { id } = (await callTool(app(), key, 'log_flight', flight)).structuredContent.data
    const coordinates = Array.from({ length: 90_000 }, (_, i) => [12 + i / 7e5, 55 - i / 7e5])
    const times = coordinates.map((_, i) => 1_700_000_000 + i)
    const track = { coordinates, times, sourceFormat: 'gpx' }
    const stored = await callTool(app(), key, 'set_flight_track', { id, ...track })
    assert.equal(stored.isError, true)
    assert.match(stored.content[0].text, /succeeded.*Do not repeat/)
    const kept = await app().request('GET', `/api/v1/flights/${id}/track`, { key })
    assert.equal(kept.json.data.pointCount, 90_000)
  })

  test('other callers are served between the calls of a batch', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await longLog(app(), ada, 100, 200)
    let isRunning = true
    const batch = post(
      app(),
      key,
      Array.from({ length: 10 }, (_, id) => call(id, 'list_flights', { limit: 100 })),
    ).finally(() => {
      isRunning = false
    })
    let served = 0
    while (isRunning) {
      assert.equal((await app().request('GET', '/healthz')).status, 200)
      served++
    }
    assert.equal((await batch).json.length, 10)
    // Each takes a few rounds of the event loop, because the client is in this process too. Without pauses it is one.
    assert.ok(served >= 4, `only ${served} requests were served meanwhile`)
  })

  test('the list of tools stays under 42,000 characters with every scope and 25,000 for reading', async () => {
    const owner = await app().person('owner')
    for (const [key, most] of [
      [await owner.key(), 42_000],
      [await owner.key(readOnlyScopes), 25_000],
    ] as const) {
      const { text } = await modern(app(), key, 'tools/list')
      assert.ok(text.length <= most, `${text.length} characters`)
    }
  })
})

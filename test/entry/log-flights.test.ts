// Many flights in people's words in one request: valid ones are stored, the others get a reason.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError } from '../fixtures.ts'
import { onBothEngines, testOnSqlite } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

interface Item {
  index: number
  status: string
  reason?: string
  flight?: { id?: number; from: { iata: string }; to: { iata: string }; date: string }
  warnings: { code: string }[]
  changeId?: number | null
}

onBothEngines('log-flights', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  before(() => app().clock.set('2026-11-16T12:00:00Z'))
  const fresh = async () => (await app().person('role-user')).key()
  const send = (key: string, body: unknown, headers: Record<string, string> = {}) =>
    app().request('POST', '/api/v1/flights/log/bulk', { key, body, headers })
  const sent = async (key: string, body: unknown) => {
    const reply = await send(key, body)
    assert.equal(reply.status, 200, reply.text)
    return reply.json as { data: Item[]; summary: Record<string, number> }
  }
  const listed = async (key: string): Promise<{ id: number }[]> =>
    (await app().request('GET', '/api/v1/flights?limit=100', { key })).json.data

  const mixed = [
    { from: 'CPH', to: 'ARN', date: '2026-03-02', departureTime: '7:40', flightNumber: 'SK1419' },
    { text: 'arn cph 3.3.2026' },
    { from: 'London', to: 'CPH', date: '2026-03-04' },
    { from: 'CPH', to: 'Qqqqq', date: '4. Mai' },
    { text: 'SK1419 cph arn 2.3.2026 7:40' },
    { from: 'CPH', to: 'OSL', date: '2026-03-05', colour: 'red' },
    { text: 'SK1419 3.3.2026' },
  ]
  const outcomes = ({ data }: { data: Item[] }) => data.map(({ status }) => status)

  test('an item that is not a flight or a text is refused alone', async () => {
    const key = await fresh()
    const good = { from: 'CPH', to: 'ARN', date: '2026-01-07' }
    const flights = [
      good,
      'CPH ARN 2026-01-08',
      7,
      null,
      { ...good, date: '2026-01-09', note: 'a\u0000b' },
      { text: 'CPH OSL 2026-01-10 \ud800' },
      { ...good, 'date\u0000': '2026-01-11' },
      { text: 'CPH OSL 2026-01-12' },
    ]
    const expected = ['stored', 'stored', 'invalid', 'invalid', 'invalid', 'invalid', 'invalid', 'stored']
    const { data } = await sent(key, { flights })
    assert.deepEqual(outcomes({ data }), expected)
    assert.deepEqual(
      data.flatMap(({ reason }) => reason ?? []),
      [
        'Must be an object.',
        'This field is required.',
        'note: Contains characters that are not text.',
        'text: Contains characters that are not text.',
        'Contains characters that are not text.',
      ],
    )
    const tool = await callTool(app(), await fresh(), 'log_flights', { flights })
    assert.deepEqual(outcomes(tool.structuredContent), expected)
    // A fault outside a single flight still refuses the request.
    assertError(await send(key, { flights: [good], dryRun: 'a\u0000' }), 422, 'validation_failed')
  })

  test('a duplicate is reported with all other faults, and companions are counted as sent', async () => {
    const key = await fresh()
    const flight = { from: 'CPH', to: 'ARN', date: '2026-01-07' }
    await sent(key, { flights: [flight] })
    const wrong = {
      ...flight,
      companions: [{ name: 'Zed' }, { userId: 'nobody' }],
      customFields: { seen: 1 },
    }
    const [item] = (await sent(key, { flights: [wrong] })).data
    assert.equal(item!.status, 'invalid')
    assert.match(
      item!.reason!,
      /^companions\.1\.userId: There is no such user\. customFields\.seen: There is no custom field “seen”/,
    )
    const planned = { ...flight, date: '2026-02-07', plannedTo: 'OSL' }
    assert.equal(
      (await sent(key, { flights: [planned] })).data[0]!.reason,
      'plannedTo: Only a diverted flight has a planned destination.',
    )
  })

  test('valid items are stored, the others have their reason', async () => {
    const key = await fresh()
    const { data, summary } = await sent(key, { flights: mixed })
    assert.deepEqual(outcomes({ data }), [
      'stored',
      'stored',
      'ambiguous',
      'invalid',
      'duplicate',
      'invalid',
      'stored',
    ])
    assert.deepEqual(summary, { stored: 3, wouldStore: 0, duplicate: 1, ambiguous: 1, invalid: 2 })
    assert.deepEqual(
      data.map(({ index }) => index),
      [0, 1, 2, 3, 4, 5, 6],
    )
    assert.match(data[2]!.reason!, /^from: “London” may mean .*LHR.*\.$/)
    assert.match(data[3]!.reason!, /date: Write YYYY-MM-DD.* to: No airport matches “Qqqqq”\./)
    assert.equal(data[4]!.reason, 'The same as flight 0 of this list.')
    assert.match(data[5]!.reason!, /^colour: There is no field “colour”/)
    const route = [data[6]!.flight!.from.iata, data[6]!.flight!.to.iata]
    assert.deepEqual(route, ['CPH', 'ARN'], 'of an earlier flight of the list')
    assert.deepEqual(
      data[6]!.warnings.map(({ code }) => code),
      ['route_from_log', 'near_day'],
    )
    const stored = data.flatMap(({ flight }) => flight?.id ?? [])
    const rows = await listed(key)
    assert.deepEqual(rows.map(({ id }) => id).sort(), stored.toSorted())
    const again = await sent(key, { flights: [mixed[0], { ...mixed[4], allowDuplicate: true }] })
    assert.deepEqual(outcomes(again), ['duplicate', 'stored'])
    assert.match(
      again.data[0]!.reason!,
      new RegExp(`This looks like flight ${stored[0]}: 2026-03-02 CPH–ARN SK1419`),
    )
  })

  test('a dry run returns the same and stores nothing', async () => {
    const key = await fresh()
    const { data, summary } = await sent(key, { flights: mixed, dryRun: true })
    assert.deepEqual(outcomes({ data }), [
      'would_store',
      'would_store',
      'ambiguous',
      'invalid',
      'duplicate',
      'invalid',
      'would_store',
    ])
    assert.deepEqual(summary, { stored: 0, wouldStore: 3, duplicate: 1, ambiguous: 1, invalid: 2 })
    assert.deepEqual([data[0]!.flight!.id, 'changeId' in data[0]!], [undefined, false])
    assert.deepEqual(await listed(key), [])
  })

  test('a request with an idempotency key runs once, also when sent eight times concurrently', async () => {
    const key = await fresh()
    const headers = { 'idempotency-key': 'list-1' }
    const first = await send(key, { flights: mixed }, headers)
    const second = await send(key, { flights: mixed }, headers)
    assert.deepEqual(second.json, first.json)
    assert.equal((await listed(key)).length, 3)
    const other = await fresh()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => sent(other, { flights: mixed.slice(0, 2) })),
    )
    assert.equal(
      replies.reduce((sum, { summary }) => sum + summary['stored']!, 0),
      2,
    )
    assert.equal((await listed(other)).length, 2)
  })

  test('bodies that are not a list of flights, or have more than a hundred, are refused', async () => {
    const key = await fresh()
    const flight = { from: 'CPH', to: 'OSL', date: '2026-03-05' }
    for (const [body, path] of [
      [{}, ['flights']],
      [{ flights: [] }, ['flights']],
      [{ flights: 'cph osl' }, ['flights']],
      [{ flights: Array(101).fill(flight) }, ['flights']],
      [{ flights: [flight], dryrun: true }, ['dryrun']],
    ] as const)
      assertError(await send(key, body), 422, 'validation_failed', [...path])
    assert.deepEqual(await listed(key), [])
    const reader = await (await app().person()).key(['flight.read.own', 'reference_data.read'])
    assertError(await send(reader, { flights: [flight] }), 403, 'insufficient_scope')
  })

  test('an item beyond the credential’s rights is refused alone', async () => {
    const key = await (await app().person()).key([
      'flight.read.own',
      'flight.create.own',
      'reference_data.read',
    ])
    const flights = [
      { from: 'CPH', to: 'OSL', date: '2026-03-05', companions: [{ name: 'Tom' }] },
      { from: 'CPH', to: 'OSL', date: '2026-03-07' },
    ]
    const { data } = await sent(key, { flights })
    assert.deepEqual(outcomes({ data }), ['invalid', 'stored'])
    assert.match(data[0]!.reason!, /flight\.passengers\.manage\.own/)
  })

  sqliteTest('another person’s change is not delayed while long texts are read', async () => {
    const [slow, other] = [await fresh(), await fresh()]
    const [first] = (await sent(other, { flights: [{ from: 'CPH', to: 'OSL', date: '2019-01-02' }] })).data
    const words = 'Kopenhagn nach Stockholn mit Lufthnsa gestrn abnds Fensterplaz '.repeat(7)
    const flights = Array.from({ length: 100 }, (_, i) => ({ text: `${words} ${i}` }))
    const done: string[] = []
    const list = sent(slow, { flights, dryRun: true }).then(() => done.push('list'))
    const body = { id: first!.flight!.id, note: 'now' }
    const edit = app().request('POST', '/api/v1/flights/edit', { key: other, body })
    const edited = edit.then(({ status }) => done.push(`edit ${status}`))
    await Promise.all([list, edited])
    assert.deepEqual(done, ['edit 200', 'list'])
  })

  test('twelve messy lines in two languages are logged in two calls', async () => {
    const key = await fresh()
    const lines = [
      'SK909 Copenhagen - Newark 20 Feb 2026, 12:30, window',
      'am 3.3.2026 von München nach Kopenhagen LH2438 07:15',
      'FRA-JFK 14.08.2019 LH400 Business',
      'Wien nach Athen Mai 2018',
      'from Oslo to London on 2025-06-01, BA767',
      'BA762 LHR OSL 2025-06-05 18:20-21:35',
      'Nizza - Zürich, 12. Juli 2024, LX567',
      'ZRH CPH 2024-07-20 LX1268 gang',
      'AKL to HNL 2023-03-01 23:55-10:20',
      'HNL AKL 9 March 2023',
      'Berlin–Palma 2012-07-01 AB7492',
      'LH400 FRA JFK 14.8.2019',
    ]
    const tool = async (args: Record<string, unknown>) => {
      const result = await callTool(app(), key, 'log_flights', args)
      assert.equal(result.isError ?? false, false, JSON.stringify(result.content))
      return result
    }
    const first = await tool({ flights: lines.map((text) => ({ text })) })
    const { data } = first.structuredContent as { data: Item[] }
    const left = data.filter(({ status }) => status !== 'stored')
    assert.ok(left.length <= 4, JSON.stringify(left))
    assert.ok(left.every(({ reason, status }) => status === 'duplicate' || reason))
    // The person's answers to the questions.
    const answers: Record<number, object> = {
      1: { text: lines[1], from: 'MUC', to: 'CPH' },
      4: { text: lines[4], from: 'OSL', to: 'LHR' },
      9: { from: 'HNL', to: 'AKL', date: '2023-03-09' },
      10: { text: lines[10], from: 'TXL', to: 'PMI' },
    }
    const open = left.filter(({ status }) => status !== 'duplicate').map(({ index }) => answers[index])
    const second = await tool({ flights: open })
    assert.deepEqual(
      new Set((second.structuredContent as { data: Item[] }).data.map(({ status }) => status)),
      new Set(['stored']),
    )
    assert.equal((await listed(key)).length, 11, 'the last line was the third again')
    const characters = [first, second].map((result) => JSON.stringify(result).length)
    // Structured content and text together; a host passes on only the first.
    assert.ok(characters[0]! < 6000 && characters[1]! < 3000, `${characters}`)
    assert.ok(JSON.stringify(first.structuredContent).length < 4000)
  })

  test('each stored flight has the id of its change, for undo', async () => {
    const key = await fresh()
    const { data } = await sent(key, { flights: mixed.slice(0, 3) })
    const changes = data.flatMap(({ changeId }) => changeId ?? [])
    assert.equal(changes.length, 2)
    const undone = await app().request('POST', '/api/v1/history/undo', {
      key,
      body: { changeId: changes[0] },
    })
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual(
      (await listed(key)).map(({ id }) => id),
      [data[1]!.flight!.id],
    )
  })
})

// Errors for programs: the name and parameters of each kind of wrong input, through every API. The harness checks that
// every error of every suite has a reason of the catalogue and its message.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import * as z from 'zod'
import { because, check, problemOf } from '../server/base/request/validation.ts'
import { messageOf, type Problem, problem } from '../server/domain/reasons.ts'
import { onSqlite, type Reply, type TestPerson } from './harness.ts'
import { callTool } from './mcp/clients.ts'

interface Detail {
  code: string
  path: string[]
  reason: string
  message: string
  params?: unknown
}
type Responses = Record<string, { content?: Record<string, { example?: { error?: Detail } }> }>

/** `path: reason params` of each detail. */
const faults = ({ json }: Reply): string[] =>
  json.error.details.map(
    ({ path, reason, params }: Detail) =>
      `${path.join('.')}: ${reason}${params === undefined ? '' : ` ${JSON.stringify(params)}`}`,
  )

onSqlite('errors', (app) => {
  let ada: TestPerson
  let key: string
  let flight: Record<string, unknown>

  before(async () => {
    ada = await app().person()
    key = await ada.key()
    flight = { date: '2026-05-01', fromId: await app().airportId('CPH'), toId: await app().airportId('OSL') }
  })
  const post = (body: unknown) => app().request('POST', '/api/v1/flights', { key, body })

  test('each error of a body has a reason and the parameters of the rule', async () => {
    const { fromId: _, ...incomplete } = flight
    const cases: [unknown, ...string[]][] = [
      [incomplete, 'fromId: required'],
      [{ ...flight, fromId: null }, 'fromId: required'],
      [{ ...flight, date: '1 May' }, 'date: not_a_date'],
      [{ ...flight, date: '2026-02-30' }, 'date: no_such_day'],
      [{ ...flight, date: 20260501 }, 'date: not_a_text'],
      [
        { ...flight, datePrecision: 'week' },
        'datePrecision: not_an_option {"options":["day","month","year"]}',
      ],
      [{ ...flight, departure: '10:00' }, 'departure: not_a_date_time'],
      [{ ...flight, duration: 1.5 }, 'duration: not_an_integer'],
      [{ ...flight, duration: -1 }, 'duration: too_small {"min":0}'],
      [{ ...flight, fromId: 0 }, 'fromId: too_small {"min":1}'],
      [{ ...flight, flightNumber: 'x'.repeat(501) }, 'flightNumber: too_long {"max":500}'],
      [{ ...flight, passengers: [] }, 'passengers: too_few {"min":1}'],
      [{ ...flight, passengers: 'Ada' }, 'passengers: not_a_list'],
      [
        { ...flight, passengers: [{ guestName: '' }] },
        'passengers.0.guestName: required',
        'passengers.0: passenger_user_or_guest',
      ],
      [{ ...flight, note: 'a\u0000b' }, 'note: not_storable'],
      [
        { ...flight, departureScheduled: '2026-05-01T10:00:00Z', arrivalScheduled: '2026-05-01T09:00:00Z' },
        'arrivalScheduled: arrival_before_departure {"field":"arrivalScheduled","earlier":"departureScheduled"}',
      ],
      [
        { ...flight, takeoffActual: '2026-05-01T10:00:00Z', landingActual: '2026-05-01T09:00:00Z' },
        'landingActual: landing_before_takeoff {"field":"landingActual","earlier":"takeoffActual"}',
      ],
    ]
    for (const [body, ...expected] of cases) {
      const reply = await post(body)
      assert.deepEqual([reply.status, faults(reply)], [422, expected], reply.text)
      assert.equal(reply.json.error.reason, 'validation_failed')
    }
  })

  test('too many entries are reported with their limit, before the entries are checked', async () => {
    const reply = await post({ ...flight, passengers: Array(1001).fill({ userId: 1 }) })
    assert.deepEqual(faults(reply), ['passengers: too_many {"max":1000}'])
  })

  test('an unknown field is named together with the known ones', async () => {
    const body = { from: 'CPH', to: 'OSL', date: '2026-05-01', departureTimes: '10:00' }
    const { json } = await app().request('POST', '/api/v1/flights/log', { key, body })
    const [{ code, reason, params, message }] = json.error.details
    assert.deepEqual([code, reason, params.field], ['unrecognized_keys', 'unknown_field', 'departureTimes'])
    assert.ok(params.known.includes('departureTime') && params.known.includes('allowDuplicate'))
    assert.match(message, /Did you mean departureTime\?/)
  })

  test('an error in a query names the parameter', async () => {
    const error = async (path: string) => (await app().request('GET', `/api/v1${path}`, { key })).json.error
    const unknown = await error('/flights/deleted?page=2')
    assert.deepEqual([unknown.reason, unknown.params.names], ['unknown_parameter', ['page']])
    const date = await error('/flights/search?dateFrom=yesterday')
    assert.deepEqual(date, {
      code: 'bad_request',
      reason: 'invalid_parameter',
      message: 'dateFrom: must be a date in the form YYYY-MM-DD',
      params: { parameter: 'dateFrom', problem: { reason: 'not_a_date' } },
    })
    assert.equal((await error('/flights?scope=x')).reason, 'invalid_scope')
    assert.equal((await error('/flights/999999')).reason, 'flight_not_found')
    assert.equal((await error('/nowhere')).reason, 'not_found')
    const poor = await ada.key(['profile.read'])
    const scope = await app().request('GET', '/api/v1/flights', { key: poor })
    assert.deepEqual(
      [scope.json.error.reason, scope.json.error.params],
      ['insufficient_scope', { scope: 'flight.read.own' }],
    )
  })

  test('the legacy API keeps its format: no reason, no parameters', async () => {
    const save = (body: unknown) => app().request('POST', '/api/flight/save', { key, body })
    const seats = [{ userId: ada.id }]
    const good = { from: 'EKCH', to: 'ENGM', departure: '2026-05-01', seats }
    for (const body of [
      { ...good, note: 5 },
      { ...good, passengers: Array(1001).fill({}) },
      { ...good, flightNumber: 'x'.repeat(11) },
      { ...good, seats: [{ userId: 'nobody' }] },
    ]) {
      const reply = await save(body)
      assert.deepEqual(Object.keys(reply.json).sort(), ['errors', 'message', 'success'], reply.text)
      for (const issue of reply.json.errors) {
        assert.deepEqual(Object.keys(issue).sort(), ['code', 'message', 'path'], reply.text)
      }
    }
    const wrong = await save({ ...good, from: 'QQQQ' })
    assert.deepEqual(wrong.json, { success: false, message: 'Invalid departure airport' })
  })

  test('a tool’s error carries reason and parameters too', async () => {
    const refused = await callTool(app(), key, 'create_flight', { ...flight, flightNumber: 'x'.repeat(501) })
    const error = refused._meta['contrail/error']
    assert.deepEqual([error.code, error.reason], ['validation_failed', 'validation_failed'])
    assert.deepEqual(error.details[0], {
      code: 'too_big',
      path: ['flightNumber'],
      reason: 'too_long',
      message: 'Must have at most 500 characters',
      params: { max: 500 },
    })
    assert.equal(refused.structuredContent, undefined, 'clients check it against the output schema')
    assert.match(refused.content[0].text, /- flightNumber: Must have at most 500 characters/)
  })

  test('the OpenAPI document describes reason and parameters, with real examples', async () => {
    const document = parse((await app().request('GET', '/api/v1/openapi.yaml')).text)
    const { error } = document.components.schemas.Error.properties
    assert.deepEqual(error.required, ['code', 'reason', 'message'])
    const item = error.properties.details.items
    assert.deepEqual(item.required, ['code', 'path', 'reason', 'message'])
    for (const properties of [error.properties, item.properties]) {
      assert.deepEqual([properties.reason.type, properties.params.type], ['string', 'object'])
    }
    const operations = Object.values<Record<string, { responses: Responses }>>(document.paths).flatMap(
      (path) => Object.values(path),
    )
    const examples = operations
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap(({ content }) => content?.['application/json']?.example?.error ?? [])
    for (const { reason, params, message } of examples) {
      assert.equal(message, messageOf({ reason, params } as Problem))
    }
    assert.ok(examples.length > 100)
  })
})

test('the example in docs/api.md equals a real error', () => {
  const guide = readFileSync('docs/api.md', 'utf8')
  const { error } = JSON.parse(/## Errors\n[\s\S]*?```json\n([^`]+)```/.exec(guide)![1]!)
  for (const { reason, params, message } of [error, ...error.details]) {
    assert.equal(message, messageOf({ reason, params } as Problem))
  }
})

test('every kind of Zod issue has a reason', () => {
  const cases: [z.ZodType, unknown, unknown][] = [
    [z.string(), 5, { reason: 'not_a_text' }],
    [z.number(), 'x', { reason: 'not_a_number' }],
    [z.boolean(), 'x', { reason: 'not_a_boolean' }],
    [z.array(z.string()), {}, { reason: 'not_a_list' }],
    [z.object({}), [], { reason: 'not_an_object' }],
    [z.record(z.string(), z.string()), 'x', { reason: 'not_an_object' }],
    [z.string(), undefined, { reason: 'required' }],
    [z.string(), null, { reason: 'required' }],
    [z.enum(['a', 'b']), undefined, { reason: 'required' }],
    [z.literal('a'), 'b', problem('not_an_option', { options: ['a'] })],
    [z.string().min(1), '', { reason: 'required' }],
    [z.string().min(3), 'x', problem('too_short', { min: 3 })],
    [z.string().max(3), 'four', problem('too_long', { max: 3 })],
    [z.string().length(2), 'x', problem('wrong_length', { length: 2 })],
    [z.string().length(2), 'xxx', problem('wrong_length', { length: 2 })],
    [z.array(z.int()).min(2), [1], problem('too_few', { min: 2 })],
    [z.array(z.int()).max(1), [1, 2], problem('too_many', { max: 1 })],
    [z.number().min(3), 2, problem('too_small', { min: 3 })],
    [z.number().max(3), 4, problem('too_large', { max: 3 })],
    [z.number().gt(3), 3, problem('not_above', { limit: 3 })],
    [z.number().lt(3), 3, problem('not_below', { limit: 3 })],
    [z.string().regex(/a/), 'b', { reason: 'wrong_form' }],
    [z.string().regex(/a/, because('username_form')), 'b', { reason: 'username_form' }],
    [z.string().refine(() => false), 'b', { reason: 'invalid_value' }],
    [z.string().refine(() => false, because('slug_taken')), 'b', { reason: 'slug_taken' }],
    [
      z.string().refine(() => false, { params: problem('too_many_keys', { max: 9 }) }),
      'b',
      problem('too_many_keys', { max: 9 }),
    ],
    [z.union([z.int(), z.boolean()]), 'x', { reason: 'invalid_value' }],
    [z.strictObject({}), { x: 1 }, problem('unknown_field', { field: 'x', known: [] })],
    [z.number().multipleOf(2), 3, { reason: 'invalid_value' }],
  ]
  for (const [schema, value, expected] of cases) {
    const checked = check(schema, value)
    assert.ok('issues' in checked, JSON.stringify(expected))
    const found = problemOf(checked.issues[0]!)
    assert.deepEqual(found, expected)
    assert.ok(messageOf(found).length > 5)
  }
})

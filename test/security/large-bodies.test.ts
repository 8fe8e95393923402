// JSON that is small on the wire and large in memory: counted before it is parsed, whatever the operation makes of it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bodySizes } from '../../server/base/body-sizes.ts'
import { isOffered, type Operation } from '../../server/operation.ts'
import { operations } from '../../server/operations/index.ts'
import { onSqlite, type Reply } from '../harness.ts'

const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const mcpHeaders = { host: 'localhost', accept: 'application/json, text/event-stream' }

/** At least so many values, as empty objects and as nested lists. */
const abusive = (values: number): string[] => [
  `{"z":[${'{},'.repeat(values)}{}]}`,
  `{"z":[${Array(Math.ceil(values / 90))
    .fill('['.repeat(90) + ']'.repeat(90))
    .join(',')}]}`,
]

const withJson = operations.filter(({ body, door }) => body && door !== 'page')
const valuesOf = ({ bodySize = 'usual' }: Operation) => bodySizes[bodySize].values
const addressOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, '1')

onSqlite('bodies with too many values', (app) => {
  let key: string
  let cookie: string
  before(async () => {
    const owner = await app().person('owner')
    key = await owner.key()
    cookie = await owner.session()
  })

  /** By its size, or by what it holds: never by its fields, which would mean that it was parsed. */
  function assertUnread(reply: Reply, op: Operation, door: string): void {
    const { code, reason, params } = reply.json.error
    const isPublic = op.access.who === 'everyone'
    const expected = isPublic
      ? [413, 'payload_too_large', 'payload_too_large', 16_384]
      : [400, 'invalid_json', 'body_too_many_values', valuesOf(op)]
    assert.deepEqual([reply.status, code, reason, params?.max], expected, `${door} ${op.id}`)
  }

  test('every operation refuses them before it reads its fields, at both doors', async () => {
    assert.ok(withJson.length > 60)
    for (const op of withJson) {
      for (const raw of abusive(Math.max(20_000, valuesOf(op) + 1))) {
        const ask = { raw, headers: { ...sameOrigin, 'content-type': 'application/json' } }
        assertUnread(
          await app().request(op.method, `/app/api${addressOf(op)}`, { ...ask, cookie }),
          op,
          '/app/api',
        )
        if (!isOffered(op, 'v1')) continue
        assertUnread(
          await app().request(op.method, `/api/v1${addressOf(op)}`, { ...ask, key }),
          op,
          '/api/v1',
        )
      }
    }
  })

  test('so do the legacy API, MCP and the registration of clients', async () => {
    for (const raw of abusive(1_000_001)) {
      const save = await app().request('POST', '/api/flight/save', { key, raw })
      assert.deepEqual([save.status, save.json.message], [400, 'The body has more than 1000000 values'])
      const inParams = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${raw}}`
      const mcp = await app().request('POST', '/api/mcp', { key, raw: inParams, headers: mcpHeaders })
      assert.deepEqual([mcp.status, mcp.json.error.data.reason], [400, 'body_too_many_values'])
    }
    for (const raw of abusive(20_000)) {
      const remove = await app().request('POST', '/api/flight/delete', { key, raw })
      assert.deepEqual([remove.status, remove.json.message], [400, 'The body has more than 10000 values'])
      const registration = await app().request('POST', '/oauth/register', { raw })
      assert.equal(registration.status, 413)
    }
  })

  test('a body is as large as its operation needs, and is refused by its size', async () => {
    const put = (bytes: number) =>
      app().request('PUT', '/api/v1/preferences', { key, raw: '{"distanceUnit":"mi"}'.padEnd(bytes) })
    assert.equal((await put(65_536)).status, 200)
    const over = await put(65_537)
    const { code, message, params } = over.json.error
    assert.deepEqual([over.status, code, params], [413, 'payload_too_large', { max: 65_536 }])
    assert.equal(message, 'The body is larger than 65536 bytes')
  })

  test('what operations declare still fits: a full track, and a row of an import for each of its records', async () => {
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('ARN')]
    const flight = { date: '2026-03-01', fromId, toId }
    const list = <Item>(length: number, item: (at: number) => Item) =>
      Array.from({ length }, (_, at) => item(at))
    const track = {
      coordinates: list(100_000, (at) => [12 + at / 1e5, 55 - at / 1e5, 10_000]),
      times: list(100_000, (at) => 1_700_000_000 + at),
      groundSpeedKt: list(100_000, () => 450.5),
      trackDeg: list(100_000, (at) => at % 360),
      ground: list(100_000, () => false),
      estimated: list(100_000, () => false),
      sourceFormat: 'gpx',
    }
    const post = (path: string, body: unknown) => app().request('POST', `/api/v1${path}`, { key, body })
    assert.equal((await post('/flights', { ...flight, track })).status, 201)
    const rows = list(200_000, (at) => at + 1)
    assert.equal((await post('/imports/1/commit', { rows })).status, 404)
  })
})

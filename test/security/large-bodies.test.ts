// JSON that is small when sent and large in memory: counted before it is parsed, whatever the operation.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bodySizes } from '../../server/base/request/body-sizes.ts'
import { isOffered, type Operation } from '../../server/door/operation.ts'
import { operations } from '../../server/operations/index.ts'
import { onSqlite, type Reply } from '../harness.ts'

const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const mcpHeaders = { host: 'localhost', accept: 'application/json, text/event-stream' }

/** At least this many values, as empty objects and as nested lists. */
const abusive = (values: number): string[] => [
  `{"z":[${'{},'.repeat(values)}{}]}`,
  `{"z":[${Array(Math.ceil(values / 90))
    .fill('['.repeat(90) + ']'.repeat(90))
    .join(',')}]}`,
]

const withJson = operations.filter(({ body, door }) => body?.schema && door !== 'page')
const valuesOf = ({ body }: Operation) => bodySizes[body?.size ?? 'usual'].values
const addressOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, '1')

onSqlite('bodies with too many values', (app) => {
  let key: string
  let cookie: string
  before(async () => {
    const owner = await app().person('owner')
    key = await owner.key()
    cookie = await owner.session()
  })

  /** Refused by size or by number of values, never by fields, because that would mean it was parsed. */
  function assertUnread(reply: Reply, op: Operation, door: string): void {
    const { code, reason, params } = reply.json.error
    const isPublic = op.access.who === 'everyone'
    const expected = isPublic
      ? [413, 'payload_too_large', 'payload_too_large', 16_384]
      : [400, 'invalid_json', 'body_too_many_values', valuesOf(op)]
    assert.deepEqual([reply.status, code, reason, params?.max], expected, `${door} ${op.id}`)
  }

  test('REST and MCP refuse too many values before they read the fields of an operation', async () => {
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

  test('the legacy API, MCP and the registration of clients refuse too many values', async () => {
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

  test('the size limit of a body depends on its operation', async () => {
    const put = (bytes: number) =>
      app().request('PUT', '/api/v1/preferences', { key, raw: '{"distanceUnit":"mi"}'.padEnd(bytes) })
    assert.equal((await put(65_536)).status, 200)
    const over = await put(65_537)
    const { code, message, params } = over.json.error
    assert.deepEqual([over.status, code, params], [413, 'payload_too_large', { max: 65_536 }])
    assert.equal(message, 'The body is larger than 65536 bytes')
  })

  test('the largest declared inputs fit: a full track, and an import row with all its records', async () => {
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

// Invalid input to every operation: a body, a query or a path is refused before anything is done, and a missing row is not
// found. Rules of single operations are tested with those operations.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as z from 'zod'
import type { Operation } from '../server/door/operation.ts'
import { operations } from '../server/operations/index.ts'
import { type Ask, onBothEngines, type Reply } from './harness.ts'

const ofApis = operations.filter(({ door }) => door !== 'page')

/** Valid bodies of operations that have no example in the API reference. */
const place = { latitude: 1, longitude: 1, timezone: 'UTC', continent: 'EU', country: 'DK' }
const goodBodies: Record<string, object> = {
  'not-me': {},
  'update-custom-field': { entityType: 'flight', key: 'meal', label: 'Meal', fieldType: 'text' },
  'rename-passkey': { name: 'Phone' },
  'update-user': { username: 'ada', displayName: 'Ada' },
  'set-user-role': { roleId: 'role-user' },
  'create-reset-link': {},
  'update-airport': { icao: 'QQ9Z', name: 'Strip', type: 'small_airport', ...place },
  'update-airline': { name: 'Air Strip', icao: 'QQ9' },
  'update-aircraft': { name: 'Glider', icao: 'QQ9G' },
}
/** Required parameters. */
const goodQueries: Record<string, string> = { 'pick-import-rows': '?rows=1' }
/** Operations that create the missing row, or respond alike whether it exists. */
const findsAnything = ['put-flight-by-external-id', 'delete-reset-link']

/** Ids without a row. A column holds numbers up to 2^63 − 1, a number is exact up to 2^53 − 1. */
const absentIds = ['9007199254740991', '99999999999999999999']

/** A path without a row: with this id, or a text of the parameter's format. */
const addressOf = (op: Operation, id = absentIds[0]!) =>
  op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = op.params!.shape[name] as z.ZodType
    return schema.safeParse(id).success ? id : 'absent'
  })

/** A value of a wrong type for each field of the body. */
function badBodies({ body }: Operation): object[] {
  const schema = body!.schema as z.ZodType
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return [[], ...fields.flatMap((field) => [{ [field]: { not: 'right' } }, { [field]: 1e300 }])].filter(
    (bad) => !schema.safeParse(bad).success,
  )
}

onBothEngines('invalid input to every operation', (app) => {
  let key: string
  let cookie: string
  before(async () => {
    const owner = await app().person('owner')
    key = await owner.key()
    cookie = await owner.session()
  })
  const call = (op: Operation, query = '', ask: Ask = {}, address = addressOf(op)): Promise<Reply> =>
    op.door === 'app'
      ? app().request(op.method, `/app/api${address}${query}`, { cookie, ...ask })
      : app().request(op.method, `/api/v1${address}${query}`, { key, ...ask })
  const goodBody = (op: Operation) => op.example?.body ?? goodBodies[op.id]

  test('a body that is not JSON is refused by every operation that accepts one', async () => {
    for (const op of ofApis.filter(({ body }) => body && !body.file)) {
      const reply = await call(op, '', { raw: '{"broken' })
      assert.deepEqual(
        [reply.status, reply.json.error.code],
        [400, 'invalid_json'],
        `${op.id}: ${reply.text}`,
      )
    }
  })

  test('a field of a wrong type is refused with the fault', async () => {
    for (const op of ofApis.filter(({ body }) => body && !body.file)) {
      for (const bad of badBodies(op)) {
        const reply = await call(op, '', { body: bad })
        const what = `${op.id} with ${JSON.stringify(bad)}: ${reply.text}`
        assert.equal(reply.status, 422, what)
        assert.ok(reply.json.error.details.length > 0, what)
      }
    }
  })

  test('an invalid parameter is refused by every operation that accepts it', async () => {
    for (const op of ofApis.filter(({ query }) => query)) {
      for (const name of Object.keys(op.query!.shape)) {
        // No parameter may have a character that cannot be stored.
        const reply = await call(op, `?${name}=%00`, { body: op.body?.schema && goodBody(op) })
        const what = `${op.id}?${name}: ${reply.text}`
        assert.deepEqual([reply.status, reply.json.error.code], [400, 'bad_request'], what)
      }
    }
  })

  test('a missing row is not found by any operation on one row', async () => {
    const others: string[] = []
    for (const op of ofApis.filter(({ params, id }) => params && !findsAnything.includes(id))) {
      const file = op.body?.file && {
        raw: Buffer.from('<svg/>'),
        headers: { 'content-type': 'image/svg+xml' },
      }
      const ask = file ?? (op.body ? { body: goodBody(op) } : {})
      for (const id of absentIds) {
        const reply = await call(op, goodQueries[op.id], ask, addressOf(op, id))
        if (reply.status !== 404 || reply.json.error.code !== 'not_found')
          others.push(`${op.id} ${id}: ${reply.text}`)
      }
    }
    assert.deepEqual(others, [])
  })

  test('an id that is not a number is refused before a lookup', async () => {
    const numbered = ofApis.filter(
      ({ params }) =>
        params && Object.values(params.shape).some((one) => !(one as z.ZodType).safeParse('x').success),
    )
    const others: string[] = []
    for (const op of numbered) {
      const address = op.path.replaceAll(/\{\w+\}/g, 'x')
      const reply = await call(op, '', op.body ? { body: goodBody(op) } : {}, address)
      if (reply.status !== 400) others.push(`${op.id}: ${reply.status} ${reply.text}`)
    }
    assert.deepEqual(others, [])
  })
})

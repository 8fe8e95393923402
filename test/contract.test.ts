// What holds for every v1 path: the error shape, the order of checks, headers, methods, bodies, caching.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { onBothEngines, testOnSqlite } from './harness.ts'

const ownAndAny = (...actions: string[]) =>
  actions.flatMap((action) => [`flight.${action}.own`, `flight.${action}.any`])
/** The whole catalogue in its published order, because programs and stored keys depend on every name. */
const scopeNames = [
  ...ownAndAny('read', 'create', 'update', 'delete', 'export', 'passengers.manage'),
  ...['users.directory.read', 'roles.manage', 'profile.read', 'preferences.write', 'reference_data.read'],
  ...['custom_fields.read', 'stats.read', 'tracks.read', 'tracks.write', 'visited_countries.read'],
  ...['visited_countries.write', 'shares.read', 'shares.write'],
  ...['flight.import.own', 'flight.import.any', 'webhooks.manage', 'feeds.manage', 'notifications.manage'],
]
const permissionNames = [
  ...ownAndAny('read', 'create', 'update', 'delete', 'import', 'export', 'passengers.manage'),
  ...['flight.share.own', 'users.directory.read', 'users.create', 'users.update', 'users.delete'],
  ...['users.roles.assign', 'data.airports.manage', 'data.aircraft.manage', 'data.airlines.manage'],
  ...['custom_fields.manage', 'instance.oauth.manage', 'instance.integrations.manage'],
  ...['instance.map.manage', 'instance.release.check', 'roles.manage', 'tools.sql.execute'],
]

onBothEngines(
  'contract',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    let key: string
    let userId: string
    let flight: Record<string, unknown>
    before(async () => {
      const person = await app().person()
      key = await person.key()
      userId = person.id
      flight = {
        date: '2026-05-01',
        fromId: await app().airportId('CPH'),
        toId: await app().airportId('OSL'),
        passengers: [{ userId }],
      }
    })
    const post = (body: unknown) => app().request('POST', '/api/v1/flights', { key, body })

    sqliteTest('discovery is public at both addresses', async () => {
      for (const path of ['/api/v1', '/api', '/api/v1/']) {
        const reply = await app().request('GET', path)
        assert.equal(reply.status, 200)
        assert.equal(reply.headers['cache-control'], 'public, max-age=60')
        assert.equal(reply.headers['access-control-allow-origin'], '*')
        assert.deepEqual(Object.keys(reply.json), [
          ...['api', 'instance', 'authentication', 'mcp', 'scopes', 'features', 'limits'],
        ])
        assert.deepEqual(reply.json.features, [
          ...['changes', 'conditions', 'patch', 'bulk', 'idempotency', 'external-ids', 'webhooks', 'feeds'],
        ])
        const { bodyBytes, ...limits } = reply.json.limits
        assert.deepEqual(limits, { bulk: 500, changes: 500, externalIds: 8, webhooks: 5, feeds: 20 })
        assert.equal(bodyBytes, app().config.bodySizeLimit)
        assert.deepEqual(
          reply.json.scopes.map((scope: { name: string }) => scope.name),
          scopeNames,
        )
        assert.ok(reply.json.scopes.every((scope: { description: string }) => scope.description))
        assert.equal(reply.json.instance.name, 'Contrail')
      }
    })

    sqliteTest('the OpenAPI document names every scope of an operation', async () => {
      const reply = await app().request('GET', '/api/v1/openapi.yaml')
      assert.equal(reply.headers['content-type'], 'application/yaml; charset=utf-8')
      const document = parse(reply.text)
      assert.equal(document.openapi, '3.1.0')
      const update = document.paths['/flights/{id}'].put
      assert.equal(update.operationId, 'api-v1-update-flight')
      assert.deepEqual(update.security, [{ bearerAuth: ['flight.update.own'] }])
      assert.ok(update['x-conditional-scopes'].includes('tracks.write'))
      const limit = document.paths['/flights'].get.parameters.find(
        ({ name }: { name: string }) => name === 'limit',
      )
      assert.deepEqual(limit.schema, { type: 'integer', minimum: 1, maximum: 100, default: 50 })
      assert.deepEqual(document.paths['/'].get.security, [])
      assert.deepEqual(
        document.components.schemas.Error.properties.error.properties.code.enum,
        'bad_request invalid_json unauthorized forbidden insufficient_scope not_found method_not_allowed conflict gone precondition_failed payload_too_large validation_failed precondition_required too_many_requests internal_error unavailable'.split(
          ' ',
        ),
      )
      assert.doesNotMatch(reply.text, /\$defs/)
    })

    sqliteTest('authentication is checked before everything else', async () => {
      for (const authorization of [
        undefined,
        'Basic abc',
        'Bearer',
        'Bearer a b',
        'Bearer ctk_nonsense',
        `Token ${key}`,
      ]) {
        const headers = authorization === undefined ? {} : { authorization }
        const reply = await app().request('POST', '/api/v1/flights', { headers, raw: '{nonsense' })
        assert.equal(reply.status, 401)
        assert.equal(reply.json.error.code, 'unauthorized')
        const challenge = String(reply.headers['www-authenticate'])
        assert.match(
          challenge,
          /^Bearer realm="contrail", scope="flight.create.own", resource_metadata="http:\/\/localhost:3000\/.well-known\/oauth-protected-resource\/api\/v1"/,
        )
        const doubled = await app().request('POST', '//api//v1/flights', { headers })
        assert.equal(doubled.headers['www-authenticate'], challenge)
        assert.equal(doubled.headers['access-control-allow-origin'], '*')
        const wasMeantAsBearer = authorization?.startsWith('Bearer') ?? false
        assert.equal(challenge.includes('error="invalid_token"'), wasMeantAsBearer, challenge)
      }
      for (const authorization of [`bearer ${key}`, `BEARER \t${key}`, `Bearer   ${key}`]) {
        assert.equal((await app().request('GET', '/api/v1/me', { headers: { authorization } })).status, 200)
      }
      const cookie = await (await app().person()).session()
      assert.equal(
        (await app().request('GET', '/api/v1/me', { cookie })).status,
        401,
        'v1 never reads a cookie',
      )
    })

    sqliteTest('scopes are checked before input, and input before data', async () => {
      const poor = await (await app().person()).key(['profile.read'])
      const reply = await app().request('PUT', '/api/v1/flights/abc', { key: poor, raw: '{' })
      assert.equal(reply.json.error.code, 'insufficient_scope')
      assert.match(reply.json.error.message, /flight\.update\.own/)
      const badId = await app().request('PUT', '/api/v1/flights/abc', { key, raw: '{' })
      assert.deepEqual(badId.json, {
        error: { code: 'bad_request', reason: 'id_not_positive', message: 'id must be a positive integer' },
      })
    })

    test('ids are positive integers, and those that no row can have are not found', async () => {
      for (const id of [
        '0',
        '-1',
        '1.5',
        '1.0',
        '0x10',
        '1e3',
        '%201',
        'abc',
        'Infinity',
        '%00',
        '%EF%BC%91',
      ]) {
        assert.equal((await app().request('GET', `/api/v1/flights/${id}`, { key })).status, 400, id)
      }
      for (const id of ['2147483648', '9007199254740991', '9007199254740993', '9'.repeat(40)]) {
        assert.equal((await app().request('GET', `/api/v1/flights/${id}`, { key })).status, 404, id)
        assert.equal((await app().request('GET', `/api/v1/airports/${id}`, { key })).status, 404, id)
      }
      const tooBig = await post({ ...flight, fromId: 99999999999 })
      assert.deepEqual(tooBig.json.error.details, [
        {
          code: 'custom',
          path: ['fromId'],
          reason: 'no_such_departure_airport',
          message: 'There is no such departure airport',
        },
      ])
    })

    sqliteTest(
      'a body that is not JSON gets 400, one that is not a flight 422 with every problem',
      async () => {
        for (const raw of ['', '{', 'nonsense', '\xff', '{"a":1}}']) {
          const reply = await app().request('POST', '/api/v1/flights', {
            key,
            raw: Buffer.from(raw, 'latin1'),
          })
          assert.equal(reply.status, 400, raw)
          assert.equal(reply.json.error.code, 'invalid_json', raw)
        }
        for (const type of [
          'application/x-www-form-urlencoded',
          'text/plain',
          'multipart/form-data; boundary=x',
        ]) {
          const reply = await app().request('POST', '/api/v1/flights', {
            key,
            raw: JSON.stringify(flight),
            headers: { 'content-type': type },
          })
          assert.equal(reply.json.error.code, 'invalid_json', type)
        }
        for (const type of ['application/vnd.anything', 'json', '', 'a b; c', 'undefined']) {
          const odd = await app().request('POST', '/api/v1/flights', {
            key,
            body: flight,
            headers: { 'content-type': type },
          })
          assert.equal(odd.status, 201, `${type} ${odd.text}`)
        }
        for (const body of [null, [], 'x', 1, true]) {
          const reply = await post(body)
          assert.equal(reply.status, 422)
          assert.equal(reply.json.error.message, 'Request validation failed')
          assert.deepEqual(reply.json.error.details[0].path, [])
          assert.equal(reply.json.error.details[0].code, 'invalid_type')
        }
        const many = await post({
          date: '2026-2-1',
          duration: 1.5,
          datePrecision: 'week',
          passengers: [{ userId: '' }],
        })
        assert.equal(many.status, 422)
        const seen = many.json.error.details.map((detail: { code: string; path: string[] }) => [
          detail.code,
          detail.path.join('.'),
        ])
        assert.deepEqual(seen.slice(0, 4), [
          ['invalid_format', 'date'],
          ['invalid_value', 'datePrecision'],
          ['invalid_type', 'duration'],
          ['invalid_type', 'fromId'],
        ])
        assert.deepEqual(seen.slice(-2), [
          ['too_small', 'passengers.0.userId'],
          ['custom', 'passengers.0'],
        ])
        assert.equal(many.json.error.details.at(-2).message, 'This field is required.')
      },
    )

    test('impossible values of a flight are refused with their field', async () => {
      const bad: [Record<string, unknown>, string][] = [
        [{ date: '2026-02-30' }, 'date'],
        [{ date: '0000-01-01' }, 'date'],
        [{ departure: '2026-05-01T10:00' }, 'departure'],
        [{ departure: '2026-05-01 10:00:00Z' }, 'departure'],
        [{ departure: '2026-05-01T10:00:00+0200' }, 'departure'],
        [{ departure: '2026-02-30T10:00:00Z' }, 'departure'],
        [{ departure: '2026-05-01T24:00:00Z' }, 'departure'],
        [{ departure: '2026-05-01T10:00:00Z', arrival: '2026-05-01T09:59:59Z' }, 'arrival'],
        [
          { takeoffActual: '2026-05-01T10:00:00+02:00', landingActual: '2026-05-01T07:00:00Z' },
          'landingActual',
        ],
        [{ duration: -1 }, 'duration'],
        [{ note: 'x'.repeat(10_001) }, 'note'],
        [{ note: 'a\u0000b' }, 'note'],
        [{ note: 'a\ud800b' }, 'note'],
        [{ customFields: null }, 'customFields'],
        [{ toId: 0 }, 'toId'],
        [{ airlineId: 2_000_000_000 }, 'airlineId'],
        [{ aircraftId: 2_000_000_000 }, 'aircraftId'],
        [{ passengers: [] }, 'passengers'],
        [{ passengers: [{ userId }, { userId }] }, 'passengers.1'],
        [{ passengers: [{ guestName: 'Bob' }, { guestName: ' Bob ' }] }, 'passengers.1'],
        [{ passengers: [{ userId, guestName: 'Bob' }] }, 'passengers.0'],
        [{ passengers: [{}] }, 'passengers.0'],
        [{ passengers: [{ userId: 'nobody' }] }, 'passengers.0.userId'],
        [{ passengers: [{ userId, seat: 'lap' }] }, 'passengers.0.seat'],
      ]
      for (const [change, path] of bad) {
        const reply = await post({ ...flight, ...change })
        assert.equal(reply.status, 422, `${JSON.stringify(change)}: ${reply.text}`)
        assert.equal(reply.json.error.code, 'validation_failed')
        const paths = reply.json.error.details.map((detail: { path: string[] }) => detail.path.join('.'))
        assert.ok(paths.includes(path), `${path} in ${paths}`)
      }
      const good = await post({
        ...flight,
        departure: '2026-05-01T10:00Z',
        duration: 9007199254740991,
        unknown: { deep: true },
      })
      assert.equal(good.status, 201, good.text)
      assert.equal(good.json.data.departure, '2026-05-01T10:00Z')
      assert.equal(good.json.data.duration, 9007199254740991)
      assert.equal('unknown' in good.json.data, false)
    })

    test('each pair of times is compared as instants, whatever the local times', async () => {
      for (const [earlier, later] of [
        ['departure', 'arrival'],
        ['departureScheduled', 'arrivalScheduled'],
        ['takeoffScheduled', 'landingScheduled'],
        ['takeoffActual', 'landingActual'],
      ] as const) {
        const times = (from: string, to: string) => ({ [earlier]: from, [later]: to })
        const eastward = times('2026-05-01T23:00:00+09:00', '2026-05-01T14:30:00Z')
        const reply = await post({ ...flight, ...eastward })
        assert.equal(reply.status, 201, reply.text)
        assert.deepEqual([reply.json.data[earlier], reply.json.data[later]], Object.values(eastward))
        const backward = await post({
          ...flight,
          ...times('2026-05-01T10:00:00Z', '2026-05-01T11:00:00+02:00'),
        })
        assert.equal(backward.status, 422, backward.text)
        const [detail] = backward.json.error.details
        assert.deepEqual([detail.code, detail.path], ['custom', [later]])
      }
    })

    test('queries with NUL or broken escapes are refused, unknown parameters ignored', async () => {
      assert.equal((await app().request('GET', '/api/v1/airports?query=a%00b', { key })).status, 400)
      const broken = await app().request('GET', '/api/v1/flights/%E0%A4%A', { key })
      assert.equal(broken.status, 400)
      assert.equal(broken.json.error.code, 'bad_request')
      for (const query of ['nonsense=1', 'nonsense=%00', 'userId=%00'])
        assert.equal((await app().request('GET', `/api/v1/me?${query}`, { key })).status, 200, query)
      const user = await app().request('GET', '/api/v1/flights?scope=user&userId=%00', { key })
      assert.equal(user.status, 400)
      assert.equal(user.json.error.message, 'userId contains characters that are not text')
    })

    sqliteTest('unknown paths, other methods and HEAD get the documented responses', async () => {
      for (const path of ['/api/v1/nothing', '/api/v2', '/api/nothing', '/api/v1/flights/1/nothing']) {
        const reply = await app().request('GET', path, { key })
        assert.equal(reply.status, 404)
        assert.equal(reply.json.error.code, 'not_found')
      }
      const refused = await app().request('POST', '/api/v1/flights/1', { key })
      assert.equal(refused.status, 405)
      assert.equal(refused.json.error.code, 'method_not_allowed')
      assert.equal(refused.headers.allow, 'GET, PUT, PATCH, DELETE, HEAD')
      assert.equal((await app().request('DELETE', '/api', {})).headers.allow, 'GET, HEAD')
      const traced = await app().request('TRACE', '/api/v1/flights', { key })
      assert.equal(traced.status, 405)
      assert.equal(traced.headers.allow, 'GET, POST, HEAD')
      const [get, head] = [
        await app().request('GET', '/api/v1/flights', { key }),
        await app().request('HEAD', '/api/v1/flights', { key }),
      ]
      assert.equal(head.status, 200)
      assert.equal(head.text, '')
      for (const name of ['content-type', 'content-length', 'cache-control', 'etag']) {
        assert.equal(head.headers[name], get.headers[name], name)
      }
    })

    sqliteTest('responses are JSON without charset, never stored, and readable from any origin', async () => {
      const reply = await app().request('GET', '/api/v1/me', {
        key,
        headers: { origin: 'https://elsewhere.example' },
      })
      assert.equal(reply.headers['content-type'], 'application/json')
      assert.equal(reply.headers['cache-control'], 'private, no-store')
      assert.equal(reply.headers['access-control-allow-origin'], '*')
      const exposed = String(reply.headers['access-control-expose-headers']).toLowerCase().split(', ')
      for (const name of [
        ...['etag', 'location', 'retry-after', 'ratelimit', 'ratelimit-policy', 'idempotency-replayed'],
        ...['link', 'x-request-id', 'www-authenticate', 'content-disposition'],
      ]) {
        assert.ok(exposed.includes(name), name)
      }
      assert.equal(reply.headers['access-control-allow-credentials'], undefined)
      for (const path of [
        '/api/v1/flights',
        '/api/v1/nothing',
        '/api/mcp',
        '/oauth/token',
        '/.well-known/oauth-protected-resource/api/v1',
      ]) {
        const preflight = await app().request('OPTIONS', path)
        assert.equal(preflight.status, 204, path)
        assert.equal(
          preflight.headers['access-control-allow-methods'],
          'GET, POST, PUT, PATCH, DELETE, OPTIONS',
        )
        const allowed = String(preflight.headers['access-control-allow-headers']).toLowerCase().split(', ')
        for (const name of [
          'authorization',
          'content-type',
          'if-match',
          'if-none-match',
          'idempotency-key',
        ]) {
          assert.ok(allowed.includes(name), name)
        }
      }
      for (const path of ['/api/v1x', '/oauth/authorize', '/app/api/session', '/api/flight/list']) {
        const closed = await app().request('GET', path)
        assert.equal(closed.headers['access-control-allow-origin'], undefined, path)
      }
      const removed = await app().request('DELETE', `/api/v1/flights/${(await post(flight)).json.data.id}`, {
        key,
      })
      assert.equal(removed.status, 204)
      assert.equal(removed.headers['content-type'], undefined)
    })

    test('an unchanged page is a 304, and any change is visible immediately', async () => {
      const person = await app().person()
      const own = await person.key()
      const list = (headers = {}) => app().request('GET', '/api/v1/flights', { key: own, headers })
      const first = await list()
      const etag = String(first.headers.etag)
      const unchanged = await list({ 'if-none-match': etag })
      assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
      assert.deepEqual(
        [unchanged.headers.etag, unchanged.headers['cache-control']],
        [etag, 'private, no-store'],
      )
      assert.equal((await list({ 'if-none-match': '*' })).status, 304)
      assert.equal((await list({ 'if-none-match': 'W/"x"' })).status, 200)
      assert.equal((await list({ 'if-none-match': `W/"x", W/${etag}` })).status, 304)
      const created = await app().request('POST', '/api/v1/flights', {
        key: own,
        body: { ...flight, passengers: [{ userId: person.id }] },
      })
      const second = await list({ 'if-none-match': etag })
      assert.equal(second.status, 200)
      assert.equal(second.json.data.length, 1)
      await app().request('DELETE', `/api/v1/flights/${created.json.data.id}`, { key: own })
      assert.equal((await list()).json.data.length, 0)
      const other = await app().request('GET', '/api/v1/flights', { key, headers: { 'if-none-match': etag } })
      assert.equal(other.status, 200, 'one person’s tag means nothing for another')
    })

    sqliteTest('a body over the limit gets 413, but only for callers who may send one', async () => {
      const raw = JSON.stringify({ ...flight, note: 'x'.repeat(70_000) })
      const reply = await app().request('POST', '/api/v1/flights', { key, raw })
      assert.equal(reply.status, 413)
      assert.equal(reply.json.error.code, 'payload_too_large')
      assert.equal((await app().request('POST', '/api/v1/flights', { raw })).status, 401)
    })

    test('GET /me needs a credential and no scope', async () => {
      const person = await app().person('role-administrator')
      const bare = await person.key([])
      const { data } = (await app().request('GET', '/api/v1/me', { key: bare })).json
      assert.equal(data.id, person.id)
      assert.deepEqual(data.role, { id: 'role-administrator', name: 'Administrator' })
      assert.equal(data.isOwner, false)
      assert.ok(data.permissions.includes('flight.read.own'), 'implied permissions are listed')
      assert.equal(data.permissions.includes('roles.manage'), false)
      assert.deepEqual(data.credential, { kind: 'apiKey', scopes: [] })
      const owner = await app().person('owner')
      const mine = (await app().request('GET', '/api/v1/me', { key: await owner.key(['stats.read']) })).json
        .data
      assert.deepEqual([mine.isOwner, mine.role, mine.permissions], [true, null, permissionNames])
      assert.deepEqual(mine.credential.scopes, ['stats.read'])
    })
  },
  { bodySizeLimit: 65_536 },
)

// A program written for the v1 API of AirTrail 4 that moves over: it knows the paths, scopes, fields and errors of that API and
// nothing of Contrail. Fields that Contrail adds do not disturb it; a field, scope or operation that is missing does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import type { Scope } from '../../server/domain/access/access.ts'
import { onBothEngines } from '../harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a program reads from JSON
type Json = any

/** Its operations: id, method, path, scopes that a key needs, scopes that some requests need. */
const operations = `
api-v1-discovery               GET    /api/v1
api-v1-get-me                  GET    /api/v1/me                  profile.read
api-v1-list-flights            GET    /api/v1/flights             flight.read.own | flight.read.any
api-v1-create-flight           POST   /api/v1/flights             flight.create.own | flight.create.any flight.passengers.manage.own flight.passengers.manage.any tracks.write
api-v1-get-flight              GET    /api/v1/flights/{id}        flight.read.own | flight.read.any
api-v1-update-flight           PUT    /api/v1/flights/{id}        flight.update.own | flight.update.any flight.passengers.manage.own flight.passengers.manage.any tracks.write
api-v1-delete-flight           DELETE /api/v1/flights/{id}        flight.delete.own | flight.delete.any
api-v1-get-flight-track        GET    /api/v1/flights/{id}/track  tracks.read flight.read.own | flight.read.any
api-v1-set-flight-track        PUT    /api/v1/flights/{id}/track  tracks.write flight.update.own | flight.update.any
api-v1-delete-flight-track     DELETE /api/v1/flights/{id}/track  tracks.write flight.update.own | flight.update.any
api-v1-export-flights          GET    /api/v1/flights/export      flight.export.own | flight.export.any
api-v1-get-stats               GET    /api/v1/stats               stats.read flight.read.own | flight.read.any
api-v1-search-airports         GET    /api/v1/airports            reference_data.read
api-v1-get-airport             GET    /api/v1/airports/{id}       reference_data.read
api-v1-search-airlines         GET    /api/v1/airlines            reference_data.read
api-v1-get-airline             GET    /api/v1/airlines/{id}       reference_data.read
api-v1-search-aircraft         GET    /api/v1/aircraft            reference_data.read
api-v1-get-aircraft            GET    /api/v1/aircraft/{id}       reference_data.read
api-v1-list-custom-fields      GET    /api/v1/custom-fields       custom_fields.read
api-v1-update-preferences      PUT    /api/v1/preferences         preferences.write
api-v1-list-visited-countries  GET    /api/v1/visited-countries   visited_countries.read
api-v1-set-visited-country     PUT    /api/v1/visited-countries   visited_countries.write
api-v1-remove-visited-country  DELETE /api/v1/visited-countries   visited_countries.write
api-v1-list-shares             GET    /api/v1/shares              shares.read
api-v1-create-share            POST   /api/v1/shares              shares.write
api-v1-update-share            PUT    /api/v1/shares/{id}         shares.write
api-v1-delete-share            DELETE /api/v1/shares/{id}         shares.write
api-v1-list-users              GET    /api/v1/users               users.directory.read
api-v1-list-roles              GET    /api/v1/roles               roles.manage
api-v1-create-role             POST   /api/v1/roles               roles.manage
api-v1-update-role             PUT    /api/v1/roles/{id}          roles.manage
api-v1-delete-role             DELETE /api/v1/roles/{id}          roles.manage`
  .trim()
  .split('\n')
  .map((line) => {
    const [needed = '', sometimes = ''] = line.split(' | ')
    const [id, method, path, ...scopes] = needed.trim().split(/\s+/)
    return { id: id!, method: method!, path: path!, scopes, sometimes: sometimes.split(' ').filter(Boolean) }
  })

/** Its fields of each object: `name:type`, types joined by `|`; another object's name for an object. */
const shapes: Record<string, string> = {
  flight: `id:number date:string datePrecision:string departure:string|null arrival:string|null
    departureScheduled:string|null arrivalScheduled:string|null takeoffScheduled:string|null takeoffActual:string|null
    landingScheduled:string|null landingActual:string|null duration:number|null departureTerminal:string|null
    departureGate:string|null arrivalTerminal:string|null arrivalGate:string|null flightNumber:string|null
    aircraftReg:string|null note:string|null from:airport|null to:airport|null airline:airline|null
    aircraft:aircraft|null passengers:array track:trackSummary|null`,
  airport: `id:number icao:string iata:string|null name:string municipality:string|null latitude:number longitude:number
    timezone:string type:string continent:string country:string custom:boolean`,
  airline: 'id:number name:string icao:string|null iata:string|null iconPath:string|null',
  aircraft: 'id:number name:string icao:string|null',
  passenger: `id:number user:userOfFlight|null guestName:string|null seat:string|null seatNumber:string|null
    seatClass:string|null flightReason:string|null`,
  userOfFlight: 'id:string displayName:string username:string',
  trackSummary: 'pointCount:number updatedAt:string sourceFormat:string sourceName:string|null',
  track: `flightId:number coordinates:array times:array sourceFormat:string sourceName:string|null pointCount:number
    createdAt:string updatedAt:string`,
  me: `id:string username:string displayName:string role:roleOfMe|null isOwner:boolean permissions:array
    credential:credential`,
  roleOfMe: 'id:string name:string',
  credential: 'kind:string scopes:array',
  stats: `flights:number distanceKm:number durationSeconds:number airports:number topAirline:topAirline|null
    topAirport:topAirport|null topAircraft:topAircraft|null topRoute:topRoute|null`,
  topAirline: 'id:number name:string iata:string|null icao:string|null count:number',
  topAirport: 'id:number name:string icao:string iata:string|null count:number',
  topAircraft: 'id:number name:string icao:string|null count:number',
  topRoute: 'from:routeEnd to:routeEnd count:number',
  routeEnd: 'id:number name:string icao:string iata:string|null',
  country: 'id:number code:string status:string note:string|null',
  share: `id:number slug:string expiresAt:string|null createdAt:string showMap:boolean showStats:boolean
    showFlightList:boolean dateFrom:string|null dateTo:string|null showFlightNumbers:boolean showAirlines:boolean
    showAircraft:boolean showTimes:boolean showTracks:boolean showDates:boolean showSeat:boolean`,
  // The document of that API lists only these. Its server also sends everyone's preferences.
  user: `id:string username:string displayName:string roleId:string|null roleName:string|null isOwner:boolean
    canManage:boolean`,
  role: `id:string name:string description:string|null createdAt:string updatedAt:string permissions:array
    userCount:number oauthMappingCount:number isDefault:boolean`,
}

function requireShape(name: string, value: Json, at = name): void {
  for (const field of shapes[name]!.trim().split(/\s+/)) {
    const [key, types = ''] = field.split(':') as [string, string]
    assert.ok(Object.hasOwn(value, key), `${at}.${key} is missing`)
    requireType(types.split('|'), value[key], `${at}.${key}`)
  }
}

function requireType(types: string[], value: Json, at: string): void {
  const nested = types.find((type) => type in shapes)
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  if (nested && value !== null) requireShape(nested, value, at)
  else assert.ok(types.includes(actual), `${at} is ${actual}, not ${types.join(' or ')}`)
}

onBothEngines('programs written for the v1 API of AirTrail 4', (app) => {
  /** One operation by its id, with a key that has just the scopes of the table. */
  const program = async (role: 'owner' | 'role-user' = 'role-user') => {
    const person = await app().person(role)
    const call = async (
      id: string,
      { at = '', body, also = [] }: { at?: string; body?: unknown; also?: string[] } = {},
    ): Promise<Json> => {
      const { method, path, scopes } = operations.find((operation) => operation.id === id)!
      const key = await person.key([...scopes, ...also] as Scope[])
      const url = at.startsWith('?') ? path + at : path.replace('{id}', at)
      return app().request(method, url, { key, body })
    }
    return { person, call }
  }
  const ok = (reply: Json, status = 200): Json => {
    assert.equal(reply.status, status, reply.text)
    return reply.json?.data
  }

  test('every operation has its id, address, scopes and refusals in the OpenAPI document', async () => {
    const document: Json = parse((await app().request('GET', '/api/v1/openapi.yaml')).text)
    for (const { id, method, path, scopes, sometimes } of operations) {
      const operation = document.paths[path.replace('/api/v1', '') || '/']?.[method.toLowerCase()]
      assert.equal(operation?.operationId, id)
      // Contrail may ask for less: /me answers any valid key.
      const needed: string[] = operation.security[0]?.bearerAuth ?? []
      assert.deepEqual(
        needed.filter((scope) => !scopes.includes(scope)),
        [],
        id,
      )
      const conditional: string[] = operation['x-conditional-scopes'] ?? []
      for (const scope of sometimes) assert.ok(conditional.includes(scope), `${id}: ${scope}`)
      for (const status of scopes.length ? ['401', '403'] : []) assert.ok(operation.responses[status], id)
    }
    const discovery = (await app().request('GET', '/api/v1')).json
    assert.equal(discovery.api.version, 'v1')
    assert.deepEqual(discovery.authentication.methods, ['api_key', 'oauth2_authorization_code_pkce'])
    assert.equal(discovery.mcp.endpoint, '/api/mcp')
    const scopeNames = discovery.scopes.map((scope: Json) => scope.name)
    for (const { scopes } of operations) {
      for (const scope of scopes) assert.ok(scopeNames.includes(scope), scope)
    }
  })

  test('a flight goes in with every field and comes back with the same values', async () => {
    const { person, call } = await program()
    const search = async (kind: string, query: string) =>
      ok(await call(`api-v1-search-${kind}`, { at: `?query=${query}` }))[0]
    const [from, to] = [await search('airports', 'CPH'), await search('airports', 'EWR')]
    const [airline, aircraft] = [await search('airlines', 'SAS'), await search('aircraft', 'A333')]
    const body = {
      ...{ date: '2026-02-20', datePrecision: 'day', fromId: from.id, toId: to.id, duration: 30_900 },
      ...{ departure: '2026-02-20T12:30:00+01:00', arrival: '2026-02-20T15:05:00-05:00' },
      ...{ departureScheduled: '2026-02-20T12:25:00+01:00', arrivalScheduled: '2026-02-20T15:10:00-05:00' },
      ...{ takeoffScheduled: '2026-02-20T12:40:00+01:00', takeoffActual: '2026-02-20T12:44:00+01:00' },
      ...{ landingScheduled: '2026-02-20T15:00:00-05:00', landingActual: '2026-02-20T14:58:00-05:00' },
      ...{ departureTerminal: '3', departureGate: 'C39', arrivalTerminal: 'B', arrivalGate: 'B62' },
      ...{ flightNumber: 'SK909', aircraftReg: 'LN-RKR', note: 'Window seat', customFields: {} },
      ...{ airlineId: airline.id, aircraftId: aircraft.id },
      passengers: [
        {
          ...{ userId: person.id, guestName: null, seat: 'window', seatNumber: '12A' },
          ...{ seatClass: 'economy+', flightReason: 'leisure' },
        },
        { guestName: 'Bob' },
      ],
      track: {
        ...{ sourceFormat: 'gpx', sourceName: 'SK909.gpx', times: [1_771_587_840, 1_771_617_480] },
        coordinates: [
          [12.656, 55.618],
          [-74.169, 40.692, 10],
        ],
      },
    }
    const created = await call('api-v1-create-flight', {
      body,
      also: ['flight.passengers.manage.own', 'tracks.write'],
    })
    const { id } = ok(created, 201)
    assert.equal(created.headers.location, `/api/v1/flights/${id}`)

    const flight = ok(await call('api-v1-get-flight', { at: String(id) }))
    requireShape('flight', flight)
    for (const passenger of flight.passengers) requireShape('passenger', passenger)
    const { fromId, toId, airlineId, aircraftId, passengers, track, customFields, ...plain } = body
    for (const [key, value] of Object.entries(plain)) assert.deepEqual(flight[key], value, key)
    assert.deepEqual(
      [flight.from.id, flight.to.id, flight.airline.id, flight.aircraft.id],
      [fromId, toId, airlineId, aircraftId],
    )
    assert.deepEqual(
      flight.passengers.map((one: Json) => [
        one.user?.username ?? one.guestName,
        one.seatNumber,
        one.seatClass,
      ]),
      [
        [person.username, '12A', 'economy+'],
        ['Bob', null, null],
      ],
    )
    const whole = ok(await call('api-v1-get-flight-track', { at: String(id) }))
    requireShape('track', whole)
    assert.deepEqual([whole.coordinates, whole.times], [track.coordinates, track.times])

    // A full replacement with what was read: passengers by their ids, nothing else named is kept.
    const replaced = ok(
      await call('api-v1-update-flight', {
        at: String(id),
        body: {
          ...{ date: '2026-02-21', fromId, toId },
          passengers: flight.passengers.map(({ user, ...seat }: Json) => ({
            ...seat,
            userId: user?.id ?? null,
          })),
        },
      }),
    )
    requireShape('flight', replaced)
    assert.deepEqual(
      [replaced.date, replaced.flightNumber, replaced.track?.pointCount],
      ['2026-02-21', null, 2],
    )
    assert.equal((await call('api-v1-delete-flight-track', { at: String(id) })).status, 204)
    assert.equal(ok(await call('api-v1-get-flight-track', { at: String(id) })), null)
    requireShape('track', ok(await call('api-v1-set-flight-track', { at: String(id), body: track })))
    assert.equal((await call('api-v1-delete-flight', { at: String(id) })).status, 204)
    assert.equal((await call('api-v1-get-flight', { at: String(id) })).status, 404)
  })

  test('lists have pages, statistics and exports every field', async () => {
    const { person, call } = await program()
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    const { id: airlineId } = ok(await call('api-v1-search-airlines', { at: '?query=SAS' }))[0]
    for (const date of ['2025-01-01', '2025-01-02', '2025-01-03']) {
      const passengers = [{ userId: person.id }]
      ok(await call('api-v1-create-flight', { body: { date, fromId, toId, airlineId, passengers } }), 201)
    }
    const first = await call('api-v1-list-flights', { at: '?scope=mine&limit=2' })
    assert.deepEqual(
      ok(first).map((flight: Json) => flight.date),
      ['2025-01-03', '2025-01-02'],
    )
    for (const flight of ok(first)) requireShape('flight', flight)
    const last = await call('api-v1-list-flights', { at: `?limit=2&cursor=${first.json.page.nextCursor}` })
    assert.deepEqual(
      ok(last).map((flight: Json) => flight.date),
      ['2025-01-01'],
    )
    assert.equal(last.json.page.nextCursor, null)

    const stats = ok(await call('api-v1-get-stats'))
    requireShape('stats', stats)
    assert.deepEqual([stats.flights, stats.airports, stats.topRoute.count], [3, 2, 3])
    const exported = await call('api-v1-export-flights', { at: '?format=json' })
    assert.equal(exported.json.flights.length, 3)
    assert.match(
      (await call('api-v1-export-flights', { at: '?format=yaml' })).text,
      /^users:|^flights:|^version:/m,
    )
  })

  test('reference data, own settings, countries and shares have its fields and statuses', async () => {
    const { call } = await program()
    requireShape('me', ok(await call('api-v1-get-me')))
    for (const [kind, one, query] of [
      ['airports', 'airport', 'CPH'],
      ['airlines', 'airline', 'SAS'],
      ['aircraft', 'aircraft', 'A320'],
    ] as const) {
      const reply = await call(`api-v1-search-${kind}`, { at: `?query=${query}` })
      assert.deepEqual(reply.json.page, { nextCursor: null })
      requireShape(one, ok(reply)[0])
      requireShape(one, ok(await call(`api-v1-get-${one}`, { at: String(ok(reply)[0].id) })))
    }
    assert.deepEqual(ok(await call('api-v1-list-custom-fields')), [])
    const preferences = await call('api-v1-update-preferences', {
      body: { distanceUnit: 'nm', timeFormat: '24h' },
    })
    assert.equal(ok(preferences).updated, true)

    const country = { code: 'dk', status: 'visited', note: null }
    requireShape('country', ok(await call('api-v1-set-visited-country', { body: country })))
    assert.equal(ok(await call('api-v1-list-visited-countries'))[0].code, 'DK')
    assert.equal((await call('api-v1-remove-visited-country', { at: '?code=DK' })).status, 204)

    const share = ok(await call('api-v1-create-share', { body: {} }), 201)
    requireShape('share', share)
    assert.match(share.slug, /^[a-z0-9]{12}$/)
    const changed = ok(
      await call('api-v1-update-share', {
        at: String(share.id),
        body: { slug: share.slug, showTimes: true },
      }),
    )
    assert.equal(changed.showTimes, true)
    requireShape('share', ok(await call('api-v1-list-shares'))[0])
    assert.equal((await call('api-v1-delete-share', { at: String(share.id) })).status, 204)
  })

  test('people and roles have its fields and statuses', async () => {
    const { call } = await program('owner')
    for (const user of ok(await call('api-v1-list-users'))) requireShape('user', user)
    const name = `Readers ${Date.now()}`
    // A key can only grant what it may do itself.
    const also = ['flight.read.any']
    const { id } = ok(await call('api-v1-create-role', { also, body: { name, permissions: also } }), 201)
    const roles = ok(await call('api-v1-list-roles'))
    for (const role of roles) requireShape('role', role)
    assert.deepEqual(roles.find((role: Json) => role.id === id).permissions, also)
    const updated = await call('api-v1-update-role', { also, at: id, body: { name, permissions: [] } })
    assert.deepEqual([ok(updated).id, ok(updated).updated], [id, true])
    assert.equal((await call('api-v1-delete-role', { also, at: id })).status, 204)
  })

  test('errors have its status, code and details', async () => {
    const { person, call } = await program()
    const refused = (reply: Json, status: number, code: string) => {
      assert.equal(reply.status, status, reply.text)
      assert.equal(reply.json.error.code, code)
      assert.equal(typeof reply.json.error.message, 'string')
      return reply.json.error
    }
    refused(await app().request('GET', '/api/v1/me', { key: 'unknown' }), 401, 'unauthorized')
    const narrow = await person.key(['profile.read'])
    refused(await app().request('GET', '/api/v1/flights', { key: narrow }), 403, 'insufficient_scope')
    refused(await call('api-v1-list-roles'), 403, 'forbidden')
    refused(await call('api-v1-get-flight', { at: '999999999' }), 404, 'not_found')
    refused(await call('api-v1-list-flights', { at: '?limit=0' }), 400, 'bad_request')
    refused(await call('api-v1-list-flights', { at: '?cursor=!' }), 400, 'bad_request')
    const { details } = refused(
      await call('api-v1-create-flight', {
        body: { date: '2026-05-01', fromId: 1, toId: 2, passengers: [] },
      }),
      ...([422, 'validation_failed'] as const),
    )
    assert.deepEqual([details[0].code, details[0].path], ['too_small', ['passengers']])
    const slug = { body: { slug: 'taken-by-ada' } }
    ok(await call('api-v1-create-share', slug), 201)
    refused(await call('api-v1-create-share', slug), 409, 'conflict')
  })
})

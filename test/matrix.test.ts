// The authorization matrix, cell by cell: scopes of the credential × permissions of the role × whether the caller is on the flight
// → status and code.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Permission, Scope } from '../server/domain/access/access.ts'
import { packTrack, upsertTrack } from '../server/store/flights/tracks.ts'
import { onBothEngines, type Reply, type TestApp } from './harness.ts'

type Level = 'none' | 'own' | 'any'
type Target = 'on it' | 'not on it' | 'absent'
type Outcome = 'ok' | 'insufficient_scope' | 'forbidden' | 'not_found'

/** Rows of the contract: scope, role, target → outcome; `absent` may differ for PUT, which looks the flight up first. */
function expected(scope: Level, role: Level, target: Target, action: 'read' | 'update' | 'delete'): Outcome {
  if (scope === 'none') return 'insufficient_scope'
  if (role === 'none') return 'forbidden'
  if (target === 'on it') return 'ok'
  if (role === 'own') return 'not_found'
  if (scope === 'own') return target === 'absent' && action === 'update' ? 'not_found' : 'insufficient_scope'
  return target === 'absent' ? 'not_found' : 'ok'
}

const levels: Level[] = ['none', 'own', 'any']
const targets: Target[] = ['on it', 'not on it', 'absent']
const statusOf: Record<Outcome, number> = { ok: 200, insufficient_scope: 403, forbidden: 403, not_found: 404 }

const track: { coordinates: [number, number][]; sourceFormat: string } = {
  coordinates: [
    [1, 2],
    [3, 4],
  ],
  sourceFormat: 'gpx',
}

onBothEngines('authorization matrix', (app) => {
  let route: { fromId: number; toId: number }
  let owner: { id: string; key: string }
  before(async () => {
    route = { fromId: await app().airportId('CPH'), toId: await app().airportId('LHR') }
    const person = await app().person('owner')
    owner = { id: person.id, key: await person.key() }
  })

  const logFlight = async (userIds: string[]): Promise<number> => {
    const body = { date: '2026-01-01', ...route, passengers: userIds.map((userId) => ({ userId })) }
    const reply = await app().request('POST', '/api/v1/flights', { key: owner.key, body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id
  }

  /** A caller whose role permits and whose key has exactly these forms of the action. */
  const caller = async (
    action: string,
    scope: Level,
    role: Level,
    more: { scopes?: Scope[]; permissions?: Permission[] } = {},
  ) => {
    const permissions = [
      ...(role === 'none' ? [] : [`flight.${action}.${role}`]),
      ...(more.permissions ?? []),
    ]
    const scopes = [...(scope === 'none' ? [] : [`flight.${action}.${scope}`]), ...(more.scopes ?? [])]
    const person = await app().person(permissions as Permission[])
    return { id: person.id, key: await person.key(scopes as Scope[]) }
  }

  for (const action of ['read', 'update', 'delete'] as const) {
    test(`${action}: every combination of role and scope has the expected result`, async () => {
      for (const scope of levels) {
        for (const role of levels) {
          for (const target of targets) {
            const who = await caller(action, scope, role)
            const id =
              target === 'absent' ? 999_999 : await logFlight([target === 'on it' ? who.id : owner.id])
            const reply = await act(app(), action, id, who, route, target === 'on it' ? who.id : owner.id)
            check(
              reply,
              expected(scope, role, target, action),
              `${action} scope=${scope} role=${role} ${target}`,
              action,
            )
          }
        }
      }
    })
  }

  test('create: every combination of role and scope has the expected result', async () => {
    const cells: [Level, Level, boolean, boolean, Level, Level, Outcome][] = [
      // create scope, create role, includes the caller, two passengers, passengers scope, passengers role → outcome
      ['none', 'any', true, false, 'none', 'none', 'insufficient_scope'],
      ['own', 'none', true, false, 'none', 'none', 'forbidden'],
      ['own', 'own', true, false, 'none', 'none', 'ok'],
      ['any', 'own', true, false, 'none', 'none', 'ok'],
      ['own', 'own', false, false, 'none', 'none', 'forbidden'],
      ['any', 'own', false, false, 'none', 'none', 'forbidden'],
      ['own', 'any', false, false, 'none', 'none', 'insufficient_scope'],
      ['any', 'any', false, false, 'none', 'none', 'ok'],
      ['own', 'own', true, true, 'own', 'none', 'forbidden'],
      ['own', 'own', true, true, 'none', 'own', 'insufficient_scope'],
      ['own', 'own', true, true, 'own', 'own', 'ok'],
      ['any', 'any', false, true, 'own', 'any', 'insufficient_scope'],
      ['any', 'any', false, true, 'any', 'own', 'forbidden'],
      ['any', 'any', false, true, 'any', 'any', 'ok'],
    ]
    for (const [scope, role, includes, two, passengerScope, passengerRole, outcome] of cells) {
      const manage = (level: Level) => (level === 'none' ? [] : [`flight.passengers.manage.${level}`])
      const who = await caller('create', scope, role, {
        scopes: manage(passengerScope) as Scope[],
        permissions: manage(passengerRole) as Permission[],
      })
      const first = { userId: includes ? who.id : owner.id }
      const passengers = two ? [first, { guestName: 'Bob' }] : [first]
      const reply = await app().request('POST', '/api/v1/flights', {
        key: who.key,
        body: { date: '2026-01-01', ...route, passengers },
      })
      check(
        reply,
        outcome,
        JSON.stringify([scope, role, includes, two, passengerScope, passengerRole]),
        'create',
      )
    }
  })

  test('changing passengers: the role hides them, and the credential’s missing scope is named', async () => {
    const change = async (scope: Level, role: Level, onFlight: boolean) => {
      const manage = (level: Level) => (level === 'none' ? [] : [`flight.passengers.manage.${level}`])
      const who = await caller('update', 'any', 'any', {
        scopes: manage(scope) as Scope[],
        permissions: manage(role) as Permission[],
      })
      const passenger = onFlight ? who.id : owner.id
      const id = await logFlight([passenger])
      const same = await act(app(), 'update', id, who, route, passenger)
      assert.equal(same.status, 200, `unchanged passengers need nothing: ${same.text}`)
      return app().request('PUT', `/api/v1/flights/${id}`, {
        key: who.key,
        body: { date: '2026-01-01', ...route, passengers: [{ userId: passenger, seat: 'window' }] },
      })
    }
    check(await change('own', 'none', true), 'not_found', 'role none', 'update')
    check(await change('none', 'own', true), 'insufficient_scope', 'scope none', 'update')
    check(await change('own', 'own', true), 'ok', 'own on own', 'update')
    check(await change('any', 'own', false), 'not_found', 'own role on foreign', 'update')
    const narrow = await change('own', 'any', false)
    check(narrow, 'insufficient_scope', 'own scope on foreign', 'update')
    const challenge = String(narrow.headers['www-authenticate'])
    for (const needed of ['flight.update.any', 'flight.passengers.manage.any']) {
      assert.ok(challenge.includes(needed), `all that is needed: ${challenge}`)
    }
    check(await change('any', 'any', false), 'ok', 'any on foreign', 'update')
  })

  test('a list, an export or statistics of other people’s flights are refused, never masked', async () => {
    const cells: [Level, Level, string, Outcome][] = [
      ['none', 'any', '', 'insufficient_scope'],
      ['own', 'none', '', 'forbidden'],
      ['own', 'own', '', 'ok'],
      ['own', 'own', '?scope=mine', 'ok'],
      ['own', 'own', '?scope=user&userId=SELF', 'ok'],
      ['own', 'own', '?scope=user&userId=nobody', 'insufficient_scope'],
      ['any', 'own', '?scope=user&userId=nobody', 'forbidden'],
      ['any', 'own', '?scope=all', 'forbidden'],
      ['own', 'any', '?scope=all', 'insufficient_scope'],
      ['any', 'any', '?scope=all', 'ok'],
      ['any', 'any', '?scope=user&userId=OTHER', 'ok'],
    ]
    // In addition, each caller may do everything else that the other paths need.
    const addresses: [string, string, Scope[]][] = [
      ['/flights', 'read', ['flight.export.any', 'stats.read']],
      ['/flights/export', 'export', ['flight.read.any', 'stats.read']],
      ['/stats', 'read', ['flight.export.any', 'stats.read']],
    ]
    const other = await app().person()
    for (const [path, action, scopes] of addresses) {
      const permissions = scopes.filter((scope) => scope !== 'stats.read') as Permission[]
      for (const [scope, role, query, outcome] of cells) {
        const who = await caller(action, scope, role, { scopes, permissions })
        const search = query.replace('SELF', who.id).replace('OTHER', other.id)
        const reply = await app().request('GET', `/api/v1${path}${search}`, { key: who.key })
        check(reply, outcome, `${path} ${scope} ${role} ${query}`, action)
      }
    }
  })

  test('an update names all missing scopes together, and only those the role could grant', async () => {
    const managing = ['flight.passengers.manage.any'] as const
    for (const [role, scopes, needed] of [
      ['any', [], 'flight.update.own flight.update.any tracks.write flight.passengers.manage.any'],
      [
        'any',
        ['tracks.write'],
        'flight.update.own flight.update.any tracks.write flight.passengers.manage.any',
      ],
      ['own', [], 'flight.update.own tracks.write'],
    ] as [Level, Scope[], string][]) {
      const permissions = role === 'any' ? [...managing] : []
      const who = await caller('update', 'own', role, { scopes, permissions })
      const reply = await app().request('PUT', `/api/v1/flights/${await logFlight([owner.id])}`, {
        key: who.key,
        body: { date: '2026-01-01', ...route, passengers: [{ guestName: 'Bob' }], track },
      })
      check(reply, 'insufficient_scope', `${role} ${scopes}`, 'update')
      assert.equal(/ scope="([^"]*)"/.exec(String(reply.headers['www-authenticate']))?.[1], needed)
    }
  })

  test('a track in the body needs tracks.write, including null for deletion', async () => {
    const who = await caller('update', 'own', 'own')
    const id = await logFlight([who.id])
    const put = (given: object | null) =>
      app().request('PUT', `/api/v1/flights/${id}`, {
        key: who.key,
        body: { date: '2026-01-01', ...route, passengers: [{ userId: who.id }], track: given },
      })
    check(await put(track), 'insufficient_scope', 'track', 'update')
    assert.equal((await put(null)).status, 200, 'no track exists')
    await app().store.transaction(async (tx) =>
      upsertTrack(tx, id, await packTrack({ ...track, sourceName: null }), '2026-01-01T00:00:00.000Z'),
    )
    check(await put(null), 'insufficient_scope', 'track', 'update')
    const creator = await caller('create', 'own', 'own')
    for (const given of [null, track]) {
      const created = await app().request('POST', '/api/v1/flights', {
        key: creator.key,
        body: { date: '2026-01-01', ...route, track: given },
      })
      check(created, 'insufficient_scope', 'track on a new flight', 'create')
    }
  })
})

function act(
  app: TestApp,
  action: 'read' | 'update' | 'delete',
  id: number,
  who: { key: string },
  route: object,
  passenger: string,
): Promise<Reply> {
  const method = { read: 'GET', update: 'PUT', delete: 'DELETE' }[action]
  const body = { date: '2026-01-01', ...route, passengers: [{ userId: passenger }] }
  return app.request(method, `/api/v1/flights/${id}`, {
    key: who.key,
    ...(action === 'update' ? { body } : {}),
  })
}

function check(reply: Reply, outcome: Outcome, cell: string, action: string): void {
  const success = { delete: 204, create: 201 }[action] ?? 200
  const got = reply.status < 300 ? 'ok' : reply.json?.error?.code
  assert.equal(got, outcome, `${cell}: ${reply.status} ${reply.text}`)
  assert.equal(reply.status, outcome === 'ok' ? success : statusOf[outcome], cell)
  const challenge = reply.headers['www-authenticate']
  if (outcome === 'insufficient_scope')
    assert.match(String(challenge), /^Bearer realm="contrail", error="insufficient_scope"/)
  else assert.equal(challenge, undefined, cell)
}

// Who may call what, for the whole registry: the reviewed access table, and every refusal that follows from an operation's
// declaration, through both APIs and on both engines. Review the line of a new operation in access-table.txt
// (`UPDATE=1 npm test -- test/access.test.ts` writes it). coverage.ts checks that every operation is tested.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type Permission,
  permissionForScope,
  permissions,
  type Scope,
  scopes,
  unusedPermissions,
} from '../server/domain/access.ts'
import type { Operation } from '../server/operation.ts'
import { operations } from '../server/operations/index.ts'
import { type Ask, onBothEngines, type Reply, type TestApp } from './harness.ts'

const tableFile = new URL('./access-table.txt', import.meta.url)

test('the access table is the one that was reviewed', () => {
  const table = accessTable()
  if (process.env['UPDATE']) writeFileSync(tableFile, table)
  assert.equal(
    table,
    readFileSync(tableFile, 'utf8'),
    'access has changed: run UPDATE=1 npm test -- test/access.test.ts and review the difference',
  )
})

test('every operation has one id and one address', () => {
  const ids = operations.map((op) => op.id)
  assert.deepEqual(ids, [...new Set(ids)])
  const addresses = operations.map(({ door, method, path }) => {
    const address = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
    // Pages are not below the root of an API.
    return door === 'page' ? `page ${address}` : address
  })
  assert.deepEqual(addresses, [...new Set(addresses)])
})

test('the permissions declared as unused are those that no operation needs', () => {
  const used = new Set(operations.flatMap(neededPermissions))
  assert.deepEqual(
    unusedPermissions,
    permissions.filter((permission) => !used.has(permission)),
  )
})

onBothEngines('access', (app) => {
  const closed = operations.filter((op) => op.access.who !== 'everyone')
  const forPrograms = closed.filter((op) => op.door !== 'app')

  test('without a credential: 401, with a challenge that names the scopes', async () => {
    for (const op of forPrograms) {
      const refusal = await call(app(), '/api/v1', op)
      expect(op, refusal, 401, 'unauthorized')
      assert.deepEqual(challenge(refusal), {
        realm: 'contrail',
        scope: requiredScopes(op).join(' ') || 'profile.read',
        resource_metadata: `${app().config.origin}/.well-known/oauth-protected-resource/api/v1`,
      })
      const invalid = await call(app(), '/api/v1', op, { key: 'ctk_nobody' })
      expect(op, invalid, 401, 'unauthorized')
      assert.equal(challenge(invalid).error, 'invalid_token')
    }
    for (const op of closed) {
      const refusal = await call(app(), '/app/api', op, { headers: sameOrigin })
      expect(op, refusal, 401, 'unauthorized')
      assert.equal(refusal.headers['www-authenticate'], undefined)
    }
  })

  test('a credential of the other door is none', async () => {
    const owner = await theOwner(app())
    for (const op of forPrograms) {
      expect(op, await call(app(), '/api/v1', op, { cookie: owner.cookie }), 401, 'unauthorized')
    }
    for (const op of closed) {
      const bearer = await call(app(), '/app/api', op, { key: owner.key, headers: sameOrigin })
      expect(op, bearer, 401, 'unauthorized')
    }
  })

  test('each required scope missing: 403 insufficient_scope, with a challenge that names all that are needed', async () => {
    const owner = await theOwner(app())
    for (const op of forPrograms) {
      const needed = requiredScopes(op)
      for (const missing of needed) {
        const refusal = await call(app(), '/api/v1', op, { key: await owner.keyWithout(missing) })
        expect(op, refusal, 403, 'insufficient_scope')
        const { error, scope } = challenge(refusal)
        assert.deepEqual([error, scope], ['insufficient_scope', needed.join(' ')], op.id)
      }
    }
  })

  test('a role without the permission: 403 forbidden at both doors, and nothing a wider token could mend', async () => {
    for (const op of closed) {
      for (const permission of requiredPermissions(op)) {
        const { key, cookie } = await someoneWithout(app(), permission)
        expect(op, await call(app(), '/app/api', op, { cookie }), 403, 'forbidden')
        if (op.door === 'app') continue
        const refusal = await call(app(), '/api/v1', op, { key })
        expect(op, refusal, 403, 'forbidden')
        assert.equal(refusal.headers['www-authenticate'], undefined)
      }
    }
  })

  test('what only people may do is not there for programs', async () => {
    const { key } = await theOwner(app())
    for (const op of operations.filter(({ door }) => door === 'app')) {
      const pathIsPublic = operations.some((other) => other.door !== 'app' && address(other) === address(op))
      const refusal = await call(app(), '/api/v1', op, { key })
      if (pathIsPublic) expect(op, refusal, 405, 'method_not_allowed')
      else expect(op, refusal, 404, 'not_found')
    }
  })

  test('a session changes nothing on behalf of a foreign page', async () => {
    const { cookie } = await theOwner(app())
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      {},
    ]
    for (const op of operations.filter(({ method }) => method !== 'GET')) {
      for (const headers of foreign) {
        const refusal = await app().request(op.method, `/app/api${address(op)}`, {
          headers: { cookie, ...headers },
        })
        expect(op, refusal, 403, 'forbidden')
      }
    }
  })
})

// The table

/** Columns have fixed widths, so that a new operation does not change the lines of others. */
const widths = [8, 6, 28, 24]

function accessTable(): string {
  const rows = operations.map((op) => [
    { v1: '/api/v1', app: '/app/api', page: '/' }[op.door ?? 'v1'],
    op.method,
    op.path || '/',
    op.id,
    accessText(op),
  ])
  const key = ([, method, path]: string[]) => `${path} ${method}`
  return rows
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .map((row) => `${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}\n`)
    .join('')
}

function accessText({ access }: Operation): string {
  if (access.who === 'everyone') return 'everyone'
  if (access.who === 'anyone with a credential') return 'any credential'
  const always =
    access.who === 'person' ? ['session', ...access.permissions] : [...access.scopes, ...ofRole(access)]
  const sometimes = access.conditional.length ? ` (sometimes: ${access.conditional.join(', ')})` : ''
  return always.join(' + ') + sometimes
}

/** What the role must permit beside the scopes. */
const ofRole = (access: Extract<Operation['access'], { who: 'credential with' }>): string[] =>
  (access.permissions ?? []).map((permission) => `role: ${permission}`)

// Callers

interface Caller {
  key: string
  cookie: string
}
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const owners = new WeakMap<TestApp, Promise<Caller & { keyWithout(scope: Scope): Promise<string> }>>()
const others = new Map<string, Promise<Caller>>()

function theOwner(app: TestApp) {
  let owner = owners.get(app)
  if (!owner) {
    owner = app.person('owner').then(async (person) => ({
      key: await person.key(),
      cookie: await person.session(),
      keyWithout: (missing) => person.key(scopes.filter((scope) => !covering(missing).includes(scope))),
    }))
    owners.set(app, owner)
  }
  return owner
}

function someoneWithout(app: TestApp, missing: Permission): Promise<Caller> {
  const name = `${app.url} ${missing}`
  let someone = others.get(name)
  if (!someone) {
    someone = app
      .person(permissions.filter((permission) => !covering(missing).includes(permission)))
      .then(async (person) => ({ key: await person.key(), cookie: await person.session() }))
    others.set(name, someone)
  }
  return someone
}

/** A name and the wider one that would cover it. */
const covering = (name: string): string[] => [name, name.replace(/\.own$/, '.any')]

// Calls

/** Access is checked before the input, so any path works and no body is needed. */
const address = (op: Operation) => op.path.replaceAll(/\{\w+\}/g, '1')
const call = (app: TestApp, door: string, op: Operation, ask: Ask = {}) =>
  app.request(op.method, door + address(op), ask)

const requiredScopes = ({ access }: Operation): readonly Scope[] =>
  access.who === 'credential with' ? access.scopes : []

function requiredPermissions({ access }: Operation): Permission[] {
  if (access.who === 'person') return [...access.permissions]
  if (access.who !== 'credential with') return []
  return [...access.scopes.flatMap((scope) => permissionForScope(scope) ?? []), ...(access.permissions ?? [])]
}

/** Those that only some calls of the operation need, too. */
function neededPermissions(op: Operation): Permission[] {
  const { access } = op
  if (access.who === 'person') return [...access.permissions, ...access.conditional]
  if (access.who !== 'credential with') return []
  const scopesNeeded = [...access.scopes, ...access.conditional]
  return [...scopesNeeded.flatMap((scope) => permissionForScope(scope) ?? []), ...(access.permissions ?? [])]
}

function expect(op: Operation, reply: Reply, status: number, code: string): void {
  assert.deepEqual([reply.status, reply.json?.error?.code], [status, code], `${op.id}: ${reply.text}`)
}

/** Parses `WWW-Authenticate` by its grammar (RFC 9110 §11.6.1): one scheme, a blank, quoted parameters. */
function challenge(reply: Reply): Record<string, string> {
  const header = reply.headers['www-authenticate'] ?? ''
  const parameter = /([a-z_]+)="([^"\\]*)"/g
  assert.match(header, /^Bearer [a-z_]+="[^"\\]*"(, [a-z_]+="[^"\\]*")*$/)
  return Object.fromEntries([...header.matchAll(parameter)].map(([, name, value]) => [name!, value!]))
}

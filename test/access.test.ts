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
} from '../server/domain/access/access.ts'
import { CONFIRMED_MS } from '../server/domain/accounts/sign-in.ts'
import { isWrite, type Operation } from '../server/door/operation.ts'
import { operations } from '../server/operations/index.ts'
import { type Ask, onSqlite, type Reply, type TestApp } from './harness.ts'

const tableFile = new URL('./access-table.txt', import.meta.url)

test('the access table equals the reviewed one', () => {
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
    // Pages are not under the root of an API.
    return door === 'page' ? `page ${address}` : address
  })
  assert.deepEqual(addresses, [...new Set(addresses)])
})

test('every write that grants access needs confirmation, or has a reason not to', () => {
  const writes = operations.filter((op) => isWrite(op) && op.access.who !== 'everyone')
  for (const op of writes) {
    const noun = op.path.split('/')[1]!
    assert.ok(givesAccess.includes(noun) !== givesNone.includes(noun), `${op.id}: does /${noun} give access?`)
    if (givesNone.includes(noun)) continue
    const isExempt = Object.hasOwn(withoutProof, op.id)
    assert.equal(op.confirms !== undefined, !isExempt, `${op.id}: declare confirms, or why it needs none`)
  }
  const ids = writes.map(({ id }) => id)
  assert.deepEqual(
    Object.keys(withoutProof).filter((id) => !ids.includes(id)),
    [],
  )
})

test('writes by programs that grant access declare the rights given, or require flight.read.own', () => {
  // The secret of a webhook proves the sender; it gives no access.
  const isGiven = (op: Operation) => op.method !== 'DELETE' && op.id !== 'rotate-webhook-secret'
  for (const op of operations.filter((one) => isWrite(one) && one.door !== 'app' && isGiven(one))) {
    if (!givesAccess.includes(op.path.split('/')[1]!) || Object.hasOwn(withoutProof, op.id)) continue
    if (op.gives) assert.ok(op.transaction !== 'own', `${op.id}: gives is asked inside the transaction`)
    else
      assert.ok(scopesOf(op).includes('flight.read.own'), `${op.id}: a link shows what its key may not read`)
  }
})

test('the permissions declared as unused are those that no operation needs', () => {
  const used = new Set(operations.flatMap(neededPermissions))
  assert.deepEqual(
    unusedPermissions,
    permissions.filter((permission) => !used.has(permission)),
  )
})

onSqlite('access', (app) => {
  const closed = operations.filter((op) => op.access.who !== 'everyone')
  const forPrograms = closed.filter((op) => op.door !== 'app')

  test('a request without a credential gets 401, with a challenge that names the scopes', async () => {
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

  test('a credential of the other interface is refused', async () => {
    const owner = await theOwner(app())
    for (const op of forPrograms) {
      expect(op, await call(app(), '/api/v1', op, { cookie: owner.cookie }), 401, 'unauthorized')
    }
    for (const op of closed) {
      const bearer = await call(app(), '/app/api', op, { key: owner.key, headers: sameOrigin })
      expect(op, bearer, 401, 'unauthorized')
    }
  })

  test('a missing scope gets 403 insufficient_scope, with a challenge that names all required ones', async () => {
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

  test('a role without the permission gets 403 forbidden on both interfaces, without a scope challenge', async () => {
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

  test('operations with lasting access are refused on an old session and run on a fresh one', async () => {
    const someone = await app().person([...permissions])
    const proven = operations.filter(({ confirms }) => confirms !== undefined)
    const [old, key] = [await someone.session(), await someone.key()]
    app().clock.advance(CONFIRMED_MS)
    for (const op of proven) {
      const body = needsProof[op.id]
      assert.ok(op.confirms === true || body !== undefined, `${op.id}: a body that needs a proof is missing`)
      const refusal = await call(app(), '/app/api', op, { cookie: old, body })
      expect(op, refusal, 403, 'forbidden')
      assert.equal(refusal.json.error.reason, 'confirmation_required', op.id)
    }
    const fresh = await someone.session()
    for (const op of proven.filter(({ confirms }) => confirms === true)) {
      const reply = await call(app(), '/app/api', op, { cookie: fresh })
      assert.notEqual(reply.json?.error?.reason, 'confirmation_required', op.id)
      if (op.door === 'app') continue
      const byKey = await call(app(), '/api/v1', op, { key })
      assert.notEqual(byKey.json?.error?.reason, 'confirmation_required', `${op.id} with a key`)
    }
  })

  test('a credential gives nothing beyond its scopes', async () => {
    const owner = await theOwner(app())
    const giving = operations.filter(({ gives }) => gives)
    assert.ok(giving.length > 0)
    for (const op of giving) {
      const key = await owner.keyWith(requiredScopes(op))
      const give = (permission: Permission) =>
        app().request(op.method, `/api/v1${op.path.replace('{id}', 'role-user')}`, {
          key,
          body: { name: 'User', permissions: [permission] },
        })
      expect(op, await give('flight.read.any'), 403, 'insufficient_scope')
      const refusal = await give('users.update')
      assert.equal(refusal.json.error.reason, 'permission_not_given', `${op.id}: ${refusal.text}`)
    }
  })

  test('operations for people only do not exist for programs', async () => {
    const { key } = await theOwner(app())
    for (const op of operations.filter(({ door }) => door === 'app')) {
      const pathIsPublic = operations.some((other) => other.door !== 'app' && address(other) === address(op))
      const refusal = await call(app(), '/api/v1', op, { key })
      if (pathIsPublic) expect(op, refusal, 405, 'method_not_allowed')
      else expect(op, refusal, 404, 'not_found')
    }
  })

  test('a session cannot be used by a page of another site', async () => {
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

// What gives access

/** The first part of paths with credentials, roles, people and links. */
const givesAccess = [
  ...[
    'api-keys',
    'confirm',
    'connected-apps',
    'default-role',
    'feeds',
    'identities',
    'instance',
    'invitations',
  ],
  ...['me', 'passkeys', 'roles', 'second-factor', 'sessions', 'shares', 'sign-out', 'sign-out-everywhere'],
  ...['users', 'webhooks'],
]
/** All other first parts: what can be logged, imported or looked up. */
const givesNone = [
  ...[
    'aircraft',
    'airlines',
    'airports',
    'backups',
    'custom-fields',
    'demo',
    'flight-deletions',
    'flight-restorations',
  ],
  ...['flights', 'history', 'import-answers', 'imports', 'mail-address', 'mailboxes', 'notices'],
  // The scope says that the person's notifications can be received with it.
  ...['notification-mail', 'notification-settings', 'push-subscriptions'],
  ...['preferences', 'share-preview', 'subscriptions', 'trips', 'visited-countries'],
]

const isTheProof = 'it is the proof'
const takesAway = 'it takes access away, and a person who lost a device is in a hurry'
const mails = 'it is about the address that was set with a proof'
const publishes = 'it publishes what its dialog shows and opens no account; families do it daily'
const withoutProof: Record<string, string> = {
  'confirm-with-password': isTheProof,
  'start-passkey-confirmation': isTheProof,
  'confirm-with-passkey': isTheProof,
  'add-passkey': 'its challenge was given after a proof',
  'rename-passkey': 'only a name',
  'send-email-verification': mails,
  'verify-email': mails,
  'delete-api-key': takesAway,
  'delete-connected-app': takesAway,
  'delete-feed': takesAway,
  'delete-invitation': takesAway,
  'delete-reset-link': takesAway,
  'delete-session': takesAway,
  'delete-share': takesAway,
  'delete-webhook': takesAway,
  'sign-out': takesAway,
  'sign-out-everywhere': takesAway,
  'create-share': publishes,
  'update-share': publishes,
  'ping-webhook': 'it sends to an address that was given with a proof',
  'retry-webhook-delivery': 'it sends to an address that was given with a proof',
}

/** If the body decides: one for which a confirmation is needed. */
const needsProof: Record<string, object> = {
  'change-password': { newPassword: 'kitty hawk 1903' },
  'delete-me': {},
  'not-me': {},
  'update-profile': { username: 'wilbur', displayName: 'Wilbur', email: 'wilbur@example.org' },
}

// The table

/** Columns have fixed widths, so that a new operation does not change the lines of others. */
const widths = [8, 6, 28, 24]

function accessTable(): string {
  const rows = operations.map((op) => [
    { v1: '/api/v1', app: '/app/api', page: '/' }[op.door ?? 'v1'],
    op.method,
    op.path || '/',
    op.id,
    [accessText(op), ...marksOf(op)].join('  '),
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

/** A session must be fresh; a credential gives only what it holds itself. */
const marksOf = ({ confirms, gives }: Operation): string[] => [
  ...(confirms === undefined ? [] : [confirms === true ? '[proof]' : '[proof sometimes]']),
  ...(gives ? ['[gives within its scopes]'] : []),
]

/** What the role must permit in addition to the scopes. */
const ofRole = (access: Extract<Operation['access'], { who: 'credential with' }>): string[] =>
  (access.permissions ?? []).map((permission) => `role: ${permission}`)

// Callers

interface Caller {
  key: string
  cookie: string
}
interface OwnerCaller extends Caller {
  keyWith(scopes: readonly Scope[]): Promise<string>
  keyWithout(scope: Scope): Promise<string>
}
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const owners = new WeakMap<TestApp, Promise<OwnerCaller>>()
const others = new Map<string, Promise<Caller>>()

function theOwner(app: TestApp) {
  let owner = owners.get(app)
  if (!owner) {
    owner = app.person('owner').then(async (person) => ({
      key: await person.key(),
      cookie: await person.session(),
      keyWith: (wanted) => person.key(wanted),
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

/** A permission and the wider one that includes it. */
const covering = (name: string): string[] => [name, name.replace(/\.own$/, '.any')]

// Calls

/** Access is checked before the input, so any path works and no body is needed. */
const address = (op: Operation) => op.path.replaceAll(/\{\w+\}/g, '1')
const call = (app: TestApp, door: string, op: Operation, ask: Ask = {}) =>
  app.request(op.method, door + address(op), ask)

const scopesOf = ({ access }: Operation): readonly Scope[] =>
  access.who === 'credential with' ? [...access.scopes, ...access.conditional] : []
const requiredScopes = ({ access }: Operation): readonly Scope[] =>
  access.who === 'credential with' ? access.scopes : []

function requiredPermissions({ access }: Operation): Permission[] {
  if (access.who === 'person') return [...access.permissions]
  if (access.who !== 'credential with') return []
  return [...access.scopes.flatMap((scope) => permissionForScope(scope) ?? []), ...(access.permissions ?? [])]
}

/** Also those that only some calls of the operation need. */
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

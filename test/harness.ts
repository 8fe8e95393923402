// The basis of every suite: the real application on a real engine, listening on a real port. Only the clock and, where a test
// requests it, external hosts are faked.
import assert from 'node:assert/strict'
import { constants, copyFileSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import * as z from 'zod'
import { type AppParts, createApp } from '../server/app.ts'
import { type Config, readConfig } from '../server/base/config.ts'
import { serversOf } from '../server/base/database-url.ts'
import { createLogger } from '../server/base/log.ts'
import { createSecret, randomId } from '../server/base/secret/secrets.ts'
import { scopes as everyScope, type Permission, type Scope } from '../server/domain/access/access.ts'
import { defaultPreferences } from '../server/domain/people/preferences.ts'
import { allReasons, messageOf, type Problem, type Reason } from '../server/domain/reasons.ts'
import { daysOf } from '../server/domain/reference/code-periods.ts'
import { recordOf } from '../server/domain/reference/resolution.ts'
import { MINUTE } from '../server/domain/time/durations.ts'
import type { Services } from '../server/door/services.ts'
import { defaultTimeouts } from '../server/http/connections.ts'
import { readWebFiles } from '../server/http/web.ts'
import { airports, resolveCode } from '../server/services/reference/resolve/records.ts'
import { indexFolder } from '../server/services/reference/search/file.ts'
import { insertApiKey } from '../server/store/access/api-keys.ts'
import { insertRole } from '../server/store/access/roles.ts'
import { insertSession } from '../server/store/accounts/sessions.ts'
import { insertPerson } from '../server/store/people/people.ts'
import { openStore, type Store, sqliteFile } from '../server/store/store.ts'
import { requireAuditEvents } from './authority.ts'
import { unlimited } from './batch.ts'
import { createAnswerNotes } from './coverage.ts'
import { freePort } from './postgres.ts'
import { readVocabulary, requireListedSql } from './sent-sql.ts'
import { delayPages } from './slow.ts'

export type EngineName = 'sqlite' | 'postgres'

export interface Reply {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
}

export interface Ask {
  key?: string | undefined
  cookie?: string | undefined
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged. */
  raw?: string | Buffer
}

export interface TestPerson {
  id: string
  username: string
  displayName: string
  /** An API key with these scopes; with all of them if none are named. */
  key(scopes?: readonly Scope[], legacyFormat?: 'codes' | 'objects'): Promise<string>
  /** The Cookie header of a new session. */
  session(): Promise<string>
}

export interface TestApp {
  engine: EngineName
  store: Store
  services: Services
  config: Config
  clock: TestClock
  url: string
  /** Every line that was logged. */
  logged: string[]
  /** Open connections, as counted by node:http. */
  connections: Server['getConnections']
  /** Every mounted route, as `METHOD /path` with its declared parameters. */
  routes(): string[]
  request(method: string, path: string, ask?: Ask): Promise<Reply>
  /** A new person: the owner, or one with a role by id, or with a role made of exactly these permissions. */
  person(role?: 'owner' | 'role-user' | 'role-administrator' | Permission[]): Promise<TestPerson>
  airportId(code: string): Promise<number>
}

export interface TestClock {
  now(): number
  set(time: string | number): void
  advance(ms: number): void
}

export const createTestClock = (start = '2026-06-15T12:00:00Z'): TestClock => {
  let current = Date.parse(start)
  return {
    now: () => current,
    set(time) {
      current = typeof time === 'number' ? time : Date.parse(time)
    },
    advance(ms) {
      current += ms
    },
  }
}

const chosenEngine = process.env['TEST_ENGINE']
/** The engines of this run: both, or the one that the batch names. */
export const engines = (['sqlite', 'postgres'] as const).filter(
  (one) => !chosenEngine || one === chosenEngine,
)

/** Defines the suite on each chosen engine, SQLite and PostgreSQL, with a separate application. */
export function onBothEngines(
  name: string,
  suite: (app: () => TestApp, engine: EngineName) => void,
  settings: Partial<Config> = {},
  parts: TestParts = {},
): void {
  for (const engine of engines)
    describe(`${name} on ${engine}`, unlimited, () => withApp(engine, suite, settings, parts))
}

/** One application for all tests of the suite. */
function withApp(
  engine: EngineName,
  suite: (app: () => TestApp, engine: EngineName) => void,
  settings: Partial<Config>,
  parts: TestParts,
): void {
  let app: TestApp & { close(): Promise<void> }
  before(async () => {
    app = await startTestApp(engine, settings, parts)
  })
  after(() => app?.close())
  suite(() => app, engine)
}

/** Defines a suite that does not depend on the engine, on SQLite only. */
export function onSqlite(
  name: string,
  suite: (app: () => TestApp) => void,
  settings: Partial<Config> = {},
  parts: TestParts = {},
): void {
  if (engines.includes('sqlite')) describe(name, unlimited, () => withApp('sqlite', suite, settings, parts))
}

/** Declares a test that does not depend on the engine, in a suite on both: it runs on SQLite only. */
export const testOnSqlite =
  (engine: EngineName) =>
  (name: string, run: (context: TestContext) => void | Promise<void>): void => {
    if (engine === 'sqlite') void test(name, run)
  }

/** Parts of an application besides its settings. */
export interface TestParts
  extends Pick<
    AppParts,
    'outside' | 'setupToken' | 'webFiles' | 'docsFolder' | 'timeouts' | 'limitEntries' | 'lookup' | 'push'
  > {
  /** The configured origin is the address where the application listens, so that real clients can follow its links. */
  atOrigin?: boolean | 'localhost'
  /** Its responses do not count as tested by a suite. */
  getsRandomRequests?: true
}

if (process.env['TEST_CONFLICTS'] === 'aborted') await import('./aborted-statements.ts')

let copies = 0
/** Every application of a test process reads the same web app. */
const shared = { webFiles: readWebFiles() }

/** A fresh database of the engine, reference data loaded. */
export async function freshDatabase(
  engine: EngineName,
): Promise<{ databaseUrl: string | undefined; dataDir: string; drop(): Promise<void> }> {
  const name = `test_${process.pid}_${copies++}`
  const dataDir = join(environment('TEST_SCRATCH'), name)
  // Keeps the system from writing files that no suite reads any more.
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  const kept = environment('TEST_TEMPLATE_DIR')
  linkIndexes(kept, dataDir)
  if (engine === 'sqlite') {
    copyTemplate(kept, dataDir)
    return { databaseUrl: undefined, dataDir, drop: async () => removeFolder() }
  }
  const admin = environment('TEST_POSTGRES')
  // Copying files costs half of what writing each page into the log costs.
  const template = environment('TEST_TEMPLATE_DATABASE')
  await runSql(admin, `create database ${name} template ${template} strategy file_copy`)
  if (process.env['TEST_CONFLICTS'] === 'serializable')
    await runSql(admin, `alter database ${name} set default_transaction_isolation = 'serializable'`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return {
    databaseUrl: url.href,
    dataDir,
    async drop() {
      await runSql(admin, `drop database if exists ${name} with (force)`)
      removeFolder()
    },
  }
}

/** Both engines have the same records. The application never writes into a file that is there. */
function linkIndexes(from: string, to: string): void {
  mkdirSync(indexFolder(to), { recursive: true, mode: 0o700 })
  for (const name of readdirSync(indexFolder(from)))
    linkOrCopy(join(indexFolder(from), name), join(indexFolder(to), name))
}

/** Scratch folders may be on another disk. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

function copyTemplate(from: string, to: string): void {
  const [source, copy] = [from, to].map((dataDir) => sqliteFile({ dataDir })) as [string, string]
  copyFileSync(source, copy, constants.COPYFILE_FICLONE)
}

/** The database that the settings name, or else a fresh one. */
const databaseFor = (engine: EngineName, { databaseUrl, dataDir }: Partial<Config>) =>
  dataDir && (engine === 'sqlite' || databaseUrl)
    ? { databaseUrl, dataDir, drop: async () => {} }
    : freshDatabase(engine)

/** On a busy machine a response may take longer than real clients wait. */
const patient = { ...defaultTimeouts, silenceMs: 5 * MINUTE }

export async function startTestApp(
  engine: EngineName,
  settings: Partial<Config> = {},
  { atOrigin = false, getsRandomRequests, ...parts }: TestParts = {},
): Promise<TestApp & { close(): Promise<void> }> {
  const { databaseUrl, dataDir, drop } = await databaseFor(engine, settings)
  const logged: string[] = []
  const log = createLogger('debug', (line) => void logged.push(line))
  const listenOn = atOrigin ? await freePort() : 0
  const host = atOrigin === 'localhost' ? atOrigin : '127.0.0.1'
  const origin = atOrigin ? { origin: `http://${host}:${listenOn}` } : {}
  const config: Config = {
    ...readConfig({ BACKUP_DIR: 'off' }),
    databaseUrl,
    dataDir,
    host: '127.0.0.1',
    ...origin,
    ...settings,
  }
  const store = await openStore(config, log)
  if (databaseUrl && serversOf(databaseUrl).length === 1) await readVocabulary(databaseUrl)
  const clock = createTestClock()
  const { server, services } = createApp({
    store: requireAuditEvents(store),
    config,
    clock,
    log,
    onOutput: requireDeclaredOutput,
    timeouts: patient,
    ...shared,
    ...parts,
  })
  delayPages(server.server)
  await server.listen({ port: listenOn, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const url = `http://${host}:${port}`
  const answers = createAnswerNotes(engine, environment('TEST_SCRATCH'))
  const agent = new http.Agent({ keepAlive: true, maxSockets: 20 })
  return {
    engine,
    store,
    services,
    config,
    clock,
    url,
    logged,
    connections: server.server.getConnections.bind(server.server),
    routes: () => routesIn(server.printRoutes({ commonPrefix: false })),
    async request(method, path, ask) {
      const reply = await send(agent, port, method, path, ask)
      answers.note(method, path, reply)
      requireKnownReasons(reply)
      return reply
    },
    person: (role = 'role-user') => createPerson(store, clock, role),
    async airportId(code) {
      const today = daysOf(new Date(clock.now()).toISOString().slice(0, 10))
      const airport = recordOf(await resolveCode(store.read, airports, code, today))
      assert.ok(airport, `no airport ${code}`)
      return airport.id
    },
    async close() {
      if (!getsRandomRequests) answers.save()
      agent.destroy()
      await server.close()
      await store.close()
      requireListedSql()
      await drop()
    },
  }
}

/** The framework prints its routes as a tree, four columns per level. */
function routesIn(tree: string): string[] {
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, methods] = /^(.*)[├└]── (\S+) \((.+)\)$/.exec(line) ?? []
    if (indent === undefined) return []
    const level = indent.length / 4
    parents[level] = (level === 0 ? '' : parents[level - 1]!) + part!
    return methods!.split(', ').map((method) => `${method} ${parents[level]}`)
  })
}

/** A response has exactly the declared fields. */
const requireDeclaredOutput: NonNullable<Services['onOutput']> = (op, output) => {
  if (op.status === 204) {
    assert.equal(output, undefined, `${op.id} answers 204 with a body`)
    return
  }
  const plain = JSON.parse(JSON.stringify(output))
  const parsed = op.output.safeParse(plain)
  assert.ok(
    parsed.success,
    `${op.id} answers what it does not declare: ${parsed.error && z.prettifyError(parsed.error)}`,
  )
  assert.deepEqual(JSON.parse(JSON.stringify(parsed.data)), plain, `${op.id} answers undeclared fields`)
}

interface WireProblem {
  reason: Reason
  message: string
  params?: unknown
}

/** Every error and every detail has a reason of the catalogue, and the message is that reason's. */
function requireKnownReasons({ json, text }: Reply): void {
  const error = json?.error as (WireProblem & { code?: unknown; details?: WireProblem[] }) | undefined
  // OAuth and JSON-RPC have their own error formats.
  if (typeof error !== 'object' || error === null || typeof error.code !== 'string') return
  for (const { reason, message, params } of [error, ...(error.details ?? [])]) {
    assert.ok(allReasons.includes(reason), `no such reason: ${text}`)
    assert.equal(message, messageOf({ reason, params } as Problem), text)
  }
}

/** One request to a server on this machine. */
export function send(
  agent: http.Agent | false,
  port: number,
  method: string,
  path: string,
  ask: Ask = {},
): Promise<Reply> {
  const headers: Record<string, string> = {}
  if (ask.key) headers['authorization'] = `Bearer ${ask.key}`
  if (ask.cookie) {
    headers['cookie'] = ask.cookie
    headers['sec-fetch-site'] = 'same-origin'
  }
  const payload = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body))
  if (payload !== undefined) headers['content-type'] = 'application/json'
  Object.assign(headers, ask.headers)
  if (payload !== undefined) headers['content-length'] ??= String(Buffer.byteLength(payload))
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json')
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          json: isJson && text ? JSON.parse(text) : undefined,
        })
      })
    })
    request.on('error', reject)
    request.end(payload)
  })
}

let people = 0

async function createPerson(
  store: Store,
  clock: TestClock,
  role: 'owner' | 'role-user' | 'role-administrator' | Permission[],
): Promise<TestPerson> {
  const id = randomId()
  const number = people++
  const names = { username: `person${number}`, displayName: `Person ${number}` }
  const now = () => new Date(clock.now()).toISOString()
  await store.transaction(async (tx) => {
    let roleId: string | null = `role${number}`
    if (role === 'owner') roleId = null
    else if (typeof role === 'string') roleId = role
    else await insertRole(tx, roleId, { name: roleId, description: null, permissions: role }, now())
    await insertPerson(tx, {
      id,
      ...names,
      passwordHash: null,
      roleId,
      preferences: defaultPreferences,
      createdAt: now(),
    })
  })
  return {
    id,
    ...names,
    async key(scopes = everyScope, legacyFormat = 'codes') {
      const { secret, hash } = createSecret('apiKey')
      await store.transaction((tx) =>
        insertApiKey(tx, {
          userId: id,
          name: 'test',
          hash,
          lastFour: secret.slice(-4),
          scopes,
          legacyFormat,
          createdAt: now(),
        }),
      )
      return secret
    },
    async session() {
      const { secret, hash } = createSecret('session')
      const expiresAt = new Date(clock.now() + 30 * 86_400_000).toISOString()
      await store.transaction((tx) =>
        insertSession(tx, { hash, userId: id, userAgent: 'test', now: now(), expiresAt }),
      )
      return `contrail=${secret}`
    },
  }
}

export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Ends the connections to a PostgreSQL database, as an administrator would. */
export const endConnections = (databaseUrl: string, howMany: number | 'all' = 'all'): Promise<void> =>
  runSql(
    environment('TEST_POSTGRES'),
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = '${new URL(databaseUrl).pathname.slice(1)}' limit ${howMany}`,
  )

function environment(name: string): string {
  const value = process.env[name]
  assert.ok(value, `${name} is not set: run the tests through "npm test"`)
  return value
}

/** A small seeded generator, so that a failure can be repeated. */
export function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
  return {
    next,
    below: (n: number) => Math.floor(next() * n),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  }
}

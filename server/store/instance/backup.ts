// Every row of the instance, read from one snapshot and restored into an empty store of either engine. The format of
// backup files is defined elsewhere (server/backup).
import { upsertMany } from '../engine/bulk.ts'
import type { SnakeCase } from '../engine/columns.ts'
import { isDamage, lastIdGiven, listColumns, setLastIdGiven } from '../engine/dialect.ts'
import type { Engine, Executor, Row, Transaction } from '../engine/engine.ts'
import { readAllRevisions, writeRestoredRevisions } from '../engine/revisions.ts'
import type { Schema } from '../engine/schema.ts'
import { applyMigrations, listApplied, migrations } from '../migrations/migrate.ts'

/**
 * Tables that are not in a backup: shipped with the program; useless after a restore, which starts a new sequence of
 * changes; cached responses of providers; messages that have expired by then; or links and trusted browsers, which may have been used or revoked since. Uploads
 * are in a backup wherever they are stored, not as rows.
 */
export const tablesLeftOut = [
  'code_period',
  'change',
  'flight_history',
  'idempotency',
  'webhook_delivery',
  'notification',
  'notification_delivery',
  'lookup_answer',
  'lookup_pace',
  'lookup_use',
  'one_time',
  'trusted_browser',
  'account_link',
  'sign_in_try',
  'upload',
] as const

export type TableName = Exclude<SnakeCase<keyof Schema>, 'migration' | (typeof tablesLeftOut)[number]>

interface Table {
  name: TableName
  key: string
  /** Its ids come from the engine's sequence. */
  counted?: true
  /** Shipped with the program; only some of its rows belong to the instance. */
  shipped?: true
}

/** A table comes after the tables that it refers to. */
export const tables: readonly Table[] = [
  { name: 'setting', key: 'name' },
  { name: 'revision', key: 'name' },
  { name: 'role', key: 'id' },
  { name: 'person', key: 'id' },
  { name: 'api_key', key: 'id', counted: true },
  { name: 'identity', key: 'id', counted: true },
  { name: 'session', key: 'id', counted: true },
  { name: 'passkey', key: 'id', counted: true },
  { name: 'second_factor', key: 'user_id' },
  { name: 'recovery_code', key: 'id', counted: true },
  { name: 'airport', key: 'id', shipped: true },
  { name: 'airline', key: 'id', shipped: true },
  { name: 'aircraft', key: 'id', shipped: true },
  { name: 'custom_field', key: 'id', counted: true },
  { name: 'flight', key: 'id', counted: true },
  { name: 'flight_passenger', key: 'id', counted: true },
  { name: 'kept_pass', key: 'passenger_id' },
  { name: 'track', key: 'flight_id' },
  { name: 'demo_flight', key: 'flight_id' },
  { name: 'external_id', key: 'id', counted: true },
  { name: 'deleted_flight', key: 'id' },
  { name: 'deleted_flight_row', key: 'id', counted: true },
  { name: 'visited_country', key: 'id', counted: true },
  { name: 'trip', key: 'id', counted: true },
  { name: 'trip_flight', key: 'id', counted: true },
  { name: 'demo_trip', key: 'trip_id' },
  { name: 'share', key: 'id', counted: true },
  { name: 'feed', key: 'id', counted: true },
  { name: 'webhook', key: 'id', counted: true },
  { name: 'import', key: 'id', counted: true },
  { name: 'import_row', key: 'id', counted: true },
  { name: 'import_answer', key: 'id', counted: true },
  { name: 'notice', key: 'id', counted: true },
  { name: 'mailbox', key: 'id', counted: true },
  { name: 'mail_address', key: 'id', counted: true },
  { name: 'subscription', key: 'id', counted: true },
  { name: 'oauth_client', key: 'id' },
  { name: 'oauth_request', key: 'id' },
  { name: 'oauth_grant', key: 'id', counted: true },
  { name: 'push_subscription', key: 'id', counted: true },
  { name: 'notification_settings', key: 'user_id' },
  { name: 'oauth_code', key: 'hash' },
  { name: 'oauth_access_token', key: 'hash' },
  { name: 'oauth_refresh_token', key: 'hash' },
  { name: 'audit_event', key: 'id', counted: true },
]

/** SQLite's message about damage to the file; undefined if there is none, or if the engine has no such check. */
export async function findDamage(db: Executor): Promise<string | undefined> {
  if (db.kind !== 'sqlite') return undefined
  try {
    const [row] = await db.query('pragma quick_check(1)', [])
    const result = String(row?.['quick_check'])
    return result === 'ok' ? undefined : result
  } catch (error) {
    if (isDamage(error)) return (error as Error).message
    throw error
  }
}

const tableNamed = (name: string): Table => tables.find((table) => table.name === name)!

export interface Contents {
  /** The migrations that made these tables, in order. */
  schema: string[]
  counts: Partial<Record<TableName, number>>
  /** The last id of each table with a sequence, deleted rows included. */
  lastIds: Partial<Record<TableName, number>>
}

// Reading

/** The contents as `db` sees them, with a reader for the tables. */
export async function openContents(
  db: Executor,
): Promise<Contents & { rows(name: TableName): AsyncIterable<Row[]> }> {
  const chosen = new Map<TableName, number[]>()
  const contents: Contents = { schema: await listApplied(db), counts: {}, lastIds: {} }
  const present = await readPresent(db)
  for (const { name, counted, shipped } of tables.filter((table) => present.has(table.name))) {
    if (shipped) {
      const ids = await listOwnIds(db, name as ShippedName, present)
      chosen.set(name, ids)
      contents.counts[name] = ids.length
    } else {
      const [row] = await db.query(`select count(*) as n from ${name}`, [])
      contents.counts[name] = Number(row!['n'])
    }
    if (counted) {
      const [row] = await db.query(lastIdGiven[db.kind](name), [])
      contents.lastIds[name] = Number(row?.['value'] ?? 0)
    }
  }
  return {
    ...contents,
    rows(name) {
      if (!present.has(name)) return none()
      return chosen.has(name) ? rowsOf(db, name, chosen.get(name)!) : allRows(db, tableNamed(name))
    },
  }
}

async function* none(): AsyncIterable<Row[]> {}

/** A track may have a megabyte, so pages of tracks are short. */
const pageSize = (name: TableName) => (name === 'track' || name === 'deleted_flight_row' ? 20 : 500)

async function* allRows(db: Executor, { name, key }: Table): AsyncIterable<Row[]> {
  const limit = pageSize(name)
  const mark = db.kind === 'postgres' ? '$1' : '?'
  let page = await db.query(`select * from ${name} order by ${key} limit ${limit}`, [])
  while (page.length > 0) {
    yield page
    if (page.length < limit) return
    const last = page.at(-1)![key] as string | number
    page = await db.query(`select * from ${name} where ${key} > ${mark} order by ${key} limit ${limit}`, [
      last,
    ])
  }
}

async function* rowsOf(db: Executor, name: TableName, ids: readonly number[]): AsyncIterable<Row[]> {
  for (let start = 0; start < ids.length; start += pageSize(name)) {
    const list = ids.slice(start, start + pageSize(name)).join(', ')
    yield await db.query(`select * from ${name} where id in (${list}) order by id`, [])
  }
}

type ShippedName = 'airport' | 'airline' | 'aircraft'

/** The columns of each table. A database that is not migrated yet lacks the newest of both. */
type Present = ReadonlyMap<string, ReadonlySet<string>>

async function readPresent(db: Executor): Promise<Present> {
  const present = new Map<string, Set<string>>()
  for (const row of await db.query(listColumns[db.kind], [])) {
    const [table, column] = [String(row['tableName']), String(row['name'])]
    present.set(table, (present.get(table) ?? new Set()).add(column))
  }
  return present
}

const tablesOfFlights = ['flight', 'deleted_flight'] as const

/** Of each kind: what makes a record the instance's own, and the columns of flights that refer to one. */
const ownership: Record<ShippedName, { own: string; columns: readonly string[] }> = {
  airport: { own: 'custom = 1', columns: ['from_id', 'to_id', 'planned_to_id'] },
  airline: {
    own: 'custom = 1 or icon_path is not null',
    columns: ['airline_id', 'operating_airline_id'],
  },
  aircraft: { own: 'custom = 1', columns: ['aircraft_id'] },
}

function ownRows(name: ShippedName, present: Present): string {
  const { own, columns } = ownership[name]
  const references = tablesOfFlights.flatMap((table) =>
    columns
      .filter((column) => present.get(table)?.has(column))
      .map((column) => `select ${column} from ${table} where ${column} is not null`),
  )
  return [`select id from ${name} where ${own}`, ...references].join(' union ')
}

/** Records that people added, changed or refer to; another version's shipped set may lack the ones they refer to. */
async function listOwnIds(db: Executor, name: ShippedName, present: Present): Promise<number[]> {
  const ids = new Set((await db.query(ownRows(name, present), [])).map((row) => row['id'] as number))
  for (const id of await listIdsInCustomFields(db, name, present)) ids.add(id)
  return [...ids].sort((a, b) => a - b)
}

const tablesWithCustomFields = ['flight', 'flight_passenger', 'deleted_flight', 'deleted_flight_row'] as const

async function listIdsInCustomFields(db: Executor, type: ShippedName, present: Present): Promise<number[]> {
  const fields = await db.query(`select id, default_value from custom_field where field_type = '${type}'`, [])
  if (fields.length === 0) return []
  const found: unknown[] = fields.map((field) =>
    JSON.parse((field['default_value'] as string | null) ?? 'null'),
  )
  for (const table of tablesWithCustomFields.filter((name) => present.has(name))) {
    for await (const page of allRows(db, tableNamed(table))) {
      for (const row of page) {
        const values = JSON.parse((row['custom_fields'] as string | null) ?? '{}')
        for (const field of fields) found.push(values[field['id'] as number])
      }
    }
  }
  const ids = [...new Set(found.flat().filter((value): value is number => Number.isInteger(value)))]
  const existing: number[] = []
  for await (const page of rowsOf(db, type, ids)) existing.push(...page.map((row) => row['id'] as number))
  return existing
}

// Writing

/** No people and no flights yet. */
export async function isEmpty(db: Executor): Promise<boolean> {
  const rows = await db.query(
    'select id from (select id from person limit 1) p union all select cast(id as text) from (select id from flight limit 1) f',
    [],
  )
  return rows.length === 0
}

interface Restoring {
  insert(name: TableName, columns: readonly string[], rows: readonly Row[]): Promise<void>
  /** Migrates the tables and increments all revisions, so that nothing cached before is treated as current. */
  finish(lastIds: Contents['lastIds'], now: number): Promise<void>
}

/** Replaces all tables with empty ones as of the named migrations, in one transaction. */
export async function startRestoring(
  engine: Engine,
  tx: Transaction,
  schema: readonly string[],
): Promise<Restoring> {
  const before = await openCounters(tx)
  for (const name of [...tablesLeftOut, ...tables.map((table) => table.name).reverse()])
    await tx.execute(`drop table if exists ${name}`)
  await tx.execute('delete from migration')
  const known = migrations.filter(({ name }) => schema.includes(name))
  await applyMigrations(engine, tx, known)
  return {
    insert: (name, columns, rows) => upsertMany(tx, name, columns, [tableNamed(name).key], rows),
    async finish(lastIds, now) {
      await applyMigrations(engine, tx, migrations)
      for (const { name, counted } of tables) {
        const last = Math.max(before.lastIds[name] ?? 0, lastIds[name] ?? 0)
        if (!counted || last === 0) continue
        for (const statement of setLastIdGiven[tx.kind](name, last)) await tx.query(statement, [])
      }
      await writeRestoredRevisions(tx, before.revisions, now)
    },
  }
}

async function openCounters(tx: Executor) {
  const lastIds: Contents['lastIds'] = {}
  for (const { name, counted } of tables) {
    if (!counted) continue
    const [row] = await tx.query(lastIdGiven[tx.kind](name), [])
    lastIds[name] = Number(row?.['value'] ?? 0)
  }
  return { lastIds, revisions: await readAllRevisions(tx) }
}

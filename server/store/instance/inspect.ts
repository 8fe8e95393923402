// Inspects a database without changing it: SQLite opened read-only, PostgreSQL in read-only transactions. Works whether
// or not a server is running.
import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { Config } from '../../base/config.ts'
import { serversOf } from '../../base/database-url.ts'
import { hasNoTable, timelineOfPrimary, timelineOfStandby } from '../engine/dialect.ts'
import type { Executor, Row } from '../engine/engine.ts'
import { listApplied, migrations } from '../migrations/migrate.ts'
import { sqliteFile } from '../store.ts'

const CONNECT_MS = 5_000

export interface Inspection {
  db: Executor
  /** The connection goes through a pooler. */
  isPooled: boolean
  close(): Promise<void>
}

/** Throws if it cannot be opened; undefined if there is no database yet. */
export async function openForInspection(config: Config): Promise<Inspection | undefined> {
  if (config.databaseUrl) return openPostgres(config.databaseUrl, 'primary')
  const file = sqliteFile(config)
  return existsSync(file) ? openSqlite(file) : undefined
}

/** Throws if none of the servers can be opened. */
export const openReplicaForInspection = (readUrl: string): Promise<Inspection> =>
  openPostgres(readUrl, 'standby')

function openSqlite(file: string): Inspection {
  const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: CONNECT_MS })
  try {
    // Opening does not read the file yet.
    connection.pragma('schema_version')
  } catch (error) {
    connection.close()
    throw error
  }
  return {
    isPooled: false,
    db: {
      kind: 'sqlite',
      query: async (sql, parameters) => connection.prepare(sql).all(...parameters) as Row[],
    },
    close: async () => void connection.close(),
  }
}

/** The first server of the wanted kind, or the first that can be opened if there is none. */
async function openPostgres(databaseUrl: string, wanted: 'primary' | 'standby'): Promise<Inspection> {
  let other: Inspection | undefined
  let reason: unknown
  for (const address of serversOf(databaseUrl)) {
    try {
      const { isReadOnly, ...inspection } = await openServer(address)
      if (isReadOnly === (wanted === 'standby')) {
        await other?.close()
        return inspection
      }
      if (other) await inspection.close()
      else other = inspection
    } catch (error) {
      reason ??= error
    }
  }
  if (other) return other
  throw reason
}

async function openServer(connectionString: string): Promise<Inspection & { isReadOnly: boolean }> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: 2 * CONNECT_MS,
    application_name: 'contrail doctor',
  })
  // A connection that breaks makes the current query fail, which reports it.
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query(
    `select pg_backend_pid() as pid, current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
  )
  return {
    // A pooler names itself, not the process that runs the statement.
    isPooled: rows[0].pid !== (client as unknown as { processID: number }).processID,
    isReadOnly: rows[0].isReadOnly,
    db: {
      kind: 'postgres',
      async query(sql, parameters) {
        await client.query('begin read only')
        try {
          return (await client.query(sql, [...parameters])).rows
        } finally {
          await client.query('rollback')
        }
      },
    },
    close: () => client.end(),
  }
}

interface SchemaState {
  /** Migrations that the next start applies. */
  waiting: string[]
  /** Applied migrations of a newer version. */
  unknown: string[]
}

/** Undefined if there are no tables yet. */
export async function schemaState(db: Executor): Promise<SchemaState | undefined> {
  try {
    const applied = await listApplied(db)
    const known = migrations.map(({ name }) => name)
    return {
      waiting: known.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !known.includes(name)),
    }
  } catch (error) {
    if (hasNoTable(error)) return undefined
    throw error
  }
}

/** The results of SQLite's own checks, at most ten per check; empty if all is well. */
export async function sqliteFaults(db: Executor): Promise<string[]> {
  const pages = (await db.query('pragma quick_check(10)', [])).map((row) => String(row['quick_check']))
  const references = (await db.query('pragma foreign_key_check', [])).slice(0, 10)
  return [
    ...pages.filter((line) => line !== 'ok'),
    ...references.map(
      (row) => `row ${row['rowid']} of ${row['table']} refers to nothing in ${row['parent']}`,
    ),
  ]
}

export interface PostgresFacts {
  version: number
  encoding: string
  isStandby: boolean
  isolation: string
  synchronousCommit: string
  fsync: string
  statementTimeoutMs: number
  maxConnections: number
  connections: number
  mayCreate: boolean
  /** Tables that the role may not read and write. */
  unusable: string[]
  /** Tables of another owner: a migration could not change them. */
  foreign: string[]
  hasChecksums: boolean
  checksumFailures: number
  invalidIndexes: string[]
}

export async function postgresFacts(db: Executor): Promise<PostgresFacts> {
  const [row] = await db.query(
    `select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as standby,
      current_setting('default_transaction_isolation') as isolation,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('fsync') as fsync,
      (select setting::int from pg_settings where name = 'statement_timeout') as statement_timeout,
      current_setting('max_connections')::int as max_connections,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      current_setting('data_checksums') = 'on' as checksums,
      coalesce((select checksum_failures from pg_stat_database where datname = current_database()), 0)::int as checksum_failures`,
    [],
  )
  const names = async (sql: string) => (await db.query(sql, [])).map((found) => String(found['name']))
  return {
    version: row!['version'] as number,
    encoding: String(row!['encoding']),
    isStandby: row!['standby'] === true,
    isolation: String(row!['isolation']),
    synchronousCommit: String(row!['synchronous_commit']),
    fsync: String(row!['fsync']),
    statementTimeoutMs: row!['statement_timeout'] as number,
    maxConnections: row!['max_connections'] as number,
    connections: row!['connections'] as number,
    mayCreate: row!['may_create'] === true,
    unusable: await names(`select tablename as name from pg_tables where schemaname = current_schema() and not
      (has_table_privilege(format('%I.%I', schemaname, tablename), 'select')
        and has_table_privilege(format('%I.%I', schemaname, tablename), 'insert')
        and has_table_privilege(format('%I.%I', schemaname, tablename), 'update')
        and has_table_privilege(format('%I.%I', schemaname, tablename), 'delete')) order by 1`),
    foreign: await names(`select tablename as name from pg_tables where schemaname = current_schema()
      and not pg_has_role(tableowner, 'member') order by 1`),
    hasChecksums: row!['checksums'] === true,
    checksumFailures: row!['checksum_failures'] as number,
    invalidIndexes:
      await names(`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and not i.indisvalid`),
  }
}

export interface ReplicaFacts {
  isStandby: boolean
  /** Whether it replicates the same primary server. */
  isOfPrimary: boolean
  /** Null if it receives nothing. */
  isOnTimeline: boolean | null
  behindBytes: number
}

export async function replicaFacts(primary: Executor, replica: Executor): Promise<ReplicaFacts> {
  const identity = '(select system_identifier::text from pg_control_system()) as system'
  const [own] = await primary.query(
    `select pg_current_wal_flush_lsn()::text as position, ${timelineOfPrimary} as timeline, ${identity}`,
    [],
  )
  const [its] = await replica.query(
    `select pg_is_in_recovery() as standby, ${identity}, ${timelineOfStandby} as timeline,
      coalesce(greatest(0, $1::pg_lsn - pg_last_wal_replay_lsn()), 0)::float8 as behind`,
    [own!['position'] as string],
  )
  return {
    isStandby: its!['standby'] === true,
    isOfPrimary: its!['system'] === own!['system'],
    isOnTimeline: its!['timeline'] === null ? null : its!['timeline'] === own!['timeline'],
    behindBytes: its!['behind'] as number,
  }
}

/** The database server's time, in milliseconds; undefined on SQLite. */
export async function serverTime(db: Executor): Promise<number | undefined> {
  if (db.kind === 'sqlite') return undefined
  const [row] = await db.query('select extract(epoch from clock_timestamp())::float8 * 1000 as now', [])
  return row!['now'] as number
}

/** The stored time of the newest audit event. */
export async function newestEvent(db: Executor): Promise<string | undefined> {
  const [row] = await db.query('select max(happened_at) as newest from audit_event', [])
  return (row?.['newest'] as string | null) ?? undefined
}

/** The addresses of the last fifty sign-ins, failed ones included. */
export async function signInAddresses(db: Executor): Promise<string[]> {
  const rows = await db.query(
    "select address from audit_event where kind in ('sign-in', 'sign-in.failed') and address is not null order by id desc limit 50",
    [],
  )
  return rows.map((row) => String(row['address']))
}

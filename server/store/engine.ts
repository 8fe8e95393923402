// What an engine offers: run a statement, run several as one transaction. Statements are compiled once per engine
// (see query.ts) and prepared once per connection.
import type { Logger } from '../base/log.ts'
import type { EngineKind } from './dialect.ts'

export type Value = string | number | bigint | Uint8Array | null
export type Row = Record<string, unknown>

/** Where a statement runs: the reading side of an engine, or one open transaction. */
export interface Executor {
  readonly kind: EngineKind
  query(sql: string, parameters: readonly Value[]): Promise<Row[]>
  /** Inside a transaction: called with the store's logger after the commit, and not at all without one. */
  afterCommit?(work: (log: Logger) => void): void
}

/** Connections to a database server at this moment. */
export interface PoolUse {
  inUse: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
}

/** An open transaction. */
export interface Transaction extends Executor {
  /** Statements that take no parameters and may take long, such as migrations. */
  execute(sql: string): Promise<void>
}

export interface Engine {
  readonly kind: EngineKind
  /** Absent on SQLite. */
  pool?(): PoolUse
  /** Sees committed data. Never write through it. */
  readonly read: Executor
  /** Runs `work` atomically. `work` must use only the executor it is given, and may be run more than once. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** Reads that all see the same state, however long they take. */
  snapshot<Result>(work: (db: Executor) => Promise<Result>): Promise<Result>
  /** Runs `work` in one process at a time; for migrations and loading reference data. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

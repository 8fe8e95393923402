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
  /** Inside a transaction: runs with the store's log once that is committed, and never if it is not. */
  afterCommit?(work: (log: Logger) => void): void
}

/** Connections to a database server at this moment. */
export interface PoolUse {
  inUse: number
  idle: number
  /** Callers that wait for one. */
  waiting: number
}

/** An open transaction. */
export interface Transaction extends Executor {
  /** Statements that take no parameters and may take long, such as migrations. */
  execute(sql: string): Promise<void>
}

export interface Engine {
  readonly kind: EngineKind
  /** Not there where there is no database server. */
  pool?(): PoolUse
  /** Sees what is committed. Never write through it. */
  readonly read: Executor
  /** All of `work` or nothing of it. `work` must use only the executor it is given, and may be run again. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** Reads that all see the same moment, however long they take and whatever is written meanwhile. */
  snapshot<Result>(work: (db: Executor) => Promise<Result>): Promise<Result>
  /** Runs `work` while no other process does the same; for migrations and loading reference data. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

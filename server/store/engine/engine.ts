// The interface of an engine: run a statement, or several as one transaction. Statements are compiled once per engine
// (see query.ts) and prepared once per connection.
import type { Logger } from '../../base/log.ts'
import type { EngineKind } from './dialect.ts'

export type Value = string | number | bigint | Uint8Array | null
export type Row = Record<string, unknown>

/** Where a statement runs: the reading side of an engine, or one open transaction. */
export interface Executor {
  readonly kind: EngineKind
  query(sql: string, parameters: readonly Value[]): Promise<Row[]>
  /** Inside a transaction: `work` is called with the store's logger after the commit; never after a rollback. */
  afterCommit?(work: (log: Logger) => void): void
  /** Inside a transaction whose next statement is the last. */
  last?: LastStatement | undefined
  /** Inside `pipelined`: takes a write that was sent, instead of waiting for it. */
  later?(write: Promise<unknown>): void
}

/** Both methods run a statement and commit; the transaction cannot be used afterwards. */
export interface LastStatement {
  /** In one round trip. */
  query: Executor['query']
  /**
   * Runs the statement together with others of this process; only if nothing was written before. Its only parameter is a JSON
   * list of documents, and it returns one row per document, in the same order.
   */
  together(sql: string, document: object): Promise<Row>
}

/**
 * The only way to put what was read through `db` into a cache that other requests use: immediately, or, inside a transaction,
 * after the commit, because a transaction may read its own uncommitted writes (docs/decisions/005).
 */
export const onceCommitted = (db: Executor, fill: () => void): void =>
  db.afterCommit ? db.afterCommit(fill) : fill()

/** For caches of other requests, which no transaction may fill. */
export function requireCommitted(db: Pick<Executor, 'afterCommit'>): void {
  if (db.afterCommit) throw new Error('a transaction must not fill a cache of other requests')
}

/** The current connections to a database server. */
export interface PoolUse {
  inUse: number
  idle: number
  /** Callers that are waiting for a connection. */
  waiting: number
}

/** An open transaction. */
export interface Transaction extends Executor {
  /** For statements without parameters that may be slow, such as migrations. */
  execute(sql: string): Promise<void>
  /** Absent if statements need no round trip. */
  end?: LastStatement
}

/** Reads of committed data. */
export interface ReadSide {
  /** Never write through it. */
  readonly read: Executor
  /** All reads see the same state, however long `work` runs. */
  snapshot<Result>(work: (db: Executor) => Promise<Result>): Promise<Result>
}

export interface Engine extends ReadSide {
  readonly kind: EngineKind
  /** Absent on SQLite. */
  pool?(): PoolUse
  /**
   * A number that identifies the state that `read` sees: every commit of any process changes it. Absent if getting it costs as
   * much as a read.
   */
  state?(): number
  /**
   * A replica for slow reads, once it has everything that is committed by now; undefined if it is unavailable or too far
   * behind. Absent if none is configured.
   */
  replica?(): Promise<ReadSide | undefined>
  /**
   * Throws if the database file was deleted or replaced: reads still succeed, but every write fails until a restart. Absent
   * if there is no file.
   */
  requirePresent?(): void
  /** Copies everything that is committed to a file. Absent if the engine is a server. */
  copyTo?(target: string): Promise<void>
  /** Runs `work` atomically. `work` must use only the executor it is given, and may be run more than once. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** Runs `work` in one process at a time; for migrations and loading reference data. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

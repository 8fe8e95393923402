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
  /** Inside a transaction that is complete with the next statement. */
  last?: LastStatement | undefined
}

/** Each runs a statement and commits; the transaction takes nothing after it. */
export interface LastStatement {
  /** In one round trip. */
  query: Executor['query']
  /**
   * Only where nothing was written before: as one statement with others of this process. The text takes a JSON list of
   * documents as its only parameter and returns a row for each, in their order.
   */
  together(sql: string, document: object): Promise<Row>
}

/**
 * The only way in which what was read through `db` gets into something that other requests see: immediately, or after the commit
 * if it was read in a transaction, which sees what may never be committed (docs/decisions/150).
 */
export const onceCommitted = (db: Executor, fill: () => void): void =>
  db.afterCommit ? db.afterCommit(fill) : fill()

/** For what other requests see and no transaction may fill. */
export function requireCommitted(db: Pick<Executor, 'afterCommit'>): void {
  if (db.afterCommit) throw new Error('a transaction must not fill what other requests see')
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
  /** Absent where a statement costs no round trip. */
  end?: LastStatement
}

/** Reads of committed data. */
export interface ReadSide {
  /** Never write through it. */
  readonly read: Executor
  /** Reads that all see the same state, however long they take. */
  snapshot<Result>(work: (db: Executor) => Promise<Result>): Promise<Result>
}

export interface Engine extends ReadSide {
  readonly kind: EngineKind
  /** Absent on SQLite. */
  pool?(): PoolUse
  /**
   * A number of the state that `read` sees: every commit, of any process, changes it. Absent where asking costs as much as
   * reading.
   */
  state?(): number
  /**
   * A replica for reads that may be slow, once it has everything that is committed by now; undefined if it is away or too
   * far behind. Absent unless there is one.
   */
  replica?(): Promise<ReadSide | undefined>
  /**
   * Throws if the database file was deleted or replaced: reads still succeed, and every write fails until a restart. Absent
   * where there is no file.
   */
  requirePresent?(): void
  /** Runs `work` atomically. `work` must use only the executor it is given, and may be run more than once. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** Runs `work` in one process at a time; for migrations and loading reference data. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

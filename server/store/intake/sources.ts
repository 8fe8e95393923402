// What mailboxes and calendars share: a person's sources that are read on a schedule. The process that holds the lease of a
// source reads it; after the lease expires, another process may.
import type { Insertable } from 'kysely'
import type { IntakeProblem, IntakeStatus } from '../../domain/intake/intake.ts'
import { pick } from '../../domain/pick.ts'
import { hasNoTable } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { claimFirst, claimOne, isFree, type Lease, released, releaseOf } from '../engine/leases.ts'
import { type Builder, query } from '../engine/query.ts'
import type { Schema } from '../engine/schema.ts'

/** The result of the last run, and when the next one is due. */
export interface Standing {
  status: IntakeStatus
  problem: IntakeProblem | null
  failingSince: string | null
  failures: number
  lastCheckedAt: string | null
  nextCheckAt: string
}

export interface IntakeSource extends Standing {
  id: number
  userId: string
  host: string
  createdAt: string
}

const sharedColumns = [
  'id',
  'userId',
  'host',
  'status',
  'problem',
  'failingSince',
  'failures',
  'lastCheckedAt',
  'nextCheckAt',
  'createdAt',
] as const

/** The differences between the two tables. */
interface Particulars<Source, Row, New> {
  table: 'mailbox' | 'subscription'
  /** Columns in addition to the shared ones. */
  columns: readonly string[]
  /** The column whose text is sealed with the instance secret. */
  sealed: 'password' | 'url'
  toSource(row: Row): Source
  toRow(source: Source): Row
  /** The columns that a run changes in addition to the standing. */
  changes: readonly (keyof Row & string)[]
  /** What is the same for every new source; it brings the values of the other columns. */
  fresh: Omit<{ [Key in keyof Row]?: Row[Key] }, keyof New>
}

/** `lease` belongs to the process that reads the new source immediately, if any. */
interface NewSource {
  userId: string
  now: string
  lease?: string | null
  until?: string | null
}

export interface IntakeQueries<Source, New = never> {
  list(db: Executor, userId: string): Promise<Source[]>
  find(db: Executor, userId: string, id: number): Promise<Source | undefined>
  insert(tx: Executor, source: New & NewSource): Promise<Source>
  delete(tx: Executor, userId: string, id: number): Promise<boolean>
  /** All sealed texts; empty if the table does not exist yet. */
  listSealed(db: Executor): Promise<{ userId: string; text: string }[]>
  /** A read, so that an instance without sources never waits for the write lock. */
  hasDue(db: Executor, now: string): Promise<boolean>
  /** Claims a source that is due and that no process is reading. */
  claimDue(tx: Executor, lease: Lease): Promise<Source | undefined>
  /** Claims this source even if it is not due; undefined if a process is reading it. */
  claim(tx: Executor, id: number, lease: Lease): Promise<Source | undefined>
  /** Records the result of a run and releases the lease; undefined if the lease was lost. */
  finish(tx: Executor, source: Source, lease: string): Promise<Source | undefined>
  release(tx: Executor, id: number, lease: string): Promise<unknown>
}

export function createIntakeQueries<
  Source extends IntakeSource,
  Row extends Standing & { id: number },
  New extends object,
>(particulars: Particulars<Source, Row, New>): IntakeQueries<Source, New> {
  const rows = rowQueries<Row>(particulars)
  const insert = insertQuery<Row, New>(particulars)
  const claims = claimQueries<Row>(particulars)
  const results = resultQueries<Row>(particulars)
  const release = releaseOf(particulars.table)
  const { toSource, toRow } = particulars
  const one = async (found: Promise<Row[]>): Promise<Source | undefined> => (await found).map(toSource)[0]
  return {
    list: async (db, userId) => (await rows.ofPerson(db, { userId })).map(toSource),
    find: (db, userId, id) => one(rows.byId(db, { userId, id })),
    insert: async (tx, source) => toSource((await insert(tx, { lease: null, until: null, ...source }))[0]!),
    delete: async (tx, userId, id) => (await rows.remove(tx, { userId, id })).length > 0,
    listSealed: (db) =>
      rows.everySealed(db, {}).catch((error) => {
        if (hasNoTable(error)) return []
        throw error
      }),
    hasDue: async (db, now) => (await claims.anyDue(db, { now })).length > 0,
    claimDue: (tx, lease) => one(claims.claimDue(tx, lease)),
    claim: (tx, id, lease) => one(claims.claimOne(tx, { ...lease, id })),
    finish: (tx, source, lease) => one(results.finish(tx, { ...toRow(source), lease })),
    release: (tx, id, lease) => release(tx, { id, lease }),
  }
}

type Shape = Pick<Particulars<never, never, never>, 'table' | 'columns' | 'sealed'>

/** Typed as one of the tables: the columns used in this file are the same in both. */
const seen = ({ table, columns }: Shape) => ({
  table: table as 'mailbox',
  columns: [...sharedColumns, ...columns] as 'id'[],
})

function rowQueries<Row>(shape: Shape) {
  const { table, columns } = seen(shape)
  const ofPerson = (db: Builder, p: { userId: string }) =>
    db.selectFrom(table).select(columns).where('userId', '=', p.userId).orderBy('id').$castTo<Row>()
  return {
    ofPerson: query(ofPerson),
    byId: query((db, p: { userId: string; id: number }) => ofPerson(db, p).where('id', '=', p.id)),
    remove: query((db, p: { userId: string; id: number }) =>
      db.deleteFrom(table).where('userId', '=', p.userId).where('id', '=', p.id).returning('id'),
    ),
    everySealed: query((db) =>
      db.selectFrom(table).select(['userId', `${shape.sealed as 'password'} as text`]),
    ),
  }
}

function insertQuery<Row, New>(shape: Shape & Pick<Particulars<never, Row, New>, 'fresh'>) {
  const { table, columns } = seen(shape)
  const given = ['host', ...shape.columns].filter((column) => !(column in shape.fresh))
  return query((db, p: New & Required<NewSource>) =>
    db
      .insertInto(table)
      .values({
        ...({ ...picked(p, given), ...shape.fresh } as NewColumns),
        userId: p.userId,
        status: 'active',
        problem: null,
        failingSince: null,
        failures: 0,
        lastCheckedAt: null,
        nextCheckAt: p.now,
        lease: p.lease,
        leaseUntil: p.until,
        createdAt: p.now,
        updatedAt: p.now,
      })
      .returning(columns)
      .$castTo<Row>(),
  )
}
const picked = (from: object, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, from[name as keyof typeof from]]))
type NewColumns = Insertable<Schema['mailbox']>

function claimQueries<Row>(shape: Shape) {
  const { table, columns } = seen(shape)
  const due = (db: Builder, p: { now: string }) =>
    db.selectFrom(table).where(isFree(p)).where('status', '!=', 'suspended').where('nextCheckAt', '<=', p.now)
  return {
    anyDue: query((db, p: { now: string }) => due(db, p).select('id').limit(1)),
    claimDue: query((db, p: Lease, engine) =>
      claimFirst(db, table, p, due(db, p).select('id').orderBy('nextCheckAt'), engine)
        .returning(columns)
        .$castTo<Row>(),
    ),
    claimOne: query((db, p: Lease & { id: number }) =>
      claimOne(db, table, p).returning(columns).$castTo<Row>(),
    ),
  }
}

function resultQueries<Row extends Standing & { id: number }>(
  shape: Shape & Pick<Particulars<never, Row, never>, 'changes'>,
) {
  const { table, columns } = seen(shape)
  return {
    finish: query((db, p: Row & { lease: string }) =>
      released(db, table, p)
        .set({
          ...picked(p, shape.changes),
          ...pick(p, ['status', 'problem', 'failingSince', 'failures', 'lastCheckedAt', 'nextCheckAt']),
        })
        .returning(columns)
        .$castTo<Row>(),
    ),
  }
}

// Mailboxes and calendars alike: rows of a person that are read on a schedule. The process that holds the lease of one reads
// it; a lease that expires returns to the others.
import type { ExpressionBuilder, Insertable } from 'kysely'
import type { IntakeProblem, IntakeStatus } from '../domain/intake.ts'
import { hasNoTable, locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { type Builder, query } from './query.ts'
import type { Schema } from './schema.ts'

/** How the last reading went, and when the next one is. */
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
  'user_id as userId',
  'host',
  'status',
  'problem',
  'failing_since as failingSince',
  'failures',
  'last_checked_at as lastCheckedAt',
  'next_check_at as nextCheckAt',
  'created_at as createdAt',
] as const

interface Lease {
  lease: string
  now: string
  until: string
}

/** What is particular to one table. */
interface Particulars<Source, Row, New> {
  table: 'mailbox' | 'subscription'
  /** Beside the shared ones. */
  columns: readonly string[]
  /** The column whose text is sealed with the instance secret. */
  sealed: 'password' | 'url'
  toSource(row: Row): Source
  toRow(source: Source): Row
  /** What a reading changes beside the standing. */
  changes(row: Row): object
  /** The columns of a new one beside owner, standing and lease. */
  newColumns(source: New): object
}

/** With the lease of the process that reads it first, if it does so at once. */
interface NewSource {
  userId: string
  now: string
  lease?: string | null
  until?: string | null
}

export interface IntakeQueries<Source, New = never> {
  list(db: Executor, userId: string): Promise<Source[]>
  /** One of this person's. */
  find(db: Executor, userId: string, id: number): Promise<Source | undefined>
  insert(tx: Executor, source: New & NewSource): Promise<Source>
  delete(tx: Executor, userId: string, id: number): Promise<boolean>
  /** Every sealed text; none also where the table does not exist yet. */
  listSealed(db: Executor): Promise<{ userId: string; text: string }[]>
  /** A read, so that an instance that has none never waits to write. */
  hasDue(db: Executor, now: string): Promise<boolean>
  /** Takes the lease of one that is to be read and that no process reads. */
  claimDue(tx: Executor, lease: Lease): Promise<Source | undefined>
  /** This one, whenever it is due; undefined if a process reads it. */
  claim(tx: Executor, id: number, lease: Lease): Promise<Source | undefined>
  /** Records how a reading went and releases the lease; undefined if it was lost. */
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
    release: (tx, id, lease) => results.release(tx, { id, lease }),
  }
}

type Shape = Pick<Particulars<never, never, never>, 'table' | 'columns' | 'sealed'>

/** Kysely sees one of the tables: what is named in this file is the same in both. */
const seen = ({ table, columns }: Shape) => ({
  table: table as 'mailbox',
  columns: [...sharedColumns, ...columns] as 'id'[],
})

function rowQueries<Row>(shape: Shape) {
  const { table, columns } = seen(shape)
  const ofPerson = (db: Builder, p: { userId: string }) =>
    db.selectFrom(table).select(columns).where('user_id', '=', p.userId).orderBy('id').$castTo<Row>()
  return {
    ofPerson: query(ofPerson),
    byId: query((db, p: { userId: string; id: number }) => ofPerson(db, p).where('id', '=', p.id)),
    remove: query((db, p: { userId: string; id: number }) =>
      db.deleteFrom(table).where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
    ),
    everySealed: query<object, { userId: string; text: string }>((db) =>
      db.selectFrom(table).select(['user_id as userId', `${shape.sealed as 'password'} as text`]),
    ),
  }
}

function insertQuery<Row, New>(shape: Shape & Pick<Particulars<never, never, New>, 'newColumns'>) {
  const { table, columns } = seen(shape)
  return query((db, p: New & Required<NewSource>) =>
    db
      .insertInto(table)
      .values({
        ...(shape.newColumns(p) as NewColumns),
        user_id: p.userId,
        status: 'active',
        problem: null,
        failing_since: null,
        failures: 0,
        last_checked_at: null,
        next_check_at: p.now,
        lease: p.lease,
        lease_until: p.until,
        created_at: p.now,
        updated_at: p.now,
      })
      .returning(columns)
      .$castTo<Row>(),
  )
}
type NewColumns = Insertable<Schema['mailbox']>

function claimQueries<Row>(shape: Shape) {
  const { table, columns } = seen(shape)
  const isFree = (p: { now: string }) => (eb: ExpressionBuilder<Schema, 'mailbox'>) =>
    eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', p.now)])
  const due = (db: Builder, p: { now: string }) =>
    db
      .selectFrom(table)
      .where(isFree(p))
      .where('status', '!=', 'suspended')
      .where('next_check_at', '<=', p.now)
  const lease = (db: Builder, p: Lease) =>
    db.updateTable(table).set({ lease: p.lease, lease_until: p.until }).returning(columns).$castTo<Row>()
  return {
    anyDue: query((db, p: { now: string }) => due(db, p).select('id').limit(1)),
    claimDue: query((db, p: Lease, engine) =>
      lease(db, p).where('id', '=', () =>
        due(db, p)
          .select('id')
          .orderBy('next_check_at')
          .limit(1)
          .$if(locksRows(engine), (found) => found.forUpdate().skipLocked()),
      ),
    ),
    claimOne: query((db, p: Lease & { id: number }) => lease(db, p).where('id', '=', p.id).where(isFree(p))),
  }
}

function resultQueries<Row extends Standing & { id: number }>(
  shape: Shape & Pick<Particulars<never, Row, never>, 'changes'>,
) {
  const { table, columns } = seen(shape)
  const held = (db: Builder, p: { id: number; lease: string }) =>
    db
      .updateTable(table)
      .set({ lease: null, lease_until: null })
      .where('id', '=', p.id)
      .where('lease', '=', p.lease)
  return {
    finish: query((db, p: Row & { lease: string }) =>
      held(db, p)
        .set({
          ...shape.changes(p),
          status: p.status,
          problem: p.problem,
          failing_since: p.failingSince,
          failures: p.failures,
          last_checked_at: p.lastCheckedAt,
          next_check_at: p.nextCheckAt,
        })
        .returning(columns)
        .$castTo<Row>(),
    ),
    release: query((db, p: { id: number; lease: string }) => held(db, p).returning('id')),
  }
}

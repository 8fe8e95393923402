// Leases: the process that holds the lease of a row works on it. A lease that is not renewed expires, and another process
// may claim the row.
import {
  type Expression,
  expressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { randomText } from '../../base/secret/secrets.ts'
import { type EngineKind, locksRows } from './dialect.ts'
import { type Builder, query } from './query.ts'
import type { Schema } from './schema.ts'

type Leased = 'import' | 'mailbox' | 'subscription' | 'webhook' | 'notificationDelivery'
type Update<Table extends Leased> = UpdateQueryBuilder<Schema, Table, Table, UpdateResult>

export interface Lease {
  lease: string
  now: string
  until: string
}

interface Held {
  id: number
  lease: string
}

/** The current time, and when a lease that is claimed or renewed now expires. */
export function leaseTimes(clock: Clock, ms: number): Omit<Lease, 'lease'> {
  const now = clock.now()
  return { now: new Date(now).toISOString(), until: new Date(now + ms).toISOString() }
}
export const newLease = (clock: Clock, ms: number): Lease => ({
  lease: randomText(16),
  ...leaseTimes(clock, ms),
})

/** No process holds the lease. */
export function isFree(p: { now: string }): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'import'>()
  return eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', p.now)])
}

// Typed as one of the tables: the columns of a lease are the same in all of them.
const update = (db: Builder, table: Leased) => db.updateTable(table as 'import')
const asOf = <Table extends Leased>(built: Update<'import'>) => built as unknown as Update<Table>

const taken = (db: Builder, table: Leased, p: Pick<Lease, 'lease' | 'until'>) =>
  update(db, table).set({ lease: p.lease, leaseUntil: p.until })

const held = (db: Builder, table: Leased, p: Held) =>
  update(db, table).where('id', '=', p.id).where('lease', '=', p.lease)

/** Claims the lease of the first of these rows; on PostgreSQL, of the first that no other process is claiming. */
export const claimFirst = <Table extends Leased>(
  db: Builder,
  table: Table,
  p: Lease,
  rows: SelectQueryBuilder<Schema, Table, { id: number }>,
  engine: EngineKind,
): Update<Table> =>
  asOf(
    taken(db, table, p).where('id', '=', () =>
      rows.limit(1).$if(locksRows(engine), (found) => found.forUpdate().skipLocked()),
    ),
  )

/** The same for all of these rows; the caller limits them. */
export const claimSome = <Table extends Leased>(
  db: Builder,
  table: Table,
  p: Lease,
  rows: SelectQueryBuilder<Schema, Table, { id: number }>,
  engine: EngineKind,
): Update<Table> =>
  asOf(
    taken(db, table, p).where('id', 'in', () =>
      rows.$if(locksRows(engine), (found) => found.forUpdate().skipLocked()),
    ),
  )

/** Claims the lease of this row, unless a process holds it. */
export const claimOne = <Table extends Leased>(db: Builder, table: Table, p: Lease & { id: number }) =>
  asOf<Table>(taken(db, table, p).where('id', '=', p.id).where(isFree(p)))

/** Extends the lease; changes no row if it was lost. */
export const renewed = <Table extends Leased>(db: Builder, table: Table, p: Held & { until: string }) =>
  asOf<Table>(held(db, table, p).set({ leaseUntil: p.until }))

/** Ends the lease; changes no row if it was lost. */
export const released = <Table extends Leased>(db: Builder, table: Table, p: Held) =>
  asOf<Table>(held(db, table, p).set({ lease: null, leaseUntil: null }))

export const releaseOf = (table: Leased) =>
  query((db, p: Held) => released(db, table as 'import', p).returning('id'))

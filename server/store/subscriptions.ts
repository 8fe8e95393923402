// Calendars at an address that are read now and then. The process that holds the lease of one reads it.
import type { IntakeProblem, IntakeStatus } from '../domain/intake.ts'
import { fromJson, toJson } from './codecs.ts'
import { hasNoTable, locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { type Builder, first, query } from './query.ts'

/** What earlier readings saw. */
export interface CalendarMemory {
  /** Ids of events that were committed or found in the log: they are not created a second time. */
  taken: string[]
  /** Marks of what waited for the person at the last reading. */
  waiting: string[]
  /** Ids of events of the last reading. */
  present: string[]
  /** Ids of events that the calendar had and has no longer. */
  missing: string[]
}
const nothingSeen: CalendarMemory = { taken: [], waiting: [], present: [], missing: [] }

export interface Subscription {
  id: number
  userId: string
  /** Sealed. */
  url: string
  host: string
  name: string
  etag: string | null
  lastModified: string | null
  memory: CalendarMemory
  status: IntakeStatus
  problem: IntakeProblem | null
  httpStatus: number | null
  failingSince: string | null
  failures: number
  lastCheckedAt: string | null
  lastChangedAt: string | null
  nextCheckAt: string
  createdAt: string
}
type SubscriptionRow = Omit<Subscription, 'memory'> & { memory: string }

const columns = [
  'subscription.id',
  'subscription.user_id as userId',
  'subscription.url',
  'subscription.host',
  'subscription.name',
  'subscription.etag',
  'subscription.last_modified as lastModified',
  'subscription.memory',
  'subscription.status',
  'subscription.problem',
  'subscription.http_status as httpStatus',
  'subscription.failing_since as failingSince',
  'subscription.failures',
  'subscription.last_checked_at as lastCheckedAt',
  'subscription.last_changed_at as lastChangedAt',
  'subscription.next_check_at as nextCheckAt',
  'subscription.created_at as createdAt',
] as const

const toSubscription = (row: SubscriptionRow): Subscription => ({
  ...row,
  memory: { ...nothingSeen, ...fromJson<Partial<CalendarMemory>>(row.memory) },
})
const orUndefined = (row: SubscriptionRow | undefined) => row && toSubscription(row)

// Subscriptions

const ofPerson = query<{ userId: string }, SubscriptionRow>((db, p) =>
  db.selectFrom('subscription').select(columns).where('user_id', '=', p.userId).orderBy('id'),
)
export const listSubscriptions = async (db: Executor, userId: string): Promise<Subscription[]> =>
  (await ofPerson(db, { userId })).map(toSubscription)

const byId = query<{ userId: string; id: number }, SubscriptionRow>((db, p) =>
  db.selectFrom('subscription').select(columns).where('user_id', '=', p.userId).where('id', '=', p.id),
)
/** One of this person's subscriptions. */
export const findSubscription = async (
  db: Executor,
  userId: string,
  id: number,
): Promise<Subscription | undefined> => orUndefined(await first(byId(db, { userId, id })))

interface NewSubscription {
  userId: string
  url: string
  host: string
  name: string
  lease: string
  until: string
  now: string
}
const insert = query<NewSubscription & { memory: string }, SubscriptionRow>((db, p) =>
  db
    .insertInto('subscription')
    .values({
      user_id: p.userId,
      url: p.url,
      host: p.host,
      name: p.name,
      etag: null,
      last_modified: null,
      memory: p.memory,
      status: 'active',
      problem: null,
      http_status: null,
      failing_since: null,
      failures: 0,
      last_checked_at: null,
      last_changed_at: null,
      next_check_at: p.now,
      lease: p.lease,
      lease_until: p.until,
      created_at: p.now,
      updated_at: p.now,
    })
    .returning(columns),
)
/** With the lease of the one who makes it and reads it first. */
export const insertSubscription = async (
  tx: Executor,
  subscription: NewSubscription,
): Promise<Subscription> =>
  toSubscription((await insert(tx, { ...subscription, memory: toJson(nothingSeen) }))[0]!)

const remove = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('subscription').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
export const deleteSubscription = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await remove(tx, { userId, id })).length > 0

const everyUrl = query<object, { userId: string; text: string }>((db) =>
  db.selectFrom('subscription').select(['user_id as userId', 'url as text']),
)
/** Empty also where the table does not exist yet. */
export async function listUrlsIfAny(db: Executor): Promise<{ userId: string; text: string }[]> {
  try {
    return await everyUrl(db, {})
  } catch (error) {
    if (hasNoTable(error)) return []
    throw error
  }
}

// Reading them

const due = (db: Builder, p: { now: string }) =>
  db
    .selectFrom('subscription')
    .where('subscription.status', '!=', 'suspended')
    .where('subscription.next_check_at', '<=', p.now)
    .where((eb) =>
      eb.or([eb('subscription.lease_until', 'is', null), eb('subscription.lease_until', '<=', p.now)]),
    )

const anyDue = query<{ now: string }, { id: number }>((db, p) =>
  due(db, p).select('subscription.id').limit(1),
)
/** A read, so that an instance without subscriptions never waits to write. */
export const hasDueSubscription = async (db: Executor, now: string): Promise<boolean> =>
  (await anyDue(db, { now })).length > 0

interface Lease {
  lease: string
  now: string
  until: string
}
const claim = query<Lease, SubscriptionRow>((db, p, engine) =>
  db
    .updateTable('subscription')
    .set({ lease: p.lease, lease_until: p.until })
    .where('id', '=', () =>
      due(db, p)
        .select('subscription.id')
        .orderBy('subscription.next_check_at')
        .limit(1)
        .$if(locksRows(engine), (found) => found.forUpdate().skipLocked()),
    )
    .returning(columns),
)
/** Takes the lease of a subscription that is to be read and that no process reads. */
export const claimSubscription = async (tx: Executor, lease: Lease): Promise<Subscription | undefined> =>
  orUndefined(await first(claim(tx, lease)))

const claimOne = query<Lease & { id: number }, SubscriptionRow>((db, p) =>
  db
    .updateTable('subscription')
    .set({ lease: p.lease, lease_until: p.until })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', p.now)]))
    .returning(columns),
)
/** This one, whenever it is due; undefined if a process reads it. */
export const claimThisSubscription = async (
  tx: Executor,
  lease: Lease & { id: number },
): Promise<Subscription | undefined> => orUndefined(await first(claimOne(tx, lease)))

interface Result {
  id: number
  lease: string
  etag: string | null
  lastModified: string | null
  memory: CalendarMemory
  status: IntakeStatus
  problem: IntakeProblem | null
  httpStatus: number | null
  failingSince: string | null
  failures: number
  lastCheckedAt: string
  lastChangedAt: string | null
  nextCheckAt: string
}
const finish = query<Omit<Result, 'memory'> & { memory: string }, SubscriptionRow>((db, p) =>
  db
    .updateTable('subscription')
    .set({
      etag: p.etag,
      last_modified: p.lastModified,
      memory: p.memory,
      status: p.status,
      problem: p.problem,
      http_status: p.httpStatus,
      failing_since: p.failingSince,
      failures: p.failures,
      last_checked_at: p.lastCheckedAt,
      last_changed_at: p.lastChangedAt,
      next_check_at: p.nextCheckAt,
      lease: null,
      lease_until: null,
    })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning(columns),
)
/** Releases the lease; undefined if it was lost. */
export const finishSubscription = async (tx: Executor, result: Result): Promise<Subscription | undefined> =>
  orUndefined(await first(finish(tx, { ...result, memory: toJson(result.memory) })))

const release = query<{ id: number; lease: string }, { id: number }>((db, p) =>
  db
    .updateTable('subscription')
    .set({ lease: null, lease_until: null })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning('id'),
)
export const releaseSubscription = (tx: Executor, id: number, lease: string) => release(tx, { id, lease })

// Notifications and their deliveries. A notification is what a person is to be told; its row stays, so that its key prevents a
// second one. It becomes one delivery for each device or mailbox, which is deleted when it is done.
import { sql } from 'kysely'
import { pick } from '../../domain/pick.ts'
import type { NotificationKind } from '../../domain/push/notifications.ts'
import { upsertMany } from '../engine/bulk.ts'
import { locksRows } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { claimSome, type Lease } from '../engine/leases.ts'
import { type Builder, first, query, queryAny, queryByList } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'

export type Notification = RowOf<'notification'>
type Delivery = RowOf<'notificationDelivery'>

// Who gets any

/** People with a device or a confirmed address. */
export const withChannel = (db: Builder) =>
  db
    .selectFrom('pushSubscription')
    .select('pushSubscription.userId')
    .union((eb) => eb.selectFrom('notificationSettings').select('userId').where('mail', 'is not', null))

export const anyoneHasChannel = queryAny((db) => withChannel(db).limit(1))

// Notifications

/** Only if the person has a device or a confirmed address. */
export const insertNotificationOfNotice = query(
  (db, p: { noticeId: number; kind: NotificationKind; dueAt: string; expiresAt: string }) =>
    db
      .insertInto('notification')
      .columns(['userId', 'key', 'kind', 'noticeId', 'flightId', 'data', 'dueAt', 'expiresAt'])
      .expression((eb) =>
        eb
          .selectFrom('notice')
          .select([
            'notice.userId',
            sql<string>`'notice:' || notice.id`.as('key'),
            sql<NotificationKind>`cast(${p.kind} as text)`.as('kind'),
            'notice.id as noticeId',
            'notice.flightId',
            sql<string>`'{}'`.as('data'),
            sql<string>`cast(${p.dueAt} as text)`.as('dueAt'),
            sql<string>`cast(${p.expiresAt} as text)`.as('expiresAt'),
          ])
          .where('notice.id', '=', p.noticeId)
          .where('notice.userId', 'in', withChannel(db)),
      )
      .returning('id'),
)
const newColumns = ['userId', 'key', 'kind', 'flightId', 'data', 'dueAt', 'expiresAt'] as const
/** A notification whose key exists already is not inserted again. */
export const insertNotifications = (
  tx: Executor,
  rows: readonly Pick<Notification, (typeof newColumns)[number]>[],
): Promise<void> => upsertMany(tx, 'notification', newColumns, ['key'], rows, { keepsExisting: true })

const notificationColumns = [
  'id',
  'userId',
  'key',
  'kind',
  'noticeId',
  'flightId',
  'data',
  'dueAt',
  'expiresAt',
  'expandedAt',
] as const
/** Those that are due, locked until the transaction ends, without those that another process has locked. */
export const lockDueNotifications = query((db, p: { now: string; most: number }, engine) =>
  db
    .selectFrom('notification')
    .select(notificationColumns)
    .where('expandedAt', 'is', null)
    .where('dueAt', '<=', p.now)
    .orderBy('dueAt')
    .orderBy('id')
    .limit(p.most)
    .$if(locksRows(engine), (found) => found.forUpdate().skipLocked()),
)
export const markExpanded = queryByList((db, ids: number[], p: { now: string }) =>
  db.updateTable('notification').set({ expandedAt: p.now }).where('id', 'in', ids).returning('id'),
)
export const postponeNotification = query((db, p: { id: number; dueAt: string }) =>
  db.updateTable('notification').set({ dueAt: p.dueAt }).where('id', '=', p.id).returning('id'),
)
export const deleteNotificationsBefore = query((db, p: { before: string }) =>
  db.deleteFrom('notification').where('expiresAt', '<', p.before).returning('id'),
)

// Deliveries

const givenColumns = ['userId', 'channel', 'subscriptionId', 'data', 'nextAttemptAt', 'expiresAt'] as const
export type NewDelivery = Pick<Delivery, (typeof givenColumns)[number]>
/** They are due immediately. */
export const insertDeliveries = (tx: Executor, rows: readonly NewDelivery[]): Promise<void> =>
  upsertMany(
    tx,
    'notificationDelivery',
    [...givenColumns, 'attempts', 'refusals'],
    [],
    rows.map((row) => ({ ...row, attempts: 0, refusals: 0 })),
  )

/** The place of a push service for mails. */
export const MAILS = 'mails'

/** A claimed row is due again when its lease ends. `busy` are two push services, or mails, that get no more for now; empty for none. */
export const claimDeliveries = query(
  (db, p: Lease & { most: number; busy1: string; busy2: string }, engine) =>
    claimSome(
      db,
      'notificationDelivery',
      p,
      db
        .selectFrom('notificationDelivery')
        .select('notificationDelivery.id')
        .where('nextAttemptAt', '<=', p.now)
        .where((eb) =>
          eb.or([
            eb.and([eb('subscriptionId', 'is', null), eb(sql.lit(MAILS), 'not in', [p.busy1, p.busy2])]),
            eb('subscriptionId', 'not in', (busy) =>
              busy
                .selectFrom('pushSubscription')
                .select('pushSubscription.id')
                .where('host', 'in', [p.busy1, p.busy2]),
            ),
          ]),
        )
        .orderBy('nextAttemptAt')
        .limit(p.most),
      engine,
    )
      .set({ nextAttemptAt: p.until })
      .returning(['id', 'userId', 'subscriptionId', 'data', 'expiresAt', 'attempts', 'refusals'])
      .returning((eb) =>
        eb
          .selectFrom('pushSubscription')
          .select('host')
          .whereRef('pushSubscription.id', '=', 'notificationDelivery.subscriptionId')
          .as('host'),
      ),
)

/** Unless another process has taken them over. */
export const deleteDeliveries = queryByList((db, ids: number[], p: { lease: string }) =>
  db.deleteFrom('notificationDelivery').where('id', 'in', ids).where('lease', '=', p.lease).returning('id'),
)
interface Retry {
  id: number
  lease: string
  nextAttemptAt: string
  attempts: number
  refusals: number
}
export const retryDelivery = query((db, p: Retry) =>
  db
    .updateTable('notificationDelivery')
    .set({ ...pick(p, ['nextAttemptAt', 'attempts', 'refusals']), lease: null, leaseUntil: null })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning('id'),
)
/** What a process that stops has claimed and not sent. */
export const releaseAll = query((db, p: { lease: string; now: string }) =>
  db
    .updateTable('notificationDelivery')
    .set({ nextAttemptAt: p.now, lease: null, leaseUntil: null })
    .where('lease', '=', p.lease)
    .returning('id'),
)
export const deleteExpiredDeliveries = query((db, p: { now: string }) =>
  db.deleteFrom('notificationDelivery').where('expiresAt', '<=', p.now).returning('id'),
)

const next = query((db) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('notification')
      .select((n) => n.fn.min('dueAt').as('at'))
      .where('expandedAt', 'is', null)
      .as('notification'),
    eb
      .selectFrom('notificationDelivery')
      .select((d) => d.fn.min('nextAttemptAt').as('at'))
      .as('delivery'),
  ]),
)
/** When the next notification or delivery is due; null if there is none. */
export async function findNextDue(
  db: Executor,
): Promise<{ notification: string | null; delivery: string | null }> {
  const row = (await first(next(db, {})))!
  return { notification: row.notification ?? null, delivery: row.delivery ?? null }
}

const waiting = query((db) =>
  db.selectFrom('notificationDelivery').select((eb) => eb.fn.countAll<number>().as('n')),
)
export const countWaiting = async (db: Executor): Promise<number> => Number((await first(waiting(db, {})))!.n)

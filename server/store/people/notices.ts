// Notices that people receive. A notice about a flight is shown while the person is on the flight, or if they left it from
// the notice. Deleting or restoring the flight hides or shows the notice without a write to it.
import { type ExpressionBuilder, sql } from 'kysely'
import type { Standing } from '../../domain/flights/consent.ts'
import type { NoticeData, NoticeKind } from '../../domain/people/notices.ts'
import { pick } from '../../domain/pick.ts'
import { kindOfNotice, kindRules } from '../../domain/push/notifications.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { type Builder, first, query, queryAny, queryByList, queryFirst } from '../engine/query.ts'
import type { Schema } from '../engine/schema.ts'
import { insertNotificationOfNotice } from '../push/queue.ts'

interface NewNotice<Kind extends NoticeKind = NoticeKind> {
  userId: string
  kind: Kind
  at: string
  data: NoticeData<Kind>
  /** The flight that the notice is about, if any. */
  flightId: number | null
  /** The import that the notice is about, with which it is deleted. */
  importId?: number | null
}

export interface StoredNotice<Kind extends NoticeKind = NoticeKind> {
  id: number
  kind: Kind
  at: string
  data: NoticeData<Kind>
  readAt: string | null
  flightId: number | null
  leftAt: string | null
  /** The person's passenger row; null if they are not on the flight any more. */
  passenger: (Standing & { id: number }) | null
}

interface NoticeRow extends Standing {
  id: number
  kind: string
  at: string
  data: string
  readAt: string | null
  flightId: number | null
  leftAt: string | null
  passengerId: number | null
}

// Reading

const ofPerson = (db: Builder, p: { userId: string }) =>
  db
    .selectFrom('notice')
    .leftJoin('flightPassenger as passenger', (join) =>
      join
        .onRef('passenger.flightId', '=', 'notice.flightId')
        .onRef('passenger.userId', '=', 'notice.userId'),
    )
    .where('notice.userId', '=', p.userId)
    .where((eb) =>
      eb.or([
        eb('notice.flightId', 'is', null),
        eb('notice.leftAt', 'is not', null),
        eb('passenger.id', 'is not', null),
      ]),
    )

const rowsOf = (db: Builder, p: { userId: string }) =>
  ofPerson(db, p).select([
    'notice.id',
    'notice.kind',
    'notice.at',
    'notice.data',
    'notice.readAt',
    'notice.flightId',
    'notice.leftAt',
    'passenger.id as passengerId',
    'passenger.addedBy',
    'passenger.keptAt',
  ])

const toNotice = (row: NoticeRow): StoredNotice => ({
  id: row.id,
  kind: row.kind as NoticeKind,
  at: row.at,
  data: fromJson<NoticeData>(row.data),
  readAt: row.readAt,
  flightId: row.flightId,
  leftAt: row.leftAt,
  passenger:
    row.passengerId === null ? null : { id: row.passengerId, addedBy: row.addedBy, keptAt: row.keptAt },
})

interface PageRequest {
  userId: string
  before: number
  limit: number
}
const page = query((db, p: PageRequest) =>
  rowsOf(db, p).where('notice.id', '<', p.before).orderBy('notice.id', 'desc').limit(p.limit),
)
const pageOfFlight = query((db, p: PageRequest & { flightId: number }) =>
  rowsOf(db, p)
    .where('notice.flightId', '=', p.flightId)
    .where('notice.id', '<', p.before)
    .orderBy('notice.id', 'desc')
    .limit(p.limit),
)
/** A person's notices below the id `before`, newest first; only those of `flightId` if it is given. */
export async function listNotices(
  db: Executor,
  request: PageRequest & { flightId?: number | undefined },
): Promise<StoredNotice[]> {
  const { flightId } = request
  const rows =
    flightId === undefined ? await page(db, request) : await pageOfFlight(db, { ...request, flightId })
  return rows.map(toNotice)
}

const unread = query((db, p: { userId: string }) =>
  ofPerson(db, p)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('notice.readAt', 'is', null),
)
export const countUnread = async (db: Executor, userId: string): Promise<number> =>
  Number((await first(unread(db, { userId })))!.n)
export const findNotice = queryFirst(
  (db, p: { userId: string; id: number }) => rowsOf(db, p).where('notice.id', '=', p.id),
  toNotice,
)

// Writing

const insert = query(
  (db, p: Omit<NewNotice, 'data' | 'importId'> & { data: string; importId: number | null }) =>
    db
      .insertInto('notice')
      .values(pick(p, ['userId', 'kind', 'at', 'data', 'flightId', 'importId']))
      .returning('id'),
)
/** Call it in the transaction of the change that the notice is about. People with a device or a confirmed address are notified of it. */
export async function insertNotice<Kind extends NoticeKind>(
  tx: Executor,
  notice: NewNotice<Kind>,
): Promise<void> {
  const given = { ...notice, importId: notice.importId ?? null, data: toJson(notice.data) }
  const [row] = await insert(tx, given)
  const kind = kindOfNotice(notice.kind)
  if (!row || !kind) return
  const expiresAt = new Date(Date.parse(notice.at) + kindRules[kind].lifetimeMs).toISOString()
  await insertNotificationOfNotice(tx, { noticeId: row.id, kind, dueAt: notice.at, expiresAt })
}

const alike = query((db, p: { userId: string; kind: string; data: string }) =>
  db
    .selectFrom('notice')
    .select('id')
    .where('userId', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('data', '=', p.data)
    .where('readAt', 'is', null),
)
/** The same, unless the person has an unread notice with the same content: a lasting cause is reported once. */
export async function insertNoticeOnce<Kind extends NoticeKind>(
  tx: Executor,
  notice: NewNotice<Kind>,
): Promise<void> {
  const { userId, kind } = notice
  if ((await alike(tx, { userId, kind, data: toJson(notice.data) })).length === 0)
    await insertNotice(tx, notice)
}
/** Whether the person got a notice of this kind since then, read or not. */
export const hasNoticeSince = queryAny((db, p: { userId: string; kind: NoticeKind; since: string }) =>
  db
    .selectFrom('notice')
    .select('id')
    .where('userId', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('at', '>', p.since)
    .limit(1),
)

const newestUnread = query((db, p: { userId: string; kind: string }) =>
  db
    .selectFrom('notice')
    .select(['id', 'data'])
    .where('userId', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('readAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(1),
)
const setData = query((db, p: { id: number; at: string; data: string }) =>
  db.updateTable('notice').set({ at: p.at, data: p.data }).where('id', '=', p.id).returning('id'),
)
/** The same, unless `merged` can combine it with the person's newest unread notice of this kind. */
export async function insertNoticeOrMerge<Kind extends NoticeKind>(
  tx: Executor,
  notice: NewNotice<Kind>,
  merged: (before: NoticeData<Kind>) => NoticeData<Kind> | undefined,
): Promise<void> {
  const before = await first(newestUnread(tx, notice))
  const data = before && merged(fromJson<NoticeData<Kind>>(before.data))
  if (data) await setData(tx, { id: before.id, at: notice.at, data: toJson(data) })
  else await insertNotice(tx, notice)
}
/** Whether the person was notified of an import that arrived automatically. */
export const hasNoticeOfImport = queryAny((db, p: { userId: string; importId: number }) =>
  db
    .selectFrom('notice')
    .select('id')
    .where('importId', '=', p.importId)
    .where('userId', '=', p.userId)
    .where('kind', '=', 'import.arrived'),
)

/** Deletes these people's notices of one kind about a flight, before new ones replace them. */
export const deleteNotices = queryByList((db, userIds: string[], p: { kind: NoticeKind; flightId: number }) =>
  db
    .deleteFrom('notice')
    .where('flightId', '=', p.flightId)
    .where('kind', '=', p.kind)
    .where('userId', 'in', userIds)
    .returning('id'),
)

const notifiedOfImport = queryByList((db, userIds: string[], p: { importId: number }) =>
  db
    .selectFrom('notice')
    .innerJoin('flight', 'flight.id', 'notice.flightId')
    .select('notice.userId')
    .where('flight.importId', '=', p.importId)
    .where('notice.kind', '=', 'flight.added')
    .where('notice.userId', 'in', userIds),
)
/** Those of these people who have a notice about a flight of this import. */
export const listNotifiedOfImport = async (
  tx: Executor,
  importId: number,
  userIds: readonly string[],
): Promise<string[]> => (await notifiedOfImport(tx, userIds, { importId })).map(({ userId }) => userId)

const onImports = queryByList((db, importIds: number[], p: { userId: string }) =>
  db
    .selectFrom('flight')
    .innerJoin('flightPassenger', 'flightPassenger.flightId', 'flight.id')
    .select((eb) => [
      sql<number>`flight.import_id`.as('importId'),
      sql<number>`cast(${eb.fn.countAll()} as integer)`.as('flights'),
    ])
    .where('flight.importId', 'in', importIds)
    .where('flightPassenger.userId', '=', p.userId)
    .groupBy('flight.importId'),
)
/** How many flights of these imports a person is on, by import. */
export const countOnImports = async (
  db: Executor,
  userId: string,
  importIds: readonly number[],
): Promise<Map<number, number>> =>
  new Map((await onImports(db, importIds, { userId })).map(({ importId, flights }) => [importId, flights]))
export const markRead = query((db, p: { userId: string; id: number; now: string }) =>
  db
    .updateTable('notice')
    .set({ readAt: p.now })
    .where('userId', '=', p.userId)
    .where('id', '=', p.id)
    .where('readAt', 'is', null)
    .returning('id'),
)

/** Includes all of the person's notices that are not newer than this one. */
export const markReadUpTo = query((db, p: { userId: string; upTo: number; now: string }) =>
  db
    .updateTable('notice')
    .set({ readAt: p.now })
    .where('userId', '=', p.userId)
    .where('id', '<=', p.upTo)
    .where('readAt', 'is', null)
    .returning('id'),
)

/** Records that the person left the flight, or revoked what a sign-in could use. */
export const markLeft = query((db, p: { userId: string; id: number; now: string }) =>
  db
    .updateTable('notice')
    .set({ leftAt: p.now })
    .where('userId', '=', p.userId)
    .where('id', '=', p.id)
    .returning('id'),
)

/** The person is on the flight and has not kept it yet. */
const isOpen = (eb: ExpressionBuilder<Schema, 'notice'>) =>
  eb.exists(
    eb
      .selectFrom('flightPassenger')
      .select('flightPassenger.id')
      .whereRef('flightPassenger.flightId', '=', 'notice.flightId')
      .whereRef('flightPassenger.userId', '=', 'notice.userId')
      .where('flightPassenger.addedBy', 'is not', null)
      .where('flightPassenger.keptAt', 'is', null),
  )
/** Keeps each person's newest notices, and older ones only while they need a decision. */
export const deleteOldNotices = query((db, p: { most: number }) =>
  db
    .deleteFrom('notice')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom('notice as each')
            .select([
              'each.id',
              sql<number>`row_number() over (partition by each.user_id order by each.id desc)`.as('place'),
            ])
            .as('placed'),
        )
        .select('placed.id')
        .where('placed.place', '>', p.most),
    )
    .where((eb) => eb.not(isOpen(eb)))
    .returning('id'),
)

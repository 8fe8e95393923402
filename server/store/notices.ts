// Notices: what a person is notified of. A notice about a flight is shown while the person is on that flight, or has left
// it by the notice. Deleting or restoring the flight hides or shows it again, without a write of its own.
import { type ExpressionBuilder, sql } from 'kysely'
import type { NoticeData, NoticeKind } from '../domain/notices.ts'
import type { Standing } from '../domain/standing.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { type Builder, first, query, queryByList } from './query.ts'
import type { Schema } from './schema.ts'

interface NewNotice<Kind extends NoticeKind = NoticeKind> {
  userId: string
  kind: Kind
  at: string
  data: NoticeData<Kind>
  /** The flight that it is about, if any. */
  flightId: number | null
  /** The import that it is about: it is deleted with it. */
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
  /** The person's place on that flight; null: not on it any more. */
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
    .leftJoin('flight_passenger as passenger', (join) =>
      join
        .onRef('passenger.flight_id', '=', 'notice.flight_id')
        .onRef('passenger.user_id', '=', 'notice.user_id'),
    )
    .where('notice.user_id', '=', p.userId)
    .where((eb) =>
      eb.or([
        eb('notice.flight_id', 'is', null),
        eb('notice.left_at', 'is not', null),
        eb('passenger.id', 'is not', null),
      ]),
    )

const rowsOf = (db: Builder, p: { userId: string }) =>
  ofPerson(db, p).select([
    'notice.id',
    'notice.kind',
    'notice.at',
    'notice.data',
    'notice.read_at as readAt',
    'notice.flight_id as flightId',
    'notice.left_at as leftAt',
    'passenger.id as passengerId',
    'passenger.added_by as addedBy',
    'passenger.kept_at as keptAt',
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
const page = query<PageRequest, NoticeRow>((db, p) =>
  rowsOf(db, p).where('notice.id', '<', p.before).orderBy('notice.id', 'desc').limit(p.limit),
)
const pageOfFlight = query<PageRequest & { flightId: number }, NoticeRow>((db, p) =>
  rowsOf(db, p)
    .where('notice.flight_id', '=', p.flightId)
    .where('notice.id', '<', p.before)
    .orderBy('notice.id', 'desc')
    .limit(p.limit),
)
/** A person's notices below the id `before`, newest first; of one flight only, if it is given. */
export async function listNotices(
  db: Executor,
  request: PageRequest & { flightId?: number | undefined },
): Promise<StoredNotice[]> {
  const { flightId } = request
  const rows =
    flightId === undefined ? await page(db, request) : await pageOfFlight(db, { ...request, flightId })
  return rows.map(toNotice)
}

const unread = query<{ userId: string }, { n: number }>((db, p) =>
  ofPerson(db, p)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('notice.read_at', 'is', null),
)
export const countUnread = async (db: Executor, userId: string): Promise<number> =>
  Number((await first(unread(db, { userId })))!.n)

const byId = query<{ userId: string; id: number }, NoticeRow>((db, p) =>
  rowsOf(db, p).where('notice.id', '=', p.id),
)
/** One of this person's notices. */
export async function findNotice(
  db: Executor,
  userId: string,
  id: number,
): Promise<StoredNotice | undefined> {
  const row = await first(byId(db, { userId, id }))
  return row && toNotice(row)
}

// Writing

const insert = query<
  Omit<NewNotice, 'data' | 'importId'> & { data: string; importId: number | null },
  { id: number }
>((db, p) =>
  db
    .insertInto('notice')
    .values({
      user_id: p.userId,
      kind: p.kind,
      at: p.at,
      data: p.data,
      flight_id: p.flightId,
      import_id: p.importId,
    })
    .returning('id'),
)
/** Call it in the transaction of the change that the notice is about, so that both are committed or neither is. */
export async function insertNotice<Kind extends NoticeKind>(
  tx: Executor,
  notice: NewNotice<Kind>,
): Promise<void> {
  await insert(tx, { ...notice, importId: notice.importId ?? null, data: toJson(notice.data) })
}

const alike = query<{ userId: string; kind: string; data: string }, { id: number }>((db, p) =>
  db
    .selectFrom('notice')
    .select('id')
    .where('user_id', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('data', '=', p.data)
    .where('read_at', 'is', null),
)
/** The same, unless the person has not read one that says the same: a cause that lasts is reported once. */
export async function insertNoticeOnce<Kind extends NoticeKind>(
  tx: Executor,
  notice: NewNotice<Kind>,
): Promise<void> {
  const { userId, kind } = notice
  if ((await alike(tx, { userId, kind, data: toJson(notice.data) })).length === 0)
    await insertNotice(tx, notice)
}

const ofKindSince = query<{ userId: string; kind: string; since: string }, { id: number }>((db, p) =>
  db
    .selectFrom('notice')
    .select('id')
    .where('user_id', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('at', '>', p.since)
    .limit(1),
)
/** Whether the person got a notice of this kind since then, read or not. */
export const hasNoticeSince = async (
  db: Executor,
  userId: string,
  kind: NoticeKind,
  since: string,
): Promise<boolean> => (await ofKindSince(db, { userId, kind, since })).length > 0

const newestUnread = query<{ userId: string; kind: string }, { id: number; data: string }>((db, p) =>
  db
    .selectFrom('notice')
    .select(['id', 'data'])
    .where('user_id', '=', p.userId)
    .where('kind', '=', p.kind)
    .where('read_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1),
)
const setData = query<{ id: number; at: string; data: string }, { id: number }>((db, p) =>
  db.updateTable('notice').set({ at: p.at, data: p.data }).where('id', '=', p.id).returning('id'),
)
/** The same, unless `merged` says how the person's newest unread one of this kind can say both. */
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

const ofImport = query<{ userId: string; importId: number }, { id: number }>((db, p) =>
  db
    .selectFrom('notice')
    .select('id')
    .where('import_id', '=', p.importId)
    .where('user_id', '=', p.userId)
    .where('kind', '=', 'import.arrived'),
)
/** Whether the person was notified of an import that arrived by itself. */
export const hasNoticeOfImport = async (db: Executor, userId: string, importId: number): Promise<boolean> =>
  (await ofImport(db, { userId, importId })).length > 0

const deleteOfFlight = queryByList<string, { id: number }, { kind: string; flightId: number }>(
  (db, userIds, p) =>
    db
      .deleteFrom('notice')
      .where('flight_id', '=', p.flightId)
      .where('kind', '=', p.kind)
      .where('user_id', 'in', userIds)
      .returning('id'),
)
/** Deletes these people's notices of one kind about a flight, before new ones replace them. */
export const deleteNotices = (tx: Executor, kind: NoticeKind, flightId: number, userIds: readonly string[]) =>
  deleteOfFlight(tx, userIds, { kind, flightId })

const notifiedOfImport = queryByList<string, { userId: string }, { importId: number }>((db, userIds, p) =>
  db
    .selectFrom('notice')
    .innerJoin('flight', 'flight.id', 'notice.flight_id')
    .select('notice.user_id as userId')
    .where('flight.import_id', '=', p.importId)
    .where('notice.kind', '=', 'flight.added')
    .where('notice.user_id', 'in', userIds),
)
/** Those of these people who have a notice about a flight of this import. */
export const listNotifiedOfImport = async (
  tx: Executor,
  importId: number,
  userIds: readonly string[],
): Promise<string[]> => (await notifiedOfImport(tx, userIds, { importId })).map(({ userId }) => userId)

const onImports = queryByList<number, { importId: number; flights: number }, { userId: string }>(
  (db, importIds, p) =>
    db
      .selectFrom('flight')
      .innerJoin('flight_passenger', 'flight_passenger.flight_id', 'flight.id')
      .select((eb) => [
        sql<number>`flight.import_id`.as('importId'),
        sql<number>`cast(${eb.fn.countAll()} as integer)`.as('flights'),
      ])
      .where('flight.import_id', 'in', importIds)
      .where('flight_passenger.user_id', '=', p.userId)
      .groupBy('flight.import_id'),
)
/** How many flights of each of these imports a person is on. */
export const countOnImports = async (
  db: Executor,
  userId: string,
  importIds: readonly number[],
): Promise<Map<number, number>> =>
  new Map((await onImports(db, importIds, { userId })).map(({ importId, flights }) => [importId, flights]))

const setRead = query<{ userId: string; id: number; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('notice')
    .set({ read_at: p.now })
    .where('user_id', '=', p.userId)
    .where('id', '=', p.id)
    .where('read_at', 'is', null)
    .returning('id'),
)
export const markRead = (tx: Executor, userId: string, id: number, now: string) =>
  setRead(tx, { userId, id, now })

const setReadUpTo = query<{ userId: string; upTo: number; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('notice')
    .set({ read_at: p.now })
    .where('user_id', '=', p.userId)
    .where('id', '<=', p.upTo)
    .where('read_at', 'is', null)
    .returning('id'),
)
/** All of a person's notices that are not newer than this one. */
export const markReadUpTo = (tx: Executor, userId: string, upTo: number, now: string) =>
  setReadUpTo(tx, { userId, upTo, now })

const setLeft = query<{ userId: string; id: number; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('notice')
    .set({ left_at: p.now })
    .where('user_id', '=', p.userId)
    .where('id', '=', p.id)
    .returning('id'),
)
/** Records that the person left the flight, or ended what a sign-in could use. */
export const markLeft = (tx: Executor, userId: string, id: number, now: string) =>
  setLeft(tx, { userId, id, now })

/** The person is on the flight and has not kept it yet. */
const isOpen = (eb: ExpressionBuilder<Schema, 'notice'>) =>
  eb.exists(
    eb
      .selectFrom('flight_passenger')
      .select('flight_passenger.id')
      .whereRef('flight_passenger.flight_id', '=', 'notice.flight_id')
      .whereRef('flight_passenger.user_id', '=', 'notice.user_id')
      .where('flight_passenger.added_by', 'is not', null)
      .where('flight_passenger.kept_at', 'is', null),
  )

const deleteBeyond = query<{ most: number }, { id: number }>((db, p) =>
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
/** Keeps the newest of each person's notices, and older ones only while they wait for a decision. */
export const deleteOldNotices = (tx: Executor, most: number) => deleteBeyond(tx, { most })

// Feeds by secret address: whose flights, which of them, and what is left out. The address is stored only as a hash.
import { sql } from 'kysely'
import type { FeedKind, FeedWindow, Redaction } from '../domain/feed.ts'
import { type CallerRow, revisionsOfCaller } from './callers.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

interface FeedSettings extends FeedWindow {
  /** As they were given; what they mean is known elsewhere. */
  filters: Record<string, unknown>
  redact: Redaction[]
}
export interface Feed extends FeedSettings {
  id: number
  kind: FeedKind
  name: string
  lastFour: string
  createdAt: string
  updatedAt: string
  lastReadAt: string | null
}

interface FeedRow extends Omit<Feed, keyof FeedSettings> {
  settings: string
}
const columns = [
  'feed.id',
  'feed.kind',
  'feed.name',
  'feed.last_four as lastFour',
  'feed.settings',
  'feed.created_at as createdAt',
  'feed.updated_at as updatedAt',
  'feed.last_read_at as lastReadAt',
] as const
const toFeed = ({ settings, ...row }: FeedRow): Feed => ({ ...row, ...fromJson<FeedSettings>(settings) })

const ofUser = query<{ userId: string }, FeedRow>((db, p) =>
  db.selectFrom('feed').select(columns).where('user_id', '=', p.userId).orderBy('id', 'desc'),
)
/** Newest first. */
export const listFeeds = async (db: Executor, userId: string): Promise<Feed[]> =>
  (await ofUser(db, { userId })).map(toFeed)

const ownById = query<{ userId: string; id: number }, FeedRow>((db, p) =>
  db.selectFrom('feed').select(columns).where('user_id', '=', p.userId).where('id', '=', p.id),
)
export async function findFeed(db: Executor, userId: string, id: number): Promise<Feed | undefined> {
  const row = await first(ownById(db, { userId, id }))
  return row && toFeed(row)
}

interface Address {
  hash: string
  lastFour: string
}
interface NewFeed extends FeedSettings, Address {
  kind: FeedKind
  name: string
}
const settingsOf = ({ filters, redact, delayHours, past, upcoming }: FeedSettings): string =>
  toJson({ filters, redact, delayHours, past, upcoming } satisfies FeedSettings)

const insertRow = query<
  Address & { userId: string; kind: FeedKind; name: string; settings: string; now: string },
  FeedRow
>((db, p) =>
  db
    .insertInto('feed')
    .values({
      user_id: p.userId,
      hash: p.hash,
      last_four: p.lastFour,
      kind: p.kind,
      name: p.name,
      settings: p.settings,
      created_at: p.now,
      updated_at: p.now,
      last_read_at: null,
    })
    .returning(columns),
)
export async function insertFeed(tx: Executor, userId: string, feed: NewFeed, now: string): Promise<Feed> {
  const { hash, lastFour, kind, name } = feed
  const rows = await insertRow(tx, { userId, hash, lastFour, kind, name, settings: settingsOf(feed), now })
  return toFeed(rows[0]!)
}

const updateRow = query<{ userId: string; id: number; name: string; settings: string; now: string }, FeedRow>(
  (db, p) =>
    db
      .updateTable('feed')
      .set({ name: p.name, settings: p.settings, updated_at: p.now })
      .where('user_id', '=', p.userId)
      .where('id', '=', p.id)
      .returning(columns),
)
/** Name and settings; the address and the kind stay. */
export async function updateFeed(
  tx: Executor,
  userId: string,
  id: number,
  feed: FeedSettings & { name: string },
  now: string,
): Promise<Feed | undefined> {
  const row = await first(updateRow(tx, { userId, id, name: feed.name, settings: settingsOf(feed), now }))
  return row && toFeed(row)
}

const updateAddress = query<Address & { userId: string; id: number; now: string }, FeedRow>((db, p) =>
  db
    .updateTable('feed')
    .set({ hash: p.hash, last_four: p.lastFour, updated_at: p.now })
    .where('user_id', '=', p.userId)
    .where('id', '=', p.id)
    .returning(columns),
)
/** Gives it another address; the one before opens nothing any more. */
export async function updateFeedAddress(
  tx: Executor,
  userId: string,
  id: number,
  address: Address,
  now: string,
): Promise<Feed | undefined> {
  const row = await first(updateAddress(tx, { userId, id, ...address, now }))
  return row && toFeed(row)
}

const deleteRow = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('feed').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
/** False if there was none. */
export const deleteFeed = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await deleteRow(tx, { userId, id })).length > 0

const touchRow = query<{ id: number; now: string }, { id: number }>((db, p) =>
  db.updateTable('feed').set({ last_read_at: p.now }).where('id', '=', p.id).returning('id'),
)
export const touchFeed = (tx: Executor, id: number, now: string) => touchRow(tx, { id, now })

// Reading by address

interface ReaderRow extends Omit<CallerRow, 'credentialId' | 'scopes' | 'legacyFormat' | 'lastUsedAt'> {
  preferences: string
  /** When anything in the owner's view last changed. */
  changedAt: string | null
}
export interface ServedFeed extends ReaderRow {
  feed: Feed
}

const byHash = query<{ hash: string }, FeedRow & ReaderRow>((db, p) =>
  db
    .selectFrom('feed')
    .innerJoin('person', 'person.id', 'feed.user_id')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select(columns)
    .select([
      'person.id as userId',
      'person.username',
      'person.display_name as displayName',
      'person.role_id as roleId',
      'person.is_owner as isOwner',
      'person.preferences',
      'role.name as roleName',
      'role.permissions',
      sql<string | null>`(select at from change where viewer = person.id order by number desc limit 1)`.as(
        'changedAt',
      ),
    ])
    .select(revisionsOfCaller)
    .where('feed.hash', '=', p.hash),
)
/** Any person's feed by its address, with its owner, in one query. */
export async function findFeedByHash(db: Executor, hash: string): Promise<ServedFeed | undefined> {
  const row = await first(byHash(db, { hash }))
  if (!row) return undefined
  const { id, kind, name, lastFour, settings, createdAt, updatedAt, lastReadAt, ...owner } = row
  return { ...owner, feed: toFeed({ id, kind, name, lastFour, settings, createdAt, updatedAt, lastReadAt }) }
}

interface RemovedFlight {
  id: number
  version: number
  at: string
}

const removedAfter = query<{ userId: string; after: string }, RemovedFlight>((db, p) =>
  db
    .selectFrom('change')
    .select(['item_id as id', 'version', 'at'])
    .where('viewer', '=', p.userId)
    .where('type', '=', 'flight')
    .where('removed', 'is not', null)
    .where('at', '>', p.after)
    .orderBy('at', 'desc')
    .orderBy('item_id', 'desc'),
)
/** What left a person's view after a moment and has not come back. */
export const listRemovedFlights = (db: Executor, userId: string, after: string): Promise<RemovedFlight[]> =>
  removedAfter(db, { userId, after })

const departures = query<{ userId: string; after: string }, { binned: number; removed: number }>((db, p) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('deleted_flight_row')
      .select((inner) => inner.fn.countAll<number>().as('n'))
      .where('user_id', '=', p.userId)
      .where('origin', '=', 'flight_passenger')
      .where('deleted_at', '>', p.after)
      .$asScalar()
      .as('binned'),
    eb
      .selectFrom('change')
      .select((inner) => inner.fn.countAll<number>().as('n'))
      .where('viewer', '=', p.userId)
      .where('type', '=', 'flight')
      .where('removed', 'is not', null)
      .where('at', '>', p.after)
      .$asScalar()
      .as('removed'),
  ]),
)
/** How many flights left a person's view after a moment, and how many of them are in the bin, as one text. */
export async function countDepartures(db: Executor, userId: string, after: string): Promise<string> {
  const { binned, removed } = (await first(departures(db, { userId, after })))!
  return `${binned}.${removed}`
}

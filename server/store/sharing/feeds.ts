// Feeds at a secret address: the owner, the filters and the options. The address is stored only as a hash.
import { sql } from 'kysely'
import { pick } from '../../domain/pick.ts'
import type { FeedKind, FeedWindow, Redaction } from '../../domain/sharing/feed.ts'
import { type CallerRow, personOfCaller, revisionsOfCaller } from '../access/callers.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryAny, queryFirst } from '../engine/query.ts'

interface FeedSettings extends FeedWindow {
  /** Stored as given; not interpreted here. */
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
  'feed.lastFour',
  'feed.settings',
  'feed.createdAt',
  'feed.updatedAt',
  'feed.lastReadAt',
] as const
const toFeed = ({ settings, ...row }: FeedRow): Feed => ({ ...row, ...fromJson<FeedSettings>(settings) })
/** Newest first. */
export const listFeeds = query(
  (db, p: { userId: string }) =>
    db.selectFrom('feed').select(columns).where('userId', '=', p.userId).orderBy('id', 'desc'),
  toFeed,
)

export const findFeed = queryFirst(
  (db, p: { userId: string; id: number }) =>
    db.selectFrom('feed').select(columns).where('userId', '=', p.userId).where('id', '=', p.id),
  toFeed,
)

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

const insertRow = query(
  (db, p: Address & { userId: string; kind: FeedKind; name: string; settings: string; now: string }) =>
    db
      .insertInto('feed')
      .values({
        ...pick(p, ['userId', 'hash', 'lastFour', 'kind', 'name', 'settings']),
        createdAt: p.now,
        updatedAt: p.now,
        lastReadAt: null,
      })
      .returning(columns),
)
export async function insertFeed(tx: Executor, userId: string, feed: NewFeed, now: string): Promise<Feed> {
  const { hash, lastFour, kind, name } = feed
  const rows = await insertRow(tx, { userId, hash, lastFour, kind, name, settings: settingsOf(feed), now })
  return toFeed(rows[0]!)
}

const updateRow = queryFirst(
  (db, p: { userId: string; id: number; name: string; settings: string; now: string }) =>
    db
      .updateTable('feed')
      .set({ name: p.name, settings: p.settings, updatedAt: p.now })
      .where('userId', '=', p.userId)
      .where('id', '=', p.id)
      .returning(columns),
  toFeed,
)
/** Updates name and settings, but not the address or the kind. */
export const updateFeed = (
  tx: Executor,
  userId: string,
  id: number,
  feed: FeedSettings & { name: string },
  now: string,
): Promise<Feed | undefined> =>
  updateRow(tx, { userId, id, name: feed.name, settings: settingsOf(feed), now })

/** Replaces the address; the old one stops working. */
export const updateFeedAddress = queryFirst(
  (db, p: Address & { userId: string; id: number; now: string }) =>
    db
      .updateTable('feed')
      .set({ hash: p.hash, lastFour: p.lastFour, updatedAt: p.now })
      .where('userId', '=', p.userId)
      .where('id', '=', p.id)
      .returning(columns),
  toFeed,
)
/** False if there was none. */
export const deleteFeed = queryAny((db, p: { userId: string; id: number }) =>
  db.deleteFrom('feed').where('userId', '=', p.userId).where('id', '=', p.id).returning('id'),
)

export const touchFeed = query((db, p: { id: number; now: string }) =>
  db.updateTable('feed').set({ lastReadAt: p.now }).where('id', '=', p.id).returning('id'),
)

// Reading by address

interface ReaderRow extends Omit<CallerRow, 'credentialId' | 'scopes' | 'legacyFormat' | 'lastUsedAt'> {
  preferences: string
  /** When anything that the owner sees last changed. */
  changedAt: string | null
}
export interface ServedFeed extends ReaderRow {
  feed: Feed
}

const byHash = query((db, p: { hash: string }) =>
  db
    .selectFrom('feed')
    .innerJoin('person', 'person.id', 'feed.userId')
    .leftJoin('role', 'role.id', 'person.roleId')
    .select(columns)
    .select(personOfCaller)
    .select([
      'person.preferences',
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
/** Flights that a person stopped seeing after a certain time and does not see again. */
export const listRemovedFlights = query((db, p: { userId: string; after: string }) =>
  db
    .selectFrom('change')
    .select(['itemId as id', 'version', 'at'])
    .where('viewer', '=', p.userId)
    .where('type', '=', 'flight')
    .where('removed', 'is not', null)
    .where('at', '>', p.after)
    .orderBy('at', 'desc')
    .orderBy('itemId', 'desc'),
)

const departures = query((db, p: { userId: string; after: string }) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('deletedFlightRow')
      .select((inner) => inner.fn.countAll<number>().as('n'))
      .where('userId', '=', p.userId)
      .where('origin', '=', 'flight_passenger')
      .where('deletedAt', '>', p.after)
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
/** How many flights a person stopped seeing after a certain time, and how many of them are in the bin, as one text. */
export async function countDepartures(db: Executor, userId: string, after: string): Promise<string> {
  const { binned, removed } = (await first(departures(db, { userId, after })))!
  return `${binned}.${removed}`
}

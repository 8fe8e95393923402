// Counters that are incremented in the transaction of the change that they count. In-memory caches use them as keys, so every
// process sees changes made by any other.
import { sql } from 'kysely'
import type { Executor } from './engine.ts'
import { query, queryByList } from './query.ts'

/** Airports, airlines, aircraft and custom-field definitions. */
export const REFERENCE = 'reference'
/** Not a revision: counts the ids of custom records. */
const CUSTOM_RECORDS = 'custom-records'
/** What everyone's flights show: shipped records and definitions of custom fields. */
export const PRESENTATION = 'presentation'
/** Accounts and their names, for finding people by name. `namesOn` counts changes of what flights show. */
export const PEOPLE = 'people'
/** Permissions: roles, people's roles and the default role. */
export const AUTHORITY = 'authority'
/** Numbers every change of the instance (store/history/changes.ts); as a revision, it covers all flights. */
export const CHANGES = 'changes'
/** Webhooks and deliveries that people request, to notify the delivering process of new work. */
export const WEBHOOKS = 'webhooks'
/** Settings and devices of notifications, to notify the process that computes reminders. */
export const NOTIFICATIONS = 'notifications'
/** Increases with every restore: earlier change numbers are meaningless afterwards. */
export const EPOCH = 'epoch'
/** Held by a request that logs a flight for a person, so that concurrent requests detect each other's flights as duplicates. */
export const loggingFor = (userId: string) => `logging:${userId}`
/** Held by a request that sets a person's external ids, so that concurrent requests cannot both use the same id. */
export const namingFor = (userId: string) => `naming:${userId}`
/** Held by a request that starts a person's import, so that concurrent requests do not import the same bytes twice. */
export const importingFor = (userId: string) => `importing:${userId}`
/** A person's flights and everything else that their change feed shows. */
export const flightsOf = (userId: string) => `flights:${userId}`
/** The names of people and records on a person's flights; for `EVERYONE`, on any flight. */
export const namesOn = (viewer: string) => `names:${viewer}`
/** Not a revision: the highest change whose tombstone was deleted, by viewer (store/history/changes.ts). */
export const forgottenFor = (viewer: string) => `forgotten:${viewer}`

/** The viewer for people who see everything. */
export const EVERYONE = '*'

/** One statement per number of counters, and one for many: on PostgreSQL every statement is a round trip. */
const TOGETHER_AT_MOST = 8
const MANY = 64
const incrementing = (count: number) =>
  query((db, names: string[]) =>
    db
      .insertInto('revision')
      .values(Array.from({ length: count }, (_, i) => ({ name: names[i]!, value: 1 })))
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ value: sql<number>`revision.value + 1` }),
      )
      .returning('value'),
  )
const increments = new Map(
  [...Array(TOGETHER_AT_MOST + 1).keys(), MANY].map((count) => [count, incrementing(count)]),
)
const increment = (tx: Executor, names: string[]) => increments.get(names.length)!(tx, names)

/**
 * Every transaction locks counters in this order, so that transactions cannot deadlock. Reverse alphabetical, because all
 * writers contend for `changes`, which therefore comes last.
 */
export const inLockOrder = (names: Iterable<string>): string[] => [...new Set(names)].sort().reverse()

/** Increments each counter once. */
export async function incrementRevisions(tx: Executor, names: Iterable<string>): Promise<void> {
  const ordered = inLockOrder(names)
  for (let start = 0; start < ordered.length; ) {
    const count = ordered.length - start >= MANY ? MANY : Math.min(TOGETHER_AT_MOST, ordered.length - start)
    await increment(tx, ordered.slice(start, start + count))
    start += count
  }
}

/** With more people than this, one counter for everyone is incremented instead, to limit the rows that a transaction locks. */
export const CONCERNED_AT_MOST = 1000

/**
 * Invalidates the flights that name a changed person or record, for the people on those flights: at most one more than
 * `CONCERNED_AT_MOST`. Also increments `others`, so that all are locked in order.
 */
export const incrementNamesOn = (
  tx: Executor,
  concerned: readonly string[],
  others: readonly string[] = [],
): Promise<void> =>
  incrementRevisions(tx, [
    ...others,
    namesOn(EVERYONE),
    ...(concerned.length > CONCERNED_AT_MOST ? [PRESENTATION] : concerned.map(namesOn)),
  ])
/** Sets a counter to a value unless it is higher already. */
export const raiseRevision = query((db, p: { name: string; value: number }) =>
  db
    .insertInto('revision')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        value: sql<number>`case when excluded.value > revision.value then excluded.value else revision.value end`,
      }),
    )
    .returning('value'),
)

/** A number that was never used before, not even for a deleted record. */
export const nextCustomNumber = async (tx: Executor): Promise<number> =>
  (await increment(tx, [CUSTOM_RECORDS]))[0]!.value

const byNames = queryByList((db, names: string[]) =>
  db.selectFrom('revision').select(['name', 'value']).where('name', 'in', names),
)

/** The counters' values; 0 for a counter that was never incremented. */
export async function readRevisions(db: Executor, names: readonly string[]): Promise<number[]> {
  const found = new Map((await byNames(db, names)).map((row) => [row.name, row.value]))
  return names.map((name) => found.get(name) ?? 0)
}

/** Increases with every change of what responses show, and is the same in every process. */
export async function readSharedState(db: Executor): Promise<number> {
  const values = await readRevisions(db, [CHANGES, PEOPLE, REFERENCE, EPOCH])
  return values.reduce((sum, value) => sum + value)
}

const everyRevision = query((db) => db.selectFrom('revision').select(['name', 'value']))
export const readAllRevisions = async (db: Executor): Promise<Map<string, number>> =>
  new Map((await everyRevision(db, {})).map((row) => [row.name, row.value]))

const writeOne = query((db, p: { name: string; value: number }) =>
  db
    .insertInto('revision')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .returning('name'),
)
const everyPerson = query((db) => db.selectFrom('person').select('id'))

/**
 * After a restore, every revision must be larger than before, both here and where the backup was made. The current time in
 * milliseconds is, because no instance averages a write per millisecond. Numbers of custom records continue from the larger
 * of the two.
 */
export async function writeRestoredRevisions(
  tx: Executor,
  before: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  const restored = await readAllRevisions(tx)
  const people = await everyPerson(tx, {})
  const shared = [REFERENCE, PRESENTATION, PEOPLE, AUTHORITY, CHANGES, EPOCH]
  const names = [...before.keys(), ...restored.keys(), ...shared, ...people.map(({ id }) => flightsOf(id))]
  for (const name of new Set(names)) {
    const largest = Math.max(before.get(name) ?? 0, restored.get(name) ?? 0)
    await writeOne(tx, { name, value: name === CUSTOM_RECORDS ? largest : Math.max(largest + 1, now) })
  }
}

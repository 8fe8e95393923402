// Counters that are incremented in the transaction of the change they count. Caches in memory use them as keys, so every
// process sees a change made by any other.
import { sql } from 'kysely'
import type { Executor } from './engine.ts'
import { query, queryByList } from './query.ts'

/** Airports, airlines, aircraft and custom-field definitions. */
export const REFERENCE = 'reference'
/** Not a revision: counts the ids that were given to custom records. */
const CUSTOM_RECORDS = 'custom-records'
/** What the flights of all show: the shipped records, and the definitions of custom fields. */
export const PRESENTATION = 'presentation'
/** Accounts and their names: whom a name means. What a flight shows of them is counted by `namesOn`. */
export const PEOPLE = 'people'
/** Who may do what: roles, who has which, the default role. */
export const AUTHORITY = 'authority'
/** Numbers every change of the instance (store/changes.ts); as a revision it stands for all flights. */
export const CHANGES = 'changes'
/** Webhooks and what is queued for them by hand: tells the process that delivers that there is something to do. */
export const WEBHOOKS = 'webhooks'
/** Rises with every restore: change numbers from before mean nothing afterwards. */
export const EPOCH = 'epoch'
/** Held by a request that logs a flight for a person, so that two at once cannot both find no duplicate. */
export const loggingFor = (userId: string) => `logging:${userId}`
/** Held by a request that sets external ids of a person, so that two at once cannot both find one free. */
export const namingFor = (userId: string) => `naming:${userId}`
/** Held by a request that starts an import of a person, so that two at once cannot both find the bytes new. */
export const importingFor = (userId: string) => `importing:${userId}`
/** A person's flights, and what else the change feed shows of them. */
export const flightsOf = (userId: string) => `flights:${userId}`
/** The names of people and records that a person's flights show; `EVERYONE`'s: that any flight shows. */
export const namesOn = (viewer: string) => `names:${viewer}`
/** Not a revision: the highest change whose tombstone was deleted, by who saw it (store/changes.ts). */
export const forgottenFor = (viewer: string) => `forgotten:${viewer}`

/** Stands for those who see everything. */
export const EVERYONE = '*'

/** One statement for each number of counters, and one for many: on PostgreSQL every statement is a round trip. */
const TOGETHER_AT_MOST = 8
const MANY = 64
const incrementing = (count: number) =>
  query<string[], { value: number }>((db, names) =>
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
 * Every transaction locks counters in this order, so that two cannot deadlock. It is reverse alphabetical: all writers
 * contend for `changes`, so it comes last.
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

/** With more people than this, one counter for all is incremented instead: no transaction locks any number of rows. */
export const CONCERNED_AT_MOST = 1000

/**
 * Makes everyone read again what names a person or record that changed: those on whose flights it is, at most one more than
 * `CONCERNED_AT_MOST` of them. `others` are incremented with them, in the one order.
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

const raise = query<{ name: string; value: number }, { value: number }>((db, p) =>
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
/** Sets a counter to a value unless it is higher already. */
export const raiseRevision = (tx: Executor, name: string, value: number) => raise(tx, { name, value })

/** A number that was never used before, not even for a record that was deleted since. */
export const nextCustomNumber = async (tx: Executor): Promise<number> =>
  (await increment(tx, [CUSTOM_RECORDS]))[0]!.value

const byNames = queryByList<string, { name: string; value: number }>((db, names) =>
  db.selectFrom('revision').select(['name', 'value']).where('name', 'in', names),
)

/** The counters' values; one that was never incremented is 0. */
export async function readRevisions(db: Executor, names: readonly string[]): Promise<number[]> {
  const found = new Map((await byNames(db, names)).map((row) => [row.name, row.value]))
  return names.map((name) => found.get(name) ?? 0)
}

/** Rises with every change of what responses show, and is the same in every process. */
export async function readSharedState(db: Executor): Promise<number> {
  const values = await readRevisions(db, [CHANGES, PEOPLE, REFERENCE, EPOCH])
  return values.reduce((sum, value) => sum + value)
}

const everyRevision = query<object, { name: string; value: number }>((db) =>
  db.selectFrom('revision').select(['name', 'value']),
)
export const readAllRevisions = async (db: Executor): Promise<Map<string, number>> =>
  new Map((await everyRevision(db, {})).map((row) => [row.name, row.value]))

const writeOne = query<{ name: string; value: number }, { name: string }>((db, p) =>
  db
    .insertInto('revision')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .returning('name'),
)
const everyPerson = query<object, { id: string }>((db) => db.selectFrom('person').select('id'))

/**
 * After a restore every revision must be larger than it was before, here and where the backup was made. The current time
 * is: no instance averages a write per millisecond. Numbers of custom records continue from the larger of the two.
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

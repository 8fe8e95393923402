// Counters that rise in the same transaction as the change they stand for. Whatever is cached in memory is cached
// under them, which keeps any number of processes coherent.
import { sql } from 'kysely'
import type { Executor } from './engine.ts'
import { query, queryByList } from './query.ts'

/** Airports, airlines, aircraft and custom-field definitions. */
export const REFERENCE = 'reference'
/** Not a revision but a counter all the same: what the newest custom record's id was made from. */
const CUSTOM_RECORDS = 'custom-records'
/** Names of people, which appear on each other's flights. */
export const PEOPLE = 'people'
/** Who may do what: roles, who has which, the default role. */
export const AUTHORITY = 'authority'
/** Every flight of the instance. */
export const ALL_FLIGHTS = 'flights'
export const flightsOf = (userId: string) => `flights:${userId}`

const bumpOne = query<{ name: string }, { value: number }>((db, p) =>
  db
    .insertInto('revision')
    .values({ name: p.name, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql<number>`revision.value + 1` }))
    .returning('value'),
)

/** Raises each counter once. In sorted order, so that two transactions never wait for each other in a circle. */
export async function bumpRevisions(tx: Executor, names: Iterable<string>): Promise<void> {
  for (const name of [...new Set(names)].sort()) await bumpOne(tx, { name })
}

/** A number that was never given before, not even to a record that is gone. */
export const nextCustomNumber = async (tx: Executor): Promise<number> =>
  (await bumpOne(tx, { name: CUSTOM_RECORDS }))[0]!.value

const byNames = queryByList<string, { name: string; value: number }>((db, names) =>
  db.selectFrom('revision').select(['name', 'value']).where('name', 'in', names),
)

/** The counters' values; one that was never raised is 0. */
export async function readRevisions(db: Executor, names: readonly string[]): Promise<number[]> {
  const found = new Map((await byNames(db, names)).map((row) => [row.name, row.value]))
  return names.map((name) => found.get(name) ?? 0)
}

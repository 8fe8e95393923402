// Counts of wrong passwords and codes, which all processes of the instance share.
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

export type TryRule = 'address' | 'name' | 'known' | 'code'

/** Whose tries, by which rule. */
export interface TryKey {
  rule: TryRule
  /** A hash: people type passwords where names belong. */
  who: string
}

const stateOf = query<TryKey, { state: string }>((db, p) =>
  db.selectFrom('sign_in_try').select('state').where('rule', '=', p.rule).where('who', '=', p.who),
)
export async function findTries<State>(db: Executor, key: TryKey): Promise<State | undefined> {
  const row = await first(stateOf(db, key))
  return row && fromJson<State>(row.state)
}

const locked = query<TryKey, { state: string }>((db, p) =>
  db
    .updateTable('sign_in_try')
    .set((eb) => ({ state: eb.ref('state') }))
    .where('rule', '=', p.rule)
    .where('who', '=', p.who)
    .returning('state'),
)
/** No other transaction changes them until this one ends. */
export async function lockTries<State>(tx: Executor, key: TryKey): Promise<State | undefined> {
  const row = await first(locked(tx, key))
  return row && fromJson<State>(row.state)
}

type TryRow = TryKey & { state: string; expiresAt: string }
const insertEmpty = query<TryRow, { rule: string }>((db, p) =>
  db
    .insertInto('sign_in_try')
    .values({ rule: p.rule, who: p.who, state: p.state, expires_at: p.expiresAt })
    .onConflict((conflict) => conflict.columns(['rule', 'who']).doNothing())
    .returning('rule'),
)
const write = query<TryRow, { rule: string }>((db, p) =>
  db
    .insertInto('sign_in_try')
    .values({ rule: p.rule, who: p.who, state: p.state, expires_at: p.expiresAt })
    .onConflict((conflict) =>
      conflict.columns(['rule', 'who']).doUpdateSet((eb) => ({
        state: eb.ref('excluded.state'),
        expires_at: eb.ref('excluded.expires_at'),
      })),
    )
    .returning('rule'),
)
/** So that there is a row to lock: of several who try for the first time at once, each counts. */
export const insertTries = (tx: Executor, key: TryKey, state: object, expiresAt: string) =>
  insertEmpty(tx, { ...key, state: toJson(state), expiresAt })
export const writeTries = (tx: Executor, key: TryKey, state: object, expiresAt: string) =>
  write(tx, { ...key, state: toJson(state), expiresAt })

const current = query<{ rule: TryRule; now: string }, { n: number }>((db, p) =>
  db
    .selectFrom('sign_in_try')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('rule', '=', p.rule)
    .where('expires_at', '>', p.now),
)
/** How many a rule keeps that have not expired. */
export const countTries = async (db: Executor, rule: TryRule, now: string): Promise<number> =>
  Number((await first(current(db, { rule, now })))?.n ?? 0)

const deleteRows = query<{ now: string }, { rule: string }>((db, p) =>
  db.deleteFrom('sign_in_try').where('expires_at', '<=', p.now).returning('rule'),
)
export const deleteExpiredTries = (tx: Executor, now: string) => deleteRows(tx, { now })

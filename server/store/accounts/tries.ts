// Counts of wrong passwords and codes, which all processes of the instance share.
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query } from '../engine/query.ts'

export type TryRule = 'address' | 'name' | 'known' | 'code'

/** Who tried, and which rule limits them. */
export interface TryKey {
  rule: TryRule
  /** A hash, because people sometimes type a password into the name field. */
  who: string
}

const stateOf = query((db, p: TryKey) =>
  db.selectFrom('signInTry').select('state').where('rule', '=', p.rule).where('who', '=', p.who),
)
export async function findTries<State>(db: Executor, key: TryKey): Promise<State | undefined> {
  const row = await first(stateOf(db, key))
  return row && fromJson<State>(row.state)
}

const locked = query((db, p: TryKey) =>
  db
    .updateTable('signInTry')
    .set((eb) => ({ state: eb.ref('state') }))
    .where('rule', '=', p.rule)
    .where('who', '=', p.who)
    .returning('state'),
)
/** Locks the tries until the transaction ends. */
export async function lockTries<State>(tx: Executor, key: TryKey): Promise<State | undefined> {
  const row = await first(locked(tx, key))
  return row && fromJson<State>(row.state)
}

type TryRow = TryKey & { state: string; expiresAt: string }
const insertEmpty = query((db, p: TryRow) =>
  db
    .insertInto('signInTry')
    .values({ rule: p.rule, who: p.who, state: p.state, expiresAt: p.expiresAt })
    .onConflict((conflict) => conflict.columns(['rule', 'who']).doNothing())
    .returning('rule'),
)
const write = query((db, p: TryRow) =>
  db
    .insertInto('signInTry')
    .values({ rule: p.rule, who: p.who, state: p.state, expiresAt: p.expiresAt })
    .onConflict((conflict) =>
      conflict.columns(['rule', 'who']).doUpdateSet((eb) => ({
        state: eb.ref('excluded.state'),
        expiresAt: eb.ref('excluded.expiresAt'),
      })),
    )
    .returning('rule'),
)
/** Creates the row to lock, so that concurrent first tries are all counted. */
export const insertTries = (tx: Executor, key: TryKey, state: object, expiresAt: string) =>
  insertEmpty(tx, { ...key, state: toJson(state), expiresAt })
export const writeTries = (tx: Executor, key: TryKey, state: object, expiresAt: string) =>
  write(tx, { ...key, state: toJson(state), expiresAt })

const current = query((db, p: { rule: TryRule; now: string }) =>
  db
    .selectFrom('signInTry')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('rule', '=', p.rule)
    .where('expiresAt', '>', p.now),
)
/** How many unexpired rows a rule has. */
export const countTries = async (db: Executor, rule: TryRule, now: string): Promise<number> =>
  Number((await first(current(db, { rule, now })))?.n ?? 0)
export const deleteExpiredTries = query((db, p: { now: string }) =>
  db.deleteFrom('signInTry').where('expiresAt', '<=', p.now).returning('rule'),
)

// What providers said about flights, when each may be asked next, and how much a person has asked.
import type { LookupProvider, LookupReason } from '../domain/lookup.ts'
import { fromJsonOrNull, jsonOrNull } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

export interface Asked {
  provider: LookupProvider
  /** Flights of a number on a day, the route of a number, or the type of a registration. */
  what: 'flights' | 'route' | 'type'
  number: string
  /** Empty where the day makes no difference. */
  date: string
}

interface KeptAnswer {
  reason: LookupReason | null
  answer: unknown
}

const keyColumns = ['provider', 'what', 'number', 'date'] as const

const fresh = query<Asked & { now: string }, { reason: LookupReason | null; answer: string | null }>(
  (db, p) =>
    db
      .selectFrom('lookup_answer')
      .select(['reason', 'answer'])
      .where('provider', '=', p.provider)
      .where('what', '=', p.what)
      .where('number', '=', p.number)
      .where('date', '=', p.date)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)])),
)
/** Undefined if there is none that still holds. */
export async function findAnswer(db: Executor, asked: Asked, now: string): Promise<KeptAnswer | undefined> {
  const found = await first(fresh(db, { ...asked, now }))
  return found && { reason: found.reason, answer: fromJsonOrNull(found.answer) }
}

type AnswerRow = Asked & {
  reason: LookupReason | null
  answer: string | null
  askedAt: string
  expiresAt: string | null
}
const upsertRow = query<AnswerRow, { provider: string }>((db, p) =>
  db
    .insertInto('lookup_answer')
    .values({
      provider: p.provider,
      what: p.what,
      number: p.number,
      date: p.date,
      reason: p.reason,
      answer: p.answer,
      asked_at: p.askedAt,
      expires_at: p.expiresAt,
    })
    .onConflict((conflict) =>
      conflict.columns(keyColumns).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        answer: eb.ref('excluded.answer'),
        asked_at: eb.ref('excluded.asked_at'),
        expires_at: eb.ref('excluded.expires_at'),
      })),
    )
    .returning('provider'),
)
/** Replaces what was said before. */
export const insertAnswer = (
  tx: Executor,
  { answer, ...row }: Asked & KeptAnswer & { askedAt: string; expiresAt: string | null },
) => upsertRow(tx, { ...row, answer: jsonOrNull(answer) })

interface Pace {
  /** Milliseconds since 1970. */
  nextAt: number
  pausedUntil: number
}

const lockRow = query<{ provider: LookupProvider }, Pace>((db, p) =>
  db
    .insertInto('lookup_pace')
    .values({ provider: p.provider, next_at: 0, paused_until: 0 })
    .onConflict((conflict) =>
      conflict.column('provider').doUpdateSet((eb) => ({ next_at: eb.ref('lookup_pace.next_at') })),
    )
    .returning(['next_at as nextAt', 'paused_until as pausedUntil']),
)
/** No other process takes a turn before this transaction ends. */
export async function lockPace(tx: Executor, provider: LookupProvider): Promise<Pace> {
  const [row] = await lockRow(tx, { provider })
  return { nextAt: Number(row!.nextAt), pausedUntil: Number(row!.pausedUntil) }
}

const paceRow = query<{ provider: LookupProvider; nextAt: number }, { provider: string }>((db, p) =>
  db
    .updateTable('lookup_pace')
    .set({ next_at: p.nextAt })
    .where('provider', '=', p.provider)
    .returning('provider'),
)
export const updatePace = (tx: Executor, provider: LookupProvider, nextAt: number) =>
  paceRow(tx, { provider, nextAt })

const pauseRow = query<{ provider: LookupProvider; until: number }, { provider: string }>((db, p) =>
  db
    .updateTable('lookup_pace')
    .set({ paused_until: p.until })
    .where('provider', '=', p.provider)
    .returning('provider'),
)
export const updatePause = (tx: Executor, provider: LookupProvider, until: number) =>
  pauseRow(tx, { provider, until })

interface Use {
  userId: string
  provider: LookupProvider
  day: string
}
const usedOn = query<Use, { requests: number }>((db, p) =>
  db
    .selectFrom('lookup_use')
    .select('requests')
    .where('user_id', '=', p.userId)
    .where('provider', '=', p.provider)
    .where('day', '=', p.day),
)
export const countUses = async (tx: Executor, use: Use): Promise<number> =>
  (await first(usedOn(tx, use)))?.requests ?? 0

const useRow = query<Use, { requests: number }>((db, p) =>
  db
    .insertInto('lookup_use')
    .values({ user_id: p.userId, provider: p.provider, day: p.day, requests: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'provider', 'day'])
        .doUpdateSet((eb) => ({ requests: eb('lookup_use.requests', '+', 1) })),
    )
    .returning('requests'),
)
/** Counts one more. */
export const insertUse = (tx: Executor, use: Use) => useRow(tx, use)

const expired = query<{ now: string }, { provider: string }>((db, p) =>
  db.deleteFrom('lookup_answer').where('expires_at', '<=', p.now).returning('provider'),
)
const oldUses = query<{ day: string }, { day: string }>((db, p) =>
  db.deleteFrom('lookup_use').where('day', '<', p.day).returning('day'),
)
export async function deleteOldLookups(tx: Executor, now: string): Promise<void> {
  await expired(tx, { now })
  await oldUses(tx, { day: now.slice(0, 10) })
}

// Cached responses of flight-data providers, when each provider may be called next, and how many lookups a person has used.
import type { LookupProvider, LookupReason } from '../../domain/entry/lookup.ts'
import { pick } from '../../domain/pick.ts'
import { fromJsonOrNull, jsonOrNull } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query } from '../engine/query.ts'

export interface Asked {
  provider: LookupProvider
  /** Flights of a number on a day, the route of a number, or the type of a registration. */
  what: 'flights' | 'route' | 'type'
  number: string
  /** Empty if the response does not depend on the day. */
  date: string
}

interface KeptAnswer {
  reason: LookupReason | null
  answer: unknown
}

const keyColumns = ['provider', 'what', 'number', 'date'] as const

const fresh = query((db, p: Asked & { now: string }) =>
  db
    .selectFrom('lookupAnswer')
    .select(['reason', 'answer'])
    .where('provider', '=', p.provider)
    .where('what', '=', p.what)
    .where('number', '=', p.number)
    .where('date', '=', p.date)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', p.now)])),
)
/** Undefined if there is none, or if it has expired. */
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
const upsertRow = query((db, p: AnswerRow) =>
  db
    .insertInto('lookupAnswer')
    .values(pick(p, ['provider', 'what', 'number', 'date', 'reason', 'answer', 'askedAt', 'expiresAt']))
    .onConflict((conflict) =>
      conflict.columns(keyColumns).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        answer: eb.ref('excluded.answer'),
        askedAt: eb.ref('excluded.askedAt'),
        expiresAt: eb.ref('excluded.expiresAt'),
      })),
    )
    .returning('provider'),
)
/** Replaces an earlier response. */
export const insertAnswer = (
  tx: Executor,
  { answer, ...row }: Asked & KeptAnswer & { askedAt: string; expiresAt: string | null },
) => upsertRow(tx, { ...row, answer: jsonOrNull(answer) })

interface Pace {
  /** Milliseconds since 1970. */
  nextAt: number
  pausedUntil: number
}

const lockRow = query((db, p: { provider: LookupProvider }) =>
  db
    .insertInto('lookupPace')
    .values({ provider: p.provider, nextAt: 0, pausedUntil: 0 })
    .onConflict((conflict) =>
      conflict.column('provider').doUpdateSet((eb) => ({ nextAt: eb.ref('lookupPace.nextAt') })),
    )
    .returning(['nextAt', 'pausedUntil']),
)
/** Locks the provider's pace for all processes until the transaction ends. */
export async function lockPace(tx: Executor, provider: LookupProvider): Promise<Pace> {
  const [row] = await lockRow(tx, { provider })
  return { nextAt: Number(row!.nextAt), pausedUntil: Number(row!.pausedUntil) }
}
export const updatePace = query((db, p: { provider: LookupProvider; nextAt: number }) =>
  db
    .updateTable('lookupPace')
    .set({ nextAt: p.nextAt })
    .where('provider', '=', p.provider)
    .returning('provider'),
)

export const updatePause = query((db, p: { provider: LookupProvider; until: number }) =>
  db
    .updateTable('lookupPace')
    .set({ pausedUntil: p.until })
    .where('provider', '=', p.provider)
    .returning('provider'),
)

interface Use {
  userId: string
  provider: LookupProvider
  day: string
}
const usedOn = query((db, p: Use) =>
  db
    .selectFrom('lookupUse')
    .select('requests')
    .where('userId', '=', p.userId)
    .where('provider', '=', p.provider)
    .where('day', '=', p.day),
)
export const countUses = async (tx: Executor, use: Use): Promise<number> =>
  (await first(usedOn(tx, use)))?.requests ?? 0
export const insertUse = query((db, p: Use) =>
  db
    .insertInto('lookupUse')
    .values({ userId: p.userId, provider: p.provider, day: p.day, requests: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'provider', 'day'])
        .doUpdateSet((eb) => ({ requests: eb('lookupUse.requests', '+', 1) })),
    )
    .returning('requests'),
)

const expired = query((db, p: { now: string }) =>
  db.deleteFrom('lookupAnswer').where('expiresAt', '<=', p.now).returning('provider'),
)
const oldUses = query((db, p: { day: string }) =>
  db.deleteFrom('lookupUse').where('day', '<', p.day).returning('day'),
)
export async function deleteOldLookups(tx: Executor, now: string): Promise<void> {
  await expired(tx, { now })
  await oldUses(tx, { day: now.slice(0, 10) })
}

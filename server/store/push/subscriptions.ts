// Browsers and apps that get notifications. The rows end with the credential that registered them (migration 021).
import type { Language } from '../../domain/languages.ts'
import { pick } from '../../domain/pick.ts'
import { hasNoTable } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryByList, queryFirst } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'

export type Subscription = RowOf<'pushSubscription'>

const columns = [
  'id',
  'userId',
  'sessionId',
  'apiKeyId',
  'grantId',
  'endpoint',
  'keys',
  'endpointHash',
  'host',
  'label',
  'language',
  'createdAt',
  'lastSuccessAt',
  'failingSince',
  'failures',
] as const

export const listSubscriptions = query((db, p: { userId: string }) =>
  db.selectFrom('pushSubscription').select(columns).where('userId', '=', p.userId).orderBy('id'),
)
export const findSubscription = queryFirst((db, p: { userId: string; id: number }) =>
  db.selectFrom('pushSubscription').select(columns).where('userId', '=', p.userId).where('id', '=', p.id),
)
/** Of any person: an endpoint belongs to one of them at a time. */
export const findByEndpoint = queryFirst((db, p: { endpointHash: string }) =>
  db.selectFrom('pushSubscription').select(columns).where('endpointHash', '=', p.endpointHash),
)

const counted = query((db, p: { userId: string }) =>
  db
    .selectFrom('pushSubscription')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('userId', '=', p.userId),
)
export const countSubscriptions = async (db: Executor, userId: string): Promise<number> =>
  Number((await first(counted(db, { userId })))!.n)

interface NewSubscription {
  userId: string
  sessionId: number | null
  apiKeyId: number | null
  grantId: number | null
  endpoint: string
  keys: string
  endpointHash: string
  host: string
  label: string
  language: Language
  now: string
}
const given = ['sessionId', 'apiKeyId', 'grantId', 'endpoint', 'keys', 'host', 'label', 'language'] as const
export const insertSubscription = queryFirst((db, p: NewSubscription) =>
  db
    .insertInto('pushSubscription')
    .values({
      userId: p.userId,
      endpointHash: p.endpointHash,
      ...pick(p, given),
      createdAt: p.now,
      lastSuccessAt: null,
      failingSince: null,
      failures: 0,
    })
    .returning(columns),
)
/** The same browser again: with its new keys, and working as far as is known. */
export const updateSubscription = queryFirst((db, p: Omit<NewSubscription, 'now'> & { id: number }) =>
  db
    .updateTable('pushSubscription')
    .set({ ...pick(p, given), failingSince: null, failures: 0 })
    .where('id', '=', p.id)
    .returning(columns),
)
export const deleteSubscriptions = queryByList((db, ids: number[]) =>
  db.deleteFrom('pushSubscription').where('id', 'in', ids).returning(['id', 'userId', 'host']),
)
export const deleteAllSubscriptions = query((db) =>
  db.deleteFrom('pushSubscription').returning(['id', 'userId', 'host']),
)

/** Before expired sessions are deleted: someone who flies twice a year must still be reminded. */
export const keepSubscriptionsOfExpired = query((db, p: { now: string }) =>
  db
    .updateTable('pushSubscription')
    .set({ sessionId: null })
    .where('sessionId', 'in', (eb) => eb.selectFrom('session').select('id').where('expiresAt', '<=', p.now))
    .returning('id'),
)
/** Those that were kept so, when the person's sessions are ended. */
export const deleteSubscriptionsOfExpired = query((db, p: { userId: string }) =>
  db
    .deleteFrom('pushSubscription')
    .where('userId', '=', p.userId)
    .where('sessionId', 'is', null)
    .where('apiKeyId', 'is', null)
    .where('grantId', 'is', null)
    .returning('id'),
)

// Results of sending

export const recordSuccesses = queryByList((db, ids: number[], p: { now: string }) =>
  db
    .updateTable('pushSubscription')
    .set({ lastSuccessAt: p.now, failingSince: null, failures: 0 })
    .where('id', 'in', ids)
    .returning('id'),
)
export const recordFailure = queryFirst((db, p: { id: number; now: string }) =>
  db
    .updateTable('pushSubscription')
    .set((eb) => ({
      failingSince: eb.fn.coalesce('failingSince', eb.val(p.now)),
      failures: eb('failures', '+', 1),
    }))
    .where('id', '=', p.id)
    .returning(columns),
)

const everySecret = query((db) => db.selectFrom('pushSubscription').select(['userId', 'endpoint']))
/** For the doctor. Empty if the table does not exist yet. */
export async function listEndpointsIfAny(db: Executor): Promise<{ userId: string; endpoint: string }[]> {
  try {
    return await everySecret(db, {})
  } catch (error) {
    if (hasNoTable(error)) return []
    throw error
  }
}

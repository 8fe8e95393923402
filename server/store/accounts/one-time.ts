// State that one request stores for the next to use once: passkey challenges, states at a provider, steps of a sign-in.
import { pick } from '../../domain/pick.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryAny } from '../engine/query.ts'

type Purpose =
  | 'passkey.add'
  | 'passkey.sign-in'
  | 'passkey.confirm'
  /** The user is redirected back from the provider. */
  | 'provider'
  /** The local password is required before an identity is linked. */
  | 'link'
  /** The password was right. */
  | 'second-factor'
  /** The user is redirected to the provider to sign out there too. */
  | 'sign-out'
  /** A logout token from the provider, which is accepted once. */
  | 'logout-token'
  /** A used code of the authenticator app, which is not accepted again. */
  | 'used-code'
  /** A mailed link that verifies the person's address. */
  | 'email'
  /** A mailed link that permits notifications to the person's address. */
  | 'notification-mail'

interface NewOneTime {
  purpose: Purpose
  /** Hash of a secret that only the next request knows. */
  hash: string
  /** Hash of the cookie of the browser that may use it; null if the secret itself is such a cookie. */
  browser: string | null
  userId: string | null
  /** Seal anything secret, so that a stolen database does not reveal it. */
  data: object
  expiresAt: string
}

interface OneTimeRow {
  browser: string | null
  userId: string | null
  data: string
}

const insert = query((db, p: Omit<NewOneTime, 'data'> & { data: string }) =>
  db
    .insertInto('oneTime')
    .values(pick(p, ['hash', 'purpose', 'browser', 'userId', 'data', 'expiresAt']))
    .returning('hash'),
)
export async function insertOneTime(tx: Executor, given: NewOneTime): Promise<void> {
  await insert(tx, { ...given, data: toJson(given.data) })
}
/** False if the code was already used. Only one of several concurrent calls, in any process, gets true. */
export const insertUsedCode = queryAny((db, p: { hash: string; userId: string; expiresAt: string }) =>
  db
    .insertInto('oneTime')
    .values({
      hash: p.hash,
      purpose: 'used-code',
      browser: null,
      userId: p.userId,
      data: '{}',
      expiresAt: p.expiresAt,
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash'),
)

interface Wanted {
  purpose: Purpose
  hash: string
  now: string
}
interface OneTime<Data> {
  browser: string | null
  userId: string | null
  data: Data
}
const toOneTime = <Data>(row: OneTimeRow | undefined): OneTime<Data> | undefined =>
  row && { browser: row.browser, userId: row.userId, data: fromJson<Data>(row.data) }

const found = query((db, p: Wanted) =>
  db
    .selectFrom('oneTime')
    .select(['browser', 'userId', 'data'])
    .where('hash', '=', p.hash)
    .where('purpose', '=', p.purpose)
    .where('expiresAt', '>', p.now),
)
/** Does not use it up; for a page that may be shown again. */
export const findOneTime = async <Data>(db: Executor, wanted: Wanted): Promise<OneTime<Data> | undefined> =>
  toOneTime<Data>(await first(found(db, wanted)))

const taken = query((db, p: Wanted) =>
  db
    .deleteFrom('oneTime')
    .where('hash', '=', p.hash)
    .where('purpose', '=', p.purpose)
    .where('expiresAt', '>', p.now)
    .returning(['browser', 'userId', 'data']),
)
/** Only one of several concurrent calls gets it. */
export const takeOneTime = async <Data>(tx: Executor, wanted: Wanted): Promise<OneTime<Data> | undefined> =>
  toOneTime<Data>(await first(taken(tx, wanted)))

const openUntil = query((db, p: { userId: string; purpose: Purpose; now: string }) =>
  db
    .selectFrom('oneTime')
    .select('expiresAt')
    .where('userId', '=', p.userId)
    .where('purpose', '=', p.purpose)
    .where('expiresAt', '>', p.now)
    .orderBy('expiresAt'),
)
/** When the links that were mailed to this person for a purpose expire, earliest first. */
export const listMailLinkEnds = async (
  db: Executor,
  given: { userId: string; purpose: 'email' | 'notification-mail'; now: string },
): Promise<string[]> => (await openUntil(db, given)).map(({ expiresAt }) => expiresAt)
export const deleteExpiredOneTimes = query((db, p: { now: string }) =>
  db.deleteFrom('oneTime').where('expiresAt', '<=', p.now).returning('hash'),
)

const deleteOf = query((db, p: { userId: string; purpose: Purpose }) =>
  db.deleteFrom('oneTime').where('userId', '=', p.userId).where('purpose', '=', p.purpose).returning('hash'),
)
/** Deletes a person's sign-ins that are waiting for a code: the password that they began with is no longer valid. */
export const deletePendingSignIns = (tx: Executor, userId: string) =>
  deleteOf(tx, { userId, purpose: 'second-factor' })
export const deleteUsedCodes = (tx: Executor, userId: string) =>
  deleteOf(tx, { userId, purpose: 'used-code' })

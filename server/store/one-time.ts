// What one request leaves for the next, which takes it once: challenges of passkeys, states at a provider, steps of a sign-in.
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

type Purpose =
  | 'passkey.add'
  | 'passkey.sign-in'
  | 'passkey.confirm'
  /** Back from the provider. */
  | 'provider'
  /** The local password is asked for before an identity is linked. */
  | 'link'
  /** The password was right. */
  | 'second-factor'
  /** To the provider, to sign out there too. */
  | 'sign-out'
  /** The provider told us that someone has signed out there: it counts once. */
  | 'logout-token'
  /** A code of the authenticator app was used: it is not accepted again. */
  | 'used-code'
  /** The link in a mail shows that the person reads mails to this address. */
  | 'email'

interface NewOneTime {
  purpose: Purpose
  /** Of a secret that only the taker has. */
  hash: string
  /** A hash of the cookie of the browser that may take it; null if the secret itself is such a cookie. */
  browser: string | null
  userId: string | null
  /** Nothing that a stolen database would give away: seal what is secret. */
  data: object
  expiresAt: string
}

interface OneTimeRow {
  browser: string | null
  userId: string | null
  data: string
}

const insert = query<Omit<NewOneTime, 'data'> & { data: string }, { hash: string }>((db, p) =>
  db
    .insertInto('one_time')
    .values({
      hash: p.hash,
      purpose: p.purpose,
      browser: p.browser,
      user_id: p.userId,
      data: p.data,
      expires_at: p.expiresAt,
    })
    .returning('hash'),
)
export async function insertOneTime(tx: Executor, given: NewOneTime): Promise<void> {
  await insert(tx, { ...given, data: toJson(given.data) })
}

const insertNew = query<Pick<NewOneTime, 'hash' | 'userId' | 'expiresAt'>, { hash: string }>((db, p) =>
  db
    .insertInto('one_time')
    .values({
      hash: p.hash,
      purpose: 'used-code',
      browser: null,
      user_id: p.userId,
      data: '{}',
      expires_at: p.expiresAt,
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash'),
)
/** False if it was used before. Of several who use it at the same moment, on whichever process, one gets true. */
export const insertUsedCode = async (
  tx: Executor,
  given: { hash: string; userId: string; expiresAt: string },
): Promise<boolean> => (await insertNew(tx, given)).length > 0

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

const found = query<Wanted, OneTimeRow>((db, p) =>
  db
    .selectFrom('one_time')
    .select(['browser', 'user_id as userId', 'data'])
    .where('hash', '=', p.hash)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.now),
)
/** Leaves it where it is, for a page that is shown again. */
export const findOneTime = async <Data>(db: Executor, wanted: Wanted): Promise<OneTime<Data> | undefined> =>
  toOneTime<Data>(await first(found(db, wanted)))

const taken = query<Wanted, OneTimeRow>((db, p) =>
  db
    .deleteFrom('one_time')
    .where('hash', '=', p.hash)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.now)
    .returning(['browser', 'user_id as userId', 'data']),
)
/** Of several who try, one gets it. */
export const takeOneTime = async <Data>(tx: Executor, wanted: Wanted): Promise<OneTime<Data> | undefined> =>
  toOneTime<Data>(await first(taken(tx, wanted)))

const openUntil = query<{ userId: string; purpose: Purpose; now: string }, { expiresAt: string }>((db, p) =>
  db
    .selectFrom('one_time')
    .select('expires_at as expiresAt')
    .where('user_id', '=', p.userId)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.now)
    .orderBy('expires_at'),
)
/** When the links that verify an address of this person expire, the first one first. */
export const listEmailLinkEnds = async (db: Executor, userId: string, now: string): Promise<string[]> =>
  (await openUntil(db, { userId, purpose: 'email', now })).map(({ expiresAt }) => expiresAt)

const deleteRows = query<{ now: string }, { hash: string }>((db, p) =>
  db.deleteFrom('one_time').where('expires_at', '<=', p.now).returning('hash'),
)
export const deleteExpiredOneTimes = (tx: Executor, now: string) => deleteRows(tx, { now })

const deleteOf = query<{ userId: string; purpose: Purpose }, { hash: string }>((db, p) =>
  db
    .deleteFrom('one_time')
    .where('user_id', '=', p.userId)
    .where('purpose', '=', p.purpose)
    .returning('hash'),
)
/** Sign-ins of a person that wait for a code end: the password that began them no longer counts. */
export const deletePendingSignIns = (tx: Executor, userId: string) =>
  deleteOf(tx, { userId, purpose: 'second-factor' })
export const deleteUsedCodes = (tx: Executor, userId: string) =>
  deleteOf(tx, { userId, purpose: 'used-code' })

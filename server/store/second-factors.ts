// What is asked for after a password: the sealed secret of an authenticator app, hashes of recovery codes, and the browsers
// in which neither is asked for.
import { hasNoTable } from './dialect.ts'
import type { Executor } from './engine.ts'
import { deleteUsedCodes } from './one-time.ts'
import { first, query } from './query.ts'

interface SecondFactor {
  /** Sealed. */
  secret: string
  /** null while it is being set up: it is not asked for yet. */
  enabledAt: string | null
}

const ofPerson = query<{ userId: string }, SecondFactor>((db, p) =>
  db
    .selectFrom('second_factor')
    .select(['secret', 'enabled_at as enabledAt'])
    .where('user_id', '=', p.userId),
)
export const findSecondFactor = (db: Executor, userId: string): Promise<SecondFactor | undefined> =>
  first(ofPerson(db, { userId }))

const insert = query<{ userId: string; secret: string; now: string }, { userId: string }>((db, p) =>
  db
    .insertInto('second_factor')
    .values({ user_id: p.userId, secret: p.secret, enabled_at: null, created_at: p.now })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret: p.secret, created_at: p.now })
        .where('second_factor.enabled_at', 'is', null),
    )
    .returning('user_id as userId'),
)
/** Replaces one that was never enabled; false if one is. */
export async function insertSecondFactor(
  tx: Executor,
  userId: string,
  secret: string,
  now: string,
): Promise<boolean> {
  if ((await insert(tx, { userId, secret, now })).length === 0) return false
  // They were codes of another secret.
  await deleteUsedCodes(tx, userId)
  return true
}

const enable = query<{ userId: string; secret: string; now: string }, { userId: string }>((db, p) =>
  db
    .updateTable('second_factor')
    .set({ enabled_at: p.now })
    .where('user_id', '=', p.userId)
    .where('secret', '=', p.secret)
    .where('enabled_at', 'is', null)
    .returning('user_id as userId'),
)
/** False if it was enabled or started again meanwhile. */
export const enableSecondFactor = async (
  tx: Executor,
  given: { userId: string; secret: string; now: string },
): Promise<boolean> => (await enable(tx, given)).length > 0

const deleteFactor = query<{ userId: string }, { userId: string }>((db, p) =>
  db.deleteFrom('second_factor').where('user_id', '=', p.userId).returning('user_id as userId'),
)
/** With recovery codes and trusted browsers. False if there was none. */
export async function deleteSecondFactor(tx: Executor, userId: string): Promise<boolean> {
  await deleteCodes(tx, { userId })
  await deleteTrustedBrowsersOf(tx, userId)
  return (await deleteFactor(tx, { userId })).length > 0
}

const deleteCodes = query<{ userId: string }, { id: number }>((db, p) =>
  db.deleteFrom('recovery_code').where('user_id', '=', p.userId).returning('id'),
)
const insertCode = query<{ userId: string; hash: string }, { id: number }>((db, p) =>
  db.insertInto('recovery_code').values({ user_id: p.userId, hash: p.hash, used_at: null }).returning('id'),
)
/** In place of those that the person had. */
export async function replaceRecoveryCodes(
  tx: Executor,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await deleteCodes(tx, { userId })
  for (const hash of hashes) await insertCode(tx, { userId, hash })
}

const useCode = query<{ userId: string; hash: string; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('recovery_code')
    .set({ used_at: p.now })
    .where('user_id', '=', p.userId)
    .where('hash', '=', p.hash)
    .where('used_at', 'is', null)
    .returning('id'),
)
/** Of several who send it, one gets true. */
export const takeRecoveryCode = async (
  tx: Executor,
  userId: string,
  hash: string,
  now: string,
): Promise<boolean> => (await useCode(tx, { userId, hash, now })).length > 0

const unusedCodes = query<{ userId: string }, { id: number }>((db, p) =>
  db.selectFrom('recovery_code').select('id').where('user_id', '=', p.userId).where('used_at', 'is', null),
)
export const countRecoveryCodes = async (db: Executor, userId: string): Promise<number> =>
  (await unusedCodes(db, { userId })).length

const insertBrowser = query<{ hash: string; userId: string; expiresAt: string }, { hash: string }>((db, p) =>
  db
    .insertInto('trusted_browser')
    .values({ hash: p.hash, user_id: p.userId, expires_at: p.expiresAt })
    .returning('hash'),
)
export const insertTrustedBrowser = (
  tx: Executor,
  given: { hash: string; userId: string; expiresAt: string },
) => insertBrowser(tx, given)

const browsersOf = query<{ userId: string; now: string }, { hash: string }>((db, p) =>
  db
    .selectFrom('trusted_browser')
    .select('hash')
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now),
)
/** Hashes of what the trusted browsers of a person keep. */
export const listTrustedBrowsers = async (db: Executor, userId: string, now: string): Promise<string[]> =>
  (await browsersOf(db, { userId, now })).map(({ hash }) => hash)

const deleteBrowsers = query<{ userId: string }, { hash: string }>((db, p) =>
  db.deleteFrom('trusted_browser').where('user_id', '=', p.userId).returning('hash'),
)
export const deleteTrustedBrowsersOf = (tx: Executor, userId: string) => deleteBrowsers(tx, { userId })

const deleteExpired = query<{ now: string }, { hash: string }>((db, p) =>
  db.deleteFrom('trusted_browser').where('expires_at', '<=', p.now).returning('hash'),
)
export const deleteExpiredTrustedBrowsers = (tx: Executor, now: string) => deleteExpired(tx, { now })

const everySecret = query<object, { userId: string; text: string }>((db) =>
  db.selectFrom('second_factor').select(['user_id as userId', 'secret as text']),
)
/** Every sealed secret; empty also where the table does not exist yet. */
export async function listSealedFactors(db: Executor): Promise<{ userId: string; text: string }[]> {
  try {
    return await everySecret(db, {})
  } catch (error) {
    if (hasNoTable(error)) return []
    throw error
  }
}

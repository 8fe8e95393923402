// Second factors: the sealed secret of an authenticator app, hashes of recovery codes, and the trusted browsers that need
// neither.
import { hasNoTable } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryAny, queryFirst } from '../engine/query.ts'
import { deleteUsedCodes } from './one-time.ts'
export const findSecondFactor = queryFirst((db, p: { userId: string }) =>
  db.selectFrom('secondFactor').select(['secret', 'enabledAt']).where('userId', '=', p.userId),
)

const insert = query((db, p: { userId: string; secret: string; now: string }) =>
  db
    .insertInto('secondFactor')
    .values({ userId: p.userId, secret: p.secret, enabledAt: null, createdAt: p.now })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ secret: p.secret, createdAt: p.now })
        .where('secondFactor.enabledAt', 'is', null),
    )
    .returning('userId'),
)
/** Replaces a second factor that was never enabled; false if one is enabled. */
export async function insertSecondFactor(
  tx: Executor,
  userId: string,
  secret: string,
  now: string,
): Promise<boolean> {
  if ((await insert(tx, { userId, secret, now })).length === 0) return false
  // The used codes belong to the previous secret.
  await deleteUsedCodes(tx, userId)
  return true
}
/** False if it was enabled or restarted in the meantime. */
export const enableSecondFactor = queryAny((db, p: { userId: string; secret: string; now: string }) =>
  db
    .updateTable('secondFactor')
    .set({ enabledAt: p.now })
    .where('userId', '=', p.userId)
    .where('secret', '=', p.secret)
    .where('enabledAt', 'is', null)
    .returning('userId'),
)

const deleteFactor = query((db, p: { userId: string }) =>
  db.deleteFrom('secondFactor').where('userId', '=', p.userId).returning('userId'),
)
/** Also deletes recovery codes and trusted browsers. False if there was no second factor. */
export async function deleteSecondFactor(tx: Executor, userId: string): Promise<boolean> {
  await deleteCodes(tx, { userId })
  await deleteTrustedBrowsersOf(tx, { userId })
  return (await deleteFactor(tx, { userId })).length > 0
}

const deleteCodes = query((db, p: { userId: string }) =>
  db.deleteFrom('recoveryCode').where('userId', '=', p.userId).returning('id'),
)
const insertCode = query((db, p: { userId: string; hash: string }) =>
  db.insertInto('recoveryCode').values({ userId: p.userId, hash: p.hash, usedAt: null }).returning('id'),
)
export async function replaceRecoveryCodes(
  tx: Executor,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await deleteCodes(tx, { userId })
  for (const hash of hashes) await insertCode(tx, { userId, hash })
}
/** Uses a code up. Only one of several concurrent calls gets true. */
export const takeRecoveryCode = queryAny((db, p: { userId: string; hash: string; now: string }) =>
  db
    .updateTable('recoveryCode')
    .set({ usedAt: p.now })
    .where('userId', '=', p.userId)
    .where('hash', '=', p.hash)
    .where('usedAt', 'is', null)
    .returning('id'),
)

const unusedCodes = query((db, p: { userId: string }) =>
  db.selectFrom('recoveryCode').select('id').where('userId', '=', p.userId).where('usedAt', 'is', null),
)
export const countRecoveryCodes = async (db: Executor, userId: string): Promise<number> =>
  (await unusedCodes(db, { userId })).length
export const insertTrustedBrowser = query((db, p: { hash: string; userId: string; expiresAt: string }) =>
  db
    .insertInto('trustedBrowser')
    .values({ hash: p.hash, userId: p.userId, expiresAt: p.expiresAt })
    .returning('hash'),
)

/** Hashes of the secrets in a person's trusted browsers. */
export const listTrustedBrowsers = query(
  (db, p: { userId: string; now: string }) =>
    db
      .selectFrom('trustedBrowser')
      .select('hash')
      .where('userId', '=', p.userId)
      .where('expiresAt', '>', p.now),
  ({ hash }) => hash,
)

export const deleteTrustedBrowsersOf = query((db, p: { userId: string }) =>
  db.deleteFrom('trustedBrowser').where('userId', '=', p.userId).returning('hash'),
)

export const deleteExpiredTrustedBrowsers = query((db, p: { now: string }) =>
  db.deleteFrom('trustedBrowser').where('expiresAt', '<=', p.now).returning('hash'),
)

const everySecret = query((db) => db.selectFrom('secondFactor').select(['userId', 'secret as text']))
/** All sealed secrets; empty if the table does not exist yet. */
export async function listSealedFactors(db: Executor): Promise<{ userId: string; text: string }[]> {
  try {
    return await everySecret(db, {})
  } catch (error) {
    if (hasNoTable(error)) return []
    throw error
  }
}

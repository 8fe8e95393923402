// Deletes expired codes, tokens, requests, clients and grants.
import type { Executor } from '../../engine/engine.ts'
import { query } from '../../engine/query.ts'

const expiredRequests = query((db, p: { now: string }) =>
  db.deleteFrom('oauthRequest').where('expiresAt', '<=', p.now).returning('id'),
)
const expiredClients = query((db, p: { now: string }) =>
  db.deleteFrom('oauthClient').where('expiresAt', '<=', p.now).returning('id'),
)
const expiredAccess = query((db, p: { now: string }) =>
  db.deleteFrom('oauthAccessToken').where('expiresAt', '<=', p.now).returning('hash'),
)
const deadRefresh = query((db, p: { now: string; usedBefore: string }) =>
  db
    .deleteFrom('oauthRefreshToken')
    .where((eb) =>
      eb.or([
        eb('usedAt', '<=', p.usedBefore),
        eb.not(
          eb.exists(
            eb
              .selectFrom('oauthRefreshToken as active')
              .select('active.hash')
              .whereRef('active.family', '=', 'oauthRefreshToken.family')
              .where('active.usedAt', 'is', null)
              .where('active.expiresAt', '>', p.now),
          ),
        ),
      ]),
    )
    .returning('hash'),
)
const deadCodes = query((db, p: { now: string; usedBefore: string }) =>
  db
    .deleteFrom('oauthCode')
    .where('expiresAt', '<=', p.now)
    .where((eb) =>
      eb.or([
        eb('usedAt', 'is', null),
        eb.and([
          eb('usedAt', '<=', p.usedBefore),
          eb.not(
            eb.exists(
              eb
                .selectFrom('oauthRefreshToken')
                .select('oauthRefreshToken.hash')
                .whereRef('oauthRefreshToken.family', '=', 'oauthCode.family'),
            ),
          ),
        ]),
      ]),
    )
    .returning('hash'),
)
const deadGrants = query((db, p: { updatedBefore: string }) =>
  db
    .deleteFrom('oauthGrant')
    .where('updatedAt', '<=', p.updatedBefore)
    .where((eb) =>
      eb.and(
        (['oauthCode', 'oauthAccessToken', 'oauthRefreshToken'] as const).map((table) =>
          eb.not(eb.exists(eb.selectFrom(table).select('grantId').whereRef('grantId', '=', 'oauthGrant.id'))),
        ),
      ),
    )
    .returning('id'),
)

interface Retention {
  now: string
  /** Used codes without tokens are deleted if they are older. */
  codesUsedBefore: string
  /** Used refresh tokens of active families are deleted if they are older. */
  refreshTokensUsedBefore: string
  /** Grants without a usable code or token are deleted if they are older. */
  grantsUpdatedBefore: string
}

export async function deleteExpiredOAuth(tx: Executor, until: Retention): Promise<void> {
  const { now } = until
  await expiredRequests(tx, { now })
  await expiredAccess(tx, { now })
  await deadRefresh(tx, { now, usedBefore: until.refreshTokensUsedBefore })
  await deadCodes(tx, { now, usedBefore: until.codesUsedBefore })
  await deadGrants(tx, { updatedBefore: until.grantsUpdatedBefore })
  await expiredClients(tx, { now })
}

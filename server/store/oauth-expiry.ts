// Deletes expired codes, tokens, requests, clients and grants.
import type { Executor } from './engine.ts'
import { query } from './query.ts'

const expiredRequests = query<{ now: string }, { id: string }>((db, p) =>
  db.deleteFrom('oauth_request').where('expires_at', '<=', p.now).returning('id'),
)
const expiredClients = query<{ now: string }, { id: string }>((db, p) =>
  db.deleteFrom('oauth_client').where('expires_at', '<=', p.now).returning('id'),
)
const expiredAccess = query<{ now: string }, { hash: string }>((db, p) =>
  db.deleteFrom('oauth_access_token').where('expires_at', '<=', p.now).returning('hash'),
)
const deadRefresh = query<{ now: string; usedBefore: string }, { hash: string }>((db, p) =>
  db
    .deleteFrom('oauth_refresh_token')
    .where((eb) =>
      eb.or([
        eb('used_at', '<=', p.usedBefore),
        eb.not(
          eb.exists(
            eb
              .selectFrom('oauth_refresh_token as active')
              .select('active.hash')
              .whereRef('active.family', '=', 'oauth_refresh_token.family')
              .where('active.used_at', 'is', null)
              .where('active.expires_at', '>', p.now),
          ),
        ),
      ]),
    )
    .returning('hash'),
)
const deadCodes = query<{ now: string; usedBefore: string }, { hash: string }>((db, p) =>
  db
    .deleteFrom('oauth_code')
    .where('expires_at', '<=', p.now)
    .where((eb) =>
      eb.or([
        eb('used_at', 'is', null),
        eb.and([
          eb('used_at', '<=', p.usedBefore),
          eb.not(
            eb.exists(
              eb
                .selectFrom('oauth_refresh_token')
                .select('oauth_refresh_token.hash')
                .whereRef('oauth_refresh_token.family', '=', 'oauth_code.family'),
            ),
          ),
        ]),
      ]),
    )
    .returning('hash'),
)
const deadGrants = query<{ updatedBefore: string }, { id: number }>((db, p) =>
  db
    .deleteFrom('oauth_grant')
    .where('updated_at', '<=', p.updatedBefore)
    .where((eb) =>
      eb.and(
        (['oauth_code', 'oauth_access_token', 'oauth_refresh_token'] as const).map((table) =>
          eb.not(
            eb.exists(eb.selectFrom(table).select('grant_id').whereRef('grant_id', '=', 'oauth_grant.id')),
          ),
        ),
      ),
    )
    .returning('id'),
)

interface Retention {
  now: string
  /** Used codes whose tokens are gone are kept until then. */
  codesUsedBefore: string
  /** Used refresh tokens of active families are kept until then. */
  refreshTokensUsedBefore: string
  /** A grant without any usable code or token is kept until then. */
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

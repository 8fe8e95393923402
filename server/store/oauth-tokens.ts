// Codes and tokens of grants, kept as hashes. What is revoked is deleted. Every transaction that touches the tokens of a
// grant locks the grant's row first, so that they run one after the other.
import type { Scope } from '../domain/access.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

// Codes

interface CodeRow {
  hash: string
  grantId: number
  family: string
  redirectUri: string
  codeChallenge: string
  scopes: string
  expiresAt: string
}
const insertCodeRow = query<CodeRow, { hash: string }>((db, p) =>
  db
    .insertInto('oauth_code')
    .values({
      hash: p.hash,
      grant_id: p.grantId,
      family: p.family,
      redirect_uri: p.redirectUri,
      code_challenge: p.codeChallenge,
      scopes: p.scopes,
      expires_at: p.expiresAt,
      used_at: null,
    })
    .returning('hash'),
)
export const insertCode = (tx: Executor, code: Omit<CodeRow, 'scopes'> & { scopes: readonly Scope[] }) =>
  insertCodeRow(tx, { ...code, scopes: toJson(code.scopes) })

/** Whom a code or token belongs to. */
interface Holder {
  grantId: number
  family: string
  clientId: string
  userId: string
  resource: string
  scopes: Scope[]
  expiresAt: string
  usedAt: string | null
}
interface StoredCode extends Holder {
  redirectUri: string
  codeChallenge: string
}
type Stored<Row extends Holder> = Omit<Row, 'scopes'> & { scopes: string }

const codeByHash = query<{ hash: string }, Stored<StoredCode>>((db, p) =>
  db
    .selectFrom('oauth_code')
    .innerJoin('oauth_grant', 'oauth_grant.id', 'oauth_code.grant_id')
    .select([
      'oauth_code.grant_id as grantId',
      'oauth_code.family',
      'oauth_code.redirect_uri as redirectUri',
      'oauth_code.code_challenge as codeChallenge',
      'oauth_code.scopes',
      'oauth_code.expires_at as expiresAt',
      'oauth_code.used_at as usedAt',
      'oauth_grant.client_id as clientId',
      'oauth_grant.user_id as userId',
      'oauth_grant.resource',
    ])
    .where('oauth_code.hash', '=', p.hash),
)
export async function findCode(db: Executor, hash: string): Promise<StoredCode | undefined> {
  const row = await first(codeByHash(db, { hash }))
  return row && { ...row, scopes: fromJson(row.scopes) }
}

const useCodeRow = query<{ hash: string; now: string }, { hash: string }>((db, p) =>
  db
    .updateTable('oauth_code')
    .set({ used_at: p.now })
    .where('hash', '=', p.hash)
    .where('used_at', 'is', null)
    .returning('hash'),
)
/** False if it was used already. */
export const useCode = async (tx: Executor, hash: string, now: string): Promise<boolean> =>
  (await useCodeRow(tx, { hash, now })).length > 0

// Tokens

interface NewToken {
  hash: string
  grantId: number
  family: string
  scopes: readonly Scope[]
  expiresAt: string
}
type TokenRow = Omit<NewToken, 'scopes'> & { scopes: string }

const insertAccess = query<TokenRow, { hash: string }>((db, p) =>
  db
    .insertInto('oauth_access_token')
    .values({
      hash: p.hash,
      grant_id: p.grantId,
      family: p.family,
      scopes: p.scopes,
      expires_at: p.expiresAt,
    })
    .returning('hash'),
)
export const insertAccessToken = (tx: Executor, token: NewToken) =>
  insertAccess(tx, { ...token, scopes: toJson(token.scopes) })

const insertRefresh = query<TokenRow, { hash: string }>((db, p) =>
  db
    .insertInto('oauth_refresh_token')
    .values({
      hash: p.hash,
      grant_id: p.grantId,
      family: p.family,
      scopes: p.scopes,
      expires_at: p.expiresAt,
      used_at: null,
    })
    .returning('hash'),
)
export const insertRefreshToken = (tx: Executor, token: NewToken) =>
  insertRefresh(tx, { ...token, scopes: toJson(token.scopes) })

const refreshByHash = query<{ hash: string }, Stored<Holder>>((db, p) =>
  db
    .selectFrom('oauth_refresh_token')
    .innerJoin('oauth_grant', 'oauth_grant.id', 'oauth_refresh_token.grant_id')
    .select([
      'oauth_refresh_token.grant_id as grantId',
      'oauth_refresh_token.family',
      'oauth_refresh_token.scopes',
      'oauth_refresh_token.expires_at as expiresAt',
      'oauth_refresh_token.used_at as usedAt',
      'oauth_grant.client_id as clientId',
      'oauth_grant.user_id as userId',
      'oauth_grant.resource',
    ])
    .where('oauth_refresh_token.hash', '=', p.hash),
)
export async function findRefreshToken(db: Executor, hash: string): Promise<Holder | undefined> {
  const row = await first(refreshByHash(db, { hash }))
  return row && { ...row, scopes: fromJson(row.scopes) }
}

const useRefresh = query<{ hash: string; now: string }, { hash: string }>((db, p) =>
  db
    .updateTable('oauth_refresh_token')
    .set({ used_at: p.now })
    .where('hash', '=', p.hash)
    .where('used_at', 'is', null)
    .returning('hash'),
)
/** False if it was used already or no longer exists. */
export const useRefreshToken = async (tx: Executor, hash: string, now: string): Promise<boolean> =>
  (await useRefresh(tx, { hash, now })).length > 0

const deleteAccess = query<{ hash: string; clientId: string }, { grantId: number }>((db, p) =>
  db
    .deleteFrom('oauth_access_token')
    .where('hash', '=', p.hash)
    .where('grant_id', 'in', (eb) =>
      eb.selectFrom('oauth_grant').select('id').where('client_id', '=', p.clientId),
    )
    .returning('grant_id as grantId'),
)
/** Only if it was issued to this client. */
export const deleteAccessToken = (tx: Executor, hash: string, clientId: string) =>
  deleteAccess(tx, { hash, clientId })

const familyAccess = query<{ family: string }, { hash: string }>((db, p) =>
  db.deleteFrom('oauth_access_token').where('family', '=', p.family).returning('hash'),
)
const familyRefresh = query<{ family: string }, { hash: string }>((db, p) =>
  db.deleteFrom('oauth_refresh_token').where('family', '=', p.family).returning('hash'),
)
/** Every token that was issued from one code. */
export async function deleteFamily(tx: Executor, family: string): Promise<void> {
  await familyAccess(tx, { family })
  await familyRefresh(tx, { family })
}

const grantAccess = query<{ grantId: number }, { hash: string }>((db, p) =>
  db.deleteFrom('oauth_access_token').where('grant_id', '=', p.grantId).returning('hash'),
)
const grantRefresh = query<{ grantId: number }, { hash: string }>((db, p) =>
  db.deleteFrom('oauth_refresh_token').where('grant_id', '=', p.grantId).returning('hash'),
)
/** Every token of a grant; the grant itself and its used codes stay. */
export async function deleteTokensOf(tx: Executor, grantId: number): Promise<void> {
  await grantAccess(tx, { grantId })
  await grantRefresh(tx, { grantId })
}

// Codes and tokens of grants, stored as hashes. Revoking deletes them. Every transaction that touches the tokens of a
// grant locks the grant's row first, so that these transactions are serialized.
import type { Scope } from '../../../domain/access/access.ts'
import { pick } from '../../../domain/pick.ts'
import { fromJson, toJson } from '../../engine/codecs.ts'
import type { Executor } from '../../engine/engine.ts'
import { query, queryAny, queryFirst } from '../../engine/query.ts'
import type { RowOf } from '../../engine/schema.ts'

// Codes

type CodeRow = Omit<RowOf<'oauthCode'>, 'usedAt'>
const insertCodeRow = query((db, p: CodeRow) =>
  db
    .insertInto('oauthCode')
    .values({
      ...pick(p, ['hash', 'grantId', 'family', 'redirectUri', 'codeChallenge', 'scopes', 'expiresAt']),
      usedAt: null,
    })
    .returning('hash'),
)
export const insertCode = (tx: Executor, code: Omit<CodeRow, 'scopes'> & { scopes: readonly Scope[] }) =>
  insertCodeRow(tx, { ...code, scopes: toJson(code.scopes) })

/** The person and client that a code or token belongs to. */
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
export const findCode = queryFirst(
  (db, p: { hash: string }) =>
    db
      .selectFrom('oauthCode')
      .innerJoin('oauthGrant', 'oauthGrant.id', 'oauthCode.grantId')
      .select([
        'oauthCode.grantId',
        'oauthCode.family',
        'oauthCode.redirectUri',
        'oauthCode.codeChallenge',
        'oauthCode.scopes',
        'oauthCode.expiresAt',
        'oauthCode.usedAt',
        'oauthGrant.clientId',
        'oauthGrant.userId',
        'oauthGrant.resource',
      ])
      .where('oauthCode.hash', '=', p.hash),
  (row): StoredCode => ({ ...row, scopes: fromJson(row.scopes) }),
)
/** False if the code was already used. */
export const useCode = queryAny((db, p: { hash: string; now: string }) =>
  db
    .updateTable('oauthCode')
    .set({ usedAt: p.now })
    .where('hash', '=', p.hash)
    .where('usedAt', 'is', null)
    .returning('hash'),
)

// Tokens

interface NewToken {
  hash: string
  grantId: number
  family: string
  scopes: readonly Scope[]
  expiresAt: string
}
type TokenRow = Omit<NewToken, 'scopes'> & { scopes: string }

const insertAccess = query((db, p: TokenRow) =>
  db
    .insertInto('oauthAccessToken')
    .values(pick(p, ['hash', 'grantId', 'family', 'scopes', 'expiresAt']))
    .returning('hash'),
)
export const insertAccessToken = (tx: Executor, token: NewToken) =>
  insertAccess(tx, { ...token, scopes: toJson(token.scopes) })

const insertRefresh = query((db, p: TokenRow) =>
  db
    .insertInto('oauthRefreshToken')
    .values({
      ...pick(p, ['hash', 'grantId', 'family', 'scopes', 'expiresAt']),
      usedAt: null,
    })
    .returning('hash'),
)
export const insertRefreshToken = (tx: Executor, token: NewToken) =>
  insertRefresh(tx, { ...token, scopes: toJson(token.scopes) })
export const findRefreshToken = queryFirst(
  (db, p: { hash: string }) =>
    db
      .selectFrom('oauthRefreshToken')
      .innerJoin('oauthGrant', 'oauthGrant.id', 'oauthRefreshToken.grantId')
      .select([
        'oauthRefreshToken.grantId',
        'oauthRefreshToken.family',
        'oauthRefreshToken.scopes',
        'oauthRefreshToken.expiresAt',
        'oauthRefreshToken.usedAt',
        'oauthGrant.clientId',
        'oauthGrant.userId',
        'oauthGrant.resource',
      ])
      .where('oauthRefreshToken.hash', '=', p.hash),
  (row): Holder => ({ ...row, scopes: fromJson(row.scopes) }),
)
/** False if the token was already used or no longer exists. */
export const useRefreshToken = queryAny((db, p: { hash: string; now: string }) =>
  db
    .updateTable('oauthRefreshToken')
    .set({ usedAt: p.now })
    .where('hash', '=', p.hash)
    .where('usedAt', 'is', null)
    .returning('hash'),
)

/** Does nothing if the token was issued to another client. */
export const deleteAccessToken = query((db, p: { hash: string; clientId: string }) =>
  db
    .deleteFrom('oauthAccessToken')
    .where('hash', '=', p.hash)
    .where('grantId', 'in', (eb) =>
      eb.selectFrom('oauthGrant').select('id').where('clientId', '=', p.clientId),
    )
    .returning('grantId'),
)

const familyAccess = query((db, p: { family: string }) =>
  db.deleteFrom('oauthAccessToken').where('family', '=', p.family).returning('hash'),
)
const familyRefresh = query((db, p: { family: string }) =>
  db.deleteFrom('oauthRefreshToken').where('family', '=', p.family).returning('hash'),
)
/** Deletes all tokens issued from one code. */
export async function deleteFamily(tx: Executor, family: string): Promise<void> {
  await familyAccess(tx, { family })
  await familyRefresh(tx, { family })
}

const grantAccess = query((db, p: { grantId: number }) =>
  db.deleteFrom('oauthAccessToken').where('grantId', '=', p.grantId).returning('hash'),
)
const grantRefresh = query((db, p: { grantId: number }) =>
  db.deleteFrom('oauthRefreshToken').where('grantId', '=', p.grantId).returning('hash'),
)
/** Deletes all tokens of a grant, but not the grant or its used codes. */
export async function deleteTokensOf(tx: Executor, grantId: number): Promise<void> {
  await grantAccess(tx, { grantId })
  await grantRefresh(tx, { grantId })
}

// OAuth clients and their pending authorization requests.
import { sql } from 'kysely'
import type { Scope } from '../../../domain/access/access.ts'
import { pick } from '../../../domain/pick.ts'
import { fromJson, toJson } from '../../engine/codecs.ts'
import type { Executor } from '../../engine/engine.ts'
import { first, query, queryFirst } from '../../engine/query.ts'
import type { RowOf } from '../../engine/schema.ts'

type ClientAuthMethod = 'none' | 'client_secret_post' | 'client_secret_basic'

export interface OAuthClient {
  id: string
  source: 'registration' | 'document'
  name: string
  redirectUris: string[]
  authMethod: ClientAuthMethod
  secretHash: string | null
}
type ClientRow = Omit<OAuthClient, 'redirectUris'> & { redirectUris: string }
const toClient = (row: ClientRow): OAuthClient => ({ ...row, redirectUris: fromJson(row.redirectUris) })
export const findClient = queryFirst(
  (db, p: { id: string; now: string }) =>
    db
      .selectFrom('oauthClient')
      .select(['id', 'source', 'name', 'redirectUris', 'authMethod', 'secretHash'])
      .where('id', '=', p.id)
      .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', p.now)])),
  toClient,
)

const approvedClient = query((db, p: { id: string }) =>
  db.selectFrom('oauthClient').select('id').where('id', '=', p.id).where('expiresAt', 'is', null),
)
/** Whether a user of this instance has ever approved the client. */
export const isApprovedClient = async (db: Executor, id: string): Promise<boolean> =>
  (await first(approvedClient(db, { id }))) !== undefined

const upsertClientRow = query((db, p: ClientRow & { now: string; expiresAt: string }) =>
  db
    .insertInto('oauthClient')
    .values({
      ...pick(p, ['id', 'source', 'name', 'redirectUris', 'authMethod', 'secretHash']),
      createdAt: p.now,
      expiresAt: p.expiresAt,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        redirectUris: eb.ref('excluded.redirectUris'),
        expiresAt: sql<
          string | null
        >`case when oauth_client.expires_at is null then null else excluded.expires_at end`,
      })),
    )
    .returning('id'),
)
/** Updates the name and redirect URIs of an existing client; an approved client does not expire. */
export const upsertClient = (tx: Executor, client: OAuthClient, now: string, expiresAt: string) =>
  upsertClientRow(tx, { ...client, redirectUris: toJson(client.redirectUris), now, expiresAt })

export const keepClientRow = query((db, p: { id: string }) =>
  db.updateTable('oauthClient').set({ expiresAt: null }).where('id', '=', p.id).returning('id'),
)

/** Deletes the client with its grants and tokens. */
export const deleteClient = query((db, p: { id: string }) =>
  db.deleteFrom('oauthClient').where('id', '=', p.id).returning('id'),
)

/** Anyone may register clients, so the oldest unapproved ones beyond the limit are deleted. */
export const deleteUnusedClientsBeyond = query((db, p: { keep: number }) =>
  db
    .deleteFrom('oauthClient')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauthClient')
        .select('id')
        .where('expiresAt', 'is not', null)
        .orderBy('expiresAt', 'desc')
        .orderBy('id')
        // SQLite has no offset without a limit.
        .limit(sql<number>`1000000`)
        .offset(p.keep),
    )
    .returning('id'),
)

// Pending authorization requests

export interface AuthorizationRequest extends Omit<RowOf<'oauthRequest'>, 'scopes'> {
  scopes: Scope[]
}
type RequestRow = Omit<AuthorizationRequest, 'scopes'> & { scopes: string }
const requestColumns = [
  'id',
  'browserHash',
  'clientId',
  'userId',
  'redirectUri',
  'resource',
  'scopes',
  'state',
  'codeChallenge',
  'expiresAt',
] as const

const insertRequestRow = query((db, p: RequestRow) =>
  db
    .insertInto('oauthRequest')
    .values({
      id: p.id,
      browserHash: p.browserHash,
      clientId: p.clientId,
      userId: p.userId,
      redirectUri: p.redirectUri,
      resource: p.resource,
      scopes: p.scopes,
      state: p.state,
      codeChallenge: p.codeChallenge,
      expiresAt: p.expiresAt,
    })
    .returning('id'),
)
export const insertRequest = (tx: Executor, request: AuthorizationRequest) =>
  insertRequestRow(tx, { ...request, scopes: toJson(request.scopes) })

interface RequestOf {
  id: string
  browserHash: string
  userId: string
  now: string
}
/** Binds this browser's request to the person. Undefined if it belongs to another browser or person. */
export const claimRequest = queryFirst(
  (db, p: RequestOf) =>
    db
      .updateTable('oauthRequest')
      .set({ userId: p.userId })
      .where('id', '=', p.id)
      .where('browserHash', '=', p.browserHash)
      .where('expiresAt', '>', p.now)
      .where((eb) => eb.or([eb('userId', 'is', null), eb('userId', '=', p.userId)]))
      .returning(requestColumns),
  (row): AuthorizationRequest => ({ ...row, scopes: fromJson(row.scopes) }),
)
/** This browser's request, before it is known which person decides. */
export const findRequest = queryFirst((db, p: Omit<RequestOf, 'userId'>) =>
  db
    .selectFrom('oauthRequest')
    .select(['clientId', 'redirectUri'])
    .where('id', '=', p.id)
    .where('browserHash', '=', p.browserHash)
    .where('expiresAt', '>', p.now),
)

/** Deletes a claimed request and returns it. Only one of several concurrent calls gets it. */
export const takeRequest = queryFirst(
  (db, p: RequestOf) =>
    db
      .deleteFrom('oauthRequest')
      .where('id', '=', p.id)
      .where('browserHash', '=', p.browserHash)
      .where('userId', '=', p.userId)
      .where('expiresAt', '>', p.now)
      .returning(requestColumns),
  (row): AuthorizationRequest => ({ ...row, scopes: fromJson(row.scopes) }),
)

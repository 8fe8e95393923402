// OAuth clients, and their authorization requests that wait for a user's decision.
import { sql } from 'kysely'
import type { Scope } from '../domain/access.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

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

const clientById = query<{ id: string; now: string }, ClientRow>((db, p) =>
  db
    .selectFrom('oauth_client')
    .select([
      'id',
      'source',
      'name',
      'redirect_uris as redirectUris',
      'auth_method as authMethod',
      'secret_hash as secretHash',
    ])
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)])),
)
export async function findClient(db: Executor, id: string, now: string): Promise<OAuthClient | undefined> {
  const row = await first(clientById(db, { id, now }))
  return row && toClient(row)
}

const approvedClient = query<{ id: string }, { id: string }>((db, p) =>
  db.selectFrom('oauth_client').select('id').where('id', '=', p.id).where('expires_at', 'is', null),
)
/** Whether a user of this instance has ever approved the client. */
export const isApprovedClient = async (db: Executor, id: string): Promise<boolean> =>
  (await first(approvedClient(db, { id }))) !== undefined

const upsertClientRow = query<ClientRow & { now: string; expiresAt: string }, { id: string }>((db, p) =>
  db
    .insertInto('oauth_client')
    .values({
      id: p.id,
      source: p.source,
      name: p.name,
      redirect_uris: p.redirectUris,
      auth_method: p.authMethod,
      secret_hash: p.secretHash,
      created_at: p.now,
      expires_at: p.expiresAt,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        redirect_uris: eb.ref('excluded.redirect_uris'),
        expires_at: sql<
          string | null
        >`case when oauth_client.expires_at is null then null else excluded.expires_at end`,
      })),
    )
    .returning('id'),
)
/** A client that exists gets its new name and redirect URIs; once approved it no longer expires. */
export const upsertClient = (tx: Executor, client: OAuthClient, now: string, expiresAt: string) =>
  upsertClientRow(tx, { ...client, redirectUris: toJson(client.redirectUris), now, expiresAt })

export const keepClientRow = query<{ id: string }, { id: string }>((db, p) =>
  db.updateTable('oauth_client').set({ expires_at: null }).where('id', '=', p.id).returning('id'),
)
const deleteClientRow = query<{ id: string }, { id: string }>((db, p) =>
  db.deleteFrom('oauth_client').where('id', '=', p.id).returning('id'),
)
/** Deletes the client with its grants and tokens. */
export const deleteClient = (tx: Executor, id: string) => deleteClientRow(tx, { id })

const deleteOldestUnused = query<{ keep: number }, { id: string }>((db, p) =>
  db
    .deleteFrom('oauth_client')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauth_client')
        .select('id')
        .where('expires_at', 'is not', null)
        .orderBy('expires_at', 'desc')
        .orderBy('id')
        // SQLite has no offset without a limit.
        .limit(sql<number>`1000000`)
        .offset(p.keep),
    )
    .returning('id'),
)
/** Anyone may register clients, so beyond the limit the oldest that no user approved are deleted. */
export const deleteUnusedClientsBeyond = (tx: Executor, keep: number) => deleteOldestUnused(tx, { keep })

// Authorization requests that wait for a user's decision

export interface AuthorizationRequest {
  id: string
  /** The hash of the cookie of the browser that opened it. */
  browserHash: string
  clientId: string
  userId: string | null
  redirectUri: string
  resource: string
  scopes: Scope[]
  state: string | null
  codeChallenge: string
  expiresAt: string
}
type RequestRow = Omit<AuthorizationRequest, 'scopes'> & { scopes: string }
const requestColumns = [
  'id',
  'browser_hash as browserHash',
  'client_id as clientId',
  'user_id as userId',
  'redirect_uri as redirectUri',
  'resource',
  'scopes',
  'state',
  'code_challenge as codeChallenge',
  'expires_at as expiresAt',
] as const

const insertRequestRow = query<RequestRow, { id: string }>((db, p) =>
  db
    .insertInto('oauth_request')
    .values({
      id: p.id,
      browser_hash: p.browserHash,
      client_id: p.clientId,
      user_id: p.userId,
      redirect_uri: p.redirectUri,
      resource: p.resource,
      scopes: p.scopes,
      state: p.state,
      code_challenge: p.codeChallenge,
      expires_at: p.expiresAt,
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

const claimRow = query<RequestOf, RequestRow>((db, p) =>
  db
    .updateTable('oauth_request')
    .set({ user_id: p.userId })
    .where('id', '=', p.id)
    .where('browser_hash', '=', p.browserHash)
    .where('expires_at', '>', p.now)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', p.userId)]))
    .returning(requestColumns),
)
/** Binds this browser's request to the person. Undefined if it is another browser's or another person's. */
export async function claimRequest(tx: Executor, of: RequestOf): Promise<AuthorizationRequest | undefined> {
  const row = await first(claimRow(tx, of))
  return row && { ...row, scopes: fromJson(row.scopes) }
}

const waitingRow = query<Omit<RequestOf, 'userId'>, { clientId: string; redirectUri: string }>((db, p) =>
  db
    .selectFrom('oauth_request')
    .select(['client_id as clientId', 'redirect_uri as redirectUri'])
    .where('id', '=', p.id)
    .where('browser_hash', '=', p.browserHash)
    .where('expires_at', '>', p.now),
)
/** This browser's request, before it is known who decides. */
export const findRequest = (db: Executor, of: Omit<RequestOf, 'userId'>) => first(waitingRow(db, of))

const takeRow = query<RequestOf, RequestRow>((db, p) =>
  db
    .deleteFrom('oauth_request')
    .where('id', '=', p.id)
    .where('browser_hash', '=', p.browserHash)
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now)
    .returning(requestColumns),
)
/** Deletes a claimed request and returns it; of two concurrent calls, one gets it. */
export async function takeRequest(tx: Executor, of: RequestOf): Promise<AuthorizationRequest | undefined> {
  const row = await first(takeRow(tx, of))
  return row && { ...row, scopes: fromJson(row.scopes) }
}

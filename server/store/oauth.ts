// What the authorization server remembers: clients, requests that wait for a decision, grants, codes and tokens.
// Secrets are here as hashes only. What is revoked is deleted. Every transaction that touches the tokens of a grant
// first writes the grant's row, so that two of them never cross.
import { sql } from 'kysely'
import type { Scope } from '../domain/access.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { type CallerRow, personOfCaller, revisionsOfCaller } from './people.ts'
import { first, query } from './query.ts'

// Clients

export type ClientAuthMethod = 'none' | 'client_secret_post' | 'client_secret_basic'

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

const keepClientRow = query<{ id: string }, { id: string }>((db, p) =>
  db.updateTable('oauth_client').set({ expires_at: null }).where('id', '=', p.id).returning('id'),
)
const deleteClientRow = query<{ id: string }, { id: string }>((db, p) =>
  db.deleteFrom('oauth_client').where('id', '=', p.id).returning('id'),
)
/** With everything that was granted to it. */
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
/** Registrations cost a stranger nothing, so the oldest that nobody approved give way. */
export const deleteUnusedClientsBeyond = (tx: Executor, keep: number) => deleteOldestUnused(tx, { keep })

// Requests that wait for a person's decision

export interface AuthorizationRequest {
  id: string
  /** Which browser brought it: the hash of that browser's cookie. */
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
/** The waiting request of this browser, from now on this person's; undefined if it is anybody else's. */
export async function claimRequest(tx: Executor, of: RequestOf): Promise<AuthorizationRequest | undefined> {
  const row = await first(claimRow(tx, of))
  return row && { ...row, scopes: fromJson(row.scopes) }
}

const takeRow = query<RequestOf, RequestRow>((db, p) =>
  db
    .deleteFrom('oauth_request')
    .where('id', '=', p.id)
    .where('browser_hash', '=', p.browserHash)
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now)
    .returning(requestColumns),
)
/** Takes a claimed request out: of two that try, one gets it. */
export async function takeRequest(tx: Executor, of: RequestOf): Promise<AuthorizationRequest | undefined> {
  const row = await first(takeRow(tx, of))
  return row && { ...row, scopes: fromJson(row.scopes) }
}

// Grants: what one person lets one client do at one resource

interface NewGrant {
  clientId: string
  userId: string
  resource: string
  scopes: readonly Scope[]
  redirectUri: string
  now: string
}
const upsertGrantRow = query<Omit<NewGrant, 'scopes'> & { scopes: string }, { id: number }>((db, p) =>
  db
    .insertInto('oauth_grant')
    .values({
      client_id: p.clientId,
      user_id: p.userId,
      resource: p.resource,
      scopes: p.scopes,
      redirect_uri: p.redirectUri,
      created_at: p.now,
      updated_at: p.now,
      last_used_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'user_id', 'resource']).doUpdateSet((eb) => ({
        scopes: eb.ref('excluded.scopes'),
        redirect_uri: eb.ref('excluded.redirect_uri'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .returning('id'),
)
/** Approves: a new approval of the same client for the same resource replaces the scopes of the earlier one. */
export async function upsertGrant(tx: Executor, grant: NewGrant): Promise<number> {
  await keepClientRow(tx, { id: grant.clientId })
  return (await upsertGrantRow(tx, { ...grant, scopes: toJson(grant.scopes) }))[0]!.id
}

const lockRow = query<{ id: number }, { scopes: string; username: string | null }>((db, p) =>
  db
    .updateTable('oauth_grant')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', p.id)
    .returning((eb) => [
      'scopes',
      eb
        .selectFrom('person')
        .select('username')
        .whereRef('person.id', '=', 'oauth_grant.user_id')
        .as('username'),
    ]),
)
/** Keeps every other transaction on this grant waiting; undefined if the grant is gone. */
export async function lockGrant(
  tx: Executor,
  id: number,
): Promise<{ scopes: Scope[]; username: string } | undefined> {
  const row = await first(lockRow(tx, { id }))
  return row && { scopes: fromJson(row.scopes), username: row.username ?? '' }
}

const touchGrantRow = query<{ id: number; now: string }, { id: number }>((db, p) =>
  db.updateTable('oauth_grant').set({ last_used_at: p.now }).where('id', '=', p.id).returning('id'),
)
export const touchGrant = (tx: Executor, id: number, now: string) => touchGrantRow(tx, { id, now })

const grantScopes = query<{ clientId: string; userId: string; resource: string }, { scopes: string }>(
  (db, p) =>
    db
      .selectFrom('oauth_grant')
      .select('scopes')
      .where('client_id', '=', p.clientId)
      .where('user_id', '=', p.userId)
      .where('resource', '=', p.resource),
)
/** What the person approved for this client before; undefined: nothing yet. */
export async function findGrantedScopes(
  db: Executor,
  of: { clientId: string; userId: string; resource: string },
): Promise<Scope[] | undefined> {
  const row = await first(grantScopes(db, of))
  return row && fromJson(row.scopes)
}

export interface ConnectedApp {
  id: number
  clientId: string
  clientName: string
  redirectUri: string
  resource: string
  scopes: Scope[]
  createdAt: string
  updatedAt: string
  lastUsedAt: string | null
}
type ConnectedAppRow = Omit<ConnectedApp, 'scopes'> & { scopes: string }
const grantsOf = query<{ userId: string }, ConnectedAppRow>((db, p) =>
  db
    .selectFrom('oauth_grant')
    .innerJoin('oauth_client', 'oauth_client.id', 'oauth_grant.client_id')
    .select([
      'oauth_grant.id',
      'oauth_client.id as clientId',
      'oauth_client.name as clientName',
      'oauth_grant.redirect_uri as redirectUri',
      'oauth_grant.resource',
      'oauth_grant.scopes',
      'oauth_grant.created_at as createdAt',
      'oauth_grant.updated_at as updatedAt',
      'oauth_grant.last_used_at as lastUsedAt',
    ])
    .where('oauth_grant.user_id', '=', p.userId)
    .orderBy('oauth_grant.updated_at', 'desc')
    .orderBy('oauth_grant.id', 'desc'),
)
export const listConnectedApps = async (db: Executor, userId: string): Promise<ConnectedApp[]> =>
  (await grantsOf(db, { userId })).map((row) => ({ ...row, scopes: fromJson(row.scopes) }))

const deleteGrantRow = query<{ userId: string; id: number }, { clientName: string | null; resource: string }>(
  (db, p) =>
    db
      .deleteFrom('oauth_grant')
      .where('user_id', '=', p.userId)
      .where('id', '=', p.id)
      .returning((eb) => [
        'resource',
        eb
          .selectFrom('oauth_client')
          .select('name')
          .whereRef('oauth_client.id', '=', 'oauth_grant.client_id')
          .as('clientName'),
      ]),
)
/** Ends an app's access with all its codes and tokens; undefined if this person has no such grant. */
export const deleteGrant = (tx: Executor, userId: string, id: number) =>
  first(deleteGrantRow(tx, { userId, id }))

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
export interface StoredCode extends Holder {
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
/** False if it was used already, or is gone. */
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
/** Every token that descends from one code. */
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
/** Every token of a grant; the grant itself and its spent codes stay. */
export async function deleteTokensOf(tx: Executor, grantId: number): Promise<void> {
  await grantAccess(tx, { grantId })
  await grantRefresh(tx, { grantId })
}

// Who is calling with an access token: credential, person, role and revisions in one query, as for API keys.

export type TokenCallerRow = Omit<CallerRow, 'legacyFormat'>
const callerByToken = query<{ hash: string; resource: string; now: string }, TokenCallerRow>((db, p) =>
  db
    .selectFrom('oauth_access_token')
    .innerJoin('oauth_grant', 'oauth_grant.id', 'oauth_access_token.grant_id')
    .innerJoin('person', 'person.id', 'oauth_grant.user_id')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select([
      'oauth_grant.id as credentialId',
      'oauth_access_token.scopes',
      'oauth_grant.last_used_at as lastUsedAt',
    ])
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('oauth_access_token.hash', '=', p.hash)
    .where('oauth_access_token.expires_at', '>', p.now)
    .where('oauth_grant.resource', '=', p.resource),
)
export const findCallerByAccessToken = (db: Executor, hash: string, resource: string, now: string) =>
  first(callerByToken(db, { hash, resource, now }))

// What time has ended

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
              .selectFrom('oauth_refresh_token as living')
              .select('living.hash')
              .whereRef('living.family', '=', 'oauth_refresh_token.family')
              .where('living.used_at', 'is', null)
              .where('living.expires_at', '>', p.now),
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

export interface Retention {
  now: string
  /** Spent codes whose tokens are gone stay until then. */
  codesUsedBefore: string
  /** Used refresh tokens of living families stay until then. */
  refreshTokensUsedBefore: string
  /** A grant with nothing left that could be used stays until then. */
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

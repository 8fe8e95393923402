// Grants: what one person lets one client do at one resource.
import type { Scope } from '../domain/access.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { keepClientRow } from './oauth-clients.ts'
import { first, query } from './query.ts'

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
/** Stores an approval; it replaces the scopes of an earlier one of the same client for the same resource. */
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
/** Locks the grant until the transaction ends; undefined if it no longer exists. */
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
/** The scopes that the person approved for this client before; undefined if none. */
export async function findGrantedScopes(
  db: Executor,
  of: { clientId: string; userId: string; resource: string },
): Promise<Scope[] | undefined> {
  const row = await first(grantScopes(db, of))
  return row && fromJson(row.scopes)
}

interface ConnectedApp {
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

interface EndedGrant {
  clientName: string | null
  redirectUri: string
  resource: string
}
const deleteGrantRow = query<{ userId: string; id: number }, EndedGrant>((db, p) =>
  db
    .deleteFrom('oauth_grant')
    .where('user_id', '=', p.userId)
    .where('id', '=', p.id)
    .returning((eb) => [
      'resource',
      'redirect_uri as redirectUri',
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

const deleteGrantRowsOf = query<{ userId: string }, { id: number }>((db, p) =>
  db.deleteFrom('oauth_grant').where('user_id', '=', p.userId).returning('id'),
)
/** Ends the access of every app of a person, with all codes and tokens. */
export const deleteGrantsOf = (tx: Executor, userId: string) => deleteGrantRowsOf(tx, { userId })

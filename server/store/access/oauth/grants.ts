// Grants: what a person allows a client to do at a resource.
import type { Scope } from '../../../domain/access/access.ts'
import { pick } from '../../../domain/pick.ts'
import { fromJson, toJson } from '../../engine/codecs.ts'
import type { Executor } from '../../engine/engine.ts'
import { query, queryFirst } from '../../engine/query.ts'
import { keepClientRow } from './clients.ts'

interface NewGrant {
  clientId: string
  userId: string
  resource: string
  scopes: readonly Scope[]
  redirectUri: string
  now: string
}
const upsertGrantRow = query((db, p: Omit<NewGrant, 'scopes'> & { scopes: string }) =>
  db
    .insertInto('oauthGrant')
    .values({
      ...pick(p, ['clientId', 'userId', 'resource', 'scopes', 'redirectUri']),
      createdAt: p.now,
      updatedAt: p.now,
      lastUsedAt: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['clientId', 'userId', 'resource']).doUpdateSet((eb) => ({
        scopes: eb.ref('excluded.scopes'),
        redirectUri: eb.ref('excluded.redirectUri'),
        updatedAt: eb.ref('excluded.updatedAt'),
      })),
    )
    .returning('id'),
)
/** Stores an approval. It replaces the scopes that the person approved earlier for this client and resource. */
export async function upsertGrant(tx: Executor, grant: NewGrant): Promise<number> {
  await keepClientRow(tx, { id: grant.clientId })
  return (await upsertGrantRow(tx, { ...grant, scopes: toJson(grant.scopes) }))[0]!.id
}
/** Locks the grant until the transaction ends; undefined if it no longer exists. */
export const lockGrant = queryFirst(
  (db, p: { id: number }) =>
    db
      .updateTable('oauthGrant')
      .set((eb) => ({ id: eb.ref('id') }))
      .where('id', '=', p.id)
      .returning((eb) => [
        'scopes',
        eb
          .selectFrom('person')
          .select('username')
          .whereRef('person.id', '=', 'oauthGrant.userId')
          .as('username'),
      ]),
  (row): { scopes: Scope[]; username: string } => ({
    scopes: fromJson(row.scopes),
    username: row.username ?? '',
  }),
)

const touchGrantRow = query((db, p: { id: number; now: string }) =>
  db.updateTable('oauthGrant').set({ lastUsedAt: p.now }).where('id', '=', p.id).returning('id'),
)
export const touchGrant = (tx: Executor, id: number, now: string) => touchGrantRow(tx, { id, now })
/** The scopes that the person has already approved for this client; undefined if none. */
export const findGrantedScopes = queryFirst(
  (db, p: { clientId: string; userId: string; resource: string }) =>
    db
      .selectFrom('oauthGrant')
      .select('scopes')
      .where('clientId', '=', p.clientId)
      .where('userId', '=', p.userId)
      .where('resource', '=', p.resource),
  (row): Scope[] => fromJson(row.scopes),
)

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
export const listConnectedApps = query(
  (db, p: { userId: string }) =>
    db
      .selectFrom('oauthGrant')
      .innerJoin('oauthClient', 'oauthClient.id', 'oauthGrant.clientId')
      .select([
        'oauthGrant.id',
        'oauthClient.id as clientId',
        'oauthClient.name as clientName',
        'oauthGrant.redirectUri',
        'oauthGrant.resource',
        'oauthGrant.scopes',
        'oauthGrant.createdAt',
        'oauthGrant.updatedAt',
        'oauthGrant.lastUsedAt',
      ])
      .where('oauthGrant.userId', '=', p.userId)
      .orderBy('oauthGrant.updatedAt', 'desc')
      .orderBy('oauthGrant.id', 'desc'),
  (row): ConnectedApp => ({ ...row, scopes: fromJson(row.scopes) }),
)
/** Revokes an app's access, including its codes and tokens; undefined if this person has no such grant. */
export const deleteGrant = queryFirst((db, p: { userId: string; id: number }) =>
  db
    .deleteFrom('oauthGrant')
    .where('userId', '=', p.userId)
    .where('id', '=', p.id)
    .returning((eb) => [
      'resource',
      'redirectUri',
      eb
        .selectFrom('oauthClient')
        .select('name')
        .whereRef('oauthClient.id', '=', 'oauthGrant.clientId')
        .as('clientName'),
    ]),
)

/** Revokes the access of all of a person's apps, including codes and tokens. */
export const deleteGrantsOf = query((db, p: { userId: string }) =>
  db.deleteFrom('oauthGrant').where('userId', '=', p.userId).returning('id'),
)

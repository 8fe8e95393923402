// Who is calling: one query gives the credential, the person, the current role and the revisions that caches need.
import { sql } from 'kysely'
import type { LegacyFormat } from '../../domain/enums.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryByList, queryFirst } from '../engine/query.ts'

export interface CallerRow {
  credentialId: number
  scopes: string
  legacyFormat: LegacyFormat
  lastUsedAt: string | null
  userId: string
  username: string
  displayName: string
  roleId: string | null
  roleName: string | null
  permissions: string | null
  isOwner: 0 | 1
  flightsRevision: number | null
  namesRevision: number | null
  presentationRevision: number | null
  referenceRevision: number | null
  epoch: number | null
}

const revision = (name: string) => sql<number | null>`(select value from revision where name = ${name})`
/** Joins rows of `person` and `role`. */
export const personOfCaller = [
  'person.id as userId',
  'person.username',
  'person.displayName',
  'person.roleId',
  'person.isOwner',
  'role.name as roleName',
  'role.permissions',
] as const
/** Joins a row of `person`. */
export const revisionsOfCaller = [
  sql<number | null>`(select value from revision where name = 'flights:' || person.id)`.as('flightsRevision'),
  sql<number | null>`(select value from revision where name = 'names:' || person.id)`.as('namesRevision'),
  revision('presentation').as('presentationRevision'),
  revision('reference').as('referenceRevision'),
  revision('epoch').as('epoch'),
] as const
export const findCallersByApiKeys = queryByList((db, hashes: string[]) =>
  db
    .selectFrom('apiKey')
    .innerJoin('person', 'person.id', 'apiKey.userId')
    .leftJoin('role', 'role.id', 'person.roleId')
    .select([
      'apiKey.hash',
      'apiKey.id as credentialId',
      'apiKey.scopes',
      'apiKey.legacyFormat',
      'apiKey.lastUsedAt',
    ])
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('apiKey.hash', 'in', hashes),
)

/** A person on whose behalf the server acts without a request. */
export const findCallerByPerson = queryFirst((db, p: { userId: string }) =>
  db
    .selectFrom('person')
    .leftJoin('role', 'role.id', 'person.roleId')
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('person.id', '=', p.userId),
)

/** Includes sessions that have expired but are not deleted yet. */
export const findCallersBySessions = queryByList((db, hashes: string[]) =>
  db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.userId')
    .leftJoin('role', 'role.id', 'person.roleId')
    .select([
      'session.hash',
      'session.id as credentialId',
      'session.lastSeenAt as lastUsedAt',
      'session.expiresAt',
    ])
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('session.hash', 'in', hashes),
)

/** Includes expired tokens, and tokens for any resource. */
export const findCallersByAccessTokens = queryByList((db, hashes: string[]) =>
  db
    .selectFrom('oauthAccessToken')
    .innerJoin('oauthGrant', 'oauthGrant.id', 'oauthAccessToken.grantId')
    .innerJoin('person', 'person.id', 'oauthGrant.userId')
    .leftJoin('role', 'role.id', 'person.roleId')
    .select([
      'oauthAccessToken.hash',
      'oauthGrant.id as credentialId',
      'oauthAccessToken.scopes',
      'oauthAccessToken.expiresAt',
      'oauthGrant.resource',
      'oauthGrant.lastUsedAt',
    ])
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('oauthAccessToken.hash', 'in', hashes),
)

interface Credential {
  userId: string
  id: number
}
const existing = (table: 'apiKey' | 'oauthGrant' | 'session') =>
  query((db, p: Credential) =>
    db.selectFrom(table).select('id').where('id', '=', p.id).where('userId', '=', p.userId),
  )
const credentials = {
  apiKey: existing('apiKey'),
  oauth: existing('oauthGrant'),
  session: existing('session'),
}
/** Whether the person's API key, connected app or session still exists. */
export const hasCredential = async (
  db: Executor,
  { kind, ...credential }: Credential & { kind: keyof typeof credentials },
): Promise<boolean> => (await credentials[kind](db, credential)).length > 0

// Who is calling: one query gives the credential, the person, the current role and the revisions that caches need.
import { sql } from 'kysely'
import type { LegacyFormat } from '../domain/enums.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

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
  peopleRevision: number | null
  referenceRevision: number | null
  epoch: number | null
}

const revision = (name: string) => sql<number | null>`(select value from revision where name = ${name})`
const personOfCaller = [
  'person.id as userId',
  'person.username',
  'person.display_name as displayName',
  'person.role_id as roleId',
  'person.is_owner as isOwner',
  'role.name as roleName',
  'role.permissions',
] as const
const revisionsOfCaller = [
  sql<number | null>`(select value from revision where name = 'flights:' || person.id)`.as('flightsRevision'),
  revision('people').as('peopleRevision'),
  revision('reference').as('referenceRevision'),
  revision('epoch').as('epoch'),
] as const

const callerByKey = query<{ hash: string }, CallerRow>((db, p) =>
  db
    .selectFrom('api_key')
    .innerJoin('person', 'person.id', 'api_key.user_id')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select([
      'api_key.id as credentialId',
      'api_key.scopes',
      'api_key.legacy_format as legacyFormat',
      'api_key.last_used_at as lastUsedAt',
    ])
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('api_key.hash', '=', p.hash),
)
export const findCallerByApiKey = (db: Executor, hash: string) => first(callerByKey(db, { hash }))

type SessionCallerRow = Omit<CallerRow, 'scopes' | 'legacyFormat'> & { expiresAt: string }
const callerBySession = query<{ hash: string; now: string }, SessionCallerRow>((db, p) =>
  db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.user_id')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select([
      'session.id as credentialId',
      'session.last_seen_at as lastUsedAt',
      'session.expires_at as expiresAt',
    ])
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('session.hash', '=', p.hash)
    .where('session.expires_at', '>', p.now),
)
export const findCallerBySession = (db: Executor, hash: string, now: string) =>
  first(callerBySession(db, { hash, now }))

type TokenCallerRow = Omit<CallerRow, 'legacyFormat'>
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

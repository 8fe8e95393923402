// Who is calling: one query gives the credential, the person, the current role and the revisions that caches need.
import { sql } from 'kysely'
import type { LegacyFormat } from '../domain/enums.ts'
import type { Executor } from './engine.ts'
import { first, query, queryByList } from './query.ts'

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
const personOfCaller = [
  'person.id as userId',
  'person.username',
  'person.display_name as displayName',
  'person.role_id as roleId',
  'person.is_owner as isOwner',
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

/** The credential of a row, by which the callers of one statement are told apart. */
interface Hashed {
  hash: string
}

const callersByKeys = queryByList<string, CallerRow & Hashed>((db, hashes) =>
  db
    .selectFrom('api_key')
    .innerJoin('person', 'person.id', 'api_key.user_id')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select([
      'api_key.hash',
      'api_key.id as credentialId',
      'api_key.scopes',
      'api_key.legacy_format as legacyFormat',
      'api_key.last_used_at as lastUsedAt',
    ])
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('api_key.hash', 'in', hashes),
)
export const findCallersByApiKeys = (db: Executor, hashes: readonly string[]) => callersByKeys(db, hashes)

type PersonCallerRow = Omit<CallerRow, 'credentialId' | 'scopes' | 'legacyFormat' | 'lastUsedAt'>
const callerByPerson = query<{ userId: string }, PersonCallerRow>((db, p) =>
  db
    .selectFrom('person')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('person.id', '=', p.userId),
)
/** A person for whom the server acts by itself. */
export const findCallerByPerson = (db: Executor, userId: string) => first(callerByPerson(db, { userId }))

type SessionCallerRow = Omit<CallerRow, 'scopes' | 'legacyFormat'> & Hashed & { expiresAt: string }
const callersBySessions = queryByList<string, SessionCallerRow>((db, hashes) =>
  db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.user_id')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select([
      'session.hash',
      'session.id as credentialId',
      'session.last_seen_at as lastUsedAt',
      'session.expires_at as expiresAt',
    ])
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('session.hash', 'in', hashes),
)
/** Also of sessions that have expired and are not deleted yet. */
export const findCallersBySessions = (db: Executor, hashes: readonly string[]) =>
  callersBySessions(db, hashes)

type TokenCallerRow = Omit<CallerRow, 'legacyFormat'> & Hashed & { expiresAt: string; resource: string }
const callersByTokens = queryByList<string, TokenCallerRow>((db, hashes) =>
  db
    .selectFrom('oauth_access_token')
    .innerJoin('oauth_grant', 'oauth_grant.id', 'oauth_access_token.grant_id')
    .innerJoin('person', 'person.id', 'oauth_grant.user_id')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select([
      'oauth_access_token.hash',
      'oauth_grant.id as credentialId',
      'oauth_access_token.scopes',
      'oauth_access_token.expires_at as expiresAt',
      'oauth_grant.resource',
      'oauth_grant.last_used_at as lastUsedAt',
    ])
    .select(personOfCaller)
    .select(revisionsOfCaller)
    .where('oauth_access_token.hash', 'in', hashes),
)
/** Also of tokens that have expired, and whatever resource they are for. */
export const findCallersByAccessTokens = (db: Executor, hashes: readonly string[]) =>
  callersByTokens(db, hashes)

interface Credential {
  userId: string
  id: number
}
const existing = (table: 'api_key' | 'oauth_grant' | 'session') =>
  query<Credential, { id: number }>((db, p) =>
    db.selectFrom(table).select('id').where('id', '=', p.id).where('user_id', '=', p.userId),
  )
const credentials = {
  apiKey: existing('api_key'),
  oauth: existing('oauth_grant'),
  session: existing('session'),
}
/** Whether the person's API key, connected app or session was not deleted. */
export const hasCredential = async (
  db: Executor,
  { kind, ...credential }: Credential & { kind: keyof typeof credentials },
): Promise<boolean> => (await credentials[kind](db, credential)).length > 0

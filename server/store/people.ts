// People, roles, API keys and sessions.
import { type ExpressionBuilder, sql } from 'kysely'
import type { Permission, Scope } from '../domain/access.ts'
import type { Preferences } from '../domain/preferences.ts'
import { flag, fromJson, isSet, toJson } from './codecs.ts'
import { locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { deleteEmptyFlights, lockFlightsOf, noteFlightsChanged } from './flights.ts'
import { first, query, queryByList } from './query.ts'
import { AUTHORITY, bumpRevisions, PEOPLE } from './revisions.ts'
import type { Schema } from './schema.ts'

export interface Person {
  id: string
  username: string
  displayName: string
  roleId: string | null
  roleName: string | null
  isOwner: boolean
  permissions: Permission[]
}

const personColumns = [
  'person.id',
  'person.username',
  'person.display_name as displayName',
  'person.role_id as roleId',
  'person.is_owner as isOwner',
  'role.name as roleName',
  'role.permissions as permissions',
] as const

interface PersonRow extends Omit<Person, 'isOwner' | 'permissions'> {
  isOwner: 0 | 1
  permissions: string | null
}
const toPerson = (row: PersonRow): Person => ({
  id: row.id,
  username: row.username,
  displayName: row.displayName,
  roleId: row.roleId,
  roleName: row.roleName,
  isOwner: isSet(row.isOwner),
  permissions: row.permissions ? fromJson<Permission[]>(row.permissions) : [],
})

const allPeople = query<object, PersonRow>((db) =>
  db
    .selectFrom('person')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select(personColumns)
    .orderBy('person.username_folded'),
)
export const listPeople = async (db: Executor): Promise<Person[]> => (await allPeople(db, {})).map(toPerson)

const personById = query<{ id: string }, PersonRow>((db, p) =>
  db
    .selectFrom('person')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select(personColumns)
    .where('person.id', '=', p.id),
)
export async function findPerson(db: Executor, id: string): Promise<Person | undefined> {
  const row = await first(personById(db, { id }))
  return row && toPerson(row)
}

const personByName = query<{ username: string }, PersonRow & { passwordHash: string | null }>((db, p) =>
  db
    .selectFrom('person')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select([...personColumns, 'person.password_hash as passwordHash'])
    .where('person.username_folded', '=', p.username),
)
/** By user name, ignoring case. */
export async function findPersonByUsername(
  db: Executor,
  username: string,
): Promise<(Person & { passwordHash: string | null }) | undefined> {
  const row = await first(personByName(db, { username: username.toLowerCase() }))
  return row && { ...toPerson(row), passwordHash: row.passwordHash }
}

const passwordOf = query<{ id: string }, { passwordHash: string | null }>((db, p) =>
  db.selectFrom('person').select('password_hash as passwordHash').where('id', '=', p.id),
)
export const findPasswordHash = async (db: Executor, id: string): Promise<string | null> =>
  (await first(passwordOf(db, { id })))?.passwordHash ?? null

const owner = query<object, { id: string }>((db) =>
  db.selectFrom('person').select('id').where('is_owner', '=', 1),
)
export const ownerExists = async (db: Executor): Promise<boolean> => (await owner(db, {})).length > 0

const knownIds = queryByList<string, { id: string }>((db, ids) =>
  db.selectFrom('person').select('id').where('id', 'in', ids),
)
const namesByIds = queryByList<string, { id: string; username: string; displayName: string }>((db, ids) =>
  db.selectFrom('person').select(['id', 'username', 'display_name as displayName']).where('id', 'in', ids),
)
/** How these people are called. */
export const listNames = (db: Executor, ids: readonly string[]) => namesByIds(db, ids)

/** Which of these ids belong to a person. */
export const existingPeople = async (db: Executor, ids: readonly string[]): Promise<Set<string>> =>
  new Set((await knownIds(db, ids)).map((row) => row.id))

export interface NewPerson {
  id: string
  username: string
  displayName: string
  passwordHash: string | null
  roleId: string | null
  preferences: Preferences
  createdAt: string
}

const insert = query<NewPersonRow, { id: string }>((db, p) =>
  db
    .insertInto('person')
    .values({
      id: p.id,
      username: p.username,
      username_folded: p.usernameFolded,
      display_name: p.displayName,
      password_hash: p.passwordHash,
      role_id: p.roleId,
      is_owner: p.isOwner,
      preferences: p.preferences,
      created_at: p.createdAt,
    })
    .returning('id'),
)
interface NewPersonRow extends Omit<NewPerson, 'preferences'> {
  usernameFolded: string
  isOwner: 0 | 1
  preferences: string
}

/** Without a role the person is the owner. A taken name or a second owner violates a unique constraint. */
export async function insertPerson(tx: Executor, person: NewPerson): Promise<void> {
  await insert(tx, {
    ...person,
    usernameFolded: person.username.toLowerCase(),
    isOwner: flag(person.roleId === null),
    preferences: toJson(person.preferences),
  })
  await bumpRevisions(tx, [PEOPLE])
}

const updateName = query<
  { id: string; username: string; usernameFolded: string; displayName: string },
  { id: string }
>((db, p) =>
  db
    .updateTable('person')
    .set({ username: p.username, username_folded: p.usernameFolded, display_name: p.displayName })
    .where('id', '=', p.id)
    .returning('id'),
)
export async function updatePerson(
  tx: Executor,
  id: string,
  names: { username: string; displayName: string },
): Promise<void> {
  await updateName(tx, { id, ...names, usernameFolded: names.username.toLowerCase() })
  await bumpRevisions(tx, [PEOPLE])
}

const setPassword = query<{ id: string; passwordHash: string }, { id: string }>((db, p) =>
  db.updateTable('person').set({ password_hash: p.passwordHash }).where('id', '=', p.id).returning('id'),
)
export const updatePassword = (tx: Executor, id: string, passwordHash: string) =>
  setPassword(tx, { id, passwordHash })

const setRole = query<{ id: string; roleId: string }, { id: string }>((db, p) =>
  db
    .updateTable('person')
    .set({ role_id: p.roleId })
    .where('id', '=', p.id)
    .where('is_owner', '=', 0)
    .returning('id'),
)
/** False for the owner, who never has a role, and for nobody. */
export const updatePersonRole = async (tx: Executor, id: string, roleId: string): Promise<boolean> =>
  (await setRole(tx, { id, roleId })).length > 0

const lockPersonRow = query<{ id: string }, { id: string }>((db, p, engine) =>
  db
    .selectFrom('person')
    .select('id')
    .where('id', '=', p.id)
    .$if(locksRows(engine), (person) => person.forUpdate()),
)
const deletePersonRow = query<{ id: string }, { id: string }>((db, p) =>
  db.deleteFrom('person').where('id', '=', p.id).returning('id'),
)
/**
 * Deletes a person with everything that is theirs alone: keys, sessions, shares, countries, and flights on which
 * nobody else is, not even a guest. The person's place on all other flights goes; those flights stay. False if there
 * is nobody to delete.
 *
 * The person is locked first, so that no flight they are being added to slips through, then their flights, so that
 * the last other passenger does not leave at the same moment.
 */
export async function deletePerson(tx: Executor, id: string): Promise<boolean> {
  if ((await lockPersonRow(tx, { id })).length === 0) return false
  const flights = await lockFlightsOf(tx, id)
  await noteFlightsChanged(tx, flights, [id])
  await deletePersonRow(tx, { id })
  await deleteEmptyFlights(tx, flights)
  await bumpRevisions(tx, [PEOPLE])
  return true
}

/**
 * Lets one transaction at a time change who may do what: what it reads afterwards holds until it commits.
 */
export const lockAuthority = (tx: Executor): Promise<void> => bumpRevisions(tx, [AUTHORITY])

const preferencesOf = query<{ id: string }, { preferences: string }>((db, p) =>
  db.selectFrom('person').select('preferences').where('id', '=', p.id),
)
export async function findPreferences(db: Executor, id: string): Promise<Preferences | undefined> {
  const row = await first(preferencesOf(db, { id }))
  return row && fromJson<Preferences>(row.preferences)
}
const lockedPreferences = query<{ id: string }, { preferences: string }>((db, p) =>
  db
    .updateTable('person')
    .set({ preferences: sql<string>`preferences` })
    .where('id', '=', p.id)
    .returning('preferences'),
)
/** The preferences, which nobody else can change until the transaction ends. */
export async function lockPreferences(tx: Executor, id: string): Promise<Preferences | undefined> {
  const row = await first(lockedPreferences(tx, { id }))
  return row && fromJson<Preferences>(row.preferences)
}
const setPreferences = query<{ id: string; preferences: string }, { id: string }>((db, p) =>
  db.updateTable('person').set({ preferences: p.preferences }).where('id', '=', p.id).returning('id'),
)
export const updatePreferences = (tx: Executor, id: string, preferences: Preferences) =>
  setPreferences(tx, { id, preferences: toJson(preferences) })

// Roles

export interface Role {
  id: string
  name: string
  description: string | null
  permissions: Permission[]
  createdAt: string
  updatedAt: string
  userCount: number
}

const userCount = (eb: ExpressionBuilder<Schema, 'role'>) =>
  eb
    .selectFrom('person')
    .whereRef('person.role_id', '=', 'role.id')
    .select((inner) => inner.fn.countAll<number>().as('n'))
    .as('userCount')

const roleColumns = [
  'role.id',
  'role.name',
  'role.description',
  'role.permissions',
  'role.created_at as createdAt',
  'role.updated_at as updatedAt',
] as const

type RoleRow = Omit<Role, 'permissions' | 'userCount'> & { permissions: string; userCount: number | null }
const toRole = (row: RoleRow): Role => ({
  ...row,
  permissions: fromJson<Permission[]>(row.permissions),
  userCount: Number(row.userCount),
})

const allRoles = query<object, RoleRow>((db) =>
  db
    .selectFrom('role')
    .select([...roleColumns])
    .select(userCount)
    .orderBy('name_folded'),
)
export const listRoles = async (db: Executor): Promise<Role[]> => (await allRoles(db, {})).map(toRole)

const roleById = query<{ id: string }, RoleRow>((db, p) =>
  db
    .selectFrom('role')
    .select([...roleColumns])
    .select(userCount)
    .where('role.id', '=', p.id),
)
export async function findRole(db: Executor, id: string): Promise<Role | undefined> {
  const row = await first(roleById(db, { id }))
  return row && toRole(row)
}

export interface RoleText {
  name: string
  description: string | null
  permissions: readonly Permission[]
}
interface RoleWrite {
  id: string
  name: string
  nameFolded: string
  description: string | null
  permissions: string
  now: string
}
const roleWrite = (id: string, role: RoleText, now: string): RoleWrite => ({
  id,
  name: role.name,
  nameFolded: role.name.normalize('NFC').toLowerCase(),
  description: role.description,
  permissions: toJson(role.permissions),
  now,
})

const insertRoleRow = query<RoleWrite, { id: string }>((db, p) =>
  db
    .insertInto('role')
    .values({
      id: p.id,
      name: p.name,
      name_folded: p.nameFolded,
      description: p.description,
      permissions: p.permissions,
      created_at: p.now,
      updated_at: p.now,
    })
    .returning('id'),
)
/** A name that is taken, ignoring case, violates a unique constraint. */
export const insertRole = (tx: Executor, id: string, role: RoleText, now: string) =>
  insertRoleRow(tx, roleWrite(id, role, now))

const updateRoleRow = query<RoleWrite, { id: string }>((db, p) =>
  db
    .updateTable('role')
    .set({
      name: p.name,
      name_folded: p.nameFolded,
      description: p.description,
      permissions: p.permissions,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .returning('id'),
)
export const updateRole = (tx: Executor, id: string, role: RoleText, now: string) =>
  updateRoleRow(tx, roleWrite(id, role, now))

const deleteRoleRow = query<{ id: string }, { id: string }>((db, p) =>
  db.deleteFrom('role').where('id', '=', p.id).returning('id'),
)
export const deleteRole = (tx: Executor, id: string) => deleteRoleRow(tx, { id })

// API keys

export interface ApiKey {
  id: number
  name: string
  lastFour: string
  scopes: Scope[]
  legacyFormat: 'codes' | 'objects'
  createdAt: string
  lastUsedAt: string | null
}
const apiKeyColumns = [
  'id',
  'name',
  'last_four as lastFour',
  'scopes',
  'legacy_format as legacyFormat',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const
type ApiKeyRow = Omit<ApiKey, 'scopes'> & { scopes: string }
const toApiKey = (row: ApiKeyRow): ApiKey => ({ ...row, scopes: fromJson<Scope[]>(row.scopes) })

const keysOf = query<{ userId: string }, ApiKeyRow>((db, p) =>
  db.selectFrom('api_key').select(apiKeyColumns).where('user_id', '=', p.userId).orderBy('id', 'desc'),
)
export const listApiKeys = async (db: Executor, userId: string): Promise<ApiKey[]> =>
  (await keysOf(db, { userId })).map(toApiKey)

interface NewApiKey {
  userId: string
  name: string
  hash: string
  lastFour: string
  scopes: readonly Scope[]
  legacyFormat: 'codes' | 'objects'
  createdAt: string
}
const insertKeyRow = query<Omit<NewApiKey, 'scopes'> & { scopes: string }, ApiKeyRow>((db, p) =>
  db
    .insertInto('api_key')
    .values({
      user_id: p.userId,
      name: p.name,
      hash: p.hash,
      last_four: p.lastFour,
      scopes: p.scopes,
      legacy_format: p.legacyFormat,
      created_at: p.createdAt,
      last_used_at: null,
    })
    .returning(apiKeyColumns),
)
export async function insertApiKey(tx: Executor, key: NewApiKey): Promise<ApiKey> {
  return toApiKey((await insertKeyRow(tx, { ...key, scopes: toJson(key.scopes) }))[0]!)
}

const deleteKeyRow = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('api_key').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
export const deleteApiKey = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await deleteKeyRow(tx, { userId, id })).length > 0

const deleteKeyByIdRow = query<{ id: number }, { id: number }>((db, p) =>
  db.deleteFrom('api_key').where('id', '=', p.id).returning('id'),
)
/** Whoever it belongs to; for the operator's command line. */
export const deleteApiKeyById = async (tx: Executor, id: number): Promise<boolean> =>
  (await deleteKeyByIdRow(tx, { id })).length > 0

const touchKey = query<{ id: number; now: string }, { id: number }>((db, p) =>
  db.updateTable('api_key').set({ last_used_at: p.now }).where('id', '=', p.id).returning('id'),
)
export const touchApiKey = (tx: Executor, id: number, now: string) => touchKey(tx, { id, now })

// Sessions

export interface Session {
  id: number
  userAgent: string | null
  createdAt: string
  lastSeenAt: string
  expiresAt: string
}
const sessionColumns = [
  'id',
  'user_agent as userAgent',
  'created_at as createdAt',
  'last_seen_at as lastSeenAt',
  'expires_at as expiresAt',
] as const

const sessionsOf = query<{ userId: string; now: string }, Session>((db, p) =>
  db
    .selectFrom('session')
    .select(sessionColumns)
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now)
    .orderBy('last_seen_at', 'desc'),
)
export const listSessions = (db: Executor, userId: string, now: string) => sessionsOf(db, { userId, now })

interface NewSession {
  hash: string
  userId: string
  userAgent: string | null
  now: string
  expiresAt: string
}
const insertSessionRow = query<NewSession, { id: number }>((db, p) =>
  db
    .insertInto('session')
    .values({
      hash: p.hash,
      user_id: p.userId,
      user_agent: p.userAgent,
      created_at: p.now,
      last_seen_at: p.now,
      expires_at: p.expiresAt,
    })
    .returning('id'),
)
export const insertSession = (tx: Executor, session: NewSession) => insertSessionRow(tx, session)

const extend = query<{ id: number; now: string; expiresAt: string }, { id: number }>((db, p) =>
  db
    .updateTable('session')
    .set({ last_seen_at: p.now, expires_at: p.expiresAt })
    .where('id', '=', p.id)
    .returning('id'),
)
export const extendSession = (tx: Executor, id: number, now: string, expiresAt: string) =>
  extend(tx, { id, now, expiresAt })

const deleteSessionRow = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('session').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
export const deleteSession = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await deleteSessionRow(tx, { userId, id })).length > 0

const deleteOthers = query<{ userId: string; keep: number }, { id: number }>((db, p) =>
  db.deleteFrom('session').where('user_id', '=', p.userId).where('id', '!=', p.keep).returning('id'),
)
/** Ends every session of a person but one; 0 keeps none. */
export const deleteSessionsExcept = (tx: Executor, userId: string, keep: number) =>
  deleteOthers(tx, { userId, keep })

const deleteExpired = query<{ now: string }, { id: number }>((db, p) =>
  db.deleteFrom('session').where('expires_at', '<=', p.now).returning('id'),
)
export const deleteExpiredSessions = (tx: Executor, now: string) => deleteExpired(tx, { now })

// Who is calling: one query gives the credential, the person, the current role and the revisions that caches need.

export interface CallerRow {
  credentialId: number
  scopes: string
  legacyFormat: 'codes' | 'objects'
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
}

const revision = (name: string) => sql<number | null>`(select value from revision where name = ${name})`
export const personOfCaller = [
  'person.id as userId',
  'person.username',
  'person.display_name as displayName',
  'person.role_id as roleId',
  'person.is_owner as isOwner',
  'role.name as roleName',
  'role.permissions',
] as const
export const revisionsOfCaller = [
  sql<number | null>`(select value from revision where name = 'flights:' || person.id)`.as('flightsRevision'),
  revision('people').as('peopleRevision'),
  revision('reference').as('referenceRevision'),
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

export type SessionCallerRow = Omit<CallerRow, 'scopes' | 'legacyFormat'> & { expiresAt: string }
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

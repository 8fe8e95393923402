// People and their preferences.
import { sql } from 'kysely'
import type { Permission } from '../../domain/access/access.ts'
import { withoutPerson } from '../../domain/flights/consent.ts'
import { defaultPreferences, type Preferences } from '../../domain/people/preferences.ts'
import { pick } from '../../domain/pick.ts'
import { storedLowerCase } from '../../domain/text/fold.ts'
import { deleteLinksMadeBy } from '../accounts/links.ts'
import { deletePendingSignIns } from '../accounts/one-time.ts'
import { deleteTrustedBrowsersOf } from '../accounts/second-factors.ts'
import { flag, fromJson, isSet, toJson } from '../engine/codecs.ts'
import { locksRows } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryAny, queryByList, queryFirst } from '../engine/query.ts'
import {
  AUTHORITY,
  CONCERNED_AT_MOST,
  incrementNamesOn,
  incrementRevisions,
  PEOPLE,
} from '../engine/revisions.ts'
import { eraseFromLog, eraseUnownedDeletedFlights, listBinOf, moveToBin } from '../flights/bin.ts'
import { listEmptyFlights, listPeopleOn, lockFlightsOf, touchFlights } from '../flights/writes.ts'
import { deleteChangesOf, holdFlightChanges, recordFlightChanges } from '../history/changes.ts'
import { forgetPersonInHistory } from '../history/history.ts'
import { SYSTEM } from '../history/rows.ts'
import { reportRemoval } from './removals.ts'

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
  'person.displayName',
  'person.roleId',
  'person.isOwner',
  'role.name as roleName',
  'role.permissions',
] as const

interface PersonRow extends Omit<Person, 'isOwner' | 'permissions'> {
  isOwner: 0 | 1
  permissions: string | null
}
const toPerson = (row: PersonRow): Person => ({
  ...pick(row, ['id', 'username', 'displayName', 'roleId', 'roleName']),
  isOwner: isSet(row.isOwner),
  permissions: row.permissions ? fromJson<Permission[]>(row.permissions) : [],
})
export const listPeople = query(
  (db) =>
    db
      .selectFrom('person')
      .leftJoin('role', 'role.id', 'person.roleId')
      .select(personColumns)
      .orderBy('person.usernameFolded'),
  toPerson,
)

export const findPerson = queryFirst(
  (db, p: { id: string }) =>
    db
      .selectFrom('person')
      .leftJoin('role', 'role.id', 'person.roleId')
      .select(personColumns)
      .where('person.id', '=', p.id),
  toPerson,
)

/** Used to check the password and the known browsers. */
interface PersonSecrets {
  passwordHash: string | null
  browserKey: string
}
const personByName = query((db, p: { username: string }) =>
  db
    .selectFrom('person')
    .leftJoin('role', 'role.id', 'person.roleId')
    .select([...personColumns, 'person.passwordHash', 'person.browserKey'])
    .where('person.usernameFolded', '=', p.username),
)
/** By user name, ignoring case. */
export async function findPersonByUsername(
  db: Executor,
  username: string,
): Promise<(Person & PersonSecrets) | undefined> {
  const row = await first(personByName(db, { username: username.toLowerCase() }))
  return row && { ...toPerson(row), passwordHash: row.passwordHash, browserKey: row.browserKey }
}
export const findSecretsOf = queryFirst((db, p: { id: string }) =>
  db.selectFrom('person').select(['passwordHash', 'browserKey']).where('id', '=', p.id),
)

export const listSecrets = query((db) => db.selectFrom('person').select(['id', 'passwordHash', 'browserKey']))
/** With a new key, none of the person's browsers is known any more. */
export const updateBrowserKey = query((db, p: { id: string; browserKey: string }) =>
  db.updateTable('person').set({ browserKey: p.browserKey }).where('id', '=', p.id).returning('id'),
)

interface StoredEmail {
  address: string
  /** The person has confirmed the address with a mailed link. */
  isVerified: boolean
}
const emailOf = query((db, p: { id: string }) =>
  db.selectFrom('person').select(['email', 'emailVerified as verified']).where('id', '=', p.id),
)
export async function findEmail(db: Executor, id: string): Promise<StoredEmail | null> {
  const row = await first(emailOf(db, { id }))
  return row?.email == null ? null : { address: row.email, isVerified: isSet(row.verified) }
}
/** The new address is not verified. */
export const updateEmail = query((db, p: { id: string; email: string | null }) =>
  db.updateTable('person').set({ email: p.email, emailVerified: 0 }).where('id', '=', p.id).returning('id'),
)

/** False if the person's address has changed in the meantime. */
export const verifyEmail = queryAny((db, p: { id: string; email: string }) =>
  db
    .updateTable('person')
    .set({ emailVerified: 1 })
    .where('id', '=', p.id)
    .where('email', '=', p.email)
    .returning('id'),
)

const withEmail = query((db) =>
  db.selectFrom('person').select(['id', 'email', 'passwordHash', 'isOwner']).where('email', 'is not', null),
)
/**
 * People with this address in their profiles, ignoring case. Addresses are not unique and prove nothing. Compared here
 * because SQLite only folds the case of ASCII letters.
 */
export const listPeopleWithEmail = async (db: Executor, wanted: string) =>
  (await withEmail(db, {}))
    .filter(({ email }) => email !== null && storedLowerCase(email) === storedLowerCase(wanted))
    .map(({ id, passwordHash, isOwner }) => ({ id, passwordHash, isOwner: isSet(isOwner) }))

const passwordOf = query((db, p: { id: string }) =>
  db.selectFrom('person').select('passwordHash').where('id', '=', p.id),
)
export const findPasswordHash = async (db: Executor, id: string): Promise<string | null> =>
  (await first(passwordOf(db, { id })))?.passwordHash ?? null

const owner = query((db) => db.selectFrom('person').select('id').where('isOwner', '=', 1))
export const findOwnerId = async (db: Executor): Promise<string | undefined> => (await owner(db, {}))[0]?.id
export const ownerExists = async (db: Executor): Promise<boolean> => (await owner(db, {})).length > 0

const knownIds = queryByList((db, ids: string[]) =>
  db.selectFrom('person').select('id').where('id', 'in', ids),
)

export const listNames = queryByList((db, ids: string[]) =>
  db.selectFrom('person').select(['id', 'username', 'displayName']).where('id', 'in', ids),
)

/** Which of these ids belong to a person. */
export const existingPeople = async (db: Executor, ids: readonly string[]): Promise<Set<string>> =>
  new Set((await knownIds(db, ids)).map((row) => row.id))

interface NewPerson {
  id: string
  username: string
  displayName: string
  passwordHash: string | null
  roleId: string | null
  preferences: Preferences
  createdAt: string
  /** An administrator chose the role, so rules do not change it. */
  roleByHand?: boolean
  browserKey?: string
  email?: string | null
  emailVerified?: boolean
}

const insert = query((db, p: NewPersonRow) =>
  db
    .insertInto('person')
    .values({
      id: p.id,
      username: p.username,
      usernameFolded: p.usernameFolded,
      displayName: p.displayName,
      passwordHash: p.passwordHash,
      roleId: p.roleId,
      roleByHand: p.roleByHand,
      browserKey: p.browserKey,
      email: p.email,
      emailVerified: p.emailVerified,
      isOwner: p.isOwner,
      preferences: p.preferences,
      createdAt: p.createdAt,
    })
    .returning('id'),
)
interface NewPersonRow extends Omit<Required<NewPerson>, 'preferences' | 'roleByHand' | 'emailVerified'> {
  usernameFolded: string
  emailVerified: 0 | 1
  roleByHand: 0 | 1
  isOwner: 0 | 1
  preferences: string
}

/** A person without a role is the owner. A name in use or a second owner violates a unique constraint. */
export async function insertPerson(tx: Executor, person: NewPerson): Promise<void> {
  await insert(tx, {
    browserKey: '',
    email: null,
    ...person,
    usernameFolded: person.username.toLowerCase(),
    isOwner: flag(person.roleId === null),
    roleByHand: flag(person.roleByHand ?? true),
    emailVerified: flag(person.emailVerified ?? false),
    preferences: toJson(person.preferences),
  })
  await incrementRevisions(tx, [PEOPLE])
}

const lockPersonRow = query((db, p: { id: string }, engine) =>
  db
    .selectFrom('person')
    .select('id')
    .where('id', '=', p.id)
    .$if(locksRows(engine), (person) => person.forUpdate()),
)

const updateName = query(
  (db, p: { id: string; username: string; usernameFolded: string; displayName: string }) =>
    db
      .updateTable('person')
      .set({ username: p.username, usernameFolded: p.usernameFolded, displayName: p.displayName })
      .where('id', '=', p.id)
      .where((eb) => eb.or([eb('username', '<>', p.username), eb('displayName', '<>', p.displayName)]))
      .returning('id'),
)
const fellowTravellers = query((db, p: { id: string }) =>
  db
    .selectFrom('flightPassenger as own')
    .innerJoin('flightPassenger as other', 'other.flightId', 'own.flightId')
    .select('other.userId')
    .distinct()
    .where('own.userId', '=', p.id)
    .where('other.userId', 'is not', null)
    .limit(CONCERNED_AT_MOST + 1),
)
/**
 * The person is locked first: a transaction that adds them to a flight ends before this one or waits for it, so that no
 * flights show the former name under the new name's revisions.
 */
export async function updatePerson(
  tx: Executor,
  id: string,
  names: { username: string; displayName: string },
): Promise<void> {
  await lockPersonRow(tx, { id })
  const renamed = await updateName(tx, { id, ...names, usernameFolded: names.username.toLowerCase() })
  if (renamed.length === 0) return
  const together = (await fellowTravellers(tx, { id })).flatMap(({ userId }) => userId ?? [])
  await incrementNamesOn(tx, [...together, id], [PEOPLE])
}

const setPassword = query((db, p: { id: string; passwordHash: string }) =>
  db.updateTable('person').set({ passwordHash: p.passwordHash }).where('id', '=', p.id).returning('id'),
)
/** Also revokes what the old password allowed: sign-ins that are waiting for a code, and trusted browsers. */
export async function updatePassword(tx: Executor, id: string, passwordHash: string): Promise<void> {
  await setPassword(tx, { id, passwordHash })
  await deletePendingSignIns(tx, id)
  await deleteTrustedBrowsersOf(tx, { userId: id })
}

const setRole = query((db, p: { id: string; roleId: string; byHand: 0 | 1 }) =>
  db
    .updateTable('person')
    .set({ roleId: p.roleId, roleByHand: p.byHand })
    .where('id', '=', p.id)
    .where('isOwner', '=', 0)
    .returning('id'),
)
/** False for the owner, who never has a role, and for unknown ids. */
export const updatePersonRole = async (
  tx: Executor,
  id: string,
  roleId: string,
  byHand = true,
): Promise<boolean> => (await setRole(tx, { id, roleId, byHand: flag(byHand) })).length > 0

const roleByHand = query((db, p: { id: string }) =>
  db.selectFrom('person').select('roleByHand as byHand').where('id', '=', p.id),
)
/** Whether an administrator chose the person's role, so that rules do not change it. */
export const isRoleByHand = async (db: Executor, id: string): Promise<boolean> =>
  isSet((await first(roleByHand(db, { id })))?.byHand ?? 1)

const holdPersonRow = query((db, p: { id: string }) =>
  db.updateTable('person').set({ id: sql<string>`id` }).where('id', '=', p.id).returning('id'),
)
/**
 * Blocks other transactions that call this for the same person until this one ends. Rows that refer to the person can still
 * be written.
 */
export const lockPerson = async (tx: Executor, id: string): Promise<void> =>
  void (await holdPersonRow(tx, { id }))

const lockImportsOf = query((db, p: { id: string }, engine) =>
  db
    .selectFrom('import')
    .select('id')
    .where('userId', '=', p.id)
    .orderBy('id')
    .$if(locksRows(engine), (found) => found.forUpdate()),
)

const deletePersonRow = query((db, p: { id: string }) =>
  db.deleteFrom('person').where('id', '=', p.id).returning('id'),
)
/**
 * Deletes a person with everything that is only theirs: keys, sessions, shares, countries, and flights without other
 * passengers, including guests. If all remaining users on a flight have not kept it, it is moved to their bin. On other
 * flights, only the person is removed. Flights in the bin that no other user is on are erased. False if there is no such
 * person.
 *
 * The imports are locked first, as by the work on an import, which then adds the person to flights. The person is locked
 * next, so that no concurrent request adds them to a flight, and then their flights, so that the last other passenger cannot
 * leave at the same time.
 */
export async function deletePerson(tx: Executor, id: string, now: string): Promise<boolean> {
  await lockImportsOf(tx, { id })
  if ((await lockPersonRow(tx, { id })).length === 0) return false
  const flights = await lockFlightsOf(tx, { userId: id })
  const deletedFlights = await listBinOf(tx, { userId: id })
  const unkept = await flightsUnkeptWithout(tx, flights, id)
  await deleteLinksMadeBy(tx, { userId: id })
  await deletePersonRow(tx, { id })
  await deleteChangesOf(tx, { viewer: id })
  await forgetPersonInHistory(tx, id)
  await eraseUnownedDeletedFlights(tx, deletedFlights)
  await incrementRevisions(tx, [PEOPLE])
  const held = holdFlightChanges(tx)
  const people = await listPeopleOn(tx, unkept)
  const told = new Map([...people].map(([flightId, on]) => [flightId, on.map(({ userId }) => userId)]))
  await reportRemoval(tx, { how: 'deleted', by: null, now: new Date(now), flights: told })
  const binned = await moveToBin(held.tx, unkept, SYSTEM, new Date(now))
  const erased = await eraseFromLog(tx, await listEmptyFlights(tx, flights))
  const others = new Set(flights).difference(new Set([...binned, ...erased.map((change) => change.id)]))
  // In one call, because a transaction that holds the change counter must not wait for another lock.
  // Without edits, because the removal of a person cannot be undone.
  const touched = await touchFlights(tx, [...others], now, { edits: null })
  await recordFlightChanges(held.tx, [...erased, ...touched], SYSTEM, now)
  await held.record(SYSTEM, now)
  return true
}

async function flightsUnkeptWithout(
  tx: Executor,
  flightIds: readonly number[],
  id: string,
): Promise<number[]> {
  const people = await listPeopleOn(tx, flightIds)
  return flightIds.filter((flightId) => withoutPerson(people.get(flightId) ?? [], id) === 'left alone')
}

/** Serializes transactions that change roles and permissions: what they then read stays true until they commit. */
export const lockAuthority = (tx: Executor): Promise<void> => incrementRevisions(tx, [AUTHORITY])

const preferencesOf = query((db, p: { id: string }) =>
  db.selectFrom('person').select('preferences').where('id', '=', p.id),
)
/** Preferences that are newer than the stored ones have their defaults. */
export async function findPreferences(db: Executor, id: string): Promise<Preferences | undefined> {
  const row = await first(preferencesOf(db, { id }))
  return row && { ...defaultPreferences, ...fromJson<Partial<Preferences>>(row.preferences) }
}
const allPreferences = query((db) => db.selectFrom('person').select(['id', 'preferences']))
/** The home airports that people have chosen; everyone's if `userId` is null. */
export async function listHomeAirports(db: Executor, userId: string | null): Promise<Map<string, number>> {
  const rows =
    userId === null
      ? await allPreferences(db, {})
      : (await preferencesOf(db, { id: userId })).map((row) => ({ id: userId, ...row }))
  return new Map(
    rows.flatMap(({ id, preferences }): [string, number][] => {
      const { homeAirportId } = fromJson<Partial<Preferences>>(preferences)
      return homeAirportId ? [[id, homeAirportId]] : []
    }),
  )
}
/** The preferences, locked until the transaction ends. */
export const lockPreferences = queryFirst(
  (db, p: { id: string }) =>
    db
      .updateTable('person')
      .set({ preferences: sql<string>`preferences` })
      .where('id', '=', p.id)
      .returning('preferences'),
  (row): Preferences => fromJson<Preferences>(row.preferences),
)
const setPreferences = query((db, p: { id: string; preferences: string }) =>
  db.updateTable('person').set({ preferences: p.preferences }).where('id', '=', p.id).returning('id'),
)
export const updatePreferences = (tx: Executor, id: string, preferences: Preferences) =>
  setPreferences(tx, { id, preferences: toJson(preferences) })

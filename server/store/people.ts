// People and their preferences.
import { sql } from 'kysely'
import type { Permission } from '../domain/access.ts'
import { defaultPreferences, type Preferences } from '../domain/preferences.ts'
import { withoutPerson } from '../domain/standing.ts'
import { deleteLinksMadeBy } from './account-links.ts'
import { deleteChangesOf, holdFlightChanges, recordFlightChanges } from './changes.ts'
import { flag, fromJson, isSet, toJson } from './codecs.ts'
import { eraseFromLog, eraseUnownedDeletedFlights, listBinOf, moveToBin } from './deleted-flights.ts'
import { locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { listEmptyFlights, listPeopleOn, lockFlightsOf, touchFlights } from './flight-writes.ts'
import { forgetPersonInHistory } from './history.ts'
import { SYSTEM } from './history-rows.ts'
import { deletePendingSignIns } from './one-time.ts'
import { first, query, queryByList } from './query.ts'
import { reportRemoval } from './removals.ts'
import { AUTHORITY, CONCERNED_AT_MOST, incrementNamesOn, incrementRevisions, PEOPLE } from './revisions.ts'
import { deleteTrustedBrowsersOf } from './second-factors.ts'

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

/** With what its password and its known browsers are checked. */
interface PersonSecrets {
  passwordHash: string | null
  browserKey: string
}
const personByName = query<{ username: string }, PersonRow & PersonSecrets>((db, p) =>
  db
    .selectFrom('person')
    .leftJoin('role', 'role.id', 'person.role_id')
    .select([...personColumns, 'person.password_hash as passwordHash', 'person.browser_key as browserKey'])
    .where('person.username_folded', '=', p.username),
)
/** By user name, ignoring case. */
export async function findPersonByUsername(
  db: Executor,
  username: string,
): Promise<(Person & PersonSecrets) | undefined> {
  const row = await first(personByName(db, { username: username.toLowerCase() }))
  return row && { ...toPerson(row), passwordHash: row.passwordHash, browserKey: row.browserKey }
}

const secretsOf = query<{ id: string }, PersonSecrets>((db, p) =>
  db
    .selectFrom('person')
    .select(['password_hash as passwordHash', 'browser_key as browserKey'])
    .where('id', '=', p.id),
)
export const findSecretsOf = (db: Executor, id: string): Promise<PersonSecrets | undefined> =>
  first(secretsOf(db, { id }))

const everyonesSecrets = query<object, PersonSecrets & { id: string }>((db) =>
  db.selectFrom('person').select(['id', 'password_hash as passwordHash', 'browser_key as browserKey']),
)
export const listSecrets = (db: Executor) => everyonesSecrets(db, {})

const setBrowserKey = query<{ id: string; browserKey: string }, { id: string }>((db, p) =>
  db.updateTable('person').set({ browser_key: p.browserKey }).where('id', '=', p.id).returning('id'),
)
/** No browser is known to the person any more. */
export const updateBrowserKey = (tx: Executor, id: string, browserKey: string) =>
  setBrowserKey(tx, { id, browserKey })

interface StoredEmail {
  address: string
  /** A mailed link has shown that it is the person's. */
  isVerified: boolean
}
const emailOf = query<{ id: string }, { email: string | null; verified: 0 | 1 }>((db, p) =>
  db.selectFrom('person').select(['email', 'email_verified as verified']).where('id', '=', p.id),
)
export async function findEmail(db: Executor, id: string): Promise<StoredEmail | null> {
  const row = await first(emailOf(db, { id }))
  return row?.email == null ? null : { address: row.email, isVerified: isSet(row.verified) }
}

const setEmail = query<{ id: string; email: string | null }, { id: string }>((db, p) =>
  db.updateTable('person').set({ email: p.email, email_verified: 0 }).where('id', '=', p.id).returning('id'),
)
/** It is not verified yet. */
export const updateEmail = (tx: Executor, id: string, email: string | null) => setEmail(tx, { id, email })

const setVerified = query<{ id: string; email: string }, { id: string }>((db, p) =>
  db
    .updateTable('person')
    .set({ email_verified: 1 })
    .where('id', '=', p.id)
    .where('email', '=', p.email)
    .returning('id'),
)
/** False if the person has another address by now. */
export const verifyEmail = async (tx: Executor, id: string, email: string): Promise<boolean> =>
  (await setVerified(tx, { id, email })).length > 0

const withEmail = query<
  object,
  { id: string; email: string | null; passwordHash: string | null; isOwner: 0 | 1 }
>((db) =>
  db
    .selectFrom('person')
    .select(['id', 'email', 'password_hash as passwordHash', 'is_owner as isOwner'])
    .where('email', 'is not', null),
)
const foldedEmail = (email: string): string => email.normalize('NFC').toLowerCase()
/**
 * Those who have it in their profiles, ignoring case: it is not unique, and proves nothing. Compared here, because SQLite
 * knows the capital letters of English only.
 */
export const listPeopleWithEmail = async (db: Executor, wanted: string) =>
  (await withEmail(db, {}))
    .filter(({ email }) => email !== null && foldedEmail(email) === foldedEmail(wanted))
    .map(({ id, passwordHash, isOwner }) => ({ id, passwordHash, isOwner: isSet(isOwner) }))

const passwordOf = query<{ id: string }, { passwordHash: string | null }>((db, p) =>
  db.selectFrom('person').select('password_hash as passwordHash').where('id', '=', p.id),
)
export const findPasswordHash = async (db: Executor, id: string): Promise<string | null> =>
  (await first(passwordOf(db, { id })))?.passwordHash ?? null

const owner = query<object, { id: string }>((db) =>
  db.selectFrom('person').select('id').where('is_owner', '=', 1),
)
export const findOwnerId = async (db: Executor): Promise<string | undefined> => (await owner(db, {}))[0]?.id
export const ownerExists = async (db: Executor): Promise<boolean> => (await owner(db, {})).length > 0

const knownIds = queryByList<string, { id: string }>((db, ids) =>
  db.selectFrom('person').select('id').where('id', 'in', ids),
)
const namesByIds = queryByList<string, { id: string; username: string; displayName: string }>((db, ids) =>
  db.selectFrom('person').select(['id', 'username', 'display_name as displayName']).where('id', 'in', ids),
)
/** The names of these people. */
export const listNames = (db: Executor, ids: readonly string[]) => namesByIds(db, ids)

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
  /** Someone chose the role: no rule changes it. */
  roleByHand?: boolean
  browserKey?: string
  email?: string | null
  emailVerified?: boolean
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
      role_by_hand: p.roleByHand,
      browser_key: p.browserKey,
      email: p.email,
      email_verified: p.emailVerified,
      is_owner: p.isOwner,
      preferences: p.preferences,
      created_at: p.createdAt,
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

/** Without a role the person is the owner. A taken name or a second owner violates a unique constraint. */
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

const lockPersonRow = query<{ id: string }, { id: string }>((db, p, engine) =>
  db
    .selectFrom('person')
    .select('id')
    .where('id', '=', p.id)
    .$if(locksRows(engine), (person) => person.forUpdate()),
)

const updateName = query<
  { id: string; username: string; usernameFolded: string; displayName: string },
  { id: string }
>((db, p) =>
  db
    .updateTable('person')
    .set({ username: p.username, username_folded: p.usernameFolded, display_name: p.displayName })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('username', '<>', p.username), eb('display_name', '<>', p.displayName)]))
    .returning('id'),
)
const fellowTravellers = query<{ id: string }, { userId: string | null }>((db, p) =>
  db
    .selectFrom('flight_passenger as own')
    .innerJoin('flight_passenger as other', 'other.flight_id', 'own.flight_id')
    .select('other.user_id as userId')
    .distinct()
    .where('own.user_id', '=', p.id)
    .where('other.user_id', 'is not', null)
    .limit(CONCERNED_AT_MOST + 1),
)
/**
 * The person is locked first: a transaction that adds them to a flight ends before, or waits, so that no one's flights show
 * the former name under the counters of the new one.
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

const setPassword = query<{ id: string; passwordHash: string }, { id: string }>((db, p) =>
  db.updateTable('person').set({ password_hash: p.passwordHash }).where('id', '=', p.id).returning('id'),
)
/** Ends what was allowed because of the old one: sign-ins that wait for a code, and browsers in which none is asked for. */
export async function updatePassword(tx: Executor, id: string, passwordHash: string): Promise<void> {
  await setPassword(tx, { id, passwordHash })
  await deletePendingSignIns(tx, id)
  await deleteTrustedBrowsersOf(tx, id)
}

const setRole = query<{ id: string; roleId: string; byHand: 0 | 1 }, { id: string }>((db, p) =>
  db
    .updateTable('person')
    .set({ role_id: p.roleId, role_by_hand: p.byHand })
    .where('id', '=', p.id)
    .where('is_owner', '=', 0)
    .returning('id'),
)
/** False for the owner, who never has a role, and for an id that no person has. */
export const updatePersonRole = async (
  tx: Executor,
  id: string,
  roleId: string,
  byHand = true,
): Promise<boolean> => (await setRole(tx, { id, roleId, byHand: flag(byHand) })).length > 0

const roleByHand = query<{ id: string }, { byHand: 0 | 1 }>((db, p) =>
  db.selectFrom('person').select('role_by_hand as byHand').where('id', '=', p.id),
)
/** Whether someone chose the person's role, so that no rule changes it. */
export const isRoleByHand = async (db: Executor, id: string): Promise<boolean> =>
  isSet((await first(roleByHand(db, { id })))?.byHand ?? 1)

const holdPersonRow = query<{ id: string }, { id: string }>((db, p) =>
  db.updateTable('person').set({ id: sql<string>`id` }).where('id', '=', p.id).returning('id'),
)
/**
 * Until this transaction ends, no other one that calls this for the same person goes on. Rows that refer to the person can
 * be written meanwhile.
 */
export const lockPerson = async (tx: Executor, id: string): Promise<void> =>
  void (await holdPersonRow(tx, { id }))

const lockImportsOf = query<{ id: string }, { id: number }>((db, p, engine) =>
  db
    .selectFrom('import')
    .select('id')
    .where('user_id', '=', p.id)
    .orderBy('id')
    .$if(locksRows(engine), (found) => found.forUpdate()),
)

const deletePersonRow = query<{ id: string }, { id: string }>((db, p) =>
  db.deleteFrom('person').where('id', '=', p.id).returning('id'),
)
/**
 * Deletes a person with everything that is theirs alone: keys, sessions, shares, countries, and flights without any
 * other passenger, guests included. Flights on which only people would remain who have not kept them go to their bin. On
 * all other flights only the person's place is deleted. Flights in the bin that no other user is on are erased. False if
 * there is no such person.
 *
 * Their imports are locked first, as by the work on an import, which then adds the person to flights. Then the person, so
 * that no concurrent request does that, and their flights, so that the last other passenger cannot leave at the same time.
 */
export async function deletePerson(tx: Executor, id: string, now: string): Promise<boolean> {
  await lockImportsOf(tx, { id })
  if ((await lockPersonRow(tx, { id })).length === 0) return false
  const flights = await lockFlightsOf(tx, id)
  const deletedFlights = await listBinOf(tx, id)
  const unkept = await flightsUnkeptWithout(tx, flights, id)
  await deleteLinksMadeBy(tx, id)
  await deletePersonRow(tx, { id })
  await deleteChangesOf(tx, id)
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
  // Together: a transaction that holds the counter of changes must not wait for another lock.
  // That someone is gone is nothing that could be put back.
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

/**
 * Lets one transaction at a time change roles and permissions: what it reads afterwards stays true until it commits.
 */
export const lockAuthority = (tx: Executor): Promise<void> => incrementRevisions(tx, [AUTHORITY])

const preferencesOf = query<{ id: string }, { preferences: string }>((db, p) =>
  db.selectFrom('person').select('preferences').where('id', '=', p.id),
)
/** Preferences that did not exist when they were stored have their defaults. */
export async function findPreferences(db: Executor, id: string): Promise<Preferences | undefined> {
  const row = await first(preferencesOf(db, { id }))
  return row && { ...defaultPreferences, ...fromJson<Partial<Preferences>>(row.preferences) }
}
const allPreferences = query<object, { id: string; preferences: string }>((db) =>
  db.selectFrom('person').select(['id', 'preferences']),
)
/** The home airport of one person, or of everyone, where they have chosen one. */
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
const lockedPreferences = query<{ id: string }, { preferences: string }>((db, p) =>
  db
    .updateTable('person')
    .set({ preferences: sql<string>`preferences` })
    .where('id', '=', p.id)
    .returning('preferences'),
)
/** The preferences, which no other transaction can change until this one ends. */
export async function lockPreferences(tx: Executor, id: string): Promise<Preferences | undefined> {
  const row = await first(lockedPreferences(tx, { id }))
  return row && fromJson<Preferences>(row.preferences)
}
const setPreferences = query<{ id: string; preferences: string }, { id: string }>((db, p) =>
  db.updateTable('person').set({ preferences: p.preferences }).where('id', '=', p.id).returning('id'),
)
export const updatePreferences = (tx: Executor, id: string, preferences: Preferences) =>
  setPreferences(tx, { id, preferences: toJson(preferences) })

// From a name to the person whom it means, among those whom the caller may know: the people on the caller's own flights, and with
// `users.directory.read` everyone on this instance. Others are not confirmed: a name of theirs is unknown.
import { credentialMay, type Principal, roleMayUse } from '../auth/principal.ts'
import { handleIn, indexByName, isSelfWord, type NamedPerson, shownPerson } from '../domain/people-names.ts'
import { type Problem, problem } from '../domain/reasons.ts'
import { searchFold } from '../domain/search-text.ts'
import { listCompanions } from '../store/companions.ts'
import { findPersonByUsername, listPeople, type Person } from '../store/people.ts'
import type { Executor } from '../store/store.ts'
import { foundOrUnknown, type Resolution } from './resolution.ts'

/** By user name, ignoring case. */
export const resolvePerson = async (db: Executor, username: string): Promise<Resolution<Person>> =>
  foundOrUnknown(await findPersonByUsername(db, username))

export interface KnownPerson extends NamedPerson {
  /** How many flights the caller has with them, without cancelled ones. */
  flights: number
  /** Of the last of these flights, as far as it is known: `2026-03-02`, `2026-03` or `2026`. */
  lastDate: string | null
}

export interface KnownPeople {
  self: NamedPerson
  /** Those who flew along most are first. */
  others: readonly KnownPerson[]
}

export const mayListUsers = (principal: Principal): boolean =>
  credentialMay(principal, 'users.directory.read') && roleMayUse(principal, 'users.directory.read')

export async function peopleKnownTo({
  db,
  principal,
}: {
  db: Executor
  principal: Principal
}): Promise<KnownPeople> {
  const { id: ownId, displayName: ownName, username: ownUsername } = principal.user
  const companions = await listCompanions(db, ownId)
  const users = mayListUsers(principal) ? await listPeople(db) : []
  const aboard = new Set(companions.map(({ userId }) => userId))
  const others: KnownPerson[] = [
    ...companions.map(
      ({ userId, guestName, username, displayName, flights, lastDate }): KnownPerson => ({
        ...{ userId, name: displayName ?? guestName!, flights, lastDate },
        ...(username !== null && { username }),
      }),
    ),
    ...users
      .filter(({ id }) => id !== ownId && !aboard.has(id))
      .map(({ id, displayName, username }) => ({
        ...{ userId: id, name: displayName, username, flights: 0, lastDate: null },
      })),
  ]
  return {
    self: { userId: ownId, name: ownName, username: ownUsername },
    others: others.toSorted(
      (a, b) => b.flights - a.flights || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    ),
  }
}

/**
 * “me”, a user's id, user name (also `@grace`), name or first name, else the name of a guest, else a family name. `companions` leaves the caller
 * out, who may share a first name with one of them.
 */
export function resolvePersonName(
  { self, others }: KnownPeople,
  text: string,
  among: 'everyone' | 'companions' = 'everyone',
): Resolution<NamedPerson> {
  if (isSelfWord(text)) return { outcome: 'found', record: self }
  const people: readonly NamedPerson[] = among === 'companions' ? others : [self, ...others]
  const sure = people.find((person) => isExactly(person, text.trim()))
  if (sure) return { outcome: 'found', record: sure }
  const named = indexByName(people).get(searchFold(text)) ?? []
  const best = named.filter(({ rank }) => rank === named[0]!.rank).map(({ person }) => person)
  const different = withoutSpellings(best.length > 0 ? best : havingFamilyName(people, text))
  if (different.length > 1) return { outcome: 'ambiguous', candidates: different, by: 'name' }
  return foundOrUnknown(different[0] ?? people.find(({ name }) => name === text.trim()))
}

/** Its id, its user name as it is written, or in any case after `@`: these belong to one user only. `Grace` is rather a name. */
const isExactly = ({ userId, username }: NamedPerson, text: string): boolean =>
  userId !== null &&
  (userId === text ||
    username === text ||
    (handleIn(text) !== undefined && username?.toLowerCase() === handleIn(text)!.toLowerCase()))

/** Only where nobody else is called so. Not in a line of text, where it may be any word. */
function havingFamilyName(people: readonly NamedPerson[], text: string): NamedPerson[] {
  const wanted = searchFold(text)
  return people.filter(({ name }) => {
    const [, ...rest] = searchFold(name).split(' ')
    return rest.length > 0 && (rest.at(-1) === wanted || rest.join(' ') === wanted)
  })
}

/** A guest whose name is written in two ways is one guest; the usual way is first. */
function withoutSpellings(people: readonly NamedPerson[]): NamedPerson[] {
  const seen = new Set<string>()
  return people.filter(({ userId, name }) => {
    const key = userId ?? `guest ${searchFold(name)}`
    return !seen.has(key) && seen.add(key)
  })
}

const CANDIDATES_SHOWN = 5
const KNOWN_SHOWN = 20

/** What is wrong with a name, for callers that need one person. */
export const nameProblem = (
  { self, others }: KnownPeople,
  text: string,
  resolution: Exclude<Resolution<NamedPerson>, { outcome: 'found' }>,
): Problem =>
  resolution.outcome === 'ambiguous'
    ? problem('person_ambiguous', {
        text,
        candidates: resolution.candidates.slice(0, CANDIDATES_SHOWN).map(shownPerson),
        more: resolution.candidates.length > CANDIDATES_SHOWN,
      })
    : problem('no_person_matches', { text, known: [self, ...others].slice(0, KNOWN_SHOWN).map(shownPerson) })

// From a name to the person whom it means, among those whom the caller may know: the people on the caller's own flights, and with
// `users.directory.read` everyone on this instance. Others are not confirmed: a name of theirs is unknown.
import { credentialMay, type Principal, roleMayUse } from '../auth/principal.ts'
import {
  fitOf,
  guestIn,
  handleIn,
  isSelfWord,
  type NamedPerson,
  resembles,
  shownCandidate,
  shownPerson,
} from '../domain/people-names.ts'
import { type Problem, problem } from '../domain/reasons.ts'
import { searchFold } from '../domain/search-text.ts'
import { listCompanions } from '../store/companions.ts'
import { findPersonByUsername, listPeople, type Person } from '../store/people.ts'
import type { Executor } from '../store/store.ts'
import { foundOrUnknown, type Resolution } from './resolution.ts'

/** By user name, ignoring case. */
export const resolvePerson = async (db: Executor, username: string): Promise<Resolution<Person>> =>
  foundOrUnknown(await findPersonByUsername(db, username))

interface KnownPerson extends NamedPerson {
  /** How many flights the caller has with them, without cancelled ones. */
  flights: number
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
      ({ userId, guestName, username, displayName, flights }): KnownPerson => ({
        ...{ userId, name: displayName ?? guestName!, flights },
        ...(username !== null && { username }),
      }),
    ),
    ...users
      .filter(({ id }) => id !== ownId && !aboard.has(id))
      .map(({ id, displayName, username }) => ({
        ...{ userId: id, name: displayName, username, flights: 0 },
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
 * “me”, a user's id, `@grace`, a user name, a name, a first or a last name; `Grace (guest)` is a guest only. No one is chosen
 * for flying along often: of several, a whole name is surer than a part of one, and nothing else is. `companions` leaves the
 * caller out, who may share a name with one of them.
 */
export function resolvePersonName(
  { self, others }: KnownPeople,
  text: string,
  among: 'everyone' | 'companions' = 'everyone',
): Resolution<NamedPerson> {
  if (isSelfWord(text)) return { outcome: 'found', record: self }
  const people: readonly NamedPerson[] = among === 'companions' ? others : [self, ...others]
  const guest = guestIn(text)
  const sure = people.find((person) => isExactly(person, text.trim()))
  if (sure) return { outcome: 'found', record: sure }
  const meant =
    guest === undefined
      ? peopleCalled(people, text)
      : peopleCalled(
          people.filter(({ userId }) => userId === null),
          guest,
        )
  if (meant.length > 1) return { outcome: 'ambiguous', candidates: meant, by: 'name' }
  const exact = people.find(
    ({ name, userId }) => name === (guest ?? text.trim()) && (!guest || userId === null),
  )
  return foundOrUnknown(meant[0] ?? exact)
}

/** An id or a user name with its `@`: these belong to one user only. */
const isExactly = ({ userId, username }: NamedPerson, text: string): boolean =>
  userId !== null && (userId === text || username?.toLowerCase() === handleIn(text)?.toLowerCase())

/** A user name without its `@` may be a first name as well. */
function peopleCalled(people: readonly NamedPerson[], text: string): NamedPerson[] {
  const folded = searchFold(text)
  const login = text.trim().toLowerCase()
  const meant = withoutSpellings([
    ...people.filter(({ username }) => username?.toLowerCase() === login),
    ...surest(
      people.filter((person) => fitOf(person, folded) !== undefined),
      folded,
    ),
  ])
  if (meant.length > 0 || folded === '') return meant
  return people.filter(({ username }) => username !== undefined && searchFold(username) === folded)
}

/** A user's whole name stands for that user. A guest's may be the first name of a user, who would then become a guest. */
function surest(fitting: readonly NamedPerson[], folded: string): readonly NamedPerson[] {
  const whole = fitting.filter((person) => fitOf(person, folded) === 'whole')
  const users = whole.filter(({ userId }) => userId !== null)
  if (users.length > 0) return users
  const rivals = fitting.filter(({ userId }) => userId !== null)
  return whole.length > 0
    ? [...rivals, ...whole]
    : [...rivals, ...fitting.filter(({ userId }) => userId === null)]
}

/** A guest whose name is written in two ways is one guest; the usual way is first. */
function withoutSpellings(people: readonly NamedPerson[]): NamedPerson[] {
  const seen = new Set<string>()
  return people.filter(({ userId, name }) => {
    const key = userId ?? `guest ${searchFold(name)}`
    return !seen.has(key) && seen.add(key)
  })
}

/** Whom an unknown name resembles. */
export const nearPeople = ({ self, others }: KnownPeople, text: string): NamedPerson[] => {
  const folded = searchFold(text)
  return withoutSpellings([...others, self].filter((person) => resembles(person, folded))).slice(
    0,
    NEAR_SHOWN,
  )
}

const NEAR_SHOWN = 3
const CANDIDATES_SHOWN = 5
const KNOWN_SHOWN = 20

/** What is wrong with a name, for callers that need one person. */
export const nameProblem = (
  known: KnownPeople,
  text: string,
  resolution: Exclude<Resolution<NamedPerson>, { outcome: 'found' }>,
): Problem =>
  resolution.outcome === 'ambiguous'
    ? problem('person_ambiguous', {
        text,
        candidates: resolution.candidates.slice(0, CANDIDATES_SHOWN).map(shownCandidate),
        more: resolution.candidates.length > CANDIDATES_SHOWN,
      })
    : problem('no_person_matches', {
        text,
        near: nearPeople(known, text).map(shownPerson),
        known: [known.self, ...known.others].slice(0, KNOWN_SHOWN).map(shownPerson),
      })

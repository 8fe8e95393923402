// Finds the person that a name means among the people whom the caller may know: those on the caller's own flights and, with
// `users.directory.read`, everyone on this instance. The names of others are reported as unknown, so that their existence is not
// revealed.

import {
  fitOf,
  guestIn,
  handleIn,
  isSelfWord,
  type NamedPerson,
  resembles,
  shownCandidate,
  shownPerson,
} from '../../../domain/people/names.ts'
import { type Problem, problem } from '../../../domain/reasons.ts'
import { foundOrUnknown, type Resolution } from '../../../domain/reference/resolution.ts'
import { plainSpellings, searchFold } from '../../../domain/text/fold.ts'
import { listCompanions } from '../../../store/flights/companions.ts'
import { findPersonByUsername, listPeople, type Person } from '../../../store/people/people.ts'
import type { Executor } from '../../../store/store.ts'
import { credentialMay, type Principal, roleMayUse } from '../../access/principal.ts'

/** By user name, ignoring case. */
export const resolvePerson = async (db: Executor, username: string): Promise<Resolution<Person>> =>
  foundOrUnknown(await findPersonByUsername(db, username))

interface KnownPerson extends NamedPerson {
  /** How many flights the caller shares with them, without cancelled ones. */
  flights: number
}

export interface KnownPeople {
  self: NamedPerson
  /** Most shared flights first. */
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
  const companions = await listCompanions(db, { userId: ownId })
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
 * Accepts “me”, a user's id, `@grace`, a user name, a name, a first or a last name; `Grace (guest)` only matches guests. If
 * several people match, a whole name is preferred to a part of one; the number of shared flights does not decide.
 * `companions` excludes the caller, who may share a name with one of them.
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
  const guests = people.filter(({ userId }) => userId === null)
  const exact = (guest === undefined ? people : guests).find(({ name }) => name === (guest ?? text.trim()))
  // An unknown user name is not tried as a name. An exact guest name is certain.
  if (handleIn(text) !== undefined || (guest !== undefined && exact)) return foundOrUnknown(exact)
  const meant = guest === undefined ? peopleCalled(people, text) : peopleCalled(guests, guest)
  if (meant.length > 1) return { outcome: 'ambiguous', candidates: meant, by: 'name' }
  return foundOrUnknown(meant[0] ?? exact)
}

/** An id or a user name with `@` identifies one user. */
const isExactly = ({ userId, username }: NamedPerson, text: string): boolean =>
  userId !== null && (userId === text || username?.toLowerCase() === handleIn(text)?.toLowerCase())

/** A user name without `@` may also be a first name. */
function peopleCalled(people: readonly NamedPerson[], text: string): NamedPerson[] {
  const login = text.trim().toLowerCase()
  const meant = withoutSpellings([
    ...people.filter(({ username }) => username?.toLowerCase() === login),
    ...surest(
      people.filter((person) => fitOf(person, text) !== undefined),
      text,
    ),
  ])
  const [words] = plainSpellings(text)
  if (meant.length > 0 || words === '') return meant
  return people.filter(({ username }) => username !== undefined && plainSpellings(username)[0] === words)
}

/**
 * A user's whole name means that user. A guest's whole name may also be the first name of a user, who would then be added as a
 * guest, so such users match too.
 */
function surest(fitting: readonly NamedPerson[], text: string): readonly NamedPerson[] {
  const whole = fitting.filter((person) => fitOf(person, text) === 'whole')
  const users = whole.filter(({ userId }) => userId !== null)
  if (users.length > 0) return users
  const rivals = fitting.filter(({ userId }) => userId !== null)
  return whole.length > 0
    ? [...rivals, ...whole]
    : [...rivals, ...fitting.filter(({ userId }) => userId === null)]
}

/** Different spellings of a guest's name are one guest; the most common spelling comes first. */
function withoutSpellings(people: readonly NamedPerson[]): NamedPerson[] {
  const seen = new Set<string>()
  return people.filter(({ userId, name }) => {
    const key = userId ?? `guest ${plainSpellings(name).at(-1)}`
    return !seen.has(key) && seen.add(key)
  })
}

/** People with a name similar to an unknown one. */
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

/** The problem with a name, for callers that need exactly one person. */
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

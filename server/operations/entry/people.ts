// Finds a person on a flight by name: a user or guest whom the caller may know, or else a new guest.
import { invalidField } from '../../base/errors.ts'
import { fitOf, guestIn, handleIn, shownPerson } from '../../domain/people/names.ts'
import { type Problem, problem } from '../../domain/reasons.ts'
import {
  type KnownPeople,
  nameProblem,
  nearPeople,
  resolvePersonName,
} from '../../services/reference/resolve/people.ts'
import type { Words } from '../reference/named.ts'

/** How a flight identifies a passenger. */
export type Named = { userId: string } | { guestName: string }

/** Undefined if the name is ambiguous; the problem is collected. */
export function personNamed(
  words: Pick<Words, 'warnings' | 'problems'>,
  path: (string | number)[],
  name: string,
  people: KnownPeople,
): Named | undefined {
  const resolution = resolvePersonName(people, name, 'companions')
  const wrong = resolution.outcome === 'found' ? undefined : problemWith(people, name, resolution)
  if (wrong) words.problems.push(invalidField(path, wrong))
  if (resolution.outcome !== 'found') return wrong ? undefined : newGuest(words, guestIn(name) ?? name)
  const { userId, name: known } = resolution.record
  const said = guestIn(name) ?? name
  if (known !== said && fitOf(resolution.record, said) !== 'whole')
    words.warnings.push({
      code: 'person_by_name',
      message: `“${name}” was taken as ${shownPerson(resolution.record)}.`,
    })
  return userId === null ? { guestName: known } : { userId }
}

/** Why a name that matches no single companion is not a new guest's either. */
function problemWith(
  people: KnownPeople,
  name: string,
  resolution: Exclude<ReturnType<typeof resolvePersonName>, { outcome: 'found' }>,
): Problem | undefined {
  if (resolution.outcome === 'ambiguous') return nameProblem(people, name, resolution)
  if (guestIn(name) !== undefined) return undefined
  if (resolvePersonName({ self: people.self, others: [] }, name).outcome === 'found')
    return problem('person_is_you', { text: name })
  if (handleIn(name) !== undefined) return nameProblem(people, name, resolution)
  const near = nearPeople(people, name).map(shownPerson)
  return near.length > 0 ? problem('person_nearly_matches', { text: name, near }) : undefined
}

function newGuest({ warnings }: Pick<Words, 'warnings'>, guestName: string): Named {
  warnings.push({
    code: 'guest_added',
    message: `“${guestName}” is none of the people you fly with or may see here; added as a guest.`,
  })
  return { guestName }
}

// A person on a flight, by name: a user or a guest whom the caller may know, else a new guest.
import { invalidField } from '../base/errors.ts'
import { guestIn, shownPerson } from '../domain/people-names.ts'
import { problem } from '../domain/reasons.ts'
import { searchFold } from '../domain/search-text.ts'
import { type KnownPeople, nameProblem, nearPeople, resolvePersonName } from '../resolve/people.ts'
import type { Words } from './spoken-words.ts'

/** How a flight names a passenger. */
export type Named = { userId: string } | { guestName: string }

/** Undefined if several may be meant or someone else may be, which is collected. */
export function personNamed(
  words: Pick<Words, 'warnings' | 'problems'>,
  path: (string | number)[],
  name: string,
  people: KnownPeople,
): Named | undefined {
  const resolution = resolvePersonName(people, name, 'companions')
  if (resolution.outcome === 'ambiguous') {
    words.problems.push(invalidField(path, nameProblem(people, name, resolution)))
    return undefined
  }
  if (resolution.outcome === 'unknown') {
    const near = guestIn(name) === undefined ? nearPeople(people, name) : []
    if (near.length > 0) {
      const shown = near.map(shownPerson)
      words.problems.push(invalidField(path, problem('person_nearly_matches', { text: name, near: shown })))
      return undefined
    }
    return newGuest(words, guestIn(name) ?? name)
  }
  const { userId, name: known } = resolution.record
  if (searchFold(known) !== searchFold(guestIn(name) ?? name))
    words.warnings.push({
      code: 'person_by_name',
      message: `“${name}” was taken as ${shownPerson(resolution.record)}.`,
    })
  return userId === null ? { guestName: known } : { userId }
}

function newGuest({ warnings }: Pick<Words, 'warnings'>, guestName: string): Named {
  warnings.push({
    code: 'guest_added',
    message: `“${guestName}” is none of the people you fly with or may see here; added as a guest.`,
  })
  return { guestName }
}

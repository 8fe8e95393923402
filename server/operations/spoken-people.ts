// A person on a flight, by name: a user or a guest whom the caller may know, else a new guest.
import { invalidField } from '../base/errors.ts'
import { shownPerson } from '../domain/people-names.ts'
import { searchFold } from '../domain/search-text.ts'
import { nearestName } from '../domain/spelling.ts'
import { type KnownPeople, nameProblem, resolvePersonName } from '../resolve/people.ts'
import type { Words } from './spoken-words.ts'

/** How a flight names a passenger. */
export type Named = { userId: string } | { guestName: string }

/** A misspelt name must not stay a guest unseen. */
function nearly(name: string, { others }: KnownPeople): string {
  const near = nearestName(
    name,
    others.map((person) => person.name),
  )
  const person = others.find((one) => one.name === near)
  return person ? ` Did you mean ${shownPerson(person)}?` : ''
}

/** Undefined if several may be meant, which is collected. */
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
    words.warnings.push({
      code: 'guest_added',
      message: `“${name}” is none of the people you fly with or may see here; added as a guest.${nearly(name, people)}`,
    })
    return { guestName: name }
  }
  const { userId, name: known } = resolution.record
  if (userId === null) return { guestName: known }
  if (searchFold(known) !== searchFold(name))
    words.warnings.push({
      code: 'person_by_name',
      message: `“${name}” was taken as ${shownPerson(resolution.record)}.`,
    })
  return { userId }
}

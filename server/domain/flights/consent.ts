// Whether a person has agreed to a flight in their log. People who logged it themselves, or were added and kept it, are
// confirmed; those who were added and have not decided yet are pending. A flight is never left with pending people only.

export interface Standing {
  /** Who added this person; null if they added themselves, for guests, and for flights logged before this was recorded. */
  addedBy: string | null
  keptAt: string | null
}
/** A person with an account on a flight. Guests have no log. */
export interface PersonOnFlight extends Standing {
  userId: string
}

export const byRight: Standing = { addedBy: null, keptAt: null }

export const isPending = ({ addedBy, keptAt }: Standing): boolean => addedBy !== null && keptAt === null

/** The passengers who have an account. */
export const peopleOn = (passengers: readonly (Standing & { userId: string | null })[]): PersonOnFlight[] =>
  passengers.flatMap(({ userId, addedBy, keptAt }) => (userId === null ? [] : [{ userId, addedBy, keptAt }]))

/** Found by person, not by record: two people may swap records. */
export function standingOf(
  userId: string | null,
  before: readonly PersonOnFlight[],
  callerId: string,
): Standing {
  const known = before.find((person) => person.userId === userId)
  if (known) return { addedBy: known.addedBy, keptAt: known.keptAt }
  return userId === null || userId === callerId ? byRight : { addedBy: callerId, keptAt: null }
}

/**
 * The people whom a change by the caller would leave on a flight with pending people only: everyone who remains, if all
 * are pending and the change removes the last confirmed person, or removes the caller who added all of them. An
 * administrator who logged a flight for others was never on it, and may still correct its passengers.
 */
export function leftAlone(
  before: readonly PersonOnFlight[],
  after: readonly PersonOnFlight[],
  callerId: string,
): readonly PersonOnFlight[] {
  if (!after.every(isPending)) return []
  const someoneStood = before.some((person) => !isPending(person))
  const callerWasOn = before.some(({ userId }) => userId === callerId)
  const allByCaller = after.every(({ addedBy }) => addedBy === callerId)
  return someoneStood || (callerWasOn && allByCaller) ? after : []
}

/** Whether deleting a flight only removes this person from it: they were added, have not kept it, and others stay on it. */
export const deletesByLeaving = (people: readonly PersonOnFlight[], userId: string): boolean =>
  people.some((person) => person.userId === userId && isPending(person)) &&
  withoutPerson(people, userId) === 'stays'

/** The flight after a person leaves it: others keep it, only pending people are left, or it is empty. */
export function withoutPerson(before: readonly PersonOnFlight[], userId: string) {
  const remaining = before.filter((person) => person.userId !== userId)
  if (remaining.length === 0) return 'empty'
  return leftAlone(before, remaining, userId).length > 0 ? 'left alone' : 'stays'
}

// Which person a name means: one rule for a line of text, for companions and for filters.
import { plainSpellings, searchFold } from '../text/fold.ts'
import { editsBetween } from '../text/spelling.ts'

export interface NamedPerson {
  /** null: a guest, who only has a name. */
  userId: string | null
  name: string
  /** People can also be found by user name. */
  username?: string
}

/** How certainly a name means a person: users before guests, full names before first names. */
const ranks = { user: 0, firstNameOfUser: 1, guest: 2, firstNameOfGuest: 3 } as const
type Rank = (typeof ranks)[keyof typeof ranks]

interface Meant<Person> {
  person: Person
  rank: Rank
}

/** By full name, user name and first name, in all plain spellings. The most certain first, otherwise in the given order. */
export function indexByName<Person extends NamedPerson>(
  people: readonly Person[],
): Map<string, Meant<Person>[]> {
  const index = new Map<string, Meant<Person>[]>()
  for (const person of people)
    for (const [name, rank] of namesOf(person)) {
      const list = index.get(name) ?? []
      if (list.length === 0) index.set(name, list)
      list.push({ person, rank })
    }
  for (const list of index.values()) list.sort((a, b) => a.rank - b.rank)
  return index
}

function namesOf({ userId, name, username }: NamedPerson): Map<string, Rank> {
  const isUser = userId !== null
  const whole = isUser ? ranks.user : ranks.guest
  const spellings = plainSpellings(name)
  // A user name that equals the first name is no more certain: two people may be called Grace.
  const names = new Map<string, Rank>([
    ...plainSpellings(username ?? '').map((login): [string, Rank] => [login, whole]),
    ...spellings.map((full): [string, Rank] => [
      full.split(' ')[0]!,
      isUser ? ranks.firstNameOfUser : ranks.firstNameOfGuest,
    ]),
    ...spellings.map((full): [string, Rank] => [full, whole]),
  ])
  names.delete('')
  return names
}

/** The people that an index lists under a name. */
export const namedIn = <People>(index: ReadonlyMap<string, People>, name: string): People | undefined =>
  plainSpellings(name)
    .map((spelling) => index.get(spelling))
    .find((people) => people !== undefined)

/** How a name fits a person: as the full name, or as the first or last names only. All letters count. */
export function fitOf({ name }: NamedPerson, text: string): 'whole' | 'part' | undefined {
  const wholes = plainSpellings(name)
  const given = plainSpellings(text).filter((spelling) => spelling !== '')
  if (given.some((spelling) => wholes.includes(spelling))) return 'whole'
  const parts = wholes.flatMap(partsOf)
  return given.some((spelling) => parts.includes(spelling)) ? 'part' : undefined
}

/** For `grace van berg`: `grace`, `van berg` and `berg`. */
function partsOf(folded: string): string[] {
  const words = folded.split(' ')
  return words.length === 1 ? [] : [words[0]!, words.slice(1).join(' '), words.at(-1)!]
}

/** Whether a name is probably a person's, misspelt, shortened or reversed. Only for a question, never for a decision. */
export function resembles({ name, username }: NamedPerson, folded: string): boolean {
  const whole = searchFold(name)
  const [given, words] = [folded.split(' '), whole.split(' ')]
  if (given.length > 1 && words.length > 1) {
    const isTurned = given.toSorted().join(' ') === words.toSorted().join(' ')
    const hasSameEnds = given[0] === words[0] && given.at(-1) === words.at(-1)
    const isShort =
      given.length === words.length &&
      given.every((word, i) => words[i]!.startsWith(word) || (i > 0 && word.startsWith(words[i]!)))
    if (isTurned || hasSameEnds || isShort) return true
  }
  const login = searchFold(username ?? '')
  if (folded !== '' && [whole, ...partsOf(whole), login].includes(folded)) return true
  const known = [whole, ...(given.length === 1 ? partsOf(whole) : []), login]
  return known.some((text) => isMisspelt(text, folded))
}

/** One wrong letter in a name of five, two in a name of nine: shorter names differ that little. Numbers are never typos. */
function isMisspelt(name: string, folded: string): boolean {
  const length = Math.min(name.length, folded.length)
  const edits = length >= 9 ? 2 : 1
  // Most names differ more in length and need no closer look.
  const isLike = length >= 5 && Math.abs(name.length - folded.length) <= edits
  return isLike && digitsIn(name) === digitsIn(folded) && editsBetween(name, folded) <= edits
}
const digitsIn = (text: string): string => text.replace(/\P{N}/gu, '')

const guestMark = /\s*\(guest\)$/i

/** The name in `Grace (guest)`, which is how candidates are written: a guest, even if a user has this name. */
export const guestIn = (text: string): string | undefined =>
  guestMark.test(text.trim()) ? text.trim().replace(guestMark, '') : undefined

const selfWords = new Set(['me', 'i', 'myself', 'ich', 'mich', 'mir'])

/** “me”, “ich”: the person who speaks. */
export const isSelfWord = (text: string): boolean => selfWords.has(text.trim().toLowerCase())

/** The user name in `@grace` or `Grace Hopper (@grace)`, which is how candidates are written. */
export const handleIn = (text: string): string | undefined =>
  /(?:^|[\s(])@([A-Za-z0-9._-]+)\)?$/.exec(text.trim())?.[1]

/** A person in messages; the user name distinguishes people with the same name. */
export const shownPerson = ({ name, username }: NamedPerson): string =>
  username === undefined ? name : `${name} (@${username})`

/** A person in a list of candidates; the text is understood when it is sent back. */
export const shownCandidate = (person: NamedPerson): string =>
  person.userId === null ? `${person.name} (guest)` : shownPerson(person)

// Which person a name means: one rule for a line of text, for companions and for filters.
import { searchFold } from './search-text.ts'

export interface NamedPerson {
  /** null: a guest, who has only a name. */
  userId: string | null
  name: string
  /** Also found by it. */
  username?: string
}

/** How surely a name means a person: users before guests, whole names before first names. */
const ranks = { user: 0, firstNameOfUser: 1, guest: 2, firstNameOfGuest: 3 } as const
type Rank = (typeof ranks)[keyof typeof ranks]

interface Meant<Person> {
  person: Person
  rank: Rank
}

/** By folded full name, user name and first name. The surest are first, else in the order given. */
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
  const full = searchFold(name)
  // A user name that is a first name says no more than it: two people may be called Grace.
  const names = new Map<string, Rank>([
    [searchFold(username ?? ''), whole],
    [full.split(' ')[0]!, isUser ? ranks.firstNameOfUser : ranks.firstNameOfGuest],
    [full, whole],
  ])
  names.delete('')
  return names
}

const selfWords = new Set(['me', 'i', 'myself', 'ich', 'mich', 'mir'])

/** “me”, “ich”: the person who speaks. */
export const isSelfWord = (text: string): boolean => selfWords.has(text.trim().toLowerCase())

/** `@grace`, and `Grace Hopper (@grace)`, as candidates are written. */
export const handleIn = (text: string): string | undefined =>
  /(?:^|[\s(])@([A-Za-z0-9._-]+)\)?$/.exec(text.trim())?.[1]

/** As messages write a person: the user name tells two of one name apart. */
export const shownPerson = ({ name, username }: NamedPerson): string =>
  username === undefined ? name : `${name} (@${username})`

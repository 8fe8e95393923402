// Finds the names of places that are similar to a typed text. Transposed letters are one edit.
import { searchFold } from '../../text/fold.ts'
import { collectNearWords, nearWordsIn } from '../../text/near-misses.ts'

/** Folded names close to a folded text, the nearest and most important first. */
export type NearNames = (folded: string) => readonly string[]

export const SHORTEST = 5
/** Names up to this length may differ by one edit, longer ones by two. */
const SHORT = 7
/** Very small places are not suggested: a misspelt word seldom means one. */
const LEAST_SIZE = 30
const OFFERED = 3

/** Aliases in fifty languages are similar to many words if they are short. */
const SHORTEST_OTHER = 7

interface Named {
  size: number
  city: string | null
}

/** Prepared when a word is misspelt for the first time: most lines have none. */
export function createNearNames(byName: ReadonlyMap<string, readonly Named[]>): NearNames {
  let near: NearNames | undefined
  return (folded) => {
    near ??= collectNames(byName)
    return near(folded)
  }
}

function collectNames(byName: ReadonlyMap<string, readonly Named[]>): NearNames {
  const names = new Map<string, string>()
  const builder = collectNearWords()
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
  const bySize = [...byName].filter(isEligible).toSorted((a, b) => b[1][0]!.size - a[1][0]!.size)
  bySize.forEach(([name], row) => {
    const joined = name.replaceAll(' ', '')
    if (names.has(joined)) return
    names.set(joined, name)
    builder.add(encoder.encode(joined), row)
  })
  const words = nearWordsIn(builder.done(), {
    editsAllowed: (length) => (length < SHORTEST ? 0 : length <= SHORT ? 1 : 2),
    isBegun: false,
  })
  return (folded) =>
    words
      .find(encoder.encode(folded.replaceAll(' ', '')), OFFERED)
      .flatMap((word) => names.get(decoder.decode(word)) ?? [])
}

function isEligible([name, called]: [string, readonly Named[]]): boolean {
  if (called[0]!.size < LEAST_SIZE || name.length < SHORTEST) return false
  if (name.length >= SHORTEST_OTHER) return true
  // Folding is slow, and few names begin with the same letter.
  const isLike = (city: string) => city.length < name.length + 3 && city[0]!.toLowerCase() === name[0]
  return called.some(({ city }) => city && isLike(city) && searchFold(city) === name)
}

// Misspelt names: finds the known name that was probably meant, and lists the known ones in a sentence.

const NAMES_SHOWN = 40
const CHARACTERS_SHOWN = 60

/** The known name closest to a misspelt one, or undefined if none is close. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const plain = (name: string) =>
    name
      .slice(0, CHARACTERS_SHOWN)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
  const wrong = plain(given)
  const isClose = (name: string) => name.length >= 4 && wrong.length >= 4
  const rules: ((name: string) => boolean)[] = [
    (name) => name === wrong,
    (name) => isClose(name) && (wrong.startsWith(name) || name.startsWith(wrong)),
    (name) => isClose(name) && editsBetween(name, wrong) <= 2,
  ]
  for (const rule of rules) {
    const found = known.find((name) => rule(plain(name)))
    if (found !== undefined) return found
  }
  return undefined
}

/** `“x”. Did you mean y? Known: y, z`, the end of a sentence such as “There is no field …”. */
export function namesSentence(
  given: string,
  known: readonly string[],
  near: string | undefined = nearestName(given, known),
): string {
  const quoted = given.length > CHARACTERS_SHOWN ? `${given.slice(0, CHARACTERS_SHOWN)}…` : given
  const listed = known.slice(0, NAMES_SHOWN).join(', ') + (known.length > NAMES_SHOWN ? ', …' : '')
  return `“${quoted}”.${near === undefined ? '' : ` Did you mean ${near}?`} ${listed ? `Known: ${listed}` : 'There are none'}`
}

/** The edit distance: how many characters must be added, removed or replaced to turn one text into the other. */
export function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}

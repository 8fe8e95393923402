// Prepares texts written by people for use inside our own texts: on one line, and not too long. No I/O.

/** A line break in a name would look like the start of another line. */
export const oneLine = (text: string): string => text.replace(/[\s\u0085]+/g, ' ')

/** Cut with `…`, never in the middle of a character. */
export const shortened = (text: string, characters: number): string =>
  text.length > characters
    ? `${text
        .slice(0, characters)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`
    : text

/** `1 flight`, `2 flights`: for the server's sentences, which are English. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** A copy in which every text is passed through `shown`. */
export function withTexts<Value>(value: Value, shown: (text: string) => string): Value {
  const copy = (inner: unknown): unknown => {
    if (typeof inner === 'string') return shown(inner)
    if (Array.isArray(inner)) return inner.map(copy)
    if (inner === null || typeof inner !== 'object') return inner
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, copy(member)]))
  }
  return copy(value) as Value
}

const VALUE_CHARACTERS = 100

/** Shortened differences, for readers who need the meaning and not every word. */
export const shortDifferences = <Changed extends object>(changed: Changed): Changed =>
  withTexts(changed, (text) => shortened(text, VALUE_CHARACTERS))

/** Initials of the first two words of a name, for a circle next to the name. */
export const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()

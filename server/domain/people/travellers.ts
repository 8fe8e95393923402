// Whether the name on a ticket or in a file is the person's own. Airlines write FAMILY/GIVEN, cut names, join names of several
// words, and append titles and middle names without a blank.
import { searchFold } from '../text/fold.ts'

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'mstr', 'dr', 'prof', 'herr', 'frau'].map(searchFold))
/** No given name ends like this. */
const gluedTitle = /(?<=..)(?:mrs?|mstr|mis)$/
/** A ticket has space for this many characters. */
const TICKET_NAME = 20

/** `unsure`: only a part of the name is given, and it fits. */
type SamePerson = 'same' | 'other' | 'unsure'

export function isTraveller(written: string, displayName: string): SamePerson {
  const own = wordsOf(displayName)
  const all = wordsOf(written)
  const words = all.filter((word) => !titles.has(word))
  if (words.length === 0 || own.length === 0) return 'other'
  if (words.join(' ') === own.join(' ')) return 'same'
  const onTicket = byTicket(written, own)
  if (onTicket) return onTicket
  const family = own.at(-1)!
  const given = own.slice(0, -1)
  if (!words.includes(family)) return words.length === 1 && given.includes(words[0]!) ? 'unsure' : 'other'
  const rest = words.filter((word) => word !== family)
  return fits(rest, given, all.length > words.length)
}

const wordsOf = (text: string): string[] =>
  searchFold(text)
    .split(' ')
    .filter((word) => word !== '')

/** By the family name before the slash: one or more words of the person's name. Undefined if it is none of them. */
function byTicket(written: string, own: readonly string[]): SamePerson | undefined {
  const slash = written.indexOf('/')
  if (slash < 0) {
    return written.trim().length >= TICKET_NAME && spanOf(wordsOf(written).join(''), own, true)
      ? 'unsure'
      : undefined
  }
  const all = wordsOf(written.slice(slash + 1))
  const span = spanOf(wordsOf(written.slice(0, slash)).join(''), own, false)
  if (!span) return undefined
  const given = all.filter((word) => !titles.has(word))
  return fits(given, [...own.slice(0, span.start), ...own.slice(span.end)], all.length > given.length)
}

function spanOf(family: string, own: readonly string[], isCut: boolean) {
  for (let start = 0; start < own.length; start++)
    for (let end = start + 1; end <= own.length; end++) {
      const joined = searchFold(own.slice(start, end).join(''))
      if (joined === family || (isCut && joined.startsWith(family))) return { start, end }
    }
  return undefined
}

/** The words besides the family name: as written, and in the person's name. */
function fits(written: readonly string[], given: readonly string[], hasTitle: boolean): SamePerson {
  if (written.length === 0) return hasTitle ? 'same' : 'unsure'
  if (given.length === 0) return 'unsure'
  return written.some((word) => given.some((name) => isGiven(word, name))) ? 'same' : 'other'
}

/** Equal, an initial, the first three letters or more, or with a title or name appended. */
const isGiven = (word: string, name: string): boolean =>
  word === name ||
  word.replace(gluedTitle, '') === name ||
  (word.length === 1 && name.startsWith(word)) ||
  (word.length >= 3 && name.startsWith(word)) ||
  (name.length >= 3 && word.startsWith(name))

/** A ticket name as people write it: `HOPPER/GRACEMRS` is Grace Hopper. Other names are not changed. */
export function writtenName(name: string): string {
  const [family = '', given = ''] = name.split('/', 2)
  if (!name.includes('/') || name !== name.toUpperCase()) return name
  const words = given
    .split(/\s+/)
    .filter((word) => word !== '' && !titles.has(searchFold(word)))
    .map((word) => word.replace(/(?<=..)(?:MRS?|MSTR|MISS)$/, ''))
  return [...words, ...family.split(/\s+/)]
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()))
    .join(' ')
}

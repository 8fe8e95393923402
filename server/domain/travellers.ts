// Whether the name on a ticket or in a file is a person's own. Airlines write FAMILY/GIVEN, cut names, and append titles and
// middle names without a blank.
import { searchFold } from './search-text.ts'

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'mstr', 'dr', 'prof', 'herr', 'frau'].map(searchFold))

/** `unsure`: only a part of the name is there, and it fits. */
type SamePerson = 'same' | 'other' | 'unsure'

export function isTraveller(written: string, displayName: string): SamePerson {
  const own = searchFold(displayName).split(' ')
  const family = own.at(-1)!
  const given = own.length > 1 ? own.slice(0, -1) : []
  const all = searchFold(written)
    .split(' ')
    .filter((word) => word !== '')
  const words = all.filter((word) => !titles.has(word))
  if (words.length === 0 || family === '') return 'other'
  if (words.join(' ') === own.join(' ')) return 'same'
  if (!words.includes(family)) return words.length === 1 && given.includes(words[0]!) ? 'unsure' : 'other'
  const rest = words.filter((word) => word !== family)
  if (rest.length === 0) return all.length > words.length ? 'same' : 'unsure'
  if (given.length === 0) return 'unsure'
  return rest.some((word) => given.some((name) => isGiven(word, name))) ? 'same' : 'other'
}

/** Equal, an initial, a beginning of three letters or more, or with something glued to it. */
const isGiven = (word: string, name: string): boolean =>
  word === name ||
  (word.length === 1 && name.startsWith(word)) ||
  (word.length >= 3 && name.startsWith(word)) ||
  (name.length >= 3 && word.startsWith(name))

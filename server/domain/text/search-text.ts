// The text of a record in the search index: fields, each after a mark for its type. Folded texts contain no marks.
import { searchCode, searchFold } from './fold.ts'

const marks = { code: '!', formerCode: '#', cityCode: '$', name: '&', alias: '*', region: '+' } as const
type Field = keyof typeof marks
export const markOf = (field: Field): number => marks[field].charCodeAt(0)

/** Must change whenever stored texts have to be rewritten, for example with the names of cities in another language. */
export const SEARCH_FORMAT = '4'

type Texts = readonly (string | null)[]

export function searchText(parts: {
  codes: Texts
  formerCodes?: Texts
  cityCodes?: Texts
  /** Its own names. */
  names: Texts
  /** Its other names, in any language. */
  aliases?: Texts
  regions?: Texts
}): string {
  const names = different(parts.names, searchFold)
  return [
    fields('code', different(parts.codes, searchCode)),
    fields('formerCode', different(parts.formerCodes, searchCode)),
    fields('cityCode', different(parts.cityCodes, searchCode)),
    fields('name', names),
    fields(
      'alias',
      different(parts.aliases, searchFold).filter((alias) => !names.includes(alias)),
    ),
    fields('region', different(parts.regions, searchFold)),
  ].join('')
}

/** For few texts, comparing is faster than hashing. */
function different(texts: Texts = [], fold: (text: string) => string): string[] {
  const found: string[] = []
  let last: string | null = null
  for (const text of texts) {
    if (!text || text === last) continue
    last = text
    const folded = fold(text)
    if (folded !== '' && !found.includes(folded)) found.push(folded)
  }
  return found
}

function fields(field: Field, texts: readonly string[]): string {
  let joined = ''
  for (const text of texts) joined += marks[field] + text
  return joined
}

/** The names in a record's text, as folded by `searchFold`. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/[&*]([^!#$&*+]+)/g)].map(([, name]) => name!)

/** The names other than its own. */
export const aliasesIn = (text: string): string[] =>
  [...text.matchAll(/\*([^!#$&*+]+)/g)].map(([, name]) => name!)

/** The regions in a record's text. */
export const regionsIn = (text: string): string[] =>
  [...text.matchAll(/\+([^!#$&*+]+)/g)].map(([, region]) => region!)

/** The words in a record's text, each after a blank. */
export const recordWords = (text: string): string => text.replace(/[!#$&*+]/g, ' ')

/** Whether a word of a record begins like this; `words` is the result of `recordWords`. */
export const hasWord = (words: string, beginning: string): boolean => words.includes(` ${beginning}`)

/** In the text of a record, a word begins after each of these. */
export const wordStarts = [' ', ...Object.values(marks)]

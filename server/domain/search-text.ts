// One spelling for names that people write in many ways. Reference search, the flight search and the web app's list compare
// only texts that passed through here, so the rules may be coarse: both sides lose the same letters.

/** Accents, Arabic and Hebrew vowel signs, elongation and invisible characters. Vowel signs of other scripts are letters. */
const ignored =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u00ad\u2060\ufeff]/g

const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ə: 'e',
  // Letters that Arabic and Persian keyboards write differently, and endings that people interchange.
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
}
const otherLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** Only before another word: "st" alone is the beginning of Stockholm. */
const abbreviations: Record<string, string> = {
  st: 'saint',
  sankt: 'saint',
  ste: 'sainte',
  ft: 'fort',
  mt: 'mount',
}
const abbreviated = new RegExp(`(?<=^| )(?:${Object.keys(abbreviations).join('|')})(?= )`, 'g')

function plainWords(text: string): string {
  const words = isAscii.test(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')
    : text
        .normalize('NFKD')
        .toLowerCase()
        .replace(ignored, '')
        .replace(otherLetters, (letter) => letters[letter]!)
        // Some apostrophes are letters to Unicode.
        .replace(/(?:[^\p{L}\p{N}\p{M}]|[\u02b0-\u02ff])+/gu, ' ')
  return words.trim()
}

/** Most names of the reference data, for which the first start then takes a second less. */
const isAscii = /^[\x20-\x7e]*$/

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/**
 * How a name is written in plain letters: `Müller` as “muller” or “mueller”. Unlike `searchFold` it keeps every letter, since
 * Ben and Benn are two people. The last is the longest.
 */
export function plainSpellings(name: string): string[] {
  // Most names, and many people are compared with many names.
  if (/^[A-Za-z]+(?: [A-Za-z]+)*$/.test(name)) return [name.toLowerCase()]
  const spelt = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüøå]/g, (letter) => umlauts[letter]!)
  return [...new Set([plainWords(name), plainWords(spelt)])]
}

/**
 * Lower-case words separated by single blanks: letters and digits only. Umlauts, their spellings with e and the bare
 * vowels become one, double letters single, and "St." becomes "saint". The beginning of a text becomes the beginning of
 * the result, as search while typing needs.
 */
export const searchFold = (text: string): string =>
  plainWords(text)
    .replace(abbreviated, (word) => abbreviations[word]!)
    .replace(/([aou])e/g, '$1')
    .replace(/([a-z])\1+/g, (run, letter) => (run.length === 2 ? letter : run))

/** Codes are compared by their letters and digits. */
export const searchCode = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

// The text of a record: fields, each after a mark that says what it is. No folded text contains a mark.

const marks = { code: '!', formerCode: '#', cityCode: '$', name: '&', alias: '*', region: '+' } as const
type Field = keyof typeof marks
export const markOf = (field: Field): number => marks[field].charCodeAt(0)

/** Changes whenever texts that are stored already must be written again. */
export const SEARCH_FORMAT = '2'

type Texts = readonly (string | null)[]

export function searchText(parts: {
  codes: Texts
  formerCodes?: Texts
  cityCodes?: Texts
  /** What it is called here. */
  names: Texts
  /** What else it is called, in any language. */
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

/** They are few, and to compare them is faster than to hash them. */
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

/** The names of a record's text, as `searchFold` writes them. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/[&*]([^!#$&*+]+)/g)].map(([, name]) => name!)

/** Those of them that it has besides its own. */
export const aliasesIn = (text: string): string[] =>
  [...text.matchAll(/\*([^!#$&*+]+)/g)].map(([, name]) => name!)

/** The regions of a record's text. */
export const regionsIn = (text: string): string[] =>
  [...text.matchAll(/\+([^!#$&*+]+)/g)].map(([, region]) => region!)

/** The words of a record's text, each after a blank. */
export const wordsOf = (text: string): string => text.replace(/[!#$&*+]/g, ' ')

/** What `words` of a record have if one of them begins so; `words` is what `wordsOf` returns. */
export const hasWord = (words: string, beginning: string): boolean => words.includes(` ${beginning}`)

/** What follows one of these in the text of a record is the beginning of a word. */
export const wordStarts = [' ', ...Object.values(marks)]

// Normalizes texts for comparison. Only this file decomposes letters, so that all comparisons share these functions instead
// of having variants of their own.

const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
const searchLetters: Record<string, string> = {
  ...letters,
  ħ: 'h',
  ŋ: 'n',
  ə: 'e',
  // Letters that differ between Arabic and Persian keyboards, and endings that people interchange.
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
}
const anyOf = (table: Record<string, string>) => new RegExp(`[${Object.keys(table).join('')}]`, 'g')
const transliterated = anyOf(letters)
const transliteratedForSearch = anyOf(searchLetters)

/** Most reference names and other texts are ASCII and need no table. */
const isAscii = /^[\x20-\x7e]*$/

/** Without accents; full-width letters, ligatures and superscripts become ordinary ones. */
export const unaccented = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')

const transliterate = (text: string): string =>
  unaccented(text)
    .toLowerCase()
    .replace(transliterated, (letter) => letters[letter]!)

/** Lower case in plain letters, with ordinary dashes and quotes. */
export const plain = (text: string): string =>
  isAscii.test(text)
    ? text.toLowerCase()
    : transliterate(text)
        .replace(/[‐‒–—−]/g, '-')
        .replace(/[‘’]/g, "'")
        .replace(/[“”„]/g, '"')

/** The words of a text in plain letters: `Dép. Time` has `dep` and `time`. */
export const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The results of these two are stored in columns and compared with them, so neither may ever change. */
export const storedLowerCase = (text: string): string => text.normalize('NFC').toLowerCase()
export const storedFold = (text: string): string => transliterate(text).replace(/\s+/g, ' ').trim()

// For searches. Both sides of a comparison are folded alike, so the rules may be coarse.

/** Accents, Arabic and Hebrew vowel signs, elongation and invisible characters. Vowel signs of other scripts are letters. */
const ignored =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u00ad\u2060\ufeff]/g

function searchWords(text: string): string {
  const words = isAscii.test(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')
    : text
        .normalize('NFKD')
        .toLowerCase()
        .replace(ignored, '')
        .replace(transliteratedForSearch, (letter) => searchLetters[letter]!)
        // Unicode counts some apostrophes as letters.
        .replace(/(?:[^\p{L}\p{N}\p{M}]|[\u02b0-\u02ff])+/gu, ' ')
  return words.trim()
}

/** Only before another word: "st" alone may be the beginning of Stockholm. */
const abbreviations: Record<string, string> = {
  st: 'saint',
  sankt: 'saint',
  ste: 'sainte',
  ft: 'fort',
  mt: 'mount',
}
const abbreviated = new RegExp(`(?<=^| )(?:${Object.keys(abbreviations).join('|')})(?= )`, 'g')

/**
 * Lower-case words separated by single blanks: letters and digits only. Umlauts, their spellings with e and the plain vowels
 * become the same letter, double letters become single, and "St." becomes "saint". The beginning of a text becomes the
 * beginning of the result, which search while typing needs. A change needs a new `SEARCH_FORMAT`.
 */
export const searchFold = (text: string): string =>
  searchWords(text)
    .replace(abbreviated, (word) => abbreviations[word]!)
    .replace(/([aou])e/g, '$1')
    .replace(/([a-z])\1+/g, (run, letter) => (run.length === 2 ? letter : run))

/** Codes are compared by their letters and digits. */
export const searchCode = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/**
 * The ways to write a name in plain letters: `Müller` as “muller” or “mueller”. Unlike `searchFold`, it keeps every letter,
 * since Ben and Benn are two people. The last one is the longest.
 */
export function plainSpellings(name: string): string[] {
  // A shortcut for most names, because people are compared with many names.
  if (/^[A-Za-z]+(?: [A-Za-z]+)*$/.test(name)) return [name.toLowerCase()]
  const spelt = storedLowerCase(name).replace(/[äöüøå]/g, (letter) => umlauts[letter]!)
  return [...new Set([searchWords(name), searchWords(spelt)])]
}

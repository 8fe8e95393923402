// One spelling for names that people write in many ways. Reference search, the flight search and the web app's list compare
// only texts that passed through here, so the rules may be coarse: both sides lose the same letters.

/** Accents, Arabic and Hebrew vowel signs, elongation and invisible characters. Vowel signs of other scripts are letters. */
const ignored = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u00ad\u2060\ufeff]/g

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
const abbreviations: Record<string, string> = { st: 'saint', sankt: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' }
const abbreviated = new RegExp(`(?<=^| )(?:${Object.keys(abbreviations).join('|')})(?= )`, 'g')

/**
 * Lower-case words separated by single blanks: letters and digits only. Umlauts, their spellings with e and the bare
 * vowels become one, double letters single, and "St." becomes "saint". The beginning of a text becomes the beginning of
 * the result, as search while typing needs.
 */
export const searchFold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ignored, '')
    .replace(otherLetters, (letter) => letters[letter]!)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
    .replace(abbreviated, (word) => abbreviations[word]!)
    .replace(/([aou])e/g, '$1')
    .replace(/([a-z])\1+/g, '$1')

/** Codes are compared by their letters and digits. */
export const searchCode = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

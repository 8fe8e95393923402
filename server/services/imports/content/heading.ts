// Finds the heading of a table. Readers compare folded headings.
import { unaccented } from '../../../domain/text/fold.ts'

/** Lower case, no accents, one blank for every run of other characters. Other letters stay: ß does not become ss. */
export const foldHeading = (text: string): string =>
  unaccented(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Values below a heading: dates, and numbers or times. */
const likeDate = /^(?:\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ].*)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?: .*)?)$/
const likeNumber = /^[+-]?\d+(?:[.,:]\d+)*$/
/** The largest share of numbers among the cells of a heading. */
const NUMBERS_AT_MOST = 0.2
/** A row with a smaller share of the fullest row's cells is a title, not a heading. */
const FULL = 0.6

interface Heading {
  /** Null: the table begins with its first record. */
  row: number | null
  headings: string[]
}

/** Searches the first rows of a table. Without a heading, columns are named by number. */
export function findHeading(rows: readonly (readonly string[])[]): Heading {
  const filled = rows.map((cells) => cells.filter((cell) => cell !== ''))
  const marked = filled.findIndex((cells) => /^foreflight logbook import/i.test(cells[0] ?? ''))
  // Two tables in one file: the reader finds their headings.
  if (marked >= 0) return { row: marked, headings: [...rows[marked]!] }
  const fullest = Math.max(0, ...filled.map((cells) => cells.length))
  const first = filled.findIndex((cells) => cells.length >= Math.max(Math.min(2, fullest), fullest * FULL))
  if (first >= 0 && !looksLikeRecord(filled[first]!)) return { row: first, headings: [...rows[first]!] }
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  return { row: null, headings: Array.from({ length: width }, (_, index) => `Column ${index + 1}`) }
}

function looksLikeRecord(filled: readonly string[]): boolean {
  const numbers = filled.filter((cell) => likeNumber.test(cell)).length
  return filled.some((cell) => likeDate.test(cell)) || numbers > filled.length * NUMBERS_AT_MOST
}

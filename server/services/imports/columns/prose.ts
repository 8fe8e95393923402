// Text that only looks like a table because its sentences have commas, such as a booking that was saved as text.
import type { Table } from '../content/content.ts'
import { guessColumns } from './guess.ts'

const ROWS_READ = 40
const ROWS_AT_LEAST = 3
/** A sentence has more words than a cell. */
const WORDS = 3
/** In a table, most rows have the same number of cells. */
const EVEN = 0.6

/** No column means anything, the rows have different numbers of cells, and the cells are sentences. */
export function isProse(table: Table): boolean {
  if (table.form !== 'delimited') return false
  const rows: string[][] = [table.headings.filter((cell) => cell !== '')]
  for (const { cells } of table.rows) {
    rows.push(cells.filter((cell) => cell !== ''))
    if (rows.length === ROWS_READ) break
  }
  if (rows.length < ROWS_AT_LEAST) return false
  const lengths = Map.groupBy(rows, ({ length }) => length)
  const most = Math.max(...[...lengths.values()].map(({ length }) => length))
  // Lines without any comma are text, not rows of one cell.
  const isEven = most >= rows.length * EVEN && lengths.get(1)?.length !== most
  const cells = rows.flat()
  const words = cells.reduce((sum, cell) => sum + wordsIn(cell), 0)
  if (isEven || words < cells.length * WORDS) return false
  const known = guessColumns(table, null).columns.filter(
    ({ field, heading }) => field !== null && wordsIn(heading) <= WORDS,
  )
  return known.length < 2
}

const wordsIn = (text: string): number => text.split(/\s+/).length

/** The sum over the verdicts, and the bar below it. */

import type { ImportCounts } from '../../../server/domain/imports/imports.ts'
import { type ImportRow, type Verdict, verdicts } from './types.ts'

interface Part {
  verdict: Verdict | 'twice'
  count: number
}

export const colourOf: Record<Verdict | 'twice', string> = {
  new: 'var(--accent)',
  question: 'var(--warn)',
  duplicate: 'var(--c6)',
  twice: 'var(--text-3)',
  similar: 'var(--c5)',
  skipped: 'var(--line-strong)',
  error: 'var(--danger)',
}

/**
 * In the order of the sum; verdicts that no row has are left out, new rows never. `twice`: how many of the duplicates repeat another
 * row of the file, and not a flight of the log.
 */
export const partsOf = (counts: ImportCounts, twice = 0): Part[] =>
  verdicts
    .flatMap((verdict): Part[] =>
      verdict === 'duplicate'
        ? [
            { verdict, count: counts.duplicate - twice },
            { verdict: 'twice', count: twice },
          ]
        : [{ verdict, count: counts[verdict] }],
    )
    .filter(({ verdict, count }) => count > 0 || verdict === 'new')

const LEAST = 5
const GAP = 2

/** Widths in pixels of the parts of a bar: in proportion, but none so narrow that it cannot be seen. */
export function barWidths(parts: readonly Part[], width: number): number[] {
  const shown = parts.map(({ count }) => count)
  const total = shown.reduce((sum, count) => sum + count, 0)
  const room = width - GAP * (shown.filter((count) => count > 0).length - 1)
  if (total === 0 || room <= 0) return shown.map(() => 0)
  const narrow = shown.map((count) => count > 0 && (count / total) * room < LEAST)
  const fixed = narrow.filter(Boolean).length * LEAST
  const rest = shown.reduce((sum, count, i) => (narrow[i] ? sum : sum + count), 0)
  return shown.map((count, i) => {
    if (count === 0) return 0
    return narrow[i] || rest === 0 ? LEAST : (count / rest) * Math.max(0, room - fixed)
  })
}

/** A cell and the delimiter after it. */
const sizeOf = ({ raw }: Pick<ImportRow, 'raw'>): number =>
  typeof raw === 'string' ? raw.length : (raw ?? []).reduce((sum, cell) => sum + cell.length + 1, 0)

/**
 * How much of a file is read, 0 to 1: the server does not know how many rows are to come, but rows of one file are about as
 * long as each other. It is never full before the last row, also where a file is packed and its rows are longer than it.
 */
export function partRead(bytes: number, known: readonly Pick<ImportRow, 'raw'>[], done: number): number {
  if (done === 0 || known.length === 0) return 0
  const size = known.reduce((sum, row) => sum + sizeOf(row), 0) / known.length
  return Math.min(0.95, (done * size) / Math.max(1, bytes))
}

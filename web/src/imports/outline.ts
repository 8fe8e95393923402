/** Which rows a list shows, at which position, and which of them must be fetched. Rows are known by their number. */

import type { ImportCounts } from '../../../server/domain/imports/imports.ts'
import { noCounts } from '../../../server/domain/imports/imports.ts'
import type { Verdict } from './types.ts'

/** One letter for each row; `l`: left out. */
const letters: Record<Verdict, string> = {
  new: 'n',
  question: 'q',
  duplicate: 'd',
  similar: 's',
  skipped: 'l',
  error: 'e',
}
const verdictOf = new Map(Object.entries(letters).map(([verdict, letter]) => [letter, verdict as Verdict]))

export const verdictAt = (outline: string, number: number): Verdict =>
  verdictOf.get(outline[number - 1] ?? '') ?? 'error'

/** How many rows have which verdict. */
export function countsOf(outline: string): ImportCounts {
  const counts = { ...noCounts, rows: outline.length }
  for (const letter of outline) {
    const verdict = verdictOf.get(letter)
    if (verdict) counts[verdict]++
  }
  return counts
}

/** Numbers of the rows with a verdict, in the order of the file; all rows without one. */
export function numbersOf(outline: string, verdict: Verdict | null): Uint32Array {
  if (verdict === null) return Uint32Array.from({ length: outline.length }, (_, i) => i + 1)
  const letter = letters[verdict]
  const found: number[] = []
  for (let at = outline.indexOf(letter); at >= 0; at = outline.indexOf(letter, at + 1)) found.push(at + 1)
  return Uint32Array.from(found)
}

const PAGE = 100

/** The pages, each of `PAGE` positions, that hold the positions from first to last. */
export function pagesOf(first: number, last: number): number[] {
  const start = Math.max(0, Math.floor(first / PAGE))
  const end = Math.max(start, Math.floor(Math.max(0, last) / PAGE))
  return Array.from({ length: end - start + 1 }, (_, i) => start + i)
}

export const numbersOnPage = (numbers: Uint32Array, page: number): number[] => [
  ...numbers.subarray(page * PAGE, (page + 1) * PAGE),
]

interface Tick {
  /** Pixels from the top. */
  y: number
  verdict: Verdict
}

const importance: readonly Verdict[] = ['error', 'question', 'similar', 'duplicate', 'skipped', 'new']
const TICK = 3

/** A tick for every row that is not plainly new. Ticks that would touch become one, of the most important verdict. */
export function ticksOf(outline: string, numbers: Uint32Array, height: number): Tick[] {
  const slots = new Map<number, Verdict>()
  const most = Math.max(1, numbers.length)
  const usable = Math.max(1, height - 2)
  for (let i = 0; i < numbers.length; i++) {
    const verdict = verdictAt(outline, numbers[i]!)
    if (verdict === 'new') continue
    const slot = Math.floor((i / most) * (usable / TICK))
    const before = slots.get(slot)
    if (!before || importance.indexOf(verdict) < importance.indexOf(before)) slots.set(slot, verdict)
  }
  return [...slots].map(([slot, verdict]) => ({ y: slot * TICK, verdict }))
}

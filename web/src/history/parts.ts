/** What "undo everything since" would do, part by part: one part is the most that is undone at a time. */

import { type UndoneChange, type UndoResult, undoSince } from '../api/history.ts'

export interface Part {
  since: string
  /** Where it begins; null: with the newest change. */
  before: number | null
  taken: UndoneChange[]
  /** Includes those of skipped parts, in which all changes stay. */
  left: UndoneChange[]
  imports: UndoResult['imports']
  /** Where the next one begins; null if this is the last. */
  next: number | null
}

/** The next part with anything to undo. */
export async function findPart(
  since: string,
  start: number | null,
  isWanted: () => boolean,
  look = undoSince,
): Promise<Part> {
  const part: Part = { since, before: start, taken: [], left: [], imports: [], next: start }
  do {
    part.before = part.next
    const { data, summary, imports } = await look(since, { dryRun: true, before: part.before })
    part.taken = data.filter(({ action }) => action !== 'left')
    part.left.push(...data.filter(({ action }) => action === 'left'))
    part.imports = imports
    part.next = summary.next ?? null
  } while (part.taken.length === 0 && part.next !== null && isWanted())
  return part
}

/** Changes of one flight that have the same effect. */
export interface Row {
  result: UndoneChange
  count: number
}

export function rowsOf(results: readonly UndoneChange[]): Row[] {
  const rows = new Map<string, Row>()
  for (const result of results) {
    const { flightId, action, reason, leftFields } = result
    const key = [flightId, action, reason, leftFields].join(' ')
    const row = rows.get(key)
    if (row) row.count++
    else rows.set(key, { result, count: 1 })
  }
  return [...rows.values()]
}

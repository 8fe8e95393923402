/** Changes, with their lines as text. */

import { listCustomFields } from '../api/flights.ts'
import { type HistoryEntry, type ReadPage, readEntries } from '../api/history.ts'
import { hasCustomFields, type Line, linesOf } from './words.ts'

interface Described {
  entry: HistoryEntry
  lines: Line[]
}

export interface DescribedPage {
  data: Described[]
  page: { nextCursor: string | null }
}

/** One page from there, or more: a reloaded list keeps its length. */
export async function readPages(
  read: ReadPage,
  cursor: string | null,
  atLeast: number,
): Promise<DescribedPage> {
  const { entries, next } = await readEntries(read, cursor, atLeast)
  return { data: await describe(entries), page: { nextCursor: next } }
}

/** Most changes involve no custom field; then the definitions are not requested. */
async function describe(entries: readonly HistoryEntry[]): Promise<Described[]> {
  const fields = hasCustomFields(entries) ? await listCustomFields().catch(() => []) : []
  return Promise.all(entries.map(async (entry) => ({ entry, lines: await linesOf(entry, fields) })))
}

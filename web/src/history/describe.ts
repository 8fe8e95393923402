/** Changes with their lines in words. */

import { listCustomFields } from '../api/flights.ts'
import type { HistoryEntry } from '../api/history.ts'
import { hasCustomFields, type Line, linesOf } from './words.ts'

export interface Described {
  entry: HistoryEntry
  lines: Line[]
}

/** Most changes name no custom field, and then their definitions are not requested. */
export async function describe(entries: readonly HistoryEntry[]): Promise<Described[]> {
  const fields = hasCustomFields(entries) ? await listCustomFields().catch(() => []) : []
  return Promise.all(entries.map(async (entry) => ({ entry, lines: await linesOf(entry, fields) })))
}

/** Changes of the last 30 days, who made them, and how to undo them. */

import { client } from './client.ts'
import type { components } from './schema.d.ts'

export type UndoneChange = components['schemas']['UndoneChange']

/** Whose changes: all changes to one's own flights, or those made by oneself. */
export type Whose = 'all' | 'me'

export async function listHistory(
  whose: Whose,
  cursor: string | null = null,
  limit = 50,
  signal?: AbortSignal,
) {
  const query = { limit, ...(whose === 'me' && { by: whose }), ...(cursor && { cursor }) }
  const { data } = await client.GET('/history', { params: { query }, ...(signal && { signal }) })
  return data!
}

type HistoryPage = Awaited<ReturnType<typeof listHistory>>
export type HistoryEntry = HistoryPage['data'][number]
export type ReadPage = (cursor: string | null) => Promise<HistoryPage>

/** One page, or as many as are needed for that number of changes. */
export async function readEntries(read: ReadPage, cursor: string | null, atLeast: number) {
  const entries: HistoryEntry[] = []
  let next = cursor
  do {
    const { data, page } = await read(next)
    entries.push(...data)
    next = page.nextCursor
  } while (next !== null && entries.length < atLeast)
  return { entries, next }
}

export async function historyOf(id: number, cursor: string | null, signal: AbortSignal) {
  const query = { limit: 20, ...(cursor && { cursor }) }
  const { data } = await client.GET('/flights/{id}/history', { params: { path: { id }, query }, signal })
  return data!
}

export async function undoChange(changeId: number) {
  const { data } = await client.POST('/history/undo', { body: { changeId } })
  return data!
}

interface UndoPart {
  dryRun: boolean
  /** Only changes below this number: where the previous part ended. */
  before: number | null
}

/** One's own changes since then, newest first, as many as one undo allows. A dry run says what would happen. */
export async function undoSince(since: string, { dryRun, before }: UndoPart) {
  const body = { since, dryRun, ...(before !== null && { before }) }
  const { data } = await client.POST('/history/undo', { body })
  return data!
}
export type UndoResult = Awaited<ReturnType<typeof undoSince>>

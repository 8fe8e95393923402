/** What was changed in the last 30 days, by whom, and how it is taken back. */

import { client } from './client.ts'
import type { components } from './schema.d.ts'

export type HistoryEntry = components['schemas']['HistoryEntry']
export type UndoneChange = components['schemas']['UndoneChange']

/** Whose changes: all on one's own flights, or what one did oneself. */
export type Whose = 'all' | 'me'

export async function listHistory(whose: Whose, cursor: string | null = null, limit = 50) {
  const query = { limit, ...(whose === 'me' && { by: whose }), ...(cursor && { cursor }) }
  const { data } = await client.GET('/history', { params: { query } })
  return data!
}

export async function historyOf(id: number, cursor: string | null) {
  const query = { limit: 20, ...(cursor && { cursor }) }
  const { data } = await client.GET('/flights/{id}/history', { params: { path: { id }, query } })
  return data!
}

export async function undoChange(changeId: number) {
  const { data } = await client.POST('/history/undo', { body: { changeId } })
  return data!
}

/** Everything that one did oneself since then. A dry run says what would happen. */
export async function undoSince(since: string, dryRun: boolean) {
  const { data } = await client.POST('/history/undo', { body: { since, dryRun } })
  return data!
}
export type UndoResult = Awaited<ReturnType<typeof undoSince>>

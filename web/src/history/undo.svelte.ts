/** Undoes changes and reports the result. */

import { explain } from '../api/explain.ts'
import { type HistoryEntry, listHistory, readEntries, type UndoneChange, undoChange } from '../api/history.ts'
import { t, textFor } from '../i18n/i18n.svelte.ts'
import { attempt } from '../lib/kit/attempt.ts'
import { toast } from '../lib/overlay/toast.svelte.ts'
import { log } from '../log/log.svelte.ts'
import { noteRestored } from '../queue/deletion.svelte.ts'
import { session } from '../session/session.svelte.ts'
import { labelFor } from './words.ts'

let count = $state(0)

export const undone = {
  /** Incremented whenever something was undone here. */
  get count(): number {
    return count
  },
}

/** Why a change stays. A reason without a text here is shown in the server's words. */
const whyLeft = ({ reason, message }: UndoneChange): string =>
  textFor(`history.left.${reason ?? ''}`, {}) ?? message ?? ''

const fieldsLeft = ({ leftFields }: UndoneChange): string => (leftFields ?? []).map(labelFor).join(', ')

/** The result of undoing a change, or the expected one. */
export function outcomeOf(result: UndoneChange, tense: 'done' | 'will'): string {
  if (result.action === 'left') return whyLeft(result)
  const fields = fieldsLeft(result)
  return fields ? t(`history.${tense}Except`, { fields }) : t(`history.${tense}.${result.action}`)
}

function say(results: readonly UndoneChange[]): boolean {
  const left = results.find(({ action }) => action === 'left')
  if (left) {
    const count = results.filter(({ action }) => action === 'left').length
    toast(`${t('history.notUndone', { count })} ${whyLeft(left)}`, { tone: 'error' })
    return false
  }
  const first = results[0]
  if (results.length === 1 && first) toast(outcomeOf(first, 'done'))
  else toast(t('history.undone', { count: results.length }))
  return true
}

/** Call after an undo: every view then shows the current flights. */
export async function refresh(results: readonly UndoneChange[]): Promise<void> {
  noteRestored(results.flatMap(({ action, flightId }) => (action === 'restored' ? [flightId] : [])))
  await log.refresh()
  count++
}

/** True if all of them were undone. In the given order, which is newest first. */
export async function undoAll(changeIds: readonly number[]): Promise<boolean> {
  const results: UndoneChange[] = []
  try {
    for (const changeId of changeIds) results.push(...(await undoChange(changeId)).data)
    await refresh(results)
    return say(results)
  } catch (error) {
    await refresh(results)
    toast(explain(error), { tone: 'error' })
    return false
  }
}

/** The newest change of each flight that this person made in this app, up to the given time if there is one. */
export function lastOwn(
  entries: readonly HistoryEntry[],
  flightIds: readonly number[],
  me: string,
  upTo?: string,
): number[] {
  const found = new Map<number, number>()
  const isLater = (at: string) => upTo !== undefined && Date.parse(at) > Date.parse(upTo)
  for (const { changeId, flight, by, canUndo, at } of entries) {
    const isWanted = by.userId === me && by.via === 'web' && flightIds.includes(flight.id) && !isLater(at)
    if (isWanted && canUndo && changeId !== null && !found.has(flight.id)) found.set(flight.id, changeId)
  }
  return [...found.values()]
}

/** Changes that the person's apps may have made in the meantime. */
const NEWER_AT_MOST = 50

export async function undoLast(flightIds: readonly number[], upTo?: string): Promise<void> {
  await attempt(async () => {
    const read = (cursor: string | null) => listHistory('me', cursor, 100)
    const { entries } = await readEntries(read, null, flightIds.length + NEWER_AT_MOST)
    const ids = lastOwn(entries, flightIds, session.user?.id ?? '', upTo)
    if (ids.length > 0) await undoAll(ids)
    else toast(t('history.nothing'), { tone: 'error' })
  })
}

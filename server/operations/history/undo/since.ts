// What happened to a flight after a change, and who did it: later changes by others block an undo.
import { partNames, partsLeftBy } from '../../../domain/history/parts.ts'
import type { Call } from '../../../door/operation.ts'
import { type HistoryEntry, listLater, type SeenEntry } from '../../../store/history/history.ts'
import { listNames } from '../../../store/people/people.ts'
import { appNames } from '../../access/app-names.ts'
import { isByThis } from '../view.ts'
import { Left, left } from './verdict.ts'

export interface LaterChange {
  entry: HistoryEntry
  /** The parts that it changed; empty if the flight was deleted or restored. */
  parts: string[]
  /** The parts that no undo took back. */
  partsInEffect: string[]
  isInEffect: boolean
}

/** A change and its undo cancel out, except for the parts that the undo left. */
function laterChange(
  entry: HistoryEntry,
  byId: ReadonlyMap<number | null, HistoryEntry>,
  undos: ReadonlySet<number | null>,
): LaterChange {
  const parts = entry.edit ? partNames(entry.edit) : []
  if (undos.has(entry.changeId)) return { entry, parts, partsInEffect: [], isInEffect: false }
  if (entry.undoneBy === null) return { entry, parts, partsInEffect: parts, isInEffect: true }
  const undo = byId.get(entry.undoneBy)
  const partsInEffect = entry.edit && undo?.edit ? partsLeftBy(undo.edit, entry.edit) : []
  return { entry, parts, partsInEffect, isInEffect: partsInEffect.length > 0 }
}

type Reference = Pick<HistoryEntry, 'flightId' | 'changeId'>

export async function changesAfter({ db }: Call, { flightId, changeId }: Reference): Promise<LaterChange[]> {
  const entries = await listLater(db, { flightId, changeId })
  const byId = new Map<number | null, HistoryEntry>(entries.map((entry) => [entry.changeId, entry]))
  const undos = new Set(entries.map(({ undoneBy }) => undoneBy))
  return entries.map((entry) => laterChange(entry, byId, undos))
}

/** Everything that happened to the flight after a change and is still in effect. */
export const inEffectAfter = async (call: Call, reference: Reference): Promise<HistoryEntry[]> =>
  (await changesAfter(call, reference)).flatMap(({ entry, isInEffect }) => (isInEffect ? entry : []))

/** With the same credential; in the web app, by the same person. */
export const isOwn = (call: Call, entry: HistoryEntry): boolean =>
  call.principal.kind === 'session' ? entry.userId === call.principal.user.id : isByThis(call, entry)

/** `, by Ada, Ben (change 12, 14)` */
async function whoDid(call: Call, entries: readonly HistoryEntry[]): Promise<string> {
  const { db, principal } = call
  const ids = [...new Set(entries.flatMap(({ userId }) => userId ?? []))]
  const elsewhere = entries.filter((entry) => entry.userId === principal.user.id && !isOwn(call, entry))
  const you = elsewhere.length > 0 ? `you ${await waysOf(call, elsewhere)}` : 'you'
  const names = (await listNames(db, ids)).map(({ id, displayName }) =>
    id === principal.user.id ? you : displayName,
  )
  const who = names.length > 0 ? `, by ${names.join(', ')}` : ''
  const changes = entries.map(({ changeId }) => changeId).join(', ')
  return `${who}${changes && ` (change ${changes})`}`
}

/** The caller's other keys and apps: an assistant would read a plain "you" as itself. */
async function waysOf(call: Call, entries: readonly HistoryEntry[]): Promise<string> {
  const names = await appNames(call, entries)
  const ways = entries.map(({ via, credential }) => {
    if (via === 'session') return 'in the web app'
    const name = names.get(`${via}:${credential}`)
    return name === undefined ? 'through another key or app' : `through “${name}”`
  })
  return [...new Set(ways)].join(' and ')
}

/** For a flight that is not in the log: what happened to it, if the caller can still see that. */
export async function whyNotInLog(call: Call, entry: SeenEntry): Promise<Left> {
  if (!entry.isInSight) return left.notInLog()
  const who = await whoDid(call, await lastOf(call, entry, 'deleted'))
  return new Left('in_bin', `The flight is in the bin: deleted since${who}. Restore it first.`)
}

/** The same for a flight that is not in the bin. */
export async function whyNotInBin(call: Call, entry: SeenEntry): Promise<Left> {
  if (!entry.isInSight) return left.notInLog()
  const last = await lastOf(call, entry, 'restored')
  if (last.length === 0) return left.notInBin()
  return new Left('restored_since', `Restored since${await whoDid(call, last)}.`)
}

const lastOf = async (call: Call, entry: SeenEntry, wanted: HistoryEntry['kind']): Promise<HistoryEntry[]> =>
  (await listLater(call.db, { flightId: entry.flightId, changeId: entry.changeId }))
    .filter(({ kind }) => kind === wanted)
    .slice(-1)

/** `Changed since: note, by Ben (change 12).` */
export async function changedSince(
  call: Call,
  entries: readonly HistoryEntry[],
  words: readonly string[] = [],
): Promise<string> {
  const what = words.length > 0 ? `: ${words.join(', ')}` : ''
  return `Changed since${what}${await whoDid(call, entries)}.`
}

/**
 * A change of flights as a person made it, and the rules of a queue of changes. Pure: what is stored, sent and shown follows
 * from the list of unsent changes.
 */

import type { ReadFlight } from '../api/flights.ts'
import type { FlightInput } from '../api/types.ts'
import type { Draft } from '../draft/draft.ts'
import { mergeDrafts } from '../draft/merge.ts'

interface Create {
  kind: 'create'
  draft: Draft
  /** The body that was sent. A repeat with the same key must have the same body. */
  input: FlightInput | null
}

export interface Edit {
  kind: 'edit'
  /** As it was read. An unsent flight has a negative id. */
  flight: ReadFlight
  /** The source that filled the form. */
  base: Draft
  draft: Draft
}

interface Deletion {
  kind: 'delete'
  flights: readonly ReadFlight[]
}

/** Undoes a deletion that may have been stored. Flights that are not in the bin stay unchanged. */
interface Restoration {
  kind: 'restore'
  flights: readonly ReadFlight[]
}

export type Write = Create | Edit | Deletion | Restoration

/** Why a change needs the person's decision. */
export type Problem =
  /** The server refused it. */
  | { is: 'refused'; reason: string; message: string; params: Record<string, unknown> }
  /** The same fields were changed elsewhere, or the flight to be deleted was. */
  | { is: 'changed' }
  /** The flight was deleted elsewhere. */
  | { is: 'gone' }
  /** The request is so old that the server has forgotten its key, and the log has a matching flight. */
  | { is: 'twice' }

export interface NewWaiting {
  userId: string
  /** Key of the request that creates a flight: a repeat creates nothing. */
  key: string
  madeAt: number
  /** `SK909` or `CPH → JFK`. */
  name: string
  /** Id of the flight; null for several. */
  date: string | null
  write: Write
  /** When a request with an unknown response was made. */
  attemptedAt: number | null
  problem: Problem | null
}

export interface Waiting extends NewWaiting {
  /** In the order in which they were made. */
  seq: number
}

export interface Change {
  put: readonly (Waiting | NewWaiting)[]
  remove: readonly number[]
}

/** The temporary id of a flight until the server has assigned one. */
export const localId = ({ seq }: Pick<Waiting, 'seq'>): number => -seq

/** The flights that a write concerns, a new one by its temporary id. */
export function flightsOf({ write, ...one }: Waiting): number[] {
  if (write.kind === 'create') return [localId(one)]
  return write.kind === 'edit' ? [write.flight.id] : write.flights.map(({ id }) => id)
}

const isAbout = (one: Waiting, ids: readonly number[]): boolean =>
  flightsOf(one).some((id) => ids.includes(id))

export const isOpen = ({ problem }: Waiting): boolean => problem === null

/** One that a form can continue. */
export interface WaitingDraft extends Waiting {
  write: Create | Edit
}
export const hasDraft = (one: Waiting): one is WaitingDraft =>
  one.write.kind === 'create' || one.write.kind === 'edit'

/** The values that fill the form of a flight with an unsent change. */
export const lastDraftOf = (list: readonly Waiting[], id: number): WaitingDraft | null =>
  list.filter(hasDraft).findLast((one) => flightsOf(one).includes(id)) ?? null

/**
 * How a queued write changes the list. A change of something unsent is merged into it; after a request with an unknown
 * response, it is queued after that one. `shownAt` is when the change that the form continued was made.
 */
export function placed(list: readonly Waiting[], added: NewWaiting, shownAt?: number): Change {
  const { write } = added
  if (write.kind === 'create') return { put: [added], remove: [] }
  if (write.kind === 'delete') return placedDeletion(list, added, write)
  if (write.kind === 'restore') return { put: [added], remove: [] }
  const before = lastDraftOf(list, write.flight.id)
  if (!before || before.attemptedAt !== null) return { put: [added], remove: [] }
  const isShown = before.madeAt === shownAt
  const next = isShown ? write : { ...write, draft: withBoth(before.write, write) }
  return { put: [{ ...added, seq: before.seq, write: joined(before.write, next, isShown) }], remove: [] }
}

/** Same version as the change that the form showed, so its base is kept. */
function joined(before: Create | Edit, next: Edit, isShown: boolean): Write {
  if (before.kind === 'create') return { kind: 'create', draft: next.draft, input: null }
  const isSame = isShown && next.flight.version === before.flight.version
  return isSame ? { ...before, draft: next.draft } : next
}

/** The form did not show the previous change, as in another tab, so fields changed only by that one keep their values. */
function withBoth(before: Create | Edit, { base, draft }: Edit): Draft {
  const theirs = before.kind === 'create' ? before.draft : mergeDrafts(before.base, before.draft, base).draft
  return mergeDrafts(base, draft, theirs).draft
}

/** Changes that were never sent need not be sent before their flight is deleted. */
function placedDeletion(list: readonly Waiting[], added: NewWaiting, write: Deletion): Change {
  const ids = write.flights.map(({ id }) => id)
  const dropped = list.filter(
    (one) => one.write.kind !== 'delete' && one.attemptedAt === null && isAbout(one, ids),
  )
  const isSent = (id: number) => !dropped.some((one) => one.write.kind === 'create' && localId(one) === id)
  const flights = write.flights.filter(({ id }) => isSent(id))
  const remove = dropped.map(({ seq }) => seq)
  return { put: flights.length > 0 ? [{ ...added, write: { ...write, flights } }] : [], remove }
}

/** How the others change when one was sent or never will be: a flight has its real id, or none. */
export function afterSent(list: readonly Waiting[], sent: Waiting, saved: ReadFlight | null): Change {
  const later = list.filter((one) => one.seq > sent.seq)
  const put = saved ? later.flatMap((one) => retargeted(one, sent, saved) ?? []) : []
  return { put, remove: [sent.seq] }
}

function retargeted(one: Waiting, sent: Waiting, saved: ReadFlight): Waiting | null {
  const { write } = one
  const [old] = flightsOf(sent)
  const isNew = sent.write.kind === 'create'
  if (write.kind === 'edit' && isNew && write.flight.id === old)
    return { ...one, write: { ...write, flight: saved } }
  // The deletion applies to the flight with one's own change; changes by others since then still cause a refusal.
  if (write.kind === 'delete' && write.flights.some(({ id }) => id === old)) {
    const flights = write.flights.map((flight) => (flight.id === old ? saved : flight))
    return { ...one, write: { ...write, flights } }
  }
  return null
}

/** Without a discarded write, and without those that depend on it. */
export function withoutDiscarded(list: readonly Waiting[], dropped: Waiting): Change {
  if (dropped.write.kind === 'edit') return withoutEdit(list, dropped, dropped.write)
  if (dropped.write.kind !== 'create') return { put: [], remove: [dropped.seq] }
  const id = localId(dropped)
  const built = list.filter((one) => isAbout(one, [id]))
  // A deletion of several flights still deletes the others.
  const put = built.flatMap((one) => {
    if (one.write.kind !== 'delete' || one.write.flights.length === 1) return []
    const flights = one.write.flights.filter((flight) => flight.id !== id)
    return [{ ...one, write: { ...one.write, flights } }]
  })
  const isPut = (one: Waiting) => put.some(({ seq }) => seq === one.seq)
  return { put, remove: built.filter((one) => !isPut(one)).map(({ seq }) => seq) }
}

/** The next change of the flight was based on the discarded one: only its own changes are kept. */
function withoutEdit(list: readonly Waiting[], dropped: Waiting, { flight, base, draft }: Edit): Change {
  const remove = [dropped.seq]
  const next = list.find(
    (one) => one.seq > dropped.seq && one.write.kind === 'edit' && one.write.flight.id === flight.id,
  )
  if (next?.write.kind !== 'edit') return { put: [], remove }
  const rest = mergeDrafts(draft, next.write.draft, base)
  return { put: [{ ...next, write: { ...next.write, flight, base, draft: rest.draft } }], remove }
}

/**
 * What undoing an unsent change leaves: nothing, unless a request was made whose response is unknown. Then it may be stored,
 * and the opposite is sent: for a new flight after the change itself, because only that reveals its id.
 */
export function undoOf(one: Waiting, made: Pick<NewWaiting, 'key' | 'madeAt'>): Change {
  const { write, seq, userId, name, date } = one
  if (one.attemptedAt === null || write.kind === 'restore') return { put: [], remove: [seq] }
  const after = { userId, name, date, ...made, attemptedAt: null, problem: null }
  if (write.kind === 'create') {
    const flights = [{ id: localId(one), version: 0 }]
    return { put: [{ ...after, write: { kind: 'delete', flights } }], remove: [] }
  }
  const opposite: Write =
    write.kind === 'delete'
      ? { kind: 'restore', flights: write.flights }
      : { ...write, base: write.draft, draft: write.base }
  return { put: [{ ...after, seq, write: opposite }], remove: [] }
}

/** The next one to send: in order, but none for a flight whose earlier change needs a decision. */
export function nextOf(list: readonly Waiting[]): Waiting | undefined {
  const held = new Set<number>()
  for (const one of list) {
    const flights = flightsOf(one)
    if (isOpen(one) && !flights.some((id) => held.has(id))) return one
    for (const id of flights) held.add(id)
  }
  return undefined
}

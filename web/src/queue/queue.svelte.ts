/**
 * All changes of flights go through here. A change is sent immediately; while the server cannot be reached, or earlier ones
 * are unsent, it is stored in this browser and sent in order. A refused change stays until the person has decided: nothing is
 * lost silently. All tabs share one queue, and one of them sends.
 */

import { likeness } from '../../../server/domain/flights/duplicates.ts'
import { HOUR, MINUTE } from '../../../server/domain/time/durations.ts'
import { ApiError } from '../api/client.ts'
import type { ReadFlight } from '../api/flights.ts'
import { flightWith } from '../api/flights-of-log.ts'
import { network } from '../api/network.svelte.ts'
import type { FlightRecord } from '../api/types.ts'
import type { Draft } from '../draft/draft.ts'
import { t, withTexts } from '../i18n/i18n.svelte.ts'
import { airportCode } from '../lib/format.ts'
import { toast } from '../lib/overlay/toast.svelte.ts'
import { randomKey } from '../lib/random-key.ts'
import { log, setOverlay } from '../log/log.svelte.ts'
import { isCurrentUser, onSignedInAgain, session } from '../session/session.svelte.ts'
import { announceQueue } from './channel.ts'
import { changeWrites, listWrites } from './kept-writes.ts'
import { isChanged, prepared, type Sent, send } from './send.ts'
import { nothingShown, type Shown, shownOf, withWaiting } from './shown.ts'
import { showWaiting } from './waiting.svelte.ts'
import {
  afterSent,
  type Change,
  flightsOf,
  isOpen,
  lastDraftOf,
  localId,
  type NewWaiting,
  nextOf,
  type Problem,
  placed,
  undoOf,
  type Waiting,
  type Write,
  withoutDiscarded,
} from './write.ts'

let list = $state.raw<readonly Waiting[]>([])
let shown = $state.raw<Shown>(nothingShown)
let isSending = $state(false)
/** Flights that had a temporary id until they were sent. */
const sent = new Map<number, ReadFlight>()

export const queue = {
  /** In the order in which they were made. */
  get list(): readonly Waiting[] {
    return list
  },
  get isSending(): boolean {
    return isSending
  },
  /** A flight with its unsent change. */
  shownFlight: (id: number): FlightRecord | undefined => shown.flights.get(id),
  draftOf: (id: number) => lastDraftOf(list, id),
  /** A flight as the server stored it, by its temporary id. */
  sentAs: (id: number): ReadFlight | undefined => sent.get(id),
}

const me = (): string => session.user?.id ?? ''

// Unsent changes

let latest = 0

async function take(next: readonly Waiting[]): Promise<void> {
  const call = ++latest
  const flights = await shownOf(next)
  if (call !== latest) return
  show(next, flights)
}

function show(next: readonly Waiting[], flights: Shown): void {
  list = next
  shown = flights
  setOverlay(next.length === 0 ? null : (stored) => withWaiting(stored, flights))
  const asking = next.filter((one) => !isOpen(one)).length
  showWaiting({ count: next.length, asking, flights: new Set(next.flatMap(flightsOf)) })
}

async function change(to: (before: Waiting[]) => Change): Promise<readonly Waiting[]> {
  const next = await changeWrites(me(), to)
  await take(next)
  announceQueue()
  return next
}

/** Another tab has changed the queue. */
export async function reload(sentThere: Record<string, ReadFlight> | null): Promise<void> {
  for (const [id, flight] of Object.entries(sentThere ?? {})) sent.set(Number(id), flight)
  await take(await listWrites(me()))
  watch()
  // The other tab may be closed. A hidden tab sends when it is closed.
  if (nextOf(list) && !isSignedOut && document.visibilityState === 'visible') sendIn(PAUSES_MS[0]!)
}

/** Call once if there are unsent changes from before: they are shown and sent. */
export async function start(): Promise<void> {
  await adoptEarlier()
  await take(await listWrites(me()))
  watch()
  void sendWaiting()
}

/** Flights that an earlier version of the app kept in localStorage. */
async function adoptEarlier(): Promise<void> {
  const store = 'contrail.draft.waiting'
  const text = localStorage.getItem(store)
  if (text === null) return
  const kept = JSON.parse(text) as { key: string; draft: Draft }[]
  const put = kept.map(({ key, draft }) => newWaiting({ kind: 'create', draft, input: null }, key))
  await changeWrites(me(), () => ({ put, remove: [] }))
  localStorage.removeItem(store)
}

// Making changes

export type Outcome =
  | Sent
  /** The change is stored in this browser; a new flight gets a temporary id. `undo` returns false if it has been sent. */
  | { is: 'waiting'; id: number; undo: () => Promise<boolean> }

interface Options {
  /** The unsent change that this one replaces. */
  replaces?: number | undefined
  /** When that one was made, according to the form. */
  shownAt?: number | undefined
  /** Called when the change is stored in this browser; it stays there until it is sent or refused. */
  onkept?: () => void
}

/** Sends or queues a change. Throws an ApiError if the server refuses it, or if it can be neither sent nor stored. */
export async function submit(asked: Write, options: Options = {}): Promise<Outcome> {
  const { replaces, shownAt } = options
  const write = withSentIds(asked)
  const added = newWaiting(write, randomKey())
  const ready = asNewIfRefused(write, replaces)
  const canSendNow = !list.some((one) => isOpen(one) || (one.seq !== replaces && isAboutSame(one, write)))
  if (!network.online || !canSendNow || hasLocalId(ready)) {
    const waits = await wait(added, { replaces, shownAt })
    // Where nothing can be stored, sending is still worth a try.
    if (waits) return waits
  }
  return sendNow({ ...added, write: ready }, options)
}

/** Stored before it is sent: the tab may be closed before the response arrives. */
async function sendNow(added: NewWaiting, { replaces, shownAt, onkept }: Options): Promise<Outcome> {
  let attempt = added
  let kept: number | undefined
  try {
    attempt = { ...added, write: await prepared(added.write), attemptedAt: Date.now() }
    const result = await whileNoTabSends(async (isAlone) => {
      // Another tab that is sending would send this too.
      if (isAlone) kept = await keepAttempt(attempt)
      if (kept !== undefined) onkept?.()
      return announcingOnClose(() => send(attempt.write, attempt.key))
    })
    await drop(kept, result.is === 'changed' ? undefined : replaces)
    return result
  } catch (error) {
    if (!isUnreached(error)) {
      await drop(kept)
      throw error
    }
    const waits = await wait(attempt, { replaces, shownAt, kept })
    if (waits) return waits
    throw new ApiError(0, { code: 'offline', reason: 'not_kept', message: 'The change cannot be kept' })
  }
}

/** Undefined where the browser stores nothing. */
async function keepAttempt(attempt: NewWaiting): Promise<number | undefined> {
  const after = await changeWrites(me(), () => ({ put: [attempt], remove: [] })).catch(() => [])
  return after.find(({ key }) => key === attempt.key)?.seq
}

/** If this tab is closed meanwhile, another one finds the stored change and sends it. */
async function announcingOnClose<Result>(run: () => Promise<Result>): Promise<Result> {
  const tell = () => announceQueue()
  addEventListener('pagehide', tell)
  try {
    return await run()
  } finally {
    removeEventListener('pagehide', tell)
  }
}

/** A refused new flight is edited in the form: it is still a new one. */
function asNewIfRefused(write: Write, replaces: number | undefined): Write {
  const refused = list.find((one) => one.seq === replaces && one.write.kind === 'create' && !isOpen(one))
  return refused && write.kind === 'edit' ? { kind: 'create', draft: write.draft, input: null } : write
}

/** One that cannot be removed is sent again, which changes nothing. */
async function drop(...seqs: (number | undefined)[]): Promise<void> {
  const remove = seqs.filter((seq) => seq !== undefined)
  if (remove.length > 0) await change(() => ({ put: [], remove })).catch(() => {})
}

const hasLocalId = (write: Write): boolean =>
  write.kind === 'edit'
    ? write.flight.id < 0
    : write.kind !== 'create' && write.flights.some(({ id }) => id < 0)

const isAboutSame = (one: Waiting, write: Write): boolean => {
  const ids = flightsOf(one)
  if (write.kind === 'create') return false
  return write.kind === 'edit'
    ? ids.includes(write.flight.id)
    : write.flights.some(({ id }) => ids.includes(id))
}

/** The flight may have been sent since the form was opened. */
function withSentIds(write: Write): Write {
  const real = (flight: ReadFlight) => sent.get(flight.id) ?? flight
  if (write.kind === 'edit') return { ...write, flight: real(write.flight) }
  return write.kind === 'create' ? write : { ...write, flights: write.flights.map(real) }
}

interface Placing extends Pick<Options, 'replaces' | 'shownAt'> {
  /** The sending attempt that this one replaces. */
  kept?: number | undefined
}

/** Null where the browser stores nothing. */
async function wait(added: NewWaiting, { replaces, shownAt, kept }: Placing): Promise<Outcome | null> {
  let before: readonly Waiting[] = []
  const next = await change((now) => {
    before = now.filter(({ seq }) => seq !== kept)
    const { put, remove } = placed(before, added, shownAt)
    // A refused new flight is created again by the form; an edit replaces the one before it.
    const replaced = added.write.kind === 'create' ? replaces : undefined
    return { put, remove: [...remove, ...[kept, replaced].filter((seq) => seq !== undefined)] }
  }).catch(() => null)
  if (!next) return null
  watch()
  void sendWaiting()
  const made = next.find((one) => !before.some(({ seq }) => seq === one.seq))
  const id = made && made.write.kind === 'create' ? localId(made) : 0
  return { is: 'waiting', id, undo: () => restore(before, next) }
}

/** Reverts what a change has added, replaced or removed; false if it has been sent meanwhile. */
async function restore(before: readonly Waiting[], after: readonly Waiting[]): Promise<boolean> {
  // A running attempt may succeed, or fail like those before it.
  await sending.catch(() => {})
  const at = (all: readonly Waiting[], { seq }: Waiting) => all.find((one) => one.seq === seq)
  const made = after.filter((one) => at(before, one)?.madeAt !== one.madeAt)
  let isBack = true
  await change((now) => {
    isBack = made.every((one) => at(now, one) !== undefined)
    if (!isBack) return { put: [], remove: [] }
    const put = before.filter((one) => at(after, one)?.madeAt !== one.madeAt)
    const back = made
      .filter((one) => !at(before, one))
      .map((one) => undoOf(at(now, one)!, { key: randomKey(), madeAt: Date.now() }))
    return { put: [...put, ...back.flatMap((one) => one.put)], remove: back.flatMap((one) => one.remove) }
  })
  void sendWaiting()
  return isBack
}

function newWaiting(write: Write, key: string): NewWaiting {
  const made = { userId: me(), key, madeAt: Date.now(), ...namesOf(write) }
  return { ...made, write, attemptedAt: null, problem: null }
}

type Names = Pick<NewWaiting, 'name' | 'date'>

function namesOf(write: Write): Names {
  if (write.kind === 'create' || write.kind === 'edit') {
    const { from, to, texts, date } = write.draft
    return { name: texts.flightNumber.trim() || routeOf(from, to), date }
  }
  const [only] = write.flights.map(({ id }) => log.find(id))
  if (!only || write.flights.length > 1) return { name: '', date: null }
  return { name: only.flightNumber ?? routeOf(only.from, only.to), date: only.date }
}

const routeOf = (from: Draft['from'], to: Draft['to']): string =>
  [from, to].map((airport) => (airport ? airportCode(airport) : '???')).join(' → ')

// Decisions about unsent changes

export async function discard(one: Waiting): Promise<void> {
  await change((now) => withoutDiscarded(now, one))
}

/** The person wants it sent anyway: a refused change again, or a deletion of the version stored now. */
export async function tryAgain(one: Waiting): Promise<void> {
  const write = await renewed(one)
  const again = { ...one, write, key: randomKey(), attemptedAt: null, problem: null }
  await change((now) => ({ put: now.some(({ seq }) => seq === one.seq) ? [again] : [], remove: [] }))
  await sendWaiting()
}

async function renewed({ write, problem }: Waiting): Promise<Write> {
  if (write.kind === 'create') return { ...write, input: null }
  if (write.kind !== 'delete' || problem?.is !== 'changed') return write
  const { getFlight } = await import('../api/flights.ts')
  return { ...write, flights: await Promise.all(write.flights.map(({ id }) => getFlight(id))) }
}

// Sending

/** The response says nothing definite about the change, so it may be sent again. */
const isUnreached = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.offline || [401, 408, 429].includes(error.status) || error.reason === 'idempotency_running')

const PAUSES_MS = [2000, 5000, 15_000, MINUTE, 5 * MINUTE]
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
let isWatching = false
/** The last attempt, or the running one. */
let sending: Promise<void> = Promise.resolve()
/** The person dismissed the password dialog: it is not shown again until they do something. */
let isSignedOut = false

/** Sends when the server may be reachable again: the browser does not notice this for a server on the local network. */
function watch(): void {
  if (isWatching) return
  isWatching = true
  const now = () => {
    failures = 0
    if (!isSignedOut) void sendWaiting()
  }
  onSignedInAgain(() => {
    isSignedOut = false
    now()
  })
  addEventListener('online', now)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') now()
  })
}

const sendLater = (): void => sendIn(PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)]!)

function sendIn(pauseMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void sendWaiting(), pauseMs)
}

const lockName = () => `contrail.queue ${me()}`

/** One tab at a time, where the browser supports locks; the server accepts each change only once in any case. */
const onlyHere = async (run: () => Promise<void>): Promise<void> =>
  navigator.locks
    ? navigator.locks.request(lockName(), { ifAvailable: true }, (lock) => (lock ? run() : sendLater()))
    : run()

/** Several at a time, while no tab is sending. */
const whileNoTabSends = async (run: (isAlone: boolean) => Promise<Sent>): Promise<Sent> =>
  navigator.locks
    ? navigator.locks.request(lockName(), { mode: 'shared', ifAvailable: true }, (lock) => run(lock !== null))
    : run(true)

export function sendWaiting(): Promise<void> {
  if (isSending) return sending
  if (!nextOf(list)) return Promise.resolve()
  sending = sendAll()
  return sending
}

async function sendAll(): Promise<void> {
  isSending = true
  isSignedOut = false
  clearTimeout(timer)
  const done: Waiting[] = []
  try {
    await onlyHere(async () => {
      list = await listWrites(me())
      for (let one = nextOf(list); one; one = nextOf(list)) if (await sendOne(one)) done.push(one)
    })
    failures = 0
  } catch (error) {
    if (!isUnreached(error)) throw error
    isSignedOut = error instanceof ApiError && error.status === 401
    if (!isSignedOut) sendLater()
  } finally {
    isSending = false
  }
  await report(done)
}

async function report(done: readonly Waiting[]): Promise<void> {
  if (done.length === 0) {
    await take(list)
    return
  }
  const next = await listWrites(me())
  const flights = await shownOf(next)
  await log.refresh()
  // In the same task, so that a flight is never visible twice or not at all.
  latest++
  show(next, flights)
  announceQueue(Object.fromEntries(sent))
  await withTexts('waiting', async () => undefined)
  toast(t('waiting.sent', { count: done.length, name: done[0]!.name }))
  if (nextOf(list)) void sendWaiting()
}

/** Returns whether it was sent. Until the log is loaded, sent changes stay visible. */
async function sendOne(one: Waiting): Promise<boolean> {
  if (!isCurrentUser(one.userId))
    throw new ApiError(401, { code: 'unauthorized', reason: 'unauthorized', message: '' })
  if (await isMaybeStored(one)) return keepProblem(one, { is: 'twice' })
  let result: Sent
  try {
    const attempt = {
      ...one,
      write: await prepared(one.write),
      attemptedAt: one.attemptedAt ?? startOfAttempt(),
    }
    // It was discarded in another tab, or has been replaced by another change.
    if (!(await noteAttempt(attempt))) return false
    result = await send(attempt.write, one.key)
  } catch (error) {
    if (isUnreached(error)) throw error
    return keepProblem(one, problemOf(one, error))
  }
  if (result.is === 'changed') return keepProblem(one, { is: 'changed' })
  await noteSent(one, result)
  return true
}

/** Without any network no request leaves the device, so no response can be lost. */
const startOfAttempt = (): number | null => (navigator.onLine ? Date.now() : null)

/** False if it is no longer queued, or was changed since it was read. On a full disk it is sent anyway. */
async function noteAttempt(attempt: Waiting): Promise<boolean> {
  const isThere = (now: readonly Waiting[]) =>
    now.some(({ seq, key }) => seq === attempt.seq && key === attempt.key)
  try {
    list = await changeWrites(me(), (now) => ({ put: isThere(now) ? [attempt] : [], remove: [] }))
  } catch {
    list = await listWrites(me())
  }
  return isThere(list)
}

async function noteSent(one: Waiting, result: Exclude<Sent, { is: 'changed' }>): Promise<void> {
  const saved = result.is === 'saved' ? result.flight : null
  if (saved && one.write.kind === 'create') sent.set(localId(one), { id: saved.id, version: saved.version })
  list = await changeWrites(me(), (now) =>
    afterSent(now, one, saved && { id: saved.id, version: saved.version }),
  )
}

/** An unexpected error, as with a change that an earlier version stored in another format, must not block the others. */
function problemOf({ write }: Waiting, error: unknown): Problem {
  if (!(error instanceof ApiError))
    return { is: 'refused', reason: 'internal_error', message: String(error), params: {} }
  if (error.status === 404 && write.kind === 'edit') return { is: 'gone' }
  if (isChanged(error)) return { is: 'changed' }
  const { reason, message, params } = error.details[0] ?? error
  return { is: 'refused', reason, message, params: params ?? {} }
}

/** A refusal is definite, so the next attempt is a new request. */
async function keepProblem(one: Waiting, problem: Problem): Promise<false> {
  const asking = { ...one, problem, attemptedAt: null, key: randomKey() }
  list = await changeWrites(me(), (now) => ({
    put: now.some(({ seq }) => seq === one.seq) ? [asking] : [],
    remove: [],
  }))
  announceQueue()
  return false
}

const notCompared = () =>
  new ApiError(0, { code: 'offline', reason: 'offline', message: 'The log could not be loaded' })

/** The server keeps a key for a day. After that, resending a flight whose response was lost would create it again. */
const KEY_KNOWN_MS = 23 * HOUR

async function isMaybeStored({ write, attemptedAt }: Waiting): Promise<boolean> {
  if (write.kind !== 'create' || attemptedAt === null) return false
  // A time in the future: the clock was wrong then or is wrong now, so the age is unknown.
  const age = Date.now() - attemptedAt
  if (age >= 0 && age < KEY_KNOWN_MS) return false
  if (!(await log.loadOwn())) throw notCompared()
  const { draft, input } = write
  const wanted = {
    date: draft.date,
    datePrecision: draft.datePrecision,
    flightNumber: draft.texts.flightNumber.trim() || null,
    airlineId: draft.airline?.id ?? null,
    departure: input?.departure ?? null,
    departureScheduled: input?.departureScheduled ?? null,
  }
  return log.own.some(
    (flight) =>
      flight.id > 0 &&
      flight.from?.id === draft.from?.id &&
      flight.to?.id === draft.to?.id &&
      likeness(
        wanted,
        flightWith(flight, { airlineId: flight.airline?.id ?? null, departureScheduled: null }),
      ) !== 'other',
  )
}

// One person's log, or everyone's, kept in memory for statistics. A request that needs a later state reads the changes from the
// change sequence and recounts the affected years; the whole log is read only if that is not enough. Everything runs in small
// steps, so that other requests are served in between.
import { isDeepStrictEqual } from 'node:util'
import { createSlices, inSteps, type Slices } from '../../base/in-steps.ts'
import { type CountedLog, createCountedLog } from '../../domain/statistics/counted-log.ts'
import { CHANGES, EVERYONE, flightsOf, forgottenFor, readRevisions } from '../../store/engine/revisions.ts'
import { type LogFlight, listLogFlights, listLogInParts } from '../../store/flights/log.ts'
import { listChanges } from '../../store/history/changes.ts'
import { type Executor, requireCommitted } from '../../store/store.ts'
import type { Reference } from '../reference/reference.ts'
import { type KeptFlight, keptFlight, type Measures } from './stat-flight.ts'

/** The minimum state that a request must see, and the instant at which flights are judged. */
export interface Moment {
  db: Executor
  /** The revision of the log's flights; for everyone's log, the change sequence. */
  revision: number
  reference: number
  epoch: number
  now: number
}

/** A log at the moment of a request. Read it synchronously; it may change after an `await`. */
export interface LogView {
  get(id: number): KeptFlight | undefined
  /** In order of id, including cancelled and planned ones. */
  flights(): KeptFlight[]
  /** Flights that count but are not flown yet. */
  pending(): Iterable<KeptFlight>
  /** The statistics of flights that count and are flown. */
  document: CountedLog['document']
}

export interface KeptLog {
  readonly size: number
  read<Result>(moment: Moment, reader: (log: LogView) => Result): Promise<Result>
}

interface State {
  revision: number
  reference: number
  epoch: number
  /** The last change that is included. */
  number: number
  flights: Map<number, KeptFlight>
  /** The flights that are flown and count. */
  counted: CountedLog
  pending: Set<KeptFlight>
  /** At any instant after `lastCompleted` and up to `nextCompletes`, the same flights are flown. */
  lastCompleted: number
  nextCompletes: number
}

/** With more changes than this, reading the whole log is faster. */
const CHANGES_AT_MOST = 1000
/** The most changes that are made while a whole log is read, in a few seconds. */
const MEANWHILE_AT_MOST = 20_000
/** Flights that one statement reads. */
const FLIGHTS_AT_ONCE = 250

/** The counter that increments with every change of a log. */
export const counterOf = (audience: string | null): string =>
  audience === null ? CHANGES : flightsOf(audience)

export function createKeptLog(reference: Reference, audience: string | null, measures: Measures): KeptLog {
  const viewer = audience ?? EVERYONE
  let state: State | undefined
  let working: Promise<void> | undefined

  const isRead = (at: Moment): boolean =>
    state !== undefined &&
    state.revision >= at.revision &&
    state.reference >= at.reference &&
    state.epoch >= at.epoch

  const isJudged = ({ now }: Moment): boolean =>
    state !== undefined && state.lastCompleted < now && now <= state.nextCompletes

  async function refresh(at: Moment): Promise<void> {
    try {
      if (!isRead(at)) state = (await withChanges(at, state, CHANGES_AT_MOST)) ?? (await wholeLog(at))
      judge(state!, at.now)
      const slices = createSlices()
      for (const _ of state!.counted.count()) await slices.next()
    } catch (error) {
      // The state may be half changed.
      state = undefined
      throw error
    }
  }

  /** The log with the changes since it was read; undefined if they are unknown or too many. */
  async function withChanges(
    at: Moment,
    state: State | undefined,
    atMost: number,
  ): Promise<State | undefined> {
    const { db } = at
    if (!state || state.reference < at.reference || state.epoch < at.epoch) return undefined
    const after = state.number
    // Read before the changes, so that the revision is never ahead of them.
    const [revision] = await readRevisions(db, [counterOf(audience)])
    const changes = await listChanges(db, viewer, 'flight', after, atMost + 1)
    // Read after the changes, so that no removal is lost in between.
    const [current, forgotten] = await readRevisions(db, [CHANGES, forgottenFor(viewer)])
    if (changes.length > atMost || after > current! || after < forgotten!) return undefined
    const slices = createSlices()
    const replace = async (ids: readonly number[]) => {
      // A flight that left the log after the changes were listed is among the next changes.
      const flights = (await listLogFlights(db, ids)).filter(isInLog)
      const present = new Set(flights.map(({ id }) => id))
      for (const id of ids) if (!present.has(id)) remove(state, id)
      await put(state, at, flights, slices)
    }
    const ids = changes.map(({ id }) => id)
    await inSteps(ids, replace, { size: FLIGHTS_AT_ONCE, slices })
    state.number = changes.at(-1)?.number ?? after
    state.revision = Math.max(state.revision, revision!)
    return state
  }

  const isInLog = ({ passengers }: LogFlight): boolean =>
    audience === null || passengers.some(({ userId }) => userId === audience)

  async function wholeLog(at: Moment): Promise<State> {
    // Read before the flights: anything written meanwhile is read again with the changes.
    const [number, revision] = await readRevisions(at.db, [CHANGES, counterOf(audience)])
    const read: State = {
      revision: revision!,
      reference: at.reference,
      epoch: at.epoch,
      number: number!,
      flights: new Map(),
      counted: createCountedLog(audience),
      pending: new Set(),
      lastCompleted: Number.NEGATIVE_INFINITY,
      nextCompletes: Number.POSITIVE_INFINITY,
    }
    const slices = createSlices()
    for await (const flights of listLogInParts(at.db, audience)) await put(read, at, flights, slices)
    // A flight that was moved to another date meanwhile may be missing.
    return (await withChanges(at, read, MEANWHILE_AT_MOST)) ?? read
  }

  /** `flights`: at most as many as one statement reads. */
  async function put(into: State, at: Moment, flights: readonly LogFlight[], slices: Slices): Promise<void> {
    const records = await reference.records(at.db, at.reference, {
      airports: flights.flatMap(({ fromId, toId }) => [fromId, toId]),
      airlines: flights.map(({ airlineId }) => airlineId),
      aircraft: flights.map(({ aircraftId }) => aircraftId),
    })
    const putSome = (some: readonly LogFlight[]) => {
      for (const flight of some) {
        const kept = keptFlight(flight, records, measures)
        // A change of the note affects no figure.
        if (isDeepStrictEqual(kept, into.flights.get(flight.id))) continue
        remove(into, flight.id)
        into.flights.set(flight.id, kept)
        if (!kept.isCancelled) into.pending.add(kept)
      }
    }
    await inSteps(flights, putSome, { slices })
    // Judged after every batch, so that flown flights of a long log do not pile up as pending.
    judge(into, at.now)
  }

  return {
    get size() {
      return state?.flights.size ?? 0
    },
    async read(at, reader) {
      requireCommitted(at.db)
      // Only one attempt, because the database may lag behind the caller's revision.
      let isTried = false
      while (working || !isJudged(at) || !(isTried || isRead(at))) {
        if (!working) {
          isTried = true
          working = refresh(at).finally(() => {
            working = undefined
          })
        }
        await working
      }
      return reader(viewOf(state!))
    },
  }
}

function remove(state: State, id: number): void {
  const known = state.flights.get(id)
  if (!known) return
  state.flights.delete(id)
  if (!known.isCancelled && !state.pending.delete(known)) state.counted.remove(known.figures)
}

/** Counts the flights that are flown at an instant. If the clock was set back, flights are removed again. */
function judge(state: State, now: number): void {
  if (state.lastCompleted >= now) {
    state.lastCompleted = Number.NEGATIVE_INFINITY
    for (const flight of state.flights.values()) {
      if (flight.isCancelled || state.pending.has(flight)) continue
      if (flight.completes < now) state.lastCompleted = Math.max(state.lastCompleted, flight.completes)
      else {
        state.pending.add(flight)
        state.counted.remove(flight.figures)
      }
    }
  }
  state.nextCompletes = Number.POSITIVE_INFINITY
  for (const flight of state.pending) {
    if (flight.completes >= now) state.nextCompletes = Math.min(state.nextCompletes, flight.completes)
    else {
      state.pending.delete(flight)
      state.counted.add(flight.figures)
      state.lastCompleted = Math.max(state.lastCompleted, flight.completes)
    }
  }
}

const viewOf = ({ flights, pending, counted }: State): LogView => ({
  get: (id) => flights.get(id),
  flights: () => [...flights.values()].sort((a, b) => a.figures.id - b.figures.id),
  pending: () => pending,
  document: counted.document,
})

// One person's log, or everyone's, as statistics count it, kept in memory. A request that needs a later state reads what changed
// from the change sequence and counts the years concerned; the whole log is read only where that is not enough. Everything is done
// in small steps, so that other requests are served in between.
import { isDeepStrictEqual } from 'node:util'
import { createSlices, inSteps, type Slices } from '../base/in-steps.ts'
import { type CountedLog, createCountedLog } from '../domain/statistics/counted-log.ts'
import type { Reference } from '../reference/reference.ts'
import { listChanges } from '../store/changes.ts'
import { type LogFlight, listLogFlights, listLogInParts } from '../store/flight-log.ts'
import { CHANGES, EVERYONE, flightsOf, forgottenFor, readRevisions } from '../store/revisions.ts'
import { type Executor, requireCommitted } from '../store/store.ts'
import { type KeptFlight, keptFlight, type Measures } from './stat-flight.ts'

/** The state that a request must see at least, and the instant at which flights are judged. */
export interface Moment {
  db: Executor
  /** Of the log's flights; everyone's: the change sequence. */
  revision: number
  reference: number
  epoch: number
  now: number
}

/** A log as it is at the moment of a request. It is read at once: it may change afterwards. */
export interface LogView {
  get(id: number): KeptFlight | undefined
  /** By id, with cancelled and planned ones. */
  flights(): KeptFlight[]
  /** Those that count and are not flown yet. */
  pending(): Iterable<KeptFlight>
  /** Of those that count and are flown. */
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
  /** Every change up to this one is in it. */
  number: number
  flights: Map<number, KeptFlight>
  /** Those that are flown and count. */
  counted: CountedLog
  pending: Set<KeptFlight>
  /** Judged at any instant after the first and up to the second, the same flights are flown. */
  lastCompleted: number
  nextCompletes: number
}

/** With more changes than this, the whole log is read faster. */
const CHANGES_AT_MOST = 1000
/** Written while a whole log is read, a few seconds at most. */
const MEANWHILE_AT_MOST = 20_000
/** Flights that one statement reads. */
const FLIGHTS_AT_ONCE = 250

/** The counter that rises with every change of a log. */
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
      // It may have been changed halfway.
      state = undefined
      throw error
    }
  }

  /** The log with what changed since it was read; undefined if that is not known or too much. */
  async function withChanges(
    at: Moment,
    state: State | undefined,
    atMost: number,
  ): Promise<State | undefined> {
    const { db } = at
    if (!state || state.reference < at.reference || state.epoch < at.epoch) return undefined
    const after = state.number
    // Before the changes are read, so that it is never ahead of them.
    const [revision] = await readRevisions(db, [counterOf(audience)])
    const changes = await listChanges(db, viewer, 'flight', after, atMost + 1)
    // After them, so that no removal is forgotten between.
    const [current, forgotten] = await readRevisions(db, [CHANGES, forgottenFor(viewer)])
    if (changes.length > atMost || after > current! || after < forgotten!) return undefined
    const slices = createSlices()
    const replace = async (ids: readonly number[]) => {
      // A flight that left the log since the changes were listed is among the next ones.
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
    // Before the flights are read: what is written meanwhile is read again, with the changes.
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
    // A flight that was moved to another date meanwhile may have been missed.
    return (await withChanges(at, read, MEANWHILE_AT_MOST)) ?? read
  }

  /** At most as many flights as one statement reads. */
  async function put(into: State, at: Moment, flights: readonly LogFlight[], slices: Slices): Promise<void> {
    const records = await reference.records(at.db, at.reference, {
      airports: flights.flatMap(({ fromId, toId }) => [fromId, toId]),
      airlines: flights.map(({ airlineId }) => airlineId),
      aircraft: flights.map(({ aircraftId }) => aircraftId),
    })
    const putSome = (some: readonly LogFlight[]) => {
      for (const flight of some) {
        const kept = keptFlight(flight, records, measures)
        // A note is in no figure.
        if (isDeepStrictEqual(kept, into.flights.get(flight.id))) continue
        remove(into, flight.id)
        into.flights.set(flight.id, kept)
        if (!kept.isCancelled) into.pending.add(kept)
      }
    }
    await inSteps(flights, putSome, { slices })
    // What is flown is not held as pending until the end of a long log.
    judge(into, at.now)
  }

  return {
    get size() {
      return state?.flights.size ?? 0
    },
    async read(at, reader) {
      requireCommitted(at.db)
      // A database that lags behind the caller's revision is not read indefinitely.
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

/** Counts what is flown at an instant. A clock that was set back takes flights out again. */
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

// Requests that wait for a change. One timer per process checks the change counter while any request is waiting; a write
// by this process triggers a check immediately. A waiting request holds no database connection.
import { AppError } from '../../base/errors.ts'
import { WAITING_AT_MOST } from '../../domain/history/changes.ts'
import { problem } from '../../domain/reasons.ts'
import { CHANGES, readRevisions } from '../engine/revisions.ts'
import type { Store } from '../store.ts'

/** How soon a change made by another process is noticed, and how precisely a wait ends. */
const LOOK_EVERY_MS = 500

/** The revisions that the request saw, by counter name. */
export type Counters = ReadonlyMap<string, number>

export interface ChangeWaiters {
  /** The same store, whose transactions trigger a check. */
  readonly store: Store
  /**
   * Resolves to true when one of the counters changes, and to false after the given time, or when the client disconnects or
   * the server stops. Rejects a third request with the same credential.
   */
  wait(request: WaitingRequest): Promise<boolean>
  /** The number of waiting requests. */
  readonly count: number
  /** Ends all waits; later requests return immediately. */
  stop(): void
}

interface WaitingRequest {
  credential: string
  counters: Counters
  milliseconds: number
  onDisconnect?: ((listener: () => void) => void) | undefined
}

interface Waiter {
  credential: string
  counters: Counters
  until: number
  release(isChanged: boolean): void
}

export function createChangeWaiters(store: Store): ChangeWaiters {
  const waiting = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let [isLooking, lookAgain, isStopped] = [false, false, false]
  /** The last change number at which all waiting requests were compared; -1 if some have not been compared yet. */
  let comparedAt = -1

  const releaseAll = (isChanged: boolean) => {
    for (const waiter of [...waiting]) waiter.release(isChanged)
  }

  async function compare(): Promise<void> {
    const [number] = await readRevisions(store.read, [CHANGES])
    if (number === comparedAt || waiting.size === 0) return
    comparedAt = number!
    const compared = [...waiting]
    const names = [...new Set(compared.flatMap(({ counters }) => [...counters.keys()]))]
    const values = await readRevisions(store.read, names)
    const now = new Map(names.map((name, i) => [name, values[i]!]))
    for (const waiter of compared) {
      const isChanged = waiter.counters.entries().some(([name, value]) => now.get(name) !== value)
      if (isChanged) waiter.release(true)
    }
  }

  async function look(): Promise<void> {
    if (isLooking) {
      lookAgain = true
      return
    }
    isLooking = true
    try {
      do {
        lookAgain = false
        const now = performance.now()
        for (const waiter of [...waiting]) if (waiter.until <= now) waiter.release(false)
        if (waiting.size > 0) await compare()
      } while (lookAgain)
    } catch {
      // The database is unreachable; each waiting request fails on its own.
      releaseAll(true)
    }
    isLooking = false
    lookLater()
  }

  function lookLater(): void {
    clearTimeout(timer)
    if (waiting.size > 0) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
    timer?.unref()
  }

  return {
    store: {
      ...store,
      async transaction(work) {
        const result = await store.transaction(work)
        if (waiting.size > 0) void look()
        return result
      },
    },
    wait({ credential, counters, milliseconds, onDisconnect }) {
      const others = [...waiting].filter((waiter) => waiter.credential === credential)
      if (others.length >= WAITING_AT_MOST) {
        throw new AppError('conflict', problem('too_many_waiting', { max: WAITING_AT_MOST }))
      }
      if (isStopped) return Promise.resolve(false)
      return new Promise((resolve) => {
        const waiter: Waiter = {
          credential,
          counters,
          until: performance.now() + milliseconds,
          release(isChanged) {
            waiting.delete(waiter)
            resolve(isChanged)
          },
        }
        waiting.add(waiter)
        comparedAt = -1
        onDisconnect?.(() => waiter.release(false))
        if (waiting.size === 1 && !isLooking) lookLater()
      })
    },
    get count() {
      return waiting.size
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      releaseAll(false)
    },
  }
}

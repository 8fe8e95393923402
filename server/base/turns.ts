// A queue for one kind of work: it limits how much runs concurrently and how much may wait, and refuses the rest. Each kind
// has its own queue, so that a flood of one kind never stops another.
import { Unavailable } from './errors.ts'

/**
 * Requests of unknown clients run after those of known ones, and each group has a limit of its own. The server's own work
 * is never refused.
 */
export type Waiter = 'known' | 'stranger' | 'server'

export type Turns = <Result>(work: () => Promise<Result>, waiter?: Waiter) => Promise<Result>

interface Lane {
  atOnce: number
  /** Counted separately for known and unknown clients. */
  waitingAtMost: number
  /** The error for work that may not wait. */
  refuse?: () => Error
}

const busy = () => new Unavailable('server_busy')

export function createTurns({ atOnce, waitingAtMost, refuse = busy }: Lane): Turns {
  const known: (() => void)[] = []
  const strangers: (() => void)[] = []
  let running = 0

  function place(waiter: Waiter): Promise<void> {
    const queue = waiter === 'stranger' ? strangers : known
    if (waiter !== 'server' && queue.length >= waitingAtMost) throw refuse()
    return new Promise((resolve) => queue.push(resolve))
  }

  return async (work, waiter = 'known') => {
    if (running < atOnce) running++
    // A finished task hands its place to the next one in the queue.
    else await place(waiter)
    try {
      return await work()
    } finally {
      const next = known.shift() ?? strangers.shift()
      if (next) next()
      else running--
    }
  }
}

/** Work with the same key runs one after the other. */
export function createQueues(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<void>>()
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const ended = result.then(
      () => undefined,
      () => undefined,
    )
    last.set(key, ended)
    void ended.then(() => last.get(key) === ended && last.delete(key))
    return result
  }
}

// A lane for one kind of work: so much of it runs at once, so much may wait, the rest is refused. Each kind has its own, so
// that a flood of one never stops another.
import { Unavailable } from './errors.ts'

/**
 * Who waits: strangers behind everyone whom the server knows, and each of the two in a queue of its own length. The server's own
 * work is never refused.
 */
export type Waiter = 'known' | 'stranger' | 'server'

export type Turns = <Result>(work: () => Promise<Result>, waiter?: Waiter) => Promise<Result>

interface Lane {
  atOnce: number
  /** Of the known and of strangers each. */
  waitingAtMost: number
  /** The error for those who cannot wait. */
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
    // A finished task passes its place on to the next in the queues.
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

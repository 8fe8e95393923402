// Limits how many tasks run concurrently; the others wait in order.

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createTurns(concurrency: number): Turns {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < concurrency) running++
    // A finished task passes its place on to the first in the queue.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

// Work that runs a few at a time; the rest waits in order.

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    // Work that ends hands its place to the first that waits.
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

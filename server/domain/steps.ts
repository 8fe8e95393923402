// Long computations that can pause: at each `yield`, the caller may do other work, as a server does that has other requests to
// serve. A browser runs them to the end.

export type Steps<Result> = Generator<void, Result, void>

/** Runs to the end without pausing. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Items between two pauses: pausing after every item could cost more than the item. */
const ITEMS_A_STEP = 32

export function* eachInSteps<Item>(
  items: Iterable<Item>,
  take: (item: Item, index: number) => void,
): Steps<void> {
  let i = 0
  for (const item of items) {
    take(item, i++)
    if (i % ITEMS_A_STEP === 0) yield
  }
}

export function* flatMapInSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => readonly Result[],
): Steps<Result[]> {
  const all: Result[] = []
  yield* eachInSteps(items, (item, i) => {
    for (const result of map(item, i)) all.push(result)
  })
  return all
}

const SORTED_AT_ONCE = 256

/** Like `toSorted`: equal items keep their order. Input that is sorted already, in either direction, needs few comparisons. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Steps<Item[]> {
  let runs: Item[][] = []
  for (let start = 0; start < items.length; start += SORTED_AT_ONCE) {
    runs.push(items.slice(start, start + SORTED_AT_ONCE).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let i = 0; i < runs.length; i += 2) {
      const [first, second] = [runs[i]!, runs[i + 1]]
      merged.push(second ? yield* mergeInSteps(first, second, compare) : first)
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* mergeInSteps<Item>(
  a: readonly Item[],
  b: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Steps<Item[]> {
  yield
  if (compare(a.at(-1)!, b[0]!) <= 0) return [...a, ...b]
  if (compare(b.at(-1)!, a[0]!) < 0) return [...b, ...a]
  const merged: Item[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const isFirst = j === b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0)
    merged.push(isFirst ? a[i++]! : b[j++]!)
    if (merged.length % SORTED_AT_ONCE === 0) yield
  }
  return merged
}

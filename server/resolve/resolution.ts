// What a resolver returns. That nothing or too much matches is a result, not an error: each caller
// writes its own message, and some continue without a record.

export type Resolution<Item> =
  | { outcome: 'found'; record: Item }
  /** At least two, best match first. */
  | { outcome: 'ambiguous'; candidates: readonly Item[] }
  | { outcome: 'unknown' }

export const foundOrUnknown = <Item>(record: Item | undefined): Resolution<Item> =>
  record === undefined ? { outcome: 'unknown' } : { outcome: 'found', record }

/** The record if exactly one is meant, for callers to whom the reason does not matter. */
export const recordOf = <Item>(resolution: Resolution<Item>): Item | undefined =>
  resolution.outcome === 'found' ? resolution.record : undefined

// What a resolver returns. That nothing or too much matches is a result, not an error: each caller
// writes its own message, and some continue without a record.

import type { CodeWarning } from '../domain/code-periods.ts'

export type Resolution<Item> =
  | {
      outcome: 'found'
      record: Item
      /** What speaks against it, although nothing else is meant. */
      warning?: CodeWarning | undefined
      /** Of a code that changed hands: the day of it, if it is known. */
      changedOn?: string | undefined
      /** Found by its name: what was written is no code. */
      isByName?: true
      /** By its code, although what was written looks like a word. */
      isCodeOfWord?: true
      /** By its name, and airlines do not fly there. */
      isAirfield?: true
    }
  /** The best match first; by name it may be only one, which is not certain: holders of a code, airports of a city's code, or matches of a name. */
  | { outcome: 'ambiguous'; candidates: readonly Item[]; by: 'code' | 'city' | 'name' | 'part' }
  | { outcome: 'unknown' }

export const foundOrUnknown = <Item>(record: Item | undefined): Resolution<Item> =>
  record === undefined ? { outcome: 'unknown' } : { outcome: 'found', record }

/** The record if exactly one is meant, for callers to whom the reason does not matter. */
export const recordOf = <Item>(resolution: Resolution<Item>): Item | undefined =>
  resolution.outcome === 'found' ? resolution.record : undefined

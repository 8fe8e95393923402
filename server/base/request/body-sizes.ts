// How large the JSON body of an operation may be: what its own limits can require, plus room for escapes and white space.
// `BODY_SIZE_LIMIT` bounds them all.
import type { JsonBound } from './json-size.ts'

export interface BodyBound extends JsonBound {
  bytes: number
}

const kB = 1024
const levels = 100

export const bodySizes = {
  /** Settings, names, lists of a thousand ids. */
  usual: { levels, bytes: 64 * kB, values: 10_000, members: 10_000 },
  /** Notes, pasted texts and lists of texts. */
  long: { levels, bytes: 1024 * kB, values: 10_000, members: 10_000 },
  /** A flight with a thousand passengers, or a track of 100,000 points with six lists. */
  track: { levels, bytes: Number.POSITIVE_INFINITY, values: 1_000_000, members: 50_000 },
  /** Many flights, or many rows of an import. */
  many: { levels, bytes: Number.POSITIVE_INFINITY, values: 250_000, members: 250_000 },
} as const satisfies Record<string, BodyBound>

export type BodySize = keyof typeof bodySizes

/** For an operation that carries the bodies of several others: the largest bound of each kind. */
export function largestBody(sizes: readonly BodySize[]): BodyBound {
  const most = (kind: keyof BodyBound) => Math.max(...sizes.map((size) => bodySizes[size][kind]))
  return { levels, bytes: most('bytes'), values: most('values'), members: most('members') }
}

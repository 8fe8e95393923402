// Conditional requests (RFC 9110 §13): the tag of a flight's state, and whether a request may run on that state. No I/O.

/** `*`, or tags as they were sent: `"f1-2"`, or `W/"f1-2"` for a weak one. */
type Tags = '*' | readonly string[]

/** The state of its target that a request requires. */
export interface Condition {
  /** `If-Match`: the state is one of these. */
  match?: Tags
  /** `If-None-Match`: the state is none of these. */
  noneMatch?: Tags
  /** The instance accepts no write without `match`. */
  isRequired?: boolean
}

/** The tag of one version of a flight. It is the same for every reader. */
export const flightTag = ({ id, version }: { id: number; version: number }): string => `"f${id}-${version}"`

/** The condition of the two headers; undefined if a request has neither. */
export function readCondition(
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): Condition | undefined {
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined
  return {
    ...(ifMatch === undefined ? {} : { match: readTags(ifMatch) }),
    ...(ifNoneMatch === undefined ? {} : { noneMatch: readTags(ifNoneMatch) }),
  }
}

/** Malformed tags are dropped and match nothing, so a write with a malformed condition does not run. */
const readTags = (header: string): Tags =>
  header.trim() === '*' ? '*' : (header.match(/(?:W\/)?"[!\x23-\x7e\x80-\xff]*"/g) ?? [])

/** The condition that a flight still has this version. */
export const versionCondition = (id: number, version: number): Condition => ({
  match: [flightTag({ id, version })],
})

/**
 * Whether a write may run on the state with this tag; undefined: the flight does not exist. `missing`: the instance requires
 * `If-Match` and the request has none.
 */
export function judge(
  { match, noneMatch, isRequired }: Condition,
  tag: string | undefined,
): 'met' | 'changed' | 'exists' | 'missing' {
  if (isRequired && match === undefined && tag !== undefined) return 'missing'
  if (match !== undefined && !matchesStrongly(match, tag)) return 'changed'
  return noneMatch !== undefined && isAmong(noneMatch, tag) ? 'exists' : 'met'
}

/** A weak tag does not promise the same state, so it never matches (RFC 9110 §8.8.3.2). */
const matchesStrongly = (tags: Tags, tag: string | undefined): boolean =>
  tag !== undefined && (tags === '*' || (!tag.startsWith('W/') && tags.includes(tag)))

/** Whether an `If-None-Match` header contains this tag, or `*` anywhere in its list. */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && (/(?:^|,)\s*\*\s*(?:,|$)/.test(header) || isAmong(readTags(header), tag))

/** Weak tags count as strong ones here. */
export const isAmong = (tags: Tags, tag: string | undefined): boolean =>
  tag !== undefined && (tags === '*' || tags.some((known) => withoutWeakness(known) === withoutWeakness(tag)))

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '')

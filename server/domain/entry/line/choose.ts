// Chooses the candidates that together explain the line best: the largest sum of scores, without overlaps, each slot of the
// flight filled once. A word that nothing explains has a cost, so that more is understood rather than less.
import type { Atom } from './atoms.ts'
import type { Candidate, Slot } from './candidate.ts'
import { joints } from './words.ts'

/** The filled slots, as bits of a number. */
type Taken = number

const once: Partial<Record<Slot, number>> = Object.fromEntries(
  [
    'flight',
    'date',
    'airline',
    'aircraft',
    'registration',
    'seatNumber',
    'seat',
    'seatClass',
    'reason',
    'outcome',
  ].map((slot, i) => [slot, 1 << i]),
)
const [DEPARTURE, ARRIVAL, FROM, TO] = [1 << 10, 1 << 11, 1 << 12, 1 << 13]
/** Counters up to two, two bits each. */
const counted = { terminal: 14, gate: 16, time: 18, airport: 20 } as const

const countOf = (taken: Taken, at: number): number => (taken >> at) & 3
const plus = (taken: Taken, at: number, by: number): Taken | null =>
  countOf(taken, at) + by > 2 ? null : taken + (by << at)
const mark = (taken: Taken | null, bit: number): Taken | null =>
  taken === null || (taken & bit) !== 0 ? null : taken | bit

/** The filled slots including this one; null if it is not free. */
function take(taken: Taken, slot: Slot): Taken | null {
  const bit = once[slot]
  if (bit !== undefined) return mark(taken, bit)
  switch (slot) {
    case 'terminal':
    case 'gate':
    case 'airport':
    case 'time':
      return plus(taken, counted[slot], 1)
    case 'route':
      return plus(taken, counted.airport, 2)
    // A number knows its own route.
    case 'return':
      return mark(plus(taken, counted.airport, 2), once.flight!)
    case 'from':
      return mark(plus(taken, counted.airport, 1), FROM)
    case 'to':
      return mark(plus(taken, counted.airport, 1), TO)
    case 'departure':
      return mark(plus(taken, counted.time, 1), DEPARTURE)
    case 'arrival':
      return mark(plus(taken, counted.time, 1), ARRIVAL)
    case 'times':
      return plus(taken, counted.time, 2)
    default:
      return taken
  }
}

interface Path {
  score: number
  taken: Taken
  candidate: Candidate | null
  before: Path | null
}

/** Enough: with more, no line of the tests is read differently. */
const PATHS_AT_MOST = 64
const UNKNOWN_WORD = -4
const JOINT_WORD = -0.5

/** In the order of the text; atoms that nothing explains are candidates of the slots `joint` and `note`. */
export function choose(atoms: readonly Atom[], candidates: readonly Candidate[]): Candidate[] {
  const startingAt = Map.groupBy(candidates, ({ first }) => first)
  const paths: Map<Taken, Path>[] = atoms.map(() => new Map())
  paths.push(new Map())
  const start: Path = { score: 0, taken: 0, candidate: null, before: null }
  if (atoms.length > 0) paths[0]!.set(0, start)
  atoms.forEach((atom, i) => {
    const here = [...paths[i]!.values()].sort((a, b) => b.score - a.score).slice(0, PATHS_AT_MOST)
    const next = [...(startingAt.get(i) ?? []), plainly(atom, i)]
    for (const path of here) for (const candidate of next) follow(paths, path, candidate)
  })
  let best = [...paths.at(-1)!.values()].reduce<Path | null>(
    (a, b) => (a && a.score >= b.score ? a : b),
    null,
  )
  const chosen: Candidate[] = []
  for (; best?.candidate; best = best.before) chosen.push(best.candidate)
  return chosen.reverse()
}

function follow(paths: Map<Taken, Path>[], path: Path, candidate: Candidate): void {
  const taken = take(path.taken, candidate.slot)
  if (taken === null) return
  const score = path.score + candidate.score
  const there = paths[candidate.end]!
  const known = there.get(taken)
  if (!known || known.score < score) there.set(taken, { score, taken, candidate, before: path })
}

/** A single atom that was not understood. */
function plainly({ isSign, plain }: Atom, first: number): Candidate {
  const isJoint = isSign || joints.has(plain)
  const slot = isJoint ? 'joint' : 'note'
  const score = isSign ? 0 : isJoint ? JOINT_WORD : UNKNOWN_WORD
  return { first, end: first + 1, slot, kind: slot, sets: {}, others: [], score }
}

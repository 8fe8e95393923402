// Why a line that was understood cannot be logged as one flight: a third airport, a diversion, a day that does not exist. If
// such a word ended up in the note, the flight would be wrong.
import type { Line } from './atoms.ts'
import type { Candidate, Search } from './candidate.ts'
import { areLegsClear, lastOfChain } from './legs.ts'
import { isWhereabouts } from './places.ts'
import type { LineDraft, LinePart, LineProblem, PartKind } from './types.ts'
import { diversionWords, notWords } from './words.ts'

export function problemIn(
  { line, known }: Search,
  candidates: readonly Candidate[],
  parts: readonly LinePart[],
  draft: LineDraft,
): LineProblem | undefined {
  const diversion = line.atoms.findIndex(
    ({ plain }, i) => diversionWords.has(plain) && isLost(line, i, i + 1, parts),
  )
  if (diversion >= 0 && !notWords.has(line.atoms[diversion - 1]?.plain ?? ''))
    return { reason: 'text_names_diversion', text: line.atoms[diversion]!.text }
  if (!areLegsClear(draft, known.reference)) {
    const chain = candidates.find(({ slot }) => slot === 'route')!
    return { reason: 'text_names_several_flights', text: lastOfChain(line, chain) }
  }
  const lost = candidates.filter(({ first, end }) => isLost(line, first, end, parts))
  const wordsOf = ({ first, end }: Candidate) =>
    line.text.slice(line.atoms[first]!.start, line.atoms[end - 1]!.end)
  const third = lost.find((candidate) => isThird(line, candidate, parts, draft))
  if (third) return { reason: 'text_names_several_flights', text: wordsOf(third) }
  const [noDay] = lost.filter(({ isNoDay }) => isNoDay).toSorted((a, b) => b.score - a.score)
  const isDated = draft.date !== undefined || known.calendar.given !== undefined
  return noDay && !isDated ? { reason: 'no_such_day', text: wordsOf(noDay) } : undefined
}

/** In a note that is not marked with “note:”. */
const isLost = ({ atoms }: Line, first: number, end: number, parts: readonly LinePart[]): boolean =>
  parts.some(
    ({ kind, text, sets, start, end: stop, alternatives }) =>
      kind === 'note' &&
      sets.note === text &&
      !alternatives.some(({ isNear }) => isNear) &&
      start <= atoms[first]!.start &&
      atoms[end - 1]!.end <= stop,
  )

/** An airport that is neither end of the flight, or the first one again after the last: `CPH-JFK-CPH`. */
function isThird(
  line: Line,
  { first, end, certainty, slot, sets, others }: Candidate,
  parts: readonly LinePart[],
  { fromId, toId }: LineDraft,
): boolean {
  if (slot !== 'airport' || certainty === undefined || fromId === undefined || toId === undefined)
    return false
  const isEnd = [sets, ...others].some(({ fromId: id }) => id === fromId || id === toId)
  if (isEnd) return sets.fromId === fromId && isBeside(line, first - 1, -1, parts, ['to'])
  if (isWhereabouts(line, first)) return false
  const isNext = (at: number, step: number) => isBeside(line, at, step, parts, ['from', 'to'])
  return certainty === 'alone' || isVia(line, first) || isNext(first - 1, -1) || isNext(end, 1)
}

const isVia = ({ atoms }: Line, first: number): boolean =>
  /^(?:via|uber|ueber|then|dann|luego|poi)$/.test(atoms[first - 1]?.plain ?? '')

/** Whether the next word in this direction belongs to a part of these kinds. */
function isBeside(
  line: Line,
  at: number,
  step: number,
  parts: readonly LinePart[],
  kinds: readonly PartKind[],
): boolean {
  const atom = line.atoms[at]
  if (!atom) return false
  if (atom.isSign) return isBeside(line, at + step, step, parts, kinds)
  return parts.some(({ kind, start, end }) => kinds.includes(kind) && start <= atom.start && atom.end <= end)
}

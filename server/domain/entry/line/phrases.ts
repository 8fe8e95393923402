// Cabin class, seat type, reason and outcome by words; and a note after “note:”.
import { between, plainBetween } from './atoms.ts'
import { type Candidate, type Search, WORD } from './candidate.ts'
import type { LineDraft } from './types.ts'
import {
  cancelled,
  noteWords,
  notWords,
  otherReasons,
  reasonWords,
  seatClassWords,
  seatWords,
} from './words.ts'

const LONGEST = 4

type Slot = 'seatClass' | 'seat' | 'reason' | 'outcome'

export function phrasesAt({ line }: Search, first: number): Candidate[] {
  const found: Candidate[] = []
  for (let end = first + 1; end <= Math.min(line.atoms.length, first + LONGEST); end++) {
    const text = plainBetween(line, first, end)
    const score = 10 + WORD * (end - first - 1)
    const add = (slot: Slot, sets: LineDraft, less = 0) =>
      found.push({ first, end, slot, kind: slot, sets, others: [], score: score - less })
    const seatClass = seatClassWords.get(text)
    const seat = seatWords.get(text)
    const reason = reasonWords.get(text)
    const other = otherReasons.get(text)
    const isCancelled = cancelled.test(text) && !notWords.has(line.atoms[first - 1]?.plain ?? '')
    if (seatClass) add('seatClass', { seatClass })
    if (seat) add('seat', { seat })
    if (reason) add('reason', { flightReason: reason })
    if (isCancelled) add('outcome', { outcome: 'cancelled' })
    if (other) add('reason', { flightReason: other }, 4)
  }
  return found
}

/** `note:` and everything after it. */
export function notesAt({ line }: Search, first: number): Candidate[] {
  const { atoms } = line
  if (!noteWords.has(atoms[first]!.plain) || atoms[first + 1]?.text !== ':' || !atoms[first + 2]) return []
  const note = between(line, first + 2, atoms.length)
  return [{ first, end: atoms.length, slot: 'note', kind: 'note', sets: { note }, others: [], score: 1000 }]
}

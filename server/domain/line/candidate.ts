// What a span of atoms may mean, with how well it fits. The best set of them is chosen in choose.ts.

import type { Line } from './atoms.ts'
import type { DayPart } from './clock-words.ts'
import type { LineReference } from './data.ts'
import type { LineMemory } from './memory.ts'
import type { Alternative, LineCalendar, LineDraft, PartKind } from './types.ts'

/** Which place of the flight a candidate takes; each place is taken once, `airport` twice, the others as often as they occur. */
export type Slot =
  | 'flight'
  | 'date'
  | 'time'
  | 'times'
  | 'departure'
  | 'arrival'
  | 'airport'
  | 'from'
  | 'to'
  | 'airline'
  | 'aircraft'
  | 'registration'
  | 'seatNumber'
  | 'seat'
  | 'seatClass'
  | 'reason'
  | 'outcome'
  | 'terminal'
  | 'gate'
  | 'people'
  | 'joint'
  | 'note'

export interface Candidate {
  /** Atoms from `first` up to, not including, `end`. */
  first: number
  end: number
  slot: Slot
  kind: PartKind
  /** Of an airport or a time without its place: `fromId`, `departure`. */
  sets: LineDraft
  /** The same words, understood otherwise within the same slot; the likeliest first. */
  others: LineDraft[]
  score: number
  /** An airport by its code: it means no other. */
  isCode?: boolean
  /** A word that names a place only beside another one. */
  isDoubtful?: boolean
  /** Of an airport: how sure it is that the words mean one, though the flight has two without it. */
  certainty?: 'alone' | 'beside'
  /** A flight number after a code that is an airport's too: `CDG 1830`. */
  isAirportToo?: boolean
  /** A day that no calendar has: `30 feb`. */
  isNoDay?: boolean
  /** The other end of the flight, for a single airport that no word places. */
  turned?: readonly Alternative[]
  /** Of a word that was not understood: the places that it may be misspelt for. */
  near?: readonly Alternative[]
}

export interface Known {
  reference: LineReference
  memory: LineMemory
  calendar: LineCalendar
}

export interface Search {
  line: Line
  known: Known
  /** The day as of which codes are read. */
  day: string
  /** How many airports the line names by codes in capitals. */
  capitals: number
  /** Only a month or a year was given: times of a day would say nothing. */
  isDayUnknown?: boolean
  /** What the words of the date say of the time: “yesterday evening”. */
  dayPart?: DayPart | undefined
}

/** Each word more that one meaning explains makes it likelier than two meanings side by side. */
export const WORD = 5

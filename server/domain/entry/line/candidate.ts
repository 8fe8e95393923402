// A possible meaning of a span of atoms, with a score. choose.ts picks the best set of them.

import type { Line } from './atoms.ts'
import type { LineReference } from './data.ts'
import type { LineMemory } from './memory.ts'
import type { Alternative, LineCalendar, LineDraft, PartKind } from './types.ts'
import type { DayPart } from './when/clock-words.ts'

/** The slot of the flight that a candidate fills. Each slot is filled once, `airport` twice, the last ones any number of times. */
export type Slot =
  | 'flight'
  | 'date'
  | 'time'
  | 'times'
  | 'departure'
  | 'arrival'
  | 'airport'
  | 'route'
  | 'return'
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
  /** For an airport or a time whose end is not known yet: `fromId`, `departure`. */
  sets: LineDraft
  /** Other meanings of the same words within the slot; the likeliest first. */
  others: LineDraft[]
  score: number
  /** An airport by its code, which means no other. */
  isCode?: boolean
  /** A word that names a place only next to another place. */
  isDoubtful?: boolean
  /** For an airport: how certain it is that the words mean one even if the flight already has two. */
  certainty?: 'alone' | 'beside'
  /** A flight number whose airline code is also an airport code: `CDG 1830`. */
  isAirportToo?: boolean
  /** The person has to choose one of these: the words set nothing. */
  choices?: readonly Alternative[]
  /** Several places have this name, and the person has to choose. */
  isAsked?: true
  /** The airport that the words would mean without the person's log. */
  withoutLogId?: number
  /** A day that does not exist: `30 feb`. */
  isNoDay?: boolean
  /** The other end of the flight, for a single airport that no word assigns to an end. */
  turned?: readonly Alternative[]
  /** For a word that was not understood: the places that it may be a misspelling of. */
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
  /** The day that decides what codes mean. */
  day: string
  /** How many airports the line names by upper-case codes. */
  capitals: number
  /** Only a month or a year was given, so times of day are meaningless. */
  isDayUnknown?: boolean
  /** The part of the day that the date words mention: “yesterday evening”. */
  dayPart?: DayPart | undefined
}

/** Per extra word: one meaning that explains several words is likelier than several meanings next to each other. */
export const WORD = 5

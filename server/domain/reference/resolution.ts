// What a text may mean, the index that it is looked up in, and the rules that differ by kind of record. There are two indexes: the
// server's (services/reference/resolve/records.ts), and for codes the file of the line (entry/line/data.ts).

import { FIRST_CUSTOM_ID } from '../limits.ts'
import { searchFold } from '../text/fold.ts'
import { aircraftSpellings, makers } from './aircraft-spelling.ts'
import {
  type CodeWarning,
  type Days,
  daysWithin,
  firstDay,
  type Holder,
  lastDay,
  type Period,
} from './code-periods.ts'
import { isFarMoreUsed } from './place-choice.ts'

/** No match or several are results, not errors: callers write their own messages, and some continue without a record. */
export type Resolution<Item> =
  | {
      outcome: 'found'
      record: Item
      /** A reason to doubt the only match. */
      warning?: CodeWarning | undefined
      /** The day on which the code got a new holder, if known. */
      changedOn?: string | undefined
      /** Found by name, because the text is not a code. */
      isByName?: true
      /** Found by code, although the text looks like a word. */
      isCodeOfWord?: true
      /** Found by name, and has no airline service. */
      isAirfield?: true
      /** All airports of towns with exactly the name that it was found by, for `nearNamesakes`. */
      namesakes?: readonly Item[]
    }
  /** Best match first: holders of a code, airports of a city's code, or matches of a name. A single candidate is an uncertain match. */
  | {
      outcome: 'ambiguous'
      candidates: readonly Item[]
      by: 'code' | 'city' | 'name' | 'part'
      /** The day within the month or year on which the code passed from one candidate to another; the first had it longer. */
      changedOn?: string | undefined
    }
  | { outcome: 'unknown' }

export const foundOrUnknown = <Item>(record: Item | undefined): Resolution<Item> =>
  record === undefined ? { outcome: 'unknown' } : { outcome: 'found', record }

/** The record if exactly one matches, for callers that ignore the reason. */
export const recordOf = <Item>(resolution: Resolution<Item>): Item | undefined =>
  resolution.outcome === 'found' ? resolution.record : undefined

/** What a caller that lets the person choose may offer, best first. */
export const candidatesOf = <Item>(resolution: Resolution<Item>): readonly Item[] => {
  if (resolution.outcome === 'ambiguous') return resolution.candidates
  return resolution.outcome === 'found' ? [resolution.record] : []
}

// The index

export type RecordKind = 'airport' | 'airline' | 'aircraft'

export interface Coded {
  id: number
  name: string
  icao: string | null
  iata?: string | null
  /** Only airports have one. */
  type?: string
  /** Only airlines: whether the airline is operating, and since and until when. */
  active?: boolean
  from?: string | null
  to?: string | null
}

/** The records that have or had a code. */
export interface Holders<Item> {
  /** All holders at any time, unordered. */
  records: readonly Item[]
  /** The holders that the code may mean, and when. */
  periods: readonly Holder[]
  /** The airports of the city that has the code, most important first, and when. */
  city: readonly Holder[]
  /** Periods in which a record is known to have existed, with this code or another, by id. */
  known?: ReadonlyMap<number, readonly Period[]>
}

/** What a text may name. */
export interface Named<Item> {
  /** Names of places have their own rules. */
  place?: Place<Item>
  /** Search results, best first. */
  matches: readonly Item[]
  /** All folded names of the search results, by id. */
  names: ReadonlyMap<number, readonly string[]>
  /** Records of which the text is a whole name. */
  whole: readonly Item[]
  /** Records whose name begins with the text, if it has two or more words. */
  beginning: readonly Item[]
}

export interface Place<Item> {
  on(days: Days): Resolution<Item>
  /** Everything that the name may mean on any day. */
  all: readonly Item[]
  /** Whether a town with airline service, any town with an airport, or anything at all has this name. */
  like: { isCity: boolean; isTown: boolean; isAny: boolean }
}

export interface CodeIndex<Item> {
  /** `code` is in upper case. */
  byCode(code: string): Holders<Item>
}
export interface Index<Item> extends CodeIndex<Item> {
  byName(text: string): Named<Item>
  /** Only for records that this index has returned. */
  importance(record: Item): number
}

export interface How {
  kind: RecordKind
  days: Days
}

// Rules per kind

/** The warning for a record that did not have the code on the days and is not known to have existed then. */
export const notThen: Partial<Record<RecordKind, CodeWarning>> = {
  airport: 'airport_closed_then',
  airline: 'airline_not_flying_then',
}

/** For names. */
interface Rules {
  /** If several records have the same name, the one that existed on the days is meant. */
  existedOnDays?(record: Coded, days: Days): boolean
  /** Whether the dates of the record are known. */
  isKnownToEnd?(record: Coded): boolean
  /** Words that people omit at the beginning or end of a folded name. */
  omitted?: RegExp
  /** Whether the first of several records with the same name is meant, given their importance. */
  isFirstMeant?(importance: readonly number[]): boolean
}

/** What people omit from the folded name of an aircraft type. */
export const makersAndNicknames = new RegExp(
  `^(?:${makers.map(searchFold).join('|')}) | (?:dreamliner|superjumbo|jumbo jet|series)$`,
  'g',
)

/** What people omit from the folded name of an airline. */
export const omittedOfAirlines = / (?:airlines?|airways|air lines?|international)$/

const isKnownToEnd = ({ active = false, to = null }: Coded): boolean => active || to !== null

export const rules: Record<RecordKind, Rules> = {
  airport: {},
  airline: {
    existedOnDays: (airline, days) =>
      isKnownToEnd(airline) &&
      daysWithin({ from: firstDay(airline.from ?? null), to: lastDay(airline.to ?? null) }, days) > 0,
    isKnownToEnd,
    omitted: omittedOfAirlines,
    isFirstMeant: isFarMoreUsed,
  },
  aircraft: { omitted: makersAndNicknames },
}

/** The spellings of a text under which it is looked up, the nearest first. */
export const spellingsOf = (text: string, kind: RecordKind): readonly string[] =>
  kind === 'aircraft' ? aircraftSpellings(text) : [text]

/** An airline that ended on an unknown day: its code may have passed to any other, and its name is no proof either. */
export const isOfUnknownYears = (record: Coded): boolean =>
  record.active === false && record.to == null && !isAddedHere(record)

/** Custom records come before shipped ones. */
export const isAddedHere = ({ id }: { id: number }): boolean => id >= FIRST_CUSTOM_ID

// A record after it was resolved and judged: what it would become, and why.
import type { FlightFields, PassengerFields } from '../domain/flight-fields.ts'
import type { ImportWarning, QuestionKind, RowCode, Verdict } from '../domain/imports.ts'

export type DraftPassenger = PassengerFields & { customFields: Record<string, unknown> }

/** A flight as it would be created. What is not resolved is null, with its text beside it. */
export type Draft = Omit<FlightFields, 'date' | 'fromId' | 'toId'> & {
  date: string | null
  fromId: number | null
  toId: number | null
  fromText?: string
  toText?: string
  airlineText?: string
  aircraftText?: string
  plannedToText?: string
  operatingAirlineText?: string
  passengers: DraftPassenger[]
  /** Names in the file of whom it is not known who they are. */
  people: string[]
  /** The file names the importer as a traveller: intake without hands commits nothing else by itself. */
  isTravellerNamed?: true
  customFields: Record<string, unknown>
  externalIds: Record<string, string>
  /** As the v1 flight input has it. */
  track: unknown
}

/** A value that the flight in the log has not, or not so. */
export interface Update {
  field: string
  from: unknown
  to: unknown
}

/** What a person decided for one row. */
export interface RowChoice {
  include?: boolean | undefined
  accept?: 'new' | 'same' | undefined
  /** Fields of the draft, in place of what was read. */
  draft?: Record<string, unknown> | undefined
}

export interface JudgedRow {
  number: number
  line: number | null
  raw: readonly string[] | string
  verdict: Verdict
  code: RowCode | null
  warnings: ImportWarning[]
  /** Keys of questions: `questionKey`. */
  waitsFor: string[]
  draft: Draft | null
  of: { flightId: number } | { row: number } | null
  updates: Update[]
}

/** Asked once for all rows with the same value. */
export interface Question {
  kind: QuestionKind
  value: string
  rows: number
  /** Likely answers, the likeliest first. */
  choices: { id: number | string; label: string; detail: string }[]
  answer: Answer | null
}

export interface Answer {
  kind: QuestionKind
  /** As the question has it. */
  value: string
  /** The airport, airline or user that is meant, or the name of a choice (`dmy`, `utc`). */
  id?: number | string | undefined
  create?: Record<string, unknown> | undefined
  /** The field stays empty; for an airport: the rows are left out. */
  leaveEmpty?: true | undefined
}

/** Values are compared folded: no case, no accents. */
export const questionKey = (kind: QuestionKind, folded: string): string => `${kind}:${folded}`

/** Of the question in which order a file's dates have day and month; rows with `dateOpen` wait for `dateOrderKey`. */
export const DATE_ORDER = 'date'
export const dateOrderKey: string = questionKey('date_ambiguous', DATE_ORDER)

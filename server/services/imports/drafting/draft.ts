// A resolved and evaluated record: the flight that it would become, and why.
import type { DatePrecision } from '../../../domain/enums.ts'
import type { FlightFields, PassengerFields } from '../../../domain/flights/fields.ts'
import type {
  ChoiceReason,
  ImportWarning,
  QuestionKind,
  RowCode,
  Verdict,
} from '../../../domain/imports/imports.ts'

export type DraftPassenger = PassengerFields & { customFields: Record<string, unknown> }

/** A flight as it would be created. Unresolved references are null; their text is in a separate field. */
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
  /** Names in the file that are not identified yet. */
  people: string[]
  /** The file names the importer as a traveller. Automatic intake only commits such flights. */
  isTravellerNamed?: true
  customFields: Record<string, unknown>
  externalIds: Record<string, string>
  /** In the format of the v1 flight input. */
  track: unknown
}

/** A value that is missing or different in the log's flight. */
export interface Update {
  field: string
  from: unknown
  to: unknown
}

/** A person's decision about a row. */
export interface RowChoice {
  include?: boolean | undefined
  accept?: 'new' | 'same' | undefined
  /** Fields of the draft that replace the file's. */
  draft?: Record<string, unknown> | undefined
}

export interface JudgedRow {
  number: number
  line: number | null
  raw: readonly string[] | string
  verdict: Verdict
  code: RowCode | null
  warnings: ImportWarning[]
  /** The keys of open questions, see `questionKey`. */
  waitsFor: string[]
  draft: Draft | null
  of: { flightId: number } | { row: number } | null
  updates: Update[]
}

/** A question is asked once for all rows with the same value. */
export interface Question {
  kind: QuestionKind
  value: string
  rows: number
  /** The first of them; absent if the question is answered. */
  rowNumbers?: number[]
  /** The flight of the first one. `side`: the end that is asked for. */
  example?: QuestionExample
  /** Likely answers, most likely first. */
  choices: {
    id: number | string
    label: string
    detail: string
    /** Why it is likely. */
    reason?: ChoiceReason
    /** How far an airport is from the other end of the first row, and that end's code. */
    km?: number
    kmFrom?: string
  }[]
  answer: Answer | null
}

interface QuestionExample {
  row: number
  side: 'from' | 'to' | null
  date: string | null
  datePrecision: DatePrecision
  flightNumber: string | null
  /** Codes, or the texts of the file. */
  from: string | null
  to: string | null
}

export interface Answer {
  kind: QuestionKind
  /** The question's value. */
  value: string
  /** The chosen airport, airline or user, or the name of a choice (`dmy`, `utc`). */
  id?: number | string | undefined
  create?: Record<string, unknown> | undefined
  /** Leaves the field empty; for an airport, leaves the rows out. */
  leaveEmpty?: true | undefined
}

/** Values are compared without case and accents. */
export const questionKey = (kind: QuestionKind, folded: string): string => `${kind}:${folded}`

/** The value of the question about the year of boarding passes, which is asked once for all of them. */
export const PASSES = 'passes'

/** The value of the question about the order of day and month; rows with `dateOpen` wait for `dateOrderKey`. */
export const DATE_ORDER = 'date'
export const dateOrderKey: string = questionKey('date_ambiguous', DATE_ORDER)

// The terms of imports, in the order in which they are shown. The server stores and returns these words; the web app has a
// text for each.
import type { DatePrecision } from '../enums.ts'

export const importStatuses = [
  'reading',
  'questions',
  'ready',
  'committing',
  'committed',
  'undoing',
  'undone',
  'failed',
  'expired',
] as const
export type ImportStatus = (typeof importStatuses)[number]

/** The result for a record. Each record has exactly one, so the counts add up to the number of records. */
export const verdicts = ['new', 'question', 'duplicate', 'similar', 'skipped', 'error'] as const
export type Verdict = (typeof verdicts)[number]

export const questionKinds = [
  'unknown_airport',
  'ambiguous_airport',
  'missing_airport',
  'date_ambiguous',
  'times_zone',
  'which_user',
  'unknown_custom_field',
  'column_mapping',
  'unknown_airline',
  'year_assumed',
  'from_text',
  'unknown_aircraft',
] as const
export type QuestionKind = (typeof questionKinds)[number]

/** Questions about a field that is left empty unless they are answered. No row waits for them. */
export const emptyWithoutAnswer: ReadonlySet<QuestionKind> = new Set(['unknown_airline', 'unknown_aircraft'])

/** Why an answer is likely. */
export const choiceReasons = [
  'number_in_file',
  'number_in_log',
  'in_note',
  'near',
  'in_log',
  'name',
  'similar',
] as const
export type ChoiceReason = (typeof choiceReasons)[number]

export const skipCodes = ['cancelled', 'not_mine', 'not_a_flight', 'hidden', 'simulator', 'excluded'] as const
export type SkipCode = (typeof skipCodes)[number]

export const duplicateCodes = ['duplicate_in_log', 'duplicate_in_file', 'superseded'] as const
export type DuplicateCode = (typeof duplicateCodes)[number]

export const rowErrorCodes = [
  'bad_date',
  'unreadable_row',
  'unreadable_file',
  'not_a_boarding_pass',
  'not_a_table',
  'too_large',
] as const
export type RowErrorCode = (typeof rowErrorCodes)[number]

export const importWarnings = [
  'arrival_from_duration',
  'duration_disagrees',
  'local_time_missing',
  'local_time_ambiguous',
  'times_dropped',
  'floating_time',
  'airline_unknown',
  'airline_guessed',
  'airline_disagrees',
  'airline_not_flying_then',
  'code_changed_hands',
  'aircraft_unknown',
  'value_not_understood',
  'airport_by_name',
  'airport_closed_then',
  'airport_moved',
  'diverted',
  'recurring',
  'truncated',
  'bad_quoting',
  'implausible',
  'text_shortened',
  'text_cleaned',
  'not_confirmed',
  'year_assumed',
] as const
export type ImportWarningCode = (typeof importWarnings)[number]

export type RowCode =
  | QuestionKind
  | SkipCode
  | DuplicateCode
  | RowErrorCode
  /** For a similar flight. */
  | 'similar_in_log'
  | 'similar_in_file'

export const sourceIds = [
  'fr24',
  'flighty',
  'aita',
  'jetlog',
  'byair',
  'jetlovers',
  'openflights',
  'flightmemory',
  'milesandmore',
  'tripit',
  'tripit-ics',
  'airtrail',
  'airtrail-csv',
  'contrail',
  'foreflight',
  'myflightbook',
  'logten',
  'google',
  'track',
  'generic-csv',
  'generic-xlsx',
  'generic-json',
  'drafts',
  'ics',
  'email',
  'pkpass',
  'pdf',
  'bcbp',
] as const
export type SourceId = (typeof sourceIds)[number]

export const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type ImportDateOrder = (typeof dateOrders)[number]

/** The possible contents of a table column: fields of a flight, and parts of them. */
export const columnFields = [
  'date',
  'flightNumber',
  'carrier',
  'number',
  'airline',
  'from',
  'to',
  'route',
  'departureTime',
  'arrivalTime',
  'arrivalDate',
  'departure',
  'arrival',
  'departureScheduled',
  'arrivalScheduled',
  'takeoffScheduled',
  'takeoffActual',
  'landingScheduled',
  'landingActual',
  'duration',
  'aircraft',
  'aircraftReg',
  'seat',
  'seatNumber',
  'seatClass',
  'reason',
  'passenger',
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'outcome',
  'plannedTo',
  'bookingReference',
  'operatingAirline',
  'operatingFlightNumber',
  'price',
  'currency',
  'note',
  'externalId',
  'ignore',
] as const
export type ColumnField = (typeof columnFields)[number]

export interface ImportColumn {
  index: number
  heading: string
  /** Null: the contents are not known. */
  field: ColumnField | null
  /** At most three values. */
  examples: string[]
}
export interface ImportMapping {
  columns: ImportColumn[]
}

export interface ImportOptions {
  dateOrder?: ImportDateOrder | undefined
  timesAreUtc?: boolean | undefined
  includeCancelled?: boolean | undefined
  includeOthers?: boolean | undefined
  /** What to do with duplicates that have updates, and with duplicates in general. */
  duplicates?: 'skip' | 'update' | 'create' | undefined
  mode?: 'personal' | 'restore' | undefined
  /** Exported account → user id here, or null for a guest. */
  users?: Record<string, string | null> | undefined
  decimal?: '.' | ',' | undefined
  /** For a table without an airline column: a code or a name. */
  airline?: string | undefined
  /** For calendars and mails without a time zone. */
  timezoneHint?: string | undefined
  /** Whether to keep the locator of a boarding pass; true by default. */
  bookingReference?: boolean | undefined
}

export interface ImportCounts {
  rows: number
  new: number
  duplicate: number
  similar: number
  question: number
  skipped: number
  error: number
  /** Not a verdict: rows with a warning that a value was left out or assumed (`remarks.ts`). */
  remarks: number
}

/** What a commit did to the log. It stays as it was then. */
export interface ImportReceipt {
  created: number
  updated: number
  trips: number
  /** Routes, airports and countries that the log did not have before. */
  routes: number
  airports: number
  countries: number
  counts: ImportCounts
}

export const noCounts: ImportCounts = {
  rows: 0,
  new: 0,
  duplicate: 0,
  similar: 0,
  question: 0,
  skipped: 0,
  error: 0,
  remarks: 0,
}

export interface ImportWarning {
  code: ImportWarningCode
  /** The affected field of the flight; null: the whole record. */
  field: string | null
  /** The source's value, if it could not be used. */
  value?: string
}

export interface ReadDate {
  iso: string
  precision: DatePrecision
}

export const IMPORT_RECORDS_AT_MOST = 200_000
export const IMPORT_EXPIRES_DAYS = 30

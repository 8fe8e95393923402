// What reading hands to drafting. The third stage, comparing, is `duplicates.ts`; the composition is `evaluate.ts`.
import type { Principal } from '../auth/principal.ts'
import type { ImportMapping, ImportOptions, ImportWarning, RowCode, SourceId } from '../domain/imports.ts'
import type { Reference } from '../reference/reference.ts'
import type { Executor } from '../store/store.ts'
import type { Answer, Draft, Question, RowChoice } from './draft.ts'
import type { Waiting } from './questions.ts'
import type { ReadContext, SourceAccount, SourceRecord } from './source.ts'

// 1. Reading: `read(bytes, request)` in `read.ts`, in a process without a database

export interface ReadRequest extends ReadContext {
  /** Chosen by the person; null: found by content. */
  source: SourceId | null
  /** The program of KItinerary, if there is one. */
  kitineraryPath?: string | null
  signal?: AbortSignal | undefined
}

export interface Reading {
  /** Null: no source knows the file; then there is one record with an error that says why. */
  source: SourceId | null
  detectedBy: 'heading' | 'content' | 'choice' | null
  /** Of a table: what each column was read as. */
  mapping: ImportMapping | null
  /** What the file as a whole leaves open: `date_ambiguous`, `column_mapping`, `times_zone`. Rows are counted later. */
  questions: Question[]
  /** In the order of the file, a few at a time. Stopping early ends the process. */
  batches: AsyncIterable<SourceRecord[]>
}

/** The file as a whole cannot be read: too large, too slow, or the process ran out of memory. */
export class UnreadableFile extends Error {
  readonly code: 'unreadable_file' | 'too_large'
  constructor(code: 'unreadable_file' | 'too_large', message: string) {
    super(message)
    this.code = code
  }
}

// 2. Drafting: `createDrafter(parts)` in `drafts.ts` resolves texts

export interface EvaluationParts {
  /** The reading side. */
  db: Executor
  reference: Reference
  /** Whose import it is, with what their role permits. */
  principal: Principal
  source: SourceId
  options: ImportOptions
  /** Given for this import, then remembered ones; the first of a key counts. */
  answers: readonly Answer[]
  /** By row number. */
  choices: ReadonlyMap<number, RowChoice>
  now: Date
}

export interface NumberedRecord {
  number: number
  record: SourceRecord
}

/** A record whose texts are resolved as far as they can be. */
export interface DraftedRow {
  number: number
  line: number | null
  raw: readonly string[] | string
  draft: Draft | null
  warnings: ImportWarning[]
  /** Keys of all open questions about it, those that do not block included. */
  waitsFor: string[]
  /** A verdict that does not depend on the log or on other rows. Absent: it is compared. */
  settled?: { verdict: 'question' | 'skipped' | 'error'; code: RowCode }
}

export interface Drafter {
  /** Batches come in the order of the file. Applies `choice.draft`, and `choice.include: true` to what is skipped. */
  draft(records: readonly NumberedRecord[]): Promise<DraftedRow[]>
  /** After the last batch: each question once, with the number of rows that wait for it, most rows first; answered ones too. */
  questions(waiting: Waiting): Promise<Question[]>
  /** Whether an account of the file is the importer's, as far as it was read. */
  isImporter(account: SourceAccount): boolean
}
export type CreateDrafter = (parts: EvaluationParts) => Promise<Drafter>

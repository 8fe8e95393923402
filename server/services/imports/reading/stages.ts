// The interfaces between reading and drafting. The third stage, comparing, is `duplicates.ts`; `evaluate.ts` composes them.

import type {
  ImportMapping,
  ImportOptions,
  ImportWarning,
  RowCode,
  SourceId,
} from '../../../domain/imports/imports.ts'
import type { Executor } from '../../../store/store.ts'
import type { Principal } from '../../access/principal.ts'
import type { Reference } from '../../reference/reference.ts'
import type { Answer, Draft, Question, RowChoice } from '../drafting/draft.ts'
import type { Waiting } from '../drafting/questions.ts'
import type { ReadContext, SourceAccount, SourceRecord } from './source.ts'

// 1. Reading: `read(bytes, request)` in `read.ts`, in a process without a database

export interface ReadRequest extends ReadContext {
  /** Chosen by the person; null: detected by content. */
  source: SourceId | null
  /** The program of KItinerary, if there is one. */
  kitineraryPath?: string | null
  signal?: AbortSignal | undefined
}

export interface Reading {
  /** Null if no source matches the file; then the only record is an error with the reason. */
  source: SourceId | null
  detectedBy: 'heading' | 'content' | 'choice' | null
  /** For a table: the field of each column. */
  mapping: ImportMapping | null
  /** Questions about the whole file: `date_ambiguous`, `column_mapping`, `times_zone`. Rows are counted later. */
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
  /** The importer, with the permissions of their role. */
  principal: Principal
  source: SourceId
  options: ImportOptions
  /** Given for this import, then remembered ones; the first one per key counts. */
  answers: readonly Answer[]
  /** By row number. */
  choices: ReadonlyMap<number, RowChoice>
  now: Date
}

export interface NumberedRecord {
  number: number
  record: SourceRecord
}

/** A record with its texts resolved as far as possible. */
export interface DraftedRow {
  number: number
  line: number | null
  raw: readonly string[] | string
  draft: Draft | null
  warnings: ImportWarning[]
  /** The keys of all open questions about it, including those that do not block it. */
  waitsFor: string[]
  /** A verdict that does not depend on the log or on other rows. If absent, the row is compared. */
  settled?: { verdict: 'question' | 'skipped' | 'error'; code: RowCode }
}

export interface Drafter {
  /** Batches come in the order of the file. Applies `choice.draft`, and `choice.include: true` for skipped records. */
  draft(records: readonly NumberedRecord[]): Promise<DraftedRow[]>
  /** After the last batch: every question once, including answered ones, with the number of rows that need it, most rows first. */
  questions(waiting: Waiting): Promise<Question[]>
  /** Whether an account of the file is the importer's, as far as the file was read. */
  isImporter(account: SourceAccount): boolean
}
export type CreateDrafter = (parts: EvaluationParts) => Promise<Drafter>

// Turns a file into a verdict for each of its records. A pure function of the file, options, mapping, answers, choices and log:
// after any change it runs again as a whole (docs/decisions/021).
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  IMPORT_RECORDS_AT_MOST,
  type ImportCounts,
  type ImportDateOrder,
  type ImportMapping,
  type ImportOptions,
  type SourceId,
  type Verdict,
} from '../../../domain/imports/imports.ts'
import { storedFold } from '../../../domain/text/fold.ts'
import type { ImportedTrip } from '../../../domain/trips/trip.ts'
import type { Executor } from '../../../store/store.ts'
import type { Principal } from '../../access/principal.ts'
import type { Reference } from '../../reference/reference.ts'
import type { Answer, JudgedRow, Question, RowChoice } from '../drafting/draft.ts'
import { createDrafter } from '../drafting/drafts.ts'
import { createTripCollector } from '../drafting/trips.ts'
import { read } from '../reading/read.ts'
import type { SourceAccount, SourceRecord } from '../reading/source.ts'
import { type DraftedRow, type Reading, UnreadableFile } from '../reading/stages.ts'
import { type Comparison, createComparer } from './duplicates.ts'
import { createTally, withCodes } from './tally.ts'

export interface Evaluation {
  db: Executor
  reference: Reference
  principal: Principal
  /** Called when the file is about to be read, because a large one need not stay in memory. */
  open(): Promise<Uint8Array>
  filename: string
  /** Chosen by the person. */
  source: SourceId | null
  options: ImportOptions
  /** Confirmed by the person. */
  mapping: ImportMapping | null
  /** Confirmed by the person for other files, by their headings. */
  knownMappings: ReadonlyMap<string, ImportMapping>
  /** Given for this import, then remembered ones; the first one per key counts. */
  answers: readonly Answer[]
  choices: ReadonlyMap<number, RowChoice>
  /** Committed rows, which keep their verdict. */
  committed: ReadonlyMap<number, Verdict>
  /** The flights that they created. */
  own: ReadonlySet<number>
  preferredOrder: ImportDateOrder | null
  /** The day on which the file was sent. */
  documentDate: string
  kitineraryPath: string | null
  now: Date
  signal: AbortSignal
}

export interface Sink {
  /** Saves a few rows, in the order of the file, without committed ones. */
  save(rows: readonly JudgedRow[]): Promise<void>
  /** Changes saved rows whose verdict changed because of later rows. */
  amend(rows: readonly Pick<JudgedRow, 'number' | 'verdict' | 'code' | 'of'>[]): Promise<void>
}

export interface Outcome {
  source: SourceId | null
  detectedBy: Reading['detectedBy']
  mapping: ImportMapping | null
  counts: ImportCounts
  /** New rows that are not committed yet. */
  left: number
  questions: Question[]
  trips: ImportedTrip[]
}

export async function evaluate(evaluation: Evaluation, sink: Sink): Promise<Outcome> {
  const reading = await readFile(evaluation)
  const { source, detectedBy, mapping } = reading
  const judge = await createJudge(evaluation, source)
  const trips = createTripCollector()
  for await (const batch of reading.batches) {
    evaluation.signal.throwIfAborted()
    trips.add(batch)
    await sink.save(await judge.next(batch))
    await setImmediate()
  }
  const amended = judge.amendments()
  if (amended.length > 0) await sink.amend(amended)
  return {
    source,
    detectedBy,
    mapping,
    counts: judge.counts(),
    left: judge.counts().new - committedAs(evaluation.committed, 'new'),
    questions: await judge.questions(reading.questions),
    trips: trips.list(judge.isImporter),
  }
}

const committedAs = (committed: ReadonlyMap<number, Verdict>, verdict: Verdict): number =>
  [...committed.values()].filter((one) => one === verdict).length

/** Reads with the mapping that was confirmed for this file or for another one with the same headings. */
async function readFile(evaluation: Evaluation): Promise<Reading> {
  const {
    open,
    filename,
    source,
    options,
    mapping,
    knownMappings,
    preferredOrder,
    documentDate,
    kitineraryPath,
    now,
    signal,
  } = evaluation
  const request = {
    source,
    options: withAnswers(options, evaluation.answers),
    today: now.toISOString().slice(0, 10),
    documentDate,
    kitineraryPath,
    preferredOrder,
    filename,
    signal,
  }
  const reading = await read(await open(), { ...request, mapping })
  const known = mapping === null && reading.mapping ? knownMappings.get(tableKey(reading.mapping)) : undefined
  if (!known) return reading
  await reading.batches[Symbol.asyncIterator]().return?.()
  return read(await open(), { ...request, mapping: known })
}

/** A short key for all tables with these headings. */
export const tableKey = ({ columns }: ImportMapping): string =>
  hash('sha256', columns.map(({ heading }) => storedFold(heading)).join('\n'))

/** Two questions concern the whole file and correspond to options. */
function withAnswers(options: ImportOptions, answers: readonly Answer[]): ImportOptions {
  const answered = { ...options }
  for (const { kind, id } of answers) {
    if (kind === 'date_ambiguous') answered.dateOrder ??= id as ImportDateOrder
    if (kind === 'times_zone') answered.timesAreUtc ??= id === 'utc'
  }
  return answered
}

type Judging = Pick<
  Evaluation,
  'db' | 'reference' | 'principal' | 'options' | 'answers' | 'choices' | 'committed' | 'own' | 'now'
>

/** Judges a few records that do not come from a file, by the same rules. */
export async function judge(
  judging: Omit<Judging, 'choices' | 'committed' | 'own'>,
  source: SourceId,
  records: readonly SourceRecord[],
): Promise<{ rows: JudgedRow[]; questions: Question[] }> {
  const unknown = { choices: new Map(), committed: new Map(), own: new Set<number>() }
  const judged = await createJudge({ ...judging, ...unknown }, source)
  const rows = await judged.next(records)
  const later = new Map(judged.amendments().map((row) => [row.number, row]))
  return {
    rows: rows.map((row) => {
      const amended = later.get(row.number)
      return amended ? { ...row, verdict: amended.verdict, code: amended.code, of: amended.of } : row
    }),
    questions: await judged.questions([]),
  }
}

interface Judge {
  next(records: readonly SourceRecord[]): Promise<JudgedRow[]>
  amendments(): JudgedRow[]
  counts(): ImportCounts
  questions(ofFile: readonly Question[]): Promise<Question[]>
  isImporter(account: SourceAccount): boolean
}

/** Numbers, drafts and compares records, and counts their verdicts. */
async function createJudge(evaluation: Judging, source: SourceId | null): Promise<Judge> {
  const { db, reference, principal, answers, choices, committed, own, now } = evaluation
  const options = withAnswers(evaluation.options, answers)
  const drafter =
    source && (await createDrafter({ db, reference, principal, source, options, answers, choices, now }))
  const comparer =
    source &&
    createComparer({
      db,
      userId: options.mode === 'restore' ? null : principal.user.id,
      importer: principal.user.id,
      source,
      own,
    })
  const tally = createTally()
  let last = 0

  async function compare(drafted: readonly DraftedRow[]): Promise<Map<number, Comparison>> {
    const candidates = drafted.flatMap(({ number, draft, settled }) =>
      draft && isCompared(settled) && choices.get(number)?.include !== false ? { number, draft } : [],
    )
    const comparisons = comparer ? await comparer.compare(candidates) : []
    return new Map(candidates.map(({ number }, i) => [number, comparisons[i]!]))
  }

  /** The flights in the log that were cancelled, by the row with the cancellation. */
  async function cancelled(drafted: readonly DraftedRow[]): Promise<Map<number, number | undefined>> {
    const candidates = drafted.flatMap(({ number, draft, settled }) =>
      draft && settled?.code === 'cancelled' ? { number, draft } : [],
    )
    const flights = comparer && candidates.length > 0 ? await comparer.cancelled(candidates) : []
    return new Map(candidates.map(({ number }, i) => [number, flights[i]]))
  }

  return {
    async next(records) {
      if (last + records.length > IMPORT_RECORDS_AT_MOST) throw tooMany()
      const numbered = records.map((record) => ({ number: ++last, record }))
      const drafted = drafter ? await drafter.draft(numbered) : numbered.map(undrafted)
      const comparisons = await compare(drafted)
      const flights = await cancelled(drafted)
      const rows = drafted.map((row) => {
        const { number } = row
        const verdict = judged(row, choices.get(number), comparisons.get(number), options)
        const flightId = verdict.code === 'cancelled' ? flights.get(number) : undefined
        return flightId === undefined ? verdict : { ...verdict, of: { flightId } }
      })
      for (const row of rows) tally.add(row, committed.get(row.number))
      return rows.filter(({ number }) => !committed.has(number))
    },
    amendments: () =>
      (comparer ? comparer.revisions() : [])
        .filter(({ number }) => !committed.has(number))
        .map(({ number, comparison }) =>
          tally.amend(amended(number, comparison, choices.get(number), options)),
        ),
    counts: tally.counts,
    questions: async (ofFile) => {
      const asked = tally.questions(ofFile, drafter ? await drafter.questions(tally.waiting) : [])
      return withCodes(db, asked)
    },
    isImporter: (account) => (drafter ? drafter.isImporter(account) : false),
  }
}

const tooMany = () =>
  new UnreadableFile(
    'too_large',
    `The file has more than ${IMPORT_RECORDS_AT_MOST.toLocaleString('en')} records. Split it into several files.`,
  )

/** The row of a file that matches no source, with the error. */
const undrafted = ({ number, record }: { number: number; record: SourceRecord }): DraftedRow => ({
  number,
  line: record.line,
  raw: record.raw,
  draft: null,
  warnings: record.warnings ?? [],
  waitsFor: [],
  settled: { verdict: 'error', code: record.error?.code ?? 'unreadable_file' },
})

/** A record with an open question may still be found by its id at the source. */
const isCompared = (settled: DraftedRow['settled']): boolean => !settled || settled.verdict === 'question'

const empty = { code: null, of: null, updates: [] }

function judged(
  { settled, ...row }: DraftedRow,
  choice: RowChoice | undefined,
  comparison: Comparison | undefined,
  options: ImportOptions,
): JudgedRow {
  if (choice?.include === false && settled?.verdict !== 'error')
    return { ...row, ...empty, verdict: 'skipped', code: 'excluded' }
  const compared = comparison && chosen(comparison, choice, options)
  if (settled && compared?.verdict !== 'duplicate') return { ...row, ...empty, ...settled }
  return { ...row, ...empty, ...(compared ?? { verdict: 'new' as const }) }
}

/** The comparison after the person's choice. */
function chosen(
  comparison: Comparison,
  choice: RowChoice | undefined,
  { duplicates }: ImportOptions,
): Pick<JudgedRow, 'verdict' | 'code' | 'of' | 'updates'> {
  if (comparison.verdict === 'new' || choice?.accept === 'new') return { ...empty, verdict: 'new' }
  if (duplicates === 'create' && comparison.code === 'duplicate_in_log' && choice?.accept === undefined)
    return { ...empty, verdict: 'new' }
  if (comparison.verdict === 'similar' && choice?.accept === 'same') {
    const code = comparison.code === 'similar_in_log' ? 'duplicate_in_log' : 'duplicate_in_file'
    return { ...comparison, verdict: 'duplicate', code }
  }
  return comparison
}

const amended = (
  number: number,
  comparison: Comparison,
  choice: RowChoice | undefined,
  options: ImportOptions,
): JudgedRow => ({
  number,
  line: null,
  raw: '',
  warnings: [],
  waitsFor: [],
  draft: null,
  ...chosen(comparison, choice, options),
})

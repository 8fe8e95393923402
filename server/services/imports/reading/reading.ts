// Turns bytes into records in two passes: the first finds the source of each part and decides how dates are read, the second
// makes the records, so that they are never all in memory. A file makes this throw only if it has too many records or names.

import { errorMessage } from '../../../base/errors.ts'
import { type TimeField, timeFields } from '../../../domain/flights/fields.ts'
import {
  IMPORT_RECORDS_AT_MOST,
  type ImportColumn,
  type ImportDateOrder,
  type ImportMapping,
  type ReadDate,
  type SourceId,
} from '../../../domain/imports/imports.ts'
import { isProse } from '../columns/prose.ts'
import type { Content, Table } from '../content/content.ts'
import { type Engine, excerptOf, type OpenPart, partsOf } from '../content/kind.ts'
import { createKitinerary, KITINERARY } from '../content/kitinerary.ts'
import { DATE_ORDER, type Question } from '../drafting/draft.ts'
import { type DateDecision, DateEvidence, isOpen, readDateText } from '../values/dates.ts'
import type {
  ContentReader,
  ReadContext,
  Source,
  SourceDate,
  SourceFlight,
  SourceRecord,
  SourceTime,
} from './source.ts'
import { sourceNamed, sources } from './sources.ts'
import { type Reading, type ReadRequest, UnreadableFile } from './stages.ts'

/** Up to this many records of a part are kept between the passes. */
const KEPT_AT_MOST = 2_000
/** The limit for all parts together; a mailbox has thousands of messages. */
const KEPT_IN_ALL = 20_000
/** The most characters of a record that are shown. */
const RAW_AT_MOST = 20_000
/**
 * The size of a batch. It is drafted and compared without a pause, so other requests never wait longer. Its objects are dropped
 * before the young generation of the heap is full, and cost the garbage collector nothing.
 */
const RECORDS_AT_MOST = 50
const SIZE_AT_MOST = 200_000
/** The most different airports, airlines and aircraft types in a file; about twice as many as have a code worldwide. */
const TEXTS_AT_MOST = 20_000
const EXAMPLES = 3
const ROWS_FOR_EXAMPLES = 200

/** Runs in the calling process; `read.ts` starts one for it. Throws `UnreadableFile` if there are too many records or texts. */
export async function openReading(bytes: Uint8Array, request: ReadRequest): Promise<Reading> {
  const parts: SurveyedPart[] = []
  const texts = new Set<string>()
  let total = 0
  for (const open of partsOf(bytes, engineOf(request))) {
    const opened: SurveyedPart[] = []
    for (const [index, content] of (await open()).entries()) {
      const part = survey(content, request, texts, IMPORT_RECORDS_AT_MOST - total, KEPT_IN_ALL - total)
      total += part.count
      opened.push({ ...part, open, index })
    }
    parts.push(...foundOnly(opened))
  }
  const main = largest(parts)
  return {
    source: main?.source ?? null,
    detectedBy: main?.source ? (request.source ? 'choice' : main.isTable ? 'heading' : 'content') : null,
    mapping: main?.mapping ?? null,
    questions: [...columnQuestions(parts), ...dateQuestions(parts, request)],
    batches: batchesOf(parts, request),
  }
}

/** If another program finds flights in a file, our own empty result is not reported. */
function foundOnly(opened: readonly SurveyedPart[]): readonly SurveyedPart[] {
  const hasOthers = opened.some(({ isOther, hasFlights }) => isOther && hasFlights)
  return hasOthers ? opened.filter(({ hasFlights }) => hasFlights) : opened
}

const engineOf = ({ kitineraryPath, documentDate }: ReadRequest): Engine | null =>
  kitineraryPath ? createKitinerary(kitineraryPath, documentDate) : null

interface Survey {
  source: SourceId | null
  isTable: boolean
  /** Found by another program. */
  isOther: boolean
  hasFlights: boolean
  count: number
  mapping: ImportMapping | null
  /** Tables with uncertain columns. */
  openColumns: Set<string>
  dates: DateDecision
  /** The records if there are few; otherwise they are read again. */
  kept: SourceRecord[] | null
}
type SurveyedPart = Survey & { open: OpenPart; index: number }

/** The source of an import is that of most of its records; without records, the first one found. */
function largest(parts: readonly SurveyedPart[]): SurveyedPart | undefined {
  const counts = new Map<SourceId, number>()
  for (const { source, count } of parts) if (source) counts.set(source, (counts.get(source) ?? 0) + count)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return parts.find(({ source }) => source !== null && source === most?.[0])
}

/** `texts`: the names in the records so far. */
function survey(
  content: Content,
  request: ReadRequest,
  texts: Set<string>,
  remaining: number,
  keepable: number,
): Survey {
  const found = findReader(content, request.source)
  const evidence = new DateEvidence({
    today: request.today,
    chosen: request.options.dateOrder ?? null,
    preferred: request.preferredOrder,
  })
  let kept: SourceRecord[] | null = []
  let count = 0
  let hasFlights = false
  const openColumns = new Set<string>()
  for (const record of rawRecords(content, found, request)) {
    if (++count > remaining) throw tooMany()
    if (record.question) openColumns.add(record.question.value)
    if (record.flight) seeDates(record.flight, evidence)
    if (typeof record.raw !== 'string') evidence.seeClocks(record.raw)
    if (record.flight) countTexts(record.flight, texts)
    hasFlights ||= record.flight !== undefined
    if (kept && kept.length < Math.min(KEPT_AT_MOST, keepable)) kept.push(record)
    else kept = null
  }
  return {
    source: found?.source.id ?? null,
    isTable: content.kind === 'table',
    isOther: content.part === KITINERARY,
    hasFlights,
    count,
    mapping: found ? mappingOf(content, found.reader, request) : null,
    openColumns,
    dates: evidence.decide(),
    kept,
  }
}

/** Every text is looked up and may become a question. */
function countTexts(flight: SourceFlight, texts: Set<string>): void {
  const { from, to, plannedTo, airline, operatingAirline, aircraft } = flight
  for (const named of [from, to, plannedTo, airline, operatingAirline, aircraft])
    if (named) texts.add(named.text)
  if (texts.size > TEXTS_AT_MOST) throw tooManyTexts()
}

const tooManyTexts = () =>
  new UnreadableFile(
    'too_large',
    `The file names more than ${TEXTS_AT_MOST.toLocaleString('en')} different airports, airlines and aircraft types, which no flight log does. Check which columns hold them.`,
  )

const tooMany = () =>
  new UnreadableFile(
    'too_large',
    `The file has more than ${IMPORT_RECORDS_AT_MOST.toLocaleString('en')} records. Split it into several files.`,
  )

async function* batchesOf(
  parts: readonly SurveyedPart[],
  request: ReadRequest,
): AsyncGenerator<SourceRecord[]> {
  let [batch, size]: [SourceRecord[], number] = [[], 0]
  for (const { open, index, dates, kept } of parts) {
    const content = kept ? null : (await open())[index]!
    const records = kept ?? rawRecords(content!, findReader(content!, request.source), request)
    for (const raw of records) {
      const record = shown(dated(raw, dates, request.today))
      batch.push(record)
      size += sizeOf(record)
      if (batch.length < RECORDS_AT_MOST && size < SIZE_AT_MOST) continue
      yield batch
      ;[batch, size] = [[], 0]
    }
  }
  if (batch.length > 0) yield batch
}

/** Only texts and tracks can be large. */
function sizeOf({ raw, flight }: SourceRecord): number {
  const text = typeof raw === 'string' ? raw.length : raw.length * 20
  return text + 40 * (flight?.track?.coordinates.length ?? 0)
}

interface FoundReader {
  source: Source
  reader: AnyReader
}
/** The registry has readers for every kind of content; each is called only with its own kind. */
type AnyReader = ContentReader<Content['kind']>

function findReader(content: Content, chosen: SourceId | null): FoundReader | null {
  if (content.kind === 'unreadable') return null
  const choice = chosen === null ? undefined : sourceNamed(chosen)
  for (const source of choice ? [choice] : sources) {
    const readers = (source.readers as readonly unknown[] as readonly AnyReader[]).filter(
      ({ kind }) => kind === content.kind,
    )
    // The person's choice counts, even if the file does not match.
    const reader = readers.find((one) => isMatch(one, content)) ?? (choice && readers[0])
    if (reader) return { source, reader }
  }
  return null
}

function isMatch(reader: AnyReader, content: Content): boolean {
  try {
    return reader.matches(content)
  } catch {
    // If the check of a source throws, the file is not its own.
    return false
  }
}

/** The records of a content. If the reader fails, the records before that are kept. */
function* rawRecords(
  content: Content,
  found: FoundReader | null,
  request: ReadRequest,
): Generator<SourceRecord> {
  if (content.kind === 'unreadable') return yield failed(content.reason, content.part, content.excerpt)
  if (!found && content.kind === 'table' && isProse(content))
    return yield failed('not_a_table', content.part, excerpt(content))
  if (!found) return yield failed('unreadable_file', content.part, whyUnknown(content, request.source))
  let count = 0
  try {
    for (const record of found.reader.records(content, contextOf(request))) {
      count++
      yield record
    }
  } catch (error) {
    const message = errorMessage(error)
    yield failed(
      count === 0 ? 'unreadable_file' : 'unreadable_row',
      content.part,
      `Reading stopped here: ${message}`,
    )
    return
  }
  if (count === 0)
    yield failed('unreadable_file', content.part, `There is no flight in this file.\n${excerpt(content)}`)
}

const contextOf = ({
  options,
  mapping,
  today,
  documentDate,
  documentDateOf,
  saidDate,
  preferredOrder,
  filename,
  keepsPasses,
}: ReadRequest): ReadContext => {
  const dates = { today, documentDate, documentDateOf, saidDate, preferredOrder }
  const known = { options, mapping, filename, keepsPasses, ...dates }
  return {
    ...known,
    /** The chosen source applies to the file, not to its attachments. */
    inner(content, dated) {
      const found = findReader(content, null)
      const request = { ...known, ...dated, mapping: null, source: null, saidDate: undefined }
      return { source: found?.source.id ?? null, records: rawRecords(content, found, request) }
    },
  }
}

const failed = (
  code: 'unreadable_file' | 'too_large' | 'unreadable_row' | 'not_a_table',
  part: string | null,
  why: string,
): SourceRecord => ({
  line: null,
  raw: part === null ? why : `${part}\n${why}`,
  error: { code, ...(part !== null && { value: part }) },
})

function whyUnknown(content: Content, chosen: SourceId | null): string {
  const name = chosen === null ? undefined : sourceNamed(chosen)?.name
  return `${name === undefined ? 'No known kind of flight data.' : `This is not a file of ${name}.`}\n${excerpt(content)}`
}

function excerpt(content: Content): string {
  if (content.kind === 'table')
    return [...content.preamble, content.headings.join(', ')].join('\n').slice(0, 500)
  if (content.kind === 'json') return excerptOf(JSON.stringify(beginningOf(content.value, 3)) ?? '')
  if (content.kind === 'unreadable' || content.kind === 'mail') return content.excerpt
  if (content.kind === 'pass') return excerptOf(JSON.stringify(beginningOf(content.value, 2)) ?? '')
  if (content.kind === 'pdf') return excerptOf(content.lines.join('\n'))
  // The text of a bar code gives access to bookings, so it is not shown.
  return content.kind === 'picture' ? '' : excerptOf(content.text)
}

/** The first entries of each level; the whole value may have millions. */
function beginningOf(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return value.slice(0, 100)
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, 3).map((inner) => beginningOf(inner, levels - 1))
  const first: Record<string, unknown> = {}
  let count = 0
  for (const key in value) {
    if (++count > 10) break
    first[key.slice(0, 100)] = beginningOf((value as Record<string, unknown>)[key], levels - 1)
  }
  return first
}

function mappingOf(content: Content, reader: AnyReader, request: ReadRequest): ImportMapping | null {
  try {
    if (content.kind !== 'table') return reader.mapping?.(content, contextOf(request)) ?? null
    const fields = reader.columns?.(content, contextOf(request))
    if (!fields) return null
    const examples = examplesOf(content)
    return {
      columns: content.headings.map(
        (heading, index): ImportColumn => ({
          index,
          heading: wellFormed(heading.slice(0, 200)),
          field: fields[index] ?? null,
          examples: examples[index]!,
        }),
      ),
    }
  } catch {
    // The columns are only for display.
    return null
  }
}

function examplesOf(table: Table): string[][] {
  const examples = table.headings.map(() => new Set<string>())
  let rows = 0
  for (const { cells } of table.rows) {
    for (const [index, seen] of examples.entries()) {
      const cell = cells[index]
      if (cell && seen.size < EXAMPLES) seen.add(wellFormed(cell.slice(0, 100)))
    }
    if (++rows === ROWS_FOR_EXAMPLES) break
  }
  return examples.map((seen) => [...seen])
}

// Dates

const isText = (date: SourceDate | null | undefined): date is { text: string; order?: ImportDateOrder } =>
  !!date && 'text' in date

function seeDates(flight: SourceFlight, evidence: DateEvidence): void {
  if (isText(flight.date) && !flight.date.order) evidence.see(flight.date.text, 'date')
  for (const field of timeFields) {
    const date = flight[field]?.date
    if (isText(date) && !date.order) evidence.see(date.text, field)
  }
}

/** Reads every date of a record. A flight without a date is an error; a time without its date is dropped. */
function dated(record: SourceRecord, decision: DateDecision, today: string): SourceRecord {
  if (!record.flight) return record
  const flight = { ...record.flight }
  const result: SourceRecord = { ...record, flight }
  let open = false
  const read = (date: { text: string; order?: ImportDateOrder }): ReadDate | null => {
    const isAsked = decision.open && !date.order
    if (isAsked && isOpen(date.text, today)) open = true
    const found = readDateText(date.text, date.order ?? decision.order, today)
    if (found || !isAsked) return found
    // Until the answer, a date that only the other order gives waits too.
    const other = readDateText(date.text, decision.order === 'dmy' ? 'mdy' : 'dmy', today)
    open ||= other !== null
    return other
  }
  if (isText(flight.date)) {
    const { text } = flight.date
    flight.date = text.trim() === '' ? null : read(flight.date)
    if (flight.date === null && text.trim() !== '' && !record.error)
      result.error = { code: 'bad_date', value: wellFormed(text.slice(0, 100)) }
  }
  for (const field of timeFields) datedTime(field, flight, result, read)
  if (open) result.dateOpen = true
  return result
}

function datedTime(
  field: TimeField,
  flight: SourceFlight,
  record: SourceRecord,
  read: (date: { text: string; order?: ImportDateOrder }) => ReadDate | null,
): void {
  const time: SourceTime | null | undefined = flight[field]
  if (!time || !isText(time.date)) return
  const { text } = time.date
  const date = text.trim() === '' ? null : read(time.date)
  if (date || text.trim() === '') {
    flight[field] = { ...time, date }
    return
  }
  flight[field] = null
  const value = wellFormed(text.slice(0, 100))
  record.warnings = [...(record.warnings ?? []), { code: 'times_dropped', field, value }]
}

/** The person edits the mapping; the answer confirms it as shown. */
const columnQuestions = (parts: readonly SurveyedPart[]): Question[] =>
  [...new Set(parts.flatMap(({ openColumns }) => [...openColumns]))].map((value) => ({
    kind: 'column_mapping',
    value,
    rows: 0,
    choices: [{ id: 'confirm', label: 'As shown', detail: value }],
    answer: null,
  }))

/** Asked once for the whole file, and still shown after the answer. */
function dateQuestions(parts: readonly SurveyedPart[], { options, preferredOrder }: ReadRequest): Question[] {
  const open = parts.filter(({ dates }) => dates.open || (dates.by === 'choice' && dates.openWithout))
  if (open.length === 0) return []
  const example = open[0]!.dates.examples[0]!
  const choices = [
    { id: 'dmy', label: 'Day first', detail: example },
    { id: 'mdy', label: 'Month first', detail: example },
  ]
  const { dateOrder } = options
  return [
    {
      kind: 'date_ambiguous',
      value: DATE_ORDER,
      rows: open.reduce((sum, { count }) => sum + count, 0),
      choices: preferredOrder === 'mdy' ? choices.reverse() : choices,
      answer: dateOrder ? { kind: 'date_ambiguous', value: DATE_ORDER, id: dateOrder } : null,
    },
  ]
}

// Display

/** U+0000 and lone surrogates cannot be stored. */
const wellFormed = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed()

const isPlain = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function shown(record: SourceRecord): SourceRecord {
  const { raw } = record
  if (typeof raw === 'string')
    return raw.length <= RAW_AT_MOST && isPlain(raw) ? record : { ...record, raw: cut(raw, RAW_AT_MOST) }
  let length = 0
  let plain = true
  for (const cell of raw) {
    length += cell.length
    plain &&= isPlain(cell)
  }
  if (plain && length <= RAW_AT_MOST) return record
  const each = Math.max(20, Math.floor(RAW_AT_MOST / raw.length))
  return {
    ...record,
    raw: raw.slice(0, RAW_AT_MOST / 20).map((cell) => cut(cell, length > RAW_AT_MOST ? each : cell.length)),
  }
}

const cut = (text: string, most: number): string =>
  wellFormed(text.length > most ? `${text.slice(0, most)}…` : text)

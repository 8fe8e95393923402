/** Rows, warnings and questions in the reader's words. */

import { emptyWithoutAnswer, type ImportDateOrder } from '../../../server/domain/imports/imports.ts'
import { riskOf } from '../../../server/domain/imports/remarks.ts'
import { storedFold } from '../../../server/domain/text/fold.ts'
import { DAY } from '../../../server/domain/time/durations.ts'
import type { Flight } from '../api/log.ts'
import { i18n, t, textFor } from '../i18n/i18n.svelte.ts'
import {
  airportCity,
  airportCode,
  formatDate,
  formatDayShift,
  formatDistance,
  formatDuration,
  formatTime,
} from '../lib/format.ts'
import { badDateOf, columnsFor } from './rows/raw.ts'
import type {
  ImportChoice,
  ImportDraft,
  ImportMapping,
  ImportQuestion,
  ImportRow,
  RowChoice,
  RowUpdate,
  RowWarning,
} from './types.ts'

/** Colour and sign: plain facts, a guess with (i), something asked, something wrong. */
type Tone = 'plain' | 'faint' | 'guess' | 'ask' | 'bad'
interface Line {
  text: string
  tone: Tone
}

const placeName = (airport: ImportDraft['from']): string =>
  airport ? `${airportCity(airport)} (${airportCode(airport)})` : ''

/** The airport or airline that a warning is about. */
function subjectOf(draft: ImportDraft | null, field: string | null) {
  const name = field?.replace(/Id$/, '')
  const airport = name === 'from' || name === 'to' || name === 'plannedTo' ? (draft?.[name] ?? null) : null
  const airline = name === 'operatingAirline' ? draft?.operatingAirline : draft?.airline
  return { airport: placeName(airport), airline: airline?.name ?? '' }
}

/** Where a text needs a value that the warning does not have, the server's own message is shown. */
export function warningText(warning: RowWarning, draft: ImportDraft | null): string {
  if (warning.code === 'diverted') return divertedText(draft)
  const { airport, airline } = subjectOf(draft, warning.field)
  const values: Record<string, string> = {
    ...(airport && { airport }),
    ...(airline && { airline }),
    ...(warning.value && {
      value: warning.code === 'year_assumed' ? formatDate(warning.value) : warning.value,
    }),
  }
  const text = textFor(`imports.warning.${warning.code}`, values)
  return text === undefined || /\{\w+\}/.test(text) ? warning.message : text
}

function divertedText(draft: ImportDraft | null): string {
  const to = airportCode(draft?.to)
  return draft?.plannedTo
    ? t('imports.warning.diverted', { to, planned: airportCode(draft.plannedTo) })
    : t('imports.warning.divertedOnly', { to })
}

interface Context {
  questions: readonly ImportQuestion[]
  mapping: ImportMapping | null
  /** What the file says that was left out or assumed comes before the verdict. */
  remarks?: boolean
  /** A flight of the log, for what is compared with it. */
  find: (id: number) => Flight | undefined
}

/** The second line of a row: why it is what it is, else its times. */
export function lineOf(row: ImportRow, context: Context): Line {
  if (context.remarks && row.warnings.length > 0) return warningLine(row)
  if (row.verdict === 'question') return { text: waitText(row, context.questions), tone: 'ask' }
  if (row.verdict === 'duplicate') return { text: duplicateText(row, context), tone: 'faint' }
  if (row.verdict === 'similar') return { text: similarText(row, context), tone: 'plain' }
  if (row.verdict === 'skipped') return { text: codeText(row, context.mapping), tone: 'faint' }
  if (row.verdict === 'error') return { text: codeText(row, context.mapping), tone: 'faint' }
  return row.warnings.length > 0 ? warningLine(row) : { text: timesText(row.draft), tone: 'faint' }
}

/** The riskiest warning. */
function warningLine(row: ImportRow): Line {
  const [first, ...others] = row.warnings.toSorted((a, b) => riskOf([b]) - riskOf([a]))
  const more = others.length > 0 ? ` ${t('imports.moreReasons', { count: others.length })}` : ''
  return { text: warningText(first!, row.draft) + more, tone: 'guess' }
}

export function codeText(row: ImportRow, mapping: ImportMapping | null): string {
  const { code, of, warnings } = row
  const value =
    code === 'bad_date' ? badDateOf(row, mapping) : (warnings.find((one) => one.value)?.value ?? '')
  if (code === 'bad_date' && value.trim() === '') return t('imports.code.no_date')
  const earlier = of && 'row' in of ? of.row : ''
  return (
    (code && textFor(`imports.code.${code}`, { value, row: earlier })) || t('imports.code.unreadable_row')
  )
}

/** Questions are shown with their numbers; those without an answer come first. */
export const openQuestions = (questions: readonly ImportQuestion[]): ImportQuestion[] =>
  questions.filter(({ answer, kind }) => answer === null && kind !== 'column_mapping')

/** The open question that a row waits for, by its place among them. */
export function questionOf(row: ImportRow, questions: readonly ImportQuestion[]): number {
  const texts = [row.draft?.fromText, row.draft?.toText].filter((text) => text !== undefined).map(storedFold)
  return openQuestions(questions).findIndex(
    ({ kind, value }) =>
      row.questions.some((one) => one.kind === kind && storedFold(one.value) === storedFold(value)) ||
      (kind === row.code &&
        (texts.includes(storedFold(value)) || kind === 'date_ambiguous' || kind === 'times_zone')),
  )
}

function waitText(row: ImportRow, questions: readonly ImportQuestion[]): string {
  const at = questionOf(row, questions)
  return at < 0 ? t('imports.waits') : t('imports.waitsFor', { number: at + 1 })
}

/** The flight in the log gets what the row could add. */
export const isTicked = ({ choice }: ImportRow): boolean =>
  choice.accept === 'same' && choice.include !== false

export const tickOf = (row: ImportRow): RowChoice =>
  isTicked(row) ? { accept: null } : { accept: 'same', include: null }

function duplicateText(row: ImportRow, { mapping }: Context): string {
  if (row.updates.length === 0 || row.code !== 'duplicate_in_log') return codeText(row, mapping)
  const fields = row.updates.map(updateText).join(', ')
  return isTicked(row) ? t('imports.code.will', { fields }) : t('imports.code.could', { fields })
}

function similarText(row: ImportRow, { find }: Context): string {
  if (row.of && 'row' in row.of) return t('imports.code.similarRow', { row: row.of.row })
  const flight = row.of ? find(row.of.flightId) : undefined
  return flight
    ? t('imports.code.similar', { flight: shortFlight(flight) })
    : t('imports.code.similar_in_log')
}

function shortFlight({ flightNumber, departureLocal, from, to, date }: Flight): string {
  const what = flightNumber || `${airportCode(from)}–${airportCode(to)}`
  return `${what}, ${departureLocal ? formatTime(departureLocal.slice(11, 16)) : formatDate(date)}`
}

/** "Seat 14A". */
const updateText = ({ field, to }: RowUpdate): string => `${fieldName(field)} ${valueText(to)}`.trim()

export function fieldName(field: string): string {
  const name = field.replace(/Id$/, '')
  const known: Record<string, string> = { flightReason: 'reason', passengers: 'passenger' }
  return textFor(`imports.field.${known[name] ?? name}`, {}) ?? name
}

/** Any value of a flight, as far as people read it. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('imports.empty')
  if (typeof value === 'string') return instantText(value) ?? value
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object' && 'name' in value) {
    const { name, iata, icao } = value as { name: string; iata?: string | null; icao?: string | null }
    return [iata || icao, name].filter(Boolean).join(' ')
  }
  return JSON.stringify(value)
}

/** A time as the source has it: at the airport's clock where the text has an offset. */
const instantText = (text: string): string | undefined =>
  /^\d{4}-\d\d-\d\dT/.test(text) ? `${formatDate(text)} ${clockText(text)}` : undefined

const clockText = (text: string): string => formatTime(text.slice(11, 16)) + (/Z$/.test(text) ? ' UTC' : '')

const dayNumber = (text: string): number => Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / DAY

/** Day shift apart, because it is small and amber. */
export function timesOf(draft: ImportDraft | null): { clocks: string; shift: string; rest: string } {
  const departure = draft?.departure ?? draft?.departureScheduled ?? null
  const arrival = draft?.arrival ?? draft?.arrivalScheduled ?? null
  if (!draft || (!departure && !arrival)) return { clocks: '', shift: '', rest: '' }
  const clocks = [departure, arrival].map((text) => (text ? clockText(text) : '…')).join(' – ')
  const days = departure && arrival ? dayNumber(arrival) - dayNumber(departure) : 0
  const seconds =
    draft.duration ?? (departure && arrival ? (Date.parse(arrival) - Date.parse(departure)) / 1000 : 0)
  return { clocks, shift: formatDayShift(days), rest: seconds > 0 ? formatDuration(seconds) : '' }
}

export function timesText(draft: ImportDraft | null): string {
  const { clocks, shift, rest } = timesOf(draft)
  if (!clocks) return draft && saysMore(draft) ? t('imports.noTimes') : t('imports.noDetails')
  return [[clocks, shift].filter(Boolean).join(' '), rest].filter(Boolean).join(' · ')
}

/** Anything besides date and route. */
const saysMore = ({ flightNumber, airline, aircraft, aircraftReg, note, passengers }: ImportDraft): boolean =>
  [flightNumber, airline, aircraft, aircraftReg, note].some((value) => value) ||
  passengers.some(({ seat, seatNumber, seatClass }) => seat || seatNumber || seatClass)

export const dateText = (draft: ImportDraft | null): string =>
  draft?.date ? formatDate(draft.date, draft.datePrecision) : t('imports.noDate')

/** "May 2003". */
export const monthText = (day: string): string =>
  new Intl.DateTimeFormat(i18n.tag, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  )

// Questions

type Asked = Pick<ImportQuestion, 'kind' | 'value'> & Partial<Pick<ImportQuestion, 'choices' | 'example'>>

/** The text that is asked about. Of dates, the question is about all of them, so this is one as an example. */
const subjectText = ({ kind, value, choices }: Asked): string =>
  kind === 'date_ambiguous' ? (choices?.[0]?.detail ?? '') : value

/** A date is named with its column, where the file has one. */
export function questionText(question: Asked, mapping: ImportMapping | null = null): string {
  const { kind } = question
  const value = subjectText(question)
  if (kind === 'unknown_airport' || kind === 'ambiguous_airport') return t('imports.ask.airport', { value })
  if (kind === 'date_ambiguous') return dateQuestion(value, mapping)
  const side = kind === 'missing_airport' ? question.example?.side : null
  if (side) return t(`imports.ask.missing.${side}`)
  return textFor(`imports.ask.${kind}`, { value }) ?? value
}

/** The rows that wait for an answer, and the flight of the first one. */
export function exampleText({ rowNumbers, rows, example }: ImportQuestion): string {
  if (!example || rowNumbers.length === 0) return ''
  const { flightNumber, from, to, date, datePrecision } = example
  const numbers = rowNumbers.join(', ') + (rows > rowNumbers.length ? ' …' : '')
  return [
    t('imports.inRows', { count: rows, rows: numbers }),
    [flightNumber, `${from || '?'}–${to || '?'}`].filter(Boolean).join(' '),
    date && formatDate(date, datePrecision),
  ]
    .filter(Boolean)
    .join(' · ')
}

function dateQuestion(value: string, mapping: ImportMapping | null): string {
  if (!value) return t('imports.ask.dateOrder')
  const dated = mapping?.columns.filter(
    ({ field, heading }) => heading && columnsFor('date').includes(field ?? ''),
  )
  const column = dated?.find(({ examples }) => examples.includes(value)) ?? dated?.[0]
  return column
    ? t('imports.ask.dateInColumn', { value, column: column.heading })
    : t('imports.ask.date_ambiguous', { value })
}

export const isAboutAirport = ({ kind }: Pick<ImportQuestion, 'kind'>): boolean =>
  kind === 'unknown_airport' || kind === 'ambiguous_airport' || kind === 'missing_airport'

const orderNames = { dmy: 'imports.dayFirst', mdy: 'imports.monthFirst', ymd: 'imports.yearFirst' } as const
const isOrder = (id: unknown): id is ImportDateOrder => typeof id === 'string' && id in orderNames

interface ShownChoice {
  /** Of an airport or airline, set apart at the start. */
  code: string
  label: string
  detail: string
}

/** `03/04/2019` in one of two readings. */
function dateIn(value: string, order: ImportDateOrder): string {
  const parts = value.match(/\d+/g) ?? []
  if (parts.length < 3) return value
  const [day, month, year] =
    order === 'mdy'
      ? [parts[1], parts[0], parts[2]]
      : order === 'dmy'
        ? parts
        : [parts[2], parts[1], parts[0]]
  const full = year!.length === 2 ? `20${year}` : year!
  const iso = `${full}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
  if (Number.isNaN(Date.parse(iso))) return value
  const style: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', timeZone: 'UTC' }
  return new Intl.DateTimeFormat(i18n.tag, style).format(new Date(`${iso}T12:00:00Z`))
}

export function choiceText(question: ImportQuestion, choice: ImportChoice): ShownChoice {
  const { id, label, detail } = choice
  if (question.kind === 'date_ambiguous' && isOrder(id))
    return { code: '', label: dateIn(detail, id), detail: t(orderNames[id]) }
  if (question.kind === 'times_zone')
    return id === 'utc'
      ? { code: '', label: t('imports.zone.utc'), detail: t('imports.zone.utcHint') }
      : { code: '', label: t('imports.zone.local'), detail: t('imports.zone.localHint') }
  if (question.kind === 'from_text') return { code: '', label: t('imports.fromText.flight'), detail: '' }
  if (question.kind === 'year_assumed') return { code: '', label, detail: formatDate(detail) }
  const known = [detail, ...reasonsOf(choice)].filter(Boolean).join(' · ')
  const coded = /^([A-Z0-9]{2,4})(?: [·–-] |: |, | )(.+)$/u.exec(label)
  return coded ? { code: coded[1]!, label: coded[2]!, detail: known } : { code: '', label, detail: known }
}

/** Why it is suggested, and how far an airport is from the other end of the flight. */
export const reasonsOf = ({ reason, km, kmFrom }: ImportChoice): string[] => [
  ...(reason ? [t(`imports.why.${reason}`)] : []),
  ...(km === undefined || kmFrom === undefined
    ? []
    : [t('imports.why.far', { distance: formatDistance(km), airport: kmFrom })]),
]

/** What was answered, in one line. `found` is the name of an airport that was not among the choices. */
export function answerText(question: ImportQuestion, found?: string): string {
  const { answer, kind, choices } = question
  const value = subjectText(question)
  if (!answer) return questionText(question)
  if (answer.leaveEmpty)
    return emptyWithoutAnswer.has(kind)
      ? t('imports.answered.empty', { value })
      : t('imports.answered.out', { value: value || t('imports.empty') })
  const choice = choices.find(({ id }) => String(id) === String(answer.id))
  const shown = choice && choiceText(question, choice)
  const text = shown
    ? [shown.code, shown.label].filter(Boolean).join(' ')
    : (found ?? String(answer.id ?? ''))
  if (kind === 'from_text') return t('imports.answered.from_text', { value })
  if (kind === 'year_assumed') return t('imports.answered.year_assumed', { answer: text })
  return kind === 'times_zone'
    ? t('imports.answered.times_zone', { answer: text })
    : t('imports.answered', { value: value || t('imports.empty'), answer: text })
}

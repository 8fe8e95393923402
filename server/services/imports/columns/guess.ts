// Guesses the field of each column of a table: by its heading, then by its values, then by its position. A mapping from the
// person takes precedence.
import type { ColumnField, ImportMapping } from '../../../domain/imports/imports.ts'
import type { Table } from '../content/content.ts'
import { type HeadingMeaning, meaningOf } from './heading.ts'
import { type ColumnValues, countsRows, durationUnit, isCompact, isSerial, valuesOf } from './values.ts'
import { foldWords } from './vocabulary.ts'

export interface GuessedColumn {
  index: number
  heading: string
  field: ColumnField | null
  examples: string[]
  isUtc: boolean
  /** The unit of bare numbers, if the column is a duration. */
  unit: 'hours' | 'minutes' | 'seconds'
  /** The column has only the city of an airport; a column with its code takes precedence. */
  isCity: boolean
}

export interface Guess {
  columns: GuessedColumn[]
  /** Date, origin and destination are known, and not only by their values. Otherwise the person must confirm. */
  isCertain: boolean
  /** A pilot's table: the person must say whether its times are UTC or local. */
  isPilots: boolean
  /** Its times have no separator between hours and minutes. */
  isCompact: boolean
}

/** The number of rows whose values are examined. */
const SAMPLED_ROWS = 200
const COLUMNS_AT_MOST = 500

/** The maximum length of an answer's key. */
const KEY_AT_MOST = 500

/** The key for all tables with these headings: folded and joined. */
export const mappingKey = (headings: readonly string[]): string =>
  headings
    .map((heading) => foldWords(heading).join(' '))
    .join('|')
    .slice(0, KEY_AT_MOST)

export function guessColumns(table: Table, mapping: ImportMapping | null): Guess {
  const columns = sampleOf(table)
  const given = mapping && fits(mapping, table.headings) ? mapping : null
  for (const column of columns) column.by = decideByHeading(column)
  dropEmptyEnds(columns)
  dropLoneLetters(columns)
  settleLoose(columns)
  decideByValues(columns)
  settleConflicts(columns)
  if (given) apply(given, columns)
  const isPilots = columns.some(({ meaning }) => meaning.isPilots)
  const times = columns.filter(({ field }) => field !== null && timeFields.has(field))
  return {
    columns: columns.map(shown),
    isCertain: isCertain(columns, given !== null),
    isPilots,
    isCompact: isCompact(times.flatMap(({ values }) => values.texts)),
  }
}

// One column during guessing

interface Column {
  index: number
  heading: string
  meaning: HeadingMeaning
  values: ColumnValues
  field: ColumnField | null
  /** How the field was found; `no`: the heading names something that flights do not have. */
  by: 'heading' | 'values' | 'person' | 'no' | null
}

function sampleOf(table: Table): Column[] {
  const headings = table.headings.slice(0, COLUMNS_AT_MOST)
  const texts = headings.map((): string[] => [])
  let rows = 0
  for (const { cells } of table.rows) {
    texts.forEach((column, index) => {
      column.push(cells[index] ?? '')
    })
    if (++rows === SAMPLED_ROWS) break
  }
  return headings.map((heading, index) => ({
    index,
    heading,
    meaning: meaningOf(heading),
    values: valuesOf(texts[index]!),
    field: null,
    by: null,
  }))
}

const shown = ({ index, heading, field, values, meaning }: Column): GuessedColumn => ({
  index,
  heading,
  field,
  examples: values.examples.map((text) => text.slice(0, 200)),
  isUtc: meaning.isUtc && !meaning.isLocal,
  unit: meaning.unit ?? durationUnit(values.texts),
  isCity: meaning.part === 'city',
})

/** Whether the mapping was made for these columns, or for no particular ones. */
const fits = ({ columns }: ImportMapping, headings: readonly string[]): boolean =>
  columns.every(({ index, heading }) => {
    const own = headings[index]
    return own !== undefined && (!heading || mappingKey([own]) === mappingKey([heading]))
  })

function apply(mapping: ImportMapping, columns: Column[]): void {
  const taken = new Set(mapping.columns.map(({ field }) => field))
  for (const column of columns) {
    const said = mapping.columns.find(({ index }) => index === column.index)
    if (said) Object.assign(column, { field: said.field === 'ignore' ? null : said.field, by: 'person' })
    // A field that the person assigned to one column is not given to another.
    else if (column.field !== null && taken.has(column.field))
      Object.assign(column, { field: null, by: null })
  }
}

// By heading, checked against the values

const timeFields: ReadonlySet<ColumnField> = new Set([
  'departureTime',
  'arrivalTime',
  'departureScheduled',
  'arrivalScheduled',
  'takeoffScheduled',
  'takeoffActual',
  'landingScheduled',
  'landingActual',
])

const set = (column: Column, field: ColumnField, by: 'heading' | 'values'): 'heading' | 'values' => {
  column.field = field
  return by
}

function decideByHeading(column: Column): Column['by'] {
  const { meaning, values } = column
  if (meaning.field === null) return 'no'
  if (meaning.end) return decideEnd(column, meaning.end)
  if (meaning.field === undefined) return null
  const field = byValuesOf(meaning.field, values)
  if (field === null) return 'no'
  return set(column, field, 'heading')
}

const isTimes = (values: ColumnValues): boolean =>
  values.is('clock') || values.is('dateTime') || values.texts.every((text) => /^0[.,]\d+$/.test(text))
const isDates = (values: ColumnValues): boolean =>
  values.is('date') || (values.filled > 0 && values.texts.every(isSerial))

/** For a bare `Departure`, the values decide. */
function decideEnd(column: Column, end: 'dep' | 'arr'): Column['by'] {
  const { values, meaning } = column
  const isDep = end === 'dep'
  if (values.is('dateTime')) {
    if (meaning.isScheduled) return set(column, isDep ? 'departureScheduled' : 'arrivalScheduled', 'heading')
    return set(column, isDep ? 'departure' : 'arrival', 'heading')
  }
  if (isDates(values)) return set(column, isDep ? 'date' : 'arrivalDate', 'heading')
  if (values.filled > 0 && (isTimes(values) || values.is('numeric'))) {
    if (meaning.isScheduled) return set(column, isDep ? 'departureScheduled' : 'arrivalScheduled', 'heading')
    return set(column, isDep ? 'departureTime' : 'arrivalTime', 'heading')
  }
  if (meaning.isScheduled) return set(column, isDep ? 'from' : 'plannedTo', 'heading')
  return set(column, isDep ? 'from' : 'to', 'heading')
}

/** The field from the heading, if the values allow it; otherwise null. */
function byValuesOf(field: ColumnField, values: ColumnValues): ColumnField | null {
  if (values.filled === 0) return field
  if (timeFields.has(field)) return timeOrPlace(field, values)
  if (field === 'arrivalDate' && values.is('dateTime')) return 'arrival'
  if ((field === 'number' || field === 'flightNumber') && countsRows(values.texts)) return null
  if (field === 'number' && values.is('flightNumber')) return 'flightNumber'
  if (field === 'number' && !values.is('number')) return null
  if (field === 'passenger' && values.is('number')) return null
  if (field === 'seat' && values.is('seat')) return 'seatNumber'
  if (field === 'route' && !values.is('route') && values.texts.every((text) => /^\d+$/.test(text)))
    return null
  return field
}

function timeOrPlace(field: ColumnField, values: ColumnValues): ColumnField | null {
  if (values.is('dateTime') && field === 'departureTime') return 'departure'
  if (values.is('dateTime') && field === 'arrivalTime') return 'arrival'
  if (values.is('airport') && !isTimes(values)) return null
  // Pilots use `On` and `In` for times; a column of numbers with such a heading counts landings.
  const isWheels = field === 'takeoffActual' || field === 'landingActual'
  const isTime = isTimes(values) || values.texts.some((text) => /\d[:.h]?\d{2}/.test(text))
  return isTime || (values.is('numeric') && !isWheels) ? field : null
}

/** An empty `Arrival` beside `To` has no places. */
function dropEmptyEnds(columns: Column[]): void {
  for (const column of columns) {
    if (!column.meaning.end || column.values.filled > 0) continue
    if (columns.some(({ field, values }) => field === column.field && values.filled > 0))
      Object.assign(column, { field: null, by: 'no' })
  }
}

/** `A`, `De` and `Da` name an end of the flight only if another column names the other end. */
function dropLoneLetters(columns: Column[]): void {
  for (const column of columns) {
    if (!['a', 'de', 'da'].includes(foldWords(column.heading).join(' '))) continue
    const other = column.field === 'to' ? 'from' : 'to'
    if (!columns.some(({ field }) => field === other)) Object.assign(column, { field: null, by: null })
  }
}

/** A bare `Date` or `Time` belongs to the airport column before it; two of them are departure and arrival. */
function settleLoose(columns: Column[]): void {
  for (const loose of ['date', 'time'] as const) {
    const open = columns.filter(({ meaning, by }) => by === null && meaning.loose === loose)
    const [departure, arrival] =
      loose === 'date' ? (['date', 'arrivalDate'] as const) : (['departureTime', 'arrivalTime'] as const)
    const free = (field: ColumnField) => !columns.some((column) => column.field === field)
    open.forEach((column, place) => {
      const before = open.length > 1 ? undefined : endBefore(columns, column)
      const field =
        before === 'arr' && !free(departure) ? arrival : place === 0 && free(departure) ? departure : arrival
      if (place < 2 && free(field)) column.by = set(column, field, 'heading')
    })
  }
}

function endBefore(columns: readonly Column[], column: Column): 'dep' | 'arr' | undefined {
  const before = columns.slice(0, column.index).findLast(({ field }) => field === 'from' || field === 'to')
  return before && (before.field === 'from' ? 'dep' : 'arr')
}

// By values

function decideByValues(columns: Column[]): void {
  const open = columns.filter(({ by, values }) => by === null && values.filled > 0)
  const has = (...fields: ColumnField[]) =>
    columns.some(({ field }) => field !== null && fields.includes(field))
  const take = (kind: (values: ColumnValues) => boolean, field: ColumnField, unless: ColumnField[] = []) => {
    if (has(field, ...unless)) return
    const found = open.find(({ by, values }) => by === null && kind(values))
    if (found) found.by = set(found, field, 'values')
  }
  take((values) => isDates(values), 'date', ['departure'])
  take((values) => values.is('dateTime'), 'departure', ['date', 'departureTime'])
  take((values) => values.is('dateTime'), 'arrival', ['arrivalTime'])
  take((values) => values.is('route'), 'route', ['from', 'to'])
  take((values) => values.is('flightNumber') && !values.is('aircraft'), 'flightNumber', ['number'])
  const places = open.filter(({ by, values }) => by === null && values.is('airport')).length
  if (!has('route') && (places > 1 || has('from', 'to'))) {
    take((values) => values.is('airport'), 'from')
    take((values) => values.is('airport'), 'to')
  }
  take((values) => values.is('registration'), 'aircraftReg')
  take((values) => values.is('seat'), 'seatNumber', ['seat'])
  take((values) => values.is('aircraft'), 'aircraft')
  const clocks = open.filter(
    ({ by, values }) => by === null && values.is('clock') && values.texts.some((text) => /[:.h]/.test(text)),
  )
  if (clocks.length >= 2) {
    take((values) => values.is('clock'), 'departureTime', ['departure'])
    take((values) => values.is('clock'), 'arrivalTime', ['arrival'])
  }
}

// One column per field

/** Fields that may have several columns: parts of one airport, airline, type or text. */
const shared: ReadonlySet<ColumnField> = new Set([
  'from',
  'to',
  'airline',
  'aircraft',
  'note',
  'passenger',
  'plannedTo',
  'operatingAirline',
])

function settleConflicts(columns: Column[]): void {
  settleNumbers(columns)
  for (const column of columns) {
    const { field } = column
    if (field === null || shared.has(field)) continue
    const rivals = columns.filter((other) => other.field === field)
    const best = rivals.reduce((a, b) => (rank(b) > rank(a) ? b : a))
    for (const rival of rivals) if (rival !== best) Object.assign(rival, { field: null, by: null })
  }
}

/** A day of departure ranks above a bare date, local times above UTC, filled columns above empty ones. */
const rank = ({ meaning, values, by }: Column): number =>
  (values.filled > 0 ? 8 : 0) +
  (by === 'heading' ? 4 : 0) +
  (meaning.isUtc && !meaning.isLocal ? 0 : 2) +
  (meaning.loose === undefined ? 1 : 0)

/** Joins a carrier's code and a number from two columns; digits under `Flight` need the carrier too. */
function settleNumbers(columns: Column[]): void {
  const number = columns.find(({ field }) => field === 'number' || field === 'flightNumber')
  const carrier = columns.find(({ field }) => field === 'airline')
  if (!number) return
  const isBare = number.values.is('number') && !number.values.is('flightNumber')
  const isCode = carrier?.values.texts.every((text) => /^[A-Z0-9]{2,3}$/i.test(text)) ?? false
  if (isBare && carrier && isCode) [carrier.field, number.field] = ['carrier', 'number']
  else if (number.field === 'number' && !columns.some(({ field }) => field === 'flightNumber'))
    number.field = 'flightNumber'
}

function isCertain(columns: readonly Column[], isGiven: boolean): boolean {
  const found = (...fields: ColumnField[]) =>
    columns.find(({ field }) => field !== null && fields.includes(field))
  const date = found('date', 'departure')
  const [from, to, route] = [found('from'), found('to'), found('route')]
  if (!date || !(route || (from && to))) return false
  return isGiven || route !== undefined || from?.by === 'heading' || to?.by === 'heading'
}

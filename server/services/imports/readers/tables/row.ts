// Turns a row of any table into a flight, by the fields of its columns.
import { type Price, type TimeField, timeFields } from '../../../../domain/flights/fields.ts'
import { isAmount, isCurrency } from '../../../../domain/flights/price.ts'
import type { ColumnField, ImportOptions, ImportWarning } from '../../../../domain/imports/imports.ts'
import { isCancelledCell, isOtherTransport, saysCancelled } from '../../../../domain/imports/not-flown.ts'
import type { Guess, GuessedColumn } from '../../columns/guess.ts'
import { foldWords } from '../../columns/vocabulary.ts'
import type { Named, SourceDate, SourceFlight, SourcePerson, SourceTime } from '../../reading/source.ts'
import { aircraftNamed, airlineNamed, airportNamed } from '../../values/named.ts'
import { endsOfOneKind, readDuration, readSourceTime } from '../../values/times.ts'
import { readReason, readSeat, readSeatClass } from '../../values/words.ts'
import type { RowReading } from './flight.ts'

type ReadRow = (cells: readonly string[], warnings: ImportWarning[]) => RowReading

/** Prepares what is the same for all rows. */
export function planRows(guess: Guess, options: ImportOptions): ReadRow {
  const { columns, isPilots, isCompact } = guess
  const byField = new Map<ColumnField, GuessedColumn[]>()
  for (const column of columns) {
    if (column.field !== null) byField.set(column.field, [...(byField.get(column.field) ?? []), column])
  }
  const saysOther = anyCell(columns, meansFields, isOtherTransport)
  const saysOff = anyCell(columns, [null], isCancelledCell)
  return (cells, warnings) => {
    const row: Row = { cells, byField, options, isPilots, isCompact, warnings }
    const [from, to] = ends(row)
    const date = cell(row, 'date') || cell(row, 'departure')
    // Many tables end with a line of totals.
    if (!/\d/.test(date) && !from && !to) return { skip: 'not_a_flight' }
    if (saysOther(cells)) return { skip: 'not_a_flight' }
    if (date === '') return { error: { code: 'bad_date', value: '' } }
    const read = flightOf(row, from, to)
    const flight = saysOff(cells) ? { ...read, outcome: 'cancelled' as const } : read
    return { flight, ...(flight.outcome === 'cancelled' && { skip: 'cancelled' as const }) }
  }
}

/** Columns in which a table may say that a journey was not a flight. In others such a word means something else. */
const meansFields: readonly (ColumnField | null)[] = [
  null,
  'flightNumber',
  'number',
  'airline',
  'carrier',
  'aircraft',
  'outcome',
]
const REMEMBERED_AT_MOST = 5_000

/** Whether a row has such a cell in the columns of these fields. Cells repeat, so the answers are kept. */
function anyCell(
  columns: readonly GuessedColumn[],
  fields: readonly (ColumnField | null)[],
  isSuch: (text: string) => boolean,
): (cells: readonly string[]) => boolean {
  const examined = columns.filter(({ field }) => fields.includes(field)).map(({ index }) => index)
  const known = new Map<string, boolean>()
  const says = (text: string): boolean => {
    const said = known.get(text) ?? isSuch(text)
    if (known.size < REMEMBERED_AT_MOST) known.set(text, said)
    return said
  }
  return (cells) => examined.some((index) => cells[index] && says(cells[index]))
}

interface Row {
  cells: readonly string[]
  byField: ReadonlyMap<ColumnField, readonly GuessedColumn[]>
  options: ImportOptions
  isPilots: boolean
  isCompact: boolean
  warnings: ImportWarning[]
}

const none: readonly string[] = []

/** The non-empty values of all columns of a field. */
function cellsOf({ byField, cells }: Row, field: ColumnField): readonly string[] {
  const columns = byField.get(field)
  return columns ? columns.flatMap(({ index }) => cells[index] || []) : none
}

/** The first value of `cellsOf`. A separate, fast function: it is called for every field of every row. */
function cell({ byField, cells }: Row, field: ColumnField): string {
  for (const { index } of byField.get(field) ?? []) {
    const text = cells[index]
    if (text) return text
  }
  return ''
}
const textOrNull = (row: Row, field: ColumnField): string | null => cell(row, field) || null

function flightOf(row: Row, from: Named | null, to: Named | null): SourceFlight {
  const { date, time } = dateOf(row)
  const times = timesOf(row, time)
  const price = priceOf(row)
  // A day in UTC is that of a time, from which the day at the airport follows.
  const isOfTime = isUtcDay(row) && departureFields.some((field) => times[field]?.date)
  return {
    date: isOfTime ? null : date,
    from,
    to,
    ...times,
    airline: named(row, 'airline', airlineNamed) ?? named(row, 'carrier', airlineNamed),
    flightNumber: numberOf(row),
    operatingAirline: named(row, 'operatingAirline', airlineNamed),
    operatingFlightNumber: textOrNull(row, 'operatingFlightNumber'),
    aircraft: named(row, 'aircraft', aircraftNamed),
    aircraftReg: textOrNull(row, 'aircraftReg'),
    plannedTo: named(row, 'plannedTo', airportNamed),
    duration: durationOf(row, times.departure !== undefined && times.arrival !== undefined),
    departureTerminal: textOrNull(row, 'departureTerminal'),
    departureGate: textOrNull(row, 'departureGate'),
    arrivalTerminal: textOrNull(row, 'arrivalTerminal'),
    arrivalGate: textOrNull(row, 'arrivalGate'),
    ...outcomeOf(row),
    bookingReference: textOrNull(row, 'bookingReference'),
    ...(price && { price }),
    note: cellsOf(row, 'note').join('\n') || null,
    ...viaOf(row),
    externalId: textOrNull(row, 'externalId'),
    passengers: passengersOf(row),
  }
}

// Airports

function ends(row: Row): [from: Named | null, to: Named | null] {
  const stops = stopsOf(cell(row, 'route'))
  return [
    named(row, 'from', airportNamed) ?? airportNamed(stops[0]),
    named(row, 'to', airportNamed) ?? airportNamed(stops.at(-1)),
  ]
}

/** A code and a name from separate columns are one record. */
function named(row: Row, field: ColumnField, read: (text: string) => Named | null): Named | null {
  const columns = row.byField.get(field) ?? []
  if (columns.length === 0) return null
  if (columns.length === 1) return read(row.cells[columns[0]!.index] ?? '')
  const whole = columns.filter(({ isCity }) => !isCity)
  const all = [...whole, ...columns.filter(({ isCity }) => isCity)]
  const found = all.flatMap(({ index }) => read(row.cells[index] ?? '') ?? [])
  if (found.length < 2) return found[0] ?? null
  const codes = [...new Set(found.flatMap((one) => one.codes))]
  const name = found.find((one) => one.name !== null && one.codes.length === 0)?.name ?? found[0]!.name
  return { text: found.map(({ text }) => text).join(', '), codes, name }
}

/** `CPH-ARN`, `CPH ARN OSL`, `Copenhagen – Stockholm`: a name may contain a hyphen. */
function stopsOf(route: string): string[] {
  const spaced = route.split(/\s+(?:[-–—>→/]|->|to|nach|til|till|naar)\s+|\s*(?:→|->|>)\s*/)
  if (spaced.length > 1) return spaced
  const codes = route.split(/[-–—/,\s]+/)
  return codes.length > 1 && codes.every((part) => /^[A-Z]{3,4}$/i.test(part)) ? codes : []
}

function viaOf(row: Row): Pick<SourceFlight, 'extras'> {
  const via = stopsOf(cell(row, 'route')).slice(1, -1)
  return via.length > 0 ? { extras: [['Via', via.join(', ')]] } : {}
}

// Dates and times

/** The date, and the time of departure if it is in the same cell. */
function dateOf(row: Row): { date: SourceDate | null; time: SourceTime | null } {
  const text = cell(row, 'date')
  if (text === '') return { date: null, time: null }
  const column = row.byField.get('date')![0]!
  const time = /\d[:.h]\d{2}|^\d{5}[.,]/.test(text) ? timeIn(row, text, column) : undefined
  return { date: time?.date ?? { text }, time: time?.date ? time : null }
}

/** Departure and arrival are combined from several columns; these times have one column. */
const wholeTimes = timeFields.filter((field) => field !== 'departure' && field !== 'arrival')

function timesOf(row: Row, withDate: SourceTime | null): Partial<Record<TimeField, SourceTime>> {
  const read: Partial<Record<TimeField, SourceTime>> = {}
  for (const field of wholeTimes) {
    const time = readTime(row, field)
    if (time) read[field] = field.startsWith('arrival') ? onArrivalDate(row, time) : onUtcDate(row, time)
  }
  const time = readTime(row, 'arrival') ?? readTime(row, 'arrivalTime')
  const start = readTime(row, 'departure') ?? readTime(row, 'departureTime')
  const { departure = withDate, arrival } = endsOfOneKind(
    {
      departure: start && onUtcDate(row, start),
      arrival: time && onArrivalDate(row, time),
    },
    { departure: read.departureScheduled, arrival: read.arrivalScheduled },
  )
  return { ...(departure && { departure }), ...(arrival && { arrival }), ...read }
}

const departureFields = ['departure', 'departureScheduled', 'takeoffActual', 'takeoffScheduled'] as const

/** Under `Date (UTC)` the day is that of the departure in UTC, not that at the airport. */
const isUtcDay = ({ byField }: Row): boolean => byField.get('date')?.[0]?.isUtc === true

const onUtcDate = (row: Row, time: SourceTime): SourceTime =>
  isUtcDay(row) && time.zone === 'utc' && time.date === null
    ? { ...time, date: { text: cell(row, 'date') } }
    : time

function onArrivalDate(row: Row, time: SourceTime): SourceTime {
  const text = cell(row, 'arrivalDate')
  return text !== '' && time.date === null ? { ...time, date: { text } } : time
}

function readTime(row: Row, field: ColumnField): SourceTime | undefined {
  const column = row.byField.get(field)?.[0]
  const text = column ? (row.cells[column.index] ?? '') : ''
  if (!column || /^[-–—?.\s]*$/.test(text)) return undefined
  const time = timeIn(row, text, column)
  if (!time) row.warnings.push({ code: 'value_not_understood', field: flightField(field), value: text })
  return time
}

const flightField = (field: ColumnField): string =>
  field === 'departureTime' ? 'departure' : field === 'arrivalTime' ? 'arrival' : field

function timeIn(row: Row, text: string, { isUtc }: GuessedColumn): SourceTime | undefined {
  const { timesAreUtc } = row.options
  const zone = (timesAreUtc ?? isUtc) ? 'utc' : row.isPilots && timesAreUtc === undefined ? 'asked' : 'local'
  const isDigits = row.isCompact && /^\d{1,3}$/.test(text)
  const plain = isDigits ? text.padStart(4, '0') : text.replace(/\s*\(?(?:LT|local)\)?$/i, '')
  return readSourceTime(clockOfFraction(text) ?? plain, { zone })
}

/** A spreadsheet without cell formats writes a time as a fraction of a day, perhaps after the day number. */
function clockOfFraction(text: string): string | undefined {
  const found = /^(\d{0,5})[.,](\d{2,})$/.exec(text)
  const day = found ? Number(found[1] || 0) : -1
  if (!found || (day !== 0 && day < 20_000)) return undefined
  const minutes = Math.round(Number(`0.${found[2]}`) * 1440)
  const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  return day === 0 ? clock : `${day} ${clock}`
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Hours with one decimal are only exact to six minutes, so they are ignored if both times are known. */
function durationOf(row: Row, areTimesKnown: boolean): number | null {
  const column = row.byField.get('duration')?.[0]
  const text = column ? (row.cells[column.index] ?? '') : ''
  if (!column || /^[0:.,\s-]*$/.test(text)) return null
  if (areTimesKnown && /^\d{1,2}[.,]\d$/.test(text)) return null
  const fraction = /^0[.,]\d{4,}$/.test(text)
    ? Math.round(Number(text.replace(',', '.')) * 86_400)
    : undefined
  const seconds = fraction ?? readDuration(text, column.unit)
  if (seconds === undefined)
    row.warnings.push({ code: 'value_not_understood', field: 'duration', value: text })
  return seconds ?? null
}

// The rest

/** Bare digits get the airline's code later. Spreadsheets turn 132 into 132.0, and 6E123 into 6E+123. */
function numberOf(row: Row): string | null {
  const text = (cell(row, 'flightNumber') || cell(row, 'number')).replace(/(?<=\d)\.0+$/, '')
  return /^\dE\+\d+$/i.test(text) ? text.replace('+', '') : text || null
}

const diverted = /^(?:divert|umgeleitet|deroute|desvi|deviat|dirott|omgeleid)/
const yes = /^(?:true|yes|y|x|1|ja|oui|si|sim|vrai|wahr|verdadero|vero)$/

/** A status `Cancelled`, or a column of that name with yes and no. */
function outcomeOf(row: Row): Pick<SourceFlight, 'outcome'> {
  const column = row.byField.get('outcome')?.[0]
  const text = column ? foldWords(row.cells[column.index] ?? '').join(' ') : ''
  if (!column || text === '') return {}
  const said = yes.test(text) ? foldWords(column.heading).join(' ') : text
  if (saysCancelled(said)) return { outcome: 'cancelled' }
  return diverted.test(said) ? { outcome: 'diverted' } : {}
}

/** `129,90 €`, `EUR 1,234.50`, or an amount with its currency in another column. */
function priceOf(row: Row): Price | null {
  const text = cell(row, 'price')
  if (text === '') return null
  const signs: Record<string, string> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY' }
  const sign = /[€$£¥]/.exec(text)?.[0]
  const written = cell(row, 'currency').toUpperCase() || /[A-Z]{3}/.exec(text.toUpperCase())?.[0]
  const currency = written || (sign ? signs[sign] : undefined)
  const amount = plainAmount(text.replaceAll(/[^\d.,]/g, ''), row.options.decimal)
  if (amount !== null && currency && isAmount(amount) && isCurrency(currency)) return { amount, currency }
  row.warnings.push({ code: 'value_not_understood', field: 'price', value: text })
  return null
}

/** With a decimal point and without thousands separators. The last sign is the decimal one, unless three digits follow. */
function plainAmount(text: string, decimal: ImportOptions['decimal']): string | null {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const digits = text.length - last - 1
  const isDecimal = last >= 0 && (decimal ? text[last] === decimal : digits !== 3)
  const whole = (isDecimal ? text.slice(0, last) : text).replaceAll(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  if (whole === '') return null
  return isDecimal && digits > 0 ? `${whole}.${text.slice(last + 1)}` : whole
}

/** The importer with the seat, and all named people. */
function passengersOf(row: Row): SourcePerson[] {
  const { warnings } = row
  const texts = [...cellsOf(row, 'seat'), ...cellsOf(row, 'seatNumber')]
  const seat = seatOf(texts, warnings)
  const own: SourcePerson = {
    who: { kind: 'self' },
    ...seat,
    seatClass: readSeatClass(cell(row, 'seatClass'), warnings),
    flightReason: readReason(cell(row, 'reason'), warnings),
  }
  return [
    own,
    ...namesIn(cellsOf(row, 'passenger')).map((name): SourcePerson => ({ who: { kind: 'named', name } })),
  ]
}

/** `12A`, `Window`, `12A / Window`. */
function seatOf(
  texts: readonly string[],
  warnings: ImportWarning[],
): Pick<SourcePerson, 'seat' | 'seatNumber'> {
  const parts = texts.flatMap((text) => text.split(/[/,;()]/)).flatMap((part) => part.trim() || [])
  const numbers = parts.filter((part) => /\d/.test(part))
  // Two seats: the row does not say whose.
  if (numbers.length > 1)
    warnings.push({ code: 'value_not_understood', field: 'seatNumber', value: numbers.join(', ') })
  const seatNumber = numbers.length === 1 ? numbers[0]! : null
  const word =
    parts.find((part) => !numbers.includes(part) && !/^[A-L]$/.test(part)) ??
    parts.find((part) => !numbers.includes(part))
  return { seat: readSeat(word, warnings), seatNumber }
}

/** Separated by anything but blanks; `Rossi, Maria` contains a comma. */
function namesIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const parts = text.split(/\s*(?:[;&+\n|]|\bund\b|\band\b|\bet\b)\s*/)
    const names =
      parts.length > 1
        ? parts
        : text.split(/\s*,\s*/).every((part) => part.includes(' '))
          ? text.split(/\s*,\s*/)
          : [text]
    return names.map((name) => name.trim()).filter((name) => name !== '')
  })
}

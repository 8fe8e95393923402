// FlightMemory (section 5.8 of the import rules) has no export, so people save its page "FlightData". The page changes now and
// then, so columns are found by the texts of their headings, in English and German, never by position.
import type { FlightReason, Seat } from '../../../../domain/enums.ts'
import { parseFlightNumber } from '../../../../domain/flights/number.ts'
import type { ImportDateOrder, ImportWarning } from '../../../../domain/imports/imports.ts'
import type { Markup } from '../../content/content.ts'
import { walkMarkup } from '../../content/markup.ts'
import {
  type Named,
  reads,
  type Source,
  type SourceFlight,
  type SourcePerson,
  type SourceRecord,
  type SourceTime,
} from '../../reading/source.ts'
import { aircraftNamed, airlineNamed, namedBy } from '../../values/named.ts'
import { readClock, readDuration } from '../../values/times.ts'
import { readReason, readSeat, readSeatClass } from '../../values/words.ts'

// The page → rows of cells

interface Cell {
  /** The index of its first column; cells may span several. */
  column: number
  span: number
  text: string
}
interface Row {
  cells: Cell[]
  comment: string | null
}
interface OpenTable {
  row: Row | null
  cell: Cell | null
  /** Known once the heading was found; then this is the table of flights. */
  columns: Columns | null
}

const blocks = new Set(['p', 'div', 'li'])
const cellsAndRows = new Set(['tr', 'td', 'th'])
const COMMENT = /^\s*(?:comment|kommentar|bemerkung|anmerkung)\s*:\s*/i

/** Passes on each row of the table of flights. False if the page is nested too deep. */
function walkRows(html: string, found: (row: Row, columns: Columns) => void): boolean {
  const tables: OpenTable[] = []
  // Tables inside the table of flights are part of its cells.
  const target = () => tables.find(({ columns }) => columns) ?? tables.at(-1)
  const finish = (table: OpenTable) => {
    endCell(table)
    const { row } = table
    table.row = null
    if (!row) return
    const heading = columnsOf(row)
    if (!heading) table.columns ??= usualColumns(row)
    if (heading) table.columns = heading
    else if (table.columns) found(row, table.columns)
  }
  return walkMarkup(html, 'html', {
    open(name, attributes) {
      const table = tables.at(-1)
      const inside = target()
      if (inside?.cell && name === 'br') inside.cell.text += '\n'
      if (blocks.has(name) || (table !== inside && cellsAndRows.has(name))) beginLine(inside?.cell)
      if (name === 'table') tables.push({ row: null, cell: null, columns: null })
      else if (table && name === 'tr') {
        finish(table)
        table.row = { cells: [], comment: null }
      } else if (table && (name === 'td' || name === 'th')) beginCell(table, attributes['colspan'])
      const row = target()?.row
      const title = attributes['title'] ?? ''
      if (row && COMMENT.test(title)) row.comment = title.replace(COMMENT, '').trim()
    },
    text(data) {
      const cell = target()?.cell
      const shown = data.replace(/\s+/g, ' ')
      if (cell && !(shown === ' ' && isLineBegun(cell))) cell.text += shown
    },
    close(name) {
      if (blocks.has(name)) beginLine(target()?.cell)
      const table = tables.at(-1)
      if (!table) return
      if (name === 'td' || name === 'th') endCell(table)
      if (name === 'tr' || name === 'table') finish(table)
      if (name === 'table') tables.pop()
    },
  })
}

const isLineBegun = ({ text }: Cell): boolean => text === '' || text.endsWith('\n')

/** Blocks begin and end a line, without an empty line between two blocks. */
function beginLine(cell: Cell | null | undefined): void {
  if (cell && !isLineBegun(cell)) cell.text += '\n'
}

function beginCell(table: OpenTable, colspan: string | undefined): void {
  endCell(table)
  table.row ??= { cells: [], comment: null }
  const last = table.row.cells.at(-1)
  const span = Math.min(50, Math.max(1, Number.parseInt(colspan ?? '1', 10) || 1))
  table.cell = { column: last ? last.column + last.span : 0, span, text: '' }
}

function endCell(table: OpenTable): void {
  if (table.cell) table.row?.cells.push(table.cell)
  table.cell = null
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
const filled = (lines: readonly string[]): string[] => lines.filter((line) => line !== '')

// The heading → where each part of a flight is

type Part = 'date' | 'from' | 'to' | 'distance' | 'airline' | 'aircraft' | 'seat'
/** Columns from and until. */
type Columns = Partial<Record<Part, readonly [number, number]>>

/** The first match wins: a heading may name several parts, such as "Date Dep. Arr.". */
const headings: readonly (readonly [Part, RegExp])[] = [
  ['date', /\b(?:date|datum)\b/i],
  ['distance', /\b(?:distance|distanz|entfernung|strecke|duration|dauer)\b/i],
  ['airline', /\b(?:airline|carrier|fluggesellschaft|gesellschaft)\b/i],
  ['aircraft', /\b(?:aircraft|airplane|plane|flugzeug|flugzeugtyp)\b/i],
  ['seat', /\b(?:seat|sitz|sitzplatz|class|klasse)\b/i],
  ['from', /\b(?:from|departure|origin|von|abflug|abflugort|start)\b/i],
  ['to', /\b(?:to|arrival|destination|nach|ankunft|ankunftsort|ziel)\b/i],
]
const LONGEST_HEADING = 60

/** Null if the row is not the heading of the flights. */
function columnsOf({ cells }: Row): Columns | null {
  const columns: Columns = {}
  for (const [index, { column, span, text }] of cells.entries()) {
    const name = filled(linesOf(text)).join(' ')
    const part =
      name.length > LONGEST_HEADING ? undefined : headings.find(([, words]) => words.test(name))?.[0]
    if (!part || columns[part]) continue
    columns[part] = [column, isPlace(part) ? endOfPlace(cells, index) : column + span]
  }
  return columns.date && columns.from && columns.to ? columns : null
}

const DATE_LINE = /^(?:\d{1,2}[-.]\d{1,2}[-.]\d{4}|\d{4})$/

/** In a page without a heading, a date and two codes with their places show where everything else is. */
function usualColumns({ cells }: Row): Columns | null {
  const first = (index: number) => filled(linesOf(cells[index]?.text ?? ''))[0] ?? ''
  const at = cells.findIndex((_, index) => DATE_LINE.test(first(index)) && isCode(first(index + 1)))
  if (at < 0 || !isCode(first(at + 3))) return null
  const column = (offset: number, width = 1): readonly [number, number] => {
    const begin = cells[at]!.column + offset
    return [begin, begin + width]
  }
  return {
    date: column(0),
    from: column(1, 2),
    to: column(3, 2),
    distance: column(5),
    airline: column(6),
    aircraft: column(7),
    seat: column(8),
  }
}

const isPlace = (part: Part): boolean => part === 'from' || part === 'to'

/** Code and name of an airport are two columns; the second has no heading. */
function endOfPlace(cells: readonly Cell[], index: number): number {
  const { column, span } = cells[index]!
  const next = cells[index + 1]
  return span === 1 && next && next.text.trim() === '' ? next.column + next.span : column + span
}

// A row → a flight

function recordOf(row: Row, columns: Columns): SourceRecord | null {
  const raw = row.cells.map(({ text }) => filled(linesOf(text)).join(' / '))
  const lines = (part: Part) => {
    const [begin, end] = columns[part] ?? [0, 0]
    return row.cells
      .filter(({ column }) => column >= begin && column < end)
      .flatMap(({ text }) => linesOf(text))
  }
  const from = filled(lines('from'))
  const to = filled(lines('to'))
  const [written, ...clocks] = fromDate(lines('date'))
  // Other rows between the flights, such as links to other pages, have none of these.
  if (from.length === 0 && to.length === 0 && !written) return null
  if (!written)
    return { line: null, raw, error: { code: 'bad_date', value: filled(lines('date')).join(' ') } }
  const warnings: ImportWarning[] = []
  const [leaves, lands] = [clockOf(clocks[0]), clockOf(clocks[1])]
  const duration = /\b\d{1,2}:\d{2}\b/.exec(lines('distance').join(' '))?.[0]
  const flight: SourceFlight = {
    date: dateOf(written),
    from: placeOf(from),
    to: placeOf(to),
    departure: leaves,
    arrival: lands,
    duration: readDuration(duration, 'hours') ?? null,
    ...carrierOf(filled(lines('airline'))),
    ...aircraftOf(filled(lines('aircraft'))),
    note: row.comment || null,
    passengers: [personOf(filled(lines('seat')), warnings)],
  }
  return { line: null, raw, flight, ...(warnings.length > 0 && { warnings }) }
}

/** The lines from the date on: the times of departure and arrival follow, and either may be empty. */
function fromDate(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => /\d/.test(line))
  return at < 0 ? [] : lines.slice(at)
}

/** Depending on the account's language, dates have dashes and the month first, or dots and the day first. */
function dateOf(text: string): SourceFlight['date'] {
  const order: ImportDateOrder | null = /^\d{1,2}-/.test(text)
    ? 'mdy'
    : /^\d{1,2}\./.test(text)
      ? 'dmy'
      : null
  return order ? { text, order } : { text }
}

function clockOf(text: string | undefined): SourceTime | null {
  const read = text ? readClock(text) : undefined
  if (!read) return null
  return {
    date: null,
    clock: read.clock,
    zone: 'local',
    ...(read.dayShift !== null && { dayShift: read.dayShift }),
  }
}

const isCode = (line: string): boolean => /^[A-Z]{3}(?:\/[A-Z]{4})?$/.test(line)

/** Code, city, country and name of the airport; code and name may be missing. USA is a country, not a code. */
function placeOf(lines: readonly string[]): Named | null {
  const hasCode = isCode(lines[0] ?? '')
  const [place = '', ...rest] = hasCode ? lines.slice(1) : lines
  const [city = '', country] = place.split(/\s*,\s*/)
  const airport = country === undefined ? rest[1] : rest[0]
  return namedBy(hasCode ? lines[0]!.split('/') : [], airport ?? city, lines.join(', '))
}

function carrierOf(lines: readonly string[]): Pick<SourceFlight, 'airline' | 'flightNumber'> {
  const isNumber = (line: string) => /^\d{1,4}[A-Z]?$/i.test(line) || parseFlightNumber(line) !== undefined
  const at = lines.findLastIndex(isNumber)
  // The number, such as KL1, may be the only line.
  const names = lines.filter((_, index) => index !== at)
  return { airline: airlineNamed(names[0]), flightNumber: at < 0 ? null : lines[at]! }
}

const REGISTRATION = /^(?:[A-Z0-9]{1,4}-[A-Z0-9]{1,6}|N[1-9]\d{0,4}[A-Z]{0,2}|JA\d{2}[0-9A-Z]{2}|HL\d{4})$/i
/** Types that have the shape of a registration. */
const TYPE = /^(?:[A-Z]{3,4}|A3\d{2}|AN|DC|E|IL|L|MD|TU)-\d/i

/** Type, registration and name of the aircraft; each may be missing. */
function aircraftOf(lines: readonly string[]): Pick<SourceFlight, 'aircraft' | 'aircraftReg' | 'extras'> {
  const registration = lines.find((line) => REGISTRATION.test(line) && !TYPE.test(line)) ?? null
  const [first, ...names] = lines.filter((line) => line !== registration)
  const isType = lines[0] !== registration
  const ship = isType ? names : [first ?? '', ...names]
  return {
    aircraft: isType ? aircraftNamed(first) : null,
    aircraftReg: registration,
    extras: filled(ship).map((name): [string, string] => ['Aircraft name', name]),
  }
}

interface Role {
  seat?: Seat
  reason?: FlightReason
}
const roles: readonly (readonly [RegExp, Role])[] = [
  [/^(?:passenger|passagier|fluggast)$/i, {}],
  [/^cockpit$/i, { seat: 'pilot' }],
  [/^(?:crew|kabine|flugbegleiter(?:in)?|besatzung)$/i, { reason: 'crew' }],
]
const roleOf = (line: string): Role | undefined => roles.find(([words]) => words.test(line))?.[1]

/** `12A/Window`, then class, role and reason, any of which may be missing. The role separates class and reason. */
function personOf(lines: readonly string[], warnings: ImportWarning[]): SourcePerson {
  const isSeat = (line: string) => line.includes('/') || /^\d{1,3}[A-Z]$/i.test(line)
  const seatLine = lines.find(isSeat) ?? ''
  const rest = lines.filter((line) => line !== seatLine)
  const [number = '', kind] = seatLine.split('/').map((part) => part.trim())
  const at = rest.findIndex((line) => roleOf(line) !== undefined)
  const role = at < 0 ? undefined : roleOf(rest[at]!)
  const { seatClass, reason } =
    at < 0 ? withoutRole(rest, warnings) : { seatClass: rest[at - 1], reason: rest[at + 1] }
  return {
    who: { kind: 'self' },
    seatNumber: number || null,
    seat: role?.seat ?? readSeat(kind, warnings),
    seatClass: readSeatClass(seatClass, warnings),
    flightReason: readReason(reason, warnings) ?? role?.reason ?? null,
  }
}

interface Words {
  seatClass?: string | undefined
  reason?: string | undefined
}

/** A single "Business" may be the class or the reason, which cannot be decided. */
function withoutRole(lines: readonly string[], warnings: ImportWarning[]): Words {
  const [first, second] = lines
  if (first === undefined || second !== undefined) return { seatClass: first, reason: second }
  const [isClass, isReason] = [readSeatClass(first, []) !== null, readReason(first, []) !== null]
  if (isClass && isReason) warnings.push({ code: 'value_not_understood', field: 'seatClass', value: first })
  return isClass && isReason ? {} : isReason ? { reason: first } : { seatClass: first }
}

function* records({ text }: Markup): Generator<SourceRecord> {
  const found: SourceRecord[] = []
  let hasTable = false
  const isWhole = walkRows(text, (row, columns) => {
    hasTable = true
    const record = recordOf(row, columns)
    if (record) found.push(record)
  })
  yield* found
  if (!isWhole || !hasTable)
    yield { line: null, raw: text.slice(0, 500), error: { code: isWhole ? 'unreadable_file' : 'too_large' } }
}

export const flightmemory: Source = {
  id: 'flightmemory',
  name: 'FlightMemory',
  extensions: ['html', 'htm', 'zip'],
  readers: [
    reads<'html'>({
      kind: 'html',
      matches: ({ text }) => /flightmemory/i.test(text.slice(0, 20_000)),
      records,
    }),
  ],
}

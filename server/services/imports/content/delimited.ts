// Delimited text as rows of cells. Rows are made during iteration: a file of 20 MB is never millions of cells in memory. Lines
// that break the rules of RFC 4180 are split so that the number of cells fits the heading.
import type { ImportWarning } from '../../../domain/imports/imports.ts'
import type { Table, TableRow } from './content.ts'
import { findHeading, foldHeading } from './heading.ts'

const delimiters = [',', ';', '\t', '|'] as const
const LINES_TO_COUNT = 20
/** The heading must be within this many characters. */
const SEARCHED = 4 * 2 ** 20
/** Longer cells are cut: no field of a flight comes near this length. */
const CELL_AT_MOST = 200_000
/** The maximum number of cells in a row. */
const CELLS_AT_MOST = 2_000
/** With more pieces than this, a badly quoted line is not repaired. */
const PIECES_AT_MOST = 150
const EXCESS_AT_MOST = 30

/** Null if the text is not a table, because no line has two cells. */
export function readDelimited(text: string, part: string | null = null): Table | null {
  const { start, line, declared } = skipSeparatorLine(text)
  const delimiter = declared ?? findDelimiter(text, start)
  if (delimiter === null) return null
  const first = firstRows(text.slice(0, start + SEARCHED), delimiter, start, line)
  const heading = findHeading(first.map(({ cells }) => cells))
  const head = heading.row === null ? null : first[heading.row]!
  const width = heading.headings.length
  return {
    kind: 'table',
    part,
    form: 'delimited',
    headings: heading.headings,
    folded: heading.headings.map(foldHeading),
    delimiter,
    preamble: first.slice(0, heading.row ?? 0).map(({ source }) => source.slice(0, CELL_AT_MOST)),
    rows: {
      [Symbol.iterator]: () =>
        head
          ? rowsOf(text, { delimiter, width, start: head.end, line: head.endLine })
          : rowsOf(text, { delimiter, width, start, line }),
    },
  }
}

/** Excel writes `sep=;` as the first line, which is not part of the table. */
function skipSeparatorLine(text: string): { start: number; line: number; declared: string | null } {
  const found = /^\s*"?sep=(.)"?[;,\t ]*(?:\r\n|\r|\n|$)/i.exec(text.slice(0, 200))
  if (!found) return { start: 0, line: 1, declared: null }
  const lines = found[0].match(/\r\n|\r|\n/g)?.length ?? 0
  return { start: found[0].length, line: 1 + lines, declared: found[1]! }
}

/** The delimiter that most lines agree on. */
function findDelimiter(text: string, start: number): string | null {
  const lines: string[] = []
  const cursor = new Lines(text.slice(0, start + SEARCHED), start, 1)
  for (let line = cursor.next(); line && lines.length < LINES_TO_COUNT; line = cursor.next()) {
    const source = text.slice(line.start, Math.min(line.end, line.start + CELL_AT_MOST))
    if (source.trim() !== '') lines.push(source.replaceAll(/"[^"]*"/g, '""'))
  }
  let best: { delimiter: string; score: number } | null = null
  for (const delimiter of delimiters) {
    const score = agreement(lines.map((line) => line.split(delimiter).length - 1))
    if (score > (best?.score ?? 0)) best = { delimiter, score }
  }
  return best?.delimiter ?? null
}

/** The most frequent number of delimiters, times the number of lines that have it. */
function agreement(counts: number[]): number {
  const times = new Map<number, number>()
  for (const count of counts) if (count > 0) times.set(count, (times.get(count) ?? 0) + 1)
  return Math.max(0, ...[...times].map(([count, lines]) => count * lines))
}

type FirstRow = Row & { source: string }

function firstRows(text: string, delimiter: string, start: number, line: number): FirstRow[] {
  const rows: FirstRow[] = []
  for (const row of splitRows(text, { delimiter, width: null, start, line })) {
    rows.push({ ...row, source: text.slice(row.start, row.end).trimEnd() })
    if (rows.length === LINES_TO_COUNT) break
  }
  return rows
}

interface Place {
  delimiter: string
  /** The number of cells in the heading; null while the heading is searched. */
  width: number | null
  start: number
  /** The line number at `start`. */
  line: number
}

function* rowsOf(text: string, place: Place): Iterator<TableRow> {
  const width = place.width ?? 0
  for (const { cells, line, warnings } of splitRows(text, place)) {
    while (cells.length < width) cells.push('')
    yield warnings.length > 0 ? { cells, line, warnings } : { cells, line }
  }
}

interface Row {
  cells: string[]
  line: number
  warnings: ImportWarning[]
  start: number
  /** The position of the next row. */
  end: number
  endLine: number
}

const badQuoting: ImportWarning = { code: 'bad_quoting', field: null }
const truncated: ImportWarning = { code: 'truncated', field: null }

/** All rows except blank ones and those of only delimiters. */
function* splitRows(text: string, { delimiter, width, start, line }: Place): Generator<Row> {
  const lines = new Lines(text, start, line)
  // An unclosed quote makes its row search far ahead. When the budget is used up, cells end at the line end.
  let budget = 4 * text.length + 1_000_000
  for (let found = lines.next(); found; found = lines.next()) {
    if (found.start === found.end) continue
    const source = text.slice(found.start, found.end)
    const warnings: ImportWarning[] = []
    let cells: string[]
    if (!source.includes('"')) cells = splitPlain(source, delimiter)
    else {
      const row = splitQuoted(text, found, delimiter, budget > 0 ? text.length : found.end)
      const below = row.end > found.end ? lineBelow(text, found.end) : null
      const accepted = accept(row, source, below, delimiter, width)
      if (accepted.readOn) lines.skipTo(row.end)
      else budget -= row.end - found.start
      cells = accepted.cells
      if (accepted.bad) warnings.push(badQuoting)
    }
    if (tidy(cells)) warnings.push(truncated)
    if (cells.every((cell) => cell === '')) continue
    yield { cells, line: found.line, warnings, start: found.start, end: lines.position, endLine: lines.line }
  }
}

interface Line {
  start: number
  end: number
  /** Its number. */
  line: number
}

/** Lines with their numbers. They end with CR, LF or CRLF, even mixed. */
class Lines {
  /** The position of the next line. */
  position: number
  /** Its number. */
  line: number
  readonly #text: string
  #lf = -1
  #cr = -1

  constructor(text: string, start: number, line: number) {
    this.#text = text
    this.position = start
    this.line = line
  }

  next(): Line | null {
    const [start, text] = [this.position, this.#text]
    if (start >= text.length) return null
    if (this.#lf < start) this.#lf = orEnd(text, text.indexOf('\n', start))
    if (this.#cr < start) this.#cr = orEnd(text, text.indexOf('\r', start))
    const end = Math.min(this.#lf, this.#cr)
    const found = { start, end, line: this.line }
    this.position = Math.min(text.length, end + (this.#cr === end && this.#lf === end + 1 ? 2 : 1))
    this.line++
    return found
  }

  /** Skips lines that begin before `end`; they belong to the previous row. */
  skipTo(end: number): void {
    while (this.position <= end && this.next());
  }
}

const orEnd = (text: string, index: number): number => (index < 0 ? text.length : index)

/** Cells beyond the limit are cut off by `tidy`. */
const splitPlain = (source: string, delimiter: string): string[] => source.split(delimiter, CELLS_AT_MOST + 1)

/** Trims cells and cuts long ones. Returns whether anything was cut. */
function tidy(cells: string[]): boolean {
  let cut = cells.length > CELLS_AT_MOST
  if (cut) cells.length = CELLS_AT_MOST
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!.trim()
    cells[i] = cell.length > CELL_AT_MOST ? cell.slice(0, CELL_AT_MOST) : cell
    if (cell.length > CELL_AT_MOST) cut = true
  }
  return cut
}

interface QuotedRow {
  cells: string[]
  /** The end of its last line, without the line end. */
  end: number
  /** The end of the line of the last cell, if known. */
  lineEnd: number
  /** A quote is in a place where RFC 4180 does not allow one. */
  irregular: boolean
  /** The last quote was never closed. */
  unclosed: boolean
}

/** By RFC 4180, except that a quote inside a cell is literal if neither a delimiter nor a line end follows. */
function splitQuoted(text: string, line: Line, delimiter: string, limit: number): QuotedRow {
  const { start, end: lineEnd } = line
  const row: QuotedRow = { cells: [], end: start, lineEnd, irregular: false, unclosed: false }
  let at = start
  while (true) {
    const quote = quoteAt(text, at)
    const end =
      quote < 0 ? plainCell(text, at, delimiter, row) : quotedCell(text, quote, delimiter, limit, row)
    row.end = end
    if (row.unclosed || text[end] !== delimiter || row.cells.length > CELLS_AT_MOST) return row
    at = end + 1
  }
}

/** Skips blanks between a delimiter and a quote. */
function quoteAt(text: string, at: number): number {
  let i = at
  while (text[i] === ' ') i++
  return text[i] === '"' ? i : -1
}

/** Reads to the delimiter or the line end. */
function plainCell(text: string, at: number, delimiter: string, row: QuotedRow): number {
  if (row.lineEnd < at) row.lineEnd = lineEndFrom(text, at)
  const line = text.slice(at, row.lineEnd)
  const length = line.indexOf(delimiter)
  const cell = length < 0 ? line : line.slice(0, length)
  if (cell.includes('"')) row.irregular = true
  row.cells.push(cell)
  return at + cell.length
}

function lineEndFrom(text: string, at: number): number {
  let end = at
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++
  return end
}

/** The first line after this place that is not blank. */
function lineBelow(text: string, end: number): string {
  let start = end
  while (text[start] === '\n' || text[start] === '\r') start++
  return text.slice(start, lineEndFrom(text, start))
}

function quotedCell(text: string, quote: number, delimiter: string, limit: number, row: QuotedRow): number {
  let from = quote + 1
  while (true) {
    const close = text.indexOf('"', from)
    if (close < 0 || close >= limit) {
      row.unclosed = true
      return limit
    }
    if (text[close + 1] === '"') {
      from = close + 2
      continue
    }
    let after = close + 1
    while (text[after] === ' ') after++
    const sign = text[after]
    if (sign === undefined || sign === delimiter || sign === '\n' || sign === '\r') {
      row.cells.push(single(text.slice(quote + 1, close)))
      return after
    }
    row.irregular = true
    from = close + 1
  }
}

interface Accepted {
  cells: string[]
  bad: boolean
  /** Whether the row ends where `row` ends, or else with its first line. */
  readOn: boolean
}

/** Chooses the reading of a quoted row whose number of cells fits the heading. */
function accept(
  row: QuotedRow,
  source: string,
  /** The next line, if the row continues there. */
  below: string | null,
  delimiter: string,
  width: number | null,
): Accepted {
  const regular = !row.irregular && !row.unclosed
  // While the heading is searched, a stray quote must not join lines.
  if (width === null && row.irregular && below !== null)
    return { cells: splitPlain(source, delimiter).map(unquote), bad: true, readOn: false }
  // Two stray quotes in different rows: everything between them would be one cell of a row that is too short.
  const isShort = below !== null && width !== null && row.cells.length < width
  const isStray = isShort && [source, below].every((line) => splitPlain(line, delimiter).length === width)
  if (!isStray && (regular || (!row.unclosed && (width === null || row.cells.length === width))))
    return { cells: row.cells, bad: !regular, readOn: true }
  const pieces = splitPlain(source, delimiter)
  const fitting = width === null ? null : putTogether(pieces, width, delimiter)
  if (fitting) return { cells: fitting.cells, bad: true, readOn: false }
  const wider = width === null ? null : wellQuoted(pieces, width, delimiter)
  if (wider) return { cells: wider, bad: true, readOn: false }
  // Too many cells over several lines: a stray quote has swallowed the next rows.
  const swallows = row.unclosed || (below !== null && row.cells.length > (width ?? 0))
  return swallows
    ? { cells: pieces.map(unquote), bad: true, readOn: false }
    : { cells: row.cells, bad: true, readOn: true }
}

const unquote = (cell: string): string => {
  const text = cell.trim()
  if (isQuoted(text)) return single(text.slice(1, -1))
  // An unclosed quote is not part of a date or a code.
  return text.lastIndexOf('"') === 0 ? text.slice(1) : single(text)
}

/** Doubled quotes as single ones, limited to the length that is kept. */
const single = (text: string): string => text.slice(0, 2 * CELL_AT_MOST + 1).replaceAll('""', '"')

const isQuoted = (text: string): boolean => text.length > 1 && text.startsWith('"') && text.endsWith('"')

/** More cells than the heading has, for a reader that knows which cell may hold a delimiter; null if quotes are left over. */
function wellQuoted(pieces: string[], width: number, delimiter: string): string[] | null {
  for (let cells = width + 1; cells < pieces.length; cells++) {
    const way = putTogether(pieces, cells, delimiter)
    if (way?.cost === 0) return way.cells
  }
  return null
}

/**
 * Joins the pieces between delimiters into `width` cells. Pieces from an opening quote to a closing one may be one cell. Chooses
 * the way with the fewest stray quotes; null if there is none.
 */
function putTogether(pieces: string[], width: number, delimiter: string): Joined | null {
  const excess = pieces.length - width
  if (excess < 0 || excess > EXCESS_AT_MOST || pieces.length > PIECES_AT_MOST) return null
  const shapes = pieces.map((piece) => {
    const text = piece.trim()
    return {
      opens: text.startsWith('"'),
      closes: text.endsWith('"'),
      whole: isQuoted(text) && text.split('"').length % 2 === 1,
    }
  })
  // best[p][e]: the best way for the first p pieces with e pieces joined to others.
  const best: (Way | null)[][] = [[{ cost: 0, from: 0, joined: 0 }]]
  for (let end = 1; end <= pieces.length; end++) {
    best.push(Array.from({ length: excess + 1 }, (_, joined) => cheapest(best, shapes, end, joined)))
  }
  const whole = best[pieces.length]![excess]
  if (!whole) return null
  const cells: string[] = []
  for (let [end, joined] = [pieces.length, excess]; end > 0; ) {
    const way = best[end]![joined]!
    cells.unshift(unquote(pieces.slice(way.from, end).join(delimiter)))
    ;[end, joined] = [way.from, way.joined]
  }
  return { cells, cost: whole.cost }
}

interface Joined {
  cells: string[]
  cost: number
}

interface Way {
  cost: number
  /** The last cell begins with this piece. */
  from: number
  /** How many pieces were joined before the last cell. */
  joined: number
}
interface Shape {
  opens: boolean
  closes: boolean
  /** Quoted, with all quotes in pairs. */
  whole: boolean
}

function cheapest(best: (Way | null)[][], shapes: Shape[], end: number, joined: number): Way | null {
  let found: Way | null = null
  let seams = 0
  for (let length = 0; length <= joined && end - 1 - length >= 0; length++) {
    const from = end - 1 - length
    const shape = shapes[from]!
    if (length > 0 && shape.closes && shapes[from + 1]!.opens) seams++
    if (length > 0 && !(shape.opens && shapes[end - 1]!.closes)) continue
    const before = best[from]![joined - length]
    if (!before) continue
    const own = length > 0 ? seams : shape.opens === shape.closes && (shape.whole || !shape.opens) ? 0 : 2
    const cost = before.cost + own
    if (!found || cost < found.cost) found = { cost, from, joined: joined - length }
  }
  return found
}

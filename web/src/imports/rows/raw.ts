/** A line of the file as it is shown: which parts were used, which are in doubt. */

import type { ImportMapping, ImportRow } from '../types.ts'

type Mark = 'used' | 'unused' | 'doubt' | 'bad' | 'between'
interface Piece {
  text: string
  mark: Mark
}

type Shown = Pick<ImportRow, 'raw' | 'verdict' | 'code' | 'warnings' | 'draft'>

/** Columns that a field of a flight is read from. */
const partsOfField: Record<string, readonly string[]> = {
  date: ['date', 'departure', 'departureScheduled'],
  departure: ['departure', 'departureTime', 'departureScheduled', 'takeoffActual'],
  arrival: ['arrival', 'arrivalTime', 'arrivalDate', 'arrivalScheduled', 'landingActual', 'duration'],
  flightNumber: ['flightNumber', 'number'],
  airline: ['airline', 'carrier', 'flightNumber'],
  seatNumber: ['seatNumber', 'seat'],
  flightReason: ['reason'],
  passengers: ['passenger'],
}
export const columnsFor = (field: string): readonly string[] => partsOfField[field] ?? [field]

/** Warnings that only say how something was found leave nothing in doubt. */
const sure = new Set([
  'airport_by_name',
  'airport_moved',
  'arrival_from_duration',
  'diverted',
  'code_changed_hands',
])

function doubtful(row: Shown): Set<string> {
  const { draft, warnings } = row
  const isAsked = row.verdict === 'question'
  const fields = warnings.flatMap(({ code, field }) => (field && !sure.has(code) && !isAsked ? [field] : []))
  if (isAsked) {
    if (row.code === 'date_ambiguous') fields.push('date')
    if (row.code === 'times_zone') fields.push('departure', 'arrival')
    if (draft && !draft.from) fields.push('from')
    if (draft && !draft.to) fields.push('to')
  }
  if (row.code === 'cancelled') fields.push('outcome')
  return new Set(fields.flatMap(columnsFor))
}

const cellOf = (raw: readonly string[], mapping: ImportMapping | null, field: string): string | undefined => {
  const column = mapping?.columns.find((one) => one.field === field && raw[one.index])
  return column && raw[column.index]
}

/** The column that should have been a date: the one of that name, else those that a date is read from. */
function dateColumns(raw: ImportRow['raw'], mapping: ImportMapping | null): readonly string[] {
  const known = columnsFor('date').find((field) => Array.isArray(raw) && cellOf(raw, mapping, field))
  return known ? [known] : columnsFor('date')
}

/** The text that is not a date; empty if its column is, or if it is not known which one it is. */
export function badDateOf({ raw }: Pick<Shown, 'raw'>, mapping: ImportMapping | null): string {
  if (!Array.isArray(raw)) return ''
  const [field] = dateColumns(raw, mapping)
  const cell = cellOf(raw, mapping, field!)
  const isEmpty = mapping?.columns.some((one) => columnsFor('date').includes(one.field ?? ''))
  return cell ?? (isEmpty ? '' : (raw[0] ?? ''))
}

function badColumns({ verdict, code, raw }: Shown, mapping: ImportMapping | null): Set<string> {
  return new Set(verdict === 'error' && code === 'bad_date' ? dateColumns(raw, mapping) : [])
}

/** The cells, and the delimiters between them: a line breaks only after a delimiter. */
export function piecesOf(row: Shown, mapping: ImportMapping | null, delimiter = ','): Piece[] {
  const { raw } = row
  if (raw === null) return []
  if (typeof raw === 'string') return [{ text: raw, mark: row.verdict === 'error' ? 'bad' : 'used' }]
  const fields = new Map(mapping?.columns.map(({ index, field }) => [index, field]))
  const marks = { doubt: doubtful(row), bad: badColumns(row, mapping) }
  const pieces: Piece[] = []
  for (const [i, cell] of raw.entries()) {
    if (cell !== '') pieces.push({ text: cell, mark: markOf(fields.get(i), marks) })
    if (i === raw.length - 1) break
    const last = pieces.at(-1)
    if (last?.mark === 'between') last.text += delimiter
    else pieces.push({ text: delimiter, mark: 'between' })
  }
  return pieces
}

interface Marks {
  doubt: Set<string>
  bad: Set<string>
}

function markOf(field: string | null | undefined, { doubt, bad }: Marks): Mark {
  // Undefined: it is not known which columns were used.
  if (field === undefined) return 'used'
  if (field === null || field === 'ignore') return 'unused'
  if (bad.has(field)) return 'bad'
  return doubt.has(field) ? 'doubt' : 'used'
}

const START = 240

/** What fits on two lines; the whole text is in the row's own view. */
export function shortened(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = []
  let left = START
  for (const { text, mark } of pieces) {
    if (left <= 0) break
    out.push({ text: text.slice(0, left), mark })
    left -= text.length
  }
  return out
}

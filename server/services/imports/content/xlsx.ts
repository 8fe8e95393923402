// Workbooks: every sheet with a table, with its cells as texts.
import { zipSync } from 'fflate'
import readWorkbook from 'read-excel-file/universal'
import { errorMessage } from '../../../base/errors.ts'
import { DAY } from '../../../domain/time/durations.ts'
import type { Table, TableRow } from './content.ts'
import { findHeading, foldHeading } from './heading.ts'
import { cellsOf, hasDateTexts, mendSheets } from './xlsx-mend.ts'
import { BadArchive, type Member } from './zip.ts'

const ROWS_TO_SEARCH = 20
/** The parts of a workbook are XML, and reading one needs several times its size in memory. */
const UNPACKED_AT_MOST = 80 * 2 ** 20
/** 200,000 rows of 80 columns. */
const CELLS_AT_MOST = 16_000_000
/** Day 0 of the 1900 date system, as the library writes it. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** Times and durations are stored as days since then; up to this many, they are not a date. */
const DAYS_OF_DURATION = 10
/** Days between the 1904 and the 1900 date system. */
const SHIFT_1904 = 1462

export const isWorkbook = (members: readonly Member[]): boolean =>
  members.some(({ name }) => name === 'xl/workbook.xml')

/** Throws `BadArchive` if the workbook cannot be read. */
export async function readSheets(members: readonly Member[]): Promise<Table[]> {
  const parts = members.filter(({ name }) => /\.xml(\.rels)?$/.test(name))
  if (parts.reduce((sum, { size }) => sum + size, 0) > UNPACKED_AT_MOST)
    throw new BadArchive(
      'too_large',
      'The workbook is larger than 80 MB when unpacked. Save it as CSV instead.',
    )
  // Unpacked with our limits and packed again without compression: the library would unpack in threads without limits.
  const files = Object.fromEntries(parts.map((part) => [part.name, part.unpack()]))
  if (cellsOf(files) > CELLS_AT_MOST)
    throw new BadArchive(
      'too_large',
      'A sheet has more than 16 million cells, empty ones included. Save it as CSV instead.',
    )
  const since1904 = is1904(files['xl/workbook.xml'])
  // A single invalid cell makes the library refuse the whole workbook.
  const sheets = await (hasDateTexts(files) ? Promise.reject() : readParts(files))
    .catch(() => readParts(mendSheets(files)))
    .catch((error: unknown) => {
      const why = errorMessage(error).slice(0, 200)
      throw new BadArchive('unreadable_file', `The workbook cannot be read: ${why}`)
    })
  // A sheet that is only a chart has no cells.
  return sheets.flatMap(({ sheet, data }) => (data ? (tableOf(sheet, data, since1904) ?? []) : []))
}

const readParts = (files: Record<string, Uint8Array>) =>
  readWorkbook(zipSync(files, { level: 0 }).slice().buffer, {
    parseNumber: plainNumber,
  }) as unknown as Promise<{ sheet: string; data: Cell[][] | undefined }[]>

type Cell = string | boolean | Date | null

const is1904 = (workbook: Uint8Array | undefined): boolean =>
  /date1904\s*=\s*["'](?:1|true)["']/i.test(new TextDecoder().decode(workbook?.subarray(0, 100_000)))

/** "132", never "132.0" or "1.32E2". */
const plainNumber = (text: string): string => {
  const number = Number(text)
  return Number.isFinite(number) ? String(number) : text
}

function tableOf(sheet: string, data: Cell[][], since1904: boolean): Table | null {
  const first: string[][] = []
  const numbers: number[] = []
  for (let i = 0; i < data.length && first.length < ROWS_TO_SEARCH; i++) {
    const cells = data[i]!.map((cell) => textOf(cell, since1904))
    if (cells.every((cell) => cell === '')) continue
    first.push(cells)
    numbers.push(i)
  }
  // A sheet of notes is not a table.
  if (!first.some((cells) => cells.filter((cell) => cell !== '').length > 1)) return null
  const { row, headings } = findHeading(first)
  const folded = headings.map(foldHeading)
  const begin = row === null ? 0 : numbers[row]! + 1
  const isDate = folded.map(
    (heading) => since1904 && /\b(date|datum|dato|fecha|data|day|dag|dia|jour)\b/.test(heading),
  )
  return {
    kind: 'table',
    part: sheet,
    form: 'sheet',
    headings,
    folded,
    delimiter: null,
    preamble: first.slice(0, row ?? 0).map((cells) => cells.join(' ').trim()),
    rows: { [Symbol.iterator]: () => rowsOf(data, begin, isDate, since1904) },
  }
}

function* rowsOf(data: Cell[][], begin: number, isDate: boolean[], since1904: boolean): Iterator<TableRow> {
  for (let i = begin; i < data.length; i++) {
    const cells = data[i]!.map((cell, column) => {
      const text = textOf(cell, since1904)
      return isDate[column] ? serialOf1900(text) : text
    })
    if (cells.some((cell) => cell !== '')) yield { cells, line: i + 1 }
  }
}

function textOf(cell: Cell, since1904: boolean): string {
  if (cell === null) return ''
  if (cell instanceof Date) return dateText(cell, since1904)
  return String(cell).replaceAll('\u00a0', ' ').trim()
}

/** `2025-09-01`, `2025-09-01 05:50:00`; a time or a duration `05:50:00`. */
function dateText(date: Date, since1904: boolean): string {
  // Fractions of a day are inexact, so the time is rounded to seconds.
  const ms = Math.round(date.getTime() / 1000) * 1000
  if (!Number.isFinite(ms)) return ''
  const since = ms - (since1904 ? EPOCH_1904 : EPOCH_1900)
  if (since >= 0 && since < DAYS_OF_DURATION * DAY) return clockOf(since)
  const iso = new Date(ms).toISOString()
  return ms % DAY === 0 ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ')
}

function clockOf(ms: number): string {
  const seconds = ms / 1000
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** A bare day number of the 1904 system, as one of the 1900 system. */
const serialOf1900 = (text: string): string =>
  /^\d{5}$/.test(text) ? String(Number(text) + SHIFT_1904) : text

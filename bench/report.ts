// The results of a run as tables: on the terminal while it measures, as JSON, as Markdown, and in the documents, where each
// table is between two comments with its name.
import { readFileSync, writeFileSync } from 'node:fs'

/** `missed`: worse than its target. */
type Cell = string | number | { value: number; missed: boolean }

export interface Table {
  /** The name in the documents: `sqlite-ratios`. */
  name: string
  columns: readonly string[]
  rows: Cell[][]
}

export interface Report {
  facts: Record<string, unknown>
  tables: Table[]
}

const NAME_WIDTH = 52
const WIDTH = 15

/** A table that prints its rows as they are added. */
export function createTable(name: string, columns: readonly string[], say: (line: string) => void) {
  const table: Table = { name, columns, rows: [] }
  say(`\n${name}`)
  say(inColumns(columns))
  return {
    table,
    add(...cells: Cell[]): void {
      table.rows.push(cells)
      say(inColumns(cells.map((cell) => textOf(cell) + (isMissed(cell) ? ' !' : ''))))
    },
  }
}

const inColumns = ([first = '', ...others]: readonly string[]): string =>
  first.padEnd(NAME_WIDTH) + others.map((text) => text.padStart(WIDTH)).join('')

const isMissed = (cell: Cell): boolean => typeof cell === 'object' && cell.missed

/** Numbers with digits according to their magnitude. */
function textOf(cell: Cell): string {
  if (typeof cell === 'string') return cell
  const value = typeof cell === 'number' ? cell : cell.value
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** A value with its target, for a cell and the next one. */
export const withTarget = (value: number, target: number | undefined): [Cell, Cell] =>
  target === undefined ? [value, '–'] : [{ value, missed: value > target }, target]

/** Missed targets are bold. */
export function markdownOf({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const isText = (i: number) => rows.every((row) => typeof row[i] === 'string')
  const rule = columns.map((_, i) => (i === 0 || isText(i) ? '---' : '--:'))
  const bold = (cell: Cell) => (isMissed(cell) ? `**${textOf(cell)}**` : textOf(cell))
  return [line(columns), `|${rule.join('|')}|`, ...rows.map((row) => line(row.map(bold)))].join('\n')
}

/** Replaces the tables of a document that a report has; returns the names of those replaced. */
export function fillIn(file: string, tables: readonly Table[]): string[] {
  const replaced: string[] = []
  let text = readFileSync(file, 'utf8')
  for (const table of tables) {
    const [begin, end] = [`<!-- bench ${table.name} -->`, '<!-- /bench -->']
    const from = text.indexOf(begin)
    if (from < 0) continue
    const to = text.indexOf(end, from)
    if (to < 0) throw new Error(`${file}: no ${end} after ${begin}`)
    text = `${text.slice(0, from + begin.length)}\n\n${markdownOf(table)}\n\n${text.slice(to)}`
    replaced.push(table.name)
  }
  writeFileSync(file, text)
  return replaced
}

// Rewrites worksheets that the library refuses because of a single cell, or because references are missing or out of order. A
// cell that it could not read becomes text, so that one record is lost and not the file.
import { walkMarkup } from './markup.ts'

/** Shared values that cells refer to by number. */
interface Known {
  texts: number
  formats: number
}

type Parts = Record<string, Uint8Array>

const ROWS_AT_MOST = 1_048_576
const COLUMNS_AT_MOST = 16_384

const isSheet = (name: string): boolean => name.startsWith('xl/worksheets/') && name.endsWith('.xml')

/** The library reads dates that are texts in the time zone of the server. */
export const hasDateTexts = (parts: Parts): boolean =>
  Object.entries(parts).some(([name, bytes]) => isSheet(name) && viewOf(bytes).includes(' t="d"'))

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The number of cells in the largest worksheet, including the empty ones that the library creates in between. */
export const cellsOf = (parts: Parts): number =>
  Math.max(0, ...Object.entries(parts).map(([name, bytes]) => (isSheet(name) ? areaOf(viewOf(bytes)) : 0)))

function areaOf(sheet: Buffer): number {
  let [rows, column, columns] = [0, 0, 0]
  const places = /<(?:\w+:)?(row|c)(?=[\s/>])(?:[^<>]*?\sr=["']([A-Z]*)(\d+)["'])?/g
  for (const [, element, letters, number] of sheet.toString('latin1').matchAll(places)) {
    if (element === 'row') {
      rows = Math.max(rows + 1, Number(number ?? 0))
      column = 0
    } else column = columnOf(letters && `${letters}1`) ?? column + 1
    columns = Math.max(columns, column)
  }
  return rows * columns
}

/** The parts of a workbook, each worksheet mended. */
export function mendSheets(parts: Parts): Parts {
  const known = { texts: 0, formats: 0 }
  for (const [name, bytes] of Object.entries(parts)) {
    if (/sharedStrings\.xml$/i.test(name)) known.texts = countIn(textOf(bytes), 'si')
    if (/styles\.xml$/i.test(name))
      known.formats = countIn(/<(?:\w+:)?cellXfs\b[\s\S]*?cellXfs>/.exec(textOf(bytes))?.[0] ?? '', 'xf')
  }
  return Object.fromEntries(
    Object.entries(parts).map(([name, bytes]) => [
      name,
      isSheet(name) ? new TextEncoder().encode(mendSheet(textOf(bytes), known)) : bytes,
    ]),
  )
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const countIn = (text: string, element: string): number =>
  text.match(new RegExp(`<(?:\\w+:)?${element}[\\s/>]`, 'g'))?.length ?? 0

interface Cell {
  attributes: Readonly<Record<string, string>>
  value: string | undefined
  inline: string
}

function mendSheet(text: string, known: Known): string {
  const rows: string[] = []
  const inside: string[] = []
  let [last, column]: [number, number] = [0, 0]
  let row: Map<number, string> | null = null
  let cell: Cell | null = null
  walkMarkup(text, 'xml', {
    open(prefixed, attributes) {
      const name = localName(prefixed)
      inside.push(name)
      if (name === 'row') {
        row = new Map()
        column = 0
        last = placeAfter(last, Number(attributes['r']), ROWS_AT_MOST)
      } else if (name === 'c') cell = { attributes, value: undefined, inline: '' }
    },
    text(part) {
      if (!cell) return
      const name = inside.at(-1)
      if (name === 'v') cell.value = (cell.value ?? '') + part
      // Without phonetic text.
      else if (name === 't' && !inside.includes('rPh')) cell.inline += part
    },
    close() {
      const name = inside.pop()
      if (name === 'c' && cell && row) {
        column = columnOf(cell.attributes['r']) ?? column + 1
        row.set(column, mendCell(cell, `${lettersOf(column)}${last}`, known))
        cell = null
      } else if (name === 'row' && row) {
        const cells = [...row].sort(([a], [b]) => a - b).map(([, mended]) => mended)
        rows.push(`<row r="${last}">${cells.join('')}</row>`)
        row = null
      }
    },
  })
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Rows must be in order; a row out of order becomes the next one. */
const placeAfter = (last: number, given: number, most: number): number =>
  Number.isInteger(given) && given > last && given <= most ? given : last + 1

function mendCell({ attributes, value, inline }: Cell, place: string, { texts, formats }: Known): string {
  const { t: type = 'n', s: format } = attributes
  const asText = (text: string) =>
    text === ''
      ? ''
      : `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
  if (type === 'inlineStr') return asText(inline)
  if (value === undefined || value === '' || type === 'e') return ''
  if (type === 'd') return asText(dateText(value))
  const isWhole = /^\d+$/.test(value)
  if (type === 's' && isWhole && Number(value) < texts) return `<c r="${place}" t="s"><v>${value}</v></c>`
  if (type === 'b' && /^[01]$/.test(value)) return `<c r="${place}" t="b"><v>${value}</v></c>`
  if (type !== 'n' || !Number.isFinite(Number(value))) return asText(value)
  const isFormat = format !== undefined && /^\d+$/.test(format) && Number(format) < formats
  return `<c r="${place}"${isFormat ? ` s="${format}"` : ''}><v>${value}</v></c>`
}

/** `2025-09-01` or `2025-09-01 05:50:00`, like other dates of a workbook. */
const dateText = (value: string): string =>
  value
    .trim()
    .replace(/(?:\.\d+)?Z?$/, '')
    .replace('T', ' ')
    .replace(/ 00:00(?::00)?$/, '')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** 3 for `C7`. */
function columnOf(place: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}(?=\d+$)/.exec(place ?? '')?.[0]
  if (letters === undefined) return null
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column <= COLUMNS_AT_MOST ? column : null
}

function lettersOf(column: number): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

// A small workbook for tests: texts, numbers, dates and times, as Excel writes them.
import { strToU8, zipSync } from 'fflate'

export type WorkbookCell =
  | { text: string }
  | { number: string }
  | { date: number }
  | { time: number }
  /** The raw cell; `@` is replaced by its reference. */
  | { xml: string }
interface Sheet {
  name: string
  rows: readonly (readonly WorkbookCell[])[]
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function cell(value: WorkbookCell, row: number, column: number): string {
  const place = `${String.fromCharCode(65 + column)}${row + 1}`
  if ('xml' in value) return value.xml.replaceAll('@', place)
  if ('text' in value)
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(value.text)}</t></is></c>`
  if ('number' in value) return `<c r="${place}"><v>${value.number}</v></c>`
  return 'date' in value
    ? `<c r="${place}" s="1"><v>${value.date}</v></c>`
    : `<c r="${place}" s="2"><v>${value.time}</v></c>`
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export function workbook(sheets: readonly Sheet[], { since1904 = false, hasChart = false } = {}): Uint8Array {
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${related}"><workbookPr${since1904 ? ' date1904="1"' : ''}/><sheets>${sheets.map(({ name }, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}${hasChart ? '<sheet name="Chart" sheetId="98" r:id="rId98"/>' : ''}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${related}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}<Relationship Id="rId99" Type="${related}/styles" Target="styles.xml"/>${hasChart ? `<Relationship Id="rId98" Type="${related}/chartsheet" Target="chartsheets/sheet1.xml"/>` : ''}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0"/><xf numFmtId="46" xfId="0"/></cellXfs></styleSheet>`,
  }
  for (const [i, { rows }] of sheets.entries()) {
    const lines = rows.map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((value, column) => cell(value, row, column)).join('')}</row>`,
    )
    files[`xl/worksheets/sheet${i + 1}.xml`] =
      `<worksheet ${main}><sheetData>${lines.join('')}</sheetData></worksheet>`
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}

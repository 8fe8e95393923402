// Rows of comma-separated values (RFC 4180).

/**
 * Spreadsheets run a cell that begins like a formula. A leading apostrophe makes it a text; a reader removes one apostrophe if
 * one of these signs follows the last apostrophe, so every text can be read back.
 */
const likeFormula = /^'*[=+\-@\t\r\n＝＋－＠]/

const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return quoted(likeFormula.test(text) ? `'${text}` : text)
}

/** Objects and lists become JSON; null is an empty cell. */
export const csvRow = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

// Free text in files: unchanged, except for characters that cannot be stored and texts that are too long.
import {
  type FlightField,
  flightFields,
  type PassengerField,
  passengerFields,
} from '../../../domain/flights/fields.ts'
import type { ImportWarning } from '../../../domain/imports/imports.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: neither database can store it
const unstorable = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Line breaks become LF. U+0000 and lone surrogates are removed and reported. */
export function cleanText(text: string, field: string | null, warnings: ImportWarning[]): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  if (lines.isWellFormed() && !lines.includes('\u0000')) return lines
  warnings.push({ code: 'text_cleaned', field })
  return lines.replace(unstorable, '')
}

/** Shortens a text, if possible at the end of a word, and adds a warning. */
export function shortenText(
  text: string,
  most: number,
  field: string | null,
  warnings: ImportWarning[],
): string {
  if (text.length <= most) return text
  warnings.push({ code: 'text_shortened', field })
  const cut = text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  const isWordEnd = /\s/.test(text[cut.length]!)
  const blank = isWordEnd ? cut.length : cut.search(/\s\S*$/)
  return (blank > most / 2 ? cut.slice(0, blank) : cut).trimEnd()
}

const most: ReadonlyMap<string, number> = new Map(
  [...Object.entries(flightFields), ...Object.entries(passengerFields)].flatMap(
    ([name, field]: [string, FlightField | PassengerField]) => ('most' in field ? [[name, field.most]] : []),
  ),
)

/** The text as the field can store it; null if nothing is left. */
export function fieldText(
  field: string,
  text: string | null | undefined,
  warnings: ImportWarning[],
): string | null {
  if (!text) return null
  const clean = cleanText(text, field, warnings).trim()
  return clean === '' ? null : shortenText(clean, most.get(field) ?? 500, field, warnings)
}

// Single values of records. A value that cannot be read leaves the field empty and is reported.
import type { Seat } from '../../../../domain/enums.ts'
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import type { SourceDate, SourcePerson, SourceTime } from '../../reading/source.ts'
import { readDuration, readSourceTime } from '../../values/times.ts'

/** The text, or null if there is none. */
export const textIn = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** A date as written; null if there is none. */
export const dateIn = (text: string): SourceDate | null => (text.trim() === '' ? null : { text: text.trim() })

/** A date of a source that writes the month first in dates with slashes: `5/27/2006`. */
export const dateWithSlashes = (text: string): SourceDate | null => {
  const plain = text.trim()
  return plain.includes('/') ? { text: plain, order: 'mdy' } : dateIn(plain)
}

export function timeIn(
  field: 'departure' | 'arrival' | (string & {}),
  text: string,
  warnings: ImportWarning[],
  context: Parameters<typeof readSourceTime>[1] = {},
): SourceTime | null {
  const time = readSourceTime(text, context)
  if (!time && text.trim() !== '') warnings.push({ code: 'value_not_understood', field, value: text.trim() })
  return time ?? null
}

/** Seconds; zero counts as empty. */
export function durationIn(
  text: string,
  unit: Parameters<typeof readDuration>[1],
  warnings: ImportWarning[],
): number | null {
  const seconds = readDuration(text, unit)
  if (seconds === undefined && /[^0:.,+\s]/.test(text))
    warnings.push({ code: 'value_not_understood', field: 'duration', value: text.trim() })
  return seconds ?? null
}

/** Whether the cell has a time: `0`, `0.0` and `0:00` do not count. */
export const hasTime = (text: string): boolean => readDuration(text, 'hours') !== undefined

/** Excel writes booleans in the language of its user. */
export const isTrue = (text: string): boolean =>
  /^(?:true|yes|y|1|wahr|ja|vrai|verdadero|vero)$/i.test(text.trim())

/** The owner of the file. */
export const self = (seat: Omit<SourcePerson, 'who'>): SourcePerson => ({ who: { kind: 'self' }, ...seat })

/** A person on board, if there is a name. */
export function named(name: string, seat?: Seat): SourcePerson[] {
  const plain = name.trim()
  return plain === '' ? [] : [{ who: { kind: 'named', name: plain }, ...(seat && { seat }) }]
}

/** Joins airline code and number, which some sources separate. A number may have its code already: `4Z841`. */
export const joinedNumber = (carrier: string | null, number: string): string | null =>
  number === ''
    ? null
    : /^\d(?![A-Z]\d)/i.test(number) && isCarrierCode(carrier ?? '')
      ? `${carrier}${number}`
      : number

/** Some sources have the airline's name there, which is not part of a number. */
const isCarrierCode = (text: string): boolean => /^[A-Z0-9]{2,3}\*?$/i.test(text)

/** Drops entries without a value. */
export const extrasOf = (labelled: Record<string, string | null>): [label: string, value: string][] =>
  Object.entries(labelled).flatMap(([label, value]): [string, string][] =>
    value === null || value === '' ? [] : [[label, value]],
  )

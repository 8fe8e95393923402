// Flight numbers as files write them: `LH 0829`, `SL*1508`, `QFA12`, `B6117D`, `829`.
import { bareNumber, designatorOf, parseFlightNumber } from '../../../domain/flights/number.ts'

interface FlightNumberRead {
  /** IATA or ICAO; null if there is only a number. */
  airlineCode: string | null
  /** Without leading zeros; may end with a letter. */
  number: string
}

/** Removes codeshare marks and everything that is not a letter or digit. */
const plainOf = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Undefined if the text has a different form. */
export function readFlightNumber(text: string): FlightNumberRead | undefined {
  const plain = plainOf(text)
  const parsed = parseFlightNumber(plain)
  if (parsed) return parsed
  const digits = bareNumber(plain) ?? /^0*(\d{1,4}[A-Z])$/.exec(plain)?.[1]
  return digits === undefined ? undefined : { airlineCode: null, number: digits }
}

/** Whether a text can be a flight number. Some have other forms, but none is a sentence. */
export const isFlightNumber = (text: string): boolean =>
  !/\S[\s,;:]+\S/.test(text) || readFlightNumber(text) !== undefined

/**
 * The stored form: the airline's designator and the number. Without a known airline, the text's code is kept; a text of a
 * different form is kept unchanged.
 */
export function writeFlightNumber(
  text: string,
  airline: { iata: string | null; icao: string | null } | null,
): string {
  const read = readFlightNumber(text)
  if (!read) return text.trim().toUpperCase()
  const { airlineCode, number } = read
  if (airlineCode === null) return `${airline ? designatorOf(airline) : ''}${number}`
  const isOwn = airline !== null && airlineCode === airline.icao
  return `${isOwn ? designatorOf(airline) : airlineCode}${number}`
}

// Flight numbers as files write them: `LH 0829`, `SL*1508`, `QFA12`, `B6117D`, `829`.
import { bareNumber, parseFlightNumber } from '../../domain/flight-number.ts'

interface FlightNumberRead {
  /** IATA or ICAO; null if only a number is there. */
  airlineCode: string | null
  /** Without zeros in front; may end in a letter. */
  number: string
}

/** Marks of codeshares and all that is neither letter nor digit say nothing. */
const plainOf = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Undefined if the text has another shape. */
export function readFlightNumber(text: string): FlightNumberRead | undefined {
  const plain = plainOf(text)
  const parsed = parseFlightNumber(plain)
  if (parsed) return parsed
  const digits = bareNumber(plain) ?? /^0*(\d{1,4}[A-Z])$/.exec(plain)?.[1]
  return digits === undefined ? undefined : { airlineCode: null, number: digits }
}

/**
 * As it is stored: the airline's IATA code and the number. Without an airline the code that is there stays; a text of another
 * shape is kept as it is.
 */
export function writeFlightNumber(
  text: string,
  airline: { iata: string | null; icao: string | null } | null,
): string {
  const read = readFlightNumber(text)
  if (!read) return text.trim().toUpperCase()
  const { airlineCode, number } = read
  if (airlineCode === null) return `${airline?.iata ?? airline?.icao ?? ''}${number}`
  const isOwn = airline !== null && airlineCode === airline.icao
  return `${(isOwn && airline.iata) || airlineCode}${number}`
}

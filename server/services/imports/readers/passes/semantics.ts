// The machine-readable tags of Apple Wallet's passes (`semantics`), at the root of the pass or in its fields.
import type { Seat, SeatClass } from '../../../../domain/enums.ts'
import type { ReadContext, SourceTime } from '../../reading/source.ts'
import { namedBy } from '../../values/named.ts'
import { endsOfOneKind, readSourceTime } from '../../values/times.ts'
import { readSeat, readSeatClass } from '../../values/words.ts'
import { isRecord, type JsonRecord } from '../documents/json.ts'
import { extrasOf, joinedNumber } from '../tables/cells.ts'
import type { PassFacts, PassLegFacts } from './facts.ts'
import { sections } from './fields.ts'

/** All tags of a pass; those at its root come first. */
export function semanticsOf(pass: JsonRecord, card: JsonRecord): JsonRecord {
  const inFields = sections.flatMap((section) => {
    const fields = card[section]
    return (Array.isArray(fields) ? fields : []).map((field: unknown) =>
      isRecord(field) ? field['semantics'] : null,
    )
  })
  const tags: JsonRecord = Object.create(null)
  for (const part of [pass['semantics'], card['semantics'], ...inFields])
    if (isRecord(part)) for (const [key, value] of Object.entries(part)) tags[key] ??= value
  return tags
}

export function semanticFacts(tags: JsonRecord, { options }: Pick<ReadContext, 'options'>): PassLegFacts {
  const text = (key: string) => textOf(tags[key])
  const code = text('airlineCode')
  const number = text('flightCode') ?? text('flightNumber')
  const [leaves, lands] = [timeOf(tags['originalDepartureDate']), timeOf(tags['originalArrivalDate'])]
  const seconds = tags['duration']
  const facts: PassFacts = {
    airline: namedBy([code], text('transitProvider')),
    flightNumber: number === null ? null : joinedNumber(code, number),
    from: placeOf(tags, 'departure'),
    to: placeOf(tags, 'destination'),
    departureScheduled: leaves,
    arrivalScheduled: lands,
    ...endsOfOneKind(
      { departure: timeOf(tags['currentDepartureDate']), arrival: timeOf(tags['currentArrivalDate']) },
      { departure: leaves, arrival: lands },
    ),
    duration: typeof seconds === 'number' && seconds > 0 ? Math.round(seconds) : null,
    departureTerminal: text('departureTerminal'),
    departureGate: text('departureGate'),
    arrivalTerminal: text('destinationTerminal'),
    arrivalGate: text('destinationGate'),
    bookingReference: options.bookingReference === false ? null : text('confirmationNumber'),
    name: nameOf(tags['passengerName']),
    ...seatOf(tags['seats']),
    extras: extrasOf({
      'Boarding group': text('boardingGroup'),
      'Boarding zone': text('boardingZone'),
    }),
  }
  const isCancelled = /cancel|annul|storniert|anulad|cancelad/i.test(text('transitStatus') ?? '')
  return { facts, warnings: [], ...(isCancelled && { skip: 'cancelled' as const }) }
}

const placeOf = (tags: JsonRecord, end: 'departure' | 'destination') =>
  namedBy(
    [textOf(tags[`${end}AirportCode`])],
    textOf(tags[`${end}AirportName`]) ?? textOf(tags[`${end}LocationDescription`]),
  )

/** A time without an offset is the airport's. */
const timeOf = (value: unknown): SourceTime | null => readSourceTime(textOf(value)) ?? null

function nameOf(value: unknown): string | null {
  if (!isRecord(value)) return textOf(value)
  const parts = ['givenName', 'middleName', 'familyName'].flatMap((part) => textOf(value[part]) ?? [])
  return parts.join(' ') || null
}

interface SeatFacts {
  seatNumber: string | null
  seat: Seat | null
  seatClass: SeatClass | null
}

/** The first seat, because a pass belongs to one person. Some airlines separate row and letter. */
function seatOf(seats: unknown): SeatFacts {
  const seat = (Array.isArray(seats) ? seats : []).find(isRecord)
  if (!seat) return { seatNumber: null, seat: null, seatClass: null }
  const text = (key: string) => textOf(seat[key])
  const [number, row] = [text('seatNumber') ?? text('seatIdentifier'), text('seatRow')]
  const isLetter = number !== null && /^[A-Z]$/i.test(number)
  const whole = isLetter && row !== null && /^\d+$/.test(row) ? `${row}${number}` : number
  const words = ['seatType', 'seatSection', 'seatDescription'].flatMap((key) => text(key) ?? [])
  return {
    seatNumber: whole,
    seat: firstOf(words, readSeat),
    seatClass: firstOf(words, readSeatClass),
  }
}

/** The words describe both seats and classes, so an unknown word is not an error of the file. */
function firstOf<Value>(words: readonly string[], read: (word: string, warnings: []) => Value | null) {
  for (const word of words) {
    const value = word.length > 1 ? read(word, []) : null
    if (value !== null) return value
  }
  return null
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? null : text
}

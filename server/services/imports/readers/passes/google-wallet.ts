// Boarding passes of Google Wallet: a `flightObject` for the traveller and its `flightClass` for the flight. They cannot be
// exported, but the link “Add to Google Wallet” contains them as a signed token, which is decoded. Nothing is fetched.
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import type { ReadContext, SourceRecord, SourceTime } from '../../reading/source.ts'
import { namedBy } from '../../values/named.ts'
import { endsOfOneKind, readSourceTime } from '../../values/times.ts'
import { readSeatClass } from '../../values/words.ts'
import { isRecord, type JsonRecord } from '../documents/json.ts'
import { extrasOf, joinedNumber } from '../tables/cells.ts'
import { legsInBarcodes, mergedFacts, onFlightDay, type PassFacts, recordOfFacts } from './facts.ts'

type WalletContext = Pick<ReadContext, 'documentDate' | 'documentDateOf' | 'options' | 'today'>

const link = /https?:\/\/pay\.google\.com\/gp\/v\/(?:u\/\d\/)?save\/([\w-]+\.[\w-]+\.[\w-]*)/gi
const LINKS_AT_MOST = 100

/** The distinct links that save passes to Google Wallet, in a text or in the source of a page. */
export const walletLinksIn = (text: string): string[] => [
  ...new Set([...text.matchAll(link)].slice(0, LINKS_AT_MOST).map(([found]) => found)),
]

/** One record per flight in the links. A link that only refers to a pass stored at Google gives none. */
export const recordsOfWalletLinks = (text: string, context: WalletContext): SourceRecord[] =>
  walletLinksIn(text).flatMap((found) => recordsOfWallet(payloadOf(found), context))

function payloadOf(found: string): unknown {
  const token = found.slice(found.lastIndexOf('/') + 1)
  try {
    return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

/** Whether the value contains flights of Google Wallet. */
export const isWallet = (value: unknown): boolean => {
  const { classes, objects } = partsOf(value)
  return classes.length + objects.length > 0
}

/** From a token, from the objects of Google's API, or from one of them. */
export function recordsOfWallet(value: unknown, context: WalletContext): SourceRecord[] {
  const { classes, objects } = partsOf(value)
  const byId = new Map(classes.map((one) => [textOf(one, 'id'), one]))
  const pairs = objects.map((object): [JsonRecord, JsonRecord | undefined] => [
    object,
    recordIn(object, 'classReference') ?? byId.get(textOf(object, 'classId')),
  ])
  const used = new Set(pairs.map(([, flight]) => flight))
  const alone = classes.filter((one) => !used.has(one))
  return [
    ...pairs.flatMap(([object, flight]) => recordsOf(object, flight, context)),
    ...alone.flatMap((flight) => recordsOf({}, flight, context)),
  ]
}

function partsOf(value: unknown): { classes: JsonRecord[]; objects: JsonRecord[] } {
  const outer = isRecord(value) ? value : {}
  const payload = recordIn(outer, 'payload') ?? outer
  const listed = (name: string) => {
    const list = payload[name]
    return (Array.isArray(list) ? list : []).filter(isRecord)
  }
  const one = (name: string) => recordIn(payload, name) ?? []
  const isClass = isRecord(payload['flightHeader'])
  const isObject = isRecord(payload['boardingAndSeatingInfo']) || isRecord(payload['classReference'])
  return {
    classes: [...listed('flightClasses'), ...[one('flightClass')].flat(), ...(isClass ? [payload] : [])],
    objects: [...listed('flightObjects'), ...[one('flightObject')].flat(), ...(isObject ? [payload] : [])],
  }
}

function recordsOf(
  object: JsonRecord,
  flight: JsonRecord | undefined,
  context: WalletContext,
): SourceRecord[] {
  const warnings: ImportWarning[] = []
  const facts = mergedFacts(objectFacts(object, context, warnings), flight ? classFacts(flight) : {})
  const barcode = textOf(recordIn(object, 'barcode'), 'value')
  const leaves = facts.departure?.date
  const day = leaves && 'iso' in leaves ? leaves.iso : null
  const legs = barcode === null ? [] : legsInBarcodes([barcode], onFlightDay(context, day))
  const id = textOf(object, 'id')
  const [first, ...others] = legs.length > 0 ? legs : [{ facts: {}, warnings: [] }]
  if (!flight && legs.length === 0) return []
  const isCancelled = /^cancel/i.test(textOf(flight, 'flightStatus') ?? '')
  return [
    { ...first!, facts: mergedFacts(facts, first!.facts), warnings: [...warnings, ...first!.warnings] },
    ...others,
  ].map((leg, index) => ({
    ...recordOfFacts({
      ...leg,
      facts: { ...leg.facts, ...(id && { externalId: `${id}:${index + 1}` }) },
      ...(isCancelled && { skip: 'cancelled' as const }),
    }),
  }))
}

function classFacts(flight: JsonRecord): PassFacts {
  const header = recordIn(flight, 'flightHeader')
  const carrier = recordIn(header, 'carrier')
  const code = textOf(carrier, 'carrierIataCode') ?? textOf(carrier, 'carrierIcaoCode')
  const number = textOf(header, 'flightNumber')
  const [from, to] = [recordIn(flight, 'origin'), recordIn(flight, 'destination')]
  const [leaves, lands] = [
    timeOf(flight, 'localScheduledDepartureDateTime'),
    timeOf(flight, 'localScheduledArrivalDateTime'),
  ]
  return {
    airline: namedBy([code], localised(recordIn(carrier, 'airlineName'))),
    flightNumber: number === null ? null : joinedNumber(code, number),
    from: placeOf(from),
    to: placeOf(to),
    departureScheduled: leaves,
    arrivalScheduled: lands,
    ...endsOfOneKind(
      {
        departure: timeOf(flight, 'localEstimatedOrActualDepartureDateTime'),
        arrival: timeOf(flight, 'localEstimatedOrActualArrivalDateTime'),
      },
      { departure: leaves, arrival: lands },
    ),
    departureTerminal: textOf(from, 'terminal'),
    departureGate: textOf(from, 'gate'),
    arrivalTerminal: textOf(to, 'terminal'),
    arrivalGate: textOf(to, 'gate'),
    ...operatorOf(header),
  }
}

function operatorOf(header: JsonRecord | undefined): PassFacts {
  const carrier = recordIn(header, 'operatingCarrier')
  const code = textOf(carrier, 'carrierIataCode') ?? textOf(carrier, 'carrierIcaoCode')
  const number = textOf(header, 'operatingFlightNumber')
  const isSame = code !== null && code === textOf(recordIn(header, 'carrier'), 'carrierIataCode')
  if (isSame) return {}
  return {
    operatingAirline: namedBy([code], localised(recordIn(carrier, 'airlineName'))),
    operatingFlightNumber: number === null ? null : `${code ?? ''}${number}`,
  }
}

const placeOf = (airport: JsonRecord | undefined) =>
  namedBy([textOf(airport, 'airportIataCode')], localised(recordIn(airport, 'airportNameOverride')))

/** The airport's time. An offset is ignored: it is meant for the phone, and often wrong. */
function timeOf(flight: JsonRecord, key: string): SourceTime | null {
  const text = textOf(flight, key)?.replace(/(?:Z|[+-]\d{2}:?\d{2})$/, '')
  return readSourceTime(text) ?? null
}

function objectFacts(object: JsonRecord, { options }: WalletContext, warnings: ImportWarning[]): PassFacts {
  const seating = recordIn(object, 'boardingAndSeatingInfo')
  const reservation = recordIn(object, 'reservationInfo')
  return {
    name: textOf(object, 'passengerName'),
    seatNumber: textOf(seating, 'seatNumber'),
    seatClass: readSeatClass(textOf(seating, 'seatClass'), warnings),
    bookingReference: options.bookingReference === false ? null : textOf(reservation, 'confirmationCode'),
    extras: extrasOf({ 'Boarding group': textOf(seating, 'boardingGroup') }),
  }
}

const localised = (text: JsonRecord | undefined): string | null =>
  textOf(recordIn(text, 'defaultValue'), 'value')

const recordIn = (value: JsonRecord | undefined, key: string): JsonRecord | undefined => {
  const inner = value?.[key]
  return isRecord(inner) ? inner : undefined
}

function textOf(value: JsonRecord | undefined, key: string): string | null {
  const inner = value?.[key]
  const text = typeof inner === 'string' || typeof inner === 'number' ? String(inner).trim() : ''
  return text === '' ? null : text
}

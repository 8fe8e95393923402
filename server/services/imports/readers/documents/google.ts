// Google Takeout, "Purchases & Reservations" (section 5.13 of the import rules): a folder with one file per order. The format of
// a reservation varies, so only reliable values are read: two airport codes and the instant of departure.
import { MINUTE } from '../../../../domain/time/durations.ts'
import type { SourceFlight, SourceRecord, SourceTime } from '../../reading/source.ts'
import { reads, type Source } from '../../reading/source.ts'
import { airlineNamed, namedBy } from '../../values/named.ts'
import { joinedNumber } from '../tables/cells.ts'

type Entry = Readonly<Record<string, unknown>>

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const entriesOf = (value: unknown): Entry[] => (Array.isArray(value) ? value : [value]).filter(isEntry)

const isOrder = (value: unknown): value is Entry =>
  isEntry(value) && 'lineItem' in value && ('merchantOrderId' in value || 'transactionMerchant' in value)

/** Deeper than any real reservation. */
const DEPTH_AT_MOST = 10

const departureKeys = /^(?:departure|origin|from|start)(?![a-z])/
const arrivalKeys = /^(?:arrival|destination|to|end)(?![a-z])/

/** Objects that have a departure and an arrival airport, each with one code. */
function* legsIn(value: unknown, depth = 0): Generator<Entry> {
  if (depth > DEPTH_AT_MOST) return
  if (Array.isArray(value)) for (const item of value) yield* legsIn(item, depth + 1)
  else if (isEntry(value)) {
    if (codeOf(value, departureKeys) !== null && codeOf(value, arrivalKeys) !== null) yield value
    else for (const item of Object.values(value)) yield* legsIn(item, depth + 1)
  }
}

const codeKeys = /(?:iata|airport|code)/i
const isCode = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z]{3}$/.test(value.trim())

/** The only airport code under keys of this side; null if there is none, or more than one. */
function codeOf(leg: Entry, side: RegExp): string | null {
  const codes = new Set<string>()
  for (const [key, value] of Object.entries(leg)) {
    if (!side.test(key)) continue
    if (isCode(value) && codeKeys.test(key)) codes.add(value.trim())
    for (const inner of entriesOf(value))
      for (const [name, text] of Object.entries(inner))
        if (codeKeys.test(name) && isCode(text)) codes.add(text.trim())
  }
  return codes.size === 1 ? [...codes][0]! : null
}

/** The only time under keys of this side. */
function timeOf(leg: Entry, side: RegExp): SourceTime | null {
  const found: SourceTime[] = []
  for (const [key, value] of Object.entries(leg)) {
    if (!side.test(key)) continue
    for (const inner of entriesOf(value))
      for (const candidate of [inner, ...Object.values(inner).filter(isEntry)]) {
        const time = instantOf(candidate)
        if (time) found.push(time)
      }
  }
  return found.length === 1 ? found[0]! : null
}

/** Microseconds since 1970 and the offset of the place in minutes. A day without a time does not count. */
function instantOf(entry: Entry): SourceTime | null {
  const { usecSinceEpochUtc, utcTimezoneOffsetMinutes, granularity } = entry
  const micros = wholeNumber(usecSinceEpochUtc)
  if (micros === null || granularity === 'DAY' || granularity === 'MONTH' || granularity === 'YEAR')
    return null
  const offset = wholeNumber(utcTimezoneOffsetMinutes)
  const isOffset = offset !== null && Math.abs(offset) <= 14 * 60
  const local = new Date(Math.floor(micros / 1000) + (isOffset ? offset * MINUTE : 0))
  if (Number.isNaN(local.getTime()) || local.getUTCFullYear() < 1970 || local.getUTCFullYear() > 2200)
    return null
  const written = local.toISOString()
  return {
    date: { iso: written.slice(0, 10), precision: 'day' },
    clock: written.slice(11, 19),
    zone: isOffset && offset !== 0 ? offsetText(offset) : 'utc',
  }
}

const wholeNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^-?\d{1,17}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

/** A text directly in the leg or in one of its objects. */
function textOf(leg: Entry, keys: RegExp, inside?: RegExp): string | null {
  for (const [key, value] of Object.entries(leg)) {
    const isText = typeof value === 'string' || typeof value === 'number'
    if (isText && keys.test(key) && String(value).trim() !== '') return String(value).trim()
    if (!inside?.test(key)) continue
    for (const inner of entriesOf(value)) {
      const found = textOf(inner, keys)
      if (found !== null) return found
    }
  }
  return null
}

function flightOf(leg: Entry, departure: SourceTime): SourceFlight {
  const carrier = textOf(
    leg,
    /^(?:(?:airline|carrier)(?:Iata)?Code|iata(?:Code)?)$/i,
    /^(?:airline|carrier|flight)/i,
  )
  const number = textOf(leg, /^(?:flight)?Number$/i, /^flight/i)
  const name = textOf(leg, /^(?:airline|carrier)(?:Name)?$|^name$/i, /^(?:airline|carrier)$/i)
  return {
    // Without its offset, a time does not determine the date at the airport.
    date: departure.zone === 'utc' ? null : departure.date,
    from: namedBy([codeOf(leg, departureKeys)]),
    to: namedBy([codeOf(leg, arrivalKeys)]),
    airline: carrier === null ? airlineNamed(name) : namedBy([carrier], name),
    flightNumber: number === null ? null : joinedNumber(carrier, number),
    departure,
    arrival: timeOf(leg, arrivalKeys),
  }
}

/** The booking reference of the whole order, if there is only one. */
function bookingOf(value: unknown): string | null {
  const found = new Set<string>()
  const collect = (inner: unknown, depth: number): void => {
    if (depth > DEPTH_AT_MOST || typeof inner !== 'object' || inner === null) return
    for (const [key, text] of Object.entries(inner)) {
      if (typeof text === 'string' && /^(?:confirmation|reservation)(?:Number|Code|Id)$/.test(key))
        found.add(text.trim())
      else collect(text, depth + 1)
    }
  }
  collect(value, 0)
  return found.size === 1 ? [...found][0]! : null
}

const isFlightLike = (value: unknown): boolean =>
  /"[^"]*(?:flight|airline)[^"]*":/i.test(JSON.stringify(value) ?? '')

function* orderRecords(order: Entry): Generator<SourceRecord> {
  const items = order['lineItem']
  const isFlight = isFlightLike(items)
  const legs = isFlight ? [...legsIn(items)] : []
  if (legs.length === 0) {
    // It may contain a flight in an unknown form, which is shown but never guessed.
    const raw = rawOf(order)
    yield isFlight
      ? { line: null, raw, error: { code: 'unreadable_row' } }
      : { line: null, raw, skip: 'not_a_flight' }
  }
  const [id, bookingReference] = [order['merchantOrderId'], bookingOf(items)]
  for (const [index, leg] of legs.entries()) {
    const departure = timeOf(leg, departureKeys)
    const externalId = typeof id === 'string' && id !== '' ? `${id}:${index + 1}` : null
    yield departure
      ? { line: null, raw: rawOf(leg), flight: { ...flightOf(leg, departure), bookingReference, externalId } }
      : { line: null, raw: rawOf(leg), error: { code: 'bad_date' } }
  }
}

const rawOf = (entry: Entry): string => JSON.stringify(entry, null, 1)

export const google: Source = {
  id: 'google',
  name: 'Google Takeout',
  extensions: ['zip', 'json'],
  readers: [
    reads<'json'>({
      kind: 'json',
      matches: ({ value }) => entriesOf(value).length > 0 && entriesOf(value).every(isOrder),
      *records({ value }) {
        for (const order of entriesOf(value)) yield* orderRecords(order)
      },
    }),
  ],
}

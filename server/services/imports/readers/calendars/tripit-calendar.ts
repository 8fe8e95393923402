// TripIt's calendar feed. Every event is a record; trips, hotels and other plans are not flights.
import { saysCancelled } from '../../../../domain/imports/not-flown.ts'
import { type CalendarPart, type CalendarProperties, eventsOf } from '../../content/calendar.ts'
import type { SourceFlight, SourceRecord, SourceTime } from '../../reading/source.ts'
import { namedBy } from '../../values/named.ts'
import { isCancelled, named, textOf, timeOf } from './values.ts'

export const isTripItCalendar = (text: string): boolean =>
  /^PRODID:.*TripIt/im.test(text) || /^UID:.*@tripit\.com\s*$/im.test(text)

export function* calendarRecords(text: string): Generator<SourceRecord> {
  for (const part of eventsOf(text)) yield { line: part.event.line, raw: part.event.raw, ...recordOf(part) }
}

/** An all-day event is a trip; its description lists flights that have their own events. */
function recordOf(part: CalendarPart): Pick<SourceRecord, 'flight' | 'skip' | 'error' | 'warnings'> {
  const { event } = part
  const { properties } = event
  const title = textOf(properties, 'summary').replace(/\s+/g, ' ')
  // `Canceled: AS123 SEA to LAX`.
  const summary = saysCancelled(title) ? title.replace(/^[^:]*: ?/, '') : title
  const isFlight = FLIGHT.test(summary) || textOf(properties, 'description').includes('[Flight]')
  const isDay = properties.get('dtstart')?.[0]?.type === 'date'
  if (!event.cut && (isDay || !isFlight)) return { skip: 'not_a_flight' }
  const [parts, departure] = [FLIGHT.exec(summary), timeOf(properties, 'dtstart')]
  if (event.cut || !parts) return { error: { code: 'unreadable_row', value: summary } }
  if (!departure)
    return { error: { code: 'bad_date', value: /^DTSTART[^:]*:(.*)$/im.exec(event.raw)?.[1] ?? '' } }
  const isOff = isCancelled(part)
  return {
    flight: { ...flightOf(properties, parts, departure), ...(isOff && { outcome: 'cancelled' }) },
    ...(isOff && { skip: 'cancelled' }),
    ...(departure.zone === 'local' && { warnings: [{ code: 'floating_time', field: 'departure' }] }),
  }
}

/** `AS123 SEA to LAX`, `U2 8642 LGW to FCO`: an airline code has a letter, often a digit, sometimes a blank after it. */
const FLIGHT = /^(?=[A-Z0-9]?[A-Z])([A-Z0-9]{2}|[A-Z]{3})\s?(\d{1,4}[A-Z]?)\s+([A-Z]{3})\s+to\s+([A-Z]{3})$/

function flightOf(
  properties: CalendarProperties,
  parts: RegExpExecArray,
  departure: SourceTime,
): SourceFlight {
  const [, carrier = '', number = '', from = '', to = ''] = parts
  return {
    // The date follows from the instant, unless the time is the airport's.
    date: departure.zone === 'local' ? departure.date : null,
    from: namedBy([from]),
    to: namedBy([to]),
    airline: namedBy([carrier]),
    flightNumber: `${carrier}${number}`,
    departure,
    arrival: timeOf(properties, 'dtend'),
    ...gatesOf(textOf(properties, 'description'), from, to),
    externalId: textOf(properties, 'uid') || null,
  }
}

/** From lines that mention only one of the airports. */
function gatesOf(description: string, from: string, to: string): Partial<SourceFlight> {
  const lines = description.split('\n')
  const about = (own: string, other: string) =>
    lines.filter((line) => hasWord(line, own) && !hasWord(line, other)).join('\n')
  const [leaves, lands] = [about(from, to), about(to, from)]
  return {
    departureTerminal: named(leaves, 'Terminal'),
    departureGate: named(leaves, 'Gate'),
    arrivalTerminal: named(lands, 'Terminal'),
    arrivalGate: named(lands, 'Gate'),
  }
}

const hasWord = (line: string, word: string): boolean => new RegExp(`(?<![A-Z])${word}(?![A-Z])`).test(line)

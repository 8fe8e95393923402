// Calendars of any program (section 7.2 of the import rules). An event is a flight if it names a flight number and two airports;
// our own feed is read as it is written.
import type { ImportWarning } from '../../domain/imports.ts'
import { isCalendarDate } from '../../domain/time.ts'
import { type CalendarPart, type CalendarProperties, daysOfRule, eventsOf } from '../content/calendar.ts'
import {
  type ReadContext,
  reads,
  type Source,
  type SourceFlight,
  type SourceRecord,
  type SourceTime,
} from '../source.ts'
import { isCancelled, named, textOf, timeOf } from './calendar-values.ts'
import { flightInEvent, flightInOwnFeed, labelledIn } from './event-text.ts'

const OCCURRENCES_AT_MOST = 366

type Found = NonNullable<ReturnType<typeof flightInOwnFeed>>

function* records(text: string, context: ReadContext): Generator<SourceRecord> {
  const { replaced, outdated } = surveyed(text)
  // Of several records of one id the last counts, so what is out of date comes first.
  for (const isOutdated of outdated.size > 0 ? [true, false] : [false])
    for (const part of eventsOf(text)) {
      const { line, raw } = part.event
      if (outdated.has(line) !== isOutdated) continue
      for (const record of recordsOf(part, context, replaced)) yield { line, raw, ...record }
    }
}

type Reading = Pick<SourceRecord, 'flight' | 'skip' | 'error' | 'warnings'>

function recordsOf(part: CalendarPart, context: ReadContext, replaced: ReadonlySet<string>): Reading[] {
  const { event, calendar } = part
  const { properties } = event
  const found = foundIn(calendar, properties)
  const day = dayOf(properties)
  const departure = timeOf(properties, 'dtstart', context.options.timezoneHint)
  const isOff = isCancelled(part)
  // The end of an event of which nothing else is known any more.
  if (!found)
    return [isOff && !textOf(properties, 'summary') ? { skip: 'cancelled' } : { skip: 'not_a_flight' }]
  if (!departure && day && !found.isUnmistakable) return [{ skip: 'not_a_flight' }]
  if (event.cut) return [{ error: { code: 'unreadable_row', value: textOf(properties, 'summary') } }]
  if (!departure && !day)
    return [{ error: { code: 'bad_date', value: /^DTSTART[^:]*:(.*)$/im.exec(event.raw)?.[1] ?? '' } }]
  const warnings: ImportWarning[] = []
  if (departure?.zone === 'local') warnings.push({ code: 'floating_time', field: 'departure' })
  if (textOf(properties, 'status').toUpperCase() === 'TENTATIVE')
    warnings.push({ code: 'not_confirmed', field: null })
  const flight = flightOf(found, properties, departure ?? null, day, context)
  const reading: Reading = {
    flight: isOff ? { ...flight, outcome: 'cancelled' } : flight,
    ...(isOff && { skip: 'cancelled' as const }),
    ...(warnings.length > 0 && { warnings }),
  }
  return repeated(part, reading, context, replaced)
}

function foundIn(calendar: CalendarProperties, properties: CalendarProperties): Found | null {
  const summary = textOf(properties, 'summary')
  const own = /Contrail/.test(textOf(calendar, 'prodid')) ? flightInOwnFeed(summary) : null
  const location = textOf(properties, 'location')
  return own ?? flightInEvent({ summary, location, description: textOf(properties, 'description') })
}

/** Of an event without a clock. */
function dayOf(properties: CalendarProperties): string | null {
  const start = properties.get('dtstart')?.[0]
  return start?.type === 'date' && isCalendarDate(start.text) ? start.text : null
}

function flightOf(
  { flightNumber, from, to }: Found,
  properties: CalendarProperties,
  departure: SourceTime | null,
  day: string | null,
  { options }: ReadContext,
): SourceFlight {
  const description = textOf(properties, 'description')
  const seatNumber = labelledIn(description, 'seat')
  return {
    // The date follows from the instant, unless the clock is the airport's.
    date: day !== null ? { iso: day, precision: 'day' } : departure?.zone === 'local' ? departure.date : null,
    from,
    to,
    flightNumber,
    departure,
    arrival: departure ? timeOf(properties, 'dtend', options.timezoneHint) : null,
    duration: departure ? secondsOf(textOf(properties, 'duration')) : null,
    ...gatesOf(description),
    bookingReference: options.bookingReference === false ? null : labelledIn(description, 'booking'),
    ...(seatNumber !== null && { passengers: [{ who: { kind: 'self' as const }, seatNumber }] }),
    externalId: idOf(properties),
  }
}

/** `PT1H10M`. */
function secondsOf(text: string): number | null {
  const [, days = 0, hours = 0, minutes = 0] =
    /^P(?:(\d{1,2})D)?T?(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:\d+S)?$/.exec(text) ?? []
  return (Number(days) * 1440 + Number(hours) * 60 + Number(minutes)) * 60 || null
}

/** From lines that begin with the end they are about. */
function gatesOf(description: string): Partial<SourceFlight> {
  const lines = description.slice(0, 5_000).split('\n')
  const about = (words: RegExp) => lines.filter((line) => words.test(line)).join('\n')
  const [leaves, lands] = [
    about(/^\s*(?:departure|departs|from|origin|abflug|von)\b/i),
    about(/^\s*(?:arrival|arrives|to|destination|ankunft|nach)\b/i),
  ]
  return {
    departureTerminal: named(leaves, 'Terminal'),
    departureGate: named(leaves, 'Gate'),
    arrivalTerminal: named(lands, 'Terminal'),
    arrivalGate: named(lands, 'Gate'),
  }
}

// Events that repeat

function idOf(properties: CalendarProperties): string | null {
  const uid = textOf(properties, 'uid')
  const recurrence = dayIn(textOf(properties, 'recurrence-id'))
  return uid === '' ? null : recurrence === null ? uid : `${uid}:${recurrence}`
}

const dayIn = (text: string): string | null => /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? null

interface Survey {
  /** Occurrences that have an event of their own, as `uid:day`. */
  replaced: ReadonlySet<string>
  /** Lines of events that come after a later revision of themselves. */
  outdated: ReadonlySet<number>
}

function surveyed(text: string): Survey {
  const [replaced, outdated] = [new Set<string>(), new Set<number>()]
  const revisions = new Map<string, number>()
  if (!/^(?:RECURRENCE-ID|SEQUENCE:\s*[1-9])/im.test(text)) return { replaced, outdated }
  for (const { event } of eventsOf(text)) {
    const id = idOf(event.properties)
    if (id === null) continue
    if (event.properties.has('recurrence-id')) replaced.add(id)
    const revision = Number(textOf(event.properties, 'sequence')) || 0
    if (revision < (revisions.get(id) ?? 0)) outdated.add(event.line)
    else if (revision > 0) revisions.set(id, revision)
  }
  return { replaced, outdated }
}

/** Each occurrence that was, and the next one. */
function repeated(
  { event }: CalendarPart,
  reading: Reading,
  { today }: ReadContext,
  replaced: ReadonlySet<string>,
): Reading[] {
  const rule = /^RRULE[^:\n]*:(.*)$/im.exec(event.raw)?.[1]
  const flight = reading.flight!
  if (rule === undefined) return [reading]
  const warnings: ImportWarning[] = [...(reading.warnings ?? []), { code: 'recurring', field: null }]
  const first = dayOf(event.properties) ?? dayIn(textOf(event.properties, 'dtstart'))!
  const clock = flight.departure?.clock ?? '00:00:00'
  const days = daysOfRule(rule, `${first}T${clock}`, OCCURRENCES_AT_MOST, today)
  if (!days) return [{ ...reading, warnings }]
  const left = new Set(
    (event.properties.get('exdate') ?? []).flatMap(({ text }) =>
      text.split(',').flatMap((one) => dayIn(one) ?? []),
    ),
  )
  const uid = textOf(event.properties, 'uid')
  return days
    .filter((day) => !left.has(day) && !replaced.has(`${uid}:${day}`))
    .map((day) => ({
      ...reading,
      warnings,
      flight: { ...movedTo(flight, first, day), externalId: uid === '' ? null : `${uid}:${day}` },
    }))
}

/** The same clocks on another day. */
function movedTo(flight: SourceFlight, first: string, day: string): SourceFlight {
  const shift = Date.parse(day) - Date.parse(first)
  const moved = <When extends SourceFlight['date']>(date: When): When =>
    date && 'iso' in date
      ? { ...date, iso: new Date(Date.parse(date.iso) + shift).toISOString().slice(0, 10) }
      : date
  const time = (given: SourceTime | null | undefined): SourceTime | null =>
    given ? { ...given, date: moved(given.date) } : null
  return {
    ...flight,
    date: moved(flight.date),
    departure: time(flight.departure),
    arrival: time(flight.arrival),
  }
}

export const ics: Source = {
  id: 'ics',
  name: 'Calendar',
  extensions: ['ics'],
  howTo: {
    en: 'In your calendar app, export the calendar as an .ics file and drop it here, or drop the .ics file that came with a booking. Events that name a flight number and two airports become flights; all others are left out.',
    de: 'Exportiere den Kalender in deiner Kalender-App als .ics-Datei und lege sie hier ab, oder lege die .ics-Datei ab, die mit einer Buchung kam. Termine, die eine Flugnummer und zwei Flughäfen nennen, werden Flüge; alle anderen bleiben weg.',
  },
  options: ['includeCancelled', 'timezoneHint'],
  readers: [
    reads<'calendar'>({
      kind: 'calendar',
      matches: () => true,
      records: ({ text }, context) => records(text, context),
    }),
  ],
}

// Calendars of any program (section 7.2 of the import rules). An event is a flight if it names a flight number and two airports;
// our own feed has its own form.
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import { saysOtherTransport } from '../../../../domain/imports/not-flown.ts'
import { addDays, isCalendarDate, localSecond, readLocal } from '../../../../domain/time/time.ts'
import { type CalendarPart, type CalendarProperties, eventsOf } from '../../content/calendar.ts'
import { daysOfRule, readRule } from '../../content/recurrence.ts'
import {
  type ReadContext,
  reads,
  type Source,
  type SourceFlight,
  type SourceRecord,
  type SourceTime,
} from '../../reading/source.ts'
import { flightInProse } from '../../values/prose.ts'
import { flightInEvent, flightInOwnFeed, labelledIn } from './event-text.ts'
import { isCancelled, named, textOf, timeOf, zoneNamed } from './values.ts'

const OCCURRENCES_AT_MOST = 366

type Found = NonNullable<ReturnType<typeof flightInOwnFeed>> & { isProse?: true }

function* records(text: string, context: ReadContext): Generator<SourceRecord> {
  const survey = surveyed(text, context.options.timezoneHint)
  const { outdated } = survey
  // If several records have the same id, the last one counts, so outdated ones come first.
  for (const isOutdated of outdated.size > 0 ? [true, false] : [false])
    for (const part of eventsOf(text)) {
      const { line, raw } = part.event
      if (outdated.has(line) !== isOutdated) continue
      for (const record of recordsOf(part, context, survey)) yield { line, raw, ...record }
    }
}

type Reading = Pick<SourceRecord, 'flight' | 'skip' | 'error' | 'warnings' | 'fromText'> &
  Partial<Pick<SourceRecord, 'raw'>>

function recordsOf(part: CalendarPart, context: ReadContext, survey: Survey): Reading[] {
  const { event, calendar } = part
  const { properties } = event
  const found = foundIn(calendar, properties)
  const day = dayOf(properties)
  const departure = timeOf(properties, 'dtstart', context.options.timezoneHint)
  const isOff = isCancelled(part)
  // A cancelled event without any details.
  if (!found)
    return [isOff && !textOf(properties, 'summary') ? { skip: 'cancelled' } : { skip: 'not_a_flight' }]
  if (event.cut) return [{ error: { code: 'unreadable_row', value: textOf(properties, 'summary') } }]
  if (!departure && !day)
    return [{ error: { code: 'bad_date', value: /^DTSTART[^:]*:(.*)$/im.exec(event.raw)?.[1] ?? '' } }]
  const warnings: ImportWarning[] = []
  if (departure?.zone === 'local') warnings.push({ code: 'floating_time', field: 'departure' })
  if (textOf(properties, 'status').toUpperCase() === 'TENTATIVE')
    warnings.push({ code: 'not_confirmed', field: null })
  const flight = {
    ...flightOf(found, properties, departure ?? null, day, context),
    externalId: idOf(properties, survey.zones),
  }
  const reading: Reading = {
    flight: isOff ? { ...flight, outcome: 'cancelled' } : flight,
    ...(isOff && { skip: 'cancelled' as const }),
    // A whole day with names of places may be anything.
    ...((found.isProse || (!departure && !found.isUnmistakable)) && { fromText: true as const }),
    ...(warnings.length > 0 && { warnings }),
  }
  return repeated(part, reading, context, survey)
}

function foundIn(calendar: CalendarProperties, properties: CalendarProperties): Found | null {
  const summary = textOf(properties, 'summary')
  if (saysOtherTransport(summary)) return null
  const own = /Contrail/.test(textOf(calendar, 'prodid')) ? flightInOwnFeed(summary) : null
  const [location, description] = [textOf(properties, 'location'), textOf(properties, 'description')]
  const found = own ?? flightInEvent({ summary, location, description })
  if (found) return found
  const prose = flightInProse([summary, location, description].join('\n'))
  return prose && { ...prose, isUnmistakable: true, isProse: true }
}

/** The day of an event without a time. */
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
    // The date follows from the instant, unless the time is the airport's.
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
  }
}

/** `PT1H10M`. */
function secondsOf(text: string): number | null {
  const [, days = 0, hours = 0, minutes = 0] =
    /^P(?:(\d{1,2})D)?T?(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:\d+S)?$/.exec(text) ?? []
  return (Number(days) * 1440 + Number(hours) * 60 + Number(minutes)) * 60 || null
}

/** From lines that begin with the end of the flight that they describe. */
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

/** For one recurring event: occurrences with their own event, and the day from which all occurrences were changed. */
interface Exceptions {
  days: Set<string>
  from: string | null
}

interface Survey {
  /** By UID. */
  exceptions: ReadonlyMap<string, Exceptions>
  /** Lines of events that follow a newer revision of the same event. */
  outdated: ReadonlySet<number>
  zones: Zones
}

/** The time zone of each series, by UID. */
type Zones = ReadonlyMap<string, string>

function surveyed(text: string, hint: string | undefined): Survey {
  const [exceptions, outdated] = [new Map<string, Exceptions>(), new Set<number>()]
  const revisions = new Map<string, number>()
  const zones = zonesOfSeries(text, hint)
  if (!/^(?:RECURRENCE-ID|SEQUENCE:\s*[1-9])/im.test(text)) return { exceptions, outdated, zones }
  for (const { event } of eventsOf(text)) {
    const id = idOf(event.properties, zones)
    if (id === null) continue
    noteException(exceptions, event.properties, zones)
    const revision = Number(textOf(event.properties, 'sequence')) || 0
    if (revision < (revisions.get(id) ?? 0)) outdated.add(event.line)
    else if (revision > 0) revisions.set(id, revision)
  }
  return { exceptions, outdated, zones }
}

/** A changed occurrence may precede its series. Without a series, its own zone decides the day of an instant. */
function zonesOfSeries(text: string, hint: string | undefined): Zones {
  const zones = new Map<string, string>()
  if (!/^RECURRENCE-ID/im.test(text)) return zones
  for (const { event } of eventsOf(text)) {
    const { properties } = event
    const [uid, replaced] = [textOf(properties, 'uid'), textOf(properties, 'recurrence-id')]
    const zone = timeOf(properties, 'dtstart', hint)?.zone
    if (zone && (replaced === '' || (replaced.endsWith('Z') && !zones.has(uid)))) zones.set(uid, zone)
  }
  return zones
}

function noteException(byUid: Map<string, Exceptions>, properties: CalendarProperties, zones: Zones): void {
  const day = recurrenceDay(properties, zones)
  if (day === null) return
  const uid = textOf(properties, 'uid')
  const known = byUid.get(uid) ?? { days: new Set(), from: null }
  byUid.set(uid, known)
  known.days.add(day)
  if (changesFuture(properties)) known.from = [day, known.from ?? day].sort()[0]!
}

const changesFuture = (properties: CalendarProperties): boolean =>
  /^THISANDFUTURE$/i.test(properties.get('recurrence-id')?.[0]?.parameters['range'] ?? '')

/** The occurrence that an event replaces: its day in the zone of the series, which the event may not have. */
function recurrenceDay(properties: CalendarProperties, zones: Zones): string | null {
  return wallTimes(properties, 'recurrence-id', zones.get(textOf(properties, 'uid')))[0]?.day ?? null
}

function idOf(properties: CalendarProperties, zones: Zones): string | null {
  const uid = textOf(properties, 'uid')
  const day = recurrenceDay(properties, zones)
  return uid === '' ? null : day === null ? uid : `${uid}:${day}`
}

interface WallTime {
  day: string
  /** Null: a day only. */
  clock: string | null
}

/** The local time in the zone of the series, whatever the zone of the value. */
function wallTime(text: string, tzid: string | undefined, zone: string | undefined): WallTime | null {
  const [, day, clock, isUtc] =
    /^(\d{4}-\d{2}-\d{2})(?:T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(Z)?)?/.exec(text) ?? []
  if (day === undefined || !isCalendarDate(day)) return null
  const own = isUtc ? UTC : zoneNamed(tzid ?? '')
  const series = zone === 'utc' ? UTC : zone
  if (!clock || !own || !series || series === 'local' || series === own) return { day, clock: clock ?? null }
  const local = localSecond(readLocal(`${day}T${clock}`, own).instant, series)
  return { day: local.slice(0, 10), clock: local.slice(11) }
}
const UTC = 'Etc/UTC'

/** The times of a property that may occur several times, with several values each. A period counts by its beginning. */
const wallTimes = (properties: CalendarProperties, name: string, zone: string | undefined): WallTime[] =>
  (properties.get(name) ?? []).flatMap(({ text, parameters }) =>
    text.split(',').flatMap((one) => wallTime(one, parameters['tzid'], zone) ?? []),
  )

const NOT_READ = 'The repetition rule of this event is not supported. Log its flights manually.'

/** Every past occurrence and the next one. */
function repeated(
  { event }: CalendarPart,
  reading: Reading,
  context: ReadContext,
  { exceptions }: Survey,
): Reading[] {
  const { properties } = event
  const isRepeated = properties.has('rdate') || /^(?:RRULE|EXRULE)\b/im.test(event.raw)
  if (changesFuture(properties) && reading.skip !== 'cancelled') return [refused(event.raw)]
  if (!isRepeated) return [reading]
  const flight = reading.flight!
  const first = {
    day: dayOf(properties) ?? textOf(properties, 'dtstart').slice(0, 10),
    clock: flight.departure?.clock ?? null,
  }
  const times = occurrences(event, first, flight.departure?.zone, context.today)
  if (!times) return [refused(event.raw)]
  const uid = textOf(properties, 'uid')
  const { days: replaced = new Set(), from = null } = exceptions.get(uid) ?? {}
  const warnings: ImportWarning[] = [...(reading.warnings ?? []), { code: 'recurring', field: null }]
  return times
    .filter(({ day }) => !replaced.has(day) && (from === null || day < from))
    .map((time) => ({
      ...reading,
      warnings,
      flight: { ...movedTo(flight, first, time), externalId: uid === '' ? null : `${uid}:${time.day}` },
    }))
}

const refused = (raw: string): Reading => ({
  raw: `${NOT_READ}\n\n${raw}`,
  error: { code: 'unreadable_row' },
})

/** In order, without excluded ones; null if a rule is not supported. */
function occurrences(
  { raw, properties }: CalendarPart['event'],
  first: WallTime,
  zone: string | undefined,
  today: string,
): WallTime[] | null {
  const rules = [...raw.matchAll(/^RRULE[^:\n]*:(.*)$/gim)].map(([, text]) => text!)
  const rule = rules[0] === undefined ? undefined : readRule(rules[0])
  if (rule === null || rules.length > 1 || /^EXRULE\b/im.test(raw)) return null
  const last = rule?.until ? lastDay(rule.until, first, zone) : null
  if (rule?.until && last === null) return null
  const out = new Set(wallTimes(properties, 'exdate', zone).map(({ day }) => day))
  const isOut = (day: string) => out.has(day)
  const bounds = { most: OCCURRENCES_AT_MOST, last, today, isOut }
  const days = rule ? daysOfRule(rule, first.day, bounds) : [first.day]
  const times = [
    ...wallTimes(properties, 'rdate', zone).map(({ day, clock }) => ({ day, clock: clock ?? first.clock })),
    ...days.map((day) => ({ day, clock: first.clock })),
  ]
  return [...new Map(times.map((time) => [time.day, time])).values()]
    .filter(({ day }) => !isOut(day))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .slice(0, OCCURRENCES_AT_MOST)
}

/** The last possible day of a rule. `UNTIL` may be an instant, which no occurrence may pass. */
function lastDay(until: string, first: WallTime, zone: string | undefined): string | null {
  const [, year, month, day, clock = '', z = ''] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{6}))?(Z)?$/.exec(until) ?? []
  const written = `${year}-${month}-${day}`
  const at = clock === '' ? '' : `T${clock.replace(/(..)(..)(..)/, '$1:$2:$3')}${z}`
  const end = wallTime(`${written}${at}`, undefined, zone)
  if (!end) return null
  return end.clock !== null && first.clock !== null && end.clock < first.clock
    ? addDays(end.day, -1)
    : end.day
}

/** The same flight at another time: both ends are moved by the difference, in their own local time. */
function movedTo(flight: SourceFlight, first: WallTime, to: WallTime): SourceFlight {
  const at = ({ day, clock }: WallTime) => Date.parse(`${day}T${clock ?? '00:00:00'}Z`)
  const shift = at(to) - at(first)
  const time = (given: SourceTime | null | undefined): SourceTime | null => {
    if (!given?.date || !('iso' in given.date)) return given ?? null
    const moved = new Date(Date.parse(`${given.date.iso}T${given.clock}Z`) + shift).toISOString()
    return { ...given, date: { ...given.date, iso: moved.slice(0, 10) }, clock: moved.slice(11, 19) }
  }
  const { date } = flight
  return {
    ...flight,
    date: date && 'iso' in date ? { ...date, iso: to.day } : date,
    departure: time(flight.departure),
    arrival: time(flight.arrival),
  }
}

export const ics: Source = {
  id: 'ics',
  name: 'Calendar',
  extensions: ['ics'],
  options: ['includeCancelled', 'timezoneHint'],
  readers: [
    reads<'calendar'>({
      kind: 'calendar',
      matches: () => true,
      records: ({ text }, context) => records(text, context),
    }),
  ],
}

// Flights as an iCalendar file (RFC 5545, RFC 7986): lines, times with the rules of their zones, and the texts of events.
// No I/O; the caller joins the parts, so that a long log need not be in memory.

import type { AircraftClass, DatePrecision, Seat, SeatClass } from '../enums.ts'
import { effectiveArrival, effectiveDeparture, type FlightTimes } from '../flights/best-times.ts'
import { knownOrEstimated } from '../flights/duration.ts'
import { type Language, languages } from '../languages.ts'
import type { Preferences } from '../people/preferences.ts'
import { cityName } from '../reference/cities.ts'
import { cityNames } from '../reference/city-names.ts'
import { addDays, dayStart } from '../time/calendar.ts'
import { clockChanges, instantOf, localSecond, readLocal } from '../time/time.ts'
import { type CalendarTexts, calendarTexts } from './ical-texts.ts'

interface CalendarPlace {
  id: number
  iata: string | null
  icao: string
  name: string
  municipality: string | null
  country: string
  timezone: string
  latitude: number
  longitude: number
}

interface Traveller {
  user: { id: string; displayName: string } | null
  guestName: string | null
  seat: Seat | null
  seatNumber: string | null
  seatClass: SeatClass | null
}

/** The fields of a flight that a calendar shows. */
interface CalendarFlight extends FlightTimes {
  id: number
  version: number
  updatedAt: string
  date: string
  datePrecision: DatePrecision
  duration: number | null
  flightNumber: string | null
  aircraftReg: string | null
  departureTerminal: string | null
  departureGate: string | null
  arrivalTerminal: string | null
  arrivalGate: string | null
  note: string | null
  from: CalendarPlace | null
  to: CalendarPlace | null
  airline: { name: string } | null
  aircraft: { name: string; class?: AircraftClass | null } | null
  distanceKm: number | null
  passengers: readonly Traveller[]
}

export interface CalendarStyle {
  /** The address of the instance, such as https://flights.example.org. */
  origin: string
  language: Preferences['language']
  /** The person whose seat is shown and who is not listed as a companion; null for a calendar of several people. */
  ownerId: string | null
}

// Lines

const LINE_OCTETS = 75

const octetsOf = (character: string): number => {
  const code = character.codePointAt(0)!
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

/** A content line, folded so that no line exceeds 75 octets and no character is split (RFC 5545 §3.1). */
export function contentLine(text: string): string {
  let line = ''
  let octets = 0
  for (const character of text) {
    const length = octetsOf(character)
    if (octets + length > LINE_OCTETS) {
      line += '\r\n '
      octets = 1
    }
    line += character
    octets += length
  }
  return `${line}\r\n`
}

const written = (lines: readonly (string | undefined)[]): string =>
  lines.flatMap((line) => (line === undefined ? [] : contentLine(line))).join('')

/** A value of type TEXT (RFC 5545 §3.3.11). Control characters are not allowed and are removed. */
export const escapedText = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that a calendar must not contain
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

const compactTime = (iso: string): string => iso.replaceAll(/[-:]/g, '').slice(0, 15)
const utcTime = (instant: number): string => `${compactTime(new Date(instant).toISOString())}Z`
const compactDate = (date: string): string => date.replaceAll('-', '')

// Times of a flight

/** A moment at an airport. In UTC if the zone is unknown, or if its clocks show the time twice. */
interface Moment {
  instant: number
  zone: string | null
  local: string
}

interface EventTimes {
  departure: Moment | null
  arrival: Moment | null
  arrivalEstimated: boolean
}

function momentAt(instant: number, place: CalendarPlace | null): Moment {
  const zone = place?.timezone ?? null
  const local = zone === null ? '' : localSecond(instant, zone)
  // A time that the clocks show twice means the earlier one (RFC 5545 §3.3.5), but not in every program.
  const reading = zone === null ? undefined : readLocal(local, zone)
  const isCertain = reading?.instant === instant && !reading.ambiguous
  return { instant, zone: isCertain ? zone : null, local }
}

/** An unknown arrival is derived from the duration, otherwise from its estimate. */
function timesOf(flight: CalendarFlight): EventTimes {
  const departure = effectiveDeparture(flight)
  if (departure === null) return { departure: null, arrival: null, arrivalEstimated: false }
  const start = wholeSecond(instantOf(departure))
  const known = effectiveArrival(flight)
  const { duration, durationEstimated } = knownOrEstimated(flight.duration, flight)
  const end =
    known !== null ? wholeSecond(instantOf(known)) : duration === null ? null : start + duration * 1000
  return {
    departure: momentAt(start, flight.from),
    // Times from one source may contradict those from another; an event must not end before it begins.
    arrival:
      end === null || end < start || end > LAST_INSTANT ? null : momentAt(end, flight.to ?? flight.from),
    arrivalEstimated: known === null && durationEstimated,
  }
}

const wholeSecond = (instant: number) => Math.floor(instant / 1000) * 1000
/** Years have four digits. */
const LAST_INSTANT = dayStart('9999-12-31')

/** A flight with only a month or year has no day in a calendar. */
export const isOnCalendar = ({ datePrecision }: Pick<CalendarFlight, 'datePrecision'>): boolean =>
  datePrecision === 'day'

/** The zones of a flight's event, with the local year in each. */
export function zonesOf(flight: CalendarFlight): { zone: string; year: number }[] {
  const { departure, arrival } = timesOf(flight)
  return [departure, arrival].flatMap((moment) =>
    moment?.zone ? [{ zone: moment.zone, year: Number(moment.local.slice(0, 4)) }] : [],
  )
}

function timeProperty(name: string, { zone, local, instant }: Moment): string {
  return zone === null ? `${name}:${utcTime(instant)}` : `${name};TZID=${zone}:${compactTime(local)}`
}

function whenLines(flight: CalendarFlight, { departure, arrival }: EventTimes): string[] {
  if (departure) {
    const start = timeProperty('DTSTART', departure)
    return arrival ? [start, timeProperty('DTEND', arrival)] : [start]
  }
  return wholeDay(flight.date)
}

function wholeDay(date: string): string[] {
  const start = `DTSTART;VALUE=DATE:${compactDate(date)}`
  return date < '9999-12-31' ? [start, `DTEND;VALUE=DATE:${compactDate(addDays(date, 1))}`] : [start]
}

// Zones

const writtenOffset = (seconds: number): string => {
  const rest = Math.abs(seconds)
  const parts = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60]
  const [hours, minutes, over] = parts.map((part) => String(part).padStart(2, '0'))
  return `${seconds < 0 ? '-' : '+'}${hours}${minutes}${over === '00' ? '' : over}`
}

/** A zone in the years that a file uses (RFC 5545 §3.6.5), with the date of every clock change. */
export function calendarZone(zone: string, years: Iterable<number>): string {
  const changes = new Map<string, { before: number; after: number; onsets: Set<string> }>()
  let wasFixed = false
  for (const year of [...new Set(years)].sort((a, b) => a - b)) {
    for (const { local, before, after } of clockChanges(year, zone)) {
      if (before === after && wasFixed) continue
      wasFixed ||= before === after
      const kind = changes.get(`${before} ${after}`) ?? { before, after, onsets: new Set() }
      kind.onsets.add(compactTime(local))
      changes.set(`${before} ${after}`, kind)
    }
  }
  const parts = [...changes.values()].flatMap(({ before, after, onsets }) => {
    const dates = [...onsets].sort()
    const name = after > before ? 'DAYLIGHT' : 'STANDARD'
    return [
      `BEGIN:${name}`,
      `DTSTART:${dates[0]}`,
      // Some programs read one date per line, and ignore the start if there are more dates.
      ...(dates.length > 1 ? dates.map((date) => `RDATE:${date}`) : []),
      `TZOFFSETFROM:${writtenOffset(before)}`,
      `TZOFFSETTO:${writtenOffset(after)}`,
      `END:${name}`,
    ]
  })
  return written(['BEGIN:VTIMEZONE', `TZID:${zone}`, ...parts, 'END:VTIMEZONE'])
}

// The file

export const calendarHead = (name: string): string =>
  written([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Contrail//Flight log//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapedText(name)}`,
    `X-WR-CALNAME:${escapedText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ])

export const CALENDAR_END = 'END:VCALENDAR\r\n'

const uidOf = (id: number, origin: string) => `UID:flight-${id}@${new URL(origin).hostname}`

const codeOf = (place: CalendarPlace | null): string => place?.iata ?? place?.icao ?? '?'

const summaryOf = ({ flightNumber, from, to }: CalendarFlight): string =>
  [flightNumber, `${codeOf(from)} → ${codeOf(to)}`].filter(Boolean).join(' ')

const locationOf = (place: CalendarPlace, language: Language): string =>
  [`${place.name} (${codeOf(place)})`, cityName(place, cityNames[language])].filter(Boolean).join(', ')

/** One event. A cancelled one is kept for a while, so that calendars that subscribe to the file remove it. */
export function calendarEvent(flight: CalendarFlight, cancelled: boolean, style: CalendarStyle): string {
  const times = timesOf(flight)
  const { from } = flight
  const changed = utcTime(Date.parse(flight.updatedAt))
  const description = cancelled ? '' : describe(flight, times, style)
  return written([
    'BEGIN:VEVENT',
    uidOf(flight.id, style.origin),
    `SEQUENCE:${flight.version - 1}`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    ...whenLines(flight, times),
    `SUMMARY:${escapedText(summaryOf(flight))}`,
    ...(from
      ? [
          `LOCATION:${escapedText(locationOf(from, languageOf(style)))}`,
          `GEO:${degrees(from.latitude)};${degrees(from.longitude)}`,
        ]
      : []),
    cancelled ? undefined : `URL:${style.origin}/flights/${flight.id}`,
    description === '' ? undefined : `DESCRIPTION:${escapedText(description)}`,
    `STATUS:${cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${cancelled ? 'TRANSPARENT' : 'OPAQUE'}`,
    'END:VEVENT',
  ])
}

interface Removed {
  id: number
  version: number
  at: string
}

/** The cancellation of an event about which nothing more is known. */
export function removedEvent({ id, version, at }: Removed, origin: string): string {
  const changed = utcTime(Date.parse(at))
  return written([
    'BEGIN:VEVENT',
    uidOf(id, origin),
    `SEQUENCE:${version - 1}`,
    `DTSTAMP:${changed}`,
    ...wholeDay(at.slice(0, 10)),
    'STATUS:CANCELLED',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
}

const degrees = (value: number): string => String(Math.round(value * 1e6) / 1e6)

// Texts

const languageOf = ({ language }: CalendarStyle): Language =>
  languages.find((known) => known === language) ?? 'en'

function describe(flight: CalendarFlight, times: EventTimes, style: CalendarStyle): string {
  const { ownerId } = style
  const words = calendarTexts[languageOf(style)]
  const own = flight.passengers.find(({ user }) => user !== null && user.id === ownerId)
  const others = flight.passengers.flatMap(({ user, guestName }) =>
    user?.id === ownerId ? [] : (user?.displayName ?? guestName ?? []),
  )
  return [
    flight.airline?.name,
    labelled(words.departure, placeWords(words, flight.departureTerminal, flight.departureGate)),
    labelled(words.arrival, placeWords(words, flight.arrivalTerminal, flight.arrivalGate)),
    labelled(words.seat, own ? seatWords(words, own) : []),
    labelled(words.aircraft, [flight.aircraft?.name, flight.aircraftReg]),
    labelled(words.with, others),
    times.arrivalEstimated && times.arrival ? words.estimated : undefined,
    flight.note,
  ]
    .filter(Boolean)
    .join('\n')
}

type Words = readonly (string | null | undefined)[]

function labelled(label: string, words: Words): string | undefined {
  const known = words.filter(Boolean)
  return known.length > 0 ? `${label}: ${known.join(', ')}` : undefined
}

const placeWords = (words: CalendarTexts, terminal: string | null, gate: string | null): Words => [
  terminal && `${words.terminal} ${terminal}`,
  gate && `${words.gate} ${gate}`,
]

const seatWords = (words: CalendarTexts, { seat, seatNumber, seatClass }: Traveller): Words => [
  seatNumber,
  seat === null || seat === 'other' ? null : words.seats[seat],
  seatClass && words.classes[seatClass],
]

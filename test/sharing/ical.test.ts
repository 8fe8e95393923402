// Calendars, read by another program's parser: its instants must be those of the flights.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { eachOf, timeFields } from '../../server/domain/flights/fields.ts'
import {
  CALENDAR_END,
  calendarEvent,
  calendarHead,
  calendarZone,
  contentLine,
  escapedText,
  isOnCalendar,
  removedEvent,
  zonesOf,
} from '../../server/domain/sharing/ical.ts'
import { localSecond } from '../../server/domain/time/time.ts'

type CalendarFlight = Parameters<typeof calendarEvent>[0]
type CalendarPlace = NonNullable<CalendarFlight['from']>

const place = (iata: string, timezone: string, id = iata.charCodeAt(0)): CalendarPlace => ({
  id,
  iata,
  icao: `X${iata}`,
  name: `${iata} Airport`,
  municipality: 'Town',
  country: 'DK',
  timezone,
  latitude: 55.6179,
  longitude: -12.656,
})
const CPH = place('CPH', 'Europe/Copenhagen')
const EWR = place('EWR', 'America/New_York')

const flight = (given: Partial<CalendarFlight>): CalendarFlight => ({
  id: 812,
  version: 4,
  updatedAt: '2026-11-15T09:00:00.123Z',
  date: '2026-07-01',
  datePrecision: 'day',
  ...eachOf(timeFields, () => null),
  duration: null,
  flightNumber: 'SK909',
  aircraftReg: null,
  departureTerminal: null,
  departureGate: null,
  arrivalTerminal: null,
  arrivalGate: null,
  note: null,
  from: CPH,
  to: EWR,
  airline: null,
  aircraft: null,
  distanceKm: 6190,
  passengers: [],
  ...given,
})

const style = { origin: 'https://flights.example.org', language: 'auto', ownerId: 'ada' } as const

function fileOf(flights: CalendarFlight[], more = ''): string {
  const years = Map.groupBy(flights.flatMap(zonesOf), ({ zone }) => zone)
  const zones = [...years].map(([zone, uses]) =>
    calendarZone(
      zone,
      uses.map(({ year }) => year),
    ),
  )
  const events = flights.map((one) => calendarEvent(one, false, style))
  return [calendarHead('My flights'), ...zones, ...events, more, CALENDAR_END].join('')
}

interface Parsed {
  component: ICAL.Component
  event: ICAL.Event
}
function parse(text: string): Parsed[] {
  requireLines(text)
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return calendar
    .getAllSubcomponents('vevent')
    .map((component) => ({ component, event: new ICAL.Event(component) }))
}

/** RFC 5545 §3.1: every line ends with CRLF and has at most 75 octets, and none ends within a character. */
function requireLines(text: string): void {
  assert.ok(text.endsWith('\r\n'))
  for (const line of text.slice(0, -2).split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, line)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a line must not contain
    assert.ok(!/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line), JSON.stringify(line))
    assert.ok(line.isWellFormed() && line !== '', line)
  }
}

const one = (text: string): Parsed => {
  const found = parse(text)
  assert.equal(found.length, 1)
  return found[0]!
}
const instant = (time: ICAL.Time) => time.toJSDate().toISOString()

test('an event has local times at both airports, and its file defines their zones', () => {
  const text = fileOf([
    flight({ departure: '2026-07-01T12:20:00+02:00', arrival: '2026-07-01T14:55:00-04:00' }),
  ])
  assert.match(text, /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:/)
  for (const line of [
    'METHOD:PUBLISH',
    'NAME:My flights',
    'X-WR-CALNAME:My flights',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'UID:flight-812@flights.example.org',
    'SEQUENCE:3',
    'DTSTAMP:20261115T090000Z',
    'DTSTART;TZID=Europe/Copenhagen:20260701T122000',
    'DTEND;TZID=America/New_York:20260701T145500',
    'SUMMARY:SK909 CPH → EWR',
    'LOCATION:CPH Airport (CPH)\\, Town',
    'GEO:55.6179;-12.656',
    'URL:https://flights.example.org/flights/812',
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
  ])
    assert.ok(text.includes(`\r\n${line}\r\n`), line)
  const { event } = one(text)
  assert.equal(instant(event.startDate), '2026-07-01T10:20:00.000Z')
  assert.equal(instant(event.endDate), '2026-07-01T18:55:00.000Z')
})

test('clock changes in both directions, the date line and years before 1970 are right', () => {
  const cases: [CalendarPlace, string, CalendarPlace, string][] = [
    // Around the changes of 2026: 29 March and 25 October in Europe, 8 March and 1 November in America.
    [CPH, '2026-03-29T00:30:00Z', EWR, '2026-03-29T09:00:00Z'],
    [CPH, '2026-03-29T01:00:00Z', CPH, '2026-03-29T02:15:00Z'],
    [CPH, '2026-10-24T23:30:00Z', EWR, '2026-10-25T08:00:00Z'],
    // 02:30 occurs twice: before the change and after it.
    [CPH, '2026-10-25T00:30:00Z', CPH, '2026-10-25T01:30:00Z'],
    [EWR, '2026-03-08T06:59:00Z', EWR, '2026-03-08T07:00:00Z'],
    [EWR, '2026-11-01T05:30:00Z', EWR, '2026-11-01T06:30:00Z'],
    // The southern hemisphere, and arriving the day before.
    [
      place('AKL', 'Pacific/Auckland'),
      '2026-12-31T19:50:00Z',
      place('RAR', 'Pacific/Rarotonga'),
      '2026-12-31T23:40:00Z',
    ],
    [
      place('SYD', 'Australia/Sydney'),
      '2026-04-04T15:59:00Z',
      place('LDH', 'Australia/Lord_Howe'),
      '2026-04-04T17:00:00Z',
    ],
    [
      place('KTM', 'Asia/Kathmandu'),
      '2026-01-01T00:00:00Z',
      place('DEL', 'Asia/Kolkata'),
      '2026-01-01T02:00:00Z',
    ],
    // Double summer time, war time, and other rules of former years.
    [place('LHR', 'Europe/London'), '1947-06-01T10:00:00Z', CPH, '1947-06-01T13:00:00Z'],
    [EWR, '1943-07-01T10:00:00Z', place('LAX', 'America/Los_Angeles'), '1943-07-01T22:00:00Z'],
    [place('SVO', 'Europe/Moscow'), '1969-12-31T22:00:00Z', CPH, '1970-01-01T01:00:00Z'],
    [
      place('SVO', 'Europe/Moscow'),
      '2014-10-25T22:30:00Z',
      place('SVX', 'Asia/Yekaterinburg'),
      '2014-10-26T01:00:00Z',
    ],
    // Rules continue for centuries.
    [CPH, '2498-07-01T10:00:00Z', EWR, '2498-12-01T10:00:00Z'],
    [place('UTC', 'Etc/UTC'), '2026-01-01T00:00:00Z', CPH, '2026-06-01T00:00:00Z'],
  ]
  const flights = cases.map(([from, departure, to, arrival], id) =>
    flight({ id, from, to, departure, arrival }),
  )
  for (const [i, { event }] of parse(fileOf(flights)).entries()) {
    const [, departure, , arrival] = cases[i]!
    assert.equal(instant(event.startDate), new Date(departure).toISOString(), JSON.stringify(cases[i]))
    assert.equal(instant(event.endDate), new Date(arrival).toISOString(), JSON.stringify(cases[i]))
  }
  // Each means the same in a file of one event.
  for (const [i, single] of flights.entries())
    assert.equal(instant(one(fileOf([single])).event.startDate), new Date(cases[i]![1]).toISOString())
})

test('a zone covers every hour of the years in a file', () => {
  for (const zone of [
    'Europe/Copenhagen',
    'America/Sao_Paulo',
    'Africa/Casablanca',
    'Asia/Tehran',
    'Africa/Cairo',
  ]) {
    for (const year of [1950, 1985, 2026, 2031]) {
      const component = new ICAL.Component(
        ICAL.parse(`BEGIN:VCALENDAR\r\n${calendarZone(zone, [1950, 1985, 2026, 2031])}${CALENDAR_END}`),
      )
      const known = new ICAL.Timezone(component.getFirstSubcomponent('vtimezone')!)
      for (let at = Date.UTC(year, 0, 1, 12); at < Date.UTC(year, 11, 31); at += 37 * 3_600_000) {
        const local = ICAL.Time.fromDateTimeString(localSecond(at, zone))
        const offset = known.utcOffset(local) * 1000
        assert.equal(
          at + offset,
          Date.parse(`${localSecond(at, zone)}Z`),
          `${zone} ${new Date(at).toISOString()}`,
        )
      }
    }
  }
})

test('an ambiguous local time is written in UTC', () => {
  const text = fileOf([
    flight({ departure: '2026-10-25T02:30:00+02:00', arrival: '2026-10-25T02:30:00+01:00', to: CPH }),
  ])
  assert.ok(text.includes('DTSTART:20261025T003000Z\r\n'))
  assert.ok(text.includes('DTEND:20261025T013000Z\r\n'))
})

test('an event without a time is a whole day, and an airport without a zone uses UTC', () => {
  const day = fileOf([flight({ date: '2026-12-31' })])
  assert.ok(day.includes('DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\n'))
  assert.ok(!day.includes('VTIMEZONE'))
  assert.ok(one(day).event.startDate.isDate)
  assert.ok(one(fileOf([flight({ date: '9999-12-31' })])).event.startDate.isDate)
  const unknown = one(fileOf([flight({ from: null, to: null, departure: '1951-07-01T12:20:00+02:00' })]))
  assert.equal(instant(unknown.event.startDate), '1951-07-01T10:20:00.000Z')
  assert.equal(unknown.event.summary, 'SK909 ? → ?')
  assert.equal(unknown.component.getFirstProperty('geo'), null)
  for (const datePrecision of ['month', 'year'] as const) assert.ok(!isOnCalendar({ datePrecision }))
  assert.ok(isOnCalendar({ datePrecision: 'day' }))
})

test('an unknown arrival follows from the duration, or is marked as estimated', () => {
  const departure = '2026-07-01T12:00:00+02:00'
  const recorded = one(fileOf([flight({ departure, duration: 3600 })]))
  assert.equal(instant(recorded.event.endDate), '2026-07-01T11:00:00.000Z')
  assert.equal(recorded.event.description ?? '', '')
  const estimated = one(fileOf([flight({ departure })]))
  assert.ok(estimated.event.endDate.compare(estimated.event.startDate) > 0)
  assert.equal(estimated.event.description, 'The arrival time is estimated.')
  const nowhere = one(fileOf([flight({ departure, to: CPH, distanceKm: 0 })]))
  assert.equal(nowhere.component.getFirstProperty('dtend'), null)
  // Best known times of different kinds may be in the wrong order.
  const backwards = one(fileOf([flight({ departure, landingActual: '2026-07-01T06:00:00Z' })]))
  assert.equal(backwards.component.getFirstProperty('dtend'), null)
})

test('the description has terminal, gate, seat, aircraft, companions and note, in two languages', () => {
  const traveller = { seat: null, seatNumber: null, seatClass: null, guestName: null, user: null }
  const full = flight({
    departureTerminal: '3',
    departureGate: 'C36',
    arrivalTerminal: 'B',
    airline: { name: 'SAS' },
    aircraft: { name: 'Airbus A330-300' },
    aircraftReg: 'LN-RKS',
    note: 'Upgraded; lucky, me\r\nagain',
    passengers: [
      {
        ...traveller,
        user: { id: 'ada', displayName: 'Ada' },
        seat: 'window',
        seatNumber: '21A',
        seatClass: 'economy+',
      },
      { ...traveller, user: { id: 'bo', displayName: 'Bo' } },
      { ...traveller, guestName: 'Grace' },
    ],
  })
  assert.equal(
    one(fileOf([full])).event.description,
    'SAS\nDeparture: terminal 3, gate C36\nArrival: terminal B\nSeat: 21A, window, premium economy\nAircraft: Airbus A330-300, LN-RKS\nWith: Bo, Grace\nUpgraded; lucky, me\nagain',
  )
  const german = calendarEvent(full, false, { ...style, language: 'de' })
  assert.ok(german.replaceAll('\r\n ', '').includes('Abflug: Terminal 3\\, Gate C36\\n'), german)
})

test('a cancelled event keeps only its name and time', () => {
  const text = calendarEvent(flight({ note: 'secret', departure: '2026-07-01T12:00:00Z' }), true, style)
  const { component, event } = one(calendarHead('x') + text + CALENDAR_END)
  assert.equal(component.getFirstPropertyValue('status'), 'CANCELLED')
  assert.equal(event.summary, 'SK909 CPH → EWR')
  assert.ok(!text.includes('DESCRIPTION') && !text.includes('URL'))
  const gone = removedEvent({ id: 640, version: 7, at: '2026-11-13T10:00:00.000Z' }, style.origin)
  const erased = one(calendarHead('x') + gone + CALENDAR_END)
  assert.equal(erased.event.uid, 'flight-640@flights.example.org')
  assert.equal(erased.event.sequence, 6)
  assert.equal(erased.event.startDate.toString(), '2026-11-13')
})

test('lines are folded by octets without splitting a character', () => {
  const texts = [
    '',
    'a'.repeat(200),
    'é'.repeat(200),
    '→'.repeat(120),
    '🛫'.repeat(99),
    'ab🛫→é,;\\\n'.repeat(40),
  ]
  for (const text of texts) {
    for (let shift = 0; shift < 6; shift++) {
      const line = contentLine(`SUMMARY:${'x'.repeat(shift)}${escapedText(text)}`)
      requireLines(line)
      const { event } = one(
        `${calendarHead('x')}BEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\n${line}END:VEVENT\r\n${CALENDAR_END}`,
      )
      assert.equal(event.summary ?? '', 'x'.repeat(shift) + text)
    }
  }
  assert.equal(contentLine('a'.repeat(75)), `${'a'.repeat(75)}\r\n`)
  assert.equal(contentLine('a'.repeat(76)), `${'a'.repeat(75)}\r\n a\r\n`)
})

test('no text can break out of its line', () => {
  const note = 'x\r\nEND:VEVENT\rBEGIN:VALARM\u2028\u0085\u0000\u001b,;\\n'
  const text = fileOf([flight({ note, flightNumber: 'A\nSTATUS:CANCELLED' })])
  requireLines(text)
  assert.equal(parse(text).length, 1)
  assert.equal(one(text).component.getAllSubcomponents().length, 0)
  assert.equal(one(text).component.getFirstPropertyValue('status'), 'CONFIRMED')
})

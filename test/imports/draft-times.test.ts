// When a flight of a file departed and landed: each row was computed manually, as instants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceFlight } from '../../server/services/imports/reading/source.ts'
import { onSqlite } from '../harness.ts'
import { clock, codesOf, draftRecords, flightOf, recordOf } from './drafting.ts'

interface Row {
  name: string
  flight: SourceFlight
  departure: string | null
  arrival: string | null
  duration: number | null
  /** In minutes. */
  date?: string
  warnings?: string[]
}

const hours = (h: number, m = 0) => h * 3600 + m * 60

const rows: Row[] = [
  {
    name: 'a morning flight',
    flight: flightOf('2024-05-17', 'CPH', 'ARN', { departure: clock('10:00'), arrival: clock('11:10') }),
    departure: '2024-05-17T10:00:00+02:00',
    arrival: '2024-05-17T11:10:00+02:00',
    duration: hours(1, 10),
  },
  {
    name: 'overnight eastward: the next day',
    flight: flightOf('2018-10-06', 'GRU', 'ZRH', {
      departure: clock('18:25'),
      arrival: clock('11:00'),
      duration: hours(11, 35),
    }),
    departure: '2018-10-06T18:25:00-03:00',
    arrival: '2018-10-07T11:00:00+02:00',
    duration: hours(11, 35),
  },
  {
    name: 'over the date line eastward: the day before',
    flight: flightOf('2024-07-10', 'AKL', 'RAR', { departure: clock('08:50'), arrival: clock('14:40') }),
    departure: '2024-07-10T08:50:00+12:00',
    arrival: '2024-07-09T14:40:00-10:00',
    duration: hours(3, 50),
  },
  {
    name: 'Nadi to San Francisco lands before it leaves by the calendar',
    flight: flightOf('2024-01-15', 'NAN', 'SFO', { departure: clock('21:45'), arrival: clock('12:25') }),
    departure: '2024-01-15T21:45:00+12:00',
    arrival: '2024-01-15T12:25:00-08:00',
    duration: hours(10, 40),
  },
  {
    name: 'with its own dates',
    flight: flightOf('2024-01-15', 'NAN', 'SFO', {
      departure: clock('2024-01-15T21:45'),
      arrival: clock('2024-01-15T12:25'),
    }),
    departure: '2024-01-15T21:45:00+12:00',
    arrival: '2024-01-15T12:25:00-08:00',
    duration: hours(10, 40),
  },
  {
    name: 'westward over the date line: two days later by the calendar',
    flight: flightOf('2024-01-15', 'LAX', 'SYD', { departure: clock('22:30'), arrival: clock('08:20') }),
    departure: '2024-01-15T22:30:00-08:00',
    arrival: '2024-01-17T08:20:00+11:00',
    duration: hours(14, 50),
  },
  {
    name: 'Rarotonga to Auckland: the next day',
    flight: flightOf('2024-07-10', 'RAR', 'AKL', { departure: clock('16:00'), arrival: clock('18:10') }),
    departure: '2024-07-10T16:00:00-10:00',
    arrival: '2024-07-11T18:10:00+12:00',
    duration: hours(4, 10),
  },
  {
    name: 'a clock that was skipped moves forward',
    flight: flightOf('2024-03-31', 'CPH', 'ARN', { departure: clock('02:30'), arrival: clock('04:40') }),
    departure: '2024-03-31T03:30:00+02:00',
    arrival: '2024-03-31T04:40:00+02:00',
    duration: hours(1, 10),
    warnings: ['local_time_missing departure'],
  },
  {
    name: 'a clock that was shown twice is the earlier one',
    flight: flightOf('2024-10-27', 'CPH', 'ARN', { departure: clock('02:30'), arrival: clock('05:00') }),
    departure: '2024-10-27T02:30:00+02:00',
    arrival: '2024-10-27T05:00:00+01:00',
    duration: hours(3, 30),
    warnings: ['local_time_ambiguous departure'],
  },
  {
    name: 'unless the duration says that it is the later one',
    flight: flightOf('2024-10-27', 'CPH', 'ARN', {
      departure: clock('02:30'),
      arrival: clock('03:40'),
      duration: hours(1, 10),
    }),
    departure: '2024-10-27T02:30:00+01:00',
    arrival: '2024-10-27T03:40:00+01:00',
    duration: hours(1, 10),
  },
  {
    name: 'an overlap at the arrival, settled by the duration',
    flight: flightOf('2024-11-02', 'LAX', 'JFK', {
      departure: clock('17:00'),
      arrival: clock('01:20'),
      duration: hours(6, 20),
    }),
    departure: '2024-11-02T17:00:00-07:00',
    arrival: '2024-11-03T01:20:00-05:00',
    duration: hours(6, 20),
  },
  {
    name: 'midnight at the end of the day',
    flight: flightOf('2024-05-17', 'CPH', 'ARN', { departure: clock('22:45'), arrival: clock('24:00') }),
    departure: '2024-05-17T22:45:00+02:00',
    arrival: '2024-05-18T00:00:00+02:00',
    duration: hours(1, 15),
  },
  {
    name: 'an arrival from the duration',
    flight: flightOf('2011-09-12', 'MUC', 'TXL', { departure: clock('07:20'), duration: hours(1, 10) }),
    departure: '2011-09-12T07:20:00+02:00',
    arrival: '2011-09-12T08:30:00+02:00',
    duration: hours(1, 10),
    warnings: ['arrival_from_duration arrival'],
  },
  {
    name: 'a duration that no day fits gives way to the times',
    flight: flightOf('2024-05-17', 'FRA', 'BLR', {
      departure: clock('13:30'),
      arrival: clock('00:50'),
      duration: hours(6, 50),
    }),
    departure: '2024-05-17T13:30:00+02:00',
    arrival: '2024-05-18T00:50:00+05:30',
    duration: hours(7, 50),
    warnings: ['duration_disagrees duration'],
  },
  {
    name: 'only a duration is kept as it is',
    flight: flightOf('2024-05-17', 'CPH', 'ARN', { duration: hours(1, 5) }),
    departure: null,
    arrival: null,
    duration: hours(1, 5),
  },
  {
    name: 'no duration is ever estimated',
    flight: flightOf('2024-05-17', 'CPH', 'ARN', { departure: clock('10:00') }),
    departure: '2024-05-17T10:00:00+02:00',
    arrival: null,
    duration: null,
  },
  {
    name: 'an arrival date that is a day early is corrected',
    flight: flightOf('2024-05-17', 'JFK', 'CPH', {
      departure: clock('2024-05-17T18:00'),
      arrival: clock('2024-05-17T07:30'),
    }),
    departure: '2024-05-17T18:00:00-04:00',
    arrival: '2024-05-18T07:30:00+02:00',
    duration: hours(7, 30),
  },
  {
    name: 'an arrival days before the departure is left out',
    flight: flightOf('2024-05-17', 'JFK', 'CPH', {
      departure: clock('2024-05-17T18:00'),
      arrival: clock('2024-05-10T07:30'),
    }),
    departure: '2024-05-17T18:00:00-04:00',
    arrival: null,
    duration: null,
    warnings: ['times_dropped arrival'],
  },
  {
    name: 'so is one that the next day would make seven times as long as usual',
    flight: flightOf('2019-11-02', 'IAH', 'PVR', {
      departure: clock('2019-11-02T11:35'),
      arrival: clock('2019-11-02T02:10'),
    }),
    departure: '2019-11-02T11:35:00-05:00',
    arrival: null,
    duration: null,
    warnings: ['times_dropped arrival'],
  },
  {
    name: 'and without a date of its own',
    flight: flightOf('2019-11-02', 'IAH', 'PVR', { departure: clock('11:35'), arrival: clock('02:10') }),
    departure: '2019-11-02T11:35:00-05:00',
    arrival: null,
    duration: null,
    warnings: ['times_dropped arrival'],
  },
  {
    name: 'but not if the source states that duration',
    flight: flightOf('2019-11-02', 'IAH', 'PVR', {
      departure: clock('11:35'),
      arrival: clock('02:10'),
      duration: hours(15, 35),
    }),
    departure: '2019-11-02T11:35:00-05:00',
    arrival: '2019-11-03T02:10:00-06:00',
    duration: hours(15, 35),
  },
  {
    name: 'after midnight from an airfield back to it, there is no usual duration',
    flight: flightOf('2024-07-10', 'CPH', 'CPH', { departure: clock('22:30'), arrival: clock('01:10') }),
    departure: '2024-07-10T22:30:00+02:00',
    arrival: '2024-07-11T01:10:00+02:00',
    duration: hours(2, 40),
  },
  {
    name: 'both zero are no times in a source that writes zero for nothing',
    flight: flightOf('2018-10-06', 'GRU', 'ZRH', {
      departure: clock('00:00:00', { doubtful: true }),
      arrival: clock('00:00:00', { doubtful: true }),
      duration: hours(11, 35),
    }),
    departure: null,
    arrival: null,
    duration: hours(11, 35),
  },
  {
    name: 'a lone arrival of zero comes from the duration',
    flight: flightOf('2018-10-06', 'CPH', 'ARN', {
      departure: clock('09:00'),
      arrival: clock('00:00:00', { doubtful: true }),
      duration: hours(1, 15),
    }),
    departure: '2018-10-06T09:00:00+02:00',
    arrival: '2018-10-06T10:15:00+02:00',
    duration: hours(1, 15),
    warnings: ['arrival_from_duration arrival'],
  },
  {
    name: 'a lone departure of zero is real if all three agree',
    flight: flightOf('2018-10-06', 'CPH', 'ARN', {
      departure: clock('00:00:00', { doubtful: true }),
      arrival: clock('01:11'),
      duration: hours(1, 10),
    }),
    departure: '2018-10-06T00:00:00+02:00',
    arrival: '2018-10-06T01:11:00+02:00',
    duration: hours(1, 11),
  },
  {
    name: 'and is none if they do not',
    flight: flightOf('2018-10-06', 'CPH', 'ARN', {
      departure: clock('00:00:00', { doubtful: true }),
      arrival: clock('11:00'),
      duration: hours(1, 10),
    }),
    departure: null,
    arrival: null,
    duration: hours(1, 10),
    warnings: ['times_dropped arrival'],
  },
  {
    name: 'instants in UTC: the date is the local one at the origin',
    flight: flightOf(null, 'LAX', 'JFK', {
      departure: clock('2024-01-16T05:30Z'),
      arrival: clock('2024-01-16T10:45Z'),
    }),
    date: '2024-01-15',
    departure: '2024-01-15T21:30:00-08:00',
    arrival: '2024-01-16T05:45:00-05:00',
    duration: hours(5, 15),
  },
  {
    name: 'clocks in UTC on a local date',
    flight: flightOf('2024-01-15', 'LAX', 'JFK', {
      departure: clock('0530Z'),
      arrival: clock('1045Z'),
    }),
    departure: '2024-01-15T21:30:00-08:00',
    arrival: '2024-01-16T05:45:00-05:00',
    duration: hours(5, 15),
  },
  {
    name: 'an offset in the text wins over the zone of the airport',
    flight: flightOf('2024-05-17', 'CPH', 'ARN', {
      departure: clock('2024-05-17T10:00+00:00'),
      arrival: clock('2024-05-17T11:10:00+00:00'),
    }),
    departure: '2024-05-17T12:00:00+02:00',
    arrival: '2024-05-17T13:10:00+02:00',
    duration: hours(1, 10),
  },
  {
    name: 'a date of its own is kept when a late departure is after midnight',
    flight: flightOf('2024-05-17', 'CPH', 'ARN', {
      departureScheduled: clock('2024-05-17T23:30'),
      arrivalScheduled: clock('2024-05-18T00:40'),
      departure: clock('2024-05-18T00:20'),
      arrival: clock('2024-05-18T01:25'),
    }),
    departure: '2024-05-18T00:20:00+02:00',
    arrival: '2024-05-18T01:25:00+02:00',
    duration: hours(1, 5),
  },
  {
    name: 'a shift of days that the source gives',
    flight: flightOf('2003-02-01', 'SFO', 'HKG', {
      departure: clock('23:55'),
      arrival: clock('06:45', { dayShift: 2 }),
    }),
    departure: '2003-02-01T23:55:00-08:00',
    arrival: '2003-02-03T06:45:00+08:00',
    duration: hours(14, 50),
  },
  {
    name: 'a month has no clock times',
    flight: flightOf('2003-02', 'SFO', 'HKG', { departure: clock('23:55'), arrival: clock('06:45') }),
    date: '2003-02-01',
    departure: null,
    arrival: null,
    duration: null,
    warnings: ['times_dropped departure'],
  },
]

const written = (text: string | null) =>
  text === null ? null : text.replace(/T(\d\d:\d\d)([+-])/, 'T$1:00$2')

onSqlite('times of drafts', (app) => {
  test('every flight has the precomputed instants', async () => {
    const { rows: drafted } = await draftRecords(
      app(),
      rows.map(({ flight }) => recordOf(flight)),
    )
    const actual = drafted.map(({ draft, warnings }, i) => ({
      name: rows[i]!.name,
      date: draft?.date,
      departure: written(draft?.departure ?? null),
      arrival: written(draft?.arrival ?? null),
      duration: draft?.duration,
      warnings: codesOf(warnings).filter((code) => !code.startsWith('airport')),
    }))
    const expected = rows.map(({ name, flight, departure, arrival, duration, date, warnings = [] }) => ({
      name,
      date: date ?? (flight.date && 'iso' in flight.date ? flight.date.iso : null),
      departure,
      arrival,
      duration,
      warnings,
    }))
    for (const [i, row] of expected.entries()) assert.deepEqual(actual[i], row)
  })
})

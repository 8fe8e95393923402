// The legacy API's pairs of a date and a local time, read into instants without a database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  legacyMoments,
  readClock,
  readLegacyTimes,
  shownDateTime,
} from '../../server/domain/flights/legacy-times.ts'

type Situation = Parameters<typeof readLegacyTimes>[0]
type Given = Partial<Situation['given']>

const zones = { from: 'America/New_York', to: 'Europe/London' }
const none = Object.fromEntries(legacyMoments.map(({ field }) => [field, null])) as Omit<
  NonNullable<Situation['known']>,
  'date' | 'fromZone'
>
const known = (more: Partial<NonNullable<Situation['known']>>): NonNullable<Situation['known']> => ({
  ...none,
  date: '2026-01-10',
  fromZone: zones.from,
  ...more,
})

/** The date and the times that are set, or the field and reason of a problem. */
function read(given: Given, stored?: Situation['known'], at = zones) {
  const result = readLegacyTimes({ given: { datePrecision: 'day', ...given }, zones: at, known: stored })
  if ('problem' in result) {
    const { field, problem } = result.problem
    return [field, typeof problem === 'string' ? problem : problem.reason]
  }
  const set = Object.entries(result.times).filter(([, text]) => text !== null)
  assert.equal(Object.keys(result.times).length, 8)
  return [result.date, Object.fromEntries(set)]
}

test('local times are accepted in 24 and 12 hours', () => {
  for (const [text, clock] of [
    ['9:05', '09:05'],
    ['09.05', '09:05'],
    ['0905', '09:05'],
    [' 23:59 ', '23:59'],
    ['00:00', '00:00'],
    ['9:05 pm', '21:05'],
    ['9:05AM', '09:05'],
    ['12:00 am', '00:00'],
    ['12:30 PM', '12:30'],
    ['1:00 am', '01:00'],
  ] as const)
    assert.equal(readClock(text), clock, text)
  for (const text of ['24:00', '23:60', '0:30 am', '13:00 pm', '9', '', '9:5', 'noon', '9:05 xm', '1:23:45'])
    assert.equal(readClock(text), undefined, text)
})

test('date-times are shown in UTC with milliseconds', () => {
  assert.equal(shownDateTime(null), null)
  assert.equal(shownDateTime('2026-01-10T21:30:00-05:00'), '2026-01-11T02:30:00.000+00:00')
  assert.equal(shownDateTime('2026-01-11T02:30Z'), '2026-01-11T02:30:00.000+00:00')
  assert.equal(shownDateTime('2026-01-11T02:30:00.000+00:00'), '2026-01-11T02:30:00.000+00:00')
  assert.equal(shownDateTime('2026-01-11T02:30:00.000+01:00'), '2026-01-11T01:30:00.000+00:00')
})

test('each of the eight times is read in the zone of its airport', () => {
  for (const { field, clock, end } of legacyMoments) {
    const expected = end === 'from' ? '2026-01-10T17:00:00.000+00:00' : '2026-01-10T12:00:00.000+00:00'
    const own = { date: '2026-01-10', [field]: '2026-01-10', [clock]: '12:00' }
    assert.deepEqual(read(own), ['2026-01-10', { [field]: expected }], field)
    assert.deepEqual(
      read({ date: '2026-01-10', [clock]: '12:00' }),
      ['2026-01-10', { [field]: expected }],
      field,
    )
    const instant = '2026-01-10T12:00:00.000+00:00'
    assert.deepEqual(
      read({ date: '2026-01-10', [field]: instant }),
      ['2026-01-10', { [field]: instant }],
      field,
    )
    assert.deepEqual(read({ date: '2026-01-10', [field]: instant, [clock]: null }), ['2026-01-10', {}], field)
    const dateOnly = read({ date: '2026-01-10', [field]: '2026-01-10' })
    const isDay = field === 'departure' || field === 'departureScheduled'
    assert.deepEqual(dateOnly, isDay ? ['2026-01-10', {}] : [clock, 'time_missing'], field)
  }
})

test('the date is that of the departure, else of the scheduled one, else `date`', () => {
  const date = (given: Given, stored?: Situation['known'], at = zones) => read(given, stored, at)[0]
  assert.deepEqual(read({}), ['departure', 'departure_date_required'])
  assert.deepEqual(read({ date: null }), ['departure', 'departure_date_required'])
  assert.equal(date({ date: '2026-01-08' }), '2026-01-08')
  const scheduled = { departureScheduled: '2026-01-09', date: '2026-01-08' }
  assert.equal(date(scheduled), '2026-01-09')
  assert.equal(date({ ...scheduled, departure: '2026-01-10' }), '2026-01-10')
  // 02:30 in Greenwich is the evening before in New York.
  const evening = '2026-01-11T02:30:00.000+00:00'
  assert.equal(date({ departure: evening }), '2026-01-10')
  assert.equal(date({ departureScheduled: evening }), '2026-01-10')
  assert.equal(date({ departure: evening, departureTime: '21:30' }), '2026-01-11', 'the date as written')
  assert.equal(date({ departureScheduled: evening, departureScheduledTime: '21:30' }), '2026-01-11')
  assert.equal(date({ departure: evening, departureTime: null }), '2026-01-11')
  assert.equal(date({ departure: evening, datePrecision: 'month' }), '2026-01-11')
  assert.deepEqual(read({ departure: '0000-12-31T02:30:00Z', departureTime: '10:00' }), [
    'departure',
    'time_out_of_range',
  ])
})

test('the stored date is kept if the time is sent back as it was read', () => {
  const evening = '2026-01-11T02:30:00.000+00:00'
  const stored = known({ departure: '2026-01-10T21:30:00-05:00', date: '2026-01-07' })
  const date = (given: Given, what = stored, at = zones) => read(given, what, at)[0]
  assert.equal(date({ departure: evening }), '2026-01-07')
  assert.equal(date({ departure: '2026-01-11T03:30:00+01:00' }), '2026-01-07', 'the same instant')
  assert.equal(
    date({ departure: evening, departureTime: '19:00' }),
    '2026-01-07',
    'a new time on the same day',
  )
  assert.equal(date({ departure: '2026-01-11T03:30:00+01:00', departureTime: '19:00' }), '2026-01-11')
  assert.equal(date({ departure: '2026-01-11T02:31:00.000+00:00' }), '2026-01-10', 'another instant')
  const tokyo = { ...zones, from: 'Asia/Tokyo' }
  assert.equal(date({ departure: evening }, stored, tokyo), '2026-01-11', 'another airport')
  const planned = known({ departureScheduled: '2026-01-10T21:30:00-05:00', date: '2026-01-07' })
  assert.equal(date({ departureScheduled: evening }, planned), '2026-01-07')
})

test('the stored text is kept if the time is the same', () => {
  const text = '2026-11-01T01:30:42-05:00'
  const stored = known({ departure: text, date: '2026-11-01' })
  const departure = (given: Given, what = stored) => {
    const [, times] = read({ date: '2026-11-01', ...given }, what)
    return (times as Record<string, string>)['departure']
  }
  assert.equal(
    departure({ departure: '2026-11-01', departureTime: '01:30' }),
    text,
    'the later of two half past one',
  )
  assert.equal(
    departure({ departure: '2026-11-01', departureTime: '01:31' }),
    '2026-11-01T05:31:00.000+00:00',
  )
  assert.equal(departure({ departure: '2026-11-01T06:30:42Z' }), text)
  assert.equal(departure({ departure: '2026-11-01T06:30:43Z' }), '2026-11-01T06:30:43.000+00:00')
  assert.equal(departure({ departureTime: '01:30' }), text)
  const exact = known({ departure: '2026-01-10T12:00-05:00' })
  assert.equal(departure({ date: '2026-01-10', departureTime: '12:00' }, exact), '2026-01-10T12:00-05:00')
  assert.equal(
    departure({ date: '2026-01-10', departureTime: '12:01' }, exact),
    '2026-01-10T17:01:00.000+00:00',
  )
})

test('with a separate time the date is used as written, unless it is the returned instant', () => {
  const stored = known({ landingActual: '2026-06-01T23:30:00Z', date: '2026-06-01' })
  const landing = (given: Given) =>
    (read({ date: '2026-06-01', landingActualTime: '05:00', ...given }, stored)[1] as Record<string, string>)[
      'landingActual'
    ]
  // London is an hour ahead in June: half past midnight on the second.
  assert.equal(landing({ landingActual: '2026-06-01T23:30:00.000+00:00' }), '2026-06-02T04:00:00.000+00:00')
  assert.equal(landing({ landingActual: '2026-06-01T23:30:00Z' }), '2026-06-01T04:00:00.000+00:00')
  assert.equal(landing({ landingActual: '2026-06-01' }), '2026-06-01T04:00:00.000+00:00')
})

test('a month or a year has only its departure time, and stored times are kept', () => {
  for (const datePrecision of ['month', 'year'] as const) {
    const departure = '1998-07-01T10:00:00.000+00:00'
    assert.deepEqual(read({ datePrecision, departure: '1998-07-01', departureTime: '09:00' }), [
      '1998-07-01',
      { departure },
    ])
    assert.deepEqual(read({ datePrecision, departure }), ['1998-07-01', { departure }])
    assert.deepEqual(read({ datePrecision, date: '1998-07-01' }), ['1998-07-01', {}])
    const others = { arrival: '1998-07-02', takeoffActual: '1998-07-01T09:00:00Z' }
    assert.deepEqual(read({ datePrecision, departure, ...others }), ['1998-07-01', { departure }])
    const stored = known({
      departure: '1998-07-01T12:00:00+02:00',
      arrival: '1998-07-01T13:00:00+02:00',
      date: '1998-07-01',
    })
    assert.deepEqual(read({ datePrecision, departure, arrival: '1998-07-01T11:00:00.000+00:00' }, stored), [
      '1998-07-01',
      { departure: stored.departure, arrival: stored.arrival },
    ])
    assert.deepEqual(read({ datePrecision, departure: '1998-07-01' }, stored), ['1998-07-01', { departure }])
    assert.deepEqual(read({ datePrecision, departure, arrival: '1998-07-01T11:00:01.000+00:00' }, stored), [
      '1998-07-01',
      { departure: stored.departure },
    ])
  }
})

test('impossible times are refused at their field', () => {
  assert.deepEqual(read({ departure: '2026-01-10', departureTime: '12:00', arrivalTime: '10:00' }), [
    'arrival',
    'arrival_before_departure',
  ])
  assert.deepEqual(read({ date: '2026-02-30' }), ['departure', 'time_out_of_range'])
  assert.deepEqual(read({ date: '9999-12-31', departureTime: '23:00' }), ['departure', 'time_out_of_range'])
  assert.deepEqual(read({ date: '2026-01-10', arrival: '0000-12-31T10:00:00Z', arrivalTime: '10:00' }), [
    'arrival',
    'time_out_of_range',
  ])
})

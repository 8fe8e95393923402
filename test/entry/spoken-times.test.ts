// Local times as people write them, and the day of an arrival given as a time alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSpokenTime, readArrival, readTime } from '../../server/domain/entry/spoken-times.ts'
import { instantOf } from '../../server/domain/time/time.ts'

test('a time is HH:MM, a local date and time, or a date-time with offset', () => {
  const yes = [
    '00:00',
    '23:59',
    '09:05:30',
    '2026-05-01 09:05',
    '2026-05-01T09:05:30',
    '2026-05-01T09:05+02:00',
  ]
  for (const text of yes) assert.ok(isSpokenTime(text), text)
  const no = ['24:00', '9:05', '09:60', '2026-02-30 09:05', '2026-02-30T09:05Z', '2026-05-01', 'noon', '']
  for (const text of no) assert.ok(!isSpokenTime(text), text)
})

test('a time with an offset is kept, and its day is the local one', () => {
  const text = '2026-05-01T23:30:00Z'
  assert.deepEqual(readTime(text, 'Asia/Tokyo', '1999-01-01'), {
    dateTime: text,
    instant: instantOf(text),
    date: '2026-05-02',
    warning: undefined,
  })
})

test('a local time is read at its place, and its own day overrides the given one', () => {
  const read = (text: string, day?: string) => readTime(text, 'Europe/Copenhagen', day)
  assert.equal(read('2026-05-01 09:05', '1999-01-01')?.dateTime, '2026-05-01T09:05:00+02:00')
  const bare = read('09:05', '2026-01-01')
  assert.deepEqual([bare?.dateTime, bare?.date], ['2026-01-01T09:05:00+01:00', '2026-01-01'])
  assert.equal(bare?.instant, instantOf('2026-01-01T08:05Z'))
  assert.equal(bare?.warning, undefined)
  assert.equal(read('09:05'), undefined)
})

test('a skipped or repeated local time is explained', () => {
  const read = (text: string) => readTime(text, 'Europe/Copenhagen', undefined)
  const skipped = read('2026-03-29 02:30')
  assert.equal(skipped?.dateTime, '2026-03-29T03:30:00+02:00')
  assert.equal(
    skipped?.warning?.message,
    'The clocks in Europe/Copenhagen skipped 02:30 on 2026-03-29. 03:30 was used.',
  )
  assert.match(read('2026-10-25 02:30')?.warning?.message ?? '', /showed 02:30 twice .*T02:30:00\+02:00/)
})

test('the day of an arrival gives the duration nearest to the usual one', () => {
  const cases = [
    ['overnight', '2026-01-10T21:30-05:00', '09:25', 'Europe/London', 5540, '2026-01-11T09:25:00+00:00'],
    ['the same day', '2026-05-01T08:00+02:00', '09:30', 'Europe/London', 950, '2026-05-01T09:30:00+01:00'],
    [
      'earlier by the clock',
      '2026-03-20T16:45+09:00',
      '16:20',
      'America/New_York',
      10_850,
      '2026-03-20T16:20:00-04:00',
    ],
    [
      'the day before',
      '2026-01-15T00:30+13:00',
      '10:20',
      'Pacific/Honolulu',
      7060,
      '2026-01-14T10:20:00-10:00',
    ],
    [
      'two days later',
      '2026-01-14T23:55-10:00',
      '07:45',
      'Pacific/Auckland',
      7060,
      '2026-01-16T07:45:00+13:00',
    ],
    ['too fast, but after it', '2026-05-01T14:00Z', '14:10', 'Etc/UTC', 548, '2026-05-01T14:10:00+00:00'],
    ['at once', '2026-05-01T14:00Z', '14:00', 'Etc/UTC', 548, '2026-05-02T14:00:00+00:00'],
    ['before it', '2026-05-01T14:00Z', '13:50', 'Etc/UTC', 548, '2026-05-02T13:50:00+00:00'],
    ['Concorde', '2000-01-10T10:30Z', '09:25', 'America/New_York', 5540, '2000-01-10T09:25:00-05:00'],
    [
      'too fast on the next day',
      '2026-05-01T23:50Z',
      '08:00',
      'Etc/UTC',
      19_800,
      '2026-05-03T08:00:00+00:00',
    ],
    ['a round flight', '2026-05-01T08:00Z', '08:40', 'Etc/UTC', 0, '2026-05-01T08:40:00+00:00'],
  ] as const
  for (const [name, departs, arrives, zone, km, expected] of cases) {
    const departure = readTime(departs, zone, undefined)
    assert.equal(readArrival(arrives, zone, departure, km, null)?.dateTime, expected, name)
  }
})

test('an arrival with its own day needs no departure, a time alone does', () => {
  assert.equal(readArrival('10:00', 'Etc/UTC', undefined, 100, null), undefined)
  const full = readArrival('2026-05-01 10:00', 'Etc/UTC', undefined, 100, null)
  assert.equal(full?.dateTime, '2026-05-01T10:00:00+00:00')
})

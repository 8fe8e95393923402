// Times, dates and numbers as people type them: what is accepted and refused, and that every displayed value can be typed back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatePrecision } from '../server/domain/enums.ts'
import { readNumber, writeNumber } from '../server/domain/text/typed-number.ts'
import { addDays, addMonths } from '../server/domain/time/calendar.ts'
import {
  type DateOrder,
  type DateRules,
  endOfPeriod,
  orderOf,
  readDate,
  writeDate,
} from '../server/domain/time/typed-date.ts'
import { readTime, writeTime } from '../server/domain/time/typed-time.ts'

const timeOf = (text: string) => {
  const read = readTime(text)
  return read.ok ? read.time : read.reason
}

test('times are read as people write them', () => {
  const table: [string, string][] = [
    ['1230', '12:30'],
    ['12.30', '12:30'],
    ['12:30', '12:30'],
    ['12,30', '12:30'],
    ['12h30', '12:30'],
    ['12 30', '12:30'],
    [' 12:30 ', '12:30'],
    ['12.30 Uhr', '12:30'],
    ['12 Uhr 30', '12:30'],
    ['12 Uhr', '12:00'],
    ['12h', '12:00'],
    ['7', '07:00'],
    ['07', '07:00'],
    ['730', '07:30'],
    ['0730', '07:30'],
    ['0:30', '00:30'],
    ['0:30 pm', '12:30'],
    ['12:30 pm', '12:30'],
    ['12:30 am', '00:30'],
    ['12:30 AM', '00:30'],
    ['1230pm', '12:30'],
    ['7pm', '19:00'],
    ['7 p.m.', '19:00'],
    ['7 a. m.', '07:00'],
    ['7:30p', '19:30'],
    ['11:59 PM', '23:59'],
    ['noon', '12:00'],
    ['Mittag', '12:00'],
    ['１２：３０', '12:30'],
    ['12:30\u202fPM', '12:30'],
    ['12:30:00', '12:30'],
    ['00:00', '00:00'],
    ['0000', '00:00'],
    ['0', '00:00'],
    ['23:59', '23:59'],
    [`${' '.repeat(39)}7`, '07:00'],
  ]
  for (const [text, time] of table) assert.equal(timeOf(text), time, text)
})

test('an invalid time has a reason', () => {
  const table: [string, string][] = [
    ['12:', 'incomplete'],
    ['12.', 'incomplete'],
    ['7:5', 'one_digit_minute'],
    ['24:00', 'midnight'],
    ['2400', 'midnight'],
    ['midnight', 'midnight'],
    ['Mitternacht', 'midnight'],
    ['24:01', 'hour'],
    ['25:00', 'hour'],
    ['99', 'hour'],
    ['1260', 'minute'],
    ['12:60', 'minute'],
    ['13 pm', 'meridiem'],
    ['13:30 am', 'meridiem'],
    ['24 pm', 'hour'],
    [`${' '.repeat(40)}7`, 'unreadable'],
    ['12:30:45', 'seconds'],
    ['12:30+1', 'day_shift'],
    ['abc', 'unreadable'],
    ['', 'unreadable'],
    ['12-30', 'unreadable'],
    ['12300', 'unreadable'],
    ['1:2:3', 'unreadable'],
    ['-730', 'unreadable'],
    ['12:30Z', 'unreadable'],
    ['12:30 gate 4', 'unreadable'],
    ['pm', 'unreadable'],
    ['+1', 'unreadable'],
    [`7${' '.repeat(100_000)}x`, 'unreadable'],
  ]
  for (const [text, reason] of table) assert.equal(timeOf(text), reason, text)
})

test('an arrival may include its day', () => {
  const shiftOf = (text: string) => {
    const read = readTime(text, { allowDayShift: true })
    return read.ok ? [read.time, read.dayShift] : read.reason
  }
  assert.deepEqual(shiftOf('07:50+1'), ['07:50', 1])
  assert.deepEqual(shiftOf('0750 +1'), ['07:50', 1])
  assert.deepEqual(shiftOf('7:50 (+1)'), ['07:50', 1])
  assert.deepEqual(shiftOf('7:50⁺¹'), ['07:50', 1])
  assert.deepEqual(shiftOf('7.50 Uhr +1 Tag'), ['07:50', 1])
  assert.deepEqual(shiftOf('7:50 pm +2d'), ['19:50', 2])
  assert.deepEqual(shiftOf('7:50 −1'), ['07:50', -1])
  assert.deepEqual(shiftOf('7:50+0'), ['07:50', 0])
  assert.deepEqual(shiftOf('7:50'), ['07:50', null])
  assert.equal(shiftOf('7:50+3'), 'day_shift')
  assert.equal(shiftOf('7:50-2'), 'day_shift')
  assert.equal(shiftOf('25:50+1'), 'hour')
})

test('every displayed time can be typed, in both formats', () => {
  const shown = ['00:05', '09:30', '12:00', '23:59'].flatMap((time) => [
    writeTime(time, false),
    writeTime(time, true),
  ])
  assert.deepEqual(shown, ['00:05', '12:05 AM', '09:30', '9:30 AM', '12:00', '12:00 PM', '23:59', '11:59 PM'])
  for (let minute = 0; minute < 24 * 60; minute++) {
    const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    for (const hour12 of [false, true]) {
      const shown = writeTime(time, hour12)
      assert.equal(timeOf(shown), time, shown)
      assert.equal(timeOf(shown.toLowerCase().replaceAll(' ', '')), time, shown)
    }
  }
})

const all: DatePrecision[] = ['day', 'month', 'year']
const rules: DateRules = { today: '2026-11-15', order: 'day-first', precisions: all }
const dateOf = (text: string, more: Partial<DateRules> = {}) => {
  const read = readDate(text, { ...rules, ...more })
  if (!read.ok) return read.reason
  return read.date.slice(0, { day: 10, month: 7, year: 4 }[read.precision])
}

test('dates are read as people write them', () => {
  const table: [string, string][] = [
    ['2026-02-20', '2026-02-20'],
    ['2026/2/20', '2026-02-20'],
    ['20260220', '2026-02-20'],
    ['20.2.26', '2026-02-20'],
    ['20.02.2026', '2026-02-20'],
    ['20/2/26', '2026-02-20'],
    ['20-2-2026', '2026-02-20'],
    ['20 2 2026', '2026-02-20'],
    ['2/20/26', '2026-02-20'],
    ['20 feb', '2026-02-20'],
    ['20feb', '2026-02-20'],
    ['20 Feb 2026', '2026-02-20'],
    ['20-Feb-2026', '2026-02-20'],
    ['Feb 20, 2026', '2026-02-20'],
    ['February 20 2026', '2026-02-20'],
    ['2026 Feb 20', '2026-02-20'],
    ['20th of February 2026', '2026-02-20'],
    ["20 Feb '26", '2026-02-20'],
    ['20. Februar 2026', '2026-02-20'],
    ['20. Feb. 2026', '2026-02-20'],
    ['20. März', '2026-03-20'],
    ['20 Mrz 2026', '2026-03-20'],
    ['20. Mär. 2026', '2026-03-20'],
    ['20 maerz 2026', '2026-03-20'],
    ['1. Jänner 2026', '2026-01-01'],
    ['20 Sept 2025', '2025-09-20'],
    ['20.2.', '2026-02-20'],
    ['20/2', '2026-02-20'],
    ['Fri, 20 Feb 2026', '2026-02-20'],
    ['Freitag, 20. Februar 2026', '2026-02-20'],
    ['fr 20.2.26', '2026-02-20'],
    ['２０．２．２０２６', '2026-02-20'],
    ['29 feb 2024', '2024-02-29'],
    ['today', '2026-11-15'],
    [' heute ', '2026-11-15'],
    ['Gestern', '2026-11-14'],
    ['vorgestern', '2026-11-13'],
    ['aujourd’hui', '2026-11-15'],
    ['Avant-hier', '2026-11-13'],
    ['demain', '2026-11-16'],
    ['le 1er août 2026', '2026-08-01'],
    ['mar. 3 mars 2026', '2026-03-03'],
    ['mar 3 2026', '2026-03-03'],
    ['vendredi 20 février 2026', '2026-02-20'],
    ['tomorrow', '2026-11-16'],
    [`20.2.26${' '.repeat(53)}`, '2026-02-20'],
    ['yesterday', '2026-11-14'],
    ['morgen', '2026-11-16'],
    ['übermorgen', '2026-11-17'],
    ['20.2.98', '1998-02-20'],
    ['20.2.31', '2031-02-20'],
    ['20.2.32', '1932-02-20'],
    ['Feb 2026', '2026-02'],
    ['Februar 2026', '2026-02'],
    ['2/2026', '2026-02'],
    ['2026-02', '2026-02'],
    ['1998', '1998'],
    ['0033-02-20', '0033-02-20'],
  ]
  for (const [text, date] of table) assert.equal(dateOf(text), date, text)
})

test('the order of day and month follows the preference, unless only one is possible', () => {
  const us = { order: 'month-first' as DateOrder }
  assert.equal(dateOf('5/6/26'), '2026-06-05')
  assert.equal(dateOf('5/6/26', us), '2026-05-06')
  assert.equal(dateOf('5.6.26', us), '2026-05-06')
  assert.equal(dateOf('20/2/26', us), '2026-02-20')
  assert.equal(dateOf('2/20/26', us), '2026-02-20')
  assert.equal(dateOf('2/20', us), '2026-02-20')
  assert.equal(dateOf('2026-05-06', us), '2026-05-06')
  assert.equal(dateOf('5/12/25'), '2025-12-05')
  assert.equal(dateOf('12/5/25', us), '2025-12-05')
  assert.equal(dateOf('1/13/26'), '2026-01-13')
  assert.equal(dateOf('12/20/25'), '2025-12-20')
  assert.equal(orderOf('en-US'), 'month-first')
  assert.equal(orderOf('en-GB'), 'day-first')
  assert.equal(orderOf('de-DE'), 'day-first')
  assert.equal(orderOf('en-CA'), 'day-first')
})

test('a date without a year is the nearest sensible one', () => {
  assert.equal(dateOf('14 nov'), '2026-11-14')
  assert.equal(dateOf('16 nov'), '2026-11-16', 'tomorrow is closer than a year ago')
  assert.equal(dateOf('14 jan'), '2027-01-14', 'a flight of the coming sixty days')
  assert.equal(dateOf('15 jan'), '2026-01-15', 'later than that: the last one')
  assert.equal(dateOf('14 mar'), '2026-03-14')
  assert.equal(dateOf('20 dec', { lean: 'future' }), '2026-12-20')
  assert.equal(dateOf('2 jan', { lean: 'future' }), '2027-01-02')
  assert.equal(dateOf('1 nov', { lean: 'future' }), '2026-11-01')
  assert.equal(dateOf('15 oct', { lean: 'future' }), '2026-10-15', 'a month ago')
  assert.equal(dateOf('14 oct', { lean: 'future' }), '2027-10-14')
  assert.equal(dateOf('1 jan', { near: '2019-12-31' }), '2020-01-01')
  assert.equal(dateOf('31.12.', { near: '2019-01-01' }), '2018-12-31')
  assert.equal(dateOf('29 feb'), '2024-02-29')
  assert.equal(dateOf('29 feb', { near: '1900-02-28' }), '1896-02-29')
  assert.equal(dateOf('feb'), '2026-02')
})

test('an invalid date has a reason', () => {
  const table: [string, string][] = [
    ['31.2.', 'no_such_day'],
    ['31.2.2026', 'no_such_day'],
    ['29 feb 2026', 'no_such_day'],
    ['2026-13-01', 'no_such_day'],
    ['0 feb', 'no_such_day'],
    ['13/13/2026', 'no_such_day'],
    ['0000-01-01', 'no_such_day'],
    ['Mon 20 Feb 2026', 'weekday'],
    ['Mon Feb 2026', 'weekday'],
    ['20', 'unreadable'],
    ['20.', 'unreadable'],
    ['2026-02-', 'unreadable'],
    ['20/2/', 'unreadable'],
    ['20.2.2', 'unreadable'],
    ['20 feb 202', 'unreadable'],
    ['200226', 'unreadable'],
    ['1.2.3.4', 'unreadable'],
    ['1.2.2026.4', 'unreadable'],
    ['20 feb 2026 5', 'unreadable'],
    ['20 fe 2026', 'unreadable'],
    ['feb 202', 'unreadable'],
    ['202 feb 20', 'unreadable'],
    ['202-02', 'unreadable'],
    ['2/202', 'unreadable'],
    ['20/200/2026', 'unreadable'],
    ['of', 'unreadable'],
    ['.', 'unreadable'],
    ['Sun Feb 2026', 'weekday'],
    [`20.2.26${' '.repeat(54)}`, 'unreadable'],
    ['20 foo 2026', 'unreadable'],
    ['20 feb mar', 'unreadable'],
    ['2026-02-20T12:30', 'unreadable'],
    ['next week', 'unreadable'],
    ['', 'unreadable'],
    ['-2026', 'unreadable'],
    ['20;2;2026', 'unreadable'],
  ]
  for (const [text, reason] of table) assert.equal(dateOf(text), reason, text)
  assert.equal(dateOf('Feb 2026', { precisions: ['day'] }), 'day_missing')
  assert.equal(dateOf('2026', { precisions: ['day'] }), 'day_missing')
  assert.equal(dateOf('2026', { precisions: ['month'] }), 'month_missing')
  assert.equal(dateOf('2/26', { precisions: ['month'] }), '2026-02')
  assert.equal(dateOf('feb 26', { precisions: ['month'] }), '2026-02')
  assert.equal(dateOf('feb 26'), '2026-02-26')
  for (const text of ['26 feb', '20.2.2026']) {
    assert.equal(dateOf(text, { precisions: ['month'] }), 'unreadable', 'a day would be dropped')
  }
  assert.equal(dateOf('2026', { precisions: ['day', 'month'] }), 'day_missing')
  assert.equal(dateOf('feb 2026', { precisions: ['year'] }), 'day_missing')
  for (const other of ['day', 'month'] as const)
    assert.equal(dateOf('98', { precisions: ['year', other] }), 'unreadable')
  assert.equal(dateOf('98', { precisions: ['year'] }), '1998')
})

test('every displayed date can be typed, in each language, order and precision', () => {
  const english = ['en', 'en-GB', 'en-US', 'en-AU', 'en-CA', 'en-IN', 'en-ZA', 'en-IE', 'en-NZ', 'en-SE']
  const languages = [
    ...english,
    'de',
    'de-DE',
    'de-AT',
    'de-CH',
    'de-LU',
    'fr',
    'fr-FR',
    'fr-CH',
    'fr-CA',
    'es',
    'es-ES',
    'es-MX',
    'es-AR',
    'it',
    'it-IT',
    'it-CH',
  ]
  // `npm run mutate` runs these tests hundreds of times.
  const tags = process.env['MUTATED'] ? ['en-US', 'de'] : languages
  const styles = tags.flatMap((tag) => [
    { tag, iso: false },
    { tag, iso: true },
  ])
  for (const style of styles) {
    for (let date = '2023-12-25'; date < '2025-01-05'; date = addDays(date, 1)) requireRoundTrip(date, style)
    for (const date of ['0001-01-01', '0033-02-20', '1000-03-01', '1899-12-31', '9999-12-31'])
      requireRoundTrip(date, style)
  }
})

function requireRoundTrip(date: string, style: { tag: string; iso: boolean }): void {
  for (const precision of all) {
    const shown = writeDate(date, precision, style)
    for (const order of ['day-first', 'month-first'] as const) {
      const expected = date.slice(0, { day: 10, month: 7, year: 4 }[precision])
      assert.equal(dateOf(shown, { order }), expected, `${shown} in ${style.tag}`)
    }
  }
}

test('a month or a year is stored as its first day and displayed without it', () => {
  for (const [text, date] of [
    ['feb 2026', '2026-02-01'],
    ['feb', '2026-02-01'],
    ['1998', '1998-01-01'],
  ] as const)
    assert.equal((readDate(text, rules) as { date: string }).date, date)
  const shown = (iso: boolean) =>
    all.map((precision) => writeDate('2026-02-20', precision, { tag: 'en-GB', iso }))
  assert.deepEqual(shown(false), ['20 Feb 2026', 'February 2026', '2026'])
  assert.deepEqual(shown(true), ['2026-02-20', '2026-02', '2026'])
})

test('adding months gives the same day, or the last one', () => {
  assert.equal(addMonths('2024-01-31', 1), '2024-02-29')
  assert.equal(addMonths('2024-03-31', -1), '2024-02-29')
  assert.equal(addMonths('2024-01-15', -1), '2023-12-15')
  assert.equal(addMonths('2024-12-15', 1), '2025-01-15')
  assert.equal(addMonths('2024-02-29', 12), '2025-02-28')
  assert.equal(addMonths('0001-01-01', -1), '0001-01-01')
  assert.equal(addMonths('9999-12-31', 1), '9999-12-31')
})

test('the last day of a month or a year', () => {
  assert.equal(endOfPeriod('2024-02-01', 'month'), '2024-02-29')
  assert.equal(endOfPeriod('2024-12-01', 'month'), '2024-12-31')
  assert.equal(endOfPeriod('2024-01-01', 'year'), '2024-12-31')
  assert.equal(endOfPeriod('2024-02-20', 'day'), '2024-02-20')
})

test('numbers may have a point or a comma', () => {
  const numberOf = (text: string, decimal: '.' | ',' = '.', most?: number) => {
    const read = readNumber(text, { decimal, most })
    return read.ok ? read.value : read.reason
  }
  for (const [text, value] of [
    ['1.5', 1.5],
    ['1,5', 1.5],
    ['-3', -3],
    ['−3', -3],
    ['+3', 3],
    ['.5', 0.5],
    ['1e3', 1000],
    ['1.500', 1.5],
    ['0,500', 0.5],
    ['１２', 12],
    [' 5 ', 5],
  ] as const)
    assert.equal(numberOf(text), value, text)
  assert.equal(numberOf('1,500'), 'grouping')
  assert.equal(numberOf('1,500', ','), 1.5)
  assert.equal(numberOf('1.500', ','), 'grouping')
  assert.equal(numberOf('1.500', ',', 1500), 'grouping')
  assert.equal(numberOf('1.500', ',', 1499), 1.5)
  assert.equal(numberOf('55.618', ',', 90), 55.618, 'no latitude is that large')
  for (const text of ['', 'abc', '1.', '1,2,3', '--1', '1 000', '5 kg', '1e999'])
    assert.equal(numberOf(text), 'unreadable', text)
  for (const value of [0, -1.5, 12_345.678, 1e21, 1e-7, 0.1])
    for (const decimal of ['.', ','] as const)
      assert.equal(numberOf(writeNumber(value, decimal), decimal), value)
})

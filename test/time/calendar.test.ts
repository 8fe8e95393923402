// The calendar, compared with JavaScript's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDays,
  addMonths,
  dayStart,
  daysBetween,
  daysInMonth,
  isCalendarDate,
  weekdayOf,
  writeDay,
} from '../../server/domain/time/calendar.ts'

/** Common and leap years, and years that `Date.UTC` would read as others. */
const years = [1, 4, 33, 99, 100, 400, 1600, 1900, 2000, 2023, 2024, 2100, 9999]

/** JavaScript's result for a day; it moves invalid days into the next month. */
function daysOf(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}

test('a date is valid if JavaScript’s calendar has it', () => {
  for (const year of years)
    for (let month = 1; month <= 12; month++) {
      assert.equal(daysInMonth(year, month), daysOf(year, month), `${year}-${month}`)
      for (let day = 0; day <= 32; day++) {
        const exists = day >= 1 && day <= daysOf(year, month)
        assert.equal(isCalendarDate(writeDay(year, month, day)), exists, writeDay(year, month, day))
      }
    }
  for (const text of [
    '0000-01-01',
    '2026-00-01',
    '2026-13-01',
    '2026-1-01',
    '2026-01-01T',
    '02026-01-01',
    '',
  ])
    assert.equal(isCalendarDate(text), false, text)
})

test('adding days and counting them agree, within four-digit years', () => {
  for (const year of years)
    for (const [month, day] of [
      [1, 1],
      [2, 28],
      [12, 31],
    ] as const)
      for (const days of [0, 1, 2, 59, 60, 365, 366, -1, -59, -366]) {
        const from = writeDay(year, month, day)
        const to = addDays(from, days)
        if (to !== '0001-01-01' && to !== '9999-12-31') {
          assert.equal(daysBetween(from, to), days)
          assert.equal(dayStart(to) - dayStart(from), days * 86_400_000)
        }
      }
  assert.equal(addDays('0001-01-02', -5), '0001-01-01')
  assert.equal(addDays('9999-12-30', 5), '9999-12-31')
})

test('adding months keeps the day, or uses the last one of a shorter month', () => {
  for (const year of [1, 2, 1999, 2024, 9998, 9999])
    for (const months of [-13, -12, -1, 0, 1, 11, 12, 25])
      for (const day of [1, 10, 19, 28, 31]) {
        const from = writeDay(year, 1, day)
        const to = addMonths(from, months)
        const [toYear, toMonth] = [year + Math.floor(months / 12), ((months % 12) + 12) % 12]
        if (toYear < 1 || toYear > 9999) assert.equal(to, from)
        else assert.equal(to, writeDay(toYear, toMonth + 1, Math.min(day, daysOf(toYear, toMonth + 1))), from)
      }
})

test('months are added to every month', () => {
  for (let month = 1; month <= 12; month++) {
    assert.equal(addMonths(writeDay(2025, month, 9), 12), writeDay(2026, month, 9))
    assert.equal(addMonths(writeDay(2025, month, 9), 1 - month), '2025-01-09')
  }
})

test('the weekday is JavaScript’s, with Sunday as 7', () => {
  for (let day = 1; day <= 31; day++) {
    const date = writeDay(2026, 3, day)
    assert.equal(weekdayOf(date) % 7, new Date(`${date}T12:00:00Z`).getUTCDay(), date)
  }
})

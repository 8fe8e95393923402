import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysBetween, formatHours, parseHours } from './dates.ts'

test('hours as people write them', () => {
  for (const [text, seconds] of [
    ['2:05', 7500],
    ['2h05', 7500],
    ['2 h 5 min', 7500],
    ['2h', 7200],
    ['125 min', 7500],
    ['13:00', 46_800],
    ['2 Std 5 min', 7500],
  ] as const) {
    assert.equal(parseHours(text), seconds, text)
  }
  assert.equal(parseHours('  '), null)
  for (const text of ['two hours', '2', '-1:00', '1:2:3', '2:5', '2:', '2:75', '2h75'])
    assert.ok(Number.isNaN(parseHours(text)), text)
  assert.equal(formatHours(7500), '2:05')
})

test('days over the ends of months and years, leap days included', () => {
  assert.equal(addDays('2024-02-28', 1), '2024-02-29')
  assert.equal(addDays('2023-12-31', 1), '2024-01-01')
  assert.equal(addDays('2024-03-01', -1), '2024-02-29')
  assert.equal(daysBetween('2024-02-28', '2024-03-01'), 2)
  assert.equal(daysBetween('2024-01-01', '2023-12-31'), -1)
  assert.equal(addDays('not a day', 1), 'not a day')
})

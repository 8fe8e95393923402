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
    ['２：０５', 7500],
    ['2:59', 10_740],
    ['2h59', 10_740],
    ['0:00', 0],
  ] as const) {
    assert.equal(parseHours(text), seconds, text)
  }
  assert.equal(parseHours('  '), null)
  for (const text of ['two hours', '2', '-1:00', '1:2:3', '2:5', '2:', '2:75', '2h75', '2:60', '2h60'])
    assert.ok(Number.isNaN(parseHours(text)), text)
  for (const [seconds, text] of [
    [7500, '2:05'],
    [0, '0:00'],
    [29, '0:00'],
    [30, '0:01'],
    [3540, '0:59'],
    [3600, '1:00'],
    [60 * 3600, '60:00'],
  ] as const)
    assert.equal(formatHours(seconds), text)
})

test('days over the ends of months and years, leap days included', () => {
  assert.equal(addDays('2024-02-28', 1), '2024-02-29')
  assert.equal(addDays('2023-12-31', 1), '2024-01-01')
  assert.equal(addDays('2024-03-01', -1), '2024-02-29')
  assert.equal(daysBetween('2024-02-28', '2024-03-01'), 2)
  assert.equal(daysBetween('2024-01-01', '2023-12-31'), -1)
  assert.equal(addDays('not a day', 1), 'not a day')
  assert.equal(daysBetween('not a day', '2024-01-01'), 0)
  assert.equal(daysBetween('2024-01-01', ''), 0)
})

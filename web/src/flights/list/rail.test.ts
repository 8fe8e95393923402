import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barLength, isNamed, yearAt } from './rail.ts'

test('years are all named, of many or in little room each fifth', () => {
  assert.ok(isNamed(2023, 26, true))
  assert.ok(!isNamed(2023, 26, false) && isNamed(2025, 26, false))
  assert.ok(isNamed(2023, 40, true) && !isNamed(2023, 41, true) && isNamed(2020, 41, true))
})

test('bars grow with the flights, from a dot to the whole length', () => {
  assert.equal(barLength(0, 100, 20), 3)
  assert.equal(barLength(100, 100, 20), 20)
  assert.equal(barLength(0, 0, 20), 3)
  assert.ok(barLength(10, 100, 20) > barLength(1, 100, 20))
})

test('every height of the rail is a year', () => {
  assert.equal(yearAt(0, 600, 6), 0)
  assert.equal(yearAt(99, 600, 6), 0)
  assert.equal(yearAt(100, 600, 6), 1)
  assert.equal(yearAt(600, 600, 6), 5)
  assert.equal(yearAt(-40, 600, 6), 0)
  assert.equal(yearAt(9000, 600, 6), 5)
  assert.equal(yearAt(10, 0, 6), 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barWidths, partRead, partsOf } from './sums.ts'

const counts = {
  rows: 412,
  new: 381,
  duplicate: 9,
  similar: 3,
  question: 11,
  skipped: 7,
  error: 1,
  remarks: 0,
}

test('the parts add up, in the order of the sum', () => {
  const parts = partsOf(counts)
  assert.deepEqual(
    parts.map(({ count }) => count),
    [381, 11, 9, 3, 7, 1],
  )
  assert.equal(
    parts.reduce((sum, { count }) => sum + count, 0),
    counts.rows,
  )
})

test('what no row is, is left out; new rows are always shown', () => {
  const none = { rows: 2, new: 0, duplicate: 2, similar: 0, question: 0, skipped: 0, error: 0, remarks: 0 }
  assert.deepEqual(
    partsOf(none).map(({ verdict, count }) => `${verdict} ${count}`),
    ['new 0', 'duplicate 2'],
  )
})

test('the bar fills its width, and no part is narrower than 5 pixels', () => {
  const widths = barWidths(partsOf(counts), 720)
  assert.ok(widths.every((width) => width >= 5))
  const gaps = 2 * (widths.length - 1)
  assert.ok(Math.abs(widths.reduce((sum, width) => sum + width, gaps) - 720) < 0.001)
  assert.ok(widths[0]! > 600)
})

test('a part without rows has no width, and a bar without room none at all', () => {
  assert.deepEqual(barWidths([{ verdict: 'new', count: 0 }], 100), [0])
  assert.deepEqual(barWidths(partsOf(counts), 0), [0, 0, 0, 0, 0, 0])
})

test('how much of a file is read follows from the length of the rows so far', () => {
  const rows = [{ raw: ['2021-03-04', 'CPH', 'EWR'] }, { raw: ['2021-03-11', 'EWR', 'CPH'] }]
  assert.equal(partRead(1900, rows, 50), 0.5)
  assert.equal(partRead(1900, [{ raw: 'x'.repeat(19) }], 25), 0.25)
})

test('nothing is read before the first row, and not everything before the last', () => {
  assert.equal(partRead(1900, [], 0), 0)
  assert.equal(partRead(1900, [], 50), 0)
  assert.equal(partRead(0, [{ raw: null }], 50), 0)
  assert.equal(partRead(10, [{ raw: ['a long row of a packed file'] }], 50), 0.95)
})

test('rows that repeat another one of the file are a figure of their own', () => {
  const parts = partsOf({ ...counts, duplicate: 9 }, 4)
  assert.deepEqual(
    parts.filter(({ verdict }) => verdict === 'duplicate' || verdict === 'twice'),
    [
      { verdict: 'duplicate', count: 5 },
      { verdict: 'twice', count: 4 },
    ],
  )
})

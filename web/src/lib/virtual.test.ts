import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSight, movedBy, offsetsOf } from './virtual.ts'

test('of 100,000 rows those in sight are rendered, and half as many above and below', () => {
  const offsets = offsetsOf({ length: 100_000 }, () => 56)
  assert.deepEqual(inSight(offsets, 0, 560), { first: 0, last: 15 })
  assert.deepEqual(inSight(offsets, 56 * 50_000, 560), { first: 49_995, last: 50_015 })
  assert.deepEqual(inSight(offsets, 56 * 100_000, 560), { first: 99_995, last: 99_999 })
  assert.deepEqual(
    inSight(
      offsetsOf([], () => 56),
      0,
      560,
    ),
    { first: 0, last: -1 },
  )
})

test('rows of different heights are found by what is above them', () => {
  const offsets = offsetsOf([40, 10, 10, 40], (height) => height)
  assert.deepEqual([...offsets], [0, 40, 50, 60, 100])
  assert.deepEqual(inSight(offsets, 45, 10), { first: 1, last: 3 })
  const layout = (rows: number[]) => ({ rows, offsets: offsetsOf(rows, (row) => row) })
  assert.equal(
    movedBy(layout([10, 20, 30]), layout([5, 10, 20, 30]), 10, (row) => row),
    5,
  )
})

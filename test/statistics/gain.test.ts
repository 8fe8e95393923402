import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gainOf } from '../../server/domain/statistics/gain.ts'

const airport = (id: number, country = 'DK') => ({ id, country })

test('what flights add to a log is counted once', () => {
  const before = [{ from: airport(1), to: airport(2) }]
  const added = [
    { from: airport(1), to: airport(3, 'NO') },
    { from: airport(3, 'NO'), to: airport(1) },
    { from: airport(2), to: airport(1) },
    { from: null, to: airport(2) },
    { from: airport(2), to: airport(2) },
  ]
  assert.deepEqual(gainOf(added, before), { routes: 1, airports: 1, countries: 1 })
  assert.deepEqual(gainOf([], before), { routes: 0, airports: 0, countries: 0 })
})

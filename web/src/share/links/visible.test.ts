import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { components } from '../../api/schema.d.ts'
import { excerptOf, isColumn, isIncluded, plannedIn } from './visible.ts'

const page = {
  owner: { displayName: 'Ada' },
  airports: [],
  map: {
    routes: [
      { a: 1, b: 2, flown: 3, planned: 0, distanceKm: 1 },
      { a: 1, b: 3, flown: 0, planned: 2, distanceKm: 1 },
    ],
    airports: [],
  },
} as unknown as components['schemas']['SharePage']

test('a detail is included if it is in the data, whatever the settings', () => {
  assert.equal(isIncluded(page, 'showDates'), false)
  const listed = {
    ...page,
    flights: [{ from: 1, to: 2, distanceKm: 1, date: '2024-01-01', completed: false }],
  }
  assert.ok(isIncluded(listed, 'showDates') && isColumn(listed, 'showDates'))
  assert.equal(isIncluded(listed, 'showSeat'), false)
  assert.deepEqual([plannedIn(page), plannedIn(listed)], [2, 1])
})

test('long lists are cut off with the number of further entries; short values are written on one line', () => {
  const days = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`2024-01-${10 + i}`, 1]))
  const text = excerptOf(
    { name: 'Ada', list: Array.from({ length: 30 }, (_, i) => ({ i })), days },
    (n) => `… ${n} more`,
  )
  assert.match(text, /"name": "Ada"/)
  assert.match(text, /\{ "i": 4 \},\n? *… 25 more/)
  assert.match(text, /"2024-01-14": 1,\s+… 7 more/)
  assert.doesNotMatch(text, /"i": 5/)
})

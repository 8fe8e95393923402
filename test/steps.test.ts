// Computations in steps return the same as without steps, whatever the length and order of their items.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachInSteps, finish, flatMapInSteps, sortInSteps } from '../server/domain/steps.ts'
import { createRandom } from './harness.ts'

const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key

test('sorting in steps equals toSorted, and is stable', () => {
  const random = createRandom(18)
  for (const length of [0, 1, 2, 255, 256, 257, 1000, 5000])
    for (const key of [(i: number) => i, (i: number) => -i, () => random.below(50), () => 1]) {
      const items = Array.from({ length }, (_, i) => ({ key: key(i), i }))
      assert.deepEqual(finish(sortInSteps(items, byKey)), items.toSorted(byKey))
    }
})

test('sorting in steps yields from time to time', () => {
  const items = Array.from({ length: 10_000 }, (_, i) => i)
  const stops = (steps: Iterable<void>) => [...steps].length
  assert.ok(stops(sortInSteps(items, (a, b) => (a % 97) - (b % 97))) > 100)
  assert.ok(stops(eachInSteps(items, () => {})) > 100)
  assert.deepEqual(
    finish(flatMapInSteps(items.slice(0, 70), (item, i) => [item, i])),
    items.slice(0, 70).flatMap((i) => [i, i]),
  )
})

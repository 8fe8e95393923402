// Long work leaves time for other requests, however the work is spread over the items.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSteps } from '../server/base/in-steps.ts'

const spend = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** How often other work runs during this work. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0
  let isDone = false
  const turn = () => {
    if (isDone) return
    turns++
    setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return turns
}

const numbers = Array.from({ length: 100 }, (_, i) => i)

test('every item is processed once, in order, with the index of its step’s first item', async () => {
  for (const size of [1, 7, 32, 100, 500]) {
    const taken: number[] = []
    const take = (some: readonly number[], start: number) => {
      assert.equal(start, taken.length)
      assert.ok(some.length <= size)
      taken.push(...some)
    }
    await inSteps(numbers, take, { size })
    assert.deepEqual(taken, numbers)
  }
  await inSteps([], () => assert.fail('there is nothing to take'))
})

test('a short list does not yield', async () => {
  const turns: number[] = []
  // Several times, because the machine may be busy with something else for longer than a slice.
  for (let i = 0; i < 10; i++) turns.push(await turnsDuring(() => inSteps(numbers, () => {})))
  assert.equal(Math.min(...turns), 0)
})

test('other work runs after every long step except the last', async () => {
  const slow = async () => {
    await Promise.resolve()
    spend(10)
  }
  assert.equal(await turnsDuring(() => inSteps(numbers.slice(0, 5), slow, { size: 1 })), 4)
  assert.equal(await turnsDuring(() => inSteps(numbers.slice(0, 1), slow, { size: 1 })), 0)
})

test('an error stops the work', async () => {
  let steps = 0
  const fail = () => {
    if (++steps === 2) throw new Error('the second step')
  }
  await assert.rejects(inSteps(numbers, fail, { size: 10 }), /the second step/)
  assert.equal(steps, 2)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsOf, numbersOf, numbersOnPage, pagesOf, ticksOf, verdictAt } from './outline.ts'

const outline = 'nnqdnsle'

test('rows are found by verdict, in the order of the file', () => {
  assert.deepEqual([...numbersOf(outline, null)], [1, 2, 3, 4, 5, 6, 7, 8])
  assert.deepEqual([...numbersOf(outline, 'new')], [1, 2, 5])
  assert.deepEqual([...numbersOf(outline, 'skipped')], [7])
  assert.deepEqual([...numbersOf('', 'new')], [])
  assert.equal(verdictAt(outline, 4), 'duplicate')
  assert.equal(verdictAt(outline, 8), 'error')
})

test('verdicts are counted, also of a part of the file', () => {
  const counts = { rows: 8, new: 3, question: 1, duplicate: 1, similar: 1, skipped: 1, error: 1, remarks: 0 }
  assert.deepEqual(countsOf(outline), counts)
  assert.equal(countsOf('').rows, 0)
})

test('pages cover the positions in sight', () => {
  assert.deepEqual(pagesOf(0, 99), [0])
  assert.deepEqual(pagesOf(95, 130), [0, 1])
  assert.deepEqual(pagesOf(99_990, 100_020), [999, 1000])
  assert.deepEqual(pagesOf(-5, -1), [0])
})

test('a page has the numbers of its positions, and the last one only what is left', () => {
  const numbers = numbersOf('qn'.repeat(150), 'question')
  assert.deepEqual(numbersOnPage(numbers, 0).slice(0, 3), [1, 3, 5])
  assert.equal(numbersOnPage(numbers, 0).length, 100)
  assert.equal(numbersOnPage(numbers, 1).length, 50)
  assert.deepEqual(numbersOnPage(numbers, 2), [])
})

test('the rail has a tick for what is not plainly new; ticks that would touch become one', () => {
  const all = numbersOf(outline, null)
  const ticks = ticksOf(outline, all, 800)
  assert.deepEqual(
    ticks.map(({ verdict }) => verdict),
    ['question', 'duplicate', 'similar', 'skipped', 'error'],
  )
  assert.ok(ticks.every(({ y }) => y >= 0 && y < 800))
  const many = `${'d'.repeat(50_000)}q${'n'.repeat(49_999)}`
  const merged = ticksOf(many, numbersOf(many, null), 500)
  assert.ok(merged.length <= 500 / 3)
  assert.equal(merged.at(-1)!.verdict, 'question', 'the more important verdict is shown')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cornerPath, onScreen, type Quad, squared, stillFrame, turnedBack, widened } from './geometry.ts'

const box = (x: number, y: number, width: number, height: number): Quad => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
]
const rounded = (quad: Quad) => quad.map(({ x, y }) => [Math.round(x), Math.round(y)])

test('a picture covers its box, so that its sides or its top are cut off', () => {
  const phone = { width: 390, height: 844 }
  assert.deepEqual(rounded(onScreen(box(0, 0, 1280, 720), { width: 1280, height: 720 }, phone)), [
    [-555, 0],
    [945, 0],
    [945, 844],
    [-555, 844],
  ])
  assert.deepEqual(
    rounded(onScreen(box(100, 100, 50, 50), { width: 200, height: 400 }, { width: 400, height: 400 })),
    rounded(box(200, 0, 100, 100)),
  )
})

test('what was found in a turned picture is found where it was', () => {
  const size = { width: 200, height: 100 }
  assert.deepEqual(rounded(turnedBack(box(90, 40, 20, 20), size, 90)), [
    [90, 60],
    [90, 40],
    [110, 40],
    [110, 60],
  ])
  assert.deepEqual(rounded(turnedBack(box(10, 20, 30, 40), size, 0)), rounded(box(10, 20, 30, 40)))
})

test('one corner that is too near is moved, whichever it is', () => {
  const right = box(0, 0, 100, 40)
  for (const [index, wrong] of [
    { x: 0, y: 25 },
    { x: 100, y: 25 },
    { x: 100, y: 15 },
    { x: 0, y: 15 },
  ].entries()) {
    const quad = right.map((point, i) => (i === index ? wrong : point)) as unknown as Quad
    assert.deepEqual(rounded(squared(quad)), rounded(right), `corner ${index}`)
  }
})

test('the frame leaves air around a code, on each side alike', () => {
  assert.deepEqual(rounded(widened(box(10, 10, 200, 20), 10)), rounded(box(0, 0, 220, 40)))
})

test('the arms of a corner are 22 long, and shorter on a small code', () => {
  assert.match(cornerPath(box(0, 0, 300, 120), 22), /^M0,22L0,0L22,0M278,0L300,0L300,22/)
  assert.match(cornerPath(box(0, 0, 30, 30), 22), /^M0,10L0,0L10,0/)
})

test('before anything is found, the frame is 334 by 120 in the free part, and narrower on a small screen', () => {
  const frame = stillFrame({ width: 390, height: 844 }, { top: 170, bottom: 200 })
  assert.deepEqual(rounded(frame), rounded(box(28, 347, 334, 120)))
  const [left, right] = stillFrame({ width: 320, height: 640 }, { top: 170, bottom: 200 })
  assert.equal(right!.x - left!.x, 264)
})

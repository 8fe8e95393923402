import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vectorOf } from '../../../../server/domain/geo/sphere.ts'
import { arcOf, viewOf } from './strip.ts'

const places = {
  CPH: vectorOf(12.6, 55.6),
  EWR: vectorOf(-74.2, 40.7),
  SIN: vectorOf(104, 1.4),
  HAM: vectorOf(10, 53.6),
  AKL: vectorOf(174.8, -37),
  SYD: vectorOf(151.2, -33.9),
}
const points = (path: string) =>
  [...path.matchAll(/([\d.-]+),([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)])

test('both ends are above the heading and inside the strip, near and far', () => {
  for (const width of [320, 390, 544]) {
    for (const [a, b] of [
      ['CPH', 'EWR'],
      ['HAM', 'CPH'],
      ['HAM', 'SIN'],
      ['SYD', 'AKL'],
    ] as const) {
      const view = viewOf([places[a], places[b]], width)
      const arc = points(arcOf(places[a], places[b], view))
      for (const [x, y] of [arc[0]!, arc.at(-1)!]) {
        assert.ok(x! > 20 && x! < width - 20, `${a}–${b} at ${width}: x ${x}`)
        assert.ok(y! > 50 && y! < 165, `${a}–${b} at ${width}: y ${y}`)
      }
    }
  }
})

test('the arc is lifted over the straight way, and nothing is drawn for one place', () => {
  const view = viewOf([places.CPH, places.EWR], 390)
  const arc = points(arcOf(places.CPH, places.EWR, view))
  const [first, middle, last] = [arc[0]!, arc[32]!, arc.at(-1)!]
  assert.ok(middle[1]! < (first[1]! + last[1]!) / 2 - 10)
  assert.equal(arcOf(places.CPH, places.CPH, view), '')
})

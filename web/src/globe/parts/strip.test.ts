// The globe of a strip shows all of its routes within its margins, and names do not cover each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dotsOf, projectionOf, wayOf } from './strip.ts'

const place = (longitude: number, latitude: number) => ({ longitude, latitude })
const places = {
  CPH: place(12.6, 55.6),
  EWR: place(-74.2, 40.7),
  SIN: place(104, 1.4),
  HAM: place(10, 53.6),
  AKL: place(174.8, -37),
  SYD: place(151.2, -33.9),
  PWM: place(-70.3, 43.6),
  LGA: place(-73.9, 40.8),
  JFK: place(-73.8, 40.6),
}
type Code = keyof typeof places
const size = (width: number) => ({ width, height: 240 })
const margins = { top: 56, side: 64, bottom: 104 }
const track: number[][] = []

function strip(width: number, ...codes: [Code, Code][]) {
  const routes = codes.map(([from, to]) => ({ from: places[from], to: places[to] }))
  const ends = [...new Set(routes.flatMap(({ from, to }) => [from, to]))]
  const projection = projectionOf({ places: ends, routes, track }, size(width), margins)
  const ways = routes.map((route) =>
    [...wayOf(projection, route).matchAll(/([\d.-]+),([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
  )
  return { ways, projection, dots: dotsOf(ends, projection) }
}

test('both ends are above the heading and inside the strip, near and far', () => {
  for (const width of [320, 390, 544]) {
    for (const [a, b] of [
      ['CPH', 'EWR'],
      ['HAM', 'CPH'],
      ['HAM', 'SIN'],
      ['SYD', 'AKL'],
    ] as const) {
      const [arc] = strip(width, [a, b]).ways
      for (const [x, y] of [arc![0]!, arc!.at(-1)!]) {
        assert.ok(x! > 20 && x! < width - 20, `${a}–${b} at ${width}: x ${x}`)
        assert.ok(y! > 50 && y! < 165, `${a}–${b} at ${width}: y ${y}`)
      }
    }
  }
})

test('the arc is lifted over the straight way, and nothing is drawn for one place', () => {
  const { ways, projection } = strip(390, ['CPH', 'EWR'])
  const [arc] = ways
  const [first, middle, last] = [arc![0]!, arc![arc!.length >> 1]!, arc!.at(-1)!]
  assert.ok(middle[1]! < (first[1]! + last[1]!) / 2 - 10)
  assert.equal(wayOf(projection, { from: places.CPH, to: places.CPH }), '')
})

test('places all around the world are shown too, on a flat map', () => {
  const { ways, dots } = strip(390, ['SYD', 'PWM'], ['SYD', 'CPH'], ['SYD', 'EWR'])
  for (const { x, y } of dots) {
    assert.ok(x >= 63 && x <= 327, `x ${x}`)
    assert.ok(y >= 55 && y <= 137, `y ${y}`)
  }
  assert.ok(ways.every((way) => way.length > 2))
})

test('a name stands on the other side of its place, or not at all, before it covers another', () => {
  const { dots } = strip(390, ['CPH', 'EWR'], ['CPH', 'LGA'], ['CPH', 'JFK'])
  assert.deepEqual(
    dots.map(({ isNamed, isLeft }) => isNamed && (isLeft ? 'left' : 'right')),
    ['right', 'left', 'right', false],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Airport } from '../api/types.ts'
import { ROUTES_AT_MOST, routesToDraw } from './globe.ts'

const airport = (id: number) => ({ id, country: 'DK', latitude: 0, longitude: id }) as Airport
const route = (a: number, b: number) => ({ from: airport(a), to: airport(b), rows: [a] })

test('routes of the log are drawn as planned ones, new routes as flown', () => {
  const { flights, fresh } = routesToDraw([route(1, 2), route(2, 1)], [route(2, 1), route(1, 3)])
  assert.equal(fresh, 1)
  assert.deepEqual(
    flights.map(({ from, to, completed }) => [from?.id, to?.id, completed]),
    [
      [1, 2, false],
      [1, 3, true],
    ],
  )
})

test('a route that leads nowhere is not drawn, and at most 400 are', () => {
  const many = Array.from({ length: 500 }, (_, i) => route(1, i + 1))
  const { flights, fresh } = routesToDraw([], many)
  assert.equal(fresh, 499)
  assert.equal(flights.length, ROUTES_AT_MOST)
})

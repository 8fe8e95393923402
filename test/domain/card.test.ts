import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawGlobe, fitted } from '../../server/domain/card.ts'

test('a name is in one or two lines and never cut', () => {
  const names = [
    'SAS',
    'British Overseas Airways Corporation',
    'Compañía Operadora de Corto y Medio Radio Iberia Express S.A.',
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
  ]
  const found = names.map((name) => fitted(name, 400, 30))
  for (const [i, { lines, size }] of found.entries()) {
    assert.equal(lines.join(' '), names[i])
    assert.ok(lines.length <= 2 && size <= 30 && size > 14, `${lines.length} lines of ${size}`)
  }
  assert.deepEqual([found[0]?.lines.length, found[0]?.size], [1, 30])
  assert.equal(found[2]?.lines.length, 2)
  const smaller = found.map(({ size }) => size)
  assert.ok(smaller[2]! <= smaller[1]! && smaller[1]! < smaller[0]!)
})

test('the globe is turned to what it is to face', () => {
  const at = (latitude: number, longitude: number, visits: number) => ({
    latitude,
    longitude,
    code: 'X',
    visits,
  })
  const airports = [at(55, 12, 100), at(-34, 151, 2), at(-37, 174, 2)]
  const frame = { centre: [0, 0], radius: 100, textScale: 1 } as const
  const dots = (svg: string) =>
    svg.match(/<circle cx="-?[\d.]+" cy="-?[\d.]+" r="[\d.]+" fill="#ffffff"/g)?.length ?? 0
  const subject = { routes: [], airports, land: null }
  assert.equal(dots(drawGlobe(subject, frame)), 1, 'Europe alone, where most visits are')
  assert.equal(dots(drawGlobe({ ...subject, facing: airports.slice(1) }, frame)), 2, 'both of the other side')
})

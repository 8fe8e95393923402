import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawGlobe, fitted } from '../../server/domain/sharing/card.ts'

test('a name is set in one or two lines and never cut', () => {
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

test('the globe is turned to the given point', () => {
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

test('a single short route is curved, in the middle of an enlarged globe', () => {
  const [cph, lhr] = [
    { latitude: 55.6, longitude: 12.6 },
    { latitude: 51.5, longitude: -0.5 },
  ]
  const airports = [
    { ...cph, code: 'CPH', visits: 1 },
    { ...lhr, code: 'LHR', visits: 1 },
  ]
  const routes = [{ from: cph, to: lhr, flights: 1 }]
  const svg = drawGlobe({ routes, airports, land: null }, { centre: [0, 0], radius: 100, textScale: 1 })
  const [, d] = /<path d="(M[^"]+)" stroke="rgb/.exec(svg) ?? []
  const points = d!
    .slice(1)
    .split('L')
    .map((pair) => pair.split(',').map(Number) as [number, number])
  const [[x0, y0], [x1, y1]] = [points[0]!, points.at(-1)!]
  const length = Math.hypot(x1 - x0, y1 - y0)
  const [mx, my] = points[points.length >> 1]!
  const away = Math.abs((x1 - x0) * (my - y0) - (y1 - y0) * (mx - x0)) / length
  assert.ok(away > 0.05 * length, `${away} of ${length}`)
  assert.ok(Math.abs(x0 + x1) < 20 && Math.abs(y0 + y1) < 20, 'its ends are on both sides of the centre')
  const widthsOf = (count: number) => {
    const many = Array.from({ length: count }, () => routes[0]!)
    const drawn = drawGlobe(
      { routes: many, airports, land: null },
      { centre: [0, 0], radius: 100, textScale: 1 },
    )
    return Math.min(
      ...[...drawn.matchAll(/stroke="rgb[^/]*stroke-width="([\d.]+)"/g)].map(([, width]) => Number(width)),
    )
  }
  assert.ok(widthsOf(1) > 1.9 * widthsOf(200), 'one arc is drawn with a broader pen than many')
  assert.ok(length > 100, 'large')
})

test('no airport code overlaps the figure of the card', () => {
  const at = (latitude: number, code: string) => ({ latitude, longitude: 18, code, visits: 1 })
  const subject = { routes: [], airports: [at(52, 'BER'), at(-10, 'LAD')], land: null }
  const frame = { centre: [100, 100], radius: 100, textScale: 1 } as const
  const codes = (svg: string) => [...svg.matchAll(/>([A-Z]{3})</g)].map(([, code]) => code)
  assert.deepEqual(codes(drawGlobe(subject, frame)), ['BER', 'LAD'])
  assert.deepEqual(codes(drawGlobe(subject, { ...frame, namedAbove: 130 })), ['BER'])
})

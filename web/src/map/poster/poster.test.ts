// What a poster shows, and that it is drawn true.
import '../../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PosterData } from './poster.ts'

const { ringsOf } = await import('./poster.ts')
const { chartProjection, chartRadius, rimOf } = await import('./projections.ts')
const { titleLines } = await import('./words.ts')
const { printSize, withResolution } = await import('./files.ts')
const { VectorCanvas } = await import('./vector.ts')

const cph = { id: 1, latitude: 55.618, longitude: 12.656 }
const data = (reach: number) => ({ centre: cph, reach, spots: [], routes: [] }) as unknown as PosterData
const disc = { x: 0, y: 0, radius: 364 }

test('bearings from the centre are true, and the farthest airport is inside the rim', () => {
  const given = data(145)
  const projection = chartProjection(disc, given)
  const [x, y] = projection([cph.longitude, cph.latitude + 20])!
  assert.ok(Math.abs(x) < 1e-6 && y < 0, 'north is up')
  const [, south] = projection([cph.longitude, cph.latitude - 20])!
  assert.ok(Math.abs(south + y) < 1e-6, 'as far in every direction')
  assert.ok(Math.abs(-y - 364 * chartRadius(20, rimOf(given))) < 1e-6)
  assert.ok(chartRadius(145, rimOf(given)) < 1)
  assert.equal(rimOf(data(179)), 178)
})

test('rings are round distances that the disc holds; closer ones for a small world', () => {
  assert.deepEqual(ringsOf(16_000), [500, 1000, 2500, 5000, 10_000, 15_000])
  assert.deepEqual(ringsOf(4000), [500, 1000, 2500])
  assert.deepEqual(ringsOf(900), [250, 500, 750])
})

test('a title shrinks to one line, then wraps to two', () => {
  const measure = (text: string, size: number) => text.length * size * 0.5
  assert.deepEqual(titleLines('Short', 744, measure), { lines: ['Short'], size: 46 })
  const shrunk = titleLines('x'.repeat(40), 744, measure)
  assert.equal(shrunk.lines.length, 1)
  assert.ok(shrunk.size < 46 && measure('x'.repeat(40), shrunk.size) <= 744)
  const long = titleLines(`${'word '.repeat(11)}words`, 744, measure)
  assert.equal(long.lines.length, 2)
  for (const line of long.lines) assert.ok(measure(line, long.size) <= 744)
  assert.deepEqual(titleLines('', 744, measure).lines, [''])
})

test('a paper has its size at 300 dpi, and a bleed of 3 mm on any', () => {
  const size = (paper: 'a4' | 'a3' | 'a2', hasBleed: boolean) => {
    const { width, height } = printSize({ style: 'chart' }, { paper, hasBleed })
    return [width, height]
  }
  assert.deepEqual(size('a3', false), [3508, 4961])
  assert.deepEqual(size('a3', true), [3579, 5031])
  assert.deepEqual(size('a4', true), [2551, 3578])
  assert.deepEqual(size('a2', false), [4961, 7015])
})

test('the resolution is a valid chunk after the header', () => {
  const png = withResolution(Uint8Array.from({ length: 40 }, (_, i) => i))
  assert.deepEqual(
    [...png.subarray(33, 54)],
    [0, 0, 0, 9, 0x70, 0x48, 0x59, 0x73, 0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1, 0x78, 0xa5, 0x3f, 0x76],
  )
  assert.deepEqual([...png.subarray(54)], [33, 34, 35, 36, 37, 38, 39])
})

test('what is drawn on a vector canvas is written as SVG', () => {
  const canvas = new VectorCanvas({ font: '', measureText: (text) => ({ width: text.length * 6 }) })
  const ctx = canvas.context
  ctx.beginPath()
  ctx.moveTo(10, 20)
  ctx.lineTo(10, 25.678)
  ctx.strokeStyle = 'rgba(255,0,16,0.5)'
  ctx.stroke()
  ctx.font = '600 12px Inter, sans-serif'
  ctx.textAlign = 'center'
  ctx.strokeText('A & <B>\u0001', 50, 60)
  ctx.fillText('A & <B>\u0001', 50, 60)
  ctx.globalAlpha = 0.25
  ctx.fillRect(0, 0, 10, 10)
  ctx.beginPath()
  ctx.arc(5, 5, 2, 0, 2 * Math.PI)
  ctx.closePath()
  ctx.fill()
  const svg = canvas.toString('August 2019', { width: '20mm', height: '10mm', viewBox: [-1, -1, 202, 102] })
  assert.match(svg, /<path d="M10 20L10 25\.68" fill="none" stroke="#ff0010" stroke-opacity="0\.5"/)
  assert.match(svg, /text-anchor="middle"[^>]*paint-order="stroke">A &amp; &lt;B&gt;<\/text>/)
  assert.equal(svg.split('<text').length, 2, 'the halo and the text are one element')
  assert.match(svg, /<rect x="0" y="0" width="10" height="10" fill="#000" fill-opacity="0\.25"\/>/)
  assert.match(svg, /<path d="M7 5A2 2 0 0 1 3 5A2 2 0 0 1 7 5Z" fill="#000"/)
  assert.match(svg, /<title>August 2019<\/title>/)
  assert.match(svg, /width="20mm" height="10mm" viewBox="-1 -1 202 102"/)
})

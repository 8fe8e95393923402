// Names of countries on a map that is zoomed in. Loaded when that happens: the table of countries is not part of the first screen.

import type { Label } from '../../../../server/domain/geo/labels.ts'
import { countries } from '../../../../server/domain/reference/countries.ts'
import { countryName } from '../../lib/format.ts'
import { makeProjected, projectPoints } from '../camera.ts'
import { labelFont } from '../draw.ts'
import type { Frame } from '../frame.ts'
import type { CountryPlace } from '../land/land.ts'
import { pushVector } from '../sphere.ts'

const codeBy: ReadonlyMap<string, string> = new Map(countries.map(({ number, code }) => [number, code]))
const SIZE = 11

interface Box {
  x: number
  y: number
  half: number
}

/** Each name where its country has room for it and no airport's label is. */
export function drawCountryNames(frame: Frame, labels: readonly Label[]): void {
  const { ctx, camera, theme } = frame
  const places = (frame.land?.countries ?? []).filter(({ number }) => codeBy.has(number))
  const at = positionsOf(places, frame)
  const taken: Box[] = labels.map(({ spot, text, dx, dy }) => {
    const [x, y] = [frame.at.x[spot.start]! + dx, frame.at.y[spot.start]! + dy]
    return { x, y, half: text.length * 4 + 6 }
  })
  ctx.save()
  ctx.font = labelFont(theme, SIZE)
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.letterSpacing = '1.4px'
  ctx.globalAlpha = frame.dimmed ? 0.3 : 0.62
  ctx.fillStyle = theme.label
  for (const [i, { number, radius }] of places.entries()) {
    const name = countryName(codeBy.get(number)!).toLocaleUpperCase()
    const box = { x: at.x[i]!, y: at.y[i]!, half: ctx.measureText(name).width / 2 }
    const hasRoom = box.half < radius * camera.scale * 0.8
    if (at.depth[i]! < 0.25 || !hasRoom || taken.some((other) => overlap(box, other))) continue
    taken.push(box)
    ctx.fillText(name, box.x, box.y)
  }
  ctx.restore()
}

const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < a.half + b.half && Math.abs(a.y - b.y) < SIZE * 1.6

function positionsOf(places: readonly CountryPlace[], { camera, viewport }: Frame) {
  const points: number[] = []
  for (const { centre } of places) pushVector(points, centre)
  const at = makeProjected(places.length)
  projectPoints(new Float32Array(points), camera, viewport, at)
  return at
}

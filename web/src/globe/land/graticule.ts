// Meridians and parallels, under the land.
import { makeProjected, type Projected, projectPoints } from '../camera.ts'
import type { WorldFrame } from '../frame.ts'
import type { Line } from '../scene.ts'
import { pushTrack, STRIDE } from '../sphere.ts'
import { Lines } from '../trace.ts'
import { traceSphere } from './land.ts'

const EVERY = 15
/** Nearer to the poles the meridians would run into each other. */
const FARTHEST = 80
const STEP = 5

interface Net {
  lines: Line[]
  points: Float32Array
  at: Projected
}

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)
}

function createNet(): Net {
  const points: number[] = []
  const lines: Line[] = []
  const add = (way: [number, number][]) => {
    const start = points.length / STRIDE
    lines.push({ start, count: pushTrack(points, way, Infinity), weight: 0 })
  }
  for (const lon of range(-180, 180 - EVERY, EVERY))
    add(range(-FARTHEST, FARTHEST, STEP).map((lat) => [lon, lat]))
  for (const lat of range(-75, 75, EVERY)) add(range(-180, 180, STEP).map((lon) => [lon, lat]))
  return { lines, points: new Float32Array(points), at: makeProjected(points.length / STRIDE) }
}

let net: Net | undefined

export function drawGraticule(frame: WorldFrame, style: string): void {
  net ??= createNet()
  const { ctx, camera, viewport } = frame
  projectPoints(net.points, camera, viewport, net.at)
  const lines = new Lines({ ...frame, scene: net, at: net.at })
  for (const line of net.lines) lines.add(line, frame.moving ? 2 : 1)
  ctx.save()
  if (camera.view === 'flat') {
    traceSphere(ctx, camera, viewport)
    ctx.clip()
  }
  ctx.lineWidth = 0.8
  ctx.strokeStyle = style
  lines.stroke(ctx)
  ctx.restore()
}

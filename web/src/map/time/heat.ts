// A density of arcs: how many flights pass a place, on a grid of a quarter of the picture's size, without lines.
import { mixColours, type Rgb } from '../../../../server/domain/colour.ts'
import type { Projected } from '../camera.ts'
import type { Line } from '../scene.ts'

/** Pixels of the picture per cell of the grid. */
export const CELL = 4

export interface Grid {
  width: number
  height: number
  /** Flights per cell, before smoothing. */
  cells: Float32Array
}

export function createGrid(width: number, height: number): Grid {
  const size = { width: Math.max(1, Math.ceil(width / CELL)), height: Math.max(1, Math.ceil(height / CELL)) }
  return { ...size, cells: new Float32Array(size.width * size.height) }
}

/** Adds one flight along a line, each cell that it passes once per cell of length. */
export function addToGrid(grid: Grid, line: Line, at: Projected, jump: number): void {
  for (let i = line.start + 1; i < line.start + line.count; i++) {
    if (at.depth[i]! < 0 || at.depth[i - 1]! < 0) continue
    const [x0, y0] = [at.x[i - 1]! / CELL, at.y[i - 1]! / CELL]
    const [dx, dy] = [at.x[i]! / CELL - x0, at.y[i]! / CELL - y0]
    if (Math.abs(dx) * CELL > jump) continue
    const steps = Math.max(1, Math.round(Math.max(Math.abs(dx), Math.abs(dy))))
    const amount = Math.max(Math.abs(dx), Math.abs(dy)) / steps
    for (let k = 0; k < steps; k++) {
      const [x, y] = [Math.floor(x0 + (dx * (k + 0.5)) / steps), Math.floor(y0 + (dy * (k + 0.5)) / steps)]
      if (x >= 0 && y >= 0 && x < grid.width && y < grid.height) grid.cells[y * grid.width + x]! += amount
    }
  }
}

/** Two passes of a box of three cells each way: close to a bell, and every pass is a running sum. */
export function smoothed({ width, height, cells }: Grid): Float32Array {
  let from = cells
  for (let pass = 0; pass < 2; pass++) {
    const across = new Float32Array(from.length)
    for (let y = 0; y < height; y++) blurLine(from, across, y * width, 1, width)
    const down = new Float32Array(from.length)
    for (let x = 0; x < width; x++) blurLine(across, down, x, width, height)
    from = down
  }
  return from
}

function blurLine(from: Float32Array, to: Float32Array, start: number, step: number, count: number): void {
  for (let i = 0, p = start; i < count; i++, p += step) {
    const before = i > 0 ? from[p - step]! : 0
    const after = i < count - 1 ? from[p + step]! : 0
    to[p] = (before + from[p]! + after) / 3
  }
}

const TONES = 64

/** From transparent through the colour of rare routes to that of frequent ones. */
export function heatTones(rare: Rgb, often: Rgb): Uint8ClampedArray {
  const tones = new Uint8ClampedArray(TONES * 4)
  for (let i = 0; i < TONES; i++) {
    const t = i / (TONES - 1)
    tones.set([...mixColours(rare, often, Math.max(0, (t - 0.35) / 0.65)), 235 * Math.min(1, t * 2.2)], i * 4)
  }
  return tones
}

/** Logarithmic, as the lines are: the tenth flight adds less than the second. */
export function paintHeat(
  density: Float32Array,
  most: number,
  tones: Uint8ClampedArray,
  pixels: Uint8ClampedArray,
): void {
  const scale = (TONES - 1) / Math.log1p(Math.max(1, most) * 4)
  for (let i = 0; i < density.length; i++) {
    const tone =
      density[i] === 0 ? 0 : Math.min(TONES - 1, Math.round(Math.log1p(density[i]! * 4) * scale)) * 4
    const to = i * 4
    pixels[to] = tones[tone]!
    pixels[to + 1] = tones[tone + 1]!
    pixels[to + 2] = tones[tone + 2]!
    pixels[to + 3] = tones[tone + 3]!
  }
}

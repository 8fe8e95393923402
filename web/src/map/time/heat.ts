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

/** Adds one flight along a line: one per cell of its length, shared by the two cells that it passes between. */
export function addToGrid(grid: Grid, line: Line, at: Projected, jump: number): void {
  for (let i = line.start + 1; i < line.start + line.count; i++) {
    if (at.depth[i]! < 0 || at.depth[i - 1]! < 0) continue
    const [x0, y0] = [at.x[i - 1]! / CELL - 0.5, at.y[i - 1]! / CELL - 0.5]
    const [dx, dy] = [at.x[i]! / CELL - 0.5 - x0, at.y[i]! / CELL - 0.5 - y0]
    if (Math.abs(dx) * CELL > jump) continue
    const length = Math.max(Math.abs(dx), Math.abs(dy))
    const steps = Math.max(1, Math.round(length))
    for (let k = 0; k < steps; k++) {
      const t = (k + 0.5) / steps
      drop(grid, x0 + dx * t, y0 + dy * t, length / steps)
    }
  }
}

function drop({ width, height, cells }: Grid, x: number, y: number, amount: number): void {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return
  const [fx, fy] = [x - left, y - top]
  const at = top * width + left
  cells[at]! += amount * (1 - fx) * (1 - fy)
  cells[at + 1]! += amount * fx * (1 - fy)
  cells[at + width]! += amount * (1 - fx) * fy
  cells[at + width + 1]! += amount * fx * fy
}

/** Each cell with its neighbours, 1 : 2 : 1, each way. */
export function smoothed({ width, height, cells }: Grid): Float32Array {
  const across = new Float32Array(cells.length)
  for (let y = 0; y < height; y++) blurLine(cells, across, y * width, 1, width)
  const down = new Float32Array(cells.length)
  for (let x = 0; x < width; x++) blurLine(across, down, x, width, height)
  return down
}

function blurLine(from: Float32Array, to: Float32Array, start: number, step: number, count: number): void {
  for (let i = 0, p = start; i < count; i++, p += step) {
    const before = i > 0 ? from[p - step]! : 0
    const after = i < count - 1 ? from[p + step]! : 0
    to[p] = (before + 2 * from[p]! + after) / 4
  }
}

const TONES = 64

/** From transparent through the colour of rare routes to that of frequent ones. */
export function heatTones(rare: Rgb, often: Rgb): Uint8ClampedArray {
  const tones = new Uint8ClampedArray(TONES * 4)
  for (let i = 0; i < TONES; i++) {
    const t = i / (TONES - 1)
    const opacity = t === 0 ? 0 : 225 * t ** 0.75
    tones.set([...mixColours(rare, often, Math.max(0, (t - 0.25) / 0.75)), opacity], i * 4)
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

// A density of arcs: how many flights pass a place, on a grid of a quarter of the picture's size, without lines.
import { mixColours, type Rgb } from '../../../../server/domain/colour.ts'
import type { Projected } from '../../globe/camera.ts'
import type { Line } from '../../globe/scene.ts'

/** Pixels of the picture per cell of the grid. */
export const CELL = 4

export interface Grid {
  width: number
  height: number
  /** Flights per cell, before smoothing. */
  cells: Float32Array
  across: Float32Array
  down: Float32Array
}

export function createGrid(width: number, height: number): Grid {
  const size = { width: Math.max(1, Math.ceil(width / CELL)), height: Math.max(1, Math.ceil(height / CELL)) }
  const cells = () => new Float32Array(size.width * size.height)
  return { ...size, cells: cells(), across: cells(), down: cells() }
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

/** Each cell with its neighbours, 1 : 2 : 1, each way. The arrays are kept: playback smooths many times a second. */
export function smoothed(grid: Grid): Float32Array {
  const { width, height, cells, across, down } = grid
  for (let y = 0; y < height; y++) {
    for (let x = 0, p = y * width; x < width; x++, p++) {
      const before = x > 0 ? cells[p - 1]! : 0
      const after = x < width - 1 ? cells[p + 1]! : 0
      across[p] = (before + 2 * cells[p]! + after) / 4
    }
  }
  for (let p = 0; p < across.length; p++) {
    const above = p >= width ? across[p - width]! : 0
    const below = p < across.length - width ? across[p + width]! : 0
    down[p] = (above + 2 * across[p]! + below) / 4
  }
  return down
}

export function highestOf(density: Float32Array): number {
  let most = 0
  for (let i = 0; i < density.length; i++) if (density[i]! > most) most = density[i]!
  return most
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

/** Logarithmic, as the lines are: the tenth flight adds less than the second. Four bytes are one word of the picture. */
export function paintHeat(
  density: Float32Array,
  most: number,
  tones: Uint8ClampedArray,
  pixels: Uint8ClampedArray,
): void {
  const [from, to] = [new Uint32Array(tones.buffer), new Uint32Array(pixels.buffer)]
  const scale = (TONES - 1) / Math.log1p(Math.max(1, most) * 4)
  for (let i = 0; i < density.length; i++) {
    const value = density[i]!
    to[i] = value === 0 ? 0 : from[Math.min(TONES - 1, Math.round(Math.log1p(value * 4) * scale))]!
  }
}

// Capitals and figures as single strokes, six units high: enough for airport codes and counts, with no font to ship.
import type { Point } from './canvas.ts'

/** `M` starts a stroke, `L` is a line to, `Q` a curve to by way of. */
const shapes: Record<string, string> = {
  A: 'M0 6L2.1 0L4.2 6M.75 4L3.450 4',
  B: 'M2.2 2.900L0 2.900M0 0L0 6L2.2 6Q4 6 4 4.450Q4 2.9 2.2 2.900Q3.7 2.9 3.7 1.450Q3.7 0 2.2 0L0 0',
  C: 'M4 1.300Q3.5 0 2.2 0Q0 0 0 3Q0 6 2.2 6Q3.5 6 4 4.7',
  D: 'M0 0L0 6L1.6 6Q4.2 6 4.2 3Q4.2 0 1.6 0L0 0',
  E: 'M3.4 0L0 0L0 6L3.4 6M0 2.900L3 2.9',
  F: 'M3.4 0L0 0L0 6M0 2.900L3 2.9',
  G: 'M4 1.300Q3.5 0 2.2 0Q0 0 0 3Q0 6 2.2 6Q4.2 6 4.2 3.700L4.2 3.300L2.4 3.3',
  H: 'M0 0L0 6M4 0L4 6M0 2.900L4 2.9',
  I: 'M0 0L0 6',
  J: 'M2.7 0L2.7 4.300Q2.7 6 1.3 6Q.2 6 0 4.8',
  K: 'M0 0L0 6M3.8 0L0 3.800M1.4 2.400L4 6',
  L: 'M0 0L0 6L3.3 6',
  M: 'M0 6L0 0L2.4 4L4.8 0L4.8 6',
  N: 'M0 6L0 0L4 6L4 0',
  O: 'M2.2 0Q4.4 0 4.4 3Q4.4 6 2.2 6Q0 6 0 3Q0 0 2.2 0',
  P: 'M0 6L0 0L2.2 0Q4 0 4 1.700Q4 3.4 2.2 3.400L0 3.4',
  Q: 'M2.2 0Q4.4 0 4.4 3Q4.4 6 2.2 6Q0 6 0 3Q0 0 2.2 0M2.8 4.400L4.4 6.2',
  R: 'M0 6L0 0L2.2 0Q4 0 4 1.700Q4 3.4 2.2 3.400L0 3.400M2.1 3.400L4 6',
  S: 'M3.7 1.200Q3.3 0 1.9 0Q.2 0 .2 1.500Q.2 2.6 1.9 2.900Q3.9 3.2 3.9 4.500Q3.9 6 2 6Q.4 6 0 4.8',
  T: 'M0 0L4 0M2 0L2 6',
  U: 'M0 0L0 3.800Q0 6 2.050 6Q4.1 6 4.1 3.800L4.1 0',
  V: 'M0 0L2.1 6L4.2 0',
  W: 'M0 0L1.4 6L2.9 1L4.4 6L5.8 0',
  X: 'M0 0L4 6M4 0L0 6',
  Y: 'M0 0L2 3.100L4 0M2 3.100L2 6',
  Z: 'M.1 0L3.9 0L0 6L4 6',
  0: 'M2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3Q0 0 2 0',
  1: 'M.2 1.300L2 0L2 6',
  2: 'M.1 1.500Q.3 0 2 0Q3.8 0 3.8 1.600Q3.8 2.6 2.7 3.600L0 6L4 6',
  3: 'M.1 1.200Q.5 0 1.9 0Q3.7 0 3.7 1.450Q3.7 2.9 1.3 2.900M1.3 2.900Q3.9 2.9 3.9 4.450Q3.9 6 1.9 6Q.4 6 0 4.8',
  4: 'M3 6L3 0L0 4.400L4 4.4',
  5: 'M3.6 0L.7 0L.3 2.900Q1 2.2 2 2.200Q3.9 2.2 3.9 4.100Q3.9 6 1.9 6Q.5 6 0 4.9',
  6: 'M3.5 .8Q3.1 0 2.1 0Q0 0 0 3.500Q0 6 2 6Q4 6 4 4.100Q4 2.3 2.1 2.300Q.4 2.3 .05 3.9',
  7: 'M0 0L4 0L1.4 6',
  8: 'M2 2.850Q.3 2.850 .3 1.400Q.3 0 2 0Q3.7 0 3.7 1.400Q3.7 2.850 2 2.850Q0 2.850 0 4.450Q0 6 2 6Q4 6 4 4.450Q4 2.850 2 2.850',
  9: 'M.5 5.200Q.9 6 1.9 6Q4 6 4 2.500Q4 0 2 0Q0 0 0 1.900Q0 3.7 1.9 3.700Q3.6 3.7 3.950 2.1',
  ',': 'M.5 5.800L0 7.1',
}

interface Letter {
  strokes: Point[][]
  width: number
}

const SPACE = 2.2
const GAP = 1.7
const CURVE_STEPS = 6
const cut = new Map<string, Letter | null>()

/** The strokes of a text whose capitals are `size` high, and how wide it is. What has no shape here is left out. */
export function lettering(text: string, size: number): { strokes: Point[][]; width: number } {
  const scale = size / 6
  const strokes: Point[][] = []
  let x = 0
  for (const character of text) {
    const letter = letterOf(character)
    if (letter) strokes.push(...letter.strokes.map((stroke) => shifted(stroke, x, scale)))
    x += letter ? letter.width + GAP : SPACE
  }
  return { strokes, width: Math.max(0, x - GAP) * scale }
}

const shifted = (stroke: readonly Point[], by: number, scale: number) =>
  stroke.map(([x, y]): Point => [(x + by) * scale, y * scale])

function letterOf(character: string): Letter | null {
  let letter = cut.get(character)
  if (letter === undefined) {
    const shape = shapes[character]
    letter = shape === undefined ? null : parse(shape)
    cut.set(character, letter)
  }
  return letter
}

function parse(shape: string): Letter {
  const strokes: Point[][] = []
  for (const [, command, numbers] of shape.matchAll(/([MLQ])([^MLQ]+)/g)) {
    const [a, b, c, d] = numbers!.trim().split(/\s+/).map(Number) as [number, number, number, number]
    const stroke = strokes.at(-1)
    if (command === 'M') strokes.push([[a, b]])
    else if (command === 'L') stroke!.push([a, b])
    else stroke!.push(...curve(stroke!.at(-1)!, [a, b], [c, d]))
  }
  return { strokes, width: Math.max(...strokes.flat().map(([x]) => x)) }
}

export const curve = (from: Point, by: Point, to: Point): Point[] =>
  Array.from({ length: CURVE_STEPS }, (_, i) => {
    const t = (i + 1) / CURVE_STEPS
    const at = (k: 0 | 1) => (1 - t) ** 2 * from[k] + 2 * t * (1 - t) * by[k] + t * t * to[k]
    return [at(0), at(1)]
  })

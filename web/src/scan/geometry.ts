/** Where a code stands on the screen: the picture covers its box, so that parts of it are cut off. */

export interface Point {
  x: number
  y: number
}
/** Top left, top right, bottom right, bottom left, as the code itself is turned. */
export type Quad = readonly [Point, Point, Point, Point]

export interface Size {
  width: number
  height: number
}

/** Points of a picture as they are drawn in a box with `object-fit: cover`. */
export function onScreen(quad: Quad, picture: Size, box: Size): Quad {
  const scale = Math.max(box.width / picture.width, box.height / picture.height)
  const left = (box.width - picture.width * scale) / 2
  const top = (box.height - picture.height * scale) / 2
  return each(quad, ({ x, y }) => ({ x: left + x * scale, y: top + y * scale }))
}

/** The still frame before anything is found, in the middle of what is free. */
export function stillFrame(box: Size, free: { top: number; bottom: number }): Quad {
  const width = Math.min(334, box.width - 56)
  const height = Math.min(120, Math.max(60, box.height - free.top - free.bottom))
  const x = (box.width - width) / 2
  const y = (free.top + (box.height - free.bottom) - height) / 2
  return [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ]
}

/** The same shape, larger by some pixels on each side: codes need a little air. */
export function widened(quad: Quad, by: number): Quad {
  const centre = middleOf(quad)
  return each(quad, ({ x, y }) => {
    const [dx, dy] = [x - centre.x, y - centre.y]
    const length = Math.hypot(dx, dy) || 1
    // By the diagonal, a corner moves farther than its sides do.
    const factor = 1 + (by * Math.SQRT2) / length
    return { x: centre.x + dx * factor, y: centre.y + dy * factor }
  })
}

export function middleOf(quad: Quad): Point {
  const sum = quad.reduce((s, { x, y }) => ({ x: s.x + x, y: s.y + y }), { x: 0, y: 0 })
  return { x: sum.x / 4, y: sum.y / 4 }
}

/** One angle at each corner, as a path; arms shorter than a third of their side. */
export function cornerPath(quad: Quad, arm: number): string {
  return quad
    .map((corner, i) => {
      const before = towards(corner, quad[(i + 3) % 4]!, arm)
      const after = towards(corner, quad[(i + 1) % 4]!, arm)
      return `M${at(before)}L${at(corner)}L${at(after)}`
    })
    .join('')
}

export const outline = (quad: Quad): string => `M${quad.map(at).join('L')}Z`

const at = ({ x, y }: Point): string => `${round(x)},${round(y)}`
const round = (value: number): number => Math.round(value * 10) / 10

function towards(from: Point, to: Point, length: number): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const whole = Math.hypot(dx, dy) || 1
  const part = Math.min(length, whole / 3) / whole
  return { x: from.x + dx * part, y: from.y + dy * part }
}

const each = (quad: Quad, change: (point: Point) => Point): Quad => [
  change(quad[0]),
  change(quad[1]),
  change(quad[2]),
  change(quad[3]),
]

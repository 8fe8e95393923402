/** Where a code stands on the screen: the picture covers its box, so that parts of it are cut off. */

interface Point {
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

/** Points of a picture that was drawn turned around its middle by so many degrees, where they were before. */
export function turnedBack(quad: Quad, { width, height }: Size, degrees: number): Quad {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return each(quad, ({ x, y }) => {
    const [dx, dy] = [x - width / 2, y - height / 2]
    return { x: width / 2 + dx * cosine + dy * sine, y: height / 2 + dy * cosine - dx * sine }
  })
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

/**
 * A rectangle again: zxing finds three corners of a turned PDF417 well and one too near. The longer of the two upright
 * sides is right; the corner that makes the other one as long is moved.
 */
export function squared(quad: Quad): Quad {
  const [tl, tr, br, bl] = quad
  const [left, right] = [minus(bl, tl), minus(br, tr)]
  const isLeftRight = Math.hypot(left.x, left.y) >= Math.hypot(right.x, right.y)
  const side = isLeftRight ? left : right
  const options: [Quad, Quad] = isLeftRight
    ? [
        [tl, minus(br, side), br, bl],
        [tl, tr, plus(tr, side), bl],
      ]
    : [
        [minus(bl, side), tr, br, bl],
        [tl, tr, br, plus(tl, side)],
      ]
  const slant = (one: Quad) => Math.abs(cosineOf(minus(one[1], one[0]), side))
  return slant(options[0]) <= slant(options[1]) ? options[0] : options[1]
}

const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y })
const plus = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y })
const cosineOf = (a: Point, b: Point): number =>
  (a.x * b.x + a.y * b.y) / (Math.hypot(a.x, a.y) * Math.hypot(b.x, b.y) || 1)

/** The same shape with its sides moved outwards by some pixels: codes need a little air. */
export function widened(quad: Quad, by: number): Quad {
  const moved = quad.map((corner, i) => {
    const [before, after] = [quad[(i + 3) % 4]!, quad[(i + 1) % 4]!]
    const [a, b] = [towards(before, corner, by, false), towards(after, corner, by, false)]
    return { x: corner.x + a.x - before.x + b.x - after.x, y: corner.y + a.y - before.y + b.y - after.y }
  })
  return [moved[0]!, moved[1]!, moved[2]!, moved[3]!]
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

/** `isInside`: not more than a third of the way. */
function towards(from: Point, to: Point, length: number, isInside = true): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const whole = Math.hypot(dx, dy) || 1
  const part = (isInside ? Math.min(length, whole / 3) : length) / whole
  return { x: from.x + dx * part, y: from.y + dy * part }
}

export const each = (quad: Quad, change: (point: Point) => Point): Quad => [
  change(quad[0]),
  change(quad[1]),
  change(quad[2]),
  change(quad[3]),
]

// The picture that a chat shows under the link to a share: the map of its flights, as a PNG of the size previews have.
import { type Canvas, type Colour, createCanvas, type Point } from './canvas.ts'
import { curve, lettering } from './letters.ts'
import {
  greatCircle,
  heightOf,
  type Place,
  project,
  projectedLand,
  sphere,
  stretchOf,
  type View,
  wrapped,
} from './world.ts'

export interface FlownMap {
  routes: { from: Place; to: Place; flights: number }[]
  airports: (Place & { code: string; visits: number })[]
  /** Large in the corner, with what they count. */
  figures: { value: number; name: string }[]
}

const WIDTH = 1200
const HEIGHT = 630
/** Beyond this the rarest add time and no sight. */
const ROUTES_AT_MOST = 600
const LABELS_AT_MOST = 20

const space: Colour = [7, 10, 17]
const ocean: Colour = [12, 20, 38]
const land: Colour = [36, 52, 86]
const border: Colour = [62, 80, 116]
const rare: Colour = [79, 134, 240]
const often: Colour = [255, 158, 196]
const white: Colour = [240, 244, 252]
const quiet: Colour = [158, 174, 204]

export function drawMap(map: FlownMap): Buffer {
  const canvas = createCanvas(WIDTH, HEIGHT, space)
  const view = fit(map.airports)
  canvas.clip(sphere(view))
  canvas.fill(
    [
      [
        [0, 0],
        [WIDTH, 0],
        [WIDTH, HEIGHT],
        [0, HEIGHT],
      ],
    ],
    ocean,
  )
  const coasts = [...projectedLand(view)]
  canvas.fill(coasts, land)
  for (const line of coasts) canvas.stroke(line, { colour: border, width: 0.6, opacity: 0.45 })
  drawRoutes(canvas, view, map.routes)
  canvas.unclip()
  drawAirports(canvas, view, map)
  drawFigures(canvas, map.figures)
  drawMark(canvas, WIDTH - 70, HEIGHT - 70, 1.25)
  return canvas.png()
}

const RAD = Math.PI / 180
const WHOLE_WORLD = (WIDTH * 0.97) / (2 * Math.PI * stretchOf(0))
const CLOSEST = 9 * WHOLE_WORLD

/** Everything in sight and as large as can be; the cut of the world falls where nobody flew. */
function fit(airports: readonly Place[]): View {
  const centre: Point = [WIDTH / 2, HEIGHT / 2]
  if (airports.length === 0) return { longitude: 10, y: 0, scale: WHOLE_WORLD, centre }
  const middle = middleLongitude(airports.map(({ longitude }) => longitude))
  const xs = airports.map(
    ({ latitude, longitude }) => stretchOf(latitude) * wrapped(longitude - middle) * RAD,
  )
  const ys = airports.map(({ latitude }) => heightOf(latitude))
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const room = Math.min(
    (WIDTH * 0.8) / Math.max(0.05, right - left),
    (HEIGHT * 0.66) / Math.max(0.05, high - low),
  )
  const scale = Math.max(WHOLE_WORLD, Math.min(room, CLOSEST))
  // The world's own edges stay at the picture's edges or beyond them.
  const slack = Math.max(0, heightOf(90) - (HEIGHT * 0.49) / scale)
  const y = Math.max(-slack, Math.min(slack, (low + high) / 2))
  const shift = scale > WHOLE_WORLD * 1.05 ? (left + right) / 2 / stretchOf(0) / RAD : 0
  return { longitude: wrapped(middle + shift), y, scale, centre }
}

/** Opposite the widest empty stretch. */
function middleLongitude(longitudes: number[]): number {
  const sorted = longitudes.toSorted((a, b) => a - b)
  let widest = { gap: -1, end: 0 }
  for (const [i, end] of sorted.entries()) {
    const gap = i === 0 ? end + 360 - sorted.at(-1)! : end - sorted[i - 1]!
    if (gap > widest.gap) widest = { gap, end }
  }
  return wrapped(widest.end + (360 - widest.gap) / 2)
}

function drawRoutes(canvas: Canvas, view: View, routes: FlownMap['routes']): void {
  const shown = routes
    .toSorted((a, b) => b.flights - a.flights)
    .slice(0, ROUTES_AT_MOST)
    .reverse()
  const [least, most] = [shown[0], shown.at(-1)].map((route) => Math.log1p(route?.flights ?? 1)) as [
    number,
    number,
  ]
  const crowded = shown.length > 150
  for (const { from, to, flights } of shown) {
    const weight = most > least ? (Math.log1p(flights) - least) / (most - least) : 0.5
    const look = {
      colour: mix(rare, often, weight),
      width: (crowded ? 1.1 : 2) + 1.4 * weight,
      opacity: Math.min(1, (crowded ? 0.25 : 0.8) + 0.5 * weight),
      glow: crowded ? 0 : 7,
    }
    for (const line of greatCircle(view, from, to)) canvas.stroke(line, look)
  }
}

const mix = (a: Colour, b: Colour, t: number): Colour => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
]

function drawAirports(canvas: Canvas, view: View, { airports, figures }: FlownMap): void {
  const busiest = airports.toSorted((a, b) => b.visits - a.visits)
  const most = Math.sqrt(busiest[0]?.visits ?? 1)
  const dots = busiest.map((airport) => ({
    ...airport,
    at: project(view, wrapped(airport.longitude - view.longitude), airport.latitude),
    size: (airports.length > 150 ? 3 : 6) + (7 * Math.sqrt(airport.visits)) / most,
  }))
  for (const { at, size } of dots.toReversed()) {
    canvas.stroke([at], { colour: space, width: size + 3, opacity: 0.7 })
    canvas.stroke([at], { colour: white, width: size })
  }
  const taken: Box[] = figures.length > 0 ? [{ left: 0, top: HEIGHT - 130, right: 760, bottom: HEIGHT }] : []
  let labels = 0
  for (const [i, { code, at, size }] of dots.slice(0, 3 * LABELS_AT_MOST).entries()) {
    if (labels === LABELS_AT_MOST) break
    if (drawLabel(canvas, code, at, size, taken)) labels++
    // Home is named whatever is near it; the others do not cover a busy airport.
    if (i === 0) taken.push(...dots.slice(0, LABELS_AT_MOST).map((dot) => boxAround(dot.at, dot.size / 2)))
  }
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const LABEL = 12

/** Below its dot, above it or beside it, or not at all where another one is. */
function drawLabel(canvas: Canvas, code: string, [x, y]: Point, size: number, taken: Box[]): boolean {
  const { width } = lettering(code, LABEL)
  const away = size / 2 + 7
  const spots: Point[] = [
    [x - width / 2, y + away],
    [x - width / 2, y - away - LABEL],
    [x + away, y - LABEL / 2],
    [x - away - width, y - LABEL / 2],
  ]
  for (const [left, top] of spots) {
    const box = { left: left - 4, top: top - 4, right: left + width + 4, bottom: top + LABEL + 4 }
    const isInside = box.left > 0 && box.right < WIDTH && box.top > 0 && box.bottom < HEIGHT
    if (!isInside || taken.some((other) => overlap(box, other))) continue
    taken.push(box)
    write(canvas, code, [left, top], LABEL, { colour: white, width: 1.9, halo: 5 })
    return true
  }
  return false
}

const boxAround = ([x, y]: Point, reach: number): Box => ({
  left: x - reach,
  top: y - reach,
  right: x + reach,
  bottom: y + reach,
})

const overlap = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

interface Writing {
  colour: Colour
  width: number
  halo: number
}

function write(canvas: Canvas, text: string, [x, y]: Point, size: number, look: Writing): number {
  const { strokes, width } = lettering(text, size)
  const placed = strokes.map((stroke) => stroke.map(([dx, dy]): Point => [x + dx, y + dy]))
  for (const line of placed)
    canvas.stroke(line, { colour: space, width: look.width + look.halo, opacity: 0.6 })
  for (const line of placed) canvas.stroke(line, look)
  return width
}

function drawFigures(canvas: Canvas, figures: FlownMap['figures']): void {
  let x = 48
  for (const { value, name } of figures) {
    const text = Math.round(value).toLocaleString('en')
    const wide = write(canvas, text, [x, HEIGHT - 96], 34, { colour: white, width: 4.4, halo: 8 })
    const below = write(canvas, name, [x, HEIGHT - 46], 11, { colour: quiet, width: 1.7, halo: 5 })
    x += Math.max(wide, below) + 46
  }
}

/** The application's mark: a contrail rising over the limb of the earth. */
function drawMark(canvas: Canvas, x: number, y: number, scale: number): void {
  const at = (points: Point[]) => points.map(([px, py]): Point => [x + px * scale, y + py * scale])
  const limb: Point[] = [[3.5, 25.5], ...curve([3.5, 25.5], [16, 15.5], [28.5, 25.5])]
  const trail: Point[] = [[5.5, 21], ...curve([5.5, 21], [11, 7.5], [24.5, 6])]
  canvas.stroke(at(limb), { colour: quiet, width: 2.6 * scale, opacity: 0.7 })
  canvas.stroke(at(trail), { colour: rare, width: 2.6 * scale })
  canvas.stroke(at([[25.5, 5.8]]), { colour: rare, width: 5.2 * scale })
}

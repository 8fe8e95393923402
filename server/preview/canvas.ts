// A small software canvas: areas and lines with smooth edges, and the PNG they become. No dependency, so that drawing
// works wherever the server runs.
import { crc32, deflateSync } from 'node:zlib'

export type Point = readonly [x: number, y: number]
export type Colour = readonly [red: number, green: number, blue: number]

export interface Canvas {
  readonly width: number
  readonly height: number
  /** From now on only what is inside this outline is painted. */
  clip(outline: readonly Point[]): void
  unclip(): void
  /** Fills what the outlines enclose; holes run the other way round. */
  fill(rings: Iterable<readonly Point[]>, colour: Colour): void
  /** A line with round ends and joints. `glow` is how far it shines beyond its edge. */
  stroke(line: readonly Point[], look: Stroke): void
  png(): Buffer
}

export interface Stroke {
  colour: Colour
  width: number
  opacity?: number
  glow?: number
}

export function createCanvas(width: number, height: number, background: Colour): Canvas {
  const pixels = new Uint8ClampedArray(width * height * 3)
  for (let i = 0; i < pixels.length; i++) pixels[i] = background[i % 3]!
  // Scratch of one line: how strongly each touched pixel is covered by it, however many of its parts touch it.
  const strength = new Float32Array(width * height)
  const touched: number[] = []
  let within: Float32Array | undefined

  function blend(pixel: number, colour: Colour, opacity: number): void {
    const alpha = within ? opacity * within[pixel]! : opacity
    const at = pixel * 3
    pixels[at] = pixels[at]! + (colour[0] - pixels[at]!) * alpha
    pixels[at + 1] = pixels[at + 1]! + (colour[1] - pixels[at + 1]!) * alpha
    pixels[at + 2] = pixels[at + 2]! + (colour[2] - pixels[at + 2]!) * alpha
  }

  function touchSegment([ax, ay]: Point, [bx, by]: Point, half: number, glow: number): void {
    const reach = half + glow + 1
    const [left, right] = range(ax, bx, reach, width)
    const [top, bottom] = range(ay, by, reach, height)
    const [dx, dy] = [bx - ax, by - ay]
    const squared = dx * dx + dy * dy || 1e-9
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const along = ((x + 0.5 - ax) * dx + (y + 0.5 - ay) * dy) / squared
        const t = along < 0 ? 0 : along > 1 ? 1 : along
        const [awayX, awayY] = [x + 0.5 - ax - t * dx, y + 0.5 - ay - t * dy]
        const value = strengthAt(Math.sqrt(awayX * awayX + awayY * awayY) - half, glow)
        if (value <= 0) continue
        const pixel = y * width + x
        if (strength[pixel] === 0) touched.push(pixel)
        if (value > strength[pixel]!) strength[pixel] = value
      }
    }
  }

  return {
    width,
    height,
    clip(outline) {
      within = coverageOf([outline], width, height)
    },
    unclip() {
      within = undefined
    },
    fill(rings, colour) {
      const covered = coverageOf(rings, width, height)
      for (let pixel = 0; pixel < covered.length; pixel++) {
        if (covered[pixel]! > 0.002) blend(pixel, colour, covered[pixel]!)
      }
    },
    stroke(line, { colour, width: thickness, opacity = 1, glow = 0 }) {
      for (let i = 1; i < line.length; i++) touchSegment(line[i - 1]!, line[i]!, thickness / 2, glow)
      if (line.length === 1) touchSegment(line[0]!, line[0]!, thickness / 2, glow)
      for (const pixel of touched) {
        blend(pixel, colour, strength[pixel]! * opacity)
        strength[pixel] = 0
      }
      touched.length = 0
    },
    png: () => encodePng(pixels, width, height),
  }
}

/** The pixels from one coordinate to the other, with a margin, inside the canvas. */
const range = (a: number, b: number, margin: number, size: number): [number, number] => [
  Math.max(0, Math.floor(Math.min(a, b) - margin)),
  Math.min(size, Math.ceil(Math.max(a, b) + margin)),
]

const GLOW_STRENGTH = 0.3

/** Full inside, one pixel of soft edge, then a glow that fades. */
function strengthAt(beyond: number, glow: number): number {
  const edge = 0.5 - beyond
  if (edge >= 1) return 1
  const shine = glow > 0 && beyond < glow ? GLOW_STRENGTH * (1 - Math.max(0, beyond) / glow) ** 2 : 0
  return Math.max(edge, shine)
}

/**
 * How much of each pixel is covered, 0 to 1. Exact: every edge adds what lies right of it to the pixels of
 * its rows, and a running sum fills the rest.
 */
function coverageOf(rings: Iterable<readonly Point[]>, width: number, height: number): Float32Array {
  const stride = width + 2
  const sums = new Float32Array(stride * height)
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) {
      addEdge(sums, stride, width, height, ring[i]!, ring[(i + 1) % ring.length]!)
    }
  }
  const covered = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    let sum = 0
    for (let x = 0; x < width; x++) {
      sum += sums[y * stride + x]!
      covered[y * width + x] = Math.min(1, Math.abs(sum))
    }
  }
  return covered
}

function addEdge(
  sums: Float32Array,
  stride: number,
  width: number,
  height: number,
  from: Point,
  to: Point,
): void {
  const down = from[1] < to[1]
  const [[x0, y0], [x1, y1]] = down ? [from, to] : [to, from]
  if (y0 === y1 || y1 <= 0 || y0 >= height) return
  const slope = (x1 - x0) / (y1 - y0)
  const first = Math.max(0, y0)
  const last = Math.min(height, y1)
  let x = x0 + (first - y0) * slope
  for (let row = Math.floor(first); row < last; row++) {
    const tall = Math.min(row + 1, last) - Math.max(row, first)
    const next = x + slope * tall
    addSpan(
      sums,
      row * stride,
      clamp(Math.min(x, next), width),
      clamp(Math.max(x, next), width),
      down ? tall : -tall,
    )
    x = next
  }
}

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value))

/** One row's part of an edge that runs from `left` to `right` while it covers `tall` of the row's height. */
function addSpan(sums: Float32Array, row: number, left: number, right: number, tall: number): void {
  const start = Math.floor(left)
  const end = Math.max(start + 1, Math.ceil(right))
  const slant = right - left
  let before = 0
  for (let x = start; x < end; x++) {
    // The share of the pixel's area that lies right of the edge, all pixels left of it counted in.
    const [a, b] = [Math.max(left, x), Math.min(right, x + 1)]
    const reached = slant > 1e-9 ? (b - left) / slant : 1
    const crossing = slant > 1e-9 ? (b - a) / slant : 1
    const area = tall * (reached - crossing + crossing * (x + 1 - (a + b) / 2))
    sums[row + x]! += area - before
    before = area
  }
  sums[row + end]! += tall - before
}

/** Nobody sees the last two bits of a colour; without them the file is half as large. */
const SEEN_BITS = 0xfc

function encodePng(pixels: Uint8ClampedArray, width: number, height: number): Buffer {
  const size = width * 3
  // Each row begins with its filter, none: a picture of few colours packs better as it is.
  const raw = Buffer.alloc((size + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let i = 0; i < size; i++) raw[y * (size + 1) + 1 + i] = pixels[y * size + i]! & SEEN_BITS
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.byteLength, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

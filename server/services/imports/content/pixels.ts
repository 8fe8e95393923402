// Grey pictures: the size from a file's header, the pixels of a PNG, and scaling and rotation. The library that finds bar codes
// decodes files too, but does not return the pixels.
import { inflateSync } from 'node:zlib'

/** A byte per pixel, rows from the top. */
export interface Grey {
  width: number
  height: number
  data: Uint8Array
}

export interface PictureSize {
  width: number
  height: number
  /** For a JPEG: 1 is grey, 3 is RGB, 4 is CMYK. */
  components: number
}

export type PictureForm = 'png' | 'jpeg' | 'gif' | 'webp'

/** The size in the header, which decoders rely on too; null if there is none. */
export function sizeOf(bytes: Uint8Array, form: Exclude<PictureForm, 'webp'>): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (form === 'gif')
    return bytes.length < 10
      ? null
      : { width: view.getUint16(6, true), height: view.getUint16(8, true), components: 3 }
  if (form === 'jpeg') return sizeOfJpeg(bytes, view)
  const header = pngHeader(bytes)
  return header && { width: header.width, height: header.height, components: 3 }
}

/** The size of the first frame. Segments may have padding between them. */
function sizeOfJpeg(bytes: Uint8Array, view: DataView): PictureSize | null {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff || bytes[at + 1] === 0xff) {
      at++
      continue
    }
    const marker = bytes[at + 1]!
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return {
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        components: bytes[at + 9]!,
      }
    if (marker === 0xda || marker === 0xd9) return null
    at += 2 + (marker === 0 || (marker >= 0xd0 && marker <= 0xd8) ? 0 : view.getUint16(at + 2))
  }
  return null
}

// PNG

interface PngHeader {
  width: number
  height: number
  depth: number
  colour: number
  isInterlaced: boolean
}

function* chunksOf(bytes: Uint8Array): Generator<{ type: string; content: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    yield { type, content: bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + length)) }
    at += 12 + length
  }
}

function pngHeader(bytes: Uint8Array): PngHeader | null {
  for (const { type, content } of chunksOf(bytes)) {
    if (type !== 'IHDR') continue
    if (content.length < 13) return null
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
    return {
      width: view.getUint32(0),
      height: view.getUint32(4),
      depth: content[8]!,
      colour: content[9]!,
      isInterlaced: content[12] !== 0,
    }
  }
  return null
}

/** Samples per pixel, by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The rows of a PNG with their filters. `too_large`: it has more data than its header states. */
export function unpackPng(bytes: Uint8Array): Uint8Array | 'too_large' | null {
  const header = pngHeader(bytes)
  const samples = header && samplesOf[header.colour]
  if (!header || !samples) return null
  const row = Math.ceil((header.width * samples * header.depth) / 8) + 1
  const packed = [...chunksOf(bytes)].flatMap(({ type, content }) => (type === 'IDAT' ? [content] : []))
  try {
    // In an interlaced picture the rows of every pass are rounded up.
    const most = header.isInterlaced ? 2 * row * header.height + 4096 : row * header.height
    return inflateSync(Buffer.concat(packed), { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      ? 'too_large'
      : null
  }
}

/** Null: interlaced, or damaged. */
export function greyOfPng(bytes: Uint8Array, rows: Uint8Array): Grey | null {
  const header = pngHeader(bytes)
  const samples = header && samplesOf[header.colour]
  if (!header || !samples || header.isInterlaced) return null
  const { width, height, depth } = header
  const row = Math.ceil((width * samples * depth) / 8)
  const step = Math.max(1, (samples * depth) >> 3)
  if (rows.length < (row + 1) * height) return null
  const palette = header.colour === 3 ? paletteOf(bytes) : null
  const data = new Uint8Array(width * height)
  let before = new Uint8Array(row)
  for (let y = 0; y < height; y++) {
    const start = y * (row + 1)
    const current = rows.slice(start + 1, start + 1 + row)
    unfilter(rows[start]!, current, before, step)
    greyRow(current, { ...header, samples, palette }, data.subarray(y * width, (y + 1) * width))
    before = current
  }
  return { width, height, data }
}

function unfilter(kind: number, row: Uint8Array, above: Uint8Array, step: number): void {
  for (let i = 0; kind !== 0 && i < row.length; i++) {
    const left = i < step ? 0 : row[i - step]!
    const up = above[i]!
    const corner = i < step ? 0 : above[i - step]!
    row[i]! += kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : paeth(left, up, corner)
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

interface RowForm extends PngHeader {
  samples: number
  palette: Uint8Array | null
}

/** Transparent pixels become white, like paper. */
function greyRow(row: Uint8Array, { depth, colour, samples, palette }: RowForm, into: Uint8Array): void {
  const most = depth < 8 ? 2 ** depth - 1 : 255
  const sample = (index: number): number => {
    if (depth === 8) return row[index]!
    if (depth === 16) return row[index * 2]!
    const bit = index * depth
    return (row[bit >> 3]! >> (8 - depth - (bit & 7))) & most
  }
  for (let x = 0; x < into.length; x++) {
    const at = x * samples
    if (palette) {
      into[x] = palette[sample(at)] ?? 255
      continue
    }
    const value =
      colour === 2 || colour === 6
        ? luminance(sample(at), sample(at + 1), sample(at + 2))
        : (sample(at) * 255) / most
    const alpha = colour === 4 || colour === 6 ? sample(at + samples - 1) : 255
    into[x] = 255 - ((255 - value) * alpha) / 255
  }
}

/** The grey value of each palette index. */
function paletteOf(bytes: Uint8Array): Uint8Array {
  const parts = new Map<string, Uint8Array>()
  for (const { type, content } of chunksOf(bytes)) if (!parts.has(type)) parts.set(type, content)
  const [colours, alpha] = [parts.get('PLTE') ?? new Uint8Array(), parts.get('tRNS')]
  return Uint8Array.from({ length: Math.floor(colours.length / 3) }, (_, index) => {
    const value = luminance(colours[index * 3]!, colours[index * 3 + 1]!, colours[index * 3 + 2]!)
    return 255 - ((255 - value) * (alpha?.[index] ?? 255)) / 255
  })
}

const luminance = (red: number, green: number, blue: number): number =>
  (red * 306 + green * 601 + blue * 117) >> 10

/** From one, three or four bytes per pixel; the fourth is opacity. */
export function greyOf(data: ArrayLike<number>, width: number, height: number): Grey | null {
  const channels = data.length / (width * height)
  if (![1, 3, 4].includes(channels)) return null
  const grey = new Uint8Array(width * height)
  for (let i = 0; i < grey.length; i++) {
    const at = i * channels
    const value = channels === 1 ? data[at]! : luminance(data[at]!, data[at + 1]!, data[at + 2]!)
    grey[i] = channels === 4 ? 255 - ((255 - value) * data[at + 3]!) / 255 : value
  }
  return { width, height, data: grey }
}

/** From one bit per pixel, with rows padded to whole bytes. */
export function greyOfBits(data: Uint8Array, width: number, height: number, isOneWhite: boolean): Grey {
  const grey = new Uint8Array(width * height)
  const row = (width + 7) >> 3
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = (data[y * row + (x >> 3)]! >> (7 - (x & 7))) & 1
      grey[y * width + x] = (bit === 1) === isOneWhite ? 255 : 0
    }
  return { width, height, data: grey }
}

// Changes

/** Shrinks a picture so that no side is longer than this; each pixel is the mean of those it replaces. */
export function shrunk(grey: Grey, longest: number): Grey {
  const factor = Math.ceil(Math.max(grey.width, grey.height) / longest)
  if (factor <= 1) return grey
  const [width, height] = [Math.floor(grey.width / factor), Math.floor(grey.height / factor)]
  if (width === 0 || height === 0) return grey
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let dy = 0; dy < factor; dy++) {
        const start = (y * factor + dy) * grey.width + x * factor
        for (let dx = 0; dx < factor; dx++) sum += grey.data[start + dx]!
      }
      data[y * width + x] = sum / (factor * factor)
    }
  return { width, height, data }
}

/** Enlarges each pixel to a square. */
export function enlarged({ width, height, data }: Grey, factor: number): Grey {
  const wide = width * factor
  const large = new Uint8Array(wide * height * factor)
  for (let y = 0; y < height * factor; y++)
    for (let x = 0; x < wide; x++)
      large[y * wide + x] = data[Math.floor(y / factor) * width + Math.floor(x / factor)]!
  return { width: wide, height: height * factor, data: large }
}

/** Enlarges a picture smoothly. */
export function grown(grey: Grey, factor: number): Grey {
  const [width, height] = [Math.round(grey.width * factor), Math.round(grey.height * factor)]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data[y * width + x] = between(grey, x / factor, y / factor)
  return { width, height, data }
}

/** The grey at a point between four pixels. */
function between({ width, height, data }: Grey, x: number, y: number): number {
  const [left, top] = [Math.min(Math.floor(x), width - 2), Math.min(Math.floor(y), height - 2)]
  const [fx, fy, at] = [x - left, y - top, top * width + left]
  const [a, b, c, d] = [data[at]!, data[at + 1]!, data[at + width]!, data[at + width + 1]!]
  const upper = a + (b - a) * fx
  return upper + (c + (d - c) * fx - upper) * fy
}

/** Adds a white margin: symbols need one to be found, and pictures in documents are often cropped to the symbol. */
export function framed({ width, height, data }: Grey, margin: number): Grey {
  const wide = width + 2 * margin
  const sheet = new Uint8Array(wide * (height + 2 * margin)).fill(255)
  for (let y = 0; y < height; y++)
    sheet.set(data.subarray(y * width, (y + 1) * width), (y + margin) * wide + margin)
  return { width: wide, height: height + 2 * margin, data: sheet }
}

/** Rotates a picture about its centre, on a white background that holds all of it. */
export function turned(grey: Grey, degrees: number): Grey {
  const { width, height } = grey
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const wide = Math.ceil(Math.abs(width * cos) + Math.abs(height * sin))
  const high = Math.ceil(Math.abs(width * sin) + Math.abs(height * cos))
  const sheet = new Uint8Array(wide * high).fill(255)
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const [dx, dy] = [x - wide / 2, y - high / 2]
      const [sx, sy] = [dx * cos + dy * sin + width / 2, dy * cos - dx * sin + height / 2]
      const [left, top] = [Math.floor(sx), Math.floor(sy)]
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue
      sheet[y * wide + x] = between(grey, sx, sy)
    }
  return { width: wide, height: high, data: sheet }
}

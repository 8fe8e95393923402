// A poster as a file for printing.
import { drawPoster, type Poster } from './draw.ts'
import { BLEED, layoutOf } from './layout.ts'
import { type Paper, papers } from './poster.ts'
import { VectorCanvas } from './vector.ts'

const DPI = 300
const MM_PER_INCH = 25.4

interface Print {
  paper: Paper
  hasBleed: boolean
}

interface Size {
  /** Pixels at 300 dpi. */
  width: number
  height: number
  /** Pixels for one unit of the drawing. */
  scale: number
  /** Units around the sheet. */
  bleed: number
}

export function printSize(poster: Pick<Poster, 'style'>, { paper, hasBleed }: Print): Size {
  const layout = layoutOf(poster.style)
  const bleed = hasBleed ? BLEED : 0
  const [short] = papers[paper]
  const pixels = (short / MM_PER_INCH) * DPI
  const scale = pixels / Math.min(layout.width, layout.height)
  // 3 mm on every paper, although the drawing is scaled.
  const around = (bleed * papers.a3[0]) / short
  return {
    width: Math.round((layout.width + 2 * around) * scale),
    height: Math.round((layout.height + 2 * around) * scale),
    scale,
    bleed: around,
  }
}

/** Draws at any size, such as the preview's. */
export function drawAt(canvas: HTMLCanvasElement, poster: Poster, size: Size): void {
  canvas.width = size.width
  canvas.height = size.height
  const ctx = canvas.getContext('2d')
  if (!ctx) throw new Error('the browser has no room for a canvas of this size')
  const { scale, bleed } = size
  ctx.setTransform(scale, 0, 0, scale, bleed * scale, bleed * scale)
  drawPoster(ctx, poster)
}

/** Some browsers cannot make a picture of this size: then there is no blob. */
export async function posterPng(poster: Poster, print: Print): Promise<Blob> {
  const canvas = document.createElement('canvas')
  drawAt(canvas, poster, printSize(poster, print))
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  canvas.width = 0
  if (!blob) throw new Error('the browser cannot make a picture of this size')
  return new Blob([withResolution(new Uint8Array(await blob.arrayBuffer()))], { type: 'image/png' })
}

export function posterSvg(poster: Poster, print: Print): Blob {
  const { width, height } = layoutOf(poster.style)
  const { bleed, scale } = printSize(poster, print)
  const millimetres = (units: number) => `${((units * scale * MM_PER_INCH) / DPI).toFixed(1)}mm`
  const measures = document.createElement('canvas').getContext('2d')!
  const vector = new VectorCanvas(measures)
  drawPoster(vector.context, poster)
  const [wide, high] = [width + 2 * bleed, height + 2 * bleed]
  const text = vector.toString(poster.words.title, {
    width: millimetres(wide),
    height: millimetres(high),
    viewBox: [-bleed, -bleed, wide, high],
  })
  return new Blob([text], { type: 'image/svg+xml' })
}

const PIXELS_PER_METRE = Math.round(DPI / (MM_PER_INCH / 1000))
/** After the signature and the header, which are always this long. */
const AFTER_HEADER = 33

/** With the size at which it is to be printed (pHYs), which a canvas does not write. */
export function withResolution(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(21)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, 9)
  chunk.set(new TextEncoder().encode('pHYs'), 4)
  view.setUint32(8, PIXELS_PER_METRE)
  view.setUint32(12, PIXELS_PER_METRE)
  // The unit is the metre.
  chunk[16] = 1
  view.setUint32(17, checksum(chunk.subarray(4, 17)))
  const out = new Uint8Array(png.length + chunk.length)
  out.set(png.subarray(0, AFTER_HEADER))
  out.set(chunk, AFTER_HEADER)
  out.set(png.subarray(AFTER_HEADER), AFTER_HEADER + chunk.length)
  return out
}

/** CRC-32, as in the PNG specification. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

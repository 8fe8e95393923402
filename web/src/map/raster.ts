// Many thin lines in a moving frame, drawn point by point: a canvas takes ten times as long for thousands of lines.
import { wrapJump } from './camera.ts'
import type { Frame } from './frame.ts'
import type { Line } from './scene.ts'

export interface Ink {
  /** Red, green and blue in the order of the bytes of a canvas. */
  word: number
  /** 0 to 255. */
  strength: number
}

/** Draws anti-aliased lines of one pixel. */
export class Raster {
  readonly width: number
  readonly height: number
  readonly words: Uint32Array

  constructor(width: number, height: number, words: Uint32Array) {
    this.width = width
    this.height = height
    this.words = words
  }

  line(x0: number, y0: number, x1: number, y1: number, ink: Ink): void {
    const [dx, dy] = [x1 - x0, y1 - y0]
    const isSteep = Math.abs(dy) > Math.abs(dx)
    const steps = Math.max(1, Math.ceil(isSteep ? Math.abs(dy) : Math.abs(dx)))
    const [stepX, stepY] = [dx / steps, dy / steps]
    // One point less: the next part of the line begins with it.
    for (let i = 0, x = x0, y = y0; i < steps; i++, x += stepX, y += stepY) {
      const [wholeX, wholeY] = [Math.floor(x), Math.floor(y)]
      const part = isSteep ? x - wholeX : y - wholeY
      if (wholeX < 0 || wholeY < 0 || wholeX >= this.width - 1 || wholeY >= this.height - 1) continue
      const at = wholeY * this.width + wholeX
      this.put(at, ink, 1 - part)
      this.put(isSteep ? at + 1 : at + this.width, ink, part)
    }
  }

  /** Over what is there; the colour is that of the later line. */
  private put(at: number, { word, strength }: Ink, cover: number): void {
    const added = strength * cover
    if (added < 4) return
    const below = this.words[at]! >>> 24
    const opacity = below + ((255 - below) * added) / 255
    this.words[at] = ((opacity << 24) | word) >>> 0
  }
}

/** Keeps its buffer between the frames of one map. */
export class LinePicture {
  private readonly canvas = document.createElement('canvas')
  private pixels: ImageData | null = null

  /** Lines of a frame, each in its ink; `stride` is how many points are passed over. */
  draw(frame: Frame, lines: Iterable<readonly [Line, Ink]>, stride: number): void {
    const { ctx } = frame
    const { width, height } = ctx.canvas
    const raster = this.cleared(width, height)
    const ratio = ctx.getTransform().a
    for (const [line, ink] of lines) trace(raster, frame, line, ink, stride, ratio)
    this.canvas.getContext('2d')!.putImageData(this.pixels!, 0, 0)
    ctx.save()
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.drawImage(this.canvas, 0, 0)
    ctx.restore()
  }

  private cleared(width: number, height: number): Raster {
    if (this.pixels?.width !== width || this.pixels.height !== height) {
      Object.assign(this.canvas, { width, height })
      this.pixels = new ImageData(width, height)
    }
    const words = new Uint32Array(this.pixels.data.buffer)
    words.fill(0)
    return new Raster(width, height, words)
  }
}

function trace(
  raster: Raster,
  { at, camera }: Frame,
  line: Line,
  ink: Ink,
  stride: number,
  ratio: number,
): void {
  const { x, y, depth } = at
  const last = line.start + line.count - 1
  const step = Math.max(1, Math.min(stride, (line.count - 1) >> 2))
  const jump = wrapJump(camera)
  for (let p = line.start; p < last; ) {
    const i = Math.min(p + step, last)
    // What crosses the limb ends there within a few pixels; a moving frame need not be more exact.
    const isSeen = depth[i]! >= 0 && depth[p]! >= 0 && Math.abs(x[i]! - x[p]!) <= jump
    if (isSeen) raster.line(x[p]! * ratio, y[p]! * ratio, x[i]! * ratio, y[i]! * ratio, ink)
    p = i
  }
}

// Thousands of thin lines as one picture: a canvas takes ten times as long for them.
import { FADES_BELOW } from '../../../server/domain/geo/arc-height.ts'
import { wrapJump } from './camera.ts'
import { type Box, boxOf, type Frame } from './frame.ts'
import { traceSphere } from './land/land.ts'
import { type Ink, Raster } from './raster.ts'
import type { Line } from './scene.ts'
import { STRIDE } from './sphere.ts'

type Seen = Omit<Frame, 'scene'> & { scene: { points: Float32Array } }

/** In motion, lines have rougher edges: half as many pixels are written. */
const MOVING_EDGE = 0.3

/** A worker has no document. */
const newCanvas = (): HTMLCanvasElement | OffscreenCanvas =>
  'document' in globalThis ? document.createElement('canvas') : new OffscreenCanvas(1, 1)

const contextOf = (canvas: HTMLCanvasElement | OffscreenCanvas): CanvasRenderingContext2D =>
  canvas.getContext('2d') as CanvasRenderingContext2D

/** Keeps its buffer between the frames of one map. */
export class LinePicture {
  private readonly canvas = newCanvas()
  private pixels: ImageData | null = null

  /** Lines of a frame, each in its ink; `stride` is how many points are passed over. */
  draw<L extends Line>(frame: Seen, lines: readonly L[], inkOf: (line: L) => Ink, stride: number): void {
    const { ctx } = frame
    const box = boxOf(frame, 1)
    if (box.width <= 0 || box.height <= 0) return
    const raster = this.cleared(box, frame.moving)
    for (const line of lines) trace(raster, frame, line, inkOf(line), stride, box)
    contextOf(this.canvas).putImageData(this.pixels!, 0, 0)
    ctx.save()
    if (frame.camera.view === 'flat') {
      traceSphere(ctx, frame.camera, frame.viewport)
      ctx.clip()
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.drawImage(this.canvas, box.left, box.top)
    ctx.restore()
  }

  private cleared({ width, height }: Box, moving: boolean): Raster {
    if (this.pixels?.width !== width || this.pixels.height !== height) {
      Object.assign(this.canvas, { width, height })
      this.pixels = new ImageData(width, height)
    }
    const words = new Int32Array(this.pixels.data.buffer)
    words.fill(0)
    return new Raster(width, height, words, moving ? MOVING_EDGE : 0)
  }
}

function trace(
  raster: Raster,
  { at, camera, scene }: Seen,
  line: Line,
  ink: Ink,
  stride: number,
  { left, top, ratio }: Box,
): void {
  const { x, y, depth } = at
  const last = line.start + line.count - 1
  const step = Math.max(1, Math.min(stride, (line.count - 1) >> 2))
  const jump = wrapJump(camera) * ratio
  for (let p = line.start; p < last; ) {
    const i = Math.min(p + step, last)
    const least = Math.min(depth[i]!, depth[p]!)
    // What crosses the limb has faded away before it.
    if (least > 0) {
      const strength = least < FADES_BELOW ? (ink.strength * least) / FADES_BELOW : ink.strength
      const px = x[p]! * ratio - left
      const py = y[p]! * ratio - top
      const ix = x[i]! * ratio - left
      const iy = y[i]! * ratio - top
      if (Math.abs(ix - px) <= jump) raster.line(px, py, ix, iy, ink.word, strength)
      else {
        // To one edge of the flat map and on from the other.
        const side = (ix < px ? 1 : -1) * 2 * Math.PI * camera.scale * ratio
        raster.line(px, py, ix + side * scene.points[i * STRIDE + 4]!, iy, ink.word, strength)
        raster.line(px - side * scene.points[p * STRIDE + 4]!, py, ix, iy, ink.word, strength)
      }
    }
    p = i
  }
}

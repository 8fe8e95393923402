// Thousands of thin lines as one picture: a canvas takes ten times as long for them.
import { centreOf, wrapJump } from './camera.ts'
import type { Frame } from './frame.ts'
import { traceSphere } from './land.ts'
import { type Ink, Raster } from './raster.ts'
import type { Line } from './scene.ts'
import { STRIDE } from './sphere.ts'

/** A part of a canvas, in its pixels. */
interface Box {
  left: number
  top: number
  width: number
  height: number
  /** Pixels of the canvas for one of the window. */
  ratio: number
}

/** Keeps its buffer between the frames of one map. */
export class LinePicture {
  private readonly canvas = document.createElement('canvas')
  private pixels: ImageData | null = null

  /** Lines of a frame, each in its ink; `stride` is how many points are passed over. */
  draw<L extends Line>(frame: Frame, lines: readonly L[], inkOf: (line: L) => Ink, stride: number): void {
    const { ctx } = frame
    const box = boxOf(frame)
    if (box.width <= 0 || box.height <= 0) return
    const raster = this.cleared(box)
    for (const line of lines) trace(raster, frame, line, inkOf(line), stride, box)
    this.canvas.getContext('2d')!.putImageData(this.pixels!, 0, 0)
    ctx.save()
    if (frame.camera.view === 'flat') {
      traceSphere(ctx, frame.camera, frame.viewport)
      ctx.clip()
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.drawImage(this.canvas, box.left, box.top)
    ctx.restore()
  }

  private cleared({ width, height }: Box): Raster {
    if (this.pixels?.width !== width || this.pixels.height !== height) {
      Object.assign(this.canvas, { width, height })
      this.pixels = new ImageData(width, height)
    }
    const words = new Int32Array(this.pixels.data.buffer)
    words.fill(0)
    return new Raster(width, height, words)
  }
}

/** An arc near the limb stands this much over it. */
const OVER_LIMB = 1.08

/** Where lines can be: on a whole globe that is half of the window. */
function boxOf({ ctx, camera, viewport }: Frame): Box {
  const { width, height } = ctx.canvas
  const ratio = ctx.getTransform().a
  if (camera.view === 'flat') return { left: 0, top: 0, width, height, ratio }
  const [cx, cy] = centreOf(viewport)
  const reach = camera.scale * OVER_LIMB
  const left = Math.max(0, Math.floor((cx - reach) * ratio))
  const top = Math.max(0, Math.floor((cy - reach) * ratio))
  const right = Math.min(width, Math.ceil((cx + reach) * ratio))
  const bottom = Math.min(height, Math.ceil((cy + reach) * ratio))
  return { left, top, width: right - left, height: bottom - top, ratio }
}

/** A line fades from here to the limb. */
const FADES_BELOW = 0.27

function trace(
  raster: Raster,
  { at, camera, scene }: Frame,
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

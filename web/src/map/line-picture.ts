// Thousands of thin lines as one picture: a canvas takes ten times as long for them.
import { wrapJump } from './camera.ts'
import type { Frame } from './frame.ts'
import { traceSphere } from './land.ts'
import { type Ink, Raster } from './raster.ts'
import type { Line } from './scene.ts'
import { STRIDE } from './sphere.ts'

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
    if (frame.camera.view === 'flat') {
      traceSphere(ctx, frame.camera, frame.viewport)
      ctx.clip()
    }
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

/** A line fades from here to the limb. */
const FADES_BELOW = 0.27

function trace(
  raster: Raster,
  { at, camera, scene }: Frame,
  line: Line,
  ink: Ink,
  stride: number,
  ratio: number,
): void {
  const { x, y, depth } = at
  const last = line.start + line.count - 1
  const step = Math.max(1, Math.min(stride, (line.count - 1) >> 2))
  const jump = wrapJump(camera)
  const faded = { ...ink }
  for (let p = line.start; p < last; ) {
    const i = Math.min(p + step, last)
    const least = Math.min(depth[i]!, depth[p]!)
    // What crosses the limb has faded away before it.
    if (least >= 0) {
      faded.strength = ink.strength * Math.min(1, least / FADES_BELOW)
      const [px, py, ix, iy] = [x[p]! * ratio, y[p]! * ratio, x[i]! * ratio, y[i]! * ratio]
      if (Math.abs(x[i]! - x[p]!) <= jump) raster.line(px, py, ix, iy, faded)
      else {
        // To one edge of the flat map and on from the other.
        const side = (ix < px ? 1 : -1) * 2 * Math.PI * camera.scale * ratio
        raster.line(px, py, ix + side * scene.points[i * STRIDE + 4]!, iy, faded)
        raster.line(px - side * scene.points[p * STRIDE + 4]!, py, ix, iy, faded)
      }
    }
    p = i
  }
}

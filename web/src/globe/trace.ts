// Lines of one colour as paths: without what is behind the globe or beyond the edge of the flat map, fading towards the limb.
import { RIM, rimStep } from '../../../server/domain/geo/arc-height.ts'
import { type Projected, wrapJump } from './camera.ts'
import type { Line, Scene } from './scene.ts'
import { STRIDE } from './sphere.ts'
import type { Camera } from './types.ts'

const PEN_UP = -1

interface Seen {
  scene: Pick<Scene, 'points'>
  at: Projected
  camera: Camera
  moving: boolean
}

export class Lines {
  /** From the limb to what faces the viewer; a canvas path is made when something is drawn there. */
  private readonly paths: (Path2D | undefined)[] = RIM.map(() => undefined)
  private readonly seen: Seen
  private readonly jump: number
  private band = PEN_UP
  /** The path was not left at the point where the next part starts. */
  private isNew = false

  constructor(seen: Seen) {
    this.seen = seen
    this.jump = wrapJump(seen.camera)
  }

  /** A line up to a share of its length; `stride` is how many of its points are passed over. */
  add(line: Line, stride: number, until = 1): void {
    const { depth } = this.seen.at
    const last = line.start + Math.floor((line.count - 1) * until)
    const step = Math.max(1, Math.min(stride, (line.count - 1) >> 2))
    this.band = PEN_UP
    let previous = line.start
    while (previous < last) {
      const i = Math.min(previous + step, last)
      if (depth[i]! >= 0 || depth[previous]! >= 0) this.segment(previous, i)
      else this.band = PEN_UP
      previous = i
    }
    if (until < 1 && depth[last]! >= 0) this.tip(last, tipOf(this.seen.at, line, until))
  }

  /** What is wide fades sooner, or the ends of its steps would be seen. */
  stroke(ctx: CanvasRenderingContext2D, isWide = false): void {
    const alpha = ctx.globalAlpha
    for (const [band, path] of this.paths.entries()) {
      if (!path) continue
      ctx.globalAlpha = alpha * (RIM[band] ?? 1) ** (isWide ? 2 : 1)
      ctx.stroke(path)
    }
    ctx.globalAlpha = alpha
  }

  private pathAt(depth: number): Path2D {
    const band = rimStep(depth)
    let path = this.paths[band]
    if (!path) {
      path = new Path2D()
      this.paths[band] = path
    }
    if (band !== this.band) this.isNew = true
    this.band = band
    return path
  }

  private segment(p: number, i: number): void {
    const { x, y, depth } = this.seen.at
    if (Math.abs(x[i]! - x[p]!) > this.jump) {
      this.wrapAround(p, i)
      return
    }
    const isCrossing = depth[i]! < 0 || depth[p]! < 0
    const t = isCrossing ? depth[p]! / (depth[p]! - depth[i]!) : 0
    const [hx, hy] = [x[p]! + t * (x[i]! - x[p]!), y[p]! + t * (y[i]! - y[p]!)]
    const isLeaving = depth[i]! < 0
    const path = this.pathAt(isCrossing ? 0 : (depth[i]! + depth[p]!) / 2)
    if (this.isNew) {
      if (isLeaving) path.moveTo(x[p]!, y[p]!)
      else path.moveTo(hx, hy)
    }
    this.isNew = false
    if (isLeaving) path.lineTo(hx, hy)
    else path.lineTo(x[i]!, y[i]!)
  }

  private tip(last: number, [x, y]: [number, number]): void {
    const { at } = this.seen
    const path = this.pathAt(at.depth[last]!)
    if (this.isNew) path.moveTo(at.x[last]!, at.y[last]!)
    this.isNew = false
    path.lineTo(x, y)
  }

  /** To one edge of the flat map and on from the other. */
  private wrapAround(p: number, i: number): void {
    const { at, scene, camera, moving } = this.seen
    const path = this.pathAt(1)
    const sign = at.x[i]! < at.x[p]! ? 1 : -1
    const round = (k: number) => sign * 2 * Math.PI * scene.points[k * STRIDE + 4]! * camera.scale
    if (!moving) {
      if (this.isNew) path.moveTo(at.x[p]!, at.y[p]!)
      path.lineTo(at.x[i]! + round(i), at.y[i]!)
      path.moveTo(at.x[p]! - round(p), at.y[p]!)
      path.lineTo(at.x[i]!, at.y[i]!)
    } else path.moveTo(at.x[i]!, at.y[i]!)
    this.isNew = false
  }
}

/** End point of a line that is drawn up to a share of its length. */
export function tipOf(at: Projected, line: Line, until: number): [number, number] {
  const reach = (line.count - 1) * until
  const i = line.start + Math.floor(reach)
  const next = Math.min(i + 1, line.start + line.count - 1)
  const t = reach - Math.floor(reach)
  return [at.x[i]! + t * (at.x[next]! - at.x[i]!), at.y[i]! + t * (at.y[next]! - at.y[i]!)]
}

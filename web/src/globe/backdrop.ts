// What is kept as a picture between frames. While the globe turns: sea, halo, the haze and the line at its rim, as a gradient over
// a whole screen takes longer than everything else of a frame. While it stands still and routes change: the world under them.
import { centreOf } from './camera.ts'
import { boxOf, type Frame } from './frame.ts'
import { canDraw } from './land/land.ts'
import { HALO, hasLimb, paintLimb, paintSphere, paintWorld } from './land/world.ts'
import type { StillWorld } from './still-world.ts'

interface LayerRules {
  paint: (frame: Frame) => void
  /** Everything that its look depends on. */
  key: (frame: Frame) => string
  /** Whether it is worth keeping in such frames. */
  isFor: (frame: Frame) => boolean
  /** How far it reaches from the centre of a globe, in its radii: copying the rest would be for nothing. */
  radii: number
}

/** A painted layer that is painted again only when something that it shows has changed. */
class Layer {
  private readonly rules: LayerRules
  private readonly picture = document.createElement('canvas')
  private painted = ''
  private last = ''

  constructor(rules: LayerRules) {
    this.rules = rules
  }

  draw(frame: Frame): void {
    const key = this.rules.isFor(frame) ? this.rules.key(frame) : ''
    // A zoom changes it with every frame, so a picture would be used only once.
    const isKept = key !== '' && key === this.last
    this.last = key
    if (!isKept) {
      this.rules.paint(frame)
      return
    }
    if (this.painted !== key) this.keep(frame, key)
    drawPicture(frame, this.picture, this.rules.radii)
  }

  /** The next moving frame looks like this one, so its picture is made in that frame and not in the second. */
  expect(frame: Frame): void {
    this.last = this.rules.key(frame)
  }

  private keep(frame: Frame, key: string): void {
    this.painted = key
    this.picture.width = frame.ctx.canvas.width
    this.picture.height = frame.ctx.canvas.height
    const ctx = this.picture.getContext('2d')!
    ctx.setTransform(frame.ctx.getTransform())
    this.rules.paint({ ...frame, ctx })
  }
}

export function drawPicture(frame: Frame, picture: CanvasImageSource, radii: number): void {
  const { ctx } = frame
  const { left, top, width, height } = boxOf(frame, radii)
  if (width <= 0 || height <= 0) return
  ctx.save()
  ctx.setTransform(1, 0, 0, 1, 0, 0)
  ctx.drawImage(picture, left, top, width, height, left, top, width, height)
  ctx.restore()
}

function keyOf({ ctx, camera, viewport, theme, night }: Frame): string {
  const [cx, cy] = centreOf(viewport)
  // The edge of the flat map does not depend on the direction either, but on how far up it is.
  const lat = camera.view === 'flat' ? camera.lat : 0
  const { width, height } = ctx.canvas
  return [camera.view, camera.scale, lat, cx, cy, width, height, theme.dark, night !== null].join()
}

const isMoving = ({ moving }: Frame): boolean => moving

/** The layers of one map. */
export class Backdrop {
  private readonly under = new Layer({ paint: paintSphere, key: keyOf, isFor: isMoving, radii: HALO })
  private readonly over = new Layer({ paint: paintLimb, key: keyOf, isFor: isMoving, radii: 1 })
  private readonly world = new Layer({
    paint: (frame) => this.paintWorld(frame),
    key: (frame) => `${stillKeyOf(frame)} ${frame.land?.fine}`,
    isFor: ({ moving, land, camera }) => !moving && land !== null && canDraw(camera),
    radii: HALO,
  })
  private readonly still: StillWorld | null
  /** The picture of the still world has it. */
  private isLimbDrawn = false
  /** A picture has been drawn: from then on there is always a globe. */
  private isShown = false

  /** With `still`, the world of a globe that stands still is painted beside the page. */
  constructor(still: StillWorld | null = null) {
    this.still = still
  }

  /** Whether the picture of this still world is yet to come. */
  awaits(frame: Frame): boolean {
    return this.pictureOf(frame) === null
  }

  /** Undefined where the world is painted here. */
  private pictureOf(frame: Frame): ImageBitmap | null | undefined {
    const picture =
      this.still && isForStill(frame) ? this.still.pictureOf(frame, stillKeyOf(frame)) : 'refused'
    return picture === 'refused' ? undefined : picture
  }

  /** Everything under the routes but the night. Nothing while the first picture is awaited. */
  drawWorld(frame: Frame): void {
    const picture = this.pictureOf(frame)
    this.isShown ||= Boolean(picture)
    const isHere = picture === undefined || (picture === null && this.isShown)
    this.isLimbDrawn = !isHere && (picture === null || frame.night === null)
    if (isHere) {
      this.world.draw(frame)
      return
    }
    if (picture) drawPicture(frame, picture, HALO)
    this.under.expect(frame)
    this.over.expect(frame)
  }

  private paintWorld(frame: Frame): void {
    paintWorld(frame, () => this.under.draw(frame))
  }

  drawLimb(frame: Frame): void {
    if (!this.isLimbDrawn && hasLimb(frame)) this.over.draw(frame)
  }
}

export const stillKeyOf = (frame: Frame): string => `${keyOf(frame)} ${frame.camera.lon} ${frame.camera.lat}`

export const isForStill = ({ moving, atOnce, camera }: Frame): boolean =>
  !moving && !atOnce && camera.view === 'globe'

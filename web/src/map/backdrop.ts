// What is kept as a picture between frames. While the globe turns: sea, halo, the haze and the line at its rim, as a gradient over
// a whole screen takes longer than everything else of a frame. While it stands still and routes change: the world under them.
import { mixColours, type Rgb } from '../../../server/domain/colour.ts'
import { centreOf } from './camera.ts'
import { boxOf, type Frame } from './frame.ts'
import { drawGraticule } from './graticule.ts'
import { canDraw, drawLand, type Land, traceSphere } from './land.ts'
import { rgba } from './theme.ts'

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
    // A zoom changes it with every frame: then a picture would be made for nothing.
    const isKept = key !== '' && key === this.last
    this.last = key
    if (!isKept) {
      this.rules.paint(frame)
      return
    }
    if (this.painted !== key) this.keep(frame, key)
    const { ctx } = frame
    const { left, top, width, height } = boxOf(frame, this.rules.radii)
    ctx.save()
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    if (width > 0 && height > 0)
      ctx.drawImage(this.picture, left, top, width, height, left, top, width, height)
    ctx.restore()
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

function keyOf({ ctx, camera, viewport, theme, night }: Frame): string {
  const [cx, cy] = centreOf(viewport)
  // The edge of the flat map does not depend on the direction either, but on how far up it is.
  const lat = camera.view === 'flat' ? camera.lat : 0
  const { width, height } = ctx.canvas
  return [camera.view, camera.scale, lat, cx, cy, width, height, theme.dark, night !== null].join()
}

const HALO = 1.16
const isMoving = ({ moving }: Frame): boolean => moving

/** The layers of one map. */
export class Backdrop {
  private readonly under = new Layer({ paint: paintSphere, key: keyOf, isFor: isMoving, radii: HALO })
  private readonly over = new Layer({ paint: paintLimb, key: keyOf, isFor: isMoving, radii: 1 })
  private readonly world = new Layer({
    paint: (frame) => this.paintWorld(frame),
    key: (frame) => `${keyOf(frame)} ${frame.camera.lon} ${frame.camera.lat} ${frame.land?.fine}`,
    isFor: ({ moving, land, camera }) => !moving && land !== null && canDraw(camera),
    radii: HALO,
  })

  /** Everything under the routes but the night. */
  drawWorld(frame: Frame): void {
    this.world.draw(frame)
  }

  private paintWorld(frame: Frame): void {
    this.under.draw(frame)
    if (frame.theme.graticule) drawGraticule(frame, frame.theme.graticule)
    if (frame.land) paintLand(frame, frame.land)
  }

  drawLimb(frame: Frame): void {
    if (frame.camera.view === 'globe' && isWhole(frame)) this.over.draw(frame)
  }
}

function paintLand(frame: Frame, land: Land): void {
  const { ctx, camera, viewport, theme, moving, night } = frame
  const lines = moving ? null : theme
  const fill = night === null ? theme.land : theme.landDay
  drawLand(ctx, land, camera, viewport, { fill, lines, precision: moving ? 0 : 0.5 })
}

/** Far zoomed in, neither rim nor halo is in sight. */
const isWhole = ({ camera, viewport }: Frame): boolean => camera.scale <= viewport.width * 1.5

function paintSphere(frame: Frame): void {
  const { ctx, camera, viewport, theme } = frame
  const [cx, cy] = centreOf(viewport)
  const r = camera.scale
  if (camera.view === 'globe' && isWhole(frame)) {
    const reach = r * HALO
    const halo = ctx.createRadialGradient(cx, cy, r * 0.97, cx, cy, reach)
    halo.addColorStop(0, rgba(theme.halo, theme.dark ? 0.75 : 0.7))
    halo.addColorStop(0.3, rgba(theme.halo, theme.dark ? 0.25 : 0.26))
    halo.addColorStop(1, rgba(theme.halo, 0))
    ctx.fillStyle = halo
    ctx.fillRect(cx - reach, cy - reach, 2 * reach, 2 * reach)
  }
  traceSphere(ctx, camera, viewport)
  const sea = frame.night === null ? theme.ocean : theme.oceanDay
  ctx.fillStyle = camera.view === 'globe' && isWhole(frame) ? seaShade(frame, sea, cx, cy, r) : rgba(sea, 1)
  ctx.fill()
}

/** Shades the globe with light from the upper left. */
function seaShade(frame: Frame, sea: Rgb, cx: number, cy: number, r: number): CanvasGradient {
  const { ctx, theme, night } = frame
  const lit = night === null || !theme.dark ? theme.oceanLit : sea
  const shade = ctx.createRadialGradient(cx - r * 0.35, cy - r * 0.4, r * 0.05, cx, cy, r)
  shade.addColorStop(0, rgba(lit, 1))
  shade.addColorStop(1, rgba(sea, 1))
  return shade
}

/** Fades everything at the edge of the globe, for depth without drawing the lines twice. */
function paintLimb(frame: Frame): void {
  const { ctx, camera, viewport, theme } = frame
  const [cx, cy] = centreOf(viewport)
  const r = camera.scale
  const haze = mixColours(theme.ocean, theme.halo, theme.dark ? 0.35 : 0.5)
  const limb = ctx.createRadialGradient(cx, cy, r * 0.62, cx, cy, r)
  limb.addColorStop(0, rgba(haze, 0))
  limb.addColorStop(0.6, rgba(haze, 0.175 * theme.haze))
  limb.addColorStop(0.92, rgba(haze, 0.625 * theme.haze))
  limb.addColorStop(1, rgba(haze, theme.haze))
  ctx.beginPath()
  ctx.arc(cx, cy, r + 0.5, 0, 2 * Math.PI)
  ctx.fillStyle = limb
  ctx.fill()
  if (!theme.rim) return
  ctx.lineWidth = 1
  ctx.strokeStyle = theme.rim
  ctx.stroke()
}

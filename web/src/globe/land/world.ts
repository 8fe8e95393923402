// Paints the world under the routes: sea, meridians, land, and the haze at the rim. In the page or in a worker.
import { mixColours, type Rgb } from '../../../../server/domain/colour.ts'
import { centreOf } from '../camera.ts'
import type { WorldFrame } from '../frame.ts'
import { rgba } from '../theme.ts'
import { drawGraticule } from './graticule.ts'
import { drawLand, type Land, traceSphere } from './land.ts'

/** How far the halo reaches, in radii of the globe. */
export const HALO = 1.16

/** `sphere` paints what is under the meridians; a map that keeps a picture of it draws that. */
export function paintWorld(frame: WorldFrame, sphere: (frame: WorldFrame) => void = paintSphere): void {
  sphere(frame)
  if (frame.theme.graticule) drawGraticule(frame, frame.theme.graticule)
  if (frame.land) paintLand(frame, frame.land)
}

/** Whether there is a rim to fade. */
export const hasLimb = (frame: WorldFrame): boolean => frame.camera.view === 'globe' && isWhole(frame)

function paintLand(frame: WorldFrame, land: Land): void {
  const { ctx, camera, viewport, theme, moving, night } = frame
  const lines = moving ? null : theme
  const fill = night === null ? theme.land : theme.landDay
  drawLand(ctx, land, camera, viewport, { fill, lines, precision: moving ? 0 : 0.5 })
}

/** Far zoomed in, neither rim nor halo is in sight. */
const isWhole = ({ camera, viewport }: WorldFrame): boolean => camera.scale <= viewport.width * 1.5

export function paintSphere(frame: WorldFrame): void {
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
function seaShade(frame: WorldFrame, sea: Rgb, cx: number, cy: number, r: number): CanvasGradient {
  const { ctx, theme, night } = frame
  const lit = night === null || !theme.dark ? theme.oceanLit : sea
  const shade = ctx.createRadialGradient(cx - r * 0.35, cy - r * 0.4, r * 0.05, cx, cy, r)
  shade.addColorStop(0, rgba(lit, 1))
  shade.addColorStop(1, rgba(sea, 1))
  return shade
}

/** Fades everything at the edge of the globe, for depth without drawing the lines twice. */
export function paintLimb(frame: WorldFrame): void {
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

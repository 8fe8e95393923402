// What only the chart has: rings of equal distance and the rose around the disc.
import { ringsOf } from './poster.ts'
import { chartRadius, rimOf } from './projections.ts'
import { fontOf, type Sheet } from './sheet.ts'

const KM_PER_DEGREE = 111.19
const RADIANS = Math.PI / 180
/** Bearing on which the rings say how far they are. */
const LABELS_AT = -10

export const ringsIn = (data: Sheet['data']): number[] => ringsOf(rimOf(data) * KM_PER_DEGREE)

export function drawRings({ ctx, look, layout, data }: Sheet): void {
  const { x, y, radius } = layout.disc
  const rim = rimOf(data)
  ctx.lineWidth = 0.6
  ctx.strokeStyle = look.coast
  ctx.globalAlpha = 0.45
  for (const km of ringsIn(data)) {
    ctx.beginPath()
    ctx.arc(x, y, radius * chartRadius(km / KM_PER_DEGREE, rim), 0, 2 * Math.PI)
    ctx.stroke()
  }
  ctx.globalAlpha = 1
}

/** Above the routes, of which thousands would cover them. */
export function nameRings({ ctx, look, layout, data, words }: Sheet): void {
  const { x, y, radius } = layout.disc
  ctx.font = fontOf(9.5)
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.lineJoin = 'round'
  ctx.lineWidth = 3
  ctx.strokeStyle = look.sea
  ctx.fillStyle = look.second
  for (const km of ringsIn(data)) {
    const r = radius * chartRadius(km / KM_PER_DEGREE, rimOf(data))
    // The nearest ones would cover the centre.
    if (r < 60 || r > radius - 8) continue
    const at = [x + r * Math.sin(LABELS_AT * RADIANS), y - r * Math.cos(LABELS_AT * RADIANS)] as const
    ctx.strokeText(words.ring(km), ...at)
    ctx.fillText(words.ring(km), ...at)
  }
}

/** Ticks each 2°, longer at 10° and at 30°, which are named. */
export function drawCompass({ ctx, look, layout, words }: Sheet): void {
  const { x, y, radius } = layout.disc
  ctx.strokeStyle = look.ink
  ctx.fillStyle = look.ink
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, 2 * Math.PI)
  ctx.lineWidth = 1.1
  ctx.stroke()
  for (let bearing = 0; bearing < 360; bearing += 2) {
    const [dx, dy] = [Math.sin(bearing * RADIANS), -Math.cos(bearing * RADIANS)]
    const length = bearing % 30 === 0 ? 11 : bearing % 10 === 0 ? 8 : 4
    ctx.beginPath()
    ctx.moveTo(x + dx * (radius + 2), y + dy * (radius + 2))
    ctx.lineTo(x + dx * (radius + 2 + length), y + dy * (radius + 2 + length))
    ctx.lineWidth = bearing % 10 === 0 ? 0.9 : 0.5
    ctx.stroke()
    if (bearing % 30 !== 0) continue
    const isMain = bearing % 90 === 0
    ctx.font = isMain ? fontOf(14, 700) : fontOf(11, 600)
    const text = isMain ? words.compass[bearing / 90]! : String(bearing).padStart(3, '0')
    ctx.fillText(text, x + dx * (radius + 26), y + dy * (radius + 26))
  }
}

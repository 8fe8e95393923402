// How dark the night is under each pixel of a map.
import { RAD, type Vector } from '../../../server/domain/geo/sphere.ts'
import { centreOf } from './camera.ts'
import { equalEarthLat, equalEarthX, equalEarthY } from './sphere.ts'
import type { Camera, Viewport } from './types.ts'

/** Pixels of the screen for one of the buffer. */
export const COARSE = 4
const LIGHT_ABOVE = 1
const DARK_BELOW = -12
const LEVELS = 1024

/** 0 in daylight, 1 in the night, by the altitude of the sun in degrees. */
export function darkness(altitude: number): number {
  const t = Math.max(0, Math.min(1, (LIGHT_ABOVE - altitude) / (LIGHT_ABOVE - DARK_BELOW)))
  return t * t * (3 - 2 * t)
}

/** By the sine of the altitude from -1 to 1, as a byte of opacity. */
export function opacities(most: number): Uint8Array {
  return Uint8Array.from({ length: LEVELS + 1 }, (_, i) =>
    Math.round(255 * most * darkness(Math.asin((2 * i) / LEVELS - 1) / RAD)),
  )
}

const levelOf = (sine: number): number => ((Math.max(-1, Math.min(1, sine)) + 1) * LEVELS) >> 1

interface Shade {
  /** Without opacity, in the order of the bytes of a canvas. */
  ink: number
  opacity: Uint8Array
  sun: Vector
}

export function shadeGlobe(
  out: Uint32Array,
  width: number,
  camera: Camera,
  viewport: Viewport,
  { ink, opacity, sun }: Shade,
): void {
  const [cx, cy] = centreOf(viewport)
  const [sl, cl] = [Math.sin(camera.lon * RAD), Math.cos(camera.lon * RAD)]
  const [sp, cp] = [Math.sin(camera.lat * RAD), Math.cos(camera.lat * RAD)]
  const along = sun[0] * cl + sun[1] * sl
  const [east, north, near] = [sun[1] * cl - sun[0] * sl, sun[2] * cp - along * sp, along * cp + sun[2] * sp]
  for (let i = 0; i < out.length; i++) {
    let x = (((i % width) + 0.5) * COARSE - cx) / camera.scale
    let y = (cy - (Math.floor(i / width) + 0.5) * COARSE) / camera.scale
    const away = x * x + y * y
    // Just outside is as dark as the limb: the smoothing takes its colours from there too.
    if (away > 1.1) continue
    if (away > 1) {
      x /= Math.sqrt(away)
      y /= Math.sqrt(away)
    }
    const level = levelOf(x * east + y * north + Math.sqrt(Math.max(0, 1 - away)) * near)
    out[i] = (opacity[level]! << 24) | ink
  }
}

export function shadeFlat(
  out: Uint32Array,
  width: number,
  camera: Camera,
  viewport: Viewport,
  { ink, opacity, sun }: Shade,
): void {
  const [cx, cy] = centreOf(viewport)
  const top = equalEarthY(camera.lat * RAD)
  const edge = equalEarthY(Math.PI / 2)
  const noon = Math.atan2(sun[1], sun[0]) - camera.lon * RAD
  const level = Math.hypot(sun[0], sun[1])
  for (let row = 0; row * width < out.length; row++) {
    const y = (cy - (row + 0.5) * COARSE) / camera.scale + top
    const lat = equalEarthLat(Math.max(-edge, Math.min(edge, y)))
    const stretch = equalEarthX(lat) * camera.scale
    const [up, across] = [Math.sin(lat) * sun[2], Math.cos(lat) * level]
    for (let column = 0; column < width; column++) {
      const lon = ((column + 0.5) * COARSE - cx) / stretch
      out[row * width + column] = (opacity[levelOf(up + across * Math.cos(lon - noon))]! << 24) | ink
    }
  }
}

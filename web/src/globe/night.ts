// Day and night on the map: how dark it is under each pixel, on a buffer of a quarter of the size that is drawn back smoothed.

import { RAD, type Vector, vectorOf } from '../../../server/domain/geo/sphere.ts'
import { SUNRISE_ALTITUDE, subsolarPoint } from '../../../server/domain/geo/sun.ts'
import { makeProjected, projectPoints } from './camera.ts'
import type { Frame } from './frame.ts'
import { traceSphere } from './land/land.ts'
import { COARSE, opacities, shadeFlat, shadeGlobe } from './shade.ts'
import { pushRing, STRIDE } from './sphere.ts'
import { rgba } from './theme.ts'
import { Lines } from './trace.ts'

/** Draws the nights of one map; keeps its buffer between frames. */
export class Night {
  private readonly buffer = document.createElement('canvas')
  private readonly opacityBy = new Map<number, Uint8Array>()

  draw(frame: Frame, ms: number): void {
    const { ctx, camera, viewport, theme } = frame
    const width = Math.ceil(viewport.width / COARSE)
    const height = Math.ceil(viewport.height / COARSE)
    if (this.buffer.width !== width || this.buffer.height !== height)
      Object.assign(this.buffer, { width, height })
    const small = this.buffer.getContext('2d', { willReadFrequently: true })!
    const pixels = small.createImageData(width, height)
    const { color, alpha } = theme.night
    const ink = (color[2] << 16) | (color[1] << 8) | color[0]
    const { lon, lat } = subsolarPoint(ms)
    const shade = { ink, opacity: this.opacities(alpha), sun: vectorOf(lon, lat) }
    const words = new Uint32Array(pixels.data.buffer)
    if (camera.view === 'globe') shadeGlobe(words, width, camera, viewport, shade)
    else shadeFlat(words, width, camera, viewport, shade)
    small.putImageData(pixels, 0, 0)
    ctx.save()
    traceSphere(ctx, camera, viewport)
    ctx.clip()
    ctx.imageSmoothingEnabled = true
    ctx.drawImage(this.buffer, 0, 0, width * COARSE, height * COARSE)
    drawSunriseLine(frame, shade.sun)
    ctx.restore()
  }

  private opacities(alpha: number): Uint8Array {
    let known = this.opacityBy.get(alpha)
    if (!known) {
      known = opacities(alpha)
      this.opacityBy.set(alpha, known)
    }
    return known
  }
}

/** Where the sun rises and where it sets: a circle around the place that has it in the zenith. */
function drawSunriseLine(frame: Frame, sun: Vector): void {
  const { ctx, camera, viewport, theme } = frame
  const points: number[] = []
  const count = pushRing(points, sun, (90 - SUNRISE_ALTITUDE) * RAD)
  const flat = new Float32Array(points)
  const at = makeProjected(points.length / STRIDE)
  projectPoints(flat, camera, viewport, at)
  const lines = new Lines({ ...frame, scene: { ...frame.scene, points: flat }, at })
  lines.add({ start: 0, count, weight: 1 }, 1)
  ctx.lineWidth = 1.1
  ctx.strokeStyle = rgba(theme.dawn, theme.dark ? 0.26 : 0.4)
  lines.stroke(ctx)
}

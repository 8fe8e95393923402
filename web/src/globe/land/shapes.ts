// The land of one map: the coarse file soon, the detailed one when the browser is idle, and which of them a frame draws.

import { loadLand } from '../still-world.ts'
import type { Camera, Viewport } from '../types.ts'
import { detailInSight, type Land, useFlatLand } from './land.ts'

/** Points of detailed land that a moving frame can draw. */
const MOVING_DETAIL = 5000
const DETAILED_FROM_SCALE = 1200
const FINE_AFTER_MS = 400

export class Shapes {
  private coarse: Land | null = null
  private fine: Land | null = null
  private timer = 0
  private ended = false
  private readonly onload: () => void

  /** `onload` is called whenever there is more to draw. */
  constructor(onload: () => void) {
    this.onload = onload
    void this.load()
  }

  destroy(): void {
    this.ended = true
    clearTimeout(this.timer)
  }

  private async load(): Promise<void> {
    try {
      this.coarse = await loadLand(false)
      this.onload()
      await new Promise((resolve) => {
        this.timer = window.setTimeout(resolve, FINE_AFTER_MS)
      })
      if (this.ended) return
      this.fine = await loadLand(true)
      this.onload()
    } catch {
      // Offline and not cached: airports and routes are still drawn.
    }
  }

  /** What the flat map needs besides. */
  async loadFlat(): Promise<void> {
    try {
      useFlatLand(await import('./flat-land.ts'))
      this.onload()
    } catch {
      // As above.
    }
  }

  for(camera: Camera, viewport: Viewport, moving: boolean): Land | null {
    if (!this.fine) return this.coarse
    if (!moving) return this.fine
    const isNear = camera.scale > DETAILED_FROM_SCALE
    return isNear && detailInSight(this.fine, camera, viewport) < MOVING_DETAIL ? this.fine : this.coarse
  }
}

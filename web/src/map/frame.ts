// What one frame of the map shows, and where it is painted.
import type { Projected } from './camera.ts'
import type { Land } from './land.ts'
import type { Scene } from './scene.ts'
import type { MapTheme } from './theme.ts'
import type { Camera, Viewport } from './types.ts'

export interface Frame {
  ctx: CanvasRenderingContext2D
  scene: Scene
  at: Projected
  camera: Camera
  viewport: Viewport
  theme: MapTheme
  land: Land | null
  /** The instant of which day and night are drawn. */
  night: number | null
  moving: boolean
  /** Something is selected, so everything else is dimmed. */
  dimmed: boolean
  /** Of a drawing that is no canvas. */
  newPath?: () => Path2D
}

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
  /** Land that is quick to draw: until the still world is painted, its frame is drawn as in motion. */
  roughLand?: Land | null
  /** It cannot wait for a picture: paper. */
  atOnce?: boolean
  /** Of a drawing that is no canvas. */
  newPath?: () => Path2D
}

/** What the world under the routes depends on. */
export type WorldFrame = Pick<
  Frame,
  'ctx' | 'camera' | 'viewport' | 'theme' | 'land' | 'night' | 'moving' | 'newPath'
>

// What one frame of the map shows, and where it is painted.
import { centreOf, type Projected } from './camera.ts'
import type { Land } from './land/land.ts'
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
  /** It must not wait for the worker's picture, because it is printed. */
  atOnce?: boolean
}

/** A part of a canvas, in its pixels. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
  /** Pixels of the canvas for one of the window. */
  ratio: number
}

/** What is within that many radii of a globe: about half of the window. Of a flat map all of it. */
export function boxOf(
  { ctx, camera, viewport }: Pick<Frame, 'ctx' | 'camera' | 'viewport'>,
  radii: number,
): Box {
  const { width, height } = ctx.canvas
  const ratio = ctx.getTransform().a
  if (camera.view === 'flat') return { left: 0, top: 0, width, height, ratio }
  const [cx, cy] = centreOf(viewport)
  const reach = camera.scale * radii + 1
  const left = Math.max(0, Math.floor((cx - reach) * ratio))
  const top = Math.max(0, Math.floor((cy - reach) * ratio))
  const right = Math.min(width, Math.ceil((cx + reach) * ratio))
  const bottom = Math.min(height, Math.ceil((cy + reach) * ratio))
  return { left, top, width: right - left, height: bottom - top, ratio }
}

/** What the world under the routes depends on. */
export type WorldFrame = Pick<Frame, 'ctx' | 'camera' | 'viewport' | 'theme' | 'land' | 'night' | 'moving'>

// What one frame of the map shows, and where it is painted.
import type { Rgb } from '../../../server/domain/colour.ts'
import type { Projected } from './camera.ts'
import type { Land } from './land.ts'
import type { Route, Scene } from './scene.ts'
import type { MapTheme } from './theme.ts'
import type { Camera, Viewport } from './types.ts'

/** Colour and opacity of a route instead of those by how often it was flown. */
export interface RoutePaint {
  color: Rgb
  alpha: number
}

export interface Frame {
  ctx: CanvasRenderingContext2D
  scene: Scene
  /** Those that are shown, in the order in which they are painted. */
  routes: readonly Route[]
  /** Their own colours; null takes those by how often a route was flown. */
  paint: ((route: Route) => RoutePaint | null) | null
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
}

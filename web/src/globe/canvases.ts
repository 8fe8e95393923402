// The two canvases of a map and what is kept to paint them: the world with its routes below, what is lit above.
import type { Label } from '../../../server/domain/geo/labels.ts'
import { Backdrop, isForStill, stillKeyOf } from './backdrop.ts'
import { drawFrame, labelsIn } from './draw.ts'
import type { Frame } from './frame.ts'
import { LinePicture } from './line-picture.ts'
import type { Night } from './night.ts'
import { StillRoutes, StillWorld } from './still-world.ts'
import type { Viewport } from './types.ts'

/** Draws the frames in place of the engine, with the flights of a moment: time on the map. */
export interface ScenePainter {
  draw(frame: Frame): void
}

/** Scale from which countries are named. */
export const COUNTRIES_FROM = 800
/** While the map moves, dense screens are painted at a lower resolution: a third of the pixels, without a visible difference. */
const MOVING_RATIO = 1.5
const CRISP_RATIO = 3

export class Canvases {
  private readonly scenery: CanvasRenderingContext2D
  private readonly overlay: CanvasRenderingContext2D
  private readonly onload: () => void
  private labels: Label[] = []
  /** The frame that is on the lower canvas. */
  private drawn: Frame | null = null
  private readonly still: StillWorld
  private readonly routes: StillRoutes
  private readonly layers: { backdrop: Backdrop; night: Night | null; lines: LinePicture }
  /** Not every map needs it: loaded when it is first used. */
  private names: typeof import('./parts/places.ts') | null = null

  /** `onload` is called when a part that is loaded on demand is ready, `onpainted` when the still world is painted. */
  constructor(
    scenery: HTMLCanvasElement,
    overlay: HTMLCanvasElement,
    onload: () => void,
    onpainted: () => void,
  ) {
    this.scenery = scenery.getContext('2d')!
    this.overlay = overlay.getContext('2d')!
    this.onload = onload
    // One frame when both are painted.
    const painted = () => {
      if (!this.still.isAwaited && !this.routes.isAwaited) onpainted()
    }
    this.still = new StillWorld(painted)
    this.routes = new StillRoutes(painted)
    this.layers = { backdrop: new Backdrop(this.still), night: null, lines: new LinePicture() }
  }

  destroy(): void {
    this.still.destroy()
    this.routes.destroy()
  }

  async loadNight(): Promise<void> {
    if (this.layers.night) return
    const { Night } = await import('./night.ts')
    this.layers.night ??= new Night()
    this.onload()
  }

  private async loadNames(): Promise<void> {
    try {
      this.names = await import('./parts/places.ts')
      this.onload()
    } catch {
      // Offline and not cached: the countries have no names.
    }
  }

  forgetLabels(): void {
    this.labels = []
  }

  drawScene(stage: Omit<Frame, 'ctx'>, painter: ScenePainter | null): void {
    const frame = { ...stage, ctx: this.scenery }
    const isSized = size(frame.ctx, frame.viewport, frame.moving ? MOVING_RATIO : CRISP_RATIO)
    if (painter) {
      this.drawn = null
      painter.draw(frame)
      return
    }
    const routes = isForStill(frame) ? this.routes.pictureOf(frame, stillKeyOf(frame)) : undefined
    const isRough = Boolean(frame.roughLand) && this.layers.backdrop.awaits(frame)
    if (routes !== undefined && (isRough || routes === null) && !isSized && this.mayStay(frame)) return
    this.drawn = frame
    if (!frame.moving) this.labels = frame.dimmed ? [] : labelsIn(frame, frame.scene.spots)
    const rough = { ...frame, moving: true, land: frame.roughLand ?? null }
    drawFrame(isRough ? rough : frame, this.labels, { ...this.layers, routes })
    if (frame.moving || isRough || frame.camera.scale < COUNTRIES_FROM) return
    if (this.names) this.names.drawCountryNames(frame, this.labels)
    else void this.loadNames()
  }

  /**
   * Whether what is on the canvas may stay until the pictures are there: a frame between them would cost more than both. Not
   * where the colours change, or where something is lit above it.
   */
  private mayStay({ camera, theme, night, dimmed }: Frame): boolean {
    const { drawn } = this
    if (!drawn) return true
    const isSameView = drawn.camera.view === camera.view && drawn.theme === theme && drawn.night === night
    return isSameView && !dimmed && !drawn.dimmed
  }

  /** Draws above the scene. The canvas is hidden while there is nothing to draw. */
  drawOverlay(stage: Omit<Frame, 'ctx'>, draw: ((frame: Frame) => void) | null): void {
    const { overlay: ctx } = this
    ctx.canvas.hidden = draw === null
    if (!draw) return
    size(ctx, stage.viewport, CRISP_RATIO)
    ctx.clearRect(0, 0, stage.viewport.width, stage.viewport.height)
    draw({ ...stage, ctx })
  }
}

/** Returns whether the size changed, which clears the canvas. */
function size(ctx: CanvasRenderingContext2D, viewport: Viewport, atMost: number): boolean {
  const ratio = Math.min(devicePixelRatio || 1, atMost)
  const [width, height] = [Math.round(viewport.width * ratio), Math.round(viewport.height * ratio)]
  const isOther = ctx.canvas.width !== width || ctx.canvas.height !== height
  if (isOther) Object.assign(ctx.canvas, { width, height })
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  return isOther
}

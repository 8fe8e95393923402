// Where the camera stands and how it moves: by a hand, on after it was let go, and turning to a place.
import { between, centreOf, clampCamera, panBy, withView, worldScale, zoomAt } from './camera.ts'
import type { Camera, View, Viewport } from './types.ts'

interface Turn {
  from: Camera
  to: Camera
  startedAt: number
  ms: number
}

const SETTLE_MS = 110
/** A hand that rests for a moment goes on; a frame in full quality would make it stutter. */
const HELD_SETTLE_MS = 450
const TURN_MS = 700
const ZOOM_MS = 260
/** The part of its speed that a thrown globe has left after this time is 1/e. */
const SLOWS_IN_MS = 260

export class Motion {
  camera: Camera = { view: 'globe', lon: 10, lat: 30, scale: 300 }
  private window: Viewport = { width: 0, height: 0, insets: { top: 0, right: 0, bottom: 0, left: 0 } }
  private turn: Turn | null = null
  private speed: { x: number; y: number } | null = null
  private isHeld = false
  private movedAt = 0
  private steppedAt = 0

  get isReduced(): boolean {
    return matchMedia('(prefers-reduced-motion: reduce)').matches
  }

  get viewport(): Viewport {
    const { shift } = this.camera
    return shift ? { ...this.window, shift } : this.window
  }

  get isTurning(): boolean {
    return this.turn !== null
  }

  /** Where the camera stands, or will when it has turned. */
  get destination(): Camera {
    return this.turn?.to ?? this.camera
  }

  isMoving(now: number): boolean {
    const settle = this.isHeld ? HELD_SETTLE_MS : SETTLE_MS
    return this.turn !== null || this.speed !== null || now - this.movedAt < settle
  }

  /** The next frame may have all its detail. */
  rest(): void {
    this.movedAt = 0
  }

  /** Moves without animation. */
  stand(camera: Camera): void {
    this.halt()
    this.camera = camera
  }

  private halt(): void {
    this.turn = null
    this.speed = null
  }

  /** Not before its layout, nor where the page leaves it none. */
  get hasRoom(): boolean {
    return this.window.width > 0 && this.window.height > 0
  }

  /** As much of the world in another window. */
  resize(viewport: Viewport): void {
    const { window: before, hasRoom: hadRoom } = this
    this.window = viewport
    if (!hadRoom || !this.hasRoom) return
    const ratio = worldScale(this.camera.view, viewport) / worldScale(this.camera.view, before)
    const { scale, shift } = this.camera
    const moved = shift && ([shift[0] * ratio, shift[1] * ratio] as const)
    this.camera = clampCamera({ ...this.camera, scale: scale * ratio, shift: moved }, viewport)
  }

  setView(view: View): void {
    this.stand(withView(this.camera, view, this.viewport))
  }

  get showsWorld(): boolean {
    return this.camera.scale <= worldScale(this.camera.view, this.viewport) * 1.3
  }

  flyTo(target: Camera, ms = TURN_MS): void {
    const to = clampCamera(target, this.viewport)
    if (this.isReduced) {
      this.stand(to)
      return
    }
    this.speed = null
    this.turn = { from: this.camera, to, startedAt: performance.now(), ms }
    this.touch()
  }

  private touch(): void {
    this.movedAt = performance.now()
  }

  grab(): void {
    this.isHeld = true
    this.halt()
  }

  letGo(): void {
    this.isHeld = false
  }

  pan(dx: number, dy: number): void {
    this.camera = panBy(this.camera, this.viewport, dx, dy)
    this.touch()
  }

  release(vx: number, vy: number): void {
    this.isHeld = false
    if (!this.isReduced && Math.hypot(vx, vy) > 0.05) this.speed = { x: vx, y: vy }
    this.touch()
  }

  zoom(factor: number, x: number, y: number): void {
    this.turn = null
    this.camera = zoomAt(this.camera, this.window, x, y, this.camera.scale * factor)
    this.touch()
  }

  /** A smooth step about the centre, or about a point. */
  zoomStep(factor: number, x?: number, y?: number): void {
    const start = this.destination
    const scale = start.scale * factor
    const isPoint = x !== undefined && y !== undefined
    const about = isPoint ? [x, y] : start.shift && centreOf(this.window)
    this.flyTo(about ? zoomAt(start, this.window, about[0]!, about[1]!, scale) : { ...start, scale }, ZOOM_MS)
  }

  nudge(dx: number, dy: number): void {
    this.halt()
    this.pan(dx, dy)
  }

  /** What moves by itself, up to this time. */
  advance(now: number): void {
    const ms = Math.min(48, now - this.steppedAt)
    this.steppedAt = now
    if (this.turn) this.follow(now, this.turn)
    if (!this.speed || this.isHeld) return
    this.camera = panBy(this.camera, this.viewport, this.speed.x * ms, this.speed.y * ms)
    const left = Math.exp(-ms / SLOWS_IN_MS)
    this.speed = { x: this.speed.x * left, y: this.speed.y * left }
    if (Math.hypot(this.speed.x, this.speed.y) < 0.02) this.speed = null
  }

  private follow(now: number, { from, to, startedAt, ms }: Turn): void {
    const t = Math.min(1, Math.max(0, (now - startedAt) / ms))
    const eased = t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2
    this.camera = t === 1 ? to : clampCamera(between(from, to, eased), this.viewport)
    if (t === 1) this.turn = null
  }
}

// A map: keeps its canvases in step with camera, flights, selection and theme, and decides when to paint and in how much detail.
// Movement is in motion.ts, land in shapes.ts, painting in canvases.ts and what it calls.
import type { Rgb } from '../../../server/domain/colour.ts'
import { centredOn, closeUp, isInSight, turnedTo } from './aim.ts'
import {
  clampCamera,
  fitScene,
  framed,
  makeProjected,
  type Projected,
  projectPoints,
  type Room,
  worldScale,
  wrapJump,
} from './camera.ts'
import { Canvases, type ScenePainter } from './canvases.ts'
import { labelsIn } from './draw.ts'
import type { Frame } from './frame.ts'
import { drawGrowing, drawLit } from './highlight.ts'
import { hitTest } from './hit.ts'
import { Shapes } from './land/shapes.ts'
import { type Lit, labelOrder, litBy, litByMatch } from './lit.ts'
import { Motion } from './motion.ts'
import type { Match } from './parts/match.ts'
import { buildInSteps, buildScene, invitingScene, type Line, type Scene, type Spot } from './scene.ts'
import { Slices } from './slices.ts'
import { STRIDE } from './sphere.ts'
import { type MapTheme, readTheme } from './theme.ts'
import {
  type Camera,
  type Insets,
  type MapFlight,
  type Selection,
  sameSelection,
  type TrackPoints,
  type View,
  type Viewport,
} from './types.ts'

interface EngineEvents {
  select(selection: Selection | null): void
  hover(selection: Selection | null): void
}

/** What a page draws above the map: the way of a flight. */
export interface Layer {
  /** `share` is how much of it is drawn. It grows to 1 after the first layer is set. */
  draw(frame: Frame, share: number): void
}

/** Draws the frames in place of the engine: time on the map. */
export interface Painter extends ScenePainter {
  /** The part of a scene that it shows, which can be pointed at. */
  seen(scene: Scene): Scene
  /** The colour of a line that is pointed at or chosen; null takes the one by how often it was flown. */
  colourOf(line: Line): Rgb | null
}

/** The arc of a flight that was just saved draws itself. */
interface Growing {
  line: Line
  /** Its ends, which are named meanwhile. */
  spots: Lit['spots']
  startedAt: number
}

const GROWS_FOR_MS = 1500
const LAYER_GROWS_FOR_MS = 900
const eased = (t: number): number => 1 - (1 - Math.max(0, Math.min(1, t))) ** 3
const noFlights: readonly MapFlight[] = []
const nothing: Lit = { lines: [], spots: [] }
/** The middle of the reader's time zone. */
const hereabouts = (): number => -new Date().getTimezoneOffset() / 4

export class MapEngine {
  private readonly element: HTMLElement
  private readonly events: EngineEvents
  private readonly canvases: Canvases
  private readonly shapes: Shapes
  private readonly motion = new Motion()
  private readonly building = new Slices<Scene>((scene) => this.adopt(scene))
  private flights: readonly MapFlight[] = noFlights
  private current: Scene = buildScene(noFlights)
  private at: Projected = makeProjected(0)
  /** What the positions in `at` were computed for; each is replaced, never changed. */
  private projected: readonly unknown[] = []
  private theme: MapTheme
  private painter: Painter | null = null
  private night: number | null = null
  private selection: Selection | null = null
  private match: Match | null = null
  private pointed: Selection | null = null
  private lit = nothing
  private pointedLit = nothing
  /** What of the scene was seen then: time on the map changes it. */
  private litOf: Scene | null = null
  private growing: Growing | null = null
  private layer: Layer | null = null
  private layerSince = 0
  /** The lower canvas shows the current state in full quality, so an animation above it need not repaint it. */
  private isCrisp = false
  private isFitted = false
  private isCloseUp = false
  /** The camera that shows the whole log. While it stands there, the log is fitted again into a window of another size. */
  private whole: Camera | null = null
  /** The current frame must not wait for the worker's pictures. */
  private atOnce = false
  private ticket = 0
  private ended = false

  constructor(
    element: HTMLElement,
    scenery: HTMLCanvasElement,
    overlay: HTMLCanvasElement,
    events: EngineEvents,
  ) {
    this.element = element
    this.events = events
    this.theme = readTheme(element)
    this.canvases = new Canvases(
      scenery,
      overlay,
      () => this.paint(),
      () => this.repaint(),
    )
    this.shapes = new Shapes(() => this.paint())
  }

  destroy(): void {
    this.ended = true
    cancelAnimationFrame(this.ticket)
    this.shapes.destroy()
    this.canvases.destroy()
    this.building.cancel()
  }

  // --- what is shown

  setFlights(flights: readonly MapFlight[], tracks: ReadonlyMap<number, TrackPoints>, invites = false): void {
    this.flights = flights
    if (invites) {
      this.building.cancel()
      this.adopt(invitingScene(hereabouts()))
    } else this.building.start(buildInSteps(flights, tracks))
  }

  private adopt(scene: Scene): void {
    this.current = scene
    this.at = makeProjected(scene.points.length / STRIDE)
    this.canvases.forgetLabels()
    this.growing = null
    this.pointed = null
    this.relight()
    if (!this.isFitted) this.fitNow()
    else if (this.isOutOfSight()) this.fit()
    this.paint()
  }

  /** A scene that is still being built is finished at once if it is needed. */
  private get scene(): Scene {
    this.building.finish()
    return this.current
  }

  private get seen(): Scene {
    return this.painter ? this.painter.seen(this.scene) : this.scene
  }

  get busiest(): readonly Spot[] {
    return this.seen.spots
  }

  setPainter(painter: Painter | null): void {
    this.painter = painter
    this.relight()
    this.paint()
  }

  /** Draws day and night as they are at this instant, or not at all. */
  setNight(ms: number | null): void {
    if (ms === this.night) return
    this.night = ms
    this.repaint()
    if (ms !== null) void this.canvases.loadNight()
  }

  setLayer(layer: Layer | null): void {
    if (layer && !this.layer) this.layerSince = performance.now()
    this.layer = layer
    this.wake()
  }

  setSelection(selection: Selection | null): void {
    if (sameSelection(selection, this.selection)) return
    this.selection = selection
    this.relight()
    this.paint()
  }

  /** Highlights what a search found, dims the rest and turns to it. */
  setMatch(match: Match | null): void {
    if (match === this.match) return
    this.match = match
    this.relight()
    this.paint()
    if (match) this.turnTo(match)
  }

  refreshTheme(): void {
    this.theme = readTheme(this.element)
    this.paint()
  }

  private relight(): void {
    const { match, selection, pointed, flights, seen } = this
    if (match && !selection) this.lit = litByMatch(seen, flights, match)
    else this.lit = selection ? litBy(seen, flights, selection) : nothing
    this.pointedLit = pointed ? litBy(seen, flights, pointed) : nothing
    this.litOf = seen
  }

  // --- where the camera stands

  get isReducedMotion(): boolean {
    return this.motion.isReduced
  }

  get view(): View {
    return this.motion.camera.view
  }

  get size(): Viewport {
    return this.motion.viewport
  }

  get isTurning(): boolean {
    return this.motion.isTurning
  }

  resize(width: number, height: number, insets: Insets): void {
    const { motion } = this
    const showsWhole = motion.destination === this.whole
    motion.resize({ width, height, insets })
    if (motion.isTurning && showsWhole) this.fit()
    else if (!this.isFitted || showsWhole) this.fitNow()
    this.paint()
  }

  startIn(view: View): void {
    this.motion.camera = { ...this.motion.camera, view }
    if (view === 'flat') void this.shapes.loadFlat()
  }

  /** Whether a short trip is seen from close up, and not on the whole globe. */
  setCloseUp(isCloseUp: boolean): void {
    this.isCloseUp = isCloseUp
  }

  setView(view: View): void {
    const { motion } = this
    if (view === this.view) return
    if (motion.showsWorld || motion.destination === this.whole) {
      this.whole = this.fitted(view)
      motion.stand(this.whole)
    } else motion.setView(view)
    this.paint()
    if (view === 'flat') void this.shapes.loadFlat()
  }

  private fitNow(): void {
    const { motion, current } = this
    if (!motion.hasRoom) return
    motion.camera = this.fitted(this.view, current)
    this.whole = motion.camera
    this.isFitted = current.spots.length > 0
  }

  /** Moves the camera without animation. Flights that are set later do not move it. */
  look(camera: Camera): void {
    this.motion.stand(camera)
    this.isFitted = true
    this.paint()
  }

  private fitted(view: View, scene = this.scene): Camera {
    const { viewport } = this.motion
    const close = this.isCloseUp && view === 'globe' ? closeUp(scene, viewport) : null
    return close ?? fitScene(scene, view, viewport)
  }

  fit(): void {
    this.flyTo(this.fitted(this.view))
    this.whole = this.motion.destination
  }

  private flyTo(target: Camera, ms?: number): void {
    this.motion.flyTo(target, ms)
    if (this.motion.isTurning) this.wake()
    else this.paint()
  }

  private turnTo({ airport }: Match): void {
    const { spots, lines } = litByMatch(this.scene, this.flights, this.match!)
    const { camera, viewport } = this.motion
    if (spots.length === 0 || !this.motion.hasRoom) return
    const place = spots.find((spot) => spot.airport.id === airport)?.airport
    const routes = this.scene.routes.filter((route) => lines.includes(route))
    this.flyTo(
      place
        ? centredOn(place, camera, viewport)
        : fitScene({ ...this.scene, spots, routes }, this.view, viewport),
    )
  }

  private isOutOfSight(): boolean {
    return this.isEverySpotOut(this.current.spots)
  }

  /** Whether the ends of a flight are both out of sight. */
  isAway(flightId: number): boolean {
    return this.isEverySpotOut(litBy(this.scene, this.flights, { kind: 'flight', id: flightId }).spots)
  }

  private isEverySpotOut(spots: readonly Spot[]): boolean {
    const { viewport } = this.motion
    if (spots.length === 0 || !this.motion.hasRoom) return false
    this.project()
    return !spots.some((spot) => isInSight(spot, this.at, viewport))
  }

  /** Makes the subject visible with as little movement as possible. */
  show(selection: Selection, ms?: number): void {
    const { spots } = litBy(this.scene, this.flights, selection)
    const subjects = selection.kind === 'airport' ? spots.filter((s) => s.airport.id === selection.id) : spots
    const { camera, viewport } = this.motion
    if (subjects.length === 0 || !this.motion.hasRoom) return
    this.project()
    const target = turnedTo(subjects, camera, viewport, this.at)
    if (target) this.flyTo(target, ms)
  }

  /**
   * Turns and zooms so that the subject fills the given part of the window. The camera stands a little towards the equator,
   * so that a long arc bows.
   */
  frame(selection: Selection, room: Room): void {
    const { spots } = litBy(this.scene, this.flights, selection)
    const { viewport } = this.motion
    if (spots.length === 0 || !this.motion.hasRoom) return
    const places = spots.map(({ vector }) => vector)
    this.flyTo(framed(places, room, this.view, viewport))
  }

  /** Animates the arc of a saved flight. */
  celebrate(flightId: number): void {
    const { lines, spots } = litBy(this.scene, this.flights, { kind: 'flight', id: flightId })
    const [line] = lines
    if (!line) return
    this.show({ kind: 'flight', id: flightId })
    if (this.isReducedMotion) return
    this.growing = { line, spots, startedAt: performance.now() + (this.isTurning ? 500 : 100) }
    this.repaint()
  }

  // --- gestures and keys

  grab(): void {
    this.motion.grab()
  }

  pan(dx: number, dy: number): void {
    this.motion.pan(dx, dy)
    this.point(-1, -1)
    this.wake()
  }

  release(vx: number, vy: number): void {
    this.motion.release(vx, vy)
    this.wake()
  }

  zoom(factor: number, x: number, y: number): void {
    this.motion.zoom(factor, x, y)
    this.wake()
  }

  /** By keys and buttons: a smooth step about the centre, or about a point. */
  zoomStep(factor: number, x?: number, y?: number): void {
    this.motion.zoomStep(factor, x, y)
    if (this.motion.isTurning) this.wake()
    else this.paint()
  }

  nudge(dx: number, dy: number): void {
    this.motion.nudge(dx, dy)
    this.wake()
  }

  tap(x: number, y: number, isTouch: boolean): void {
    this.motion.letGo()
    this.events.select(this.hit(x, y, isTouch ? 20 : 9))
  }

  private hit(x: number, y: number, reach: number): Selection | null {
    const { seen } = this
    this.project()
    return hitTest(seen, this.at, x, y, reach, wrapJump(this.motion.camera))
  }

  point(x: number, y: number): void {
    const hit = x < 0 ? null : this.hit(x, y, 8)
    if (sameSelection(hit, this.pointed)) return
    this.pointed = hit
    this.pointedLit = litBy(this.seen, this.flights, hit)
    this.events.hover(hit)
    this.drawOverlay(performance.now())
  }

  // --- painting

  paint(): void {
    this.motion.rest()
    this.repaint()
  }

  /** The content changed. A drag goes on. */
  repaint(): void {
    this.isCrisp = false
    this.wake()
  }

  /** For paper, which does not wait for a frame. */
  paintNow(): void {
    cancelAnimationFrame(this.ticket)
    this.paint()
    cancelAnimationFrame(this.ticket)
    this.atOnce = true
    this.layerSince = Number.NEGATIVE_INFINITY
    this.tick(performance.now())
    this.atOnce = false
  }

  private wake(): void {
    if (this.ticket || this.ended) return
    this.ticket = requestAnimationFrame((now) => this.tick(now))
  }

  private tick(now: number): void {
    this.ticket = 0
    const { motion } = this
    if (!motion.hasRoom) return
    motion.advance(now)
    const isMoving = motion.isMoving(now)
    if (isMoving || !this.isCrisp) this.drawScene(isMoving)
    this.drawOverlay(now)
    if (isMoving || this.growing || (this.layer && this.layerShare(now) < 1)) this.wake()
  }

  private project(): void {
    const { camera, viewport } = this.motion
    const now = [this.current, camera, viewport]
    if (now.every((part, i) => part === this.projected[i])) return
    projectPoints(this.current.points, camera, viewport, this.at)
    this.projected = now
  }

  private stage(moving: boolean): Omit<Frame, 'ctx'> {
    const { current: scene, at, theme, night, atOnce, isDimmed: dimmed } = this
    const { camera, viewport } = this.motion
    const land = this.shapes.for(camera, viewport, moving)
    return { scene, at, land, camera, viewport, theme, night, moving, dimmed, atOnce }
  }

  private layerShare(now: number): number {
    return this.isReducedMotion ? 1 : eased((now - this.layerSince) / LAYER_GROWS_FOR_MS)
  }

  /** Something is highlighted, so everything else is dimmed. */
  private get isDimmed(): boolean {
    return this.selection !== null || this.match !== null || this.growing !== null
  }

  /** The same picture on another canvas, in another size. */
  frameFor(ctx: CanvasRenderingContext2D, viewport: Viewport): Frame {
    const { scene, motion } = this
    const ratio = worldScale(this.view, viewport) / worldScale(this.view, motion.viewport)
    const camera = clampCamera({ ...motion.camera, scale: motion.camera.scale * ratio }, viewport)
    const at = makeProjected(scene.points.length / STRIDE)
    projectPoints(scene.points, camera, viewport, at)
    return { ...this.stage(false), ctx, at, camera, viewport, dimmed: false }
  }

  private drawScene(moving: boolean): void {
    this.isCrisp = !moving
    this.project()
    const roughLand = moving ? null : this.shapes.for(this.motion.camera, this.motion.viewport, true)
    this.canvases.drawScene({ ...this.stage(moving), roughLand }, this.painter)
  }

  private drawOverlay(now: number): void {
    const isEmpty = !this.isDimmed && !this.pointed && !this.layer
    if (!isEmpty && this.painter && this.seen !== this.litOf) this.relight()
    this.canvases.drawOverlay(this.stage(false), isEmpty ? null : (frame) => this.drawAbove(frame, now))
  }

  private drawAbove(frame: Frame, now: number): void {
    this.layer?.draw(frame, this.layerShare(now))
    if (this.growing) {
      this.drawGrowth(frame, now, this.growing)
      return
    }
    this.drawSubject(frame, this.lit, this.selection, true)
    if (this.pointed && !sameSelection(this.pointed, this.selection))
      this.drawSubject(frame, this.pointedLit, this.pointed, false)
  }

  private drawSubject(frame: Frame, lit: Lit, selection: Selection | null, strong: boolean): void {
    const named = selection ? null : (this.match?.airport ?? null)
    const subject = selection?.kind === 'airport' ? selection.id : named
    const labels = labelsIn(frame, labelOrder(lit, subject))
    const own = (line: Line) => this.painter?.colourOf(line) ?? null
    drawLit(frame, lit, labels, { subject, strong, colourOf: own })
  }

  private drawGrowth(frame: Frame, now: number, growing: Growing): void {
    const t = Math.max(0, (now - growing.startedAt) / GROWS_FOR_MS)
    drawGrowing(frame, growing.line, eased(t))
    this.drawSubject(frame, { lines: [], spots: growing.spots }, null, false)
    if (t < 1.5) return
    this.growing = null
    this.paint()
  }
}

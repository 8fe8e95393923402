// Keeps the two canvases of a map in sync with camera, data, selection and theme; decides when to paint and in how much detail.
// For time on the map and the page of a flight: `setNight` (day and night of an instant), `setPaint` (colours of routes),
// `setRouteLayer` (something else in place of the routes), `reveal` (the first so many flights of the list; routes are not built
// again), `setPlane`, `setColoured` (one flight in colours along its way), `stage` and `drawOn` (pictures). FlightMap has a
// property for each.

import type { Label } from '../../../server/domain/labels.ts'
import { angleBetween, RAD, vectorOf } from '../../../server/domain/sphere.ts'
import { Backdrop } from './backdrop.ts'
import {
  between,
  clampCamera,
  fitScene,
  framed,
  makeProjected,
  type Projected,
  panBy,
  projectPoints,
  type Room,
  withView,
  worldScale,
  wrapJump,
  zoomAt,
} from './camera.ts'
import { drawFrame, labelsIn } from './draw.ts'
import type { Frame } from './frame.ts'
import { drawGrowing, drawLit } from './highlight.ts'
import { hitTest } from './hit.ts'
import { detailInSight, type Land, loadFlatLand, loadLand } from './land.ts'
import { LinePicture } from './line-picture.ts'
import { type Lit, labelOrder, litBy, litByMatch } from './lit.ts'
import type { Match } from './match.ts'
import type { Night } from './night.ts'
import {
  buildScene,
  invitingScene,
  type Line,
  latestOf,
  type Route,
  revealFlights,
  type Scene,
  type Spot,
} from './scene.ts'
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
import type { Coloured, Plane, Way } from './voyage.ts'

interface EngineEvents {
  select(selection: Selection | null): void
  hover(selection: Selection | null): void
  /** After each frame, for what others draw above the map. */
  painted?(camera: Camera, viewport: Viewport): void
  /** After each frame: where the plane stands, or null if there is none or it is behind the globe. */
  plane?(at: { x: number; y: number } | null): void
}

/** Draws the frames in place of the engine, with the flights of a moment: time on the map. */
export interface Painter {
  draw(frame: Frame): void
  /** The part of a scene that it shows, which can be pointed at. */
  seen(scene: Scene): Scene
}

interface CameraMove {
  from: Camera
  to: Camera
  startedAt: number
  ms: number
}

const SETTLE_MS = 110
/** A hand that rests for a moment goes on; a frame in full quality would make it stutter. */
const HELD_SETTLE_MS = 450
/** Scales from which countries and the cities of airports are named. */
const COUNTRIES_FROM = 800
const MOVING_DETAIL = 5000
const noFlights: readonly MapFlight[] = []
/** The middle of the reader's time zone. */
const hereabouts = (): number => -new Date().getTimezoneOffset() / 4

export class MapEngine {
  private readonly scenery: CanvasRenderingContext2D
  private readonly overlay: CanvasRenderingContext2D
  private readonly element: HTMLElement
  private readonly events: EngineEvents
  private viewport: Viewport = { width: 0, height: 0, insets: { top: 0, right: 0, bottom: 0, left: 0 } }
  private camera: Camera = { view: 'globe', lon: 10, lat: 30, scale: 300 }
  private flights: readonly MapFlight[] = noFlights
  private scene: Scene = buildScene(noFlights)
  private at: Projected = makeProjected(0)
  private labels: Label[] = []
  private theme: MapTheme
  private coarse: Land | null = null
  private fine: Land | null = null
  private selection: Selection | null = null
  private match: Match | null = null
  private pointed: Selection | null = null
  private lit: Lit = { lines: [], spots: [] }
  private pointedLit: Lit = { lines: [], spots: [] }
  private cameraMove: CameraMove | null = null
  private speed: { x: number; y: number } | null = null
  private growing: { line: Line; startedAt: number } | null = null
  private night: number | null = null
  private paintOf: Frame['paint'] = null
  private routes: readonly Route[] = []
  private plane: Plane | null = null
  private coloured: Coloured | null = null
  /** Parts that not every map needs are loaded when they are first used. */
  private names: typeof import('./places.ts') | null = null
  private voyage: typeof import('./voyage.ts') | null = null
  private readonly layers = {
    backdrop: new Backdrop(),
    night: null as Night | null,
    lines: new LinePicture(),
    routes: null as ((frame: Frame) => void) | null,
  }
  private frameAt = 0
  private movedAt = 0
  private isHeld = false
  /** The lower canvas shows the current state in full quality, so an animation above it need not repaint it. */
  private isCrisp = false
  private ticket = 0
  private isFitted = false
  private wantsFine = 0
  private painter: Painter | null = null
  /** What the positions in `at` were computed for; each is replaced, never changed. */
  private projected: readonly unknown[] = []
  private ended = false

  constructor(
    element: HTMLElement,
    scenery: HTMLCanvasElement,
    overlay: HTMLCanvasElement,
    events: EngineEvents,
  ) {
    this.element = element
    this.events = events
    this.scenery = scenery.getContext('2d')!
    this.overlay = overlay.getContext('2d')!
    this.theme = readTheme(element)
    void this.fetchLand()
  }

  destroy(): void {
    this.ended = true
    cancelAnimationFrame(this.ticket)
    clearTimeout(this.wantsFine)
  }

  /** The first paint needs no land; the coarse file is loaded next, the detailed one when the browser is idle. */
  private async fetchLand(): Promise<void> {
    try {
      this.coarse = await loadLand(false)
      this.paint()
      await new Promise((resolve) => {
        this.wantsFine = window.setTimeout(resolve, 400)
      })
      if (this.ended) return
      this.fine = await loadLand(true)
      this.paint()
    } catch {
      // Offline and not cached: airports and routes are still drawn.
    }
  }

  get isReducedMotion(): boolean {
    return matchMedia('(prefers-reduced-motion: reduce)').matches
  }

  get view(): View {
    return this.camera.view
  }

  get busiest(): readonly Spot[] {
    return this.seen.spots
  }

  resize(width: number, height: number, insets: Insets): void {
    const before = this.viewport
    this.viewport = { width, height, insets }
    if (!this.isFitted) this.fitNow()
    else if (before.width > 0) {
      const ratio = worldScale(this.camera.view, this.viewport) / worldScale(this.camera.view, before)
      this.camera = clampCamera({ ...this.camera, scale: this.camera.scale * ratio }, this.viewport)
    }
    this.paint()
  }

  setFlights(flights: readonly MapFlight[], tracks: ReadonlyMap<number, TrackPoints>, invites = false): void {
    this.flights = flights
    this.scene = invites ? invitingScene(hereabouts()) : buildScene(flights, tracks)
    this.at = makeProjected(this.scene.points.length / STRIDE)
    this.orderRoutes()
    this.labels = []
    this.growing = null
    this.pointed = null
    this.relight()
    if (!this.isFitted) this.fitNow()
    else if (this.isOutOfSight()) this.fit()
    this.paint()
  }

  /** Draws day and night as they are at this instant, or not at all. */
  setNight(ms: number | null): void {
    if (ms === this.night) return
    this.night = ms
    this.repaint()
    if (ms !== null && !this.layers.night) void this.loadNight()
  }

  private async loadNight(): Promise<void> {
    const { Night } = await import('./night.ts')
    this.layers.night ??= new Night()
    this.paint()
  }

  private async loadVoyage(): Promise<void> {
    this.voyage ??= await import('./voyage.ts')
    this.paint()
  }

  /** Colours of routes of their own; the newest are then painted last. */
  setPaint(paint: Frame['paint']): void {
    if (paint === this.paintOf) return
    this.paintOf = paint
    this.orderRoutes()
    this.paint()
  }

  setRouteLayer(draw: ((frame: Frame) => void) | null): void {
    if (draw === this.layers.routes) return
    this.layers.routes = draw
    this.paint()
  }

  /** Shows the first so many flights of the list; all if it is null. */
  reveal(count: number | null): void {
    const changed = revealFlights(this.scene, count ?? this.flights.length)
    if (changed.size === 0) return
    this.orderRoutes()
    this.relight()
    this.paint()
  }

  setPlane(plane: Plane | null): void {
    this.plane = plane
    if (plane && !this.voyage) void this.loadVoyage()
    this.wake()
  }

  setColoured(coloured: Coloured | null): void {
    this.coloured = coloured
    if (coloured && !this.voyage) void this.loadVoyage()
    this.paint()
  }

  private orderRoutes(): void {
    const shown = this.scene.routes.filter((route) => route.shown > 0)
    this.routes = this.paintOf ? shown.sort((a, b) => latestOf(a) - latestOf(b)) : shown
  }

  /** The line of a flight, in its direction. */
  private wayOf(flightId: number): Way | null {
    const track = this.scene.tracks.find((one) => one.flightId === flightId)
    if (track) return { line: track, isBackward: false }
    const position = this.flights.findIndex(({ id }) => id === flightId)
    const route = this.scene.routeOf[position]
    return route ? { line: route, isBackward: this.flights[position]!.from?.id !== route.a.id } : null
  }

  /** Everything that is drawn, as it stands, for other pictures of the map. */
  stage(): Omit<Frame, 'ctx'> {
    this.project()
    const { ctx: _, ...stage } = this.frameOn(this.scenery, false)
    return stage
  }

  /** The map in full quality on another canvas, at that many pixels for one of the screen. */
  drawOn(ctx: CanvasRenderingContext2D, ratio: number): void {
    this.project()
    this.prepare(ctx, ratio)
    const frame = this.frameOn(ctx, false)
    this.labels = this.isDimmed ? [] : labelsIn(frame, this.scene.spots)
    this.drawAll(frame)
    this.drawAbove(frame, performance.now())
  }

  /** True if no airport of the scene is visible, for example after a filter. */
  private isOutOfSight(): boolean {
    if (this.scene.spots.length === 0 || this.viewport.width === 0) return false
    this.project()
    return !this.scene.spots.some((spot) => this.at.depth[spot.start]! > 0.1 && this.isOnScreen(spot))
  }

  setPainter(painter: Painter | null): void {
    this.painter = painter
    this.relight()
    this.paint()
  }

  private get seen(): Scene {
    return this.painter ? this.painter.seen(this.scene) : this.scene
  }

  /** The same picture on another canvas, in another size. */
  frameFor(ctx: CanvasRenderingContext2D, viewport: Viewport): Frame {
    const ratio = worldScale(this.camera.view, viewport) / worldScale(this.camera.view, this.viewport)
    const camera = clampCamera({ ...this.camera, scale: this.camera.scale * ratio }, viewport)
    const at = makeProjected(this.scene.points.length / STRIDE)
    projectPoints(this.scene.points, camera, viewport, at)
    return { ...this.frameOn(ctx, false), at, camera, viewport, dimmed: false }
  }

  get size(): Viewport {
    return this.viewport
  }

  setSelection(selection: Selection | null): void {
    if (sameSelection(selection, this.selection)) return
    this.selection = selection
    this.relight()
    this.paint()
  }

  /** Lights what a search found, dims the rest and turns to it. */
  setMatch(match: Match | null): void {
    if (match === this.match) return
    this.match = match
    this.relight()
    this.paint()
    if (match) this.turnTo(match)
  }

  private turnTo({ airport }: Match): void {
    const { spots, lines } = litByMatch(this.scene, this.flights, this.match!)
    if (spots.length === 0 || this.viewport.width === 0) return
    const place = spots.find((spot) => spot.airport.id === airport)?.airport
    const { view } = this.camera
    if (!place) {
      const routes = this.routes.filter((route) => lines.includes(route))
      this.flyTo(fitScene({ ...this.scene, spots, routes }, view, this.viewport))
      return
    }
    const scale = Math.max(this.camera.scale, worldScale(view, this.viewport))
    this.flyTo({ view, lon: place.longitude, lat: place.latitude, scale })
  }

  setView(view: View): void {
    if (view === this.camera.view) return
    const isWorld = this.camera.scale <= worldScale(this.camera.view, this.viewport) * 1.3
    this.speed = null
    this.cameraMove = null
    this.camera = isWorld
      ? fitScene(this.scene, view, this.viewport)
      : withView(this.camera, view, this.viewport)
    this.paint()
    this.loadView()
  }

  private loadView(): void {
    // Offline and not cached: airports and routes are still drawn.
    if (this.view === 'flat')
      void loadFlatLand().then(
        () => this.paint(),
        () => {},
      )
  }

  refreshTheme(): void {
    this.theme = readTheme(this.element)
    this.paint()
  }

  private relight(): void {
    const { seen } = this
    this.lit =
      this.match && !this.selection
        ? litByMatch(seen, this.flights, this.match)
        : litBy(seen, this.flights, this.selection)
    this.pointedLit = litBy(seen, this.flights, this.pointed)
  }

  private fitNow(): void {
    if (this.viewport.width === 0) return
    this.camera = fitScene(this.scene, this.camera.view, this.viewport)
    this.isFitted = this.scene.spots.length > 0
  }

  /** Stands there at once, and stays through what is set later. */
  look(camera: Camera): void {
    this.camera = camera
    this.cameraMove = null
    this.isFitted = true
    this.paint()
  }

  startIn(view: View): void {
    this.camera = { ...this.camera, view }
    this.loadView()
  }

  fit(): void {
    this.flyTo(fitScene(this.scene, this.camera.view, this.viewport))
  }

  /** Whether the ends of a flight are both out of sight. */
  isAway(flightId: number): boolean {
    const { spots } = litBy(this.scene, this.flights, { kind: 'flight', id: flightId })
    this.project()
    const isSeen = (spot: Spot) => this.at.depth[spot.start]! > 0.1 && this.isOnScreen(spot)
    return spots.length > 0 && this.viewport.width > 0 && !spots.some(isSeen)
  }

  get isTurning(): boolean {
    return this.cameraMove !== null
  }

  /** Makes the subject visible with as little movement as possible. */
  show(selection: Selection, ms = 700): void {
    const lit = litBy(this.scene, this.flights, selection)
    if (this.viewport.width === 0) return
    this.project()
    const subjects =
      selection.kind === 'airport' ? lit.spots.filter((s) => s.airport.id === selection.id) : lit.spots
    if (subjects.length === 0) return
    const eye = vectorOf(this.camera.lon, this.camera.lat)
    const isSeen = subjects.every((s) => this.isOnScreen(s) && angleBetween(eye, s.vector) < 1.2)
    if (isSeen) return
    const [x, y, z] = [0, 1, 2].map((k) => subjects.reduce((sum, s) => sum + s.vector[k]!, 0)) as [
      number,
      number,
      number,
    ]
    const lat = Math.atan2(z, Math.hypot(x, y)) / RAD
    const spread = subjects.length > 1 ? angleBetween(subjects[0]!.vector, subjects[1]!.vector) / 2 : 0
    const room = worldScale(this.camera.view, this.viewport)
    const scale =
      spread > 0.1
        ? Math.min(this.camera.scale, (room * 0.8) / Math.sin(Math.min(spread, 1.5)))
        : this.camera.scale
    this.flyTo({ ...this.camera, lon: Math.atan2(y, x) / RAD, lat, scale }, ms)
  }

  /**
   * Turns and zooms so that the subject fills the given part of the window. The camera stands a little towards the equator,
   * so that a long arc bows.
   */
  frame(selection: Selection, room: Room): void {
    const { spots } = litBy(this.scene, this.flights, selection)
    if (spots.length > 0 && this.viewport.width > 0)
      this.flyTo(
        framed(
          spots.map(({ vector }) => vector),
          room,
          this.camera.view,
          this.viewport,
        ),
      )
  }

  private isOnScreen(spot: Spot): boolean {
    const { width, height, insets } = this.viewport
    const x = this.at.x[spot.start]!
    const y = this.at.y[spot.start]!
    return (
      x > insets.left + 20 &&
      y > insets.top + 20 &&
      x < width - insets.right - 20 &&
      y < height - insets.bottom - 20
    )
  }

  private flyTo(target: Camera, ms = 700): void {
    const to = clampCamera(target, this.viewport)
    this.speed = null
    if (this.isReducedMotion) {
      this.camera = to
      this.paint()
      return
    }
    this.cameraMove = { from: this.camera, to, startedAt: performance.now(), ms }
    this.move()
  }

  /** Animates the arc of a saved flight. */
  celebrate(flightId: number): void {
    const lines = litBy(this.scene, this.flights, { kind: 'flight', id: flightId }).lines
    if (!lines[0]) return
    this.show({ kind: 'flight', id: flightId })
    if (this.isReducedMotion) return
    this.growing = { line: lines[0], startedAt: performance.now() + (this.cameraMove ? 500 : 100) }
    this.isCrisp = false
    this.wake()
  }

  // --- gestures and keys

  grab(): void {
    this.isHeld = true
    this.cameraMove = null
    this.speed = null
  }

  pan(dx: number, dy: number): void {
    this.camera = panBy(this.camera, this.viewport, dx, dy)
    this.point(-1, -1)
    this.move()
  }

  release(vx: number, vy: number): void {
    this.isHeld = false
    if (!this.isReducedMotion && Math.hypot(vx, vy) > 0.05) this.speed = { x: vx, y: vy }
    this.move()
  }

  zoom(factor: number, x: number, y: number): void {
    this.cameraMove = null
    this.camera = zoomAt(this.camera, this.viewport, x, y, this.camera.scale * factor)
    this.move()
  }

  /** By keys and buttons: a smooth step about the centre, or about a point. */
  zoomStep(factor: number, x?: number, y?: number): void {
    const start = this.cameraMove?.to ?? this.camera
    const target =
      x === undefined || y === undefined
        ? { ...start, scale: start.scale * factor }
        : zoomAt(start, this.viewport, x, y, start.scale * factor)
    this.flyTo(target)
    if (this.cameraMove) this.cameraMove.ms = 260
  }

  nudge(dx: number, dy: number): void {
    this.speed = null
    this.cameraMove = null
    this.camera = panBy(this.camera, this.viewport, dx, dy)
    this.move()
  }

  tap(x: number, y: number, isTouch: boolean): void {
    this.isHeld = false
    this.project()
    const hit = hitTest(this.seen, this.at, x, y, isTouch ? 20 : 9, wrapJump(this.camera))
    this.events.select(hit)
  }

  point(x: number, y: number): void {
    const isOut = x < 0
    const hit = isOut ? null : hitTest(this.seen, this.at, x, y, 8, wrapJump(this.camera))
    if (sameSelection(hit, this.pointed)) return
    this.pointed = hit
    this.pointedLit = litBy(this.seen, this.flights, hit)
    this.events.hover(hit)
    this.drawOverlay(performance.now())
  }

  // --- painting

  private move(): void {
    this.movedAt = performance.now()
    this.wake()
  }

  paint(): void {
    this.movedAt = 0
    this.repaint()
  }

  /** The content changed; a hand that turns the map is not disturbed. */
  repaint(): void {
    this.isCrisp = false
    this.wake()
  }

  /** For paper, which does not wait for a frame. */
  paintNow(): void {
    cancelAnimationFrame(this.ticket)
    this.paint()
    cancelAnimationFrame(this.ticket)
    this.tick(performance.now())
  }

  private wake(): void {
    if (this.ticket || this.ended) return
    this.ticket = requestAnimationFrame((now) => this.tick(now))
  }

  private tick(now: number): void {
    this.ticket = 0
    if (this.viewport.width === 0) return
    this.advance(now)
    const settle = this.isHeld ? HELD_SETTLE_MS : SETTLE_MS
    const isMoving = this.cameraMove !== null || this.speed !== null || now - this.movedAt < settle
    this.frameAt = now
    if (isMoving || !this.isCrisp) this.drawScene(isMoving)
    this.drawOverlay(now)
    this.events.painted?.(this.camera, this.viewport)
    if (isMoving || this.growing) this.wake()
  }

  private advance(now: number): void {
    if (this.cameraMove) this.followMove(now, this.cameraMove)
    if (!this.speed || this.isHeld) return
    const ms = Math.min(48, now - this.frameAt)
    this.camera = panBy(this.camera, this.viewport, this.speed.x * ms, this.speed.y * ms)
    const left = Math.exp(-ms / 260)
    this.speed = { x: this.speed.x * left, y: this.speed.y * left }
    if (Math.hypot(this.speed.x, this.speed.y) < 0.02) this.speed = null
  }

  private followMove(now: number, move: CameraMove): void {
    const t = Math.min(1, Math.max(0, (now - move.startedAt) / move.ms))
    const eased = t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2
    this.camera = t === 1 ? move.to : clampCamera(between(move.from, move.to, eased), this.viewport)
    if (t === 1) this.cameraMove = null
  }

  private project(): void {
    const now = [this.scene, this.camera, this.viewport]
    if (now.every((part, i) => part === this.projected[i])) return
    projectPoints(this.scene.points, this.camera, this.viewport, this.at)
    this.projected = now
  }

  private prepare(ctx: CanvasRenderingContext2D, ratio: number): void {
    const width = Math.round(this.viewport.width * ratio)
    const height = Math.round(this.viewport.height * ratio)
    if (ctx.canvas.width !== width || ctx.canvas.height !== height) {
      ctx.canvas.width = width
      ctx.canvas.height = height
    }
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  }

  private frameOn(ctx: CanvasRenderingContext2D, moving: boolean): Frame {
    const { scene, routes, at, camera, viewport, theme, night } = this
    const dimmed = this.isDimmed
    const what = { scene, routes, paint: this.paintOf, at, land: this.landFor(moving) }
    return { ctx, ...what, camera, viewport, theme, night, moving, dimmed }
  }

  /** Something is lit, and the rest steps back. */
  private get isDimmed(): boolean {
    return this.selection !== null || this.match !== null || this.growing !== null
  }

  private landFor(moving: boolean): Land | null {
    if (!this.fine) return this.coarse
    if (!moving) return this.fine
    const isZoomedIn = this.camera.scale > 1200
    return isZoomedIn && detailInSight(this.fine, this.camera, this.viewport) < MOVING_DETAIL
      ? this.fine
      : this.coarse
  }

  private drawScene(moving: boolean): void {
    this.isCrisp = !moving
    // While the map moves, dense screens are painted at a lower resolution: a third of the pixels, without a visible difference.
    this.prepare(this.scenery, Math.min(devicePixelRatio || 1, moving ? 1.5 : 3))
    this.project()
    const frame = this.frameOn(this.scenery, moving)
    if (this.painter) {
      this.painter.draw(frame)
      return
    }
    if (!moving) this.labels = this.isDimmed ? [] : labelsIn(frame, this.scene.spots)
    this.drawAll(frame)
  }

  private drawAll(frame: Frame): void {
    drawFrame(frame, this.labels, this.layers)
    if (frame.moving || this.camera.scale < COUNTRIES_FROM) return
    if (this.names) this.names.drawCountryNames(frame, this.labels)
    else void this.loadNames()
  }

  private async loadNames(): Promise<void> {
    try {
      this.names = await import('./places.ts')
      this.paint()
    } catch {
      // Offline and not cached: the countries have no names.
    }
  }

  private drawOverlay(now: number): void {
    const isEmpty = !this.isDimmed && !this.pointed && !this.plane && !this.coloured
    this.overlay.canvas.hidden = isEmpty
    if (!isEmpty) {
      this.prepare(this.overlay, Math.min(devicePixelRatio || 1, 3))
      this.overlay.clearRect(0, 0, this.viewport.width, this.viewport.height)
      this.drawAbove(this.frameOn(this.overlay, false), now)
    }
    if (this.events.plane) this.events.plane(this.planeSeen())
  }

  private drawAbove(frame: Frame, now: number): void {
    if (this.growing) {
      this.drawGrowth(frame, now, this.growing)
      return
    }
    if (this.coloured) this.drawColoured(frame, this.coloured)
    else this.drawSubject(frame, this.lit, this.selection, true)
    if (this.pointed && !sameSelection(this.pointed, this.selection)) {
      this.drawSubject(frame, this.pointedLit, this.pointed, false)
    }
    if (this.plane) this.drawPlane(frame, this.plane)
  }

  private drawColoured(frame: Frame, { flightId, colours }: Coloured): void {
    const way = this.wayOf(flightId)
    if (way) this.voyage?.drawColoured(frame, way, colours)
    const subject = { kind: 'flight', id: flightId } as const
    const { spots } = litBy(this.scene, this.flights, subject)
    this.drawSubject(frame, { lines: [], spots }, subject, true)
  }

  private drawPlane(frame: Frame, { flightId, share }: Plane): void {
    const way = this.wayOf(flightId)
    const { voyage } = this
    if (!way || !voyage) return
    const own = this.coloured?.flightId === flightId ? this.coloured.colours : null
    if (!own) voyage.drawFlown(frame, way, share)
    const rim = own?.[Math.min(own.length - 1, Math.floor(share * own.length))] ?? null
    voyage.drawPlane(frame, voyage.planeAt(frame, way, share), rim)
  }

  private planeSeen(): { x: number; y: number } | null {
    const way = this.plane && this.wayOf(this.plane.flightId)
    const place = way && this.plane ? this.voyage?.planeAt({ at: this.at }, way, this.plane.share) : null
    return place?.isSeen ? { x: place.x, y: place.y } : null
  }

  private drawSubject(frame: Frame, lit: Lit, selection: Selection | null, strong: boolean): void {
    const named = selection ? null : (this.match?.airport ?? null)
    const subject = selection?.kind === 'airport' ? selection.id : named
    drawLit(frame, lit, labelsIn(frame, labelOrder(lit, subject)), subject, strong)
  }

  private drawGrowth(frame: Frame, now: number, growing: { line: Line; startedAt: number }): void {
    const t = Math.max(0, (now - growing.startedAt) / 1500)
    drawGrowing(frame, growing.line, 1 - (1 - Math.min(1, t)) ** 3)
    if (t < 1.5) return
    this.growing = null
    this.paint()
  }
}

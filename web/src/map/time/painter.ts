// Paints time on the map. Routes are built once and kept on canvases of their own; a frame of playback only adds the flights
// that are new and lays the canvases over each other. Whatever goes back, turns or is exported is drawn whole.
import type { Rgb } from '../../../../server/domain/colour.ts'
import { airportWeight } from '../../../../server/domain/geo/sphere.ts'
import { Backdrop } from '../../globe/backdrop.ts'
import { wrapJump } from '../../globe/camera.ts'
import { COUNTRIES_FROM } from '../../globe/canvases.ts'
import { drawMarks, labelsIn } from '../../globe/draw.ts'
import type { Painter } from '../../globe/engine.ts'
import type { Frame } from '../../globe/frame.ts'
import { traceSphere } from '../../globe/land/land.ts'
import { Night } from '../../globe/night.ts'
import { drawCountryNames } from '../../globe/parts/places.ts'
import { drawFlown, drawPlane, planeAt, type Way } from '../../globe/parts/voyage.ts'
import type { Line, Scene, Spot } from '../../globe/scene.ts'
import type { Colouring } from './address.ts'
import { addToGrid, CELL, createGrid, type Grid, heatTones, highestOf, paintHeat, smoothed } from './heat.ts'
import { linesByPeriod, type Paths, pathsIn, timesFlown, visitsOf } from './paths.ts'
import {
  FADED,
  frequencyPen,
  type Group,
  groupsByFrequency,
  groupsByPeriod,
  mostFlownIn,
  strokeLines,
  toneOf,
  yearPen,
} from './pens.ts'
import { rampOf } from './ramp.ts'
import { type Present, periodsOf, startOfPeriod, type Timeline } from './timeline.ts'

/** What is shown at a moment. */
export interface TimeView {
  /** Indices of flights. */
  range: readonly [number, number]
  moment: number
  present: Present | null
  colouring: Colouring
  /** The plane moves; without, the whole way of the present flight is white. */
  hasPlane: boolean
  isPlaying: boolean
}

const MARKS_EVERY_MS = 200
const HEAT_EVERY_MS = 80

type Layer = 'ground' | 'past' | 'recent' | 'current' | 'marks'

export class TimePainter implements Painter {
  private readonly timeline: Timeline
  private readonly periods: ReturnType<typeof periodsOf>
  private ramp: readonly Rgb[]
  private view: TimeView
  private paths: Paths | null = null
  private shown: { key: readonly unknown[]; scene: Scene; periods: ReadonlyMap<Line, number> } | null = null
  private readonly backdrop = new Backdrop()
  private readonly night = new Night()
  private readonly layers = new Map<Layer, CanvasRenderingContext2D>()
  /** What the layers were drawn for. */
  private place: readonly unknown[] = []
  private ground: readonly unknown[] = []
  private lines: readonly unknown[] = []
  private drawn = 0
  private period = 0
  /** Per line: the period or tone in which it was last drawn. */
  private lastDrawn = new Int32Array()
  private times: Uint32Array = new Uint32Array()
  private most = 0
  private grid: Grid | null = null
  private heatOf = -1
  private heatAt = 0
  private marks: readonly unknown[] = []
  private marksAt = 0

  constructor(timeline: Timeline, stops: readonly Rgb[], view: TimeView) {
    this.timeline = timeline
    this.periods = periodsOf(timeline)
    this.ramp = rampOf(stops, this.periods.count)
    this.view = view
  }

  show(view: TimeView): void {
    this.view = view
  }

  recolour(stops: readonly Rgb[]): void {
    this.ramp = rampOf(stops, this.periods.count)
  }

  draw(frame: Frame): void {
    if (frame.moving) this.drawWhole(frame)
    else this.drawLayers(frame)
  }

  /** Routes and airports until the moment; what is still to come cannot be pointed at. */
  seen(scene: Scene): Scene {
    const [low, high] = this.view.range
    const key = [scene, low, high]
    if (this.shown && key.every((part, i) => part === this.shown!.key[i])) return this.shown.scene
    const paths = this.pathsOf(scene)
    const times = timesFlown(paths, low, high)
    const routes = scene.routes.filter((_, i) => times[i]! > 0)
    const tracks = scene.tracks.filter((_, i) => times[scene.routes.length + i]! > 0)
    const periods = new Map<Line, number>()
    for (const [period, lines] of linesByPeriod(paths, this.timeline, [low, high], this.periods.of))
      for (const line of lines) periods.set(line, period)
    this.shown = { key, scene: { ...scene, routes, tracks, spots: this.spotsOf(paths) }, periods }
    return this.shown.scene
  }

  /** A faded line comes back in the colour of its year. */
  colourOf(line: Line): Rgb | null {
    const period = this.view.colouring === 'years' ? this.shown?.periods.get(line) : undefined
    return period === undefined ? null : (this.ramp[period] ?? null)
  }

  private pathsOf(scene: Scene): Paths {
    if (this.paths?.scene !== scene) {
      this.paths = pathsIn(scene, this.timeline)
      this.most = mostFlownIn(this.paths)
    }
    return this.paths
  }

  /** The airports visited so far, as large as they are by then. */
  private spotsOf(paths: Paths): Spot[] {
    const visits = visitsOf(paths, ...this.view.range)
    const spots = paths.scene.spots
      .map((spot, i) => ({ ...spot, visits: visits[i]! }))
      .filter((spot) => spot.visits > 0)
      .sort((a, b) => b.visits - a.visits || a.airport.id - b.airport.id)
    const most = spots[0]?.visits ?? 1
    for (const spot of spots) spot.weight = airportWeight(spot.visits, most)
    return spots
  }

  // --- whole: while the map turns, and for exports

  /** Every line and airport of the moment on the given canvas, without what earlier frames left. */
  drawWhole(frame: Frame): void {
    const { ctx } = frame
    const paths = this.pathsOf(frame.scene)
    ctx.clearRect(0, 0, frame.viewport.width, frame.viewport.height)
    this.backdrop.drawWorld(frame)
    this.drawLight(frame)
    ctx.save()
    this.clip(frame)
    if (frame.dimmed) ctx.globalAlpha = 0.22
    if (this.view.colouring === 'heat') this.drawHeatWhole(frame, paths)
    else for (const group of atMost(this.groups(frame, paths), frame.moving)) strokeLines(frame, group)
    ctx.restore()
    this.drawPresent(frame, paths)
    this.drawMarks(frame, paths)
    this.drawPlane(frame, paths)
  }

  /** Night, and the haze at the limb over it. */
  private drawLight(frame: Frame): void {
    if (frame.night !== null) this.night.draw(frame, frame.night)
    this.backdrop.drawLimb(frame)
  }

  private groups(frame: Frame, paths: Paths): Group[] {
    if (this.view.colouring === 'frequency') return groupsByFrequency(frame, paths, this.view.range)
    const now = this.periods.of(this.view.moment - 1)
    const strength = (period: number) =>
      period >= now ? 1 : period === now - 1 ? this.recentStrength() : FADED
    return groupsByPeriod(
      paths,
      this.timeline,
      this.view.range,
      { of: this.periods.of, ramp: this.ramp },
      strength,
    )
  }

  /** Fades while the period goes on, so that nothing changes at once when the next begins. */
  private recentStrength(): number {
    const { moment } = this.view
    const now = this.periods.of(moment - 1)
    const [start, end] = [startOfPeriod(this.timeline, now), startOfPeriod(this.timeline, now + 1)]
    return 1 - (1 - FADED) * Math.min(1, Math.max(0, (moment - start) / (end - start)))
  }

  private drawHeatWhole(frame: Frame, paths: Paths): void {
    const grid = createGrid(frame.viewport.width, frame.viewport.height)
    this.addHeat(grid, frame, paths, ...this.view.range)
    paintGrid(frame, grid)
  }

  private addHeat(grid: Grid, { at, camera }: Frame, paths: Paths, low: number, high: number): void {
    const jump = wrapJump(camera)
    for (let i = low; i < high; i++) {
      const line = paths.lineOf[i]!
      if (line >= 0) addToGrid(grid, paths.lines[line]!, at, jump)
    }
  }

  private drawMarks(frame: Frame, paths: Paths): void {
    const own = { ...frame, scene: { ...frame.scene, spots: this.spotsOf(paths) } }
    const mayName = !frame.dimmed && !frame.moving
    const labels = mayName ? labelsIn(own, own.scene.spots) : []
    drawMarks(own, labels)
    if (!frame.moving && frame.camera.scale >= COUNTRIES_FROM) drawCountryNames(own, labels)
  }

  /** The way of the present flight, or null if none is in the air. */
  private presentWay(frame: Frame, paths: Paths): Way | null {
    const { present } = this.view
    const line = present && paths.lines[paths.lineOf[present.index]!]
    if (!line || frame.dimmed) return null
    return { line, isBackward: paths.isReversed[present.index] === 1 }
  }

  /** Under the names of airports. */
  private drawPresent(frame: Frame, paths: Paths): void {
    const way = this.presentWay(frame, paths)
    if (way) drawFlown(frame, way, this.view.hasPlane ? this.view.present!.share : 1)
  }

  private drawPlane(frame: Frame, paths: Paths): void {
    const way = this.view.hasPlane ? this.presentWay(frame, paths) : null
    if (way) drawPlane(frame, planeAt(frame, way, this.view.present!.share))
  }

  private clip(frame: Frame): void {
    if (frame.camera.view !== 'flat' || frame.moving) return
    traceSphere(frame.ctx, frame.camera, frame.viewport)
    frame.ctx.clip()
  }

  // --- in layers: playback adds

  private drawLayers(frame: Frame): void {
    const paths = this.pathsOf(frame.scene)
    this.keepGround(frame)
    this.keepLines(frame, paths)
    this.keepMarks(frame, paths)
    this.compose(frame, paths)
    this.drawPlane(frame, paths)
  }

  private layer(frame: Frame, name: Layer): Frame {
    const { width, height } = frame.ctx.canvas
    let ctx = this.layers.get(name)
    if (!ctx) {
      ctx = document.createElement('canvas').getContext('2d')!
      this.layers.set(name, ctx)
    }
    if (ctx.canvas.width !== width || ctx.canvas.height !== height) {
      ctx.canvas.width = width
      ctx.canvas.height = height
    }
    ctx.setTransform(frame.ctx.getTransform())
    return { ...frame, ctx }
  }

  private clear(frame: Frame, name: Layer): void {
    const { ctx, viewport } = this.layer(frame, name)
    ctx.clearRect(0, 0, viewport.width, viewport.height)
  }

  private keepGround(frame: Frame): void {
    const { camera, viewport, theme, land, night } = frame
    const place = [camera, viewport, theme, frame.ctx.canvas.width]
    if (!same(place, this.place)) {
      this.place = place
      this.lines = []
      this.marks = []
    }
    const key = [...place, land, night !== null]
    if (same(key, this.ground)) return
    this.ground = key
    const own = this.layer(frame, 'ground')
    own.ctx.clearRect(0, 0, viewport.width, viewport.height)
    this.backdrop.drawWorld(own)
    // Night changes with every frame: then the haze is laid over it then.
    if (night === null) this.backdrop.drawLimb(own)
  }

  private keepLines(frame: Frame, paths: Paths): void {
    const { colouring, range } = this.view
    const now = this.periods.of(this.view.moment - 1)
    const key = [paths, this.ramp, colouring, range[0]]
    if (!same(key, this.lines) || range[1] < this.drawn || now < this.period) {
      this.lines = key
      this.startLines(frame, paths, now)
    } else this.addLines(frame, paths, now)
    this.drawn = range[1]
    this.period = now
  }

  private startLines(frame: Frame, paths: Paths, now: number): void {
    const [low, high] = this.view.range
    for (const name of ['past', 'recent', 'current'] as const) this.clear(frame, name)
    this.lastDrawn = new Int32Array(paths.lines.length).fill(-1)
    this.times = timesFlown(paths, low, high)
    this.grid = null
    this.period = now
    if (this.view.colouring === 'heat') {
      this.grid = createGrid(frame.viewport.width, frame.viewport.height)
      this.heatOf = -1
      this.addHeat(this.grid, frame, paths, low, high)
    } else if (this.view.colouring === 'frequency') {
      for (const [line, times] of this.times.entries())
        if (times > 0) this.lastDrawn[line] = toneOf(times, this.most)
      for (const group of groupsByFrequency(frame, paths, [low, high])) this.strokeOn(frame, 'current', group)
    } else {
      const periods = { of: this.periods.of, ramp: this.ramp }
      const groups = groupsByPeriod(paths, this.timeline, [low, high], periods, () => 1)
      for (const group of groups) this.strokeOn(frame, layerOf(group.period, now), group)
    }
  }

  private strokeOn(frame: Frame, name: Layer, group: Group): void {
    const own = this.layer(frame, name)
    own.ctx.save()
    this.clip(own)
    strokeLines(own, group)
    own.ctx.restore()
  }

  private addLines(frame: Frame, paths: Paths, now: number): void {
    const { colouring, range } = this.view
    if (colouring === 'heat') this.addHeat(this.grid!, frame, paths, this.drawn, range[1])
    else if (colouring === 'frequency') this.addByFrequency(frame, paths)
    else this.addByPeriod(frame, paths, now)
  }

  private addByPeriod(frame: Frame, paths: Paths, now: number): void {
    for (let i = this.drawn; i < this.view.range[1]; i++) {
      const period = this.periods.of(this.timeline.moments[i]!)
      this.ageTo(frame, period)
      const line = paths.lineOf[i]!
      if (line < 0 || this.lastDrawn[line] === period) continue
      this.lastDrawn[line] = period
      const pen = yearPen(this.ramp[period]!, paths.scene.routes.length)
      this.strokeOn(frame, 'current', { lines: [paths.lines[line]!], pen })
    }
    this.ageTo(frame, now)
  }

  /** A new period begins: the lines of the last one begin to fade, those before have faded. */
  private ageTo(frame: Frame, period: number): void {
    for (; this.period < period; this.period++) {
      const past = this.layer(frame, 'past')
      overlay(past.ctx, this.layers.get('recent')!, 1)
      const [recent, current] = [this.layers.get('recent')!, this.layers.get('current')!]
      this.layers.set('recent', current)
      this.layers.set('current', recent)
      this.clear(frame, 'current')
    }
  }

  /** A line is drawn again only when it becomes hotter. */
  private addByFrequency(frame: Frame, paths: Paths): void {
    for (let i = this.drawn; i < this.view.range[1]; i++) {
      const line = paths.lineOf[i]!
      if (line < 0) continue
      const tone = toneOf(++this.times[line]!, this.most)
      if (this.lastDrawn[line] === tone) continue
      this.lastDrawn[line] = tone
      this.strokeOn(frame, 'current', { lines: [paths.lines[line]!], pen: frequencyPen(frame, tone) })
    }
  }

  /** Labels are placed a few times a second while playing, and whenever playback rests. */
  private keepMarks(frame: Frame, paths: Paths): void {
    const { range, isPlaying } = this.view
    const key = [this.place, paths, frame.dimmed, ...range]
    const now = performance.now()
    if (same(key, this.marks)) return
    if (
      isPlaying &&
      this.marks.length > 0 &&
      this.marks[0] === this.place &&
      now - this.marksAt < MARKS_EVERY_MS
    )
      return
    this.marks = key
    this.marksAt = now
    this.clear(frame, 'marks')
    this.drawMarks(this.layer(frame, 'marks'), paths)
  }

  private compose(frame: Frame, paths: Paths): void {
    const { ctx } = frame
    const dim = frame.dimmed ? 0.22 : 1
    ctx.clearRect(0, 0, frame.viewport.width, frame.viewport.height)
    overlay(ctx, this.layers.get('ground')!, 1)
    // As in a turning frame, so that the haze is taken from a kept picture.
    if (frame.night !== null) this.drawLight({ ...frame, moving: true })
    if (this.view.colouring === 'heat') this.composeHeat(frame, dim)
    else {
      if (this.view.colouring === 'years') {
        overlay(ctx, this.layers.get('past')!, FADED * dim)
        overlay(ctx, this.layers.get('recent')!, this.recentStrength() * dim)
      }
      overlay(ctx, this.layers.get('current')!, dim)
    }
    this.drawPresent(frame, paths)
    overlay(ctx, this.layers.get('marks')!, 1)
  }

  private composeHeat(frame: Frame, dim: number): void {
    const { ctx, viewport } = frame
    const now = performance.now()
    const isDue = !this.view.isPlaying || this.heatOf < 0 || now - this.heatAt >= HEAT_EVERY_MS
    if (this.heatOf !== this.drawn && isDue) {
      this.heatAt = now
      const own = this.layer(frame, 'current')
      own.ctx.clearRect(0, 0, viewport.width, viewport.height)
      paintGrid(own, this.grid!)
      this.heatOf = this.drawn
    }
    overlay(ctx, this.layers.get('current')!, dim)
  }
}

const MOVING_LINES = 1400

/** While the map moves, the lines on top are enough. */
function atMost(groups: Group[], isMoving: boolean): Group[] {
  if (!isMoving) return groups
  const kept: Group[] = []
  let left = MOVING_LINES
  for (const { lines, pen } of groups.toReversed()) {
    if (left <= 0) break
    kept.unshift({ lines: lines.slice(0, left), pen })
    left -= lines.length
  }
  return kept
}

const layerOf = (period: number, now: number): Layer =>
  period >= now ? 'current' : period === now - 1 ? 'recent' : 'past'

const same = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((part, i) => part === b[i])

/** Pixel on pixel, whatever the scale of the canvas. */
function overlay(ctx: CanvasRenderingContext2D, layer: CanvasRenderingContext2D, alpha: number): void {
  ctx.save()
  ctx.setTransform(1, 0, 0, 1, 0, 0)
  ctx.globalAlpha = alpha
  ctx.drawImage(layer.canvas, 0, 0)
  ctx.restore()
}

/** Enlarged by the browser, which smooths it. */
function paintGrid({ ctx, theme }: Frame, grid: Grid): void {
  const { width, height } = grid
  const small = document.createElement('canvas')
  small.width = width
  small.height = height
  const own = small.getContext('2d', { willReadFrequently: true })!
  const image = own.createImageData(width, height)
  const density = smoothed(grid)
  paintHeat(density, highestOf(density), heatTones(theme.ramp[0]!, theme.ramp.at(-1)!), image.data)
  own.putImageData(image, 0, 0)
  ctx.drawImage(small, 0, 0, width * CELL, height * CELL)
}

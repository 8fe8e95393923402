/** Time on the map while it is open: the moment, playback, and what of it is in the address. */

import type { Rgb } from '../../../../server/domain/colour.ts'
import type { Flight } from '../../api/log.ts'
import type { MapEngine } from '../../globe/engine.ts'
import { route, setQuery } from '../../lib/router.svelte.ts'
import { type Colouring, readTime, withTime } from './address.ts'
import { TimePainter, type TimeView } from './painter.ts'
import { readStops } from './ramp.ts'
import { follow } from './sun.ts'
import {
  advance,
  createTimeline,
  type Figures,
  halfWay,
  instantOf,
  neighbour,
  planeTime,
  presentAt,
  rangeOf,
  shownMonth,
  step,
  Tally,
  type Timeline,
  yearOf,
} from './timeline.ts'

/** Years a second. */
export const speeds = [0.25, 1, 4] as const
export type Speed = (typeof speeds)[number]

/** What stands beside the globe; it changes at most ten times a second. */
interface Shown {
  figures: Figures
  /** Of the month that is named. */
  month: number
  flight: Flight | null
}

const SHOWN_EVERY_MS = 100
const LONGEST_FRAME_S = 0.1
const ADDRESS_AFTER_MS = 250
const TURNS_FOR_MS = 600
const TURNS_EVERY_MS = 2400
/** With reduced motion, at the highest speed too. */
const SHORTEST_STEP_MS = 500

export class TimeMode {
  timeline = $state.raw<Timeline<Flight>>(createTimeline<Flight>([], Date.now()))
  from = $state(0)
  moment = $state(0)
  isPlaying = $state(false)
  speed = $state<Speed>(1)
  colouring = $state<Colouring>('years')
  night = $state(false)
  shown = $state.raw<Shown>({
    figures: { flights: 0, distanceKm: 0, airports: 0, countries: 0 },
    month: 0,
    flight: null,
  })
  /** The colours of the years, oldest first, as the theme has them. */
  stops = $state.raw<Rgb[]>([])

  readonly engine: MapEngine
  private readonly element: Element
  private painter: TimePainter | null = null
  private tally = new Tally(this.timeline)
  private ticket = 0
  private stepTimer = 0
  private addressTimer = 0
  private frameAt = 0
  private shownAt = 0
  private turnedAt = 0
  private sun: number | null = null

  constructor(engine: MapEngine, element: Element) {
    this.engine = engine
    this.element = element
    this.stops = readStops(element)
    const address = readTime(route.query)
    this.colouring = address?.colouring ?? 'years'
    this.night = address?.night ?? false
  }

  /** The flown flights of the map. The first call takes the moment of the address, later ones keep the present one. */
  setFlights(flights: readonly Flight[]): void {
    const isFirst = this.painter === null
    const wasAtEnd = this.moment >= this.timeline.last
    const wasFromStart = this.from <= this.timeline.start
    const address = readTime(route.query)
    const timeline = createTimeline(flights, Date.now())
    // After a filter the axis may be another one: what is not on it any more says nothing.
    const isOn = (moment: number | null | undefined): moment is number =>
      typeof moment === 'number' && moment >= timeline.start && moment <= timeline.last
    this.timeline = timeline
    this.tally = new Tally(timeline)
    const from = isFirst ? address?.from : wasFromStart ? null : this.from
    const to = isFirst ? address?.to : wasAtEnd ? null : this.moment
    this.from = isOn(from) ? from : timeline.start
    this.moment = isOn(to) ? Math.max(this.from, to) : timeline.last
    this.painter = new TimePainter(timeline, this.stops, this.view())
    this.engine.setPainter(this.painter)
    this.update(true)
  }

  destroy(): void {
    this.stop()
    clearTimeout(this.addressTimer)
    this.engine.setNight(null)
    this.engine.setPainter(null)
  }

  refreshTheme(): void {
    this.stops = readStops(this.element)
    this.painter?.recolour(this.stops)
    this.update(true)
  }

  get range(): [number, number] {
    return rangeOf(this.timeline, this.from, this.moment)
  }

  get isAtEnd(): boolean {
    return this.moment >= this.timeline.last
  }

  private view(): TimeView {
    const view = this.viewAt(this.moment, this.isPlaying)
    return this.isPlaying && this.engine.isReducedMotion ? { ...view, present: null } : view
  }

  /** The painter that films and pictures use: the same moment, on other canvases. */
  createPainter(moment = this.moment): TimePainter {
    return new TimePainter(this.timeline, this.stops, this.viewAt(moment, false))
  }

  viewAt(moment: number, isPlaying: boolean): TimeView {
    const { timeline, from, speed, colouring } = this
    const present = presentAt(timeline, from, moment, planeTime(speed))
    return {
      range: rangeOf(timeline, from, moment),
      moment,
      present,
      colouring,
      hasPlane: !this.engine.isReducedMotion,
      isPlaying,
    }
  }

  /** The light at a moment of a film, some seconds after that of the frame before. */
  nightAt(moment: number, before: number | null, seconds: number): number | null {
    if (!this.night) return null
    const { present } = this.viewAt(moment, true)
    const flight = present && this.timeline.flights[present.index]
    const wanted = flight ? instantOf(flight, present.share) : (before ?? moment)
    return before === null ? wanted : follow(before, wanted, seconds)
  }

  // --- what people do

  toggle(): void {
    if (this.isPlaying) this.pause()
    else this.play()
  }

  play(): void {
    if (this.isPlaying || this.timeline.flights.length === 0) return
    if (this.isAtEnd) this.moment = this.from
    this.isPlaying = true
    this.frameAt = 0
    this.update(true)
    if (this.engine.isReducedMotion) this.stepOn()
    else this.ticket = requestAnimationFrame((now) => this.tick(now))
  }

  pause(): void {
    if (!this.isPlaying) return
    this.stop()
    this.update(true)
    this.keepAddress()
  }

  private stop(): void {
    this.isPlaying = false
    cancelAnimationFrame(this.ticket)
    clearTimeout(this.stepTimer)
  }

  seek(moment: number): void {
    this.moment = Math.min(this.timeline.last, Math.max(this.from, moment))
    this.frameAt = 0
    this.update(true)
    if (!this.isPlaying) this.keepAddress()
  }

  /** Cuts off the beginning. */
  startFrom(moment: number): void {
    this.from = Math.min(this.timeline.last, Math.max(this.timeline.start, moment))
    this.moment = Math.max(this.moment, this.from)
    this.update(true)
    this.keepAddress()
  }

  stepBy(by: 1 | -1, unit: 'month' | 'year'): void {
    this.seek(step(this.timeline, this.moment, by, unit))
  }

  stepStart(by: 1 | -1, unit: 'month' | 'year'): void {
    this.startFrom(step(this.timeline, this.from, by, unit))
  }

  /** To the next or previous flight; while playing to the next or previous year. */
  jump(by: 1 | -1): void {
    if (this.isPlaying) {
      this.stepBy(by, 'year')
      return
    }
    const atMost = planeTime(this.speed)
    const index = neighbour(this.timeline, this.moment, by, atMost)
    const [low] = this.range
    if (index === undefined || index < low) this.seek(by > 0 ? this.timeline.last : this.from)
    else this.seek(halfWay(this.timeline, index, atMost))
  }

  choose(change: { colouring?: Colouring; night?: boolean; speed?: Speed }): void {
    if (change.colouring) this.colouring = change.colouring
    if (change.night !== undefined) this.night = change.night
    if (change.speed) this.speed = change.speed
    this.sun = null
    this.update(true)
    this.keepAddress()
  }

  // --- the clock

  private tick(now: number): void {
    if (!this.isPlaying) return
    const seconds = this.frameAt === 0 ? 0 : Math.min(LONGEST_FRAME_S, (now - this.frameAt) / 1000)
    this.frameAt = now
    this.moment = advance(this.timeline, this.moment, seconds, this.speed)
    this.update(false, seconds)
    if (this.isAtEnd) this.pause()
    else this.ticket = requestAnimationFrame((next) => this.tick(next))
  }

  /** Reduced motion: a year at a time. */
  private stepOn(): void {
    this.stepTimer = window.setTimeout(
      () => {
        this.moment = step(this.timeline, this.moment, 1, 'year')
        this.update(true)
        if (this.isAtEnd) this.pause()
        else this.stepOn()
      },
      Math.max(SHORTEST_STEP_MS, 1000 / this.speed),
    )
  }

  private update(isNow: boolean, seconds = 0): void {
    const view = this.view()
    this.painter?.show(view)
    this.engine.setNight(this.light(seconds))
    this.engine.repaint()
    const now = performance.now()
    if (isNow || now - this.shownAt >= SHOWN_EVERY_MS) {
      this.shownAt = now
      this.tell(view)
    }
    if (view.present) this.keepInSight(this.timeline.flights[view.present.index]!, now)
  }

  private tell(view: TimeView): void {
    const flight = view.present ? (this.timeline.flights[view.present.index] ?? null) : null
    const month = shownMonth(this.timeline, this.moment)
    this.shown = { figures: this.tally.of(...view.range), month, flight }
  }

  /** The hour of the present flight; at the end it is now. While playing the light turns there instead of flickering. */
  private light(seconds: number): number | null {
    if (!this.night) return null
    if (this.isAtEnd && !this.isPlaying) this.sun = Date.now()
    else this.sun = this.nightAt(this.moment, this.isPlaying ? this.sun : null, seconds)
    return this.sun
  }

  private keepInSight(flight: Flight, now: number): void {
    if (this.engine.isTurning || now - this.turnedAt < (this.isPlaying ? TURNS_EVERY_MS : 0)) return
    if (!this.engine.isAway(flight.id)) return
    this.turnedAt = now
    this.engine.show({ kind: 'flight', id: flight.id }, TURNS_FOR_MS)
  }

  /** When it rests: an address that changes with every frame would be refused by the browser. */
  private keepAddress(): void {
    clearTimeout(this.addressTimer)
    this.addressTimer = window.setTimeout(() => {
      const { timeline, from, moment, colouring, night } = this
      const state = {
        colouring,
        from: from > timeline.start ? from : null,
        to: moment < timeline.last ? moment : null,
        night,
      }
      const next = withTime(route.query, state)
      if (next.toString() !== route.query.toString()) setQuery(next)
    }, ADDRESS_AFTER_MS)
  }

  get year(): number {
    return yearOf(this.shown.month)
  }
}

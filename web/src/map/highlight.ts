// The bright layer over the map: what is pointed at or selected, and the arc of a flight that was just saved.
import type { Frame } from './draw.ts'
import { drawText, penFor, traceLine } from './draw.ts'
import { spotRadius } from './labels.ts'
import type { Line, Route, Scene, Spot } from './scene.ts'
import { RAMP_STEPS, rgba } from './theme.ts'
import { codeOf, type MapFlight, type Selection } from './types.ts'

export interface Lit {
  lines: Line[]
  spots: Spot[]
}

const nothing: Lit = { lines: [], spots: [] }

export function litBy(scene: Scene, flights: readonly MapFlight[], selection: Selection | null): Lit {
  if (!selection) return nothing
  if (selection.kind === 'airport') return litByAirport(scene, flights, selection.id)
  if (selection.kind === 'route') return litByPair(scene, selection.a, selection.b)
  const track = scene.tracks.find((t) => t.flightId === selection.id)
  const flight = flights.find((f) => f.id === selection.id)
  const pair = flight?.from && flight.to ? litByPair(scene, flight.from.id, flight.to.id) : nothing
  return track ? { lines: [track], spots: pair.spots } : pair
}

function spotsOf(scene: Scene, ids: ReadonlySet<number>): Spot[] {
  return scene.spots.filter((spot) => ids.has(spot.airport.id))
}

function litByPair(scene: Scene, a: number, b: number): Lit {
  const lines = scene.routes.filter((r) => (r.a.id === a && r.b.id === b) || (r.a.id === b && r.b.id === a))
  return { lines, spots: spotsOf(scene, new Set([a, b])) }
}

function litByAirport(scene: Scene, flights: readonly MapFlight[], id: number): Lit {
  const routes: Route[] = scene.routes.filter((r) => r.a.id === id || r.b.id === id)
  const ends = new Set([id, ...routes.flatMap((r) => [r.a.id, r.b.id])])
  const own = new Set(flights.filter((f) => f.from?.id === id || f.to?.id === id).map((f) => f.id))
  const tracks = scene.tracks.filter((t) => own.has(t.flightId))
  return { lines: [...routes, ...tracks], spots: spotsOf(scene, ends) }
}

export function drawLit(frame: Frame, lit: Lit, selection: Selection | null, strong: boolean): void {
  const { ctx, theme } = frame
  if (lit.lines.length === 0 && lit.spots.length === 0) return
  const stride = frame.moving ? 3 : 1
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  ctx.beginPath()
  for (const line of lit.lines) traceLine(frame, line, stride)
  const pen = penFor(0.8, lit.lines.length, theme)
  const color = theme.ramp[RAMP_STEPS - 1]!
  if (strong && !frame.moving) {
    ctx.lineWidth = pen.width * 4
    ctx.strokeStyle = rgba(color, theme.dark ? 0.18 : 0.12)
    ctx.stroke()
  }
  ctx.lineWidth = strong ? pen.width : pen.width * 0.8
  ctx.strokeStyle = rgba(color, 0.95)
  ctx.stroke()
  drawLitSpots(frame, lit, selection)
}

function drawLitSpots(frame: Frame, lit: Lit, selection: Selection | null): void {
  const { ctx, at, theme } = frame
  const few = frame.scene.spots.length < 40
  const withText = lit.spots.length <= 24 ? lit.spots : lit.spots.slice(0, 24)
  for (const spot of lit.spots) {
    if (at.depth[spot.start]! <= 0) continue
    const isSubject = selection?.kind === 'airport' && selection.id === spot.airport.id
    ctx.beginPath()
    ctx.arc(
      at.x[spot.start]!,
      at.y[spot.start]!,
      spotRadius(spot, few) + (isSubject ? 2.5 : 0.8),
      0,
      2 * Math.PI,
    )
    ctx.fillStyle = isSubject ? rgba(theme.ramp[RAMP_STEPS - 1]!, 1) : theme.airport
    ctx.fill()
    ctx.lineWidth = 2
    ctx.strokeStyle = theme.labelHalo
    ctx.stroke()
  }
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  for (const spot of withText) {
    if (at.depth[spot.start]! <= 0.1) continue
    const isSubject = selection?.kind === 'airport' && selection.id === spot.airport.id
    const size = isSubject || lit.spots.length === 2 ? 14 : 11
    const y = at.y[spot.start]! + spotRadius(spot, few) + size * 0.55 + 4
    drawText(frame, codeOf(spot.airport), at.x[spot.start]!, y, size)
  }
}

/** The arc grows from its first airport; a bright head leads it. */
export function drawGrowing(frame: Frame, line: Line, share: number): void {
  const { ctx, at, theme } = frame
  const color = theme.ramp[RAMP_STEPS - 1]!
  ctx.lineCap = 'round'
  for (const [width, alpha] of [
    [10, 0.12],
    [5, 0.25],
    [2.4, 1],
  ] as const) {
    ctx.beginPath()
    traceLine(frame, line, 1, share)
    ctx.lineWidth = width
    ctx.strokeStyle = rgba(color, alpha)
    ctx.stroke()
  }
  const head = line.start + Math.round((line.count - 1) * share)
  if (at.depth[head]! < 0) return
  ctx.beginPath()
  ctx.arc(at.x[head]!, at.y[head]!, 4, 0, 2 * Math.PI)
  ctx.fillStyle = theme.airport
  ctx.fill()
}

// Draws a poster on a canvas, or on one that writes SVG: paper, world, routes, airports, words.
import { type GeoPath, type GeoProjection, geoGraticule, geoPath } from 'd3-geo'
import type { MultiLineString, MultiPolygon } from 'geojson'
import { mixColours, type Rgb } from '../../../../server/domain/colour.ts'
import { liftOf, RIM, rimStep, traceArc } from '../../../../server/domain/geo/arc-height.ts'
import { placeLabels } from '../../../../server/domain/geo/labels.ts'
import type { Route, Spot } from '../../globe/scene.ts'
import { rgba } from '../../globe/theme.ts'
import { drawCompass, drawRings, nameRings } from './chart.ts'
import { layoutOf } from './layout.ts'
import { type Look, looks } from './looks.ts'
import type { PosterData, PosterStyle } from './poster.ts'
import { chartProjection, globeProjection, worldProjection } from './projections.ts'
import { fontOf, type PosterWords, type Sheet } from './sheet.ts'
import { drawWords } from './words.ts'

export interface World {
  land: MultiPolygon
  borders: MultiLineString
}

export interface Poster {
  style: PosterStyle
  data: PosterData
  words: PosterWords
  world: World
}

const OVER = 20

export function drawPoster(ctx: CanvasRenderingContext2D, { style, data, words, world }: Poster): void {
  const sheet: Sheet = { ctx, look: looks[style], layout: layoutOf(style), data, words }
  const { look, layout } = sheet
  ctx.fillStyle = look.paper
  // Beyond the edges, for a bleed on any paper.
  ctx.fillRect(-OVER, -OVER, layout.width + 2 * OVER, layout.height + 2 * OVER)
  const projection = projectionOf(style, sheet)
  drawWorld(sheet, geoPath(projection, ctx), world)
  if (style === 'chart') drawRings(sheet)
  const lift = style === 'night' ? liftOf(data.routes.length) : 0
  for (const route of data.routes) drawRoute(sheet, projection, route, lift)
  if (style === 'chart') {
    nameRings(sheet)
    drawCompass(sheet)
  }
  drawAirports(sheet, projection)
  drawWords(sheet)
}

function projectionOf(style: PosterStyle, { layout, data }: Sheet): GeoProjection {
  if (style === 'chart') return chartProjection(layout.disc, data)
  if (style === 'night') return globeProjection(layout.disc, data)
  return worldProjection(layout.sheet, data)
}

function drawWorld({ ctx, look }: Sheet, path: GeoPath, { land, borders }: World): void {
  const paint = (shape: Parameters<GeoPath>[0], fill: string | null, stroke: string | null, width = 0.5) => {
    ctx.beginPath()
    path(shape)
    if (fill) {
      ctx.fillStyle = fill
      ctx.fill()
    }
    if (!stroke) return
    ctx.lineWidth = width
    ctx.strokeStyle = stroke
    ctx.stroke()
  }
  paint({ type: 'Sphere' }, look.sea, null)
  paint(geoGraticule().step([15, 15])(), null, look.grid, 0.35)
  paint(land, look.land, look.coast, 0.5)
  paint(borders, null, look.border, 0.4)
  paint({ type: 'Sphere' }, null, look.coast, 0.8)
}

const MANY_ROUTES = 400
/** From here on, lines are translucent, so that those flown often stand out. */
const THOUSANDS = 1500
/** 0.25 mm. */
const THINNEST = 0.25 / 0.35

interface Pen {
  colour: Rgb
  width: number
}

const penOf = (look: Look, weight: number, isCrowded: boolean): Pen => ({
  colour: mixColours(look.rare, look.often, weight),
  width: isCrowded ? THINNEST + 0.6 * weight : 1 + 2 * weight,
})

function drawRoute(sheet: Sheet, projection: GeoProjection, route: Route, lift: number): void {
  const { ctx, look, data } = sheet
  if (route.flown === 0) return
  const pen = penOf(look, route.weight, data.routes.length > MANY_ROUTES)
  const strength = data.routes.length > THOUSANDS ? 0.45 + 0.45 * route.weight : 0.9
  ctx.lineCap = lift > 0 ? 'butt' : 'round'
  ctx.lineJoin = 'round'
  if (lift === 0) {
    const ends = [route.a, route.b].map(({ longitude, latitude }) => [longitude, latitude])
    ctx.beginPath()
    geoPath(projection, ctx)({ type: 'LineString', coordinates: ends })
    strokeRoute(sheet, pen, strength)
    return
  }
  // Towards the limb an arc fades in steps, each of them a path of its own.
  for (const [step, part] of [...RIM, 1].entries()) {
    ctx.beginPath()
    traceArc(ctx, projection, route.a, route.b, lift, (depth) => rimStep(depth) === step)
    strokeRoute(sheet, pen, part * strength)
  }
}

function strokeRoute({ ctx, look }: Sheet, { colour, width }: Pen, strength: number): void {
  if (look.glow > 0) {
    ctx.lineWidth = width * 4
    ctx.strokeStyle = rgba(colour, look.glow * Math.min(1, strength / 0.9))
    ctx.stroke()
  }
  ctx.lineWidth = width
  ctx.strokeStyle = rgba(colour, strength)
  ctx.stroke()
}

const LABELS_AT_MOST = 120
const LABELS_IF_MANY = 40
/** Codes are 9.5 units high; the rule that places them knows 11. */
const LABEL_SCALE = 9.5 / 11

function drawAirports(sheet: Sheet, projection: GeoProjection): void {
  const { ctx, look, data } = sheet
  const at = positionsOf(data.spots, projection)
  const isCrowded = data.routes.length > MANY_ROUTES
  for (const [i, spot] of data.spots.entries()) {
    if (at.depth[i]! < 0) continue
    ctx.beginPath()
    ctx.arc(at.x[i]!, at.y[i]!, (isCrowded ? 0.9 : 1.6) + 2.4 * spot.weight, 0, 2 * Math.PI)
    ctx.fillStyle = look.ink
    ctx.fill()
  }
  drawLabels(sheet, at, isCrowded ? LABELS_IF_MANY : LABELS_AT_MOST)
}

function positionsOf(spots: readonly Spot[], projection: GeoProjection) {
  const [x, y, depth] = [0, 1, 2].map(() => new Float32Array(spots.length)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  // A clipped projection still gives a point for what is behind: the path does not.
  const path = geoPath(projection)
  for (const [i, { airport }] of spots.entries()) {
    const place: [number, number] = [airport.longitude, airport.latitude]
    const isSeen = path({ type: 'Point', coordinates: place }) !== null
    const point = isSeen ? projection(place) : null
    x[i] = point?.[0] ?? 0
    y[i] = point?.[1] ?? 0
    depth[i] = point ? 1 : -1
  }
  return { x, y, depth }
}

function drawLabels(
  { ctx, look, layout, data }: Sheet,
  at: ReturnType<typeof positionsOf>,
  limit: number,
): void {
  const scaled = (values: Float32Array) => values.map((value) => value / LABEL_SCALE)
  const dots = data.spots.map((spot, start) => ({ ...spot, start }))
  // The centre is always named.
  dots.sort((a, b) => Number(b.airport.id === data.centre.id) - Number(a.airport.id === data.centre.id))
  const room = {
    width: layout.width / LABEL_SCALE,
    height: layout.height / LABEL_SCALE,
    limit,
    measure: (text: string, size: number) => {
      ctx.font = fontOf(size, 600)
      return ctx.measureText(text).width
    },
  }
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.lineJoin = 'round'
  for (const { text, size, dx, dy, spot } of placeLabels(
    dots,
    { x: scaled(at.x), y: scaled(at.y), depth: at.depth },
    room,
    true,
  )) {
    const [x, y] = [at.x[spot.start]! + dx * LABEL_SCALE, at.y[spot.start]! + dy * LABEL_SCALE]
    ctx.font = fontOf(Math.round(size * LABEL_SCALE * 10) / 10, 600)
    ctx.lineWidth = 2.4
    ctx.strokeStyle = look.halo
    ctx.strokeText(text, x, y)
    ctx.fillStyle = look.ink
    ctx.fillText(text, x, y)
  }
}

// The dark card with a globe, as SVG: the web app's year card and the preview picture of a share's link. All styles are
// attributes, so that the drawing looks the same wherever it is shown.
import { type GeoProjection, geoGraticule10, geoOrthographic, geoPath } from 'd3-geo'
import type { FeatureCollection } from 'geojson'
import { mixColours, parseColour } from '../colour.ts'
import { escapeXml } from '../formats/xml.ts'
import { arcPath, liftOf } from '../geo/arc-height.ts'
import { placeLabels } from '../geo/labels.ts'
import { airportWeight, bestSide, RAD, routeWeight, vectorOf } from '../geo/sphere.ts'

interface Place {
  latitude: number
  longitude: number
}
export interface CardRoute {
  from: Place
  to: Place
  flights: number
}
export interface CardAirport extends Place {
  code: string
  visits: number
}

interface GlobeSubject {
  routes: readonly CardRoute[]
  airports: readonly CardAirport[]
  /** Without land, the routes are drawn over water. */
  land: FeatureCollection | null
  /** The airports that the globe is turned to, if not all airports by visits. */
  facing?: readonly CardAirport[]
}

interface GlobeFrame {
  centre: readonly [x: number, y: number]
  radius: number
  /** How much larger the airport codes are than on the map. */
  textScale: number
  /** Airports below this position have no code, because other text is there. */
  namedAbove?: number
}

/** More routes would take time to draw and be hidden by the others. */
const ROUTES_AT_MOST = 900
const LABELS_AT_MOST = 14
/** Fewer routes are drawn with thicker lines, up to twice as thick: the card is often seen at half its size. */
const MANY_ROUTES = 150
/** The colours from the rarest to the most flown route. */
const rare = parseColour('#4f86f0')
const often = parseColour('#ff9ec4')

export function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most
    ? `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : text
}

/** The width of an average character of the card's font, relative to its size. */
const CHARACTER = 0.57
const STEPS = [1, 0.86, 0.74, 0.64, 0.56, 0.48]

function brokenAt(text: string, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= most)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** A name on one or two lines, in a smaller size if it is long, but never cut. */
export function fitted(text: string, width: number, largest: number): { lines: string[]; size: number } {
  const all = STEPS.map((step) => {
    const size = step * largest
    return { size, lines: brokenAt(text, Math.floor(width / (CHARACTER * size))) }
  })
  const isFitting = ({ size, lines }: { size: number; lines: string[] }) =>
    lines.length <= (size > 0.8 * largest ? 1 : 2) &&
    lines.every((line) => line.length * CHARACTER * size <= width)
  return all.find(isFitting) ?? all.at(-1)!
}

/** The background of the whole card; drawn first. */
export const drawSky = (width: number, height: number): string => `<defs>
    <linearGradient id="card-sky" x1="0" y1="0" x2="0.3" y2="1">
      <stop offset="0" stop-color="#0d1630"/><stop offset="0.55" stop-color="#080d1a"/><stop offset="1" stop-color="#05070d"/>
    </linearGradient>
  </defs>
  <rect width="${width}" height="${height}" fill="url(#card-sky)"/>`

/** Large figures with their labels, next to each other. */
export const drawCounters = (
  counters: readonly (readonly [value: string, name: string])[],
  { x, y, step, size }: { x: number; y: number; step: number; size: number },
): string =>
  counters
    .map(
      ([value, name], index) => `<g transform="translate(${x + index * step} ${y})">
      <text font-size="${size}" font-weight="700" fill="#ffffff" letter-spacing="${-0.025 * size}">${escapeXml(value)}</text>
      <text y="${0.62 * size}" font-size="${0.4 * size}" fill="#aab9d4">${escapeXml(name)}</text>
    </g>`,
    )
    .join('')

/** The best side of the globe, with land, routes, airports and the codes of the busiest. */
export function drawGlobe({ routes, airports, land, facing }: GlobeSubject, frame: GlobeFrame): string {
  const [x, y] = frame.centre
  const { radius } = frame
  const projection = projectionFor(facing ?? airports, frame)
  const path = geoPath(projection).digits(1)
  const ball = `cx="${x}" cy="${y}" r="${radius}"`
  return `<defs>
    <radialGradient id="card-halo">
      <stop offset="0.8" stop-color="#3a78e8" stop-opacity="0.42"/><stop offset="1" stop-color="#3a78e8" stop-opacity="0"/>
    </radialGradient>
    <radialGradient id="card-ocean" cx="0.35" cy="0.3" r="0.75">
      <stop offset="0" stop-color="#14244a"/><stop offset="1" stop-color="#0a1122"/>
    </radialGradient>
    <radialGradient id="card-limb">
      <stop offset="0.66" stop-color="#122a5c" stop-opacity="0"/><stop offset="0.96" stop-color="#16336e" stop-opacity="0.6"/><stop offset="1" stop-color="#3f7ce6" stop-opacity="0.85"/>
    </radialGradient>
    <clipPath id="card-ball"><circle ${ball}/></clipPath>
  </defs>
  <circle cx="${x}" cy="${y}" r="${radius * 1.22}" fill="url(#card-halo)"/>
  <g clip-path="url(#card-ball)">
    <circle ${ball} fill="url(#card-ocean)"/>
    <path d="${path(geoGraticule10()) ?? ''}" fill="none" stroke="#ffffff" stroke-opacity="0.05"/>
    ${land ? `<path d="${path(land) ?? ''}" fill="#263a63" stroke="#3d5486" stroke-width="0.8"/>` : ''}
    <g fill="none" stroke-linecap="round">${drawRoutes(routes, projection)}</g>
    <circle ${ball} fill="url(#card-limb)"/>
  </g>
  ${drawAirports(airports, projection, frame)}`
}

function projectionFor(airports: readonly CardAirport[], { centre, radius }: GlobeFrame): GeoProjection {
  const { longitude, latitude, zoom } = bestSide(
    airports.map((airport) => ({
      vector: vectorOf(airport.longitude, airport.latitude),
      visits: airport.visits,
    })),
  )
  // A log of short flights is enlarged, but cut by the same circle, so that it still looks like a globe.
  const scale = radius * Math.max(1, zoom)
  const tilt = tiltFor(scale / radius)
  const aside = latitude < 0 ? tilt : -tilt
  return geoOrthographic()
    .scale(scale)
    .translate([centre[0], centre[1] - scale * Math.sin(aside * RAD)])
    .rotate([-longitude, -(latitude + aside)])
    .clipAngle(90)
    .precision(0.3)
}

/** Degrees. */
const MOST_TILT = 27

/** From above, a short arc would be a straight line. An enlarged globe is tilted as far as it still fills the circle. */
const tiltFor = (zoom: number): number => Math.min(MOST_TILT, Math.asin(1 - 1 / zoom) / RAD)

/** Least flown first, so that the busiest are on top. */
function drawRoutes(routes: readonly CardRoute[], projection: GeoProjection): string {
  const shown = routes.toSorted((a, b) => a.flights - b.flights).slice(-ROUTES_AT_MOST)
  const most = shown.at(-1)?.flights ?? 0
  const lift = liftOf(shown.length)
  const pen = 1 + Math.max(0, 1 - shown.length / MANY_ROUTES)
  return shown
    .map(({ from, to, flights }) => {
      const d = arcPath(projection, from, to, lift)
      if (!d) return ''
      const weight = routeWeight(flights, most)
      const colour = `rgb(${mixColours(rare, often, weight).join(',')})`
      const width = pen * (1.6 + 2.4 * weight)
      const opacity = Math.min(0.95, (routes.length > MANY_ROUTES ? 0.35 : 0.65) + 0.5 * weight)
      const glows = weight > 0.3 || routes.length < 60
      const glow = glows
        ? `<path d="${d}" stroke="${colour}" stroke-width="${width * 4}" stroke-opacity="0.1"/>`
        : ''
      return `${glow}<path d="${d}" stroke="${colour}" stroke-width="${width}" stroke-opacity="${opacity}"/>`
    })
    .join('')
}

/** The dots of airports on this side of the globe, and the codes that fit. */
function drawAirports(
  airports: readonly CardAirport[],
  projection: GeoProjection,
  { centre, radius, textScale, namedAbove = centre[1] + radius }: GlobeFrame,
): string {
  const path = geoPath(projection)
  const busiest = airports.toSorted((a, b) => b.visits - a.visits)
  const most = busiest[0]?.visits ?? 1
  // On a whole globe, an arc to the limb has its dot there; an enlarged globe is cut at its edge.
  const reach = projection.scale() > radius ? radius - 6 : radius + 1
  const seen = busiest.flatMap(({ longitude, latitude, code, visits }) => {
    const point = projection([longitude, latitude])
    const isInFront = path({ type: 'Point', coordinates: [longitude, latitude] }) !== null
    if (!point || !isInFront || Math.hypot(point[0] - centre[0], point[1] - centre[1]) > reach) return []
    return [{ point, weight: airportWeight(visits, most), airport: { iata: code, icao: code } }]
  })
  const dots = seen.map(
    ({ point: [x, y], weight }) =>
      `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${1.8 + 5 * weight}" fill="#ffffff" fill-opacity="${0.6 + 0.4 * weight}"/>`,
  )
  // Labels are placed on a globe that is scaled down, because their text is scaled up.
  const spots = seen.slice(0, 60).map((spot, start) => ({ ...spot, start }))
  const positions = {
    x: Float32Array.from(spots, ({ point }) => point[0] / textScale),
    y: Float32Array.from(spots, ({ point }) => point[1] / textScale),
    depth: new Float32Array(spots.length).fill(1),
  }
  const room = {
    width: (centre[0] + radius) / textScale,
    height: namedAbove / textScale,
    measure: (text: string, size: number) => text.length * size * 0.72,
    limit: LABELS_AT_MOST,
  }
  const labels = placeLabels(spots, positions, room, true).map(({ spot, text, dx, dy, size }) => {
    const x = spot.point[0] + dx * textScale
    const y = spot.point[1] + dy * textScale + 0.36 * size * textScale
    return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size * textScale}">${escapeXml(text)}</text>`
  })
  return `${dots.join('')}<g font-weight="600" fill="#f2f5fb" stroke="#080d1a" stroke-width="5" stroke-linejoin="round" paint-order="stroke" text-anchor="middle">${labels.join('')}</g>`
}

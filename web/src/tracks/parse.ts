/** GPX, KML and CSV files → a track. Read in the browser; the server gets points only. */

import { TRACK_POINTS_AT_MOST } from '../../../server/domain/limits.ts'
import type { Coordinate, TrackFormat, TrackInput } from '../api/types.ts'

/** One point of a file; altitude in metres, time in Unix seconds, speed in knots. */
export interface Point {
  lon: number
  lat: number
  alt: number | null
  time: number | null
  speed: number | null
  heading: number | null
}

export interface Parsed {
  track: TrackInput
  points: Point[]
  /** 1 unless the file was too long and only every n-th point was kept. */
  step: number
}

function usable(point: Point): boolean {
  return Math.abs(point.lat) <= 90 && Math.abs(point.lon) <= 180
}

function number(text: string | null | undefined): number | null {
  if (!text?.trim()) return null
  const value = Number(text.trim().replace(',', '.'))
  return Number.isFinite(value) ? value : null
}

function seconds(text: string | null | undefined): number | null {
  const trimmed = text?.trim()
  if (!trimmed) return null
  if (/^\d{9,10}(\.\d+)?$/.test(trimmed)) return Math.floor(Number(trimmed))
  if (/^\d{12,13}$/.test(trimmed)) return Math.floor(Number(trimmed) / 1000)
  // A time without a zone in a track is UTC, never the browser's time zone.
  const zoned = /(z|[+-]\d{2}:?\d{2}|utc|gmt)$/i.test(trimmed) ? trimmed : `${trimmed.replace(' ', 'T')}Z`
  const value = Date.parse(zoned)
  return Number.isNaN(value) ? null : Math.floor(value / 1000)
}

function xml(text: string): Document | null {
  const document = new DOMParser().parseFromString(text, 'application/xml')
  return document.getElementsByTagName('parsererror').length > 0 ? null : document
}

const child = (element: Element, name: string): string | null =>
  element.getElementsByTagNameNS('*', name)[0]?.textContent ?? null

const metresPerSecondInKnots = 1.943844

function readGpx(document: Document): Point[] {
  const pick = (name: string) => [...document.getElementsByTagNameNS('*', name)]
  const elements = [pick('trkpt'), pick('rtept'), pick('wpt')].find((list) => list.length > 1) ?? []
  return elements.map((element) => {
    const speed = number(child(element, 'speed'))
    return {
      lon: Number(element.getAttribute('lon')),
      lat: Number(element.getAttribute('lat')),
      alt: number(child(element, 'ele')),
      time: seconds(child(element, 'time')),
      speed: speed === null ? null : speed * metresPerSecondInKnots,
      heading: number(child(element, 'course')),
    }
  })
}

function kmlPoint(text: string, separator: RegExp, time: number | null): Point | null {
  const [lon, lat, alt] = text.trim().split(separator).map(Number)
  if (lon === undefined || lat === undefined || Number.isNaN(lon) || Number.isNaN(lat)) return null
  return {
    lon,
    lat,
    alt: alt === undefined || Number.isNaN(alt) ? null : alt,
    time,
    speed: null,
    heading: null,
  }
}

/** `gx:Track` has times; a plain LineString only positions. Points with a timestamp each (Flightradar24) come last. */
function readKml(document: Document): Point[] {
  const stamps = [...document.getElementsByTagNameNS('*', 'Track')].flatMap((track) => {
    const when = [...track.getElementsByTagNameNS('*', 'when')].map((element) => seconds(element.textContent))
    return [...track.getElementsByTagNameNS('*', 'coord')].map((element, index) =>
      kmlPoint(element.textContent ?? '', /\s+/, when[index] ?? null),
    )
  })
  if (stamps.length > 1) return stamps.filter((point) => point !== null)
  const marked = [...document.getElementsByTagNameNS('*', 'Placemark')]
    .filter((mark) => mark.getElementsByTagNameNS('*', 'Point').length > 0 && child(mark, 'when') !== null)
    .map((mark) => kmlPoint(child(mark, 'coordinates') ?? '', /\s*,\s*/, seconds(child(mark, 'when'))))
    .filter((point) => point !== null)
  if (marked.length > 1) return marked
  return [...document.getElementsByTagNameNS('*', 'LineString')]
    .flatMap((line) => (child(line, 'coordinates') ?? '').trim().split(/\s+/))
    .map((text) => kmlPoint(text, /,/, null))
    .filter((point) => point !== null)
}

function cells(line: string, separator: string): string[] {
  const found: string[] = []
  let [cell, quoted] = ['', false]
  for (const character of line) {
    if (character === '"') quoted = !quoted
    else if (character === separator && !quoted) {
      found.push(cell)
      cell = ''
    } else cell += character
  }
  return [...found, cell].map((text) => text.trim())
}

const columns = {
  lat: ['latitude', 'lat'],
  lon: ['longitude', 'lon', 'lng', 'long'],
  position: ['position'],
  metres: ['altitude_m', 'alt_m', 'elevation', 'ele', 'geoaltitude', 'baroaltitude'],
  feet: ['altitude', 'alt', 'altitude_ft', 'feet', 'alt_ft'],
  time: ['timestamp', 'time', 'utc', 'datetime', 'date'],
  speed: ['speed', 'groundspeed', 'ground_speed', 'gs', 'kts', 'groundspeedkt'],
  heading: ['direction', 'heading', 'track', 'course', 'trackdeg'],
} as const
type Column = keyof typeof columns

function header(names: string[]): Record<Column, number> {
  const plain = names.map((name) => name.toLowerCase().replace(/[^a-z_]/g, ''))
  const at = (wanted: readonly string[]) => {
    for (const name of wanted) if (plain.includes(name)) return plain.indexOf(name)
    return -1
  }
  return Object.fromEntries(Object.entries(columns).map(([key, wanted]) => [key, at(wanted)])) as Record<
    Column,
    number
  >
}

/** Flightradar24 puts "lat,lon" into one Position column and altitude in feet. */
function readCsv(text: string): Point[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim())
  const first = lines[0] ?? ''
  const separator = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  const at = header(cells(first, separator))
  const points: Point[] = []
  for (const line of lines.slice(1)) {
    const row = cells(line, separator)
    const cell = (column: Column) => (at[column] < 0 ? null : row[at[column]])
    const [lat, lon] =
      at.position >= 0
        ? (cell('position') ?? '').split(',').map(number)
        : [number(cell('lat')), number(cell('lon'))]
    if (typeof lat !== 'number' || typeof lon !== 'number') continue
    const [metres, feet] = [number(cell('metres')), number(cell('feet'))]
    points.push({
      lon,
      lat,
      alt: metres ?? (feet === null ? null : Math.round(feet * 0.3048 * 10) / 10),
      time: seconds(cell('time')),
      speed: number(cell('speed')),
      heading: number(cell('heading')),
    })
  }
  return points
}

/** An optional series is sent only if every point has it: the server requires arrays of equal length. */
function series(points: Point[], of: (point: Point) => number | null): number[] | undefined {
  const values = points.map(of)
  return values.every((value) => value !== null) ? values : undefined
}

function coordinate(point: Point, withAltitude: boolean): Coordinate {
  return withAltitude && point.alt !== null ? [point.lon, point.lat, point.alt] : [point.lon, point.lat]
}

function trackOf(points: Point[], sourceFormat: TrackFormat, sourceName: string): TrackInput {
  const withAltitude = points.every((point) => point.alt !== null)
  const track: TrackInput = {
    coordinates: points.map((point) => coordinate(point, withAltitude)),
    sourceFormat,
    sourceName: sourceName.slice(0, 255),
  }
  const [times, speeds, headings] = [
    series(points, (p) => p.time),
    series(points, (p) => p.speed),
    series(points, (p) => p.heading),
  ]
  if (times) track.times = times
  if (speeds) track.groundSpeedKt = speeds
  if (headings) track.trackDeg = headings
  return track
}

function read(text: string): { points: Point[]; format: TrackFormat } | null {
  if (!text.trimStart().startsWith('<')) return { points: readCsv(text), format: 'csv' }
  const document = xml(text)
  if (!document) return null
  const format = document.documentElement.localName === 'gpx' ? 'gpx' : 'kml'
  return { points: format === 'gpx' ? readGpx(document) : readKml(document), format }
}

/** Null if the file contains no track. */
export function parseTrack(text: string, name: string): Parsed | null {
  const found = read(text.replace(/^\uFEFF/, ''))
  const good = found?.points.filter(usable) ?? []
  if (!found || good.length < 2) return null
  const step = Math.ceil(good.length / TRACK_POINTS_AT_MOST)
  const points =
    step === 1
      ? good
      : good
          .filter((_, index) => index % step === 0 || index === good.length - 1)
          .slice(-TRACK_POINTS_AT_MOST)
  return { track: trackOf(points, found.format, name), points, step }
}

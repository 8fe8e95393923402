// Converts recorded points to a track for the API. The web app uses these rules for files chosen in the form, the server for
// imports.
import type { TrackFormat } from '../enums.ts'
import { TRACK_POINTS_AT_MOST } from '../limits.ts'

/** One point of a file; altitude in metres, time in Unix seconds, speed in knots. */
export interface TrackPoint {
  lon: number
  lat: number
  alt: number | null
  time: number | null
  speed: number | null
  heading: number | null
  ground?: boolean
}

export interface RecordedTrack {
  coordinates: ([number, number] | [number, number, number])[]
  times?: number[]
  groundSpeedKt?: number[]
  trackDeg?: number[]
  ground?: boolean[]
  estimated?: boolean[]
  sourceFormat: TrackFormat
  sourceName: string | null
}

export interface PointsOfFile {
  track: RecordedTrack
  points: TrackPoint[]
  /** 1 unless the file was too long, in which case only every n-th point was kept. */
  step: number
}

export const METRES_PER_SECOND_IN_KNOTS = 1.943844
const FOOT_IN_METRES = 0.3048

export const metresOfFeet = (feet: number): number => Math.round(feet * FOOT_IN_METRES * 10) / 10

/** With a decimal point or comma. */
export function trackNumber(text: string | null | undefined): number | null {
  if (!text?.trim()) return null
  const value = Number(text.trim().replace(',', '.'))
  return Number.isFinite(value) ? value : null
}

export function trackSeconds(text: string | null | undefined): number | null {
  const trimmed = text?.trim()
  if (!trimmed) return null
  if (/^\d{9,10}(\.\d+)?$/.test(trimmed)) return Math.floor(Number(trimmed))
  if (/^\d{12,13}$/.test(trimmed)) return Math.floor(Number(trimmed) / 1000)
  // A time without a zone in a track is UTC, never the reader's time zone.
  const zoned = /(z|[+-]\d{2}:?\d{2}|utc|gmt)$/i.test(trimmed) ? trimmed : `${trimmed.replace(' ', 'T')}Z`
  const value = Date.parse(zoned)
  return Number.isNaN(value) ? null : Math.floor(value / 1000)
}

/** KML coordinates: longitude first. */
export function kmlPoint(text: string, separator: RegExp, time: number | null): TrackPoint | null {
  const [lon, lat, alt] = text.trim().split(separator).map(Number)
  if (lon === undefined || lat === undefined || Number.isNaN(lon) || Number.isNaN(lat)) return null
  return {
    lon,
    lat,
    alt: alt === undefined || !Number.isFinite(alt) ? null : alt,
    time,
    speed: null,
    heading: null,
  }
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

function placesOf(headings: readonly string[]): Record<Column, number> {
  const plain = headings.map((name) => name.toLowerCase().replace(/[^a-z_]/g, ''))
  const at = (wanted: readonly string[]) => {
    for (const name of wanted) if (plain.includes(name)) return plain.indexOf(name)
    return -1
  }
  return Object.fromEntries(Object.entries(columns).map(([key, wanted]) => [key, at(wanted)])) as Record<
    Column,
    number
  >
}

/** Table rows. Flightradar24 puts "lat,lon" into one Position column, and altitude in feet. */
export function tablePoints(headings: readonly string[], rows: Iterable<readonly string[]>): TrackPoint[] {
  const at = placesOf(headings)
  const points: TrackPoint[] = []
  for (const row of rows) {
    const cell = (column: Column) => (at[column] < 0 ? null : row[at[column]])
    const [lat, lon] =
      at.position >= 0
        ? (cell('position') ?? '').split(',').map(trackNumber)
        : [trackNumber(cell('lat')), trackNumber(cell('lon'))]
    if (typeof lat !== 'number' || typeof lon !== 'number') continue
    const [metres, feet] = [trackNumber(cell('metres')), trackNumber(cell('feet'))]
    points.push({
      lon,
      lat,
      alt: metres ?? (feet === null ? null : metresOfFeet(feet)),
      time: trackSeconds(cell('time')),
      speed: trackNumber(cell('speed')),
      heading: trackNumber(cell('heading')),
    })
  }
  return points
}

const isOnTheGlobe = ({ lat, lon }: TrackPoint): boolean => Math.abs(lat) <= 90 && Math.abs(lon) <= 180

/** An optional series is kept only if every point has it: the API requires arrays of equal length. */
function series<Value>(
  points: readonly TrackPoint[],
  of: (point: TrackPoint) => Value | null | undefined,
): Value[] | undefined {
  const values = points.map(of)
  return values.every((value) => value !== null && value !== undefined) ? (values as Value[]) : undefined
}

function trackOf(points: TrackPoint[], sourceFormat: TrackFormat, sourceName: string): RecordedTrack {
  const withAltitude = points.every((point) => point.alt !== null)
  const [times, groundSpeedKt, trackDeg, ground] = [
    series(points, (point) => point.time),
    series(points, (point) => point.speed),
    series(points, (point) => point.heading),
    series(points, (point) => point.ground),
  ]
  return {
    coordinates: points.map(({ lon, lat, alt }) =>
      withAltitude && alt !== null ? [lon, lat, alt] : [lon, lat],
    ),
    sourceFormat,
    sourceName: sourceName.slice(0, 255),
    ...(times && { times }),
    ...(groundSpeedKt && { groundSpeedKt }),
    ...(trackDeg && { trackDeg }),
    ...(ground && { ground }),
  }
}

/** Null if there are fewer than two usable points. If there are too many, some are dropped, but never the first and last. */
export function recordedTrack(
  recorded: readonly TrackPoint[],
  format: TrackFormat,
  name: string,
): PointsOfFile | null {
  const good = recorded.filter(isOnTheGlobe)
  if (good.length < 2) return null
  const step = Math.ceil(good.length / TRACK_POINTS_AT_MOST)
  const points = step === 1 ? good : thinned(good, step)
  return { track: trackOf(points, format, name), points, step }
}

/** The last point replaces the one before it if there would be one point too many. */
function thinned(points: TrackPoint[], step: number): TrackPoint[] {
  const kept = points.filter((_, index) => index % step === 0)
  const last = points.at(-1)
  if (last && kept.at(-1) !== last) {
    if (kept.length === TRACK_POINTS_AT_MOST) kept.pop()
    kept.push(last)
  }
  return kept
}

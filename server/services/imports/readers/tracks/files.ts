// Reads the tracks in files of recorded positions: GPX, KML, IGC and the traces of readsb. `track.ts` reads tables.
import type { TrackFormat } from '../../../../domain/enums.ts'
import {
  kmlPoint,
  METRES_PER_SECOND_IN_KNOTS,
  metresOfFeet,
  type TrackPoint,
  trackNumber,
  trackSeconds,
} from '../../../../domain/flights/track.ts'
import { sphericalMetres } from '../../../../domain/geo/geo.ts'
import { addDays, isCalendarDate } from '../../../../domain/time/time.ts'
import { walkMarkup } from '../../content/markup.ts'

/** One track of a file, and the facts about its flight. */
export interface TrackOfFile {
  format: TrackFormat
  points: TrackPoint[]
  /** The line of the first point, from 1; null if the format has no lines. */
  line: number | null
  name: string | null
  callsign: string | null
  registration: string | null
  /** ICAO code or name. */
  aircraft: string | null
  pilot: string | null
}

const trackOfFile = (
  format: TrackFormat,
  points: TrackPoint[],
  rest: Partial<TrackOfFile> = {},
): TrackOfFile => ({
  line: null,
  name: null,
  callsign: null,
  registration: null,
  aircraft: null,
  pilot: null,
  ...rest,
  format,
  points,
})

/** The name without its namespace prefix: `gx:coord` is `coord`. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

// GPX

const gpxPoints = { trkpt: 'trk', rtept: 'rte', wpt: 'wpt' } as const
type GpxPoint = keyof typeof gpxPoints
const isGpxPoint = (name: string): name is GpxPoint => Object.hasOwn(gpxPoints, name)

/** The tracks; without any, the routes; without any, the waypoints as one track. The segments of a track are joined. */
export function gpxTracks(text: string): TrackOfFile[] {
  const found: Record<GpxPoint, TrackOfFile[]> = { trkpt: [], rtept: [], wpt: [] }
  const path: string[] = []
  let said: Record<string, string> = {}
  let point: { lat: number; lon: number } | null = null
  let current: TrackOfFile | null = null
  walkMarkup(text, 'xml', {
    open(written, attributes) {
      const name = localName(written)
      path.push(name)
      if (name === 'trk' || name === 'rte') current = trackOfFile('gpx', [])
      if (!isGpxPoint(name)) return
      point = {
        lat: trackNumber(attributes['lat']) ?? Number.NaN,
        lon: trackNumber(attributes['lon']) ?? Number.NaN,
      }
      said = {}
    },
    text(data) {
      const name = path.at(-1)
      if (point && name) said[name] = (said[name] ?? '') + data
      else if (current && name === 'name' && (path.at(-2) === 'trk' || path.at(-2) === 'rte'))
        current.name = (current.name ?? '') + data
    },
    close(written) {
      const name = localName(written)
      path.pop()
      if (name === 'trk' && current) found.trkpt.push(named(current))
      if (name === 'rte' && current) found.rtept.push(named(current))
      if (name === 'trk' || name === 'rte') current = null
      if (!isGpxPoint(name) || !point) return
      const read = gpxPoint(point, said)
      if (name !== 'wpt') current?.points.push(read)
      else if (found.wpt[0]) found.wpt[0].points.push(read)
      else found.wpt.push(trackOfFile('gpx', [read]))
      point = null
    },
  })
  return found.trkpt.length > 0 ? found.trkpt : found.rtept.length > 0 ? found.rtept : found.wpt
}

const named = (track: TrackOfFile): TrackOfFile => ({ ...track, name: track.name?.trim() || null })

function gpxPoint(at: { lat: number; lon: number }, said: Readonly<Record<string, string>>): TrackPoint {
  const speed = trackNumber(said['speed'])
  return {
    ...at,
    alt: trackNumber(said['ele']),
    time: trackSeconds(said['time']),
    speed: speed === null ? null : speed * METRES_PER_SECOND_IN_KNOTS,
    heading: trackNumber(said['course']),
  }
}

// KML

interface Placemark {
  name: string
  whens: string[]
  /** The positions of `gx:coord`. */
  stamps: string[]
  /** The positions of Points. */
  spots: string[]
  /** The coordinates of each LineString. */
  lines: string[]
}

/**
 * A Placemark with `gx:Track` is a track. Without any, all Points with a time form one track (Flightradar24 writes each position
 * as a Placemark, and the line again without times). Without these, lines that continue each other form one.
 */
export function kmlTracks(text: string): TrackOfFile[] {
  const { marks, title } = placemarks(text)
  const callsign = /flightaware|flightradar24/i.test(text) ? callsignIn(title) : null
  const make = (points: TrackPoint[], name: string | null) =>
    trackOfFile('kml', points, { name: name || title || null, callsign })
  const stamped = marks.filter(({ stamps }) => stamps.length > 0)
  if (stamped.length > 0)
    return stamped.map(({ name, stamps, whens }) =>
      make(present(stamps.map((at, index) => kmlPoint(at, /\s+/, trackSeconds(whens[index])))), name),
    )
  const timed = marks.flatMap(({ spots, whens }) =>
    spots[0] && whens[0] ? [kmlPoint(spots[0], /\s*,\s*/, trackSeconds(whens[0]))] : [],
  )
  if (timed.length > 1) return [make(present(timed), null)]
  return joinedLines(marks).map(({ points, name }) => make(points, name))
}

function placemarks(text: string): { marks: Placemark[]; title: string } {
  const marks: Placemark[] = []
  const path: string[] = []
  let mark: Placemark | null = null
  let [title, data] = ['', '']
  walkMarkup(text, 'xml', {
    open(written) {
      const name = localName(written)
      path.push(name)
      data = ''
      if (name === 'Placemark') mark = { name: '', whens: [], stamps: [], spots: [], lines: [] }
    },
    text(part) {
      data += part
    },
    close(written) {
      const name = localName(written)
      path.pop()
      const parent = path.at(-1)
      const said = data.trim()
      data = ''
      if (name === 'name' && parent === 'Document') title = said
      if (!mark) return
      if (name === 'name' && parent === 'Placemark') mark.name = said
      if (name === 'when') mark.whens.push(said)
      if (name === 'coord') mark.stamps.push(said)
      if (name === 'coordinates' && parent === 'Point') mark.spots.push(said)
      if (name === 'coordinates' && parent === 'LineString') mark.lines.push(said)
      if (name === 'Placemark') {
        marks.push(mark)
        mark = null
      }
    },
  })
  return { marks, title }
}

const present = <Value>(values: readonly (Value | null)[]): Value[] =>
  values.filter((value) => value !== null)

/** Metres between the end of a line and the beginning of its continuation. */
const CONTINUES_WITHIN = 200

interface Line {
  points: TrackPoint[]
  name: string
}

/** A line with its own name is a separate track, even if it begins at the end of the previous one. */
function joinedLines(marks: readonly Placemark[]): Line[] {
  const joined: Line[] = []
  for (const { name, lines } of marks)
    for (const line of lines) {
      const points = present(line.split(/\s+/).map((at) => kmlPoint(at, /,/, null)))
      const before = joined.at(-1)
      if (before && continues(before, { points, name }))
        for (const point of points.slice(1)) before.points.push(point)
      else if (points.length > 0) joined.push({ points, name })
    }
  return joined
}

function continues(before: Line, { points, name }: Line): boolean {
  const [end, begin] = [before.points.at(-1), points[0]]
  const isNamed = name !== '' && name !== before.name
  return !isNamed && end !== undefined && begin !== undefined && metresBetween(end, begin) <= CONTINUES_WITHIN
}

export const metresBetween = (a: TrackPoint, b: TrackPoint): number =>
  sphericalMetres({ latitude: a.lat, longitude: a.lon }, { latitude: b.lat, longitude: b.lon })

const callsignIn = (title: string): string | null =>
  /(?<![A-Z0-9])[A-Z]{3}\d{1,4}(?![A-Z0-9])/.exec(title)?.[0] ?? null

// IGC: files of glider loggers

const FIX =
  /^B(\d{2})(\d{2})(\d{2})(\d{2})(\d{5})([NS])(\d{3})(\d{5})([EW])([AV])(-\d{4}|\d{5})(-\d{4}|\d{5})/

/** Its first line names the logger, but some programs leave it out. */
export const isIgc = (text: string): boolean =>
  (/^[\s\uFEFF]*A[A-Z0-9]{3}/.test(text) || /^H[FOP]?DTE/m.test(text)) &&
  /^B\d{13}[NS]\d{8}[EW][AV]/m.test(text)

/** `today` gives the century, because the logger's years have two digits. */
export function igcTrack(text: string, today: string): TrackOfFile {
  const track = trackOfFile('igc', [])
  const clock = igcClock()
  let line = 0
  for (const written of text.split(/\r\n|\n|\r/)) {
    line += 1
    const day = /^HFDTE(?:DATE:)?\s*(\d{2})(\d{2})(\d{2})/i.exec(written)
    if (day) clock.setDay(igcDate(day[1]!, day[2]!, day[3]!, today))
    const header = /^H[FOP](GID|GTY|PLT)[^:]*:(.*)$/i.exec(written)
    if (header) noteHeader(track, header[1]!.toUpperCase(), header[2]!.trim())
    const fix = FIX.exec(written)
    if (!fix) continue
    track.line ??= line
    track.points.push(igcPoint(fix, clock))
  }
  return track
}

function noteHeader(track: TrackOfFile, name: string, value: string): void {
  if (value === '' || /^(?:unknown|none|n\/a|not set|nil|-+)$/i.test(value)) return
  if (name === 'GID') track.registration = value
  if (name === 'GTY') track.aircraft = value
  if (name === 'PLT') track.pilot = value
}

function igcDate(day: string, month: string, year: string, today: string): string | null {
  const latest = Number(today.slice(2, 4)) + 1
  const date = `${Number(year) <= latest ? '20' : '19'}${year}-${month}-${day}`
  return isCalendarDate(date) ? date : null
}

const HOUR = 3600

/** Turns seconds of the day into Unix seconds. If the time jumps back by more than a moment, the next day has begun. */
function igcClock() {
  let day: string | null = null
  let last = 0
  return {
    setDay(date: string | null) {
      day = date
      last = 0
    },
    instantOf(secondOfDay: number): number | null {
      if (day === null) return null
      if (secondOfDay < last - HOUR) day = addDays(day, 1)
      last = secondOfDay
      return Date.parse(`${day}T00:00:00Z`) / 1000 + secondOfDay
    },
  }
}

function igcPoint(fix: RegExpExecArray, clock: ReturnType<typeof igcClock>): TrackPoint {
  const part = (index: number) => Number(fix[index])
  // In thousandths of minutes.
  const lat = (part(4) + part(5) / 60_000) * (fix[6] === 'S' ? -1 : 1)
  const lon = (part(7) + part(8) / 60_000) * (fix[9] === 'W' ? -1 : 1)
  const isPrecise = fix[10] === 'A' && part(12) !== 0
  return {
    lat: rounded(lat),
    lon: rounded(lon),
    alt: isPrecise ? part(12) : part(11),
    time: clock.instantOf(part(1) * HOUR + part(2) * 60 + part(3)),
    speed: null,
    heading: null,
  }
}

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

// Traces of readsb and tar1090

interface Trace {
  timestamp: number
  trace: unknown[][]
  r?: unknown
  t?: unknown
  desc?: unknown
}

export const isTrace = (value: unknown): value is Trace => {
  if (typeof value !== 'object' || value === null) return false
  const { timestamp, trace } = value as Record<string, unknown>
  return typeof timestamp === 'number' && Array.isArray(trace) && trace.every(Array.isArray)
}

const NEW_LEG = 2

/** One track per leg; a trace contains one day of an aircraft. */
export function traceTracks(file: Trace): TrackOfFile[] {
  const legs: TrackOfFile[] = []
  for (const entry of file.trace) {
    const isNew = typeof entry[6] === 'number' && (entry[6] & NEW_LEG) !== 0
    if (isNew || legs.length === 0) legs.push(leg(file))
    const [current, point] = [legs.at(-1)!, tracePoint(file.timestamp, entry)]
    if (point) current.points.push(point)
    const details = entry[8] as { flight?: unknown } | null | undefined
    current.callsign ??= textOf(details?.flight)
  }
  return legs
}

const leg = (file: Trace): TrackOfFile =>
  trackOfFile('readsb', [], { registration: textOf(file.r), aircraft: textOf(file.t) ?? textOf(file.desc) })

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

function tracePoint(
  start: number,
  [after, lat, lon, altitude, speed, heading]: unknown[],
): TrackPoint | null {
  const [time, latitude, longitude, feet] = [
    numberOf(after),
    numberOf(lat),
    numberOf(lon),
    numberOf(altitude),
  ]
  if (time === null || latitude === null || longitude === null) return null
  return {
    lat: latitude,
    lon: longitude,
    alt: feet === null ? null : metresOfFeet(feet),
    time: Math.floor(start + time),
    speed: numberOf(speed),
    heading: numberOf(heading),
    ground: altitude === 'ground',
  }
}

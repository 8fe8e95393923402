// A recorded track as a flight (section 5.17 of the import rules): the place and time of its beginning and end, and the track.
import {
  type RecordedTrack,
  recordedTrack,
  type TrackPoint,
  tablePoints,
} from '../../../../domain/flights/track.ts'
import type { Json, Markup, Table } from '../../content/content.ts'
import {
  type ReadContext,
  reads,
  type Source,
  type SourceFlight,
  type SourceRecord,
  type SourceTime,
} from '../../reading/source.ts'
import { aircraftNamed, namedBy } from '../../values/named.ts'
import {
  gpxTracks,
  igcTrack,
  isIgc,
  isTrace,
  kmlTracks,
  metresBetween,
  type TrackOfFile,
  traceTracks,
} from './files.ts'

const KNOT_IN_KMH = 1.852
/** Faster movement is flight, takeoff run or landing run. */
const FLYING_KMH = 60

const nameOf = (part: string | null, { filename }: ReadContext): string =>
  (part ?? filename).split(/[\\/]/).at(-1) ?? ''

function recordOf(found: TrackOfFile, sourceName: string): SourceRecord {
  const raw = rawOf(found)
  // Sorted by time if every point has one; some files list the newest first.
  const points = found.points.every(({ time }) => time !== null)
    ? found.points.toSorted((a, b) => a.time! - b.time!)
    : found.points
  const recorded = recordedTrack(points, found.format, sourceName)
  if (!recorded) return { line: found.line, raw, error: { code: 'unreadable_row' } }
  return { line: found.line, raw, flight: flightOf(found, recorded.points, recorded.track) }
}

function flightOf(found: TrackOfFile, points: readonly TrackPoint[], track: RecordedTrack): SourceFlight {
  const [first, last] = [points[0]!, points.at(-1)!]
  const moving = points.filter((_, index) => kmhAt(points, index) > FLYING_KMH)
  const number = found.callsign === null ? null : /^([A-Z]{3})(\d{1,4})$/.exec(found.callsign.toUpperCase())
  return {
    date: null,
    from: null,
    to: null,
    fromPoint: { lat: first.lat, lon: first.lon },
    toPoint: { lat: last.lat, lon: last.lon },
    takeoffActual: timeOf(moving[0]),
    landingActual: timeOf(moving.length > 1 ? moving.at(-1) : undefined),
    ...(moving.length === 0 && { recordedAt: timeOf(first) }),
    airline: number ? namedBy([number[1]]) : null,
    flightNumber: number?.[0] ?? null,
    aircraft: aircraftNamed(found.aircraft),
    aircraftReg: found.registration,
    duration: secondsBetween(moving[0], moving.at(-1)),
    extras: extrasOf(found, number !== null),
    track,
  }
}

/** A callsign that ends with letters does not give the flight number. */
function extrasOf({ name, callsign, pilot }: TrackOfFile, isNumber: boolean): [string, string][] {
  const extras: [string, string | null][] = [
    ['Track', name === callsign ? null : name],
    ['Callsign', isNumber ? null : callsign],
    ['Pilot', pilot],
  ]
  return extras.filter((extra): extra is [string, string] => extra[1] !== null)
}

/** The recorded speed, otherwise computed from the previous point, or at the beginning from the next. */
function kmhAt(points: readonly TrackPoint[], index: number): number {
  const point = points[index]!
  if (point.speed !== null) return point.speed * KNOT_IN_KMH
  const [before, after] = index === 0 ? [point, points[1]!] : [points[index - 1]!, point]
  const seconds = (after.time ?? Number.NaN) - (before.time ?? Number.NaN)
  return seconds > 0 ? (metresBetween(before, after) / seconds) * 3.6 : 0
}

function timeOf(point: TrackPoint | undefined): SourceTime | null {
  const written = point ? stampOf(point) : null
  if (written === null) return null
  return { date: { iso: written.slice(0, 10), precision: 'day' }, clock: written.slice(11, 19), zone: 'utc' }
}

/** The measured time in the air; null without times. */
function secondsBetween(first: TrackPoint | undefined, last: TrackPoint | undefined): number | null {
  const seconds = first && last && stampOf(first) && stampOf(last) ? last.time! - first.time! : 0
  return seconds > 0 ? seconds : null
}

/** Ignores times in years that no flight can have. */
function stampOf({ time }: TrackPoint): string | null {
  const date = time === null ? null : new Date(time * 1000)
  return date && date.getTime() > 0 && date.getUTCFullYear() < 2200
    ? `${date.toISOString().slice(0, 19)}Z`
    : null
}

/** For display: the kind of track, its beginning and its end. */
function rawOf({ format, points, name, callsign, registration }: TrackOfFile): string {
  const title = [format.toUpperCase(), name, callsign, registration].filter(Boolean).join(' · ')
  const ends = points.length > 1 ? [points[0]!, points.at(-1)!] : points
  const lines = ends.map((point) =>
    [stampOf(point), `${point.lat},${point.lon}`].filter((part) => part !== null).join(' '),
  )
  return [`${title} · ${points.length} points`, ...lines].join('\n')
}

function* tableTracks(table: Table, context: ReadContext): Generator<SourceRecord> {
  const rows = [...table.rows]
  const points = tablePoints(
    table.headings,
    rows.map(({ cells }) => cells),
  )
  const callsigns = table.folded.indexOf('callsign')
  yield recordOf(
    {
      format: 'csv',
      points,
      line: rows[0]?.line ?? null,
      name: null,
      callsign: rows.map(({ cells }) => cells[callsigns]?.trim()).find((callsign) => callsign) ?? null,
      registration: null,
      aircraft: null,
      pilot: null,
    },
    nameOf(table.part, context),
  )
}

const isGpx = (root: string): boolean => /^(?:.*:)?gpx$/.test(root)

function* markupTracks(markup: Markup, context: ReadContext): Generator<SourceRecord> {
  const tracks = isGpx(markup.root) ? gpxTracks(markup.text) : kmlTracks(markup.text)
  if (tracks.length === 0) yield withoutTrack(markup.text)
  for (const track of tracks) yield recordOf(track, nameOf(markup.part, context))
}

function* jsonTracks({ value, part }: Json, context: ReadContext): Generator<SourceRecord> {
  const legs = isTrace(value) ? traceTracks(value) : []
  if (legs.length === 0) yield withoutTrack(JSON.stringify(value) ?? '')
  for (const leg of legs) yield recordOf(leg, nameOf(part, context))
}

const withoutTrack = (text: string): SourceRecord => ({
  line: null,
  raw: text.slice(0, 500),
  error: { code: 'unreadable_row' },
})

/** Flightradar24's table, or positions with times under unmistakable names. */
const isTrackTable = ({ folded }: Table): boolean =>
  [
    ['timestamp', 'callsign', 'position'],
    ['timestamp', 'latitude', 'longitude'],
  ].some((proof) => proof.every((name) => folded.includes(name)))

export const track: Source = {
  id: 'track',
  name: 'Recorded track',
  extensions: ['gpx', 'kml', 'kmz', 'igc', 'csv', 'json'],
  readers: [
    reads<'xml'>({
      kind: 'xml',
      matches: ({ root }) => isGpx(root) || /^(?:.*:)?kml$/.test(root),
      records: markupTracks,
    }),
    reads<'table'>({
      kind: 'table',
      matches: isTrackTable,
      records: tableTracks,
    }),
    reads<'json'>({
      kind: 'json',
      matches: ({ value }) => isTrace(value),
      records: jsonTracks,
    }),
    reads<'text'>({
      kind: 'text',
      matches: ({ text }) => isIgc(text),
      *records({ text, part }, context) {
        yield recordOf(igcTrack(text, context.today), nameOf(part, context))
      },
    }),
  ],
}

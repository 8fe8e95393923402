/** GPX, KML and CSV files → a track. Read in the browser; the server receives only points. */

import {
  kmlPoint,
  METRES_PER_SECOND_IN_KNOTS,
  type PointsOfFile,
  recordedTrack,
  type TrackPoint,
  tablePoints,
  trackNumber,
  trackSeconds,
} from '../../../server/domain/flights/track.ts'
import type { TrackFormat } from '../api/types.ts'

function xml(text: string): Document | null {
  const document = new DOMParser().parseFromString(text, 'application/xml')
  return document.getElementsByTagName('parsererror').length > 0 ? null : document
}

const child = (element: Element, name: string): string | null =>
  element.getElementsByTagNameNS('*', name)[0]?.textContent ?? null

function readGpx(document: Document): TrackPoint[] {
  const pick = (name: string) => [...document.getElementsByTagNameNS('*', name)]
  const elements = [pick('trkpt'), pick('rtept'), pick('wpt')].find((list) => list.length > 1) ?? []
  return elements.map((element) => {
    const speed = trackNumber(child(element, 'speed'))
    return {
      lon: Number(element.getAttribute('lon')),
      lat: Number(element.getAttribute('lat')),
      alt: trackNumber(child(element, 'ele')),
      time: trackSeconds(child(element, 'time')),
      speed: speed === null ? null : speed * METRES_PER_SECOND_IN_KNOTS,
      heading: trackNumber(child(element, 'course')),
    }
  })
}

/** `gx:Track` has times; a plain LineString only positions. Points with individual timestamps (Flightradar24) come last. */
function readKml(document: Document): TrackPoint[] {
  const stamps = [...document.getElementsByTagNameNS('*', 'Track')].flatMap((track) => {
    const when = [...track.getElementsByTagNameNS('*', 'when')].map((element) =>
      trackSeconds(element.textContent),
    )
    return [...track.getElementsByTagNameNS('*', 'coord')].map((element, index) =>
      kmlPoint(element.textContent ?? '', /\s+/, when[index] ?? null),
    )
  })
  if (stamps.length > 1) return stamps.filter((point) => point !== null)
  const marked = [...document.getElementsByTagNameNS('*', 'Placemark')]
    .filter((mark) => mark.getElementsByTagNameNS('*', 'Point').length > 0 && child(mark, 'when') !== null)
    .map((mark) => kmlPoint(child(mark, 'coordinates') ?? '', /\s*,\s*/, trackSeconds(child(mark, 'when'))))
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

function readCsv(text: string): TrackPoint[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim())
  const first = lines[0] ?? ''
  const separator = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  const [headings = [], ...rows] = lines.map((line) => cells(line, separator))
  return tablePoints(headings, rows)
}

function read(text: string): { points: TrackPoint[]; format: TrackFormat } | null {
  if (!text.trimStart().startsWith('<')) return { points: readCsv(text), format: 'csv' }
  const document = xml(text)
  if (!document) return null
  const format = document.documentElement.localName === 'gpx' ? 'gpx' : 'kml'
  return { points: format === 'gpx' ? readGpx(document) : readKml(document), format }
}

/** Null if the file contains no track. */
export function parseTrack(text: string, name: string): PointsOfFile | null {
  const found = read(text.replace(/^\uFEFF/, ''))
  return found && recordedTrack(found.points, found.format, name)
}

// Flights as files for other programs: a calendar, GeoJSON, or the API's list as one document. Written a page at a
// time, so that a long log is never completely in memory.

import { createSlices } from '../../base/in-steps.ts'
import type { Write } from '../../base/response/spool.ts'
import { flightFeature } from '../../domain/sharing/geojson.ts'
import {
  CALENDAR_END,
  type CalendarStyle,
  calendarEvent,
  calendarHead,
  calendarZone,
  isOnCalendar,
  zonesOf,
} from '../../domain/sharing/ical.ts'
import { findTrack } from '../../store/flights/tracks.ts'
import type { Executor } from '../../store/store.ts'
import type { FlightView } from '../flights/view.ts'

/** A flight, and whether a calendar shows it as cancelled. */
export interface FileEntry {
  flight: FlightView
  cancelled: boolean
}

/** Each call reads the flights from the start. */
export type FlightPages = () => AsyncIterable<readonly FileEntry[]>

export const mediaTypes = {
  ics: 'text/calendar; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const

const PIECE_LENGTH = 64 * 1024

/** Writes the pieces of a generator. An empty piece ends a slice that has nothing to write yet. */
export async function writePieces(pieces: AsyncIterable<string>, write: Write): Promise<void> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (piece !== '' && text.length < PIECE_LENGTH) continue
    await write(text)
    text = ''
  }
  if (text !== '') await write(text)
}

/**
 * The zones come before the events that use them, as most programs expect. The years that they must cover are known
 * only after reading all flights, so the flights are read twice.
 */
export async function* calendarPieces(
  pages: FlightPages,
  name: string,
  style: CalendarStyle,
  /** Events that do not come from these flights. */
  further: readonly string[] = [],
): AsyncGenerator<string> {
  yield calendarHead(name)
  const zones = new Map<string, Set<number>>()
  for await (const page of pages()) {
    for (const { flight } of page) {
      if (!isOnCalendar(flight)) continue
      for (const { zone, year } of zonesOf(flight)) {
        const years = zones.get(zone) ?? new Set()
        zones.set(zone, years.add(year))
      }
    }
    yield ''
  }
  const slices = createSlices()
  for (const zone of [...zones.keys()].sort()) {
    // Zones with many years take longer than events: written in one slice, they would take 20 ms.
    await slices.next()
    yield calendarZone(zone, zones.get(zone)!)
  }
  for await (const page of pages()) {
    const events = page.filter(({ flight }) => isOnCalendar(flight))
    yield events.map(({ flight, cancelled }) => calendarEvent(flight, cancelled, style)).join('')
  }
  yield* further
  yield CALENDAR_END
}

interface MapOptions {
  db: Executor
  ownerId: string | null
  trackPoints: number
}

export async function* geoJsonPieces(pages: FlightPages, options: MapOptions): AsyncGenerator<string> {
  yield MAP_START
  let before = ''
  for await (const page of pages()) {
    for (const { flight } of page) {
      yield before + (await featureTexts([flight], options))
      before = MAP_SEPARATOR
    }
  }
  yield MAP_END
}

export const MAP_START = '{"type":"FeatureCollection","features":['
export const MAP_SEPARATOR = ','
export const MAP_END = '\n]}\n'

/** Each on a line of its own, the line feed first. */
export async function featureTexts(
  flights: readonly FlightView[],
  { db, ownerId, trackPoints }: MapOptions,
): Promise<string> {
  const texts: string[] = []
  for (const flight of flights) {
    const track = flight.track ? await findTrack(db, flight.id) : undefined
    const feature = flightFeature(flight, track?.coordinates, { ownerId, trackPoints })
    texts.push(`\n${JSON.stringify(feature)}`)
  }
  return texts.join(MAP_SEPARATOR)
}

/** The response of `GET /flights`, with all flights on one page. */
export async function* listPieces(pages: FlightPages): AsyncGenerator<string> {
  yield '{"data":['
  let separator = ''
  for await (const page of pages()) {
    for (const { flight } of page) {
      yield separator + JSON.stringify(flight)
      separator = ','
    }
  }
  yield '],"page":{"nextCursor":null}}'
}

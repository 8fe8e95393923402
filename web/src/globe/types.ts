// The fields of a flight that the map, the statistics and the share page need; flights of the log have them all.
import type { Place } from '../../../server/domain/statistics/flights.ts'

export type Airport = Omit<Place, 'formerCodes'>

export interface MapFlight {
  id: number
  from: Airport | null
  to: Airport | null
  completed: boolean
  /** Number of flights it represents; a share contains routes instead of flights. */
  count?: number
}

/** Recorded positions of one flight, `[longitude, latitude]` and perhaps altitude. */
export type TrackPoints = readonly (readonly number[])[]

export type View = 'globe' | 'flat'

export type Selection =
  | { kind: 'airport'; id: number }
  | { kind: 'route'; a: number; b: number }
  | { kind: 'flight'; id: number }

export interface Insets {
  top: number
  right: number
  bottom: number
  left: number
}

export interface Viewport {
  width: number
  height: number
  insets: Insets
  /** Of the camera that is used. */
  shift?: Camera['shift']
}

/** Centre in degrees; scale in pixels per radian at the centre, the same for both views. */
export interface Camera {
  view: View
  lon: number
  lat: number
  scale: number
  /** From the middle of the window to the centre of the globe, in pixels; absent: none. */
  shift?: readonly [number, number] | undefined
}

export function codeOf(airport: Airport): string {
  return airport.iata || airport.icao
}

export function sameSelection(a: Selection | null, b: Selection | null): boolean {
  return keyOf(a) === keyOf(b)
}

function keyOf(selection: Selection | null): string {
  if (!selection) return ''
  return selection.kind === 'route'
    ? `route ${selection.a} ${selection.b}`
    : `${selection.kind} ${selection.id}`
}

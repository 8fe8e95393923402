/** The way of a flight over the earth with the light at each point: the recorded track, or otherwise the great circle. */

import { landsAt } from '../../../../server/domain/flights/duration.ts'
import {
  greatCircleWay,
  type LightAlong,
  lightAlong,
  recordedWay,
  type Way,
} from '../../../../server/domain/flights/light-along.ts'
import { angleBetween, vectorOf } from '../../../../server/domain/geo/sphere.ts'
import { type Light, lightAt, sunAltitude } from '../../../../server/domain/geo/sun.ts'
import { HOUR } from '../../../../server/domain/time/durations.ts'
import type { Airport, Track } from '../../api/types.ts'
import { pushArc, pushTrack, STRIDE } from '../sphere.ts'

interface Span {
  departs: number
  arrives: number
}

/** When it was flown, and the light at that time. */
export interface Timed extends Span {
  at: Way
  light: LightAlong
}

export interface FlownWay {
  isRecorded: boolean
  /** For the projection of the map. */
  points: Float32Array
  /** The path below a lifted arc; none for a track, which is drawn on the ground. */
  ground: Float32Array | null
  /** Instant and light at each point; null without times. */
  marks: { at: number; light: Light }[] | null
  timed: Timed | null
}

interface Flown {
  from: Airport | null
  to: Airport | null
  departs: number | null
  arrives: number | null
  duration: number | null
}

const ARC_STEP = (0.8 * Math.PI) / 180
/** Applies to short arcs too, which are viewed from close up. */
const ARC_PARTS = 48
const DRAWN_AT_MOST = 600
/** A longer flight has a wrong date somewhere. */
const LONGEST_MS = 48 * HOUR

const spotOf = ({ longitude, latitude }: Airport) => ({ lon: longitude, lat: latitude })
const degrees = (radians: number) => (radians * 180) / Math.PI

/** The times of the flight, otherwise those of its track, otherwise the estimated arrival. */
function spanOf({ departs, arrives, duration }: Flown, track: Track | null): Span | null {
  const [first, last] = [track?.times?.[0], track?.times?.at(-1)]
  const from = departs ?? (first === undefined ? null : first * 1000)
  const to = last === undefined ? landsAt({ departs, arrives, duration }) : (arrives ?? last * 1000)
  if (from === null || to === null || to <= from || to - from > LONGEST_MS) return null
  return { departs: from, arrives: to }
}

/** Null if there is nothing to draw: an end is unknown, or the flight ends where it began and has no track. */
export function flownWay(flight: Flown, track: Track | null): FlownWay | null {
  const span = spanOf(flight, track)
  if (track && track.coordinates.length > 1) return recorded(track, span)
  const { from, to } = flight
  if (!from || !to || from.id === to.id) return null
  const points: number[] = []
  const ground: number[] = []
  const ends = [vectorOf(from.longitude, from.latitude), vectorOf(to.longitude, to.latitude)] as const
  const step = Math.min(ARC_STEP, angleBetween(...ends) / ARC_PARTS)
  const count = pushArc(points, ...ends, step)
  pushArc(ground, ...ends, step, 0)
  const way = span && greatCircleWay(spotOf(from), spotOf(to), span)
  const instants = Array.from({ length: count }, (_, i) => i / (count - 1))
  return {
    isRecorded: false,
    points: new Float32Array(points),
    ground: new Float32Array(ground),
    ...timesAlong(points, way, span, instants),
  }
}

function recorded(track: Track, span: Span | null): FlownWay {
  const points: number[] = []
  const every = Math.max(1, Math.ceil(track.coordinates.length / DRAWN_AT_MOST))
  const count = pushTrack(points, track.coordinates, DRAWN_AT_MOST)
  const last = track.coordinates.length - 1
  const shares =
    track.times && span
      ? Array.from({ length: count }, (_, i) => {
          const at = track.times![Math.min(last, i * every)]! * 1000
          return (at - span.departs) / (span.arrives - span.departs)
        })
      : sharesOfLength(points)
  const way = span && recordedWay(track.coordinates, track.times, span)
  return {
    isRecorded: true,
    points: new Float32Array(points),
    ground: null,
    ...timesAlong(points, way, span, shares),
  }
}

function sharesOfLength(points: readonly number[]): number[] {
  let length = 0
  const lengths: number[] = []
  for (let p = 0; p < points.length; p += STRIDE) {
    if (p > 0) length += angleBetween(vectorAt(points, p - STRIDE), vectorAt(points, p))
    lengths.push(length)
  }
  return lengths.map((part) => part / (length || 1))
}

const vectorAt = (points: readonly number[], p: number) =>
  [points[p]!, points[p + 1]!, points[p + 2]!] as const

/** `shares` are the shares of the time at each point. */
function timesAlong(
  points: readonly number[],
  way: Way | null,
  span: Span | null,
  shares: readonly number[],
): Pick<FlownWay, 'marks' | 'timed'> {
  if (!way || !span) return { marks: null, timed: null }
  const marks = shares.map((share, i) => {
    const at = span.departs + share * (span.arrives - span.departs)
    const [x, y, z] = vectorAt(points, i * STRIDE)
    const [lat, lon] = [degrees(Math.atan2(z, Math.hypot(x, y))), degrees(Math.atan2(y, x))]
    return { at, light: lightAt(sunAltitude(at, lat, lon)) }
  })
  return { marks, timed: { ...span, at: way, light: lightAlong(way, span) } }
}

/** Sunrise or sunset if there is one, otherwise half-way. */
export const startOf = ({ departs, arrives, light }: Timed): number =>
  light.turns[0]?.at ?? (departs + arrives) / 2

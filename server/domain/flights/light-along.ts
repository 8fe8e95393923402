// The light outside the window along a flight: at constant speed on the great circle, or on the recorded track.

import { angleBetween, RAD, type Vector, vectorOf } from '../geo/sphere.ts'
import { type Light, lightAt, NIGHT_ALTITUDE, SUNRISE_ALTITUDE, sunAltitude } from '../geo/sun.ts'
import { MINUTE } from '../time/durations.ts'

/** Degrees. */
export interface Spot {
  lon: number
  lat: number
}

/** The position of the aircraft at an instant (Unix milliseconds); before and after the flight, its ends. */
export type Way = (ms: number) => Spot

/** In Unix milliseconds; the end is after the start. */
interface Span {
  departs: number
  arrives: number
}

interface LightSample extends Spot {
  at: number
  altitude: number
}

interface LightSpan {
  light: Light
  from: number
  to: number
  /** The minutes of all spans add up to those of the flight. */
  minutes: number
}

interface SunTurn extends Spot {
  kind: 'sunrise' | 'sunset'
  at: number
}

export interface LightAlong {
  samples: LightSample[]
  spans: LightSpan[]
  turns: SunTurn[]
}

const FEWEST_SAMPLES = 60
const MOST_SAMPLES = 1000

// Ways

const spotOf = ([x, y, z]: Vector): Spot => ({
  lon: Math.atan2(y, x) / RAD,
  lat: Math.atan2(z, Math.hypot(x, y)) / RAD,
})

/** At a fraction of the great circle. Between antipodes it is not unique: then it goes over the north pole. */
function between(a: Vector, b: Vector, share: number): Vector {
  const angle = angleBetween(a, b)
  if (angle < 1e-9) return a
  if (Math.PI - angle < 1e-6) {
    const pole: Vector = Math.abs(a[2]) > 0.999999 ? [1, 0, 0] : [0, 0, 1]
    const half = angleBetween(a, pole) / angle
    return share < half ? between(a, pole, share / half) : between(pole, b, (share - half) / (1 - half))
  }
  const [ka, kb] = [Math.sin((1 - share) * angle), Math.sin(share * angle)].map((k) => k / Math.sin(angle))
  return [ka! * a[0] + kb! * b[0], ka! * a[1] + kb! * b[1], ka! * a[2] + kb! * b[2]]
}

const clamped = (share: number) => Math.max(0, Math.min(1, share))

export function greatCircleWay(from: Spot, to: Spot, { departs, arrives }: Span): Way {
  const [a, b] = [vectorOf(from.lon, from.lat), vectorOf(to.lon, to.lat)]
  return (ms) => spotOf(between(a, b, clamped((ms - departs) / (arrives - departs))))
}

/** The distance of each point along the track. */
function lengthsAlong(points: readonly Vector[]): number[] {
  let length = 0
  return points.map((point, i) => {
    if (i > 0) length += angleBetween(points[i - 1]!, point)
    return length
  })
}

/** For a recorded track with at least two points. Uses its own times (Unix seconds); without them, a constant speed. */
export function recordedWay(
  coordinates: readonly (readonly number[])[],
  times: readonly number[] | null | undefined,
  { departs, arrives }: Span,
): Way {
  const points = coordinates.map(([lon, lat]) => vectorOf(lon!, lat!))
  const lengths = times ? [] : lengthsAlong(points)
  const whole = lengths.at(-1) || 1
  const marks = times
    ? times.map((seconds) => seconds * 1000)
    : lengths.map((length) => departs + (length / whole) * (arrives - departs))
  return (ms) => {
    const next = firstAfter(marks, ms)
    if (next === 0) return spotOf(points[0]!)
    if (next === points.length) return spotOf(points.at(-1)!)
    const share = (ms - marks[next - 1]!) / (marks[next]! - marks[next - 1]!)
    return spotOf(between(points[next - 1]!, points[next]!, clamped(share)))
  }
}

/** Index of the first mark later than the instant, in ascending marks. */
function firstAfter(marks: readonly number[], ms: number): number {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (marks[middle]! > ms) high = middle
    else low = middle + 1
  }
  return low
}

// Light

/** One sample per minute, within limits; spans and crossings are accurate to the second. */
export function lightAlong(way: Way, { departs, arrives }: Span): LightAlong {
  const altitudeAt = (ms: number) => {
    const { lat, lon } = way(ms)
    return sunAltitude(ms, lat, lon)
  }
  const minutes = Math.ceil((arrives - departs) / MINUTE)
  const steps = Math.max(FEWEST_SAMPLES, Math.min(MOST_SAMPLES, minutes))
  const samples = Array.from({ length: steps + 1 }, (_, i) => {
    const at = departs + ((arrives - departs) * i) / steps
    return { at, ...way(at), altitude: altitudeAt(at) }
  })
  const crossings = samples.slice(1).flatMap((sample, i) => crossingsBetween(samples[i]!, sample, altitudeAt))
  return {
    samples,
    spans: spansOf(crossings, altitudeAt, departs, arrives),
    turns: crossings
      .filter(({ level }) => level === SUNRISE_ALTITUDE)
      .map(({ at, rises }) => ({ kind: rises ? 'sunrise' : 'sunset', at, ...way(at) })),
  }
}

interface Crossing {
  at: number
  level: number
  rises: boolean
}

/** When the sun crosses the limits of twilight between two samples, in time order. */
function crossingsBetween(a: LightSample, b: LightSample, altitudeAt: (ms: number) => number): Crossing[] {
  const rises = b.altitude > a.altitude
  const levels = [NIGHT_ALTITUDE, SUNRISE_ALTITUDE].filter(
    (level) => a.altitude < level !== b.altitude < level,
  )
  if (!rises) levels.reverse()
  return levels.map((level) => {
    let [low, high] = [a.at, b.at]
    while (high - low > 500) {
      const middle = (low + high) / 2
      if (altitudeAt(middle) < level === a.altitude < level) low = middle
      else high = middle
    }
    return { at: high, level, rises }
  })
}

function spansOf(
  crossings: readonly Crossing[],
  altitudeAt: (ms: number) => number,
  departs: number,
  arrives: number,
): LightSpan[] {
  const edges = [departs, ...crossings.map(({ at }) => at), arrives]
  const minutesIn = (ms: number) => Math.round((ms - departs) / MINUTE)
  return edges.slice(1).map((to, i) => {
    const from = edges[i]!
    return { light: lightAt(altitudeAt((from + to) / 2)), from, to, minutes: minutesIn(to) - minutesIn(from) }
  })
}

/** Minutes of each kind of light during the whole flight. */
export function minutesOfLight({ spans }: LightAlong): Record<Light, number> {
  const sum = { night: 0, twilight: 0, day: 0 }
  for (const { light, minutes } of spans) sum[light] += minutes
  return sum
}

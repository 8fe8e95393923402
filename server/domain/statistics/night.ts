// How much of the time in the air was night, with the sun more than 6° below the horizon, at constant speed along the great
// circle. The flight page computes this to the second for one flight (domain/flights/light-along.ts); for a log of thousands,
// the step is 20 minutes, and the sun's position is computed once per flight.

import { angleBetween, RAD, type Vector, vectorOf } from '../geo/sphere.ts'
import { NIGHT_ALTITUDE, subsolarPoint } from '../geo/sun.ts'
import { DAY, HOUR, MINUTE } from '../time/durations.ts'
import { compute, type Figure } from './figure.ts'
import type { StatFlight } from './flights.ts'

export interface Night {
  /** Flights with departure, arrival and both airports known. */
  flights: number
  /** Seconds between the departure and arrival of these flights. */
  seconds: number
  nightSeconds: number
  /** The flight with the most night; on a tie, the first. */
  longest: { flight: StatFlight; nightSeconds: number } | null
}

const STEP = 20 * MINUTE
const FEWEST_STEPS = 6
/** Longer than any flight, so one of the times is wrong. */
const LONGEST = 24 * HOUR
const NIGHT = Math.sin(NIGHT_ALTITUDE * RAD)

/** The sine of the sun's altitude at a fraction of the way. */
function sunAlong(
  [from, to, angle]: readonly [Vector, Vector, number],
  departs: number,
  arrives: number,
): (share: number) => number {
  const middle = (departs + arrives) / 2
  const { lon, lat } = subsolarPoint(middle)
  const [height, breadth] = [Math.sin(lat * RAD), Math.cos(lat * RAD)]
  const isStill = angle < 1e-9
  const whole = isStill ? 1 : Math.sin(angle)
  return (share) => {
    // The sun moves 360° a day; its latitude changes by less than 0.2° in half of the longest flight.
    const sunLon = (lon - ((departs + share * (arrives - departs) - middle) * 360) / DAY) * RAD
    const a = isStill ? 1 : Math.sin((1 - share) * angle) / whole
    const b = isStill ? 0 : Math.sin(share * angle) / whole
    const towards =
      Math.cos(sunLon) * (a * from[0] + b * to[0]) + Math.sin(sunLon) * (a * from[1] + b * to[1])
    return breadth * towards + height * (a * from[2] + b * to[2])
  }
}

/** The dark part of a step; the limit is found by linear interpolation. */
function darkPart(before: number, after: number): number {
  if (before < NIGHT && after < NIGHT) return 1
  if (before >= NIGHT && after >= NIGHT) return 0
  const crossing = (NIGHT - before) / (after - before)
  return before < NIGHT ? crossing : 1 - crossing
}

function spanOf({ departure, arrival }: StatFlight): [departs: number, arrives: number] | null {
  if (!departure || !arrival) return null
  const [departs, arrives] = [Date.parse(departure), Date.parse(arrival)]
  return arrives > departs && arrives - departs <= LONGEST ? [departs, arrives] : null
}

interface NightOfFlight {
  seconds: number
  nightSeconds: number
}

/** Null unless times and airports are known. There is no unique way between antipodes. */
export const nightOf = (flight: StatFlight): NightOfFlight | null =>
  flight.night === undefined ? computeNight(flight) : flight.night

/** For flights that are kept in memory: no other figure takes as long. */
export function computeNight(flight: StatFlight): NightOfFlight | null {
  const span = spanOf(flight)
  if (!span || !flight.from || !flight.to) return null
  const from = vectorOf(flight.from.longitude, flight.from.latitude)
  const to = vectorOf(flight.to.longitude, flight.to.latitude)
  const angle = angleBetween(from, to)
  if (Math.PI - angle < 1e-3) return null
  const [departs, arrives] = span
  const sun = sunAlong([from, to, angle], departs, arrives)
  const steps = Math.max(FEWEST_STEPS, Math.ceil((arrives - departs) / STEP))
  let dark = 0
  let before = sun(0)
  for (let i = 1; i <= steps; i++) {
    const after = sun(i / steps)
    dark += darkPart(before, after)
    before = after
  }
  const seconds = (arrives - departs) / 1000
  return { seconds, nightSeconds: Math.round((seconds * dark) / steps) }
}

interface NightState {
  flights: number
  /** A whole number, so that the sum is the same in any order. */
  milliseconds: number
  nightSeconds: number
  longest: { flight: StatFlight; nightSeconds: number } | null
}

function takeLongest(state: NightState, other: NightState['longest']): void {
  const { longest } = state
  const isMore =
    other &&
    (!longest ||
      other.nightSeconds > longest.nightSeconds ||
      (other.nightSeconds === longest.nightSeconds && other.flight.id < longest.flight.id))
  if (isMore) state.longest = other
}

export const nightFigure: Figure<NightState, Night> = {
  start: () => ({ flights: 0, milliseconds: 0, nightSeconds: 0, longest: null }),
  add(state, flight) {
    const one = nightOf(flight)
    if (!one) return
    state.flights++
    state.milliseconds += Math.round(one.seconds * 1000)
    state.nightSeconds += one.nightSeconds
    if (one.nightSeconds > 0) takeLongest(state, { flight, nightSeconds: one.nightSeconds })
  },
  merge(state, part) {
    state.flights += part.flights
    state.milliseconds += part.milliseconds
    state.nightSeconds += part.nightSeconds
    takeLongest(state, part.longest)
  },
  result: ({ flights, milliseconds, nightSeconds, longest }) => ({
    flights,
    seconds: Math.round(milliseconds / 1000),
    nightSeconds,
    longest,
  }),
}

export const night = (flights: readonly StatFlight[]): Night => compute(nightFigure, flights)

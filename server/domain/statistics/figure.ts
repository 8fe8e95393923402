// A figure that can be computed in parts, such as for each year and then for all years together. The order in which flights are
// added or parts are merged never matters: ties are decided by id.
import type { StatFlight } from './flights.ts'

export interface Figure<State, Result> {
  start(): State
  add(state: State, flight: StatFlight): void
  /** Does not change `part`. */
  merge(state: State, part: State): void
  result(state: State): Result
}

export function compute<State, Result>(
  figure: Figure<State, Result>,
  flights: readonly StatFlight[],
): Result {
  const state = figure.start()
  for (const flight of flights) figure.add(state, flight)
  return figure.result(state)
}

/** The flight with the larger value; on a tie, the one with the smaller id. A flight without a value is never chosen. */
export function most(
  best: StatFlight | null,
  other: StatFlight | null,
  measure: (flight: StatFlight) => number | null,
): StatFlight | null {
  const value = other && measure(other)
  if (!other || value === null) return best
  const record = best ? measure(best)! : Number.NEGATIVE_INFINITY
  return !best || value > record || (value === record && other.id < best.id) ? other : best
}

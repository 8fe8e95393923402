// A figure that can be computed in parts: of the flights of each year, say, and then of the years together. No figure depends on the
// order in which flights are added or parts are merged: where one of equal flights is to be chosen, its id decides.
import type { StatFlight } from './flights.ts'

export interface Figure<State, Result> {
  start(): State
  add(state: State, flight: StatFlight): void
  /** Leaves `part` as it is. */
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

/** The one with the larger value, of equal ones the one with the smaller id. One whose value is null is none. */
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

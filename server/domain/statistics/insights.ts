// The top of the statistics page: what changed, punctuality, darkness, what was new. For a log with dates; public shares do
// not show it.
import { type Badge, badges } from './badges.ts'
import { byId } from './figures.ts'
import { type First, firsts } from './firsts.ts'
import type { StatFlight } from './flights.ts'
import { lazily } from './lazily.ts'
import { type Night, night } from './night.ts'
import { type Punctuality, punctuality } from './punctuality.ts'
import { type Streaks, streaks } from './streaks.ts'
import { type YearChange, yearChange } from './year-change.ts'

export interface Insights {
  change: YearChange | null
  punctuality: Punctuality
  night: Night
  streaks: Streaks
  /** Oldest first. */
  firsts: First[]
  badges: Badge[]
}

/** Each value is computed when it is first read. Flights must be completed; `today` is `YYYY-MM-DD`. */
export function insightsOf(completed: readonly StatFlight[], today: string): Insights {
  const flights = byId(completed)
  return lazily<Insights>({
    change: () => yearChange(flights, today),
    punctuality: () => punctuality(flights),
    night: () => night(flights),
    streaks: () => streaks(flights, today),
    firsts: () => firsts(flights),
    badges: () => badges(flights),
  })
}

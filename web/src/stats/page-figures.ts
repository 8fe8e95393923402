/** What the statistics page shows of a log. */

import { utcDate } from '../../../server/domain/calendar.ts'
import { takesPlace } from '../../../server/domain/flight.ts'
import { type Figures, figuresOf } from '../../../server/domain/statistics/figures.ts'
import { type Insights, insightsOf } from '../../../server/domain/statistics/insights.ts'
import type { Flight, LogScope } from '../api/flights-of-log.ts'

/** Whose seats count: those of the selected person, or of every passenger. */
export const countedUser = ({ scope, userId }: LogScope, me: string | null): string | null =>
  scope === 'all' ? null : scope === 'user' ? (userId ?? null) : me

/** Only completed flights count, and no cancelled one. */
export const countedFlights = (flights: readonly Flight[]): Flight[] =>
  flights.filter((flight) => flight.completed && takesPlace(flight))

export const pageFigures = (flights: readonly Flight[], scope: LogScope, me: string | null): Figures =>
  figuresOf(countedFlights(flights), countedUser(scope, me))

export const pageInsights = (flights: readonly Flight[], now: number): Insights =>
  insightsOf(countedFlights(flights), utcDate(now))

/** The figures that the statistics page shows for a log. */

import { takesPlace } from '../../../server/domain/flights/outcome.ts'
import { type Figures, figuresOf } from '../../../server/domain/statistics/figures.ts'
import { type Insights, insightsOf } from '../../../server/domain/statistics/insights.ts'
import { utcDate } from '../../../server/domain/time/calendar.ts'
import { type Flight, flightWith, type LogScope } from '../api/flights-of-log.ts'

/** Whose seats count: the selected person's, or every passenger's. See `withCountedSeats` for several people. */
export const countedUser = ({ scope, userId }: LogScope, me: string | null): string | null =>
  scope === 'all' || scope === 'several' ? null : scope === 'user' ? (userId ?? null) : me

/** Only completed flights count, not cancelled ones. */
export const countedFlights = (flights: readonly Flight[]): Flight[] =>
  flights.filter((flight) => flight.completed && takesPlace(flight))

/** Flights with the passengers whose seats count: with several people, the selected ones. */
export function withCountedSeats(flights: Flight[], { scope, userIds = [] }: LogScope): Flight[] {
  if (scope !== 'several') return flights
  const isCounted = ({ user }: Flight['passengers'][number]) => user !== null && userIds.includes(user)
  return flights.map((flight) => flightWith(flight, { passengers: flight.passengers.filter(isCounted) }))
}

export const pageFigures = (flights: Flight[], scope: LogScope, me: string | null): Figures =>
  figuresOf(countedFlights(withCountedSeats(flights, scope)), countedUser(scope, me))

export const pageInsights = (flights: readonly Flight[], now: number): Insights =>
  insightsOf(countedFlights(flights), utcDate(now))

/** Trips that are suggested from the person's own flights. */

import { takesPlace } from '../../../server/domain/flights/outcome.ts'
import { finish } from '../../../server/domain/steps.ts'
import { homesOverTime, joinFlights } from '../../../server/domain/trips/journey.ts'
import { suggestTrips } from '../../../server/domain/trips/suggestions.ts'
import type { Flight } from '../api/log.ts'
import type { Travellers } from '../log/journeys.ts'
import { isStored } from './facts.ts'
import type { Trip } from './trips.svelte.ts'

const AT_MOST = 6
/** In a long log, the newest flights are enough to find a few trips. */
const SEARCHED = 1000

/** The newest suggestions in which no flight is in a trip yet. `own` are the person's own flights, newest first. */
export function offersOf(
  own: readonly Flight[],
  trips: readonly Pick<Trip, 'flightIds'>[],
  { me, homes, today }: Pick<Travellers, 'me' | 'homes' | 'today'>,
): Flight[][] {
  const flights = own.slice(0, SEARCHED).filter(takesPlace)
  const taken = new Set(trips.flatMap(({ flightIds }) => flightIds))
  const peopleOn = () => [me]
  const homeOf = finish(homesOverTime(flights, peopleOn, homes, today))
  const journeys = finish(joinFlights(flights, { peopleOn, homeOf }))
  const suggested = suggestTrips(journeys, {
    homeOn: (date) => homeOf(me, date),
    isFree: (flight) => isStored(flight) && !taken.has(flight.id),
  })
  return suggested.slice(-AT_MOST).reverse()
}

/** Journeys of the log, computed with the server's rules. */

import { finish } from '../../../server/domain/steps.ts'
import { homesOverTime, type Journey, joinFlights } from '../../../server/domain/trips/journey.ts'
import type { Flight, LogScope } from '../api/log.ts'
import { peopleIn } from './people.ts'

export interface Journeys {
  /** The journey of each flight that is part of one with several flights, by the flight's id. */
  of: ReadonlyMap<number, Journey<Flight>>
}

const travellers = ({ passengers }: Flight): string[] =>
  passengers.map(({ user, guest }) => user ?? `guest ${guest}`)

export interface Travellers {
  scope: LogScope
  me: string
  /** People's home airports, as far as they set them. */
  homes: ReadonlyMap<string, number>
  today: string
}

/** The journeys of the people whose flights are shown, including those of one flight. */
export function allJourneys(
  flights: readonly Flight[],
  { scope, me, homes, today }: Travellers,
): Journey<Flight>[] {
  const people = peopleIn(scope, me)
  const peopleOn =
    people === null
      ? travellers
      : people.length === 1
        ? () => people
        : (flight: Flight) => travellers(flight).filter((one) => people.includes(one))
  const homeOf = finish(homesOverTime(flights, peopleOn, homes, today))
  return finish(joinFlights(flights, { peopleOn, homeOf }))
}

export function journeysOf(flights: readonly Flight[], travellers: Travellers): Journeys {
  const joined = allJourneys(flights, travellers).filter((journey) => journey.flights.length > 1)
  return {
    of: new Map(joined.flatMap((journey) => journey.flights.map(({ id }) => [id, journey] as const))),
  }
}

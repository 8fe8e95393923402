/** Journeys of the log, by the server's own rules. */

import { createHomes, type Journey, joinFlights } from '../../../server/domain/journey.ts'
import type { Flight, LogScope } from '../api/log.ts'
import { peopleIn } from './people.ts'

export interface Journeys {
  /** The journey of each flight that is part of one with others, by the flight's id. */
  of: ReadonlyMap<number, Journey<Flight>>
}

const travellers = ({ passengers }: Flight): string[] =>
  passengers.map(({ user, guest }) => user ?? `guest ${guest}`)

export function journeysOf(
  flights: readonly Flight[],
  scope: LogScope,
  me: string,
  homes: ReadonlyMap<string, number>,
  today: string,
): Journeys {
  const people = peopleIn(scope, me)
  const peopleOn =
    people === null
      ? travellers
      : people.length === 1
        ? () => people
        : (flight: Flight) => travellers(flight).filter((one) => people.includes(one))
  const homeOf = createHomes(flights, peopleOn, homes, today)
  const joined = joinFlights(flights, { peopleOn, homeOf }).filter((journey) => journey.flights.length > 1)
  return {
    of: new Map(joined.flatMap((journey) => journey.flights.map(({ id }) => [id, journey] as const))),
  }
}

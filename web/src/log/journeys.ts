/** Journeys of the log, by the server's own rules. */

import { createHomes, type Journey, joinFlights } from '../../../server/domain/journey.ts'
import type { Flight, LogScope } from '../api/log.ts'

export interface Journeys {
  /** The journey of each flight that is part of one with others, by the flight's id. */
  of: ReadonlyMap<number, Journey<Flight>>
}

const travellers = ({ passengers }: Flight): string[] =>
  passengers.map(({ user, guest }) => user ?? `guest ${guest}`)

export function journeysOf(
  flights: readonly Flight[],
  { scope, userId }: LogScope,
  me: string | null,
  homes: ReadonlyMap<string, number>,
  today: string,
): Journeys {
  const person = scope === 'user' ? userId : me
  const peopleOn = scope === 'all' || !person ? travellers : () => [person]
  const homeOf = createHomes(flights, peopleOn, homes, today)
  const joined = joinFlights(flights, { peopleOn, homeOf }).filter((journey) => journey.flights.length > 1)
  return {
    of: new Map(joined.flatMap((journey) => journey.flights.map(({ id }) => [id, journey] as const))),
  }
}

/** A draft becomes a flight on the server. */

import { estimatedSeconds } from '../../../server/domain/flight-duration.ts'
import { distanceKm } from '../../../server/domain/geo.ts'
import { createFlight } from '../api/flights.ts'
import type { FlightRecord } from '../api/types.ts'
import { type Draft, inputOf } from '../flights/draft.ts'
import { guessArrivalDate } from '../flights/moments.ts'

const AN_HOUR = 3600

/** The day of an arrival that was typed without one follows from the time zones, which the server knows. */
export async function withArrivalDay(draft: Draft): Promise<Draft> {
  const { from, to, times } = draft
  const { departure, arrival } = times
  if (!arrival.time || arrival.date) return draft
  if (!from || !to || !departure.time) return atDay(draft, draft.date)
  const expected = estimatedSeconds(distanceKm(from, to), draft.aircraft?.class ?? null) || AN_HOUR
  const start = { airportId: from.id, local: `${departure.date}T${departure.time}` }
  return atDay(draft, await guessArrivalDate(start, { airportId: to.id, time: arrival.time }, expected))
}

const atDay = (draft: Draft, date: string): Draft => ({
  ...draft,
  times: { ...draft.times, arrival: { ...draft.times.arrival, date } },
})

export const sendDraft = async (draft: Draft, key: string): Promise<FlightRecord> =>
  createFlight(await inputOf(await withArrivalDay(draft)), key)

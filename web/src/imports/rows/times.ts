/** The two times of a row as they are corrected: clocks at the airports, and the instants that they become. */

import { estimatedSeconds } from '../../../../server/domain/flights/duration.ts'
import { distanceKm } from '../../../../server/domain/geo/geo.ts'
import type { Airport } from '../../api/types.ts'
import { addDays } from '../../draft/dates.ts'
import { guessArrivalDate, resolveLocal } from '../../draft/moments.ts'

interface RowTimes {
  /** Of the departure. */
  date: string
  from: Airport | null
  to: Airport | null
  /** `HH:MM`, or empty. */
  departure: string
  arrival: string
  /** Days between them, if the person typed it. */
  dayShift: number | null
}

/** Of what was read; UTC without an airport is not a clock there. */
export const clockOf = (moment: string | null | undefined): string =>
  moment && !moment.endsWith('Z') ? moment.slice(11, 16) : ''

/** With the offset of each airport on that day. A time without its airport or day cannot be placed and is left out. */
export async function instantsOf(times: RowTimes): Promise<Record<'departure' | 'arrival', string | null>> {
  const { date, from, to, departure, arrival } = times
  const start = date && from && departure ? await resolveLocal(from.id, `${date}T${departure}`) : null
  const day = date && to && arrival ? await arrivalDay(times) : null
  const end = day && to ? await resolveLocal(to.id, `${day}T${arrival}`) : null
  return { departure: start?.instant ?? null, arrival: end?.instant ?? null }
}

async function arrivalDay({ date, from, to, departure, arrival, dayShift }: RowTimes): Promise<string> {
  if (dayShift !== null) return addDays(date, dayShift)
  if (!from || !to || !departure) return date
  const start = { airportId: from.id, local: `${date}T${departure}` }
  return guessArrivalDate(
    start,
    { airportId: to.id, time: arrival },
    estimatedSeconds(distanceKm(from, to), null),
  )
}

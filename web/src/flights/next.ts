/** Which flight is in the air and which is next. */

import { addDays } from '../../../server/domain/calendar.ts'
import { takesPlace } from '../../../server/domain/outcome.ts'
import type { Flight } from '../api/log.ts'

type Timed = Pick<Flight, 'departs' | 'arrives' | 'duration' | 'outcome'>

/** When it lands: as known, else by its duration, which may be an estimate. */
export const landsAt = ({ departs, arrives, duration }: Timed): number | null =>
  arrives ?? (departs !== null && duration !== null ? departs + duration * 1000 : null)

/** Also one that counts as flown because its arrival is not known. */
export function isInAir(flight: Timed, now: number): boolean {
  const lands = landsAt(flight)
  return (
    takesPlace(flight) && flight.departs !== null && lands !== null && flight.departs <= now && now < lands
  )
}

/** By departure. Without a time a flight is the last of its day: it may leave in the evening. */
export const soonest = ({ departs, date }: Pick<Flight, 'departs' | 'date'>): number =>
  departs ?? Date.parse(addDays(date, 1)) - 1

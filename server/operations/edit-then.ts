// A flight that is moved to another day keeps its airports and its airline. What logging it on that day would ask about them is said.
import { airportCode, type Days, daysWithin, duringDays } from '../domain/code-periods.ts'
import { wasFlying, wasOpen } from '../resolve/codes.ts'
import { airports, resolveCode } from '../resolve/reference.ts'
import { recordOf } from '../resolve/resolution.ts'
import { type Airline, type Airport, listPeriodsOf } from '../store/reference.ts'
import { describedKinds, noted, type Words } from './spoken-words.ts'

interface Kept {
  airports: readonly (Airport | null)[]
  airline: Airline | null
}

/** `before` are the days that the flight had, those of the words the ones that it has now. */
export async function warnOfThen(
  words: Words,
  before: Days,
  { airports: places, airline }: Kept,
): Promise<void> {
  const { call, days } = words
  const kept = new Map(places.flatMap((place) => (place ? [[place.id, place] as const] : [])))
  for (const place of kept.values()) await warnOfPlace(words, before, place)
  if (airline && !wasFlying(airline, await listPeriodsOf(call.db, 'airline', airline.id), days))
    noted(words, describedKinds.airlines, airline.name, {
      outcome: 'found',
      record: airline,
      warning: 'airline_not_flying_then',
    })
}

/** It was not open, or the code that it had then means another airport now: KUL was Subang until 1998. */
async function warnOfPlace(words: Words, before: Days, place: Airport): Promise<void> {
  const { call, days, warnings } = words
  const periods = await listPeriodsOf(call.db, 'airport', place.id)
  if (!wasOpen(place, periods, days)) {
    noted(words, describedKinds.airports, place.name, {
      outcome: 'found',
      record: place,
      warning: 'airport_closed_then',
    })
    return
  }
  const code = periods.find((period) => period.code.length === 3 && daysWithin(period, before) > 0)?.code
  const other = code && recordOf(await resolveCode(call.db, airports, code, days))
  const { show } = describedKinds.airports
  if (other && other.id !== place.id)
    warnings.push({
      code: 'airport_code_then',
      message: `${code} was ${show(other)} ${duringDays(days)}; the flight keeps ${airportCode(place)}.`,
    })
}

// Warnings for a flight that moves to another day and keeps its airports and airline, as logging it on that day would give.
import {
  airportCode,
  type Days,
  daysWithin,
  duringDays,
  wasFlying,
  wasOpen,
} from '../../../domain/reference/code-periods.ts'
import { recordOf } from '../../../domain/reference/resolution.ts'
import { airports, resolveCode } from '../../../services/reference/resolve/records.ts'
import { type Airline, type Airport, listPeriodsOf } from '../../../store/reference/records.ts'
import { describedKinds, noted, type Words } from '../../reference/named.ts'

interface Kept {
  airports: readonly (Airport | null)[]
  airline: Airline | null
}

/** `before` are the old days of the flight; `words` has the new ones. */
export async function warnOfThen(
  words: Words,
  before: Days,
  { airports: places, airline }: Kept,
): Promise<void> {
  const { call, days } = words
  const kept = new Map(places.flatMap((place) => (place ? [[place.id, place] as const] : [])))
  for (const place of kept.values()) await warnOfPlace(words, before, place)
  if (airline && !wasFlying(airline, await listPeriodsOf(call.db, { kind: 'airline', id: airline.id }), days))
    noted(words, describedKinds.airlines, airline.name, {
      outcome: 'found',
      record: airline,
      warning: 'airline_not_flying_then',
    })
}

/** The airport was not open on that day, or its code at the time means another airport now: KUL was Subang until 1998. */
async function warnOfPlace(words: Words, before: Days, place: Airport): Promise<void> {
  const { call, days, warnings } = words
  const periods = await listPeriodsOf(call.db, { kind: 'airport', id: place.id })
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

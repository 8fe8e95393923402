// Flights of the log that are most likely the one that is about to be logged.
import { AppError, detail } from '../base/errors.ts'
import { airportCode } from '../domain/code-periods.ts'
import { takesPlace } from '../domain/flight.ts'
import { DUPLICATE_DAYS, isLikelyDuplicate } from '../domain/plausibility.ts'
import { problem, type ReasonParams } from '../domain/reasons.ts'
import { addDays } from '../domain/time.ts'
import type { Call } from '../operation.ts'
import { searchFlights, startOf } from '../store/flight-filters.ts'
import { recordsOf } from './flight-view.ts'

type Draft = Parameters<typeof isLikelyDuplicate>[1]

export async function requireNoDuplicate(call: Call, draft: Draft): Promise<void> {
  const alike = await listLikelyDuplicates(call, draft)
  if (alike.length === 0) return
  throw new AppError('conflict', 'likely_duplicate', {
    details: alike.map((duplicate) => detail(['allowDuplicate'], problem('duplicate_of', duplicate))),
  })
}

/** The caller's flights that are most likely the same as this one. */
export async function listLikelyDuplicates(
  call: Call,
  draft: Draft,
): Promise<ReasonParams<'duplicate_of'>[]> {
  const { date } = draft
  const near = await searchFlights(
    call.db,
    call.principal.user.id,
    { dateFrom: addDays(date, -DUPLICATE_DAYS), dateTo: addDays(date, DUPLICATE_DAYS) },
    { order: 'newest', after: startOf('newest'), limit: 200 },
  )
  const alike = near.filter((flight) => takesPlace(flight) && isLikelyDuplicate(flight, draft))
  if (alike.length === 0) return []
  const { airports } = await recordsOf(call, call.principal.revisions.reference, alike)
  const place = (id: number | null) => {
    const airport = id === null ? undefined : airports.get(id)
    return airport ? airportCode(airport) : '?'
  }
  return alike.map(({ id, date, fromId, toId, flightNumber }) => ({
    id,
    date,
    from: place(fromId),
    to: place(toId),
    flightNumber,
  }))
}

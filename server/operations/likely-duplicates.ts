// Flights of the log that resemble the one that is about to be logged, by the rules that imports compare with.

import { AppError, detail } from '../base/errors.ts'
import { writtenDate } from '../domain/calendar.ts'
import { airportCode, daysOf } from '../domain/code-periods.ts'
import { type OnRoute, type Resemblance, resemblance } from '../domain/duplicates.ts'
import type { DatePrecision, Outcome } from '../domain/enums.ts'
import { takesPlace } from '../domain/outcome.ts'
import { DUPLICATE_DAYS } from '../domain/plausibility.ts'
import { problem, type ReasonParams } from '../domain/reasons.ts'
import { addDays } from '../domain/time.ts'
import type { Call } from '../operation.ts'
import { searchFlights, startOf } from '../store/flight-filters.ts'
import { findFlight } from '../store/flights.ts'
import type { FlightInput } from './flight-input.ts'
import { recordsOf } from './flight-view.ts'
import type { Warning } from './schemas.ts'

interface Resembling extends ReasonParams<'duplicate_of'> {
  resemblance: Resemblance
}

/**
 * Refuses a flight that is in the log already, perhaps under another number or as a month or year. The same number a day or two
 * apart is often another flight: it becomes a warning.
 */
export async function requireNoDuplicate(call: Call, draft: FlightInput): Promise<Warning[]> {
  const alike = await listResembling(call, draft)
  const [first, ...others] = alike.filter(({ resemblance: how }) => how !== 'near_day')
  if (!first) return alike.map(nearDayWarning)
  const { resemblance: how, ...flight } = first
  const reason = how === 'period' ? problem('period_in_log', flight) : problem('likely_duplicate', flight)
  throw new AppError('conflict', reason, {
    details: [first, ...others].map(({ resemblance: _, ...one }) =>
      detail(['allowDuplicate'], problem('duplicate_of', one)),
    ),
  })
}

const nearDayWarning = ({ id, date, from, to, flightNumber }: Resembling): Warning => ({
  code: 'near_day',
  message: `${flightNumber ?? 'A flight'} ${from}–${to} is in the log on ${date} too (flight ${id}); check that this is another flight.`,
})

/** A flight was changed so that it resembles another one: which of them is right is for the person to say. */
export async function warnOfDuplicates(call: Call, id: number): Promise<Warning[]> {
  const stored = await findFlight(call.db, id)
  const isOwn = stored?.passengers.some(({ userId }) => userId === call.principal.user.id)
  const alike = stored && isOwn ? await listResembling(call, stored, id) : []
  return alike.map((one) => (one.resemblance === 'near_day' ? nearDayWarning(one) : duplicateWarning(one)))
}

const duplicateWarning = ({ id, date, from, to, flightNumber }: Resembling): Warning => ({
  code: 'likely_duplicate',
  message: `Now it looks like ${flightNumber ?? 'the flight'} ${from}–${to} of ${date} (flight ${id}); check that these are two flights.`,
})

interface Compared extends OnRoute {
  fromId: number | null
  toId: number | null
  outcome?: Outcome | null | undefined
}

/** The caller's flights that resemble this one, those that are the same first. `ownId`: its own, if it is in the log. */
export async function listResembling(call: Call, draft: Compared, ownId?: number): Promise<Resembling[]> {
  const { principal, db } = call
  if (draft.fromId === null || draft.toId === null) return []
  const alike = []
  for (const [dateFrom, dateTo] of rangesOf(draft)) {
    const filter = { fromIds: [draft.fromId], toIds: [draft.toId], dateFrom, dateTo }
    const page = { order: 'newest', after: startOf('newest'), limit: 200 } as const
    for (const flight of await searchFlights(db, principal.user.id, filter, page)) {
      if (flight.id === ownId) continue
      const how = takesPlace(flight) === takesPlace(draftOutcome(draft)) ? resemblance(flight, draft) : 'none'
      if (how !== 'none') alike.push({ flight, how })
    }
  }
  if (alike.length === 0) return []
  const stored = alike.map(({ flight }) => flight)
  const { airports } = await recordsOf(call, principal.revisions.reference, stored)
  const place = (id: number | null) => {
    const airport = id === null ? undefined : airports.get(id)
    return airport ? airportCode(airport) : '?'
  }
  return alike
    .toSorted((a, b) => order.indexOf(a.how) - order.indexOf(b.how))
    .map(({ flight: { id, date, datePrecision, fromId, toId, flightNumber }, how }) => ({
      id,
      date: writtenDate({ date, datePrecision }),
      from: place(fromId),
      to: place(toId),
      flightNumber,
      resemblance: how,
    }))
}

const order: readonly Resemblance[] = ['same', 'codeshare', 'period', 'near_day']
const draftOutcome = ({ outcome }: Compared) => ({ outcome: outcome ?? 'flown' })

/** Where such flights may be: the days around it, and the first days by which a month and a year are stored. */
function rangesOf({ date, datePrecision }: { date: string; datePrecision: DatePrecision }): string[][] {
  const { first, last } = daysOf(date, datePrecision)
  const near = datePrecision === 'day' ? DUPLICATE_DAYS : 0
  const [from, to] = [addDays(first, -near), addDays(last, near)]
  const starts = new Set([`${date.slice(0, 7)}-01`, `${date.slice(0, 4)}-01-01`])
  return [[from, to], ...[...starts].filter((day) => day < from).map((day) => [day, day])]
}

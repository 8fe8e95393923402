// Flights in the log that resemble a new one, by the same rules as for imports.

import { AppError, detail } from '../../base/errors.ts'
import type { DatePrecision, Outcome } from '../../domain/enums.ts'
import { type OnRoute, type Resemblance, resemblance } from '../../domain/flights/duplicates.ts'
import { takesPlace } from '../../domain/flights/outcome.ts'
import { DUPLICATE_DAYS } from '../../domain/flights/plausibility.ts'
import { problem, type ReasonParams } from '../../domain/reasons.ts'
import { airportCode, daysOf } from '../../domain/reference/code-periods.ts'
import { writtenDate } from '../../domain/time/calendar.ts'
import { addDays } from '../../domain/time/time.ts'
import type { Call } from '../../door/operation.ts'
import { searchFlights, startOf } from '../../store/flights/filters.ts'
import { findFlight } from '../../store/flights/flights.ts'
import type { Warning } from '../wire/schemas.ts'
import type { FlightInput } from './input.ts'
import { recordsOf } from './view.ts'

interface Resembling extends ReasonParams<'duplicate_of'> {
  resemblance: Resemblance
}

/**
 * Rejects a flight that is already in the log, perhaps under another number or with only a month or year. The same
 * number a day or two apart is often another flight, so it only causes a warning.
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

/** Warns that a changed flight now resembles another one: the person decides which is right. */
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

/** The caller's flights that resemble this one, identical ones first. `ownId`: the flight's own id, if it is in the log. */
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

/** The dates of possible duplicates: the days around it, and the first days that stand for its month and year. */
function rangesOf({ date, datePrecision }: { date: string; datePrecision: DatePrecision }): string[][] {
  const { first, last } = daysOf(date, datePrecision)
  const near = datePrecision === 'day' ? DUPLICATE_DAYS : 0
  const [from, to] = [addDays(first, -near), addDays(last, near)]
  const starts = new Set([`${date.slice(0, 7)}-01`, `${date.slice(0, 4)}-01-01`])
  return [[from, to], ...[...starts].filter((day) => day < from).map((day) => [day, day])]
}

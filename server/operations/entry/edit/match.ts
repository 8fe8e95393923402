// Finds the flight of an edit by its description instead of its id: exactly one of the caller's own.
import { AppError, detail, invalidField } from '../../../base/errors.ts'
import { type Problem, problem } from '../../../domain/reasons.ts'
import { airportCode } from '../../../domain/reference/code-periods.ts'
import { addMonths, writtenDate } from '../../../domain/time/calendar.ts'
import { addDays, daysBetween } from '../../../domain/time/time.ts'
import type { Call } from '../../../door/operation.ts'
import { type FlightFilter, searchFlights, startOf } from '../../../store/flights/filters.ts'
import type { StoredFlight } from '../../../store/flights/flights.ts'
import { filterReader, resolveFilters } from '../../flights/filters.ts'
import { recordsOf } from '../../flights/view.ts'
import { firstDayOf, precisionOf } from '../fields.ts'
import type { EditFlight } from './input.ts'

type Match = NonNullable<EditFlight['match']>

const SHOWN = 5
/** The limit of partly matching flights among which the nearest are chosen. */
const READ_AT_MOST = 100

export async function findMatch(call: Call, match: Match): Promise<number> {
  const filter = await filterOf(call, match)
  const found = await listOwn(call, filter, SHOWN + 1)
  if (found.length === 1) return found[0]!.id
  if (found.length > 1)
    throw await refusal(call, problem('match_several', { more: found.length > SHOWN }), found.slice(0, SHOWN))
  const near = await listNear(call, filter)
  throw await refusal(call, near.length > 0 ? 'match_near' : 'match_none', near)
}

/** A code matches every record that has or had it, as in a search. */
async function filterOf(call: Call, { flightNumber, date, from, to }: Match): Promise<FlightFilter> {
  try {
    return await resolveFilters(
      { ...filterReader(call), matched: {} },
      {
        ...(flightNumber !== undefined && { flightNumber }),
        ...(date !== undefined && { dateFrom: firstDayOf(date), dateTo: lastDayOf(date) }),
        ...(from !== undefined && { from: [from] }),
        ...(to !== undefined && { to: [to] }),
      },
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { problem: given } = error
    if (given.reason !== 'parameter_matches_nothing' && given.reason !== 'parameter_nearly_matches')
      throw error
    const { parameter, value: text } = given.params
    throw invalidField(
      ['match', parameter],
      given.reason === 'parameter_matches_nothing'
        ? problem('no_airport_matches', { text })
        : problem('text_names_similar', { text, candidates: [given.params.near] }),
    )
  }
}

function lastDayOf(date: string): string {
  const months = { day: 0, month: 1, year: 12 }[precisionOf(date)]
  return months === 0 ? date : addDays(addMonths(firstDayOf(date), months), -1)
}

const listOwn = ({ db, principal }: Call, filter: FlightFilter, limit: number) =>
  searchFlights(db, principal.user.id, filter, { order: 'newest', after: startOf('newest'), limit })

/** The flights that match if one criterion is dropped, the date first, because it is wrong most often. */
async function listNear(call: Call, filter: FlightFilter): Promise<StoredFlight[]> {
  const { dateFrom, dateTo, ...dateless } = filter
  const { flightNumbers: _, bareNumber: __, ...numberless } = filter
  const { fromIds: _from, toIds: _to, ...routeless } = filter
  for (const less of [dateless, numberless, routeless]) {
    const isAll = Object.values(less).every((value) => value === undefined)
    const found = isAll ? [] : await listOwn(call, less, READ_AT_MOST)
    const distance = ({ date }: StoredFlight) =>
      dateFrom === undefined ? 0 : Math.abs(daysBetween(dateFrom, date))
    if (found.length > 0) return found.toSorted((a, b) => distance(a) - distance(b)).slice(0, SHOWN)
  }
  return []
}

async function refusal(
  call: Call,
  given: Problem | 'match_near' | 'match_none',
  flights: readonly StoredFlight[],
): Promise<AppError> {
  const { airports } = await recordsOf(call, call.principal.revisions.reference, flights)
  const code = (id: number | null) => {
    const airport = id === null ? undefined : airports.get(id)
    return airport ? airportCode(airport) : '?'
  }
  const details = flights.map((flight) => {
    const { id, fromId, toId, flightNumber } = flight
    const route = { from: code(fromId), to: code(toId) }
    return detail(
      ['match'],
      problem('flight_candidate', { id, date: writtenDate(flight), ...route, flightNumber }),
    )
  })
  return new AppError('validation_failed', given, {
    details: details.length > 0 ? details : [detail(['match'], given)],
  })
}

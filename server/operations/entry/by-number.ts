// Logging a flight by its number alone: the rest comes from the person's last flight with that number, or from a provider.
import { invalidField } from '../../base/errors.ts'
import { foundTexts, type LookupReason, type LookupSource, lookupMessage } from '../../domain/entry/lookup.ts'
import { timeFields } from '../../domain/flights/fields.ts'
import { flightNumberSpellings, parseFlightNumber } from '../../domain/flights/number.ts'
import { pick } from '../../domain/pick.ts'
import { problem } from '../../domain/reasons.ts'
import { airportCode } from '../../domain/reference/code-periods.ts'
import { isCalendarDate } from '../../domain/time/time.ts'
import type { Call } from '../../door/operation.ts'
import { searchFlights, startOf } from '../../store/flights/filters.ts'
import type { StoredFlight } from '../../store/flights/flights.ts'
import { type Airport, findAirports } from '../../store/reference/records.ts'
import type { FlightDraft } from '../flights/input.ts'
import type { Words } from '../reference/named.ts'
import { type LookupRowView, lookUp } from './lookup.ts'

/** Both airports, and their source. */
export interface Route {
  from: Airport
  to: Airport
  likeLast: StoredFlight | undefined
  found: LookupRowView | undefined
}

/** The airports of the caller's last flight with this number, or those from a provider. */
export async function routeByNumber(words: Words, flightNumber: string): Promise<Route> {
  const { call, warnings } = words
  const likeLast = await lastOfNumber(call, flightNumber)
  // For a diverted flight, the planned destination is the usual one.
  const ends = [likeLast?.fromId, likeLast?.plannedToId ?? likeLast?.toId]
  const known = await findAirports(
    call.db,
    ends.flatMap((id) => id ?? []),
  )
  const [from, to] = ends.map((id) => known.find((airport) => airport.id === id))
  if (!likeLast || !from || !to) return routeElsewhere(words, flightNumber)
  warnings.push({
    code: 'route_from_log',
    message: `The route ${airportCode(from)}–${airportCode(to)} was taken from the flight of ${likeLast.date}.`,
  })
  return { from, to, likeLast, found: undefined }
}

/** The caller's last flight with this number. */
const lastOfNumber = async (call: Call, flightNumber: string): Promise<StoredFlight | undefined> =>
  (
    await searchFlights(
      call.db,
      call.principal.user.id,
      { flightNumbers: flightNumberSpellings(flightNumber) },
      { order: 'newest', after: startOf('newest'), limit: 1 },
    )
  )[0]

// From a provider

/** The fields that matter here. */
interface Said {
  flightNumber?: string | undefined
  from?: string | undefined
  to?: string | undefined
  date?: string | undefined
  departureTime?: string | undefined
  arrivalTime?: string | undefined
}

/** The result of `prepare`; a reason if a provider found nothing. */
interface Elsewhere {
  rows: LookupRowView[]
  reason: LookupReason | null
}

/** Queries the provider if the log lacks the number. Runs before the transaction, because other hosts are slow. */
export async function findElsewhere(
  call: Call,
  { flightNumber, from, to, departureTime, date = departureTime?.slice(0, 10) }: Said,
): Promise<Elsewhere | undefined> {
  if (from || to || !flightNumber || !parseFlightNumber(flightNumber)) return undefined
  if (date === undefined || !isCalendarDate(date) || (await lastOfNumber(call, flightNumber)))
    return undefined
  const { rows, reason } = await lookUp(call, { number: flightNumber, date, ownOnly: false })
  return {
    rows: rows.filter(({ verdict, draft }) => verdict !== 'skipped' && draft.from && draft.to),
    reason,
  }
}

async function routeElsewhere(words: Words, flightNumber: string): Promise<Route> {
  const elsewhere = words.call.prepared as Elsewhere | undefined
  if (!elsewhere) throw invalidField(['from'], problem('route_unknown', { flightNumber }))
  const { rows, reason } = elsewhere
  const [found, ...others] = rows
  if (!found) {
    const why = lookupMessage(reason ?? 'not_found')
    throw invalidField(['from'], problem('route_not_found', { flightNumber, why }))
  }
  const routes = rows.map(({ draft }) => `${airportCode(draft.from!)}–${airportCode(draft.to!)}`)
  if (others.length > 0)
    throw invalidField(
      ['from'],
      problem('ambiguous', { text: flightNumber, candidates: routes, more: false }),
    )
  const known = await findAirports(words.call.db, [found.draft.from!.id, found.draft.to!.id])
  const [from, to] = [found.draft.from!.id, found.draft.to!.id].map(
    (id) => known.find((one) => one.id === id)!,
  )
  const { source } = found.draft
  words.warnings.push({
    code: source === 'own' ? 'route_from_log' : 'route_from_provider',
    message: saidBy[source](routes[0]!, flightNumber),
  })
  return { from: from!, to: to!, likeLast: undefined, found }
}

const saidBy: Record<LookupSource, (route: string, number: string) => string> = {
  own: (route) => `The route ${route} was taken from your log.`,
  aerodatabox: (route) =>
    `The route ${route} was taken from AeroDataBox, as were times, terminals, gates, aircraft type and registration that were not given.`,
  adsbdb: (route, number) =>
    `According to adsbdb, ${number} usually flies ${route} today; check the route for that day. Times are not known.`,
}

/** Takes both times or none: a given time is not combined with one from a provider. */
export function filledFrom(
  { draft }: LookupRowView,
  { departureTime, arrivalTime }: Said,
  date: string,
): Partial<FlightDraft> {
  const times = departureTime || arrivalTime || draft.date !== date ? [] : timeFields
  return {
    ...pick(draft, times),
    ...pick(draft, foundTexts),
    operatingAirlineId: draft.operatingAirline?.id ?? null,
  }
}

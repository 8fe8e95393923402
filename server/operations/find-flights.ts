// Finding flights by what a person remembers of them. Made for AI assistants; scripts use it too.
import * as z from 'zod'
import type { Principal } from '../auth/principal.ts'
import { type FlightOrder, type FlightTime, searchOrders } from '../domain/enums.ts'
import { type Call, credentialWith, operation } from '../operation.ts'
import { isDescending, type Listed, type Place, placeOf } from '../store/flight-filters.ts'
import { findFlights as findStoredFlights, type StoredFlight } from '../store/flights.ts'
import { requireKnownAudience } from './audience.ts'
import { createFlightCursors } from './cursors.ts'
import { filtersForPrograms, listSelected, type SelectionInput, selectionOf } from './flight-filters.ts'
import { type FlightSearch, flightSearch, searchRevision, searchShape } from './flight-search.ts'
import { showFlights } from './flight-view.ts'
import { Audience, Flight, list, ShortLimit, strictQuery } from './schemas.ts'

const cursors = createFlightCursors('s1')

/** What names were taken for; the search and the summary have it. */
export const MatchedNames = z
  .record(z.string(), z.array(z.string()))
  .describe('What each airport, airline, aircraft type, country or person of the filters was taken for.')

export const findFlights = operation({
  id: 'find-flights',
  method: 'GET',
  path: '/flights/search',
  tag: 'Flights',
  summary: 'Find flights',
  example: { query: { text: 'Copenhagen' } },
  description:
    'Flights that match all given filters, which are those of `GET /flights`, and `date`, `person`, `when` and `text`. Airports, airlines, aircraft types and countries may also be given by name; a name stands for all that have it. `when` judges by the best known departure time, else by the date at the departure airport: today’s flight is upcoming until its day is over.',
  access: credentialWith(['flight.read.own', 'reference_data.read'], ['flight.read.any']),
  query: strictQuery({
    ...searchShape,
    order: z
      .enum(searchOrders)
      .optional()
      .describe(
        'By default the newest date first, of upcoming flights the next first. lastAdded, lastChanged: latest first; updated: oldest change first.',
      ),
    ...Audience,
    limit: ShortLimit,
    cursor: cursors.Cursor,
  }),
  output: list(Flight).extend({ matched: MatchedNames.optional() }),
  tool: {
    title: 'Find flights',
    unlisted: filtersForPrograms,
    names: { aircraftReg: 'registration' },
    lines: ['data[]'],
    quotes: ['matched.person'],
    description:
      'Find flights in the log; all of them without filters. "When did I last fly to Tokyo?" is to: "Tokyo", when: "past", limit: 1; "my next flight" is when: "upcoming", limit: 1. Use summarize_flights for totals. If page.nextCursor is not null, call again with it as cursor.',
  },
  target: flightSearch,
  check: (call) => requireKnownAudience(call, 'read'),
  async cacheKey(call) {
    const { limit, cursor, when } = call.input
    const revision = `search ${await searchRevision(call)}`
    const change = when === undefined ? '' : await nextChange(call, revision, when)
    return `${revision}/${change}/${limit}/${cursor ? cursors.write(cursor) : ''}`
  },
  async run(call) {
    const { limit, cursor } = call.input
    const selection = selectionOf(call.input)
    const place = cursors.placeIn(selection, cursor)
    const { target } = call
    const filter = await target.filter()
    const when = selection.filters?.when
    const found: readonly Listed[] =
      when === undefined
        ? await listSelected(call, filter, selection.order, place, limit + 1)
        : pageInTime((await target.inTime(when)).flights, selection.order, place, limit + 1)
    const { rows, nextCursor } = cursors.cut(selection, found, limit)
    const flights = when === undefined ? (rows as StoredFlight[]) : await storedFlights(call, rows)
    return {
      data: await showFlights(call, flights),
      page: { nextCursor },
      ...(Object.keys(target.matched).length > 0 && { matched: target.matched }),
    }
  },
})

type SearchCall = Call<SelectionInput, Principal, FlightSearch>

/** When the next flight is no longer still to come: then other flights are found. */
const nextChange = (call: SearchCall, revision: string, when: FlightTime): Promise<number> =>
  call.services.completions.next(
    revision,
    call.now.getTime(),
    async () => (await call.target.inTime(when)).changes,
  )

/** One page of flights that are all in memory. */
function pageInTime(flights: readonly Listed[], order: FlightOrder, after: Place, limit: number): Listed[] {
  const sign = isDescending(order) ? -1 : 1
  const compare = (a: Place, b: Place) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id)
  return flights
    .map((flight) => ({ flight, place: placeOf(order, flight) }))
    .filter(({ place }) => compare(place, after) > 0)
    .sort((a, b) => compare(a.place, b.place))
    .slice(0, limit)
    .map(({ flight }) => flight)
}

/** In the order of the rows. One that was deleted meanwhile is left out. */
async function storedFlights({ db }: SearchCall, rows: readonly Listed[]): Promise<StoredFlight[]> {
  const ids = rows.map(({ id }) => id)
  const byId = new Map((await findStoredFlights(db, ids)).map((flight) => [flight.id, flight]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

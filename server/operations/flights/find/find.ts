// Finding flights by what a person remembers about them. Made for AI assistants; scripts use it too.
import * as z from 'zod'
import { type FlightOrder, type FlightTime, searchOrders } from '../../../domain/enums.ts'
import { type Call, credentialWith, operation } from '../../../door/operation.ts'
import type { Principal } from '../../../services/access/principal.ts'
import { isDescending, type Listed, type Place, placeOf } from '../../../store/flights/filters.ts'
import { findFlights as findStoredFlights, type StoredFlight } from '../../../store/flights/flights.ts'
import { Audience, Flight, list, ShortLimit, strictQuery } from '../../wire/schemas.ts'
import { requireKnownAudience } from '../audience.ts'
import { createFlightCursors } from '../cursors.ts'
import { filtersForPrograms, listSelected, type SelectionInput, selectionOf } from '../filters.ts'
import { showFlights } from '../view.ts'
import { type FlightSearch, flightSearch, searchRevision, searchShape } from './search.ts'

const cursors = createFlightCursors('s1')

/** The records that names matched; shared by the search and the summary. */
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
  target: { find: flightSearch },
  check: (call) => requireKnownAudience(call, 'read'),
  cached: {
    async key(call) {
      const { limit, cursor, when } = call.input
      const revision = `search ${await searchRevision(call)}`
      const change = when === undefined ? '' : await nextChange(call, revision, when)
      return `${revision}/${change}/${limit}/${cursor ? cursors.write(cursor) : ''}`
    },
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

/** When the next upcoming flight departs and the results change. */
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

/** In the order of the rows. Flights deleted meanwhile are left out. */
async function storedFlights({ db }: SearchCall, rows: readonly Listed[]): Promise<StoredFlight[]> {
  const ids = rows.map(({ id }) => id)
  const byId = new Map((await findStoredFlights(db, ids)).map((flight) => [flight.id, flight]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

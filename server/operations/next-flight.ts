// The flight that departs next and the one that departed last: for widgets, home automation and reminders, which poll.
import * as z from 'zod'
import type { Principal } from '../auth/principal.ts'
import { departureInstant } from '../domain/flight.ts'
import { type Call, credentialWith, operation } from '../operation.ts'
import { listDepartures } from '../store/flight-filters.ts'
import { findFlight } from '../store/flights.ts'
import { audienceOf, requireKnownAudience } from './audience.ts'
import { filterOf, flightFilterShape, type SelectionInput, selectionRevision } from './flight-filters.ts'
import { showFlight } from './flight-view.ts'
import { countedOnly } from './flown-flights.ts'
import { Audience, Flight, strictQuery } from './schemas.ts'

/** When each flight of a log departs. Loaded at most once: the cache key may need it before the response does. */
interface Departures {
  load(): Promise<{ ids: number[]; instants: Float64Array }>
}
type DeparturesCall = Call<SelectionInput, Principal, Departures>

function departures(call: Call<SelectionInput>): Departures {
  let loading: ReturnType<Departures['load']> | undefined
  const load = async () => {
    const filter = countedOnly(await filterOf(call))
    const found = await listDepartures(call.db, audienceOf(call.principal, call.input), filter)
    return {
      ids: found.map(({ id }) => id),
      instants: Float64Array.from(found, (flight) => departureInstant(flight, flight.timezone)),
    }
  }
  return {
    load() {
      loading ??= load()
      return loading
    },
  }
}

const FRESH_SECONDS = 30

/**
 * Which flight it is changes when the log changes or when one departs. The seconds until then change all the time: a
 * response is repeated only as long as clients may use it without a request.
 */
async function cacheKey(call: DeparturesCall): Promise<string> {
  const now = call.now.getTime()
  const revision = `departures ${await selectionRevision(call)}`
  const load = async () => (await call.target.load()).instants
  const nextDeparture = await call.services.completions.next(revision, now, load)
  return `${revision}/${nextDeparture}/${Math.floor(now / (FRESH_SECONDS * 1000))}`
}

const common = {
  method: 'GET',
  tag: 'Flights',
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  query: strictQuery({ ...Audience, ...flightFilterShape }),
  output: z.object({
    data: Flight.nullable(),
    startsInSeconds: z
      .int()
      .nullable()
      .describe('From the time of the response until departure, negative after it; null without a flight.'),
  }),
  cacheControl: `private, max-age=${FRESH_SECONDS}`,
  target: departures,
  check: (call: Call<SelectionInput>) => requireKnownAudience(call, 'read'),
  cacheKey,
} as const

/** Which of two flights is closer to now, looking in one direction. */
type IsBetter = (instant: number, id: number, than: { instant: number; id: number }) => boolean

async function flightAt(call: DeparturesCall, isWanted: (instant: number) => boolean, isBetter: IsBetter) {
  const { ids, instants } = await call.target.load()
  let best: { instant: number; id: number } | undefined
  for (const [i, id] of ids.entries()) {
    const instant = instants[i]!
    if (isWanted(instant) && (!best || isBetter(instant, id, best))) best = { instant, id }
  }
  const flight = best && (await findFlight(call.db, best.id))
  if (!flight) return { data: null, startsInSeconds: null }
  return {
    data: await showFlight(call, flight),
    startsInSeconds: Math.round((best!.instant - call.now.getTime()) / 1000),
  }
}

const rule =
  'A flight departs at its best known departure time, else at the beginning of its date at the departure airport (of a month or a year: its first day). Cancelled flights count only with `outcome=cancelled`. `data` is null if there is none.'

export const getNextFlight = operation({
  ...common,
  id: 'get-next-flight',
  path: '/flights/next',
  summary: 'Read the next flight',
  description: `The first flight that has not departed yet. ${rule}`,
  run(call) {
    const now = call.now.getTime()
    return flightAt(
      call,
      (instant) => instant >= now,
      (instant, id, than) => instant < than.instant || (instant === than.instant && id < than.id),
    )
  },
})

export const getLatestFlight = operation({
  ...common,
  id: 'get-latest-flight',
  path: '/flights/latest',
  summary: 'Read the latest flight',
  description: `The last flight that has departed. ${rule}`,
  run(call) {
    const now = call.now.getTime()
    return flightAt(
      call,
      (instant) => instant < now,
      (instant, id, than) => instant > than.instant || (instant === than.instant && id > than.id),
    )
  },
})

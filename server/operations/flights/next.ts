// The next and the last departure: for widgets, home automation and reminders, which poll.
import * as z from 'zod'
import { departureInstant } from '../../domain/flights/flight.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import { listDepartures } from '../../store/flights/filters.ts'
import { findFlight } from '../../store/flights/flights.ts'
import { Audience, Flight, strictQuery } from '../wire/schemas.ts'
import { audienceOf, requireKnownAudience } from './audience.ts'
import { filterOf, flightFilterShape, type SelectionInput, selectionRevision } from './filters.ts'
import { countedOnly } from './flown.ts'
import { showFlight } from './view.ts'

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
 * The flight changes when the log changes or when a flight departs. The seconds until departure change all the time,
 * so a response is cached only as long as clients may reuse it.
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
  target: { find: departures },
  check: (call: Call<SelectionInput>) => requireKnownAudience(call, 'read'),
  cached: { key: cacheKey, control: `private, max-age=${FRESH_SECONDS}` },
} as const

/** Whether the first flight is closer to now than the second, looking in one direction. */
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

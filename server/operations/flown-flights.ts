// The log of an audience, loaded once per request and judged against the clock: which flights are flown. Answers made
// from it may be cached until the next flight completes, and the key under which they are says so.
import type { ResponseCache } from '../base/response-cache.ts'
import { completionInstant } from '../domain/flight.ts'
import type { Call, Services } from '../operation.ts'
import type { Records } from '../reference/reference.ts'
import { type LogFlight, listKeptLog, listLog } from '../store/flight-log.ts'
import type { Executor } from '../store/store.ts'
import { type Asked, audienceOf, audienceRevision } from './audience.ts'

export interface FlownLog {
  flights: LogFlight[]
  records: Records
  /** When each flight counts as flown, in the order of `flights`. */
  completions: Float64Array
}

interface Source {
  db: Executor
  services: Services
}

export const loadLog = async (
  source: Source,
  userId: string | null,
  referenceRevision: number,
): Promise<FlownLog> => flownLog(source, await listLog(source.db, userId), referenceRevision)

/** What a person may publish: a flight that another person put into their log is not theirs until they keep it. */
export const loadKeptLog = async (
  source: Source,
  userId: string,
  referenceRevision: number,
): Promise<FlownLog> => flownLog(source, await listKeptLog(source.db, userId), referenceRevision)

async function flownLog(
  { db, services }: Source,
  flights: LogFlight[],
  referenceRevision: number,
): Promise<FlownLog> {
  const records = await services.reference.records(db, referenceRevision, {
    airports: flights.flatMap((flight) => [flight.fromId, flight.toId]),
    airlines: flights.map((flight) => flight.airlineId),
    aircraft: flights.map((flight) => flight.aircraftId),
  })
  const completions = Float64Array.from(flights, (flight) =>
    completionInstant(flight, zoneOf(records, flight.fromId)),
  )
  return { flights, records, completions }
}

export const recordOf = <Item>(table: ReadonlyMap<number, Item>, id: number | null): Item | null =>
  id === null ? null : (table.get(id) ?? null)

export const zoneOf = (records: Records, airportId: number | null): string | null =>
  recordOf(records.airports, airportId)?.timezone ?? null

/** What the call's cache key already had to load. */
const loaded = new WeakMap<Call<Asked>, FlownLog>()

export const logOf = async (call: Call<Asked>): Promise<FlownLog> =>
  loaded.get(call) ??
  loadLog(call, audienceOf(call.principal, call.input), call.principal.revisions.reference)

/** The cache key of whatever is made of a log's flown part. */
export async function flownRevision(call: Call<Asked>): Promise<string> {
  const revision = await audienceRevision(call)
  const next = await nextCompletion(call.services.cache, revision, call.now.getTime(), async () => {
    const log = await logOf(call)
    loaded.set(call, log)
    return log
  })
  return `${revision}/${next}`
}

const HORIZONS_AT_MOST = 1000
/** Completions still to come by revision of the log, ascending; per application, like the bytes they guard. */
const horizons = new WeakMap<ResponseCache, Map<string, Horizon>>()

interface Horizon {
  /** It knows nothing of what was already flown then, and is of no use to a clock that was put back. */
  since: number
  completions: Float64Array
}

/**
 * When the next flight of a log completes. Which flights are flown follows from it, so that together with the
 * revision it is a sound cache key: once that instant has passed, another one is next.
 */
export async function nextCompletion(
  cache: ResponseCache,
  revision: string,
  now: number,
  load: () => Promise<FlownLog>,
): Promise<number> {
  const known = horizonsOf(cache)
  let horizon = known.get(revision)
  if (!horizon || horizon.since > now) {
    const completions = (await load()).completions.filter((instant) => instant >= now).sort()
    horizon = { since: now, completions }
    if (known.size >= HORIZONS_AT_MOST) known.clear()
    known.set(revision, horizon)
  }
  return horizon.completions.find((instant) => instant >= now) ?? Number.POSITIVE_INFINITY
}

function horizonsOf(cache: ResponseCache): Map<string, Horizon> {
  let known = horizons.get(cache)
  if (!known) {
    known = new Map()
    horizons.set(cache, known)
  }
  return known
}

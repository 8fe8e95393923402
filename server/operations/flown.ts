// The log of an audience, loaded once per request and judged against the clock: which flights are flown. Answers made
// from it may be cached until the next flight completes, and the key under which they are says so.
import type { ByteCache } from '../byte-cache.ts'
import { completionInstant } from '../domain/flight.ts'
import type { Call } from '../operation.ts'
import type { Records } from '../reference/reference.ts'
import { type LogFlight, listLog } from '../store/log.ts'
import { type Asked, audienceOf, audienceRevision } from './audience.ts'

export interface FlownLog {
  flights: LogFlight[]
  records: Records
  /** When each flight counts as flown, in the order of `flights`. */
  completions: Float64Array
}

export async function loadLog(call: Pick<Call, 'db' | 'services'>, userId: string | null, revision: number) {
  const { db, services } = call
  const flights = await listLog(db, userId)
  const records = await services.reference.records(db, revision, {
    airports: flights.flatMap((flight) => [flight.fromId, flight.toId]),
    airlines: flights.map((flight) => flight.airlineId),
    aircraft: flights.map((flight) => flight.aircraftId),
  })
  const completions = Float64Array.from(flights, (flight) =>
    completionInstant(flight, zoneOf(records, flight.fromId)),
  )
  return { flights, records, completions } satisfies FlownLog
}

export const zoneOf = (records: Records, airportId: number | null): string | null =>
  airportId === null ? null : (records.airports.get(airportId)?.timezone ?? null)

/** What the call's cache key already had to load. */
const loaded = new WeakMap<Call<Asked>, FlownLog>()

export const logOf = async (call: Call<Asked>): Promise<FlownLog> =>
  loaded.get(call) ??
  loadLog(call, audienceOf(call.principal, call.input), call.principal.revisions.reference)

const HORIZONS_AT_MOST = 1000
/** Completions still to come by revision of the log, ascending; per application, like the bytes they guard. */
const horizons = new WeakMap<ByteCache, Map<string, Float64Array>>()

/**
 * Everything that the flown part of a log depends on: its revision and the next completion. Once that instant has
 * passed another one is next, so a cached answer is never served past the completion of a flight.
 */
export async function flownRevision(call: Call<Asked>): Promise<string> {
  const revision = await audienceRevision(call)
  const known = horizonsOf(call.services.cache)
  let horizon = known.get(revision)
  if (!horizon) {
    const log = await logOf(call)
    loaded.set(call, log)
    horizon = log.completions.filter((instant) => instant >= call.now.getTime()).sort()
    if (known.size >= HORIZONS_AT_MOST) known.clear()
    known.set(revision, horizon)
  }
  const next = horizon.find((instant) => instant >= call.now.getTime())
  return `${revision}/${next ?? 'all flown'}`
}

function horizonsOf(cache: ByteCache): Map<string, Float64Array> {
  let known = horizons.get(cache)
  if (!known) {
    known = new Map()
    horizons.set(cache, known)
  }
  return known
}

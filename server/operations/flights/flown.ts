// The log of an audience, loaded once per request, and which of its flights are flown at the current time. Responses
// made from it may be cached until the next flight completes; the cache key includes that time.
import { inSteps } from '../../base/in-steps.ts'
import { completionInstant } from '../../domain/flights/flight.ts'
import { takesPlace } from '../../domain/flights/outcome.ts'
import type { Call } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import type { Records } from '../../services/reference/reference.ts'
import { recordOf, zoneOf } from '../../services/statistics/stat-flight.ts'
import type { FlightFilter } from '../../store/flights/filters.ts'
import { type LogFlight, listFilteredLog, listKeptLog, listLog } from '../../store/flights/log.ts'
import type { Executor } from '../../store/store.ts'
import { type AudienceInput, audienceOf } from './audience.ts'

export interface FlownLog {
  flights: LogFlight[]
  records: Records
  /** When each flight counts as flown, in the same order as `flights`. */
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

/** Without cancelled flights, which are never counted. */
export function withoutCancelled({ flights, records, completions }: FlownLog): FlownLog {
  const counted: LogFlight[] = []
  const theirs = new Float64Array(flights.length)
  // One loop takes half as long as three filters, and blocks other requests meanwhile.
  for (const [i, flight] of flights.entries())
    if (takesPlace(flight)) theirs[counted.push(flight) - 1] = completions[i]!
  return { flights: counted, records, completions: theirs.subarray(0, counted.length) }
}

/** The flights that pass the filters, without cancelled ones unless the filters request those. */
export const loadCountedLog = async (
  source: Source,
  userId: string | null,
  referenceRevision: number,
  filter: FlightFilter | undefined,
): Promise<FlownLog> =>
  flownLog(source, await listFilteredLog(source.db, userId, countedOnly(filter)), referenceRevision)

/** Cancelled flights are only counted if a filter selects them. */
export const countedOnly = (filter: FlightFilter = {}): FlightFilter =>
  filter.outcome === undefined ? { ...filter, isCounted: true } : filter

/** What a person may publish: a flight that another person added to their log is excluded until they keep it. */
export const loadKeptLog = async (
  source: Source,
  userId: string,
  referenceRevision: number,
): Promise<FlownLog> =>
  withoutCancelled(await flownLog(source, await listKeptLog(source.db, userId), referenceRevision))

export async function flownLog(
  { db, services }: Source,
  flights: LogFlight[],
  referenceRevision: number,
): Promise<FlownLog> {
  const ids = {
    airports: new Set<number | null>(),
    airlines: new Set<number | null>(),
    aircraft: new Set<number | null>(),
  }
  await inSteps(flights, (some) => {
    for (const { fromId, toId, plannedToId, airlineId, aircraftId } of some) {
      ids.airports.add(fromId).add(toId).add(plannedToId)
      ids.airlines.add(airlineId)
      ids.aircraft.add(aircraftId)
    }
  })
  const records = await services.reference.records(db, referenceRevision, ids)
  const completions = new Float64Array(flights.length)
  await inSteps(flights, (some, start) => {
    for (const [i, flight] of some.entries())
      completions[start + i] = completionInstant(flight, zoneOf(records, flight.fromId))
  })
  return { flights, records, completions }
}

export { recordOf, zoneOf }

/** The log of a call, loaded at most once: the cache key may need it before the response does. */
export interface RequestedLog {
  load(): Promise<FlownLog>
}

function loadedOnce(load: () => Promise<FlownLog>): RequestedLog {
  let loading: Promise<FlownLog> | undefined
  return {
    load() {
      loading ??= load()
      return loading
    },
  }
}

/** The target of operations on a log. */
export const requestedLog = (call: Call<AudienceInput>): RequestedLog =>
  loadedOnce(async () =>
    loadLog(call, audienceOf(call.principal, call.input), call.principal.revisions.reference),
  )

/** When the next flight of a log completes. */
export const nextCompletion = (
  { completions }: Pick<Services, 'completions'>,
  revision: string,
  now: number,
  load: () => Promise<FlownLog>,
): Promise<number> => completions.next(revision, now, async () => (await load()).completions)

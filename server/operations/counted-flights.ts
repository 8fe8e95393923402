// The flights that statistics count: those of an audience that pass the filters of a request, from the log that is kept for
// them. A flight that another request changes meanwhile may count in either of its versions.
import type { Principal } from '../auth/principal.ts'
import { inSteps } from '../base/in-steps.ts'
import { estimatedSeconds } from '../domain/flight-duration.ts'
import { createSummarizer } from '../domain/statistics/document.ts'
import type { StatFlight } from '../domain/statistics/flights.ts'
import type { Call } from '../operation.ts'
import { counterOf, type LogView, type Moment } from '../statistics/kept-log.ts'
import type { KeptFlight, Measures } from '../statistics/stat-flight.ts'
import type { FlightFilter } from '../store/flight-filters.ts'
import { listFilteredIds } from '../store/flight-log.ts'
import { readRevisions } from '../store/revisions.ts'
import { audienceOf } from './audience.ts'
import { filterOf, type SelectionInput, selectionRevision } from './flight-filters.ts'
import { routeKm } from './flight-view.ts'
import { countedOnly } from './flown-flights.ts'

/** With distances on the ellipsoid and times estimated by class of aircraft, as all figures of v1. */
export const measures: Measures = { name: 'v1', distanceOf: routeKm, estimate: estimatedSeconds }

type Document = ReturnType<LogView['document']>

export interface CountedFlights {
  /** Of the request, flown or not, by id. */
  flights(): Promise<readonly KeptFlight[]>
  /** When those that are not flown yet complete. */
  completions(): Promise<Float64Array>
  /** The statistics of those that are flown. `today` is `YYYY-MM-DD`. */
  statistics(today: string): Promise<Document>
}

/** The target of an operation over such flights. Nothing is read before it is asked for, and nothing twice. */
export function countedFlights(
  call: Call<SelectionInput>,
  given: Measures = measures,
  filter: () => Promise<FlightFilter | undefined> = () => filterOf(call),
): CountedFlights {
  const audience = audienceOf(call.principal, call.input)
  const moment = once(() => momentOf(call, audience))
  const log = once(async () => call.services.keptLogs.get(audience, given))
  const read = async <Result>(reader: (view: LogView) => Result) => (await log()).read(await moment(), reader)
  const ids = once(async () => {
    const wanted = await filter()
    return wanted && listFilteredIds(call.db, audience, countedOnly(wanted))
  })
  const flights = once(async () => {
    const wanted = await ids()
    return read((view) =>
      wanted
        ? wanted.flatMap((id) => view.get(id) ?? [])
        : view.flights().filter(({ isCancelled }) => !isCancelled),
    )
  })
  return {
    flights,
    completions: async () =>
      (await ids())
        ? Float64Array.from(await flights(), ({ completes }) => completes)
        : read((view) => Float64Array.from(view.pending(), ({ completes }) => completes)),
    async statistics(today) {
      if (!(await ids())) return read((view) => view.document(today))
      const now = call.now.getTime()
      const flown = (await flights()).filter(({ completes }) => completes < now)
      return statisticsOf(
        flown.map(({ figures }) => figures),
        audience,
        today,
      )
    },
  }
}

function once<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loading: Promise<Result> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}

async function momentOf(
  { db, principal, now }: Call<SelectionInput>,
  audience: string | null,
): Promise<Moment> {
  const { flights, reference, epoch } = principal.revisions
  const revision =
    audience === principal.user.id ? flights : (await readRevisions(db, [counterOf(audience)]))[0]!
  return { db, revision, reference, epoch, now: now.getTime() }
}

async function statisticsOf(
  flights: readonly StatFlight[],
  audience: string | null,
  today: string,
): Promise<Document> {
  const { start, add, document } = createSummarizer(audience)
  const summary = start()
  await inSteps(flights, (some) => add(summary, some))
  return document(summary, () => flights, today)
}

/** The cache key of what is computed from them. */
export async function countedRevision(
  call: Call<SelectionInput, Principal, CountedFlights>,
): Promise<string> {
  const revision = `counted ${await selectionRevision(call)}`
  const { completions } = call.target
  return `${revision}/${await call.services.completions.next(revision, call.now.getTime(), completions)}`
}

// The flights that statistics count: an audience's flights that pass a request's filters, from the log cached for
// statistics. A flight that another request is changing may count in either version.

import { inSteps } from '../../base/in-steps.ts'
import { estimatedSeconds } from '../../domain/flights/duration.ts'
import { createSummarizer } from '../../domain/statistics/document.ts'
import type { StatFlight } from '../../domain/statistics/flights.ts'
import type { Call } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import { counterOf, type LogView, type Moment } from '../../services/statistics/kept-log.ts'
import type { KeptFlight, Measures } from '../../services/statistics/stat-flight.ts'
import { readRevisions } from '../../store/engine/revisions.ts'
import type { FlightFilter } from '../../store/flights/filters.ts'
import { listFilteredIds } from '../../store/flights/log.ts'
import { audienceOf } from '../flights/audience.ts'
import { filterOf, type SelectionInput, selectionRevision } from '../flights/filters.ts'
import { countedOnly } from '../flights/flown.ts'
import { routeKm } from '../flights/view.ts'

/** Distances on the ellipsoid and times estimated by aircraft class, as for all figures of v1. */
export const measures: Measures = { name: 'v1', distanceOf: routeKm, estimate: estimatedSeconds }

type Document = ReturnType<LogView['document']>

export interface CountedFlights {
  /** The flights of the request, flown or not, by id. */
  flights(): Promise<readonly KeptFlight[]>
  /** When the flights that are not flown yet complete. */
  completions(): Promise<Float64Array>
  /** The statistics of the flown flights. `today` is `YYYY-MM-DD`. */
  statistics(today: string): Promise<Document>
}

/** The target of an operation on such flights. Loads lazily, and everything at most once. */
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

/** The cache key of figures computed from these flights. */
export async function countedRevision(
  call: Call<SelectionInput, Principal, CountedFlights>,
): Promise<string> {
  const revision = `counted ${await selectionRevision(call)}`
  const { completions } = call.target
  return `${revision}/${await call.services.completions.next(revision, call.now.getTime(), completions)}`
}

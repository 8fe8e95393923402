/** Problems with the times of a draft, found before it is saved. */

import { distanceKm } from '../../../server/domain/geo/geo.ts'
import type { Draft } from '../draft/draft.ts'
import type { Resolve } from '../draft/moments.ts'
import { timeWarning } from '../draft/time-warning.ts'
import { withArrivalDay } from '../queue/send.ts'

/** With the time zones that came with the app: nothing is requested. */
export async function draftWarning(draft: Draft): Promise<string> {
  const { from, to, aircraft, datePrecision, times } = draft
  if (!from || !to || datePrecision !== 'day' || !times.departure.time || !times.arrival.time) return ''
  const { readHere } = await import('../draft/zones.ts')
  const resolve: Resolve = async (_airport, local, zone) => readHere(local, zone!)
  const { departure, arrival } = (await withArrivalDay(draft, resolve)).times
  const at = ({ date, time }: typeof departure, zone: string) =>
    Date.parse(readHere(`${date || draft.date}T${time}`, zone).instant)
  const seconds = (at(arrival, to.timezone) - at(departure, from.timezone)) / 1000
  return timeWarning(seconds, distanceKm(from, to), aircraft?.class ?? null)
}

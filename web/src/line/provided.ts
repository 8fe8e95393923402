/** A provider's data for the flight of the line, suggested like the log's: dashed, with its name, saved only if accepted. */

import type { LineDraft } from '../../../server/domain/entry/line/types.ts'
import { daysBetween } from '../../../server/domain/time/calendar.ts'
import { lookUpFlight } from '../api/flights.ts'
import { type LookupRow, offered } from '../draft/lookup.ts'
import { sourceName } from '../draft/lookup-texts.ts'
import type { DashedOffer } from './words.ts'

/** Each number and day is looked up once per visit. */
const known = new Map<string, Promise<LookupRow[]>>()

/** Only rows from providers: data from the own log is suggested without a request. */
export function lookUp(number: string, date: string): Promise<LookupRow[]> {
  const key = `${number} ${date}`
  const found =
    known.get(key) ??
    lookUpFlight(number, date).then(({ data }) => offered(data.filter(({ draft }) => draft.source !== 'own')))
  known.set(key, found)
  found.catch(() => known.delete(key))
  return found
}

function timesOf({ draft }: LookupRow): LineDraft {
  const departure = draft.departure ?? draft.departureScheduled
  const arrival = draft.arrival ?? draft.arrivalScheduled
  if (!departure || !arrival) return {}
  const dayShift = daysBetween(departure.slice(0, 10), arrival.slice(0, 10))
  return { departure: departure.slice(11, 16), arrival: { time: arrival.slice(11, 16), dayShift } }
}

/** Only values that the line lacks, and only for its route. */
export function providedOffers(rows: readonly LookupRow[], line: LineDraft): DashedOffer[] {
  const isOnRoute = ({ draft: { from, to } }: LookupRow) =>
    (line.fromId === undefined || line.fromId === from?.id) &&
    (line.toId === undefined || line.toId === to?.id)
  const [row, ...others] = rows.filter(isOnRoute)
  // If a number has several legs, the person chooses one by typing an airport.
  if (!row || others.length > 0) return []
  const { from, to, aircraft, aircraftReg } = row.draft
  const by = sourceName(row)
  const offers: DashedOffer[] = []
  const add = (kind: DashedOffer['kind'], sets: LineDraft) => offers.push({ kind, sets, because: null, by })
  if (from && to && (line.fromId === undefined || line.toId === undefined))
    add('route', { fromId: from.id, toId: to.id })
  const times = timesOf(row)
  if (times.departure && line.departure === undefined && line.arrival === undefined) add('times', times)
  if (aircraft?.icao && line.aircraftId === undefined) add('aircraft', { aircraftId: aircraft.id })
  if (aircraftReg && line.aircraftReg === undefined) add('registration', { aircraftReg })
  return offers
}

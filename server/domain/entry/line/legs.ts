// Several flights in one line: `EWR-SFO-HNL`. They share the day, so each has to leave on the day of the first.
import { estimatedSeconds } from '../../flights/duration.ts'
import { distanceKm } from '../../geo/geo.ts'
import type { Line } from './atoms.ts'
import type { Candidate, Search } from './candidate.ts'
import { WORD } from './candidate.ts'
import type { LineReference } from './data.ts'
import { codedPlacesAt } from './places.ts'
import type { LineDraft } from './types.ts'

const joins = /^(?:-|–|—|−|->|→|➔|⇒|>|\/)$/
const LEGS_AT_MOST = 6

/** A chain of three or more airports. One that ends where it began is a trip of several days, which is asked about. */
export function chainsAt(search: Search, first: number): Candidate[] {
  const { line } = search
  // Few lines have a chain.
  if (line.atoms.filter(({ text }) => joins.test(text)).length < 2) return []
  if (joins.test(line.atoms[first - 1]?.text ?? '')) return []
  const stops: Candidate[] = []
  for (let at = first; stops.length <= LEGS_AT_MOST; ) {
    const [best] = codedPlacesAt(search, at).toSorted((a, b) => b.score - a.score || b.end - a.end)
    if (!best) break
    stops.push(best)
    if (!joins.test(line.atoms[best.end]?.text ?? '')) break
    at = best.end + 1
  }
  const ids = stops.map(({ sets }) => sets.fromId!)
  if (ids.length < 3 || new Set(ids).size < ids.length) return []
  const sets = { fromId: ids[0]!, viaIds: ids.slice(1, -1), toId: ids.at(-1)! }
  const score = stops.reduce((sum, stop) => sum + stop.score, 0) + WORD
  return [{ first, end: stops.at(-1)!.end, slot: 'route', kind: 'route', sets, others: [], score }]
}

/** One draft for each flight. What is only said once, such as a note, belongs to the first. */
export function legsOf({ viaIds, ...draft }: LineDraft): LineDraft[] {
  if (!viaIds) return [draft]
  const { note: _, ...shared } = draft
  const stops = [draft.fromId!, ...viaIds, draft.toId!]
  return stops.slice(1).map((toId, i) => ({ ...(i === 0 ? draft : shared), fromId: stops[i]!, toId }))
}

/** Fields that belong to one of the flights, and the line does not say to which. */
const ofOneLeg = [
  ...['flightNumber', 'departure', 'arrival', 'aircraftId', 'aircraftReg', 'seatNumber', 'outcome'],
  ...['departureTerminal', 'departureGate', 'arrivalTerminal', 'arrivalGate'],
] as const

/** Whether the flights of the line are certain: nothing belongs to one alone, and they are on one day. */
export const areLegsClear = (draft: LineDraft, reference: LineReference): boolean =>
  draft.viaIds === undefined ||
  (!ofOneLeg.some((name) => name in draft) &&
    (draft.datePrecision !== undefined || areOnOneDay(draft, reference)))

const MIDDAY = 12
/** Hours after a landing in which nothing leaves on the same day. */
const LAST_HOUR = 22

/** Whether who leaves at midday lands early enough for the next flight, by the sun's time at each airport. */
function areOnOneDay({ fromId, viaIds = [] }: LineDraft, { airports }: LineReference): boolean {
  const stops = [fromId!, ...viaIds].map((id) => airports.byId.get(id)!)
  let hour = MIDDAY
  for (const [i, stop] of stops.slice(1).entries()) {
    const before = stops[i]!
    const zones = ((((stop.longitude - before.longitude + 540) % 360) + 360) % 360) - 180
    hour += estimatedSeconds(distanceKm(before, stop), null) / 3600 + zones / 15
    if (hour > LAST_HOUR || hour < 0) return false
  }
  return true
}

/** The last airport of a chain, as typed. */
export const lastOfChain = ({ text, atoms }: Line, { end }: Pick<Candidate, 'end'>): string => {
  const last = atoms[end - 1]!
  return text.slice(last.start, last.end)
}

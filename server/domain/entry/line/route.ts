// Decides which airport is which end of the flight, which time is which, and which airport of a city is meant.
import type { Candidate, Known } from './candidate.ts'
import { routeKey } from './memory.ts'
import type { LineDraft } from './types.ts'

/** The chosen candidates, with the draft fields that each one sets. */
export function inPlaces(chosen: readonly Candidate[], known: Known): Candidate[] {
  const number = chosen.find(({ slot }) => slot === 'flight')?.sets.flightNumber
  const ends = endsOf(chosen, number, known)
  const best = likeliest(ends, number, known)
  const times = timesOf(chosen)
  const halls = hallsOf(chosen)
  return chosen.map(
    (candidate) => best.get(candidate) ?? times.get(candidate) ?? halls.get(candidate) ?? candidate,
  )
}

const isPlace = ({ slot }: Candidate): boolean => slot === 'airport' || slot === 'from' || slot === 'to'

interface Ends {
  from: Candidate | undefined
  to: Candidate | undefined
  /** A single airport that no word assigns to an end: the other end is just as possible. */
  isOpen: boolean
}

/** By the words before them, otherwise in the order of the text. */
function endsOf(chosen: readonly Candidate[], number: string | undefined, known: Known): Ends {
  const places = chosen.filter(isPlace)
  const [from, to] = [places.find(({ slot }) => slot === 'from'), places.find(({ slot }) => slot === 'to')]
  const free = places.filter(({ slot }) => slot === 'airport')
  const [only] = free
  if (only && places.length === 1) {
    const near = chosen.find((candidate) => candidate.near)?.near?.[0]
    return near?.kind === 'to' || (!near && isStart(only, number, known))
      ? { from: only, to: undefined, isOpen: true }
      : { from: undefined, to: only, isOpen: true }
  }
  return { from: from ?? free.shift(), to: to ?? free.shift(), isOpen: false }
}

/** A single airport is the departure if the number begins there or it is home; otherwise it is the destination. */
function isStart({ sets, others }: Candidate, number: string | undefined, { memory }: Known): boolean {
  const ids = [sets, ...others].map(({ fromId }) => fromId)
  const last = number === undefined ? undefined : memory.byNumber.get(number)?.last
  if (last && ids.includes(last.toId ?? -1)) return false
  if (last && ids.includes(last.fromId ?? -1)) return true
  return memory.homeId !== null && sets.fromId === memory.homeId
}

/** The pair of airports that was flown most, of all that the words may mean; otherwise the first of each. */
function likeliest(
  { from, to, isOpen }: Ends,
  number: string | undefined,
  known: Known,
): Map<Candidate, Candidate> {
  const { memory } = known
  const idsOf = (candidate: Candidate | undefined) =>
    candidate ? [candidate.sets.fromId!, ...candidate.others.map(({ fromId }) => fromId!)] : []
  const [starts, ends] = [idsOf(from), idsOf(to)]
  let [start, end, most] = [starts[0], ends[0], 0]
  for (const a of isNamed(from) ? starts : starts.slice(0, 1))
    for (const b of isNamed(to) ? ends : ends.slice(0, 1)) {
      const times = memory.byRoute.get(routeKey(a, b))?.times ?? 0
      if (times > most) [start, end, most] = [a, b, times]
    }
  const last = number === undefined ? undefined : memory.byNumber.get(number)?.last
  const placed = new Map<Candidate, Candidate>()
  if (from) {
    const isSaid = last?.fromId === start
    placed.set(from, asked(place(from, 'from', start!, starts, isOpen), isSaid, known))
  }
  if (to) {
    const isSaid = last?.toId === end
    placed.set(to, asked(place(to, 'to', end!, ends, isOpen), isSaid, known))
  }
  return placed
}

/** Smaller airports of a city are not worth a question. */
const OFFERED = 30

/**
 * Two places of one name, or the airport of another city that the person flies to: Newark for New York. It is the person's
 * choice, unless the flight number says which.
 */
function asked(candidate: Candidate, isSaid: boolean, { reference }: Known): Candidate {
  const { kind, sets, others, withoutLogId } = candidate
  const cityOf = (id: number | undefined) => reference.airports.byId.get(id ?? 0)?.city
  const isOther = withoutLogId !== undefined && cityOf(sets.fromId ?? sets.toId) !== cityOf(withoutLogId)
  if (isSaid || (!candidate.isAsked && !isOther)) return candidate
  const sizeOf = ({ fromId, toId }: LineDraft) => reference.airports.byId.get(fromId ?? toId!)?.size ?? 0
  const choices = [sets, ...others.filter((one) => sizeOf(one) >= OFFERED)].map((one) => ({
    kind,
    sets: one,
  }))
  return { ...candidate, sets: {}, others: [], turned: [], choices }
}

/** A code means one airport; the name of a city may mean any of its airports. */
const isNamed = (candidate: Candidate | undefined): boolean => candidate !== undefined && !candidate.isCode

function place(
  candidate: Candidate,
  kind: 'from' | 'to',
  id: number,
  all: readonly number[],
  isOpen: boolean,
): Candidate {
  const set = (airport: number, as: 'from' | 'to'): LineDraft =>
    as === 'from' ? { fromId: airport } : { toId: airport }
  const others = all.filter((other) => other !== id).map((other) => set(other, kind))
  const turned = isOpen
    ? [{ kind: kind === 'from' ? 'to' : 'from', sets: set(id, kind === 'from' ? 'to' : 'from') } as const]
    : []
  return { ...candidate, kind, sets: set(id, kind), others, turned }
}

/** The first time without a word is the departure, unless that is given; the second is the arrival. */
function timesOf(chosen: readonly Candidate[]): Map<Candidate, Candidate> {
  const isGiven = chosen.some(({ slot }) => slot === 'departure')
  const free = chosen.filter(({ slot }) => slot === 'time')
  const arrivals = isGiven ? free : free.slice(1)
  return new Map(
    arrivals.map((candidate) => {
      const sets = { arrival: { time: candidate.sets.departure!, dayShift: null } }
      return [candidate, { ...candidate, sets }]
    }),
  )
}

/** The second terminal and the second gate are those of the arrival. */
function hallsOf(chosen: readonly Candidate[]): Map<Candidate, Candidate> {
  const placed = new Map<Candidate, Candidate>()
  const second = (slot: 'terminal' | 'gate') => chosen.filter((candidate) => candidate.slot === slot)[1]
  const [terminal, gate] = [second('terminal'), second('gate')]
  if (terminal)
    placed.set(terminal, { ...terminal, sets: { arrivalTerminal: terminal.sets.departureTerminal! } })
  if (gate) placed.set(gate, { ...gate, sets: { arrivalGate: gate.sets.departureGate! } })
  return placed
}

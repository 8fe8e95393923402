// What the log adds to a line without being typed: never part of the draft, and always with a reason.
import type { SeatClass } from '../../enums.ts'
import { canonicalFlightNumber, parseFlightNumber } from '../../flights/number.ts'
import type { Known } from './candidate.ts'
import { routeKey, usual } from './memory.ts'
import type { LineDraft, LineFlight, Offer } from './types.ts'

export function offersFor(draft: LineDraft, known: Known): Offer[] {
  const { memory } = known
  // Offers are for a single flight.
  if (draft.viaIds) return []
  const offers: Offer[] = []
  const number = draft.flightNumber === undefined ? undefined : memory.byNumber.get(draft.flightNumber)
  const hasNoEnd = draft.fromId === undefined && draft.toId === undefined
  if (number && hasNoEnd && number.last.fromId !== null && number.last.toId !== null) {
    const { fromId, toId, date } = number.last
    offers.push({
      kind: 'route',
      sets: { fromId, toId },
      because: { kind: 'number', date, times: number.times },
      isNeeded: true,
    })
  }
  if (draft.fromId === undefined && draft.toId !== undefined) offers.push(...origin(draft, memory))
  const [fromId, toId] = [draft.fromId ?? offers[0]?.sets.fromId, draft.toId ?? offers[0]?.sets.toId]
  const route =
    fromId === undefined || toId === undefined ? undefined : memory.byRoute.get(routeKey(fromId, toId))
  const fits = fitsTyped(draft, known)
  if (draft.flightNumber === undefined && route) offers.push(...usualNumber(route, fits))
  const like = number ?? route
  if (like) offers.push(...usualTimes(draft, like, number ? 'number' : 'route', fits))
  offers.push(...usualSeat(draft, [number, route, memory.all ?? undefined]))
  return offers
}

type Habit = NonNullable<Known['memory']['all']>

/** Home; for a flight home, where the person was last. */
function origin({ date, toId }: LineDraft, { homeId, all }: Known['memory']): Offer[] {
  const last = all?.flights.findLast((flight) => date === undefined || flight.date <= date)
  const isHome = homeId === toId
  const fromId = isHome ? (last?.toId ?? null) : homeId
  if (fromId === null || fromId === toId) return []
  const because = isHome
    ? ({ kind: 'last', date: last!.date, times: 0 } as const)
    : ({ kind: 'home', date: null, times: 0 } as const)
  return [{ kind: 'from', sets: { fromId }, because, isNeeded: false }]
}

type Fits = (flight: Pick<LineFlight, 'airlineId' | 'flightNumber'>) => boolean

/** Whether a flight of the log is of the typed airline, and has the typed number. */
function fitsTyped({ airlineId, flightNumber: typed }: LineDraft, { reference }: Known): Fits {
  const airline = airlineId === undefined ? undefined : reference.airlines.byId.get(airlineId)
  return (flight) => {
    const number = flight.flightNumber === null ? null : canonicalFlightNumber(flight.flightNumber)
    if (typed !== undefined) return number === typed
    const code = parseFlightNumber(number ?? '')?.airlineCode
    if (!airline || flight.airlineId === airline.id) return true
    return flight.airlineId === null && (code === airline.iata || code === airline.icao)
  }
}

/** What happened once is not usual. */
export const isUsual = ({ times }: Offer['because']): boolean => times > 1

function usualNumber({ flights }: Habit, fits: Fits): Offer[] {
  const numbered = flights.filter((flight) => flight.flightNumber !== null && fits(flight))
  const counts = Map.groupBy(numbered, ({ flightNumber }) => canonicalFlightNumber(flightNumber!))
  const most = usual(new Map([...counts].map(([number, all]) => [number, all.length])))
  const last = (most === null ? numbered : counts.get(most)!).at(-1)
  if (!last) return []
  const flightNumber = canonicalFlightNumber(last.flightNumber!)
  const because = { kind: 'route', date: last.date, times: counts.get(flightNumber)!.length } as const
  const sets = { flightNumber, ...(last.airlineId === null ? {} : { airlineId: last.airlineId }) }
  return [{ kind: 'number', sets, because, isNeeded: false }]
}

function usualTimes(
  draft: LineDraft,
  { flights, times }: Habit,
  kind: 'number' | 'route',
  fits: Fits,
): Offer[] {
  // Without a day, a time is meaningless.
  if (draft.departure !== undefined || draft.arrival !== undefined || draft.datePrecision) return []
  const timed = flights.findLast(
    (flight) => flight.departure !== null && flight.arrival !== null && fits(flight),
  )
  if (!timed) return []
  const { departure, arrival, dayShift, date } = timed
  const sets = { departure: departure!, arrival: { time: arrival!, dayShift } }
  return [{ kind: 'times', sets, because: { kind, date, times }, isNeeded: false }]
}

/** The usual seat for this number, otherwise for this route, otherwise for all flights. */
function usualSeat(draft: LineDraft, habits: readonly (Habit | undefined)[]): Offer[] {
  const found = (counts: (habit: Habit) => Map<string, number>) => {
    for (const habit of habits) {
      const value = habit && usual(counts(habit))
      if (value) return { value, times: counts(habit).get(value)! }
    }
    return undefined
  }
  const seat = draft.seatNumber === undefined ? found(({ seats }) => seats) : undefined
  const seatClass = draft.seatClass === undefined ? found(({ classes }) => classes) : undefined
  const because = (times: number) => ({ kind: 'usual', date: null, times }) as const
  return [
    ...(seat
      ? [
          {
            kind: 'seatNumber',
            sets: { seatNumber: seat.value },
            because: because(seat.times),
            isNeeded: false,
          } as const,
        ]
      : []),
    ...(seatClass
      ? [
          {
            kind: 'seatClass',
            sets: { seatClass: seatClass.value as SeatClass },
            because: because(seatClass.times),
            isNeeded: false,
          } as const,
        ]
      : []),
  ]
}

/** The draft with the accepted offers. */
export const withOffers = (draft: LineDraft, offers: readonly Offer[]): LineDraft =>
  Object.assign({}, ...offers.map(({ sets }) => sets).toReversed(), draft)

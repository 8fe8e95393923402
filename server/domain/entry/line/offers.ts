// What the log adds to a line without being typed: never part of the draft, and always with a reason.
import type { SeatClass } from '../../enums.ts'
import type { Known } from './candidate.ts'
import { routeKey, usual } from './memory.ts'
import type { LineDraft, Offer } from './types.ts'

export function offersFor(draft: LineDraft, { memory }: Known): Offer[] {
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
  if (draft.fromId === undefined && draft.toId !== undefined) offers.push(...home(memory.homeId, draft.toId))
  const [fromId, toId] = [draft.fromId ?? offers[0]?.sets.fromId, draft.toId ?? offers[0]?.sets.toId]
  const route =
    fromId === undefined || toId === undefined ? undefined : memory.byRoute.get(routeKey(fromId, toId))
  if (draft.flightNumber === undefined && route) offers.push(...usualNumber(route))
  const like = number ?? route
  if (like) offers.push(...usualTimes(draft, like, number ? 'number' : 'route'))
  offers.push(...usualSeat(draft, [number, route, memory.all ?? undefined]))
  return offers
}

type Habit = NonNullable<Known['memory']['all']>

const home = (homeId: number | null, toId: number): Offer[] =>
  homeId === null || homeId === toId
    ? []
    : [
        {
          kind: 'from',
          sets: { fromId: homeId },
          because: { kind: 'home', date: null, times: 0 },
          isNeeded: false,
        },
      ]

function usualNumber({ numbers, last, times }: Habit): Offer[] {
  const flightNumber = usual(numbers) ?? last.flightNumber
  if (!flightNumber) return []
  const because = { kind: 'route', date: last.date, times } as const
  const sets = { flightNumber, ...(last.airlineId === null ? {} : { airlineId: last.airlineId }) }
  return [{ kind: 'number', sets, because, isNeeded: false }]
}

function usualTimes(draft: LineDraft, { timed, times }: Habit, kind: 'number' | 'route'): Offer[] {
  // Without a day, a time is meaningless.
  if (!timed || draft.departure !== undefined || draft.arrival !== undefined || draft.datePrecision) return []
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

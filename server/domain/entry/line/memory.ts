// What a person's own log suggests for the next line: their routes, numbers, seats and companions. Built once per log, so that
// a line is read as fast with thousands of flights as with ten.
import { canonicalFlightNumber } from '../../flights/number.ts'
import { indexByName } from '../../people/names.ts'
import type { LineFlight, LinePerson } from './types.ts'

/** Flights that share a property, the newest last. */
interface Habit {
  times: number
  last: LineFlight
  flights: LineFlight[]
  seats: Map<string, number>
  classes: Map<string, number>
}

export interface LineMemory {
  byNumber: ReadonlyMap<string, Habit>
  /** By `routeKey`. */
  byRoute: ReadonlyMap<string, Habit>
  all: Habit | null
  /** How often each airport was flown from or to. */
  airports: ReadonlyMap<number, number>
  aircraft: ReadonlyMap<number, number>
  homeId: number | null
  /** By folded full name, user name and first name; a first name may have several people. */
  people: ReadonlyMap<string, readonly LinePerson[]>
}

export const routeKey = (fromId: number, toId: number): string => `${fromId}-${toId}`

export function rememberLog(
  flights: readonly LineFlight[],
  people: readonly LinePerson[],
  homeId: number | null,
): LineMemory {
  const byNumber = new Map<string, Habit>()
  const byRoute = new Map<string, Habit>()
  const whole = new Map<string, Habit>()
  const airports = new Map<number, number>()
  const aircraft = new Map<number, number>()
  for (const flight of flights.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))) {
    const { fromId, toId, flightNumber, aircraftId } = flight
    addTo(whole, '', flight)
    if (flightNumber !== null) addTo(byNumber, canonicalFlightNumber(flightNumber), flight)
    if (fromId !== null && toId !== null) addTo(byRoute, routeKey(fromId, toId), flight)
    for (const id of [fromId, toId]) if (id !== null) count(airports, id)
    if (aircraftId !== null) count(aircraft, aircraftId)
  }
  return {
    byNumber,
    byRoute,
    all: whole.get('') ?? null,
    airports,
    aircraft,
    homeId,
    people: byNames(people),
  }
}

const count = <Key>(counts: Map<Key, number>, key: Key): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function addTo(habits: Map<string, Habit>, key: string, flight: LineFlight): void {
  let habit = habits.get(key)
  if (!habit) {
    habit = { times: 0, last: flight, flights: [], seats: new Map(), classes: new Map() }
    habits.set(key, habit)
  }
  habit.times++
  habit.last = flight
  habit.flights.push(flight)
  if (flight.seatNumber !== null) count(habit.seats, flight.seatNumber)
  if (flight.seatClass !== null) count(habit.classes, flight.seatClass)
}

const byNames = (people: readonly LinePerson[]): Map<string, LinePerson[]> =>
  new Map([...indexByName(people)].map(([name, meant]) => [name, meant.map(({ person }) => person)]))

/** The most frequent value, if it occurs at least three times and in most flights. */
export function usual(counts: ReadonlyMap<string, number>): string | null {
  const [best] = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0)
  return best && best[1] >= 3 && best[1] * 2 > all ? best[0] : null
}

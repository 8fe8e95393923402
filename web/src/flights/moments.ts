/** Local times ↔ instants, always by the server's zone rules; answers are kept, they never change. */

import { localTime } from '../api/flights.ts'
import type { LocalTime } from '../api/types.ts'
import { addDays } from './dates.ts'

const answers = new Map<string, Promise<LocalTime>>()

/** What a clock at that airport showing `local` (`YYYY-MM-DDTHH:MM`) means. */
export function resolveLocal(airportId: number, local: string): Promise<LocalTime> {
  const key = `${airportId} ${local}`
  const known = answers.get(key)
  if (known) return known
  const answer = localTime(airportId, local)
  answers.set(key, answer)
  answer.catch(() => answers.delete(key))
  return answer
}

const minute = 60_000
const wall = (instant: number, offsetMinutes: number): string =>
  new Date(instant + offsetMinutes * minute).toISOString().slice(0, 16)

export interface AtAirport {
  /** `YYYY-MM-DDTHH:MM` on the airport's clocks. */
  local: string
  offsetMinutes: number
}

/** The airport's wall clock at an instant. Its offset is asked for near the instant, then once more if a clock change lies between. */
export async function localAt(airportId: number, iso: string): Promise<AtAirport> {
  const instant = Date.parse(iso)
  const asWritten = iso.slice(0, 16)
  const guess = await resolveLocal(airportId, asWritten)
  const first = wall(instant, guess.offsetMinutes)
  const check = await resolveLocal(airportId, first)
  const exact = Math.floor(Date.parse(check.instant) / minute) === Math.floor(instant / minute)
  const offsetMinutes = exact || check.ambiguous ? guess.offsetMinutes : check.offsetMinutes
  return { local: wall(instant, offsetMinutes), offsetMinutes }
}

/** The date of an arrival when only its time was typed: the one whose flight time is closest to the expected. */
export async function guessArrivalDate(
  departure: { airportId: number; local: string },
  arrival: { airportId: number; time: string },
  expectedSeconds: number,
): Promise<string> {
  const day = departure.local.slice(0, 10)
  const [start, end] = await Promise.all([
    resolveLocal(departure.airportId, departure.local),
    resolveLocal(arrival.airportId, `${day}T${arrival.time}`),
  ])
  const sameDay = (Date.parse(end.instant) - Date.parse(start.instant)) / 1000
  const shifts = [-1, 0, 1, 2].filter((shift) => sameDay + shift * 86_400 > 0)
  const off = (shift: number) => Math.abs(sameDay + shift * 86_400 - expectedSeconds)
  const best = shifts.sort((a, b) => off(a) - off(b))[0] ?? 0
  return addDays(day, best)
}

/** Local times ↔ instants, always by the server's time zone rules. Responses are cached because they never change. */

import { localTime } from '../api/flights.ts'
import type { LocalTime } from '../api/types.ts'
import { addDays } from './dates.ts'

const readings = new Map<string, Promise<LocalTime>>()

/** Resolves the local time `local` (`YYYY-MM-DDTHH:MM`) at that airport. */
export function resolveLocal(airportId: number, local: string): Promise<LocalTime> {
  const key = `${airportId} ${local}`
  const known = readings.get(key)
  if (known) return known
  const reading = localTime(airportId, local)
  readings.set(key, reading)
  reading.catch(() => readings.delete(key))
  return reading
}

const minute = 60_000
const day = 24 * 60 * minute
const wall = (instant: number, offsetMinutes: number): string =>
  new Date(instant + offsetMinutes * minute).toISOString().slice(0, 16)

export interface AtAirport {
  /** `YYYY-MM-DDTHH:MM` on the airport's clocks. */
  local: string
  offsetMinutes: number
}

/** Local time at the airport at an instant. */
export async function localAt(airportId: number, iso: string): Promise<AtAirport> {
  const instant = Date.parse(iso)
  const offsetMinutes = await offsetAt(airportId, instant, iso.slice(0, 16))
  return { local: wall(instant, offsetMinutes), offsetMinutes }
}

/** The server returns offsets for local times only, so a local time near the instant is tried, and corrected at clock changes. */
async function offsetAt(airportId: number, instant: number, nearby: string): Promise<number> {
  const { offsetMinutes: tried } = await resolveLocal(airportId, nearby)
  const reading = await resolveLocal(airportId, wall(instant, tried))
  const isExact = Math.floor(Date.parse(reading.instant) / minute) === Math.floor(instant / minute)
  if (isExact) return reading.offsetMinutes
  // In an hour that occurs twice, the server returns the first and the instant is in the second.
  if (reading.ambiguous) return tried
  // In a skipped hour, the instant is before the change.
  if (reading.shifted) return (await resolveLocal(airportId, wall(instant - day, tried))).offsetMinutes
  return reading.offsetMinutes
}

/** The date of an arrival when only its time was typed: the one whose flight time is closest to the expected. */
export async function guessArrivalDate(
  departure: { airportId: number; local: string },
  arrival: { airportId: number; time: string },
  expectedSeconds: number,
): Promise<string> {
  const departureDay = departure.local.slice(0, 10)
  const [start, end] = await Promise.all([
    resolveLocal(departure.airportId, departure.local),
    resolveLocal(arrival.airportId, `${departureDay}T${arrival.time}`),
  ])
  const sameDay = (Date.parse(end.instant) - Date.parse(start.instant)) / 1000
  const shifts = [-1, 0, 1, 2].filter((shift) => sameDay + shift * 86_400 > 0)
  const off = (shift: number) => Math.abs(sameDay + shift * 86_400 - expectedSeconds)
  const best = shifts.sort((a, b) => off(a) - off(b))[0] ?? 0
  return addDays(departureDay, best)
}

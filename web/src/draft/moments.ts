/**
 * Local times ↔ instants, by the server's time zone rules, or by those shipped with the app while the server cannot be reached.
 * Responses are cached because they never change.
 */

import { DAY, MINUTE } from '../../../server/domain/time/durations.ts'
import { ApiError } from '../api/client.ts'
import { localTime } from '../api/flights.ts'
import type { LocalTime } from '../api/types.ts'
import { addDays } from './dates.ts'

const readings = new Map<string, Promise<LocalTime>>()

/** Resolves the local time `local` (`YYYY-MM-DDTHH:MM`) at that airport. `zone` is used offline. */
export function resolveLocal(airportId: number, local: string, zone?: string): Promise<LocalTime> {
  const key = `${airportId} ${local}`
  const known = readings.get(key)
  const reading = known ?? localTime(airportId, local)
  if (!known) {
    readings.set(key, reading)
    reading.catch(() => readings.delete(key))
  }
  return zone === undefined ? reading : reading.catch((error: unknown) => resolveHere(error, local, zone))
}

export type Resolve = typeof resolveLocal

async function resolveHere(error: unknown, local: string, zone: string): Promise<LocalTime> {
  if (!(error instanceof ApiError && error.offline)) throw error
  // Without a service worker the rules may not be available here.
  const rules = await import('./zones.ts').catch(() => null)
  if (!rules) throw error
  return rules.readHere(local, zone)
}

const wall = (instant: number, offsetMinutes: number): string =>
  new Date(instant + offsetMinutes * MINUTE).toISOString().slice(0, 16)

export interface AtAirport {
  /** `YYYY-MM-DDTHH:MM` on the airport's clocks. */
  local: string
  offsetMinutes: number
}

/** Local time at the airport at an instant. `zone` is used offline. */
export async function localAt(airportId: number, iso: string, zone?: string): Promise<AtAirport> {
  const instant = Date.parse(iso)
  const offsetMinutes = await offsetAt(
    (local) => resolveLocal(airportId, local, zone),
    instant,
    iso.slice(0, 16),
  )
  return { local: wall(instant, offsetMinutes), offsetMinutes }
}

/** The server returns offsets for local times, so a local time near the instant is tried and corrected at clock changes. */
async function offsetAt(
  resolve: (local: string) => Promise<LocalTime>,
  instant: number,
  nearby: string,
): Promise<number> {
  const { offsetMinutes: tried } = await resolve(nearby)
  const reading = await resolve(wall(instant, tried))
  const isExact = Math.floor(Date.parse(reading.instant) / MINUTE) === Math.floor(instant / MINUTE)
  if (isExact) return reading.offsetMinutes
  // In an hour that occurs twice, the server returns the first and the instant is in the second.
  if (reading.ambiguous) return tried
  // In a skipped hour, the instant is before the change.
  if (reading.shifted) return (await resolve(wall(instant - DAY, tried))).offsetMinutes
  return reading.offsetMinutes
}

/** The arrival date if only a time was typed: the one whose flight time is closest to the expected one. */
export async function guessArrivalDate(
  departure: { airportId: number; local: string; zone?: string },
  arrival: { airportId: number; time: string; zone?: string },
  expectedSeconds: number,
  resolve: Resolve = resolveLocal,
): Promise<string> {
  const departureDay = departure.local.slice(0, 10)
  const [start, end] = await Promise.all([
    resolve(departure.airportId, departure.local, departure.zone),
    resolve(arrival.airportId, `${departureDay}T${arrival.time}`, arrival.zone),
  ])
  const sameDay = (Date.parse(end.instant) - Date.parse(start.instant)) / 1000
  const shifts = [-1, 0, 1, 2].filter((shift) => sameDay + shift * 86_400 > 0)
  const off = (shift: number) => Math.abs(sameDay + shift * 86_400 - expectedSeconds)
  const best = shifts.sort((a, b) => off(a) - off(b))[0] ?? 0
  return addDays(departureDay, best)
}

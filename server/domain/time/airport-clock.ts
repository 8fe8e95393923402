// The local time at an airport.
import { daysBetween, instantOf, localMinute, offsetMinutes } from './time.ts'

interface Clock {
  time: string | null
  local: string | null
  offset: number | null
  /** Days from this clock's local date to the other's. */
  daysUntil(other: Clock): number | null
}

/** A time with the local clock at its airport, if both are known. */
export function clockAt(time: string | null, zone: string | null): Clock {
  const known = time !== null && zone !== null
  const instant = known ? instantOf(time) : 0
  const local = known ? localMinute(instant, zone) : null
  return {
    time,
    local,
    offset: known ? offsetMinutes(instant, zone) : null,
    daysUntil: (other) =>
      local && other.local ? daysBetween(local.slice(0, 10), other.local.slice(0, 10)) : null,
  }
}

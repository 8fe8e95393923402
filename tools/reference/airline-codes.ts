// Which airline a code meant at which time. A code is described only if it has meant more than one airline, if its holder
// has ended, or if we are certain of the year in which its holder began.
import type { Period } from './airports.ts'

export interface Holder {
  id: number
  icao: string | null
  iata: string | null
  active: boolean
  from: string | null
  to: string | null
  /** Rank in our table of past airlines; 1 is known to everyone. */
  rank: number | null
  /** The years come from our own tables. */
  certain: boolean
  obscure: boolean
}

/** Days; null is unlimited. */
interface Claim {
  code: string
  id: number
  from: string | null
  to: string | null
}

const EARLIEST = '0000-01-01'
const LATEST = '9999-12-31'
/** Assumed time between an airline's end and the next holder of its code, if the start of that one is unknown. */
const REST_DAYS = 366

/** Codes in `explicit` are described by it alone; for others each airline claims its years, the more certain ones first. */
export function codePeriodsOf(holders: Holder[], explicit: Claim[]): Map<number, Period[]> {
  const settled = new Set(explicit.map((claim) => claim.code))
  const claims = holders
    .toSorted((a, b) => priority(a) - priority(b) || a.id - b.id)
    .flatMap(claimsOf)
    .filter((claim) => !settled.has(claim.code))
  const granted = [...Map.groupBy(claims, (claim) => claim.code).values()].flatMap(grant)
  const periods = Map.groupBy([...explicit, ...granted], (claim) => claim.id)
  return new Map([...periods].map(([id, list]) => [id, list.map(periodOf).sort(byCodeThenDay)]))
}

const periodOf = ({ code, from, to }: Claim): Period => [code, from, to]

const byCodeThenDay = (a: Period, b: Period) =>
  (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) || ((a[1] ?? EARLIEST) < (b[1] ?? EARLIEST) ? -1 : 1)

/** Our own tables first; of two airlines known to OpenTravelData alone, the present one. */
function priority({ rank, certain, active, from }: Holder): number {
  if (rank !== null) return rank
  if (certain) return active ? 6 : 5
  if (!active) return 8
  return from === null ? 9 : 7
}

interface Wish extends Claim {
  active: boolean
  certain: boolean
}

function claimsOf(holder: Holder): Wish[] {
  if (holder.obscure || (!holder.active && holder.to === null)) return []
  return [holder.iata, holder.icao]
    .filter((code) => code !== null)
    .map((code) => ({
      code,
      id: holder.id,
      from: holder.from && firstDay(holder.from),
      to: holder.to && lastDay(holder.to),
      active: holder.active,
      certain: holder.certain,
    }))
}

const firstDay = (date: string) => (date.length === 4 ? `${date}-01-01` : date)
const lastDay = (date: string) => (date.length === 4 ? `${date}-12-31` : date)

/** A present holder alone needs no period unless its beginning is certain. */
function grant(wishes: Wish[]): Claim[] {
  if (wishes.every((wish) => wish.active && (!wish.certain || wish.from === null))) return []
  const accepted: Wish[] = []
  for (const wish of wishes) {
    const left = accepted.reduce<Wish | null>((rest, other) => rest && without(rest, other), wish)
    if (left) accepted.push(left)
  }
  return accepted
}

/** The rest of a claim next to an accepted one: the part after it for a present holder, else the larger end. */
function without(claim: Wish, other: Claim): Wish | null {
  const [from, to] = [claim.from ?? EARLIEST, claim.to ?? LATEST]
  const [otherFrom, otherTo] = [other.from ?? EARLIEST, other.to ?? LATEST]
  if (to < otherFrom || from > otherTo) return claim
  // Its start is unknown.
  if (claim.from === null && !claim.active && !claim.certain) return null
  if (from < otherFrom && !claim.active) return { ...claim, to: dayBeside(otherFrom, -1) }
  if (otherTo >= to) return null
  // Codes are unused for a while before they are assigned again; for this one the length is unknown.
  return { ...claim, from: dayBeside(otherTo, claim.from === null ? REST_DAYS : 1) }
}

function dayBeside(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

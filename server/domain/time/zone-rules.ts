// The UTC offsets of every time zone, read from zone-rules.json: tzdata with each zone's own history before 1970.
// tools/reference/zone-rules.ts generates the file and describes its format.

import { DAY, SECOND } from './durations.ts'
import table from './zone-rules.json' with { type: 'json' }

/** After 400 years the calendar repeats, weekdays included. */
const CYCLE = 146_097 * DAY

interface Offsets {
  /** Instants at which the offset changes, ascending. */
  changes: number[]
  /** Milliseconds east of Greenwich: before the first change, and from each change on. */
  offsets: number[]
  /** The last 400 years of changes repeat indefinitely. */
  repeats: boolean
}

export const tzdataVersion = table.version

const packedZones = new Map(table.zones.map((line) => [line.slice(0, line.indexOf('|')), line]))
const links = new Map(table.links.map((line) => line.split(' ') as [string, string]))
const unpacked = new Map<string, Offsets>()

/** All zone names, including former and alternative ones. */
export const listZoneNames = (): string[] => [...packedZones.keys(), ...links.keys()]

/** The zone's offset at this instant, in milliseconds east of Greenwich. */
export function offsetAt(instant: number, zone: string): number {
  const { changes, offsets, repeats } = offsetsOf(zone)
  const last = changes.at(-1) ?? 0
  const cycles = repeats && instant >= last ? Math.floor((instant - last) / CYCLE) + 1 : 0
  return offsets[countUpTo(changes, instant - cycles * CYCLE)]!
}

/** An offset of a zone, and the previous one. */
export interface OffsetChange {
  /** The instant from which it applies; -Infinity if the zone had no earlier offset. */
  since: number
  before: number
  after: number
}

/** The zone's offset at `from`, then every change up to `to`. */
export function offsetHistory(from: number, to: number, zone: string): OffsetChange[] {
  const { changes, offsets, repeats } = offsetsOf(zone)
  const last = changes.at(-1) ?? 0
  let shift = repeats && from >= last ? (Math.floor((from - last) / CYCLE) + 1) * CYCLE : 0
  const inForce = countUpTo(changes, from - shift)
  const history: OffsetChange[] = [
    {
      since: inForce === 0 ? Number.NEGATIVE_INFINITY : changes[inForce - 1]! + shift,
      before: offsets[Math.max(0, inForce - 1)]!,
      after: offsets[inForce]!,
    },
  ]
  for (let start = from; ; start = last + shift, shift += CYCLE) {
    for (let i = countUpTo(changes, start - shift); i < changes.length && changes[i]! + shift <= to; i++)
      history.push({ since: changes[i]! + shift, before: offsets[i]!, after: offsets[i + 1]! })
    if (!repeats || last + shift >= to) return history
  }
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! <= limit) low = middle + 1
    else high = middle
  }
  return low
}

function offsetsOf(zone: string): Offsets {
  const name = links.get(zone) ?? zone
  let found = unpacked.get(name)
  if (!found) {
    const line = packedZones.get(name)
    if (!line) throw new RangeError(`unknown time zone: ${zone}`)
    found = unpack(line)
    unpacked.set(name, found)
  }
  return found
}

function unpack(line: string): Offsets {
  const [, kinds = '', which = '', gaps = '', yearly = ''] = line.split('|')
  const known = kinds.split(' ').map((offset) => Number(offset) * SECOND)
  const offsets = [...which].map((digit) => known[Number.parseInt(digit, 36)]!)
  let change = 0
  const changes = gaps.split(' ').flatMap((gap) => {
    if (gap === '') return []
    change += Number.parseInt(gap, 36) * SECOND
    return change
  })
  if (yearly) appendYearly(yearly.split(' ').map(Number), changes, offsets)
  return { changes, offsets, repeats: yearly !== '' }
}

/** Appends the two changes of every year for a whole cycle. The last change is the second one of its year. */
function appendYearly(yearly: number[], changes: number[], offsets: number[]): void {
  const known = new Date(changes.at(-1)!).getUTCFullYear()
  // In order of month.
  const both = [yearly.slice(0, 5), yearly.slice(5)].sort((a, b) => a[0]! - b[0]!)
  for (let year = known + 1; year <= known + 400; year++) {
    for (const [month, day, weekday, seconds, offset] of both) {
      const earliest = Date.UTC(year, month! - 1, day!)
      const wait = (weekday! - weekdayOf(earliest) + 7) % 7
      changes.push(earliest + wait * DAY + seconds! * SECOND)
      offsets.push(offset! * SECOND)
    }
  }
}

/** Sunday is 0; 1970 began on a Thursday. */
const weekdayOf = (midnight: number) => (midnight / DAY + 4) % 7

/** Altitude and ground speed of a recorded track, for charts. */

import { kmPerUnit, type Preferences } from '../../../../server/domain/people/preferences.ts'
import type { Track } from '../../api/types.ts'

export interface Series {
  kind: 'altitude' | 'speed'
  unit: string
  /** Shares of the recorded time, otherwise of the number of points. */
  points: { share: number; value: number }[]
  most: number
}

const METRES_PER_FOOT = 0.3048
const KM_PER_NAUTICAL_MILE = kmPerUnit.nm
const MOST_POINTS = 240

type Unit = Preferences['distanceUnit']
const speedUnits: Record<Unit, string> = { km: 'km/h', mi: 'mph', nm: 'kt' }

function sharesOf({ times, coordinates }: Track): (index: number) => number {
  const last = coordinates.length - 1
  const [from, to] = [times?.[0] ?? 0, times?.at(-1) ?? 0]
  return (index) => (times && to > from ? (times[index]! - from) / (to - from) : index / last)
}

/** Thinned, but keeps the highest point. */
function seriesOf(
  kind: Series['kind'],
  unit: string,
  values: readonly number[],
  share: (index: number) => number,
): Series {
  const most = Math.max(...values)
  const every = Math.ceil(values.length / MOST_POINTS)
  const points = values
    .map((value, index) => ({ share: share(index), value }))
    .filter(({ value }, i) => i % every === 0 || i === values.length - 1 || value === most)
  return { kind, unit, points, most }
}

/** Only values that were recorded at every point. */
export function profileOf(track: Track, unit: Unit): Series[] {
  const share = sharesOf(track)
  const altitudes = track.coordinates.flatMap(([, , metres]) => (metres === undefined ? [] : [metres]))
  const speeds = track.groundSpeedKt ?? []
  const found: Series[] = []
  if (altitudes.length === track.coordinates.length && altitudes.some((metres) => metres > 0)) {
    const inUnit = altitudes.map((metres) => Math.max(0, unit === 'km' ? metres : metres / METRES_PER_FOOT))
    found.push(seriesOf('altitude', unit === 'km' ? 'm' : 'ft', inUnit, share))
  }
  if (speeds.length === track.coordinates.length && speeds.some((knots) => knots > 0)) {
    const inUnit = speeds.map((knots) => (knots * KM_PER_NAUTICAL_MILE) / kmPerUnit[unit])
    found.push(seriesOf('speed', speedUnits[unit], inUnit, share))
  }
  return found
}

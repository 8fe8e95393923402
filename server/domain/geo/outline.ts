// The path of a recorded track without its times. The points are equidistant, so that they reveal neither speed nor duration,
// and in the same order for both directions.
import { type Position, sphericalMetres } from './geo.ts'

type LonLat = [longitude: number, latitude: number]

const CLOSEST_METRES = 1000
/** Three decimals are about a hundred metres. */
const rounded = (degrees: number) => Math.round(degrees * 1000) / 1000

/** At most `mostPoints` points, including the first and the last. */
export function outlineOf(recorded: readonly (readonly number[])[], mostPoints: number): LonLat[] {
  const points = inOneDirection(recorded.map(([lon, lat]): LonLat => [lon!, lat!]))
  const reached = distancesAlong(points)
  const length = reached.at(-1) ?? 0
  const legs = Math.max(1, Math.min(mostPoints - 1, Math.ceil(length / CLOSEST_METRES)))
  const outline: LonLat[] = []
  let next = 1
  for (let i = 0; i <= legs; i++) {
    const wanted = (length * i) / legs
    while (next < points.length - 1 && reached[next]! < wanted) next++
    const [start, end] = [reached[next - 1]!, reached[next]!]
    const share = end > start ? Math.min(1, (wanted - start) / (end - start)) : 0
    const [lon, lat] = between(points[next - 1]!, points[next]!, share)
    outline.push([rounded(lon), rounded(lat)])
  }
  return outline
}

/** Returns the same line for both directions. */
function inOneDirection(points: LonLat[]): LonLat[] {
  const back = points.toReversed()
  return JSON.stringify(points) <= JSON.stringify(back) ? points : back
}

const positionOf = ([longitude, latitude]: LonLat): Position => ({ latitude, longitude })

function distancesAlong(points: readonly LonLat[]): number[] {
  const reached = [0]
  for (let i = 1; i < points.length; i++)
    reached.push(reached[i - 1]! + sphericalMetres(positionOf(points[i - 1]!), positionOf(points[i]!)))
  return reached
}

type Vector = [number, number, number]
const RAD = Math.PI / 180

const vectorOf = ([lon, lat]: LonLat): Vector => [
  Math.cos(lat * RAD) * Math.cos(lon * RAD),
  Math.cos(lat * RAD) * Math.sin(lon * RAD),
  Math.sin(lat * RAD),
]

/** On the great circle, so that crossing the date line makes no difference. */
function between(from: LonLat, to: LonLat, share: number): LonLat {
  if (share === 0) return from
  if (share === 1) return to
  const [a, b] = [vectorOf(from), vectorOf(to)]
  const angle = Math.acos(Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])))
  if (angle < 1e-9) return from
  const [p, q] = [Math.sin((1 - share) * angle), Math.sin(share * angle)]
  const [x, y, z] = [p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]]
  return [Math.atan2(y, x) / RAD, Math.atan2(z, Math.hypot(x, y)) / RAD]
}

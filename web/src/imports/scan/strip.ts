/** From where a strip of globe is seen, and the lifted arcs on it: pure geometry. */

import { angleBetween, RAD, type Vector, vectorOf } from '../../../../server/domain/geo/sphere.ts'

export interface View {
  longitude: number
  latitude: number
  radius: number
  /** Middle of the globe on the screen. */
  x: number
  y: number
}

/** Places stand between these lines: below them begins the heading. */
const HIGHEST = 56
const LOWEST = 158
/** The camera stands this far south of the routes, so that their arcs bow. */
const TILT = 27

/** Places must be at least one. */
export function viewOf(places: readonly Vector[], width: number): View {
  const middle = middleOf(places)
  const reach = Math.max(...places.map((place) => angleBetween(place, middle)), 0.02)
  const whole = width * 0.53
  // Half the width without room for the names at both ends; the whole globe where the routes are long.
  const fitting = ((width / 2 - 70) * 0.86) / Math.sin(Math.min(reach, Math.PI / 2))
  const wanted = Math.min(2600, Math.max(whole, fitting))
  // Close up, a tilt would push the places out of sight.
  const tilt = Math.min(TILT, Math.asin(Math.min(1, 100 / wanted)) / RAD)
  const view: View = {
    longitude: Math.atan2(middle[1], middle[0]) / RAD,
    latitude: Math.max(-80, Math.min(80, Math.asin(middle[2]) / RAD - tilt)),
    radius: 1,
    x: width / 2,
    y: 0,
  }
  const look = lookFrom(view)
  const ups = places.map((place) => look(place)[1])
  const [top, bottom] = [Math.max(...ups), Math.min(...ups)]
  const radius = Math.min(wanted, (LOWEST - HIGHEST) / Math.max(1e-6, top - bottom))
  const y = (HIGHEST + LOWEST) / 2 + ((top + bottom) / 2) * radius
  return { ...view, radius, y }
}

function middleOf(places: readonly Vector[]): Vector {
  const sum = places.reduce<[number, number, number]>(
    (s, v) => [s[0] + v[0], s[1] + v[1], s[2] + v[2]],
    [0, 0, 0],
  )
  const length = Math.hypot(...sum)
  return length < 1e-6 ? places[0]! : [sum[0] / length, sum[1] / length, sum[2] / length]
}

const smooth = (x: number): number => {
  const t = Math.max(0, Math.min(1, x))
  return t * t * (3 - 2 * t)
}

const STEPS = 64

/** The way between two places as a path, lifted over the ground; what is behind the globe is left out. */
export function arcOf(from: Vector, to: Vector, view: View): string {
  const angle = angleBetween(from, to)
  if (angle < 1e-6) return ''
  const height = Math.min(0.3, 0.012 + 0.085 * angle ** 1.15)
  const look = lookFrom(view)
  let path = ''
  let isDrawing = false
  for (let i = 0; i <= STEPS; i++) {
    const share = i / STEPS
    const [x, y, depth] = look(between(from, to, angle, share))
    if (depth < 0) {
      isDrawing = false
      continue
    }
    // Towards the rim the arc lies down, so that it never hooks over the edge.
    const lift = 1 + height * Math.sin(Math.PI * share) ** 0.85 * smooth(depth / 0.72)
    const point = `${(view.x + x * view.radius * lift).toFixed(1)},${(view.y - y * view.radius * lift).toFixed(1)}`
    path += `${isDrawing ? 'L' : 'M'}${point}`
    isDrawing = true
  }
  return path
}

/** The point at a share of the great circle. */
function between(from: Vector, to: Vector, angle: number, share: number): Vector {
  // At opposite points every way is as short; any will do.
  const sine = Math.sin(angle) || 1e-9
  const [a, b] = [Math.sin((1 - share) * angle) / sine, Math.sin(share * angle) / sine]
  return [from[0] * a + to[0] * b, from[1] * a + to[1] * b, from[2] * a + to[2] * b]
}

/** Right, up and towards the eye. */
function lookFrom({ longitude, latitude }: View): (v: Vector) => [number, number, number] {
  const eye = vectorOf(longitude, latitude)
  const right = vectorOf(longitude + 90, 0)
  const up = vectorOf(longitude, latitude + 90)
  const along = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
  return (v) => [along(v, right), along(v, up), along(v, eye)]
}

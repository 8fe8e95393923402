// Flights as GeoJSON (RFC 7946): a great circle between the airports, or the recorded track, cut at the antimeridian.
import type { Feature, Geometry } from 'geojson'
import type { DatePrecision } from '../enums.ts'
import { effectiveArrival, effectiveDeparture, type FlightTimes } from '../flights/best-times.ts'
import { angleBetween, RAD, type Vector, vectorOf } from '../geo/sphere.ts'

type Point = readonly number[]

interface Place {
  iata: string | null
  icao: string
  name: string
  country: string | null
  latitude: number
  longitude: number
}

interface Traveller {
  user: { id: string; displayName: string } | null
  guestName: string | null
  seat: string | null
  seatNumber: string | null
  seatClass: string | null
  flightReason: string | null
}

/** The fields of a flight that a map shows. */
interface MappedFlight extends FlightTimes {
  id: number
  version: number
  updatedAt: string
  date: string
  datePrecision: DatePrecision
  duration: number | null
  flightNumber: string | null
  aircraftReg: string | null
  note: string | null
  from: Place | null
  to: Place | null
  airline: { name: string; icao: string | null; iata: string | null } | null
  aircraft: { name: string; icao: string | null } | null
  distanceKm: number | null
  passengers: readonly Traveller[]
}

/** About ten metres. */
const rounded = (degrees: number): number => Math.round(degrees * 1e4) / 1e4

const STEP_RAD = 1.5 * RAD
const FEWEST_STEPS = 8

/** Points on the great circle, close enough together to look like a curve. */
function greatCircle(from: Place, to: Place): Point[] {
  const [a, b] = [vectorOf(from.longitude, from.latitude), vectorOf(to.longitude, to.latitude)]
  const angle = angleBetween(a, b)
  const steps = Math.max(FEWEST_STEPS, Math.ceil(angle / STEP_RAD))
  const between = Array.from({ length: steps - 1 }, (_, i) => pointAt(a, b, angle, (i + 1) / steps))
  return [[from.longitude, from.latitude], ...between, [to.longitude, to.latitude]]
}

function pointAt(a: Vector, b: Vector, angle: number, share: number): Point {
  const sin = Math.sin(angle)
  // Antipodes have no unique great circle; all lines between them are equally short.
  const [p, q] =
    sin < 1e-9 ? [1 - share, share] : [Math.sin((1 - share) * angle) / sin, Math.sin(share * angle) / sin]
  const [x, y, z] = [p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]]
  return [Math.atan2(y, x) / RAD, Math.atan2(z, Math.hypot(x, y)) / RAD]
}

/** Lines that do not cross the antimeridian (RFC 7946 §3.1.9). */
function cutAtAntimeridian(points: readonly Point[]): Point[][] {
  let line: Point[] = []
  const lines = [line]
  for (const [i, point] of points.entries()) {
    const before = points[i - 1]
    const jump = before ? point[0]! - before[0]! : 0
    if (before && Math.abs(jump) > 180) {
      const edge = jump > 0 ? -180 : 180
      const crossing = crossingOf(before, point, edge)
      line.push([edge, ...crossing])
      line = [[-edge, ...crossing]]
      lines.push(line)
    }
    line.push(point)
  }
  return lines.map(withoutRepeats).filter((part) => part.length > 1)
}

/** Latitude, and altitude if both points have one, where the line from `a` to `b` crosses the antimeridian. */
function crossingOf(a: Point, b: Point, edge: number): number[] {
  const unwrapped = b[0]! + (edge > 0 ? 360 : -360)
  const share = unwrapped === a[0]! ? 0 : (edge - a[0]!) / (unwrapped - a[0]!)
  const size = Math.min(a.length, b.length)
  return Array.from({ length: size - 1 }, (_, k) => a[k + 1]! + (b[k + 1]! - a[k + 1]!) * share)
}

function withoutRepeats(line: readonly Point[]): Point[] {
  const exact = line.map(([lon, lat, ...altitude]) => [rounded(lon!), rounded(lat!), ...altitude])
  return exact.filter((point, i) => i === 0 || point.some((value, k) => value !== exact[i - 1]![k]))
}

/** Every n-th point, so that at most `most` remain, always including the first and the last. */
function thinned(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points
  const step = (points.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => points[Math.round(i * step)]!)
}

function geometryOf(points: readonly Point[]): Geometry {
  const lines = cutAtAntimeridian(points) as number[][][]
  if (lines.length === 0) return { type: 'Point', coordinates: points[0]!.slice(0, 2).map(rounded) }
  return lines.length === 1
    ? { type: 'LineString', coordinates: lines[0]! }
    : { type: 'MultiLineString', coordinates: lines }
}

interface MapStyle {
  /** The person whose seat and reason are shown and who is not listed as a companion; null for a map of several people. */
  ownerId: string | null
  /** Most points of a track. */
  trackPoints: number
}

/** One flight; without a line if an airport is unknown and no track was recorded. */
export function flightFeature(
  flight: MappedFlight,
  track: readonly Point[] | undefined,
  { ownerId, trackPoints }: MapStyle,
): Feature<Geometry | null> {
  const { from, to } = flight
  const route = from && to ? greatCircle(from, to) : undefined
  const points = track ? thinned(track, trackPoints) : route
  return {
    type: 'Feature',
    id: flight.id,
    geometry: points ? geometryOf(points) : null,
    properties: { ...propertiesOf(flight, ownerId), line: track ? 'track' : route ? 'great-circle' : null },
  }
}

function propertiesOf(flight: MappedFlight, ownerId: string | null) {
  const { from, to, airline, aircraft, passengers } = flight
  const own = passengers.find(({ user }) => user !== null && user.id === ownerId)
  const others = passengers.flatMap(({ user, guestName }) =>
    user?.id === ownerId ? [] : (user?.displayName ?? guestName ?? []),
  )
  return {
    date: flight.date,
    datePrecision: flight.datePrecision,
    departure: effectiveDeparture(flight),
    arrival: effectiveArrival(flight),
    durationSeconds: flight.duration,
    distanceKm: flight.distanceKm,
    flightNumber: flight.flightNumber,
    from: from ? (from.iata ?? from.icao) : null,
    fromName: from?.name ?? null,
    fromCountry: from?.country ?? null,
    to: to ? (to.iata ?? to.icao) : null,
    toName: to?.name ?? null,
    toCountry: to?.country ?? null,
    airline: airline?.name ?? null,
    airlineCode: airline?.icao ?? airline?.iata ?? null,
    aircraft: aircraft?.name ?? null,
    aircraftCode: aircraft?.icao ?? null,
    aircraftReg: flight.aircraftReg,
    seat: own?.seat ?? null,
    seatNumber: own?.seatNumber ?? null,
    seatClass: own?.seatClass ?? null,
    reason: own?.flightReason ?? null,
    companions: others.length > 0 ? others.join(', ') : null,
    note: flight.note,
    version: flight.version,
    updatedAt: flight.updatedAt,
  }
}

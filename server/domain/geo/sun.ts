// The position of the sun, by the formulas of the NOAA solar calculator: within 0.02° from 1901 to 2099.
import { DAY } from '../time/durations.ts'
import { RAD } from './sphere.ts'

/** The light outside, by the altitude of the sun: `twilight` is civil twilight. */
export type Light = 'night' | 'twilight' | 'day'

/** When the sun's centre is below this altitude, it is not visible: half of its disc plus refraction at the horizon. */
export const SUNRISE_ALTITUDE = -0.83
/** Where civil twilight begins and ends. */
export const NIGHT_ALTITUDE = -6

const J2000 = Date.UTC(2000, 0, 1, 12)
const CENTURY = 36_525 * DAY

const sine = (degrees: number) => Math.sin(degrees * RAD)
const cosine = (degrees: number) => Math.cos(degrees * RAD)

/** In degrees. */
interface Orbit {
  meanLongitude: number
  meanAnomaly: number
  /** A ratio, not an angle. */
  eccentricity: number
  apparentLongitude: number
  obliquity: number
}

function orbitAt(ms: number): Orbit {
  const t = (ms - J2000) / CENTURY
  const meanLongitude = 280.46646 + t * (36_000.76983 + t * 0.0003032)
  const meanAnomaly = 357.52911 + t * (35_999.05029 - t * 0.0001537)
  const centre =
    sine(meanAnomaly) * (1.914602 - t * (0.004817 + t * 0.000014)) +
    sine(2 * meanAnomaly) * (0.019993 - t * 0.000101) +
    sine(3 * meanAnomaly) * 0.000289
  const node = 125.04 - 1934.136 * t
  return {
    meanLongitude,
    meanAnomaly,
    eccentricity: 0.016708634 - t * (0.000042037 + t * 0.0000001267),
    apparentLongitude: meanLongitude + centre - 0.00569 - 0.00478 * sine(node),
    obliquity: 23.439291 - t * (0.0130042 + t * (0.00000016 - t * 0.0000005)) + 0.00256 * cosine(node),
  }
}

/** How far a sundial is ahead of the clock, in degrees of longitude. */
function equationOfTime({ meanLongitude, meanAnomaly, eccentricity, obliquity }: Orbit): number {
  const y = Math.tan((obliquity / 2) * RAD) ** 2
  return (
    (y * sine(2 * meanLongitude) -
      2 * eccentricity * sine(meanAnomaly) +
      4 * eccentricity * y * sine(meanAnomaly) * cosine(2 * meanLongitude) -
      0.5 * y * y * sine(4 * meanLongitude) -
      1.25 * eccentricity * eccentricity * sine(2 * meanAnomaly)) /
    RAD
  )
}

const wrapped = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180

/** The place where the sun is in the zenith at an instant, in degrees. */
export function subsolarPoint(ms: number): { lon: number; lat: number } {
  const orbit = orbitAt(ms)
  const shareOfDay = (((ms % DAY) + DAY) % DAY) / DAY
  return {
    lon: wrapped(180 - shareOfDay * 360 - equationOfTime(orbit)),
    lat: Math.asin(sine(orbit.obliquity) * sine(orbit.apparentLongitude)) / RAD,
  }
}

/** Altitude of the sun's centre above the horizon in degrees, without refraction. */
export function sunAltitude(ms: number, lat: number, lon: number): number {
  const sun = subsolarPoint(ms)
  const height = sine(lat) * sine(sun.lat) + cosine(lat) * cosine(sun.lat) * cosine(lon - sun.lon)
  return Math.asin(Math.max(-1, Math.min(1, height))) / RAD
}

export function lightAt(altitude: number): Light {
  if (altitude < NIGHT_ALTITUDE) return 'night'
  return altitude < SUNRISE_ALTITUDE ? 'twilight' : 'day'
}

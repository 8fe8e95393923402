// Greenhouse gas emissions of one seat on a flight, by a published method.
import type { SeatClass } from './enums.ts'

/** Describes the method; shown beside the figures. */
export const emissionMethod = {
  name: 'UK Government GHG Conversion Factors for Company Reporting 2023 (DESNZ), business travel by air',
  year: 2023,
  description:
    'kg CO2e per passenger-kilometre of great-circle distance by haul and cabin, radiative forcing included. Below 700 km the domestic factor, below 3,700 km short-haul, beyond it long-haul; a passenger of unknown class counts as an average one, a private flight as the highest class of its haul.',
} as const

const DOMESTIC_KM = 700
const LONG_HAUL_KM = 3700

const domestic = 0.27257
type Factors = Record<SeatClass | 'average', number>
const shortHaul: Factors = {
  average: 0.18592,
  economy: 0.18287,
  'economy+': 0.18287,
  business: 0.2743,
  first: 0.2743,
  private: 0.2743,
}
const longHaul: Factors = {
  average: 0.26128,
  economy: 0.20011,
  'economy+': 0.32016,
  business: 0.58028,
  first: 0.8004,
  private: 0.8004,
}

/** Kilograms of CO2 equivalent for one passenger. */
export function emissionKg(distanceKm: number, seatClass: string | null): number {
  if (distanceKm < DOMESTIC_KM) return distanceKm * domestic
  const haul = distanceKm < LONG_HAUL_KM ? shortHaul : longHaul
  return distanceKm * (haul[(seatClass ?? 'average') as SeatClass] ?? haul.average)
}

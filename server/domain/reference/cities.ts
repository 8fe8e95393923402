// The name of a city in the reader's language. The reference set has English names; the tables in city-names/ have the names
// that differ (tools/reference/city-names.ts). A name that is in no table is not changed.

/** By country and city as in the reference set: `IT Rome`, which is not `US Rome`. */
export type CityNames = Readonly<Record<string, string>>

export interface CityPlace {
  municipality: string | null
  country: string
  latitude: number
  longitude: number
}

/**
 * Cities that share their name with another place in their country: the one near this latitude and longitude is meant.
 * Philadelphia in Mississippi is not Philadelphie.
 */
const NAMESAKES: Readonly<Record<string, readonly [number, number]>> = {
  'BR Rio de Janeiro': [-23, -43],
  'KZ Aktobe': [50, 57],
  'RU Khatanga': [72, 102],
  'RU Kirov': [59, 49],
  'US Detroit': [42, -83],
  'US Philadelphia': [40, -75],
  'US St Louis': [39, -90],
  'UZ Tashkent': [41, 69],
  'ZA Cape Town': [-34, 19],
}
const NEAR_DEGREES = 2

/** Null for a place without a city. */
export function cityName(place: CityPlace, names: CityNames): string | null {
  const key = `${place.country} ${place.municipality}`
  return Object.hasOwn(names, key) && isMeant(key, place) ? names[key]! : place.municipality
}

function isMeant(key: string, { latitude, longitude }: CityPlace): boolean {
  const near = NAMESAKES[key]
  if (near === undefined) return true
  return Math.abs(latitude - near[0]) < NEAR_DEGREES && Math.abs(longitude - near[1]) < NEAR_DEGREES
}

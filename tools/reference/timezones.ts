// The IANA zone in use at an airport, from boundary polygons and the airport's country.
import { find } from 'geo-tz/all'
import type { ZoneTable } from './sources.ts'

interface Place {
  id: number
  latitude: number
  longitude: number
  country: string
}

const atSea = (zone: string) => zone.startsWith('Etc/')
/** Where the boundary data and the airport's clocks differ, by OurAirports id. */
const KNOWN = new Map([
  [26902, 'Australia/Brisbane'], // Gold Coast: the runway crosses into New South Wales, the terminal keeps Queensland time
  [1725, 'America/Resolute'], // Eureka keeps Central time with summer time; the boundaries have Atikokan's
  [45059, 'America/Punta_Arenas'], // Union Glacier, served from Chile
])
const PROBE_DEGREES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const

/** The zone of each place, in the order given. */
export function zonesOf(places: Place[], table: ZoneTable): string[] {
  const zones = places.map((place) => zoneOnLand(place, table))
  const landward = landZonesByCountry(places, zones)
  return places.map(
    (place, i) =>
      zones[i] ??
      onlyZone(place, landward) ??
      probe(place, table) ??
      nearest(place, landward) ??
      seaZone(place),
  )
}

/** China keeps Beijing time everywhere; elsewhere, where zones overlap, the one of the airport's country counts. */
function zoneOnLand(place: Place, table: ZoneTable): string | undefined {
  const known = KNOWN.get(place.id)
  if (known) return known
  if (place.country === 'CN') return 'Asia/Shanghai'
  const found = find(place.latitude, place.longitude).filter((zone) => !atSea(zone) && table.zones.has(zone))
  if (found.length < 2) return found[0]
  const own = table.zonesOfCountry.get(place.country) ?? []
  return found.find((zone) => own.includes(zone)) ?? found[0]
}

type Landward = Map<string, { place: Place; zone: string }[]>

function landZonesByCountry(places: Place[], zones: (string | undefined)[]): Landward {
  const landward: Landward = new Map()
  for (const [i, place] of places.entries()) {
    const zone = zones[i]
    if (!zone) continue
    const known = landward.get(place.country)
    if (known) known.push({ place, zone })
    else landward.set(place.country, [{ place, zone }])
  }
  return landward
}

function onlyZone(place: Place, landward: Landward): string | undefined {
  const zones = new Set(landward.get(place.country)?.map((known) => known.zone))
  return zones.size === 1 ? [...zones][0] : undefined
}

function probe(place: Place, table: ZoneTable): string | undefined {
  for (const degrees of PROBE_DEGREES) {
    for (const [north, east] of DIRECTIONS) {
      const latitude = Math.max(-90, Math.min(90, place.latitude + north * degrees))
      const longitude = ((place.longitude + east * degrees + 540) % 360) - 180
      const zone = zoneOnLand({ ...place, latitude, longitude }, table)
      if (zone && table.zonesOfCountry.get(place.country)?.includes(zone)) return zone
    }
  }
  return undefined
}

/** Oil platforms use the time of the coast that serves them. */
function nearest(place: Place, landward: Landward): string | undefined {
  const withinDegrees = 6
  const distance = (other: Place) =>
    Math.hypot(other.latitude - place.latitude, other.longitude - place.longitude)
  const known = landward.get(place.country) ?? []
  const best = known.reduce<(typeof known)[number] | undefined>(
    (a, b) => (a && distance(a.place) <= distance(b.place) ? a : b),
    undefined,
  )
  return best && distance(best.place) <= withinDegrees ? best.zone : undefined
}

const seaZone = (place: Place) => find(place.latitude, place.longitude)[0] ?? 'Etc/UTC'

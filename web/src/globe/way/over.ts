/** The country below a point, from the shapes that the map draws anyway. */

import { geoBounds, geoContains } from 'd3-geo'
import type { Feature } from 'geojson'
import { feature } from 'topojson-client'
import type { Spot } from '../../../../server/domain/flights/light-along.ts'
import { countries } from '../../../../server/domain/reference/countries.ts'
import { fetchFineWorld } from '../land/files.ts'

interface Shape {
  code: string
  shape: Feature
  bounds: [[number, number], [number, number]]
}

export type CountryFinder = (spot: Spot) => string | null

const isWithin = ([[west, south], [east, north]]: Shape['bounds'], { lon, lat }: Spot): boolean =>
  lat >= south && lat <= north && (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east)

/** Two-letter codes; null over the sea. */
export async function loadCountryFinder(): Promise<CountryFinder> {
  const world = await fetchFineWorld()
  const codes = new Map(countries.map(({ number, code }) => [number, code]))
  const shapes: Shape[] = feature(world, world.objects.countries).features.flatMap((shape) => {
    const code = codes.get(String(shape.id))
    return code ? [{ code, shape, bounds: geoBounds(shape) }] : []
  })
  return (spot) =>
    shapes.find(({ shape, bounds }) => isWithin(bounds, spot) && geoContains(shape, [spot.lon, spot.lat]))
      ?.code ?? null
}

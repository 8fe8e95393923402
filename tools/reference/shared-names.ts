// Names that GeoNames and OurAirports give to one city although another one is known by them: Rome was once a name of
// Washington, Zaragoza one of Tijuana. A search for such a name means the other city.

import { sphericalMetres } from '../../server/domain/geo/geo.ts'
import { searchFold } from '../../server/domain/text/fold.ts'
import type { Airport } from './airports.ts'

/** Within this distance both are the same place, or neighbours that share an airport. */
const NEAR_METRES = 150_000
/** From this importance on, an airport has scheduled flights. */
const SERVED = 20_000

type Named = Pick<
  Airport,
  'iata' | 'name' | 'municipality' | 'latitude' | 'longitude' | 'type' | 'importance' | 'aliases'
>

/**
 * Removes the other names of airports that are the name of a city far away with airline service. Kept are those in the
 * airport's own name (Leeds Bradford), and those of the table `shared-names`: both cities are called so today.
 */
export function dropNamesOfOthers(
  airports: readonly Named[],
  shared: readonly { iata: string; name: string }[],
): void {
  const kept = new Set(shared.map(({ iata, name }) => `${iata} ${searchFold(name)}`))
  const served = airports.filter(
    ({ iata, type, importance }) => iata && type !== 'closed' && importance >= SERVED,
  )
  const cities = Map.groupBy(served, ({ municipality }) => searchFold(municipality ?? ''))
  for (const airport of served) {
    const own = ` ${searchFold(airport.name)} ${searchFold(airport.municipality ?? '')} `
    const isKept = (alias: string) => {
      const name = searchFold(alias)
      const others = cities.get(name)?.filter((other) => other !== airport) ?? []
      const isOfOther =
        others.length > 0 && others.every((other) => sphericalMetres(airport, other) > NEAR_METRES)
      return !isOfOther || own.includes(` ${name} `) || kept.has(`${airport.iata} ${name}`)
    }
    const aliases = airport.aliases?.filter(isKept) ?? []
    airport.aliases = aliases.length > 0 ? aliases : null
  }
}

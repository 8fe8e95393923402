// What flights add to a log: routes, airports and countries that it did not have.
import { routeKey } from './sums.ts'

interface Place {
  id: number
  country: string
}
interface Ends {
  from: Place | null
  to: Place | null
}

interface Gain {
  routes: number
  airports: number
  countries: number
}

const placesOf = (flights: readonly Ends[]): Place[] =>
  flights.flatMap(({ from, to }) => [from, to].filter((place) => place !== null))

/** A local flight has no route, on the globe neither. */
const routesOf = (flights: readonly Ends[]): Set<string> =>
  new Set(flights.flatMap(({ from, to }) => (from && to && from.id !== to.id ? [routeKey(from, to)] : [])))

export function gainOf(added: readonly Ends[], before: readonly Ends[]): Gain {
  const [known, found] = [placesOf(before), placesOf(added)]
  const isNew = <Value>(of: (place: Place) => Value): number =>
    new Set(found.map(of)).difference(new Set(known.map(of))).size
  return {
    routes: routesOf(added).difference(routesOf(before)).size,
    airports: isNew(({ id }) => id),
    countries: isNew(({ country }) => country),
  }
}

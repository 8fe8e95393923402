// Which airport is meant if several have the name: one of them, or none without asking (docs/decisions/020). Used by the line
// in the web app and by the resolver on the server.

/**
 * Importance (tools/reference/importance.ts) is mostly the logarithm of an airport's share in the world's connections: a
 * difference of this much is a factor of e.
 */
const FACTOR_OF_E = 11_600
/** How many times as important as all others together: Rome's Fiumicino and Ciampino, but not Chicago's O'Hare and Midway. */
const FAR_MORE = 10

function isFarMore(first: number, others: readonly number[], factorOfE: number): boolean {
  const share = others.reduce((sum, other) => sum + Math.exp((other - first) / factorOfE), 0)
  return share * FAR_MORE <= 1
}

/** Whether the first airport is far more important than all the others together. */
export const isFarMoreImportant = (first: number, others: readonly number[]): boolean =>
  isFarMore(first, others, FACTOR_OF_E)

/** Importance of airlines: a power of ten of flights (tools/reference/airline-history.ts). */
const TEN_TIMES = 100
const FACTOR_OF_E_IN_FLIGHTS = TEN_TIMES / Math.LN10

/** The same for airlines with the same name: Lufthansa and a company without flights. */
export const isFarMoreUsed = ([first, ...others]: readonly number[]): boolean =>
  first !== undefined && isFarMore(first, others, FACTOR_OF_E_IN_FLIGHTS)

/** The name of a far city may mean its namesake this near to the flight's other end. */
const NEAR_KM = 800
const TIMES_FARTHER = 4

/** Towns with the same name that are near the other end, while the chosen one is far: Sydney in Nova Scotia, from Halifax. */
export const nearNamesakes = <Item extends { id: number }>(
  chosen: Item,
  namesakes: readonly Item[],
  kmToOtherEnd: (place: Item) => number,
): Item[] => {
  const km = kmToOtherEnd(chosen)
  return namesakes.filter((place) => {
    const near = kmToOtherEnd(place)
    return place.id !== chosen.id && near <= NEAR_KM && near * TIMES_FARTHER < km
  })
}

const [BESIDE_KM, FAR_KM] = [2000, 4000]

/** The candidate near the other end, if all others are far: beside Ibiza, Valencia is not the one in Venezuela. */
export function onlyNear<Item>(
  candidates: readonly Item[],
  kmToOtherEnd: (place: Item) => number,
): Item | undefined {
  const [nearest, ...rest] = candidates
    .map((place) => ({ place, km: kmToOtherEnd(place) }))
    .sort((a, b) => a.km - b.km)
  const isClear = nearest && nearest.km < BESIDE_KM && rest.every(({ km }) => km > FAR_KM)
  return isClear ? nearest.place : undefined
}

/** From this importance on, an airport has scheduled flights (reference/data/README.md). */
export const SERVED = 20_000

/** For an airport without a known size or successor that airlines flew to. */
export const OF_SOME_RANK = 50_000

/** The main former airport of a city, by ICAO code: the reference set has no importance for closed airports. */
export const mainThen: Readonly<Record<string, number>> = { EDDT: 75_000 }

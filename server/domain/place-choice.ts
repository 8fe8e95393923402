// Which of the airports that a name fits is meant: one, or none without asking (docs/decisions/121). The line in the web app and
// the resolver on the server decide by it.

/**
 * Importance (tools/reference/importance.ts) is mostly the logarithm of an airport's share in the world's connections: a
 * difference of this much is a factor of e.
 */
const FACTOR_OF_E = 11_600
/** How many times the others together: Rome's Fiumicino beside Ciampino, not O'Hare beside Midway. */
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

/** The same of airlines with one name: Lufthansa beside a company that nobody knows. */
export const isFarMoreUsed = ([first, ...others]: readonly number[]): boolean =>
  first !== undefined && isFarMore(first, others, FACTOR_OF_E_IN_FLIGHTS)

/** From this importance on, an airport has scheduled flights (reference/data/README.md). */
export const SERVED = 20_000

/** An airport of which neither a size nor a successor is known, while airlines flew to it: of some rank. */
export const OF_SOME_RANK = 50_000

/** The main one of a city's airports of the past, by ICAO code: the reference set has no importance of closed ones. */
export const mainThen: Readonly<Record<string, number>> = { EDDT: 75_000 }

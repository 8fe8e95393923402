/** A flight by its airports. */

import type { StatFlight } from '../../../server/domain/statistics/flights.ts'
import { airportCode } from '../lib/format.ts'

/** A share shows pairs of airports without direction. */
export const routeText = ({ from, to }: StatFlight, directed = true): string =>
  [from, to].map(airportCode).join(directed ? ' → ' : ' – ')

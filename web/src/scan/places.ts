/** Airports and airlines by the codes on a pass: as the server knows them on that day, else as this browser does. */

import { ApiError, client, dataOf } from '../api/client.ts'
import type { Airline, Airport } from '../api/types.ts'
import { log } from '../log/log.svelte.ts'

const byCode = (code: string, date: string) => ({
  params: { path: { code }, query: date === '' ? {} : { date } },
})

/** Null if no airport, or more than one, has this code. */
export async function airportWith(code: string, date: string): Promise<Airport | null> {
  try {
    return await dataOf(client.GET('/airports/by-code/{code}', byCode(code, date)))
  } catch (error) {
    if (!(error instanceof ApiError && error.offline)) return null
    return Object.values(log.airports).find(({ iata }) => iata === code) ?? null
  }
}

export async function airlineWith(code: string, date: string): Promise<Airline | null> {
  try {
    return await dataOf(client.GET('/airlines/by-code/{code}', byCode(code, date)))
  } catch (error) {
    if (!(error instanceof ApiError && error.offline)) return null
    return Object.values(log.airlines).find(({ iata, icao }) => iata === code || icao === code) ?? null
  }
}

/** Airports and airlines by the codes on a pass: as the server knows them on that day, else as this browser does. */

import { airlinesOfCode, airportsOfCode, openLineData } from '../../../../server/domain/entry/line/data.ts'
import { ApiError, client, dataOf } from '../../api/client.ts'
import type { Airline, Airport } from '../../api/types.ts'
import { loadLineData } from '../../line/file.ts'
import { airlineOf, airportOf, withLog } from '../../line/reference.ts'
import { log } from '../../log/log.svelte.ts'

const byCode = (code: string, date: string) => ({
  params: { path: { code }, query: date === '' ? {} : { date } },
})

/** The result, null if no record or more than one has this code, undefined without a connection. */
async function fromServer<Item>(request: Promise<Item>): Promise<Item | null | undefined> {
  try {
    return await request
  } catch (error) {
    return error instanceof ApiError && error.offline ? undefined : null
  }
}

/** What the line is read with; undefined if this browser has not kept it. */
const kept = async () => {
  const data = await loadLineData().catch(() => undefined)
  return data && withLog(openLineData(data), Object.values(log.airports))
}

export async function airportWith(code: string, date: string): Promise<Airport | null> {
  const known = await fromServer(dataOf(client.GET('/airports/by-code/{code}', byCode(code, date))))
  if (known !== undefined) return known
  const reference = await kept()
  const { airports: [found] = [], isOne } = reference ? airportsOfCode(reference, code, date) : {}
  if (found && isOne) return airportOf(found)
  return Object.values(log.airports).find(({ iata }) => iata === code) ?? null
}

export async function airlineWith(code: string, date: string): Promise<Airline | null> {
  const known = await fromServer(dataOf(client.GET('/airlines/by-code/{code}', byCode(code, date))))
  if (known !== undefined) return known
  const reference = await kept()
  const [found] = reference ? airlinesOfCode(reference, code, date) : []
  if (found) return airlineOf(found)
  return Object.values(log.airlines).find(({ iata, icao }) => iata === code || icao === code) ?? null
}

import { FLIGHTS_PER_REQUEST } from '../../../server/domain/flights/bin.ts'
import { flightTag } from '../../../server/domain/flights/conditions.ts'
import { ApiError, client, dataOf } from './client.ts'
import type { components } from './schema.d.ts'
import type { FlightInput, Track } from './types.ts'

const byId = (id: number) => ({ params: { path: { id } } })

/** A flight in the version that was read. A write that names it succeeds only on that version, otherwise it gets a 412. */
export interface ReadFlight {
  id: number
  version: number
}
const onlyAs = (read: ReadFlight) => ({
  params: { path: { id: read.id }, header: { 'If-Match': flightTag(read) } },
})

export const getFlight = (id: number, signal?: AbortSignal) =>
  dataOf(client.GET('/flights/{id}', { ...byId(id), ...(signal && { signal }) }))
/** A request with a key can be repeated after its response was lost: the flight is created only once. */
export const createFlight = (body: FlightInput, key?: string) =>
  dataOf(client.POST('/flights', { body, params: { header: key ? { 'Idempotency-Key': key } : {} } }))
export const updateFlight = (read: ReadFlight, body: FlightInput) =>
  dataOf(client.PUT('/flights/{id}', { ...onlyAs(read), body }))

type FlightPatch = components['schemas']['FlightPatch']
/** Changes only the given fields. */
export const patchFlight = (read: ReadFlight, body: FlightPatch) =>
  dataOf(client.PATCH('/flights/{id}', { ...onlyAs(read), body }))

/** Drafts of a flight by its number and day, from one's own log and from providers. */
export async function lookUpFlight(number: string, date: string) {
  const { data } = await client.GET('/flight-lookup', { params: { query: { number, date } } })
  return data!
}

/** Returns the ids of the flights that existed, as `deleteFlights` does. */
export async function deleteFlight(read: ReadFlight): Promise<number[]> {
  try {
    await client.DELETE('/flights/{id}', { ...onlyAs(read), keepalive: true })
    return [read.id]
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

/** Returns the ids of the flights that existed. The request completes even if the page is closed. */
export const deleteFlights = (ids: readonly number[], permanently = false) =>
  inChunks(ids, (some) =>
    client.POST('/flight-deletions', { body: { ids: some, permanently }, keepalive: true }),
  )
export const restoreFlights = (ids: readonly number[]) =>
  inChunks(ids, (some) => client.POST('/flight-restorations', { body: { ids: some }, keepalive: true }))
export async function listDeletedFlights(scope: 'mine' | 'all', cursor: string | null, signal: AbortSignal) {
  const query = { scope, limit: 50, ...(cursor ? { cursor } : {}) }
  const { data } = await client.GET('/flights/deleted', { params: { query }, signal })
  return data!
}
export const emptyBin = () => dataOf(client.DELETE('/flights/deleted'))

async function inChunks(
  ids: readonly number[],
  send: (some: number[]) => Promise<{ data?: { data: { ids: number[] } } }>,
): Promise<number[]> {
  const done: number[] = []
  for (let start = 0; start < ids.length; start += FLIGHTS_PER_REQUEST) {
    done.push(...(await dataOf(send(ids.slice(start, start + FLIGHTS_PER_REQUEST)))).ids)
  }
  return done
}

/** openapi-fetch types coordinate pairs as lists of numbers; the document declares pairs. */
export const getTrack = (id: number, signal?: AbortSignal) =>
  dataOf(
    client.GET('/flights/{id}/track', { ...byId(id), ...(signal && { signal }) }),
  ) as Promise<Track | null>

interface SearchOptions {
  /** One's own records come first among equals; an empty query returns the most recently used. */
  personal?: boolean
  signal?: AbortSignal
}
const search = (query: string, { personal, signal }: SearchOptions) => ({
  params: { query: { ...(query && { query }), ...(personal && { personal }) } },
  ...(signal && { signal }),
})

/** A search has no gaps; only a list of codes may have some. */
const known = <Item>(found: (Item | null)[]): Item[] => found.filter((item) => item !== null)

export const searchAirports = (query: string, options: SearchOptions = {}) =>
  dataOf(client.GET('/airports', search(query, options))).then(known)
/** Null if it no longer exists. */
export const findAirport = (id: number, signal?: AbortSignal) =>
  dataOf(client.GET('/airports/{id}', { ...byId(id), ...(signal && { signal }) })).catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 404 || error.offline)) return null
    throw error
  })
export const searchAirlines = (query: string, options: SearchOptions = {}) =>
  dataOf(client.GET('/airlines', search(query, options))).then(known)
export const searchAircraft = (query: string, options: SearchOptions = {}) =>
  dataOf(client.GET('/aircraft', search(query, options))).then(known)

export const listCustomFields = () => dataOf(client.GET('/custom-fields'))
export const listUsers = (signal?: AbortSignal) => dataOf(client.GET('/users', { ...(signal && { signal }) }))

/** Time zones are computed by the server: the browser's rules may be older. */
export const localTime = (airportId: number, local: string) =>
  dataOf(client.GET('/local-times', { params: { query: { airportId, local } } }))

export const loadDemo = () => client.POST('/demo')
export const removeDemo = () => client.DELETE('/demo')

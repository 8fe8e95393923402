import { api, client, dataOf } from './client.ts'
import type { FlightInput, Track } from './types.ts'

const byId = (id: number) => ({ params: { path: { id } } })

export const getFlight = (id: number) => dataOf(client.GET('/flights/{id}', byId(id)))
export const createFlight = (body: FlightInput) => dataOf(client.POST('/flights', { body }))
export const updateFlight = (id: number, body: FlightInput) =>
  dataOf(client.PUT('/flights/{id}', { ...byId(id), body }))
export const deleteFlight = (id: number, keepalive = false) =>
  client.DELETE('/flights/{id}', { ...byId(id), keepalive })
/** openapi-fetch turns pairs into lists of numbers; the document says pairs. */
export const getTrack = (id: number) =>
  dataOf(client.GET('/flights/{id}/track', byId(id))) as Promise<Track | null>

const search = (query: string) => ({ params: { query: { query } } })

export const searchAirports = (query: string, signal?: AbortSignal) =>
  dataOf(client.GET('/airports', { ...search(query), signal }))
export const searchAirlines = (query: string, signal?: AbortSignal) =>
  dataOf(client.GET('/airlines', { ...search(query), signal }))
export const searchAircraft = (query: string, signal?: AbortSignal) =>
  dataOf(client.GET('/aircraft', { ...search(query), signal }))

export const listCustomFields = () => dataOf(client.GET('/custom-fields'))
export const listUsers = () => dataOf(client.GET('/users'))

/** The browser never computes zones itself: its rules may lag the server's. */
export const localTime = (airportId: number, local: string) =>
  dataOf(client.GET('/local-times', { params: { query: { airportId, local } } }))

export const loadDemo = () => api.post<unknown>('/demo')
export const removeDemo = () => api.delete('/demo')

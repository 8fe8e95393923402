import { api } from './client.ts'
import type {
  Aircraft,
  Airline,
  Airport,
  CustomField,
  DirectoryUser,
  FlightInput,
  FlightRecord,
  LocalTime,
  Track,
} from './types.ts'

export const getFlight = (id: number) => api.get<FlightRecord>(`/flights/${id}`)
export const createFlight = (flight: FlightInput) => api.post<FlightRecord>('/flights', flight)
export const updateFlight = (id: number, flight: FlightInput) =>
  api.put<FlightRecord>(`/flights/${id}`, flight)
export const deleteFlight = (id: number, keepalive = false) =>
  api.delete(`/flights/${id}`, undefined, { keepalive })
export const getTrack = (id: number) => api.get<Track | null>(`/flights/${id}/track`)

export const searchAirports = (query: string, signal?: AbortSignal) =>
  api.get<Airport[]>('/airports', { query }, { signal })
export const searchAirlines = (query: string, signal?: AbortSignal) =>
  api.get<Airline[]>('/airlines', { query }, { signal })
export const searchAircraft = (query: string, signal?: AbortSignal) =>
  api.get<Aircraft[]>('/aircraft', { query }, { signal })

export const listCustomFields = () => api.get<CustomField[]>('/custom-fields')
export const listUsers = () => api.get<DirectoryUser[]>('/users')

/** The browser never computes zones itself: its rules may lag the server's. */
export const localTime = (airportId: number, local: string, signal?: AbortSignal) =>
  api.get<LocalTime>('/local-times', { airportId, local }, { signal })

export const loadDemo = () => api.post<unknown>('/demo')
export const removeDemo = () => api.delete('/demo')

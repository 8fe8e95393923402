/** Airports, airlines and aircraft types of the line's file and of the log, converted to each other's type. */

import { type LineReference, withAirports } from '../../../server/domain/entry/line/data.ts'
import type { LineAirport } from '../../../server/domain/entry/line/types.ts'
import { countries } from '../../../server/domain/reference/countries.ts'
import type { Aircraft, Airline, Airport } from '../api/types.ts'

const asLineAirport = (airport: Airport): LineAirport => ({
  id: airport.id,
  iata: airport.iata,
  icao: airport.icao,
  name: airport.name,
  city: airport.municipality,
  country: airport.country,
  latitude: airport.latitude,
  longitude: airport.longitude,
  timezone: airport.timezone,
  size: 0,
  names: [],
})

/** Includes airports of the log that the file lacks, such as small fields. */
export const withLog = (reference: LineReference, ofLog: readonly Airport[]): LineReference =>
  withAirports(reference, ofLog.map(asLineAirport))

/** For the form and the globe. The file lacks some fields; those are in no request. */
export const airportOf = (one: LineAirport): Airport => ({
  id: one.id,
  icao: one.icao,
  iata: one.iata,
  name: one.name,
  municipality: one.city,
  latitude: one.latitude,
  longitude: one.longitude,
  timezone: one.timezone,
  country: one.country,
  type: 'large_airport',
  continent: countries.find(({ code }) => code === one.country)?.continent ?? 'EU',
  custom: false,
})

export const airlineOf = (one: {
  id: number
  iata: string | null
  icao: string | null
  name: string
}): Airline => ({
  id: one.id,
  name: one.name,
  iata: one.iata,
  icao: one.icao,
  iconPath: null,
  active: true,
  from: null,
  to: null,
  successorId: null,
})

export const aircraftOf = (one: { id: number; icao: string | null; name: string }): Aircraft => ({
  id: one.id,
  name: one.name,
  icao: one.icao,
  class: null,
})

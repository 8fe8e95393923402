// A flight in a sentence, for assistants and people.

import type { DatePrecision } from '../../../domain/enums.ts'
import { airportCode } from '../../../domain/reference/code-periods.ts'
import { writtenDate } from '../../../domain/time/calendar.ts'
import { formatInZone, instantOf } from '../../../domain/time/time.ts'

interface ShownAirport {
  iata: string | null
  icao: string
  name: string
  municipality: string | null
  timezone: string
  formerCodes?: string[] | undefined
}

interface ShownFlight {
  date: string
  datePrecision: DatePrecision
  departure: string | null
  flightNumber: string | null
  from: ShownAirport | null
  to: ShownAirport | null
}

/** `SK909 Copenhagen (CPH) to Newark (EWR) on 2026-02-20, 12:30` */
export function flightInWords({
  date,
  datePrecision,
  departure,
  flightNumber,
  from,
  to,
}: ShownFlight): string {
  const route = `${placeInWords(from)} to ${placeInWords(to)}`
  const day = `${datePrecision === 'day' ? 'on' : 'in'} ${writtenDate({ date, datePrecision })}`
  const clock = departure && from ? formatInZone(instantOf(departure), from.timezone).slice(11, 16) : null
  const time = clock === null || datePrecision !== 'day' ? '' : `, ${clock}`
  return `${flightNumber ? `${flightNumber} ` : ''}${route} ${day}${time}`
}

const placeInWords = (airport: ShownAirport | null): string =>
  airport ? `${airport.municipality ?? airport.name} (${airportCode(airport)})` : 'an unknown airport'

/** Options of the filters: only values that occur in the log, the most frequent first. */

import { plain } from '../../../server/domain/text/fold.ts'
import type { Flight, LogPayload } from '../api/log.ts'
import { i18n } from '../i18n/i18n.svelte.ts'
import { airportCity, airportCode, countryName } from '../lib/format.ts'

export interface Option<V extends string | number = string | number> {
  value: V
  label: string
  detail: string
  /** More text that a search matches. */
  also?: string
  count: number
}

function tally<V extends string | number>(
  flights: Flight[],
  of: (flight: Flight) => Omit<Option<V>, 'count'>[],
): Option<V>[] {
  const found = new Map<V, Option<V>>()
  for (const flight of flights) {
    for (const one of of(flight)) {
      const known = found.get(one.value)
      if (known) known.count++
      else found.set(one.value, { ...one, count: 1 })
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count || a.label.localeCompare(b.label, i18n.tag))
}

const ends = (flight: Flight) =>
  flight.from && flight.to && flight.from.id === flight.to.id ? [flight.from] : [flight.from, flight.to]

export function airportOptions(flights: Flight[]): Option<number>[] {
  return tally(flights, (flight) =>
    ends(flight)
      .filter((airport) => airport !== null)
      .map((airport) => ({
        value: airport.id,
        label: airportCode(airport),
        detail: airportCity(airport),
        also: airport.municipality ?? '',
      })),
  )
}

export function airlineOptions(flights: Flight[]): Option<number>[] {
  return tally(flights, ({ airline }) =>
    airline ? [{ value: airline.id, label: airline.name, detail: airline.iata ?? airline.icao ?? '' }] : [],
  )
}

export function aircraftOptions(flights: Flight[]): Option<number>[] {
  return tally(flights, ({ aircraft }) =>
    aircraft ? [{ value: aircraft.id, label: aircraft.name, detail: aircraft.icao ?? '' }] : [],
  )
}

export function countryOptions(flights: Flight[]): Option<string>[] {
  return tally(flights, (flight) => {
    const codes = new Set(ends(flight).flatMap((airport) => (airport ? [airport.country] : [])))
    return [...codes].map((code) => ({ value: code, label: countryName(code), detail: code }))
  })
}

export function yearOptions(flights: Flight[]): Option<number>[] {
  const years = tally(flights, ({ year }) => [{ value: year, label: String(year), detail: '' }])
  return years.sort((a, b) => b.value - a.value)
}

export function passengerOptions(flights: Flight[], users: LogPayload['users']): Option<string>[] {
  return tally(flights, (flight) =>
    flight.passengers.map((one) =>
      one.user
        ? {
            value: `user:${one.user}`,
            label: users[one.user]?.displayName ?? one.user,
            detail: users[one.user]?.username ?? '',
          }
        : { value: `guest:${one.guest ?? ''}`, label: one.guest ?? '', detail: '' },
    ),
  )
}

export function matching<V extends string | number>(
  options: Option<V>[],
  text: string,
  limit = 30,
): Option<V>[] {
  const wanted = plain(text)
  const found = wanted
    ? options.filter((option) =>
        plain(`${option.label} ${option.detail} ${option.also ?? ''}`).includes(wanted),
      )
    : options
  return found.slice(0, limit)
}

// adsbdb: the usual route of a flight number today, without days or times, and the type of an aircraft.
import * as z from 'zod'
import type { SourceRecord } from '../imports/reading/source.ts'
import { namedBy } from '../imports/values/named.ts'

const text = z.string().trim().min(1).max(200).nullish().catch(null)
const Place = z.object({ icao_code: text, iata_code: text, name: text })
const Route = z.object({
  response: z.object({
    flightroute: z.object({
      airline: z.object({ icao: text, iata: text, name: text }).nullish().catch(null),
      origin: Place,
      midpoint: Place.nullish().catch(null),
      destination: Place,
    }),
  }),
})
const Type = z.object({
  response: z.object({ aircraft: z.object({ icao_type: text, type: text, manufacturer: text }) }),
})

/** The part of a response that is stored. */
export interface UsualRoute {
  airline: Named | null
  /** In the order of the flight. */
  stops: Named[]
}
interface Named {
  codes: string[]
  name: string | null
}

export interface AircraftType {
  icao: string | null
  name: string | null
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}

export function readRoute(body: string): UsualRoute | undefined {
  const route = parsed(Route, body)?.response.flightroute
  if (!route) return undefined
  const { airline, origin, midpoint, destination } = route
  const stops = [origin, midpoint, destination].flatMap((place) =>
    place ? { codes: known(place.icao_code, place.iata_code), name: place.name ?? null } : [],
  )
  if (stops.some(({ codes, name }) => codes.length === 0 && name === null)) return undefined
  return {
    airline: airline ? { codes: known(airline.icao, airline.iata), name: airline.name ?? null } : null,
    stops,
  }
}

export function readType(body: string): AircraftType | undefined {
  const aircraft = parsed(Type, body)?.response.aircraft
  if (!aircraft || (!aircraft.icao_type && !aircraft.type)) return undefined
  const name = [aircraft.manufacturer, aircraft.type].filter((part) => part).join(' ')
  return { icao: aircraft.icao_type ?? null, name: name || null }
}

const known = (...codes: (string | null | undefined)[]): string[] => codes.flatMap((code) => code ?? [])

/** Each leg of the route, on the requested day. */
export function recordsOfRoute({ airline, stops }: UsualRoute, number: string, date: string): SourceRecord[] {
  return stops.slice(1).map((to, i) => {
    const from = stops[i]!
    const place = ({ codes, name }: Named) => codes.at(-1) ?? name ?? '?'
    return {
      line: null,
      raw: `${number} ${place(from)} ${place(to)}`,
      flight: {
        date: { iso: date, precision: 'day' },
        from: namedBy(from.codes, from.name),
        to: namedBy(to.codes, to.name),
        flightNumber: number,
        airline: airline && namedBy(airline.codes, airline.name),
      },
    }
  })
}

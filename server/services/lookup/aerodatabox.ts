// AeroDataBox: a flight number on a day (docs/imports.md). It returns every flight that departs or lands on that day; only those
// that depart on it are used.
import * as z from 'zod'
import { canonicalFlightNumber } from '../../domain/flights/number.ts'
import {
  instantOf,
  isDateTime,
  isLocalTime,
  localDate,
  readingsOf,
  timeZoneNamed,
} from '../../domain/time/time.ts'
import type { SourceFlight, SourceRecord, SourceTime } from '../imports/reading/source.ts'
import { aircraftNamed, namedBy } from '../imports/values/named.ts'

/** The used part of one flight, which is stored. */
export interface Leg {
  number: string
  callSign: string | null
  status: string | null
  isCodeshared: boolean
  airline: Carrier | null
  aircraftReg: string | null
  aircraftModel: string | null
  departure: End
  arrival: End
}
interface Carrier {
  name: string | null
  iata: string | null
  icao: string | null
}
interface End {
  airport: Carrier
  /** The scheduled local day. */
  day: string | null
  /** Milliseconds since 1970. */
  scheduled: number | null
  revised: number | null
  runway: number | null
  terminal: string | null
  gate: string | null
}

// Reading: values that differ from the documented type are treated as absent

const text = z
  .string()
  .trim()
  .max(200)
  .transform((given) => given || null)
  .nullish()
  .catch(null)
const Moment = z.object({ utc: text, local: text }).nullish().catch(null)
const Movement = z.object({
  airport: z.object({ icao: text, iata: text, name: text, timeZone: text }),
  scheduledTime: Moment,
  revisedTime: Moment,
  runwayTime: Moment,
  terminal: text,
  gate: text,
})
const Flight = z.object({
  number: z.string().trim().min(2).max(20),
  callSign: text,
  status: text,
  codeshareStatus: text,
  airline: z.object({ name: text, iata: text, icao: text }).nullish().catch(null),
  aircraft: z.object({ reg: text, model: text }).nullish().catch(null),
  departure: Movement,
  arrival: Movement,
})

/** Undefined if the response does not have the documented form. */
export function readLegs(body: string): Leg[] | undefined {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return undefined
  }
  if (!Array.isArray(json)) return undefined
  const legs = json.slice(0, LEGS_READ).flatMap((item) => {
    const read = Flight.safeParse(item)
    return read.success ? legOf(read.data) : []
  })
  return legs.length === 0 && json.length > 0 ? undefined : legs
}
const LEGS_READ = 100

const legOf = (flight: z.output<typeof Flight>): Leg => ({
  number: canonicalFlightNumber(flight.number),
  callSign: flight.callSign ?? null,
  status: flight.status ?? null,
  isCodeshared: flight.codeshareStatus === 'IsCodeshared',
  airline: flight.airline ? carrierOf(flight.airline) : null,
  aircraftReg: flight.aircraft?.reg ?? null,
  aircraftModel: flight.aircraft?.model ?? null,
  departure: endOf(flight.departure),
  arrival: endOf(flight.arrival),
})

const carrierOf = ({ name, iata, icao }: z.output<typeof Movement>['airport']): Carrier => ({
  name: name ?? null,
  iata: iata ?? null,
  icao: icao ?? null,
})

function endOf(movement: z.output<typeof Movement>): End {
  const zone = movement.airport.timeZone ? timeZoneNamed(movement.airport.timeZone) : undefined
  const [scheduled, revised, runway] = [
    movement.scheduledTime,
    movement.revisedTime,
    movement.runwayTime,
  ].map((moment) => instantIn(moment, zone)) as [number | null, number | null, number | null]
  const best = scheduled ?? revised ?? runway
  const local = [movement.scheduledTime, movement.revisedTime, movement.runwayTime].find((one) => one?.local)
  return {
    airport: carrierOf(movement.airport),
    // If the two disagree, the instant is right: local texts with a missing or wrong offset have been seen.
    day: best !== null && zone ? localDate(best, zone) : (local?.local?.slice(0, 10) ?? null),
    scheduled,
    revised,
    runway,
    terminal: movement.terminal ?? null,
    gate: movement.gate ?? null,
  }
}

/** `2025-11-02 21:25Z`, `2025-11-02 18:25-03:00`, or a local time without an offset. */
function instantIn(moment: z.output<typeof Moment>, zone: string | undefined): number | null {
  for (const written of [moment?.utc, moment?.local]) {
    const iso = written?.replace(' ', 'T')
    if (iso && isDateTime(iso)) return instantOf(iso)
  }
  const local = moment?.local?.replace(' ', 'T')
  return local && zone && isLocalTime(local) ? (readingsOf(local, zone).instants[0] ?? null) : null
}

// Turning a leg into a record

/** The distinct flights that depart on that day. The import's rules skip cancelled ones. */
export function recordsOfLegs(
  legs: readonly Leg[],
  number: string,
  date: string,
  now: number,
): SourceRecord[] {
  const departing = legs.filter(({ departure }) => departure.day === date)
  const own = departing.filter((leg) => leg.number === number)
  const others = departing.filter((leg) => leg.number !== number)
  const isTwinOfOwn = (leg: Leg) => own.some((one) => isSameLeg(one, leg))
  return [
    ...own.map((leg) =>
      recordOf(
        leg,
        number,
        date,
        now,
        others.find((other) => isSameLeg(leg, other)),
      ),
    ),
    // The flight is listed only under another airline's number.
    ...others.filter((leg) => !isTwinOfOwn(leg)).map((leg) => recordOf(leg, number, date, now, leg)),
  ]
}

const isSameLeg = (a: Leg, b: Leg): boolean =>
  a.departure.scheduled === b.departure.scheduled &&
  a.departure.airport.iata === b.departure.airport.iata &&
  a.arrival.airport.iata === b.arrival.airport.iata

function recordOf(
  leg: Leg,
  number: string,
  date: string,
  now: number,
  operator: Leg | undefined,
): SourceRecord {
  const flight: SourceFlight = {
    date: { iso: date, precision: 'day' },
    from: airportOf(leg.departure),
    to: airportOf(leg.arrival),
    flightNumber: number,
    airline: leg.number === number && leg.airline ? carrierNamed(leg.airline) : null,
    aircraft: aircraftNamed(leg.aircraftModel),
    aircraftReg: leg.aircraftReg,
    ...timesOf(leg, now),
    departureTerminal: leg.departure.terminal,
    departureGate: leg.departure.gate,
    arrivalTerminal: leg.arrival.terminal,
    arrivalGate: leg.arrival.gate,
    ...operatorOf(leg, operator),
  }
  const raw = [number, codeOf(leg.departure), codeOf(leg.arrival), leg.status ?? ''].join(' ').trim()
  if (/^cancell?ed/i.test(leg.status ?? ''))
    return { line: null, raw, flight: { ...flight, outcome: 'cancelled' }, skip: 'cancelled' }
  return { line: null, raw, flight }
}

const codeOf = ({ airport: { iata, icao, name } }: End): string => iata ?? icao ?? name ?? '?'
const airportOf = ({ airport: { icao, iata, name } }: End) => namedBy([icao, iata], name)
const carrierNamed = ({ icao, iata, name }: Carrier) => namedBy([icao, iata], name)

/** The given airline is that of the number. The operator comes from the other entry or from the call sign. */
function operatorOf(leg: Leg, operator: Leg | undefined): Partial<SourceFlight> {
  if (operator)
    return {
      operatingAirline: operator.airline && carrierNamed(operator.airline),
      operatingFlightNumber: operator.number,
    }
  const code = leg.isCodeshared ? /^([A-Z]{3})\d/.exec(leg.callSign ?? '')?.[1] : undefined
  return code && code !== leg.airline?.icao ? { operatingAirline: namedBy([code]) } : {}
}

/**
 * Actual times at the gate, or scheduled ones if those are unknown. A revised time in the future is an estimate. The airport of a
 * diverted flight is unknown, so its arrival is omitted.
 */
function timesOf({ departure, arrival, status }: Leg, now: number): Partial<SourceFlight> {
  const isDiverted = /^diverted/i.test(status ?? '')
  const past = (instant: number | null) => (instant !== null && instant <= now ? instant : null)
  return {
    departureScheduled: timeOf(departure.scheduled),
    arrivalScheduled: timeOf(arrival.scheduled),
    departure: timeOf(past(departure.revised) ?? departure.scheduled),
    arrival: isDiverted ? null : timeOf(past(arrival.revised) ?? arrival.scheduled),
    takeoffActual: timeOf(past(departure.runway)),
    landingActual: isDiverted ? null : timeOf(past(arrival.runway)),
  }
}

function timeOf(instant: number | null): SourceTime | null {
  if (instant === null) return null
  const iso = new Date(instant).toISOString()
  return { date: { iso: iso.slice(0, 10), precision: 'day' }, clock: iso.slice(11, 16), zone: 'utc' }
}

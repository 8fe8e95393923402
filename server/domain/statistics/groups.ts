// Sums of flights by a common property: how many, how far and how long with each airline, in each year and so on. A flight
// without the property is in the group with the key null, so that the sum of all groups includes every flight.

import type { Grouping } from '../enums.ts'
import { airportCode } from '../reference/code-periods.ts'
import { searchFold } from '../text/fold.ts'
import { byId } from './figures.ts'
import { counted, type Named, type Place, type StatFlight } from './flights.ts'
import { pairOf } from './rankings.ts'
import { monthOf, registrationOf, routeKey, settle } from './sums.ts'

export interface FlightSums {
  count: number
  distanceKm: number
  /** Including estimates. */
  timeSeconds: number
  /** The estimated part of `timeSeconds`. */
  estimatedSeconds: number
  /** Flights without times of their own. */
  unknownFlights: number
}

export interface FlightGroup extends FlightSums {
  /** The value for a filter: a code, a year, a registration. Null if the flights have no value. */
  key: string | null
  /** The id of the record (a number) or of the user, if there is one. */
  id?: number | string
  name?: string
}

/** A value of a flight. Values with the same identity are in one group. */
interface Value {
  identity: string
  key: string
  id?: number | string
  name?: string
}

const nothing = (): FlightSums => ({
  count: 0,
  distanceKm: 0,
  timeSeconds: 0,
  estimatedSeconds: 0,
  unknownFlights: 0,
})

function add(sums: FlightSums, { distanceKm, duration, durationEstimated }: StatFlight): void {
  sums.count++
  sums.distanceKm += distanceKm ?? 0
  sums.timeSeconds += duration ?? 0
  if (durationEstimated) sums.estimatedSeconds += duration ?? 0
  if (durationEstimated || duration === null) sums.unknownFlights++
}

const rounded = <Sums extends FlightSums>(sums: Sums): Sums => {
  const { distanceKm } = settle(sums)
  return { ...sums, distanceKm: Math.round(distanceKm) }
}

const itself = (key: string): Value => ({ identity: key, key })
const place = (airport: Place): Value => ({
  identity: String(airport.id),
  key: airportCode(airport),
  id: airport.id,
  name: airport.name,
})
const record = ({ id, name, iata, icao }: Named): Value => ({
  identity: String(id),
  key: iata ?? icao ?? name,
  id,
  name,
})
const cityOf = ({ municipality, name }: Place) => municipality ?? name

const ends = (from: Place | null, to: Place | null): (Place | null)[] =>
  from?.id === to?.id ? [from] : [from, to]

/** Both directions are the same route. */
const routesOf = (flight: StatFlight): Value[] =>
  pairOf(flight).map(({ a, b }) => ({
    identity: routeKey(a, b),
    key: `${airportCode(a)}-${airportCode(b)}`,
    name: `${cityOf(a)} – ${cityOf(b)}`,
  }))

const ofRecord = (value: Named | null | undefined) => [value ? record(value) : null]
const ofText = (...values: (string | null | undefined)[]) =>
  values.map((value) => (value ? itself(value) : null))
const orNone = (values: readonly Value[]) => (values.length === 0 ? [null] : values)

/** Each value once per flight: in everyone's log, several passengers may have the same one. */
const ofSeats = (values: readonly (string | null)[]) =>
  values.length === 0 ? [null] : ofText(...new Set(values))

/** All passengers except the person whose log it is; a guest is identified by name. */
function peopleOn({ passengers = [] }: StatFlight, userId: string | null): Value[] {
  return passengers.flatMap(({ user, guest }): Value[] => {
    if (user !== null) return user === userId ? [] : [{ identity: `user ${user}`, key: user, id: user }]
    return guest ? [{ identity: `guest ${searchFold(guest)}`, key: guest, name: guest }] : []
  })
}

/** The groups to which a flight belongs; null is the group without the value. */
const valuesOf: Record<Grouping, (flight: StatFlight, userId: string | null) => readonly (Value | null)[]> = {
  airline: ({ airline }) => ofRecord(airline),
  year: ({ date }) => ofText(date?.slice(0, 4)),
  month: (flight) => ofText(monthOf(flight) === null ? null : flight.date?.slice(0, 7)),
  // A round flight counts once for its airport.
  airport: ({ from, to }) => ends(from, to).map((airport) => airport && place(airport)),
  country: ({ from, to }) => ofText(...new Set([from?.country, to?.country])),
  route: (flight) => orNone(routesOf(flight)),
  aircraft: ({ aircraft }) => ofRecord(aircraft),
  registration: (flight) => ofText(registrationOf(flight)),
  class: (flight, userId) => ofSeats(counted(flight, userId).map(({ seatClass }) => seatClass)),
  reason: (flight, userId) => ofSeats(counted(flight, userId).map(({ reason }) => reason)),
  person: (flight, userId) => orNone(peopleOn(flight, userId)),
}

const isInTimeOrder = (groupBy: Grouping): boolean => groupBy === 'year' || groupBy === 'month'

interface SumsOfFlights {
  /** Flights must be added by id, which decides ties. */
  add(flight: StatFlight): void
  total(): FlightSums
  /** Most flights first; on a tie, the group that occurs first. The group without the value is last. */
  groups(): FlightGroup[]
}

/** For completed flights, or all flights to be counted. `userId`: the person whose log it is; null for everyone's. */
export function createSums(groupBy: Grouping | undefined, userId: string | null): SumsOfFlights {
  const total = nothing()
  const groups = new Map<string | null, FlightGroup>()
  const isUnknown = ({ key }: FlightGroup) => (key === null ? 1 : 0)
  return {
    add(flight) {
      add(total, flight)
      for (const value of groupBy ? valuesOf[groupBy](flight, userId) : []) {
        const { identity, ...shown } = value ?? { identity: null, key: null }
        let group = groups.get(identity)
        if (!group) {
          group = { ...shown, ...nothing() }
          groups.set(identity, group)
        }
        add(group, flight)
      }
    },
    total: () => rounded(total),
    groups: () =>
      [...groups.values()].map(rounded).sort((a, b) => isUnknown(a) - isUnknown(b) || b.count - a.count),
  }
}

function sumsOfAll(
  flights: readonly StatFlight[],
  groupBy: Grouping | undefined,
  userId: string | null,
): SumsOfFlights {
  const sums = createSums(groupBy, userId)
  for (const flight of byId(flights)) sums.add(flight)
  return sums
}

export const sumsOf = (flights: readonly StatFlight[]): FlightSums =>
  sumsOfAll(flights, undefined, null).total()

export const groupFlights = (
  flights: readonly StatFlight[],
  groupBy: Grouping,
  userId: string | null,
): FlightGroup[] => sumsOfAll(flights, groupBy, userId).groups()

/** The groups with most flights, and always the one without the value. Years and months keep their order. */
export function topGroups(groups: readonly FlightGroup[], groupBy: Grouping, top: number): FlightGroup[] {
  const known = groups.filter(({ key }) => key !== null).slice(0, top)
  if (isInTimeOrder(groupBy)) known.sort((a, b) => (a.key! < b.key! ? -1 : 1))
  return [...known, ...groups.filter(({ key }) => key === null)]
}

// Reasons to refuse a generated set. An empty list means that it may replace the committed one.
import type { Aircraft } from './aircraft.ts'
import { historyFaults } from './airline-guards.ts'
import type { Airline } from './airlines.ts'
import { AIRPORT_TYPES, type Airport } from './airports.ts'
import { isCountry } from './countries.ts'
import * as facts from './facts.ts'
import type { ZoneTable } from './sources.ts'

export interface ReferenceSet {
  airports: Airport[]
  airlines: Airline[]
  aircraft: Aircraft[]
}

export interface Previous {
  counts: Record<string, number>
  airlineIds: Set<number>
  aircraftIds: Set<number>
}

const CONTINENTS = ['AF', 'AS', 'EU', 'NA', 'OC', 'SA', 'AN']
const LARGEST_LOSS = 0.02

export function faultsOf(set: ReferenceSet, zones: ZoneTable, previous: Previous): string[] {
  return [
    ...airportFaults(set.airports, zones),
    ...airlineFaults(set.airlines),
    ...historyFaults(set.airlines, set.aircraft),
    ...aircraftFaults(set.aircraft),
    ...factFaults(set),
    ...airportFactFaults(set.airports),
    ...losses(set, previous),
  ]
}

function airportFaults(airports: Airport[], zones: ZoneTable): string[] {
  const iata = airports.filter((airport) => airport.iata)
  return [
    ...atLeast('airports', airports.length, 85_000),
    ...atLeast('airports with an IATA code', iata.length, 8_500),
    ...atLeast(
      'closed airports with former codes',
      airports.filter((airport) => airport.formerCodes).length,
      1_000,
    ),
    ...AIRPORT_TYPES.flatMap((type) =>
      atLeast(type, airports.filter((airport) => airport.type === type).length, 50),
    ),
    ...repeated(
      'airport id',
      airports.map((airport) => airport.id),
    ),
    ...repeated(
      'airport ICAO',
      airports.map((airport) => airport.icao),
    ),
    ...repeated(
      'IATA code of an open airport',
      iata.filter((airport) => airport.type !== 'closed').map((airport) => airport.iata),
    ),
    ...airports.flatMap((airport) => airportFault(airport, zones)),
    ...periodFaults(airports),
  ]
}

/** A code with periods has no other meaning, so today's holder must be among them; and no two holders overlap. */
function periodFaults(airports: Airport[]): string[] {
  const holders = new Map<string, { airport: Airport; from: string; to: string }[]>()
  for (const airport of airports)
    for (const [code, from, to] of airport.codePeriods ?? [])
      holders.set(code, [
        ...(holders.get(code) ?? []),
        { airport, from: from ?? '0000-01-01', to: to ?? '9999-12-31' },
      ])
  const forgotten = airports
    .filter((airport) => airport.type !== 'closed')
    .flatMap((airport) =>
      [airport.icao, airport.iata]
        .filter((code) => code !== null)
        .filter((code) => holders.get(code)?.every((held) => held.airport !== airport || held.to < '9999'))
        .map((code) => `the periods of ${code} lack airport ${airport.id}, which bears it today`),
    )
  const overlapping = [...holders].flatMap(([code, held]) =>
    held
      .toSorted((a, b) => a.from.localeCompare(b.from))
      .filter(({ to }, i, sorted) => to >= (sorted[i + 1]?.from ?? '9999-12-32'))
      .map(({ airport }) => `the periods of ${code} overlap at airport ${airport.id}`),
  )
  return [...forgotten, ...overlapping]
}

function airportFault(airport: Airport, zones: ZoneTable): string[] {
  const complaints = [
    !airport.icao && 'has no code',
    !airport.name && 'has no name',
    !zones.zones.has(airport.timezone) && `has the unknown zone ${airport.timezone}`,
    !(AIRPORT_TYPES as readonly string[]).includes(airport.type) && `has the unknown type ${airport.type}`,
    !CONTINENTS.includes(airport.continent) && `has the unknown continent ${airport.continent}`,
    !isCountry(airport.country) && `has the unknown country ${airport.country}`,
    !(Math.abs(airport.latitude) <= 90 && Math.abs(airport.longitude) <= 180) && 'lies nowhere',
  ]
  return complaints
    .filter((complaint) => complaint !== false)
    .map((complaint) => `airport ${airport.id} ${complaint}`)
}

function airlineFaults(airlines: Airline[]): string[] {
  const active = airlines.filter((airline) => airline.active)
  return [
    ...atLeast('airlines', airlines.length, 6_000),
    ...atLeast('active airlines', active.length, 800),
    ...atLeast('active airlines with an ICAO code', active.filter((airline) => airline.icao).length, 700),
    ...repeated(
      'airline id',
      airlines.map((airline) => airline.id),
    ),
    ...repeated(
      'ICAO code of an active airline',
      active.flatMap((airline) => airline.icao ?? []),
    ),
    ...repeated(
      'IATA code of an active airline',
      active.flatMap((airline) => airline.iata ?? []),
    ),
    ...airlines
      .filter((airline) => airline.country !== null && !isCountry(airline.country))
      .map((airline) => `airline ${airline.id} has the unknown country ${airline.country}`),
    ...airlines.filter((airline) => !airline.name).map((airline) => `airline ${airline.id} has no name`),
  ]
}

function aircraftFaults(aircraft: Aircraft[]): string[] {
  return [
    ...atLeast('aircraft types', aircraft.length, 2_600),
    ...atLeast('aircraft types with an IATA code', aircraft.filter((type) => type.iata).length, 140),
    ...repeated(
      'aircraft id',
      aircraft.map((type) => type.id),
    ),
    ...repeated(
      'aircraft ICAO',
      aircraft.map((type) => type.icao),
    ),
    ...repeated(
      'aircraft IATA',
      aircraft.flatMap((type) => type.iata ?? []),
    ),
  ]
}

function factFaults({ airports, airlines, aircraft }: ReferenceSet): string[] {
  const airportOf = new Map(
    airports.filter((airport) => airport.type !== 'closed').map((airport) => [airport.iata, airport]),
  )
  const typeOf = new Map(aircraft.map((type) => [type.icao, type]))
  const wrong = [
    ...facts.AIRPORTS.filter(([iata, icao, zone, country]) => {
      const airport = airportOf.get(iata)
      return airport?.icao !== icao || airport.timezone !== zone || airport.country !== country
    }),
    ...facts.FORMER_CODES.filter(
      ([code, name]) =>
        !airports.some((airport) => airport.formerCodes?.includes(code) && airport.name.includes(name)),
    ),
    ...facts.AIRLINES.filter(
      ([iata, icao, name, active]) =>
        !airlines.some(
          (a) => a.iata === iata && a.icao === icao && a.active === active && a.name.includes(name),
        ),
    ),
    ...facts.AIRCRAFT.filter(([icao, iata, name]) => {
      const type = typeOf.get(icao)
      return type?.name !== name || (iata !== null && !type.iata?.includes(iata))
    }),
  ]
  return wrong.map((fact) => `the fact ${fact.join(' ')} does not hold`)
}

function airportFactFaults(airports: Airport[]): string[] {
  const open = new Map(
    airports.filter((airport) => airport.type !== 'closed').map((airport) => [airport.iata, airport]),
  )
  const held = (periods: Airport['codePeriods'], code: string, day: string) =>
    periods?.some(([c, from, to]) => c === code && (from ?? '') <= day && day <= (to ?? '9999')) ?? false
  const importance = (iata: string | undefined) => open.get(iata ?? '')?.importance ?? -1
  const wrong = [
    ...facts.CONTINENTS.filter(([iata, continent]) => open.get(iata)?.continent !== continent),
    ...facts.CITIES.filter(
      ([iata, city, name]) =>
        open.get(iata)?.municipality !== city || !open.get(iata)?.aliases?.includes(name),
    ),
    ...facts.ORDERS.filter((codes) =>
      codes.some((code, i) => i > 0 && importance(codes[i - 1]) <= importance(code)),
    ),
    ...facts.CITY_CODES.filter(
      ([code, iata, day]) =>
        !airports.some((airport) => airport.iata === iata && held(airport.cityCodes, code, day)),
    ),
    ...facts.CODES_BY_DAY.filter(([code, day, name]) => {
      const holders = airports.filter((airport) => held(airport.codePeriods, code, day))
      return holders.length !== 1 || !holders[0]?.name.includes(name)
    }),
    ...facts.REGIONS.filter(([word, iata]) => !open.get(iata)?.regions?.includes(word)),
  ]
  return wrong.map((fact) => `the fact ${fact.join(' ')} does not hold`)
}

/** Ids of airlines and aircraft are never removed; airports may be, but only a few in one update. */
function losses(set: ReferenceSet, previous: Previous): string[] {
  const shrunk = Object.entries(previous.counts)
    .filter(([name, count]) => set[name as keyof ReferenceSet].length < count * (1 - LARGEST_LOSS))
    .map(([name, count]) => `${name}: only ${set[name as keyof ReferenceSet].length} of ${count} are left`)
  const gone = (kind: string, known: Set<number>, now: { id: number }[]) => {
    const ids = new Set(now.map((record) => record.id))
    return [...known].filter((id) => !ids.has(id)).map((id) => `${kind} ${id} has disappeared`)
  }
  return [
    ...shrunk,
    ...gone('airline', previous.airlineIds, set.airlines),
    ...gone('aircraft', previous.aircraftIds, set.aircraft),
  ]
}

const atLeast = (what: string, count: number, least: number) =>
  count < least ? [`only ${count} ${what}, expected ${least}`] : []

function repeated(what: string, values: unknown[]): string[] {
  const seen = new Set()
  const twice = new Set()
  for (const value of values) (seen.has(value) ? twice : seen).add(value)
  return [...twice].map((value) => `the ${what} ${value} occurs more than once`)
}

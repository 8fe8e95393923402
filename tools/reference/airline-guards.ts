// Reasons to refuse a set because of its airlines' years, codes by date and duplicates, or its aircraft's codes.
import type { Aircraft } from './aircraft.ts'
import type { Airline } from './airlines.ts'
import * as facts from './facts.ts'

interface Holding {
  airline: Airline
  from: string
  to: string
}

export function historyFaults(airlines: Airline[], aircraft: Aircraft[]): string[] {
  const holdings = holdingsByCode(airlines)
  return [
    ...airlines.flatMap(yearFaults),
    ...successorFaults(airlines),
    ...airlines.filter(isDuplicate).flatMap(duplicateFaults),
    ...[...holdings].flatMap(([code, list]) => overlapFaults(code, list)),
    ...presentFaults(airlines, holdings),
    ...facts.AIRLINE_CODES.filter(([code, day, icao]) => holderOn(holdings, code, day)?.icao !== icao).map(
      (fact) => `the fact ${fact.join(' ')} does not hold`,
    ),
    ...facts.GENERIC_TYPES.filter((code) => aircraft.some((type) => type.iata?.includes(code))).map(
      (code) => `the aircraft code ${code} means several types`,
    ),
  ]
}

/** A duplicate is kept for flights that have its id. */
const isDuplicate = (airline: Airline) => airline.importance === 0 && airline.successorId !== null

function holdingsByCode(airlines: Airline[]): Map<string, Holding[]> {
  const all = airlines.flatMap((airline) =>
    (airline.codePeriods ?? []).map(([code, from, to]) => ({
      code,
      airline,
      from: from ?? '0000-01-01',
      to: to ?? '9999-12-31',
    })),
  )
  return Map.groupBy(all, (holding) => holding.code)
}

const holderOn = (holdings: Map<string, Holding[]>, code: string, day: string): Airline | undefined =>
  holdings.get(code)?.find(({ from, to }) => from <= day && day <= to)?.airline

function yearFaults({ id, name, from, to, active }: Airline): string[] {
  return [
    ...(from !== null && to !== null && from > to ? [`airline ${id} ${name} ends before it begins`] : []),
    ...(active && to !== null ? [`airline ${id} ${name} is active and has ended`] : []),
  ]
}

function successorFaults(airlines: Airline[]): string[] {
  const ids = new Set(airlines.map((airline) => airline.id))
  return airlines
    .filter(({ id, successorId }) => successorId !== null && (successorId === id || !ids.has(successorId)))
    .map(({ id, name }) => `airline ${id} ${name} has an unknown successor`)
}

const duplicateFaults = ({ id, icao, iata, codePeriods }: Airline): string[] =>
  icao || iata || codePeriods ? [`the duplicate airline ${id} has codes`] : []

function overlapFaults(code: string, list: Holding[]): string[] {
  const sorted = list.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return sorted.flatMap((holding, i) => {
    const next = sorted[i + 1]
    const faults =
      holding.from > holding.to ? [`the period of ${code} of ${holding.airline.name} is empty`] : []
    if (next && next.from <= holding.to)
      faults.push(`${code} means both ${holding.airline.name} and ${next.airline.name} on ${next.from}`)
    return faults
  })
}

/** A code with periods is described by them alone, so today's holder needs one. */
function presentFaults(airlines: Airline[], holdings: Map<string, Holding[]>): string[] {
  const present = airlines.filter((airline) => airline.active && (airline.icao || airline.country))
  return present.flatMap((airline) =>
    [airline.iata, airline.icao]
      .filter((code) => code !== null && holdings.has(code))
      .filter((code) => !holdings.get(code!)!.some((h) => h.airline === airline && h.to === '9999-12-31'))
      .map((code) => `${code} is ${airline.name}'s today, which its periods do not say`),
  )
}

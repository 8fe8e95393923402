// OpenTravelData's tables of airlines and aircraft types (tables/opentraveldata), as rows with the fields we use.
import { readFileSync } from 'node:fs'

export interface KnownAirline {
  icao: string | null
  iata: string | null
  name: string
  /** Other names, in other languages and scripts too. */
  names: string[]
  /** A year or a day. */
  from: string | null
  to: string | null
  /** Departures on sale in OpenTravelData's sample of schedules. */
  flights: number
}

interface KnownType {
  iata: string
  icao: string
  name: string
}

/** Railways, coaches and reservation systems have designators too. */
const isAirline = (row: Record<string, string>) => row.pk?.startsWith('air-') && row.type !== 'R'

export const readKnownAirlines = (): KnownAirline[] =>
  ['optd_airlines', 'optd_airline_no_longer_valid'].flatMap(readRows).filter(isAirline).map(airlineOf)

export const readKnownTypes = (): KnownType[] =>
  readRows('optd_aircraft')
    .filter((row) => row.iata_code && row.icao_code)
    .map((row) => ({
      iata: row.iata_code!,
      icao: row.icao_code!,
      name: `${row.manufacturer} ${row.model}`,
    }))

function readRows(name: string): Record<string, string>[] {
  const text = readFileSync(`${import.meta.dirname}/tables/opentraveldata/${name}.csv`, 'utf8')
  const [head = [], ...lines] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('^'))
  return lines.map((cells) => Object.fromEntries(head.map((column, i) => [column, cells[i]?.trim() ?? ''])))
}

function airlineOf(row: Record<string, string>): KnownAirline {
  const from = dateOf(row.validity_from, '-01-01')
  const to = dateOf(row.validity_to, '-12-31')
  return {
    icao: row['3char_code'] || null,
    iata: row['2char_code'] || null,
    name: row.name ?? '',
    names: [row.name, row.name2, ...otherNames(row.alt_names ?? '')].filter((name) => !!name) as string[],
    from,
    // Some ends are before their starts.
    to: from && to && to < from ? null : to,
    flights: Number(row.flt_freq || 0),
  }
}

/** The first and the last day of a year mean the year. */
const dateOf = (day: string | undefined, roundedTo: string) =>
  !day ? null : day.endsWith(roundedTo) ? day.slice(0, 4) : day

/** `language|name|marks`, separated by `=`; `sign` is the call sign. */
const otherNames = (text: string) =>
  text
    .split('=')
    .map((entry) => entry.split('|'))
    .filter(([language, name]) => language !== 'sign' && name)
    .map(([, name]) => name)

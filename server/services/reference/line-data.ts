// Makes the file that the web app needs to read one line of text (domain/entry/line/data.ts), from the reference data of this
// instance. It must stay small, because phones load it over slow networks.

import type { KeptFiles } from '../../base/response/kept-files.ts'
import type { LineData, LinePeriod } from '../../domain/entry/line/types.ts'
import { languages } from '../../domain/languages.ts'
import { cityName } from '../../domain/reference/cities.ts'
import { cityNames } from '../../domain/reference/city-names.ts'
import { mainThen } from '../../domain/reference/place-choice.ts'
import { searchFold } from '../../domain/text/fold.ts'
import { namesIn } from '../../domain/text/search-text.ts'
import {
  type LineAirportRow,
  listLineAircraft,
  listLineAirlines,
  listLineAirports,
  listLinePeriods,
} from '../../store/entry/line-records.ts'
import type { Executor } from '../../store/store.ts'
import { foreignNames, islandNames } from './line-names.ts'

/** Made once for all processes: making it takes a hundred times as long as reading it. */
export async function keptLineData(db: Executor, files: KeptFiles, revision: number): Promise<LineData> {
  const key = `line-data/${revision}`
  const kept = await readKept(files, key)
  if (kept) return kept
  const data = await makeLineData(db)
  // Without a disk, each process makes its own; the files report the problem once.
  await keep(files, key, data).catch(() => undefined)
  return data
}

async function keep(files: KeptFiles, key: string, data: LineData): Promise<void> {
  const file = await files.create()
  try {
    await file.handle.writeFile(JSON.stringify(data))
    await file.keep(key)
  } finally {
    await file.close()
  }
}

/** undefined if there is no such file, or its disk damaged it. */
async function readKept(files: KeptFiles, key: string): Promise<LineData | undefined> {
  const found = await files.find(key)
  if (!found) return undefined
  try {
    return JSON.parse(await found.handle.readFile('utf8'))
  } catch {
    return undefined
  } finally {
    await found.handle.close()
  }
}

type Periods = Awaited<ReturnType<typeof listLinePeriods>>

export async function makeLineData(db: Executor): Promise<LineData> {
  // Sorted here, because PostgreSQL's collation differs and the file must be the same on both engines.
  const periods = (await listLinePeriods(db)).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const airports = (await listLineAirports(db)).toSorted((a, b) => (a.icao < b.icao ? -1 : 1))
  const zones = [...new Set(airports.map(({ timezone }) => timezone))]
  return {
    zones,
    airports: airportColumns(airports, zones, periods),
    airlines: airlineColumns(await listLineAirlines(db), periods),
    aircraft: aircraftColumns(await listLineAircraft(db)),
  }
}

const keyOf = ({ code, recordId, from }: Periods[number]): string => `${code} ${recordId} ${from ?? ''}`

/** 0 to 100 for shipped records; records that were added here rank above them. */
const sizeOf = ({ importance, custom }: { importance: number; custom: 0 | 1 }, most: number): number =>
  custom === 1 ? 101 : Math.round(Math.min(1, importance / most) * 100)

const differences = (values: readonly number[]): number[] =>
  values.map((value, i) => value - (values[i - 1] ?? 0))
/** Removes the file's separators, which a name entered by a person may contain. */
const clean = (text: string): string => text.replaceAll(/[|;*^~]/g, ' ').trim()
const joinTexts = (texts: readonly string[]): string => texts.map(clean).join('|')
const degrees = (values: readonly number[]): number[] =>
  differences(values.map((value) => Math.round(value * 100)))

const airportColumns = (
  all: readonly LineAirportRow[],
  zones: string[],
  periods: Periods,
): LineData['airports'] => ({
  id: differences(all.map(({ id }) => id)),
  iata: all.map(({ iata }) => iata ?? '---').join(''),
  icao: all.map(({ icao }) => icao).join(' '),
  name: all.map(shortName).join('|'),
  city: joinTexts(all.map(({ municipality }) => municipality ?? '')),
  country: all.map(({ country }) => country).join(''),
  latitude: degrees(all.map(({ latitude }) => latitude)),
  longitude: degrees(all.map(({ longitude }) => longitude)),
  zone: all.map(({ timezone }) => zones.indexOf(timezone)),
  size: all.map((airport) =>
    sizeOf({ ...airport, importance: mainThen[airport.icao] ?? airport.importance }, 100_000),
  ),
  names: all.map((airport) => otherNames(airport).join(';')).join('|'),
  periods: periodsOf(periods, 'airport', all),
  // The most important airport of a city comes first.
  cities: periodsOf(periods, 'city', all).toSorted(
    (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) || all[b[1]]!.importance - all[a[1]]!.importance,
  ),
})

function shortName({ name, municipality }: LineAirportRow): string {
  const city = clean(municipality ?? '')
  const whole = clean(name)
  const short = city === '' ? whole : whole.replace(city, '*')
  return short.replace(/ International Airport$/, '~').replace(/ Airport$/, '^')
}

/** From this importance on, airports keep their names in all languages, if written in Latin letters. */
const LARGE = 70_000
const notNames =
  /^(?:lungsod|kota|bandar|city of|thanh pho|ciutat|estat|cathair|ciudad|cidade|dakbayan|comune|municip)/

/** The names that the app shows are recognised too. */
const shownNames = (airport: LineAirportRow): string[] =>
  languages.map((language) => searchFold(cityName(airport, cityNames[language]) ?? ''))

function otherNames(airport: LineAirportRow): string[] {
  const { search, name, municipality, importance, icao, custom } = airport
  const own = new Set([searchFold(name), searchFold(municipality ?? '')])
  const isKept = (folded: string) => {
    if (own.has(folded) || !/^[a-z][a-z0-9 ]{2,23}$/.test(folded)) return false
    return (
      custom === 1 ||
      foreignNames.has(folded) ||
      (importance >= LARGE && folded.length > 3 && !notNames.test(folded))
    )
  }
  const shown = shownNames(airport).filter((folded) => !own.has(folded))
  return [...new Set([...namesIn(search).filter(isKept), ...shown, ...(islandNames[icao] ?? [])])]
}

function periodsOf(
  periods: Periods,
  kind: Periods[number]['kind'],
  records: readonly { id: number }[],
): LinePeriod[] {
  const indexes = new Map(records.map(({ id }, i) => [id, i]))
  return periods.flatMap(({ kind: of, code, recordId, from, to }): LinePeriod[] => {
    const index = indexes.get(recordId)
    return of !== kind || index === undefined ? [] : [[code, index, from, to]]
  })
}

type Airlines = Awaited<ReturnType<typeof listLineAirlines>>
const airlineColumns = (all: Airlines, periods: Periods): LineData['airlines'] => ({
  id: differences(all.map(({ id }) => id)),
  iata: joinTexts(all.map(({ iata }) => iata ?? '')),
  icao: joinTexts(all.map(({ icao }) => icao ?? '')),
  name: joinTexts(all.map(({ name }) => name)),
  names: all.map((airline) => airlineNames(airline).join(';')).join('|'),
  size: all.map((airline) => sizeOf(airline, 600)),
  // A code that only one airline ever had, and still has, needs no history.
  periods: periodsOf(periods, 'airline', all).filter(
    ([code], _, every) => code.length === 2 && every.filter((other) => other[0] === code).length > 1,
  ),
})

/** From this importance on, airlines are known by their short name: SAS, Swiss, TUI. */
const KNOWN_BY_SHORT_NAME = 430

/** Callsigns have other meanings as words, so they count only if the name begins with them, such as easyJet's “easy”. */
function airlineNames({ name, callsign, search, importance }: Airlines[number]): string[] {
  const [own, called] = [searchFold(name), searchFold(callsign ?? '')]
  return namesIn(search).filter(
    (folded) =>
      importance >= KNOWN_BY_SHORT_NAME &&
      folded !== own &&
      /^[a-z0-9 ]{3,16}$/.test(folded) &&
      (folded !== called || `${own} `.startsWith(`${called} `)),
  )
}

type Types = Awaited<ReturnType<typeof listLineAircraft>>
const aircraftColumns = (all: Types): LineData['aircraft'] => ({
  id: differences(all.map(({ id }) => id)),
  icao: joinTexts(all.map(({ icao }) => icao ?? '')),
  iata: all.map(({ iata }) => iata.trim().split(/\s+/).join(';')).join('|'),
  name: joinTexts(all.map(({ name }) => name)),
  names: all.map(({ search, name }) => shortNames(search, name).join(';')).join('|'),
  size: all.map((type) => sizeOf(type, 1000)),
})

const shortNames = (search: string, name: string): string[] =>
  namesIn(search).filter((folded) => folded.length < 16 && folded !== searchFold(name))

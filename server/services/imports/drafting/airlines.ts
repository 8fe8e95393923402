// The airline and aircraft type of a flight in a file. If several match, the field stays empty.

import type { ImportWarning } from '../../../domain/imports/imports.ts'
import { meaningOfAll, ofCode } from '../../../domain/reference/by-code.ts'
import { ofBeginning } from '../../../domain/reference/by-name.ts'
import { type Days, daysOf } from '../../../domain/reference/code-periods.ts'
import type { Resolution } from '../../../domain/reference/resolution.ts'
import { resolve as resolveIn } from '../../../domain/reference/resolve.ts'
import { searchFold } from '../../../domain/text/fold.ts'
import { type Aircraft, type Airline, findAirlines } from '../../../store/reference/records.ts'
import { aircraftTypes, airlines, createIndex, type Source } from '../../reference/resolve/records.ts'
import type { Named, SourceFlight } from '../reading/source.ts'
import { readFlightNumber } from '../values/numbers.ts'

interface Carrier {
  airline: Airline | null
  /** The airline of the flight number's code, if any. */
  ofNumber: Airline | null
  warnings: ImportWarning[]
  /** Does not block the row: the text and its possible meanings. */
  question?: { value: string; candidates: readonly Airline[] }
}

interface Carriers {
  prepare(flights: readonly SourceFlight[]): Promise<void>
  resolve(
    named: Named | null,
    flightNumber: string | null,
    days: Days,
    field: 'airlineId' | 'operatingAirlineId',
  ): Carrier
  byId(id: number): Airline | undefined
  matches(text: string): readonly Airline[]
}

export async function createCarriers(
  source: Source,
  today: string,
  answeredIds: readonly number[],
): Promise<Carriers> {
  const now = daysOf(today)
  const index = createIndex(source, airlines)
  const kind = airlines.table
  const known = new Map((await findAirlines(source.db, answeredIds)).map((airline) => [airline.id, airline]))
  /** Airlines by OpenFlights id. */
  const byOpenFlightsId = new Map<number, Airline>()
  /** Cached, because a log has many flights but few numbers. */
  const codeOf = new Map<string, string | null>()

  const numberCode = (text: string | null | undefined): string | null => {
    if (!text) return null
    const read = codeOf.get(text)
    if (read !== undefined) return read
    const code = readFlightNumber(text)?.airlineCode ?? null
    codeOf.set(text, code)
    return code
  }

  /** Cached folded names. */
  const shortNames = new Map<string, string | undefined>()
  const shortened = (name: string): string | undefined => {
    if (!shortNames.has(name)) shortNames.set(name, twoWords(name))
    return shortNames.get(name)
  }

  async function prepare(flights: readonly SourceFlight[]) {
    const texts = new Set(
      flights
        .flatMap(({ airline, operatingAirline }) => [airline, operatingAirline])
        .filter((named) => !!named),
    )
    const ofNumbers = flights.flatMap(({ flightNumber, operatingFlightNumber }) => [
      numberCode(flightNumber),
      numberCode(operatingFlightNumber),
    ])
    await index.prepareCodes([
      ...[...texts].flatMap((named) => named.codes),
      ...ofNumbers.filter((code) => code !== null),
    ])
    await index.prepareNames([...texts].flatMap((named) => named.name ?? []))
    const ids = [...texts].flatMap((named) => openFlightsIds(named)).filter((id) => !byOpenFlightsId.has(id))
    for (const airline of await findAirlines(source.db, [...new Set(ids)]))
      byOpenFlightsId.set(airline.id, airline)
    // Company names often have more words than the names that people use.
    const unknown = [...texts].filter(
      (named) => named.name !== null && index.byName(named.name).matches.length === 0,
    )
    await index.prepareNames(unknown.flatMap((named) => shortened(named.name!) ?? []))
  }

  /** By whole name, or the only airline whose name begins with it. */
  function byName(name: string, days: Days): { meaning: Resolution<Airline>; isGuess: boolean } {
    const named = (text: string) => resolveIn(index, text, { kind, days, strictness: 'name' })
    const beginning = (text: string) => ofBeginning(index.byName(text), { kind, days })
    const meaning = named(name)
    if (meaning.outcome !== 'unknown') return { meaning, isGuess: false }
    const start = shortened(name)
    const whole = start ? named(start) : meaning
    const record = beginning(name) ?? (whole.outcome === 'found' ? whole.record : start && beginning(start))
    return record ? { meaning: { outcome: 'found', record }, isGuess: true } : { meaning, isGuess: false }
  }

  /** An id decides if the codes do not. */
  function byCodes(named: Named, days: Days): Resolution<Airline> {
    const ids = openFlightsIds(named)
    if (ids.length === 0) return meaningOfAll(index, named.codes, { kind, days }, now)
    const written = named.codes.filter((code) => !code.startsWith(OPENFLIGHTS))
    const meaning = meaningOfAll(index, written, { kind, days }, now)
    const record = ids.flatMap((id) => byOpenFlightsId.get(id) ?? [])[0]
    return meaning.outcome !== 'found' && record ? { outcome: 'found', record } : meaning
  }

  return {
    prepare,
    byId: (id) => known.get(id),
    matches: (text) => index.byName(text).matches,
    resolve(named, flightNumber, days, field) {
      const code = numberCode(flightNumber)
      const ofNumber = code === null ? unknown : ofCode(index, code, { kind, days })
      const numbered = ofNumber.outcome === 'found' ? ofNumber.record : null
      const warnings: ImportWarning[] = []
      const taken = (meaning: Found, value: string, isGuess = false): Carrier => {
        if (meaning.warning) warnings.push({ code: meaning.warning, field, value })
        if (isGuess) warnings.push({ code: 'airline_guessed', field, value })
        return { airline: meaning.record, ofNumber: numbered, warnings }
      }
      const undecided = (value: string, candidates: readonly Airline[]): Carrier => ({
        airline: null,
        ofNumber: numbered,
        warnings: [{ code: 'airline_unknown', field, value }],
        question: { value, candidates },
      })
      if (named) {
        const byCode = byCodes(named, days)
        const { meaning, isGuess } =
          named.name === null ? { meaning: unknown, isGuess: false } : byName(named.name, days)
        // The name in the file takes precedence over a code that has passed to another airline.
        if (meaning.outcome === 'found' && !(isGuess && byCode.outcome === 'found')) {
          const isSame = byCode.outcome === 'found' && byCode.record.id === meaning.record.id
          return isSame ? taken(byCode, named.text) : taken(meaning, named.text, isGuess)
        }
        if (byCode.outcome === 'found') return taken(byCode, named.text)
        // The airline's text is not understood, but the flight number may still have the airline.
        if (ofNumber.outcome === 'found' && named.codes.length === 0 && meaning.outcome === 'ambiguous') {
          const isOne = meaning.candidates.some(({ id }) => id === ofNumber.record.id)
          if (isOne) return taken(ofNumber, named.text)
        }
        const several = [byCode, meaning].find((one) => one.outcome === 'ambiguous')
        // An unknown name does not contradict the number.
        if (ofNumber.outcome === 'found' && !several && named.codes.length === 0)
          return taken(ofNumber, named.text, true)
        return undecided(named.text, several?.outcome === 'ambiguous' ? several.candidates : [])
      }
      if (code === null) return { airline: null, ofNumber: null, warnings }
      if (ofNumber.outcome === 'found') return taken(ofNumber, code)
      return undecided(code, ofNumber.outcome === 'ambiguous' ? ofNumber.candidates : [])
    },
  }
}

const OPENFLIGHTS = 'of:'
type Found = Extract<Resolution<Airline>, { outcome: 'found' }>
const unknown: Resolution<Airline> = { outcome: 'unknown' }

/** The first two words of a longer name. */
const twoWords = (name: string): string | undefined => {
  const words = searchFold(name).split(' ')
  return words.length > 2 ? words.slice(0, 2).join(' ') : undefined
}

const noIds: readonly number[] = []
const openFlightsIds = ({ codes }: Named): readonly number[] =>
  codes.some((code) => code.startsWith(OPENFLIGHTS))
    ? codes.flatMap((code) => (code.startsWith(OPENFLIGHTS) ? Number(code.slice(OPENFLIGHTS.length)) : []))
    : noIds

// Aircraft types

export interface Types {
  prepare(flights: readonly SourceFlight[]): Promise<void>
  /** Everything that a text may mean. */
  matches(named: Named): readonly Aircraft[]
  resolve(named: Named | null): { aircraft: Aircraft | null; warnings: ImportWarning[] }
}

const makers = [
  'Airbus',
  'Antonov',
  'Avro',
  'Beechcraft',
  'Boeing',
  'Bombardier',
  'British Aerospace',
  'Canadair',
  'Cessna',
  'COMAC',
  'Dassault',
  'De Havilland Canada',
  'De Havilland',
  'Dornier',
  'Embraer',
  'Fokker',
  'Gulfstream',
  'Ilyushin',
  'Learjet',
  'Lockheed',
  'McDonnell Douglas',
  'Piper',
  'Saab',
  'Sukhoi',
  'Tupolev',
  'Yakovlev',
].map((maker) => `${searchFold(maker)} `)

/** The names of a type, with and without its manufacturer. */
function namesOf({ name }: Aircraft): string[] {
  const full = searchFold(name)
  const maker = makers.find((start) => full.startsWith(start))
  return maker ? [full, full.slice(maker.length)] : [full]
}

const anyDay: Days = { first: '2000-01-01', last: '2000-01-01' }

export function createTypes(source: Source): Types {
  const index = createIndex(source, aircraftTypes)
  const how = { kind: aircraftTypes.table, days: anyDay }
  const known = new Map<string, Aircraft | null>()

  function find({ codes: given, name }: Named): Aircraft | null {
    const byCode = given.map((code) => ofCode(index, code, how)).find(({ outcome }) => outcome === 'found')
    if (byCode?.outcome === 'found') return byCode.record
    return name === null ? null : byName(name)
  }

  /** By whole name, with or without the manufacturer; by another name or a beginning only if no other type has it. */
  function byName(name: string): Aircraft | null {
    const wanted = searchFold(name)
    const { matches } = index.byName(name)
    const exact = matches.filter((type) => namesOf(type).includes(wanted))
    if (exact.length === 1) return exact[0]!
    const variants = matches.filter((type) => namesOf(type).some((full) => full.startsWith(`${wanted} `)))
    const meaning = resolveIn(index, name, { ...how, strictness: 'name' })
    const possible = meaning.outcome === 'found' ? [meaning.record, ...variants] : variants
    const isOne = new Set(possible.map(({ id }) => id)).size === 1
    return exact.length === 0 && meaning.outcome !== 'ambiguous' && isOne ? possible[0]! : null
  }

  return {
    async prepare(flights) {
      const texts = new Set(flights.flatMap(({ aircraft }) => aircraft ?? []))
      await index.prepareCodes([...texts].flatMap((named) => named.codes))
      await index.prepareNames([...texts].flatMap((named) => named.name ?? []))
    },
    matches: ({ text, name }) => index.byName(name ?? text).matches,
    resolve(named) {
      if (!named) return { aircraft: null, warnings: [] }
      const aircraft = known.get(named.text) ?? find(named)
      known.set(named.text, aircraft)
      if (aircraft) return { aircraft, warnings: [] }
      return { aircraft, warnings: [{ code: 'aircraft_unknown', field: 'aircraftId', value: named.text }] }
    },
  }
}

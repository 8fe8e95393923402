// The airline and aircraft type of a flight in a file. If several match, the field stays empty.

import { isFlownAs } from '../../../domain/flights/number.ts'
import type { ImportWarning } from '../../../domain/imports/imports.ts'
import { familyOfCode } from '../../../domain/reference/aircraft-spelling.ts'
import {
  type AirlineMeant,
  nameAfterCode,
  ofAirline,
  wholeOrBeginning,
} from '../../../domain/reference/airline-choice.ts'
import { ofCode } from '../../../domain/reference/by-code.ts'
import { ofWholeName } from '../../../domain/reference/by-name.ts'
import { type Days, daysOf } from '../../../domain/reference/code-periods.ts'
import { type How, type Resolution, spellingsOf } from '../../../domain/reference/resolution.ts'
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
    const names = [...texts].flatMap(({ name }) => name ?? [])
    // Company names often have more words than the names that people use.
    const unfound = names.filter((name) => index.byName(name).matches.length === 0)
    const unnamed = names.filter((name) => index.byName(name).whole.length === 0)
    await index.prepareNames([
      ...unfound.flatMap((name) => shortened(name) ?? []),
      ...unnamed.flatMap((name) => nameAfterCode(name)?.rest ?? []),
    ])
  }

  /** By the whole name, or the beginning of a name; company names are shortened to their first words. */
  function byName(name: string, how: How): AirlineMeant<Airline> {
    const whole = wholeOrBeginning(index, name, how)
    const start = whole.meaning.outcome === 'unknown' ? shortened(name) : undefined
    const meant = start === undefined ? whole : wholeOrBeginning(index, start, how)
    return start === undefined || meant.meaning.outcome !== 'found' ? whole : { ...meant, isGuess: true }
  }

  /** An OpenFlights id decides if the codes and the name do not. */
  function meantBy(named: Named, days: Days): AirlineMeant<Airline> {
    const codes = named.codes.filter((code) => !code.startsWith(OPENFLIGHTS))
    const how = { kind, days }
    const meant = ofAirline(index, { codes, name: named.name }, how, {
      now,
      byName: (name) => byName(name, how),
    })
    const record = openFlightsIds(named).flatMap((id) => byOpenFlightsId.get(id) ?? [])[0]
    const isDecided = meant.meaning.outcome === 'found' && !meant.isGuess
    return isDecided || !record ? meant : { meaning: { outcome: 'found', record } }
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
      const taken = (meaning: Found, value: string, isGuess?: boolean): Carrier => {
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
        const { meaning, isGuess, isDisputed } = meantBy(named, days)
        if (isDisputed) warnings.push({ code: 'airline_disagrees', field, value: named.text })
        if (meaning.outcome === 'found') {
          const isOther = numbered !== null && numbered.id !== meaning.record.id
          if (isOther && !isDisputed && !isFlownAs(meaning.record, code!))
            warnings.push({ code: 'airline_disagrees', field, value: flightNumber! })
          return taken(meaning, named.text, isGuess)
        }
        // The airline's text is not understood, but the flight number may still have the airline.
        const isOfSeveral =
          meaning.outcome === 'ambiguous' && meaning.candidates.some(({ id }) => id === numbered?.id)
        if (ofNumber.outcome === 'found' && named.codes.length === 0 && isOfSeveral)
          return taken(ofNumber, named.text)
        // An unknown name does not contradict the number.
        if (ofNumber.outcome === 'found' && named.codes.length === 0 && meaning.outcome === 'unknown')
          return taken(ofNumber, named.text, true)
        return undecided(named.text, meaning.outcome === 'ambiguous' ? meaning.candidates : [])
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

  const nameIn = ({ text, name }: Named): string | null => familyOfCode(text) ?? name

  function find(given: Named): Aircraft | null {
    const byCode = given.codes
      .map((code) => ofCode(index, code, how))
      .find(({ outcome }) => outcome === 'found')
    if (byCode?.outcome === 'found') return byCode.record
    const name = nameIn(given)
    const named = (name === null ? [] : spellingsOf(name, how.kind)).map((spelling) => byName(spelling))
    return named.find((type) => type !== null) ?? null
  }

  /** By whole name, with or without the manufacturer; by another name or a beginning only if no other type has it. */
  function byName(name: string): Aircraft | null {
    const wanted = searchFold(name)
    const { matches } = index.byName(name)
    const exact = matches.filter((type) => namesOf(type).includes(wanted))
    if (exact.length === 1) return exact[0]!
    const variants = matches.filter((type) => namesOf(type).some((full) => full.startsWith(`${wanted} `)))
    const meaning = ofWholeName(index.byName(name), name, how)
    const possible = meaning.outcome === 'found' ? [meaning.record, ...variants] : variants
    const isOne = new Set(possible.map(({ id }) => id)).size === 1
    return exact.length === 0 && meaning.outcome !== 'ambiguous' && isOne ? possible[0]! : null
  }

  return {
    async prepare(flights) {
      const texts = new Set(flights.flatMap(({ aircraft }) => aircraft ?? []))
      await index.prepareCodes([...texts].flatMap((named) => named.codes))
      await index.prepareNames([...texts].flatMap((named) => nameIn(named) ?? []))
    },
    matches: (named) => index.byName(nameIn(named) ?? named.text).matches,
    resolve(named) {
      if (!named) return { aircraft: null, warnings: [] }
      const aircraft = known.get(named.text) ?? find(named)
      known.set(named.text, aircraft)
      if (aircraft) return { aircraft, warnings: [] }
      return { aircraft, warnings: [{ code: 'aircraft_unknown', field: 'aircraftId', value: named.text }] }
    },
  }
}

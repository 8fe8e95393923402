// Which airline and which aircraft type a flight of a file had. Neither is ever guessed among several: the field stays empty.
import { type Days, daysOf } from '../domain/code-periods.ts'
import type { ImportWarning } from '../domain/imports.ts'
import { searchFold } from '../domain/search-text.ts'
import { meaningOfAll, prepareCodes, prepareNames } from '../resolve/prepared.ts'
import { aircraftTypes, airlines, type Source } from '../resolve/reference.ts'
import type { Resolution } from '../resolve/resolution.ts'
import { type Aircraft, type Airline, findAirlines } from '../store/reference.ts'
import type { Named, SourceFlight } from './source.ts'
import { readFlightNumber } from './values/numbers.ts'

interface Carrier {
  airline: Airline | null
  /** The airline whose code the number has, if it has one. */
  ofNumber: Airline | null
  warnings: ImportWarning[]
  /** Does not block: what it is about, and what it may be. */
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
  const codes = prepareCodes(source.db, airlines)
  const names = prepareNames(source, airlines)
  const known = new Map((await findAirlines(source.db, answeredIds)).map((airline) => [airline.id, airline]))
  /** By the id that OpenFlights gave them: ours are the same. */
  const byOpenFlightsId = new Map<number, Airline>()
  /** Numbers are read once: a log has many flights and few numbers. */
  const codeOf = new Map<string, string | null>()

  const numberCode = (text: string | null | undefined): string | null => {
    if (!text) return null
    const read = codeOf.get(text)
    if (read !== undefined) return read
    const code = readFlightNumber(text)?.airlineCode ?? null
    codeOf.set(text, code)
    return code
  }

  /** Names are folded once, too. */
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
    await codes.prepare([
      ...[...texts].flatMap((named) => named.codes),
      ...ofNumbers.filter((code) => code !== null),
    ])
    await names.prepare([...texts].flatMap((named) => named.name ?? []))
    const ids = [...texts].flatMap((named) => openFlightsIds(named)).filter((id) => !byOpenFlightsId.has(id))
    for (const airline of await findAirlines(source.db, [...new Set(ids)]))
      byOpenFlightsId.set(airline.id, airline)
    // The names of companies often have more words than the names that people know.
    const unknown = [...texts].filter(
      (named) => named.name !== null && names.matches(named.name).length === 0,
    )
    await names.prepare(unknown.flatMap((named) => shortened(named.name!) ?? []))
  }

  /** By the whole name, else by the only one that begins so. */
  function byName(name: string, days: Days): { meaning: Resolution<Airline>; isGuess: boolean } {
    const meaning = names.meaning(name, days)
    if (meaning.outcome !== 'unknown') return { meaning, isGuess: false }
    const start = shortened(name)
    const whole = start ? names.meaning(start, days) : meaning
    const record =
      names.beginning(name, days) ??
      (whole.outcome === 'found' ? whole.record : start && names.beginning(start, days))
    return record ? { meaning: { outcome: 'found', record }, isGuess: true } : { meaning, isGuess: false }
  }

  /** An id settles what no code does. */
  function byCodes(named: Named, days: Days): Resolution<Airline> {
    const ids = openFlightsIds(named)
    if (ids.length === 0) return meaningOfAll(codes, named.codes, days, now)
    const written = named.codes.filter((code) => !code.startsWith(OPENFLIGHTS))
    const meaning = meaningOfAll(codes, written, days, now)
    const record = ids.flatMap((id) => byOpenFlightsId.get(id) ?? [])[0]
    return meaning.outcome !== 'found' && record ? { outcome: 'found', record } : meaning
  }

  return {
    prepare,
    byId: (id) => known.get(id),
    matches: (text) => names.matches(text),
    resolve(named, flightNumber, days, field) {
      const code = numberCode(flightNumber)
      const ofNumber = code === null ? unknown : codes.meaning(code, days)
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
        // The name in the file wins over a code that was handed on.
        if (meaning.outcome === 'found' && !(isGuess && byCode.outcome === 'found')) {
          const isSame = byCode.outcome === 'found' && byCode.record.id === meaning.record.id
          return isSame ? taken(byCode, named.text) : taken(meaning, named.text, isGuess)
        }
        if (byCode.outcome === 'found') return taken(byCode, named.text)
        // What is written beside the number is not understood: the number may still say it.
        if (ofNumber.outcome === 'found' && named.codes.length === 0 && meaning.outcome === 'ambiguous') {
          const isOne = meaning.candidates.some(({ id }) => id === ofNumber.record.id)
          if (isOne) return taken(ofNumber, named.text)
        }
        const several = [byCode, meaning].find((one) => one.outcome === 'ambiguous')
        // A name that means nothing does not contradict the number.
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

interface Types {
  prepare(flights: readonly SourceFlight[]): Promise<void>
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

/** The name of a type, with and without its maker. */
function namesOf({ name }: Aircraft): string[] {
  const full = searchFold(name)
  const maker = makers.find((start) => full.startsWith(start))
  return maker ? [full, full.slice(maker.length)] : [full]
}

const anyDay: Days = { first: '2000-01-01', last: '2000-01-01' }

export function createTypes(source: Source): Types {
  const codes = prepareCodes(source.db, aircraftTypes)
  const names = prepareNames(source, aircraftTypes)
  const known = new Map<string, Aircraft | null>()

  function find({ codes: given, name }: Named): Aircraft | null {
    const byCode = given.map((code) => codes.meaning(code, anyDay)).find(({ outcome }) => outcome === 'found')
    if (byCode?.outcome === 'found') return byCode.record
    return name === null ? null : byName(name)
  }

  /** By its whole name, with or without the maker; another name of it, or the beginning of one, only if no other type has it. */
  function byName(name: string): Aircraft | null {
    const wanted = searchFold(name)
    const matches = names.matches(name)
    const exact = matches.filter((type) => namesOf(type).includes(wanted))
    if (exact.length === 1) return exact[0]!
    const variants = matches.filter((type) => namesOf(type).some((full) => full.startsWith(`${wanted} `)))
    const meaning = names.meaning(name, anyDay)
    const possible = meaning.outcome === 'found' ? [meaning.record, ...variants] : variants
    const isOne = new Set(possible.map(({ id }) => id)).size === 1
    return exact.length === 0 && meaning.outcome !== 'ambiguous' && isOne ? possible[0]! : null
  }

  return {
    async prepare(flights) {
      const texts = new Set(flights.flatMap(({ aircraft }) => aircraft ?? []))
      await codes.prepare([...texts].flatMap((named) => named.codes))
      await names.prepare([...texts].flatMap((named) => named.name ?? []))
    },
    resolve(named) {
      if (!named) return { aircraft: null, warnings: [] }
      const aircraft = known.get(named.text) ?? find(named)
      known.set(named.text, aircraft)
      if (aircraft) return { aircraft, warnings: [] }
      return { aircraft, warnings: [{ code: 'aircraft_unknown', field: 'aircraftId', value: named.text }] }
    },
  }
}

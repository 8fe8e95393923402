// Names of places that the reference data does not have, and airports named by their city and a word of their name: `Milan Linate`.
import { searchFold } from '../../text/fold.ts'
import { airportsNamed, type LineReference } from './data.ts'
import type { LineAirport } from './types.ts'

/** By folded name, the ICAO codes of the airports. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'easter island': ['SCIP'],
  osterinsel: ['SCIP'],
  'isla de pascua': ['SCIP'],
  'ile de paques': ['SCIP'],
  'isola di pasqua': ['SCIP'],
  tegel: ['EDDT'],
}
/** Names that mean two places: the country next to Nice, and Munich in Italian. */
const twoPlaces: Readonly<Record<string, readonly string[]>> = { monaco: ['LFMN', 'EDDM'] }

/** The main airport before the city's present one opened, if its record is of a suburb. */
const formerly: Readonly<Record<string, string>> = { istanbul: 'LTBA' }

const placesOf = ({ airports }: LineReference, codes: readonly string[] = []): LineAirport[] =>
  codes.flatMap((code) => airports.byCode.get(code)?.[0] ?? [])

/** The airport with a name that no record has. */
export const airportElsewhere = (reference: LineReference, folded: string): LineAirport | undefined =>
  placesOf(reference, elsewhere[folded])[0]

/** The airports of which the person has to choose one. */
export const airportsAsked = (reference: LineReference, folded: string): LineAirport[] =>
  placesOf(reference, twoPlaces[folded])

/** The main airport of the city then. */
export const airportFormerly = (reference: LineReference, folded: string): LineAirport[] => {
  const code = formerly[folded]
  return code === undefined ? [] : placesOf(reference, [code])
}

const SHORTEST = 4
/** In words. */
const LONGEST = 4
const common = new Set(
  'international airport flughafen intl regional municipal field airfield base'.split(' '),
)
/** From this size on, a word is the name of another city: Manchester–Boston Regional Airport is not Boston's. */
const SERVED = 50

/** `Milan Linate`, `Chicago O’Hare`, `Washington National`, `Moskau Scheremetjewo`: one airport of a city. */
export function airportOfCity(reference: LineReference, folded: string): LineAirport | undefined {
  const words = folded.split(' ')
  if (words.length > LONGEST) return undefined
  for (let cut = 1; cut < words.length; cut++) {
    const rest = words.slice(cut).join('')
    const all = words.slice(0, cut).join(' ')
    if (rest.length < SHORTEST || common.has(rest) || !reference.airports.byName.has(all)) continue
    const found = airportsNamed(reference, all).filter((airport) => isCalledIn(airport, rest))
    const [other] = reference.airports.byName.get(words.slice(cut).join(' ')) ?? []
    const isElsewhere = other !== undefined && other.size >= SERVED && !found.includes(other)
    if (found.length === 1 && !isElsewhere) return found[0]
  }
  return undefined
}

/** Whether these letters are one or more whole words of the airport's name. */
function isCalledIn({ name }: LineAirport, letters: string): boolean {
  const [whole, wanted] = [latin(searchFold(name)), latin(letters)]
  // Most names do not have them at all.
  if (!whole.replaceAll(' ', '').includes(wanted)) return false
  const words = whole.split(' ')
  return words.some((_, from) =>
    [1, 2, 3].some((count) => words.slice(from, from + count).join('') === wanted),
  )
}

/** Russian names are written in several ways: Scheremetjewo, Sheremetyevo. */
const latin = (letters: string): string =>
  letters
    .replaceAll(/s?ch?h|sh/g, 'sh')
    .replaceAll('j', 'y')
    .replaceAll('w', 'v')

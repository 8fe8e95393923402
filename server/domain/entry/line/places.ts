// Airports in a line, by code, city or name. A word that names several airports means the one that the person uses most, then
// the home airport, then the largest; the others are alternatives.
import { searchFold } from '../../text/fold.ts'
import { between, type Line } from './atoms.ts'
import { type Candidate, type Search, WORD } from './candidate.ts'
import { airportsNamed, airportsOfCode, isLargeAirline, type LineReference, wasOpen } from './data.ts'
import { airportElsewhere, airportFormerly, airportOfCity, airportsAsked } from './place-words.ts'
import type { LineAirport } from './types.ts'
import { commonWords, doubtfulPlaces, endNamedBy } from './words.ts'

/** In atoms, signs inside a name included: `Frankfurt (Main)`, `Rhein-Main`. */
const LONGEST = 8

export function airportsAt(search: Search, first: number): Candidate[] {
  const { atoms } = search.line
  const found = unplaced(search, first, first, 'airport')
  const slot = endNamedBy(atoms[first], atoms[first + 1])
  return slot && atoms[first + 1] ? [...found, ...unplaced(search, first, first + 1, slot)] : found
}

/** Places that a chain may be made of: their end is clear from its order. */
export const codedPlacesAt = (search: Search, first: number): Candidate[] =>
  search.line.atoms[first]
    ? unplaced(search, first, first, 'airport').filter(({ certainty }) => certainty !== undefined)
    : []

/** Names that begin at `start`. The candidate begins at `first`, where a word may say which end of the flight it is. */
function unplaced(
  search: Search,
  first: number,
  start: number,
  slot: 'airport' | 'from' | 'to',
): Candidate[] {
  const { line } = search
  if (line.atoms[start]!.isSign) return []
  const most = Math.min(line.atoms.length, start + LONGEST)
  const all: Candidate[] = []
  for (let end = start + 1; end <= most; end++) {
    if (line.atoms[end - 1]!.isSign) continue
    const text = between(line, start, end)
    const isBeside = smallCodes.has(text) && isBesideCode(search, start)
    const found = meant(search, text, slot !== 'airport', isBeside)
    const certainty = certaintyOf(search, text, found)
    const isMention = slot === 'airport' && isWhereabouts(line, first)
    const [best, ...others] = ranked(found, search)
    if (!best) continue
    const words = line.atoms.slice(start, end).filter(({ isSign }) => !isSign).length
    all.push({
      ...{ first, end, slot, kind: slot === 'to' ? 'to' : 'from' },
      sets: { fromId: best.id },
      others: others.map(({ id }) => ({ fromId: id })),
      score: found.score + WORD * (words - 1) + (slot === 'airport' ? 0 : WORD) - (isMention ? MENTION : 0),
      ...(found.isCode ? { isCode: true } : {}),
      ...(found.isDoubtful ? { isDoubtful: true } : {}),
      ...(found.isAsked ? { isAsked: true } : {}),
      ...(others.length > 0 ? { withoutLogId: ranked(found, search, false)[0]!.id } : {}),
      ...(certainty ? { certainty } : {}),
    })
  }
  return all
}

interface Meant {
  isCode?: boolean
  /** Found by a name: the airports are in order of likelihood. */
  isNamed?: boolean
  isDoubtful?: boolean
  /** The person has to choose. */
  isAsked?: boolean
  airports: readonly LineAirport[]
  score: number
}

/** Large airports whose codes are words. */
const smallCodes = new Set(['ist', 'den', 'sea', 'mia', 'mad', 'per', 'man'])

/** `mad bcn`, `sfo-sea`: next to a code without a word for its end, such a word is a code too. */
function isBesideCode({ line: { atoms }, known, day }: Search, at: number): boolean {
  const wordAt = (index: number, step: number): number =>
    atoms[index]?.isSign ? wordAt(index + step, step) : index
  return [wordAt(at - 1, -1), wordAt(at + 1, 1)].some((index) => {
    const { text = '', plain = '' } = atoms[index] ?? {}
    const isCode = /^[A-Za-z]{3}$/.test(text) && (!commonWords.has(plain) || smallCodes.has(plain))
    const isPlaced = index !== at + 1 && endNamedBy(atoms[index - 1], atoms[index]) !== undefined
    return isCode && !isPlaced && airportsOfCode(known.reference, text.toUpperCase(), day).airports.length > 0
  })
}

/** “A meeting in Berlin” is weaker than two other airports, “a stop in Berlin” is not. */
export const isWhereabouts = ({ atoms, text }: Line, first: number): boolean =>
  /^(?:in|en)$/.test(atoms[first - 1]?.plain ?? '') &&
  !/stop|layover|umst|transfer|connect|escal|scalo|coinciden/i.test(text)
const MENTION = 4

/** Whether the words name an airport even if the flight already has two: anywhere, or only next to one of the two. */
function certaintyOf({ capitals }: Search, text: string, found: Meant): Candidate['certainty'] {
  const { airports, isNamed = false, isDoubtful, score } = found
  const size = airports[0]?.size ?? 0
  if (isDoubtful || score < (size < 40 ? 6 : 9)) return undefined
  if (isNamed) return size >= SERVED ? 'alone' : 'beside'
  if (text === text.toUpperCase()) return size >= LARGE ? 'alone' : 'beside'
  return capitals === 0 && size >= SERVED ? 'beside' : undefined
}
const [SERVED, LARGE] = [50, 60]

const isSmall = (text: string): boolean => /^[a-z]{3,4}$/.test(text)

/** How many airports a line names by upper-case codes; next to two of them, lower-case words are not codes. */
export const codesInCapitals = ({ atoms }: Line, reference: LineReference, day: string): number =>
  atoms.filter(({ text }) => {
    if (!/^[A-Z]{3,4}$/.test(text)) return false
    const [airport] = airportsOfCode(reference, text, day).airports
    return airport !== undefined && !isAirline(reference, text, airport)
  }).length

function meant({ known, day, capitals }: Search, text: string, isPlaced: boolean, isBeside: boolean): Meant {
  const code = text.toUpperCase()
  const isCommon = commonWords.has(text) && !isPlaced && !isBeside
  const isDoubtful = (doubtfulPlaces.has(text) || (isBeside && commonWords.has(text))) && !isPlaced
  const folded = searchFold(text)
  const named = airportsNamed(known.reference, text)
  const exact = cityAndCode(known.reference, text, day)
  const one = exact ?? airportOfCity(known.reference, folded) ?? openElsewhere(known.reference, folded, day)
  if (one) return { airports: [one], isCode: true, isDoubtful, score: exact ? CITY_AND_CODE : OWN_NAME }
  const then =
    named[0] && !wasOpen(known.reference, named[0], day) ? airportFormerly(known.reference, folded) : []
  if (then.length > 0) return { airports: [...then, ...named], isCode: true, score: OWN_NAME }
  const two = airportsAsked(known.reference, folded)
  if (two.length > 0) return { airports: two, isNamed: true, isAsked: true, score: OWN_NAME }
  // Bali, Riga, Rome: a city of four letters is more likely than a code.
  const isWord = capitals > 1 && isSmall(text) && !isPlaced
  const isLocal = isLocalCode(text)
  const isCode = isLocal || /^[A-Z]{3}$|^[A-Z][A-Z0-9]{3}$/.test(code)
  if (!isWord && isCode && !(code.length === 4 && named.length > 0)) {
    const coded = airportsOfCode(known.reference, code, day)
    const isLess = (capitals > 0 && isSmall(text)) || isAirline(known.reference, text, coded.airports[0])
    const less = isLess ? RATHER_OTHER : 0
    const score = isCommon ? COMMON : isDoubtful ? DOUBTFUL : codeScore(text)
    const all = [...new Set([...coded.airports, ...named])]
    // `Kos` and `Goa` are cities: the code KOS would be all upper or all lower case.
    if (isWritten(text) && isAt(named[0], text))
      return { airports: [...new Set([...named, ...all])], isNamed: true, isDoubtful, score }
    if (coded.airports.length > 0)
      return { airports: all, isCode: coded.isOne, isDoubtful, score: score - less }
  }
  return {
    airports: named,
    isNamed: true,
    isDoubtful,
    score: isCommon ? COMMON : isDoubtful ? DOUBTFUL : nameScore(text, named),
  }
}

/** `1Q4`, `16A`: a code of the United States. */
const isLocalCode = (text: string): boolean => /^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{3}$/.test(text)

/** Few airports have a code like `3O8`, so it is rather one of them than a flight number; but `16A` is rather a seat. */
const codeScore = (text: string): number =>
  text.length === 4 ? 8 : isLocalCode(text) && !/^\d\d[A-L]$/.test(text) ? LOCAL_CODE : 9
const LOCAL_CODE = 13

/** Tegel is closed: for a later day, the word is not understood. */
function openElsewhere(reference: LineReference, folded: string, day: string): LineAirport | undefined {
  const airport = airportElsewhere(reference, folded)
  return airport && wasOpen(reference, airport, day) ? airport : undefined
}

/** Above a city plus one of its airports as the two ends of a flight. */
const CITY_AND_CODE = 16
const OWN_NAME = 14

/** `New York JFK`, `London (LHR)`: the code names one airport of the city. */
function cityAndCode(reference: LineReference, text: string, day: string): LineAirport | undefined {
  const [, city, code] = /^(.{3,}?)(?: \(?|\()([a-z]{3})$/i.exec(text) ?? []
  if (!city || !code) return undefined
  const [airport] = airportsOfCode(reference, code.toUpperCase(), day).airports
  return airport && airportsNamed(reference, city).includes(airport) ? airport : undefined
}

const isWritten = (text: string): boolean => /^\p{Lu}\p{Ll}{2}$/u.test(text)
const isAt = (airport: LineAirport | undefined, text: string): boolean =>
  airport !== undefined && searchFold(airport.city ?? '') === searchFold(text)

/** `tui` is more likely an airline than Turaif, and `los` next to an upper-case code is more likely a word. */
const RATHER_OTHER = 4
const SMALL_AIRPORT = 50
const isAirline = ({ airlines }: LineReference, text: string, airport: LineAirport | undefined): boolean =>
  (airport?.size ?? 0) < SMALL_AIRPORT && isLargeAirline(airlines.byName.get(searchFold(text))?.[0])

/** Below the cost of an unknown word, so that it stays unknown. */
const COMMON = -6
const DOUBTFUL = 4

/**
 * A small place whose name is an everyday word is not meant by that word. A name that only the airport has scores less than
 * a code: in “cph jfk glass”, Glass Field is not meant.
 */
function nameScore(text: string, [best]: readonly LineAirport[]): number {
  const folded = searchFold(text)
  const isPlace =
    best && (`${searchFold(best.city ?? '')} `.startsWith(`${folded} `) || best.names.includes(folded))
  return (!isPlace ? 8 : text.length >= 5 ? 10 : 9) - ((best?.size ?? 0) < 40 ? 3 : 0)
}

/** Airports that were open on the day first; then by the log, home and size. A code means the first of its airports. */
function ranked(
  { airports, isCode, isNamed }: Meant,
  { known, day }: Search,
  withLog = true,
): readonly LineAirport[] {
  if (isCode) return airports
  const { airports: visits, homeId } = known.memory
  const ofLog = ({ id }: LineAirport) => (visits.get(id) ?? 0) * 1000 + (id === homeId ? 500 : 0)
  const weight = (airport: LineAirport) =>
    (wasOpen(known.reference, airport, day) ? 1e6 : 0) +
    (withLog ? ofLog(airport) : 0) +
    (isNamed ? 0 : airport.size)
  // The sort is stable.
  return airports.toSorted((a, b) => weight(b) - weight(a))
}

// The likely answers to a question, computed once after the last row, from the log and from the rest of the rows.
import { inSteps } from '../../../base/in-steps.ts'
import { canonicalFlightNumber } from '../../../domain/flights/number.ts'
import { distanceKm } from '../../../domain/geo/geo.ts'
import type { ChoiceReason } from '../../../domain/imports/imports.ts'
import { airportCode } from '../../../domain/reference/code-periods.ts'
import { searchFold } from '../../../domain/text/fold.ts'
import { listOwnRoutes, type OwnRoute } from '../../../store/entry/own-records.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAircraft,
  findAirlines,
  findAirports,
} from '../../../store/reference/records.ts'
import type { Source } from '../../reference/resolve/records.ts'
import type { Named, SourceFlight } from '../reading/source.ts'
import type { Types } from './airlines.ts'
import type { CustomValues } from './custom-fields.ts'
import type { Question } from './draft.ts'
import type { FlownNumbers } from './flown-numbers.ts'
import type { People } from './people.ts'
import type { PlaceField, Places } from './places.ts'
import { type Asked, recordIdOf, toQuestion } from './questions.ts'

interface AboutPlace {
  kind: 'place'
  field: PlaceField
  named: Named | null
  /** Airports of a city, or near the end of a track. */
  candidates: readonly Airport[]
  /** The other airports of the first rows with the question. */
  others: Airport[]
  numbers: Set<string>
  hints: Set<string>
}
export type AboutQuestion =
  | AboutPlace
  | { kind: 'airline'; candidates: readonly Airline[] }
  | { kind: 'aircraft'; named: Named }
  | { kind: 'person' }
  | { kind: 'field' }
  | { kind: 'zone' }
  | { kind: 'text' }
  /** The likely years, and the date of each in one of the rows. */
  | { kind: 'year'; dates: Map<number, string> }

export const aboutPlace = (
  field: PlaceField,
  named: Named | null,
  candidates: readonly Airport[],
): AboutQuestion => ({
  kind: 'place',
  field,
  named,
  candidates,
  others: [],
  numbers: new Set(),
  hints: new Set(),
})

/** The answer that a text is about a flight of the importer. */
export const FLIGHT = 'flight'

const EXAMPLES = 5

export function noteContext(
  about: AboutQuestion,
  { note, flightNumber }: SourceFlight,
  { from, to }: { from: Airport | null; to: Airport | null },
): void {
  if (about.kind !== 'place') return
  const other = about.field === 'fromId' ? to : from
  if (other && about.others.length < EXAMPLES) about.others.push(other)
  if (flightNumber && about.numbers.size < EXAMPLES) about.numbers.add(canonicalFlightNumber(flightNumber))
  if (note && about.hints.size < EXAMPLES) about.hints.add(note.slice(0, 500))
}

interface Parts {
  source: Source
  userId: string
  places: Places
  people: People
  fields: CustomValues
  types: Types
  flown: FlownNumbers
}

const SUGGESTIONS_AT_MOST = 5
const CITY_AIRPORTS_AT_MOST = 12
/** Suggestions need searches, so only this many questions get them; people can type the other answers. */
const DESCRIBED_AT_MOST = 200

export async function describeQuestions(
  asked: readonly Asked<AboutQuestion>[],
  parts: Parts,
): Promise<Question[]> {
  const isAboutPlace = asked.some(({ about, answer }) => about.kind === 'place' && !answer)
  const routes = isAboutPlace ? await listOwnRoutes(parts.source.db, parts.userId) : []
  const described: Question[] = []
  const describe = async (question: Asked<AboutQuestion>, i: number) => {
    const isNeeded = i < DESCRIBED_AT_MOST || question.answer !== null
    described.push(toQuestion(question, isNeeded ? await choicesFor(question, parts, routes) : []))
  }
  await inSteps(asked, ([question], i) => describe(question!, i), { size: 1 })
  return described
}

async function choicesFor(
  { kind, value, about, answer }: Asked<AboutQuestion>,
  parts: Parts,
  routes: readonly OwnRoute[],
): Promise<Question['choices']> {
  if (about.kind === 'zone') return zones
  if (about.kind === 'text') return [{ id: FLIGHT, label: 'It is my flight', detail: '' }]
  if (about.kind === 'year') return yearChoices(about.dates)
  if (about.kind === 'person') return parts.people.choices(value)
  if (about.kind === 'field') return parts.fields.choices()
  const chosen = recordIdOf(answer)
  if (about.kind === 'airline') return airlineChoices(value, about.candidates, chosen, parts)
  if (about.kind === 'aircraft') return aircraftChoices(about.named, chosen, parts)
  const likely =
    kind === 'ambiguous_airport'
      ? cityAirports(about, parts, routes)
      : await suggestedAirports(about, parts, routes)
  const answered = typeof answer?.id === 'number' ? parts.places.byId(answer.id) : undefined
  const isShown = likely.some(({ airport }) => airport.id === answered?.id)
  const shown = answered && !isShown ? [{ airport: answered }, ...likely] : likely
  return shown.map((one) => airportChoice(one, about.others[0]))
}

/** The airlines that the text may mean, otherwise those with a similar name. */
async function airlineChoices(
  value: string,
  candidates: readonly Airline[],
  chosen: number | undefined,
  { source: { db, reference, revision } }: Parts,
): Promise<Question['choices']> {
  const found =
    candidates.length > 0
      ? candidates
      : await reference.searchAirlines(db, revision, value, { nearMisses: true })
  const likely = found.slice(0, SUGGESTIONS_AT_MOST)
  const reason = candidates.length > 0 ? {} : { reason: 'similar' as const }
  const answered = await missingIn(likely, chosen, (id) => findAirlines(db, [id]))
  return [...answered.map(airlineChoice), ...likely.map((one) => ({ ...airlineChoice(one), ...reason }))]
}

/** The record of an answer that was found by a search, so that it has a name. */
const missingIn = async <Item extends { id: number }>(
  likely: readonly Item[],
  chosen: number | undefined,
  find: (id: number) => Promise<Item[]>,
): Promise<Item[]> =>
  chosen === undefined || likely.some(({ id }) => id === chosen) ? [] : await find(chosen)

const aircraftChoice = ({ id, name, icao }: Aircraft) => ({ id, label: name, detail: icao ?? '' })

/** The variants of a family, otherwise types with a similar name. */
async function aircraftChoices(
  named: Named,
  chosen: number | undefined,
  { source, types }: Parts,
): Promise<Question['choices']> {
  const { db, reference, revision } = source
  const variants = types.matches(named)
  const found =
    variants.length > 0
      ? variants
      : await reference.searchAircraft(db, revision, named.text.slice(0, 200), { nearMisses: true })
  const reason = variants.length > 0 ? {} : { reason: 'similar' as const }
  const likely = found.slice(0, SUGGESTIONS_AT_MOST)
  const answered = await missingIn(likely, chosen, (id) => findAircraft(db, [id]))
  return [...answered.map(aircraftChoice), ...likely.map((one) => ({ ...aircraftChoice(one), ...reason }))]
}

/** An airport that may be meant, and why. */
interface Likely {
  airport: Airport
  reason?: ChoiceReason | undefined
}

const zones = [
  { id: 'local', label: 'Local time', detail: 'At each airport' },
  { id: 'utc', label: 'UTC', detail: 'Zulu time' },
]

const YEARS_AT_MOST = 5
const yearChoices = (dates: ReadonlyMap<number, string>): Question['choices'] =>
  [...dates]
    .sort(([a], [b]) => b - a)
    .slice(0, YEARS_AT_MOST)
    .map(([year, date]) => ({ id: String(year), label: String(year), detail: date }))

const airportChoice = ({ airport, reason }: Likely, other: Airport | undefined) => ({
  id: airport.id,
  label: `${airportCode(airport)} ${airport.name}`,
  detail: [airport.municipality, airport.country].filter((part) => part).join(', '),
  ...(reason && { reason }),
  ...(other && { km: Math.round(distanceKm(airport, other)), kmFrom: airportCode(other) }),
})

const airlineChoice = ({ id, name, iata, icao, from, to }: Airline) => ({
  id,
  label: name,
  detail: [[iata, icao].filter((code) => code).join('/'), years(from, to)].filter((part) => part).join(', '),
})
const years = (from: string | null, to: string | null): string =>
  from || to ? `${from?.slice(0, 4) ?? ''}–${to?.slice(0, 4) ?? ''}` : ''

/** How often airports are in the log. */
function usesOf(routes: readonly OwnRoute[]): Map<number, number> {
  const uses = new Map<number, number>()
  for (const { from, to } of routes)
    for (const id of [from, to]) if (id !== null) uses.set(id, (uses.get(id) ?? 0) + 1)
  return uses
}

/** Airports at this end of the log's flights with the same numbers. */
const flownByNumber = ({ field, numbers }: AboutPlace, routes: readonly OwnRoute[]): Set<number> =>
  new Set(
    routes.flatMap(({ from, to, flightNumber }) => {
      const id = field === 'fromId' ? from : to
      return flightNumber && id !== null && numbers.has(canonicalFlightNumber(flightNumber)) ? id : []
    }),
  )

const sideOf = ({ field }: AboutPlace): 'from' | 'to' => (field === 'fromId' ? 'from' : 'to')

/** Airports of other flights with the same numbers first, then the most used ones, then by importance. */
function cityAirports(about: AboutPlace, { flown }: Parts, routes: readonly OwnRoute[]): Likely[] {
  const uses = usesOf(routes)
  const inFile = new Set(flown.at(sideOf(about), about.numbers).map(({ id }) => id))
  const inLog = flownByNumber(about, routes)
  const rank = ({ id }: Airport) =>
    (inFile.has(id) ? 2_000_000 : 0) + (inLog.has(id) ? 1_000_000 : 0) + (uses.get(id) ?? 0)
  const reasonOf = ({ id }: Airport): ChoiceReason => {
    if (inFile.has(id)) return 'number_in_file'
    if (inLog.has(id)) return 'number_in_log'
    return uses.has(id) ? 'in_log' : 'name'
  }
  return [...about.candidates]
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, CITY_AIRPORTS_AT_MOST)
    .map((airport) => ({ airport, reason: reasonOf(airport) }))
}

/** Ranked by the flight number, the note, the name and the distance to the other airport. */
async function suggestedAirports(
  about: AboutPlace,
  { source, places, flown }: Parts,
  routes: readonly OwnRoute[],
): Promise<Likely[]> {
  const { db, reference, revision, traveller } = source
  const search = (text: string) =>
    reference.searchAirports(db, revision, text.slice(0, 200), { traveller, nearMisses: true })
  const inLog = await findAirports(db, [...flownByNumber(about, routes)])
  const hinted = await hintedAirports(about, search)
  const { named } = about
  const matches = named ? [...places.matches(named), ...(await search(named.name ?? named.text))] : []
  const because = (reason: ChoiceReason, airports: readonly Airport[]): Likely[] =>
    airports.map((airport) => ({ airport, reason }))
  const known = [
    ...because('number_in_file', flown.at(sideOf(about), about.numbers)),
    ...because('number_in_log', inLog),
    ...because('in_note', hinted),
    ...because('near', about.candidates),
  ]
  const byName = matches
    .filter(isLike(named))
    .map((airport, i) => ({ airport, score: i + unlikeliness(airport) + farFrom(about.others, airport) }))
    .sort((a, b) => a.score - b.score)
    .map(({ airport }): Likely => ({ airport, reason: isCalled(airport, named) ? 'name' : 'similar' }))
  return Map.groupBy([...known, ...byName], ({ airport }) => airport.id)
    .values()
    .map(([first]) => first!)
    .take(SUGGESTIONS_AT_MOST)
    .toArray()
}

/** Whether the text is the name of the city or of the airport. */
const isCalled = ({ name, municipality }: Airport, named: Named | null): boolean =>
  [municipality ?? '', name.replace(/ Airport$/, ''), name]
    .map(searchFold)
    .includes(searchFold(named?.name ?? named?.text ?? ''))

/** An unknown code is probably a misspelt one: names that only sound like it are nonsense. */
const isLike =
  (named: Named | null) =>
  ({ iata, icao }: Airport): boolean => {
    if (!named || named.name !== null || named.codes.length === 0) return true
    return named.codes.some((code) => [iata, icao].some((known) => known && differences(known, code) <= 1))
  }

const differences = (a: string, b: string): number =>
  a.length === b.length ? [...a].filter((letter, i) => letter !== b[i]).length : Number.POSITIVE_INFINITY

const AFTER_ALL_OTHERS = 100
/** Cities have many hospital helipads, but logs have few flights to them. */
const unlikeliness = ({ type }: Airport): number => (type === 'heliport' ? AFTER_ALL_OTHERS : 0)

const FAR_KM = 3000
const RANKS_WHEN_FAR = 6

/** Lowers the rank with the distance to the other end; all far airports are equally far. */
const farFrom = (others: readonly Airport[], airport: Airport): number => {
  if (others.length === 0) return 0
  const km = Math.min(...others.map((other) => distanceKm(other, airport)))
  return (Math.min(km, FAR_KM) / FAR_KM) * RANKS_WHEN_FAR
}

const HINT_WORDS_AT_MOST = 8

/** Airports whose place is in the note as a whole word. */
async function hintedAirports(
  { hints }: AboutPlace,
  search: (text: string) => Promise<Airport[]>,
): Promise<Airport[]> {
  const words = [...hints].flatMap((hint) => hint.match(/\p{Lu}\p{L}{3,}(?:[ -]\p{Lu}\p{L}{2,})?/gu) ?? [])
  const found: Airport[] = []
  for (const word of [...new Set(words)].slice(0, HINT_WORDS_AT_MOST)) {
    const [best] = await search(word)
    const wanted = searchFold(word)
    const names = best ? [best.municipality ?? '', best.name].map(searchFold) : []
    if (best && names.some((name) => name === wanted || name.startsWith(`${wanted} `))) found.push(best)
  }
  return found
}

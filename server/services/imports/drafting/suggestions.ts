// The likely answers to a question, computed once after the last row, from the log and from the rest of the rows.
import { inSteps } from '../../../base/in-steps.ts'
import { canonicalFlightNumber } from '../../../domain/flights/number.ts'
import { distanceKm } from '../../../domain/geo/geo.ts'
import type { ChoiceReason } from '../../../domain/imports/imports.ts'
import { airportCode } from '../../../domain/reference/code-periods.ts'
import { searchFold } from '../../../domain/text/fold.ts'
import { listOwnRoutes, type OwnRoute } from '../../../store/entry/own-records.ts'
import { type Airline, type Airport, findAirports } from '../../../store/reference/records.ts'
import type { Source } from '../../reference/resolve/records.ts'
import type { Named, SourceFlight } from '../reading/source.ts'
import type { CustomValues } from './custom-fields.ts'
import type { Question } from './draft.ts'
import type { People } from './people.ts'
import type { PlaceField, Places } from './places.ts'
import { type Asked, toQuestion } from './questions.ts'

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
  | { kind: 'person' }
  | { kind: 'field' }
  | { kind: 'zone' }

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
  if (about.kind === 'person') return parts.people.choices(value)
  if (about.kind === 'field') return parts.fields.choices()
  if (about.kind === 'airline') {
    const { db, reference, revision } = parts.source
    const found =
      about.candidates.length > 0
        ? about.candidates
        : await reference.searchAirlines(db, revision, value, { nearMisses: true })
    return found.slice(0, SUGGESTIONS_AT_MOST).map(airlineChoice)
  }
  const suggested =
    kind === 'ambiguous_airport' ? cityAirports(about, routes) : await suggestedAirports(about, parts, routes)
  const answered = typeof answer?.id === 'number' ? parts.places.byId(answer.id) : undefined
  const isShown = suggested.some(({ airport }) => airport.id === answered?.id)
  const shown = answered && !isShown ? [{ airport: answered }, ...suggested] : suggested
  return shown.map((one) => airportChoice(one, about.others[0]))
}

/** An airport that may be meant. */
interface Suggested {
  airport: Airport
  why?: ChoiceReason | undefined
}

const zones = [
  { id: 'local', label: 'Local time', detail: 'At each airport' },
  { id: 'utc', label: 'UTC', detail: 'Zulu time' },
]

const airportChoice = ({ airport, why }: Suggested, other: Airport | undefined) => ({
  id: airport.id,
  label: `${airportCode(airport)} ${airport.name}`,
  detail: [airport.municipality, airport.country].filter((part) => part).join(', '),
  ...(why && { why }),
  ...(other && { km: Math.round(distanceKm(airport, other)) }),
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

/** Airports of earlier flights with the same numbers first, then the most used ones, then by importance. */
function cityAirports(about: AboutPlace, routes: readonly OwnRoute[]): Suggested[] {
  const uses = usesOf(routes)
  const flown = flownByNumber(about, routes)
  const rank = ({ id }: Airport) => (flown.has(id) ? 1_000_000 : 0) + (uses.get(id) ?? 0)
  return [...about.candidates]
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, CITY_AIRPORTS_AT_MOST)
    .map((airport) => ({ airport, why: flown.has(airport.id) ? 'number' : 'name' }))
}

/** Ranked by the note, the name and the distance to the other airport. */
async function suggestedAirports(
  about: AboutPlace,
  { source, places }: Parts,
  routes: readonly OwnRoute[],
): Promise<Suggested[]> {
  const { db, reference, revision, traveller } = source
  const search = (text: string) =>
    reference.searchAirports(db, revision, text.slice(0, 200), { traveller, nearMisses: true })
  const flown = await findAirports(db, [...flownByNumber(about, routes)])
  const hinted = await hintedAirports(about, search)
  const { named } = about
  const matches = named ? [...places.matches(named), ...(await search(named.name ?? named.text))] : []
  const scored: (Suggested & { score: number })[] = [
    ...flown.map((airport, i) => ({ airport, why: 'number' as const, score: i - 40 })),
    ...hinted.map((airport, i) => ({ airport, why: 'note' as const, score: i - 20 })),
    ...about.candidates.map((airport, i) => ({
      airport,
      why: named ? undefined : ('near' as const),
      score: i - 10,
    })),
    ...matches.map((airport, i) => ({
      airport,
      why: isCalled(airport, named) ? ('name' as const) : ('similar' as const),
      score: i + unlikeliness(airport) + farFrom(about.others, airport),
    })),
  ].sort((a, b) => a.score - b.score)
  const first = new Map(scored.toReversed().map((one) => [one.airport.id, one]))
  return scored.filter((one) => first.get(one.airport.id) === one).slice(0, SUGGESTIONS_AT_MOST)
}

/** Whether the text is the name of the city or of the airport. */
const isCalled = ({ name, municipality }: Airport, named: Named | null): boolean =>
  [municipality ?? '', name.replace(/ Airport$/, ''), name]
    .map(searchFold)
    .includes(searchFold(named?.name ?? named?.text ?? ''))

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

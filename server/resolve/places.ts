// From the name of a place to the airport that it means on a day: the city served or the airport's own name, in any language of
// the reference set. One airport is taken if it is the only one with airline service or far more important than the others; where
// several are of rank, all of them are the answer and the caller asks (docs/decisions/121).
import { type Days, daysWithin } from '../domain/code-periods.ts'
import { distanceKm } from '../domain/geo.ts'
import { isFarMoreImportant, mainThen, OF_SOME_RANK, SERVED } from '../domain/place-choice.ts'
import { aliasesIn, namesIn, regionsIn, searchFold, wordsOf } from '../domain/search-text.ts'
import type { Reference } from '../reference/reference.ts'
import {
  type Airport,
  type CodePeriod,
  findAirports,
  listAirportPeriods,
  listImportanceByCodes,
  listPeriodsOfAirports,
} from '../store/reference.ts'
import { findSearchTexts } from '../store/search-texts.ts'
import type { Executor } from '../store/store.ts'
import type { Resolution } from './resolution.ts'

interface Source {
  db: Executor
  reference: Reference
  revision: number
}

/** How a text fits an airport, the best first. `beside`: another airport of the city that the text names. */
type Fit = 'city' | 'own' | 'alias' | 'region' | 'words' | 'wordsAndRegion' | 'beginning' | 'beside'

interface Fitting {
  airport: Airport
  fit: Fit
  /** With the same blanks. */
  isExact: boolean
  /** Of today. */
  importance: number
  periods: readonly CodePeriod[]
}

export interface PlaceNamed {
  fitting: readonly Fitting[]
  /** How important today's holders of codes are that others had before them. */
  successors: ReadonlyMap<string, number>
}

const LONGEST_NAME = 200

/** Everything that the text may mean on whatever day. */
export async function findPlaces(source: Source, text: string): Promise<PlaceNamed> {
  if (text.length > LONGEST_NAME) return { fitting: [], successors: new Map() }
  const { db } = source
  const called = await airportsCalled(source, text)
  const fitting = await fittingOf(db, called, text, (airport, search) => fitOf(airport, search, text))
  const fits = await fitsBeside(db, fitting)
  const others = await findAirports(db, [...fits.keys()])
  const besides = await fittingOf(db, others, text, ({ id }) => fits.get(id))
  fitting.push(...besides.map((one) => ({ ...one, isExact: true })))
  return { fitting, successors: await successorsOf(db, fitting) }
}

/** Those that fit, with what is known about them. */
async function fittingOf(
  db: Executor,
  airports: readonly Airport[],
  text: string,
  fitOfAirport: (airport: Airport, search: string) => Fit | undefined,
): Promise<Fitting[]> {
  const ids = airports.map(({ id }) => id)
  const facts = new Map((await findSearchTexts(db, 'airport', ids)).map((fact) => [fact.id, fact]))
  const periods = Map.groupBy(await listPeriodsOfAirports(db, ids), ({ id }) => id)
  return airports.flatMap((airport) => {
    const { search = '', importance = 0 } = facts.get(airport.id) ?? {}
    const fit = fitOfAirport(airport, search)
    const isExact = isCalledExactly(airport, search, text)
    return fit ? { airport, fit, isExact, importance, periods: periods.get(airport.id) ?? [] } : []
  })
}

/** Those that are called exactly so, and what a search finds besides. */
async function airportsCalled({ db, reference, revision }: Source, text: string): Promise<Airport[]> {
  const texts = new Set([text, bareName(searchFold(text)), ...partsOf(text).slice(0, 1)])
  const found: Airport[] = []
  for (const one of texts) found.push(...(await reference.airportsNamed(db, revision, one)))
  found.push(...(await reference.searchAirports(db, revision, text)))
  return [...new Map(found.map((airport) => [airport.id, airport])).values()]
}

/** The other airports of the cities that the text names, by the cities' codes; and those that had an airport's code before it. */
async function fitsBeside(db: Executor, fitting: readonly Fitting[]): Promise<Map<number, Fit>> {
  const known = new Set(fitting.map(({ airport }) => airport.id))
  const besides = new Map<number, Fit>()
  const seen = new Set<string>()
  for (const { airport, fit, periods } of fitting) {
    if (fit !== 'city' && fit !== 'alias') continue
    for (const { kind, code } of periods) {
      if (seen.has(code) || (kind === 'airport' && code !== airport.iata)) continue
      seen.add(code)
      for (const holder of await listAirportPeriods(db, code))
        if (holder.kind === kind && !known.has(holder.id))
          besides.set(holder.id, kind === 'city' ? 'beside' : fit)
    }
  }
  return besides
}

async function successorsOf(db: Executor, fitting: readonly Fitting[]): Promise<Map<string, number>> {
  const ended = fitting.flatMap(({ periods }) =>
    periods.flatMap(({ kind, code, to }) =>
      kind === 'airport' && to !== null && code.length === 3 ? code : [],
    ),
  )
  const found = await listImportanceByCodes(db, [...new Set(ended)])
  return new Map(found.map(({ iata, importance }) => [iata, importance]))
}

// What a text has to do with an airport

/** Words that every airport may have in its name. */
const generic = new Set(
  'international intl airport airfield flughafen flugplatz aéroport aeropuerto aeroporto lufthavn lufthamn flygplats'
    .split(' ')
    .map(searchFold),
)
const bareName = (name: string): string =>
  name
    .split(' ')
    .filter((word) => !generic.has(word))
    .join(' ')

/** `Köln/Bonn`, `Copenhagen, Denmark` */
const partsOf = (text: string): string[] =>
  text
    .split(/[/,;–—()]|\s-\s/)
    .map((part) => bareName(searchFold(part)))
    .filter((part) => part !== '')

const joined = (name: string): string => name.replaceAll(' ', '')

function fitOf(airport: Airport, search: string, text: string): Fit | undefined {
  const wanted = bareName(searchFold(text))
  if (wanted === '') return undefined
  const whole = fitOfName(airport, search, wanted)
  if (whole) return whole
  const [first, ...others] = partsOf(text)
  if (first && others.length > 0) {
    const fit = fitOfName(airport, search, first)
    const names = new Set([...namesIn(search).map(bareName), ...regionsOf(airport, search)])
    if (fit && others.every((part) => names.has(part))) return fit
  }
  return others.length > 0 ? undefined : fitOfWords(airport, search, wanted.split(' '))
}

/** All words in any order, of names and codes and perhaps of a region: `New York JFK`, `London Ontario`. */
function fitOfWords(airport: Airport, search: string, given: readonly string[]): Fit {
  const regions = regionsOf(airport, search).flatMap((region) => region.split(' '))
  const names = new Set(wordsOf(search.replace(/\+[^!#$&*+]+/g, '')).split(' '))
  if (given.every((word) => names.has(word))) return 'words'
  const isRegional =
    given.some((word) => names.has(word)) && given.every((word) => names.has(word) || regions.includes(word))
  return isRegional ? 'wordsAndRegion' : 'beginning'
}

const shortCountries: Record<string, string[]> = { GB: ['uk', 'england'], US: ['usa', 'us'], AE: ['uae'] }
const regionsOf = ({ country }: Airport, search: string): string[] => [
  ...regionsIn(search),
  country.toLowerCase(),
  ...(shortCountries[country] ?? []),
]

function fitOfName({ name, municipality }: Airport, search: string, wanted: string): Fit | undefined {
  const isWanted = (other: string) => joined(other) === joined(wanted)
  const city = searchFold(municipality ?? '')
  if (isWanted(city) || partsOf(municipality ?? '').some(isWanted)) return 'city'
  if (ownNames(name, city).some(isWanted)) return 'own'
  if (aliasesIn(search).map(bareName).some(isWanted)) return 'alias'
  return regionsIn(search).some(isWanted) ? 'region' : undefined
}

function isCalledExactly({ name, municipality }: Airport, search: string, text: string): boolean {
  const names = new Set([...namesIn(search).map(bareName), ...partsOf(municipality ?? '')])
  const own = ownNames(name, searchFold(municipality ?? ''))
  return [bareName(searchFold(text)), ...partsOf(text).slice(0, 1)].some(
    (one) => names.has(one) || own.includes(one),
  )
}

/** The airport's name, without what every airport is called and without its city: London Heathrow, Heathrow. */
function ownNames(name: string, city: string): string[] {
  const names = [name, name.split(/[(/–]/)[0]!].map((one) => bareName(searchFold(one)))
  return names.flatMap((one) => (one.startsWith(`${city} `) ? [one, one.slice(city.length + 1)] : [one]))
}

// What is meant on a day

interface Then extends Fitting {
  isServed: boolean
}

/** The airport that the name means on the days, or those among which one has to be chosen. */
export function placeOn({ fitting, successors }: PlaceNamed, days: Days): Resolution<Airport> {
  const then = byImportance(fitting.map((one) => asOf(one, days, successors)))
  const served = then.filter(({ isServed }) => isServed)
  const called = withExactFirst(fits(served, 'city', 'own', 'alias'))
  const inRegion = fits(served, 'region')
  if (called.some(({ fit }) => fit !== 'alias')) return ofCity(called, served, days)
  // Crete is an island, although it is a name of one of its airports too.
  if (called.length > 0)
    return inRegion.length > 0 ? chosen(byImportance([...called, ...inRegion])) : ofCity(called, served, days)
  return inRegion.length > 0 ? oneOf(inRegion) : ofLess(then, served)
}

const fits = (all: readonly Then[], ...wanted: Fit[]): Then[] => all.filter(({ fit }) => wanted.includes(fit))
const byImportance = (all: readonly Then[]): Then[] => all.toSorted((a, b) => b.importance - a.importance)

/** Georgetown is not George Town, where there is one of each. */
function withExactFirst(called: readonly Then[]): Then[] {
  const exact = called.filter(({ isExact }) => isExact)
  return exact.length > 0 ? exact : [...called]
}

/** A name of a city with airline service. */
function ofCity(called: readonly Then[], served: readonly Then[], days: Days): Resolution<Airport> {
  const counted = withOthersOfCity(withoutOtherNames(called), served, days)
  const choice = chosen(counted)
  if (choice.outcome !== 'ambiguous') return choice
  return asked(byImportance([...new Set([...counted, ...called])]))
}

/** No place with airline service is called so: the words of one, or an airfield. */
function ofLess(then: readonly Then[], served: readonly Then[]): Resolution<Airport> {
  const words = fits(served, 'words')
  const named = words.length > 0 ? words : fits(served, 'wordsAndRegion')
  const airfields = then.filter(isAirfield)
  const fields = fits(airfields, 'city', 'own', 'alias')
  if (fields.length === 0 && named.length > 0) return oneOf(named)
  const larger = fields.filter(isLarger)
  if (named.length === 0 && larger.length === 1)
    return { outcome: 'found', record: larger[0]!.airport, isByName: true, isAirfield: true }
  const past = fits(then, 'city', 'own', 'alias').filter(({ airport }) => isPast(airport))
  const offered = [...fits(served, 'beginning'), ...fits(airfields, 'words')]
  const closest = [...named, ...fields, ...past]
  return asked(closest.length > 0 ? closest : offered, 'part')
}

/** Airports without airline service are taken by their name; fields are only offered. */
const isLarger = ({ airport: { type }, fit }: Then): boolean =>
  fit !== 'alias' && (type === 'large_airport' || type === 'medium_airport')
const isPast = ({ type, iata }: Airport): boolean => type === 'closed' && iata !== null

const isAirfield = ({ airport: { type }, isServed }: Then): boolean =>
  !isServed && type !== 'closed' && type !== 'heliport' && type !== 'balloonport'

const isOn = (period: CodePeriod, days: Days): boolean =>
  period.kind === 'airport' && period.code.length === 3 && daysWithin(period, days) > 0
const isDated = ({ from, to }: CodePeriod): boolean => from !== null || to !== null

/** What was added here is meant before what was shipped. */
const ADDED_HERE = 101_000

/**
 * Importance on the days: that of the airport which has the code today, if this one had it then. An airport that had not
 * opened, or had closed, has no airline service.
 */
function asOf(one: Fitting, days: Days, successors: ReadonlyMap<string, number>): Then {
  const { airport, periods } = one
  if (airport.custom) return { ...one, isServed: true, importance: ADDED_HERE }
  const codes = periods.filter(({ kind, code }) => kind === 'airport' && code.length === 3)
  const held = codes.filter((period) => isDated(period) && isOn(period, days))
  const ofToday = codes.filter(({ code }) => code === airport.iata)
  const isAsToday =
    airport.type !== 'closed' && (ofToday.length === 0 || ofToday.some((period) => isOn(period, days)))
  const known = held.flatMap(({ code }) =>
    code === airport.iata && isAsToday ? [] : (successors.get(code) ?? []),
  )
  const then = held.length > 0 ? (mainThen[airport.icao] ?? OF_SOME_RANK) : 0
  const importance = Math.max(isAsToday ? one.importance : 0, ...known, isAsToday ? 0 : then)
  const isServed = isAsToday && one.importance >= SERVED ? true : held.length > 0 && importance >= SERVED
  return { ...one, isServed, importance: isServed ? importance : one.importance }
}

const NEIGHBOURS_KM = 150

/**
 * Other names count only where no city nearby is called so (Malmö is also a name of Copenhagen's airport), and no more
 * important one anywhere: Saint Petersburg is not the one in Florida.
 */
function withoutOtherNames(called: readonly Then[]): Then[] {
  const cities = called.filter(({ fit }) => fit === 'city')
  return called.filter(
    ({ fit, airport, importance }) =>
      fit === 'city' ||
      !cities.some(
        (city) =>
          city.airport.municipality !== airport.municipality &&
          (city.importance > importance || distanceKm(city.airport, airport) < NEIGHBOURS_KM),
      ),
  )
}

/** A city's name means also those that only have the city's code. Newark's airport is one of New York; New York's are none of Newark. */
function withOthersOfCity(called: readonly Then[], served: readonly Then[], days: Days): Then[] {
  const [first] = called
  if (!first || first.fit === 'own' || (first.fit === 'alias' && called.length === 1)) return [...called]
  const codesOf = ({ periods }: Then) =>
    periods.flatMap((period) => (period.kind === 'city' && daysWithin(period, days) > 0 ? period.code : []))
  const codes = new Set(codesOf(first))
  const members = served.filter((one) => codesOf(one).some((code) => codes.has(code)))
  if (members[0] !== first) return [...called]
  return [...new Set([...called, ...members])].sort((a, b) => b.importance - a.importance)
}

/** One alone, one that bears the name while no city does, or one that is far more important than the others together. */
function chosen(called: readonly Then[]): Resolution<Airport> {
  const [first, ...others] = called
  const own = called.filter(({ fit }) => fit === 'own')
  if (own.length === 1 && !called.some(({ fit }) => fit === 'city')) return takenAs(own[0]!)
  const isFar =
    first !== undefined &&
    isFarMoreImportant(
      first.importance,
      others.map(({ importance }) => importance),
    )
  return isFar ? takenAs(first) : asked(called)
}

const takenAs = ({ airport }: Then): Resolution<Airport> => ({
  outcome: 'found',
  record: airport,
  isByName: true,
})
const oneOf = (all: readonly Then[]): Resolution<Airport> =>
  all.length === 1 ? takenAs(all[0]!) : asked(all)
const asked = (all: readonly Then[], by: 'name' | 'part' = 'name'): Resolution<Airport> =>
  all.length === 0
    ? { outcome: 'unknown' }
    : { outcome: 'ambiguous', candidates: all.map(({ airport }) => airport), by }

/** Whether a city with airline service is called so: then a text that looks like a code is rather the name. */
export const isCityName = ({ fitting }: PlaceNamed): boolean =>
  fitting.some(({ fit, airport, importance }) => fit === 'city' && (airport.custom || importance >= SERVED))

/**
 * All airports of the places that the text names, of today and of the past, the most important first; empty if it names
 * none. A place that another one of the name far outranks is not meant: London is not the one in Ontario.
 */
export function allOfPlace({ fitting }: PlaceNamed): Airport[] {
  const called = fitting.filter(
    ({ fit, importance, airport }) =>
      fit !== 'words' &&
      fit !== 'beginning' &&
      (airport.custom || importance >= SERVED || (airport.type === 'closed' && airport.iata !== null)),
  )
  const ranked = called
    .map((one) => (one.airport.custom ? { ...one, importance: ADDED_HERE } : one))
    .sort((a, b) => b.importance - a.importance)
  const [first] = ranked
  const isMeant = ({ airport, importance }: Fitting) =>
    first === undefined ||
    first.fit === 'region' ||
    distanceKm(first.airport, airport) < NEIGHBOURS_KM ||
    !isFarMoreImportant(first.importance, [importance])
  return ranked.filter(isMeant).map(({ airport }) => airport)
}

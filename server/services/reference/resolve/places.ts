// Finds the airport that the name of a place means on a day: the city served or the airport's own name, in any language of the
// reference set. An airport is chosen if it is the only one with airline service or far more important than the others. If several
// are important, all are returned and the caller lets the user choose (docs/decisions/020).

import { distanceKm } from '../../../domain/geo/geo.ts'
import { type Days, daysWithin, isDated } from '../../../domain/reference/code-periods.ts'
import { isFarMoreImportant, mainThen, OF_SOME_RANK, SERVED } from '../../../domain/reference/place-choice.ts'
import type { Place, Resolution } from '../../../domain/reference/resolution.ts'
import { searchFold } from '../../../domain/text/fold.ts'
import { aliasesIn, namesIn, recordWords, regionsIn } from '../../../domain/text/search-text.ts'
import {
  type Airport,
  type CodePeriod,
  findAirports,
  listAirportPeriods,
  listImportanceByCodes,
  listPeriodsOfAirports,
} from '../../../store/reference/records.ts'
import { findSearchTexts } from '../../../store/reference/search-texts.ts'
import type { Executor } from '../../../store/store.ts'
import type { Reference } from '../reference.ts'
import {
  countryWords,
  directionsLike,
  isCommonName,
  isFormOf,
  isNickname,
  soundsLike,
} from './place-words.ts'

interface Source {
  db: Executor
  reference: Reference
  revision: number
}

/**
 * How a text matches an airport, best first. `alias`: its city's name in another language. `beside`: another airport of the city
 * that the text names. `otherName`: a former name, a nearby town or a spelling. `part`: some of its words, perhaps with its
 * region. `region`, `otherName`, `part` and `beginning` are only suggested: an island or a region with a single airport is an alias.
 */
type Fit = 'city' | 'own' | 'alias' | 'region' | 'words' | 'otherName' | 'part' | 'beginning' | 'beside'

interface Fitting {
  airport: Airport
  fit: Fit
  /** Including spaces. */
  isExact: boolean
  /** Its island or region has this name too. */
  isRegional: boolean
  /** Today's importance. */
  importance: number
  periods: readonly CodePeriod[]
}

interface PlaceNamed {
  fitting: readonly Fitting[]
  /** The importance of the airports that have taken over a code, by code. */
  successors: ReadonlyMap<string, number>
}

const LONGEST_NAME = 200

/** What the text may mean on any day. */
export async function findPlace(source: Source, text: string): Promise<Place<Airport>> {
  const place = await findPlaces(source, text)
  return {
    on: (days) => withNamesakes(orWholeName(placeOn(place, days), text), place),
    all: allOfPlace(place),
    like: nameLike(place),
  }
}

const withNamesakes = (meaning: Resolution<Airport>, place: PlaceNamed): Resolution<Airport> =>
  meaning.outcome === 'found' ? { ...meaning, namesakes: namesakesOf(place) } : meaning

/** Of several, the airport whose name the text is, with `Airport`: `Munich Airport` in 1992 is not Riem. */
function orWholeName(meaning: Resolution<Airport>, text: string): Resolution<Airport> {
  const folded = searchFold(text)
  if (meaning.outcome !== 'ambiguous' || meaning.by !== 'name' || bareName(folded) === folded) return meaning
  const [only, ...others] = meaning.candidates.filter(({ name }) => searchFold(name) === folded)
  return only && others.length === 0 ? { outcome: 'found', record: only, isByName: true } : meaning
}

async function findPlaces(source: Source, text: string): Promise<PlaceNamed> {
  if (text.length > LONGEST_NAME) return { fitting: [], successors: new Map() }
  const { db } = source
  const called = await airportsCalled(source, text)
  const fitting = withSureNames(
    await fittingOf(db, called, text, (airport, facts) => fitOf(airport, facts, text)),
    text,
  )
  const fits = await fitsBeside(db, fitting)
  const others = await findAirports(db, [...fits.keys()])
  const besides = await fittingOf(db, others, text, ({ id }) => fits.get(id))
  fitting.push(...besides.map((one) => ({ ...one, isExact: true })))
  return { fitting, successors: await successorsOf(db, fitting) }
}

/** The matching airports with their details. */
async function fittingOf(
  db: Executor,
  airports: readonly Airport[],
  text: string,
  fitOfAirport: (airport: Airport, facts: Facts) => Fit | undefined,
): Promise<Fitting[]> {
  const ids = airports.map(({ id }) => id)
  const facts = new Map((await findSearchTexts(db, 'airport', ids)).map((fact) => [fact.id, fact]))
  const periods = Map.groupBy(await listPeriodsOfAirports(db, ids), ({ id }) => id)
  return airports.flatMap((airport) => {
    const { search = '', importance = 0 } = facts.get(airport.id) ?? {}
    const fit = fitOfAirport(airport, { search, importance })
    const isExact = isCalledExactly(airport, search, text)
    const isRegional = regionsIn(search).includes(searchFold(text))
    return fit
      ? { airport, fit, isExact, isRegional, importance, periods: periods.get(airport.id) ?? [] }
      : []
  })
}

/** Airports with exactly this name, and what a search finds in addition. */
async function airportsCalled({ db, reference, revision }: Source, text: string): Promise<Airport[]> {
  const whole = bareName(searchFold(text))
  const texts = new Set([text, whole, ...partsOf(text).slice(0, 1), ...splits(whole).map(([name]) => name)])
  const found: Airport[] = []
  for (const one of texts) found.push(...(await reference.airportsNamed(db, revision, one)))
  found.push(...(await reference.searchAirports(db, revision, text)))
  return [...new Map(found.map((airport) => [airport.id, airport])).values()]
}

/** The other airports of the cities that the text names, by the cities' codes, and earlier holders of the airports' codes. */
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

// How a text matches an airport

/** Words that any airport may have in its name. */
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

interface Facts {
  search: string
  importance: number
}

function fitOf(airport: Airport, facts: Facts, text: string): Fit | undefined {
  const { search } = facts
  const wanted = bareName(searchFold(text))
  if (wanted === '') return undefined
  const whole = fitOfName(airport, search, wanted)
  if (whole) return whole
  const [first, ...others] = partsOf(text)
  if (first && others.length > 0) {
    const fit = fitOfName(airport, search, first)
    const names = new Set([...namesIn(search).map(bareName), ...regionsOf(airport, search)])
    const own = ` ${searchFold(airport.name)} `
    return fit && others.every((part) => names.has(part) || own.includes(` ${part} `)) ? fit : undefined
  }
  const regions = wanted.includes(' ') ? regionsOf(airport, search) : []
  for (const [name, region] of splits(wanted)) {
    const fit = regions.includes(region) ? fitOfName(airport, search, name) : undefined
    if (fit && fit !== 'region') return fit
  }
  return fitOfWords(airport, facts, wanted.split(' '), regions)
}

/** Splits into a name and a possible region: `London Ontario`, `Portland New South Wales`. */
function splits(text: string): [name: string, region: string][] {
  const words = text.split(' ')
  return [1, 2, 3]
    .filter((count) => count < words.length)
    .map((count) => [words.slice(0, -count).join(' '), words.slice(-count).join(' ')])
}

/** All words are in the names, codes or region, in any order: `New York JFK`. */
function fitOfWords(
  airport: Airport,
  { search, importance }: Facts,
  given: readonly string[],
  regions: readonly string[],
): Fit | undefined {
  const inRegions = regions.flatMap((region) => region.split(' '))
  const names = new Set(recordWords(search.replace(/\+[^!#$&*+]+/g, '')).split(' '))
  const own = searchFold(airport.name).split(' ')
  const isNamed = (word: string) =>
    names.has(word) ||
    directionsLike(word).some((other) => names.has(other)) ||
    own.some((other) => soundsLike(word, other))
  const isKnown = (word: string) => isNamed(word) || inRegions.includes(word)
  if (!given.every(isKnown) || !given.some(isNamed))
    return isBeginning(airport, search, given) ? 'beginning' : undefined
  const isSure = given.length > 1 && given.every(isNamed)
  return isSure && (importance >= LARGE || namesItsCity(airport, search, given)) ? 'words' : 'part'
}

/** Shorter beginnings match unrelated names. */
const SHORTEST_BEGINNING = 4
const LONG_BEGINNING = 5

/** Whether words of the airport's or the city's name begin with the text; for longer texts, words of any of its names. */
function isBeginning({ name, municipality }: Airport, search: string, given: readonly string[]): boolean {
  if (given.join('').length < SHORTEST_BEGINNING) return false
  const own = [name, municipality ?? ''].map(searchFold)
  const names = given.join('').length > LONG_BEGINNING ? [...own, ...namesIn(search)] : own
  const words = names.flatMap((one) => one.split(' '))
  return given.every((word) =>
    words.some((other) => other === word || (word.length > 2 && other.startsWith(word))),
  )
}

/** From this importance, any of an airport's names is in use. */
const LARGE = 70_000

/** Whether the words contain the code or the whole name of the city. */
function namesItsCity(
  { iata, icao, municipality }: Airport,
  search: string,
  given: readonly string[],
): boolean {
  if ([iata, icao].some((code) => code && given.includes(code.toLowerCase()))) return true
  const city = searchFold(municipality ?? '')
  return citiesIn(search, city).some(
    (name) => name !== '' && name.split(' ').every((word) => given.includes(word)),
  )
}

const shortCountries: Record<string, string[]> = { GB: ['uk', 'england'], US: ['usa', 'us'], AE: ['uae'] }
function regionsOf({ country }: Airport, search: string): string[] {
  const known = regionsIn(search)
  const names = known.length > 0 ? known : countryWords(country)
  return [...names, country.toLowerCase(), ...(shortCountries[country] ?? [])]
}

function fitOfName({ name, municipality }: Airport, search: string, wanted: string): Fit | undefined {
  const isWanted = (other: string) => joined(other) === joined(wanted)
  const city = searchFold(municipality ?? '')
  if (isWanted(city) || partsOf(municipality ?? '').some(isWanted)) return 'city'
  if (ownNames(name, citiesIn(search, city)).some(isWanted)) return 'own'
  if (aliasesIn(search).map(bareName).some(isWanted)) return 'alias'
  if (
    isNickname(wanted) &&
    [searchFold(name), ...aliasesIn(search).filter((one) => one !== bareName(one))].some((one) =>
      ` ${one} `.includes(` ${wanted} `),
    )
  )
    return 'own'
  return regionsIn(search).some(isWanted) ? 'region' : undefined
}

function isCalledExactly({ name, municipality }: Airport, search: string, text: string): boolean {
  const names = new Set([...namesIn(search).map(bareName), ...partsOf(municipality ?? '')])
  const own = ownNames(name, citiesIn(search, searchFold(municipality ?? '')))
  return [bareName(searchFold(text)), ...partsOf(text).slice(0, 1)].some(
    (one) => names.has(one) || own.includes(one),
  )
}

/** The city's folded name and its forms in other languages in the text. */
const citiesIn = (search: string, city: string): string[] => [
  city,
  ...namesIn(search).filter(
    (name) => (isFormOf(name, city) && !name.startsWith(`${city} `)) || isCommonName(name),
  ),
]

/** The airport's name without generic words: London Heathrow. */
const wholeNames = (name: string): string[] =>
  [name, name.split(/[(/–]/)[0]!].map((one) => bareName(searchFold(one)))

/** The same, and without its city in any language: Heathrow. */
function ownNames(name: string, cities: readonly string[]): string[] {
  const names = wholeNames(name)
  const withoutCity = names.flatMap((one) =>
    cities.flatMap((city) => (city !== '' && one.startsWith(`${city} `) ? one.slice(city.length + 1) : [])),
  )
  // ULM is a kind of aircraft that ends the names of many airfields.
  return [...names, ...withoutCity.filter((one) => one.length > 3)]
}

/**
 * Downgrades uncertain names to `otherName`, because the data do not tell which names are the city's in another language. Names
 * that travellers use, names in other scripts, and names that resemble the city's or are part of the airport's are certain, unless
 * another town with an airport has that name (Reading is not Redding). All names of large airports are certain, except the second
 * town of Raleigh-Durham.
 */
function withSureNames(fitting: readonly Fitting[], text: string): Fitting[] {
  const wanted = bareName(searchFold(partsOf(text)[0] ?? text))
  const towns = fitting.filter(({ fit, airport }) => fit === 'city' && isOpenField(airport))
  const isOfOther = ({ airport }: Fitting) =>
    towns.some((town) => distanceKm(town.airport, airport) > NEIGHBOURS_KM)
  const isSure = (one: Fitting): boolean => {
    const { municipality, name, custom } = one.airport
    const [city, own] = [searchFold(municipality ?? ''), ` ${searchFold(name)} `]
    if (custom || one.isRegional || isCommonName(wanted) || !/[a-z]/.test(wanted)) return true
    if ([own, ` ${city} `].some((called) => called.startsWith(` ${wanted} `))) return true
    return (
      !isOfOther(one) && (one.importance >= LARGE || isFormOf(wanted, city) || own.includes(` ${wanted} `))
    )
  }
  const isSecondTown = (one: Fitting): boolean =>
    isOfOther(one) && new RegExp(`\\p{L}-${wanted}(?!\\p{L})`, 'iu').test(one.airport.name)
  // Taiping is a town in Malaysia, and Niagara rather Niagara Falls than the end of Buffalo Niagara.
  const isTownToo = (one: Fitting): boolean =>
    one.importance < LARGE &&
    one.airport.type !== 'closed' &&
    !isNickname(wanted) &&
    !wholeNames(one.airport.name).some((name) => joined(name) === joined(wanted)) &&
    (isOfOther(one) || fitting.some((other) => other !== one && beginsCity(other, wanted)))
  const isUnsure = (one: Fitting): boolean =>
    one.fit === 'alias' ? !isSure(one) : one.fit === 'own' && (isSecondTown(one) || isTownToo(one))
  return fitting.map((one) => (isUnsure(one) ? { ...one, fit: 'otherName' } : one))
}

/** Whether an airport with a code is in a city whose name begins with the folded text. */
const beginsCity = ({ airport: { iata, municipality } }: Fitting, wanted: string): boolean =>
  iata !== null && searchFold(municipality ?? '').startsWith(`${wanted} `)

/** Whether aeroplanes may land there today. */
const isOpenField = ({ type }: Airport): boolean =>
  type !== 'closed' && type !== 'heliport' && type !== 'balloonport' && type !== 'seaplane_base'

// The meaning on a day

interface Then extends Fitting {
  isServed: boolean
}

/** The airport that the name means on the days, or the ones to choose from. */
function placeOn({ fitting, successors }: PlaceNamed, days: Days): Resolution<Airport> {
  const then = byImportance(fitting.map((one) => asOf(one, days, successors)))
  const served = withoutWater(then.filter(({ isServed }) => isServed))
  const called = withExactFirst(fits(served, 'city', 'own', 'alias'))
  const inRegion = fits(served, 'region')
  if (called.some(({ fit }) => fit !== 'alias')) return ofCity(called, { then, served, days })
  // Crete is an island, although one of its airports has that name too.
  if (called.length > 0)
    return inRegion.length > 0
      ? chosen(byImportance([...called, ...inRegion]))
      : ofCity(called, { then, served, days })
  return inRegion.length > 0 ? asked(inRegion, inRegion.length > 1 ? 'name' : 'part') : ofLess(then, served)
}

const fits = (all: readonly Then[], ...wanted: Fit[]): Then[] => all.filter(({ fit }) => wanted.includes(fit))
const byImportance = (all: readonly Then[]): Then[] => all.toSorted((a, b) => b.importance - a.importance)

/** Leaves out seaplane bases if there are other airports. */
function withoutWater(served: readonly Then[]): Then[] {
  const onLand = served.filter(({ airport }) => airport.type !== 'seaplane_base')
  return onLand.length > 0 ? onLand : [...served]
}

/** Georgetown is not George Town, if both exist. */
function withExactFirst(called: readonly Then[]): Then[] {
  const exact = called.filter(({ isExact }) => isExact)
  return exact.length > 0 ? exact : [...called]
}

interface OnDays {
  then: readonly Then[]
  served: readonly Then[]
  days: Days
}

/** For a city with airline service. Other towns with that name make it less certain. */
function ofCity(called: readonly Then[], { then, served, days }: OnDays): Resolution<Airport> {
  const counted = withOthersOfCity(withoutOtherNames(called), served, days)
  const towns = townsElsewhere(then, counted)
  const choice = chosen(counted, towns)
  if (choice.outcome !== 'ambiguous') return choice
  return asked([...byImportance([...new Set([...counted, ...called])]), ...towns])
}

/**
 * Airports of other towns with the same name that have a code but no known airline service, such as Salem in India and in Oregon.
 * They count as if they had service, because timetables change.
 */
const townsElsewhere = (then: readonly Then[], [first]: readonly Then[]): Then[] =>
  first?.fit === 'city'
    ? fits(then, 'city', 'own')
        .filter(
          (one) =>
            one.isExact &&
            !one.isServed &&
            one.airport.iata !== null &&
            isLargeEnough(one.airport) &&
            distanceKm(one.airport, first.airport) > NEIGHBOURS_KM,
        )
        .map((one) => ({ ...one, importance: SERVED }))
    : []

/** For names that no place with airline service has: an airport with these words, or an airfield. */
function ofLess(then: readonly Then[], served: readonly Then[]): Resolution<Airport> {
  const named = fits(served, 'words')
  const airfields = then.filter(isAirfield)
  const fields = fits(airfields, 'city', 'own', 'alias')
  if (fields.length === 0 && named.length > 0) return oneOf(named)
  const similar = fits(served, 'otherName')
  const larger = fields.filter(isLarger)
  if (named.length === 0 && larger.length === 1 && !isInDoubt(larger[0]!, similar))
    return { outcome: 'found', record: larger[0]!.airport, isByName: true, isAirfield: true }
  const past = fits(then, 'city', 'own', 'alias').filter(({ airport }) => isPast(airport))
  const offered = [...fits(served, 'part', 'beginning'), ...fits(airfields, 'words', 'part')]
  const closest = [...named, ...larger, ...similar, ...fields.filter((one) => !isLarger(one)), ...past]
  return asked(closest.length > 0 ? closest : offered, 'part')
}

/** The name may mean an airport with airline service elsewhere: Reading in Pennsylvania, or Redding. */
const isInDoubt = (field: Then, similar: readonly Then[]): boolean =>
  similar.some(({ airport }) => distanceKm(airport, field.airport) > NEIGHBOURS_KM)

/** Airports without airline service can be chosen by name; smaller fields are only suggested. */
const isLarger = ({ airport: { type }, fit }: Then): boolean => fit !== 'alias' && isLargeEnough({ type })
const isLargeEnough = ({ type }: Pick<Airport, 'type'>): boolean =>
  type === 'large_airport' || type === 'medium_airport'
const isPast = ({ type, iata }: Airport): boolean => type === 'closed' && iata !== null

const isAirfield = ({ airport: { type }, isServed }: Then): boolean =>
  !isServed && type !== 'closed' && type !== 'heliport' && type !== 'balloonport'

const isOn = (period: CodePeriod, days: Days): boolean =>
  period.kind === 'airport' && period.code.length === 3 && daysWithin(period, days) > 0

/** Custom records rank above shipped ones. */
const ADDED_HERE = 101_000

/**
 * The importance on the days: if the airport had a code then that another one has today, the importance of that one. An airport
 * that had not opened yet, or had closed, has no airline service.
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
 * Other names only count if no nearby city has that name (Malmö is also a name of Copenhagen's airport); aliases of cities only if
 * no more important city anywhere has it: Saint Petersburg is not the one in Florida. An airport's own name counts: Vitoria.
 */
function withoutOtherNames(called: readonly Then[]): Then[] {
  const cities = called.filter(({ fit }) => fit === 'city')
  return called.filter(
    ({ fit, airport, importance }) =>
      fit === 'city' ||
      !cities.some(
        (city) =>
          city.airport.municipality !== airport.municipality &&
          ((fit === 'alias' && city.importance > importance) ||
            distanceKm(city.airport, airport) < NEIGHBOURS_KM),
      ),
  )
}

/** Newark belongs to New York and Bergamo to Milan, but Parma does not, although it has Milan's code. */
const METROPOLITAN_KM = 75

/** A city's name also means airports that only have the city's code. Newark's airport is one of New York's, but not vice versa. */
function withOthersOfCity(called: readonly Then[], served: readonly Then[], days: Days): Then[] {
  const [first] = called
  if (!first || first.fit === 'own' || (first.fit === 'alias' && called.length === 1)) return [...called]
  const codesOf = ({ periods }: Then) =>
    periods.flatMap((period) => (period.kind === 'city' && daysWithin(period, days) > 0 ? period.code : []))
  const codes = new Set(codesOf(first))
  const isNear = ({ airport }: Then) =>
    called.some(
      (one) =>
        one.airport.municipality === airport.municipality ||
        (one.fit === first.fit && distanceKm(one.airport, airport) <= METROPOLITAN_KM),
    )
  const members = served.filter((one) => codesOf(one).some((code) => codes.has(code)) && isNear(one))
  if (members[0] !== first) return [...called]
  return [...new Set([...called, ...members])].sort((a, b) => b.importance - a.importance)
}

/** Chooses the only airport with this name of its own if no city has it, or one that is far more important than the others and `besides`. */
function chosen(called: readonly Then[], besides: readonly Then[] = []): Resolution<Airport> {
  const [first, ...others] = called
  const own = called.filter(({ fit }) => fit === 'own')
  if (own.length === 1 && !called.some(({ fit }) => fit === 'city')) return takenAs(own[0]!)
  const isFar =
    first !== undefined &&
    isFarMoreImportant(
      first.importance,
      [...others, ...besides].map(({ importance }) => importance),
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

function nameLike({ fitting }: PlaceNamed): Place<Airport>['like'] {
  const open = fitting.filter(({ airport }) => airport.custom || isOpenField(airport))
  const towns = open.filter(({ fit }) => fit === 'city')
  const isServed = ({ airport, importance }: Fitting) => airport.custom || importance >= SERVED
  return {
    isCity: towns.some(isServed),
    isTown: towns.some((one) => isServed(one) || isLargeEnough(one.airport)),
    isAny:
      towns.length > 0 ||
      open.some((one) => isServed(one) && ['own', 'alias', 'region', 'otherName'].includes(one.fit)),
  }
}

/** Towns with exactly this name that have an airport with a code, although another one may be far more important. */
const namesakesOf = ({ fitting }: PlaceNamed): Airport[] =>
  fitting
    .filter(
      ({ fit, isExact, airport }) =>
        fit === 'city' &&
        isExact &&
        isOpenField(airport) &&
        (airport.iata !== null || isLargeEnough(airport)),
    )
    .map(({ airport }) => airport)

const notNames: readonly Fit[] = ['words', 'otherName', 'part', 'beginning']

/**
 * All airports of the places that the text names, current and former, most important first. Leaves out a town that shares its name
 * with a far more important city: London is not the one in Ontario.
 */
function allOfPlace({ fitting }: PlaceNamed): Airport[] {
  const found = fitting
    .filter(
      ({ fit, importance, airport }) =>
        !notNames.includes(fit) &&
        (airport.custom || importance >= SERVED || (airport.type === 'closed' && airport.iata !== null)),
    )
    .sort((a, b) => b.importance - a.importance)
  // Newark's airport is one of New York's, but not vice versa.
  const called = found[0]?.fit === 'beside' ? found.filter(({ fit }) => fit !== 'beside') : found
  const [first] = called
  if (!first) return airportsInWords(fitting) ?? largerFields(fitting)
  const isOther = ({ airport, importance }: Fitting) =>
    !airport.custom &&
    airport.type !== 'closed' &&
    distanceKm(airport, first.airport) > NEIGHBOURS_KM &&
    isFarMoreImportant(first.importance, [importance])
  const isCity = first.fit === 'city' || first.fit === 'alias'
  return called.filter((one) => !isCity || !isOther(one)).map(({ airport }) => airport)
}

/** The airports with airline service that have all words of the text, if any: `Teneriffa Süd`. */
function airportsInWords(fitting: readonly Fitting[]): Airport[] | undefined {
  const found = fitting.filter(({ fit, importance }) => fit === 'words' && importance >= SERVED)
  return found.length > 0 ? found.map(({ airport }) => airport) : undefined
}

/** The airports that `placeOn` may choose if a place has no airline service. */
const largerFields = (fitting: readonly Fitting[]): Airport[] =>
  fitting
    .filter(({ fit, airport }) => (fit === 'city' || fit === 'own') && isLargeEnough(airport))
    .map(({ airport }) => airport)

// Text to records: the airport, airline or aircraft type that a code or name means on a day, and the messages about it.
import { AppError, type ErrorDetail, invalidField } from '../../base/errors.ts'
import { distanceKm } from '../../domain/geo/geo.ts'
import { problem } from '../../domain/reasons.ts'
import {
  airportCode,
  type CodeWarning,
  type Days,
  daysOf,
  duringDays,
} from '../../domain/reference/code-periods.ts'
import { nearNamesakes, onlyNear } from '../../domain/reference/place-choice.ts'
import type { Resolution } from '../../domain/reference/resolution.ts'
import { idText } from '../../domain/row-id.ts'
import { searchFold } from '../../domain/text/fold.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import type { Call } from '../../door/operation.ts'
import {
  aircraftTypes,
  airlines,
  airports,
  type Kind,
  resolveCode,
  resolveText,
} from '../../services/reference/resolve/records.ts'
import { type Aircraft, type Airline, type Airport, findAirports } from '../../store/reference/records.ts'
import type { Warning } from '../wire/schemas.ts'
import { personalSourceOf } from './records.ts'

/** An airport as read from a line of text, to be resolved on the days of the flight. */
export interface SaidPlace {
  field: 'from' | 'to'
  /** Without connecting words such as "from". */
  name: string
  /** The airport that the line's rules chose. */
  id: number
  /** Whether the line's rules found no other meaning. */
  isOnly: boolean
  /** Airports of which the person has to choose one, by the line's rules; usually none. */
  choices: number[]
  /** The airport at the other end, if it is certain. */
  otherId?: number | undefined
  /** Candidates that are in the person's log, the likeliest first. */
  own: number[]
}

/** The context for resolving text: the days that count, and the warnings and problems so far. */
export interface Words {
  call: Call
  days: Days
  warnings: Warning[]
  /** Rejected fields, until `refuseCollected` reports all of them. */
  problems: AppError[]
}

/**
 * Returns what `read` returns. If `read` rejects a field, the error is collected to be reported with the others: the
 * value is missing and must not be used before `refuseCollected`.
 */
export async function collected<Value>(
  { problems }: Pick<Words, 'problems'>,
  read: () => Value | Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'validation_failed' && error.details)) throw error
    problems.push(error)
    return undefined
  }
}

/** Throws all collected problems, each field once. */
export function refuseCollected({ problems }: Pick<Words, 'problems'>): void {
  const [first, ...others] = problems
  if (!first) return
  if (others.length === 0) throw first
  const details = new Map<string, ErrorDetail>()
  for (const one of problems.flatMap(({ details: some }) => some ?? [])) {
    const field = one.path.join('.')
    if (!details.has(field)) details.set(field, one)
  }
  throw new AppError('validation_failed', 'validation_failed', { details: [...details.values()] })
}

/** How messages describe a kind of record. */
export interface Described<Item extends Airport | Airline | Aircraft> {
  kind: Kind<Item>
  noun: string
  /** The prefix of warning codes. */
  code: 'airport' | 'airline' | 'aircraft'
  noMatch: 'no_airport_matches' | 'no_airline_matches' | 'no_aircraft_matches'
  show(item: Item): string
  /** The record within a sentence; by default, as `show` writes it. */
  say?(item: Item): string
}
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })
const shortName = ({ name }: Airport): string => name.replace(/ (?:International )?Airport$/i, '')
/** `LHR London Heathrow (London, United Kingdom)` */
const showAirport = (airport: Airport): string =>
  `${airportCode(airport)} ${shortName(airport)} (${placeOf(airport).join(', ')})`
/** `Berlin Brandenburg Airport (BER; Berlin, Germany)` */
const showByName = (airport: Airport): string =>
  `${airport.name} (${airportCode(airport)}; ${placeOf(airport).join(', ')})`
const placeOf = ({ municipality, country }: Airport): string[] => [
  ...(municipality ? [municipality] : []),
  countryNames.of(country) ?? country,
]
/** `NCE, Nice-Côte d'Azur, France`, with the city if it is not part of the name. */
function sayAirport(airport: Airport): string {
  const name = shortName(airport)
  const isSaid = searchFold(name).includes(searchFold(airport.municipality ?? ''))
  return [airportCode(airport), name, ...placeOf(airport).slice(isSaid ? -1 : 0)].join(', ')
}

const airportKind: Described<Airport> = {
  kind: airports,
  noun: 'airport',
  code: 'airport',
  noMatch: 'no_airport_matches',
  show: showAirport,
  say: sayAirport,
}
const airlineKind: Described<Airline> = {
  kind: airlines,
  noun: 'airline',
  code: 'airline',
  noMatch: 'no_airline_matches',
  show: ({ icao, iata, name }: Airline) => `${iata ?? icao ?? ''} ${name}`.trim(),
}
const aircraftKind: Described<Aircraft> = {
  kind: aircraftTypes,
  noun: 'aircraft type',
  code: 'aircraft',
  noMatch: 'no_aircraft_matches',
  show: ({ icao, name }: Aircraft) => `${icao ?? ''} ${name}`.trim(),
}

/** By the table that a field refers to. */
export const describedKinds = { airports: airportKind, airlines: airlineKind, aircraft: aircraftKind }

/** An airport, and those of other towns with the name that it was found by. */
interface NamedAirport {
  airport: Airport
  namesakes: readonly Airport[]
}

/** The airport that the text means. If there are several, the error lists them, so that the next call can use a code. */
export const requireAirport = async (words: Words, field: string, text: string): Promise<Airport> =>
  (await requireNamedAirport(words, field, text)).airport

export async function requireNamedAirport(words: Words, field: string, text: string): Promise<NamedAirport> {
  if (idText.test(text)) {
    const [known] = await findAirports(words.call.db, [Number(text)])
    if (!known) throw invalidField([field], problem('no_airport_matches', { text }))
    return { airport: known, namesakes: [] }
  }
  const resolution = await resolveWords(words, field, airportKind, text)
  if (resolution.outcome === 'ambiguous')
    throw await ambiguousPlace(words, field, text, resolution.candidates)
  return notedPlace(words, text, resolution)
}

/**
 * The same for a place in a line of text. In the web app the line picks the likeliest airport, which a person sees
 * and can correct. A caller of an operation cannot, so the rule for fields decides whether to ask. Whatever only the
 * line knows is used.
 */
export async function requireSaidPlace(
  words: Words,
  { field, name, id, isOnly, choices, otherId, own }: SaidPlace,
): Promise<NamedAirport> {
  const isOwn = (airport: Airport) => own.includes(airport.id)
  const show = (airport: Airport) =>
    isOwn(airport) ? showAirport(airport).replace(/\)$/, '; in your log)') : showAirport(airport)
  if (choices.length > 0) {
    const all = await findAirports(words.call.db, choices)
    const inOrder = all.toSorted((a, b) => choices.indexOf(a.id) - choices.indexOf(b.id))
    throw await ambiguousPlace(words, field, name, inOrder, show)
  }
  const resolution = await resolveText(personalSourceOf(words.call), airports, name, words.days)
  if (resolution.outcome === 'found') return notedPlace(words, name, resolution)
  if (resolution.outcome === 'unknown' || (resolution.by === 'part' && isOnly)) {
    const [record] = await findAirports(words.call.db, [id])
    return notedPlace(words, name, { outcome: 'found', record: record!, isByName: true })
  }
  const near = otherId === undefined ? undefined : await nearOther(words, resolution.candidates, otherId)
  if (near?.id === id) return notedPlace(words, name, { outcome: 'found', record: near, isByName: true })
  const candidates = resolution.candidates.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
  throw await ambiguousPlace(words, field, name, candidates, show)
}

/** Asks about a name if a namesake of the airport is near the other end of the flight. */
export async function requireNoNearNamesake(
  words: Words,
  { field, text, airport, namesakes, other }: NamedAirport & { field: string; text: string; other: Airport },
): Promise<void> {
  const near = nearNamesakes(airport, namesakes, (one) => distanceKm(one, other))
  if (near.length > 0) throw await ambiguousPlace(words, field, text, [...near, airport])
}

async function nearOther(
  { call }: Words,
  candidates: readonly Airport[],
  otherId: number,
): Promise<Airport | undefined> {
  const [other] = await findAirports(call.db, [otherId])
  return other && onlyNear(candidates, (airport) => distanceKm(airport, other))
}

/**
 * Lists several airports by the text that identifies each: its code or, if the code would be ambiguous again, its
 * name. BER was the city's code for most of 2020, and EDDB was Schönefeld's.
 */
async function ambiguousPlace(
  { call, days }: Words,
  field: string,
  text: string,
  candidates: readonly Airport[],
  show: (airport: Airport) => string = showAirport,
): Promise<AppError> {
  const named = new Set<number>()
  for (const airport of candidates.slice(0, CANDIDATES_SHOWN)) {
    const meaning = await resolveCode(call.db, airports, airportCode(airport), days)
    if (meaning.outcome === 'ambiguous') named.add(airport.id)
  }
  const shownAs = (airport: Airport) => (named.has(airport.id) ? showByName(airport) : show(airport))
  return ambiguous(field, { ...airportKind, show: shownAs }, text, candidates)
}

/** Warns if a code meant a different airport on those days than today, or if the airport has a different code. */
async function notedPlace(words: Words, text: string, resolution: Found<Airport>): Promise<NamedAirport> {
  const airport = noted(words, airportKind, text, resolution)
  await noteCode(words, text, resolution)
  return { airport, namesakes: resolution.namesakes ?? [] }
}

async function noteCode(words: Words, text: string, resolution: Found<Airport>): Promise<void> {
  const { record } = resolution
  const code = text.toUpperCase()
  const isToday = record.type !== 'closed' && (record.iata === code || record.icao === code)
  if (resolution.isByName || resolution.warning || isToday) return
  const { call, days, warnings } = words
  const today = await resolveCode(call.db, airports, code, daysOf(utcDate(call.now.getTime())))
  const isSame = today.outcome === 'found' && today.record.id === record.id
  if (isSame && airportCode(record) !== code)
    warnings.push({ code: 'airport_by_name', message: `“${text}” was taken as ${sayAirport(record)}.` })
  if (!isSame)
    warnings.push({
      code: 'airport_code_then',
      message: `${code} was ${showAirport(record)} ${duringDays(days)}.`,
    })
}

/** The same, but an ambiguous code leaves the field empty. */
export async function findOptional<Item extends Airline | Aircraft>(
  words: Words,
  field: string,
  described: Described<Item>,
  text: string,
): Promise<Item | null> {
  const resolution = await resolveWords(words, field, described, text)
  if (resolution.outcome === 'ambiguous' && resolution.by !== 'code')
    throw ambiguous(field, described, text, resolution.candidates)
  return decided(words, described, text, resolution)
}

/** The same, but an ambiguous code is rejected: an edit that emptied the field would lose its value. */
export async function requireRecord<Item extends Airline | Aircraft>(
  words: Words,
  field: string,
  described: Described<Item>,
  text: string,
): Promise<Item> {
  const resolution = await resolveWords(words, field, described, text)
  if (resolution.outcome === 'ambiguous') throw ambiguous(field, described, text, resolution.candidates)
  return noted(words, described, text, resolution)
}

async function resolveWords<Item extends Airport | Airline | Aircraft>(
  { call, days }: Words,
  field: string,
  { kind, noMatch }: Described<Item>,
  text: string,
): Promise<Meant<Item>> {
  const resolution = await resolveText(personalSourceOf(call), kind, text, days)
  if (resolution.outcome === 'unknown') throw invalidField([field], problem(noMatch, { text }))
  return resolution
}

type Meant<Item> = Exclude<Resolution<Item>, { outcome: 'unknown' }>
type Found<Item> = Extract<Resolution<Item>, { outcome: 'found' }>

const CANDIDATES_SHOWN = 5

function shown<Item extends Airport | Airline | Aircraft>(
  { show }: Described<Item>,
  all: readonly Item[],
): { candidates: string[]; more: boolean } {
  return { candidates: all.slice(0, CANDIDATES_SHOWN).map(show), more: all.length > CANDIDATES_SHOWN }
}

export const ambiguous = <Item extends Airport | Airline | Aircraft>(
  field: string,
  described: Described<Item>,
  text: string,
  all: readonly Item[],
) => invalidField([field], problem('ambiguous', { text, ...shown(described, all) }))

/** The record, or null if a code is ambiguous. Adds warnings about the choice. */
export function decided<Item extends Airport | Airline | Aircraft>(
  words: Words,
  described: Described<Item>,
  text: string,
  resolution: Meant<Item>,
): Item | null {
  if (resolution.outcome === 'found') return noted(words, described, text, resolution)
  const { candidates, more } = shown(described, resolution.candidates)
  const meanings = `${candidates.join(', ')}${more ? ', …' : ''}`
  words.warnings.push({
    code: `${described.code}_ambiguous`,
    message: `“${text}” may mean ${meanings}; the flight was logged without an ${described.noun}.`,
  })
  return null
}

/** The record. Adds warnings about it. */
export function noted<Item extends Airport | Airline | Aircraft>(
  { days, warnings }: Words,
  { show, say = show, noun, code }: Described<Item>,
  text: string,
  { record, warning, changedOn, isByName, isAirfield, isCodeOfWord }: Found<Item>,
): Item {
  if (isCodeOfWord)
    warnings.push({ code: `${code}_by_code`, message: `“${text}” was taken as the code ${say(record)}.` })
  if (isByName && record.name.toLowerCase() !== text.toLowerCase())
    warnings.push({
      code: `${code}_by_name`,
      message: `“${text}” was taken as ${say(record)}${isAirfield ? ', a field without airline service' : ''}.`,
    })
  if (warning) {
    const when = changedOn === undefined ? duringDays(days) : `on ${changedOn}`
    warnings.push({ code: warning, message: warningTexts[warning](say(record), when, noun) })
  }
  return record
}

const warningTexts: Record<CodeWarning, (record: string, when: string, noun: string) => string> = {
  airport_closed_then: (airport, when) => `${airport} was not open ${when}; check the airport and the date.`,
  airline_not_flying_then: (airline, when) =>
    `${airline} was not flying ${when}; check the airline and the date.`,
  code_changed_hands: (record, when, noun) =>
    `The code passed to another ${noun} ${when}; ${record} was taken.`,
}

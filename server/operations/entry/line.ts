// `text` of log-flight: a flight as one line, read by the rules that the web app applies while the user types
// (domain/entry/line/).

import * as z from 'zod'
import { runSteps } from '../../base/in-steps.ts'
import type { Known } from '../../domain/entry/line/candidate.ts'
import { type LineReference, withAirports } from '../../domain/entry/line/data.ts'
import { legsOf as legsOfLine } from '../../domain/entry/line/legs.ts'
import { rememberLog } from '../../domain/entry/line/memory.ts'
import { LINE_CHARACTERS_AT_MOST, readLine } from '../../domain/entry/line/read.ts'
import { type LineBody, logBody } from '../../domain/entry/line/save.ts'
import {
  type Alternative,
  type LineAirport,
  type LineCalendar,
  type LineDraft,
  type LineFlight,
  type LinePart,
  type LinePerson,
  type LineProblem,
  partKinds,
} from '../../domain/entry/line/types.ts'
import { endNamedBy } from '../../domain/entry/line/words.ts'
import { shownPerson } from '../../domain/people/names.ts'
import { airportCode } from '../../domain/reference/code-periods.ts'
import { plain, searchFold } from '../../domain/text/fold.ts'
import { writtenDate } from '../../domain/time/calendar.ts'
import { daysBetween, localDate } from '../../domain/time/time.ts'
import { usualAirport } from '../../domain/trips/journey.ts'
import type { Call } from '../../door/operation.ts'
import { peopleKnownTo } from '../../services/reference/resolve/people.ts'
import type { LogFlight } from '../../store/flights/log.ts'
import { findPreferences } from '../../store/people/people.ts'
import { type FlownLog, loadLog, recordOf, withoutCancelled } from '../flights/flown.ts'
import type { SaidPlace } from '../reference/named.ts'
import { legOf, legsOf } from '../trips/journeys.ts'
import type { Warning } from '../wire/schemas.ts'

export const LineText = z
  .string()
  .trim()
  .min(1)
  .max(LINE_CHARACTERS_AT_MOST)
  .describe(
    'The flight in one line, in a language of the web app and in any order: “SK909 20 feb 12a with Grace”. Fields given beside it win.',
  )

export const Understood = z
  .object({
    start: z.int().describe('First character in the text.'),
    end: z.int().describe('The first one after it.'),
    text: z.string(),
    kind: z.enum(partKinds).describe('`note`: not understood, kept in the note. `joint`: only joins others.'),
    meaning: z.string().describe('What it was taken for; empty for joints.'),
    alternatives: z.array(z.string()).describe('What else it may mean, the likeliest first.'),
  })
  .meta({ id: 'UnderstoodPart' })

export interface TextRead {
  fields: LineBody
  /** Words that resemble names of places, and the airports that they may mean. */
  near: { text: string; field: 'from' | 'to'; candidates: string[] }[]
  /** The first words that were not understood at all. */
  unknown: string | undefined
  /** Words for a time of the year, and the months and years that they may mean. */
  period: { text: string; candidates: string[] } | undefined
  /** `CPH–FRA`, `FRA–LHR`: empty if the text names only one. */
  legs: string[]
  /** The airports as written. They are resolved like the fields. */
  places: SaidPlace[]
  understood: z.input<typeof Understood>[]
  /** Assumptions that the person should know about, unless the field is given separately. */
  assumed: { field: keyof LineBody; warning: Warning }[]
  /** Why the text cannot be logged as one flight. */
  problem: LineProblem | undefined
}

/** `date`: a day that is given separately and overrides the day in the text. */
export type TextReader = (text: string, date: string | undefined) => Promise<TextRead>

/** Reads the person's log once, with the first text. */
export function createTextReader(call: Call): TextReader {
  let known: Promise<KnownHere> | undefined
  return async (text, date) => {
    known ??= knownTo(call)
    return readText(await known, text, date)
  }
}

/** Reads each text once: a text read before a transaction is not read again inside it. */
export function rememberTexts(read: TextReader): TextReader {
  const known = new Map<string, Promise<TextRead>>()
  return (text, date) => {
    const key = JSON.stringify([text, date])
    const before = known.get(key) ?? read(text, date)
    known.set(key, before)
    return before
  }
}

function readText({ known, own }: KnownHere, text: string, date: string | undefined): TextRead {
  const given = date === undefined ? undefined : givenDay(date)
  const calendar = { ...known.calendar, given }
  const { parts, draft: said, problem } = readLine(text, { ...known, calendar })
  // A place that the person has to choose is asked about with the others.
  const named: LineDraft = Object.assign({}, ...parts.filter(isPlace).map(setsOf), said)
  const { datePrecision: _, ...exact } = named
  // Uses the first day of a month or year; times are rejected in this case anyway.
  const draft = given ? { ...exact, date: given.date } : named
  const say = (sets: LineDraft) => meaningOf(sets, known.reference)
  const legs = legsOfLine(said)
  return {
    fields: logBody(draft, known.reference),
    near: parts.flatMap((part) => nearOf(part, say)),
    unknown: parts.find(isUnknown)?.text,
    period: parts.flatMap((part) => periodOf(part, say))[0],
    legs: legs.length > 1 ? legs.map(({ fromId, toId }) => say({ fromId: fromId!, toId: toId! })) : [],
    places: besideEachOther(parts.flatMap((part) => placeIn(part, own))),
    understood: parts.map(({ start, end, text: typed, kind, sets, alternatives }) => ({
      ...{ start, end, text: typed, kind },
      meaning: say(sets),
      alternatives: alternatives.map((other) =>
        other.kind === kind ? say(other.sets) : `${other.kind}: ${say(other.sets)}`,
      ),
    })),
    assumed: assumedIn(parts, draft, known.reference),
    problem,
  }
}

type Say = (sets: LineDraft) => string

function nearOf({ text, alternatives }: LinePart, say: Say): TextRead['near'] {
  const near = alternatives.filter(({ isNear }) => isNear)
  const field = near[0]?.kind === 'to' ? 'to' : 'from'
  return near.length > 0 ? [{ text, field, candidates: near.map(({ sets }) => say(sets)) }] : []
}

const periodOf = (
  { kind, text, sets, alternatives }: LinePart,
  say: Say,
): NonNullable<TextRead['period']>[] =>
  kind === 'date' && sets.date === undefined
    ? [{ text, candidates: alternatives.map((one) => say(one.sets)) }]
    : []

/** `2026-03-02`, `2026-03`, `2026` */
const givenDay = (date: string): NonNullable<LineCalendar['given']> => ({
  date: `${date}-01-01`.slice(0, 10),
  ...(date.length < 10 && { datePrecision: date.length === 4 ? 'year' : 'month' }),
})

interface KnownHere {
  known: Known
  /** The airports of the person's log. */
  own: ReadonlySet<number | null>
}

const isPlace = ({ kind }: LinePart): boolean => kind === 'from' || kind === 'to'
const isChoice = ({ sets }: LinePart): boolean => Object.keys(sets).length === 0
const setsOf = (part: LinePart): LineDraft => (isChoice(part) ? part.alternatives[0]!.sets : part.sets)
const isUnknown = ({ kind, text, sets, alternatives }: LinePart): boolean =>
  kind === 'note' &&
  sets.note === text &&
  !alternatives.some(({ isNear }) => isNear) &&
  /\p{L}{3}/u.test(text)

function placeIn(part: LinePart, own: KnownHere['own']): SaidPlace[] {
  const { kind, text, alternatives } = part
  if (kind !== 'from' && kind !== 'to') return []
  const sets = setsOf(part)
  const id = sets.fromId ?? sets.toId!
  const others = alternatives.filter((other) => other.kind === kind && !other.isNear)
  const ids = [id, ...others.map((other) => other.sets.fromId ?? other.sets.toId!)]
  const words = text.split(/\s+/).map((word) => ({ text: word, plain: plain(word) }))
  const start = words.findIndex((word, i) => endNamedBy(word, words[i + 1]) === undefined)
  const said = words
    .slice(start)
    .map((word) => word.text)
    .join(' ')
  // Restores the closing bracket that the parser cut off: `London (LHR`.
  const name = said.includes('(') && !said.includes(')') ? `${said})` : said
  const choices = isChoice(part) ? [...new Set(ids)] : []
  return [
    { field: kind, name, id, isOnly: others.length === 0, choices, own: ids.filter((one) => own.has(one)) },
  ]
}

/** A place that means only one airport helps to decide the other. */
const besideEachOther = (places: readonly SaidPlace[]): SaidPlace[] =>
  places.map((place) => {
    const other = places.find(({ field }) => field !== place.field)
    return { ...place, otherId: other?.isOnly && other.choices.length === 0 ? other.id : undefined }
  })

/** The person's own log, and the reference data together with the airports that only this log has. */
async function knownTo(call: Call): Promise<KnownHere> {
  const { principal, db, now, services } = call
  const { id } = principal.user
  const { reference: revision } = principal.revisions
  const log = withoutCancelled(await loadLog(call, id, revision))
  const reference = withAirports(await services.reference.line(db, revision), ownAirports(log))
  const preferences = await findPreferences(db, id)
  const homeId = await homeOf(log, preferences?.homeAirportId ?? null, now.toISOString().slice(0, 10))
  const home = homeId === null ? undefined : reference.airports.byId.get(homeId)
  const flights = log.flights.map((flight) => remembered(flight, log, id))
  const known: Known = {
    reference,
    memory: rememberLog(flights, (await peopleKnownTo(call)).others, homeId),
    calendar: {
      today: localDate(now.getTime(), home?.timezone ?? 'Etc/UTC'),
      order: preferences?.dateFormat === 'us' ? 'month-first' : 'day-first',
    },
  }
  return { known, own: new Set(log.flights.flatMap(({ fromId, toId }) => [fromId, toId])) }
}

/** Includes airports without airline service. */
function ownAirports({ flights, records }: FlownLog): LineAirport[] {
  const ids = new Set(flights.flatMap(({ fromId, toId }) => [fromId, toId]))
  const airports = [...ids].flatMap((id) => recordOf(records.airports, id) ?? [])
  return airports.map(({ municipality, ...airport }) => ({
    ...airport,
    city: municipality,
    size: 0,
    names: [],
  }))
}

/** The home that the person set, or else the one derived from their flights, as for journeys. */
const homeOf = async (log: FlownLog, chosen: number | null, today: string): Promise<number | null> =>
  chosen ?? (await runSteps(usualAirport(await legsOf(log), today)))

function remembered(flight: LogFlight, { records }: FlownLog, userId: string): LineFlight {
  const { departureLocal: departure, arrivalLocal: arrival } = legOf(flight, records)
  const own = flight.passengers.find((passenger) => passenger.userId === userId)
  return {
    date: flight.date,
    flightNumber: flight.flightNumber,
    fromId: flight.fromId,
    // The usual destination of that number, even if this flight was diverted.
    toId: flight.plannedToId ?? flight.toId,
    airlineId: flight.airlineId,
    aircraftId: flight.aircraftId,
    departure: departure?.slice(11) ?? null,
    arrival: arrival?.slice(11) ?? null,
    dayShift: departure && arrival ? daysBetween(departure.slice(0, 10), arrival.slice(0, 10)) : null,
    seat: (own?.seat ?? null) as LineFlight['seat'],
    seatNumber: own?.seatNumber ?? null,
    seatClass: (own?.seatClass ?? null) as LineFlight['seatClass'],
    reason: (own?.flightReason ?? null) as LineFlight['reason'],
  }
}

// As text

const showAirport = (airport: LineAirport | undefined) =>
  airport ? `${airportCode(airport)} ${airport.name}` : ''

/** The meaning of a part as text. */
function meaningOf(sets: LineDraft, { airports, airlines, aircraft }: LineReference): string {
  const { viaIds, ...own } = sets
  const { fromId, toId, airlineId, aircraftId, arrival, people, flightNumber, date, datePrecision, ...rest } =
    own
  const airline = airlineId === undefined ? undefined : airlines.byId.get(airlineId)
  const airport = fromId ?? toId
  if (fromId !== undefined && toId !== undefined)
    return [fromId, ...(viaIds ?? []), toId].map((id) => airportCode(airports.byId.get(id)!)).join('–')
  const shift = arrival?.dayShift ? `${arrival.dayShift > 0 ? '+' : ''}${arrival.dayShift}` : ''
  const { departure, ...plain } = rest
  const words = [
    flightNumber,
    airline?.name,
    airport === undefined ? undefined : showAirport(airports.byId.get(airport)),
    aircraftId === undefined ? undefined : aircraft.byId.get(aircraftId)?.name,
    departure && `departure ${departure}`,
    arrival && `arrival ${arrival.time}${shift}`,
    people?.map(({ name }) => name).join(', '),
    date && writtenDate({ date, datePrecision }),
    ...Object.values(plain),
  ]
  return words.filter((word) => word !== undefined && word !== '').join(', ')
}

function notUnderstood(
  text: string,
  alternatives: readonly Alternative[],
  say: (sets: LineDraft) => string,
): Warning {
  const near = alternatives.filter(({ isNear }) => isNear).map(({ sets }) => say(sets))
  const question = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return { code: 'not_understood', message: `“${text}” was not understood; it is in the note.${question}` }
}

const notFlown = (text: string): Warning => ({
  code: 'outcome_by_text',
  message: `“${text}” was taken to mean that the flight was cancelled; it does not count as flown.`,
})

const wayBack = (text: string, route: string): Warning => ({
  code: 'route_of_return',
  message: `“${text}” was taken as the way back of the newest flight: ${route}.`,
})

type Assumed = TextRead['assumed'][number]

/** Airports are not included: see `SaidPlace`. */
function assumedIn(parts: readonly LinePart[], draft: LineDraft, reference: LineReference): Assumed[] {
  const say = (sets: LineDraft) => meaningOf(sets, reference)
  const assumed = parts.flatMap((part): Assumed[] => {
    const { kind, text, sets, alternatives } = part
    // An explicit note (`note: …`) was understood.
    if (kind === 'note')
      return sets.note === text ? [{ field: 'note', warning: notUnderstood(text, alternatives, say) }] : []
    if (kind === 'route' && !sets.viaIds) return [{ field: 'from', warning: wayBack(text, say(sets)) }]
    if (kind === 'outcome') return [{ field: 'outcome', warning: notFlown(text) }]
    const field = kind === 'people' ? 'companions' : kind
    if (field !== 'date' && field !== 'airline' && field !== 'aircraft' && field !== 'companions') return []
    const others = alternatives.filter((other) => other.kind === kind).map((other) => say(other.sets))
    if (others.length === 0 || field === 'airline')
      return takenByName(part, reference).map((warning) => ({ field, warning }))
    const message = `“${text}” was taken as ${say(sets)}; it may also mean ${others.slice(0, 3).join(' or ')}.`
    return [{ field, warning: { code: 'may_also_mean', message } }]
  })
  if (draft.arrival && draft.departure === undefined && draft.arrival.dayShift === null)
    assumed.push({
      field: 'arrivalTime',
      warning: {
        code: 'arrival_day_assumed',
        message: `The arrival was taken to be on ${draft.date ?? 'the day of the flight'}.`,
      },
    })
  return assumed
}

/** Warns about text that is neither a code nor a full name, as for fields. */
function takenByName({ kind, text, sets }: LinePart, { airlines, aircraft }: LineReference): Warning[] {
  const typed = searchFold(text)
  if (kind === 'people')
    return (sets.people ?? [])
      .filter(({ userId, name }) => userId !== null && !` ${typed} `.includes(` ${searchFold(name)} `))
      .map((person) => ({
        code: 'person_by_name',
        message: `“${wordFor(person, text)}” was taken as ${shownPerson(person)}.`,
      }))
  const record =
    kind === 'airline'
      ? airlines.byId.get(sets.airlineId ?? -1)
      : kind === 'aircraft'
        ? aircraft.byId.get(sets.aircraftId ?? -1)
        : undefined
  if (!record) return []
  const own = [record.name, record.iata, record.icao].flat().map((one) => searchFold(one ?? ''))
  if (own.includes(typed)) return []
  const code = (typeof record.iata === 'string' ? record.iata : null) ?? record.icao ?? ''
  const shown = `${code} ${record.name}`
  return [{ code: `${kind}_by_name`, message: `“${text}” was taken as ${shown.trim()}.` }]
}

/** The word that matched the person. */
const wordFor = ({ name, username = '' }: LinePerson, text: string): string => {
  const own = new Set([...searchFold(name).split(' '), searchFold(username)])
  return text.split(/[\s,&+]+/).find((word) => own.has(searchFold(word))) ?? text
}

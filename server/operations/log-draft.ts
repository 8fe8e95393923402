// From what was said of a flight to the flight that is stored: records, day and instants, people, and what the person should
// hear about it.
import { AppError, type ErrorDetail, invalidField } from '../base/errors.ts'
import { check, toDetail } from '../base/validation.ts'
import { canonicalFlightNumber } from '../domain/flight-number.ts'
import type { Call } from '../operation.ts'
import { type KnownPeople, peopleKnownTo } from '../resolve/people.ts'
import { airports, resolveText } from '../resolve/reference.ts'
import type { Aircraft, Airline, Airport } from '../store/reference.ts'
import { type FlightDraft, FlightInput } from './flight-input.ts'
import { filledFrom, type Route, routeByNumber } from './log-by-number.ts'
import { type Spoken, withText } from './log-input.ts'
import { createTextReader, type TextRead, type TextReader } from './log-text.ts'
import { personalSourceOf } from './reference-data.ts'
import type { Warning } from './schemas.ts'
import {
  airlineOfNumber,
  findAircraft,
  findAirline,
  precisionOf,
  readTimes,
  type SpokenCompanion,
  spokenDays,
  type TimesRead,
  takeRead,
  warnOfOddities,
} from './spoken-flight.ts'
import { personNamed } from './spoken-people.ts'
import {
  ambiguous,
  collected,
  describedKinds,
  refuseCollected,
  requireAirport,
  type Words,
} from './spoken-words.ts'

/** What is read once for all flights of a request. */
export interface Readers {
  text: TextReader
  people(): Promise<KnownPeople>
}

export function createReaders(call: Call): Readers {
  let people: Promise<KnownPeople> | undefined
  return {
    text: createTextReader(call),
    people: () => {
      people ??= peopleKnownTo(call)
      return people
    },
  }
}

interface Drafted {
  flight: FlightInput
  warnings: Warning[]
  /** What the words of the text were taken for, if there is one. */
  understood: TextRead['understood'] | undefined
}

/** The flight, checked except for what depends on others in the log. All fields that are wrong are refused together. */
export async function draftFlight(call: Call, given: Spoken, readers: Readers): Promise<Drafted> {
  const problems: Words['problems'] = []
  const { spoken, text } = await spokenOf(given, readers.text, problems)
  const warnings = [...(text?.warnings ?? [])]
  const words: Words = { call, days: spokenDays(call, spoken), warnings, problems }
  for (const { field, name } of text?.unsure ?? [])
    if (given[field] === undefined) await collected(words, () => requireOneMeaning(words, field, name))
  const route = await collected(words, () => routeOf(words, spoken))
  const aircraft = await findAircraft(words, spoken.aircraft)
  const airline = spoken.airline ? await findAirline(words, spoken.airline) : null
  const plannedTo = spoken.plannedTo
    ? await collected(words, () => requireAirport(words, 'plannedTo', spoken.plannedTo!))
    : undefined
  const times = await readTimes(words, spoken, route, aircraft?.class ?? null)
  const companions = await companionsOf(words, spoken.companions ?? [], readers)
  refuseCollected(words)
  const known: Known = { ...times, route: route!, aircraft, airline, plannedTo, companions }
  const draft = await fieldsFrom(words, spoken, known)
  const checked = check(FlightInput, draft)
  if ('issues' in checked) throw refusal(checked.issues.map(toDetail))
  const [aircraftClass, flightNumber] = [aircraft?.class ?? null, draft.flightNumber ?? null]
  await warnOfOddities(words, { ...times, ends: route!, aircraftClass, flightNumber, airline })
  return { flight: checked.data, warnings, understood: text?.understood }
}

/** The fields, with what the text says. */
export async function spokenOf(
  given: Spoken,
  read: TextReader,
  problems: Words['problems'],
): Promise<{ spoken: Spoken; text: TextRead | undefined }> {
  const input = takeRead({ problems }, given)
  // What the text would have said is not missing.
  if (given.text !== undefined && input.text === undefined) refuseCollected({ problems })
  if (input.text === undefined) return { spoken: input, text: undefined }
  const text = await read(input.text, input.date)
  return { spoken: await withText({ problems }, input, text), text }
}

/** A line takes the likeliest airport, which a person sees and corrects. Here nobody does: the resolver's rule decides. */
async function requireOneMeaning(words: Words, field: 'from' | 'to', name: string): Promise<void> {
  const resolution = await resolveText(personalSourceOf(words.call), airports, name, words.days)
  if (resolution.outcome === 'ambiguous')
    throw ambiguous(field, describedKinds.airports, name, resolution.candidates)
}

/** Both airports as named, or those that the flight number says. */
async function routeOf(words: Words, { from, to, flightNumber }: Spoken): Promise<Route | undefined> {
  if (from && to) {
    const first = await collected(words, () => requireAirport(words, 'from', from))
    const last = await collected(words, () => requireAirport(words, 'to', to))
    return first && last && { from: first, to: last, likeLast: undefined, found: undefined }
  }
  if (!from && !to && flightNumber) return routeByNumber(words, flightNumber)
  if (from) await collected(words, () => requireAirport(words, 'from', from))
  if (to) await collected(words, () => requireAirport(words, 'to', to))
  throw invalidField([from ? 'to' : 'from'], 'airports_missing')
}

interface Known extends TimesRead {
  route: Route
  aircraft: Aircraft | null
  /** As named. */
  airline: Airline | null
  plannedTo: Airport | undefined
  companions: Companion[]
}

interface Companion {
  userId?: string
  guestName?: string
  seatNumber: string | undefined
  seatClass: SpokenCompanion['seatClass']
}

async function fieldsFrom(words: Words, spoken: Spoken, known: Known): Promise<FlightDraft> {
  const { departure, arrival, aircraft, plannedTo } = known
  const { from, to, found } = known.route
  const date = known.date!
  const { seat, seatNumber, seatClass, reason: flightReason } = spoken
  return {
    ...(found && filledFrom(found, spoken, date)),
    date,
    ...(spoken.date && { datePrecision: precisionOf(spoken.date) }),
    fromId: from.id,
    toId: to.id,
    ...(departure || arrival ? { departure: departure?.dateTime, arrival: arrival?.dateTime } : {}),
    flightNumber: spoken.flightNumber && canonicalFlightNumber(spoken.flightNumber),
    airlineId: await airlineIdOf(words, spoken, known),
    aircraftId: aircraft?.id ?? (spoken.aircraft ? null : (found?.draft.aircraft?.id ?? null)),
    ...given({
      aircraftReg: spoken.registration?.toUpperCase(),
      departureTerminal: spoken.departureTerminal,
      departureGate: spoken.departureGate,
      arrivalTerminal: spoken.arrivalTerminal,
      arrivalGate: spoken.arrivalGate,
      outcome: spoken.outcome ?? 'flown',
      plannedToId: plannedTo?.id,
    }),
    note: spoken.note,
    customFields: spoken.customFields,
    passengers: [
      { userId: words.call.principal.user.id, seat, seatNumber, seatClass, flightReason },
      ...known.companions,
    ],
  }
}

/** Users and known guests by their names; anyone else becomes a guest. */
async function companionsOf(
  words: Words,
  given: readonly SpokenCompanion[],
  readers: Readers,
): Promise<Companion[]> {
  const companions: Companion[] = []
  for (const [i, { name, userId, seatNumber, seatClass }] of given.entries()) {
    const who =
      userId === undefined
        ? personNamed(words, ['companions', i, 'name'], name!, await readers.people())
        : { userId }
    companions.push({ ...who, seatNumber, seatClass })
  }
  return companions
}

/** The one named, else that of the last flight with this number, else the one whose code the number begins with. */
async function airlineIdOf(words: Words, spoken: Spoken, { airline, route }: Known): Promise<number | null> {
  if (spoken.airline) return airline?.id ?? null
  if (route.likeLast?.airlineId) return route.likeLast.airlineId
  const own = await airlineOfNumber(words, spoken.flightNumber)
  return own?.id ?? route.found?.draft.airline?.id ?? null
}

const given = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>

/** Fields that have another name here. */
const saidAs: Record<string, string> = {
  departure: 'departureTime',
  arrival: 'arrivalTime',
  plannedToId: 'plannedTo',
  passengers: 'companions',
}

/** What the whole flight's rules object to, in the words of this operation's fields. */
const refusal = (details: ErrorDetail[]) =>
  new AppError('validation_failed', 'validation_failed', {
    details: details.map((detail) => {
      const field = saidAs[detail.path[0] ?? '']
      return field === undefined ? detail : { ...detail, path: [field] }
    }),
  })

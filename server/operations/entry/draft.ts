// Turns a described flight into one that can be stored: records, day and times, people, and the warnings for the person.
import { AppError, invalidField } from '../../base/errors.ts'
import { check, toDetail } from '../../base/request/validation.ts'
import { canonicalFlightNumber, designatorOf } from '../../domain/flights/number.ts'
import { writeRegistration } from '../../domain/flights/registration.ts'
import { isPassText } from '../../domain/imports/boarding-pass.ts'
import { problem } from '../../domain/reasons.ts'
import type { Call } from '../../door/operation.ts'
import { type KnownPeople, peopleKnownTo } from '../../services/reference/resolve/people.ts'
import { existingPeople } from '../../store/people/people.ts'
import type { Aircraft, Airline, Airport } from '../../store/reference/records.ts'
import { requireFlightValues } from '../flights/custom-values.ts'
import { type FlightDraft, FlightInput } from '../flights/input.ts'
import {
  collected,
  describedKinds,
  refuseCollected,
  requireAirport,
  requireNamedAirport,
  requireNoNearNamesake,
  requireSaidPlace,
  type SaidPlace,
  type Words,
} from '../reference/named.ts'
import type { Warning } from '../wire/schemas.ts'
import { filledFrom, type Route, routeByNumber } from './by-number.ts'
import {
  airlineOfNumber,
  entriesRead,
  findAircraft,
  findAirline,
  precisionOf,
  readTimes,
  type SpokenCompanion,
  spokenDays,
  spokenName,
  type TimesRead,
  takeRead,
  warnOfNumber,
  warnOfOddities,
} from './fields.ts'
import { type Spoken, spokenNames, withText } from './input.ts'
import { createTextReader, type TextRead, type TextReader } from './line.ts'
import { personNamed } from './people.ts'

/** Read once for all flights of a request. */
export interface Readers {
  text: TextReader
  people(): Promise<KnownPeople>
}

export function createReaders(call: Call, text = createTextReader(call)): Readers {
  let people: Promise<KnownPeople> | undefined
  return {
    text,
    people: () => {
      people ??= peopleKnownTo(call)
      return people
    },
  }
}

export interface Drafted {
  flight: FlightInput
  warnings: Warning[]
  /** How the text was understood, if there is one. */
  understood: TextRead['understood'] | undefined
}

/** The flight with every check that does not depend on the rest of the log. All invalid fields are reported together. */
export async function draftFlight(call: Call, given: Spoken, readers: Readers): Promise<Drafted> {
  const problems: Words['problems'] = []
  const { spoken, text } = await spokenOf(given, readers.text, problems)
  const isGiven = (field: keyof Spoken) => given[field] !== undefined
  const warnings = (text?.assumed ?? []).flatMap(({ field, warning }) =>
    field !== 'note' && isGiven(field) ? [] : warning,
  )
  const words: Words = { call, days: spokenDays(call, spoken), warnings, problems }
  const places = (text?.places ?? []).filter(({ field }) => !isGiven(field))
  const route = await collected(words, () => routeOf(words, spoken, places))
  const aircraft = await findAircraft(words, spoken.aircraft)
  const airline = spoken.airline ? await findAirline(words, spoken.airline) : null
  const plannedTo = spoken.plannedTo
    ? await collected(words, () => requireAirport(words, 'plannedTo', spoken.plannedTo!))
    : undefined
  const times = await readTimes(words, spoken, route, aircraft?.class ?? null)
  const companions = await companionsOf(words, spoken.companions ?? [], readers)
  await collected(words, () => requireFlightValues(call, spoken.customFields ?? {}, undefined))
  refuseCollected(words)
  const known: Known = { ...times, route: route!, aircraft, airline, plannedTo, companions }
  const draft = await fieldsFrom(words, spoken, known)
  const checked = check(FlightInput, draft)
  if ('issues' in checked)
    throw inWordsOfLog(
      new AppError('validation_failed', 'validation_failed', { details: checked.issues.map(toDetail) }),
    )
  const [aircraftClass, flightNumber] = [aircraft?.class ?? null, draft.flightNumber ?? null]
  warnOfNumber(words, flightNumber)
  await warnOfOddities(words, { ...times, ends: route!, aircraftClass, flightNumber, airline })
  return { flight: checked.data, warnings, understood: text && understoodAs(text, places, route!) }
}

/** The given fields, completed from the text. */
export async function spokenOf(
  given: Spoken,
  read: TextReader,
  problems: Words['problems'],
): Promise<{ spoken: Spoken; text: TextRead | undefined }> {
  const input = takeRead({ problems }, given, spokenNames)
  // Fields that the text would have contained are not reported as missing.
  if (given.text !== undefined && input.text === undefined) refuseCollected({ problems })
  if (input.text === undefined) return { spoken: input, text: undefined }
  if (isPassText(input.text)) throw invalidField(['text'], 'text_is_boarding_pass')
  const text = await read(input.text, input.date)
  return { spoken: await withText({ problems }, input, text), text }
}

/** The airports as finally chosen. */
const understoodAs = ({ understood }: TextRead, places: readonly SaidPlace[], ends: Route) =>
  understood.map((part) => {
    const place = places.find(({ field, id }) => field === part.kind && ends[field].id !== id)
    return place ? { ...part, meaning: describedKinds.airports.show(ends[place.field]) } : part
  })

/** Both airports as named, or those of the flight number. */
async function routeOf(
  words: Words,
  { from, to, flightNumber }: Spoken,
  places: readonly SaidPlace[],
): Promise<Route | undefined> {
  const find = (field: 'from' | 'to', text: string) => {
    const place = places.find((one) => one.field === field)
    return collected(words, () =>
      place ? requireSaidPlace(words, place) : requireNamedAirport(words, field, text),
    )
  }
  const nameOf = (field: 'from' | 'to', text: string) =>
    places.find((one) => one.field === field)?.name ?? text
  const first = from ? await find('from', from) : undefined
  const last = to ? await find('to', to) : undefined
  if (first && last) {
    const ends = [
      { ...first, field: 'from', text: nameOf('from', from!), other: last.airport },
      { ...last, field: 'to', text: nameOf('to', to!), other: first.airport },
    ]
    for (const end of ends) await collected(words, () => requireNoNearNamesake(words, end))
  }
  if (from && to)
    return first && last && { from: first.airport, to: last.airport, likeLast: undefined, found: undefined }
  if (!from && !to && flightNumber) return routeByNumber(words, flightNumber)
  throw invalidField([from ? 'to' : 'from'], 'airports_missing')
}

interface Known extends TimesRead {
  route: Route
  aircraft: Aircraft | null
  /** As named in the request. */
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
    flightNumber: spoken.flightNumber && canonicalFlightNumber(withCode(spoken.flightNumber, known.airline)),
    airlineId: await airlineIdOf(words, spoken, known),
    aircraftId: aircraft?.id ?? (spoken.aircraft ? null : (found?.draft.aircraft?.id ?? null)),
    ...given({
      aircraftReg: spoken.registration && writeRegistration(spoken.registration),
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

/** A number without letters belongs to the airline that is named. */
const withCode = (flightNumber: string, airline: Airline | null): string =>
  airline && /^\d{1,4}[A-Za-z]?$/.test(flightNumber)
    ? `${designatorOf(airline)}${flightNumber}`
    : flightNumber

/** Users and known guests by name; other names become new guests. */
async function companionsOf(
  words: Words,
  given: readonly SpokenCompanion[],
  readers: Readers,
): Promise<Companion[]> {
  const companions: Companion[] = []
  const { db, principal } = words.call
  const aboard = new Set([principal.user.id])
  const named = entriesRead(given)
  const existing = await existingPeople(
    db,
    named.flatMap(([, { userId }]) => userId ?? []),
  )
  for (const [i, { name, userId, seatNumber, seatClass }] of named) {
    const who =
      userId === undefined
        ? personNamed(words, ['companions', i, 'name'], name!, await readers.people())
        : { userId }
    if (userId !== undefined && !existing.has(userId))
      words.problems.push(invalidField(['companions', i, 'userId'], 'no_such_user'))
    const key = who && ('userId' in who ? who.userId : `guest ${who.guestName}`)
    if (key !== undefined && aboard.has(key))
      words.problems.push(
        invalidField(['companions', i], problem('person_already_aboard', { text: name ?? userId! })),
      )
    else companions.push({ ...who, seatNumber, seatClass })
    if (key !== undefined) aboard.add(key)
  }
  return companions
}

/** The named airline, or that of the last flight with this number, or the one whose code the number starts with. */
async function airlineIdOf(words: Words, spoken: Spoken, { airline, route }: Known): Promise<number | null> {
  if (spoken.airline) return airline?.id ?? null
  if (route.likeLast?.airlineId) return route.likeLast.airlineId
  const own = await airlineOfNumber(words, spoken.flightNumber)
  return own?.id ?? route.found?.draft.airline?.id ?? null
}

const given = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>

/** Problems with the whole flight, reported by the field names of this operation. */
export function inWordsOfLog(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.details) return error
  const details = error.details.map((one) => ({ ...one, path: pathInWords(one.path) }))
  return new AppError(error.code, error.problem, { details })
}

/** The first passenger is the caller, whose seat is a field of the flight here. */
function pathInWords([name = '', index, ...rest]: readonly string[]): string[] {
  if (name !== 'passengers') return [name, ...(index === undefined ? [] : [index]), ...rest].map(spokenName)
  if (index === undefined) return ['companions']
  return [...(index === '0' ? [] : ['companions', String(Number(index) - 1)]), ...rest.map(spokenName)]
}

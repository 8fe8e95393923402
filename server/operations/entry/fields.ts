// The fields with which people log and edit a flight, and their conversion to ids, days and times. All problems are
// collected (`Words.problems`), so that they are reported together.
import * as z from 'zod'
import { AppError, detail, invalidField } from '../../base/errors.ts'
import { detailsOf } from '../../base/request/input.ts'
import { because } from '../../base/request/validation.ts'
import {
  hasOwnDay,
  isTypedTime,
  namesArrivalDay,
  readArrival,
  readTime,
  type TimeRead,
} from '../../domain/entry/spoken-times.ts'
import type { AircraftClass, DatePrecision } from '../../domain/enums.ts'
import { outcomes } from '../../domain/enums.ts'
import { isFlownAs, parseFlightNumber } from '../../domain/flights/number.ts'
import { dateOddity, isFarTooSlow, timeOddity, timeOddityText } from '../../domain/flights/plausibility.ts'
import { distanceKm } from '../../domain/geo/geo.ts'
import { problem } from '../../domain/reasons.ts'
import { airportCode, type Days, daysOf } from '../../domain/reference/code-periods.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { daysBetween, isCalendarDate } from '../../domain/time/time.ts'
import type { Call } from '../../door/operation.ts'
import { airlines, resolveCode } from '../../services/reference/resolve/records.ts'
import type { Aircraft, Airline, Airport } from '../../store/reference/records.ts'
import { collected, decided, describedKinds, findOptional, type Words } from '../reference/named.ts'
import { FlightReason, Seat, SeatClass } from '../wire/schemas.ts'

// Fields

const shortText = z.string().trim().min(1).max(500)
const spokenTime = (isArrival: boolean) =>
  z
    .string()
    .trim()
    .refine((text) => isTypedTime(text, isArrival), because('spoken_time_form'))

/** A day, or the month or year if the day is unknown. */
const SpokenDate = z
  .string()
  .trim()
  .regex(/^\d{4}(-\d{2}){0,2}$/, { error: because('spoken_date_form'), abort: true })
  .refine((text) => isCalendarDate(firstDayOf(text.slice(0, 7))), {
    error: because('no_such_month'),
    abort: true,
  })
  .refine((text) => isCalendarDate(firstDayOf(text)), because('no_such_day'))

export const firstDayOf = (text: string): string => `${text}-01-01`.slice(0, 10)
export const precisionOf = (text: string): DatePrecision =>
  text.length === 4 ? 'year' : text.length === 7 ? 'month' : 'day'

const seatNumber = z.string().trim().min(1).max(20)

/** The fields of a flight as given. Each operation decides which are optional or may be emptied. */
export const spokenFields = {
  from: shortText.describe('Departure airport: code or name.'),
  to: shortText.describe('Arrival airport: code or name. Of a diverted flight, where it landed.'),
  flightNumber: z.string().trim().min(1).max(20).describe('Such as SK909.'),
  date: SpokenDate.describe('Local date at departure: YYYY-MM-DD, or YYYY-MM or YYYY if that is all.'),
  departureTime: spokenTime(false).describe('Local time as printed: 07:50.'),
  arrivalTime: spokenTime(true).describe('Local time as printed: 09:10, or 09:10+1 for the next day.'),
  airline: shortText.describe('Code or name. By default that of the flight number.'),
  aircraft: shortText.describe('Type: code or name, such as A20N.'),
  registration: shortText.describe('Such as OY-KAL.'),
  seatNumber: seatNumber.describe('The person’s own, such as 12A.'),
  seat: Seat,
  seatClass: SeatClass,
  reason: FlightReason,
  note: z.string().trim().min(1).max(10_000),
  outcome: z.enum(outcomes).describe('By default flown.'),
  plannedTo: shortText.describe('Where a diverted flight was to land.'),
  departureTerminal: shortText,
  departureGate: shortText,
  arrivalTerminal: shortText,
  arrivalGate: shortText,
}

/** The names of a flight's own fields in these operations. */
const saidAs: Record<string, string> = {
  fromId: 'from',
  toId: 'to',
  plannedToId: 'plannedTo',
  airlineId: 'airline',
  aircraftId: 'aircraft',
  departure: 'departureTime',
  arrival: 'arrivalTime',
  aircraftReg: 'registration',
  flightReason: 'reason',
}
export const spokenName = (name: string): string => saidAs[name] ?? name

/** A passenger other than the caller. */
export const SpokenCompanion = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('Name or user name; without an account, a guest.'),
    userId: z.string().trim().min(1).max(100).optional().describe('In place of the name.'),
    seatNumber: seatNumber.optional(),
    seatClass: SeatClass.optional(),
  })
  .refine(({ name, userId }) => (name === undefined) !== (userId === undefined), because('name_or_user_id'))
export type SpokenCompanion = z.output<typeof SpokenCompanion>

/** A value that its field does not accept. */
class Unread {
  readonly schema: z.ZodType
  readonly issues: z.core.$ZodIssue[]
  constructor(schema: z.ZodType, issues: z.core.$ZodIssue[]) {
    this.schema = schema
    this.issues = issues
  }
}

/**
 * The declared field, except that invalid values pass the door, so that they are reported together with other
 * problems: call `takeRead` on the input first. (Zod calls the function without a context to describe the schema.)
 */
export const readLater = <Schema extends z.ZodType>(schema: Schema) =>
  schema.catch((context) => (context ? new Unread(schema, context.error.issues) : undefined) as never)

/**
 * A strict body whose unknown fields pass the door too, so that they are reported together with other problems: call
 * `takeRead` on the input first.
 */
export const unknownLater = <Shape extends z.core.$ZodLooseShape>(shape: Shape, id: string) =>
  z.looseObject(shape).meta({ id, additionalProperties: false }) as unknown as ReturnType<
    typeof z.strictObject<Shape>
  >

/** The input without invalid and unknown fields, whose problems are collected. */
export function takeRead<Input extends object>(
  { problems }: Pick<Words, 'problems'>,
  given: Input,
  known: readonly string[],
): Input {
  const input = takeKnown({ problems }, given, known)
  problems.push(...Object.entries(input).flatMap(([name, value]) => problemsInside(name, value)))
  const unread = Object.entries(input).filter(
    (entry): entry is [string, Unread] => entry[1] instanceof Unread,
  )
  if (unread.length === 0) return input
  const details = unread.flatMap(([name, { schema, issues }]) => detailsOf(schema, issues, [name]))
  problems.push(new AppError('validation_failed', 'validation_failed', { details }))
  const names = new Set(unread.map(([name]) => name))
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name))) as Input
}

/** Problems inside a list. Invalid entries stay in the list, so that the others keep their positions. */
function problemsInside(name: string, list: unknown): AppError[] {
  const details = Array.isArray(list)
    ? list.flatMap((item, i) =>
        item instanceof Unread ? detailsOf(item.schema, item.issues, [name, String(i)]) : [],
      )
    : []
  return details.length > 0 ? [new AppError('validation_failed', 'validation_failed', { details })] : []
}

/** The valid entries of a list, with their positions. */
export const entriesRead = <Item>(list: readonly Item[]): [number, Item][] =>
  [...list.entries()].filter(([, item]) => !(item instanceof Unread))

const UNKNOWN_SHOWN = 20

function takeKnown<Input extends object>(
  { problems }: Pick<Words, 'problems'>,
  input: Input,
  known: readonly string[],
): Input {
  const unknown = Object.keys(input).filter((name) => !known.includes(name))
  if (unknown.length === 0) return input
  // The `lookup` field is for programs.
  const told = known.filter((name) => name !== 'lookup')
  const details = unknown
    .slice(0, UNKNOWN_SHOWN)
    .map((field) => detail([field], unknownProblem(field, told), 'unrecognized_keys'))
  problems.push(new AppError('validation_failed', 'validation_failed', { details }))
  return Object.fromEntries(Object.entries(input).filter(([name]) => known.includes(name))) as Input
}

/** In an edit the passengers have a different field, because people can also leave. */
const unknownProblem = (field: string, known: readonly string[]) =>
  field === 'companions' ? 'people_form' : problem('unknown_field', { field, known })

// Days and times

interface SpokenTimes {
  date?: string | undefined
  departureTime?: string | undefined
  arrivalTime?: string | undefined
}

/** The days on which codes are resolved: the date, or else the local date of the departure (its zone is not known yet). */
export function spokenDays({ now }: Call, { date, departureTime }: SpokenTimes): Days {
  if (date !== undefined) return daysOf(firstDayOf(date), precisionOf(date))
  const written = departureTime?.slice(0, 10)
  return daysOf(written && isCalendarDate(written) ? written : utcDate(now.getTime()))
}

export interface TimesRead {
  /** YYYY-MM-DD, the first day of a month or year. Undefined if it was rejected. */
  date: string | undefined
  departure: TimeRead | undefined
  arrival: TimeRead | undefined
}

interface Ends {
  from: Airport
  to: Airport
}

/** The day and the times; contradictions are collected. Without airports, only checks that need no time zone. */
export async function readTimes(
  words: Words,
  said: SpokenTimes,
  ends: Ends | undefined,
  aircraftClass: AircraftClass | null,
): Promise<TimesRead> {
  if (said.date !== undefined && precisionOf(said.date) !== 'day') {
    await collected(words, () => requireNoTimes(said))
    return { date: firstDayOf(said.date), departure: undefined, arrival: undefined }
  }
  const day = said.date
  const departure =
    said.departureTime && ends ? readTime(said.departureTime, ends.from.timezone, day) : undefined
  const date = day ?? departure?.date
  if (date === undefined && (ends || !said.departureTime))
    await collected(words, () => refuse('date', 'date_missing'))
  if (departure && day && departure.date !== day)
    await collected(words, () =>
      refuse('departureTime', problem('departure_on_other_date', { departure: departure.date, date: day })),
    )
  // If the day is missing, only that is reported.
  if (!said.arrivalTime || !ends || date === undefined) return { date, departure, arrival: undefined }
  const km = distanceKm(ends.from, ends.to)
  const arrival = readArrival(said.arrivalTime, ends.to.timezone, departure, km, aircraftClass, day)
  if (!arrival) await collected(words, () => refuse('arrivalTime', 'arrival_date_missing'))
  if (arrival && arrival.date !== date && !namesArrivalDay(said.arrivalTime))
    words.warnings.push({
      code: 'arrival_day_assumed',
      message: `The arrival was taken to be on ${arrival.date}, ${daysApart[daysBetween(date, arrival.date)]} the departure.`,
    })
  return { date, departure, arrival }
}

/** The day of an arrival without a date, relative to the departure. */
const daysApart: Record<number, string> = { [-1]: 'the day before', 1: 'the day after', 2: 'two days after' }

const refuse = (field: string, given: Parameters<typeof invalidField>[1]): never => {
  throw invalidField([field], given)
}

/** A time means nothing without its day. */
function requireNoTimes({ departureTime, arrivalTime }: SpokenTimes): void {
  const field = departureTime ? 'departureTime' : arrivalTime ? 'arrivalTime' : null
  if (field) refuse(field, 'time_without_day')
}

/** Whether the fields contain the day. */
export const namesDay = ({ date, departureTime }: SpokenTimes): boolean =>
  date !== undefined || hasOwnDay(departureTime ?? '')

// Records

export const findAircraft = async (words: Words, text: string | undefined): Promise<Aircraft | null> =>
  text
    ? ((await collected(words, () => findOptional(words, 'aircraft', describedKinds.aircraft, text))) ?? null)
    : null

export const findAirline = async (words: Words, text: string): Promise<Airline | null> =>
  (await collected(words, () => findOptional(words, 'airline', describedKinds.airlines, text))) ?? null

/** The airline whose code the number starts with, on the days of the flight. */
export async function airlineOfNumber(
  words: Words,
  flightNumber: string | undefined,
): Promise<Airline | null> {
  const code = flightNumber && parseFlightNumber(flightNumber)?.airlineCode
  if (!code) return null
  const resolution = await resolveCode(words.call.db, airlines, code, words.days)
  if (resolution.outcome !== 'unknown') return decided(words, describedKinds.airlines, code, resolution)
  words.warnings.push({
    code: 'airline_unknown',
    message: `No airline has the code ${code}; the flight was logged without one.`,
  })
  return null
}

// Oddities, which do not prevent storing

interface Whole extends TimesRead {
  ends: Ends
  aircraftClass: AircraftClass | null
  flightNumber: string | null
  airline: Airline | null
}

/** Stored as written: some flights have no number, and people write what they know. */
export function warnOfNumber({ warnings }: Words, flightNumber: string | null | undefined): void {
  if (flightNumber && !/\d/.test(flightNumber))
    warnings.push({
      code: 'flight_number_odd',
      message: `“${flightNumber}” is no usual flight number, because it has no digit. It was kept as it is.`,
    })
}

/** Adds warnings for the person. */
export async function warnOfOddities(words: Words, whole: Whole): Promise<void> {
  const { warnings, call } = words
  const { date, departure, arrival, ends } = whole
  const odd = date === undefined ? null : dateOddity(date, utcDate(call.now.getTime()))
  if (odd === 'before_airlines')
    warnings.push({ code: odd, message: `${date} is before the first airline (1914); check the date.` })
  if (odd === 'far_future')
    warnings.push({ code: odd, message: `${date} is more than a year ahead; check the date.` })
  if (ends.from.id === ends.to.id)
    warnings.push({
      code: 'same_airport',
      message: `The flight departs from and arrives at ${airportCode(ends.from)}; check the airports.`,
    })
  await warnOfOtherAirline(words, whole)
  warnings.push(...[departure?.warning, arrival?.warning].flatMap((warning) => warning ?? []))
  if (departure && arrival) warnOfDuration(words, whole, (arrival.instant - departure.instant) / 1000)
}

/** `24:00` */
const hoursText = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}`

function warnOfDuration({ warnings }: Words, { ends, aircraftClass }: Whole, seconds: number): void {
  const km = distanceKm(ends.from, ends.to)
  const odd = timeOddity(seconds, km, aircraftClass)
  if (odd) warnings.push({ code: `flight_${odd.kind}`, message: timeOddityText(odd) })
  if (!odd && isFarTooSlow(seconds, km, aircraftClass))
    warnings.push({
      code: 'flight_too_slow',
      message: `The flight would take ${hoursText(seconds)} hours for ${Math.round(km)} km; check the times.`,
    })
}

/** The number starts with the code of another airline. */
async function warnOfOtherAirline(words: Words, { airline, flightNumber }: Whole): Promise<void> {
  const code = flightNumber && parseFlightNumber(flightNumber)?.airlineCode
  if (!airline || !code || code === airline.iata || code === airline.icao || isFlownAs(airline, code)) return
  const resolution = await resolveCode(words.call.db, airlines, code, words.days)
  if (resolution.outcome === 'found' && resolution.record.id === airline.id) return
  const owner = resolution.outcome === 'found' ? ` (${resolution.record.name})` : ''
  words.warnings.push({
    code: 'airline_not_of_number',
    message: `${flightNumber} begins with ${code}${owner}, but the airline is ${airline.name}. Check both.`,
  })
}

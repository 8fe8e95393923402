// The flights that a request describes with names: who was on board, past or upcoming, and other filters by name. A
// search lists them and a summary counts them.
import * as z from 'zod'
import { badRequest } from '../../../base/errors.ts'
import { because } from '../../../base/request/validation.ts'
import { type FlightTime, flightTimes } from '../../../domain/enums.ts'
import { departureInstant, upcomingUntil } from '../../../domain/flights/flight.ts'
import { shownPerson } from '../../../domain/people/names.ts'
import { searchFold } from '../../../domain/text/fold.ts'
import { addDays, isCalendarDate } from '../../../domain/time/time.ts'
import type { Call } from '../../../door/operation.ts'
import {
  mayListUsers,
  nameProblem,
  peopleKnownTo,
  resolvePersonName,
} from '../../../services/reference/resolve/people.ts'
import {
  type Departure,
  type FlightFilter,
  type Listed,
  listDepartures,
} from '../../../store/flights/filters.ts'
import { audienceOf } from '../audience.ts'
import {
  filterReader,
  flightFilterShape,
  type Matched,
  resolveFilters,
  type SelectionInput,
  selectionOf,
  selectionRevision,
} from '../filters.ts'
import { countedOnly } from '../flown.ts'

/** The same filter, extended to names. */
const byName = (name: 'airport' | 'from' | 'to' | 'airline' | 'aircraft' | 'country', description: string) =>
  flightFilterShape[name].describe(description)

/** A day, a month or a year. */
export const Period = z
  .string()
  .refine((text) => /^\d{4}(-\d{2}){0,2}$/.test(text), { error: because('not_a_period'), abort: true })
  .refine((text) => isCalendarDate(text.padEnd(10, '-01')), because('no_such_day'))
  .meta({ example: '2019' })

const Words = z.string().trim().min(1).max(200).optional()

/** Every filter of a search. Assistants read these descriptions in every conversation. */
export const searchShape = {
  ...flightFilterShape,
  date: Period.optional().describe(
    'YYYY, YYYY-MM or YYYY-MM-DD; a flight known only by its year is in no month.',
  ),
  airport: byName('airport', 'Either end: code, city or name.'),
  from: byName('from', 'Code, city or name.'),
  to: byName('to', 'Code, city or name.'),
  airline: byName('airline', 'Code or name.'),
  aircraft: byName('aircraft', 'Type, by code or name.'),
  country: byName('country', 'Either end: two letters or name.'),
  flightNumber: flightFilterShape.flightNumber.describe('Such as SK909, or 909 of any airline.'),
  aircraftReg: flightFilterShape.aircraftReg.describe('Such as OY-KAL.'),
  seatClass: flightFilterShape.seatClass.describe('Own seat.'),
  reason: flightFilterShape.reason.describe('Own reason.'),
  person: Words.describe('On board: name, user name, id or guest.'),
  text: Words.describe('Part of a note, number, registration, booking reference, or a name.'),
  when: z
    .enum(flightTimes)
    .optional()
    .describe('Already departed, or still to come; without cancelled ones.'),
}

/** The selection of a request, read at most once: the cache key may need it before the response does. */
export interface FlightSearch {
  /** For the store; undefined if there is no filter. Does not include `when`. */
  filter(): Promise<FlightFilter | undefined>
  /** The flights of a request with `when`. */
  inTime(when: FlightTime): Promise<FlightsInTime>
  /** The records that names matched; complete after `filter`. */
  matched: Matched
}

/** The target of operations on such flights. */
export function flightSearch(call: Call<SelectionInput>): FlightSearch {
  const matched: Matched = {}
  let resolving: Promise<FlightFilter | undefined> | undefined
  let listing: Promise<FlightsInTime> | undefined
  const filter = () => {
    resolving ??= resolveSearch(call, matched)
    return resolving
  }
  return {
    matched,
    filter,
    inTime(when) {
      listing ??= filter().then((found) => listInTime(call, when, found))
      return listing
    },
  }
}

async function resolveSearch(
  call: Call<SelectionInput>,
  matched: Matched,
): Promise<FlightFilter | undefined> {
  const { filters } = selectionOf(call.input)
  if (!filters) return undefined
  const filter = {
    ...(await resolveFilters({ ...filterReader(call), matched }, filters)),
    ...(await personFilter(call, filters.person, matched)),
  }
  return filters.when === undefined ? filter : countedOnly(filter)
}

/** An unknown name is rejected with the names that the caller may know. */
async function personFilter(
  call: Call<SelectionInput>,
  text: string | undefined,
  matched: Matched,
): Promise<FlightFilter> {
  if (text === undefined) return {}
  const known = await peopleKnownTo(call)
  const found = resolvePersonName(known, text)
  if (found.outcome !== 'found') throw badRequest(nameProblem(known, text, found))
  const { userId, name } = found.record
  matched['person'] = [shownPerson(found.record)]
  if (userId !== null) return { personId: userId }
  const spellings = known.others.filter((other) => other.userId === null && isSameName(other.name, name))
  return { guestNames: spellings.map((guest) => guest.name).slice(0, SPELLINGS_AT_MOST) }
}
const isSameName = (a: string, b: string) => a === b || searchFold(a) === searchFold(b)
const SPELLINGS_AT_MOST = 20

/** The cache key of the search. The meaning of a name depends on the caller's own flights and on whom they may list. */
export async function searchRevision(call: Call<SelectionInput>): Promise<string> {
  const revision = await selectionRevision(call)
  if (call.input.person === undefined) return revision
  const { principal } = call
  return `${revision}/${principal.user.id}.${principal.revisions.flights}.${mayListUsers(principal)}`
}

// Past and upcoming

type Departing = Parameters<typeof upcomingUntil>[0]

/** Whether a flight has departed or is upcoming. */
const isWhen = (when: FlightTime, flight: Departing, zone: string | null, now: number): boolean =>
  upcomingUntil(flight, zone) >= now === (when === 'upcoming')

interface FlightsInTime {
  /** With their positions in time. */
  flights: (Listed & { key: string })[]
  /** When each possibly upcoming flight stops being upcoming. */
  changes: Float64Array
}

/** A departure that is delayed by days still belongs to its date. */
const DAYS_LATE = 3

/** Flights that have departed or are upcoming, unordered. */
async function listInTime(
  call: Call<SelectionInput>,
  when: FlightTime,
  filter: FlightFilter = {},
): Promise<FlightsInTime> {
  const now = call.now.getTime()
  const dateFrom = firstUndecided(call.now)
  const found = await listDepartures(
    call.db,
    audienceOf(call.principal, call.input),
    when === 'upcoming' ? { ...filter, dateFrom: later(filter.dateFrom, dateFrom) } : filter,
  )
  const undecided = found.filter(({ date }) => date >= dateFrom)
  const isWanted = (flight: Departure) =>
    flight.date < dateFrom ? when === 'past' : isWhen(when, flight, flight.timezone, now)
  return {
    changes: Float64Array.from(undecided, (flight) => upcomingUntil(flight, flight.timezone)),
    flights: found.filter(isWanted).map((flight) => ({
      id: flight.id,
      date: flight.date,
      updatedAt: flight.updatedAt,
      key: timeKey(placeInTime[when](flight, flight.timezone)),
    })),
  }
}

/** With only a month or year known, the next flight is the one that surely comes first; likewise the last one. */
const placeInTime = { upcoming: upcomingUntil, past: departureInstant }

const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** Compared as text. */
const timeKey = (instant: number): string =>
  new Date(Math.max(FIRST_MOMENT, Math.min(instant, LAST_MOMENT))).toISOString()

/** A flight of an earlier year is past, even if only the year is known. */
const firstUndecided = (now: Date): string =>
  `${addDays(now.toISOString().slice(0, 10), -DAYS_LATE).slice(0, 4)}-01-01`

const later = (a: string | undefined, b: string): string => (a !== undefined && a > b ? a : b)

// The differences between two states of a flight, in the terms used for logging one: codes, names and local times instead of
// ids and date-times. Used by the history of a flight, by edits and by the web app. No I/O.

import type { FlightTimes } from '../flights/best-times.ts'
import { flightFields, type PlainField, plainFields, referenceFields } from '../flights/fields.ts'
import { followsTimes } from '../flights/flight.ts'
import { airportCode } from '../reference/code-periods.ts'
import { writtenDate } from '../time/calendar.ts'
import { DAY } from '../time/durations.ts'

interface ShownAirport {
  id: number
  iata: string | null
  icao: string
  formerCodes?: readonly string[] | undefined
  latitude: number
}
interface ShownRecord {
  id: number
  name: string
}
interface ShownPassenger {
  id: number
  user: { id: string; displayName: string } | null
  guestName: string | null
  seat: string | null
  seatNumber: string | null
  seatClass: string | null
  flightReason: string | null
  customFields: Record<string, unknown>
}

/** A flight as the API returns it, limited to parts that a change can affect. */
interface ShownFlight extends Omit<Record<PlainField, unknown>, keyof FlightTimes>, FlightTimes {
  date: string
  datePrecision: 'day' | 'month' | 'year'
  duration: number | null
  price: { amount: string; currency: string } | null
  from: ShownAirport | null
  to: ShownAirport | null
  plannedTo: ShownAirport | null
  airline: ShownRecord | null
  operatingAirline: ShownRecord | null
  aircraft: ShownRecord | null
  passengers: readonly ShownPassenger[]
  track: { pointCount: number; updatedAt: string } | null
  customFields: Record<string, unknown>
  externalIds: Record<string, string>
}

/** Old and new value by field. */
export type Differences = Record<string, [before: unknown, after: unknown]>

const otherWords: Record<string, string> = {
  datePrecision: 'date',
  departure: 'departureTime',
  arrival: 'arrivalTime',
  aircraftReg: 'registration',
  flightReason: 'reason',
  ...Object.fromEntries(referenceFields.map((name) => [name, flightFields[name].shownAs])),
}
/** The name of a field in differences. */
export const wordForField = (name: string): string => otherWords[name] ?? name

/** Fields that have another name or form in a text description of a flight. */
const inOtherWords = new Set<PlainField>([
  'date',
  'datePrecision',
  'departure',
  'arrival',
  'duration',
  'price',
  'aircraftReg',
])
const sameWords = plainFields.filter((name) => !inOtherWords.has(name))

/**
 * The differences as a person sees them: their own seat and reason are next to the flight's fields, other people under
 * `people`. Two flights without differences look the same in the API, and vice versa.
 */
export function differences(before: ShownFlight, after: ShownFlight, viewerId?: string): Differences {
  const found: Differences = {}
  const note = (name: string, was: unknown, is: unknown) => {
    if (!alike(was, is)) found[name] = [was, is]
  }
  note('date', writtenDate(before), writtenDate(after))
  for (const name of referenceFields) {
    const { shownAs } = flightFields[name]
    if (before[shownAs]?.id !== after[shownAs]?.id)
      found[shownAs] = [wordFor(before[shownAs]), wordFor(after[shownAs])]
  }
  noteTimes(before, after, note)
  note('registration', before.aircraftReg, after.aircraftReg)
  for (const name of sameWords) note(name, before[name], after[name])
  note('price', priceText(before), priceText(after))
  notePeople(before.passengers, after.passengers, viewerId, note)
  for (const name of ['customFields', 'externalIds'] as const)
    note(name, ...onlyDifferent(before[name], after[name]))
  if (before.track?.updatedAt !== after.track?.updatedAt)
    found['track'] = [before.track?.pointCount ?? null, after.track?.pointCount ?? null]
  return found
}

type Note = (name: string, was: unknown, is: unknown) => void

const alike = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** An airport by its code, other records by name. */
const wordFor = (record: ShownAirport | ShownRecord | null): string | null => {
  if (record === null) return null
  return 'latitude' in record ? airportCode(record) : record.name
}

const priceText = ({ price }: ShownFlight): string | null => price && `${price.amount} ${price.currency}`

// Times

/** The clock at the airport, with the days after the flight's date: `00:20+1`. */
function clockOf(dateTime: string | null, { date }: ShownFlight): string | null {
  if (dateTime === null) return null
  const days = Math.round((Date.parse(dateTime.slice(0, 10)) - Date.parse(date)) / DAY)
  const clock = dateTime.slice(11, 16)
  return days === 0 ? clock : `${clock}${days > 0 ? '+' : '-'}${Math.abs(days)}`
}

function noteTimes(before: ShownFlight, after: ShownFlight, note: Note): void {
  const isSameDay = before.date === after.date
  for (const [name, word] of [
    ['departure', 'departureTime'],
    ['arrival', 'arrivalTime'],
  ] as const) {
    const [was, is] = [clockOf(before[name], before), clockOf(after[name], after)]
    // Only seconds or the offset differ, so show the whole date-time.
    if (was === is && isSameDay) note(word, before[name], after[name])
    else note(word, was, is)
  }
  // A duration that follows from the times adds no information.
  if (!(followsTimes(before) && followsTimes(after))) note('duration', before.duration, after.duration)
}

// People

interface Seat {
  seat: string | null
  seatNumber: string | null
  seatClass: string | null
  flightReason: string | null
}
const seatWords = [
  ['seat', 'seat'],
  ['seatNumber', 'seatNumber'],
  ['seatClass', 'seatClass'],
  ['reason', 'flightReason'],
] as const satisfies [string, keyof Seat][]

/** People who were added, were removed or have another seat, before and after. */
function notePeople(
  before: readonly ShownPassenger[],
  after: readonly ShownPassenger[],
  viewerId: string | undefined,
  note: Note,
): void {
  const own = (passengers: readonly ShownPassenger[]) =>
    viewerId === undefined ? undefined : passengers.find(({ user }) => user?.id === viewerId)
  const [mine, mineNow] = [own(before), own(after)]
  const isMine = (passenger: ShownPassenger) =>
    mineNow && mine && (passenger === mine || passenger === mineNow)
  if (mine && mineNow) for (const [word, name] of seatWords) note(word, mine[name], mineNow[name])
  if (mine && mineNow) note('passengerFields', ...onlyDifferent(mine.customFields, mineNow.customFields))
  const were = before.filter((passenger) => !isMine(passenger)).map(inWords)
  const are = after.filter((passenger) => !isMine(passenger)).map(inWords)
  const without = (list: readonly string[], others: readonly string[]) =>
    list.filter((text) => !others.includes(text)).map((text) => JSON.parse(text) as unknown)
  const [left, came] = [were.map(toText), are.map(toText)]
  note('people', without(left, came), without(came, left))
}

const toText = (person: object): string => JSON.stringify(person)

/** A passenger without unknown values. */
function inWords(passenger: ShownPassenger): object {
  const { user, guestName, customFields } = passenger
  const known = seatWords.filter(([, name]) => passenger[name] !== null)
  return {
    name: user?.displayName ?? guestName,
    ...Object.fromEntries(known.map(([word, name]) => [word, passenger[name]])),
    ...(Object.keys(customFields).length > 0 ? { customFields } : {}),
  }
}

/** The members that differ; an absent one is null. */
function onlyDifferent(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): [Record<string, unknown>, Record<string, unknown>] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const differing = keys.filter((key) => !alike(before[key] ?? null, after[key] ?? null))
  const take = (from: Record<string, unknown>) =>
    Object.fromEntries(differing.map((key) => [key, from[key] ?? null]))
  return [take(before), take(after)]
}

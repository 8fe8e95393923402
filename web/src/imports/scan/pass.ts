/** What a code says, and what becomes of it: pure, so that it is the same without a connection. */

import { canonicalFlightNumber } from '../../../../server/domain/flights/number.ts'
import { isLikelyDuplicate } from '../../../../server/domain/flights/plausibility.ts'
import {
  type BoardingPass,
  classOfCompartment,
  type PassLeg,
  readBoardingPass,
} from '../../../../server/domain/imports/boarding-pass.ts'
import { isTraveller } from '../../../../server/domain/people/travellers.ts'
import type { PassFormat } from '../../../../server/domain/status/kept-pass.ts'
import { addDays, daysBetween } from '../../../../server/domain/time/calendar.ts'
import type { Flight } from '../../api/flights-of-log.ts'
import type { Airline, Airport } from '../../api/types.ts'
import { type Draft, emptyDraft, guest, person } from '../../draft/draft.ts'

/** What a code that is no boarding pass is instead. */
type OtherCode = 'rail' | 'web' | 'contact' | 'wifi' | 'card' | 'other'
/** With the bar code that it was read from, which can be kept for the gate. A pass that was typed has none. */
export interface SeenPass extends BoardingPass {
  code?: { text: string; format: PassFormat }
}
export type ReadCode = { pass: SeenPass } | { other: OtherCode; host: string }

const others: [OtherCode, RegExp][] = [
  // Tickets of the European railways (UIC 918).
  ['rail', /^(?:#UT\d\d|OTI)/],
  ['web', /^https?:\/\//i],
  ['contact', /^(?:BEGIN:VCARD|MECARD:)/i],
  ['wifi', /^WIFI:/i],
  // A loyalty card, a voucher or a luggage tag has a number and nothing else.
  ['card', /^[A-Z]{0,3}[\d -]{5,24}$/i],
]

/** `today`, or the day of the picture: a pass has no year, and the latest possible one is meant. */
export function readCode(text: string, today: string, format?: PassFormat): ReadCode {
  const read = readBoardingPass(text, today)
  if (!('refused' in read)) return { pass: { ...read, ...(format && { code: { text, format } }) } }
  if (read.refused === 'rail') return { other: 'rail', host: '' }
  const other = others.find(([, shape]) => shape.test(text.trim()))?.[0] ?? 'other'
  return { other, host: other === 'web' ? (URL.parse(text.trim())?.host ?? '') : '' }
}

const glued = /(?<=[A-Z]{3})(?:MRS|MR|MSTR|MISS|MS|DR|PROF)$/
const titles = /^(?:MRS|MR|MSTR|MISS|MS|DR|PROF|CHD|INF)$/

/** `HOPPER/GRACE MRS` as a person writes it: Grace Hopper. */
export function personName(written: string): string {
  const [family = '', given = ''] = written.toUpperCase().split('/')
  const names = given
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '' && !titles.test(word))
  const last = names.pop()
  if (last !== undefined) names.push(last.replace(glued, ''))
  return [...names, family.trim()]
    .filter((word) => word !== '')
    .map(capitalised)
    .join(' ')
}

const capitalised = (text: string): string =>
  text.toLowerCase().replace(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase())

/** The same days in another year, as many years away as the first leg's other date; a leg that has no such day keeps its own. */
export function inOtherYear(legs: readonly Pick<Leg, 'read' | 'date'>[]): string[] {
  const [first] = legs
  const other = first && (first.date === first.read.date ? first.read.otherDate : first.read.date)
  if (!first || !other) return legs.map(({ date }) => date)
  const years = Number(other.slice(0, 4)) - Number(first.date.slice(0, 4))
  return legs.map(({ date, read }) => {
    const year = Number(date.slice(0, 4)) + years
    const moved = new Date(Date.UTC(year, 0, Number(read.day)))
    return date !== '' && moved.getUTCFullYear() === year ? moved.toISOString().slice(0, 10) : date
  })
}

/** Someone whom a flight may be logged for. */
export interface Candidate {
  key: string
  name: string
  userId: string | null
  isMe: boolean
}

interface Known {
  me: { id: string; displayName: string }
  users: readonly { id: string; displayName: string }[]
  guests: readonly string[]
}

/** The people on the chips, those whose name fits first, and the name on the pass as a guest if none does. */
export function candidatesFor(written: string, { me, users, guests }: Known): Candidate[] {
  const own = { key: me.id, name: me.displayName, userId: me.id, isMe: true }
  const known: Candidate[] = [
    ...users
      .filter(({ id }) => id !== me.id)
      .map(({ id, displayName }) => ({ key: id, name: displayName, userId: id, isMe: false })),
    ...guests.map((name) => ({ key: `guest:${name}`, name, userId: null, isMe: false })),
  ]
  const fits = known.filter(({ name }) => isTraveller(written, name) === 'same')
  const name = personName(written)
  const unknown =
    fits.length > 0 || name === '' ? [] : [{ key: `guest:${name}`, name, userId: null, isMe: false }]
  const rest = known.filter((one) => !fits.includes(one)).slice(0, 4)
  return [...fits, ...unknown, own, ...rest]
}

/** Times of day of the latest flight with this number on this route. They are offered, never taken by themselves. */
interface OfferedTimes {
  departure: string
  arrival: string
  dayShift: number
  /** Of the flight that they are from. */
  date: string
}

export interface Leg {
  read: PassLeg
  date: string
  from: Airport | null
  to: Airport | null
  airline: Airline | null
  times: OfferedTimes | null
  /** The flight of the log that this one seems to be. */
  known: Pick<Flight, 'id' | 'date'> | null
}

type Timed = Pick<
  Flight,
  'id' | 'date' | 'flightNumber' | 'from' | 'to' | 'departureLocal' | 'arrivalLocal' | 'datePrecision'
>

const isNumber = (flight: { flightNumber: string | null }, number: string): boolean =>
  flight.flightNumber !== null && canonicalFlightNumber(flight.flightNumber) === number

/** How often the log has this number. */
export function timesInLog(
  number: string | null,
  flights: readonly { flightNumber: string | null }[],
): number {
  const wanted = number === null ? null : canonicalFlightNumber(number)
  return wanted === null ? 0 : flights.filter((flight) => isNumber(flight, wanted)).length
}

/** `flights`: newest first. */
export function offeredTimes(
  number: string | null,
  from: Airport | null,
  to: Airport | null,
  flights: readonly Timed[],
): OfferedTimes | null {
  if (number === null || !from || !to) return null
  const wanted = canonicalFlightNumber(number)
  for (const flight of flights) {
    const { departureLocal, arrivalLocal } = flight
    if (flight.from?.id !== from.id || flight.to?.id !== to.id || !departureLocal || !arrivalLocal) continue
    if (!isNumber(flight, wanted) || flight.datePrecision !== 'day') continue
    const [leaves, lands] = [departureLocal.slice(0, 10), arrivalLocal.slice(0, 10)]
    return {
      departure: departureLocal.slice(11, 16),
      arrival: arrivalLocal.slice(11, 16),
      dayShift: daysBetween(leaves, lands),
      date: flight.date,
    }
  }
  return null
}

/** The flight of the log that a leg seems to be. */
export function knownFlight(
  leg: Pick<Leg, 'date' | 'from' | 'to' | 'read'>,
  flights: readonly Timed[],
): Timed | null {
  const { from, to, date, read } = leg
  if (!from || !to || !date) return null
  const wanted = { date, fromId: from.id, toId: to.id, flightNumber: read.flightNumber }
  return (
    flights.find(
      (flight) =>
        flight.datePrecision === 'day' &&
        isLikelyDuplicate(wanted, {
          date: flight.date,
          fromId: flight.from?.id ?? null,
          toId: flight.to?.id ?? null,
          flightNumber: flight.flightNumber,
        }),
    ) ?? null
  )
}

interface Choices {
  people: readonly Candidate[]
  /** The name on the pass is one's own. */
  isOwn: boolean
  takesTimes: boolean
  keepsReference: boolean
  note: string
}

/** The flight as the form would hold it. Nothing of the code's text is in it but what is shown. */
export function draftOfLeg(leg: Leg, { people, isOwn, takesTimes, keepsReference, note }: Choices): Draft {
  const draft = emptyDraft(null, leg.date)
  const { read, times } = leg
  // The seat belongs to the person whose name is on the pass.
  const holder = isOwn ? people.find(({ isMe }) => isMe) : (people.find(({ isMe }) => !isMe) ?? people[0])
  const passengers = people.map((one) => {
    const made = one.userId === null ? guest(one.name) : person({ id: one.userId, displayName: one.name })
    if (one !== holder) return made
    return {
      ...made,
      seatNumber: read.seat ?? '',
      seatClass: classOfCompartment(read.compartment) ?? ('' as const),
    }
  })
  if (takesTimes && times) {
    draft.times.departure = { date: leg.date, time: times.departure, kept: null }
    draft.times.arrival = { date: addDays(leg.date, times.dayShift), time: times.arrival, kept: null }
  }
  return {
    ...draft,
    from: leg.from,
    to: leg.to,
    airline: leg.airline,
    texts: {
      ...draft.texts,
      flightNumber: read.flightNumber ?? '',
      bookingReference: keepsReference ? (read.locator ?? '') : '',
      note,
    },
    passengers,
  }
}

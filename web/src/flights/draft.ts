/** The form's data: plain JSON, so that it can wait in localStorage, and how it becomes what the server takes. */

import type {
  Aircraft,
  Airline,
  Airport,
  DatePrecision,
  FlightInput,
  FlightReason,
  FlightRecord,
  PassengerInput,
  Seat,
  SeatClass,
  TimeField,
  TrackInput,
  TrackSummary,
} from '../api/types.ts'
import { timeFields } from '../api/types.ts'
import { formatHours, parseHours } from './dates.ts'
import { localAt, resolveLocal } from './moments.ts'

/** A local time at the airport of its end. `kept` is the server's own text, sent back untouched if nothing changed. */
export interface Moment {
  date: string
  time: string
  kept: { text: string; date: string; time: string; airportId: number } | null
}

export interface PassengerDraft {
  /** Only for the page: stable while names change. */
  key: string
  id?: number
  userId: string | null
  guestName: string | null
  name: string
  seat: Seat | ''
  seatNumber: string
  seatClass: SeatClass | ''
  flightReason: FlightReason | ''
  customFields: Record<string, unknown>
}

export type TrackDraft =
  | { kind: 'none' }
  | { kind: 'stored'; summary: TrackSummary }
  | { kind: 'removed' }
  | { kind: 'new'; track: TrackInput; step: number }

export const textFields = [
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'flightNumber',
  'aircraftReg',
  'note',
] as const
export type TextField = (typeof textFields)[number]

export interface Draft {
  date: string
  datePrecision: DatePrecision
  loadedPrecision: DatePrecision | null
  from: Airport | null
  to: Airport | null
  airline: Airline | null
  aircraft: Aircraft | null
  times: Record<TimeField, Moment>
  /** The person chose the arrival's date; do not guess it any more. */
  arrivalDateChosen: boolean
  /** `h:mm`, empty to follow from the times. */
  duration: string
  texts: Record<TextField, string>
  passengers: PassengerDraft[]
  customFields: Record<string, unknown>
  track: TrackDraft
}

export const departureEnd: readonly TimeField[] = [
  'departure',
  'departureScheduled',
  'takeoffScheduled',
  'takeoffActual',
]
export const airportOf = (draft: Draft, field: TimeField): Airport | null =>
  departureEnd.includes(field) ? draft.from : draft.to

const noMoment = (): Moment => ({ date: '', time: '', kept: null })

function eachTime<V>(of: (field: TimeField) => V): Record<TimeField, V> {
  return Object.fromEntries(timeFields.map((field) => [field, of(field)])) as Record<TimeField, V>
}

function eachText(of: (field: TextField) => string): Record<TextField, string> {
  return Object.fromEntries(textFields.map((field) => [field, of(field)])) as Record<TextField, string>
}

export function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

export const newKey = (): string => crypto.randomUUID()

export function person(user: { id: string; displayName: string }): PassengerDraft {
  return { ...blankPassenger(user.displayName), userId: user.id }
}

export function guest(name: string): PassengerDraft {
  return { ...blankPassenger(name), guestName: name }
}

function blankPassenger(name: string): PassengerDraft {
  return {
    key: newKey(),
    userId: null,
    guestName: null,
    name,
    seat: '',
    seatNumber: '',
    seatClass: '',
    flightReason: '',
    customFields: {},
  }
}

export function emptyDraft(me: { id: string; displayName: string } | null): Draft {
  return {
    date: today(),
    datePrecision: 'day',
    loadedPrecision: null,
    from: null,
    to: null,
    airline: null,
    aircraft: null,
    times: eachTime(noMoment),
    arrivalDateChosen: false,
    duration: '',
    texts: eachText(() => ''),
    passengers: me ? [person(me)] : [],
    customFields: {},
    track: { kind: 'none' },
  }
}

async function momentOf(text: string | null, airport: Airport | null): Promise<Moment> {
  if (text === null) return noMoment()
  const local = airport ? (await localAt(airport.id, text)).local : text.slice(0, 16)
  const [date = '', time = ''] = local.split('T')
  return { date, time, kept: { text, date, time, airportId: airport?.id ?? 0 } }
}

/** A stored duration that only repeats the times would go stale when they are edited: it is left empty. */
function durationOf(flight: FlightRecord): string {
  if (flight.duration === null) return ''
  const { departure, arrival } = flight
  const between = departure && arrival ? (Date.parse(arrival) - Date.parse(departure)) / 1000 : null
  return between === flight.duration ? '' : formatHours(flight.duration)
}

export async function draftOf(flight: FlightRecord): Promise<Draft> {
  const moments = await Promise.all(
    timeFields.map(async (field) => {
      const airport = departureEnd.includes(field) ? flight.from : flight.to
      return [field, await momentOf(flight[field], airport)] as const
    }),
  )
  return {
    date: flight.date,
    datePrecision: flight.datePrecision,
    loadedPrecision: flight.datePrecision,
    from: flight.from,
    to: flight.to,
    airline: flight.airline,
    aircraft: flight.aircraft,
    times: Object.fromEntries(moments) as Record<TimeField, Moment>,
    arrivalDateChosen: true,
    duration: durationOf(flight),
    texts: eachText((field) => flight[field] ?? ''),
    passengers: flight.passengers.map((one) => ({
      key: newKey(),
      id: one.id,
      userId: one.user?.id ?? null,
      guestName: one.guestName,
      name: one.user?.displayName ?? one.guestName ?? '',
      seat: one.seat ?? '',
      seatNumber: one.seatNumber ?? '',
      seatClass: one.seatClass ?? '',
      flightReason: one.flightReason ?? '',
      customFields: { ...one.customFields },
    })),
    customFields: { ...flight.customFields },
    track: flight.track ? { kind: 'stored', summary: flight.track } : { kind: 'none' },
  }
}

function isUntouched(moment: Moment, airport: Airport | null): boolean {
  const { kept } = moment
  return (
    kept !== null &&
    kept.date === moment.date &&
    kept.time === moment.time &&
    kept.airportId === (airport?.id ?? 0)
  )
}

/** The text to send for one time; the server's own when nobody touched it, so that no edit ever shifts it. */
async function instantOf(draft: Draft, field: TimeField): Promise<string | null> {
  const moment = draft.times[field]
  const airport = airportOf(draft, field)
  if (draft.datePrecision !== 'day') {
    return draft.loadedPrecision === draft.datePrecision ? (moment.kept?.text ?? null) : null
  }
  if (!moment.time || !moment.date) return null
  if (isUntouched(moment, airport)) return moment.kept?.text ?? null
  return airport ? (await resolveLocal(airport.id, `${moment.date}T${moment.time}`)).instant : null
}

const orNull = <T extends string>(value: T | ''): T | null => (value === '' ? null : value)
const trimmed = (value: string): string | null => value.trim() || null

function passengerInput(one: PassengerDraft): PassengerInput {
  const input: PassengerInput = {
    userId: one.userId,
    guestName: one.guestName,
    seat: orNull(one.seat),
    seatNumber: trimmed(one.seatNumber),
    seatClass: orNull(one.seatClass),
    flightReason: orNull(one.flightReason),
  }
  if (one.id !== undefined) input.id = one.id
  if (Object.keys(one.customFields).length > 0) input.customFields = one.customFields
  return input
}

/** Month and year are stored as their first day. */
function dateOf(draft: Draft): string {
  if (draft.datePrecision === 'year') return `${draft.date.slice(0, 4)}-01-01`
  return draft.datePrecision === 'month' ? `${draft.date.slice(0, 7)}-01` : draft.date
}

/** The whole flight, always: the server replaces, so what is left out would be erased. */
export async function inputOf(draft: Draft): Promise<FlightInput> {
  const times = await Promise.all(
    timeFields.map(async (field) => [field, await instantOf(draft, field)] as const),
  )
  const input: FlightInput = {
    ...(Object.fromEntries(times) as Record<TimeField, string | null>),
    ...(Object.fromEntries(textFields.map((field) => [field, trimmed(draft.texts[field])])) as Record<
      TextField,
      string | null
    >),
    date: dateOf(draft),
    datePrecision: draft.datePrecision,
    duration: parseHours(draft.duration),
    fromId: draft.from?.id ?? 0,
    toId: draft.to?.id ?? 0,
    airlineId: draft.airline?.id ?? null,
    aircraftId: draft.aircraft?.id ?? null,
    passengers: draft.passengers.map(passengerInput),
    customFields: draft.customFields,
  }
  if (draft.track.kind === 'new') input.track = draft.track.track
  if (draft.track.kind === 'removed') input.track = null
  return input
}

/** The form's data as plain JSON, which can be stored in localStorage, and its conversion to a request. */

import {
  eachOf,
  type FlightTable,
  flightFields,
  passengerFieldNames,
  type ReferenceField,
  referenceFields,
  type TextField,
  textFields,
  timeFields,
} from '../../../server/domain/flights/fields.ts'
import { pick } from '../../../server/domain/pick.ts'
import type {
  Airport,
  DatePrecision,
  FlightInput,
  FlightReason,
  FlightRecord,
  Outcome,
  PassengerInput,
  Seat,
  SeatClass,
  TimeField,
  Track,
  TrackInput,
  TrackSummary,
} from '../api/types.ts'
import { randomKey } from '../lib/random-key.ts'
import { formatHours, parseHours } from './dates.ts'
import { localAt, type Resolve, resolveLocal } from './moments.ts'

/** A local time at the departure or arrival airport. `kept` is the server's text, sent back if the time was not edited. */
interface Moment {
  date: string
  time: string
  kept: { text: string; date: string; time: string; airportId: number } | null
}

export interface PassengerDraft {
  /** Key for rendering, stable while names change. */
  key: string
  id?: number
  userId: string | null
  guestName: string | null
  name: string
  seat: Seat | ''
  seatNumber: string
  loadedSeatNumber?: string | null
  seatClass: SeatClass | ''
  flightReason: FlightReason | ''
  customFields: Record<string, unknown>
}

type TrackDraft =
  | { kind: 'none' }
  | { kind: 'stored'; summary: TrackSummary }
  | { kind: 'removed' }
  | { kind: 'new'; track: TrackInput; step: number }

/** The records that a flight refers to, under the names of the API. */
type References = {
  [Name in ReferenceField as FlightTable[Name]['shownAs']]: FlightRecord[FlightTable[Name]['shownAs']]
}
const referenceNames = referenceFields.map((name) => flightFields[name].shownAs)

export interface Draft extends References {
  date: string
  datePrecision: DatePrecision
  loaded: Loaded | null
  times: Record<TimeField, Moment>
  /** The user chose the date of arrival, so it is no longer calculated. */
  arrivalDateChosen: boolean
  /** `h:mm`; empty to calculate it from the times. */
  duration: string
  texts: Record<TextField, string>
  outcome: Outcome
  /** The amount as typed; no price if it is empty. */
  price: { amount: string; currency: string }
  passengers: PassengerDraft[]
  customFields: Record<string, unknown>
  track: TrackDraft
  /** Text that is not parsed yet, by field, so that it survives a reload too. */
  unread: Record<string, string>
}

/** Values that the form cannot show exactly; sent back unchanged unless edited. */
interface Loaded {
  date: string
  precision: DatePrecision
  duration: number | null
  durationText: string
  texts: Record<TextField, string | null>
}

export const departureEnd: readonly TimeField[] = timeFields.filter(
  (field) => flightFields[field].end === 'from',
)
export const airportOf = (draft: Draft, field: TimeField): Airport | null =>
  departureEnd.includes(field) ? draft.from : draft.to

const noMoment = (): Moment => ({ date: '', time: '', kept: null })

export function person(user: { id: string; displayName: string }): PassengerDraft {
  return { ...blankPassenger(user.displayName), userId: user.id }
}

export function guest(name: string): PassengerDraft {
  return { ...blankPassenger(name), guestName: name }
}

function blankPassenger(name: string): PassengerDraft {
  return {
    key: randomKey(),
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

export function emptyDraft(me: { id: string; displayName: string } | null, today: string): Draft {
  return {
    date: today,
    datePrecision: 'day',
    loaded: null,
    ...eachOf(referenceNames, () => null),
    times: eachOf(timeFields, noMoment),
    arrivalDateChosen: false,
    duration: '',
    texts: eachOf(textFields, () => ''),
    outcome: 'flown',
    price: { amount: '', currency: '' },
    passengers: me ? [person(me)] : [],
    customFields: {},
    track: { kind: 'none' },
    unread: {},
  }
}

/** The next leg usually starts where this one ended, on the same day, with the same people. */
export function nextLeg(draft: Draft, today: string): Draft {
  const empty = emptyDraft(null, today)
  return {
    ...empty,
    texts: { ...empty.texts, bookingReference: draft.texts.bookingReference },
    from: draft.to,
    date: draft.times.arrival.date || draft.date,
    passengers: draft.passengers.map(({ id: _id, loadedSeatNumber: _loaded, ...one }) => ({
      ...one,
      seat: '',
      seatNumber: '',
    })),
    airline: draft.airline,
  }
}

/** A copy of the flight that is not stored yet; `track` is the stored one, if known. */
export function unstored(draft: Draft, track: Track | null): Draft {
  const {
    flightId: _of,
    pointCount: _count,
    createdAt: _first,
    updatedAt: _at,
    ...points
  } = track ?? ({} as Track)
  const carried: TrackDraft = track ? { kind: 'new', track: points, step: 1 } : { kind: 'none' }
  return {
    ...draft,
    passengers: draft.passengers.map(({ id: _id, loadedSeatNumber: _loaded, ...one }) => one),
    track:
      draft.track.kind === 'new' ? draft.track : draft.track.kind === 'stored' ? carried : { kind: 'none' },
  }
}

async function momentOf(text: string | null, airport: Airport | null): Promise<Moment> {
  if (text === null) return noMoment()
  const local = airport ? (await localAt(airport.id, text, airport.timezone)).local : text.slice(0, 16)
  const [date = '', time = ''] = local.split('T')
  return { date, time, kept: { text, date, time, airportId: airport?.id ?? 0 } }
}

/** A stored duration that equals the times is left empty, because it would be wrong after the times are edited. */
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
    loaded: {
      date: flight.date,
      precision: flight.datePrecision,
      duration: flight.duration,
      durationText: durationOf(flight),
      texts: pick(flight, textFields),
    },
    ...pick(flight, referenceNames),
    times: Object.fromEntries(moments) as Record<TimeField, Moment>,
    arrivalDateChosen: true,
    duration: durationOf(flight),
    texts: eachOf(textFields, (field) => flight[field] ?? ''),
    outcome: flight.outcome,
    price: { ...(flight.price ?? { amount: '', currency: '' }) },
    passengers: flight.passengers.map((one) => ({
      key: randomKey(),
      id: one.id,
      userId: one.user?.id ?? null,
      guestName: one.guestName,
      name: one.user?.displayName ?? one.guestName ?? '',
      seat: one.seat ?? '',
      seatNumber: one.seatNumber ?? '',
      loadedSeatNumber: one.seatNumber,
      seatClass: one.seatClass ?? '',
      flightReason: one.flightReason ?? '',
      customFields: { ...one.customFields },
    })),
    customFields: { ...flight.customFields },
    track: flight.track ? { kind: 'stored', summary: flight.track } : { kind: 'none' },
    unread: {},
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

/** The text to send for one time: the server's text unless it was edited, so that other edits do not change it. */
async function instantOf(draft: Draft, field: TimeField, resolve: Resolve): Promise<string | null> {
  const moment = draft.times[field]
  const airport = airportOf(draft, field)
  if (draft.datePrecision !== 'day') {
    return draft.loaded?.precision === draft.datePrecision ? (moment.kept?.text ?? null) : null
  }
  if (!moment.time || !moment.date) return null
  if (isUntouched(moment, airport)) return moment.kept?.text ?? null
  const local = `${moment.date}T${moment.time}${keptSeconds(moment)}`
  return airport ? (await resolve(airport.id, local, airport.timezone)).instant : null
}

/** Moving a flight to another day keeps the seconds that the field does not show. */
function keptSeconds({ kept, time }: Moment): string {
  return kept?.time === time ? (/T\d\d:\d\d(:\d\d)/.exec(kept.text)?.[1] ?? '') : ''
}

const orNull = <T extends string>(value: T | ''): T | null => (value === '' ? null : value)
/** Trimmed, unless it equals the stored value. */
const textOf = (value: string, loaded?: string | null): string | null =>
  loaded !== undefined && value === (loaded ?? '') ? loaded : value.trim() || null

function passengerInput(one: PassengerDraft): PassengerInput {
  const input: PassengerInput = {
    ...pick(one, passengerFieldNames),
    seat: orNull(one.seat),
    seatNumber: textOf(one.seatNumber, one.loadedSeatNumber),
    seatClass: orNull(one.seatClass),
    flightReason: orNull(one.flightReason),
  }
  if (one.id !== undefined) input.id = one.id
  if (Object.keys(one.customFields).length > 0) input.customFields = one.customFields
  return input
}

/** Month and year are sent as their first day, unless another day was stored. */
function dateOf(draft: Draft): string {
  const { loaded } = draft
  if (loaded?.date === draft.date && loaded.precision === draft.datePrecision) return draft.date
  if (draft.datePrecision === 'year') return `${draft.date.slice(0, 4)}-01-01`
  return draft.datePrecision === 'month' ? `${draft.date.slice(0, 7)}-01` : draft.date
}

/** The field shows minutes, so an unedited duration is sent back with its seconds. */
function secondsOf({ duration, loaded }: Draft): number | null {
  return loaded && duration !== '' && duration === loaded.durationText
    ? loaded.duration
    : parseHours(duration)
}

/** A required record that is missing becomes 0, which is never a valid id; `problems` reports it first. */
const referencesOf = (draft: Draft) =>
  Object.fromEntries(
    referenceFields.map((name) => {
      const { shownAs, required } = flightFields[name]
      return [name, draft[shownAs]?.id ?? (required ? 0 : null)]
    }),
  ) as { [Name in ReferenceField]: FlightTable[Name]['required'] extends true ? number : number | null }

const SEPARATORS = /[\s\u2019']/g

/** Converts `1 234,50` for the server; a comma is a decimal point here. */
export const readAmount = (typed: string): string => typed.replaceAll(SEPARATORS, '').replace(',', '.')

function priceOf({ price: { amount, currency } }: Draft): FlightInput['price'] {
  const read = readAmount(amount)
  return read === '' ? null : { amount: read, currency }
}

/** Always the complete flight: the server replaces it, so omitted fields would be deleted. */
export async function inputOf(draft: Draft, resolve: Resolve = resolveLocal): Promise<FlightInput> {
  const times = await Promise.all(
    timeFields.map(async (field) => [field, await instantOf(draft, field, resolve)] as const),
  )
  const input: FlightInput = {
    ...(Object.fromEntries(times) as Record<TimeField, string | null>),
    ...eachOf(textFields, (field) => textOf(draft.texts[field], draft.loaded?.texts[field])),
    date: dateOf(draft),
    datePrecision: draft.datePrecision,
    duration: secondsOf(draft),
    ...referencesOf(draft),
    outcome: draft.outcome,
    ...(draft.outcome === 'diverted' ? {} : { plannedToId: null }),
    price: priceOf(draft),
    passengers: draft.passengers.map(passengerInput),
    customFields: draft.customFields,
  }
  if (draft.track.kind === 'new') input.track = draft.track.track
  if (draft.track.kind === 'removed') input.track = null
  return input
}

/** Links to one flight or trip: what they can show, for how long, and what they show by default. */
import { DAY } from '../../../server/domain/time/durations.ts'
import type { components } from '../api/schema.d.ts'
import type { ShareSubject } from './subject.ts'

export type Share = components['schemas']['LinkedShare']

/** In the order of the switches. A flight has no statistics worth a table. */
const choices = [
  'showDates',
  'showTimes',
  'showFlightNumbers',
  'showAirlines',
  'showAircraft',
  'showSeat',
  'showTracks',
  'showStats',
] as const
export type Choice = (typeof choices)[number]
type Choices = Record<Choice, boolean>

export const choicesFor = (kind: ShareSubject['kind'], hasTracks: boolean): Choice[] =>
  choices.filter((name) => (name !== 'showTracks' || hasTracks) && (name !== 'showStats' || kind === 'trip'))

/** Neither the time of day, nor the seat, nor where the aircraft was at each moment, unless its owner says so. */
export const usualChoices = (kind: ShareSubject['kind']): Choices => ({
  showDates: true,
  showTimes: false,
  showFlightNumbers: true,
  showAirlines: true,
  showAircraft: false,
  showSeat: false,
  showTracks: false,
  showStats: kind === 'trip',
})

export const shareInput = ({ kind, id }: ShareSubject, chosen: Choices, expiresAt: string | null) => ({
  ...chosen,
  showMap: true,
  showFlightList: true,
  slug: null,
  expiresAt,
  dateFrom: null,
  dateTo: null,
  ...(kind === 'flight' ? { flightId: id } : { tripId: id }),
})

const lengths = { never: null, day: 1, week: 7, month: 30, quarter: 90 }
export type Length = keyof typeof lengths
export const lengthNames = Object.keys(lengths) as Length[]

export function expiryOf(length: Length, now: number): string | null {
  const days = lengths[length]
  return days === null ? null : new Date(now + days * DAY).toISOString()
}

export const isAboutSubject = (share: Share, { kind, id }: ShareSubject): boolean =>
  (kind === 'flight' ? share.flightId : share.tripId) === id

export const isOver = ({ expiresAt }: Share, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

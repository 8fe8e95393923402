/** What a public link is about, what its page shows, and when it expires. */
import { DAY } from '../../../../server/domain/time/durations.ts'
import type { components } from '../../api/schema.d.ts'

export type Share = components['schemas']['LinkedShare']
type Trip = Pick<components['schemas']['Trip'], 'name' | 'flightIds'>

/** Trips are loaded by their own screens, so a trip is passed along; it may still be loading. */
export type Subject =
  | { kind: 'log' }
  | { kind: 'flight'; id: number }
  | { kind: 'trip'; id: number; trip: Trip | undefined }
type Kind = Subject['kind']

const parts = ['showMap', 'showStats', 'showFlightList'] as const
type Part = (typeof parts)[number]

/** In the order of the switches. */
const details = [
  'showDates',
  'showTimes',
  'showFlightNumbers',
  'showAirlines',
  'showAircraft',
  'showSeat',
  'showTracks',
] as const
export type Detail = (typeof details)[number]
type Choices = Record<Part | Detail, boolean>

/** One flight has no statistics worth a table. */
export const partsOf = (kind: Kind): readonly Part[] =>
  parts.filter((name) => name !== 'showStats' || kind !== 'flight')

export const labelOf = (part: Part, kind: Kind) =>
  kind === 'flight' && part === 'showFlightList' ? 'sharing.part.facts' : (`sharing.part.${part}` as const)

export const detailsOf = (hasTracks: boolean): readonly Detail[] =>
  details.filter((name) => name !== 'showTracks' || hasTracks)

/** Times, the seat and the positions of the aircraft are only shown if the owner chooses so. */
export const usualChoices = (kind: Kind): Choices => ({
  showMap: true,
  showStats: kind !== 'flight',
  showFlightList: kind !== 'log',
  showDates: true,
  showTimes: false,
  showFlightNumbers: true,
  showAirlines: true,
  showAircraft: false,
  showSeat: false,
  showTracks: false,
})

export const choicesOf = (share: Share): Choices =>
  Object.fromEntries([...parts, ...details].map((name) => [name, share[name]])) as Choices

export const idsOf = (of: Subject) => ({
  flightId: of.kind === 'flight' ? of.id : null,
  tripId: of.kind === 'trip' ? of.id : null,
})

export function isAbout({ flightId, tripId }: Share, of: Subject): boolean {
  const ids = idsOf(of)
  return flightId === ids.flightId && tripId === ids.tripId
}

export function subjectOf({ flightId, tripId }: Share, findTrip: (id: number) => Trip | undefined): Subject {
  if (tripId !== null) return { kind: 'trip', id: tripId, trip: findTrip(tripId) }
  return flightId === null ? { kind: 'log' } : { kind: 'flight', id: flightId }
}

export const lifetimes = ['never', 'week', 'date'] as const
export type Lifetime = (typeof lifetimes)[number]

/** A link works until the end of the chosen day, in the browser's time zone. */
export function expiryOf(lifetime: Lifetime, lastDay: string, now: number): string | null {
  if (lifetime === 'week') return new Date(now + 7 * DAY).toISOString()
  return lifetime === 'date' && lastDay ? new Date(`${lastDay}T23:59:59`).toISOString() : null
}

export const isOver = ({ expiresAt }: Share, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

// Which flights a feed shows, and when that changes with time alone.

import { effectiveArrival, effectiveDeparture } from '../flights/best-times.ts'
import { completionInstant } from '../flights/flight.ts'
import { addDays } from '../time/calendar.ts'
import { HOUR } from '../time/durations.ts'
import { instantOf, readLocal } from '../time/time.ts'

/** Each kind of feed with the suffix of its address. */
export const feedEndings = { ical: 'ics', geojson: 'geojson', json: 'json' } as const
export type FeedKind = keyof typeof feedEndings
export const feedKinds = Object.keys(feedEndings) as [FeedKind, ...FeedKind[]]

/** What a feed can leave out. */
export const redactions = ['seat', 'note', 'reg', 'passengers'] as const
export type Redaction = (typeof redactions)[number]

export const DELAY_HOURS_AT_MOST = 720

export interface FeedWindow {
  /** Hours after the end of a flight until it is shown; 0: no delay. */
  delayHours: number
  past: boolean
  upcoming: boolean
}

type Timed = Parameters<typeof completionInstant>[0]

/** When a flight is over: its arrival, otherwise its departure, otherwise the end of its date at the departure airport. */
function endInstant(flight: Timed, zone: string | null): number {
  const known = effectiveArrival(flight) ?? effectiveDeparture(flight)
  if (known !== null) return instantOf(known)
  if (flight.datePrecision !== 'day') return completionInstant(flight, zone)
  if (flight.date >= '9999-12-31') return Number.POSITIVE_INFINITY
  return readLocal(`${addDays(flight.date, 1)}T00:00`, zone ?? 'Etc/UTC').instant
}

/**
 * The instants at which a flight is shown or hidden. A flight is past as soon as it counts as flown; a delay hides it until
 * the delay has passed, so a delayed feed has no upcoming flights.
 */
export const turningPoints = (flight: Timed, zone: string | null, { delayHours }: FeedWindow): number[] => [
  completionInstant(flight, zone),
  ...(delayHours > 0 ? [endInstant(flight, zone) + delayHours * HOUR] : []),
]

export function isShown(flight: Timed, zone: string | null, window: FeedWindow, now: number): boolean {
  const [completed, visible] = turningPoints(flight, zone, window)
  // A flight counts as flown once the instant has passed.
  return (completed! < now ? window.past : window.upcoming) && (visible === undefined || visible < now)
}

/** Whether time alone can change what a feed shows. */
export const dependsOnTime = ({ delayHours, past, upcoming }: FeedWindow): boolean =>
  delayHours > 0 || !past || !upcoming

/** Whether a feed can never show a flight: a delay hides upcoming flights. */
export const showsNothing = ({ delayHours, past, upcoming }: FeedWindow): boolean =>
  !past && (!upcoming || delayHours > 0)

// Which flights a feed shows, and when that changes by the passing of time alone.
import { addDays } from './calendar.ts'
import { completionInstant, effectiveArrival, effectiveDeparture } from './flight.ts'
import { instantOf, readLocal } from './time.ts'

/** Each kind of feed with the ending of its address. */
export const feedEndings = { ical: 'ics', geojson: 'geojson', json: 'json' } as const
export type FeedKind = keyof typeof feedEndings
export const feedKinds = Object.keys(feedEndings) as [FeedKind, ...FeedKind[]]

/** What can be left out of a feed. */
export const redactions = ['seat', 'note', 'reg', 'passengers'] as const
export type Redaction = (typeof redactions)[number]

export const DELAY_HOURS_AT_MOST = 720

export interface FeedWindow {
  /** Hours after a flight has ended until it is shown; 0: no delay. */
  delayHours: number
  past: boolean
  upcoming: boolean
}

type Timed = Parameters<typeof completionInstant>[0]

const HOUR = 3_600_000

/** When a flight is over: its arrival, else its departure, else the end of its date at the departure airport. */
function endInstant(flight: Timed, zone: string | null): number {
  const known = effectiveArrival(flight) ?? effectiveDeparture(flight)
  if (known !== null) return instantOf(known)
  if (flight.datePrecision !== 'day') return completionInstant(flight, zone)
  if (flight.date >= '9999-12-31') return Number.POSITIVE_INFINITY
  return readLocal(`${addDays(flight.date, 1)}T00:00`, zone ?? 'Etc/UTC').instant
}

/**
 * The instants at which a flight begins or ceases to be shown. A flight counts as past as soon as it counts as flown; a
 * delay hides it until it has passed, so a delayed feed has no upcoming flights.
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

/** Whether the passing of time can change what a feed shows. */
export const dependsOnTime = ({ delayHours, past, upcoming }: FeedWindow): boolean =>
  delayHours > 0 || !past || !upcoming

/** A feed that can never show a flight: upcoming flights are hidden by a delay. */
export const showsNothing = ({ delayHours, past, upcoming }: FeedWindow): boolean =>
  !past && (!upcoming || delayHours > 0)

// Adding other people to a flight: each is notified and decides whether to keep it, and none of them is left alone on a
// flight that they have not kept.

import { AppError, justDeleted } from '../base/errors.ts'
import type { NoticeData } from '../domain/notices.ts'
import { leftAlone, type PersonOnFlight, peopleOn, type Standing, standingOf } from '../domain/standing.ts'
import type { Call } from '../operation.ts'
import { deleteNotices, insertNotice } from '../store/notices.ts'
import { listNames } from '../store/people.ts'
import type { FlightView } from './flight-view.ts'

/** A class of its own, because v1 returns 403 and the legacy API 400: its clients take 403 for a bad key. */
export class LeavesOthersAlone extends AppError {}

/**
 * The standing of each of these passengers once they are on the flight, in their order. `before` are those on it now.
 */
export async function requireStandings(
  { principal, db }: Call,
  before: readonly PersonOnFlight[],
  wanted: readonly { userId: string | null }[],
): Promise<Standing[]> {
  const callerId = principal.user.id
  const after = wanted.map(({ userId }) => ({ userId, ...standingOf(userId, before, callerId) }))
  const alone = new Set(leftAlone(before, peopleOn(after), callerId).map(({ userId }) => userId))
  if (alone.size === 0) return after
  const names = (await listNames(db, [...alone])).map(({ displayName }) => displayName)
  // An account was deleted while this waited for the flight.
  if (names.length < alone.size) throw justDeleted()
  const message = 'This person must keep the flight before they can be left alone on it'
  throw new LeavesOthersAlone(
    'forbidden',
    `${enumerated(names)} must keep this flight first: until then someone who logged or kept it has to stay on it`,
    {
      details: after.flatMap(({ userId }, i) =>
        userId !== null && alone.has(userId)
          ? [{ code: 'custom', path: ['passengers', String(i)], message }]
          : [],
      ),
    },
  )
}

const NAMED_AT_MOST = 3

function enumerated(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_AT_MOST)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${more} more`
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '')
}

/** Notifies everyone whom the caller has just added to this flight; call it in the same transaction. */
export async function notifyAdded(
  { principal, db, now }: Call,
  before: readonly PersonOnFlight[],
  flight: FlightView,
): Promise<void> {
  const known = new Set([principal.user.id, ...before.map(({ userId }) => userId)])
  const added = flight.passengers.flatMap(({ user }) => (user && !known.has(user.id) ? [user.id] : []))
  if (added.length === 0) return
  const { id, displayName } = principal.user
  const data = { ...flightFacts(flight), addedBy: { id, displayName } }
  const notice = { kind: 'flight.added', at: now.toISOString(), data, flightId: flight.id } as const
  // Someone who left and is added again decides again.
  if (before.length > 0) await deleteNotices(db, notice.kind, flight.id, added)
  for (const userId of added) await insertNotice(db, { ...notice, userId })
}

/** The flight as a notice shows it. */
export const flightFacts = (flight: FlightView): Omit<NoticeData<'flight.added'>, 'addedBy'> => ({
  flightId: flight.id,
  date: flight.date,
  datePrecision: flight.datePrecision,
  from: flight.from && (flight.from.iata ?? flight.from.icao),
  to: flight.to && (flight.to.iata ?? flight.to.icao),
  flightNumber: flight.flightNumber,
})

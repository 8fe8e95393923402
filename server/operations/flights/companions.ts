// Adding other people to a flight: they are notified and decide whether to keep it, and are never left alone on a
// flight that they have not kept.

import { AppError, detail, justDeleted } from '../../base/errors.ts'
import {
  leftAlone,
  type PersonOnFlight,
  peopleOn,
  type Standing,
  standingOf,
} from '../../domain/flights/consent.ts'
import type { FlightFields } from '../../domain/flights/fields.ts'
import type { NoticeData } from '../../domain/people/notices.ts'
import { problem } from '../../domain/reasons.ts'
import type { Call } from '../../door/operation.ts'
import { deleteNotices, insertNotice, listNotifiedOfImport } from '../../store/people/notices.ts'
import { listNames } from '../../store/people/people.ts'
import type { FlightView } from './view.ts'

/** A separate class, because v1 returns 403 and the legacy API 400: clients of the latter read 403 as a bad key. */
export class LeavesOthersAlone extends AppError {}

/**
 * The standing of these passengers once they are on the flight, in order. `before` are its current passengers. Throws if
 * people who have not kept the flight would be left alone on it.
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
  // An account was deleted while this request waited for the lock of the flight.
  if (names.length < alone.size) throw justDeleted()
  throw new LeavesOthersAlone(
    'forbidden',
    problem('must_keep_first', {
      names: names.slice(0, NAMED_AT_MOST),
      more: Math.max(0, names.length - NAMED_AT_MOST),
    }),
    {
      details: after.flatMap(({ userId }, i) =>
        userId !== null && alone.has(userId) ? [detail(['passengers', i], 'must_keep_before_alone')] : [],
      ),
    },
  )
}

const NAMED_AT_MOST = 3

/** Notifies everyone whom the caller just added to this flight; call it in the same transaction. */
export async function notifyAdded(
  { principal, db, now }: Call,
  before: readonly PersonOnFlight[],
  flight: FlightView,
): Promise<void> {
  const known = new Set([principal.user.id, ...before.map(({ userId }) => userId)])
  const added = flight.passengers.flatMap(({ user }) => (user && !known.has(user.id) ? [user.id] : []))
  if (added.length === 0) return
  const { id, displayName } = principal.user
  const data = { ...flightFacts(flight), addedBy: { id, displayName }, importId: null }
  const notice = { kind: 'flight.added', at: now.toISOString(), data, flightId: flight.id } as const
  // A person who left and is added again decides again.
  if (before.length > 0) await deleteNotices(db, added, { kind: notice.kind, flightId: flight.id })
  for (const userId of added) await insertNotice(db, { ...notice, userId })
}

interface ImportedFlight
  extends Pick<FlightFields, 'date' | 'datePrecision' | 'flightNumber' | 'fromId' | 'toId'> {
  id: number
  users: readonly string[]
}

/**
 * Notifies everyone whom an import added to its flights: one notice for the whole import, about its first flight.
 * Call it in the transaction that created the flights.
 */
export async function notifyImported(
  { principal, db, now, services }: Call,
  importId: number,
  flights: readonly ImportedFlight[],
): Promise<void> {
  const { id, displayName } = principal.user
  const firstOf = new Map<string, ImportedFlight>()
  for (const flight of flights)
    for (const userId of flight.users) if (userId !== id && !firstOf.has(userId)) firstOf.set(userId, flight)
  if (firstOf.size === 0) return
  const notified = new Set(await listNotifiedOfImport(db, importId, [...firstOf.keys()]))
  const { airports } = await services.reference.records(db, principal.revisions.reference, {
    airports: [...firstOf.values()].flatMap(({ fromId, toId }) => [fromId, toId]),
    airlines: [],
    aircraft: [],
  })
  const codeOf = (airportId: number | null) => {
    const airport = airports.get(airportId ?? 0)
    return airport ? (airport.iata ?? airport.icao) : null
  }
  for (const [userId, { id: flightId, fromId, toId, date, datePrecision, flightNumber }] of firstOf) {
    if (notified.has(userId)) continue
    const facts = { flightId, date, datePrecision, flightNumber, from: codeOf(fromId), to: codeOf(toId) }
    const data = { ...facts, addedBy: { id, displayName }, importId }
    await insertNotice(db, { kind: 'flight.added', at: now.toISOString(), data, flightId, userId })
  }
}

/** The facts about a flight in a notice. */
export const flightFacts = (
  flight: FlightView,
): Omit<NoticeData<'flight.added'>, 'addedBy' | 'importId'> => ({
  flightId: flight.id,
  date: flight.date,
  datePrecision: flight.datePrecision,
  from: flight.from && (flight.from.iata ?? flight.from.icao),
  to: flight.to && (flight.to.iata ?? flight.to.icao),
  flightNumber: flight.flightNumber,
})

// Writes the passengers of a flight as requested.
import { invalidField } from '../../base/errors.ts'
import { type PersonOnFlight, peopleOn, type Standing } from '../../domain/flights/consent.ts'
import type { MatchResult } from '../../domain/flights/flight.ts'
import type { PlainReason } from '../../domain/reasons.ts'
import type { StoredFlight, StoredPassenger } from '../../store/flights/flights.ts'
import {
  deletePassenger,
  insertPassenger,
  setPassengerAside,
  updatePassenger,
} from '../../store/flights/writes.ts'
import { externalIdsForTombstones, type FlightChange } from '../../store/history/changes.ts'
import { freeExternalIds } from '../../store/history/external-ids.ts'
import type { Executor } from '../../store/store.ts'
import type { PassengerInput } from '../wire/schemas.ts'
import { passengerFieldsOf } from './input.ts'

type Matched = Extract<MatchResult<PassengerInput, StoredPassenger>, { matches: unknown }>

/** An entry that matches no passenger of the flight, or the same passenger as another entry. */
export const mismatch = ({ index, reason }: { index: number; reason: PlainReason }) =>
  invalidField(['passengers', index], reason)

export async function writePassengers(
  db: Executor,
  flight: { id: number; date: string },
  { matches, removed }: Matched,
  values: Record<string, unknown>[],
  standings: readonly Standing[],
): Promise<void> {
  for (const { id } of removed) await deletePassenger(db, { id })
  // Two passengers may swap identities: those that change theirs are set aside first, so that no unique key is violated.
  for (const { wanted, existing } of matches) {
    if (existing && (existing.userId !== wanted.userId || existing.guestName !== wanted.guestName)) {
      await setPassengerAside(db, existing.id)
    }
  }
  for (const [i, { wanted, existing }] of matches.entries()) {
    const data = passengerFieldsOf(wanted)
    if (existing) await updatePassenger(db, existing.id, data, values[i]!, standings[i]!)
    else await insertPassenger(db, flight, data, values[i]!, standings[i])
  }
}

type Moves = Required<Pick<FlightChange, 'users' | 'joined' | 'left'>> & Pick<FlightChange, 'externalIds'>

/** The people who joined and left a flight that was written. Frees the external ids of those who left. */
export async function settleMoves(
  tx: Executor,
  { id, passengers }: StoredFlight,
  before: readonly PersonOnFlight[],
): Promise<Moves> {
  const users = peopleOn(passengers).map(({ userId }) => userId)
  const wereOn = before.map(({ userId }) => userId)
  const left = wereOn.filter((userId) => !users.includes(userId))
  const externalIds = left.length > 0 ? (await externalIdsForTombstones(tx, [id])).get(id) : undefined
  if (left.length > 0) await freeExternalIds(tx, left, { flightId: id })
  return { users, joined: users.filter((userId) => !wereOn.includes(userId)), left, externalIds }
}

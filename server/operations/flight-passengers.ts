// Who is on a flight, written as a request says.
import { invalidField } from '../base/errors.ts'
import type { MatchResult } from '../domain/flight.ts'
import type { PlainReason } from '../domain/reasons.ts'
import { type PersonOnFlight, peopleOn, type Standing } from '../domain/standing.ts'
import { externalIdsForTombstones, type FlightChange } from '../store/changes.ts'
import { freeExternalIds } from '../store/external-ids.ts'
import {
  deletePassenger,
  insertPassenger,
  setPassengerAside,
  updatePassenger,
} from '../store/flight-writes.ts'
import type { StoredFlight, StoredPassenger } from '../store/flights.ts'
import type { Executor } from '../store/store.ts'
import { passengerFieldsOf } from './flight-input.ts'
import type { PassengerInput } from './schemas.ts'

type Matched = Extract<MatchResult<PassengerInput, StoredPassenger>, { matches: unknown }>

/** An entry that stands for no passenger of the flight, or for one that another entry stands for. */
export const mismatch = ({ index, reason }: { index: number; reason: PlainReason }) =>
  invalidField(['passengers', index], reason)

export async function writePassengers(
  db: Executor,
  flight: { id: number; date: string },
  { matches, removed }: Matched,
  values: Record<string, unknown>[],
  standings: readonly Standing[],
): Promise<void> {
  for (const { id } of removed) await deletePassenger(db, id)
  // Two passengers may swap identities: set aside those that change theirs, so that no unique key clashes on the way.
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

/** Who came onto a flight that was written, and who left it: their external ids are freed. */
export async function settleMoves(
  tx: Executor,
  { id, passengers }: StoredFlight,
  before: readonly PersonOnFlight[],
): Promise<Moves> {
  const users = peopleOn(passengers).map(({ userId }) => userId)
  const wereOn = before.map(({ userId }) => userId)
  const left = wereOn.filter((userId) => !users.includes(userId))
  const externalIds = left.length > 0 ? (await externalIdsForTombstones(tx, [id])).get(id) : undefined
  if (left.length > 0) await freeExternalIds(tx, id, left)
  return { users, joined: users.filter((userId) => !wereOn.includes(userId)), left, externalIds }
}

// Deleting flights. A flight without other accounts can be erased. If the person logged or kept a flight, it moves to
// the bin for everyone on it; if they were added and have not kept it, they leave it. The other people are notified.

import { AppError, notFound } from '../../base/errors.ts'
import { binnedAfter } from '../../domain/flights/bin.ts'
import { flightTag } from '../../domain/flights/conditions.ts'
import { deletesByLeaving, type PersonOnFlight, withoutPerson } from '../../domain/flights/consent.ts'
import { editOf } from '../../domain/history/edits.ts'
import type { Removal } from '../../domain/people/notices.ts'
import type { Call } from '../../door/operation.ts'
import {
  credentialMay,
  type Principal,
  requireFlightAccess,
  roleMay,
} from '../../services/access/principal.ts'
import {
  eraseDeletedFlights,
  eraseFromLog,
  listPeopleInBin,
  moveToBin,
  wasPassenger,
} from '../../store/flights/bin.ts'
import { findFlights } from '../../store/flights/flights.ts'
import {
  deleteFromFlights,
  findOnFlight,
  listPeopleOn,
  lockFlight,
  lockFlights,
  noteFlightsChanged,
} from '../../store/flights/writes.ts'
import { holdFlightChanges, type KeptEdit, recordFlightChanges } from '../../store/history/changes.ts'
import { listExternalIds } from '../../store/history/external-ids.ts'
import { type Author, SYSTEM } from '../../store/history/rows.ts'
import { reportRemoval } from '../../store/people/removals.ts'
import type { Executor } from '../../store/store.ts'
import { requireCondition } from '../wire/conditions.ts'
import { authorOf } from './author.ts'

type People = ReadonlyMap<number, readonly PersonOnFlight[]>

/** For a flight that is not in the log: people who were on it may know that it is in the bin. */
export async function requireNotInBin({ db, principal, now }: Call, id: number): Promise<void> {
  const wasOn = await wasPassenger(db, { id, userId: principal.user.id, after: binnedAfter(now.getTime()) })
  if (wasOn) throw new AppError('not_found', 'flight_in_bin')
}

/** Deletes a flight as the caller may delete it. If `permanently`, also from the bin. */
export async function removeFlight(call: Call, id: number, permanently = false): Promise<void> {
  const { principal, db, now, condition } = call
  const { id: userId } = principal.user
  await lockFlight(db, { id })
  const live = await findOnFlight(db, id, userId)
  // A deleted flight has no state for a condition.
  const mayBeBinned = permanently && condition?.match === undefined
  const wasOn =
    live?.isOn ??
    (mayBeBinned ? await wasPassenger(db, { id, userId, after: binnedAfter(now.getTime()) }) : undefined)
  if (wasOn === undefined) await requireNotInBin(call, id)
  requireFlightAccess(principal, 'delete', wasOn ? 'own' : 'any')
  if (wasOn === undefined) throw notFound('Flight')
  requireCondition(condition, live && flightTag({ id, version: live.version }))
  const { gone, kept } = permanently ? await eraseFlights(call, [id]) : await deleteFlights(call, [id])
  if (kept.length > 0) throw new AppError('conflict', 'others_on_flight')
  if (gone.length === 0) throw notFound('Flight')
}

interface Outcome {
  gone: number[]
  /** Flights that stay because other people are on them. */
  kept: number[]
}

/** Moves flights to the bin, or removes the caller from those that they were added to and have not kept. */
export async function deleteFlights(call: Call, ids: readonly number[]): Promise<Outcome> {
  await lockFlights(call.db, ids)
  const people = await listPeopleOn(call.db, ids)
  const { id: userId } = call.principal.user
  return { gone: await remove(call, ids, people, (on) => deletesByLeaving(on, userId)), kept: [] }
}

/** The other passengers stay on each flight, unless all of them have not kept it. */
export async function leaveFlights(call: Call, ids: readonly number[]): Promise<void> {
  const people = await listPeopleOn(call.db, ids)
  const { id: userId } = call.principal.user
  await remove(call, ids, people, (on) => withoutPerson(on, userId) === 'stays')
}

/** Moves flights to the bin and notifies the other people on them. Returns the ids of those that existed. */
export async function binFlights(
  call: Call,
  ids: readonly number[],
  author: Author = authorOf(call),
): Promise<number[]> {
  await lockFlights(call.db, ids)
  await tellOthers(call, 'deleted', ids, await listPeopleOn(call.db, ids))
  return moveToBin(call.db, ids, author, call.now)
}

/**
 * Erases flights in the log and in the bin, unless other people are on them and the caller may not delete all
 * flights. The caller leaves those that they were added to and have not kept.
 */
export async function eraseFlights(call: Call, ids: readonly number[]): Promise<Outcome> {
  const { db, principal } = call
  const { id: userId } = principal.user
  await lockFlights(db, ids)
  const people = await listPeopleOn(db, ids)
  const leaves = (id: number) => !mayDeleteAny(principal) && deletesByLeaving(people.get(id) ?? [], userId)
  const erased = await erase(
    call,
    ids.filter((id) => !leaves(id)),
    people,
    mayDeleteAny(principal),
  )
  const left = await remove(call, ids.filter(leaves), people, () => true)
  return { gone: [...erased.gone, ...left], kept: erased.kept }
}

/** Erases those flights in the caller's bin that no other person was on. */
export const eraseBin = (call: Call, ids: readonly number[]): Promise<Outcome> =>
  erase(call, ids, new Map(), false)

const mayDeleteAny = (principal: Principal): boolean =>
  roleMay(principal, 'flight.delete.any') && credentialMay(principal, 'flight.delete.any')

async function erase(call: Call, ids: readonly number[], live: People, any: boolean): Promise<Outcome> {
  const { db, principal, now } = call
  const inBin = await listPeopleInBin(db, ids)
  const usersOn = (id: number) => live.get(id)?.map(({ userId }) => userId) ?? inBin.get(id) ?? []
  const isFree = (id: number) => any || usersOn(id).every((userId) => userId === principal.user.id)
  const wanted = ids.filter(isFree)
  const isShared = (id: number) => usersOn(id).some((userId) => userId !== principal.user.id)
  await report(call, 'erased', new Map(wanted.filter(isShared).map((id) => [id, usersOn(id)])))
  const binned = await eraseDeletedFlights(
    db,
    wanted.filter((id) => !live.has(id)),
  )
  const changes = await eraseFromLog(
    db,
    wanted.filter((id) => !inBin.has(id)),
  )
  const gone = [...binned, ...changes.map(({ id }) => id)]
  await report(call, 'erased', new Map(gone.filter((id) => !isShared(id)).map((id) => [id, []])))
  await recordFlightChanges(db, changes, SYSTEM, now.toISOString())
  return { gone, kept: ids.filter((id) => !isFree(id)) }
}

/** Removes the caller from the flights that they leave, and moves the others to the bin. Returns the flights that existed. */
async function remove(
  call: Call,
  ids: readonly number[],
  people: People,
  leaves: (on: readonly PersonOnFlight[]) => boolean,
): Promise<number[]> {
  if (ids.length === 0) return []
  const { db: tx, now } = call
  const { id: userId } = call.principal.user
  const isLeft = (id: number) => leaves(people.get(id) ?? [])
  const [left, binned] = [ids.filter(isLeft), ids.filter((id) => !isLeft(id))]
  const [author, at] = [authorOf(call), now.toISOString()]
  await tellOthers(call, 'left', left, people)
  await tellOthers(call, 'deleted', binned, people)
  const held = holdFlightChanges(tx)
  const edits = await departuresOf(tx, left, userId)
  await deleteFromFlights(tx, left, { userId })
  await noteFlightsChanged(held.tx, left, at, { author, edits, left: [userId] })
  const moved = await moveToBin(held.tx, binned, author, now)
  await held.record(author, at)
  return [...left, ...moved]
}

/** The changes of each flight when the person leaves. */
async function departuresOf(
  tx: Executor,
  ids: readonly number[],
  userId: string,
): Promise<Map<number, KeptEdit>> {
  const named = await listExternalIds(tx, userId, ids)
  return new Map(
    (await findFlights(tx, ids)).map((flight) => {
      const passengers = flight.passengers.filter((passenger) => passenger.userId !== userId)
      const idsBefore = { [userId]: named.get(flight.id) ?? {} }
      return [flight.id, { edit: editOf(flight, { ...flight, passengers }, { idsBefore }) }]
    }),
  )
}

const tellOthers = (call: Call, how: Removal, ids: readonly number[], people: People): Promise<void> =>
  report(call, how, new Map(ids.map((id) => [id, (people.get(id) ?? []).map(({ userId }) => userId)])))

const report = (
  { db, principal, now, web }: Call,
  how: Removal,
  flights: ReadonlyMap<number, readonly string[]>,
): Promise<void> => reportRemoval(db, { how, by: principal.user, now, address: web?.address, flights })

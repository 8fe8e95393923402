// Deleting flights. A flight that no other account is on can be erased. A person who logged or kept a flight moves it to the
// bin for everyone on it; for a person who was added and has not kept it, deleting is leaving. The others are told.
import { credentialMay, type Principal, requireFlightAccess, roleMay } from '../auth/principal.ts'
import { AppError, notFound } from '../base/errors.ts'
import { binnedAfter } from '../domain/bin.ts'
import { flightTag } from '../domain/conditions.ts'
import { editOf } from '../domain/flight-edits.ts'
import type { Removal } from '../domain/notices.ts'
import { deletesByLeaving, type PersonOnFlight, withoutPerson } from '../domain/standing.ts'
import type { Call } from '../operation.ts'
import { holdFlightChanges, type KeptEdit, recordFlightChanges } from '../store/changes.ts'
import {
  eraseDeletedFlights,
  eraseFromLog,
  listPeopleInBin,
  moveToBin,
  wasPassenger,
} from '../store/deleted-flights.ts'
import { listExternalIds } from '../store/external-ids.ts'
import {
  deleteFromFlights,
  findOnFlight,
  listPeopleOn,
  lockFlight,
  lockFlights,
  noteFlightsChanged,
} from '../store/flight-writes.ts'
import { findFlights } from '../store/flights.ts'
import { type Author, SYSTEM } from '../store/history-rows.ts'
import { reportRemoval } from '../store/removals.ts'
import type { Executor } from '../store/store.ts'
import { authorOf } from './authors.ts'
import { requireCondition } from './conditions.ts'

type People = ReadonlyMap<number, readonly PersonOnFlight[]>

/** Of a flight that is not in the log: those who were on it may know that it is in the bin. */
export async function requireNotInBin({ db, principal, now }: Call, id: number): Promise<void> {
  const wasOn = await wasPassenger(db, id, principal.user.id, binnedAfter(now.getTime()))
  if (wasOn) throw new AppError('not_found', 'flight_in_bin')
}

/** Deletes a flight as it is for the caller to delete; permanently, also from the bin. */
export async function removeFlight(call: Call, id: number, permanently = false): Promise<void> {
  const { principal, db, now, condition } = call
  const { id: userId } = principal.user
  await lockFlight(db, id)
  const live = await findOnFlight(db, id, userId)
  // A deleted flight has no state that a condition could require.
  const mayBeBinned = permanently && condition?.match === undefined
  const wasOn =
    live?.isOn ?? (mayBeBinned ? await wasPassenger(db, id, userId, binnedAfter(now.getTime())) : undefined)
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

/** Moves flights to the bin, or takes the caller off those that they were added to and have not kept. */
export async function deleteFlights(call: Call, ids: readonly number[]): Promise<Outcome> {
  await lockFlights(call.db, ids)
  const people = await listPeopleOn(call.db, ids)
  const { id: userId } = call.principal.user
  return { gone: await remove(call, ids, people, (on) => deletesByLeaving(on, userId)), kept: [] }
}

/** The other passengers of each flight keep it, unless only people who have not kept it would remain. */
export async function leaveFlights(call: Call, ids: readonly number[]): Promise<void> {
  const people = await listPeopleOn(call.db, ids)
  const { id: userId } = call.principal.user
  await remove(call, ids, people, (on) => withoutPerson(on, userId) === 'stays')
}

/** Moves flights to the bin and tells the other people on them. Returns the ids of those that existed. */
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
 * Erases flights in the log and in the bin, unless other people are on them and the caller may not delete every flight. What
 * the caller was added to and has not kept, they leave.
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

/** Erases the flights in the caller's bin that no other person was on. */
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

/** Takes the caller off those that they leave, and moves the others to the bin; returns those that existed. */
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
  await deleteFromFlights(tx, left, userId)
  await noteFlightsChanged(held.tx, left, at, { author, edits, left: [userId] })
  const moved = await moveToBin(held.tx, binned, author, now)
  await held.record(author, at)
  return [...left, ...moved]
}

/** What the person's leaving changes of each flight. */
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
